//! Where skills lie.

use serde::{Deserialize, Serialize};

use super::SkillName;
use crate::path::{AliasPath, Mount};

/// A folder of skills. Of two skills with one name the one in the folder that comes first here is
/// the one that counts: a package knows its own, and the project is nearer to the work than the
/// person's home folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum SkillRoot {
    /// `skills` of the package.
    Package,
    /// `.crewagent/skills` of the project.
    ProjectCrewagent,
    /// `.agents/skills` of the project.
    ProjectAgents,
    /// `.claude/skills` of the project.
    ProjectClaude,
    /// `.crewagent/skills` in the person's home folder.
    HomeCrewagent,
    /// `.agents/skills` in the person's home folder.
    HomeAgents,
    /// `.claude/skills` in the person's home folder.
    HomeClaude,
}

impl SkillRoot {
    /// Those of a project, in the order in which they count.
    pub const OF_PROJECT: [Self; 3] =
        [Self::ProjectCrewagent, Self::ProjectAgents, Self::ProjectClaude];
    /// Those of the person, in the order in which they count.
    pub const OF_HOME: [Self; 3] = [Self::HomeCrewagent, Self::HomeAgents, Self::HomeClaude];

    /// The folder below the package, the project or the home folder.
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Package => "skills",
            Self::ProjectCrewagent | Self::HomeCrewagent => ".crewagent/skills",
            Self::ProjectAgents | Self::HomeAgents => ".agents/skills",
            Self::ProjectClaude | Self::HomeClaude => ".claude/skills",
        }
    }

    /// The folder as people read it: `@project/.agents/skills`, `~/.claude/skills`.
    pub fn alias(self) -> String {
        let above = match self {
            Self::Package => "@pkg",
            Self::ProjectCrewagent | Self::ProjectAgents | Self::ProjectClaude => "@project",
            Self::HomeCrewagent | Self::HomeAgents | Self::HomeClaude => "~",
        };
        format!("{above}/{}", self.folder())
    }

    /// The folder of a skill as people read it; all of this place when there is no name.
    pub fn place_of(self, folder: &str) -> String {
        if folder.is_empty() { self.alias() } else { format!("{}/{folder}", self.alias()) }
    }

    /// A file of a skill as people read it.
    pub fn alias_of(self, skill: &str, file: &str) -> String {
        format!("{}/{file}", self.place_of(skill))
    }

    /// The same as a path of the project or the package, where it is one.
    pub fn path_of(self, skill: &SkillName, file: &str) -> Option<AliasPath> {
        let mount = match self {
            Self::Package => Mount::Pkg,
            Self::ProjectCrewagent | Self::ProjectAgents | Self::ProjectClaude => Mount::Project,
            Self::HomeCrewagent | Self::HomeAgents | Self::HomeClaude => return None,
        };
        AliasPath::new(mount, &format!("{}/{skill}/{file}", self.folder())).ok()
    }
}
