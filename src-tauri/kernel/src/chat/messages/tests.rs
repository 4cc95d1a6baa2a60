//! A list that shares stretches is like a plain list of the same messages.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn message(n: u8) -> Arc<ChatMessage> {
    Arc::new(ChatMessage::user(n.to_string()))
}

/// Messages one by one, or a stretch of them.
fn pieces() -> impl Strategy<Value = Vec<(bool, Vec<Arc<ChatMessage>>)>> {
    let some = proptest::collection::vec((0_u8..3).prop_map(message), 0..5);
    proptest::collection::vec((any::<bool>(), some), 0..8)
}

fn both(pieces: &[(bool, Vec<Arc<ChatMessage>>)]) -> (RequestMessages, Vec<Arc<ChatMessage>>) {
    let mut messages = RequestMessages::default();
    for (is_shared, piece) in pieces {
        if *is_shared {
            messages.share(piece.clone().into());
        } else {
            messages.extend(piece.iter().cloned());
        }
    }
    (messages, pieces.iter().flat_map(|(_, piece)| piece.clone()).collect())
}

proptest! {
    #[test]
    fn it_is_read_and_written_like_a_plain_list(
        pieces in pieces(),
        at in 0_usize..40,
    ) {
        let (mut messages, mut plain) = both(&pieces);
        prop_assert!(messages.iter().eq(&plain) && messages.iter().rev().eq(plain.iter().rev()));
        prop_assert_eq!((messages.len(), messages.is_empty()), (plain.len(), plain.is_empty()));
        prop_assert_eq!((messages.get(at), messages.last()), (plain.get(at), plain.last()));
        prop_assert_eq!(json!(messages), json!(plain));
        let (before, other) = (messages.clone(), message(9));
        messages.set(at, Arc::clone(&other));
        if let Some(old) = plain.get_mut(at) {
            *old = other;
            prop_assert!(before != messages, "another request keeps what it shares");
        }
        prop_assert!(messages.iter().eq(&plain));
    }

    #[test]
    fn two_begin_with_the_same_messages_however_they_are_shared(
        start in pieces(),
        (one, other) in (pieces(), pieces()),
        is_cut_alike in any::<bool>(),
    ) {
        let (shared, plain) = both(&start);
        let mut lists = [shared.clone(), shared];
        let mut plains = [plain.clone(), plain.clone()];
        if !is_cut_alike {
            lists[1] = plain.into_iter().collect();
        }
        for (n, more) in [one, other].iter().enumerate() {
            let (more, plain) = both(more);
            lists[n].extend(more.iter().cloned());
            plains[n].extend(plain);
        }
        let same = plains[0].iter().zip(&plains[1]).take_while(|(a, b)| a == b).count();
        prop_assert_eq!(lists[0].same_beginning(&lists[1]), same);
        prop_assert_eq!(lists[0] == lists[1], plains[0] == plains[1]);
    }
}
