//! The skills of a package: folders with a `SKILL.md`, below `skills` or where an agent imports them
//! from.

use std::collections::{BTreeMap, BTreeSet};

use super::agent_skills::ImportedSkill;
use super::files::{PackageReader, shown};
use crate::bounds::SKILLS;
use crate::package::{Agent, USE_SKILL};
use crate::phrase::skills as said;
use crate::phrase::{advice, findings};
use crate::skill::{
    OfferedSkill, SKILL_FILE, SkillName, SkillPlace, SkillProblem, SkillRoot, is_script, read,
};

/// Reads those below `skills`, by their names. What cannot be used is a finding that warns.
pub(super) fn check(reading: &mut PackageReader<'_>) -> Vec<OfferedSkill> {
    let folders = folders(reading);
    let mut skills = Vec::new();
    for folder in &folders {
        let path = format!("{}/{folder}/{SKILL_FILE}", SkillRoot::Package.folder());
        if skills.len() == SKILLS {
            let says = said::too_many_skills_there(SKILLS);
            reading.warning(&path, "skill", says, said::look_at_skill());
            break;
        }
        let place = SkillRoot::Package.into();
        skills.extend(skill(reading, folder, place));
    }
    skills
}

/// Adds those that agents import; `path` is the file that says so. Each is there for the agents that
/// import it alone, under the name of its folder or the one that they give it.
pub(super) fn import(
    reading: &mut PackageReader<'_>,
    path: &str,
    imported: &[ImportedSkill],
    skills: &mut Vec<OfferedSkill>,
) {
    // Which skill a folder is under a name; none where it cannot be used, or is there for everyone.
    let as_known =
        |skill: &OfferedSkill| (skill.place.folder_of(&skill.name), skill.name.to_string());
    let mut known: BTreeMap<(String, String), Option<usize>> =
        skills.iter().map(|skill| (as_known(skill), None)).collect();
    let mut is_full = false;
    for import in imported {
        let folder = folder_of(&import.source);
        if !reading.has(&format!("{folder}/{SKILL_FILE}")) {
            warn_of_source(reading, path, import);
            continue;
        }
        let name = name_of(reading, path, import);
        let key = (folder.to_owned(), name.to_owned());
        let at = match known.get(&key) {
            Some(at) => *at,
            None if skills.len() >= SKILLS => {
                if !is_full {
                    let (says, hint) = (said::too_many_skills_there(SKILLS), said::look_at_skill());
                    reading.warning_at(path, "agent-skills", &import.pointer, says, hint);
                }
                is_full = true;
                continue;
            }
            None => {
                let skill = skill(reading, name, SkillPlace::in_package(folder));
                let at = skill.is_some().then_some(skills.len());
                skills.extend(skill);
                known.insert(key, at);
                at
            }
        };
        if let Some(at) = at {
            give(reading, path, import, skills, at);
        }
    }
    // One that hides another for each of its agents is there for nobody.
    skills.retain(|skill| skill.place.folder.is_none() || !skill.only_for.is_empty());
    skills.sort_by(|one, other| one.name.cmp(&other.name));
}

/// Lets an agent have the skill at this place of the list, unless it has another one of that name.
fn give(
    reading: &mut PackageReader<'_>,
    path: &str,
    import: &ImportedSkill,
    skills: &mut [OfferedSkill],
    at: usize,
) {
    let is_other = |(nth, other): &(usize, &OfferedSkill)| {
        // One that nobody has yet is there for nobody, not for all.
        let is_had = other.place.folder.is_none() || !other.only_for.is_empty();
        *nth != at && other.name == skills[at].name && is_had && other.is_for(Some(&import.agent))
    };
    if let Some((_, other)) = skills.iter().enumerate().find(is_other) {
        let says = said::skill_hidden(other.place.alias_of(&other.name));
        let hint = advice::name_import_differently();
        reading.warning_at(path, "agent-skills", &import.pointer, says, hint);
        return;
    }
    // One agent's imports follow one another.
    let only_for = &mut skills[at].only_for;
    if only_for.last() != Some(&import.agent) {
        only_for.push(import.agent.clone());
    }
}

/// What a skill is called that an agent imports. A name that is none is told, and not taken.
fn name_of<'i>(reading: &mut PackageReader<'_>, path: &str, import: &'i ImportedSkill) -> &'i str {
    match import.name.as_deref().map(|name| (name, SkillName::new(name))) {
        Some((name, Ok(_))) => return name,
        Some((_, Err(why))) => {
            let hint = advice::name_import_plainly();
            reading.warning_at(path, "agent-skills", &import.pointer, why, hint);
        }
        None => {}
    }
    last_of(folder_of(&import.source))
}

fn last_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The folder that a source means: itself, or the one of the `SKILL.md` that it names.
fn folder_of(source: &str) -> &str {
    let path = source.trim();
    let path = path.strip_prefix("@pkg/").or_else(|| path.strip_prefix("./")).unwrap_or(path);
    let path = path.trim_end_matches('/');
    let folder = path.strip_suffix(SKILL_FILE).and_then(|folder| folder.strip_suffix('/'));
    folder.unwrap_or(path)
}

/// Tells that a source is no folder with a skill.
fn warn_of_source(reading: &mut PackageReader<'_>, path: &str, import: &ImportedSkill) {
    let source = shown(&import.source);
    let (says, hint) = if reading.has(folder_of(&import.source)) {
        (findings::agent_skill_not_taken(&import.agent, source), advice::import_skill_folder())
    } else {
        (findings::agent_skill_missing(&import.agent, source), advice::name_skill_folder())
    };
    reading.warning_at(path, "agent-skills", &import.pointer, says, hint);
}

/// Warns of rows of menus that put a skill to work which the package does not have.
pub(super) fn check_menus(
    reading: &mut PackageReader<'_>,
    path: &str,
    agents: &[Agent],
    skills: &[OfferedSkill],
) {
    for (at, agent) in agents.iter().enumerate() {
        for (row, item) in agent.menu.iter().enumerate() {
            let action = item.does.action.as_deref().map(str::trim);
            let Some(name) = action.and_then(|action| action.strip_prefix(USE_SKILL)) else {
                continue;
            };
            let is_it = |skill: &OfferedSkill| {
                skill.name.as_str() == name.trim() && skill.is_for(Some(&agent.id))
            };
            if !skills.iter().any(is_it) {
                let pointer = format!("/agents/{at}/menu/{row}/action");
                let of_others = skills.iter().find(|skill| skill.name.as_str() == name.trim());
                let agents = of_others.and_then(OfferedSkill::agents);
                let says = match agents {
                    Some(agents) => said::skill_of_others(shown(name.trim()), agents),
                    None => findings::menu_skill_missing(shown(name)),
                };
                reading.warning_at(path, "menu-skill", &pointer, says, advice::name_a_skill());
            }
        }
    }
}

/// The skill of this name in this place; what is wrong with it is a finding that warns.
fn skill(reading: &mut PackageReader<'_>, name: &str, place: SkillPlace) -> Option<OfferedSkill> {
    let folder = place.folder.clone();
    let folder = folder.unwrap_or_else(|| format!("{}/{name}", place.root.folder()));
    let path = format!("{folder}/{SKILL_FILE}");
    let (mut skill, problem) = match usable(reading, name, place, &folder, &path) {
        Ok((skill, warning)) => (Some(skill), warning),
        Err(problem) => (None, Some(problem)),
    };
    if let Some(SkillProblem { said, advice }) = problem {
        reading.warning(&path, "skill", said, advice);
    }
    if let Some(skill) = &mut skill {
        let below = format!("{folder}/");
        let mut files = reading.paths().filter_map(|path| path.strip_prefix(&below));
        skill.has_scripts = files.any(is_script);
    }
    skill
}

fn usable(
    reading: &mut PackageReader<'_>,
    name: &str,
    place: SkillPlace,
    folder: &str,
    path: &str,
) -> Result<(OfferedSkill, Option<SkillProblem>), SkillProblem> {
    let problem = |said, advice| SkillProblem { said, advice };
    let name = SkillName::new(name).map_err(|why| problem(why, said::name_it_alike()))?;
    if !reading.has(path) {
        return Err(problem(said::no_skill_file(), said::write_front_matter()));
    }
    let text = reading.quiet_text(path);
    let text = text.ok_or_else(|| problem(said::skill_not_text(), said::look_at_skill()))?;
    // It calls itself as its folder is called, whatever an agent calls it.
    let own = SkillName::new(last_of(folder));
    let document = read(own.as_ref().unwrap_or(&name), &text)?;
    let offered = document.offered(name, place, false);
    Ok((offered, document.warning))
}

/// The folders below `skills`.
fn folders(reading: &PackageReader<'_>) -> BTreeSet<String> {
    let below = |path: &str| {
        let rest = path.strip_prefix(SkillRoot::Package.folder())?.strip_prefix('/')?;
        rest.split_once('/').map(|(folder, _)| folder.to_owned())
    };
    reading.paths().filter_map(below).collect()
}
