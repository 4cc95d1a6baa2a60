//! A conversation as a person reads it: words whole, tools one line each, questions with their
//! answers. Knows cleaned JSON only.

use kernel::mention::FileGiven;
use kernel::phrase::{Lang, Phrase, exports, printed, say};
use kernel::settings::Language;
use kernel::tool::CallResult;
use kernel::widget::SUBMISSION;
use serde::Deserialize as _;
use serde_json::Value;
use std::fmt::Write as _;

/// Writes one message after the other; knows what it wrote last.
pub(super) struct Markdown {
    lang: Lang,
    turn: Option<u64>,
    /// The question above was written with its answer: the message that told it to the model is
    /// not written again.
    answered: bool,
    /// Whether the last thing written was a line of a list.
    in_list: bool,
}

/// What may be chosen: the list, what stands for a choice, and its words.
const CHOICES: [(&str, &str, &str); 3] =
    [("options", "value", "label"), ("actions", "id", "label"), ("items", "id", "content")];

fn text<'v>(value: &'v Value, field: &str) -> &'v str {
    value[field].as_str().unwrap_or_default()
}

impl Markdown {
    pub(super) fn new(language: Language) -> Self {
        Self { lang: language.lang(), turn: None, answered: false, in_list: false }
    }

    /// The file's own words.
    fn say(&self, phrase: Phrase) -> String {
        say(&[phrase], self.lang)
    }

    /// The title and where the conversation stands.
    pub(super) fn head(&self, conversation: &Value) -> String {
        let mut out = format!("# {}\n\n", text(conversation, "title"));
        for run in conversation["runs"].as_array().into_iter().flatten() {
            let (package, workflow) = (text(run, "packageId"), text(run, "workflowId"));
            let phase = match text(run, "phase") {
                "idle" => self.say(printed::phase_idle()),
                "running" => self.say(printed::phase_running()),
                "waiting-user" => self.say(printed::phase_waiting_user()),
                "completed" => self.say(printed::phase_completed()),
                "failed" => self.say(printed::phase_failed()),
                other => other.to_owned(),
            };
            let label = self.say(exports::exported_package());
            _ = writeln!(out, "- {label}: `{package}` · `{workflow}` · {phase}");
        }
        let (started, active) =
            (text(conversation, "createdAt"), text(conversation, "lastActiveAt"));
        _ = writeln!(out, "- {}: {started}", self.say(exports::exported_started()));
        _ = writeln!(out, "- {}: {active}", self.say(exports::exported_last_active()));
        let count = &conversation["messageCount"];
        _ = writeln!(out, "- {}: {count}", self.say(exports::exported_messages()));
        out
    }

    pub(super) fn message(&mut self, message: &Value) -> String {
        let content = text(message, "content");
        let mut out = String::new();
        match (text(message, "role"), text(message, "partType")) {
            ("user", _) if self.answered && content.starts_with(SUBMISSION) => {
                self.answered = false;
                self.files(&mut out, message);
            }
            ("user", _) => {
                self.turn = None;
                self.block(&mut out, &heading(&self.say(exports::exported_you()), message));
                self.block(&mut out, content);
                self.files(&mut out, message);
            }
            ("tool", _) => {
                self.turn_heading(&mut out, message);
                if !self.in_list {
                    out.push('\n');
                }
                out.push_str(&tool_line(message));
                self.in_list = true;
            }
            (_, "error") => {
                self.turn_heading(&mut out, message);
                let label = self.say(exports::exported_error());
                self.block(&mut out, &quoted(&format!("**{label}:** {content}")));
            }
            _ if message["widget"].is_object() => {
                self.turn_heading(&mut out, message);
                let question = self.question(&message["widget"]);
                self.block(&mut out, &quoted(&question));
            }
            _ => {
                self.turn_heading(&mut out, message);
                if !content.trim().is_empty() {
                    self.block(&mut out, content);
                }
            }
        }
        out
    }

    fn block(&mut self, out: &mut String, words: &str) {
        _ = write!(out, "\n{}\n", words.trim_end());
        self.in_list = false;
    }

    /// The files that went along with a person's words.
    fn files(&mut self, out: &mut String, message: &Value) {
        let files = Vec::<FileGiven>::deserialize(&message["files"]).unwrap_or_default();
        let lines: Vec<String> =
            files.iter().map(|file| format!("- @ {}", self.say(file.says()))).collect();
        if !lines.is_empty() {
            self.block(out, &lines.join("\n"));
        }
    }

    fn turn_heading(&mut self, out: &mut String, message: &Value) {
        let turn = message["turn"].as_u64().unwrap_or_default();
        if self.turn == Some(turn) {
            return;
        }
        self.turn = Some(turn);
        let label = self.say(exports::exported_turn());
        let name = format!("{label} {turn} · {}", self.say(exports::exported_assistant()));
        self.block(out, &heading(&name, message));
    }

    /// A question, what could be chosen, and the answer.
    fn question(&mut self, stored: &Value) -> String {
        let label = self.say(exports::exported_question());
        let mut out = format!("**{label}:** {}\n", text(stored, "message"));
        if let Some(plan) = stored["planContent"].as_str() {
            _ = write!(out, "\n{plan}\n");
        }
        for (list, id, label) in CHOICES {
            for choice in stored[list].as_array().into_iter().flatten() {
                _ = write!(out, "\n- `{}` {}", text(choice, id), text(choice, label));
            }
        }
        let answer = stored.get("submittedValue");
        self.answered = answer.is_some();
        let words = answer.map_or_else(|| self.say(exports::exported_not_answered()), in_words);
        _ = write!(out, "\n\n**{}:** {words}", self.say(exports::exported_answer()));
        out
    }
}

/// A value as words where it is only words.
fn in_words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) if items.iter().all(Value::is_string) => {
            items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
        }
        Value::Object(map) if map.values().all(|v| !v.is_object() && !v.is_array()) => {
            map.iter().map(|(k, v)| format!("{k}: {}", in_words(v))).collect::<Vec<_>>().join(", ")
        }
        other => format!("`{other}`"),
    }
}

fn heading(name: &str, message: &Value) -> String {
    format!("## {name} · {}", text(message, "createdAt"))
}

fn quoted(words: &str) -> String {
    let lines: Vec<String> = words.lines().map(|line| format!("> {line}")).collect();
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
}

/// `- \`fs.read\` @project/a.md · ok · 12 ms`
fn tool_line(message: &Value) -> String {
    let result: Value = serde_json::from_str(text(message, "content")).unwrap_or_default();
    let result = CallResult::of(&result);
    let mut line = format!("- `{}`", text(message, "toolName"));
    if let Some(path) = &result.path {
        _ = write!(line, " {path}");
    }
    _ = write!(line, " · {}", result.code().unwrap_or("ok"));
    if let Some(duration) = message["duration"].as_u64() {
        _ = write!(line, " · {duration} ms");
    }
    line.push('\n');
    line
}
