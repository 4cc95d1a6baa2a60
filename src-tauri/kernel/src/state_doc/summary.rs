//! A change of the state document as a person reads it: a diff, and one line of words.

use serde_json::Value;
use std::collections::BTreeSet;

use super::{STATE, StateDoc};
use crate::frontmatter;
use crate::text::ellipsis;

/// Values longer than this many bytes are cut in a summary.
const SHOWN: usize = 60;

/// The unified diff of two versions, under the name `@state/workflow.md`; empty when they are the
/// same.
pub fn diff(old: &str, new: &str) -> String {
    if old == new {
        return String::new();
    }
    diffy::DiffOptions::new()
        .set_original_filename(STATE)
        .set_modified_filename(STATE)
        .create_patch(old, new)
        .to_string()
}

/// What changed, in one line: `currentNodeId a → b; +1 artifact; workflowStatus removed`.
/// `no change` when nothing did.
pub fn summary(old: &StateDoc, new: &StateDoc) -> String {
    let mut parts = Vec::new();
    if old.current_node_id.trim() != new.current_node_id.trim() {
        let name = |doc: &StateDoc| match doc.current_node_id.trim() {
            "" => "(start)".to_owned(),
            id => id.to_owned(),
        };
        parts.push(format!("currentNodeId {} → {}", name(old), name(new)));
    }
    steps(old, new, &mut parts);
    counted(
        old.artifacts.len(),
        new.artifacts.len(),
        old.artifacts != new.artifacts,
        "artifact",
        &mut parts,
    );
    let entries = |doc: &StateDoc| doc.decision_log.as_array().map_or(0, Vec::len);
    let differs = old.decision_log != new.decision_log;
    counted(entries(old), entries(new), differs, "decision", &mut parts);
    members(&old.variables, &new.variables, &[], &mut parts);
    let known =
        ["currentNodeId", "stepsCompleted", "artifacts", "decisionLog", "variables", "updatedAt"];
    members(&old.front.clone().into(), &new.front.clone().into(), &known, &mut parts);
    let body = |doc: &StateDoc| frontmatter::split(doc.text()).map(|p| p.body.to_owned()).ok();
    if body(old) != body(new) {
        parts.push("text changed".to_owned());
    }
    if parts.is_empty() {
        let same = old.text == new.text;
        return if same { "no change" } else { "only updatedAt or layout changed" }.to_owned();
    }
    parts.join("; ")
}

fn steps(old: &StateDoc, new: &StateDoc, parts: &mut Vec<String>) {
    let set = |doc: &StateDoc| doc.steps_completed.iter().cloned().collect::<BTreeSet<_>>();
    let (before, after) = (set(old), set(new));
    let mut say = |sign: &str, ids: Vec<String>| {
        if !ids.is_empty() {
            parts.push(format!("stepsCompleted {sign}{}", ids.join(&format!(", {sign}"))));
        }
    };
    say("+", after.difference(&before).map(ToString::to_string).collect());
    say("-", before.difference(&after).map(ToString::to_string).collect());
}

fn counted(before: usize, after: usize, differs: bool, noun: &str, parts: &mut Vec<String>) {
    let plural = |n: usize| if n == 1 { "" } else { "s" };
    if after > before {
        parts.push(format!("+{} {noun}{}", after - before, plural(after - before)));
    } else if before > after {
        parts.push(format!("-{} {noun}{}", before - after, plural(before - after)));
    } else if differs {
        parts.push(format!("{noun}s changed"));
    }
}

fn members(old: &Value, new: &Value, skip: &[&str], parts: &mut Vec<String>) {
    let (Some(old), Some(new)) = (old.as_object(), new.as_object()) else { return };
    let shown = |v: &Value| {
        let text = v.as_str().map_or_else(|| v.to_string(), str::to_owned);
        ellipsis(&text.replace(['\n', '\r'], " "), SHOWN)
    };
    for (key, value) in new.iter().filter(|(k, _)| !skip.contains(&k.as_str())) {
        match old.get(key) {
            Some(before) if before == value => {}
            Some(before) => parts.push(format!("{key} {} → {}", shown(before), shown(value))),
            None => parts.push(format!("{key} = {}", shown(value))),
        }
    }
    for key in old.keys().filter(|k| !skip.contains(&k.as_str()) && !new.contains_key(*k)) {
        parts.push(format!("{key} removed"));
    }
}
