//! What is added to the messages of every request, and whether it is known to fit.

use std::sync::Arc;

use super::machine::ExecutionEngine;
use crate::bounds::{REQUEST_BYTES, size};
use crate::chat::{ChatMessage, ChatRequest};
use crate::code::{ErrorCode, Failure};
use crate::phrase::{engine as said, store};
use crate::policy::ToolPolicy;
use crate::text::estimate_tokens;
use crate::tool;

/// Tokens kept free for the answer when the model's context is known.
const ANSWER_RESERVE: u64 = 512;

impl ExecutionEngine {
    /// The request of these messages: with what the model is told once, the tools on offer, and not
    /// longer than is known to fit.
    pub(super) fn finished_request(
        &self,
        mut messages: Vec<Arc<ChatMessage>>,
        policy: &ToolPolicy,
    ) -> Result<ChatRequest, Failure> {
        if self.record.history.is_too_long() {
            let message = said::conversation_too_long(size(REQUEST_BYTES as u64));
            let failure = Failure::new(ErrorCode::ContextStillTooLarge, message);
            return Err(failure.with_action(store::start_a_new_run()));
        }
        if let Some(decision) = &self.core.directive {
            let told = self.env.composer.continue_directive(decision, self.core.rejections)?;
            messages.push(Arc::new(ChatMessage::user(told)));
        }
        let request = ChatRequest { messages, tools: tool::specs(policy) };
        fits(&request, tool::tokens(policy), self.env.limits.context_tokens)?;
        Ok(request)
    }
}

/// Refuses what is known not to fit; compression is not built (spec 04 "Not built yet").
fn fits(
    request: &ChatRequest,
    tool_tokens: u64,
    context_tokens: Option<u32>,
) -> Result<(), Failure> {
    let Some(budget) = context_tokens.map(u64::from) else { return Ok(()) };
    let texts = || {
        let messages = request.messages.iter();
        messages.flat_map(|m| {
            std::iter::once(&m.content).chain(m.tool_calls.iter().map(|c| &c.arguments))
        })
    };
    // A text never has more tokens than bytes, and those need no counting.
    let bytes: u64 = texts().map(|text| text.len() as u64).sum();
    if bytes + tool_tokens + ANSWER_RESERVE <= budget {
        return Ok(());
    }
    let used = texts().map(|text| estimate_tokens(text)).sum::<u64>() + tool_tokens;
    if used + ANSWER_RESERVE <= budget {
        return Ok(());
    }
    Err(Failure::new(ErrorCode::ContextStillTooLarge, said::context_too_small(used, budget)))
}
