//! The request to a model, and whether it is known to fit.

use super::machine::ExecutionEngine;
use crate::bounds::{REQUEST_BYTES, size};
use crate::chat::ChatRequest;
use crate::code::{ErrorCode, Failure};
use crate::package::Agent;
use crate::phrase::{engine as said, store};
use crate::policy::ToolPolicy;
use crate::prompt::{ComposeInput, Subject};
use crate::text::estimate_tokens;
use crate::tool;

/// Tokens kept free for the answer when the model's context is known.
const ANSWER_RESERVE: u64 = 512;

impl ExecutionEngine {
    /// A request about this, with the tools on offer, and not longer than is known to fit.
    pub(super) fn request(
        &self,
        subject: Subject<'_>,
        policy: &ToolPolicy,
        agent: &Agent,
    ) -> Result<ChatRequest, Failure> {
        let record = &self.record;
        if record.history.is_too_long() {
            let message = said::conversation_too_long(size(REQUEST_BYTES as u64));
            let failure = Failure::new(ErrorCode::ContextStillTooLarge, message);
            return Err(failure.with_action(store::start_a_new_run()));
        }
        let directive = self.core.directive.as_deref();
        let messages = self.env.composer.compose(&ComposeInput {
            subject,
            policy,
            persona: Some(agent),
            history: record.history.entries(),
            anchor_at: record.anchor_at,
            turn_start: record.turn_start,
            data: &[],
            not_accepted: directive.map(|decision| (decision, self.core.rejections)),
        })?;
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
