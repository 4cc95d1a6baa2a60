//! Frames and other words on their way to a window: in batches, at most thirty a second (spec 09
//! "Frames").

use kernel::wire::{Frame, Noticed, WatchTarget};
use std::collections::BTreeMap;
use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tauri::async_runtime::JoinHandle;
use tokio::sync::mpsc::{Receiver, UnboundedReceiver};
use tokio::time::{Interval, MissedTickBehavior, interval};

/// Time between two batches: thirty a second at most.
const FLUSH_EVERY: Duration = Duration::from_millis(34);

/// How many frames are taken off the queue at once. More wait for the same batch.
const TAKE: usize = 1024;

/// Who watches what: one thing of each kind a window.
#[derive(Default)]
pub(crate) struct Watches(Mutex<BTreeMap<(String, WatchKind), Watch>>);

/// The kinds of things a window watches. Who looks at a sub-agent watches the run it works for, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum WatchKind {
    Conversation,
    Subagent,
    Project,
    App,
    Package,
    Log,
}

impl WatchKind {
    /// `None` for nothing.
    pub(crate) fn of(target: &WatchTarget) -> Option<Self> {
        Some(match target {
            WatchTarget::Conversation { conversation_id } if conversation_id.is_task() => {
                Self::Subagent
            }
            WatchTarget::Conversation { .. } => Self::Conversation,
            WatchTarget::Project { .. } => Self::Project,
            WatchTarget::App => Self::App,
            WatchTarget::Package { .. } => Self::Package,
            WatchTarget::Log { .. } => Self::Log,
            WatchTarget::Nothing => return None,
        })
    }
}

#[derive(Default)]
struct Watch {
    newest: u64,
    /// The channel the newest was asked for.
    channel: String,
    task: Option<JoinHandle<()>>,
}

impl Watch {
    /// Ends it, also when it is still being opened.
    fn end(&mut self) {
        self.newest += 1;
        self.channel.clear();
        if let Some(task) = self.task.take() {
            task.abort();
        }
    }
}

impl Watches {
    /// A number for a watch that is about to be asked for. Opening a conversation takes time, and
    /// the window may have moved on to another one when it is done: then the older is dropped.
    pub(crate) fn ticket(&self, window: &str, kind: WatchKind, channel: &str) -> u64 {
        let mut watches = self.lock();
        let watch = watches.entry((window.to_owned(), kind)).or_default();
        watch.newest += 1;
        channel.clone_into(&mut watch.channel);
        watch.newest
    }

    /// Sends what comes from `source` to `send` until either side ends, or the window watches
    /// something newer of the same kind.
    pub(crate) fn begin<S: WatchSource>(
        &self,
        window: &str,
        kind: WatchKind,
        ticket: u64,
        source: S,
        send: impl FnMut(Vec<S::Item>) -> bool + Send + 'static,
    ) {
        let mut watches = self.lock();
        let watch = watches.entry((window.to_owned(), kind)).or_default();
        if watch.newest != ticket {
            return;
        }
        let task = tauri::async_runtime::spawn(async move {
            let mut clock = interval(FLUSH_EVERY);
            clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
            pump(source, clock, send).await;
        });
        if let Some(older) = watch.task.replace(task) {
            older.abort();
        }
    }

    /// Ends what goes to this channel; nothing when the window has moved on.
    pub(crate) fn end(&self, window: &str, channel: &str) {
        let mut watches = self.lock();
        let of_window = watches.iter_mut().filter(|((of, _), _)| of == window);
        of_window.map(|(_, watch)| watch).filter(|w| w.channel == channel).for_each(Watch::end);
    }

    /// Ends everything of a window whose page is gone.
    pub(crate) fn end_all(&self, window: &str) {
        let mut watches = self.lock();
        let of_window = watches.iter_mut().filter(|((of, _), _)| of == window);
        of_window.for_each(|(_, watch)| watch.end());
    }

    /// How many watches send something now.
    #[cfg(test)]
    pub(crate) fn running(&self) -> usize {
        let runs = |watch: &&Watch| watch.task.as_ref().is_some_and(|t| !t.inner().is_finished());
        self.lock().values().filter(runs).count()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<(String, WatchKind), Watch>> {
        // The map is whole at every point where a thread could have died.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where a watch gets its words from.
pub(crate) trait WatchSource: Send + 'static {
    type Item: Send;

    /// At least one, at most `limit`, at the end of `into`; 0 when there will be none.
    fn recv_many(
        &mut self,
        into: &mut Vec<Self::Item>,
        limit: usize,
    ) -> impl Future<Output = usize> + Send;

    /// One that is there already.
    fn try_recv(&mut self) -> Option<Self::Item>;

    /// A batch as it is sent.
    fn batch(items: impl Iterator<Item = Self::Item>) -> Vec<Self::Item> {
        items.collect()
    }
}

impl WatchSource for UnboundedReceiver<Frame> {
    type Item = Frame;

    async fn recv_many(&mut self, into: &mut Vec<Frame>, limit: usize) -> usize {
        Self::recv_many(self, into, limit).await
    }

    fn try_recv(&mut self) -> Option<Frame> {
        Self::try_recv(self).ok()
    }

    fn batch(items: impl Iterator<Item = Frame>) -> Vec<Frame> {
        merged(items)
    }
}

impl WatchSource for Receiver<Noticed> {
    type Item = Noticed;

    async fn recv_many(&mut self, into: &mut Vec<Noticed>, limit: usize) -> usize {
        Self::recv_many(self, into, limit).await
    }

    fn try_recv(&mut self) -> Option<Noticed> {
        Self::try_recv(self).ok()
    }
}

/// When the next batch may go.
trait Pace {
    fn next(&mut self) -> impl Future<Output = ()> + Send;
}

impl Pace for Interval {
    async fn next(&mut self) {
        self.tick().await;
    }
}

/// Moves words from the host to a window. The first one goes at once; what comes while `pace`
/// waits goes together. Ends when there is nobody to send, or nobody to send to.
async fn pump<S: WatchSource>(
    mut source: S,
    mut pace: impl Pace,
    mut send: impl FnMut(Vec<S::Item>) -> bool,
) {
    let mut taken = Vec::new();
    while source.recv_many(&mut taken, TAKE).await > 0 {
        pace.next().await;
        while let Some(word) = source.try_recv() {
            taken.push(word);
        }
        if !send(S::batch(taken.drain(..))) {
            return;
        }
    }
}

/// The same frames, with text of one message that comes in a row put together. Nothing else is
/// merged, moved or dropped.
fn merged(frames: impl IntoIterator<Item = Frame>) -> Vec<Frame> {
    let mut batch: Vec<Frame> = Vec::new();
    for frame in frames {
        match (batch.last_mut(), frame) {
            (
                Some(Frame::Append { id, text, thinking }),
                Frame::Append { id: next, text: more, thinking: more_thinking },
            ) if *id == next => {
                text.push_str(&more);
                thinking.push_str(&more_thinking);
            }
            (_, frame) => batch.push(frame),
        }
    }
    batch
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::ids::MessageId;
    use std::sync::{Arc, Mutex};
    use tokio::sync::{Semaphore, mpsc};

    fn grow(id: &str, text: &str) -> Frame {
        Frame::Append { id: MessageId::new(id).unwrap(), text: text.into(), thinking: "t".into() }
    }

    fn gone(id: &str) -> Frame {
        Frame::Remove { id: MessageId::new(id).unwrap() }
    }

    #[test]
    fn text_of_one_message_in_a_row_is_put_together() {
        let batch = merged([grow("a", "one "), grow("a", "two "), grow("a", "three")]);
        let thinking = "ttt".to_owned();
        let id = MessageId::new("a").unwrap();
        assert_eq!(batch, [Frame::Append { id, text: "one two three".into(), thinking }]);
    }

    #[test]
    fn text_is_not_moved_over_another_frame_or_into_another_message() {
        let frames = [grow("a", "1"), grow("b", "2"), grow("a", "3"), gone("a"), grow("a", "4")];
        assert_eq!(merged(frames.clone()), frames);
    }

    #[test]
    fn every_other_frame_is_kept_in_order_even_when_equal() {
        let frames = [gone("a"), gone("a"), gone("b"), gone("a")];
        assert_eq!(merged(frames.clone()), frames);
    }

    #[test]
    fn a_sub_agent_is_watched_beside_the_run_it_works_for() {
        let kind = |id: &str| {
            let conversation_id = id.parse().unwrap();
            WatchKind::of(&WatchTarget::Conversation { conversation_id }).unwrap()
        };
        assert_eq!(kind("run-1"), WatchKind::Conversation);
        assert_eq!(kind("task-1"), WatchKind::Subagent);
    }

    impl Pace for Arc<Semaphore> {
        async fn next(&mut self) {
            self.acquire().await.unwrap().forget();
        }
    }

    /// A pump whose pace the test gives, and what it has sent.
    struct TestPump {
        host: mpsc::UnboundedSender<Frame>,
        pace: Arc<Semaphore>,
        sent: Arc<Mutex<Vec<Vec<Frame>>>>,
        task: JoinHandle<()>,
    }

    /// Starts a pump to a window that takes `accept` batches before it goes.
    fn a_pump(accept: usize) -> TestPump {
        let (host, frames) = mpsc::unbounded_channel();
        let pace = Arc::new(Semaphore::new(0));
        let sent = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&sent);
        let task = tauri::async_runtime::spawn(pump(frames, Arc::clone(&pace), move |batch| {
            let mut log = log.lock().unwrap();
            log.push(batch);
            log.len() < accept
        }));
        TestPump { host, pace, sent, task }
    }

    #[tokio::test]
    async fn a_flood_of_text_crosses_in_one_batch_between_two_ticks() {
        let TestPump { host, pace, sent, task } = a_pump(usize::MAX);
        for _ in 0..5_000 {
            host.send(grow("a", "x")).unwrap();
        }
        host.send(gone("a")).unwrap();
        pace.add_permits(1);
        drop(host);
        task.await.unwrap();

        let sent = sent.lock().unwrap();
        assert_eq!(sent.len(), 1, "one tick, one batch");
        let Frame::Append { text, .. } = &sent[0][0] else { panic!("{:?}", sent[0][0]) };
        assert_eq!(text.len(), 5_000);
        assert_eq!(sent[0][1], gone("a"));
    }

    #[tokio::test]
    async fn frames_are_sent_at_the_next_tick_and_not_before() {
        let TestPump { host, pace, sent, task } = a_pump(usize::MAX);
        host.send(gone("a")).unwrap();
        assert_eq!(pace.available_permits(), 0);
        assert!(sent.lock().unwrap().is_empty());
        pace.add_permits(1);
        drop(host);
        task.await.unwrap();
        assert_eq!(*sent.lock().unwrap(), [[gone("a")]]);
    }

    #[tokio::test]
    async fn a_window_that_is_gone_ends_the_pump() {
        let TestPump { host, pace, sent, task } = a_pump(1);
        pace.add_permits(2);
        host.send(gone("a")).unwrap();
        task.await.unwrap();
        assert!(host.send(gone("b")).is_err(), "nobody listens any more");
        assert_eq!(sent.lock().unwrap().len(), 1);
    }

    /// Begins a watch and returns the host's end of it.
    fn watch(watches: &Watches, kind: WatchKind, ticket: u64) -> mpsc::UnboundedSender<Frame> {
        let (sender, frames) = mpsc::unbounded_channel();
        watches.begin("main", kind, ticket, frames, |_| true);
        sender
    }

    const CONVERSATION: WatchKind = WatchKind::Conversation;

    #[tokio::test]
    async fn a_newer_watch_of_the_same_window_ends_the_older_one() {
        let watches = Watches::default();
        let first = watch(&watches, CONVERSATION, watches.ticket("main", CONVERSATION, "1"));
        let second = watch(&watches, CONVERSATION, watches.ticket("main", CONVERSATION, "2"));
        first.closed().await;
        assert!(!second.is_closed());
    }

    #[tokio::test]
    async fn a_watch_that_opens_after_the_window_moved_on_is_dropped() {
        let watches = Watches::default();
        let slow = watches.ticket("main", CONVERSATION, "1");
        let newest = watch(&watches, CONVERSATION, watches.ticket("main", CONVERSATION, "2"));
        let late = watch(&watches, CONVERSATION, slow);
        late.closed().await;
        assert!(!newest.is_closed());
    }

    #[tokio::test]
    async fn two_windows_and_two_kinds_are_watched_independently() {
        let watches = Watches::default();
        let main = watch(&watches, CONVERSATION, watches.ticket("main", CONVERSATION, "1"));
        let log = watch(&watches, WatchKind::Log, watches.ticket("main", WatchKind::Log, "2"));
        let (other, frames) = mpsc::unbounded_channel::<Frame>();
        let ticket = watches.ticket("other", CONVERSATION, "1");
        watches.begin("other", CONVERSATION, ticket, frames, |_| true);
        assert!(!main.is_closed() && !log.is_closed() && !other.is_closed());
        watches.end_all("main");
        main.closed().await;
        log.closed().await;
        assert!(!other.is_closed());
    }

    #[tokio::test]
    async fn a_channel_that_is_left_is_ended_and_a_newer_one_is_not() {
        let watches = Watches::default();
        let older = watch(&watches, CONVERSATION, watches.ticket("main", CONVERSATION, "1"));
        watches.end("main", "1");
        older.closed().await;

        let newer = watch(&watches, CONVERSATION, watches.ticket("main", CONVERSATION, "2"));
        watches.end("main", "1");
        assert!(!newer.is_closed(), "the older channel is not its own");

        let opening = watches.ticket("main", CONVERSATION, "3");
        watches.end("main", "3");
        let late = watch(&watches, CONVERSATION, opening);
        late.closed().await;
    }
}
