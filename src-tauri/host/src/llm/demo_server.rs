//! A trace as a real OpenAI-compatible server on loopback: what `crewagent demo-model` starts and
//! what end-to-end tests talk to.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Full, Limited, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::header::{CONTENT_TYPE, HOST, RETRY_AFTER};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use kernel::bounds::{SERVED_REQUEST_BYTES, SERVED_REQUESTS};
use kernel::code::{ErrorCode, Failure};
use kernel::phrase::{Phrase, models};
use kernel::trace::{MODEL_NAME, Played, Trace};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use super::demo_answer::{SendStep, chat_request, completion, stream};
use super::faults::Fault;
use crate::failure::{io_said, io_words};

type DemoBody = UnsyncBoxBody<Bytes, io::Error>;
type DemoResponse = Result<Response<DemoBody>, io::Error>;

/// A running demo server. It ends when dropped.
#[derive(Debug)]
pub struct DemoServer {
    addr: SocketAddr,
    shared: Arc<DemoState>,
}

#[derive(Debug)]
struct DemoState {
    trace: Trace,
    paced: bool,
    faults: Mutex<VecDeque<Fault>>,
    requests: Mutex<VecDeque<Value>>,
    over: CancellationToken,
}

impl DemoServer {
    /// Serves a trace at its pace. Port 0 takes a free one.
    ///
    /// # Errors
    /// `BAD_REQUEST` when the address is not a loopback address or is taken.
    pub async fn start(trace: Trace, addr: SocketAddr) -> Result<Self, Failure> {
        Self::serve(trace, addr, true, Vec::new()).await
    }

    /// Serves a trace without pauses on a free port, the n-th chat request with the n-th fault.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub async fn start_with(trace: Trace, faults: Vec<Fault>) -> Result<Self, Failure> {
        Self::serve(trace, SocketAddr::from(([127, 0, 0, 1], 0)), false, faults).await
    }

    async fn serve(
        trace: Trace,
        addr: SocketAddr,
        paced: bool,
        faults: Vec<Fault>,
    ) -> Result<Self, Failure> {
        let refused = |why: Phrase| {
            Failure::new(ErrorCode::BadRequest, models::demo_cannot_listen(addr, why))
                .with_action(models::demo_other_port())
        };
        if !addr.ip().is_loopback() {
            return Err(refused(models::demo_loopback_only()));
        }
        let listener = TcpListener::bind(addr).await.map_err(|e| refused(io_said(&e)))?;
        let addr = listener.local_addr().map_err(|e| refused(io_said(&e)))?;
        let shared = Arc::new(DemoState {
            trace,
            paced,
            faults: Mutex::new(faults.into()),
            requests: Mutex::default(),
            over: CancellationToken::new(),
        });
        tokio::spawn(accept(listener, Arc::clone(&shared)));
        Ok(Self { addr, shared })
    }

    /// Where it listens.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// What a model's `baseUrl` must be.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.addr)
    }

    /// The bodies of the last chat requests, oldest first.
    pub fn requests(&self) -> Vec<Value> {
        lock(&self.shared.requests).iter().cloned().collect()
    }

    /// Ends it and every connection.
    pub fn stop(&self) {
        self.shared.over.cancel();
    }
}

impl Drop for DemoServer {
    fn drop(&mut self) {
        self.stop();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn accept(listener: TcpListener, shared: Arc<DemoState>) {
    loop {
        let accepted = tokio::select! {
            () = shared.over.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((socket, _)) => drop(tokio::spawn(connection(socket, Arc::clone(&shared)))),
            Err(error) => {
                tracing::warn!(error = %io_words(&error), "the demo server lost a connection");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

async fn connection(socket: TcpStream, shared: Arc<DemoState>) {
    // Pieces must leave one by one, or the tests' splits would be joined again.
    let _ = socket.set_nodelay(true);
    let over = shared.over.clone();
    let service = service_fn(move |request| {
        let shared = Arc::clone(&shared);
        async move { shared.answer(request).await }
    });
    let serving =
        hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(socket), service);
    tokio::select! {
        () = over.cancelled() => {}
        // A broken connection is what some faults are for.
        _ = serving => {}
    }
}

impl DemoState {
    /// `Err` closes the connection without an answer.
    async fn answer(&self, request: Request<Incoming>) -> DemoResponse {
        if !is_meant(&request) {
            return Ok(error(
                StatusCode::FORBIDDEN,
                "forbidden",
                "this demo server answers requests to this machine by its own names",
            ));
        }
        let path = request.uri().path().trim_end_matches('/').to_owned();
        match (request.method(), path.as_str()) {
            (&Method::GET, "/v1/models") => {
                let model = json!({ "id": MODEL_NAME, "object": "model", "owned_by": "crewagent" });
                Ok(send(StatusCode::OK, &json!({ "object": "list", "data": [model] })))
            }
            (&Method::POST, "/v1/chat/completions") => self.chat(request).await,
            _ => Ok(error(
                StatusCode::NOT_FOUND,
                "not_found",
                "this demo server knows GET /v1/models and POST /v1/chat/completions",
            )),
        }
    }

    async fn chat(&self, request: Request<Incoming>) -> DemoResponse {
        let invalid = |why: &str| error(StatusCode::BAD_REQUEST, "invalid_request_error", why);
        if !is_json(&request) {
            let why = "the body must be application/json";
            return Ok(error(StatusCode::UNSUPPORTED_MEDIA_TYPE, "invalid_request_error", why));
        }
        let Ok(bytes) = Limited::new(request.into_body(), SERVED_REQUEST_BYTES).collect().await
        else {
            return Ok(invalid("the body is too large or was cut off"));
        };
        let body: Value = match serde_json::from_slice(&bytes.to_bytes()) {
            Ok(body) => body,
            Err(e) => return Ok(invalid(&format!("the body is not JSON: {e}"))),
        };
        let fault = lock(&self.faults).pop_front().unwrap_or(Fault::None);
        self.remember(&body);
        if let Some(answer) = instead(&fault, &body) {
            return answer;
        }
        let request = match chat_request(&body) {
            Ok(request) => request,
            Err(why) => return Ok(invalid(&why)),
        };
        match self.trace.reply_to(&request) {
            Ok(played) => Ok(self.played(&played, &body, &fault)),
            Err(failure) => {
                tracing::error!(%failure, "the demo trace does not fit the request");
                Ok(mismatch(&failure))
            }
        }
    }

    fn played(&self, played: &Played, body: &Value, fault: &Fault) -> Response<DemoBody> {
        if body["stream"] != true || *fault == Fault::WholeDespiteStream {
            return send(StatusCode::OK, &completion(played));
        }
        let default = if self.paced { 15 } else { 0 };
        let pause = played.chunk_ms.filter(|_| self.paced).unwrap_or(default);
        let with_usage = body["stream_options"]["include_usage"] == true;
        let steps = stream(played, with_usage, fault, Duration::from_millis(pause));
        with_type("text/event-stream", StatusCode::OK, stepwise(steps))
    }

    fn remember(&self, body: &Value) {
        let mut requests = lock(&self.requests);
        requests.push_back(body.clone());
        if requests.len() > SERVED_REQUESTS {
            requests.pop_front();
        }
    }
}

/// Whether it was sent to this machine by one of its own names: a web page whose name was made to
/// mean this machine sends that name.
fn is_meant(request: &Request<Incoming>) -> bool {
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, port)| {
        if port.bytes().all(|b| b.is_ascii_digit()) { name } else { host }
    });
    let name = name.trim_matches(['[', ']']);
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Whether a page in a browser would have had to ask before it sent this.
fn is_json(request: &Request<Incoming>) -> bool {
    let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.unwrap_or_default().split(';').next().unwrap_or_default();
    kind.trim().eq_ignore_ascii_case("application/json")
}

/// The answer of a fault that plays no turn.
fn instead(fault: &Fault, body: &Value) -> Option<DemoResponse> {
    match fault {
        Fault::Status { status, retry_after, body } => {
            let status = StatusCode::from_u16(*status).unwrap_or(StatusCode::BAD_GATEWAY);
            let mut answer = with_type("application/json", status, full(body.clone()));
            if let Some(seconds) = retry_after {
                answer.headers_mut().insert(RETRY_AFTER, (*seconds).into());
            }
            Some(Ok(answer))
        }
        Fault::Refuses(field) if body.get(field).is_some() => {
            let why = format!("Unrecognized request argument supplied: {field}");
            Some(Ok(error(StatusCode::BAD_REQUEST, "invalid_request_error", &why)))
        }
        Fault::Refused => Some(Err(io::ErrorKind::ConnectionReset.into())),
        Fault::Html => {
            let page = "<!doctype html><title>Sign in</title>".to_owned();
            Some(Ok(with_type("text/html", StatusCode::OK, full(page))))
        }
        Fault::Says(message) => Some(Ok(says(message, "stop"))),
        Fault::RunsOn(text) => {
            Some(Ok(says(&json!({ "role": "assistant", "content": text }), "length")))
        }
        Fault::Empty => {
            Some(Ok(with_type("text/event-stream", StatusCode::OK, full(String::new()))))
        }
        _ => None,
    }
}

fn says(message: &Value, finish: &str) -> Response<DemoBody> {
    let choice = json!({ "index": 0, "message": message, "finish_reason": finish });
    send(StatusCode::OK, &json!({ "choices": [choice] }))
}

fn mismatch(failure: &Failure) -> Response<DemoBody> {
    let details = failure.details.clone().unwrap_or_default();
    let error = json!({
        "code": failure.code, "message": failure.message, "action": failure.action,
        "said": failure.said, "advice": failure.advice,
        "turn": details["turn"], "expected": details["expected"], "got": details["got"],
    });
    send(StatusCode::UNPROCESSABLE_ENTITY, &json!({ "error": error }))
}

fn error(status: StatusCode, kind: &str, message: &str) -> Response<DemoBody> {
    send(status, &json!({ "error": { "message": message, "type": kind } }))
}

fn send(status: StatusCode, value: &Value) -> Response<DemoBody> {
    with_type("application/json", status, full(value.to_string()))
}

fn with_type(content_type: &'static str, status: StatusCode, body: DemoBody) -> Response<DemoBody> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let value = hyper::header::HeaderValue::from_static(content_type);
    response.headers_mut().insert(CONTENT_TYPE, value);
    response
}

fn full(text: String) -> DemoBody {
    let never = |never: Infallible| match never {};
    Full::new(Bytes::from(text)).map_err(never).boxed_unsync()
}

fn stepwise(steps: Vec<SendStep>) -> DemoBody {
    let frames = stream::unfold(steps.into_iter(), |mut steps| async move {
        loop {
            return match steps.next()? {
                SendStep::Wait(time) => {
                    tokio::time::sleep(time).await;
                    continue;
                }
                SendStep::Bytes(bytes) => Some((Ok(Frame::data(bytes)), steps)),
                SendStep::Break => Some((Err(io::ErrorKind::ConnectionReset.into()), steps)),
            };
        }
    });
    StreamBody::new(frames).boxed_unsync()
}
