//! `workflow.rewind`: the run goes back to a node, and files with it (spec 03).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::built_in::{BuiltIn, EffectClass, Offer, Tool, schema_of};
use super::check::{canonical, typed};
use super::facts::restored;
use super::output::CallResult;
use super::state::StateOutput;
use crate::changed_files::CallFileChange;
use crate::code::Failure;
use crate::facts::Fact;
use crate::ids::NodeId;
use crate::path::AliasPath;
use crate::restore::{Began, FileChange, Restored};

/// What a model calls it, dotted.
pub const NAME: &str = "workflow.rewind";

pub(super) const TOOL: Tool = Tool {
    name: NAME,
    description: "Go back to the entry node, the current one or a completed node: it and everything after it leave stepsCompleted. Files you changed since go back too, unless files is `keep`. Needs confirmed: true and the user's own confirmation.",
    class: EffectClass::WriteState,
    works_on_files: false,
    writes_one_file: false,
    offered: Offer::InRuns,
    other_names: &[],
    runs_need: None,
    schema: schema_of::<Args>,
};

/// The arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// The entry node, the current one, or a completed one.
    pub target_node_id: String,
    /// Must be true.
    pub confirmed: bool,
    /// Why, for the decision log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether files changed since the node was last entered go back too. Default `restore`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<RewindFiles>,
    /// Undo your last rewind, or the user's, while nothing was done since: state and files are what
    /// they were before it. `targetNodeId` is then the node where the run stood.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<bool>,
    /// Files of the pending change's `conflicts` that the user wants back all the same, although
    /// someone else changed them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overwrite: Option<Vec<String>>,
}

/// What a rewind does with files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Default)]
#[serde(rename_all = "lowercase")]
pub enum RewindFiles {
    /// Files that were written, moved or deleted since then go back to what they were.
    #[default]
    Restore,
    /// Leave them as they are.
    Keep,
}

/// What it says: what became of the state document, and of files. The host says of files alone.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Output {
    /// The document was rewound.
    #[serde(flatten)]
    pub state: StateOutput,
    /// The files that went back; none when none was asked for.
    #[serde(flatten)]
    pub files: Restored,
}

impl Output {
    /// The result when the files are back and the document could not follow.
    pub fn refused(failure: &Failure, files: &Restored) -> Value {
        let mut result = failure.to_tool_result();
        if let (Value::Object(result), Value::Object(files)) = (&mut result, canonical(files)) {
            result.extend(files);
        }
        result
    }
}

/// Where a person takes a run back to, and what becomes of files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RewindTarget {
    /// The step.
    pub node_id: NodeId,
    /// Whether files stay as they are.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub keep_files: bool,
    /// Files that somebody else changed and that go back all the same; at most
    /// [`OVERWRITTEN_FILES`](crate::bounds::OVERWRITTEN_FILES).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<AliasPath>>"))]
    pub overwrite: Vec<AliasPath>,
    /// Whether the last rewind is undone: the step is where the run stood before it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub undo: bool,
}

impl RewindTarget {
    /// A step, with the files as they were when it was entered.
    pub const fn of(node_id: NodeId) -> Self {
        Self { node_id, keep_files: false, overwrite: Vec::new(), undo: false }
    }

    /// The same as a call: a person's click is what it is confirmed by.
    pub(crate) fn call(&self, reason: Option<&str>) -> Input {
        let overwrite: Vec<_> = self.overwrite.iter().map(ToString::to_string).collect();
        Input {
            args: Args {
                target_node_id: self.node_id.to_string(),
                confirmed: true,
                reason: reason.map(str::to_owned),
                files: self.keep_files.then_some(RewindFiles::Keep),
                overwrite: (!overwrite.is_empty()).then_some(overwrite),
                undo: self.undo.then_some(true),
            },
        }
    }
}

/// A checked call.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// As the model wrote them.
    pub args: Args,
}

impl Args {
    /// Whether the last rewind is undone.
    pub fn undoes(&self) -> bool {
        self.undo.unwrap_or_default()
    }
}

impl BuiltIn for Input {
    fn tool(&self) -> &'static Tool {
        &TOOL
    }

    fn args(&self) -> Value {
        canonical(&self.args)
    }

    fn changes(&self, began: &Began) -> Vec<CallFileChange> {
        changes(began)
    }

    fn facts(&self, result: &CallResult) -> Vec<Fact> {
        restored(result)
    }
}

/// The files that go back.
pub(crate) fn changes(began: &Began) -> Vec<CallFileChange> {
    let change = |file: &FileChange| CallFileChange {
        path: file.path.clone(),
        before: file.pre_hash.clone(),
        after: file.post_hash.clone(),
        from: None,
    };
    began.restore.iter().flat_map(|restore| &restore.files).map(change).collect()
}

pub(super) fn parse(args: Value) -> Result<Input, Failure> {
    let args = typed(&TOOL, args)?;
    Ok(Input { args })
}
