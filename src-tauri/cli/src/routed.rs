//! What became of words that an agent's menu, or the program, may know.

use kernel::command::{Receipt, Routed};
use kernel::package::MenuLine;
use kernel::phrase::printed;
use serde_json::json;

use crate::output::Output;
use crate::print::{StyledText, rows};

/// Whether the model, or a run, is at work after these words.
pub(crate) fn sets_going(routed: &Routed) -> bool {
    match routed {
        Routed::Said | Routed::Started => true,
        Routed::Resumed { goes_on, .. } => *goes_on,
        Routed::Menu { .. } | Routed::Choice { .. } | Routed::Stopped | Routed::Dismissed => false,
    }
}

/// From where what came of the words is followed: they may lead to another conversation.
pub(crate) fn followed_from(receipt: &Receipt, from: u64) -> u64 {
    match receipt.routed {
        Some(Routed::Resumed { from_seq, .. }) => from_seq,
        _ => from,
    }
}

/// What became of words that were not said.
pub(crate) fn told(receipt: &Receipt, out: &Output) {
    let Some(routed) = &receipt.routed else { return };
    let words = || -> StyledText {
        match routed {
            Routed::Menu { items } | Routed::Choice { items } => {
                let head = match routed {
                    Routed::Choice { .. } => printed::which_of_these(),
                    _ if items.is_empty() => printed::no_menu(),
                    _ => printed::the_menu(),
                };
                let row = |item: &MenuLine| {
                    let name = item.trigger.as_ref().map(|name| format!("{name}  "));
                    format!("  {}. {}{}", item.number, name.unwrap_or_default(), item.description)
                };
                rows(std::iter::once(out.say(head)).chain(items.iter().map(row)))
            }
            Routed::Dismissed => rows([out.say(printed::agent_dismissed())]),
            Routed::Stopped => rows([out.say(printed::run_stopped())]),
            Routed::Resumed { .. } => rows([out.say(printed::back_at_the_run())]),
            Routed::Said | Routed::Started => StyledText::default(),
        }
    };
    let (conversation, run) = (&receipt.conversation_id, &receipt.run_id);
    out.result(&json!({ "routed": routed, "conversationId": conversation, "runId": run }), words);
}
