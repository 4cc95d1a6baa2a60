//! What the text of a step waits for before it goes on. The sentences are prose for a model; those
//! that are known here become conditions which the runtime keeps.

use crate::source::plain;

/// What has to happen before a way is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wait {
    /// Nothing that is known here.
    Nothing,
    /// The person has answered in the step.
    Answer,
    /// The person has chosen this in the step.
    Choice(MenuChoice),
}

impl Wait {
    /// The higher, the more has to happen.
    pub(crate) fn strictness(&self) -> u8 {
        match self {
            Self::Nothing => 0,
            Self::Answer => 1,
            Self::Choice(_) => 2,
        }
    }
}

/// An item of the menu that a step shows, such as `[C] Continue`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MenuChoice {
    /// What stands in the brackets.
    pub(crate) code: String,
    /// What follows them; empty where nothing does.
    pub(crate) label: String,
}

impl MenuChoice {
    /// As the person reads it.
    pub(crate) fn shown(&self) -> String {
        format!("[{}] {}", self.code, self.label).trim_end().to_owned()
    }
}

/// Letters of a code at most.
const CODE_LETTERS: usize = 2;

/// The menu that a step shows, each item once.
pub(crate) fn menu(text: &str) -> Vec<MenuChoice> {
    let mut items: Vec<MenuChoice> = Vec::new();
    for part in text.split('[').skip(1) {
        let Some((code, rest)) = part.split_once(']') else { continue };
        let label =
            rest.split(['*', '"', '`', ':', '\n', '(', '<']).next().unwrap_or_default().trim();
        if is_code(code) && !items.iter().any(|item| item.code == code) {
            items.push(MenuChoice { code: code.to_owned(), label: plain(label) });
        }
    }
    items
}

fn is_code(text: &str) -> bool {
    let letters = text.len();
    (1..=CODE_LETTERS).contains(&letters) && text.chars().all(|c| c.is_ascii_uppercase())
}

/// What the sentences before a link to another step wait for.
pub(crate) struct StepText<'t> {
    text: &'t str,
    menu: Vec<MenuChoice>,
}

impl<'t> StepText<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, menu: menu(text) }
    }

    /// What the line at `at` waits for, which leads to another step.
    pub(crate) fn wait_at(&self, at: usize) -> Wait {
        let line = line_at(self.text, at);
        if let Some(code) = chosen_in(line) {
            return Wait::Choice(self.choice(code));
        }
        let before = &self.text[..at];
        let is_next = heading(before).is_some_and(|heading| heading.eq_ignore_ascii_case("next"));
        if speaks_of_person(line) || is_next && (stops_before(before) || offers_next(before)) {
            return Wait::Answer;
        }
        Wait::Nothing
    }

    /// What the end of the step waits for, where the workflow ends with it.
    pub(crate) fn wait_at_end(&self) -> Wait {
        let ends = |line: &&str| line.to_lowercase().contains("complete");
        if let Some(code) = self.text.lines().filter(ends).find_map(chosen_in) {
            return Wait::Choice(self.choice(code));
        }
        if self.text.lines().any(halts) { Wait::Answer } else { Wait::Nothing }
    }

    fn choice(&self, code: &str) -> MenuChoice {
        let known = self.menu.iter().find(|item| item.code == code).cloned();
        known.unwrap_or_else(|| MenuChoice { code: code.to_owned(), label: String::new() })
    }
}

/// The line around a place.
pub(crate) fn line_at(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    &text[start..end]
}

/// The last heading of a text.
pub(crate) fn heading(text: &str) -> Option<&str> {
    let line = text.lines().rev().find(|line| line.starts_with('#'))?;
    Some(line.trim_start_matches('#').trim())
}

/// `IF C: …`, `when C is selected`, `WHEN [C continue option] is selected`, `selects 'C'`.
fn chosen_in(line: &str) -> Option<&str> {
    after(line, "if ", |rest| rest.starts_with(':'))
        .or_else(|| after(line, "when ", is_selected))
        .or_else(|| after(line, "selects ", |rest| !rest.starts_with(char::is_alphanumeric)))
}

/// The code that follows a word of a line, where what comes after the code fits.
fn after<'l>(line: &'l str, word: &str, fits: impl Fn(&str) -> bool) -> Option<&'l str> {
    let lower = line.to_ascii_lowercase();
    lower.match_indices(word).find_map(|(at, _)| {
        let text = line[at + word.len()..].trim_start_matches(['[', '\'', '`']);
        let end = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
        let (code, rest) = text.split_at(end);
        (is_code(code) && fits(rest)).then_some(code)
    })
}

fn is_selected(rest: &str) -> bool {
    rest.starts_with(" is selected") || rest.starts_with(" continue option")
}

/// Whether a sentence waits for a person, in the words that step files have.
fn speaks_of_person(line: &str) -> bool {
    let line = line.to_lowercase();
    let somebody = ["human", "user ", "they "].iter().any(|word| line.contains(word));
    let acts = ["signals", "want to", "wants", "chooses", "selects", "ready to", "to resolve"];
    somebody && acts.iter().any(|word| line.contains(word))
}

/// Whether the section of a checkpoint stops, after which the text goes on.
fn stops_before(text: &str) -> bool {
    let sections = text.split("\n#").filter(|section| {
        section.lines().next().is_some_and(|heading| heading.to_lowercase().contains("checkpoint"))
    });
    sections.into_iter().any(|section| section.contains("HALT"))
}

/// Whether the person is told to say `next`.
fn offers_next(text: &str) -> bool {
    let text = text.to_lowercase();
    text.contains("say **next**") || text.contains("**\"next\"**")
}

/// `HALT — wait for …` at the beginning of a line: what is halted on some condition stands in the
/// midst of one.
fn halts(line: &str) -> bool {
    let line = line.trim_start_matches(['*', ' ']).to_lowercase();
    let waits = ["wait", "do not proceed", "until"];
    line.starts_with("halt") && waits.iter().any(|word| line.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_menu_is_read_with_its_words() {
        let text = "Display: \"**Select an Option:** [A] Advanced Elicitation [P] Party Mode [C] Continue\"\n[x] done [TODO] no";
        let shown: Vec<String> = menu(text).iter().map(MenuChoice::shown).collect();
        assert_eq!(shown, ["[A] Advanced Elicitation", "[P] Party Mode", "[C] Continue"]);
        assert_eq!(menu("**Confirm to [C] continue:**")[0].label, "continue");
    }

    #[test]
    fn a_choice_is_found_in_the_sentences_that_step_files_have() {
        let found = |line| chosen_in(line);
        assert_eq!(found("- IF C: Save all, then read fully and follow: ./step-02.md"), Some("C"));
        assert_eq!(found("ONLY WHEN C is selected and all is saved, follow"), Some("C"));
        assert_eq!(found("ONLY WHEN [C continue option] is selected and"), Some("C"));
        assert_eq!(found("ONLY proceed to next step when user selects 'C'"), Some("C"));
        assert_eq!(found("When C is selected, the workflow is complete"), Some("C"));
        assert_eq!(found("- IF Any other comments or queries: help"), None);
        assert_eq!(found("If VCS: use it"), None);
        assert_eq!(found("when A wins"), None);
    }

    #[test]
    fn a_checkpoint_that_halts_is_waited_for_and_a_halt_on_a_condition_is_not() {
        let of = |text: &str| StepText::new(text).wait_at(text.find("step-2.md").unwrap());
        let checkpoint = "# Step\n\n### CHECKPOINT 1\n\nPresent it.\n\nHALT and wait.\n\n## NEXT\n\nFollow step-2.md";
        assert_eq!(of(checkpoint), Wait::Answer);
        let condition = "# Step\n\nIf it is missing, HALT and ask.\n\n## NEXT\n\nFollow step-2.md";
        assert_eq!(of(condition), Wait::Nothing);
        let early = "### CHECKPOINT\n\nHALT.\n\n## EARLY EXIT\n\nIf it is small → step-2.md";
        assert_eq!(of(early), Wait::Nothing);
        let human = "## NEXT\n\nWhen the human signals they're ready, follow step-2.md";
        assert_eq!(of(human), Wait::Answer);
        let next = "say **next** and I go on\n\n## NEXT\n\nDefault: follow step-2.md";
        assert_eq!(of(next), Wait::Answer);
    }

    #[test]
    fn the_end_of_a_workflow_waits_as_its_text_does() {
        let end = |text: &str| StepText::new(text).wait_at_end();
        let chosen = end(
            "[C] Complete Workflow\n\nHALT — wait.\n\nWhen C is selected, the workflow is complete.",
        );
        assert!(matches!(chosen, Wait::Choice(choice) if choice.label == "Complete Workflow"));
        assert_eq!(end("**HALT** — I am waiting for your choice."), Wait::Answer);
        assert_eq!(
            end("- **HALT** — Same as patch, until it is not.\n\nIf it fails, HALT and wait."),
            Wait::Nothing
        );
    }
}
