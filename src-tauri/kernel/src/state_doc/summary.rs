//! A change of the state document as a person reads it: a diff, and words.

use serde_json::Value;
use std::collections::BTreeSet;

use super::{STATE, STATUS, StateDoc};
use crate::diff::{self, Diff};
use crate::frontmatter;
use crate::graph::Graph;
use crate::phrase::{Phrase, changes};
use crate::text::ellipsis;

/// Values longer than this many bytes are cut in a summary.
const SHOWN: usize = 60;

/// Lists of names longer than this many bytes are cut.
const LISTED: usize = 600;

/// The difference of two versions, under the name `@state/workflow.md`.
pub fn diff(old: &str, new: &str) -> Diff {
    diff::unified(STATE, old, new, diff::SHOWN_BYTES)
}

/// What changed, as phrases; at least one.
pub fn parts(old: &StateDoc, new: &StateDoc) -> Vec<Phrase> {
    let mut parts = Vec::new();
    parts.extend(node(old.current_node_id.trim(), new.current_node_id.trim()));
    steps(old, new, &mut parts);
    let (before, after) = (old.artifacts.len(), new.artifacts.len());
    parts.extend(counted(before, after, old.artifacts != new.artifacts, &ARTIFACTS));
    let entries = |doc: &StateDoc| doc.decision_log.as_array().map_or(0, Vec::len);
    let differs = old.decision_log != new.decision_log;
    parts.extend(counted(entries(old), entries(new), differs, &DECISIONS));
    members(&old.variables, &new.variables, &[], &mut parts);
    let known =
        ["currentNodeId", "stepsCompleted", "artifacts", "decisionLog", "variables", "updatedAt"];
    members(&old.front.clone().into(), &new.front.clone().into(), &known, &mut parts);
    let body = |doc: &StateDoc| frontmatter::split(doc.text()).map(|p| p.body.to_owned()).ok();
    if body(old) != body(new) {
        parts.push(changes::text_changed());
    }
    if parts.is_empty() {
        let same = old.text == new.text;
        parts.push(if same { changes::no_change() } else { changes::layout_only() });
    }
    parts
}

/// What going back means, in words for people: which steps are done again, and which values are
/// forgotten or become what they were.
pub fn rewind_parts(old: &StateDoc, new: &StateDoc, graph: &Graph) -> Vec<Phrase> {
    let again = old.steps_completed.iter().filter(|id| !new.steps_completed.contains(id));
    let again: Vec<&str> = again.map(|id| graph.label(id)).collect();
    let (mut forgotten, mut restored) = (Vec::new(), Vec::new());
    for (name, value) in old.variables.as_object().into_iter().flatten() {
        match new.variables.get(name) {
            // Whether the run is complete is told by its own words.
            _ if name == STATUS => {}
            None => forgotten.push(name.as_str()),
            Some(then) if then != value => restored.push(name.as_str()),
            Some(_) => {}
        }
    }
    let before = old.variables.as_object();
    for (name, _) in new.variables.as_object().into_iter().flatten() {
        if name != STATUS && before.is_none_or(|before| !before.contains_key(name)) {
            restored.push(name.as_str());
        }
    }
    let said = |names: &[&str], say: fn(String) -> Phrase| {
        (!names.is_empty()).then(|| say(ellipsis(&names.join(", "), LISTED)))
    };
    let mut parts: Vec<Phrase> = [
        said(&again, changes::done_again),
        said(&forgotten, changes::values_forgotten),
        said(&restored, changes::values_as_then),
    ]
    .into_iter()
    .flatten()
    .collect();
    if parts.is_empty() {
        parts.push(changes::nothing_done_again());
    }
    parts
}

fn node(before: &str, after: &str) -> Option<Phrase> {
    match (before, after) {
        _ if before == after => None,
        ("", to) => Some(changes::node_entered(to)),
        (from, "") => Some(changes::node_reset(from)),
        (from, to) => Some(changes::node_moved(from, to)),
    }
}

fn steps(old: &StateDoc, new: &StateDoc, parts: &mut Vec<Phrase>) {
    let set = |doc: &StateDoc| doc.steps_completed.iter().cloned().collect::<BTreeSet<_>>();
    let (before, after) = (set(old), set(new));
    let mut say = |sign: &str, ids: Vec<String>| {
        if !ids.is_empty() {
            let steps = format!("{sign}{}", ids.join(&format!(", {sign}")));
            parts.push(changes::steps(steps));
        }
    };
    say("+", after.difference(&before).map(ToString::to_string).collect());
    say("-", before.difference(&after).map(ToString::to_string).collect());
}

/// The phrases for one more or less, for several, and for others.
struct CountedPhrases {
    one: fn(String) -> Phrase,
    several: fn(String) -> Phrase,
    others: fn() -> Phrase,
}

const ARTIFACTS: CountedPhrases = CountedPhrases {
    one: |change| changes::artifact(change),
    several: |change| changes::artifacts(change),
    others: changes::artifacts_changed,
};
const DECISIONS: CountedPhrases = CountedPhrases {
    one: |change| changes::decision(change),
    several: |change| changes::decisions(change),
    others: changes::decisions_changed,
};

fn counted(before: usize, after: usize, differs: bool, said: &CountedPhrases) -> Option<Phrase> {
    let count = before.abs_diff(after);
    if count == 0 {
        return differs.then(said.others);
    }
    let sign = if after > before { '+' } else { '-' };
    let say = if count == 1 { said.one } else { said.several };
    Some(say(format!("{sign}{count}")))
}

fn members(old: &Value, new: &Value, skip: &[&str], parts: &mut Vec<Phrase>) {
    let (Some(old), Some(new)) = (old.as_object(), new.as_object()) else { return };
    let shown = |v: &Value| {
        let text = v.as_str().map_or_else(|| v.to_string(), str::to_owned);
        ellipsis(&text.replace(['\n', '\r'], " "), SHOWN)
    };
    for (name, value) in new.iter().filter(|(k, _)| !skip.contains(&k.as_str())) {
        match old.get(name) {
            Some(before) if before == value => {}
            Some(before) => {
                parts.push(changes::member_changed(name, shown(before), shown(value)));
            }
            None => parts.push(changes::member_set(name, shown(value))),
        }
    }
    for name in old.keys().filter(|k| !skip.contains(&k.as_str()) && !new.contains_key(*k)) {
        parts.push(changes::member_removed(name));
    }
}
