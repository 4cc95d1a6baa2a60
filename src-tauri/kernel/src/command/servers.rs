//! What a person does with servers of the Model Context Protocol.

use serde::{Deserialize, Serialize};

use crate::ids::ProjectId;
use crate::mcp::{ServerDraft, ServerName};

/// What a person does with servers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum ServerCommand {
    /// Set a server up, or change one. Nothing is started. `MCP_SERVER_INVALID` when it does not fit,
    /// or when another server has its name.
    Save {
        /// The server.
        server: ServerDraft,
        /// The server that it replaces; a new one when absent.
        #[serde(default)]
        replaces: Option<ServerName>,
    },
    /// Set servers up that stand in the file of another client. Those whose names are taken are left
    /// as they are.
    Import {
        /// The file, as the system's dialog gave it.
        path: String,
        /// Which of them.
        names: Vec<ServerName>,
    },
    /// Remove a server, and the trust in it.
    Remove {
        /// The server to remove.
        name: ServerName,
    },
    /// Let a server be used, or no more.
    Switch {
        /// The server to switch.
        name: ServerName,
        /// Whether it may be used.
        enabled: bool,
    },
    /// Start a server or reach it, read which tools it offers, and end it.
    Test {
        /// The server to test.
        name: ServerName,
        /// In whose folder it is started; in none when absent.
        #[serde(default)]
        project_id: Option<ProjectId>,
    },
    /// End a test that is going on.
    StopTest {
        /// Of which server.
        name: ServerName,
    },
    /// Ask for a page where the person signs in at a server that is reached over HTTP; the receipt
    /// names it. Whoever asked before waits no more. `MCP_SIGN_IN_FAILED`.
    SignIn {
        /// The server to sign in at.
        name: ServerName,
    },
    /// Wait until the person is back from that page. `MCP_SIGN_IN_FAILED`; `ENGINE_ABORTED` when it
    /// was stopped.
    WaitForSignIn {
        /// The server to sign in at.
        name: ServerName,
    },
    /// Wait no more for a person who signs in.
    StopSignIn {
        /// At which server.
        name: ServerName,
    },
    /// Forget that the person is signed in at a server.
    SignOut {
        /// The server where nobody is signed in from then on.
        name: ServerName,
    },
    /// Trust servers in a project as they were shown, so that their tools may be used there, or trust
    /// them no more. `MCP_SERVER_CHANGED` when one of them is no longer what was shown.
    Trust {
        /// The project.
        project_id: ProjectId,
        /// What was shown.
        servers: Vec<SeenServer>,
        /// Whether they are trusted from now on.
        trusted: bool,
    },
}

/// A page where a person signs in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SignInPage {
    /// Its address, for the person's browser.
    pub url: String,
    /// Whose page it is.
    pub host: String,
}

/// A server as a person saw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SeenServer {
    /// What it is called.
    pub name: ServerName,
    /// [`ServerView::sha256`](crate::wire::ServerView) of what was shown.
    pub sha256: String,
}
