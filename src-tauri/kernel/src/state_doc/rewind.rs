//! Going back: what `workflow.rewind` makes of the state document (spec 03).

use serde_json::{Value, json};

use super::{Accepted, STATE, StateDoc, named};
use crate::code::{ErrorCode, Failure};
use crate::frontmatter;
use crate::graph::{Graph, Node};
use crate::ids::NodeId;
use crate::time::Time;

/// The document after `workflow.rewind` (spec 03): current node = target, target and everything
/// reachable from it leave `stepsCompleted`, `workflowStatus` cleared, variables replaced by
/// those of when the target was last entered (when known), `decisionLog` gains a record.
///
/// # Errors
/// `E_INVALID_TRANSITION` when the target is neither the entry, nor completed, nor the current node.
pub fn rewound(
    old: &StateDoc,
    graph: &Graph,
    target: &NodeId,
    variables_then: Option<&Value>,
    reason: Option<&str>,
    now: Time,
) -> Result<Accepted, Failure> {
    let from = old.effective_node(graph).ok();
    check_target(old, graph, target, from.as_ref())?;
    let undone = graph.reachable_from(target);
    let steps: Vec<&NodeId> =
        old.steps_completed.iter().filter(|id| !undone.contains(*id)).collect();
    let mut variables = variables_then
        .filter(|v| v.is_object())
        .unwrap_or(&old.variables)
        .as_object()
        .cloned()
        .unwrap_or_default();
    variables.shift_remove("workflowStatus");
    let from_text = from.as_ref().map_or(old.current_node_id.trim(), NodeId::as_str);
    let mut record =
        json!({ "from": from_text, "to": target, "label": "rewind", "decidedAt": now });
    if let Some(reason) = reason.map(str::trim).filter(|r| !r.is_empty()) {
        record["reason"] = json!(reason);
    }
    let mut log = old.decision_log.as_array().cloned().unwrap_or_default();
    log.push(record);
    let text = frontmatter::edit(old.text(), |front| {
        for (key, value) in [
            ("currentNodeId", json!(target)),
            ("stepsCompleted", json!(steps)),
            ("variables", Value::Object(variables)),
            ("decisionLog", Value::Array(log)),
            ("updatedAt", json!(now)),
        ] {
            front.insert(key.to_owned(), value);
        }
    });
    let moved = from.filter(|from| from != target).map(|from| (from, target.clone()));
    let doc = StateDoc::parse(&text.map_err(named)?)?;
    Ok(Accepted { moved, ..Accepted::unchanged(doc) })
}

/// The nodes that a run can go back to, in the order of the graph: the entry, those that are
/// completed, and the current one, which is then done anew.
pub fn rewind_targets<'g>(doc: &StateDoc, graph: &'g Graph) -> Vec<&'g Node> {
    let current = doc.effective_node(graph).ok();
    let may_go = |node: &&Node| {
        node.id == graph.entry_node_id
            || doc.steps_completed.contains(&node.id)
            || current.as_ref() == Some(&node.id)
    };
    graph.execution_order().into_iter().filter(may_go).collect()
}

/// The steps that going back to a node leaves to be done again, in the order of the graph: those that
/// are completed, or current, and come after it or are it.
pub fn done_again(doc: &StateDoc, graph: &Graph, target: &NodeId) -> Vec<NodeId> {
    let (undone, current) = (graph.reachable_from(target), doc.effective_node(graph).ok());
    let was_done = |id: &NodeId| doc.steps_completed.contains(id) || current.as_ref() == Some(id);
    let order = graph.execution_order().into_iter().map(|node| &node.id);
    order.filter(|id| undone.contains(*id) && was_done(id)).cloned().collect()
}

fn check_target(
    old: &StateDoc,
    graph: &Graph,
    target: &NodeId,
    current: Option<&NodeId>,
) -> Result<(), Failure> {
    let exists = graph.node(target).is_some();
    let was_entered = old.steps_completed.contains(target) || current == Some(target);
    if exists && (*target == graph.entry_node_id || was_entered) {
        return Ok(());
    }
    let mut allowed = vec![&graph.entry_node_id];
    let others = old.steps_completed.iter().chain(current);
    for id in others {
        if !allowed.contains(&id) {
            allowed.push(id);
        }
    }
    let why = if exists { "it was never completed" } else { "the graph has no such node" };
    let failure = Failure::for_model(
        ErrorCode::InvalidTransition,
        format!("{STATE}: cannot rewind to `{target}`: {why}"),
    );
    Err(no_way_back(failure, target, &allowed))
}

/// The refusal with the steps that a rewind can lead to.
pub fn no_way_back(failure: Failure, target: &NodeId, allowed: &[&NodeId]) -> Failure {
    let words: Vec<String> = allowed.iter().map(|id| format!("`{id}`")).collect();
    failure
        .with_details(json!({ "to": target, "allowedTargets": allowed }))
        .with_action_for_model(format!("Rewind to one of: {}.", words.join(", ")))
}
