//! A server as a person writes it down, with what stays hidden of the one it replaces.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::launch::{Launch, ServerValue};
use super::name::ServerName;

/// A server that is to be set up, or changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ServerDraft {
    /// What it is called.
    pub name: ServerName,
    /// How it is started or reached.
    pub launch: LaunchDraft,
}

/// How a server is started or reached. A value that is `null` stays what it is: what may be a key is
/// never shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum LaunchDraft {
    /// A program.
    Command {
        /// The program.
        command: String,
        /// Its arguments.
        #[serde(default)]
        args: Vec<String>,
        /// What is added to its environment.
        #[serde(default)]
        env: BTreeMap<String, Option<ServerValue>>,
    },
    /// A server that is reached over HTTP.
    Url {
        /// Its address.
        url: String,
        /// What each request carries besides.
        #[serde(default)]
        headers: BTreeMap<String, Option<ServerValue>>,
    },
}

impl LaunchDraft {
    /// The launch that is meant, beside the one it replaces. A value that is to stay and was not there
    /// is left out. Headers go to the server that they were given for and to no other.
    pub fn after(self, before: Option<&Launch>) -> Launch {
        match self {
            Self::Command { command, args, env } => {
                let known = before.filter(|before| matches!(before, Launch::Command { .. }));
                Launch::Command { command, args, env: filled(env, known) }
            }
            Self::Url { url, headers } => {
                let same = |of: &&Launch| matches!(of, Launch::Url { url: was, .. } if server(was) == server(&url));
                let known = before.filter(same);
                Launch::Url { headers: filled(headers, known), url }
            }
        }
    }
}

fn filled(
    values: BTreeMap<String, Option<ServerValue>>,
    before: Option<&Launch>,
) -> BTreeMap<String, ServerValue> {
    let known = |name: &str| before.and_then(|launch| launch.values().get(name)).cloned();
    let filled = values.into_iter().filter_map(|(name, value)| {
        let value = value.or_else(|| known(&name))?;
        Some((name, value))
    });
    filled.collect()
}

/// Scheme, host and port of an address, as they are written.
fn server(url: &str) -> &str {
    let from = url.find("://").map_or(0, |at| at + 3);
    let to = url[from..].find(['/', '?', '#']).map_or(url.len(), |at| from + at);
    &url[..to]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(pairs: &[(&str, &str)]) -> BTreeMap<String, ServerValue> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), ServerValue::new(*value))).collect()
    }

    #[test]
    fn what_is_hidden_stays_and_what_is_not_named_goes() {
        let env = values(&[("KEY", "secret"), ("OLD", "gone")]);
        let before = Launch::Command { command: "a".to_owned(), args: vec![], env };
        let env =
            [("KEY", None), ("NEW", Some(ServerValue::new("new"))), ("NEVER", None)].into_iter();
        let env = env.map(|(name, value)| (name.to_owned(), value)).collect();
        let draft = LaunchDraft::Command { command: "b".to_owned(), args: vec![], env };
        let Launch::Command { command, env, .. } = draft.after(Some(&before)) else { panic!() };
        assert_eq!(command, "b");
        assert_eq!(env, values(&[("KEY", "secret"), ("NEW", "new")]));
    }

    #[test]
    fn a_header_stays_with_its_server() {
        let headers = values(&[("Authorization", "Bearer secret")]);
        let before = Launch::Url { url: "https://a.example/mcp".to_owned(), headers };
        let kept = |url: &str| {
            let headers = [("Authorization".to_owned(), None)].into();
            let draft = LaunchDraft::Url { url: url.to_owned(), headers };
            draft.after(Some(&before)).values().len()
        };
        assert_eq!(kept("https://a.example/other?x=1"), 1);
        for other in [
            "https://b.example/mcp",
            "http://a.example/mcp",
            "https://a.example:8443/mcp",
            "https://a.example.b.example/",
        ] {
            assert_eq!(kept(other), 0, "{other}");
        }
    }
}
