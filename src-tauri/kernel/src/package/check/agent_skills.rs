//! What agents of format 1.2 say of skills of their own: what they import, and what those may use.
//! A folder with a `SKILL.md` is a skill of that agent. Programs are not run here, and each is told.
//! What they say to do without, they do without.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

use super::files::{PackageReader, shown};
use crate::ids::AgentId;
use crate::package::Agent;
use crate::phrase::{advice, findings, misfits};

/// What the program has for every agent that does not say that it does without.
const FILES: &str = "filesystem";

/// What an agent says of skills.
#[derive(Default, Deserialize)]
#[serde(default)]
struct AgentSkills {
    capabilities: BTreeMap<String, Capability>,
    imports: Vec<Import>,
}

#[derive(Deserialize)]
struct Capability {
    enabled: Option<bool>,
}

#[derive(Deserialize)]
struct Import {
    name: Option<String>,
    source: String,
}

/// An agent imports a skill.
pub(super) struct ImportedSkill {
    /// The agent.
    pub(super) agent: AgentId,
    /// What the agent calls it.
    pub(super) name: Option<String>,
    /// What is imported, as the agent names it.
    pub(super) source: String,
    /// Where `agents.json` says so.
    pub(super) pointer: String,
}

impl AgentSkills {
    /// Of one agent; nothing where it has another shape, which the schema tells of.
    fn of(agent: &Value) -> Self {
        let said = agent.get("skills").cloned();
        said.and_then(|said| serde_json::from_value(said).ok()).unwrap_or_default()
    }

    fn files(&self) -> Option<bool> {
        self.capabilities.get(FILES)?.enabled
    }
}

/// Warns of the abilities that are not there, and refuses skills in the format that has none. `value`
/// is the whole of `agents.json`.
pub(super) fn check(reading: &mut PackageReader<'_>, path: &str, value: &Value) {
    for (at, agent) in listed(value).enumerate() {
        if agent.get("skills").is_none() {
            continue;
        }
        let pointer = format!("/agents/{at}/skills");
        if is_older(value) {
            let says = misfits::unknown_property("`skills`");
            reading.error_at(path, "schema", &pointer, says, advice::write_format_of_skills());
            continue;
        }
        let id = shown(agent["id"].as_str().unwrap_or_default());
        let pointer = format!("{pointer}/capabilities");
        for (name, capability) in AgentSkills::of(agent).capabilities {
            if name != FILES && capability.enabled == Some(true) {
                let says = findings::agent_capability_missing(&id, shown(&name));
                let hint = advice::do_without_programs();
                reading.warning_at(path, "agent-skills", &pointer, says, hint);
            }
        }
    }
}

/// Turns the file tools off for agents whose skills say so, and tells what agents import. `value` is
/// the whole of `agents.json`.
pub(super) fn apply(agents: &mut [Agent], value: &Value) -> Vec<ImportedSkill> {
    let mut imported = Vec::new();
    if is_older(value) {
        return imported;
    }
    for (at, (agent, said)) in agents.iter_mut().zip(listed(value)).enumerate() {
        let said = AgentSkills::of(said);
        if said.files() == Some(false) {
            let tools = agent.tools.get_or_insert_default();
            tools.fs.get_or_insert_default().enabled = Some(false);
        }
        imported.extend(said.imports.into_iter().enumerate().map(|(nth, import)| ImportedSkill {
            agent: agent.id.clone(),
            name: import.name,
            source: import.source,
            pointer: format!("/agents/{at}/skills/imports/{nth}"),
        }));
    }
    imported
}

/// Whether it is written in the format that has no skills.
fn is_older(value: &Value) -> bool {
    value["schemaVersion"].as_str().is_some_and(|it| it.starts_with("1.1"))
}

fn listed(agents: &Value) -> impl Iterator<Item = &Value> {
    agents["agents"].as_array().into_iter().flatten()
}

#[cfg(test)]
mod tests;
