//! The way to servers of the protocol's first version over HTTP (2024-11-05, "HTTP with SSE"): they
//! say everything in one stream of events, the first of which names the address that messages go to.

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{Stream, StreamExt as _};
use kernel::bounds::{MCP_MESSAGE_BYTES, MCP_POST_SECONDS, MCP_POSTS};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap};
use reqwest::{Client, StatusCode, Url};
use rmcp::RoleClient;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use sse_stream::{Sse, SseStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use std::{fmt, io};
use tokio::sync::Semaphore;

use super::bounded::SeenOutput;
use crate::event_lines::{is_skipped, lines};

/// What such a stream is called.
const EVENTS: &str = "text/event-stream";
/// How long a server may take to name the address that messages go to.
const FIRST_EVENT: Duration = Duration::from_secs(10);

/// Such a server, which has named the address that messages go to.
pub(super) struct EventStream {
    client: Client,
    headers: HeaderMap,
    messages_go_to: Url,
    /// How many messages may be on their way at a time.
    posts: Arc<Semaphore>,
    events: BoxStream<'static, Result<Sse, sse_stream::Error>>,
    /// Bytes since the last event.
    since: Arc<AtomicUsize>,
    seen: Arc<SeenOutput>,
}

/// A message that did not arrive.
#[derive(Debug)]
pub(super) enum NotPosted {
    /// It could not be sent, or was not answered.
    Http(reqwest::Error),
    /// The server does not take it.
    Refused(StatusCode),
}

impl fmt::Display for NotPosted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Http(_) => f.write_str("the message could not be sent"),
            Self::Refused(status) => write!(f, "the message is answered with the status {status}"),
        }
    }
}

impl std::error::Error for NotPosted {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Http(error) => Some(error),
            Self::Refused(_) => None,
        }
    }
}

impl EventStream {
    /// Reads the first event; `None` when the server does not speak so.
    pub(super) async fn open(
        client: Client,
        url: Url,
        headers: HeaderMap,
        seen: Arc<SeenOutput>,
    ) -> Option<Self> {
        let asked = client.get(url.clone()).headers(headers.clone()).header(ACCEPT, EVENTS).send();
        let answer = tokio::time::timeout(FIRST_EVENT, asked).await.ok()?.ok()?;
        let kind = answer.headers().get(CONTENT_TYPE)?.to_str().ok()?;
        if !answer.status().is_success() || !kind.trim_start().starts_with(EVENTS) {
            return None;
        }
        let since = Arc::<AtomicUsize>::default();
        let body = bounded(answer.bytes_stream(), Arc::clone(&since), Arc::clone(&seen));
        let mut events = SseStream::from_bytes_stream(Box::pin(lines(body))).boxed();
        let named = tokio::time::timeout(FIRST_EVENT, endpoint(&mut events)).await.ok()??;
        let messages_go_to = url.join(named.trim()).ok()?;
        // What each request carries is for this server and for no other.
        if messages_go_to.origin() != url.origin() {
            return None;
        }
        let posts = Arc::new(Semaphore::new(MCP_POSTS));
        Some(Self { client, headers, messages_go_to, posts, events, since, seen })
    }
}

/// The address in the first event, before which others may say nothing.
async fn endpoint(
    events: &mut BoxStream<'static, Result<Sse, sse_stream::Error>>,
) -> Option<String> {
    loop {
        match events.next().await? {
            Ok(Sse { event: Some(name), data, .. }) if name == "endpoint" => return data,
            Ok(Sse { data: None, .. }) => {}
            Err(line) if is_skipped(&line) => {}
            Ok(_) | Err(_) => return None,
        }
    }
}

/// The same body up to where an event is too long.
fn bounded(
    body: impl Stream<Item = Result<Bytes, reqwest::Error>> + Send + 'static,
    since: Arc<AtomicUsize>,
    seen: Arc<SeenOutput>,
) -> impl Stream<Item = Result<Bytes, io::Error>> + Send + 'static {
    body.map(move |piece| {
        let piece = piece.map_err(io::Error::other)?;
        let all = since.fetch_add(piece.len(), Ordering::Relaxed) + piece.len();
        if all > MCP_MESSAGE_BYTES { Err(seen.flood()) } else { Ok(piece) }
    })
}

impl Transport<RoleClient> for EventStream {
    type Error = NotPosted;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let request = self.client.post(self.messages_go_to.clone()).headers(self.headers.clone());
        let request = request.timeout(Duration::from_secs(MCP_POST_SECONDS)).json(&message);
        let posts = Arc::clone(&self.posts);
        async move {
            // It is never closed; without a place, it is sent all the same.
            let _place = posts.acquire().await;
            // The answer comes in the stream.
            let status = request.send().await.map_err(NotPosted::Http)?.status();
            if status.is_success() { Ok(()) } else { Err(NotPosted::Refused(status)) }
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            let event = match self.events.next().await? {
                Ok(event) => event,
                Err(line) if is_skipped(&line) => continue,
                Err(_) => return None,
            };
            let bytes = self.since.swap(0, Ordering::Relaxed);
            let is_message = matches!(event.event.as_deref(), None | Some("" | "message"));
            let Some(data) = event.data.filter(|_| is_message) else {
                self.seen.heard(bytes, false).ok()?;
                continue;
            };
            let message = serde_json::from_str(&data).ok();
            self.seen.heard(bytes, message.is_some()).ok()?;
            if message.is_some() {
                return message;
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.events = futures_util::stream::empty().boxed();
        Ok(())
    }
}
