//! The way to servers of the protocol's first version over HTTP (2024-11-05, "HTTP with SSE"): they
//! say everything in one stream of events, the first of which names the address that messages go to.

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{Stream, StreamExt as _};
use kernel::bounds::MCP_MESSAGE_BYTES;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap};
use reqwest::{Client, Url};
use rmcp::RoleClient;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use sse_stream::{Sse, SseStream};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::bounded::SeenOutput;

/// What such a stream is called.
const EVENTS: &str = "text/event-stream";
/// How long a server may take to name the address that messages go to.
const FIRST_EVENT: Duration = Duration::from_secs(10);

/// Such a server, which has named the address that messages go to.
pub(super) struct EventStream {
    client: Client,
    headers: HeaderMap,
    messages_go_to: Url,
    events: BoxStream<'static, Result<Sse, sse_stream::Error>>,
    /// Bytes since the last event.
    since: Arc<AtomicUsize>,
    seen: Arc<SeenOutput>,
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
        let body = bounded(answer.bytes_stream(), Arc::clone(&since));
        let mut events = SseStream::from_bytes_stream(body).boxed();
        let first = tokio::time::timeout(FIRST_EVENT, events.next()).await.ok()??.ok()?;
        let named = first.data.filter(|_| first.event.as_deref() == Some("endpoint"))?;
        let messages_go_to = url.join(named.trim()).ok()?;
        // What each request carries is for this server and for no other.
        let is_there = messages_go_to.origin() == url.origin();
        is_there.then_some(Self { client, headers, messages_go_to, events, since, seen })
    }
}

/// The same body up to where an event is too long.
fn bounded(
    body: impl Stream<Item = Result<Bytes, reqwest::Error>> + Send + 'static,
    since: Arc<AtomicUsize>,
) -> impl Stream<Item = Result<Bytes, io::Error>> + Send + Unpin + 'static {
    body.boxed().map(move |piece| {
        let piece = piece.map_err(io::Error::other)?;
        let all = since.fetch_add(piece.len(), Ordering::Relaxed) + piece.len();
        if all > MCP_MESSAGE_BYTES {
            return Err(io::Error::other("an event is longer than is read"));
        }
        Ok(piece)
    })
}

impl Transport<RoleClient> for EventStream {
    type Error = reqwest::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let request = self.client.post(self.messages_go_to.clone()).headers(self.headers.clone());
        let request = request.json(&message);
        // The answer comes in the stream.
        async move { request.send().await?.error_for_status().map(drop) }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            let event = match self.events.next().await? {
                Ok(event) => event,
                Err(sse_stream::Error::Body(_)) => return None,
                // A line without a meaning is passed over.
                Err(_) => continue,
            };
            let bytes = self.since.swap(0, Ordering::Relaxed);
            let Some(data) = event
                .data
                .filter(|_| !matches!(event.event.as_deref(), Some(other) if other != "message"))
            else {
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
