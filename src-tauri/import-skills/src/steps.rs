//! A skill with step files as steps and the ways between them.

use std::collections::BTreeMap;

use crate::links::{Link, file_of, links, without_snapshots};
use crate::source::{SkillFolder, is_markdown};
use crate::waits::{StepText, Wait};
use kernel::skill::SKILL_FILE;
use kernel::text::{ellipsis, is_blank};

/// The first step: what the skill itself says before it leads to its steps.
pub(crate) const START: &str = "start";
/// The last one: nothing is left to do.
pub(crate) const COMPLETE: &str = "complete";

/// The file in which a skill that is a template begins.
pub(crate) const WORKFLOW_FILE: &str = "workflow.md";

/// Bytes of a sentence that says when a way is gone.
const SENTENCE_BYTES: usize = 160;

/// Bytes of a step's title.
const TITLE_BYTES: usize = 120;

/// Fewer step files are no workflow.
const FEWEST_STEPS: usize = 2;

/// A workflow that was found in the files of a skill.
#[derive(Debug)]
pub(crate) struct Flow {
    /// The file that it begins with, below the skill's folder.
    pub(crate) entry: String,
    /// The steps after that, in the order of their names.
    pub(crate) steps: Vec<Step>,
    /// Where it leads first.
    pub(crate) first: Vec<Way>,
}

/// A step.
#[derive(Debug)]
pub(crate) struct Step {
    /// The name of its file, without its ending.
    pub(crate) id: String,
    /// The file, below the skill's folder.
    pub(crate) file: String,
    pub(crate) title: String,
    pub(crate) ways: Vec<Way>,
}

/// A way to another step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) to: String,
    /// What of the text says when it is gone.
    pub(crate) sentence: String,
    pub(crate) wait: Wait,
    /// Whether the text leads there when nothing else is said.
    pub(crate) is_next: bool,
}

impl Flow {
    /// The workflow of a skill, if it is one: it has step files, and leads to one of them.
    pub(crate) fn of(skill: &SkillFolder<'_>, is_template: bool) -> Option<Self> {
        let files: BTreeMap<&str, String> = skill
            .files
            .keys()
            .filter(|path| is_step(path))
            .map(|path| (*path, stem(path)))
            .collect();
        if files.len() < FEWEST_STEPS {
            return None;
        }
        let entry = if is_template { WORKFLOW_FILE } else { SKILL_FILE };
        let first = ways(skill, entry, &files)?;
        if first.is_empty() {
            return None;
        }
        let mut steps: Vec<Step> = Vec::new();
        for (file, id) in &files {
            if steps.iter().any(|step| step.id == *id) {
                continue;
            }
            let text = skill.text(file)?;
            let title = title(text).unwrap_or_else(|| id.clone());
            let ways = ways(skill, file, &files)?;
            steps.push(Step { id: id.clone(), file: (*file).to_owned(), title, ways });
        }
        let mut flow = Self { entry: entry.to_owned(), steps, first };
        flow.lead_to_the_end(skill);
        Some(flow)
    }

    /// A step from which no later one follows is an end.
    fn lead_to_the_end(&mut self, skill: &SkillFolder<'_>) {
        let order: Vec<String> = self.steps.iter().map(|step| step.id.clone()).collect();
        for (at, step) in self.steps.iter_mut().enumerate() {
            if step.ways.iter().any(|way| order[at + 1..].contains(&way.to)) {
                continue;
            }
            let text = without_snapshots(skill.text(&step.file).unwrap_or_default());
            let wait = StepText::new(&text).wait_at_end();
            let sentence = "the step is done".to_owned();
            step.ways.push(Way { to: COMPLETE.to_owned(), sentence, wait, is_next: true });
        }
    }

    /// The step of a file of the skill.
    pub(crate) fn step_of(&self, file: &str) -> Option<&Step> {
        self.steps.iter().find(|step| step.file == file)
    }
}

fn is_step(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    name.starts_with("step-") && is_markdown(name) && name.chars().all(fits)
}

fn stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
}

/// The first heading, without `Step 1:` before it.
fn title(text: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.strip_prefix("# "))?.trim();
    let named = line.strip_prefix("Step ").and_then(|rest| rest.split_once(": "));
    let title = named.map_or(line, |(_, title)| title).trim();
    (!is_blank(title)).then(|| ellipsis(title, TITLE_BYTES))
}

/// The ways from a file to the steps that it names, each once.
fn ways(skill: &SkillFolder<'_>, file: &str, steps: &BTreeMap<&str, String>) -> Option<Vec<Way>> {
    let text = without_snapshots(skill.text(file)?);
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let waits = StepText::new(&text);
    let mut ways: Vec<Way> = Vec::new();
    for Link { at, written } in links(&text) {
        let to = file_of(written, folder, &skill.files).filter(|to| to != file);
        let Some(to) = to.and_then(|to| steps.get(to.as_str())) else { continue };
        let wait = waits.wait_at(at);
        let is_next = is_below_next(&text[..at]);
        // What one sentence lets through is let through.
        if let Some(way) = ways.iter_mut().find(|way| way.to == *to) {
            way.is_next |= is_next;
            if wait == Wait::Nothing {
                way.wait = wait;
            }
        } else {
            let sentence = sentence(before(&text, at));
            ways.push(Way { to: to.clone(), sentence, wait, is_next });
        }
    }
    Some(ways)
}

/// A line up to a place in it.
fn before(text: &str, at: usize) -> &str {
    &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..at]
}

/// Whether the last heading says what comes next.
fn is_below_next(text: &str) -> bool {
    let heading = text.lines().rev().find(|line| line.starts_with('#'));
    heading.is_some_and(|line| line.trim_start_matches('#').trim().eq_ignore_ascii_case("next"))
}

/// What a line says before it names a step, without its marks: the last sentence, from the step that
/// it named before.
fn sentence(before: &str) -> String {
    let from =
        [". ", ".md", "),"].iter().filter_map(|end| Some(before.rfind(end)? + end.len())).max();
    let before = from.map_or(before, |from| &before[from..]);
    let plain: String = before.chars().filter(|c| !matches!(c, '*' | '`' | '→' | '(')).collect();
    let mut plain = plain.trim().trim_start_matches(['-', '>', ')', ',', '.']).trim();
    let ends = ["read fully and follow", "Read fully and follow", ":", ",", " then"];
    while let Some(shorter) = ends.iter().find_map(|end| plain.strip_suffix(end)) {
        plain = shorter.trim_end();
    }
    ellipsis(plain, SENTENCE_BYTES)
}
