//! A judgement in words.

use super::{Judgement, OpenObligation, WayOut};
use crate::decision::{Obligation, StopReason};
use crate::phrase::{Part, Phrase, decisions as said};

/// Things that one sentence names.
const NAMED: usize = 5;

/// One sentence for the person, which names what is missing.
pub(super) fn summary(
    judgement: &Judgement,
    open: &[OpenObligation<'_>],
    complete: bool,
) -> Phrase {
    match judgement {
        Judgement::Accepted if complete => said::complete(),
        Judgement::Accepted => said::waiting_for_you(),
        Judgement::Continue { .. } => said::goes_on(missing(open)),
        Judgement::Blocked => said::needs_you(needs(open)),
        Judgement::Incomplete(StopReason::NoProgressAfterFinalIntercept) => {
            said::no_progress(missing(open))
        }
        Judgement::Incomplete(_) => said::told_too_often(missing(open)),
        Judgement::Failed(_) => said::cannot_be_done(blocked(open)),
    }
}

/// For the log and for programs.
pub(super) fn internal(reason: StopReason, open: &[OpenObligation<'_>]) -> String {
    let reason: &str = reason.into();
    format!("{reason}: {} open", open.len())
}

/// The first of some things, and how many more there are.
fn listed<T>(mut things: impl Iterator<Item = T>, name: impl Fn(T) -> Phrase) -> Part {
    let mut named: Vec<Phrase> = things.by_ref().take(NAMED).map(name).collect();
    let more = things.count();
    if more > 0 {
        named.push(said::and_more(more));
    }
    Part::All(named)
}

fn missing(open: &[OpenObligation<'_>]) -> Part {
    listed(open.iter(), |open| names(&open.obligation))
}

/// What only the person can give, each reason once, and what it is needed for.
fn needs(open: &[OpenObligation<'_>]) -> Part {
    let mut reasons: Vec<&Phrase> = Vec::new();
    for open in open {
        if let WayOut::NeedsUser(why) = &open.way_out
            && reasons.len() < NAMED
            && !reasons.contains(&why)
        {
            reasons.push(why);
        }
    }
    let named = open.iter().map(Named::Obligation);
    listed(reasons.into_iter().map(Named::Reason).chain(named), |named| match named {
        Named::Reason(why) => why.clone(),
        Named::Obligation(open) => names(&open.obligation),
    })
}

/// What a sentence names.
enum Named<'o> {
    Reason(&'o Phrase),
    Obligation(&'o OpenObligation<'o>),
}

fn blocked(open: &[OpenObligation<'_>]) -> Part {
    let reasons = open.iter().filter_map(|open| match &open.way_out {
        WayOut::Blocked(why) => Some(why),
        _ => None,
    });
    listed(reasons, Phrase::clone)
}

fn names(obligation: &Obligation) -> Phrase {
    match obligation {
        Obligation::UnverifiedWrite { path } => said::not_looked_at(path),
        Obligation::FailedVerification { path } => said::not_as_expected(path),
        Obligation::OpenTodo { id, .. } => said::todo_open(id),
        Obligation::FailedRequiredTodo { id } => said::todo_has_failed(id),
        Obligation::MissingOutput { node, path } => said::output_missing(path, node),
        Obligation::FailedGate { hook, .. } => said::check_not_passed(hook),
        Obligation::UnansweredGate { hook } => said::check_unanswered(hook),
        Obligation::FailedSubagent { .. } => said::subagent_without_good_end(),
        Obligation::MissingReport => said::report_missing(),
        Obligation::PostCompletionPending { .. } => said::change_not_confirmed(),
        Obligation::Unrecognised => said::something_else(),
    }
}
