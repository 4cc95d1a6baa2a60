//! How far a file is that the person puts back, as the journal tells.

use serde_json::json;
use std::sync::Arc;

use super::core::{CallStatus, Core, PutBack};
use super::machine::ExecutionEngine;
use crate::changed_files::CallFileChange;
use crate::chat::ToolCall;
use crate::effect::{Began, EffectId};
use crate::event::Event;
use crate::tool::{self, ParsedCall, ReceivedCall, ToolInput};

impl PutBack {
    /// What is done, as the host is told.
    pub(super) fn call(&self) -> Arc<ParsedCall> {
        let path = self.asked.path.clone();
        Arc::new(ParsedCall::of(ToolInput::PutBack(tool::put_back::Input { path })))
    }

    pub(super) fn wanted(&self) -> EffectId {
        let call = self.asked.call_id.clone();
        match self.status {
            CallStatus::Began(_) => EffectId::Perform(call),
            CallStatus::InDoubt(_) => EffectId::Settle(call),
            CallStatus::Waiting | CallStatus::Delegated | CallStatus::Recalled => {
                EffectId::Prepare(call)
            }
        }
    }
}

impl ExecutionEngine {
    /// What the person wants to be put back, as a log shows it.
    pub fn put_back_call(&self) -> Option<ReceivedCall> {
        let asked = &self.core.put_back.as_ref()?.asked;
        let (id, name) = (asked.call_id.clone(), tool::put_back::NAME.to_owned());
        let arguments = json!({ "path": asked.path }).to_string();
        Some(ReceivedCall::new(ToolCall { id, name, arguments }))
    }
}

impl Core {
    /// Folds what an event means for a file that is put back.
    pub(super) fn apply_to_put_back(&mut self, event: &Event, seq: u64) {
        match event {
            Event::PutBackAsked(e) => {
                let put_back = PutBack { asked: e.clone(), status: CallStatus::Waiting };
                self.put_back = Some(Box::new(put_back));
            }
            Event::PutBackBegan(e) => {
                let began = Began::from(e);
                self.files_begin(tool::rewind::changes(&began), seq);
                self.put_back
                    .iter_mut()
                    .for_each(|it| it.status = CallStatus::Began(began.clone()));
            }
            Event::PutBackEnded(e) => {
                let began = self.put_back.take().and_then(|it| it.status.began().cloned());
                let changes = began.as_ref().map(tool::rewind::changes).unwrap_or_default();
                let is_back = |change: &CallFileChange| {
                    e.restored.iter().any(|file| file.path == change.path)
                };
                let (back, left): (Vec<_>, Vec<_>) = changes.into_iter().partition(is_back);
                self.files.happened(back);
                self.files.did_not_happen(left);
            }
            Event::RunInterrupted(_) => {
                if let Some(it) = &mut self.put_back
                    && let CallStatus::Began(began) = &it.status
                {
                    it.status = CallStatus::InDoubt(began.clone());
                }
            }
            _ => {}
        }
    }
}
