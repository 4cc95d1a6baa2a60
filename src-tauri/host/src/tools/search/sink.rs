//! Turns the searcher's lines into hits with their context.

use grep_searcher::{Searcher, Sink, SinkContext, SinkFinish, SinkMatch};
use kernel::path::AliasPath;
use kernel::tool::search::Match;
use std::collections::VecDeque;
use std::io;

use super::sought::InFile;
use crate::redact::Marks;

/// A line longer than this is shown cut.
const LINE_BYTES: usize = 500;

/// The hits of a whole search.
pub(super) struct Hits<'m> {
    pub(super) found: Vec<Match>,
    /// One more hit than wanted was seen.
    pub(super) full: bool,
    before: u64,
    after: u64,
    max: usize,
    pub(super) marks: &'m Marks,
}

impl<'m> Hits<'m> {
    pub(super) fn new(before: u64, after: u64, max: usize, marks: &'m Marks) -> Self {
        Self { found: Vec::new(), full: false, before, after, max, marks }
    }

    /// Adds what other files gave, as much as there is room for.
    pub(super) fn append(&mut self, mut more: Self) {
        let room = self.max - self.found.len().min(self.max);
        self.full |= more.full || more.found.len() > room;
        more.found.truncate(room);
        self.found.append(&mut more.found);
    }

    /// Where the lines of one file go.
    pub(super) fn of_file<'h>(
        &'h mut self,
        path: &'h AliasPath,
        sought: InFile<'h>,
    ) -> FileHits<'h, 'm> {
        let first = self.found.len();
        FileHits { hits: self, path, sought, first, recent: VecDeque::new(), binary: false }
    }
}

/// The hits of one file while it is searched.
pub(super) struct FileHits<'h, 'm> {
    hits: &'h mut Hits<'m>,
    path: &'h AliasPath,
    sought: InFile<'h>,
    first: usize,
    /// The lines just seen, with their numbers: the context of the next hit.
    recent: VecDeque<(u64, String)>,
    binary: bool,
}

impl FileHits<'_, '_> {
    /// The file turned out to be binary.
    pub(super) fn binary(&self) -> bool {
        self.binary
    }

    /// Takes back this file's hits.
    pub(super) fn forget(self) {
        self.hits.found.truncate(self.first);
        self.hits.full = false;
    }

    fn line(&mut self, number: u64, bytes: &[u8]) -> String {
        let text = String::from_utf8_lossy(bytes);
        let lens = self.hits.marks.lens(self.path, 0);
        let text = lens.shown_prefix(text.trim_end_matches(['\r', '\n']), LINE_BYTES);
        let reach = self.hits.after;
        for hit in self.hits.found[self.first..].iter_mut().rev() {
            if number > hit.line + reach {
                break;
            }
            hit.after.push(text.clone());
        }
        text
    }

    fn remember(&mut self, number: u64, text: String) {
        self.recent.push_back((number, text));
        while self.recent.len() as u64 > self.hits.before {
            self.recent.pop_front();
        }
    }
}

impl Sink for FileHits<'_, '_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, io::Error> {
        let number = found.line_number().unwrap_or(0);
        let text = self.line(number, found.bytes());
        if self.hits.found.len() >= self.hits.max {
            self.hits.full = true;
            return Ok(false);
        }
        let column = self.sought.column(found.bytes());
        let nearest = number.saturating_sub(self.hits.before);
        let near = self.recent.iter().filter(|(n, _)| *n >= nearest);
        let before = near.map(|(_, text)| text.clone()).collect();
        self.hits.found.push(Match {
            path: self.path.clone(),
            line: number,
            column,
            text: text.clone(),
            before,
            after: Vec::new(),
        });
        self.remember(number, text);
        Ok(true)
    }

    fn context(&mut self, _: &Searcher, context: &SinkContext<'_>) -> Result<bool, io::Error> {
        let number = context.line_number().unwrap_or(0);
        let text = self.line(number, context.bytes());
        self.remember(number, text);
        Ok(true)
    }

    fn finish(&mut self, _: &Searcher, end: &SinkFinish) -> Result<(), io::Error> {
        self.binary = end.binary_byte_offset().is_some();
        Ok(())
    }
}
