//! What a small model is offered while a step is under way (spec 04 "Tools of a step").

use std::sync::LazyLock;

use super::finals::stands_between_steps;
use super::machine::ExecutionEngine;
use crate::context::{PlacedEntry, SeenEntry};
use crate::event::FactKind;
use crate::graph::{AllowedNext, Node, Premises};
use crate::package::StepNotes;
use crate::path::{AliasPath, Mount};
use crate::policy::ToolPolicy;
use crate::prompt::PromptProfile;
use crate::settings::ToolOffer;
use crate::tool::{OfferedTools, StepAnswer, StepMove, StepNow};

/// Of a step that nothing is known of.
static NO_NOTES: LazyLock<StepNotes> = LazyLock::new(StepNotes::default);

impl ExecutionEngine {
    /// The tools of the request that is due.
    pub(super) fn offered(&self, policy: &ToolPolicy) -> OfferedTools {
        if !self.is_led() {
            return OfferedTools::all(policy, self.tokenizer());
        }
        match self.with_step(|step| step.offered(policy, self.tokenizer())) {
            Some(offered) => offered,
            None if self.is_to_close() => OfferedTools::default(),
            None => OfferedTools::after_the_end(policy, self.tokenizer()),
        }
    }

    /// What is to be done next, where the model is told that.
    pub(super) fn next_move(&self) -> Option<StepMove> {
        if !self.is_led() {
            return None;
        }
        let policy = self.policy()?;
        let of_step = self.with_step(|step| step.next_move().within(&policy));
        of_step.or_else(|| self.is_to_close().then_some(StepMove::Close))
    }

    /// Whether all that is left to do is to say that the run is over.
    fn is_to_close(&self) -> bool {
        let graph = self.graph().ok();
        let complete = graph.zip(self.core.doc.as_ref()).is_some_and(|(g, doc)| doc.is_complete(g));
        let changed = self.record.revisions.last().map_or(0, |revision| revision.seq);
        complete && self.record.spoken_at < changed
    }

    /// Whether the model is led through the steps of a run, one at a time.
    pub(super) fn is_led(&self) -> bool {
        self.offer() == ToolOffer::Step && self.core.run.is_some()
    }

    /// Which tools the model is offered. A request on its way stays what it was when the settings
    /// change meanwhile.
    pub(super) fn offer(&self) -> ToolOffer {
        self.core.settings.as_ref().unwrap_or(&self.env.limits).offer
    }

    /// The first message that is told whole.
    pub(super) fn seen_since(&self) -> usize {
        if self.is_led() { self.record.node_start } else { 0 }
    }

    /// What the model sees of the conversation.
    pub(super) fn seen(&self) -> Vec<PlacedEntry> {
        let mut seen = self.record.history.seen().to_vec();
        let since = self.seen_since();
        seen.retain(|it| SeenEntry::from(it).is_of_step(since));
        seen
    }

    /// How many tokens it has.
    pub(super) fn seen_tokens(&self) -> u64 {
        let history = &self.record.history;
        match self.seen_since() {
            0 => history.tokens(),
            since => {
                let seen = history.seen().iter().filter(|it| it.is_of_step(since));
                seen.map(|it| it.tokens()).sum()
            }
        }
    }

    fn with_step<T>(&self, then: impl FnOnce(&StepNow<'_>) -> T) -> Option<T> {
        let (doc, workflow) = (self.core.doc.as_ref()?, self.workflow()?);
        let PromptProfile::Normal(step) = PromptProfile::of(doc, &workflow.graph).ok()? else {
            return None;
        };
        let node = step.node;
        let step_file = AliasPath::new(Mount::Pkg, &node.file).ok()?;
        let since = self.core.entered.get(&node.id).map_or(0, |entered| entered.seq);
        let evidence = &self.record.evidence;
        let mut missing = node.checkable_outputs();
        missing.retain(|path| !evidence.is_there(path));
        let read_at = self.read_at(&step_file, since);
        let mut readable = files_of(node, doc.artifacts());
        if read_at.is_some_and(|at| at < self.record.compacted_at) {
            readable.push(step_file.clone());
        }
        let given = Premises { variables: doc.variables(), said: Some(&self.core.said) };
        let next = open_ways(workflow.graph.allowed_next(&node.id, given));
        let notes = workflow.notes.get(&node.id).filter(|_| node.called_workflow().is_none());
        Some(then(&StepNow {
            node,
            reports: self.reports(),
            // Of a step that another workflow was run for nothing is left to be read.
            was_read: read_at.is_some() || node.called_workflow().is_some(),
            answered: self.answered_since(since),
            step_file: &step_file,
            missing: &missing,
            readable: &readable,
            notes: notes.unwrap_or(&NO_NOTES),
            next: &next,
        }))
    }

    /// Whether the person is to be told of the step before, and was not yet.
    fn reports(&self) -> bool {
        let changed = self.record.revisions.last().map_or(0, |revision| revision.seq);
        !self.env.limits.autopilot
            && self.record.answered_at < changed
            && stands_between_steps(&self.record.facts_of_turn())
    }

    fn answered_since(&self, since: u64) -> StepAnswer {
        let record = &self.record;
        if record.question_answered_at > since {
            StepAnswer::Question
        } else if record.question_refused_at > since
            && record.question_refused_at == record.spoken_at
        {
            StepAnswer::Refusal
        } else if self.record.spoken_at > since {
            StepAnswer::Words
        } else {
            StepAnswer::None
        }
    }

    /// The event with which a file was read last after `since`.
    fn read_at(&self, file: &AliasPath, since: u64) -> Option<u64> {
        let newer = self.record.facts.iter().rev().take_while(|record| record.seq > since);
        let mut read = newer.filter(|record| record.fact.kind == FactKind::FileRead);
        read.find(|record| record.fact.path.as_ref() == Some(file)).map(|record| record.seq)
    }
}

/// The inputs of a step, and what the run has made.
fn files_of(node: &Node, made: &[String]) -> Vec<AliasPath> {
    let declared = node.inputs.iter().chain(made).filter_map(|declared| {
        AliasPath::parse(declared).or_else(|_| AliasPath::new(Mount::Project, declared)).ok()
    });
    let mut files: Vec<AliasPath> = declared.collect();
    files.sort_unstable();
    files.dedup();
    files
}

/// The ways that are open now; all of them, when none is: then the step has to open one.
fn open_ways(all: Vec<AllowedNext>) -> Vec<AllowedNext> {
    let open: Vec<AllowedNext> =
        all.iter().filter(|way| way.condition_holds != Some(false)).cloned().collect();
    if open.is_empty() { all } else { open }
}
