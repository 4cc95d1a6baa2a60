//! Packages that are opened outside the window: as an argument of the first start, and of a second
//! one, which hands them over.

use crate::processes::{Display, Driver};
use crate::window::{App, start_app_with, tools};
use std::path::{Path, PathBuf};

fn packed(folder: &Path, name: &str) -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../templates/packages/hello-linear")
        .canonicalize()
        .unwrap();
    let file = folder.join(name);
    host::packages::pack(&package, &file, false).unwrap();
    file
}

#[tokio::test]
async fn a_package_file_opens_its_permission_sheet_and_nothing_is_installed_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let file = packed(folder.path(), "a package.bmad");
    let file = file.to_string_lossy().into_owned();
    let Some(app) = start_app_with(folder.path(), &[&file]).await else { return };
    app.by_test_id("permission-sheet").await;
    app.shows("package-dialog", "hello-linear").await;
    app.screenshot("opened-package").await;
    app.by_css("[data-testid='install']:enabled").await.click().await.unwrap();
    app.by_test_id("saved").await;
    app.quit().await;
}

/// As on a computer without a graphics card: the program starts over in place of itself, with what
/// it was given. There is no picture of it, as the driver has none then.
#[tokio::test]
async fn a_window_that_is_drawn_plainly_opens_what_it_was_given() {
    let Some(program) = tools(&["Xvfb", "WebKitWebDriver"]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = packed(folder.path(), "a package.bmad").to_string_lossy().into_owned();
    let display = Display::start();
    let mut command = display.command("WebKitWebDriver", folder.path());
    command.env("TAURI_WEBVIEW_AUTOMATION", "true").env_remove("WEBKIT_DISABLE_DMABUF_RENDERER");
    let driver = Driver::run(display, command, folder.path()).await;
    let app = App::open(driver, &program, &[&file]).await;
    app.by_test_id("permission-sheet").await;
    app.shows("package-dialog", "hello-linear").await;
    app.quit().await;
}

#[tokio::test]
async fn files_that_are_no_packages_or_not_there_say_so_one_after_another() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = folder.path().join("wrong.bmad");
    std::fs::write(&wrong, "not a package").unwrap();
    let missing = folder.path().join("missing.bmad").to_string_lossy().into_owned();
    let wrong = wrong.to_string_lossy().into_owned();
    let Some(app) = start_app_with(folder.path(), &[&wrong, &missing]).await else { return };
    for code in ["ARCHIVE_INVALID", "PACKAGE_NOT_FOUND"] {
        let failure = app.by_css(&format!("[data-testid='failure'][data-code='{code}']")).await;
        let words = failure.text().await.unwrap();
        assert!(!words.contains(&*folder.path().to_string_lossy()), "{words}");
        app.screenshot(&format!("opened-{}", code.to_lowercase())).await;
        app.by_css("[data-testid='package-dialog'] footer button").await.click().await.unwrap();
    }
    app.by_test_id("start-screen").await;
    app.quit().await;
}
