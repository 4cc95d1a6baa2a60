//! What all histories came to, so that a test cannot pass because nothing happened.

use super::prefix::Rule;
use kernel::context::{Compacted, CompactionStatus};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    pub(super) histories: u64,
    pub(super) inputs: u64,
    pub(super) requests: u64,
    /// Requests that were not built because they would not fit.
    pub(super) too_long: u64,
    pub(super) after_completion: u64,
    pub(super) deaths: u64,
    pub(super) effective: u64,
    pub(super) noop: u64,
    pub(super) fallback: u64,
    pub(super) acknowledged: u64,
    /// Requests that begin with all of the request before.
    pub(super) unbroken: u64,
    /// How long the requests were that followed another one, and how much of them had been the
    /// beginning of that.
    pub(super) sent_bytes: u64,
    pub(super) kept_bytes: u64,
    /// Why the others do not.
    pub(super) broken: BTreeMap<Rule, u64>,
}

impl Tally {
    pub(super) fn compacted(&mut self, compacted: &Compacted) {
        match compacted.status {
            CompactionStatus::Effective => self.effective += 1,
            CompactionStatus::Noop => self.noop += 1,
            CompactionStatus::FailedFallback => self.fallback += 1,
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.histories += 1;
        self.inputs += other.inputs;
        self.requests += other.requests;
        self.too_long += other.too_long;
        self.after_completion += other.after_completion;
        self.deaths += other.deaths;
        self.effective += other.effective;
        self.noop += other.noop;
        self.fallback += other.fallback;
        self.acknowledged += other.acknowledged;
        self.unbroken += other.unbroken;
        self.sent_bytes += other.sent_bytes;
        self.kept_bytes += other.kept_bytes;
        for (rule, times) in &other.broken {
            *self.broken.entry(*rule).or_default() += times;
        }
    }
}
