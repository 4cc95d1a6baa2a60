//! Asking at a terminal, until it is answered right or left with Ctrl-D (spec 11). Nobody types
//! JSON here.

pub(crate) mod choice;
pub(crate) mod form;
mod person;

use kernel::engine::SHOWN_AT_LEAST_MS;
use kernel::phrase::asking;
use kernel::widget::{
    DECLINED, FOR_FOLDER, INSTEAD, UNSEEN, WHOLE, Widget, WidgetKind, check_value,
};
use kernel::words::Lang;
use serde_json::{Map, Value, json};
use std::time::Duration;

pub(crate) use person::{Ask, AtTerminal};

/// Drops what was typed before the question stood there: it is no answer to it.
pub(crate) fn drop_typed_ahead() {
    #[cfg(unix)]
    {
        use rustix::termios::{QueueSelector, tcflush};
        _ = tcflush(std::io::stdin(), QueueSelector::IFlush);
    }
}

/// Before a question that authorises something: it stands there long enough to be read, and what
/// was typed by then was meant for another one. Blocks.
pub(crate) fn let_be_read() {
    std::thread::sleep(Duration::from_millis(SHOWN_AT_LEAST_MS));
    drop_typed_ahead();
}

/// Yes or no, asked at the terminal until it is one of them; leaving means no. Blocks.
pub(crate) fn agrees(lang: Lang) -> bool {
    let_be_read();
    Ask::new(&mut AtTerminal, lang).yes("(y/n) > ").unwrap_or(false)
}

/// What is asked about a change that is not shown whole.
pub(crate) struct CutChange<'a> {
    /// Whether there is more to show.
    pub(crate) can_be_opened: bool,
    /// What names it, when all of it was shown.
    pub(crate) opened: Option<&'a str>,
}

/// What is answered to such a question.
#[derive(Debug, PartialEq)]
pub(crate) enum OfCut {
    /// All of it is to be shown.
    Open,
    /// The person answered with this value.
    Answer(Value),
}

/// What means yes.
const YES: [&str; 5] = ["y", "yes", "是", "好", "确认"];

/// What means no.
const NO: [&str; 6] = ["n", "no", "否", "不", "取消", "不允许"];

/// Whether a line is one of these words, in any case.
fn is_one_of(line: &str, words: &[&str]) -> bool {
    words.contains(&line.trim().to_lowercase().as_str())
}

/// A yes, and nothing else.
pub(crate) fn is_yes(line: &str) -> bool {
    is_one_of(line, &YES)
}

/// A no to a confirmation, and behind a comma what the person wants instead: `n, not in docs`.
/// `None` when it is none.
pub(crate) fn no(line: &str) -> Option<Value> {
    let (word, rest) = line.split_once([',', '，', ':', '：']).unwrap_or((line, ""));
    let words = rest.trim();
    let value = match words {
        "" => json!({ "confirmed": false }),
        _ => json!({ "confirmed": false, INSTEAD: words }),
    };
    is_one_of(word, &NO).then_some(value)
}

impl Ask<'_> {
    /// Words for the model; `None` when the person leaves.
    pub(crate) fn words(&mut self) -> Option<String> {
        loop {
            let line = self.person.answer("> ")?;
            if !line.is_empty() {
                return Some(line);
            }
            self.told(asking::write_something_or_leave());
        }
    }

    /// A value that fits the widget; `None` when the person leaves.
    pub(crate) fn value(&mut self, widget: &Widget) -> Option<Value> {
        loop {
            let value = match widget.kind {
                WidgetKind::Form if widget.is_of_server() => self.server_form(widget)?,
                WidgetKind::Form => form::ask(self, widget)?,
                WidgetKind::Selection => choice::selection(self, widget)?,
                WidgetKind::ActionSelection => choice::action(self, widget)?,
                WidgetKind::Confirmation if widget.grant.is_some() => self.approval()?,
                WidgetKind::Confirmation => self.confirmation()?,
                WidgetKind::PlanReview => self.plan()?,
                WidgetKind::Feedback => self.feedback(widget)?,
            };
            match check_value(widget, value) {
                Ok(value) => return Some(value),
                Err(failure) => self.person.told(&failure.message_in(self.lang)),
            }
        }
    }

    /// What a server asks, or that the person will not say.
    fn server_form(&mut self, widget: &Widget) -> Option<Value> {
        self.told(asking::server_asks());
        if self.yes("(y/n) > ")? {
            form::ask(self, widget)
        } else {
            Some(json!({ DECLINED: true }))
        }
    }

    /// Yes or no; nothing else counts.
    fn yes(&mut self, prompt: &str) -> Option<bool> {
        loop {
            let line = self.person.answer(prompt)?;
            if is_yes(&line) || is_one_of(&line, &NO) {
                return Some(is_yes(&line));
            }
            self.told(asking::type_y_or_n());
        }
    }

    /// Yes, or no with what is wanted instead.
    fn confirmation(&mut self) -> Option<Value> {
        loop {
            let line = self.person.answer("(y/n) > ")?;
            if let Some(no) = no(&line) {
                return Some(no);
            }
            if is_yes(&line) {
                return Some(json!({ "confirmed": true }));
            }
            self.told(asking::type_y_or_n_and_why());
        }
    }

    fn approval(&mut self) -> Option<Value> {
        loop {
            let prompt = self.say(asking::approval_prompt());
            let line = self.person.answer(&prompt)?;
            if let Some(no) = no(&line) {
                return Some(no);
            }
            match line.to_lowercase().as_str() {
                yes if is_yes(yes) => return Some(json!({ "confirmed": true })),
                "once" | "1" => return Some(json!({ "confirmed": true })),
                "f" | "folder" | "2" | "文件夹" => {
                    return Some(json!({ "confirmed": true, FOR_FOLDER: true }));
                }
                "3" => return Some(json!({ "confirmed": false })),
                _ => self.told(asking::type_y_folder_or_n()),
            }
        }
    }

    /// A yes to what is not shown whole is not the key that is pressed every day, until all of it
    /// was opened.
    pub(crate) fn cut(&mut self, cut: &CutChange<'_>) -> Option<OfCut> {
        loop {
            let line = self.person.answer(&self.prompt_of(cut))?;
            if let Some(no) = no(&line) {
                return Some(OfCut::Answer(no));
            }
            let value = match line.to_lowercase().as_str() {
                "all" | "全部" if cut.can_be_opened => return Some(OfCut::Open),
                "unseen" => json!({ "confirmed": true, UNSEEN: true }),
                yes if cut.opened.is_some() && (is_yes(yes) || yes == "once") => {
                    json!({ "confirmed": true, WHOLE: cut.opened })
                }
                _ => {
                    self.told_of(cut);
                    continue;
                }
            };
            return Some(OfCut::Answer(value));
        }
    }

    fn prompt_of(&self, cut: &CutChange<'_>) -> String {
        self.say(match (cut.opened, cut.can_be_opened) {
            (Some(_), _) => asking::opened_prompt(),
            (None, true) => asking::cut_prompt(),
            (None, false) => asking::shut_prompt(),
        })
    }

    fn told_of(&mut self, cut: &CutChange<'_>) {
        self.told(match (cut.opened, cut.can_be_opened) {
            (Some(_), _) => asking::type_y_or_n(),
            (None, true) => asking::type_all_unseen_or_n(),
            (None, false) => asking::type_unseen_or_n(),
        });
    }

    fn plan(&mut self) -> Option<Value> {
        let prompt = self.say(asking::plan_prompt());
        loop {
            let line = self.person.answer(&prompt)?;
            let feedback = match line.to_lowercase().as_str() {
                "" => continue,
                "y" | "yes" | "approve" | "批准" | "是" | "好" | "同意" => {
                    return Some(json!({ "decision": "approve" }));
                }
                "n" | "no" | "否" | "不" => {
                    let prompt = self.say(asking::what_should_change());
                    self.person.answer(&prompt)?
                }
                _ => line,
            };
            if !feedback.is_empty() {
                return Some(json!({ "decision": "request_changes", "feedback": feedback }));
            }
        }
    }

    fn feedback(&mut self, widget: &Widget) -> Option<Value> {
        let mut comments = Map::new();
        for item in widget.items.iter().flatten() {
            let prompt = format!("  {} {} > ", item.content, self.say(asking::enter_for_none()));
            let comment = self.person.answer(&prompt)?;
            if !comment.is_empty() {
                comments.insert(item.id.clone(), Value::from(comment));
            }
        }
        Some(Value::Object(comments))
    }
}

#[cfg(test)]
mod tests;
