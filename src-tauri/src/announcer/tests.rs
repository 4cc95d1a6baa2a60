//! A real message bus, with a desktop of the tests' own on it.

use super::*;
use std::collections::HashMap;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use zbus::interface;
use zbus::zvariant::OwnedValue;

/// Longer than anything here takes; a test that waits for it has failed.
const PATIENCE: Duration = Duration::from_secs(30);

/// A bus of its own, which ends with the test.
struct Bus {
    daemon: Child,
    address: String,
}

impl Bus {
    /// `None` where there is no program for it.
    fn start() -> Option<Self> {
        let daemon = Command::new("dbus-daemon")
            .args(["--session", "--nofork", "--nopidfile", "--print-address=1"])
            .stdout(Stdio::piped())
            .spawn();
        let Ok(mut daemon) = daemon else {
            assert!(std::env::var_os("CI").is_none(), "dbus-daemon is not installed");
            eprintln!("skipped: dbus-daemon is not installed (./dev setup)");
            return None;
        };
        let mut address = String::new();
        BufReader::new(daemon.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Some(Self { daemon, address: address.trim().to_owned() })
    }

    fn builder(&self) -> impl Fn() -> zbus::Result<Builder<'static>> + Send + 'static {
        let address = self.address.clone();
        move || Builder::address(address.as_str())
    }

    /// A desktop on it that tells what it is asked to show.
    fn desktop(&self, markup: bool) -> (Connection, Receiver<Asked>) {
        let (asked, heard) = channel();
        let desktop = Desktop { asked, last: 40, markup };
        let builder = (self.builder())().unwrap().name(SERVICE).unwrap();
        (builder.serve_at(PLACE, desktop).unwrap().build().unwrap(), heard)
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        _ = self.daemon.kill();
        _ = self.daemon.wait();
    }
}

/// What a desktop was asked to show.
#[derive(Debug, PartialEq, Eq)]
struct Asked {
    program: String,
    replaces: u32,
    icon: String,
    title: String,
    text: String,
    actions: Vec<String>,
    desktop_file: String,
    number: u32,
}

struct Desktop {
    asked: Sender<Asked>,
    last: u32,
    markup: bool,
}

#[interface(name = "org.freedesktop.Notifications")]
impl Desktop {
    fn get_capabilities(&self) -> Vec<String> {
        let names: &[&str] = if self.markup { &["body", "body-markup"] } else { &["body"] };
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[allow(clippy::too_many_arguments, reason = "the specification has so many")]
    fn notify(
        &mut self,
        program: String,
        replaces: u32,
        icon: String,
        title: String,
        text: String,
        actions: Vec<String>,
        mut hints: HashMap<String, OwnedValue>,
        time: i32,
    ) -> u32 {
        let number = if replaces == 0 { self.last + 1 } else { replaces };
        self.last = self.last.max(number);
        let desktop_file = String::try_from(hints.remove("desktop-entry").unwrap()).unwrap();
        assert_eq!(time, ITS_OWN_TIME);
        let asked = Asked { program, replaces, icon, title, text, actions, desktop_file, number };
        self.asked.send(asked).unwrap();
        number
    }
}

fn tells(
    desktop: &Connection,
    signal: &str,
    body: &(impl serde::Serialize + zbus::zvariant::DynamicType),
) {
    desktop.emit_signal(None::<&str>, PLACE, SERVICE, signal, body).unwrap();
}

fn of(conversation: &str, title: &str, text: &str) -> Announcement {
    Announcement::new(conversation.parse().unwrap(), title, text)
}

#[test]
fn a_run_is_announced_as_text_and_a_newer_word_of_it_takes_the_place_of_the_older() {
    let Some(bus) = Bus::start() else { return };
    let (desktop, heard) = bus.desktop(true);
    let announcer = Announcer::at(bus.builder(), |_| {});
    announcer.announce(of("run-1", "A <b>garden</b>", "<a href=\"x\">Ripe</a> & red?")).unwrap();
    let first = heard.recv_timeout(PATIENCE).unwrap();
    let wanted = Asked {
        program: "CrewAgent Runtime".into(),
        replaces: 0,
        icon: "crewagent-desktop".into(),
        title: "A <b>garden</b>".into(),
        text: "&lt;a href=\"x\"&gt;Ripe&lt;/a&gt; &amp; red?".into(),
        actions: vec!["default".into(), String::new()],
        desktop_file: "CrewAgentRuntime".into(),
        number: 41,
    };
    assert_eq!(first, wanted);

    let replaces = |conversation: &str| {
        announcer.announce(of(conversation, "t", "t")).unwrap();
        heard.recv_timeout(PATIENCE).unwrap().replaces
    };
    assert_eq!((replaces("run-2"), replaces("run-1"), replaces("run-2")), (0, 41, 42));
    // A person who closed it is told anew.
    tells(&desktop, "NotificationClosed", &(41u32, 2u32));
    // Signals come in order: when the click is heard, so was the other.
    let mut number = replaces("run-1");
    for _ in 0..1000 {
        if number == 0 {
            break;
        }
        tells(&desktop, "NotificationClosed", &(number, 2u32));
        number = replaces("run-1");
    }
    assert_eq!(number, 0);
}

#[test]
fn a_desktop_that_draws_plain_text_is_given_plain_text() {
    let Some(bus) = Bus::start() else { return };
    let (_desktop, heard) = bus.desktop(false);
    Announcer::at(bus.builder(), |_| {}).announce(of("run-1", "t", "1 < 2 & 3")).unwrap();
    assert_eq!(heard.recv_timeout(PATIENCE).unwrap().text, "1 < 2 & 3");
}

#[test]
fn a_click_names_the_conversation_and_nothing_else_does() {
    let Some(bus) = Bus::start() else { return };
    let (desktop, heard) = bus.desktop(true);
    let (clicks, clicked) = channel();
    let announcer = Announcer::at(bus.builder(), move |id| clicks.send(id.to_string()).unwrap());
    announcer.announce(of("run-1", "t", "t")).unwrap();
    announcer.announce(of("run-2", "t", "t")).unwrap();
    let numbers = [(); 2].map(|()| heard.recv_timeout(PATIENCE).unwrap().number);
    // Of another program, another action, and of the two announcements.
    tells(&desktop, "ActionInvoked", &(7u32, "default"));
    tells(&desktop, "ActionInvoked", &(numbers[0], "settings"));
    tells(&desktop, "ActionInvoked", &("not", "a number"));
    tells(&desktop, "ActionInvoked", &(numbers[1], "default"));
    tells(&desktop, "ActionInvoked", &(numbers[0], "default"));
    let heard = [(); 2].map(|()| clicked.recv_timeout(PATIENCE).unwrap());
    assert_eq!(heard, ["run-2", "run-1"]);
}

#[test]
fn where_no_desktop_answers_nothing_waits_and_a_later_one_is_found() {
    let Some(bus) = Bus::start() else { return };
    let announcer = Announcer::at(bus.builder(), |_| {});
    announcer.announce(of("run-1", "t", "nobody is there")).unwrap();
    let (_desktop, heard) = bus.desktop(true);
    // The first may still be on its way.
    announcer.announce(of("run-2", "t", "somebody is there")).unwrap();
    let texts = std::iter::from_fn(|| heard.recv_timeout(PATIENCE).ok().map(|asked| asked.text));
    assert!({ texts }.any(|text| text == "somebody is there"));

    let nowhere = Announcer::at(|| Err(zbus::Error::Unsupported), |_| {});
    nowhere.announce(of("run-1", "t", "t")).unwrap();
}

#[test]
fn numbers_are_kept_of_so_many_conversations_and_no_more() {
    let mut shown = Shown::default();
    let id = |n: usize| -> ConversationId { format!("run-{n}").parse().unwrap() };
    for n in 0..=ANNOUNCED_CONVERSATIONS {
        shown.keep(id(n), u32::try_from(n).unwrap() + 1);
    }
    assert_eq!(shown.0.len(), ANNOUNCED_CONVERSATIONS);
    assert_eq!((shown.number(&id(0)), shown.number(&id(1))), (None, Some(2)));
}
