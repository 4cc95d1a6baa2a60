//! What a workflow begins with that a step calls (format 1.2), and whether it can begin at all: a run
//! comes to no step whose workflow cannot.

use super::core::Core;
use crate::bounds::{NESTED_WORKFLOWS, STATE_BYTES, size};
use crate::code::{ErrorCode, Failure};
use crate::graph::Node;
use crate::ids::NodeId;
use crate::package::{Package, Workflow};
use crate::phrase::engine as said;
use crate::state_doc::{Initial, StateDoc};
use crate::time::Time;

/// A workflow that a step calls, as it begins.
pub(super) struct CalledAnew<'a> {
    pub(super) workflow: &'a Workflow,
    pub(super) doc: StateDoc,
    pub(super) entry: NodeId,
}

impl Core {
    /// What begins when the run comes to `node` with this document; `None` for a step of its own.
    ///
    /// # Errors
    /// `E_WRITE_LIMIT` when its document would be too long, and what keeps its template from being one.
    pub(super) fn called_by<'a>(
        &self,
        package: &'a Package,
        node: &Node,
        doc: &StateDoc,
        now: Time,
    ) -> Result<Option<CalledAnew<'a>>, Failure> {
        let Some((called, run)) = node.called_workflow().zip(self.run.as_ref()) else {
            return Ok(None);
        };
        let workflow = package.workflow(called).ok_or_else(|| {
            Failure::new(ErrorCode::EnginePreconditionFailed, said::package_no_workflow(called))
        })?;
        let initial = Initial {
            run_id: &run.run_id,
            workflow_id: &workflow.id,
            agent_id: &run.agent_id,
            variables: node.pass_context.then(|| doc.variables()),
            artifacts: doc.artifacts(),
            now,
        };
        let first = StateDoc::initial(&workflow.state_template, &initial);
        let doc = match first {
            Ok(doc) if doc.text().len() as u64 <= STATE_BYTES => doc,
            Err(failure) if failure.code != ErrorCode::ReadLimit => return Err(failure),
            Ok(_) | Err(_) => {
                let most = size(STATE_BYTES);
                let message = said::called_document_too_long(&node.id, called, most);
                let failure = Failure::new(ErrorCode::WriteLimit, message);
                return Err(failure.with_action(said::make_variables_smaller()));
            }
        };
        let entry = doc.effective_node(&workflow.graph)?;
        Ok(Some(CalledAnew { workflow, doc, entry }))
    }

    /// Whether the run may come to `node` with this document, whose step may call a workflow that
    /// begins with such a step in its turn.
    ///
    /// # Errors
    /// As [`called_by`](Self::called_by), of each of them.
    pub(super) fn may_come_to(
        &self,
        package: &Package,
        node: Option<&Node>,
        doc: &StateDoc,
        now: Time,
    ) -> Result<(), Failure> {
        let Some(mut node) = node else { return Ok(()) };
        let mut begun = None;
        for _ in 0..NESTED_WORKFLOWS {
            let doc = begun.as_ref().map_or(doc, |begun: &CalledAnew<'_>| &begun.doc);
            let Some(next) = self.called_by(package, node, doc, now)? else { return Ok(()) };
            let Some(entry) = next.workflow.graph.node(&next.entry) else { return Ok(()) };
            (node, begun) = (entry, Some(next));
        }
        Ok(())
    }
}
