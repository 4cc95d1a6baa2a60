//! The short forms of a package for its report: summaries and the permission sheet.

use std::collections::{BTreeMap, BTreeSet};

use super::super::visible;
use super::super::{
    Agent, AgentSummary, Manifest, MenuLine, PermissionRow, StepName, Workflow, WorkflowSummary,
};
use super::MANIFEST_FILE;
use super::files::PackageReader;
use crate::bounds::{OUTPUT_FOLDERS, SUMMARY_STEPS};
use crate::graph::Node;
use crate::ids::AgentId;
use crate::text::ellipsis;

/// Of longer titles the beginning.
const STEP_NAME_BYTES: usize = 200;

fn step_name(node: &Node) -> StepName {
    StepName { id: node.id.clone(), title: ellipsis(node.label(), STEP_NAME_BYTES) }
}

pub(super) fn workflow_summary(workflow: &Workflow) -> WorkflowSummary {
    let nodes = &workflow.graph.nodes;
    WorkflowSummary {
        id: workflow.id.clone(),
        display_name: workflow.display_name.clone(),
        description: workflow.description.clone(),
        node_count: u32::try_from(nodes.len()).unwrap_or(u32::MAX),
        steps: nodes.iter().take(SUMMARY_STEPS).map(step_name).collect(),
    }
}

pub(super) fn agent_summary(agent: &Agent) -> AgentSummary {
    AgentSummary {
        id: agent.id.clone(),
        name: agent.metadata.name.clone(),
        title: agent.metadata.title.clone(),
        icon: agent.metadata.icon.clone(),
        menu: visible(&agent.menu).map(MenuLine::of).collect(),
    }
}

/// What every agent asks for.
pub(super) fn permissions(
    manifest: &Manifest,
    agents: &[Agent],
    folders: &OutputFolders<'_>,
) -> Vec<PermissionRow> {
    let network = manifest.runtime.as_ref().is_some_and(|r| r.requires_network);
    agents.iter().map(|agent| row(agent, network, folders.of_agent(&agent.id))).collect()
}

fn row(agent: &Agent, network: bool, output_folders: Vec<String>) -> PermissionRow {
    let fs = agent.tools.as_ref().and_then(|t| t.fs.clone()).unwrap_or_default();
    let mcp = agent.tools.as_ref().and_then(|t| t.mcp.clone()).unwrap_or_default();
    PermissionRow {
        agent_id: agent.id.clone(),
        fs_enabled: fs.enabled.unwrap_or(true),
        max_read_bytes: fs.max_read_bytes,
        max_write_bytes: fs.max_write_bytes,
        mcp_enabled: mcp.enabled.unwrap_or(false),
        mcp_servers: mcp.allowed_servers,
        network,
        output_folders,
    }
}

/// Folders of the outputs of nodes.
#[derive(Default)]
pub(super) struct OutputFolders<'a> {
    /// Of the nodes that any agent may run.
    shared: BTreeSet<String>,
    /// Of an agent's own nodes.
    own: BTreeMap<&'a AgentId, BTreeSet<String>>,
}

impl<'a> OutputFolders<'a> {
    pub(super) fn of(workflows: &'a [Workflow]) -> Self {
        let mut found = Self::default();
        for node in workflows.iter().flat_map(|w| &w.graph.nodes) {
            let folders = match &node.agent_id {
                None => &mut found.shared,
                Some(id) => found.own.entry(id).or_default(),
            };
            folders.extend(node.checkable_outputs().iter().map(|output| {
                match output.rel().rsplit_once('/') {
                    Some((folder, _)) => format!("{folder}/"),
                    None => "./".to_owned(),
                }
            }));
        }
        found
    }

    /// The same when the rows of these agents have few of them; else it is an error, and there are
    /// none.
    pub(super) fn few(self, reading: &mut PackageReader<'_>, agents: &[Agent]) -> Self {
        let own = |agent: &Agent| self.own.get(&agent.id).map_or(0, BTreeSet::len);
        let count = agents.iter().map(|agent| self.shared.len() + own(agent)).sum();
        let few = reading.so_many(MANIFEST_FILE, "", "outputs", count, OUTPUT_FOLDERS);
        few.map(|()| self).unwrap_or_default()
    }

    fn of_agent(&self, agent: &AgentId) -> Vec<String> {
        match self.own.get(agent) {
            None => self.shared.iter().cloned().collect(),
            Some(own) => self.shared.union(own).cloned().collect(),
        }
    }
}
