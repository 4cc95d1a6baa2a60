//! With whom the person talks in a conversation, and which model answers.

use serde::{Deserialize, Serialize};

use super::ConversationOrigin;
use crate::ids::{ConversationId, ProjectId};
use crate::mode::Mode;
use crate::phrase::{Phrase, engine as said};

/// See [`Event::ConversationStarted`](super::Event::ConversationStarted).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ConversationStarted {
    /// The conversation.
    pub conversation_id: ConversationId,
    /// Its project.
    pub project_id: ProjectId,
    /// With whom the person talks in it.
    #[serde(default = "chat")]
    pub mode: Mode,
    /// Where the project keeps artifacts; absent where nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifacts: Option<ArtifactsFolder>,
    /// Where it was before; absent when it began here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<ConversationOrigin>,
}

const fn chat() -> Mode {
    Mode::Chat
}

/// Where a project keeps what its runs and conversations make.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ArtifactsFolder {
    /// Project-relative, without slashes at the ends.
    pub folder: String,
    /// Whether writes there ask like any other: the folder's name came with the project.
    #[serde(default)]
    pub asks: bool,
}

/// See [`Event::ModeChosen`](super::Event::ModeChosen).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ModeChosen {
    /// With whom.
    pub with: Mode,
    /// What the agent is called, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl ModeChosen {
    /// With whom the person talks from here on, in words.
    pub fn said(&self) -> Phrase {
        match (&self.with, &self.name) {
            (Mode::Run, _) => said::goes_on_with_the_run(),
            (Mode::Chat, _) => said::talks_with_the_model(),
            (Mode::Agent { .. }, Some(name)) => said::talks_with(name),
            (Mode::Agent { agent_id, .. }, None) => said::talks_with(agent_id),
        }
    }
}

/// See [`Event::ModelSwitched`](super::Event::ModelSwitched).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ModelSwitched {
    /// The name of the model that was configured then. Which one answers is asked at each request.
    #[serde(default)]
    pub model: Option<String>,
}
