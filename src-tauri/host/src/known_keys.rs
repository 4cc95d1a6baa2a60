//! The keys that the program knows, taken out of what tools show.

use serde_json::Value;
use std::borrow::Cow;

use crate::keys::{is_a_word, spelt};
use crate::logs;

/// The keys of the program that no tool shows.
fn known() -> Vec<String> {
    let mut keys = logs::secrets();
    keys.retain(|key| !is_a_word(key));
    keys
}

/// Whether a file that holds a key of the program would hold the sign for it instead: whoever read
/// it with a tool was shown the sign.
pub(crate) fn would_be_lost(before: &str, after: &str) -> bool {
    are_lost(&known(), before, after)
}

fn are_lost(keys: &[String], before: &str, after: &str) -> bool {
    let signs = |text: &str| text.matches(spelt::HIDDEN).count();
    let held = |text| signs(&spelt::without_pieces(keys, text)).saturating_sub(signs(text));
    let before_held = held(before);
    before_held > 0 && held(after) < before_held && signs(after) > signs(before)
}

/// A text of a file without the program's keys, also where it was cut within one.
pub(crate) fn without_known(text: &str) -> Cow<'_, str> {
    spelt::without_pieces(&known(), text)
}

/// Takes the program's keys out of what a tool answers.
pub(crate) fn hide_known(value: &mut Value) {
    spelt::hide_in(&known(), value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_ends_within_a_key_does_not_get_the_sign_in_its_place() {
        let keys = ["sk-live-0123456789".to_owned()];
        for held in ["key: sk-live-0123456789\n", "key: sk-live-0123", "0123456789 is its end"] {
            let shown = spelt::without_pieces(&keys, held);
            assert!(shown.contains(spelt::HIDDEN), "{shown}");
            assert!(are_lost(&keys, held, &shown), "{held}");
            assert!(!are_lost(&keys, held, held), "{held}");
            assert!(!are_lost(&keys, held, "no key"), "{held}");
        }
    }
}
