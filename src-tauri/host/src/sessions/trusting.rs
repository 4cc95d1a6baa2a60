//! The commands of a project: showing them, and trusting them (spec 06 "Hooks").

use kernel::code::{ErrorCode, Failure};
use kernel::ids::ProjectId;
use kernel::phrase::projects as said;
use kernel::project_hooks::Hook;
use kernel::wire::HookView;

use super::Sessions;
use super::mailbox::RunnerMessage;
use crate::library::projects::hooks_of;

impl Sessions {
    /// The commands of a project, each with whether the person trusts it.
    pub(crate) async fn hooks(&self, id: &ProjectId) -> Result<Vec<HookView>, Failure> {
        let hooks = hooks_of(&self.store.project(id).await?).await?;
        let trusted = self.store.trusted_hooks(id).await?;
        let view = |hook: &Hook| HookView::of(hook, trusted.contains(&hook.sha256()));
        Ok(hooks.iter().map(view).collect())
    }

    /// Trusts commands of a project, or trusts them no more. Runs that are open follow at once.
    pub(crate) async fn trust_hooks(
        &self,
        id: &ProjectId,
        shown: Vec<String>,
        trusted: bool,
    ) -> Result<(), Failure> {
        let project = self.store.project(id).await?;
        let known: Vec<String> = hooks_of(&project).await?.iter().map(Hook::sha256).collect();
        if trusted && !shown.iter().all(|sha256| known.contains(sha256)) {
            let failure = Failure::new(ErrorCode::ProjectFileInvalid, said::hook_not_as_shown());
            return Err(failure.with_action(said::look_at_hooks_again()));
        }
        self.store.trust_hooks(id, shown, trusted, self.clock.now()).await?;
        let now = self.factory.trusted(&project).await?;
        self.runners.tell(|| RunnerMessage::Hooks(id.clone(), now.clone()));
        Ok(())
    }
}
