//! How full a model is.

use serde::{Deserialize, Serialize};

use crate::ids::NodeId;
use crate::tokens::Tokenizer;

/// How much of what the model reads the next request takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ContextUsage {
    /// How many tokens it has.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub used: u64,
    /// Whether the numbers of tokens are estimates: nobody knows the model's tokenizer.
    pub estimated: bool,
    /// How many the model reads; absent where nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional, type = "number"))]
    pub budget: Option<u64>,
    /// How that is to be taken.
    pub status: ContextStatus,
    /// The steps ahead that it cannot read whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<StepTooLong>>"))]
    pub too_long: Vec<StepTooLong>,
}

/// A step whose file is longer than what is left beside what every request holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct StepTooLong {
    /// The step.
    pub node_id: NodeId,
    /// How many tokens its file has.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub tokens: u64,
    /// How many are left for it.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub room: u64,
}

/// How full a model is, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum ContextStatus {
    /// There is room, or nobody knows.
    Normal,
    /// More than 0.6 of it is taken.
    Warning,
    /// More than 0.8 of it is taken.
    Critical,
    /// The conversation is being made shorter.
    Compressing,
}

impl ContextUsage {
    /// Of a request of so many tokens, by this tokenizer.
    pub fn of(used: u64, tokenizer: Tokenizer, budget: Option<u64>, compressing: bool) -> Self {
        let above = |tenths: u64| budget.is_some_and(|budget| used * 10 > budget * tenths);
        let status = match (compressing, above(8), above(6)) {
            (true, _, _) => ContextStatus::Compressing,
            (_, true, _) => ContextStatus::Critical,
            (_, _, true) => ContextStatus::Warning,
            _ => ContextStatus::Normal,
        };
        Self { used, estimated: tokenizer.is_estimate(), budget, status, too_long: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(60, Some(100), false, ContextStatus::Normal)]
    #[case(61, Some(100), false, ContextStatus::Warning)]
    #[case(80, Some(100), false, ContextStatus::Warning)]
    #[case(81, Some(100), false, ContextStatus::Critical)]
    #[case(10, Some(100), true, ContextStatus::Compressing)]
    #[case(10_000_000, None, false, ContextStatus::Normal)]
    fn it_is_told_how_full_a_model_is(
        #[case] used: u64,
        #[case] budget: Option<u64>,
        #[case] compressing: bool,
        #[case] status: ContextStatus,
    ) {
        for tokenizer in [Tokenizer::Estimate, Tokenizer::O200k] {
            let usage = ContextUsage::of(used, tokenizer, budget, compressing);
            assert_eq!(usage.status, status);
            assert_eq!(usage.estimated, tokenizer.is_estimate());
        }
    }
}
