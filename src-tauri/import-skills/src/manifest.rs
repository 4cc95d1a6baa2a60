//! `bmad.json`.

use serde::{Deserialize, Serialize};

use crate::source::Source;
use crate::workflow::{FORMAT, paths_of, written};

pub(crate) use kernel::package::MANIFEST_FILE;

/// The manifest of a package of these skills; name and version are those of npm, where it has them.
pub(crate) fn manifest(source: &Source, workflows: Vec<ManifestWorkflow>) -> String {
    let npm = source.text("package.json");
    let npm: NpmPackage = npm.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let name = npm.name.unwrap_or_else(|| source.name.clone());
    let first = workflows.first();
    let entry = Entry {
        workflow: first.map(|it| it.workflow.clone()).unwrap_or_default(),
        graph: first.map(|it| it.graph.clone()).unwrap_or_default(),
        agents: "agents.json",
        assets_dir: "assets/",
    };
    written(&ManifestFile {
        schema_version: FORMAT,
        name: name.rsplit('/').next().unwrap_or(&name).to_owned(),
        version: npm.version.unwrap_or_else(|| "0.1.0".to_owned()),
        description: npm.description,
        entry,
        workflows,
    })
}

/// What of a `package.json` is of use.
#[derive(Default, Deserialize)]
#[serde(default)]
struct NpmPackage {
    name: Option<String>,
    version: Option<String>,
    description: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ManifestFile {
    schema_version: &'static str,
    name: String,
    version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    entry: Entry,
    workflows: Vec<ManifestWorkflow>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    workflow: String,
    graph: String,
    agents: &'static str,
    assets_dir: &'static str,
}

/// A workflow as the manifest lists it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ManifestWorkflow {
    id: String,
    workflow: String,
    graph: String,
    display_name: String,
    description: String,
}

impl ManifestWorkflow {
    pub(crate) fn of(id: &str, description: &str) -> Self {
        let (workflow, graph) = paths_of(id);
        Self {
            id: id.to_owned(),
            workflow,
            graph,
            display_name: id.to_owned(),
            description: description.to_owned(),
        }
    }
}
