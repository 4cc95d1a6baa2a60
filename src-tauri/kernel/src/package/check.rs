//! Checks a whole package: a pure function of its files (spec 03 "PackageReport").
//!
//! Order: manifest → agents → per workflow its graph, `workflow.md` and step files. Kinds of
//! findings that block: `classic-workflow`, `missing-file`, `unsafe-path`, `not-text`, `too-large`,
//! `json`, `frontmatter`, `schema`, `not-markdown`, `duplicate-agent`, `duplicate-workflow`,
//! `duplicate-node`, `dangling-edge`, `unknown-entry`, `unknown-agent`, `node-id-mismatch`,
//! `unknown-workflow`, `subworkflow-circle`, `subworkflow-depth`, `template`,
//! `condition`, `too-many`, `hidden-character` (these three warn of an installed package).
//! Kinds that warn: `unreachable-node`, `no-end`, `cycle-missing-decision`, `cycle-missing-exit`,
//! `several-entries`, `decision-without-default`, `decision-without-choice`, `several-defaults`,
//! `duplicate-output`, `unchecked-output`, `input-path`, `agent-without-files`, `large-step`,
//! `subworkflow`, `integrity`, `type-mismatch`, `outputs-mismatch`, `updated-at`, `skill`,
//! `agent-skills`, `demo-trace`.

use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

use super::identity::{package_id, slug};
use super::manifest::MANIFEST_FILE;
use super::{
    Agent, FileTexts, Finding, Manifest, ManifestSummary, Package, PackageFiles, PackageReport,
    PermissionRow, SchemaKind, Severity, Workflow,
};
use crate::bounds::{AGENTS, FINDINGS, WORKFLOWS};
use crate::ids::WorkflowId;
use crate::phrase::{advice, findings};
use crate::skill::{OfferedSkill, SKILL_FILE};
use agent_skills::ImportedSkill;
use conditions::Variables;
use files::{CheckRules, PackageReader};
use sheet::OutputFolders;
use team::Team;
use workflow::Named;

mod agent_skills;
mod conditions;
mod files;
mod names;
mod shape;
mod sheet;
mod skills;
mod subworkflows;
mod team;
mod traces;
mod upgrade;
mod workflow;

pub use upgrade::upgrade_diff;

/// Checks the files of a package. The report tells everything found; the package is there only
/// when nothing found is an error.
pub fn check(files: &PackageFiles, texts: &mut FileTexts<'_>) -> (PackageReport, Option<Package>) {
    check_under(files, texts, CheckRules::Current)
}

/// The same for an installed package. Rules that an earlier version of this program did not have
/// only warn: what was installed under it can still be run.
pub fn check_installed(
    files: &PackageFiles,
    texts: &mut FileTexts<'_>,
) -> (PackageReport, Option<Package>) {
    check_under(files, texts, CheckRules::Installed)
}

fn check_under(
    files: &PackageFiles,
    texts: &mut FileTexts<'_>,
    rules: CheckRules,
) -> (PackageReport, Option<Package>) {
    let hash = content_hash(files);
    let mut reading = PackageReader::new(files, texts, rules);
    let Some(manifest) = read_manifest(&mut reading) else {
        return (report(files, &hash, None, &Contents::default(), reading), None);
    };
    let (agents, imported) = read_agents(&mut reading, &manifest).unzip();
    let workflows = read_workflows(&mut reading, &manifest, agents.as_deref().map(Team));
    conditions::warn_unset(&mut reading, &workflows);
    let workflows: Vec<Workflow> = workflows.into_iter().map(|(workflow, _)| workflow).collect();
    subworkflows::check(&mut reading, &workflows);
    manifest_warnings(&mut reading, &manifest);
    names::check(&mut reading, &manifest, agents.as_deref(), &workflows);
    let agents = agents.unwrap_or_default();
    let folders = OutputFolders::of(&workflows).few(&mut reading, &agents);
    let permissions = sheet::permissions(&manifest, &agents, &folders);
    let mut skills = skills::check(&mut reading);
    let agents_file = &manifest.entry.agents;
    skills::import(&mut reading, agents_file, &imported.unwrap_or_default(), &mut skills);
    skills::check_menus(&mut reading, agents_file, &agents, &skills);
    traces::check(&mut reading);
    let contents = Contents { workflows, agents, permissions, skills };
    let report = report(files, &hash, Some(&manifest), &contents, reading);
    let Some(id) = report.package_id.clone().filter(|_| report.is_installable()) else {
        return (report, None);
    };
    let listed = files.files.iter().map(|(p, f)| (p.clone(), (f.sha256.clone(), f.size)));
    let Contents { workflows, agents, skills, .. } = contents;
    let package = Package {
        id,
        manifest,
        workflows,
        agents,
        content_hash: hash,
        files: listed.collect(),
        skills: skills.into(),
    };
    (report, Some(package))
}

fn is_skill_file(path: &str) -> bool {
    path.rsplit('/').next() == Some(SKILL_FILE)
}

/// SHA-256 over the sorted `(path, sha256)` list, lower-case hex: the same files give the same
/// hash, however they were packed.
pub fn content_hash(files: &PackageFiles) -> String {
    let mut hash = Sha256::new();
    for (path, file) in &files.files {
        hash.update(path.as_bytes());
        hash.update([0]);
        hash.update(file.sha256.as_bytes());
        hash.update([b'\n']);
    }
    crate::text::hex(&hash.finalize())
}

fn read_manifest(reading: &mut PackageReader<'_>) -> Option<Manifest> {
    if !reading.has(MANIFEST_FILE) {
        if let Some(file) = reading.classic_file() {
            reading.classic(&file);
        } else {
            let advice = if reading.paths().any(is_skill_file) {
                advice::make_package_of_skills()
            } else {
                advice::choose_the_package_itself()
            };
            reading.error(MANIFEST_FILE, "missing-file", findings::no_manifest(), advice);
        }
        return None;
    }
    let value = reading.json(MANIFEST_FILE)?;
    reading.few(MANIFEST_FILE, &value, "workflows", WORKFLOWS)?;
    reading.fits(SchemaKind::Manifest, MANIFEST_FILE, &value);
    reading.typed(MANIFEST_FILE, value)
}

/// The agents, and which skills they import.
fn read_agents(
    reading: &mut PackageReader<'_>,
    manifest: &Manifest,
) -> Option<(Vec<Agent>, Vec<ImportedSkill>)> {
    let path = reading.existing(MANIFEST_FILE, "/entry/agents", &manifest.entry.agents)?;
    let value = reading.json(&path)?;
    reading.few(&path, &value, "agents", AGENTS)?;
    reading.fits(SchemaKind::Agents, &path, &value);
    agent_skills::check(reading, &path, &value);
    let list = value.get("agents").cloned().unwrap_or(Value::Array(Vec::new()));
    let mut agents: Vec<Agent> = reading.typed(&path, list)?;
    let imported = agent_skills::apply(&mut agents, &value);
    let mut seen = BTreeSet::new();
    for (at, agent) in agents.iter().enumerate() {
        if !seen.insert(&agent.id) {
            reading.error_at(
                &path,
                "duplicate-agent",
                &format!("/agents/{at}/id"),
                findings::duplicate_agent(&agent.id),
                advice::give_own_id(),
            );
        }
    }
    Some((agents, imported))
}

fn read_workflows(
    reading: &mut PackageReader<'_>,
    manifest: &Manifest,
    team: Option<Team<'_>>,
) -> Vec<(Workflow, Variables)> {
    if manifest.workflows.is_empty() {
        let Some(named) = from_entry(manifest) else { return Vec::new() };
        return workflow::read(reading, &named, team).into_iter().collect();
    }
    // The entry must hold even when `workflows[]` says what can be run.
    reading.existing(MANIFEST_FILE, "/entry/workflow", &manifest.entry.workflow);
    reading.existing(MANIFEST_FILE, "/entry/graph", &manifest.entry.graph);
    let mut seen = BTreeSet::new();
    let mut out = Vec::new();
    for (at, entry) in manifest.workflows.iter().enumerate() {
        // A wrong id is a schema error already.
        let Ok(id) = WorkflowId::new(&*entry.id) else { continue };
        let pointer = format!("/workflows/{at}");
        if !seen.insert(id.clone()) {
            reading.error_at(
                MANIFEST_FILE,
                "duplicate-workflow",
                &format!("{pointer}/id"),
                findings::duplicate_workflow(&id),
                advice::give_own_id(),
            );
        }
        let shown = entry.display_name.as_deref().filter(|n| !n.trim().is_empty());
        let named = Named {
            display_name: shown.unwrap_or(&entry.id).to_owned(),
            id,
            from_entry: false,
            description: entry.description.clone(),
            workflow: &entry.workflow,
            graph: &entry.graph,
            pointer,
        };
        out.extend(workflow::read(reading, &named, team));
    }
    out
}

/// The one workflow of a package without `workflows[]`. Its id is the name of the folder that
/// holds the entry workflow, else the package name's slug.
fn from_entry(manifest: &Manifest) -> Option<Named<'_>> {
    let folder = manifest.entry.workflow.replace('\\', "/");
    let parent = folder.rsplit('/').nth(1).and_then(|name| WorkflowId::new(name).ok());
    Some(Named {
        id: parent.or_else(|| WorkflowId::new(slug(&manifest.name)).ok())?,
        from_entry: true,
        display_name: manifest.name.clone(),
        description: manifest.description.clone(),
        workflow: &manifest.entry.workflow,
        graph: &manifest.entry.graph,
        pointer: "/entry".to_owned(),
    })
}

fn manifest_warnings(reading: &mut PackageReader<'_>, manifest: &Manifest) {
    if let Some(dir) = &manifest.entry.assets_dir {
        reading.safe(MANIFEST_FILE, "/entry/assetsDir", dir);
    }
    if manifest.integrity.as_ref().is_some_and(|i| i.sha256.is_some()) {
        reading.warning(
            MANIFEST_FILE,
            "integrity",
            findings::integrity_unknown(),
            advice::compare_hash(),
        );
    }
}

/// What was read of a package.
#[derive(Default)]
struct Contents {
    workflows: Vec<Workflow>,
    agents: Vec<Agent>,
    permissions: Vec<PermissionRow>,
    skills: Vec<OfferedSkill>,
}

fn report(
    files: &PackageFiles,
    hash: &str,
    manifest: Option<&Manifest>,
    contents: &Contents,
    reading: PackageReader<'_>,
) -> PackageReport {
    PackageReport {
        package_id: manifest.and_then(|m| package_id(m, hash)),
        manifest: manifest.map(|m| ManifestSummary {
            name: m.name.clone(),
            version: m.version.clone(),
            description: m.description.clone(),
            author: m.author.clone(),
        }),
        workflows: contents.workflows.iter().map(sheet::workflow_summary).collect(),
        agents: contents.agents.iter().map(sheet::agent_summary).collect(),
        permissions: contents.permissions.clone(),
        sheet: Vec::new(),
        skills: contents.skills.clone(),
        findings: in_order(reading),
        content_hash: hash.to_owned(),
        file_count: u32::try_from(files.files.len()).unwrap_or(u32::MAX),
        total_bytes: files.files.values().map(|f| f.size).sum(),
        upgrade: None,
    }
}

/// Errors first, otherwise in the order found, without repetitions. A report of more than anybody
/// reads is cut.
fn in_order(reading: PackageReader<'_>) -> Vec<Finding> {
    let (found, more) = reading.findings();
    let mut seen = BTreeSet::new();
    let mut out: Vec<Finding> = found
        .into_iter()
        .filter(|f| {
            let key = (f.file.clone(), f.kind.clone(), f.message.clone(), f.instance_path.clone());
            seen.insert(key)
        })
        .collect();
    out.sort_by_key(|f| std::cmp::Reverse(f.severity));
    let more = more + out.len().saturating_sub(FINDINGS);
    out.truncate(FINDINGS);
    if more > 0 {
        let says = findings::more_findings(more);
        out.push(Finding::new(Severity::Info, "", "more", says).with_hint(advice::correct_first()));
    }
    out
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod builder;

#[cfg(test)]
mod demos;

#[cfg(test)]
mod mutations;
