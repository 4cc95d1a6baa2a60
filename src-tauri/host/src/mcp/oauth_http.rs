//! What is asked of others over HTTP when a person signs in at a server: in secret, without following
//! anybody elsewhere or into a private network, and no more than is needed of each answer.

use kernel::bounds::{MCP_SIGN_IN_BYTES, MCP_SIGN_IN_REQUEST_SECONDS, MCP_SIGN_IN_REQUESTS};
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use reqwest::{Client, Method, Request, Response, StatusCode, Url};
use rmcp::transport::auth::{
    AuthorizationMetadata, OAuthHttpClient, OAuthHttpClientError, OAuthHttpClientFuture,
    OAuthHttpRequest,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::place::CONNECT;
use super::private_network::is_private;
use crate::llm;

/// What a page where a person signs in must not say itself: the program says it.
const OURS: [&str; 11] = [
    "client_id",
    "redirect_uri",
    "response_type",
    "response_mode",
    "state",
    "code_challenge",
    "code_challenge_method",
    "scope",
    "resource",
    "request",
    "request_uri",
];

/// Why nobody can sign in with what a server's metadata names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unfit {
    /// An address is not safe.
    InTheClear,
    /// The page belongs to somebody else than whoever names it.
    SomebodyElse,
    /// A code that is stolen on its way could be used.
    WithoutProof,
}

/// The way to whoever lets the person sign in at a server.
pub(super) struct OAuthHttp {
    client: Client,
    server: Url,
    /// How many questions may still be asked.
    left: Option<AtomicUsize>,
    /// What a token is asked for, where that is known from signing in.
    resource: Option<String>,
    /// Hosts that are known to be in a private network, or not.
    private: Mutex<BTreeMap<String, bool>>,
}

impl OAuthHttp {
    /// For signing in at the server at this address.
    ///
    /// # Errors
    /// When there is no HTTP here.
    pub(super) fn of_signing_in(url: &Url) -> Result<Self, reqwest::Error> {
        let left = Some(AtomicUsize::new(MCP_SIGN_IN_REQUESTS));
        Ok(Self { left, ..Self::of_renewing(url, None)? })
    }

    /// For renewing tokens of that server, which are asked for `resource`.
    ///
    /// # Errors
    /// When there is no HTTP here.
    pub(super) fn of_renewing(url: &Url, resource: Option<String>) -> Result<Self, reqwest::Error> {
        let client = llm::plain_client(url.as_str(), CONNECT)?;
        let (server, private) = (url.clone(), Mutex::default());
        Ok(Self { client, server, left: None, resource, private })
    }

    /// Whether a token or a code may travel to an address: in secret, or within this machine.
    fn is_safe(&self, url: &Url) -> bool {
        let local = llm::is_local(self.server.as_str()) && llm::is_local(url.as_str());
        let plain = url.username().is_empty() && url.password().is_none();
        plain && (url.scheme() == "https" || (url.scheme() == "http" && local))
    }

    /// Whether the server itself may be asked how one signs in.
    pub(super) fn may_be_asked(&self) -> bool {
        self.is_safe(&self.server)
    }

    /// Whether a person can sign in with what a server's metadata names.
    ///
    /// # Errors
    /// Why not.
    pub(super) fn may_be_used(&self, metadata: &AuthorizationMetadata) -> Result<(), Unfit> {
        let safe = |address: &str| Url::parse(address).ok().filter(|url| self.is_safe(url));
        let page = safe(&metadata.authorization_endpoint).filter(|page| {
            page.fragment().is_none()
                && page.query_pairs().all(|(name, _)| !OURS.contains(&name.as_ref()))
        });
        let token = safe(&metadata.token_endpoint);
        let registration = metadata.registration_endpoint.as_deref();
        let Some(page) =
            page.filter(|_| token.is_some() && registration.is_none_or(|it| safe(it).is_some()))
        else {
            return Err(Unfit::InTheClear);
        };
        // What comes back from the page goes to an address that the issuer names: a page of somebody
        // else would tell the issuer who the person is there.
        let issuer = metadata.issuer.as_deref().and_then(|issuer| Url::parse(issuer).ok());
        if !issuer.is_some_and(|issuer| is_one_site(&issuer, &page)) {
            return Err(Unfit::SomebodyElse);
        }
        let methods = metadata.code_challenge_methods_supported.as_deref().unwrap_or_default();
        if methods.iter().any(|method| method == "S256") {
            Ok(())
        } else {
            Err(Unfit::WithoutProof)
        }
    }

    /// The same request, for the resource that the person signed in at.
    fn for_resource(&self, request: &mut Request) {
        let Some((resource, form)) = self.resource.as_ref().zip(form(request)) else { return };
        let mut changed = url::form_urlencoded::Serializer::new(String::new());
        for (name, value) in &form {
            changed.append_pair(name, if name == "resource" { resource } else { value });
        }
        *request.body_mut() = Some(changed.finish().into());
    }

    async fn ask(
        &self,
        asked: OAuthHttpRequest,
    ) -> Result<http::Response<Vec<u8>>, OAuthHttpClientError> {
        let mut request = Request::try_from(asked.request)?;
        self.check(request.url()).await?;
        self.for_resource(&mut request);
        let is_renewing = form(&request).is_some_and(|form| {
            form.iter().any(|(name, value)| name == "grant_type" && value == "refresh_token")
        });
        let is_question = request.method() == Method::GET;
        *request.timeout_mut() = Some(Duration::from_secs(MCP_SIGN_IN_REQUEST_SECONDS));
        let answer = self.client.execute(request).await?;
        let (status, headers) = (answer.status(), answer.headers().clone());
        let body = body(answer, is_question).await?;
        if is_renewing && let Some(refused) = refused_for_good(&body) {
            return Ok(http::Response::builder().status(StatusCode::BAD_REQUEST).body(refused)?);
        }
        let mut head = http::Response::builder().status(status);
        for (name, value) in &headers {
            head = head.header(name, value);
        }
        Ok(head.body(body)?)
    }

    async fn check(&self, url: &Url) -> Result<(), OAuthHttpClientError> {
        if !self.is_safe(url) {
            return Err(refused("an address that nothing secret may travel to"));
        }
        let counted = |left: usize| left.checked_sub(1);
        if let Some(left) = &self.left
            && left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, counted).is_err()
        {
            return Err(refused("more addresses than are asked"));
        }
        let is_own = url.host() == self.server.host();
        if !is_own && self.is_private(url).await && !self.is_private(&self.server).await {
            return Err(refused("an address in a private network"));
        }
        Ok(())
    }

    async fn is_private(&self, url: &Url) -> bool {
        let known = || self.private.lock().unwrap_or_else(PoisonError::into_inner);
        let host = url.host_str().unwrap_or_default().to_owned();
        if let Some(is_private) = known().get(&host) {
            return *is_private;
        }
        let found = is_private(url).await;
        if let Some(is_private) = found {
            known().insert(host, is_private);
        }
        found.unwrap_or_default()
    }
}

impl OAuthHttpClient for OAuthHttp {
    fn execute(&self, request: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        Box::pin(self.ask(request))
    }
}

/// Whether two addresses are of one host, or one host is in the domain of the other.
fn is_one_site(a: &Url, b: &Url) -> bool {
    let (Some(a), Some(b)) = (a.host(), b.host()) else { return false };
    let below = |low: &str, high: &str| {
        high.contains('.') && low.strip_suffix(high).is_some_and(|rest| rest.ends_with('.'))
    };
    match (&a, &b) {
        (url::Host::Domain(a), url::Host::Domain(b)) => a == b || below(a, b) || below(b, a),
        _ => a == b,
    }
}

fn form(request: &Request) -> Option<Vec<(String, String)>> {
    let form = HeaderValue::from_static("application/x-www-form-urlencoded");
    let body = request.body().and_then(reqwest::Body::as_bytes)?;
    let is_form = request.headers().get(CONTENT_TYPE) == Some(&form);
    is_form.then(|| url::form_urlencoded::parse(body).into_owned().collect())
}

/// Why a token is not renewed (RFC 6749, 5.2).
#[derive(Serialize, Deserialize)]
struct NotRenewed {
    error: String,
}

/// Whoever no longer knows this program refuses its token as much as whoever refuses the token; the
/// library knows that in one form alone.
fn refused_for_good(body: &[u8]) -> Option<Vec<u8>> {
    let NotRenewed { error } = serde_json::from_slice(body).ok()?;
    let for_good = ["invalid_grant", "invalid_client", "unauthorized_client"];
    let refused = NotRenewed { error: "invalid_grant".to_owned() };
    for_good.contains(&error.as_str()).then(|| serde_json::to_vec(&refused).ok())?
}

/// The body of an answer. To a mere question, that of a server which asks who we are, or tells of events,
/// says nothing here and may have no end.
async fn body(mut answer: Response, is_question: bool) -> Result<Vec<u8>, OAuthHttpClientError> {
    let kind = answer.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_stream = kind.is_some_and(|kind| kind.starts_with("text/event-stream"));
    if is_stream || (is_question && answer.status() == StatusCode::UNAUTHORIZED) {
        return Ok(Vec::new());
    }
    let mut body = Vec::new();
    while let Some(piece) = answer.chunk().await? {
        body.extend_from_slice(&piece);
        if body.len() > MCP_SIGN_IN_BYTES {
            // What answers a mere question so is no answer to it: somebody else is asked.
            let answers_nothing = is_question.then(Vec::new);
            return answers_nothing.ok_or_else(|| refused("an answer that is longer than is read"));
        }
    }
    Ok(body)
}

fn refused(why: &'static str) -> OAuthHttpClientError {
    io::Error::other(why).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("https://id.example.org", "https://id.example.org/authorize", true)]
    #[case("https://cf.id.example.org", "https://id.example.org/authorize", true)]
    #[case("https://example.org", "https://id.example.org/authorize", true)]
    #[case("https://127.0.0.1:1/x", "https://127.0.0.1:2/", true)]
    #[case("https://evil.example", "https://id.example.org/authorize", false)]
    #[case("https://evilexample.org", "https://example.org/authorize", false)]
    #[case("https://org", "https://example.org/authorize", false)]
    #[case("https://27.0.0.1", "https://127.0.0.1/authorize", false)]
    fn a_page_belongs_to_whoever_names_it(
        #[case] issuer: &str,
        #[case] page: &str,
        #[case] is_one: bool,
    ) {
        let url = |text| Url::parse(text).unwrap();
        assert_eq!(is_one_site(&url(issuer), &url(page)), is_one);
    }

    #[test]
    fn a_program_that_is_forgotten_has_its_token_refused() {
        let refused = |body: &str| refused_for_good(body.as_bytes()).is_some();
        assert!(refused(r#"{"error":"invalid_client"}"#));
        assert!(!refused(r#"{"error":"temporarily_unavailable"}"#) && !refused("gone"));
    }

    #[tokio::test]
    async fn a_server_of_the_world_leads_nobody_into_a_private_network() {
        let url = |text| Url::parse(text).unwrap();
        let http = |server| OAuthHttp::of_signing_in(&url(server)).unwrap();
        let world = http("https://93.184.216.34/mcp");
        for (asked, may) in [
            ("https://93.184.216.35/x", true),
            ("https://10.0.0.1/x", false),
            ("https://127.0.0.1/x", false),
            ("http://127.0.0.1/x", false),
        ] {
            assert_eq!(world.check(&url(asked)).await.is_ok(), may, "{asked}");
        }
        let inside = http("https://10.0.0.1/mcp");
        assert!(inside.check(&url("https://10.0.0.2/x")).await.is_ok());
    }

    #[tokio::test]
    async fn a_list_without_end_is_not_asked_to_its_end() {
        let url = Url::parse("https://93.184.216.34/mcp").unwrap();
        let http = OAuthHttp::of_signing_in(&url).unwrap();
        let mut asked = 0;
        while http.check(&url).await.is_ok() {
            asked += 1;
        }
        assert_eq!(asked, MCP_SIGN_IN_REQUESTS);
    }
}
