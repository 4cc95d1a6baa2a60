//! The pieces of an answer on their way from the model to whoever shows them. A server may send
//! thousands a second, and nobody reads so fast: what comes within a moment goes together.

use kernel::effect::{EffectId, Signal};
use std::convert::Infallible;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::{Instant, sleep_until};

use super::mailbox::RunnerMessage;

/// Less than the time between two frames of a screen.
const MOMENT: Duration = Duration::from_millis(10);

/// See the module.
pub(super) struct AnswerPieces<'a> {
    id: &'a EffectId,
    mailbox: &'a UnboundedSender<RunnerMessage>,
    moment: Duration,
    waiting: Mutex<WaitingPieces>,
    more: Notify,
}

/// What came and was not sent on.
#[derive(Default)]
struct WaitingPieces {
    thinking: String,
    text: String,
    /// When something was sent on last.
    sent: Option<Instant>,
}

impl<'a> AnswerPieces<'a> {
    pub(super) fn new(id: &'a EffectId, mailbox: &'a UnboundedSender<RunnerMessage>) -> Self {
        Self { id, mailbox, moment: MOMENT, waiting: Mutex::default(), more: Notify::new() }
    }

    /// Takes the next. The first after a pause goes on at once.
    pub(super) fn take(&self, signal: Signal) {
        let mut waiting = self.waiting();
        match signal {
            Signal::Text(text) => waiting.text.push_str(&text),
            Signal::Thinking(thinking) => waiting.thinking.push_str(&thinking),
            Signal::Retrying { .. } => {
                // What came before stands before it.
                self.send_on(&mut waiting);
                waiting.sent = None;
                self.send(signal);
                return;
            }
        }
        if waiting.sent.is_none_or(|sent| sent.elapsed() >= self.moment) {
            self.send_on(&mut waiting);
        } else {
            self.more.notify_one();
        }
    }

    /// Sends on what waits, moment by moment. Ends when it is dropped: the whole answer is known
    /// then.
    pub(super) async fn pass_on(&self) -> Infallible {
        loop {
            self.more.notified().await;
            let next = self.waiting().sent.map(|sent| sent + self.moment);
            if let Some(next) = next {
                sleep_until(next).await;
            }
            self.send_on(&mut self.waiting());
        }
    }

    fn send_on(&self, waiting: &mut WaitingPieces) {
        let thinking = Some(std::mem::take(&mut waiting.thinking)).filter(|it| !it.is_empty());
        let text = Some(std::mem::take(&mut waiting.text)).filter(|it| !it.is_empty());
        waiting.sent = Some(Instant::now());
        let both = thinking.map(Signal::Thinking).into_iter().chain(text.map(Signal::Text));
        both.for_each(|signal| self.send(signal));
    }

    fn send(&self, signal: Signal) {
        // A runner that is gone shows nothing.
        _ = self.mailbox.send(RunnerMessage::Signal(self.id.clone(), signal));
    }

    fn waiting(&self) -> MutexGuard<'_, WaitingPieces> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::code::{ErrorCode, Failure};
    use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

    fn all(messages: &mut UnboundedReceiver<RunnerMessage>) -> Vec<Signal> {
        std::iter::from_fn(|| messages.try_recv().ok())
            .filter_map(|message| match message {
                RunnerMessage::Signal(_, signal) => Some(signal),
                _ => None,
            })
            .collect()
    }

    fn text(text: &str) -> Signal {
        Signal::Text(text.into())
    }

    const LONG: Duration = Duration::from_hours(1);

    #[tokio::test]
    async fn what_comes_within_a_moment_goes_together() {
        let (id, (mailbox, mut messages)) = (EffectId::Think(1), unbounded_channel());
        let pieces = AnswerPieces { moment: LONG, ..AnswerPieces::new(&id, &mailbox) };
        pieces.take(text("One"));
        assert_eq!(all(&mut messages), [text("One")], "the first goes on at once");
        for word in [" two", " three"] {
            pieces.take(text(word));
        }
        pieces.take(Signal::Thinking("hm".into()));
        assert_eq!(all(&mut messages), []);
        pieces.send_on(&mut pieces.waiting());
        assert_eq!(all(&mut messages), [Signal::Thinking("hm".into()), text(" two three")]);
    }

    #[tokio::test]
    async fn nothing_is_held_back_for_longer_than_a_moment() {
        let (id, (mailbox, mut messages)) = (EffectId::Think(1), unbounded_channel());
        let pieces = AnswerPieces::new(&id, &mailbox);
        let asking = async {
            let mut shown = String::new();
            for word in ["One", " two", " three"] {
                pieces.take(text(word));
            }
            while shown != "One two three" {
                let message = messages.recv().await.unwrap();
                let RunnerMessage::Signal(_, Signal::Text(text)) = message else { continue };
                shown += &text;
            }
        };
        tokio::select! {
            () = asking => {}
            never = pieces.pass_on() => match never {},
        }
    }

    #[tokio::test]
    async fn what_came_before_another_try_goes_before_it() {
        let (id, (mailbox, mut messages)) = (EffectId::Think(1), unbounded_channel());
        let pieces = AnswerPieces { moment: LONG, ..AnswerPieces::new(&id, &mailbox) };
        pieces.take(text("One"));
        pieces.take(text(" two"));
        let failure = Failure::for_model(ErrorCode::LlmTimeout, "late");
        let again = Signal::Retrying { failure, attempt: 2, in_ms: 0 };
        pieces.take(again.clone());
        pieces.take(text("Uno"));
        assert_eq!(all(&mut messages), [text("One"), text(" two"), again, text("Uno")]);
    }
}
