//! A replay under way: where it stands, and what it takes from the record.

use kernel::code::Failure;
use kernel::effect::{Called, Effect, EffectId, Permit};
use kernel::engine::{Env, ExecutionEngine};
use kernel::path::{AliasPath, Mount};
use kernel::phrase::{Phrase, exports};
use kernel::prompt::PromptComposer;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

use super::archive::Recording;
use super::contents::Begin;
use super::format::invalid;
use super::report::{FromRecord, ReplayDifference};
use super::scratch::Scratch;
use crate::requests::LastRequest;

/// A replay under way.
pub(super) struct Replayer<'r> {
    pub(super) recording: &'r Recording,
    pub(super) engine: ExecutionEngine,
    /// What is going on: each effect as it was built when it became wanted.
    pub(super) started: BTreeMap<EffectId, Result<Effect, Failure>>,
    pub(super) scratch: Scratch,
    pub(super) sent: LastRequest,
    pub(super) requests: usize,
    pub(super) from_record: Vec<FromRecord>,
    pub(super) decided: usize,
    pub(super) files: BTreeSet<AliasPath>,
    pub(super) differences: usize,
    pub(super) first: Option<ReplayDifference>,
}

impl<'r> Replayer<'r> {
    pub(super) fn new(recording: &'r Recording) -> Result<Self, Failure> {
        let started = Begin::of(&recording.lines, &recording.header.run.run_id)
            .ok_or_else(|| invalid(exports::no_run_in_journal()))?;
        let package = recording.checked_package()?.known_as(started.package_id);
        let package = package.ok_or_else(|| invalid(exports::package_of_another()))?;
        let artifacts = AliasPath::new(Mount::Project, started.artifacts_dir)
            .map_err(|e| invalid(exports::its_artifacts_folder(e.says())))?;
        let environment = &recording.header.environment;
        let scratch = Scratch::new(recording, &artifacts)?;
        if let Some(state) = started.imported_state {
            // It lay on disk before the first line.
            scratch.put(&AliasPath::state_document(), Some(state.as_bytes()));
        }
        let env = Env {
            others: Vec::new(),
            package: Arc::new(package),
            composer: Arc::new(PromptComposer::new()?),
            limits: environment.limits.clone(),
        };
        Ok(Self {
            recording,
            engine: ExecutionEngine::new(started.conversation_id.clone(), env),
            started: BTreeMap::new(),
            scratch,
            sent: LastRequest::default(),
            requests: 0,
            from_record: Vec::new(),
            decided: 0,
            files: BTreeSet::new(),
            differences: 0,
            first: None,
        })
    }

    /// How long it took is the record's to say.
    pub(super) fn perform_for_real(&self, permit: &Permit, recorded: &Called) -> Called {
        let called = self.scratch.tools.perform(permit, &CancellationToken::new());
        Called { duration_ms: recorded.duration_ms, ..called }
    }

    pub(super) fn reaches_hash(&self, path: &AliasPath, pre_hash: Option<&str>) -> bool {
        if self.scratch.hash(path).as_deref() == pre_hash {
            return true;
        }
        match pre_hash {
            None => self.scratch.put(path, None),
            Some(hash) => self.put_recorded(path, self.recording.preimages.get(hash)),
        }
    }

    /// Puts a file where the run had it, when the export has it.
    pub(super) fn put_recorded(&self, path: &AliasPath, entry: Option<&String>) -> bool {
        let copy = |entry, file: &mut _| self.recording.entries.copy(entry, file).is_ok();
        entry.is_some_and(|entry| self.scratch.put_with(path, |file| copy(entry, file)))
    }

    /// The record's outcome stands.
    pub(super) fn believe(&mut self, permit: &Permit, why: Phrase) {
        self.note(permit.tool_name(), permit.path().cloned(), why);
    }

    pub(super) fn note(&mut self, what: &str, path: Option<AliasPath>, said: Phrase) {
        let seq = self.engine.core().seq.max(1);
        let why = said.english();
        self.from_record.push(FromRecord { seq, what: what.to_owned(), path, why, said });
    }
}
