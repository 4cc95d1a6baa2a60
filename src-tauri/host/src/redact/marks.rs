//! `Marks`: the names of private folders out of what is shown of a file, and back into what is
//! written (spec 05 "Users' bytes are sacred"). What a mark looks like is the kernel's
//! ([`kernel::mark`]).
//!
//! Nothing is remembered: a mark says by itself which folder it stands for and how that was spelt.

use kernel::code::{ErrorCode, Failure};
use kernel::mark::{self, Folder, LITERAL, Mark, OPEN, Piece};
use kernel::path::{AliasPath, Mount};
use kernel::tool::unknown_mark;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::PathBuf;

use super::known::{FolderHit, KnownFolders};
use super::manner;
use super::view::{ShownSpan, ShownText};

/// One name of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct MarkName {
    folder: Folder,
    number: u32,
}

/// The private folders by every name they have, each with its mark.
#[derive(Clone, Default)]
pub(crate) struct Marks {
    known: KnownFolders<MarkName>,
}

impl std::fmt::Debug for Marks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let folders: Vec<&MarkName> = self.known.whats().collect();
        f.debug_struct("Marks").field("folders", &folders).finish_non_exhaustive()
    }
}

impl Marks {
    /// Knows these folders.
    pub(crate) fn new(folders: Vec<(PathBuf, Folder)>) -> Self {
        Self {
            known: KnownFolders::new(folders, |folder, number| MarkName {
                folder: *folder,
                number,
            }),
        }
    }

    /// A text as the model sees it. [`restored`](Self::restored) gives back these very bytes, and
    /// of any piece of it that cuts through no mark, the bytes of that piece.
    pub(crate) fn shown<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.marked(text, true)
    }

    /// The same for a text that has marks in it already: what is one stays one.
    pub(crate) fn hidden<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.marked(text, false)
    }

    /// [`hidden`](Self::hidden) for every string of a value. True when there was a folder.
    pub(crate) fn hide_in(&self, value: &mut Value) -> bool {
        match value {
            Value::String(text) => {
                let Cow::Owned(clean) = self.hidden(text) else { return false };
                *text = clean;
                true
            }
            Value::Array(items) => items.iter_mut().fold(false, |any, v| self.hide_in(v) | any),
            Value::Object(map) => {
                let mut any = map.values_mut().fold(false, |any, v| self.hide_in(v) | any);
                if map.keys().any(|key| matches!(self.hidden(key), Cow::Owned(_))) {
                    any = true;
                    let old = std::mem::take(map);
                    map.extend(old.into_iter().map(|(k, v)| (self.hidden(&k).into_owned(), v)));
                }
                any
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }

    /// Whether what is shown of `after` has the name of a folder as part of another one, which is
    /// neither in what is shown of `before` nor in what the model sent. A mark beside a letter
    /// would make such a name, and be readable.
    pub(crate) fn lays_bare(&self, before: &str, sent: &str, after: &str) -> bool {
        let view = self.view(after, true);
        let bare = self.known.bare(after);
        let bare: BTreeSet<&str> =
            bare.filter_map(|(name, with)| view.shown_of(&name, with)).collect();
        !bare.is_empty() && {
            let before = self.shown(before);
            bare.iter().any(|shown| !sent.contains(shown) && !before.contains(shown))
        }
    }

    /// At most `max` bytes of a text as the model sees it, with `…` when something was cut. No
    /// folder's name is cut in two.
    pub(crate) fn shown_prefix(&self, text: &str, max: usize) -> String {
        // What is shown is hardly shorter than the text, so more than this is never shown.
        let looked_at = kernel::text::prefix(text, max.saturating_mul(4));
        if looked_at.len() == text.len() {
            return mark::ellipsis(&self.shown(text), max);
        }
        let shown = self.shown(self.uncut(looked_at)).into_owned();
        mark::ellipsis(&format!("{shown}…"), max)
    }

    /// `text`, whose end was cut off, without what may be the beginning of a folder's name.
    pub(crate) fn uncut<'t>(&self, text: &'t str) -> &'t str {
        &text[..self.known.open_end(text)]
    }

    /// The text with the real names back. They may be longer than their marks: nothing beyond
    /// `max` bytes is made.
    pub(crate) fn restored<'t>(
        &self,
        text: &'t str,
        max: usize,
    ) -> Result<Cow<'t, str>, NotBack<'t>> {
        self.turned_back(text, max, |name| name)
    }

    /// The same for a regular expression: the names stand for themselves.
    pub(crate) fn restored_pattern<'t>(
        &self,
        text: &'t str,
        max: usize,
    ) -> Result<Cow<'t, str>, NotBack<'t>> {
        self.turned_back(text, max, |name| regex_syntax::escape(&name))
    }

    /// A regular expression that a model sent, for the text as it is shown: its marks stand for
    /// themselves.
    pub(crate) fn shown_pattern(text: &str) -> String {
        let piece = |piece| match piece {
            Piece::Text(t) | Piece::Unknown(t) => Cow::Borrowed(t),
            Piece::Literal => Cow::Owned(format!("{OPEN}{LITERAL}")),
            Piece::Mark(mark) => Cow::Owned(regex_syntax::escape(&mark.to_string())),
        };
        mark::pieces(text).map(piece).collect()
    }

    /// The same where nothing can be refused: what is no mark stays. `None` for a text that would
    /// be longer than `max` bytes.
    pub(crate) fn restored_as_far<'t>(&self, text: &'t str, max: usize) -> Option<Cow<'t, str>> {
        if !mark::occurs_in(text) {
            return Some(Cow::Borrowed(text));
        }
        let mut out = String::with_capacity(text.len());
        for piece in mark::pieces(text) {
            match piece {
                Piece::Text(t) | Piece::Unknown(t) => out.push_str(t),
                Piece::Literal => out.push_str(OPEN),
                Piece::Mark(mark) => {
                    out.push_str(&self.name_of(&mark).unwrap_or_else(|| mark.to_string()));
                }
            }
            if out.len() > max {
                return None;
            }
        }
        Some(Cow::Owned(out))
    }

    fn turned_back<'t>(
        &self,
        text: &'t str,
        max: usize,
        write: impl Fn(String) -> String,
    ) -> Result<Cow<'t, str>, NotBack<'t>> {
        if !mark::occurs_in(text) {
            return Ok(Cow::Borrowed(text));
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        for piece in mark::pieces(text) {
            match piece {
                Piece::Text(t) => {
                    out.push_str(t);
                    rest = &rest[t.len()..];
                }
                Piece::Literal => {
                    out.push_str(OPEN);
                    rest = &rest[OPEN.len() + LITERAL.len_utf8()..];
                }
                Piece::Unknown(unknown) => return Err(NotBack::Unknown(unknown)),
                Piece::Mark(found) => {
                    let len = found.to_string().len();
                    let name = self.name_of(&found).ok_or(NotBack::Unknown(&rest[..len]))?;
                    out.push_str(&write(name));
                    rest = &rest[len..];
                }
            }
            if out.len() > max {
                return Err(NotBack::TooLong);
            }
        }
        Ok(Cow::Owned(out))
    }

    fn name_of(&self, mark: &Mark<'_>) -> Option<String> {
        let name = MarkName { folder: mark.folder, number: mark.name };
        manner::respell(self.known.spelling(|known| *known == name)?, mark.how)
    }

    fn marked<'t>(&self, text: &'t str, tell_apart: bool) -> Cow<'t, str> {
        self.view(text, tell_apart).shown
    }

    fn view<'t>(&self, text: &'t str, tell_apart: bool) -> ShownText<'t> {
        const NOWHERE: usize = usize::MAX;
        let next_open = |from: usize| match text[from..].find(OPEN) {
            Some(at) if tell_apart => from + at,
            _ => NOWHERE,
        };
        let mut out = String::new();
        let mut changed = Vec::new();
        let mut kept = 0;
        let mut open = next_open(0);
        let mut hit = self.next_hit(text, 0, tell_apart);
        loop {
            let root = hit.as_ref().map_or(NOWHERE, |hit| hit.start);
            let real = match &hit {
                _ if open < root => open..open + OPEN.len(),
                Some(found) => found.start..found.end,
                None => break,
            };
            out.push_str(&text[kept..real.start]);
            let from = out.len();
            match &hit {
                Some(found) if root < open => out.push_str(&mark_of(text, found)),
                _ => {
                    out.push_str(OPEN);
                    out.push(LITERAL);
                }
            }
            kept = real.end;
            changed.push(ShownSpan { real, shown: from..out.len() });
            if open < kept {
                open = next_open(kept);
            }
            if root < kept {
                hit = self.next_hit(text, kept, tell_apart);
            }
        }
        if changed.is_empty() {
            return ShownText { shown: Cow::Borrowed(text), changed };
        }
        out.push_str(&text[kept..]);
        ShownText { shown: Cow::Owned(out), changed }
    }

    /// The next name of a folder. In a text that has its marks already, a name goes on behind one:
    /// in `⟦folder:home⟧/w` no folder `/w` begins.
    fn next_hit(&self, text: &str, from: usize, raw: bool) -> Option<FolderHit<'_, MarkName>> {
        let mut hit = self.known.next_hit(text, from)?;
        while !raw && hit.spelling.needs_start() && ends_with_mark(&text[..hit.start]) {
            hit = self.known.next_hit(text, hit.start + 1)?;
        }
        Some(hit)
    }
}

/// Whether a mark is the last thing in a text.
fn ends_with_mark(text: &str) -> bool {
    let last = text.ends_with(mark::CLOSE).then(|| text.rfind(OPEN)).flatten();
    last.is_some_and(|open| {
        let mut pieces = mark::pieces(&text[open..]);
        matches!((pieces.next(), pieces.next()), (Some(Piece::Mark(_)), None))
    })
}

fn mark_of(text: &str, hit: &FolderHit<'_, MarkName>) -> String {
    let how = manner::describe(hit.spelling, &text[..hit.end], hit.start);
    let again = manner::respell(hit.spelling, &how);
    // Never other bytes: what could not be turned back is refused.
    let how = if again.as_deref() == text.get(hit.start..hit.end) { how.as_str() } else { "x" };
    Mark { folder: hit.what.folder, name: hit.what.number, how }.to_string()
}

/// Why a text does not get its real names back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotBack<'t> {
    /// This is no mark.
    Unknown(&'t str),
    /// It would be too long.
    TooLong,
}

/// [`Marks::restored`] or [`Marks::restored_pattern`].
type TurnBack = for<'t> fn(&Marks, &'t str, usize) -> Result<Cow<'t, str>, NotBack<'t>>;

/// How one file is looked at. What the runtime itself keeps below `@state` (logs, long results) is
/// kept as it was shown, so nothing in it is told apart or turned back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lens<'m> {
    marks: &'m Marks,
    own: bool,
    /// The most bytes that what a model sends may become.
    most: usize,
}

impl Marks {
    /// How this file is looked at. What a model sends becomes at most `most` bytes.
    pub(crate) fn lens(&self, path: &AliasPath, most: u64) -> Lens<'_> {
        let own = path.mount() == Mount::State && *path != AliasPath::state_document();
        Lens { marks: self, own, most: usize::try_from(most).unwrap_or(usize::MAX) }
    }
}

impl Lens<'_> {
    /// Text of the file, as the model sees it.
    pub(crate) fn shown<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.own { self.marks.hidden(text) } else { self.marks.shown(text) }
    }

    /// Text of the file beside what the model sees of it.
    pub(crate) fn view<'t>(&self, text: &'t str) -> ShownText<'t> {
        self.marks.view(text, !self.own)
    }

    /// See [`Marks::shown_prefix`].
    pub(crate) fn shown_prefix(&self, text: &str, max: usize) -> String {
        if self.own {
            return mark::ellipsis(&self.marks.hidden(text), max);
        }
        self.marks.shown_prefix(text, max)
    }

    /// See [`Marks::uncut`].
    pub(crate) fn uncut<'t>(&self, text: &'t str) -> &'t str {
        self.marks.uncut(text)
    }

    /// What a model sent in `argument`, as the file has it.
    pub(crate) fn restored(
        &self,
        path: &AliasPath,
        argument: &str,
        text: &str,
    ) -> Result<String, Failure> {
        self.turned_back(path, argument, text, Marks::restored)
    }

    /// The same for a regular expression.
    pub(crate) fn restored_pattern(
        &self,
        path: &AliasPath,
        argument: &str,
        text: &str,
    ) -> Result<String, Failure> {
        self.turned_back(path, argument, text, Marks::restored_pattern)
    }

    fn turned_back(
        &self,
        path: &AliasPath,
        argument: &str,
        text: &str,
        restore: TurnBack,
    ) -> Result<String, Failure> {
        if self.own {
            return Ok(text.to_owned());
        }
        let back = restore(self.marks, text, self.most);
        back.map(Cow::into_owned).map_err(|why| match why {
            NotBack::Unknown(mark) => unknown_mark(path, argument, mark),
            NotBack::TooLong => self.too_long(path),
        })
    }

    /// Refuses a change that would let a private name be read; see [`Marks::lays_bare`].
    pub(crate) fn check_bare(
        &self,
        path: &AliasPath,
        before: &str,
        sent: &str,
        after: &[u8],
    ) -> Result<(), Failure> {
        if self.own || !self.marks.lays_bare(before, sent, &String::from_utf8_lossy(after)) {
            return Ok(());
        }
        let message = format!(
            "{path}: a letter would stand right beside a mark, which makes it the name of another folder; nothing was changed"
        );
        Err(Failure::for_model(ErrorCode::UnknownMark, message).with_action_for_model(
            "Put a slash, a space or a quote between a mark and the text beside it.",
        ))
    }

    /// Refuses a text of so many bytes before it is made.
    pub(crate) fn check_len(&self, path: &AliasPath, bytes: usize) -> Result<(), Failure> {
        if bytes <= self.most { Ok(()) } else { Err(self.too_long(path)) }
    }

    fn too_long(&self, path: &AliasPath) -> Failure {
        let message = format!("{path}: the text would have more than {} bytes", self.most);
        Failure::for_model(ErrorCode::WriteLimit, message)
            .with_details(json!({ "limit": self.most }))
            .with_action_for_model(
                "Split it into several files, or raise the limit in the settings.",
            )
    }

    /// The same for every text of a value, keys included.
    pub(crate) fn restore_in(
        &self,
        path: &AliasPath,
        argument: &str,
        value: &mut Value,
    ) -> Result<(), Failure> {
        match value {
            Value::String(text) => *text = self.restored(path, argument, text)?,
            Value::Array(items) => {
                for item in items {
                    self.restore_in(path, argument, item)?;
                }
            }
            Value::Object(map) => {
                for (key, mut value) in std::mem::take(map) {
                    self.restore_in(path, argument, &mut value)?;
                    map.insert(self.restored(path, argument, &key)?, value);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
        Ok(())
    }

    /// A failure whose words may repeat text of the file, which has its marks already.
    pub(crate) fn hidden_failure(&self, mut failure: Failure) -> Failure {
        failure.map_texts(&|text| self.marks.hidden(text).into_owned());
        if let Some(details) = &mut failure.details {
            self.marks.hide_in(details);
        }
        failure
    }
}

#[cfg(test)]
mod tests;
