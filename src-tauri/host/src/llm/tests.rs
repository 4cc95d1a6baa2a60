//! The adapter against a real server on loopback.

use std::net::TcpListener as StdListener;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kernel::chat::{ChatMessage, ChatRequest, Finish, Reply, ToolCall, ToolSpec};
use kernel::ids::CallId;
use kernel::phrase::Lang;
use kernel::settings::ModelSettings;
use kernel::trace::Trace;
use kernel::wire::WorkflowFit;
use rstest::rstest;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::*;
use crate::secrets::Secret;

mod conformance;

const KEY: &str = "sk-test-0123456789";

fn trace() -> Trace {
    Trace::parse(
        r#"{"schemaVersion":"1","turns":[
        {"when":{"lastContains":"hi"},"reply":{"text":"Hello 你好, I will read two files.","calls":[
            {"name":"fs_read","arguments":{"path":"@pkg/a.md"}},
            {"name":"fs_write","arguments":{"path":"@project/b.md","content":"é\n\"q\""}}]}},
        {"when":{"lastToolOk":true},"reply":{"calls":[{"name":"probe_echo","arguments":{"text":"ping"}}]}}
        ]}"#,
    )
    .unwrap()
}

fn first() -> ChatRequest {
    let tool = |name: &str| {
        Arc::new(ToolSpec {
            name: name.into(),
            description: "a tool".into(),
            parameters: json!({"type": "object"}),
        })
    };
    let messages = [ChatMessage::system("a"), ChatMessage::system("b"), ChatMessage::user("hi")];
    ChatRequest::new(messages, vec![tool("fs_read"), tool("fs_write")])
}

/// Its answer is calls only: nothing is shown before it is whole.
fn second() -> ChatRequest {
    let id = CallId::new("demo-0-0");
    let call = ToolCall { id: id.clone(), name: "fs_read".into(), arguments: "{}".into() };
    let mut request = first();
    let reply = ChatMessage { tool_calls: vec![call], ..ChatMessage::assistant("x") };
    let result = ChatMessage::tool(id, r#"{"ok":true}"#);
    request.messages.extend([reply, result].map(Arc::new));
    request
}

fn settings(base_url: String) -> ModelSettings {
    ModelSettings { base_url, model: "demo".into(), ..ModelSettings::default() }
}

fn model(base_url: String) -> OpenAiModel {
    let model = OpenAiModel::new(&settings(base_url), Secret::new(KEY)).unwrap();
    model.with_first_wait(Duration::from_millis(1))
}

/// Asks, and leaves out what is another each time: when the answer began.
async fn ask(
    model: &dyn ChatModel,
    request: &ChatRequest,
) -> (Result<Reply, ModelError>, Vec<Signal>) {
    let mut signals = Vec::new();
    let mut sink = |signal| signals.push(signal);
    let result = model.chat(request, &mut sink, &CancellationToken::new()).await;
    (result.map(|reply| Reply { first_token_ms: None, ..reply }), signals)
}

fn text_of(signals: &[Signal]) -> String {
    let text = |s: &Signal| if let Signal::Text(t) = s { Some(t.clone()) } else { None };
    signals.iter().filter_map(text).collect()
}

fn retries(signals: &[Signal]) -> usize {
    signals.iter().filter(|s| matches!(s, Signal::Retrying { .. })).count()
}

async fn server(faults: Vec<Fault>) -> DemoServer {
    DemoServer::start_with(trace(), faults).await.unwrap()
}

#[rstest]
#[case(Fault::None)]
#[case(Fault::NoDone)]
#[case(Fault::NoFinalBlankLine)]
#[case(Fault::Crlf)]
#[case(Fault::Comments)]
#[case(Fault::NoIndex)]
#[case(Fault::Split(1))]
#[case(Fault::Split(7))]
#[case(Fault::WholeDespiteStream)]
#[case(Fault::SlowFirstByte(Duration::from_millis(20)))]
#[case(Fault::Refuses("stream_options"))]
#[tokio::test]
async fn a_trace_over_http_and_in_process_gives_equal_replies(#[case] fault: Fault) {
    let server = server(vec![fault.clone()]).await;
    let model = model(server.base_url());
    let demo = DemoModel::unpaced(trace());
    for request in [first(), second()] {
        let (over_http, signals) = ask(&model, &request).await;
        let (in_process, played) = ask(&demo, &request).await;
        let (mut over_http, in_process) = (over_http.unwrap(), in_process.unwrap());
        if matches!(fault, Fault::Refuses(_)) {
            assert!(over_http.usage.estimated, "nobody counted");
            over_http.usage = in_process.usage;
        }
        assert_eq!(over_http, in_process);
        assert_eq!(text_of(&signals), text_of(&played));
        assert_eq!(text_of(&signals), in_process.text);
    }
}

#[tokio::test]
async fn an_event_of_a_mebibyte_arrives_and_one_of_more_is_given_up() {
    let (long, longer) = (1_000_000, 1024 * 1024 + 1);
    let server = server(vec![Fault::Huge(long), Fault::Huge(longer)]).await;
    let model = model(server.base_url());
    assert!(ask(&model, &first()).await.0.unwrap().text.len() > long);
    let (refused, signals) = ask(&model, &first()).await;
    let failure = refused.unwrap_err().failure;
    assert_eq!(failure.code, ErrorCode::LlmBadResponse);
    assert!(failure.message.contains("longer than 1 MiB"), "{}", failure.message);
    assert_eq!(text_of(&signals), "");
    assert_eq!(server.requests().len(), 2, "it is not asked for again");
}

#[rstest]
#[case::before_the_first_event(0, 1)]
#[case::between_two_events(2, 3)]
#[tokio::test]
async fn comments_do_not_hold_a_request_beyond_its_time_limits(
    #[case] after: usize,
    #[case] asked: usize,
) {
    let server = server(vec![Fault::CommentsAfter(after); 2]).await;
    let started = Instant::now();
    let (reply, _) = ask(&impatient(server.base_url()), &first()).await;
    assert_eq!(server.requests().len(), asked);
    let code = reply.err().map(|error| error.failure.code);
    assert_eq!(code, (asked == 1).then_some(ErrorCode::LlmTimeout));
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

#[tokio::test]
async fn an_answer_of_more_than_8_mib_or_of_more_values_than_any_answer_has_is_given_up() {
    let (long, tiny) = (Fault::Huge(9 * 1024 * 1024), "[],".repeat(2 * 1024 * 1024));
    let many = format!(r#"{{"choices":[{{"message":{{"content":"x","extra":[{tiny}0]}}}}]}}"#);
    let many = Fault::Status { status: 200, retry_after: None, body: many };
    for (fault, says) in [(long, "longer than 8 MiB"), (many, "more than 100000 values")] {
        let server = server(vec![fault.clone(), fault.clone(), fault]).await;
        let error = ask(&model(server.base_url()), &first()).await.0.unwrap_err();
        assert_eq!(error.failure.code, ErrorCode::LlmBadResponse);
        assert!(error.failure.message.contains(says), "{}", error.failure.message);
    }
}

/// The text since the last try began.
fn text_of_last_try(signals: &[Signal]) -> String {
    let last = signals.iter().rposition(|signal| matches!(signal, Signal::Retrying { .. }));
    text_of(&signals[last.map_or(0, |at| at + 1)..])
}

#[rstest]
#[case::cut_before_text(Fault::DropAfter(1), first())]
#[case::cut_in_shown_text(Fault::DropAfter(4), first())]
#[case::cut_inside_a_call(Fault::DropAfter(3), second())]
#[case::no_end(Fault::NoFinish, first())]
#[case::no_end_of_a_call(Fault::NoFinish, second())]
#[case::not_json(Fault::BadJson, first())]
#[case::nothing(Fault::Empty, first())]
#[case::error_event(Fault::ErrorEventAfter(1), first())]
#[case::error_event_in_shown_text(Fault::ErrorEventAfter(4), first())]
#[case::web_page(Fault::Html, first())]
#[case::one_401(Fault::status(401, "no"), first())]
#[tokio::test]
async fn an_answer_that_goes_wrong_is_asked_for_anew_and_replaced(
    #[case] fault: Fault,
    #[case] request: ChatRequest,
) {
    let server = server(vec![fault]).await;
    let (reply, signals) = ask(&model(server.base_url()), &request).await;
    let (expected, _) = ask(&DemoModel::unpaced(trace()), &request).await;
    assert_eq!(reply, expected);
    assert_eq!((server.requests().len(), retries(&signals)), (2, 1));
    assert_eq!(text_of_last_try(&signals), expected.unwrap().text);
}

#[tokio::test]
async fn after_two_streams_that_went_wrong_the_answer_is_asked_for_in_one_piece() {
    let server = server(vec![Fault::DropAfter(4), Fault::NoFinish]).await;
    let (reply, signals) = ask(&model(server.base_url()), &first()).await;
    let (expected, _) = ask(&DemoModel::unpaced(trace()), &first()).await;
    assert_eq!(reply, expected);
    let streams: Vec<_> = server.requests().iter().map(|r| r["stream"].clone()).collect();
    assert_eq!(streams, [json!(true), json!(true), json!(false)]);
    assert_eq!(text_of_last_try(&signals), expected.unwrap().text);
}

#[rstest]
#[case(Fault::DropAfter(4), ErrorCode::LlmBadResponse)]
#[case(Fault::NoFinish, ErrorCode::LlmBadResponse)]
#[case(Fault::ErrorEventAfter(4), ErrorCode::LlmHttpError)]
#[tokio::test]
async fn a_server_that_never_answers_whole_is_given_up_after_three_tries(
    #[case] fault: Fault,
    #[case] code: ErrorCode,
) {
    let server = server(vec![fault.clone(), fault.clone(), Fault::status(500, "no")]).await;
    let (result, signals) = ask(&model(server.base_url()), &first()).await;
    let error = result.unwrap_err();
    assert!(error.shown && error.failure.action.is_some());
    assert_eq!(error.failure.code, ErrorCode::LlmHttpError);
    let Some(Signal::Retrying { failure, .. }) =
        signals.iter().find(|signal| matches!(signal, Signal::Retrying { .. }))
    else {
        panic!("{signals:?}")
    };
    assert_eq!(failure.code, code);
    assert_eq!(server.requests().len(), 3);
}

#[rstest]
#[case(401, "no", ErrorCode::LlmAuthFailed, 2)]
#[case(403, "no", ErrorCode::LlmAuthFailed, 1)]
#[case(429, "slow down", ErrorCode::LlmRateLimited, 3)]
#[case(429, "insufficient_quota", ErrorCode::LlmRateLimited, 1)]
#[case(500, "oops", ErrorCode::LlmHttpError, 3)]
#[case(503, "loading", ErrorCode::LlmHttpError, 3)]
#[case(409, "busy", ErrorCode::LlmHttpError, 3)]
#[case(408, "late", ErrorCode::LlmTimeout, 3)]
#[case(400, "what", ErrorCode::LlmHttpError, 1)]
#[case(400, "This model's maximum context length is 8192 tokens", ErrorCode::LlmContextTooLong, 1)]
#[case(500, "the request exceeds the available context size", ErrorCode::LlmContextTooLong, 1)]
#[case(413, "too big", ErrorCode::LlmContextTooLong, 1)]
#[case(404, "model 'demo' not found", ErrorCode::LlmModelNotFound, 1)]
#[case(400, "demo is not a valid model ID", ErrorCode::LlmModelNotFound, 1)]
#[case(404, "the model you asked for does not exist", ErrorCode::LlmModelNotFound, 1)]
#[case(404, "page not found", ErrorCode::LlmHttpError, 1)]
#[case(307, "moved", ErrorCode::LlmHttpError, 1)]
#[tokio::test]
async fn every_status_has_its_code_and_its_number_of_tries(
    #[case] status: u16,
    #[case] message: &str,
    #[case] code: ErrorCode,
    #[case] tries: usize,
) {
    let server = server(vec![Fault::status(status, message); 3]).await;
    let (result, signals) = ask(&model(server.base_url()), &first()).await;
    let error = result.unwrap_err();
    assert_eq!((error.failure.code, error.shown), (code, false), "{}", error.failure);
    assert!(error.failure.message.contains(message), "{}", error.failure.message);
    assert!(error.failure.action.is_some());
    assert_eq!(error.failure.details.unwrap()["status"], status);
    assert_eq!(server.requests().len(), tries);
    assert_eq!(retries(&signals), tries - 1);
}

#[tokio::test]
async fn a_failure_that_passes_is_survived_and_told_live() {
    let busy = Fault::Status { status: 429, retry_after: Some(0), body: String::new() };
    let server = server(vec![busy, Fault::Refused]).await;
    let (result, signals) = ask(&model(server.base_url()), &first()).await;
    assert_eq!(result.unwrap().calls.len(), 2);
    let Signal::Retrying { failure, attempt, in_ms } = &signals[0] else { panic!("{signals:?}") };
    assert_eq!((failure.code, *attempt, *in_ms), (ErrorCode::LlmRateLimited, 2, 0));
    let Signal::Retrying { failure, attempt, .. } = &signals[1] else { panic!("{signals:?}") };
    assert_eq!((failure.code, *attempt), (ErrorCode::LlmUnreachable, 3));
}

#[rstest]
#[case::nothing(json!({ "role": "assistant", "content": "" }))]
#[case::null(json!({ "role": "assistant", "content": null }))]
#[case::blanks(json!({ "role": "assistant", "content": " \n\u{200b}\n" }))]
#[case::reasoning_alone(json!({ "role": "assistant", "content": "", "reasoning_content": "Hm." }))]
#[tokio::test]
async fn an_empty_answer_is_asked_for_once_more_and_then_told(#[case] message: Value) {
    let says = || Fault::Says(message.clone());
    let server = server(vec![says(), Fault::None, says(), says(), says()]).await;
    let model = model(server.base_url());
    let (reply, signals) = ask(&model, &first()).await;
    assert!(!reply.unwrap().is_empty());
    assert_eq!((server.requests().len(), retries(&signals)), (2, 1));
    let (result, signals) = ask(&model, &first()).await;
    let failure = result.unwrap_err().failure;
    assert_eq!(failure.code, ErrorCode::LlmBadResponse);
    assert!(failure.message.contains("answered nothing") && failure.action.is_some(), "{failure}");
    assert_eq!((server.requests().len(), retries(&signals)), (4, 1));
}

/// A model that is told to call a tool, by a server that does not see to it.
#[tokio::test]
async fn words_without_end_where_a_call_was_wanted_are_asked_for_once_more_and_not_required_again()
{
    let runs_on = || Fault::RunsOn("And so on.".into());
    let server = server(vec![runs_on(), Fault::None, runs_on()]).await;
    let model = model(server.base_url());
    let wanted = ChatRequest { must_call: true, max_tokens: Some(64), ..first() };
    let (reply, signals) = ask(&model, &wanted).await;
    assert_eq!((reply.unwrap().calls.len(), retries(&signals)), (2, 1));
    let (reply, signals) = ask(&model, &wanted).await;
    let reply = reply.unwrap();
    assert_eq!((reply.text.as_str(), reply.finish), ("And so on.", Finish::Length));
    assert!(retries(&signals) == 0, "it is known that words may come");
    let choices: Vec<Value> =
        server.requests().iter().map(|sent| sent["tool_choice"].clone()).collect();
    assert_eq!(choices, ["required", "auto", "auto"]);
    assert_eq!(server.requests()[0]["max_tokens"], 64);
}

#[tokio::test]
async fn a_refusal_in_words_is_an_answer() {
    let message = json!({ "role": "assistant", "content": null, "refusal": "I may not." });
    let server = server(vec![Fault::Says(message)]).await;
    let (reply, _) = ask(&model(server.base_url()), &first()).await;
    assert_eq!(reply.unwrap().text, "I may not.");
}

#[tokio::test]
async fn a_wait_of_more_than_a_minute_is_told_instead_of_waited() {
    let busy = Fault::Status { status: 429, retry_after: Some(61), body: String::new() };
    let server = server(vec![busy]).await;
    let (result, signals) = ask(&model(server.base_url()), &first()).await;
    assert_eq!(result.unwrap_err().failure.details.unwrap()["retryAfterS"], 61);
    assert!(signals.is_empty());
}

#[tokio::test]
async fn a_web_page_is_not_an_answer() {
    let server = server(vec![Fault::Html; 3]).await;
    let (result, _) = ask(&model(server.base_url()), &first()).await;
    let failure = result.unwrap_err().failure;
    assert_eq!(failure.code, ErrorCode::LlmBadResponse);
    assert!(failure.message.contains("web page"), "{}", failure.message);
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn a_refused_field_is_left_out_from_then_on() {
    let faults = vec![Fault::Refuses("stream_options"), Fault::Refuses("tool_choice")];
    let server = server(faults).await;
    let model = model(server.base_url());
    assert!(ask(&model, &first()).await.0.is_ok());
    assert!(ask(&model, &first()).await.0.is_ok());
    let sent = server.requests();
    assert_eq!(sent.len(), 4);
    assert!(sent[0].get("stream_options").is_some());
    assert!(sent[3].get("stream_options").is_none() && sent[3].get("tool_choice").is_none());
}

#[tokio::test]
async fn nobody_at_the_address_is_told_with_the_address() {
    let port = StdListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let (result, signals) = ask(&model(format!("http://127.0.0.1:{port}/v1")), &first()).await;
    let failure = result.unwrap_err().failure;
    assert_eq!(failure.code, ErrorCode::LlmUnreachable);
    assert!(failure.message.contains(&format!("127.0.0.1:{port}")), "{}", failure.message);
    assert_eq!(retries(&signals), 2);
}

/// A model with a second's patience for each wait.
fn impatient(base_url: String) -> OpenAiModel {
    let mut settings = settings(base_url);
    settings.first_byte_timeout_s = 1;
    settings.idle_timeout_s = 1;
    OpenAiModel::new(&settings, None).unwrap().with_first_wait(Duration::from_millis(1))
}

#[tokio::test]
async fn a_server_that_says_nothing_at_all_is_at_work_and_is_not_asked_again() {
    let server = server(vec![Fault::SlowFirstByte(Duration::from_mins(1))]).await;
    let error = ask(&impatient(server.base_url()), &first()).await.0.unwrap_err();
    assert_eq!((error.failure.code, error.shown), (ErrorCode::LlmTimeout, false));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_stream_that_stalls_in_the_middle_is_asked_for_anew() {
    let server = server(vec![Fault::StallAfter(3)]).await;
    let (reply, signals) = ask(&impatient(server.base_url()), &first()).await;
    assert!(reply.is_ok(), "{reply:?}");
    assert_eq!((server.requests().len(), retries(&signals)), (2, 1));
}

#[tokio::test]
async fn a_server_that_forgets_to_close_after_the_end_is_not_waited_for() {
    // Everything but the usage and [DONE] of the second answer is three pieces and a reason.
    let (expected, _) = ask(&DemoModel::unpaced(trace()), &second()).await;
    let pieces = 2 + expected.unwrap().calls[0].arguments.len().div_ceil(7) + 1;
    let server = server(vec![Fault::StallAfter(pieces)]).await;
    let (reply, _) = ask(&model(server.base_url()), &second()).await;
    let reply = reply.unwrap();
    assert_eq!((reply.calls.len(), reply.usage.estimated), (1, true));
}

#[rstest]
#[case::in_the_wait(Fault::Status { status: 429, retry_after: Some(50), body: String::new() }, false)]
#[case::in_the_stream(Fault::StallAfter(3), true)]
#[tokio::test]
async fn stop_works_at_once(#[case] fault: Fault, #[case] shown: bool) {
    let server = server(vec![fault]).await;
    let model = model(server.base_url());
    let cancel = CancellationToken::new();
    let mut sink = |_| cancel.cancel();
    let started = Instant::now();
    let error = model.chat(&first(), &mut sink, &cancel).await.unwrap_err();
    assert_eq!((error.failure.code, error.shown), (ErrorCode::EngineAborted, shown));
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[tokio::test]
async fn neither_the_key_nor_a_real_path_is_in_an_error_or_a_debug_text() {
    let said = format!("bad key {KEY}, see '/home/ann/.config/llm/x.toml' {}", "x".repeat(2000));
    let server = server(vec![Fault::status(400, &said)]).await;
    let model = model(server.base_url());
    let error = ask(&model, &first()).await.0.unwrap_err();
    let all = format!("{error:?} {} {model:?}", error.failure);
    assert!(!all.contains("0123456789") && !all.contains("/home/ann"), "{all}");
    assert!(error.failure.message.contains("bad key [key]"));
    assert!(error.failure.message.chars().count() < 600);
}

#[tokio::test]
async fn a_broken_expectation_is_the_same_failure_over_http_and_in_process() {
    let server = server(Vec::new()).await;
    let mut request = first();
    request.messages.push(ChatMessage::user("bye").into());
    let over_http = ask(&model(server.base_url()), &request).await.0.unwrap_err();
    let in_process = ask(&DemoModel::unpaced(trace()), &request).await.0.unwrap_err();
    assert_eq!(over_http.failure.code, ErrorCode::DemoTraceMismatch);
    assert_eq!(over_http, in_process);
}

#[tokio::test]
async fn the_demo_can_be_stopped_between_two_pieces() {
    let trace = r#"{"schemaVersion":"1","turns":[{"reply":{"text":"a long enough text to be cut","chunkMs":60000}}]}"#;
    let demo = DemoModel::new(Trace::parse(trace).unwrap());
    let cancel = CancellationToken::new();
    let mut sink = |_| cancel.cancel();
    let error = demo.chat(&first(), &mut sink, &cancel).await.unwrap_err();
    assert_eq!((error.failure.code, error.shown), (ErrorCode::EngineAborted, true));
}

#[tokio::test]
async fn a_call_written_as_text_is_repaired_for_local_presets_only() {
    let trace = r#"{"schemaVersion":"1","turns":[{"reply":{"text":"<tool_call>{\"name\":\"fs_read\",\"arguments\":{}}</tool_call>"}}]}"#;
    let server = DemoServer::start_with(Trace::parse(trace).unwrap(), Vec::new()).await.unwrap();
    for (provider, calls) in [("ollama", 1), ("custom", 0)] {
        let settings = ModelSettings { provider: provider.into(), ..settings(server.base_url()) };
        let model = OpenAiModel::new(&settings, None).unwrap();
        let reply = ask(&model, &first()).await.0.unwrap();
        assert_eq!((reply.calls.len(), reply.repaired), (calls, calls > 0), "{provider}");
    }
}

#[tokio::test]
async fn a_reply_says_when_it_began_where_it_came_in_pieces() {
    let one = r#"{"schemaVersion":"1","turns":[{"reply":{"text":"One two three four five six.","chunkMs":40}}]}"#;
    let server = DemoServer::start(Trace::parse(one).unwrap(), "127.0.0.1:0".parse().unwrap())
        .await
        .unwrap();
    let model = OpenAiModel::new(&settings(server.base_url()), None).unwrap();
    let began = std::time::Instant::now();
    let reply = model.chat(&first(), &mut |_| {}, &CancellationToken::new()).await.unwrap();
    let in_all = u64::try_from(began.elapsed().as_millis()).unwrap();
    let first_piece = reply.first_token_ms.unwrap();
    assert!(first_piece < in_all, "{first_piece} of {in_all} ms");
}

#[tokio::test]
async fn without_a_model_or_an_address_it_says_what_to_set() {
    for (url, name) in [("", "m"), ("http://127.0.0.1:1/v1", "")] {
        let settings =
            ModelSettings { base_url: url.into(), model: name.into(), ..ModelSettings::default() };
        let failure = OpenAiModel::new(&settings, None).unwrap_err();
        assert_eq!(failure.code, ErrorCode::LlmNotConfigured);
        assert!(failure.action.is_some());
    }
}

#[tokio::test]
async fn the_demo_server_serves_this_machine_only_and_says_when_a_port_is_taken() {
    let anywhere = "0.0.0.0:0".parse().unwrap();
    assert_eq!(DemoServer::start(trace(), anywhere).await.unwrap_err().code, ErrorCode::BadRequest);
    let server = server(Vec::new()).await;
    let taken = DemoServer::start(trace(), server.addr()).await.unwrap_err();
    assert!(taken.message.contains(&server.addr().port().to_string()), "{taken}");
}

#[rstest]
#[case::rebound("evil.example", "application/json", "403")]
#[case::rebound_with_a_port("evil.example:8080", "application/json", "403")]
#[case::named_like_it("127.0.0.1.evil.example", "application/json", "403")]
#[case::a_form("localhost", "text/plain", "415")]
#[case::a_client("localhost:1234", "application/json; charset=utf-8", "200")]
#[case::by_number("127.0.0.1", "application/json", "200")]
#[case::the_newer_number("[::1]:80", "application/json", "200")]
#[tokio::test]
async fn the_demo_server_answers_no_page_of_another_site(
    #[case] host: &str,
    #[case] kind: &str,
    #[case] status: &str,
) {
    let server = server(Vec::new()).await;
    let body = r#"{"messages":[{"role":"user","content":"hi"}]}"#;
    let request = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nHost: {host}\r\nContent-Type: {kind}\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let mut socket = tokio::net::TcpStream::connect(server.addr()).await.unwrap();
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).await.unwrap();
    assert_eq!(answer.split(' ').nth(1), Some(status), "{answer}");
}

#[tokio::test]
async fn a_server_that_repeats_the_key_in_pieces_does_not_bring_it_into_a_reply() {
    let said = format!(
        "{{\"schemaVersion\":\"1\",\"turns\":[{{\"reply\":{{\"text\":\"Your key is {KEY}.\",\"calls\":[{{\"name\":\"fs_write\",\"arguments\":{{\"path\":\"@project/a\",\"content\":\"{KEY}\"}}}}]}}}}]}}"
    );
    let server = DemoServer::start_with(
        Trace::parse(&said).unwrap(),
        vec![Fault::Split(3), Fault::WholeDespiteStream],
    );
    let server = server.await.unwrap();
    for _ in 0..2 {
        let (reply, signals) = ask(&model(server.base_url()), &first()).await;
        let reply = reply.unwrap();
        assert_eq!(
            (reply.text.as_str(), text_of(&signals)),
            ("Your key is [key].", reply.text.clone())
        );
        assert!(reply.calls[0].arguments.contains("[key]"));
        assert!(!format!("{reply:?} {signals:?}").contains("0123456789"), "{reply:?}");
    }
}

#[tokio::test]
async fn a_connection_test_finds_models_and_whether_tools_are_called() {
    let calling = r#"{"schemaVersion":"1","turns":[{"reply":{"calls":[{"name":"probe_echo","arguments":{"text":"ping"}}]}}]}"#;
    let talking = r#"{"schemaVersion":"1","turns":[{"reply":{"text":"OK"}}]}"#;
    let noting = r#"{"name":"probe_note","arguments":{"text":"walnut"}}"#;
    let planning = r#"{"schemaVersion":"1","turns":[CALL,{"reply":{"calls":[NOTE]}}]}"#;
    let call = r#"{"reply":{"calls":[{"name":"probe_echo","arguments":{"text":"ping"}}]}}"#;
    let planning = planning.replace("CALL", call).replace("NOTE", noting);
    for (trace, calls_tools, fit) in [
        (calling, true, WorkflowFit::Step),
        (talking, false, WorkflowFit::No),
        (&planning, true, WorkflowFit::All),
    ] {
        let trace = Trace::parse(trace).unwrap();
        let server = DemoServer::start_with(trace, Vec::new()).await.unwrap();
        let test = test_model(&settings(server.base_url()), Secret::new(KEY)).await;
        assert_eq!((test.answers, test.calls_tools), (true, calls_tools));
        assert_eq!((test.fit, test.follows_plans), (fit, fit == WorkflowFit::All));
        assert_eq!((test.models.as_slice(), &test.failure), (&["demo".to_owned()][..], &None));
        assert_eq!(summary(&test).english().contains("didn't call the tool"), !calls_tools);
        assert_eq!(server.requests()[0]["max_tokens"], 1);
    }
}

#[tokio::test]
async fn a_connection_test_tells_what_went_wrong() {
    let server = server(vec![Fault::status(401, "bad key")]).await;
    let test = test_model(&settings(server.base_url()), Secret::new(KEY)).await;
    assert_eq!(test.failure.as_ref().unwrap().code, ErrorCode::LlmAuthFailed);
    assert_eq!((test.answers, test.models.len()), (false, 1));
    assert!(summary(&test).english().contains("bad key"));
}

#[tokio::test]
async fn a_connection_test_asks_once() {
    let server = server(vec![Fault::status(500, "busy"), Fault::status(500, "busy")]).await;
    let test = test_model(&settings(server.base_url()), None).await;
    assert_eq!(test.failure.unwrap().code, ErrorCode::LlmHttpError);
    assert_eq!(server.requests().len(), 1, "the person waits, and can try again");
}

#[tokio::test]
async fn a_missing_server_and_one_that_refuses_are_reported_differently() {
    let closed = StdListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let test = test_model(&settings(format!("http://{closed}/v1")), None).await;
    let failure = test.failure.unwrap();
    assert_eq!(failure.code, ErrorCode::LlmUnreachable);
    assert_eq!(failure.message, format!("Nothing is listening on {closed}."));
    assert_eq!(failure.message_in(Lang::Zh), format!("{closed} 上没有服务器在监听。"));
    assert!(failure.action_in(Lang::Zh).unwrap().contains("启动了吗"));
    assert_eq!(failure.details.unwrap()["absence"], "refused");
}

/// Answers every request by its path, once per connection.
async fn facts_server(answers: &'static [(&'static str, &'static str)]) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let addr = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut head = vec![0; 64 * 1024];
            let n = socket.read(&mut head).await.unwrap_or(0);
            let head = String::from_utf8_lossy(&head[..n]).into_owned();
            let found = answers.iter().find(|(path, _)| head.contains(path));
            let (status, body) = found.map_or((404, "{}"), |(_, body)| (200, *body));
            let answer = format!(
                "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
            let _ = socket.write_all(answer.as_bytes()).await;
        }
    });
    format!("http://{addr}/v1")
}

const CHAT: (&str, &str) = (
    "POST /v1/chat/completions",
    r#"{"choices":[{"message":{"content":"OK"},"finish_reason":"stop"}]}"#,
);

#[rstest]
#[case::vllm(&[("GET /v1/models", r#"{"data":[{"id":"demo","max_model_len":4096}]}"#), CHAT])]
#[case::ollama(&[("GET /v1/models", r#"{"data":[{"id":"demo"}]}"#), CHAT,
    ("POST /api/show", r#"{"model_info":{"llama.context_length":4096}}"#)])]
#[case::llama_cpp(&[("GET /v1/models", r#"{"data":[{"id":"demo"}]}"#), CHAT,
    ("GET /props", r#"{"default_generation_settings":{"n_ctx":4096}}"#)])]
#[tokio::test]
async fn the_context_is_asked_where_each_server_tells_it(
    #[case] answers: &'static [(&'static str, &'static str)],
) {
    let url = facts_server(answers).await;
    let test = test_model(&settings(url), None).await;
    assert_eq!((test.answers, test.context_tokens), (true, Some(4096)), "{test:?}");
}
