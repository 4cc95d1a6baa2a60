//! Messages of another store as items, so that they look as they do when they are lived.

use serde_json::Value;

use super::items::{ItemPosition, call_body, call_item, message, notice, notice_id, put};
use super::state::View;
use crate::chat::{Role, ToolCall};
use crate::code::{ErrorCode, Failure};
use crate::event::{ConversationOrigin, MessageImported, Phase, RunOrigin};
use crate::ids::CallId;
use crate::phrase::{Why, general};
use crate::tool::{CallResult, ReceivedCall};
use crate::widget::{STATE_CHANGE_CONFIRM, WidgetKind};
use crate::wire::{CallState, Frame, ItemBody, NoticeKind, Speaker};

impl View {
    pub(super) fn run_taken_over(
        &mut self,
        place: ItemPosition,
        origin: &RunOrigin,
        out: &mut Vec<Frame>,
    ) {
        self.completed = origin.phase == Phase::Completed;
        self.running = origin.phase == Phase::Running;
        self.goes_on = origin.locked.is_none();
        taken_over(place, &origin.conversation, origin.locked.clone(), out);
    }

    pub(super) fn message_imported(
        &mut self,
        place: ItemPosition,
        e: &MessageImported,
        out: &mut Vec<Frame>,
    ) {
        let place = ItemPosition { at: e.created_at, ..place };
        if e.role == Role::User {
            // Results come before the person's next words, or never.
            self.awaited.clear();
        }
        if let Some((widget_id, value)) = e.submission()
            && self.submitted(&widget_id, &value, out)
        {
            return;
        }
        if let Some(widget) = e.question() {
            let answer = e.answer();
            let confirms =
                widget.widget_id == STATE_CHANGE_CONFIRM && widget.kind == WidgetKind::Confirmation;
            let unbound = confirms && answer.is_none();
            let body = ItemBody::Question {
                widget,
                change: None,
                unbound,
                answer,
                files: Vec::new(),
                closed: false,
            };
            // An answered one waits for the message of its submission, which says nothing new.
            if let Some(item) = put(place, Some(e.message_id.clone()), body, out) {
                self.questions.insert(item.id.clone(), item);
            }
            return;
        }
        let id = Some(e.message_id.clone());
        let text = || e.text().to_owned();
        match (e.role, e.part_type.as_str()) {
            (Role::System, _) => {}
            (Role::User, _) => _ = put(place, id, message(Speaker::User, text()), out),
            (Role::Tool, _) => self.tool_imported(place, e, out),
            (Role::Assistant, "error") => {
                let said = general::in_its_words(Why::quoted(e.text()));
                let failure = Failure::new(code_in(e.text()), said);
                put(place, id, notice(NoticeKind::ModelError, Some(failure), self.goes_on), out);
            }
            (Role::Assistant, _) => self.reply_imported(place, e, out),
        }
    }

    fn reply_imported(&mut self, place: ItemPosition, e: &MessageImported, out: &mut Vec<Frame>) {
        let thinking = (e.part_type == "thinking").then(|| e.text().to_owned());
        let said = if thinking.is_some() { String::new() } else { e.text().to_owned() };
        if !said.trim().is_empty() || thinking.is_some() {
            let agent = e.agent_id.as_ref().map(ToString::to_string);
            let (by, streaming, cut, files) = (Speaker::Assistant, false, false, Vec::new());
            let body = ItemBody::Message { by, text: said, thinking, streaming, cut, files, agent };
            put(place, Some(e.message_id.clone()), body, out);
        }
        // A call without a result was cut off, whenever that was.
        for call in &e.tool_calls {
            let words = "the call was interrupted and has no result";
            let result = Failure::for_model(ErrorCode::Interrupted, words).to_tool_result();
            self.calls.extend(put(place, call_item(&call.id), cut_off(call, Some(result)), out));
            self.awaited.insert(call.id.clone());
        }
    }

    fn tool_imported(&mut self, place: ItemPosition, e: &MessageImported, out: &mut Vec<Frame>) {
        let own = CallId::new(e.message_id.as_str());
        let call_id = e.tool_call_id.clone().filter(|id| !id.is_empty()).unwrap_or(own);
        if self.call(&call_id).is_none() {
            let name = e.tool_name.clone().unwrap_or_else(|| "?".to_owned());
            let call = ToolCall { id: call_id.clone(), name, arguments: "{}".to_owned() };
            self.calls.extend(put(place, call_item(&call_id), cut_off(&call, None), out));
        }
        self.awaited.remove(&call_id);
        self.change_call(&call_id, out, |body| {
            if let ItemBody::Call { state, details, result, duration_ms, .. } = body {
                *state = if e.succeeded() { CallState::Done } else { CallState::Failed };
                let told = e.result();
                details.ended(&CallResult::of(&told));
                *result = Some(told);
                *duration_ms = e.duration_ms.unwrap_or(0);
            }
        });
    }

    /// The newest question of that id has its answer. False when there is none: then the words
    /// stay a message.
    fn submitted(&mut self, widget_id: &str, value: &Value, out: &mut Vec<Frame>) -> bool {
        let of_widget = self.questions.values().filter(
            |i| matches!(&i.body, ItemBody::Question { widget, .. } if widget.widget_id == widget_id),
        );
        let Some(id) = of_widget.max_by_key(|item| item.seq).map(|item| item.id.clone()) else {
            return false;
        };
        let Some(mut item) = self.questions.remove(&id) else { return false };
        if let ItemBody::Question { answer: answer @ None, unbound, .. } = &mut item.body {
            *answer = Some(value.clone());
            *unbound = false;
            out.push(Frame::Upsert { item: Box::new(item) });
        }
        true
    }
}

/// Says that a conversation was taken over, when, and why it cannot go on.
pub(super) fn taken_over(
    place: ItemPosition,
    origin: &ConversationOrigin,
    locked: Option<Failure>,
    out: &mut Vec<Frame>,
) {
    let body = notice(NoticeKind::Imported, locked, false);
    put(ItemPosition { at: origin.imported_at, ..place }, notice_id(place), body, out);
}

fn cut_off(call: &ToolCall, told: Option<Value>) -> ItemBody {
    let mut body = call_body(&ReceivedCall::new(call.clone()), false);
    if let ItemBody::Call { state, result, .. } = &mut body {
        *state = CallState::Failed;
        *result = told;
    }
    body
}

/// The code a stored failure names among its words.
fn code_in(text: &str) -> ErrorCode {
    let named = |word: &str| ErrorCode::ALL.iter().find(|code| code.as_str() == word).copied();
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .find_map(named)
        .unwrap_or(ErrorCode::LlmBadResponse)
}
