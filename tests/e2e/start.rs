//! The first thing a person sees.

use crate::window::start_app;

#[tokio::test]
async fn the_window_opens_on_the_start_screen() {
    let folder = tempfile::tempdir().unwrap();
    let Some(app) = start_app(folder.path()).await else { return };

    let screen = app.by_test_id("start-screen").await;
    assert!(screen.is_displayed().await.unwrap());
    app.screenshot("start").await;
    assert_eq!(app.driver.title().await.unwrap(), "CrewAgent Runtime");
    app.quit().await;
}
