//! The built-in tools as the model sees them and the kernel judges them: names, arguments,
//! effect class (spec 05). What they do to a disk is the host's (`host/src/tools`).

mod args;
mod check;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::{Arc, LazyLock};

use crate::chat::ToolSpec;
use crate::path::AliasPath;
use crate::policy::ToolPolicy;
use crate::text::estimate_tokens;

pub use args::*;
pub(crate) use check::is_dry_run;
pub use check::{parse_call, unknown_mark};

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
    schema: fn() -> Value,
}

impl PartialEq for Tool {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// The built-in tools, in the order they are offered.
pub const BUILT_IN: &[Tool] = &[
    Tool {
        name: "fs.list",
        description: "List a folder. Folders end in `/`; dot files are hidden; at most 200 entries.",
        class: EffectClass::Read,
        schema: schema_of::<ListArgs>,
    },
    Tool {
        name: "fs.read",
        description: "Read a UTF-8 file, whole or a window of lines. Search first, then read a window of a large file.",
        class: EffectClass::Read,
        schema: schema_of::<ReadArgs>,
    },
    Tool {
        name: "fs.search",
        description: "Find text below a folder, with lines of context. Honours .gitignore.",
        class: EffectClass::Read,
        schema: schema_of::<SearchArgs>,
    },
    Tool {
        name: "fs.glob",
        description: "Find files by their names, for example `docs/**/*.md`. `expect_min_matches` checks that so many exist.",
        class: EffectClass::Read,
        schema: schema_of::<GlobArgs>,
    },
    Tool {
        name: "fs.write",
        description: "Write a file below @project, atomically. Missing folders are made. @pkg is read only.",
        class: EffectClass::WriteProject,
        schema: schema_of::<WriteArgs>,
    },
    Tool {
        name: "fs.apply_patch",
        description: "Change part of a file: `updateFrontmatter` for front matter (use it for @state/workflow.md), `replace` for text, `unified` for a diff. A list of operations is applied in order, all or nothing. `dryRun` only shows what would change.",
        class: EffectClass::WriteProject,
        schema: schema_of::<PatchArgs>,
    },
    Tool {
        name: "fs.move",
        description: "Move or rename a file or a folder below @project. Nothing is overwritten. Missing folders are made.",
        class: EffectClass::WriteProject,
        schema: schema_of::<MoveArgs>,
    },
    Tool {
        name: "fs.delete",
        description: "Delete a file or an empty folder below @project; a folder with content only with `recursive`.",
        class: EffectClass::WriteProject,
        schema: schema_of::<DeleteArgs>,
    },
    Tool {
        name: "ui.ask_user",
        description: "Ask the user with a form, a selection, a confirmation, a plan review, feedback or an action selection. Ends your turn; the answer comes as the next user input.",
        class: EffectClass::Session,
        schema: crate::widget::ask_user_schema,
    },
    Tool {
        name: "workflow.rewind",
        description: "Go back to the entry node or a completed node: it and everything after it leave stepsCompleted. Files you changed since go back too, unless files is `keep`. Needs confirmed: true and the user's own confirmation.",
        class: EffectClass::WriteState,
        schema: schema_of::<RewindArgs>,
    },
];

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
    BUILT_IN.iter().find(|t| t.name == name || wire_name(t.name) == name)
}

/// Whether `tool` is on offer under `policy`. The one answer, for the tool list of a request and
/// for the prompt's text about it.
pub fn is_offered(tool: &Tool, policy: &ToolPolicy) -> bool {
    policy.allows(tool.name)
}

/// The tools on offer under `policy`, as a request carries them.
pub fn specs(policy: &ToolPolicy) -> Vec<Arc<ToolSpec>> {
    let all = BUILT_IN.iter().zip(SPECS.iter());
    all.filter(|(tool, _)| is_offered(tool, policy)).map(|(_, spec)| Arc::clone(spec)).collect()
}

/// What the parameters of the tools on offer take of the model's context, estimated.
pub fn tokens(policy: &ToolPolicy) -> u64 {
    let all = BUILT_IN.iter().zip(TOKENS.iter());
    all.filter(|(tool, _)| is_offered(tool, policy)).map(|(_, tokens)| tokens).sum()
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
    /// Which tool.
    pub tool: &'static Tool,
    /// The arguments, normalised: flat patches nested, aliases renamed, paths without marks.
    pub args: Value,
    /// The path it names, when it names one; of `fs.move`, where from.
    pub path: Option<AliasPath>,
    /// Where `fs.move` moves to.
    pub to: Option<AliasPath>,
    /// What it does to the world, the path considered.
    pub class: EffectClass,
}

impl ParsedCall {
    /// Every path it names: what it may touch.
    pub fn paths(&self) -> impl Iterator<Item = &AliasPath> {
        self.path.iter().chain(&self.to)
    }
}

#[cfg(test)]
mod tests;
