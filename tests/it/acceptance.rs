//! Acceptance (spec 06 "Obligations → decision"): scripted models against a whole engine, the real
//! tools and real files.

use crate::subagent_world::SubagentScript;
use crate::world::{Script, Scripted, Step, Way, World};
use kernel::decision::{Decision, DecisionStatus, NextAction};
use kernel::engine::Limits;
use kernel::event::{CallEnded, Event};
use kernel::policy::ApproveWrites;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

mod criteria;
mod lies;
mod looks;
mod properties;
mod vectors;

const NOTE: &str = "@project/artifacts/note.md";

/// One thing the model says.
#[derive(Debug, Clone)]
struct Said(Value);

/// Nothing but words.
fn says(text: &str) -> Said {
    Said(json!({ "text": text }))
}

/// Calls, each a tool and its arguments.
fn calls<const N: usize>(calls: [(&str, Value); N]) -> Said {
    let call = |(name, arguments): (&str, Value)| json!({ "name": name, "arguments": arguments });
    Said(json!({ "calls": calls.map(call).to_vec() }))
}

impl Said {
    /// Somebody else changes a file while the model says it.
    fn meanwhile(mut self, path: &str, text: Option<&str>) -> Self {
        self.0["meanwhile"] = json!([{ "path": path, "text": text }]);
        self
    }
}

fn write(path: &str, content: &str) -> (&'static str, Value) {
    ("fs_write", json!({ "path": path, "content": content }))
}

fn patch(path: &str, old: &str, new: &str) -> (&'static str, Value) {
    let patch = json!({ "operation": "replace", "old": old, "new": new });
    ("fs_apply_patch", json!({ "path": path, "patch": patch }))
}

fn read(path: &str, texts: &[&str]) -> (&'static str, Value) {
    ("fs_read", json!({ "path": path, "expect_contains": texts }))
}

fn todo(arguments: Value) -> (&'static str, Value) {
    ("todo_write", arguments)
}

fn add(content: &str) -> (&'static str, Value) {
    todo(json!({ "action": "add", "item": { "content": content } }))
}

fn state(update: &Value) -> (&'static str, Value) {
    let patch = json!({ "operation": "updateFrontmatter", "update": update });
    ("fs_apply_patch", json!({ "path": "@state/workflow.md", "patch": patch }))
}

fn to_writing() -> (&'static str, Value) {
    state(&json!({ "currentNodeId": { "set": "write" } }))
}

fn to_the_end() -> (&'static str, Value) {
    let end =
        json!({ "currentNodeId": { "set": "done" }, "stepsCompleted": { "append": ["done"] } });
    state(&end)
}

fn mini() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/packages/mini")
}

/// Only what is asked for is verified (`acceptance.verifyAfterWrite: explicit`).
fn explicit() -> Limits {
    Limits { verify_after_write: false, approve_writes: ApproveWrites::Auto, ..Limits::default() }
}

/// Every write is read back, as is usual.
fn usual() -> Limits {
    Limits { approve_writes: ApproveWrites::Auto, ..Limits::default() }
}

/// Plays what the model says and what the person does; what is not in the script is more words.
fn play(limits: Limits, said: &[Said], steps: &[Step]) -> World {
    play_in(limits, said, steps, |_| {})
}

fn play_in(limits: Limits, said: &[Said], steps: &[Step], prepare: impl FnOnce(&Path)) -> World {
    play_hooked(limits, said, steps, prepare, None)
}

fn play_hooked(
    limits: Limits,
    said: &[Said],
    steps: &[Step],
    prepare: impl FnOnce(&Path),
    hooks: Option<&Value>,
) -> World {
    play_with(limits, said, steps, prepare, hooks, Vec::new())
}

/// The same with sub-agents, of which these are the scripts.
fn play_with(
    limits: Limits,
    said: &[Said],
    steps: &[Step],
    prepare: impl FnOnce(&Path),
    hooks: Option<&Value>,
    subagents: Vec<SubagentScript>,
) -> World {
    let script: Vec<Value> = said.iter().map(|said| said.0.clone()).collect();
    let script: Vec<Scripted> = serde_json::from_value(json!(script)).unwrap();
    let steps = steps.to_vec();
    let mut world = World::new(&mini(), Script::Replies(script), steps, Way::Straying, limits);
    if let Some(hooks) = hooks {
        world = world.with_hooks(hooks);
    }
    prepare(&world.project);
    world.subagents = subagents;
    world.play(None, None);
    world
}

fn put(project: &Path, rel: &str, text: &str) {
    let file = project.join(rel);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
}

fn decisions(world: &World) -> Vec<Decision> {
    let made = world.events().filter_map(|event| match event {
        Event::DecisionMade(made) => Some(made.decision.clone()),
        _ => None,
    });
    made.collect()
}

fn statuses(world: &World) -> Vec<DecisionStatus> {
    decisions(world).iter().map(|decision| decision.status).collect()
}

fn ended(world: &World) -> Vec<CallEnded> {
    let ended = world.events().filter_map(|event| match event {
        Event::CallEnded(ended) => Some(ended.clone()),
        _ => None,
    });
    ended.collect()
}

/// A call that was asked for, as a model makes it.
fn made(action: &NextAction) -> Said {
    Said(json!({ "calls": [{ "name": action.tool, "arguments": action.args }] }))
}

/// Plays the script until something is asked for, and again with a model that makes those calls
/// then: the decision on its last words.
fn obeyed(limits: &Limits, said: &[Said], prepare: fn(&Path)) -> (Decision, Decision) {
    let asked = play_in(limits.clone(), said, &[], prepare);
    let first = decisions(&asked).remove(0);
    assert_eq!(first.status, DecisionStatus::Continue, "{first:#?}");
    let mut obedient = said.to_vec();
    obedient.extend(first.required_next_actions.iter().map(made));
    obedient.push(says("Now it is."));
    let obeyed = play_in(limits.clone(), &obedient, &[], prepare);
    let last = decisions(&obeyed).remove(1);
    (first, last)
}
