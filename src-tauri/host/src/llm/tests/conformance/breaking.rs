//! Connections that break, end or fall silent at every place of an answer.

use rstest::rstest;

use super::server::{Step, chunked};
use super::*;

/// Where it happens.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    /// Before the first byte.
    Start,
    /// In the head of the answer.
    Head,
    /// Between the head and the first event.
    BeforeEvents,
    /// In the first event.
    FirstEvent,
    /// In a call, when a text was shown.
    LaterEvent,
    /// Between two events, before there is a reason to stop.
    BetweenEvents,
    /// Behind the reason to stop, before the usage.
    BehindReason,
    /// In the event with the usage.
    Usage,
    /// Behind `[DONE]`.
    BehindDone,
}
use Place::{
    BeforeEvents, BehindDone, BehindReason, BetweenEvents, FirstEvent, Head, LaterEvent, Start,
    Usage as InUsage,
};

/// How the end of a body is told.
#[derive(Debug, Clone, Copy)]
enum Framing {
    /// By the end of the connection.
    Close,
    /// By an empty chunk.
    Chunks,
    /// By a length in the head.
    Length,
}

/// The answer up to a place.
fn until(place: Place, framing: Framing) -> Vec<u8> {
    let (head, whole) = match framing {
        Framing::Close => ("connection: close".into(), recorded().into_bytes()),
        // In one chunk, so that it breaks in the middle of it.
        Framing::Chunks => ("transfer-encoding: chunked".into(), one_chunk()),
        Framing::Length => {
            let length = recorded().len() + usize::from(place == BehindDone) * 10;
            (format!("content-length: {length}"), recorded().into_bytes())
        }
    };
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n{head}\r\n\r\n");
    let text = String::from_utf8(whole.clone()).unwrap();
    let behind = |what: &str| text.find(what).unwrap() + what.len();
    let of_body = match place {
        Start => return Vec::new(),
        Head => return head.as_bytes()[..40].to_vec(),
        BeforeEvents => 0,
        FirstEvent => behind("\"delta\""),
        LaterEvent => behind("@pkg"),
        BetweenEvents => behind("好 é 🦀.\\n\"},\"finish_reason\":null}]}\n\n"),
        BehindReason => behind("\"tool_calls\"}]}\n\n"),
        InUsage => behind("\"prompt_tokens\""),
        BehindDone => behind("[DONE]\n\n"),
    };
    [head.as_bytes(), &whole[..of_body]].concat()
}

fn one_chunk() -> Vec<u8> {
    chunked(recorded().as_bytes(), usize::MAX)
}

fn broken(place: Place, framing: Framing, end: Step) -> Script {
    vec![Step::Send(until(place, framing)), end]
}

/// The recorded reply, with a usage and a model that the server did not come to tell.
fn uncounted() -> Reply {
    Reply { model: Some("demo".into()), usage: Usage::default(), ..expected() }
}

fn without_usage(reply: Reply) -> Reply {
    assert!(reply.usage.estimated);
    Reply { usage: Usage::default(), ..reply }
}

#[rstest]
#[case::at_the_start(Start, ErrorCode::LlmUnreachable)]
#[case::in_the_head(Head, ErrorCode::LlmUnreachable)]
#[case::before_the_events(BeforeEvents, ErrorCode::LlmBadResponse)]
#[case::in_the_first_event(FirstEvent, ErrorCode::LlmBadResponse)]
#[case::in_a_later_event(LaterEvent, ErrorCode::LlmBadResponse)]
#[case::between_events(BetweenEvents, ErrorCode::LlmBadResponse)]
#[tokio::test]
async fn an_answer_that_ends_early_is_asked_for_anew_and_told(
    #[case] place: Place,
    #[case] code: ErrorCode,
    #[values(Framing::Close, Framing::Chunks, Framing::Length)] framing: Framing,
) {
    let script = broken(place, framing, Step::End);
    let again = outcome([script.clone(), fine()]).await;
    assert_eq!((again.requests.len(), again.replies().text.as_str()), (2, "Fine."));
    let outcome = outcome([script]).await;
    let streams = outcome.requests.iter().map(|sent| sent.contains(r#""stream":true"#));
    let streams: Vec<bool> = streams.collect();
    let bad = code == ErrorCode::LlmBadResponse;
    assert_eq!(streams, [true, true, !bad], "the last try is one without a stream");
    outcome.fails(code, 3);
}

/// What was sent before the connection is torn down arrives: Linux keeps it, other systems may not.
#[cfg(target_os = "linux")]
#[rstest]
#[case::at_the_start(Start, ErrorCode::LlmUnreachable)]
#[case::in_the_head(Head, ErrorCode::LlmUnreachable)]
#[case::before_the_events(BeforeEvents, ErrorCode::LlmBadResponse)]
#[case::in_the_first_event(FirstEvent, ErrorCode::LlmBadResponse)]
#[case::in_a_later_event(LaterEvent, ErrorCode::LlmBadResponse)]
#[case::between_events(BetweenEvents, ErrorCode::LlmBadResponse)]
#[tokio::test]
async fn a_connection_that_is_torn_down_is_made_anew_and_told(
    #[case] place: Place,
    #[case] code: ErrorCode,
    #[values(Framing::Close, Framing::Chunks, Framing::Length)] framing: Framing,
) {
    let script = broken(place, framing, Step::Reset);
    let again = outcome([script.clone(), fine()]).await;
    assert_eq!((again.requests.len(), again.replies().text.as_str()), (2, "Fine."));
    outcome([script]).await.fails(code, 3);
}

/// With as much patience for a first event, and for each further one.
fn patient(first_byte: u32, idle: u32) -> impl FnOnce(String) -> OpenAiModel {
    move |base_url| {
        let mut settings = settings(base_url);
        settings.first_byte_timeout_s = first_byte;
        settings.idle_timeout_s = idle;
        OpenAiModel::new(&settings, None).unwrap().with_first_wait(Duration::from_millis(1))
    }
}

#[rstest]
#[case::at_the_start(Start)]
#[case::in_the_head(Head)]
#[case::before_the_events(BeforeEvents)]
#[tokio::test]
async fn a_server_that_falls_silent_before_it_says_anything_is_asked_once(#[case] place: Place) {
    let script = broken(place, Framing::Chunks, Step::Stall);
    outcome_with([script], patient(1, 60)).await.fails(ErrorCode::LlmTimeout, 1);
}

#[rstest]
#[case::in_the_first_event(FirstEvent)]
#[case::in_a_later_event(LaterEvent)]
#[case::between_events(BetweenEvents)]
#[tokio::test]
async fn a_server_that_falls_silent_in_the_middle_is_asked_again(#[case] place: Place) {
    let script = broken(place, Framing::Chunks, Step::Stall);
    let again = outcome_with([script.clone(), fine()], patient(60, 1)).await;
    assert_eq!((again.requests.len(), again.replies().text.as_str()), (2, "Fine."));
    outcome_with([script], patient(60, 1)).await.fails(ErrorCode::LlmTimeout, 3);
}

#[rstest]
#[tokio::test]
async fn an_answer_is_whole_when_its_reason_to_stop_was_told(
    #[values(BehindReason, InUsage)] place: Place,
    #[values(Framing::Close, Framing::Chunks, Framing::Length)] framing: Framing,
) {
    let outcome = outcome([broken(place, framing, Step::End)]).await;
    assert_eq!(outcome.requests.len(), 1);
    assert_eq!(without_usage(outcome.replies()), uncounted());
}

#[cfg(target_os = "linux")]
#[rstest]
#[tokio::test]
async fn an_answer_is_whole_also_when_the_connection_is_torn_down_behind_it(
    #[values(BehindReason, InUsage, BehindDone)] place: Place,
) {
    let outcome = outcome([broken(place, Framing::Chunks, Step::Reset)]).await;
    assert_eq!(outcome.requests.len(), 1);
    let reply = outcome.replies();
    let expected = if place == BehindDone { expected() } else { uncounted() };
    let reply = if place == BehindDone { reply } else { without_usage(reply) };
    assert_eq!(reply, expected);
}

#[rstest]
#[tokio::test]
async fn a_server_that_falls_silent_behind_the_answer_is_not_waited_for(
    #[values(BehindReason, InUsage)] place: Place,
) {
    let script = broken(place, Framing::Chunks, Step::Stall);
    let outcome = outcome_with([script], patient(60, 60)).await;
    assert_eq!(outcome.requests.len(), 1);
    assert_eq!(without_usage(outcome.replies()), uncounted());
}

#[rstest]
#[case::pings("event: ping\ndata: {}\n\n")]
#[case::lines_without_a_meaning("ping\n")]
#[tokio::test]
async fn a_server_that_only_pings_behind_the_answer_is_not_listened_to(#[case] ping: &'static str) {
    let script = broken(BehindReason, Framing::Close, Step::Repeat(ping));
    let outcome = outcome_with([script], patient(60, 60)).await;
    assert_eq!(without_usage(outcome.replies()), uncounted());
}

#[rstest]
#[tokio::test]
async fn whatever_happens_behind_done_the_answer_is_there(
    #[values(Framing::Close, Framing::Chunks, Framing::Length)] framing: Framing,
    #[values(Step::End, Step::Stall)] end: Step,
) {
    let outcome = outcome_with([broken(BehindDone, framing, end)], patient(60, 60)).await;
    assert_eq!(outcome.requests.len(), 1);
    assert_eq!(outcome.replies(), expected());
}

/// A head with these lines, and a body.
fn sent(headers: &str, body: &[u8]) -> Script {
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n{headers}\r\n");
    server::bytes([head.as_bytes(), body].concat())
}

#[rstest]
#[case::a_size_that_is_no_number("zz\r\n")]
#[case::a_negative_size("-5\r\n")]
#[case::an_endless_size("ffffffffffffffffffff\r\n")]
#[case::no_size("\r\n")]
#[case::no_line_end_behind_a_chunk("5\r\ndata:5\r\n")]
#[case::a_size_larger_than_all("7fffffff\r\ndata: {\"choices\":[")]
#[tokio::test]
async fn chunks_that_are_none_are_told_like_an_answer_that_breaks_off(
    #[case] start: &str,
    #[values(false, true)] behind_an_event: bool,
) {
    let said = delta(&json!({ "content": "Hello" }));
    let said = format!("{:x}\r\n{said}\r\n", said.len());
    let body = format!("{}{start}", if behind_an_event { &said } else { "" });
    let script = sent("transfer-encoding: chunked\r\n", body.as_bytes());
    let again = outcome([script.clone(), fine()]).await;
    assert_eq!((again.requests.len(), again.replies().text.as_str()), (2, "Fine."));
    outcome([script]).await.fails(ErrorCode::LlmBadResponse, 3);
}

#[tokio::test]
async fn chunks_that_are_none_behind_the_reason_to_stop_do_not_matter() {
    let all = recorded().replace(DONE, "");
    let body = format!("{:x}\r\n{all}\r\nzz\r\n", all.len());
    let outcome = outcome([sent("transfer-encoding: chunked\r\n", body.as_bytes())]).await;
    assert_eq!(outcome.replies(), expected());
}

#[rstest]
#[case::too_short(100)]
#[case::too_long(100_000)]
#[tokio::test]
async fn a_document_of_another_length_than_was_told_is_no_answer(#[case] length: usize) {
    let message = json!({ "role": "assistant", "content": "Hello ".repeat(50) });
    let head =
        format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}");
    let script = server::bytes(format!("{head}\r\n\r\n{}", completion(&message)));
    outcome([script]).await.fails(ErrorCode::LlmBadResponse, 3);
}

#[tokio::test]
async fn a_stream_that_is_longer_than_was_told_ends_there() {
    let at = recorded().find("@pkg").unwrap();
    let script = sent(&format!("content-length: {at}\r\n"), recorded().as_bytes());
    outcome([script]).await.fails(ErrorCode::LlmBadResponse, 3);
    let end = recorded().find(DONE).unwrap();
    let script = sent(&format!("content-length: {end}\r\n"), recorded().as_bytes());
    assert_eq!(outcome([script]).await.replies(), expected());
}

#[rstest]
#[case::another_protocol("SSH-2.0-OpenSSH_9.6\r\n")]
#[case::a_word("hello\r\n\r\n")]
#[case::tls("\x15\x03\x01\0\x02\x02\x0a")]
#[case::a_status_that_is_no_number("HTTP/1.1 abc OK\r\n\r\n")]
#[case::two_lengths("HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello")]
#[case::a_length_that_is_no_number("HTTP/1.1 200 OK\r\ncontent-length: five\r\n\r\nhello")]
#[case::a_header_without_a_colon("HTTP/1.1 200 OK\r\nhello\r\n\r\n")]
#[tokio::test]
async fn what_is_no_http_is_told_like_a_server_that_does_not_answer(#[case] answer: &str) {
    let failure = outcome([server::bytes(answer)]).await.fails(ErrorCode::LlmUnreachable, 3);
    assert!(failure.message.contains("127.0.0.1:"), "{failure}");
}

#[tokio::test]
async fn a_head_without_end_is_given_up() {
    let head = format!("HTTP/1.1 200 OK\r\n{}", "x-more: 1234567890\r\n".repeat(100_000));
    outcome([server::bytes(head)]).await.fails(ErrorCode::LlmUnreachable, 3);
}

#[tokio::test]
async fn a_server_that_hangs_up_between_two_requests_is_asked_on_another_connection() {
    let body = chunked(recorded().as_bytes(), 100);
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\
                transfer-encoding: chunked\r\n\r\n";
    let whole = Step::Send([head.as_bytes(), &body].concat());
    let server = RawServer::playing([vec![whole, Step::End]]).await;
    let model = model(server.base_url.clone());
    for _ in 0..3 {
        assert_eq!(in_time(&model).await.0, Ok(expected()));
    }
}
