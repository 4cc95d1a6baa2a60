//! The skills of a package: folders below `skills` with a `SKILL.md`.

use std::collections::BTreeSet;

use super::files::{PackageReader, shown};
use crate::bounds::SKILLS;
use crate::package::{Agent, USE_SKILL};
use crate::phrase::skills as said;
use crate::phrase::{advice, findings};
use crate::skill::{OfferedSkill, SKILL_FILE, SkillName, SkillProblem, SkillRoot, is_script, read};

/// Reads them, by their names. What cannot be used is a finding that warns.
pub(super) fn check(reading: &mut PackageReader<'_>) -> Vec<OfferedSkill> {
    let (folders, scripted) = folders(reading);
    let mut skills = Vec::new();
    for folder in &folders {
        let path = format!("{}/{folder}/{SKILL_FILE}", SkillRoot::Package.folder());
        if skills.len() == SKILLS {
            let says = said::too_many_skills_there(SKILLS);
            reading.warning(&path, "skill", says, said::look_at_skill());
            break;
        }
        match skill(reading, folder, &path, scripted.contains(folder)) {
            Ok((skill, warning)) => {
                if let Some(SkillProblem { said, advice }) = warning {
                    reading.warning(&path, "skill", said, advice);
                }
                skills.push(skill);
            }
            Err(SkillProblem { said, advice }) => reading.warning(&path, "skill", said, advice),
        }
    }
    skills
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
            if !skills.iter().any(|skill| skill.name.as_str() == name.trim()) {
                let pointer = format!("/agents/{at}/menu/{row}/action");
                let says = findings::menu_skill_missing(shown(name));
                reading.warning_at(path, "menu-skill", &pointer, says, advice::name_a_skill());
            }
        }
    }
}

fn skill(
    reading: &mut PackageReader<'_>,
    folder: &str,
    path: &str,
    has_scripts: bool,
) -> Result<(OfferedSkill, Option<SkillProblem>), SkillProblem> {
    let problem = |said, advice| SkillProblem { said, advice };
    let name = SkillName::new(folder).map_err(|why| problem(why, said::name_it_alike()))?;
    if !reading.has(path) {
        return Err(problem(said::no_skill_file(), said::write_front_matter()));
    }
    let text = reading.quiet_text(path);
    let text = text.ok_or_else(|| problem(said::skill_not_text(), said::look_at_skill()))?;
    let document = read(&name, &text)?;
    let offered = document.offered(name, SkillRoot::Package, has_scripts);
    Ok((offered, document.warning))
}

/// The folders below `skills`, and those of them with scripts.
fn folders(reading: &PackageReader<'_>) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut all, mut scripted) = (BTreeSet::new(), BTreeSet::new());
    for path in reading.paths() {
        let below = path.strip_prefix(SkillRoot::Package.folder());
        let Some((folder, file)) = below.and_then(|rest| rest.strip_prefix('/')?.split_once('/'))
        else {
            continue;
        };
        all.insert(folder.to_owned());
        if is_script(file) {
            scripted.insert(folder.to_owned());
        }
    }
    (all, scripted)
}
