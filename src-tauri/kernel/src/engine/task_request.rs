//! The request of a sub-agent.

use super::machine::ExecutionEngine;
use crate::code::{ErrorCode, Failure};
use crate::effect::Think;
use crate::phrase::engine as said;
use crate::prompt::{Subject, TaskPrompt};
use crate::subagent::TaskStarted;

impl ExecutionEngine {
    /// The request of a sub-agent.
    pub(super) fn think_of_task(&self, task: &TaskStarted) -> Result<Think, Failure> {
        let assignment = &task.assignment;
        let agent = self.env.package.agent(&assignment.agent_id).ok_or_else(|| {
            let message = said::package_no_agent(&assignment.agent_id);
            Failure::new(ErrorCode::AgentNotFound, message)
        })?;
        let policy = self
            .policy()
            .ok_or_else(|| Failure::new(ErrorCode::EnginePreconditionFailed, said::has_no_run()))?;
        let prompt = TaskPrompt { assignment, artifacts_dir: task.artifacts_dir.as_deref() };
        let request = self.request(Subject::Task(&prompt), &policy, agent)?;
        Ok(Think { request, state_sha256: None, written: Vec::new(), policy })
    }
}
