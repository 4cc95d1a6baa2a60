//! Sub-agents in words: that one began, how far it is, and how it ended.

use kernel::event::SubagentUpdated;
use kernel::phrase::{Phrase, subagents as said};
use kernel::subagent::{TaskEnd, Verdict};
use kernel::wire::SubagentView;

use crate::output::Output;
use crate::print::{StyledText, paint, rows};

/// What became of a sub-agent, a line or two.
pub(crate) fn updated(e: &SubagentUpdated, out: &Output) -> StyledText {
    let subagent = &e.subagent;
    let kind = out.say(subagent.task_type.said());
    let Some(end) = subagent.end else {
        let began = out.say(said::subagent_began(&subagent.agent_id, kind));
        return rows([paint("2", format!("  ⇢ {began}"))]);
    };
    let (colour, ended) = match (end, subagent.verdict) {
        (TaskEnd::Completed, Some(Verdict::Failed)) => ("31;1", said::verdict_failed()),
        (TaskEnd::Completed, _) => ("32", self::ended(end)),
        _ => ("33", self::ended(end)),
    };
    let steps = out.say(said::subagent_steps(subagent.steps));
    let head = paint("2", format!("  ⇠ {} ({kind}) ", subagent.agent_id));
    let first = head.and(paint(colour, out.say(ended))).and(paint("2", format!("  {steps}")));
    let why =
        subagent.failure.as_ref().map(|failure| format!("    {}", failure.message_in(out.lang)));
    let changed = e.changes.iter().map(|change| format!("    ± {}", change.path()));
    rows(std::iter::once(first).chain(why.into_iter().chain(changed).map(StyledText::from)))
}

/// What the first sub-agent at work does now.
pub(crate) fn at_work(subagents: &[SubagentView], out: &Output) -> Option<String> {
    let one = subagents.iter().find(|one| one.end.is_none())?;
    let doing = one.doing.as_ref().map(|tool| format!(", {tool}")).unwrap_or_default();
    let steps = out.say(said::subagent_steps(one.steps));
    Some(format!("{} ({}): {steps}{doing}", one.agent_id, out.say(one.task_type.said())))
}

fn ended(end: TaskEnd) -> Phrase {
    match end {
        TaskEnd::Completed => said::end_completed(),
        TaskEnd::Stopped => said::end_stopped(),
        TaskEnd::TimedOut => said::end_timed_out(),
        TaskEnd::MaxSteps => said::end_max_steps(),
        TaskEnd::NoReport => said::end_no_report(),
        TaskEnd::Failed | TaskEnd::Unrecognised => said::end_failed(),
    }
}
