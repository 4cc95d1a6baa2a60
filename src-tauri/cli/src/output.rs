//! Printing: JSON for programs, words for people.

use kernel::code::Failure;
use kernel::package::Finding;
use kernel::phrase::{Phrase, printed};
use kernel::words::{Lang, say, words};
use serde::{Deserialize as _, Serialize};
use std::io::IsTerminal;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::failures::{error_document, finding, way_out};
use crate::print::{self, StyledText, paint};
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
    /// Words have colours where they are looked at, unless `no_color`.
    pub(crate) fn new(json: bool, lang: Lang, no_color: bool) -> Self {
        let plain = no_color || std::env::var_os("NO_COLOR").is_some();
        let typed_at = !json && std::io::stdin().is_terminal();
        let screen = Mutex::new(Screen::new(json, plain));
        Self { json, lang, typed_at, screen }
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

    /// The whole of the reply being written.
    pub(crate) fn replied(&self, text: &str) {
        self.screen().replied(text);
    }

    /// Takes away what passes and ends a line being written: something else comes now.
    pub(crate) fn make_room(&self) {
        self.screen().make_room();
    }

    /// Words on stdout.
    pub(crate) fn print(&self, text: impl Into<StyledText>) {
        self.screen().line(&text.into());
    }

    /// A document on stdout.
    pub(crate) fn document(&self, document: &impl Serialize) {
        self.screen().document(&serde_json::to_string(document).unwrap_or_default());
    }

    /// Without colours: before the command line is known.
    pub(crate) fn plain(json: bool, lang: Lang) -> Self {
        let screen = Mutex::new(Screen::new(json, true));
        Self { json, lang, typed_at: false, screen }
    }

    /// The result of a command: the document with `--json`, else the words.
    pub(crate) fn result<T: Into<StyledText>>(
        &self,
        document: &impl Serialize,
        words: impl FnOnce() -> T,
    ) {
        if self.json {
            self.document(document);
        } else {
            self.print(words());
        }
    }

    /// A phrase in the chosen language.
    pub(crate) fn say(&self, phrase: Phrase) -> String {
        say(&[phrase], self.lang)
    }

    /// Words on stderr.
    pub(crate) fn told(&self, text: impl Into<StyledText>) {
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
            self.document(&error_document(failure, self.lang));
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
}
