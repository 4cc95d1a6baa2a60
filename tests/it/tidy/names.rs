//! A type's name survives being quoted without its module: in a search, a backtrace or a review.

use super::source::line_of;
use super::{none, rust};
use std::collections::BTreeMap;

/// Each tool is a module of its own there, with `Args`, `Input` and `Output` as every tool has
/// them.
const TOOLS: &str = "src-tauri/kernel/src/tool/";
const OF_EACH_TOOL: [&str; 3] = ["Args", "Input", "Output"];

/// The types that code declares for others than its own module, each with where it stands.
fn declared(code: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("pub") {
        let starts_a_line = code[..at].rsplit('\n').next().is_none_or(|l| l.trim().is_empty());
        let rest = &code[at + "pub".len()..];
        let rest = match rest.strip_prefix('(') {
            Some(scope) => scope.split_once(')').map_or("", |(_, rest)| rest),
            None => rest,
        };
        let mut words = rest.split_whitespace();
        let kind = words.next().filter(|word| ["struct", "enum", "trait", "type"].contains(word));
        let (true, Some(_), Some(name)) = (starts_a_line, kind, words.next()) else { continue };
        let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
        found.push((at, &name[..end]));
    }
    found
}

#[test]
fn a_type_that_others_see_has_a_name_of_its_own() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in rust().into_iter().filter(|source| source.below("src-tauri/")) {
        let code = source.code();
        for (at, name) in declared(&code) {
            if !(source.below(TOOLS) && OF_EACH_TOOL.contains(&name)) {
                let place = format!("{}:{}", source.path, line_of(&code, at));
                places.entry(name.to_owned()).or_default().push(place);
            }
        }
    }
    assert!(places.len() > 300, "the types were not found");
    let shared = places.iter().filter(|(_, places)| places.len() > 1);
    let shared: Vec<String> =
        shared.map(|(name, places)| format!("{name}: {}", places.join(", "))).collect();
    none("a type's name says what it is without its module, so that no other has it", &shared);
}

#[test]
fn declarations_are_found_with_whatever_visibility() {
    let code = "pub struct One;\npub(crate) enum Two<T> {}\n    pub(in crate::a) type Three = u8;\n\
                pub fn four() {}\nstruct Five;\npub trait Six: Send {}\npub use seven::Seven;\n";
    let names: Vec<&str> = declared(code).into_iter().map(|(_, name)| name).collect();
    assert_eq!(names, ["One", "Two", "Three", "Six"]);
}
