//! Tells Tauri which commands there are, so that a capability has to grant each one: without the
//! list every window could call every command.

fn main() {
    let attributes = tauri_build::Attributes::new()
        .capabilities_path_pattern("./src-tauri/capabilities/*")
        .app_manifest(tauri_build::AppManifest::new().commands(&["submit", "query", "watch"]));
    if let Err(error) = tauri_build::try_build(attributes) {
        println!("cargo::error=the desktop shell cannot be configured: {error:#}");
    }
}
