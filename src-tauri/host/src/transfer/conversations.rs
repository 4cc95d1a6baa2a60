//! Conversations as files, without real paths and keys (spec 08).

use cap_std::fs::Dir;
use kernel::code::{ErrorCode, Failure};
use kernel::ids::ConversationId;
use kernel::mark::Folder;
use kernel::phrase::packages;
use kernel::wire::ConversationSummary;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Transfer;
use crate::atomic::{self, AtomicFile};
use crate::blocking::on_disk;
use crate::export::{self, Cleaner, ExportForm};
use crate::redact::folders::{ProjectPlaces, redactor_of};
use crate::runs;

impl Transfer {
    /// Writes a conversation to `out`, which comes back when all is written.
    pub(crate) async fn export<W: Write + Send + 'static>(
        &self,
        id: &ConversationId,
        form: ExportForm,
        out: W,
    ) -> Result<W, Failure> {
        let conversation = self.store.conversation(id).await?;
        let cleaner = self.cleaner(&conversation).await?;
        export::export(&self.store, &conversation, form, cleaner, out).await
    }

    /// Into a file: whole or not at all.
    pub(crate) async fn export_to(
        &self,
        id: &ConversationId,
        form: ExportForm,
        path: PathBuf,
    ) -> Result<(), Failure> {
        self.check_target(&path).await?;
        self.store.conversation(id).await?;
        let target = path.clone();
        let file = on_disk(move || beside(&target).map_err(|e| not_written(&target, &e))).await?;
        let file = self.export(id, form, file).await?;
        on_disk(move || {
            let name = path.file_name().unwrap_or_default();
            let done = file.flushed().and_then(|file| file.put(name));
            done.map_err(|e| not_written(&path, &e))
        })
        .await
    }

    /// Knows the folders and the keys that no export may hold.
    pub(super) async fn cleaner(
        &self,
        conversation: &ConversationSummary,
    ) -> Result<Cleaner, Failure> {
        let mut roots = Vec::new();
        if let Ok(project) = self.store.project(&conversation.project_id).await {
            let ProjectPlaces { now, former } = project.places();
            roots.push((now, Folder::Project.alias().to_owned()));
            let alias = || Folder::FormerProject.alias().to_owned();
            roots.extend(former.into_iter().map(|place| (place, alias())));
        }
        let store = self.store.root();
        for run in &conversation.runs {
            let state = runs::state_dir(store, &conversation.project_id, &run.run_id);
            let package = self.library.packages.folder_of(&run.package_id);
            roots.push((package, "@pkg".to_owned()));
            roots.push((state.as_path().to_owned(), "@state".to_owned()));
        }
        let keys = self.library.preferences.keys().await?;
        Ok(Cleaner::new(redactor_of(store, roots), keys))
    }
}

fn beside(path: &Path) -> io::Result<AtomicFile<Dir>> {
    AtomicFile::beside(path, atomic::for_its_owner().as_ref())
}

fn not_written(path: &Path, error: &io::Error) -> Failure {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    crate::failure::io(ErrorCode::StoreWriteFailed, packages::writing(name), error)
        .with_action(packages::choose_writable_folder())
}
