//! A server that is reached over HTTP.

use kernel::bounds::MCP_MESSAGE_BYTES;
use kernel::code::Failure;
use kernel::mcp::{Launch, ServerName, ServerValue};
use kernel::phrase::{Why, servers as said};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, StatusCode, Url};
use rmcp::service::ClientInitializeError;
use rmcp::transport::DynamicTransportError;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransport, StreamableHttpClientTransportConfig, StreamableHttpError,
};
use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::sync::Arc;

use super::accounts::Account;
use super::asker::{Asker, Challenge, is_refusal};
use super::bounded::SeenOutput;
use super::event_stream::{EventStream, NotPosted};
use super::failures::{ended, more_sign_in_needed, no_way, not_started, own_words, sign_in_needed};
use super::place::CONNECT;
use crate::llm;

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
        let client = llm::plain_client(url, CONNECT).map_err(|_| no_way(name))?;
        let url = Url::parse(url).map_err(|_| no_way(name))?;
        Ok(Self { url, headers, client })
    }

    /// The way to it that servers have today, in the name of whoever is signed in.
    pub(super) fn streamable(
        &self,
        account: Option<Account>,
        challenge: Challenge,
    ) -> StreamableHttpClientTransport<Asker> {
        let headers = self.headers.iter().map(|(name, value)| (name.clone(), value.clone()));
        let config = StreamableHttpClientTransportConfig::with_uri(self.url.as_str())
            .custom_headers(headers.collect::<HashMap<_, _>>())
            .max_sse_event_size(MCP_MESSAGE_BYTES)
            .max_json_response_size(MCP_MESSAGE_BYTES)
            // Another session may have other tools: they are looked at first.
            .reinit_on_expired_session(false);
        let asker = Asker::new(self.client.clone(), account, challenge);
        StreamableHttpClientTransport::with_client(asker, config)
    }

    /// The way to it that the first servers had, if it has that one and this may be why it does not
    /// speak as servers do today.
    pub(super) async fn event_stream(
        self,
        error: &ClientInitializeError,
        seen: Arc<SeenOutput>,
    ) -> Option<EventStream> {
        if !may_be_older(error) {
            return None;
        }
        EventStream::open(self.client, self.url, self.headers, seen).await
    }
}

/// Whether a server was reached and does not speak as servers do today; it may be an older one.
fn may_be_older(error: &ClientInitializeError) -> bool {
    let ClientInitializeError::TransportError { error, .. } = error else { return false };
    let is_signing_in =
        asks_who_we_are(error) || allows_too_little(error) || of_signing_in(error).is_some();
    let error = innermost(&*error.error);
    !is_signing_in && client_error(error).is_none_or(|error| !error.is_connect())
}

/// Whether a server wants to know who asks it.
fn asks_who_we_are(error: &DynamicTransportError) -> bool {
    error.error.downcast_ref().is_some_and(is_refusal)
}

/// Whether a server allows more to whoever signs in for it.
fn allows_too_little(error: &DynamicTransportError) -> bool {
    match error.error.downcast_ref::<StreamableHttpError<reqwest::Error>>() {
        Some(StreamableHttpError::InsufficientScope(error)) => error.can_upgrade(),
        _ => false,
    }
}

/// That a server wants to know who asks it, or wants whoever asks to be allowed more.
pub(super) fn sign_in_first(name: &ServerName, error: &DynamicTransportError) -> Option<Failure> {
    match error {
        _ if asks_who_we_are(error) => Some(sign_in_needed(name)),
        _ if allows_too_little(error) => Some(more_sign_in_needed(name)),
        _ => None,
    }
}

/// What went wrong with a token, before anything was asked of a server.
fn of_signing_in(error: &DynamicTransportError) -> Option<Why> {
    match error.error.downcast_ref::<StreamableHttpError<reqwest::Error>>() {
        Some(StreamableHttpError::Auth(error)) => {
            Some(Why::quoted(own_words(&without_addresses(&error.to_string()))))
        }
        _ => None,
    }
}

/// Whether one can be signed in at a server: at an address, where no header says who asks already.
pub(super) fn may_sign_in(launch: &Launch) -> bool {
    let says_who = |name: &String| name.eq_ignore_ascii_case(AUTHORIZATION.as_str());
    launch.url().is_some() && !launch.values().keys().any(says_who)
}

/// A server that could not be reached.
pub(super) fn failed(name: &ServerName, error: &DynamicTransportError) -> Failure {
    let why = of_signing_in(error).unwrap_or_else(|| why(innermost(&*error.error)));
    not_started(name, said::server_unreachable(why))
}

/// The same of a call: unless nobody was there, it may have run.
pub(super) fn failed_in_call(name: &ServerName, error: &DynamicTransportError) -> Failure {
    if let Some(why) = of_signing_in(error) {
        return not_started(name, said::server_unreachable(why));
    }
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
        None if is_forbidden(error) => said::http_status(StatusCode::FORBIDDEN.as_u16()).into(),
        None if let Some(NotPosted::Refused(status)) = error.downcast_ref() => {
            said::http_status(status.as_u16()).into()
        }
        None => Why::quoted(own_words(&without_addresses(&error.to_string()))),
    }
}

fn is_forbidden(error: &(dyn Error + 'static)) -> bool {
    let error = error.downcast_ref::<StreamableHttpError<reqwest::Error>>();
    matches!(error, Some(StreamableHttpError::InsufficientScope(_)))
}

/// A text with a sign in place of each address.
pub(super) fn without_addresses(text: &str) -> String {
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
