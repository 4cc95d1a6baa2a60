//! `hooks list|trust|untrust`: the commands of a project.

use host::host::Host;
use kernel::code::{ErrorCode, Failure};
use kernel::command::{Command, Query};
use kernel::ids::ProjectId;
use kernel::phrase::{asking, hooks as said, terminal};
use kernel::wire::{Answer, HookView};
use std::io::IsTerminal as _;
use std::sync::Arc;

use crate::args::{Global, HooksCommand};
use crate::ask;
use crate::exit::Exit;
use crate::hook_words::listed;
use crate::names;
use crate::output::Output;

/// `crewagent hooks …`
pub(crate) async fn hooks(
    host: &Arc<Host>,
    global: &Global,
    command: &HooksCommand,
    out: &Output,
) -> Result<Exit, Failure> {
    let project_id = names::project(host, &global.project).await?;
    let hooks = of_project(host, &project_id).await?;
    match command {
        HooksCommand::List => {
            out.result(&hooks, || listed(&hooks, out));
            Ok(Exit::Done)
        }
        HooksCommand::Trust { name, yes } => {
            let chosen: Vec<HookView> =
                named(&hooks, name)?.into_iter().filter(|hook| !hook.trusted).collect();
            if !chosen.is_empty() && !agreed(&chosen, *yes, out)? {
                return Ok(Exit::Waiting);
            }
            set(host, project_id, &chosen, true, out).await
        }
        HooksCommand::Untrust { name } => {
            set(host, project_id, &named(&hooks, name)?, false, out).await
        }
    }
}

async fn of_project(host: &Host, project_id: &ProjectId) -> Result<Vec<HookView>, Failure> {
    let query = Query::Hooks { project_id: project_id.clone() };
    match host.query(query).await? {
        Answer::Hooks(hooks) => Ok(hooks),
        _ => Err(Failure::new(ErrorCode::Internal, terminal::another_answer())),
    }
}

/// Says that a project has commands that are not run, because nobody has trusted them yet.
pub(crate) async fn tell_untrusted(
    host: &Host,
    project_id: &ProjectId,
    out: &Output,
) -> Result<(), Failure> {
    let hooks = of_project(host, project_id).await?;
    let untrusted = hooks.iter().filter(|hook| !hook.trusted).count();
    if untrusted > 0 && !out.json {
        out.note(said::hooks_not_trusted_yet(untrusted));
    }
    Ok(())
}

/// Those of these names; all when none is given.
fn named(hooks: &[HookView], names: &[String]) -> Result<Vec<HookView>, Failure> {
    let find = |name: &String| {
        let found = hooks.iter().find(|hook| hook.name == *name).cloned();
        found.ok_or_else(|| {
            let known = hooks.iter().map(|hook| hook.name.as_str()).collect::<Vec<_>>().join(", ");
            Failure::new(ErrorCode::BadRequest, said::no_such_hook(name))
                .with_action(said::hooks_there_are(known))
        })
    };
    if names.is_empty() { Ok(hooks.to_vec()) } else { names.iter().map(find).collect() }
}

/// Nobody trusts a command that they have not seen.
fn agreed(hooks: &[HookView], yes: bool, out: &Output) -> Result<bool, Failure> {
    if yes {
        return Ok(true);
    }
    if out.json || !std::io::stdin().is_terminal() {
        return Err(Failure::new(ErrorCode::BadRequest, said::nobody_trusts_hooks())
            .with_action(said::say_yes_to_trust()));
    }
    out.print(listed(hooks, out));
    out.note(asking::trust_hooks(hooks.len()));
    Ok(ask::agrees(out.lang))
}

async fn set(
    host: &Arc<Host>,
    project_id: ProjectId,
    chosen: &[HookView],
    trusted: bool,
    out: &Output,
) -> Result<Exit, Failure> {
    let hooks = chosen.iter().map(|hook| hook.sha256.clone()).collect();
    let command = Command::TrustHooks { project_id: project_id.clone(), hooks, trusted };
    host.submit(command).await?;
    let now = of_project(host, &project_id).await?;
    out.result(&now, || listed(&now, out));
    Ok(Exit::Done)
}
