//! The settings that guard the person's files, and what holds while one of them cannot be read:
//! never more than the person may have set.

use serde_json::{Value, json};

use super::{Settings, Unbound};
use crate::policy::ApproveWrites;

/// Their names, and the groups they stand in.
const GUARDS: [&[&str]; 4] = [
    &["approval", "writes"],
    &["confirmation", "unbound"],
    &["tools", "allowSecretFiles"],
    &["tools", "fsEnabled"],
];

/// What holds at `path` while that cannot be read: the values of `before`, and the strictest of
/// each guard. File tools are switched off only where their own switch is unreadable: a comma too
/// many elsewhere in the file must not stop the work of a run, whose writes wait for the person
/// then.
pub(super) fn held(before: &Settings, path: &[String]) -> Settings {
    let mut held = before.clone();
    held.approval.writes = ApproveWrites::Ask;
    held.confirmation.unbound = Unbound::Refuse;
    held.tools.allow_secret_files = false;
    held.tools.fs_enabled &= path != GUARDS[3];
    held
}

/// A patch that sets every guard that is no switch of the tools as a whole to its strictest value:
/// for a file that takes the place of one nobody could read.
pub fn strictest() -> Value {
    json!({
        "approval": { "writes": ApproveWrites::Ask },
        "confirmation": { "unbound": Unbound::Refuse },
        "tools": { "allowSecretFiles": false },
    })
}

/// Whether `path` is a guard, a group that holds one, or the whole file.
pub(super) fn guards(path: &[String]) -> bool {
    GUARDS.iter().any(|guard| guard.iter().zip(path).all(|(one, other)| one == other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{merged, read};
    use rstest::rstest;

    /// Everything as loose as a person can set it.
    fn loose() -> Settings {
        let loose = json!({
            "approval": {"writes": "auto"}, "confirmation": {"unbound": "allow"},
            "tools": {"allowSecretFiles": true, "maxReadBytes": 7}, "engine": {"maxTurns": 9},
        });
        merged(&Settings::default(), &loose).unwrap()
    }

    #[rstest]
    #[case::another_case(json!({"approval": {"writes": "Ask"}}), "approval.writes")]
    #[case::another_kind(json!({"approval": {"writes": true}}), "approval.writes")]
    #[case::no_group(json!({"approval": "ask"}), "approval")]
    #[case::unbound(json!({"confirmation": {"unbound": "REFUSE"}}), "confirmation.unbound")]
    #[case::secrets(json!({"tools": {"allowSecretFiles": "no"}}), "tools.allowSecretFiles")]
    #[case::file_tools(json!({"tools": {"fsEnabled": "off"}}), "tools.fsEnabled")]
    #[case::all_tools(json!({"tools": []}), "tools")]
    #[case::the_whole_file(json!([]), "")]
    fn a_guard_that_cannot_be_read_has_its_strictest_value_whatever_was_before(
        #[case] file: Value,
        #[case] field: &str,
    ) {
        for before in [Settings::default(), loose()] {
            let read = read(&file, &before);
            let now = &read.settings;
            let strict = |name: &str| field.is_empty() || name.starts_with(field);
            assert!(!strict("approval.writes") || now.approval.writes == ApproveWrites::Ask);
            assert!(!strict("confirmation.unbound") || now.confirmation.unbound == Unbound::Refuse);
            assert!(!strict("tools.allowSecretFiles") || !now.tools.allow_secret_files);
            assert!(field != "tools.fsEnabled" || !now.tools.fs_enabled);
            let [problem] = &read.problems[..] else { panic!("{:?}", read.problems) };
            assert_eq!(problem.details.as_ref().unwrap()["field"], field);
            assert!(problem.action.as_ref().is_some_and(|a| a.contains("strictest")), "{problem}");
        }
    }

    #[test]
    fn another_field_keeps_its_old_value_beside_the_strict_ones() {
        let file = json!({"tools": "all", "engine": {"maxTurns": 0}});
        let read = read(&file, &loose());
        assert_eq!(read.settings.engine.max_turns, 9);
        assert_eq!(read.settings.tools.max_read_bytes, 7);
        assert!(read.settings.tools.fs_enabled && !read.settings.tools.allow_secret_files);
        let told: Vec<String> = read.problems.iter().filter_map(|p| p.action.clone()).collect();
        assert_eq!(told.iter().filter(|words| words.contains("strictest")).count(), 1, "{told:?}");
    }
}
