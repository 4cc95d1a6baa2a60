//! What is offered in each stage of a step.

use serde_json::json;

use super::*;
use crate::chat::ToolSpec;
use crate::graph::Graph;
use crate::ids::NodeId;
use crate::policy::SystemTools;
use crate::tool::ToolInput;
use crate::tool::parse_call;

struct Step {
    graph: Graph,
    node: &'static str,
    reports: bool,
    notes: StepNotes,
    was_read: bool,
    answered: StepAnswer,
    missing: Vec<AliasPath>,
    variables: Value,
}

/// A step of a graph with a decision in it, whose file holds `text`.
fn step(node: &'static str, text: &str, sets: &[&str]) -> Step {
    let graph: Graph = serde_json::from_value(json!({
        "schemaVersion": "1.1", "entryNodeId": "ask",
        "nodes": [
            { "id": "ask", "type": "step", "file": "steps/ask.md" },
            { "id": "choose", "type": "decision", "file": "steps/choose.md" },
            { "id": "write", "type": "step", "file": "steps/write.md", "outputs": ["artifacts/a.md"] },
            { "id": "done", "type": "end", "file": "steps/done.md" },
        ],
        "edges": [
            { "from": "ask", "to": "choose", "label": "next" },
            { "from": "choose", "to": "write", "label": "new",
              "conditionExpr": { "==": [{ "var": "variables.kind" }, "new"] } },
            { "from": "choose", "to": "done", "label": "old", "isDefault": true },
            { "from": "write", "to": "done", "label": "next" },
        ],
    }))
    .unwrap();
    Step {
        graph,
        node,
        reports: false,
        notes: StepNotes::of(text, &json!({ "setsVariables": sets })),
        was_read: true,
        answered: StepAnswer::None,
        missing: Vec::new(),
        variables: json!({}),
    }
}

impl Step {
    fn with<T>(&self, then: impl FnOnce(&StepNow<'_>) -> T) -> T {
        let id = NodeId::new(self.node).unwrap();
        let node = self.graph.node(&id).unwrap();
        let step_file = AliasPath::parse(&format!("@pkg/{}", node.file)).unwrap();
        let next = self.graph.allowed_next(&id, &self.variables);
        then(&StepNow {
            node,
            step_file: &step_file,
            reports: self.reports,
            was_read: self.was_read,
            answered: self.answered,
            missing: &self.missing,
            readable: &[],
            notes: &self.notes,
            next: &next,
        })
    }

    fn offered(&self) -> OfferedTools {
        let policy = ToolPolicy::merge(&SystemTools::default(), None);
        self.with(|step| step.offered(&policy, Tokenizer::Estimate))
    }

    fn next(&self) -> StepMove {
        self.with(|step: &StepNow<'_>| StepNow::next_move(step))
    }

    fn names(&self) -> Vec<String> {
        self.offered().specs.iter().map(|spec| spec.name.clone()).collect()
    }

    fn schema(&self, tool: &str) -> Value {
        let offered = self.offered();
        let spec: &ToolSpec = offered.specs.iter().find(|spec| spec.name == tool).unwrap();
        spec.parameters.clone()
    }
}

#[test]
fn a_step_begins_with_its_own_file_and_nothing_else() {
    let step = Step { was_read: false, ..step("ask", "Ask with ui_ask_user.", &["kind"]) };
    assert_eq!(step.names(), ["fs_read"]);
    assert!(step.offered().must_call);
    assert_eq!(step.schema("fs_read")["properties"]["path"]["enum"], json!(["@pkg/steps/ask.md"]));
}

#[test]
fn a_step_that_waits_for_the_person_records_nothing_before_they_spoke() {
    let mut waits = step("ask", "The answer comes as USER_INPUT.", &["kind"]);
    assert_eq!(waits.next(), StepMove::Ask(None));
    assert!(waits.names().is_empty() && !waits.offered().must_call);
    waits.answered = StepAnswer::Words;
    assert_eq!(waits.next(), StepMove::Record(None));
    assert_eq!((waits.names(), waits.offered().must_call), (vec!["fs_apply_patch".into()], true));
    let mut asks = step("ask", "Ask with `ui_ask_user`.", &["kind"]);
    assert_eq!(asks.next(), StepMove::Ask(Some("ui_ask_user".into())));
    assert_eq!(asks.names(), ["ui_ask_user"]);
    asks.answered = StepAnswer::Words;
    assert_eq!(asks.next(), StepMove::Record(Some("ui_ask_user".into())));
    asks.answered = StepAnswer::Question;
    assert_eq!(asks.next(), StepMove::Record(None));
}

#[test]
fn a_question_that_the_step_file_shows_is_asked_whatever_the_person_said() {
    let shown = r#"When you know the goal, call ui_ask_user: {"type": "selection"}."#;
    let mut asks = step("ask", shown, &["kind"]);
    let question = StepMove::Ask(Some("ui_ask_user".into()));
    assert_eq!((asks.next(), asks.offered().must_call), (question.clone(), false));
    asks.answered = StepAnswer::Words;
    assert_eq!((asks.next(), asks.offered().must_call), (question, true));
    assert_eq!(asks.names(), ["ui_ask_user"]);
    asks.answered = StepAnswer::Question;
    assert_eq!((asks.next(), asks.names()[0].as_str()), (StepMove::Record(None), "fs_apply_patch"));
}

#[test]
fn nothing_is_written_after_a_no_before_the_person_said_what_to_change() {
    let shown = r#"Ask with ui_ask_user: {"type": "confirmation"}, then write the file."#;
    let mut writes = step("write", shown, &[]);
    let path = AliasPath::parse("@project/artifacts/a.md").unwrap();
    writes.missing = vec![path.clone()];
    writes.answered = StepAnswer::Refusal;
    assert_eq!(writes.next(), StepMove::AskWhatToChange);
    assert!(writes.names().is_empty() && !writes.offered().must_call);
    writes.answered = StepAnswer::Words;
    assert_eq!(writes.next(), StepMove::Ask(Some("ui_ask_user".into())));
    writes.answered = StepAnswer::Question;
    assert_eq!(writes.next(), StepMove::Write(path));
}

#[test]
fn a_step_before_is_told_of_before_the_next_begins() {
    let step = Step { reports: true, was_read: false, ..step("ask", "", &[]) };
    assert_eq!(step.next(), StepMove::Report);
    assert!(step.names().is_empty() && !step.offered().must_call);
}

#[test]
fn a_promised_file_comes_before_the_record() {
    let path = AliasPath::parse("@project/artifacts/a.md").unwrap();
    let mut writes = step("write", "Write it.", &[]);
    writes.missing = vec![path.clone()];
    assert_eq!(writes.next(), StepMove::Write(path));
    assert_eq!(writes.names(), ["fs_write"]);
    writes.missing.clear();
    assert_eq!(writes.names(), ["fs_apply_patch"]);
}

#[test]
fn a_step_that_looks_around_may_read_any_file() {
    let looks = step("ask", "Look around with `fs_list` or fs.search.", &[]);
    assert_eq!(looks.names(), ["fs_apply_patch", "fs_read", "fs_list", "fs_search"]);
    assert_eq!(looks.schema("fs_read")["properties"]["path"], json!({ "type": "string" }));
}

#[test]
fn what_the_policy_forbids_is_not_offered() {
    let off = SystemTools { fs_enabled: false, ..SystemTools::default() };
    let policy = ToolPolicy::merge(&off, None);
    let step = Step { was_read: false, ..step("ask", "", &[]) };
    let offered = step.with(|step| step.offered(&policy, Tokenizer::Estimate));
    assert!(offered.specs.is_empty() && !offered.must_call);
}

#[test]
fn the_record_of_each_kind_of_step_is_written_into_its_schema() {
    let ask = Step { answered: StepAnswer::Words, ..step("ask", "", &["kind", "goal"]) };
    insta::assert_json_snapshot!("record_of_a_step", ask.schema("fs_apply_patch"));
    let mut choose = step("choose", "", &[]);
    choose.variables = json!({ "kind": "new" });
    insta::assert_json_snapshot!("record_of_a_decision", choose.schema("fs_apply_patch"));
    let done = step("done", "", &[]);
    insta::assert_json_snapshot!("record_of_the_end", done.schema("fs_apply_patch"));
    for (name, text) in [
        ("question", "ui_ask_user"),
        ("selection", "ui_ask_user {\"type\": \"selection\"}"),
        ("confirmation", "ui_ask_user {\"type\": \"confirmation\"}"),
    ] {
        insta::assert_json_snapshot!(name, step("ask", text, &[]).schema("ui_ask_user"));
    }
}

#[test]
fn a_call_that_keeps_to_the_schema_is_a_call_of_the_tool() {
    let args = json!({
        "path": "@state/workflow.md", "operation": "updateFrontmatter",
        "update": {
            "stepsCompleted": { "append": ["ask"] },
            "variables": { "set": { "kind": "new" } },
            "currentNodeId": { "set": "choose" },
        },
    });
    let asks = Step { answered: StepAnswer::Words, ..step("ask", "", &["kind"]) };
    let schema = asks.schema("fs_apply_patch");
    assert!(jsonschema::is_valid(&schema, &args));
    let parsed = parse_call("fs_apply_patch", &args.to_string()).unwrap();
    assert!(matches!(parsed.input, ToolInput::Patch(_)));
    let question = json!({
        "widgetId": "kind", "type": "selection", "message": "Which?",
        "options": [{ "value": "a", "label": "A" }, { "value": "b", "label": "B" }],
    });
    assert!(jsonschema::is_valid(
        &step("ask", "ui_ask_user", &[]).schema("ui_ask_user"),
        &question
    ));
    let parsed = parse_call("ui_ask_user", &question.to_string()).unwrap();
    let ToolInput::AskUser(call) = parsed.input else { panic!("{parsed:?}") };
    assert!(call.widget().is_ok());
}

#[test]
fn every_schema_is_an_object_because_servers_refuse_others() {
    let mut ask = step("ask", "ui_ask_user, fs_list, fs_search, fs_glob, fs_write", &["kind"]);
    for answered in [StepAnswer::None, StepAnswer::Words, StepAnswer::Question] {
        ask.answered = answered;
        for spec in ask.offered().specs {
            assert_eq!(spec.parameters["type"], "object", "{}", spec.name);
        }
    }
}
