//! Questions of servers: one that works on a call may ask the person to fill in a form. The call goes
//! on meanwhile, and what they fill in goes to the server and to no model.

use serde_json::Value;

use super::core::{Core, OpenWidget};
use super::draft::LineDraft;
use super::input::{Refusal, refusal};
use crate::code::ErrorCode;
use crate::event::{Event, Phase, Reason, RunResumed, WidgetAnswered, WidgetAsked};
use crate::ids::{CallId, MessageId};
use crate::phrase::engine as said;
use crate::widget;

impl Core {
    /// The question of a server that the person has not answered.
    pub fn server_question(&self) -> Option<&OpenWidget> {
        self.widgets.values().find(|open| open.asked.widget.is_of_server())
    }

    /// The call whose server asks is at its end: nobody waits for the answer any more.
    pub(super) fn close_server_questions(&mut self, call: &CallId) {
        self.widgets.retain(|_, open| {
            let asked = &open.asked;
            !asked.widget.is_of_server() || asked.call_id != *call
        });
    }
}

impl LineDraft<'_> {
    /// A server asks the person something while it works on a call.
    pub(super) fn server_asks(
        &mut self,
        call: &CallId,
        message: &str,
        schema: &Value,
    ) -> Result<(), Refusal> {
        let at_work = self.core.queue.iter().any(|q| q.call.id == *call && q.is_at_a_server());
        if !at_work || self.core.phase != Phase::Running || self.core.task.is_some() {
            return Err(refusal(ErrorCode::NotNow, said::nothing_running()));
        }
        let widget = widget::of_server(message, schema).map_err(Refusal)?;
        let (message_id, call_id) = (self.message_id(), call.clone());
        let asked = WidgetAsked { message_id, call_id, widget, change_id: None };
        self.push(Event::WidgetAsked(asked));
        self.finish(Phase::WaitingUser, Reason::Widget, None);
        Ok(())
    }

    /// The person's answer goes to the server, and the call goes on.
    pub(super) fn answer_server(
        &mut self,
        open: OpenWidget,
        id: &MessageId,
        value: Value,
        shown_ms: Option<u64>,
    ) {
        let asked = open.asked;
        self.push(Event::WidgetAnswered(WidgetAnswered {
            message_id: self.message_id(),
            widget_message_id: id.clone(),
            widget_id: asked.widget.widget_id,
            kind: asked.widget.kind,
            value,
            confirms: None,
            call_id: Some(asked.call_id),
            for_node_id: self.named_node(),
            shown_ms,
            files: Vec::new(),
        }));
        self.advance();
    }

    /// A call came to its end while its server still asked: the run goes on without an answer.
    pub(super) fn go_on_without_answer(&mut self, asked: bool) {
        if asked && self.core.phase == Phase::WaitingUser {
            self.push(Event::RunResumed(RunResumed {}));
        }
    }
}
