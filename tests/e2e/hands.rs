//! The window under a person's hands: mouse and key events of the window system. A window under
//! WebDriver sees none of these. What came of them is read from the store, as it is on the disk.

use crate::processes::{Display, a_while, end};
use crate::window::{start_app, tools};
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tokio::time::timeout;

/// How long something may take to come about, on a machine with other work to do.
const WITHIN: Duration = Duration::from_mins(1);

/// Where every question has its main button, in a window of 1280 by 800: the end of the list, above
/// the composer. They follow each other there, which is what these tests are about.
const BUTTON: (i32, i32) = (936, 650);

/// Where one writes, in that window.
const COMPOSER: (i32, i32) = (560, 737);

const GOAL: &str = "A page where members see what is ripe.";

/// The program as a person starts it, and a hand on its mouse and keyboard.
struct Hand {
    program: Child,
    display: Display,
    folder: PathBuf,
}

impl Hand {
    /// Plays the demo, whose writes ask the person first. `None` when the tools are not there.
    async fn on_the_demo(folder: &Path) -> Option<Self> {
        let program = tools(&["Xvfb", "WebKitWebDriver", "xdotool"])?;
        let store = folder.join("store");
        std::fs::create_dir_all(&store).unwrap();
        let settings = r#"{"appearance":{"theme":"light","language":"en"},
                           "approval":{"writes":"ask"}}"#;
        std::fs::write(store.join("settings.json"), settings).unwrap();
        let display = Display::start();
        let mut command = display.command(program, folder);
        let program = command.arg("--demo").spawn().unwrap();
        let hand = Self { program, display, folder: folder.to_owned() };
        hand.xdotool(&["mousemove", "640", "400"]);
        let named = ["search", "--sync", "--onlyvisible", "--name", "^CrewAgent Runtime$"];
        let window = hand.xdotool(&named).trim().to_owned();
        hand.xdotool(&["windowsize", "--sync", &window, "1280", "800"]);
        hand.xdotool(&["windowmove", &window, "0", "0", "windowfocus", "--sync", &window]);
        hand.until("the demo asks", |it| it.asked("turn_finished") > 0).await;
        Some(hand)
    }

    fn xdotool(&self, arguments: &[&str]) -> String {
        let mut command = self.display.command("xdotool", &self.folder);
        let output = command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).output();
        let output = output.unwrap();
        assert!(output.status.success(), "xdotool {arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn move_to(&self, (x, y): (i32, i32)) {
        self.xdotool(&["mousemove", &x.to_string(), &y.to_string()]);
    }

    /// Presses keys one after the other, beginning where one writes.
    fn press_from_composer(&self, keys: &[&str]) {
        self.move_to(COMPOSER);
        self.xdotool(&["click", "1"]);
        self.xdotool(&[&["key"], keys].concat());
    }

    /// What stands in the database, as soon as there is one.
    fn read(&self, sql: &str) -> Vec<String> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
        let Ok(db) = Connection::open_with_flags(self.folder.join("store/store.db"), flags) else {
            return Vec::new();
        };
        let Ok(mut rows) = db.prepare(sql) else { return Vec::new() };
        let found = rows.query_map([], |row| row.get(0)).and_then(Iterator::collect);
        found.unwrap_or_default()
    }

    /// The events of a name, oldest first.
    fn events(&self, name: &str) -> Vec<Value> {
        let lines = self.read("SELECT body FROM lines ORDER BY id");
        let lines = lines.iter().map(|body| serde_json::from_str::<Value>(body).unwrap());
        let events = lines.flat_map(|line| line["events"].as_array().unwrap().clone());
        events.filter(|event| event["event"] == name).map(|event| event["data"].clone()).collect()
    }

    fn asked(&self, name: &str) -> usize {
        self.events(name).len()
    }

    fn drafts(&self) -> Vec<String> {
        self.read("SELECT body FROM drafts ORDER BY place")
    }

    async fn until(&self, what: &str, comes_true: impl Fn(&Self) -> bool) {
        let mut looks = a_while();
        let looking = timeout(WITHIN, async {
            while !comes_true(self) {
                looks.tick().await;
            }
        });
        assert!(looking.await.is_ok(), "{what}: not within {WITHIN:?}");
    }

    /// Does something again and again until something comes of it.
    async fn doing(&self, what: &str, act: impl Fn(&Self), comes_true: impl Fn(&Self) -> bool) {
        let mut pace = tokio::time::interval(Duration::from_millis(300));
        let trying = timeout(WITHIN, async {
            while !comes_true(self) {
                act(self);
                pace.tick().await;
            }
        });
        assert!(trying.await.is_ok(), "{what}: not within {WITHIN:?}");
    }

    /// Types without looking for a field first, and has the program keep it.
    async fn write(&self, words: &str) {
        self.xdotool(&["type", "--delay", "5", words]);
        let kept = format!("{words:?}");
        self.until("what is typed is kept", |it| it.drafts().contains(&kept)).await;
    }

    /// Answers the demo's questions up to the one whether a file may be written.
    async fn up_to_the_approval(&self) {
        self.write(GOAL).await;
        self.xdotool(&["key", "Return"]);
        self.until("a choice is asked for", |it| it.asked("widget_asked") == 1).await;
        // From the composer back to the last choice, and up to the first of them.
        let choose = |it: &Self| it.press_from_composer(&["shift+Tab", "Up"]);
        self.doing("a choice is kept", choose, |it| !it.drafts().is_empty()).await;
        // Then what lies before the composer is the button.
        let submit = |it: &Self| it.press_from_composer(&["shift+Tab", "Return"]);
        self.doing("the choice is made", submit, |it| it.asked("widget_answered") == 1).await;
        self.until("a write is asked about", |it| it.asked("widget_asked") == 2).await;
    }

    fn kill(mut self) {
        end(&mut self.program);
    }
}

impl Drop for Hand {
    fn drop(&mut self) {
        end(&mut self.program);
    }
}

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
    let look = |it: &Hand| {
        it.move_to((BUTTON.0, BUTTON.1 - 40));
        it.move_to(BUTTON);
        it.xdotool(&["click", "1"]);
    };
    hand.doing("the write is allowed", look, |it| it.asked("widget_answered") == 2).await;
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
    app.by_test_id("recent-project").await.click().await.unwrap();
    let composer = app.by_test_id("composer-input").await;
    assert_eq!(composer.prop("value").await.unwrap().as_deref(), Some(GOAL));
    app.quit().await;
}

#[tokio::test]
async fn the_keys_on_a_dialog_work_press_from_composer_while_it_is_empty() {
    let folder = tempfile::tempdir().unwrap();
    let Some(hand) = Hand::on_the_demo(folder.path()).await else { return };
    hand.up_to_the_approval().await;
    // With words in the composer the keys are its own.
    hand.write("Wait").await;
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
