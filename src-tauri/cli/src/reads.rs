//! What the terminal reads of the host: one function for each query it asks.

use host::host::Host;
use kernel::code::{ErrorCode, Failure};
use kernel::command::{Query, RecordQuery, SearchQuery};
use kernel::engine::FactRecord;
use kernel::ids::{ConversationId, ProjectId, RunId};
use kernel::package::PackageReport;
use kernel::phrase::terminal;
use kernel::settings::Settings;
use kernel::trace;
use kernel::wire::{
    Answer, ConversationPage, ConversationSummary, JudgementRecord, MessagePage, PackageView,
    PolicyTable, RequestList, RequestView, RunChoice, RunSummary, RuntimeSnapshot, SearchPage,
    Standing, StoreSizes,
};

/// The answer to a query, as far as it is one of the kind that was asked for.
macro_rules! ask {
    ($host:expr, $query:expr, $kind:ident) => {
        match $host.query($query.into()).await? {
            Answer::$kind(answer) => Ok(answer),
            _ => Err(Failure::new(ErrorCode::Internal, terminal::another_answer())),
        }
    };
}

/// The installed packages.
pub(crate) async fn packages(host: &Host) -> Result<Vec<PackageView>, Failure> {
    ask!(host, Query::Packages, Packages)
}

/// What the store takes on the disk.
pub(crate) async fn sizes(host: &Host) -> Result<StoreSizes, Failure> {
    ask!(host, Query::Sizes, Sizes)
}

/// A page of the list of conversations; of every project's when none is named.
pub(crate) async fn conversations(
    host: &Host,
    project_id: Option<ProjectId>,
    limit: u32,
    after: Option<String>,
) -> Result<ConversationPage, Failure> {
    let limit = Some(limit);
    ask!(host, Query::Conversations { project_id, limit, after }, Conversations)
}

/// What a search finds.
pub(crate) async fn search(host: &Host, search: SearchQuery) -> Result<SearchPage, Failure> {
    ask!(host, Query::Search(search), Search)
}

/// Every fact of a conversation, the oldest first.
pub(crate) async fn facts(host: &Host, id: &ConversationId) -> Result<Vec<FactRecord>, Failure> {
    ask!(host, RecordQuery::Facts { conversation_id: id.clone() }, Facts)
}

/// Every judgement of a conversation, the oldest first.
pub(crate) async fn judgements(
    host: &Host,
    id: &ConversationId,
) -> Result<Vec<JudgementRecord>, Failure> {
    ask!(host, RecordQuery::Judgements { conversation_id: id.clone() }, Judgements)
}

/// The report of a file or folder that is not installed.
pub(crate) async fn inspected(host: &Host, path: &str) -> Result<PackageReport, Failure> {
    ask!(host, Query::InspectPackage { path: path.to_owned() }, Package).map(|found| *found)
}

/// The settings.
pub(crate) async fn settings(host: &Host) -> Result<Settings, Failure> {
    ask!(host, Query::Settings, Settings).map(|view| view.settings)
}

/// The requests of a conversation.
pub(crate) async fn requests(host: &Host, id: &ConversationId) -> Result<RequestList, Failure> {
    ask!(host, Query::Requests { conversation_id: id.clone() }, Requests)
}

/// One of them as it was sent. `REQUEST_NOT_FOUND`.
pub(crate) async fn request(
    host: &Host,
    id: &ConversationId,
    number: u64,
) -> Result<RequestView, Failure> {
    let query = Query::Request { conversation_id: id.clone(), number };
    ask!(host, query, Request).map(|found| *found)
}

/// A conversation of the list. `CONVERSATION_NOT_FOUND`.
pub(crate) async fn conversation(
    host: &Host,
    id: &ConversationId,
) -> Result<ConversationSummary, Failure> {
    let query = RecordQuery::Conversation { conversation_id: id.clone() };
    ask!(host, query, Conversation).map(|found| *found)
}

/// The state of a conversation.
pub(crate) async fn snapshot(host: &Host, id: &ConversationId) -> Result<RuntimeSnapshot, Failure> {
    ask!(host, Query::Snapshot { conversation_id: id.clone() }, Snapshot).map(|found| *found)
}

/// Where a conversation stands, also one without a run.
pub(crate) async fn standing(host: &Host, id: &ConversationId) -> Result<Standing, Failure> {
    let query = RecordQuery::Standing { conversation_id: id.clone() };
    ask!(host, query, Standing).map(|found| *found)
}

/// A run of the list. `RUN_NOT_FOUND`.
pub(crate) async fn run(host: &Host, id: &RunId) -> Result<RunSummary, Failure> {
    ask!(host, RecordQuery::Run { run_id: id.clone() }, Run).map(|found| *found)
}

/// A page of messages: a numbered one, else the one that ends at `before` or at the end.
pub(crate) async fn messages(
    host: &Host,
    id: &ConversationId,
    page: Option<u32>,
    before: Option<u64>,
    limit: u32,
) -> Result<MessagePage, Failure> {
    let conversation_id = id.clone();
    ask!(host, RecordQuery::Messages { conversation_id, page, before, limit }, Messages)
}

/// Which workflow and agent a run would have.
pub(crate) async fn run_choice(host: &Host, choice: RecordQuery) -> Result<RunChoice, Failure> {
    ask!(host, choice, RunChoice)
}

/// The recorded answers a demo has left; `None` when no demo plays.
pub(crate) async fn demo_answers(
    host: &Host,
    id: &ConversationId,
) -> Option<Vec<trace::TraceAnswer>> {
    let query = RecordQuery::DemoAnswers { conversation_id: id.clone() };
    let answers: Result<_, Failure> = async { ask!(host, query, DemoAnswers) }.await;
    answers.ok().flatten()
}

/// What each agent may do.
pub(crate) async fn policy(host: &Host) -> Result<PolicyTable, Failure> {
    ask!(host, RecordQuery::Policy, Policy).map(|table| *table)
}

/// What is wrong with the settings file.
pub(crate) async fn settings_problems(host: &Host) -> Result<Vec<Failure>, Failure> {
    ask!(host, RecordQuery::SettingsProblems, SettingsProblems)
}
