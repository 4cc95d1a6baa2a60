//! What the text of a step file says that its step needs: which variables it sets, and the names of
//! tools and blocks in it. For models that are offered only what a step needs (spec 04 "Tools of a
//! step").

use serde_json::Value;
use std::collections::BTreeSet;

use crate::bounds::{STEP_NAMES, STEP_VARIABLES};
use crate::tokens::{CountedText, Tokenizer};
use crate::widget::WidgetKind;

/// Longest word that is taken for a name.
const NAME_BYTES: usize = 64;

/// What a step file mentions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StepNotes {
    variables: Vec<String>,
    names: BTreeSet<String>,
    widgets: BTreeSet<&'static str>,
    /// Kept to be counted for the models that are to read it; a file that is parsed is of bounded
    /// length.
    text: CountedText,
}

impl StepNotes {
    /// Reads the notes off a step file and its front matter.
    pub fn of(text: &str, front: &Value) -> Self {
        let set = front.get("setsVariables").and_then(Value::as_array).into_iter().flatten();
        let set = set.filter_map(Value::as_str).filter(|name| name.len() <= NAME_BYTES);
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        let words = text.split(|c: char| !is_part(c)).map(|word| word.trim_matches(['_', '.']));
        let names =
            words.clone().filter(|word| word.len() <= NAME_BYTES && word.contains(['_', '.']));
        let of_widget = |word: &str| WidgetKind::NAMES.iter().find(|kind| **kind == word).copied();
        let widgets = words.clone().filter_map(of_widget).collect();
        let mut notes = Self { widgets, text: CountedText::new(text), ..Self::default() };
        for name in set.take(STEP_VARIABLES) {
            if !notes.variables.iter().any(|known| known == name) {
                notes.variables.push(name.to_owned());
            }
        }
        for name in names {
            if notes.names.len() == STEP_NAMES {
                break;
            }
            notes.names.insert(name.to_owned());
        }
        notes
    }

    /// How many tokens the step file has, where that is more than `room`.
    pub fn tokens_above(&self, room: u64, tokenizer: Tokenizer) -> Option<u64> {
        self.text.tokens_above(room, tokenizer)
    }

    /// The variables of the run that the step sets, in its own order.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// Whether the text speaks of this kind of question.
    pub fn mentions_widget(&self, kind: WidgetKind) -> bool {
        self.widgets.contains(kind.as_str())
    }

    /// Whether the text speaks of any kind of question.
    pub fn shows_a_question(&self) -> bool {
        !self.widgets.is_empty()
    }

    /// Whether the text has this name in it, `fs_read` or `fs.read`, as a word of its own.
    pub fn mentions(&self, name: &str) -> bool {
        self.names.contains(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn variables_and_names_are_read_off_a_step_file() {
        let front = json!({ "setsVariables": ["goal", "type", "goal", 7] });
        let text = "Ask with `ui_ask_user`, {\"type\": \"plan_review\"}, or read (fs.read). Wait for USER_INPUT. Not fs_reader.";
        let notes = StepNotes::of(text, &front);
        assert_eq!(notes.variables(), ["goal", "type"]);
        assert!(["ui_ask_user", "fs.read", "USER_INPUT"].iter().all(|name| notes.mentions(name)));
        assert!(!notes.mentions("fs_read") && !notes.mentions("Ask"));
        assert!(notes.mentions_widget(WidgetKind::PlanReview));
        assert!(!notes.mentions_widget(WidgetKind::Selection));
    }

    #[test]
    fn a_hostile_step_file_has_no_more_notes_than_the_bounds_say() {
        let many: Vec<String> = (0..2 * STEP_NAMES).map(|n| format!("a_{n}")).collect();
        let notes = StepNotes::of(&many.join(" "), &json!({ "setsVariables": many }));
        assert_eq!((notes.names.len(), notes.variables.len()), (STEP_NAMES, STEP_VARIABLES));
        let long = StepNotes::of(&"x_".repeat(NAME_BYTES), &Value::Null);
        assert_eq!(long.names.len(), 0);
        assert_eq!(long.tokens_above(0, Tokenizer::Estimate), Some(32));
    }
}
