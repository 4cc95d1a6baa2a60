//! The end of a run (spec 03 "Completion"): a model reaches it, and cannot only claim it.

use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

use super::{COMPLETE, STATE, STATUS, StateDoc, named};
use crate::code::{ErrorCode, Failure};
use crate::frontmatter;
use crate::graph::Graph;
use crate::ids::NodeId;
use crate::time::Time;

/// Open nodes that a refusal names.
const NAMED: usize = 20;

/// `workflowStatus` becomes `complete` at a completed end only.
pub(super) fn check(old: &StateDoc, new: &StateDoc, graph: &Graph) -> Result<(), Failure> {
    if !new.says_complete() || old.says_complete() || new.at_end(graph) {
        return Ok(());
    }
    let current = new.effective_node(graph)?;
    let ahead = graph.reachable_from(&current);
    let completed: BTreeSet<&NodeId> = new.steps_completed.iter().collect();
    let open: Vec<&NodeId> = (graph.execution_order().into_iter().map(|node| &node.id))
        .filter(|id| ahead.contains(*id) && !completed.contains(id))
        .collect();
    let action = if graph.is_terminal(&current) {
        format!("Add `{current}` to stepsCompleted in the same change, when its work is done.")
    } else {
        "Go on to the end of the workflow, one node after the other; the runtime sets \
         workflowStatus when the end node is completed. To end the run earlier is the user's to \
         do: ask them."
            .to_owned()
    };
    Err(Failure::for_model(
        ErrorCode::NotAtEnd,
        format!("{STATE}: workflowStatus cannot be `complete`: the run is on `{current}`, not at its end"),
    )
    .with_details(json!({ "currentNodeId": current, "open": &open[..open.len().min(NAMED)] }))
    .with_action_for_model(action))
}

/// The document of a run that the person ends where it stands.
///
/// # Errors
/// `E_INVALID_FRONTMATTER` when the document cannot be edited.
pub fn ended(old: &StateDoc, now: Time) -> Result<StateDoc, Failure> {
    let text = frontmatter::edit(old.text(), |front| {
        let mut variables = old.variables.as_object().cloned().unwrap_or_default();
        variables.insert(STATUS.to_owned(), json!(COMPLETE));
        front.insert("variables".to_owned(), variables.into());
        front.insert("updatedAt".to_owned(), json!(now));
    });
    StateDoc::parse(&text.map_err(named)?)
}

/// Says in the document that the run is over, when this change brought it to its end.
pub(super) fn complete(
    front: &mut Map<String, Value>,
    old: &StateDoc,
    new: &StateDoc,
    graph: &Graph,
    repaired: &mut Vec<String>,
) {
    if new.says_complete() || !new.at_end(graph) || old.at_end(graph) {
        return;
    }
    let variables = front.entry("variables").or_insert_with(|| json!({}));
    if variables.is_null() {
        *variables = json!({});
    }
    if let Some(map) = variables.as_object_mut() {
        map.insert(STATUS.to_owned(), json!(COMPLETE));
        repaired.push(format!(
            "variables.{STATUS} was set to `{COMPLETE}`: the workflow is at its end"
        ));
    }
}
