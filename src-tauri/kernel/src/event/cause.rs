//! Which input decided a line.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use crate::effect::{EffectId, Outcome, Settled};

/// Which input decided a line. What the person said, or what came of an effect, stands in the
/// events of the line and is not repeated here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// A run was begun.
    Started,
    /// A conversation without a run was begun.
    Begun,
    /// The person chose with whom they talk.
    ModeChosen,
    /// The person wrote.
    Said,
    /// The person answered a widget.
    Answered,
    /// A server asked the person something.
    ServerAsked,
    /// The person wanted a skill to be at work.
    SkillChosen,
    /// The person ended a skill.
    SkillEnded,
    /// The person took the approval of a folder back.
    Revoked,
    /// The person wanted a file to be what it was before the run.
    PutBack,
    /// The person wanted to take the run back to a step.
    WentBack,
    /// The person pressed Stop.
    Stopped,
    /// The person asked to go on.
    Resumed,
    /// The person chose the configured model in place of the demo's script.
    ModelSwitched,
    /// The person let words stand that were not accepted.
    AcceptedAnyway,
    /// The person ended the run.
    EndedEarly,
    /// The person wanted the conversation to be shorter.
    CompactionAsked,
    /// The person let the run go on from its state document alone.
    StartedAfresh,
    /// A sub-agent's time was over.
    TimedOut,
    /// The journal was opened again.
    Reopened,
    /// The settings changed.
    SettingsChanged,
    /// An effect came to its end.
    Ended {
        /// The effect.
        effect: EffectId,
        /// What kind of outcome it had.
        outcome: OutcomeKind,
    },
}

/// What came of an effect, without what the events of the line say about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeKind {
    /// See [`Outcome::Replied`].
    Replied,
    /// See [`Outcome::StateDrifted`].
    StateDrifted,
    /// See [`Outcome::Prepared`].
    Prepared,
    /// See [`Outcome::Previewed`].
    Previewed,
    /// See [`Outcome::Looked`].
    Looked,
    /// See [`Outcome::Called`].
    Called,
    /// See [`Settled::Happened`].
    Happened,
    /// See [`Settled::NotHappened`].
    NotHappened,
    /// See [`Settled::Foreign`].
    Foreign,
    /// See [`Settled::Unknown`].
    Unknown,
    /// See [`Outcome::Hooked`].
    Hooked,
    /// See [`Outcome::Delegated`].
    Delegated,
    /// See [`Outcome::Compacted`].
    Compacted,
    /// See [`Outcome::Mirrored`].
    Mirrored,
    /// See [`Outcome::StateEdited`].
    StateEdited,
    /// See [`Outcome::Failed`].
    Failed,
}

impl From<&Outcome> for OutcomeKind {
    fn from(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Replied { .. } => Self::Replied,
            Outcome::StateDrifted(_) => Self::StateDrifted,
            Outcome::Prepared(_) => Self::Prepared,
            Outcome::Previewed(_) => Self::Previewed,
            Outcome::Looked(_) => Self::Looked,
            Outcome::Called(_) => Self::Called,
            Outcome::Settled(Settled::Happened(_)) => Self::Happened,
            Outcome::Settled(Settled::NotHappened) => Self::NotHappened,
            Outcome::Settled(Settled::Foreign(_)) => Self::Foreign,
            Outcome::Settled(Settled::Unknown) => Self::Unknown,
            Outcome::Hooked { .. } => Self::Hooked,
            Outcome::Delegated(_) => Self::Delegated,
            Outcome::Compacted(_) => Self::Compacted,
            Outcome::Mirrored => Self::Mirrored,
            Outcome::StateEdited(_) => Self::StateEdited,
            Outcome::Failed { .. } => Self::Failed,
        }
    }
}

/// Reads a cause, or settings; what only a newer program knows is left out.
pub(super) fn known<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    // As text first: every line of a journal has a cause, and building a tree of it takes longer.
    let text = Box::<RawValue>::deserialize(from)?;
    Ok(serde_json::from_str(text.get()).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::upcast;
    use crate::ids::CallId;
    use serde_json::{Value, json};

    fn body(cause: &Value, event: &str) -> String {
        json!({ "v": 1, "seq": 7, "at": "2026-11-22T10:00:00Z", "turn": 2, "cause": cause,
                "events": [{ "event": event, "data": {} }] })
        .to_string()
    }

    #[test]
    fn a_cause_is_read_back_as_it_was_written() {
        let settled = Cause::Ended {
            effect: EffectId::Settle(CallId::new("c1")),
            outcome: OutcomeKind::NotHappened,
        };
        let written =
            json!({ "ended": { "effect": { "settle": "c1" }, "outcome": "not_happened" } });
        assert_eq!(serde_json::to_value(&settled).unwrap(), written);
        let line = upcast(&body(&written, "run_resumed")).unwrap();
        assert_eq!(line.cause, Some(settled));
        assert_eq!(upcast(&serde_json::to_string(&line).unwrap()).unwrap(), line);
        let resumed = upcast(&body(&json!("resumed"), "run_resumed")).unwrap();
        assert_eq!(resumed.cause, Some(Cause::Resumed));
    }

    #[test]
    fn a_cause_that_only_a_newer_program_knows_is_left_out() {
        let newer = json!({ "compressed": { "from": 3 } });
        for (cause, event) in [
            (newer.clone(), "run_resumed"),
            (newer, "dreams_updated"),
            (json!("dreamt"), "run_resumed"),
            (Value::Null, "run_resumed"),
        ] {
            assert_eq!(upcast(&body(&cause, event)).unwrap().cause, None, "{cause} {event}");
        }
        let mut newer: Value =
            serde_json::from_str(&body(&json!("resumed"), "run_resumed")).unwrap();
        newer["settings"] = json!({ "approveWrites": "on-mondays" });
        assert_eq!(upcast(&newer.to_string()).unwrap().settings, None);
        let known = upcast(&body(&json!("resumed"), "dreams_updated")).unwrap();
        assert_eq!(known.cause, Some(Cause::Resumed), "beside an event of a newer program");
    }
}
