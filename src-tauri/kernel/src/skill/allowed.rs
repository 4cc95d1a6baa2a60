//! The tools that a skill names: while it is at work, there are no others for files, of servers, and to
//! let others work.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

use crate::bounds::SKILL_TOOLS;

/// Bytes of a name.
const NAME_BYTES: usize = 128;

/// Whether a text can be the name of a tool. Others name none.
fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '*');
    !text.is_empty() && text.len() <= NAME_BYTES && text.chars().all(fits)
}

/// What `allowed-tools` of a skill says: names of tools, of this program, of servers and of other
/// clients. Which tools they are, the tools themselves know.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AllowedTools(BTreeSet<String>);

impl AllowedTools {
    /// Reads `Bash(git add:*) Read, fs_search`: names at spaces and commas. What a name is limited to
    /// stands behind it in parentheses and is left out.
    pub fn of(texts: &[String]) -> Self {
        let entries = texts.iter().flat_map(|text| entries(text)).take(SKILL_TOOLS);
        let bare = entries.map(|entry| entry.split('(').next().unwrap_or_default());
        let bare = bare.map(|name| name.trim_matches(['[', ']', '"', '\'']));
        Self(bare.filter(|name| is_name(name)).map(str::to_owned).collect())
    }

    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// The names in a text, at spaces and commas outside of parentheses.
fn entries(text: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let parts = text.split(move |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (c.is_whitespace() || c == ',')
    });
    parts.filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("Read, Grep Glob", &["Glob", "Grep", "Read"])]
    #[case("Bash(git add:*, git commit:*) WebFetch", &["Bash", "WebFetch"])]
    #[case("Bash(a b Read", &["Bash"])]
    #[case(")) Read ()", &["Read"])]
    #[case("  ", &[])]
    fn names_stand_at_spaces_and_commas(#[case] text: &str, #[case] names: &[&str]) {
        let allowed = AllowedTools::of(&[text.to_owned()]);
        assert_eq!(allowed.names().collect::<Vec<_>>(), names);
    }

    #[test]
    fn so_many_names_are_taken_and_no_more() {
        let many: Vec<String> = (0..SKILL_TOOLS + 10).map(|n| format!("t{n}")).collect();
        assert_eq!(AllowedTools::of(&many).names().count(), SKILL_TOOLS);
        let unfit = ["x".repeat(10_000), "/Users/mia/bin/x".into(), "a\u{1b}[2J".into()];
        assert_eq!(AllowedTools::of(&unfit).names().count(), 0);
        let listed = AllowedTools::of(&["[Read, \"Grep\"]".to_owned()]);
        assert_eq!(listed.names().collect::<Vec<_>>(), ["Grep", "Read"]);
    }
}
