//! Calls as they came from a model, with what they say.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::ParsedCall;
use super::output::lenient;
use super::parse::parse_json;
use crate::chat::ToolCall;
use crate::code::Failure;
use crate::path::AliasPath;

/// A call as a model wrote it, and what it says: parsed here, once, and shared by whoever holds it. It
/// reads like the [`ToolCall`] that it was made from, is equal to another when those are, and is
/// serialised as that.
#[derive(Clone)]
pub struct ReceivedCall(Arc<Received>);

struct Received {
    written: ToolCall,
    /// The arguments, when they are JSON, whether they fit the tool or not.
    json: Option<Value>,
    parsed: Result<Arc<ParsedCall>, Failure>,
}

impl ReceivedCall {
    /// Parses a call.
    pub fn new(written: ToolCall) -> Self {
        let json = serde_json::from_str(&written.arguments);
        let parsed = parse_json(&written.name, &written.arguments, json.as_ref()).map(Arc::new);
        Self(Arc::new(Received { written, json: json.ok(), parsed }))
    }

    /// What it says; why not, when it fits no tool.
    ///
    /// # Errors
    /// Those of [`parse_call`](super::parse_call).
    pub fn parsed(&self) -> Result<&Arc<ParsedCall>, &Failure> {
        self.0.parsed.as_ref()
    }

    /// The canonical name of its tool; the name as it was written, when the call fits none.
    pub fn tool_name(&self) -> &str {
        self.parsed().map_or(&self.name, |call| call.name())
    }

    /// The arguments as they were written; `None` when they are no JSON.
    pub fn json(&self) -> Option<&Value> {
        self.0.json.as_ref()
    }

    /// The path it names, for people: also one that fits no tool may name one.
    pub fn named_path(&self) -> Option<AliasPath> {
        match self.parsed() {
            Ok(parsed) => parsed.path().cloned(),
            Err(_) => AliasPath::parse(&LooseArgs::of(self.json()?).path?).ok(),
        }
    }
}

/// What is shown of arguments that no type fits: of a call that fits no tool, and of a log, whose
/// lines leave contents out.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct LooseArgs {
    /// The path they name, as it was written.
    #[serde(deserialize_with = "lenient")]
    pub path: Option<String>,
}

impl LooseArgs {
    /// Reads arguments.
    pub fn of(args: &Value) -> Self {
        Self::deserialize(args).unwrap_or_default()
    }
}

impl Deref for ReceivedCall {
    type Target = ToolCall;

    fn deref(&self) -> &ToolCall {
        &self.0.written
    }
}

impl PartialEq for ReceivedCall {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl fmt::Debug for ReceivedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl Serialize for ReceivedCall {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(to)
    }
}

impl<'de> Deserialize<'de> for ReceivedCall {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        ToolCall::deserialize(from).map(Self::new)
    }
}

/// The calls of a reply, parsed when they are first asked for: a reply that is only listed or
/// exported is never parsed.
#[derive(Debug, Clone, Default)]
pub struct ReceivedCalls(OnceLock<Arc<[ReceivedCall]>>);

impl ReceivedCalls {
    /// The calls; they must be the same ones each time.
    pub(crate) fn of(&self, written: &[ToolCall]) -> &[ReceivedCall] {
        self.0.get_or_init(|| written.iter().cloned().map(ReceivedCall::new).collect())
    }
}

/// They follow from the reply, which is compared itself.
impl PartialEq for ReceivedCalls {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
