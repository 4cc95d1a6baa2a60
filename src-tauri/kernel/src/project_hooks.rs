//! The hooks that stand in a project file (spec 06 "Hooks").

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;

use crate::bounds::{HOOK_COMMAND_BYTES, HOOK_NAME_BYTES, HOOK_SECONDS, HOOKS};
use crate::hook::{HookPoint, HookRule};
use crate::path::{AliasPath, Mount};
use crate::phrase::{Phrase, Why, projects as said};
use crate::text::sha256_hex;
use crate::tool;

/// Seconds that a gate has when it does not say.
const GATE_SECONDS: u32 = 600;
/// Seconds that every other hook has when it does not say.
const USUAL_SECONDS: u32 = 30;

/// A hook as the person wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    /// Its name, where it is run and for which tools.
    pub rule: HookRule,
    /// What the system's shell is given.
    pub command: String,
    /// After how many seconds it is ended.
    pub timeout_s: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Written {
    name: String,
    at: HookPoint,
    command: String,
    #[serde(default)]
    timeout_s: Option<u32>,
    #[serde(default)]
    tools: Vec<String>,
}

/// Why a list of hooks is not taken.
pub struct HookProblem {
    /// Which of them, from 0; `None` for the list itself.
    pub at: Option<usize>,
    /// What is wrong.
    pub why: Why,
}

impl Hook {
    /// What the person trusts: everything that says what is run, where and how long.
    pub fn sha256(&self) -> String {
        let HookRule { name, at, tools, .. } = &self.rule;
        let parts = (name, at, tools, &self.command, self.timeout_s);
        sha256_hex(serde_json::to_string(&parts).unwrap_or_default().as_bytes())
    }
}

/// Reads the member `hooks` of a project file.
///
/// # Errors
/// The first hook that is wrong.
pub fn hooks(written: &Value) -> Result<Vec<Hook>, HookProblem> {
    let list = |why: Phrase| HookProblem { at: None, why: why.into() };
    let Value::Array(items) = written else { return Err(list(said::hooks_are_a_list())) };
    if items.len() > HOOKS {
        return Err(list(said::too_many_hooks(HOOKS)));
    }
    let mut names = BTreeSet::new();
    let mut hooks = Vec::new();
    for (place, item) in items.iter().enumerate() {
        let wrong = |why: Why| HookProblem { at: Some(place), why };
        let hook = Written::deserialize(item).map_err(|e| wrong(Why::json(&e)))?;
        let hook = checked(&hook).map_err(|why| wrong(why.into()))?;
        if !names.insert(hook.rule.name.clone()) {
            return Err(wrong(said::hook_named_twice(&hook.rule.name).into()));
        }
        hooks.push(hook);
    }
    Ok(hooks)
}

fn checked(written: &Written) -> Result<Hook, Phrase> {
    let name = written.name.trim();
    let shown = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ');
    if name.is_empty() || name.len() > HOOK_NAME_BYTES || !name.chars().all(shown) {
        return Err(said::hook_name(HOOK_NAME_BYTES));
    }
    let command = written.command.trim();
    if command.is_empty() || command.len() > HOOK_COMMAND_BYTES || command.contains('\0') {
        return Err(said::hook_command(HOOK_COMMAND_BYTES));
    }
    let usual = if written.at == HookPoint::AcceptGate { GATE_SECONDS } else { USUAL_SECONDS };
    let timeout_s = written.timeout_s.unwrap_or(usual);
    if timeout_s == 0 || timeout_s > HOOK_SECONDS {
        return Err(said::hook_seconds(HOOK_SECONDS));
    }
    let of_calls = matches!(written.at, HookPoint::BeforeToolCall | HookPoint::AfterToolResult);
    if !written.tools.is_empty() && !of_calls {
        return Err(said::hook_has_no_tools());
    }
    let named = |name: &String| {
        let known = tool::find(name).map(|tool| tool.name.to_owned());
        known.ok_or_else(|| said::no_such_tool(name))
    };
    let tools = written.tools.iter().map(named).collect::<Result<_, _>>()?;
    let files = programs(command);
    let rule = HookRule { name: name.to_owned(), at: written.at, tools, files };
    Ok(Hook { rule, command: command.to_owned(), timeout_s })
}

/// Endings of files that something runs when a command names them.
const RUN: [&str; 20] = [
    "sh", "bash", "zsh", "fish", "py", "js", "mjs", "cjs", "ts", "rb", "pl", "php", "lua", "jar",
    "ps1", "bat", "cmd", "exe", "mk", "awk",
];
/// Names of such files without an ending.
const RUN_BY_NAME: [&str; 3] = ["Makefile", "GNUmakefile", "justfile"];

/// The files of the project that a command runs, as far as it names them: those with `./` before
/// them, and those that end like a script. What those run in turn nobody can tell.
fn programs(command: &str) -> Vec<AliasPath> {
    let separates = |c: char| c.is_whitespace() || "\"'`;|&()<>{}=$,".contains(c);
    let words = command.split(separates).filter(|word| !word.is_empty());
    let mut files: Vec<AliasPath> = words.filter_map(program).collect();
    files.sort();
    files.dedup();
    files
}

fn program(word: &str) -> Option<AliasPath> {
    let name = word.rsplit('/').next()?;
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    let is_run = word.starts_with("./")
        || RUN_BY_NAME.contains(&name)
        || ending.is_some_and(|ending| RUN.iter().any(|run| run.eq_ignore_ascii_case(ending)));
    let path = AliasPath::new(Mount::Project, word).ok()?;
    (is_run && !path.rel().is_empty()).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use serde_json::json;

    #[test]
    fn a_hook_has_a_name_a_place_a_command_and_a_time() {
        let written = json!([
            { "name": "tests", "at": "accept_gate", "command": "cargo test" },
            { "name": "no secrets", "at": "before_tool_call", "command": "./look", "timeoutS": 5,
              "tools": ["fs_write", "fs.apply_patch"] },
        ]);
        let read = hooks(&written).ok().unwrap();
        assert_eq!((read[0].rule.at, read[0].timeout_s), (HookPoint::AcceptGate, GATE_SECONDS));
        assert_eq!(read[1].rule.tools, ["fs.write", "fs.apply_patch"]);
        assert_ne!(read[0].sha256(), read[1].sha256());
    }

    #[rstest]
    #[case("./check", &["check"])]
    #[case("sh ci/check.sh && python3 'tools/look.PY' --strict", &["ci/check.sh", "tools/look.PY"])]
    #[case("make -f ci.mk; just -f justfile", &["ci.mk", "justfile"])]
    #[case("grep -q '^# ' artifacts/note.md || exit 1", &[])]
    #[case("cargo test --quiet", &[])]
    #[case("sh /usr/bin/look.sh ../other.sh", &[])]
    fn the_files_that_a_command_runs_are_known(#[case] command: &str, #[case] files: &[&str]) {
        let found = programs(command);
        assert_eq!(found.iter().map(AliasPath::rel).collect::<Vec<_>>(), files);
    }

    #[test]
    fn a_change_of_such_a_file_or_of_a_folder_above_it_changes_the_hook() {
        let written = json!([{ "name": "a", "at": "accept_gate", "command": "sh ci/check.sh" }]);
        let rule = &hooks(&written).ok().unwrap()[0].rule;
        let changes = |path: &str| rule.runs(&path.parse().unwrap());
        assert!(
            ["@project/ci/check.sh", "@project/CI/Check.sh", "@project/ci"]
                .map(changes)
                .iter()
                .all(|it| *it)
        );
        assert!(
            ["@project/ci/check", "@project/ci/other.sh", "@project/c"]
                .map(changes)
                .iter()
                .all(|it| !it)
        );
    }

    #[rstest]
    #[case(json!({}), None)]
    #[case(json!([{ "name": "a", "at": "accept_gate" }]), Some(0))]
    #[case(json!([{ "name": "a", "at": "on_mondays", "command": "x" }]), Some(0))]
    #[case(json!([{ "name": "a\nb", "at": "accept_gate", "command": "x" }]), Some(0))]
    #[case(json!([{ "name": "a", "at": "accept_gate", "command": "x", "timeout": 5 }]), Some(0))]
    #[case(json!([{ "name": "a", "at": "accept_gate", "command": "x", "timeoutS": 0 }]), Some(0))]
    #[case(json!([{ "name": "a", "at": "accept_gate", "command": "x", "tools": ["fs_write"] }]), Some(0))]
    #[case(json!([{ "name": "a", "at": "run_end", "command": "x" },
                  { "name": "a", "at": "run_end", "command": "x" }]), Some(1))]
    fn a_wrong_hook_is_refused_with_its_place(
        #[case] written: Value,
        #[case] place: Option<usize>,
    ) {
        assert_eq!(hooks(&written).err().map(|problem| problem.at), Some(place));
    }
}
