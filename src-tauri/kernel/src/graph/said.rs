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

/// What the person said or chose last in a step, as the runtime recorded it: no model can say it in
/// their place.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SaidInStep {
    /// Whether the model has said something in the step: what was said before answers nothing.
    spoken_to: bool,
    /// Whether the model has spoken since: the next answer is another one, and not one more.
    overtaken: bool,
    /// Whether the person answered.
    answered: bool,
    /// What they said or chose with their last answer, in small letters.
    words: Vec<String>,
}

impl SaidInStep {
    /// The model said something in the step.
    pub fn model_spoke(&mut self) {
        self.spoken_to = true;
        self.overtaken = true;
    }

    /// The model asked something in the step, maybe with the very words that led to it.
    pub fn model_asked(&mut self) {
        self.spoken_to = true;
    }

    /// The person said this.
    pub fn says(&mut self, words: &str) {
        self.answers(vec![folded(words)]);
    }

    /// The person chose these of the options of a question. Their texts count, as the person reads
    /// those and no values: all of it, what follows a code in brackets, and the code with the name
    /// of the question before it, `menu: c`. A code alone means something else in another question.
    pub fn chooses(&mut self, question: &str, options: &[&str]) {
        let words = options.iter().flat_map(|option| {
            let whole = folded(option);
            let (code, rest) = code_of(&whole).unwrap_or_default();
            let named =
                format!("{}: {}", folded(question), if code.is_empty() { &whole } else { code });
            [whole.clone(), rest.to_owned(), named]
        });
        self.answers(words.collect());
    }

    /// The person said no: they answered, and chose nothing.
    pub fn refuses(&mut self) {
        self.answers(Vec::new());
        self.words.clear();
    }

    /// An answer takes the place of the one before, unless it answers what was asked with it. Long
    /// words are no choice; they are an answer all the same.
    fn answers(&mut self, words: Vec<String>) {
        if !self.spoken_to {
            return;
        }
        if std::mem::take(&mut self.overtaken) {
            self.words.clear();
        }
        self.answered = true;
        let fits = |words: &String| !words.is_empty() && words.len() <= SAID_WORDS_BYTES;
        self.words.extend(words.into_iter().filter(fits));
        let over = self.words.len().saturating_sub(SAID_IN_STEP);
        self.words.drain(..over);
    }

    /// As conditions see it, below [`PERSON`].
    pub(super) fn to_value(&self) -> Value {
        json!({ "answered": self.answered, "said": self.words })
    }
}

/// Words in small letters, in the signs of ASCII where there are such, without a full stop.
fn folded(words: &str) -> String {
    let narrow = |c: char| match c {
        '【' | '［' => '[',
        '】' | '］' => ']',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '。' => '.',
        c => c,
    };
    let narrow: String = words.trim().chars().take(4 * SAID_WORDS_BYTES).map(narrow).collect();
    narrow.trim().trim_end_matches(['.', '!']).to_lowercase()
}

/// The code in the brackets that a text begins with, and what follows.
fn code_of(text: &str) -> Option<(&str, &str)> {
    let (open, close) = if text.starts_with('(') { ('(', ')') } else { ('[', ']') };
    let (code, rest) = text.strip_prefix(open)?.split_once(close)?;
    Some((code.trim(), rest.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked() -> SaidInStep {
        let mut said = SaidInStep::default();
        said.model_spoke();
        said
    }

    fn words(said: &SaidInStep) -> Value {
        said.to_value()["said"].clone()
    }

    #[test]
    fn the_text_of_an_option_is_what_was_chosen_and_its_code_is_of_its_question() {
        let mut said = asked();
        said.chooses("menu", &["[C] Continue"]);
        assert_eq!(words(&said), json!(["[c] continue", "continue", "menu: c"]));
        said.model_spoke();
        said.chooses("database", &["【Ｃ】 SQLite"]);
        assert_eq!(words(&said), json!(["[c] sqlite", "sqlite", "database: c"]));
        said.model_spoke();
        said.chooses("Menu", &["Continue", "(A) 继续"]);
        let all = ["continue", "menu: continue", "(a) 继续", "继续", "menu: a"];
        assert_eq!(words(&said), json!(all));
    }

    #[test]
    fn an_answer_takes_the_place_of_the_one_before() {
        let mut said = asked();
        for typed in [" C. ", "Ｃ。", "c!"] {
            said.says(typed);
        }
        assert_eq!(words(&said), json!(["c", "c", "c"]), "said one after the other");
        said.model_spoke();
        assert_eq!(words(&said), json!(["c", "c", "c"]), "it holds while the model acts on it");
        said.says("No, stop.");
        assert_eq!(words(&said), json!(["no, stop"]));
        said.model_spoke();
        said.says(&"c".repeat(SAID_WORDS_BYTES + 1));
        assert_eq!(said.to_value(), json!({ "answered": true, "said": [] }));
    }

    #[test]
    fn what_was_said_before_the_model_spoke_answers_nothing() {
        let mut said = SaidInStep::default();
        said.says("C");
        assert_eq!(said, SaidInStep::default());
        said.model_asked();
        said.says("C");
        assert_eq!(words(&said), json!(["c"]));
    }

    #[test]
    fn a_no_is_an_answer_and_chooses_nothing() {
        let mut said = asked();
        said.says("C");
        said.refuses();
        assert_eq!(said.to_value(), json!({ "answered": true, "said": [] }));
    }

    #[test]
    fn of_much_that_was_said_the_newest_is_kept() {
        let mut said = asked();
        for number in 0..2 * SAID_IN_STEP {
            said.says(&number.to_string());
        }
        let kept = words(&said).as_array().unwrap().clone();
        assert_eq!(kept.len(), SAID_IN_STEP);
        assert_eq!(kept.last(), Some(&json!((2 * SAID_IN_STEP - 1).to_string())));
    }
}
