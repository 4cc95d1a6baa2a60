//! What was acknowledged stands in the journal, and comes back after it is opened again.

use super::outside::{Acknowledged, Outside};
use kernel::event::{Event, Line};

/// Opens the journal again at the end of a history.
pub(super) fn comes_back(outside: &mut Outside) {
    let journal = outside.journal();
    let reopened = outside.replayed();
    let engine = &outside.engine;
    assert_eq!(reopened.core(), engine.core(), "it stands at the same place");
    assert_eq!(reopened.record(), engine.record(), "it knows the same");
    assert_eq!(reopened.wanted(), engine.wanted(), "it wants the same");
    let mut events = journal.iter().flat_map(|line: &Line| &line.events);
    for known in &outside.acknowledged {
        // In the order in which it was acknowledged, and nothing twice.
        assert!(events.any(|event| tells(event, known)), "{known:?} is not in the journal");
    }
    outside.tally.acknowledged = outside.acknowledged.len() as u64;
}

fn tells(event: &Event, known: &Acknowledged) -> bool {
    match (event, known) {
        (Event::UserSaid(e), Acknowledged::Words(words)) => e.text == *words,
        (Event::WidgetAnswered(e), Acknowledged::Answer(value)) => e.value == *value,
        (Event::CallEnded(e), Acknowledged::Result(result)) => e.result == *result,
        (Event::RunEnded(e), Acknowledged::Ended(reason)) => e.reason == *reason,
        (Event::ModelReplied(e), Acknowledged::Reply(text, calls)) => {
            is_reply(&e.reply, text, *calls)
        }
        (Event::CandidateRejected(e), Acknowledged::Reply(text, calls)) => {
            is_reply(&e.reply, text, *calls)
        }
        // An answer without a word or a call is no answer, and is told as that.
        (Event::ModelFailed(_), Acknowledged::Reply(text, 0)) => text.is_empty(),
        _ => false,
    }
}

/// A question within the text has become a call.
fn is_reply(reply: &kernel::chat::Reply, text: &str, calls: usize) -> bool {
    let fenced = text.contains("```widget");
    (reply.text == text && reply.calls.len() == calls) || (fenced && !reply.calls.is_empty())
}
