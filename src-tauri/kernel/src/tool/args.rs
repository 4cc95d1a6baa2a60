//! The arguments of the built-in tools as Rust types: their JSON Schema is derived from these, and
//! a call is parsed through them, unknown fields refused (spec 05).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::bounds;

/// `fs.list`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListArgs {
    /// Folder, e.g. `@project/artifacts`.
    pub path: String,
    /// How deep to go, 1 to 5. Default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = bounds::LIST_DEPTH))]
    pub depth: Option<u32>,
}

/// `fs.read`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadArgs {
    /// File, e.g. `@pkg/steps/step-01.md`.
    pub path: String,
    /// First line, 1-based.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub start_line: Option<u32>,
    /// Last line, inclusive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub end_line: Option<u32>,
    /// Check that the whole file holds each of these texts.
    #[serde(rename = "expect_contains", default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = bounds::TOKENS))]
    pub expect_contains: Option<Vec<String>>,
    /// What the check stands for: `artifact:<project-relative path>` (default) or `workspace`.
    #[serde(rename = "verification_scope", default, skip_serializing_if = "Option::is_none")]
    pub verification_scope: Option<String>,
}

/// `fs.search`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchArgs {
    /// Folder or file to search in.
    pub path: String,
    /// Text to find; a regular expression when `regex` is true.
    #[serde(alias = "query")]
    pub pattern: String,
    /// Default false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regex: Option<bool>,
    /// Only files whose path matches one of these globs, e.g. `**/*.md`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub globs: Option<Vec<String>>,
    /// Lines of context before. Default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = bounds::MATCH_CONTEXT))]
    pub before: Option<u32>,
    /// Lines of context after. Default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = bounds::MATCH_CONTEXT))]
    pub after: Option<u32>,
    /// Stop after this many matches. Default 50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = bounds::MATCHES))]
    pub max_matches: Option<u32>,
}

/// `fs.glob`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GlobArgs {
    /// Which files, e.g. `**/*.md`; `*` stays within a folder, `**` does not.
    pub pattern: String,
    /// Folder the pattern is meant from. Default `@project`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Check that at least so many files match.
    #[serde(rename = "expect_min_matches", default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1000))]
    pub expect_min_matches: Option<u32>,
    /// What the check stands for: `artifact:<project-relative path>` or `workspace`.
    #[serde(rename = "verification_scope", default, skip_serializing_if = "Option::is_none")]
    pub verification_scope: Option<String>,
}

/// What becomes of what is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Default)]
#[serde(rename_all = "lowercase")]
pub enum WriteMode {
    /// Replace it.
    #[default]
    Overwrite,
    /// Add at the end.
    Append,
}

/// `fs.write`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WriteArgs {
    /// File, e.g. `@project/artifacts/report.md`. Missing folders are made.
    pub path: String,
    /// The whole new content, or what to append.
    pub content: String,
    /// Default `overwrite`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<WriteMode>,
    /// Refuse unless the file still has this SHA-256.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_match_sha256: Option<String>,
    /// Read the file back and compare. Default: as the settings say.
    #[serde(rename = "verify_after_write", default, skip_serializing_if = "Option::is_none")]
    pub verify_after_write: Option<bool>,
    /// What the check stands for: `artifact:<project-relative path>` (default) or `workspace`.
    #[serde(rename = "verification_scope", default, skip_serializing_if = "Option::is_none")]
    pub verification_scope: Option<String>,
}

/// `fs.apply_patch`: one operation, or a list of them applied in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PatchArgs {
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

/// `fs.move`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveArgs {
    /// File or folder to move or rename.
    pub from: String,
    /// Its new path, the name included; nothing may be there yet. Missing folders are made.
    pub to: String,
}

/// `fs.delete`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeleteArgs {
    /// File or folder to delete.
    pub path: String,
    /// Delete a folder with everything in it. Default false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recursive: Option<bool>,
    /// Refuse unless the file still has this SHA-256.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_match_sha256: Option<String>,
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

/// Members of a front matter update (reference §10.6). All optional; what is absent stays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FrontmatterUpdate {
    /// `{"set": "node-id"}`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_node_id: Option<SetText>,
    /// `{"append": ["node-id"]}`; duplicates are dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps_completed: Option<AppendTexts>,
    /// `{"set": {"name": value}}`; merged key by key, `null` removes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variables: Option<SetMap>,
    /// `{"append": [{"from","to","label","reason"}]}`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision_log: Option<AppendValues>,
    /// `{"append": ["artifacts/x.md"]}`; duplicates are dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifacts: Option<AppendTexts>,
    /// `{"set": "2026-01-01T00:00:00Z"}`; filled in when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<SetText>,
}

/// `{"set": text}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetText {
    /// The new value.
    pub set: String,
}

/// `{"set": {…}}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetMap {
    /// Key → new value; `null` removes the key.
    pub set: Map<String, Value>,
}

/// `{"append": [text]}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AppendTexts {
    /// What to add.
    pub append: Vec<String>,
}

/// `{"append": [value]}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AppendValues {
    /// What to add.
    pub append: Vec<Map<String, Value>>,
}

/// `workflow.rewind` (spec 03).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RewindArgs {
    /// The entry node, or a completed one.
    pub target_node_id: String,
    /// Must be true.
    pub confirmed: bool,
    /// Why, for the decision log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether files changed since the node was last entered go back too. Default `restore`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<RewindFiles>,
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
