//! What a decision knows of files: the facts so far, those of its own line included, and what
//! somebody else was found to have done.

use std::borrow::Cow;

use super::draft::LineDraft;
use crate::effect::ForeignChange;
use crate::event::{Event, FactsUpdated};
use crate::facts::{Evidence, Fact, FactKind};
use crate::tool::{CallResult, EffectClass, ReceivedCall};

impl LineDraft<'_> {
    /// What the facts prove, those of this line included.
    pub(super) fn evidence(&self) -> Cow<'_, Evidence> {
        let known = &self.record().evidence;
        let first = self.engine.core.seq.max(1);
        let mut evidence = Cow::Borrowed(known);
        for (seq, event) in (first..).zip(&self.events) {
            let facts = match event {
                Event::CallEnded(e) => &e.facts,
                Event::FactsUpdated(e) => &e.facts,
                Event::HookEnded(e) => &e.facts,
                Event::SubagentUpdated(e) => &e.facts,
                Event::PutBackEnded(e) => &e.facts,
                Event::RewindEnded(e) => &e.files.facts,
                _ => continue,
            };
            for fact in facts {
                evidence.to_mut().apply(seq, fact);
            }
        }
        evidence
    }

    /// Records that somebody else changed files.
    pub(super) fn changed_by_others(&mut self, foreign: &[ForeignChange]) {
        let fact = |change: &ForeignChange| Fact {
            sha256: change.sha256.clone(),
            ..Fact::at(FactKind::FileForeignChange, &change.path)
        };
        let facts: Vec<Fact> = foreign.iter().map(fact).collect();
        if !facts.is_empty() {
            self.push(Event::FactsUpdated(FactsUpdated { facts }));
        }
    }

    /// What a call found that somebody else made of a file of the run: it read other bytes than were
    /// known, or was about to replace them.
    pub(super) fn noticed(&self, call: &ReceivedCall, read: &CallResult) -> Vec<ForeignChange> {
        let Ok(parsed) = call.parsed() else { return Vec::new() };
        let Some(path) = parsed.path().filter(|_| read.ok) else { return Vec::new() };
        let known = self.record().evidence.of(path).filter(|known| known.is_ours());
        let queued = self.core.queue.iter().find(|queued| queued.call.id == call.id);
        let found = match parsed.class {
            EffectClass::Read => read.sha256.clone(),
            EffectClass::WriteProject => queued.and_then(|q| q.status.began()?.pre_hash.clone()),
            EffectClass::WriteState
            | EffectClass::Session
            | EffectClass::External
            | EffectClass::Delegate => None,
        };
        let other = known
            .zip(found)
            .filter(|(known, found)| known.sha256().is_some_and(|sha256| sha256 != found));
        let change = |found| ForeignChange { path: path.clone(), sha256: Some(found) };
        other.map(|(_, found)| change(found)).into_iter().collect()
    }
}
