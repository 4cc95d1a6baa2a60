//! What goes on between two lines of the journal: text as it is written, thinking, waiting, tries
//! again. Only for people who look at a terminal.

use host::host::Host;
use kernel::event::Phase;
use kernel::ids::{ConversationId, MessageId};
use kernel::wire::{CallState, Frame, Item, ItemBody, RetryView, Status};
use kernel::words::{Lang, words};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::MissedTickBehavior;

use crate::output::Output;

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
pub(crate) struct Live {
    frames: UnboundedReceiver<Frame>,
    doing: Doing,
    since: Instant,
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

impl Live {
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
        Some(Self { frames, doing: Doing::Resting, since: Instant::now(), calls, tick })
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
        out.pass(&self.words(out.lang));
    }

    /// Shows what came before the journal's next line: the text of a reply is all there.
    pub(crate) fn catch_up(&mut self, out: &Output) {
        while let Ok(frame) = self.frames.try_recv() {
            self.take(frame, out);
        }
    }

    fn take(&mut self, frame: Frame, out: &Output) {
        match frame {
            Frame::Whole { items, status, .. } => {
                for item in items {
                    self.item(item);
                }
                self.status(*status, out);
            }
            Frame::Put { item } => self.item(*item),
            Frame::Status { status } => self.status(*status, out),
            Frame::Grow { text, thinking, .. } => {
                if !thinking.is_empty() && !matches!(self.doing, Doing::Thinking) {
                    self.does(Doing::Thinking);
                }
                if !text.is_empty() {
                    self.does(Doing::Asked);
                    out.grow(&text);
                }
            }
            Frame::Gone { .. } => {}
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

    fn words(&self, lang: Lang) -> String {
        let zh = lang == Lang::Zh;
        let said = match &self.doing {
            Doing::Resting => return String::new(),
            Doing::Retrying(retry, since) => return again(retry, *since, lang),
            _ if !self.calls.is_empty() => {
                let call = self.calls.values().next().cloned().unwrap_or_default();
                if zh { format!("正在运行 {call}…") } else { format!("running {call}…") }
            }
            Doing::Thinking if zh => "正在思考…".to_owned(),
            Doing::Thinking => "thinking…".to_owned(),
            Doing::Asked if zh => "等待模型…".to_owned(),
            Doing::Asked => "waiting for the model…".to_owned(),
        };
        match self.since.elapsed().as_secs() {
            short if short < COUNTED => said,
            seconds if zh => format!("{said} {seconds} 秒"),
            seconds => format!("{said} {seconds} s"),
        }
    }
}

fn again(retry: &RetryView, since: Instant, lang: Lang) -> String {
    let left = Duration::from_millis(retry.in_ms).saturating_sub(since.elapsed());
    let (title, seconds) = (words(retry.failure.code, lang).title, left.as_secs_f64().ceil());
    let title = title.trim_end_matches(['.', '。']);
    match lang {
        Lang::En => format!("{title}: retrying in {seconds} s"),
        Lang::Zh => format!("{title}：{seconds} 秒后重试"),
    }
}
