//! What servers are called.

use serde::{Deserialize, Serialize};
use std::fmt;

use crate::bounds::MCP_NAME_BYTES;
use crate::phrase::{Phrase, servers as said};
use crate::visible::hides;

/// What the person calls a server, and what packages name it by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "ts", ts(type = "string"))]
pub struct ServerName(String);

impl ServerName {
    /// A name of letters, digits, `-`, `_`, `.` and single spaces.
    ///
    /// # Errors
    /// What names are like, for people.
    pub fn new(name: &str) -> Result<Self, Phrase> {
        let name = name.trim();
        let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ');
        let unfit = !name.chars().all(fits) || hides(name) || name.contains("  ");
        if name.is_empty() || name.len() > MCP_NAME_BYTES || unfit {
            return Err(said::server_name(MCP_NAME_BYTES));
        }
        Ok(Self(name.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for ServerName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Self::new(&name).map_err(|why| why.english())
    }
}

impl From<ServerName> for String {
    fn from(name: ServerName) -> Self {
        name.0
    }
}

impl fmt::Display for ServerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
