//! From the text of a diff to its hunks. Lenient where a model's slip leaves no doubt: code
//! fences, missing or wrong numbers in `@@`, an empty line for an empty line of context.

use serde_json::json;

use crate::bounds;
use crate::code::{ErrorCode, Failure};

pub(super) fn failed(message: &str) -> Failure {
    Failure::for_model(ErrorCode::PatchFailed, message)
}

/// What a line of a hunk does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HunkLineKind {
    Context,
    Delete,
    Insert,
}

/// One hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PatchHunk {
    /// The line of the old file it says it begins at, from 1; 0 before the first.
    pub(super) start: Option<usize>,
    /// Its lines without their sign and line end.
    pub(super) lines: Vec<(HunkLineKind, String)>,
    /// `\ No newline at end of file` after a line of the old file, of the new one.
    pub(super) old_open: bool,
    pub(super) new_open: bool,
    /// What was read leniently.
    pub(super) repaired: Vec<&'static str>,
    /// Lines still to come by the counts of the header, old and new; `None` without a header.
    left: Option<(usize, usize)>,
    miscounted: bool,
}

impl PatchHunk {
    /// The lines of the old file it names.
    pub(super) fn old(&self) -> impl Iterator<Item = (HunkLineKind, &str)> {
        let lines = self.lines.iter().map(|(kind, text)| (*kind, text.as_str()));
        lines.filter(|(kind, _)| *kind != HunkLineKind::Insert)
    }

    fn begin(header: &str) -> Self {
        let (start, left) = match numbers(header) {
            Some((start, old, new)) => (Some(start), Some((old, new))),
            None => (None, None),
        };
        let repaired = if left.is_none() { vec!["its header has no line numbers"] } else { vec![] };
        Self {
            start,
            lines: Vec::new(),
            old_open: false,
            new_open: false,
            repaired,
            left,
            miscounted: false,
        }
    }

    fn is_full(&self) -> bool {
        self.left == Some((0, 0))
    }

    fn push(&mut self, kind: HunkLineKind, text: &str) {
        if let Some((old, new)) = &mut self.left {
            let (a, b) = match kind {
                HunkLineKind::Context => (1, 1),
                HunkLineKind::Delete => (1, 0),
                HunkLineKind::Insert => (0, 1),
            };
            self.miscounted |= *old < a || *new < b;
            *old = old.saturating_sub(a);
            *new = new.saturating_sub(b);
        }
        self.lines.push((kind, text.to_owned()));
    }

    fn no_newline(&mut self) {
        match self.lines.last() {
            Some((HunkLineKind::Context, _)) => (self.old_open, self.new_open) = (true, true),
            Some((HunkLineKind::Delete, _)) => self.old_open = true,
            Some((HunkLineKind::Insert, _)) => self.new_open = true,
            None => {}
        }
    }

    /// Empty lines at the end of a hunk with wrong counts stand between it and what follows.
    fn end(mut self) -> Self {
        let unfinished = self.left.is_some_and(|left| left != (0, 0)) || self.miscounted;
        if unfinished || self.left.is_none() {
            while matches!(self.lines.last(), Some((HunkLineKind::Context, text)) if text.is_empty())
            {
                self.lines.pop();
            }
        }
        if unfinished {
            self.repaired.push("the line counts of its header are wrong");
        }
        self
    }
}

/// The numbers of `@@ -start,old +start,new @@`.
fn numbers(header: &str) -> Option<(usize, usize, usize)> {
    let mut words = header.trim_start_matches('@').split_whitespace();
    let (old, new) = (words.next()?.strip_prefix('-')?, words.next()?.strip_prefix('+')?);
    let parse = |text: &str| -> Option<(usize, usize)> {
        match text.split_once(',') {
            Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
            None => Some((text.parse().ok()?, 1)),
        }
    };
    let (start, old) = parse(old)?;
    Some((start, old, parse(new)?.1))
}

/// The hunks of a diff of one file. `E_PATCH_FAILED` when it has none, names several files,
/// deletes the file, or a hunk changes nothing.
pub(super) fn hunks(diff: &str) -> Result<Vec<PatchHunk>, Failure> {
    let lines: Vec<&str> = diff
        .trim_start_matches('\u{feff}')
        .split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
        .collect();
    let mut hunks: Vec<PatchHunk> = Vec::new();
    let mut open: Option<PatchHunk> = None;
    let mut files = 0;
    for (index, line) in lines.iter().enumerate() {
        let next = lines.get(index + 1).copied().unwrap_or_default();
        let last = index + 1 == lines.len();
        if is_file_header(line, next, open.as_ref()) {
            hunks.extend(open.take().map(PatchHunk::end));
            files += 1;
            continue;
        }
        match open.take() {
            Some(hunk) if line.starts_with("@@") => {
                hunks.push(hunk.end());
                open = Some(PatchHunk::begin(line));
            }
            None if line.starts_with("@@") => open = Some(PatchHunk::begin(line)),
            None => refuse_removal(line)?,
            Some(hunk) if ends_hunk(line, &hunk) || (last && line.is_empty()) => {
                hunks.push(hunk.end());
            }
            Some(mut hunk) => {
                take_line(&mut hunk, line);
                open = Some(hunk);
            }
        }
    }
    hunks.extend(open.map(PatchHunk::end));
    check(&hunks, files)?;
    Ok(hunks)
}

/// `--- a/x` before `+++ b/x`. Inside a hunk that is not full yet these may be changed lines.
fn is_file_header(line: &str, next: &str, hunk: Option<&PatchHunk>) -> bool {
    let inside = hunk.is_some_and(|hunk| hunk.left.is_some() && !hunk.is_full());
    !inside && line.starts_with("--- ") && next.starts_with("+++ ")
}

fn refuse_removal(line: &str) -> Result<(), Failure> {
    if line.trim_end() != "+++ /dev/null" {
        return Ok(());
    }
    Err(failed("the diff deletes the file").with_action_for_model("Delete files with fs_delete."))
}

/// What can follow a hunk and belongs to no diff: a fence, the next file, a mail's signature.
fn ends_hunk(line: &str, hunk: &PatchHunk) -> bool {
    let inside = hunk.left.is_some() && !hunk.is_full();
    !inside
        && (line.starts_with("```")
            || line.starts_with("diff --git ")
            || line.starts_with("*** End")
            || (line == "-- " && hunk.is_full()))
}

fn take_line(hunk: &mut PatchHunk, line: &str) {
    let mut chars = line.chars();
    match chars.next() {
        Some(' ') => hunk.push(HunkLineKind::Context, chars.as_str()),
        Some('-') => hunk.push(HunkLineKind::Delete, chars.as_str()),
        Some('+') => hunk.push(HunkLineKind::Insert, chars.as_str()),
        Some('\\') if line.to_ascii_lowercase().contains("newline") => hunk.no_newline(),
        None if hunk.is_full() => {}
        None => hunk.push(HunkLineKind::Context, ""),
        Some(_) => {
            hunk.push(HunkLineKind::Context, line);
            let note = "a line without a sign is taken as context";
            if !hunk.repaired.contains(&note) {
                hunk.repaired.push(note);
            }
        }
    }
}

fn check(hunks: &[PatchHunk], files: usize) -> Result<(), Failure> {
    if files > 1 {
        return Err(failed(&format!("the diff is for {files} files; this call is for one"))
            .with_action_for_model("Send one call for each file."));
    }
    if hunks.is_empty() {
        return Err(failed("the diff has no hunk, so it would change nothing").with_action_for_model(
            "Send hunks: a line that starts with @@, then lines that start with a space, - or +.",
        ));
    }
    if hunks.len() > bounds::HUNKS {
        let (found, most) = (hunks.len(), bounds::HUNKS);
        return Err(failed(&format!("the diff has {found} hunks")).with_action_for_model(format!(
            "Send at most {most} at once, or write the whole file with fs_write."
        )));
    }
    let idle = |hunk: &PatchHunk| hunk.lines.iter().all(|(kind, _)| *kind == HunkLineKind::Context);
    if let Some(index) = hunks.iter().position(idle) {
        return Err(failed(&format!("hunk {} has no line with - or +", index + 1))
            .with_details(json!({ "hunk": index + 1 }))
            .with_action_for_model("Leave it out, or mark what changes with - and +."));
    }
    Ok(())
}
