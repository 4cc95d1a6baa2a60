//! Frames on their way to a window: in batches, at most thirty a second (spec 09).

use kernel::wire::Frame;
use std::collections::BTreeMap;
use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tauri::async_runtime::JoinHandle;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{Interval, MissedTickBehavior, interval};

/// Time between two batches: thirty a second at most.
const FLUSH_EVERY: Duration = Duration::from_millis(34);

/// How many frames are taken off the queue at once. More wait for the same batch.
const TAKE: usize = 1024;

/// Who watches what: one conversation a window.
#[derive(Default)]
pub(crate) struct Watches(Mutex<BTreeMap<String, Watch>>);

#[derive(Default)]
struct Watch {
    newest: u64,
    task: Option<JoinHandle<()>>,
}

impl Watches {
    /// A number for a watch that is about to be asked for. Opening a conversation takes time, and
    /// the window may have moved on to another one when it is done: then the older is dropped.
    pub(crate) fn ticket(&self, window: &str) -> u64 {
        let mut watches = self.lock();
        let watch = watches.entry(window.to_owned()).or_default();
        watch.newest += 1;
        watch.newest
    }

    /// Sends `frames` to `send` until either side ends or the window watches something newer.
    pub(crate) fn begin(
        &self,
        window: &str,
        ticket: u64,
        frames: UnboundedReceiver<Frame>,
        send: impl FnMut(Vec<Frame>) -> bool + Send + 'static,
    ) {
        let mut watches = self.lock();
        let watch = watches.entry(window.to_owned()).or_default();
        if watch.newest != ticket {
            return;
        }
        let task = tauri::async_runtime::spawn(async move {
            let mut clock = interval(FLUSH_EVERY);
            clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
            pump(frames, clock, send).await;
        });
        if let Some(older) = watch.task.replace(task) {
            older.abort();
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Watch>> {
        // The map is whole at every point where a thread could have died.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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

/// Moves frames from the host to a window. The first one goes at once; what comes while `pace`
/// waits goes together. Ends when there is nobody to send, or nobody to send to.
async fn pump(
    mut frames: UnboundedReceiver<Frame>,
    mut pace: impl Pace,
    mut send: impl FnMut(Vec<Frame>) -> bool,
) {
    let mut taken = Vec::new();
    while frames.recv_many(&mut taken, TAKE).await > 0 {
        pace.next().await;
        while let Ok(frame) = frames.try_recv() {
            taken.push(frame);
        }
        if !send(merged(taken.drain(..))) {
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
                Some(Frame::Grow { id, text, thinking }),
                Frame::Grow { id: next, text: more, thinking: more_thinking },
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
        Frame::Grow { id: MessageId::new(id).unwrap(), text: text.into(), thinking: "t".into() }
    }

    fn gone(id: &str) -> Frame {
        Frame::Gone { id: MessageId::new(id).unwrap() }
    }

    #[test]
    fn text_of_one_message_in_a_row_is_put_together() {
        let batch = merged([grow("a", "one "), grow("a", "two "), grow("a", "three")]);
        let thinking = "ttt".to_owned();
        let id = MessageId::new("a").unwrap();
        assert_eq!(batch, [Frame::Grow { id, text: "one two three".into(), thinking }]);
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
        let Frame::Grow { text, .. } = &sent[0][0] else { panic!("{:?}", sent[0][0]) };
        assert_eq!(text.len(), 5_000);
        assert_eq!(sent[0][1], gone("a"));
    }

    #[tokio::test]
    async fn nothing_is_sent_before_its_tick() {
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
    fn watch(watches: &Watches, ticket: u64) -> mpsc::UnboundedSender<Frame> {
        let (sender, frames) = mpsc::unbounded_channel();
        watches.begin("main", ticket, frames, |_| true);
        sender
    }

    #[tokio::test]
    async fn a_newer_watch_of_the_same_window_ends_the_older_one() {
        let watches = Watches::default();
        let first = watch(&watches, watches.ticket("main"));
        let second = watch(&watches, watches.ticket("main"));
        first.closed().await;
        assert!(!second.is_closed());
    }

    #[tokio::test]
    async fn a_watch_that_opens_after_the_window_moved_on_is_dropped() {
        let watches = Watches::default();
        let slow = watches.ticket("main");
        let newest = watch(&watches, watches.ticket("main"));
        let late = watch(&watches, slow);
        late.closed().await;
        assert!(!newest.is_closed());
    }

    #[tokio::test]
    async fn two_windows_watch_independently() {
        let watches = Watches::default();
        let main = watch(&watches, watches.ticket("main"));
        let (other, frames) = mpsc::unbounded_channel();
        watches.begin("other", watches.ticket("other"), frames, |_| true);
        assert!(!main.is_closed() && !other.is_closed());
    }
}
