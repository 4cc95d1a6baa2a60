//! The request to a model, whether it fits, and what is done when it does not (spec 04
//! "Compression").

use super::core::Activity;
use super::draft::LineDraft;
use super::input::Refusal;
use super::machine::ExecutionEngine;
use crate::bounds::{REQUEST_BYTES, STEPS_TOO_LONG, size};
use crate::chat::ChatRequest;
use crate::code::{ErrorCode, Failure};
use crate::context::{
    Budget, Compacted, Compaction, CompactionJob, CompactionStatus, ContextSize, ContextUsage,
    LeftOut, SourcedMessage, StepTooLong, SummaryBy,
};
use crate::event::{
    CompactionDue, CompactionReason, ContextCompacted, Event, Phase, RefusedRequest,
};
use crate::phrase::{engine as said, store};
use crate::policy::ToolPolicy;
use crate::prompt::ComposeInput;
use crate::settings::ToolOffer;

/// Tokens kept free for the answer when the model's context is known.
const ANSWER_RESERVE: u64 = 512;

/// Longest answer of a model that is led step by step: a small one may repeat itself without end.
const ANSWER_TOKENS: u32 = 4096;
/// What it may have in any case.
const SHORT_ANSWER_TOKENS: u32 = 256;

impl ExecutionEngine {
    /// The request that is due, with the tools on offer, and not longer than is known to fit.
    pub(super) fn request(&self, policy: &ToolPolicy) -> Result<ChatRequest, Failure> {
        if self.record.history.is_too_long() {
            let message = said::conversation_too_long(size(REQUEST_BYTES as u64));
            let failure = Failure::new(ErrorCode::ContextStillTooLarge, message);
            return Err(failure.with_action(store::start_a_new_run()));
        }
        let composer = &self.env.composer;
        let composed = self.with_input(policy, |input| composer.compose(input))?;
        let offered = self.offered(policy);
        if let Some(tokens) = self.context_tokens() {
            let fixed = composed.layer_tokens + offered.tokens;
            let used = fixed + self.seen_tokens();
            if used + ANSWER_RESERVE > tokens {
                let message = said::no_room_to_answer(used, ANSWER_RESERVE, tokens);
                return Err(Failure::new(ErrorCode::ContextStillTooLarge, message));
            }
        }
        Ok(ChatRequest {
            messages: composed.messages,
            tools: offered.specs,
            must_call: offered.must_call,
            max_tokens: self.answer_tokens(),
        })
    }

    /// The messages of the request that is due, each with what it is.
    ///
    /// # Errors
    /// What keeps it from being built.
    pub fn sourced_messages(&self) -> Result<Vec<SourcedMessage>, Failure> {
        let policy = self.known_policy()?;
        self.with_input(&policy, |input| self.env.composer.compose_sourced(input))
    }

    /// The messages of the conversation that are not in it.
    pub fn left_out(&self) -> LeftOut {
        self.record.history.seen().left_out(self.seen_since())
    }

    /// How many tokens the next request has.
    ///
    /// # Errors
    /// What keeps it from being built.
    pub fn request_tokens(&self) -> Result<u64, Failure> {
        let policy = self.known_policy()?;
        Ok(self.fixed_tokens(&policy)? + self.seen_tokens())
    }

    /// How much of what the model reads the next request takes; `None` when it cannot be built.
    pub fn context_usage(&self) -> Option<ContextUsage> {
        let fixed = self.known_policy().and_then(|policy| self.fixed_tokens(&policy)).ok()?;
        let used = fixed + self.seen_tokens();
        let thinks = self.core.phase == Phase::Running
            && self.core.activity == Activity::Thinking
            && self.is_to_be_compacted();
        let compressing = thinks || self.core.compaction_due.is_some();
        let usage = ContextUsage::of(used, self.tokenizer(), self.context_tokens(), compressing);
        Some(ContextUsage { too_long: self.steps_too_long(fixed), ..usage })
    }

    /// The steps ahead whose file is longer than what is left beside the `fixed` tokens that every
    /// request has.
    fn steps_too_long(&self, fixed: u64) -> Vec<StepTooLong> {
        let known = self.context_tokens().zip(self.workflow()).zip(self.core.doc.as_ref());
        let Some(((tokens, workflow), doc)) = known else { return Vec::new() };
        let room = tokens.saturating_sub(fixed + ANSWER_RESERVE);
        let ahead =
            workflow.graph.nodes.iter().filter(|node| !doc.steps_completed().contains(&node.id));
        let long = ahead.filter_map(|node| {
            let tokens = workflow.notes.get(&node.id)?.tokens_above(room, self.tokenizer())?;
            Some(StepTooLong { node_id: node.id.clone(), tokens, room })
        });
        long.take(STEPS_TOO_LONG).collect()
    }

    /// How many tokens a request may have: what the model reads, or the less that its server was
    /// seen to take. `None` where nobody knows.
    pub fn context_tokens(&self) -> Option<u64> {
        // A request on its way stays what it was when the settings change meanwhile.
        let limits = self.core.settings.as_ref().unwrap_or(&self.env.limits);
        let set = limits.context_tokens.map(u64::from);
        set.into_iter().chain(self.core.taken_at_most).min()
    }

    /// How long an answer may be, in tokens: a quarter of what the model reads.
    fn answer_tokens(&self) -> Option<u32> {
        if self.offer() == ToolOffer::All {
            return None;
        }
        let quarter = self.context_tokens().and_then(|tokens| u32::try_from(tokens / 4).ok());
        Some(quarter.unwrap_or(ANSWER_TOKENS).clamp(SHORT_ANSWER_TOKENS, ANSWER_TOKENS))
    }

    /// Whether the conversation has to be made shorter before the next request. Once is enough for
    /// one request.
    pub(super) fn is_to_be_compacted(&self) -> bool {
        let Some(tokens) = self.context_tokens() else { return false };
        if self.core.compacted_for > self.core.requests || self.record.history.next() == 0 {
            return false;
        }
        let fixed = self.policy().and_then(|policy| self.fixed_tokens(&policy).ok());
        // What keeps a request from being built is told when it is built.
        fixed.is_some_and(|fixed| fixed + self.seen_tokens() > Budget { tokens, fixed }.trigger())
    }

    /// What has to be done to make it shorter.
    pub(super) fn compaction(&self) -> Result<CompactionJob, Failure> {
        let policy = self.known_policy()?;
        let fixed = self.fixed_tokens(&policy)?;
        let used = fixed + self.seen_tokens();
        let due = self.core.compaction_due.as_ref();
        let summary = if due.is_some_and(|due| due.why == CompactionReason::Asked) {
            SummaryBy::Model
        } else if self.core.summary_pause > 0 {
            SummaryBy::Runtime
        } else {
            SummaryBy::ModelIfWorth
        };
        // Where nobody knows how much the model reads, the conversation is made half as long.
        let tokens = self.context_tokens().unwrap_or(used);
        Ok(CompactionJob {
            seen: self.seen(),
            until: self.record.history.next(),
            turn_start: self.record.turn_start,
            budget: Budget { tokens, fixed },
            tokenizer: self.tokenizer(),
            hard: due.is_some_and(|due| due.hard),
            summary,
        })
    }

    fn with_input<T>(
        &self,
        policy: &ToolPolicy,
        then: impl FnOnce(&ComposeInput<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let (record, directive) = (&self.record, self.core.directive.as_deref());
        self.with_subject(|subject, agent| {
            then(&ComposeInput {
                subject,
                policy,
                persona: agent,
                history: record.history.seen(),
                since: self.seen_since(),
                anchor_at: record.anchor_at,
                turn_start: record.turn_start,
                data: &record.given,
                not_accepted: directive.map(|decision| (decision, self.core.rejections)),
                was_cut: self.core.cut_replies > 0,
                tokenizer: self.tokenizer(),
                counted: &self.layers,
            })
        })
    }

    /// The tokens of what is sent beside the conversation.
    fn fixed_tokens(&self, policy: &ToolPolicy) -> Result<u64, Failure> {
        let layers = self.with_input(policy, |input| self.env.composer.layer_tokens(input))?;
        Ok(layers + self.offered(policy).tokens)
    }
}

impl LineDraft<'_> {
    /// The server refused a request as too long: once, it is made shorter and sent again. False when
    /// that was done before, or would be in vain.
    pub(super) fn shortens_for(&mut self, failure: &Failure) -> bool {
        let is_first = self.core.refused <= self.core.requests;
        let has_older = self.record().history.next() > 1;
        if failure.code != ErrorCode::LlmContextTooLong || !is_first || !has_older {
            return false;
        }
        let Ok(used) = self.engine.request_tokens() else { return false };
        let limit = used.min(self.engine.context_tokens().unwrap_or(used)) * 9 / 10;
        let refused = RefusedRequest { failure: failure.clone(), limit };
        self.push(Event::CompactionDue(CompactionDue {
            why: CompactionReason::Refused,
            hard: false,
            refused: Some(Box::new(refused)),
        }));
        true
    }

    /// The person wants the conversation to be shorter.
    pub(super) fn compact(&mut self, hard: bool) -> Result<(), Refusal> {
        self.must_rest()?;
        let why = CompactionReason::Asked;
        self.push(Event::CompactionDue(CompactionDue { why, hard, refused: None }));
        Ok(())
    }

    /// The run goes on from its state document: the model sees nothing of what was said before.
    pub(super) fn start_afresh(&mut self) -> Result<(), Refusal> {
        self.must_rest()?;
        let history = &self.record().history;
        let used = self.engine.request_tokens().map_err(Refusal)?;
        let fixed = used - self.engine.seen_tokens();
        let before = ContextSize { messages: history.seen().len(), tokens: used };
        self.sees(
            CompactionReason::Fresh,
            Compacted {
                compaction: Some(Compaction { until: history.next(), parts: Vec::new() }),
                status: CompactionStatus::Effective,
                stages: Vec::new(),
                before,
                after: ContextSize { messages: 0, tokens: fixed },
                usage: None,
                failure: None,
            },
        );
        Ok(())
    }

    /// It could not be made shorter; what keeps the request from being built is told with that.
    pub(super) fn not_compacted(&mut self, failure: Failure) {
        let history = &self.record().history;
        let tokens = self.engine.request_tokens().unwrap_or_else(|_| history.tokens());
        let size = ContextSize { messages: history.seen().len(), tokens };
        self.compacted(Compacted {
            compaction: None,
            status: CompactionStatus::Noop,
            stages: Vec::new(),
            before: size,
            after: size,
            usage: None,
            failure: Some(failure),
        });
    }

    /// What the model sees from now on.
    pub(super) fn compacted(&mut self, result: Compacted) {
        let due = self.core.compaction_due.as_ref().map(|due| due.why);
        self.sees(due.unwrap_or(CompactionReason::Full), result);
    }

    fn sees(&mut self, why: CompactionReason, result: Compacted) {
        self.push(Event::ContextCompacted(Box::new(ContextCompacted { why, result })));
    }
}
