//! What a question looks like: whole in the output, because whoever reads it may not be there to
//! answer (exit code 3).

use kernel::mcp::is_server_tool;
use kernel::phrase::{Phrase, asking, changes};
use kernel::tool::{delete, move_};
use kernel::widget::{STATE_CHANGE_CONFIRM, TOOL_APPROVAL, Widget, WidgetGrant, WidgetKind};
use kernel::wire::{ChangeView, WaitingWidget, WholeChange};
use kernel::words::{Lang, say};

use crate::ask::{choice, form};
use crate::changes::does;
use crate::output::Output;

/// What is asked: the runtime's own question in the reader's language, the model's as it is.
pub(crate) fn question(widget: &Widget, change: Option<&ChangeView>, lang: Lang) -> String {
    match change.filter(|change| widget.widget_id == TOOL_APPROVAL && change.call_id.is_some()) {
        Some(ChangeView { tool, path, .. }) => {
            let asked = match tool.as_str() {
                delete::NAME => changes::allow_delete(path),
                move_::NAME => changes::allow_move(path),
                tool if is_server_tool(tool) => asking::allow_server_call_of(tool),
                _ => changes::allow_change(tool, path),
            };
            say(&[asked], lang)
        }
        None => widget.message.clone(),
    }
}

/// What a confirmation means beyond its words: that the change is not known, or not shown whole, or
/// that it takes the completion back.
pub(crate) fn cautions(widget: &Widget, change: Option<&ChangeView>, out: &Output) -> Vec<String> {
    let unknown = change.is_none() && widget.widget_id == STATE_CHANGE_CONFIRM;
    let undoes = change.is_some_and(|change| change.undoes_completion);
    let said =
        [unknown.then(asking::change_not_known_yet), undoes.then(undone)].into_iter().flatten();
    said.map(|caution| format!("  ! {}", out.say(caution))).chain(not_whole(widget, out)).collect()
}

/// That something of the change is not shown.
pub(crate) fn not_whole(widget: &Widget, out: &Output) -> Option<String> {
    widget.cut.then(|| format!("  ! {}", out.say(asking::change_not_shown_whole())))
}

/// Whether a change that is not shown whole can be: what is no text has no diff.
pub(crate) fn can_be_opened(change: Option<&ChangeView>) -> bool {
    change.is_some_and(|change| !change.diff.is_empty())
}

/// In words, that a change takes the completion back.
pub(crate) fn undone() -> Phrase {
    asking::no_longer_completed()
}

/// All of a change, and how a yes to it is given now.
pub(crate) fn opened(change: &WholeChange, out: &Output) -> impl Iterator<Item = String> {
    let end = out.say(asking::that_is_all_of_it());
    change.diff.lines().map(|line| format!("    {line}")).chain(std::iter::once(format!("  {end}")))
}

/// A question that waits, with the change it is about.
pub(crate) fn waiting(waiting: &WaitingWidget, out: &Output) -> Vec<String> {
    let (widget, change) = (&waiting.widget, waiting.change.as_ref());
    let asked = question(widget, change, out.lang);
    let begin = |(at, line)| if at == 0 { format!("  ? {line}") } else { format!("    {line}") };
    let mut lines: Vec<String> = asked.lines().enumerate().map(begin).collect();
    lines.extend(cautions(widget, change, out));
    if let Some(change) = change {
        let does = does(&change.parts, &change.summary, out.lang);
        let subject = match &change.back_to {
            Some(step) => out.say(asking::back_to(step)),
            None if is_server_tool(&change.tool) => change.tool.clone(),
            None => change.path.to_string(),
        };
        lines.push(format!("  {subject}: {does}"));
        let files = kernel::restore::lines(&change.files, &change.conflicts);
        lines.extend(files.into_iter().map(|line| format!("  {}", say(&[line], out.lang))));
        lines.extend(change.diff.lines().map(|line| format!("  {line}")));
    }
    lines.extend(choices(widget, change, out));
    lines
}

/// What may be answered, one a line, with its description.
pub(crate) fn choices(widget: &Widget, change: Option<&ChangeView>, out: &Output) -> Vec<String> {
    let lang = out.lang;
    let described = |value: &str, label: &str, description: Option<&String>| {
        let description = description.map(|d| format!(": {d}")).unwrap_or_default();
        let shown = if value == label { String::new() } else { format!(" {label}") };
        format!("[{value}]{shown}{description}")
    };
    let plan = widget.plan_content.iter().flat_map(|plan| plan.lines());
    let mut lines: Vec<String> = plan.map(|line| format!("  {line}")).collect();
    let options = widget.options.iter().flatten();
    let options = options.map(|o| described(&o.value, &o.label, o.description.as_ref()));
    let actions = widget.actions.iter().flatten();
    let actions = actions.map(|a| described(&a.id, &a.label, a.description.as_ref()));
    let numbered = out.is_answered_here() && choice::are_numbered(widget);
    lines.extend(options.chain(actions).enumerate().map(|(i, choice)| {
        if numbered { format!("  {}. {choice}", i + 1) } else { format!("  {choice}") }
    }));
    let items = widget.items.iter().flatten();
    lines.extend(items.map(|item| format!("  [{}] {}", item.id, item.content)));
    lines.extend(form::described(widget, lang));
    let answers = answers(widget, change);
    lines.extend(answers.into_iter().map(|answer| format!("  {}", out.say(answer))));
    lines
}

/// What may be typed to a confirmation.
fn answers(widget: &Widget, change: Option<&ChangeView>) -> Vec<Phrase> {
    if widget.cut {
        // A change of the run's state is always text; of another kind the change is at hand.
        let opens = change.is_none() || can_be_opened(change);
        let all = opens.then(asking::choice_of_all);
        // Of a change that is not shown whole nobody says yes as if it were.
        return all
            .into_iter()
            .chain([asking::choice_of_unseen(), asking::choice_of_no()])
            .collect();
    }
    match &widget.grant {
        Some(WidgetGrant { tool, folder }) => vec![
            asking::choice_of_once(),
            asking::choice_of_folder(tool, folder),
            asking::choice_of_no(),
        ],
        None if widget.kind == WidgetKind::Confirmation => vec![asking::choice_of_yes_or_no()],
        None => Vec::new(),
    }
}
