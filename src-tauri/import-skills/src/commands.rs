//! What the texts of a skill want to have run. There is no shell here: the person is told.

use kernel::package::{Finding, Severity};
use kernel::phrase::from_skills as said;
use std::collections::BTreeSet;

use crate::source::{SkillFolder, is_markdown};

/// Programs that skills name, and that nothing here stands for.
const PROGRAMS: [&str; 14] = [
    "bash", "claude", "codex", "curl", "gh", "git", "make", "node", "npm", "npx", "pip", "python",
    "python3", "uv",
];

/// Findings about commands, scripts and folders that there are none of here.
pub(crate) fn find(skill: &SkillFolder<'_>, findings: &mut Vec<Finding>) {
    let mut note = |file: &str, kind, says| {
        let found = Finding::new(Severity::Info, &skill.place(file), kind, says);
        findings.push(found.with_hint(said::model_uses_its_tools()));
    };
    let scripts: Vec<&str> = skill.scripts().collect();
    if let Some(first) = scripts.first() {
        let says = match scripts.len() - 1 {
            0 => said::script_left_alone(first),
            more => said::scripts_left_alone(first, more),
        };
        note(first, "script", says);
    }
    let texts = skill.files.keys().copied().filter(|file| is_markdown(file));
    let texts: Vec<(&str, &str)> =
        texts.filter_map(|file| Some((file, skill.text(file)?))).collect();
    let named: Vec<(&str, BTreeSet<&str>)> = texts
        .iter()
        .map(|(file, text)| (*file, programs(text)))
        .filter(|(_, programs)| !programs.is_empty())
        .collect();
    if let Some((first, _)) = named.first() {
        let programs: BTreeSet<&str> =
            named.iter().flat_map(|(_, programs)| programs).copied().collect();
        let names: Vec<String> = programs.iter().map(|name| format!("`{name}`")).collect();
        let files: Vec<&str> = named.iter().map(|(file, _)| *file).collect();
        note(first, "command", said::programs_not_run(names.join(", "), files.join(", ")));
    }
    let wants_temp =
        |text: &str| text.contains("temp directory") || text.contains("temporary directory");
    if let Some((file, _)) = texts.iter().find(|(_, text)| wants_temp(text)) {
        note(file, "temp-folder", said::no_temp_folder());
    }
}

/// The programs that a text calls in code, without BMAD's own scripts whose result is known.
fn programs(text: &str) -> BTreeSet<&'static str> {
    let mut named = BTreeSet::new();
    let mut is_block = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_block = !is_block;
            continue;
        }
        if is_block {
            named.extend(program(line));
        } else if !line.contains("resolve_customization.py") {
            named.extend(line.split('`').skip(1).step_by(2).filter_map(program));
        }
    }
    named
}

/// The program that a line of code begins with, and something after it.
fn program(code: &str) -> Option<&'static str> {
    let mut words = code.trim_start().trim_start_matches("$ ").split_whitespace();
    let first = words.next()?;
    let program = PROGRAMS.iter().find(|program| **program == first)?;
    words.next().map(|_| *program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_in_code_alone() {
        let text = "Use git here.\n`git diff --stat`, `uv run x`, `git`\n```bash\npython3 a.py\n```\n\
                    Run: `uv run {project-root}/_bmad/scripts/resolve_customization.py --key agent`\n`make it so`";
        let found: Vec<&str> = programs(text).into_iter().collect();
        assert_eq!(found, ["git", "make", "python3", "uv"]);
    }
}
