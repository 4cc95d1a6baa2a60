//! Sub-agents: what the model of one sees, how many work at once, and how many there are.

use crate::subagent_world::SubagentScript;
use crate::world::{Script, Scripted, Step, Way, World};
use kernel::code::ErrorCode;
use kernel::engine::Limits;
use kernel::event::Event;
use kernel::subagent::TaskType;
use serde_json::{Value, json};
use std::path::Path;

fn spawn(kind: &str, prompt: &str) -> Value {
    json!({ "name": "agent_spawn", "arguments": { "task_type": kind, "prompt": prompt } })
}

/// A run of the small package whose sub-agents report at once; one that is to write much never does.
fn played(script: &Value, steps: Vec<Step>) -> World {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/packages/mini");
    let script: Vec<Scripted> = serde_json::from_value(script.clone()).unwrap();
    let script = Script::Replies(script);
    let mut world = World::new(&package, script, steps, Way::Straight, Limits::default());
    let says = |prompt: &str, script: Value| -> SubagentScript {
        serde_json::from_value(json!({ "prompt": prompt, "script": script })).unwrap()
    };
    let reports = |prompt: &str, report: Value| {
        let calls = json!([{ "name": "agent_report", "arguments": report }]);
        says(prompt, json!([{ "calls": calls }]))
    };
    let writes = |n: usize| {
        let content = n.to_string().repeat(1_000_000);
        let arguments = json!({ "path": "@project/artifacts/note.md", "content": content });
        json!({ "calls": [{ "name": "fs_write", "arguments": arguments }] })
    };
    world.subagents = vec![
        reports("verify", json!({ "summary": "It is.", "status": "passed" })),
        says("Write much", (0..10).map(writes).collect()),
        reports("", json!({ "summary": "Done." })),
    ];
    world.play(None, None);
    world
}

/// The greatest number of sub-agents that were at work at once, and whether one that edits ever worked
/// beside another.
fn at_once(world: &World) -> (usize, bool) {
    let (mut at_work, mut most, mut beside) = (Vec::new(), 0, false);
    for event in world.events() {
        let Event::SubagentUpdated(e) = event else { continue };
        match e.subagent.end {
            None => at_work.push(e.subagent.clone()),
            Some(_) => at_work.retain(|one| one.call_id != e.subagent.call_id),
        }
        most = most.max(at_work.len());
        beside |= at_work.len() > 1 && at_work.iter().any(|one| one.task_type == TaskType::Edit);
    }
    assert!(at_work.is_empty(), "all came to an end");
    (most, beside)
}

#[test]
fn the_model_of_a_sub_agent_sees_its_task_and_the_tools_of_its_kind() {
    let ask = json!({ "name": "agent_spawn", "arguments": {
        "task_type": "edit", "prompt": "Write the note.", "allowed_paths": ["@project/artifacts"],
        "max_steps": 7, "expected_output": "One sentence." } });
    let world = played(
        &json!([
            { "text": "", "calls": [spawn("review", "Review it."), spawn("verify", "Please verify it."), ask] },
            { "text": "What next?" }
        ]),
        Vec::new(),
    );
    let seen: Vec<String> = (world.requests_of_subagents.iter())
        .map(|request| {
            let tools: Vec<&str> = request.tools.iter().map(|tool| tool.name.as_str()).collect();
            let messages = request.messages.iter();
            let messages: Vec<String> =
                messages.map(|m| format!("[{:?}]\n{}", m.role, m.content)).collect();
            format!("{}\n[tools]\n{}", messages.join("\n"), tools.join(" "))
        })
        .collect();
    insta::assert_snapshot!("what-a-sub-agent-sees", seen.join("\n\n======\n\n"));
}

#[test]
fn four_read_at_once_and_one_that_edits_works_alone() {
    let mut calls: Vec<Value> = (0..6).map(|n| spawn("review", &format!("Review {n}."))).collect();
    calls.push(spawn("edit", "Edit it."));
    calls.extend((6..8).map(|n| spawn("verify", &format!("Please verify {n}."))));
    let world =
        played(&json!([{ "text": "", "calls": calls }, { "text": "What next?" }]), Vec::new());
    assert_eq!(at_once(&world), (4, false), "{:#?}", world.outline());
}

#[test]
fn there_are_sixteen_sub_agents_until_the_person_speaks_again() {
    let calls = |from: usize, to: usize| -> Vec<Value> {
        (from..to).map(|n| spawn("review", &format!("Review {n}."))).collect()
    };
    let script = json!([
        { "text": "", "calls": calls(0, 10) },
        { "text": "", "calls": calls(10, 20) },
        { "text": "What next?" },
        { "text": "", "calls": calls(20, 22) },
        { "text": "And now?" }
    ]);
    let world = played(&script, vec![Step::Say("Go on.".to_owned())]);
    let began =
        |event: &&Event| matches!(event, Event::SubagentUpdated(e) if e.subagent.end.is_none());
    assert_eq!(world.events().filter(began).count(), 16 + 2, "{:#?}", world.outline());
    let refused: Vec<&Value> = (world.events())
        .filter_map(|event| match event {
            Event::CallEnded(e) if e.result["ok"] == json!(false) => Some(&e.result["error"]),
            _ => None,
        })
        .collect();
    assert_eq!(refused.len(), 4);
    assert_eq!(refused[0]["code"], "NOT_NOW", "none has ended without a report");
    let told = refused[0].to_string();
    assert!(told.contains("16 sub-agents were asked for"), "{told}");
}

#[test]
fn the_request_of_a_sub_agent_has_an_upper_bound() {
    let script = json!([
        { "text": "", "calls": [spawn("edit", "Write much.")] },
        { "text": "What next?" }
    ]);
    let world = played(&script, Vec::new());
    let failure = world.events().find_map(|event| match event {
        Event::SubagentUpdated(e) => e.subagent.failure.clone(),
        _ => None,
    });
    assert_eq!(failure.unwrap().code, ErrorCode::ContextStillTooLarge, "{:#?}", world.outline());
    assert!(world.requests_of_subagents.len() < 10);
}
