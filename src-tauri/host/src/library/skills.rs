//! The skills there are in one place of work.

use kernel::code::Failure;
use kernel::ids::{PackageId, ProjectId};
use kernel::mark::Folder;
use kernel::phrase::skills as said;
use kernel::skill::{FoundSkill, SkillName, SkillProblem, SkillRoot};
use kernel::wire::{SkillList, SkillView, UnusableSkill};
use std::collections::BTreeMap;

use super::Library;
use crate::blocking::on_disk;
use crate::known_keys;
use crate::real_path::RealPath;
use crate::redact::folders::redactor_of;
use crate::skills::SkillPlaces;

impl Library {
    /// Where skills are looked for.
    pub(crate) fn skill_places(
        &self,
        project: Option<RealPath>,
        package: Option<&PackageId>,
    ) -> SkillPlaces {
        let package = package.map(|id| RealPath::new(self.packages.folder_of(id), "@pkg"));
        let home = self.home.clone().map(|home| RealPath::new(home, Folder::Home.alias()));
        SkillPlaces { project, package, home }
    }

    /// The skills of a project, of the person and of a package, and what is wrong with others.
    pub(crate) async fn skills(
        &self,
        project: Option<&ProjectId>,
        package: Option<&PackageId>,
    ) -> Result<SkillList, Failure> {
        let project = match project {
            Some(id) => Some(self.store.project(id).await?.root()),
            None => None,
        };
        let of_package = match package {
            Some(id) => self.packages.load(id).await?.skills.to_vec(),
            None => Vec::new(),
        };
        let roots = project.iter().map(|root| (root.as_path().to_owned(), "@project".to_owned()));
        let redactor = redactor_of(self.store.root(), roots.collect());
        let places = self.skill_places(project, package);
        let enabled = self.preferences.limits(false).tools.skills_enabled;
        on_disk(move || {
            let of_package = of_package.into_iter().map(|skill| FoundSkill {
                root: SkillRoot::Package,
                folder: skill.name.to_string(),
                skill: Ok(skill),
                warning: None,
            });
            let found =
                places.find(&|text| known_keys::without_known(&redactor.redact(text)).into_owned());
            Ok(list(of_package.chain(found), enabled))
        })
        .await
    }
}

/// What was found, with the skills that another one of the same name hides told as such. One that is
/// there for some agents alone hides none from the others.
fn list(found: impl Iterator<Item = FoundSkill>, enabled: bool) -> SkillList {
    let (mut skills, mut unusable) = (Vec::<SkillView>::new(), Vec::new());
    let mut first: BTreeMap<SkillName, String> = BTreeMap::new();
    for FoundSkill { root, folder, skill, warning } in found {
        let (place, problem) = match skill {
            Err(problem) => (root.place_of(&folder), problem),
            Ok(skill) => {
                let place = skill.place.alias_of(&skill.name);
                let Some(other) = first.get(&skill.name) else {
                    if skill.only_for.is_empty() {
                        first.insert(skill.name.clone(), place.clone());
                    }
                    skills.push(SkillView { skill, place, warning });
                    continue;
                };
                let (said, advice) = (said::skill_hidden(other), said::look_at_skill());
                (place, SkillProblem { said, advice })
            }
        };
        unusable.push(UnusableSkill { place, problem });
    }
    skills.sort_by(|one, other| one.skill.name.cmp(&other.skill.name));
    SkillList { enabled, skills, unusable }
}
