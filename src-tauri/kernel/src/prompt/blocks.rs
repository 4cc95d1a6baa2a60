//! One function a block: values into the template of the same name.

use minijinja::context;
use serde_json::{Value, json};

use super::anchor::{Anchor, CurrentStep, TodoLines, line};
use super::input::{PromptKind, TaskPrompt};
use super::memo::Memo;
use super::redact::{redact_paths, redact_text};
use super::summary::bounded_json;
use super::templates::{self, Templates};
use crate::bounds::{PREVIEW_BYTES, size};
use crate::code::Failure;
use crate::context::{SUMMARY_HEADER, SUMMARY_HEADINGS, SourcedMessage};
use crate::decision::{Decision, MissingFact};
use crate::mark;
use crate::mcp::ServerName;
use crate::mention::GivenFile;
use crate::package::Agent;
use crate::path::{AliasPath, Mount};
use crate::policy::{ApproveWrites, ToolPolicy};
use crate::settings::ToolOffer;
use crate::subagent::TaskType;
use crate::text::ellipsis;
use crate::tool::{self, EffectClass, StepMove};
use crate::widget::STATE_CHANGE_CONFIRM;

/// Most bytes of variables in `STATE_SUMMARY`: some 600 tokens. The whole is in the document.
const MAX_VARIABLES_BYTES: usize = 2_000;

/// Variables that stand beside what is to be done next, and bytes of one.
const LISTED_VARIABLES: usize = 20;
/// See [`LISTED_VARIABLES`].
const VARIABLE_BYTES: usize = 300;

/// What a model needs to summarise older messages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SummaryRequest<'a> {
    /// The messages as text, oldest first.
    pub transcript: &'a str,
    /// How long the summary may be.
    pub max_tokens: u32,
}

/// Which calls the user sees first, in words.
fn approval(writes: ApproveWrites) -> Option<&'static str> {
    match writes {
        ApproveWrites::Auto => None,
        ApproveWrites::Ask => {
            Some("the user sees every change of a file first and allows or refuses it")
        }
        ApproveWrites::AskOutside => Some(
            "the user sees every change of a file outside the artifacts folder and the step's outputs first and allows or refuses it",
        ),
    }
}

/// What the system layers follow from.
type SystemOf = (PromptKind, ToolOffer, ToolPolicy, Option<Agent>);
/// What the anchor's blocks follow from.
type AnchorOf = (Anchor, Vec<GivenFile>);

/// Renders the layers, those of the last requests once.
#[derive(Debug)]
pub struct PromptComposer {
    templates: Templates,
    pub(super) systems: Memo<SystemOf, Vec<SourcedMessage>>,
    pub(super) anchors: Memo<AnchorOf, Vec<SourcedMessage>>,
}

impl PromptComposer {
    /// With the embedded templates.
    ///
    /// # Errors
    /// `E_INTERNAL` when a template is broken, which a test excludes.
    pub fn new() -> Result<Self, Failure> {
        let (systems, anchors) = (Memo::default(), Memo::default());
        Ok(Self { templates: Templates::new()?, systems, anchors })
    }

    pub(super) fn base_rules(
        &self,
        kind: PromptKind,
        policy: &ToolPolicy,
    ) -> Result<String, Failure> {
        let name = match kind {
            PromptKind::Run => templates::BASE_RULES,
            PromptKind::Agent | PromptKind::Chat => templates::BASE_RULES_CHAT,
            PromptKind::Task => templates::BASE_RULES_TASK,
        };
        self.templates.render(name, context! { package => policy.places.hold(Mount::Pkg) })
    }

    pub(super) fn tool_policy(&self, policy: &ToolPolicy) -> Result<String, Failure> {
        let here = tool::BUILT_IN.iter().filter(|tool| tool.belongs_to(policy));
        let (on, off): (Vec<_>, Vec<_>) = here.partition(|tool| tool.is_offered(policy));
        let writes = on.iter().any(|tool| tool.class == EffectClass::WriteProject);
        let names = |tools: Vec<&tool::Tool>| match tools.as_slice() {
            [] => "none".to_owned(),
            tools => tools.iter().map(|t| tool::wire_name(t.name)).collect::<Vec<_>>().join(", "),
        };
        self.templates.render(
            templates::TOOL_POLICY,
            context! {
                on => names(on),
                off => names(off),
                files => policy.fs_enabled,
                writes,
                secrets => policy.allow_secret_files,
                max_read => kib(policy.max_read_bytes),
                max_write => kib(policy.max_write_bytes),
                approval => approval(policy.approve_writes).filter(|_| policy.task.is_none()),
                servers => servers(policy),
            },
        )
    }

    pub(super) fn render(&self, name: &str, values: minijinja::Value) -> Result<String, Failure> {
        self.templates.render(name, values)
    }

    pub(super) fn base_rules_step(&self) -> Result<String, Failure> {
        self.templates.render(templates::BASE_RULES_STEP, context! {})
    }

    /// What is to be done next in a run, in one sentence, and the variables to do it with.
    pub(super) fn next_action(
        &self,
        next: &StepMove,
        variables: &Value,
    ) -> Result<String, Failure> {
        let (kind, path, asks_with) = match next {
            StepMove::Read(file) => ("read", Some(file), None),
            StepMove::Ask(tool) => ("ask", None, tool.as_deref()),
            StepMove::Write(file) => ("write", Some(file), None),
            StepMove::Record(tool) => ("record", None, tool.as_deref()),
            StepMove::AskWhatToChange => ("change", None, None),
            StepMove::Report => ("report", None, None),
            StepMove::Close => ("close", None, None),
            StepMove::SayWhatIsOff => ("off", None, None),
        };
        let (path, known) = (path.map(ToString::to_string), variable_lines(variables));
        self.templates.render(templates::NEXT_ACTION, context! { kind, path, asks_with, known })
    }

    /// The agent's own `systemPrompt` word for word, or the rendered persona.
    pub(super) fn persona(&self, agent: &Agent) -> Result<String, Failure> {
        if let Some(own) = agent.system_prompt.as_deref().filter(|p| !p.trim().is_empty()) {
            return Ok(own.to_owned());
        }
        let lines = |items: Vec<&str>| -> Vec<String> {
            items.into_iter().map(line).filter(|l| !l.is_empty()).collect()
        };
        self.templates.render(
            templates::PERSONA,
            context! {
                name => line(&agent.metadata.name),
                title => line(&agent.metadata.title),
                role => line(&agent.persona.role),
                identity => line(&agent.persona.identity),
                style => line(&agent.persona.communication_style),
                principles => lines(agent.persona.principles.items()),
                critical_actions =>
                    lines(agent.critical_actions.iter().map(String::as_str).collect()),
            },
        )
    }

    pub(super) fn run_directive(&self, anchor: &Anchor) -> Result<String, Failure> {
        let state = AliasPath::state_document().to_string();
        let protocol = match &anchor.step {
            Some(_) if anchor.step_by_step => {
                self.templates.render(templates::PROTOCOL_STEP, context! {})
            }
            Some(_) => self.templates.render(
                templates::PROTOCOL,
                context! {
                    intent => anchor.intent.as_str(),
                    state => state.as_str(),
                    autopilot => anchor.autopilot,
                    called => anchor.call_stack.is_some(),
                    example => step_example(),
                    end_example => end_example(),
                },
            ),
            None => self.templates.render(
                templates::PROTOCOL_POST_RUN,
                context! {
                    state => state.as_str(),
                    rewind_example => rewind_example(),
                    confirm_example => confirm_example(),
                },
            ),
        }?;
        self.templates.render(
            templates::RUN_DIRECTIVE,
            context! {
                intent => anchor.intent.as_str(),
                workflow => anchor.workflow.as_str(),
                call_stack => anchor.call_stack.as_deref(),
                state => state.as_str(),
                graph => anchor.graph.to_string(),
                artifacts_root => format!("{}/", anchor.artifacts),
                current_node => anchor.step.as_ref().map(|s| s.node_id.as_str()),
                agent => anchor.agent.as_str(),
                // As a text: the engine would write `True`.
                autopilot => anchor.autopilot.to_string(),
                protocol => protocol,
            },
        )
    }

    pub(super) fn node_brief(&self, step: &CurrentStep) -> Result<String, Failure> {
        self.templates.render(
            templates::NODE_BRIEF,
            context! {
                node => step.node_id.as_str(),
                kind => step.kind,
                called => step.called.as_deref(),
                step_file => step.file.to_string(),
                inputs => step.inputs.clone(),
                outputs => step.outputs.clone(),
                next => step.next.clone(),
            },
        )
    }

    /// A file that the person's words mention: its beginning, or why nothing of it is shown.
    pub(super) fn data_context(&self, file: &GivenFile) -> Result<String, Failure> {
        let preview = redact_text(&file.preview);
        let shown = mark::ellipsis(&preview, PREVIEW_BYTES);
        self.templates.render(
            templates::DATA_CONTEXT,
            context! {
                label => line(&redact_text(&file.label)),
                path => file.path.to_string(),
                withheld => file.withheld.map(<&str>::from),
                cut => file.cut || shown.len() < preview.len(),
                size => size(file.bytes),
                preview => quoted(&shown),
            },
        )
    }

    /// Nothing when there are no variables.
    pub(super) fn state_summary(&self, step: &CurrentStep) -> Result<Option<String>, Failure> {
        if step.variables.as_object().is_none_or(serde_json::Map::is_empty) {
            return Ok(None);
        }
        let (variables, cut) = bounded_json(&step.variables, MAX_VARIABLES_BYTES);
        let state = AliasPath::state_document().to_string();
        self.templates
            .render(templates::STATE_SUMMARY, context! { variables, cut, state })
            .map(Some)
    }

    pub(super) fn user_input_block(
        &self,
        raw: &str,
        for_node: Option<&str>,
    ) -> Result<String, Failure> {
        self.templates.render_raw(templates::USER_INPUT, context! { raw, for_node })
    }

    pub(super) fn task_brief(&self, prompt: &TaskPrompt<'_>) -> Result<String, Failure> {
        let task = prompt.assignment;
        let paths: Vec<String> = task.paths.iter().map(ToString::to_string).collect();
        self.templates.render_raw(
            templates::TASK_BRIEF,
            context! {
                kind => task.task_type.as_str(),
                edits => task.task_type.edits(),
                verifies => task.task_type == TaskType::Verify,
                paths => paths.join(", "),
                artifacts => prompt.artifacts_dir,
                steps => task.max_steps,
                expected => task.expected_output.as_deref(),
                prompt => task.prompt.as_str(),
            },
        )
    }

    pub(super) fn todo_list(&self, todos: &TodoLines) -> Result<String, Failure> {
        self.templates.render(
            templates::TODO_LIST,
            context! { ended => todos.ended, open => todos.open.clone(), more => todos.more },
        )
    }

    pub(super) fn continue_block(
        &self,
        decision: &Decision,
        rejections: u32,
        names_nodes: bool,
    ) -> Result<String, Failure> {
        let told = decision.missing_facts.iter().map(|fact| {
            let node = fact.node.clone().filter(|_| names_nodes);
            missing_line(&MissingFact { node, ..fact.clone() })
        });
        let missing: Vec<String> = told.collect();
        let actions: Vec<String> =
            decision.required_next_actions.iter().map(|a| call(&a.tool, &a.args)).collect();
        let reason: &str = decision.stop_reason.into();
        self.templates.render(
            templates::CONTINUE_DIRECTIVE,
            context! { reason, missing, actions, rejections },
        )
    }

    pub(super) fn output_cut(&self) -> Result<String, Failure> {
        self.templates.render(templates::OUTPUT_CUT, context! {})
    }

    pub(super) fn summary_block(&self, request: &SummaryRequest<'_>) -> Result<String, Failure> {
        self.templates.render(
            templates::CONVERSATION_SUMMARY,
            context! {
                header => SUMMARY_HEADER,
                headings => SUMMARY_HEADINGS.to_vec(),
                max_tokens => request.max_tokens,
                transcript => request.transcript,
            },
        )
    }
}

/// The variables of a run, one a line, the first of them when there are many.
fn variable_lines(variables: &Value) -> Vec<String> {
    let all = redact_paths(variables);
    let lines = all.as_object().into_iter().flatten().map(|(name, value)| {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        ellipsis(&line(&format!("{name}: {value}")), VARIABLE_BYTES)
    });
    lines.take(LISTED_VARIABLES).collect()
}

/// A missing fact as one line of JSON. The texts that it expects are the model's own, and a call with
/// other texts would prove something else.
fn missing_line(fact: &MissingFact) -> String {
    let mut line = json!({ "kind": fact.kind, "target": redact_text(&fact.target) });
    if let Some(node) = &fact.node {
        line["node"] = json!(node);
    }
    if !fact.expected.is_empty() {
        line["expected"] = json!(fact.expected);
    }
    if let Some(output) = &fact.output {
        line["output"] = json!(redact_text(output));
    }
    if let Some(failed) = &fact.failed {
        line["failed"] = json!(failed);
    }
    line.to_string()
}

/// A call as a model would write it: wire name and arguments.
fn call(tool: &str, args: &Value) -> String {
    format!("{} {args}", tool::wire_name(tool))
}

/// One edge: what a node's own patch looks like (spec 05 "Front matter updates").
pub(super) fn step_example() -> String {
    let update = json!({
        "stepsCompleted": { "append": ["THIS_NODE_ID"] },
        "currentNodeId": { "set": "NEXT_NODE_ID" },
        "variables": { "set": { "VARIABLE_NAME": "VALUE" } },
        "artifacts": { "append": ["artifacts/FILE.md"] },
        "decisionLog": { "append": [{
            "from": "THIS_NODE_ID",
            "to": "NEXT_NODE_ID",
            "label": "EDGE_LABEL",
            "reason": "WHY",
        }] },
    });
    state_patch(&update)
}

/// The last patch of a run.
pub(super) fn end_example() -> String {
    state_patch(&json!({
        "stepsCompleted": { "append": ["THIS_NODE_ID"] },
        "variables": { "set": { "workflowStatus": "complete" } },
    }))
}

fn state_patch(update: &Value) -> String {
    call(
        tool::patch::NAME,
        &json!({
            "path": AliasPath::state_document(),
            "patch": { "operation": "updateFrontmatter", "update": update },
        }),
    )
}

/// Going back after completion.
pub(super) fn rewind_example() -> String {
    call(
        tool::rewind::NAME,
        &json!({ "targetNodeId": "NODE_ID", "confirmed": true, "reason": "WHY" }),
    )
}

/// The confirmation of a change after completion (spec 06 "Confirmation").
pub(super) fn confirm_example() -> String {
    call(
        tool::ask_user::NAME,
        &json!({
            "widgetId": STATE_CHANGE_CONFIRM,
            "type": "confirmation",
            "message": "WHAT_WILL_CHANGE_AND_WHY. Proceed?",
            "changeId": "PENDING_CHANGE_ID",
        }),
    )
}

/// The servers whose tools are on, each with their names.
fn servers(policy: &ToolPolicy) -> Vec<String> {
    let mut servers: Vec<(&ServerName, Vec<&str>)> = Vec::new();
    for (server, tool) in policy.server_tools() {
        match servers.last_mut() {
            Some((last, names)) if *last == server => names.push(&tool.spec.name),
            _ => servers.push((server, vec![&tool.spec.name])),
        }
    }
    let line =
        |(server, names): (&ServerName, Vec<&str>)| format!("`{server}`: {}", names.join(", "));
    servers.into_iter().map(line).collect()
}

/// A limit in words, never rounded up: a model that trusts it must not be refused.
pub(super) fn kib(bytes: u64) -> String {
    match (bytes / 1024, bytes % 1024) {
        (0, _) => format!("{bytes} bytes"),
        (whole, 0) => format!("{whole} KiB"),
        (whole, rest) => format!("{whole}.{} KiB", rest * 10 / 1024),
    }
}

/// A text each of whose lines stands behind a mark: none of them is taken for one of ours, also where
/// a server is sent several blocks as one.
fn quoted(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let ends_line = ['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];
    let lines = text.trim_end_matches('\n').split(ends_line).map(|line| format!("| {line}"));
    lines.collect::<Vec<_>>().join("\n")
}
