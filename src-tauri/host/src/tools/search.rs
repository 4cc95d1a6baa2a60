//! `fs.search`: ripgrep's own searcher and matcher, over files reached through the mount.

mod sink;

use cap_std::fs::Dir;
use grep_matcher::LineTerminator;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use ignore::overrides::{Override, OverrideBuilder};
use kernel::code::{ErrorCode, Failure};
use kernel::path::{AliasPath, Mount};
use kernel::tool::SearchArgs;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::Path;
use tokio_util::sync::CancellationToken;

use super::access::{Access, open_checked};
use super::rules::Rules;
use super::stream::{Stoppable, stopped};
use super::walk::{Found, Kind, Step, Walk};
use sink::Hits;

const DEFAULT_MATCHES: u32 = 50;
const MAX_MATCHES: u32 = 1000;
const MAX_CONTEXT: u32 = 20;
/// Memory a regular expression may take: enough for honest ones.
const REGEX_BYTES: usize = 1 << 20;
/// The longest line the searcher holds; a file with a longer one is skipped.
const LINE_BYTES: usize = 16 << 20;

/// `{ok, path, matches[{path,line,column,text,before,after}], stats, truncated?, hint?}`, sorted by
/// path and line. `truncated` means that there is at least one more.
pub(super) fn run(
    access: &mut Access<'_>,
    path: &AliasPath,
    args: &SearchArgs,
    cancel: &CancellationToken,
) -> Result<Value, Failure> {
    let place = access.resolve(path)?;
    if let Some(name) = &place.name
        && !is_dir(&place.folder, name)
    {
        // Refused aloud here; in a walk it would be passed over.
        open_checked(&place.folder, name, path)?;
        let mut search = Search::new(path, args, cancel)?;
        search.file(&place.folder, name, path)?;
        return Ok(search.answer(path));
    }
    let (folder, real) = access.open_folder(path)?;
    let mut search = Search::new(&real, args, cancel)?;
    let mut ignored = Rules::search(access.root(Mount::Project));
    Walk { access, cancel, depth: u32::MAX, hidden: false }.visit(
        &folder,
        &real,
        &mut |_, found| search.step(found, &mut ignored),
    )?;
    Ok(search.answer(path))
}

fn is_dir(folder: &Dir, name: &str) -> bool {
    folder.symlink_metadata(name).is_ok_and(|meta| meta.is_dir())
}

struct Search<'c> {
    matcher: RegexMatcher,
    searcher: Searcher,
    globs: Globs,
    hits: Hits,
    scanned: u64,
    skipped: u64,
    cancel: &'c CancellationToken,
}

impl<'c> Search<'c> {
    fn new(
        path: &AliasPath,
        args: &SearchArgs,
        cancel: &'c CancellationToken,
    ) -> Result<Self, Failure> {
        let before = args.before.unwrap_or(1).min(MAX_CONTEXT) as usize;
        let after = args.after.unwrap_or(1).min(MAX_CONTEXT) as usize;
        let max = args.max_matches.unwrap_or(DEFAULT_MATCHES).clamp(1, MAX_MATCHES) as usize;
        let searcher = SearcherBuilder::new()
            .line_number(true)
            // The same as the matcher's, or the searcher refuses every file.
            .line_terminator(LineTerminator::crlf())
            .before_context(before)
            .after_context(after)
            .binary_detection(BinaryDetection::quit(0))
            .heap_limit(Some(LINE_BYTES))
            .build();
        Ok(Self {
            matcher: matcher(args)?,
            searcher,
            globs: Globs::new(path, args.globs.as_deref().unwrap_or_default())?,
            hits: Hits::new(before as u64, after as u64, max),
            scanned: 0,
            skipped: 0,
            cancel,
        })
    }

    fn step(&mut self, found: &Found<'_>, ignored: &mut Rules<'_>) -> Result<Step, Failure> {
        let is_dir = found.kind == Kind::Folder;
        let passed_over = found.kind == Kind::Link
            || (is_dir && found.name == "node_modules")
            || (found.path.mount() == Mount::Project && ignored.cover(found.path.rel(), is_dir)?);
        if passed_over {
            return Ok(ControlFlow::Continue(false));
        }
        if !is_dir && self.globs.take(found.path) {
            self.file(found.folder, found.name, found.path)?;
        }
        Ok(if self.hits.full { ControlFlow::Break(()) } else { ControlFlow::Continue(true) })
    }

    fn file(&mut self, folder: &Dir, name: &str, path: &AliasPath) -> Result<(), Failure> {
        // Gone or swapped since the folder was read: as if it had never been there.
        let Ok(opened) = open_checked(folder, name, path) else {
            self.skipped += 1;
            return Ok(());
        };
        let reader = Stoppable { file: opened.file, cancel: self.cancel };
        let mut sink = self.hits.of_file(path, &self.matcher);
        let done = self.searcher.search_reader(&self.matcher, reader, &mut sink);
        if self.cancel.is_cancelled() {
            return Err(stopped());
        }
        match done {
            Ok(()) if !sink.binary() => self.scanned += 1,
            _ => {
                sink.forget();
                self.skipped += 1;
            }
        }
        Ok(())
    }

    fn answer(self, path: &AliasPath) -> Value {
        let stats = json!({ "filesScanned": self.scanned, "filesSkipped": self.skipped,
            "matchesFound": self.hits.found.len() });
        let mut result = json!({ "ok": true, "path": path, "matches": self.hits.found,
            "stats": stats });
        if self.hits.full {
            result["truncated"] = json!(true);
            result["hint"] = json!(
                "There are more matches. Search in a folder further down, with `globs`, or for a rarer text."
            );
        } else if self.scanned == 0 {
            result["hint"] = json!(
                "No file was searched: hidden, binary and ignored files are skipped. Name a file to search just that one."
            );
        }
        result
    }
}

fn matcher(args: &SearchArgs) -> Result<RegexMatcher, Failure> {
    let invalid = |message: String| {
        Failure::new(ErrorCode::InvalidArgs, format!("pattern: {message}")).with_action(
            "Search for one line of plain text, or send a regular expression with regex: true.",
        )
    };
    if args.pattern.is_empty() {
        return Err(invalid("it is empty".to_owned()));
    }
    RegexMatcherBuilder::new()
        .fixed_strings(!args.regex.unwrap_or(false))
        .size_limit(REGEX_BYTES)
        .dfa_size_limit(REGEX_BYTES)
        .nest_limit(50)
        .multi_line(true)
        .crlf(true)
        .build(&args.pattern)
        .map_err(|e| invalid(e.to_string()))
}

/// The `globs` argument. A glob may be meant from the mount or from the folder searched.
struct Globs {
    from_mount: Override,
    from_here: Override,
    skip: usize,
}

impl Globs {
    fn new(path: &AliasPath, globs: &[String]) -> Result<Self, Failure> {
        let build = || {
            let mut builder = OverrideBuilder::new("");
            for glob in globs {
                builder.add(glob)?;
            }
            builder.build()
        };
        let invalid = |e: ignore::Error| {
            Failure::new(ErrorCode::InvalidArgs, format!("globs: {e}"))
                .with_action("Send globs such as `**/*.md`.")
        };
        let skip = path.rel().len() + usize::from(!path.rel().is_empty());
        Ok(Self {
            from_mount: build().map_err(invalid)?,
            from_here: build().map_err(invalid)?,
            skip,
        })
    }

    fn take(&self, path: &AliasPath) -> bool {
        let rel = path.rel();
        let here = rel.get(self.skip..).unwrap_or(rel);
        !self.from_mount.matched(Path::new(rel), false).is_ignore()
            || !self.from_here.matched(Path::new(here), false).is_ignore()
    }
}
