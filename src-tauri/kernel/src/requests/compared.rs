//! A request beside the one before it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{RequestMessage, RequestTool};
use crate::chat::{ChatMessage, ToolSpec};
use crate::context::SourcedMessage;
use crate::tokens::Tokenizer;

/// The messages of a request as they are shown, and those of the request before that are gone.
pub fn compared(
    now: &[SourcedMessage],
    before: &[SourcedMessage],
    tokenizer: Tokenizer,
) -> (Vec<RequestMessage>, Vec<RequestMessage>) {
    let (mut here, mut there) = (Occurrences::of(now), Occurrences::of(before));
    let all = now.iter().map(|it| shown(it, !there.takes(it), tokenizer)).collect();
    let gone = before.iter().filter(|it| !here.takes(it));
    (all, gone.map(|it| shown(it, false, tokenizer)).collect())
}

/// How often each message stands in a request: a person may say the same again.
struct Occurrences(BTreeMap<Arc<ChatMessage>, usize>);

impl Occurrences {
    fn of(messages: &[SourcedMessage]) -> Self {
        let mut counts = BTreeMap::new();
        for it in messages {
            *counts.entry(Arc::clone(&it.message)).or_default() += 1;
        }
        Self(counts)
    }

    /// Takes one out that is equal; false when there is none left.
    fn takes(&mut self, it: &SourcedMessage) -> bool {
        match self.0.get_mut(&it.message) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        }
    }
}

/// The tools on offer as they are shown, and the names of those that are on offer no more.
pub fn compared_tools(
    now: &[Arc<ToolSpec>],
    before: &[Arc<ToolSpec>],
    tokenizer: Tokenizer,
) -> (Vec<RequestTool>, Vec<String>) {
    let shown = now.iter().map(|tool| {
        let (text, schema) = (&tool.description, tool.parameters.to_string());
        let tokens = [&tool.name, text, &schema].into_iter().map(|it| tokenizer.count(it)).sum();
        RequestTool { tokens, is_new: !before.contains(tool), tool: Arc::clone(tool) }
    });
    let gone = before.iter().filter(|old| !now.iter().any(|new| new.name == old.name));
    (shown.collect(), gone.map(|tool| tool.name.clone()).collect())
}

fn shown(it: &SourcedMessage, is_new: bool, tokenizer: Tokenizer) -> RequestMessage {
    let message = Arc::clone(&it.message);
    RequestMessage { source: it.source, tokens: message.tokens(tokenizer), is_new, message }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::MessageSource;

    #[test]
    fn the_same_words_said_again_are_new() {
        let says = |text: &str| SourcedMessage {
            source: MessageSource::UserInput,
            at: Some(0),
            message: Arc::new(ChatMessage::user(text)),
        };
        let before = ["yes", "no", "yes"].map(says);
        let now = ["yes", "no", "yes", "yes"].map(says);
        let (all, gone) = compared(&now, &before, Tokenizer::Estimate);
        assert_eq!(all.iter().map(|it| it.is_new).collect::<Vec<_>>(), [false, false, false, true]);
        assert!(gone.is_empty());
        let (all, gone) = compared(&before[..1], &before, Tokenizer::Estimate);
        assert!(!all[0].is_new);
        assert_eq!(
            gone.iter().map(|it| it.message.content.as_str()).collect::<Vec<_>>(),
            ["no", "yes"]
        );
    }
}
