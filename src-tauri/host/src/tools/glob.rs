//! `fs.glob`: files by their names, and whether enough of them exist.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use kernel::code::{ErrorCode, Failure};
use kernel::facts::{Verification, VerificationScope, VerifiedFile};
use kernel::path::{AliasPath, Mount};
use kernel::tool::glob::{Args, Output};
use serde_json::json;
use std::ops::ControlFlow;
use tokio_util::sync::CancellationToken;

use super::access::Access;
use super::mounts::resolve;
use super::secrets::is_git;
use super::verify::hashed_file;
use super::walk::{FolderWalk, WalkedEntry, WalkedKind};

/// Paths in one answer.
const CAP: usize = 1000;
/// Files whose hash a verification names.
const HASHED: usize = 20;

/// `{ok, path, pattern, paths[], count, truncated?, hint?, verification?}`, sorted. Only files;
/// hidden ones only when the pattern names one, `node_modules` likewise.
pub(super) fn run(
    access: &mut Access<'_>,
    path: &AliasPath,
    args: &Args,
    cancel: &CancellationToken,
) -> Result<Output, Failure> {
    let pattern = Pattern::new(&args.pattern)?;
    let mut paths = Vec::new();
    let count = pattern.find(access, path, cancel, &mut paths)?;
    paths.sort();
    let truncated = count > paths.len();
    let hint = truncated
        .then(|| format!("{CAP} of at least {count} files are shown. Use a narrower pattern."));
    let scope = args.verification_scope.as_deref();
    let check = |min: u32| {
        // A file that is named and was not found is not verified by others that were.
        let named = match scope.and_then(VerificationScope::parse) {
            Some(VerificationScope::Artifact(file)) => paths.contains(&file),
            Some(VerificationScope::Workspace) | None => true,
        };
        let enough = count >= min as usize;
        let reason = match (enough, named) {
            (true, true) => "match_count_satisfied",
            (true, false) => "named_file_not_matched",
            (false, _) => "match_count_too_low",
        };
        let scope = pattern.scope(path, scope);
        hashed(access, &paths, cancel).map(|files| verification(min, reason, files, &scope))
    };
    let verification = args.expect_min_matches.map(check).transpose()?;
    let (path, pattern) = (path.clone(), args.pattern.clone());
    Ok(Output { path, pattern, paths, count, truncated, hint, verification })
}

/// What the files hold that a verification names; one that cannot be read is not named.
pub(super) fn hashed(
    access: &mut Access<'_>,
    paths: &[AliasPath],
    cancel: &CancellationToken,
) -> Result<Vec<VerifiedFile>, Failure> {
    let mut files = Vec::new();
    for path in paths.iter().take(HASHED) {
        match hashed_file(access, path, cancel) {
            Ok(file) => files.push(file),
            Err(failure) if cancel.is_cancelled() => return Err(failure),
            Err(_) => {}
        }
    }
    Ok(files)
}

/// Zero hits are zero, never a file that exists.
fn verification(
    min: u32,
    reason: &str,
    files: Vec<VerifiedFile>,
    scope: &VerificationScope,
) -> Verification {
    Verification {
        performed: true,
        passed: reason == "match_count_satisfied",
        scope: scope.to_string(),
        reason: reason.to_owned(),
        expected: Some(json!(min)),
        missing: Vec::new(),
        files,
    }
}

/// A pattern below a folder.
struct Pattern {
    matcher: GlobSet,
    /// The folders it begins with, word for word.
    folders: Vec<String>,
    /// The rest, from the first segment with a wildcard; at least one.
    rest: Vec<String>,
    /// Whether it names something hidden, or `node_modules`.
    hidden: bool,
    modules: bool,
}

impl Pattern {
    fn new(text: &str) -> Result<Self, Failure> {
        let glob = GlobBuilder::new(text).literal_separator(true).backslash_escape(false).build();
        // A matcher of a single glob is made at the risk of a panic, a set is not.
        let matcher =
            glob.and_then(|glob| GlobSetBuilder::new().add(glob).build()).map_err(|e| {
                Failure::for_model(ErrorCode::InvalidArgs, format!("pattern: {}", e.kind()))
                    .with_action_for_model("Send a pattern such as `docs/**/*.md`.")
            })?;
        let segments: Vec<String> = text.split('/').map(str::to_owned).collect();
        let plain = |segment: &String| !segment.contains(['*', '?', '[', ']', '{', '}', '!']);
        let above = segments.len().saturating_sub(1);
        let literal = segments[..above].iter().take_while(|s| plain(s)).count();
        Ok(Self {
            matcher,
            folders: segments[..literal].to_vec(),
            rest: segments[literal..].to_vec(),
            hidden: segments.iter().any(|segment| segment.starts_with('.')),
            modules: segments.iter().any(|segment| segment == "node_modules"),
        })
    }

    /// How many files match; the first [`CAP`] of them go into `paths`. A folder that is not
    /// there has none.
    fn find(
        &self,
        access: &mut Access<'_>,
        path: &AliasPath,
        cancel: &CancellationToken,
        paths: &mut Vec<AliasPath>,
    ) -> Result<usize, Failure> {
        // The folder itself must exist and be allowed; below it nothing need be there.
        access.open_folder(path)?;
        let mut base = path.clone();
        for folder in &self.folders {
            base = base.join(folder).map_err(|e| {
                Failure::for_model(ErrorCode::SandboxViolation, format!("pattern: {e}"))
                    .with_details(json!({ "reason": e }))
            })?;
        }
        let folder = match access.open_folder(&base) {
            Ok((folder, _)) => folder,
            Err(f) if matches!(f.code, ErrorCode::NotFound | ErrorCode::Io) => return Ok(0),
            Err(f) => return Err(f),
        };
        let unbounded =
            self.rest.iter().any(|segment| segment.contains("**") || segment.contains('{'));
        let depth = if unbounded { u32::MAX } else { u32::try_from(self.rest.len()).unwrap_or(64) };
        let skip = path.rel().len() + usize::from(!path.rel().is_empty());
        let mut count = 0;
        let mut walk = FolderWalk { access, cancel, depth, hidden: self.hidden };
        walk.visit(folder, &base, &mut |access, found| {
            if is_git(found.name) || (found.name == "node_modules" && !self.modules) {
                return Ok(ControlFlow::Continue(false));
            }
            if is_file(access, found)? && self.matcher.is_match(&found.path.rel()[skip..]) {
                count += 1;
                if paths.len() < CAP {
                    paths.push(found.path.clone());
                }
            }
            // One more than is shown tells that there are more.
            let enough = count > CAP;
            Ok(if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(true) })
        })?;
        Ok(count)
    }

    /// What a check stands for: as asked, else the one file a plain pattern names, else the
    /// pattern's hits one by one.
    fn scope(&self, path: &AliasPath, asked: Option<&str>) -> VerificationScope {
        let named = self.folders.iter().chain(&self.rest).cloned().collect::<Vec<_>>().join("/");
        let file = path.join(&named).unwrap_or_else(|_| path.clone());
        VerificationScope::asked(asked, &file)
    }
}

/// A file, or a link to one that the call may read.
fn is_file(access: &mut Access<'_>, found: &WalkedEntry<'_>) -> Result<bool, Failure> {
    match found.kind {
        WalkedKind::File => return Ok(true),
        WalkedKind::Folder => return Ok(false),
        WalkedKind::Link => {}
    }
    let mount: Mount = found.path.mount();
    let place = access.root(found.path).and_then(|root| resolve(root, found.path));
    let Ok(place) = place else { return Ok(false) };
    let Some(name) = &place.name else { return Ok(false) };
    let is_file = place.folder.symlink_metadata(name).is_ok_and(|meta| meta.is_file());
    let Ok(real) = AliasPath::new(mount, &place.rel) else { return Ok(false) };
    Ok(is_file && access.may_read(&real, false)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_that_cannot_be_matched_is_refused() {
        let nested = format!("{}a{}", "{".repeat(300), "}".repeat(300));
        for pattern in ["docs/[", &nested] {
            let refused = Pattern::new(pattern).err().map(|failure| failure.code);
            assert_eq!(refused, Some(ErrorCode::InvalidArgs));
        }
    }
}
