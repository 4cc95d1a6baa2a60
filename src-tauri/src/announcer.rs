//! Announcements by the desktop's own notifications, as `org.freedesktop.Notifications` describes
//! them. Nobody waits for them here: a thread talks to the desktop, another hears of the clicks.

use host::host::Announcement;
use kernel::bounds::{ANNOUNCED_CONVERSATIONS, ANNOUNCEMENTS_WAITING};
use kernel::ids::ConversationId;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::io::ErrorKind::TimedOut;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use zbus::MatchRule;
use zbus::blocking::connection::Builder;
use zbus::blocking::{Connection, MessageIterator, Proxy};
use zbus::message::{Message, Type};
use zbus::zvariant::Value;

/// The service of the desktop, and its interface.
const SERVICE: &str = "org.freedesktop.Notifications";
const PLACE: &str = "/org/freedesktop/Notifications";
/// Who speaks, for people.
const PROGRAM: &str = "CrewAgent Runtime";
/// The name of the installed desktop file, without its ending, and of the icon.
const DESKTOP_FILE: &str = "CrewAgentRuntime";
const ICON: &str = "crewagent-desktop";
/// What a click on the announcement itself is called.
const CLICK: &str = "default";
/// How long the desktop has for an answer.
const ANSWERS_WITHIN: Duration = Duration::from_secs(5);
/// As long as the desktop thinks right.
const ITS_OWN_TIME: i32 = -1;

/// What is called with the conversation when somebody clicks on an announcement of it.
type OnClick = Arc<dyn Fn(ConversationId) + Send + Sync>;

/// Takes announcements to the desktop.
pub(crate) struct Announcer {
    queue: SyncSender<Announcement>,
}

impl Announcer {
    /// Speaks to the desktop of this session, when there is something to announce.
    pub(crate) fn new(on_click: impl Fn(ConversationId) + Send + Sync + 'static) -> Self {
        Self::at(Builder::session, on_click)
    }

    fn at(
        bus: impl Fn() -> zbus::Result<Builder<'static>> + Send + 'static,
        on_click: impl Fn(ConversationId) + Send + Sync + 'static,
    ) -> Self {
        let (queue, waiting) = sync_channel(ANNOUNCEMENTS_WAITING);
        let on_click: OnClick = Arc::new(on_click);
        std::thread::spawn(move || announce_all(&waiting, &bus, &on_click));
        Self { queue }
    }

    /// Hands it over without waiting for the desktop.
    pub(crate) fn announce(&self, announcement: Announcement) -> io::Result<()> {
        self.queue.try_send(announcement).map_err(|_| io::ErrorKind::WouldBlock.into())
    }
}

/// Which number the desktop gave the announcement of which conversation, the oldest first.
#[derive(Default)]
struct Shown(VecDeque<(ConversationId, u32)>);

impl Shown {
    fn keep(&mut self, conversation: ConversationId, number: u32) {
        self.0.retain(|(of, _)| *of != conversation);
        self.0.push_back((conversation, number));
        if self.0.len() > ANNOUNCED_CONVERSATIONS {
            self.0.pop_front();
        }
    }

    fn number(&self, conversation: &ConversationId) -> Option<u32> {
        self.0.iter().find(|(of, _)| of == conversation).map(|(_, number)| *number)
    }

    fn conversation(&self, number: u32) -> Option<&ConversationId> {
        self.0.iter().find(|(_, shown)| *shown == number).map(|(of, _)| of)
    }

    fn forget(&mut self, number: u32) {
        self.0.retain(|(_, shown)| *shown != number);
    }
}

fn locked(shown: &Mutex<Shown>) -> MutexGuard<'_, Shown> {
    shown.lock().unwrap_or_else(PoisonError::into_inner)
}

fn announce_all(
    waiting: &Receiver<Announcement>,
    bus: &impl Fn() -> zbus::Result<Builder<'static>>,
    on_click: &OnClick,
) {
    let shown: Arc<Mutex<Shown>> = Arc::default();
    let mut connection = None;
    for announcement in waiting {
        let announced = match connection.take() {
            Some(open) => Ok(open),
            None => connect(bus, &shown, on_click),
        };
        let announced = announced.and_then(|open| {
            // Held meanwhile: a click may come before its number is known.
            let outcome = announce(&open, &mut locked(&shown), announcement);
            // One that answers, whatever it says, is there.
            match outcome {
                Ok(()) => Ok(open),
                Err(zbus::Error::MethodError(..) | zbus::Error::FDO(_)) => {
                    tracing::debug!("the desktop shows no announcements");
                    Ok(open)
                }
                Err(zbus::Error::InputOutput(error)) if error.kind() == TimedOut => {
                    tracing::debug!("the desktop did not answer in time");
                    Ok(open)
                }
                Err(error) => {
                    // Whoever hears of its clicks would hold it otherwise.
                    _ = open.close();
                    Err(error)
                }
            }
        });
        match announced {
            Ok(open) => connection = Some(open),
            Err(error) => tracing::debug!("the desktop is not reached: {error}"),
        }
    }
}

/// A connection whose clicks are heard.
fn connect(
    bus: &impl Fn() -> zbus::Result<Builder<'static>>,
    shown: &Arc<Mutex<Shown>>,
    on_click: &OnClick,
) -> zbus::Result<Connection> {
    let connection = bus()?.method_timeout(ANSWERS_WITHIN).build()?;
    let rule = MatchRule::builder()
        .msg_type(Type::Signal)
        .sender(SERVICE)?
        .interface(SERVICE)?
        .path(PLACE)?
        .build();
    let signals = MessageIterator::for_match_rule(rule, &connection, None)?;
    let (shown, on_click) = (Arc::clone(shown), Arc::clone(on_click));
    std::thread::spawn(move || {
        // A new connection gets numbers of its own; those of a desktop that is gone mean nothing.
        for message in signals.map_while(Result::ok) {
            if let Some(conversation) = clicked(&message, &mut locked(&shown)) {
                on_click(conversation);
            }
        }
    });
    Ok(connection)
}

fn announce(
    connection: &Connection,
    shown: &mut Shown,
    announcement: Announcement,
) -> zbus::Result<()> {
    let Announcement { conversation_id, title, text, .. } = announcement;
    let desktop = Proxy::new(connection, SERVICE, PLACE, SERVICE)?;
    let capabilities: Vec<String> = desktop.call("GetCapabilities", &())?;
    let text = if capabilities.iter().any(|name| name == "body-markup") {
        without_markup(&text)
    } else {
        text
    };
    let replaced = shown.number(&conversation_id).unwrap_or_default();
    let hints = BTreeMap::from([("desktop-entry", Value::from(DESKTOP_FILE))]);
    let actions = [CLICK, ""];
    let said = (PROGRAM, replaced, ICON, title, text, actions.as_slice(), hints, ITS_OWN_TIME);
    shown.keep(conversation_id, desktop.call("Notify", &said)?);
    Ok(())
}

/// The text as markup that says the same. Desktops know few entities.
fn without_markup(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The conversation of an announcement that was clicked. One that is closed is forgotten.
fn clicked(message: &Message, shown: &mut Shown) -> Option<ConversationId> {
    let header = message.header();
    let member = header.member()?.as_str();
    if member == "ActionInvoked" {
        let (number, action): (u32, String) = message.body().deserialize().ok()?;
        return shown.conversation(number).filter(|_| action == CLICK).cloned();
    }
    if member == "NotificationClosed" {
        let (number, _why): (u32, u32) = message.body().deserialize().ok()?;
        shown.forget(number);
    }
    None
}

#[cfg(test)]
mod tests;
