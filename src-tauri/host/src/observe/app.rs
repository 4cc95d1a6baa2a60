//! What is told of the program itself: its settings, its runs, and what was opened outside.

use kernel::code::Failure;
use kernel::wire::Noticed;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::sync::mpsc::Sender;
use tokio::time::sleep;

use super::Observe;
use super::telling::each;
use super::watch::{Observed, WatchScope};
use crate::real_path::RealPath;
use crate::sessions::Sessions;
use crate::settings;
use crate::store::{ListedConversation, WRITE_AHEAD_LOG};

/// How long lines are gathered before the lists are looked at: a run at work writes many.
const GATHER: Duration = Duration::from_millis(300);
/// How often the lists are looked at where the system does not tell what changes.
const LOOK_EVERY: Duration = Duration::from_secs(5);

impl Observe {
    /// The settings file: validated, taken over, told. The lists, whoever changed what they show.
    /// And what was opened outside.
    pub(super) async fn app(&self, sender: Sender<Noticed>) -> Result<(), Failure> {
        let root = RealPath::new(self.store.root(), "the store");
        let files = [settings::FILE, WRITE_AHEAD_LOG].map(str::to_owned);
        let scope = WatchScope::Files(files.to_vec());
        let observed = Observed::begin(root, scope, &self.watching.count).await?;
        let watching = Arc::clone(&self.watching);
        let (to_show, told) = (Arc::clone(&self.to_show), sender.clone());
        tokio::spawn(async move { to_show.tell(&told).await });
        let stale = Arc::new(Stale::default());
        stale.limited.store(observed.limited, Ordering::SeqCst);
        let lists = Lists::as_they_are(Arc::downgrade(&self.sessions), Arc::clone(&stale)).await;
        tokio::spawn(lists.tell(sender.clone()));
        // The feed must not keep the host.
        let weak = Arc::downgrade(&self.sessions);
        let reload = async move || {
            let problems = weak.upgrade()?.reload_settings().await.ok().flatten()?;
            Some(Noticed::Settings { problems })
        };
        tokio::spawn(async move {
            // It may have been edited since it was read.
            if let Some(noticed) = reload().await
                && sender.send(noticed).await.is_err()
            {
                return observed.stop().await;
            }
            each(observed, sender, watching, async move |changes| {
                let touched = |file: &str| changes.rescan || changes.paths.contains(file);
                if changes.limited {
                    stale.limited.store(true, Ordering::SeqCst);
                }
                if changes.limited || touched(WRITE_AHEAD_LOG) {
                    stale.look.notify_one();
                }
                if touched(settings::FILE) { reload().await } else { None }
            })
            .await;
        });
        Ok(())
    }
}

/// When the lists are to be looked at again.
#[derive(Default)]
struct Stale {
    look: Notify,
    /// Not every change is told by the system.
    limited: AtomicBool,
}

impl Stale {
    /// Waits until somebody, of any program, has written to the store; where that may go unseen, a
    /// while.
    async fn wait(&self) {
        if self.limited.load(Ordering::SeqCst) {
            _ = tokio::time::timeout(LOOK_EVERY, self.look.notified()).await;
        } else {
            self.look.notified().await;
        }
    }
}

/// What lists show, as it was told last to one who follows the program.
struct Lists {
    sessions: Weak<Sessions>,
    stale: Arc<Stale>,
    /// `None` when it could not be read.
    known: Option<BTreeSet<ListedConversation>>,
}

impl Lists {
    async fn as_they_are(sessions: Weak<Sessions>, stale: Arc<Stale>) -> Self {
        let mut lists = Self { sessions, stale, known: None };
        _ = lists.differ().await;
        lists
    }

    /// Tells each time that they differ, until nobody listens or the host is gone.
    async fn tell(mut self, sender: Sender<Noticed>) {
        loop {
            tokio::select! {
                () = sender.closed() => return,
                () = self.stale.wait() => {}
            }
            tokio::select! {
                () = sender.closed() => return,
                () = sleep(GATHER) => {}
            }
            match self.differ().await {
                Some(true) if sender.send(Noticed::Runs).await.is_err() => return,
                Some(_) => {}
                None => return,
            }
        }
    }

    /// Whether they differ from what they were when this was asked before. `None` when the host is
    /// gone.
    async fn differ(&mut self) -> Option<bool> {
        match self.sessions.upgrade()?.listed().await {
            Ok(now) => {
                let differ = self.known.as_ref() != Some(&now);
                self.known = Some(now);
                Some(differ)
            }
            Err(failure) => {
                tracing::debug!(code = %failure.code, "the lists were not looked at");
                Some(false)
            }
        }
    }
}
