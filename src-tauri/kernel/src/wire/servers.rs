//! Servers of the Model Context Protocol as people see them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::code::Failure;
use crate::ids::CallId;
use crate::mcp::{ServerName, ServerPrompt, ServerResource, ServerTool, ShownLaunch, ToolHint};
use crate::phrase::Phrase;
use crate::time::Time;

/// A server that is set up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ServerView {
    /// What it is called.
    pub name: ServerName,
    /// How it is started or reached; of what may be a key the name alone.
    pub launch: ShownLaunch,
    /// Whether it may be used at all.
    pub enabled: bool,
    /// Whether the person is signed in there.
    #[serde(default)]
    pub signed_in: bool,
    /// What it does at present, as far as this program knows.
    pub state: ServerState,
    /// The tools that it listed last; absent while it never did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub tools: Option<Vec<ServerToolView>>,
    /// The prompts that it listed last.
    #[serde(default)]
    pub prompts: Vec<ServerPrompt>,
    /// The resources that it listed last.
    #[serde(default)]
    pub resources: Vec<ServerResource>,
    /// When it listed them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub listed_at: Option<Time>,
    /// What is trusted: the hash of how it is started or reached, and of its tools. Absent while
    /// nobody knows its tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub sha256: Option<String>,
    /// Whether the person trusts it in the project that was asked about.
    pub trust: ServerTrust,
    /// What went wrong the last time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub problem: Option<Failure>,
    /// The last of what it wrote to its standard error.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub log: String,
}

/// What a server does at present.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum ServerState {
    /// It is not started: it is when it is needed.
    #[default]
    Idle,
    /// It is being started, or reached.
    Starting,
    /// It answers.
    Running,
    /// It could not be started or reached, or it came to an end by itself.
    Failed,
}

/// Whether a person trusts a server in a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum ServerTrust {
    /// They do not, or no project was asked about.
    #[default]
    None,
    /// They did, and it is another one since: how it is started or reached, or its tools.
    Changed,
    /// They do.
    Trusted,
}

/// A tool of a server, as people see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ServerToolView {
    /// The server's name for it.
    pub name: String,
    /// Its name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub title: Option<String>,
    /// What it does, as the server says.
    pub description: String,
    /// What it does to the world, as the server says.
    pub hint: ToolHint,
    /// What models call it.
    pub called: String,
    /// The JSON Schema of its arguments, as models are told it.
    #[cfg_attr(feature = "ts", ts(type = "unknown"))]
    pub parameters: Value,
}

impl From<&ServerTool> for ServerToolView {
    fn from(tool: &ServerTool) -> Self {
        Self {
            name: tool.name.clone(),
            title: tool.title.clone(),
            description: tool.spec.description.clone(),
            hint: tool.hint,
            called: tool.spec.name.clone(),
            parameters: tool.spec.parameters.clone(),
        }
    }
}

/// How far a server is with a call, as it says itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ServerProgress {
    /// The call.
    pub call_id: CallId,
    /// How much of it is done, of 100; absent where the server does not say how much there is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub percent: Option<u8>,
    /// What it does, in its words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub message: Option<String>,
}

/// What the file of another client says of servers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ServerFile {
    /// Those that can be set up.
    pub servers: Vec<FoundServer>,
    /// Those that cannot, and why.
    pub left_out: Vec<LeftOutServer>,
}

/// A server in the file of another client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct FoundServer {
    /// What it is called.
    pub name: ServerName,
    /// How it is started or reached.
    pub launch: ShownLaunch,
    /// Whether a server of this name is set up already.
    pub taken: bool,
}

/// A server in the file of another client that cannot be set up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LeftOutServer {
    /// What the file calls it.
    pub name: String,
    /// Why it cannot be set up here.
    pub why: Phrase,
}
