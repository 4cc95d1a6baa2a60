//! What became of a call as a person should see it, and what was left unchanged in a turn that
//! ends with words (an untrue sentence must not stand unmarked).

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

use crate::code::ErrorCode;
use crate::event::{Event, Reason};
use crate::ids::CallId;
use crate::path::{AliasPath, Mount};
use crate::phrase::{Phrase, changes};
use crate::tool::{CallResult, EffectClass};
use crate::wire::CallState;

/// How many of them are named.
const NAMED: usize = 5;

/// Where a call with this result stands.
pub fn call_state(ok: bool, result: &Value) -> CallState {
    if ok { CallState::Done } else { state_of_refused(CallResult::of(result).code()) }
}

/// Where a call stands that came to nothing. Only what needs a person is a failure; the rest the
/// model was told of, and handles.
pub fn state_of_refused(code: Option<&str>) -> CallState {
    match code.and_then(|code| serde_json::from_value(code.into()).ok()) {
        Some(ErrorCode::StateChangeRequiresConfirmation) => CallState::Asked,
        Some(ErrorCode::UserRefused) => CallState::Refused,
        Some(ErrorCode::NotFound) => CallState::Missing,
        Some(
            ErrorCode::Interrupted
            | ErrorCode::ToolExecFailed
            | ErrorCode::Io
            | ErrorCode::StoreWriteFailed
            | ErrorCode::StoreReadFailed
            | ErrorCode::Internal,
        )
        | None => CallState::Failed,
        Some(_) => CallState::Handled,
    }
}

/// What is told of a call that was refused because of the order of the steps.
fn kept_by(ok: bool, result: &Value) -> Option<Phrase> {
    let result = (!ok).then(|| CallResult::of(result))?;
    let code: ErrorCode = serde_json::from_value(result.code()?.into()).ok()?;
    match code {
        ErrorCode::InvalidTransition => Some(changes::no_such_move()),
        ErrorCode::ConditionNotMet => Some(changes::way_is_closed()),
        ErrorCode::NotAtEnd => Some(changes::not_at_the_end()),
        ErrorCode::OutputsMissing => Some(changes::promise_not_kept()),
        _ => None,
    }
}

/// The changes of a turn that were refused and not made since.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Unchanged {
    /// What the calls without a result would change.
    #[serde(skip)]
    calls: BTreeMap<CallId, Option<AliasPath>>,
    left: Vec<(Option<AliasPath>, CallState)>,
}

impl Unchanged {
    /// What is told when a call that would have moved the run ends, and was refused because of the
    /// order of the steps. To be asked before the event is folded.
    pub(super) fn order_kept(&self, event: &Event) -> Option<Phrase> {
        let Event::CallEnded(e) = event else { return None };
        let path = self.calls.get(&e.call_id)?.as_ref()?;
        (path.mount() == Mount::State).then(|| kept_by(e.ok, &e.result)).flatten()
    }

    /// Folds one event. At the end of a turn that ends with the model's words: what the words may
    /// claim although it is not so.
    pub fn apply(&mut self, event: &Event) -> Vec<Phrase> {
        match event {
            Event::UserSaid(_) => self.left.clear(),
            Event::RewindEnded(e) if e.files.failure.is_none() => self.left.clear(),
            Event::WidgetAnswered(e) if !e.is_of_call() => self.left.clear(),
            Event::ModelReplied(e) => {
                for call in e.calls() {
                    let Ok(parsed) = call.parsed() else {
                        continue;
                    };
                    let changes =
                        matches!(parsed.class, EffectClass::WriteProject | EffectClass::WriteState);
                    if changes && !parsed.is_dry_run() {
                        self.calls.insert(call.id.clone(), parsed.to().or(parsed.path()).cloned());
                    }
                }
            }
            Event::CallEnded(e) => {
                let Some(path) = self.calls.remove(&e.call_id) else { return Vec::new() };
                self.left.retain(|(left, _)| *left != path);
                let state = call_state(e.ok, &e.result);
                if !matches!(state, CallState::Done | CallState::Failed) {
                    self.left.push((path, state));
                }
            }
            Event::TurnFinished(e) if matches!(e.reason, Reason::Answered | Reason::Completed) => {
                let left = std::mem::take(&mut self.left);
                return left.into_iter().take(NAMED).map(says).collect();
            }
            _ => {}
        }
        Vec::new()
    }
}

fn says((path, state): (Option<AliasPath>, CallState)) -> Phrase {
    match (path, state) {
        (None, CallState::Asked) => changes::not_gone_back_unconfirmed(),
        (None, _) => changes::not_gone_back(),
        (Some(path), CallState::Asked) => changes::not_changed_unconfirmed(path),
        (Some(path), CallState::Refused) => changes::not_changed_refused(path),
        (Some(path), _) => changes::not_changed(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use serde_json::json;

    #[rstest]
    #[case("STATE_CHANGE_REQUIRES_CONFIRMATION", CallState::Asked)]
    #[case("USER_REFUSED", CallState::Refused)]
    #[case("ENOENT", CallState::Missing)]
    #[case("E_INVALID_TRANSITION", CallState::Handled)]
    #[case("E_SANDBOX_VIOLATION", CallState::Handled)]
    #[case("E_INTERRUPTED", CallState::Failed)]
    #[case("E_IO", CallState::Failed)]
    #[case("A_CODE_OF_A_NEWER_PROGRAM", CallState::Failed)]
    fn only_what_needs_a_person_is_a_failure(#[case] code: &str, #[case] state: CallState) {
        let result = json!({ "ok": false, "error": { "code": code, "message": "" } });
        assert_eq!(call_state(false, &result), state);
        assert_eq!(call_state(true, &json!({ "ok": true })), CallState::Done);
    }

    #[rstest]
    #[case("E_INVALID_TRANSITION", true)]
    #[case("E_CONDITION_NOT_MET", true)]
    #[case("E_NOT_AT_END", true)]
    #[case("E_OUTPUTS_MISSING", true)]
    #[case("E_SCHEMA_VALIDATION", false)]
    #[case("ENOENT", false)]
    fn what_breaks_the_order_of_the_steps_is_told(#[case] code: &str, #[case] told: bool) {
        let result = json!({ "ok": false, "error": { "code": code, "message": "" } });
        assert_eq!(kept_by(false, &result).is_some(), told);
        assert_eq!(kept_by(true, &json!({ "ok": true })), None);
    }
}
