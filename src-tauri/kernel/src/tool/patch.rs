//! `fs.apply_patch`: part of a file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::built_in::{AtPath, BuiltIn, EffectClass, Offer, Tool, schema_of};
use super::check::{canonical, check_scope, invalid, named_path, typed};
use super::facts::{verified, written};
use super::output::CallResult;
use crate::bounds;
use crate::code::Failure;
use crate::facts::Fact;
use crate::frontmatter::FrontmatterUpdate;
use crate::path::AliasPath;

/// What a model calls it, dotted.
pub const NAME: &str = "fs.apply_patch";

pub(super) const TOOL: Tool = Tool {
    name: NAME,
    description: "Change part of a file: `updateFrontmatter` for front matter (use it for @state/workflow.md), `replace` for text, `unified` for a diff. A list of operations is applied in order, all or nothing. `dryRun` only shows what would change.",
    class: EffectClass::WriteProject,
    works_on_files: true,
    writes_one_file: true,
    offered: Offer::Anywhere,
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
