//! Looking whether a file is what it should be (spec 05 "Verification"). A check that fails is a
//! fact in the result, no error.

use kernel::bounds::{REREAD_BYTES, VERIFIED_LINE_BYTES, VERIFIED_TEXT_BYTES};
use kernel::code::{ErrorCode, Failure};
use kernel::effect::{ForeignChange, KnownFile};
use kernel::facts::{Verification, VerificationScope, VerifiedFile};
use kernel::mark;
use kernel::path::AliasPath;
use memchr::memmem::Finder;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::access::{Access, OpenedFile};
use super::stream::hash;
use crate::redact::Lens;

/// As much of an expected text as a result repeats.
const SHOWN_BYTES: usize = 200;

/// Reads a written file back; `sha256` is what it should be.
pub(super) fn after_write(
    access: &mut Access<'_>,
    path: &AliasPath,
    scope: Option<&str>,
    sha256: &str,
) -> Verification {
    // The write is done: what is said of it does not depend on Stop.
    let now = hashed_file(access, path, &CancellationToken::new());
    let (passed, reason) = match now {
        Ok(now) if now.sha256 == sha256 => (true, "readback_match"),
        Ok(_) => (false, "readback_mismatch"),
        Err(_) => (false, "readback_failed"),
    };
    Verification {
        performed: true,
        passed,
        scope: VerificationScope::asked(scope, path).to_string(),
        reason: reason.to_owned(),
        expected: None,
        missing: Vec::new(),
        files: Vec::new(),
    }
}

/// A file that the call may read, with the hash of its bytes.
pub(super) fn hashed_file(
    access: &mut Access<'_>,
    path: &AliasPath,
    cancel: &CancellationToken,
) -> Result<VerifiedFile, Failure> {
    let OpenedFile { file, resolved, .. } = access.open_file(path)?;
    let sha256 = hash(file, path, cancel, |_| Ok(()))?;
    Ok(VerifiedFile { path: path.clone(), resolved, sha256 })
}

/// Which of these files are other than they were; see
/// [`ToolHost::changed_by_others`](super::ToolHost::changed_by_others).
pub(super) fn changed_by_others(
    access: &mut Access<'_>,
    files: &[KnownFile],
) -> Vec<ForeignChange> {
    let cancel = access.cancel().clone();
    let mut budget = REREAD_BYTES;
    let mut changed = Vec::new();
    for known in files {
        let path = known.path.clone();
        let sha256 = match access.open_file(&path) {
            // No run writes as much: it is another file.
            Ok(opened) if opened.len > REREAD_BYTES => None,
            Ok(opened) if opened.len > budget => continue,
            Ok(opened) => {
                budget -= opened.len;
                hash(opened.file, &path, &cancel, |_| Ok(())).ok()
            }
            // That one may not be looked at says nothing of it.
            Err(failure) if failure.code == ErrorCode::SecretFile => continue,
            // Gone, or something in its place that is no file to read.
            Err(_) => None,
        };
        if cancel.is_cancelled() {
            return Vec::new();
        }
        if sha256.as_deref() != Some(known.sha256.as_str()) {
            changed.push(ForeignChange { path, sha256 });
        }
    }
    changed
}

/// Texts that a file must hold, looked for while it streams by: in what is shown of it, or a
/// model could guess the name of a private folder letter by letter.
pub(super) struct Tokens<'m> {
    wanted: Vec<VerifyToken>,
    lens: Lens<'m>,
    /// What went by and may be part of something wanted, from the beginning of a line on.
    text: String,
    /// So much of it was looked through.
    seen: usize,
    /// The beginning of a character.
    part: Vec<u8>,
    longest: usize,
}

struct VerifyToken {
    /// As the model sent it.
    text: String,
    /// As sent, and with the other kind of line ends.
    forms: Vec<TokenForm>,
    found: bool,
}

struct TokenForm {
    sent: String,
    /// With the real names: what does not stand in the file is not shown of it either.
    real: Finder<'static>,
}

impl<'m> Tokens<'m> {
    /// Looks for these texts, which are as a model saw them.
    pub(super) fn new(
        tokens: &[String],
        path: &AliasPath,
        lens: Lens<'m>,
    ) -> Result<Self, Failure> {
        let token = |text: &String| {
            let lf = text.replace("\r\n", "\n");
            let crlf = lf.replace('\n', "\r\n");
            let others = [lf, crlf].into_iter().filter(|other| other != text);
            let form = |sent: String| {
                let real = lens.restored(path, "expect_contains", &sent)?;
                Ok(TokenForm { sent, real: Finder::new(real.as_bytes()).into_owned() })
            };
            let forms = std::iter::once(text.clone()).chain(others).map(form);
            let forms = forms.collect::<Result<Vec<TokenForm>, Failure>>()?;
            Ok(VerifyToken { text: text.clone(), forms, found: false })
        };
        let wanted = tokens.iter().map(token).collect::<Result<Vec<VerifyToken>, Failure>>()?;
        let lengths =
            wanted.iter().flat_map(|token| &token.forms).map(|form| form.real.needle().len());
        let longest = lengths.max().unwrap_or(0);
        Ok(Self { wanted, lens, text: String::new(), seen: 0, part: Vec::new(), longest })
    }

    pub(super) fn take(&mut self, chunk: &[u8]) {
        if self.wanted.iter().all(|token| token.found) {
            return;
        }
        self.part.extend_from_slice(chunk);
        let mut read = 0;
        for piece in self.part.utf8_chunks() {
            self.text.push_str(piece.valid());
            read += piece.valid().len();
            let invalid = piece.invalid();
            let goes_on = read + invalid.len() == self.part.len() && begins_character(invalid);
            if !invalid.is_empty() && !goes_on {
                self.text.push(char::REPLACEMENT_CHARACTER);
                read += invalid.len();
            }
        }
        self.part.drain(..read);
        self.look_through(self.ready());
    }

    /// How much of the text can be looked through: whole lines, for a folder's name may go on
    /// behind the end of what is here.
    fn ready(&self) -> usize {
        match self.text[self.seen..].rfind('\n') {
            Some(end) => self.seen + end + 1,
            None if self.text.len() - self.seen > VERIFIED_LINE_BYTES => {
                self.lens.uncut(&self.text).len()
            }
            None => self.seen,
        }
    }

    fn look_through(&mut self, ready: usize) {
        if ready <= self.seen {
            // Nothing but what a folder's name may begin with: no text that is looked for.
            if self.text.len() > VERIFIED_TEXT_BYTES {
                self.text.clear();
                self.seen = 0;
            }
            return;
        }
        let text = &self.text[..ready];
        let mut view = None;
        for token in self.wanted.iter_mut().filter(|token| !token.found) {
            token.found = token.forms.iter().any(|form| {
                form.real.find(text.as_bytes()).is_some()
                    && (view.get_or_insert_with(|| self.lens.view(text)).places(&form.sent))
                        .next()
                        .is_some()
            });
        }
        let reach = kernel::text::prefix(text, text.len().saturating_sub(self.longest));
        let line = reach.rfind('\n').map_or(0, |end| end + 1);
        let from = if reach.len() - line > VERIFIED_LINE_BYTES {
            self.lens.view(text).outside(reach.len())
        } else {
            line
        };
        self.text.drain(..from);
        self.seen = ready - from;
    }

    pub(super) fn verification(mut self, path: &AliasPath, scope: Option<&str>) -> Verification {
        if !self.part.is_empty() {
            self.text.push(char::REPLACEMENT_CHARACTER);
        }
        self.look_through(self.text.len());
        let shown = |token: &VerifyToken| mark::ellipsis(&token.text, SHOWN_BYTES);
        let missing: Vec<String> = self.wanted.iter().filter(|t| !t.found).map(shown).collect();
        let passed = missing.is_empty();
        Verification {
            performed: true,
            passed,
            scope: VerificationScope::asked(scope, path).to_string(),
            reason: if passed { "content_match" } else { "content_mismatch" }.to_owned(),
            expected: Some(json!(self.wanted.iter().map(shown).collect::<Vec<_>>())),
            missing,
            files: Vec::new(),
        }
    }
}

/// Whether these bytes may be the beginning of a character.
fn begins_character(bytes: &[u8]) -> bool {
    matches!(std::str::from_utf8(bytes), Err(e) if e.error_len().is_none())
}
