//! What the Builder writes and this program once took otherwise (reference `builder-interop`).

use super::tests::{PackageDraft, WORKFLOW, agent, check, check_installed, draft, kinds, step};
use super::*;
use crate::graph::Node;
use rstest::rstest;
use serde_json::json;

#[test]
fn an_empty_agent_id_means_none() {
    let mut d = draft();
    d.graph["nodes"][2]["agentId"] = json!("");
    let text = step("a", "step").replace("\ntype", "\nagentId: \"\"\ntype");
    d.texts.insert("steps/a.md".into(), text);
    let (report, package) = check(&d.files());
    assert_eq!(report.findings, []);
    assert_eq!(package.unwrap().workflows[0].graph.nodes[2].agent_id, None);
}

#[test]
fn an_agent_id_that_is_none_of_the_format_is_still_refused() {
    let mut d = draft();
    d.graph["nodes"][2]["agentId"] = json!(" ");
    let (report, _) = check(&d.files());
    assert_eq!(kinds(&report), ["schema"]);
    assert!(report.findings[0].hint.as_deref().unwrap().starts_with("Start with a letter"));
}

#[test]
fn inputs_may_be_descriptions() {
    let mut d = draft();
    d.graph["nodes"][0]["inputs"] = json!([
        "https://example.com/brief",
        "the idea, in words",
        "What the user said: all of it",
        "two\nlines",
        "docs/brief.md",
        "@state/workflow.md"
    ]);
    assert_eq!(check(&d.files()).0.findings, []);
}

#[test]
fn an_output_that_is_no_file_promises_no_folder_and_is_nobodys_twin() {
    let mut d = draft();
    for node in [0, 2] {
        d.graph["nodes"][node]["outputs"] = json!(["Notes and/or ideas", "out/", "x/*.md"]);
    }
    let (report, package) = check(&d.files());
    assert_eq!(kinds(&report), ["unchecked-output"; 6]);
    assert_eq!(report.permissions[0].output_folders, [""; 0]);
    assert_eq!(report.findings[0].instance_path.as_deref(), Some("/nodes/0/outputs/0"));
    assert_eq!(
        report.findings[1].message_in(crate::words::Lang::Zh),
        "节点 `a` 的产出 `out/` 无法检查：它是文件夹，不是文件"
    );
    let nodes = &package.unwrap().workflows[0].graph.nodes;
    assert!(nodes.iter().map(Node::checkable_outputs).all(|files| files.is_empty()));
}

#[test]
fn a_node_id_may_hold_colons_and_256_characters() {
    let long = format!("phase:1:{}", "x".repeat(248));
    let mut d = draft();
    d.graph["nodes"][0]["id"] = json!(long);
    d.graph["entryNodeId"] = json!(long);
    d.graph["edges"][0]["from"] = json!(long);
    d.texts.insert("steps/a.md".into(), step(&long, "step"));
    let (report, package) = check(&d.files());
    assert_eq!(report.findings, []);
    assert_eq!(package.unwrap().workflows[0].graph.entry_node_id.as_str(), long);
    d.graph["nodes"][0]["id"] = json!(format!("{long}x"));
    let (report, _) = check(&d.files());
    assert_eq!(report.findings[0].hint.as_deref(), Some("Write at most 256 characters."));
}

#[rstest]
#[case("2000.0", Some(2000))]
#[case("2e4", Some(20000))]
#[case("2000", Some(2000))]
#[case("1.5", None)]
#[case("1e300", None)]
fn a_limit_is_an_integer_as_json_schema_means_it(#[case] written: &str, #[case] read: Option<u64>) {
    let mut d = draft();
    d.agents["agents"][0]["tools"] = json!({"fs": {"maxReadBytes": "HERE"}});
    let text = d.agents.to_string().replace("\"HERE\"", written);
    d.texts.insert("agents.json".into(), text);
    let (report, package) = check(&d.files());
    assert_eq!(package.is_some(), read.is_some(), "{:#?}", report.findings);
    assert_eq!(report.permissions.first().and_then(|row| row.max_read_bytes), read);
}

#[test]
fn custom_keys_and_variables_may_hold_any_number_and_any_text() {
    let mut d = draft();
    let keys = "big: 123456789012345678901234567890\nvariables:\n  huge: -99999999999999999999\n\
                note: one\u{2028}two\u{85}three\nquoted: \"a\u{7f}b\\x7fc\u{92}d\u{fffe}e\u{ffff}\"\n";
    let text = WORKFLOW.replace("workflowType", &format!("{keys}workflowType"));
    d.texts.insert("workflow.md".into(), text.clone());
    let (report, package) = check(&d.files());
    assert_eq!(report.findings, []);
    assert_eq!(package.unwrap().workflows[0].state_template, text, "kept as it is");
    let front = crate::frontmatter::parse(&text).unwrap();
    assert_eq!(front["note"], "one\u{2028}two\u{85}three");
    assert_eq!(front["quoted"], "a\u{7f}b\u{7f}c\u{92}d\u{fffe}e\u{ffff}");
    assert!(front["big"].is_number() && front["variables"]["huge"].is_number());
}

type Empty = fn(&mut PackageDraft);

#[rstest]
#[case::name("/agents/0/metadata/name", |d: &mut PackageDraft| d.agents["agents"][0]["metadata"]["name"] = json!(""))]
#[case::title("/agents/0/metadata/title", |d: &mut PackageDraft| d.agents["agents"][0]["metadata"]["title"] = json!(""))]
#[case::icon("/agents/0/metadata/icon", |d: &mut PackageDraft| d.agents["agents"][0]["metadata"]["icon"] = json!(""))]
#[case::role("/agents/0/persona/role", |d: &mut PackageDraft| d.agents["agents"][0]["persona"]["role"] = json!(""))]
#[case::identity("/agents/0/persona/identity", |d: &mut PackageDraft| d.agents["agents"][0]["persona"]["identity"] = json!(""))]
#[case::style("/agents/0/persona/communication_style", |d: &mut PackageDraft| {
    d.agents["agents"][0]["persona"]["communication_style"] = json!("");
})]
#[case::prompt("/agents/0/prompts/0/id", |d: &mut PackageDraft| d.agents["agents"][0]["prompts"] = json!([{"id": "", "content": "c"}]))]
#[case::content("/agents/0/prompts/0/content", |d: &mut PackageDraft| {
    d.agents["agents"][0]["prompts"] = json!([{"id": "p", "content": "", "description": ""}]);
})]
#[case::menu("/agents/0/menu/0/description", |d: &mut PackageDraft| d.agents["agents"][0]["menu"] = json!([{"description": ""}]))]
#[case::action("/agents/0/critical_actions/1", |d: &mut PackageDraft| {
    d.agents["agents"][0]["critical_actions"] = json!(["one", ""]);
})]
fn an_empty_text_where_the_format_wants_one_is_an_error_with_a_hint(
    #[case] place: &str,
    #[case] change: Empty,
) {
    let mut d = draft();
    change(&mut d);
    let (report, package) = check(&d.files());
    assert!(package.is_none());
    assert_eq!(report.findings.len(), 1, "{:#?}", report.findings);
    let found = &report.findings[0];
    assert_eq!((found.file.as_str(), found.instance_path.as_deref()), ("agents.json", Some(place)));
    assert_eq!(found.hint.as_deref(), Some("Write a text that is not empty."));
    // What an earlier version installed can still be run.
    let (report, package) = check_installed(&d.files());
    assert!(package.is_some());
    assert_eq!(report.findings[0].severity, Severity::Warning);
}

#[test]
fn a_step_type_that_the_format_does_not_know_is_an_error_that_lists_the_known_ones() {
    let mut d = draft();
    d.texts.insert("steps/a.md".into(), step("a", "task"));
    let (report, _) = check(&d.files());
    assert_eq!(kinds(&report), ["schema"], "{:#?}", report.findings);
    assert_eq!(report.findings[0].instance_path.as_deref(), Some("/type"));
    let hint = report.findings[0].hint.as_deref().unwrap();
    assert!(hint.contains(r#""step", "decision", "merge", "end", "subworkflow""#), "{hint}");
    assert!(check_installed(&d.files()).1.is_some());
}

#[test]
fn a_yaml_error_names_its_place_and_never_asks_for_dashes_that_are_there() {
    let mut d = draft();
    let text = "---\nschemaVersion: \"1.1\"\nnodeId: [a\ntype: step\n---\n";
    d.texts.insert("steps/a.md".into(), text.into());
    let (report, _) = check(&d.files());
    assert_eq!(kinds(&report), ["frontmatter"]);
    let hint = report.findings[0].hint.as_deref().unwrap();
    assert!(!hint.contains("---"), "{hint}");
    assert!(report.findings[0].message.contains("line "), "{}", report.findings[0].message);
}

#[test]
fn a_team_without_an_idle_agent_is_no_finding() {
    let mut d = draft();
    let mut idle = agent("idle");
    idle["tools"] = json!({"fs": {"enabled": false}});
    d.agents["agents"].as_array_mut().unwrap().push(idle);
    assert_eq!(check(&d.files()).0.findings, [], "nobody has to choose it");
}

#[test]
fn a_title_of_a_step_may_hold_what_cannot_be_seen_and_is_warned_of() {
    let mut d = draft();
    d.graph["nodes"][0]["title"] = json!("Ask\u{92} me\u{2028}now");
    let (report, package) = check(&d.files());
    assert_eq!(kinds(&report), ["hidden-character"]);
    let found = &report.findings[0];
    assert_eq!(
        (found.severity, found.instance_path.as_deref()),
        (Severity::Warning, Some("/nodes/0/title"))
    );
    assert!(package.is_some() && found.message.contains("⟨U+0092⟩"), "{}", found.message);
}

#[test]
fn an_empty_condition_asks_for_nothing_and_an_empty_call_calls_nothing() {
    let mut d = draft();
    d.graph["edges"][0]["conditionExpr"] = json!({});
    d.graph["nodes"][0]["subworkflowRef"] = json!("");
    let (report, package) = check(&d.files());
    assert_eq!(report.findings, []);
    let graph = package.unwrap().workflows[0].graph.clone();
    assert_eq!((&graph.edges[0].condition_expr, &graph.nodes[0].subworkflow_ref), (&None, &None));
}

#[test]
fn halves_of_a_character_are_joined_and_a_lone_one_is_unreadable() {
    let read = |yaml: &str| crate::frontmatter::parse(&format!("---\n{yaml}\n---\n"));
    let pair = read(r#"title: "Ask \ud83d\ude00 \u00e9 \\ud83d""#).unwrap();
    assert_eq!(pair["title"], "Ask 😀 é \\ud83d");
    let lone = read(r#"title: "cut \ud83d, \ude00 and \ud83d\u0041""#).unwrap();
    assert_eq!(lone["title"], "cut \u{fffd}, \u{fffd} and \u{fffd}A");
    // What can be read stays what it is.
    assert_eq!(read(r"title: '\ud83d\ude00'").unwrap()["title"], r"\ud83d\ude00");
    assert!(read(r#"title: "\ud83d\ude00" x"#).is_err());
    assert!(read(r#"title: "\ud8"#).is_err());
}
