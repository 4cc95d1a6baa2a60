//! What is written beside the state document while workflows call one another (format 1.2): the call
//! stack in `@state/run.md`, and the document of each workflow in `@state/workflows`.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;

use super::core::Core;
use crate::effect::StateCopy;
use crate::frontmatter;
use crate::ids::WorkflowId;
use crate::package::slug;
use crate::path::{AliasPath, Mount};
use crate::state_doc::StateDoc;
use crate::text::sha256_hex;

/// Hex digits that keep folders apart whose workflows have much the same name.
const TOLD_APART_HEX: usize = 8;

const RUN_FILE: &str = "run.md";

const RUN_BODY: &str = "---\n---\n\n# Workflows of this run\n\nWritten by the program: `activeWorkflowId` is the \
workflow that is worked on, whose document is `workflow.md`. The steps of `callStack` wait for its \
end, the outermost first. Changes here and below `workflows` are not read.\n";

impl Core {
    /// The files beside the state document; none while no workflow was called.
    pub(super) fn state_copies(&self) -> Vec<StateCopy> {
        let Some((place, run)) = self.call_stack().zip(self.run.as_ref()) else {
            return Vec::new();
        };
        let mut documents: BTreeMap<&WorkflowId, &Arc<StateDoc>> = BTreeMap::new();
        let left = self.nesting.left.iter().map(|left| (&left.workflow_id, &left.doc));
        let callers = self.nesting.callers().map(|caller| (&caller.workflow_id, &caller.doc));
        let active = [(&place.active_workflow_id, &self.doc)];
        for (workflow, doc) in left.chain(callers).chain(active) {
            documents.extend(doc.as_ref().map(|doc| (workflow, doc)));
        }
        let run_file = frontmatter::edit(RUN_BODY, |front| {
            front.insert("schemaVersion".to_owned(), json!("1.2"));
            front.insert("runId".to_owned(), json!(run.run_id));
            front.insert("activeWorkflowId".to_owned(), json!(place.active_workflow_id));
            front.insert("callStack".to_owned(), json!(place.call_stack));
        });
        let documents = documents.into_iter().map(|(workflow, doc)| {
            (format!("workflows/{}/workflow.md", folder(workflow)), doc.text().to_string())
        });
        let run_file = run_file.ok().map(|text| (RUN_FILE.to_owned(), text));
        let copy = |(rel, text): (String, String)| {
            let path = AliasPath::new(Mount::State, &rel).ok()?;
            Some(StateCopy { path, text })
        };
        documents.chain(run_file).filter_map(copy).collect()
    }
}

/// A folder's name of a workflow. Ids may be longer than names of files, and differ in case alone.
fn folder(workflow: &WorkflowId) -> String {
    let name = slug(workflow.as_str());
    if name == workflow.as_str() {
        return name;
    }
    let hash = sha256_hex(workflow.as_str().as_bytes());
    // No id that is such a name by itself has this sign.
    format!("{name}_{}", &hash[..TOLD_APART_HEX])
}
