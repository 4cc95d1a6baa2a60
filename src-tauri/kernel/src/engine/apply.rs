//! How the small part of the state follows from the journal, event by event.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::core::{Activity, CallStatus, Core, OpenWidget, QueuedCall, RunInfo, Workplace};
use super::nesting::Entered;
use crate::changed_files::CallFileChange;
use crate::chat::{ModelUsage, Reply, Role, Usage};
use crate::code::ErrorCode;
use crate::context::{Compacted, CompactionStatus};
use crate::effect::Began;
use crate::event::{
    Author, CallBegan, CallEnded, CompactionDue, CompactionReason, ContextCompacted, Decision,
    Event, Line, MessageImported, ModelReplied, Phase, Reason, RunOrigin, RunStarted, StateChanged,
    TurnFinished, WidgetAnswered, WidgetAsked,
};
use crate::graph::SaidInStep;
use crate::ids::{CallId, NodeId};
use crate::limits::Limits;
use crate::path::AliasPath;
use crate::prompt::Intent;
use crate::state_doc::StateDoc;
use crate::time::Time;

/// After a summary that failed the model is asked again after two to the power of so many more at
/// most.
const LONGEST_SUMMARY_PAUSE: u32 = 6;

/// Whether a move begins a new user turn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NewTurn {
    Yes,
    No,
}

impl Core {
    /// Folds a line. Total.
    pub(crate) fn apply_line(&mut self, line: &Line) {
        for event in &line.events {
            self.apply(event, line.at);
        }
        self.end_line(line);
    }

    /// What a line makes of it.
    pub(super) fn after(&self, line: &Line) -> Self {
        let mut core = self.clone();
        core.apply_line(line);
        core
    }

    /// What follows from a line as a whole, after its events.
    pub(super) fn end_line(&mut self, line: &Line) {
        self.seq = line.next_seq();
        // What a server takes is known of this model alone, and in the tokens that it was counted in.
        let size = |limits: &Limits| (limits.context_tokens, limits.tokenizer);
        if line
            .settings
            .as_deref()
            .is_some_and(|new| self.settings.as_ref().map(size) != Some(size(new)))
        {
            self.taken_at_most = None;
        }
        self.settings = line.settings.as_deref().cloned().or(self.settings.take());
    }

    /// Folds one event. Total.
    pub(super) fn apply(&mut self, event: &Event, at: Time) {
        let seq = self.seq.max(1);
        self.seq += 1;
        self.confirm.apply(event, at);
        self.approvals.apply(event, at);
        self.apply_to_parts(event, seq);
        match event {
            Event::RunStarted(e) => self.run_started(e, seq, at),
            Event::TaskStarted(_) => self.user_moved(Intent::Start, at, NewTurn::Yes),
            Event::UserSaid(_) => self.user_moved(Intent::Continue, at, NewTurn::Yes),
            Event::WidgetAnswered(e) => self.widget_answered(e, at),
            Event::RunResumed(_) => self.resumed(at),
            Event::ModelSwitched(_) => self.model_switched(),
            Event::RunInterrupted(_) => self.interrupted(),
            Event::ModelReplied(e) => self.replied(e),
            Event::ModelFailed(_) => self.requests += 1,
            Event::CallBegan(e) => self.call_began(e, seq),
            Event::CallReset(e) => self.set_status(&e.call_id, CallStatus::Waiting),
            Event::CallEnded(e) => self.call_ended(e, at),
            Event::StateChanged(e) => self.state_changed(e, seq),
            Event::StateMirrored(e) => {
                self.mirrored = Some(e.sha256.clone());
                self.nesting.left.clear();
            }
            Event::StateRejected(e) => {
                self.mirrored = None;
                self.rejected.clone_from(&e.sha256);
            }
            Event::WidgetAsked(e) => self.widget_asked(e, seq, at),
            Event::CandidateRejected(e) => self.candidate_rejected(&e.reply, at),
            Event::DecisionMade(e) => self.decided(&e.decision),
            Event::TodosUpdated(e) => self.todos.apply(&e.changed, &e.removed),
            Event::RunEnded(e) => self.ended = Some(e.clone()),
            Event::CandidateAccepted(_) => self.todos.settle_failed(),
            Event::CompactionDue(e) => self.compaction_due(e),
            Event::ContextCompacted(e) => self.compacted(e),
            Event::TurnFinished(e) => self.turn_finished(e),
            Event::MessageImported(e) => self.message_imported(e),
            Event::ConversationStarted(e) => self.conversation_started(e),
            Event::ModeChosen(e) => self.mode_chosen(&e.with),
            Event::ChangeProposed(_)
            | Event::ConfirmationSpent(_)
            | Event::ApprovalRevoked(_)
            | Event::FactsUpdated(_)
            | Event::PutBackAsked(_)
            | Event::PutBackBegan(_)
            | Event::PutBackEnded(_)
            | Event::RewindAsked(_)
            | Event::RewindBegan(_)
            | Event::RewindEnded(_)
            | Event::SubagentUpdated(_)
            | Event::TaskEnded(_)
            | Event::CandidateHeld(_)
            | Event::HooksDue(_)
            | Event::HookEnded(_)
            | Event::SkillActivated(_)
            | Event::SkillEnded(_)
            | Event::Unrecognised(_) => {}
        }
    }

    /// Folds an event into what other modules keep of it.
    fn apply_to_parts(&mut self, event: &Event, seq: u64) {
        self.apply_to_hooks(event);
        self.apply_to_subagents(event, seq);
        self.apply_to_skills(event);
        self.apply_to_what_is_said(event);
        self.apply_to_what_the_person_does(event, seq);
    }

    fn run_started(&mut self, e: &RunStarted, seq: u64, at: Time) {
        self.forget_the_run_before();
        self.workplace = Some(Workplace {
            project_id: e.project_id.clone(),
            free_folder: (!e.artifacts_ask).then(|| e.artifacts_dir.clone()),
        });
        self.run = Some(RunInfo {
            run_id: e.run_id.clone(),
            project_id: e.project_id.clone(),
            package_id: e.package_id.clone(),
            content_hash: e.content_hash.clone(),
            workflow_id: e.workflow_id.clone(),
            agent_id: e.agent_id.clone(),
            artifacts_dir: e.artifacts_dir.clone(),
            artifacts_ask: e.artifacts_ask,
            demo: e.demo,
        });
        self.doc = StateDoc::parse(&e.state).ok().map(Arc::new);
        self.node.clone_from(&e.node_id);
        self.nesting.entry.clone_from(&e.node_id);
        if let (Some(node), Some(doc)) = (&e.node_id, &self.doc) {
            let variables = Some(doc.variables().clone());
            self.entered.insert(node.clone(), Entered { seq, variables });
        }
        match &e.origin {
            None => self.user_moved(Intent::Start, at, NewTurn::Yes),
            Some(origin) => self.stands_as_before(origin, seq),
        }
    }

    /// The run goes on from where it stood in another store; its document lies on disk already.
    fn stands_as_before(&mut self, origin: &RunOrigin, seq: u64) {
        self.mirrored = self.doc.as_ref().map(|doc| doc.sha256().to_owned());
        // The nodes before the present one were entered before, nobody knows with what.
        let completed = self.doc.as_ref().map(|doc| doc.steps_completed().to_vec());
        for node in completed.unwrap_or_default() {
            self.entered.entry(node).or_insert(Entered { seq, variables: None });
        }
        self.phase = origin.phase;
        self.reason = origin.reason;
        self.locked.clone_from(&origin.locked);
    }

    /// Only the newest widget of another store can still be answered, and only before the
    /// person's next words: its message ids say nothing about the order.
    fn message_imported(&mut self, e: &MessageImported) {
        let open = e.question().filter(|_| e.answer().is_none());
        if open.is_some() || e.role == Role::User {
            self.widgets.clear();
        }
        if let Some(widget) = open {
            let asked = WidgetAsked {
                message_id: e.message_id.clone(),
                call_id: e.tool_call_id.clone().unwrap_or_else(|| CallId::new("")),
                widget,
                change_id: None,
            };
            let open = OpenWidget { asked, seq: self.seq, request: self.requests, at: None };
            self.widgets.insert(e.message_id.clone(), open);
        }
    }

    fn widget_asked(&mut self, e: &WidgetAsked, seq: u64, at: Time) {
        let open = OpenWidget { asked: e.clone(), seq, request: self.requests, at: Some(at) };
        self.widgets.insert(e.message_id.clone(), open);
    }

    fn widget_answered(&mut self, e: &WidgetAnswered, at: Time) {
        self.widgets.remove(&e.widget_message_id);
        // To allow a call is no new input: the turn that made it goes on.
        let new_turn = if e.is_of_call() { NewTurn::No } else { NewTurn::Yes };
        self.user_moved(Intent::Continue, at, new_turn);
    }

    /// It is the model's move; the disk may be tried again. In a new user turn the counters of
    /// the limits start again.
    fn user_moved(&mut self, intent: Intent, at: Time, new_turn: NewTurn) {
        if new_turn == NewTurn::Yes {
            self.queue.iter_mut().for_each(|queued| queued.overtaken = true);
            self.recall();
            self.count_anew();
        }
        let fresh = self.intent == Some(Intent::Start) && self.requests == self.requests_before;
        self.intent = Some(if fresh { Intent::Start } else { intent });
        self.phase = Phase::Running;
        self.reason = None;
        self.mirror_blocked = false;
        // A server that refused a request once is not held to it for ever: by now another may answer.
        self.taken_at_most = None;
        self.activity = if self.queue.is_empty() { Activity::Thinking } else { Activity::Acting };
        self.thinking_since = at;
    }

    fn model_switched(&mut self) {
        self.run.iter_mut().for_each(|run| run.demo = false);
        // Another model reads more, or less.
        self.taken_at_most = None;
    }

    fn call_began(&mut self, e: &CallBegan, seq: u64) {
        let began = Began::from(e);
        // What is done from here on would be lost.
        self.before_rewind.take_if(|_| began.restore.is_none());
        self.files_change(&e.call_id, &began, seq);
        self.set_status(&e.call_id, CallStatus::Began(began));
    }

    fn compacted(&mut self, e: &ContextCompacted) {
        // A summary is an answer of the model, and is paid for like one.
        e.result.usage.iter().for_each(|usage| self.took(None, usage));
        self.compaction_due = None;
        self.summary_came(&e.result);
        // After one by hand more may be said before the next request.
        if matches!(e.why, CompactionReason::Full | CompactionReason::Refused) {
            self.compacted_for = self.requests + 1;
        }
    }

    /// After a summary that the model did not give it is asked again later and later: each time
    /// the person waits for it.
    fn summary_came(&mut self, result: &Compacted) {
        if result.status == CompactionStatus::FailedFallback {
            self.summaries_failed = (self.summaries_failed + 1).min(LONGEST_SUMMARY_PAUSE);
            self.summary_pause = 1 << self.summaries_failed;
        } else if result.usage.is_some() {
            self.summaries_failed = 0;
            self.summary_pause = 0;
        } else {
            self.summary_pause = self.summary_pause.saturating_sub(1);
        }
    }

    fn compaction_due(&mut self, e: &CompactionDue) {
        if let Some(refused) = &e.refused {
            self.refused = self.requests + 1;
            self.taken_at_most = Some(refused.limit);
        }
        self.compaction_due = Some(e.clone());
    }

    fn resumed(&mut self, at: Time) {
        // A crash or a failed request does not start the counting again.
        let used_up = matches!(self.reason, Some(Reason::Limit | Reason::NotAccepted));
        let new_turn = if used_up { NewTurn::Yes } else { NewTurn::No };
        // Who lets the model try again lets it be told what is missing.
        let directive = self.directive.take();
        // So is who lets it go on with what was cut.
        let cut_replies = self.cut_replies.min(1);
        self.user_moved(Intent::Resume, at, new_turn);
        self.directive = directive;
        self.cut_replies = cut_replies;
    }

    fn replied(&mut self, e: &ModelReplied) {
        self.asked_once_more(&e.reply);
        self.rejections = 0;
        self.asking = false;
        self.loops.begin(&e.reply.calls);
        self.queue.extend(e.calls().iter().map(|call| QueuedCall {
            call: call.clone(),
            status: CallStatus::Waiting,
            overtaken: false,
            interruptions: 0,
        }));
        if !self.queue.is_empty() {
            self.activity = Activity::Acting;
        }
    }

    /// The model answered a request: what it was told with it was told once.
    fn asked_once_more(&mut self, reply: &Reply) {
        self.requests += 1;
        self.turn_requests += 1;
        self.took(reply.model.as_deref(), &reply.usage);
        self.intent = Some(Intent::Continue);
        self.directive = None;
        self.cut_replies = if reply.is_cut_off() { self.cut_replies + 1 } else { 0 };
    }

    fn took(&mut self, model: Option<&str>, usage: &Usage) {
        self.usage.add(usage);
        ModelUsage::add(&mut self.usage_by_model, model, usage);
    }

    fn candidate_rejected(&mut self, reply: &Reply, at: Time) {
        self.asked_once_more(reply);
        self.rejections += 1;
        self.thinking_since = at;
    }

    fn decided(&mut self, decision: &Decision) {
        self.told.apply(decision);
        let told = !decision.lets_text_stand();
        self.directive = told.then(|| Arc::new(decision.clone()));
    }

    fn set_status(&mut self, call: &CallId, status: CallStatus) {
        if let Some(queued) = self.queue.iter_mut().find(|q| q.call.id == *call) {
            queued.status = status;
        }
    }

    /// A call that began may change files from now on.
    fn files_change(&mut self, call: &CallId, began: &Began, seq: u64) {
        self.files_begin(self.changes_of(call, began), seq);
    }

    /// A call has changed files, as far as its facts say so.
    fn files_changed(&mut self, e: &CallEnded) {
        let queued = self.queue.iter().find(|q| q.call.id == e.call_id);
        let Some(began) = queued.and_then(|q| q.status.began().cloned()) else { return };
        // A rewind whose state was refused has brought files back all the same.
        if !e.ok && began.restore.is_none() {
            return;
        }
        let mut changes = self.changes_of(&e.call_id, &began);
        if began.restore.is_some() {
            let told =
                |path: &AliasPath| e.facts.iter().any(|fact| fact.path.as_ref() == Some(path));
            changes.retain(|change| told(&change.path));
        }
        if !changes.is_empty() {
            self.files.happened(changes.clone());
        }
        if e.ok
            && let Some(prepared) = &began.restore
        {
            self.rewound_files(&changes, prepared);
        }
    }

    fn changes_of(&self, call: &CallId, began: &Began) -> Vec<CallFileChange> {
        let queued = self.queue.iter().find(|q| q.call.id == *call);
        let parsed = queued.and_then(|q| q.call.parsed().ok());
        parsed.map(|parsed| parsed.changes(began)).unwrap_or_default()
    }

    fn call_ended(&mut self, e: &CallEnded, at: Time) {
        self.files_changed(e);
        self.close_server_questions(&e.call_id);
        if let Some(index) = self.queue.iter().position(|q| q.call.id == e.call_id)
            && let Some(queued) = self.queue.remove(index)
        {
            self.loops.note(&queued.call, e.ok, &e.result);
        }
        // Whoever was asked about a call that is closed need not answer any more.
        self.widgets.retain(|_, open| open.asked.call_id != e.call_id);
        if self.queue.is_empty() && self.activity == Activity::Acting {
            self.activity = Activity::Thinking;
            self.thinking_since = at;
        }
    }

    fn state_changed(&mut self, e: &StateChanged, seq: u64) {
        let Ok(doc) = StateDoc::parse(&e.text) else { return };
        let said = self.before_the_document_changes(e);
        self.switch(e.switch.as_ref(), &e.node_id);
        self.walks(&doc, &e.node_id);
        if self.node.as_ref() != Some(&e.node_id) {
            self.node = Some(e.node_id.clone());
            let variables = Some(doc.variables().clone());
            self.entered.insert(e.node_id.clone(), Entered { seq, variables });
        }
        if e.by == Author::User && !e.to_be_written {
            self.mirrored = Some(e.sha256.clone());
        } else {
            self.turn_state_bytes += e.text.len() as u64;
        }
        self.found.extend(e.found.iter().cloned());
        self.ended.take_if(|_| !e.complete);
        self.doc = Some(Arc::new(doc));
        if let Some(said) = said {
            self.said = said;
        }
    }

    /// The run goes from its node to `to`, or back: of a step that is not completed any more nobody
    /// has gone on.
    fn walks(&mut self, doc: &StateDoc, to: &NodeId) {
        let moves = self.node.as_ref().is_some_and(|from| from != to);
        let before = self.doc.as_ref().map_or(0, |doc| doc.steps_completed().len());
        if !moves && doc.steps_completed().len() >= before {
            return;
        }
        self.said = SaidInStep::default();
        if let Some(from) = self.node.clone().filter(|_| moves) {
            let way = (from, to.clone());
            self.walked.retain(|other| *other != way);
            self.walked.push(way);
        }
        let completed: BTreeSet<&NodeId> = doc.steps_completed().iter().collect();
        self.walked.retain(|(from, _)| completed.contains(from));
    }

    fn turn_finished(&mut self, e: &TurnFinished) {
        self.phase = e.phase;
        self.reason = Some(e.reason);
        self.activity = Activity::Resting;
        self.asking = false;
        self.mirror_blocked |=
            e.failure.as_ref().is_some_and(|f| f.code == ErrorCode::StoreWriteFailed);
    }
}
