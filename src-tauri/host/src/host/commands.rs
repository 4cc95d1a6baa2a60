//! Commands, one function each. A command that fails leaves nothing half-done.

use kernel::code::{ErrorCode, Failure};
use kernel::command::{Command, Receipt, SessionCommand};
use kernel::draft::{Draft, DraftPlace};
use kernel::engine::{Input, StartRun};
use kernel::ids::{AgentId, ChangeId, ConversationId, PackageId, ProjectId, RunId, WorkflowId};
use kernel::phrase;
use kernel::state_doc::{Initial, StateDoc};
use kernel::time::Time;
use kernel::wire::{PackageView, RunSummary};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::conversations::RunRef;
use super::{Host, ModelChoice, conversations, housekeeping, models, on_disk, projects};
use crate::crash::{Point, point};
use crate::electron::ElectronImport;
use crate::export::Form;
use crate::packages::{self, Inspected};
use crate::projects::DEFAULT_ARTIFACTS_DIR;
use crate::runner::Mail;
use crate::runs;

/// How long another program may take to stop: a stream ends at once, a write that began is finished.
const STOP_PATIENCE: Duration = Duration::from_secs(20);

pub(super) async fn submit(host: &Host, command: Command) -> Result<Receipt, Failure> {
    match command {
        Command::OpenProject { .. }
        | Command::OpenCopiedProject { .. }
        | Command::RebindProject { .. }
        | Command::ForgetProject { .. } => project(host, command).await,
        Command::InstallPackage { path, content_hash } => {
            install_shown(host, path, content_hash).await
        }
        Command::RemovePackage { package_id } => remove_package(host, package_id).await,
        Command::StartRun { project_id, package_id, workflow_id, agent_id, input, demo } => {
            let ask = NewRun { project_id, package_id, workflow_id, agent_id, input, demo };
            start_run(host, ask).await
        }
        Command::PlayDemo { path, package } => play_demo(host, path, package).await,
        Command::KeepDraft { place, value } => keep_draft(host, place, value).await,
        Command::Session { conversation_id, command } => {
            session(host, conversation_id, command).await
        }
        Command::RenameConversation { conversation_id, title } => {
            host.store.rename_conversation(&conversation_id, &title).await?;
            Ok(Receipt { conversation_id: Some(conversation_id), ..Receipt::default() })
        }
        Command::DeleteConversation { conversation_id } => {
            housekeeping::delete(host, vec![conversation_id]).await
        }
        Command::DeleteProjectData { project_id } => delete_project_data(host, project_id).await,
        Command::ExportConversation { conversation_id, format, path, language } => {
            let form = Form { format, language };
            housekeeping::export_to(host, &conversation_id, form, PathBuf::from(path)).await
        }
        Command::ExportRun { run_id, path, replace } => {
            host.export_run(&run_id, PathBuf::from(path), replace).await?;
            Ok(Receipt { run_id: Some(run_id), ..Receipt::default() })
        }
        Command::Configure { patch } => configure(host, patch).await,
        Command::StopModelTest => {
            host.tests.stop();
            Ok(Receipt::default())
        }
        Command::StoreApiKey { key } => {
            let settings = Arc::clone(&host.settings);
            on_disk(move || settings.store_api_key(&key)).await?;
            forget_resting(host);
            Ok(Receipt::default())
        }
        Command::ImportElectron { path, with_keys } => {
            let ask = ElectronImport { path: PathBuf::from(path), dry_run: false, with_keys };
            let report = host.import_electron(ask, None).await?;
            Ok(Receipt { import: Some(Box::new(report)), ..Receipt::default() })
        }
    }
}

/// What becomes of a project in the list.
async fn project(host: &Host, command: Command) -> Result<Receipt, Failure> {
    let project = match command {
        Command::OpenProject { path, create } => {
            projects::open(host, PathBuf::from(path), create).await?
        }
        Command::OpenCopiedProject { path, copied } => {
            projects::open_copied(host, PathBuf::from(path), copied).await?
        }
        Command::RebindProject { project_id, path, adopt } => {
            projects::rebind(host, &project_id, PathBuf::from(path), adopt).await?
        }
        Command::ForgetProject { project_id } => {
            host.store.forget_project(&project_id).await?;
            return Ok(Receipt::default());
        }
        _ => {
            let message = phrase::projects::no_word_about_a_project();
            return Err(Failure::new(ErrorCode::Internal, message));
        }
    };
    Ok(Receipt { project_id: Some(project.project_id), ..Receipt::default() })
}

/// Also the run that was to be started there.
async fn delete_project_data(host: &Host, project_id: ProjectId) -> Result<Receipt, Failure> {
    let ids = host.store.conversations_of(&project_id).await?;
    let receipt = housekeeping::delete(host, ids).await?;
    host.store.forget_draft(&DraftPlace::NewRun { project_id }).await?;
    Ok(receipt)
}

async fn keep_draft(host: &Host, place: DraftPlace, value: Value) -> Result<Receipt, Failure> {
    if value.is_null() {
        host.store.forget_draft(&place).await?;
    } else {
        host.store.keep_draft(Draft { place, value, at: host.clock.now() }).await?;
    }
    Ok(Receipt::default())
}

/// What a person says to a run.
async fn session(
    host: &Host,
    id: ConversationId,
    command: SessionCommand,
) -> Result<Receipt, Failure> {
    match command {
        SessionCommand::Say { text } => conversations::ask(host, &id, Input::Say(text)).await?,
        SessionCommand::Answer { message_id, value, shown_ms } => {
            conversations::ask(host, &id, Input::Answer { message_id, value, shown_ms }).await?;
        }
        SessionCommand::RevokeApproval { change_id } => revoke(host, &id, change_id).await?,
        SessionCommand::Stop => stop(host, &id).await?,
        SessionCommand::Resume => conversations::ask(host, &id, Input::Resume).await?,
        SessionCommand::UseModel => {
            let model = Some(models::named(host).await?);
            conversations::ask(host, &id, Input::UseModel { model }).await?;
            // The size of the model's context holds for it now.
            forget_resting(host);
        }
    }
    Ok(Receipt { conversation_id: Some(id), ..Receipt::default() })
}

/// Stops a run, also one that another program works on: it is asked to, and waited for.
async fn stop(host: &Host, conversation: &ConversationId) -> Result<(), Failure> {
    let stopped = conversations::ask(host, conversation, Input::Stop { partial: None }).await;
    let Err(busy) = stopped else { return Ok(()) };
    if busy.code != ErrorCode::RunBusy {
        return Err(busy);
    }
    match host.store.ask_to_stop(conversation).await? {
        Some(asked) => host.store.has_stopped(&asked, STOP_PATIENCE).await,
        // It has ended in between.
        None => conversations::ask(host, conversation, Input::Stop { partial: None }).await,
    }
}

/// Takes an approval back. One that was in force when this was asked for, and ended because the
/// journal was opened, is taken back too: nobody has it any more.
async fn revoke(
    host: &Host,
    conversation: &ConversationId,
    change_id: ChangeId,
) -> Result<(), Failure> {
    let before = conversations::snapshot_of(host, conversation).await?;
    let known = before.grants.iter().any(|grant| grant.change_id == change_id);
    match conversations::ask(host, conversation, Input::Revoke(change_id)).await {
        Err(failure) if known && failure.code == ErrorCode::ApprovalNotFound => Ok(()),
        other => other,
    }
}

/// What is installed is what was agreed to: a file may be another by the time somebody says yes.
async fn install_shown(
    host: &Host,
    path: String,
    shown: Option<String>,
) -> Result<Receipt, Failure> {
    let inspected = on_disk(move || packages::inspect(Path::new(&path))).await?;
    if shown.is_some_and(|shown| shown != inspected.report.content_hash) {
        return Err(Failure::new(ErrorCode::PackageChanged, phrase::packages::changed_since()));
    }
    let package_id = install(host, inspected).await?;
    Ok(Receipt { package_id: Some(package_id), ..Receipt::default() })
}

/// Installs what was inspected and enters it into the list. Installing twice is once.
pub(super) async fn install(host: &Host, inspected: Inspected) -> Result<PackageId, Failure> {
    let folder = conversations::packages_dir(host);
    let (inspected, id) = on_disk(move || {
        let id = packages::install(&inspected, &folder)?;
        Ok((inspected, id))
    })
    .await?;
    let row = package_row(&inspected, &id, host.clock.now())?;
    point(Point::BeforePackageRow);
    host.store.register_package(row).await?;
    Ok(id)
}

/// What the list of packages says of an installed one.
pub(crate) fn package_row(
    inspected: &Inspected,
    id: &PackageId,
    now: Time,
) -> Result<PackageView, Failure> {
    let report = &inspected.report;
    let manifest = report.manifest.clone().ok_or_else(|| {
        Failure::new(ErrorCode::Internal, phrase::projects::must_have_a_manifest())
    })?;
    Ok(PackageView {
        package_id: id.clone(),
        name: manifest.name,
        version: manifest.version,
        description: manifest.description,
        workflows: report.workflows.clone(),
        agents: report.agents.clone(),
        has_demo: inspected.has_demo(),
        installed_at: now,
    })
}

/// Installs a package that comes with the program.
pub(super) async fn install_bundled(host: &Host, name: String) -> Result<PackageId, Failure> {
    let inspected = on_disk(move || packages::bundled::inspect(&name)).await?;
    install(host, inspected).await
}

async fn remove_package(host: &Host, package_id: PackageId) -> Result<Receipt, Failure> {
    host.store.package(&package_id).await?;
    let runs = host.store.runs_of_package(&package_id).await?;
    if !runs.is_empty() {
        return Err(in_use(host, &package_id, &runs).await?);
    }
    let (folder, id) = (conversations::packages_dir(host), package_id.clone());
    point(Point::BeforePackageRemoval);
    // The folder first: what the list still names can be removed again.
    match on_disk(move || packages::remove(&folder, &id)).await {
        Err(failure) if failure.code != ErrorCode::PackageNotFound => return Err(failure),
        Ok(()) | Err(_) => {}
    }
    host.store.unregister_package(&package_id).await?;
    Ok(Receipt { package_id: Some(package_id), ..Receipt::default() })
}

/// Which runs keep a package, also completed ones: their conversations are shown with its graph.
async fn in_use(host: &Host, id: &PackageId, runs: &[RunSummary]) -> Result<Failure, Failure> {
    let mut rows = Vec::with_capacity(runs.len());
    for run in runs {
        let conversation = host.store.conversation(&run.conversation_id).await?;
        let project = host.store.project(&run.project_id).await?;
        rows.push(json!({
            "runId": run.run_id, "conversationId": run.conversation_id,
            "projectId": run.project_id, "projectName": project.name,
            "title": conversation.title, "phase": run.phase,
        }));
    }
    let named = rows.iter().take(NAMED_RUNS).map(|row| {
        format!("“{}” ({})", row["title"].as_str().unwrap_or_default(), text_of(&row["runId"]))
    });
    let named = named.collect::<Vec<String>>().join(", ");
    let message = match rows.len().saturating_sub(NAMED_RUNS) {
        0 => phrase::packages::used_by(id, named),
        more => phrase::packages::used_by_more(id, named, more),
    };
    Ok(Failure::new(ErrorCode::PackageInUse, message).with_details(json!({ "runs": rows })))
}

fn text_of(value: &serde_json::Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Runs that a message names one by one.
const NAMED_RUNS: usize = 3;

struct NewRun {
    project_id: ProjectId,
    package_id: PackageId,
    workflow_id: Option<WorkflowId>,
    agent_id: Option<AgentId>,
    input: Option<String>,
    demo: bool,
}

/// The state folder, the run row, the conversation row and the first line appear together or not
/// at all: the folder comes first and is swept when the transaction fails (spec 03 "Run
/// creation").
async fn start_run(host: &Host, ask: NewRun) -> Result<Receipt, Failure> {
    let row = host.store.project(&ask.project_id).await?;
    let project = projects::open_known(host, &row).await?;
    let opened = project.clone();
    on_disk(move || opened.ensure_artifacts_dir()).await?;
    let package = conversations::package(host, &ask.package_id).await?;
    let (workflow, agent) =
        runs::resolve(&package, ask.workflow_id.as_ref(), ask.agent_id.as_ref())?;
    let run_id =
        RunId::new(host.ids.uuid()).map_err(|e| Failure::new(ErrorCode::Internal, e.says()))?;
    let initial = Initial {
        run_id: &run_id,
        workflow_id: &workflow.id,
        agent_id: &agent.id,
        now: host.clock.now(),
    };
    let state = StateDoc::initial(&workflow.state_template, &initial)?;
    let run = RunRef {
        conversation_id: ConversationId::of_run(&run_id),
        run_id: run_id.clone(),
        project_id: project.project_id.clone(),
        package_id: ask.package_id.clone(),
        workflow_id: workflow.id.clone(),
    };
    let start = StartRun {
        run_id,
        project_id: run.project_id.clone(),
        package_id: run.package_id.clone(),
        content_hash: Some(package.content_hash.clone()),
        workflow_id: run.workflow_id.clone(),
        agent_id: agent.id.clone(),
        artifacts_ask: project.artifacts_dir != DEFAULT_ARTIFACTS_DIR,
        artifacts_dir: project.artifacts_dir.clone(),
        state: state.text().to_string(),
        input: ask.input,
        demo: ask.demo || matches!(host.options.model, ModelChoice::Demo),
    };
    let folder = StateFolder { store: host.options.store.clone(), run: run.clone() };
    let making = folder.clone();
    on_disk(move || making.make()).await?;
    point(Point::BeforeRunRows);
    if let Err(failure) = conversations::begin(host, run.clone(), start).await {
        // The first failure is the one to tell.
        _ = on_disk(move || folder.discard()).await;
        return Err(failure);
    }
    Ok(Receipt {
        project_id: Some(run.project_id),
        package_id: Some(run.package_id),
        run_id: Some(run.run_id),
        conversation_id: Some(run.conversation_id),
        import: None,
    })
}

/// Where a run's state lies in the store.
#[derive(Clone)]
struct StateFolder {
    store: PathBuf,
    run: RunRef,
}

impl StateFolder {
    fn make(&self) -> Result<(), Failure> {
        runs::create_state_dir(&self.store, &self.run.project_id, &self.run.run_id).map(drop)
    }

    fn discard(&self) -> Result<(), Failure> {
        runs::discard_state_dir(&self.store, &self.run.project_id, &self.run.run_id)
    }
}

const DEMO_PACKAGE: &str = "hello-branch";

async fn play_demo(
    host: &Host,
    path: Option<String>,
    package: Option<String>,
) -> Result<Receipt, Failure> {
    let name = package.unwrap_or_else(|| DEMO_PACKAGE.to_owned());
    let folder = match path {
        Some(path) => PathBuf::from(path),
        None => on_disk(free_demo_folder).await?,
    };
    let package_id = install_bundled(host, name).await?;
    let project = projects::open(host, folder, true).await?;
    let ask = NewRun {
        project_id: project.project_id,
        package_id,
        workflow_id: None,
        agent_id: None,
        input: None,
        demo: true,
    };
    start_run(host, ask).await
}

/// `CrewAgent Demo` in the documents folder, numbered when it is taken: a demo never writes into
/// something that was there before.
fn free_demo_folder() -> Result<PathBuf, Failure> {
    let dirs = directories::UserDirs::new().ok_or_else(|| {
        Failure::new(ErrorCode::ProjectRootInvalid, phrase::projects::no_home_folder())
    })?;
    let parent = dirs.document_dir().unwrap_or_else(|| dirs.home_dir());
    (1..=u32::MAX)
        .map(|n| if n == 1 { "CrewAgent Demo".to_owned() } else { format!("CrewAgent Demo {n}") })
        .map(|name| parent.join(name))
        .find(|folder| !folder.exists())
        .ok_or_else(|| {
            Failure::new(ErrorCode::ProjectRootInvalid, phrase::projects::no_free_demo_folder())
        })
}

async fn configure(host: &Host, patch: Value) -> Result<Receipt, Failure> {
    let settings = Arc::clone(&host.settings);
    on_disk(move || settings.configure(&patch)).await?;
    forget_resting(host);
    Ok(Receipt::default())
}

/// Settings hold from the next turn on: a conversation at rest is opened anew when it is needed,
/// one at work keeps its model and takes over the limits.
pub(super) fn forget_resting(host: &Host) {
    let limits = host.limits_now();
    // One that is being opened looks for itself (`conversations::tell_newer_limits`).
    host.runners.tell(|| Mail::Limits(limits.clone()));
}
