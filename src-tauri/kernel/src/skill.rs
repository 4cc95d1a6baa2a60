//! Agent Skills (<https://agentskills.io>): folders with a `SKILL.md` that says what to do for one
//! kind of work. A model is told their names and descriptions; the text of one comes in when it is
//! activated, and its other files are read one by one. Nothing of a skill is ever run.

mod allowed;
mod document;
mod in_policy;
mod name;
mod place;
mod root;
mod use_of;

pub use allowed::AllowedTools;
pub use document::{SKILL_FILE, SkillDocument, is_script, read};
pub use in_policy::Skills;
pub use name::SkillName;
pub use place::SkillPlace;
pub use root::SkillRoot;
pub use use_of::{FoundSkill, LoadedSkill, OfferedSkill, SkillEnd, SkillProblem};
