use super::*;
use crate::package::PackageFile;
use crate::text::sha256_hex;
use crate::words::Lang;
use rstest::rstest;
use serde_json::json;
use std::collections::BTreeMap;

/// A package as texts, changed by each test in one place.
#[derive(Clone)]
pub(super) struct PackageDraft {
    pub(super) manifest: Value,
    pub(super) agents: Value,
    pub(super) graph: Value,
    pub(super) texts: BTreeMap<String, String>,
}

pub(super) fn step(id: &str, kind: &str) -> String {
    format!("---\nschemaVersion: \"1.1\"\nnodeId: {id}\ntype: {kind}\n---\n\n# {id}\n")
}

pub(super) fn agent(id: &str) -> Value {
    json!({"id": id, "metadata": {"name": "Ann", "title": "Analyst", "icon": "🔎"},
        "persona": {"role": "r", "identity": "i", "communication_style": "c", "principles": ["p"]}})
}

pub(super) const WORKFLOW: &str = "---\nschemaVersion: \"1.1\"\nworkflowType: demo\nstepsCompleted: []\n\
                        currentNodeId: \"\"\n---\n\n# Demo\n";

/// a → pick → (b | c) → end; complete, without findings.
pub(super) fn draft() -> PackageDraft {
    let kinds = [("a", "step"), ("pick", "decision"), ("b", "step"), ("c", "step"), ("end", "end")];
    let mut texts = BTreeMap::from([("workflow.md".to_owned(), WORKFLOW.to_owned())]);
    let mut nodes = Vec::new();
    for (id, kind) in kinds {
        texts.insert(format!("steps/{id}.md"), step(id, kind));
        nodes.push(json!({"id": id, "type": kind, "file": format!("steps/{id}.md")}));
    }
    nodes[0]["outputs"] = json!(["artifacts/a.md"]);
    nodes[2]["agentId"] = json!("ann");
    PackageDraft {
        manifest: json!({"schemaVersion": "1.1", "name": "Try It!", "version": "1.2.0",
            "entry": {"workflow": "workflow.md", "graph": "workflow.graph.json",
                "agents": "agents.json", "assetsDir": "assets/"}}),
        agents: json!({"schemaVersion": "1.1", "agents": [agent("ann")]}),
        graph: json!({"schemaVersion": "1.1", "entryNodeId": "a", "nodes": nodes, "edges": [
            {"from": "a", "to": "pick", "label": "next"},
            {"from": "pick", "to": "b", "label": "new", "isDefault": true},
            {"from": "pick", "to": "c", "label": "old", "conditionText": "it is old",
                "conditionExpr": {"==": [{"var": "variables.kind"}, "old"]}},
            {"from": "b", "to": "end", "label": "next"},
            {"from": "c", "to": "end", "label": "next"}]}),
        texts,
    }
}

/// The files of a package with their texts.
pub(super) type PackageTexts = BTreeMap<String, String>;

fn listed(files: &PackageTexts) -> PackageFiles {
    let file = |text: &String| PackageFile {
        sha256: sha256_hex(text.as_bytes()),
        size: text.len() as u64,
    };
    PackageFiles { files: files.iter().map(|(path, text)| (path.clone(), file(text))).collect() }
}

pub(super) fn check(files: &PackageTexts) -> (PackageReport, Option<Package>) {
    super::check(&listed(files), &mut |path| files.get(path).cloned())
}

pub(super) fn check_installed(files: &PackageTexts) -> (PackageReport, Option<Package>) {
    super::check_installed(&listed(files), &mut |path| files.get(path).cloned())
}

impl PackageDraft {
    pub(super) fn files(&self) -> PackageTexts {
        let mut texts = self.texts.clone();
        for (path, value) in [
            ("bmad.json", &self.manifest),
            ("agents.json", &self.agents),
            ("workflow.graph.json", &self.graph),
        ] {
            texts.entry(path.to_owned()).or_insert_with(|| value.to_string());
        }
        // A text of "-" stands for a file that is not there.
        texts.retain(|_, text| text != "-");
        texts
    }

    fn package(&self) -> Package {
        let (report, package) = check(&self.files());
        package.unwrap_or_else(|| panic!("{:#?}", report.findings))
    }
}

pub(super) fn kinds(report: &PackageReport) -> Vec<String> {
    report.findings.iter().map(|f| f.kind.clone()).collect()
}

#[test]
fn a_good_package_has_no_findings_and_says_what_it_holds() {
    let (report, package) = check(&draft().files());
    assert_eq!(report.findings, []);
    let package = package.unwrap();
    assert_eq!(report.package_id.as_ref(), Some(&package.id));
    let tail = &package.content_hash[..32];
    assert_eq!(package.id.as_str(), format!("try-it-1.2.0-{tail}"));
    assert_eq!(package.workflows[0].id.as_str(), "try-it");
    assert!(package.workflows[0].from_entry);
    assert_eq!(package.workflows[0].state_template, WORKFLOW);
    assert_eq!(report.workflows[0].node_count, 5);
    assert_eq!(report.agents[0].name, "Ann");
    assert_eq!(report.permissions[0].output_folders, ["artifacts/"]);
    assert!(report.permissions[0].fs_enabled && !report.permissions[0].mcp_enabled);
}

#[test]
fn the_id_follows_the_content_and_nothing_else() {
    let one = draft().package();
    assert_eq!(one.id, draft().package().id);
    let mut other = draft();
    other.texts.insert("assets/new.md".into(), "x".into());
    assert_ne!(one.id, other.package().id);
    // Moving bytes between a path and its neighbour must not give the same hash.
    let mut moved = draft();
    moved.texts.insert("assets/newer.md".into(), "x".into());
    assert_ne!(other.package().id, moved.package().id);
}

type DraftChange = fn(&mut PackageDraft);

#[rstest]
#[case("missing-file", "bmad.json", |d: &mut PackageDraft| { d.texts.insert("bmad.json".into(), "-".into()); })]
#[case("classic-workflow", "flows/workflow.yaml", |d: &mut PackageDraft| {
    d.texts.insert("bmad.json".into(), "-".into());
    d.texts.insert("flows/workflow.yaml".into(), "a: 1".into());
})]
#[case("classic-workflow", "workflow.xml", |d: &mut PackageDraft| d.manifest["entry"]["workflow"] = json!("workflow.xml"))]
#[case("json", "bmad.json", |d: &mut PackageDraft| { d.texts.insert("bmad.json".into(), "{".into()); })]
#[case("schema", "bmad.json", |d: &mut PackageDraft| d.manifest["colour"] = json!("red"))]
#[case("schema", "bmad.json", |d: &mut PackageDraft| d.manifest["version"] = json!("1"))]
#[case("schema", "bmad.json", |d: &mut PackageDraft| d.manifest["entry"]["graph"] = json!(1))]
#[case("missing-file", "bmad.json", |d: &mut PackageDraft| d.manifest["entry"]["agents"] = json!("team.json"))]
#[case("missing-file", "bmad.json", |d: &mut PackageDraft| d.manifest["entry"]["graph"] = json!("g.json"))]
#[case("missing-file", "bmad.json", |d: &mut PackageDraft| { d.texts.insert("workflow.md".into(), "-".into()); })]
#[case("unsafe-path", "bmad.json", |d: &mut PackageDraft| d.manifest["entry"]["graph"] = json!("../g.json"))]
#[case("unsafe-path", "bmad.json", |d: &mut PackageDraft| d.manifest["entry"]["assetsDir"] = json!("/srv/assets"))]
#[case("not-markdown", "workflow.txt", |d: &mut PackageDraft| {
    d.texts.insert("workflow.txt".into(), WORKFLOW.into());
    d.manifest["entry"]["workflow"] = json!("workflow.txt");
})]
#[case("schema", "agents.json", |d: &mut PackageDraft| d.agents["agents"] = json!([]))]
#[case("schema", "agents.json", |d: &mut PackageDraft| d.agents["agents"][0]["tools"] = json!({"terminal": {}}))]
#[case("duplicate-agent", "agents.json", |d: &mut PackageDraft| d.agents["agents"] = json!([agent("ann"), agent("ann")]))]
#[case("duplicate-workflow", "bmad.json", |d: &mut PackageDraft| {
    let one = json!({"id": "1", "workflow": "workflow.md", "graph": "workflow.graph.json"});
    d.manifest["workflows"] = json!([one, one]);
})]
#[case("schema", "workflow.graph.json", |d: &mut PackageDraft| d.graph["nodes"][0]["type"] = json!("stop"))]
#[case("duplicate-node", "workflow.graph.json", |d: &mut PackageDraft| {
    let first = d.graph["nodes"][0].clone();
    d.graph["nodes"].as_array_mut().unwrap().push(first);
})]
#[case("unknown-entry", "workflow.graph.json", |d: &mut PackageDraft| d.graph["entryNodeId"] = json!("z"))]
#[case("dangling-edge", "workflow.graph.json", |d: &mut PackageDraft| {
    d.graph["edges"].as_array_mut().unwrap().push(json!({"from": "b", "to": "z", "label": "l"}));
})]
#[case("unknown-agent", "workflow.graph.json", |d: &mut PackageDraft| d.graph["nodes"][0]["agentId"] = json!("bob"))]
#[case("condition", "workflow.graph.json", |d: &mut PackageDraft| d.graph["edges"][2]["conditionExpr"] = json!({"no-such-op": [1]}))]
#[case("condition", "workflow.graph.json", |d: &mut PackageDraft| {
    let all = json!([1, 2, 3, 4, 5, 6, 7, 8]);
    let burn = (0..8).fold(json!(1), |inner, _| json!({"map": [all, inner]}));
    d.graph["edges"][2]["conditionExpr"] = json!({"==": [burn, 1]});
})]
#[case("condition", "workflow.graph.json", |d: &mut PackageDraft| {
    let grow = json!({"cat": [{"var": "accumulator"}, {"var": "accumulator"}]});
    d.graph["edges"][2]["conditionExpr"] = json!({"reduce": [vec![1; 60], grow, "x"]});
})]
#[case("condition", "workflow.graph.json", |d: &mut PackageDraft| {
    d.graph["edges"][2]["conditionExpr"] = json!({"or": vec![json!({"var": "a"}); 200]});
})]
#[case("condition", "workflow.graph.json", |d: &mut PackageDraft| {
    d.graph["edges"][2]["conditionExpr"] = (0..20).fold(json!(true), |e, _| json!({"!": e}));
})]
#[case("condition", "workflow.graph.json", |d: &mut PackageDraft| {
    d.graph["edges"][2]["conditionExpr"] = json!({"var": {"var": "name"}});
})]
#[case("condition", "workflow.graph.json", |d: &mut PackageDraft| {
    d.graph["edges"][2]["conditionExpr"] = json!({"==": [1, 1], "!": 1});
})]
#[case("too-many", "workflow.graph.json", |d: &mut PackageDraft| d.graph["edges"] = json!(vec![json!({}); 100_000]))]
#[case("too-large", "workflow.graph.json", |d: &mut PackageDraft| d.graph["edges"] = json!(vec![json!({}); 330_000]))]
#[case("too-large", "agents.json", |d: &mut PackageDraft| d.agents["agents"] = json!(vec![json!({"a": 0}); 130_000]))]
#[case("too-many", "bmad.json", |d: &mut PackageDraft| {
    // Every agent may run the node, so each of them gets a row with all of its folders.
    d.graph["nodes"][0]["outputs"] = (0..2_000).map(|n| format!("{n}/a.md")).collect();
    d.agents["agents"] = (0..150).map(|n| agent(&format!("ann{n}"))).collect();
    d.graph["nodes"][2]["agentId"] = json!("ann0");
})]
#[case("too-many", "workflow.graph.json", |d: &mut PackageDraft| d.graph["nodes"] = json!(vec![json!({}); 10_001]))]
#[case("too-many", "bmad.json", |d: &mut PackageDraft| d.manifest["workflows"] = json!(vec![json!({}); 201]))]
#[case("too-many", "agents.json", |d: &mut PackageDraft| d.agents["agents"] = json!(vec![agent("ann"); 201]))]
#[case("unsafe-path", "workflow.graph.json", |d: &mut PackageDraft| d.graph["nodes"][0]["file"] = json!("../../a.md"))]
#[case("schema", "steps/a.md", |d: &mut PackageDraft| { d.texts.insert("steps/a.md".into(), step("a", "task")); })]
#[case("missing-file", "workflow.graph.json", |d: &mut PackageDraft| { d.texts.insert("steps/a.md".into(), "-".into()); })]
#[case("not-markdown", "steps/a.txt", |d: &mut PackageDraft| {
    d.texts.insert("steps/a.txt".into(), step("a", "step"));
    d.graph["nodes"][0]["file"] = json!("steps/a.txt");
})]
#[case("frontmatter", "steps/a.md", |d: &mut PackageDraft| { d.texts.insert("steps/a.md".into(), "# A".into()); })]
#[case("frontmatter", "steps/a.md", |d: &mut PackageDraft| {
    d.texts.insert("steps/a.md".into(), "---\nnodeId: a\nnodeId: a\n---\n".into());
})]
#[case("frontmatter", "workflow.md", |d: &mut PackageDraft| {
    d.texts.insert("workflow.md".into(), format!("\n{WORKFLOW}"));
})]
#[case("schema", "workflow.md", |d: &mut PackageDraft| {
    d.texts.insert("workflow.md".into(), WORKFLOW.replace("\"1.1\"", "1.1"));
})]
#[case("node-id-mismatch", "steps/a.md", |d: &mut PackageDraft| { d.texts.insert("steps/a.md".into(), step("b", "step")); })]
#[case("too-large", "steps/a.md", |d: &mut PackageDraft| {
    let text = format!("{}{}", step("a", "step"), "x".repeat(1024 * 1024));
    d.texts.insert("steps/a.md".into(), text);
})]
fn an_error_blocks_and_names_the_file(
    #[case] kind: &str,
    #[case] file: &str,
    #[case] change: DraftChange,
) {
    let mut d = draft();
    change(&mut d);
    let (report, package) = check(&d.files());
    assert!(package.is_none() && !report.is_installable(), "{report:#?}");
    let first = &report.findings[0];
    assert_eq!((first.kind.as_str(), first.file.as_str()), (kind, file), "{:#?}", report.findings);
    assert_eq!(first.severity, Severity::Error);
    assert!(first.hint.is_some() && !first.message.is_empty());
    both_languages(&report);
}

/// Every finding and its hint are said in English and in Chinese, every place filled.
pub(super) fn both_languages(report: &PackageReport) {
    let chinese = |text: &str| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
    for finding in &report.findings {
        let (en, zh) = (finding.message_in(Lang::En), finding.message_in(Lang::Zh));
        assert!(en == finding.message && !chinese(&en) && chinese(&zh), "{finding:#?} {zh}");
        let (en, zh) = (finding.hint_in(Lang::En), finding.hint_in(Lang::Zh).unwrap());
        assert!(en == finding.hint && chinese(&zh) && zh.ends_with('。'), "{finding:#?} {zh}");
    }
}

fn edge(from: &str, to: &str) -> Value {
    json!({"from": from, "to": to, "label": "more"})
}

fn push_edge(d: &mut PackageDraft, edge: Value) {
    d.graph["edges"].as_array_mut().unwrap().push(edge);
}

fn push_node(d: &mut PackageDraft, id: &str, kind: &str) {
    d.texts.insert(format!("steps/{id}.md"), step(id, kind));
    let node = json!({"id": id, "type": kind, "file": format!("steps/{id}.md")});
    d.graph["nodes"].as_array_mut().unwrap().push(node);
}

/// Lets the first step say which variable it sets.
fn sets(d: &mut PackageDraft, name: &str) {
    let text = step("a", "step").replace("\ntype", &format!("\nsetsVariables: [{name}]\ntype"));
    d.texts.insert("steps/a.md".into(), text);
}

#[rstest]
#[case(&["unreachable-node", "several-entries"], |d: &mut PackageDraft| { push_node(d, "lost", "end"); })]
#[case(&[], |d: &mut PackageDraft| { push_node(d, "last", "step"); push_edge(d, edge("b", "last")); })] // a run ends there
#[case(&["outputs-mismatch"], |d: &mut PackageDraft| {
    let text = step("a", "step").replace("\ntype", "\noutputs: [artifacts/never.md]\ntype");
    d.texts.insert("steps/a.md".into(), text);
})]
#[case(&["demo-trace"], |d: &mut PackageDraft| {
    d.texts.insert("assets/demo/a.trace.json".into(), r#"{"schemaVersion": "1", "turnz": []}"#.into());
})]
#[case(&["cycle-missing-decision"], |d: &mut PackageDraft| push_edge(d, edge("b", "b")))]
#[case(&["no-end", "cycle-missing-exit", "decision-without-choice"], |d: &mut PackageDraft| {
    push_node(d, "x", "decision");
    push_node(d, "y", "step");
    for (from, to) in [("b", "x"), ("x", "y"), ("y", "x")] { push_edge(d, edge(from, to)); }
})]
#[case(&[], |d: &mut PackageDraft| push_edge(d, edge("b", "pick")))] // a loop with a decision and an exit is fine
#[case(&["decision-without-default"], |d: &mut PackageDraft| d.graph["edges"][1]["isDefault"] = json!(false))]
#[case(&["decision-without-choice"], |d: &mut PackageDraft| {
    // The other way into `c` leads past the decision.
    d.graph["edges"][2] = edge("b", "c");
    d.graph["edges"][1]["isDefault"] = json!(false);
})]
#[case(&["agent-without-files"], |d: &mut PackageDraft| {
    let mut idle = agent("idle");
    idle["tools"] = json!({"fs": {"enabled": false}});
    d.agents["agents"].as_array_mut().unwrap().push(idle);
    d.graph["nodes"][2]["agentId"] = json!("idle");
})]
#[case(&["agent-without-files"; 5], |d: &mut PackageDraft| {
    d.agents["agents"][0]["tools"] = json!({"fs": {"enabled": false}});
})]
#[case(&["updated-at"], |d: &mut PackageDraft| {
    let text = WORKFLOW.replace("workflowType", "updatedAt: \"\"\nworkflowType");
    d.texts.insert("workflow.md".into(), text);
})]
#[case(&["input-path"; 4], |d: &mut PackageDraft| {
    d.graph["nodes"][0]["inputs"] = json!(["/etc/x", "C:\\work\\brief.md", "~/notes.md", "../up.md"]);
})]
#[case(&["unchecked-output"; 7], |d: &mut PackageDraft| {
    d.graph["nodes"][0]["outputs"] = json!(["A short summary", "story: the text", "artifacts/*.md",
        "artifacts/{{name}}.md", "artifacts/", "@state/workflow.md", "../a.md"]);
})]
#[case(&["several-defaults"], |d: &mut PackageDraft| d.graph["edges"][2]["isDefault"] = json!(true))]
#[case(&["duplicate-output"], |d: &mut PackageDraft| d.graph["nodes"][2]["outputs"] = json!(["@project/artifacts/a.md"]))]
#[case(&["large-step"], |d: &mut PackageDraft| {
    d.texts.insert("steps/a.md".into(), format!("{}{}", step("a", "step"), "word ".repeat(2000)));
})]
#[case(&["subworkflow"], |d: &mut PackageDraft| {
    d.graph["nodes"][2]["type"] = json!("subworkflow");
    d.texts.insert("steps/b.md".into(), step("b", "subworkflow"));
})]
#[case(&["integrity"], |d: &mut PackageDraft| d.manifest["integrity"] = json!({"sha256": "0".repeat(64)}))]
#[case(&[], |d: &mut PackageDraft| sets(d, "kind"))]
#[case(&["condition-variable"], |d: &mut PackageDraft| sets(d, "colour"))]
#[case(&["type-mismatch"], |d: &mut PackageDraft| { d.texts.insert("steps/a.md".into(), step("a", "decision")); })]
#[case(&["unknown-agent"], |d: &mut PackageDraft| {
    d.texts.insert("steps/a.md".into(), step("a", "step").replace("\ntype", "\nagentId: bob\ntype"));
})]
fn a_warning_is_given_once_and_does_not_block(
    #[case] expected: &[&str],
    #[case] change: DraftChange,
) {
    let mut d = draft();
    change(&mut d);
    let (report, package) = check(&d.files());
    assert!(package.is_some(), "{report:#?}");
    assert_eq!(kinds(&report), expected, "{:#?}", report.findings);
    assert!(report.findings.iter().all(|f| f.severity == Severity::Warning && f.hint.is_some()));
    both_languages(&report);
}

#[test]
fn every_error_is_reported_not_the_first() {
    let mut d = draft();
    d.manifest["colour"] = json!("red");
    d.agents["agents"][0]["id"] = json!("a b");
    d.graph["nodes"][0]["file"] = json!("gone.md");
    d.texts.insert("steps/b.md".into(), "no front matter".into());
    d.texts.insert("steps/c.md".into(), step("d", "step"));
    let (report, _) = check(&d.files());
    let files: Vec<(&str, &str)> =
        report.findings.iter().map(|f| (f.kind.as_str(), f.file.as_str())).collect();
    let expected = [
        ("schema", "bmad.json"),
        ("schema", "agents.json"),
        ("missing-file", "workflow.graph.json"),
        ("frontmatter", "steps/b.md"),
        ("node-id-mismatch", "steps/c.md"),
    ];
    assert_eq!(files, expected, "{:#?}", report.findings);
}

#[test]
fn windows_line_ends_and_byte_order_marks_are_tolerated() {
    let mut d = draft();
    for path in ["workflow.md", "steps/a.md"] {
        let text = format!("\u{feff}{}", d.texts[path].replace('\n', "\r\n"));
        d.texts.insert(path.into(), text);
    }
    let manifest = format!("\u{feff}{}", d.manifest);
    d.texts.insert("bmad.json".into(), manifest);
    assert_eq!(check(&d.files()).0.findings, []);
}

#[test]
fn a_package_as_the_builder_exports_it_is_taken() {
    let mut d = draft();
    let entry = json!({"workflow": "workflows/1/workflow.md",
        "graph": "workflows/1/workflow.graph.json", "agents": "agents.json", "assetsDir": "assets/"});
    d.manifest = json!({"schemaVersion": "1.1", "name": "我的 项目", "version": "0.1.0",
        "createdAt": "2026-01-05T10:00:00.000Z", "entry": entry, "workflows": [
            {"id": "1", "displayName": "First", "tags": [],
                "workflow": "workflows/1/workflow.md", "graph": "workflows/1/workflow.graph.json"},
            {"id": "2", "displayName": "Second", "tags": [],
                "workflow": "workflows/2/workflow.md", "graph": "workflows/2/workflow.graph.json"}]});
    d.texts.clear();
    for id in ["1", "2"] {
        let root = format!("workflows/{id}");
        let graph = json!({"schemaVersion": "1.1", "entryNodeId": "step-1", "metadata": {}, "nodes": [
            {"id": "end-3", "type": "end", "file": format!("{root}/steps/end-3.md"), "title": "End"},
            {"id": "step-1", "type": "step", "file": format!("{root}/steps/step-1.md"),
                "agentId": "ann", "inputs": ["the user's idea: text"], "outputs": []},
            {"id": "step-2", "type": "decision", "file": format!("{root}/steps/step-2.md")}],
            "edges": [{"from": "step-1", "to": "step-2", "label": "next"},
                {"from": "step-2", "to": "end-3", "label": "branch-1", "isDefault": true},
                {"from": "step-2", "to": "step-1", "label": "branch-2"}]});
        d.texts.insert(format!("{root}/workflow.graph.json"), graph.to_string());
        d.texts.insert(format!("{root}/workflow.md"), WORKFLOW.to_owned());
        for (node, kind) in [("step-1", "step"), ("step-2", "decision"), ("end-3", "end")] {
            d.texts.insert(format!("{root}/steps/{node}.md"), step(node, kind));
        }
    }
    d.texts.insert("workflow.graph.json".into(), "-".into());
    let (report, package) = check(&d.files());
    assert_eq!(report.findings, []);
    let package = package.unwrap();
    assert!(package.id.as_str().starts_with("package-0.1.0-"));
    let ids: Vec<&str> = package.workflows.iter().map(|w| w.id.as_str()).collect();
    assert_eq!(ids, ["1", "2"]);
    assert_eq!(package.workflows[1].graph.nodes[0].file, "workflows/2/steps/end-3.md");
}

#[test]
fn the_entry_workflows_folder_names_a_single_workflow() {
    let mut d = draft();
    let text = d.texts.remove("workflow.md").unwrap();
    d.texts.insert("workflows/greet/workflow.md".into(), text);
    d.manifest["entry"]["workflow"] = json!("workflows/greet/workflow.md");
    assert_eq!(d.package().workflows[0].id.as_str(), "greet");
}

#[rstest]
#[case("Create Story: Micro", "create-story-micro")]
#[case("--a__b--", "a-b")]
#[case("写故事", "package")]
fn a_name_becomes_a_slug(#[case] name: &str, #[case] expected: &str) {
    assert_eq!(slug(name), expected);
}

#[test]
fn a_graph_of_many_thousand_nodes_is_checked_at_once() {
    let mut d = draft();
    let count = 6000;
    let nodes: Vec<Value> = (0..count)
        .map(|n| json!({"id": format!("n{n}"), "type": "step", "file": "steps/a.md"}))
        .collect();
    let edges: Vec<Value> =
        (0..count).map(|n| edge(&format!("n{n}"), &format!("n{}", (n + 1) % count))).collect();
    d.graph = json!({"schemaVersion": "1.1", "entryNodeId": "n0", "nodes": nodes, "edges": edges});
    let (report, package) = check(&d.files());
    assert!(package.is_none());
    assert_eq!(report.findings.len(), 501, "cut at the limit, with a row that says so");
    assert_eq!(report.findings[500].kind, "more");
}

#[test]
fn an_installed_package_goes_on_opening_with_a_condition_that_is_none_any_more() {
    let mut d = draft();
    d.graph["edges"][2]["conditionExpr"] = json!({"some": [[1], true]});
    assert!(check(&d.files()).1.is_none());
    let (report, package) = check_installed(&d.files());
    assert!(package.is_some(), "{report:#?}");
    assert_eq!(kinds(&report), ["condition"]);
    both_languages(&report);
}

#[test]
fn a_flood_of_findings_is_neither_made_nor_kept() {
    let mut d = draft();
    // Each of these values breaks the schema in several ways.
    d.graph["edges"] = json!(vec![json!({}); 20_000]);
    let graph = d.graph.to_string();
    let entries: Vec<Value> = (0..200)
        .map(|n| {
            d.texts.insert(format!("w{n}.graph.json"), graph.clone());
            json!({"id": format!("w{n}"), "workflow": "workflow.md", "graph": format!("w{n}.graph.json")})
        })
        .collect();
    d.manifest["workflows"] = json!(entries);
    let (report, package) = check(&d.files());
    assert!(package.is_none());
    assert!(report.findings.len() <= 501, "{}", report.findings.len());
    both_languages(&report);
}

#[test]
fn an_error_is_not_lost_among_warnings() {
    let mut d = draft();
    for n in 0..600 {
        push_node(&mut d, &format!("lost{n}"), "step");
    }
    d.texts.insert("steps/lost599.md".into(), "no front matter".into());
    let (report, package) = check(&d.files());
    assert!(package.is_none());
    assert_eq!((report.findings[0].kind.as_str(), report.findings.len()), ("frontmatter", 501));
}

#[test]
fn a_file_that_is_named_again_and_again_is_not_parsed_without_end() {
    let mut d = draft();
    let long = format!("{}{}", step("a", "step"), "x".repeat(1_000_000));
    for n in 0..40 {
        push_node(&mut d, &format!("n{n}"), "step");
        d.graph["nodes"].as_array_mut().unwrap().last_mut().unwrap()["file"] = json!("steps/a.md");
    }
    d.texts.insert("steps/a.md".into(), long);
    let (report, package) = check(&d.files());
    assert!(package.is_none());
    assert!(kinds(&report).contains(&"too-large".to_owned()), "{:#?}", kinds(&report));
    both_languages(&report);
}

#[test]
fn an_upgrade_tells_changed_files_and_wider_permissions() {
    let mut old = draft();
    old.agents["agents"][0]["tools"] = json!({"fs": {"maxWriteBytes": 2_097_152}, "mcp": {"enabled": true, "allowedServers": ["web"]}});
    let mut new = old.clone();
    new.agents["agents"][0]["tools"] = json!({"fs": {"maxWriteBytes": 9_000_000},
        "mcp": {"enabled": true, "allowedServers": ["web", "mail"]}});
    new.agents["agents"].as_array_mut().unwrap().push(agent("eve"));
    new.agents["agents"][0]["metadata"]["name"] = json!("Ann Lee");
    new.agents["agents"][1]["metadata"]["name"] = json!("Eve");
    new.manifest["version"] = json!("1.3.0");
    new.manifest["runtime"] = json!({"requiresNetwork": true});
    new.graph["nodes"][2]["outputs"] = json!(["src/b.rs"]);
    new.texts.insert("assets/x.md".into(), "x".into());
    old.texts.insert("assets/y.md".into(), "y".into());
    let diff = upgrade_diff(&old.package(), &new.package());
    assert_eq!(diff.from, old.package().id);
    assert_eq!(diff.from_version, Some(old.package().manifest.version));
    assert_eq!(
        (diff.added, diff.removed),
        (vec!["assets/x.md".into()], vec!["assets/y.md".into()])
    );
    assert_eq!(diff.changed, ["agents.json", "bmad.json", "workflow.graph.json"]);
    assert_eq!(
        diff.widened,
        [
            "Ann Lee may now write 8.5 MiB at once (was 2.0 MiB)",
            "Ann Lee now says it writes to src/",
            "Ann Lee may now use tools of the server mail",
            "New agent Eve may use file tools",
            "New agent Eve says it writes to artifacts/",
            "The package now says it needs the network",
        ]
    );
    new.agents["agents"][1]["metadata"]["name"] = json!("Ann Lee");
    let alike = upgrade_diff(&old.package(), &new.package());
    assert_eq!(alike.widened[3], "New agent Ann Lee (eve) may use file tools");
    let none = upgrade_diff(&new.package(), &new.package());
    assert!(none.widened.is_empty() && none.changed.is_empty());
}

const TURNED: &str = "Ann\u{202e}x";

#[rstest]
#[case::package("bmad.json", "/name", |d: &mut PackageDraft| d.manifest["name"] = json!(TURNED))]
#[case::agent("agents.json", "/agents/0/metadata/name", |d: &mut PackageDraft| {
    d.agents["agents"][0]["metadata"]["name"] = json!("A\u{200b}nn");
})]
#[case::role("agents.json", "/agents/0/metadata/title", |d: &mut PackageDraft| {
    d.agents["agents"][0]["metadata"]["title"] = json!(TURNED);
})]
fn a_name_that_hides_something_is_refused_at_import_and_a_warning_once_installed(
    #[case] file: &str,
    #[case] pointer: &str,
    #[case] change: DraftChange,
) {
    let mut draft = draft();
    change(&mut draft);
    let (report, package) = check(&draft.files());
    let found = |report: &PackageReport| {
        report.findings.iter().find(|f| f.kind == "hidden-character").cloned().unwrap()
    };
    let refused = found(&report);
    assert_eq!((refused.file.as_str(), refused.instance_path.as_deref()), (file, Some(pointer)));
    assert!(package.is_none() && refused.message.contains("⟨U+"), "{}", refused.message);
    let (report, package) = check_installed(&draft.files());
    assert_eq!(found(&report).severity, Severity::Warning);
    assert!(package.is_some(), "{:#?}", report.findings);
}

#[test]
fn a_file_whose_name_hides_something_is_refused_at_import_and_read_once_installed() {
    let mut draft = draft();
    let name = "flow\u{200b}.md";
    draft.manifest["entry"]["workflow"] = json!(name);
    draft.texts.insert(name.into(), WORKFLOW.into());
    assert_eq!(kinds(&check(&draft.files()).0), ["unsafe-path"]);
    assert!(check_installed(&draft.files()).1.is_some());
}
