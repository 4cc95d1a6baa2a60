use std::sync::Arc;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::chat::{ChatMessage, ToolCall};
use crate::context::{
    AnchorAt, History, MessageSource, RequestParts, SUMMARY_HEADINGS, SourcedMessage, build,
    protocol_errors,
};
use crate::ids::CallId;

fn said(text: &str) -> HistoryEntry {
    HistoryEntry::user(text, None)
}

fn reply(text: &str) -> HistoryEntry {
    HistoryEntry::Assistant(Arc::new(ChatMessage::assistant(text)))
}

/// A reply that reads files, and what it read of each.
fn reads(ids: &[&str], content: &str) -> Vec<HistoryEntry> {
    let call = |id: &&str| ToolCall {
        id: CallId::new(id),
        name: "fs_read".into(),
        arguments: json!({ "path": format!("@project/{id}.md") }).to_string(),
    };
    let calls = ids.iter().map(call).collect();
    let asked = ChatMessage { tool_calls: calls, ..ChatMessage::assistant("") };
    let result = json!({ "ok": true, "content": content }).to_string();
    let results = ids
        .iter()
        .map(|id| HistoryEntry::Tool(Arc::new(ChatMessage::tool(CallId::new(id), result.clone()))));
    std::iter::once(HistoryEntry::Assistant(Arc::new(asked))).chain(results).collect()
}

fn job(history: &History, turn_start: usize, tokens: u64) -> CompactionJob {
    CompactionJob {
        seen: history.seen().to_vec(),
        until: history.next(),
        turn_start,
        budget: Budget { tokens, fixed: 1_000 },
        tokenizer: history.tokenizer(),
        hard: false,
        summary: SummaryBy::Model,
    }
}

/// What is sent after that.
fn sent(history: &History) -> Vec<Arc<ChatMessage>> {
    let parts = RequestParts {
        since: 0,
        system: vec![SourcedMessage::layer(MessageSource::BaseRules, ChatMessage::system("S"))],
        history: history.seen(),
        anchor: Vec::new(),
        anchor_at: AnchorAt(0),
        turn_start: 0,
        names_nodes: false,
    };
    let messages = build(parts, |text, _| Ok(text.to_owned())).unwrap();
    let messages: Vec<Arc<ChatMessage>> = messages.iter().cloned().collect();
    assert_eq!(protocol_errors(&messages), Vec::<String>::new());
    assert!(!messages.iter().any(|it| it.content.contains("E_INTERRUPTED")), "a result is lost");
    messages
}

/// Makes it shorter and returns what came of it.
fn compact(history: &mut History, turn_start: usize, tokens: u64) -> Compacted {
    let compacted = job(history, turn_start, tokens).plan().alone();
    compacted.compaction.iter().for_each(|it| history.compact(it));
    assert_eq!(history.tokens() + 1_000, compacted.after.tokens, "it is as long as it is told");
    compacted
}

#[test]
fn three_hundred_groups_become_short_and_every_group_that_stays_is_whole() {
    let mut history = History::default();
    history.push(said("Read them all."));
    for n in 0..300 {
        history.extend(reads(&[&format!("f{n}")], &"word ".repeat(400)));
    }
    let turn = history.next();
    history.push(said("And now sum up."));
    let compacted = compact(&mut history, turn, 16_000);
    assert_eq!(compacted.status, CompactionStatus::Effective);
    assert!(compacted.stages.starts_with(&[Stage::Trim, Stage::Structural]), "{compacted:?}");
    // Half of what the model reads.
    assert!(compacted.after.tokens <= 8_000, "{:?}", compacted.after);
    let messages = sent(&history);
    assert_eq!(messages.last().unwrap().content, "And now sum up.");
    let list = messages.iter().find(|it| it.content.starts_with(CALLS_HEADER)).unwrap();
    assert!(list.content.contains("- fs_read {\"path\":\"@project/f200.md\"} → ok"), "{list:?}");
    assert!(list.content.contains("Not listed before these: "), "{list:?}");
    // The newest groups are as they were.
    assert!(messages.iter().any(|it| it.content.contains(&"word ".repeat(400))));
}

#[test]
fn what_cannot_be_shorter_is_told_as_that() {
    let mut history: History = [said("Hello"), reply("Hi"), said("Go on")].into_iter().collect();
    let before = sent(&history);
    let compacted = compact(&mut history, 2, 1_000);
    assert_eq!(compacted.status, CompactionStatus::Noop);
    assert_eq!(compacted.stages, []);
    assert_eq!(sent(&history), before);
}

#[test]
fn a_long_turn_keeps_the_request_and_its_newest_groups() {
    let mut history: History = [said("Read them all.")].into_iter().collect();
    for n in 0..40 {
        let ids = [format!("a{n}"), format!("b{n}")];
        history.extend(reads(&[&ids[0], &ids[1]], &"word ".repeat(300)));
    }
    let compacted = compact(&mut history, 0, 16_000);
    assert_eq!(compacted.stages, [Stage::ActiveLoop]);
    let messages = sent(&history);
    assert_eq!(messages[1].content, "Read them all.");
    assert!(messages[2].content.starts_with(LOOP_HEADER), "{}", messages[2].content);
    let groups = messages.iter().filter(|it| !it.tool_calls.is_empty()).count();
    assert_eq!(groups, RECENT_ROUNDS[0]);
    // A second time the first list is taken up.
    for n in 40..80 {
        history.extend(reads(&[&format!("c{n}")], &"word ".repeat(900)));
    }
    compact(&mut history, 0, 16_000);
    let messages = sent(&history);
    let lists = messages.iter().filter(|it| it.content.starts_with(LOOP_HEADER));
    assert_eq!(lists.count(), 1);
    assert!(messages[2].content.contains("@project/a3.md"), "{}", messages[2].content);
    assert!(messages[2].content.contains("@project/c60.md"), "{}", messages[2].content);
}

#[test]
fn a_list_of_calls_never_fills_a_small_model() {
    let mut history: History = [said("Read them all.")].into_iter().collect();
    for n in 0..300 {
        history.extend(reads(&[&format!("a-file-with-a-long-name-{n}")], &"word ".repeat(20)));
        compact(&mut history, 0, 2_000);
        assert!(history.tokens() + 1_000 <= 1_600, "after {n}: {}", history.tokens());
    }
    let messages = sent(&history);
    let list = &messages[2].content;
    assert!(
        list.starts_with(LOOP_HEADER) && list.contains("Not listed before these: 29"),
        "{list}"
    );
    assert!(list.contains("name-29"), "{list}");
}

#[test]
fn a_result_that_fills_the_model_alone_is_shortened() {
    let mut history: History = [said("Read it.")].into_iter().collect();
    history.extend(reads(&["huge"], &"word ".repeat(40_000)));
    let compacted = compact(&mut history, 0, 8_192);
    assert!(compacted.after.tokens <= 8_192 * 4 / 5, "{:?}", compacted.after);
    let messages = sent(&history);
    assert!(
        messages[3].content.contains("[shortened by the runtime, 200"),
        "{}",
        messages[3].content
    );
}

#[test]
fn a_group_without_all_its_results_is_never_told_in_short() {
    let mut history: History = [said("Read them.")].into_iter().collect();
    let mut cut = reads(&["x", "y"], "word");
    cut.pop();
    history.extend(cut);
    for n in 0..40 {
        history.extend(reads(&[&format!("f{n}")], &"word ".repeat(400)));
    }
    let compacted = job(&history, 0, 16_000).plan().alone();
    compacted.compaction.iter().for_each(|it| history.compact(it));
    let asked = history
        .seen()
        .iter()
        .any(|it| matches!(it.entry, HistoryEntry::Assistant(it) if it.tool_calls.len() == 2));
    assert!(asked, "{:?}", compacted.stages);
}

/// A long talk, and where its newest turn begins.
fn talk() -> (History, usize) {
    let mut history = History::default();
    for n in 0..60 {
        history.push(said(&format!("Wish {n}: {}", "word ".repeat(60))));
        history.push(reply(&format!("Done {n}: {}", "word ".repeat(200))));
    }
    let turn = history.next();
    history.push(said("The newest wish"));
    (history, turn)
}

#[test]
fn a_summary_stands_for_what_went_and_the_next_one_takes_it_up() {
    let (mut history, turn) = talk();
    let compacted = compact(&mut history, turn, 16_000);
    assert_eq!(compacted.stages, [Stage::Select, Stage::Summary]);
    let summary = sent(&history)[1].content.clone();
    assert!(is_summary(&summary, 2_000, Tokenizer::Estimate), "{summary}");
    assert!(summary.contains("- Wish 0: word"), "the first words stay: {summary}");
    for n in 60..90 {
        history.push(reply(&format!("Done {n}: {}", "word ".repeat(300))));
        history.push(said(&format!("Wish {n}")));
    }
    let turn = history.next() - 1;
    compact(&mut history, turn, 16_000);
    let messages = sent(&history);
    let summaries = messages.iter().filter(|it| it.content.starts_with("CONVERSATION_SUMMARY"));
    assert_eq!(summaries.count(), 1);
    assert!(messages[1].content.contains("- Wish 0: word"), "{}", messages[1].content);
    assert_eq!(messages.last().unwrap().content, "Wish 89");
}

#[test]
fn a_models_summary_takes_the_place_of_ours_when_it_is_one() {
    let (history, turn) = talk();
    let good =
        SUMMARY_HEADINGS.iter().fold("CONVERSATION_SUMMARY\n".to_owned(), |text, heading| {
            format!("{text}\n## {heading}\nnone\n")
        });
    let draft = job(&history, turn, 16_000).plan();
    let (transcript, most) = draft.to_sum_up().unwrap();
    assert!(transcript.starts_with("user: Wish 0") && most == 2_000, "{transcript}");
    let usage = Usage { prompt_tokens: 5, completion_tokens: 6, estimated: false };
    let taken = draft.clone().with_summary(Ok((format!("\n{good}"), usage)));
    assert_eq!((taken.status, taken.usage), (CompactionStatus::Effective, Some(usage)));
    assert_eq!(
        taken.compaction.as_ref().unwrap().parts[0],
        SeenPart::Summary { at: 0, text: good.trim().to_owned() }
    );
    let mut with = history.clone();
    with.compact(taken.compaction.as_ref().unwrap());
    assert_eq!(with.tokens() + 1_000, taken.after.tokens);
    for bad in ["Sure! Here it is", "CONVERSATION_SUMMARY\n## Goal\nall", &"x".repeat(90_000)] {
        let refused = draft.clone().with_summary(Ok((bad.to_owned(), usage)));
        assert_eq!(refused.status, CompactionStatus::FailedFallback, "{bad}");
        assert_eq!(refused.compaction, draft.clone().alone().compaction);
    }
}

#[test]
fn as_much_as_can_be_goes_when_it_is_asked_for() {
    let (mut history, turn) = talk();
    let hard = CompactionJob { hard: true, ..job(&history, turn, 1_000_000) };
    let compacted = hard.plan().alone();
    compacted.compaction.iter().for_each(|it| history.compact(it));
    assert_eq!(sent(&history).len(), 3, "system, summary, newest words");
}

#[test]
fn a_hundred_thousand_messages_of_any_kind_come_to_an_end() {
    let replies = |n: usize| reply(&format!("Done {n}."));
    let wishes = |n: usize| said(&format!("Wish {n}."));
    let (mut all_older, mut one_turn, mut of_calls): (History, History, History) = (
        (0..100_000).map(|n| if n % 2 == 0 { wishes(n) } else { replies(n) }).collect(),
        std::iter::once(wishes(0)).chain((1..100_000).map(replies)).collect(),
        (0..50_000).flat_map(|n| reads(&[&format!("f{n}")], "x")).collect(),
    );
    all_older.push(said("The newest wish"));
    let turn = all_older.next() - 1;
    assert_eq!(compact(&mut all_older, turn, 16_000).status, CompactionStatus::Effective);
    compact(&mut one_turn, 0, 16_000);
    assert_eq!(compact(&mut of_calls, 0, 16_000).status, CompactionStatus::Effective);
}

/// What a conversation may hold, its ids told apart by their part of it.
fn entries(part: usize, kinds: &[(u8, usize)]) -> Vec<HistoryEntry> {
    let of = |(n, (kind, long)): (usize, &(u8, usize))| match kind {
        0 => vec![said(&format!("wish {n} {}", "w ".repeat(*long)))],
        1 => vec![reply(&format!("reply {n} {}", "r ".repeat(*long)))],
        2 => reads(&[&format!("a{part}-{n}"), &format!("b{part}-{n}")], &"x ".repeat(*long * 4)),
        _ => reads(&[&format!("c{part}-{n}")], &"y ".repeat(*long * 9)),
    };
    kinds.iter().enumerate().flat_map(of).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn whatever_was_said_it_gets_no_longer_and_stays_valid(
        kinds in proptest::collection::vec((0_u8..4, 0_usize..900), 1..60),
        later in proptest::collection::vec((0_u8..4, 0_usize..900), 0..20),
        tokens in 1_500_u64..40_000,
    ) {
        let mut history = History::default();
        let mut turn = 0;
        for (part, kinds) in [&kinds, &later].into_iter().enumerate() {
            for entry in entries(part, kinds) {
                if matches!(entry, HistoryEntry::User(_)) {
                    turn = history.next();
                }
                history.push(entry);
            }
            let newest = history.entries().get(turn).cloned();
            let compacted = job(&history, turn, tokens).plan().alone();
            compacted.compaction.iter().for_each(|it| history.compact(it));
            prop_assert!(compacted.after.tokens <= compacted.before.tokens);
            prop_assert_eq!(history.tokens() + 1_000, compacted.after.tokens);
            let parts = RequestParts {
                since: 0,
                system: Vec::new(), history: history.seen(), anchor: Vec::new(),
                anchor_at: AnchorAt(turn), turn_start: turn, names_nodes: false,
            };
            let messages = build(parts, |text, _| Ok(text.to_owned())).unwrap();
            prop_assert_eq!(protocol_errors(&messages), Vec::<String>::new());
            if let Some(HistoryEntry::User(input)) = newest {
                prop_assert!(messages.iter().any(|it| it.content == input.text));
            }
        }
    }
}
