//! Printing: JSON for programs, words for people.

use kernel::code::Failure;
use kernel::event::{Event, Line};
use kernel::ids::ConversationId;
use kernel::words::{Lang, words};
use serde::Serialize;
use serde_json::{Value, json};
use std::io::{IsTerminal, Write};

use crate::args::{Global, Language};

/// Where and how to print.
pub(crate) struct Output {
    pub(crate) json: bool,
    pub(crate) lang: Lang,
    color: bool,
}

impl Output {
    pub(crate) fn new(global: &Global) -> Self {
        let color = !global.no_color
            && std::env::var_os("NO_COLOR").is_none()
            && std::io::stdout().is_terminal();
        let lang = if global.lang == Language::Zh { Lang::Zh } else { Lang::En };
        Self { json: global.json, lang, color }
    }

    /// The result of a command: the document with `--json`, else the words.
    pub(crate) fn result(&self, document: &impl Serialize, words: impl FnOnce() -> String) {
        if self.json {
            print_line(&serde_json::to_string(document).unwrap_or_default());
        } else {
            print_line(&words());
        }
    }

    /// A note on stderr, for people.
    pub(crate) fn note(&self, en: &str, zh: &str) {
        eprintln!("{}", if self.lang == Lang::Zh { zh } else { en });
    }

    /// A failure: one document on stdout with `--json`, words on stderr otherwise.
    pub(crate) fn failure(&self, failure: &Failure) {
        if self.json {
            print_line(&error_document(failure, self.lang).to_string());
            return;
        }
        let said = words(failure.code, self.lang);
        eprintln!("{}: {}", self.paint("31;1", failure.code.as_str()), said.title);
        eprintln!("  {}", failure.message);
        for finding in
            failure.details.iter().filter_map(|d| d.get("findings")?.as_array()).flatten()
        {
            let text =
                |key: &str| finding.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            eprintln!(
                "  - {} {} {}: {}",
                text("severity"),
                text("file"),
                text("instancePath"),
                text("message")
            );
        }
        eprintln!("  → {}", failure.action.as_deref().unwrap_or(said.action));
    }

    /// The events of a line, one JSON a line, or what a person wants to see of them.
    pub(crate) fn line(&self, conversation: &ConversationId, line: &Line) {
        let run = conversation.as_str().strip_prefix("run-").unwrap_or(conversation.as_str());
        for (seq, event) in line.numbered() {
            if self.json {
                let tagged = serde_json::to_value(event).unwrap_or_default();
                print_line(
                    &json!({
                        "seq": seq, "at": line.at, "turn": line.turn, "runId": run,
                        "conversationId": conversation, "event": event.name(), "data": tagged["data"],
                    })
                    .to_string(),
                );
            } else {
                self.event(event);
            }
        }
    }

    fn event(&self, event: &Event) {
        match event {
            Event::ModelReplied(e) if !e.reply.text.trim().is_empty() => {
                print_line(e.reply.text.trim_end());
            }
            Event::CallEnded(e) => {
                let outcome = if e.ok {
                    self.paint("32", "ok")
                } else {
                    self.paint("33", code_of(&e.result))
                };
                let path = e.result.get("path").and_then(Value::as_str).unwrap_or_default();
                print_line(&self.paint("2", &format!("  · {} {path} {outcome}", e.tool)));
            }
            Event::WidgetAsked(e) => {
                print_line(&format!("{} {}", self.paint("36;1", "?"), e.widget.message));
            }
            Event::ModelFailed(e) => self.failure(&e.failure),
            Event::UserSaid(e) => print_line(&self.paint("36", &format!("> {}", e.text))),
            Event::WidgetAnswered(e) => print_line(&self.paint("36", &format!("> {}", e.value))),
            _ => {}
        }
    }

    fn paint(&self, code: &str, text: &str) -> String {
        if self.color { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

fn code_of(result: &Value) -> &str {
    result.pointer("/error/code").and_then(Value::as_str).unwrap_or("failed")
}

/// `{error:{code,message,details?,action?}}` (spec 11), words in the chosen language.
pub(crate) fn error_document(failure: &Failure, lang: Lang) -> Value {
    let said = words(failure.code, lang);
    let (message, action) = match lang {
        Lang::En => {
            (failure.message.clone(), failure.action.as_deref().unwrap_or(said.action).to_owned())
        }
        Lang::Zh => (format!("{}({})", said.title, failure.message), said.action.to_owned()),
    };
    let mut error = json!({ "code": failure.code, "message": message, "action": action });
    if let Some(details) = &failure.details {
        error["details"] = details.clone();
    }
    json!({ "error": error })
}

/// A closed pipe ends the output, not the program.
fn print_line(text: &str) {
    let mut out = std::io::stdout().lock();
    _ = writeln!(out, "{text}");
    _ = out.flush();
}
