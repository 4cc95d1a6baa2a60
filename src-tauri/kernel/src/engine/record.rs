//! The growing part of the state: what later requests, snapshots and exports read. Appended to,
//! never cloned for a decision.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::notes;
use super::recorded::{Approval, FactRecord, RejectedCandidate, RevisionView};
use crate::chat::{ChatMessage, Reply, Role, ToolCall};
use crate::context::{AnchorAt, History, HistoryEntry};
use crate::event::{
    Author, CallEnded, ChangeProposed, CompactionReason, ConfirmationSpent, ContextCompacted,
    Decision, DecisionStatus, Event, Fact, FactKind, Line, MessageImported, Phase, PutBackEnded,
    Reason, RewindEnded, RunStarted, StateChanged, SubagentUpdated, UserSaid, WidgetAnswered,
    WidgetAsked,
};
use crate::facts::Evidence;
use crate::ids::{CallId, ChangeId, MessageId, NodeId, RunId};
use crate::mention::GivenFile;
use crate::mode::Mode;
use crate::path::AliasPath;
use crate::text::{json_text, sha256_hex};
use crate::time::Time;
use crate::tool::sent_back;
use crate::widget::{FOR_FOLDER, STATE_CHANGE_CONFIRM, UNSEEN, WHOLE, WidgetKind, instead};

/// What a run has gathered: it only grows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Record {
    /// The messages a model may see again.
    pub history: History,
    /// Where the latest anchor stands.
    pub anchor_at: AnchorAt,
    /// Index of the newest user input.
    pub turn_start: usize,
    /// The files that the newest user input mentions, as they were then.
    pub given: Vec<GivenFile>,
    /// Index of the first message since the current node was entered.
    pub node_start: usize,
    /// Index of the first message of the newest run.
    run_at: usize,
    /// Up to which event everything was accepted that the run did which waits.
    aside: Option<u64>,
    /// Every call id used.
    pub call_ids: BTreeSet<CallId>,
    /// Widgets that were answered.
    pub answered: BTreeSet<MessageId>,
    /// Facts in order.
    pub facts: Vec<FactRecord>,
    /// What they prove of each file.
    pub evidence: Evidence,
    /// How many facts there were when the present user turn began.
    pub turn_facts: usize,
    /// Whether the person said something with their last move, and did not only let it go on.
    pub spoken: bool,
    /// The event with which the model said something last, and asked for nothing; 0 for none.
    pub answered_at: u64,
    /// The event with which the person said something last; 0 for none.
    pub spoken_at: u64,
    /// The event with which they answered a question of the model last; 0 for none, and when they
    /// said no.
    pub question_answered_at: u64,
    /// The event with which they said no to such a question, and nothing else; 0 for none.
    pub question_refused_at: u64,
    /// The event with which the model was shown less of what was said last; 0 for none.
    pub compacted_at: u64,
    /// The event up to which everything the run did was accepted.
    pub accepted: u64,
    /// The newest words that were not accepted, until the person's next move.
    pub rejected: Option<RejectedCandidate>,
    /// Confirmations in order.
    pub approvals: Vec<Approval>,
    /// Accepted versions of the state document in order.
    pub revisions: Vec<RevisionView>,
    /// The last judgement.
    pub decision: Option<Decision>,
    /// Files that the person brought back, or could not: how many messages there were by then, and what
    /// logs call it.
    put_backs: Vec<(usize, CallId)>,
    /// Changes that were shown in a dialog nobody has answered.
    shown: BTreeMap<MessageId, ChangeProposed>,
    /// The newest change that was computed.
    proposed: Option<ChangeProposed>,
    place: Option<(NodeId, bool)>,
    run_id: Option<RunId>,
    newest_run: Option<RunId>,
    turn: u64,
    /// When the newest line was written.
    at: Time,
    /// What the turn may do was used up when it ended: to let it go on begins another.
    used_up: bool,
}

impl Record {
    /// Folds a line. Total.
    pub(super) fn apply_line(&mut self, line: &Line) {
        (self.turn, self.at) = (line.turn, line.at);
        if let Some(settings) = &line.settings {
            self.history.count_with(settings.tokenizer);
        }
        for (seq, event) in line.numbered() {
            self.apply(seq, line.at, event);
        }
    }

    fn turn_finished(&mut self, reason: Reason) {
        self.used_up = matches!(reason, Reason::Limit | Reason::NotAccepted);
    }

    fn apply(&mut self, seq: u64, at: Time, event: &Event) {
        match event {
            Event::UserSaid(e) => self.said(seq, e),
            Event::WidgetAnswered(e) => self.answered(seq, at, e),
            Event::RunResumed(_) => self.resumed(),
            Event::TurnFinished(e) => self.turn_finished(e.reason),
            Event::ModelReplied(e) => self.model_replied(seq, &e.reply),
            Event::CallEnded(e) => self.call_ended(seq, e),
            Event::PutBackEnded(e) => self.put_back(seq, e),
            Event::RewindEnded(e) => self.went_back(seq, e),
            Event::StateChanged(e) => self.state_changed(seq, at, e),
            Event::ChangeProposed(e) => self.proposed = Some(e.clone()),
            Event::WidgetAsked(e) => self.asked(e),
            Event::ConfirmationSpent(e) => self.spent(e),
            Event::ApprovalRevoked(e) => self.revoked(&e.change_id, at),
            Event::DecisionMade(e) => self.decided(seq, &e.decision),
            Event::CandidateRejected(e) => self.rejected = Some(RejectedCandidate::from(&**e)),
            Event::CandidateAccepted(e) => {
                (self.accepted, self.answered_at) = (seq, seq);
                self.rejected = None;
                self.replied(e.text.clone(), Vec::new());
            }
            Event::FactsUpdated(e) => self.found(seq, &e.facts),
            Event::SubagentUpdated(e) => self.subagent(seq, e),
            Event::TaskStarted(e) => self.run_id = Some(e.parent.run_id.clone()),
            Event::HookEnded(e) => self.found(seq, &e.facts),
            Event::RunStarted(e) => {
                self.run_id = Some(e.run_id.clone());
                self.newest_run.clone_from(&self.run_id);
                self.run_began(seq);
                self.place = begins_at(e);
                self.first_state(seq, at, e);
            }
            Event::ContextCompacted(e) => self.compacted(seq, e),
            Event::MessageImported(e) => self.imported(seq, e),
            Event::ModeChosen(e) => self.mode_chosen(seq, &e.with),
            Event::ConversationStarted(_)
            | Event::RunInterrupted(_)
            | Event::ModelSwitched(_)
            | Event::ModelFailed(_)
            | Event::CallBegan(_)
            | Event::CallReset(_)
            | Event::PutBackAsked(_)
            | Event::PutBackBegan(_)
            | Event::RewindAsked(_)
            | Event::RewindBegan(_)
            | Event::StateMirrored(_)
            | Event::StateRejected(_)
            | Event::TodosUpdated(_)
            | Event::CandidateHeld(_)
            | Event::HooksDue(_)
            | Event::SkillActivated(_)
            | Event::SkillEnded(_)
            | Event::RunEnded(_)
            | Event::CompactionDue(_)
            | Event::TaskEnded(_)
            | Event::Unrecognised(_) => {}
        }
    }

    fn mode_chosen(&mut self, seq: u64, with: &Mode) {
        // What of a run was not accepted yet is asked for again when the person is back at it.
        if *with == Mode::Run {
            self.accepted = self.aside.take().unwrap_or(self.accepted);
        } else {
            let accepted = std::mem::replace(&mut self.accepted, seq);
            self.aside = self.aside.or(self.run_id.is_some().then_some(accepted));
        }
        self.run_id = self.newest_run.clone().filter(|_| *with == Mode::Run);
        self.begins_anew();
    }

    /// The model is told anew what it is about, and what was judged before is judged no more.
    fn begins_anew(&mut self) {
        self.anchor_at = AnchorAt(self.history.next());
        self.turn_began();
        self.spoken = false;
        self.given.clear();
    }

    /// What an earlier run of the conversation came to is none of this one's.
    fn run_began(&mut self, seq: u64) {
        self.aside = None;
        self.accepted = seq.saturating_sub(1);
        self.evidence = Evidence::default();
        self.run_at = self.history.next();
        self.node_start = self.run_at;
        self.begins_anew();
        self.revisions.clear();
        self.decision = None;
    }

    fn said(&mut self, seq: u64, e: &UserSaid) {
        let words = e.told.as_ref().unwrap_or(&e.text);
        self.user(seq, words.clone(), e.for_node_id.clone());
        self.given.clone_from(&e.files);
    }

    fn resumed(&mut self) {
        self.anchor_at = AnchorAt(self.history.next());
        if std::mem::take(&mut self.used_up) {
            self.turn_began();
            self.spoken = false;
        }
    }

    fn model_replied(&mut self, seq: u64, reply: &Reply) {
        self.call_ids.extend(reply.calls.iter().map(|c| c.id.clone()));
        if reply.calls.is_empty() {
            self.answered_at = seq;
        }
        self.replied(reply.text.clone(), reply.calls.clone());
    }

    fn state_changed(&mut self, seq: u64, at: Time, e: &StateChanged) {
        let place = Some((e.node_id.clone(), e.complete));
        if self.place.as_ref().is_none_or(|(node, _)| *node != e.node_id) || e.switch.is_some() {
            self.node_start = self.history.next();
        }
        if self.place != place || e.switch.is_some() {
            self.place = place;
            self.anchor_at = AnchorAt(self.history.next());
        }
        let (sha256, by, call_id) = (e.sha256.clone(), e.by, e.call_id.clone());
        let node_id = Some(e.node_id.clone());
        let title = e.title.clone();
        self.revisions.push(RevisionView { seq, at, sha256, by, call_id, node_id, title });
    }

    fn compacted(&mut self, seq: u64, e: &ContextCompacted) {
        e.result.compaction.iter().for_each(|it| self.history.compact(it));
        self.compacted_at = seq;
        // What goes on from the state document alone knows nothing of what was said before.
        if e.why == CompactionReason::Fresh {
            self.given.clear();
        }
    }

    fn found(&mut self, seq: u64, facts: &[Fact]) {
        for fact in facts {
            self.fact(seq, None, fact.clone());
        }
    }

    fn decided(&mut self, seq: u64, decision: &Decision) {
        if decision.status == DecisionStatus::Accepted {
            self.accepted = seq;
        }
        self.decision = Some(decision.clone());
    }

    fn revoked(&mut self, change: &ChangeId, at: Time) {
        let mut given = self.approvals.iter_mut().rev();
        if let Some(revoked) = given.find(|a| a.change_id.as_ref() == Some(change)) {
            revoked.revoked_at = Some(at);
        }
    }

    fn first_state(&mut self, seq: u64, at: Time, e: &RunStarted) {
        if e.state.is_empty() {
            // A run that was taken over without a document.
            return;
        }
        let sha256 = crate::text::sha256_hex(e.state.as_bytes());
        let (by, node_id) = (Author::Runtime, e.node_id.clone());
        let (call_id, title) = (None, None);
        self.revisions.push(RevisionView { seq, at, sha256, by, call_id, node_id, title });
    }

    /// What a model saw in another store, it may see again.
    fn imported(&mut self, seq: u64, e: &MessageImported) {
        self.call_ids.extend(e.tool_calls.iter().map(|c| c.id.clone()));
        if e.answer().is_some() {
            self.answered.insert(e.message_id.clone());
        }
        if !e.in_context() {
            return;
        }
        let text = e.text().to_owned();
        match (e.role, &e.tool_call_id) {
            (Role::User, _) => self.user(seq, text, None),
            (Role::Assistant, _) => {
                let asked = e.question().filter(|_| text.trim().is_empty());
                let text = asked.map_or(text, |widget| widget.message);
                self.replied(text, e.tool_calls.clone());
            }
            (Role::Tool, Some(call_id)) => self.result(call_id.clone(), text),
            (Role::Tool | Role::System, _) => {}
        }
    }

    fn asked(&mut self, e: &WidgetAsked) {
        let shown = self.proposed.as_ref().filter(|c| e.change_id.as_ref() == Some(&c.change_id));
        if let Some(change) = shown {
            self.shown.insert(e.message_id.clone(), change.clone());
        }
    }

    fn spent(&mut self, e: &ConfirmationSpent) {
        let used = |a: &&mut Approval| match &e.change_id {
            Some(id) => a.change_id.as_ref() == Some(id),
            None => a.confirmed && !a.bound,
        };
        if let Some(given) = self.approvals.iter_mut().rev().find(used) {
            given.spent_by.get_or_insert_with(|| e.call_id.clone());
            given.calls.push(e.call_id.clone());
        }
    }

    fn answered(&mut self, seq: u64, at: Time, e: &WidgetAnswered) {
        self.answered.insert(e.widget_message_id.clone());
        let shown = self.shown.remove(&e.widget_message_id);
        let path = shown.as_ref().and_then(|c| c.path.clone());
        let confirmed = e.confirms_state_change() || (e.is_approval() && e.confirms.is_some());
        if e.widget_id == STATE_CHANGE_CONFIRM || e.is_approval() {
            let folder = path.as_ref().and_then(AliasPath::parent);
            let for_folder = e.value.get(FOR_FOLDER) == Some(&Value::Bool(true));
            self.approvals.push(Approval {
                at,
                confirmed,
                bound: shown.is_some(),
                unseen: e.value.get(UNSEEN) == Some(&Value::Bool(true)),
                whole: e.value.get(WHOLE).is_some(),
                tool: shown.as_ref().map(|c| c.tool.clone()),
                path: path.clone(),
                diff_sha256: shown.as_ref().map(|c| sha256_hex(c.diff.as_bytes())),
                folder: folder.filter(|_| e.is_approval() && confirmed && for_folder),
                change_id: shown.as_ref().map(|c| c.change_id.clone()),
                parts: shown.as_ref().map(|c| c.parts.clone()).unwrap_or_default(),
                summary: shown.map(|c| c.summary),
                spent_by: None,
                calls: Vec::new(),
                revoked_at: None,
            });
        }
        if confirmed {
            let mut fact = Fact::new(FactKind::UserConfirmed);
            fact.path = path.filter(|_| e.is_approval());
            self.fact(seq, e.call_id.clone(), fact);
        }
        // What the person allowed, or told a server, is told by the call's own result.
        if !e.is_of_call() {
            self.question_answered_at = if e.refuses() { 0 } else { seq };
            // Who refuses a plan, or says what they want instead, tells the model how to go on.
            let says = instead(&e.value).is_some();
            let is_bare = e.refuses() && e.kind == WidgetKind::Confirmation && !says;
            self.question_refused_at = if is_bare { seq } else { 0 };
            self.user(seq, e.message_text(), e.for_node_id.clone());
            self.given.clone_from(&e.files);
        }
    }

    fn call_ended(&mut self, seq: u64, e: &CallEnded) {
        let mut result = json_text(&e.result);
        // It is kept as long as the conversation is open.
        result.shrink_to_fit();
        self.result(e.call_id.clone(), result);
        for fact in &e.facts {
            self.fact(seq, Some(e.call_id.clone()), fact.clone());
            if let Some(record) = self.facts.last_mut() {
                record.tool = Some(e.tool.clone());
            }
        }
    }

    /// The model learns of it with what the person says next.
    fn put_back(&mut self, seq: u64, e: &PutBackEnded) {
        self.put_backs.push((self.history.next(), e.call_id.clone()));
        if !e.restored.is_empty() {
            let message = ChatMessage::user(notes::files_put_back(&e.restored));
            self.history.push(HistoryEntry::Note(Arc::new(message)));
        }
        self.facts_by_person(seq, e);
    }

    /// The same of the run that they took back to a step: whatever is done from here on begins a turn
    /// of its own.
    fn went_back(&mut self, seq: u64, e: &RewindEnded) {
        self.put_backs.push((self.history.next(), e.files.call_id.clone()));
        self.facts_by_person(seq, &e.files);
        if e.files.failure.is_some() {
            return;
        }
        self.turn_began();
        self.spoken = false;
        self.node_start = self.history.next();
        self.history.push(HistoryEntry::Note(Arc::new(ChatMessage::user(notes::went_back(e)))));
        self.anchor_at = AnchorAt(self.history.next());
    }

    fn facts_by_person(&mut self, seq: u64, e: &PutBackEnded) {
        e.facts.iter().for_each(|fact| self.fact(seq, Some(e.call_id.clone()), fact.clone()));
    }

    fn fact(&mut self, seq: u64, call_id: Option<CallId>, fact: Fact) {
        self.evidence.apply(seq, &fact);
        self.facts.push(FactRecord {
            seq,
            at: self.at,
            turn: self.turn,
            call_id,
            tool: None,
            run_id: self.run_id.clone(),
            agent_path: Vec::new(),
            fact,
        });
    }

    /// What a sub-agent did has its name, and that it began and how it ended, too.
    fn subagent(&mut self, seq: u64, e: &SubagentUpdated) {
        let call_id = Some(&e.subagent.call_id);
        for fact in &e.facts {
            self.fact(seq, call_id.cloned(), fact.clone());
            if let Some(record) = self.facts.last_mut() {
                record.agent_path = vec![e.subagent.agent_id.to_string()];
            }
        }
    }

    /// What has an end in the log of calls, in the order in which it ended.
    pub fn ended_calls(&self) -> Vec<&CallId> {
        let entries = self.history.entries().iter().enumerate();
        let results = entries.filter_map(|(at, entry)| Some((at, entry.answers()?)));
        let put_backs = self.put_backs.iter().map(|(at, call)| (*at, call));
        let mut ended: Vec<(usize, &CallId)> = put_backs.chain(results).collect();
        ended.retain(|(at, _)| *at >= self.run_at);
        ended.sort_by_key(|(at, _)| *at);
        ended.into_iter().map(|(_, call)| call).collect()
    }

    /// The facts of the present user turn: what the model did in it, and not what the person did.
    pub(super) fn facts_of_turn(&self) -> Vec<&Fact> {
        let of_person = |record: &FactRecord| {
            self.put_backs.iter().any(|(_, call)| record.call_id.as_ref() == Some(call))
        };
        let of_turn = self.facts.iter().skip(self.turn_facts);
        of_turn.filter(|record| !of_person(record)).map(|record| &record.fact).collect()
    }

    fn turn_began(&mut self) {
        self.turn_facts = self.facts.len();
        self.rejected = None;
    }

    fn replied(&mut self, text: String, calls: Vec<ToolCall>) {
        let tool_calls = calls.into_iter().map(sent_back).collect();
        let message = ChatMessage { tool_calls, ..ChatMessage::assistant(text) };
        self.history.push(HistoryEntry::Assistant(Arc::new(message)));
    }

    fn result(&mut self, call: CallId, content: String) {
        self.history.push(HistoryEntry::Tool(Arc::new(ChatMessage::tool(call, content))));
    }

    /// Input is anchored: the run directive stands right before it.
    fn user(&mut self, seq: u64, text: String, for_node: Option<NodeId>) {
        self.turn_began();
        self.spoken = true;
        self.spoken_at = seq;
        self.turn_start = self.history.next();
        self.anchor_at = AnchorAt(self.history.next());
        self.history.push(HistoryEntry::user(text, for_node));
        self.given.clear();
    }
}

/// Where a run stands from its first line on, and whether it is over: what changes neither moves no
/// anchor.
fn begins_at(e: &RunStarted) -> Option<(NodeId, bool)> {
    let over = e.origin.as_ref().is_some_and(|origin| origin.phase == Phase::Completed);
    e.node_id.clone().map(|node| (node, over))
}
