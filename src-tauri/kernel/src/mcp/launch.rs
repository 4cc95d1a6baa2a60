//! How servers are started or reached.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

use super::name::ServerName;
use crate::bounds::{MCP_ARGUMENTS, MCP_ENVIRONMENT, MCP_TEXT_BYTES};
use crate::phrase::{Phrase, servers as said};

/// A value of a server's environment, or of a header: it may be a key. `Debug` hides it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ServerValue(String);

impl ServerValue {
    /// A value.
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// For the process or the request header. Never for messages.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ServerValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ServerValue(hidden)")
    }
}

/// How a server is started or reached, as the person wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Launch {
    /// A program that speaks on its standard input and output.
    Command {
        /// The program.
        command: String,
        /// Its arguments. `@project` at the beginning of one is the project folder.
        #[serde(default)]
        args: Vec<String>,
        /// What its environment has besides that of this program.
        #[serde(default)]
        env: BTreeMap<String, ServerValue>,
    },
    /// A server that is reached over HTTP.
    Url {
        /// Its address.
        url: String,
        /// What each request carries besides.
        #[serde(default)]
        headers: BTreeMap<String, ServerValue>,
    },
}

/// How a server is started or reached, as a person is shown it: of what may be a key the name alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum ShownLaunch {
    /// A program.
    Command {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// The names of what is added to its environment.
        env: Vec<String>,
    },
    /// A server that is reached over HTTP.
    Url {
        /// Its address.
        url: String,
        /// The names of what each request carries.
        headers: Vec<String>,
    },
}

impl Launch {
    /// What may be shown of it.
    pub fn shown(&self) -> ShownLaunch {
        let names = |values: &BTreeMap<String, ServerValue>| values.keys().cloned().collect();
        match self {
            Self::Command { command, args, env } => ShownLaunch::Command {
                command: command.clone(),
                args: args.clone(),
                env: names(env),
            },
            Self::Url { url, headers } => {
                ShownLaunch::Url { url: url.clone(), headers: names(headers) }
            }
        }
    }

    /// The address of a server that is reached over HTTP.
    pub fn url(&self) -> Option<&str> {
        match self {
            Self::Url { url, .. } => Some(url),
            Self::Command { .. } => None,
        }
    }

    /// What may be keys, by name.
    pub fn values(&self) -> &BTreeMap<String, ServerValue> {
        match self {
            Self::Command { env, .. } => env,
            Self::Url { headers, .. } => headers,
        }
    }

    /// The same without spaces round what is written on one line.
    ///
    /// # Errors
    /// What is wrong with it, for people.
    pub fn checked(self) -> Result<Self, Phrase> {
        let long = |text: &str| text.len() > MCP_TEXT_BYTES || text.contains('\0');
        let values = self.values();
        if values.len() > MCP_ENVIRONMENT {
            return Err(said::too_many_server_values(MCP_ENVIRONMENT));
        }
        let unfit = |name: &str| name.is_empty() || name.contains(['=', '\n', '\r']) || long(name);
        let wrong = |value: &ServerValue| long(value.reveal());
        if let Some((name, _)) = values.iter().find(|(name, value)| unfit(name) || wrong(value)) {
            return Err(said::unfit_value(name));
        }
        match self {
            Self::Command { command, args, env } => {
                let command = command.trim().to_owned();
                if command.is_empty() || long(&command) || command.contains(['\n', '\r']) {
                    return Err(said::unfit_command());
                }
                if args.len() > MCP_ARGUMENTS || args.iter().any(|arg| long(arg)) {
                    return Err(said::unfit_arguments(MCP_ARGUMENTS));
                }
                Ok(Self::Command { command, args, env })
            }
            Self::Url { url, headers } => {
                let url = url.trim().to_owned();
                let http = ["http://", "https://"].into_iter().any(|scheme| {
                    url.get(..scheme.len()).is_some_and(|it| it.eq_ignore_ascii_case(scheme))
                });
                // A name and a password in an address would be shown, and sent as they are.
                let server =
                    url.split("://").nth(1).and_then(|rest| rest.split(['/', '?', '#']).next());
                let has_password = server.is_some_and(|server| server.contains('@'));
                if !http || has_password || long(&url) || url.contains(char::is_whitespace) {
                    return Err(said::unfit_address());
                }
                Ok(Self::Url { url, headers })
            }
        }
    }
}

/// A server as the person set it up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Server {
    /// What it is called.
    pub name: ServerName,
    /// How it is started or reached.
    pub launch: Launch,
    /// Whether it may be used at all.
    pub enabled: bool,
}
