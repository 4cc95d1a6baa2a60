//! Demos: making a sample project and playing one, and how much of its script is left.

use kernel::code::{ErrorCode, Failure};
use kernel::command::Receipt;
use kernel::event::Event;
use kernel::ids::ConversationId;
use kernel::phrase;
use kernel::trace::Trace;
use std::io;
use std::path::PathBuf;

use super::Sessions;
use super::starting::RunRequest;
use crate::blocking::on_disk;
use crate::{failure, packages};

const DEMO_PACKAGE: &str = "plan-a-project";

impl Sessions {
    /// Opens `path` or a fresh folder as a project, installs a bundled package and plays its demo.
    pub(crate) async fn play_demo(
        &self,
        path: Option<String>,
        package: Option<String>,
    ) -> Result<Receipt, Failure> {
        let name = package.unwrap_or_else(|| DEMO_PACKAGE.to_owned());
        let package_id = self.library.packages.install_bundled(name.clone()).await?;
        let folder = match path {
            Some(path) => PathBuf::from(path),
            None => on_disk(move || sample_project(&name)).await?,
        };
        let project = self.library.projects.open(folder, true).await?;
        let run =
            RunRequest { package_id, workflow_id: None, agent_id: None, input: None, demo: true };
        self.start_run(project.project_id, run).await
    }

    /// For a run that plays a demo: its trace, with the recorded answers that were given already
    /// left out.
    pub(crate) async fn demo_trace_left(
        &self,
        conversation: &ConversationId,
    ) -> Result<Option<Trace>, Failure> {
        let Some(run) = self.conversation_ref(conversation).await?.run else { return Ok(None) };
        let demo = self.store.plays_demo(conversation).await?;
        if !demo && !self.library.preferences.always_demo() {
            return Ok(None);
        }
        let begun = self.store.first_line(conversation).await?;
        let first_words = |event: &Event| matches!(event, Event::UserSaid(_));
        let first_words = begun.is_some_and(|line| line.events.iter().any(first_words));
        // Words that the run began with answer nothing.
        let given = self.store.inputs(conversation).await?.saturating_sub(usize::from(first_words));
        let mut trace = self.library.trace(&run.package_id, &run.workflow_id).await?;
        trace.skip_answers(given);
        Ok(Some(trace))
    }
}

/// A fresh folder with what a bundled package brings along for its demo to work on.
fn sample_project(package: &str) -> Result<PathBuf, Failure> {
    let files = packages::bundled::sample_files(package)?;
    let folder = fresh_demo_folder()?;
    for (path, bytes) in files {
        let file = folder.join(path);
        if let Some(parent) = file.parent() {
            std::fs::create_dir_all(parent).map_err(|e| not_made(&e))?;
        }
        std::fs::write(file, bytes).map_err(|e| not_made(&e))?;
    }
    Ok(folder)
}

/// Makes `CrewAgent Demo` in the documents folder, numbered when it is taken: a demo never writes
/// into something that was there before.
fn fresh_demo_folder() -> Result<PathBuf, Failure> {
    let dirs = directories::UserDirs::new().ok_or_else(|| {
        Failure::new(ErrorCode::ProjectRootInvalid, phrase::projects::no_home_folder())
    })?;
    let parent = dirs.document_dir().unwrap_or_else(|| dirs.home_dir());
    std::fs::create_dir_all(parent).map_err(|e| not_made(&e))?;
    for n in 1..=u32::MAX {
        let name = if n == 1 { "CrewAgent Demo".to_owned() } else { format!("CrewAgent Demo {n}") };
        let folder = parent.join(name);
        match std::fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(not_made(&e)),
        }
    }
    Err(Failure::new(ErrorCode::ProjectRootInvalid, phrase::projects::no_free_demo_folder()))
}

fn not_made(error: &io::Error) -> Failure {
    failure::io(ErrorCode::ProjectRootInvalid, "@project", error)
}
