//! A server that is reached over HTTP.

use kernel::bounds::MCP_MESSAGE_BYTES;
use kernel::code::Failure;
use kernel::mcp::{ServerName, ServerValue};
use kernel::phrase::{Why, servers as said};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Url};
use rmcp::service::ClientInitializeError;
use rmcp::transport::DynamicTransportError;
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, StreamableHttpClientTransport, StreamableHttpClientTransportConfig,
    StreamableHttpError,
};
use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use super::bounded::SeenOutput;
use super::event_stream::{EventStream, NotPosted};
use super::failures::{ended, not_started, own_words};
use crate::llm;

/// How long it may take to reach a server.
const CONNECT: Duration = Duration::from_secs(10);

/// A server at an address, and what each request to it carries.
pub(super) struct HttpServer {
    url: Url,
    headers: HeaderMap,
    client: Client,
}

impl HttpServer {
    /// Asks the server nothing yet.
    ///
    /// # Errors
    /// `E_MCP_NOT_STARTED` for headers that cannot be sent, or not to such an address.
    pub(super) fn new(
        name: &ServerName,
        url: &str,
        values: &BTreeMap<String, ServerValue>,
    ) -> Result<Self, Failure> {
        if !values.is_empty() && llm::in_the_clear(url).is_some() {
            return Err(not_started(name, said::headers_in_the_clear()));
        }
        let mut headers = HeaderMap::new();
        for (header, value) in values {
            let parsed = HeaderName::try_from(header.as_str()).ok();
            let value = HeaderValue::from_str(value.reveal()).ok();
            let Some((header, mut value)) = parsed.zip(value) else {
                return Err(not_started(name, said::unfit_header(header)));
            };
            value.set_sensitive(true);
            headers.insert(header, value);
        }
        let no_http = || not_started(name, said::server_unreachable(said::no_http()));
        let client = llm::plain_client(url, CONNECT).map_err(|_| no_http())?;
        let url = Url::parse(url).map_err(|_| no_http())?;
        Ok(Self { url, headers, client })
    }

    /// The way to it that servers have today.
    pub(super) fn streamable(&self) -> StreamableHttpClientTransport<Client> {
        let headers = self.headers.iter().map(|(name, value)| (name.clone(), value.clone()));
        let config = StreamableHttpClientTransportConfig::with_uri(self.url.as_str())
            .custom_headers(headers.collect::<HashMap<_, _>>())
            .max_sse_event_size(MCP_MESSAGE_BYTES)
            .max_json_response_size(MCP_MESSAGE_BYTES)
            // Another session may have other tools: they are looked at first.
            .reinit_on_expired_session(false);
        StreamableHttpClientTransport::with_client(self.client.clone(), config)
    }

    /// The way to it that the first servers had, if it has that one.
    pub(super) async fn event_stream(self, seen: Arc<SeenOutput>) -> Option<EventStream> {
        EventStream::open(self.client, self.url, self.headers, seen).await
    }
}

/// Whether a server was reached and does not speak as servers do today; it may be an older one.
pub(super) fn may_be_older(error: &ClientInitializeError) -> bool {
    let ClientInitializeError::TransportError { error, .. } = error else { return false };
    let error = innermost(&*error.error);
    let asks_who_we_are = error.is::<AuthRequiredError>();
    !asks_who_we_are && client_error(error).is_none_or(|error| !error.is_connect())
}

/// A server that could not be reached.
pub(super) fn failed(name: &ServerName, error: &DynamicTransportError) -> Failure {
    not_started(name, said::server_unreachable(why(innermost(&*error.error))))
}

/// The same of a call: unless nobody was there, it may have run.
pub(super) fn failed_in_call(name: &ServerName, error: &DynamicTransportError) -> Failure {
    match client_error(innermost(&*error.error)) {
        Some(error) if error.is_connect() => {
            not_started(name, said::server_unreachable(why(error)))
        }
        _ => ended(name),
    }
}

/// What lies at the bottom of an error, or the first error of the client for HTTP on the way there.
fn innermost<'e>(error: &'e (dyn Error + 'static)) -> &'e (dyn Error + 'static) {
    let mut error = error;
    while client_error(error).is_none()
        && let Some(source) = error.source()
    {
        error = source;
    }
    error
}

fn client_error<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e reqwest::Error> {
    match error.downcast_ref::<StreamableHttpError<reqwest::Error>>() {
        Some(StreamableHttpError::Client(error)) => Some(error),
        _ => error.downcast_ref::<reqwest::Error>(),
    }
}

/// An error in words. The address is left out: it may hold a key.
fn why(error: &(dyn Error + 'static)) -> Why {
    match client_error(error) {
        Some(error) => match error.status() {
            Some(status) => said::http_status(status.as_u16()).into(),
            None => said::request_not_sent().into(),
        },
        None if let Some(NotPosted::Refused(status)) = error.downcast_ref() => {
            said::http_status(status.as_u16()).into()
        }
        None => Why::quoted(own_words(&without_addresses(&error.to_string()))),
    }
}

/// A text with a sign in place of each address.
fn without_addresses(text: &str) -> String {
    let words = text.split_inclusive(char::is_whitespace).map(|word| match word.find("://") {
        Some(_) => "… ",
        None => word,
    });
    words.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_address_is_told() {
        let told = without_addresses("error for url (http://a.example/?key=1): gone");
        assert_eq!(told, "error for url … gone");
    }
}
