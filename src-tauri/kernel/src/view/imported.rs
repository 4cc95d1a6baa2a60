//! Messages of another store as items, so that they look as they do when they are lived.

use serde_json::Value;

use super::{View, call_item, message, notice, notice_id};
use crate::chat::{Role, ToolCall};
use crate::code::{ErrorCode, Failure};
use crate::event::{ConversationImported, MessageImported, Phase};
use crate::ids::CallId;
use crate::time::Time;
use crate::tool::{self, EffectClass};
use crate::widget::{STATE_CHANGE_CONFIRM, WidgetKind};
use crate::wire::{CallState, Frame, ItemBody, NoticeKind, Speaker};

impl View {
    pub(super) fn conversation_imported(
        &mut self,
        seq: u64,
        e: &ConversationImported,
        out: &mut Vec<Frame>,
    ) {
        let locked = e.run.as_ref().and_then(|run| run.locked.clone());
        if let Some(run) = &e.run {
            self.document = run.state.as_deref().unwrap_or_default().into();
            self.completed = run.phase == Phase::Completed;
            self.running = run.phase == Phase::Running;
            self.goes_on = locked.is_none();
        }
        let body = notice(NoticeKind::Imported, locked, false);
        self.put(e.imported_at, notice_id(seq), body, out);
    }

    pub(super) fn message_imported(&mut self, e: &MessageImported, out: &mut Vec<Frame>) {
        let (at, id) = (e.created_at, Some(e.message_id.clone()));
        let text = || e.text().to_owned();
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
            return self.put(
                at,
                id,
                ItemBody::Question { widget, change: None, unbound, answer },
                out,
            );
        }
        match (e.role, e.part_type.as_str()) {
            (Role::System, _) => {}
            (Role::User, _) => self.put(at, id, message(Speaker::User, text()), out),
            (Role::Tool, _) => self.tool_imported(e, out),
            (Role::Assistant, "error") => {
                let failure = Failure::new(code_in(e.text()), text());
                self.put(at, id, notice(NoticeKind::ModelError, Some(failure), self.goes_on), out);
            }
            (Role::Assistant, part) => {
                let thinking = (part == "thinking").then(text);
                let said = if thinking.is_some() { String::new() } else { text() };
                if !said.trim().is_empty() || thinking.is_some() {
                    let agent = e.agent_id.as_ref().map(ToString::to_string);
                    let (by, streaming, cut) = (Speaker::Assistant, false, false);
                    let body =
                        ItemBody::Message { by, text: said, thinking, streaming, cut, agent };
                    self.put(at, id, body, out);
                }
                for call in &e.tool_calls {
                    self.call_imported(at, call, out);
                }
            }
        }
    }

    /// A call without a result was cut off, whenever that was.
    fn call_imported(&mut self, at: Time, call: &ToolCall, out: &mut Vec<Frame>) {
        let words = "the call was interrupted and has no result";
        let result = Failure::new(ErrorCode::Interrupted, words).to_tool_result();
        self.put(at, call_item(&call.id), card(call, Some(result)), out);
    }

    fn tool_imported(&mut self, e: &MessageImported, out: &mut Vec<Frame>) {
        let own = CallId::new(e.message_id.as_str());
        let call_id = e.tool_call_id.clone().filter(|id| !id.is_empty()).unwrap_or(own);
        let known = call_item(&call_id).is_some_and(|id| self.index.contains_key(&id));
        if !known {
            let name = e.tool_name.clone().unwrap_or_else(|| "?".to_owned());
            let call = ToolCall { id: call_id.clone(), name, arguments: "{}".to_owned() };
            self.put(e.created_at, call_item(&call_id), card(&call, None), out);
        }
        self.change_call(&call_id, out, |body| {
            if let ItemBody::Call { state, result, duration_ms, .. } = body {
                *state = if e.succeeded() { CallState::Done } else { CallState::Failed };
                *result = Some(e.result());
                *duration_ms = e.duration_ms.unwrap_or(0);
            }
        });
    }

    /// The newest question of that id has its answer. False when there is none: then the words
    /// stay a message.
    fn submitted(&mut self, widget_id: &str, value: &Value, out: &mut Vec<Frame>) -> bool {
        let asked = self.items.iter_mut().rev().find(
            |i| matches!(&i.body, ItemBody::Question { widget, .. } if widget.widget_id == widget_id),
        );
        let Some(item) = asked else { return false };
        if let ItemBody::Question { answer: answer @ None, unbound, .. } = &mut item.body {
            *answer = Some(value.clone());
            *unbound = false;
            out.push(Frame::Put { item: Box::new(item.clone()) });
        }
        true
    }
}

fn card(call: &ToolCall, result: Option<Value>) -> ItemBody {
    let parsed = tool::parse_call(&call.name, &call.arguments).ok();
    let args = serde_json::from_str(&call.arguments)
        .unwrap_or_else(|_| Value::String(call.arguments.clone()));
    ItemBody::Call {
        call_id: call.id.clone(),
        tool: parsed.as_ref().map_or_else(|| call.name.clone(), |p| p.tool.name.to_owned()),
        path: parsed.as_ref().and_then(|p| p.path.clone()),
        class: parsed.map_or(EffectClass::Read, |p| p.class),
        args,
        state: CallState::Failed,
        result,
        duration_ms: 0,
        diff: None,
    }
}

/// The code a stored failure names among its words.
fn code_in(text: &str) -> ErrorCode {
    let named = |word: &str| ErrorCode::ALL.iter().find(|code| code.as_str() == word).copied();
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .find_map(named)
        .unwrap_or(ErrorCode::LlmBadResponse)
}
