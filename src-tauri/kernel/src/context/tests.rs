//! The builder.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::bounds::REQUEST_BYTES;
use crate::chat::{ChatMessage, RequestMessages, ToolCall};
use crate::code::Failure;
use crate::ids::{CallId, NodeId};
use crate::tokens::Tokenizer;

fn reply(text: &str, calls: Vec<ToolCall>) -> HistoryEntry {
    let message = ChatMessage { tool_calls: calls, ..ChatMessage::assistant(text) };
    HistoryEntry::Assistant(Arc::new(message))
}

fn call(id: &str) -> ToolCall {
    ToolCall { id: CallId::new(id), name: "fs_read".into(), arguments: "{}".into() }
}

#[test]
fn a_conversation_is_measured_as_what_is_sent() {
    let said = |text: String| HistoryEntry::user(text, None);
    let called = |arguments: String| reply("", vec![ToolCall { arguments, ..call("c") }]);
    let result = |content: String| {
        HistoryEntry::Tool(Arc::new(ChatMessage::tool(CallId::new("c"), content)))
    };
    let is_too_long = |entries: &[HistoryEntry]| {
        let mut history = History::default();
        for entry in entries {
            history.push(entry.clone());
        }
        history.is_too_long()
    };
    for (escaped, unit) in [(1, "x"), (2, "\n"), (6, "\u{1}")] {
        let half = unit.repeat(REQUEST_BYTES / escaped / 2 - "fs_read".len());
        let most = [called(half.clone()), result(half.clone())];
        assert!(!is_too_long(&most), "{unit:?}");
        assert!(is_too_long(&[said("x".repeat(200)), called(half.clone()), result(half)]));
    }
}

#[expect(clippy::unnecessary_wraps, reason = "stands for a shell that can fail")]
fn shell(text: &str, node: Option<&NodeId>) -> Result<String, Failure> {
    Ok(node.map_or_else(|| text.to_owned(), |n| format!("{n}: {text}")))
}

fn outline(history: &[HistoryEntry], anchor_at: usize, turn_start: usize) -> Vec<String> {
    let history: History = history.iter().cloned().collect();
    let parts = RequestParts {
        system: vec![SourcedMessage::layer(MessageSource::BaseRules, ChatMessage::system("S"))],
        history: history.seen(),
        since: 0,
        anchor: vec![SourcedMessage::layer(
            MessageSource::RunDirective,
            ChatMessage::user("ANCHOR"),
        )],
        anchor_at: AnchorAt(anchor_at),
        turn_start,
        names_nodes: true,
    };
    let messages = build(parts, shell).unwrap();
    assert_eq!(protocol_errors(&messages), Vec::<String>::new());
    messages.iter().map(|m| m.content.clone()).collect()
}

fn user(text: &str) -> HistoryEntry {
    HistoryEntry::user(text, NodeId::new("n1").ok())
}

fn tool(id: &str) -> HistoryEntry {
    HistoryEntry::Tool(Arc::new(ChatMessage::tool(CallId::new(id), format!("result {id}"))))
}

#[test]
fn the_anchor_stands_before_the_newest_input_and_only_that_input_names_its_node() {
    let history = [user("one"), reply("a", vec![]), user("two")];
    assert_eq!(outline(&history, 2, 2), ["S", "one", "a", "ANCHOR", "n1: two"]);
}

#[test]
fn an_anchor_inside_a_group_stands_after_it() {
    let history = [user("go"), reply("", vec![call("c1"), call("c2")]), tool("c2"), tool("c1")];
    let got = outline(&history, 3, 0);
    assert_eq!(got, ["S", "n1: go", "", "result c1", "result c2", "ANCHOR"]);
}

#[test]
fn a_missing_result_is_made_up_so_that_the_request_is_valid() {
    let history = [reply("", vec![call("c1")]), user("x")];
    let got = outline(&history, 1, 1);
    assert!(got[2].contains("E_INTERRUPTED"), "{got:?}");
}

#[test]
fn a_call_that_servers_refuse_in_every_later_request_is_told() {
    let told = |name: &str, arguments: &str| {
        let call = ToolCall { name: name.into(), arguments: arguments.into(), ..call("c") };
        let asked = ChatMessage { tool_calls: vec![call], ..ChatMessage::assistant("") };
        protocol_errors(&[Arc::new(asked), Arc::new(ChatMessage::tool(CallId::new("c"), "{}"))])
    };
    assert_eq!(told("fs_read", "{}"), Vec::<String>::new());
    for name in ["", "fs.read", "no such tool!", &"x".repeat(65)] {
        assert_eq!(told(name, "{}"), ["c at 0: its name is no name of a tool"]);
    }
    for arguments in ["", "{\"path\": ", "[]", "null"] {
        assert_eq!(told("fs_read", arguments), ["c at 0: its arguments are no JSON object"]);
    }
}

/// Messages that follow no rule: roles, calls and results as they come.
fn lawless() -> impl Strategy<Value = Vec<Arc<ChatMessage>>> {
    let id = || {
        (0_u8..5).prop_map(|n| match n {
            0 => String::new(),
            n => format!("c{n}"),
        })
    };
    let named = |id: String| ToolCall {
        name: if id == "c4" { "no such tool!".into() } else { "fs_read".into() },
        arguments: if id == "c3" { "[]".into() } else { "{}".into() },
        ..call(&id)
    };
    let message = prop_oneof![
        Just(ChatMessage::system("S")),
        Just(ChatMessage::user("u")),
        proptest::collection::vec(id(), 0..4).prop_map(move |ids| ChatMessage {
            tool_calls: ids.into_iter().map(named).collect(),
            ..ChatMessage::assistant("a")
        }),
        id().prop_map(|id| ChatMessage::tool(CallId::new(&id), "{}")),
    ];
    proptest::collection::vec(message.prop_map(Arc::new), 0..24)
}

/// The same messages, of which every three lie in a stretch.
fn shared(messages: &[Arc<ChatMessage>]) -> RequestMessages {
    let (stretches, rest) = messages.as_chunks::<3>();
    let mut shared = RequestMessages::default();
    for stretch in stretches {
        shared.share(Arc::from(stretch.as_slice()));
    }
    shared.extend(rest.iter().cloned());
    shared
}

proptest! {
    #[test]
    fn what_breaks_the_protocol_is_repaired_and_counted_and_what_keeps_it_is_left(
        messages in lawless(),
    ) {
        let (fitting, changes) = repaired(&messages);
        prop_assert_eq!(protocol_errors(&fitting), Vec::<String>::new());
        let breaks = !protocol_errors(&messages).is_empty();
        prop_assert_eq!(changes > 0, breaks);
        prop_assert_eq!(fitting != messages, breaks);
        prop_assert_eq!(repaired(&fitting), (fitting.clone(), 0));
    }

    /// Requests of a conversation that goes on, and whose end changes now and then.
    #[test]
    fn a_request_is_checked_from_where_it_differs_from_the_one_before(
        parts in proptest::collection::vec((lawless(), any::<bool>(), 0_usize..30), 1..6),
    ) {
        let (mut check, mut before) = (ProtocolCheck::default(), Vec::<Arc<ChatMessage>>::new());
        for (part, keeps, until) in parts {
            let mut request = before[..until.min(before.len())].to_vec();
            request.extend(part);
            let request = if keeps { repaired(&request).0 } else { request };
            let accepts = check.accepts(&shared(&request));
            prop_assert_eq!(accepts, protocol_errors(&request).is_empty());
            before = if accepts { request } else {
                let (fitting, _) = repaired(&request);
                prop_assert!(check.accepts(&shared(&fitting)));
                fitting
            };
        }
    }

    #[test]
    fn every_history_builds_a_request_a_server_accepts(
        kinds in proptest::collection::vec(0_u8..4, 0..40),
        anchor in 0_usize..45,
    ) {
        let mut history = Vec::new();
        for (n, kind) in kinds.iter().enumerate() {
            history.push(match kind {
                0 => user("u"),
                1 => reply("t", vec![]),
                2 => reply("", vec![call(&format!("a{n}")), call(&format!("b{n}"))]),
                _ => tool(&format!("a{}", n.saturating_sub(1))),
            });
        }
        let got = outline(&history, anchor, 0);
        prop_assert_eq!(got.iter().filter(|c| *c == "ANCHOR").count(), 1);
    }
}

/// Any entries, with calls and results of few ids that come again and again.
fn entries() -> impl Strategy<Value = Vec<HistoryEntry>> {
    let id = || prop_oneof![Just("a"), Just("b"), Just("c")];
    let entry = prop_oneof![
        Just(user("u")),
        Just(user(" ")),
        proptest::collection::vec(id(), 0..4)
            .prop_map(|ids| reply("t", ids.into_iter().map(call).collect())),
        (id(), any::<u8>()).prop_map(|(id, n)| {
            HistoryEntry::Tool(Arc::new(ChatMessage::tool(CallId::new(id), n.to_string())))
        }),
        (id(), any::<u8>()).prop_map(|(id, n)| {
            HistoryEntry::Tool(Arc::new(ChatMessage::tool(CallId::new(id), n.to_string())))
        }),
    ];
    proptest::collection::vec(entry, 0..14)
}

proptest! {
    /// Of what stands in the place of older messages it is not known which results are answers.
    #[test]
    fn results_that_follow_their_calls_are_those_that_are_found_by_their_ids(
        entries in entries(),
    ) {
        let sent = |history: &History| {
            let parts = RequestParts {
                system: Vec::new(),
                history: history.seen(),
                since: 0,
                anchor: Vec::new(),
                anchor_at: AnchorAt(0),
                turn_start: usize::MAX,
                names_nodes: false,
            };
            build(parts, shell).unwrap()
        };
        let known: History = entries.iter().cloned().collect();
        let mut looked_for = known.clone();
        let parts = (0..entries.len()).map(SeenPart::Whole).collect();
        looked_for.compact(&Compaction { until: entries.len(), parts });
        prop_assert_eq!(sent(&known), sent(&looked_for));
        prop_assert_eq!(sent(&known), sent(&looked_for), "once more, with what is kept");
    }
}

/// What is said in a row: mostly a reply with its results, as they come.
fn talk() -> impl Strategy<Value = Vec<HistoryEntry>> {
    let answered = |n: u32| {
        let ids = [format!("a{n}"), format!("b{n}")];
        let calls = ids.iter().map(|id| call(id)).collect();
        vec![user("u"), reply("t", calls), tool(&ids[0]), tool(&ids[1]), reply("done", vec![])]
    };
    prop_oneof![
        12 => any::<u32>().prop_map(answered),
        1 => entries(),
    ]
}

proptest! {
    /// A conversation that goes on and is made shorter now and then: what a request shares with those
    /// before is what it would be made of anew.
    #[test]
    fn requests_that_share_stretches_are_as_those_that_share_none(
        turns in proptest::collection::vec(
            (
                proptest::collection::vec(talk(), 1..40),
                any::<bool>(),
                0_usize..400,
                0_usize..400,
                prop_oneof![3 => Just(0_usize), 1 => 0_usize..300],
            ),
            1..6,
        ),
        compacts in 0_usize..8,
    ) {
        let mut history = History::default();
        for (n, (said, names_nodes, anchor, newest, since)) in turns.into_iter().enumerate() {
            history.extend(said.into_iter().flatten());
            let until = history.next();
            if n == compacts {
                let parts = (until / 3..until / 2).map(SeenPart::Whole).collect();
                history.compact(&Compaction { until: until / 2, parts });
            }
            let anchored = SourcedMessage::layer(MessageSource::RunDirective, ChatMessage::user("A"));
            let parts = || RequestParts {
                system: vec![SourcedMessage::layer(MessageSource::BaseRules, ChatMessage::system("S"))],
                history: history.seen(),
                since,
                anchor: vec![anchored.clone()],
                anchor_at: AnchorAt(until.saturating_sub(anchor)),
                turn_start: until.saturating_sub(newest),
                names_nodes,
            };
            let mut anew = Vec::new();
            place(parts(), shell, &mut anew).unwrap();
            let anew: Vec<Arc<ChatMessage>> = anew.into_iter().map(|it| it.message).collect();
            for _ in 0..2 {
                let sent = build(parts(), shell).unwrap();
                prop_assert!(sent.iter().eq(&anew), "{sent:#?} is not {anew:#?}");
            }
        }
    }
}

/// A conversation of every kind of message, and what it is made shorter to.
fn conversation() -> (Vec<HistoryEntry>, Compaction) {
    let entries = vec![
        user("How many tokens does this have?"),
        reply("I look it up.", vec![call("c1")]),
        tool("c1"),
        reply("antidisestablishmentarianism", vec![]),
        user("再来一次。"),
    ];
    let parts = vec![
        SeenPart::Summary { at: 0, text: "CONVERSATION_SUMMARY of a few words".into() },
        SeenPart::Whole(1),
        SeenPart::Shortened { at: 2, text: "res".into() },
    ];
    (entries, Compaction { until: 3, parts })
}

/// What is counted when nothing was counted before.
fn counted_anew(history: &History) -> u64 {
    history.seen().iter().map(|it| it.entry.tokens(history.tokenizer())).sum()
}

#[test]
fn tokens_are_what_a_count_from_scratch_says_whatever_happens_between() {
    let (entries, compaction) = conversation();
    let all = [Tokenizer::Estimate, Tokenizer::Cl100k, Tokenizer::O200k];
    for (before, after) in all.into_iter().flat_map(|it| all.map(|other| (it, other))) {
        for asked_early in [true, false] {
            let mut history = History::default();
            let check = |history: &History| {
                if asked_early {
                    assert_eq!(history.tokens(), counted_anew(history));
                }
            };
            history.count_with(before);
            for entry in &entries {
                history.push(entry.clone());
                check(&history);
            }
            history.count_with(after);
            check(&history);
            history.compact(&compaction);
            check(&history);
            history.count_with(before);
            history.push(user("And now?"));
            assert_eq!(history.tokens(), counted_anew(&history), "{before:?} {after:?}");
            let of_each: Vec<u64> = history.seen().iter().map(|it| it.tokens()).collect();
            let of_copies: Vec<u64> =
                history.seen().to_vec().iter().map(PlacedEntry::tokens).collect();
            assert_eq!(of_each, of_copies);
            assert_eq!(of_each.iter().sum::<u64>(), history.tokens());
        }
    }
}

#[test]
fn a_known_tokenizer_counts_other_tokens_than_the_estimate() {
    let (entries, _) = conversation();
    let tokens = |tokenizer| {
        let mut history: History = entries.iter().cloned().collect();
        history.count_with(tokenizer);
        history.tokens()
    };
    let all = [Tokenizer::Estimate, Tokenizer::Cl100k, Tokenizer::O200k].map(tokens);
    assert_eq!(all, [50, 49, 48]);
}
