//! Where one skill lies.

use serde::{Deserialize, Serialize};

use super::{SkillName, SkillRoot};
use crate::path::AliasPath;

/// The folder of a skill: one of its name in a folder of skills, or any folder of the package that an
/// agent names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SkillPlace {
    /// The folder of skills, or what the folder lies in.
    pub root: SkillRoot,
    /// The skill's own folder, relative to the package and `/`-separated, where an agent names it.
    /// It is the skill's name below the folder of skills when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub folder: Option<String>,
}

impl From<SkillRoot> for SkillPlace {
    /// Below the folder of skills, with the skill's own name.
    fn from(root: SkillRoot) -> Self {
        Self { root, folder: None }
    }
}

impl SkillPlace {
    /// A folder of the package that an agent names.
    pub fn in_package(folder: &str) -> Self {
        Self { root: SkillRoot::Package, folder: Some(folder.to_owned()) }
    }

    /// The skill's folder, relative to the package, the project or the home folder.
    pub fn folder_of(&self, skill: &SkillName) -> String {
        let below = || format!("{}/{skill}", self.root.folder());
        self.folder.clone().unwrap_or_else(below)
    }

    /// The skill's folder as people read it: `@project/.agents/skills/pdf`.
    pub fn alias_of(&self, skill: &SkillName) -> String {
        format!("{}/{}", self.root.above(), self.folder_of(skill))
    }

    /// What the skill's folder lies in, as people read it: `@project/.agents/skills`.
    pub fn alias_above(&self) -> String {
        match self.folder.as_deref().map(|folder| folder.rsplit_once('/')) {
            None => self.root.alias(),
            Some(None) => self.root.above().to_owned(),
            Some(Some((above, _))) => format!("{}/{above}", self.root.above()),
        }
    }

    /// A file of the skill as a path of the project or the package, where it is one.
    pub fn path_of(&self, skill: &SkillName, file: &str) -> Option<AliasPath> {
        let mount = self.root.mount()?;
        AliasPath::new(mount, &format!("{}/{file}", self.folder_of(skill))).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skill::{LoadedSkill, OfferedSkill};

    #[test]
    fn a_skill_lies_below_the_folder_of_skills_or_where_an_agent_says() {
        let pdf = SkillName::new("pdf").unwrap();
        let told = |place: SkillPlace| (place.alias_of(&pdf), place.alias_above());
        let pair = |one: &str, other: &str| (one.to_owned(), other.to_owned());
        assert_eq!(
            told(SkillRoot::HomeClaude.into()),
            pair("~/.claude/skills/pdf", "~/.claude/skills")
        );
        assert_eq!(
            told(SkillPlace::in_package("assets/pdf-files")),
            pair("@pkg/assets/pdf-files", "@pkg/assets")
        );
        assert_eq!(told(SkillPlace::in_package("pdf")), pair("@pkg/pdf", "@pkg"));
        let path = |place: SkillPlace| place.path_of(&pdf, "a/b.md").map(|it| it.to_string());
        assert_eq!(
            path(SkillPlace::in_package("assets/p")).as_deref(),
            Some("@pkg/assets/p/a/b.md")
        );
        assert_eq!(
            path(SkillRoot::ProjectAgents.into()).as_deref(),
            Some("@project/.agents/skills/pdf/a/b.md")
        );
        assert_eq!(path(SkillRoot::HomeAgents.into()), None);
    }

    #[test]
    fn skills_of_an_older_program_are_read_and_written_as_they_were() {
        let offered = r#"{"name":"pdf","root":"package","description":"Reads."}"#;
        let read: OfferedSkill = serde_json::from_str(offered).unwrap();
        assert_eq!((&read.place, read.is_for(None)), (&SkillRoot::Package.into(), true));
        assert_eq!(serde_json::to_string(&read).unwrap(), offered);
        let loaded = r#"{"name":"pdf","root":"home-claude","text":"Do.","sha256":"0"}"#;
        let read: LoadedSkill = serde_json::from_str(loaded).unwrap();
        assert_eq!(read.place, SkillRoot::HomeClaude.into());
        assert_eq!(serde_json::to_string(&read).unwrap(), loaded);
    }
}
