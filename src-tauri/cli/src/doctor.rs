//! `doctor`: what is there and what is missing; with `--policy`, what each agent may do.

use host::host::Host;
use host::packages;
use kernel::code::{ErrorCode, Failure};
use kernel::command::Query;
use kernel::ids::{AgentId, PackageId};
use kernel::policy::{ApproveWrites, SystemTools, ToolPolicy};
use kernel::settings::{ApprovalSettings, ConfirmationSettings, Unbound};
use kernel::text::bytes;
use kernel::tool::specs;
use kernel::wire::{Answer, DoctorRow, ProjectSize};
use serde::Serialize;
use std::sync::Arc;

use crate::exit::Exit;
use crate::output::Output;

/// `crewagent doctor`
pub(crate) async fn doctor(
    host: &Arc<Host>,
    with_policy: bool,
    out: &Output,
) -> Result<Exit, Failure> {
    if with_policy {
        let table = policy_table(host).await?;
        out.result(&table, || table.words());
        return Ok(Exit::Done);
    }
    let Answer::Doctor(rows) = host.query(Query::Doctor).await? else {
        return Err(Failure::new(ErrorCode::Internal, "another answer than the one asked for"));
    };
    out.result(&rows, || rows.iter().map(line).collect::<Vec<_>>().join("\n"));
    Ok(Exit::Done)
}

/// `crewagent doctor --sizes`
pub(crate) async fn sizes(host: &Arc<Host>, out: &Output) -> Result<Exit, Failure> {
    let sizes = host.store().sizes().await?;
    out.result(&sizes, || {
        let project = |p: &ProjectSize| {
            let name = if p.name.is_empty() { p.project_id.as_str() } else { &p.name };
            format!(
                "{name}: {} rows, {} files ({} checkpoints); {} conversations, {} messages",
                bytes(p.row_bytes),
                bytes(p.file_bytes),
                bytes(p.checkpoint_bytes),
                p.conversations,
                p.messages
            )
        };
        let whole = format!(
            "database {}, packages {}, logs {}",
            bytes(sizes.database_bytes),
            bytes(sizes.package_bytes),
            bytes(sizes.log_bytes)
        );
        std::iter::once(whole)
            .chain(sizes.projects.iter().map(project))
            .collect::<Vec<_>>()
            .join("\n")
    });
    Ok(Exit::Done)
}

fn line(row: &DoctorRow) -> String {
    let mark = if row.ok { "✓" } else { "✗" };
    let action = row.action.as_ref().map(|a| format!("  → {a}")).unwrap_or_default();
    format!("{mark} {}: {}{action}", row.check, row.found)
}

/// What the system allows, and what of it is left for each agent (spec 05 "Limits").
#[derive(Serialize)]
struct PolicyTable {
    system: SystemTools,
    approval: ApprovalSettings,
    confirmation: ConfirmationSettings,
    agents: Vec<PolicyRow>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PolicyRow {
    package_id: PackageId,
    agent_id: AgentId,
    #[serde(flatten)]
    policy: ToolPolicy,
    /// The tools the model is offered, by wire name.
    tools: Vec<String>,
}

/// The very merge that prompts, tool lists and enforcement use.
async fn policy_table(host: &Arc<Host>) -> Result<PolicyTable, Failure> {
    let limits = host.limits_now();
    let mut agents = Vec::new();
    for row in host.store().packages().await? {
        let package = packages::load_installed(&host.packages_folder(), &row.package_id)?;
        for agent in &package.agents {
            let policy = limits.policy(agent.tools.as_ref());
            agents.push(PolicyRow {
                package_id: row.package_id.clone(),
                agent_id: agent.id.clone(),
                tools: specs(&policy).into_iter().map(|spec| spec.name).collect(),
                policy,
            });
        }
    }
    Ok(PolicyTable {
        system: limits.tools,
        approval: ApprovalSettings { writes: limits.approve_writes },
        confirmation: ConfirmationSettings { unbound: limits.unbound },
        agents,
    })
}

impl PolicyTable {
    fn words(&self) -> String {
        let limits = |fs: bool, read: u64, write: u64, secrets: bool| {
            let on = |yes: bool| if yes { "on" } else { "off" };
            format!("files {}, read {read} B, write {write} B, secrets {}", on(fs), on(secrets))
        };
        let s = &self.system;
        let system =
            limits(s.fs_enabled, s.max_read_bytes, s.max_write_bytes, s.allow_secret_files);
        let agents = self.agents.iter().map(|row| {
            let p = &row.policy;
            let policy =
                limits(p.fs_enabled, p.max_read_bytes, p.max_write_bytes, p.allow_secret_files);
            let approval = approval(p.approve_writes);
            let tools = row.tools.join(" ");
            format!("{} {}: {policy}, {approval}\n  {tools}", row.package_id, row.agent_id)
        });
        let unbound = match self.confirmation.unbound {
            Unbound::Allow => "allowed",
            Unbound::Refuse => "refused",
        };
        let approval = approval(self.approval.writes);
        let system = format!("system: {system}, {approval}, unbound confirmations {unbound}");
        std::iter::once(system).chain(agents).collect::<Vec<_>>().join("\n")
    }
}

fn approval(writes: ApproveWrites) -> &'static str {
    match writes {
        ApproveWrites::Auto => "writes without asking",
        ApproveWrites::Ask => "every write asks",
        ApproveWrites::AskOutside => "writes outside the outputs and the artifacts folder ask",
    }
}
