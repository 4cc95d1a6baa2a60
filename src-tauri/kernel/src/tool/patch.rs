//! `fs.apply_patch`: part of a file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::built_in::{AtPath, BuiltIn, EffectClass, Offer, Tool, closed, closed_map, schema_of};
use super::check::{canonical, check_scope, invalid, named_path, typed};
use super::facts::{verified, written};
use super::output::CallResult;
use crate::bounds;
use crate::code::Failure;
use crate::facts::Fact;
use crate::frontmatter::FrontmatterUpdate;
use crate::graph::{AllowedNext, Node, NodeType};
use crate::ids::NodeId;
use crate::path::{AliasPath, Mount};

/// What a model calls it, dotted.
pub const NAME: &str = "fs.apply_patch";

pub(super) const TOOL: Tool = Tool {
    name: NAME,
    description: "Change part of a file: `updateFrontmatter` for front matter (use it for @state/workflow.md), `replace` for text, `unified` for a diff. A list of operations is applied in order, all or nothing. `dryRun` only shows what would change.",
    class: EffectClass::WriteProject,
    works_on_files: true,
    writes_one_file: true,
    offered: Offer::Anywhere,
    other_names: &["Edit", "MultiEdit"],
    runs_need: Some(Mount::State),
    schema: schema_of::<Args>,
};

/// The arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// File to change.
    pub path: String,
    /// What to change.
    pub patch: Patch,
    /// Refuse unless the file still has this SHA-256.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_match_sha256: Option<String>,
    /// Only say what would change; nothing is written. Default false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dry_run: Option<bool>,
    /// Read the file back and compare. Default: as the settings say.
    #[serde(rename = "verify_after_write", default, skip_serializing_if = "Option::is_none")]
    pub verify_after_write: Option<bool>,
    /// What the check stands for: `artifact:<project-relative path>` (default) or `workspace`.
    #[serde(rename = "verification_scope", default, skip_serializing_if = "Option::is_none")]
    pub verification_scope: Option<String>,
}

/// What one step may record of itself in the state document.
#[derive(Debug, Clone, Copy)]
pub(super) struct StepRecord<'a> {
    /// The step.
    pub(super) node: &'a Node,
    /// The steps that may follow; none after the last.
    pub(super) next: &'a [AllowedNext],
    /// The variables that it sets.
    pub(super) variables: &'a [String],
}

impl StepRecord<'_> {
    /// The schema of the one patch that completes the step, in its flat form. Whatever is known
    /// already stands in it, so that a model has to choose and to fill in, and nothing else.
    pub(super) fn schema(&self) -> Value {
        let update = match self.next {
            [] => closed_map(self.members(None)),
            next if self.node.kind == NodeType::Decision => {
                let ways = next.iter().map(|way| closed_map(self.decided(way)));
                json!({ "anyOf": ways.collect::<Vec<_>>() })
            }
            next => {
                let to: Vec<&NodeId> = next.iter().map(|way| &way.to).collect();
                closed_map(self.members(Some(json!({ "type": "string", "enum": to }))))
            }
        };
        closed([
            ("path", json!({ "const": AliasPath::state_document() })),
            ("operation", json!({ "const": "updateFrontmatter" })),
            ("update", update),
        ])
    }

    /// The members of the update, and which step may be the next.
    fn members(&self, next: Option<Value>) -> Map<String, Value> {
        let any = json!({ "type": ["string", "number", "boolean"] });
        let own = self.variables.iter().map(|name| (name.clone(), any.clone()));
        let over = ("workflowStatus".to_owned(), json!({ "const": "complete" }));
        let variables: Map<String, Value> =
            own.chain(Some(over).filter(|_| next.is_none())).collect();
        let completed = appended(json!({ "const": self.node.id }));
        let mut members = Map::from_iter([("stepsCompleted".to_owned(), completed)]);
        if !variables.is_empty() {
            members.insert("variables".to_owned(), set(closed_map(variables)));
        }
        if let Some(next) = next {
            members.insert("currentNodeId".to_owned(), set(next));
        }
        members
    }

    /// The same with the reason of a decision for one way.
    fn decided(&self, way: &AllowedNext) -> Map<String, Value> {
        let mut members = self.members(Some(json!({ "const": way.to })));
        let reason = closed([
            ("from", json!({ "const": self.node.id })),
            ("to", json!({ "const": way.to })),
            ("label", json!({ "const": way.label })),
            ("reason", json!({ "type": "string" })),
        ]);
        members.insert("decisionLog".to_owned(), appended(reason));
        members
    }
}

fn set(value: Value) -> Value {
    closed([("set", value)])
}

fn appended(item: Value) -> Value {
    let mut one = json!({ "type": "array", "minItems": 1, "maxItems": 1 });
    one["items"] = item;
    closed([("append", one)])
}

/// A checked call: the arguments and the path they name.
pub type Input = AtPath<Args>;

impl BuiltIn for Input {
    fn tool(&self) -> &'static Tool {
        &TOOL
    }

    fn args(&self) -> Value {
        canonical(&self.args)
    }

    fn path(&self) -> Option<&AliasPath> {
        Some(&self.path)
    }

    fn is_dry_run(&self) -> bool {
        self.args.dry_run == Some(true)
    }

    fn facts(&self, result: &CallResult) -> Vec<Fact> {
        let written = written(&self.path, result);
        [written].into_iter().chain(verified(&self.path, result)).collect()
    }
}

pub(super) fn parse(args: Value) -> Result<Input, Failure> {
    let mut args: Args = typed(&TOOL, nested(args))?;
    if let Patch::Many(operations) = &args.patch
        && operations.len() > bounds::PATCH_OPERATIONS
    {
        let (count, most) = (operations.len(), bounds::PATCH_OPERATIONS);
        let message = format!("patch: {count} operations; send at most {most}");
        return Err(invalid(&TOOL, &message));
    }
    let path = named_path("path", &mut args.path)?;
    check_scope(&TOOL, args.verification_scope.as_deref(), Some(&path))?;
    Ok(Input { args, path })
}

const PATCH_KEYS: &[&str] = &["operation", "update", "old", "new", "all", "diff"];

/// Accepts the flat call `{path, operation, update}` beside the nested one (spec 05), a bare text
/// as a unified diff, and an `ifMatchSha256` inside the patch.
fn nested(args: Value) -> Value {
    let Value::Object(mut map) = args else { return args };
    if !map.contains_key("patch") && map.contains_key("operation") {
        let mut patch = Map::new();
        for key in PATCH_KEYS {
            if let Some(value) = map.remove(*key) {
                patch.insert((*key).to_owned(), value);
            }
        }
        map.insert("patch".to_owned(), Value::Object(patch));
    }
    match map.get_mut("patch") {
        Some(Value::Object(patch)) => {
            if let Some(hash) = patch.remove("ifMatchSha256") {
                map.entry("ifMatchSha256").or_insert(hash);
            }
        }
        Some(patch @ Value::String(_)) => {
            *patch = json!({ "operation": "unified", "diff": patch.take() });
        }
        _ => {}
    }
    Value::Object(map)
}

/// One operation or several.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Patch {
    /// One.
    One(PatchOp),
    /// Several, in order, all or nothing.
    Many(Vec<PatchOp>),
}

impl Patch {
    /// The operations, in order.
    pub fn ops(&self) -> &[PatchOp] {
        match self {
            Self::One(op) => std::slice::from_ref(op),
            Self::Many(ops) => ops,
        }
    }
}

/// What one patch operation does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "operation", rename_all = "camelCase", deny_unknown_fields)]
pub enum PatchOp {
    /// Change members of the YAML front matter; everything else stays byte for byte.
    UpdateFrontmatter {
        /// The members to change.
        update: FrontmatterUpdate,
    },
    /// Replace a text. `old` must occur exactly once unless `all` is true.
    Replace {
        /// The text to find, verbatim.
        old: String,
        /// What stands there afterwards.
        new: String,
        /// Replace every occurrence. Default false.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        all: Option<bool>,
    },
    /// Apply a unified diff of this one file. Each hunk must fit at exactly one place.
    Unified {
        /// The diff: `@@` hunks of lines that start with a space, `-` or `+`.
        diff: String,
    },
}
