//! All of what a call that waits would change, for a person who opens it. Reads, and keeps nothing.

use kernel::code::{ErrorCode, Failure};
use kernel::effect::{Permit, whole_call};
use kernel::event::ChangeProposed;
use kernel::tool::EffectClass;
use kernel::whole;

use super::access::Access;
use super::preview::listing;
use super::{MutationPlan, ToolHost, plan};
use crate::known_keys;

impl ToolHost {
    /// The whole diff of a change as it was shown, computed again.
    ///
    /// # Errors
    /// `E_PRECONDITION_FAILED` when the file is another one by now, `E_NOT_TEXT` when it is no text,
    /// `E_READ_LIMIT` when the diff is too long to be opened.
    pub fn whole_diff(&self, permit: &Permit, change: &ChangeProposed) -> Result<String, Failure> {
        if permit.class() == EffectClass::External {
            return Ok(whole_call(permit));
        }
        let mut access = self.access(permit);
        let diff = whole_diff(&mut access, permit, change);
        let shown = diff.map(|diff| known_keys::without_known(&diff).into_owned());
        shown.map_err(|failure| self.redacted(failure))
    }
}

fn whole_diff(
    access: &mut Access<'_>,
    permit: &Permit,
    change: &ChangeProposed,
) -> Result<String, Failure> {
    // What does not fit the file any more is not what was shown.
    let plan = plan(access, permit).map_err(|failure| match (failure.code, permit.path()) {
        (ErrorCode::Io, _) | (_, None) => failure,
        (_, Some(path)) => whole::changed(path),
    })?;
    let path = plan.path();
    let began = plan.began(access, None)?;
    let pre_hash = began.pre_hash.unwrap_or_default();
    if pre_hash != change.pre_hash || began.post_hash != change.post_hash {
        return Err(whole::changed(path));
    }
    let nothing = String::new;
    let (name, texts) = match &plan {
        MutationPlan::Write(plan, path) => (*path, plan.texts(access.lens(path))),
        MutationPlan::Delete(_, path) => (*path, Some((listing(&began.pre_images), nothing()))),
        MutationPlan::Move(plan, call) => {
            let text = plan.text(access, &call.from, &call.to)?;
            (&call.to, text.map(|text| (nothing(), text)))
        }
    };
    let (old, new) = texts.ok_or_else(|| whole::no_text(path))?;
    whole::diff(name, &old, &new)
}
