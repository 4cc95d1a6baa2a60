//! What the person said in a step, as conditions of its edges may ask for it.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::bounds::{SAID_IN_STEP, SAID_WORDS_BYTES};

/// What the conditions of edges are judged by.
#[derive(Debug, Clone, Copy)]
pub struct Premises<'a> {
    /// The run's variables, an object.
    pub variables: &'a Value,
    /// What the person said in the step that the edges leave; `None` where nobody can know.
    pub said: Option<&'a SaidInStep>,
}

impl<'a> From<&'a Value> for Premises<'a> {
    /// The variables alone.
    fn from(variables: &'a Value) -> Self {
        Self { variables, said: None }
    }
}

/// The variable by which a condition asks for it. No variable of a run has such a name.
pub const PERSON: &str = "$person";

/// The members that a condition may ask for.
pub(crate) const ASKED_OF_PERSON: [&str; 2] = ["$person.answered", "$person.said"];

/// What the person said or chose since a step was entered, as the runtime recorded it: no model can
/// say it in their place.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SaidInStep {
    /// Whether the model has said something in the step: what was said before answers nothing.
    spoken_to: bool,
    /// Whether the person answered, and did not say no.
    answered: bool,
    /// What they said or chose, in small letters, the newest of it.
    words: Vec<String>,
}

impl SaidInStep {
    /// The model said something in the step.
    pub fn model_spoke(&mut self) {
        self.spoken_to = true;
    }

    /// The person said, or chose, this. Long words are no choice; they are an answer all the same.
    pub fn says<'a>(&mut self, words: impl IntoIterator<Item = &'a str>) {
        if !self.spoken_to {
            return;
        }
        self.answered = true;
        for words in words {
            for choice in choices(words) {
                self.words.retain(|other| *other != choice);
                self.words.push(choice);
            }
        }
        let over = self.words.len().saturating_sub(SAID_IN_STEP);
        self.words.drain(..over);
    }

    /// The person said no: what they said before holds no more.
    pub fn takes_back(&mut self) {
        self.answered = false;
        self.words.clear();
    }

    /// As conditions see it, below [`PERSON`].
    pub(super) fn to_value(&self) -> Value {
        json!({ "answered": self.answered, "said": self.words })
    }
}

/// What words choose: the whole of them, and of `[C] Continue` also the letter and what follows it.
/// A person chooses what they read, so this is the text of an option and not its value.
fn choices(words: &str) -> Vec<String> {
    let whole = words.trim().trim_end_matches('.');
    if whole.is_empty() || whole.len() > SAID_WORDS_BYTES {
        return Vec::new();
    }
    let mut out = vec![whole.to_lowercase()];
    if let Some((code, rest)) = whole.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        let parts = [code, rest].map(|part| part.trim().to_lowercase());
        out.extend(parts.into_iter().filter(|part| !part.is_empty()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(words: &[&str]) -> Value {
        let mut said = SaidInStep::default();
        said.model_spoke();
        said.says(words.iter().copied());
        said.to_value()
    }

    #[test]
    fn the_text_of_an_option_is_what_was_chosen() {
        let chosen = said(&["[C] Continue"]);
        assert_eq!(chosen, json!({ "answered": true, "said": ["[c] continue", "c", "continue"] }));
        assert_eq!(said(&[" C. "])["said"], json!(["c"]));
        assert_eq!(said(&["c".repeat(SAID_WORDS_BYTES + 1).as_str()])["said"], json!([]));
    }

    #[test]
    fn what_was_said_before_the_model_spoke_answers_nothing() {
        let mut said = SaidInStep::default();
        said.says(["C"]);
        assert_eq!(said, SaidInStep::default());
    }

    #[test]
    fn a_no_takes_back_what_was_said() {
        let mut said = SaidInStep::default();
        said.model_spoke();
        said.says(["C"]);
        said.takes_back();
        assert_eq!(said.to_value(), json!({ "answered": false, "said": [] }));
        said.says(["yes"]);
        assert_eq!(said.to_value(), json!({ "answered": true, "said": ["yes"] }));
    }

    #[test]
    fn of_much_that_was_said_the_newest_is_kept() {
        let many: Vec<String> = (0..2 * SAID_IN_STEP).map(|n| n.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let kept = said(&many)["said"].as_array().unwrap().clone();
        assert_eq!(kept.len(), SAID_IN_STEP);
        assert_eq!(kept.last(), Some(&json!((2 * SAID_IN_STEP - 1).to_string())));
    }
}
