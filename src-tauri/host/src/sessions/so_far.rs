//! What was shown of the reply that is being written, and which try is waited for.

use kernel::effect::Signal;
use kernel::ids::MessageId;
use kernel::wire::{Frame, RetryView};

/// Passing things of one reply: nothing of them is kept when it is whole.
#[derive(Debug, Default)]
pub(super) struct ReplySoFar {
    text: String,
    /// The next try, while it is waited for.
    pub(super) retry: Option<RetryView>,
}

impl ReplySoFar {
    /// The words so far, when there are any.
    pub(super) fn words(&self) -> Option<String> {
        Some(self.text.clone()).filter(|text| !text.is_empty())
    }

    /// What shows a signal of this reply.
    pub(super) fn take(&mut self, id: MessageId, signal: Signal) -> Frame {
        match signal {
            Signal::Text(text) => {
                self.text.push_str(&text);
                self.retry = None;
                Frame::Append { id, text, thinking: String::new() }
            }
            Signal::Thinking(thinking) => Frame::Append { id, text: String::new(), thinking },
            Signal::Retrying { failure, attempt, in_ms } => {
                self.retry = Some(RetryView { failure, attempt, in_ms });
                // Half an answer is none: the next one stands in its place, its reasoning too.
                self.text.clear();
                Frame::Remove { id }
            }
        }
    }
}
