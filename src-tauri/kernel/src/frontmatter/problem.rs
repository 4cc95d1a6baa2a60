//! Why a front matter cannot be read, as data.

use serde_json::json;

use crate::code::{ErrorCode, Failure};
use crate::phrase::Phrase;

/// What is wrong with a front matter, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrontmatterProblem {
    /// What is wrong.
    pub says: Phrase,
    /// What to do.
    pub advice: Phrase,
    /// Line and column of the file, where the parser knows them.
    pub place: Option<(usize, usize)>,
}

impl FrontmatterProblem {
    pub(super) fn new(says: Phrase, advice: Phrase) -> Self {
        Self { says, advice, place: None }
    }
}

impl From<FrontmatterProblem> for Failure {
    fn from(problem: FrontmatterProblem) -> Self {
        let failure =
            Self::new(ErrorCode::InvalidFrontmatter, problem.says).with_action(problem.advice);
        match problem.place {
            Some((line, column)) => failure.with_details(json!({ "line": line, "column": column })),
            None => failure,
        }
    }
}
