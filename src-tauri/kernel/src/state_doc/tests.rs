use super::*;
use crate::facts::Evidence;
use crate::frontmatter::{AppendTexts, AppendValues, FrontmatterUpdate, SetMap, SetText};
use crate::phrase::{Lang, say};
use crate::settings::OutputsPolicy;
use crate::tool::patch::PatchOp;
use proptest::prelude::*;
use rstest::rstest;

/// `start → choose`, then `choose → write | skip` by condition, `write → choose` as a loop,
/// `write, skip → done` (end). `lost` is on no way.
fn graph() -> Graph {
    serde_json::from_value(json!({
        "schemaVersion": "1.1",
        "entryNodeId": "start",
        "nodes": [
            { "id": "start", "type": "step", "file": "s/start.md" },
            { "id": "choose", "type": "decision", "file": "s/choose.md" },
            { "id": "write", "type": "step", "file": "s/write.md" },
            { "id": "skip", "type": "step", "file": "s/skip.md" },
            { "id": "done", "type": "end", "file": "s/done.md" },
            { "id": "lost", "type": "step", "file": "s/lost.md" },
        ],
        "edges": [
            { "from": "start", "to": "choose", "label": "next" },
            {
                "from": "choose", "to": "write", "label": "long", "conditionText": "pages > 1",
                "conditionExpr": { ">": [{ "var": "variables.pages" }, 1] },
            },
            { "from": "choose", "to": "skip", "label": "short", "isDefault": true },
            { "from": "write", "to": "choose", "label": "again" },
            { "from": "write", "to": "done", "label": "finish" },
            { "from": "skip", "to": "done", "label": "finish" },
        ],
    }))
    .unwrap()
}

const TEMPLATE: &str = "\
---
schemaVersion: \"1.1\"   # the format
workflowType: demo
currentNodeId: old
stepsCompleted: [old]
variables: { left: over }
custom:
  - kept # as it is
---
# Story

Body text.
";

fn id(text: &str) -> NodeId {
    NodeId::new(text).unwrap()
}

fn at(millis: i64) -> Time {
    Time::from_millis(1_767_225_600_000 + millis)
}

fn initial() -> StateDoc {
    let initial = Initial {
        run_id: &RunId::new("run-1").unwrap(),
        workflow_id: &WorkflowId::new("1").unwrap(),
        agent_id: &AgentId::new("writer").unwrap(),
        variables: None,
        artifacts: &[],
        now: at(0),
    };
    StateDoc::initial(TEMPLATE, &initial).unwrap()
}

/// A document with these front matter values, all others as in [`initial`].
fn doc(values: &Value) -> StateDoc {
    let text = with(&initial(), values);
    StateDoc::parse(&text).unwrap()
}

/// The text of `doc` with these front matter values; `null` removes.
fn with(doc: &StateDoc, values: &Value) -> String {
    frontmatter::edit(doc.text(), |front| {
        for (key, value) in values.as_object().unwrap() {
            if value.is_null() {
                front.shift_remove(key);
            } else {
                front.insert(key.clone(), value.clone());
            }
        }
    })
    .unwrap()
}

/// The guard, with no facts and nobody who looks for outputs.
fn check_transition(
    old: &StateDoc,
    new_text: &str,
    graph: &Graph,
    if_match_sha256: Option<&str>,
    missing: &[AliasPath],
    now: Time,
) -> Result<Accepted, Failure> {
    let (evidence, outputs) = (&Evidence::default(), OutputsPolicy::Off);
    let given = Circumstances {
        if_match_sha256,
        missing,
        evidence,
        said: &SaidInStep::default(),
        outputs,
        now,
    };
    super::check_transition(old, new_text, graph, &given)
}

fn judge(old: &StateDoc, values: &Value) -> Result<Accepted, Failure> {
    check_transition(old, &with(old, values), &graph(), None, &[], at(1000))
}

fn update(update: Value) -> PatchOp {
    PatchOp::UpdateFrontmatter { update: serde_json::from_value(update).unwrap() }
}

// ---- the first version ------------------------------------------------------------------------

#[test]
fn a_new_run_starts_clean_and_keeps_what_is_not_its_own() {
    let doc = initial();
    assert_eq!(doc.front["runId"], "run-1");
    assert_eq!(doc.front["activeAgentId"], "writer");
    assert_eq!(doc.front["workflowRef"], "1");
    assert_eq!(doc.updated_at(), Some(at(0)));
    assert_eq!(doc.current_node_id(), "");
    assert!(doc.steps_completed().is_empty() && doc.artifacts().is_empty());
    assert_eq!((doc.variables(), doc.decision_log()), (&json!({}), &json!([])));
    assert_eq!(doc.effective_node(&graph()), Ok(id("start")));
    for kept in [
        "schemaVersion: \"1.1\"   # the format\n",
        "  - kept # as it is\n",
        "\n---\n# Story\n\nBody text.\n",
    ] {
        assert!(doc.text().contains(kept), "{}", doc.text());
    }
    assert_eq!(doc.sha256(), sha256_hex(doc.text().as_bytes()));
    assert_eq!(StateDoc::parse(doc.text()), Ok(doc));
}

#[rstest]
#[case("# no front matter\n", ErrorCode::InvalidFrontmatter)]
#[case("---\nschemaVersion: '1.1'\n---\n", ErrorCode::SchemaValidation)]
#[case("---\nschemaVersion: '2.0'\nworkflowType: x\n---\n", ErrorCode::SchemaValidation)]
fn a_template_that_is_no_workflow_is_refused(#[case] text: &str, #[case] code: ErrorCode) {
    let (run, workflow, agent) =
        (RunId::new("r").unwrap(), WorkflowId::new("w").unwrap(), AgentId::new("a").unwrap());
    let initial = Initial {
        run_id: &run,
        workflow_id: &workflow,
        agent_id: &agent,
        variables: None,
        artifacts: &[],
        now: at(0),
    };
    let failure = StateDoc::initial(text, &initial).unwrap_err();
    assert_eq!(failure.code, code);
    assert!(failure.message.starts_with("@state/workflow.md"), "{}", failure.message);
}

// ---- parsing ----------------------------------------------------------------------------------

#[test]
fn missing_and_null_lists_are_empty_and_a_null_node_is_the_entry() {
    for extra in ["", "stepsCompleted:\nvariables: ~\ncurrentNodeId: null\nupdatedAt:\n"] {
        let text = format!("---\nschemaVersion: '1.1.3'\nworkflowType: x\n{extra}---\n");
        let doc = StateDoc::parse(&text).unwrap();
        assert_eq!(doc.effective_node(&graph()), Ok(id("start")));
        assert!(doc.steps_completed().is_empty());
        assert_eq!(doc.variables(), &json!({}));
        assert_eq!(doc.updated_at(), None);
    }
}

#[rstest]
#[case(json!({"schemaVersion": "1.3"}), "/schemaVersion")]
#[case(json!({"schemaVersion": 1.1}), "/schemaVersion")]
#[case(json!({"workflowType": ""}), "/workflowType")]
#[case(json!({"workflowType": null}), "")]
#[case(json!({"currentNodeId": 3}), "/currentNodeId")]
#[case(json!({"stepsCompleted": "start"}), "/stepsCompleted")]
#[case(json!({"stepsCompleted": [1]}), "/stepsCompleted/0")]
#[case(json!({"stepsCompleted": ["start", "../x"]}), "/stepsCompleted/1")]
#[case(json!({"variables": ["a"]}), "/variables")]
#[case(json!({"artifacts": [{}]}), "/artifacts/0")]
#[case(json!({"updatedAt": "yesterday"}), "/updatedAt")]
#[case(json!({"updatedAt": "2026-13-01T00:00:00Z"}), "/updatedAt")]
#[case(json!({"decisionLog": [{"from": "a", "to": "b"}]}), "/decisionLog/0")]
#[case(json!({"decisionLog": [{"from": "a", "to": "b", "label": "x", "note": 1}]}), "/decisionLog/0")]
#[case(json!({"decisionLog": [{"from": "a", "to": "b", "label": "x", "decidedAt": "now"}]}), "/decisionLog/0/decidedAt")]
#[case(json!({"runId": 7}), "/runId")]
fn a_document_that_breaks_the_schema_names_the_place(#[case] values: Value, #[case] path: &str) {
    let failure = StateDoc::parse(&with(&initial(), &values)).unwrap_err();
    assert_eq!(failure.code, ErrorCode::SchemaValidation);
    let errors = failure.details.unwrap()["errors"].clone();
    assert!(errors.as_array().unwrap().iter().any(|e| e["path"] == path), "{errors}");
}

#[test]
fn all_schema_errors_are_reported_not_the_first() {
    let bad = with(&initial(), &json!({"workflowType": "", "artifacts": "x", "updatedAt": "no"}));
    let failure = StateDoc::parse(&bad).unwrap_err();
    assert_eq!(failure.details.unwrap()["errors"].as_array().unwrap().len(), 3);
}

#[rstest]
#[case("  write  ", Ok("write"))]
#[case("   ", Ok("start"))]
#[case("nowhere", Err(()))]
fn the_effective_node_is_trimmed_and_must_exist(
    #[case] text: &str,
    #[case] expected: Result<&str, ()>,
) {
    let doc = doc(&json!({ "currentNodeId": text }));
    match (doc.effective_node(&graph()), expected) {
        (Ok(node), Ok(expected)) => assert_eq!(node.as_str(), expected),
        (Err(failure), Err(())) => {
            assert_eq!(failure.code, ErrorCode::CurrentNodeInvalid);
            assert_eq!(failure.details.unwrap()["validNodeIds"].as_array().unwrap().len(), 6);
        }
        (got, _) => panic!("{got:?}"),
    }
}

#[rstest]
#[case(json!({}), false)]
#[case(json!({"variables": {"workflowStatus": "complete"}}), true)]
#[case(json!({"variables": {"workflowStatus": "completed"}}), false)]
#[case(json!({"currentNodeId": "done"}), false)]
#[case(json!({"currentNodeId": "done", "stepsCompleted": ["done"]}), true)]
#[case(json!({"currentNodeId": "write", "stepsCompleted": ["write", "done"]}), false)]
#[case::a_step_that_no_edge_leaves(json!({"currentNodeId": "lost", "stepsCompleted": ["lost"]}), true)]
fn a_run_is_complete_by_its_status_or_at_a_completed_end(
    #[case] values: Value,
    #[case] complete: bool,
) {
    assert_eq!(doc(&values).is_complete(&graph()), complete);
}

// ---- the guard --------------------------------------------------------------------------------

#[test]
fn a_legal_move_is_kept_and_its_slips_are_repaired_in_words() {
    let old = initial();
    let accepted = judge(&old, &json!({"currentNodeId": "choose"})).unwrap();
    assert_eq!(accepted.moved, Some((id("start"), id("choose"))));
    assert_eq!(accepted.doc.steps_completed(), [id("start")]);
    assert_eq!(accepted.doc.updated_at(), Some(at(1000)));
    assert_eq!(accepted.repaired.len(), 2, "{:?}", accepted.repaired);
    assert!(accepted.repaired[0].contains("`start`") && accepted.repaired[1].contains("updatedAt"));
    assert_eq!(StateDoc::parse(accepted.doc.text()), Ok(accepted.doc));
}

#[test]
fn a_complete_change_needs_no_repair_and_keeps_every_byte() {
    let old = initial();
    let text = with(
        &old,
        &json!({
            "currentNodeId": "choose", "stepsCompleted": ["start"], "updatedAt": at(500),
            "artifacts": ["artifacts/a.md"],
        }),
    );
    let accepted =
        check_transition(&old, &text, &graph(), Some(old.sha256()), &[], at(1000)).unwrap();
    assert_eq!(accepted.repaired, Vec::<String>::new());
    assert_eq!(&**accepted.doc.text(), text);
}

#[test]
fn no_change_at_all_is_accepted_without_repairs() {
    let old = initial();
    let accepted = check_transition(&old, old.text(), &graph(), None, &[], at(1000)).unwrap();
    assert_eq!(
        accepted,
        Accepted { doc: old, repaired: vec![], moved: None, claimed: vec![], without: vec![] }
    );
}

#[rstest]
#[case::no_edge(json!({}), json!({"currentNodeId": "done"}), "start", "done", 1)]
#[case::several_steps_at_once(json!({}), json!({"currentNodeId": "write"}), "start", "write", 1)]
#[case::unknown_node(json!({}), json!({"currentNodeId": "nowhere"}), "start", "nowhere", 1)]
#[case::backwards(json!({"currentNodeId": "choose"}), json!({"currentNodeId": "start"}), "choose", "start", 2)]
#[case::back_to_the_entry_by_clearing(json!({"currentNodeId": "choose"}), json!({"currentNodeId": ""}), "choose", "start", 2)]
#[case::out_of_the_end(json!({"currentNodeId": "done"}), json!({"currentNodeId": "start"}), "done", "start", 0)]
#[case::from_a_node_that_is_gone(json!({"currentNodeId": "gone"}), json!({"currentNodeId": "start"}), "gone", "start", 0)]
fn an_illegal_move_is_refused_with_what_may_follow(
    #[case] before: Value,
    #[case] change: Value,
    #[case] from: &str,
    #[case] to: &str,
    #[case] ways: usize,
) {
    let failure = judge(&doc(&before), &change).unwrap_err();
    assert_eq!(failure.code, ErrorCode::InvalidTransition);
    assert!(
        failure.message.contains(&format!("`{from}`"))
            && failure.message.contains(&format!("`{to}`"))
    );
    let action = failure.action.unwrap();
    assert_eq!(action.contains("no edge leaves it"), ways == 0, "{action}");
    assert_eq!(action.contains("Move to one of"), ways > 0, "{action}");
    let details = failure.details.unwrap();
    assert_eq!((&details["from"], &details["to"]), (&json!(from), &json!(to)));
    assert_eq!(details["allowedNext"].as_array().unwrap().len(), ways, "{details}");
}

#[test]
fn what_may_follow_is_named_with_label_default_and_condition() {
    let failure =
        judge(&doc(&json!({"currentNodeId": "choose"})), &json!({"currentNodeId": "lost"}));
    assert_eq!(
        failure.unwrap_err().details.unwrap()["allowedNext"],
        json!([
            { "to": "write", "label": "long", "isDefault": false, "conditionText": "pages > 1", "conditionHolds": false },
            { "to": "skip", "label": "short", "isDefault": true, "conditionHolds": true },
        ])
    );
}

#[rstest]
#[case::staying(json!({"currentNodeId": "write"}), json!({"variables": {"a": 1}}), false)]
#[case::loop_edge_back(json!({"currentNodeId": "write", "stepsCompleted": ["start", "choose"]}), json!({"currentNodeId": "choose"}), true)]
#[case::writing_the_entry_out(json!({}), json!({"currentNodeId": "start"}), false)]
#[case::completing_the_end(json!({"currentNodeId": "done"}), json!({"stepsCompleted": ["done"], "variables": {"workflowStatus": "complete"}}), false)]
fn a_legal_change_is_accepted(#[case] before: Value, #[case] change: Value, #[case] moves: bool) {
    let accepted = judge(&doc(&before), &change).unwrap();
    assert_eq!(accepted.moved.is_some(), moves);
}

#[rstest]
#[case::into_a_loop(json!({"currentNodeId": "choose"}), json!(["start", "choose", "write"]))]
#[case::to_an_end_that_it_completes(
    json!({"currentNodeId": "done", "stepsCompleted": ["start", "choose", "done"]}),
    json!(["start", "choose", "write", "done"])
)]
fn the_node_that_was_left_is_added_where_it_was_completed(
    #[case] change: Value,
    #[case] expected: Value,
) {
    let old = doc(&json!({"currentNodeId": "write", "stepsCompleted": ["start", "choose"]}));
    let accepted = judge(&old, &change).unwrap();
    assert_eq!(json!(accepted.doc.steps_completed), expected);
}

#[test]
fn a_step_that_the_graph_does_not_have_is_named_with_those_it_has() {
    let old = doc(&json!({"currentNodeId": "choose"}));
    let text = with(&old, &json!({"stepsCompleted": ["nowhere", "elsewhere"]}));
    let failure = check_user_edit(Some(&old), &text, &graph()).unwrap_err();
    assert!(failure.message.contains("`nowhere`, `elsewhere`"), "{}", failure.message);
    let action = failure.action.unwrap();
    assert!(action.contains("`start`, `choose`, `write`"), "{action}");
}

#[test]
fn steps_cannot_be_taken_back() {
    let old = doc(&json!({"currentNodeId": "write", "stepsCompleted": ["start", "choose"]}));
    let failure = judge(&old, &json!({"stepsCompleted": ["start"]})).unwrap_err();
    assert_eq!(failure.code, ErrorCode::InvalidTransition);
    assert_eq!(failure.details.unwrap()["missing"], json!(["choose"]));
}

#[rstest]
#[case::the_whole_way("start", json!({"stepsCompleted": ["start", "choose", "write", "done"]}), json!(["choose", "write", "done"]))]
#[case::the_node_moved_to("start", json!({"currentNodeId": "choose", "stepsCompleted": ["start", "choose"]}), json!(["choose"]))]
#[case::another_than_the_one_left("write", json!({"currentNodeId": "done", "stepsCompleted": ["skip", "write", "done"]}), json!(["skip"]))]
#[case::the_end_from_afar("choose", json!({"stepsCompleted": ["done"]}), json!(["done"]))]
fn only_what_was_worked_on_is_ticked_off(
    #[case] node: &str,
    #[case] change: Value,
    #[case] not_active: Value,
) {
    let failure = judge(&doc(&json!({"currentNodeId": node})), &change).unwrap_err();
    assert_eq!(failure.code, ErrorCode::InvalidTransition);
    assert!(failure.action.is_some());
    assert_eq!(failure.details.unwrap()["notActive"], not_active);
}

#[rstest]
#[case::at_the_start("start", json!({}), json!(["start", "choose", "write", "skip", "done"]))]
#[case::on_the_way_to_the_end("write", json!({"currentNodeId": "done"}), json!(["done"]))]
#[case::on_the_end("done", json!({}), json!(["done"]))]
fn a_model_may_not_end_a_run_before_its_end(
    #[case] node: &str,
    #[case] change: Value,
    #[case] open: Value,
) {
    let mut change = change;
    change["variables"] = json!({"workflowStatus": "complete"});
    let failure = judge(&doc(&json!({"currentNodeId": node})), &change).unwrap_err();
    assert_eq!(failure.code, ErrorCode::NotAtEnd);
    let sorted = |list: &Value| {
        let texts = list.as_array().unwrap().iter().map(|v| v.as_str().unwrap().to_owned());
        texts.collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(sorted(&failure.details.unwrap()["open"]), sorted(&open));
    assert_eq!(failure.action.unwrap().contains("Add `done`"), node != "start");
}

#[test]
fn the_end_completes_the_run_also_when_nobody_says_so() {
    let old = doc(&json!({"currentNodeId": "write"}));
    let change =
        json!({"currentNodeId": "done", "stepsCompleted": ["write", "done"], "variables": null});
    let accepted = judge(&old, &change).unwrap();
    assert_eq!(accepted.doc.variables(), &json!({"workflowStatus": "complete"}));
    assert!(
        accepted.repaired.iter().any(|r| r.contains("workflowStatus")),
        "{:?}",
        accepted.repaired
    );
    // What a person wants changed afterwards is not put back.
    let reopened = judge(&accepted.doc, &json!({"variables": {"workflowStatus": "open"}})).unwrap();
    assert_eq!(reopened.doc.variables(), &json!({"workflowStatus": "open"}));
}

#[rstest]
#[case("@project/../../etc/passwd")]
#[case("../notes.md")]
#[case("/etc/passwd")]
#[case("C:\\notes.md")]
#[case("@state/workflow.md")]
#[case("@pkg/steps/start.md")]
#[case("@project")]
#[case("")]
#[case("a\u{0}.md")]
fn an_artifact_is_a_path_of_the_project(#[case] artifact: &str) {
    let change = json!({"artifacts": ["artifacts/a.md", artifact]});
    let failure = judge(&initial(), &change).unwrap_err();
    assert_eq!(failure.code, ErrorCode::ArtifactUnknown);
    assert!(failure.action.is_some());
    assert_eq!(failure.details.unwrap()["unknown"], json!([artifact]));
    // What is there already, from another store, is nobody's fault now.
    assert!(judge(&doc(&change), &json!({"artifacts": [artifact], "variables": {"a": 1}})).is_ok());
    let text = with(&initial(), &change);
    let edit = check_user_edit(Some(&initial()), &text, &graph()).unwrap_err();
    assert_eq!(edit.code, ErrorCode::ArtifactUnknown, "nor may a person list it");
    assert!(check_user_edit(Some(&doc(&change)), &text, &graph()).is_ok());
}

#[test]
fn only_new_artifacts_are_looked_for_and_each_once() {
    let old = doc(&json!({"artifacts": ["a.md", "@project/b.md"]}));
    let text = with(
        &old,
        &json!({"artifacts": ["b.md", "a.md", "c.md", "@project/./c.md", "..", "d//e.md"]}),
    );
    let claims: Vec<String> = claims(&old, &text).iter().map(ToString::to_string).collect();
    assert_eq!(claims, ["@project/c.md", "@project/d/e.md"]);
    assert!(super::claims(&old, "no front matter").is_empty());
    assert!(super::claims(&old, &with(&old, &json!({"artifacts": 3}))).is_empty());
}

#[test]
fn steps_must_exist() {
    let failure = judge(&initial(), &json!({"stepsCompleted": ["start", "ghost"]})).unwrap_err();
    assert_eq!(failure.code, ErrorCode::InvalidTransition);
    assert_eq!(failure.details.unwrap()["unknown"], json!(["ghost"]));
}

#[rstest]
#[case::condition_holds("write", json!({"pages": 3}), Ok(()))]
#[case::condition_fails("write", json!({"pages": 1}), Err("does not hold"))]
#[case::variable_absent("write", json!({}), Err("does not hold"))]
#[case::default_when_nothing_holds("skip", json!({"pages": 1}), Ok(()))]
#[case::default_when_another_holds("skip", json!({"pages": 3}), Err("default edge"))]
fn conditions_are_judged_under_the_new_variables(
    #[case] to: &str,
    #[case] variables: Value,
    #[case] expected: Result<(), &str>,
) {
    let old = doc(&json!({"currentNodeId": "choose", "variables": {"pages": 2}}));
    let chosen = json!([{ "from": "choose", "to": to }]);
    let values = json!({"currentNodeId": to, "variables": variables, "decisionLog": chosen});
    let result = judge(&old, &values);
    match expected {
        Ok(()) => assert_eq!(result.unwrap().moved, Some((id("choose"), id(to)))),
        Err(says) => {
            let failure = result.unwrap_err();
            assert_eq!(failure.code, ErrorCode::ConditionNotMet);
            assert!(failure.message.contains(says), "{}", failure.message);
            let action = failure.action.unwrap();
            assert!(action.starts_with("With these variables the way is open to"), "{action}");
            let next = failure.details.unwrap()["allowedNext"].clone();
            assert_eq!(next[0]["conditionHolds"], json!(variables["pages"] == 3), "{next}");
        }
    }
}

#[test]
fn only_the_person_opens_a_way_that_waits_for_them() {
    let mut graph = graph();
    graph.edges[1].condition_expr = Some(json!({"in": ["c", {"var": "$person.said"}]}));
    graph.edges[1].condition_text = Some("the person chose C".to_owned());
    let old = doc(&json!({"currentNodeId": "choose"}));
    let claimed = json!({"$person": {"said": ["c"]}, "person": "c"});
    let chosen = json!([{ "from": "choose", "to": "write" }]);
    let values = json!({"currentNodeId": "write", "variables": claimed, "decisionLog": chosen});
    let text = with(&old, &values);
    let go = |said: &SaidInStep| {
        let (evidence, outputs) = (&Evidence::default(), OutputsPolicy::Off);
        let given = Circumstances {
            if_match_sha256: None,
            missing: &[],
            evidence,
            said,
            outputs,
            now: at(1000),
        };
        super::check_transition(&old, &text, &graph, &given)
    };
    let mut said = SaidInStep::default();
    let refused = go(&said).unwrap_err();
    assert_eq!(refused.code, ErrorCode::ConditionNotMet);
    let action = refused.action.unwrap();
    assert!(action.contains("the person chose C"), "{action}");
    said.says("C");
    assert!(go(&said).is_err(), "what was said before the model spoke is no answer");
    said.model_spoke();
    said.says("C");
    assert!(go(&said).unwrap().moved.is_some());
}

#[test]
fn of_several_edges_to_one_target_any_open_one_suffices() {
    let mut graph = graph();
    let mut second = graph.edges[1].clone();
    second.condition_expr = Some(json!({"==": [{"var": "variables.force"}, true]}));
    graph.edges.push(second);
    let old = doc(&json!({"currentNodeId": "choose"}));
    let go = |variables: Value| {
        let chosen = json!([{ "from": "choose", "to": "write" }]);
        let values =
            json!({"currentNodeId": "write", "variables": variables, "decisionLog": chosen});
        let text = with(&old, &values);
        check_transition(&old, &text, &graph, None, &[], at(1000)).map(|a| a.moved.is_some())
    };
    assert_eq!(go(json!({"force": true})), Ok(true));
    assert_eq!(go(json!({"pages": 2})), Ok(true));
    assert_eq!(go(json!({"pages": 1})).unwrap_err().code, ErrorCode::ConditionNotMet);
}

#[test]
fn a_condition_that_cannot_be_evaluated_opens_nothing() {
    let mut graph = graph();
    graph.edges[1].condition_expr = Some(json!({"no such operator": [1]}));
    let old = doc(&json!({"currentNodeId": "choose"}));
    let text = with(&old, &json!({"currentNodeId": "write"}));
    let failure = check_transition(&old, &text, &graph, None, &[], at(1)).unwrap_err();
    assert_eq!(failure.code, ErrorCode::ConditionNotMet);
}

#[test]
fn a_stale_hash_is_refused_with_both_hashes() {
    let old = initial();
    let text = with(&old, &json!({"variables": {"a": 1}}));
    for text in [text.as_str(), old.text()] {
        let failure = check_transition(&old, text, &graph(), Some("abc"), &[], at(1)).unwrap_err();
        assert_eq!(failure.code, ErrorCode::PreconditionFailed);
        assert_eq!(
            failure.details.unwrap(),
            json!({"expectedSha256": "abc", "actualSha256": old.sha256()})
        );
    }
    let upper = old.sha256().to_uppercase();
    assert!(check_transition(&old, &text, &graph(), Some(&upper), &[], at(1)).is_ok());
}

#[test]
fn checks_come_in_the_order_of_the_spec() {
    let old = doc(&json!({"currentNodeId": "choose", "stepsCompleted": ["start"]}));
    let code = |text: &str| {
        check_transition(&old, text, &graph(), Some("stale"), &[], at(1)).unwrap_err().code
    };
    assert_eq!(code("no front matter"), ErrorCode::InvalidFrontmatter);
    let mut bad = json!({"workflowType": "", "currentNodeId": "lost", "stepsCompleted": []});
    assert_eq!(code(&with(&old, &bad)), ErrorCode::SchemaValidation);
    bad["workflowType"] = json!("demo");
    assert_eq!(code(&with(&old, &bad)), ErrorCode::InvalidTransition);
    bad["currentNodeId"] = json!("write");
    assert_eq!(code(&with(&old, &bad)), ErrorCode::InvalidTransition);
    bad["stepsCompleted"] = json!(["start"]);
    assert_eq!(code(&with(&old, &bad)), ErrorCode::ConditionNotMet);
    bad["variables"] = json!({"pages": 9, "workflowStatus": "complete"});
    assert_eq!(code(&with(&old, &bad)), ErrorCode::InvalidTransition, "nothing is logged");
    bad["decisionLog"] = json!([{ "from": "choose", "to": "write" }]);
    bad["artifacts"] = json!(["/etc/passwd", "a.md"]);
    assert_eq!(code(&with(&old, &bad)), ErrorCode::PreconditionFailed);
    let code = |bad: &Value| {
        let missing = [AliasPath::parse("@project/a.md").unwrap()];
        let text = with(&old, bad);
        check_transition(&old, &text, &graph(), None, &missing, at(1)).unwrap_err().code
    };
    assert_eq!(code(&bad), ErrorCode::NotAtEnd);
    bad["variables"] = json!({"pages": 9});
    for artifacts in [json!(["/etc/passwd"]), json!(["a.md"])] {
        bad["artifacts"] = artifacts;
        assert_eq!(code(&bad), ErrorCode::ArtifactUnknown);
    }
}

#[test]
fn a_changed_body_is_allowed_and_refreshes_the_date() {
    let old = initial();
    let text = old.text().replace("Body text.", "New words.");
    let accepted = check_transition(&old, &text, &graph(), None, &[], at(1000)).unwrap();
    assert_eq!(accepted.repaired, ["updatedAt was set"]);
    assert!(accepted.doc.text().ends_with("New words.\n"));
}

// ---- repairs ----------------------------------------------------------------------------------

#[rstest]
#[case::prefix(json!({"artifacts": ["@project/artifacts/a.md"]}), json!(["artifacts/a.md"]), 1)]
#[case::unnormal_prefix(json!({"artifacts": ["@project/./artifacts//a.md"]}), json!(["artifacts/a.md"]), 1)]
#[case::duplicate_after_stripping(json!({"artifacts": ["artifacts/a.md", "@project/artifacts/a.md"]}), json!(["artifacts/a.md"]), 2)]
#[case::plain(json!({"artifacts": ["artifacts/a.md", "notes.md"]}), json!(["artifacts/a.md", "notes.md"]), 0)]
fn artifact_paths_are_put_right(
    #[case] change: Value,
    #[case] expected: Value,
    #[case] repairs: usize,
) {
    let accepted = judge(&initial(), &change).unwrap();
    assert_eq!(json!(accepted.doc.artifacts()), expected);
    assert_eq!(accepted.repaired.len(), repairs + 1, "{:?}", accepted.repaired);
}

#[test]
fn duplicate_steps_are_dropped() {
    let accepted = judge(&initial(), &json!({"stepsCompleted": ["start", "start"]})).unwrap();
    assert_eq!(accepted.doc.steps_completed(), [id("start")]);
    assert!(accepted.repaired[0].contains("duplicate `start`"));
}

#[test]
fn a_decision_gets_its_label_and_date_and_old_ones_stay() {
    let old = doc(&json!({
        "currentNodeId": "choose",
        "decisionLog": [{"from": "start", "to": "choose", "label": "mine"}],
    }));
    let accepted = judge(
        &old,
        &json!({
            "currentNodeId": "skip",
            "decisionLog": [
                {"from": "start", "to": "choose", "label": "mine"},
                {"from": "choose", "to": "skip", "reason": "short enough"},
            ],
        }),
    )
    .unwrap();
    assert_eq!(
        accepted.doc.decision_log(),
        &json!([
            {"from": "start", "to": "choose", "label": "mine"},
            {"from": "choose", "to": "skip", "reason": "short enough", "label": "short", "decidedAt": at(1000)},
        ])
    );
    assert_eq!(accepted.repaired.len(), 4, "{:?}", accepted.repaired);
}

#[rstest]
#[case::nothing(json!({}))]
#[case::null(json!({ "label": null, "decidedAt": null }))]
#[case::empty(json!({ "label": "", "decidedAt": "" }))]
fn a_decision_is_completed_wherever_it_is_put(#[case] says: Value) {
    let mine = json!({ "from": "start", "to": "choose", "label": "mine", "decidedAt": at(0) });
    let old = doc(&json!({ "currentNodeId": "choose", "decisionLog": [mine] }));
    let mut entry = says;
    (entry["from"], entry["to"]) = (json!("choose"), json!("skip"));
    let change = json!({ "currentNodeId": "skip", "decisionLog": [entry, mine] });
    let accepted = judge(&old, &change).unwrap();
    let entry = accepted.doc.decision_log()[0].clone();
    assert_eq!((&entry["label"], &entry["decidedAt"]), (&json!("short"), &json!(at(1000))));
    assert_eq!(accepted.doc.decision_log()[1], mine);
}

#[test]
fn a_decision_without_an_edge_needs_its_own_label() {
    let change = json!({"decisionLog": [{"from": "start", "to": "done"}]});
    assert_eq!(judge(&initial(), &change).unwrap_err().code, ErrorCode::SchemaValidation);
}

#[rstest]
#[case::missing(Value::Null, true)]
#[case::the_old_one(json!(at(0)), true)]
#[case::an_older_one(json!("2020-01-01T00:00:00Z"), true)]
#[case::a_newer_one(json!(at(400)), false)]
fn a_missing_or_stale_date_is_set(#[case] updated_at: Value, #[case] repaired: bool) {
    let accepted =
        judge(&initial(), &json!({"variables": {"a": 1}, "updatedAt": updated_at})).unwrap();
    assert_eq!(accepted.repaired.len(), usize::from(repaired));
    assert_eq!(accepted.doc.updated_at(), Some(at(if repaired { 1000 } else { 400 })));
}

#[test]
fn a_date_is_not_set_anew_where_nothing_else_changed() {
    let accepted = judge(&initial(), &json!({"updatedAt": "2020-01-01T00:00:00Z"})).unwrap();
    assert_eq!(accepted.repaired, Vec::<String>::new());
}

#[test]
fn who_leaves_a_decision_node_says_in_the_log_which_way_was_chosen() {
    let earlier = json!([{ "from": "choose", "to": "skip", "label": "short", "decidedAt": "2026-01-01T00:00:00Z" }]);
    let old = doc(&json!({"currentNodeId": "choose", "decisionLog": earlier}));
    let failure = judge(&old, &json!({"currentNodeId": "skip"})).unwrap_err();
    assert_eq!(failure.code, ErrorCode::InvalidTransition);
    // What it asks for is enough, and what was decided an earlier time is not.
    let entry = failure.details.unwrap()["decisionLogEntry"].clone();
    assert_eq!(entry, json!({ "from": "choose", "to": "skip", "label": "short" }));
    let other = json!({ "from": "choose", "to": "write", "label": "long" });
    for (added, accepted) in [(&other, false), (&entry, true)] {
        let log = json!([earlier[0], added]);
        let judged = judge(&old, &json!({"currentNodeId": "skip", "decisionLog": log}));
        assert_eq!(judged.is_ok(), accepted, "{added}");
    }
}

#[test]
fn a_decision_node_may_be_stayed_on_without_a_word() {
    let old = doc(&json!({"currentNodeId": "choose"}));
    assert!(judge(&old, &json!({"variables": {"a": 1}})).is_ok());
}

// ---- outputs ----------------------------------------------------------------------------------

/// The graph, with `write` promising two files and something that is no file.
fn promising() -> Graph {
    let mut graph = graph();
    let write = graph.nodes.iter_mut().find(|node| node.id == id("write")).unwrap();
    write.outputs = vec!["out/a.md".into(), "@project/out/b.md".into(), "a summary".into()];
    graph
}

fn complete_write(outputs: OutputsPolicy, there: &[&str]) -> Result<Accepted, Failure> {
    let old = doc(&json!({"currentNodeId": "write", "stepsCompleted": ["start", "choose"]}));
    let mut evidence = Evidence::default();
    for path in there {
        let read = json!({ "kind": "file_read", "path": path, "sha256": "h" });
        evidence.apply(1, &serde_json::from_value(read).unwrap());
    }
    let text = with(&old, &json!({"currentNodeId": "done"}));
    let given = Circumstances {
        if_match_sha256: None,
        missing: &[],
        evidence: &evidence,
        said: &SaidInStep::default(),
        outputs,
        now: at(1000),
    };
    super::check_transition(&old, &text, &promising(), &given)
}

#[test]
fn a_step_is_completed_with_the_files_that_it_promises() {
    let failure = complete_write(OutputsPolicy::Enforce, &["@project/out/a.md"]).unwrap_err();
    assert_eq!(failure.code, ErrorCode::OutputsMissing);
    let details = failure.details.unwrap();
    let missing =
        json!([{ "kind": "file_exists", "target": "@project/out/b.md", "node": "write" }]);
    assert_eq!(details["missing_facts"], missing);
    let action = &details["required_next_actions"][0];
    assert_eq!(
        (&action["tool"], &action["args"]["pattern"]),
        (&json!("fs_glob"), &json!("out/b.md"))
    );
    crate::tool::parse_call("fs_glob", &action["args"].to_string()).unwrap();
    let both = ["@project/out/a.md", "@project/out/b.md"];
    assert_eq!(complete_write(OutputsPolicy::Enforce, &both).unwrap().without, []);
}

#[test]
fn a_policy_that_warns_names_what_is_missing_and_one_that_is_off_does_not_look() {
    let warned = complete_write(OutputsPolicy::Warn, &["@project/out/b.md"]).unwrap();
    assert_eq!(warned.without, [(id("write"), AliasPath::parse("@project/out/a.md").unwrap())]);
    assert_eq!(complete_write(OutputsPolicy::Off, &[]).unwrap().without, []);
}

// ---- a person's edit --------------------------------------------------------------------------

#[rstest]
#[case(json!({"currentNodeId": "done", "stepsCompleted": []}), None)]
#[case(json!({"currentNodeId": "nowhere"}), Some(ErrorCode::InvalidTransition))]
#[case(json!({"stepsCompleted": ["ghost"]}), Some(ErrorCode::InvalidTransition))]
#[case(json!({"artifacts": 3}), Some(ErrorCode::SchemaValidation))]
fn a_person_may_move_freely_but_only_in_the_graph(
    #[case] values: Value,
    #[case] expected: Option<ErrorCode>,
) {
    let old = doc(&json!({"stepsCompleted": ["start"]}));
    let text = with(&old, &values);
    let result = check_user_edit(Some(&old), &text, &graph());
    assert_eq!(result.as_ref().err().map(|f| f.code), expected);
    if let Ok(doc) = result {
        assert_eq!(&**doc.text(), text);
    }
}

// ---- patches ----------------------------------------------------------------------------------

#[test]
fn a_document_stays_that_of_its_workflow_for_models_and_persons() {
    let old = initial();
    let other = with(&old, &json!({ "workflowRef": "2" }));
    for refused in [
        judge(&old, &json!({ "workflowRef": "2" })).map(|it| it.doc),
        check_user_edit(Some(&old), &other, &graph()),
    ] {
        assert_eq!(refused.unwrap_err().code, ErrorCode::PreconditionFailed);
    }
    assert!(check_user_edit(None, &other, &graph()).is_ok(), "there is nothing that it was before");
    let same = with(&old, &json!({ "workflowRef": "1", "variables": { "a": 1 } }));
    assert!(check_user_edit(Some(&old), &same, &graph()).is_ok());
}

#[test]
fn a_patch_of_the_golden_path_is_accepted_and_keeps_the_rest() {
    let old = initial();
    let ops = [update(json!({
        "currentNodeId": {"set": "choose"},
        "stepsCompleted": {"append": ["start"]},
        "variables": {"set": {"pages": 3}},
        "artifacts": {"append": ["@project/artifacts/a.md"]},
    }))];
    let text = patched(&old, &ops).unwrap();
    let accepted = check_transition(&old, &text, &graph(), None, &[], at(1000)).unwrap();
    assert_eq!(accepted.moved, Some((id("start"), id("choose"))));
    assert_eq!(accepted.doc.artifacts(), ["artifacts/a.md"]);
    assert!(accepted.doc.text().contains("  - kept # as it is\n"));
    assert!(accepted.doc.text().ends_with("\n---\n# Story\n\nBody text.\n"));
}

#[test]
fn operations_are_applied_in_order_and_all_or_nothing() {
    let old = initial();
    let replace = |old: &str, new: &str, all: Option<bool>| PatchOp::Replace {
        old: old.into(),
        new: new.into(),
        all,
    };
    let text = patched(
        &old,
        &[
            replace("Body text.", "First.", None),
            replace("First.", "Second.", None),
            update(json!({"variables": {"set": {"a": 1}}})),
        ],
    )
    .unwrap();
    assert!(text.ends_with("Second.\n") && text.contains("a: 1"));
    let failure = patched(&old, &[replace("Body", "X", None), replace("Body", "Y", None)]);
    assert_eq!(failure.unwrap_err().code, ErrorCode::PatchFailed);
}

#[rstest]
#[case("a b a", "b", "c", false, Ok("a c a"))]
#[case("a b a", "a", "c", true, Ok("c b c"))]
#[case("a b a", "a", "c", false, Err(2))]
#[case("a b a", "x", "c", true, Err(0))]
#[case("a b a", "", "c", true, Err(0))]
#[case("a\r\nb\r\nc", "a\nb", "x\ny", false, Ok("x\r\ny\r\nc"))]
#[case("a\nb", "a\r\nb", "x", false, Err(0))]
fn a_text_is_replaced_where_it_stands_once(
    #[case] text: &str,
    #[case] old: &str,
    #[case] new: &str,
    #[case] all: bool,
    #[case] expected: Result<&str, u64>,
) {
    match (replaced(text, old, new, all), expected) {
        (Ok(got), Ok(expected)) => assert_eq!(got, expected),
        (Err(failure), Err(count)) => {
            assert_eq!(failure.code, ErrorCode::PatchFailed);
            assert_eq!(failure.details.unwrap()["occurrences"], count);
        }
        (got, _) => panic!("{got:?}"),
    }
}

#[test]
fn a_replacement_that_would_make_the_document_huge_is_refused_before_it_is_made() {
    // A million times a million bytes.
    let text = "a".repeat(1_000_000);
    let failure = replaced(&text, "a", &text, true).unwrap_err();
    assert_eq!(failure.code, ErrorCode::PatchFailed);
    assert_eq!(failure.details.unwrap()["occurrences"], 1_000_000);
}

// ---- rewind -----------------------------------------------------------------------------------

#[test]
fn a_rewind_takes_back_the_target_and_all_after_it() {
    let old = doc(&json!({
        "currentNodeId": "done",
        "stepsCompleted": ["start", "choose", "write", "done"],
        "variables": {"pages": 9, "workflowStatus": "complete"},
        "artifacts": ["artifacts/a.md"],
    }));
    let then = json!({"pages": 2, "workflowStatus": "complete"});
    let back = rewound(&old, &graph(), &id("choose"), Some(&then), Some(" wrong size "), at(5));
    let Accepted { doc, repaired, moved, claimed: _, without: _ } = back.unwrap();
    assert_eq!(moved, Some((id("done"), id("choose"))));
    assert!(repaired.is_empty());
    assert_eq!(doc.effective_node(&graph()), Ok(id("choose")));
    assert_eq!(doc.steps_completed(), [id("start")]);
    assert_eq!(doc.variables(), &json!({"pages": 2}));
    assert_eq!(doc.artifacts(), ["artifacts/a.md"]);
    assert_eq!(doc.updated_at(), Some(at(5)));
    assert!(!doc.is_complete(&graph()));
    assert_eq!(
        doc.decision_log(),
        &json!([{"from": "done", "to": "choose", "label": "rewind", "decidedAt": at(5), "reason": "wrong size"}])
    );
    assert!(doc.text().ends_with("# Story\n\nBody text.\n"));
}

#[test]
fn a_rewind_is_told_in_words_by_what_is_done_again_and_by_what_becomes_of_values() {
    let old = doc(&json!({
        "currentNodeId": "done",
        "stepsCompleted": ["start", "choose", "write", "done"],
        "variables": {"pages": 9, "title": "Rain", "workflowStatus": "complete"},
    }));
    let told = |then: &Value, target: &str| {
        let back = rewound(&old, &graph(), &id(target), Some(then), None, at(5)).unwrap();
        say(&rewind_parts(&old, &back.doc, &graph()), Lang::En)
    };
    assert_eq!(
        told(&json!({"pages": 2, "idea": "a", "workflowStatus": "complete"}), "choose"),
        "will be done again: choose, write, done; will be cleared: title; will be as it was then: pages, idea"
    );
    assert_eq!(told(old.variables(), "done"), "will be done again: done");
    let entered = doc(&json!({"currentNodeId": "start"}));
    assert_eq!(
        say(&rewind_parts(&entered, &entered, &graph()), Lang::En),
        "no step will be done again"
    );
}

#[test]
fn a_rewind_without_known_variables_keeps_them_and_clears_the_status() {
    let old = doc(
        &json!({"currentNodeId": "start", "variables": {"a": 1, "workflowStatus": "complete"}}),
    );
    let back = rewound(&old, &graph(), &id("start"), None, None, at(5)).unwrap();
    assert_eq!(back.moved, None);
    assert_eq!(back.doc.variables(), &json!({"a": 1}));
    assert_eq!(back.doc.decision_log()[0].get("reason"), None);
}

#[test]
fn a_rewind_gets_a_run_out_of_a_node_the_graph_does_not_have() {
    let old = doc(&json!({"currentNodeId": "gone"}));
    let back = rewound(&old, &graph(), &id("start"), None, None, at(5)).unwrap();
    assert_eq!(back.doc.effective_node(&graph()), Ok(id("start")));
}

#[rstest]
#[case("write", "never completed")]
#[case("nowhere", "no such node")]
fn a_rewind_goes_only_to_where_the_run_was(#[case] target: &str, #[case] says: &str) {
    let old = doc(&json!({"currentNodeId": "choose", "stepsCompleted": ["start"]}));
    let failure = rewound(&old, &graph(), &id(target), None, None, at(5)).unwrap_err();
    assert_eq!(failure.code, ErrorCode::InvalidTransition);
    assert!(failure.message.contains(says));
    assert_eq!(failure.details.unwrap()["allowedTargets"], json!(["start", "choose"]));
}

#[test]
fn the_current_node_is_done_anew() {
    let old = doc(&json!({
        "currentNodeId": "choose", "stepsCompleted": ["start"], "variables": {"idea": "b"},
    }));
    let then = json!({"idea": "a"});
    let back = rewound(&old, &graph(), &id("choose"), Some(&then), None, at(5)).unwrap();
    assert_eq!((back.moved, back.doc.steps_completed()), (None, &[id("start")][..]));
    assert_eq!(back.doc.variables(), &then);
    let log = &back.doc.decision_log()[0];
    assert_eq!((&log["from"], &log["to"]), (&json!("choose"), &json!("choose")));
    assert_eq!(done_again(&old, &graph(), &id("choose")), [id("choose")]);
    assert_eq!(done_again(&old, &graph(), &id("start")), [id("start"), id("choose")]);
    let graph = graph();
    let targets = rewind_targets(&old, &graph).into_iter().map(|node| node.id.clone());
    assert_eq!(targets.collect::<Vec<_>>(), [id("start"), id("choose")]);
}

// ---- artifacts, summary, diff -----------------------------------------------------------------

#[test]
fn the_list_of_artifacts_is_replaced_when_it_differs() {
    let old = initial();
    let list = ["artifacts/a.md".to_owned()];
    let new = with_artifacts(&old, &list, at(9)).unwrap().unwrap();
    assert_eq!(new.artifacts(), list);
    assert_eq!(new.updated_at(), Some(at(9)));
    assert_eq!(with_artifacts(&new, &list, at(10)), Ok(None));
}

fn summary(old: &StateDoc, new: &StateDoc) -> String {
    say(&parts(old, new), Lang::En)
}

#[test]
fn a_summary_says_in_one_line_what_changed() {
    let old = doc(&json!({
        "currentNodeId": "write", "stepsCompleted": ["start"],
        "variables": {"pages": 1, "workflowStatus": "complete"},
    }));
    let text = with(
        &old,
        &json!({
            "currentNodeId": "done", "stepsCompleted": ["start", "write"], "artifacts": ["a.md"],
            "variables": {"pages": 2, "title": "two\nlines"}, "custom": null,
            "decisionLog": [{"from": "a", "to": "b", "label": "x"}, {"from": "a", "to": "b", "label": "y"}],
        }),
    );
    let new = StateDoc::parse(&text.replace("Body text.", "Other.")).unwrap();
    assert_eq!(
        summary(&old, &new),
        "currentNodeId write → done; stepsCompleted +write; +1 artifact; +2 decisions; \
         pages 1 → 2; title = two lines; workflowStatus removed; custom removed; text changed"
    );
    assert_eq!(summary(&old, &old), "no change");
    assert_eq!(
        summary(&old, &doc(&json!({"currentNodeId": ""}))).split(';').next(),
        Some("currentNodeId write → (start)")
    );
    let later = StateDoc::parse(&with(&old, &json!({"updatedAt": at(7)}))).unwrap();
    assert_eq!(summary(&old, &later), "only updatedAt or layout changed");
}

#[test]
fn a_diff_is_unified_names_the_alias_and_can_be_applied() {
    let old = initial();
    let new = with_artifacts(&old, &["artifacts/a.md".to_owned()], at(9)).unwrap().unwrap();
    let text = diff(old.text(), new.text()).text;
    assert!(text.starts_with("--- @state/workflow.md\n+++ @state/workflow.md\n@@ "), "{text}");
    assert!(
        text.contains("\n+  - artifacts/a.md\n") || text.contains("\n+- artifacts/a.md\n"),
        "{text}"
    );
    let patch = diffy::Patch::from_str(&text).unwrap();
    assert_eq!(diffy::apply(old.text(), &patch).unwrap(), **new.text());
    assert_eq!(diff(old.text(), old.text()).text, "");
}

#[test]
fn a_diff_of_a_huge_change_is_short_and_says_that_it_is_cut() {
    let old = initial();
    let longer = format!("{}{}", old.text(), "x\n".repeat(200_000));
    let diff = diff(old.text(), &longer);
    assert!(diff.cut && diff.added == 200_000);
    assert!(diff.text.len() < 70_000 && diff.text.contains("\n+x\n…\n"), "{}", diff.text.len());
}

// ---- properties -------------------------------------------------------------------------------

fn some_node() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "", "start", "choose", "write", "skip", "done", "lost", "ghost", " write ",
    ])
    .prop_map(str::to_owned)
}

fn values() -> impl Strategy<Value = Value> {
    (
        some_node(),
        prop::collection::vec(some_node().prop_filter("an id", |n| !n.is_empty()), 0..4),
        0..4_i64,
        prop::collection::vec("(@project/)?[ab]\\.md", 0..3),
        prop::option::of((some_node(), some_node())),
        prop::option::of(-1000..2000_i64),
    )
        .prop_map(|(node, steps, pages, artifacts, decision, updated)| {
            let decision: Vec<Value> =
                decision.iter().map(|(from, to)| json!({"from": from, "to": to})).collect();
            let status = ["open", "complete"][usize::from(pages > 1)];
            json!({
                "currentNodeId": node, "stepsCompleted": steps,
                "variables": {"pages": pages, "workflowStatus": status},
                "artifacts": artifacts, "decisionLog": decision, "updatedAt": updated.map(at),
            })
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_the_guard_accepts_is_a_legal_change(
        node in some_node(),
        done in prop::sample::subsequence(vec!["start", "choose", "write", "skip", "done"], 0..5),
        change in values(),
    ) {
        let graph = graph();
        let old = doc(&json!({"currentNodeId": node, "stepsCompleted": done}));
        let before = old.clone();
        let text = with(&old, &change);
        let result = check_transition(&old, &text, &graph, None, &[], at(1000));
        prop_assert_eq!(&old, &before, "judging changes nothing");
        let Ok(accepted) = result else { return Ok(()) };
        let from = old.effective_node(&graph);
        let to = accepted.doc.effective_node(&graph).unwrap();
        let edge = |from: &NodeId| graph.edges.iter().any(|e| e.from == *from && e.to == to);
        if let Some((a, b)) = &accepted.moved {
            prop_assert!(edge(a) && Ok(a) == from.as_ref() && *b == to);
        } else {
            prop_assert_eq!(from, Ok(to));
        }
        for step in old.steps_completed() {
            prop_assert!(accepted.doc.steps_completed().contains(step));
        }
        for step in accepted.doc.steps_completed() {
            prop_assert!(graph.node(step).is_some());
            let was_left = accepted.moved.as_ref().is_some_and(|(left, _)| left == step);
            let is_current = accepted.doc.effective_node(&graph).as_ref() == Ok(step);
            prop_assert!(old.steps_completed().contains(step) || was_left || is_current);
        }
        prop_assert!(!accepted.doc.is_complete(&graph) || accepted.doc.at_end(&graph));
        prop_assert_eq!(&StateDoc::parse(accepted.doc.text()).unwrap(), &accepted.doc);
        let again = check_transition(&old, accepted.doc.text(), &graph, None, &[], at(1001)).unwrap();
        prop_assert_eq!(again.repaired, Vec::<String>::new(), "a repaired document needs no repair");
        prop_assert_eq!(again.doc, accepted.doc);
    }

    #[test]
    fn a_patch_never_takes_a_step_back(
        node in some_node(),
        steps in prop::collection::vec(some_node(), 0..4),
        variables in prop::collection::vec(("[a-c]", prop::option::of(0..3_i64)), 0..4),
    ) {
        let old = doc(&json!({"stepsCompleted": ["start"], "variables": {"a": 1, "pages": 2}}));
        let change = FrontmatterUpdate {
            current_node_id: Some(SetText { set: node }),
            steps_completed: Some(AppendTexts { append: steps }),
            variables: Some(SetMap { set: variables.into_iter().map(|(k, v)| (k, json!(v))).collect() }),
            decision_log: Some(AppendValues { append: vec![] }),
            ..FrontmatterUpdate::default()
        };
        let text = patched(&old, &[PatchOp::UpdateFrontmatter { update: change }]).unwrap();
        if let Ok(accepted) = check_transition(&old, &text, &graph(), None, &[], at(1)) {
            prop_assert!(accepted.doc.steps_completed().starts_with(old.steps_completed()));
            prop_assert_eq!(&accepted.doc.variables()["pages"], 2);
        }
    }
}
