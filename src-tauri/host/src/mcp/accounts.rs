//! Where the person is signed in at servers, and asking servers in their name.

use kernel::bounds::MCP_CHALLENGE_BYTES;
use kernel::code::Failure;
use kernel::mcp::ServerName;
use kernel::text::prefix;
use oauth2::TokenResponse as _;
use reqwest::Url;
use rmcp::transport::auth::{AuthError, AuthorizationManager, OAuthClientConfig};
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::{Mutex, oneshot};

use super::failures::no_way;
use super::kept_account::{KeptAccount, Registration, StoredAccount};
use super::oauth_http::OAuthHttp;
use crate::store::RuntimeStore;

/// Somebody who is signed in at a server. Copies are the same one, and renew one token at a time.
#[derive(Clone)]
pub(super) struct Account(Arc<SignedIn>);

struct SignedIn {
    manager: Mutex<AuthorizationManager>,
    store: RuntimeStore,
    server: ServerName,
}

impl Account {
    /// Whether both are one sign-in, or nobody.
    pub(super) fn are_same(one: Option<&Self>, other: Option<&Self>) -> bool {
        match (one, other) {
            (Some(one), Some(other)) => Arc::ptr_eq(&one.0, &other.0),
            (None, None) => true,
            _ => false,
        }
    }

    /// The token of the moment, renewed where it is about to end; `None` where the person has to sign in
    /// again.
    pub(super) async fn token(&self) -> Result<Option<String>, AuthError> {
        self.token_other_than(None).await
    }

    /// Another token than one that the server has refused; `None` as for [`token`](Self::token).
    pub(super) async fn token_after(&self, refused: String) -> Result<Option<String>, AuthError> {
        self.token_other_than(Some(refused)).await
    }

    /// The token of the moment, whether or not it still opens anything.
    pub(super) async fn last_token(&self) -> Option<String> {
        kept(&*self.0.manager.lock().await).await.ok().flatten()
    }

    /// Waits until no token is being renewed.
    async fn rests(&self) {
        drop(self.0.manager.lock().await);
    }

    /// What the person was not allowed to do: they are asked for it when they sign in again.
    pub(super) async fn wants(&self, scopes: &str) {
        let scopes = prefix(scopes, MCP_CHALLENGE_BYTES).to_owned();
        // What cannot be kept is told again by the next call.
        _ = self.0.store.server_account_wants(&self.0.server, scopes).await;
    }

    /// A token is renewed and kept also when nobody waits for it any more: the one before it is spent.
    async fn token_other_than(&self, refused: Option<String>) -> Result<Option<String>, AuthError> {
        let signed_in = Arc::clone(&self.0);
        let (sender, token) = oneshot::channel();
        tokio::spawn(async move {
            let manager = signed_in.manager.lock().await;
            // But none is begun to be renewed for nobody.
            if !sender.is_closed() {
                _ = sender.send(token_of(&manager, refused).await);
            }
        });
        match token.await {
            Ok(Ok(token)) => Ok(Some(token)),
            Ok(Err(AuthError::AuthorizationRequired | AuthError::TokenRefreshRejected(_))) => {
                Ok(None)
            }
            Ok(Err(error)) => Err(error),
            Err(error) => Err(AuthError::InternalError(error.to_string())),
        }
    }
}

async fn token_of(
    manager: &AuthorizationManager,
    refused: Option<String>,
) -> Result<String, AuthError> {
    let Some(refused) = refused else { return manager.get_access_token().await };
    match kept(manager).await? {
        // Another program has renewed it meanwhile.
        Some(token) if token != refused => Ok(token),
        _ => Ok(manager.refresh_token().await?.access_token().secret().clone()),
    }
}

async fn kept(manager: &AuthorizationManager) -> Result<Option<String>, AuthError> {
    let (_, tokens) = manager.get_credentials().await?;
    Ok(tokens.map(|tokens| tokens.access_token().secret().clone()))
}

/// The servers at which the person is signed in, as this program asks them.
pub(super) struct Accounts {
    store: RuntimeStore,
    /// Those that were asked, each with its address and its sign-in.
    known: Mutex<BTreeMap<ServerName, (String, String, Account)>>,
}

impl Accounts {
    pub(super) fn new(store: RuntimeStore) -> Self {
        Self { store, known: Mutex::default() }
    }

    /// Who asks a server in the person's name; `None` where they are not signed in.
    ///
    /// # Errors
    /// `STORE_READ_FAILED`, `E_MCP_NOT_STARTED`.
    pub(super) async fn at(
        &self,
        server: &ServerName,
        url: &str,
    ) -> Result<Option<Account>, Failure> {
        let kept = self.store.server_account(server, url).await?;
        let kept = kept.and_then(|text| StoredAccount::read(server, &text));
        let Some(StoredAccount { registration, .. }) = kept else { return Ok(None) };
        // All that ask one server wait for each other while a token is renewed.
        let mut known = self.known.lock().await;
        if let Some((of, sign_in, account)) = known.get(server)
            && of == url
            && *sign_in == registration.sign_in
        {
            return Ok(Some(account.clone()));
        }
        let sign_in = registration.sign_in.clone();
        let made = account(&self.store, server, url, registration).await;
        let made = made.map_err(|_| no_way(server))?;
        known.insert(server.clone(), (url.to_owned(), sign_in, made.clone()));
        Ok(Some(made))
    }

    /// Forgets that the person is signed in.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED`.
    pub(super) async fn sign_out(&self, server: &ServerName) -> Result<(), Failure> {
        self.store.forget_server_account(server).await?;
        self.known.lock().await.remove(server);
        Ok(())
    }

    /// Waits until no token is being renewed.
    pub(super) async fn rest(&self) {
        let known: Vec<_> =
            self.known.lock().await.values().map(|(_, _, account)| account.clone()).collect();
        for account in known {
            account.rests().await;
        }
    }
}

async fn account(
    store: &RuntimeStore,
    server: &ServerName,
    url: &str,
    registration: Registration,
) -> Result<Account, AuthError> {
    let address = Url::parse(url).map_err(|e| AuthError::InternalError(e.to_string()))?;
    let http = Arc::new(OAuthHttp::of_renewing(&address, registration.resource.clone())?);
    let mut manager = AuthorizationManager::new_with_oauth_http_client(address, http).await?;
    manager.set_metadata(registration.metadata.clone());
    let mut config = OAuthClientConfig::new(&registration.client_id, &registration.redirect);
    config.client_secret.clone_from(&registration.client_secret);
    manager.configure_client(config)?;
    let kept = KeptAccount::new(store.clone(), server.clone(), url.to_owned(), registration);
    manager.set_credential_store(kept);
    let (manager, store, server) = (Mutex::new(manager), store.clone(), server.clone());
    Ok(Account(Arc::new(SignedIn { manager, store, server })))
}
