//! `runs list|show|approvals|resume|export|replay`, `snapshot`.

use host::host::Host;
use kernel::code::{ErrorCode, Failure};
use kernel::command::{Command, Query};
use kernel::event::{Phase, Reason};
use kernel::ids::{ConversationId, RunId};
use kernel::wire::{Answer, RuntimeSnapshot, StepStatus};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

use crate::answers::{Answers, Next};
use crate::approvals;
use crate::args::{Global, RunsCommand};
use crate::exit::Exit;
use crate::follow::{self, follow};
use crate::output::{self, Output};
use crate::replay;
use crate::run;

/// `crewagent runs …`
pub(crate) async fn runs(
    host: &Arc<Host>,
    global: &Global,
    command: &RunsCommand,
    out: &Output,
) -> Result<Exit, Failure> {
    match command {
        RunsCommand::List => list(host, global, out).await,
        RunsCommand::Show { run, approvals } => show(host, run, *approvals, out).await,
        RunsCommand::Approvals { run, revoke } => {
            let conversation = conversation_of(host, run).await?;
            approvals::approvals(host, &conversation, revoke, out).await
        }
        RunsCommand::Resume { run, input, answers } => {
            resume(host, run, input.clone(), answers.as_deref(), out).await
        }
        RunsCommand::Export { run, output, force } => {
            replay::export(host, run, output, *force, out).await
        }
        RunsCommand::Replay { file } => replay::replay(file, out).await,
    }
}

async fn list(host: &Arc<Host>, global: &Global, out: &Output) -> Result<Exit, Failure> {
    // Looking must not make a project of a folder that is none.
    if global.project.is_dir() && !global.project.join(host::projects::PROJECT_FILE).exists() {
        out.result(&json!([]), String::new);
        return Ok(Exit::Done);
    }
    let project_id = run::project(host, &global.project).await?;
    let Answer::Runs(runs) = host.query(Query::Runs { project_id }).await? else {
        return Err(unexpected());
    };
    out.result(&runs, || {
        let row = |r: &kernel::wire::RunSummary| {
            format!("{}  {:<13} {}  {}", r.run_id, word(&r.phase), r.updated_at, r.title)
        };
        runs.iter().map(row).collect::<Vec<_>>().join("\n")
    });
    Ok(Exit::Done)
}

async fn show(host: &Arc<Host>, run: &str, approvals: bool, out: &Output) -> Result<Exit, Failure> {
    let conversation = conversation_of(host, run).await?;
    let snapshot = follow::snapshot(host, &conversation).await?;
    if approvals {
        out.result(&snapshot.approvals, || approvals::in_words(&snapshot, out));
    } else {
        out.result(&snapshot, || words(&snapshot, out));
    }
    Ok(Exit::Done)
}

/// `crewagent snapshot CONVERSATION`
pub(crate) async fn snapshot(
    host: &Arc<Host>,
    conversation: &str,
    out: &Output,
) -> Result<Exit, Failure> {
    let conversation = run::conversation_id(conversation)?;
    let snapshot = follow::snapshot(host, &conversation).await?;
    out.result(&snapshot, || words(&snapshot, out));
    Ok(Exit::Done)
}

/// Goes on with a run: with words, with an answer to the widget that waits, or by itself.
async fn resume(
    host: &Arc<Host>,
    run: &str,
    input: Option<String>,
    answers: Option<&Path>,
    out: &Output,
) -> Result<Exit, Failure> {
    let conversation = conversation_of(host, run).await?;
    let mut answers = Answers::new(answers, &[], out)?;
    // Opening the journal says what was interrupted; only then is it clear how to go on.
    let before = follow::open(host, &conversation).await?;
    answers = answers.or_demo(host.demo_trace_left(&conversation).await.as_ref());
    let Some(command) = next_move(&conversation, &before, input, &mut answers).await? else {
        out.result(&before, || words(&before, out));
        let complete = before.run.phase == Phase::Completed;
        if !complete {
            out.note("The run waits for an answer.", "运行正在等待回答。");
        }
        return Ok(if complete { Exit::Done } else { Exit::Waiting });
    };
    host.submit(command).await?;
    follow(host, &conversation, before.seq + 1, answers, out).await
}

/// What goes on with the run; `None` when nobody has anything to say.
async fn next_move(
    conversation: &ConversationId,
    before: &RuntimeSnapshot,
    input: Option<String>,
    answers: &mut Answers,
) -> Result<Option<Command>, Failure> {
    let conversation_id = conversation.clone();
    if let Some(text) = input {
        return Ok(Some(Command::Say { conversation_id, text }));
    }
    if goes_on_by_itself(before) {
        return Ok(Some(Command::Resume { conversation_id }));
    }
    let waiting = before.widget.as_ref();
    Ok(match answers.next(waiting).await? {
        Next::Nobody => None,
        Next::Say(text) => Some(Command::Say { conversation_id, text }),
        Next::Submit(value) => waiting
            .map(|w| w.message_id.clone())
            .map(|message_id| Command::Answer { conversation_id, message_id, value }),
    })
}

/// After a crash, an error, a limit or a stop the model has the next move; after a question the
/// person has.
fn goes_on_by_itself(snapshot: &RuntimeSnapshot) -> bool {
    let by_reason = matches!(
        snapshot.run.reason,
        Some(Reason::Interrupted | Reason::Failed | Reason::Limit | Reason::Stopped)
    );
    snapshot.run.phase != Phase::Completed && by_reason
}

async fn conversation_of(host: &Arc<Host>, run: &str) -> Result<ConversationId, Failure> {
    let run_id = RunId::new(run).map_err(|e| Failure::new(ErrorCode::BadRequest, e.to_string()))?;
    Ok(host.store().run(&run_id).await?.conversation_id)
}

pub(crate) fn words(snapshot: &RuntimeSnapshot, out: &Output) -> String {
    let mut lines = vec![format!("{}  {}", snapshot.run.run_id, word(&snapshot.run.phase))];
    for step in &snapshot.progress.steps {
        let mark = match step.status {
            StepStatus::Completed => "✓",
            StepStatus::Current => "▸",
            StepStatus::Pending => "·",
        };
        lines.push(format!("  {mark} {}", step.title));
    }
    lines.extend(snapshot.state.artifacts.iter().map(|a| format!("  @project/{a}")));
    if let Some(waiting) = &snapshot.widget {
        let (widget, change) = (&waiting.widget, waiting.change.as_ref());
        lines.push(format!("  ? {}", output::question(widget, change, out.lang)));
        lines.extend(output::cautions(widget, change, out));
        lines.extend(output::choices(widget, out.lang));
        if let Some(change) = change {
            let does = output::does(&change.parts, &change.summary, out.lang);
            lines.push(format!("  {}: {does}", change.path));
            let files = kernel::restore::lines(&change.files, &change.conflicts);
            lines.extend(files.into_iter().map(|line| format!("  {line}")));
            lines.extend(change.diff.lines().map(|line| format!("  {line}")));
        }
    }
    lines.join("\n")
}

fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
}

fn unexpected() -> Failure {
    Failure::new(ErrorCode::Internal, "another answer than the one asked for")
}
