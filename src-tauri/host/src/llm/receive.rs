//! Reads one answer of a server into a [`ReplyAssembly`], with time limits between bytes.

use std::fmt;
use std::pin::pin;
use std::time::{Duration, SystemTime};

use bytes::{Bytes, BytesMut};
use futures_util::stream::{self, Stream, StreamExt as _};
use kernel::bounds::{ANSWER_BYTES, ERROR_BYTES, size};
use kernel::effect::Signal;
use kernel::phrase::{Why, models};
use reqwest::Response;
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, DATE, HeaderMap, RETRY_AFTER};
use serde_json::Value;
use sse_stream::SseStream;
use tokio::time::{Instant, timeout_at};

use super::assembly::ReplyAssembly;
use super::endpoint::Endpoint;
use super::problem::{LlmError, NextTry, bad, error_event, error_in, silence, transport};
use crate::event_lines::{is_skipped, lines};
use crate::json::{self, JsonError};

/// An answer that takes longer than this is not waited for, however lively its server is.
const LONGEST: Duration = Duration::from_hours(1);
/// After `finish_reason` only the usage can come; servers that forget `[DONE]` are not waited for.
const AFTERMATH: Duration = Duration::from_secs(3);

/// What is given each piece of an answer as it comes.
pub(super) type Sink<'a> = &'a mut (dyn FnMut(Signal) + Send);

/// Reads a 200 answer, streamed or whole: the server decides, whatever was asked.
pub(super) async fn receive(
    at: &Endpoint,
    response: Response,
    deadline: Instant,
    sink: Sink<'_>,
) -> Result<ReplyAssembly, LlmError> {
    if let Some(coding) = compressed(response.headers()) {
        // It would be so again.
        return Err(bad(at, NextTry::GiveUp, models::answer_compressed(coding)));
    }
    let kind = content_type(response.headers());
    let mut body = Box::pin(response.bytes_stream());
    let first = first_bytes(at, &mut body, deadline).await?;
    let start = beginning(&first);
    let is_stream = kind.contains("event-stream");
    if kind.contains("html") || (!is_stream && start == Some(b'<')) {
        // A gateway may have been out of order for a moment.
        return Err(bad(at, NextTry::Again(None), models::answer_web_page()));
    }
    let body = timed(first, body, at.idle, LONGEST);
    let looks_whole = matches!(start, Some(b'{' | b'['));
    // A comment, or the name of a field: no JSON begins so, whatever it is called.
    let looks_streamed = matches!(start, Some(b':' | b'd' | b'e' | b'i' | b'r'));
    if !is_stream && (looks_whole || (kind.contains("json") && !looks_streamed)) {
        whole(at, body, sink).await
    } else {
        pieces(at, body, deadline, sink).await
    }
}

/// The body of an error, as far as it comes and can be read.
pub(super) async fn error_body(at: &Endpoint, response: Response) -> String {
    if compressed(response.headers()).is_some() {
        return String::new();
    }
    let mut body =
        pin!(timed(Bytes::new(), Box::pin(response.bytes_stream()), at.idle, at.first_byte));
    let mut all = Vec::new();
    while let Some(Ok(bytes)) = body.next().await {
        all.extend_from_slice(&bytes);
        if all.len() > ERROR_BYTES {
            break;
        }
    }
    String::from_utf8_lossy(&all[..all.len().min(ERROR_BYTES)]).into_owned()
}

/// A whole body of at most `most` bytes; `None` for a longer one.
pub(super) async fn limited(response: Response, most: usize) -> reqwest::Result<Option<Vec<u8>>> {
    let mut body = Box::pin(response.bytes_stream());
    let mut all = Vec::new();
    while let Some(bytes) = body.next().await {
        all.extend_from_slice(&bytes?);
        if all.len() > most {
            return Ok(None);
        }
    }
    Ok(Some(all))
}

/// `Retry-After` in seconds, in milliseconds as some say it, or until a date by the server's clock.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let number = |value: Option<&reqwest::header::HeaderValue>| -> Option<f64> {
        let number: f64 = value?.to_str().ok()?.trim().parse().ok()?;
        (number.is_finite() && number >= 0.0).then_some(number.min(1e6))
    };
    let ms = number(headers.get("retry-after-ms")).map(|ms| ms / 1000.0);
    let told = ms.or_else(|| number(headers.get(RETRY_AFTER))).map(Duration::from_secs_f64);
    told.or_else(|| {
        let date = |name| httpdate::parse_http_date(headers.get(name)?.to_str().ok()?.trim()).ok();
        let now = date(DATE).unwrap_or_else(SystemTime::now);
        // What is past is no wait.
        Some(date(RETRY_AFTER)?.duration_since(now).unwrap_or_default())
    })
}

/// By what a body is compressed although that was not asked for. Other names than these, such as one
/// of letters, are mistakes for the kind of the content.
fn compressed(headers: &HeaderMap) -> Option<&'static str> {
    const CODINGS: [&str; 5] = ["gzip", "deflate", "br", "zstd", "compress"];
    let told = headers.get_all(CONTENT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let mut told = told.flat_map(|value| value.split(',')).map(|name| {
        let name = name.trim();
        name.strip_prefix("x-").unwrap_or(name)
    });
    told.find_map(|name| CODINGS.into_iter().find(|coding| name.eq_ignore_ascii_case(coding)))
}

fn content_type(headers: &HeaderMap) -> String {
    let value = headers.get(CONTENT_TYPE).and_then(|v| v.to_str().ok());
    value.unwrap_or_default().to_ascii_lowercase()
}

/// An answer that has so many blanks before it says something is a stream.
const BLANKS: usize = 64;

/// Waits until an answer begins to say something: how it begins decides how it is read, and that may
/// not hang on where its bytes are cut. An empty body is an empty answer.
async fn first_bytes(
    at: &Endpoint,
    body: &mut (impl Stream<Item = reqwest::Result<Bytes>> + Unpin),
    deadline: Instant,
) -> Result<Bytes, LlmError> {
    let mut first = BytesMut::new();
    while first.len() < BLANKS && beginning(&first).is_none() {
        match timeout_at(deadline, body.next()).await {
            Err(_) => {
                return Err(silence(at, NextTry::GiveUp, models::silent_nothing(), at.first_byte));
            }
            Ok(None) => break,
            Ok(Some(Ok(bytes))) => first.extend_from_slice(&bytes),
            Ok(Some(Err(error))) => return Err(cut_off(at, error)),
        }
    }
    Ok(first.freeze())
}

/// Some texts begin with it.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// The first byte of an answer that says something.
fn beginning(answer: &[u8]) -> Option<u8> {
    let answer = &answer[..answer.len().min(BLANKS)];
    if MARK.starts_with(answer) {
        return None;
    }
    let text = answer.strip_prefix(MARK).unwrap_or(answer);
    text.iter().find(|byte| !byte.is_ascii_whitespace()).copied()
}

/// Why a body ended early.
#[derive(Debug)]
enum BodyCut {
    Silence(Duration),
    Network(reqwest::Error),
    TooLong,
    Endless(Duration),
}

impl fmt::Display for BodyCut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the answer was cut off")
    }
}

impl std::error::Error for BodyCut {}

impl BodyCut {
    fn llm_error(self, at: &Endpoint) -> LlmError {
        match self {
            Self::Silence(waited) => {
                silence(at, NextTry::Whole, models::silent_nothing_more(), waited)
            }
            Self::Network(error) => cut_off(at, error),
            Self::TooLong => {
                bad(at, NextTry::GiveUp, models::answer_longer_than(size(ANSWER_BYTES as u64)))
            }
            Self::Endless(longest) => {
                silence(at, NextTry::GiveUp, models::silent_no_whole_answer(), longest)
            }
        }
    }
}

/// A connection that broke in the middle. Half an answer is none.
fn cut_off(at: &Endpoint, error: reqwest::Error) -> LlmError {
    if error.is_decode() || error.is_body() || error.is_request() {
        return bad(at, NextTry::Whole, models::answer_cut_off());
    }
    transport(at, error)
}

/// The bytes with the time limits between them and for all, and the empty line that ends the last
/// event where the server forgot it.
fn timed(
    first: Bytes,
    body: impl Stream<Item = reqwest::Result<Bytes>> + Unpin + Send,
    idle: Duration,
    longest: Duration,
) -> impl Stream<Item = Result<Bytes, BodyCut>> + Send {
    struct BodyState<B> {
        first: Option<Bytes>,
        body: B,
        read: usize,
        over: bool,
    }
    let state = BodyState { first: Some(first), body, read: 0, over: false };
    let end = Instant::now() + longest;
    stream::unfold(state, move |mut state| async move {
        if state.over {
            return None;
        }
        if let Some(first) = state.first.take() {
            state.read = first.len();
            return Some((Ok(first), state));
        }
        let next = match timeout_at(end.min(Instant::now() + idle), state.body.next()).await {
            Err(_) if Instant::now() >= end => Err(BodyCut::Endless(longest)),
            Err(_) => Err(BodyCut::Silence(idle)),
            Ok(Some(Err(error))) => Err(BodyCut::Network(error)),
            Ok(Some(Ok(bytes))) => {
                state.read += bytes.len();
                if state.read > ANSWER_BYTES { Err(BodyCut::TooLong) } else { Ok(bytes) }
            }
            Ok(None) => {
                state.over = true;
                Ok(Bytes::from_static(b"\n\n\n"))
            }
        };
        state.over |= next.is_err();
        Some((next, state))
    })
}

/// A whole completion in one JSON document.
async fn whole(
    at: &Endpoint,
    body: impl Stream<Item = Result<Bytes, BodyCut>>,
    sink: Sink<'_>,
) -> Result<ReplyAssembly, LlmError> {
    let mut body = pin!(body);
    let mut all = Vec::new();
    while let Some(bytes) = body.next().await {
        all.extend_from_slice(&bytes.map_err(|cut| cut.llm_error(at))?);
    }
    // One of too many values would have as many again.
    let next = |e: &JsonError| if e.is_json() { NextTry::GiveUp } else { NextTry::Again(None) };
    let value = json::parse(all.strip_prefix(MARK).unwrap_or(&all))
        .map_err(|e| bad(at, next(&e), models::answer_not_json(e)))?;
    if let Some(llm_error) = error_in(at, &value) {
        return Err(llm_error);
    }
    if !value["choices"][0].is_object() {
        return Err(bad(at, NextTry::GiveUp, models::answer_no_choices()));
    }
    let mut assembly = ReplyAssembly::default();
    assembly.push(&value).into_iter().for_each(sink);
    if let Some(llm_error) = excess(&assembly) {
        return Err(llm_error);
    }
    assembly.done();
    Ok(assembly)
}

/// A stream of events, the first before `deadline`. Comments and empty events are no sign of an
/// answer: the time limits are between events that say something.
async fn pieces(
    at: &Endpoint,
    body: impl Stream<Item = Result<Bytes, BodyCut>> + Send,
    deadline: Instant,
    sink: Sink<'_>,
) -> Result<ReplyAssembly, LlmError> {
    let mut events = pin!(SseStream::from_bytes_stream(Box::pin(lines(body))));
    let mut assembly = ReplyAssembly::default();
    let (mut skipped, mut aftermath) = (None, None);
    let (mut until, mut heard) = (deadline, false);
    loop {
        let next = if assembly.finished() {
            let until = *aftermath.get_or_insert_with(|| Instant::now() + AFTERMATH);
            timeout_at(until, events.next()).await.unwrap_or(None)
        } else {
            timeout_at(until, events.next()).await.map_err(|_| too_silent(at, heard))?
        };
        let event = match next {
            None => break,
            Some(Ok(event)) => event,
            Some(Err(line)) if is_skipped(&line) => {
                skipped.get_or_insert(line);
                continue;
            }
            // The reason to stop was told: what is missing is at most the usage.
            Some(Err(_)) if assembly.finished() => break,
            Some(Err(error)) => return Err(broken(at, error)),
        };
        let Some(data) = event.data.as_deref().map(str::trim).filter(|d| !d.is_empty()) else {
            continue;
        };
        let now = Instant::now();
        (until, heard) = (now + at.idle, true);
        if data == "[DONE]" {
            assembly.done();
            break;
        }
        let value = match said(at, event.event.as_deref(), data) {
            Ok(value) => value,
            Err(_) if assembly.finished() => break,
            Err(llm_error) => return Err(*llm_error),
        };
        assembly.push(&value).into_iter().for_each(&mut *sink);
        assembly.came(now);
        if let Some(llm_error) = excess(&assembly) {
            return Err(llm_error);
        }
    }
    match skipped {
        _ if assembly.whole() => Ok(assembly),
        Some(line) if !heard => Err(broken(at, line)),
        _ => Err(bad(at, NextTry::Whole, models::answer_ended_early())),
    }
}

/// No event came in time, after others or at all.
fn too_silent(at: &Endpoint, heard: bool) -> LlmError {
    if heard {
        return silence(at, NextTry::Whole, models::silent_nothing_more(), at.idle);
    }
    silence(at, NextTry::GiveUp, models::silent_nothing(), at.first_byte)
}

/// What an event of this name says, unless it tells of an error.
fn said(at: &Endpoint, name: Option<&str>, data: &str) -> Result<Value, Box<LlmError>> {
    let value = json::parse(data.as_bytes());
    if name == Some("error") {
        return Err(error_event(at, &value.unwrap_or_else(|_| data.into())).into());
    }
    let value = value.map_err(|e| {
        let next = if e.is_json() { NextTry::GiveUp } else { NextTry::Whole };
        bad(at, next, models::answer_event_not_json(e))
    })?;
    error_in(at, &value).map_or(Ok(value), |llm_error| Err(llm_error.into()))
}

/// An answer that asks for too much is not read on, and not asked for again.
fn excess(assembly: &ReplyAssembly) -> Option<LlmError> {
    assembly.excess().map(|failure| LlmError { failure: failure.clone(), next: NextTry::GiveUp })
}

fn broken(at: &Endpoint, error: sse_stream::Error) -> LlmError {
    match error {
        sse_stream::Error::Body(cause) => match cause.downcast::<BodyCut>() {
            Ok(cut) => cut.llm_error(at),
            Err(_) => bad(at, NextTry::Whole, models::answer_cut_off()),
        },
        other => bad(at, NextTry::Whole, models::answer_no_stream(Why::quoted(other))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::demo_answer::{SendStep, stream as answer};
    use crate::llm::faults::Fault;
    use crate::llm::fuzzing::Reader;
    use kernel::chat::{ChatMessage, ChatRequest};
    use kernel::settings::ModelSettings;
    use kernel::trace::Trace;
    use serde_json::{Value, json};

    fn request() -> ChatRequest {
        ChatRequest::new([ChatMessage::user("你")], Vec::new())
    }

    fn bytes(fault: &Fault) -> Vec<u8> {
        let trace = r#"{"schemaVersion":"1","turns":[{"reply":{"text":"你好 é, ok 🦀",
            "calls":[{"name":"fs_read","arguments":{"path":"@project/资料.md"}}]}}]}"#;
        let played = Trace::parse(trace).unwrap().reply_to(&request()).unwrap();
        let steps = answer(&played, true, fault, Duration::ZERO);
        let of = |step: SendStep| match step {
            SendStep::Bytes(bytes) => bytes,
            other => panic!("{other:?}"),
        };
        steps.into_iter().flat_map(of).collect()
    }

    #[tokio::test]
    async fn an_answer_split_at_any_byte_is_the_same_answer() {
        let settings = ModelSettings { base_url: "http://h".into(), ..ModelSettings::default() };
        let at = Endpoint::new(&settings, None).unwrap();
        for fault in [Fault::None, Fault::Crlf, Fault::Comments, Fault::NoFinalBlankLine] {
            let all = bytes(&fault);
            for position in 0..=all.len() {
                let (one, two) = all.split_at(position);
                let parts = [one, two].map(|b| Ok(Bytes::copy_from_slice(b)));
                let patient = Duration::from_secs(9);
                let body = timed(Bytes::new(), stream::iter(parts), patient, patient);
                let deadline = Instant::now() + patient;
                let mut text = String::new();
                let mut sink = |signal| match signal {
                    Signal::Text(more) => text.push_str(&more),
                    other => panic!("{other:?}"),
                };
                let assembly = pieces(&at, body, deadline, &mut sink).await;
                let assembly =
                    assembly.unwrap_or_else(|t| panic!("{fault:?} at {position}: {}", t.failure));
                let reply = assembly.into_reply(&request()).reply;
                assert_eq!(
                    (text.as_str(), reply.text.as_str()),
                    ("你好 é, ok 🦀", "你好 é, ok 🦀")
                );
                assert_eq!(reply.calls[0].arguments, r#"{"path":"@project/资料.md"}"#);
                assert!(!reply.usage.estimated);
            }
        }
    }

    #[test]
    fn an_answer_is_read_in_the_same_way_wherever_it_is_cut() {
        let whole = |before: &str| {
            let message = json!({ "content": "你好" });
            let choice = json!({ "message": message, "finish_reason": "stop" });
            format!("{before}{}", json!({ "choices": [choice] })).into_bytes()
        };
        let page = b"\r\n <html>502</html>".to_vec();
        let reader = Reader::new("sk-test-0123456789").unwrap();
        for kind in ["", "text/plain", "application/json", "text/event-stream"] {
            for all in [whole(""), whole("\n\n"), whole("\u{feff} \n"), page.clone()] {
                let expected = reader.read(&request(), kind, [all.clone()]);
                let refused = kind == "text/event-stream" || all == page;
                assert_eq!(expected.reply.is_err(), refused, "{kind}: {expected:?}");
                for position in 0..=all.len() {
                    let (one, two) = all.split_at(position);
                    let parts = [one.to_vec(), two.to_vec()];
                    assert_eq!(reader.read(&request(), kind, parts), expected, "at {position}");
                }
                let single = all.iter().map(|byte| vec![*byte]);
                assert_eq!(reader.read(&request(), kind, single), expected);
            }
        }
    }

    #[test]
    fn a_line_that_is_none_takes_nothing_from_what_stands_around_it() {
        let event = |choice: Value| format!("data: {}\n\n", json!({ "choices": [choice] }));
        let said = event(json!({ "delta": { "content": "你好" } }));
        let stop = event(json!({ "delta": {}, "finish_reason": "stop" }));
        let reader = Reader::new("sk-test-0123456789").unwrap();
        for all in [
            [said.as_bytes(), stop.as_bytes(), b"\xff: no line\n"].concat(),
            [said.as_bytes(), b"\xff: no line\n", stop.as_bytes()].concat(),
            [b"no line\r\n", said.as_bytes(), b"no line\r", stop.as_bytes()].concat(),
            [b"data: {\r\nno line\r\ndata:}\r\n\r\n", said.as_bytes(), stop.as_bytes()].concat(),
        ] {
            let at_once = reader.read(&request(), "text/event-stream", [all.clone()]);
            assert_eq!((at_once.text.as_str(), at_once.reply.is_ok()), ("你好", true));
            for position in 0..=all.len() {
                let (one, two) = all.split_at(position);
                let parts = [one.to_vec(), two.to_vec()];
                assert_eq!(reader.read(&request(), "text/event-stream", parts), at_once);
            }
            let single = all.iter().map(|byte| vec![*byte]);
            assert_eq!(reader.read(&request(), "text/event-stream", single), at_once);
        }
    }

    #[tokio::test]
    async fn an_answer_that_asks_for_too_much_is_not_read_on() {
        let settings = ModelSettings { base_url: "http://h".into(), ..ModelSettings::default() };
        let at = Endpoint::new(&settings, None).unwrap();
        let call = |n: usize| {
            let call = serde_json::json!({ "index": n, "function": { "name": "fs_list" } });
            let delta = serde_json::json!({ "tool_calls": [call] });
            format!("data: {}\n\n", serde_json::json!({ "choices": [{ "delta": delta }] }))
        };
        let events: String = (0..65).map(call).chain(["data: no JSON\n\n".to_owned()]).collect();
        let patient = Duration::from_secs(9);
        let parts = stream::iter([Ok(Bytes::from(events))]);
        let body = timed(Bytes::new(), parts, patient, patient);
        let refused = pieces(&at, body, Instant::now() + patient, &mut |_| {}).await;
        let llm_error = refused.err().unwrap();
        assert_eq!(llm_error.failure.code, kernel::code::ErrorCode::LlmBadResponse);
        assert!(llm_error.failure.message.contains("more than 64 calls"), "{}", llm_error.failure);
        assert_eq!(llm_error.next, NextTry::GiveUp);
    }

    #[tokio::test]
    async fn an_answer_that_never_ends_is_given_up_however_lively_it_is() {
        let settings = ModelSettings { base_url: "http://h".into(), ..ModelSettings::default() };
        let at = Endpoint::new(&settings, None).unwrap();
        let event = Bytes::from_static(b"data: {\"choices\":[{\"delta\":{}}]}\n\n");
        let lively = stream::repeat_with(move || Ok(event.clone())).then(|bytes| async {
            tokio::task::yield_now().await;
            bytes
        });
        let patient = Duration::from_mins(1);
        let body = timed(Bytes::new(), Box::pin(lively), patient, Duration::from_millis(20));
        let given_up = pieces(&at, body, Instant::now() + patient, &mut |_| {}).await;
        let llm_error = given_up.err().unwrap();
        assert_eq!(llm_error.failure.code, kernel::code::ErrorCode::LlmTimeout);
    }

    #[test]
    fn retry_after_is_read_in_seconds_and_milliseconds_and_no_odd_number() {
        let read = |name: &'static str, value: &'static str| {
            let value = reqwest::header::HeaderValue::from_static(value);
            retry_after(&HeaderMap::from_iter([(
                reqwest::header::HeaderName::from_static(name),
                value,
            )]))
        };
        assert_eq!(read("retry-after", "4"), Some(Duration::from_secs(4)));
        assert_eq!(read("retry-after-ms", "1500"), Some(Duration::from_millis(1500)));
        for odd in ["-1", "NaN", "soon", "inf"] {
            assert_eq!(read("retry-after", odd), None, "{odd}");
        }
    }
}
