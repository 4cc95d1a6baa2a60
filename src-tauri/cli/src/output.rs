//! Printing: JSON for programs, words for people.

use kernel::chat::Reply;
use kernel::code::{ErrorCode, Failure};
use kernel::event::{CallEnded, Event, Line, Phase, Reason, TurnFinished, WidgetAsked};
use kernel::ids::ConversationId;
use kernel::package::Finding;
use kernel::path::AliasPath;
use kernel::phrase::{Phrase, printed};
use kernel::restore;
use kernel::snapshot::change_view;
use kernel::wire::{WaitingWidget, WholeChange};
use kernel::words::{Lang, say, words};
use serde::{Deserialize as _, Serialize};
use serde_json::{Value, json};
use std::io::IsTerminal;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::args::Global;
use crate::changes::outcome;
use crate::follow::run_of;
use crate::own_model;
use crate::packages::finding;
use crate::print::{self, Text, paint};
use crate::question;
use crate::screen::Screen;

/// Where and how to print.
pub(crate) struct Output {
    pub(crate) json: bool,
    pub(crate) lang: Lang,
    /// A person sits at the keyboard.
    typed_at: bool,
    screen: Mutex<Screen>,
}

impl Output {
    pub(crate) fn new(global: &Global) -> Self {
        let plain = global.no_color || std::env::var_os("NO_COLOR").is_some();
        let typed_at = !global.json && std::io::stdin().is_terminal();
        let screen = Mutex::new(Screen::new(global.json, plain));
        Self { json: global.json, lang: global.lang, typed_at, screen }
    }

    fn screen(&self) -> MutexGuard<'_, Screen> {
        self.screen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a person sits at the terminal to answer.
    pub(crate) fn is_answered_here(&self) -> bool {
        self.typed_at
    }

    /// Whether a person looks at a terminal.
    pub(crate) fn is_watched(&self) -> bool {
        self.screen().is_watched()
    }

    /// Says what goes on now; nothing with an empty text.
    pub(crate) fn pass(&self, text: &str) {
        self.screen().pass(text);
    }

    /// More of the reply being written.
    pub(crate) fn grow(&self, text: &str) {
        self.screen().grow(text);
    }

    /// The reply being written came to nothing.
    pub(crate) fn drop_reply(&self) {
        self.screen().drop_reply();
    }

    /// The next words are the person's own, typed here: nobody needs to read them again.
    pub(crate) fn was_typed(&self) {
        self.screen().typed = true;
    }

    /// Makes sure that the question that will be answered is what was printed last.
    pub(crate) fn ask_about(&self, waiting: &WaitingWidget) {
        let asked = Some(waiting.message_id.clone());
        self.screen().make_room();
        if self.screen().asked != asked {
            for line in question::waiting(waiting, self) {
                self.print(line);
            }
            self.screen().asked = asked;
        }
    }

    /// All of a change: a document of its own with `--json`. Others are heard between its pieces.
    pub(crate) async fn whole(&self, change: &WholeChange) {
        if self.json {
            return self.screen().document(&json!({ "wholeChange": change }).to_string());
        }
        let mut lines = question::opened(change, self).peekable();
        while lines.peek().is_some() {
            let piece: Vec<String> = lines.by_ref().take(1000).collect();
            self.screen().line(&print::rows(piece));
            tokio::task::yield_now().await;
        }
    }

    /// A line on stdout.
    fn print(&self, text: impl Into<Text>) {
        self.screen().line(&print::rows([text]));
    }

    /// Without colours: before the command line is known.
    pub(crate) fn plain(json: bool, lang: Lang) -> Self {
        let screen = Mutex::new(Screen::new(json, true));
        Self { json, lang, typed_at: false, screen }
    }

    /// The result of a command: the document with `--json`, else the words.
    pub(crate) fn result<T: Into<Text>>(
        &self,
        document: &impl Serialize,
        words: impl FnOnce() -> T,
    ) {
        if self.json {
            self.screen().document(&serde_json::to_string(document).unwrap_or_default());
        } else {
            self.screen().line(&words().into());
        }
    }

    /// A phrase in the chosen language.
    pub(crate) fn say(&self, phrase: Phrase) -> String {
        say(&[phrase], self.lang)
    }

    /// Words on stderr.
    pub(crate) fn told(&self, text: impl Into<Text>) {
        self.screen().note(&text.into());
    }

    /// A note on stderr, for people, on one line.
    pub(crate) fn note(&self, phrase: Phrase) {
        self.told(print::rows([self.say(phrase)]));
    }

    /// What is wrong while the command goes on, and what to do about it: a note on stderr.
    pub(crate) fn problem(&self, failure: &Failure) {
        let what = failure.message_in(self.lang);
        self.note(printed::problem(what.trim_end_matches('.'), way_out(failure, self.lang)));
    }

    /// A failure: one document on stdout with `--json`, words on stderr otherwise.
    pub(crate) fn failure(&self, failure: &Failure) {
        if self.json {
            self.screen().document(&error_document(failure, self.lang).to_string());
        } else {
            self.failure_in_words(failure);
        }
    }

    /// On stderr: what happened, what was found, what to do.
    pub(crate) fn failure_in_words(&self, failure: &Failure) {
        let said = words(failure.code, self.lang);
        self.told(paint("31;1", failure.code.as_str()).and(format!(": {}", said.title)));
        self.told(format!("  {}", failure.message_in(self.lang).replace('\n', "\n  ")));
        let findings = failure.details.iter().filter_map(|d| d.get("findings")?.as_array());
        for found in findings.flatten().filter_map(|f| Finding::deserialize(f).ok()) {
            self.told(print::rows([format!("  - {}", finding(&found, self.lang))]));
        }
        self.told(format!("  → {}", way_out(failure, self.lang)));
    }

    /// The events of a line, one JSON a line, or what a person wants to see of them.
    pub(crate) fn line(&self, conversation: &ConversationId, line: &Line) {
        let run = run_of(conversation);
        for (seq, event) in line.numbered() {
            if self.json {
                let tagged = serde_json::to_value(event).unwrap_or_default();
                self.screen().document(
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
                if e.failure.as_ref().is_some_and(|f| f.code == ErrorCode::DemoOver) {
                    own_model::offer(conversation, self);
                }
            }
        }
    }

    /// Why the turn ended, when it is not what the person wanted. Also beside `--json`: stderr is
    /// for people.
    fn end_of_turn(&self, finished: &TurnFinished) {
        match (&finished.failure, finished.reason) {
            (Some(failure), Reason::Failed | Reason::Limit) => self.failure_in_words(failure),
            (_, Reason::Stopped) => self.note(printed::run_stopped()),
            _ => {}
        }
    }

    fn event(&self, event: &Event, line: &Line) {
        match event {
            Event::ModelReplied(e) => self.replied(&e.reply),
            Event::ModelFailed(_) => self.drop_reply(),
            Event::CallEnded(e) => self.call(e),
            Event::WidgetAsked(e) => self.asked(e, line),
            Event::ChangeProposed(e) => {
                let does = does(&e.parts, &e.summary, self.lang);
                self.print(format!("  ± {does}"));
                if e.undoes_completion {
                    self.print(format!("  ! {}", self.say(question::undone())));
                }
                let restore = e.restore.as_deref().cloned().unwrap_or_default();
                let files = restore::lines(&restore.files, &restore.conflicts);
                let files = files.into_iter().map(|line| say(&[line], self.lang));
                let diff = e.diff.lines().map(str::to_owned);
                files.chain(diff).for_each(|line| self.print(format!("    {line}")));
            }
            // What a person edited in the state document does not hold.
            Event::StateRejected(e) => self.failure_in_words(&e.failure),
            Event::UserSaid(e) => self.said(&e.text),
            Event::WidgetAnswered(e) => self.said(&e.value.to_string()),
            _ => {}
        }
    }

    fn replied(&self, reply: &Reply) {
        let mut screen = self.screen();
        for call in &reply.calls {
            let arguments: Value = serde_json::from_str(&call.arguments).unwrap_or_default();
            let path = arguments.get("path").and_then(Value::as_str);
            if let Some(path) = path.and_then(|path| AliasPath::parse(path).ok()) {
                screen.paths.insert(call.id.clone(), path);
            }
        }
        screen.replied(&reply.text);
    }

    fn call(&self, ended: &CallEnded) {
        let known = self.screen().paths.remove(&ended.call_id).map(|path| path.to_string());
        let told = ended.result.get("path").and_then(Value::as_str).map(str::to_owned);
        let path = told.or(known).unwrap_or_default();
        let call = paint("2", format!("  · {} {path} ", ended.tool));
        self.print(call.and(outcome(ended, self)));
    }

    fn asked(&self, asked: &WidgetAsked, line: &Line) {
        let change = line.events.iter().find_map(|event| match event {
            Event::ChangeProposed(change) => Some(change_view(change)),
            _ => None,
        });
        let text = question::question(&asked.widget, change.as_ref(), self.lang);
        let mut lines = text.lines();
        let first = format!("? {}", lines.next().unwrap_or_default());
        self.print(paint("36;1", first));
        lines.for_each(|line| self.print(format!("  {line}")));
        // What a known change does was told with it.
        let cautions = match asked.change_id {
            None => question::cautions(&asked.widget, None, self),
            Some(_) => question::not_whole(&asked.widget, self).into_iter().collect(),
        };
        for caution in cautions {
            self.print(caution);
        }
        for choice in question::choices(&asked.widget, change.as_ref(), self) {
            self.print(choice);
        }
        self.screen().asked = Some(asked.message_id.clone());
    }

    /// The person's words, unless they stand there as they were typed.
    fn said(&self, text: &str) {
        let typed = std::mem::take(&mut self.screen().typed);
        if !typed {
            self.screen().line(&paint("36", format!("> {text}")));
        }
    }

    /// A phase of a run in one word, in English the one that `--json` has.
    pub(crate) fn phase(&self, phase: Phase) -> String {
        self.say(match phase {
            Phase::Idle => printed::phase_idle(),
            Phase::Running => printed::phase_running(),
            Phase::WaitingUser => printed::phase_waiting_user(),
            Phase::Completed => printed::phase_completed(),
            Phase::Failed => printed::phase_failed(),
        })
    }
}

/// What a change does; journals of older versions have it in English only.
pub(crate) fn does(parts: &[Phrase], summary: &str, lang: Lang) -> String {
    if parts.is_empty() { summary.to_owned() } else { say(parts, lang) }
}

/// What to do, here at a terminal.
fn way_out(failure: &Failure, lang: Lang) -> String {
    if failure.code == ErrorCode::StoreTooNew {
        return say(&[printed::update_or_name_store()], lang);
    }
    failure.action_in(lang).unwrap_or_else(|| words(failure.code, lang).action.to_owned())
}

/// `{error:{code,message,details?,action?}}` (spec 11), words in the chosen language.
pub(crate) fn error_document(failure: &Failure, lang: Lang) -> Value {
    let message = if lang == Lang::En {
        failure.message.clone()
    } else {
        let title = words(failure.code, lang).title;
        say(&[printed::title_and_case(title, failure.message_in(lang))], lang)
    };
    let action = way_out(failure, lang);
    let mut error = json!({ "code": failure.code, "message": message, "action": action });
    if let Some(details) = &failure.details {
        error["details"] = details.clone();
    }
    json!({ "error": error })
}
