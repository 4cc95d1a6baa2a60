//! Law J: no circles. A file uses no file that uses it, directly or through others, and so it is
//! with the modules inside one module or folder, each taken with all that is below it.
//!
//! What a path leads to is found by following it through renamed crates, imports and re-exports to
//! the file that defines the item. `mod`, a `pub use` and the name of a module on the way are no
//! use of anything. A parent and its child are two files like any others: a parent either leads to
//! its children and uses them, or holds what they share. Methods that a type has in other files are
//! found where they are called on `self`, or by the type's name.

use super::imports::Imports;
use super::none;
use std::collections::BTreeSet;

/// Circles that are still there, each with its reason. The list may only get shorter.
const STILL: &[(&str, &[&str])] = &[
    (
        "Printing knows the commands that it prints for; where names are resolved has no file.",
        &[
            "src-tauri/cli/src/answers.rs",
            "src-tauri/cli/src/approvals.rs",
            "src-tauri/cli/src/args.rs",
            "src-tauri/cli/src/changes.rs",
            "src-tauri/cli/src/conversations.rs",
            "src-tauri/cli/src/follow.rs",
            "src-tauri/cli/src/live.rs",
            "src-tauri/cli/src/output.rs",
            "src-tauri/cli/src/own_model.rs",
            "src-tauri/cli/src/packages.rs",
            "src-tauri/cli/src/projects.rs",
            "src-tauri/cli/src/question.rs",
            "src-tauri/cli/src/replay.rs",
            "src-tauri/cli/src/run.rs",
            "src-tauri/cli/src/runs.rs",
            "cli::answers",
            "cli::approvals",
            "cli::args",
            "cli::changes",
            "cli::conversations",
            "cli::follow",
            "cli::live",
            "cli::output",
            "cli::own_model",
            "cli::packages",
            "cli::projects",
            "cli::question",
            "cli::replay",
            "cli::run",
            "cli::runs",
        ],
    ),
];

#[test]
fn no_file_and_no_module_uses_one_that_uses_it() {
    let mut found = Vec::new();
    let mut idle: BTreeSet<&str> =
        STILL.iter().flat_map(|(_, circle)| circle.iter().copied()).collect();
    for imports in [Imports::of_rust(), Imports::of_the_page()] {
        for circle in imports.circles() {
            let known = STILL
                .iter()
                .find(|(_, still)| circle.iter().all(|member| still.contains(&member.as_str())));
            match known {
                Some(_) => idle.retain(|member| !circle.contains(*member)),
                None => found.push(format!(
                    "a circle of {}\n      {}",
                    circle.iter().cloned().collect::<Vec<_>>().join(", "),
                    imports.inside(&circle).join("\n      ")
                )),
            }
        }
    }
    none("law J: imports go downwards, in no circle", &found);
    let idle: Vec<String> = idle.into_iter().map(str::to_owned).collect();
    none("these are in no circle any more: take them off the list", &idle);
}

/// A file that the resolver does not reach would be free to use anything.
#[test]
fn every_source_file_is_looked_at() {
    let places = Imports::of_rust().places;
    let missed: Vec<String> = super::rust()
        .into_iter()
        .map(|source| source.path)
        .filter(|path| path.starts_with("src-tauri/") && !path.ends_with("/build.rs"))
        .filter(|path| !places.contains_key(path))
        .collect();
    none("each file below src-tauri is a module of a crate", &missed);
}
