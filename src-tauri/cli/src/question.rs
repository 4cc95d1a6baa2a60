//! What a question looks like: whole in the output, because whoever reads it may not be there to
//! answer (exit code 3).

use kernel::phrase::changes;
use kernel::tool::{delete, move_};
use kernel::widget::{STATE_CHANGE_CONFIRM, TOOL_APPROVAL, Widget, WidgetGrant, WidgetKind};
use kernel::wire::{ChangeView, WaitingWidget, WholeChange};
use kernel::words::{Lang, say};

use crate::answers::can_be_opened;
use crate::ask::form;
use crate::output::{Output, does};

/// What is asked: the runtime's own question in the reader's language, the model's as it is.
pub(crate) fn question(widget: &Widget, change: Option<&ChangeView>, lang: Lang) -> String {
    match change.filter(|change| widget.widget_id == TOOL_APPROVAL && change.call_id.is_some()) {
        Some(ChangeView { tool, path, .. }) => {
            let asked = match tool.as_str() {
                delete::NAME => changes::allow_delete(path),
                move_::NAME => changes::allow_move(path),
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
    let en = "the exact change is not known yet; say yes only if you trust the request: it may then change the state of the run once, and no file";
    let zh = "还不知道具体修改；仅在信任这个请求时确认：之后只能修改一次运行状态，不会改动文件";
    let not_known = unknown.then(|| out.say(en, zh));
    let said = [not_known, undoes.then(|| undone(out))].into_iter().flatten();
    said.map(|caution| format!("  ! {caution}")).chain(not_whole(widget, out)).collect()
}

/// That something of the change is not shown.
pub(crate) fn not_whole(widget: &Widget, out: &Output) -> Option<String> {
    let en =
        "not all of the change is shown: lines are left out where `…` stands, or it is no text";
    let caution = out.say(en, "修改未完整显示：`…` 处省略了若干行，或者它不是文本");
    widget.cut.then(|| format!("  ! {caution}"))
}

/// In words, that a change takes the completion back.
pub(crate) fn undone(out: &Output) -> &'static str {
    out.say("the run will no longer count as completed", "此后运行不再算作已完成")
}

/// All of a change, and how a yes to it is given now.
pub(crate) fn opened(change: &WholeChange, out: &Output) -> impl Iterator<Item = String> {
    let en = "That is all of the change. A plain yes allows it once, exactly as shown.";
    let end = out.say(en, "以上是全部修改。现在回答 y 即允许一次，与所示完全一致。").to_owned();
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
        lines.push(format!("  {}: {does}", change.path));
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
    let numbered = out.is_answered_here() && crate::ask::choice::are_numbered(widget);
    lines.extend(options.chain(actions).enumerate().map(|(i, choice)| {
        if numbered { format!("  {}. {choice}", i + 1) } else { format!("  {choice}") }
    }));
    let items = widget.items.iter().flatten();
    lines.extend(items.map(|item| format!("  [{}] {}", item.id, item.content)));
    lines.extend(form::described(widget, lang));
    if widget.cut {
        // A change of the run's state is always text; of another kind the change is at hand.
        if change.is_none() || can_be_opened(change) {
            lines.push(
                out.say("  [all] show all of it, then ask again", "  [all] 显示全部后再问")
                    .to_owned(),
            );
        }
        lines.extend(unseen(lang));
    } else if let Some(grant) = &widget.grant {
        lines.extend(allowing(grant, lang));
    } else if widget.kind == WidgetKind::Confirmation {
        lines.push(match lang {
            Lang::En => "  [y] yes   [n] no".to_owned(),
            Lang::Zh => "  [y] 确认   [n] 取消".to_owned(),
        });
    }
    lines
}

/// Of a change that is not shown whole nobody says yes as if it were.
fn unseen(lang: Lang) -> [String; 2] {
    match lang {
        Lang::En => [
            "  [unseen] this once, although not all of it is shown".to_owned(),
            "  [n] no".to_owned(),
        ],
        Lang::Zh => ["  [unseen] 仅这一次，尽管未完整显示".to_owned(), "  [n] 不允许".to_owned()],
    }
}

fn allowing(grant: &WidgetGrant, lang: Lang) -> [String; 3] {
    let WidgetGrant { tool, folder } = grant;
    match lang {
        Lang::En => [
            "  [y] this once, exactly as shown".to_owned(),
            format!(
                "  [folder] every {tool} on files directly in {folder}, until this run or program ends"
            ),
            "  [n] no".to_owned(),
        ],
        Lang::Zh => [
            "  [y] 仅这一次，与所示完全一致".to_owned(),
            format!("  [folder] 对直接位于 {folder} 中的文件都允许 {tool}，直到运行或程序结束"),
            "  [n] 不允许".to_owned(),
        ],
    }
}
