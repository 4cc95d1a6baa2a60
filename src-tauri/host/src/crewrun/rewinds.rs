//! The files of a recorded rewind, brought back again in the scratch folder. What somebody else
//! did to them in between cannot be repeated, only that they did: there the record stands.

use kernel::code::ErrorCode;
use kernel::effect::{Action, Called, Outcome, Permit, Settled};
use kernel::phrase::exports;
use kernel::restore::{ConflictReason, Restore, Restored};

use super::replayer::Replayer;

/// Stands for what someone else made of a file: it is nobody's known content.
const THEIRS: &[u8] = b"changed by someone else; what it became is not in the export\n";

impl Replayer<'_> {
    pub(super) fn prepare_rewind(
        &mut self,
        action: &Action,
        permit: &Permit,
        recorded: Outcome,
    ) -> Outcome {
        let Outcome::Prepared(began) = &recorded else {
            let now = self.scratch.carry_out(action);
            if now != recorded {
                let by_disk = matches!(&recorded, Outcome::Failed { failure, .. }
                    if matches!(failure.code, ErrorCode::Io | ErrorCode::StoreWriteFailed));
                let why =
                    if by_disk { exports::disk_refused() } else { exports::changed_by_others() };
                self.believe(permit, why);
            }
            return recorded;
        };
        let mut then = began.restore.as_deref().cloned().unwrap_or_default();
        // What was as it should be already, the engine adds by itself.
        then.files.retain(|file| file.pre_hash != file.post_hash);
        self.seed_changes(permit, &then);
        match self.scratch.carry_out(action) {
            Outcome::Prepared(now)
                if now.restore.as_ref().is_some_and(|r| r.is_as_shown(&then)) =>
            {
                Outcome::Prepared(now)
            }
            _ => {
                let theirs = then.files.iter().any(|file| file.replaces_others);
                self.believe(
                    permit,
                    if theirs { exports::changed_by_others() } else { exports::not_made_here() },
                );
                recorded
            }
        }
    }

    /// Files that someone else had changed are changed by someone else here too.
    fn seed_changes(&mut self, permit: &Permit, then: &Restore) {
        let theirs = then.conflicts.iter().filter(|c| c.reason == ConflictReason::Changed);
        let mut changed = false;
        for conflict in theirs {
            changed |= self.scratch.put(&conflict.path, Some(THEIRS));
        }
        for file in permit.restore() {
            let known = then.files.iter().find(|then| then.path == file.path);
            let theirs = then.conflicts.iter().any(|conflict| conflict.path == file.path);
            let before = known.map_or(&file.goal, |then| &then.pre_hash);
            if !theirs && self.scratch.hash(&file.path) != *before {
                // Somebody else had put it back already.
                changed |= known.is_none();
                self.reaches_hash(&file.path, before.as_deref());
            }
        }
        if changed {
            self.believe(permit, exports::changed_by_others());
        }
    }

    pub(super) fn perform_rewind(&mut self, permit: &Permit, recorded: Called) -> Called {
        let now = self.perform_for_real(permit, &recorded);
        if Restored::of(&now.result) == Restored::of(&recorded.result) {
            return now;
        }
        self.believe(permit, exports::changed_by_others());
        recorded
    }

    pub(super) fn settle_rewind(&mut self, permit: &Permit, then: &Settled) -> Settled {
        match (then, permit.began()) {
            (Settled::Happened(result), Some(_)) => {
                let recorded = Called::at_once(result.clone());
                Settled::Happened(self.perform_rewind(permit, recorded).result)
            }
            (Settled::NotHappened, Some(began)) => self.scratch.tools.settle(permit, began),
            _ => then.clone(),
        }
    }
}
