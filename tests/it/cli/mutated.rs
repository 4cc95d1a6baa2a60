//! Bundled packages with one word changed of what their steps lead to: their own test says so.

use rstest::rstest;
use serde_json::Value;
use std::fs;
use support::program::{Sandbox, copy, root};

/// The places of the texts in a value, as JSON pointers.
fn texts(value: &Value) -> Vec<String> {
    let below = |name: String, value: &Value| {
        texts(value).into_iter().map(move |rest| format!("/{name}{rest}")).collect::<Vec<_>>()
    };
    match value {
        Value::String(_) => vec![String::new()],
        Value::Array(list) => {
            list.iter().enumerate().flat_map(|(at, it)| below(at.to_string(), it)).collect()
        }
        Value::Object(map) => map.iter().flat_map(|(name, it)| below(name.clone(), it)).collect(),
        _ => Vec::new(),
    }
}

/// Whether the run goes another way, or comes to other files, when this word of the graph is another.
fn leads_of_graph(place: &str) -> bool {
    let last = place.rsplit('/').next().unwrap_or_default();
    let is_node = place.starts_with("/nodes") && last == "id";
    is_node || matches!(last, "entryNodeId" | "from" | "to") || place.contains("/outputs/")
}

/// The same of the trace: what is expected, where the model goes, and which files it names.
fn leads_of_trace(place: &str) -> bool {
    let expects = place.contains("/when/") || place.starts_with("/expect/");
    let moves = place.contains("/currentNodeId/") || place.contains("/stepsCompleted/");
    expects || moves || place.ends_with("/arguments/path")
}

/// Changes one word of a file of the package at a time and plays it: where that goes unnoticed.
fn unnoticed(package: &str, file: &str, leads: fn(&str) -> bool, every: usize) -> Vec<String> {
    let sandbox = Sandbox::new();
    let folder = sandbox.path("changed");
    copy(&root().join("templates/packages").join(package), &folder);
    let path = folder.to_string_lossy().into_owned();
    let text = fs::read_to_string(folder.join(file)).unwrap();
    let whole: Value = serde_json::from_str(&text).unwrap();
    let places: Vec<String> = texts(&whole).into_iter().filter(|place| leads(place)).collect();
    assert!(places.len() > 5, "{package}: {places:?}");
    let is_green = |place: &&String| {
        let mut changed = whole.clone();
        let word = changed.pointer_mut(place).unwrap();
        *word = format!("{}-other", word.as_str().unwrap()).into();
        fs::write(folder.join(file), changed.to_string()).unwrap();
        let tested = sandbox.run(&["package", "test", &path]);
        if tested.code == Some(0) {
            return true;
        }
        let told = [&*tested.stdout, &*tested.stderr].concat();
        assert!(told.lines().count() > 1, "{place}: why is not told: {told}");
        false
    };
    places.iter().step_by(every).filter(is_green).cloned().collect()
}

/// Of larger packages every so many words. What may go unnoticed is nothing that the demo leads to: the
/// way that it does not go, and calls that it makes to be refused.
#[rstest]
#[case::linear("hello-linear", 1, &[])]
#[case::branch("hello-branch", 1, &["/nodes/3/outputs/0"])]
#[case::honest("hello-honest", 1, &["/turns/2/"])]
#[case::story("create-story-micro", 2, &["/turns/0/"])]
fn a_changed_word_of_what_a_package_leads_to_fails_its_test(
    #[case] package: &str,
    #[case] every: usize,
    #[case] of_no_matter: &[&str],
) {
    let mut found = unnoticed(package, "workflow.graph.json", leads_of_graph, every);
    found.extend(unnoticed(package, "assets/demo/demo.trace.json", leads_of_trace, every));
    found.retain(|place| !of_no_matter.iter().any(|begins| place.starts_with(begins)));
    assert_eq!(found, Vec::<String>::new(), "{package}");
}
