//! Where a run stands, in words.

use kernel::event::{Phase, Reason};
use kernel::phrase::printed;
use kernel::settings::{Cost, Settings};
use kernel::wire::{Progress, RuntimeSnapshot, StepStatus, WaitingStep};

use crate::changes::changes;
use crate::judged;
use crate::output::Output;
use crate::print::{StyledText, about, rows};
use crate::question;

/// A phase of a run in one word, in English the one that `--json` has.
pub(crate) fn phase(phase: Phase, out: &Output) -> String {
    out.say(match phase {
        Phase::Idle => printed::phase_idle(),
        Phase::Running => printed::phase_running(),
        Phase::WaitingUser => printed::phase_waiting_user(),
        Phase::Completed => printed::phase_completed(),
        Phase::Failed => printed::phase_failed(),
    })
}

/// The run's steps, what it changed, and the question that waits.
pub(crate) fn words(snapshot: &RuntimeSnapshot, out: &Output) -> StyledText {
    let mut lines = vec![format!("{}  {}", snapshot.run.run_id, phase(snapshot.run.phase, out))];
    if let Some(ended) = &snapshot.run.ended {
        let because = ended.reason.as_deref().map(printed::ended_by_you_because);
        lines.push(format!("  {}", out.say(because.unwrap_or_else(printed::ended_by_you))));
    }
    if let Some(asked) = &snapshot.going_back {
        let not_ended = printed::rewind_not_ended(&asked.target.node_id);
        lines.push(format!("  ! {}", out.say(not_ended)));
    }
    lines.extend(steps(&snapshot.progress, out));
    lines.extend(snapshot.todos.items.iter().map(|item| judged::todo(item, out)));
    if snapshot.run.reason == Some(Reason::NotAccepted) {
        lines.extend(judged::open(snapshot, out));
    }
    lines.extend(changes(&snapshot.changes, out));
    lines.extend(snapshot.widget.iter().flat_map(|waiting| question::waiting(waiting, out)));
    rows(lines)
}

/// The steps; below each that waits for another workflow, what it waits for.
fn steps(progress: &Progress, out: &Output) -> Vec<String> {
    let callers = progress.called.iter().flat_map(|called| &called.callers);
    let mut lines: Vec<String> = Vec::new();
    let indent = |depth: usize| "  ".repeat(depth + 1);
    for (depth, step) in callers.enumerate() {
        let WaitingStep { workflow, title, steps, .. } = step;
        let count = out.say(printed::steps_done(steps.done, steps.total));
        lines.push(format!("{}▸ {title}  ({workflow}, {count})", indent(depth)));
    }
    let depth = lines.len();
    lines.extend(progress.steps.iter().map(|step| {
        let mark = match step.status {
            StepStatus::Completed => "✓",
            StepStatus::Current => "▸",
            StepStatus::Pending => "·",
            StepStatus::Skipped => "–",
        };
        format!("{}{mark} {}", indent(depth), step.title)
    }));
    lines
}

/// How much of what the model reads the next request takes, where anybody knows.
pub(crate) fn context(snapshot: &RuntimeSnapshot, out: &Output) -> Option<StyledText> {
    let usage = snapshot.context.as_ref()?;
    let used = about(usage.used, usage.estimated);
    Some(rows([out.say(printed::context_taken(used, usage.budget?))]))
}

/// How many tokens it took, and what they cost where their price is known.
pub(crate) fn spent(snapshot: &RuntimeSnapshot, settings: &Settings, out: &Output) -> StyledText {
    let usage = &snapshot.usage;
    let total = usage.prompt_tokens + usage.completion_tokens;
    let tokens = about(total, usage.estimated);
    let cost = settings.costs.cost_of(&snapshot.usage_by_model, &settings.model.model);
    let said = match cost {
        None => printed::spent(tokens),
        Some(Cost { amount, about: is_rough }) => {
            let amount = about(format!("{amount:.4}"), is_rough);
            printed::spent_at(tokens, amount, &settings.costs.currency)
        }
    };
    rows([out.say(said)])
}
