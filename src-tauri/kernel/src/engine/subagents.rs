//! Sub-agents, seen from the conversation that asks for them (spec 06 "Sub-agents"): when one begins,
//! and what follows from its end.

use std::sync::Arc;

use super::draft::LineDraft;
use super::machine::ExecutionEngine;
use crate::bounds::{SUBAGENT_SECONDS_DEFAULT, SUBAGENT_STEPS_DEFAULT, SUBAGENTS_PER_TURN};
use crate::chat::Usage;
use crate::code::{ErrorCode, Failure};
use crate::event::{Event, SubagentUpdated};
use crate::facts::{Fact, FactKind};
use crate::ids::{AgentId, CallId, ConversationId};
use crate::phrase::engine as said;
use crate::subagent::{Assignment, ParentCall, Subagent, TaskStarted};
use crate::tool::{self, ParsedCall, ReceivedCall, ToolInput, spawn};

impl ExecutionEngine {
    /// What the sub-agent of a call begins with.
    pub(super) fn task_of(&self, call: &CallId) -> Option<TaskStarted> {
        let run = self.core.run.as_ref()?;
        let queued = self.core.queue.iter().find(|queued| queued.call.id == *call)?;
        let ToolInput::Spawn(input) = &queued.call.parsed().ok()?.input else { return None };
        let lead = self.effective_agent()?;
        let parent = ParentCall {
            conversation_id: self.conversation.clone(),
            run_id: run.run_id.clone(),
            call_id: call.clone(),
            agent_id: lead.clone(),
        };
        Some(TaskStarted {
            conversation_id: ConversationId::of_task(&self.conversation, call)?,
            parent,
            project_id: run.project_id.clone(),
            package_id: run.package_id.clone(),
            content_hash: Some(self.package().content_hash.clone()),
            workflow_id: run.workflow_id.clone(),
            assignment: self.assignment(input, lead).ok()?,
            // What the person allowed of that folder since was allowed to the run.
            artifacts_dir: (!run.artifacts_ask).then(|| run.artifacts_dir.clone()),
            outputs: self.rules().map(|rules| rules.outputs).unwrap_or_default(),
            demo: run.demo,
        })
    }

    /// What a call asks for, by `lead`; why not, when there is no such agent.
    fn assignment(&self, input: &spawn::Input, lead: &AgentId) -> Result<Assignment, Failure> {
        let agents = &self.package().agents;
        let agent_id = match &input.args.agent_id {
            None => lead.clone(),
            Some(name) => {
                let mut ids = agents.iter().map(|agent| &agent.id);
                let named = ids.clone().find(|id| id.as_str() == name.trim()).cloned();
                named.ok_or_else(|| spawn::no_such_agent(name, &mut ids))?
            }
        };
        Ok(Assignment {
            task_type: input.args.task_type,
            prompt: input.args.prompt.clone(),
            expected_output: input.args.expected_output.clone(),
            agent_id,
            tools: tools_for(input)?,
            paths: input.paths.clone(),
            max_steps: input.args.max_steps.unwrap_or(SUBAGENT_STEPS_DEFAULT),
            timeout_s: input.args.timeout_sec.unwrap_or(SUBAGENT_SECONDS_DEFAULT),
        })
    }
}

impl LineDraft<'_> {
    /// `agent.spawn`: a sub-agent begins to work, or the model is told why not.
    pub(super) fn delegate(
        &mut self,
        call: &ReceivedCall,
        parsed: &ParsedCall,
        input: &spawn::Input,
    ) {
        let lead = self.core.effective_agent(self.package()).cloned();
        let conversation_id = ConversationId::of_task(self.conversation(), &call.id);
        let (Some(lead), Some(conversation_id)) = (lead, conversation_id) else {
            let failure =
                Failure::new(ErrorCode::EnginePreconditionFailed, said::run_has_no_agent());
            return self.end_refused(call, &failure);
        };
        if self.core.turn_subagents >= SUBAGENTS_PER_TURN {
            return self.end_refused(call, &spawn::too_many());
        }
        let assignment = match self.engine.assignment(input, &lead) {
            Ok(assignment) => assignment,
            Err(failure) => return self.end_refused(call, &failure),
        };
        let subagent = Subagent {
            call_id: call.id.clone(),
            conversation_id,
            agent_id: assignment.agent_id,
            task_type: assignment.task_type,
            end: None,
            verdict: None,
            failure: None,
            steps: 0,
            args: Some(Arc::new(parsed.args())),
            settled: false,
        };
        let facts = vec![Fact::new(FactKind::SubagentStarted)];
        self.push(Event::SubagentUpdated(Box::new(SubagentUpdated {
            subagent,
            facts,
            changes: Vec::new(),
            usage: Usage::default(),
        })));
    }
}

/// The tools that a call narrows to, by their canonical names. One that the kind of work has not is
/// refused: who narrows to what there is not would get nothing, and must be told.
fn tools_for(input: &spawn::Input) -> Result<Vec<String>, Failure> {
    let task = input.args.task_type;
    let named = input.args.allowed_tools.iter().flatten();
    let canonical = named.map(|name| {
        let tool = tool::find(name).filter(|tool| tool.serves(task));
        tool.map(|tool| tool.name.to_owned()).ok_or_else(|| spawn::no_such_tool(name, task))
    });
    canonical.collect()
}
