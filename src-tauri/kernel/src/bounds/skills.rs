//! How much is taken of skills.

use super::{ArchiveLimits, PACKAGE_LIMITS};

/// Bytes of the name of a skill.
pub const SKILL_NAME_BYTES: usize = 64;
/// Characters of what a skill is for; the rest is cut.
pub const SKILL_DESCRIPTION_CHARS: usize = 1024;
/// Bytes of a `SKILL.md`: some 16,000 tokens, which every request has while the skill is at work.
pub const SKILL_BYTES: usize = 64 * 1024;
/// Folders of skills that are looked at in one place, and skills that are offered in all.
pub const SKILLS: usize = 500;
/// Skills at work at once.
pub const SKILLS_AT_WORK: usize = 5;
/// Files of a skill that are named.
pub const SKILL_FILES: usize = 200;
/// Entries of a skill's folder that are looked at, and folders within folders.
pub const SKILL_ENTRIES: usize = 2_000;
/// See [`SKILL_ENTRIES`].
pub const SKILL_LEVELS: usize = 8;
/// Names of tools that a skill gives.
pub const SKILL_TOOLS: usize = 100;
/// Of a folder or an archive that a package is made of. All of it is in memory at once.
pub const SKILLS_SOURCE_LIMITS: ArchiveLimits =
    ArchiveLimits { total_bytes: 64 * 1024 * 1024, entry_bytes: 8 * 1024 * 1024, ..PACKAGE_LIMITS };
/// Bytes of a file in which a project says how it wants skills to be, and how many such files are
/// read.
pub const SKILL_SETTINGS_BYTES: u64 = 256 * 1024;
/// See [`SKILL_SETTINGS_BYTES`].
pub const SKILL_SETTINGS_FILES: usize = 1_000;
