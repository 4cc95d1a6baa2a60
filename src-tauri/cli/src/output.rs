//! Printing: JSON for programs, words for people.

use kernel::code::Failure;
use kernel::event::{Event, Line, Reason, TurnFinished};
use kernel::ids::ConversationId;
use kernel::restore;
use kernel::widget::Widget;
use kernel::words::{Lang, words};
use serde::Serialize;
use serde_json::{Value, json};
use std::io::{IsTerminal, Write};

use crate::args::{Global, Language};
use crate::follow::run_of;

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
        } else {
            self.failure_in_words(failure);
        }
    }

    /// On stderr: what happened, what was found, what to do.
    pub(crate) fn failure_in_words(&self, failure: &Failure) {
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
        let own = failure.action.as_deref().filter(|_| self.lang == Lang::En);
        eprintln!("  → {}", own.unwrap_or(said.action));
    }

    /// The events of a line, one JSON a line, or what a person wants to see of them.
    pub(crate) fn line(&self, conversation: &ConversationId, line: &Line) {
        let run = run_of(conversation);
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
            if let Event::TurnFinished(e) = event {
                self.end_of_turn(e);
            }
        }
    }

    /// Why the turn ended, when it is not what the person wanted. Also beside `--json`: stderr is
    /// for people.
    fn end_of_turn(&self, finished: &TurnFinished) {
        match (&finished.failure, finished.reason) {
            (Some(failure), Reason::Failed | Reason::Limit) => self.failure_in_words(failure),
            (_, Reason::Stopped) => self.note(
                "Stopped. Nothing was lost; `crewagent runs resume` goes on.",
                "已停止。内容都还在；用 crewagent runs resume 继续。",
            ),
            _ => {}
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
                for choice in choices(&e.widget) {
                    print_line(&choice);
                }
            }
            Event::ChangeProposed(e) => {
                print_line(&format!("  {} {}", self.paint("33", "±"), e.summary));
                let restore = e.restore.as_deref().cloned().unwrap_or_default();
                let files = restore::lines(&restore.files, &restore.conflicts);
                let diff = e.diff.lines().map(str::to_owned);
                files.into_iter().chain(diff).for_each(|line| print_line(&format!("    {line}")));
            }
            Event::UserSaid(e) => print_line(&self.paint("36", &format!("> {}", e.text))),
            Event::WidgetAnswered(e) => print_line(&self.paint("36", &format!("> {}", e.value))),
            _ => {}
        }
    }

    /// With a terminal's colour, when there are colours.
    pub(crate) fn paint(&self, code: &str, text: &str) -> String {
        if self.color { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

fn code_of(result: &Value) -> &str {
    result.pointer("/error/code").and_then(Value::as_str).unwrap_or("failed")
}

/// What may be chosen, one a line: the question is whole in the output (exit code 3).
pub(crate) fn choices(widget: &Widget) -> Vec<String> {
    let options = widget.options.iter().flatten().map(|o| (&o.value, &o.label));
    let actions = widget.actions.iter().flatten().map(|a| (&a.id, &a.label));
    let items = widget.items.iter().flatten().map(|i| (&i.id, &i.content));
    let mut lines: Vec<String> = options
        .chain(actions)
        .chain(items)
        .map(|(id, label)| format!("  [{id}] {label}"))
        .collect();
    if let Some(grant) = &widget.grant {
        let (tool, folder) = (&grant.tool, &grant.folder);
        lines.push("  [y] this once, exactly as shown".to_owned());
        lines.push(format!(
            "  [folder] every {tool} on files in {folder}, until this run or program ends"
        ));
        lines.push("  [n] no".to_owned());
    }
    lines
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
    // In one piece: who is killed while printing leaves no half line.
    _ = out.write_all(format!("{text}\n").as_bytes());
    _ = out.flush();
}
