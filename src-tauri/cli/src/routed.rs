//! What became of words that an agent's menu, or the program, may know.

use host::host::Host;
use kernel::command::{Receipt, Routed};
use kernel::event::Phase;
use kernel::ids::ConversationId;
use kernel::package::MenuLine;
use kernel::phrase::printed;
use serde_json::json;

use crate::output::Output;
use crate::print::{StyledText, rows};
use crate::reads::standing;

/// Whether the model, or a run, is at work after these words.
pub(crate) async fn sets_going(host: &Host, id: &ConversationId, routed: &Routed) -> bool {
    match routed {
        Routed::Said | Routed::Started => true,
        // A run that waits for the person goes on waiting.
        Routed::Resumed => {
            let now = standing(host, id).await;
            now.is_ok_and(|now| now.phase == Phase::Running)
        }
        Routed::Menu { .. } | Routed::Choice { .. } | Routed::Stopped | Routed::Dismissed => false,
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
            Routed::Resumed => rows([out.say(printed::back_at_the_run())]),
            Routed::Said | Routed::Started => StyledText::default(),
        }
    };
    let (conversation, run) = (&receipt.conversation_id, &receipt.run_id);
    out.result(&json!({ "routed": routed, "conversationId": conversation, "runId": run }), words);
}
