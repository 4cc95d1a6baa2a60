//! What stands in the events: calls in every form that servers send, usage, reasons to stop,
//! reasoning, refusals, errors.

use rstest::rstest;

use super::server::{ok, stream};
use super::*;

/// A stream of these deltas with a reason to stop.
fn answer(deltas: &[Value], reason: &str) -> Script {
    stream(deltas.iter().map(delta).collect::<String>() + &finish(reason) + DONE)
}

/// A stream with these pieces of calls, an event each.
fn calling(pieces: &[Value]) -> Script {
    let deltas: Vec<_> = pieces.iter().map(|piece| json!({ "tool_calls": [piece] })).collect();
    answer(&deltas, "tool_calls")
}

/// A piece of a call; `null` stands for what is not there.
fn piece(index: impl Into<Value>, id: &str, name: &str, arguments: &str) -> Value {
    let mut function = json!({ "arguments": arguments });
    if !name.is_empty() {
        function["name"] = name.into();
    }
    let mut piece = json!({ "type": "function", "function": function });
    let index = index.into();
    if !index.is_null() {
        piece["index"] = index;
    }
    if !id.is_empty() {
        piece["id"] = id.into();
    }
    piece
}

const NONE: Value = Value::Null;

#[rstest]
#[case::one_after_the_other(&[
    piece(0, "a", "fs_read", ""), piece(0, "", "", r#"{"x":"#), piece(0, "", "", "1}"),
    piece(1, "b", "fs_write", ""), piece(1, "", "", r#"{"y":2}"#),
])]
#[case::interleaved(&[
    piece(0, "a", "fs_read", ""), piece(1, "b", "fs_write", ""), piece(0, "", "", r#"{"x":"#),
    piece(1, "", "", r#"{"y":"#), piece(0, "", "", "1}"), piece(1, "", "", "2}"),
])]
#[case::with_everything_repeated(&[
    piece(0, "a", "fs_read", r#"{"x""#), piece(0, "a", "fs_read", ":1}"),
    piece(1, "b", "fs_write", r#"{"y""#), piece(1, "b", "fs_write", ":2}"),
])]
#[case::with_everything_repeated_and_an_empty_end(&[
    piece(0, "a", "fs_read", r#"{"x":1}"#), piece(0, "a", "fs_read", ""),
    piece(1, "b", "fs_write", r#"{"y":2}"#), piece(1, "b", "fs_write", ""),
])]
#[case::whole(&[piece(0, "a", "fs_read", r#"{"x":1}"#), piece(1, "b", "fs_write", r#"{"y":2}"#)])]
#[case::whole_and_sent_again(&[
    piece(0, "a", "fs_read", r#"{"x":1}"#), piece(1, "b", "fs_write", r#"{"y":2}"#),
    piece(0, "a", "fs_read", r#"{"x":1}"#), piece(1, "b", "fs_write", r#"{"y":2}"#),
])]
#[case::whole_without_index_and_sent_again(&[
    piece(NONE, "a", "fs_read", r#"{"x":1}"#), piece(NONE, "b", "fs_write", r#"{"y":2}"#),
    piece(NONE, "a", "fs_read", r#"{"x":1}"#), piece(NONE, "b", "fs_write", r#"{"y":2}"#),
])]
#[case::without_index(&[
    piece(NONE, "a", "fs_read", r#"{"x":"#), piece(NONE, "", "", "1}"),
    piece(NONE, "b", "fs_write", r#"{"y":2}"#),
])]
#[case::without_index_with_ids_everywhere(&[
    piece(NONE, "a", "fs_read", ""), piece(NONE, "b", "fs_write", ""),
    piece(NONE, "a", "", r#"{"x":1}"#), piece(NONE, "b", "", r#"{"y":2}"#),
])]
#[case::all_number_0(&[
    piece(0, "a", "fs_read", r#"{"x":1}"#), piece(0, "b", "fs_write", r#"{"y":2}"#),
])]
#[case::numbered_from_1(&[
    piece(1, "a", "fs_read", r#"{"x":1}"#), piece(2, "b", "fs_write", r#"{"y":2}"#),
])]
#[case::numbered_in_letters(&[
    piece("0", "a", "fs_read", r#"{"x":"#), piece("0", "", "", "1}"),
    piece("1", "b", "fs_write", r#"{"y":2}"#),
])]
#[case::numbered_below_0(&[
    piece(-1, "a", "fs_read", r#"{"x":"#), piece(-1, "", "", "1}"),
    piece(-1, "b", "fs_write", r#"{"y":2}"#),
])]
#[case::with_a_new_id_for_every_piece(&[
    piece(0, "a", "fs_read", ""), piece(0, "a2", "", r#"{"x":1}"#),
    piece(1, "b", "fs_write", ""), piece(1, "b2", "", r#"{"y":2}"#),
])]
#[case::with_an_empty_id_behind_the_first(&[
    piece(0, "a", "fs_read", ""),
    json!({ "index": 0, "id": "", "function": { "name": "", "arguments": r#"{"x":1}"# } }),
    piece(1, "b", "fs_write", ""),
    json!({ "index": 1, "id": null, "function": { "name": null, "arguments": r#"{"y":2}"# } }),
])]
#[case::with_null_arguments_at_first(&[
    json!({ "index": 0, "id": "a", "function": { "name": "fs_read", "arguments": null } }),
    piece(0, "", "", r#"{"x":1}"#),
    json!({ "index": 1, "id": "b", "function": { "name": "fs_write" } }),
    piece(1, "", "", r#"{"y":2}"#),
])]
#[case::with_arguments_that_are_no_text(&[
    json!({ "index": 0, "id": "a", "function": { "name": "fs_read", "arguments": { "x": 1 } } }),
    json!({ "index": 1, "id": "b", "function": { "name": "fs_write", "arguments": { "y": 2 } } }),
])]
#[case::beside_nothing(&[
    piece(0, "a", "fs_read", r#"{"x":1}"#), NONE, json!({}), json!({ "index": 1 }),
    piece(1, "b", "fs_write", r#"{"y":2}"#),
])]
#[tokio::test]
async fn two_calls_are_the_same_in_every_form(#[case] pieces: &[Value]) {
    let expected = [call("a", "fs_read", r#"{"x":1}"#), call("b", "fs_write", r#"{"y":2}"#)];
    assert_eq!(outcome([calling(pieces)]).await.replies().calls, expected);
}

#[rstest]
#[case::all_number_0_without_ids(
    &[piece(0, "", "fs_read", r#"{"x":1}"#), piece(0, "", "fs_write", r#"{"y":2}"#)],
    ["call_0_1", "call_0_2"],
)]
#[case::without_index_and_ids(
    &[piece(NONE, "", "fs_read", r#"{"x":1}"#), piece(NONE, "", "fs_write", r#"{"y":2}"#)],
    ["call_0_1", "call_0_2"],
)]
#[case::pieces_without_index_and_ids(
    &[piece(NONE, "", "fs_read", r#"{"x""#), piece(NONE, "", "", ":1}"),
        piece(NONE, "", "fs_write", r#"{"y":2}"#)],
    ["call_0_1", "call_0_2"],
)]
#[case::numbered_with_one_id(
    &[piece(0, "a", "fs_read", r#"{"x":1}"#), piece(1, "a", "fs_write", r#"{"y":2}"#)],
    ["a", "a_2"],
)]
#[case::all_number_0_with_one_id(
    &[piece(0, "a", "fs_read", r#"{"x":1}"#), piece(0, "a", "fs_write", r#"{"y":2}"#)],
    ["a", "a_2"],
)]
#[case::without_index_with_one_id(
    &[piece(NONE, "a", "fs_read", r#"{"x":1}"#), piece(NONE, "a", "fs_write", r#"{"y":2}"#)],
    ["a", "a_2"],
)]
#[case::pieces_without_index_with_one_id(
    &[piece(NONE, "a", "fs_read", r#"{"x""#), piece(NONE, "a", "fs_read", ":1}"),
        piece(NONE, "a", "fs_write", ""), piece(NONE, "a", "", r#"{"y":2}"#)],
    ["a", "a_2"],
)]
#[case::with_signs_in_an_id(
    &[piece(0, "functions.fs_read:0", "fs_read", r#"{"x":1}"#),
        piece(1, "functions/fs_write:1", "fs_write", r#"{"y":2}"#)],
    ["functions_fs_read_0", "functions_fs_write_1"],
)]
#[tokio::test]
async fn missing_and_repeated_ids_make_no_call_of_two(
    #[case] pieces: &[Value],
    #[case] ids: [&str; 2],
) {
    let expected = [call(ids[0], "fs_read", r#"{"x":1}"#), call(ids[1], "fs_write", r#"{"y":2}"#)];
    assert_eq!(outcome([calling(pieces)]).await.replies().calls, expected);
}

#[rstest]
#[case::all_number_0_without_ids(0, "", ["call_0_1", "call_0_2"])]
#[case::all_number_0_with_one_id(0, "a", ["a", "a_2"])]
#[case::without_index_and_ids(NONE, "", ["call_0_1", "call_0_2"])]
#[case::without_index_with_one_id(NONE, "a", ["a", "a_2"])]
#[tokio::test]
async fn two_calls_of_one_tool_are_two(
    #[case] index: impl Into<Value>,
    #[case] id: &str,
    #[case] ids: [&str; 2],
) {
    let index = index.into();
    let two = [r#"{"x":1}"#, r#"{"x":2}"#];
    let expected = [call(ids[0], "fs_read", two[0]), call(ids[1], "fs_read", two[1])];
    let pieces = two.map(|arguments| piece(index.clone(), id, "fs_read", arguments));
    assert_eq!(outcome([calling(&pieces)]).await.replies().calls, expected);
    let both = answer(&[json!({ "tool_calls": pieces })], "tool_calls");
    assert_eq!(outcome([both]).await.replies().calls, expected);
}

#[rstest]
#[case::of_the_old_protocol(answer(&[
    json!({ "function_call": { "name": "fs_read", "arguments": "" } }),
    json!({ "function_call": { "arguments": "{\"x\"" } }),
    json!({ "function_call": { "arguments": ":1}" } }),
], "function_call"), r#"{"x":1}"#)]
#[case::without_arguments(calling(&[piece(0, "", "fs_read", "")]), "{}")]
#[case::with_blanks_for_arguments(calling(&[piece(0, "", "fs_read", " \n")]), "{}")]
#[case::with_arguments_that_are_no_json(calling(&[piece(0, "", "fs_read", "{x")]), "{x")]
#[case::that_is_no_list(
    answer(&[json!({ "tool_calls": piece(0, "", "fs_read", "{}") })], "tool_calls"), "{}"
)]
#[case::that_stops_like_a_text(answer(&[
    json!({ "tool_calls": [piece(0, "", "fs_read", "{}")] }),
], "stop"), "{}")]
#[case::with_half_a_pair_of_letters_in_each_piece(calling(&[
    piece(0, "", "fs_read", r#"{"x":"\ud83e"#), piece(0, "", "", r"\udd80\"),
    piece(0, "", "", r"n\"), piece(0, "", "", r#"\\""#), piece(0, "", "", r#"" }"#),
]), r#"{"x":"\ud83e\udd80\n\\\"" }"#)]
#[tokio::test]
async fn one_call_is_a_call(#[case] script: Script, #[case] arguments: &str) {
    let reply = outcome([script]).await.replies();
    assert_eq!(reply.calls, [call("call_0_1", "fs_read", arguments)]);
}

#[rstest]
#[case::stop("stop", Finish::Stop)]
#[case::tool_calls("tool_calls", Finish::Stop)]
#[case::function_call("function_call", Finish::Stop)]
#[case::end_of_sentence("eos", Finish::Stop)]
#[case::length("length", Finish::Length)]
#[case::content_filter("content_filter", Finish::Filtered)]
#[tokio::test]
async fn every_reason_to_stop_ends_an_answer(#[case] reason: &str, #[case] finish: Finish) {
    for end in [DONE, ""] {
        let deltas = delta(&json!({ "content": "Hello" })) + &super::finish(reason) + end;
        let reply = outcome([stream(deltas)]).await.replies();
        assert_eq!((reply.text.as_str(), reply.finish), ("Hello", finish));
    }
    let document = json!({ "choices": [{ "message": { "content": "Hello" },
        "finish_reason": reason }] });
    let reply = outcome([ok("application/json", document.to_string())]).await.replies();
    assert_eq!((reply.text.as_str(), reply.finish), ("Hello", finish));
}

#[tokio::test]
async fn without_a_reason_to_stop_done_ends_an_answer_and_nothing_else_does() {
    let said = delta(&json!({ "content": "Hello" }));
    let reply = outcome([stream(said.clone() + DONE)]).await.replies();
    assert_eq!((reply.text.as_str(), reply.finish), ("Hello", Finish::Stop));
    outcome([stream(said)]).await.fails(ErrorCode::LlmBadResponse, 3);
}

#[tokio::test]
async fn a_withheld_answer_is_told_as_one() {
    let withheld = answer(&[json!({ "role": "assistant", "content": "" })], "content_filter");
    let failure = outcome([withheld]).await.fails(ErrorCode::LlmBadResponse, 2);
    assert!(failure.message.contains("withheld"), "{failure}");
}

#[rstest]
#[case::alone(
    vec![json!({ "choices": [], "usage": { "prompt_tokens": 5, "completion_tokens": 7 } })]
)]
#[case::without_choices(vec![json!({ "usage": { "prompt_tokens": 5, "completion_tokens": 7 } })])]
#[case::with_null_choices(
    vec![json!({ "choices": null, "usage": { "prompt_tokens": 5, "completion_tokens": 7 } })]
)]
#[case::with_an_empty_choice(vec![json!({ "choices": [{ "delta": {}, "finish_reason": null }],
    "usage": { "prompt_tokens": 5, "completion_tokens": 7 } })])]
#[case::in_the_choice(vec![json!({ "choices": [{ "delta": {},
    "usage": { "prompt_tokens": 5, "completion_tokens": 7 } }] })])]
#[case::null_at_first(vec![json!({ "choices": [{ "delta": {} }], "usage": null }),
    json!({ "choices": [], "usage": { "prompt_tokens": 5, "completion_tokens": 7 } })])]
#[case::growing(vec![
    json!({ "choices": [], "usage": { "prompt_tokens": 5, "completion_tokens": 1 } }),
    json!({ "choices": [], "usage": { "prompt_tokens": 5, "completion_tokens": 7 } })])]
#[case::null_at_last(vec![
    json!({ "choices": [], "usage": { "prompt_tokens": 5, "completion_tokens": 7 } }),
    json!({ "choices": [], "usage": null })])]
#[case::with_details(vec![json!({ "choices": [], "usage": { "prompt_tokens": 5,
    "completion_tokens": 7, "total_tokens": 12, "prompt_tokens_details": { "cached_tokens": 3 },
    "completion_tokens_details": null, "cost": 0.01 } })])]
#[tokio::test]
async fn the_usage_is_taken_wherever_it_is_told(#[case] events: Vec<Value>) {
    let told = Usage { prompt_tokens: 5, completion_tokens: 7, estimated: false };
    let said = delta(&json!({ "content": "Hello" })) + &finish("stop");
    let events: String = events.iter().map(event).collect();
    for body in [
        format!("{said}{events}{DONE}"),
        format!("{said}{events}"),
        format!("{events}{said}{DONE}"),
    ] {
        let reply = outcome([stream(body)]).await.replies();
        assert_eq!((reply.text.as_str(), reply.usage), ("Hello", told));
    }
}

#[rstest]
#[case::in_the_last_event(json!({ "prompt_tokens": 5, "completion_tokens": 7 }), Some((5, 7)))]
#[case::of_the_request_alone(json!({ "prompt_tokens": 5 }), Some((5, 0)))]
#[case::null(NONE, None)]
#[case::empty(json!({}), None)]
#[case::nothing(json!({ "prompt_tokens": 0, "completion_tokens": 0 }), None)]
#[case::words(json!("many"), None)]
#[case::in_words(json!({ "prompt_tokens": "5", "completion_tokens": "7" }), None)]
#[case::below_nothing(json!({ "prompt_tokens": -1, "completion_tokens": -1 }), None)]
#[case::beyond_all_numbers(
    json!({ "prompt_tokens": u64::MAX, "completion_tokens": u64::MAX }), None
)]
#[case::beyond_all_counts(json!({ "prompt_tokens": 5, "completion_tokens": u64::MAX / 2 }), None)]
#[tokio::test]
async fn a_usage_that_counts_nothing_is_estimated(
    #[case] usage: Value,
    #[case] told: Option<(u64, u64)>,
) {
    let last = json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }], "usage": usage });
    let body = delta(&json!({ "content": "Hello" })) + &event(&last) + DONE;
    let usage = outcome([stream(body)]).await.replies().usage;
    assert_eq!(usage.estimated, told.is_none());
    match told {
        Some(told) => assert_eq!((usage.prompt_tokens, usage.completion_tokens), told),
        None => assert!((1..1000).contains(&usage.completion_tokens), "{usage:?}"),
    }
}

#[rstest]
#[case::as_deepseek_names_it("reasoning_content")]
#[case::as_openrouter_names_it("reasoning")]
#[tokio::test]
async fn reasoning_is_told_apart_from_the_text(#[case] field: &str) {
    let deltas = [
        json!({ "role": "assistant", "content": null, field: "" }),
        json!({ field: "Let me " }),
        json!({ "content": null, field: "see…" }),
        json!({ "content": "Hel", field: null }),
        json!({ "content": "lo" }),
    ];
    let outcome = outcome([answer(&deltas, "stop")]).await;
    let thought = |signal: &Signal| match signal {
        Signal::Thinking(more) => Some(more.clone()),
        _ => None,
    };
    let thought: String = outcome.signals.iter().filter_map(thought).collect();
    assert_eq!(thought, "Let me see…");
    let reply = outcome.replies();
    assert_eq!((reply.text.as_str(), reply.thinking.as_deref()), ("Hello", Some("Let me see…")));
}

#[tokio::test]
async fn reasoning_under_both_names_is_taken_once() {
    let both = json!({ "reasoning": "Hm.", "reasoning_content": "Hm.", "content": "Hello" });
    let reply = outcome([answer(&[both], "stop")]).await.replies();
    assert_eq!((reply.text.as_str(), reply.thinking.as_deref()), ("Hello", Some("Hm.")));
}

#[rstest]
#[case::refusal(&[json!({ "refusal": "I may " }), json!({ "refusal": "not." })], "I may not.")]
#[case::null_fields(&[json!({ "role": null, "content": null, "refusal": null, "tool_calls": null,
    "function_call": null, "reasoning": null, "reasoning_content": null }),
    json!({ "content": "Hello" })], "Hello")]
#[case::content_in_parts(&[json!({ "content": [{ "type": "text", "text": "Hel" }, { "text": "lo" },
    { "type": "image" }, null] })], "Hello")]
#[case::empty_calls_beside_the_text(&[json!({ "content": "Hello", "tool_calls": [] })], "Hello")]
#[case::nothing_but_a_role_at_first(
    &[json!({ "role": "assistant" }), json!({}), json!({ "content": "Hello" })], "Hello"
)]
#[tokio::test]
async fn a_text_is_what_was_said(#[case] deltas: &[Value], #[case] text: &str) {
    assert_eq!(outcome([answer(deltas, "stop")]).await.replies().text, text);
}

#[rstest]
#[case::no_choices(json!({ "choices": [], "prompt_filter_results": [{ "prompt_index": 0 }] }))]
#[case::null_choices(json!({ "choices": null }))]
#[case::a_choice_that_is_null(json!({ "choices": [null] }))]
#[case::a_delta_that_is_null(json!({ "choices": [{ "index": 0, "delta": null }] }))]
#[case::choices_that_are_no_list(json!({ "choices": { "delta": { "content": "x" } } }))]
#[case::no_error(json!({ "error": null, "choices": [] }))]
#[case::nothing(json!({}))]
#[case::null(NONE)]
#[case::a_number(json!(7))]
#[case::a_list(json!([{ "choices": [] }]))]
#[tokio::test]
async fn an_event_that_says_nothing_is_passed_over(#[case] odd: Value) {
    let events = recorded().replace("\n\n", &format!("\n\n{}", event(&odd)));
    for body in [event(&odd) + &recorded(), events] {
        let outcome = outcome([stream(body)]).await;
        assert_eq!(outcome.requests.len(), 1);
        assert_eq!(outcome.replies(), expected());
    }
}

/// Some servers end a stream with all that they said before.
#[tokio::test]
async fn a_whole_message_behind_its_pieces_says_nothing_twice() {
    let whole = json!({ "role": "assistant", "content": "Hello.", "reasoning_content": "Hm.",
        "tool_calls": [{ "id": "a", "function": { "name": "fs_read", "arguments": "{}" } }] });
    let pieces = [
        json!({ "reasoning_content": "Hm." }),
        json!({ "content": "Hel" }),
        json!({ "content": "lo." }),
        json!({ "tool_calls": [piece(0, "a", "fs_read", "{}")] }),
    ];
    let pieces: String = pieces.iter().map(delta).collect();
    let last = |delta: Value| {
        event(
            &json!({ "choices": [{ "delta": delta, "message": whole, "finish_reason": "stop" }] }),
        )
    };
    for body in [
        pieces.clone() + &last(NONE),
        pieces.clone() + &last(json!({ "content": "" })) + DONE,
        event(&completion(&whole)) + DONE,
    ] {
        let reply = outcome([stream(body)]).await.replies();
        assert_eq!((reply.text.as_str(), reply.thinking.as_deref()), ("Hello.", Some("Hm.")));
        assert_eq!(reply.calls, [call("a", "fs_read", "{}")]);
    }
}

#[rstest]
#[case::as_data("", r#"{"error":{"message":"overloaded","type":"server_error"}}"#)]
#[case::with_a_code("", r#"{"error":{"message":"overloaded","code":503}}"#)]
#[case::in_words("", r#"{"error":"overloaded"}"#)]
#[case::beside_a_choice(
    "",
    r#"{"choices":[{"delta":{"content":""},"finish_reason":"error"}],
data: "error":{"message":"overloaded"}}"#
)]
#[case::named("event: error\n", r#"{"error":{"message":"overloaded"}}"#)]
#[case::named_alone("event: error\n", r#"{"message":"overloaded"}"#)]
#[case::named_with_its_type(
    "event: error\n",
    r#"{"type":"error","error":{"type":"overloaded_error","message":"overloaded"}}"#
)]
#[case::named_with_details("event: error\n", r#"{"detail":"overloaded"}"#)]
#[case::named_in_plain_words("event: error\n", "overloaded")]
#[case::named_in_a_json_text("event:error\n", r#""overloaded""#)]
#[tokio::test]
async fn an_error_in_a_stream_is_asked_for_anew_and_told_in_its_words(
    #[case] name: &str,
    #[case] data: &str,
    #[values(false, true)] behind_text: bool,
) {
    let said = if behind_text { delta(&json!({ "content": "Hel" })) } else { String::new() };
    let script = stream(format!("{said}{name}data: {data}\n\n{DONE}"));
    let again = outcome([script.clone(), fine()]).await;
    assert_eq!((again.requests.len(), again.replies().text.as_str()), (2, "Fine."));
    let failure = outcome([script]).await.fails(ErrorCode::LlmHttpError, 3);
    assert!(failure.message.contains("overloaded"), "{failure}");
}

#[rstest]
#[case::too_long("context_length_exceeded", json!(null), ErrorCode::LlmContextTooLong, 1)]
#[case::no_model("model_not_found", json!(null), ErrorCode::LlmModelNotFound, 1)]
#[case::too_many("rate_limit_exceeded", json!(null), ErrorCode::LlmRateLimited, 3)]
#[case::too_many_in_numbers("slow down", json!(429), ErrorCode::LlmRateLimited, 3)]
#[case::no_right("no", json!(401), ErrorCode::LlmAuthFailed, 1)]
#[case::a_number_that_is_no_status("no", json!(20_015), ErrorCode::LlmHttpError, 3)]
#[case::a_number_that_is_no_number("no", json!(u64::MAX), ErrorCode::LlmHttpError, 3)]
#[tokio::test]
async fn an_error_in_an_answer_has_the_code_of_what_it_says(
    #[case] words: &str,
    #[case] code: Value,
    #[case] told: ErrorCode,
    #[case] asked: usize,
) {
    let code = if code.is_null() { json!(words) } else { code };
    let error = json!({ "error": { "message": words, "code": code } });
    outcome([stream(event(&error))]).await.fails(told, asked);
    outcome([ok("application/json", error.to_string())]).await.fails(told, asked);
    let named = json!({ "message": words, "code": code });
    outcome([stream(format!("event: error\n{}", event(&named)))]).await.fails(told, asked);
}

#[rstest]
#[case::as_data(r#"data: {"error":{"message":"cannot count"}}"#)]
#[case::named("event: error\ndata: cannot count")]
#[case::no_json("data: {")]
#[tokio::test]
async fn an_error_behind_the_reason_to_stop_takes_nothing_from_the_answer(#[case] error: &str) {
    let said = delta(&json!({ "content": "Hello" })) + &finish("stop");
    let outcome = outcome([stream(format!("{said}{error}\n\n"))]).await;
    assert_eq!(outcome.requests.len(), 1);
    assert_eq!(outcome.replies().text, "Hello");
}
