//! Which run, which packages and which folders a conversation works with: what its journal pins.

use kernel::code::{ErrorCode, Failure};
use kernel::engine::Core;
use kernel::event::{Beginning, Event, Line, TaskStarted};
use kernel::ids::{ConversationId, PackageId, ProjectId, RunId, WorkflowId};
use kernel::phrase::projects;

use crate::store::{ProjectRow, RuntimeStore};

/// What a conversation works with.
#[derive(Debug, Clone)]
pub(super) struct ConversationRef {
    pub(super) conversation_id: ConversationId,
    pub(super) project_id: ProjectId,
    /// Its newest run; of a sub-agent the run that it works for.
    pub(super) run: Option<RunRef>,
    /// The package of the agent that is talked with outside of a run.
    pub(super) agent_package: Option<PackageId>,
    /// The package of the run before, while another one begins.
    pub(super) package_before: Option<PackageId>,
    /// The folder, among those of runs, where files are kept as they were before they were changed.
    pub(super) kept_in: RunId,
}

/// Which run it is.
#[derive(Debug, Clone)]
#[expect(clippy::struct_field_names, reason = "three ids of three types, named as everywhere")]
pub(super) struct RunRef {
    pub(super) run_id: RunId,
    pub(super) package_id: PackageId,
    pub(super) workflow_id: WorkflowId,
}

impl ConversationRef {
    /// A conversation that begins with this run.
    pub(super) fn of_run(project_id: ProjectId, run: RunRef) -> Self {
        Self {
            conversation_id: ConversationId::of_run(&run.run_id),
            project_id,
            kept_in: run.run_id.clone(),
            run: Some(run),
            agent_package: None,
            package_before: None,
        }
    }

    /// A conversation that begins without a run.
    pub(super) fn of_talk(
        conversation_id: ConversationId,
        project_id: ProjectId,
        agent_package: Option<PackageId>,
    ) -> Result<Self, Failure> {
        let kept_in = folder_of_talk(&conversation_id)?;
        let (run, package_before) = (None, None);
        Ok(Self { conversation_id, project_id, run, agent_package, package_before, kept_in })
    }

    /// The conversation of a sub-agent, whose run keeps files in this folder.
    pub(super) fn of_task(task: &TaskStarted, kept_in: RunId) -> Self {
        Self {
            conversation_id: task.conversation_id.clone(),
            project_id: task.project_id.clone(),
            run: Some(RunRef {
                run_id: task.parent.run_id.clone(),
                package_id: task.package_id.clone(),
                workflow_id: task.workflow_id.clone(),
            }),
            agent_package: None,
            package_before: None,
            kept_in,
        }
    }

    /// The package whose files are `@pkg`.
    pub(super) fn package_id(&self) -> Option<&PackageId> {
        self.agent_package.as_ref().or(self.run.as_ref().map(|run| &run.package_id))
    }

    /// The folder, among those of runs, with the state document and the logs.
    pub(super) fn state_in(&self) -> &RunId {
        self.run.as_ref().map_or(&self.kept_in, |run| &run.run_id)
    }

    /// Whether the state folder is the one that a journal is at.
    pub(super) fn is_where(&self, core: &Core) -> bool {
        is_at(core, self.state_in(), &self.kept_in)
    }

    /// Every package that it works with.
    pub(super) fn packages(&self) -> impl Iterator<Item = &PackageId> {
        let of_run = self.run.as_ref().map(|run| &run.package_id);
        let of_agent = self.agent_package.as_ref().filter(|id| Some(*id) != of_run);
        let before = self.package_before.as_ref().filter(|id| Some(*id) != of_run);
        of_run.into_iter().chain(of_agent).chain(before)
    }
}

/// The folders that a conversation was opened with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OpenedWith {
    project: String,
    state_in: RunId,
    kept_in: RunId,
    package: Option<PackageId>,
}

impl OpenedWith {
    pub(super) fn of(project: &ProjectRow, row: &ConversationRef) -> Self {
        Self {
            project: project.location.clone(),
            state_in: row.state_in().clone(),
            kept_in: row.kept_in.clone(),
            package: row.package_id().cloned(),
        }
    }

    /// Whether a conversation that another program went on with still works with these folders.
    pub(super) fn fit(&self, core: &Core) -> bool {
        let has_package = core.task.is_some() || core.package_id() == self.package.as_ref();
        has_package && is_at(core, &self.state_in, &self.kept_in)
    }
}

/// Whether a journal is at this state folder: a sub-agent's always is.
fn is_at(core: &Core, state_in: &RunId, kept_in: &RunId) -> bool {
    let of_run = core.newest_run().map(|run| &run.run_id);
    core.task.is_some() || of_run.unwrap_or(kept_in) == state_in
}

/// A conversation that began without a run has a folder of its own.
fn folder_of_talk(conversation: &ConversationId) -> Result<RunId, Failure> {
    RunId::new(format!("chat-{conversation}"))
        .map_err(|e| Failure::new(ErrorCode::Internal, e.says()))
}

/// Where the files are kept that a conversation changed, by what its journal begins with.
pub(crate) fn kept_in(begun: &Beginning<'_>) -> Result<RunId, Failure> {
    match begun.run {
        Some(run) => Ok(run.run_id.clone()),
        None => folder_of_talk(begun.conversation_id),
    }
}

/// What a conversation of the store works with. `CONVERSATION_NOT_FOUND`; `NOT_NOW` for one whose
/// journal does not say what it is.
pub(super) async fn find(
    store: &RuntimeStore,
    conversation: &ConversationId,
) -> Result<ConversationRef, Failure> {
    let row = store.conversation(conversation).await?;
    let first = store.first_line(conversation).await?;
    let begun = first.as_ref().and_then(Line::beginning).ok_or_else(|| {
        Failure::new(ErrorCode::NotNow, projects::no_run_to_go_on(conversation))
            .with_action(projects::only_readable())
    })?;
    if let Some(task) = begun.task {
        let parent = store.first_line(&task.parent.conversation_id).await?;
        let kept_in = match parent.as_ref().and_then(Line::beginning) {
            Some(begun) => kept_in(&begun)?,
            None => task.parent.run_id.clone(),
        };
        return Ok(ConversationRef::of_task(task, kept_in));
    }
    let run = row.runs.into_iter().next().map(|run| RunRef {
        run_id: run.run_id,
        package_id: run.package_id,
        workflow_id: run.workflow_id,
    });
    let agent = row.talk.as_ref().and_then(|talk| talk.with.agent());
    Ok(ConversationRef {
        conversation_id: conversation.clone(),
        project_id: row.project_id,
        run,
        agent_package: agent.map(|(package, _)| package.clone()),
        package_before: None,
        kept_in: kept_in(&begun)?,
    })
}

/// The package that is talked about from an event on.
pub(crate) fn package_of(event: &Event) -> Option<&PackageId> {
    match event {
        Event::RunStarted(e) => Some(&e.package_id),
        Event::ConversationStarted(e) => Some(e.mode.agent()?.0),
        Event::ModeChosen(e) => Some(e.with.agent()?.0),
        _ => None,
    }
}
