//! `package new|inspect|import|list|show|remove|validate|test|pack|from-skills`.

use host::host::Host;
use host::packages::{self, MadeOfSkills, StartedPackage};
use kernel::code::{ErrorCode, Failure};
use kernel::command::{Command, Query};
use kernel::ids::PackageId;
use kernel::package::{PackageReport, PermissionRow, UpgradeDiff};
use kernel::phrase::{self, Part, asking, printed, say, sheet as permissions, terminal};
use kernel::wire::{Answer, PackageView, ReadPackage};
use serde_json::json;
use std::io::IsTerminal;
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;

use crate::args::{Global, PackageCommand, store_dir};
use crate::ask;
use crate::choose::{absolute, installed, unknown};
use crate::exit::Exit;
use crate::failures::finding;
use crate::graph;
use crate::interrupts::Interrupts;
use crate::output::Output;
use crate::package_test;
use crate::print::{StyledText, rows};
use crate::reading;

/// `crewagent package …`
pub(crate) async fn package(
    host: &Arc<Host>,
    global: &Global,
    command: &PackageCommand,
    out: &Output,
) -> Result<Exit, Failure> {
    match command {
        PackageCommand::New { dir, template } => begin(dir, template, out),
        PackageCommand::Inspect { file } => {
            let report = inspect(host, file, out).await?;
            out.result(&report, || words(&report, out));
            Ok(Exit::Done)
        }
        PackageCommand::Import { file, yes } => Box::pin(import(host, file, *yes, out)).await,
        PackageCommand::List => list(host, out).await,
        PackageCommand::Show { id, graph: shows_graph } => {
            let package_id = installed(host, id).await?.ok_or_else(|| unknown(id))?;
            let query = Query::Package { package_id: package_id.clone() };
            let report = report(host, query).await?;
            if *shows_graph {
                let graphs = graph::graphs(host, &package_id, &report).await?;
                out.result(&graphs, || graph::in_words(&graphs, out));
            } else {
                out.result(&report, || words(&report, out));
            }
            Ok(Exit::Done)
        }
        PackageCommand::Remove { id } => {
            let package_id = PackageId::new(id.as_str())
                .map_err(|e| Failure::new(ErrorCode::BadRequest, e.says()))?;
            let remove = Command::RemovePackage { package_id: package_id.clone() };
            host.submit(remove).await.map_err(naming_the_next_command)?;
            out.result(&json!({ "packageId": package_id }), || {
                say(&[terminal::removed(&package_id)], out.lang)
            });
            Ok(Exit::Done)
        }
        PackageCommand::Validate { path } => {
            let report = inspect(host, path, out).await?;
            out.result(&json!({ "findings": report.findings }), || words(&report, out));
            Ok(if report.is_installable() { Exit::Done } else { Exit::Invalid })
        }
        PackageCommand::Pack { dir, output, force } => pack(dir, output.as_deref(), *force, out),
        PackageCommand::FromSkills { source, output, force } => {
            let output = output.as_deref();
            let made = packages::from_skills(source, &global.project, output, *force)?;
            print_made(&made, out);
            Ok(Exit::Done)
        }
        PackageCommand::Test { package, trace } => {
            let store = store_dir(global)?;
            Box::pin(package_test::test(host, &store, package, trace.as_deref(), out)).await
        }
    }
}

/// The same failure with the command to run first.
fn naming_the_next_command(failure: Failure) -> Failure {
    match failure.code {
        ErrorCode::PackageInUse => failure.with_action(phrase::packages::delete_its_runs()),
        _ => failure,
    }
}

async fn import(host: &Arc<Host>, file: &Path, yes: bool, out: &Output) -> Result<Exit, Failure> {
    let report = inspect(host, file, out).await?;
    // What cannot be installed is refused below, with everything that was found.
    if !out.json && report.is_installable() {
        out.result(&report, || words(&report, out));
    }
    if !yes && report.is_installable() && !allowed(out)? {
        out.note(printed::nothing_installed());
        return Ok(Exit::Waiting);
    }
    let (path, content_hash) = (absolute(file)?, Some(report.content_hash));
    let of = ReadPackage { path: path.clone(), installs: true };
    let install = Box::pin(host.submit(Command::InstallPackage { path, content_hash }));
    let mut ctrl_c = Interrupts::listen();
    let mut installing = pin!(reading::told(host, &of, out, install));
    let receipt = tokio::select! {
        done = &mut installing => done,
        () = ctrl_c.pressed() => {
            host.submit(Command::StopPackageReading(of.clone())).await?;
            installing.await
        }
    }?;
    out.result(&receipt, || {
        receipt
            .package_id
            .as_ref()
            .map_or_else(String::new, |id| say(&[terminal::installed(id)], out.lang))
    });
    Ok(Exit::Done)
}

/// What a package may do is allowed by a person who has seen it, or in advance with `--yes`.
fn allowed(out: &Output) -> Result<bool, Failure> {
    if out.json || !std::io::stdin().is_terminal() {
        let failure = Failure::new(ErrorCode::BadRequest, permissions::nobody_allows());
        return Err(failure.with_action(permissions::inspect_then_yes()));
    }
    out.note(asking::install_it());
    Ok(ask::agrees(out.lang))
}

async fn list(host: &Arc<Host>, out: &Output) -> Result<Exit, Failure> {
    let Answer::Packages(list) = host.query(Query::Packages).await? else {
        return Err(Failure::new(ErrorCode::Internal, terminal::another_answer()));
    };
    out.result(&list, || {
        let row = |p: &PackageView| {
            format!("{}  {}", p.package_id, p.description.clone().unwrap_or_default())
        };
        rows(list.iter().map(row))
    });
    Ok(Exit::Done)
}

/// Makes a package to be changed, and says what to do with it.
fn begin(dir: &Path, template: &str, out: &Output) -> Result<Exit, Failure> {
    let StartedPackage { name, files } = packages::start_package(dir, template)?;
    out.result(&json!({ "name": name, "files": files }), || {
        let made = files.iter().map(|file| format!("  + {file}"));
        let next = out.say(printed::package_begun(&name));
        rows(made.chain([next]))
    });
    Ok(Exit::Done)
}

fn pack(dir: &Path, output: Option<&Path>, force: bool, out: &Output) -> Result<Exit, Failure> {
    let name = dir
        .canonicalize()
        .ok()
        .and_then(|d| d.file_name().map(|n| n.to_string_lossy().into_owned()));
    let default =
        std::path::PathBuf::from(format!("{}.bmad", name.unwrap_or_else(|| "package".into())));
    let file = output.unwrap_or(&default);
    let packed = packages::pack(dir, file, force)?;
    let shown = file.display().to_string();
    out.result(
        &json!({ "file": shown, "sha256": packed.file_sha256, "packageId": packed.package_id }),
        || format!("{shown}  {}", packed.file_sha256),
    );
    Ok(Exit::Done)
}

fn print_made(made: &MadeOfSkills, out: &Output) {
    let (packed, shown) = (&made.packed, made.file.display().to_string());
    let made_it = json!({
        "file": shown,
        "sha256": packed.file_sha256,
        "packageId": packed.package_id,
        "findings": made.findings,
    });
    out.result(&made_it, || {
        let found = made.findings.iter().map(|found| finding(found, out.lang));
        rows(found.chain([format!("{shown}  {}", packed.file_sha256)]))
    });
}

async fn inspect(host: &Arc<Host>, file: &Path, out: &Output) -> Result<PackageReport, Failure> {
    let path = absolute(file)?;
    let of = ReadPackage { path: path.clone(), installs: false };
    let looked_at = Box::pin(report(host, Query::InspectPackage { path }));
    reading::told(host, &of, out, looked_at).await
}

async fn report(host: &Arc<Host>, query: Query) -> Result<PackageReport, Failure> {
    match host.query(query).await? {
        Answer::Package(report) => Ok(*report),
        _ => Err(Failure::new(ErrorCode::Internal, terminal::another_answer())),
    }
}

fn words(report: &PackageReport, out: &Output) -> StyledText {
    let mut lines = Vec::new();
    if let Some(manifest) = &report.manifest {
        lines.push(format!("{} {}", manifest.name, manifest.version));
        lines.extend(manifest.description.clone());
    }
    let indented = |phrase| format!("  {}", out.say(phrase));
    lines.extend(
        report
            .workflows
            .iter()
            .map(|w| indented(printed::package_workflow(&w.id, &w.display_name, w.node_count))),
    );
    lines.extend(
        report
            .agents
            .iter()
            .map(|a| indented(printed::package_agent(&a.id, &a.icon, &a.name, &a.title))),
    );
    lines.extend(report.skills.iter().map(|it| {
        indented(match it.agents() {
            Some(agents) => printed::package_skill_of(&it.name, agents, &it.description),
            None => printed::package_skill(&it.name, &it.description),
        })
    }));
    lines.extend(sheet(report, out));
    lines.extend(report.upgrade.iter().flat_map(|upgrade| upgrade_words(report, upgrade, out)));
    lines.extend(report.findings.iter().map(|found| finding(found, out.lang)));
    rows(lines)
}

/// The permission sheet: what is enforced, and what the package only says.
fn sheet(report: &PackageReport, out: &Output) -> Vec<String> {
    let of_agent = |row: &PermissionRow| {
        let told = report.sheet.iter().filter(|line| line.agent_id == row.agent_id).map(|line| {
            let says = line.says.clone();
            let says = if line.declared { printed::only_declared(says) } else { says };
            format!("    {}", out.say(says))
        });
        let agent = report.agents.iter().find(|agent| agent.id == row.agent_id);
        let name = agent.map_or(row.agent_id.as_str(), |agent| agent.name.as_str());
        std::iter::once(format!("  {name}:")).chain(told).collect::<Vec<_>>()
    };
    let title =
        std::iter::once(out.say(printed::sheet_title())).filter(|_| !report.permissions.is_empty());
    title.chain(report.permissions.iter().flat_map(of_agent)).collect()
}

/// Files that are named in one line at most.
const FILES_NAMED: usize = 20;

/// Which version becomes which, what is another file then, and what the new one asks for beyond
/// the old one.
fn upgrade_words(report: &PackageReport, upgrade: &UpgradeDiff, out: &Output) -> Vec<String> {
    let from = upgrade.from_version.as_deref().unwrap_or(upgrade.from.as_str());
    let to = report.manifest.as_ref().map_or(from, |manifest| manifest.version.as_str());
    let mut lines = vec![out.say(if from == to {
        printed::upgrade_same_version(to)
    } else {
        printed::upgrade_of(from, to)
    })];
    let files = [
        named(&upgrade.changed).map(printed::upgrade_changed),
        named(&upgrade.added).map(printed::upgrade_added),
        named(&upgrade.removed).map(printed::upgrade_removed),
    ];
    lines.extend(files.into_iter().flatten().map(|says| format!("  {}", out.say(says))));
    if !upgrade.widened.is_empty() {
        lines.push(out.say(printed::asks_for_more()));
        lines.extend(upgrade.widened_in(out.lang).into_iter().map(|more| format!("  {more}")));
    }
    lines
}

/// The names of these files, in one line; `None` where there are none.
fn named(files: &[String]) -> Option<Part> {
    let first = files.get(..FILES_NAMED).unwrap_or(files).join(", ");
    match files.len() {
        0 => None,
        count if count > FILES_NAMED => {
            Some(printed::names_and_more(first, count - FILES_NAMED).into())
        }
        _ => Some(first.into()),
    }
}
