//! Workflows that call workflows (format 1.2), where somebody does what the stories do not: skips them,
//! confuses their documents, comes to them again, moves their files.

use crate::world::{Script, Scripted, Step, Way, World};
use kernel::engine::{Input, Limits};
use kernel::event::{Author, Event, Phase, StateChanged, WorkflowSwitch};
use kernel::policy::ApproveWrites;
use kernel::settings::OutputsPolicy;
use kernel::time::Time;
use kernel::tool::rewind::RewindTarget;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// A workflow: its steps, each with what the graph says of it beside its file, and the ways.
struct Flow {
    id: &'static str,
    steps: Vec<(&'static str, &'static str, Value)>,
    ways: Vec<(&'static str, &'static str)>,
}

const END: &str = "end";
const STEP: &str = "step";
const CALL: &str = "subworkflow";

/// `a`, then `w`, which calls `kid`, then `z`; `kid` has `k1` and `k2`.
fn two_flows(call: &Value) -> [Flow; 2] {
    let steps = vec![("a", STEP, json!({})), ("w", CALL, call.clone()), ("z", END, json!({}))];
    let kid = vec![("k1", STEP, json!({})), ("k2", END, json!({}))];
    [
        Flow { id: "main", steps, ways: vec![("a", "w"), ("w", "z")] },
        Flow { id: "kid", steps: kid, ways: vec![("k1", "k2")] },
    ]
}

fn write_package(folder: &Path, flows: &[Flow]) {
    let write = |path: String, text: String| {
        let file = folder.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    let mut workflows = Vec::new();
    for Flow { id, steps, ways } in flows {
        let nodes = steps.iter().map(|(node, kind, more)| {
            let front = format!("schemaVersion: \"1.2\"\nnodeId: {node}\ntype: {kind}");
            write(format!("{id}/{node}.md"), format!("---\n{front}\n---\n# {node}\n"));
            let mut about = json!({ "id": node, "type": kind, "file": format!("{id}/{node}.md") });
            about.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            about
        });
        let edges = ways.iter().map(|(from, to)| json!({ "from": from, "to": to, "label": "on" }));
        let graph = json!({
            "schemaVersion": "1.2", "entryNodeId": steps[0].0,
            "nodes": nodes.collect::<Vec<_>>(), "edges": edges.collect::<Vec<_>>(),
        });
        write(format!("{id}/workflow.graph.json"), graph.to_string());
        let front = "schemaVersion: \"1.2\"\nworkflowType: x\ncurrentNodeId: \"\"\nstepsCompleted: []\nvariables: {}";
        write(format!("{id}/workflow.md"), format!("---\n{front}\n---\n# {id}\n"));
        let (workflow, graph) = (format!("{id}/workflow.md"), format!("{id}/workflow.graph.json"));
        workflows.push(json!({ "id": id, "workflow": workflow, "graph": graph }));
    }
    let first = flows[0].id;
    let (workflow, graph) =
        (format!("{first}/workflow.md"), format!("{first}/workflow.graph.json"));
    let entry = json!({ "workflow": workflow, "graph": graph, "agents": "agents.json" });
    let manifest = json!({
        "schemaVersion": "1.2", "name": "flows", "version": "1.0.0", "entry": entry, "workflows": workflows,
    });
    write("bmad.json".to_owned(), manifest.to_string());
    let agents = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/packages/nested/agents.json");
    fs::copy(agents, folder.join("agents.json")).unwrap();
}

fn limits() -> Limits {
    Limits { approve_writes: ApproveWrites::Auto, ..Limits::default() }
}

fn world_with(flows: &[Flow], script: Vec<Value>, steps: Vec<Step>, limits: Limits) -> World {
    let temp = tempfile::tempdir().unwrap();
    write_package(temp.path(), flows);
    let script: Vec<Scripted> = serde_json::from_value(Value::Array(script)).unwrap();
    World::new(temp.path(), Script::Replies(script), steps, Way::Straight, limits)
}

fn played(flows: &[Flow], script: Vec<Value>, steps: Vec<Step>) -> World {
    let mut world = world_with(flows, script, steps, limits());
    world.play(None, None);
    world
}

fn calls(calls: &[Value]) -> Value {
    json!({ "text": "", "calls": calls })
}

fn update(update: &Value) -> Value {
    let patch = json!({ "operation": "updateFrontmatter", "update": update });
    json!({ "name": "fs_apply_patch", "arguments": { "path": "@state/workflow.md", "patch": patch } })
}

fn go(node: &str) -> Value {
    update(&json!({ "currentNodeId": { "set": node } }))
}

fn done(node: &str) -> Value {
    update(&json!({ "stepsCompleted": { "append": [node] } }))
}

fn tool(name: &str, arguments: &Value) -> Value {
    json!({ "name": name, "arguments": arguments })
}

fn asks() -> Value {
    json!({ "text": "What now?" })
}

fn step(value: &Value) -> Step {
    serde_json::from_value(value.clone()).unwrap()
}

fn kid() -> Value {
    json!({ "subworkflowRef": "kid" })
}

/// The codes of the calls that failed.
fn refusals(world: &World) -> Vec<String> {
    let failed = world.events().filter_map(|event| match event {
        Event::CallEnded(e) if !e.ok => e.result["error"]["code"].as_str().map(str::to_owned),
        _ => None,
    });
    failed.collect()
}

fn results(world: &World) -> Vec<Value> {
    let results = world.events().filter_map(|event| match event {
        Event::CallEnded(e) => Some(e.result.clone()),
        _ => None,
    });
    results.collect()
}

fn changes(world: &World) -> Vec<&StateChanged> {
    let changes = world.events().filter_map(|event| match event {
        Event::StateChanged(e) => Some(e),
        _ => None,
    });
    changes.collect()
}

/// How often `kid` was called.
fn called(world: &World) -> usize {
    let is_call = |e: &&&StateChanged| matches!(e.switch, Some(WorkflowSwitch::Called { .. }));
    changes(world).iter().filter(is_call).count()
}

fn node(world: &World) -> String {
    world.engine.core().node.as_ref().unwrap().to_string()
}

fn artifacts(world: &World) -> Vec<String> {
    world.engine.core().doc.as_ref().unwrap().artifacts().to_vec()
}

#[test]
fn a_workflow_that_could_not_begin_is_not_skipped_its_step_cannot_be_come_to() {
    // In one line these are 140 KB; as the document of the called workflow has them, megabytes.
    let depth = 30;
    let list = vec!["1"; 70_000].join(",");
    let variables = format!("{}[{list}]{}", "{a: ".repeat(depth), "}".repeat(depth));
    let front = format!(
        "schemaVersion: \"1.2\"\nworkflowType: x\ncurrentNodeId: w\nstepsCompleted: [a]\nvariables: {variables}"
    );
    let arguments =
        json!({ "path": "@state/workflow.md", "content": format!("---\n{front}\n---\n") });
    let passes = json!({ "subworkflowRef": "kid", "passContext": true });
    let script = vec![calls(&[tool("fs_write", &arguments)]), asks()];
    let world = played(&two_flows(&passes), script, Vec::new());
    let [code] = refusals(&world).try_into().unwrap();
    assert!(["E_WRITE_LIMIT", "E_READ_LIMIT"].contains(&&*code), "{code}");
    assert_eq!((node(&world), called(&world)), ("a".to_owned(), 0));
}

#[test]
fn a_called_workflow_is_never_longer_than_a_document_may_be() {
    let passes = json!({ "subworkflowRef": "kid", "passContext": true });
    let set =
        |name: &str| update(&json!({ "variables": { "set": { name: "a".repeat(300_000) } } }));
    let flows = two_flows(&passes);
    let temp = tempfile::tempdir().unwrap();
    write_package(temp.path(), &flows);
    let template = temp.path().join("kid/workflow.md");
    let text = fs::read_to_string(&template).unwrap() + &"b".repeat(700_000);
    fs::write(&template, text).unwrap();
    let agents = temp.path().join("agents.json");
    let text = fs::read_to_string(&agents).unwrap().replace("4096", "1048576");
    fs::write(&agents, text).unwrap();
    let script =
        json!([calls(&[set("one")]), calls(&[set("two")]), calls(&[go("w")]), asks(), asks()]);
    let script: Vec<Scripted> = serde_json::from_value(script).unwrap();
    let mut world =
        World::new(temp.path(), Script::Replies(script), Vec::new(), Way::Straight, limits());
    world.play(None, None);
    assert_eq!(refusals(&world), ["E_WRITE_LIMIT"]);
    assert_eq!((node(&world), called(&world)), ("a".to_owned(), 0));
    // Nor does an edit of the person lead there.
    let there = json!({ "edit": { "old": "currentNodeId: \"\"", "new": "currentNodeId: w" } });
    world.then(vec![step(&there), Step::Resume]);
    assert_eq!((node(&world), called(&world)), ("a".to_owned(), 0));
    assert_eq!(world.put_aside().len(), 1);
}

#[test]
fn a_run_does_not_begin_at_a_step_whose_workflow_could_not_begin() {
    let begins = Flow {
        id: "main",
        steps: vec![("w", CALL, kid()), ("z", END, json!({}))],
        ways: vec![("w", "z")],
    };
    let [_, kid_flow] = two_flows(&kid());
    let temp = tempfile::tempdir().unwrap();
    write_package(temp.path(), &[begins, kid_flow]);
    let template = temp.path().join("kid/workflow.md");
    let text = fs::read_to_string(&template).unwrap();
    let long = 1024 * 1024 - 16 - text.len();
    fs::write(&template, text + &"b".repeat(long)).unwrap();
    let script = Script::Replies(Vec::new());
    let world = World::new(temp.path(), script, Vec::new(), Way::Straight, limits());
    let now = Time::from_millis(1_767_300_000_000);
    let refused = world.engine.decide(&world.start_input("r-1"), now).unwrap_err();
    assert_eq!(refused.0.code.as_str(), "E_WRITE_LIMIT");
}

#[test]
fn a_step_calls_its_workflow_each_time_the_run_comes_to_it() {
    let [main, kid_flow] = two_flows(&kid());
    let again = Flow { ways: vec![("a", "w"), ("w", "a"), ("w", "z")], ..main };
    let round = |first: &str| vec![calls(&[go(first)]), calls(&[go("k2")]), calls(&[done("k2")])];
    let mut script = round("w");
    script.push(calls(&[go("a")]));
    script.extend(round("w"));
    script.extend([calls(&[go("z")]), calls(&[done("z")]), json!({ "text": "Done." })]);
    let world = played(&[again, kid_flow], script, Vec::new());
    assert_eq!((called(&world), refusals(&world)), (2, Vec::new()));
    assert_eq!(world.engine.core().phase, Phase::Completed);
}

#[test]
fn what_a_called_workflow_does_to_artifacts_is_done_to_those_of_the_run() {
    let write = tool("fs_write", &json!({ "path": "@project/artifacts/a.md", "content": "a\n" }));
    let other = tool("fs_write", &json!({ "path": "@project/artifacts/b.md", "content": "b\n" }));
    let moved = json!({ "from": "@project/artifacts/a.md", "to": "@project/artifacts/c.md" });
    let gone = tool("fs_delete", &json!({ "path": "@project/artifacts/b.md" }));
    let script = vec![
        calls(&[write, other, go("w")]),
        calls(&[tool("fs_move", &moved), gone, go("k2")]),
        calls(&[done("k2")]),
        asks(),
    ];
    let world = played(&two_flows(&kid()), script, Vec::new());
    assert_eq!(
        (node(&world), artifacts(&world)),
        ("w".to_owned(), vec!["artifacts/c.md".to_owned()])
    );
}

#[test]
fn files_that_stay_when_their_workflow_is_given_up_stay_artifacts() {
    let write = tool("fs_write", &json!({ "path": "@project/artifacts/k.md", "content": "k\n" }));
    let script = vec![calls(&[go("w")]), calls(&[write]), asks()];
    let mut world = played(&two_flows(&kid()), script.clone(), Vec::new());
    let keeps = RewindTarget { keep_files: true, ..RewindTarget::of("a".parse().unwrap()) };
    world.rewind(keeps, None);
    world.go_on();
    assert_eq!(
        (node(&world), artifacts(&world)),
        ("a".to_owned(), vec!["artifacts/k.md".to_owned()])
    );
    let ended = played(&two_flows(&kid()), script, vec![Step::EndRun(None)]);
    assert_eq!(
        (node(&ended), artifacts(&ended)),
        ("w".to_owned(), vec!["artifacts/k.md".to_owned()])
    );
}

#[test]
fn what_a_calling_step_promises_is_asked_for_when_its_workflow_has_ended() {
    let promises = json!({ "subworkflowRef": "kid", "outputs": ["artifacts/w.md"] });
    let script = || vec![calls(&[go("w")]), calls(&[go("k2")]), calls(&[done("k2")]), asks()];
    let play = |outputs: OutputsPolicy| {
        let limits = Limits { outputs, ..limits() };
        let mut world = world_with(&two_flows(&promises), script(), Vec::new(), limits);
        world.play(None, None);
        let doc = world.engine.core().doc.clone().unwrap();
        let done = doc.steps_completed().iter().any(|id| id.as_str() == "w");
        (done, results(&world).last().unwrap()["missingOutputs"].clone())
    };
    assert_eq!(play(OutputsPolicy::Enforce), (false, json!(["@project/artifacts/w.md"])));
    assert_eq!(play(OutputsPolicy::Warn), (true, json!(["@project/artifacts/w.md"])));
    assert_eq!(play(OutputsPolicy::Off), (true, Value::Null));
    // The step is finished like any other.
    let write = tool("fs_write", &json!({ "path": "@project/artifacts/w.md", "content": "w\n" }));
    let mut rest = script();
    rest.truncate(3);
    rest.extend([
        calls(&[go("z")]),
        calls(&[write, go("z")]),
        calls(&[done("z")]),
        json!({ "text": "Done." }),
    ]);
    let world = played(&two_flows(&promises), rest, Vec::new());
    assert_eq!(refusals(&world), ["E_OUTPUTS_MISSING"]);
    assert_eq!((called(&world), world.engine.core().phase), (1, Phase::Completed));
}

#[test]
fn the_document_of_another_workflow_is_not_taken_for_the_present_one() {
    // Both have a step of every id, so that the other's document would fit.
    let twin = Flow {
        id: "kid",
        steps: vec![("a", STEP, json!({})), ("w", END, json!({}))],
        ways: vec![("a", "w")],
    };
    let [main, _] = two_flows(&kid());
    let copy = tool("fs_read", &json!({ "path": "@state/workflows/main/workflow.md" }));
    let mut world =
        played(&[main, twin], vec![calls(&[go("w")]), calls(&[copy]), asks(), asks()], Vec::new());
    let of_main =
        fs::read_to_string(world.state_folder().join("workflows/main/workflow.md")).unwrap();
    fs::write(world.state_folder().join("workflow.md"), &of_main).unwrap();
    world.then(vec![Step::Say("I changed it.".to_owned())]);
    assert_eq!(node(&world), "a");
    assert!(!changes(&world).iter().any(|e| e.by == Author::User));
    assert_eq!(world.put_aside().len(), 1, "it is kept aside, and told");

    let [main, _] = two_flows(&kid());
    let twin = Flow {
        id: "kid",
        steps: vec![("a", STEP, json!({})), ("w", END, json!({}))],
        ways: vec![("a", "w")],
    };
    let arguments = json!({ "path": "@state/workflow.md", "content": of_main });
    let writes = calls(&[tool("fs_write", &arguments)]);
    let world = played(&[main, twin], vec![calls(&[go("w")]), writes, asks()], Vec::new());
    assert_eq!(refusals(&world), ["E_PRECONDITION_FAILED"]);
}

#[test]
fn in_the_reply_that_led_to_another_workflow_the_document_is_neither_changed_nor_tried() {
    let mut tried = go("k2");
    tried["arguments"]["dryRun"] = true.into();
    let world =
        played(&two_flows(&kid()), vec![calls(&[go("w"), tried, go("k2")]), asks()], Vec::new());
    assert_eq!(refusals(&world), ["E_PRECONDITION_FAILED", "E_PRECONDITION_FAILED"]);
    assert_eq!(results(&world)[0]["activeWorkflowId"], "kid");
    assert_eq!(results(&world)[0]["callStack"], json!([{ "workflowId": "main", "nodeId": "w" }]));
    assert_eq!(node(&world), "k1");
}

#[test]
fn a_person_who_ticks_a_step_off_as_they_come_to_it_has_done_it_themselves() {
    let edit = |new: &str| {
        step(&json!({ "edit": { "old": "currentNodeId: \"\"\nstepsCompleted: []", "new": new } }))
    };
    let ticked =
        vec![edit("currentNodeId: w\nstepsCompleted: [a, w]"), Step::Say("Go on.".to_owned())];
    let world = played(&two_flows(&kid()), vec![asks(), asks()], ticked);
    assert_eq!((node(&world), called(&world)), ("w".to_owned(), 0));
    let comes = vec![edit("currentNodeId: w\nstepsCompleted: [a]"), Step::Say("Go on.".to_owned())];
    let world = played(&two_flows(&kid()), vec![asks(), asks()], comes);
    assert_eq!((node(&world), called(&world)), ("k1".to_owned(), 1));
}

#[test]
fn a_person_who_takes_the_tick_of_a_step_away_has_its_workflow_done_again() {
    let edit = |old: &str, new: &str| step(&json!({ "edit": { "old": old, "new": new } }));
    let steps = vec![
        edit("currentNodeId: \"\"\nstepsCompleted: []", "currentNodeId: w\nstepsCompleted: [a, w]"),
        Step::Say("Go on.".to_owned()),
        edit("stepsCompleted: [a, w]", "stepsCompleted: [a]"),
        Step::Say("Do it all the same.".to_owned()),
    ];
    let world = played(&two_flows(&kid()), vec![asks(), asks(), asks()], steps);
    assert_eq!((node(&world), called(&world)), ("k1".to_owned(), 1));
}

#[test]
fn a_rewind_leads_out_to_where_a_workflow_began_whenever_it_was_entered_last() {
    let edit = json!({ "edit": { "old": "currentNodeId: a", "new": "currentNodeId: w" } });
    let back = json!({ "rewind": { "to": "a" } });
    let flows = || {
        let [main, kid_flow] = two_flows(&kid());
        let mut steps = main.steps;
        steps.insert(1, ("b", STEP, json!({})));
        [Flow { steps, ways: vec![("a", "b"), ("b", "w"), ("w", "z")], ..main }, kid_flow]
    };
    let steps = vec![step(&back), step(&edit), Step::Say("Go on.".to_owned()), step(&back)];
    let world = played(&flows(), vec![calls(&[go("b")]), asks(), asks(), asks()], steps);
    assert_eq!((node(&world), called(&world)), ("a".to_owned(), 1));
    assert_eq!(world.engine.core().nesting.depth(), 0);
}

#[test]
fn hooks_are_told_the_workflow_of_the_step_that_was_entered() {
    let hooks = json!([{ "name": "look", "at": "node_entered", "command": "true" }]);
    let script = vec![calls(&[go("w")]), calls(&[go("k2")]), calls(&[done("k2")]), asks()];
    let steps = vec![Step::EndRun(None)];
    let mut world = world_with(&two_flows(&kid()), script, steps, limits()).with_hooks(&hooks);
    world.play(None, None);
    let told = world.events().filter_map(|event| match event {
        Event::HooksDue(e) => {
            let workflow = e.subject.workflow_id.as_ref().map(ToString::to_string);
            Some((workflow, e.subject.node_id.as_ref().unwrap().to_string()))
        }
        _ => None,
    });
    let kid = Some("kid".to_owned());
    let expected = [(None, "w"), (kid.clone(), "k1"), (kid, "k2")];
    let expected: Vec<_> = expected.into_iter().map(|(id, node)| (id, node.to_owned())).collect();
    assert_eq!(told.collect::<Vec<_>>(), expected, "nothing is entered by coming back or ending");
}

#[test]
fn the_first_words_of_a_run_are_for_the_step_at_which_it_begins() {
    let begins = Flow {
        id: "main",
        steps: vec![("w", CALL, kid()), ("z", END, json!({}))],
        ways: vec![("w", "z")],
    };
    let [_, kid_flow] = two_flows(&kid());
    let mut world = world_with(&[begins, kid_flow], vec![asks()], Vec::new(), limits());
    world.play(None, Some("Begin.".to_owned()));
    let said = world.events().find_map(|event| match event {
        Event::UserSaid(e) => e.for_node_id.clone(),
        _ => None,
    });
    assert_eq!(said.unwrap().as_str(), "k1");
}

#[test]
fn nobody_is_told_that_the_run_is_over_when_a_called_workflow_is() {
    let script = vec![calls(&[go("w")]), calls(&[go("k2")]), calls(&[done("k2")]), asks()];
    let world = played(&two_flows(&kid()), script, Vec::new());
    let told = results(&world).last().unwrap().to_string();
    assert!(told.contains("the workflow is at its end") && !told.contains("the run is"), "{told}");
    let input = Input::EndRun { reason: None };
    let now = Time::from_millis(1_767_300_000_000);
    assert!(world.engine.decide(&input, now).is_ok(), "it is not over");
}
