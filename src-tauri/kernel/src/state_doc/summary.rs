//! A change of the state document as a person reads it: a diff, and one line of words.

use serde_json::Value;
use std::collections::BTreeSet;

use super::{STATE, StateDoc};
use crate::frontmatter;
use crate::phrase::{Phrase, PhraseKey};
use crate::text::ellipsis;
use crate::words::{self, Lang};

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
    words::say(&parts(old, new), Lang::En)
}

/// The same as phrases; at least one.
pub fn parts(old: &StateDoc, new: &StateDoc) -> Vec<Phrase> {
    let mut parts = Vec::new();
    parts.extend(node(old.current_node_id.trim(), new.current_node_id.trim()));
    steps(old, new, &mut parts);
    let (before, after) = (old.artifacts.len(), new.artifacts.len());
    parts.extend(counted(before, after, old.artifacts != new.artifacts, ARTIFACTS));
    let entries = |doc: &StateDoc| doc.decision_log.as_array().map_or(0, Vec::len);
    let differs = old.decision_log != new.decision_log;
    parts.extend(counted(entries(old), entries(new), differs, DECISIONS));
    members(&old.variables, &new.variables, &[], &mut parts);
    let known =
        ["currentNodeId", "stepsCompleted", "artifacts", "decisionLog", "variables", "updatedAt"];
    members(&old.front.clone().into(), &new.front.clone().into(), &known, &mut parts);
    let body = |doc: &StateDoc| frontmatter::split(doc.text()).map(|p| p.body.to_owned()).ok();
    if body(old) != body(new) {
        parts.push(Phrase::plain(PhraseKey::TextChanged));
    }
    if parts.is_empty() {
        let same = old.text == new.text;
        parts.push(Phrase::plain(if same { PhraseKey::NoChange } else { PhraseKey::LayoutOnly }));
    }
    parts
}

fn node(before: &str, after: &str) -> Option<Phrase> {
    match (before, after) {
        _ if before == after => None,
        ("", to) => Some(Phrase::plain(PhraseKey::NodeEntered).with("to", to)),
        (from, "") => Some(Phrase::plain(PhraseKey::NodeReset).with("from", from)),
        (from, to) => Some(Phrase::plain(PhraseKey::NodeMoved).with("from", from).with("to", to)),
    }
}

fn steps(old: &StateDoc, new: &StateDoc, parts: &mut Vec<Phrase>) {
    let set = |doc: &StateDoc| doc.steps_completed.iter().cloned().collect::<BTreeSet<_>>();
    let (before, after) = (set(old), set(new));
    let mut say = |sign: &str, ids: Vec<String>| {
        if !ids.is_empty() {
            let steps = format!("{sign}{}", ids.join(&format!(", {sign}")));
            parts.push(Phrase::plain(PhraseKey::Steps).with("steps", steps));
        }
    };
    say("+", after.difference(&before).map(ToString::to_string).collect());
    say("-", before.difference(&after).map(ToString::to_string).collect());
}

/// The phrases for one more or less, for several, and for others.
type Counted = [PhraseKey; 3];

const ARTIFACTS: Counted = [PhraseKey::Artifact, PhraseKey::Artifacts, PhraseKey::ArtifactsChanged];
const DECISIONS: Counted = [PhraseKey::Decision, PhraseKey::Decisions, PhraseKey::DecisionsChanged];

fn counted(before: usize, after: usize, differs: bool, keys: Counted) -> Option<Phrase> {
    let [one, several, others] = keys;
    let count = before.abs_diff(after);
    if count == 0 {
        return differs.then(|| Phrase::plain(others));
    }
    let sign = if after > before { '+' } else { '-' };
    let key = if count == 1 { one } else { several };
    Some(Phrase::plain(key).with("change", format!("{sign}{count}")))
}

fn members(old: &Value, new: &Value, skip: &[&str], parts: &mut Vec<Phrase>) {
    let (Some(old), Some(new)) = (old.as_object(), new.as_object()) else { return };
    let shown = |v: &Value| {
        let text = v.as_str().map_or_else(|| v.to_string(), str::to_owned);
        ellipsis(&text.replace(['\n', '\r'], " "), SHOWN)
    };
    let of = |key, name: &str| Phrase::plain(key).with("name", name);
    for (name, value) in new.iter().filter(|(k, _)| !skip.contains(&k.as_str())) {
        match old.get(name) {
            Some(before) if before == value => {}
            Some(before) => {
                let changed = of(PhraseKey::MemberChanged, name);
                parts.push(changed.with("from", shown(before)).with("to", shown(value)));
            }
            None => parts.push(of(PhraseKey::MemberSet, name).with("to", shown(value))),
        }
    }
    for name in old.keys().filter(|k| !skip.contains(&k.as_str()) && !new.contains_key(*k)) {
        parts.push(of(PhraseKey::MemberRemoved, name));
    }
}
