//! How bytes become events: cuts, line ends, comments, kinds of content, ways to send a body.

use rstest::rstest;

use super::server::{Step, bytes, chunked, ok, stream};
use super::*;

/// The recorded stream as a server on the internet sends it: in chunks, on a connection that stays.
fn on_the_wire() -> Vec<u8> {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\
                Transfer-Encoding: chunked\r\n\r\n";
    [head.as_bytes(), &chunked(recorded().as_bytes(), 300)].concat()
}

/// Each script is played to one request of one model.
async fn all_give_the_recorded_reply(scripts: Vec<Script>) {
    let count = scripts.len();
    let server = RawServer::playing(scripts).await;
    let model = model(server.base_url.clone());
    for number in 0..count {
        let (reply, signals) = in_time(&model).await;
        assert_eq!(reply.as_ref(), Ok(&expected()), "number {number}");
        assert_eq!(text_of(&signals), expected().text, "number {number}");
    }
    assert_eq!(server.requests().len(), count, "nothing was asked twice");
}

#[tokio::test]
async fn an_answer_cut_at_any_byte_of_head_and_body_is_the_same_answer() {
    let all = on_the_wire();
    let cut = |at: usize| {
        let (one, two) = all.split_at(at);
        vec![Step::Send(one.to_vec()), Step::Send(two.to_vec()), Step::Next]
    };
    all_give_the_recorded_reply((1..all.len()).map(cut).collect()).await;
}

#[tokio::test]
async fn an_answer_in_writes_of_any_small_size_is_the_same_answer() {
    let all = on_the_wire();
    let writes = |size: usize| {
        let writes = all.chunks(size).map(|piece| Step::Send(piece.to_vec()));
        writes.chain([Step::Next]).collect()
    };
    all_give_the_recorded_reply((1..=7).map(writes).collect()).await;
}

#[tokio::test]
async fn an_answer_in_http_chunks_of_any_small_size_is_the_same_answer() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\
                transfer-encoding: chunked\r\n\r\n";
    let sent = |size: usize| {
        let body = chunked(recorded().as_bytes(), size);
        vec![Step::Send([head.as_bytes(), &body].concat()), Step::Next]
    };
    all_give_the_recorded_reply((1..=7).map(sent).collect()).await;
}

fn before_each_event(what: &str) -> String {
    recorded().replace("data: ", &format!("{what}data: "))
}

fn behind_each_event(what: &str) -> String {
    recorded().replace("\n\n", &format!("\n{what}\n"))
}

/// JSON over several lines, each a line of data.
fn over_several_lines() -> String {
    let events = recorded();
    let events = events.split("\n\n").filter_map(|event| event.strip_prefix("data: "));
    let written = events.map(|data| match serde_json::from_str::<Value>(data) {
        Ok(value) => {
            let pretty = serde_json::to_string_pretty(&value).unwrap();
            let lines: Vec<String> = pretty.lines().map(|line| format!("data: {line}\n")).collect();
            lines.concat() + "\n"
        }
        Err(_) => format!("data: {data}\n\n"),
    });
    written.collect()
}

#[rstest]
#[case::as_recorded(recorded())]
#[case::without_done(recorded().replace(DONE, ""))]
#[case::crlf(recorded().replace('\n', "\r\n"))]
#[case::lone_cr(recorded().replace('\n', "\r"))]
#[case::cr_and_lf_in_turn(recorded().replace("\n\n", "\r\r\n"))]
#[case::a_mark_at_the_start(format!("\u{feff}{}", recorded()))]
#[case::a_mark_and_empty_lines_at_the_start(format!("\u{feff}\n\n{}", recorded()))]
#[case::a_hundred_empty_lines_at_the_start(format!("{}{}", "\n".repeat(100), recorded()))]
#[case::no_blank_behind_the_colon(recorded().replace("data: ", "data:"))]
#[case::two_blanks_behind_the_colon(recorded().replace("data: ", "data:  "))]
#[case::blanks_at_the_end_of_lines(recorded().replace("\n\n", "  \n\n"))]
#[case::three_empty_lines_between(recorded().replace("\n\n", "\n\n\n\n"))]
#[case::comments(before_each_event(": OPENROUTER PROCESSING\n\n"))]
#[case::comments_within_events(before_each_event(":\n"))]
#[case::a_long_comment(format!(":{}\n\n{}", "x".repeat(100_000), recorded()))]
#[case::keep_alives(before_each_event("event: ping\ndata: {\"type\":\"ping\"}\n\n"))]
#[case::keep_alives_without_data(before_each_event("event: ping\n\n"))]
#[case::empty_data(before_each_event("data:\n\n"))]
#[case::names_ids_and_waits(before_each_event("event: message\nid: 7\nretry: 3000\n"))]
#[case::ids_behind_the_data(behind_each_event("id: 7\n"))]
#[case::a_wait_that_is_no_number(before_each_event("retry: soon\n\n"))]
#[case::two_names_of_an_event(before_each_event("event: a\nevent: b\n"))]
#[case::two_ids_of_an_event(before_each_event("id: 1\nid: 2\n"))]
#[case::unknown_fields(before_each_event("x-served-by: a\n"))]
#[case::lines_without_a_colon(before_each_event("hello\n"))]
#[case::lines_without_a_colon_that_end_in_crlf(
    before_each_event("hello\n").replace('\n', "\r\n")
)]
#[case::data_without_a_colon(before_each_event("data\n\n"))]
#[case::data_over_several_lines(over_several_lines())]
#[case::no_empty_line_behind_done(recorded().trim_end().to_owned() + "\n")]
#[case::no_line_end_behind_done(recorded().trim_end().to_owned())]
#[case::no_empty_line_behind_the_last_event(recorded().replace(DONE, "").trim_end().to_owned())]
#[case::more_behind_done(recorded() + "data: no JSON\n\n")]
#[tokio::test]
async fn a_stream_in_any_clothes_is_the_same_answer(#[case] body: String) {
    let outcome = outcome([stream(body)]).await;
    assert_eq!(outcome.requests.len(), 1);
    assert_eq!(outcome.replies(), expected());
}

#[rstest]
#[case::of_no_kind("")]
#[case::plain("text/plain; charset=utf-8")]
#[case::bytes("application/octet-stream")]
#[case::shouted("TEXT/EVENT-STREAM")]
#[case::that_is_called_json("application/json")]
#[tokio::test]
async fn a_stream_is_known_whatever_it_is_called(#[case] kind: &str) {
    let outcome = outcome([ok(kind, recorded())]).await;
    assert_eq!(outcome.requests.len(), 1);
    assert_eq!(outcome.replies(), expected());
}

#[rstest]
#[case::json("application/json")]
#[case::json_with_more("application/json; charset=utf-8")]
#[case::plain("text/plain")]
#[case::of_no_kind("")]
#[tokio::test]
async fn a_document_in_place_of_a_stream_is_an_answer(
    #[case] kind: &str,
    #[values("", "\u{feff}", "\n \n")] before: &str,
) {
    let message = json!({ "role": "assistant", "content": "Hello.", "tool_calls": [
        { "id": "c", "type": "function", "function": { "name": "fs_read", "arguments": "{}" } }] });
    let outcome = outcome([ok(kind, format!("{before}{:#}", completion(&message)))]).await;
    assert_eq!(outcome.requests.len(), 1);
    let reply = outcome.replies();
    assert_eq!((reply.text.as_str(), reply.calls), ("Hello.", vec![call("c", "fs_read", "{}")]));
    assert_eq!((reply.usage.prompt_tokens, reply.usage.estimated), (3, false));
}

fn whole(head: &str, body: &[u8]) -> Script {
    bytes([head.as_bytes(), b"\r\n", body].concat())
}

fn chunks_with_more(more: &str) -> Vec<u8> {
    let body = recorded();
    let length = body.len();
    format!("{length:X}{more}\r\n{body}\r\n000\r\nx-trailer: 1\r\n\r\n").into_bytes()
}

const OK: &str = "HTTP/1.1 200 OK\r\n";

#[rstest]
#[case::of_the_first_http(whole("HTTP/1.0 200 OK\r\n", recorded().as_bytes()))]
#[case::without_a_reason(whole("HTTP/1.1 200 \r\n", recorded().as_bytes()))]
#[case::with_another_status(whole("HTTP/1.1 201 Created\r\n", recorded().as_bytes()))]
#[case::behind_early_hints(
    whole(&format!("HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n{OK}"), recorded().as_bytes())
)]
#[case::behind_continue(
    whole(&format!("HTTP/1.1 100 Continue\r\n\r\n{OK}"), recorded().as_bytes())
)]
#[case::of_a_told_length(
    whole(&format!("{OK}content-length: {}\r\n", recorded().len()), recorded().as_bytes())
)]
#[case::in_chunks_with_extensions_and_trailers(
    whole(&format!("{OK}transfer-encoding: chunked\r\n"), &chunks_with_more(";a=\"b\""))
)]
#[case::with_strange_headers(
    whole(&format!("{OK}X-Odd: \x01\r\nX-Empty:\r\nset-cookie: a=1\r\nset-cookie: b=2\r\n")
        .replace('\x01', "é"), recorded().as_bytes())
)]
#[tokio::test]
async fn a_body_sent_in_any_way_of_http_is_the_same_answer(#[case] script: Script) {
    let outcome = outcome([script]).await;
    assert_eq!(outcome.requests.len(), 1);
    assert_eq!(outcome.replies(), expected());
}

const MIB: usize = 1024 * 1024;

/// An event whose answer is short and which holds 5 MB beside it.
fn padded(content: &str) -> Value {
    let message = json!({ "role": "assistant", "content": content });
    let mut value = completion(&message);
    value["padding"] = "é".repeat(5 * MIB / 2).into();
    value
}

#[tokio::test]
async fn a_line_of_five_megabytes_with_a_short_text_is_an_answer() {
    let asked = outcome([stream(format!("{}{DONE}", event(&padded("Hello."))))]).await;
    assert_eq!(asked.replies().text, "Hello.");
    let asked = outcome([ok("application/json", padded("Hello.").to_string())]).await;
    assert_eq!(asked.replies().text, "Hello.");
    let comment = format!(": {}\n\n{}", "x".repeat(5 * MIB), recorded());
    assert_eq!(outcome([stream(comment)]).await.replies(), expected());
}

#[tokio::test]
async fn a_text_of_five_megabytes_is_given_up_at_once() {
    let long = "x".repeat(5 * MIB);
    let failure = outcome([stream(delta(&json!({ "content": long })))]).await;
    let failure = failure.fails(ErrorCode::LlmBadResponse, 1);
    assert!(failure.message.contains("longer than 1 MiB"), "{failure}");
    let function = json!({ "name": "fs_write", "arguments": long });
    let call = json!({ "tool_calls": [{ "index": 0, "id": "c", "function": function }] });
    let failure = outcome([stream(delta(&call))]).await.fails(ErrorCode::LlmBadResponse, 1);
    assert!(failure.message.contains("1048576 bytes"), "{failure}");
}

#[tokio::test]
async fn five_megabytes_without_a_line_end_are_no_stream() {
    let outcome = outcome([stream("x".repeat(5 * MIB))]).await;
    outcome.fails(ErrorCode::LlmBadResponse, 3);
}

fn broken_letter(body: &str) -> Vec<u8> {
    let mut bytes = body.as_bytes().to_vec();
    let at = body.find('好').unwrap();
    bytes[at] = 0xff;
    bytes
}

#[rstest]
#[case::a_broken_letter_in_an_event(stream(broken_letter(&recorded())))]
#[case::a_broken_letter_in_a_document(
    ok("application/json", broken_letter(&completion(&json!({ "content": "你好" })).to_string()))
)]
#[case::half_a_pair_of_escapes(stream(r#"data: {"choices":[{"delta":{"content":"\ud83e"}}]}"#))]
#[case::an_event_that_is_no_json(stream(delta(&json!({ "content": "a" })) + "data: {\"cho\n\n"))]
#[case::two_documents_in_an_event(stream(recorded().replace("\n\n", "\n")))]
#[case::a_hole_of_brackets(stream(format!("data: {}\n\n", "[".repeat(100_000))))]
#[case::a_document_of_brackets(ok("application/json", "[".repeat(100_000)))]
#[case::a_document_that_is_called_a_stream(
    stream(completion(&json!({ "content": "a" })).to_string())
)]
#[case::half_a_document(ok("application/json", r#"{"choices":[{"message":{"content":"Hel"#))]
#[case::words(ok("text/plain", "no healthy upstream"))]
#[case::words_called_json(ok("application/json", "upstream timed out"))]
#[case::nothing(ok("text/event-stream", ""))]
#[case::nothing_called_json(ok("application/json", ""))]
#[case::nothing_without_content(bytes("HTTP/1.1 204 No Content\r\n\r\n"))]
#[case::a_web_page(ok("text/html", "<!doctype html><title>Log in</title>"))]
#[case::a_web_page_of_no_kind(ok("", "\r\n<html></html>"))]
#[case::a_web_page_called_json(ok("application/json", "\u{feff} <html></html>"))]
#[case::a_web_page_called_a_stream(stream("<html>\n<body>\nsorry\n</body>\n</html>\n"))]
#[case::only_comments(stream(": ping\n\n: ping\n\n"))]
#[case::only_done(stream(DONE))]
#[case::only_an_empty_choice(stream(event(&json!({ "choices": [] }))))]
#[tokio::test]
async fn what_is_no_answer_is_asked_for_anew_and_told(#[case] script: Script) {
    let again = outcome([script.clone(), fine()]).await;
    assert_eq!((again.requests.len(), again.replies().text.as_str()), (2, "Fine."));
    outcome([script]).await.fails(ErrorCode::LlmBadResponse, 3);
}

#[rstest]
#[case::no_choices(json!({ "object": "list", "data": [] }))]
#[case::an_empty_list(json!({ "choices": [] }))]
#[case::null(json!({ "choices": null }))]
#[case::a_choice_that_is_null(json!({ "choices": [null] }))]
#[case::a_list(json!([1, 2]))]
#[tokio::test]
async fn a_document_without_a_choice_is_told_and_not_asked_for_again(#[case] body: Value) {
    let failure = outcome([ok("application/json", body.to_string())]).await;
    let failure = failure.fails(ErrorCode::LlmBadResponse, 1);
    assert!(failure.message.contains("choices"), "{failure}");
}
