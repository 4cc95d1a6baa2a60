//! Tells Tauri which commands there are, so that a capability has to grant each one: without the
//! list every window could call every command.

fn main() {
    // Templates and scripts of a workspace have nothing to do with the shell; Tauri adds its own
    // "rerun" lines for the configuration, the capabilities and the icons.
    let attributes = tauri_build::Attributes::new()
        .capabilities_path_pattern("./src-tauri/capabilities/*")
        .app_manifest(tauri_build::AppManifest::new().commands(&["submit", "query", "watch"]));
    if let Err(error) = tauri_build::try_build(attributes) {
        // A build script speaks to cargo through its output.
        #[expect(clippy::print_stdout, reason = "this is how a build script reports")]
        {
            println!("cargo::error=the desktop shell cannot be configured: {error:#}");
        }
    }
}
