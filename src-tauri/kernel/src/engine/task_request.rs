//! The request of a sub-agent.

use super::machine::ExecutionEngine;
use crate::code::{ErrorCode, Failure};
use crate::context;
use crate::effect::Think;
use crate::phrase::engine as said;
use crate::prompt::{Mode, TaskPrompt};
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
        let composer = &self.env.composer;
        let prompt = TaskPrompt { assignment, artifacts_dir: task.artifacts_dir.as_deref() };
        let parts = context::RequestParts {
            system: composer.system(Mode::Task, &policy, Some(agent))?,
            history: self.record.history.entries(),
            anchor: composer.task(&prompt)?,
            anchor_at: context::AnchorAt(0),
            turn_start: 0,
            names_nodes: false,
        };
        let messages = context::build(parts, |raw, node| composer.user_input(raw, node))?;
        let request = self.finished_request(messages, &policy)?;
        Ok(Think { request, state_sha256: None, written: Vec::new(), policy })
    }
}
