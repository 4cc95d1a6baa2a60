//! What the person does to files of the run, and how far it is, as the journal tells.

use std::sync::Arc;

use super::core::{AskedByPerson, ByPerson, CallStatus, Core};
use super::machine::ExecutionEngine;
use crate::changed_files::CallFileChange;
use crate::chat::ToolCall;
use crate::effect::{Began, EffectId};
use crate::event::{Event, Line, PutBackEnded, RewindAsked};
use crate::ids::CallId;
use crate::tool::rewind::RewindTarget;
use crate::tool::{self, ParsedCall, ReceivedCall, ToolInput};

impl AskedByPerson {
    fn of(event: &Event) -> Option<Self> {
        match event {
            Event::PutBackAsked(e) => Some(Self::File(e.clone())),
            Event::RewindAsked(e) => Some(Self::Step(e.clone())),
            _ => None,
        }
    }

    /// What logs call it.
    pub(super) fn call_id(&self) -> &CallId {
        match self {
            Self::File(asked) => &asked.call_id,
            Self::Step(asked) => &asked.call_id,
        }
    }

    /// What is done, as the host is told.
    pub(super) fn call(&self) -> Arc<ParsedCall> {
        Arc::new(ParsedCall::of(match self {
            Self::File(asked) => {
                ToolInput::PutBack(tool::put_back::Input { path: asked.path.clone() })
            }
            Self::Step(asked) => return rewind_call(&asked.target, asked.reason.as_deref()),
        }))
    }
}

/// What taking the run back is, as the host is told.
pub(super) fn rewind_call(target: &RewindTarget, reason: Option<&str>) -> Arc<ParsedCall> {
    Arc::new(ParsedCall::of(ToolInput::Rewind(target.call(reason))))
}

impl ByPerson {
    /// Nothing has been done yet.
    pub(super) fn asked(asked: AskedByPerson) -> Self {
        Self { asked, status: CallStatus::Waiting }
    }

    pub(super) fn wanted(&self) -> EffectId {
        let call = self.asked.call_id().clone();
        match self.status {
            CallStatus::Began(_) => EffectId::Perform(call),
            CallStatus::InDoubt(_) => EffectId::Settle(call),
            CallStatus::Waiting | CallStatus::Delegated | CallStatus::Recalled => {
                EffectId::Prepare(call)
            }
        }
    }

    /// Whether it undoes a rewind.
    pub(super) fn undoes(&self) -> bool {
        matches!(&self.asked, AskedByPerson::Step(asked) if asked.target.undo)
    }

    /// Whether it takes the run back to a step: whatever else is said to it waits.
    pub(super) fn is_rewind(&self) -> bool {
        matches!(self.asked, AskedByPerson::Step(_))
    }
}

impl ExecutionEngine {
    /// What the person does to files, as a log shows it: in this line, or since one before it.
    pub fn call_of_person(&self, line: &Line) -> Option<ReceivedCall> {
        let in_line = line.events.iter().find_map(AskedByPerson::of);
        let before = || self.core.by_person.as_ref().map(|it| it.asked.clone());
        let asked = in_line.or_else(before)?;
        let (id, call) = (asked.call_id().clone(), asked.call());
        let (name, arguments) = (call.tool().name.to_owned(), call.args().to_string());
        Some(ReceivedCall::new(ToolCall { id, name, arguments }))
    }
}

impl Core {
    /// The step to which the person takes the run back, while that is not at its end.
    pub fn going_back(&self) -> Option<&RewindAsked> {
        match &self.by_person.as_ref()?.asked {
            AskedByPerson::Step(asked) => Some(asked),
            AskedByPerson::File(_) => None,
        }
    }

    /// Folds what an event means for what the person does to files.
    pub(super) fn apply_to_what_the_person_does(&mut self, event: &Event, seq: u64) {
        match event {
            Event::PutBackAsked(_) | Event::RewindAsked(_) => {
                let asked = AskedByPerson::of(event).map(ByPerson::asked);
                self.by_person = asked.map(Box::new);
            }
            Event::PutBackBegan(e) | Event::RewindBegan(e) => {
                let began = Began::from(e);
                self.before_rewind.take_if(|_| matches!(event, Event::PutBackBegan(_)));
                self.files_begin(tool::rewind::changes(&began), seq);
                self.by_person
                    .iter_mut()
                    .for_each(|it| it.status = CallStatus::Began(began.clone()));
            }
            Event::PutBackEnded(e) => _ = self.files_are_back(e),
            Event::RewindEnded(e) => {
                let began = self.by_person.as_ref().and_then(|it| it.status.began().cloned());
                let back = self.files_are_back(&e.files);
                if e.files.failure.is_none() {
                    if let Some(prepared) = began.and_then(|began| began.restore) {
                        self.rewound_files(&back, &prepared);
                    }
                    // What was asked at the steps that are done again is asked again, or is not.
                    self.widgets.clear();
                    self.count_anew();
                }
            }
            Event::RunInterrupted(_) => {
                if let Some(it) = &mut self.by_person
                    && let CallStatus::Began(began) = &it.status
                {
                    it.status = CallStatus::InDoubt(began.clone());
                }
            }
            _ => {}
        }
    }

    /// Which files are back.
    fn files_are_back(&mut self, e: &PutBackEnded) -> Vec<CallFileChange> {
        let began = self.by_person.take().and_then(|it| it.status.began().cloned());
        let changes = began.as_ref().map(tool::rewind::changes).unwrap_or_default();
        let is_back =
            |change: &CallFileChange| e.restored.iter().any(|file| file.path == change.path);
        let (back, left): (Vec<_>, Vec<_>) = changes.into_iter().partition(is_back);
        self.files.happened(back.clone());
        self.files.did_not_happen(left);
        back
    }
}
