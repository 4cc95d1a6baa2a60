//! `run`, `say`, `answer`, `stop`.

use host::host::Host;
use kernel::code::{ErrorCode, Failure};
use kernel::command::{Command, Receipt};
use kernel::ids::{AgentId, ConversationId, PackageId, ProjectId, RunId, WorkflowId};
use kernel::trace::Trace;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

use crate::answers::Answers;
use crate::args::{Global, RunArgs};
use crate::exit::Exit;
use crate::follow::{follow, snapshot};
use crate::output::Output;

/// `crewagent run PACKAGE`
pub(crate) async fn run(
    host: &Arc<Host>,
    global: &Global,
    args: &RunArgs,
    out: &Output,
) -> Result<Exit, Failure> {
    let answers = Answers::new(args.answers.as_deref(), &args.input, out.json)?;
    if let Some(max_turns) = args.max_turns {
        host.limit_turns(max_turns);
    }
    let package_id = resolve_package(host, &args.package).await?;
    let project_id = project(host, &global.project).await?;
    let demo = global.model.as_deref() == Some("demo") && global.base_url.is_none();
    let trace = if demo { demo_trace(host, &package_id, args.workflow.as_deref()) } else { None };
    let receipt = host
        .submit(Command::StartRun {
            project_id,
            package_id,
            workflow_id: parsed(args.workflow.as_deref(), WorkflowId::new)?,
            agent_id: parsed(args.agent.as_deref(), AgentId::new)?,
            input: None,
            demo,
        })
        .await?;
    let conversation = conversation_of(&receipt)?;
    if !out.json {
        out.note(&format!("Conversation {conversation}"), &format!("会话 {conversation}"));
    }
    follow(host, &conversation, 0, answers.or_demo(trace.as_ref()), out).await
}

/// `crewagent say CONVERSATION TEXT`
pub(crate) async fn say(
    host: &Arc<Host>,
    conversation: &str,
    text: &str,
    out: &Output,
) -> Result<Exit, Failure> {
    let conversation_id = conversation_id(conversation)?;
    let from = snapshot(host, &conversation_id).await?.seq + 1;
    let command = Command::Say { conversation_id: conversation_id.clone(), text: text.to_owned() };
    host.submit(command).await?;
    follow(host, &conversation_id, from, Answers::default(), out).await
}

/// `crewagent answer CONVERSATION --widget ID --value JSON`
pub(crate) async fn answer(
    host: &Arc<Host>,
    conversation: &str,
    widget: Option<&str>,
    value: &str,
    out: &Output,
) -> Result<Exit, Failure> {
    let conversation_id = conversation_id(conversation)?;
    let value: Value = serde_json::from_str(value)
        .map_err(|e| Failure::new(ErrorCode::BadRequest, format!("--value is not JSON: {e}")))?;
    let snapshot = snapshot(host, &conversation_id).await?;
    let waiting = snapshot.widget.filter(|w| {
        widget.is_none_or(|id| id == w.widget.widget_id || id == w.message_id.as_str())
    });
    let waiting =
        waiting.ok_or_else(|| Failure::new(ErrorCode::WidgetNotFound, "no such widget waits"))?;
    let message_id = waiting.message_id;
    let command = Command::Answer { conversation_id: conversation_id.clone(), message_id, value };
    host.submit(command).await?;
    follow(host, &conversation_id, snapshot.seq + 1, Answers::default(), out).await
}

/// `crewagent stop RUN`
pub(crate) async fn stop(host: &Arc<Host>, run: &str, out: &Output) -> Result<Exit, Failure> {
    let run_id = parsed(Some(run), RunId::new)?;
    let row = host.store().run(&run_id.ok_or_else(internal)?).await?;
    let conversation_id = row.conversation_id;
    host.submit(Command::Stop { conversation_id: conversation_id.clone() }).await?;
    out.result(&json!({ "conversationId": conversation_id }), || "stopped".into());
    Ok(Exit::Done)
}

/// An installed id or name, else a file or folder, else a bundled package; the last two are
/// installed first.
pub(crate) async fn resolve_package(host: &Arc<Host>, text: &str) -> Result<PackageId, Failure> {
    let rows = host.store().packages().await?;
    if let Some(row) = rows.iter().find(|row| row.package_id.as_str() == text) {
        return Ok(row.package_id.clone());
    }
    if Path::new(text).exists() {
        let receipt = host.submit(Command::InstallPackage { path: text.to_owned() }).await?;
        return receipt.package_id.ok_or_else(internal);
    }
    let newest = rows.iter().filter(|row| row.name == text).max_by_key(|row| row.installed_at);
    if let Some(row) = newest {
        return Ok(row.package_id.clone());
    }
    if host::packages::bundled::list().contains(&text) {
        return host.install_bundled(text).await;
    }
    Err({
        let message = format!("no installed package, file or folder is called `{text}`");
        Failure::new(ErrorCode::PackageNotFound, message)
            .with_action("See `crewagent package list`, or name a .bmad file.")
    })
}

/// Opens the project folder, which must exist.
pub(crate) async fn project(host: &Arc<Host>, folder: &Path) -> Result<ProjectId, Failure> {
    let path = std::path::absolute(folder)
        .map_err(|e| host::failure::io(ErrorCode::ProjectRootInvalid, "--project", &e))?;
    let path = path.to_string_lossy().into_owned();
    let receipt = host.submit(Command::OpenProject { path, create: false }).await?;
    receipt.project_id.ok_or_else(internal)
}

fn demo_trace(host: &Arc<Host>, package: &PackageId, workflow: Option<&str>) -> Option<Trace> {
    let folder = host.package_folder(package);
    let workflow = workflow.and_then(|w| WorkflowId::new(w).ok());
    host::packages::demo_trace_of(&folder, workflow.as_ref()).ok()
}

/// A conversation's id, or a run's.
pub(crate) fn conversation_id(text: &str) -> Result<ConversationId, Failure> {
    parsed(Some(text), ConversationId::new)?.ok_or_else(internal)
}

fn conversation_of(receipt: &Receipt) -> Result<ConversationId, Failure> {
    receipt.conversation_id.clone().ok_or_else(internal)
}

fn parsed<T, E: std::fmt::Display>(
    text: Option<&str>,
    parse: impl FnOnce(String) -> Result<T, E>,
) -> Result<Option<T>, Failure> {
    let parsed = text.map(|text| parse(text.to_owned())).transpose();
    parsed.map_err(|e| Failure::new(ErrorCode::BadRequest, e.to_string()))
}

fn internal() -> Failure {
    Failure::new(ErrorCode::Internal, "the command came back without its id")
}
