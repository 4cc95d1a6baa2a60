//! `fs.search`: ripgrep's own searcher and matcher, over files reached through the mount.

mod look;
mod sink;
mod sought;
mod workers;

use cap_std::fs::Dir;
use grep_searcher::Searcher;
use ignore::overrides::{Override, OverrideBuilder};
use kernel::bounds::{MATCH_CONTEXT, MATCHES, SOUGHT_BYTES};
use kernel::code::{ErrorCode, Failure};
use kernel::path::{AliasPath, Mount};
use kernel::tool::search::{Args, Output, Stats};
use std::ops::ControlFlow;
use std::path::Path;
use tokio_util::sync::CancellationToken;

use super::access::{Access, open_checked};
use super::rules::IgnoreRules;
use super::stream::stopped;
use super::walk::{FolderWalk, WalkStep, WalkedKind};
use crate::redact::Marks;
use look::{Found, Wanted, search_file, searcher};
use sought::Sought;
use workers::WorkerPool;

const DEFAULT_MATCHES: u32 = 50;

/// `{ok, path, matches[{path,line,column,text,before,after}], stats, truncated?, hint?}`, sorted by
/// path and line. `truncated` means that there is at least one more.
pub(super) fn run(
    access: &mut Access<'_>,
    path: &AliasPath,
    args: &Args,
    cancel: &CancellationToken,
) -> Result<Output, Failure> {
    let place = access.resolve(path)?;
    if let Some(name) = &place.name
        && !is_dir(&place.folder, name)
    {
        // Refused aloud here; in a walk it would be passed over.
        open_checked(&place.folder, name, path)?;
        let mut search = Search::new(access.marks(), path, args, cancel)?;
        search.file(&place.folder, name, path)?;
        return Ok(search.answer(path));
    }
    let (folder, real) = access.open_folder(path)?;
    let mut search = Search::new(access.marks(), &real, args, cancel)?;
    search.below(access, folder, &real)?;
    Ok(search.answer(path))
}

fn is_dir(folder: &Dir, name: &str) -> bool {
    folder.symlink_metadata(name).is_ok_and(|meta| meta.is_dir())
}

struct Search<'c> {
    sought: Sought,
    searcher: Searcher,
    globs: Globs,
    wanted: Wanted<'c>,
    out: Found<'c>,
    cancel: &'c CancellationToken,
}

impl<'c> Search<'c> {
    fn new(
        marks: &'c Marks,
        path: &AliasPath,
        args: &Args,
        cancel: &'c CancellationToken,
    ) -> Result<Self, Failure> {
        let before = args.before.unwrap_or(1).min(MATCH_CONTEXT) as usize;
        let after = args.after.unwrap_or(1).min(MATCH_CONTEXT) as usize;
        let max = args.max_matches.unwrap_or(DEFAULT_MATCHES).clamp(1, MATCHES) as usize;
        let wanted = Wanted { before, after, max, marks };
        let lens = marks.lens(path, SOUGHT_BYTES);
        Ok(Self {
            sought: Sought::new(path, lens, &args.pattern, args.regex.unwrap_or(false))?,
            searcher: searcher(wanted),
            globs: Globs::new(path, args.globs.as_deref().unwrap_or_default())?,
            wanted,
            out: Found::new(wanted),
            cancel,
        })
    }

    /// Searches one file.
    fn file(&mut self, folder: &Dir, name: &str, path: &AliasPath) -> Result<(), Failure> {
        search_file(
            &self.sought,
            &mut self.searcher,
            self.cancel,
            &mut self.out,
            folder,
            name,
            path,
        );
        if self.cancel.is_cancelled() { Err(stopped()) } else { Ok(()) }
    }

    /// Searches everything below a folder: this thread goes through the folders in order, others
    /// look into the files, and what they find is put together in that order. So the answer is
    /// the same every time.
    fn below(
        &mut self,
        access: &mut Access<'_>,
        folder: Dir,
        path: &AliasPath,
    ) -> Result<(), Failure> {
        let mut ignored = IgnoreRules::search(access.project());
        let in_project = path.mount() == Mount::Project;
        if in_project && ignored.cover(path.rel(), true)? {
            return Ok(());
        }
        let (cancel, wanted) = (self.cancel, self.wanted);
        let workers = WorkerPool::new(&self.sought, wanted, cancel);
        let (globs, out) = (&self.globs, &mut self.out);
        std::thread::scope(|scope| {
            let _stops = workers.stop_at_end();
            workers.spawn(scope);
            let mut walk = FolderWalk { access, cancel, depth: u32::MAX, hidden: false };
            let walked = walk.visit(folder, path, &mut |_, found| {
                let is_dir = found.kind == WalkedKind::Folder;
                if found.kind == WalkedKind::Link || (is_dir && found.name == "node_modules") {
                    return Ok(ControlFlow::Continue(false));
                }
                if in_project {
                    let above = found.path.rel().rsplit_once('/').map_or("", |(above, _)| above);
                    ignored.enter(above, found.folder)?;
                    if ignored.covers_itself(found.path.rel(), is_dir)? {
                        return Ok(ControlFlow::Continue(false));
                    }
                }
                if !is_dir && globs.take(found.path) {
                    workers.add(found, out);
                }
                Ok(step(out.hits.full))
            });
            if walked.is_ok() {
                workers.finish(out);
            }
            walked
        })?;
        if self.cancel.is_cancelled() { Err(stopped()) } else { Ok(()) }
    }

    fn answer(self, path: &AliasPath) -> Output {
        let Found { hits, scanned, skipped } = self.out;
        let (matches, truncated) = (hits.found, hits.full);
        let stats =
            Stats { files_scanned: scanned, files_skipped: skipped, matches_found: matches.len() };
        let hint = if truncated {
            Some(
                "There are more matches. Search in a folder further down, with `globs`, or for a rarer text.",
            )
        } else if scanned == 0 {
            Some(
                "No file was searched: hidden, binary and ignored files are skipped. Name a file to search just that one.",
            )
        } else {
            None
        };
        let (path, hint) = (path.clone(), hint.map(str::to_owned));
        Output { path, matches, stats, truncated, hint }
    }
}

fn step(full: bool) -> WalkStep {
    if full { ControlFlow::Break(()) } else { ControlFlow::Continue(true) }
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
            Failure::for_model(ErrorCode::InvalidArgs, format!("globs: {e}"))
                .with_action_for_model("Send globs such as `**/*.md`.")
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
