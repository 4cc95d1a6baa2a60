//! `todo.list`: the todos of the run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::built_in::{BuiltIn, EffectClass, Offer, Tool, schema_of};
use super::check::{canonical, typed};
use super::output::CallResult;
use crate::code::Failure;
use crate::facts::Fact;
use crate::todo::{Todo, TodoSummary, Todos};

/// What a model calls it, dotted.
pub const NAME: &str = "todo.list";

pub(super) const TOOL: Tool = Tool {
    name: NAME,
    description: "List the todos of this run with their status and revision.",
    class: EffectClass::Session,
    works_on_files: false,
    writes_one_file: false,
    offered: Offer::InConversations,
    other_names: &[],
    runs_need: None,
    schema: schema_of::<Args>,
};

/// The arguments: there are none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// What it says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Output {
    /// All of them, the oldest first.
    pub items: Vec<Todo>,
    /// How many there are.
    pub summary: TodoSummary,
}

impl Output {
    /// The todos as they are now.
    pub fn of(todos: &Todos) -> Self {
        Self { items: todos.items().to_vec(), summary: todos.summary() }
    }
}

/// A checked call.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    args: Args,
}

impl BuiltIn for Input {
    fn tool(&self) -> &'static Tool {
        &TOOL
    }

    fn args(&self) -> Value {
        canonical(&self.args)
    }

    fn facts(&self, _: &CallResult) -> Vec<Fact> {
        Vec::new()
    }
}

pub(super) fn parse(args: Value) -> Result<Input, Failure> {
    Ok(Input { args: typed(&TOOL, args)? })
}
