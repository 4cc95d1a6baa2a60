//! The loop detector (spec 06 "Loops"): calls that go round without getting anywhere. A round is
//! one to four calls; it counts as repeated while the calls are the same and, unless all of them
//! fail, their results too. Three rounds of failures are a loop, and five of anything else. One
//! result that differs, or one other call, starts again: whoever reads on, or waits for a change
//! that comes, is at work. Reading calls of one reply end in any order; they count in the order in
//! which the model made them.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::Arc;

use crate::chat::ToolCall;
use crate::ids::CallId;
use crate::phrase::{Phrase, engine, models};
use crate::text::{canonical_json, prefix, sha256_hex};
use crate::tool::{self, ReceivedCall};

const FAILING: usize = 3;
const UNCHANGED: usize = 5;
/// Calls in the longest round that is seen.
const LONGEST: usize = 4;

/// The last calls, as many as the longest loop has. They are shared by the copies that decisions are
/// made on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct LoopDetector {
    calls: VecDeque<Arc<Noted>>,
    /// Calls that were made and that do not count yet, in order: one before them is at work.
    made: VecDeque<(CallId, Option<Arc<Noted>>)>,
    /// The loop that the last call to end closed.
    found: Option<Loop>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Noted {
    /// The tool, as a model calls it.
    name: String,
    /// Its name and canonical arguments, hashed.
    call: String,
    /// Its result, hashed.
    result: String,
    ok: bool,
}

/// A round of calls that a model repeats with the same results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Loop {
    /// The tools of one round, as a model calls them, each once.
    pub(super) tools: Vec<String>,
    /// How many rounds.
    pub(super) times: usize,
}

impl Noted {
    fn of(call: &ReceivedCall, ok: bool, result: &Value) -> Self {
        let args = call.json().map_or_else(|| call.arguments.clone(), canonical_json);
        let hashed = |text: &str| prefix(&sha256_hex(text.as_bytes()), 32).to_owned();
        Self {
            name: tool::wire_name(&call.name),
            call: hashed(&format!("{} {args}", call.name)),
            result: hashed(&canonical_json(result)),
            ok,
        }
    }
}

impl Loop {
    /// The loop in words for the person.
    pub(super) fn words(&self) -> Phrase {
        let tools: Vec<String> = self.tools.iter().map(|tool| format!("`{tool}`")).collect();
        match &tools[..] {
            [_] => engine::repeats_itself(self.tools.concat(), self.times),
            tools => models::called_in_turn(tools.join(", "), self.times),
        }
    }
}

impl LoopDetector {
    /// The model made these calls.
    pub(super) fn begin(&mut self, calls: &[ToolCall]) {
        self.made.extend(calls.iter().map(|call| (call.id.clone(), None)));
    }

    /// Notes a call that has its result.
    pub(super) fn note(&mut self, call: &ReceivedCall, ok: bool, result: &Value) {
        self.found = None;
        let noted = Arc::new(Noted::of(call, ok, result));
        match self.made.iter_mut().find(|(id, _)| *id == call.id) {
            Some((_, place)) => *place = Some(noted),
            // From before the person's last words.
            None => return self.count(noted),
        }
        while let Some((_, Some(noted))) = self.made.pop_front_if(|(_, noted)| noted.is_some()) {
            self.count(noted);
        }
    }

    /// The loop that the last call closed, if it closed one.
    pub(super) fn found(&self) -> Option<&Loop> {
        self.found.as_ref()
    }

    fn count(&mut self, noted: Arc<Noted>) {
        self.calls.push_back(noted);
        if self.calls.len() > LONGEST * UNCHANGED {
            self.calls.pop_front();
        }
        if self.found.is_none() {
            self.found = self.closed();
        }
    }

    fn closed(&self) -> Option<Loop> {
        (1..=LONGEST).find_map(|round| {
            let times = self.rounds(round)?;
            let mut tools: Vec<String> = Vec::new();
            for noted in self.calls.iter().skip(self.calls.len() - round) {
                if !tools.contains(&noted.name) {
                    tools.push(noted.name.clone());
                }
            }
            Some(Loop { tools, times })
        })
    }

    /// How often the last `round` calls were made in a row, when that is too often.
    fn rounds(&self, round: usize) -> Option<usize> {
        let last = |times: usize| {
            let from = self.calls.len().checked_sub(round * times)?;
            Some(self.calls.range(from..))
        };
        let repeats = |times: usize, same: fn(&Noted, &Noted) -> bool| {
            let calls = last(times)?;
            let again = calls.clone().skip(round);
            calls.zip(again).all(|(a, b)| same(a, b)).then_some(times)
        };
        let fails = last(FAILING).is_some_and(|mut calls| calls.all(|noted| !noted.ok));
        let failing = || repeats(FAILING, |a, b| a.call == b.call);
        let unchanged =
            || repeats(UNCHANGED, |a, b| (a.ok, &a.call, &a.result) == (b.ok, &b.call, &b.result));
        fails.then(failing).flatten().or_else(unchanged)
    }
}

#[cfg(test)]
mod tests;
