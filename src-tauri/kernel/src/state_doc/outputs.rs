//! The files that a step promises (spec 03 "The guard", check 8): a model completes a step when facts
//! say that they are there.

use serde_json::json;

use super::{Circumstances, STATE, StateDoc};
use crate::acceptance::{missing_file, prove_file};
use crate::code::{ErrorCode, Failure};
use crate::decision::{MissingFact, NextAction};
use crate::graph::{Graph, Node};
use crate::ids::NodeId;
use crate::path::AliasPath;
use crate::settings::OutputsPolicy;

/// The files that are not there of the steps which this change completes. Under `enforce` there are
/// none.
pub(super) fn check(
    old: &StateDoc,
    new: &StateDoc,
    moved: Option<&(NodeId, NodeId)>,
    gained: &[&NodeId],
    graph: &Graph,
    given: &Circumstances<'_>,
) -> Result<Vec<(NodeId, AliasPath)>, Failure> {
    if given.outputs == OutputsPolicy::Off {
        return Ok(Vec::new());
    }
    let left = moved.map(|(from, _)| from);
    let left = left.filter(|id| !new.steps_completed.contains(id));
    let left = left.filter(|id| !old.steps_completed.contains(id));
    let mut missing = Vec::new();
    for id in gained.iter().copied().chain(left) {
        let outputs = graph.node(id).map(Node::checkable_outputs).unwrap_or_default();
        let absent = outputs.into_iter().filter(|path| !given.evidence.is_there(path));
        missing.extend(absent.map(|path| (id.clone(), path)));
    }
    if missing.is_empty() || given.outputs == OutputsPolicy::Warn {
        return Ok(missing);
    }
    Err(refusal(&missing))
}

fn refusal(missing: &[(NodeId, AliasPath)]) -> Failure {
    let named: Vec<String> =
        missing.iter().map(|(node, path)| format!("`{path}` (step `{node}`)")).collect();
    let facts: Vec<MissingFact> =
        missing.iter().map(|(node, path)| missing_file(node, path)).collect();
    let actions: Vec<NextAction> =
        missing.iter().filter_map(|(_, path)| prove_file(path, &[])).collect();
    Failure::for_model(
        ErrorCode::OutputsMissing,
        format!("{STATE}: a step is completed with its outputs; no fact says that they are there: {}", named.join(", ")),
    )
    .with_details(json!({ "missing_facts": facts, "required_next_actions": actions }))
    .with_action_for_model(
        "Write each missing file, then send the same change again. If a file is there already, make the call of \
         required_next_actions for it first. If the step is to be done without it, ask the user with what `ask` says.",
    )
}
