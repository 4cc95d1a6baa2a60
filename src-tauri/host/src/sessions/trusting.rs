//! The commands of a project (spec 06 "Hooks"), and the servers that are set up (spec 05 "MCP"):
//! showing them, and trusting them.

use kernel::code::{ErrorCode, Failure};
use kernel::command::{Receipt, ServerCommand};
use kernel::ids::ProjectId;
use kernel::phrase::projects as said;
use kernel::project_hooks::Hook;
use kernel::wire::HookView;
use std::collections::BTreeMap;

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

    /// Sets servers up, tests, trusts or removes them. Conversations that are open follow at once.
    pub(crate) async fn servers(&self, command: ServerCommand) -> Result<Receipt, Failure> {
        let servers = &self.library.servers;
        match command {
            ServerCommand::Save { server, replaces } => servers.save(server, replaces).await?,
            ServerCommand::Import { path, names } => servers.import(path.into(), names).await?,
            ServerCommand::Remove { name } => servers.remove(&name).await?,
            ServerCommand::Switch { name, enabled } => servers.switch(&name, enabled).await?,
            ServerCommand::Test { name, project_id } => {
                let project = match &project_id {
                    Some(id) => Some(self.store.project(id).await?.root()),
                    None => None,
                };
                let tested = servers.test(&name, project).await;
                self.renew_servers().await?;
                return tested.map(|()| Receipt::default());
            }
            ServerCommand::StopTest { name } => {
                servers.stop_test(&name);
                return Ok(Receipt::default());
            }
            ServerCommand::SignIn { name } => {
                let sign_in = Some(Box::new(servers.sign_in(&name).await?));
                return Ok(Receipt { sign_in, ..Receipt::default() });
            }
            ServerCommand::WaitForSignIn { name } => servers.signed_in(&name).await?,
            ServerCommand::StopSignIn { name } => servers.stop_sign_in(&name),
            ServerCommand::SignOut { name } => servers.sign_out(&name).await?,
            ServerCommand::Trust { project_id, servers: seen, trusted } => {
                self.store.project(&project_id).await?;
                servers.trust(&project_id, seen, trusted).await?;
            }
        }
        self.renew_servers().await?;
        Ok(Receipt::default())
    }

    /// Tells every conversation that is open which servers it may use now.
    pub(super) async fn renew_servers(&self) -> Result<(), Failure> {
        let mut offered = BTreeMap::new();
        for project in self.store.projects().await? {
            let servers = self.library.servers.offered(&project.project_id).await?;
            offered.insert(project.project_id, servers);
        }
        self.runners.tell(|| RunnerMessage::Servers(offered.clone()));
        Ok(())
    }
}
