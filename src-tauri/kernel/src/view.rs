//! Events into items and frames: what a window draws (spec 02 law G, spec 09).
//!
//! Folds once, here, so that the UI needs no fold of its own. Never read by the engine.

use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::code::ErrorCode;
use crate::event::{
    Author, CallEnded, ChangeProposed, Event, Line, ModelFailed, ModelReplied, Phase, Reason,
    StateChanged, TurnFinished, WidgetAnswered, WidgetAsked,
};
use crate::ids::{CallId, ChangeId, MessageId};
use crate::snapshot::change_view;
use crate::state_doc;
use crate::time::Time;
use crate::tool::{self, EffectClass};
use crate::widget::{STATE_CHANGE_CONFIRM, WidgetKind};
use crate::wire::{CallState, ChangeView, Frame, Item, ItemBody, NoticeKind, Speaker, Status};

mod imported;

/// The items of one conversation.
#[derive(Debug, Clone, Default)]
pub struct View {
    items: Vec<Item>,
    index: BTreeMap<MessageId, usize>,
    changes: BTreeMap<ChangeId, ChangeView>,
    last_change: Option<ChangeView>,
    document: Arc<str>,
    completed: bool,
    running: bool,
    /// An imported run that is not locked.
    goes_on: bool,
}

impl View {
    /// A view that has folded a journal.
    pub fn replay<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Self {
        let mut view = Self::default();
        for line in lines {
            view.project(line);
        }
        view
    }

    /// Everything, for a watcher that begins.
    pub fn whole(&self, status: Status) -> Frame {
        Frame::Whole { items: self.items.clone(), status: Box::new(status) }
    }

    /// Folds a line and returns what changed on the screen, in order.
    pub fn project(&mut self, line: &Line) -> Vec<Frame> {
        let mut frames = Vec::new();
        for (seq, event) in line.numbered() {
            self.running |= sets_going(event);
            self.event(seq, line.at, event, &mut frames);
        }
        frames
    }

    fn event(&mut self, seq: u64, at: Time, event: &Event, out: &mut Vec<Frame>) {
        match event {
            Event::RunStarted(e) => {
                self.document = Arc::from(e.state.as_str());
                self.put(at, notice_id(seq), notice(NoticeKind::Started, None, false), out);
            }
            Event::UserSaid(e) => {
                let body = message(Speaker::User, e.text.clone());
                self.put(at, Some(e.message_id.clone()), body, out);
            }
            Event::WidgetAnswered(e) => self.answered(e, out),
            // A run at rest only loses an unused confirmation; that is no interruption to a person.
            Event::RunInterrupted(e) if !self.running && e.in_doubt.is_empty() => {}
            Event::RunInterrupted(_) => {
                self.running = false;
                self.doubt(out);
                self.put(at, notice_id(seq), notice(NoticeKind::Interrupted, None, true), out);
            }
            Event::ModelReplied(e) => self.replied(at, e, out),
            Event::ModelFailed(e) => self.failed(seq, at, e, out),
            Event::CallEnded(e) => self.call_ended(e, out),
            Event::StateChanged(e) => self.state_changed(seq, at, e, out),
            Event::StateRejected(e) => {
                let body = notice(NoticeKind::StateRejected, Some(e.failure.clone()), false);
                self.put(at, notice_id(seq), body, out);
            }
            Event::ChangeProposed(e) => self.proposed(e),
            Event::WidgetAsked(e) => self.asked(at, e, out),
            Event::TurnFinished(e) => self.finished(seq, at, e, out),
            Event::ConversationImported(e) => self.conversation_imported(seq, e, out),
            Event::MessageImported(e) => self.message_imported(e, out),
            Event::RunResumed(_)
            | Event::CallBegan(_)
            | Event::CallReset(_)
            | Event::StateMirrored(_)
            | Event::ConfirmationSpent(_)
            | Event::DecisionMade(_) => {}
        }
    }

    fn replied(&mut self, at: Time, e: &ModelReplied, out: &mut Vec<Frame>) {
        if e.reply.text.trim().is_empty() && e.reply.thinking.is_none() {
            // Nothing was said; what may have streamed (white space) goes again.
            out.push(Frame::Gone { id: e.message_id.clone() });
        } else {
            let body = ItemBody::Message {
                by: Speaker::Assistant,
                text: e.reply.text.clone(),
                thinking: e.reply.thinking.clone(),
                streaming: false,
                cut: e.reply.finish == crate::chat::Finish::Length,
                agent: e.agent_id.as_ref().map(ToString::to_string),
            };
            self.put(at, Some(e.message_id.clone()), body, out);
        }
        for call in &e.reply.calls {
            let parsed = tool::parse_call(&call.name, &call.arguments).ok();
            let args = serde_json::from_str(&call.arguments)
                .unwrap_or_else(|_| Value::String(call.arguments.clone()));
            let body = ItemBody::Call {
                call_id: call.id.clone(),
                tool: parsed.as_ref().map_or_else(|| call.name.clone(), |p| p.tool.name.to_owned()),
                path: parsed.as_ref().and_then(|p| p.path.clone()),
                class: parsed.map_or(EffectClass::Read, |p| p.class),
                args,
                state: CallState::Running,
                result: None,
                duration_ms: 0,
                diff: None,
            };
            self.put(at, call_item(&call.id), body, out);
        }
    }

    /// Text shown before a failure stays, marked as cut; a stop is told by its own notice.
    fn failed(&mut self, seq: u64, at: Time, e: &ModelFailed, out: &mut Vec<Frame>) {
        match e.partial.as_ref().filter(|text| !text.trim().is_empty()) {
            Some(text) => {
                let body = ItemBody::Message {
                    by: Speaker::Assistant,
                    text: text.clone(),
                    thinking: None,
                    streaming: false,
                    cut: true,
                    agent: None,
                };
                self.put(at, Some(e.message_id.clone()), body, out);
            }
            None => out.push(Frame::Gone { id: e.message_id.clone() }),
        }
        if e.failure.code != ErrorCode::EngineAborted {
            let body = notice(NoticeKind::ModelError, Some(e.failure.clone()), true);
            self.put(at, notice_id(seq), body, out);
        }
    }

    fn call_ended(&mut self, e: &CallEnded, out: &mut Vec<Frame>) {
        let shown_diff = self.last_change.take().filter(|_| !e.ok).map(|c| c.diff);
        self.change_call(&e.call_id, out, |body| {
            if let ItemBody::Call { state, result, duration_ms, diff, .. } = body {
                *state = if e.ok { CallState::Done } else { CallState::Failed };
                *result = Some(e.result.clone());
                *duration_ms = e.duration_ms;
                if shown_diff.is_some() {
                    *diff = shown_diff;
                }
            }
        });
    }

    fn state_changed(&mut self, seq: u64, at: Time, e: &StateChanged, out: &mut Vec<Frame>) {
        let before = std::mem::replace(&mut self.document, Arc::from(e.text.as_str()));
        if let Some(call_id) = &e.call_id {
            let change = state_doc::diff(&before, &e.text);
            self.change_call(call_id, out, |body| {
                if let ItemBody::Call { diff, .. } = body {
                    *diff = Some(change);
                }
            });
        }
        if e.by == Author::User {
            self.put(at, notice_id(seq), notice(NoticeKind::StateAdopted, None, false), out);
        }
    }

    fn proposed(&mut self, e: &ChangeProposed) {
        let shown = change_view(e);
        self.changes.insert(e.change_id.clone(), shown.clone());
        self.last_change = Some(shown);
    }

    fn asked(&mut self, at: Time, e: &WidgetAsked, out: &mut Vec<Frame>) {
        // The widget stands for its call.
        if let Some(id) = call_item(&e.call_id) {
            self.remove(&id, out);
        }
        let change = e.change_id.as_ref().and_then(|id| self.changes.get(id)).cloned();
        let confirms =
            e.widget.widget_id == STATE_CHANGE_CONFIRM && e.widget.kind == WidgetKind::Confirmation;
        let unbound = confirms && change.is_none();
        let body = ItemBody::Question { widget: e.widget.clone(), change, unbound, answer: None };
        self.put(at, Some(e.message_id.clone()), body, out);
    }

    fn answered(&mut self, e: &WidgetAnswered, out: &mut Vec<Frame>) {
        let Some(&at) = self.index.get(&e.widget_message_id) else { return };
        if let ItemBody::Question { answer, .. } = &mut self.items[at].body {
            *answer = Some(e.value.clone());
        }
        out.push(Frame::Put { item: Box::new(self.items[at].clone()) });
    }

    fn finished(&mut self, seq: u64, at: Time, e: &TurnFinished, out: &mut Vec<Frame>) {
        self.running = false;
        let first_time = e.phase == Phase::Completed && !self.completed;
        self.completed = e.phase == Phase::Completed;
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
            | Reason::Interrupted
            | Reason::Failed => return,
        };
        let can_resume = kind != NoticeKind::Completed;
        self.put(at, notice_id(seq), notice(kind, e.failure.clone(), can_resume), out);
    }

    /// Calls that were at work when the program ended: their outcome is being found out.
    fn doubt(&mut self, out: &mut Vec<Frame>) {
        for item in &mut self.items {
            if let ItemBody::Call { state: state @ CallState::Running, .. } = &mut item.body {
                *state = CallState::Doubted;
                out.push(Frame::Put { item: Box::new(item.clone()) });
            }
        }
    }

    fn change_call(
        &mut self,
        id: &CallId,
        out: &mut Vec<Frame>,
        change: impl FnOnce(&mut ItemBody),
    ) {
        let Some(&at) = call_item(id).and_then(|id| self.index.get(&id)) else { return };
        change(&mut self.items[at].body);
        out.push(Frame::Put { item: Box::new(self.items[at].clone()) });
    }

    fn put(&mut self, at: Time, id: Option<MessageId>, body: ItemBody, out: &mut Vec<Frame>) {
        let Some(id) = id else { return };
        let item = Item { id: id.clone(), at, body };
        if let Some(&place) = self.index.get(&id) {
            self.items[place] = item.clone();
        } else {
            self.index.insert(id, self.items.len());
            self.items.push(item.clone());
        }
        out.push(Frame::Put { item: Box::new(item) });
    }

    fn remove(&mut self, id: &MessageId, out: &mut Vec<Frame>) {
        let Some(place) = self.index.remove(id) else { return };
        self.items.remove(place);
        for at in self.index.values_mut().filter(|at| **at > place) {
            *at -= 1;
        }
        out.push(Frame::Gone { id: id.clone() });
    }
}

/// Whatever a person sets going runs until the turn is finished.
fn sets_going(event: &Event) -> bool {
    matches!(
        event,
        Event::RunStarted(_) | Event::UserSaid(_) | Event::WidgetAnswered(_) | Event::RunResumed(_)
    )
}

fn message(by: Speaker, text: String) -> ItemBody {
    ItemBody::Message { by, text, thinking: None, streaming: false, cut: false, agent: None }
}

fn notice(kind: NoticeKind, failure: Option<crate::code::Failure>, can_resume: bool) -> ItemBody {
    ItemBody::Notice { kind, failure, can_resume }
}

fn notice_id(seq: u64) -> Option<MessageId> {
    MessageId::new(format!("notice-{seq}")).ok()
}

fn call_item(id: &CallId) -> Option<MessageId> {
    MessageId::new(format!("call-{id}")).ok()
}
