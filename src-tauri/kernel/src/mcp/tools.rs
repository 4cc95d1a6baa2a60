//! The tools of servers, as models are told of them.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use super::name::ServerName;
use crate::bounds::{
    MCP_DESCRIPTION_BYTES, MCP_SCHEMA_BYTES, MCP_SCHEMA_LEVELS, MCP_TOOL_NAME_BYTES, MCP_TOOLS,
    MCP_TOOLS_BYTES,
};
use crate::chat::ToolSpec;
use crate::phrase::{Phrase, servers as said};
use crate::text::{prefix, sha256_hex};
use crate::tokens::{CountedText, Tokenizer};
use crate::visible::{name_hides, visible};

/// What the names of these tools begin with for a model.
const PREFIX: &str = "mcp__";

/// Whether a name that a model wrote, or a log holds, means a tool of a server.
pub fn is_server_tool(wire_name: &str) -> bool {
    wire_name.starts_with(PREFIX)
}

/// The longest name of a tool that every model's server takes.
const WIRE_NAME_BYTES: usize = 64;
/// Digits of the hash that tells apart what would have the same name.
const HASH_DIGITS: usize = 8;

/// What a server says a tool of its does to the world. It need not be true.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum ToolHint {
    /// It says nothing.
    #[default]
    Unsaid,
    /// It changes nothing.
    Reads,
    /// It changes something, and takes nothing away.
    Adds,
    /// It may take something away.
    Destroys,
}

impl ToolHint {
    /// What the annotations of a tool come to, by the defaults of the protocol: what does not only
    /// read is taken to destroy, unless it says otherwise.
    pub fn of(read_only: Option<bool>, destructive: Option<bool>) -> Self {
        match (read_only, destructive) {
            (None, None) => Self::Unsaid,
            (Some(true), _) => Self::Reads,
            (_, Some(false)) => Self::Adds,
            (Some(false), None) | (_, Some(true)) => Self::Destroys,
        }
    }
}

/// A tool as a server lists it.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedTool {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it does.
    pub description: Option<String>,
    /// The JSON Schema of its arguments.
    pub schema: Value,
    /// What it does to the world.
    pub hint: ToolHint,
}

/// A tool of a server, as models are told of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServerTool {
    /// The server's name for it.
    pub name: String,
    /// Its name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it does to the world, as the server says.
    #[serde(default)]
    pub hint: ToolHint,
    /// As a request carries it.
    pub spec: Arc<ToolSpec>,
    #[serde(skip)]
    counted: Arc<OnceLock<CountedText>>,
}

impl PartialEq for ServerTool {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.title, self.hint, &self.spec)
            == (&other.name, &other.title, other.hint, &other.spec)
    }
}

impl Eq for ServerTool {}

impl ServerTool {
    /// How many tokens its parameters take.
    pub(crate) fn tokens(&self, tokenizer: Tokenizer) -> u64 {
        let text = || CountedText::new(self.spec.parameters.to_string());
        self.counted.get_or_init(text).tokens(tokenizer)
    }
}

/// The tools of one server.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ServerTools {
    /// The server.
    pub server: ServerName,
    /// What it offers, in its order.
    pub tools: Arc<[ServerTool]>,
}

impl PartialEq for ServerTools {
    /// Whether they changed is asked with every line of a journal, and they rarely do.
    fn eq(&self, other: &Self) -> bool {
        self.server == other.server
            && (Arc::ptr_eq(&self.tools, &other.tools) || self.tools == other.tools)
    }
}

impl Eq for ServerTools {}

impl ServerTools {
    /// The tool that a model calls by this name.
    pub fn called(&self, wire_name: &str) -> Option<&ServerTool> {
        self.tools.iter().find(|tool| tool.spec.name == wire_name)
    }
}

/// The tools that a server lists, as models are told of them.
///
/// # Errors
/// Why they are not taken, for people: too many, too long, no schema of an object, one name twice.
pub fn offered(server: &ServerName, listed: Vec<ListedTool>) -> Result<ServerTools, Phrase> {
    if listed.len() > MCP_TOOLS {
        return Err(said::too_many_tools(MCP_TOOLS));
    }
    let (mut names, mut called) = (BTreeSet::new(), BTreeSet::new());
    let (mut tools, mut bytes) = (Vec::with_capacity(listed.len()), 0);
    for tool in listed {
        if !names.insert(tool.name.clone()) {
            return Err(said::tool_listed_twice(visible(prefix(&tool.name, MCP_TOOL_NAME_BYTES))));
        }
        let tool = as_told(server, tool)?;
        if !called.insert(tool.spec.name.clone()) {
            return Err(said::tool_listed_twice(tool.name));
        }
        bytes += tool.spec.description.len() + tool.spec.parameters.to_string().len();
        tools.push(tool);
    }
    if bytes > MCP_TOOLS_BYTES {
        return Err(said::tools_too_long(crate::bounds::size(MCP_TOOLS_BYTES as u64)));
    }
    Ok(ServerTools { server: server.clone(), tools: tools.into() })
}

fn as_told(server: &ServerName, tool: ListedTool) -> Result<ServerTool, Phrase> {
    let ListedTool { name, title, description, schema, hint } = tool;
    let shown = visible(prefix(&name, MCP_TOOL_NAME_BYTES));
    if name.is_empty()
        || name.len() > MCP_TOOL_NAME_BYTES
        || name_hides(&name)
        || name.contains(|c: char| c.is_control() || c == '`')
    {
        return Err(said::unfit_tool_name(shown));
    }
    let parameters = parameters(schema).ok_or_else(|| said::unfit_schema(&name))?;
    if parameters.to_string().len() > MCP_SCHEMA_BYTES {
        return Err(said::schema_too_long(&name, crate::bounds::size(MCP_SCHEMA_BYTES as u64)));
    }
    let short = |text: &str| visible(prefix(text, MCP_DESCRIPTION_BYTES));
    let description = description.as_deref().map(short).unwrap_or_default();
    let title = title.map(|title| visible(prefix(&title, MCP_TOOL_NAME_BYTES)));
    let spec = Arc::new(ToolSpec { name: wire_name(server, &name), description, parameters });
    Ok(ServerTool { name, title, hint, spec, counted: Arc::default() })
}

/// The schema of an object as every model's server takes it; `None` when it is none.
fn parameters(schema: Value) -> Option<Value> {
    if levels(&schema) > MCP_SCHEMA_LEVELS {
        return None;
    }
    let Value::Object(mut schema) = made_visible(schema)? else { return None };
    if schema.get("type").is_some_and(|kind| kind != "object") {
        return None;
    }
    schema.remove("$schema");
    schema.insert("type".to_owned(), json!("object"));
    if !schema.get("properties").is_some_and(Value::is_object) {
        schema.insert("properties".to_owned(), json!({}));
    }
    Some(Value::Object(schema))
}

/// The same with nothing hidden in its texts; `None` where a name hides something.
fn made_visible(value: Value) -> Option<Value> {
    Some(match value {
        Value::String(text) => Value::String(visible(&text)),
        Value::Array(items) => items.into_iter().map(made_visible).collect::<Option<_>>()?,
        Value::Object(members) => {
            let member = |(name, value): (String, Value)| {
                let value = made_visible(value)?;
                (!name_hides(&name)).then_some((name, value))
            };
            Value::Object(members.into_iter().map(member).collect::<Option<_>>()?)
        }
        other @ (Value::Null | Value::Bool(_) | Value::Number(_)) => other,
    })
}

/// How deep a value is nested. What is read as JSON is no deeper than the reader allows.
fn levels(value: &Value) -> usize {
    let inner = match value {
        Value::Array(items) => items.iter().map(levels).max(),
        Value::Object(members) => members.values().map(levels).max(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return 0,
    };
    inner.unwrap_or_default() + 1
}

/// What a model calls a tool of a server, and a person its prompt: `mcp__server__tool`. Where that is too long, or could be
/// another's name too, a hash of both names stands at its end.
pub(super) fn wire_name(server: &ServerName, tool: &str) -> String {
    let (of_server, of_tool) = (plain(server.as_str()), plain(tool));
    let name = format!("{PREFIX}{of_server}__{of_tool}");
    let is_whole = of_server == server.as_str() && of_tool == tool;
    let splits_once = !of_server.contains("__")
        && !of_tool.contains("__")
        && !of_server.ends_with('_')
        && !of_tool.starts_with('_')
        && !ends_like_a_hash(&of_tool);
    if is_whole && splits_once && name.len() <= WIRE_NAME_BYTES {
        return name;
    }
    let hash = sha256_hex(format!("{server}\0{tool}").as_bytes());
    let kept = prefix(&name, WIRE_NAME_BYTES - HASH_DIGITS - 1);
    format!("{kept}_{}", &hash[..HASH_DIGITS])
}

/// Whether a name ends like one that a hash stands at the end of.
fn ends_like_a_hash(name: &str) -> bool {
    let digits = name.rsplit('_').next().filter(|last| last.len() < name.len());
    digits.is_some_and(|last| {
        last.len() == HASH_DIGITS && last.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// The characters that every model's server takes in the name of a tool.
fn plain(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    name.chars().map(|c| if fits(c) { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> ServerName {
        ServerName::new(text).unwrap()
    }

    fn listed(name: &str) -> ListedTool {
        ListedTool {
            name: name.to_owned(),
            title: None,
            description: Some("Says it again.".to_owned()),
            schema: json!({ "type": "object", "properties": { "text": { "type": "string" } } }),
            hint: ToolHint::Unsaid,
        }
    }

    #[test]
    fn the_name_of_a_tool_is_that_of_its_server_and_its_own() {
        assert_eq!(wire_name(&name("files"), "read_file"), "mcp__files__read_file");
    }

    #[test]
    fn names_that_would_be_alike_or_too_long_are_told_apart_by_a_hash() {
        let pairs = [
            ("a", "b__c"),
            ("a__b", "c"),
            ("a_", "b"),
            ("a", "_b"),
            ("my files", "read"),
            ("my_files", "read"),
            ("文件", "读"),
            ("文档", "写"),
        ];
        let mut names: BTreeSet<String> = BTreeSet::new();
        for (server, tool) in pairs {
            let wire = wire_name(&name(server), tool);
            let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
            assert!(wire.starts_with(PREFIX) && wire.chars().all(fits), "{wire}");
            assert!(names.insert(wire), "{server} {tool}");
        }
        let long = "x".repeat(64);
        let (one, other) =
            (wire_name(&name(&long), &"y".repeat(64)), wire_name(&name(&long), &"z".repeat(64)));
        assert_eq!((one.len(), other.len()), (64, 64));
        assert_ne!(one, other);
    }

    #[test]
    fn what_a_server_lists_is_bounded() {
        let server = name("s");
        let refused = |tools: Vec<ListedTool>| offered(&server, tools).unwrap_err().english();
        let many = (0..=MCP_TOOLS).map(|at| listed(&format!("t{at}"))).collect();
        assert!(refused(many).contains(&MCP_TOOLS.to_string()));
        assert!(refused(vec![listed("a"), listed("a")]).contains("`a`"));
        for unfit in ["", "a\u{202e}b", "a\nb", &"n".repeat(MCP_TOOL_NAME_BYTES + 1)] {
            refused(vec![listed(unfit)]);
        }
        let deep = (0..=MCP_SCHEMA_LEVELS).fold(json!({}), |inner, _| json!({ "items": inner }));
        for schema in [json!(true), json!({ "type": "array" }), deep] {
            refused(vec![ListedTool { schema, ..listed("a") }]);
        }
        let long = json!({ "description": "d".repeat(MCP_SCHEMA_BYTES) });
        refused(vec![ListedTool { schema: long, ..listed("a") }]);
        let half = json!({ "description": "d".repeat(MCP_SCHEMA_BYTES - 100) });
        let all = (0..=MCP_TOOLS_BYTES / MCP_SCHEMA_BYTES)
            .map(|at| ListedTool { schema: half.clone(), ..listed(&format!("t{at}")) })
            .collect::<Vec<_>>();
        assert!(all.len() <= MCP_TOOLS);
        refused(all);
    }

    #[test]
    fn a_model_is_told_a_schema_that_every_server_takes() {
        let bare = ListedTool {
            schema: json!({ "$schema": "x" }),
            description: Some("d\u{200b}".repeat(MCP_DESCRIPTION_BYTES)),
            ..listed("a")
        };
        let tools = offered(&name("s"), vec![bare]).unwrap();
        let spec = &tools.called("mcp__s__a").unwrap().spec;
        assert_eq!(spec.parameters, json!({ "type": "object", "properties": {} }));
        assert!(!spec.description.contains('\u{200b}'));
    }

    #[test]
    fn a_hint_follows_the_defaults_of_the_protocol() {
        assert_eq!(ToolHint::of(None, None), ToolHint::Unsaid);
        assert_eq!(ToolHint::of(Some(true), Some(true)), ToolHint::Reads);
        assert_eq!(ToolHint::of(Some(false), None), ToolHint::Destroys);
        assert_eq!(ToolHint::of(None, Some(true)), ToolHint::Destroys);
        assert_eq!(ToolHint::of(Some(false), Some(false)), ToolHint::Adds);
    }
}
