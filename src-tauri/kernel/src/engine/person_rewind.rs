//! The person takes the run back to a step (spec 03): what the model may only propose, done as they
//! saw it, while the run rests. The step and what comes after it are to be done again; files are as
//! they were when it was entered, as far as nobody else changed them.
//!
//! With files it goes the way of a file that is put back (`engine/put_back.rs`); without any it is one
//! line.

use super::by_person::rewind_call;
use super::core::{AskedByPerson, ByPerson};
use super::draft::LineDraft;
use super::input::{Refusal, may_be_said};
use super::rewound_state::{known, look_again, must_be_few};
use crate::event::{Event, RewindAsked};
use crate::restore::{Restore, Restored};
use crate::text::SHA256_HEX;
use crate::tool::rewind::RewindTarget;

impl LineDraft<'_> {
    /// The person takes the run back to a step.
    pub(super) fn go_back(
        &mut self,
        target: &RewindTarget,
        reason: Option<&str>,
        seen: &str,
    ) -> Result<(), Refusal> {
        self.must_wait_for_nothing()?;
        let reason = reason.map(str::trim).filter(|reason| !reason.is_empty());
        may_be_said(reason.map_or(0, str::len))?;
        must_be_few(target).map_err(Refusal)?;
        if seen.len() != SHA256_HEX {
            return Err(Refusal(look_again()));
        }
        known(&self.core).map_err(Refusal)?;
        self.engine.rewound_by_person(target, reason, self.now).map_err(Refusal)?;
        let asked = Box::new(RewindAsked {
            call_id: self.call_of_person("rewind"),
            target: target.clone(),
            reason: reason.map(str::to_owned),
            seen: seen.to_owned(),
        });
        let restores = !self.core.to_restore(&rewind_call(target, None)).is_empty();
        if !restores {
            self.goes_back_as_seen(&asked, Restore::default()).map_err(Refusal)?;
        }
        self.push(Event::RewindAsked(asked.clone()));
        if !restores {
            let it = ByPerson::asked(AskedByPerson::Step(asked));
            self.end_for_person(&it, Restored::default(), None);
        }
        Ok(())
    }
}
