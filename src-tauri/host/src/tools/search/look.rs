//! Looking into one file.

use cap_std::fs::Dir;
use grep_matcher::LineTerminator;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use kernel::bounds::SEARCHED_LINE_BYTES;
use kernel::path::AliasPath;
use tokio_util::sync::CancellationToken;

use super::sink::Hits;
use super::sought::{InFile, Sought};
use crate::redact::Marks;
use crate::tools::access::open_listed;
use crate::tools::stream::Stoppable;

/// How much is shown.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'m> {
    pub(super) before: usize,
    pub(super) after: usize,
    pub(super) max: usize,
    pub(super) marks: &'m Marks,
}

impl<'m> Wanted<'m> {
    fn hits(self) -> Hits<'m> {
        Hits::new(self.before as u64, self.after as u64, self.max, self.marks)
    }
}

/// What some files gave.
pub(super) struct Found<'m> {
    pub(super) hits: Hits<'m>,
    pub(super) scanned: u64,
    pub(super) skipped: u64,
}

impl<'m> Found<'m> {
    pub(super) fn new(wanted: Wanted<'m>) -> Self {
        Self { hits: wanted.hits(), scanned: 0, skipped: 0 }
    }
}

/// Reads files as the answer needs them.
pub(super) fn searcher(wanted: Wanted<'_>) -> Searcher {
    SearcherBuilder::new()
        .line_number(true)
        // The same as the matcher's, or the searcher refuses every file.
        .line_terminator(LineTerminator::crlf())
        .before_context(wanted.before)
        .after_context(wanted.after)
        .binary_detection(BinaryDetection::quit(0))
        .heap_limit(Some(SEARCHED_LINE_BYTES))
        .build()
}

/// Looks into one file. Gone, swapped or unreadable: as if it had never been there.
pub(super) fn search_file(
    sought: &Sought,
    searcher: &mut Searcher,
    cancel: &CancellationToken,
    out: &mut Found<'_>,
    folder: &Dir,
    name: &str,
    path: &AliasPath,
) {
    let Ok(opened) = open_listed(folder, name, path) else {
        out.skipped += 1;
        return;
    };
    let reader = Stoppable { file: opened.file, cancel };
    let sought = InFile::new(sought, out.hits.marks.lens(path, 0));
    let mut sink = out.hits.of_file(path, sought);
    let done = searcher.search_reader(sought, reader, &mut sink);
    if done.is_ok() && !sink.binary() {
        out.scanned += 1;
    } else {
        sink.forget();
        out.skipped += 1;
    }
}
