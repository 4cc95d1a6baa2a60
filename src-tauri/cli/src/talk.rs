//! `chat`, `agent`: talking with the model alone, or with an agent of a package, outside of a run.

use host::host::Host;
use kernel::code::{ErrorCode, Failure};
use kernel::command::{Command, PackagePlace, Query, Receipt, SessionCommand};
use kernel::ids::{AgentId, ConversationId, PackageId};
use kernel::mode::Mode;
use kernel::phrase::{printed, terminal};
use kernel::wire::Answer;
use serde_json::json;
use std::sync::Arc;

use crate::answers::Answers;
use crate::args::{Global, TalkArgs};
use crate::choose::{choose, install};
use crate::exit::Exit;
use crate::follow::{self, follow};
use crate::interrupts::Interrupts;
use crate::output::Output;
use crate::routed::{followed_from, sets_going, told};
use crate::{hooks, names, reads, servers, skills};

/// `crewagent chat [--agent PACKAGE:ID]`
pub(crate) async fn chat(
    host: &Arc<Host>,
    global: &Global,
    agent: Option<&str>,
    args: &TalkArgs,
    out: &Output,
) -> Result<Exit, Failure> {
    let with = match agent {
        Some(agent) => named_agent(host, agent).await?,
        None => Mode::Chat,
    };
    Box::pin(talk(host, global, with, args, out)).await
}

/// `crewagent agent PACKAGE:ID`: its menu first, when nothing is said to it yet.
pub(crate) async fn agent(
    host: &Arc<Host>,
    global: &Global,
    agent: &str,
    args: &TalkArgs,
    out: &Output,
) -> Result<Exit, Failure> {
    let with = named_agent(host, agent).await?;
    let first = if args.input.is_empty() { vec!["/menu".to_owned()] } else { args.input.clone() };
    let args = TalkArgs { input: first, ..args.clone() };
    Box::pin(talk(host, global, with, &args, out)).await
}

async fn talk(
    host: &Arc<Host>,
    global: &Global,
    with: Mode,
    args: &TalkArgs,
    out: &Output,
) -> Result<Exit, Failure> {
    let answers = Answers::after_first_words(args.answers.as_deref(), &args.input, out)?;
    let input = args.input.first().cloned();
    let mut ctrl_c = Interrupts::listen();
    let (receipt, from) = if let Some(id) = &args.conversation {
        names::not_in_a_copy(host, id, &global.project).await?;
        let id = names::run_or_conversation(host, id).await?;
        if !args.trust_mcp.is_empty() {
            let of = reads::conversation(host, &id).await?;
            servers::trust_named(host, &of.project_id, &args.trust_mcp).await?;
        }
        let from = follow::open(host, &id).await?.seq + 1;
        let turn = SessionCommand::Talk { with }.to(id.clone());
        let turned = ctrl_c.submit(host, turn).await?;
        skills::activate(host, &id, &args.skill).await?;
        (said(host, &mut ctrl_c, id, input).await?.unwrap_or(turned), from)
    } else {
        let project_id = names::project(host, &global.project).await?;
        servers::trust_named(host, &project_id, &args.trust_mcp).await?;
        hooks::tell_untrusted(host, &project_id, out).await?;
        servers::tell_untrusted(host, &project_id, out).await?;
        // Skills come before the first words.
        let (first, later) = if args.skill.is_empty() { (input, None) } else { (None, input) };
        let begin = Command::BeginConversation { project_id, with, input: first };
        let begun = ctrl_c.submit(host, begin).await?;
        let id = conversation_of(&begun)?;
        skills::activate(host, &id, &args.skill).await?;
        (said(host, &mut ctrl_c, id, later).await?.unwrap_or(begun), 0)
    };
    let conversation = conversation_of(&receipt)?;
    if !out.json && args.conversation.is_none() {
        out.note(printed::conversation_begins(&conversation));
    }
    let goes_on = match &receipt.routed {
        Some(routed) => sets_going(routed),
        None => !args.input.is_empty(),
    };
    if goes_on {
        let from = followed_from(&receipt, from);
        return follow(host, &conversation, from, answers, ctrl_c, out).await;
    }
    told(&receipt, out);
    follow::talk_on(host, &conversation, answers, ctrl_c, out).await
}

/// Says words, when there are some.
async fn said(
    host: &Host,
    ctrl_c: &mut Interrupts,
    conversation: ConversationId,
    text: Option<String>,
) -> Result<Option<Receipt>, Failure> {
    match text {
        Some(text) => {
            let say = SessionCommand::Say { text }.to(conversation);
            ctrl_c.submit(host, say).await.map(Some)
        }
        None => Ok(None),
    }
}

/// The agent that `PACKAGE:ID` means; the only one of a package that is named alone.
async fn named_agent(host: &Arc<Host>, text: &str) -> Result<Mode, Failure> {
    let (package, agent) = match text.rsplit_once(':') {
        Some((package, agent)) if !package.is_empty() => (package, Some(agent)),
        _ => (text, None),
    };
    let agent_id = agent.map(AgentId::new).transpose();
    let agent_id = agent_id.map_err(|e| Failure::new(ErrorCode::BadRequest, e.says()))?;
    let place = choose(host, package).await?;
    let package_id = installed(host, place).await?;
    let query = Query::Package { package_id: package_id.clone() };
    let Answer::Package(report) = host.query(query).await? else {
        return Err(Failure::new(ErrorCode::Internal, terminal::another_answer()));
    };
    let ids: Vec<&str> = report.agents.iter().map(|agent| agent.id.as_str()).collect();
    let found = match &agent_id {
        Some(id) => report.agents.iter().find(|agent| agent.id == *id),
        None if report.agents.len() == 1 => report.agents.first(),
        None => None,
    };
    let found = found.ok_or_else(|| {
        let named = agent.unwrap_or("?");
        Failure::new(ErrorCode::AgentNotFound, terminal::no_such_agent(package, named))
            .with_details(json!({ "agents": ids }))
            .with_action(terminal::name_one_of(ids.join(", ")))
    })?;
    Ok(Mode::Agent { package_id, agent_id: found.id.clone() })
}

async fn installed(host: &Arc<Host>, place: PackagePlace) -> Result<PackageId, Failure> {
    let hash = match &place {
        PackagePlace::Path { path } => reads::inspected(host, path).await?.content_hash,
        PackagePlace::Store { .. } | PackagePlace::Program { .. } => String::new(),
    };
    install(host, place, hash).await
}

fn conversation_of(receipt: &Receipt) -> Result<ConversationId, Failure> {
    let id = receipt.conversation_id.clone();
    id.ok_or_else(|| Failure::new(ErrorCode::Internal, terminal::no_id_came_back()))
}
