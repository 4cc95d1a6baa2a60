//! Any server that speaks OpenAI's chat completions (spec 07).
//!
//! One call of [`ChatModel::chat`] is: send, read, and what may be tried again: without a refused
//! field, without streaming, or after a wait. Half an answer is none: what was shown of it is
//! replaced by the next, and its calls are never run.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use kernel::bounds::MODEL_NAME_BYTES;
use kernel::chat::{ChatRequest, Finish, Reply};
use kernel::code::{ErrorCode, Failure};
use kernel::effect::Signal;
use kernel::phrase::models;
use kernel::settings::ModelSettings;
use kernel::text::prefix;
use reqwest::Response;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use super::assembly::Assembled;
use super::body::{Learned, body};
use super::endpoint::{Endpoint, not_configured};
use super::problem::{ErrorStatus, LlmError, NextTry, refused, silence, transport};
use super::receive::{Sink, error_body, receive, retry_after};
use super::repair::repair;
use super::scrub::Scrub;
use super::{ChatModel, ModelError, ReplyFuture, aborted};
use crate::secrets::Secret;
use crate::taught::Lessons;

/// Tries after the first.
const RETRIES: usize = 2;

/// An endpoint with a model. Keep one per endpoint: it remembers which fields the server refuses,
/// and the reasoning and signatures some servers want back.
pub struct OpenAiModel {
    endpoint: Endpoint,
    learned: Mutex<Learned>,
    /// Where it goes what the server teaches.
    lessons: Option<Lessons>,
    first_wait: Duration,
    retries: usize,
}

impl fmt::Debug for OpenAiModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OpenAiModel({} at {})", self.endpoint.model, self.endpoint.shown())
    }
}

impl OpenAiModel {
    /// The model that the settings name. Sends nothing.
    ///
    /// # Errors
    /// `LLM_NOT_CONFIGURED` without an address or a model name, `SETTING_INVALID` when a setting is
    /// wrong.
    pub fn new(settings: &ModelSettings, key: Option<Secret>) -> Result<Self, Failure> {
        if settings.model.trim().is_empty() {
            return Err(not_configured(models::no_model_name()));
        }
        let endpoint = Endpoint::new(settings, key)?;
        let first_wait = Duration::from_secs(1);
        let learned = Mutex::default();
        Ok(Self { endpoint, learned, lessons: None, first_wait, retries: RETRIES })
    }

    /// With what the server taught before, and what it teaches is kept. Reads a file.
    #[must_use]
    pub(crate) fn taught(mut self, lessons: Lessons) -> Self {
        self.learned = Mutex::new(Learned::of_server(&lessons.refused()));
        self.lessons = Some(lessons);
        self
    }

    fn keep(&self, field: &'static str) {
        if let Some(lessons) = self.lessons.clone() {
            tokio::task::spawn_blocking(move || lessons.keep(field));
        }
    }

    /// The wait before the second try; each further one doubles it. One second unless set.
    #[cfg(test)]
    #[must_use]
    pub(super) fn with_first_wait(mut self, wait: Duration) -> Self {
        self.first_wait = wait;
        self
    }

    /// Asks once: the first error is the answer.
    #[must_use]
    pub(super) fn without_retries(mut self) -> Self {
        self.retries = 0;
        self
    }

    /// The endpoint, for the connection test.
    pub(super) fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Asks until there is an answer, or nothing more to be tried.
    pub(super) async fn ask(
        &self,
        request: &ChatRequest,
        sink: Sink<'_>,
        cancel: &CancellationToken,
    ) -> Result<Reply, ModelError> {
        let shown = AtomicBool::new(false);
        let mut seen = |signal: Signal| {
            if !matches!(signal, Signal::Retrying { .. }) {
                shown.store(true, Ordering::Relaxed);
            }
            sink(signal);
        };
        let asked = self.until_answered(request, &mut seen);
        let result = tokio::select! {
            biased;
            () = cancel.cancelled() => Err(aborted()),
            result = asked => result,
        };
        result.map_err(|failure| ModelError { failure, shown: shown.load(Ordering::Relaxed) })
    }

    async fn until_answered(
        &self,
        request: &ChatRequest,
        sink: Sink<'_>,
    ) -> Result<Reply, Failure> {
        let mut stream = true;
        let mut tries = Tries { waits: self.waits(), attempt: 1, streams: 0, once: false };
        let mut empty = false;
        loop {
            let llm_error = match self.once(request, stream, sink).await {
                // Once more, also when reasoning was shown: nothing of an answer was.
                Ok(Some(reply)) if reply.is_empty() && !empty => {
                    empty = true;
                    tries.attempt += 1;
                    tries.tell(reply.empty_failure(), Duration::ZERO, sink);
                    continue;
                }
                Ok(Some(reply)) if reply.is_empty() => return Err(reply.empty_failure()),
                // A server that lets a model talk until it calls lets it talk without end.
                Ok(Some(reply)) if self.required_in_vain(request, &reply) => {
                    tries.attempt += 1;
                    let failure = Failure::new(ErrorCode::LlmOutputCut, models::talked_on());
                    tries.tell(failure, Duration::ZERO, sink);
                    continue;
                }
                Ok(Some(reply)) => return Ok(self.named(reply)),
                Ok(None) => continue,
                Err(llm_error) => llm_error,
            };
            let Some(wait) = tries.next(llm_error.next, &mut stream) else {
                return Err(llm_error.failure);
            };
            tries.tell(llm_error.failure, wait, sink);
            tokio::time::sleep(wait).await;
        }
    }

    /// A server that does not say which model answered was asked for this one.
    fn named(&self, mut reply: Reply) -> Reply {
        let asked = || prefix(&self.endpoint.model, MODEL_NAME_BYTES).to_owned();
        reply.model.get_or_insert_with(asked);
        reply
    }

    /// Whether a reply came to nothing because the server was to see to it that a tool is called. It
    /// is not asked to do that again.
    fn required_in_vain(&self, request: &ChatRequest, reply: &Reply) -> bool {
        let mut learned = self.learned();
        if !request.must_call || !reply.calls.is_empty() || !learned.requires() {
            return false;
        }
        let field = learned.requires_in_vain();
        drop(learned);
        self.keep(field);
        reply.finish == Finish::Length
    }

    /// Sends once, for an answer in pieces where it is to `stream`. `None`: the server refused an
    /// optional field, which is left out from now on.
    async fn once(
        &self,
        request: &ChatRequest,
        stream: bool,
        sink: Sink<'_>,
    ) -> Result<Option<Reply>, LlmError> {
        let at = &self.endpoint;
        let quirks = &at.preset.quirks;
        let sent = body(&at.model, request, stream, quirks, &mut self.learned());
        let sent_at = Instant::now();
        let deadline = sent_at + at.first_byte;
        let sending = at.post("chat/completions").json(&sent).send();
        let response = match timeout_at(deadline, sending).await {
            Err(_) => {
                return Err(silence(at, NextTry::GiveUp, models::silent_nothing(), at.first_byte));
            }
            Ok(Err(error)) => return Err(transport(at, error)),
            Ok(Ok(response)) => response,
        };
        let status = response.status();
        if !status.is_success() {
            let retry_after = retry_after(response.headers());
            let body = error_body(at, response).await;
            let llm_error = refused(at, &ErrorStatus { status, retry_after, body: &body });
            let plain = llm_error.failure.code == ErrorCode::LlmHttpError;
            let refusal = plain && matches!(status.as_u16(), 400 | 422);
            let refused = refusal.then(|| self.learned().refuse(&body, &sent)).flatten();
            if let Some(field) = refused {
                self.keep(field);
                tracing::info!(failure = %llm_error.failure, "a field is left out from now on");
                return Ok(None);
            }
            return Err(llm_error);
        }
        let mut assembled = answer(at, request, response, deadline, sink).await?;
        let until_first = assembled.began.map(|began| began - sent_at);
        assembled.reply.first_token_ms =
            until_first.map(|it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX));
        self.learned().remember(&assembled.reply, &assembled.extras);
        Ok(Some(cleaned(at, request, assembled.reply, quirks.repair_text_tool_calls)))
    }

    fn waits(&self) -> ExponentialBackoff {
        ExponentialBuilder::default()
            .with_min_delay(self.first_wait)
            .with_max_times(self.retries)
            .with_jitter()
            .build()
    }

    fn learned(&self) -> MutexGuard<'_, Learned> {
        self.learned.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What was tried, and may be tried yet.
struct Tries {
    waits: ExponentialBackoff,
    /// The number of the next try.
    attempt: u32,
    /// Streams that went wrong.
    streams: u32,
    /// Whether what helps once at most was tried.
    once: bool,
}

impl Tries {
    /// How long to wait before the next try; `None` when there is none.
    fn next(&mut self, next: NextTry, stream: &mut bool) -> Option<Duration> {
        let wait = match next {
            NextTry::GiveUp => return None,
            NextTry::Once if std::mem::replace(&mut self.once, true) => return None,
            NextTry::Once => self.waits.next()?,
            NextTry::Again(asked) => {
                let wait = self.waits.next()?;
                asked.unwrap_or(wait)
            }
            NextTry::Whole if !*stream => return None,
            NextTry::Whole => {
                self.streams += 1;
                let wait = self.waits.next();
                // Two streams went wrong, or there is no other try: an answer in one piece.
                *stream = self.streams < 2 && wait.is_some();
                wait.unwrap_or_default()
            }
        };
        self.attempt += 1;
        Some(wait)
    }

    fn tell(&self, failure: Failure, wait: Duration, sink: Sink<'_>) {
        let attempt = self.attempt;
        tracing::warn!(%failure, attempt, "asking the model again");
        let in_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        sink(Signal::Retrying { failure, attempt, in_ms });
    }
}

/// Reads a 200 answer. What is shown meanwhile is without what the endpoint must not be heard to
/// say; the reply has yet to be [`cleaned`].
pub(super) async fn answer(
    at: &Endpoint,
    request: &ChatRequest,
    response: Response,
    deadline: Instant,
    sink: Sink<'_>,
) -> Result<Assembled, LlmError> {
    let mut scrub = Scrub::new(at.secrets());
    let mut clean = |signal| scrub.pass(signal, &mut *sink);
    let assembled = receive(at, response, deadline, &mut clean).await?.into_reply(request);
    scrub.end(sink);
    Ok(assembled)
}

/// A reply without what the endpoint must not be heard to say; where it is `repaired`, with the
/// calls that stand in its text. Those are found first: less is taken out of calls than of texts.
pub(super) fn cleaned(
    at: &Endpoint,
    request: &ChatRequest,
    mut reply: Reply,
    repaired: bool,
) -> Reply {
    if repaired {
        repair(&mut reply, request);
    }
    Scrub::new(at.secrets()).reply(reply)
}

impl ChatModel for OpenAiModel {
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
        sink: &'a mut (dyn FnMut(Signal) + Send),
        cancel: &'a CancellationToken,
    ) -> ReplyFuture<'a> {
        Box::pin(self.ask(request, sink, cancel))
    }
}
