//! Which service answers which read.

use kernel::bounds::MESSAGES_PER_PAGE;
use kernel::code::Failure;
use kernel::command::{Query, RecordQuery};
use kernel::ids::{ConversationId, PackageId, ProjectId, WorkflowId};
use kernel::path::AliasPath;
use kernel::tool::rewind::RewindTarget;
use kernel::wire::Answer;
use std::path::PathBuf;

use super::Host;
use crate::electron::ElectronImport;
use crate::library::preferences::local_models;

impl Host {
    /// Answers a read.
    ///
    /// # Errors
    /// When there is no such thing, or the store or the disk cannot be read.
    pub async fn query(&self, query: Query) -> Result<Answer, Failure> {
        let Self { store, library, sessions, .. } = self;
        match query {
            Query::Projects => library.projects.list().await.map(Answer::Projects),
            Query::Packages => library.packages.list().await.map(Answer::Packages),
            Query::InspectPackage { path } => self.inspect(path).await,
            Query::PackageReading(of) => Ok(Answer::PackageReading(library.packages.reading(&of))),
            Query::Package { package_id: id } => self.package(id).await,
            Query::Runs { project_id } => self.runs(&project_id).await,
            Query::Hooks { project_id } => sessions.hooks(&project_id).await.map(Answer::Hooks),
            Query::Servers { project_id } => self.servers(project_id).await,
            Query::ServerFile { path } => self.server_file(path).await,
            Query::Skills { project_id: of, package_id } => {
                Box::pin(self.skills(of, package_id)).await
            }
            Query::Snapshot { conversation_id: id } => self.snapshot(&id).await,
            Query::Graph { package_id, workflow_id } => self.graph(&package_id, &workflow_id).await,
            Query::Revision { conversation_id: id, seq } => self.revision(&id, seq).await,
            Query::Todos { conversation_id: id } => sessions.todos(&id).await.map(Answer::Todos),
            Query::Evidence { conversation_id: id } => {
                sessions.evidence(&id).await.map(Box::new).map(Answer::Evidence)
            }
            Query::Requests { conversation_id: id } => self.requests(&id).await,
            Query::Request { conversation_id, number } => {
                // It is large, and rarely needed.
                Box::pin(self.request(&conversation_id, number)).await
            }
            Query::Opening { conversation_id: id } => {
                sessions.opening_of(&id).await.map(Answer::Opening)
            }
            Query::Items { conversation_id: id, before } => self.items(&id, before).await,
            Query::Files { conversation_id, matching } => {
                sessions.files(&conversation_id, matching).await.map(Answer::Files)
            }
            Query::Folder { conversation_id: id, path } => self.folder(&id, path).await,
            Query::File { conversation_id: id, path } => self.file(&id, path).await,
            Query::RewindPreview { conversation_id: id, target } => {
                self.rewind_preview(&id, target).await
            }
            Query::WholeChange { conversation_id, change_id } => {
                sessions.whole_change(&conversation_id, change_id).await.map(Answer::WholeChange)
            }
            Query::Settings => library.preferences.view().await.map(Box::new).map(Answer::Settings),
            Query::InspectElectron { path, with_keys } => {
                self.inspect_electron(path.into(), with_keys).await
            }
            Query::TestModel => self.test_model().await.map(Answer::ModelTest),
            Query::LocalModels => Ok(Answer::LocalModels(local_models().await)),
            Query::Doctor => library.doctor().await.map(Answer::Doctor),
            Query::Conversations { project_id, limit, after } => {
                self.conversations(project_id, limit, after).await
            }
            Query::ActiveConversations => self.active_conversations().await,
            Query::Search(search) => store.search(search).await.map(Answer::Search),
            Query::Sizes => store.sizes().await.map(Answer::Sizes),
            Query::Drafts => store.drafts().await.map(Answer::Drafts),
            Query::Record { of } => self.record(of).await,
        }
    }

    async fn inspect(&self, path: String) -> Result<Answer, Failure> {
        self.library.inspect_package(path).await.map(Box::new).map(Answer::Package)
    }

    async fn runs(&self, project: &ProjectId) -> Result<Answer, Failure> {
        self.store.project(project).await?;
        self.store.runs(project).await.map(Answer::Runs)
    }

    async fn skills(
        &self,
        project: Option<ProjectId>,
        package: Option<PackageId>,
    ) -> Result<Answer, Failure> {
        self.library.skills(project.as_ref(), package.as_ref()).await.map(Answer::Skills)
    }

    async fn servers(&self, project: Option<ProjectId>) -> Result<Answer, Failure> {
        self.library.servers.list(project.as_ref()).await.map(Answer::Servers)
    }

    async fn server_file(&self, path: String) -> Result<Answer, Failure> {
        self.library.servers.file(path.into()).await.map(Answer::ServerFile)
    }

    async fn snapshot(&self, id: &ConversationId) -> Result<Answer, Failure> {
        self.sessions.snapshot(id).await.map(Box::new).map(Answer::Snapshot)
    }

    async fn items(&self, id: &ConversationId, before: u64) -> Result<Answer, Failure> {
        self.store.page_before(id, before).await.map(Answer::Items)
    }

    async fn folder(&self, id: &ConversationId, path: AliasPath) -> Result<Answer, Failure> {
        self.sessions.folder(id, path).await.map(Answer::Folder)
    }

    async fn file(&self, id: &ConversationId, path: AliasPath) -> Result<Answer, Failure> {
        self.sessions.file(id, path).await.map(Box::new).map(Answer::File)
    }

    async fn package(&self, id: PackageId) -> Result<Answer, Failure> {
        self.library.package_report(id).await.map(Box::new).map(Answer::Package)
    }

    async fn graph(&self, id: &PackageId, workflow: &WorkflowId) -> Result<Answer, Failure> {
        self.library.graph(id, workflow).await.map(Box::new).map(Answer::Graph)
    }

    async fn revision(&self, id: &ConversationId, seq: u64) -> Result<Answer, Failure> {
        Box::pin(self.sessions.revision(id, seq)).await.map(Box::new).map(Answer::Revision)
    }

    async fn rewind_preview(
        &self,
        id: &ConversationId,
        target: RewindTarget,
    ) -> Result<Answer, Failure> {
        // It is large, and rarely needed.
        let shown = Box::pin(self.sessions.rewind_preview(id, target)).await;
        shown.map(Box::new).map(Answer::RewindPreview)
    }

    async fn requests(&self, id: &ConversationId) -> Result<Answer, Failure> {
        self.sessions.requests(id).await.map(Answer::Requests)
    }

    async fn request(&self, id: &ConversationId, number: u64) -> Result<Answer, Failure> {
        Box::pin(self.sessions.request(id, number)).await.map(Box::new).map(Answer::Request)
    }

    async fn conversations(
        &self,
        project: Option<ProjectId>,
        limit: Option<u32>,
        after: Option<String>,
    ) -> Result<Answer, Failure> {
        let page = self.store.conversations(project, limit, after.as_deref()).await?;
        Ok(Answer::Conversations(page))
    }

    async fn active_conversations(&self) -> Result<Answer, Failure> {
        self.store.active_conversations().await.map(Answer::Conversations)
    }

    async fn inspect_electron(&self, path: PathBuf, with_keys: bool) -> Result<Answer, Failure> {
        let ask = ElectronImport { path, dry_run: true, with_keys };
        self.import_electron(ask, None).await.map(Box::new).map(Answer::Import)
    }

    async fn record(&self, of: RecordQuery) -> Result<Answer, Failure> {
        let Self { store, library, sessions, .. } = self;
        match of {
            RecordQuery::Conversation { conversation_id } => {
                store.conversation(&conversation_id).await.map(Box::new).map(Answer::Conversation)
            }
            RecordQuery::Run { run_id } => store.run(&run_id).await.map(Box::new).map(Answer::Run),
            RecordQuery::Messages { conversation_id: id, page, before, limit } => {
                let limit = limit.clamp(1, MESSAGES_PER_PAGE);
                match page {
                    Some(page) => store.message_page(&id, page, limit).await,
                    None => store.messages(&id, before, limit).await,
                }
                .map(Answer::Messages)
            }
            RecordQuery::Standing { conversation_id } => {
                sessions.standing(&conversation_id).await.map(Box::new).map(Answer::Standing)
            }
            RecordQuery::Facts { conversation_id } => {
                sessions.facts(&conversation_id).await.map(Answer::Facts)
            }
            RecordQuery::Judgements { conversation_id } => {
                sessions.judgements(&conversation_id).await.map(Answer::Judgements)
            }
            RecordQuery::RunChoice { package, workflow_id, agent_id } => {
                library.run_choice(package, workflow_id, agent_id).await.map(Answer::RunChoice)
            }
            RecordQuery::DemoAnswers { conversation_id } => {
                let trace = sessions.demo_trace_left(&conversation_id).await?;
                Ok(Answer::DemoAnswers(trace.map(|trace| trace.answers)))
            }
            RecordQuery::Policy => library.policy().await.map(Box::new).map(Answer::Policy),
            RecordQuery::SettingsProblems => {
                Ok(Answer::SettingsProblems(library.preferences.settings().problems()))
            }
        }
    }

    async fn test_model(&self) -> Result<kernel::wire::ModelTest, Failure> {
        let test = self.library.preferences.test_model().await?;
        if test.answers {
            // What it said about the size of its context holds now.
            self.sessions.renew_limits();
        }
        Ok(test)
    }
}
