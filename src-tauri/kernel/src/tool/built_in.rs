//! What every built-in tool says of itself and of its calls.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::output::CallResult;
use crate::changed_files::CallFileChange;
use crate::code::Failure;
use crate::facts::Fact;
use crate::path::{AliasPath, Mount};
use crate::policy::{Places, ToolPolicy};
use crate::restore::Began;
use crate::subagent::TaskType;

/// What kind of thing a tool does to the world. Declared per tool, never guessed from rights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum EffectClass {
    /// Looks, changes nothing: may be repeated, may run beside others.
    Read,
    /// Changes a file of the project: journaled before and after.
    WriteProject,
    /// Changes the state document: the kernel does it itself, through the guard.
    WriteState,
    /// Changes the conversation only: widgets, todos.
    Session,
    /// Reaches a program or server outside: may have happened when unknown.
    External,
    /// Lets another agent work, in a conversation of its own that is gone on with after an interruption.
    Delegate,
}

/// In which conversations a tool is on offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// In those with a person, and to the sub-agents that it serves.
    Anywhere,
    /// In those with a person.
    InConversations,
    /// Where a run is under way.
    InRuns,
    /// In conversations that may use skills.
    WithSkills,
    /// To sub-agents.
    InTasks,
}

/// A tool of the runtime. Two are equal when their names are.
#[derive(Debug, Clone)]
pub struct Tool {
    /// Canonical dotted name.
    pub name: &'static str,
    /// What it does, for the model.
    pub description: &'static str,
    /// What it does to the world. On `@state/workflow.md` the changing ones count as
    /// [`EffectClass::WriteState`], and a dry run as [`EffectClass::Read`]; see
    /// [`ParsedCall`](super::ParsedCall).
    pub class: EffectClass,
    /// Whether it is off when the tools for files are.
    pub works_on_files: bool,
    /// Whether it changes the file at `path` and nothing else, so that a person can allow it for a
    /// folder: a move has two ends, and deleting may take a whole tree.
    pub writes_one_file: bool,
    /// In which conversations it is on offer.
    pub offered: Offer,
    /// What other clients call a tool that does this.
    pub other_names: &'static [&'static str],
    /// Where a run needs it: the steps are read there, or the state document is changed.
    pub runs_need: Option<Mount>,
    pub(super) schema: fn() -> Value,
}

impl Tool {
    /// Whether it is on offer under `policy`. The one answer, for the tool list of a request, for
    /// the prompt's text about it and for whoever runs a call. `ui.ask_user` always is.
    pub fn is_offered(&self, policy: &ToolPolicy) -> bool {
        let on = !self.works_on_files || policy.fs_enabled;
        on && self.is_left(policy)
            && match (&policy.task, self.offered) {
                (None, Offer::InTasks) => false,
                (None, Offer::InRuns) => policy.places == Places::OfARun,
                (None, Offer::WithSkills) => policy.skills().concern_models(),
                (None, _) | (Some(_), Offer::InTasks) => true,
                (Some(task), _) => self.serves(task.task_type) && task.names(self.name),
            }
    }

    /// Whether there is such a tool at all in this kind of conversation.
    pub fn belongs_to(&self, policy: &ToolPolicy) -> bool {
        match self.offered {
            Offer::Anywhere => true,
            Offer::InConversations => policy.task.is_none(),
            Offer::InRuns => policy.task.is_none() && policy.places == Places::OfARun,
            Offer::WithSkills => self.is_offered(policy),
            Offer::InTasks => policy.task.is_some(),
        }
    }

    /// Whether a sub-agent's kind of work needs it.
    pub(crate) fn serves(&self, task: TaskType) -> bool {
        self.offered == Offer::Anywhere && (self.class == EffectClass::Read || task.edits())
    }

    /// Whether the skills at work leave it, for all that it does or for what a run needs of it. They
    /// take away what works on files, reaches outside or lets others work; the person can always be
    /// asked, and a run can always go on.
    fn is_left(&self, policy: &ToolPolicy) -> bool {
        let can_be_taken = match self.class {
            EffectClass::External | EffectClass::Delegate => true,
            _ => self.works_on_files,
        };
        let narrow = can_be_taken && policy.skills().narrow();
        !narrow || self.is_named(policy) || self.serves_a_run(policy)
    }

    /// Whether only what a run needs of it is left.
    pub(super) fn is_left_to_runs(&self, policy: &ToolPolicy) -> bool {
        policy.skills().narrow() && self.serves_a_run(policy) && !self.is_named(policy)
    }

    /// Whether every skill at work that names tools names this one.
    fn is_named(&self, policy: &ToolPolicy) -> bool {
        // Another agent is held to no skill of this one.
        self.class != EffectClass::Delegate && policy.skills().leave(|name| self.answers_to(name))
    }

    fn serves_a_run(&self, policy: &ToolPolicy) -> bool {
        self.runs_need.is_some_and(|mount| policy.places.hold(mount))
    }

    /// Whether this tool is meant, by its own name or by that of another client.
    pub(super) fn answers_to(&self, name: &str) -> bool {
        self.is_called(name) || self.other_names.contains(&name)
    }

    /// Whether a model means this tool by `name`, dotted or wire form.
    pub(super) fn is_called(&self, name: &str) -> bool {
        let wire = self.name.bytes().map(|byte| if byte == b'.' { b'_' } else { byte });
        name == self.name || wire.eq(name.bytes())
    }
}

impl PartialEq for Tool {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// What a built-in tool says of a call of it.
pub(super) trait BuiltIn {
    /// The tool.
    fn tool(&self) -> &'static Tool;

    /// See [`ParsedCall::name`](super::ParsedCall::name).
    fn name(&self) -> &str {
        self.tool().name
    }

    /// See [`ParsedCall::is_offered`](super::ParsedCall::is_offered).
    fn is_offered(&self, policy: &ToolPolicy) -> bool {
        self.tool().is_offered(policy)
    }

    /// See [`ParsedCall::asks_first`](super::ParsedCall::asks_first).
    fn asks_first(&self, _: &ToolPolicy) -> bool {
        false
    }

    /// Why this call is not carried out, although its tool is on offer.
    fn not_for(&self, _: &ToolPolicy) -> Option<Failure> {
        None
    }

    /// See [`ParsedCall::args`](super::ParsedCall::args).
    fn args(&self) -> Value;

    /// See [`ParsedCall::path`](super::ParsedCall::path).
    fn path(&self) -> Option<&AliasPath> {
        None
    }

    /// See [`ParsedCall::to`](super::ParsedCall::to).
    fn to(&self) -> Option<&AliasPath> {
        None
    }

    /// See [`ParsedCall::pattern`](super::ParsedCall::pattern).
    fn pattern(&self) -> Option<&str> {
        None
    }

    /// See [`ParsedCall::looks_for`](super::ParsedCall::looks_for).
    fn looks_for(&self) -> Option<&str> {
        self.pattern()
    }

    /// See [`ParsedCall::is_dry_run`](super::ParsedCall::is_dry_run).
    fn is_dry_run(&self) -> bool {
        false
    }

    /// See [`ParsedCall::takes_folders`](super::ParsedCall::takes_folders).
    fn takes_folders(&self) -> bool {
        false
    }

    /// See [`ParsedCall::changes`](super::ParsedCall::changes). A tool that changes anything else
    /// than the one file that it names says so itself.
    fn changes(&self, began: &Began) -> Vec<CallFileChange> {
        let changes = began.pre_hash != began.post_hash;
        let change = |path: &AliasPath| CallFileChange {
            path: path.clone(),
            before: began.pre_hash.clone(),
            after: began.post_hash.clone(),
            from: None,
        };
        self.path().filter(|_| changes).map(change).into_iter().collect()
    }

    /// What a result proves that is no refusal. Of changes of the state document see
    /// [`facts_of`](super::facts_of).
    fn facts(&self, result: &CallResult) -> Vec<Fact>;
}

/// Checked arguments of a tool that works on one path, and the path.
#[derive(Debug, Clone, PartialEq)]
pub struct AtPath<Args> {
    /// As the model wrote them; in the path there are no marks.
    pub args: Args,
    /// The path they name.
    pub path: AliasPath,
}

/// The schema of some arguments.
pub(super) fn schema_of<T: JsonSchema>() -> Value {
    let generator = schemars::generate::SchemaSettings::draft2020_12()
        .with(|s| {
            s.inline_subschemas = true;
            s.meta_schema = None;
        })
        .into_generator();
    let mut schema = generator.into_root_schema_for::<T>().to_value();
    if let Some(object) = schema.as_object_mut() {
        object.remove("title");
        // The tool has a description of its own; this one is for readers of the code.
        object.remove("description");
        object.remove("$schema");
    }
    schema
}

/// The schema of an object that has all of these members and no others.
pub(super) fn closed<const N: usize>(members: [(&str, Value); N]) -> Value {
    closed_map(members.map(|(name, value)| (name.to_owned(), value)).into_iter().collect())
}

/// The same with names that are made.
pub(super) fn closed_map(members: Map<String, Value>) -> Value {
    let names: Vec<&String> = members.keys().collect();
    let mut schema = json!({ "type": "object", "required": names });
    schema["properties"] = Value::Object(members);
    schema["additionalProperties"] = json!(false);
    schema
}

/// The schema of a path that is one of these; any path, when there are none.
pub(super) fn one_of(files: &[AliasPath]) -> Value {
    match files {
        [] => json!({ "type": "string" }),
        files => json!({ "type": "string", "enum": files }),
    }
}

/// `fs.read` → `fs_read`: OpenAI's API allows `[A-Za-z0-9_-]{1,64}` only. The one function that
/// makes wire names, for the tool list and for every prompt text.
pub fn wire_name(name: &str) -> String {
    name.replace('.', "_")
}
