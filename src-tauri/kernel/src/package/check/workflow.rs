//! Checks one workflow: its graph, its `workflow.md`, its step files.

use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

use super::super::{SchemaKind, StepNotes, Workflow};
use super::conditions::Variables;
use super::files::{PackageReader, is_classic, is_markdown, shown};
use super::{MANIFEST_FILE, Team, shape, subworkflows};
use crate::bounds;
use crate::frontmatter;
use crate::graph::{
    Graph, Node, NodeType, Unchecked, UnfitCondition, check_condition, output_file,
};
use crate::ids::{NodeId, WorkflowId};
use crate::path::{AliasPath, Mount, PathError};
use crate::phrase::{Part, Phrase, advice, findings, misfits};
use crate::tokens::estimate_tokens;

/// A step file over a quarter of an 8k context leaves a small model no room to work.
const LARGE_STEP_TOKENS: u64 = 8192 / 4;

/// One workflow as the manifest names it.
pub(super) struct Named<'a> {
    pub(super) id: WorkflowId,
    pub(super) from_entry: bool,
    pub(super) display_name: String,
    pub(super) description: Option<String>,
    pub(super) workflow: &'a str,
    pub(super) graph: &'a str,
    /// JSON pointer of the object in the manifest.
    pub(super) pointer: String,
}

/// Reads and checks one workflow, and what it says about its variables. `Some` also when there were
/// errors that still let it be shown.
pub(super) fn read(
    reading: &mut PackageReader<'_>,
    named: &Named<'_>,
    team: Option<Team<'_>>,
) -> Option<(Workflow, Variables)> {
    if reading.is_full() {
        return None;
    }
    if is_classic(named.workflow) {
        reading.classic(named.workflow);
        return None;
    }
    let graph_path =
        reading.existing(MANIFEST_FILE, &format!("{}/graph", named.pointer), named.graph);
    let graph = graph_path.as_ref().and_then(|path| read_graph(reading, path, team));
    let workflow_path =
        reading.existing(MANIFEST_FILE, &format!("{}/workflow", named.pointer), named.workflow);
    let template = workflow_path.as_ref().and_then(|path| read_template(reading, path));
    let (template, variables) = template.unzip();
    let mut variables = variables.unwrap_or_default();
    let (mut graph, graph_path) = (graph?, graph_path?);
    let notes = read_steps(reading, &graph_path, &mut graph, team, &mut variables);
    let workflow = Workflow {
        id: named.id.clone(),
        from_entry: named.from_entry,
        display_name: named.display_name.clone(),
        description: named.description.clone(),
        workflow_path: workflow_path?,
        graph_path,
        state_template: template?,
        graph,
        notes,
    };
    Some((workflow, variables))
}

fn read_graph(
    reading: &mut PackageReader<'_>,
    path: &str,
    team: Option<Team<'_>>,
) -> Option<Graph> {
    let value = reading.json(path)?;
    reading.few(path, &value, "nodes", bounds::NODES)?;
    reading.few(path, &value, "edges", bounds::EDGES)?;
    reading.fits(SchemaKind::Graph, path, &value);
    let graph: Graph = reading.typed(path, value)?;
    let mut ids = BTreeSet::new();
    for (at, node) in graph.nodes.iter().enumerate() {
        if !ids.insert(&node.id) {
            reading.error_at(
                path,
                "duplicate-node",
                &format!("/nodes/{at}/id"),
                findings::duplicate_node(&node.id),
                advice::give_own_id(),
            );
        }
        check_agent(reading, path, at, node, team);
        check_files_named(reading, path, at, node);
    }
    check_edges(reading, path, &graph, &ids);
    if !ids.contains(&graph.entry_node_id) {
        reading.error_at(
            path,
            "unknown-entry",
            "/entryNodeId",
            findings::unknown_entry(&graph.entry_node_id),
            advice::use_node(some_ids(&graph)),
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
    reading: &mut PackageReader<'_>,
    path: &str,
    at: usize,
    node: &Node,
    team: Option<Team<'_>>,
) {
    // Without a readable agents.json every reference would be an error; one is enough.
    let Some(team) = team else { return };
    let pointer = format!("/nodes/{at}/agentId");
    if let Some(wanted) = node.agent_id.as_ref().filter(|id| team.find(id.as_str()).is_none()) {
        let says = findings::unknown_agent(&node.id, wanted);
        let advice = advice::use_agent(team.some_ids());
        reading.error_at(path, "unknown-agent", &pointer, says, advice);
    }
    if let Some(says) = team.stuck_at(node) {
        let pointer = format!("/nodes/{at}");
        reading.warning_at(path, "agent-without-files", &pointer, says, advice::turn_files_on());
    }
}

/// Outputs that are no project file cannot be checked, inputs that lead elsewhere cannot be read:
/// both are words for the model then, and neither blocks, since the sandbox decides what a tool
/// may touch.
fn check_files_named(reading: &mut PackageReader<'_>, path: &str, at: usize, node: &Node) {
    for (index, name) in node.outputs.iter().enumerate() {
        let Err(why) = output_file(name) else { continue };
        let says = findings::output_unchecked(shown(name), &node.id, why_unchecked(why));
        let pointer = format!("/nodes/{at}/outputs/{index}");
        reading.warning_at(path, "unchecked-output", &pointer, says, advice::output_not_awaited());
    }
    for (index, name) in node.inputs.iter().enumerate() {
        let Some(why) = leads_elsewhere(name) else { continue };
        let says = findings::input_outside(shown(name), &node.id, why.says());
        let pointer = format!("/nodes/{at}/inputs/{index}");
        reading.warning_at(path, "input-path", &pointer, says, advice::input_in_project());
    }
}

/// An input that is a path, but not one inside the project. Addresses and sentences are no paths.
fn leads_elsewhere(input: &str) -> Option<PathError> {
    let is_words = input.contains("://") || input.contains(char::is_control);
    match AliasPath::parse(input).or_else(|_| AliasPath::new(Mount::Project, input)) {
        Err(why @ (PathError::Absolute | PathError::Climbs)) if !is_words => Some(why),
        Ok(_) | Err(_) => None,
    }
}

fn why_unchecked(why: Unchecked) -> Phrase {
    match why {
        Unchecked::Path(why) => why.says(),
        Unchecked::OtherMount => misfits::output_elsewhere(),
        Unchecked::Folder => misfits::output_folder(),
        Unchecked::Pattern => misfits::output_pattern(),
        Unchecked::Description => misfits::output_words(),
    }
}

fn check_edges(
    reading: &mut PackageReader<'_>,
    path: &str,
    graph: &Graph,
    ids: &BTreeSet<&crate::ids::NodeId>,
) {
    for (at, edge) in graph.edges.iter().enumerate() {
        if reading.is_full() {
            break;
        }
        for (end, id) in [("from", &edge.from), ("to", &edge.to)] {
            if !ids.contains(id) {
                reading.error_at(
                    path,
                    "dangling-edge",
                    &format!("/edges/{at}/{end}"),
                    findings::dangling_edge(id),
                    advice::use_node(some_ids(graph)),
                );
            }
        }
        let Some(expr) = &edge.condition_expr else { continue };
        if let Err(why) = check_condition(expr) {
            let says = findings::condition_broken(&edge.from, &edge.to, why_unfit(why));
            let pointer = format!("/edges/{at}/conditionExpr");
            reading.stricter_at(path, "condition", &pointer, says, advice::write_condition());
        }
    }
}

fn why_unfit(why: UnfitCondition) -> Part {
    match why {
        UnfitCondition::Operator(name) => findings::no_such_operator(shown(&name)),
        UnfitCondition::NotAlone => findings::operator_not_alone(),
        UnfitCondition::Name => findings::variable_not_named(),
        UnfitCondition::Person => findings::person_not_asked(),
        UnfitCondition::TooLong => {
            findings::condition_too_long(bounds::CONDITION_PARTS, bounds::CONDITION_TEXT)
        }
        UnfitCondition::TooDeep => findings::condition_too_deep(bounds::CONDITION_DEPTH),
        UnfitCondition::Broken(why) => return shown(&why).into(),
    }
    .into()
}

fn read_template(reading: &mut PackageReader<'_>, path: &str) -> Option<(String, Variables)> {
    if !markdown(reading, path) {
        return None;
    }
    let text = reading.text(path)?;
    let mut front = matter(reading, path, &text)?;
    // The format's own template leaves it empty, and every start of a run writes it.
    if front.get("updatedAt").and_then(Value::as_str) == Some("") {
        front.shift_remove("updatedAt");
        let (says, advice) = (findings::updated_at_empty(), advice::write_time_or_nothing());
        reading.warning_at(path, "updated-at", "/updatedAt", says, advice);
    }
    let variables = Variables::of_template(&front);
    reading.fits(SchemaKind::Workflow, path, &Value::Object(front));
    Some((text, variables))
}

fn markdown(reading: &mut PackageReader<'_>, path: &str) -> bool {
    if !is_markdown(path) {
        reading.error(path, "not-markdown", findings::not_markdown(), advice::use_markdown());
    }
    is_markdown(path)
}

/// The front matter of a file.
fn matter(reading: &mut PackageReader<'_>, path: &str, text: &str) -> Option<Map<String, Value>> {
    match frontmatter::read(text) {
        Ok(map) => Some(map),
        Err(problem) => {
            reading.error(path, "frontmatter", problem.says, problem.advice);
            None
        }
    }
}

/// Checks every step file and puts the normalised path into its node. Returns what each mentions.
fn read_steps(
    reading: &mut PackageReader<'_>,
    graph_path: &str,
    graph: &mut Graph,
    team: Option<Team<'_>>,
    variables: &mut Variables,
) -> BTreeMap<NodeId, StepNotes> {
    let mut notes = BTreeMap::new();
    let mut promised: BTreeMap<AliasPath, NodeId> = BTreeMap::new();
    for (at, node) in graph.nodes.iter_mut().enumerate() {
        for output in node.checkable_outputs() {
            let path = output.rel().to_owned();
            if let Some(first) = promised.insert(output, node.id.clone()) {
                let says = findings::duplicate_output(first, &node.id, shown(&path));
                reading.warning(graph_path, "duplicate-output", says, advice::one_owner());
            }
        }
        subworkflows::warn_of_none(reading, graph_path, node);
        let pointer = format!("/nodes/{at}/file");
        let Some(path) = reading.existing(graph_path, &pointer, &node.file) else { continue };
        if markdown(reading, &path) {
            let known = check_step(reading, &path, node, team, variables);
            notes.extend(known.map(|known| (node.id.clone(), known)));
        }
        node.file = path;
    }
    notes
}

fn check_step(
    reading: &mut PackageReader<'_>,
    path: &str,
    node: &Node,
    team: Option<Team<'_>>,
    variables: &mut Variables,
) -> Option<StepNotes> {
    let text = reading.text(path)?;
    let tokens = estimate_tokens(&text);
    if tokens > LARGE_STEP_TOKENS {
        let says = findings::step_too_long(tokens, LARGE_STEP_TOKENS);
        reading.warning(path, "large-step", says, advice::split_step());
    }
    let front = matter(reading, path, &text).map(Value::Object)?;
    reading.fits(SchemaKind::Step, path, &front);
    variables.add_step(&front);
    let said = |key: &str| front.get(key).and_then(Value::as_str);
    if let Some(id) = said("nodeId").filter(|id| *id != node.id.as_str()) {
        let says = findings::node_id_mismatch(shown(id), &node.id);
        let advice = advice::write_node_id(&node.id);
        reading.error_at(path, "node-id-mismatch", "/nodeId", says, advice);
    }
    if let Some(kind) = said("type").filter(|t| *t != node.kind.as_str()) {
        // Another word than the format's is a schema error already.
        if kind.parse::<NodeType>().is_ok() {
            let says = findings::type_mismatch(kind, node.kind.as_str());
            reading.warning_at(path, "type-mismatch", "/type", says, advice::graph_decides_type());
        }
    }
    let promised = front.get("outputs").and_then(Value::as_array).into_iter().flatten();
    let known = node.checkable_outputs();
    let only_here = |output: &&str| output_file(output).is_ok_and(|file| !known.contains(&file));
    if let Some(output) = promised.filter_map(Value::as_str).find(only_here) {
        let says = findings::outputs_mismatch(shown(output), &node.id);
        let advice = advice::graph_decides_outputs();
        reading.warning_at(path, "outputs-mismatch", "/outputs", says, advice);
    }
    // The Builder writes an empty one for "none".
    let stranger = |id: &&str| !id.is_empty() && team.is_some_and(|t| t.find(id).is_none());
    if let Some(id) = said("agentId").filter(stranger) {
        let says = findings::step_unknown_agent(shown(id));
        reading.warning_at(path, "unknown-agent", "/agentId", says, advice::graph_decides_agent());
    }
    Some(StepNotes::of(&text, &front))
}
