//! A built-in tool is a type, and its own file alone knows its name (spec 05). So whoever adds one
//! writes its file, lists it in `kernel/src/tool.rs`, and lets the compiler lead them through the
//! matches of the host.

use super::source::line_of;
use super::{none, rust};
use kernel::tool::{BUILT_IN, wire_name};

const OWN: &str = "src-tauri/kernel/src/tool/";

/// Files beside a tool's own that say its variant of `ToolInput` in a match that leaves nobody out.
const MATCHED_IN: [&str; 2] = ["src-tauri/host/src/tools.rs", "src-tauri/kernel/src/tool.rs"];

#[test]
fn only_its_own_file_knows_the_name_of_a_tool() {
    let mut own = Vec::new();
    let mut found = Vec::new();
    for source in rust().into_iter().filter(|source| source.below("src-tauri/")) {
        for (at, text) in source.texts() {
            let text = text.trim_matches('"');
            let named = BUILT_IN.iter().find(|t| t.name == text || wire_name(t.name) == text);
            match named {
                Some(tool) if source.below(OWN) => own.push((tool.name, source.path.clone())),
                Some(tool) => {
                    let line = line_of(&source.text, at);
                    found.push(format!("{}:{line}: {}", source.path, tool.name));
                }
                None => {}
            }
        }
    }
    none("a tool is named by the NAME of its file", &found);
    let files: std::collections::BTreeSet<_> = own.iter().map(|(_, path)| path).collect();
    assert_eq!(own.len(), BUILT_IN.len(), "each name once: {own:?}");
    assert_eq!(files.len(), BUILT_IN.len(), "each in a file of its own: {own:?}");
}

/// A tool that only looks is known to two files beside its own: the list and the host's dispatch.
/// With the file that carries it out in the host that makes four.
#[test]
fn a_new_tool_is_four_files() {
    let mut files: Vec<String> = rust()
        .into_iter()
        .filter(|source| source.below("src-tauri/") && !source.below(OWN))
        .filter(|source| {
            let code = source.code();
            code.contains("ToolInput::Search") || code.contains("Self::Search(")
        })
        .map(|source| source.path)
        .collect();
    files.sort();
    assert_eq!(files, MATCHED_IN);
}
