//! What a change that waits for the person is made of, for whoever shows all of it. Nothing is
//! decided and nothing recorded here.

use super::ExecutionEngine;
use super::draft::LineDraft;
use crate::code::{ErrorCode, Failure};
use crate::confirm::Proposed;
use crate::effect::Permit;
use crate::event::ChangeProposed;
use crate::ids::ChangeId;
use crate::path::AliasPath;
use crate::phrase::{changes, engine as said};
use crate::whole;

/// A change that waits for the person.
#[derive(Debug, Clone)]
pub struct Waiting {
    /// As it was shown.
    pub change: ChangeProposed,
    /// Where all of it is found.
    pub found: WholeChangeSource,
}

/// Where all of a change is found.
#[derive(Debug, Clone)]
pub enum WholeChangeSource {
    /// The whole diff: the engine knows both versions of the state document.
    Diff(String),
    /// The host reads the file and computes what the call would make of it, as for a preview.
    Call(Box<Permit>),
}

impl ExecutionEngine {
    /// The change of this id, if it waits for the person and can be opened whole.
    ///
    /// # Errors
    /// `WIDGET_NOT_FOUND` when it does not wait, `E_NOT_TEXT` when there is nothing to open,
    /// `E_READ_LIMIT` when it is too long, `E_PRECONDITION_FAILED` when it would be another one
    /// now.
    pub fn waiting_change(&self, id: &ChangeId) -> Result<Waiting, Failure> {
        let none = || Failure::new(ErrorCode::WidgetNotFound, changes::no_such_change(id));
        if let Some(change) = self.core.approvals.asked().filter(|c| c.change_id == *id) {
            must_be_text(change)?;
            let call = change.call_id.as_ref().ok_or_else(none)?;
            let found = WholeChangeSource::Call(Box::new(self.permit(call)?));
            return Ok(Waiting { change: change.clone(), found });
        }
        let proposed = self.core.confirm.proposed().filter(|p| p.change.change_id == *id);
        let proposed = proposed.ok_or_else(none)?;
        must_be_text(&proposed.change)?;
        let found = WholeChangeSource::Diff(self.change_of_state(proposed)?);
        Ok(Waiting { change: proposed.change.clone(), found })
    }

    /// The state document's whole diff, made as of when the change was proposed.
    fn change_of_state(&self, proposed: &Proposed) -> Result<String, Failure> {
        let Proposed { change, at, .. } = proposed;
        let path = AliasPath::state_document();
        let unread = || Failure::new(ErrorCode::StateFileNotFound, said::state_unreadable());
        let old = self.core.doc.clone().ok_or_else(unread)?;
        let call = proposed.call();
        let parsed = call.parsed().map_err(Clone::clone)?;
        let (core, missing, events) = (self.core.clone(), Vec::new(), Vec::new());
        let draft = LineDraft { engine: self, core, now: *at, missing, events };
        let policy = draft.policy().ok_or_else(unread)?;
        let new = draft.judge_shown(&old, parsed, &policy, *at);
        let new = new.map_err(|_| whole::changed(&path))?.doc;
        if old.sha256() != change.pre_hash || Some(new.sha256()) != change.post_hash.as_deref() {
            return Err(whole::changed(&path));
        }
        let place = super::state_calls::rewinds_to(parsed)
            .filter(|(_, undo)| !undo)
            .and_then(|(to, _)| self.core.rewind_place(self.package(), &to, false).ok());
        let before = place.map_or(&*old, |place| place.doc);
        whole::diff(&path, before.text(), new.text())
    }
}

fn must_be_text(change: &ChangeProposed) -> Result<(), Failure> {
    if change.cut && !whole::can_be_opened(change) {
        let path = change.path.clone().unwrap_or_else(AliasPath::state_document);
        return Err(whole::no_text(&path));
    }
    Ok(())
}
