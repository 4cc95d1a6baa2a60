//! Signing in at a server: a page in the person's browser, on which they say who they are, and which
//! sends the browser back with a code for a token.

use async_trait::async_trait;
use kernel::bounds::{MCP_SIGN_IN_URL_BYTES, MCP_SIGN_IN_WAIT_SECONDS};
use kernel::code::{ErrorCode, Failure};
use kernel::command::SignInPage;
use kernel::mcp::{Server, ServerName};
use kernel::phrase::{Why, servers as said};
use reqwest::Url;
use rmcp::transport::auth::{
    AuthError, AuthorizationCallback, AuthorizationManager, AuthorizationMetadata, CredentialStore,
    StoredCredentials,
};
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::callback::Callback;
use super::failures::own_words;
use super::http::without_addresses;
use super::kept_account::{Registration, StoredAccount};
use super::oauth_http::{OAuthHttp, Unfit};
use crate::store::RuntimeStore;

/// What this program is called where people sign in.
const NAME: &str = "CrewAgent Runtime";

/// What a token that is exchanged for a code is put into: it is kept once all else is known.
#[derive(Clone, Default)]
struct Caught(Arc<Mutex<Option<StoredCredentials>>>);

/// Somebody who is about to sign in at a server.
pub(super) struct SignIn {
    server: Server,
    manager: AuthorizationManager,
    registration: Registration,
    caught: Caught,
    callback: Callback,
    page: Url,
}

/// What is known of a server before somebody signs in there.
pub(super) struct SignInPlace {
    pub(super) server: Server,
    /// What it said last of how one signs in there.
    pub(super) challenge: Option<String>,
    /// What the person may do there already, where they are signed in and it is not enough.
    pub(super) scopes: Vec<String>,
}

impl SignIn {
    /// Asks for the page where the person signs in.
    ///
    /// # Errors
    /// `MCP_SIGN_IN_FAILED`.
    pub(super) async fn begin(place: SignInPlace) -> Result<Self, Failure> {
        let name = place.server.name.clone();
        Self::asked(place).await.map_err(|why| failed(&name, why))
    }

    async fn asked(place: SignInPlace) -> Result<Self, Why> {
        let SignInPlace { server, challenge, scopes } = place;
        let url = server.launch.url().and_then(|url| Url::parse(url).ok());
        let url = url.ok_or_else(|| said::only_at_an_address(&server.name))?;
        let http = || OAuthHttp::of_signing_in(&url).map_err(|_| said::no_http());
        let asks = http()?;
        if !asks.may_be_asked() {
            return Err(said::sign_in_in_the_clear().into());
        }
        let made =
            AuthorizationManager::new_with_oauth_http_client(url.clone(), Arc::new(asks)).await;
        let mut manager = made.map_err(|e| why(&e))?;
        let found = manager.resolve_metadata_from_challenge(challenge.as_deref()).await;
        let found = found.map_err(|e| why(&e))?;
        if !found.source.is_discovered() {
            return Err(said::nobody_signs_in_there().into());
        }
        http()?.may_be_used(&found.metadata).map_err(|unfit| match unfit {
            Unfit::InTheClear => said::sign_in_in_the_clear(),
            Unfit::SomebodyElse => said::sign_in_page_of_another(),
            Unfit::WithoutProof => said::sign_in_without_proof(),
        })?;
        manager.set_metadata(found.metadata.clone());
        let callback = Callback::open().await.map_err(|_| said::no_callback())?;
        let mut wanted = manager.select_initial_scopes(&[]).await;
        wanted.extend(scopes);
        wanted.sort();
        wanted.dedup();
        let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
        let registered = manager.register_client(NAME, callback.address(), &wanted).await;
        let config = registered.map_err(|e| why(&e))?;
        let page = manager.get_authorization_url(&wanted).await.map_err(|e| why(&e))?;
        if page.len() > MCP_SIGN_IN_URL_BYTES {
            return Err(said::sign_in_page_too_long().into());
        }
        let page = Url::parse(&page).map_err(|_| said::sign_in_in_the_clear())?;
        let registration = Registration {
            client_id: config.client_id,
            client_secret: config.client_secret,
            redirect: callback.address().to_owned(),
            metadata: needed(found.metadata),
            resource: parameter(&page, "resource"),
            sign_in: parameter(&page, "state").unwrap_or_default(),
        };
        let caught = Caught::default();
        manager.set_credential_store(caught.clone());
        Ok(Self { server, manager, registration, caught, callback, page })
    }

    /// Where the person signs in.
    pub(super) fn page(&self) -> SignInPage {
        let host = self.page.host_str().unwrap_or_default().to_owned();
        SignInPage { url: self.page.to_string(), host }
    }

    /// Waits until the browser is back, and keeps the token.
    ///
    /// # Errors
    /// `MCP_SIGN_IN_FAILED`, `STORE_WRITE_FAILED`.
    pub(super) async fn finish(self, store: &RuntimeStore) -> Result<(), Failure> {
        let Self { server, manager, registration, caught, callback, .. } = self;
        let name = &server.name;
        let patience = Duration::from_secs(MCP_SIGN_IN_WAIT_SECONDS);
        let back = tokio::select! {
            back = callback.came_back(&registration.sign_in) => back,
            () = tokio::time::sleep(patience) => {
                return Err(failed(name, said::nobody_signed_in(patience.as_secs() / 60)));
            }
        };
        if let Some(error) = parameter(&back, "error") {
            let words = parameter(&back, "error_description").unwrap_or(error);
            return Err(failed(name, said::sign_in_refused(own_words(&words))));
        }
        exchange(&manager, &back).await.map_err(|e| failed(name, why(&e)))?;
        let credentials = caught.take();
        let account = credentials.map(|credentials| StoredAccount { registration, credentials });
        let text = account.and_then(|account| account.text(name));
        let text = text.ok_or_else(|| failed(name, said::sign_in_too_long()))?;
        let url = server.launch.url().unwrap_or_default().to_owned();
        if store.keep_server_account(&server, url, text).await? {
            return Ok(());
        }
        Err(failed(name, said::server_changed_meanwhile()))
    }
}

/// What of it is needed to renew a token.
fn needed(mut metadata: AuthorizationMetadata) -> AuthorizationMetadata {
    (metadata.scopes_supported, metadata.jwks_uri) = (None, None);
    let fields = &mut metadata.additional_fields;
    fields.retain(|name, _| name == "token_endpoint_auth_methods_supported");
    metadata
}

async fn exchange(manager: &AuthorizationManager, back: &Url) -> Result<(), AuthError> {
    let came = AuthorizationCallback::from_redirect_url(back.as_str())?;
    let issuer = came.issuer.as_deref();
    let exchanged =
        manager.exchange_code_for_token_with_issuer(&came.code, &came.csrf_token, issuer);
    exchanged.await.map(drop)
}

impl Caught {
    fn take(&self) -> Option<StoredCredentials> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

#[async_trait]
impl CredentialStore for Caught {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        Ok(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    async fn save(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(credentials);
        Ok(())
    }

    async fn clear(&self) -> Result<(), AuthError> {
        self.take();
        Ok(())
    }
}

fn parameter(url: &Url, wanted: &str) -> Option<String> {
    url.query_pairs().find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
}

pub(super) fn failed(server: &ServerName, why: impl Into<Why>) -> Failure {
    Failure::new(ErrorCode::McpSignInFailed, said::sign_in_failed(server, why))
}

/// An error in words. It may repeat a stranger's, and addresses that hold a key.
fn why(error: &AuthError) -> Why {
    let AuthError::DiscoveryRequestFailed { source, .. } = error else {
        return Why::quoted(own_words(&without_addresses(&error.to_string())));
    };
    let mut cause: &(dyn Error + 'static) = &**source;
    while let Some(below) = cause.source() {
        cause = below;
    }
    Why::quoted(own_words(&without_addresses(&cause.to_string())))
}
