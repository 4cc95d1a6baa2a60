//! A reply without calls is a candidate for the end of the turn (spec 06 "Obligations → decision"):
//! what it is judged by, and the line that says so.

use std::collections::BTreeSet;

use super::core::Core;
use super::draft::LineDraft;
use super::input::{Refusal, may_be_said, refusal};
use super::machine::ExecutionEngine;
use super::subworkflows::accepted;
use crate::acceptance::{self, OpenObligation, PromisedFiles, Situation};
use crate::chat::Reply;
use crate::code::{ErrorCode, Failure};
use crate::decision::{Decision, DecisionStatus, Obligation};
use crate::effect::KnownFile;
use crate::event::{
    Author, CandidateAccepted, CandidateHeld, CandidateRejected, ChangeProposed, DecisionMade,
    Event, ModelReplied, Phase, Reason, RunEnded, StateChanged, TurnFinished, WorkflowSwitch,
};
use crate::facts::{Evidence, Fact, FactKind};
use crate::graph::Node;
use crate::hook::{self, GateAnswer, HookPoint, HookRule, HookStatus};
use crate::ids::{MessageId, NodeId};
use crate::path::AliasPath;
use crate::phrase::engine as said;
use crate::settings::OutputsPolicy;
use crate::state_doc;
use crate::subagent::{TaskEnd, TaskStarted};
use crate::text::asks;
use crate::tool::ReceivedCalls;

/// A reply without calls, before it is judged.
pub(super) struct Candidate {
    pub(super) message_id: MessageId,
    pub(super) reply: Reply,
    pub(super) request_sha256: String,
    pub(super) duration_ms: u64,
}

/// What a candidate leaves to the person.
#[derive(Debug, Clone, Copy, Default)]
struct Words {
    /// It asks them something.
    asks: bool,
    /// It answers their words, and nothing was done in between.
    talks: bool,
    /// It stands between two steps, where the model is to wait for them.
    waits: bool,
}

/// Whether the turn went on to another step and has changed no file for that one yet.
pub(super) fn stands_between_steps(turn: &[&Fact]) -> bool {
    let only_looks = |kind: &FactKind| {
        matches!(kind, FactKind::FileRead | FactKind::FileListed | FactKind::Verification)
    };
    let newest = turn.iter().map(|fact| fact.kind).rfind(|kind| !only_looks(kind));
    newest == Some(FactKind::StateChanged)
}

impl ExecutionEngine {
    /// The files that a judgement builds on, with their known hashes: those that the run wrote
    /// since its work was last accepted, and those that its step promises.
    pub(super) fn written(&self) -> Vec<KnownFile> {
        let evidence = &self.record.evidence;
        let promised = self.step(&self.core).map(Node::checkable_outputs).unwrap_or_default();
        let promised = promised.iter().filter(|path| evidence.is_there(path));
        let written = evidence.written_since(self.record.accepted).map(|(path, _)| path);
        let paths: BTreeSet<&AliasPath> = written.chain(promised).collect();
        let known = paths.into_iter().filter_map(|path| {
            let sha256 = evidence.of(path)?.sha256()?.to_owned();
            Some(KnownFile { path: path.clone(), sha256 })
        });
        known.collect()
    }

    /// The step that is being worked on, while its outputs are asked for.
    fn step(&self, core: &Core) -> Option<&Node> {
        let graph = core.graph(self.package()).ok()?;
        let doc = core.doc.as_ref().filter(|doc| !doc.is_complete(graph))?;
        let asked_for = self.env().limits.outputs == OutputsPolicy::Enforce;
        let node = doc.effective_node(graph).ok().filter(|_| asked_for)?;
        graph.node(&node).filter(|node| !doc.steps_completed().contains(&node.id))
    }

    /// What would be missing if the turn ended now.
    pub fn open_obligations(&self) -> Vec<Obligation> {
        let (core, missing, events) = (self.core.clone(), Vec::new(), Vec::new());
        let now = core.thinking_since;
        let draft = LineDraft { engine: self, core, now, missing, events };
        let turn = draft.record().facts_of_turn();
        draft.with_open(&turn, Words::default(), |open| {
            open.iter().map(|o| o.obligation.clone()).collect()
        })
    }
}

impl LineDraft<'_> {
    /// Judges a candidate, unless the gates of the person are asked first.
    pub(super) fn candidate_final(&mut self, candidate: Candidate) {
        if let Some(task) = self.core.task.clone() {
            return self.final_of_task(candidate, &task);
        }
        if !self.is_for_the_gates(&candidate.reply.text) {
            return self.judge_candidate(candidate);
        }
        let agent_id = self.engine.effective_agent().cloned();
        let Candidate { message_id, reply, request_sha256, duration_ms } = candidate;
        self.hold(CandidateHeld { message_id, request_sha256, reply, duration_ms, agent_id });
    }

    /// A reply without calls hands in no report.
    pub(super) fn final_of_task(&mut self, candidate: Candidate, task: &TaskStarted) {
        let Candidate { message_id, reply, request_sha256, duration_ms } = candidate;
        let open = [acceptance::missing_report(task.assignment.task_type, &reply.text)];
        let judgement = acceptance::judge(&open, &self.core.told);
        let turn: Vec<&crate::facts::Fact> = self.record().facts.iter().map(|r| &r.fact).collect();
        let decision = judgement.decision(&open, acceptance::task_kind(&turn), false);
        self.push(Event::CandidateRejected(Box::new(CandidateRejected {
            message_id,
            request: self.core.requests + 1,
            request_sha256,
            reply,
            duration_ms,
            agent_id: self.engine.effective_agent().cloned(),
        })));
        self.push(Event::DecisionMade(DecisionMade { decision: decision.clone() }));
        if decision.status == DecisionStatus::Continue {
            return self.advance();
        }
        let failure = Failure::new(ErrorCode::SubagentFailed, said::no_report());
        self.end_task(TaskEnd::NoReport, None, Some(failure));
    }

    /// Whether the gates are asked: files were changed since work was last accepted, not all gates have
    /// agreed since, and nothing is open that they would not answer for.
    fn is_for_the_gates(&self, text: &str) -> bool {
        let rules = &self.env().limits.hooks;
        let mut gates = hook::at(rules, HookPoint::AcceptGate, None).peekable();
        if gates.peek().is_none() || !self.has_changed_files_since(self.record().accepted) {
            return false;
        }
        let agrees = |rule: &HookRule| {
            let mut answers = self.core.gates.iter();
            answers.any(|it| it.hook == rule.name && it.status == HookStatus::Passed)
        };
        if gates.all(agrees) && !self.has_changed_files_since(self.core.gated_at) {
            return false;
        }
        let turn = self.record().facts_of_turn();
        let answers_for = |open: &OpenObligation<'_>| {
            matches!(
                open.obligation,
                Obligation::UnverifiedWrite { .. }
                    | Obligation::FailedVerification { .. }
                    | Obligation::FailedGate { .. }
                    | Obligation::UnansweredGate { .. }
            )
        };
        let words = self.words(text, &turn);
        self.with_open(&turn, words, |open| open.iter().all(answers_for))
    }

    /// Whether a fact after this event says that a file is other than before, also one of this line.
    fn has_changed_files_since(&self, seq: u64) -> bool {
        let changes = |fact: &Fact| {
            matches!(
                fact.kind,
                FactKind::FileWritten
                    | FactKind::FileDeleted
                    | FactKind::FileMoved
                    | FactKind::FileForeignChange
            )
        };
        let newer = self.record().facts.iter().rev().take_while(|record| record.seq > seq);
        let of_line = self.events.iter().filter_map(|event| match event {
            Event::FactsUpdated(e) => Some(&e.facts),
            _ => None,
        });
        newer.map(|record| &record.fact).any(changes) || of_line.flatten().any(changes)
    }

    /// Judges a candidate and records what becomes of it.
    pub(super) fn judge_candidate(&mut self, candidate: Candidate) {
        let decision = self.decision_on(&candidate.reply.text);
        let (request, agent_id) = (self.core.requests + 1, self.engine.effective_agent().cloned());
        let Candidate { message_id, reply, request_sha256, duration_ms } = candidate;
        if decision.lets_text_stand() {
            let received = ReceivedCalls::default();
            self.push(Event::ModelReplied(ModelReplied {
                message_id,
                request,
                request_sha256,
                reply,
                duration_ms,
                agent_id,
                received,
            }));
        } else {
            self.push(Event::CandidateRejected(Box::new(CandidateRejected {
                message_id,
                request,
                request_sha256,
                reply,
                duration_ms,
                agent_id,
            })));
        }
        self.push(Event::DecisionMade(DecisionMade { decision: decision.clone() }));
        let (phase, reason) = match (decision.status, self.is_complete()) {
            (DecisionStatus::Continue, _) => return self.advance(),
            (DecisionStatus::Accepted, true) => (Phase::Completed, Reason::Completed),
            (DecisionStatus::Accepted | DecisionStatus::Blocked, _) => {
                (self.phase_at_rest(), Reason::Answered)
            }
            (_, _) => (self.phase_at_rest(), Reason::NotAccepted),
        };
        let finished = TurnFinished { phase, reason, failure: None, decision: Some(decision) };
        self.push(Event::TurnFinished(finished));
    }

    fn phase_at_rest(&self) -> Phase {
        if self.is_complete() { Phase::Completed } else { Phase::WaitingUser }
    }

    fn decision_on(&self, text: &str) -> Decision {
        let turn = self.record().facts_of_turn();
        let (told, complete) = (&self.core.told, self.is_complete());
        self.with_open(&turn, self.words(text, &turn), |open| {
            let judgement = acceptance::judge(open, told);
            judgement.decision(open, acceptance::task_kind(&turn), complete)
        })
    }

    /// Where nothing was done in the turn, words answer words.
    fn words(&self, text: &str, turn: &[&Fact]) -> Words {
        Words {
            asks: asks(text),
            talks: turn.is_empty() && self.record().spoken,
            waits: !self.env().limits.autopilot && stands_between_steps(turn),
        }
    }

    /// What is open now.
    fn with_open<T>(
        &self,
        turn: &[&Fact],
        words: Words,
        then: impl FnOnce(&[OpenObligation<'_>]) -> T,
    ) -> T {
        let evidence = self.evidence();
        let outputs = self.step().map(Node::checkable_outputs).unwrap_or_default();
        let deleted = self.deleted_outputs(turn, &evidence);
        let gates = self.answers_of_gates();
        let situation = Situation {
            evidence: &evidence,
            accepted: self.record().accepted,
            turn,
            step: self.step().map(|node| PromisedFiles { node: &node.id, outputs: &outputs }),
            looks_at_files: self.policy().is_some_and(|policy| policy.fs_enabled),
            hands_over: words.talks || words.asks || words.waits,
            asks: words.asks,
            deleted: &deleted,
            gates: &gates,
            subagents: &self.core.subagents,
            todos: &self.core.todos,
            unasked: self.unasked(),
        };
        then(&acceptance::obligations(&situation))
    }

    /// What the gates said last. One that the project has no more says nothing any more.
    fn answers_of_gates(&self) -> Vec<GateAnswer> {
        let rules = &self.env().limits.hooks;
        let is_gate = |answer: &&GateAnswer| {
            hook::at(rules, HookPoint::AcceptGate, None).any(|rule| rule.name == answer.hook)
        };
        self.core.gates.iter().filter(is_gate).cloned().collect()
    }

    /// The files that steps were completed with and that this turn has deleted.
    fn deleted_outputs(&self, turn: &[&Fact], evidence: &Evidence) -> Vec<(NodeId, AliasPath)> {
        let deleted = turn.iter().filter(|fact| fact.kind == FactKind::FileDeleted);
        let deleted: Vec<&AliasPath> = deleted.filter_map(|fact| fact.path.as_ref()).collect();
        let asked_for = self.env().limits.outputs == OutputsPolicy::Enforce && !deleted.is_empty();
        let (Ok(graph), Some(doc)) = (self.graph(), self.core.doc.as_ref()) else {
            return Vec::new();
        };
        let is_gone = |path: &AliasPath| {
            !evidence.is_there(path) && deleted.iter().any(|gone| path.is_within(gone))
        };
        let steps = doc.steps_completed().iter().filter(|_| asked_for);
        let promised = steps.filter_map(|id| graph.node(id)).flat_map(|node| {
            node.checkable_outputs().into_iter().map(|path| (node.id.clone(), path))
        });
        promised.filter(|(_, path)| is_gone(path)).collect()
    }

    fn step(&self) -> Option<&Node> {
        self.engine.step(&self.core)
    }

    /// A change of a completed run that waits although the person was not asked about it.
    fn unasked(&self) -> Option<&ChangeProposed> {
        self.core.confirm.unasked().filter(|_| self.is_complete())
    }

    /// The person lets words stand that were not accepted.
    pub(super) fn accept_anyway(&mut self, message_id: &MessageId) -> Result<(), Refusal> {
        self.must_rest()?;
        let rejected = self.record().rejected.clone();
        let rejected = rejected.filter(|_| self.core.reason == Some(Reason::NotAccepted));
        let Some(rejected) = rejected.filter(|known| known.message_id == *message_id) else {
            return Err(refusal(ErrorCode::NotNow, said::nothing_rejected()));
        };
        self.push(Event::CandidateAccepted(CandidateAccepted {
            message_id: rejected.message_id,
            text: rejected.text,
            agent_id: rejected.agent_id,
        }));
        let (phase, reason) = match self.phase_at_rest() {
            Phase::Completed => (Phase::Completed, Reason::Completed),
            phase => (phase, Reason::Answered),
        };
        self.finish(phase, reason, None);
        Ok(())
    }

    /// The person ends the run before its end: the document says so, and that it was them.
    pub(super) fn end_run(&mut self, reason: Option<&str>) -> Result<(), Refusal> {
        self.must_rest()?;
        self.must_be_in_a_run()?;
        let reason = reason.map(str::trim).filter(|reason| !reason.is_empty());
        may_be_said(reason.map_or(0, str::len))?;
        if self.is_complete() {
            return Err(refusal(ErrorCode::NotNow, said::over_already()));
        }
        // The workflows that were called are given up.
        let missing = || refusal(ErrorCode::StateFileNotFound, said::state_unreadable());
        let (old, graph) = self.core.outermost(self.package()).ok_or_else(missing)?;
        let doc = state_doc::ended(old, self.now).map_err(Refusal)?;
        let artifacts = self.core.doc.as_ref().map(|doc| doc.artifacts()).unwrap_or_default();
        let listed = state_doc::with_artifacts(&doc, artifacts, self.now).map_err(Refusal)?;
        let doc = listed.unwrap_or(doc);
        let node_id = doc.effective_node(graph).map_err(Refusal)?;
        let nested = self.core.nesting.depth() > 0;
        let switch = nested.then_some(WorkflowSwitch::WentBack { depth: 0 });
        self.close_queue(ErrorCode::Interrupted, "the call was not run: the user ended the run");
        self.push(Event::RunEnded(RunEnded { reason: reason.map(str::to_owned) }));
        let changed = accepted(&doc, Author::User, node_id, true);
        self.state_becomes(StateChanged { to_be_written: true, switch, ..changed });
        self.finish(Phase::Completed, Reason::EndedEarly, None);
        Ok(())
    }
}
