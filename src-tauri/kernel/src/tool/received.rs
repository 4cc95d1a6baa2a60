//! Calls as they came from a model, with what they say.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::{ParsedCall, parse_call};
use crate::chat::ToolCall;
use crate::code::Failure;

/// A call as a model wrote it, and what it says: parsed once, and shared by whoever holds it. It
/// reads like the [`ToolCall`] that it was made from, is equal to another when those are, and is
/// serialised as that.
#[derive(Clone)]
pub struct ReceivedCall(Arc<Received>);

struct Received {
    written: ToolCall,
    parsed: Result<Arc<ParsedCall>, Failure>,
}

impl ReceivedCall {
    /// Parses a call.
    pub fn new(written: ToolCall) -> Self {
        let parsed = parse_call(&written.name, &written.arguments).map(Arc::new);
        Self(Arc::new(Received { written, parsed }))
    }

    /// What it says; why not, when it fits no tool.
    ///
    /// # Errors
    /// Those of [`parse_call`].
    pub fn parsed(&self) -> Result<&Arc<ParsedCall>, &Failure> {
        self.0.parsed.as_ref()
    }

    /// The canonical name of its tool; the name as it was written, when the call fits none.
    pub fn tool_name(&self) -> &str {
        self.parsed().map_or(&self.name, |call| call.tool().name)
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
