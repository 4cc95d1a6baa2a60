//! Hooks in words: those of a project, and what one came to.

use kernel::event::HookEnded;
use kernel::hook::{HookPoint, HookStatus};
use kernel::phrase::{Phrase, hooks as said};
use kernel::wire::HookView;

use crate::output::Output;
use crate::print::{StyledText, paint, rows};

/// Each command with its place, and whether it is trusted.
pub(crate) fn listed(hooks: &[HookView], out: &Output) -> StyledText {
    if hooks.is_empty() {
        return rows([out.say(said::no_hooks())]);
    }
    let lines = hooks.iter().flat_map(|hook| {
        let mark = if hook.trusted { "✓" } else { "·" };
        let trusted =
            out.say(if hook.trusted { said::hook_trusted() } else { said::hook_untrusted() });
        let tools = if hook.tools.is_empty() {
            String::new()
        } else {
            format!("  {}", hook.tools.join(", "))
        };
        let point = out.say(point(hook.at));
        [
            format!("{mark} {}  {point}{tools}  ≤ {} s  {trusted}", hook.name, hook.timeout_s),
            format!("    {}", hook.command),
        ]
    });
    rows(lines)
}

fn point(at: HookPoint) -> Phrase {
    match at {
        HookPoint::BeforeToolCall => said::at_before_tool_call(),
        HookPoint::AfterToolResult => said::at_after_tool_result(),
        HookPoint::BeforeCompletionDecision => said::at_before_completion_decision(),
        HookPoint::AcceptGate => said::at_accept_gate(),
        HookPoint::RunStart => said::at_run_start(),
        HookPoint::RunEnd => said::at_run_end(),
        HookPoint::NodeEntered => said::at_node_entered(),
    }
}

/// What a hook came to; nothing of one that had nothing to say.
pub(crate) fn ended(e: &HookEnded, out: &Output) -> Option<StyledText> {
    let silent = e.status == HookStatus::Passed && e.output.is_empty();
    if silent && e.point != HookPoint::AcceptGate {
        return None;
    }
    let (colour, status) = match e.status {
        HookStatus::Passed => ("32", said::hook_passed()),
        HookStatus::Blocked => ("31;1", said::hook_blocked()),
        HookStatus::Unanswered => ("33", said::hook_unanswered()),
        HookStatus::Warned | HookStatus::Unrecognised => ("33", said::hook_warned()),
    };
    let head = paint("2", format!("  ⚙ {} ", e.hook)).and(paint(colour, out.say(status)));
    let why = e.failure.as_ref().map(|failure| failure.message_in(out.lang));
    let said = e.output.lines().map(str::to_owned).chain(why);
    Some(rows(std::iter::once(head).chain(said.map(|line| format!("    {line}").into()))))
}
