//! With whom the person talks: what the model is told in each mode, what another mode keeps, and
//! what it is refused for.

use crate::world::{Rewound, Script, Scripted, Step, Way, World};
use kernel::chat::{ChatMessage, ChatRequest, Role};
use kernel::code::{ErrorCode, Failure};
use kernel::engine::{Input, Limits, WordsWithFiles};
use kernel::event::{Event, Phase, Reason};
use kernel::ids::{AgentId, PackageId};
use kernel::mode::Mode;
use kernel::policy::ApproveWrites;
use kernel::snapshot::{snapshot, status};
use kernel::time::Time;
use serde_json::{Value, json};
use std::path::Path;

fn world(script: Value, steps: Vec<Step>, approve_writes: ApproveWrites) -> World {
    let script: Vec<Scripted> = serde_json::from_value(script).unwrap();
    let limits = Limits { approve_writes, ..Limits::default() };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let package = root.join("tests/fixtures/packages/mini");
    World::new(&package, Script::Replies(script), steps, Way::Straight, limits)
}

fn talk(with: &str) -> Step {
    Step::Talk(with.to_owned())
}

fn say(text: &str) -> Step {
    Step::Say(text.to_owned())
}

/// Why the engine refuses an input now.
fn refused(world: &World, input: &Input) -> Failure {
    let now = Time::from_millis(1_767_300_000_000);
    world.engine.decide(input, now).expect_err("it is refused").0
}

fn ann(world: &World) -> Mode {
    let package_id = world.env().package.id.clone();
    Mode::Agent { package_id, agent_id: AgentId::new("ann").unwrap() }
}

/// A question, an answer of Ann, a run with one file, and a chat beside it.
fn through_all_modes() -> World {
    let script = json!([
        { "text": "I can read and write your files." },
        { "text": "I am Ann." },
        { "text": "", "calls": [{ "name": "fs_read", "arguments": { "path": "@pkg/steps/ask.md" } }] },
        { "text": "Which topic?" },
        { "text": "I only chat here." },
        { "text": "Still: which topic?" },
    ]);
    let steps = vec![
        talk("ann"),
        say("And who are you?"),
        Step::Start { input: Some("A note, please.".into()) },
        talk("chat"),
        say("What is a tide?"),
        talk("run"),
        say("Tides."),
    ];
    let mut world = world(script, steps, ApproveWrites::Auto);
    world.play_from("chat", Some("What can you do?".into()));
    world
}

fn told(request: &ChatRequest) -> String {
    let line = |message: &ChatMessage| {
        let calls = message.tool_calls.iter().map(|call| format!("\n[call {}]", call.name));
        let role = format!("{:?}", message.role).to_lowercase();
        format!("── {role}\n{}{}", message.content.trim_end(), calls.collect::<String>())
    };
    let messages = request.messages.iter().map(|message| line(message));
    let tools: Vec<&str> = request.tools.iter().map(|tool| tool.name.as_str()).collect();
    let tools = format!("── tools\n{}", tools.join(" "));
    messages.chain([tools]).collect::<Vec<_>>().join("\n")
}

fn conversation(request: &ChatRequest) -> Vec<&ChatMessage> {
    let messages = request.messages.iter();
    messages.map(|message| &**message).filter(|it| it.role != Role::System).collect()
}

#[test]
fn each_mode_has_a_prompt_of_its_own() {
    let world = through_all_modes();
    for (request, mode) in [(0, "chat"), (1, "agent"), (2, "run"), (4, "chat-beside-a-run")] {
        insta::assert_snapshot!(format!("prompt-{mode}"), told(&world.requests[request]));
    }
}

#[test]
fn another_mode_keeps_what_was_said_and_changes_only_what_stands_before_it() {
    let world = through_all_modes();
    let (chat, agent, beside) = (&world.requests[0], &world.requests[1], &world.requests[4]);
    let before = conversation(chat);
    assert_eq!(conversation(agent)[..before.len()], before[..]);
    let before = conversation(agent);
    assert_eq!(conversation(beside)[..before.len()], before[..]);
    let of_ann = |request: &ChatRequest| told(request).contains("A careful writer");
    let modes: Vec<bool> = world.requests.iter().map(of_ann).collect();
    assert_eq!(modes, [false, true, true, true, false, true], "a chat has no persona");
    let last = told(&world.requests[5]);
    assert!(last.contains("RUN_DIRECTIVE") && last.contains("What is a tide?"), "{last}");
    assert!(!told(beside).contains("RUN_DIRECTIVE"), "the run is told nothing of in a chat");
    assert!(!told(beside).contains("forNodeId"));
}

#[test]
fn a_run_waits_as_it_stood_while_the_person_talks_with_somebody_else() {
    let script = json!([
        { "text": "", "calls": [{ "name": "ui_ask_user", "arguments": {
            "widgetId": "topic", "type": "confirmation", "message": "Tides?" } }] },
        { "text": "They come twice a day." },
        { "text": "Tides it is." },
    ]);
    let steps = [
        talk("chat"),
        say("How often are tides?"),
        talk("run"),
        Step::Answer(json!({ "confirmed": true })),
    ];
    let mut world = world(script, steps[..2].to_vec(), ApproveWrites::Auto);
    world.play(None, None);
    let asked = snapshot(&world.engine).unwrap();
    assert_eq!((asked.run.phase, asked.run.reason), (Phase::WaitingUser, Some(Reason::Widget)));
    let question = asked.widget.expect("the run still asks").message_id;
    let now = status(&world.engine);
    assert_eq!(now.waiting_widget, None, "and the chat does not");
    assert_eq!(now.talk.unwrap().reason, Some(Reason::Answered));
    let value = json!({ "confirmed": true });
    let answer = Input::Answer { message_id: question, value, shown_ms: None, files: Vec::new() };
    let failure = refused(&world, &answer);
    assert_eq!(failure.code, ErrorCode::NotNow);
    assert!(failure.action.unwrap().contains("Go back to the run"));
    world.then(steps[2..].to_vec());
    let run = status(&world.engine).run.unwrap();
    assert_eq!(run.reason, Some(Reason::Answered));
    assert!(world.events().any(|event| matches!(event, Event::WidgetAnswered(_))));
}

#[test]
fn todos_and_completion_are_the_runs_alone() {
    let todo = json!({ "name": "todo_write", "arguments": { "action": "plan", "items": [
        { "id": "t1", "content": "Write it" } ] } });
    let script = json!([
        { "text": "", "calls": [todo] },
        { "text": "", "calls": [{ "name": "ui_ask_user", "arguments": {
            "widgetId": "topic", "type": "confirmation", "message": "Tides?" } }] },
        { "text": "Nothing of mine is open." },
    ]);
    let steps = vec![talk("ann"), say("Are you done?")];
    let mut world = world(script, steps, ApproveWrites::Auto);
    world.play(None, None);
    assert_eq!(status(&world.engine).todos.total, 0);
    assert_eq!(snapshot(&world.engine).unwrap().todos.items.len(), 1);
    let finished = world.events().rev().find_map(|event| match event {
        Event::TurnFinished(e) => Some(e.reason),
        _ => None,
    });
    assert_eq!(finished, Some(Reason::Answered), "the run's todos do not keep the agent from it");
}

#[test]
fn what_cannot_be_chosen_is_refused_with_a_way_out() {
    let mut begun = world(json!([{ "text": "Hello." }]), Vec::new(), ApproveWrites::Auto);
    begun.play_from("chat", Some("Hello?".into()));
    let to_run = refused(&begun, &Input::ChooseMode(Mode::Run));
    assert_eq!(to_run.code, ErrorCode::NotNow);
    assert_eq!(to_run.action.as_deref(), Some("Start a run in it."));
    for (package, agent) in [(begun.env().package.id.as_str(), "bob"), ("another-1.0.0", "ann")] {
        let agent = Mode::Agent {
            package_id: PackageId::new(package).unwrap(),
            agent_id: AgentId::new(agent).unwrap(),
        };
        let failure = refused(&begun, &Input::ChooseMode(agent));
        assert_eq!(failure.code, ErrorCode::AgentNotFound);
    }
    let now = Time::from_millis(1_767_300_000_000);
    let same = begun.engine.decide(&Input::ChooseMode(Mode::Chat), now);
    assert_eq!(same, Ok(None), "who is talked with already need not be chosen");
}

#[test]
fn a_run_that_is_not_over_lets_no_other_begin() {
    let mut world = world(json!([{ "text": "Which topic?" }]), Vec::new(), ApproveWrites::Auto);
    world.play(None, None);
    let start = world.start_input("another");
    for with in ["run", "chat"] {
        world.then(vec![talk(with)]);
        let failure = refused(&world, &start);
        assert_eq!(failure.code, ErrorCode::NotNow, "{with}");
        assert!(failure.action.unwrap().starts_with("Finish or end that run first"));
    }
    world.then(vec![talk("run"), Step::EndRun(None)]);
    let now = Time::from_millis(1_767_300_000_000);
    assert!(world.engine.decide(&start, now).unwrap().is_some());
}

#[test]
fn nobody_turns_away_while_a_change_waits_to_be_allowed() {
    let write = json!({ "name": "fs_write", "arguments": {
        "path": "@project/plan.md", "content": "A plan.\n" } });
    let script = json!([{ "text": "", "calls": [write] }]);
    let mut world = world(script, Vec::new(), ApproveWrites::Ask);
    world.play_from("ann", Some("Write the plan.".into()));
    for input in [Input::ChooseMode(Mode::Chat), world.start_input("another")] {
        let failure = refused(&world, &input);
        assert_eq!(failure.code, ErrorCode::NotNow);
        assert!(failure.action.unwrap().starts_with("Allow it or refuse it"));
    }
    assert_eq!(world.engine.core().mode, ann(&world));
}

#[test]
fn words_that_were_meant_for_somebody_else_are_not_said() {
    let mut world = world(json!([{ "text": "Yes?" }]), Vec::new(), ApproveWrites::Auto);
    world.play_from("chat", Some("Hello?".into()));
    let said =
        |to| Input::Say(WordsWithFiles { text: "1".into(), to, ..WordsWithFiles::default() });
    let failure = refused(&world, &said(Some(ann(&world))));
    assert_eq!(failure.code, ErrorCode::NotNow);
    assert!(failure.action.unwrap().starts_with("Look with whom you talk"));
    let now = Time::from_millis(1_767_300_000_000);
    for to in [None, Some(Mode::Chat)] {
        assert!(world.engine.decide(&said(to), now).unwrap().is_some());
    }
}

#[test]
fn writes_of_a_talk_ask_outside_the_projects_artifacts() {
    let write = |path: &str| {
        let arguments = json!({ "path": format!("@project/{path}"), "content": "A plan.\n" });
        json!({ "text": "", "calls": [{ "name": "fs_write", "arguments": arguments }] })
    };
    let script = json!([write("artifacts/plan.md"), write("plan.md")]);
    let mut world = world(script, Vec::new(), ApproveWrites::AskOutside);
    world.play_from("chat", Some("Write the plan.".into()));
    assert!(world.project.join("artifacts/plan.md").is_file());
    assert!(!world.project.join("plan.md").exists());
    let asked = world.engine.core().approvals.asked().expect("the second one asks");
    assert_eq!(asked.path.as_ref().unwrap().to_string(), "@project/plan.md");
}

#[test]
fn a_talk_in_between_takes_nothing_from_a_runs_way_back() {
    let write = |content: &str| {
        let arguments = json!({ "path": "@project/artifacts/note.md", "content": content });
        json!({ "text": "", "calls": [{ "name": "fs_write", "arguments": arguments }] })
    };
    let script = json!([
        write("one\n"),
        { "text": "Which topic?" },
        write("two\n"),
        { "text": "I changed it." },
        { "text": "Back at the beginning." },
    ]);
    let back = Step::Rewind(Rewound::to("ask".parse().unwrap()));
    let steps = vec![talk("chat"), say("Change it."), talk("run"), back, Step::Resume];
    let mut world = world(script, steps, ApproveWrites::Auto);
    world.play(None, None);
    assert!(!world.project.join("artifacts/note.md").exists(), "before the step there was none");
}

#[test]
fn what_a_run_did_before_is_not_held_against_the_next_one() {
    let write = json!({ "name": "fs_write", "arguments": {
        "path": "@project/artifacts/note.md", "content": "one\n", "verify_after_write": false } });
    let script = json!([
        { "text": "", "calls": [write] },
        { "text": "All is written and verified." },
        { "text": "It is." },
        { "text": "It really is." },
        { "text": "Which topic?" },
    ]);
    let mut world = world(script, Vec::new(), ApproveWrites::Auto);
    world.play(None, None);
    let before = world.engine.open_obligations();
    world.then(vec![Step::EndRun(None), Step::Start { input: None }]);
    assert_ne!(before, [], "the first run owed something");
    assert_eq!(world.engine.open_obligations(), []);
    assert_eq!(snapshot(&world.engine).unwrap().changes, []);
}
