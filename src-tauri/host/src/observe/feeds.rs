//! What is told beside the conversations when something changes on disk (spec 08 "Watching"). Each
//! feed is a task that ends, and stops its watching, when its receiver is gone.

use kernel::code::{ErrorCode, Failure};
use kernel::ids::{ConversationId, ProjectId};
use kernel::phrase::projects;
use kernel::wire::{Noticed, WatchTarget};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::mpsc::{self, Receiver, Sender};

use super::Observe;
use super::telling::each;
use super::watch::{self, Observed, WatchScope};
use crate::blocking::on_disk;
use crate::logs;
use crate::real_path::RealPath;

/// Words that may wait for whoever watches; then the feed waits, and what it is about is gathered.
const WAITING: usize = 4;
/// Log rows in one word.
const ROWS_AT_ONCE: usize = 200;

impl Observe {
    /// The words about something, until the receiver is dropped. `BAD_REQUEST` for a conversation,
    /// which has frames.
    pub(crate) async fn notice(&self, target: WatchTarget) -> Result<Receiver<Noticed>, Failure> {
        let (sender, receiver) = mpsc::channel(WAITING);
        match target {
            WatchTarget::Project { project_id } => self.project(project_id, sender).await?,
            WatchTarget::App => self.app(sender).await?,
            WatchTarget::Package { path } => self.package(path, sender).await?,
            WatchTarget::Log { conversation_id } => self.log(conversation_id, sender).await?,
            WatchTarget::Conversation { .. } | WatchTarget::Nothing => {
                return Err(Failure::new(ErrorCode::BadRequest, projects::nothing_to_watch()));
            }
        }
        Ok(receiver)
    }

    async fn project(&self, project_id: ProjectId, sender: Sender<Noticed>) -> Result<(), Failure> {
        let row = self.store.project(&project_id).await?;
        let store = self.store.root().to_owned();
        let places = on_disk(move || {
            let root = Path::new(&row.location).canonicalize().map_err(|e| {
                crate::failure::io(
                    ErrorCode::ProjectRootInvalid,
                    projects::the_project_folder(),
                    &e,
                )
            })?;
            Ok((root, store.canonicalize().unwrap_or(store)))
        });
        let (root, store) = places.await?;
        let real = RealPath::new(&root, "@project");
        let observed =
            Observed::begin(real, WatchScope::Project(store), &self.watching.count).await?;
        let (watching, watchers) =
            (Arc::clone(&self.watching), Arc::clone(self.sessions.watchers()));
        tokio::spawn(each(observed, sender, Arc::clone(&watching), async move |changes| {
            let (project_id, root, watchers) =
                (project_id.clone(), root.clone(), Arc::clone(&watchers));
            let files = move || Ok(watch::files(&project_id, &root, &changes, &watchers.own));
            on_disk(files).await.ok().flatten()
        }));
        Ok(())
    }

    /// A package being written: its folder, or the file it is packed into.
    async fn package(&self, path: String, sender: Sender<Noticed>) -> Result<(), Failure> {
        let asked = PathBuf::from(&path);
        let place = on_disk(move || {
            let not_there = |e: &std::io::Error| {
                crate::failure::io(ErrorCode::PackageNotFound, projects::the_watched_package(), e)
            };
            let real = asked.canonicalize().map_err(|e| not_there(&e))?;
            if real.is_dir() {
                return Ok((real, WatchScope::Tree));
            }
            let name = real.file_name().and_then(|name| name.to_str()).map(str::to_owned);
            let folder = real.parent().map(Path::to_owned);
            let named =
                folder.zip(name).ok_or_else(|| not_there(&std::io::ErrorKind::NotFound.into()));
            named.map(|(folder, name)| (folder, WatchScope::Files(vec![name])))
        });
        let (root, scope) = place.await?;
        let root = RealPath::new(root, "the package");
        let observed = Observed::begin(root, scope, &self.watching.count).await?;
        let watching = Arc::clone(&self.watching);
        tokio::spawn(each(observed, sender, watching, async move |_| {
            Some(Noticed::Package { path: path.clone() })
        }));
        Ok(())
    }

    /// The newest rows, then those that come.
    async fn log(
        &self,
        conversation: Option<ConversationId>,
        sender: Sender<Noticed>,
    ) -> Result<(), Failure> {
        let state = match &conversation {
            Some(conversation) => Some(self.sessions.state_folder(conversation).await?),
            None => None,
        };
        // First what comes, then what is there: nothing falls in between.
        let (known, mut live) = logs::subscribe();
        let (store, about) = (self.store.root().to_owned(), conversation.clone());
        let recent = on_disk(move || {
            let state = state.as_ref().map(RealPath::as_path);
            Ok(logs::recent(&store, state, &known, about.as_ref()))
        });
        let rows = recent.await?;
        tokio::spawn(async move {
            let mut next = Some(Noticed::Log { rows, dropped: 0 });
            while let Some(noticed) = next {
                if sender.send(noticed).await.is_err() {
                    return;
                }
                next = tokio::select! {
                    () = sender.closed() => None,
                    rows = newer_rows(&mut live, conversation.as_ref()) => rows,
                };
            }
        });
        Ok(())
    }
}

/// The rows that came, as far as they concern `conversation`; `None` when there will be no more.
async fn newer_rows(
    live: &mut tokio::sync::broadcast::Receiver<Arc<logs::LogEntry>>,
    conversation: Option<&ConversationId>,
) -> Option<Noticed> {
    let (mut rows, mut dropped) = (Vec::new(), 0);
    loop {
        match live.recv().await {
            Ok(entry) if entry.concerns(conversation) => rows.push(entry.row.clone()),
            Ok(_) => {}
            Err(RecvError::Lagged(missed)) => dropped += missed,
            Err(RecvError::Closed) => return None,
        }
        while rows.len() < ROWS_AT_ONCE {
            match live.try_recv() {
                Ok(entry) if entry.concerns(conversation) => rows.push(entry.row.clone()),
                Ok(_) => {}
                Err(TryRecvError::Lagged(missed)) => dropped += missed,
                Err(TryRecvError::Empty | TryRecvError::Closed) => break,
            }
        }
        if !rows.is_empty() || dropped > 0 {
            return Some(Noticed::Log { rows, dropped });
        }
    }
}
