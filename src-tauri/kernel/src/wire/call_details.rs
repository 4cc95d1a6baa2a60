//! What a call is about, as one line tells it.

use serde::{Deserialize, Serialize};

use crate::changed_files::LineCount;
use crate::path::AliasPath;
use crate::text::ellipsis;
use crate::tool::{CallResult, ParsedCall};

/// Words that are looked for are told up to so many bytes.
const WORDS: usize = 120;

/// What a call is about beyond its path, as far as it is known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CallDetails {
    /// The words or the names it looks for; cut when they are long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub looks_for: Option<String>,
    /// How much of it was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub found: Option<u32>,
    /// Where it moves what is at its path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub to: Option<AliasPath>,
    /// It made a file that was not there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub created: bool,
    /// It wrote what was there already.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub noop: bool,
    /// How many lines came and went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub lines: Option<LineCount>,
}

impl CallDetails {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What a call says that it is about.
    pub fn of(call: &ParsedCall) -> Self {
        let looks_for = call.looks_for().map(|words| ellipsis(words, WORDS));
        Self { looks_for, to: call.to().cloned(), ..Self::default() }
    }

    /// Adds what the result says.
    pub fn ended(&mut self, result: &CallResult) {
        self.found = result.found();
        self.created = result.created;
        self.noop = result.noop_write;
        self.lines = result.diffstat;
    }
}
