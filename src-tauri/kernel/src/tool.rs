//! The built-in tools as the model sees them and the kernel judges them: names, arguments,
//! effect class (spec 05). Each has a file of its own, which is the only place that knows its name. What
//! they do to a disk is the host's (`host/src/tools`).

pub mod ask_user;
mod check;
pub mod delete;
mod facts;
pub mod glob;
pub mod list;
pub mod move_;
mod output;
pub mod patch;
pub mod read;
mod received;
pub mod rewind;
pub mod search;
pub mod write;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::{Arc, LazyLock};

use crate::chat::ToolSpec;
use crate::code::Failure;
use crate::facts::Fact;
use crate::path::AliasPath;
use crate::policy::ToolPolicy;
use crate::text::estimate_tokens;

pub use check::{parse_call, unknown_mark};
pub(crate) use facts::facts_of;
pub use output::{CallResult, Lost, done};
pub use received::{ReceivedCall, ReceivedCalls};

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
}

/// A tool of the runtime. Two are equal when their names are.
#[derive(Debug, Clone)]
pub struct Tool {
    /// Canonical dotted name.
    pub name: &'static str,
    /// What it does, for the model.
    pub description: &'static str,
    /// What it does to the world. On `@state/workflow.md` the changing ones count as
    /// [`EffectClass::WriteState`], and a dry run as [`EffectClass::Read`]; see [`ParsedCall`].
    pub class: EffectClass,
    /// Whether it is off when the tools for files are.
    pub works_on_files: bool,
    /// Whether it changes the file at `path` and nothing else, so that a person can allow it for a
    /// folder: a move has two ends, and deleting may take a whole tree.
    pub writes_one_file: bool,
    schema: fn() -> Value,
    parse: fn(Value) -> Result<ToolInput, Failure>,
}

impl Tool {
    /// Whether it is on offer under `policy`. The one answer, for the tool list of a request, for
    /// the prompt's text about it and for whoever runs a call. `ui.ask_user` always is.
    pub fn is_offered(&self, policy: &ToolPolicy) -> bool {
        !self.works_on_files || policy.fs_enabled
    }

    /// Whether a model means this tool by `name`, dotted or wire form.
    fn is_called(&self, name: &str) -> bool {
        let wire = self.name.bytes().map(|byte| if byte == b'.' { b'_' } else { byte });
        name == self.name || wire.eq(name.bytes())
    }
}

impl PartialEq for Tool {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// A call of a built-in tool: its checked arguments, and the paths they name.
#[derive(Debug, Clone, PartialEq)]
pub enum ToolInput {
    /// Lists a folder.
    List(list::Input),
    /// Reads a file.
    Read(read::Input),
    /// Finds texts.
    Search(search::Input),
    /// Finds files by their names.
    Glob(glob::Input),
    /// Writes a file.
    Write(write::Input),
    /// Changes part of a file.
    Patch(patch::Input),
    /// Moves a file or a folder.
    Move(move_::Input),
    /// Deletes a file or a folder.
    Delete(delete::Input),
    /// Asks the person.
    AskUser(ask_user::Input),
    /// Goes back to a node.
    Rewind(rewind::Input),
}

/// The built-in tools, in the order they are offered.
pub const BUILT_IN: &[Tool] = &[
    list::TOOL,
    read::TOOL,
    search::TOOL,
    glob::TOOL,
    write::TOOL,
    patch::TOOL,
    move_::TOOL,
    delete::TOOL,
    ask_user::TOOL,
    rewind::TOOL,
];

impl ToolInput {
    /// What the call's own tool says of it.
    fn built_in(&self) -> &dyn BuiltIn {
        match self {
            Self::List(input) => input,
            Self::Read(input) => input,
            Self::Search(input) => input,
            Self::Glob(input) => input,
            Self::Write(input) => input,
            Self::Patch(input) => input,
            Self::Move(input) => input,
            Self::Delete(input) => input,
            Self::AskUser(input) => input,
            Self::Rewind(input) => input,
        }
    }

    /// What the call does to the world: a change of the state document is
    /// [`EffectClass::WriteState`], whichever tool makes it; a dry run of a patch only reads.
    fn class(&self) -> EffectClass {
        let call = self.built_in();
        let declared = call.tool().class;
        if declared != EffectClass::WriteProject {
            return declared;
        }
        let state = AliasPath::state_document();
        if call.path().into_iter().chain(call.to()).any(|path| *path == state) {
            EffectClass::WriteState
        } else if call.is_dry_run() {
            EffectClass::Read
        } else {
            EffectClass::WriteProject
        }
    }
}

/// What a built-in tool says of a call of it.
trait BuiltIn {
    /// The tool.
    fn tool(&self) -> &'static Tool;

    /// See [`ParsedCall::args`].
    fn args(&self) -> Value;

    /// See [`ParsedCall::path`].
    fn path(&self) -> Option<&AliasPath> {
        None
    }

    /// See [`ParsedCall::to`].
    fn to(&self) -> Option<&AliasPath> {
        None
    }

    /// See [`ParsedCall::is_dry_run`].
    fn is_dry_run(&self) -> bool {
        false
    }

    /// See [`ParsedCall::takes_folders`].
    fn takes_folders(&self) -> bool {
        false
    }

    /// What a result proves that is no refusal. Of changes of the state document see
    /// [`facts_of`].
    fn facts(&self, result: &CallResult) -> Vec<Fact>;
}

/// Checked arguments of a tool that works on one path, and the path.
#[derive(Debug, Clone, PartialEq)]
pub struct At<Args> {
    /// As the model wrote them; in the path there are no marks.
    pub args: Args,
    /// The path they name.
    pub path: AliasPath,
}

fn schema_of<T: JsonSchema>() -> Value {
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

/// `fs.read` → `fs_read`: OpenAI's API allows `[A-Za-z0-9_-]{1,64}` only. The one function that
/// makes wire names, for the tool list and for every prompt text.
pub fn wire_name(name: &str) -> String {
    name.replace('.', "_")
}

/// The built-in tool a model means by `name`, dotted or wire form.
pub fn find(name: &str) -> Option<&'static Tool> {
    let name = name.trim();
    BUILT_IN.iter().find(|tool| tool.is_called(name))
}

/// The tools on offer under `policy`, as a request carries them.
pub fn specs(policy: &ToolPolicy) -> Vec<Arc<ToolSpec>> {
    let all = BUILT_IN.iter().zip(SPECS.iter());
    all.filter(|(tool, _)| tool.is_offered(policy)).map(|(_, spec)| Arc::clone(spec)).collect()
}

/// What the parameters of the tools on offer take of the model's context, estimated.
pub fn tokens(policy: &ToolPolicy) -> u64 {
    let all = BUILT_IN.iter().zip(TOKENS.iter());
    all.filter(|(tool, _)| tool.is_offered(policy)).map(|(_, tokens)| tokens).sum()
}

/// The parameters of every built-in tool in tokens. Counted once: they are as long as many
/// messages.
static TOKENS: LazyLock<Vec<u64>> = LazyLock::new(|| {
    SPECS.iter().map(|spec| estimate_tokens(&spec.parameters.to_string())).collect()
});

/// Every built-in tool as a request carries it. Made once: a schema takes longer than the rest of
/// a request.
static SPECS: LazyLock<Vec<Arc<ToolSpec>>> = LazyLock::new(|| {
    let spec = |tool: &Tool| {
        let description = tool.description.to_owned();
        let parameters = (tool.schema)();
        Arc::new(ToolSpec { name: wire_name(tool.name), description, parameters })
    };
    BUILT_IN.iter().map(spec).collect()
});

/// A call whose tool exists and whose arguments fit its schema.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedCall {
    /// The tool and the arguments.
    pub input: ToolInput,
    /// What it does to the world, the path considered.
    pub class: EffectClass,
}

impl ParsedCall {
    fn of(input: ToolInput) -> Self {
        let class = input.class();
        Self { input, class }
    }

    /// The tool that is called.
    pub fn tool(&self) -> &'static Tool {
        self.input.built_in().tool()
    }

    /// The arguments as JSON, normalised: flat patches nested, aliases renamed, paths without
    /// marks. What confirmations, hashes and changes that wait are made of.
    pub fn args(&self) -> Value {
        self.input.built_in().args()
    }

    /// The path it names, when it names one; of a move, where from.
    pub fn path(&self) -> Option<&AliasPath> {
        self.input.built_in().path()
    }

    /// Where a move moves to.
    pub fn to(&self) -> Option<&AliasPath> {
        self.input.built_in().to()
    }

    /// Every path it names: what it may touch.
    pub fn paths(&self) -> impl Iterator<Item = &AliasPath> {
        self.path().into_iter().chain(self.to())
    }

    /// Whether it only asks what would change.
    pub fn is_dry_run(&self) -> bool {
        self.input.built_in().is_dry_run()
    }

    /// Whether a path of it may be a folder that is taken with everything in it.
    pub fn takes_folders(&self) -> bool {
        self.input.built_in().takes_folders()
    }
}

#[cfg(test)]
mod tests;
