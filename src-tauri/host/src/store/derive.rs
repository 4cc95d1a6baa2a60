//! What a line means for the derived tables: a pure function, so that they can be rebuilt from
//! the journal at any time (spec 08).

use kernel::chat::{Role, ToolCall};
use kernel::event::{CallEnded, MessageImported, WidgetAnswered, WidgetAsked};
use kernel::event::{Event, Line, ModelFailed, ModelReplied, Phase, Reason, RunStarted};
use kernel::ids::{MessageId, NodeId};
use kernel::mention::{FileGiven, GivenFile};
use kernel::text::json_text;
use kernel::widget::WidgetKind;
use kernel::wire::{MessageRow, Origin};
use serde_json::{Value, json};

use super::sql::to_sql;

/// A widget's message learns its answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Submitted {
    pub(super) message_id: MessageId,
    pub(super) value: Value,
}

/// Everything one line changes in the derived tables.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Derived {
    /// New messages, in order.
    pub(super) messages: Vec<MessageRow>,
    /// Answers to widgets shown earlier or in this line.
    pub(super) submitted: Vec<Submitted>,
    /// Where the run stands afterwards, when the line says so.
    pub(super) phase: Option<(Phase, Option<Reason>)>,
    /// The node that it is at afterwards, when the line moves it.
    pub(super) node: Option<NodeId>,
    /// The first words a person said in it: a conversation that nobody named is called after them.
    pub(super) words: Option<String>,
}

/// What `line` means, for messages of `origin`.
pub(super) fn derive(line: &Line, origin: &Origin) -> Derived {
    let mut out = Derived::default();
    for (seq, event) in line.numbered() {
        let blank = |id: &MessageId, role: &str, content: String| MessageRow {
            id: id.clone(),
            seq,
            role: role.into(),
            content,
            thinking: None,
            tool_calls: None,
            tool_call_id: None,
            part_type: "content".into(),
            tool_name: None,
            duration_ms: None,
            widget: None,
            files: Vec::new(),
            origin: origin.clone(),
            include_in_context: true,
            full_output_path: None,
            created_at: line.at,
            turn: line.turn,
            tokens: None,
            usage: None,
        };
        if let Some(message) = message(event, blank) {
            out.messages.push(message);
        }
        if let Some(phase) = phase(event) {
            out.phase = Some(phase);
        }
        // Of the run's own workflow: the step that waits while others are worked on.
        if let Event::StateChanged(changed) = event
            && changed.title.is_none()
        {
            out.node = Some(changed.node_id.clone());
        }
        match event {
            Event::WidgetAnswered(e) => {
                out.submitted.push(Submitted {
                    message_id: e.widget_message_id.clone(),
                    value: e.value.clone(),
                });
                out.words = out.words.or_else(|| written(e));
            }
            Event::UserSaid(e) if out.words.is_none() => out.words = Some(e.text.clone()),
            Event::MessageImported(e) if out.words.is_none() && e.role == Role::User => {
                out.words = Some(e.text().to_owned());
            }
            _ => {}
        }
    }
    out
}

/// The first words that a person wrote into the fields of a form. One word may be a choice of a
/// list, and is none.
fn written(answer: &WidgetAnswered) -> Option<String> {
    let is_written = |text: &&str| text.trim().contains(char::is_whitespace) || !text.is_ascii();
    let fields = match answer.kind {
        WidgetKind::Form | WidgetKind::Feedback => answer.value.as_object()?,
        WidgetKind::Selection
        | WidgetKind::Confirmation
        | WidgetKind::PlanReview
        | WidgetKind::ActionSelection => return None,
    };
    fields.values().filter_map(Value::as_str).find(is_written).map(str::to_owned)
}

/// The phase after an event. Whatever a person sets going runs until `turn_finished` says where
/// it ended.
fn phase(event: &Event) -> Option<(Phase, Option<Reason>)> {
    match event {
        Event::RunStarted(RunStarted { origin: Some(origin), .. }) => {
            Some((origin.phase, origin.reason))
        }
        Event::RunStarted(_)
        | Event::UserSaid(_)
        | Event::WidgetAnswered(_)
        | Event::RunResumed(_) => Some((Phase::Running, None)),
        // A run at rest stays where it is: only unused clicks were lost.
        Event::RunInterrupted(e) if e.resting => None,
        Event::RunInterrupted(_) => Some((Phase::WaitingUser, Some(Reason::Interrupted))),
        Event::TurnFinished(e) => Some((e.phase, Some(e.reason))),
        _ => None,
    }
}

/// The message an event adds, made from a blank one.
fn message(
    event: &Event,
    blank: impl Fn(&MessageId, &str, String) -> MessageRow,
) -> Option<MessageRow> {
    match event {
        Event::UserSaid(e) => Some(MessageRow {
            files: seen(&e.files),
            ..blank(&e.message_id, "user", e.text.clone())
        }),
        // The words of the agent that asks for the sub-agent are to it what a person's are to a run.
        Event::TaskStarted(e) => {
            let id = MessageId::new(e.conversation_id.as_str()).ok()?;
            Some(blank(&id, "user", e.assignment.prompt.clone()))
        }
        Event::WidgetAnswered(e) => Some(MessageRow {
            // What the person allowed is told to the model by the call's own result.
            include_in_context: !e.is_of_call(),
            files: seen(&e.files),
            ..blank(&e.message_id, "user", e.message_text())
        }),
        Event::ModelReplied(e) => {
            Some(replied(e, blank(&e.message_id, "assistant", e.reply.text.clone())))
        }
        Event::CandidateAccepted(e) => Some(blank(&e.message_id, "assistant", e.text.clone())),
        Event::ModelFailed(e) => Some(failed(e, blank(&e.message_id, "assistant", String::new()))),
        Event::CallEnded(e) => Some(ended(e, blank(&e.message_id, "tool", json_text(&e.result)))),
        Event::WidgetAsked(e) => {
            Some(asked(e, blank(&e.message_id, "assistant", e.widget.message.clone())))
        }
        Event::MessageImported(e) => {
            Some(imported(e, blank(&e.message_id, &to_sql(&e.role), e.text().to_owned())))
        }
        _ => None,
    }
}

fn seen(files: &[GivenFile]) -> Vec<FileGiven> {
    files.iter().map(FileGiven::from).collect()
}

fn replied(e: &ModelReplied, row: MessageRow) -> MessageRow {
    let calls = &e.reply.calls;
    MessageRow {
        thinking: e.reply.thinking.clone(),
        tool_calls: (!calls.is_empty()).then(|| calls.iter().map(call).collect()),
        part_type: if calls.is_empty() { "content" } else { "tool_start" }.into(),
        duration_ms: Some(e.duration_ms),
        tokens: Some(e.reply.usage.completion_tokens),
        usage: Some(e.reply.usage),
        ..row
    }
}

fn call(call: &ToolCall) -> Value {
    json!({
        "id": call.id,
        "type": "function",
        "function": { "name": call.name, "arguments": call.arguments },
    })
}

/// Partial text is kept for the person and never in later context.
fn failed(e: &ModelFailed, row: MessageRow) -> MessageRow {
    let content = match e.partial.as_deref().filter(|t| !t.is_empty()) {
        Some(partial) => format!("{partial}\n\n{}", e.failure),
        None => e.failure.to_string(),
    };
    MessageRow { content, part_type: "error".into(), include_in_context: false, ..row }
}

fn ended(e: &CallEnded, row: MessageRow) -> MessageRow {
    MessageRow {
        part_type: "tool_result".into(),
        tool_call_id: Some(e.call_id.clone()),
        tool_name: Some(e.tool.clone()),
        duration_ms: Some(e.duration_ms),
        full_output_path: e.full_output.clone(),
        ..row
    }
}

/// The call that asked and its result are what the model sees; this row is for the person.
fn asked(e: &WidgetAsked, row: MessageRow) -> MessageRow {
    let mut widget = json!(e.widget);
    widget["submitted"] = false.into();
    MessageRow {
        widget: Some(widget),
        tool_call_id: Some(e.call_id.clone()),
        include_in_context: false,
        ..row
    }
}

/// As it stood in the other store.
fn imported(e: &MessageImported, row: MessageRow) -> MessageRow {
    let calls = &e.tool_calls;
    MessageRow {
        tool_calls: (!calls.is_empty()).then(|| calls.iter().map(call).collect()),
        tool_call_id: e.tool_call_id.clone(),
        part_type: e.part_type.clone(),
        tool_name: e.tool_name.clone(),
        duration_ms: e.duration_ms,
        widget: e.widget.clone(),
        origin: Origin {
            mode: e.mode.clone(),
            run_id: e.run_id.clone().or(row.origin.run_id.clone()),
            workflow_id: e.workflow_id.clone().or(row.origin.workflow_id.clone()),
            agent_id: e.agent_id.clone().or(row.origin.agent_id.clone()),
        },
        include_in_context: e.include_in_context,
        full_output_path: e.full_output_path.clone(),
        created_at: e.created_at,
        ..row
    }
}

#[cfg(test)]
mod tests;
