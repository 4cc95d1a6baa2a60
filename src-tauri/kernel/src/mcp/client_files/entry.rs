//! What one entry of such a file says, as a server.

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

use super::super::launch::{Launch, Server, ServerValue};
use super::super::name::ServerName;
use super::json::object;
use crate::phrase::{Phrase, general, servers as said};

/// Members that change nothing of what is started or reached: they describe the server, or say what
/// the other client does with its tools.
const HARMLESS: [&str; 36] = [
    "alwaysAllow",
    "alwaysLoad",
    "author",
    "autoApprove",
    "category",
    "comment",
    "description",
    "dev",
    "disabledTools",
    "displayName",
    "documentation",
    "enabledTools",
    "excludeTools",
    "gallery",
    "homepage",
    "icon",
    "id",
    "includeTools",
    "initTimeout",
    "label",
    "license",
    "metadata",
    "name",
    "note",
    "repository",
    "requestTimeout",
    "settings",
    "source",
    "startupTimeout",
    "tags",
    "timeout",
    "title",
    "toolTimeout",
    "tools",
    "trust",
    "version",
];
/// Members that change nothing when they are `false`.
const HARMLESS_WHEN_OFF: [&str; 3] = ["remote", "sandbox", "sandboxEnabled"];
/// How members begin that are comments.
const COMMENTS: [&str; 4] = ["_", "$", "#", "//"];
/// What stands for the project folder in the files of other clients.
const PROJECT_FOLDER: [&str; 3] = ["workspaceFolder", "workspaceRoot", "CLAUDE_PROJECT_DIR"];
/// The same with a value for when there is none.
const PROJECT_FOLDER_OR: &str = "CLAUDE_PROJECT_DIR:-";
/// What stands for it here, at the beginning of a command and of an argument.
const PROJECT: &str = "@project";

/// An entry as it is written. What its members hold is read one by one, so that a reason names the
/// member and repeats nothing of a value that may be a key.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'a> {
    #[serde(borrow)]
    command: Option<&'a RawValue>,
    #[serde(borrow)]
    args: Option<&'a RawValue>,
    #[serde(borrow)]
    env: Option<&'a RawValue>,
    #[serde(borrow)]
    url: Option<&'a RawValue>,
    #[serde(borrow)]
    server_url: Option<&'a RawValue>,
    #[serde(borrow)]
    http_url: Option<&'a RawValue>,
    #[serde(borrow)]
    headers: Option<&'a RawValue>,
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(borrow, alias = "transportType")]
    transport: Option<&'a RawValue>,
    #[serde(borrow)]
    disabled: Option<&'a RawValue>,
    #[serde(borrow)]
    enabled: Option<&'a RawValue>,
    #[serde(flatten)]
    others: BTreeMap<String, Other>,
}

/// A program with what belongs to it, as Zed writes it into `command`.
#[derive(Deserialize)]
struct Program<'a> {
    #[serde(borrow)]
    path: Option<&'a RawValue>,
    #[serde(borrow)]
    args: Option<&'a RawValue>,
    #[serde(borrow)]
    env: Option<&'a RawValue>,
    #[serde(flatten)]
    others: BTreeMap<String, Other>,
}

/// The value of a member that is not known here.
#[derive(Deserialize)]
#[serde(untagged)]
enum Other {
    Switch(bool),
    Text(String),
    Anything(Option<IgnoredAny>),
}

/// How the other client says that a server is reached.
#[derive(Clone, Copy)]
enum Transport {
    Program,
    Address,
}

/// The server that an entry stands for.
///
/// # Errors
/// Why it cannot be set up here, for people.
pub(super) fn server(name: &str, json: &str) -> Result<Server, Phrase> {
    let name = ServerName::new(name)?;
    let entry = object::<Entry>(json).and_then(Result::ok);
    let entry = entry.ok_or_else(said::client_entry_unreadable)?;
    only_known(&entry.others)?;
    let is_disabled = value(entry.disabled, "disabled")?.unwrap_or(false);
    let is_enabled = value(entry.enabled, "enabled")?.unwrap_or(true);
    let launch = match entry.way()? {
        Transport::Program => entry.program()?,
        Transport::Address => entry.address()?,
    };
    Ok(Server { name, launch: launch.checked()?, enabled: is_enabled && !is_disabled })
}

impl<'a> Entry<'a> {
    /// By its type or, without one, by what there is.
    fn way(&self) -> Result<Transport, Phrase> {
        let kind: Option<String> = value(self.kind, "type")?;
        if let Some(kind) = kind.or(value(self.transport, "transport")?) {
            return transport(&kind).ok_or_else(|| said::unknown_transport(kind));
        }
        match (self.command, self.written_address()) {
            (Some(_), None) => Ok(Transport::Program),
            (None, Some(_)) => Ok(Transport::Address),
            (Some(_), Some(_)) => Err(said::command_and_address()),
            (None, None) => Err(said::no_command_or_address()),
        }
    }

    fn written_address(&self) -> Option<(&'static str, &'a RawValue)> {
        let known = [("httpUrl", self.http_url), ("url", self.url), ("serverUrl", self.server_url)];
        known.into_iter().find_map(|(name, url)| Some((name, url?)))
    }

    fn address(&self) -> Result<Launch, Phrase> {
        let (name, url) = self.written_address().ok_or_else(|| general::argument_missing("url"))?;
        let url: Option<String> = value(Some(url), name)?;
        let url = url.ok_or_else(|| general::argument_missing(name))?;
        resolved(&url)?;
        Ok(Launch::Url { url, headers: values(self.headers, "headers", false)? })
    }

    fn program(&self) -> Result<Launch, Phrase> {
        let command = self.command.ok_or_else(|| general::argument_missing("command"))?;
        let program = match object::<Program>(command.get()) {
            Some(whole) => whole.map_err(|_| said::unfit_entry_member("command"))?,
            None => Program { path: self.command, args: None, env: None, others: BTreeMap::new() },
        };
        only_known(&program.others)?;
        let command: Option<String> = value(program.path, "command")?;
        let command = command.ok_or_else(|| general::argument_missing("command"))?;
        let command = placed(command)?;
        let args = arguments(program.args.or(self.args))?;
        let env = values(program.env.or(self.env), "env", true)?;
        Ok(Launch::Command { command, args, env })
    }
}

/// Fails with the first member that may change what is started, and nobody here knows how.
fn only_known(others: &BTreeMap<String, Other>) -> Result<(), Phrase> {
    let says_something = |name: &str, other: &Other| match other {
        Other::Switch(false) => !HARMLESS_WHEN_OFF.contains(&name),
        Other::Text(text) => !text.is_empty(),
        Other::Anything(None) => false,
        Other::Switch(true) | Other::Anything(Some(_)) => true,
    };
    let is_known = |name: &str| {
        HARMLESS.contains(&name) || COMMENTS.iter().any(|begins| name.starts_with(begins))
    };
    match others.iter().find(|(name, other)| !is_known(name) && says_something(name, other)) {
        Some((name, _)) => Err(said::unknown_entry_member(name)),
        None => Ok(()),
    }
}

/// The names of transports are written with and without hyphens. Both kinds that go over HTTP have
/// an address.
fn transport(name: &str) -> Option<Transport> {
    let name = name.replace(['-', '_'], "").to_ascii_lowercase();
    match name.as_str() {
        "stdio" | "local" => Some(Transport::Program),
        "http" | "streamablehttp" | "sse" => Some(Transport::Address),
        _ => None,
    }
}

/// What a member holds.
fn value<T: DeserializeOwned>(member: Option<&RawValue>, name: &str) -> Result<Option<T>, Phrase> {
    let read = member.map(|member| serde_json::from_str(member.get())).transpose();
    read.map_err(|_| said::unfit_entry_member(name))
}

/// A text, or the digits of a number, or a truth value, as a process and a header take them.
fn as_text(value: &RawValue) -> Option<String> {
    match value.get().as_bytes().first()? {
        b'"' => serde_json::from_str(value.get()).ok(),
        b'{' | b'[' => None,
        _ => Some(value.get().to_owned()),
    }
}

fn arguments(member: Option<&RawValue>) -> Result<Vec<String>, Phrase> {
    let Some(member) = member else { return Ok(Vec::new()) };
    let unfit = || said::unfit_entry_member("args");
    let items: Vec<Option<&RawValue>> = serde_json::from_str(member.get()).map_err(|_| unfit())?;
    let argument = |item: Option<&RawValue>| placed(item.and_then(as_text).ok_or_else(unfit)?);
    items.into_iter().map(argument).collect()
}

/// A command or an argument with the name that the project folder has here.
fn placed(text: String) -> Result<String, Phrase> {
    if text.trim_start().strip_prefix(PROJECT).is_some_and(ends_a_name) {
        return Err(said::begins_with_project());
    }
    let begins = text.strip_prefix("${").and_then(|rest| rest.split_once('}'));
    let below = begins.filter(|(name, below)| {
        let is_folder = PROJECT_FOLDER.contains(name) || name.starts_with(PROJECT_FOLDER_OR);
        is_folder && ends_a_name(below)
    });
    let text = match below {
        Some((_, "")) => PROJECT.to_owned(),
        Some((_, below)) => format!("{PROJECT}/{}", &below[1..]),
        None => text,
    };
    resolved(&text)?;
    Ok(text)
}

/// Whether a folder's name ends before this: a path goes on behind it, or nothing.
fn ends_a_name(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(['/', '\\'])
}

/// The members of `env` or of `headers`. Those are left out that the person is asked for, those that
/// are `null`, and of an environment those that a process has from this program anyway.
fn values(
    member: Option<&RawValue>,
    of: &str,
    is_environment: bool,
) -> Result<BTreeMap<String, ServerValue>, Phrase> {
    let Some(member) = member else { return Ok(BTreeMap::new()) };
    let written = object::<BTreeMap<String, Option<&RawValue>>>(member.get());
    let written = written.and_then(Result::ok).ok_or_else(|| said::unfit_entry_member(of))?;
    let mut values = BTreeMap::new();
    for (name, value) in written {
        let Some(value) = value else { continue };
        let unfit = || said::unfit_entry_member(format!("{of}.{name}"));
        let value = as_text(value).ok_or_else(unfit)?;
        if placeholders(&value).any(is_asked) || (is_environment && is_inherited(&name, &value)) {
            continue;
        }
        resolved(&value)?;
        values.insert(name, ServerValue::new(value));
    }
    Ok(values)
}

/// Whether a value of an environment is what the variable of its name is anyway.
fn is_inherited(name: &str, value: &str) -> bool {
    let of = value.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
    of.is_some_and(|of| of.strip_prefix("env:").unwrap_or(of) == name)
}

/// Fails with the first placeholder, of which only the other client knows what it stands for.
fn resolved(text: &str) -> Result<(), Phrase> {
    match placeholders(text).next() {
        None => Ok(()),
        Some(asked) if is_asked(asked) => Err(said::placeholder_asks(format!("${{{asked}}}"))),
        Some(other) => {
            // What it falls back to may be a key.
            let name = other.split(":-").next().unwrap_or_default();
            Err(said::unresolved_placeholder(format!("${{{name}}}")))
        }
    }
}

/// Whether the other client asks the person for what stands there.
fn is_asked(placeholder: &str) -> bool {
    placeholder.starts_with("input:")
}

/// What stands in a text between `${` and `}`.
fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (placeholder, after) = rest.split_once("${")?.1.split_once('}')?;
        rest = after;
        Some(placeholder)
    })
}
