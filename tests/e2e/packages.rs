//! Packages that are opened outside the window: as an argument of the first start, and of a second
//! one, which hands them over.

use crate::hand::{SIZE, Size};
use crate::processes::{Display, Driver};
use crate::window::{App, found, keep_settings, start_app_with, tools};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use support::program::{copy, root};

/// How many files a large package has besides its workflow.
const PAGES: usize = 9_000;

fn packed(folder: &Path, name: &str) -> PathBuf {
    let file = folder.join(name);
    let package = root().join("templates/packages/hello-linear");
    host::packages::pack(&package, &file, false).unwrap();
    file
}

/// A package that takes a while to read and to install.
fn packed_large(folder: &Path) -> PathBuf {
    let package = folder.join("large");
    copy(&root().join("templates/packages/hello-linear"), &package);
    let pages = package.join("assets/pages");
    fs::create_dir_all(&pages).unwrap();
    for page in 0..PAGES {
        fs::write(pages.join(format!("{page:05}.md")), format!("# Page {page}\n")).unwrap();
    }
    let file = folder.join("large.bmad");
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
    fs::write(&wrong, "not a package").unwrap();
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

async fn the_install_of_a_large_package_is_stopped(
    theme: &str,
    (language, installing): (&str, &str),
    size: Size,
) {
    let folder = tempfile::tempdir().unwrap();
    let appearance = json!({ "appearance": { "theme": theme, "language": language } });
    keep_settings(folder.path(), &appearance.to_string());
    let file = packed_large(folder.path()).to_string_lossy().into_owned();
    let Some(app) = start_app_with(folder.path(), &[&file]).await else { return };
    let look = format!("{theme}-{language}");
    app.sized(size).await;
    let install = "[data-testid='install']:enabled";
    app.by_css(install).await.click().await.unwrap();
    app.by_words("package-reading", installing).await;
    app.screenshot(&format!("large-installing-{look}")).await;
    app.by_test_id("stop-install").await.click().await.unwrap();
    app.by_css(install).await;
    assert_eq!(found(&folder.path().join("store"), ".md").len(), 0);
    app.screenshot(&format!("large-stopped-{look}")).await;
    app.quit().await;
}

#[tokio::test]
async fn the_install_of_a_large_package_is_told_and_stopped_and_leaves_nothing() {
    the_install_of_a_large_package_is_stopped("light", ("en", "Installing: "), SIZE).await;
}

#[tokio::test]
async fn the_install_of_a_large_package_looks_right_in_dark_and_chinese_and_small() {
    the_install_of_a_large_package_is_stopped("dark", ("zh", "正在安装："), (900, 600)).await;
}
