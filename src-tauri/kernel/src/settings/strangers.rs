//! Names in a settings file that are no settings. They set nothing, which is told; and where somebody
//! may have meant a guard of their files by one, that guard is strict.

use serde_json::{Value, json};

use super::guard::{self, Guard};
use super::{FREE_MAP, Settings};
use crate::code::{ErrorCode, Failure};
use crate::phrase::settings;
use crate::text::ellipsis;

/// What the program itself notes beside the settings.
const NOTES: [&str; 1] = ["model.headersFor"];

/// What is repeated of a name, bytes.
const SHOWN: usize = 80;

/// A name that is no setting.
pub(super) struct Stranger {
    /// The groups above it, and itself.
    path: Vec<String>,
    /// What there is in its place.
    known: String,
    /// It is a setting's dotted name in one piece.
    dotted: bool,
    /// The guards that it may mean.
    pub(super) means: Vec<&'static Guard>,
}

/// All of a document, those first that may mean a guard.
pub(super) fn of(document: &Value, shape: &Value) -> Vec<Stranger> {
    let mut found = Vec::new();
    walk(&[], document, shape, &mut found);
    found.sort_by_key(|stranger| stranger.means.is_empty());
    found
}

/// As deep as the settings go.
fn walk(above: &[String], document: &Value, shape: &Value, found: &mut Vec<Stranger>) {
    let all = shape;
    let (Value::Object(document), Value::Object(shape)) = (document, shape) else { return };
    if above.join(".") == FREE_MAP {
        return;
    }
    for (name, value) in document {
        let path = [above, std::slice::from_ref(name)].concat();
        if let Some(shape) = shape.get(name) {
            walk(&path, value, shape, found);
        } else if !NOTES.contains(&path.join(".").as_str()) {
            let group: String = above.iter().flat_map(|group| [group, "."]).collect();
            let known: Vec<String> = shape.keys().map(|name| format!("{group}{name}")).collect();
            let means = guard::meant(&path, value);
            let dotted = name.split('.').try_fold(all, |at, part| at.get(part)).is_some();
            found.push(Stranger { path, known: known.join(", "), dotted, means });
        }
    }
}

/// Whether there is no setting at a path, and nothing that the program notes there.
pub fn is_stranger(path: &[String]) -> bool {
    let shape = serde_json::to_value(Settings::default()).unwrap_or_default();
    let mut at = &shape;
    for (depth, name) in path.iter().enumerate() {
        if path[..depth].join(".") == FREE_MAP {
            return false;
        }
        match at.get(name) {
            Some(below) => at = below,
            None => return !NOTES.contains(&path.join(".").as_str()),
        }
    }
    false
}

impl Stranger {
    /// As a file holds it.
    fn written(&self) -> String {
        let path = self.path.join(".");
        let parts: Vec<&str> = path.split('.').collect();
        let (name, groups) = parts.split_last().unwrap_or((&"", &[]));
        let open: String = groups.iter().flat_map(|group| ["\"", group, "\": { "]).collect();
        format!("{open}\"{name}\": …{}", " }".repeat(groups.len()))
    }

    /// As it is told.
    pub(super) fn problem(&self) -> Failure {
        let field = ellipsis(&self.path.join("."), SHOWN);
        let guards: Vec<String> = self.means.iter().map(|guard| guard.name()).collect();
        let action = if guards.is_empty() {
            settings::sets_nothing()
        } else {
            settings::strictest_of(guards.join(", "))
        };
        let message = if self.dotted {
            settings::setting_in_one_name(&field, self.written())
        } else {
            settings::no_setting_but(&field, &self.known)
        };
        Failure::new(ErrorCode::SettingInvalid, message)
            .with_details(json!({ "field": field }))
            .with_action(action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::SETTINGS_STRANGERS;
    use crate::policy::ApproveWrites;
    use crate::settings::{Unbound, merged, read};
    use rstest::rstest;
    use serde_json::Map;

    /// Everything as loose as a person can set it, and one thing more.
    fn beside(other: &Value) -> Value {
        let mut document = json!({
            "approval": {"writes": "auto"}, "confirmation": {"unbound": "allow"},
            "tools": {"allowSecretFiles": true},
        });
        for (name, value) in other.as_object().unwrap() {
            match value {
                Value::Object(below) if document.get(name).is_some() => {
                    document[name].as_object_mut().unwrap().extend(below.clone());
                }
                _ => document[name] = value.clone(),
            }
        }
        document
    }

    #[rstest]
    #[case::a_letter(json!({"approval": {"write": "ask"}}), "approval.write", "approval.writes")]
    #[case::one_key(json!({"approval.writes": "ask"}), "approval.writes", "approval.writes")]
    #[case::case(json!({"approval": {"Writes": "ask"}}), "approval.Writes", "approval.writes")]
    #[case::group(json!({"Approval": {"writes": "ask"}}), "Approval", "approval.writes")]
    #[case::plural(json!({"approvals": {"all": "ask"}}), "approvals", "approval.writes")]
    #[case::bare(json!({"writes": "ask"}), "writes", "approval.writes")]
    #[case::wide(json!({"ａpproval": {"x": 1}}), "ａpproval", "approval.writes")]
    #[case::unseen(json!({"appro\u{200c}val": {"x": 1}}), "appro\u{200c}val", "approval.writes")]
    #[case::elsewhere(json!({"engine": {"approveWrites": "ask"}}), "engine.approveWrites", "approval.writes")]
    #[case::deep(json!({"security": {"x": [{"approval": 1}]}}), "security", "approval.writes")]
    #[case::unbound(json!({"confirmation": {"un_bound": "refuse"}}), "confirmation.un_bound", "confirmation.unbound")]
    #[case::confirm(json!({"confirm": "refuse"}), "confirm", "confirmation.unbound")]
    #[case::secrets(json!({"tools": {"allowSecrets": false}}), "tools.allowSecrets", "tools.allowSecretFiles")]
    #[case::files(json!({"tools": {"fs_enabled": false}}), "tools.fs_enabled", "tools.allowSecretFiles, tools.fsEnabled")]
    #[case::tools(json!({"Tools": {"fsEnabled": false}}), "Tools", "tools.allowSecretFiles, tools.fsEnabled")]
    #[case::dotted(json!({"tools.fs.enabled": false}), "tools.fs.enabled", "tools.allowSecretFiles, tools.fsEnabled")]
    fn a_guard_that_may_have_been_meant_is_strict(
        #[case] other: Value,
        #[case] field: &str,
        #[case] guards: &str,
    ) {
        let read = read(&beside(&other), &Settings::default());
        let now = &read.settings;
        let strict = |name: &str| guards.split(", ").any(|guard| guard == name);
        assert_eq!(now.approval.writes == ApproveWrites::Ask, strict("approval.writes"));
        assert_eq!(now.confirmation.unbound == Unbound::Refuse, strict("confirmation.unbound"));
        assert_eq!(!now.tools.allow_secret_files, strict("tools.allowSecretFiles"));
        assert_eq!(!now.tools.fs_enabled, strict("tools.fsEnabled"));
        let [problem] = &read.problems[..] else { panic!("{:?}", read.problems) };
        assert_eq!(problem.details.as_ref().unwrap()["field"], field);
        let action = problem.action.as_ref().unwrap();
        assert!(action.contains("strictest") && action.contains(guards), "{action}");
    }

    #[test]
    fn a_dotted_name_in_one_piece_is_told_how_it_is_written() {
        for (other, message) in [
            (
                json!({"approval.writes": "ask"}),
                r#"`approval.writes` is one name there; a setting stands in its group: "approval": { "writes": … }"#,
            ),
            (
                json!({"approval.write": "ask"}),
                "unknown setting “approval.write”; known there: appearance, model, tools, engine, confirmation, acceptance, approval, costs",
            ),
        ] {
            assert_eq!(read(&other, &Settings::default()).problems[0].message, message);
        }
    }

    #[test]
    fn another_stranger_is_told_and_changes_nothing() {
        let other = json!({"fromTheFuture": {"x": 1}, "engine": {"maxTurn": 5, "maxTurns": 7}});
        let read = read(&beside(&other), &Settings::default());
        let mut loose = merged(&Settings::default(), &beside(&json!({}))).unwrap();
        loose.engine.max_turns = 7;
        assert_eq!(read.settings, loose);
        let told: Vec<&Value> =
            read.problems.iter().map(|p| &p.details.as_ref().unwrap()["field"]).collect();
        assert_eq!(told, ["fromTheFuture", "engine.maxTurn"]);
        assert!(read.problems.iter().all(|p| p.action.as_ref().unwrap().contains("sets nothing")));
    }

    #[test]
    fn what_the_person_and_the_program_may_name_is_no_stranger() {
        let model =
            json!({"headers": {"X-Approval": "a", "writes": "b"}, "headersFor": "https://h"});
        assert_eq!(read(&json!({ "model": model }), &Settings::default()).problems, []);
    }

    #[test]
    fn of_many_strangers_those_are_told_that_mean_a_guard() {
        let mut many: Map<String, Value> = (0..500).map(|n| (format!("x{n}"), json!(n))).collect();
        many.insert("approvals".into(), json!("ask"));
        let read = read(&Value::Object(many), &Settings::default());
        assert_eq!(read.problems.len(), SETTINGS_STRANGERS);
        assert_eq!(read.problems[0].details.as_ref().unwrap()["field"], "approvals");
        assert_eq!(read.settings.approval.writes, ApproveWrites::Ask);
    }
}
