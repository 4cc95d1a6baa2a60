//! The texts that stand for messages: a list of calls, and a summary under fixed headings.

use std::fmt::Write as _;

use super::groups::{CallOutcome, Kind, TalkUnit, call_line, changed_by};
use crate::chat::ToolCall;
use crate::path::Mount;
use crate::text::ellipsis;
use crate::tokens::Tokenizer;
use crate::widget::SUBMISSION;

/// First line of a conversation summary.
pub const SUMMARY_HEADER: &str = "CONVERSATION_SUMMARY";

/// The headings of a conversation summary, in order.
pub const SUMMARY_HEADINGS: [&str; 8] =
    ["Goal", "Status", "Constraints", "Decisions", "Files", "Results", "Pending", "Do not repeat"];

/// First line of a list of older calls.
pub(super) const CALLS_HEADER: &str = "TOOL_CALL_HISTORY_SUMMARY";
/// The same within the present turn.
pub(super) const LOOP_HEADER: &str = "TOOL_LOOP_SUMMARY";

/// Most lines of such a list; of more, the newest.
const CALL_LINES: usize = 120;
/// Most lines under a heading of a summary; of more, the newest.
const LINES: usize = 120;
/// Most bytes of a person's words in a summary.
const WORDS: usize = 300;
/// Most bytes of a reply in it.
const REPLY: usize = 200;
/// Most bytes of one message in what a model is to sum up.
const TOLD: usize = 1_500;

/// A list of the calls of these units under one of the headers, of so many tokens at most: of more
/// lines, the newest. A list among the units is taken up.
pub(super) fn list_of_calls(
    header: &str,
    units: &[&TalkUnit<'_>],
    most: u64,
    tokenizer: Tokenizer,
) -> String {
    let before: usize = units.iter().map(|unit| counted_before(unit)).sum();
    let all: usize = units.iter().map(|unit| number_of_lines(unit)).sum();
    // Of a long conversation most calls are only counted.
    let (mut first, mut left) = (units.len(), CALL_LINES);
    while first > 0 && left > 0 {
        first -= 1;
        left = left.saturating_sub(number_of_lines(units[first]));
    }
    let lines: Vec<String> = units[first..].iter().flat_map(|unit| lines_of(unit)).collect();
    let before = before + all - lines.len();
    let mut cut = lines.len().saturating_sub(CALL_LINES);
    loop {
        let left = &lines[cut..];
        let text = listed_lines(header, before + cut, left);
        if left.len() <= 1 || tokenizer.count(&text) <= most {
            return text;
        }
        // A quarter at a time: a long list is made shorter in few steps.
        cut += (left.len() - 1).div_ceil(4);
    }
}

/// The lines that tell of a unit.
fn lines_of(unit: &TalkUnit<'_>) -> Vec<String> {
    if matches!(unit.kind, Kind::Summary | Kind::Note) {
        return known_lines(unit).map(str::to_owned).collect();
    }
    let said = unit.words().split_whitespace().collect::<Vec<_>>().join(" ");
    let said = (!said.is_empty()).then(|| format!("said: {}", ellipsis(&said, REPLY)));
    let calls = unit.outcomes().map(|(call, outcome)| call_line(call, outcome.as_ref()));
    said.into_iter().chain(calls).collect()
}

/// How many those are.
fn number_of_lines(unit: &TalkUnit<'_>) -> usize {
    if matches!(unit.kind, Kind::Summary | Kind::Note) {
        return known_lines(unit).count();
    }
    usize::from(says_something(unit)) + unit.calls().count()
}

/// What a list tells already.
fn known_lines<'a>(list: &'a TalkUnit<'_>) -> impl Iterator<Item = &'a str> {
    list.words().lines().filter_map(|line| line.strip_prefix("- "))
}

fn listed_lines(header: &str, before: usize, lines: &[String]) -> String {
    let mut text = format!(
        "{header}\nThe runtime tells your earlier calls in short. A result that is needed again can \
         be had by calling again.\n"
    );
    if before > 0 {
        _ = writeln!(text, "{BEFORE}{before}");
    }
    for line in lines {
        _ = writeln!(text, "- {line}");
    }
    text
}

/// What begins the line that counts what a list leaves out.
const BEFORE: &str = "Not listed before these: ";

fn counted_before(unit: &TalkUnit<'_>) -> usize {
    if unit.kind != Kind::Summary {
        return 0;
    }
    let lines = unit.words().lines();
    lines.filter_map(|line| line.strip_prefix(BEFORE)?.parse::<usize>().ok()).sum()
}

/// A summary, line by line under its headings.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Summary([Vec<String>; SUMMARY_HEADINGS.len()]);

const GOAL: usize = 0;
const STATUS: usize = 1;
const DECISIONS: usize = 3;
const FILES: usize = 4;
const RESULTS: usize = 5;
const DO_NOT_REPEAT: usize = 7;

impl Summary {
    /// What these units tell, without asking anybody.
    pub(super) fn of(units: &[&TalkUnit<'_>]) -> Self {
        let mut summary = Self::default();
        for unit in units {
            match unit.kind {
                Kind::Summary if unit.words().starts_with(SUMMARY_HEADER) => {
                    summary.take_up(unit.words());
                }
                Kind::Summary => known_lines(unit).for_each(|line| summary.add(RESULTS, line)),
                Kind::User if unit.words().trim_start().starts_with(SUBMISSION) => {
                    let answer = unit.words().trim_start();
                    summary.add(DECISIONS, &answer[SUBMISSION.len()..]);
                }
                Kind::Note => known_lines(unit).for_each(|line| summary.add(FILES, line)),
                Kind::User => summary.add(GOAL, unit.words()),
                Kind::Reply => summary.add(RESULTS, &ellipsis(unit.words().trim(), REPLY)),
                Kind::Group { .. } => summary.add_calls(unit),
            }
        }
        summary
    }

    fn add_calls(&mut self, unit: &TalkUnit<'_>) {
        for (call, outcome) in unit.outcomes() {
            let line = call_line(call, outcome.as_ref());
            let worked = outcome.as_ref().is_some_and(|it: &CallOutcome| it.ok);
            let heading = match changed_by(call) {
                _ if !worked => DO_NOT_REPEAT,
                Some(Mount::State) => STATUS,
                Some(Mount::Project | Mount::Pkg) => FILES,
                None => RESULTS,
            };
            self.add(heading, &line);
        }
    }

    fn take_up(&mut self, text: &str) {
        let mut heading = None;
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("## ") {
                heading = SUMMARY_HEADINGS.iter().position(|it| *it == name.trim());
            } else if let Some(heading) = heading {
                let line = line.strip_prefix("- ").unwrap_or(line);
                if line.trim() != "none" {
                    self.add(heading, line);
                }
            }
        }
    }

    fn add(&mut self, heading: usize, line: &str) {
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = ellipsis(&line, WORDS);
        let lines = &mut self.0[heading];
        if line.is_empty() || lines.contains(&line) {
            return;
        }
        if lines.len() == LINES {
            // What the person wished for first stays.
            lines.remove(usize::from(heading == GOAL));
        }
        lines.push(line);
    }

    /// As text of so many tokens at most: what is told at length is cut first, the oldest lines
    /// of it. The person's first words stay.
    pub(super) fn into_text(mut self, most: u64, tokenizer: Tokenizer) -> String {
        loop {
            let text = self.text();
            if tokenizer.count(&text) <= most {
                return text;
            }
            let weight = |lines: &Vec<String>| lines.iter().map(String::len).sum::<usize>();
            let first = |heading: usize| usize::from(heading == GOAL);
            let longest = (0..self.0.len())
                .filter(|heading| self.0[*heading].len() > first(*heading))
                .max_by_key(|heading| weight(&self.0[*heading]));
            let Some(longest) = longest else { return text };
            let lines = &mut self.0[longest];
            // A quarter at a time: a long summary is made shorter in few steps.
            let from = first(longest);
            let cut = (lines.len() - from).div_ceil(4);
            lines.drain(from..from + cut);
        }
    }

    fn text(&self) -> String {
        let mut text = format!("{SUMMARY_HEADER}\n");
        for (heading, lines) in SUMMARY_HEADINGS.iter().zip(&self.0) {
            _ = writeln!(text, "\n## {heading}");
            if lines.is_empty() {
                text.push_str("none\n");
            }
            for line in lines {
                _ = writeln!(text, "- {line}");
            }
        }
        text
    }
}

/// Whether a model's text is a summary: its first line, and all headings in order.
pub(super) fn is_summary(text: &str, most: u64, tokenizer: Tokenizer) -> bool {
    let mut rest = text;
    let has_headings = SUMMARY_HEADINGS.iter().all(|heading| {
        let found = rest.find(&format!("\n## {heading}"));
        found.is_some_and(|at| {
            rest = &rest[at + 1..];
            true
        })
    });
    text.starts_with(SUMMARY_HEADER) && has_headings && tokenizer.count(text) <= most
}

/// These units as a model reads them that is to sum them up, of about so many bytes at most: the
/// beginning and, at greater length, the end.
pub(super) fn transcript(units: &[&TalkUnit<'_>], most: usize) -> String {
    let (mut head, mut bytes) = (Vec::new(), 0);
    for unit in units {
        head.extend(told(unit).into_iter().inspect(|text| bytes += text.len() + 1));
        if bytes > most {
            break;
        }
    }
    if bytes <= most {
        return head.join("\n");
    }
    let head: Vec<String> = fitting(head.into_iter(), most / 5);
    let newest_first = units.iter().rev().flat_map(|unit| told(unit).into_iter().rev());
    let tail = fitting(newest_first, most - most / 5);
    let all: usize = units.iter().map(|unit| number_told(unit)).sum();
    let gap = format!("[{} messages are left out here]", all - head.len() - tail.len());
    let lines = head.into_iter().chain(std::iter::once(gap)).chain(tail.into_iter().rev());
    lines.collect::<Vec<_>>().join("\n")
}

/// The first of these texts, as many as have so many bytes at most.
fn fitting(texts: impl Iterator<Item = String>, most: usize) -> Vec<String> {
    let mut left = most;
    let fits = |text: &String| {
        let fits = text.len() < left;
        left = left.saturating_sub(text.len() + 1);
        fits
    };
    texts.take_while(fits).collect()
}

/// What a model is told of a unit that is to sum it up.
fn told(unit: &TalkUnit<'_>) -> Vec<String> {
    let words = unit.words();
    let of_calls = |(call, it): (&ToolCall, Option<CallOutcome>)| {
        format!("tool call: {}", call_line(call, it.as_ref()))
    };
    match unit.kind {
        Kind::User => vec![format!("user: {}", ellipsis(words, TOLD))],
        Kind::Summary | Kind::Note => vec![ellipsis(words, 4 * TOLD)],
        Kind::Reply => vec![format!("assistant: {}", ellipsis(words, TOLD))],
        Kind::Group { .. } => {
            let said =
                says_something(unit).then(|| format!("assistant: {}", ellipsis(words, TOLD)));
            said.into_iter().chain(unit.outcomes().map(of_calls)).collect()
        }
    }
}

/// How many texts that are.
fn number_told(unit: &TalkUnit<'_>) -> usize {
    match unit.kind {
        Kind::User | Kind::Summary | Kind::Note | Kind::Reply => 1,
        Kind::Group { .. } => usize::from(says_something(unit)) + unit.calls().count(),
    }
}

fn says_something(unit: &TalkUnit<'_>) -> bool {
    !unit.words().trim().is_empty()
}
