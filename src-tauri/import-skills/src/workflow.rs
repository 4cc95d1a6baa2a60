//! A workflow as the files of a package: its graph, its state document and its step files.

use kernel::graph::PERSON;
use kernel::ids::AgentId;
use kernel::skill::SKILL_FILE;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

use crate::links::{file_of, links, without_snapshots};
use crate::source::SkillFolder;
use crate::steps::{COMPLETE, Flow, START, Step, WORKFLOW_FILE, Way};
use crate::text::{Placeholders, fenced, folder_of};
use crate::waits::{MenuChoice, Wait, menu};

/// The version of the package format.
pub(crate) const FORMAT: &str = "1.1";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GraphFile {
    schema_version: &'static str,
    entry_node_id: &'static str,
    nodes: Vec<NodeLine>,
    edges: Vec<EdgeLine>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NodeLine {
    id: String,
    #[serde(rename = "type")]
    kind: &'static str,
    file: String,
    title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_id: Option<AgentId>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EdgeLine {
    from: String,
    to: String,
    label: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_default: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    condition_text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    condition_expr: Option<Value>,
}

/// A workflow of the package: what is written of it, with a step before its own and one after them.
struct WrittenWorkflow<'a> {
    id: &'a str,
    /// What it is for.
    description: &'a str,
    /// Who does it, where only one agent leads to it.
    agent: Option<&'a AgentId>,
    /// Where it leads first.
    first: &'a [Way],
    steps: &'a [Step],
}

/// Where a workflow's state document and its graph stand in the package.
pub(crate) fn paths_of(skill: &str) -> (String, String) {
    (format!("workflows/{skill}/workflow.md"), format!("workflows/{skill}/workflow.graph.json"))
}

fn step_file(skill: &str, id: &str) -> String {
    format!("workflows/{skill}/steps/{id}.md")
}

/// The last step of every workflow.
const LAST: &str =
    "# Complete\n\nThe work is done. Say in one or two sentences what was made and where it is.";

impl WrittenWorkflow<'_> {
    /// Its files, by their path in the package: what is said first, and the texts of its steps.
    fn files(&self, begin: &str, text: impl Fn(&Step) -> String) -> BTreeMap<String, Vec<u8>> {
        let (document, graph) = paths_of(self.id);
        let mut files = BTreeMap::from([(document, self.document()), (graph, self.graph())]);
        let mut add = |id: &str, text: String| files.insert(step_file(self.id, id), text);
        add(START, self.step(START, "Begin", self.first, begin));
        for step in self.steps {
            add(&step.id, self.step(&step.id, &step.title, &step.ways, &text(step)));
        }
        add(COMPLETE, self.step(COMPLETE, "Complete", &[], LAST));
        files.into_iter().map(|(path, text)| (path, text.into_bytes())).collect()
    }

    fn document(&self) -> String {
        let Self { id, description, .. } = self;
        format!(
            "---\nschemaVersion: \"{FORMAT}\"\nworkflowType: {id}\ncurrentNodeId: \"\"\nstepsCompleted: []\n\
             variables: {{}}\ndecisionLog: []\nartifacts: []\n---\n\n# {id}\n\n{description}\n"
        )
    }

    fn graph(&self) -> String {
        let node = |id: &str, title: &str, ways: &[Way]| NodeLine {
            id: id.to_owned(),
            kind: kind_of(id, ways),
            file: step_file(self.id, id),
            title: title.to_owned(),
            agent_id: self.agent.cloned(),
        };
        let mut nodes = vec![node(START, "Begin", self.first)];
        nodes.extend(self.steps.iter().map(|step| node(&step.id, &step.title, &step.ways)));
        nodes.push(node(COMPLETE, "Complete", &[]));
        let steps = self.steps.iter().map(|step| (step.id.as_str(), step.ways.as_slice()));
        let all = std::iter::once((START, self.first)).chain(steps);
        let edges =
            all.flat_map(|(from, ways)| ways.iter().map(move |way| self.edge(from, way, ways)));
        let edges = edges.collect();
        written(&GraphFile { schema_version: FORMAT, entry_node_id: START, nodes, edges })
    }

    fn edge(&self, from: &str, way: &Way, all: &[Way]) -> EdgeLine {
        EdgeLine {
            from: from.to_owned(),
            to: way.to.clone(),
            label: self.label(way),
            is_default: is_decision(all) && all.iter().rfind(|way| way.is_next) == Some(way),
            condition_text: condition_words(way, all.len() > 1),
            condition_expr: condition(&way.wait),
        }
    }

    fn label(&self, way: &Way) -> String {
        match &way.wait {
            Wait::Choice(choice) if !choice.label.is_empty() => choice.label.clone(),
            Wait::Choice(choice) => choice.code.clone(),
            Wait::Nothing | Wait::Answer if way.is_next => "next".to_owned(),
            Wait::Nothing | Wait::Answer => {
                let step = self.steps.iter().find(|step| step.id == way.to);
                step.map_or("complete", |step| &step.title).to_owned()
            }
        }
    }

    /// A step file: front matter, the text, and how the step ends here.
    fn step(&self, id: &str, title: &str, ways: &[Way], text: &str) -> String {
        let kind = kind_of(id, ways);
        let agent = self.agent.map(|id| format!("agentId: {id}\n")).unwrap_or_default();
        let title = Value::from(title);
        let transitions = self.transitions(id, ways);
        let ends = if ways.is_empty() { String::new() } else { ends(ways, text) };
        format!(
            "---\nschemaVersion: \"{FORMAT}\"\nnodeId: {id}\ntype: {kind}\ntitle: {title}\n{agent}\
             {transitions}---\n\n{}\n{ends}",
            text.trim()
        )
    }

    /// JSON is YAML.
    fn transitions(&self, from: &str, ways: &[Way]) -> String {
        let lines = ways.iter().map(|way| {
            let edge = self.edge(from, way, ways);
            let mut line = json!({ "to": edge.to, "label": edge.label });
            if edge.is_default {
                line["isDefault"] = Value::Bool(true);
            }
            if let Some(words) = edge.condition_text {
                line["conditionText"] = Value::String(words);
            }
            format!("  - {line}\n")
        });
        let lines: String = lines.collect();
        if lines.is_empty() { lines } else { format!("transitions:\n{lines}") }
    }
}

/// A skill with step files, to be written as a workflow.
pub(crate) struct WorkflowWriter<'a> {
    pub(crate) skill: &'a SkillFolder<'a>,
    pub(crate) flow: &'a Flow,
    pub(crate) texts: &'a Placeholders<'a>,
    /// Who does it, where only one agent leads to it.
    pub(crate) agent: Option<&'a AgentId>,
}

impl WorkflowWriter<'_> {
    /// Its files, by their path in the package.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let workflow = WrittenWorkflow {
            id: self.skill.name.as_str(),
            description: &self.skill.document.description,
            agent: self.agent,
            first: &self.flow.first,
            steps: &self.flow.steps,
        };
        let begin = match self.flow.entry.as_str() {
            SKILL_FILE => self.linked(&self.skill.document.text, ""),
            file => self.text(file),
        };
        workflow.files(&begin, |step| self.text(&step.file))
    }

    /// A file of the skill, as a step of the package.
    fn text(&self, file: &str) -> String {
        let text = self.skill.text(file).unwrap_or_default();
        let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        self.linked(&with_matter_below(text), folder)
    }

    /// A text filled, and its links as a step of a package names things.
    fn linked(&self, text: &str, folder: &str) -> String {
        self.texts.filled(&self.relinked(&without_snapshots(text), folder))
    }

    fn relinked(&self, text: &str, folder: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for link in links(text) {
            let Some(file) = file_of(link.written, folder, &self.skill.files) else { continue };
            out.push_str(&text[done..link.at]);
            out.push_str(&self.link_to(&file, text[..link.at].ends_with('`')));
            done = link.at + link.written.len();
        }
        out.push_str(&text[done..]);
        out
    }

    fn link_to(&self, file: &str, is_quoted: bool) -> String {
        let name = self.skill.name.as_str();
        if file == self.flow.entry || file == SKILL_FILE {
            return format!("@pkg/{}", step_file(name, START));
        }
        match self.flow.step_of(file) {
            Some(step) if is_quoted => step.id.clone(),
            Some(step) => format!("the step `{}`", step.id),
            None => format!("{}/{file}", folder_of(&self.skill.name)),
        }
    }
}

/// How a step ends here: below its text, for the model.
fn ends(ways: &[Way], text: &str) -> String {
    let line = |way: &Way| {
        let words = condition_words(way, ways.len() > 1);
        let words = words.map(|words| format!(": when {words}")).unwrap_or_default();
        format!("- `{}`{words}\n", way.to)
    };
    let lines: String = ways.iter().map(line).collect();
    let asked = if ways.iter().any(|way| way.wait != Wait::Nothing) { ASKED } else { "" };
    let choices = menu(text);
    let chosen = ways.iter().any(|way| matches!(way.wait, Wait::Choice(_))) && !choices.is_empty();
    let question = if chosen {
        format!(
            "\nAsk with `ui_ask_user`. You may translate what follows the brackets, and nothing else:\n\n```json\n{}\n```\n",
            question(&choices)
        )
    } else {
        String::new()
    };
    format!("\n## How this step ends here\n\n{MOVES}\n\n{lines}{asked}{question}")
}

/// What a model has to know of steps.
const MOVES: &str = "The run goes on to another step only by a change of `@state/workflow.md`; to read a file of \
                     a later step does not begin it.";
/// What it has to know of a way that waits for the person.
const ASKED: &str = "\nThe runtime records what the person says or chooses, and keeps the way shut until then. \
                     Do the work of the step first, then ask and end your turn.\n";

/// What the question with the menu of a step is called: an answer to another one is none to it.
const MENU: &str = "menu";

/// The call that asks for a choice of the menu.
fn question(choices: &[MenuChoice]) -> Value {
    let options: Vec<Value> = choices
        .iter()
        .map(|choice| json!({ "value": choice.code, "label": choice.shown() }))
        .collect();
    json!({ "widgetId": MENU, "type": "selection", "message": "What now?", "multi": false, "options": options })
}

fn kind_of(id: &str, ways: &[Way]) -> &'static str {
    match id {
        COMPLETE => "end",
        _ if is_decision(ways) => "decision",
        _ => "step",
    }
}

/// Whether the model decides between ways: where a person does, nothing is to be logged.
fn is_decision(ways: &[Way]) -> bool {
    ways.len() > 1 && ways.iter().all(|way| way.wait == Wait::Nothing)
}

fn condition_words(way: &Way, several: bool) -> Option<String> {
    let about = |words: &str| match way.sentence.as_str() {
        "" => words.to_owned(),
        sentence if several => format!("{words} ({sentence})"),
        _ => words.to_owned(),
    };
    match &way.wait {
        Wait::Choice(choice) => Some(format!("the person chose `{}` in this step", choice.shown())),
        Wait::Answer => Some(about("the person answered in this step")),
        Wait::Nothing if several => Some(way.sentence.clone()).filter(|words| !words.is_empty()),
        Wait::Nothing => None,
    }
}

fn condition(wait: &Wait) -> Option<Value> {
    let said = json!({ "var": format!("{PERSON}.said") });
    match wait {
        Wait::Nothing => None,
        Wait::Answer => Some(json!({ "!!": [{ "var": format!("{PERSON}.answered") }] })),
        Wait::Choice(choice) => {
            let code = choice.code.to_lowercase();
            let words = [code.clone(), choice.label.to_lowercase(), format!("{MENU}: {code}")];
            let words = words.into_iter().filter(|words| !words.is_empty());
            let any: Vec<Value> = words.map(|words| json!({ "in": [words, said] })).collect();
            Some(json!({ "or": any }))
        }
    }
}

/// The workflow of a package that has skills alone.
pub(crate) const BY_SKILL: &str = "use-a-skill";
/// What it is for.
pub(crate) const BY_SKILL_DESCRIPTION: &str = "Works by one of the skills of this package.";

/// Its files: one step, in which the skill that fits is followed.
pub(crate) fn by_skill() -> BTreeMap<String, Vec<u8>> {
    let way = Way {
        to: COMPLETE.to_owned(),
        sentence: String::new(),
        wait: Wait::Answer,
        is_next: true,
        is_told: true,
    };
    let workflow = WrittenWorkflow {
        id: BY_SKILL,
        description: BY_SKILL_DESCRIPTION,
        agent: None,
        first: &[way],
        steps: &[],
    };
    let begin = "# Work by a skill\n\nFind out what the user wants, activate the skill that fits, and do what it says. \
                 When the work is done, show it and ask whether it is right so.";
    workflow.files(begin, |_| String::new())
}

/// A text whose front matter, which some step files begin with, stands in it for the model: a step of
/// a package has one of its own.
fn with_matter_below(text: &str) -> String {
    match kernel::frontmatter::parts(text) {
        Ok(parts) if !parts.yaml.trim().is_empty() => {
            format!("Variables of this step:\n\n{}\n{}", fenced("yaml", parts.yaml), parts.body)
        }
        Ok(parts) => parts.body.to_owned(),
        Err(_) => text.to_owned(),
    }
}

/// As a file of a package.
pub(crate) fn written(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    format!("{text}\n")
}

/// Whether the skill is a template that a script of BMAD fills in.
pub(crate) fn is_template(skill: &SkillFolder<'_>) -> bool {
    skill.document.text.contains("render_skill.py") && skill.files.contains_key(WORKFLOW_FILE)
}
