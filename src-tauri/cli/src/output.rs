//! Printing: JSON for programs, words for people.

use kernel::code::{ErrorCode, Failure};
use kernel::event::{Event, Line, Reason, TurnFinished};
use kernel::ids::ConversationId;
use kernel::phrase::{Phrase, changes};
use kernel::restore;
use kernel::snapshot::change_view;
use kernel::widget::{STATE_CHANGE_CONFIRM, TOOL_APPROVAL, Widget, WidgetKind};
use kernel::wire::ChangeView;
use kernel::words::{Lang, say, words};
use serde::Serialize;
use serde_json::{Value, json};
use std::io::IsTerminal;

use crate::args::{Global, Language};
use crate::follow::run_of;
use crate::print;

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
            print::line(&serde_json::to_string(document).unwrap_or_default());
        } else {
            print::line(&words());
        }
    }

    /// One of two wordings, in the chosen language.
    pub(crate) fn say<'w>(&self, en: &'w str, zh: &'w str) -> &'w str {
        if self.lang == Lang::Zh { zh } else { en }
    }

    /// A note on stderr, for people.
    pub(crate) fn note(&self, en: &str, zh: &str) {
        print::note(self.say(en, zh));
    }

    /// A failure: one document on stdout with `--json`, words on stderr otherwise.
    pub(crate) fn failure(&self, failure: &Failure) {
        if self.json {
            print::line(&error_document(failure, self.lang).to_string());
        } else {
            self.failure_in_words(failure);
        }
    }

    /// On stderr: what happened, what was found, what to do.
    pub(crate) fn failure_in_words(&self, failure: &Failure) {
        let said = words(failure.code, self.lang);
        print::note(&format!("{}: {}", self.paint("31;1", failure.code.as_str()), said.title));
        print::note(&format!("  {}", failure.message_in(self.lang)));
        for finding in
            failure.details.iter().filter_map(|d| d.get("findings")?.as_array()).flatten()
        {
            let text =
                |key: &str| finding.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            let (severity, file) = (text("severity"), text("file"));
            let (at, what) = (text("instancePath"), text("message"));
            print::note(&format!("  - {severity} {file} {at}: {what}"));
        }
        print::note(&format!("  → {}", way_out(failure, self.lang)));
    }

    /// The events of a line, one JSON a line, or what a person wants to see of them.
    pub(crate) fn line(&self, conversation: &ConversationId, line: &Line) {
        let run = run_of(conversation);
        for (seq, event) in line.numbered() {
            if self.json {
                let tagged = serde_json::to_value(event).unwrap_or_default();
                print::line(
                    &json!({
                        "seq": seq, "at": line.at, "turn": line.turn, "runId": run,
                        "conversationId": conversation, "event": event.name(), "data": tagged["data"],
                    })
                    .to_string(),
                );
            } else {
                self.event(event, line);
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

    fn event(&self, event: &Event, line: &Line) {
        match event {
            Event::ModelReplied(e) if !e.reply.text.trim().is_empty() => {
                print::line(e.reply.text.trim_end());
            }
            Event::CallEnded(e) => {
                let outcome = if e.ok {
                    self.paint("32", "ok")
                } else {
                    self.paint("33", code_of(&e.result))
                };
                let path = e.result.get("path").and_then(Value::as_str).unwrap_or_default();
                print::line(&self.paint("2", &format!("  · {} {path} {outcome}", e.tool)));
            }
            Event::WidgetAsked(e) => {
                let change = line.events.iter().find_map(|event| match event {
                    Event::ChangeProposed(change) => Some(change_view(change)),
                    _ => None,
                });
                let asked = question(&e.widget, change.as_ref(), self.lang);
                print::line(&format!("{} {asked}", self.paint("36;1", "?")));
                if e.change_id.is_none()
                    && let Some(caution) = cautions(&e.widget, None, self)
                {
                    print::line(&caution);
                }
                for choice in choices(&e.widget, self.lang) {
                    print::line(&choice);
                }
            }
            Event::ChangeProposed(e) => {
                let does = does(&e.parts, &e.summary, self.lang);
                print::line(&format!("  {} {does}", self.paint("33", "±")));
                if e.undoes_completion {
                    print::line(&format!("  ! {}", undone(self)));
                }
                let restore = e.restore.as_deref().cloned().unwrap_or_default();
                let files = restore::lines(&restore.files, &restore.conflicts);
                let diff = e.diff.lines().map(str::to_owned);
                files.into_iter().chain(diff).for_each(|line| print::line(&format!("    {line}")));
            }
            Event::UserSaid(e) => print::line(&self.paint("36", &format!("> {}", e.text))),
            Event::WidgetAnswered(e) => print::line(&self.paint("36", &format!("> {}", e.value))),
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

/// What a change does; journals of older versions have it in English only.
pub(crate) fn does(parts: &[Phrase], summary: &str, lang: Lang) -> String {
    if parts.is_empty() { summary.to_owned() } else { say(parts, lang) }
}

/// What is asked: the runtime's own question in the reader's language, the model's as it is.
pub(crate) fn question(widget: &Widget, change: Option<&ChangeView>, lang: Lang) -> String {
    match change.filter(|change| widget.widget_id == TOOL_APPROVAL && change.call_id.is_some()) {
        Some(ChangeView { tool, path, .. }) => say(&[changes::allow_change(tool, path)], lang),
        None => widget.message.clone(),
    }
}

/// What a confirmation of the state means beyond its words: that the change is not known, or that
/// it takes the completion back.
pub(crate) fn cautions(
    widget: &Widget,
    change: Option<&ChangeView>,
    out: &Output,
) -> Option<String> {
    let caution = match change {
        None if widget.widget_id == STATE_CHANGE_CONFIRM => {
            let en = "the exact change is not known yet; say yes only if you trust the request";
            out.say(en, "还不知道具体修改；仅在信任这个请求时确认")
        }
        Some(change) if change.undoes_completion => undone(out),
        _ => return None,
    };
    Some(format!("  ! {caution}"))
}

fn undone(out: &Output) -> &'static str {
    out.say("this takes the completion of the run back", "这会撤回运行的完成状态")
}

/// What may be chosen, one a line: the question is whole in the output (exit code 3).
pub(crate) fn choices(widget: &Widget, lang: Lang) -> Vec<String> {
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
        lines.extend(match lang {
            Lang::En => [
                "  [y] this once, exactly as shown".to_owned(),
                format!(
                    "  [folder] every {tool} on files in {folder}, until this run or program ends"
                ),
                "  [n] no".to_owned(),
            ],
            Lang::Zh => [
                "  [y] 仅这一次，与所示完全一致".to_owned(),
                format!("  [folder] 对 {folder} 中的文件都允许 {tool}，直到运行或程序结束"),
                "  [n] 不允许".to_owned(),
            ],
        });
    } else if widget.kind == WidgetKind::Confirmation {
        lines.push(match lang {
            Lang::En => "  [y] yes   [n] no".to_owned(),
            Lang::Zh => "  [y] 确认   [n] 取消".to_owned(),
        });
    }
    lines
}

/// What to do, here at a terminal.
fn way_out(failure: &Failure, lang: Lang) -> String {
    match (failure.code, lang) {
        (ErrorCode::StoreTooNew, Lang::En) => {
            "Update crewagent, or name another store with --store DIR or CREWAGENT_STORE.".into()
        }
        (ErrorCode::StoreTooNew, Lang::Zh) => {
            "请升级 crewagent，或用 --store 目录（或环境变量 CREWAGENT_STORE）指定另一个数据目录。"
                .into()
        }
        _ => failure.action_in(lang).unwrap_or_else(|| words(failure.code, lang).action.to_owned()),
    }
}

/// `{error:{code,message,details?,action?}}` (spec 11), words in the chosen language.
pub(crate) fn error_document(failure: &Failure, lang: Lang) -> Value {
    let message = match lang {
        Lang::En => failure.message.clone(),
        Lang::Zh => {
            format!("{}（{}）", words(failure.code, lang).title, failure.message_in(lang))
        }
    };
    let action = way_out(failure, lang);
    let mut error = json!({ "code": failure.code, "message": message, "action": action });
    if let Some(details) = &failure.details {
        error["details"] = details.clone();
    }
    json!({ "error": error })
}
