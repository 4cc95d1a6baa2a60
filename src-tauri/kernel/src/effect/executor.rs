//! Carrying actions out: which outcome an action has, written once.

use super::{
    Action, Began, Called, ForeignChange, KnownFile, Mirror, Outcome, Permit, Preview, Settled,
};
use crate::bounds::WHOLE_BYTES;
use crate::code::Failure;
use crate::diff::{self, Diff};
use crate::mcp::ToolHint;
use crate::path::AliasPath;
use crate::phrase::{changes, servers as said};
use crate::policy::ToolPolicy;
use crate::tool::EffectClass;
use crate::words::{Lang, say};

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
            // Nobody can look what a server would do.
            Action::Prepare(permit) if permit.class() == EffectClass::External => {
                Outcome::Prepared(Began::default())
            }
            Action::Preview(permit) if permit.class() == EffectClass::External => {
                Outcome::Previewed(shown_call(permit))
            }
            Action::Settle(permit, _) if permit.class() == EffectClass::External => {
                Outcome::Settled(Settled::Unknown)
            }
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

/// All that a call of a server's tool is given, for a person who opens it: lines that are added to
/// nothing.
pub fn whole_call(permit: &Permit) -> String {
    arguments(permit, WHOLE_BYTES).text
}

fn arguments(permit: &Permit, most: usize) -> Diff {
    let args = serde_json::to_string_pretty(&permit.args()).unwrap_or_default();
    diff::unified(permit.tool_name(), "", &args, most)
}

/// A call of a server's tool as a person is shown it before they allow it: all that it is given.
fn shown_call(permit: &Permit) -> Preview {
    let called = permit.server_tool();
    let mut parts: Vec<_> =
        called.iter().map(|(server, tool)| said::calls_tool(&tool.name, server)).collect();
    let destroys = called.is_some_and(|(_, tool)| tool.hint == ToolHint::Destroys);
    parts.extend(destroys.then(said::may_destroy));
    let diff = arguments(permit, diff::SHOWN_BYTES);
    parts.extend(diff.cut.then(changes::diff_cut));
    let (began, summary) = (Began::default(), say(&parts, Lang::En));
    Preview { began, summary, parts, diff: diff.text, cut: diff.cut }
}
