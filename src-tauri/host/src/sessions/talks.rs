//! Conversations without a run, and with whom the person talks in one (spec 01 "Modes").

use kernel::code::{ErrorCode, Failure};
use kernel::engine::{BeginConversation, Input};
use kernel::event::ArtifactsFolder;
use kernel::ids::{AgentId, ConversationId, PackageId, ProjectId};
use kernel::mode::Mode;
use kernel::phrase::engine as said;
use serde_json::json;

use super::Sessions;
use super::conversation_ref::ConversationRef;
use crate::projects::DEFAULT_ARTIFACTS_DIR;

impl Sessions {
    /// Makes a conversation with an agent, or with the model alone; the latter is told the first
    /// words.
    pub(super) async fn make_talk(
        &self,
        project_id: &ProjectId,
        with: Mode,
        input: Option<String>,
    ) -> Result<ConversationId, Failure> {
        if with == Mode::Run {
            return Err(Failure::new(ErrorCode::BadRequest, said::has_no_run())
                .with_action(said::start_a_run_in_it()));
        }
        self.check_agent(&with).await?;
        let project = self.open_project(project_id).await?;
        let id = ConversationId::new(self.ids.uuid())
            .map_err(|e| Failure::new(ErrorCode::Internal, e.says()))?;
        let agent_package = with.agent().map(|(package, _)| package.clone());
        let of = ConversationRef::of_talk(id.clone(), project_id.clone(), agent_package)?;
        let artifacts = ArtifactsFolder {
            asks: project.artifacts_dir != DEFAULT_ARTIFACTS_DIR,
            folder: project.artifacts_dir,
        };
        self.library.preferences.model().known_context().await;
        let begin =
            BeginConversation { project_id: project_id.clone(), mode: with, artifacts, input };
        let begun = self.begin_with(of, Input::Begin(begin), false, async |line| {
            self.store.create_talk(&id, project_id, line).await
        });
        Box::pin(begun).await?;
        Ok(id)
    }

    /// The person talks with somebody else from now on.
    pub(super) async fn talk_with(
        &self,
        conversation: &ConversationId,
        with: Mode,
    ) -> Result<(), Failure> {
        self.check_agent(&with).await?;
        let of = self.conversation_ref(conversation).await?;
        let agent_package = with.agent().map(|(package, _)| package.clone());
        let of = ConversationRef { agent_package, ..of };
        self.turn(&of, Input::ChooseMode(with), false).await
    }

    /// Refuses an agent that its package does not have, and says which it has.
    async fn check_agent(&self, with: &Mode) -> Result<(), Failure> {
        match with.agent() {
            Some((package, agent)) => self.find_agent(package, agent).await,
            None => Ok(()),
        }
    }

    async fn find_agent(&self, package: &PackageId, agent: &AgentId) -> Result<(), Failure> {
        let package = self.library.packages.load(package).await?;
        if package.agent(agent).is_some() {
            return Ok(());
        }
        let ids: Vec<&str> = package.agents.iter().map(|agent| agent.id.as_str()).collect();
        Err(Failure::new(ErrorCode::AgentNotFound, said::package_no_agent(agent))
            .with_details(json!({ "agents": ids }))
            .with_action(kernel::phrase::projects::choose_one_of(ids.join(", "))))
    }
}
