//! What becomes of a workflow's document when a workflow that it called has ended (format 1.2).

use serde_json::json;

use super::{StateDoc, ending, named};
use crate::code::Failure;
use crate::frontmatter;
use crate::graph::Graph;
use crate::ids::NodeId;
use crate::time::Time;

/// The document of the workflow that called: `artifacts` is the list as the called one left it, and
/// the step `node` that waited is completed, unless something that it promises is missing.
///
/// # Errors
/// `E_INVALID_FRONTMATTER` when the document cannot be edited.
pub fn returned(
    caller: &StateDoc,
    graph: &Graph,
    node: &NodeId,
    completes: bool,
    artifacts: &[String],
    now: Time,
) -> Result<StateDoc, Failure> {
    let mut steps = caller.steps_completed.clone();
    if completes && !steps.contains(node) {
        steps.push(node.clone());
    }
    let text = frontmatter::edit(caller.text(), |front| {
        front.insert("stepsCompleted".to_owned(), json!(steps));
        front.insert("artifacts".to_owned(), json!(artifacts));
        front.insert("updatedAt".to_owned(), json!(now));
    });
    let doc = StateDoc::parse(&text.map_err(named)?)?;
    if doc.at_end(graph) && !doc.says_complete() { ending::ended(&doc, now) } else { Ok(doc) }
}
