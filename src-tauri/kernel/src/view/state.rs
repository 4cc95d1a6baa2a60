//! What a view keeps from one line to the next, and how what it shows is changed.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::outcome::Unchanged;
use crate::ids::{CallId, MessageId, NodeId};
use crate::mode::Mode;
use crate::tool::rewind;
use crate::wire::{CallState, ChangeView, Frame, Item, ItemBody};

/// What may still change on the screen, and what the next lines are shown against. Items that
/// cannot change any more are in the frames and nowhere else: a view is as small in a long
/// conversation as in a short one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// Calls without a result, in order. A
    /// [`JournalSnapshot`](crate::journal_snapshot::JournalSnapshot) has none.
    #[serde(skip)]
    pub(super) calls: Vec<Item>,
    /// Those of them that were imported: their results come in a later message, which may be in a
    /// later line. A [`JournalSnapshot`](crate::journal_snapshot::JournalSnapshot) has none.
    #[serde(skip)]
    pub(super) awaited: BTreeSet<CallId>,
    /// Widgets without an answer.
    pub(super) questions: BTreeMap<MessageId, Item>,
    /// Those of the run, while the person talks with somebody else.
    #[serde(default)]
    pub(super) aside: BTreeMap<MessageId, Item>,
    /// Whether they do.
    #[serde(default)]
    pub(super) talks: bool,
    /// The newest change that was proposed: a confirmation shows it.
    pub(super) change: Option<ChangeView>,
    /// Whether the call that proposed it is yet to show it, too.
    pub(super) unshown: bool,
    /// The accepted state document. A [`JournalSnapshot`](crate::journal_snapshot::JournalSnapshot)
    /// has it already.
    #[serde(skip)]
    pub(crate) document: Arc<str>,
    /// The step that the run is at.
    pub(super) node: Option<NodeId>,
    pub(super) completed: bool,
    pub(super) running: bool,
    /// Words that are judged later in the same line.
    #[serde(skip)]
    pub(super) candidate: Option<(MessageId, String)>,
    /// The judgement in place of words that the person may still let stand. A
    /// [`JournalSnapshot`](crate::journal_snapshot::JournalSnapshot) has none.
    #[serde(skip)]
    pub(super) judged: Option<Item>,
    /// What was refused in this turn.
    pub(super) unchanged: Unchanged,
    /// An imported run that is not locked.
    pub(super) goes_on: bool,
}

impl View {
    /// True while a call has no result, or rejected words may be let stand: an item will change, so
    /// no page may end here.
    pub fn may_change(&self) -> bool {
        !self.calls.is_empty() || self.judged.is_some()
    }

    /// Keeps no call that cannot change any more.
    pub(super) fn forget_what_ended(&mut self) {
        let awaited = &self.awaited;
        self.calls.retain(|item| is_open(&item.body) || is_one_of(awaited, &item.body));
    }

    /// Changes a call that has no result yet, and shows it anew.
    pub(super) fn change_call(
        &mut self,
        id: &CallId,
        out: &mut Vec<Frame>,
        change: impl FnOnce(&mut ItemBody),
    ) {
        let Some(at) = self.call(id) else { return };
        change(&mut self.calls[at].body);
        out.push(Frame::Upsert { item: Box::new(self.calls[at].clone()) });
    }

    /// Which of the calls without a result it is.
    pub(super) fn call(&self, id: &CallId) -> Option<usize> {
        let is_it =
            |item: &Item| matches!(&item.body, ItemBody::Call { call_id, .. } if call_id == id);
        self.calls.iter().position(is_it)
    }

    /// Whether a call without a result takes the run back to a step.
    pub(super) fn goes_back(&self, id: &CallId) -> bool {
        let tool = self.call(id).map(|at| &self.calls[at].body);
        matches!(tool, Some(ItemBody::Call { tool, .. }) if tool == rewind::NAME)
    }

    /// Whether a question waits for an answer, or can still be given one.
    pub(crate) fn asks(&self, question: &MessageId) -> bool {
        self.questions.contains_key(question) || self.aside.contains_key(question)
    }

    /// The person turns from the run, whose questions wait, or back to it. What was asked in a talk
    /// nobody needs to answer after it.
    pub(super) fn turns_to(&mut self, with: &Mode, out: &mut Vec<Frame>) {
        if self.talks {
            self.close_questions(out);
        } else {
            self.aside = std::mem::take(&mut self.questions);
        }
        self.talks = *with != Mode::Run;
        if !self.talks {
            self.questions = std::mem::take(&mut self.aside);
        }
    }

    /// Another run begins: the questions of the one before nobody needs to answer.
    pub(super) fn begins_a_run(&mut self, out: &mut Vec<Frame>) {
        self.close_questions(out);
        self.questions = std::mem::take(&mut self.aside);
        self.close_questions(out);
        (self.talks, self.completed, self.node) = (false, false, None);
    }

    /// Nobody needs to answer what was asked at steps that are done again.
    pub(super) fn close_questions(&mut self, out: &mut Vec<Frame>) {
        for (_, mut item) in std::mem::take(&mut self.questions) {
            item.close();
            out.push(Frame::Upsert { item: Box::new(item) });
        }
    }

    /// Nobody needs to answer about a call that has its result, or is shown anew.
    pub(super) fn close_approval(&mut self, call: &CallId, out: &mut Vec<Frame>) {
        let about = |item: &Item| match &item.body {
            ItemBody::Question { change: Some(change), .. } => {
                change.call_id.as_ref() == Some(call)
            }
            // One server is called at a time.
            ItemBody::Question { widget, .. } => widget.is_of_server(),
            _ => false,
        };
        let id = self.questions.iter().find(|(_, item)| about(item)).map(|(id, _)| id.clone());
        let Some(mut item) = id.and_then(|id| self.questions.remove(&id)) else { return };
        item.close();
        out.push(Frame::Upsert { item: Box::new(item) });
    }

    /// Calls that were at work when the program ended: their outcome is being found out.
    pub(super) fn mark_in_doubt(&mut self, out: &mut Vec<Frame>) {
        for item in &mut self.calls {
            if let ItemBody::Call { state: state @ CallState::Running, .. } = &mut item.body {
                *state = CallState::InDoubt;
                out.push(Frame::Upsert { item: Box::new(item.clone()) });
            }
        }
    }
}

fn is_open(body: &ItemBody) -> bool {
    matches!(
        body,
        ItemBody::Call { state: CallState::Running | CallState::Waiting | CallState::InDoubt, .. }
    )
}

fn is_one_of(calls: &BTreeSet<CallId>, body: &ItemBody) -> bool {
    matches!(body, ItemBody::Call { call_id, .. } if calls.contains(call_id))
}
