//! What is shown of a conversation and not kept: how far its sub-agents and the server
//! that is called are, how full its model is,
//! and what ends text that streamed and edits that were seen.

use kernel::bounds::MCP_PROGRESS_BYTES;
use kernel::effect::EffectId;
use kernel::engine::ExecutionEngine;
use kernel::event::Event;
use kernel::ids::CallId;
use kernel::snapshot;
use kernel::text::prefix;
use kernel::tokens::Tokenizer;
use kernel::visible::visible_line;
use kernel::wire::{ContextUsage, ServerProgress, Status, SubagentView};
use std::collections::BTreeMap;

use crate::mcp::CallProgress;
use crate::tools::ToolHost;

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
    fn tell(&self, subagents: &mut [SubagentView]) {
        for subagent in subagents.iter_mut().filter(|one| one.end.is_none()) {
            if let Some(progress) = self.0.get(&subagent.call_id) {
                subagent.steps = progress.steps;
                subagent.doing.clone_from(&progress.doing);
            }
        }
    }
}

/// What the server that is called last said of how far it is.
#[derive(Default)]
pub(super) struct KnownServer(Option<(EffectId, ServerProgress)>);

impl KnownServer {
    /// A server has gone on with its call. Whether that is to be shown.
    pub(super) fn hear(&mut self, id: &EffectId, said: CallProgress, tools: &ToolHost) -> bool {
        let EffectId::Perform(call_id) = id else { return false };
        let words = |text: String| {
            let shown = visible_line(&tools.shown(&text));
            prefix(&shown, MCP_PROGRESS_BYTES).to_owned()
        };
        let message = said.message.map(words).filter(|text| !text.trim().is_empty());
        let progress = ServerProgress { call_id: call_id.clone(), percent: said.percent, message };
        if self.0.as_ref().is_some_and(|(_, known)| *known == progress) {
            return false;
        }
        self.0 = Some((id.clone(), progress));
        true
    }

    /// The same while the call goes on.
    fn at_work(&self, is_running: impl Fn(&EffectId) -> bool) -> Option<ServerProgress> {
        self.0.as_ref().filter(|(id, _)| is_running(id)).map(|(_, progress)| progress.clone())
    }
}

/// How full the model was when that was last counted.
#[derive(Default)]
struct KnownUsage(Option<(UsageOf, Option<ContextUsage>)>);

/// What it follows from: the requests so far, the messages, how many tokens they have, what counted
/// them, how many the model reads, and whether the conversation is to be made shorter.
#[derive(PartialEq, Eq)]
struct UsageOf(u64, usize, u64, Tokenizer, u64, bool);

impl KnownUsage {
    /// How full it is: counted anew only when something was said or called. Nobody is shown how full
    /// a model is whose size nobody knows, so nothing is counted then.
    fn of(&mut self, engine: &ExecutionEngine) -> Option<ContextUsage> {
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

/// All that is known so.
#[derive(Default)]
pub(super) struct GoingOn {
    /// How far the sub-agents are that work.
    pub(super) subagents: KnownProgress,
    /// How far the server is that is called.
    pub(super) server: KnownServer,
    /// How full the model is.
    context: KnownUsage,
}

impl GoingOn {
    /// Where a conversation stands, with that.
    pub(super) fn status(
        &mut self,
        engine: &ExecutionEngine,
        is_running: impl Fn(&EffectId) -> bool,
    ) -> Status {
        let context = self.context.of(engine);
        let server = self.server.at_work(is_running);
        let mut status = Status { context, server, ..snapshot::status(engine) };
        self.subagents.tell(&mut status.subagents);
        status
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
