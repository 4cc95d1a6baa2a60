//! Reads of the terminal alone.

use serde::{Deserialize, Serialize};

use crate::ids::{AgentId, ConversationId, PackageId, RunId, WorkflowId};

/// A read of what is stored, as it is stored. The window has frames and reports instead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum RecordQuery {
    /// One conversation of the list.
    Conversation {
        /// The conversation asked about.
        conversation_id: ConversationId,
    },
    /// One run of the list.
    Run {
        /// The run asked about.
        run_id: RunId,
    },
    /// A page of a conversation's messages, as they are stored.
    Messages {
        /// Of what.
        conversation_id: ConversationId,
        /// Which page; the one that ends at `before` when absent.
        #[serde(default)]
        page: Option<u32>,
        /// The page ends where this message begins; at the end when absent.
        #[serde(default)]
        before: Option<u64>,
        /// How many messages of a page: one at least,
        /// [`MESSAGES_PER_PAGE`](crate::bounds::MESSAGES_PER_PAGE) at most. What lies outside is
        /// taken for the nearer of the two.
        limit: u32,
    },
    /// Where a conversation stands, for who answers it.
    Standing {
        /// Of what.
        conversation_id: ConversationId,
    },
    /// Every fact of a conversation, the oldest first.
    Facts {
        /// Of what.
        conversation_id: ConversationId,
    },
    /// Every judgement of a conversation, the oldest first.
    Judgements {
        /// Of what.
        conversation_id: ConversationId,
    },
    /// Which workflow and agent a run would have, before anything is installed, opened or started.
    RunChoice {
        /// The package.
        package: PackagePlace,
        /// As in `startRun`.
        #[serde(default)]
        workflow_id: Option<WorkflowId>,
        /// As in `startRun`.
        #[serde(default)]
        agent_id: Option<AgentId>,
    },
    /// The recorded answers of a demo that were not given yet.
    DemoAnswers {
        /// The conversation that plays it.
        conversation_id: ConversationId,
    },
    /// What the system allows, and what of it is left for each agent.
    Policy,
    /// What is wrong with the settings file. Asks no keychain.
    SettingsProblems,
}

/// A package that need not be installed yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "in", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PackagePlace {
    /// One that is installed.
    Store {
        /// Its id.
        package_id: PackageId,
    },
    /// A `.bmad` file or a folder.
    Path {
        /// Where it is.
        path: String,
    },
    /// One that comes with the program.
    Program {
        /// Its name.
        name: String,
    },
}
