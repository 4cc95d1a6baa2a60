//! A person's hand on the real window: mouse and key events of the window system. A window under
//! WebDriver sees none of these. What came of them is read from the store, as it is on the disk.

use crate::processes::{Display, a_while, end};
use crate::window::{keep_settings, tools};
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::time::Duration;
use tokio::time::timeout;

/// How long something may take to come about, on a machine with other work to do.
const WITHIN: Duration = Duration::from_mins(1);

/// How long one try may take to come to something.
const A_TRY: Duration = Duration::from_secs(5);

/// What a question to the store of this folder finds; nothing while there is none.
fn read(folder: &Path, sql: &str) -> Vec<String> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let Ok(db) = Connection::open_with_flags(folder.join("store/store.db"), flags) else {
        return Vec::new();
    };
    let Ok(mut rows) = db.prepare(sql) else { return Vec::new() };
    let found = rows.query_map([], |row| row.get(0)).and_then(Iterator::collect);
    found.unwrap_or_default()
}

fn is_at(folder: &Path, words: &str) -> bool {
    let kept = read(folder, "SELECT body FROM drafts WHERE place LIKE '%\"window\"%'");
    kept.iter().any(|body| body.contains(words))
}

/// Waits until the window of this folder would open again where these words are kept of it.
pub(crate) async fn comes_back_to(folder: &Path, words: &str) {
    let mut looks = a_while();
    let looking = timeout(WITHIN, async {
        while !is_at(folder, words) {
            looks.tick().await;
        }
    });
    assert!(looking.await.is_ok(), "the window does not keep {words} within {WITHIN:?}");
}

/// How large a window is.
pub(crate) type Size = (u32, u32);

/// How large the window is, unless a test says otherwise.
pub(crate) const SIZE: Size = (1280, 800);

/// A place in the window.
pub(crate) type Point = (i32, i32);

/// Where one writes, in a window of that size.
const COMPOSER: Point = (560, 762);

pub(crate) const GOAL: &str = "A page where members see what is ripe.";

/// The program as a person starts it, and a hand on its mouse and keyboard.
pub(crate) struct Hand {
    program: Child,
    display: Display,
    folder: PathBuf,
}

impl Hand {
    /// Opens the program with everything it keeps below `folder`, as [`start_app`] does. `None`
    /// when the tools are not there.
    ///
    /// [`start_app`]: crate::window::start_app
    pub(crate) async fn opens(folder: &Path, arguments: &[&str]) -> Option<Self> {
        Self::opens_sized(folder, arguments, SIZE).await
    }

    /// The same in a window of another size.
    pub(crate) async fn opens_sized(folder: &Path, arguments: &[&str], size: Size) -> Option<Self> {
        let program = tools(&["Xvfb", "WebKitWebDriver", "xdotool"])?;
        let display = Display::start();
        let program = display.command(program, folder).args(arguments).spawn().unwrap();
        let hand = Self { program, display, folder: folder.to_owned() };
        hand.xdotool(&["mousemove", "640", "400"]);
        let window = hand.window().await;
        let (width, height) = (size.0.to_string(), size.1.to_string());
        hand.xdotool(&["windowsize", "--sync", &window, &width, &height]);
        hand.xdotool(&["windowmove", &window, "0", "0", "windowfocus", "--sync", &window]);
        Some(hand)
    }

    /// Plays the demo, whose writes ask the person first.
    pub(crate) async fn on_the_demo(folder: &Path) -> Option<Self> {
        let settings = r#"{"appearance":{"theme":"light","language":"en"},
                           "approval":{"writes":"ask"}}"#;
        keep_settings(folder, settings);
        let hand = Self::opens(folder, &["--demo"]).await?;
        hand.until("the demo asks", |it| it.asked("turn_finished") > 0).await;
        // The window says where it is as soon as it is there: what is typed before gets lost.
        hand.until("the run is shown", |it| it.is_at("run-")).await;
        Some(hand)
    }

    /// The window, as soon as it is there. A search by xdotool fails when another one is closed
    /// meanwhile, as toolkits do when they start; then it looks again.
    async fn window(&self) -> String {
        let mut looks = a_while();
        let named = ["search", "--onlyvisible", "--name", "CrewAgent Runtime$"];
        let looking = timeout(WITHIN, async {
            loop {
                looks.tick().await;
                let found = self.try_xdotool(&named);
                if found.status.success() {
                    return String::from_utf8(found.stdout).unwrap().trim().to_owned();
                }
            }
        });
        looking.await.unwrap_or_else(|_| panic!("no window within {WITHIN:?}"))
    }

    /// Whether the window's title is this one, as the window system shows it.
    pub(crate) fn is_titled(&self, title: &str) -> bool {
        let escaped = title.replace('(', "\\(").replace(')', "\\)");
        let titled = ["search", "--onlyvisible", "--name", &format!("^{escaped}$")];
        self.try_xdotool(&titled).status.success()
    }

    fn try_xdotool(&self, arguments: &[&str]) -> Output {
        let mut command = self.display.command("xdotool", &self.folder);
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap()
    }

    pub(crate) fn xdotool(&self, arguments: &[&str]) -> String {
        let output = self.try_xdotool(arguments);
        assert!(output.status.success(), "xdotool {arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn move_to(&self, (x, y): Point) {
        self.xdotool(&["mousemove", &x.to_string(), &y.to_string()]);
    }

    /// Clicks, the pointer coming from elsewhere.
    pub(crate) fn click(&self, at: Point) {
        self.move_to((at.0, at.1 - 40));
        self.move_to(at);
        self.xdotool(&["click", "1"]);
    }

    /// Presses keys one after the other, wherever the focus is.
    pub(crate) fn press(&self, keys: &[&str]) {
        self.xdotool(&[&["key", "--delay", "40"], keys].concat());
    }

    /// Types words, wherever the focus is.
    pub(crate) fn types(&self, words: &str) {
        self.xdotool(&["type", "--delay", "5", words]);
    }

    /// Presses keys one after the other, beginning where one writes.
    pub(crate) fn press_from_composer(&self, keys: &[&str]) {
        self.move_to(COMPOSER);
        self.xdotool(&["click", "1"]);
        self.xdotool(&[&["key"], keys].concat());
    }

    /// What stands in the database, as soon as there is one.
    fn read(&self, sql: &str) -> Vec<String> {
        read(&self.folder, sql)
    }

    /// The events of a name, oldest first.
    pub(crate) fn events(&self, name: &str) -> Vec<Value> {
        let lines = self.read("SELECT body FROM lines ORDER BY id");
        let lines = lines.iter().map(|body| serde_json::from_str::<Value>(body).unwrap());
        let events = lines.flat_map(|line| line["events"].as_array().unwrap().clone());
        events.filter(|event| event["event"] == name).map(|event| event["data"].clone()).collect()
    }

    pub(crate) fn asked(&self, name: &str) -> usize {
        self.events(name).len()
    }

    /// What was written and not sent; where the window is lies beside that.
    pub(crate) fn drafts(&self) -> Vec<String> {
        self.read("SELECT body FROM drafts WHERE place NOT LIKE '%\"window\"%' ORDER BY place")
    }

    /// Whether what the window keeps of where it is holds these words.
    pub(crate) fn is_at(&self, words: &str) -> bool {
        is_at(&self.folder, words)
    }

    pub(crate) async fn until(&self, what: &str, comes_true: impl Fn(&Self) -> bool) {
        let looking = timeout(WITHIN, self.looks(&comes_true));
        assert!(
            looking.await.is_ok(),
            "{what}: not within {WITHIN:?}; written: {:?}",
            self.drafts()
        );
    }

    async fn looks(&self, comes_true: &impl Fn(&Self) -> bool) {
        let mut looks = a_while();
        while !comes_true(self) {
            looks.tick().await;
        }
    }

    /// Does something and waits for what comes of it, and does it again where nothing does: for
    /// what would be undone by the same thing done once more.
    pub(crate) async fn trying(
        &self,
        what: &str,
        act: impl Fn(&Self),
        comes_true: impl Fn(&Self) -> bool,
    ) {
        let trying = timeout(WITHIN, async {
            loop {
                act(self);
                if timeout(A_TRY, self.looks(&comes_true)).await.is_ok() {
                    return;
                }
            }
        });
        assert!(
            trying.await.is_ok(),
            "{what}: not within {WITHIN:?}; written: {:?}",
            self.drafts()
        );
    }

    /// Does something again and again until something comes of it.
    pub(crate) async fn doing(
        &self,
        what: &str,
        act: impl Fn(&Self),
        comes_true: impl Fn(&Self) -> bool,
    ) {
        let mut pace = tokio::time::interval(Duration::from_millis(300));
        let trying = timeout(WITHIN, async {
            while !comes_true(self) {
                act(self);
                pace.tick().await;
            }
        });
        assert!(
            trying.await.is_ok(),
            "{what}: not within {WITHIN:?}; written: {:?}",
            self.drafts()
        );
    }

    /// Writes where one writes, in place of what may stand there, and has the program keep it: a
    /// key too many may have moved the focus on.
    pub(crate) async fn write_there(&self, words: &str) {
        let write = |it: &Self| {
            it.press_from_composer(&["ctrl+a"]);
            it.types(words);
        };
        let kept = format!("{words:?}");
        self.doing("what is typed is kept", write, |it| it.drafts().contains(&kept)).await;
    }

    /// Types without looking for a field first, and has the program keep it.
    pub(crate) async fn write(&self, words: &str) {
        self.types(words);
        let kept = format!("{words:?}");
        self.until("what is typed is kept", |it| it.drafts().contains(&kept)).await;
    }

    /// Answers the demo's questions up to the one whether a file may be written.
    pub(crate) async fn up_to_the_approval(&self) {
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

    pub(crate) fn kill(mut self) {
        end(&mut self.program);
    }
}

impl Drop for Hand {
    fn drop(&mut self) {
        end(&mut self.program);
    }
}
