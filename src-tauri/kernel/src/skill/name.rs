//! What skills are called.

use serde::{Deserialize, Serialize};
use std::fmt;

use crate::bounds::SKILL_NAME_BYTES;
use crate::phrase::{Phrase, skills as said};

/// The name of a skill, which is also the name of its folder: small letters, digits and single
/// hyphens between them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "ts", ts(type = "string"))]
pub struct SkillName(String);

impl SkillName {
    /// A name as the format has it.
    ///
    /// # Errors
    /// What names are like, for people.
    pub fn new(name: &str) -> Result<Self, Phrase> {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let hyphens = name.starts_with('-') || name.ends_with('-') || name.contains("--");
        let unfit = hyphens || !name.chars().all(fits);
        if name.is_empty() || name.len() > SKILL_NAME_BYTES || unfit {
            return Err(said::skill_name(SKILL_NAME_BYTES));
        }
        Ok(Self(name.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for SkillName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Self::new(&name).map_err(|why| why.english())
    }
}

impl From<SkillName> for String {
    fn from(name: SkillName) -> Self {
        name.0
    }
}

impl fmt::Display for SkillName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_small_letters_digits_and_single_hyphens_between_them() {
        let longest = "a".repeat(64);
        for name in ["a", "pdf", "code-review-2", "0", longest.as_str()] {
            assert_eq!(SkillName::new(name).unwrap().as_str(), name);
        }
        let too_long = "a".repeat(65);
        let wrong = ["", "-a", "a-", "a--b", "A", "a b", "a_b", "é", "../a", "a/b", &too_long];
        for name in wrong {
            assert!(SkillName::new(name).is_err(), "{name}");
        }
    }
}
