//! Which project, run or conversation a command line means.

use host::host::Host;
use kernel::code::{ErrorCode, Failure};
use kernel::command::Command;
use kernel::ids::{ConversationId, ProjectId, RunId};
use kernel::phrase::{projects, terminal};
use std::path::Path;
use std::sync::Arc;

use crate::reads;

/// Opens the project folder, which must exist.
pub(crate) async fn project(host: &Arc<Host>, folder: &Path) -> Result<ProjectId, Failure> {
    let path = std::path::absolute(folder)
        .map_err(|e| host::failure::io(ErrorCode::ProjectRootInvalid, "--project", &e))?;
    let path = path.to_string_lossy().into_owned();
    let open = Command::OpenProject { path, create: false };
    let receipt = host.submit(open).await.map_err(with_ways)?;
    receipt.project_id.ok_or_else(|| Failure::new(ErrorCode::Internal, terminal::no_id_came_back()))
}

/// The same failure with the commands that lead on.
pub(crate) fn with_ways(failure: Failure) -> Failure {
    let known = |name: &str| {
        let details = failure.details.as_ref();
        details.and_then(|d| d[name].as_str()).unwrap_or("PROJECT").to_owned()
    };
    let action = match failure.code {
        ErrorCode::ProjectCopied => projects::copy_or_moved(),
        ErrorCode::ProjectMismatch if known("found") == "none" => {
            projects::adopt_folder(known("projectId"))
        }
        ErrorCode::ProjectMismatch => projects::open_as_what_it_is(),
        _ => return failure,
    };
    failure.with_action(action)
}

/// A conversation's id, or a run's.
pub(crate) fn conversation_id(text: &str) -> Result<ConversationId, Failure> {
    ConversationId::new(text).map_err(|e| Failure::new(ErrorCode::BadRequest, e.says()))
}

/// The conversation of a run. `RUN_NOT_FOUND`.
pub(crate) async fn conversation_of(
    host: &Arc<Host>,
    run: &str,
) -> Result<ConversationId, Failure> {
    let run_id = RunId::new(run).map_err(|e| Failure::new(ErrorCode::BadRequest, e.says()))?;
    Ok(reads::run(host, &run_id).await?.conversation_id)
}

/// Refuses to go on with a run, or another conversation, from within a copy of its project's folder, as
/// long as nobody has said what the copy is: the files of the other folder would change, not those that
/// somebody looks at.
pub(crate) async fn not_in_a_copy(
    host: &Arc<Host>,
    text: &str,
    folder: &Path,
) -> Result<(), Failure> {
    let Some(here) = host::projects::id_in(folder) else { return Ok(()) };
    let conversation = reads::conversation(host, &run_or_conversation(host, text).await?).await?;
    if conversation.project_id == here {
        project(host, folder).await?;
    }
    Ok(())
}

/// What a run's or a conversation's id means.
pub(crate) async fn run_or_conversation(
    host: &Arc<Host>,
    text: &str,
) -> Result<ConversationId, Failure> {
    match conversation_of(host, text).await {
        Err(failure) if failure.code == ErrorCode::RunNotFound => conversation_id(text),
        found => found,
    }
}

/// A run's conversation carries the run's id.
pub(crate) fn run_of(conversation: &ConversationId) -> &str {
    conversation.as_str().strip_prefix("run-").unwrap_or(conversation.as_str())
}
