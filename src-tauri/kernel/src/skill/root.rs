//! Where skills lie.

use serde::{Deserialize, Serialize};

use crate::path::Mount;

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

    /// What the folder lies in, as people read it.
    pub(super) const fn above(self) -> &'static str {
        match self {
            Self::Package => "@pkg",
            Self::ProjectCrewagent | Self::ProjectAgents | Self::ProjectClaude => "@project",
            Self::HomeCrewagent | Self::HomeAgents | Self::HomeClaude => "~",
        }
    }

    /// The mount of what the folder lies in, where it has one.
    pub(super) const fn mount(self) -> Option<Mount> {
        match self {
            Self::Package => Some(Mount::Pkg),
            Self::ProjectCrewagent | Self::ProjectAgents | Self::ProjectClaude => {
                Some(Mount::Project)
            }
            Self::HomeCrewagent | Self::HomeAgents | Self::HomeClaude => None,
        }
    }

    /// The folder as people read it: `@project/.agents/skills`, `~/.claude/skills`.
    pub fn alias(self) -> String {
        format!("{}/{}", self.above(), self.folder())
    }

    /// The folder of a skill as people read it; all of this place when there is no name.
    pub fn place_of(self, folder: &str) -> String {
        if folder.is_empty() { self.alias() } else { format!("{}/{folder}", self.alias()) }
    }
}
