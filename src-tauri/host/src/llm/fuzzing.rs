//! The way of an answer from a server's bytes to a reply, for `fuzz/` and the tests: all of it but
//! the network.

use std::convert::Infallible;

use futures_util::stream;
use kernel::chat::{ChatRequest, Reply};
use kernel::code::Failure;
use kernel::effect::Signal;
use kernel::settings::ModelSettings;
use reqwest::{Body, Response};
use tokio::runtime::{Builder, Runtime};
use tokio::time::Instant;

use super::endpoint::Endpoint;
use super::openai::{answer, cleaned};
use super::problem::LlmError;
use crate::secrets::Secret;

/// Reads answers of a server that does not wait.
pub struct Reader {
    at: Endpoint,
    runtime: Runtime,
}

/// What came of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadAnswer {
    /// The text that was shown meanwhile.
    pub text: String,
    /// The reasoning that was shown meanwhile.
    pub thinking: String,
    /// The reply, or why there is none.
    pub reply: Result<Reply, Failure>,
}

impl Reader {
    /// For a server that is sent this key. `None` where there are no threads or settings to be had.
    pub fn new(key: &str) -> Option<Self> {
        let base_url = "http://127.0.0.1:1/v1".to_owned();
        let settings = ModelSettings { base_url, ..ModelSettings::default() };
        let at = Endpoint::new(&settings, Secret::new(key)).ok()?;
        let runtime = Builder::new_current_thread().enable_time().build().ok()?;
        Some(Self { at, runtime })
    }

    /// Reads an answer with this `Content-Type` that comes in these pieces.
    pub fn read(
        &self,
        request: &ChatRequest,
        kind: &'static str,
        pieces: impl IntoIterator<Item = Vec<u8>>,
    ) -> ReadAnswer {
        let pieces: Vec<_> = pieces.into_iter().map(Ok::<_, Infallible>).collect();
        let body = Body::wrap_stream(stream::iter(pieces));
        let mut response = hyper::Response::new(body);
        let kind = reqwest::header::HeaderValue::from_static(kind);
        response.headers_mut().insert(reqwest::header::CONTENT_TYPE, kind);
        let (mut text, mut thinking) = (String::new(), String::new());
        let mut sink = |signal| match signal {
            Signal::Text(more) => text.push_str(&more),
            Signal::Thinking(more) => thinking.push_str(&more),
            Signal::Retrying { .. } => {}
        };
        let reply = self.runtime.block_on(async {
            let deadline = Instant::now() + self.at.first_byte;
            answer(&self.at, request, Response::from(response), deadline, &mut sink).await
        });
        let reply = reply.map_err(|llm_error: LlmError| llm_error.failure);
        let reply = reply.map(|assembled| cleaned(&self.at, request, assembled.reply, true));
        ReadAnswer { text, thinking, reply }
    }
}
