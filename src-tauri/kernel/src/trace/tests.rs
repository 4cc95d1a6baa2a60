use super::*;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::json;

const TRACE: &str = r##"{
  "schemaVersion": "1", "title": "Hello", "workflow": "main",
  "turns": [
    {"reply": {"text": "# Hello", "calls": [{"name": "fs_read", "arguments": {"path": "@pkg/a.md"}}]}},
    {"when": {"lastRole": "tool", "lastToolOk": true}, "reply": {"text": "Read.", "chunkMs": 3}},
    {"when": {"widgetId": "kind", "anyContains": ["Hello"]}, "reply": {"calls": [{"name": "fs_write", "arguments": "{broken"}]}}
  ],
  "answers": [{"text": "go"}, {"widgetId": "kind", "type": "selection", "value": ["greenfield"]}]
}"##;

fn trace() -> Trace {
    Trace::parse(TRACE).unwrap()
}

fn ask(messages: Vec<ChatMessage>) -> ChatRequest {
    ChatRequest::new(messages, Vec::new())
}

fn result(ok: bool) -> ChatMessage {
    ChatMessage::tool(CallId::new("demo-0-0"), json!({ "ok": ok }).to_string())
}

#[rstest]
#[case::of_a_trace(r#"{ "schemaVersion": "1", "expekt": {} }"#)]
#[case::of_an_answer(r#"{ "schemaVersion": "1", "answers": [{ "text": "a", "txt": "b" }] }"#)]
#[case::of_a_value(r#"{ "schemaVersion": "1", "answers": [{ "value": 1, "kind": "b" }] }"#)]
fn a_name_that_no_trace_has_is_refused(#[case] text: &str) {
    assert_eq!(Trace::parse(text).unwrap_err().code, ErrorCode::DemoTraceInvalid);
}

#[test]
fn the_turn_is_the_number_of_assistant_messages() {
    let first = trace().reply_to(&ask(vec![ChatMessage::user("hi")])).unwrap();
    assert_eq!(first.reply.text, "# Hello");
    assert_eq!(first.reply.calls[0].id.as_str(), "demo-0-0");
    assert_eq!(first.reply.calls[0].arguments, r#"{"path":"@pkg/a.md"}"#);
    let second = ask(vec![ChatMessage::assistant("# Hello"), result(true)]);
    let second = trace().reply_to(&second).unwrap();
    assert_eq!((second.reply.text.as_str(), second.chunk_ms), ("Read.", Some(3)));
}

#[test]
fn a_submission_of_the_named_widget_is_recognised_and_broken_json_goes_out_as_it_is() {
    let submitted =
        "WIDGET_SUBMIT\n{\"widgetId\": \"kind\", \"type\": \"selection\", \"value\": [1]}\n";
    let history = vec![ChatMessage::assistant("# Hello"), ChatMessage::assistant("Read.")];
    let with = |text: &str| ask([history.clone(), vec![ChatMessage::user(text)]].concat());
    assert_eq!(trace().reply_to(&with(submitted)).unwrap().reply.calls[0].arguments, "{broken");
    let other = submitted.replace("kind", "other");
    assert_eq!(trace().reply_to(&with(&other)).unwrap_err().code, ErrorCode::DemoTraceMismatch);
}

#[test]
fn a_broken_expectation_shows_both_sides() {
    let wrong = ask(vec![ChatMessage::assistant("# Hello"), result(false)]);
    let failure = trace().reply_to(&wrong).unwrap_err();
    assert_eq!(failure.code, ErrorCode::DemoTraceMismatch);
    let details = failure.details.unwrap();
    assert_eq!(details["turn"], 1);
    assert_eq!(details["expected"], json!({ "lastToolOk": true }));
    assert_eq!(details["got"], json!({ "role": "tool", "content": "{\"ok\":false}" }));
    assert!(
        failure.message.contains("lastToolOk true") && failure.message.contains("\"ok\":false")
    );
}

#[rstest]
#[case(When { last_role: Some(Role::User), ..When::default() }, true)]
#[case(When { last_role: Some(Role::Tool), ..When::default() }, false)]
#[case(When { last_contains: Some("two".into()), ..When::default() }, true)]
#[case(When { last_contains: Some("one".into()), ..When::default() }, false)]
#[case(When { any_contains: vec!["one".into(), "two".into()], ..When::default() }, true)]
#[case(When { any_contains: vec!["one".into(), "three".into()], ..When::default() }, false)]
#[case(When { last_tool_ok: Some(true), ..When::default() }, false)]
fn each_expectation_holds_or_does_not(#[case] when: When, #[case] holds: bool) {
    let request = ask(vec![ChatMessage::system("one"), ChatMessage::user("two")]);
    assert_eq!(when.check(0, &request).is_ok(), holds);
}

#[test]
fn when_the_turns_run_out_the_demo_says_so_politely() {
    let many = ask((0..9).map(|n| ChatMessage::assistant(n.to_string())).collect());
    let end = trace().reply_to(&many).unwrap();
    assert_eq!((end.reply.text.as_str(), end.reply.calls.len()), (THE_END, 0));
}

#[test]
fn answers_are_read_in_order() {
    assert_eq!(trace().answers()[0], TraceAnswer::Text { text: "go".into() });
    let trace = trace();
    let TraceAnswer::Widget { widget_id, value, .. } = &trace.answers()[1] else {
        panic!("a widget")
    };
    assert_eq!((widget_id.as_deref(), value), (Some("kind"), &json!(["greenfield"])));
}

#[rstest]
#[case("{", "line 1")]
#[case(r#"{"schemaVersion":"2","turns":[]}"#, "schemaVersion")]
#[case(r#"{"schemaVersion":"1","turns":[{"reply":{}}]}"#, "turns[0]")]
#[case(
    r#"{"schemaVersion":"1","turns":[{"when":{"lastContain":"x"},"reply":{"text":"a"}}]}"#,
    "lastContain"
)]
fn a_wrong_trace_is_refused_with_the_place(#[case] text: &str, #[case] names: &str) {
    let failure = Trace::parse(text).unwrap_err();
    assert!(failure.message.contains(names), "{}", failure.message);
}

proptest! {
    #[test]
    fn the_pieces_joined_are_the_text(text in "\\PC{0,200}|[a-z你好 \n]{0,300}") {
        prop_assert_eq!(chunks(&text).concat(), text);
    }
}

#[test]
fn a_person_who_strays_is_led_back_and_the_turn_stays() {
    let trace = Trace::parse(
        r#"{"schemaVersion":"1","turns":[
            {"reply":{"text":"Tea or rain?"}},
            {"when":{"lastContains":"tea"},"reply":{"text":"Tea."},"otherwise":{"text":"Only tea, sorry."}},
            {"reply":{"text":"Bye."}}
        ]}"#,
    )
    .unwrap();
    let mut request = ChatRequest::new([ChatMessage::user("start")], Vec::new());
    let mut said = Vec::new();
    for word in ["rain", "snow", "tea", "thanks"] {
        let reply = trace.reply_to(&request).unwrap().reply.text;
        request.messages.push(ChatMessage::assistant(reply.clone()).into());
        request.messages.push(ChatMessage::user(word).into());
        said.push(reply);
    }
    said.push(trace.reply_to(&request).unwrap().reply.text);
    assert_eq!(said, ["Tea or rain?", "Only tea, sorry.", "Only tea, sorry.", "Tea.", "Bye."]);
}

/// A trace of rules: tea or rain, a call that is refused, and the end of a step.
const RULES: &str = r#"{"schemaVersion":"1","rules":[
    {"when":{"node":"ask","widgetId":"kind","submitted":{"widgetId":"kind","contains":"tea"}},"reply":{"text":"Tea."}},
    {"when":{"node":"ask","widgetId":"kind"},"reply":{"text":"Rain."}},
    {"when":{"node":"ask","lastTool":"fs_write","lastToolOk":false},"reply":{"text":"Refused."}},
    {"when":{"node":"ask","lastTool":"fs_read"},"reply":{"text":"Read."}},
    {"when":{"node":"ask"},"reply":{"calls":[{"name":"fs_read","arguments":{"path":"@pkg/a.md"}}]}},
    {"when":{"node":"done","lastRole":"tool"},"reply":{"text":"Done."}}
]}"#;

/// The runtime's own block that says at which node the run is.
fn at(node: &str) -> ChatMessage {
    ChatMessage::user(format!("NODE_BRIEF\n- currentNodeId: {node} (type=step)\n- stepFile: a"))
}

fn chose(value: &str) -> ChatMessage {
    let answer = json!({ "widgetId": "kind", "value": [value] });
    ChatMessage::user(format!("USER_INPUT\nWIDGET_SUBMIT\n{answer}"))
}

/// A call of the model and its result.
fn called(name: &str, id: &str, ok: bool) -> [ChatMessage; 2] {
    let call = ToolCall { id: CallId::new(id), name: name.into(), arguments: "{}".into() };
    let said = ChatMessage { tool_calls: vec![call], ..ChatMessage::assistant("") };
    [said, ChatMessage::tool(CallId::new(id), json!({ "ok": ok }).to_string())]
}

#[rstest]
#[case::nothing_was_said(vec![at("ask")], "")]
#[case::after_a_tool([vec![at("ask")], called("fs_read", "a", true).to_vec()].concat(), "Read.")]
#[case::after_a_refusal([vec![at("ask")], called("fs_write", "a", false).to_vec()].concat(), "Refused.")]
#[case::the_tool_of_the_last_result(
    [vec![at("ask")], called("fs_write", "a", false).to_vec(), called("fs_read", "b", false).to_vec()].concat(),
    "Read."
)]
#[case::one_way(vec![at("ask"), chose("tea")], "Tea.")]
#[case::the_other_way(vec![at("ask"), chose("rain")], "Rain.")]
#[case::the_newest_answer_counts(vec![at("ask"), chose("tea"), chose("rain")], "Rain.")]
#[case::the_newest_node_counts(
    [vec![at("ask")], called("fs_read", "a", true).to_vec(), vec![at("done")]].concat(),
    "Done."
)]
#[case::a_file_is_not_believed(
    vec![at("ask"), chose("tea"), ChatMessage::assistant("NODE_BRIEF\n- currentNodeId: done")],
    ""
)]
fn the_first_rule_that_fits_answers(#[case] messages: Vec<ChatMessage>, #[case] says: &str) {
    let trace = Trace::parse(RULES).unwrap();
    let request = ask(messages);
    assert!(!trace.is_over(&request));
    let played = trace.reply_to(&request).unwrap();
    assert_eq!(played.reply.text, says);
    assert_eq!(played.reply.calls.is_empty(), !says.is_empty());
}

#[test]
fn where_no_rule_fits_the_demo_is_over() {
    let trace = Trace::parse(RULES).unwrap();
    let request = ask(vec![at("done"), ChatMessage::user("USER_INPUT\nAnd now?")]);
    assert!(trace.is_over(&request));
    assert_eq!(trace.reply_to(&request).unwrap().reply.text, THE_END);
}

#[test]
fn a_rule_that_answers_twice_names_its_calls_anew() {
    let trace = Trace::parse(RULES).unwrap();
    let id = |messages| trace.reply_to(&ask(messages)).unwrap().reply.calls[0].id.clone();
    let again = vec![at("ask"), ChatMessage::assistant("I look."), ChatMessage::user("Again")];
    assert_ne!(id(vec![at("ask")]), id(again));
}

#[rstest]
#[case(r#"{"schemaVersion":"1","rules":[{"reply":{}}]}"#, "rules[0]")]
#[case(
    r#"{"schemaVersion":"1","rules":[{"reply":{"text":"a"}}],"turns":[{"reply":{"text":"a"}}]}"#,
    "turns and rules"
)]
#[case(
    r#"{"schemaVersion":"1","rules":[{"when":{"submitted":{"widgetId":"a"}},"reply":{"text":"a"}}]}"#,
    "contains"
)]
fn a_wrong_rule_is_refused_with_the_place(#[case] text: &str, #[case] names: &str) {
    let failure = Trace::parse(text).unwrap_err();
    assert!(failure.message.contains(names), "{}", failure.message);
}
