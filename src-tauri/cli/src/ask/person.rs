//! Who is asked, and in which language.

use kernel::phrase::Phrase;
use kernel::words::{Lang, say};
use std::io::BufRead;

use crate::print::{self, StyledText};

/// Who is asked: the person at the terminal, or a test.
pub(crate) trait Person {
    /// A line, without its end; `None` when the person leaves.
    fn answer(&mut self, prompt: &str) -> Option<String>;

    /// Tells something.
    fn told(&mut self, text: &str);
}

/// The person at the terminal.
pub(crate) struct AtTerminal;

impl Person for AtTerminal {
    fn answer(&mut self, prompt: &str) -> Option<String> {
        print::prompt(prompt);
        let mut line = String::new();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(0) => {
                // The shell's prompt begins a line.
                print::note(&StyledText::default(), false);
                None
            }
            Ok(_) => Some(line.trim().to_owned()),
            // Half a character, as a cut paste leaves: it is asked for again.
            Err(e) if e.kind() == std::io::ErrorKind::InvalidData => Some(String::new()),
            Err(_) => None,
        }
    }

    fn told(&mut self, text: &str) {
        print::note(&text.into(), false);
    }
}

/// Somebody who is asked, in a language.
pub(crate) struct Ask<'a> {
    pub(super) person: &'a mut dyn Person,
    pub(super) lang: Lang,
}

impl<'a> Ask<'a> {
    pub(crate) fn new(person: &'a mut dyn Person, lang: Lang) -> Self {
        Self { person, lang }
    }

    /// A phrase in the person's language.
    pub(super) fn say(&self, phrase: Phrase) -> String {
        say(&[phrase], self.lang)
    }

    /// Tells the person something in their language.
    pub(super) fn told(&mut self, phrase: Phrase) {
        let text = self.say(phrase);
        self.person.told(&text);
    }
}
