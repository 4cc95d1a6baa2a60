//! Calls: which the kernel answers itself, what an outcome of the host means, what a result
//! proves.

use serde_json::{Value, json};

use super::core::CallStatus;
use super::decide::Draft;
use super::interruptions::not_tried_again;
use crate::code::{ErrorCode, Failure};
use crate::effect::{Called, Outcome, Settled};
use crate::event::{CallEnded, CallReset, Event, Fact, Phase, Reason, WidgetAsked};
use crate::ids::{CallId, ChangeId};
use crate::policy::ToolPolicy;
use crate::restore;
use crate::tool::{self, CallResult, EffectClass, ReceivedCall, ToolInput, ask_user, facts_of};
use crate::widget::{STATE_CHANGE_CONFIRM, TOOL_APPROVAL, Widget, WidgetKind};

impl Draft<'_> {
    /// What the effective agent may use, the state of this draft considered.
    pub(super) fn policy(&self) -> Option<ToolPolicy> {
        let run = self.core.run.as_ref()?;
        let graph = self.engine.graph().ok()?;
        let node = self.core.doc.as_ref().and_then(|doc| doc.effective_node(graph).ok());
        let of_node = node.and_then(|id| graph.node(&id)).and_then(|n| n.agent_id.as_ref());
        let agent = self.env().package.agent(of_node.unwrap_or(&run.agent_id));
        Some(self.env().limits.policy(agent.and_then(|a| a.tools.as_ref())))
    }

    /// Answers a call that needs no host: refused, or about the state document or the person.
    pub(super) fn answer_call(&mut self, call: &ReceivedCall, policy: Option<&ToolPolicy>) {
        let parsed = match call.parsed() {
            Ok(parsed) => parsed,
            Err(failure) => return self.end_refused(call, failure),
        };
        let Some(policy) = policy.filter(|p| parsed.tool().is_offered(p)) else {
            let message =
                format!("`{}` is switched off for this agent", tool::wire_name(parsed.tool().name));
            return self
                .end_refused(call, &Failure::for_model(ErrorCode::ToolNotAvailable, message));
        };
        match (&parsed.input, parsed.class) {
            (ToolInput::AskUser(question), _) => self.ask_user(call, question),
            (_, EffectClass::WriteState) => {
                let result = self.change_state(call, parsed, policy);
                self.end(call, called(result));
            }
            (
                _,
                EffectClass::Read
                | EffectClass::WriteProject
                | EffectClass::Session
                | EffectClass::External,
            ) => {}
        }
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
        let note = "The question is shown to the user; the answer comes as the next user input.";
        let result = json!({
            "ok": true, "status": "waiting_for_user", "widgetId": widget.widget_id, "note": note,
        });
        self.end(call, called(result));
        if self.core.phase != Phase::Running {
            // It was asked once too often.
            return;
        }
        let message_id = self.message_id();
        let call_id = call.id.clone();
        self.push(Event::WidgetAsked(WidgetAsked { message_id, call_id, widget, change_id }));
        self.asked = true;
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
        if widget.widget_id == TOOL_APPROVAL {
            return invalid(format!("widgetId: `{TOOL_APPROVAL}` is the runtime's own"));
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

    /// What the host reports of a call.
    pub(super) fn call_outcome(&mut self, id: &CallId, outcome: Outcome) {
        let Some(queued) = self.core.queue.iter().find(|q| q.call.id == *id).cloned() else {
            return;
        };
        let rewinds = queued.status.began().is_some_and(|began| began.restore.is_some());
        let doubted = matches!(queued.status, CallStatus::Doubted(_));
        match outcome {
            Outcome::Prepared(began) if began.restore.is_some() => {
                self.rewind_prepared(&queued.call, began);
            }
            Outcome::Called(result) if rewinds => self.rewound(&queued.call, result),
            Outcome::Settled(Settled::Happened(result)) if rewinds => {
                self.rewound(&queued.call, called(result));
            }
            // Whatever the host believes: what left no trace is never run a second time.
            Outcome::Settled(_) if doubted && !rewinds && !leaves_hashes(&queued.call) => {
                self.end_refused(&queued.call, &may_have_run());
            }
            Outcome::Settled(Settled::Unknown) => {
                self.end_refused(&queued.call, &may_have_run());
            }
            // Not even looked: the tool is gone, or a task of the host died.
            Outcome::Failed { .. } if doubted => self.end_refused(&queued.call, &may_have_run()),
            Outcome::Prepared(began) => self.prepared(&queued.call, began),
            Outcome::Previewed(preview) => self.previewed(&queued.call, preview),
            Outcome::Looked(missing) => {
                self.missing = missing;
                let policy = self.policy();
                self.answer_call(&queued.call, policy.as_ref());
                self.missing.clear();
            }
            Outcome::Called(result) => self.end(&queued.call, result),
            Outcome::Settled(Settled::Happened(result)) => self.end(&queued.call, called(result)),
            Outcome::Settled(Settled::NotHappened) if queued.overtaken => {
                let words = "the call was not run: the program ended, and the user went on since";
                let failure = Failure::for_model(ErrorCode::Interrupted, words);
                self.end_refused(&queued.call, &failure);
            }
            Outcome::Settled(Settled::NotHappened) if queued.is_given_up() => {
                self.end_refused(&queued.call, &not_tried_again());
            }
            Outcome::Settled(Settled::NotHappened) => {
                self.push(Event::CallReset(CallReset { call_id: id.clone() }));
            }
            Outcome::Settled(Settled::Foreign(now)) => {
                self.end_refused(&queued.call, &foreign_edit(&queued.status, now.as_ref()));
            }
            Outcome::Failed { failure, .. } => self.end_refused(&queued.call, &failure),
            Outcome::Replied { .. }
            | Outcome::StateDrifted(_)
            | Outcome::Mirrored
            | Outcome::StateEdited(_) => {}
        }
        self.advance();
    }

    /// Gives every call that has not begun a result that says it was not run, so that the
    /// protocol is closed. Calls that began keep their place: their outcome is still wanted.
    pub(super) fn close_queue(&mut self, code: ErrorCode, words: &str) {
        let waiting: Vec<ReceivedCall> = (self.core.queue.iter())
            .filter(|q| q.status == CallStatus::Waiting)
            .map(|q| q.call.clone())
            .collect();
        for call in waiting {
            let failure = Failure::for_model(code, words);
            self.push_ended(&call, called(failure.to_tool_result()));
        }
    }

    pub(super) fn end_refused(&mut self, call: &ReceivedCall, failure: &Failure) {
        self.end(call, called(failure.to_tool_result()));
    }

    /// Records a result, what follows from it, and whether it was one time too many.
    pub(super) fn end(&mut self, call: &ReceivedCall, result: Called) {
        let follow = !self.is_complete();
        let made = self.made(call, &result.result);
        let facts = self.push_ended(call, result);
        if follow {
            self.follow_files(&facts, &made);
        }
        let Some(found) = self.core.loops.found().cloned() else { return };
        if self.core.phase != Phase::Running {
            return;
        }
        self.close_queue(
            ErrorCode::EngineLoopDetected,
            "the call was not run: the model repeats itself",
        );
        let failure = Failure::new(ErrorCode::EngineLoopDetected, found.words())
            .with_details(json!({ "tools": found.tools, "times": found.times }));
        self.finish(Phase::WaitingUser, Reason::Limit, Some(failure));
    }

    fn push_ended(&mut self, call: &ReceivedCall, called: Called) -> Vec<Fact> {
        let parsed = call.parsed().ok().map(AsRef::as_ref);
        let read = CallResult::of(&called.result);
        let facts = facts_of(parsed, &read);
        let mut result = called.result;
        if matches!(parsed.map(|p| &p.input), Some(ToolInput::Rewind(_))) {
            restore::shorten(&mut result);
        }
        self.push(Event::CallEnded(CallEnded {
            call_id: call.id.clone(),
            message_id: self.message_id(),
            tool: call.tool_name().to_owned(),
            ok: read.ok,
            result,
            full_output: called.full_output,
            duration_ms: called.duration_ms,
            facts: facts.clone(),
        }));
        facts
    }
}

/// A result that took no time outside.
pub(super) fn called(result: Value) -> Called {
    Called { result, full_output: None, duration_ms: 0 }
}

/// Whether a call changes a file and nothing else, so that hashes tell what became of it. One
/// whose tool this program does not know may have done anything.
fn leaves_hashes(call: &ReceivedCall) -> bool {
    call.parsed().is_ok_and(|parsed| parsed.class == EffectClass::WriteProject)
}

/// A call that began before the program ended, and of which nothing tells whether it happened
/// (spec 05 "Effects journal").
fn may_have_run() -> Failure {
    Failure::for_model(
        ErrorCode::Interrupted,
        "the runtime ended while the call was running: it may have run, and it was not run again",
    )
    .with_details(json!({ "mayHaveRun": true }))
    .with_action_for_model("Find out what it did, or ask the user, before you call it again.")
}

fn foreign_edit(status: &CallStatus, now: Option<&String>) -> Failure {
    let began = status.began();
    Failure::for_model(
        ErrorCode::Interrupted,
        "the runtime ended while the file was being written, and someone changed the file since",
    )
    .with_details(json!({
        "expectedSha256": began.and_then(|b| b.post_hash.clone()),
        "previousSha256": began.and_then(|b| b.pre_hash.clone()),
        "actualSha256": now,
    }))
    .with_action_for_model("Read the file, then decide whether to write it again.")
}
