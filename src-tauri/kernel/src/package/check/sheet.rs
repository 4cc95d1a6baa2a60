//! The short forms of a package for its report: summaries and the permission sheet.

use std::collections::BTreeSet;

use super::super::{Agent, AgentSummary, Manifest, PermissionRow, Workflow, WorkflowSummary};
use crate::graph::Node;
use crate::ids::AgentId;

pub(super) fn workflow_summary(workflow: &Workflow) -> WorkflowSummary {
    WorkflowSummary {
        id: workflow.id.clone(),
        display_name: workflow.display_name.clone(),
        description: workflow.description.clone(),
        node_count: u32::try_from(workflow.graph.nodes.len()).unwrap_or(u32::MAX),
    }
}

pub(super) fn agent_summary(agent: &Agent) -> AgentSummary {
    AgentSummary {
        id: agent.id.clone(),
        name: agent.metadata.name.clone(),
        title: agent.metadata.title.clone(),
        icon: agent.metadata.icon.clone(),
    }
}

/// What every agent asks for.
pub(super) fn permissions(
    manifest: &Manifest,
    agents: &[Agent],
    workflows: &[Workflow],
) -> Vec<PermissionRow> {
    let network = manifest.runtime.as_ref().is_some_and(|r| r.requires_network);
    agents.iter().map(|agent| row(agent, network, workflows)).collect()
}

fn row(agent: &Agent, network: bool, workflows: &[Workflow]) -> PermissionRow {
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
        output_folders: output_folders(&agent.id, workflows),
    }
}

/// Folders of the outputs of the agent's own nodes and of those that any agent may run.
fn output_folders(agent: &AgentId, workflows: &[Workflow]) -> Vec<String> {
    let nodes = workflows.iter().flat_map(|w| &w.graph.nodes);
    let folders: BTreeSet<String> = nodes
        .filter(|n| n.agent_id.as_ref().is_none_or(|id| id == agent))
        .flat_map(Node::checkable_outputs)
        .map(|output| match output.rel().rsplit_once('/') {
            Some((folder, _)) => format!("{folder}/"),
            None => "./".to_owned(),
        })
        .collect();
    folders.into_iter().collect()
}
