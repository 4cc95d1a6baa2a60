//! The person puts a file back: what it was before the run replaces what is there, which is kept. It
//! happens while the run rests, bound to the very bytes that the person saw.
//!
//! Like a call of the model it is prepared, begun in the journal, performed, and settled after a
//! crash; the model is told of it with what the person says next.

use serde_json::Value;

use super::core::PutBack;
use super::draft::LineDraft;
use super::input::{Refusal, refusal};
use crate::code::{ErrorCode, Failure};
use crate::effect::{Began, Outcome, Settled};
use crate::event::{Event, PutBackAsked, PutBackBegan, PutBackEnded};
use crate::ids::{CallId, derived_uuid};
use crate::path::AliasPath;
use crate::phrase::engine as said;
use crate::restore::{FileChange, Restore, RestoreFile, Restored};
use crate::tool;

/// How long a SHA-256 is in hexadecimal digits.
const SHA256_HEX: usize = 64;

impl LineDraft<'_> {
    /// The person wants a file to be what it was before the run.
    pub(super) fn put_back(
        &mut self,
        path: &AliasPath,
        sha256: Option<&String>,
    ) -> Result<(), Refusal> {
        self.must_rest()?;
        if self.core.put_back.is_some() {
            return Err(refusal(ErrorCode::RunBusy, said::run_is_working()));
        }
        self.must_wait_for_nothing()?;
        // No file has such a hash, and a journal keeps none that is longer.
        if sha256.is_some_and(|sha256| sha256.len() != SHA256_HEX) {
            return Err(refusal(ErrorCode::PreconditionFailed, said::is_not_as_seen(path)));
        }
        if self.core.files.before_the_run(path).is_empty() {
            return Err(refusal(ErrorCode::NotFound, said::run_did_not_change(path)));
        }
        let key = format!("put-back:{}", self.core.seq);
        let call_id = CallId::new(&derived_uuid(self.conversation(), self.now, &key));
        let (path, sha256) = (path.clone(), sha256.cloned());
        self.push(Event::PutBackAsked(PutBackAsked { call_id, path, sha256 }));
        Ok(())
    }

    /// Putting a file back may change what the person is asked about, or what a call is to do.
    fn must_wait_for_nothing(&self) -> Result<(), Refusal> {
        if self.core.confirm.pending().is_some() || self.approval_waits() {
            let failure = Failure::new(ErrorCode::NotNow, said::question_waits());
            return Err(Refusal(failure.with_action(said::answer_it_first())));
        }
        if !self.core.queue.is_empty() {
            let failure = Failure::new(ErrorCode::NotNow, said::calls_are_left());
            return Err(Refusal(failure.with_action(said::resume_or_say_something())));
        }
        Ok(())
    }

    /// What the host reports of a file that is put back.
    pub(super) fn put_back_outcome(&mut self, it: &PutBack, outcome: Outcome) {
        let path = &it.asked.path;
        match outcome {
            Outcome::Prepared(began) => self.put_back_prepared(it, began),
            Outcome::Called(called) => self.files_are_back(it, &called.result),
            Outcome::Settled(Settled::Happened(result)) => self.files_are_back(it, &result),
            Outcome::Settled(Settled::NotHappened) => {
                let failure = Failure::new(ErrorCode::Interrupted, said::not_put_back(path));
                self.fail_put_back(it, failure);
            }
            Outcome::Settled(Settled::Foreign(_) | Settled::Unknown) => {
                let failure = Failure::new(ErrorCode::Interrupted, said::may_be_put_back(path));
                self.fail_put_back(it, failure);
            }
            Outcome::Failed { failure, .. } => {
                self.fail_put_back(it, failure);
            }
            _ => {}
        }
    }

    fn put_back_prepared(&mut self, it: &PutBack, began: Began) {
        let restore = match self.begins(it, &began) {
            Ok(restore) => Box::new(restore),
            Err(failure) => return self.fail_put_back(it, failure),
        };
        let (call_id, pre_images) = (it.asked.call_id.clone(), began.pre_images);
        self.push(Event::PutBackBegan(PutBackBegan { call_id, restore, pre_images }));
    }

    fn files_are_back(&mut self, it: &PutBack, result: &Value) {
        if let Some(files) = Restored::of(result) {
            return self.end_put_back(it, files, None);
        }
        let unknown =
            || Failure::new(ErrorCode::Interrupted, said::may_be_put_back(&it.asked.path));
        self.fail_put_back(it, tool::failure_of(result).unwrap_or_else(unknown));
    }

    fn fail_put_back(&mut self, it: &PutBack, failure: Failure) {
        self.end_put_back(it, Restored::default(), Some(failure));
    }

    fn end_put_back(&mut self, it: &PutBack, files: Restored, failure: Option<Failure>) {
        let Restored { restored, conflicts } = files;
        let facts: Vec<_> = restored.iter().map(tool::restored_file).collect();
        let made = self.made_again(&restored, it.status.began());
        let call_id = it.asked.call_id.clone();
        let ended = PutBackEnded { call_id, restored, conflicts, failure, facts: facts.clone() };
        self.push(Event::PutBackEnded(Box::new(ended)));
        if !self.is_complete() && !facts.is_empty() {
            self.follow_files(&facts, &made);
        }
    }

    /// What becomes of the files, when it is what the person saw. One that is as it was already is
    /// left so, and known to be.
    fn begins(&self, it: &PutBack, began: &Began) -> Result<Restore, Failure> {
        let path = &it.asked.path;
        let mut restore = began.restore.as_deref().cloned().unwrap_or_default();
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
        if file.is_none_or(|file| file.pre_hash != it.asked.sha256) {
            let failure = Failure::new(ErrorCode::PreconditionFailed, said::is_not_as_seen(path));
            return Err(failure.with_action(said::look_at_file_again()));
        }
        Ok(restore)
    }
}
