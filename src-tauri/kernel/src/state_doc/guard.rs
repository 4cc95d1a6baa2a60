//! The guard: every write of the state document passes here before anything is kept
//! (spec 03 "The guard").

use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

use super::completed::CompletedChange;
use super::{
    Accepted, Circumstances, STATE, StateDoc, artifacts, ending, named, outputs, repair, schema,
};
use crate::code::{ErrorCode, Failure};
use crate::frontmatter;
use crate::graph::{Edge, Graph, NodeType};
use crate::ids::NodeId;
use crate::path::AliasPath;
use crate::phrase::engine as said;
use crate::text::sha256_hex;
use crate::time::Time;

/// The guard (spec 03 "The guard"): judges a whole new text against the accepted document. Small
/// slips are repaired in the text.
///
/// # Errors
/// The first check that fails, by its code; the document is as it was.
pub fn check_transition(
    old: &StateDoc,
    new_text: &str,
    graph: &Graph,
    given: &Circumstances<'_>,
) -> Result<Accepted, Failure> {
    let &Circumstances { if_match_sha256, now, .. } = given;
    if new_text == &**old.text() {
        check_hash(old, if_match_sha256)?;
        return Ok(Accepted::unchanged(old.clone()));
    }
    let written = frontmatter::parse(new_text).map_err(named)?;
    let mut front = written.clone();
    let mut repaired = repair::slips(&mut front, old, graph, now);
    let new = StateDoc::checked(new_text, schema::normalised(&front))?;
    let Allowed { moved, claimed, without } = check_change(old, &new, graph, given)?;
    if let Some((from, to)) = &moved {
        let completes = !old.steps_completed.contains(to);
        add_left_node(&mut front, from, Some(to).filter(|_| completes), &mut repaired);
    }
    ending::complete(&mut front, old, &new, graph, &mut repaired);
    freshen(&mut front, old, &new, now, &mut repaired);
    if front == written {
        return Ok(Accepted { doc: new, repaired, moved, claimed, without });
    }
    let text = frontmatter::edit(new_text, |map| *map = front).map_err(named)?;
    Ok(Accepted { doc: StateDoc::parse(&text)?, repaired, moved, claimed, without })
}

/// What a change does that the guard allows.
#[derive(Debug, Clone, PartialEq)]
pub struct Allowed {
    /// See [`Accepted::moved`].
    pub moved: Option<(NodeId, NodeId)>,
    /// See [`Accepted::claimed`].
    pub claimed: Vec<AliasPath>,
    /// See [`Accepted::without`].
    pub without: Vec<(NodeId, AliasPath)>,
}

/// Checks 3 to 9 of a change from one document to another.
///
/// # Errors
/// The first check that fails, by its code.
pub fn check_change(
    old: &StateDoc,
    new: &StateDoc,
    graph: &Graph,
    given: &Circumstances<'_>,
) -> Result<Allowed, Failure> {
    check_workflow(old, new)?;
    let moved = check_move(old, new, graph, given)?;
    let steps = CompletedChange::between(old, new);
    check_steps(&steps, new, moved.as_ref(), graph)?;
    if let Some((from, to)) = &moved {
        check_conditions(from, to, new, graph, given)?;
        check_logged(from, to, old, new, graph)?;
    }
    check_hash(old, given.if_match_sha256)?;
    ending::check(old, new, graph)?;
    artifacts::check_paths(&old.artifacts, new)?;
    let claimed = artifacts::claimed(old, new.artifacts.iter().map(String::as_str));
    let without = outputs::check(old, new, moved.as_ref(), &steps.gained, graph, given)?;
    // The last check: that it failed says that nothing else did.
    artifacts::check_files(&claimed, given.missing)?;
    Ok(Allowed { moved, claimed, without })
}

/// A person's own edit: checks 1–3, that it is of the same workflow, unknown ids in `stepsCompleted`, and what no path of the
/// project can be in `artifacts`. People may move freely, tick off what they did themselves, end
/// the run, and list a file that is still to come. `old` is the accepted document, if there is one.
///
/// # Errors
/// The first check that fails, by its code.
pub fn check_user_edit(
    old: Option<&StateDoc>,
    new_text: &str,
    graph: &Graph,
) -> Result<StateDoc, Failure> {
    let doc = StateDoc::parse(new_text)?;
    if let Some(old) = old {
        check_workflow(old, &doc)?;
        artifacts::check_paths(&old.artifacts, &doc)?;
    }
    doc.effective_node(graph).map_err(|f| Failure { code: ErrorCode::InvalidTransition, ..f })?;
    check_known(&doc, graph)?;
    Ok(doc)
}

/// A document stays that of its workflow: where workflows call one another, whoever has read another
/// one may mean that.
fn check_workflow(old: &StateDoc, new: &StateDoc) -> Result<(), Failure> {
    let of = |doc: &StateDoc| doc.front.get("workflowRef")?.as_str().map(str::to_owned);
    let Some((is, says)) = of(old).zip(of(new)).filter(|(is, says)| is != says) else {
        return Ok(());
    };
    let message = said::document_of_another_workflow(STATE, is, says);
    Err(Failure::new(ErrorCode::PreconditionFailed, message)
        .with_action(said::change_the_present_document()))
}

/// Checks 3 and 4: the new node exists and an edge leads to it.
fn check_move(
    old: &StateDoc,
    new: &StateDoc,
    graph: &Graph,
    given: &Circumstances<'_>,
) -> Result<Option<(NodeId, NodeId)>, Failure> {
    let from = old.effective_node(graph);
    let from_text = from.as_ref().map_or(old.current_node_id.trim(), NodeId::as_str);
    let refuse = |to: &str, why: &str| {
        let next = from.as_ref().map(|id| graph.allowed_next(id, given.premises(new)));
        let next = next.unwrap_or_default();
        let action = match next.iter().map(|n| format!("`{}`", n.to)).collect::<Vec<_>>() {
            all if all.is_empty() => {
                format!(
                    "Stay on `{from_text}`: no edge leaves it. To go back, use workflow_rewind."
                )
            }
            all => format!("Move to one of: {}; or stay on `{from_text}`.", all.join(", ")),
        };
        Err(Failure::for_model(
            ErrorCode::InvalidTransition,
            format!("{STATE}: cannot move from `{from_text}` to `{to}`: {why}"),
        )
        .with_details(json!({ "from": from_text, "to": to, "allowedNext": next }))
        .with_action_for_model(action))
    };
    let Ok(to) = new.effective_node(graph) else {
        return refuse(new.current_node_id.trim(), "the graph has no such node");
    };
    match &from {
        Ok(from) if *from == to => Ok(None),
        Ok(from) if graph.outgoing(from).any(|e| e.to == to) => Ok(Some((from.clone(), to))),
        Ok(_) => refuse(to.as_str(), "no edge leads there"),
        Err(_) => refuse(to.as_str(), "the graph does not have the node the run is on"),
    }
}

/// Check 5: nothing completed is taken back, everything completed exists, and what is newly
/// completed is what was worked on.
fn check_steps(
    steps: &CompletedChange<'_>,
    new: &StateDoc,
    moved: Option<&(NodeId, NodeId)>,
    graph: &Graph,
) -> Result<(), Failure> {
    let missing = &steps.lost;
    if missing.is_empty() {
        check_known(new, graph)?;
        return check_active(&steps.gained, new, moved, graph);
    }
    Err(Failure::for_model(
        ErrorCode::InvalidTransition,
        format!("{STATE}: stepsCompleted must keep what it has, but lost {}", listed(missing)),
    )
    .with_details(json!({ "missing": missing }))
    .with_action_for_model("Keep these ids in stepsCompleted; to go back, use workflow_rewind."))
}

/// A newly completed node is the one being left, or the current one when it is an `end` node or
/// the run stays on it.
fn check_active(
    gained: &[&NodeId],
    new: &StateDoc,
    moved: Option<&(NodeId, NodeId)>,
    graph: &Graph,
) -> Result<(), Failure> {
    let current = new.effective_node(graph)?;
    let is_end = |id: &NodeId| graph.node(id).is_some_and(|node| node.kind == NodeType::End);
    let active: Vec<&NodeId> = match moved {
        None => vec![&current],
        Some((from, to)) if is_end(to) => vec![from, to],
        Some((from, _)) => vec![from],
    };
    let not_active: Vec<&NodeId> =
        gained.iter().copied().filter(|id| !active.contains(id)).collect();
    if not_active.is_empty() {
        return Ok(());
    }
    Err(Failure::for_model(
        ErrorCode::InvalidTransition,
        format!(
            "{STATE}: stepsCompleted cannot gain {}: this change may complete {} only",
            listed(&not_active),
            listed(&active)
        ),
    )
    .with_details(json!({ "notActive": not_active, "active": active }))
    .with_action_for_model(format!(
        "Leave {} out; do the work of each node when the run is on it, and complete it then.",
        listed(&not_active)
    )))
}

fn check_known(new: &StateDoc, graph: &Graph) -> Result<(), Failure> {
    let known: BTreeSet<&NodeId> = graph.nodes.iter().map(|n| &n.id).collect();
    let unknown: Vec<&NodeId> =
        new.steps_completed.iter().filter(|id| !known.contains(id)).collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let valid: Vec<&NodeId> = graph.nodes.iter().map(|n| &n.id).collect();
    Err(Failure::new(ErrorCode::InvalidTransition, said::steps_unknown(STATE, listed(&unknown)))
        .with_details(json!({ "unknown": unknown, "validNodeIds": valid }))
        .with_action(said::only_these_steps(listed(&valid))))
}

fn listed(ids: &[&NodeId]) -> String {
    ids.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ")
}

/// Check 6: one of the edges from→to may be taken under the new variables.
fn check_conditions(
    from: &NodeId,
    to: &NodeId,
    new: &StateDoc,
    graph: &Graph,
    given: &Circumstances<'_>,
) -> Result<(), Failure> {
    let ways = graph.ways(from, given.premises(new));
    let open = |way: &&(&Edge, Option<bool>)| way.1 != Some(false);
    if ways.iter().filter(open).any(|(edge, _)| edge.to == *to) {
        return Ok(());
    }
    let default = ways.iter().any(|(edge, _)| edge.to == *to && edge.is_default);
    let ways: Vec<String> =
        ways.iter().filter(open).map(|(e, _)| format!("`{}` ({})", e.to, e.label)).collect();
    let theirs: Vec<&Edge> =
        graph.outgoing(from).filter(|edge| edge.to == *to && edge.asks_the_person()).collect();
    let action = if let Some(edge) = theirs.first() {
        let wanted = edge.condition_text.as_deref().unwrap_or(&edge.label);
        format!(
            "Only the person opens this way, by what they say or choose in this step: {wanted}. Ask them, \
             with ui_ask_user where there is a choice, and end your turn. No variable stands for their answer."
        )
    } else if ways.is_empty() {
        "Set the variables the conditions ask for in the same change.".to_owned()
    } else {
        format!("With these variables the way is open to: {}.", ways.join(", "))
    };
    let why = if default {
        "it is the default edge, and another edge's condition holds"
    } else {
        "its condition does not hold"
    };
    Err(Failure::for_model(
        ErrorCode::ConditionNotMet,
        format!("{STATE}: cannot move from `{from}` to `{to}`: {why}"),
    )
    .with_details(json!({
        "from": from,
        "to": to,
        "allowedNext": graph.allowed_next(from, given.premises(new)),
    }))
    .with_action_for_model(action))
}

/// Check 7: who leaves a decision node says in the log which way was chosen.
fn check_logged(
    from: &NodeId,
    to: &NodeId,
    old: &StateDoc,
    new: &StateDoc,
    graph: &Graph,
) -> Result<(), Failure> {
    let decides = graph.node(from).is_some_and(|node| node.kind == NodeType::Decision);
    let entries =
        |doc: &StateDoc| doc.decisions().filter(|way| *way == (from.as_str(), to.as_str())).count();
    if !decides || entries(new) > entries(old) {
        return Ok(());
    }
    let label = graph.outgoing(from).find(|edge| edge.to == *to).map(|edge| edge.label.as_str());
    let entry = json!({ "from": from, "to": to, "label": label });
    Err(Failure::for_model(
        ErrorCode::InvalidTransition,
        format!("{STATE}: `{from}` is a decision, and decisionLog does not say that it led to `{to}`"),
    )
    .with_details(json!({ "from": from, "to": to, "decisionLogEntry": entry }))
    .with_action_for_model(format!(
        "Send the same change again, with `\"decisionLog\": {{ \"append\": [{entry}] }}` in it and a reason in the entry."
    )))
}

/// Check 9: the document is the one that the caller read.
fn check_hash(old: &StateDoc, if_match_sha256: Option<&str>) -> Result<(), Failure> {
    match if_match_sha256 {
        Some(expected) if !expected.trim().eq_ignore_ascii_case(old.sha256()) => {
            Err(Failure::for_model(
                ErrorCode::PreconditionFailed,
                format!("{STATE} is not the version that `ifMatchSha256` names"),
            )
            .with_details(json!({ "expectedSha256": expected, "actualSha256": old.sha256() }))
            .with_action_for_model(
                "Read the document again and repeat the change on what it says now.",
            ))
        }
        _ => Ok(()),
    }
}

/// Adds the node that was left, before the one that this change moves to and completes.
fn add_left_node(
    front: &mut Map<String, Value>,
    from: &NodeId,
    to: Option<&NodeId>,
    repaired: &mut Vec<String>,
) {
    let list = front.entry("stepsCompleted").or_insert_with(|| json!([]));
    if list.is_null() {
        *list = json!([]);
    }
    if let Some(items) = list.as_array_mut()
        && !items.iter().any(|i| i.as_str() == Some(from.as_str()))
    {
        let before = items.iter().position(|i| i.as_str() == to.map(NodeId::as_str));
        items.insert(before.unwrap_or(items.len()), json!(from));
        repaired.push(format!("stepsCompleted: `{from}`, the node that was left, was added"));
    }
}

/// Sets `updatedAt` when something else changed and it did not move forward.
fn freshen(
    front: &mut Map<String, Value>,
    old: &StateDoc,
    new: &StateDoc,
    now: Time,
    repaired: &mut Vec<String>,
) {
    let fresh = match (new.updated_at(), old.updated_at()) {
        (Some(new), Some(old)) => new > old,
        (new, None) => new.is_some(),
        (None, Some(_)) => false,
    };
    if !fresh && differs_elsewhere(old, new) {
        front.insert("updatedAt".to_owned(), json!(now));
        repaired.push("updatedAt was set".to_owned());
    }
}

fn differs_elsewhere(old: &StateDoc, new: &StateDoc) -> bool {
    let without = |doc: &StateDoc| {
        let mut front = doc.front.clone();
        front.shift_remove("updatedAt");
        front
    };
    let body =
        |doc: &StateDoc| frontmatter::split(doc.text()).map(|p| sha256_hex(p.body.as_bytes())).ok();
    without(old) != without(new) || body(old) != body(new)
}
