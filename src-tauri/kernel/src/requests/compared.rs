//! A request beside the one before it.

use std::collections::BTreeSet;
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
    let known = |of: &[SourcedMessage]| of.iter().map(|it| Arc::clone(&it.message)).collect();
    let (here, there): (BTreeSet<Arc<ChatMessage>>, BTreeSet<_>) = (known(now), known(before));
    let all = now.iter().map(|it| shown(it, !there.contains(&it.message), tokenizer));
    let gone = before.iter().filter(|it| !here.contains(&it.message));
    (all.collect(), gone.map(|it| shown(it, false, tokenizer)).collect())
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
