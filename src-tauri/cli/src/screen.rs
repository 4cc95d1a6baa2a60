//! What stands on the terminal now: a line that passes, a reply being written. Whatever else is
//! printed first takes the one away and ends the other.

use std::io::IsTerminal;

use crate::print::{self, StyledText};

/// What a fenced question begins with. It becomes a question of its own, so nobody reads it twice.
const FENCE: &str = "```widget";

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct Screen {
    /// People read stdout.
    reads: bool,
    /// People read stderr.
    notes: bool,
    /// Stdout and stderr have colours.
    colours: (bool, bool),
    /// A line can be erased.
    erases: bool,
    /// The line that passes.
    passing: String,
    /// The reply being written, as it came.
    reply: String,
    /// How much of it is shown, bytes.
    shown: usize,
}

impl Screen {
    /// `plain`: no colours and nothing erased. With `--json` nobody reads.
    pub(crate) fn new(json: bool, plain: bool) -> Self {
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        let (out, err) = (std::io::stdout().is_terminal(), std::io::stderr().is_terminal());
        let notes = !json && err;
        Self {
            reads: !json && out,
            notes,
            colours: (!plain && out, !plain && err),
            erases: notes && !plain && !dumb,
            ..Self::default()
        }
    }

    /// Whether somebody sees what passes, or text as it is written.
    pub(crate) fn is_watched(&self) -> bool {
        self.reads || self.notes
    }

    /// A line on stdout.
    pub(crate) fn line(&mut self, text: &StyledText) {
        self.make_room();
        print::line(text, self.colours.0);
    }

    /// A document on stdout.
    pub(crate) fn document(&mut self, json: &str) {
        self.make_room();
        print::document(json);
    }

    /// A line on stderr.
    pub(crate) fn note(&mut self, text: &StyledText) {
        self.make_room();
        print::note(text, self.colours.1);
    }

    /// Takes away what passes and ends a line being written.
    pub(crate) fn make_room(&mut self) {
        self.pass("");
        if self.is_mid_line() {
            print::part("\n");
            self.reply.push('\n');
            self.shown = self.reply.len();
        }
    }

    /// Says what goes on; the next thing takes it away. Where nothing can be erased, a line a kind.
    pub(crate) fn pass(&mut self, text: &str) {
        if !self.notes || self.passing == text || (!text.is_empty() && self.is_mid_line()) {
            return;
        }
        if self.erases {
            print::passing(text);
        } else if !text.is_empty() {
            let kind = |text: &str| text.split(|c: char| c.is_numeric()).next().map(str::to_owned);
            if kind(text) != kind(&self.passing) {
                print::note(&print::rows([text]), false);
            }
        }
        // Without erasing it still stands there.
        if self.erases || !text.is_empty() {
            text.clone_into(&mut self.passing);
        }
    }

    /// More of the reply being written.
    pub(crate) fn grow(&mut self, text: &str) {
        self.reply.push_str(text);
        let until = showable(&self.reply);
        if self.reads && until > self.shown {
            self.pass("");
            print::part(&self.reply[self.shown..until]);
            self.shown = until;
        }
    }

    /// The reply being written came to nothing, or is asked for anew.
    pub(crate) fn drop_reply(&mut self) {
        self.make_room();
        self.reply.clear();
        self.shown = 0;
    }

    /// The whole reply: what of it is not shown yet.
    pub(crate) fn replied(&mut self, text: &str) {
        let whole = text.trim_end();
        let shown = self.reply[..self.shown].to_owned();
        let (words, gap) = shown.split_at(shown.trim_end().len());
        if let Some(rest) = whole.strip_prefix(words).filter(|_| !words.is_empty()) {
            self.pass("");
            let rest = rest.strip_prefix(gap).unwrap_or_default();
            let ends_line = rest.is_empty() && gap.ends_with('\n');
            print::part(&format!("{rest}{}", if ends_line { "" } else { "\n" }));
        } else {
            // The reply was fenced, or it is another one.
            self.make_room();
            if !whole.is_empty() && !words.starts_with(whole) {
                print::line(&whole.into(), false);
            }
        }
        self.reply.clear();
        self.shown = 0;
    }

    fn is_mid_line(&self) -> bool {
        self.shown > 0 && !self.reply[..self.shown].ends_with('\n')
    }
}

/// How much of a reply can be shown: not a fenced question, nor what may become one.
fn showable(reply: &str) -> usize {
    if let Some(at) =
        reply.match_indices(FENCE).map(|(at, _)| at).find(|at| begins_line(reply, *at))
    {
        return at;
    }
    let line = reply.rfind('\n').map_or(0, |at| at + 1);
    let last = &reply[line..];
    if !last.is_empty() && FENCE.starts_with(last) { line } else { reply.len() }
}

fn begins_line(text: &str, at: usize) -> bool {
    at == 0 || text[..at].ends_with('\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fenced_question_is_held_back_and_code_is_not() {
        for (reply, shown) in [
            ("Hello", "Hello"),
            ("Hello\n`", "Hello\n"),
            ("Hello\n```wid", "Hello\n"),
            ("Hello\n```widget\n{", "Hello\n"),
            ("Hello\n```rust\nfn", "Hello\n```rust\nfn"),
            ("say ```widget", "say ```widget"),
            ("```widget", ""),
        ] {
            assert_eq!(&reply[..showable(reply)], shown, "{reply}");
        }
    }
}
