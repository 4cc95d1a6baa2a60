//! Writing to stdout and stderr. Whoever reads them may be gone: that ends the output, never the
//! program, and changes no exit code. The macros of the standard library panic instead.

use std::io::Write;

/// A line on stdout. In one piece: who is killed while printing leaves no half line.
pub(crate) fn line(text: &str) {
    part(&format!("{text}\n"));
}

/// A text on stdout.
pub(crate) fn part(text: &str) {
    write(&mut std::io::stdout().lock(), text);
}

/// A line on stderr.
pub(crate) fn note(text: &str) {
    passing(&format!("{text}\n"));
}

/// A text on stderr: a prompt, or a line that will be erased.
pub(crate) fn passing(text: &str) {
    write(&mut std::io::stderr().lock(), text);
}

fn write(to: &mut impl Write, text: &str) {
    _ = to.write_all(text.as_bytes());
    _ = to.flush();
}

/// The text with nothing in it that a terminal would act on: what a model or a file says moves no
/// cursor and hides nothing.
pub(crate) fn plain(text: &str) -> String {
    let keep = |c: char| if c.is_control() && c != '\n' && c != '\t' { '\u{fffd}' } else { c };
    text.chars().filter(|c| *c != '\r').map(keep).collect()
}
