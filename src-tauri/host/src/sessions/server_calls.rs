//! Calls of servers: what they ask the person meanwhile, the answers on their way back, and what
//! follows when one is no longer what the person trusts.

use kernel::code::{ErrorCode, Failure};
use kernel::effect::{EffectId, Outcome};
use kernel::engine::{Core, Input};
use kernel::event::{Event, Line, Phase};
use kernel::ids::MessageId;
use kernel::text::prefix;
use kernel::tool::CallResult;
use kernel::widget::declines;
use tokio::sync::oneshot;

use crate::mcp::{QuestionAnswer, ServerClients, ServerQuestion};
use crate::tools::ToolHost;

/// Bytes of a question in a server's words.
const MESSAGE_BYTES: usize = 16 * 1024;

/// Who waits for the person's answer to a server.
#[derive(Default)]
pub(super) struct ServerQuestions(Option<(MessageId, oneshot::Sender<QuestionAnswer>)>);

/// What a server asks during the call of this effect, for the engine.
pub(super) fn asked(id: &EffectId, question: &ServerQuestion, tools: &ToolHost) -> Option<Input> {
    let EffectId::Perform(call_id) = id else { return None };
    let message = tools.shown(prefix(&question.message, MESSAGE_BYTES));
    let schema = tools.shown_value(question.schema.clone());
    Some(Input::ServerAsks { call_id: call_id.clone(), message, schema })
}

impl ServerQuestions {
    /// The person is shown a question, or it cannot be shown: then it is declined.
    pub(super) fn shown(
        &mut self,
        question: ServerQuestion,
        shown: &Result<(), Failure>,
        core: &Core,
    ) {
        if let Err(failure) = shown {
            let words = &failure.message;
            tracing::info!(code = %failure.code, "a question of a server was declined: {words}");
        }
        match core.server_question().filter(|_| shown.is_ok()) {
            Some(open) => self.0 = Some((open.asked.message_id.clone(), question.answer)),
            // A server that is gone waits for nothing.
            None => _ = question.answer.send(QuestionAnswer::Declined),
        }
    }

    /// Passes on what the person answered with a line, or that they will not.
    pub(super) fn pass_on(&mut self, line: &Line, core: &Core) {
        let Some((asked, _)) = &self.0 else { return };
        let given = line.events.iter().find_map(|event| match event {
            Event::WidgetAnswered(e) if e.widget_message_id == *asked => Some(e.value.clone()),
            _ => None,
        });
        if given.is_none() && core.server_question().is_some() {
            return;
        }
        if let Some((_, answer)) = self.0.take() {
            let answered = match given {
                None => QuestionAnswer::Cancelled,
                Some(value) if declines(&value) => QuestionAnswer::Declined,
                Some(value) => QuestionAnswer::Filled(value),
            };
            _ = answer.send(answered);
        }
    }
}

/// Whether a server was not called because it is no longer what the person trusts: it is not offered
/// any more either.
pub(super) fn lost_trust(input: &Input) -> bool {
    let Input::Outcome(EffectId::Perform(_), Outcome::Called(called)) = input else { return false };
    CallResult::of(&called.result).code() == Some(ErrorCode::McpNotTrusted.as_str())
}

/// The servers of a run end with it.
pub(super) fn let_go_after(line: &Line, servers: &ServerClients) {
    let over =
        |event: &Event| matches!(event, Event::TurnFinished(e) if e.phase == Phase::Completed);
    if line.events.iter().any(over) {
        let servers = servers.clone();
        tokio::spawn(async move { servers.close().await });
    }
}
