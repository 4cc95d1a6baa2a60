//! What is searched for. A line counts when what is shown of it matches: a hit in the name of a
//! private folder would tell that name, letter by letter.

use grep_matcher::{LineMatchKind, LineTerminator, Match, Matcher, NoCaptures, NoError};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use kernel::bounds::REGEX_BYTES;
use kernel::code::{ErrorCode, Failure};
use kernel::path::AliasPath;
use std::borrow::Cow;

use crate::redact::{Lens, Marks};

/// See the module.
pub(super) struct Sought {
    /// With the real names.
    real: RegexMatcher,
    sent: Sent,
}

/// As the model sent it, for lines that are not shown as they are.
enum Sent {
    Text(String),
    Regex(RegexMatcher),
}

impl Sought {
    pub(super) fn new(
        path: &AliasPath,
        lens: Lens<'_>,
        pattern: &str,
        regex: bool,
    ) -> Result<Self, Failure> {
        if !regex {
            let real = matcher(&lens.restored(path, "pattern", pattern)?, false)?;
            return Ok(Self { real, sent: Sent::Text(pattern.to_owned()) });
        }
        let real = lens.restored_pattern(path, "pattern", pattern)?;
        // First the one that a refusal may repeat.
        let sent = matcher(&Marks::shown_pattern(pattern), true)?;
        let real = matcher(&real, true)?;
        Ok(Self { real, sent: Sent::Regex(sent) })
    }
}

/// The same, looked for in one file.
#[derive(Clone, Copy)]
pub(super) struct InFile<'s> {
    sought: &'s Sought,
    lens: Lens<'s>,
}

impl<'s> InFile<'s> {
    pub(super) fn new(sought: &'s Sought, lens: Lens<'s>) -> Self {
        Self { sought, lens }
    }

    /// In which character of a line as it is shown the first hit begins, from 1.
    pub(super) fn column(self, line: &[u8]) -> u64 {
        let real = |at: usize| String::from_utf8_lossy(&line[..at]).chars().count();
        let at = match self.hit(line) {
            None => 0,
            Some(Hit::Real(found)) => real(found.start()),
            Some(Hit::Shown(shown, at)) => shown[..at].chars().count(),
        };
        at as u64 + 1
    }

    fn hit(self, line: &[u8]) -> Option<Hit> {
        let in_real = || self.sought.real.find(line).ok().flatten();
        match &self.sought.sent {
            // What is shown of a line and is no mark stands in it as well.
            Sent::Text(sent) => {
                let found = in_real()?;
                let text = String::from_utf8_lossy(line);
                let view = self.lens.view(&text);
                if view.is_plain() {
                    return Some(Hit::Real(found));
                }
                let place = view.places(sent).next()?;
                Some(Hit::Shown(view.shown().to_owned(), place.shown))
            }
            // What matches may lie in a mark or not, and only what is shown may decide.
            Sent::Regex(sent) => {
                let text = String::from_utf8_lossy(line);
                match self.lens.shown(&text) {
                    Cow::Borrowed(_) => in_real().map(Hit::Real),
                    Cow::Owned(shown) => {
                        let at = sent.find(shown.as_bytes()).ok().flatten()?.start();
                        Some(Hit::Shown(shown, at))
                    }
                }
            }
        }
    }
}

/// The first hit of a line.
enum Hit {
    /// In a line that is shown as it is.
    Real(Match),
    /// In what is shown of the line, at this byte.
    Shown(String, usize),
}

impl Matcher for InFile<'_> {
    type Captures = NoCaptures;
    type Error = NoError;

    /// Only whole lines are asked about.
    fn find_at(&self, line: &[u8], at: usize) -> Result<Option<Match>, NoError> {
        Ok(self.hit(&line[at..]).map(|hit| match hit {
            Hit::Real(found) => found.offset(at),
            Hit::Shown(..) => Match::zero(at),
        }))
    }

    fn new_captures(&self) -> Result<NoCaptures, NoError> {
        Ok(NoCaptures::new())
    }

    /// Without one, the searcher asks about each line by itself.
    fn line_terminator(&self) -> Option<LineTerminator> {
        match self.sought.sent {
            Sent::Text(_) => self.sought.real.line_terminator(),
            Sent::Regex(_) => None,
        }
    }

    fn find_candidate_line(&self, text: &[u8]) -> Result<Option<LineMatchKind>, NoError> {
        let found = self.sought.real.find_candidate_line(text)?;
        Ok(found.map(|(LineMatchKind::Confirmed(at) | LineMatchKind::Candidate(at))| {
            LineMatchKind::Candidate(at)
        }))
    }
}

fn matcher(pattern: &str, regex: bool) -> Result<RegexMatcher, Failure> {
    let invalid = |message: String| {
        Failure::for_model(ErrorCode::InvalidArgs, format!("pattern: {message}"))
            .with_action_for_model(
                "Search for one line of plain text, or send a regular expression with regex: true.",
            )
    };
    if pattern.is_empty() {
        return Err(invalid("it is empty".to_owned()));
    }
    RegexMatcherBuilder::new()
        .fixed_strings(!regex)
        .size_limit(REGEX_BYTES)
        .dfa_size_limit(REGEX_BYTES)
        .nest_limit(50)
        .multi_line(true)
        .crlf(true)
        .build(pattern)
        .map_err(|e| invalid(e.to_string()))
}
