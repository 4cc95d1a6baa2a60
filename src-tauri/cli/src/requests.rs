//! What was asked of a model, in words.

use kernel::phrase::{Phrase, requests as said};
use kernel::wire::{RequestList, RequestMessage, RequestRow, RequestTool, RequestView};
use serde_json::Value;

use crate::output::Output;
use crate::print::{StyledText, about, blocks, paint, rows};

/// The requests of a conversation, one a line, the oldest first.
pub(crate) fn list(list: &RequestList, out: &Output) -> StyledText {
    let none = list.requests.is_empty().then(|| out.say(said::nothing_was_asked()));
    let earlier = (list.earlier > 0).then(|| out.say(said::earlier_requests(list.earlier)));
    let each = list.requests.iter().map(|row| {
        let end = ended(row, out);
        let took = took(row, out).map(|took| format!("  {took}")).unwrap_or_default();
        format!("{:>5}  {}  {end}{took}", row.number, row.at)
    });
    rows(none.into_iter().chain(earlier).chain(each))
}

/// One request, whole.
pub(crate) fn whole(view: &RequestView, out: &Output) -> StyledText {
    let RequestView { row, messages, gone, tools, estimated, .. } = view;
    let mut lines = vec![paint("1", out.say(said::request_title(row.number, row.at)))];
    let took = took(row, out).map(|took| format!(", {took}")).unwrap_or_default();
    lines.push(format!("{}{took}", ended(row, out)).into());
    lines.extend(notes(view).into_iter().map(|phrase| out.say(phrase).into()));
    let mut all = vec![rows(lines)];
    let marks_new = view.before.is_some();
    all.extend(messages.iter().map(|it| message(it, marks_new, *estimated, out)));
    if !gone.is_empty() {
        all.push(paint("1", out.say(said::gone_title())));
        all.extend(gone.iter().map(|it| message(it, false, *estimated, out)));
    }
    let tokens: u64 = tools.iter().map(|it| it.tokens).sum();
    all.push(paint("1", out.say(said::tools_title(tools.len(), about(tokens, *estimated)))));
    all.extend(tools.iter().map(|it| tool(it, marks_new)));
    blocks(all.into_iter().map(|block| block.and("\n")))
}

fn ended(row: &RequestRow, out: &Output) -> String {
    out.say(row.said())
}

fn took(row: &RequestRow, out: &Output) -> Option<String> {
    let usage = row.usage?;
    let (prompt, completion) = (usage.prompt_tokens, usage.completion_tokens);
    let took = out.say(match row.duration_ms {
        Some(ms) => said::took(prompt, completion, seconds(ms)),
        None => said::took_tokens(prompt, completion),
    });
    let first = row.first_token_ms.map(|ms| out.say(said::first_after(seconds(ms))));
    Some([took].into_iter().chain(first).collect::<Vec<_>>().join(", "))
}

fn seconds(ms: u64) -> String {
    format!("{}.{}", ms / 1000, ms % 1000 / 100)
}

/// What is to be known of a request before it is read.
fn notes(view: &RequestView) -> Vec<Phrase> {
    let RequestView { messages, gone, left_out, .. } = view;
    let hash = match view.is_as_sent {
        Some(true) => said::exactly_as_sent(&view.sha256),
        Some(false) => said::built_otherwise(),
        None => said::hash_not_kept(),
    };
    let new = messages.iter().filter(|it| it.is_new).count();
    let compared = view.before.map(|number| said::new_and_gone(number, new, gone.len()));
    let (shortened, earlier) = (left_out.by_shortening, left_out.of_earlier_steps);
    let shortening = (shortened > 0).then(|| said::left_by_shortening(shortened));
    let steps = (earlier > 0).then(|| said::left_of_earlier_steps(earlier));
    let tools = (!view.gone_tools.is_empty()).then(|| said::tools_gone(view.gone_tools.join(", ")));
    let optional = [compared, shortening, steps, tools].into_iter().flatten();
    let limits = [
        view.row.repaired.then(said::calls_were_text),
        view.must_call.then(said::must_call_a_tool),
        view.max_tokens.map(said::answer_at_most),
    ];
    let mut all = vec![hash];
    all.extend(optional.chain(limits.into_iter().flatten()).chain(view.shortened.clone()));
    all
}

fn message(it: &RequestMessage, marks_new: bool, estimated: bool, out: &Output) -> StyledText {
    let role = match serde_json::to_value(it.message.role) {
        Ok(Value::String(role)) => role,
        _ => String::new(),
    };
    let mark = if marks_new && it.is_new { "+ " } else { "" };
    let source = out.say(it.source.said());
    let title = out.say(said::message_title(role, source, about(it.tokens, estimated)));
    let head = paint(if mark.is_empty() { "36" } else { "32;1" }, format!("{mark}{title}"));
    let content = Some(&it.message.content).filter(|text| !text.is_empty());
    let calls = it.message.tool_calls.iter();
    let calls = calls.map(|call| format!("→ {} {} {}", call.id, call.name, call.arguments));
    let answers = it.message.tool_call_id.iter().map(|call| format!("← {call}"));
    let body = answers.chain(content.cloned()).chain(calls);
    blocks([head].into_iter().chain(body.map(|text| indented(&text))))
}

fn tool(it: &RequestTool, marks_new: bool) -> StyledText {
    let mark = if marks_new && it.is_new { "+ " } else { "" };
    let name =
        paint(if mark.is_empty() { "36" } else { "32;1" }, format!("{mark}{}", it.tool.name));
    let parameters = it.tool.parameters.to_string();
    blocks([name, indented(&it.tool.description), indented(&parameters)])
}

/// A text of a request: none of its lines can be taken for one of ours.
fn indented(text: &str) -> StyledText {
    format!("  {}", text.replace('\n', "\n  ")).into()
}
