//! `fs.read`

use kernel::code::{ErrorCode, Failure};
use kernel::path::AliasPath;
use kernel::text::sha256_hex;
use kernel::tool::read::{Args, Output};
use tokio_util::sync::CancellationToken;

use super::access::Access;
use super::stream::hash;
use super::verify::Tokens;
use crate::redact::Lens;

/// What is shown of a file over the limit when no window was asked for.
const PREVIEW_BYTES: u64 = 16 * 1024;
/// A NUL this early means that it is no text, as git and ripgrep have it.
pub(super) const SNIFF_BYTES: usize = 8 * 1024;

/// `{ok, path, bytes, sha256, totalLines, content}` or, over the limit,
/// `{…, contentPreview, truncated:true, hint}`; a window adds `startLine`, `endLine`. The hash is
/// that of the whole file either way. With `expect_contains` the whole file is looked through
/// and `verification` says what it lacks.
pub(super) fn run(
    access: &mut Access<'_>,
    path: &AliasPath,
    args: &Args,
    cancel: &CancellationToken,
) -> Result<Output, Failure> {
    let asked_window = args.start_line.is_some() || args.end_line.is_some();
    let start = u64::from(args.start_line.unwrap_or(1));
    let end = args.end_line.map_or(u64::MAX, u64::from);
    if start == 0 || end < start {
        let message = "startLine must be at least 1 and endLine at least startLine";
        return Err(Failure::for_model(ErrorCode::InvalidArgs, message));
    }
    let opened = access.open_file(path)?;
    let limit = access.policy().max_read_bytes;
    let whole = !asked_window && opened.len <= limit;
    let cap = if whole || asked_window { limit } else { limit.min(PREVIEW_BYTES) };
    let mut window = Window::new(start, end, usize::try_from(cap).unwrap_or(usize::MAX));
    let lens = access.lens(path);
    let expected = args.expect_contains.as_deref();
    let mut tokens = expected.map(|tokens| Tokens::new(tokens, path, lens)).transpose()?;
    let mut document = (*path == AliasPath::state_document()).then(Vec::new);
    let resolved = opened.resolved;
    let mut sha256 = hash(opened.file, path, cancel, |chunk| {
        if let Some(tokens) = &mut tokens {
            tokens.take(chunk);
        }
        if let Some(document) = &mut document {
            document.extend_from_slice(chunk);
        }
        window.take(chunk, path)
    })?;
    // The engine knows this one document as it is shown, and compares with that.
    if let Some(text) = document.as_deref().and_then(|bytes| std::str::from_utf8(bytes).ok()) {
        sha256 = sha256_hex(lens.shown(text).as_bytes());
    }
    let output = window.answer(path, lens, sha256, asked_window)?;
    let scope = args.verification_scope.as_deref();
    let verification = tokens.map(|tokens| tokens.verification(path, scope));
    Ok(Output { resolved, verification, ..output })
}

/// Lines `start..=end` of a stream, as many bytes of them as fit.
struct Window {
    start: u64,
    end: u64,
    cap: usize,
    line: u64,
    seen: u64,
    open_line: bool,
    kept: Vec<u8>,
    cut: bool,
}

impl Window {
    fn new(start: u64, end: u64, cap: usize) -> Self {
        Self { start, end, cap, line: 1, seen: 0, open_line: false, kept: Vec::new(), cut: false }
    }

    fn take(&mut self, chunk: &[u8], path: &AliasPath) -> Result<(), Failure> {
        if self.seen == 0 && chunk[..chunk.len().min(SNIFF_BYTES)].contains(&0) {
            return Err(not_text(path));
        }
        self.seen += chunk.len() as u64;
        for piece in chunk.split_inclusive(|b| *b == b'\n') {
            if self.line >= self.start && self.line <= self.end && !self.cut {
                let room = self.cap - self.kept.len();
                self.kept.extend_from_slice(&piece[..piece.len().min(room)]);
                self.cut = piece.len() > room;
            }
            self.open_line = piece.last() != Some(&b'\n');
            self.line += u64::from(!self.open_line);
        }
        Ok(())
    }

    fn answer(
        self,
        path: &AliasPath,
        lens: Lens<'_>,
        sha256: String,
        asked: bool,
    ) -> Result<Output, Failure> {
        let total = self.line - u64::from(!self.open_line);
        if asked && self.start > total.max(1) {
            let message = format!("{path} has only {total} lines");
            return Err(Failure::for_model(ErrorCode::InvalidArgs, message)
                .with_action_for_model("Ask for a window within them."));
        }
        let text = self.text(path, lens)?;
        let last = self.start + text.lines().count().saturating_sub(1) as u64;
        let part = asked || self.cut;
        let shown = Some(lens.shown(text).into_owned());
        let (content, content_preview) = if self.cut { (None, shown) } else { (shown, None) };
        Ok(Output {
            path: path.clone(),
            bytes: self.seen,
            sha256,
            resolved: None,
            total_lines: total,
            start_line: part.then_some(self.start),
            end_line: part.then_some(last),
            truncated: self.cut,
            content_preview,
            hint: self.cut.then(|| hint(self.start, last, total)),
            content,
            verification: None,
        })
    }

    /// The kept bytes as text; what was cut ends after a whole line if there is one, and never
    /// within the name of a private folder.
    fn text(&self, path: &AliasPath, lens: Lens<'_>) -> Result<&str, Failure> {
        let text = match std::str::from_utf8(&self.kept) {
            Ok(text) => text,
            // The limit fell inside a character.
            Err(e) if self.cut && e.error_len().is_none() => {
                std::str::from_utf8(&self.kept[..e.valid_up_to()]).map_err(|_| not_text(path))?
            }
            Err(_) => return Err(not_text(path)),
        };
        Ok(match text.rfind('\n') {
            Some(end) if self.cut => &text[..=end],
            None if self.cut => lens.uncut(text),
            _ => text,
        })
    }
}

fn hint(start: u64, last: u64, total: u64) -> String {
    if last >= total {
        return "The line is longer than may be read at once. Find the part you need with fs_search."
            .to_owned();
    }
    format!(
        "Lines {start} to {last} of {total} are shown. Find the place you need with fs_search, or go on with startLine {}.",
        last + 1
    )
}

fn not_text(path: &AliasPath) -> Failure {
    Failure::for_model(ErrorCode::NotText, format!("{path} is not UTF-8 text"))
        .with_action_for_model(
            "Tools read text files only. Go on without it, or ask the user to convert it.",
        )
}
