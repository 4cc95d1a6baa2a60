//! `PromptComposer`: the one place where a prompt is put together (spec 04 "Layers").
//!
//! Templates are Markdown in `templates/prompts/`, embedded at build time, rendered with strict
//! undefined variables.

mod anchor;
mod blocks;
mod input;
mod memo;
mod redact;
mod skills;
mod summary;
mod templates;
#[cfg(test)]
mod tests;

use crate::chat::{ChatMessage, MESSAGE_TOKENS, RequestMessages};
use crate::code::{ErrorCode, Failure};
use crate::context::{self, MessageSource, PlacedMessages, RequestParts, SourcedMessage};
use crate::decision::Decision;
use crate::ids::NodeId;
use crate::mention::GivenFile;
use crate::package::Agent;
use crate::phrase::engine as said;
use crate::policy::ToolPolicy;
use crate::settings::ToolOffer;

use anchor::Anchor;

pub use blocks::{PromptComposer, SummaryRequest};
pub use input::{
    ActiveStep, ComposeInput, Intent, PromptKind, PromptProfile, RunPrompt, Subject, TaskPrompt,
};
pub use redact::{redact_paths, redact_text};

/// What a request holds besides the conversation.
struct Layers {
    system: Vec<SourcedMessage>,
    anchor: Vec<SourcedMessage>,
    /// Why the model's last words were not accepted.
    told: Option<SourcedMessage>,
    /// What is to be done next.
    next: Option<SourcedMessage>,
    /// That the model's last words were cut.
    cut: Option<SourcedMessage>,
}

impl Layers {
    fn tokens(&self, input: &ComposeInput<'_>) -> u64 {
        let last = self.told.iter().chain(&self.next).chain(&self.cut);
        let messages = self.system.iter().chain(&self.anchor).chain(last);
        let around = messages.clone().count() as u64 * MESSAGE_TOKENS;
        let texts = messages.map(|layer| layer.message.content.as_str());
        around + input.counted.tokens(input.tokenizer, texts)
    }
}

/// The messages of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct ComposedMessages {
    /// All of them, in order.
    pub messages: RequestMessages,
    /// How many tokens they have besides those of the conversation.
    pub layer_tokens: u64,
}

impl PromptComposer {
    /// A whole request's messages in the fixed order of spec 04 "Layers": system layers, history
    /// with the anchor in it, and what the model is told once. The one path for all modes and both
    /// profiles.
    ///
    /// # Errors
    /// `AGENT_NOT_FOUND` for a run, a task or an agent without a persona;
    /// `ENGINE_PRECONDITION_FAILED` when a path in the package or the project file is not relative.
    pub fn compose(&self, input: &ComposeInput<'_>) -> Result<ComposedMessages, Failure> {
        let layers = self.layers(input)?;
        let layer_tokens = layers.tokens(input);
        let mut messages = RequestMessages::default();
        self.put_together(layers, input, &mut messages)?;
        Ok(ComposedMessages { messages, layer_tokens })
    }

    /// The same messages, each with what it is.
    ///
    /// # Errors
    /// As [`compose`](Self::compose).
    pub fn compose_sourced(
        &self,
        input: &ComposeInput<'_>,
    ) -> Result<Vec<SourcedMessage>, Failure> {
        let mut messages = Vec::new();
        self.put_together(self.layers(input)?, input, &mut messages)?;
        Ok(messages)
    }

    fn put_together(
        &self,
        layers: Layers,
        input: &ComposeInput<'_>,
        to: &mut impl PlacedMessages,
    ) -> Result<(), Failure> {
        let Layers { system, anchor, told, next, cut } = layers;
        let parts = RequestParts {
            system,
            history: input.history,
            since: input.since,
            anchor,
            anchor_at: input.subject.anchor_at().unwrap_or(input.anchor_at),
            turn_start: input.turn_start,
            names_nodes: input.subject.names_nodes(),
        };
        context::place(parts, |raw, node| self.user_input(raw, node), to)?;
        next.into_iter().chain(told).chain(cut).for_each(|message| to.add(message));
        Ok(())
    }

    /// How many tokens a request has besides the conversation and the tools.
    ///
    /// # Errors
    /// As [`compose`](Self::compose).
    pub fn layer_tokens(&self, input: &ComposeInput<'_>) -> Result<u64, Failure> {
        Ok(self.layers(input)?.tokens(input))
    }

    fn layers(&self, input: &ComposeInput<'_>) -> Result<Layers, Failure> {
        let told = input.not_accepted.map(|(decision, rejections)| {
            let names_nodes = input.subject.names_nodes();
            let text = self.continue_directive(decision, rejections, names_nodes)?;
            Ok::<_, Failure>(user_layer(MessageSource::ContinueDirective, text))
        });
        let next = input.subject.next_move().map(|(next, variables)| {
            let text = self.next_action(next, variables)?;
            Ok::<_, Failure>(user_layer(MessageSource::NextAction, text))
        });
        let cut = input.was_cut.then(|| {
            let text = self.output_cut()?;
            Ok::<_, Failure>(user_layer(MessageSource::OutputCut, text))
        });
        Ok(Layers {
            system: self.system(
                input.subject.kind(),
                input.subject.offer(),
                input.policy,
                input.persona,
            )?,
            anchor: self.anchor(input)?,
            told: told.transpose()?,
            next: next.transpose()?,
            cut: cut.transpose()?,
        })
    }

    /// The system layers: base rules → tool policy → skills → persona (never in chat mode) → the
    /// skills at work.
    ///
    /// # Errors
    /// `AGENT_NOT_FOUND` for a run or an agent without a persona: it is never dropped silently.
    fn system(
        &self,
        kind: PromptKind,
        offer: ToolOffer,
        policy: &ToolPolicy,
        persona: Option<&Agent>,
    ) -> Result<Vec<SourcedMessage>, Failure> {
        self.systems.get(
            |(k, o, p, agent)| (*k, *o, p, agent.as_ref()) == (kind, offer, policy, persona),
            || {
                let layers = self.system_layers(kind, offer, policy, persona)?;
                let layers = layers
                    .into_iter()
                    .map(|(source, text)| SourcedMessage::layer(source, ChatMessage::system(text)));
                Ok(((kind, offer, policy.clone(), persona.cloned()), layers.collect()))
            },
        )
    }

    fn system_layers(
        &self,
        kind: PromptKind,
        offer: ToolOffer,
        policy: &ToolPolicy,
        persona: Option<&Agent>,
    ) -> Result<Vec<(MessageSource, String)>, Failure> {
        let mut layers = match offer {
            ToolOffer::All => vec![
                (MessageSource::BaseRules, self.base_rules(kind, policy)?),
                (MessageSource::ToolPolicy, self.tool_policy(policy)?),
            ],
            // The schemas say what is on offer and what a call may be about.
            ToolOffer::Step => vec![(MessageSource::BaseRules, self.base_rules_step()?)],
        };
        let skills = policy.skills();
        if offer == ToolOffer::All {
            layers.extend(self.skills(skills)?.map(|text| (MessageSource::Skills, text)));
        }
        match (kind, persona) {
            (PromptKind::Chat, _) => {}
            (PromptKind::Run | PromptKind::Agent | PromptKind::Task, Some(agent)) => {
                layers.push((MessageSource::Persona, self.persona(agent)?));
            }
            (PromptKind::Run | PromptKind::Agent | PromptKind::Task, None) => {
                return Err(Failure::new(ErrorCode::AgentNotFound, said::no_persona())
                    .with_action(said::choose_an_agent()));
            }
        }
        for skill in &skills.at_work {
            layers.push((MessageSource::ActiveSkill, self.active_skill(skill)?));
        }
        Ok(layers)
    }

    /// The anchor of a run: `RUN_DIRECTIVE`, and in the normal profile `NODE_BRIEF`, `DATA_CONTEXT`
    /// for each file that the newest input mentions, and `STATE_SUMMARY` when there are variables; `TODO_LIST` when there are
    /// todos. That of a sub-agent is `TASK_BRIEF`.
    fn anchor(&self, input: &ComposeInput<'_>) -> Result<Vec<SourcedMessage>, Failure> {
        match input.subject {
            Subject::Run(run) => self.anchor_blocks(&Anchor::of(run)?, input.data),
            Subject::Task(task) => {
                Ok(vec![user_layer(MessageSource::TaskBrief, self.task_brief(task)?)])
            }
            Subject::Agent | Subject::Chat => Ok(Vec::new()),
        }
    }

    fn anchor_blocks(
        &self,
        anchor: &Anchor,
        data: &[GivenFile],
    ) -> Result<Vec<SourcedMessage>, Failure> {
        self.anchors.get(
            |(known, with)| known == anchor && with == data,
            || {
                let blocks = self.blocks(anchor, data)?;
                let blocks = blocks.into_iter().map(|(source, text)| user_layer(source, text));
                Ok(((anchor.clone(), data.to_vec()), blocks.collect()))
            },
        )
    }

    fn blocks(
        &self,
        anchor: &Anchor,
        data: &[GivenFile],
    ) -> Result<Vec<(MessageSource, String)>, Failure> {
        let mut blocks = vec![(MessageSource::RunDirective, self.run_directive(anchor)?)];
        if let Some(step) = &anchor.step {
            blocks.push((MessageSource::NodeBrief, self.node_brief(step)?));
            for item in data {
                blocks.push((MessageSource::DataContext, self.data_context(item)?));
            }
            let summary = self.state_summary(step)?;
            blocks.extend(summary.map(|text| (MessageSource::StateSummary, text)));
        }
        if let Some(todos) = &anchor.todos {
            blocks.push((MessageSource::TodoList, self.todo_list(todos)?));
        }
        Ok(blocks)
    }

    /// `USER_INPUT` round a person's own words, never rewritten. `for_node` only in the normal
    /// profile of a run.
    ///
    /// # Errors
    /// What rendering fails with: a bug in a template.
    fn user_input(&self, raw: &str, for_node: Option<&NodeId>) -> Result<String, Failure> {
        self.user_input_block(raw, for_node.map(NodeId::as_str))
    }

    /// `CONTINUE_DIRECTIVE`: why a final answer was not accepted, and the calls that would make
    /// it so (spec 06). Sent once, never stored as a message. `rejections` is how many of the model's
    /// last messages were not accepted, in a row. A step is named only while a workflow is under way.
    ///
    /// # Errors
    /// What rendering fails with: a bug in a template.
    fn continue_directive(
        &self,
        decision: &Decision,
        rejections: u32,
        names_nodes: bool,
    ) -> Result<String, Failure> {
        self.continue_block(decision, rejections, names_nodes)
    }

    /// The request for a summary of older messages (spec 04 "Compression"). The answer
    /// must begin with [`SUMMARY_HEADER`](crate::context::SUMMARY_HEADER) and have every one of [`SUMMARY_HEADINGS`](crate::context::SUMMARY_HEADINGS).
    ///
    /// # Errors
    /// What rendering fails with: a bug in a template.
    pub fn summary_request(&self, request: &SummaryRequest<'_>) -> Result<String, Failure> {
        self.summary_block(request)
    }
}

fn user_layer(source: MessageSource, text: String) -> SourcedMessage {
    SourcedMessage::layer(source, ChatMessage::user(text))
}
