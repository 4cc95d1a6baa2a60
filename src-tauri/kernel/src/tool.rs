//! The built-in tools as the model sees them and the kernel judges them: names, arguments,
//! effect class (spec 05). What they do to a disk is the host's (`host/src/tools`).

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

use crate::chat::ToolSpec;
use crate::code::{ErrorCode, Failure};
use crate::path::AliasPath;
use crate::policy::ToolPolicy;

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

/// `fs.list`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListArgs {
    /// Folder, e.g. `@project/artifacts`.
    pub path: String,
    /// How deep to go, 1 to 5. Default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 5))]
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
    #[schemars(range(max = 20))]
    pub before: Option<u32>,
    /// Lines of context after. Default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 20))]
    pub after: Option<u32>,
    /// Stop after this many matches. Default 50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1000))]
    pub max_matches: Option<u32>,
}

/// How `fs.write` treats what is there.
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
    /// Whether files written since go back too. Only `keep` is available now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<RewindFiles>,
}

/// What a rewind does with files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RewindFiles {
    /// Leave them as they are.
    Keep,
}

/// A tool of the runtime. Two are equal when their names are.
#[derive(Debug, Clone)]
pub struct Tool {
    /// Canonical dotted name.
    pub name: &'static str,
    /// What it does, for the model.
    pub description: &'static str,
    /// What it does to the world. `fs.write` and `fs.apply_patch` on `@state/workflow.md` count
    /// as [`EffectClass::WriteState`]; see [`class_of`].
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
        name: "fs.write",
        description: "Write a file below @project, atomically. Missing folders are made. @pkg is read only.",
        class: EffectClass::WriteProject,
        schema: schema_of::<WriteArgs>,
    },
    Tool {
        name: "fs.apply_patch",
        description: "Change part of a file: `updateFrontmatter` for front matter (use it for @state/workflow.md), `replace` for text. A list of operations is applied in order, all or nothing.",
        class: EffectClass::WriteProject,
        schema: schema_of::<PatchArgs>,
    },
    Tool {
        name: "ui.ask_user",
        description: "Ask the user with a form, a selection, a confirmation, a plan review, feedback or an action selection. Ends your turn; the answer comes as the next user input.",
        class: EffectClass::Session,
        schema: crate::widget::ask_user_schema,
    },
    Tool {
        name: "workflow.rewind",
        description: "Go back to the entry node or a completed node: it and everything after it leave stepsCompleted. Files stay. Needs confirmed: true and the user's own confirmation.",
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
pub fn specs(policy: &ToolPolicy) -> Vec<ToolSpec> {
    let all = BUILT_IN.iter().zip(SPECS.iter());
    all.filter(|(tool, _)| is_offered(tool, policy)).map(|(_, spec)| spec.clone()).collect()
}

/// Every built-in tool as a request carries it. Made once: a schema takes longer than the rest of
/// a request.
static SPECS: LazyLock<Vec<ToolSpec>> = LazyLock::new(|| {
    let spec = |tool: &Tool| ToolSpec {
        name: wire_name(tool.name),
        description: tool.description.to_owned(),
        parameters: (tool.schema)(),
    };
    BUILT_IN.iter().map(spec).collect()
});

/// A call whose tool exists and whose arguments fit its schema.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedCall {
    /// Which tool.
    pub tool: &'static Tool,
    /// The arguments, normalised: flat patches nested, aliases renamed.
    pub args: Value,
    /// The path it names, when it names one.
    pub path: Option<AliasPath>,
    /// What it does to the world, the path considered.
    pub class: EffectClass,
}

/// Parses the arguments of a call. Every refusal names the field and the expected shape: small
/// models repair from it.
pub fn parse_call(name: &str, arguments: &str) -> Result<ParsedCall, Failure> {
    let tool = find(name).ok_or_else(|| {
        let known: Vec<String> = BUILT_IN.iter().map(|t| wire_name(t.name)).collect();
        Failure::new(ErrorCode::ToolNotAvailable, format!("there is no tool `{name}`"))
            .with_details(json!({ "available": known }))
    })?;
    let text = if arguments.trim().is_empty() { "{}" } else { arguments };
    let args: Value = serde_json::from_str(text).map_err(|e| {
        Failure::new(
            ErrorCode::ToolArgsInvalidJson,
            format!("the arguments are not valid JSON: {e}"),
        )
        .with_action("Send one JSON object that fits the tool's schema.")
    })?;
    let args = check_args(tool, args)?;
    let path = path_of(tool, &args)?;
    let class = class_of(tool, path.as_ref());
    Ok(ParsedCall { tool, args, path, class })
}

/// Writing the state document is [`EffectClass::WriteState`], whichever tool does it.
pub fn class_of(tool: &Tool, path: Option<&AliasPath>) -> EffectClass {
    match (tool.class, path) {
        (EffectClass::WriteProject, Some(path)) if *path == AliasPath::state_document() => {
            EffectClass::WriteState
        }
        (class, _) => class,
    }
}

fn check_args(tool: &Tool, args: Value) -> Result<Value, Failure> {
    match tool.name {
        "fs.list" => typed::<ListArgs>(tool, args),
        "fs.read" => typed::<ReadArgs>(tool, args),
        "fs.search" => typed::<SearchArgs>(tool, args),
        "fs.write" => typed::<WriteArgs>(tool, args),
        "fs.apply_patch" => typed::<PatchArgs>(tool, nest_patch(args)),
        "workflow.rewind" => typed::<RewindArgs>(tool, args),
        // `ui.ask_user` is checked by the widget module, which knows the six types.
        _ => Ok(args),
    }
}

/// Through the Rust type and back: unknown fields are refused, aliases renamed, defaults absent.
fn typed<T: DeserializeOwned + Serialize>(tool: &Tool, args: Value) -> Result<Value, Failure> {
    let invalid = |message: String| {
        Failure::new(ErrorCode::InvalidArgs, format!("{}: {message}", wire_name(tool.name)))
            .with_details(json!({ "expected": (tool.schema)() }))
    };
    let value: T = serde_json::from_value(args).map_err(|e| invalid(e.to_string()))?;
    serde_json::to_value(value).map_err(|e| invalid(e.to_string()))
}

/// Accepts the flat call `{path, operation, update}` beside the nested one (spec 05), and an
/// `ifMatchSha256` inside the patch.
fn nest_patch(args: Value) -> Value {
    let Value::Object(mut map) = args else { return args };
    if !map.contains_key("patch") && map.contains_key("operation") {
        let mut patch = Map::new();
        for key in ["operation", "update", "old", "new", "all"] {
            if let Some(value) = map.remove(key) {
                patch.insert(key.to_owned(), value);
            }
        }
        map.insert("patch".to_owned(), Value::Object(patch));
    }
    if let Some(Value::Object(patch)) = map.get_mut("patch")
        && let Some(hash) = patch.remove("ifMatchSha256")
    {
        map.entry("ifMatchSha256").or_insert(hash);
    }
    Value::Object(map)
}

fn path_of(tool: &Tool, args: &Value) -> Result<Option<AliasPath>, Failure> {
    if !tool.name.starts_with("fs.") {
        return Ok(None);
    }
    let text = args.get("path").and_then(Value::as_str).unwrap_or_default();
    AliasPath::parse(text).map(Some).map_err(|reason| {
        Failure::new(ErrorCode::SandboxViolation, format!("path: {reason}"))
            .with_details(json!({ "reason": reason }))
            .with_action("Name the file by its alias, for example @project/artifacts/report.md.")
    })
}

#[cfg(test)]
mod tests;
