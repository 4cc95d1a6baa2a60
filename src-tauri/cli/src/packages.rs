//! `package inspect|import|list|show|remove|validate|pack`.

use host::host::Host;
use host::packages;
use kernel::code::{ErrorCode, Failure};
use kernel::command::{Command, Query};
use kernel::ids::PackageId;
use kernel::package::{Finding, PackageReport, Severity};
use kernel::phrase;
use kernel::wire::{Answer, PackageView};
use kernel::words::Lang;
use serde_json::json;
use std::io::{BufRead, IsTerminal};
use std::path::Path;
use std::sync::Arc;

use crate::args::PackageCommand;
use crate::choose::{absolute, installed, unknown};
use crate::exit::Exit;
use crate::output::Output;

/// `crewagent package …`
pub(crate) async fn package(
    host: &Arc<Host>,
    command: &PackageCommand,
    out: &Output,
) -> Result<Exit, Failure> {
    match command {
        PackageCommand::Inspect { file } => {
            let report = inspect(host, file).await?;
            out.result(&report, || words(&report, out.lang));
            Ok(Exit::Done)
        }
        PackageCommand::Import { file, yes } => import(host, file, *yes, out).await,
        PackageCommand::List => list(host, out).await,
        PackageCommand::Show { id } => {
            let package_id = installed(host, id).await?.ok_or_else(|| unknown(id))?;
            let report = report(host, Query::Package { package_id }).await?;
            out.result(&report, || words(&report, out.lang));
            Ok(Exit::Done)
        }
        PackageCommand::Remove { id } => {
            let package_id = PackageId::new(id.as_str())
                .map_err(|e| Failure::new(ErrorCode::BadRequest, e.to_string()))?;
            let remove = Command::RemovePackage { package_id: package_id.clone() };
            host.submit(remove).await.map_err(with_a_door)?;
            out.result(&json!({ "packageId": package_id }), || format!("removed {package_id}"));
            Ok(Exit::Done)
        }
        PackageCommand::Validate { path } => {
            let report = inspect(host, path).await?;
            out.result(&json!({ "findings": report.findings }), || words(&report, out.lang));
            Ok(if report.is_installable() { Exit::Done } else { Exit::Invalid })
        }
        PackageCommand::Pack { dir, output } => pack(dir, output.as_deref(), out),
    }
}

/// The same failure with the command that leads on.
fn with_a_door(failure: Failure) -> Failure {
    match failure.code {
        ErrorCode::PackageInUse => failure.with_action(phrase::packages::delete_its_runs()),
        _ => failure,
    }
}

async fn import(host: &Arc<Host>, file: &Path, yes: bool, out: &Output) -> Result<Exit, Failure> {
    let report = inspect(host, file).await?;
    if !out.json {
        out.result(&report, || words(&report, out.lang));
    }
    let may_ask = !yes && !out.json && report.is_installable() && std::io::stdin().is_terminal();
    if may_ask {
        out.note("Install? (y/n)", "安装吗?(y/n)");
        let mut line = String::new();
        _ = std::io::stdin().lock().read_line(&mut line);
        if !line.trim().eq_ignore_ascii_case("y") {
            return Ok(Exit::Waiting);
        }
    }
    let path = absolute(file)?;
    let receipt = host.submit(Command::InstallPackage { path }).await?;
    out.result(&receipt, || {
        receipt.package_id.as_ref().map_or_else(String::new, |id| format!("installed {id}"))
    });
    Ok(Exit::Done)
}

async fn list(host: &Arc<Host>, out: &Output) -> Result<Exit, Failure> {
    let Answer::Packages(list) = host.query(Query::Packages).await? else {
        return Err(Failure::new(ErrorCode::Internal, "another answer than the one asked for"));
    };
    out.result(&list, || {
        let row = |p: &PackageView| {
            format!("{}  {}", p.package_id, p.description.clone().unwrap_or_default())
        };
        list.iter().map(row).collect::<Vec<_>>().join("\n")
    });
    Ok(Exit::Done)
}

fn pack(dir: &Path, output: Option<&Path>, out: &Output) -> Result<Exit, Failure> {
    let name = dir
        .canonicalize()
        .ok()
        .and_then(|d| d.file_name().map(|n| n.to_string_lossy().into_owned()));
    let default =
        std::path::PathBuf::from(format!("{}.bmad", name.unwrap_or_else(|| "package".into())));
    let file = output.unwrap_or(&default);
    let packed = packages::pack(dir, file)?;
    let shown = file.display().to_string();
    out.result(
        &json!({ "file": shown, "sha256": packed.file_sha256, "packageId": packed.package_id }),
        || format!("{shown}  {}", packed.file_sha256),
    );
    Ok(Exit::Done)
}

async fn inspect(host: &Arc<Host>, file: &Path) -> Result<PackageReport, Failure> {
    report(host, Query::InspectPackage { path: absolute(file)? }).await
}

async fn report(host: &Arc<Host>, query: Query) -> Result<PackageReport, Failure> {
    match host.query(query).await? {
        Answer::Package(report) => Ok(*report),
        _ => Err(Failure::new(ErrorCode::Internal, "another answer than the one asked for")),
    }
}

fn words(report: &PackageReport, lang: Lang) -> String {
    let mut lines = Vec::new();
    if let Some(manifest) = &report.manifest {
        lines.push(format!("{} {}", manifest.name, manifest.version));
        lines.extend(manifest.description.clone());
    }
    lines.extend(
        report
            .workflows
            .iter()
            .map(|w| format!("  workflow {}  {} ({} nodes)", w.id, w.display_name, w.node_count)),
    );
    lines.extend(
        report
            .agents
            .iter()
            .map(|a| format!("  agent {}  {} {}, {}", a.id, a.icon, a.name, a.title)),
    );
    for row in &report.permissions {
        let files = if row.fs_enabled { "files on" } else { "files off" };
        lines.push(format!(
            "  {} may use: {files}; writes to {}",
            row.agent_id,
            row.output_folders.join(", ")
        ));
    }
    lines.extend(report.findings.iter().map(|found| finding(found, lang)));
    lines.join("\n")
}

/// A finding as one line: how bad, where, what, what to do.
pub(crate) fn finding(f: &Finding, lang: Lang) -> String {
    let severity = match (f.severity, lang) {
        (Severity::Error, Lang::En) => "error",
        (Severity::Error, Lang::Zh) => "错误",
        (Severity::Warning, Lang::En) => "warning",
        (Severity::Warning, Lang::Zh) => "警告",
        (Severity::Info, Lang::En) => "info",
        (Severity::Info, Lang::Zh) => "提示",
    };
    let places = [Some(f.file.as_str()), f.instance_path.as_deref()];
    let place: Vec<&str> = places.into_iter().flatten().filter(|p| !p.is_empty()).collect();
    let place = if place.is_empty() { String::new() } else { format!(" {}", place.join(" ")) };
    let hint = f.hint_in(lang).map(|h| format!("  → {h}")).unwrap_or_default();
    let colon = if lang == Lang::Zh { "：" } else { ": " };
    format!("{severity}{place}{colon}{}{hint}", f.message_in(lang))
}
