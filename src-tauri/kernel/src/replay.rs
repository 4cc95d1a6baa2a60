//! Replays (spec 08 `.crewrun`): the input that decided a recorded line, and where a line that was
//! decided again differs from it.
//!
//! A line says which kind of input decided it ([`crate::event::Cause`]) and under which settings;
//! the rest of the input stands in its events.
//!
//! Deliberately not here: carrying effects out again (the host).

use crate::effect::{
    Began, Called, EffectId, ForeignChange, Outcome, Preview, Settled, TaskResult,
};
use crate::engine::{BeginConversation, Input, StartRun, WordsWithFiles};
use crate::event::{
    Author, CallBegan, CallEnded, Cause, ChangeProposed, Event, Fact, FactKind, Line, OutcomeKind,
    RunStarted, StateRejected, UserSaid,
};
use crate::hook::HookResult;
use crate::ids::CallId;
use crate::mode::Mode;
use crate::path::AliasPath;
use crate::restore::Restore;
use crate::skill::LoadedSkill;
use crate::subagent::TaskEnded;
use crate::tool::{CallResult, done, failure_of};

mod difference;

pub use difference::{Difference, difference, taken_from_the_record};

/// What a line was decided on, as far as the line tells it.
#[derive(Debug, Clone, PartialEq)]
pub enum Recorded {
    /// The input. Of an outcome, hashes and results are what a replay finds out for itself.
    Input(Box<Input>),
    /// A person's edit of the state document was refused before this request. The journal has the
    /// hash of the text and not the text.
    EditRefused {
        /// The request that found it.
        request: EffectId,
        /// SHA-256 of the refused text.
        sha256: String,
    },
}

/// What `line` was decided on; `None` when it does not say so, or says what its events do not fit.
pub fn recorded(line: &Line) -> Option<Recorded> {
    let input = match line.cause.as_ref()? {
        Cause::Started => Input::Start(start(line)?),
        Cause::Begun => Input::Begin(begin(line)?),
        Cause::ModeChosen => Input::ChooseMode(chosen(line)?),
        Cause::Said => find(line, |event| match event {
            Event::UserSaid(e) => {
                let (text, told) = (e.text.clone(), e.told.clone());
                Some(Input::Say(WordsWithFiles { text, told, to: None, files: e.files.clone() }))
            }
            _ => None,
        })?,
        Cause::Answered => find(line, |event| match event {
            Event::WidgetAnswered(e) => Some(Input::Answer {
                message_id: e.widget_message_id.clone(),
                value: e.value.clone(),
                shown_ms: e.shown_ms,
                files: e.files.clone(),
            }),
            _ => None,
        })?,
        Cause::ServerAsked => server_asked(line)?,
        Cause::SkillChosen | Cause::SkillEnded => of_skill(line)?,
        Cause::Revoked => find(line, |event| match event {
            Event::ApprovalRevoked(e) => Some(Input::Revoke(e.change_id.clone())),
            _ => None,
        })?,
        Cause::PutBack => find(line, |event| match event {
            Event::PutBackAsked(e) => {
                Some(Input::PutBack { path: e.path.clone(), sha256: e.sha256.clone() })
            }
            _ => None,
        })?,
        Cause::WentBack => rewind(line)?,
        Cause::ModelSwitched => find(line, |event| match event {
            Event::ModelSwitched(e) => Some(Input::UseModel { model: e.model.clone() }),
            _ => None,
        })?,
        Cause::AcceptedAnyway => find(line, |event| match event {
            Event::CandidateAccepted(e) => Some(Input::AcceptAnyway(e.message_id.clone())),
            _ => None,
        })?,
        Cause::EndedEarly => find(line, |event| match event {
            Event::RunEnded(e) => Some(Input::EndRun { reason: e.reason.clone() }),
            _ => None,
        })?,
        Cause::CompactionAsked => find(line, |event| match event {
            Event::CompactionDue(e) => Some(Input::Compact { hard: e.hard }),
            _ => None,
        })?,
        Cause::StartedAfresh => Input::StartAfresh,
        Cause::TimedOut => Input::TimeUp,
        Cause::Stopped => Input::Stop { partial: partial(line) },
        Cause::Resumed => Input::Resume,
        Cause::Reopened => Input::Reopened,
        Cause::SettingsChanged => Input::LimitsChanged,
        Cause::Ended { effect, outcome } => return ended(line, effect, *outcome),
    };
    Some(Recorded::Input(Box::new(input)))
}

fn find<'l, T>(line: &'l Line, of: impl Fn(&'l Event) -> Option<T>) -> Option<T> {
    line.events.iter().find_map(of)
}

fn said(line: &Line) -> Option<&UserSaid> {
    find(line, |event| match event {
        Event::UserSaid(said) => Some(said),
        _ => None,
    })
}

fn chosen(line: &Line) -> Option<Mode> {
    find(line, |event| match event {
        Event::ModeChosen(e) => Some(e.with.clone()),
        _ => None,
    })
}

fn begin(line: &Line) -> Option<BeginConversation> {
    let begun = find(line, |event| match event {
        Event::ConversationStarted(e) => Some(e),
        _ => None,
    })?;
    Some(BeginConversation {
        project_id: begun.project_id.clone(),
        mode: begun.mode.clone(),
        artifacts: begun.artifacts.clone()?,
        input: said(line).map(|said| said.text.clone()),
    })
}

fn start(line: &Line) -> Option<StartRun> {
    let said = said(line).map(|said| (said.text.clone(), said.files.clone()));
    let (input, files) = said.map_or((None, Vec::new()), |(text, files)| (Some(text), files));
    let e: &RunStarted = find(line, |event| match event {
        Event::RunStarted(e) => Some(e),
        _ => None,
    })?;
    Some(StartRun {
        run_id: e.run_id.clone(),
        project_id: e.project_id.clone(),
        package_id: e.package_id.clone(),
        content_hash: e.content_hash.clone(),
        workflow_id: e.workflow_id.clone(),
        title: e.title.clone(),
        agent_id: e.agent_id.clone(),
        artifacts_dir: e.artifacts_dir.clone(),
        artifacts_ask: e.artifacts_ask,
        state: e.state.clone(),
        input,
        files,
        demo: e.demo,
    })
}

fn server_asked(line: &Line) -> Option<Input> {
    find(line, |event| match event {
        Event::WidgetAsked(e) => Some(Input::ServerAsks {
            call_id: e.call_id.clone(),
            message: e.widget.message.clone(),
            schema: e.widget.schema.clone().unwrap_or_default(),
        }),
        _ => None,
    })
}

fn of_skill(line: &Line) -> Option<Input> {
    find(line, |event| match event {
        Event::SkillActivated(e) => Some(Input::ActivateSkill(Box::new(e.skill.clone()))),
        Event::SkillEnded(e) => Some(Input::EndSkill(e.name.clone())),
        _ => None,
    })
}

fn rewind(line: &Line) -> Option<Input> {
    find(line, |event| match event {
        Event::RewindAsked(e) => Some(Input::Rewind {
            target: e.target.clone(),
            reason: e.reason.clone(),
            seen: e.seen.clone(),
        }),
        _ => None,
    })
}

fn partial(line: &Line) -> Option<String> {
    find(line, |event| match event {
        Event::ModelFailed(e) => e.partial.clone(),
        _ => None,
    })
}

fn ended(line: &Line, effect: &EffectId, kind: OutcomeKind) -> Option<Recorded> {
    let outcome = match effect {
        EffectId::Think(_) => {
            if let Some(sha256) = refused_edit(line).and_then(|e| e.sha256.clone()) {
                return Some(Recorded::EditRefused { request: effect.clone(), sha256 });
            }
            replied(line)
        }
        EffectId::Compact(_) => find(line, |event| match event {
            Event::ContextCompacted(e) => Some(Outcome::Compacted(Box::new(e.result.clone()))),
            _ => None,
        }),
        EffectId::Mirror(_) => mirrored(line, kind),
        EffectId::Hook(number) => hooked(line, *number),
        EffectId::Delegate(call) | EffectId::Recall(call) => delegated(line, call),
        EffectId::Prepare(call)
        | EffectId::Look(call)
        | EffectId::Perform(call)
        | EffectId::Settle(call)
        | EffectId::Preview(call) => of_call(line, call, kind),
    };
    Some(Recorded::Input(Box::new(Input::Outcome(effect.clone(), outcome?))))
}

fn refused_edit(line: &Line) -> Option<&StateRejected> {
    find(line, |event| match event {
        Event::StateRejected(e) => Some(e),
        _ => None,
    })
}

/// What came of a request. An answer that was refused is recorded as a failure, and deciding that
/// makes the same line.
fn replied(line: &Line) -> Option<Outcome> {
    find(line, |event| match event {
        Event::ModelReplied(e) => Some(Outcome::Replied {
            reply: e.reply.clone(),
            request_sha256: e.request_sha256.clone(),
            duration_ms: e.duration_ms,
            foreign: foreign(line),
        }),
        Event::CandidateHeld(e) => Some(Outcome::Replied {
            reply: e.reply.clone(),
            request_sha256: e.request_sha256.clone(),
            duration_ms: e.duration_ms,
            foreign: foreign(line),
        }),
        Event::CandidateRejected(e) => Some(Outcome::Replied {
            reply: e.reply.clone(),
            request_sha256: e.request_sha256.clone(),
            duration_ms: e.duration_ms,
            foreign: foreign(line),
        }),
        Event::ModelFailed(e) => {
            Some(Outcome::Failed { failure: e.failure.clone(), partial: e.partial.clone() })
        }
        Event::CompactionDue(e) => e.refused.as_ref().map(|it| Outcome::failed(it.failure.clone())),
        Event::StateChanged(e) if e.by == Author::User => {
            Some(Outcome::StateDrifted(Some(e.text.clone())))
        }
        Event::StateRejected(_) => Some(Outcome::StateDrifted(None)),
        _ => None,
    })
}

/// What came of a hook. A replay runs no commands.
fn hooked(line: &Line, number: u64) -> Option<Outcome> {
    find(line, |event| match event {
        Event::HookEnded(e) if e.number == number => Some(match &e.failure {
            Some(failure) => Outcome::failed(failure.clone()),
            None => Outcome::Hooked {
                result: HookResult {
                    exit_code: e.exit_code?,
                    output: e.output.clone(),
                    duration_ms: e.duration_ms,
                },
                foreign: foreign(line),
            },
        }),
        _ => None,
    })
}

/// What somebody else had done to files by then, which only the record knows.
fn foreign(line: &Line) -> Vec<ForeignChange> {
    let facts = find(line, |event| match event {
        Event::FactsUpdated(e) => Some(&e.facts),
        _ => None,
    });
    let changed = |fact: &Fact| {
        let path = fact.path.clone().filter(|_| fact.kind == FactKind::FileForeignChange)?;
        Some(ForeignChange { path, sha256: fact.sha256.clone() })
    };
    facts.into_iter().flatten().filter_map(changed).collect()
}

fn mirrored(line: &Line, kind: OutcomeKind) -> Option<Outcome> {
    match kind {
        OutcomeKind::Mirrored => Some(Outcome::Mirrored),
        OutcomeKind::StateEdited => refused_edit(line)?.sha256.clone().map(Outcome::StateEdited),
        _ => find(line, |event| match event {
            Event::TurnFinished(e) => {
                Some(Outcome::Failed { failure: e.failure.clone()?, partial: None })
            }
            _ => None,
        }),
    }
}

fn of_call(line: &Line, call: &CallId, kind: OutcomeKind) -> Option<Outcome> {
    let end = || {
        find(line, |event| match event {
            Event::CallEnded(e) if e.call_id == *call => Some(e),
            _ => None,
        })
    };
    if let Some(outcome) = by_person(line, call, kind) {
        return Some(outcome);
    }
    // What was found out and refused at once is recorded as the refusal alone.
    let failed = || end().and_then(failed);
    match kind {
        OutcomeKind::Prepared => prepared(line).map(Outcome::Prepared).or_else(failed),
        OutcomeKind::Previewed => previewed(line).map(Outcome::Previewed).or_else(failed),
        OutcomeKind::Looked => Some(Outcome::Looked(missing(end()?))),
        OutcomeKind::Called => end().map(|e| {
            Outcome::Called(Called {
                result: e.result.clone(),
                full_output: e.full_output.clone(),
                duration_ms: e.duration_ms,
                skill: brought_in(line, call),
            })
        }),
        OutcomeKind::Happened => Some(Outcome::Settled(Settled::Happened(end()?.result.clone()))),
        OutcomeKind::NotHappened => Some(Outcome::Settled(Settled::NotHappened)),
        OutcomeKind::Foreign => Some(Outcome::Settled(Settled::Foreign(now_there(end()?)))),
        OutcomeKind::Unknown => Some(Outcome::Settled(Settled::Unknown)),
        OutcomeKind::Failed => failed(),
        OutcomeKind::Replied
        | OutcomeKind::Hooked
        | OutcomeKind::Delegated
        | OutcomeKind::Compacted
        | OutcomeKind::StateDrifted
        | OutcomeKind::Mirrored
        | OutcomeKind::StateEdited => None,
    }
}

/// The skill that a call brought in. What is on the disk now may be another one.
fn brought_in(line: &Line, call: &CallId) -> Option<Box<LoadedSkill>> {
    find(line, |event| match event {
        Event::SkillActivated(e) if e.call_id.as_ref() == Some(call) => {
            Some(Box::new(e.skill.clone()))
        }
        _ => None,
    })
}

/// What came of files that the person brought back. What was found out and refused at once is recorded
/// as the refusal alone, and what leaves every file as it is as its end alone.
fn by_person(line: &Line, call: &CallId, kind: OutcomeKind) -> Option<Outcome> {
    let began = || {
        find(line, |event| match event {
            Event::PutBackBegan(e) | Event::RewindBegan(e) if e.call_id == *call => {
                Some(Began::from(e))
            }
            _ => None,
        })
    };
    if let (OutcomeKind::Prepared, Some(began)) = (kind, began()) {
        return Some(Outcome::Prepared(began));
    }
    let e = find(line, Event::brought_back).filter(|e| e.call_id == *call)?;
    let failed = || e.failure.clone().map(Outcome::failed);
    let called = || done(&e.files());
    match kind {
        OutcomeKind::Prepared if e.failure.is_none() => {
            let restore = Restore { conflicts: e.conflicts.clone(), ..Restore::default() };
            let restore = Some(Box::new(restore));
            Some(Outcome::Prepared(Began { restore, ..Began::default() }))
        }
        // With files back, it is the state document that was refused.
        OutcomeKind::Called | OutcomeKind::Happened
            if e.failure.is_some() && e.restored.is_empty() =>
        {
            failed()
        }
        OutcomeKind::Happened => Some(Outcome::Settled(Settled::Happened(called()))),
        OutcomeKind::Called => Some(Outcome::Called(Called::at_once(called()))),
        OutcomeKind::NotHappened => Some(Outcome::Settled(Settled::NotHappened)),
        OutcomeKind::Foreign | OutcomeKind::Unknown => Some(Outcome::Settled(Settled::Unknown)),
        _ => failed(),
    }
}

/// What a sub-agent came to. The facts that say how it ended follow from that.
fn delegated(line: &Line, call: &CallId) -> Option<Outcome> {
    let of_call = |event: &'_ Event| match event {
        Event::CallEnded(e) if e.call_id == *call => Some(e.clone()),
        _ => None,
    };
    let call_ended = line.events.iter().find_map(of_call)?;
    let e = find(line, |event| match event {
        Event::SubagentUpdated(e) if e.subagent.call_id == *call => Some(e),
        _ => None,
    })?;
    let own = e.facts.iter().position(|fact| fact.kind.is_about_subagent());
    let ended = TaskEnded {
        end: e.subagent.end?,
        report: CallResult::of(&call_ended.result).report,
        failure: e.subagent.failure.clone(),
    };
    Some(Outcome::Delegated(Box::new(TaskResult {
        ended,
        steps: e.subagent.steps,
        facts: e.facts[..own.unwrap_or(e.facts.len())].to_vec(),
        changes: e.changes.clone(),
        usage: e.usage,
        duration_ms: call_ended.duration_ms,
    })))
}

fn failed(e: &CallEnded) -> Option<Outcome> {
    Some(Outcome::Failed { failure: failure_of(&e.result)?, partial: None })
}

/// What a call would have changed: it began; or its approval did not fit and was used up; or the
/// files of a rewind were found out so that the person could be asked.
fn prepared(line: &Line) -> Option<Began> {
    let of_rewind = |event: &Event| match event {
        Event::ChangeProposed(e) => {
            let restore = Some(e.restore.clone()?);
            Some(Began { restore, ..Began::default() })
        }
        _ => None,
    };
    let spent = |event: &Event| match event {
        Event::ConfirmationSpent(_) => Some(Began::default()),
        _ => None,
    };
    begun(line).or_else(|| find(line, of_rewind)).or_else(|| find(line, spent))
}

fn previewed(line: &Line) -> Option<Preview> {
    let proposed = find(line, |event| match event {
        Event::ChangeProposed(e) => Some(shown(e)),
        _ => None,
    });
    proposed.or_else(|| {
        let (summary, parts, diff) = (String::new(), Vec::new(), String::new());
        Some(Preview { began: begun(line)?, summary, parts, diff, cut: false })
    })
}

fn begun(line: &Line) -> Option<Began> {
    let e: &CallBegan = find(line, |event| match event {
        Event::CallBegan(e) => Some(e),
        _ => None,
    })?;
    Some(Began::from(e))
}

fn shown(e: &ChangeProposed) -> Preview {
    let pre_hash = Some(e.pre_hash.clone()).filter(|hash| !hash.is_empty());
    let began = Began { pre_hash, post_hash: e.post_hash.clone(), ..Began::default() };
    Preview {
        began,
        summary: e.summary.clone(),
        parts: e.parts.clone(),
        diff: e.diff.clone(),
        cut: e.cut,
    }
}

/// Which files a change listed that were not there. The guard looks at them last: without that
/// refusal they were all there, or it did not matter.
fn missing(e: &CallEnded) -> Vec<AliasPath> {
    CallResult::of(&e.result).details().unknown.clone()
}

/// SHA-256 of what someone else made of a file.
fn now_there(e: &CallEnded) -> Option<String> {
    CallResult::of(&e.result).details().actual_sha256.clone()
}
