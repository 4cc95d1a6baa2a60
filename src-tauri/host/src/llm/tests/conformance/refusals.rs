//! What is no 200, and what is one under a cover: statuses with the bodies that real servers send,
//! waits that are asked for, fields that are refused, redirects, compressed answers.

use rstest::rstest;

use super::server::{bytes, status, stream};
use super::*;

const JSON: &str = "content-type: application/json";

#[rstest]
#[case::of_openai(
    "401 Unauthorized",
    r#"{"error":{"message":"Incorrect API key provided: no.",
    "type":"invalid_request_error","param":null,"code":"invalid_api_key"}}"#,
    "Incorrect API key"
)]
#[case::of_azure(
    "401 PermissionDenied",
    r#"{"statusCode":401,"message":"Access denied"}"#,
    "Access"
)]
#[case::of_vllm("401 Unauthorized", r#"{"error":"Unauthorized"}"#, "Unauthorized")]
#[case::without_a_body("401 Unauthorized", "", "401")]
#[tokio::test]
async fn a_key_that_is_refused_once_is_tried_again_and_twice_is_told(
    #[case] line: &str,
    #[case] body: &str,
    #[case] words: &str,
) {
    let script = status(line, &[JSON], body);
    let again = outcome([script.clone(), fine()]).await;
    assert_eq!((again.requests.len(), again.replies().text.as_str()), (2, "Fine."));
    let failure = outcome([script.clone(), script, fine()]).await;
    let failure = failure.fails(ErrorCode::LlmAuthFailed, 2);
    assert!(failure.message.contains(words), "{failure}");
}

#[rstest]
#[case::forbidden("403 Forbidden", "no", ErrorCode::LlmAuthFailed, 1)]
#[case::a_web_page_that_forbids(
    "403 Forbidden",
    "<html>Just a moment...</html>",
    ErrorCode::LlmAuthFailed,
    1
)]
#[case::to_be_paid("402 Payment Required", "pay", ErrorCode::LlmHttpError, 1)]
#[case::no_such_page("404 Not Found", "404 page not found", ErrorCode::LlmHttpError, 1)]
#[case::no_such_model(
    "404 Not Found",
    r#"{"error":{"message":"model \"demo\" not found, try pulling
    it first","type":"api_error","param":null,"code":null}}"#,
    ErrorCode::LlmModelNotFound,
    1
)]
#[case::no_such_model_of_vllm(
    "404 Not Found",
    r#"{"object":"error","message":"The model `x` does
    not exist.","type":"NotFoundError","param":null,"code":404}"#,
    ErrorCode::LlmModelNotFound,
    1
)]
#[case::not_allowed(
    "405 Method Not Allowed",
    r#"{"detail":"Method Not Allowed"}"#,
    ErrorCode::LlmHttpError,
    1
)]
#[case::no_words("400 Bad Request", "", ErrorCode::LlmHttpError, 1)]
#[case::too_long_for_openai(
    "400 Bad Request",
    r#"{"error":{"message":"This model's maximum context
    length is 8192 tokens.","type":"invalid_request_error","param":"messages",
    "code":"context_length_exceeded"}}"#,
    ErrorCode::LlmContextTooLong,
    1
)]
#[case::too_long_for_llama_cpp(
    "400 Bad Request",
    r#"{"error":{"code":400,"message":"the request
    exceeds the available context size","type":"exceed_context_size_error","n_ctx":4096}}"#,
    ErrorCode::LlmContextTooLong,
    1
)]
#[case::too_long_for_gemini(
    "400 Bad Request",
    r#"[{"error":{"code":400,"message":"The input token
    count exceeds the maximum context window","status":"INVALID_ARGUMENT"}}]"#,
    ErrorCode::LlmContextTooLong,
    1
)]
#[case::too_large(
    "413 Payload Too Large",
    "<html>413 Request Entity Too Large</html>",
    ErrorCode::LlmContextTooLong,
    1
)]
#[case::too_late("408 Request Timeout", "", ErrorCode::LlmTimeout, 3)]
#[case::a_conflict("409 Conflict", "busy", ErrorCode::LlmHttpError, 3)]
#[case::too_many(
    "429 Too Many Requests",
    r#"{"error":{"message":"slow down",
    "code":"rate_limit_exceeded"}}"#,
    ErrorCode::LlmRateLimited,
    3
)]
#[case::nothing_left(
    "429 Too Many Requests",
    r#"{"error":{"message":"You exceeded your current quota",
    "type":"insufficient_quota"}}"#,
    ErrorCode::LlmRateLimited,
    1
)]
#[case::broken("500 Internal Server Error", "", ErrorCode::LlmHttpError, 3)]
#[case::a_gateway(
    "502 Bad Gateway",
    "<html><h1>502 Bad Gateway</h1></html>",
    ErrorCode::LlmHttpError,
    3
)]
#[case::loading(
    "503 Service Unavailable",
    r#"{"error":{"message":"Loading model","code":503}}"#,
    ErrorCode::LlmHttpError,
    3
)]
#[case::a_slow_gateway("504 Gateway Timeout", "<html>504</html>", ErrorCode::LlmTimeout, 3)]
#[case::overloaded(
    "529 ",
    r#"{"type":"error","error":{"type":"overloaded_error"}}"#,
    ErrorCode::LlmHttpError,
    3
)]
#[case::an_odd_number("799 Odd", "odd", ErrorCode::LlmHttpError, 3)]
#[tokio::test]
async fn every_refusal_has_its_code_whatever_its_body_is(
    #[case] line: &str,
    #[case] body: &str,
    #[case] code: ErrorCode,
    #[case] asked: usize,
) {
    let body: String = body.split("\n    ").collect::<Vec<_>>().join(" ");
    // JSON that is called a web page, and the other way round, is what it is.
    for kind in [JSON, "content-type: text/html"] {
        let script = status(line, &[kind], &body);
        let failure = outcome([script.clone()]).await.fails(code, asked);
        let told: u16 = line[..3].parse().unwrap();
        assert_eq!(failure.details.as_ref().unwrap()["status"], told);
        assert!(failure.message.contains(&line[..3]), "{failure}");
        assert!(!failure.message.contains("<h"), "{failure}");
        if asked == 3 {
            let again = outcome([script, fine()]).await;
            assert_eq!((again.requests.len(), again.replies().text.as_str()), (2, "Fine."));
        }
    }
}

#[rstest]
#[case::that_ends_early("content-length: 100\r\n", b"{\"error\":{\"mess", Some("mess"))]
#[case::of_broken_chunks("transfer-encoding: chunked\r\n", b"zz\r\nhello", None)]
#[case::in_broken_letters("", b"\xffoops", Some("oops"))]
#[tokio::test]
async fn a_refusal_with_a_broken_body_keeps_its_code(
    #[case] headers: &str,
    #[case] body: &[u8],
    #[case] words: Option<&str>,
) {
    let head = format!("HTTP/1.1 400 Bad Request\r\n{headers}\r\n");
    let failure = outcome([bytes([head.as_bytes(), body].concat())]).await;
    let failure = failure.fails(ErrorCode::LlmHttpError, 1);
    assert!(failure.message.contains("400"), "{failure}");
    assert!(words.is_none_or(|words| failure.message.contains(words)), "{failure}");
}

/// Since when the server counts.
const NOW: &str = "Date: Wed, 25 Nov 2026 13:00:00 GMT";

fn wait(first: &Outcome) -> u64 {
    let Some(Signal::Retrying { in_ms, .. }) = first.signals.first() else {
        panic!("{:?}", first.signals)
    };
    *in_ms
}

#[rstest]
#[case::no_seconds(&["Retry-After: 0"], 0..=0)]
#[case::less_than_a_second(&["retry-after: 0.05"], 50..=50)]
#[case::milliseconds(&["retry-after-ms: 20", "retry-after: 59"], 20..=20)]
#[case::a_date_that_is_now(&[NOW, "Retry-After: Wed, 25 Nov 2026 13:00:00 GMT"], 0..=0)]
#[case::a_date_that_is_past(&[NOW, "Retry-After: Wed, 25 Nov 2026 12:00:00 GMT"], 0..=0)]
#[case::a_date_that_is_long_past(&["Retry-After: Wed, 21 Oct 2015 07:28:00 GMT"], 0..=0)]
#[case::a_date_one_second_ahead(&[NOW, "Retry-After: Wed, 25 Nov 2026 13:00:01 GMT"], 1000..=1000)]
#[case::a_date_as_it_was_written_once(
    &[NOW, "Retry-After: Wednesday, 25-Nov-26 13:00:01 GMT"], 1000..=1000
)]
#[case::nothing(&[], 0..=3)]
#[case::a_word(&["Retry-After: soon"], 0..=3)]
#[case::less_than_nothing(&["Retry-After: -5"], 0..=3)]
#[tokio::test]
async fn a_wait_that_is_asked_for_is_kept(
    #[case] headers: &[&str],
    #[case] ms: std::ops::RangeInclusive<u64>,
    #[values("429 Too Many Requests", "503 Service Unavailable")] line: &str,
) {
    let outcome = outcome([status(line, headers, "busy"), fine()]).await;
    assert!(ms.contains(&wait(&outcome)), "{ms:?}: {:?}", outcome.signals);
    assert_eq!(outcome.replies().text, "Fine.");
}

#[rstest]
#[case::seconds(&["Retry-After: 61"], 61)]
#[case::an_hour(&["Retry-After: 3600"], 3600)]
#[case::more_than_anybody_has(&["Retry-After: 1e300"], 1_000_000)]
#[case::a_date(&[NOW, "Retry-After: Wed, 25 Nov 2026 13:02:00 GMT"], 120)]
#[tokio::test]
async fn a_wait_beyond_a_minute_is_told(#[case] headers: &[&str], #[case] seconds: u64) {
    let failure = outcome([status("429 Too Many Requests", headers, "busy"), fine()]).await;
    let failure = failure.fails(ErrorCode::LlmRateLimited, 1);
    assert_eq!(failure.details.unwrap()["retryAfterS"], seconds);
}

#[tokio::test]
async fn a_refusal_is_heard_although_the_request_was_not_read() {
    let head = "HTTP/1.1 413 Payload Too Large\r\ncontent-length: 5\r\nconnection: close";
    let server = RawServer::hasty(format!("{head}\r\n\r\nlarge")).await;
    let model = model(server.base_url.clone());
    let long = ChatMessage::user("x".repeat(8 * 1024 * 1024));
    let request = ChatRequest::new([long], Vec::new());
    let asked = tokio::time::timeout(LIMIT, ask(&model, &request)).await.expect("it hangs");
    let failure = asked.0.unwrap_err().failure;
    assert_eq!(failure.code, ErrorCode::LlmContextTooLong, "{failure}");
    assert_eq!(server.requests().len(), 1);
}

#[rstest]
#[case::of_usage("stream_options")]
#[case::of_a_choice("tool_choice")]
#[tokio::test]
async fn a_field_that_is_refused_by_name_is_learned_once(
    #[case] field: &str,
    #[values("400 Bad Request", "422 Unprocessable Entity")] line: &str,
) {
    let words = format!("Unrecognized request argument supplied: {field}");
    let refusal = json!({ "error": { "message": words } }).to_string();
    let server = RawServer::playing([status(line, &[JSON], &refusal), fine()]).await;
    let model = model(server.base_url.clone());
    for _ in 0..2 {
        let (reply, signals) = in_time(&model).await;
        assert_eq!((reply.unwrap().text.as_str(), retries(&signals)), ("Fine.", 0));
    }
    let sent: Vec<bool> =
        server.requests().iter().map(|r| r.contains(&format!("\"{field}\""))).collect();
    assert_eq!(sent, [true, false, false]);
}

#[tokio::test]
async fn a_server_that_refuses_every_field_is_told_when_there_is_none_left_to_leave_out() {
    let all = "stream_options tool_choice parallel_tool_calls max_tokens reasoning_content";
    let outcome = outcome([status("400 Bad Request", &[], all)]).await;
    let requests = outcome.requests.len();
    let failure = outcome.reply.unwrap_err().failure;
    assert_eq!((failure.code, requests), (ErrorCode::LlmHttpError, 3), "{failure}");
}

#[rstest]
#[case("301 Moved Permanently")]
#[case("302 Found")]
#[case("303 See Other")]
#[case("307 Temporary Redirect")]
#[case("308 Permanent Redirect")]
#[tokio::test]
async fn a_redirect_is_told_and_the_key_goes_nowhere_else(#[case] line: &str) {
    let other = RawServer::playing([fine()]).await;
    let location = format!("Location: {}/chat/completions", other.base_url);
    let outcome = outcome([status(line, &[&location], "")]).await;
    assert!(outcome.requests[0].contains(KEY), "it was for the first server");
    let failure = outcome.fails(ErrorCode::LlmHttpError, 1);
    assert!(failure.message.contains(&line[..3]), "{failure}");
    assert_eq!(other.requests(), Vec::<String>::new());
}

/// "Hi" as a stream, by gzip.
const GZIP: &[u8] = b"\
    \x1f\x8b\x08\0\0\0\0\0\x02\x03KI,I\xb4R\xa8VJ\xce\xc8\xcfLN-V\xb2\x8a\xaeVJI\xcd)IT\
    \xb2\x02\n\xe6\xe7\x95\xa4\xe6\x95(Y)yd*\xd5\xea(\xa5e\xe6e\x16g\xc4\x17\xa5&\x16\
    \xe7\xe7\x01E\x8bK\xf2\x0b\x94jck\xb9\xb8\0\xe4\xc9\xf5\x85G\0\0\0";

#[rstest]
#[case::gzip("gzip")]
#[case::shouted("GZIP")]
#[case::by_its_old_name("x-gzip")]
#[case::deflate("deflate")]
#[case::brotli("br")]
#[case::zstd("zstd")]
#[case::twice("gzip, br")]
#[tokio::test]
async fn a_compressed_answer_is_not_asked_for_and_told_as_one(#[case] coding: &str) {
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-encoding: {coding}\r\n\r\n"
    );
    let outcome = outcome([bytes([head.as_bytes(), GZIP].concat())]).await;
    let asked = outcome.requests[0].to_ascii_lowercase();
    assert!(asked.contains("accept-encoding: identity\r\n"), "{asked}");
    let failure = outcome.fails(ErrorCode::LlmBadResponse, 1);
    assert!(failure.message.contains("compressed"), "{failure}");
}

#[rstest]
#[case::as_it_is("identity")]
#[case::nothing("")]
#[case::the_name_of_letters("utf-8")]
#[tokio::test]
async fn an_answer_that_is_not_compressed_is_read(#[case] coding: &str) {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-encoding";
    let outcome = outcome([bytes(format!("{head}: {coding}\r\n\r\n{}", recorded()))]).await;
    assert_eq!(outcome.replies(), expected());
}

#[tokio::test]
async fn the_words_of_a_compressed_refusal_are_not_shown_as_they_are() {
    let head = "HTTP/1.1 400 Bad Request\r\ncontent-encoding: gzip\r\n\r\n";
    let failure = outcome([bytes([head.as_bytes(), GZIP].concat())]).await;
    let failure = failure.fails(ErrorCode::LlmHttpError, 1);
    assert!(failure.message.ends_with("answered 400"), "{failure}");
}

#[tokio::test]
async fn a_key_in_the_words_of_a_refusal_is_hidden() {
    let words = format!("Incorrect API key provided: {KEY}");
    for script in [
        status("403 Forbidden", &[JSON], &json!({ "error": { "message": words } }).to_string()),
        status("403 Forbidden", &["content-type: text/plain"], &words),
        stream(event(&json!({ "error": { "message": words, "code": 403 } }))),
    ] {
        let failure = outcome([script]).await.fails(ErrorCode::LlmAuthFailed, 1);
        assert!(failure.message.contains("provided: [key]"), "{failure}");
    }
}
