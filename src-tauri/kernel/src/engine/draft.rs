//! A decision being made: each event is applied to a scratch copy of the core when it is pushed, so
//! that later judgements of the same line see earlier ones.

use super::core::Core;
use super::due;
use super::input::{Refusal, refusal};
use super::machine::{Env, ExecutionEngine};
use super::record::Record;
use super::skills_at_work::SpeaksNow;
use crate::code::{ErrorCode, Failure};
use crate::event::{Event, Phase, Reason, TurnFinished};
use crate::graph::Graph;
use crate::ids::{ConversationId, MessageId, NodeId, derived_uuid};
use crate::package::Package;
use crate::path::AliasPath;
use crate::phrase::engine as said;
use crate::subagent::{TaskEnd, TaskEnded, TaskReport};
use crate::time::Time;

/// A line while it is being decided.
pub(super) struct LineDraft<'a> {
    pub(super) engine: &'a ExecutionEngine,
    pub(super) core: Core,
    pub(super) now: Time,
    /// Files that the call being answered lists and that are not there.
    pub(super) missing: Vec<AliasPath>,
    pub(super) events: Vec<Event>,
}

impl LineDraft<'_> {
    pub(super) fn push(&mut self, event: Event) {
        let (before, was_over) = (self.core.node.clone(), self.core.over);
        let spoke = self.speaks_with_skills();
        self.core.apply(&event, self.now);
        let rules = &self.env().limits.hooks;
        let due = due::after(&self.core, rules, &event, before.as_ref(), was_over);
        self.events.push(event);
        if let Some(due) = due {
            self.push(Event::HooksDue(due));
        }
        self.end_skills_that_are_over(spoke);
    }

    /// Ends the skills when somebody else speaks than then, or they are switched off.
    pub(super) fn end_skills_that_are_over(&mut self, spoke: Option<SpeaksNow>) {
        let limits = &self.env().limits;
        let ends = self.core.ends_of_skills(spoke, self.package(), limits);
        for end in ends {
            self.push(Event::SkillEnded(end));
        }
    }

    /// Who speaks now, while skills are at work.
    pub(super) fn speaks_with_skills(&self) -> Option<SpeaksNow> {
        self.core.speaks_with_skills(self.package())
    }

    /// The package of whom the person talks with, the state of this draft considered.
    pub(super) fn package(&self) -> &Package {
        self.env().package_of(self.core.package_id())
    }

    /// The graph of the workflow that is worked on, likewise.
    pub(super) fn graph(&self) -> Result<&Graph, Failure> {
        self.core.graph(self.package())
    }

    pub(super) fn env(&self) -> &Env {
        &self.engine.env
    }

    pub(super) fn record(&self) -> &Record {
        &self.engine.record
    }

    pub(super) fn conversation(&self) -> &ConversationId {
        &self.engine.conversation
    }

    /// A message id for the next event.
    pub(super) fn message_id(&self) -> MessageId {
        let place = self.engine.core.seq + self.events.len() as u64;
        message_id(self.conversation(), self.now, &format!("message:{place}"))
    }

    /// A write that finishes after Stop does not keep the person from going on.
    pub(super) fn must_rest(&self) -> Result<(), Refusal> {
        if self.core.workplace.is_none() && self.core.task.is_none() {
            return Err(refusal(ErrorCode::NotNow, said::not_begun()));
        }
        if self.core.task_ended.is_some() {
            return Err(refusal(ErrorCode::NotNow, said::task_is_over()));
        }
        if let Some(failure) = &self.core.locked {
            return Err(Refusal(failure.clone()));
        }
        let goes_back = self.core.by_person.as_ref().is_some_and(|it| it.is_rewind());
        if self.core.phase == Phase::Running || goes_back {
            return Err(refusal(ErrorCode::RunBusy, said::run_is_working()));
        }
        Ok(())
    }

    /// Ends the turn.
    pub(super) fn finish(&mut self, phase: Phase, reason: Reason, failure: Option<Failure>) {
        if self.core.task.is_some() {
            let end = how_a_task_ends(reason, failure.as_ref());
            return self.end_task(end, None, failure);
        }
        self.push(Event::TurnFinished(TurnFinished { phase, reason, failure, decision: None }));
    }

    /// Ends the work of a sub-agent.
    pub(super) fn end_task(
        &mut self,
        end: TaskEnd,
        report: Option<TaskReport>,
        failure: Option<Failure>,
    ) {
        if self.core.task_ended.is_some() {
            return;
        }
        let ended = TaskEnded { end, report, failure: failure.clone() };
        self.push(Event::TaskEnded(Box::new(ended)));
        let (phase, reason) = match end {
            TaskEnd::Completed => (Phase::Completed, Reason::Completed),
            TaskEnd::Stopped => (Phase::Failed, Reason::Stopped),
            TaskEnd::TimedOut | TaskEnd::MaxSteps => (Phase::Failed, Reason::Limit),
            TaskEnd::NoReport => (Phase::Failed, Reason::NotAccepted),
            TaskEnd::Failed | TaskEnd::Unrecognised => (Phase::Failed, Reason::Failed),
        };
        self.push(Event::TurnFinished(TurnFinished { phase, reason, failure, decision: None }));
    }

    pub(super) fn is_complete(&self) -> bool {
        let graph = self.graph().ok();
        graph.zip(self.core.doc.as_ref()).is_some_and(|(graph, doc)| doc.is_complete(graph))
    }

    /// The node a person's input is for: none after completion.
    pub(super) fn named_node(&self) -> Option<NodeId> {
        let graph = self.graph().ok()?;
        let doc = self.core.doc.as_ref()?;
        if doc.is_complete(graph) { None } else { doc.effective_node(graph).ok() }
    }
}

/// What ends the turn of a sub-agent ends its work.
fn how_a_task_ends(reason: Reason, failure: Option<&Failure>) -> TaskEnd {
    match (reason, failure.map(|failure| failure.code)) {
        (Reason::Stopped, _) => TaskEnd::Stopped,
        (_, Some(ErrorCode::EngineMaxTurnsExceeded)) => TaskEnd::MaxSteps,
        _ => TaskEnd::Failed,
    }
}

/// A derived id is always valid; were it not, the conversation's own name stands in.
pub(super) fn message_id(conversation: &ConversationId, at: Time, key: &str) -> MessageId {
    MessageId::new(derived_uuid(conversation, at, key))
        .or_else(|_| MessageId::new(conversation.as_str()))
        .unwrap_or_else(|_| unreachable!("a conversation id is a valid id"))
}
