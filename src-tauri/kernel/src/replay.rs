//! Replays (spec 08 `.crewrun`): which input made a recorded line, and where a line that was
//! decided again differs from it.
//!
//! A journal holds what was decided, not what it was decided on. That is read off
//! [`decide`](crate::engine::ExecutionEngine::decide): each kind of input leaves a mark of its own
//! in the line it makes.
//!
//! Deliberately not here: carrying effects out again (the host).

use serde_json::{Value, json};

use crate::code::{ErrorCode, Failure};
use crate::effect::{Began, Called, EffectId, Outcome, Preview, Settled};
use crate::engine::{ExecutionEngine, Input, Limits, StartRun};
use crate::event::{
    Author, CallEnded, ChangeProposed, Event, Line, Reason, RunStarted, StateRejected,
};
use crate::policy::ApproveWrites;

mod difference;

pub use difference::{Difference, difference, taken_from_the_record};

/// What made a line.
#[derive(Debug, Clone, PartialEq)]
pub enum Cause {
    /// A person or the host spoke: the whole input is in the line.
    Said(Input),
    /// An effect came to its end, with this outcome as far as the line tells it: hashes and
    /// results are what a replay finds out for itself.
    Ended(EffectId, Outcome),
    /// A person's edit of the state document was refused before this request. The journal has the
    /// hash of the text and not the text.
    EditRefused {
        /// The request that found it.
        request: EffectId,
        /// SHA-256 of the refused text.
        sha256: String,
    },
}

/// What made `line`, the next one of a journal that `engine` has folded so far. Total: a line
/// without a mark is taken for a change of the settings, and deciding that again shows whether it
/// was one.
pub fn cause(engine: &ExecutionEngine, line: &Line) -> Cause {
    said(line)
        .map(Cause::Said)
        .or_else(|| ended(engine, line))
        .unwrap_or(Cause::Said(Input::LimitsChanged))
}

fn said(line: &Line) -> Option<Input> {
    line.events.iter().find_map(|event| match event {
        Event::RunStarted(e) => Some(Input::Start(start(e, line))),
        Event::UserSaid(e) => Some(Input::Say(e.text.clone())),
        Event::WidgetAnswered(e) => Some(Input::Answer {
            message_id: e.widget_message_id.clone(),
            value: e.value.clone(),
            shown_ms: e.shown_ms,
        }),
        Event::RunResumed(_) => Some(Input::Resume),
        Event::ModelSwitched(e) => Some(Input::UseModel { model: e.model.clone() }),
        Event::ApprovalRevoked(e) => Some(Input::Revoke(e.change_id.clone())),
        Event::RunInterrupted(_) => Some(Input::Reopened),
        Event::TurnFinished(e) if e.reason == Reason::Stopped => {
            Some(Input::Stop { partial: partial(line) })
        }
        _ => None,
    })
}

fn start(e: &RunStarted, line: &Line) -> StartRun {
    let input = line.events.iter().find_map(|event| match event {
        Event::UserSaid(said) => Some(said.text.clone()),
        _ => None,
    });
    StartRun {
        run_id: e.run_id.clone(),
        project_id: e.project_id.clone(),
        package_id: e.package_id.clone(),
        content_hash: e.content_hash.clone(),
        workflow_id: e.workflow_id.clone(),
        agent_id: e.agent_id.clone(),
        artifacts_dir: e.artifacts_dir.clone(),
        artifacts_ask: e.artifacts_ask,
        state: e.state.clone(),
        input,
        demo: e.demo,
    }
}

fn partial(line: &Line) -> Option<String> {
    line.events.iter().find_map(|event| match event {
        Event::ModelFailed(e) => e.partial.clone(),
        _ => None,
    })
}

fn ended(engine: &ExecutionEngine, line: &Line) -> Option<Cause> {
    if let Some(cause) = mirror_failed(engine, line) {
        return Some(cause);
    }
    let (id, outcome) = match first_after_click(line)? {
        Event::ModelReplied(e) => (
            EffectId::Think(e.request),
            Outcome::Replied {
                reply: e.reply.clone(),
                request_sha256: e.request_sha256.clone(),
                duration_ms: e.duration_ms,
            },
        ),
        Event::ModelFailed(e) => (
            EffectId::Think(e.request),
            Outcome::Failed { failure: e.failure.clone(), partial: e.partial.clone() },
        ),
        Event::CallBegan(e) => {
            let began = Began {
                pre_hash: e.pre_hash.clone(),
                post_hash: e.post_hash.clone(),
                pre_images: e.pre_images.clone(),
                restore: e.restore.clone(),
            };
            let preview = EffectId::Preview(e.call_id.clone());
            if engine.wanted().contains(&preview) {
                let (summary, parts, diff) = (String::new(), Vec::new(), String::new());
                (preview, Outcome::Previewed(Preview { began, summary, parts, diff, cut: false }))
            } else {
                (EffectId::Prepare(e.call_id.clone()), Outcome::Prepared(began))
            }
        }
        Event::ConfirmationSpent(e) => {
            let began = Began::default();
            (EffectId::Prepare(e.call_id.clone()), Outcome::Prepared(began))
        }
        // A rewind's files, found out so that the person could be asked.
        Event::ChangeProposed(e) if e.call_id.is_none() && e.restore.is_some() => {
            let began = Began { restore: e.restore.clone(), ..Began::default() };
            (EffectId::Prepare(ended_call(line)?.call_id.clone()), Outcome::Prepared(began))
        }
        // A change of the state document whose files were looked for first.
        Event::ChangeProposed(e) if e.call_id.is_none() => call_ended(engine, ended_call(line)?)?,
        Event::ChangeProposed(e) => (EffectId::Preview(e.call_id.clone()?), shown(e)),
        Event::CallReset(e) => {
            (EffectId::Settle(e.call_id.clone()), Outcome::Settled(Settled::NotHappened))
        }
        Event::CallEnded(e) => call_ended(engine, e)?,
        // A rewind that brought files back.
        Event::StateChanged(e) if e.by == Author::Model => call_ended(engine, ended_call(line)?)?,
        Event::StateChanged(e) if e.by == Author::User => {
            (next_request(engine), Outcome::StateDrifted(Some(e.text.clone())))
        }
        Event::StateRejected(e) => return Some(rejected(engine, e)),
        Event::StateMirrored(e) => (EffectId::Mirror(e.sha256.clone()), Outcome::Mirrored),
        _ => return None,
    };
    Some(Cause::Ended(id, outcome))
}

/// The event that tells what made a line: a click that is used is told before what it is used for.
fn first_after_click(line: &Line) -> Option<&Event> {
    let mut events = line.events.iter();
    let first = events.next()?;
    match first {
        Event::ConfirmationSpent(_) => events.next().or(Some(first)),
        _ => Some(first),
    }
}

fn shown(e: &ChangeProposed) -> Outcome {
    let pre_hash = Some(e.pre_hash.clone()).filter(|hash| !hash.is_empty());
    let began = Began { pre_hash, post_hash: e.post_hash.clone(), ..Began::default() };
    Outcome::Previewed(Preview {
        began,
        summary: e.summary.clone(),
        parts: e.parts.clone(),
        diff: e.diff.clone(),
        cut: e.cut,
    })
}

/// The settings under which a line was decided, as far as it tells: they may have been others when
/// the run was exported, and the program an older one, which asked less.
pub fn asking(line: &Line, exported: Limits) -> Limits {
    match line.events.first() {
        Some(Event::ChangeProposed(e)) if e.call_id.is_some() => {
            Limits { approve_writes: ApproveWrites::Ask, ..exported }
        }
        Some(Event::CallBegan(e)) if e.pre_hash != e.post_hash => {
            Limits { approve_writes: ApproveWrites::Auto, ask_self_starting: false, ..exported }
        }
        _ => exported,
    }
}

fn next_request(engine: &ExecutionEngine) -> EffectId {
    EffectId::Think(engine.core().requests + 1)
}

/// A disk that refused the state document ends the turn with a code that nothing else ends it
/// with.
fn mirror_failed(engine: &ExecutionEngine, line: &Line) -> Option<Cause> {
    let Some(Event::TurnFinished(e)) = line.events.last() else { return None };
    let failure = e.failure.clone().filter(|f| f.code == ErrorCode::StoreWriteFailed)?;
    let mirror = engine.wanted().into_iter().find(|id| matches!(id, EffectId::Mirror(_)))?;
    let first_is_the_models = matches!(line.events.first(), Some(Event::ModelFailed(_)));
    (!first_is_the_models)
        .then_some(Cause::Ended(mirror, Outcome::Failed { failure, partial: None }))
}

/// A mirror that is wanted comes before every request: while it is, it found the edit.
fn rejected(engine: &ExecutionEngine, e: &StateRejected) -> Cause {
    let mirror = engine.wanted().into_iter().find(|id| matches!(id, EffectId::Mirror(_)));
    match (mirror, &e.sha256) {
        (Some(mirror), Some(found)) => Cause::Ended(mirror, Outcome::StateEdited(found.clone())),
        (_, None) => Cause::Ended(next_request(engine), Outcome::StateDrifted(None)),
        (None, Some(sha256)) => {
            Cause::EditRefused { request: next_request(engine), sha256: sha256.clone() }
        }
    }
}

fn ended_call(line: &Line) -> Option<&CallEnded> {
    line.events.iter().find_map(|event| match event {
        Event::CallEnded(e) => Some(e),
        _ => None,
    })
}

/// Which of the three effects of a call ended: the one that was wanted.
fn call_ended(engine: &ExecutionEngine, e: &CallEnded) -> Option<(EffectId, Outcome)> {
    let wanted = engine.wanted();
    let failed = || {
        let failure = serde_json::from_value::<Failure>(e.result.get("error")?.clone()).ok()?;
        Some(Outcome::Failed { failure, partial: None })
    };
    let perform = EffectId::Perform(e.call_id.clone());
    if wanted.contains(&perform) {
        let called = Called {
            result: e.result.clone(),
            full_output: e.full_output.clone(),
            duration_ms: e.duration_ms,
        };
        return Some((perform, Outcome::Called(called)));
    }
    let settle = EffectId::Settle(e.call_id.clone());
    if wanted.contains(&settle) {
        return Some((settle, settled(e).map(Outcome::Settled).or_else(failed)?));
    }
    let preview = EffectId::Preview(e.call_id.clone());
    if wanted.contains(&preview) {
        return Some((preview, failed()?));
    }
    let look = EffectId::Look(e.call_id.clone());
    if wanted.contains(&look) {
        return Some((look, looked(e).or_else(failed)?));
    }
    let prepare = EffectId::Prepare(e.call_id.clone());
    if wanted.contains(&prepare) { Some((prepare, failed()?)) } else { None }
}

/// Which files a change listed that were not there. The guard looks at them last: without that
/// refusal they were all there, or it did not matter.
fn looked(e: &CallEnded) -> Option<Outcome> {
    let code = e.result.pointer("/error/code").cloned();
    if code == Some(json!(ErrorCode::Io)) || code == Some(json!(ErrorCode::Internal)) {
        return None;
    }
    let unknown = e.result.pointer("/error/details/unknown").cloned().unwrap_or_default();
    Some(Outcome::Looked(serde_json::from_value(unknown).unwrap_or_default()))
}

fn settled(e: &CallEnded) -> Option<Settled> {
    if e.ok {
        return Some(Settled::Happened(e.result.clone()));
    }
    if e.result.pointer("/error/code") != Some(&json!(ErrorCode::Interrupted)) {
        return None;
    }
    let details = e.result.pointer("/error/details");
    if details.and_then(|d| d.get("mayHaveRun")) == Some(&Value::Bool(true)) {
        return Some(Settled::Unknown);
    }
    Some(match details.and_then(|d| d.get("actualSha256")) {
        Some(hash) => Settled::Foreign(hash.as_str().map(str::to_owned)),
        None => Settled::NotHappened,
    })
}

/// The limit of requests in one turn that ended the turn with this line, if one did. The journal
/// has no settings; this is the one that may differ for a single process (`--max-turns`).
pub fn turn_limit(line: &Line) -> Option<u32> {
    line.events.iter().find_map(|event| {
        let Event::TurnFinished(e) = event else { return None };
        let failure = e.failure.as_ref().filter(|f| f.code == ErrorCode::EngineMaxTurnsExceeded)?;
        let limit = failure.details.as_ref()?.get("maxTurns")?.as_u64()?;
        u32::try_from(limit).ok()
    })
}
