//! What becomes of a candidate final, given what is open and how often the model was told.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::{
    ATTEMPTS, CONTINUES, Judgement, OpenObligation, TOLD, Told, WITHOUT_PROGRESS, WayOut, words,
};
use crate::decision::{
    Decision, DecisionStatus, MissingFact, NextAction, Obligation, StopReason, TaskKind,
};

impl Told {
    /// Folds a judgement.
    pub fn apply(&mut self, decision: &Decision) {
        if decision.status != DecisionStatus::Continue {
            return *self = Self::default();
        }
        let open = digest(&decision.obligations, decision.not_listed);
        self.unchanged = if self.open == Some(open) { self.unchanged + 1 } else { 0 };
        self.continues += 1;
        self.open = Some(open);
        for obligation in &decision.obligations {
            match self.attempts.iter_mut().find(|(known, _)| known == obligation) {
                Some((_, times)) => *times += 1,
                None => self.attempts.push((obligation.clone(), 1)),
            }
        }
    }

    /// Whether the model was told before and everything is open as it was then.
    fn is_unchanged(&self, open: &[OpenObligation<'_>]) -> bool {
        let now = || digest(open.iter().take(TOLD).map(|open| &open.obligation), not_listed(open));
        self.open.is_some_and(|before| before == now())
    }

    fn may_be_told(&self, obligation: &Obligation) -> bool {
        let told = self.attempts.iter().find(|(known, _)| known == obligation);
        told.is_none_or(|(_, times)| *times < ATTEMPTS)
    }
}

fn not_listed(open: &[OpenObligation<'_>]) -> u32 {
    u32::try_from(open.len().saturating_sub(TOLD)).unwrap_or(u32::MAX)
}

/// The same obligations in the same order have the same digest.
fn digest<'o>(listed: impl IntoIterator<Item = &'o Obligation>, not_listed: u32) -> u64 {
    let mut hasher = DefaultHasher::new();
    listed.into_iter().for_each(|obligation| obligation.hash(&mut hasher));
    not_listed.hash(&mut hasher);
    hasher.finish()
}

/// The calls that may still be told.
fn tellable<'o>(
    open: &'o [OpenObligation<'_>],
    told: &'o Told,
) -> impl Iterator<Item = (&'o Obligation, NextAction)> {
    let may_be_told = open.iter().filter(|open| told.may_be_told(&open.obligation));
    may_be_told.filter_map(|open| Some((&open.obligation, open.action()?)))
}

/// Judges a candidate. What happened decides; what the candidate says does not.
pub fn judge(open: &[OpenObligation<'_>], told: &Told) -> Judgement {
    if open.is_empty() {
        return Judgement::Accepted;
    }
    let failed = |open: &OpenObligation<'_>| match (&open.obligation, &open.way_out) {
        (Obligation::FailedRequiredTodo { .. }, WayOut::Blocked(_)) => {
            Some(StopReason::RequiredTodoFailed)
        }
        (_, WayOut::Blocked(_)) => Some(StopReason::RepeatedFailure),
        _ => None,
    };
    if let Some(reason) = open.iter().find_map(failed) {
        return Judgement::Failed(reason);
    }
    if open.iter().all(|open| open.action().is_none()) {
        return Judgement::Blocked;
    }
    if told.is_unchanged(open) && told.unchanged + 1 >= WITHOUT_PROGRESS {
        return Judgement::Incomplete(StopReason::NoProgressAfterFinalIntercept);
    }
    let mut calls = tellable(open, told).take(TOLD);
    match calls.next().filter(|_| told.continues < CONTINUES) {
        None => Judgement::Incomplete(StopReason::ContinueBudgetExhausted),
        Some((obligation, first)) => {
            let rest = calls.map(|(_, call)| call).collect();
            Judgement::Continue { reason: reason_of(obligation), first, rest }
        }
    }
}

fn reason_of(obligation: &Obligation) -> StopReason {
    match obligation {
        Obligation::UnverifiedWrite { .. } => StopReason::UnverifiedWrite,
        Obligation::FailedVerification { .. } => StopReason::FailedVerification,
        Obligation::OpenTodo { .. } => StopReason::PendingTodo,
        Obligation::FailedRequiredTodo { .. } => StopReason::RequiredTodoFailed,
        Obligation::MissingOutput { .. } => StopReason::MissingOutput,
        Obligation::FailedGate { .. } => StopReason::FailedGate,
        Obligation::FailedSubagent { .. } => StopReason::SubagentOpen,
        Obligation::MissingReport => StopReason::MissingReport,
        Obligation::UnansweredGate { .. } | Obligation::PostCompletionPending { .. } => {
            StopReason::NeedsUser
        }
        Obligation::Unrecognised => StopReason::InternalError,
    }
}

impl Judgement {
    /// The judgement as clients and the model are told it.
    pub fn decision(
        &self,
        open: &[OpenObligation<'_>],
        kind: TaskKind,
        complete: bool,
    ) -> Decision {
        let (status, stop_reason, actions) = match self {
            Self::Accepted => (DecisionStatus::Accepted, StopReason::Accepted, Vec::new()),
            Self::Continue { reason, first, rest } => {
                let calls = std::iter::once(first).chain(rest).cloned().collect();
                (DecisionStatus::Continue, *reason, calls)
            }
            Self::Blocked => (DecisionStatus::Blocked, StopReason::NeedsUser, Vec::new()),
            Self::Incomplete(reason) => {
                let calls = open.iter().filter_map(OpenObligation::action).take(TOLD).collect();
                (DecisionStatus::Incomplete, *reason, calls)
            }
            Self::Failed(reason) => (DecisionStatus::Failed, *reason, Vec::new()),
        };
        let missing_facts: Vec<MissingFact> =
            open.iter().take(TOLD).map(OpenObligation::missing).collect();
        let said = words::summary(self, open, complete);
        Decision {
            status,
            stop_reason,
            user_summary: said.english(),
            said: Some(Box::new(said)),
            internal_summary: words::internal(stop_reason, open),
            missing_facts,
            required_next_actions: actions,
            obligations: open.iter().take(TOLD).map(|open| open.obligation.clone()).collect(),
            not_listed: not_listed(open),
            task_kind: Some(kind),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files that were written and that nobody looked at.
    fn open(names: &[&str]) -> Vec<OpenObligation<'static>> {
        let unverified = |name: &&str| {
            let path = format!("@project/{name}").parse().unwrap();
            let obligation = Obligation::UnverifiedWrite { path };
            OpenObligation { obligation, way_out: WayOut::Check(&[]), failures: None }
        };
        names.iter().map(unverified).collect()
    }

    /// What becomes of words in a turn in which this was open each time before.
    fn after(before: &[&[&str]], now: &[&str]) -> Judgement {
        let mut told = Told::default();
        for names in before {
            let open = open(names);
            let judged = judge(&open, &told);
            assert!(matches!(judged, Judgement::Continue { .. }), "{names:?}: {judged:?}");
            told.apply(&judged.decision(&open, TaskKind::Mixed, false));
        }
        judge(&open(now), &told)
    }

    fn calls(judged: &Judgement) -> usize {
        let Judgement::Continue { rest, .. } = judged else { return 0 };
        rest.len() + 1
    }

    #[test]
    fn a_model_is_told_as_long_as_something_changes() {
        assert_eq!(calls(&after(&[], &["a"])), 1);
        assert_eq!(calls(&after(&[&["a"]], &["a"])), 1);
        let nothing_new = Judgement::Incomplete(StopReason::NoProgressAfterFinalIntercept);
        assert_eq!(after(&[&["a"], &["a"]], &["a"]), nothing_new);
        assert_eq!(calls(&after(&[&["a"], &["a"]], &["b"])), 1);
        assert_eq!(calls(&after(&[&["a"], &["a"]], &["a", "b"])), 2);
        // Once something changed the counting begins anew.
        assert_eq!(calls(&after(&[&["a"], &["a"], &["b"]], &["b"])), 1);
    }

    #[test]
    fn nobody_is_told_more_than_four_times_in_a_turn() {
        let used_up = Judgement::Incomplete(StopReason::ContinueBudgetExhausted);
        assert_eq!(calls(&after(&[&["a"], &["b"], &["c"]], &["d"])), 1);
        assert_eq!(after(&[&["a"], &["b"], &["c"], &["d"]], &["e"]), used_up);
    }

    #[test]
    fn the_calls_of_one_obligation_are_told_three_times_whatever_else_is_open() {
        let before: [&[&str]; 3] = [&["a"], &["a", "b"], &["a", "c"]];
        assert_eq!(calls(&after(&before[..2], &["a", "c"])), 2);
        let judged = after(&before, &["a", "d"]);
        assert_eq!(calls(&judged), 1);
        let Judgement::Continue { first, .. } = judged else { panic!() };
        assert!(first.args.to_string().contains('d'), "{first:?}");
        let used_up = Judgement::Incomplete(StopReason::ContinueBudgetExhausted);
        assert_eq!(after(&before, &["a"]), used_up);
        // Alone or beside others, each counts for itself.
        assert_eq!(calls(&after(&[&["a"], &["a"], &["a", "b"]], &["a", "d"])), 1);
        assert_eq!(calls(&after(&[&["a", "b"], &["b", "c"], &["c"]], &["a", "b", "c"])), 3);
    }

    #[test]
    fn what_cannot_be_had_any_more_ends_the_turn_and_what_needs_the_person_waits() {
        let of = |obligation: Obligation, way_out: WayOut<'static>| {
            judge(&[OpenObligation { obligation, way_out, failures: None }], &Told::default())
        };
        let said = || crate::phrase::decisions::something_else();
        let todo = || Obligation::FailedRequiredTodo { id: "t1".to_owned() };
        let failed = Judgement::Failed(StopReason::RequiredTodoFailed);
        assert_eq!(of(todo(), WayOut::Blocked(said())), failed);
        let failed = Judgement::Failed(StopReason::RepeatedFailure);
        assert_eq!(of(Obligation::MissingReport, WayOut::Blocked(said())), failed);
        assert_eq!(of(todo(), WayOut::NeedsUser(said())), Judgement::Blocked);
    }

    #[test]
    fn words_that_stand_end_the_counting() {
        let mut told = Told::default();
        for names in [&["a"][..], &["a"], &[], &["a"]] {
            let open = open(names);
            told.apply(&judge(&open, &told).decision(&open, TaskKind::Mixed, false));
        }
        assert_eq!(calls(&judge(&open(&["a"]), &told)), 1);
    }

    #[test]
    fn what_is_not_told_by_name_counts_for_progress() {
        let names: Vec<String> = (0..TOLD + 2).map(|n| format!("f{n:02}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let (many, fewer) = (&names[..], &names[..=TOLD]);
        let nothing_new = Judgement::Incomplete(StopReason::NoProgressAfterFinalIntercept);
        assert_eq!(after(&[many, many], many), nothing_new);
        assert_eq!(calls(&after(&[many, many], fewer)), TOLD);
        let decision = after(&[], many).decision(&open(many), TaskKind::Mixed, false);
        assert_eq!((decision.obligations.len(), decision.not_listed), (TOLD, 2));
        assert_eq!(decision.missing_facts.len(), TOLD);
    }
}
