//! What a person can want, and what may be read (spec 09 "IPC contract").
//!
//! `Command` is indexed by what a person can want, never by button. Reads are `Query`.

mod receipt;
mod record;
mod search;
mod servers;
mod session;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::draft::DraftPlace;
use crate::ids::{AgentId, ChangeId, ConversationId, PackageId, ProjectId, RunId, WorkflowId};
use crate::mode::Mode;
use crate::outside::OpenIn;
use crate::package::ReadPackage;
use crate::path::AliasPath;
use crate::settings::Language;
use crate::tool::rewind::RewindTarget;

pub use receipt::{ExportedRun, Receipt, Routed};
pub use record::{PackagePlace, RecordQuery};
pub use search::SearchQuery;
pub use servers::{SeenServer, ServerCommand, SignInPage};
pub use session::SessionCommand;

/// What a person asks for. Answered by a receipt or a failure; results arrive as frames.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Command {
    /// Open a folder as a project, or make one (`create`).
    OpenProject {
        /// The folder, as the system's dialog gave it.
        path: String,
        /// Make the folder when it is missing.
        #[serde(default)]
        create: bool,
    },
    /// Open a folder whose project id another folder has too (`PROJECT_COPIED`).
    OpenCopiedProject {
        /// The folder, as the system's dialog gave it.
        path: String,
        /// What it is.
        copied: Copied,
    },
    /// Tell where the folder of a known project is now. `PROJECT_MISMATCH` when the folder belongs
    /// to another project, or to none.
    RebindProject {
        /// The project whose folder moved.
        project_id: ProjectId,
        /// The folder, as the system's dialog gave it.
        path: String,
        /// Make a folder that belongs to no project the one of this project.
        #[serde(default)]
        adopt: bool,
    },
    /// Drop a project from the recent list. Files are not touched.
    ForgetProject {
        /// The project to take out of the list.
        project_id: ProjectId,
    },
    /// Trust commands of a project as they were shown, so that they are run, or no more.
    /// `PROJECT_FILE_INVALID` when one is no longer what was shown.
    TrustHooks {
        /// The project.
        project_id: ProjectId,
        /// What was shown: [`HookView::sha256`](crate::wire::HookView) of each.
        hooks: Vec<String>,
        /// Whether they are trusted from now on.
        trusted: bool,
    },
    /// Set up, test, trust or remove servers of the Model Context Protocol.
    Servers {
        /// What of it.
        command: ServerCommand,
    },
    /// Install a `.bmad` file or a folder. `PACKAGE_CHANGED` when it is no longer what was shown.
    InstallPackage {
        /// The file or folder, as the system's dialog gave it.
        path: String,
        /// The report's `contentHash` that the person has seen; without it whatever is there.
        #[serde(default)]
        content_hash: Option<String>,
    },
    /// Install a package that comes with the program.
    #[cfg_attr(feature = "ts", ts(skip))]
    InstallBundled {
        /// Its name.
        name: String,
    },
    /// Remove an installed package.
    RemovePackage {
        /// The package to remove.
        package_id: PackageId,
    },
    /// Start a run and its first turn.
    StartRun {
        /// The project the run works in.
        project_id: ProjectId,
        /// The package to run.
        package_id: PackageId,
        /// Which workflow; may be absent when there is only one.
        #[serde(default)]
        workflow_id: Option<WorkflowId>,
        /// Which agent; the first of the package when absent.
        #[serde(default)]
        agent_id: Option<AgentId>,
        /// First words.
        #[serde(default)]
        input: Option<String>,
        /// Play the package's demo trace instead of asking the configured model.
        #[serde(default)]
        demo: bool,
        /// The conversation that the run joins; one of its own when absent. `NOT_NOW` while a run of
        /// it is not over.
        #[serde(default)]
        conversation_id: Option<ConversationId>,
    },
    /// Begin a conversation without a run: with an agent of a package, or with the model alone.
    BeginConversation {
        /// Its project.
        project_id: ProjectId,
        /// With whom: `agent` or `chat`.
        with: Mode,
        /// First words.
        #[serde(default)]
        input: Option<String>,
    },
    /// Make a sample project (or use `path`), install the bundled demo package, and start it with
    /// the scripted model.
    PlayDemo {
        /// Where; a fresh folder below the documents folder when absent.
        #[serde(default)]
        path: Option<String>,
        /// Bundled package name; `plan-a-project` when absent.
        #[serde(default)]
        package: Option<String>,
    },
    /// Say something to a conversation that runs, or is to go on.
    Session {
        /// The conversation.
        conversation_id: ConversationId,
        /// What is said to it.
        command: SessionCommand,
    },
    /// Keep what is being written, as it is now. What was sent is forgotten by itself.
    KeepDraft {
        /// Where it is written.
        place: DraftPlace,
        /// In the window's own shape; `null` forgets it.
        #[serde(default)]
        #[cfg_attr(feature = "ts", ts(type = "unknown"))]
        value: Value,
    },
    /// Call a conversation by a title of the person's.
    RenameConversation {
        /// The conversation to rename.
        conversation_id: ConversationId,
        /// The title; an empty one brings the generated title back.
        title: String,
    },
    /// Delete a conversation with its runs and everything the store holds of them. Files of the
    /// project stay. Refused with `RUN_BUSY` while somebody works on it.
    DeleteConversation {
        /// The conversation to delete.
        conversation_id: ConversationId,
    },
    /// Delete every conversation of a project: all or none. Its own files and its row stay.
    DeleteProjectData {
        /// The project whose conversations are deleted.
        project_id: ProjectId,
    },
    /// Open a file of a run's project in another program. `NOT_OPENED` where that could run it, and
    /// where there is none.
    OpenOutside {
        /// A conversation of the run.
        conversation_id: ConversationId,
        /// The file or folder.
        path: AliasPath,
        /// Where it is opened.
        open_in: OpenIn,
    },
    /// Tells the person by the desktop's own notifications that a run waits or has ended; a click on
    /// it opens the conversation. A newer one takes the place of the one before. `NOT_OPENED` where
    /// there is no desktop; one without notifications is no failure.
    Announce {
        /// The conversation of the run.
        conversation_id: ConversationId,
        /// In one line.
        title: String,
        /// What happened, or what is wanted.
        text: String,
    },
    /// Write a conversation into a file, without real paths and keys.
    ExportConversation {
        /// The conversation to export.
        conversation_id: ConversationId,
        /// The format of the file.
        format: ExportFormat,
        /// The file, as the system's dialog gave it; replaced when it is there.
        path: String,
        /// The language of the words between the messages of a Markdown file.
        #[serde(default)]
        language: Language,
    },
    /// Write a run to a `.crewrun` file that can be replayed elsewhere.
    ExportRun {
        /// The run to export.
        run_id: RunId,
        /// The file, as the system's dialog gave it.
        path: String,
        /// Replace a file that is there.
        #[serde(default)]
        replace: bool,
    },
    /// Write a run as a trace that plays it again without a model.
    RecordRun {
        /// The run to record.
        run_id: RunId,
        /// The file, as the system's dialog gave it.
        path: String,
        /// Replace a file that is there.
        #[serde(default)]
        replace: bool,
    },
    /// Write what helps somebody to help: versions, settings without keys, the end of the log.
    SaveDiagnostics {
        /// The file, as the system's dialog gave it.
        path: String,
        /// Replace a file that is there.
        #[serde(default)]
        replace: bool,
    },
    /// Change settings: members present are merged, absent ones stay.
    Configure {
        /// A part of [`Settings`](crate::settings::Settings).
        #[cfg_attr(feature = "ts", ts(type = "unknown"))]
        patch: Value,
    },
    /// End a test of the connection that is going on.
    StopModelTest,
    /// End the looking at a package, or its install; what was written of it goes.
    StopPackageReading(ReadPackage),
    /// Keep or (with an empty text) forget the model's API key.
    StoreApiKey {
        /// The key. Never logged, never shown again.
        key: String,
    },
    /// Take over the store of an Electron runtime. Its files are only read.
    ImportElectron {
        /// Its `runtime-store` folder or the one above, as the system's dialog gave it.
        path: String,
        /// Take over the API key too.
        #[serde(default)]
        with_keys: bool,
    },
}

impl SessionCommand {
    /// The same words, addressed.
    pub fn to(self, conversation_id: ConversationId) -> Command {
        Command::Session { conversation_id, command: self }
    }
}

/// What a folder with another folder's project id is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Copied {
    /// A project of its own: it gets a new id and begins without runs.
    Copy,
    /// The project itself in its new place: its runs go on here.
    Moved,
}

/// How a conversation is written into a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum ExportFormat {
    /// The older runtime's file: one JSON array with the fields of spec 08 "Messages".
    #[serde(rename = "messages.json")]
    Messages,
    /// For people.
    #[serde(rename = "md")]
    Markdown,
    /// One message a line, with all its fields.
    #[serde(rename = "jsonl")]
    Lines,
}

/// What can be asked of the host without changing anything; each is answered with an `Answer`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Query {
    /// Recent projects.
    Projects,
    /// The commands that a project wants to be run, and which of them the person trusts.
    Hooks {
        /// The project asked about.
        project_id: ProjectId,
    },
    /// The servers that are set up, in the order of their names.
    Servers {
        /// In which project they are trusted; in none when absent.
        #[serde(default)]
        project_id: Option<ProjectId>,
    },
    /// The skills of the project, of the person and of a package.
    Skills {
        /// The project, if any.
        #[serde(default)]
        project_id: Option<ProjectId>,
        /// The package, if any.
        #[serde(default)]
        package_id: Option<PackageId>,
    },
    /// What the file of another client says of servers; sets nothing up.
    ServerFile {
        /// The file.
        path: String,
    },
    /// Installed packages, and the bundled ones not installed yet.
    Packages,
    /// What a `.bmad` file or folder holds; writes nothing.
    InspectPackage {
        /// The file or folder.
        path: String,
    },
    /// How far a package is read.
    PackageReading(ReadPackage),
    /// The report of an installed package.
    Package {
        /// The package asked about.
        package_id: PackageId,
    },
    /// The runs of a project, newest first.
    Runs {
        /// The project whose runs are listed.
        project_id: ProjectId,
    },
    /// `runtime.snapshot.get`.
    Snapshot {
        /// Of what.
        conversation_id: ConversationId,
    },
    /// The graph of a workflow. `WORKFLOW_REF_UNKNOWN`, or
    /// `WORKFLOW_REF_MISMATCH`, when the package has none of this name.
    Graph {
        /// The installed package.
        package_id: PackageId,
        /// Which of its workflows.
        workflow_id: WorkflowId,
    },
    /// Where a run stood at a version of its state document. `NOT_FOUND` when no version was accepted there.
    Revision {
        /// Of which run.
        conversation_id: ConversationId,
        /// The sequence number of the event that accepted it, as the snapshot lists it.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        seq: u64,
    },
    /// `session.todos.list`: the todos of a run.
    Todos {
        /// Of what.
        conversation_id: ConversationId,
    },
    /// What was judged in a run, and what its person answered.
    Evidence {
        /// Of which run.
        conversation_id: ConversationId,
    },
    /// What was asked of a model in a conversation.
    Requests {
        /// Of what.
        conversation_id: ConversationId,
    },
    /// One request as the model saw it. `REQUEST_NOT_FOUND`.
    Request {
        /// Of what.
        conversation_id: ConversationId,
        /// Its number in the list.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        number: u64,
    },
    /// What watching a conversation would begin with: for whoever may open it next. Starts nothing.
    Opening {
        /// Of what.
        conversation_id: ConversationId,
    },
    /// The page of a conversation's items that ends where one begins that was read before.
    Items {
        /// Of what.
        conversation_id: ConversationId,
        /// `earlier` of the page that was read before.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        before: u64,
    },
    /// Files of the run's project that the person may mention, the nearest first.
    Files {
        /// In what they write.
        conversation_id: ConversationId,
        /// What the path holds, whatever its case.
        matching: String,
    },
    /// What lies right in a folder of the run's project.
    Folder {
        /// Of which run.
        conversation_id: ConversationId,
        /// Where the folder lies.
        path: AliasPath,
    },
    /// A file of the run's project as it is now and as it was before the run.
    File {
        /// Of which run.
        conversation_id: ConversationId,
        /// Where it lies, or lay.
        path: AliasPath,
    },
    /// What taking the run back to a step would do now. Writes nothing, and may be asked while the
    /// run works. `E_INVALID_TRANSITION` for a step that it cannot go back to.
    RewindPreview {
        /// Of which run.
        conversation_id: ConversationId,
        /// The step, and what would become of files.
        #[serde(flatten)]
        target: RewindTarget,
    },
    /// All of a change that waits for the person and is too long to be shown at once.
    WholeChange {
        /// Of what.
        conversation_id: ConversationId,
        /// The change that waits for the person.
        change_id: ChangeId,
    },
    /// Settings, and where the key is kept.
    Settings,
    /// What importing the store of an Electron runtime would do; writes nothing.
    InspectElectron {
        /// Its `runtime-store` folder or the one above.
        path: String,
        /// As if the API key were taken over too.
        #[serde(default)]
        with_keys: bool,
    },
    /// Ask the configured endpoint for real: models, a one-token chat, a tool call.
    TestModel,
    /// Look for model servers on this machine, where each kind usually listens.
    LocalModels,
    /// Versions, paths as aliases, what is missing.
    Doctor,
    /// Conversations, last active first.
    Conversations {
        /// Whose; of every project when absent.
        #[serde(default)]
        project_id: Option<ProjectId>,
        /// How many; 50 when absent, 500 at most.
        #[serde(default)]
        limit: Option<u32>,
        /// The `next` of the page before.
        #[serde(default)]
        after: Option<String>,
    },
    /// Conversations of every project whose newest run works, or waits for the person; last active
    /// first, at most [`ACTIVE_CONVERSATIONS`](crate::bounds::ACTIVE_CONVERSATIONS).
    ActiveConversations,
    /// Messages, and titles of conversations, that hold words.
    Search(SearchQuery),
    /// What the store takes on the disk, by project.
    Sizes,
    /// Everything that is being written and was not sent.
    Drafts,
    /// What only the command line asks for.
    #[cfg_attr(feature = "ts", ts(skip))]
    Record {
        /// Of what.
        of: RecordQuery,
    },
}

impl From<RecordQuery> for Query {
    fn from(of: RecordQuery) -> Self {
        Self::Record { of }
    }
}
