//! A skill with step files as steps and the ways between them.

use std::collections::BTreeMap;

use crate::links::{Link, file_of, links, without_snapshots};
use crate::source::{SkillFolder, is_markdown, plain};
use crate::waits::{StepText, Wait, heading, line_at};
use kernel::package::{Finding, Severity};
use kernel::phrase::from_skills as said;
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

/// Bytes of the name of a step's file.
const STEP_NAME_BYTES: usize = 120;

/// Mentions of steps in a file that are looked at.
const MENTIONS: usize = 500;

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
    /// Whether the text says to go there, and does not only name it.
    pub(crate) is_told: bool,
}

impl Flow {
    /// The workflow of a skill, if it is one: it has step files, and leads to one of them.
    pub(crate) fn of(
        skill: &SkillFolder<'_>,
        is_template: bool,
        findings: &mut Vec<Finding>,
    ) -> Option<Self> {
        let files = step_files(skill, findings);
        if files.len() < FEWEST_STEPS {
            return None;
        }
        let entry = if is_template { WORKFLOW_FILE } else { SKILL_FILE };
        let first = begun_by(ways(skill, entry, &files)?)?;
        let mut steps: Vec<Step> = Vec::new();
        for (file, id) in &files {
            let text = skill.text(file)?;
            let title = title(text).unwrap_or_else(|| id.clone());
            let ways = ways(skill, file, &files)?;
            steps.push(Step { id: id.clone(), file: (*file).to_owned(), title, ways });
        }
        steps.sort_by_cached_key(|step| in_numbers(&step.id));
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
            let sentence = String::new();
            step.ways.push(Way {
                to: COMPLETE.to_owned(),
                sentence,
                wait,
                is_next: true,
                is_told: true,
            });
        }
    }

    /// The step of a file of the skill.
    pub(crate) fn step_of(&self, file: &str) -> Option<&Step> {
        self.steps.iter().find(|step| step.file == file)
    }
}

/// The step files and their ids. One that is no text is told, and one whose name there is already has
/// a number after it.
fn step_files<'s>(
    skill: &SkillFolder<'s>,
    findings: &mut Vec<Finding>,
) -> BTreeMap<&'s str, String> {
    let mut files: BTreeMap<&str, String> = BTreeMap::new();
    for path in skill.files.keys().copied().filter(|path| is_step(path)) {
        if skill.text(path).is_none() {
            let says = said::step_not_text();
            findings.push(Finding::new(Severity::Warning, &skill.place(path), "step", says));
            continue;
        }
        let stem = stem(path);
        let is_taken = |id: &String| files.values().any(|other| other.eq_ignore_ascii_case(id));
        let mut numbered = (2..).map(|number| format!("{stem}-{number}"));
        let id =
            if is_taken(&stem) { numbered.find(|id| !is_taken(id)) } else { Some(stem.clone()) };
        files.insert(path, id.unwrap_or(stem));
    }
    files
}

/// Where a text begins: where it says to go, or the first that it names.
fn begun_by(ways: Vec<Way>) -> Option<Vec<Way>> {
    let (told, named): (Vec<Way>, Vec<Way>) = ways.into_iter().partition(|way| way.is_told);
    let ways = if told.is_empty() { named.into_iter().take(1).collect() } else { told };
    (!ways.is_empty()).then_some(ways)
}

/// A name in the order in which people count: `step-2` before `step-10`.
fn in_numbers(name: &str) -> Vec<(u64, String)> {
    let mut parts: Vec<(u64, String)> = Vec::new();
    let mut digits = String::new();
    for c in name.chars() {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        if !digits.is_empty() {
            parts.push((std::mem::take(&mut digits).parse().unwrap_or(u64::MAX), String::new()));
        }
        match parts.last_mut() {
            Some((u64::MAX, text)) => text.push(c),
            _ => parts.push((u64::MAX, c.to_string())),
        }
    }
    if !digits.is_empty() {
        parts.push((digits.parse().unwrap_or(u64::MAX), String::new()));
    }
    parts
}

fn is_step(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let short = name.len() <= STEP_NAME_BYTES;
    short && name.starts_with("step-") && is_markdown(name) && name.chars().all(fits)
}

fn stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
}

/// The first heading, without `Step 1:` before it.
fn title(text: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.strip_prefix("# "))?.trim();
    let named = line.strip_prefix("Step ").and_then(|rest| rest.split_once(": "));
    let title = plain(named.map_or(line, |(_, title)| title));
    (!is_blank(&title)).then(|| ellipsis(&title, TITLE_BYTES))
}

/// The ways from a file to the steps that it names, each once.
fn ways(skill: &SkillFolder<'_>, file: &str, steps: &BTreeMap<&str, String>) -> Option<Vec<Way>> {
    let text = without_snapshots(skill.text(file)?);
    let text = kernel::frontmatter::parts(&text).map_or(text.as_str(), |parts| parts.body);
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let waits = StepText::new(text);
    let mut ways: Vec<Way> = Vec::new();
    let to = |link: &Link<'_>| {
        let to = file_of(link.written, folder, &skill.files).filter(|to| to != file)?;
        steps.get(to.as_str())
    };
    let mentions = links(text).filter_map(|link| Some((link.at, to(&link)?)));
    for (at, to) in mentions.take(MENTIONS) {
        let line = line_at(text, at).to_lowercase();
        let says = before(text, at).rsplit(". ").next().unwrap_or_default().to_lowercase();
        if FORBIDS.iter().any(|word| says.contains(word)) {
            continue;
        }
        let way = Way {
            to: to.clone(),
            sentence: sentence(before(text, at)),
            wait: waits.wait_at(at),
            is_next: is_below_next(&text[..at]),
            is_told: TELLS.iter().any(|word| line.contains(word)),
        };
        match ways.iter_mut().find(|other| other.to == *to) {
            Some(known) => known.join(way),
            None => ways.push(way),
        }
    }
    for way in &mut ways {
        if way.is_next || way.sentence.split_whitespace().count() < FEWEST_WORDS {
            way.sentence.clear();
        }
    }
    Some(ways)
}

/// Words of a sentence that says where not to go, or not yet.
const FORBIDS: [&str; 5] = ["do not load", "don't load", "never load", "not read", "forbidden"];
/// Words of a line that says where to go.
const TELLS: [&str; 7] = ["follow", "load", "read", "begin", "start", "go to", "→"];
/// Fewer words say nothing of when a way is gone.
const FEWEST_WORDS: usize = 3;

impl Way {
    /// What another sentence says of the same way: it is gone when the stricter of them lets it.
    fn join(&mut self, other: Self) {
        self.is_next |= other.is_next;
        self.is_told |= other.is_told;
        self.wait = std::cmp::max_by_key(self.wait.clone(), other.wait, Wait::strictness);
        if !self.sentence.contains(&other.sentence) {
            let both = format!("{}; {}", self.sentence, other.sentence);
            self.sentence = ellipsis(both.trim_start_matches("; "), SENTENCE_BYTES);
        }
    }
}

/// A line up to a place in it.
fn before(text: &str, at: usize) -> &str {
    &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..at]
}

/// Whether the last heading says what comes next.
fn is_below_next(text: &str) -> bool {
    heading(text).is_some_and(|heading| heading.eq_ignore_ascii_case("next"))
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
