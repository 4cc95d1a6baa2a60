//! What people and models are shown of what tools say: no real paths, no keys, and no more than a
//! message takes.

use cap_std::fs::Dir;
use kernel::code::Failure;
use kernel::effect::{Began, Called, Permit};
use kernel::mark;
use kernel::path::Mount;
use kernel::tool::TextOfFile;
use serde_json::{Value, json};
use std::time::Instant;

use super::spill;
use crate::known_keys;
use crate::redact::Private;

/// A result without real paths and keys. What is too long for a message goes to `state`, where the
/// model may read there.
pub(super) fn called(
    (private, state): (&Private, &Dir),
    permit: &Permit,
    mut result: Value,
    shown: Option<TextOfFile<'_>>,
    started: Instant,
) -> Called {
    private.marks.hide_in(&mut result);
    known_keys::hide_known(&mut result);
    if mark::occurs_in_value(&result)
        && let Some(map) = result.as_object_mut()
    {
        map.insert("marks".to_owned(), json!(mark::HINT));
    }
    let (result, full_output) = if permit.brings_files_back() {
        // The kernel shortens it itself: it reads all of it.
        (result, None)
    } else {
        let is_readable = permit.policy().places.hold(Mount::State);
        spill::within_limit(is_readable.then_some(state), permit.call_id(), shown, result)
    };
    let duration_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    Called { result, full_output, duration_ms, skill: None }
}

/// Without real paths: why a file was not restored is said in the words of the operating system,
/// which may hold one.
pub(super) fn without_real_paths(private: &Private, mut began: Began) -> Began {
    let conflicts = began.restore.iter_mut().flat_map(|restore| &mut restore.conflicts);
    for message in conflicts.filter_map(|conflict| conflict.message.as_mut()) {
        *message = private.redactor.redact(message).into_owned();
    }
    began
}

/// A text of somebody else as people and models may be shown it.
pub(super) fn shown(private: &Private, text: &str) -> String {
    known_keys::without_known(&private.redactor.redact(text)).into_owned()
}

/// A value of somebody else as people and models may be shown it.
pub(super) fn shown_value(private: &Private, mut value: Value) -> Value {
    private.redactor.redact_value(&mut value);
    known_keys::hide_known(&mut value);
    value
}

/// A failure as people and models may be shown it.
pub(super) fn redacted(private: &Private, mut failure: Failure) -> Failure {
    failure.map_texts(&|text| shown(private, text));
    if let Some(details) = &mut failure.details {
        private.redactor.redact_value(details);
        known_keys::hide_known(details);
    }
    failure
}
