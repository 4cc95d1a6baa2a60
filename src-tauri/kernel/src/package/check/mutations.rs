//! Random changes to a good package: whatever comes of it is said, in both languages, with the
//! file it is in.

use super::tests::{PackageDraft, both_languages, check, draft};
use super::*;
use crate::ids::RunId;
use crate::state_doc::{Initial, StateDoc};
use crate::time::Time;
use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;

/// Where one change is made and which: the numbers are taken modulo what is there.
#[derive(Debug, Clone)]
enum Mutation {
    Value { file: usize, at: usize, value: usize },
    Removal { file: usize, at: usize },
    Renaming { file: usize, at: usize, name: usize },
    Text { file: usize, at: usize, cut: usize, text: usize },
}

fn change() -> impl Strategy<Value = Mutation> {
    let n = || any::<usize>();
    prop_oneof![
        3 => (n(), n(), n()).prop_map(|(file, at, value)| Mutation::Value { file, at, value }),
        1 => (n(), n()).prop_map(|(file, at)| Mutation::Removal { file, at }),
        1 => (n(), n(), n()).prop_map(|(file, at, name)| Mutation::Renaming { file, at, name }),
        3 => (n(), n(), 0_usize..12, n())
            .prop_map(|(file, at, cut, text)| Mutation::Text { file, at, cut, text }),
    ]
}

fn values() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(-1),
        json!(1.5),
        json!(1e300),
        json!(""),
        json!(" "),
        json!("a"),
        json!("end"),
        json!("../x"),
        json!("/srv/x"),
        json!("{agent}{at}"),
        json!([]),
        json!({}),
        json!([[]]),
        json!({"": {}}),
        json!("x".repeat(300)),
        json!("\u{0}\u{2028}"),
        json!([1, "a", null]),
        json!("*.md"),
        json!("Prüfung"),
        json!("---"),
        json!({"var": "x"}),
    ]
}

const TEXTS: [&str; 18] = [
    "",
    "\n",
    "---\n",
    "\"",
    "'",
    ":",
    ": ",
    "{",
    "[",
    "&a",
    "*a",
    "!x ",
    "\u{85}",
    "\u{0}",
    "\t",
    "11111111111111111111111",
    "\\u",
    "\u{feff}",
];

/// Every place of a document, as JSON pointers.
fn places(value: &Value, at: &str, out: &mut Vec<String>) {
    out.push(at.to_owned());
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, item)| places(item, &format!("{at}/{i}"), out));
        }
        Value::Object(map) => {
            map.iter().for_each(|(key, item)| places(item, &format!("{at}/{key}"), out));
        }
        _ => {}
    }
}

fn in_document(doc: &mut Value, at: usize, make: impl FnOnce(&mut Value, &str)) {
    let mut all = Vec::new();
    places(doc, "", &mut all);
    let place = &all[at % all.len()];
    let Some((above, last)) = place.rsplit_once('/') else { return make(doc, "") };
    let (above, last) = (above.to_owned(), last.to_owned());
    if let Some(parent) = doc.pointer_mut(&above) {
        make(parent, &last);
    }
}

fn apply(d: &mut PackageDraft, texts: &mut BTreeMap<String, String>, change: &Mutation) {
    let docs = |d: &mut PackageDraft, file: usize, at: usize, make: &dyn Fn(&mut Value, &str)| {
        let doc = match file % 3 {
            0 => &mut d.manifest,
            1 => &mut d.agents,
            _ => &mut d.graph,
        };
        in_document(doc, at, make);
    };
    match change {
        Mutation::Value { file, at, value } => {
            let all = values();
            let value = &all[value % all.len()];
            docs(d, *file, *at, &|parent, key| match parent {
                Value::Object(map) => drop(map.insert(key.to_owned(), value.clone())),
                Value::Array(items) => items.push(value.clone()),
                _ => {}
            });
        }
        Mutation::Removal { file, at } => docs(d, *file, *at, &|parent, key| match parent {
            Value::Object(map) => drop(map.shift_remove(key)),
            Value::Array(items) => drop(items.pop()),
            _ => {}
        }),
        Mutation::Renaming { file, at, name } => docs(d, *file, *at, &|parent, key| {
            if let Value::Object(map) = parent
                && let Some(value) = map.shift_remove(key)
            {
                map.insert(TEXTS[name % TEXTS.len()].to_owned(), value);
            }
        }),
        Mutation::Text { file, at, cut, text } => {
            let path = texts.keys().nth(file % texts.len()).unwrap().clone();
            let chars: Vec<char> = texts[&path].chars().collect();
            let start = at % (chars.len() + 1);
            let end = (start + cut).min(chars.len());
            let new: String = chars[..start].iter().collect::<String>()
                + TEXTS[text % TEXTS.len()]
                + &chars[end..].iter().collect::<String>();
            texts.insert(path, new);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_changed_package_is_taken_or_refused_with_a_file_and_words(
        changes in prop::collection::vec(change(), 1..4)
    ) {
        let mut d = draft();
        d.texts.insert("assets/a.md".into(), "# A".into());
        let mut texts = d.texts.clone();
        let text_changes = changes.iter().filter(|c| matches!(c, Mutation::Text { .. }));
        for change in changes.iter().filter(|c| !matches!(c, Mutation::Text { .. })) {
            apply(&mut d, &mut texts, change);
        }
        for (path, doc) in
            [("bmad.json", &d.manifest), ("agents.json", &d.agents), ("workflow.graph.json", &d.graph)]
        {
            texts.insert(path.into(), doc.to_string());
        }
        for change in text_changes {
            apply(&mut d, &mut texts, change);
        }
        let (report, package) = check(&texts);
        both_languages(&report);
        for finding in &report.findings {
            prop_assert!(!finding.file.is_empty(), "{:?}", finding);
            prop_assert!(finding.message.len() < 3000, "{:?}", finding);
        }
        prop_assert_eq!(package.is_some(), report.is_installable());
        let Some(package) = package else {
            prop_assert!(report.findings.iter().any(|f| f.severity == Severity::Error));
            return Ok(());
        };
        // What was taken can be started.
        for workflow in &package.workflows {
            let initial = Initial {
                run_id: &RunId::new("r-1").unwrap(), workflow_id: &workflow.id,
                agent_id: &package.agents[0].id,
 variables: None, artifacts: &[], now: Time::from_millis(1_763_769_600_000),
            };
            let doc = StateDoc::initial(&workflow.state_template, &initial);
            prop_assert!(doc.is_ok(), "{:?}", doc);
            for node in &workflow.graph.nodes {
                workflow.graph.allowed_next(&node.id, &json!({}));
                node.checkable_outputs();
            }
        }
    }
}
