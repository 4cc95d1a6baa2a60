//! `projects list|open|rebind|forget`.

use host::host::Host;
use kernel::code::{ErrorCode, Failure};
use kernel::command::{Command, Copied, Query};
use kernel::ids::ProjectId;
use kernel::phrase::{printed, projects as phrases, say, terminal};
use kernel::wire::{Answer, ProjectView};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

use crate::args::{CopiedFolder, ProjectsCommand};
use crate::exit::Exit;
use crate::names::with_ways;
use crate::output::Output;
use crate::print::rows;

/// `crewagent projects …`
pub(crate) async fn projects(
    host: &Arc<Host>,
    command: &ProjectsCommand,
    out: &Output,
) -> Result<Exit, Failure> {
    let command = match command {
        ProjectsCommand::List => return list(host, out).await,
        ProjectsCommand::Open { dir, what: None } => {
            Command::OpenProject { path: absolute(dir)?, create: false }
        }
        ProjectsCommand::Open { dir, what: Some(what) } => {
            let copied = match what {
                CopiedFolder::Copy => Copied::Copy,
                CopiedFolder::Moved => Copied::Moved,
            };
            Command::OpenCopiedProject { path: absolute(dir)?, copied }
        }
        ProjectsCommand::Rebind { id, dir, adopt } => Command::RebindProject {
            project_id: project_id(id)?,
            path: absolute(dir)?,
            adopt: *adopt,
        },
        ProjectsCommand::Forget { id } => {
            let project_id = project_id(id)?;
            let forgotten = json!({ "projectId": project_id });
            host.submit(Command::ForgetProject { project_id }).await?;
            out.result(&forgotten, || say(&[terminal::forgotten(id)], out.lang));
            return Ok(Exit::Done);
        }
    };
    let receipt = host.submit(command).await.map_err(with_ways)?;
    let opened = receipt
        .project_id
        .ok_or_else(|| Failure::new(ErrorCode::Internal, terminal::no_id_came_back()))?;
    out.result(&json!({ "projectId": opened }), || opened.to_string());
    Ok(Exit::Done)
}

async fn list(host: &Arc<Host>, out: &Output) -> Result<Exit, Failure> {
    let Answer::Projects(list) = host.query(Query::Projects).await? else {
        return Err(Failure::new(ErrorCode::Internal, terminal::another_answer()));
    };
    let row = |project: &ProjectView| {
        let gone =
            (!project.exists).then(|| format!("  {}", out.say(printed::not_there_any_more())));
        let gone = gone.unwrap_or_default();
        format!("{}  {}  {}{gone}", project.project_id, project.name, project.location)
    };
    out.result(&list, || rows(list.iter().map(row)));
    Ok(Exit::Done)
}

fn absolute(dir: &Path) -> Result<String, Failure> {
    let path = std::path::absolute(dir).map_err(|e| {
        host::failure::io(ErrorCode::ProjectRootInvalid, terminal::the_folder(), &e)
    })?;
    Ok(path.to_string_lossy().into_owned())
}

fn project_id(text: &str) -> Result<ProjectId, Failure> {
    ProjectId::new(text).map_err(|e| {
        Failure::new(ErrorCode::BadRequest, e.says()).with_action(phrases::see_projects())
    })
}
