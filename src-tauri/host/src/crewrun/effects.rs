//! Recorded effects carried out again: requests built and hashed, calls prepared and performed
//! with the real tools, the state document mirrored.
//!
//! What somebody else did cannot be repeated: files the run did not make, edits in between, a disk
//! that refused. There the record's outcome stands, and every such place is reported.

use kernel::code::ErrorCode;
use kernel::effect::{
    Action, Began, Called, Effect, EffectId, Outcome, Permit, PreImage, Settled, Think,
};
use kernel::mark;
use kernel::path::{AliasPath, Mount};
use kernel::phrase::exports;
use kernel::text::sha256_hex;
use kernel::tool::read::Output;
use kernel::tool::{CallResult, Edit, EffectClass, Offer, RefusalDetails};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::replayer::Replayer;
use crate::executor::not_sent;

impl Replayer<'_> {
    /// What comes of an effect now. `recorded` is what came of it then.
    pub(super) fn outcome(&mut self, id: &EffectId, recorded: Outcome) -> Outcome {
        let Some(effect) = self.started.remove(id) else { return recorded };
        match effect {
            Ok(Effect::Think(think)) => self.think(think, recorded),
            // No command of somebody else's machine is run here.
            Ok(Effect::Hook(_)) => {
                self.note("hook", None, exports::commands_not_run());
                recorded
            }
            // What sub-agents did stands in journals of their own.
            Ok(Effect::Delegate(_) | Effect::Recall(_)) => {
                self.note("subagent", None, exports::subagents_not_run());
                recorded
            }
            // What a model made of the older messages is not asked for again.
            Ok(Effect::Compact(_)) => recorded,
            Ok(Effect::Act(action)) => self.act(&action, recorded),
            Err(failure) => Outcome::failed(failure),
        }
    }

    fn act(&mut self, action: &Action, recorded: Outcome) -> Outcome {
        match action {
            // Nothing of what a server does is done again.
            Action::Prepare(permit) | Action::Preview(permit)
                if permit.class() == EffectClass::External =>
            {
                match recorded {
                    Outcome::Failed { .. } => recorded,
                    _ => self.scratch.carry_out(action),
                }
            }
            Action::Prepare(permit) => self.prepare(action, permit, recorded),
            Action::Look(permit) => self.look_for(action, permit, recorded),
            Action::Preview(permit) => self.preview(action, permit, recorded),
            Action::Perform(permit) => match recorded {
                Outcome::Called(called) => Outcome::Called(self.perform(permit, called)),
                other => {
                    self.believe(permit, exports::disk_refused());
                    other
                }
            },
            Action::Settle(permit, _) => self.settle(action, permit, recorded),
            Action::Mirror(_) => self.mirror(action, recorded),
        }
    }

    /// The state document is looked at and the request built as for a model. The answer is the
    /// recorded one, the request's hash is not.
    fn think(&mut self, mut think: Think, recorded: Outcome) -> Outcome {
        if let Outcome::StateDrifted(text) = &recorded {
            let text = text.as_ref().map(|text| self.scratch.tools.on_disk(text));
            let bytes = text.as_ref().map(|text| text.as_bytes());
            self.scratch.put(&AliasPath::state_document(), bytes);
        }
        self.sent.redact(&self.scratch.marks, &mut think.request);
        if let Some(outcome) = not_sent(self.scratch.read_state(), &think) {
            return outcome;
        }
        match recorded {
            Outcome::Replied { reply, duration_ms, foreign, .. } => {
                self.requests += 1;
                let request_sha256 = self.sent.hash(&think.request);
                for change in &foreign {
                    let path = Some(change.path.clone());
                    self.note("files", path, exports::others_had_changed());
                }
                Outcome::Replied { reply, request_sha256, duration_ms, foreign }
            }
            other => other,
        }
    }

    /// Files that others made are not here: the record says whether they were there.
    fn look_for(&mut self, action: &Action, permit: &Permit, recorded: Outcome) -> Outcome {
        let now = self.scratch.carry_out(action);
        if now != recorded {
            self.believe(permit, exports::not_made_here());
        }
        recorded
    }

    /// What the person was shown, computed again where the file is what it was then.
    fn preview(&mut self, action: &Action, permit: &Permit, recorded: Outcome) -> Outcome {
        let Outcome::Previewed(shown) = &recorded else {
            return self.prepare(action, permit, recorded);
        };
        if holds_folders(permit) {
            self.believe(permit, exports::holds_folders());
            return recorded;
        }
        if !self.reaches(permit, &shown.began) {
            self.believe(permit, exports::not_made_here());
            return recorded;
        }
        self.scratch.carry_out(action)
    }

    fn prepare(&mut self, action: &Action, permit: &Permit, recorded: Outcome) -> Outcome {
        if permit.brings_files_back() {
            return self.prepare_rewind(action, permit, recorded);
        }
        match &recorded {
            Outcome::Prepared(_) if holds_folders(permit) => {
                self.believe(permit, exports::holds_folders());
                recorded
            }
            Outcome::Prepared(began) => {
                if !self.reaches(permit, began) {
                    self.believe(permit, exports::not_made_here());
                    return recorded;
                }
                self.scratch.carry_out(action)
            }
            Outcome::Failed { failure, .. } => {
                let now = self.scratch.carry_out(action);
                let ours = permit.path().and_then(|path| self.scratch.hash(path));
                let then = RefusalDetails::of(failure).actual_sha256;
                let repeatable = match failure.code {
                    ErrorCode::PreconditionFailed => ours.is_some() && then == ours,
                    ErrorCode::PatchFailed | ErrorCode::WriteLimit | ErrorCode::NotText => {
                        ours.is_some()
                    }
                    ErrorCode::InvalidArgs | ErrorCode::ToolNotAvailable => true,
                    _ => false,
                };
                if now == recorded || repeatable {
                    return now;
                }
                self.believe(permit, exports::not_made_here());
                recorded
            }
            _ => recorded,
        }
    }

    fn perform(&mut self, permit: &Permit, recorded: Called) -> Called {
        if permit.brings_files_back() {
            return self.perform_rewind(permit, recorded);
        }
        let is_of_skill = permit.tool().offered == Offer::WithSkills;
        if permit.class() == EffectClass::External || is_of_skill {
            self.believe(permit, exports::outside_files());
            return recorded;
        }
        let Some(began) = permit.began() else { return self.look(permit, recorded) };
        if !CallResult::of(&recorded.result).ok {
            // It was prepared without a fault, so what stopped it came from outside.
            self.believe(permit, exports::disk_refused());
            return recorded;
        }
        if holds_folders(permit) {
            self.believe(permit, exports::holds_folders());
            return recorded;
        }
        if self.reaches(permit, began) {
            return self.perform_for_real(permit, &recorded);
        }
        self.believe(permit, exports::not_made_here());
        self.seed_written(permit, began.post_hash.as_deref());
        recorded
    }

    /// A call that only looks.
    fn look(&mut self, permit: &Permit, recorded: Called) -> Called {
        let now = self.perform_for_real(permit, &recorded);
        if now == recorded {
            return now;
        }
        let Some(path) = permit.path().cloned() else { return now };
        let then = CallResult::of(&recorded.result);
        if then.code() == Some(ErrorCode::Io.as_str()) {
            self.believe(permit, exports::disk_refused());
            return recorded;
        }
        let same_file = then.sha256.is_some() && then.sha256 == self.scratch.hash(&path);
        if path.mount() == Mount::Pkg || same_file {
            return now;
        }
        self.believe(permit, exports::not_made_here());
        self.seed_read(&path, &recorded.result);
        recorded
    }

    fn settle(&mut self, action: &Action, permit: &Permit, recorded: Outcome) -> Outcome {
        let Outcome::Settled(then) = &recorded else {
            self.believe(permit, exports::disk_refused());
            return recorded;
        };
        if permit.brings_files_back() {
            return Outcome::Settled(self.settle_rewind(permit, then));
        }
        if holds_folders(permit) {
            self.believe(permit, exports::holds_folders());
            return recorded;
        }
        let Some(began) = permit.began() else { return recorded };
        let reached = self.reaches(permit, began);
        match then {
            Settled::Foreign(_) => {
                self.believe(permit, exports::changed_by_others());
                return recorded;
            }
            // No replay reaches outside.
            Settled::Unknown => {
                self.believe(permit, exports::never_found_out());
                return recorded;
            }
            Settled::Happened(_) if reached => {
                // It happened before the program ended.
                self.scratch.tools.perform(permit, &CancellationToken::new());
            }
            Settled::NotHappened if reached => {}
            Settled::Happened(_) | Settled::NotHappened => {
                self.believe(permit, exports::not_made_here());
                if matches!(then, Settled::Happened(_)) {
                    self.seed_written(permit, began.post_hash.as_deref());
                }
                return recorded;
            }
        }
        self.scratch.carry_out(action)
    }

    fn mirror(&mut self, action: &Action, recorded: Outcome) -> Outcome {
        let document = AliasPath::state_document();
        match &recorded {
            Outcome::Mirrored => {}
            Outcome::StateEdited(sha256) => {
                if !self.put_recorded(&document, self.recording.put_aside.get(sha256)) {
                    // What stands there instead would be taken for another edit.
                    self.scratch.put(&document, None);
                    self.note("state", Some(document.clone()), exports::lost_edit());
                    return recorded;
                }
            }
            _ => {
                self.note("state", Some(document), exports::disk_refused());
                return recorded;
            }
        }
        self.scratch.carry_out(action)
    }

    /// The edit that was refused then, put where it was; `None` when nobody has kept it.
    pub(super) fn edit_refused(&mut self, request: &EffectId, sha256: &str) -> Option<Outcome> {
        let text = self.recording.edit(sha256);
        if text.is_none() {
            self.started.remove(request);
            self.note("state", Some(AliasPath::state_document()), exports::lost_edit());
        }
        Some(self.outcome(request, Outcome::StateDrifted(Some(text?))))
    }

    /// Whether the file is what it was before the call: as the run left it, or from the pre-images
    /// of the export, or absent. A folder is when it holds the same files, or none.
    fn reaches(&self, permit: &Permit, began: &Began) -> bool {
        let Some(path) = permit.path() else { return false };
        let inside = |image: &PreImage| image.path != *path && image.path.is_within(path);
        let of_a_folder = !began.pre_images.is_empty() && began.pre_images.iter().all(inside);
        if !of_a_folder && self.reaches_hash(path, began.pre_hash.as_deref()) {
            return true;
        }
        let now = self.scratch.tools.prepare(permit);
        now.is_ok_and(|now| now.pre_hash == began.pre_hash)
    }

    /// What a read showed whole is put where it was, so that what follows can be repeated.
    fn seed_read(&self, path: &AliasPath, result: &Value) {
        let Some(Output { content: Some(text), sha256, .. }) = Output::of(result) else { return };
        if sha256_hex(text.as_bytes()) == sha256 {
            self.scratch.put(path, Some(text.as_bytes()));
        }
    }

    /// The same for what a call wrote, when its arguments hold all of it.
    fn seed_written(&self, permit: &Permit, post_hash: Option<&str>) {
        let Some(path) = permit.path() else { return };
        let content = match permit.edit() {
            Some(Edit::Write(args)) => &args.content,
            // What a patch leaves is not known without the file.
            Some(Edit::Patch(_)) | None => "",
        };
        let spellings = [content.to_owned(), content.replace('\n', "\r\n")];
        let written =
            spellings.iter().find(|t| Some(sha256_hex(t.as_bytes()).as_str()) == post_hash);
        if let Some(text) = written {
            self.scratch.put(path, Some(text.as_bytes()));
        }
    }
}

/// Whether what a call writes depends on the machine: a mark in it stands for other bytes here.
fn holds_folders(permit: &Permit) -> bool {
    permit.class() == EffectClass::WriteProject && mark::occurs_in_value(&permit.args())
}
