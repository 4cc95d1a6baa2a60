//! The settings that guard the person's files, and what holds while one of them cannot be read:
//! never more than the person may have set.

use serde_json::{Value, json};
use strsim::osa_distance;

use super::{Settings, Unbound};
use crate::policy::ApproveWrites;
use crate::text::folded;

/// A setting that guards the person's files.
#[derive(Debug)]
pub(super) struct Guard {
    group: &'static str,
    field: &'static str,
    /// Parts of names by which somebody may mean it.
    parts: &'static [&'static str],
    /// Whether any name in its group may mean it, and any that is nearly its group's.
    by_group: bool,
}

const GUARDS: &[Guard] = &[
    Guard { group: "approval", field: "writes", parts: &["approv", "writes"], by_group: true },
    Guard {
        group: "confirmation",
        field: "unbound",
        parts: &["confirm", "unbound"],
        by_group: true,
    },
    Guard { group: "tools", field: "allowSecretFiles", parts: &["secret"], by_group: true },
    // The name of another tool's setting must not stop all work.
    Guard {
        group: "tools",
        field: "fsEnabled",
        parts: &["fsenabl", "toolsenabl"],
        by_group: false,
    },
];

/// As many letters of a name are looked at.
const LETTERS: usize = 64;

impl Guard {
    /// Its dotted name.
    pub(super) fn name(&self) -> String {
        format!("{}.{}", self.group, self.field)
    }

    /// Where it stands.
    pub(super) fn path(&self) -> Vec<String> {
        vec![self.group.to_owned(), self.field.to_owned()]
    }

    fn may_be_meant_by(&self, name: &SettingName) -> bool {
        let joined = format!("{}{}", name.above, name.own);
        self.parts.iter().any(|part| joined.contains(part))
            || is_nearly(&name.own, &letters(self.field))
            || (self.by_group && is_nearly(&name.own, self.group))
    }

    /// Whether it is named with its group.
    fn is_named_by(&self, name: &SettingName) -> bool {
        is_nearly(&format!("{}{}", name.above, name.own), &letters(&self.name()))
    }
}

/// What holds while nothing can be read: the values of `before`, and the strictest of each guard.
pub(super) fn held(before: &Settings) -> Settings {
    let mut held = before.clone();
    held.approval.writes = ApproveWrites::Ask;
    held.confirmation.unbound = Unbound::Refuse;
    held.tools.allow_secret_files = false;
    held.tools.fs_enabled = false;
    held
}

/// A patch that sets every guard to its strictest value: for a file that takes the place of one
/// nobody could read.
pub fn strictest() -> Value {
    json!({
        "approval": { "writes": ApproveWrites::Ask },
        "confirmation": { "unbound": Unbound::Refuse },
        "tools": { "allowSecretFiles": false, "fsEnabled": false },
    })
}

/// Whether `path` is a guard, a group that holds one, or the whole file.
pub(super) fn guards(path: &[String]) -> bool {
    GUARDS.iter().any(|guard| guard.path().iter().zip(path).all(|(one, other)| one == other))
}

/// The letters of a name, and of the one above it.
struct SettingName {
    above: String,
    own: String,
}

/// The guards that somebody may have meant who wrote `value` at `path`, where no setting is.
pub(super) fn meant(path: &[String], value: &Value) -> Vec<&'static Guard> {
    let names = names_in(path, value);
    let meant = |guard: &&Guard| names.iter().any(|name| guard.may_be_meant_by(name));
    GUARDS.iter().filter(meant).collect()
}

/// The names of a path, and those below it.
fn names_in(path: &[String], value: &Value) -> Vec<SettingName> {
    let mut names = Vec::new();
    let mut above = String::new();
    for name in path {
        above = written(above, name, &mut names);
    }
    let mut rest = vec![(above, value)];
    while let Some((above, value)) = rest.pop() {
        match value {
            Value::Object(map) => {
                for (name, value) in map {
                    rest.push((written(above.clone(), name, &mut names), value));
                }
            }
            Value::Array(items) => rest.extend(items.iter().map(|item| (above.clone(), item))),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    names
}

/// Notes the names that a dotted one is made of; the last of them.
fn written(mut above: String, name: &str, names: &mut Vec<SettingName>) -> String {
    for own in name.split('.').map(letters) {
        names.push(SettingName { above, own: own.clone() });
        above = own;
    }
    above
}

/// Whether a member of another file of the program may be meant for a guard of the person's files.
/// Names below it are many a tool's, so there only the whole name of a guard counts.
pub fn may_mean_a_guard(name: &str, value: &Value) -> bool {
    let path = [name.to_owned()];
    let below = names_in(&path, value);
    !meant(&path, &Value::Null).is_empty()
        || GUARDS.iter().any(|guard| below.iter().any(|name| guard.is_named_by(name)))
}

/// Whether a name is another but for its case, its signs or a slip of the keyboard.
pub fn is_misspelt(name: &str, known: &str) -> bool {
    name != known && is_nearly(&letters(name), &letters(known))
}

fn letters(name: &str) -> String {
    folded(name).chars().filter(|c| c.is_alphanumeric()).take(LETTERS).collect()
}

/// But for one slip of the keyboard, or two in a long name.
fn is_nearly(name: &str, known: &str) -> bool {
    let slips = if known.len() < 10 { 1 } else { 2 };
    osa_distance(name, known) <= slips
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
            assert!(!strict("tools.fsEnabled") || !now.tools.fs_enabled);
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
        assert!(!read.settings.tools.fs_enabled && !read.settings.tools.allow_secret_files);
        let told: Vec<String> = read.problems.iter().filter_map(|p| p.action.clone()).collect();
        assert_eq!(told.iter().filter(|words| words.contains("strictest")).count(), 1, "{told:?}");
    }
}
