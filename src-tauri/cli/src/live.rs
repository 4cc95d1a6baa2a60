//! What goes on between two lines of the journal: text as it is written, thinking, waiting, tries
//! again. Only for people who look at a terminal.

use host::host::Host;
use kernel::event::Phase;
use kernel::ids::{ConversationId, MessageId};
use kernel::phrase::{Phrase, printed};
use kernel::wire::{CallState, Frame, Item, ItemBody, RetryView, Status};
use kernel::words::words;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::MissedTickBehavior;

use crate::output::Output;
use crate::server_words;
use crate::subagent_words;

/// How often the seconds are counted.
const TICK: Duration = Duration::from_secs(1);

/// A wait shorter than this is not counted, seconds.
const COUNTED: u64 = 2;

/// What is going on.
enum Doing {
    /// Nothing: it is the person's move.
    Resting,
    /// The model was asked.
    Asked,
    /// The model thinks.
    Thinking,
    /// The model will be asked again.
    Retrying(RetryView, Instant),
}

/// See the module.
pub(crate) struct LiveView {
    frames: UnboundedReceiver<Frame>,
    doing: Doing,
    since: Instant,
    /// What a sub-agent at work does, as it is shown.
    subagent: Option<String>,
    /// How far the server is that is called, as it is shown.
    server: Option<String>,
    /// Calls at work, as they are shown.
    calls: BTreeMap<MessageId, String>,
    tick: tokio::time::Interval,
}

/// What woke it.
pub(crate) enum Woken {
    /// This was shown.
    Frame(Box<Frame>),
    /// A second has passed.
    Tick,
}

impl LiveView {
    /// `None` when nobody looks, or the conversation cannot be watched.
    pub(crate) async fn begin(
        host: &Arc<Host>,
        conversation: &ConversationId,
        out: &Output,
    ) -> Option<Self> {
        if !out.is_watched() {
            return None;
        }
        let frames = host.watch(conversation).await.ok()?;
        let mut tick = tokio::time::interval(TICK);
        // Nobody counts while a person thinks about an answer.
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let calls = BTreeMap::new();
        let (doing, since) = (Doing::Resting, Instant::now());
        Some(Self { frames, doing, since, subagent: None, server: None, calls, tick })
    }

    /// The next thing to show.
    pub(crate) async fn woken(&mut self) -> Woken {
        tokio::select! {
            frame = self.frames.recv() => match frame {
                Some(frame) => Woken::Frame(Box::new(frame)),
                None => std::future::pending().await,
            },
            _ = self.tick.tick() => Woken::Tick,
        }
    }

    /// Shows it.
    pub(crate) fn show(&mut self, woken: Woken, out: &Output) {
        if let Woken::Frame(frame) = woken {
            self.take(*frame, out);
        }
        out.pass(&self.words(out));
    }

    /// Shows what came before the journal's next line: the text of a reply is all there.
    pub(crate) fn catch_up(&mut self, out: &Output) {
        while let Ok(frame) = self.frames.try_recv() {
            self.take(frame, out);
        }
    }

    fn take(&mut self, frame: Frame, out: &Output) {
        match frame {
            Frame::Snapshot { items, status, .. } => {
                for item in items {
                    self.item(item);
                }
                self.status(*status, out);
            }
            Frame::Upsert { item } => self.item(*item),
            Frame::Status { status } => self.status(*status, out),
            Frame::Append { text, thinking, .. } => {
                if !thinking.is_empty() && !matches!(self.doing, Doing::Thinking) {
                    self.does(Doing::Thinking);
                }
                if !text.is_empty() {
                    self.does(Doing::Asked);
                    out.grow(&text);
                }
            }
            Frame::Remove { .. } => {}
        }
    }

    fn item(&mut self, Item { id, body, .. }: Item) {
        let ItemBody::Call { tool, path, state, .. } = body else { return };
        if state == CallState::Running {
            let path = path.map(|path| format!(" {path}")).unwrap_or_default();
            self.calls.insert(id, format!("{tool}{path}"));
        } else {
            self.calls.remove(&id);
        }
        self.since = Instant::now();
    }

    fn status(&mut self, status: Status, out: &Output) {
        self.subagent = subagent_words::at_work(&status.subagents, out);
        self.server = status.server.as_ref().map(server_words::going_on);
        let works = status.run.is_some_and(|run| run.phase == Phase::Running);
        match (status.retry, &self.doing) {
            (Some(retry), Doing::Retrying(known, _)) if retry == *known => {}
            (Some(retry), _) => {
                out.drop_reply();
                self.does(Doing::Retrying(retry, Instant::now()));
            }
            (None, Doing::Asked | Doing::Thinking) if works => {}
            (None, _) => self.does(if works { Doing::Asked } else { Doing::Resting }),
        }
    }

    fn does(&mut self, doing: Doing) {
        self.doing = doing;
        self.since = Instant::now();
    }

    fn words(&self, out: &Output) -> String {
        let doing = match &self.doing {
            Doing::Resting => return String::new(),
            Doing::Retrying(retry, since) if is_ahead(retry, *since) => {
                return out.say(again(retry, *since, out));
            }
            _ if !self.calls.is_empty() => {
                let call = self.subagent.as_ref().or_else(|| self.calls.values().next());
                let said = self.server.clone().unwrap_or_default();
                printed::running_call(format!("{}{said}", call.cloned().unwrap_or_default()))
            }
            Doing::Thinking => printed::thinking(),
            Doing::Asked | Doing::Retrying(..) => printed::model_is_asked(),
        };
        match self.since.elapsed().as_secs() {
            short if short < COUNTED => out.say(doing),
            seconds => out.say(printed::for_seconds(doing, seconds)),
        }
    }
}

/// Whether the next try is still to come.
fn is_ahead(retry: &RetryView, since: Instant) -> bool {
    since.elapsed() < Duration::from_millis(retry.in_ms)
}

fn again(retry: &RetryView, since: Instant, out: &Output) -> Phrase {
    let left = Duration::from_millis(retry.in_ms).saturating_sub(since.elapsed());
    let title = words(retry.failure.code, out.lang).title.trim_end_matches(['.', '。']);
    printed::retrying_in(title, left.as_secs_f64().ceil())
}
