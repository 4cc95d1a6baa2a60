//! `PromptComposer`: the one place where a prompt is put together (spec 04 "Layers").
//!
//! Templates are Markdown in `templates/prompts/`, embedded at build time, rendered with strict
//! undefined variables.

mod anchor;
mod blocks;
mod input;
mod memo;
mod redact;
mod summary;
mod templates;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::chat::ChatMessage;
use crate::code::{ErrorCode, Failure};
use crate::decision::Decision;
use crate::ids::NodeId;
use crate::package::Agent;
use crate::phrase::engine as said;
use crate::policy::ToolPolicy;

use anchor::Anchor;

pub use blocks::{PromptComposer, SUMMARY_HEADER, SUMMARY_HEADINGS, SummaryRequest};
pub use input::{
    ActiveStep, ComposeInput, DataContext, Intent, Mode, PromptProfile, RunPrompt, TaskPrompt,
};
pub use redact::{redact_paths, redact_text};

impl PromptComposer {
    /// A whole request's messages in the fixed order of spec 04 "Layers": system layers, history,
    /// anchor, user input. One path for all modes and both profiles.
    ///
    /// # Errors
    /// As [`system`](Self::system) and [`anchor`](Self::anchor).
    pub fn compose(&self, input: &ComposeInput<'_>) -> Result<Vec<Arc<ChatMessage>>, Failure> {
        let anchor = match (input.mode, input.run) {
            (Mode::Run, Some(run)) => Some(Anchor::of(run)?),
            _ => None,
        };
        self.compose_with(input, anchor.as_ref())
    }

    fn compose_with(
        &self,
        input: &ComposeInput<'_>,
        anchor: Option<&Anchor>,
    ) -> Result<Vec<Arc<ChatMessage>>, Failure> {
        let mut messages = self.system(input.mode, input.policy, input.persona)?;
        messages.extend(input.history.iter().cloned().map(Arc::new));
        if let Some(anchor) = anchor {
            messages.extend(self.anchor_blocks(anchor, input.data)?);
        }
        if let Some(raw) = input.user_input.filter(|raw| !raw.trim().is_empty()) {
            let node = anchor.and_then(|a| a.step.as_ref()).map(|s| s.node_id.as_str());
            messages.push(Arc::new(ChatMessage::user(self.user_input_block(raw, node)?)));
        }
        Ok(messages)
    }

    /// The system layers: base rules → tool policy → persona (never in chat mode).
    ///
    /// # Errors
    /// `AGENT_NOT_FOUND` for a run or an agent without a persona: it is never dropped silently.
    pub fn system(
        &self,
        mode: Mode,
        policy: &ToolPolicy,
        persona: Option<&Agent>,
    ) -> Result<Vec<Arc<ChatMessage>>, Failure> {
        self.systems.get(
            |(m, p, agent)| *m == mode && p == policy && agent.as_ref() == persona,
            || {
                let layers = self.layers(mode, policy, persona)?;
                let layers = layers.into_iter().map(ChatMessage::system).map(Arc::new);
                Ok(((mode, policy.clone(), persona.cloned()), layers.collect()))
            },
        )
    }

    fn layers(
        &self,
        mode: Mode,
        policy: &ToolPolicy,
        persona: Option<&Agent>,
    ) -> Result<Vec<String>, Failure> {
        let mut layers = vec![self.base_rules(mode)?, self.tool_policy(policy)?];
        match (mode, persona) {
            (Mode::Chat, _) => {}
            (Mode::Run | Mode::Agent | Mode::Task, Some(agent)) => {
                layers.push(self.persona(agent)?);
            }
            (Mode::Run | Mode::Agent | Mode::Task, None) => {
                return Err(Failure::new(ErrorCode::AgentNotFound, said::no_persona())
                    .with_action(said::choose_an_agent()));
            }
        }
        Ok(layers)
    }

    /// The anchor: `RUN_DIRECTIVE`, and in the normal profile `NODE_BRIEF`, `DATA_CONTEXT` for
    /// each of `data`, and `STATE_SUMMARY` when there are variables; `TODO_LIST` when there are todos.
    ///
    /// # Errors
    /// `ENGINE_PRECONDITION_FAILED` when a path in the package or the project file is not relative.
    pub fn anchor(
        &self,
        run: &RunPrompt<'_>,
        data: &[DataContext],
    ) -> Result<Vec<Arc<ChatMessage>>, Failure> {
        self.anchor_blocks(&Anchor::of(run)?, data)
    }

    fn anchor_blocks(
        &self,
        anchor: &Anchor,
        data: &[DataContext],
    ) -> Result<Vec<Arc<ChatMessage>>, Failure> {
        self.anchors.get(
            |(known, with)| known == anchor && with == data,
            || {
                let blocks = self.blocks(anchor, data)?;
                let blocks = blocks.into_iter().map(ChatMessage::user).map(Arc::new);
                Ok(((anchor.clone(), data.to_vec()), blocks.collect()))
            },
        )
    }

    fn blocks(&self, anchor: &Anchor, data: &[DataContext]) -> Result<Vec<String>, Failure> {
        let mut blocks = vec![self.run_directive(anchor)?];
        if let Some(step) = &anchor.step {
            blocks.push(self.node_brief(step)?);
            for item in data {
                blocks.push(self.data_context(item)?);
            }
            blocks.extend(self.state_summary(step)?);
        }
        if let Some(todos) = &anchor.todos {
            blocks.push(self.todo_list(todos)?);
        }
        Ok(blocks)
    }

    /// `TASK_BRIEF`: what a sub-agent is to do.
    ///
    /// # Errors
    /// What rendering fails with: a bug in a template.
    pub fn task(&self, prompt: &TaskPrompt<'_>) -> Result<Vec<Arc<ChatMessage>>, Failure> {
        Ok(vec![Arc::new(ChatMessage::user(self.task_brief(prompt)?))])
    }

    /// `USER_INPUT` round a person's own words, never rewritten. `for_node` only in the normal
    /// profile of a run.
    ///
    /// # Errors
    /// What rendering fails with: a bug in a template.
    pub fn user_input(&self, raw: &str, for_node: Option<&NodeId>) -> Result<String, Failure> {
        self.user_input_block(raw, for_node.map(NodeId::as_str))
    }

    /// `CONTINUE_DIRECTIVE`: why a final answer was not accepted, and the calls that would make
    /// it so (spec 06). Sent once, never stored as a message. `rejections` is how many of the model's
    /// last messages were not accepted, in a row.
    ///
    /// # Errors
    /// What rendering fails with: a bug in a template.
    pub fn continue_directive(
        &self,
        decision: &Decision,
        rejections: u32,
    ) -> Result<String, Failure> {
        self.continue_block(decision, rejections)
    }

    /// The request for a summary of older messages (spec 04 "Not built yet"). The answer
    /// must begin with [`SUMMARY_HEADER`] and have every one of [`SUMMARY_HEADINGS`].
    ///
    /// # Errors
    /// What rendering fails with: a bug in a template.
    pub fn summary_request(&self, request: &SummaryRequest<'_>) -> Result<String, Failure> {
        self.summary_block(request)
    }
}
