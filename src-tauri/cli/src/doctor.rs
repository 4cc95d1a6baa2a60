//! `doctor`: what is there and what is missing; with `--policy`, what each agent may do.

use host::host::Host;
use kernel::code::{ErrorCode, Failure};
use kernel::command::{Command, Query};
use kernel::phrase::{Phrase, general, terminal};
use kernel::policy::ApproveWrites;
use kernel::settings::Unbound;
use kernel::text::bytes;
use kernel::wire::{Answer, DoctorRow, PolicyTable, ProjectSize};
use kernel::words::{Lang, say};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

use crate::choose::absolute;
use crate::exit::Exit;
use crate::output::Output;
use crate::print::{self, StyledText};
use crate::reads;

/// `crewagent doctor`
pub(crate) async fn doctor(
    host: &Arc<Host>,
    with_policy: bool,
    out: &Output,
) -> Result<Exit, Failure> {
    if with_policy {
        let table = reads::policy(host).await?;
        out.result(&table, || policy_words(&table, out.lang));
        return Ok(Exit::Done);
    }
    let Answer::Doctor(rows) = host.query(Query::Doctor).await? else {
        return Err(Failure::new(ErrorCode::Internal, terminal::another_answer()));
    };
    out.result(&rows, || print::rows(rows.iter().map(|row| line(row, out.lang))));
    Ok(Exit::Done)
}

/// `crewagent doctor --save FILE`
pub(crate) async fn save(
    host: &Arc<Host>,
    file: &Path,
    replace: bool,
    out: &Output,
) -> Result<Exit, Failure> {
    let path = absolute(file)?;
    host.submit(Command::SaveDiagnostics { path, replace }).await?;
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    out.result(&json!({ "file": name }), || name.clone());
    Ok(Exit::Done)
}

/// `crewagent doctor --sizes`
pub(crate) async fn sizes(host: &Arc<Host>, out: &Output) -> Result<Exit, Failure> {
    let sizes = reads::sizes(host).await?;
    out.result(&sizes, || {
        let project = |p: &ProjectSize| {
            let name = if p.name.is_empty() { p.project_id.as_str() } else { &p.name };
            let (rows, files) = (bytes(p.row_bytes), bytes(p.file_bytes));
            let checkpoints = bytes(p.checkpoint_bytes);
            let (told, said) = (p.conversations, p.messages);
            terminal::size_of_project(name, rows, files, checkpoints, told, said)
        };
        let database = bytes(sizes.database_bytes);
        let whole =
            terminal::size_of_all(database, bytes(sizes.package_bytes), bytes(sizes.log_bytes));
        lines(std::iter::once(whole).chain(sizes.projects.iter().map(project)), out.lang)
    });
    Ok(Exit::Done)
}

fn lines(phrases: impl Iterator<Item = Phrase>, lang: Lang) -> StyledText {
    print::rows(phrases.map(|phrase| say(&[phrase], lang)))
}

fn line(row: &DoctorRow, lang: Lang) -> String {
    let mark = if row.ok { "✓" } else { "✗" };
    let said = |phrase: &Phrase| say(std::slice::from_ref(phrase), lang);
    let advice = row.advice.as_ref().map(|a| format!("  → {}", said(a))).unwrap_or_default();
    format!("{mark} {}{advice}", said(&general::about(row.name.clone(), row.said.clone())))
}

fn policy_words(table: &PolicyTable, lang: Lang) -> String {
    let on = |yes: bool| if yes { terminal::switched_on() } else { terminal::switched_off() };
    let limits = |fs: bool, read: u64, write: u64, secrets: bool| {
        terminal::policy_limits(on(fs), read, write, on(secrets))
    };
    let s = &table.system;
    let system = limits(s.fs_enabled, s.max_read_bytes, s.max_write_bytes, s.allow_secret_files);
    let agents = table.agents.iter().map(|row| {
        let p = &row.policy;
        let policy =
            limits(p.fs_enabled, p.max_read_bytes, p.max_write_bytes, p.allow_secret_files);
        let approval = approval(p.approve_writes);
        let tools = row.tools.join(" ");
        let agent = terminal::policy_agent(&row.package_id, &row.agent_id, policy, approval);
        format!("{}\n  {tools}", say(&[agent], lang))
    });
    let unbound = match table.confirmation.unbound {
        Unbound::Allow => terminal::unbound_allowed(),
        Unbound::Refuse => terminal::unbound_refused(),
    };
    let approval = approval(table.approval.writes);
    let system = terminal::policy_system(system, approval, unbound);
    std::iter::once(say(&[system], lang)).chain(agents).collect::<Vec<_>>().join("\n")
}

fn approval(writes: ApproveWrites) -> Phrase {
    match writes {
        ApproveWrites::Auto => terminal::writes_auto(),
        ApproveWrites::Ask => terminal::writes_ask(),
        ApproveWrites::AskOutside => terminal::writes_ask_outside(),
    }
}
