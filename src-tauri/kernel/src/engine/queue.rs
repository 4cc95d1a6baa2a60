//! The queue of calls, worked off as far as the kernel can by itself: which calls it answers, and
//! how.

use serde_json::json;

use super::core::{Activity, CallStatus, QueuedCall};
use super::draft::LineDraft;
use super::requests::host_class;
use crate::chat::ToolCall;
use crate::code::{ErrorCode, Failure};
use crate::event::{Event, Phase, Reason, TodosUpdated, WidgetAsked};
use crate::ids::ChangeId;
use crate::phrase::engine as said;
use crate::policy::ToolPolicy;
use crate::tool::{
    self, EffectClass, ParsedCall, ReceivedCall, ToolInput, ask_user, todo_list, todo_write,
};
use crate::widget::{STATE_CHANGE_CONFIRM, TOOL_APPROVAL, Widget, WidgetKind};

impl LineDraft<'_> {
    /// Works the queue off as far as the kernel can by itself; then the host is wanted, or the
    /// next request, or the turn is over.
    pub(super) fn advance(&mut self) {
        while self.core.phase == Phase::Running && self.core.activity == Activity::Acting {
            let policy = self.policy();
            let at_work = self.core.delegated();
            let Some(head) = self.core.queue.get(at_work).cloned() else { break };
            // Sub-agents work side by side; what follows them waits for all.
            if at_work > 0 && !self.core.may_work_beside(&head.call) {
                return;
            }
            if self.core.asking && !asks_the_person(&head.call) {
                break;
            }
            if self.core.is_held(&head.call.id) {
                return;
            }
            let host = host_class(&self.core, &head, policy.as_ref()).is_some();
            let waits = head.status == CallStatus::Waiting;
            let refused = self.is_impossible_change(&head) || self.asks_in_vain(&head.call);
            if !waits || (host && !refused) {
                return;
            }
            self.answer_call(&head.call, policy.as_ref());
        }
        if self.core.asking && self.core.phase == Phase::Running {
            return self.rest_with_questions();
        }
        let of_task = self.core.task.as_ref().map(|task| task.assignment.max_steps);
        let limit = of_task.unwrap_or(u32::MAX).min(self.env().limits.max_turns).max(1);
        let thinking = self.core.phase == Phase::Running
            && self.core.activity == Activity::Thinking
            && self.core.held.is_none();
        if thinking && self.core.turn_requests >= limit {
            let failure =
                Failure::new(ErrorCode::EngineMaxTurnsExceeded, said::asked_too_often(limit))
                    .with_details(json!({ "maxTurns": limit }));
            self.finish(Phase::WaitingUser, Reason::Limit, Some(failure));
        }
    }

    /// Whether a call is a change of the state document that is refused whatever the files are:
    /// then no disk is asked.
    fn is_impossible_change(&self, queued: &QueuedCall) -> bool {
        let parsed = queued.call.parsed().ok();
        let change = parsed.filter(|parsed| parsed.class == EffectClass::WriteState);
        change.zip(self.policy()).is_some_and(|(parsed, policy)| {
            let old = self.core.doc.clone();
            old.is_none_or(|old| self.judge_change(&old, parsed, &policy, self.now).is_err())
        })
    }

    /// Answers a call that needs no host: refused, or about the state document or the person.
    pub(super) fn answer_call(&mut self, call: &ReceivedCall, policy: Option<&ToolPolicy>) {
        let parsed = match call.parsed() {
            Ok(parsed) => parsed,
            Err(failure) => return self.end_refused(call, failure),
        };
        let Some(policy) = policy.filter(|p| parsed.is_offered(p)) else {
            return self.end_refused(call, &not_offered(policy, parsed));
        };
        if let Some(failure) = tool::out_of_scope(policy, parsed) {
            return self.end_refused(call, &failure);
        }
        if self.asks_in_vain(call) {
            let task = self.core.task.clone();
            let folder = task.as_ref().and_then(|task| task.artifacts_dir.as_deref());
            return self.end_refused(call, &tool::would_ask(folder));
        }
        match (&parsed.input, parsed.class) {
            (ToolInput::Spawn(input), _) => self.delegate(call, parsed, input),
            (ToolInput::Report(input), _) => self.take_report(call, input),
            (ToolInput::AskUser(question), _) => self.ask_user(call, question),
            (ToolInput::TodoWrite(input), _) => self.write_todos(call, input),
            (ToolInput::TodoList(_), _) => {
                let output = todo_list::Output::of(&self.core.todos);
                self.end_at_once(call, tool::done(&output));
            }
            (_, EffectClass::WriteState) => {
                let result = self.change_state(call, parsed, policy);
                self.end_at_once(call, result);
            }
            (
                _,
                EffectClass::Read
                | EffectClass::WriteProject
                | EffectClass::Session
                | EffectClass::External
                | EffectClass::Delegate,
            ) => {}
        }
    }

    /// `todo.write`: changes the todos, or says why not.
    fn write_todos(&mut self, call: &ReceivedCall, input: &todo_write::Input) {
        let expected = input.args.expected_revision;
        let change = match self.core.todos.change(&input.command, expected) {
            Ok(change) => change,
            Err(refusal) => {
                let failure = todo_write::refused(&refusal, self.core.todos.items());
                return self.end_refused(call, &failure);
            }
        };
        if !change.is_noop() {
            self.push(Event::TodosUpdated(TodosUpdated {
                call_id: call.id.clone(),
                changed: change.changed.clone(),
                removed: change.removed.clone(),
            }));
        }
        let summary = self.core.todos.summary();
        let output = todo_write::Output::of(input.args.action, &change, summary);
        self.end_at_once(call, tool::done(&output));
    }

    /// `ui.ask_user`: shows the widget and ends the turn (spec 05 "Widgets").
    fn ask_user(&mut self, call: &ReceivedCall, question: &ask_user::Input) {
        let asked = question.widget().and_then(|w| Ok((self.bound_change(&w)?, w)));
        let (change_id, mut widget) = match asked {
            Ok(asked) => asked,
            Err(failure) => return self.end_refused(call, &failure),
        };
        let pending = self.core.confirm.pending();
        widget.cut = change_id.is_some() && pending.is_some_and(|change| change.cut);
        self.end_at_once(call, tool::done(&ask_user::Output::shown(&widget)));
        if self.core.phase != Phase::Running {
            // It was asked once too often.
            return;
        }
        let message_id = self.message_id();
        let call_id = call.id.clone();
        self.push(Event::WidgetAsked(WidgetAsked { message_id, call_id, widget, change_id }));
    }

    /// Ends the turn after the last question of a reply.
    pub(super) fn rest_with_questions(&mut self) {
        self.close_queue(
            ErrorCode::NotNow,
            "the call was not run: the turn ended with a question to the user",
        );
        self.finish(Phase::WaitingUser, Reason::Widget, None);
    }

    /// A confirmation of a state change is bound to the change that waits, if one does. Nothing
    /// else may look like one, or like the runtime's own question.
    fn bound_change(&self, widget: &Widget) -> Result<Option<ChangeId>, Failure> {
        let invalid = |message: String| Err(Failure::for_model(ErrorCode::InvalidArgs, message));
        if widget.widget_id == TOOL_APPROVAL || widget.is_of_server() {
            return invalid(format!("widgetId: `{}` is the runtime's own", widget.widget_id));
        }
        let named = widget.widget_id == STATE_CHANGE_CONFIRM;
        if named && widget.kind != WidgetKind::Confirmation {
            return invalid(format!("type: `{STATE_CHANGE_CONFIRM}` is a confirmation"));
        }
        if !named {
            return match &widget.change_id {
                None => Ok(None),
                Some(_) => invalid(format!(
                    "changeId: it needs widgetId `{STATE_CHANGE_CONFIRM}` and type confirmation"
                )),
            };
        }
        let pending = self.core.confirm.pending().map(|p| p.change_id.clone());
        match &widget.change_id {
            Some(named) if pending.as_ref().map(ChangeId::as_str) != Some(named) => {
                let message = format!("changeId: no change `{named}` waits for confirmation");
                Err(Failure::for_model(ErrorCode::InvalidArgs, message)
                    .with_details(json!({ "pendingChange": pending })))
            }
            Some(_) | None => Ok(pending),
        }
    }
}

/// Why a call of a tool is refused that is not on offer.
fn not_offered(policy: Option<&ToolPolicy>, call: &ParsedCall) -> Failure {
    let tool = tool::wire_name(call.name());
    let taken = policy.is_some_and(|policy| call.is_offered(&policy.without_skills_at_work()));
    if taken {
        let message = format!("the skill at work does not name `{tool}`");
        return Failure::for_model(ErrorCode::SkillToolsNarrowed, message).with_action_for_model(
            "Go on with the tools that it names, or ask the user to end the skill.",
        );
    }
    let message = format!("`{tool}` is switched off for this agent");
    Failure::for_model(ErrorCode::ToolNotAvailable, message)
}

/// Whether a call is a question to the person.
pub(super) fn asks_the_person(call: &ToolCall) -> bool {
    tool::find(&call.name).is_some_and(|t| t.name == tool::ask_user::NAME)
}
