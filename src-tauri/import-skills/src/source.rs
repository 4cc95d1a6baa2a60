//! The skills that lie in a folder or an archive.

use kernel::bounds::SKILLS;
use kernel::package::{Finding, Severity};
use kernel::phrase::from_skills as said;
use kernel::skill::{SKILL_FILE, SkillDocument, SkillName, SkillProblem, is_script, read};
use kernel::visible::hides;
use std::collections::{BTreeMap, BTreeSet};

/// Names of the modules' own files.
const MODULE_FILE: &str = "module.yaml";

/// Everything in a folder or an archive.
#[derive(Debug, Clone, Default)]
pub struct Source {
    /// What the folder or the archive is called.
    pub name: String,
    /// Its files, by their path below it.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// A skill as it was found.
#[derive(Debug)]
pub(crate) struct SkillFolder<'s> {
    pub(crate) name: SkillName,
    /// Where it lies in the source, for findings.
    pub(crate) root: &'s str,
    /// Its `SKILL.md`.
    pub(crate) document: SkillDocument,
    /// The same before its body: front matter, as written.
    pub(crate) head: String,
    /// Its files, by their path below its folder.
    pub(crate) files: BTreeMap<&'s str, &'s [u8]>,
}

impl SkillFolder<'_> {
    /// A file of the skill, when it is text.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        std::str::from_utf8(self.files.get(path)?).ok()
    }

    /// Where a file of it lies in the source.
    pub(crate) fn place(&self, file: &str) -> String {
        if self.root.is_empty() { file.to_owned() } else { format!("{}/{file}", self.root) }
    }

    /// Its scripts.
    pub(crate) fn scripts(&self) -> impl Iterator<Item = &str> {
        self.files.keys().copied().filter(|file| is_script(file))
    }
}

impl Source {
    /// The same without a folder that everything lies in, as archives of npm have one.
    #[must_use]
    pub(crate) fn without_wrapping(mut self) -> Self {
        let top = |path: &String| path.split_once('/').map(|(top, _)| top.to_owned());
        let Some(Some(first)) = self.files.keys().next().map(top) else { return self };
        let prefix = format!("{first}/");
        let wraps = self.files.keys().all(|path| path.starts_with(&prefix));
        let is_skill = self.files.contains_key(&format!("{prefix}{SKILL_FILE}"));
        if wraps && !is_skill {
            let files = std::mem::take(&mut self.files).into_iter();
            self.files =
                files.map(|(path, bytes)| (path[prefix.len()..].to_owned(), bytes)).collect();
        }
        self
    }

    /// A file, when it is text.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        std::str::from_utf8(self.files.get(path)?).ok()
    }

    /// The folders of modules that have skills: each has a file that says what can be configured.
    pub(crate) fn modules(&self) -> Vec<&str> {
        let folders = self.files.keys().filter_map(|path| path.strip_suffix(MODULE_FILE));
        let has_skills = |folder: &&str| {
            let below = |path: &&String| path.starts_with(*folder) && ends_in(path, SKILL_FILE);
            (folder.is_empty() || folder.ends_with('/'))
                && self.files.keys().any(|path| below(&path))
        };
        folders.filter(has_skills).collect()
    }

    /// The skills, by their names, and what is wrong with those that cannot be used. Where there are
    /// modules, what lies outside of them are tests and tools.
    pub(crate) fn skills(
        &self,
        findings: &mut Vec<Finding>,
    ) -> BTreeMap<SkillName, SkillFolder<'_>> {
        let modules = self.modules();
        let is_of_module = |root: &&str| {
            modules.is_empty() || modules.iter().any(|module| root.starts_with(module))
        };
        let mut skills = BTreeMap::new();
        for root in self.roots().into_iter().filter(is_of_module) {
            if skills.len() == SKILLS {
                let says = kernel::phrase::skills::too_many_skills_there(SKILLS);
                findings.push(Finding::new(Severity::Warning, root, "skill", says));
                break;
            }
            match self.skill(root) {
                Ok(skill) if skills.contains_key(&skill.name) => {
                    let says = said::skill_twice(&skill.name);
                    findings.push(Finding::new(Severity::Warning, root, "skill", says));
                }
                Ok(skill) => {
                    skills.insert(skill.name.clone(), skill);
                }
                Err(SkillProblem { said, advice }) => {
                    let found = Finding::new(Severity::Warning, root, "skill", said);
                    findings.push(found.with_hint(advice));
                }
            }
        }
        skills
    }

    /// The folders with a `SKILL.md`, without those that lie in another one.
    fn roots(&self) -> Vec<&str> {
        let mut roots: Vec<&str> = Vec::new();
        let files = self.files.keys().filter(|path| ends_in(path, SKILL_FILE));
        let folders: BTreeSet<&str> =
            files.map(|path| path.rsplit_once('/').map_or("", |(folder, _)| folder)).collect();
        for folder in folders {
            let lies_in = |root: &&str| root.is_empty() || is_below(folder, root);
            if !roots.iter().any(lies_in) {
                roots.push(folder);
            }
        }
        roots
    }

    fn skill<'s>(&'s self, root: &'s str) -> Result<SkillFolder<'s>, SkillProblem> {
        use kernel::phrase::skills::{look_at_skill, name_it_alike, skill_not_text};
        let folder = root.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(&self.name);
        let name = SkillName::new(folder)
            .map_err(|said| SkillProblem { said, advice: name_it_alike() })?;
        let prefix = if root.is_empty() { String::new() } else { format!("{root}/") };
        let of_skill = |(path, bytes): (&'s String, &'s Vec<u8>)| {
            let path = path.strip_prefix(&prefix)?;
            (!is_litter(path)).then_some((path, bytes.as_slice()))
        };
        let files: BTreeMap<&str, &[u8]> = self.files.iter().filter_map(of_skill).collect();
        let text = files.get(SKILL_FILE).and_then(|bytes| std::str::from_utf8(bytes).ok());
        let unread = || SkillProblem { said: skill_not_text(), advice: look_at_skill() };
        let text = text.ok_or_else(unread)?;
        let document = read(&name, text)?;
        let head = text[..text.len() - document.text.len()].to_owned();
        Ok(SkillFolder { name, root, document, head, files })
    }
}

fn ends_in(path: &str, name: &str) -> bool {
    path.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// A text on one line, without characters that nobody sees.
pub(crate) fn plain(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().filter(|c| !hides(c.encode_utf8(&mut [0; 4]))).collect()
}

/// Whether a file is Markdown, by its name.
pub(crate) fn is_markdown(path: &str) -> bool {
    has_ending(path, "md")
}

fn has_ending(path: &str, wanted: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case(wanted))
}

/// What Python leaves beside its scripts; what systems leave is not read at all.
fn is_litter(path: &str) -> bool {
    path.split('/').any(|part| part == "__pycache__") || has_ending(path, "pyc")
}
