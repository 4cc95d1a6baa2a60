//! The one way to stdout and stderr. Words for people are cleaned here, whoever wrote them, and
//! only then get our colours: a terminal acts on nothing that a model, a package or a file says.
//!
//! Whoever reads may be gone: that ends the output, never the program, and changes no exit code.
//! The macros of the standard library panic instead.

use kernel::visible::{visible, visible_json, visible_line};
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

/// Takes a line away and goes back to its beginning.
const ERASE: &str = "\r\u{1b}[2K";

/// Words for people, as they came, piece by piece: each in a colour of ours or in none.
#[derive(Debug, Clone, Default)]
pub(crate) struct StyledText(Vec<(Option<&'static str>, String)>);

impl From<String> for StyledText {
    fn from(text: String) -> Self {
        Self(vec![(None, text)])
    }
}

impl From<&str> for StyledText {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl StyledText {
    /// More of it behind.
    pub(crate) fn and(mut self, more: impl Into<Self>) -> Self {
        self.0.extend(more.into().0);
        self
    }

    /// The same without line breaks: they are shown as signs.
    fn on_one_line(mut self) -> Self {
        self.0.iter_mut().for_each(|(_, text)| *text = visible_line(text));
        self
    }

    fn shown(&self, colours: bool) -> String {
        let piece = |(colour, text): &(Option<&str>, String)| {
            let text = visible(text);
            match colour.filter(|_| colours) {
                Some(colour) => format!("\u{1b}[{colour}m{text}\u{1b}[0m"),
                None => text,
            }
        };
        self.0.iter().map(piece).collect()
    }
}

/// A number, marked where it is no more than about right.
pub(crate) fn about(number: impl Display, is_rough: bool) -> String {
    format!("{}{number}", if is_rough { "≈ " } else { "" })
}

/// A text in a terminal's colour, where there are colours.
pub(crate) fn paint(colour: &'static str, text: impl Into<String>) -> StyledText {
    StyledText(vec![(Some(colour), text.into())])
}

/// Each on a line of its own; what stands in one begins no other.
pub(crate) fn rows<T: Into<StyledText>>(rows: impl IntoIterator<Item = T>) -> StyledText {
    blocks(rows.into_iter().map(|row| row.into().on_one_line()))
}

/// One below the other, each with the lines it has.
pub(crate) fn blocks<T: Into<StyledText>>(blocks: impl IntoIterator<Item = T>) -> StyledText {
    blocks
        .into_iter()
        .map(Into::into)
        .reduce(|all, next| all.and("\n").and(next))
        .unwrap_or_default()
}

/// A line on stdout. In one piece: who is killed while printing leaves no half line.
pub(crate) fn line(text: &StyledText, colours: bool) {
    write(&mut io::stdout().lock(), &format!("{}\n", text.shown(colours)));
}

/// A JSON document on stdout, on one line.
pub(crate) fn document(json: &str) {
    write(&mut io::stdout().lock(), &format!("{}\n", visible_json(json)));
}

/// A text on stdout.
pub(crate) fn part(text: &str) {
    write(&mut io::stdout().lock(), &visible(text));
}

/// A line on stderr.
pub(crate) fn note(text: &StyledText, colours: bool) {
    write(&mut io::stderr().lock(), &format!("{}\n", text.shown(colours)));
}

/// A prompt on stderr.
pub(crate) fn prompt(text: &str) {
    write(&mut io::stderr().lock(), &visible_line(text));
}

/// In place of what stands on the last line of stderr.
pub(crate) fn passing(text: &str) {
    write(&mut io::stderr().lock(), &format!("{ERASE}{}", visible_line(text)));
}

fn write(to: &mut impl Write, text: &str) {
    _ = to.write_all(text.as_bytes());
    _ = to.flush();
}

/// Stdout for a whole file: byte for byte into a pipe, cleaned line by line at a terminal. A
/// reader who has seen enough (`| head`) is no error.
pub(crate) struct File {
    /// People read it.
    reads: bool,
    /// The beginning of a line.
    begun: Vec<u8>,
}

impl File {
    pub(crate) fn new() -> Self {
        Self { reads: io::stdout().is_terminal(), begun: Vec::new() }
    }
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.reads {
            self.begun.extend(bytes);
            let whole = self.begun.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
            let lines: Vec<u8> = self.begun.drain(..whole).collect();
            part(&String::from_utf8_lossy(&lines));
            return Ok(bytes.len());
        }
        match io::stdout().write(bytes) {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(bytes.len()),
            other => other,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        part(&String::from_utf8_lossy(&std::mem::take(&mut self.begun)));
        match io::stdout().flush() {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }
}
