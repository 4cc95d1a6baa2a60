//! Who asks a server over HTTP: in the name of the person, where they are signed in there. What the
//! server says of how one signs in is kept for when they do.

use futures_util::stream::BoxStream;
use kernel::bounds::MCP_CHALLENGE_BYTES;
use reqwest::header::{HeaderName, HeaderValue};
use reqwest::{Client, StatusCode};
use rmcp::model::ClientJsonRpcMessage;
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
    StreamableHttpResponseLimits,
};
use sse_stream::{Error as SseError, Sse};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::accounts::Account;

type Answer<T> = Result<T, StreamableHttpError<reqwest::Error>>;

/// What a server said last of how one signs in there (`WWW-Authenticate`).
#[derive(Debug, Clone, Default)]
pub(super) struct Challenge(Arc<Mutex<Option<String>>>);

impl Challenge {
    fn keep(&self, header: &str) {
        let fits = header.len() <= MCP_CHALLENGE_BYTES;
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = fits.then(|| header.to_owned());
    }

    pub(super) fn text(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Who asks a server.
#[derive(Clone)]
pub(super) struct Asker {
    client: Client,
    account: Option<Account>,
    challenge: Challenge,
}

impl Asker {
    pub(super) fn new(client: Client, account: Option<Account>, challenge: Challenge) -> Self {
        Self { client, account, challenge }
    }

    /// Asks with the token of the moment, and with another one where that is no longer taken.
    ///
    /// Whoever was signed in and is so no more asks nothing: the server might take them for nobody.
    async fn ask<T, F: Future<Output = Answer<T>>>(
        &self,
        request: impl Fn(Option<String>) -> F,
    ) -> Answer<T> {
        let answer = match &self.account {
            None => request(None).await,
            Some(account) => match account.token().await? {
                Some(token) => self.ask_as(account, token, request).await,
                None => Err(signed_out()),
            },
        };
        if let Err(StreamableHttpError::AuthRequired(error)) = &answer
            && !error.www_authenticate_header.is_empty()
        {
            self.challenge.keep(&error.www_authenticate_header);
        }
        answer
    }

    async fn ask_as<T, F: Future<Output = Answer<T>>>(
        &self,
        account: &Account,
        token: String,
        request: impl Fn(Option<String>) -> F,
    ) -> Answer<T> {
        let answer = match request(Some(token.clone())).await {
            Err(error) if is_refusal(&error) => match account.token_after(token).await? {
                Some(another) => request(Some(another)).await,
                None => Err(signed_out()),
            },
            answer => answer,
        };
        if let Err(StreamableHttpError::InsufficientScope(error)) = &answer
            && let Some(scopes) = error.get_required_scope()
        {
            account.wants(scopes).await;
        }
        answer
    }
}

/// Whether a server wants to know who asks it, also where it does not say how one tells it.
pub(super) fn is_refusal(error: &StreamableHttpError<reqwest::Error>) -> bool {
    match error {
        StreamableHttpError::AuthRequired(_) => true,
        // The library keeps the status of a refusal without a way to sign in as words alone.
        StreamableHttpError::UnexpectedServerResponse(words) => words.starts_with("HTTP 401"),
        StreamableHttpError::Client(error) => error.status() == Some(StatusCode::UNAUTHORIZED),
        _ => false,
    }
}

fn signed_out() -> StreamableHttpError<reqwest::Error> {
    StreamableHttpError::AuthRequired(AuthRequiredError::new(String::new()))
}

impl StreamableHttpClient for Asker {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Answer<StreamableHttpPostResponse> {
        let limits = StreamableHttpResponseLimits::default();
        self.post_message_with_response_limits(uri, message, session_id, None, headers, limits)
            .await
    }

    async fn post_message_with_response_limits(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
        limits: StreamableHttpResponseLimits,
    ) -> Answer<StreamableHttpPostResponse> {
        self.ask(|token| {
            let (uri, message, session) = (Arc::clone(&uri), message.clone(), session_id.clone());
            let (client, headers) = (&self.client, headers.clone());
            client.post_message_with_response_limits(uri, message, session, token, headers, limits)
        })
        .await
    }

    /// Says goodbye, and has no token renewed for that.
    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Answer<()> {
        let token = match &self.account {
            Some(account) => account.last_token().await,
            None => None,
        };
        self.client.delete_session(uri, session_id, token, headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Answer<BoxStream<'static, Result<Sse, SseError>>> {
        let most = StreamableHttpResponseLimits::default().max_sse_event_size;
        self.get_stream_with_max_sse_event_size(uri, session_id, last_event_id, None, headers, most)
            .await
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
        most: usize,
    ) -> Answer<BoxStream<'static, Result<Sse, SseError>>> {
        self.ask(|token| {
            let (uri, session, last) =
                (Arc::clone(&uri), session_id.clone(), last_event_id.clone());
            let (client, headers) = (&self.client, headers.clone());
            client.get_stream_with_max_sse_event_size(uri, session, last, token, headers, most)
        })
        .await
    }
}
