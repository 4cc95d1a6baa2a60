//! A tool of a server (spec 05 "MCP"). Which of them there are is data: a call is read by its name
//! alone, and whether it may run is looked up in the policy.

use serde_json::{Value, json};

use super::built_in::{BuiltIn, EffectClass, Offer, Tool, closed_map};
use super::check::NO_OBJECT;
use super::output::CallResult;
use crate::code::{ErrorCode, Failure};
use crate::facts::Fact;
use crate::mcp::ToolHint;
use crate::policy::{ApproveWrites, ToolPolicy};

/// What is said of all of them.
const TOOL: Tool = Tool {
    name: "mcp",
    description: "A tool of a server.",
    class: EffectClass::External,
    works_on_files: false,
    writes_one_file: false,
    offered: Offer::InConversations,
    other_names: &[],
    runs_need: None,
    schema: || closed_map(serde_json::Map::new()),
};

/// A call of a server's tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// What the model called.
    pub name: String,
    /// The arguments, which the server itself checks.
    pub args: Value,
}

impl BuiltIn for Input {
    fn tool(&self) -> &'static Tool {
        &TOOL
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn is_offered(&self, policy: &ToolPolicy) -> bool {
        policy.server_tool(&self.name).is_some()
    }

    fn asks_first(&self, policy: &ToolPolicy) -> bool {
        policy.server_tool(&self.name).is_none_or(|(_, tool)| match tool.hint {
            ToolHint::Destroys => true,
            ToolHint::Reads => false,
            ToolHint::Adds | ToolHint::Unsaid => policy.approve_writes == ApproveWrites::Ask,
        })
    }

    fn args(&self) -> Value {
        self.args.clone()
    }

    /// What a server says it did is no fact.
    fn facts(&self, _: &CallResult) -> Vec<Fact> {
        Vec::new()
    }
}

pub(super) fn parse(name: &str, args: Value) -> Result<Input, Failure> {
    match args {
        Value::Object(_) => Ok(Input { name: name.to_owned(), args }),
        Value::Null => Ok(Input { name: name.to_owned(), args: json!({}) }),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            let message = format!("{name}: {NO_OBJECT}");
            Err(Failure::for_model(ErrorCode::InvalidArgs, message))
        }
    }
}
