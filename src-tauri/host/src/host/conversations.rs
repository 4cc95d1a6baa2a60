//! Opening conversations: from a row and a journal to a running task.

use kernel::code::{ErrorCode, Failure};
use kernel::engine::{Env, ExecutionEngine, Input, Limits};
use kernel::event::{Event, Line};
use kernel::ids::{CallId, ConversationId, PackageId, ProjectId, RunId, WorkflowId};
use kernel::mark::Folder;
use kernel::package::Package;
use kernel::phrase::projects;
use kernel::snapshot;
use kernel::trace::Trace;
use kernel::view::View;
use kernel::wire::{Frame, RuntimeSnapshot};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

use super::{Host, ModelChoice, feeds, housekeeping};
use crate::llm::DemoModel;
use crate::models::ModelSource;
use crate::packages;
use crate::real_path::RealPath;
use crate::redact::{Private, Redactor};
use crate::runner::{Mail, Parts, Runner, gone};
use crate::runs;
use crate::store::{Holder, NewRun, Recalled};
use crate::tasks::{self, Outside};
use crate::tools::{MountRoots, ToolHost};

/// Which run a conversation is: what its journal pins.
#[derive(Debug, Clone)]
#[expect(clippy::struct_field_names, reason = "five ids of five types, named as everywhere")]
pub(super) struct RunRef {
    pub(super) run_id: RunId,
    pub(super) conversation_id: ConversationId,
    pub(super) project_id: ProjectId,
    pub(super) package_id: PackageId,
    pub(super) workflow_id: WorkflowId,
}

/// Sends a person's command to a conversation and waits until it is durable.
pub(super) async fn ask(
    host: &Host,
    conversation: &ConversationId,
    input: Input,
) -> Result<(), Failure> {
    let mailbox = mailbox(host, conversation).await?;
    let (answer, answered) = oneshot::channel();
    mailbox.send(Mail::Ask(input, answer)).map_err(|_| gone())?;
    answered.await.map_err(|_| gone())?
}

/// Looking takes no lease and starts nothing: a conversation at rest is read from its last folds
/// on. One that was at work when the program ended is opened, so that a crash is told; when it
/// cannot be run here (its project folder is gone, another process works on it) it is shown as it
/// stands.
pub(super) async fn watch(
    host: &Arc<Host>,
    conversation: &ConversationId,
    watcher: UnboundedSender<Frame>,
) -> Result<(), Failure> {
    if let Some(mailbox) = running(host, conversation).await {
        watch_through(&mailbox, watcher.clone()).await?;
        return feeds::state(host, conversation, None, watcher).await;
    }
    let run = host.store.run_of_conversation(conversation).await?;
    let last = host.store.last_page(conversation, None).await?;
    if run.is_some() && !last.fold.core().is_at_rest() {
        match mailbox(host, conversation).await {
            Ok(mailbox) => {
                watch_through(&mailbox, watcher.clone()).await?;
                return feeds::state(host, conversation, None, watcher).await;
            }
            Err(failure) if shows_anyway(failure.code) => {}
            Err(failure) => return Err(failure),
        }
    }
    let package = match &run {
        Some(run) => Some(known_package(host, &run.package_id).await?),
        None => None,
    };
    let on_disk = last.fold.core().mirrored.clone();
    let status = last.fold.status(conversation, package.as_deref());
    let next_seq = last.fold.seq();
    // Whoever starts a runner holds this place until it can be found.
    let place = host.runners.hold(conversation).await;
    if let Some(mailbox) = place.mailbox().cloned() {
        drop(place);
        watch_through(&mailbox, watcher.clone()).await?;
    } else {
        let whole = last.into_frame(status);
        host.watchers.add(conversation, watcher.clone(), next_seq, whole, None);
        drop(place);
    }
    if run.is_none() {
        return Ok(());
    }
    feeds::state(host, conversation, on_disk, watcher).await
}

async fn watch_through(
    mailbox: &UnboundedSender<Mail>,
    watcher: UnboundedSender<Frame>,
) -> Result<(), Failure> {
    let (answer, answered) = oneshot::channel();
    mailbox.send(Mail::Watch(watcher, answer)).map_err(|_| gone())?;
    answered.await.map_err(|_| gone())?
}

/// The mailbox of a conversation whose task is running.
pub(super) async fn running(
    host: &Host,
    conversation: &ConversationId,
) -> Option<UnboundedSender<Mail>> {
    host.runners.hold(conversation).await.mailbox().cloned()
}

/// `runtime.snapshot.get`: from the running task, else folded from the journal.
pub(super) async fn snapshot_of(
    host: &Host,
    conversation: &ConversationId,
) -> Result<RuntimeSnapshot, Failure> {
    if let Some(mailbox) = running(host, conversation).await {
        let (answer, answered) = oneshot::channel();
        if mailbox.send(Mail::Snapshot(answer)).is_ok() {
            return answered.await.map_err(|_| gone())?;
        }
    }
    let env = read_env(host, conversation).await?;
    let engine = host.store.recall(conversation, env).await?.engine;
    snapshot::snapshot(&engine).map_err(|why| engine.core().locked.clone().unwrap_or(why))
}

/// The mailbox of a conversation, whose task is started when it is not running yet.
pub(super) async fn mailbox(
    host: &Host,
    conversation: &ConversationId,
) -> Result<UnboundedSender<Mail>, Failure> {
    let mut place = host.runners.hold(conversation).await;
    if let Some(mailbox) = place.mailbox().cloned() {
        if !works_elsewhere(host, conversation, &mailbox).await? {
            return Ok(mailbox);
        }
        place.take();
        housekeeping::close(&mailbox).await;
    }
    host.runners.may_open()?;
    let row = run_row(host, conversation).await?;
    let first = host.store.first_line(conversation).await?;
    if let Some(why) = first.as_ref().and_then(Line::beginning).and_then(|b| b.locked().cloned()) {
        return Err(why);
    }
    // The lease first: what is read under it is the whole journal.
    let lease = host.store.acquire(conversation, holder(host)).await?;
    let parts = parts(host, &row, is_demo(host, conversation).await?).await?;
    is_what_it_began_with(&parts.env.package, first.as_ref())?;
    let mut journal = host.store.recall(conversation, parts.env.clone()).await?;
    let demo = parts.outside.model.always_demo || journal.engine.core().plays_demo();
    let limits = host.limits(&host.settings.settings(), demo);
    journal.engine.set_limits(limits.clone());
    complete_audit(&parts, &journal.engine).await?;
    renew_watchers(host, &journal.engine).await?;
    let (runner, mailbox) = Runner::new(parts, journal, Some(lease));
    // Whatever was in flight when the journal was left is not any more.
    tokio::spawn(runner.run(Some(Input::Reopened)));
    place.open(mailbox.clone());
    drop(place);
    tell_newer_limits(host, &mailbox, &limits, demo);
    Ok(mailbox)
}

/// Whether a task that rests has its project open where the project is no more: another program
/// was told of the new place.
async fn works_elsewhere(
    host: &Host,
    conversation: &ConversationId,
    mailbox: &UnboundedSender<Mail>,
) -> Result<bool, Failure> {
    let row = run_row(host, conversation).await?;
    let now = host.store.project(&row.project_id).await?.location;
    let then = host.opened_in(conversation);
    Ok(then.is_some_and(|then| then != now) && housekeeping::rests(mailbox).await)
}

/// Whoever changes the settings tells every open conversation, and leaves out those that are being
/// opened: they look once more when they can be found.
fn tell_newer_limits(host: &Host, mailbox: &UnboundedSender<Mail>, then: &Limits, demo: bool) {
    let now = host.limits(&host.settings.settings(), demo);
    if now != *then {
        // One that has ended needs no limits.
        _ = mailbox.send(Mail::Limits(now));
    }
}

/// Who began to look while nothing ran has missed what another process did since.
async fn renew_watchers(host: &Host, engine: &ExecutionEngine) -> Result<(), Failure> {
    let (id, next_seq) = (engine.conversation(), engine.core().seq);
    if host.watchers.are_behind(id, next_seq) {
        let last = host.store.last_page(id, Some(next_seq)).await?;
        host.watchers.renew(id, next_seq, &last.into_frame(snapshot::status(engine)));
    }
    Ok(())
}

/// Writes the audit lines that are missing: a line of the journal comes before those of its calls.
async fn complete_audit(parts: &Parts, engine: &ExecutionEngine) -> Result<(), Failure> {
    let entries = engine.record().history.entries().iter();
    let ended: Vec<CallId> = entries.filter_map(|entry| entry.answers().cloned()).collect();
    let tools = Arc::clone(&parts.outside.tools);
    let found = super::on_disk(move || {
        Ok(tools.logged().filter(|logged| !logged.missing(ended.iter()).is_empty()))
    });
    let Some(logged) = found.await? else { return Ok(()) };
    let lines = parts.store.lines(&parts.conversation, 0).await?;
    let tools = Arc::clone(&parts.outside.tools);
    let fresh = ExecutionEngine::new(parts.conversation.clone(), parts.env.clone());
    super::on_disk(move || {
        for entry in tasks::unlogged(fresh, &lines, &logged) {
            tools.audit(&entry);
        }
        Ok(())
    })
    .await
}

/// Makes a run's first line durable, then lets it run.
pub(super) async fn begin(
    host: &Host,
    row: RunRef,
    start: kernel::engine::StartRun,
) -> Result<(), Failure> {
    let demo = start.demo;
    let conversation = row.conversation_id.clone();
    let agent_id = start.agent_id.clone();
    let parts = parts(host, &row, demo).await?;
    let title = parts.env.package.workflow(&row.workflow_id).map(|w| w.display_name.clone());
    let mut engine = ExecutionEngine::new(conversation.clone(), parts.env.clone());
    let line =
        engine.decide(&Input::Start(start), host.clock.now()).map_err(|refusal| refusal.0)?;
    let line =
        line.ok_or_else(|| Failure::new(ErrorCode::Internal, projects::must_begin_with_a_line()))?;
    let mut place = host.runners.hold(&conversation).await;
    host.runners.may_open()?;
    let new = NewRun {
        run_id: row.run_id,
        conversation_id: row.conversation_id,
        project_id: row.project_id,
        package_id: row.package_id,
        title: title.unwrap_or_else(|| row.workflow_id.to_string()),
        workflow_id: row.workflow_id,
        agent_id,
        created_at: line.at,
    };
    // The lease first: a run that exists can be worked on.
    let lease = host.store.acquire(&conversation, holder(host)).await?;
    host.store.create_run(new, &line).await?;
    engine.apply(&line);
    let journal = Recalled { engine, view: View::replay([&line]), since_fold: 1 };
    let limits = parts.env.limits.clone();
    let (runner, mailbox) = Runner::new(parts, journal, Some(lease));
    tokio::spawn(runner.run(None));
    place.open(mailbox.clone());
    drop(place);
    tell_newer_limits(host, &mailbox, &limits, demo);
    Ok(())
}

/// What a conversation is shown with when nothing acts on it: also one without a run, and one
/// whose package is gone.
async fn read_env(host: &Host, conversation: &ConversationId) -> Result<Env, Failure> {
    let run = host.store.run_of_conversation(conversation).await?;
    let package = match run {
        Some(run) => known_package(host, &run.package_id).await?,
        None => Arc::new(Package::lost(no_package()?)),
    };
    let demo = plays_demo(host, conversation).await?;
    let limits = host.limits(&host.settings.settings(), demo);
    Ok(Env { package, composer: Arc::clone(&host.composer), limits })
}

/// The package, or what stands for one that is gone.
async fn known_package(host: &Host, id: &PackageId) -> Result<Arc<Package>, Failure> {
    match package(host, id).await {
        Err(failure) if shows_anyway(failure.code) => Ok(Arc::new(Package::lost(id.clone()))),
        other => other,
    }
}

/// See [`Host::demo_trace_left`].
pub(super) async fn demo_trace_left(
    host: &Host,
    conversation: &ConversationId,
) -> Result<Option<Trace>, Failure> {
    let run = run_row(host, conversation).await?;
    let demo = plays_demo(host, conversation).await?;
    if !demo && !matches!(host.options.model, ModelChoice::Demo) {
        return Ok(None);
    }
    let begun = host.store.first_line(conversation).await?;
    let first_words = |event: &Event| matches!(event, Event::UserSaid(_));
    let first_words = begun.is_some_and(|line| line.events.iter().any(first_words));
    // Words that the run began with answer nothing.
    let given = host.store.inputs(conversation).await?.saturating_sub(usize::from(first_words));
    let folder = host.package_folder(&run.package_id);
    let mut trace = super::on_disk(move || packages::demo_trace(&folder, &run.workflow_id)).await?;
    trace.skip_answers(given);
    Ok(Some(trace))
}

/// Stands where a conversation has no run, and so no package.
fn no_package() -> Result<PackageId, Failure> {
    PackageId::new("none").map_err(|e| Failure::new(ErrorCode::Internal, e.says()))
}

fn shows_anyway(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::RunBusy
            | ErrorCode::ProjectRootInvalid
            | ErrorCode::ProjectMismatch
            | ErrorCode::ProjectFileInvalid
            | ErrorCode::StateInitFailed
            | ErrorCode::PackageNotFound
            | ErrorCode::PackageInvalid
            | ErrorCode::ImportReadOnly
            | ErrorCode::NotNow
    )
}

/// A run goes on with the very package it began with; its id is only a part of the hash.
fn is_what_it_began_with(package: &Package, first: Option<&Line>) -> Result<(), Failure> {
    let began_with = first.iter().flat_map(|line| &line.events).find_map(|event| match event {
        Event::RunStarted(e) => e.content_hash.as_ref(),
        _ => None,
    });
    if began_with.is_none_or(|hash| *hash == package.content_hash) {
        return Ok(());
    }
    Err(packages::damaged(&package.id))
}

/// Whether it began as a demo: the first line says so.
pub(super) async fn is_demo(host: &Host, conversation: &ConversationId) -> Result<bool, Failure> {
    Ok(begins_demo(host.store.first_line(conversation).await?.as_ref()))
}

/// Whether the demo's trace still answers: the person may have chosen a model since.
pub(super) async fn plays_demo(
    host: &Host,
    conversation: &ConversationId,
) -> Result<bool, Failure> {
    Ok(is_demo(host, conversation).await?
        && host.store.last_page(conversation, None).await?.fold.core().plays_demo())
}

/// Whether a journal that begins with this line is a demo's.
fn begins_demo(first: Option<&Line>) -> bool {
    let mut events = first.iter().flat_map(|line| &line.events);
    events.any(|e| matches!(e, Event::RunStarted(e) if e.demo))
}

pub(super) async fn run_row(host: &Host, conversation: &ConversationId) -> Result<RunRef, Failure> {
    let run = host.store.run_of_conversation(conversation).await?.ok_or_else(|| {
        Failure::new(ErrorCode::NotNow, projects::no_run_to_go_on(conversation))
            .with_action(projects::only_readable())
    })?;
    Ok(RunRef {
        run_id: run.run_id,
        conversation_id: run.conversation_id,
        project_id: run.project_id,
        package_id: run.package_id,
        workflow_id: run.workflow_id,
    })
}

pub(super) fn holder(host: &Host) -> Holder {
    Holder::this_process(host.options.surface)
}

/// An installed package, read and checked again.
pub(super) async fn package(host: &Host, id: &PackageId) -> Result<Arc<Package>, Failure> {
    let (folder, id) = (packages_dir(host), id.clone());
    super::on_disk(move || packages::load_installed(&folder, &id)).await.map(Arc::new)
}

pub(super) fn packages_dir(host: &Host) -> PathBuf {
    host.options.store.join("packages")
}

async fn env(host: &Host, package_id: &PackageId, demo: bool) -> Result<Env, Failure> {
    let settings = host.settings.settings();
    Ok(Env {
        package: package(host, package_id).await?,
        composer: Arc::clone(&host.composer),
        limits: host.limits(&settings, demo || matches!(host.options.model, ModelChoice::Demo)),
    })
}

pub(super) async fn parts(host: &Host, row: &RunRef, demo: bool) -> Result<Parts, Failure> {
    let project = host.store.project(&row.project_id).await?;
    super::projects::check_is_still(&project).await?;
    host.remember_place(&row.conversation_id, &project.location);
    let pkg = packages_dir(host).join(row.package_id.as_str());
    let state = runs::state_dir(&host.options.store, &row.project_id, &row.run_id);
    let private = private(host, &project.location, &pkg, &state);
    let roots = MountRoots {
        project: RealPath::new(&project.location, "@project"),
        pkg: RealPath::new(&pkg, "@pkg"),
        state,
        store: RealPath::new(&host.options.store, Folder::Store.alias()),
    };
    let marks = Arc::new(private.marks.clone());
    let tools = super::on_disk(move || ToolHost::open(roots, private)).await?;
    let model = model(host, &pkg, &row.workflow_id, demo).await?;
    let outside = Outside::new(model, tools, marks);
    Ok(Parts {
        conversation: row.conversation_id.clone(),
        env: env(host, &row.package_id, demo).await?,
        store: host.store.clone(),
        watchers: Arc::clone(&host.watchers),
        clock: Arc::clone(&host.clock),
        holder: holder(host),
        outside,
    })
}

/// The roots that no request, result or log may show.
fn private(host: &Host, project: &str, pkg: &Path, state: &RealPath) -> Private {
    let store = &host.options.store;
    Private::new(private_folders(store, Path::new(project), pkg, state.as_path()))
}

/// These roots, and those of the program and the person.
pub(super) fn redactor_of(host: &Host, mut roots: Vec<(PathBuf, String)>) -> Redactor {
    roots.extend(aliased(own_folders(&host.options.store)));
    Redactor::new(roots)
}

/// Folders by the aliases that stand for them.
pub(super) fn aliased(folders: Vec<(PathBuf, Folder)>) -> Vec<(PathBuf, String)> {
    folders.into_iter().map(|(path, folder)| (path, folder.alias().to_owned())).collect()
}

/// The folders of this machine that a run knows and nobody else is told of.
pub(super) fn private_folders(
    store: &Path,
    project: &Path,
    pkg: &Path,
    state: &Path,
) -> Vec<(PathBuf, Folder)> {
    let mut folders = vec![
        (project.to_owned(), Folder::Project),
        (pkg.to_owned(), Folder::Package),
        (state.to_owned(), Folder::State),
    ];
    folders.extend(own_folders(store));
    folders
}

fn own_folders(store: &Path) -> Vec<(PathBuf, Folder)> {
    let home = directories::UserDirs::new().map(|dirs| dirs.home_dir().to_owned());
    let home = home.into_iter().map(|home| (home, Folder::Home));
    std::iter::once((store.to_owned(), Folder::Store)).chain(home).collect()
}

/// Runs that began as demos play their package's trace until the person chooses a model; the
/// others ask whatever is configured when they think.
async fn model(
    host: &Host,
    package: &std::path::Path,
    workflow: &WorkflowId,
    demo: bool,
) -> Result<ModelSource, Failure> {
    let always_demo = matches!(host.options.model, ModelChoice::Demo);
    let configured = Arc::clone(&host.models);
    if !demo && !always_demo {
        return Ok(ModelSource { demo: None, always_demo, configured });
    }
    let (package, workflow) = (package.to_owned(), workflow.clone());
    let trace = super::on_disk(move || packages::demo_trace(&package, &workflow)).await?;
    // People watch text being written; a script waits for nothing.
    let paced = host.options.surface == "window";
    let demo = if paced { DemoModel::new(trace) } else { DemoModel::unpaced(trace) };
    Ok(ModelSource { demo: Some(Arc::new(demo)), always_demo, configured })
}
