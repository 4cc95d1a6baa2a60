//! Carrying actions out: which outcome an action has, written once.

use super::{
    Action, Began, Called, ForeignChange, KnownFile, Mirror, Outcome, Permit, Preview, Settled,
};
use crate::code::Failure;
use crate::path::AliasPath;
use crate::policy::ToolPolicy;

/// What carries actions out: the tools on a disk, or what stands for them in a test.
pub trait Executor {
    /// Computes the hashes before and after, changing nothing.
    ///
    /// # Errors
    /// Why the call is refused before it begins.
    fn prepare(&mut self, permit: &Permit) -> Result<Began, Failure>;

    /// The same with the difference, for a person to see.
    ///
    /// # Errors
    /// As [`Executor::prepare`].
    fn preview(&mut self, permit: &Permit) -> Result<Preview, Failure>;

    /// Which of the permit's [`claims`](Permit::claims) are no files.
    fn missing(&mut self, permit: &Permit) -> Vec<AliasPath>;

    /// Runs the call. A failure is a result.
    fn perform(&mut self, permit: &Permit) -> Called;

    /// Compares hashes.
    fn settle(&mut self, permit: &Permit, began: &Began) -> Settled;

    /// Writes the state document. Returns the hash of an edit that was found and left in its
    /// place.
    ///
    /// # Errors
    /// Why the disk refused it.
    fn mirror(&mut self, mirror: &Mirror) -> Result<Option<String>, Failure>;

    /// Which of these files are other than they were. One that cannot be looked at is not told.
    fn changed_by_others(&mut self, files: &[KnownFile], policy: &ToolPolicy)
    -> Vec<ForeignChange>;

    /// What comes of an action.
    fn carry_out(&mut self, action: &Action) -> Outcome {
        match action {
            Action::Prepare(permit) => {
                self.prepare(permit).map_or_else(Outcome::failed, Outcome::Prepared)
            }
            Action::Preview(permit) => {
                self.preview(permit).map_or_else(Outcome::failed, Outcome::Previewed)
            }
            Action::Look(permit) => Outcome::Looked(self.missing(permit)),
            Action::Perform(permit) => Outcome::Called(self.perform(permit)),
            Action::Settle(permit, began) => Outcome::Settled(self.settle(permit, began)),
            Action::Mirror(mirror) => match self.mirror(mirror) {
                Ok(None) => Outcome::Mirrored,
                Ok(Some(edit)) => Outcome::StateEdited(edit),
                Err(failure) => Outcome::failed(failure),
            },
        }
    }
}
