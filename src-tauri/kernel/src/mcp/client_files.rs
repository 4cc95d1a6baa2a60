//! The file in which another client keeps its servers, read for those that can be set up here too.
//! Such a file is as foreign as any other: it is bounded, and nothing in it is resolved or run.

mod entry;
mod json;
#[cfg(test)]
mod tests;

use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeSet;

use self::json::{Members, object, strict};
use super::launch::Server;
use crate::bounds::{MCP_NAME_BYTES, MCP_SERVERS, SETTINGS_BYTES, size};
use crate::phrase::{Phrase, Why, general, servers as said};
use crate::text::ellipsis;
use crate::visible::visible_line;

/// What the file of another client says of servers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientFile {
    /// Those that can be set up, in the order of the file.
    pub servers: Vec<Server>,
    /// Those that cannot, by the file's name for each (cut and made visible), and why.
    pub left_out: Vec<(String, Phrase)>,
}

/// The members under which clients keep their servers; each client knows one of them.
#[derive(Deserialize)]
struct Written<'a> {
    /// Of Claude, Cursor and many others.
    #[serde(borrow, rename = "mcpServers")]
    mcp_servers: Option<&'a RawValue>,
    /// Of VS Code, in a file of their own.
    #[serde(borrow)]
    servers: Option<&'a RawValue>,
    /// Of VS Code, among its settings.
    #[serde(borrow)]
    mcp: Option<&'a RawValue>,
    /// Of Zed.
    #[serde(borrow)]
    context_servers: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Nested<'a> {
    #[serde(borrow)]
    servers: Option<&'a RawValue>,
}

impl<'a> Written<'a> {
    /// The lists of servers there are. What has the name of one and is no object is something else.
    fn lists(&self) -> serde_json::Result<Vec<Members<'a>>> {
        let nested = self.mcp.and_then(|mcp| object::<Nested>(mcp.get())).transpose()?;
        let nested = nested.and_then(|mcp| mcp.servers);
        let known = [self.mcp_servers, self.servers, nested, self.context_servers];
        known.into_iter().flatten().filter_map(|list| object(list.get())).collect()
    }
}

/// Reads the file in which another client keeps its servers: that of Claude, Cursor, VS Code, Zed, or
/// one like them, with comments and trailing commas as editors write them. A value that the other
/// client asks the person for is left out of the environment and the headers of its server.
///
/// # Errors
/// Why nothing can be read of it, for people: it is too long, no JSON, or holds no list of servers.
pub fn read_client_file(text: &str) -> Result<ClientFile, Phrase> {
    if text.len() as u64 > SETTINGS_BYTES {
        return Err(said::client_file_too_long(size(SETTINGS_BYTES)));
    }
    let text = strict(text.strip_prefix('\u{feff}').unwrap_or(text));
    let file = object::<Written>(&text).ok_or_else(said::no_servers_in_file)?;
    let lists = file.and_then(|file| file.lists());
    let lists = lists.map_err(|why| said::client_file_not_json(Why::json(&why)))?;
    if lists.is_empty() {
        return Err(said::no_servers_in_file());
    }
    Ok(judged(lists.into_iter().flat_map(|list| list.0).collect()))
}

/// Each entry of a file as a server, or the reason why it is none.
fn judged(entries: Vec<(String, &RawValue)>) -> ClientFile {
    let (mut servers, mut left_out) = (Vec::new(), Vec::new());
    let more = entries.len().saturating_sub(MCP_SERVERS);
    let mut names = BTreeSet::new();
    for (name, entry) in entries.into_iter().take(MCP_SERVERS) {
        let read = if names.insert(name.trim().to_owned()) {
            entry::server(&name, entry.get())
        } else {
            Err(general::name_twice(name.trim()))
        };
        match read {
            Ok(server) => servers.push(server),
            Err(mut why) => {
                why.map_texts(&shown);
                left_out.push((shown(&name), why));
            }
        }
    }
    if more > 0 {
        left_out.push(("…".to_owned(), said::more_in_client_file(more, MCP_SERVERS)));
    }
    ClientFile { servers, left_out }
}

/// A word of the file as it may be shown: no longer than a name, and nothing hidden in it.
fn shown(word: &str) -> String {
    visible_line(&ellipsis(word, MCP_NAME_BYTES))
}
