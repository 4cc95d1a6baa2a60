//! Takes the key out of what a server answers, before anybody keeps it: a server, or a model that
//! was shown its own request, may repeat the key it was sent.

use kernel::chat::Reply;
use kernel::effect::Signal;
use kernel::ids::CallId;

use super::receive::Sink;
use crate::keys::SHORTEST_KEY;
use crate::keys::{
    self,
    spelt::{self, HIDDEN},
};

/// What one endpoint must not be heard to say.
#[derive(Default)]
pub(super) struct Scrub<'a> {
    secrets: Vec<&'a str>,
    text: String,
    thinking: String,
}

impl<'a> Scrub<'a> {
    /// Hides these texts, of which the short ones stay.
    pub(super) fn new(secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let secrets = secrets.into_iter().filter(|secret| secret.len() >= SHORTEST_KEY).collect();
        Self { secrets, ..Self::default() }
    }

    /// Hands a piece on. An end that may be the beginning of a secret waits for the next piece.
    pub(super) fn pass(&mut self, signal: Signal, sink: Sink<'_>) {
        match signal {
            Signal::Text(more) => Self::grow(&self.secrets, &mut self.text, &more)
                .into_iter()
                .for_each(|text| sink(Signal::Text(text))),
            Signal::Thinking(more) => Self::grow(&self.secrets, &mut self.thinking, &more)
                .into_iter()
                .for_each(|text| sink(Signal::Thinking(text))),
            other @ Signal::Retrying { .. } => sink(other),
        }
    }

    /// Hands on what waited: the answer is whole.
    pub(super) fn end(self, sink: Sink<'_>) {
        if !self.thinking.is_empty() {
            sink(Signal::Thinking(self.thinking));
        }
        if !self.text.is_empty() {
            sink(Signal::Text(self.text));
        }
    }

    fn grow(secrets: &[&str], held: &mut String, more: &str) -> Option<String> {
        held.push_str(more);
        *held = hidden(secrets, held);
        let waits = spelt::begun(secrets, held);
        let rest = held.split_off(held.len() - waits);
        let ready = std::mem::replace(held, rest);
        (!ready.is_empty()).then_some(ready)
    }

    /// The whole answer without them.
    pub(super) fn reply(&self, mut reply: Reply) -> Reply {
        if self.secrets.is_empty() {
            return reply;
        }
        // What a call holds may be written to a file: no word of it is taken.
        let no_words = self.secrets.iter().copied().filter(|secret| !keys::is_a_word(secret));
        let no_words: Vec<&str> = no_words.collect();
        let hidden = |text: &str| hidden(&self.secrets, text);
        reply.text = hidden(&reply.text);
        reply.thinking = reply.thinking.as_deref().map(hidden);
        reply.model = reply.model.as_deref().map(hidden);
        for call in &mut reply.calls {
            call.id = CallId::new(&hidden(call.id.as_str()));
            call.name = hidden(&call.name);
            call.arguments = self::hidden(&no_words, &call.arguments);
        }
        reply
    }
}

fn hidden(secrets: &[&str], text: &str) -> String {
    secrets.iter().fold(spelt::without(secrets, text).into_owned(), |text, secret| {
        // One that holds backslashes, as it stands inside the JSON of a call's arguments.
        let inside = serde_json::Value::from(*secret).to_string();
        let inside = inside.trim_matches('"');
        if inside != *secret && text.contains(inside) { text.replace(inside, HIDDEN) } else { text }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::chat::ToolCall;

    const KEY: &str = "sk-sk-0123456789";

    fn through(pieces: &[&str]) -> String {
        let mut scrub = Scrub::new([KEY]);
        let mut out = String::new();
        let mut sink = |signal| match signal {
            Signal::Text(more) => out.push_str(&more),
            other => panic!("{other:?}"),
        };
        for piece in pieces {
            scrub.pass(Signal::Text((*piece).to_owned()), &mut sink);
        }
        scrub.end(&mut sink);
        out
    }

    #[test]
    fn a_key_split_over_pieces_in_any_way_is_hidden() {
        let text = format!("é sk-{KEY}. And {KEY}{KEY}!");
        for first in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
            for second in (first..=text.len()).filter(|at| text.is_char_boundary(*at)) {
                let pieces = [&text[..first], &text[first..second], &text[second..]];
                assert_eq!(through(&pieces), "é sk-[key]. And [key][key]!", "{pieces:?}");
            }
        }
        let letters: Vec<String> = text.chars().map(String::from).collect();
        let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
        assert_eq!(through(&letters), "é sk-[key]. And [key][key]!");
    }

    #[test]
    fn a_key_in_escapes_is_hidden_however_it_is_split() {
        let escaped: Vec<String> =
            KEY.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect();
        let escaped = escaped.concat();
        let text = format!("{{\"a\":\"{escaped}\"}}");
        for at in 0..=text.len() {
            assert_eq!(through(&[&text[..at], &text[at..]]), "{\"a\":\"[key]\"}", "{at}");
        }
        let id = CallId::new("c1");
        let call = ToolCall { id, name: "fs_write".into(), arguments: text };
        let reply = Reply { calls: vec![call], ..Reply::default() };
        let reply = Scrub::new([KEY]).reply(reply);
        assert_eq!(reply.calls[0].arguments, "{\"a\":\"[key]\"}");
    }

    #[test]
    fn what_only_begins_like_a_key_is_handed_on_at_the_end() {
        assert_eq!(through(&["a sk-", "sk-012", " b sk-sk"]), "a sk-sk-012 b sk-sk");
    }

    #[test]
    fn a_short_key_is_a_word() {
        let mut scrub = Scrub::new(["ollama"]);
        let mut out = Vec::new();
        scrub.pass(Signal::Text("use ollama".into()), &mut |signal| out.push(signal));
        assert_eq!(out, [Signal::Text("use ollama".into())]);
    }

    #[test]
    fn a_key_that_may_be_a_word_stays_in_what_a_call_writes() {
        for word in ["lm-studio", "sk-no-key-required", "dummy-key-1"] {
            let arguments = format!(r#"{{"content":"{word}"}}"#);
            let (id, name) = (CallId::new("c"), "fs_write".to_owned());
            let calls = vec![ToolCall { id, name, arguments: arguments.clone() }];
            let said = Reply { text: word.to_owned(), calls, ..Reply::default() };
            let reply = Scrub::new([word, KEY]).reply(said);
            assert_eq!((reply.text.as_str(), &reply.calls[0].arguments), ("[key]", &arguments));
        }
    }

    #[test]
    fn no_part_of_an_answer_keeps_the_key() {
        let said = format!("x{KEY}x");
        let call = ToolCall {
            id: CallId::new(&said),
            name: said.clone(),
            arguments: format!(r#"{{"content":"{said}"}}"#),
        };
        let reply = Reply {
            text: said.clone(),
            thinking: Some(said.clone()),
            calls: vec![call],
            model: Some(said),
            ..Reply::default()
        };
        let reply = Scrub::new([KEY]).reply(reply);
        assert!(!format!("{reply:?}").contains("0123456789"), "{reply:?}");
    }
}
