use super::*;
use kernel::chat::ChatMessage;
use kernel::context::{self, MessageSource, RequestParts, SourcedMessage, protocol_errors};
use kernel::engine::{Env, ExecutionEngine, Limits};
use kernel::event::Event;
use kernel::ids::{ConversationId, PackageId};
use kernel::package::Package;
use kernel::prompt::PromptComposer;
use kernel::view::View;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

fn conversation_id() -> ConversationId {
    "c-1".parse().unwrap()
}

fn read(values: &[Value]) -> (Vec<MessageImported>, Vec<ImportProblem>) {
    let mut messages = Messages::new(conversation_id(), Time::from_millis(1_000));
    for value in values {
        messages.read(value);
    }
    messages.finish()
}

fn lines(messages: Vec<MessageImported>) -> Vec<Line> {
    let old = OldConversation::unlisted(conversation_id(), Time::from_millis(500));
    journal(&old, &"p-1".parse().unwrap(), None, messages, Time::from_millis(9_000_000))
}

/// What a server would be sent of a journal.
fn request(lines: &[Line]) -> Vec<Arc<ChatMessage>> {
    let env = Env {
        package: Arc::new(Package::lost(PackageId::new("none").unwrap())),
        others: Vec::new(),
        composer: Arc::new(PromptComposer::new().unwrap()),
        limits: Limits::default(),
    };
    let engine = ExecutionEngine::replay(conversation_id(), env, lines);
    let record = engine.record();
    let parts = RequestParts {
        since: 0,
        system: vec![SourcedMessage::layer(MessageSource::BaseRules, ChatMessage::system("S"))],
        history: record.history.seen(),
        anchor: Vec::new(),
        anchor_at: record.anchor_at,
        turn_start: record.turn_start,
        names_nodes: false,
    };
    let messages = context::build(parts, |text, _| Ok(text.to_owned())).unwrap();
    messages.iter().cloned().collect()
}

#[test]
fn a_journal_goes_on_without_a_gap_in_lines_of_a_hundred_messages() {
    let at = |n: i64| Time::from_millis(1_000 + n).to_string();
    let values: Vec<Value> = (0..250)
        .map(|n| json!({ "id": format!("m{n}"), "role": "user", "content": "x", "createdAt": at(n) }))
        .collect();
    let (messages, problems) = read(&values);
    assert_eq!(problems, []);
    let lines = lines(messages);
    assert_eq!(lines.iter().map(|l| l.events.len()).collect::<Vec<_>>(), [1, 100, 100, 50]);
    assert_eq!(lines[0].seq, 1);
    assert!(lines.windows(2).all(|pair| pair[0].next_seq() == pair[1].seq));
    assert!(lines.windows(2).all(|pair| pair[0].at <= pair[1].at));
    let text = serde_json::to_string(&lines[1]).unwrap();
    assert_eq!(kernel::event::upcast(&text).unwrap(), lines[1]);
}

#[test]
fn repeated_call_ids_become_unique_and_results_follow_their_calls() {
    let call =
        |id: &str| json!([{ "id": "c", "function": { "name": "fs.read", "arguments": id } }]);
    let (messages, _) = read(&[
        json!({ "id": "1", "role": "assistant", "tool_calls": call("a") }),
        json!({ "id": "2", "role": "tool", "tool_call_id": "c", "content": "first" }),
        json!({ "id": "3", "role": "assistant", "tool_calls": call("b") }),
        json!({ "id": "4", "role": "tool", "tool_call_id": "c", "content": "second" }),
    ]);
    let sent = request(&lines(messages));
    assert_eq!(protocol_errors(&sent), Vec::<String>::new());
    let said: Vec<&str> = sent.iter().map(|m| m.content.as_str()).collect();
    assert_eq!(said, ["S", "", "first", "", "second"]);
}

#[test]
fn ids_that_cannot_name_a_file_are_refused() {
    for bad in
        ["", "..", "../x", "a/b", "a\\b", "a:b", "nul", "COM1.txt", "x.", "a\0b", &"x".repeat(130)]
    {
        assert_eq!(safe_id::<kernel::ids::RunId>(bad), None, "{bad:?}");
    }
    assert!(safe_id::<kernel::ids::RunId>("0b9e6d4e-7f6f-4a59-8a43-1f0f4c1f8d2c").is_some());
}

#[test]
fn no_setting_repeats_a_key() {
    let document = json!({ "llm": { "apiKey": "sk-1" }, "multimodalLlm": { "apiKey": "sk-2" },
        "mcp": { "servers": [{ "env": { "T": "sk-3" } }] }, "unknown": { "apiKey": "sk-4" } });
    for setting in settings(&document) {
        let told = match setting.fate {
            Fate::Key(_) => String::new(),
            other => format!("{other:?}"),
        };
        assert!(!told.contains("sk-"), "{}: {told}", setting.name);
    }
}

/// Messages that are nearly right: the members that matter, each sometimes of another shape.
fn message() -> impl Strategy<Value = Value> {
    let odd = prop_oneof![Just(Value::Null), Just(json!(7)), Just(json!([])), Just(json!({}))];
    let id = prop_oneof![(0..9_u8).prop_map(|n| json!(format!("m{n}"))), odd.clone()];
    let role = prop_oneof![
        Just(json!("user")),
        Just(json!("assistant")),
        Just(json!("tool")),
        Just(json!("system")),
        odd.clone()
    ];
    let call =
        (0..4_u8).prop_map(|n| json!({ "id": format!("c{n}"), "function": { "name": "fs.read" } }));
    let calls =
        prop_oneof![proptest::collection::vec(call, 0..3).prop_map(Value::Array), odd.clone()];
    let answers = prop_oneof![(0..4_u8).prop_map(|n| json!(format!("c{n}"))), odd.clone()];
    let content = prop_oneof![
        Just(json!("words")),
        Just(json!("WIDGET_SUBMIT\n{\"widgetId\":\"w\"}")),
        odd.clone()
    ];
    let widget =
        prop_oneof![Just(json!({ "widgetId": "w", "type": "confirmation", "message": "?" })), odd];
    (id, role, calls, answers, content, widget, any::<bool>()).prop_map(
        |(id, role, calls, answers, content, widget, included)| {
            json!({ "id": id, "role": role, "tool_calls": calls, "tool_call_id": answers,
                "content": content, "widget": widget, "includeInContext": included })
        },
    )
}

proptest! {
    #[test]
    fn whatever_the_file_holds_a_server_accepts_the_request_and_a_person_sees_it(
        values in proptest::collection::vec(message(), 0..30)
    ) {
        let (messages, problems) = read(&values);
        let lost = problems.iter().filter(|p| !p.kept).count();
        prop_assert_eq!(messages.len() + lost, values.len(), "each is kept or reported");
        let lines = lines(messages);
        let journaled = lines.iter().flat_map(|l| &l.events);
        let shown = journaled.filter(|e| matches!(e, Event::MessageImported(_))).count();
        prop_assert_eq!(shown + lost, values.len());
        prop_assert_eq!(protocol_errors(&request(&lines)), Vec::<String>::new());
        View::replay(&lines);
    }
}
