//! A piece of a diff, and how it is written.

use std::fmt::Write as _;

use diffy::Line;

/// Said of a last line that is not ended.
pub(super) const NO_LINE_END: &str = "\n\\ No newline at end of file\n";

/// Stands in a diff for what was left out.
pub(super) const CUT: &str = "…\n";

/// Changed lines with the unchanged ones around them.
pub(super) struct DiffHunk<'t> {
    /// The number of its first line, and how many they are.
    pub(super) old: (usize, usize),
    pub(super) new: (usize, usize),
    pub(super) lines: Vec<Line<'t, str>>,
}

/// `@@ -first,lines +first,lines @@`
pub(super) fn head(text: &mut String, old: (usize, usize), new: (usize, usize)) {
    let range = |(start, lines): (usize, usize)| match lines {
        1 => start.to_string(),
        _ => format!("{start},{lines}"),
    };
    // Writing to a `String` cannot fail.
    _ = writeln!(text, "@@ -{} +{} @@", range(old), range(new));
}

/// A line's sign, and the line.
pub(super) fn signed<'t>(line: &Line<'t, str>) -> (char, &'t str) {
    match line {
        Line::Context(line) => (' ', line),
        Line::Delete(line) => ('-', line),
        Line::Insert(line) => ('+', line),
    }
}

impl DiffHunk<'_> {
    /// Stops once the text is longer than `max`.
    pub(super) fn print(&self, text: &mut String, max: usize) {
        if text.len() <= max {
            head(text, self.old, self.new);
        }
        for line in &self.lines {
            if text.len() > max {
                return;
            }
            let (sign, line) = signed(line);
            text.push(sign);
            text.push_str(line);
            if !line.ends_with('\n') {
                text.push_str(NO_LINE_END);
            }
        }
    }
}
