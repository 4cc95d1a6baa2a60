//! `files.put_back`: a file is again what it was before the run. It is the person's alone: no model is
//! told of it, and no name that a model writes means it.

use serde_json::{Value, json};

use super::built_in::{BuiltIn, EffectClass, Offer, Tool, closed};
use super::facts::restored;
use super::output::CallResult;
use super::rewind;
use crate::changed_files::CallFileChange;
use crate::facts::Fact;
use crate::path::AliasPath;
use crate::restore::Began;

/// What logs call it.
pub const NAME: &str = "files.put_back";

const TOOL: Tool = Tool {
    name: NAME,
    description: "Make a file again what it was before the run.",
    class: EffectClass::WriteProject,
    works_on_files: true,
    writes_one_file: false,
    offered: Offer::InConversations,
    other_names: &[],
    runs_need: None,
    schema: || closed([("path", json!({ "type": "string" }))]),
};

/// What is to be put back.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// The file, where it is now.
    pub path: AliasPath,
}

impl BuiltIn for Input {
    fn tool(&self) -> &'static Tool {
        &TOOL
    }

    fn args(&self) -> Value {
        json!({ "path": self.path })
    }

    fn path(&self) -> Option<&AliasPath> {
        Some(&self.path)
    }

    fn changes(&self, began: &Began) -> Vec<CallFileChange> {
        rewind::changes(began)
    }

    fn facts(&self, result: &CallResult) -> Vec<Fact> {
        restored(result)
    }
}
