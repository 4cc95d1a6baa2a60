//! People who are about to sign in at servers, and who waits for them.

use kernel::bounds::MCP_SIGN_IN_PAGE_SECONDS;
use kernel::code::Failure;
use kernel::command::SignInPage;
use kernel::mcp::ServerName;
use kernel::phrase::servers as said;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::failures::stopped;
use super::sign_in::{SignIn, SignInPlace, failed};
use crate::store::RuntimeStore;

/// How a sign-in ended, once it did.
type End = Option<Result<(), Failure>>;

/// The sign-ins that somebody began last, by server.
#[derive(Default)]
pub(super) struct SigningIn(Mutex<BTreeMap<ServerName, Begun>>);

struct Begun {
    end: watch::Receiver<End>,
    cancel: CancellationToken,
}

impl SigningIn {
    /// Asks for the page where the person signs in, and waits for them from then on. Whoever was waited
    /// for before is so no more.
    ///
    /// # Errors
    /// `MCP_SIGN_IN_FAILED`; `ENGINE_ABORTED` when it was stopped.
    pub(super) async fn begin(
        &self,
        store: RuntimeStore,
        place: SignInPlace,
    ) -> Result<SignInPage, Failure> {
        let name = place.server.name.clone();
        let (sender, end) = watch::channel(None);
        let cancel = CancellationToken::new();
        let begun = Begun { end, cancel: cancel.clone() };
        if let Some(before) = self.all().insert(name.clone(), begun) {
            before.cancel.cancel();
        }
        let patience = Duration::from_secs(MCP_SIGN_IN_PAGE_SECONDS);
        let sign_in = tokio::select! {
            asked = tokio::time::timeout(patience, SignIn::begin(place)) => match asked {
                Ok(asked) => asked?,
                Err(_) => return Err(failed(&name, said::no_sign_in_page(patience.as_secs()))),
            },
            () = cancel.cancelled() => return Err(stopped()),
        };
        let page = sign_in.page();
        tokio::spawn(async move {
            let end = tokio::select! {
                end = sign_in.finish(&store) => end,
                () = cancel.cancelled() => Err(stopped()),
            };
            sender.send_replace(Some(end));
        });
        Ok(page)
    }

    /// Waits until the person is back.
    ///
    /// # Errors
    /// `MCP_SIGN_IN_FAILED`, `STORE_WRITE_FAILED`; `ENGINE_ABORTED` when it was stopped.
    pub(super) async fn done(&self, server: &ServerName) -> Result<(), Failure> {
        let nobody = || failed(server, said::no_sign_in_begun(server));
        let end = self.all().get(server).map(|begun| begun.end.clone());
        let mut end = end.ok_or_else(nobody)?;
        let end = end.wait_for(Option::is_some).await.map_err(|_| nobody())?;
        end.clone().unwrap_or_else(|| Err(nobody()))
    }

    /// Waits no more.
    pub(super) fn stop(&self, server: &ServerName) {
        if let Some(begun) = self.all().remove(server) {
            begun.cancel.cancel();
        }
    }

    /// Waits for nobody any more.
    pub(super) fn stop_all(&self) {
        for (_, begun) in std::mem::take(&mut *self.all()) {
            begun.cancel.cancel();
        }
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<ServerName, Begun>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
