//! What a run does and did, in words: its changes of files, and what became of its calls.

use kernel::changed_files::{EffectKind, FileEffect};
use kernel::code::ErrorCode;
use kernel::event::CallEnded;
use kernel::phrase::{Phrase, printed};
use kernel::tool::CallResult;
use kernel::view::state_of_refused;
use kernel::wire::CallState;
use kernel::words::{Lang, say, words};

use crate::output::Output;
use crate::print::{StyledText, paint};

/// What a change does; journals of older versions have it in English only.
pub(crate) fn does(parts: &[Phrase], summary: &str, lang: Lang) -> String {
    if parts.is_empty() { summary.to_owned() } else { say(parts, lang) }
}

/// What the run changed, one file a line; empty when nothing is different.
pub(crate) fn changes(effects: &[FileEffect], out: &Output) -> Vec<String> {
    let line = |effect: &FileEffect| {
        let kind = match effect.kind {
            EffectKind::Created => printed::file_created(),
            EffectKind::Changed => printed::file_changed(),
            EffectKind::Deleted => printed::file_deleted(),
            EffectKind::Moved => printed::file_moved(),
        };
        let path = match &effect.from {
            Some(from) => format!("{from} → {}", effect.path),
            None => effect.path.to_string(),
        };
        let lines = effect.lines.map(|n| format!("  +{} −{}", n.added, n.removed));
        let known = match (effect.foreign, effect.verified) {
            (true, _) => format!("  {}", out.say(printed::changed_by_another())),
            (false, true) => format!("  {}", out.say(printed::checked_since())),
            (false, false) => String::new(),
        };
        format!("  {}  {path}{}{known}", out.say(kind), lines.unwrap_or_default())
    };
    let title = std::iter::once(out.say(printed::changes_title())).filter(|_| !effects.is_empty());
    title.chain(effects.iter().map(line)).collect()
}

/// What became of a call: in red only what needs a person. One that came to nothing has its code
/// with the words of it.
pub(crate) fn outcome(ended: &CallEnded, out: &Output) -> StyledText {
    if ended.ok {
        return paint("32", "ok");
    }
    let result = CallResult::of(&ended.result);
    let code = result.code().unwrap_or_default();
    let known = serde_json::from_value::<ErrorCode>(code.into()).ok();
    let title = known.map(|code| words(code, out.lang).title).unwrap_or_default();
    match state_of_refused(result.code()) {
        CallState::Asked => paint("33", out.say(printed::call_asked())),
        CallState::Refused => paint("2", out.say(printed::call_refused())),
        CallState::Missing => paint("2", out.say(printed::call_missing(code, title))),
        CallState::Handled => paint("2", out.say(printed::call_not_done(code, title))),
        CallState::Failed if code.is_empty() => paint("31", out.say(printed::call_failed())),
        CallState::Failed => paint("31", format!("{code} {title}")),
        CallState::Running | CallState::Waiting | CallState::Done | CallState::InDoubt => {
            paint("32", "ok")
        }
    }
}
