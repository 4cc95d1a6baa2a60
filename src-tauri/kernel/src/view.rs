//! Events into items and frames: what a window draws (law G, spec 09 "Frames").
//!
//! Events are applied once, here, so that no client has to do it. Never read by the engine.

use std::sync::Arc;

use crate::code::ErrorCode;
use crate::event::{
    Author, CallEnded, ChangeProposed, ConversationStarted, Event, Line, ModeChosen, ModelFailed,
    ModelReplied, Phase, Reason, RunStarted, StateChanged, StateRejected, TaskStarted,
    TurnFinished, UserSaid, WidgetAnswered, WidgetAsked,
};
use crate::ids::MessageId;
use crate::mention::FileGiven;
use crate::mode::Mode;
use crate::snapshot::change_view;
use crate::state_doc;
use crate::tool::CallResult;
use crate::widget::{STATE_CHANGE_CONFIRM, WidgetKind};
use crate::wire::{CallState, Frame, ItemBody, NoticeKind, Speaker};

mod decisions;
mod evidence;
mod hooks;
mod imported;
mod items;
mod outcome;
mod state;
mod steps;

use decisions::{
    changed_by_others, ended, mode_chosen, put_back, shortened, skill_began, skill_ended,
};
pub use evidence::GatheredEvidence;
use hooks::{held, hook_ended};
use imported::taken_over;
use items::{ItemPosition, call_body, call_item, message, notice, notice_id, put};
pub use outcome::{Unchanged, call_state, state_of_refused};
pub use state::View;

impl View {
    /// A view that has folded a journal.
    pub fn replay<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Self {
        let mut view = Self::default();
        for line in lines {
            view.project(line);
        }
        view
    }

    /// Folds a line and returns what changed on the screen, in order.
    pub fn project(&mut self, line: &Line) -> Vec<Frame> {
        let mut frames = Vec::new();
        for (seq, event) in line.numbered() {
            if sets_going(event) {
                self.running = true;
                self.judged = None;
            }
            if !matches!(event, Event::MessageImported(_)) {
                self.awaited.clear();
            }
            let place = ItemPosition { seq, at: line.at };
            self.unchanged(place, event, &mut frames);
            self.event(place, event, &mut frames);
        }
        // In its own line a call that ended may still get its diff, or give way to its widget.
        self.forget_what_ended();
        frames
    }

    /// That the steps stay in order, where a call would have changed it; and what a turn's last
    /// words may claim although it was refused, below them.
    fn unchanged(&mut self, place: ItemPosition, event: &Event, out: &mut Vec<Frame>) {
        if let Some(kept) = self.unchanged.order_kept(event) {
            let (kind, parts) = (NoticeKind::OrderKept, vec![kept]);
            let body = ItemBody::Notice { kind, failure: None, parts, can_resume: false };
            put(place, notice_id(place), body, out);
        }
        let parts = self.unchanged.apply(event);
        if !parts.is_empty() {
            let (kind, failure) = (NoticeKind::Unchanged, None);
            let body = ItemBody::Notice { kind, failure, parts, can_resume: false };
            put(place, MessageId::new(format!("unchanged-{}", place.seq)).ok(), body, out);
        }
    }

    fn event(&mut self, place: ItemPosition, event: &Event, out: &mut Vec<Frame>) {
        match event {
            Event::RunStarted(e) => self.run_started(place, e, out),
            Event::TaskStarted(e) => task_started(place, e, out),
            Event::ConversationStarted(e) => self.conversation_started(place, e, out),
            Event::ModeChosen(e) => self.mode_chosen(place, e, out),
            Event::SkillActivated(e) => skill_began(place, e, out),
            Event::SkillEnded(e) => skill_ended(place, e, out),
            Event::UserSaid(e) => said(place, e, out),
            Event::WidgetAnswered(e) => self.answered(e, out),
            // A run at rest only loses an unused confirmation; that is no interruption to a person.
            Event::RunInterrupted(e) if !self.running && e.in_doubt.is_empty() => {}
            Event::RunInterrupted(_) => {
                self.running = false;
                self.mark_in_doubt(out);
                put(place, notice_id(place), notice(NoticeKind::Interrupted, None, true), out);
            }
            Event::ModelSwitched(_) => {
                put(place, notice_id(place), notice(NoticeKind::ModelSwitched, None, false), out);
            }
            Event::ModelReplied(e) => self.replied(place, e, out),
            Event::ModelFailed(e) => failed(place, e, out),
            Event::CallEnded(e) => self.call_ended(e, out),
            Event::StateChanged(e) => self.state_changed(place, e, out),
            Event::StateRejected(e) => state_rejected(place, e, out),
            Event::ChangeProposed(e) => self.proposed(e, out),
            Event::WidgetAsked(e) => self.asked(place, e, out),
            Event::CandidateHeld(e) => held(place, e, out),
            Event::HookEnded(e) => hook_ended(place, e, out),
            Event::CandidateRejected(e) => {
                self.candidate = Some((e.message_id.clone(), e.reply.text.clone()));
            }
            Event::DecisionMade(e) => self.decided(place, &e.decision, out),
            Event::CandidateAccepted(e) => self.overruled(place, e, out),
            Event::FactsUpdated(e) => changed_by_others(place, &e.facts, out),
            Event::PutBackEnded(e) => put_back(place, e, out),
            Event::RewindEnded(e) => self.went_back(place, e, out),
            Event::RunEnded(e) => ended(place, e, out),
            Event::ContextCompacted(e) => shortened(place, e, out),
            Event::TurnFinished(e) => self.finished(place, e, out),
            Event::MessageImported(e) => self.message_imported(place, e, out),
            Event::RunResumed(_)
            | Event::CallBegan(_)
            | Event::CallReset(_)
            | Event::PutBackAsked(_)
            | Event::PutBackBegan(_)
            | Event::RewindAsked(_)
            | Event::RewindBegan(_)
            | Event::StateMirrored(_)
            | Event::ConfirmationSpent(_)
            | Event::ApprovalRevoked(_)
            | Event::TodosUpdated(_)
            | Event::HooksDue(_)
            | Event::SubagentUpdated(_)
            | Event::TaskEnded(_)
            | Event::CompactionDue(_)
            | Event::Unrecognised(_) => {}
        }
    }

    fn conversation_started(
        &mut self,
        place: ItemPosition,
        e: &ConversationStarted,
        out: &mut Vec<Frame>,
    ) {
        self.talks = e.mode != Mode::Run;
        e.origin.iter().for_each(|origin| taken_over(place, origin, None, out));
    }

    fn mode_chosen(&mut self, place: ItemPosition, e: &ModeChosen, out: &mut Vec<Frame>) {
        self.turns_to(&e.with, out);
        mode_chosen(place, e, out);
    }

    fn run_started(&mut self, place: ItemPosition, e: &RunStarted, out: &mut Vec<Frame>) {
        self.begins_a_run(out);
        self.document = Arc::from(e.state.as_str());
        match &e.origin {
            None => {
                put(place, notice_id(place), notice(NoticeKind::Started, None, false), out);
                self.enters(place, e.node_id.as_ref(), out);
            }
            Some(origin) => {
                self.node.clone_from(&e.node_id);
                self.run_taken_over(place, origin, out);
            }
        }
    }

    fn replied(&mut self, place: ItemPosition, e: &ModelReplied, out: &mut Vec<Frame>) {
        if e.reply.text.trim().is_empty() && e.reply.thinking.is_none() {
            // Nothing was said; what may have streamed (white space) goes again.
            out.push(Frame::Remove { id: e.message_id.clone() });
        } else {
            let body = ItemBody::Message {
                by: Speaker::Assistant,
                text: e.reply.text.clone(),
                thinking: e.reply.thinking.clone(),
                streaming: false,
                cut: e.reply.finish == crate::chat::Finish::Length,
                agent: e.agent_id.as_ref().map(ToString::to_string),
                files: Vec::new(),
            };
            put(place, Some(e.message_id.clone()), body, out);
        }
        for call in e.calls() {
            let body = call_body(call, e.reply.repaired);
            self.calls.extend(put(place, call_item(&call.id), body, out));
        }
    }

    fn call_ended(&mut self, e: &CallEnded, out: &mut Vec<Frame>) {
        self.close_approval(&e.call_id, out);
        let proposed = std::mem::take(&mut self.unshown) && !e.ok;
        let shown_diff = self.change.as_ref().filter(|_| proposed).map(|c| c.diff.clone());
        self.change_call(&e.call_id, out, |body| {
            if let ItemBody::Call { state, details, result, duration_ms, diff, .. } = body {
                *state = call_state(e.ok, &e.result);
                details.ended(&CallResult::of(&e.result));
                *result = Some(e.result.clone());
                *duration_ms = e.duration_ms;
                if shown_diff.is_some() {
                    *diff = shown_diff;
                }
            }
        });
    }

    fn state_changed(&mut self, place: ItemPosition, e: &StateChanged, out: &mut Vec<Frame>) {
        let before = std::mem::replace(&mut self.document, Arc::from(e.text.as_str()));
        if let Some(call_id) = &e.call_id {
            self.change_call(call_id, out, |body| {
                if let ItemBody::Call { diff, .. } = body {
                    *diff = Some(state_doc::diff(&before, &e.text).text);
                }
            });
        }
        let again = e.call_id.as_ref().is_some_and(|call| self.goes_back(call));
        self.stands_at(place, e, again, out);
        // What the person ended, or took back, is told by its own notice.
        if e.by == Author::User && !e.to_be_written {
            put(place, notice_id(place), notice(NoticeKind::StateAdopted, None, false), out);
        }
    }

    fn proposed(&mut self, e: &ChangeProposed, out: &mut Vec<Frame>) {
        let shown = change_view(e);
        match &e.call_id {
            None => self.unshown = true,
            Some(call_id) => self.change_call(call_id, out, |body| {
                if let ItemBody::Call { state, diff, .. } = body {
                    *state = CallState::Waiting;
                    *diff = Some(shown.diff.clone()).filter(|diff| !diff.is_empty());
                }
            }),
        }
        self.change = Some(shown);
    }

    fn asked(&mut self, place: ItemPosition, e: &WidgetAsked, out: &mut Vec<Frame>) {
        let change = self.change.as_ref().filter(|c| Some(&c.id) == e.change_id.as_ref()).cloned();
        if change.as_ref().is_some_and(|c| c.call_id.is_some()) {
            self.close_approval(&e.call_id, out);
        } else if e.widget.is_of_server() {
            self.change_call(&e.call_id, out, |body| {
                if let ItemBody::Call { state, .. } = body {
                    *state = CallState::Waiting;
                }
            });
        } else if let Some(at) = self.call(&e.call_id) {
            // The widget stands for its call.
            let call = self.calls.remove(at);
            out.push(Frame::Remove { id: call.id });
        }
        let confirms =
            e.widget.widget_id == STATE_CHANGE_CONFIRM && e.widget.kind == WidgetKind::Confirmation;
        let unbound = confirms && change.is_none();
        let body = ItemBody::Question {
            widget: e.widget.clone(),
            change: change.map(Box::new),
            unbound,
            answer: None,
            files: Vec::new(),
            closed: false,
        };
        if let Some(item) = put(place, Some(e.message_id.clone()), body, out) {
            self.questions.insert(item.id.clone(), item);
        }
    }

    fn answered(&mut self, e: &WidgetAnswered, out: &mut Vec<Frame>) {
        let Some(mut item) = self.questions.remove(&e.widget_message_id) else { return };
        if let ItemBody::Question { answer, files, .. } = &mut item.body {
            *answer = Some(e.value.clone());
            *files = e.files.iter().map(FileGiven::from).collect();
        }
        out.push(Frame::Upsert { item: Box::new(item) });
        if let Some(call_id) = &e.call_id {
            self.change_call(call_id, out, |body| {
                if let ItemBody::Call { state, .. } = body {
                    *state = CallState::Running;
                }
            });
        }
    }

    fn finished(&mut self, place: ItemPosition, e: &TurnFinished, out: &mut Vec<Frame>) {
        self.running = false;
        let first_time = e.phase == Phase::Completed && !self.completed;
        if !self.talks {
            self.completed = e.phase == Phase::Completed;
        }
        let refused_by_disk =
            e.failure.as_ref().is_some_and(|f| f.code == ErrorCode::StoreWriteFailed);
        let kind = match e.reason {
            Reason::Completed if first_time => NoticeKind::Completed,
            Reason::Stopped => NoticeKind::Stopped,
            Reason::Limit => NoticeKind::Limit,
            Reason::Failed if refused_by_disk => NoticeKind::StoreError,
            Reason::Completed
            | Reason::Answered
            | Reason::Widget
            | Reason::EndedEarly
            | Reason::Interrupted
            | Reason::NotAccepted
            | Reason::WentBack
            | Reason::Failed => return,
        };
        let can_resume = kind != NoticeKind::Completed;
        put(place, notice_id(place), notice(kind, e.failure.clone(), can_resume), out);
    }
}

/// What the person wrote, with the files that went along.
fn said(place: ItemPosition, e: &UserSaid, out: &mut Vec<Frame>) {
    let mut body = message(Speaker::User, e.text.clone());
    if let ItemBody::Message { files, .. } = &mut body {
        *files = e.files.iter().map(FileGiven::from).collect();
    }
    put(place, Some(e.message_id.clone()), body, out);
}

/// Text shown before a failure stays, marked as cut; a stop is told by its own notice.
fn failed(place: ItemPosition, e: &ModelFailed, out: &mut Vec<Frame>) {
    match e.partial.as_ref().filter(|text| !text.trim().is_empty()) {
        Some(text) => {
            let body = ItemBody::Message {
                by: Speaker::Assistant,
                text: text.clone(),
                thinking: None,
                streaming: false,
                cut: true,
                agent: e.agent_id.as_ref().map(ToString::to_string),
                files: Vec::new(),
            };
            put(place, Some(e.message_id.clone()), body, out);
        }
        None => out.push(Frame::Remove { id: e.message_id.clone() }),
    }
    if e.failure.code != ErrorCode::EngineAborted {
        let kind = match e.failure.code {
            ErrorCode::DemoOver => NoticeKind::DemoOver,
            _ => NoticeKind::ModelError,
        };
        let body = notice(kind, Some(e.failure.clone()), true);
        put(place, notice_id(place), body, out);
    }
}

/// What a sub-agent is to do: the words of the agent that asks for it.
fn state_rejected(place: ItemPosition, e: &StateRejected, out: &mut Vec<Frame>) {
    let body = notice(NoticeKind::StateRejected, Some(e.failure.clone()), false);
    put(place, notice_id(place), body, out);
}

fn task_started(place: ItemPosition, e: &TaskStarted, out: &mut Vec<Frame>) {
    put(place, notice_id(place), notice(NoticeKind::TaskStarted, None, false), out);
    let body = ItemBody::Message {
        by: Speaker::Assistant,
        text: e.assignment.prompt.clone(),
        thinking: None,
        streaming: false,
        cut: false,
        agent: Some(e.parent.agent_id.to_string()),
        files: Vec::new(),
    };
    put(place, MessageId::new(format!("task-{}", place.seq)).ok(), body, out);
}

/// Whatever a person sets going runs until the turn is finished.
fn sets_going(event: &Event) -> bool {
    matches!(
        event,
        Event::RunStarted(_)
            | Event::TaskStarted(_)
            | Event::UserSaid(_)
            | Event::WidgetAnswered(_)
            | Event::RunResumed(_)
    )
}
