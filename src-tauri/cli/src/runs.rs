//! `runs list|show|diff|put-back|revisions|rewind|record|approvals|resume|accept|fresh|end|delete|export|replay`, `todos`, `snapshot`.

use host::host::Host;
use kernel::code::{ErrorCode, Failure};
use kernel::command::{Query, SessionCommand};
use kernel::event::{Phase, Reason};
use kernel::ids::ConversationId;
use kernel::mode::Mode;
use kernel::phrase::{engine as said, printed, terminal};
use kernel::wire::{Answer, PackageView, RunSummary, RuntimeSnapshot};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

use crate::answers::Answers;
use crate::approvals;
use crate::args::{Global, RunsCommand, WhichRequests};
use crate::conversations;
use crate::differences;
use crate::exit::Exit;
use crate::follow::{self, follow};
use crate::interrupts::Interrupts;
use crate::judged;
use crate::names::{self, conversation_of};
use crate::output::Output;
use crate::print::{blocks, rows};
use crate::put_back;
use crate::reads;
use crate::replay;
use crate::requests;
use crate::revisions;
use crate::rewind;
use crate::shorten;
use crate::status;

/// `crewagent runs …`
pub(crate) async fn runs(
    host: &Arc<Host>,
    global: &Global,
    command: &RunsCommand,
    out: &Output,
) -> Result<Exit, Failure> {
    let of_files = match command {
        RunsCommand::Resume { run, .. } | RunsCommand::PutBack { run, .. } => Some(run),
        RunsCommand::Rewind(args) => Some(&args.run),
        _ => None,
    };
    if let Some(run) = of_files {
        names::not_in_a_copy(host, run, &global.project).await?;
    }
    match command {
        RunsCommand::List => list(host, global, out).await,
        RunsCommand::Show { run, requests: Some(which), .. } => asked(host, run, *which, out).await,
        RunsCommand::Show { run, decisions: true, .. } => decisions(host, run, out).await,
        RunsCommand::Show { run, approvals, facts, .. } => {
            show(host, run, *approvals, *facts, out).await
        }
        RunsCommand::Accept { run } => accept(host, run, out).await,
        RunsCommand::Fresh { run } => {
            let conversation = conversation_of(host, run).await?;
            shorten::shorten(host, &conversation, SessionCommand::StartAfresh, out).await
        }
        RunsCommand::End { run, reason } => end(host, run, reason.clone(), out).await,
        RunsCommand::Approvals { run, revoke } => {
            let conversation = conversation_of(host, run).await?;
            approvals::approvals(host, &conversation, revoke, out).await
        }
        RunsCommand::Resume { run, input, answers } => {
            Box::pin(resume(host, run, input.clone(), answers.as_deref(), out)).await
        }
        RunsCommand::Delete { run, yes } => {
            let conversation = conversation_of(host, run).await?;
            conversations::delete_one(host, conversation.as_str(), *yes, out).await
        }
        RunsCommand::Export { run, output, force } => {
            replay::export(host, run, output, *force, out).await
        }
        RunsCommand::Diff { run, file } => {
            differences::differences(host, run, file.as_deref(), out).await
        }
        RunsCommand::PutBack { run, file, yes } => {
            put_back::put_back(host, run, file, *yes, out).await
        }
        RunsCommand::Revisions(args) => revisions::revisions(host, args, out).await,
        RunsCommand::Rewind(args) => rewind::rewind(host, args, out).await,
        RunsCommand::Record { run, output, force } => {
            replay::record(host, run, output, *force, out).await
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
    let project_id = names::project(host, &global.project).await?;
    let Answer::Runs(runs) = host.query(Query::Runs { project_id }).await? else {
        return Err(unexpected());
    };
    // They only have the titles of steps.
    let packages = reads::packages(host).await.unwrap_or_default();
    out.result(&runs, || {
        let row = |r: &RunSummary| {
            let phase = status::phase(r.phase, out);
            let step = step(r, &packages, out).unwrap_or_default();
            format!("{}  {phase:<13} {}  {}{step}", r.run_id, r.updated_at, r.title)
        };
        rows(runs.iter().map(row))
    });
    Ok(Exit::Done)
}

/// The step that a run is at while it goes on, and how many are done; `None` where that is not known.
fn step(run: &RunSummary, packages: &[PackageView], out: &Output) -> Option<String> {
    let node = run.node_id.as_ref().filter(|_| run.phase != Phase::Completed)?;
    let package = packages.iter().find(|package| package.package_id == run.package_id)?;
    let workflow = package.workflows.iter().find(|workflow| workflow.id == run.workflow_id)?;
    let title = &workflow.steps.iter().find(|step| step.id == *node)?.title;
    let count = run.steps.map(|steps| out.say(printed::steps_done(steps.done, steps.total)));
    Some(count.map_or_else(|| format!(" · {title}"), |count| format!(" · {title} · {count}")))
}

async fn show(
    host: &Arc<Host>,
    run: &str,
    approvals: bool,
    facts: bool,
    out: &Output,
) -> Result<Exit, Failure> {
    let conversation = conversation_of(host, run).await?;
    let snapshot = reads::snapshot(host, &conversation).await?;
    if approvals {
        out.result(&snapshot.approvals, || approvals::in_words(&snapshot, out));
    } else if facts {
        let all = reads::facts(host, &conversation).await?;
        let both = json!({ "facts": all, "obligations": snapshot.obligations });
        out.result(&both, || judged::facts(&all, &snapshot, out));
    } else {
        let settings = reads::settings(host).await?;
        out.result(&snapshot, || {
            let words = [status::words(&snapshot, out)].into_iter();
            let context = status::context(&snapshot, out);
            blocks(words.chain(context).chain([status::spent(&snapshot, &settings, out)]))
        });
    }
    Ok(Exit::Done)
}

/// Every judgement of the runtime.
async fn decisions(host: &Arc<Host>, run: &str, out: &Output) -> Result<Exit, Failure> {
    let conversation = conversation_of(host, run).await?;
    let all = reads::judgements(host, &conversation).await?;
    out.result(&all, || judged::decisions(&all, out));
    Ok(Exit::Done)
}

/// What was asked of the model: a list, or one request as it was sent.
async fn asked(
    host: &Arc<Host>,
    run: &str,
    which: WhichRequests,
    out: &Output,
) -> Result<Exit, Failure> {
    let conversation = names::run_or_conversation(host, run).await?;
    if let WhichRequests::Numbered(number) = which {
        let request = reads::request(host, &conversation, number).await?;
        out.result(&request, || requests::whole(&request, out));
    } else {
        let list = reads::requests(host, &conversation).await?;
        out.result(&list, || requests::list(&list, out));
    }
    Ok(Exit::Done)
}

/// Whoever names a run means it, and nobody that is talked with beside it.
async fn turn_to_the_run(host: &Arc<Host>, conversation: &ConversationId) -> Result<(), Failure> {
    if follow::open(host, conversation).await?.with == Mode::Run {
        return Ok(());
    }
    let back = SessionCommand::Talk { with: Mode::Run };
    host.submit(back.to(conversation.clone())).await.map(drop)
}

/// Lets the model's last words stand, which were not accepted.
async fn accept(host: &Arc<Host>, run: &str, out: &Output) -> Result<Exit, Failure> {
    let conversation = conversation_of(host, run).await?;
    turn_to_the_run(host, &conversation).await?;
    let before = follow::open_run(host, &conversation).await?;
    let nothing = || Failure::new(ErrorCode::NotNow, said::nothing_rejected());
    let message_id = before.rejected.ok_or_else(nothing)?;
    let accept = SessionCommand::AcceptAnyway { message_id };
    host.submit(accept.to(conversation.clone())).await?;
    let after = reads::snapshot(host, &conversation).await?;
    out.result(&after, || status::words(&after, out));
    Ok(Exit::of_rest(after.run.phase, after.run.reason, None))
}

/// Ends a run where it stands.
async fn end(
    host: &Arc<Host>,
    run: &str,
    reason: Option<String>,
    out: &Output,
) -> Result<Exit, Failure> {
    let conversation = conversation_of(host, run).await?;
    follow::open_run(host, &conversation).await?;
    turn_to_the_run(host, &conversation).await?;
    host.submit(SessionCommand::EndRun { reason }.to(conversation.clone())).await?;
    let after = reads::snapshot(host, &conversation).await?;
    out.result(&after, || status::words(&after, out));
    Ok(Exit::Done)
}

/// `crewagent todos RUN`
pub(crate) async fn todos(host: &Arc<Host>, run: &str, out: &Output) -> Result<Exit, Failure> {
    let conversation_id = conversation_of(host, run).await?;
    let Answer::Todos(list) = host.query(Query::Todos { conversation_id }).await? else {
        return Err(unexpected());
    };
    out.result(&list, || judged::todos(&list, out));
    Ok(Exit::Done)
}

/// `crewagent snapshot CONVERSATION`
pub(crate) async fn snapshot(
    host: &Arc<Host>,
    conversation: &str,
    out: &Output,
) -> Result<Exit, Failure> {
    let conversation = names::run_or_conversation(host, conversation).await?;
    let snapshot = reads::snapshot(host, &conversation).await?;
    out.result(&snapshot, || status::words(&snapshot, out));
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
    turn_to_the_run(host, &conversation).await?;
    // Opening the journal says what was interrupted; only then is it clear how to go on.
    let before = follow::open_run(host, &conversation).await?;
    answers = answers.or_demo(reads::demo_answers(host, &conversation).await);
    let command = match input {
        Some(text) => SessionCommand::Say { text },
        None if goes_on_by_itself(&before) => SessionCommand::Resume,
        None if answers.is_anybody_there(&before) => {
            return follow::answer_and_follow(host, &before, &conversation, answers, out).await;
        }
        None => {
            out.result(&before, || status::words(&before, out));
            let complete = before.run.phase == Phase::Completed;
            if !complete {
                out.note(printed::run_waits_for_answer());
            }
            return Ok(if complete { Exit::Done } else { Exit::Waiting });
        }
    };
    let mut ctrl_c = Interrupts::listen();
    ctrl_c.submit(host, command.to(conversation.clone())).await?;
    follow(host, &conversation, before.seq + 1, answers, ctrl_c, out).await
}

fn goes_on_by_itself(snapshot: &RuntimeSnapshot) -> bool {
    let by_reason = snapshot.run.reason.is_some_and(Reason::leaves_the_model_to_go_on);
    snapshot.run.phase != Phase::Completed && by_reason
}

fn unexpected() -> Failure {
    Failure::new(ErrorCode::Internal, terminal::another_answer())
}
