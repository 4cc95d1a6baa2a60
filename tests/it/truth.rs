//! What the runtime says happened, happened: no end before the end, no file that is not there, no
//! answer that is none, and no rewind that keeps silent about files it put back.

use crate::talk::{Talk, call, set_variable, write};
use crate::world::{Script, Scripted, ScriptedCall, Step, Way, World};
use kernel::code::ErrorCode;
use kernel::engine::{FactRecord, Input, Limits};
use kernel::event::{Event, FactKind, Phase, Reason, TurnFinished};
use kernel::ids::NodeId;
use kernel::policy::{ApproveWrites, SystemTools};
use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn last_finish(talk: &Talk) -> TurnFinished {
    let finished = talk.events().rev().find_map(|e| match e {
        Event::TurnFinished(e) => Some(e.clone()),
        _ => None,
    });
    finished.expect("a turn has ended")
}

#[rstest]
#[case::nothing("")]
#[case::blanks(" \n\t\u{3000}\n")]
#[case::nothing_that_is_seen("\u{200b}\u{feff}\u{2060}")]
fn an_empty_reply_is_a_failed_request_and_no_answer(#[case] text: &str) {
    let mut talk = Talk::new(Limits::default());
    talk.reply(text, &[]);
    let finished = last_finish(&talk);
    assert_eq!((finished.phase, finished.reason), (Phase::WaitingUser, Reason::Failed));
    assert_eq!(finished.failure.unwrap().code, ErrorCode::LlmBadResponse);
    assert_eq!(talk.outline().iter().filter(|name| **name == "model_replied").count(), 0);
    assert_eq!(talk.outline().iter().filter(|name| **name == "decision_made").count(), 0);
    talk.input(Input::Resume).unwrap();
    talk.reply("Which topic?", &[]);
    assert_eq!(last_finish(&talk).reason, Reason::Answered);
    let request = talk.requests.last().unwrap();
    assert!(request.messages.iter().all(|m| !m.content.is_empty() || !m.tool_calls.is_empty()));
}

#[test]
fn a_reply_that_asks_for_more_than_one_reply_may_is_a_failed_request_and_runs_nothing() {
    let list = call("fs_list", &json!({ "path": "@project" }));
    let long = write("@project/a.md", &"a".repeat(1024 * 1024));
    for calls in [vec![list.clone(); 65], vec![long]] {
        let mut talk = Talk::new(Limits::default());
        talk.reply("", &calls);
        let finished = last_finish(&talk);
        assert_eq!((finished.phase, finished.reason), (Phase::WaitingUser, Reason::Failed));
        assert_eq!(finished.failure.unwrap().code, ErrorCode::LlmBadResponse);
        let said = |name: &str| talk.outline().iter().filter(|said| **said == name).count();
        assert_eq!((said("model_replied"), said("call_ended")), (0, 0));
        talk.input(Input::Resume).unwrap();
        talk.reply("", &vec![list.clone(); 64]);
        assert_eq!(talk.outline().iter().filter(|said| **said == "call_ended").count(), 64);
    }
}

#[test]
fn a_rewind_whose_state_is_refused_at_last_tells_which_files_it_brought_back() {
    let mut talk = Talk::new(Limits { approve_writes: ApproveWrites::Auto, ..Limits::default() });
    let to_write = json!({ "currentNodeId": { "set": "write" } });
    let patch = json!({ "operation": "updateFrontmatter", "update": to_write });
    let moved = call("fs_apply_patch", &json!({ "path": "@state/workflow.md", "patch": patch }));
    talk.reply("", &[write("@project/notes.md", "first\n"), set_variable("x", "1"), moved]);
    talk.reply("", &[write("@project/notes.md", "second\n"), write("@project/new.md", "new\n")]);
    let rewind = call("workflow_rewind", &json!({ "targetNodeId": "ask", "confirmed": true }));
    talk.reply("", std::slice::from_ref(&rewind));
    let summary = &talk.last_result()["error"]["details"]["pendingChange"]["summary"];
    assert!(summary.as_str().unwrap().ends_with("; 2 files are removed"), "{summary}");
    let ask = json!({
        "widgetId": "workflow_state_change_confirm", "type": "confirmation", "message": "May I?",
    });
    talk.reply("", &[call("ui_ask_user", &ask)]);
    talk.answer(json!({ "confirmed": true }));
    // The state document may not be written any more when it is its turn.
    let tools = SystemTools { max_write_bytes: 10, ..SystemTools::default() };
    talk.during_rewind = Some(Limits { tools, ..Limits::default() });
    talk.reply("", &[rewind]);
    assert!(talk.disk.is_empty(), "{:?}", talk.disk);
    let result = talk.last_result();
    assert_eq!(result.pointer("/error/code"), Some(&json!("E_WRITE_LIMIT")), "{result}");
    let paths = |key: &str| -> Vec<Value> {
        result[key].as_array().into_iter().flatten().map(|file| file["path"].clone()).collect()
    };
    assert_eq!(paths("restored"), ["@project/new.md", "@project/notes.md"]);
    assert_eq!(result["conflicts"], json!([]));
    // What went back is known from now on: nothing is left to bring back.
    let facts = talk.engine.record().facts.clone();
    let of_new = |f: &&FactRecord| f.fact.path.as_ref().is_some_and(|p| p.rel() == "new.md");
    let told = facts.iter().filter(of_new).filter(|f| f.fact.kind != FactKind::Verification);
    assert_eq!(told.count(), 2, "written, and gone again: {facts:#?}");
}

#[test]
fn a_change_tells_of_files_that_were_found_and_of_no_others() {
    let mut talk = Talk::new(Limits { approve_writes: ApproveWrites::Auto, ..Limits::default() });
    let lists = |name: &str| {
        let update = json!({ "artifacts": { "append": [name] } });
        let patch = json!({ "operation": "updateFrontmatter", "update": update });
        call("fs_apply_patch", &json!({ "path": "@state/workflow.md", "patch": patch }))
    };
    talk.disk.insert("@project/yours.md".into(), "yours\n".into());
    talk.reply("", &[lists("yours.md")]);
    assert_eq!(talk.last_result()["found"], json!(["@project/yours.md"]));
    talk.reply("", &[write("@project/mine.md", "mine\n"), lists("mine.md")]);
    assert_eq!(talk.results(), ["ok", "ok", "ok"]);
    let result = talk.last_result();
    for told in ["found", "restored", "conflicts"] {
        assert!(result.get(told).is_none(), "{told} of {result}");
    }
}

// Random calls through the real tools, on a real disk.

const NODES: [&str; 4] = ["ask", "write", "done", "nowhere"];
const FILES: [&str; 5] =
    ["artifacts/a.md", "artifacts/deep/b.md", "notes.md", "found.md", "artifacts"];
/// What a model may write into `artifacts`, right or wrong.
const LISTED: [&str; 10] = [
    "artifacts/a.md",
    "@project/artifacts/a.md",
    "@project/./artifacts//deep/b.md",
    "artifacts/deep/b.md",
    "found.md",
    "notes.md",
    "artifacts",
    "@project/../../etc/passwd",
    "/etc/passwd",
    "@pkg/steps/ask.md",
];

fn state(patch: &Value) -> (&'static str, Value) {
    ("fs_apply_patch", json!({ "path": "@state/workflow.md", "patch": patch }))
}

fn update(update: &Value) -> (&'static str, Value) {
    state(&json!({ "operation": "updateFrontmatter", "update": update }))
}

/// A whole document, as a model may write it anew.
fn document(node: &str, steps: &[&str], artifacts: &[&str], complete: bool) -> String {
    let variables = if complete { "{ workflowStatus: complete }" } else { "{}" };
    format!(
        "---\nschemaVersion: \"1.1\"\nworkflowType: mini\ncurrentNodeId: {node}\n\
         stepsCompleted: {steps:?}\nartifacts: {artifacts:?}\nvariables: {variables}\n---\n# Mini\n"
    )
}

fn a_call() -> impl Strategy<Value = (&'static str, Value)> {
    let node = || prop::sample::select(NODES.to_vec());
    let file = || prop::sample::select(FILES.to_vec());
    let steps = || prop::sample::subsequence(NODES.to_vec(), 0..4);
    let listed = || prop::sample::subsequence(LISTED.to_vec(), 0..3);
    let path = |file: &str| format!("@project/{file}");
    prop_oneof![
        4 => node().prop_map(|n| update(&json!({ "currentNodeId": { "set": n } }))),
        2 => node().prop_map(|n| update(&json!({
            "currentNodeId": { "set": n }, "stepsCompleted": { "append": [n] } }))),
        2 => steps().prop_map(|s| update(&json!({ "stepsCompleted": { "append": s } }))),
        2 => Just(update(&json!({ "variables": { "set": { "workflowStatus": "complete" } } }))),
        4 => listed().prop_map(|l| update(&json!({ "artifacts": { "append": l } }))),
        1 => prop::sample::select(LISTED.to_vec()).prop_map(|l| state(&json!({
            "operation": "replace", "old": "artifacts: []", "new": format!("artifacts: [\"{l}\"]") }))),
        2 => (node(), steps(), listed(), any::<bool>()).prop_map(|(n, s, l, c)| {
            ("fs_write", json!({ "path": "@state/workflow.md", "content": document(n, &s, &l, c) }))
        }),
        4 => (file(), 0..3_u8).prop_map(move |(f, n)| {
            ("fs_write", json!({ "path": path(f), "content": format!("{n}\n") }))
        }),
        2 => file().prop_map(move |f| ("fs_delete", json!({ "path": path(f) }))),
        2 => (file(), file()).prop_map(move |(a, b)| {
            ("fs_move", json!({ "from": path(a), "to": path(b) }))
        }),
        2 => node().prop_map(|n| {
            ("workflow_rewind", json!({ "targetNodeId": n, "confirmed": true }))
        }),
        1 => Just(("ui_ask_user", json!({
            "widgetId": "workflow_state_change_confirm", "type": "confirmation", "message": "May I?" }))),
    ]
}

/// What holds after every line of a run that the model alone has worked on.
fn is_true(world: &World) {
    let snapshot = kernel::snapshot::snapshot(&world.engine).unwrap();
    let at_end = snapshot.state.current_node_id.as_str() == "done"
        && snapshot.state.steps_completed.contains(&NodeId::new("done").unwrap());
    if snapshot.profile == "post-completion" || snapshot.run.phase == Phase::Completed {
        assert!(at_end, "complete before its end: {:#?}", world.outline());
        // From here on the list is the person's.
        return;
    }
    for artifact in &snapshot.state.artifacts {
        let file = world.project.join(artifact);
        let inside =
            Path::new(artifact).components().all(|c| matches!(c, std::path::Component::Normal(_)));
        assert!(inside && file.is_file(), "{artifact}: {:#?}", world.outline());
    }
}

fn mini() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/packages/mini")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_call_ends_a_run_before_its_end_or_lists_a_file_that_is_not_there(
        replies in prop::collection::vec(prop::collection::vec(a_call(), 1..5), 1..12),
        confirmed in any::<bool>(),
    ) {
        let scripted = |(name, arguments): (&str, Value)| ScriptedCall {
            name: name.to_owned(), arguments, raw: None, with_change_id: false,
        };
        let reply = |calls: Vec<(&str, Value)>| Scripted {
            meanwhile: Vec::new(),
            text: String::new(), calls: calls.into_iter().map(scripted).collect(), fail: None, cut: false,
        };
        let script = Script::Replies(replies.into_iter().map(reply).collect());
        let steps = vec![Step::Answer(json!({ "confirmed": confirmed })); 12];
        let mut world = World::new(&mini(), script, steps, Way::Straying, Limits::default());
        std::fs::write(world.project.join("found.md"), "there\n").unwrap();
        world.after_each_line = Some(is_true);
        world.play(None, None);
    }
}
