//! Making a conversation shorter, in stages, each of which is taken only when it helps (spec 04
//! "Compression"). No stage cuts a unit in two, and the person's newest words stay as they are.

use std::ops::Range;

use super::compaction::{Compacted, Compaction, CompactionStatus, ContextSize, SeenPart, Stage};
use super::groups::{Kind, SeenMessage, TalkUnit, changed_by, units};
use super::history::{HistoryEntry, PlacedEntry};
use super::summary::{CALLS_HEADER, LOOP_HEADER, Summary, is_summary, list_of_calls, transcript};
use crate::chat::{MESSAGE_TOKENS, Usage};
use crate::code::{ErrorCode, Failure};
use crate::phrase::engine as said;
use crate::text::ellipsis;
use crate::tokens::Tokenizer;

/// Groups of calls at the end that stay whole while there is room.
const RECENT_GROUPS: usize = 6;
/// The same within the present turn, in ever harder tries.
const RECENT_ROUNDS: [usize; 3] = [4, 2, 1];
/// Messages before the present turn that are kept before all others.
const RECENT_MESSAGES: usize = 10;
/// Most tokens of a summary.
const SUMMARY_TOKENS: u64 = 2_000;
/// Most tokens of a list of calls.
const LIST_TOKENS: u64 = 8_000;
/// Fewest, however little room there is.
const FEWEST_LIST_TOKENS: u64 = 64;
/// How long a shortened result is, bytes.
const PREVIEW: usize = 500;
/// What results of the present turn are shortened to when nothing else helps, in ever harder tries.
const LAST_RESORT: [usize; 3] = [8_000, 2_000, PREVIEW];

/// How much a model reads, and how much of it is taken whatever the conversation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Tokens that the model reads.
    pub tokens: u64,
    /// Tokens of what is sent beside the conversation: system layers, tools, anchor.
    pub fixed: u64,
}

impl Budget {
    /// A request of more tokens is made shorter before it is sent.
    pub fn trigger(&self) -> u64 {
        self.tokens * 4 / 5
    }

    /// What it is made shorter to: half of what the model reads, or half of the room that is left.
    fn target(&self) -> u64 {
        let room = self.trigger().saturating_sub(self.fixed);
        (self.tokens / 2).max(self.fixed + room / 2)
    }
}

/// A conversation that is to be made shorter.
#[derive(Debug, Clone, PartialEq)]
pub struct CompactionJob {
    /// What the model sees of it.
    pub seen: Vec<PlacedEntry>,
    /// How many messages there are in all.
    pub until: usize,
    /// Index of the newest user input.
    pub turn_start: usize,
    /// How long it may be.
    pub budget: Budget,
    /// What counts the tokens.
    pub tokenizer: Tokenizer,
    /// Whether as much as can be is to go, however much room there is.
    pub hard: bool,
    /// Whether a model is asked to sum up what goes.
    pub summary: SummaryBy,
}

/// Who writes the summary of what goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SummaryBy {
    /// The runtime: the model was asked lately, and gave none.
    Runtime,
    /// The model, unless what goes is hardly longer than its summary would be.
    ModelIfWorth,
    /// The model.
    Model,
}

/// What is to be said of the messages that went.
#[derive(Debug, Clone, PartialEq)]
struct ToSumUp {
    /// They themselves.
    transcript: String,
    /// Where the summary stands among the parts.
    place: usize,
    /// How many tokens it may have.
    most: u64,
    /// What counts them.
    tokenizer: Tokenizer,
}

/// A conversation made shorter, with a summary that nobody was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct CompactionDraft {
    compacted: Compacted,
    to_sum_up: Option<ToSumUp>,
}

impl CompactionDraft {
    /// What a model can be asked to sum up, and how many tokens its summary may have. `None` where
    /// nothing has to be summed up.
    pub fn to_sum_up(&self) -> Option<(&str, u64)> {
        self.to_sum_up.as_ref().map(|it| (it.transcript.as_str(), it.most))
    }

    /// What came of it, without a model's help.
    pub fn alone(self) -> Compacted {
        self.compacted
    }

    /// The same with what a model made of [`to_sum_up`](Self::to_sum_up). A text that is no summary
    /// counts like none.
    pub fn with_summary(self, summary: Result<(String, Usage), Failure>) -> Compacted {
        let Self { mut compacted, to_sum_up } = self;
        let Some(ToSumUp { place, most, tokenizer, .. }) = to_sum_up else { return compacted };
        let summary = summary.and_then(|(text, usage)| {
            let text = text.trim().to_owned();
            // A model counts no tokens: half as many again are let pass.
            if is_summary(&text, most + most / 2, tokenizer) {
                return Ok((text, usage));
            }
            Err(Failure::new(ErrorCode::LlmBadResponse, said::no_summary()))
        });
        match summary {
            Ok((text, usage)) => {
                let parts = compacted.compaction.as_mut().map(|it| &mut it.parts);
                let part = parts.and_then(|parts| parts.get_mut(place));
                if let Some(SeenPart::Summary { text: old, .. }) = part {
                    let tokens = compacted.after.tokens - tokenizer.count(old);
                    compacted.after.tokens = tokens + tokenizer.count(&text);
                    *old = text;
                }
                compacted.usage = Some(usage);
            }
            Err(failure) => {
                compacted.status = CompactionStatus::FailedFallback;
                compacted.failure = Some(failure);
            }
        }
        compacted
    }
}

impl CompactionJob {
    /// Makes it shorter.
    pub fn plan(&self) -> CompactionDraft {
        let units = units(&self.seen);
        let before = self.size(&units);
        let mut plan = Plan { job: self, units, stages: Vec::new(), dropped: None };
        plan.shorten();
        let after = self.size(&plan.units);
        let Plan { units, stages, dropped, .. } = plan;
        let tokenizer = self.tokenizer;
        let to_sum_up = dropped.and_then(|it| it.to_sum_up);
        let to_sum_up =
            to_sum_up.map(|(transcript, most)| ToSumUp { transcript, place: 0, most, tokenizer });
        let parts =
            units.into_iter().flat_map(|unit| unit.pieces).map(|piece| piece.part).collect();
        let effective = after.tokens < before.tokens;
        let status = if effective { CompactionStatus::Effective } else { CompactionStatus::Noop };
        let compaction = effective.then_some(Compaction { until: self.until, parts });
        let to_sum_up = to_sum_up.filter(|_| effective);
        let (usage, failure) = (None, None);
        let compacted = Compacted { compaction, status, stages, before, after, usage, failure };
        CompactionDraft { compacted, to_sum_up }
    }

    fn size(&self, units: &[TalkUnit<'_>]) -> ContextSize {
        let tokens = units.iter().map(TalkUnit::tokens).sum::<u64>() + self.budget.fixed;
        ContextSize { messages: units.iter().map(|unit| unit.pieces.len()).sum(), tokens }
    }

    fn target(&self) -> u64 {
        if self.hard { self.budget.fixed } else { self.budget.target() }
    }
}

/// What takes a stage.
type Take<'a> = fn(&mut Plan<'a>);

/// A conversation while it is being made shorter.
struct Plan<'a> {
    job: &'a CompactionJob,
    units: Vec<TalkUnit<'a>>,
    stages: Vec<Stage>,
    /// What was dropped.
    dropped: Option<Dropped>,
}

/// What a summary stands for.
struct Dropped {
    /// It as text, and how many tokens its summary may have, where a model is to sum it up.
    to_sum_up: Option<(String, u64)>,
}

impl<'a> Plan<'a> {
    fn shorten(&mut self) {
        let stages: [(Stage, Take<'a>); 4] = [
            (Stage::Trim, Self::trim),
            (Stage::Structural, Self::list_older_calls),
            (Stage::Select, Self::select),
            (Stage::ActiveLoop, Self::shorten_turn),
        ];
        for (stage, take) in stages {
            if self.tokens() <= self.job.target() {
                return;
            }
            let before = self.tokens();
            take(self);
            if self.tokens() < before {
                self.stages.push(stage);
                if stage == Stage::Select && self.dropped.is_some() {
                    self.stages.push(Stage::Summary);
                }
            }
        }
    }

    fn tokens(&self) -> u64 {
        self.job.budget.fixed + self.units.iter().map(TalkUnit::tokens).sum::<u64>()
    }

    /// How many units come before the present turn.
    fn older(&self) -> usize {
        self.units.iter().take_while(|unit| unit.at < self.job.turn_start).count()
    }

    /// How many of the older units come before the groups that stay whole.
    fn before_recent_groups(&self) -> usize {
        let older = self.older();
        let groups = self.units[..older].iter().enumerate();
        let mut groups = groups.filter(|(_, unit)| unit.is_complete_group()).rev();
        let kept = if self.job.hard { 0 } else { RECENT_GROUPS };
        groups.nth(kept).map_or(0, |(n, _)| n + 1)
    }

    /// Old results are shortened.
    fn trim(&mut self) {
        let until = self.before_recent_groups();
        for unit in &mut self.units[..until] {
            for piece in &mut unit.pieces {
                shorten_result(piece, PREVIEW, self.job.tokenizer);
            }
        }
    }

    /// Stretches of old groups become a list.
    fn list_older_calls(&mut self) {
        self.list(CALLS_HEADER, 0..self.before_recent_groups());
    }

    /// Stretches of groups within these units become a list each, which takes half of the room at
    /// most: the turn may have been a long one.
    fn list(&mut self, header: &str, within: Range<usize>) {
        let room = self.job.target().saturating_sub(self.job.budget.fixed);
        let most = (room / 2).clamp(FEWEST_LIST_TOKENS, LIST_TOKENS);
        let tokenizer = self.job.tokenizer;
        let mut stretch: Vec<TalkUnit<'a>> = Vec::new();
        for (n, unit) in std::mem::take(&mut self.units).into_iter().enumerate() {
            let is_list = unit.kind == Kind::Summary && unit.words().starts_with(header);
            if within.contains(&n) && (unit.is_complete_group() || is_list) {
                stretch.push(unit);
            } else {
                self.units.extend(listed(header, std::mem::take(&mut stretch), most, tokenizer));
                self.units.push(unit);
            }
        }
        self.units.extend(listed(header, stretch, most, tokenizer));
    }

    /// Of the messages before the present turn the most telling stay, as many as there is room for;
    /// a summary stands for the others.
    fn select(&mut self) {
        let older = self.older();
        let turn: u64 = self.units[older..].iter().map(TalkUnit::tokens).sum();
        let room = self.job.target().saturating_sub(self.job.budget.fixed + turn);
        let most = SUMMARY_TOKENS.min((room / 2).max(self.job.budget.tokens / 16)).max(64);
        let mut left = room.saturating_sub(most);
        let mut kept = vec![false; older];
        for n in self.by_worth(older) {
            let tokens = self.units[n].tokens();
            if tokens <= left {
                left -= tokens;
                kept[n] = true;
            }
        }
        let gone: Vec<&TalkUnit<'_>> =
            (0..older).filter(|n| !kept[*n]).map(|n| &self.units[n]).collect();
        let Some(first) = gone.first() else { return };
        let text = Summary::of(&gone).into_text(most, self.job.tokenizer);
        let gone_tokens: u64 = gone.iter().map(|unit| unit.tokens()).sum();
        let summary = TalkUnit::summary(first.at, text, self.job.tokenizer);
        if summary.tokens() >= gone_tokens {
            return;
        }
        let told: u64 =
            gone.iter().filter(|it| it.kind != Kind::Summary).map(|it| it.tokens()).sum();
        let asks_model = match self.job.summary {
            SummaryBy::Runtime => false,
            // Where there is little room this is done with every turn, for a few words each time.
            SummaryBy::ModelIfWorth => told >= most,
            SummaryBy::Model => true,
        };
        // What a model reads to sum it up has to fit, too: four bytes make a token at least.
        let bytes = usize::try_from(self.job.budget.tokens).unwrap_or(usize::MAX);
        let to_sum_up = asks_model.then(|| (transcript(&gone, bytes), most));
        self.dropped = Some(Dropped { to_sum_up });
        let units = std::mem::take(&mut self.units);
        let stays = |n: usize| n >= older || kept[n];
        let rest = units.into_iter().enumerate().filter(|(n, _)| stays(*n)).map(|(_, unit)| unit);
        self.units = std::iter::once(summary).chain(rest).collect();
    }

    /// The older units in the order in which they are kept: earlier summaries never, as the new one
    /// takes them up.
    fn by_worth(&self, older: usize) -> Vec<usize> {
        if self.job.hard {
            return Vec::new();
        }
        let is_summary = |unit: &TalkUnit<'_>| unit.kind == Kind::Summary;
        let mut order: Vec<usize> = (0..older).filter(|n| !is_summary(&self.units[*n])).collect();
        let recent = older.saturating_sub(RECENT_MESSAGES);
        let worth = |n: usize| {
            let unit = &self.units[n];
            let by_kind = match unit.kind {
                Kind::User => 100,
                Kind::Note => 95,
                Kind::Group { .. } if changes_something(unit) => 90,
                Kind::Reply => 40,
                Kind::Group { .. } | Kind::Summary => 20,
            };
            (n >= recent, by_kind, n)
        };
        order.sort_by_cached_key(|n| std::cmp::Reverse(worth(*n)));
        order
    }

    /// The calls of the present turn become a list, as many of them as must; then results are
    /// shortened.
    fn shorten_turn(&mut self) {
        for kept in RECENT_ROUNDS {
            if self.tokens() <= self.job.target() {
                return;
            }
            self.list_turn(kept);
        }
        let (from, mut tokens) = (self.older(), self.tokens());
        for most in LAST_RESORT {
            for unit in &mut self.units[from..] {
                for piece in &mut unit.pieces {
                    if tokens <= self.job.budget.trigger() {
                        return;
                    }
                    let before = piece.tokens;
                    shorten_result(piece, most, self.job.tokenizer);
                    tokens -= before - piece.tokens;
                }
            }
        }
    }

    fn list_turn(&mut self, kept: usize) {
        let older = self.older();
        let groups = self.units.iter().enumerate().skip(older);
        let mut groups = groups.filter(|(_, unit)| unit.is_complete_group()).rev();
        // The newest stays, whatever it takes: the model has asked for it.
        let Some((last, _)) = groups.nth(kept) else { return };
        self.list(LOOP_HEADER, older..last + 1);
    }
}

/// Whether a group wrote, moved or deleted something, the state document included.
fn changes_something(unit: &TalkUnit<'_>) -> bool {
    unit.calls().any(|call| changed_by(call).is_some())
}

/// A stretch of groups as one list, where that is shorter.
fn listed<'a>(
    header: &str,
    stretch: Vec<TalkUnit<'a>>,
    most: u64,
    tokenizer: Tokenizer,
) -> Vec<TalkUnit<'a>> {
    let Some(first) = stretch.first() else { return stretch };
    let units: Vec<&TalkUnit<'_>> = stretch.iter().collect();
    let text = list_of_calls(header, &units, most, tokenizer);
    let list = TalkUnit::summary(first.at, text, tokenizer);
    let tokens: u64 = stretch.iter().map(TalkUnit::tokens).sum();
    if list.tokens() < tokens { vec![list] } else { stretch }
}

/// Shortens a result that is longer than so many bytes.
fn shorten_result(piece: &mut SeenMessage<'_>, most: usize, tokenizer: Tokenizer) {
    let (at, text) = match (&piece.part, piece.entry) {
        (SeenPart::Shortened { at, text }, _) => (*at, text.as_str()),
        (SeenPart::Whole(at), Some(HistoryEntry::Tool(message))) => (*at, message.content.as_str()),
        _ => return,
    };
    if text.len() <= most {
        return;
    }
    let text = format!(
        "{}\n[shortened by the runtime, {} bytes in all; call again for the part that is needed]",
        ellipsis(text, most),
        text.len(),
    );
    let tokens = MESSAGE_TOKENS + tokenizer.count(&text);
    if tokens < piece.tokens {
        *piece = SeenMessage { part: SeenPart::Shortened { at, text }, tokens, entry: piece.entry };
    }
}

#[cfg(test)]
mod tests;
