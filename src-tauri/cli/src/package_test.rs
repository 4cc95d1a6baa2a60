//! `package test`: plays the traces of a package without a model, each in a store and a project of
//! its own that are gone afterwards, and says where what happens is not what a trace expects.

use host::host::{Host, HostOptions, ModelChoice};
use host::packages::{self, NamedTrace};
use kernel::bounds::WHOLE_BYTES;
use kernel::code::{ErrorCode, Failure};
use kernel::command::{Command, PackagePlace, SessionCommand};
use kernel::diff;
use kernel::event::{CallEnded, Event, Phase, Reason, TurnFinished};
use kernel::ids::{ConversationId, PackageId, WorkflowId};
use kernel::phrase::{Phrase, printed, terminal};
use kernel::tool::failure_of;
use kernel::trace::{Trace, TraceEnd, Turn};
use kernel::wire::RuntimeSnapshot;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::answers::{Answers, NextMove};
use crate::choose::choose;
use crate::differences::changed_line;
use crate::exit::Exit;
use crate::interrupts::Interrupts;
use crate::output::Output;
use crate::print::{StyledText, paint, rows};
use crate::reads;

/// Lines of a difference that are shown: the rest is in the trace and in the package.
const SHOWN_LINES: usize = 40;

/// Calls that failed which are told of a trace that did not hold.
const SHOWN_CALLS: usize = 5;

/// What came of one trace.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct TraceOutcome {
    trace: String,
    passed: bool,
    /// Answers of the model that were played.
    turns: usize,
    /// Why the run could not go on, with what was expected and what there was.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<Failure>,
    /// What is not as the trace says.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<Phrase>,
}

impl TraceOutcome {
    /// One that could not be played.
    fn of(trace: String, failure: Failure) -> Self {
        let (failure, differences) = (Some(failure), Vec::new());
        Self { trace, passed: false, turns: 0, failure, differences }
    }
}

/// A folder that goes away with its owner, with the packages in it, which nobody may write to.
struct TestFolder(PathBuf);

impl TestFolder {
    fn new() -> io::Result<Self> {
        let made = tempfile::Builder::new().prefix("crewagent-package-test-").tempdir()?;
        Ok(Self(made.keep()))
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        if let Err(e) = packages::remove_folder(&self.0) {
            let why = host::failure::io_words(&e);
            tracing::warn!(%why, "the folder of a package's test could not be removed");
        }
    }
}

/// `crewagent package test PACKAGE [--trace NAME]`
pub(crate) async fn test(
    host: &Arc<Host>,
    store: &Path,
    package: &str,
    only: Option<&str>,
    out: &Output,
) -> Result<Exit, Failure> {
    let place = match choose(host, package).await? {
        // Installed it is a folder like any other.
        PackagePlace::Store { package_id } => {
            let folder = packages::installed_folder(store, &package_id);
            PackagePlace::Path { path: folder.to_string_lossy().into_owned() }
        }
        place => place,
    };
    let mut ctrl_c = Interrupts::listen();
    let temp = TestFolder::new().map_err(|e| no_folder(&e))?;
    let traces = traces(&place, &temp.0.join("looked-at"), only).await?;
    let mut outcomes = Vec::new();
    for (n, named) in traces.into_iter().enumerate() {
        let (file, folder) = (named.file.clone(), temp.0.join(n.to_string()));
        let playing = Box::pin(played(&place, named, &folder));
        let outcome = tokio::select! {
            // A trace that cannot be played keeps no other from being played.
            outcome = playing => outcome.unwrap_or_else(|failure| TraceOutcome::of(file, failure)),
            () = ctrl_c.pressed() => return Ok(Exit::Interrupted),
        };
        if !out.json {
            out.print(words(&outcome, out));
        }
        outcomes.push(outcome);
    }
    if out.json {
        out.document(&outcomes);
    }
    let passed = outcomes.iter().all(|outcome| outcome.passed);
    Ok(if passed { Exit::Done } else { Exit::Failed })
}

/// The traces of the package, or the one that is meant.
async fn traces(
    place: &PackagePlace,
    folder: &Path,
    only: Option<&str>,
) -> Result<Vec<NamedTrace>, Failure> {
    let host = Host::open(HostOptions::new(folder.join("store"), "cli")).await?;
    let id = installed(&host, place).await?;
    host.close().await;
    let package = packages::installed_folder(&folder.join("store"), &id);
    let mut traces = packages::named_traces(&package);
    if let Some(only) = only {
        let is_meant = |it: &NamedTrace| it.file == only || it.name() == only;
        let known: Vec<String> = traces.iter().map(|it| it.name().to_owned()).collect();
        traces.retain(is_meant);
        if traces.is_empty() {
            let failure = terminal::no_such_trace(only, known.join(", "));
            return Err(Failure::new(ErrorCode::BadRequest, failure));
        }
    }
    if traces.is_empty() {
        let failure = Failure::new(ErrorCode::DemoTraceInvalid, terminal::no_traces());
        return Err(failure.with_action(terminal::record_a_trace()));
    }
    Ok(traces)
}

async fn installed(host: &Arc<Host>, place: &PackagePlace) -> Result<PackageId, Failure> {
    let command = match place.clone() {
        PackagePlace::Store { package_id } => return Ok(package_id),
        PackagePlace::Program { name } => Command::InstallBundled { name },
        PackagePlace::Path { path } => Command::InstallPackage { path, content_hash: None },
    };
    host.submit(command).await?.package_id.ok_or_else(lost)
}

/// Plays one trace, in folders of its own.
async fn played(
    place: &PackagePlace,
    named: NamedTrace,
    folder: &Path,
) -> Result<TraceOutcome, Failure> {
    let trace = Arc::new(named.trace?);
    let project = folder.join("project");
    std::fs::create_dir_all(&project).map_err(|e| no_folder(&e))?;
    let model = ModelChoice::Trace(Arc::clone(&trace));
    let approve_writes = trace.approve_writes;
    let options =
        HostOptions { model, approve_writes, ..HostOptions::new(folder.join("store"), "cli") };
    let host = Host::open(options).await?;
    let package_id = installed(&host, place).await?;
    let path = project.to_string_lossy().into_owned();
    let opened = host.submit(Command::OpenProject { path, create: true }).await?;
    let workflow_id = match &trace.workflow {
        Some(name) => Some(
            WorkflowId::new(name.as_str())
                .map_err(|e| Failure::new(ErrorCode::PackageInvalid, e.says()))?,
        ),
        None => None,
    };
    let start = Command::StartRun {
        project_id: opened.project_id.ok_or_else(lost)?,
        package_id,
        workflow_id,
        agent_id: None,
        input: trace.input.clone(),
        demo: true,
        conversation_id: None,
    };
    let began = host.submit(start).await.map_err(where_to_name)?;
    let conversation = began.conversation_id.ok_or_else(lost)?;
    let played = Playing { host: &host, conversation: &conversation, trace: &trace };
    let outcome = played.to_the_end(named.file).await;
    host.close().await;
    outcome
}

/// Says where the workflow is named that a trace is played with.
fn where_to_name(failure: Failure) -> Failure {
    match failure.code {
        ErrorCode::WorkflowRefRequired => failure.with_action(terminal::name_workflow_in_trace()),
        _ => failure,
    }
}

/// What is done when a run rests.
enum NextInput {
    /// The next answer of the trace is given.
    Answer,
    /// The run goes on as it is.
    Resume,
    /// There is nothing left to do.
    Nothing,
}

/// Calls that failed where the trace does not say that they do: they tell why it did not hold.
#[derive(Default)]
struct FailedCalls {
    /// Of the newest answer.
    newest: Vec<Phrase>,
    earlier: Vec<Phrase>,
}

impl FailedCalls {
    fn add(&mut self, call: &CallEnded) {
        let failure = failure_of(&call.result).filter(|_| !call.ok);
        let told = |failure: Failure| {
            terminal::failure_of_call(&call.tool, failure.code.as_str(), failure.to_part())
        };
        self.newest.extend(failure.map(told));
    }

    /// The script answers with this turn.
    fn answered(&mut self, turn: Option<&Turn>) {
        let newest = std::mem::take(&mut self.newest);
        if turn.and_then(|turn| turn.when.last_tool_ok) != Some(false) {
            self.earlier.extend(newest);
        }
    }

    fn last(mut self) -> Vec<Phrase> {
        self.earlier.append(&mut self.newest);
        let left_out = self.earlier.len().saturating_sub(SHOWN_CALLS);
        self.earlier.split_off(left_out)
    }
}

struct Playing<'a> {
    host: &'a Arc<Host>,
    conversation: &'a ConversationId,
    trace: &'a Trace,
}

impl Playing<'_> {
    async fn to_the_end(&self, trace: String) -> Result<TraceOutcome, Failure> {
        let mut lines = self.host.follow(self.conversation, 0).await?;
        let mut answers = Answers::of_trace(self.trace);
        let (mut turns, mut failure, mut resumed_at) = (0, None, None);
        let mut failed = FailedCalls::default();
        loop {
            let mut rest: Option<TurnFinished> = None;
            while rest.is_none() {
                let line = lines.recv().await.ok_or_else(lost)??;
                for event in &line.events {
                    match event {
                        Event::ModelReplied(_) | Event::CandidateRejected(_) => {
                            failed.answered(self.trace.turns.get(turns));
                            turns += 1;
                        }
                        Event::CallEnded(e) => failed.add(e),
                        Event::ModelFailed(e) => failure = Some(e.failure.clone()),
                        Event::TurnFinished(e) => rest = Some(e.clone()),
                        _ => {}
                    }
                }
            }
            let snapshot = reads::snapshot(self.host, self.conversation).await?;
            let goes_on = match self.next(&snapshot, turns, &answers) {
                NextInput::Answer => self.answered(&snapshot, &mut answers).await?,
                // Nothing comes of a second try without an answer in between.
                NextInput::Resume if resumed_at == Some(turns) => false,
                NextInput::Resume => {
                    resumed_at = Some(turns);
                    self.tell(SessionCommand::Resume).await?;
                    true
                }
                NextInput::Nothing => false,
            };
            if !goes_on {
                let mut differences = differences(self.trace, turns, &answers, &snapshot);
                let passed = failure.is_none() && differences.is_empty();
                if !passed {
                    differences.extend(failed.last());
                }
                return Ok(TraceOutcome { trace, passed, turns, failure, differences });
            }
        }
    }

    /// What the person of the trace did when the run rested like this, after so many turns.
    fn next(&self, rests: &RuntimeSnapshot, turns: usize, answers: &Answers) -> NextInput {
        let words_are_next = |turn: &Turn| turn.when.expects_words();
        match (rests.run.phase, rests.run.reason) {
            (Phase::Completed, _) if answers.is_empty() => NextInput::Nothing,
            (Phase::Completed, _) | (_, Some(Reason::Answered | Reason::Widget)) => {
                NextInput::Answer
            }
            // At a limit, or after words that were not accepted, a person may let the run go on.
            (_, Some(Reason::Limit | Reason::NotAccepted)) => match self.trace.turns.get(turns) {
                Some(turn) if words_are_next(turn) => NextInput::Answer,
                Some(_) => NextInput::Resume,
                None => NextInput::Nothing,
            },
            _ => NextInput::Nothing,
        }
    }

    async fn tell(&self, command: SessionCommand) -> Result<(), Failure> {
        self.host.submit(command.to(self.conversation.clone())).await.map(drop)
    }

    /// Gives the next answer of the trace; false when there is none.
    async fn answered(
        &self,
        snapshot: &RuntimeSnapshot,
        answers: &mut Answers,
    ) -> Result<bool, Failure> {
        let waiting = snapshot.widget.as_ref();
        let command = match answers.next(waiting).await? {
            NextMove::Say(text) => SessionCommand::Say { text },
            NextMove::Submit(value) => {
                let Some(waiting) = waiting else { return Ok(false) };
                let message_id = waiting.message_id.clone();
                SessionCommand::Answer { message_id, value, shown_ms: None }
            }
            NextMove::Open | NextMove::Nobody => return Ok(false),
        };
        self.tell(command).await?;
        Ok(true)
    }
}

/// What is not as the trace says.
fn differences(
    trace: &Trace,
    turns: usize,
    answers: &Answers,
    snapshot: &RuntimeSnapshot,
) -> Vec<Phrase> {
    let mut found = Vec::new();
    if turns < trace.turns.len() {
        found.push(terminal::turns_not_played(turns, trace.turns.len()));
    }
    if !answers.is_empty() {
        found.push(terminal::answers_left());
    }
    let Some(TraceEnd { phase, node, files }) = &trace.expect else { return found };
    let is = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let now = is(&serde_json::to_value(snapshot.run.phase).unwrap_or_default());
    if let Some(phase) = phase.as_ref().filter(|phase| **phase != now) {
        found.push(terminal::another_phase(phase, now));
    }
    let now = &snapshot.state.current_node_id;
    if let Some(node) = node.as_ref().filter(|node| node.as_str() != now.as_str()) {
        found.push(terminal::another_node(node, now));
    }
    let made: BTreeSet<String> =
        snapshot.changes.iter().map(|change| change.path.to_string()).collect();
    if let Some(files) = files {
        found.extend(files.difference(&made).map(terminal::file_not_made));
        found.extend(made.difference(files).map(terminal::file_not_expected));
    }
    found
}

fn words(outcome: &TraceOutcome, out: &Output) -> StyledText {
    let TraceOutcome { trace, passed, turns, failure, differences } = outcome;
    let mark = if *passed { paint("32", "✓ ") } else { paint("31;1", "✗ ") };
    let mut lines = vec![mark.and(out.say(printed::recorded(trace, *turns)))];
    if let Some(failure) = failure {
        lines.push(format!("  {}", failure.message_in(out.lang)).into());
        lines.extend(failure.action_in(out.lang).map(|it| format!("  {it}").into()));
        lines.extend(failure.details.iter().flat_map(|details| sides(details, out)));
    }
    lines.extend(differences.iter().map(|it| format!("  {}", out.say(it.clone())).into()));
    rows(lines)
}

/// What a request was to be like and what it was, as a diff.
fn sides(details: &Value, out: &Output) -> Vec<StyledText> {
    let (Some(expected), Some(got)) = (details.get("expected"), details.get("got")) else {
        return Vec::new();
    };
    // What was asked is a message: its text is what differs.
    let got = got.get("content").and_then(Value::as_str).map_or_else(|| plain(got), told);
    let diff = diff::unified("", &plain(expected), &got, WHOLE_BYTES);
    let head = [
        paint("31", format!("    - {}", out.say(printed::as_expected()))),
        paint("32", format!("    + {}", out.say(printed::as_got()))),
    ];
    let shown = diff.text.lines().skip_while(|line| !line.starts_with("@@")).skip(1);
    let lines = shown.take(SHOWN_LINES).map(|line| changed_line(&format!("    {line}"), line));
    head.into_iter().chain(lines).collect()
}

/// A value as lines: of a list or an object each entry.
fn plain(value: &Value) -> String {
    let line = |value: &Value| match value {
        Value::String(text) => text.clone(),
        _ => serde_json::to_string_pretty(value).unwrap_or_default(),
    };
    let lines: Vec<String> = match value {
        Value::Object(map) => {
            map.iter().map(|(name, it)| format!("{name}: {}", line(it))).collect()
        }
        Value::Array(list) => list.iter().map(line).collect(),
        _ => vec![line(value)],
    };
    lines.join("\n") + "\n"
}

/// The text of a message: a result is JSON.
fn told(content: &str) -> String {
    serde_json::from_str::<Value>(content).map_or_else(|_| format!("{content}\n"), |it| plain(&it))
}

fn no_folder(error: &io::Error) -> Failure {
    host::failure::io(ErrorCode::Io, terminal::temp_folder(), error)
}

fn lost() -> Failure {
    Failure::new(ErrorCode::Internal, terminal::no_id_came_back())
}
