use super::*;
use kernel::chat::ChatMessage;
use rstest::rstest;
use serde_json::json;

fn request() -> ChatRequest {
    ChatRequest::new([ChatMessage::user("hi")], Vec::new())
}

fn delta(delta: &Value) -> Value {
    json!({ "choices": [{ "index": 0, "delta": delta }] })
}

fn calls(pieces: &[Value]) -> Vec<(String, String, String)> {
    let mut assembly = ReplyAssembly::default();
    for piece in pieces {
        assembly.push(&delta(&json!({ "tool_calls": [piece] })));
    }
    let reply = assembly.into_reply(&request()).reply;
    let of = |c: ToolCall| (c.id.as_str().to_owned(), c.name, c.arguments);
    reply.calls.into_iter().map(of).collect()
}

#[rstest]
#[case::by_index(&[
    json!({"index": 0, "id": "a", "function": {"name": "fs_read", "arguments": ""}}),
    json!({"index": 1, "id": "b", "function": {"name": "fs_write", "arguments": "{\"y\""}}),
    json!({"index": 0, "function": {"arguments": "{\"x\":"}}),
    json!({"index": 1, "function": {"arguments": ":2}"}}),
    json!({"index": 0, "function": {"arguments": "1}"}}),
])]
#[case::whole_without_index(&[
    json!({"id": "a", "function": {"name": "fs_read", "arguments": "{\"x\":1}"}}),
    json!({"id": "b", "function": {"name": "fs_write", "arguments": {"y": 2}}}),
])]
#[case::fragments_without_index_repeat_the_id(&[
    json!({"id": "a", "function": {"name": "fs_read", "arguments": "{\"x\":"}}),
    json!({"id": "a", "function": {"name": "fs_read", "arguments": "1}"}}),
    json!({"id": "b", "function": {"name": "fs_write", "arguments": "{\"y\":2}"}}),
])]
#[case::fragments_without_index_and_id_follow_the_last(&[
    json!({"id": "a", "function": {"name": "fs_read", "arguments": ""}}),
    json!({"function": {"arguments": "{\"x\":1}"}}),
    json!({"id": "b", "function": {"name": "fs_write"}}),
    json!({"function": {"arguments": "{\"y\":2}"}}),
])]
#[case::every_call_is_number_0(&[
    json!({"index": 0, "id": "a", "function": {"name": "fs_read", "arguments": "{\"x\":1}"}}),
    json!({"index": 0, "id": "b", "function": {"name": "fs_write", "arguments": "{\"y\":"}}),
    json!({"index": 0, "function": {"arguments": "2}"}}),
])]
#[case::the_whole_call_is_sent_again_at_the_end(&[
    json!({"index": 0, "id": "a", "function": {"name": "fs_read", "arguments": "{\"x\":"}}),
    json!({"index": 0, "id": "a", "function": {"name": "fs_read", "arguments": "1}"}}),
    json!({"index": 0, "id": "a", "function": {"name": "fs_read", "arguments": "{\"x\":1}"}}),
    json!({"index": 1, "id": "b", "function": {"name": "fs_write", "arguments": "{\"y\":2}"}}),
])]
#[case::the_name_and_the_index_in_pieces(&[
    json!({"index": "0", "id": "a", "function": {"name": "fs_"}}),
    json!({"index": "0", "function": {"name": "read"}}),
    json!({"index": "0", "function": {"arguments": "{\"x\":1}"}}),
    json!({"index": "1", "id": "b", "function": {"name": "fs_write", "arguments": "{\"y\":2}"}}),
])]
fn calls_are_put_together_however_they_are_cut(#[case] pieces: &[Value]) {
    let expected = [("a", "fs_read", "{\"x\":1}"), ("b", "fs_write", "{\"y\":2}")];
    assert_eq!(calls(pieces), expected.map(|(a, b, c)| (a.into(), b.into(), c.into())));
}

#[test]
fn missing_ids_are_made_up_and_duplicate_ones_made_unique_in_the_conversation() {
    let mut history = request();
    let earlier = ToolCall { id: CallId::new("dup"), name: "x".into(), arguments: String::new() };
    let reply = ChatMessage { tool_calls: vec![earlier], ..ChatMessage::assistant("") };
    history.messages.push(reply.into());
    let mut assembly = ReplyAssembly::default();
    assembly.push(&json!({"choices": [{"message": {"tool_calls": [
        {"function": {"name": "t", "arguments": "{\"n\":1}"}},
        {"function": {"name": "t", "arguments": "{\"n\":2}"}},
        {"index": 7, "id": "dup", "function": {"name": "t"}},
        {"index": 8, "id": "dup", "function": {"name": "t", "arguments": "not json"}},
    ]}}]}));
    let calls = assembly.into_reply(&history).reply.calls;
    let ids: Vec<&str> = calls.iter().map(|c| c.id.as_str()).collect();
    assert_eq!(ids, ["call_1_1", "call_1_2", "dup_2", "dup_3"]);
    assert_eq!(calls[2].arguments, "{}");
    assert_eq!(calls[3].arguments, "not json");
}

#[test]
fn text_thinking_and_refusal_are_shown_as_they_come() {
    let mut assembly = ReplyAssembly::default();
    let mut shown = Vec::new();
    for part in [
        json!({"role": "assistant", "content": ""}),
        json!({"reasoning_content": "hm"}),
        json!({"reasoning": " so", "content": null}),
        json!({"content": "He"}),
        json!({"content": [{"type": "text", "text": "llo"}]}),
        json!({"refusal": " no"}),
    ] {
        shown.extend(assembly.push(&delta(&part)));
    }
    let text = |t: &str| Signal::Text(t.into());
    let thought = |t: &str| Signal::Thinking(t.into());
    assert_eq!(shown, [thought("hm"), thought(" so"), text("He"), text("llo"), text(" no")]);
    let reply = assembly.into_reply(&request()).reply;
    assert_eq!((reply.text.as_str(), reply.thinking.as_deref()), ("Hello no", Some("hm so")));
}

#[rstest]
#[case("stop", Finish::Stop)]
#[case("tool_calls", Finish::Stop)]
#[case("length", Finish::Length)]
#[case("MAX_TOKENS", Finish::Length)]
#[case("content_filter", Finish::Filtered)]
fn the_reason_to_stop_is_kept(#[case] reason: &str, #[case] finish: Finish) {
    let mut assembly = ReplyAssembly::default();
    assembly.push(&json!({"choices": [{"delta": {"content": "a"}, "finish_reason": ""}]}));
    assert!(!assembly.finished());
    assembly.push(&json!({"choices": [{"delta": {}, "finish_reason": reason}]}));
    assert!(assembly.whole());
    assert_eq!(assembly.into_reply(&request()).reply.finish, finish);
}

#[test]
fn an_answer_without_finish_reason_is_whole_only_after_done_and_with_something_in_it() {
    let mut assembly = ReplyAssembly::default();
    assembly.done();
    assert!(!assembly.whole(), "nothing but [DONE]");
    let mut assembly = ReplyAssembly::default();
    assembly.push(&delta(&json!({"content": "a"})));
    assert!(!assembly.whole(), "cut");
    assembly.done();
    assert!(assembly.whole());
}

#[test]
fn usage_is_the_servers_or_marked_as_estimated() {
    let mut assembly = ReplyAssembly::default();
    assembly.push(&delta(&json!({"content": "abcdefgh"})));
    assembly.push(&json!({"usage": {}, "choices": []}));
    let ours = assembly.into_reply(&request()).reply.usage;
    assert_eq!((ours.estimated, ours.completion_tokens), (true, 2));
    let mut assembly = ReplyAssembly::default();
    assembly.push(&json!({"model": "m-1", "choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 7}}));
    let reply = assembly.into_reply(&request()).reply;
    let told = Usage { prompt_tokens: 5, completion_tokens: 7, estimated: false };
    assert_eq!((reply.usage, reply.model.as_deref()), (told, Some("m-1")));
}

#[test]
fn an_answer_that_asks_for_too_much_is_told_at_the_call_that_is_too_many() {
    let call = |n: usize| json!({ "index": n, "id": format!("c{n}"), "function": { "name": "f" } });
    let mut assembly = ReplyAssembly::default();
    for n in 0..64 {
        assembly.push(&delta(&json!({ "tool_calls": [call(n)] })));
    }
    assert!(assembly.excess().is_none());
    let flood: Vec<Value> = (64..80_000).map(call).collect();
    assembly.push(&delta(&json!({ "tool_calls": flood })));
    let failure = assembly.excess().unwrap().clone();
    assert!(failure.message.contains("more than 64 calls"), "{failure}");
    assert_eq!(assembly.into_reply(&request()).reply.calls.len(), 65, "the rest was not looked at");

    let mut assembly = ReplyAssembly::default();
    let piece = |bytes: usize| {
        delta(&json!({ "tool_calls": [{ "index": 0, "function":
            { "name": "f", "arguments": "a".repeat(bytes) } }] }))
    };
    assembly.push(&piece(1024 * 1024));
    assert!(assembly.excess().is_none());
    assembly.push(&piece(1));
    assert!(assembly.excess().unwrap().message.contains("1048576 bytes"));
}

#[test]
fn an_answer_is_longer_than_a_reply_may_be_where_one_of_its_parts_is() {
    let calls = |n: usize, name: &str, arguments: &str| {
        let function = json!({ "name": name, "arguments": arguments });
        json!({ "tool_calls": [{ "index": n, "id": format!("c{n}"), "function": function }] })
    };
    let (mib, half) = ("x".repeat(1024 * 1024), "x".repeat(512 * 1024));
    let long = [
        (vec![json!({ "content": mib }), json!({ "content": "y" })], "longer than 1 MiB"),
        (vec![json!({ "reasoning": mib }), json!({ "reasoning": "y" })], "longer than 1 MiB"),
        ((0..8).map(|n| calls(n, "f", &half)).collect(), "more than 4 MiB in all"),
        (vec![calls(0, &half[..1000], ""), calls(0, "f", "{}")], "name of more than 1000 bytes"),
    ];
    for (deltas, says) in long {
        let mut assembly = ReplyAssembly::default();
        let mut shown = 0;
        for part in deltas {
            assert!(assembly.excess().is_none(), "{says}");
            for signal in assembly.push(&delta(&part)) {
                let (Signal::Text(text) | Signal::Thinking(text)) = signal else { continue };
                shown += text.len();
            }
        }
        assert!(assembly.excess().unwrap().message.contains(says), "{says}");
        assert!(shown <= mib.len(), "what is too long is not shown");
    }
    let mut assembly = ReplyAssembly::default();
    assembly.push(&json!({ "model": mib, "choices": [] }));
    assert_eq!(assembly.into_reply(&request()).reply.model.unwrap().len(), 200);
}

#[test]
fn arguments_that_grow_by_brackets_are_not_parsed_at_every_one() {
    let mut assembly = ReplyAssembly::default();
    let piece = |arguments: &str| {
        delta(&json!({ "tool_calls": [{ "function": { "name": "f", "arguments": arguments } }] }))
    };
    assembly.push(&piece(&format!("{{\"a\":\"{}", "a".repeat(500_000))));
    for _ in 0..20_000 {
        assembly.push(&piece("}"));
    }
    assembly.push(&piece("\"}"));
    let calls = assembly.into_reply(&request()).reply.calls;
    assert_eq!((calls.len(), calls[0].arguments.len()), (1, 500_006 + 20_000 + 2));
}
