//! What a person has written and not sent, and where they were: theirs, like what they said, and
//! nobody else's. It is kept across restarts (spec 08 "Drafts") and is no part of a conversation: no
//! journal, no request and no export holds it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::{ConversationId, MessageId, ProjectId};
use crate::time::Time;

/// Where something is being written, or the window itself. There is one draft a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum DraftPlace {
    /// What is to be said next.
    Composer {
        /// The conversation it is typed in.
        conversation_id: ConversationId,
    },
    /// The answer to a question.
    Widget {
        /// The conversation that holds the question.
        conversation_id: ConversationId,
        /// The message that carries the widget.
        message_id: MessageId,
    },
    /// A run that is to be started.
    NewRun {
        /// The project the run would start in.
        project_id: ProjectId,
    },
    /// Where the person was: the project, the conversation and how the window was laid out, in the
    /// window's own shape. Nothing that was written, so the number of drafts is no bound for it.
    Window,
}

impl DraftPlace {
    /// The conversation it belongs to and is deleted with.
    pub fn conversation(&self) -> Option<&ConversationId> {
        match self {
            Self::Composer { conversation_id } | Self::Widget { conversation_id, .. } => {
                Some(conversation_id)
            }
            Self::NewRun { .. } | Self::Window => None,
        }
    }
}

/// What a person has typed into a field and not sent, or where they were.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Draft {
    /// The field the draft was typed into, or the window.
    pub place: DraftPlace,
    /// What, in the window's own shape.
    #[cfg_attr(feature = "ts", ts(type = "unknown"))]
    pub value: Value,
    /// When it was last changed.
    pub at: Time,
}
