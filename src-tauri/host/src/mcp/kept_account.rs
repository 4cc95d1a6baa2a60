//! What is kept of a person who is signed in at a server: how this program is known there, and its
//! tokens. It lies in the store beside the server, and is used for the server's address alone.

use async_trait::async_trait;
use kernel::bounds::{MCP_ACCOUNT_BYTES, MCP_TOKEN_LOCK_SECONDS};
use kernel::code::Failure;
use kernel::mcp::ServerName;
use oauth2::TokenResponse as _;
use rmcp::transport::auth::{
    AuthError, AuthorizationMetadata, CredentialRefreshGuard, CredentialStore, StoredCredentials,
};
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::keys::is_a_word;
use crate::logs;
use crate::store::RuntimeStore;

/// Tokens of so many bytes are no words.
const NO_WORD: usize = 20;

/// How this program is known where the person signed in at a server.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Registration {
    pub(super) client_id: String,
    pub(super) client_secret: Option<String>,
    pub(super) redirect: String,
    pub(super) metadata: AuthorizationMetadata,
    /// What tokens are asked for.
    pub(super) resource: Option<String>,
    /// Tells this sign-in from every other.
    pub(super) sign_in: String,
}

/// What is kept of a person who is signed in at a server.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct StoredAccount {
    pub(super) registration: Registration,
    pub(super) credentials: StoredCredentials,
}

impl StoredAccount {
    /// What is kept as a text; its tokens are hidden from then on wherever they would be told.
    pub(super) fn read(server: &ServerName, text: &str) -> Option<Self> {
        let account: Self = serde_json::from_str(text).ok()?;
        account.hide(server);
        Some(account)
    }

    /// The text to be kept; `None` where it is longer than is kept.
    pub(super) fn text(&self, server: &ServerName) -> Option<String> {
        let text = serde_json::to_string(self).ok()?;
        if text.len() > MCP_ACCOUNT_BYTES {
            return None;
        }
        self.hide(server);
        Some(text)
    }

    fn hide(&self, server: &ServerName) {
        let tokens = self.credentials.token_response.as_ref();
        let access = tokens.map(|tokens| tokens.access_token().secret());
        let refresh = tokens.and_then(|tokens| Some(tokens.refresh_token()?.secret()));
        let secrets = [access, refresh, self.registration.client_secret.as_ref()];
        // A word would be taken out of what others say.
        let is_secret = |it: &&String| it.len() >= NO_WORD || !is_a_word(it);
        let secrets = secrets.into_iter().flatten().filter(is_secret);
        secrets.for_each(|secret| logs::hide_passing(server.as_str(), secret));
    }
}

/// Where the tokens of one server are kept while they are renewed.
pub(super) struct KeptAccount {
    store: RuntimeStore,
    server: ServerName,
    url: String,
    registration: Registration,
    /// What was read last. Only that is replaced: the person may have signed in anew, or out.
    read: Mutex<Option<String>>,
    /// What could not be kept in its place; the token in that is spent.
    unkept: Mutex<Option<(String, String)>>,
}

impl KeptAccount {
    pub(super) fn new(
        store: RuntimeStore,
        server: ServerName,
        url: String,
        registration: Registration,
    ) -> Self {
        let (read, unkept) = (Mutex::default(), Mutex::default());
        Self { store, server, url, registration, read, unkept }
    }

    fn read_last(&self) -> Option<String> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps what could not be kept before; that, where it still cannot be.
    async fn keep_at_last(&self) -> Option<String> {
        let unkept = || self.unkept.lock().unwrap_or_else(PoisonError::into_inner);
        let (before, text) = unkept().clone()?;
        match self.store.renew_server_account(before, text.clone()).await {
            Ok(_) => {
                *unkept() = None;
                None
            }
            Err(_) => Some(text),
        }
    }
}

#[async_trait]
impl CredentialStore for KeptAccount {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        let mut text = self.keep_at_last().await;
        if text.is_none() {
            let kept = self.store.server_account(&self.server, &self.url).await;
            text = kept.map_err(|e| unkept(&e))?;
        }
        let account = text.as_deref().and_then(|text| StoredAccount::read(&self.server, text));
        // The person may have signed in anew, as somebody else.
        let account = account.filter(|it| it.registration.sign_in == self.registration.sign_in);
        *self.read.lock().unwrap_or_else(PoisonError::into_inner) = text;
        Ok(account.map(|account| account.credentials))
    }

    async fn save(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        let registration = self.registration.clone();
        let text = StoredAccount { registration, credentials }.text(&self.server);
        let text = text.ok_or_else(|| AuthError::CredentialStoreError("too long".to_owned()))?;
        let before = self.read_last().ok_or(AuthError::AuthorizationRequired)?;
        match self.store.renew_server_account(before.clone(), text.clone()).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(AuthError::AuthorizationRequired),
            Err(failure) => {
                let mut kept = self.unkept.lock().unwrap_or_else(PoisonError::into_inner);
                // The store still holds what the first of them was to replace.
                let before = kept.take().map_or(before, |(first, _)| first);
                *kept = Some((before, text));
                Err(unkept(&failure))
            }
        }
    }

    async fn clear(&self) -> Result<(), AuthError> {
        let Some(before) = self.read_last() else { return Ok(()) };
        self.store.forget_account(before).await.map_err(|e| unkept(&e))
    }

    async fn on_refresh_token_rejected(&self, _: &StoredCredentials) -> Result<(), AuthError> {
        self.clear().await
    }

    /// Two programs must not spend the same token: the second would be taken for a thief.
    async fn acquire_refresh_guard(&self) -> Result<Option<CredentialRefreshGuard>, AuthError> {
        let patience = Duration::from_secs(MCP_TOKEN_LOCK_SECONDS);
        let lock = self.store.lock_server_tokens(&self.url, patience).await;
        match lock.map_err(|e| unkept(&e))? {
            Some(lock) => Ok(Some(CredentialRefreshGuard::new(lock))),
            None => Err(AuthError::CredentialStoreError("another program is at it".to_owned())),
        }
    }
}

fn unkept(failure: &Failure) -> AuthError {
    AuthError::CredentialStoreError(failure.message.clone())
}
