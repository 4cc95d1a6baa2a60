//! Hooks as people see them before they trust them.

use serde::{Deserialize, Serialize};

use crate::hook::HookPoint;
use crate::project_hooks::Hook;
use crate::tool::wire_name;

/// A command of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct HookView {
    /// Its name within the project.
    pub name: String,
    /// Where it is run.
    pub at: HookPoint,
    /// What the system's shell is given.
    pub command: String,
    /// After how many seconds it is ended.
    pub timeout_s: u32,
    /// The calls that it is run for, by the names that a model calls their tools; all when empty.
    pub tools: Vec<String>,
    /// What is trusted: the hash of everything above.
    pub sha256: String,
    /// Whether the person trusts it, so that it is run.
    pub trusted: bool,
}

impl HookView {
    /// As a person is shown it.
    pub fn of(hook: &Hook, trusted: bool) -> Self {
        Self {
            name: hook.rule.name.clone(),
            at: hook.rule.at,
            command: hook.command.clone(),
            timeout_s: hook.timeout_s,
            tools: hook.rule.tools.iter().map(|tool| wire_name(tool)).collect(),
            sha256: hook.sha256(),
            trusted,
        }
    }
}
