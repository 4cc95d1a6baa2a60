//! `bmad.json`.

use serde::{Deserialize, Serialize};

use crate::source::{Source, plain};
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
        name: plain(name.rsplit('/').next().unwrap_or(&name)),
        version: npm.version.filter(|it| is_version(it)).unwrap_or_else(|| "0.1.0".to_owned()),
        description: npm.description.map(|text| plain(&text)),
        entry,
        workflows,
    })
}

/// Whether it is three numbers with points between them, and maybe more after a hyphen.
fn is_version(text: &str) -> bool {
    let core = text.split_once('-').map_or(text, |(core, _)| core);
    let is_number = |part: &str| {
        let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        digits && (part == "0" || !part.starts_with('0'))
    };
    let rest = &text[core.len()..];
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
    core.split('.').count() == 3
        && core.split('.').all(is_number)
        && rest.chars().all(fits)
        && !rest.ends_with(['-', '.'])
        && !rest.contains("..")
        && !rest.contains("-.")
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
