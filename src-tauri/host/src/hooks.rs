//! Hooks (spec 06 "Hooks"): the commands of a project that the person trusts, and running them.

mod command;

use kernel::bounds::HOOKS_AT_ONCE;
use kernel::code::{ErrorCode, Failure};
use kernel::effect::HookCall;
use kernel::hook::{HookResult, HookRule};
use kernel::ids::ProjectId;
use kernel::phrase::projects as said;
use kernel::project_hooks::Hook;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::real_path::RealPath;
use crate::store::RuntimeStore;

/// The commands of one project, as a run sees them. Clones share what is trusted.
#[derive(Clone)]
pub struct HookRunner {
    root: RealPath,
    trusted: Arc<Mutex<Arc<[Hook]>>>,
    /// Where another program may have taken the trust back.
    kept: Option<(RuntimeStore, ProjectId)>,
    slots: Arc<Semaphore>,
}

/// How many hooks may be at work at once, in all runs of a program.
pub fn slots() -> Arc<Semaphore> {
    Arc::new(Semaphore::new(HOOKS_AT_ONCE))
}

impl HookRunner {
    /// Commands are run in `root`, the project folder.
    pub fn new(root: RealPath, trusted: Vec<Hook>, slots: Arc<Semaphore>) -> Self {
        Self { root, trusted: Arc::new(Mutex::new(trusted.into())), kept: None, slots }
    }

    /// The same, and before each start the store is asked whether the person still trusts it.
    #[must_use]
    pub fn as_kept_in(self, store: RuntimeStore, project: ProjectId) -> Self {
        Self { kept: Some((store, project)), ..self }
    }

    /// What the engine may know of them.
    pub fn rules(&self) -> Arc<[HookRule]> {
        self.trusted().iter().map(|hook| hook.rule.clone()).collect()
    }

    /// The person trusts these from now on, and no others.
    pub fn trust(&self, hooks: Vec<Hook>) {
        *self.trusted.lock().unwrap_or_else(PoisonError::into_inner) = hooks.into();
    }

    fn trusted(&self) -> Arc<[Hook]> {
        Arc::clone(&self.trusted.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Runs a hook, once one of the places is free. Whatever its command has started is ended with it,
    /// before the place is free again.
    ///
    /// `shown` makes of what it wrote what people and models may be shown.
    ///
    /// # Errors
    /// `E_HOOK_FAILED` when the command did not start, did not end in time or was ended from outside,
    /// or is not trusted any more; `ENGINE_ABORTED` when `cancel` ended it.
    pub async fn run(
        &self,
        call: &HookCall,
        shown: impl Fn(&str) -> String,
        cancel: &CancellationToken,
    ) -> Result<HookResult, Failure> {
        let _slot = tokio::select! {
            // It is never closed.
            slot = self.slots.acquire() => slot.ok(),
            () = cancel.cancelled() => return Err(command::stopped()),
        };
        let trusted = self.trusted();
        let gone = || Failure::new(ErrorCode::HookFailed, said::hook_gone(&call.name));
        let hook = trusted.iter().find(|hook| hook.rule.name == call.name).ok_or_else(gone)?;
        if let Some((store, project)) = &self.kept
            && !store.trusted_hooks(project).await?.contains(&hook.sha256())
        {
            return Err(gone());
        }
        command::run(&self.root, hook, &call.told, shown, cancel).await
    }
}

#[cfg(test)]
mod tests;
