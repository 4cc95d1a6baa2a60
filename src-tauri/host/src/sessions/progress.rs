//! What is shown of a conversation and not kept: how far its sub-agents are, how full its model is,
//! and what ends text that streamed and edits that were seen.

use kernel::engine::ExecutionEngine;
use kernel::event::Event;
use kernel::ids::CallId;
use kernel::tokens::Tokenizer;
use kernel::wire::{ContextUsage, SubagentView};
use std::collections::BTreeMap;

/// How far a sub-agent is.
#[derive(Debug, Clone)]
pub(crate) struct SubagentProgress {
    /// How often its model answered.
    pub(crate) steps: u32,
    /// The tool it called last.
    pub(crate) doing: Option<String>,
}

/// What was last heard of each.
#[derive(Default)]
pub(super) struct KnownProgress(BTreeMap<CallId, SubagentProgress>);

impl KnownProgress {
    /// The sub-agent of a call has gone on.
    pub(super) fn hear(&mut self, call: &CallId, heard: SubagentProgress) {
        // A line that calls nothing does not end what was called last.
        let known = self.0.remove(call).and_then(|known| known.doing);
        let doing = heard.doing.or(known);
        self.0.insert(call.clone(), SubagentProgress { doing, ..heard });
    }

    /// Says of those at work how far they are.
    pub(super) fn tell(&self, subagents: &mut [SubagentView]) {
        for subagent in subagents.iter_mut().filter(|one| one.end.is_none()) {
            if let Some(progress) = self.0.get(&subagent.call_id) {
                subagent.steps = progress.steps;
                subagent.doing.clone_from(&progress.doing);
            }
        }
    }
}

/// How full the model was when that was last counted.
#[derive(Default)]
pub(super) struct KnownUsage(Option<(UsageOf, Option<ContextUsage>)>);

/// What it follows from: the requests so far, the messages, how many tokens they have, what counted
/// them, how many the model reads, and whether the conversation is to be made shorter.
#[derive(PartialEq, Eq)]
struct UsageOf(u64, usize, u64, Tokenizer, u64, bool);

impl KnownUsage {
    /// How full it is: counted anew only when something was said or called. Nobody is shown how full
    /// a model is whose size nobody knows, so nothing is counted then.
    pub(super) fn of(&mut self, engine: &ExecutionEngine) -> Option<ContextUsage> {
        let budget = engine.context_tokens()?;
        let (core, history) = (engine.core(), &engine.record().history);
        let due = core.compaction_due.is_some();
        let (messages, tokens) = (history.next(), history.tokens());
        let of = UsageOf(core.requests, messages, tokens, engine.tokenizer(), budget, due);
        match &self.0 {
            Some((known, usage)) if *known == of => usage.clone(),
            _ => {
                let usage = engine.context_usage();
                self.0 = Some((of, usage.clone()));
                usage
            }
        }
    }
}

/// Whether the text that streamed is now recorded, or came to nothing.
pub(super) fn ends_a_reply(event: &Event) -> bool {
    matches!(
        event,
        Event::ModelReplied(_)
            | Event::CandidateHeld(_)
            | Event::CandidateRejected(_)
            | Event::ModelFailed(_)
            | Event::StateChanged(_)
    )
}

/// Whether the document on disk was compared with the accepted one, or written anew.
pub(super) fn settles_an_edit(event: &Event) -> bool {
    matches!(event, Event::StateChanged(_) | Event::StateMirrored(_) | Event::StateRejected(_))
}
