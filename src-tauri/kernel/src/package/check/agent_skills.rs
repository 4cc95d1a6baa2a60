//! What agents of format 1.2 say of skills of their own: programs that they import, and what those may
//! use. None of it is run here, and each is told. What they say to do without, they do without.

use serde_json::Value;

use super::files::{PackageReader, shown};
use crate::package::Agent;
use crate::phrase::{advice, findings, misfits};

/// What the program has for every agent that does not say that it does without.
const FILES: &str = "filesystem";

/// Warns of what is not taken over. `agents` is the whole of `agents.json`.
pub(super) fn check(reading: &mut PackageReader<'_>, path: &str, agents: &Value) {
    let is_older = agents["schemaVersion"].as_str().is_some_and(|it| it.starts_with("1.1"));
    let listed = agents["agents"].as_array();
    for (at, agent) in listed.into_iter().flatten().enumerate() {
        let Some(skills) = agent.get("skills") else { continue };
        let pointer = format!("/agents/{at}/skills");
        if is_older {
            let says = misfits::unknown_property("`skills`");
            reading.error_at(path, "schema", &pointer, says, advice::write_format_of_skills());
            continue;
        }
        let id = shown(agent["id"].as_str().unwrap_or_default());
        let imports = skills["imports"].as_array();
        for (nth, import) in imports.into_iter().flatten().enumerate() {
            let Some(source) = import["source"].as_str() else { continue };
            let pointer = format!("{pointer}/imports/{nth}");
            let says = findings::agent_skill_not_taken(&id, shown(source));
            reading.warning_at(
                path,
                "agent-skills",
                &pointer,
                says,
                advice::put_skill_below_skills(),
            );
        }
        let capabilities = skills["capabilities"].as_object();
        let wanted = capabilities.into_iter().flatten().filter(|(name, capability)| {
            name.as_str() != FILES && capability["enabled"].as_bool() == Some(true)
        });
        for (name, _) in wanted {
            let pointer = format!("{pointer}/capabilities");
            let says = findings::agent_capability_missing(&id, shown(name));
            reading.warning_at(path, "agent-skills", &pointer, says, advice::do_without_programs());
        }
    }
}

/// Turns the file tools off for agents whose skills say so. `value` is the whole of `agents.json`.
pub(super) fn narrow(agents: &mut [Agent], value: &Value) {
    let listed = value["agents"].as_array().into_iter().flatten();
    for (agent, said) in agents.iter_mut().zip(listed) {
        let files = &said["skills"]["capabilities"][FILES];
        if files["enabled"].as_bool() == Some(false) {
            let tools = agent.tools.get_or_insert_default();
            tools.fs.get_or_insert_default().enabled = Some(false);
        }
    }
}
