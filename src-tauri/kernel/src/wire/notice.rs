//! What notices are about.

use serde::{Deserialize, Serialize};

/// What a notice is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum NoticeKind {
    /// A run began.
    Started,
    /// A sub-agent began to work.
    TaskStarted,
    /// The workflow has ended; the conversation may go on.
    Completed,
    /// The model could not be asked.
    ModelError,
    /// The demo has been played to its end.
    DemoOver,
    /// From here on a model of the person's answers, and no script.
    ModelSwitched,
    /// The user pressed Stop.
    Stopped,
    /// The program ended in the middle.
    Interrupted,
    /// A limit was reached.
    Limit,
    /// A person's edit of the state document was taken over.
    StateAdopted,
    /// A person's edit of the state document was refused and put aside.
    StateRejected,
    /// The disk did not take something.
    StoreError,
    /// The conversation was taken over from an older store.
    Imported,
    /// What the model's words may claim was not done.
    Unchanged,
    /// The model wanted to leave out a step, or to complete one too early: the run stays as it was.
    OrderKept,
    /// The person ended the run before its end.
    Ended,
    /// Somebody else changed files of the run.
    ForeignChange,
    /// The person put a file back.
    PutBack,
    /// They wanted to, and it stays as it is.
    NotPutBack,
    /// The person took the run back to a step.
    WentBack,
    /// They wanted to, and it stands where it stood.
    NotWentBack,
    /// The model sees less of the older messages from here on.
    Compacted,
    /// The person talks with an agent from here on.
    AgentChosen,
    /// The person talks with the model alone from here on.
    ChatChosen,
    /// The person goes on with the run from here on.
    RunChosen,
    /// A skill is at work from here on.
    SkillBegan,
    /// A skill is at work no longer.
    SkillEnded,
}
