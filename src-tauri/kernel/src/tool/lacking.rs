//! What of a skill does not work here.

use super::BUILT_IN;
use super::skill_activate::scripts_of;
use crate::mcp::is_server_tool;
use crate::phrase::{Phrase, skills as said};
use crate::skill::{AllowedTools, LoadedSkill};

/// Tools of other clients whose work here needs no tool that can be taken away.
const ALWAYS_THERE: [&str; 4] = ["AskUserQuestion", "Skill", "TodoRead", "TodoWrite"];

/// In words: its scripts, and tools that nobody has.
pub fn lacks(skill: &LoadedSkill) -> Vec<Phrase> {
    let unknown = skill.allowed.as_ref().map(unknown_tools).unwrap_or_default();
    let names = (!unknown.is_empty()).then(|| said::wants_other_tools(unknown.join(", ")));
    scripts_of(skill).into_iter().chain(names).collect()
}

fn unknown_tools(allowed: &AllowedTools) -> Vec<&str> {
    let known = |name: &str| {
        let ours = BUILT_IN.iter().any(|tool| tool.answers_to(name));
        ours || ALWAYS_THERE.contains(&name) || is_server_tool(name)
    };
    allowed.names().filter(|name| !known(name)).collect()
}
