//! The main job, as a person does it: play the demo, answer, confirm, see it completed, come back.

use crate::processes::a_while;
use crate::window::{App, found, keep_settings, start_app};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;
use tokio::time::timeout;

/// Chooses theme and language.
fn settings(folder: &Path, theme: &str, language: &str) {
    let json = format!(r#"{{"appearance":{{"theme":"{theme}","language":"{language}"}}}}"#);
    keep_settings(folder, &json);
}

/// What the person said first: far up, and folded away with the step that it belongs to.
async fn first_words(app: &App) -> String {
    let list = app.by_css(".list").await;
    let up = "arguments[0].scrollTop = 0; arguments[0].dispatchEvent(new Event('scroll'))";
    app.driver.execute(up, vec![list.to_json().unwrap()]).await.unwrap();
    app.by_css("[data-testid='step'] button[aria-expanded='false']").await.click().await.unwrap();
    app.by_test_id("message-user").await.text().await.unwrap()
}

const GOAL: &str = "A page where members of our garden see what is ripe.";

/// Says what kind of project it is, and answers all that follows with yes.
async fn chooses(app: &App, kind: &str, look: &str) {
    app.by_test_id("widget-selection").await;
    app.by_test_id(&format!("widget-option-{kind}")).await.click().await.unwrap();
    app.answer("widget-selection", "widget-submit").await;

    app.by_test_id("widget-confirmation").await;
    app.phase("waiting-user").await;
    app.screenshot(&format!("confirmation-{look}")).await;
    app.answer("widget-confirmation", "widget-submit").await;
    // A file outside the plan's folder is shown before it is changed.
    app.by_css("[data-testid='widget-confirmation'] [data-line='add']").await;
    app.screenshot(&format!("approval-{look}")).await;
    app.answer("widget-confirmation", "widget-submit").await;

    app.phase("completed").await;
    app.by_test_id("completed-label").await;
}

const ROADMAP: &str = "roadmap.md";

/// From Start to Completed; pictures of the four states are kept.
async fn play(app: &App, folder: &Path, look: &str) {
    app.by_test_id("start-screen").await;
    app.screenshot(&format!("start-{look}")).await;
    app.by_test_id("play-demo").await.click().await.unwrap();
    app.by_test_id("workspace").await;
    app.phase("waiting-user").await;

    app.by_test_id("composer-input").await.send_keys(GOAL).await.unwrap();
    app.by_test_id("send").await.click().await.unwrap();
    app.phase("running").await;
    // A step that is done soon takes the words along, and quotes them.
    app.by_css("[data-testid='message-user'], [data-testid='step'] .summary").await;
    app.screenshot(&format!("running-{look}")).await;

    chooses(app, "greenfield", look).await;
    app.by_css("[data-testid='step-end-99'][data-status='completed']").await;
    app.screenshot(&format!("completed-{look}")).await;
    let home = folder.join("home");
    for file in ["vision.md", ROADMAP] {
        assert_eq!(found(&home, file).len(), 1, "{file} was not written once");
    }
}

/// Opens what the model saw: the last request, exactly as it was sent.
async fn looks_at_the_requests(app: &App, words: &str, look: &str) {
    app.by_test_id("tab-evidence").await.click().await.unwrap();
    app.by_test_id("open-requests").await.click().await.unwrap();
    app.shows("request-proof", words).await;
    app.screenshot(&format!("requests-{look}")).await;
}

/// Opens a file that the run made: as it reads, as it is written, with what differs.
async fn looks_at_a_file(app: &App, words: &str, look: &str) {
    app.by_words("change", ROADMAP).await.click().await.unwrap();
    app.shows("file-viewer", words).await;
    app.by_test_id("file-source").await.click().await.unwrap();
    app.by_css(".file-viewer .tok-heading").await;
    app.screenshot(&format!("file-source-{look}")).await;
    app.by_test_id("file-diff").await.click().await.unwrap();
    app.by_css(".file-viewer [data-line='add']").await;
    app.screenshot(&format!("file-{look}")).await;
    app.by_test_id("file-close").await.click().await.unwrap();
}

/// A program of the system that opens files: it keeps which.
fn put_an_opener(folder: &Path) {
    let program = folder.join("bin/xdg-open");
    fs::create_dir_all(folder.join("bin")).unwrap();
    fs::write(&program, "#!/bin/sh\nprintf '%s\\n' \"$1\" >> \"${0%/*}/opened\"\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
}

/// The opened file is handed to its program, and its folder to the file manager.
async fn opens_it_outside(app: &App, folder: &Path) {
    app.by_words("change", ROADMAP).await.click().await.unwrap();
    app.by_test_id("file-open-program").await.click().await.unwrap();
    app.by_css("[data-testid='file-open-folder']:enabled").await.click().await.unwrap();
    let opened = || fs::read_to_string(folder.join("bin/opened")).unwrap_or_default();
    let mut looks = a_while();
    let both = timeout(Duration::from_secs(20), async {
        while opened().lines().count() < 2 {
            looks.tick().await;
        }
    });
    assert!(both.await.is_ok(), "opened: {:?}", opened());
    let mut lines: Vec<String> = opened().lines().map(str::to_owned).collect();
    lines.sort();
    let file = Path::new(&lines[1]);
    assert!(file.is_file() && file.parent() == Some(Path::new(&lines[0])), "{lines:?}");
    assert!(file.starts_with(folder.join("home").canonicalize().unwrap()), "{lines:?}");
    app.by_test_id("file-close").await.click().await.unwrap();
}

/// A file that the run made is put back, and the list of changes knows.
async fn puts_it_back(app: &App, folder: &Path) {
    let is_there = || !found(&folder.join("home"), ROADMAP).is_empty();
    assert!(is_there());
    app.by_words("change", ROADMAP).await.click().await.unwrap();
    app.by_test_id("file-put-back").await.click().await.unwrap();
    app.by_css("[data-testid='put-back-confirm']:enabled").await.click().await.unwrap();
    app.shows("file-viewer", "There is no such file any more").await;
    assert!(!is_there());
    app.by_test_id("file-close").await.click().await.unwrap();
    // Whoever looked at the beginning is led to it.
    app.by_test_id("jump-latest").await.click().await.unwrap();
    app.shows("notice-put_back", ROADMAP).await;
    app.by_words("change", "vision.md").await;
}

#[tokio::test]
async fn the_demo_runs_to_its_end_and_is_there_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    settings(folder.path(), "light", "en");
    put_an_opener(folder.path());
    let Some(app) = start_app(folder.path()).await else { return };
    play(&app, folder.path(), "light-en").await;
    let said = first_words(&app).await;
    assert!(said.contains(GOAL), "{said}");
    app.quit().await;

    // The window opens where it was left.
    let app = start_app(folder.path()).await.unwrap();
    app.phase("completed").await;
    app.by_test_id("completed-label").await;
    app.screenshot("restarted-light-en").await;
    assert_eq!(first_words(&app).await, said);
    looks_at_a_file(&app, "Roadmap: Harvest", "light-en").await;
    opens_it_outside(&app, folder.path()).await;
    puts_it_back(&app, folder.path()).await;
    looks_at_the_requests(&app, "Exactly as it was sent", "light-en").await;
    app.quit().await;
}

#[tokio::test]
async fn a_run_that_was_taken_back_goes_the_other_way() {
    let folder = tempfile::tempdir().unwrap();
    settings(folder.path(), "light", "en");
    let Some(app) = start_app(folder.path()).await else { return };
    play(&app, folder.path(), "light-en").await;
    // Its model tried to leave out a step, and was told that it cannot.
    app.by_words("step", "New or existing?").await.click().await.unwrap();
    app.by_test_id("notice-order_kept").await;
    app.screenshot("order-kept-light-en").await;
    let first = "[data-testid='step-step-01-ask'] button";
    app.by_css(first).await.click().await.unwrap();
    app.by_test_id("step-back").await.click().await.unwrap();
    app.shows("rewind-dialog", "vision.md").await;
    app.screenshot("going-back-light-en").await;
    app.by_css("[data-testid='rewind-confirm']:enabled").await.click().await.unwrap();
    app.phase("waiting-user").await;
    let home = folder.path().join("home");
    let plans =
        || found(&home, ".md").iter().filter(|it| it.parent().unwrap().ends_with("plan")).count();
    assert_eq!(plans(), 0, "its files are gone");
    app.by_test_id("resume").await.click().await.unwrap();
    app.by_css("[data-testid='composer-input']:enabled").await.send_keys(GOAL).await.unwrap();
    app.by_test_id("send").await.click().await.unwrap();
    chooses(&app, "brownfield", "other-way").await;
    assert_eq!(found(&home, "current-state.md").len(), 1);
    assert_eq!((found(&home, "vision.md").len(), plans()), (0, 2));
    app.quit().await;
}

#[tokio::test]
async fn the_demo_looks_right_in_dark_and_chinese() {
    let folder = tempfile::tempdir().unwrap();
    settings(folder.path(), "dark", "zh");
    let Some(app) = start_app(folder.path()).await else { return };
    play(&app, folder.path(), "dark-zh").await;
    looks_at_a_file(&app, "路线图：收成", "dark-zh").await;
    looks_at_the_requests(&app, "与发送时完全一致", "dark-zh").await;
    app.quit().await;
}

#[tokio::test]
async fn the_demo_looks_right_in_dark_and_english() {
    let folder = tempfile::tempdir().unwrap();
    settings(folder.path(), "dark", "en");
    let Some(app) = start_app(folder.path()).await else { return };
    play(&app, folder.path(), "dark-en").await;
    app.quit().await;
}

#[tokio::test]
async fn the_demo_looks_right_in_light_and_chinese() {
    let folder = tempfile::tempdir().unwrap();
    settings(folder.path(), "light", "zh");
    let Some(app) = start_app(folder.path()).await else { return };
    play(&app, folder.path(), "light-zh").await;
    app.quit().await;
}
