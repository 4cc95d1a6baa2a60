//! A text beside what is shown of it. Whatever a model looks for is looked for in what it was
//! shown: a hit in the real text would tell it, guess by guess, what a mark stands for.

use memchr::memmem::Finder;
use std::borrow::Cow;
use std::ops::Range;

/// A text as a model is shown it, and where it differs from the real one.
pub(crate) struct ShownText<'t> {
    pub(super) shown: Cow<'t, str>,
    pub(super) changed: Vec<ShownSpan>,
}

/// What is shown in other words than it is written.
pub(super) struct ShownSpan {
    pub(super) real: Range<usize>,
    pub(super) shown: Range<usize>,
}

/// A place where a text stands that was looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextMatch {
    /// Where it begins in the text as it is shown.
    pub(crate) shown: usize,
    /// Where it stands in the real text.
    pub(crate) real: Range<usize>,
}

impl ShownText<'_> {
    /// The text as it is shown.
    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }

    /// Whether it is shown just as it is.
    pub(crate) fn is_plain(&self) -> bool {
        self.changed.is_empty()
    }

    /// The places of a text as a model sent it, one behind the other. Part of a mark is no text.
    pub(crate) fn places(&self, sent: &str) -> impl Iterator<Item = TextMatch> {
        let finder = Finder::new(sent.as_bytes());
        let step = sent.chars().next().map_or(1, char::len_utf8);
        let mut from = 0;
        std::iter::from_fn(move || {
            loop {
                let shown = from + finder.find(self.shown.as_bytes().get(from..)?)?;
                let end = shown + sent.len();
                if let (Some(start), Some(stop)) = (self.real(shown), self.real(end)) {
                    from = end.max(shown + step);
                    return Some(TextMatch { shown, real: start..stop });
                }
                from = shown + step;
            }
        })
    }

    /// The last place of the real text up to `at` that lies in no folder's name.
    pub(crate) fn outside(&self, at: usize) -> usize {
        let before = self.changed.partition_point(|changed| changed.real.end <= at);
        self.changed.get(before).map_or(at, |changed| changed.real.start.min(at))
    }

    /// What is shown of `with`, part of the real text; `None` when one mark hides all of `name`.
    pub(super) fn shown_of(&self, name: &Range<usize>, with: Range<usize>) -> Option<&str> {
        let at = |real: usize| {
            let before = self.changed.partition_point(|changed| changed.real.end <= real);
            let within = self.changed.get(before).filter(|changed| changed.real.start < real);
            let last = before.checked_sub(1).and_then(|last| self.changed.get(last));
            (within, last.map_or(real, |last| last.shown.end + (real - last.real.end)))
        };
        let ends = self.changed.partition_point(|changed| changed.real.end < name.end);
        if self.changed.get(ends).is_some_and(|changed| changed.real.start <= name.start) {
            return None;
        }
        let (start, end) = (at(with.start), at(with.end));
        let start = start.0.map_or(start.1, |within| within.shown.start);
        self.shown.get(start..end.0.map_or(end.1, |within| within.shown.end))
    }

    /// The place in the real text; `None` inside a mark.
    fn real(&self, shown: usize) -> Option<usize> {
        let before = self.changed.partition_point(|changed| changed.shown.end <= shown);
        if self.changed.get(before).is_some_and(|changed| changed.shown.start < shown) {
            return None;
        }
        let last = before.checked_sub(1).and_then(|last| self.changed.get(last));
        Some(last.map_or(shown, |last| last.real.end + (shown - last.shown.end)))
    }
}
