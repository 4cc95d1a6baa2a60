//! What carries the engine's effects out, in a running conversation, in a replay and in tests
//! alike. Only who answers a request differs.

use kernel::code::Failure;
use kernel::effect::{
    Began, Called, Executor, ForeignChange, KnownFile, Mirror, Outcome, Permit, Preview, Settled,
    Think,
};
use kernel::engine::ExecutionEngine;
use kernel::path::AliasPath;
use kernel::policy::ToolPolicy;
use kernel::wire::StateEdit;
use tokio_util::sync::CancellationToken;

use crate::state_file::StateFile;
use crate::tools::{StateText, ToolHost};

/// The tools on the disk, until they are cancelled. Blocks.
pub struct OnDisk<'a> {
    /// The tools.
    pub tools: &'a ToolHost,
    /// Whose turn it is to write the state document.
    pub state: &'a StateFile,
    /// Ends what takes long.
    pub cancel: &'a CancellationToken,
}

impl Executor for OnDisk<'_> {
    fn prepare(&mut self, permit: &Permit) -> Result<Began, Failure> {
        self.tools.prepare_until(permit, self.cancel)
    }

    fn preview(&mut self, permit: &Permit) -> Result<Preview, Failure> {
        self.tools.preview_until(permit, self.cancel)
    }

    fn missing(&mut self, permit: &Permit) -> Vec<AliasPath> {
        self.tools.missing(permit)
    }

    fn changed_by_others(
        &mut self,
        files: &[KnownFile],
        policy: &ToolPolicy,
    ) -> Vec<ForeignChange> {
        self.tools.changed_by_others(files, policy, self.cancel)
    }

    fn perform(&mut self, permit: &Permit) -> Called {
        self.tools.perform(permit, self.cancel)
    }

    fn settle(&mut self, permit: &Permit, began: &Began) -> Settled {
        self.tools.settle(permit, began)
    }

    fn mirror(&mut self, mirror: &Mirror) -> Result<Option<String>, Failure> {
        self.state.mirror(self.tools, mirror.clone(), self.cancel)
    }
}

/// What comes of a request that is not sent, because the state document on disk is not the one it
/// stands on, or cannot be read.
pub fn not_sent(found: Result<Option<StateText>, Failure>, think: &Think) -> Option<Outcome> {
    // A sub-agent has no state document.
    think.state_sha256.as_ref()?;
    match found {
        Err(failure) => Some(Outcome::failed(failure)),
        Ok(found) if has_drifted(found.as_ref(), think.state_sha256.as_deref()) => {
            Some(Outcome::StateDrifted(found.map(|found| found.text)))
        }
        Ok(_) => None,
    }
}

/// Whether the document on disk is another one than the engine knows.
fn has_drifted(found: Option<&StateText>, known: Option<&str>) -> bool {
    match (found, known) {
        (Some(found), Some(known)) => !found.is(known),
        (found, known) => found.is_some() || known.is_some(),
    }
}

/// What will become of a person's edit of the document on disk; `None` when there is none.
pub(crate) fn edit_of(
    engine: &ExecutionEngine,
    found: Result<Option<StateText>, Failure>,
) -> Option<StateEdit> {
    let known = engine.core().doc.as_ref().map(|doc| doc.sha256());
    match found {
        Ok(found) if !has_drifted(found.as_ref(), known) => None,
        Ok(found) => engine.judge_edit(found.as_ref().map(|found| found.text.as_str())),
        Err(failure) => Some(StateEdit { refused: Some(failure) }),
    }
}
