//! `run`, `say`, `answer`, `stop`.

use host::host::Host;
use kernel::code::{ErrorCode, Failure};
use kernel::command::{Command, Receipt, RecordQuery, SessionCommand};
use kernel::ids::{AgentId, ConversationId, IdError, WorkflowId};
use kernel::phrase::{Why, printed, terminal};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

use crate::answers::Answers;
use crate::args::{Global, RunArgs};
use crate::choose::{choose, install};
use crate::exit::Exit;
use crate::follow::{follow, open};
use crate::interrupts::Interrupts;
use crate::names::{self, run_or_conversation};
use crate::output::Output;
use crate::routed::{followed_from, sets_going, told};
use crate::transcript::offer_own_model;
use crate::{hooks, reads, servers, status};

/// `crewagent run PACKAGE`
pub(crate) async fn run(
    host: &Arc<Host>,
    global: &Global,
    args: &RunArgs,
    out: &Output,
) -> Result<Exit, Failure> {
    let answers = Answers::after_first_words(args.answers.as_deref(), &args.input, out)?;
    let workflow_id = parsed(args.workflow.as_deref(), WorkflowId::new)?;
    let agent_id = parsed(args.agent.as_deref(), AgentId::new)?;
    // Everything is looked at before anything is made: a wrong name leaves nothing behind.
    let demo = global.model.as_deref() == Some("demo") && global.base_url.is_none();
    let package = choose(host, &in_language(&args.package, demo, out)).await?;
    let (workflow, agent) = (workflow_id.clone(), agent_id.clone());
    let choice =
        RecordQuery::RunChoice { package: package.clone(), workflow_id: workflow, agent_id: agent };
    let choice = reads::run_choice(host, choice).await?;
    let project_id = names::project(host, &global.project).await?;
    servers::trust_named(host, &project_id, &args.trust_mcp).await?;
    hooks::tell_untrusted(host, &project_id, out).await?;
    servers::tell_untrusted(host, &project_id, out).await?;
    let package_id = install(host, package, choice.content_hash).await?;
    let input = args.input.first().cloned();
    let joins = match &args.conversation {
        Some(id) => Some(run_or_conversation(host, id).await?),
        None => None,
    };
    let from = match &joins {
        Some(id) => open(host, id).await?.seq + 1,
        None => 0,
    };
    let start = Command::StartRun {
        project_id,
        package_id,
        workflow_id,
        agent_id,
        input,
        demo,
        conversation_id: joins,
    };
    let mut ctrl_c = Interrupts::listen();
    let receipt = ctrl_c.submit(host, start).await?;
    let conversation = conversation_of(&receipt)?;
    if !out.json {
        out.note(printed::conversation_begins(&conversation));
    }
    let recorded = if demo { reads::demo_answers(host, &conversation).await } else { None };
    let exit = follow(host, &conversation, from, answers.or_demo(recorded), ctrl_c, out).await?;
    if demo && exit == Exit::Done {
        offer_own_model(&conversation, out);
    }
    Ok(exit)
}

/// A bundled demo plays in the reader's language, when it comes in it.
fn in_language(package: &str, demo: bool, out: &Output) -> String {
    let translated = format!("{package}-{}", out.lang.tag());
    let bundled = host::packages::bundled::list().contains(&translated.as_str());
    let plays = demo && bundled && !Path::new(package).exists();
    if plays { translated } else { package.to_owned() }
}

/// `crewagent say CONVERSATION TEXT`
pub(crate) async fn say(
    host: &Arc<Host>,
    conversation: &str,
    text: &str,
    out: &Output,
) -> Result<Exit, Failure> {
    let conversation_id = run_or_conversation(host, conversation).await?;
    let from = open(host, &conversation_id).await?.seq + 1;
    let command = SessionCommand::Say { text: text.to_owned() };
    let mut ctrl_c = Interrupts::listen();
    let receipt = ctrl_c.submit(host, command.to(conversation_id.clone())).await?;
    let conversation_id = receipt.conversation_id.clone().unwrap_or(conversation_id);
    if let Some(routed) = &receipt.routed
        && !sets_going(routed)
    {
        told(&receipt, out);
        return Ok(Exit::Done);
    }
    let from = followed_from(&receipt, from);
    follow(host, &conversation_id, from, Answers::default(), ctrl_c, out).await
}

/// `crewagent answer CONVERSATION --widget ID --value JSON`
pub(crate) async fn answer(
    host: &Arc<Host>,
    conversation: &str,
    widget: Option<&str>,
    value: &str,
    out: &Output,
) -> Result<Exit, Failure> {
    let conversation_id = run_or_conversation(host, conversation).await?;
    let value: Value = serde_json::from_str(value).map_err(|e| {
        Failure::new(ErrorCode::WidgetValueInvalid, terminal::value_not_json(Why::quoted(e)))
            .with_action(terminal::quote_the_value())
    })?;
    let snapshot = open(host, &conversation_id).await?;
    let waiting_id = snapshot.widget.as_ref().map(|w| w.widget.widget_id.clone());
    // A name may mean an older question, which was passed over; the newest of that name counts.
    let waiting = match widget {
        None => snapshot.widget,
        Some(id) => (snapshot.widgets.into_iter().rev())
            .find(|w| id == w.widget.widget_id || id == w.message_id.as_str()),
    };
    let waiting = waiting.ok_or_else(|| no_such_widget(waiting_id.as_deref(), widget))?;
    let message_id = waiting.message_id;
    let command = SessionCommand::Answer { message_id, value, shown_ms: None };
    let mut ctrl_c = Interrupts::listen();
    ctrl_c.submit(host, command.to(conversation_id.clone())).await?;
    follow(host, &conversation_id, snapshot.seq + 1, Answers::default(), ctrl_c, out).await
}

fn no_such_widget(waiting: Option<&str>, asked: Option<&str>) -> Failure {
    let action = match waiting {
        Some(id) => terminal::that_one_waits(id),
        None => terminal::nothing_is_asked(),
    };
    let message = asked.map_or_else(terminal::no_widget_waits, terminal::no_such_widget_waits);
    Failure::new(ErrorCode::WidgetNotFound, message)
        .with_details(json!({ "waiting": waiting }))
        .with_action(action)
}

/// `crewagent stop RUN`: whoever works on it is asked to stop, and waited for. A run that nobody
/// works on rests already; one whose process died is brought to rest.
pub(crate) async fn stop(host: &Arc<Host>, run: &str, out: &Output) -> Result<Exit, Failure> {
    let conversation_id = names::conversation_of(host, run).await?;
    let stopped = host.submit(SessionCommand::Stop.to(conversation_id.clone())).await;
    let snapshot = match stopped {
        Err(failure) if failure.code != ErrorCode::NotNow => return Err(failure),
        stopped => {
            if stopped.is_err() {
                out.note(printed::nobody_works_on_it());
            }
            reads::snapshot(host, &conversation_id).await?
        }
    };
    out.result(&snapshot, || status::words(&snapshot, out));
    Ok(Exit::Done)
}

fn conversation_of(receipt: &Receipt) -> Result<ConversationId, Failure> {
    let id = receipt.conversation_id.clone();
    id.ok_or_else(|| Failure::new(ErrorCode::Internal, terminal::no_id_came_back()))
}

fn parsed<T>(
    text: Option<&str>,
    parse: impl FnOnce(String) -> Result<T, IdError>,
) -> Result<Option<T>, Failure> {
    let parsed = text.map(|text| parse(text.to_owned())).transpose();
    parsed.map_err(|e| Failure::new(ErrorCode::BadRequest, e.says()))
}
