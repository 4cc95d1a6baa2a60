//! Deleting and exporting conversations (spec 08), and what the store clears away by itself.

use kernel::code::{ErrorCode, Failure};
use kernel::command::Receipt;
use kernel::event::Phase;
use kernel::ids::ConversationId;
use kernel::phrase::packages;
use kernel::wire::ConversationSummary;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

use super::runners::Held;
use super::{Host, conversations, on_disk};
use crate::export::{self, Cleaner, Form};
use crate::runner::Mail;
use crate::runs;
use crate::store::{CheckpointLimits, Lease, RuntimeStore};

/// Conversations at rest, which nobody opens or works on while this lives.
pub(super) struct AtRest {
    _places: Vec<Held>,
    _leases: Vec<Lease>,
}

/// Deletes conversations: all of them, or none when somebody works on one.
pub(super) async fn delete(host: &Host, ids: Vec<ConversationId>) -> Result<Receipt, Failure> {
    let ids: BTreeSet<ConversationId> = ids.into_iter().collect();
    let held = hold(host, ids.iter().cloned()).await?;
    host.store.delete_conversations(ids.iter().cloned().collect()).await?;
    for id in &ids {
        host.watchers.forget(id);
    }
    drop(held);
    Ok(Receipt::default())
}

/// Holds conversations and closes those that are open: all of them, or none when somebody works on
/// one (`RUN_BUSY`).
pub(super) async fn hold(
    host: &Host,
    ids: impl IntoIterator<Item = ConversationId>,
) -> Result<AtRest, Failure> {
    // Held to the end, in one order: nobody opens one of them meanwhile.
    let ids: BTreeSet<ConversationId> = ids.into_iter().collect();
    let mut held = Vec::with_capacity(ids.len());
    let mut leases = Vec::with_capacity(ids.len());
    for id in &ids {
        let mut place = host.runners.hold(id).await;
        host.store.conversation(id).await?;
        // One that rests may still write its mirror; closing it waits for that.
        if let Some(mailbox) = place.mailbox().cloned()
            && rests(&mailbox).await
        {
            place.take();
            close(&mailbox).await;
        }
        // A runner at work has its lease: RUN_BUSY.
        leases.push(host.store.acquire(id, conversations::holder(host)).await?);
        held.push(place);
    }
    // Those that could not go on, because the disk did not take something.
    for mailbox in held.iter_mut().filter_map(Held::take) {
        close(&mailbox).await;
    }
    Ok(AtRest { _places: held, _leases: leases })
}

pub(super) async fn rests(mailbox: &UnboundedSender<Mail>) -> bool {
    let (answer, answered) = oneshot::channel();
    if mailbox.send(Mail::Snapshot(answer)).is_err() {
        return true;
    }
    matches!(answered.await, Ok(Ok(snapshot)) if snapshot.run.phase != Phase::Running)
}

pub(super) async fn close(mailbox: &UnboundedSender<Mail>) {
    let (done, closed) = oneshot::channel();
    if mailbox.send(Mail::Close(done)).is_ok() {
        _ = closed.await;
    }
}

/// See [`Host::export`].
pub(super) async fn export<W: Write + Send + 'static>(
    host: &Host,
    id: &ConversationId,
    form: Form,
    out: W,
) -> Result<W, Failure> {
    let conversation = host.store.conversation(id).await?;
    let cleaner = cleaner(host, &conversation).await?;
    export::export(&host.store, &conversation, form, cleaner, out).await
}

/// Into a file: whole or not at all.
pub(super) async fn export_to(
    host: &Host,
    id: &ConversationId,
    form: Form,
    path: PathBuf,
) -> Result<Receipt, Failure> {
    host.store.conversation(id).await?;
    let target = path.clone();
    let temp = on_disk(move || beside(&target).map_err(|e| not_written(&target, &e))).await?;
    let temp = export(host, id, form, temp).await?;
    on_disk(move || {
        let synced = temp.as_file().sync_all();
        synced
            .and_then(|()| temp.persist(&path).map_err(|e| e.error))
            .map_err(|e| not_written(&path, &e))
    })
    .await?;
    Ok(Receipt { conversation_id: Some(id.clone()), ..Receipt::default() })
}

fn beside(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    tempfile::Builder::new().prefix(".tmp-").tempfile_in(folder)
}

fn not_written(path: &Path, error: &io::Error) -> Failure {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    crate::failure::io(ErrorCode::StoreWriteFailed, packages::writing(name), error)
        .with_action(packages::choose_writable_folder())
}

/// Knows the folders and the keys that no export may hold.
async fn cleaner(host: &Host, conversation: &ConversationSummary) -> Result<Cleaner, Failure> {
    let mut roots = Vec::new();
    if let Ok(project) = host.store.project(&conversation.project_id).await {
        roots.push((PathBuf::from(project.location), "@project".to_owned()));
    }
    for run in &conversation.runs {
        let state = runs::state_dir(&host.options.store, &conversation.project_id, &run.run_id);
        roots.push((host.package_folder(&run.package_id), "@pkg".to_owned()));
        roots.push((state.as_path().to_owned(), "@state".to_owned()));
    }
    let redactor = conversations::redactor_of(host, roots);
    let (settings, choice) = (host.settings.clone(), host.options.model.clone());
    let keys = on_disk(move || {
        let given = Host::effective_model(&settings, &choice).1;
        Ok(settings.keys().into_iter().chain(given).collect::<Vec<_>>())
    });
    Ok(Cleaner::new(redactor, keys.await?))
}

/// Beside the start, which waits for nothing of it.
pub(super) fn prune_checkpoints(store: &RuntimeStore) {
    let store = store.clone();
    tokio::spawn(async move {
        match store.prune_checkpoints(SystemTime::now(), CheckpointLimits::default()).await {
            Ok(pruned) if pruned.files > 0 => {
                tracing::info!(files = pruned.files, bytes = pruned.bytes, "checkpoints pruned");
            }
            Ok(_) => {}
            Err(failure) => tracing::warn!(code = %failure.code, "checkpoints were not pruned"),
        }
    });
}
