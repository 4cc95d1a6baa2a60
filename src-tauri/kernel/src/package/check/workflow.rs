//! Checks one workflow: its graph, its `workflow.md`, its step files.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

use super::super::{SchemaKind, Workflow, validate_schema};
use super::files::{Reading, is_classic, is_markdown};
use super::{MANIFEST_FILE, Named, shape};
use crate::frontmatter;
use crate::graph::{Graph, Node, NodeType};
use crate::ids::AgentId;
use crate::path::{AliasPath, Mount, PathError};
use crate::text::estimate_tokens;

/// A step file over a quarter of an 8k context leaves a small model no room to work.
const LARGE_STEP_TOKENS: u64 = 8192 / 4;

/// Reads and checks one workflow. `Some` also when there were errors that still let it be shown.
pub(super) fn read(
    reading: &mut Reading<'_>,
    named: &Named<'_>,
    agents: Option<&BTreeSet<&AgentId>>,
) -> Option<Workflow> {
    if is_classic(named.workflow) {
        reading.classic(named.workflow);
        return None;
    }
    let graph_path =
        reading.existing(MANIFEST_FILE, &format!("{}/graph", named.pointer), named.graph);
    let graph = graph_path.as_ref().and_then(|path| read_graph(reading, path, agents));
    let workflow_path =
        reading.existing(MANIFEST_FILE, &format!("{}/workflow", named.pointer), named.workflow);
    let template = workflow_path.as_ref().and_then(|path| read_template(reading, path));
    let mut graph = graph?;
    read_steps(reading, graph_path.as_deref()?, &mut graph, agents);
    Some(Workflow {
        id: named.id.clone(),
        from_entry: named.from_entry,
        display_name: named.display_name.clone(),
        description: named.description.clone(),
        workflow_path: workflow_path?,
        graph_path: graph_path?,
        state_template: template?,
        graph,
    })
}

fn read_graph(
    reading: &mut Reading<'_>,
    path: &str,
    agents: Option<&BTreeSet<&AgentId>>,
) -> Option<Graph> {
    let value = reading.json(path)?;
    reading.found.extend(validate_schema(SchemaKind::Graph, path, &value));
    let graph: Graph = reading.typed(path, value)?;
    let mut ids = BTreeSet::new();
    for (at, node) in graph.nodes.iter().enumerate() {
        if !ids.insert(&node.id) {
            reading.error_at(
                path,
                "duplicate-node",
                &format!("/nodes/{at}/id"),
                format!("the node id `{}` is used twice", node.id),
                "Give every node its own id.",
            );
        }
        check_agent(reading, path, at, node, agents);
        check_files_named(reading, path, at, node);
    }
    check_edges(reading, path, &graph, &ids);
    if !ids.contains(&graph.entry_node_id) {
        reading.error_at(
            path,
            "unknown-entry",
            "/entryNodeId",
            format!("the entry node `{}` is not in the graph", graph.entry_node_id),
            &format!("Use one of the node ids: {}.", some_ids(&graph)),
        );
        return Some(graph);
    }
    shape::warn(reading, path, &graph);
    Some(graph)
}

fn some_ids(graph: &Graph) -> String {
    let ids: Vec<&str> = graph.nodes.iter().take(20).map(|n| n.id.as_str()).collect();
    ids.join(", ")
}

fn check_agent(
    reading: &mut Reading<'_>,
    path: &str,
    at: usize,
    node: &Node,
    agents: Option<&BTreeSet<&AgentId>>,
) {
    // Without a readable agents.json every reference would be an error; one is enough.
    let (Some(agents), Some(wanted)) = (agents, &node.agent_id) else { return };
    if !agents.contains(wanted) {
        let known: Vec<&str> = agents.iter().take(20).map(|a| a.as_str()).collect();
        reading.error_at(
            path,
            "unknown-agent",
            &format!("/nodes/{at}/agentId"),
            format!(
                "node `{}` wants the agent `{wanted}`, which agents.json does not have",
                node.id
            ),
            &format!("Use one of {}, or add the agent.", known.join(", ")),
        );
    }
}

/// Inputs and outputs are project-relative. A path that leaves the project is an error; a text
/// that is no path at all (the Builder allows it in inputs) is left alone.
fn check_files_named(reading: &mut Reading<'_>, path: &str, at: usize, node: &Node) {
    for (field, list) in [("inputs", &node.inputs), ("outputs", &node.outputs)] {
        for (index, name) in list.iter().enumerate() {
            let unsafe_reason = match AliasPath::new(Mount::Project, project_relative(name)) {
                Err(
                    why @ (PathError::Absolute | PathError::Climbs | PathError::ControlCharacter),
                ) => why,
                Err(why) if field == "outputs" => why,
                Ok(_) | Err(_) => continue,
            };
            reading.error_at(
                path,
                "unsafe-path",
                &format!("/nodes/{at}/{field}/{index}"),
                format!("`{}` of node `{}`: {unsafe_reason}", name.escape_debug(), node.id),
                "Write a path relative to the project, for example `artifacts/report.md`.",
            );
        }
    }
}

/// `@project/x` means `x`.
pub(super) fn project_relative(name: &str) -> &str {
    name.strip_prefix("@project/").unwrap_or(name)
}

fn check_edges(
    reading: &mut Reading<'_>,
    path: &str,
    graph: &Graph,
    ids: &BTreeSet<&crate::ids::NodeId>,
) {
    for (at, edge) in graph.edges.iter().enumerate() {
        for (end, id) in [("from", &edge.from), ("to", &edge.to)] {
            if !ids.contains(id) {
                reading.error_at(
                    path,
                    "dangling-edge",
                    &format!("/edges/{at}/{end}"),
                    format!("an edge names the node `{id}`, which is not in the graph"),
                    &format!("Use one of the node ids: {}.", some_ids(graph)),
                );
            }
        }
        let Some(expr) = &edge.condition_expr else { continue };
        if let Some(why) = broken_condition(expr) {
            reading.warning(
                path,
                "condition",
                format!("the condition {} → {} cannot be evaluated: {why}", edge.from, edge.to),
                "Write conditionExpr as JSONLogic over {\"var\": \"variables.…\"}; a broken \
                 condition never holds.",
            );
        }
    }
}

/// Why an expression can never be evaluated, if so. The engine compiles unknown operators and
/// refuses them only when they are reached, so they are looked for here.
fn broken_condition(expr: &Value) -> Option<String> {
    let engine = datalogic_rs::Engine::new();
    if let Err(e) = engine.compile(expr.to_string().as_str()) {
        return Some(e.to_string());
    }
    let known: BTreeSet<&str> = engine.builtin_operator_names().collect();
    unknown_operator(expr, &known).map(|name| format!("there is no operator `{name}`"))
}

fn unknown_operator(expr: &Value, known: &BTreeSet<&str>) -> Option<String> {
    match expr {
        Value::Array(items) => items.iter().find_map(|item| unknown_operator(item, known)),
        Value::Object(map) => map.iter().find_map(|(name, arguments)| {
            if known.contains(name.as_str()) {
                unknown_operator(arguments, known)
            } else {
                Some(name.clone())
            }
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn read_template(reading: &mut Reading<'_>, path: &str) -> Option<String> {
    if !markdown(reading, path) {
        return None;
    }
    let text = reading.text(path)?;
    matter(reading, path, text, SchemaKind::Workflow)?;
    Some(text.to_owned())
}

fn markdown(reading: &mut Reading<'_>, path: &str) -> bool {
    if !is_markdown(path) {
        let hint = "Use a Markdown file with front matter.";
        reading.error(path, "not-markdown", "the file name does not end in .md", hint);
    }
    is_markdown(path)
}

/// The front matter of a file, checked.
fn matter(reading: &mut Reading<'_>, path: &str, text: &str, kind: SchemaKind) -> Option<Value> {
    match frontmatter::parse(text) {
        Ok(map) => {
            let value = Value::Object(map);
            reading.found.extend(validate_schema(kind, path, &value));
            Some(value)
        }
        Err(why) => {
            reading.error(
                path,
                "frontmatter",
                why.message,
                "Begin the file with `---`, `key: value` lines, and `---` again.",
            );
            None
        }
    }
}

/// Checks every step file and puts the normalised path into its node.
fn read_steps(
    reading: &mut Reading<'_>,
    graph_path: &str,
    graph: &mut Graph,
    agents: Option<&BTreeSet<&AgentId>>,
) {
    let mut promised: BTreeMap<String, crate::ids::NodeId> = BTreeMap::new();
    for (at, node) in graph.nodes.iter_mut().enumerate() {
        for output in &node.outputs {
            let output = project_relative(output).to_owned();
            if let Some(first) = promised.insert(output.clone(), node.id.clone()) {
                reading.warning(
                    graph_path,
                    "duplicate-output",
                    format!("nodes `{first}` and `{}` both declare `{output}`", node.id),
                    "Let one node own each file, so that it is clear whose work is missing.",
                );
            }
        }
        if node.kind == NodeType::Subworkflow {
            reading.warning(
                graph_path,
                "subworkflow",
                format!("node `{}` is a subworkflow; it runs as a plain step", node.id),
                "Write the nested procedure into its step file, or into steps of its own.",
            );
        }
        let pointer = format!("/nodes/{at}/file");
        let Some(path) = reading.existing(graph_path, &pointer, &node.file) else { continue };
        if markdown(reading, &path) {
            check_step(reading, &path, node, agents);
        }
        node.file = path;
    }
}

fn check_step(
    reading: &mut Reading<'_>,
    path: &str,
    node: &Node,
    agents: Option<&BTreeSet<&AgentId>>,
) {
    let Some(text) = reading.text(path) else { return };
    let tokens = estimate_tokens(text);
    if tokens > LARGE_STEP_TOKENS {
        reading.warning(
            path,
            "large-step",
            format!(
                "about {tokens} tokens; a quarter of a small model's context is {LARGE_STEP_TOKENS}"
            ),
            "Split the step, or move reference material into assets/.",
        );
    }
    let Some(value) = matter(reading, path, text, SchemaKind::Step) else { return };
    let said = |key: &str| value.get(key).and_then(Value::as_str);
    if let Some(id) = said("nodeId").filter(|id| *id != node.id.as_str()) {
        reading.error_at(
            path,
            "node-id-mismatch",
            "/nodeId",
            format!("the front matter says nodeId `{id}`, the graph says `{}`", node.id),
            &format!("Write `nodeId: {}`, or point the graph's node at another file.", node.id),
        );
    }
    if let Some(kind) = said("type").filter(|t| *t != node.kind.as_str()) {
        reading.warning(
            path,
            "type-mismatch",
            format!("the front matter says type `{kind}`, the graph says `{}`", node.kind.as_str()),
            "The graph decides; write the same type in both places.",
        );
    }
    let stranger = |id: &&str| agents.is_some_and(|known| !known.iter().any(|a| a.as_str() == *id));
    if let Some(id) = said("agentId").filter(stranger) {
        reading.warning(
            path,
            "unknown-agent",
            format!("the front matter names the agent `{id}`, which agents.json does not have"),
            "The graph's agentId decides; correct or remove this one.",
        );
    }
}
