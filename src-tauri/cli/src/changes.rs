//! What a run did, in words: its changes of files, and what became of its calls.

use kernel::code::ErrorCode;
use kernel::event::CallEnded;
use kernel::restore::{EffectKind, FileEffect};
use kernel::view::call_state;
use kernel::wire::CallState;
use kernel::words::words;
use serde_json::Value;

use crate::output::Output;
use crate::print::{Text, paint};

/// What the run changed, one file a line; empty when nothing is different.
pub(crate) fn changes(effects: &[FileEffect], out: &Output) -> Vec<String> {
    let line = |effect: &FileEffect| {
        let kind = match effect.kind {
            EffectKind::Created => out.say("new", "新建"),
            EffectKind::Changed => out.say("changed", "已修改"),
            EffectKind::Deleted => out.say("deleted", "已删除"),
            EffectKind::Moved => out.say("moved", "已移动"),
        };
        let path = match &effect.from {
            Some(from) => format!("{from} → {}", effect.path),
            None => effect.path.to_string(),
        };
        let lines = effect.lines.map(|n| format!("  +{} −{}", n.added, n.removed));
        let foreign = out.say("  (changed since by someone else)", "  （之后又被他人修改）");
        let foreign = if effect.foreign { foreign } else { "" };
        format!("  {kind}  {path}{}{foreign}", lines.unwrap_or_default())
    };
    let title = out.say("Changes:", "改动：").to_owned();
    let title = std::iter::once(title).filter(|_| !effects.is_empty());
    title.chain(effects.iter().map(line)).collect()
}

/// What became of a call: in red only what needs a person. One that came to nothing has its code
/// with the words of it.
pub(crate) fn outcome(ended: &CallEnded, out: &Output) -> Text {
    let code = ended.result.pointer("/error/code").and_then(Value::as_str).unwrap_or_default();
    let known = serde_json::from_value::<ErrorCode>(code.into()).ok();
    let title = known.map(|code| words(code, out.lang).title).unwrap_or_default();
    match call_state(ended.ok, &ended.result) {
        CallState::Asked => paint("33", out.say("asked you", "已询问你")),
        CallState::Refused => paint("2", out.say("refused by you", "你未允许")),
        CallState::Missing => {
            paint("2", format!("{} ({code}) {title}", out.say("not found", "未找到")))
        }
        CallState::Handled => {
            paint("2", format!("{} ({code}) {title}", out.say("not done", "未执行")))
        }
        CallState::Failed if code.is_empty() => paint("31", out.say("failed", "失败")),
        CallState::Failed => paint("31", format!("{code} {title}")),
        CallState::Running | CallState::Waiting | CallState::Done | CallState::Doubted => {
            paint("32", "ok")
        }
    }
}
