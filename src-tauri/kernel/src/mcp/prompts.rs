//! What a server offers beside its tools: prompts, which a person calls as commands, and resources.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::name::ServerName;
use super::tools::{is_server_tool, wire_name};
use crate::bounds::{
    MCP_OFFER_BYTES, MCP_OFFERS_BYTES, MCP_PROMPT_ARGUMENTS, MCP_PROMPTS, MCP_RESOURCES,
    MCP_TOOL_NAME_BYTES, MCP_URI_BYTES,
};
use crate::phrase::{Phrase, servers as said};
use crate::text::prefix;
use crate::visible::{hides, visible, visible_line};

/// What a server offers beside its tools, as it listed it last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct ServerOffers {
    /// Its prompts.
    pub prompts: Vec<ServerPrompt>,
    /// Its resources.
    pub resources: Vec<ServerResource>,
}

/// A text of a server that a person can say in place of their own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ServerPrompt {
    /// The server's name for it.
    pub name: String,
    /// What a person calls it, behind a `/`.
    pub called: String,
    /// Its name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub title: Option<String>,
    /// What it is for, as the server says.
    pub description: String,
    /// What it has to be told.
    pub arguments: Vec<PromptArgument>,
}

/// What a prompt is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PromptArgument {
    /// What it is called.
    pub name: String,
    /// What it is, as the server says.
    pub description: String,
    /// Whether the prompt cannot do without.
    pub required: bool,
}

/// Something that a server can show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ServerResource {
    /// Its address, which means something to the server.
    pub uri: String,
    /// Its name.
    pub name: String,
    /// What it is, as the server says.
    pub description: String,
    /// Its kind, such as `text/plain`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub mime_type: Option<String>,
}

/// A prompt as a server lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedPrompt {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// What it has to be told.
    pub arguments: Vec<PromptArgument>,
}

impl ServerOffers {
    /// What a server lists, as far as it can be shown; the rest is left out.
    pub fn listed(
        server: &ServerName,
        prompts: Vec<ListedPrompt>,
        resources: Vec<ServerResource>,
    ) -> Self {
        let mut offers = Self::default();
        let mut bytes = 0;
        for prompt in prompts {
            let fits = fits(&prompt.name) && prompt.arguments.len() <= MCP_PROMPT_ARGUMENTS;
            let told = prompt.arguments.iter().all(|one| fits_argument(&one.name));
            if !fits || !told || offers.prompts.len() >= MCP_PROMPTS {
                continue;
            }
            let called = wire_name(server, &prompt.name);
            let is_new = offers.prompts.iter().all(|known| known.called != called);
            let prompt = prompt.called(called);
            bytes += prompt.bytes();
            if is_new && bytes <= MCP_OFFERS_BYTES {
                offers.prompts.push(prompt);
            }
        }
        for resource in resources {
            let long = resource.uri.len() > MCP_URI_BYTES || resource.name.len() > MCP_OFFER_BYTES;
            if long || resource.uri.is_empty() || hides(&resource.uri) {
                continue;
            }
            let resource = resource.shown();
            bytes += resource.uri.len() + resource.name.len() + resource.description.len();
            if bytes <= MCP_OFFERS_BYTES && offers.resources.len() < MCP_RESOURCES {
                offers.resources.push(resource);
            }
        }
        offers
    }

    /// The prompt that a person calls so.
    pub fn called(&self, called: &str) -> Option<&ServerPrompt> {
        self.prompts.iter().find(|prompt| prompt.called == called)
    }
}

impl ListedPrompt {
    fn called(self, called: String) -> ServerPrompt {
        let told =
            |one: PromptArgument| PromptArgument { description: short(&one.description), ..one };
        ServerPrompt {
            name: self.name,
            called,
            title: self.title.as_deref().map(short),
            description: self.description.as_deref().map(short).unwrap_or_default(),
            arguments: self.arguments.into_iter().map(told).collect(),
        }
    }
}

impl ServerResource {
    fn shown(self) -> Self {
        Self {
            name: visible(&self.name),
            description: short(&self.description),
            mime_type: self.mime_type.as_deref().map(|kind| visible_line(&short(kind))),
            ..self
        }
    }
}

/// What of a message calls a prompt of a server, and the words that come with it.
pub fn prompt_call(text: &str) -> Option<(&str, &str)> {
    let call = text.trim().strip_prefix('/')?;
    let end = call.find(char::is_whitespace).unwrap_or(call.len());
    let (called, words) = call.split_at(end);
    is_server_tool(called).then(|| (called, words.trim()))
}

/// What a prompt is told by the words that come with it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PromptWords {
    /// Its arguments by name.
    pub arguments: BTreeMap<String, String>,
    /// Words for the model, where the prompt has no arguments.
    pub more: String,
}

impl ServerPrompt {
    /// Bytes of all that the server says of it.
    fn bytes(&self) -> usize {
        let told = self.arguments.iter().map(|one| one.name.len() + one.description.len());
        let title = self.title.as_ref().map_or(0, String::len);
        self.name.len() + title + self.description.len() + told.sum::<usize>()
    }

    /// Reads `name=value`, with `"` round a value of several words; words without a name are the
    /// arguments in their order. To a prompt with a single argument all words are that one.
    ///
    /// # Errors
    /// How it is called, for people, when something is missing or too much.
    pub fn told(&self, words: &str) -> Result<PromptWords, Phrase> {
        if self.arguments.is_empty() {
            return Ok(PromptWords { more: words.to_owned(), ..PromptWords::default() });
        }
        let named = |word: &str| {
            let (name, value) = word.split_once('=')?;
            let known = self.arguments.iter().any(|one| one.name == name);
            known.then(|| (name.to_owned(), value.to_owned()))
        };
        let mut arguments = BTreeMap::new();
        let mut rest = Vec::new();
        if let [only] = self.arguments.as_slice() {
            let value = words.strip_prefix(&format!("{}=", only.name)).map_or(words, unquoted);
            rest.extend(Some(value.to_owned()).filter(|value| !value.is_empty()));
        } else {
            for word in split(words) {
                match named(&word) {
                    Some((name, value)) => _ = arguments.insert(name, value),
                    None => rest.push(word),
                }
            }
        }
        let mut rest = rest.into_iter();
        for argument in &self.arguments {
            if !arguments.contains_key(&argument.name)
                && let Some(value) = rest.next()
            {
                arguments.insert(argument.name.clone(), value);
            }
        }
        let missing =
            self.arguments.iter().any(|it| it.required && !arguments.contains_key(&it.name));
        if missing || rest.next().is_some() {
            return Err(said::prompt_usage(self.usage()));
        }
        Ok(PromptWords { arguments, more: String::new() })
    }

    /// How it is called.
    pub fn usage(&self) -> String {
        let told = self.arguments.iter().map(|PromptArgument { name, required, .. }| {
            if *required { format!(" {name}=…") } else { format!(" [{name}=…]") }
        });
        format!("/{}{}", self.called, told.collect::<String>())
    }
}

/// A value without the quotes round it.
fn unquoted(value: &str) -> &str {
    let quoted = |open, close| value.strip_prefix(open)?.strip_suffix(close);
    quoted('"', '"').or_else(|| quoted('“', '”')).unwrap_or(value)
}

/// Words between spaces; a space between `"` is one of a word.
fn split(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), None::<String>, false);
    for c in text.chars() {
        match c {
            '"' | '“' | '”' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

fn fits(name: &str) -> bool {
    let long = name.len() > MCP_TOOL_NAME_BYTES;
    !(long || name.trim().is_empty() || hides(name) || name.contains(char::is_control))
}

/// The name of an argument stands before a `=`.
fn fits_argument(name: &str) -> bool {
    fits(name) && !name.contains(|c: char| c.is_whitespace() || matches!(c, '=' | '"' | '“' | '”'))
}

fn short(text: &str) -> String {
    visible(prefix(text, MCP_OFFER_BYTES))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argument(name: &str, required: bool) -> PromptArgument {
        PromptArgument { name: name.to_owned(), description: String::new(), required }
    }

    fn listed(name: &str, arguments: &[PromptArgument]) -> ListedPrompt {
        let arguments = arguments.to_vec();
        ListedPrompt { name: name.to_owned(), title: None, description: None, arguments }
    }

    fn prompt(arguments: &[PromptArgument]) -> ServerPrompt {
        let server = ServerName::new("s").unwrap();
        ServerOffers::listed(&server, vec![listed("weather", arguments)], Vec::new())
            .prompts
            .remove(0)
    }

    fn told(prompt: &ServerPrompt, words: &str) -> Vec<(String, String)> {
        prompt.told(words).unwrap().arguments.into_iter().collect()
    }

    #[test]
    fn a_prompt_is_called_like_a_tool_behind_a_slash() {
        assert_eq!(prompt_call("/mcp__s__weather Paris \n"), Some(("mcp__s__weather", "Paris")));
        assert_eq!(prompt_call(" /mcp__s__weather"), Some(("mcp__s__weather", "")));
        for other in ["/menu", "mcp__s__weather", "say /mcp__s__weather", "/"] {
            assert_eq!(prompt_call(other), None, "{other}");
        }
    }

    #[test]
    fn words_are_arguments_by_name_or_in_their_order() {
        let both = prompt(&[argument("city", true), argument("state", false)]);
        let pair = |city: &str, state: &str| {
            vec![("city".to_owned(), city.to_owned()), ("state".to_owned(), state.to_owned())]
        };
        assert_eq!(told(&both, "city=Albany state=\"New York\""), pair("Albany", "New York"));
        assert_eq!(told(&both, "state=“New York” Albany"), pair("Albany", "New York"));
        assert_eq!(told(&both, "\"San José\" x=1"), pair("San José", "x=1"));
        assert_eq!(told(&both, "Albany").len(), 1);
        assert_eq!(both.usage(), "/mcp__s__weather city=… [state=…]");
        for words in ["", "state=NY", "a b c"] {
            assert!(both.told(words).unwrap_err().english().contains("city=…"), "{words}");
        }
    }

    #[test]
    fn all_words_are_the_only_argument() {
        let one = prompt(&[argument("text", true)]);
        assert_eq!(told(&one, "it's \"so\" a=b")[0].1, "it's \"so\" a=b");
        assert_eq!(told(&one, "text=\"by name\"")[0].1, "by name");
        assert_eq!(told(&one, "text=hello world")[0].1, "hello world");
        assert!(one.told("").is_err());
        assert_eq!(told(&prompt(&[argument("text", false)]), ""), []);
    }

    #[test]
    fn words_for_a_prompt_without_arguments_are_for_the_model() {
        assert_eq!(prompt(&[]).told("and be kind").unwrap().more, "and be kind");
    }

    #[test]
    fn what_is_listed_is_bounded_and_the_rest_left_out() {
        let server = ServerName::new("s").unwrap();
        let mut prompts: Vec<_> =
            (0..=MCP_PROMPTS).map(|at| listed(&format!("p{at}"), &[])).collect();
        prompts.splice(
            0..0,
            [
                listed("", &[]),
                listed("a\u{202e}b", &[]),
                listed("a\nb", &[]),
                listed("p0", &[]),
                listed("x", &[argument("a=b", true)]),
                listed(&"n".repeat(MCP_TOOL_NAME_BYTES + 1), &[]),
            ],
        );
        let resource = |uri: String| ServerResource {
            uri,
            name: "n\u{200b}".to_owned(),
            description: "d".repeat(MCP_OFFER_BYTES + 1),
            mime_type: None,
        };
        let mut resources: Vec<_> =
            (0..=MCP_RESOURCES).map(|at| resource(format!("a://{at}"))).collect();
        resources.insert(0, resource("x".repeat(MCP_URI_BYTES + 1)));
        let offers = ServerOffers::listed(&server, prompts, resources);
        assert_eq!((offers.prompts.len(), offers.resources.len()), (MCP_PROMPTS, MCP_RESOURCES));
        assert_eq!(offers.prompts.iter().filter(|it| it.name == "p0").count(), 1);
        let first = &offers.resources[0];
        assert!(!first.name.contains('\u{200b}') && first.description.len() <= MCP_OFFER_BYTES);
    }
}
