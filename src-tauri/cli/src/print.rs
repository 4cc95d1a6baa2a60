//! Writing to stdout and stderr. Whoever reads them may be gone: that ends the output, never the
//! program, and changes no exit code. The macros of the standard library panic instead.

use std::io::Write;

/// A line on stdout. In one piece: who is killed while printing leaves no half line.
pub(crate) fn line(text: &str) {
    write(&mut std::io::stdout().lock(), &format!("{text}\n"));
}

/// A line on stderr.
pub(crate) fn note(text: &str) {
    write(&mut std::io::stderr().lock(), &format!("{text}\n"));
}

fn write(to: &mut impl Write, text: &str) {
    _ = to.write_all(text.as_bytes());
    _ = to.flush();
}
