//! Requests built again from the lines before them.

use std::collections::{BTreeMap, BTreeSet};

use super::sent::SentRequest;
use crate::chat::ChatRequest;
use crate::code::Failure;
use crate::context::{CompactionJob, LeftOut, SourcedMessage, SummaryBy};
use crate::effect::{Effect, EffectId};
use crate::engine::{Env, ExecutionEngine};
use crate::event::{Cause, Event, Line};
use crate::ids::ConversationId;
use crate::phrase::Phrase;
use crate::tokens::Tokenizer;

/// What a request was made of.
#[derive(Debug, Clone, PartialEq)]
pub enum Built {
    /// The request of a turn.
    Turn {
        /// As the engine built it.
        request: ChatRequest,
        /// Its messages, each with what it is.
        messages: Vec<SourcedMessage>,
    },
    /// What a model was asked to sum up.
    Summary(Box<CompactionJob>),
}

/// A request, built again.
#[derive(Debug, Clone, PartialEq)]
pub struct RebuiltRequest {
    /// What it was made of.
    pub built: Built,
    /// What counted its tokens when it was made.
    pub tokenizer: Tokenizer,
    /// Messages of the conversation that are not in it.
    pub left_out: LeftOut,
    /// How the conversation was made shorter last, in words.
    pub shortened: Vec<Phrase>,
}

/// Reads a journal from its first line on, and builds some of its requests as they were built then:
/// each under the state and the settings that held when it became wanted.
#[derive(Debug)]
pub struct Rebuilding {
    engine: ExecutionEngine,
    wanted: BTreeMap<u64, EffectId>,
    effects: BTreeSet<EffectId>,
    started: BTreeMap<EffectId, Result<RebuiltRequest, Failure>>,
    shortened: Vec<Phrase>,
    rebuilt: BTreeMap<u64, Result<RebuiltRequest, Failure>>,
}

impl Rebuilding {
    /// What builds these requests of a conversation. Its settings are those of the journal.
    pub fn new<'a>(
        conversation: ConversationId,
        env: Env,
        requests: impl IntoIterator<Item = &'a SentRequest>,
    ) -> Self {
        let wanted: BTreeMap<u64, EffectId> =
            requests.into_iter().map(|it| (it.row.seq, it.effect.clone())).collect();
        Self {
            engine: ExecutionEngine::new(conversation, env),
            effects: wanted.values().cloned().collect(),
            wanted,
            started: BTreeMap::new(),
            shortened: Vec::new(),
            rebuilt: BTreeMap::new(),
        }
    }

    /// Takes the next line. True when nothing is left to be built.
    pub fn line(&mut self, line: &Line) -> bool {
        if let Some(limits) = line.settings.as_deref() {
            self.engine.set_limits(limits.clone());
            // Settings may begin other effects than those before.
            self.begin();
        }
        let was_it = self.wanted.remove(&line.seq);
        let ended = was_it.as_ref().or(match &line.cause {
            Some(Cause::Ended { effect, .. }) => Some(effect),
            _ => None,
        });
        if let Some(rebuilt) = ended.and_then(|effect| self.started.remove(effect))
            && was_it.is_some()
        {
            self.rebuilt.insert(line.seq, rebuilt);
        }
        self.engine.apply(line);
        if line.cause == Some(Cause::Reopened) {
            // The program ended in between, and everything it was working on with it.
            self.started.clear();
        }
        for event in &line.events {
            if let Event::ContextCompacted(e) = event
                && e.result.compaction.is_some()
            {
                self.shortened = e.said();
            }
        }
        self.begin();
        self.wanted.is_empty()
    }

    /// What became of a request, by the sequence number of the line that ended it. `None` when the
    /// journal does not lead to it.
    pub fn take(&mut self, seq: u64) -> Option<Result<RebuiltRequest, Failure>> {
        self.rebuilt.remove(&seq)
    }

    /// Builds what is newly wanted, and forgets what is not wanted any more.
    fn begin(&mut self) {
        let wanted = self.engine.wanted();
        self.started.retain(|id, _| wanted.contains(id));
        for id in wanted.intersection(&self.effects) {
            if !self.started.contains_key(id)
                && let Some(rebuilt) = self.build(id).transpose()
            {
                self.started.insert(id.clone(), rebuilt);
            }
        }
    }

    /// `None` for an effect that asks no model.
    fn build(&self, id: &EffectId) -> Result<Option<RebuiltRequest>, Failure> {
        let built = match self.engine.effect(id)? {
            Effect::Think(think) => {
                let messages = self.engine.sourced_messages()?;
                Built::Turn { request: think.request, messages }
            }
            // The journal says that it was asked for one.
            Effect::Compact(job) => {
                Built::Summary(Box::new(CompactionJob { summary: SummaryBy::Model, ..*job }))
            }
            Effect::Hook(_) | Effect::Delegate(_) | Effect::Recall(_) | Effect::Act(_) => {
                return Ok(None);
            }
        };
        let tokenizer = self.engine.tokenizer();
        let (left_out, shortened) = (self.engine.left_out(), self.shortened.clone());
        Ok(Some(RebuiltRequest { built, tokenizer, left_out, shortened }))
    }
}
