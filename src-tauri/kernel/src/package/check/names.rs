//! Names that people go by: a package, its workflows, agents and steps. None may look like another
//! one, so none may hold a character that cannot be seen. Titles of steps name nothing that is trusted,
//! and are shown with signs in place of such characters: they are warned of.

use super::super::{Agent, Manifest, Workflow};
use super::MANIFEST_FILE;
use super::files::PackageReader;
use crate::phrase::{advice, findings};
use crate::text::ellipsis;
use crate::visible::{name_hides, visible};

const KIND: &str = "hidden-character";

pub(super) fn check(
    reading: &mut PackageReader<'_>,
    manifest: &Manifest,
    agents: Option<&[Agent]>,
    workflows: &[Workflow],
) {
    let says = |name: &str| findings::hidden_character(ellipsis(&visible(name), 200));
    let mut refuse = |file: &str, pointer: String, name: &str| {
        if name_hides(name) {
            reading.stricter_at(file, KIND, &pointer, says(name), advice::retype_name());
        }
    };
    refuse(MANIFEST_FILE, "/name".to_owned(), &manifest.name);
    for (at, workflow) in manifest.workflows.iter().enumerate() {
        let name = workflow.display_name.as_deref().unwrap_or_default();
        refuse(MANIFEST_FILE, format!("/workflows/{at}/displayName"), name);
    }
    for (at, agent) in agents.into_iter().flatten().enumerate() {
        let pointer = |field: &str| format!("/agents/{at}/metadata/{field}");
        refuse(&manifest.entry.agents, pointer("name"), &agent.metadata.name);
        refuse(&manifest.entry.agents, pointer("title"), &agent.metadata.title);
    }
    for workflow in workflows {
        for (at, node) in workflow.graph.nodes.iter().enumerate() {
            let title = node.title.as_deref().unwrap_or_default();
            if name_hides(title) {
                let (file, pointer) = (&workflow.graph_path, format!("/nodes/{at}/title"));
                reading.warning_at(file, KIND, &pointer, says(title), advice::retype_name());
            }
        }
    }
}
