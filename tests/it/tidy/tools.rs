//! A built-in tool is a type, and its own file alone knows its name (spec 05). So whoever adds one
//! writes its file, lists it in `kernel/src/tool.rs`, and lets the compiler lead them through the
//! matches of the host.

use super::source::{Source, line_of};
use super::{none, rust};
use kernel::tool::{BUILT_IN, wire_name};

const OWN: &str = "src-tauri/kernel/src/tool/";

/// Lists the tools.
const LIST: &str = "src-tauri/kernel/src/tool.rs";

/// Tools that no model is offered: what the person does to files.
const OF_THE_PERSON: usize = 1;

/// All tools of servers are one: which there are is data.
const OF_SERVERS: usize = 1;

/// Files beside a tool's own that say its variant of `ToolInput` in a match that leaves nobody out.
const MATCHED_IN: [&str; 2] = ["src-tauri/host/src/tools.rs", LIST];

/// Who else knows a tool: questions, rewinds, todos and sub-agents are the engine's work.
const ALSO_IN: [(&str, &[&str]); 7] = [
    (
        "PutBack",
        &[
            "src-tauri/kernel/src/effect.rs",
            "src-tauri/kernel/src/engine/by_person.rs",
            "src-tauri/kernel/src/engine/rewinds.rs",
        ],
    ),
    ("Report", &["src-tauri/kernel/src/engine/queue.rs"]),
    (
        "Spawn",
        &[
            "src-tauri/kernel/src/engine/delegation.rs",
            "src-tauri/kernel/src/engine/queue.rs",
            "src-tauri/kernel/src/engine/subagents.rs",
        ],
    ),
    ("AskUser", &["src-tauri/kernel/src/engine/queue.rs"]),
    ("TodoList", &["src-tauri/kernel/src/engine/queue.rs"]),
    ("TodoWrite", &["src-tauri/kernel/src/engine/queue.rs"]),
    (
        "Rewind",
        &[
            "src-tauri/kernel/src/effect.rs",
            "src-tauri/kernel/src/engine/by_person.rs",
            "src-tauri/kernel/src/engine/ends.rs",
            "src-tauri/kernel/src/engine/rewinds.rs",
            "src-tauri/kernel/src/engine/state_calls.rs",
        ],
    ),
];

/// What rewinds say of files is shortened where it is defined; the arguments of the help are those of
/// the command line.
const READ_BY_NAME: [&str; 2] = ["src-tauri/cli/src/help.rs", "src-tauri/kernel/src/restore.rs"];

#[test]
fn only_its_own_file_knows_the_name_of_a_tool() {
    let mut own = Vec::new();
    let mut found = Vec::new();
    for source in rust().into_iter().filter(|source| source.below("src-tauri/")) {
        for (line, text) in source.texts() {
            let text = text.trim_matches('"');
            let named = BUILT_IN.iter().find(|t| t.name == text || wire_name(t.name) == text);
            match named {
                Some(tool) if source.below(OWN) => own.push((tool.name, source.path.clone())),
                Some(tool) => found.push(format!("{}:{line}: {}", source.path, tool.name)),
                None => {}
            }
        }
    }
    none("a tool is named by the NAME of its file", &found);
    let files: std::collections::BTreeSet<_> = own.iter().map(|(_, path)| path).collect();
    assert_eq!(own.len(), BUILT_IN.len(), "each name once: {own:?}");
    assert_eq!(files.len(), BUILT_IN.len(), "each in a file of its own: {own:?}");
}

/// The variants of `ToolInput`, as `kernel/src/tool.rs` lists them.
fn variants(list: &Source) -> Vec<String> {
    let code = list.code();
    let (_, body) = code.split_once("pub enum ToolInput {").expect("the list of calls");
    let (body, _) = body.split_once('}').unwrap();
    let names = body.split(',').filter_map(|variant| variant.split_once('(')?.0.trim().into());
    let names: Vec<String> = names.map(str::to_owned).collect();
    assert_eq!(names.len(), BUILT_IN.len() + OF_THE_PERSON + OF_SERVERS, "{names:?}");
    names
}

/// Whether code names a variant of `ToolInput`, and no longer one that begins like it.
fn names_variant(code: &str, variant: &str) -> bool {
    let named = format!("ToolInput::{variant}");
    let ends = |at: usize| !code[at + named.len()..].starts_with(char::is_alphanumeric);
    code.match_indices(&named).any(|(at, _)| ends(at))
}

/// A tool for files is known to two files beside its own: the list and the host's dispatch. With the
/// file that carries it out in the host that makes four. The tools that work on the conversation
/// are carried out by the engine, and are known there.
#[test]
fn a_new_tool_is_four_files() {
    let sources: Vec<Source> =
        rust().into_iter().filter(|s| s.below("src-tauri/") && !s.below(OWN)).collect();
    let list = sources.iter().find(|source| source.path == LIST).unwrap();
    for variant in variants(list) {
        let mut files: Vec<&str> = (sources.iter())
            .filter(|source| source.path == LIST || names_variant(&source.code(), &variant))
            .map(|source| source.path.as_str())
            .collect();
        files.sort_unstable();
        let also = ALSO_IN.iter().find(|(of, _)| *of == variant).map_or(&[][..], |(_, also)| also);
        let mut expected: Vec<&str> = MATCHED_IN.iter().chain(also).copied().collect();
        expected.sort_unstable();
        assert_eq!(files, expected, "{variant}");
    }
    let imported = sources
        .iter()
        .filter(|s| s.code().contains("ToolInput::{") || s.code().contains("ToolInput::*"));
    assert_eq!(imported.count(), 0, "a variant is said with its enum, so that it can be counted");
}

/// The arms of a match alone: what stands in deeper braces is blank.
fn arms(code: &str, open: usize) -> String {
    let mut depth = 0;
    let mut arms = String::new();
    for c in code[open..].chars() {
        depth -= usize::from(c == '}');
        if depth == 1 {
            arms.push(if c == '}' { ',' } else { c });
        }
        depth += usize::from(c == '{');
        if depth == 0 {
            break;
        }
    }
    arms
}

/// Whether a match tells calls apart by their tools.
fn tells_tools_apart(arms: &str) -> bool {
    arms.contains("ToolInput::") || arms.contains("Self::Rewind(")
}

/// Whether such a match lets one arm stand for all others.
fn hides_tools(arms: &str) -> bool {
    let catches_all = |pattern: &str| {
        let pattern = pattern.split(" if ").next().unwrap_or_default();
        pattern.rsplit([',', '|']).next().is_some_and(|last| last.trim() == "_")
    };
    tells_tools_apart(arms) && arms.split("=>").any(catches_all)
}

#[test]
fn no_match_over_the_tools_hides_a_new_one() {
    assert!(hides_tools(" ToolInput::Read(_) => 1, _ => 2, "));
    assert!(hides_tools(" ToolInput::Read(_) => 1, ToolInput::List(_) | _ => 2, "));
    assert!(!hides_tools(" ToolInput::Read(_) => 1, ToolInput::List(_) => 2, "));
    let (mut found, mut matches) = (Vec::new(), 0);
    for source in rust().into_iter().filter(|source| source.below("src-tauri/")) {
        let code = source.code();
        for (at, _) in code.match_indices("match ") {
            let Some(open) = code[at..].find('{').map(|open| at + open) else { continue };
            let arms = arms(&code, open);
            matches += usize::from(tells_tools_apart(&arms));
            if hides_tools(&arms) {
                found.push(format!("{}:{}", source.path, line_of(&code, at)));
            }
        }
    }
    assert!(matches >= 7, "the matches over the tools were not found");
    none("a match over the tools names all of them", &found);
}

/// Where the members of a result or of arguments are taken out by their names.
fn taken_by_name(code: &str) -> Vec<usize> {
    let of = ["result", "output", "args", "arguments", "input"];
    let how = [".get(", ".get_mut(", ".pointer(", "["];
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let places = of.iter().flat_map(|of| how.iter().map(move |how| format!("{of}{how}")));
    let places = places.flat_map(|text| {
        let at: Vec<usize> = code.match_indices(&text).map(|(at, _)| at).collect();
        at
    });
    places.filter(|at| !code[..*at].ends_with(is_name)).collect()
}

#[test]
fn results_and_arguments_are_read_by_their_types() {
    assert_eq!(taken_by_name("e.result.get(key) result[key] my_result[0]").len(), 2);
    let (mut found, mut parsers) = (Vec::new(), Vec::new());
    for source in rust().into_iter().filter(|s| s.below("src-tauri/") && !s.below(OWN)) {
        let code = source.code();
        if !READ_BY_NAME.contains(&source.path.as_str()) {
            let places = taken_by_name(&code).into_iter();
            found.extend(places.map(|at| format!("{}:{}", source.path, line_of(&code, at))));
        }
        if code.contains("parse_call(") {
            parsers.push(source.path);
        }
    }
    none("what a result or arguments say is read by the tool's type or by CallResult", &found);
    none("a call is parsed when it is received", &parsers);
}
