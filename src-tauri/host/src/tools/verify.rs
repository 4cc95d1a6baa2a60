//! Looking whether a file is what it should be (spec 05 "Verification"). A check that fails is a
//! fact in the result, no error.

use kernel::code::Failure;
use kernel::facts::{Scope, Verification};
use kernel::mark;
use kernel::path::AliasPath;
use memchr::memmem::Finder;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::access::Access;
use super::stream::hash;
use crate::redact::Lens;

/// As much of an expected text as a result repeats.
const SHOWN_BYTES: usize = 200;

/// Reads a written file back. `wanted` is `verify_after_write`; `sha256` what it should be.
pub(super) fn after_write(
    access: &mut Access<'_>,
    path: &AliasPath,
    wanted: Option<bool>,
    scope: Option<&str>,
    sha256: &str,
) -> Option<Verification> {
    if wanted != Some(true) {
        return None;
    }
    // The write is done: what is said of it does not depend on Stop.
    let now = hash_of(access, path, &CancellationToken::new());
    let (passed, reason) = match now {
        Ok(now) if now == sha256 => (true, "readback_match"),
        Ok(_) => (false, "readback_mismatch"),
        Err(_) => (false, "readback_failed"),
    };
    Some(Verification {
        performed: true,
        passed,
        scope: Scope::asked(scope, path).to_string(),
        reason: reason.to_owned(),
        expected: None,
        missing: Vec::new(),
        files: Vec::new(),
    })
}

/// SHA-256 of a file the call may read.
pub(super) fn hash_of(
    access: &mut Access<'_>,
    path: &AliasPath,
    cancel: &CancellationToken,
) -> Result<String, Failure> {
    let opened = access.open_file(path)?;
    hash(opened.file, path, cancel, |_| Ok(()))
}

/// Puts a verification into a result.
pub(super) fn note(result: &mut Value, verification: Option<Verification>) {
    if let Some(verification) = verification {
        result["verification"] = json!(verification);
    }
}

/// Texts that a file must hold, looked for while it streams by.
pub(super) struct Tokens {
    wanted: Vec<Token>,
    /// The end of what went by: a text may begin in one piece and end in the next.
    tail: Vec<u8>,
    longest: usize,
}

struct Token {
    /// As the model sent it.
    text: String,
    /// As written, and with the other kind of line ends.
    forms: Vec<Finder<'static>>,
    found: bool,
}

impl Tokens {
    /// Looks for these texts, which are as a model saw them.
    pub(super) fn new(
        tokens: &[String],
        path: &AliasPath,
        lens: Lens<'_>,
    ) -> Result<Self, Failure> {
        let token = |shown: &String| {
            let text = lens.restored(path, "expect_contains", shown)?;
            let lf = text.replace("\r\n", "\n");
            let crlf = lf.replace('\n', "\r\n");
            let mut forms = vec![Finder::new(text.as_bytes()).into_owned()];
            for other in [lf, crlf].iter().filter(|other| **other != text) {
                forms.push(Finder::new(other.as_bytes()).into_owned());
            }
            Ok(Token { text: shown.clone(), forms, found: false })
        };
        let wanted = tokens.iter().map(token).collect::<Result<Vec<Token>, Failure>>()?;
        let lengths = wanted.iter().flat_map(|token| &token.forms).map(|form| form.needle().len());
        let longest = lengths.max().unwrap_or(0);
        Ok(Self { wanted, tail: Vec::new(), longest })
    }

    pub(super) fn take(&mut self, chunk: &[u8]) {
        self.tail.extend_from_slice(chunk);
        for token in self.wanted.iter_mut().filter(|token| !token.found) {
            token.found = token.forms.iter().any(|form| form.find(&self.tail).is_some());
        }
        let keep = self.longest.saturating_sub(1).min(self.tail.len());
        self.tail.drain(..self.tail.len() - keep);
    }

    pub(super) fn verification(self, path: &AliasPath, scope: Option<&str>) -> Verification {
        let shown = |token: &Token| mark::ellipsis(&token.text, SHOWN_BYTES);
        let missing: Vec<String> = self.wanted.iter().filter(|t| !t.found).map(shown).collect();
        let passed = missing.is_empty();
        Verification {
            performed: true,
            passed,
            scope: Scope::asked(scope, path).to_string(),
            reason: if passed { "content_match" } else { "content_mismatch" }.to_owned(),
            expected: Some(json!(self.wanted.iter().map(shown).collect::<Vec<_>>())),
            missing,
            files: Vec::new(),
        }
    }
}
