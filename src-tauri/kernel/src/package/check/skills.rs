//! The skills of a package: folders below `skills` with a `SKILL.md`.

use std::collections::BTreeSet;

use super::files::PackageReader;
use crate::bounds::SKILLS;
use crate::phrase::skills as said;
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
