//! A conversation that was made shorter for its model.

use serde::{Deserialize, Serialize};

use crate::code::Failure;
use crate::context::{Compacted, CompactionStatus};
use crate::phrase::{Phrase, engine as said};

/// Why a conversation is made shorter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum CompactionReason {
    /// The next request would take more of what the model reads than it should.
    Full,
    /// The model's server refused a request as too long.
    Refused,
    /// The person asked for it.
    Asked,
    /// The person lets the run go on from its state document alone.
    Fresh,
}

/// See [`Event::CompactionDue`](super::Event::CompactionDue).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CompactionDue {
    /// What makes it too long.
    pub why: CompactionReason,
    /// Whether as much as can be is to go.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hard: bool,
    /// What the server refused, and how many tokens are sent to this model at most from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<Box<RefusedRequest>>,
}

/// A request that a server refused as too long.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RefusedRequest {
    /// In its words.
    pub failure: Failure,
    /// The tokens of a request that it may take.
    pub limit: u64,
}

/// See [`Event::ContextCompacted`](super::Event::ContextCompacted).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ContextCompacted {
    /// What makes it too long.
    pub why: CompactionReason,
    /// What the model sees from now on.
    pub result: Compacted,
}

impl ContextCompacted {
    /// Whether a person is told of it: that nothing could be shortened only when it was asked for.
    pub fn is_told(&self) -> bool {
        self.result.status != CompactionStatus::Noop || self.why != CompactionReason::Full
    }

    /// What a person is told of it, one thing a phrase.
    pub fn said(&self) -> Vec<Phrase> {
        let Compacted { status, before, after, failure, .. } = &self.result;
        let mut said = vec![match (self.why, status) {
            (CompactionReason::Fresh, _) => said::goes_on_afresh(),
            (_, CompactionStatus::Noop) => said::nothing_to_shorten(),
            _ => said::context_shortened(before.tokens, after.tokens),
        }];
        said.extend(failure.as_ref().map(|failure| said::summary_without_model(failure.to_part())));
        said
    }
}
