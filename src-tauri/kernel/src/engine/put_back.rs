//! The person puts a file back: what it was before the run replaces what is there, which is kept. It
//! happens while the run rests, bound to the very bytes that the person saw.
//!
//! Like a call of the model it is prepared, begun in the journal, performed, and settled after a
//! crash; the model is told of it with what the person says next. So is taking the run back to a step
//! (`engine/person_rewind.rs`).

use serde_json::Value;

use super::core::{AskedByPerson, ByPerson};
use super::draft::LineDraft;
use super::input::{Refusal, refusal};
use crate::code::{ErrorCode, Failure};
use crate::effect::{Began, Outcome, Settled};
use crate::event::{Event, Phase, PutBackAsked, PutBackBegan, PutBackEnded, Reason};
use crate::facts::Fact;
use crate::ids::{CallId, derived_uuid};
use crate::path::AliasPath;
use crate::phrase::{Phrase, engine as said};
use crate::restore::{FileChange, Restore, RestoreFile, Restored};
use crate::text::SHA256_HEX;
use crate::tool;

impl LineDraft<'_> {
    /// The person wants a file to be what it was before the run.
    pub(super) fn put_back(
        &mut self,
        path: &AliasPath,
        sha256: Option<&String>,
    ) -> Result<(), Refusal> {
        self.must_wait_for_nothing()?;
        // No file has such a hash, and a journal keeps none that is longer.
        if sha256.is_some_and(|sha256| sha256.len() != SHA256_HEX) {
            return Err(refusal(ErrorCode::PreconditionFailed, said::is_not_as_seen(path)));
        }
        if self.core.files.before_the_run(path).is_empty() {
            return Err(refusal(ErrorCode::NotFound, said::run_did_not_change(path)));
        }
        let call_id = self.call_of_person("put-back");
        let (path, sha256) = (path.clone(), sha256.cloned());
        self.push(Event::PutBackAsked(PutBackAsked { call_id, path, sha256 }));
        Ok(())
    }

    /// What logs call what the person asks for now.
    pub(super) fn call_of_person(&self, what: &str) -> CallId {
        let key = format!("{what}:{}", self.core.seq);
        CallId::new(&derived_uuid(self.conversation(), self.now, &key))
    }

    /// Bringing files back may change what the person is asked about, or what a call is to do.
    pub(super) fn must_wait_for_nothing(&self) -> Result<(), Refusal> {
        self.must_rest()?;
        if self.core.by_person.is_some() {
            return Err(refusal(ErrorCode::RunBusy, said::run_is_working()));
        }
        if self.core.confirm.pending().is_some() || self.call_waits_for_person() {
            let failure = Failure::new(ErrorCode::NotNow, said::question_waits());
            return Err(Refusal(failure.with_action(said::answer_it_first())));
        }
        if !self.core.queue.is_empty() {
            let failure = Failure::new(ErrorCode::NotNow, said::calls_are_left());
            return Err(Refusal(failure.with_action(said::resume_or_say_something())));
        }
        Ok(())
    }

    /// What the host reports of files that the person brings back.
    pub(super) fn outcome_for_person(&mut self, it: &ByPerson, outcome: Outcome) {
        match outcome {
            Outcome::Prepared(began) => self.prepared_for_person(it, began),
            Outcome::Called(called) => self.files_are_back(it, &called.result),
            Outcome::Settled(Settled::Happened(result)) => self.files_are_back(it, &result),
            Outcome::Settled(Settled::NotHappened) => {
                let failure = Failure::new(ErrorCode::Interrupted, self.did_not_happen(it));
                self.fail_for_person(it, failure);
            }
            Outcome::Settled(Settled::Foreign(_) | Settled::Unknown) => {
                let failure = Failure::new(ErrorCode::Interrupted, self.may_have_happened(it));
                self.fail_for_person(it, failure);
            }
            Outcome::Failed { failure, .. } => self.fail_for_person(it, failure),
            _ => {}
        }
    }

    fn prepared_for_person(&mut self, it: &ByPerson, began: Began) {
        let restore = match self.begins(it, &began) {
            Ok(restore) => Box::new(restore),
            Err(failure) => return self.fail_for_person(it, failure),
        };
        let (call_id, pre_images) = (it.asked.call_id().clone(), began.pre_images);
        if it.is_rewind() && restore.files.is_empty() {
            let (restored, conflicts) = (Vec::new(), restore.conflicts);
            return self.end_for_person(it, Restored { restored, conflicts }, None);
        }
        let begun = PutBackBegan { call_id, restore, pre_images };
        self.push(match it.asked {
            AskedByPerson::File(_) => Event::PutBackBegan(begun),
            AskedByPerson::Step(_) => Event::RewindBegan(begun),
        });
    }

    /// What becomes of the files, when it is what the person saw.
    fn begins(&self, it: &ByPerson, began: &Began) -> Result<Restore, Failure> {
        let restore = began.restore.as_deref().cloned().unwrap_or_default();
        match &it.asked {
            AskedByPerson::File(asked) => self.puts_back(asked, restore),
            AskedByPerson::Step(asked) => self.goes_back_as_seen(asked, restore),
        }
    }

    fn files_are_back(&mut self, it: &ByPerson, result: &Value) {
        if let Some(files) = Restored::of(result) {
            return self.end_for_person(it, files, None);
        }
        let unknown = || Failure::new(ErrorCode::Interrupted, self.may_have_happened(it));
        let failure = tool::failure_of(result).unwrap_or_else(unknown);
        self.fail_for_person(it, failure);
    }

    fn fail_for_person(&mut self, it: &ByPerson, failure: Failure) {
        self.end_for_person(it, Restored::default(), Some(failure));
    }

    pub(super) fn end_for_person(
        &mut self,
        it: &ByPerson,
        files: Restored,
        failure: Option<Failure>,
    ) {
        let Restored { restored, conflicts } = files;
        let facts: Vec<Fact> = restored.iter().map(tool::restored_file).collect();
        let made = self.made_again(&restored, it.status.began());
        let call_id = it.asked.call_id().clone();
        let before = self.core.before_rewind.as_ref().filter(|_| it.undoes());
        let stood = before.and_then(|before| before.rest());
        let ended = PutBackEnded { call_id, restored, conflicts, failure, facts: facts.clone() };
        let went_back = match &it.asked {
            AskedByPerson::Step(asked) => self.end_rewind(asked, ended),
            AskedByPerson::File(_) => {
                self.push(Event::PutBackEnded(Box::new(ended)));
                false
            }
        };
        // What is undone is what it was, to the byte.
        let undone = went_back && it.undoes();
        if !self.is_complete() && !undone && (went_back || !facts.is_empty()) {
            self.follow_files(&facts, &made);
        }
        if went_back {
            let phase = if self.is_complete() { Phase::Completed } else { Phase::WaitingUser };
            let (phase, reason) = stood.unwrap_or((phase, Reason::WentBack));
            self.finish(phase, reason, None);
        }
    }

    fn did_not_happen(&self, it: &ByPerson) -> Phrase {
        match &it.asked {
            AskedByPerson::File(asked) => said::not_put_back(&asked.path),
            AskedByPerson::Step(asked) => said::not_gone_back_to(self.title(&asked.target.node_id)),
        }
    }

    fn may_have_happened(&self, it: &ByPerson) -> Phrase {
        match &it.asked {
            AskedByPerson::File(asked) => said::may_be_put_back(&asked.path),
            AskedByPerson::Step(asked) => {
                said::files_may_have_gone_back(self.title(&asked.target.node_id))
            }
        }
    }

    /// A file that is as it was already is left so, and known to be.
    fn puts_back(&self, asked: &PutBackAsked, mut restore: Restore) -> Result<Restore, Failure> {
        let path = &asked.path;
        if let Some(conflict) = restore.conflicts.first() {
            return Err(conflict.failure());
        }
        for RestoreFile { path, goal, .. } in self.core.files.before_the_run(path) {
            if !restore.files.iter().any(|file| file.path == path) {
                let (pre_hash, post_hash) = (goal.clone(), goal);
                restore.files.push(FileChange {
                    path,
                    pre_hash,
                    post_hash,
                    replaces_others: false,
                });
            }
        }
        restore.files.sort_by(|a, b| a.path.cmp(&b.path));
        let file = restore.files.iter().find(|file| file.path == *path);
        if file.is_none_or(|file| file.pre_hash != asked.sha256) {
            let failure = Failure::new(ErrorCode::PreconditionFailed, said::is_not_as_seen(path));
            return Err(failure.with_action(said::look_at_file_again()));
        }
        Ok(restore)
    }
}
