//! What is changed outside the window while it is open, and what a reload comes back to.

use crate::window::{keep_settings, start_app, state_document};
use std::path::Path;

/// Replaces a file as editors do: a new one, renamed over the old one.
fn save(path: &Path, text: &str) {
    let fresh = path.with_extension("saving");
    std::fs::write(&fresh, text).unwrap();
    std::fs::rename(fresh, path).unwrap();
}

#[tokio::test]
async fn edits_made_outside_are_seen_at_once_and_a_reload_comes_back_to_the_conversation() {
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("store/settings.json");
    keep_settings(folder.path(), r#"{"appearance":{"theme":"light","language":"en"}}"#);
    let Some(app) = start_app(folder.path()).await else { return };
    app.by_test_id("play-demo").await.click().await.unwrap();
    app.phase("waiting-user").await;

    let document = state_document(folder.path());
    let text = std::fs::read_to_string(&document).unwrap();
    save(&document, &format!("{text}\nA note of the person.\n"));
    app.by_css("[data-testid='state-edit'][data-refused='false']").await;
    save(&document, "no front matter");
    app.by_css("[data-testid='state-edit'][data-refused='true']").await;

    save(&settings, r#"{"appearance":{"theme":"dark","language":"en"}}"#);
    app.by_css("html[data-theme='dark']").await;
    save(&settings, r#"{"appearance":{"theme":"dark","language":"en"},"engine":{"maxTurns":0}}"#);
    app.by_css(".failure-bar [data-code='SETTING_INVALID']").await;

    app.by_test_id("log-toggle").await.click().await.unwrap();
    app.by_css("[data-testid='log-row'][data-kind='tool']").await;
    app.by_css("[data-testid='log-row'][data-kind='log'][data-level='warn']").await;
    app.screenshot("outside-dark-en").await;

    // Each start says what of the settings cannot be read, over what lies below it.
    save(&settings, r#"{"appearance":{"theme":"dark","language":"en"}}"#);
    save(&document, &text);
    app.driver.refresh().await.unwrap();
    app.phase("waiting-user").await;
    app.by_test_id("composer-input").await.send_keys("A page for our garden.").await.unwrap();
    app.by_test_id("send").await.click().await.unwrap();
    app.by_test_id("widget-selection").await;
    app.quit().await;
}
