//! Making a run: which workflow and agent, and its folder on disk (spec 03 "Run creation").
//! The state document and the rows are written by others.

use kernel::code::{ErrorCode, Failure};
use kernel::ids::{AgentId, ProjectId, RunId, WorkflowId};
use kernel::package::{Agent, Package, Workflow};
use kernel::phrase::{Phrase, projects};
use serde_json::json;
use std::fs;
use std::io;
use std::path::Path;

use crate::atomic::sync_dir;
use crate::crash::{Point, point};
use crate::private;
use crate::real_path::RealPath;

/// Which workflow and agent a run of the package has.
///
/// A package with one workflow that no other one calls needs no reference; a given one must be its
/// id. Without an agent, it is the first of `agents.json`.
///
/// # Errors
/// `WORKFLOW_REF_REQUIRED`, `WORKFLOW_REF_UNKNOWN`, `WORKFLOW_REF_MISMATCH` (a package without
/// `workflows[]`), `AGENT_NOT_FOUND`; details list what there is.
pub fn resolve<'a>(
    package: &'a Package,
    workflow: Option<&WorkflowId>,
    agent: Option<&AgentId>,
) -> Result<(&'a Workflow, &'a Agent), Failure> {
    Ok((self::workflow(package, workflow)?, resolve_agent(package, agent)?))
}

/// The workflow of that id, or the only one that is called by no other.
///
/// # Errors
/// As [`resolve`].
pub(crate) fn workflow<'a>(
    package: &'a Package,
    wanted: Option<&WorkflowId>,
) -> Result<&'a Workflow, Failure> {
    let ids: Vec<&str> = package.workflows.iter().map(|w| w.id.as_str()).collect();
    let refused = |code, message: Phrase| {
        Failure::new(code, message)
            .with_details(json!({ "workflows": ids }))
            .with_action(projects::choose_one_of(ids.join(", ")))
    };
    let Some(wanted) = wanted else {
        let outermost: Vec<&Workflow> =
            package.workflows.iter().filter(|workflow| !package.is_called(&workflow.id)).collect();
        let [only] = outermost.as_slice() else {
            let message = projects::name_a_workflow(&package.id, ids.len());
            return Err(refused(ErrorCode::WorkflowRefRequired, message));
        };
        return Ok(only);
    };
    package.workflow(wanted).ok_or_else(|| {
        if package.workflows.iter().any(|w| w.from_entry) {
            let message = projects::workflow_called_otherwise(&package.id, wanted);
            refused(ErrorCode::WorkflowRefMismatch, message)
        } else {
            let message = projects::no_workflow(&package.id, wanted);
            refused(ErrorCode::WorkflowRefUnknown, message)
        }
    })
}

fn resolve_agent<'a>(package: &'a Package, wanted: Option<&AgentId>) -> Result<&'a Agent, Failure> {
    let found = match wanted {
        Some(id) => package.agent(id),
        None => package.agents.first(),
    };
    found.ok_or_else(|| {
        let ids: Vec<&str> = package.agents.iter().map(|a| a.id.as_str()).collect();
        let name = wanted.map_or("", AgentId::as_str);
        Failure::new(ErrorCode::AgentNotFound, projects::no_agent(&package.id, name))
            .with_details(json!({ "agents": ids }))
            .with_action(projects::choose_one_of(ids.join(", ")))
    })
}

/// Where the state of a run lies: `projects/<projectId>/runs/<runId>/state` in the store. Whether
/// it exists is not asked.
pub fn state_dir(store_root: &Path, project: &ProjectId, run: &RunId) -> RealPath {
    RealPath::new(run_dir(store_root, project, run).join("state"), "@state")
}

/// The folder of a run, with its state and its checkpoints. Whether it exists is not asked.
pub fn run_dir(store_root: &Path, project: &ProjectId, run: &RunId) -> std::path::PathBuf {
    runs_dir(store_root, project).join(run.as_str())
}

fn runs_dir(store_root: &Path, project: &ProjectId) -> std::path::PathBuf {
    store_root.join("projects").join(project.as_str()).join("runs")
}

/// Makes the state folder of a new run, with an empty `logs/execution.jsonl`: by a rename, so
/// that it appears whole or not at all.
///
/// # Errors
/// `STATE_INIT_FAILED`, also when the run has a folder already; nothing is left then.
pub fn create_state_dir(
    store_root: &Path,
    project: &ProjectId,
    run: &RunId,
) -> Result<RealPath, Failure> {
    let failed = |e: &io::Error| {
        crate::failure::io(ErrorCode::StateInitFailed, projects::state_of_new_run(), e)
            .with_action(projects::free_and_start_again())
    };
    let runs = runs_dir(store_root, project);
    let target = runs.join(run.as_str());
    if target.exists() {
        return Err(failed(&io::ErrorKind::AlreadyExists.into()));
    }
    let temp = runs.join(format!(".tmp-{run}"));
    point(Point::BeforeRunFolder);
    let made = build(&temp).and_then(|()| {
        point(Point::BeforeRunRename);
        fs::rename(&temp, &target)
    });
    if let Err(e) = made {
        // What was half made goes; when that fails too, the first error is the one to tell.
        let _ = fs::remove_dir_all(&temp);
        return Err(failed(&e));
    }
    sync_dir(&runs).map_err(|e| failed(&e))?;
    Ok(state_dir(store_root, project, run))
}

/// Makes the folder of a conversation that has no run, unless it is there.
///
/// # Errors
/// As [`create_state_dir`].
pub fn ensure_state_dir(
    store_root: &Path,
    project: &ProjectId,
    run: &RunId,
) -> Result<(), Failure> {
    if run_dir(store_root, project, run).join("state").join("logs").is_dir() {
        return Ok(());
    }
    let folder = run_dir(store_root, project, run);
    // One that was taken over may have only some of it.
    build(&folder).map_err(|e| {
        crate::failure::io(ErrorCode::StateInitFailed, projects::state_of_new_run(), &e)
    })
}

fn build(root: &Path) -> io::Result<()> {
    let logs = root.join("state").join("logs");
    private::folder(&logs)?;
    private::new_file(&logs.join("execution.jsonl"))?.sync_all()?;
    sync_dir(&logs)?;
    sync_dir(&root.join("state"))?;
    sync_dir(root)
}

/// Removes the folder of a run whose creation failed later on. Nothing there is fine.
///
/// # Errors
/// `STORE_WRITE_FAILED` when the disk refuses.
pub fn discard_state_dir(
    store_root: &Path,
    project: &ProjectId,
    run: &RunId,
) -> Result<(), Failure> {
    match fs::remove_dir_all(runs_dir(store_root, project).join(run.as_str())) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => {
            Err(crate::failure::io(ErrorCode::StoreWriteFailed, projects::state_of_run(), &e))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
