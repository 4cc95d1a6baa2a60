//! Which service carries out which command.

use kernel::code::{ErrorCode, Failure};
use kernel::command::{Command, Copied, Receipt, SessionCommand};
use kernel::draft::DraftPlace;
use kernel::ids::{ConversationId, PackageId, ProjectId, RunId};
use kernel::mode::Mode;
use kernel::outside::OpenIn;
use kernel::package::ReadPackage;
use kernel::path::AliasPath;
use kernel::phrase::outside as said;
use serde_json::Value;
use std::path::PathBuf;

use super::{Announcement, Host};
use crate::blocking::on_disk;
use crate::electron::ElectronImport;
use crate::export::ExportForm;
use crate::projects::Project;
use crate::sessions::starting::RunRequest;

impl Host {
    /// Carries out a command. When this returns, what it did is durable; a command that fails
    /// leaves nothing half-done.
    ///
    /// # Errors
    /// What the command's own description names, and a store that cannot be read or written.
    pub async fn submit(&self, command: Command) -> Result<Receipt, Failure> {
        match command {
            Command::OpenProject { path, create } => self.open_project(path, create).await,
            Command::OpenCopiedProject { path, copied } => self.open_copied(path, copied).await,
            Command::RebindProject { project_id, path, adopt } => {
                self.rebind_project(project_id, path, adopt).await
            }
            Command::ForgetProject { project_id } => self.forget(&project_id).await,
            Command::TrustHooks { project_id: id, hooks, trusted } => {
                self.trust(&id, hooks, trusted).await
            }
            Command::Servers { command } => self.sessions.servers(command).await,
            Command::InstallPackage { path, content_hash: of } => self.install(path, of).await,
            Command::InstallBundled { name } => self.install_bundled(name).await,
            Command::RemovePackage { package_id } => self.remove_package(package_id).await,
            Command::StartRun {
                project_id,
                package_id,
                workflow_id,
                agent_id,
                input,
                demo,
                conversation_id,
            } => {
                let run = RunRequest { package_id, workflow_id, agent_id, input, demo };
                self.start(project_id, conversation_id, run).await
            }
            Command::BeginConversation { project_id: id, with, input } => {
                self.talk(id, with, input).await
            }
            Command::PlayDemo { path, package } => self.sessions.play_demo(path, package).await,
            Command::Session { conversation_id: id, command } => self.tell(id, command).await,
            Command::KeepDraft { place, value } => self.keep_draft(place, value).await,
            Command::RenameConversation { conversation_id: id, title } => {
                self.rename(id, &title).await
            }
            Command::DeleteConversation { conversation_id: id } => self.delete(id).await,
            Command::DeleteProjectData { project_id } => self.delete_of_project(project_id).await,
            Command::OpenOutside { conversation_id, path, open_in } => {
                self.open_outside(conversation_id, path, open_in).await
            }
            Command::Announce { conversation_id, title, text } => {
                self.announce(conversation_id, &title, &text).await
            }
            Command::ExportConversation { conversation_id, format, path, language } => {
                self.export_to(conversation_id, ExportForm { format, language }, path).await
            }
            Command::ExportRun { run_id, path, replace } => {
                self.export_run_to(run_id, path, replace).await
            }
            Command::RecordRun { run_id, path, replace } => self.trace(run_id, path, replace).await,
            Command::SaveDiagnostics { path, replace } => self.help_file(path, replace).await,
            Command::Configure { patch } => self.configure(patch).await,
            Command::StopModelTest => Ok(self.stop_model_test()),
            Command::StopPackageReading(of) => Ok(self.stop_reading(&of)),
            Command::StoreApiKey { key } => self.store_api_key(key).await,
            Command::ImportElectron { path, with_keys } => self.take_over(path, with_keys).await,
        }
    }

    async fn start(
        &self,
        project_id: ProjectId,
        joins: Option<ConversationId>,
        run: RunRequest,
    ) -> Result<Receipt, Failure> {
        match joins {
            Some(id) => self.sessions.join_run(&id, &project_id, run).await,
            None => self.sessions.start_run(project_id, run).await,
        }
    }

    async fn talk(
        &self,
        project: ProjectId,
        with: Mode,
        input: Option<String>,
    ) -> Result<Receipt, Failure> {
        self.sessions.begin_talk(project, with, input).await
    }

    async fn open_project(&self, path: String, create: bool) -> Result<Receipt, Failure> {
        self.library.projects.open(path.into(), create).await.map(of_project)
    }

    async fn forget(&self, id: &ProjectId) -> Result<Receipt, Failure> {
        self.library.projects.forget(id).await.map(nothing)
    }

    async fn trust(
        &self,
        id: &ProjectId,
        hooks: Vec<String>,
        trusted: bool,
    ) -> Result<Receipt, Failure> {
        self.sessions.trust_hooks(id, hooks, trusted).await.map(nothing)
    }

    async fn install(&self, path: String, hash: Option<String>) -> Result<Receipt, Failure> {
        self.library.packages.install(path, hash).await.map(of_package)
    }

    async fn install_bundled(&self, name: String) -> Result<Receipt, Failure> {
        self.library.packages.install_bundled(name).await.map(of_package)
    }

    async fn delete_of_project(&self, id: ProjectId) -> Result<Receipt, Failure> {
        self.sessions.delete_of_project(id).await.map(nothing)
    }

    async fn open_copied(&self, path: String, what: Copied) -> Result<Receipt, Failure> {
        let entry = self.library.projects.copied(path.into(), what).await?;
        self.sessions.enter(entry).await.map(of_project)
    }

    async fn rebind_project(
        &self,
        id: ProjectId,
        path: String,
        adopt: bool,
    ) -> Result<Receipt, Failure> {
        let entry = self.library.projects.rebound(id, path.into(), adopt).await?;
        self.sessions.enter(entry).await.map(of_project)
    }

    async fn tell(&self, id: ConversationId, words: SessionCommand) -> Result<Receipt, Failure> {
        self.sessions.submit(&id, words).await
    }

    async fn rename(&self, id: ConversationId, title: &str) -> Result<Receipt, Failure> {
        self.sessions.rename(&id, title).await?;
        Ok(of_conversation(id))
    }

    async fn delete(&self, id: ConversationId) -> Result<Receipt, Failure> {
        self.sessions.delete(id).await.map(nothing)
    }

    async fn open_outside(
        &self,
        id: ConversationId,
        path: AliasPath,
        open_in: OpenIn,
    ) -> Result<Receipt, Failure> {
        let Some(desktop) = self.desktop.clone() else {
            return Err(Failure::new(ErrorCode::NotOpened, said::no_desktop()));
        };
        let file = self.sessions.outside(&id, path.clone(), open_in).await?;
        on_disk(move || {
            desktop.open(&file, open_in).map_err(|error| {
                tracing::warn!(kind = %error.kind(), "no program opened {path}");
                Failure::new(ErrorCode::NotOpened, said::no_program(&path))
                    .with_action(said::open_it_yourself())
            })
        })
        .await?;
        Ok(of_conversation(id))
    }

    async fn announce(
        &self,
        id: ConversationId,
        title: &str,
        text: &str,
    ) -> Result<Receipt, Failure> {
        let Some(desktop) = self.desktop.clone() else {
            return Err(Failure::new(ErrorCode::NotOpened, said::no_desktop()));
        };
        self.store.conversation(&id).await?;
        let announcement = Announcement::new(id.clone(), title, text);
        on_disk(move || {
            // The window shows the same; there is nothing that the person could do about it.
            if let Err(error) = desktop.announce(announcement) {
                tracing::debug!(kind = %error.kind(), "the desktop shows no announcements");
            }
            Ok(())
        })
        .await?;
        Ok(of_conversation(id))
    }

    async fn remove_package(&self, id: PackageId) -> Result<Receipt, Failure> {
        self.library.packages.remove(&id).await?;
        Ok(of_package(id))
    }

    async fn export_to(
        &self,
        id: ConversationId,
        form: ExportForm,
        path: String,
    ) -> Result<Receipt, Failure> {
        self.transfer.export_to(&id, form, PathBuf::from(path)).await?;
        Ok(of_conversation(id))
    }

    async fn export_run_to(
        &self,
        id: RunId,
        path: String,
        replace: bool,
    ) -> Result<Receipt, Failure> {
        let exported = self.transfer.export_run(&id, PathBuf::from(path), replace).await?;
        Ok(Receipt { run_id: Some(id), exported: Some(Box::new(exported)), ..Receipt::default() })
    }

    async fn trace(&self, id: RunId, path: String, replace: bool) -> Result<Receipt, Failure> {
        let recorded = self.transfer.record_run(&id, PathBuf::from(path), replace).await?;
        Ok(Receipt { run_id: Some(id), exported: Some(Box::new(recorded)), ..Receipt::default() })
    }

    async fn help_file(&self, path: String, replace: bool) -> Result<Receipt, Failure> {
        self.transfer.save_diagnostics(path.into(), replace).await.map(nothing)
    }

    async fn keep_draft(&self, place: DraftPlace, value: Value) -> Result<Receipt, Failure> {
        self.sessions.keep_draft(place, value).await.map(nothing)
    }

    async fn configure(&self, patch: Value) -> Result<Receipt, Failure> {
        self.library.preferences.configure(patch).await?;
        self.sessions.renew_limits();
        Ok(Receipt::default())
    }

    fn stop_model_test(&self) -> Receipt {
        self.library.preferences.stop_test();
        Receipt::default()
    }

    fn stop_reading(&self, of: &ReadPackage) -> Receipt {
        self.library.packages.stop_reading(of);
        Receipt::default()
    }

    async fn store_api_key(&self, key: String) -> Result<Receipt, Failure> {
        self.library.preferences.store_api_key(key).await?;
        self.sessions.renew_limits();
        Ok(Receipt::default())
    }

    async fn take_over(&self, path: String, with_keys: bool) -> Result<Receipt, Failure> {
        let ask = ElectronImport { path: path.into(), dry_run: false, with_keys };
        let report = self.import_electron(ask, None).await?;
        Ok(Receipt { import: Some(Box::new(report)), ..Receipt::default() })
    }
}

fn of_project(project: Project) -> Receipt {
    Receipt { project_id: Some(project.project_id), ..Receipt::default() }
}

fn of_package(id: PackageId) -> Receipt {
    Receipt { package_id: Some(id), ..Receipt::default() }
}

fn of_conversation(id: ConversationId) -> Receipt {
    Receipt { conversation_id: Some(id), ..Receipt::default() }
}

fn nothing((): ()) -> Receipt {
    Receipt::default()
}
