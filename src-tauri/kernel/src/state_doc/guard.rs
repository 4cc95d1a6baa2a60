//! The guard: every write of the state document passes here before anything is kept
//! (spec 03 "The guard", reference §11).

use serde_json::{Map, Value, json};

use super::{Accepted, STATE, StateDoc, named, repair, schema};
use crate::code::{ErrorCode, Failure};
use crate::frontmatter;
use crate::graph::{Edge, Graph, condition_holds};
use crate::ids::NodeId;
use crate::phrase::engine as said;
use crate::text::sha256_hex;
use crate::time::Time;

/// The guard (spec 03): judges a whole new text against the accepted document. Checks 1–6;
/// check 9 (`ifMatchSha256`) is the caller's argument. Small slips are repaired in the text.
pub fn check_transition(
    old: &StateDoc,
    new_text: &str,
    graph: &Graph,
    if_match_sha256: Option<&str>,
    now: Time,
) -> Result<Accepted, Failure> {
    if new_text == &**old.text() {
        check_hash(old, if_match_sha256)?;
        return Ok(Accepted { doc: old.clone(), repaired: Vec::new(), moved: None });
    }
    let written = frontmatter::parse(new_text).map_err(named)?;
    let mut front = written.clone();
    let mut repaired = repair::slips(&mut front, old, graph, now);
    let new = StateDoc::checked(new_text, schema::normalised(&front))?;
    let moved = check_move(old, &new, graph)?;
    check_steps(old, &new, graph)?;
    if let Some((from, to)) = &moved {
        check_conditions(from, to, &new, graph)?;
    }
    check_hash(old, if_match_sha256)?;
    if let Some((from, _)) = &moved {
        add_left_node(&mut front, from, &mut repaired);
    }
    freshen(&mut front, old, &new, now, &mut repaired);
    if front == written {
        return Ok(Accepted { doc: new, repaired, moved });
    }
    let text = frontmatter::edit(new_text, |map| *map = front).map_err(named)?;
    Ok(Accepted { doc: StateDoc::parse(&text)?, repaired, moved })
}

/// A person's own edit: checks 1–3 and unknown ids in `stepsCompleted`; people may move freely.
pub fn check_user_edit(new_text: &str, graph: &Graph) -> Result<StateDoc, Failure> {
    let doc = StateDoc::parse(new_text)?;
    doc.effective_node(graph).map_err(|f| Failure { code: ErrorCode::InvalidTransition, ..f })?;
    check_known(&doc, graph)?;
    Ok(doc)
}

/// Checks 3 and 4: the new node exists and an edge leads to it.
fn check_move(
    old: &StateDoc,
    new: &StateDoc,
    graph: &Graph,
) -> Result<Option<(NodeId, NodeId)>, Failure> {
    let from = old.effective_node(graph);
    let from_text = from.as_ref().map_or(old.current_node_id.trim(), NodeId::as_str);
    let refuse = |to: &str, why: &str| {
        let next = from.as_ref().map(|id| graph.allowed_next(id, &new.variables));
        let next = next.unwrap_or_default();
        let action = match next.iter().map(|n| format!("`{}`", n.to)).collect::<Vec<_>>() {
            all if all.is_empty() => {
                format!(
                    "Stay on `{from_text}`: no edge leaves it. To go back, use workflow_rewind."
                )
            }
            all => format!("Move to one of: {}; or stay on `{from_text}`.", all.join(", ")),
        };
        Err(Failure::new(
            ErrorCode::InvalidTransition,
            format!("{STATE}: cannot move from `{from_text}` to `{to}`: {why}"),
        )
        .with_details(json!({ "from": from_text, "to": to, "allowedNext": next }))
        .with_action(action))
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

/// Check 5: nothing completed is taken back, everything completed exists.
fn check_steps(old: &StateDoc, new: &StateDoc, graph: &Graph) -> Result<(), Failure> {
    let missing: Vec<&NodeId> =
        old.steps_completed.iter().filter(|id| !new.steps_completed.contains(id)).collect();
    if missing.is_empty() {
        return check_known(new, graph);
    }
    Err(Failure::new(
        ErrorCode::InvalidTransition,
        format!("{STATE}: stepsCompleted must keep what it has, but lost {}", listed(&missing)),
    )
    .with_details(json!({ "missing": missing }))
    .with_action("Keep these ids in stepsCompleted; to go back, use workflow_rewind."))
}

fn check_known(new: &StateDoc, graph: &Graph) -> Result<(), Failure> {
    let unknown: Vec<&NodeId> =
        new.steps_completed.iter().filter(|id| graph.node(id).is_none()).collect();
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
) -> Result<(), Failure> {
    let holds = |e: &Edge| e.condition_expr.as_ref().map(|x| condition_holds(x, &new.variables));
    let edges: Vec<(&Edge, Option<bool>)> = graph.outgoing(from).map(|e| (e, holds(e))).collect();
    let another =
        |mine: &Edge| edges.iter().any(|(e, held)| !std::ptr::eq(*e, mine) && *held == Some(true));
    let open =
        |(e, held): &(&Edge, Option<bool>)| held.unwrap_or(true) && (!e.is_default || !another(e));
    if edges.iter().any(|pair| pair.0.to == *to && open(pair)) {
        return Ok(());
    }
    let ways: Vec<String> = edges
        .iter()
        .filter(|p| open(p))
        .map(|(e, _)| format!("`{}` ({})", e.to, e.label))
        .collect();
    let action = if ways.is_empty() {
        "Set the variables the conditions ask for in the same change.".to_owned()
    } else {
        format!("With these variables the way is open to: {}.", ways.join(", "))
    };
    let default = edges.iter().any(|(e, held)| e.to == *to && e.is_default && *held != Some(false));
    let why = if default {
        "it is the default edge, and another edge's condition holds"
    } else {
        "its condition does not hold"
    };
    Err(Failure::new(
        ErrorCode::ConditionNotMet,
        format!("{STATE}: cannot move from `{from}` to `{to}`: {why}"),
    )
    .with_details(json!({
        "from": from,
        "to": to,
        "allowedNext": graph.allowed_next(from, &new.variables),
    }))
    .with_action(action))
}

/// Check 9.
fn check_hash(old: &StateDoc, if_match_sha256: Option<&str>) -> Result<(), Failure> {
    match if_match_sha256 {
        Some(expected) if !expected.trim().eq_ignore_ascii_case(old.sha256()) => Err(Failure::new(
            ErrorCode::PreconditionFailed,
            format!("{STATE} is not the version that `ifMatchSha256` names"),
        )
        .with_details(json!({ "expectedSha256": expected, "actualSha256": old.sha256() }))
        .with_action("Read the document again and repeat the change on what it says now.")),
        _ => Ok(()),
    }
}

fn add_left_node(front: &mut Map<String, Value>, from: &NodeId, repaired: &mut Vec<String>) {
    let list = front.entry("stepsCompleted").or_insert_with(|| json!([]));
    if list.is_null() {
        *list = json!([]);
    }
    if let Some(items) = list.as_array_mut()
        && !items.iter().any(|i| i.as_str() == Some(from.as_str()))
    {
        items.push(json!(from));
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
