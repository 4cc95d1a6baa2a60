//! Agent Skills on the disk: finding them, and reading one. Nothing of a skill is run or changed.
//!
//! Each of the three places, the project, the package and the person's home folder, is opened as a
//! handle, and no link leads out of it; below a skill's own folder none leads out of that.

mod files;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use kernel::bounds::{SKILL_BYTES, SKILLS, size};
use kernel::code::{ErrorCode, Failure};
use kernel::phrase::{Phrase, skills as said};
use kernel::skill::{
    FoundSkill, LoadedSkill, OfferedSkill, SKILL_FILE, SkillDocument, SkillName, SkillPlace,
    SkillProblem, SkillRoot, read,
};
use kernel::text::sha256_hex;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use crate::failure::io_said;
use crate::plain_file::{open_in, text_of};
use crate::real_path::RealPath;
use files::{files_of, has_scripts};

pub(crate) use files::{Shown, is_no_text};

/// Where skills are looked for.
#[derive(Debug, Clone, Default)]
pub struct SkillPlaces {
    /// The project.
    pub project: Option<RealPath>,
    /// The package whose skills are used.
    pub package: Option<RealPath>,
    /// The person's home folder.
    pub home: Option<RealPath>,
}

impl SkillPlaces {
    /// Every folder of skills of the project and of the person, in the order in which they count.
    pub(crate) fn find(&self, shown: Shown<'_>) -> Vec<FoundSkill> {
        let mut found = Vec::new();
        let roots = SkillRoot::OF_PROJECT.into_iter().chain(SkillRoot::OF_HOME);
        for root in roots {
            match self.open(root).and_then(|above| in_folder(root, &above, shown)) {
                Ok(skills) => found.extend(skills),
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                Err(e) => found.push(unusable(root, String::new(), unreadable(&e))),
            }
        }
        found
    }

    /// A skill as it is now.
    ///
    /// # Errors
    /// `SKILL_NOT_FOUND` when there is no such folder, `SKILL_INVALID` when it cannot be used.
    pub(crate) fn load(
        &self,
        place: &SkillPlace,
        name: &SkillName,
        shown: Shown<'_>,
    ) -> Result<LoadedSkill, Failure> {
        let folder = self.folder(place, name)?;
        let invalid = |problem: SkillProblem| {
            let what = said::skill_unusable(place.alias_of(name), problem.said);
            Failure::new(ErrorCode::SkillInvalid, what).with_action(problem.advice)
        };
        let (text, document) = document(&folder, name).map_err(invalid)?;
        let listed = files_of(&folder);
        let shown_text = shown(&document.text);
        let files: Vec<String> = listed.files.iter().map(|file| shown(file)).collect();
        Ok(LoadedSkill {
            name: name.clone(),
            place: place.clone(),
            text: shown_text.into(),
            sha256: sha256_hex(text.as_bytes()),
            allowed: document.allowed,
            scripts: listed.scripts.iter().map(|file| shown(file)).collect(),
            files,
            more_files: listed.more,
        })
    }

    /// The folder of a skill.
    ///
    /// # Errors
    /// `SKILL_NOT_FOUND` when there is none, or it cannot be opened.
    pub(crate) fn folder(&self, place: &SkillPlace, name: &SkillName) -> Result<Dir, Failure> {
        let above = self.open(place.root);
        let folder = above.and_then(|above| above.open_dir(place.folder_of(name)));
        folder.map_err(|e| {
            let what = said::skill_unusable(place.alias_of(name), unreadable(&e).said);
            Failure::new(ErrorCode::SkillNotFound, what).with_action(said::look_at_skill())
        })
    }

    /// The project, the package or the home folder.
    fn open(&self, root: SkillRoot) -> io::Result<Dir> {
        let above = match root {
            SkillRoot::Package => &self.package,
            SkillRoot::ProjectCrewagent | SkillRoot::ProjectAgents | SkillRoot::ProjectClaude => {
                &self.project
            }
            SkillRoot::HomeCrewagent | SkillRoot::HomeAgents | SkillRoot::HomeClaude => &self.home,
        };
        let above = above.as_ref().ok_or(io::ErrorKind::NotFound)?;
        Dir::open_ambient_dir(above.as_path(), ambient_authority())
    }
}

/// Of each name the skill that counts, by their names.
pub(crate) fn offered(found: &[FoundSkill]) -> Arc<[OfferedSkill]> {
    let mut skills = BTreeMap::new();
    for skill in found.iter().filter_map(|found| found.skill.as_ref().ok()) {
        skills.entry(&skill.name).or_insert(skill);
    }
    skills.into_values().take(SKILLS).cloned().collect()
}

/// Those of them that a model is told of. What only the person activates is nobody else's business.
pub(crate) fn of_models(found: &[FoundSkill]) -> Arc<[OfferedSkill]> {
    offered(found).iter().filter(|skill| !skill.by_person_only).cloned().collect()
}

fn unusable(root: SkillRoot, folder: String, problem: SkillProblem) -> FoundSkill {
    FoundSkill { root, folder, skill: Err(problem), warning: None }
}

/// Entries of a folder of skills that are looked at.
const ENTRIES: usize = 10_000;

fn in_folder(root: SkillRoot, above: &Dir, shown: Shown<'_>) -> io::Result<Vec<FoundSkill>> {
    let entries = above.read_dir(root.folder())?.take(ENTRIES).flatten();
    // What is hidden and what is no folder is nobody's mistake.
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_file()));
    let names = folders.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort_unstable();
    let more = names.len() > SKILLS;
    names.truncate(SKILLS);
    let found = names.into_iter().filter_map(|name| one(root, above, &name, shown));
    let mut found: Vec<FoundSkill> = found.collect();
    if more {
        let says = said::too_many_skills_there(SKILLS);
        found.push(unusable(root, String::new(), problem(says, said::look_at_skill())));
    }
    Ok(found)
}

/// What lies under a name; nothing when that is a file.
fn one(root: SkillRoot, above: &Dir, name: &str, shown: Shown<'_>) -> Option<FoundSkill> {
    let folder = match above.open_dir(format!("{}/{name}", root.folder())) {
        Err(e) if e.kind() == io::ErrorKind::NotADirectory => return None,
        opened => opened,
    };
    let read = folder.map_err(|e| unreadable(&e)).and_then(|folder| {
        let skill = SkillName::new(name).map_err(|said| problem(said, said::name_it_alike()))?;
        let (_, document) = document(&folder, &skill)?;
        let mut offered = document.offered(skill, root.into(), has_scripts(&folder));
        offered.description = shown(&offered.description);
        Ok((offered, document.warning))
    });
    let (skill, warning) = match read {
        Ok((skill, warning)) => (Ok(skill), warning),
        Err(problem) => (Err(problem), None),
    };
    Some(FoundSkill { root, folder: shown(name), skill, warning })
}

/// The `SKILL.md` of a folder: its text, and what it says.
fn document(folder: &Dir, name: &SkillName) -> Result<(String, SkillDocument), SkillProblem> {
    let is_link = folder.symlink_metadata(SKILL_FILE).is_ok_and(|it| it.is_symlink());
    if is_link {
        return Err(problem(said::skill_links_out(), said::look_at_skill()));
    }
    let text = open_in(folder, SKILL_FILE).and_then(|file| text_of(file, SKILL_BYTES as u64));
    let text = text.map_err(|e| match e.kind() {
        io::ErrorKind::NotFound => problem(said::no_skill_file(), said::write_front_matter()),
        io::ErrorKind::FileTooLarge => {
            let most = size(SKILL_BYTES as u64);
            problem(said::skill_too_long(most), said::move_to_references())
        }
        io::ErrorKind::InvalidData if is_no_text(&e) => {
            problem(said::skill_not_text(), said::look_at_skill())
        }
        _ => unreadable(&e),
    })?;
    let document = read(name, &text)?;
    Ok((text, document))
}

fn unreadable(error: &io::Error) -> SkillProblem {
    // The library that opens folders by handles says so where a link leads out of one.
    let leads_out =
        error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none();
    let says =
        if leads_out { said::skill_links_out() } else { said::skill_unreadable(io_said(error)) };
    problem(says, said::look_at_skill())
}

fn problem(said: Phrase, advice: Phrase) -> SkillProblem {
    SkillProblem { said, advice }
}

#[cfg(test)]
mod tests;
