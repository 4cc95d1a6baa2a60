//! Answers to queries: lists, reports and the snapshot.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::conversations::{ConversationPage, ConversationSummary, SearchPage, StoreSizes};
use super::evidence::{EvidenceView, JudgementRecord};
use super::file_view::{FileView, FolderView};
use super::graph::{GraphView, Progress, RevisionState};
use super::hooks::HookView;
use super::records::{MessagePage, PolicyTable, RunChoice};
use super::rewind_preview::{RewindPreview, RewindUnderWay, UndoableRewind};
use super::servers::{ServerFile, ServerView};
use super::skills::SkillList;
use super::standing::{Standing, TodoList, WaitingWidget};
use super::subagents::SubagentView;
use super::{
    Approval, FactRecord, Frame, Grant, Item, KnownModel, LocalServer, ModelTest, RevisionView,
    RunView,
};
use crate::changed_files::FileEffect;
use crate::chat::{ModelUsage, Usage};
use crate::code::Failure;
use crate::context::ContextUsage;
use crate::decision::Obligation;
use crate::draft::Draft;
use crate::event::{Decision, Phase, Reason};
use crate::ids::{
    ChangeId, ConversationId, MessageId, NodeId, PackageId, ProjectId, RunId, WorkflowId,
};
use crate::import::ImportReport;
use crate::package::{AgentSummary, PackageReport, ReadingProgress, WorkflowSummary};
use crate::path::AliasPath;
use crate::phrase::Phrase;
use crate::requests::{RequestList, RequestView};
use crate::settings::Settings;
use crate::state_doc::StepCount;
use crate::time::Time;
use crate::trace;

/// The answer to a query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "value", rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Answer {
    /// To `projects`.
    Projects(Vec<ProjectView>),
    /// To `packages`.
    Packages(Vec<PackageView>),
    /// To `inspectPackage` and `package`.
    Package(Box<PackageReport>),
    /// To `packageReading`; none while nobody reads that.
    PackageReading(Option<ReadingProgress>),
    /// To `standing`.
    #[cfg_attr(feature = "ts", ts(skip))]
    Standing(Box<Standing>),
    /// To `facts`.
    #[cfg_attr(feature = "ts", ts(skip))]
    Facts(Vec<FactRecord>),
    /// To `hooks`.
    Hooks(Vec<HookView>),
    /// To `servers`.
    Servers(Vec<ServerView>),
    /// To `skills`.
    Skills(SkillList),
    /// To `serverFile`.
    ServerFile(ServerFile),
    /// To `runs`.
    Runs(Vec<RunSummary>),
    /// To `snapshot`.
    Snapshot(Box<RuntimeSnapshot>),
    /// To `graph`.
    Graph(Box<GraphView>),
    /// To `revision`.
    Revision(Box<RevisionState>),
    /// To `todos`.
    Todos(TodoList),
    /// To `evidence`.
    Evidence(Box<EvidenceView>),
    /// To `judgements`.
    #[cfg_attr(feature = "ts", ts(skip))]
    Judgements(Vec<JudgementRecord>),
    /// To `requests`.
    Requests(RequestList),
    /// To `request`.
    Request(Box<RequestView>),
    /// To `opening`: a `Snapshot`.
    Opening(Frame),
    /// To `items`.
    Items(ItemPage),
    /// To `settings`.
    Settings(Box<SettingsView>),
    /// To `testModel`.
    ModelTest(ModelTest),
    /// To `localModels`.
    LocalModels(Vec<LocalServer>),
    /// To `doctor`.
    Doctor(Vec<DoctorRow>),
    /// To `conversations`.
    Conversations(ConversationPage),
    /// To `search`.
    Search(SearchPage),
    /// To `sizes`.
    Sizes(StoreSizes),
    /// To `inspectElectron`.
    Import(Box<ImportReport>),
    /// To `drafts`.
    Drafts(Vec<Draft>),
    /// To `files`.
    Files(Vec<AliasPath>),
    /// To `folder`.
    Folder(FolderView),
    /// To `file`.
    File(Box<FileView>),
    /// To `rewindPreview`.
    RewindPreview(Box<RewindPreview>),
    /// To `wholeChange`.
    WholeChange(WholeChange),
    /// To `conversation`.
    #[cfg_attr(feature = "ts", ts(skip))]
    Conversation(Box<ConversationSummary>),
    /// To `run`.
    #[cfg_attr(feature = "ts", ts(skip))]
    Run(Box<RunSummary>),
    /// To `messages`.
    #[cfg_attr(feature = "ts", ts(skip))]
    Messages(MessagePage),
    /// To `runChoice`.
    #[cfg_attr(feature = "ts", ts(skip))]
    RunChoice(RunChoice),
    /// To `demoAnswers`.
    #[cfg_attr(feature = "ts", ts(skip))]
    DemoAnswers(Option<Vec<trace::TraceAnswer>>),
    /// To `policy`.
    #[cfg_attr(feature = "ts", ts(skip))]
    Policy(Box<PolicyTable>),
    /// To `settingsProblems`.
    #[cfg_attr(feature = "ts", ts(skip))]
    SettingsProblems(Vec<Failure>),
}

/// All of a change that waits for the person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct WholeChange {
    /// The change that was opened.
    pub change_id: ChangeId,
    /// Unified diff; nothing of it is left out.
    pub diff: String,
    /// What a yes says to name it: `{confirmed: true, whole}`, after all of it was shown.
    pub whole: String,
}

/// A page of a conversation's items.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ItemPage {
    /// The items in order.
    pub items: Vec<Item>,
    /// Where the page before this one ends: what `items` is asked with. `None` when there is none.
    #[cfg_attr(feature = "ts", ts(type = "number | null"))]
    pub earlier: Option<u64>,
}

/// A project in the recent list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ProjectView {
    /// Its id.
    pub project_id: ProjectId,
    /// Its name.
    pub name: String,
    /// The folder, for the person who opened it. The only real path on the wire; never in a
    /// frame, a snapshot, a log or an export.
    pub location: String,
    /// False when the folder is gone: offer to re-bind.
    pub exists: bool,
    /// When it was last opened.
    pub last_opened_at: Time,
    /// How many runs it has.
    pub run_count: u32,
}

/// A package in the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PackageView {
    /// Its id.
    pub package_id: PackageId,
    /// Its name.
    pub name: String,
    /// The package's version (semantic versioning).
    pub version: String,
    /// For people.
    pub description: Option<String>,
    /// What can be run.
    pub workflows: Vec<WorkflowSummary>,
    /// Who runs it.
    pub agents: Vec<AgentSummary>,
    /// When it was installed.
    pub installed_at: Time,
    /// Whether it carries a demo trace.
    pub has_demo: bool,
}

/// A run in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RunSummary {
    /// Its id.
    pub run_id: RunId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// Its project.
    pub project_id: ProjectId,
    /// Its package.
    pub package_id: PackageId,
    /// Its workflow.
    pub workflow_id: WorkflowId,
    /// For people: the workflow's name.
    pub title: String,
    /// Where it stands.
    pub phase: Phase,
    /// Why the run stands in that phase.
    pub reason: Option<Reason>,
    /// The node that it is at; absent while it has not moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub node_id: Option<NodeId>,
    /// How many of its steps are done, and of how many; absent where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub steps: Option<StepCount>,
    /// When it began.
    pub created_at: Time,
    /// When something last happened.
    pub updated_at: Time,
}

/// `runtime.snapshot.get` (spec 06, spec 11): the state of the journal at `seq`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RuntimeSnapshot {
    /// Sequence number of the last event folded.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub seq: u64,
    /// The run.
    pub run: RunView,
    /// `normal` or `post-completion`.
    pub profile: String,
    /// The state document.
    pub state: StateView,
    /// The graph's nodes with their status.
    pub progress: Progress,
    /// The last rewind, while it can be undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub undo: Option<UndoableRewind>,
    /// The rewind of the person that is not at its end yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub going_back: Option<RewindUnderWay>,
    /// The todos of the run.
    pub todos: TodoList,
    /// The sub-agents that work, or worked lately.
    #[serde(default)]
    pub subagents: Vec<SubagentView>,
    /// The newest facts in order, [`FACTS_IN_SNAPSHOT`](crate::bounds::FACTS_IN_SNAPSHOT) at most.
    pub facts: Vec<FactRecord>,
    /// How many there are before them.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub earlier_facts: usize,
    /// What would be missing if the turn ended now.
    #[serde(default)]
    pub obligations: Vec<Obligation>,
    /// The last judgement.
    pub decision: Option<Decision>,
    /// The message that the model's last words would have been, which were not accepted: the person
    /// may let them stand.
    #[serde(default)]
    pub rejected: Option<MessageId>,
    /// The widget the run waits for; the first of them when one reply asked several things.
    pub widget: Option<WaitingWidget>,
    /// Every widget that can be answered, oldest first, also those the person passed over.
    #[serde(default)]
    pub widgets: Vec<WaitingWidget>,
    /// The folders the person allowed for this run.
    #[serde(default)]
    pub grants: Vec<Grant>,
    /// Tokens so far.
    pub usage: Usage,
    /// The same by model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<ModelUsage>>"))]
    pub usage_by_model: Vec<ModelUsage>,
    /// How much of what the model reads the next request takes; absent when it cannot be built.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub context: Option<ContextUsage>,
    /// Confirmations given and used, oldest first: "who approved what".
    pub approvals: Vec<Approval>,
    /// Accepted versions of the state document, oldest first.
    pub revisions: Vec<RevisionView>,
    /// What the run changed in the project, file by file.
    #[serde(default)]
    pub changes: Vec<FileEffect>,
}

/// `state` of a snapshot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct StateView {
    /// The effective current node.
    pub current_node_id: NodeId,
    /// In order.
    pub steps_completed: Vec<NodeId>,
    /// As in the document.
    #[cfg_attr(feature = "ts", ts(type = "Record<string, unknown>"))]
    pub variables: Value,
    /// As in the document.
    #[cfg_attr(feature = "ts", ts(type = "unknown[]"))]
    pub decision_log: Value,
    /// Project-relative.
    pub artifacts: Vec<String>,
    /// Those of them that this run found and did not make.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<String>>"))]
    pub found: Vec<String>,
    /// SHA-256 of the document.
    pub sha256: String,
}

/// Settings as the settings page shows them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SettingsView {
    /// The values.
    pub settings: Settings,
    /// Whether there is a key for the server of the settings.
    pub has_api_key: bool,
    /// Where: `keychain`, `file`, `environment`, `elsewhere` (kept for another server) or `none`.
    pub api_key_in: String,
    /// Fields an environment variable overrides, by name.
    pub overridden: Vec<String>,
    /// What is wrong with the settings file; each says what holds instead.
    #[serde(default)]
    pub problems: Vec<Failure>,
    /// Where that file is, for a person to correct it.
    #[serde(default)]
    pub file: String,
    /// The providers to choose from, in the order a person is shown them.
    #[serde(default)]
    pub providers: Vec<ProviderView>,
    /// What to know before the key is sent where the settings say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub caution: Option<Phrase>,
    /// What the last test found, while the address, the model and the key are those it asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub tested: Option<ModelTest>,
    /// The models that answered before, the last to answer first.
    #[serde(default)]
    pub known: Vec<KnownModel>,
}

/// A provider of models that settings can name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ProviderView {
    /// As settings name it.
    pub name: String,
    /// Where it answers; absent where every customer has an address of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub base_url: Option<String>,
}

/// One row of the doctor's report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct DoctorRow {
    /// What was looked at.
    pub check: String,
    /// Whether it is fine.
    pub ok: bool,
    /// What was found, in English.
    pub found: String,
    /// What to do when it is not fine, in English.
    pub action: Option<String>,
    /// What `check` is called.
    pub name: Phrase,
    /// What `found` says.
    pub said: Phrase,
    /// What `action` says.
    pub advice: Option<Phrase>,
}
