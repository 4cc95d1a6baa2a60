//! Small slips of a change that are put right instead of refused (spec 03 "The guard").

use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

use super::{StateDoc, artifacts};
use crate::graph::{Edge, Graph};
use crate::time::Time;

/// Repairs that come before the schema check, since some make a document fit it: artifact
/// prefixes, duplicates, and what the runtime knows of this change's decisions. Values of a wrong
/// type are left for the schema to name. Says in words what it did.
pub(super) fn slips(
    front: &mut Map<String, Value>,
    old: &StateDoc,
    graph: &Graph,
    now: Time,
) -> Vec<String> {
    let mut done = Vec::new();
    normalise_artifacts(front, old, &mut done);
    for key in ["stepsCompleted", "artifacts"] {
        drop_duplicates(front, key, &mut done);
    }
    complete_decisions(front, old, graph, now, &mut done);
    done
}

fn list_mut<'a>(front: &'a mut Map<String, Value>, key: &str) -> Option<&'a mut Vec<Value>> {
    front.get_mut(key)?.as_array_mut()
}

/// `@project/./artifacts/x.md` → `artifacts/x.md`. What is no path of the project is left for the
/// guard to name, and what was there before as it is.
fn normalise_artifacts(front: &mut Map<String, Value>, old: &StateDoc, done: &mut Vec<String>) {
    let listed: BTreeSet<&str> = old.artifacts.iter().map(String::as_str).collect();
    for item in list_mut(front, "artifacts").into_iter().flatten() {
        let Some(text) = item.as_str().filter(|text| !listed.contains(text)) else {
            continue;
        };
        let Some(path) = artifacts::path_of(text).filter(|path| path.rel() != text) else {
            continue;
        };
        done.push(format!("artifacts: `{text}` is written as `{}`", path.rel()));
        *item = json!(path.rel());
    }
}

fn drop_duplicates(front: &mut Map<String, Value>, key: &str, done: &mut Vec<String>) {
    let Some(list) = list_mut(front, key) else { return };
    let mut seen = BTreeSet::new();
    list.retain(|item| {
        let shown = item.as_str().map_or_else(|| item.to_string(), str::to_owned);
        let is_text = item.is_string();
        let is_new = seen.insert((is_text, shown.clone()));
        if !is_new {
            done.push(format!("{key}: the duplicate `{shown}` was dropped"));
        }
        is_new
    });
}

fn complete_decisions(
    front: &mut Map<String, Value>,
    old: &StateDoc,
    graph: &Graph,
    now: Time,
    done: &mut Vec<String>,
) {
    let before = old.decision_log.as_array().map(Vec::as_slice).unwrap_or_default();
    let Some(log) = list_mut(front, "decisionLog") else { return };
    // A log grows at its end: what comes before is as it was.
    let as_before = log.iter().zip(before).take_while(|(new, old)| new == old).count();
    for entry in &mut log[as_before..] {
        if before.contains(entry) {
            continue;
        }
        let Some(entry) = entry.as_object_mut() else { continue };
        let absent = |entry: &Map<String, Value>, key: &str| {
            entry.get(key).is_none_or(|v| v.is_null() || v.as_str() == Some(""))
        };
        if absent(entry, "label")
            && let Some(edge) = edge_of(entry, graph)
        {
            done.push(format!(
                "decisionLog: the label of {} → {} was filled in",
                edge.from, edge.to
            ));
            entry.insert("label".to_owned(), json!(edge.label));
        }
        if absent(entry, "decidedAt") {
            entry.insert("decidedAt".to_owned(), json!(now));
            done.push("decisionLog: decidedAt was filled in".to_owned());
        }
        if entry.get("reason").is_some_and(Value::is_null) {
            entry.shift_remove("reason");
        }
    }
}

fn edge_of<'a>(entry: &Map<String, Value>, graph: &'a Graph) -> Option<&'a Edge> {
    let text = |key: &str| entry.get(key).and_then(Value::as_str).map(str::trim);
    let (from, to) = (text("from")?, text("to")?);
    graph.edges.iter().find(|e| e.from.as_str() == from && e.to.as_str() == to)
}
