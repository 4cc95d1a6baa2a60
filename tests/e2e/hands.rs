//! The window under a person's hands: what clicks and keys of the window system do in it.

use crate::hand::{GOAL, Hand, Point};
use crate::window::start_app;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tokio::time::interval;

/// Where every question has its main button, in a window of 1280 by 800: the foot of the dock, above
/// the composer. They follow each other there, which is what these tests are about.
const BUTTON: Point = (900, 700);

/// The files the demo has written.
fn written(folder: &Path) -> usize {
    let find = ["-path", "*/artifacts/plan/*.md"];
    let found = Command::new("find").arg(folder.join("home")).args(find).output().unwrap();
    String::from_utf8(found.stdout).unwrap().lines().count()
}

#[tokio::test]
async fn ten_clicks_in_one_place_authorise_at_most_one_thing() {
    let folder = tempfile::tempdir().unwrap();
    let Some(hand) = Hand::on_the_demo(folder.path()).await else { return };
    hand.up_to_the_approval().await;
    // The pointer came here for the last question; now it rests, and clicks.
    hand.move_to(BUTTON);
    let before = hand.asked("widget_answered");
    hand.xdotool(&["click", "--repeat", "10", "--delay", "200", "1"]);
    let after = hand.asked("widget_answered");
    assert!(after - before <= 1, "{} answers to ten clicks", after - before);
    assert!(written(folder.path()) <= 1);

    // Who looks, moves and clicks is heard; the next question asks for itself.
    hand.doing(
        "the write is allowed",
        |it| it.click(BUTTON),
        |it| it.asked("widget_answered") == 2,
    )
    .await;
    hand.until("the file is written", |_| written(folder.path()) == 1).await;
    let shown = hand.events("widget_answered")[1]["shownMs"].as_u64();
    assert!(shown.is_some_and(|ms| ms >= 700), "{shown:?}");
}

#[tokio::test]
async fn what_is_half_written_is_there_after_the_program_was_killed() {
    let folder = tempfile::tempdir().unwrap();
    let Some(hand) = Hand::on_the_demo(folder.path()).await else { return };
    // Nothing was clicked: typing goes to where one writes.
    hand.write(GOAL).await;
    hand.kill();

    let app = start_app(folder.path()).await.unwrap();
    let composer = app.by_test_id("composer-input").await;
    assert_eq!(composer.prop("value").await.unwrap().as_deref(), Some(GOAL));
    app.quit().await;
}

#[tokio::test]
async fn the_keys_on_a_dialog_work_from_the_composer_while_it_is_empty() {
    let folder = tempfile::tempdir().unwrap();
    let Some(hand) = Hand::on_the_demo(folder.path()).await else { return };
    hand.up_to_the_approval().await;
    // With words in the composer the keys are its own.
    hand.write_there("Wait").await;
    hand.xdotool(&["key", "Escape"]);
    hand.xdotool(&["key", "BackSpace", "BackSpace", "BackSpace", "BackSpace"]);
    hand.until("the words are gone", |it| it.drafts().is_empty()).await;
    assert_eq!(hand.asked("widget_answered"), 1, "Esc did not answer while something was written");
    let allow = |it: &Hand| {
        it.xdotool(&["key", "ctrl+Return"]);
    };
    hand.doing("the write is allowed", allow, |it| it.asked("widget_answered") == 2).await;
    hand.until("the file is written", |_| written(folder.path()) == 1).await;

    hand.until("the roadmap is asked about", |it| it.asked("widget_asked") == 3).await;
    let refuse = |it: &Hand| {
        it.xdotool(&["key", "Escape"]);
    };
    hand.doing("the roadmap is refused", refuse, |it| it.asked("widget_answered") == 3).await;
    assert_eq!(hand.events("widget_answered")[2]["value"]["confirmed"], false);
}

/// Far enough apart that each key finds the question armed, or not, by the one before.
const BETWEEN_KEYS: Duration = Duration::from_secs(2);

#[tokio::test]
async fn the_first_key_that_finds_a_new_question_answers_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let Some(hand) = Hand::on_the_demo(folder.path()).await else { return };
    hand.up_to_the_approval().await;
    let mut pace = interval(BETWEEN_KEYS);
    for _ in 0..10 {
        pace.tick().await;
        if hand.asked("widget_answered") == 2 {
            break;
        }
        hand.xdotool(&["key", "ctrl+Return"]);
    }
    // One came too early, one armed it after 700 ms or more, and the next one answered.
    let shown = hand.events("widget_answered")[1]["shownMs"].as_u64().unwrap();
    assert!(shown >= 2500, "answered by the first key that could, after {shown} ms");
}
