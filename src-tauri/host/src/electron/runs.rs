//! `runsIndex.json` and `runs/<id>/state/`: which runs there are, what they are pinned to and how
//! far they are.

use import_electron::{OldRun, Pinned, listed, run};
use kernel::bounds::ELECTRON_SMALL_BYTES;
use kernel::code::{ErrorCode, Failure};
use kernel::ids::{AgentId, RunId, WorkflowId};
use kernel::import::ImportKind;
use kernel::package::Package;
use kernel::phrase::imports;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::importer::Importer;
use super::place::LocalProject;
use crate::runs::resolve;

/// The folders of chats stand among those of runs.
pub(super) const CHAT: &str = "chat-";

impl Importer {
    /// The runs of a project in the order of the index, then those only the disk knows.
    pub(super) fn old_runs(&mut self, place: &LocalProject) -> Vec<(OldRun, bool)> {
        let file = format!("projects/{}/runsIndex.json", place.old);
        let mut runs = self.listed_runs(&file);
        for name in self.folders(ImportKind::Run, &format!("projects/{}/runs", place.old)) {
            if name.starts_with(CHAT) {
                continue;
            }
            if let Ok(id) = name.parse::<RunId>()
                && self.runs.insert(id.clone())
            {
                runs.push((OldRun::unlisted(id, self.target.now), false));
            }
        }
        runs
    }

    fn listed_runs(&mut self, file: &str) -> Vec<(OldRun, bool)> {
        let Some(index) = self.json(file) else { return Vec::new() };
        let Some(entries) = listed(&index, "runs") else {
            let failure = Failure::new(ErrorCode::ImportMalformed, imports::no_list());
            self.failed(ImportKind::File, "", file, failure);
            return Vec::new();
        };
        let mut out = Vec::new();
        for (n, (listed_as, entry)) in entries.into_iter().enumerate() {
            match run(entry, listed_as, &format!("#{}", n + 1), self.target.now) {
                Err(problem) => self.add(problem.entry(ImportKind::Run, file)),
                Ok((old, _)) if !self.runs.insert(old.id.clone()) => {
                    let why = imports::run_twice();
                    let failure = Failure::new(ErrorCode::ImportDuplicate, why);
                    self.failed(ImportKind::Run, old.id.as_str(), file, failure);
                }
                Ok((old, _)) => out.push((old, true)),
            }
        }
        out
    }

    /// The state document of a run: its own, or the project's older one when that names the run.
    pub(super) fn state_text(&self, place: &LocalProject, run: &RunId) -> Result<String, Failure> {
        let own = format!("projects/{}/runs/{run}/state/workflow.md", place.old);
        if let Some(text) = self.source.text(&own, ELECTRON_SMALL_BYTES)? {
            return Ok(text);
        }
        let legacy = format!("projects/{}/state/workflow.md", place.old);
        let legacy = self.source.text(&legacy, ELECTRON_SMALL_BYTES)?;
        legacy.filter(|text| text.contains(run.as_str())).ok_or_else(|| {
            let why = imports::run_no_state();
            Failure::new(ErrorCode::StateFileNotFound, why)
        })
    }
}

/// What a run is pinned to.
pub(super) fn pinned<'a>(
    packages: &'a BTreeMap<String, Arc<Package>>,
    old: &OldRun,
) -> Result<Pinned<'a>, Failure> {
    let package = old
        .package_id
        .as_ref()
        .and_then(|id| packages.get(id))
        .ok_or_else(|| Failure::new(ErrorCode::PackageNotFound, imports::run_no_package()))?;
    let workflow = old.workflow_ref.as_deref().map(str::parse::<WorkflowId>).transpose();
    let agent = old.agent_id.as_deref().map(str::parse::<AgentId>).transpose();
    let (Ok(workflow), Ok(agent)) = (workflow, agent) else {
        let why = imports::run_wrong_names();
        return Err(Failure::new(ErrorCode::ImportMalformed, why));
    };
    // A package with one workflow calls it differently here and there.
    let (workflow, agent) = match resolve(package, workflow.as_ref(), agent.as_ref()) {
        Err(e) if e.code == ErrorCode::WorkflowRefMismatch => {
            resolve(package, None, agent.as_ref())
        }
        other => other,
    }?;
    Ok(Pinned { package_id: package.id.clone(), workflow, agent_id: agent.id.clone() })
}
