//! The person takes the run back to a step: as they saw it, with its files, at any time at which it
//! rests.

use crate::changes::call;
use crate::replays;
use crate::world::{Rewound, Script, Scripted, Step, Way, World, files};
use kernel::chat::{ChatRequest, Role};
use kernel::code::{ErrorCode, Failure};
use kernel::effect::{Effect, EffectId};
use kernel::engine::{ExecutionEngine, Input, Limits};
use kernel::event::{Author, Event, Phase, Reason, RewindEnded};
use kernel::graph::SaidInStep;
use kernel::ids::NodeId;
use kernel::path::{AliasPath, Mount};
use kernel::phrase::Lang;
use kernel::policy::ApproveWrites;
use kernel::restore::ConflictReason;
use kernel::snapshot::snapshot;
use kernel::time::Time;
use kernel::tool::rewind::{self, RewindTarget};
use kernel::wire::{Frame, ItemBody, NoticeKind, StepStatus, StepView};
use kernel::words::say;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

fn now() -> Time {
    Time::from_millis(1_767_300_000_000)
}

fn patch(update: &Value) -> Value {
    let patch = json!({ "operation": "updateFrontmatter", "update": update });
    json!({ "name": "fs_apply_patch", "arguments": { "path": "@state/workflow.md", "patch": patch } })
}

fn to(node: &str) -> Value {
    patch(&json!({ "currentNodeId": { "set": node } }))
}

fn write(path: &str, content: &str) -> Value {
    let arguments = json!({ "path": format!("@project/{path}"), "content": content });
    json!({ "name": "fs_write", "arguments": arguments })
}

fn calls(calls: &[Value]) -> Value {
    json!({ "text": "", "calls": calls })
}

fn played(script: Vec<Value>, approve_writes: ApproveWrites, way: Way) -> World {
    let script: Vec<Scripted> = serde_json::from_value(Value::Array(script)).unwrap();
    let limits = Limits { approve_writes, ..Limits::default() };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let package = root.join("tests/fixtures/packages/mini");
    let mut world = World::new(&package, Script::Replies(script), Vec::new(), way, limits);
    world.play(None, None);
    world
}

/// A run that wrote in two steps, and rests in the second one, or at its end.
fn two_steps(then: Vec<Value>) -> World {
    let first =
        [write("a.md", "one\n"), write("b.md", "one\n"), write("c.md", "one\n"), to("write")];
    let second = [write("a.md", "two\n"), write("b.md", "two\n"), write("c.md", "two\n")];
    let mut script = vec![calls(&first), calls(&second)];
    script.extend(then);
    script.extend([json!({ "text": "Is it well?" }), json!({ "text": "I see." })]);
    played(script, ApproveWrites::Auto, Way::Straight)
}

fn at_its_end() -> World {
    let on = [write("artifacts/note.md", "A note.\n"), to("done")];
    let close = patch(&json!({ "stepsCompleted": { "append": ["done"] } }));
    two_steps(vec![calls(&on), calls(&[close])])
}

fn target(node: &str) -> RewindTarget {
    RewindTarget::of(NodeId::new(node).unwrap())
}

fn path(path: &str) -> AliasPath {
    AliasPath::new(Mount::Project, path).unwrap()
}

fn seen(world: &World, target: &RewindTarget) -> String {
    world.rewind_preview(target).unwrap().seen
}

fn back(target: RewindTarget, seen: String) -> Input {
    Input::Rewind { target, reason: None, seen }
}

fn refused(engine: &ExecutionEngine, input: &Input) -> Failure {
    engine.decide(input, now()).unwrap_err().0
}

fn go_back(world: &mut World, target: RewindTarget) -> RewindEnded {
    world.rewind(target, None);
    world.go_on();
    ended(world).clone()
}

fn ended(world: &World) -> &RewindEnded {
    let found = world.events().rev().find_map(|event| match event {
        Event::RewindEnded(e) => Some(e),
        _ => None,
    });
    found.expect("the run went back, or could not")
}

fn text(world: &World, path: &str) -> Option<String> {
    std::fs::read_to_string(world.project.join(path)).ok()
}

fn texts(world: &World) -> [Option<String>; 3] {
    ["a.md", "b.md", "c.md"].map(|path| text(world, path))
}

fn owned(texts: [&str; 3]) -> [Option<String>; 3] {
    texts.map(|text| Some(text.to_owned()))
}

/// What the model is asked next.
fn next_request(engine: &ExecutionEngine) -> ChatRequest {
    let wanted = engine.wanted();
    let id = wanted.iter().find(|id| matches!(id, EffectId::Think(_))).expect("it is asked");
    let Effect::Think(think) = engine.effect(id).unwrap() else { panic!("the model is asked") };
    think.request
}

/// The items a window shows.
fn items(world: &World) -> Vec<ItemBody> {
    let mut view = kernel::view::View::default();
    let mut shown: Vec<kernel::wire::Item> = Vec::new();
    for frame in world.journal.iter().flat_map(|line| view.project(line)) {
        match frame {
            Frame::Upsert { item } => match shown.iter_mut().find(|it| it.id == item.id) {
                Some(before) => *before = *item,
                None => shown.push(*item),
            },
            Frame::Remove { id } => shown.retain(|it| it.id != id),
            _ => {}
        }
    }
    shown.into_iter().map(|item| item.body).collect()
}

#[test]
fn files_go_back_but_for_one_that_somebody_else_changed() {
    let mut world = two_steps(Vec::new());
    std::fs::write(world.project.join("b.md"), "by hand\n").unwrap();
    let shown = world.rewind_preview(&target("write")).unwrap();
    assert_eq!((shown.title.as_str(), shown.undoes_completion), ("Write the note", false));
    assert_eq!(shown.steps, [NodeId::new("write").unwrap()]);
    let files: Vec<_> = shown.files.iter().map(|file| file.path.clone()).collect();
    assert_eq!(files, [path("a.md"), path("c.md")]);
    let stays: Vec<_> = shown.conflicts.iter().map(|it| (it.path.clone(), it.reason)).collect();
    assert_eq!(stays, [(path("b.md"), ConflictReason::Changed)]);
    assert_eq!(texts(&world), owned(["two\n", "by hand\n", "two\n"]), "nothing is written");
    let ended = go_back(&mut world, target("write"));
    assert_eq!(texts(&world), owned(["one\n", "by hand\n", "one\n"]));
    // What happened is what was shown.
    let restored: Vec<_> = ended.files.restored.iter().map(|it| it.path.clone()).collect();
    assert_eq!((restored, &ended.files.conflicts), (files, &shown.conflicts));
    assert_eq!(ended.again, shown.steps);
    // They want it back all the same.
    let overwrite = vec![path("b.md")];
    let ended = go_back(&mut world, RewindTarget { overwrite, ..target("write") });
    assert_eq!(ended.files.conflicts, []);
    assert_eq!(texts(&world), owned(["one\n", "one\n", "one\n"]));
    world.others_at_work = true;
    replays::identical(&world);
}

#[test]
fn the_run_rests_at_the_step_and_the_model_is_told() {
    let mut world = at_its_end();
    assert_eq!(world.engine.core().phase, Phase::Completed);
    std::fs::write(world.project.join("b.md"), "by hand\n").unwrap();
    let shown = world.rewind_preview(&target("write")).unwrap();
    assert!(shown.undoes_completion);
    world.rewind(target("write"), Some("  It is too long.  ".into()));
    world.go_on();
    let core = world.engine.core();
    assert_eq!((core.phase, core.reason), (Phase::WaitingUser, Some(Reason::WentBack)));
    let document = core.doc.as_ref().unwrap();
    assert!(core.is_at_rest());
    assert_eq!(core.mirrored.as_deref(), Some(document.sha256()), "the file says so, too");
    let shown = snapshot(&world.engine).unwrap();
    assert_eq!(shown.profile, "normal");
    let steps: Vec<StepStatus> = shown.progress.steps.iter().map(|step| step.status).collect();
    assert_eq!(steps, [StepStatus::Completed, StepStatus::Current, StepStatus::Pending]);
    let log = core.doc.as_ref().unwrap().decision_log()[0].clone();
    assert_eq!((&log["label"], &log["to"]), (&json!("rewind"), &json!("write")));
    assert_eq!(log["reason"], "It is too long.");
    assert_eq!(
        shown.revisions.iter().rev().find(|it| it.by == Author::User).unwrap().call_id,
        None
    );
    // The file that is gone again is not listed any more.
    assert_eq!(core.doc.as_ref().unwrap().artifacts(), [] as [String; 0]);
    // It goes on from there.
    let line = world.engine.decide(&Input::Resume, now()).unwrap().unwrap();
    world.engine.apply(&line);
    let request = next_request(&world.engine);
    let notes = request.messages.iter().filter(|it| it.content.starts_with("WENT_BACK"));
    let notes: Vec<_> = notes.map(|it| (it.role, it.content.as_str())).collect();
    assert!(matches!(notes.as_slice(), [(Role::User, _)]), "{notes:?}");
    insta::assert_snapshot!("went-back", notes[0].1);
    let all: String = request.messages.iter().map(|it| it.content.as_str()).collect();
    assert!(all.contains("currentNodeId: write") || all.contains("Write the note"), "{all}");
}

#[test]
fn a_window_shows_that_the_step_begins_again() {
    let mut world = two_steps(Vec::new());
    world.rewind(target("write"), Some("Shorter.".into()));
    world.go_on();
    let shown = items(&world);
    let [.., ItemBody::Step { node, .. }, ItemBody::Notice { kind, parts, can_resume, .. }] =
        shown.as_slice()
    else {
        panic!("{:#?}", shown.last())
    };
    assert_eq!((node.as_str(), *kind, *can_resume), ("write", NoticeKind::WentBack, true));
    let lines: Vec<String> =
        parts.iter().map(|part| say(std::slice::from_ref(part), Lang::En)).collect();
    assert_eq!(lines[0], "You took the run back to “Write the note”.");
    assert_eq!(lines[1], "Shorter.");
    assert_eq!(lines[2], "@project/a.md is as it was then");
    assert_eq!(lines.len(), 5, "{lines:?}");
}

#[test]
fn what_is_not_as_it_was_seen_is_refused_and_nothing_is_changed() {
    let mut world = two_steps(Vec::new());
    let saw = seen(&world, &target("write"));
    std::fs::write(world.project.join("c.md"), "by hand\n").unwrap();
    let line = world.engine.decide(&back(target("write"), saw.clone()), now()).unwrap().unwrap();
    world.engine.apply(&line);
    world.journal.push(line);
    world.go_on();
    let failure = ended(&world).files.failure.clone().unwrap();
    assert_eq!(failure.code, ErrorCode::PreconditionFailed);
    assert_eq!(failure.action.as_deref(), Some("Look at it again."));
    assert_eq!(texts(&world), owned(["two\n", "two\n", "by hand\n"]));
    assert_eq!(world.engine.core().node.as_ref().unwrap().as_str(), "write");
    let Some(ItemBody::Notice { kind, .. }) = items(&world).pop() else { panic!("it is told") };
    assert_eq!(kind, NoticeKind::NotWentBack);
    // What was seen of one thing is nothing of another.
    for other in [
        target("ask"),
        RewindTarget { keep_files: true, ..target("write") },
        RewindTarget { overwrite: vec![path("c.md")], ..target("write") },
    ] {
        let saw = seen(&world, &target("write"));
        assert_ne!(seen(&world, &other), saw, "{other:?}");
    }
    let keeps = RewindTarget { keep_files: true, ..target("write") };
    for saw in [saw, String::new(), "0".repeat(1_000_000)] {
        let code = refused(&world.engine, &back(keeps.clone(), saw)).code;
        assert_eq!(code, ErrorCode::PreconditionFailed);
    }
}

#[test]
fn a_second_click_on_the_same_is_refused() {
    let mut world = two_steps(Vec::new());
    for keep_files in [false, true] {
        let target = RewindTarget { keep_files, ..target("ask") };
        let saw = seen(&world, &target);
        let input = back(target.clone(), saw);
        let line = world.engine.decide(&input, now()).unwrap().unwrap();
        world.engine.apply(&line);
        world.journal.push(line);
        if !keep_files {
            let busy = refused(&world.engine, &input);
            assert_eq!(busy.code, ErrorCode::RunBusy, "while the first is at work");
            for other in [Input::Say("Go on.".into()), Input::Resume, Input::StartAfresh] {
                assert_eq!(refused(&world.engine, &other).code, ErrorCode::RunBusy, "{other:?}");
            }
        }
        world.go_on();
        assert_eq!(ended(&world).files.failure, None);
        // Nothing is left to be brought back, and the document is another one.
        let again = refused(&world.engine, &input);
        assert_eq!(again.code, ErrorCode::PreconditionFailed);
    }
}

#[test]
fn files_are_left_alone_when_the_person_says_so() {
    let mut world = two_steps(Vec::new());
    let lines = world.journal.len();
    let ended = go_back(&mut world, RewindTarget { keep_files: true, ..target("ask") });
    assert_eq!((ended.files.restored, ended.files.conflicts), (Vec::new(), Vec::new()));
    assert_eq!(texts(&world), owned(["two\n", "two\n", "two\n"]));
    // One line, and the file of the document.
    assert_eq!(world.journal.len(), lines + 2, "{:#?}", world.outline());
    assert_eq!(ended.again, ["ask", "write"].map(|node| NodeId::new(node).unwrap()));
    replays::identical(&world);
}

#[test]
fn a_run_goes_back_only_to_where_it_was() {
    let world = two_steps(Vec::new());
    for (node, code) in [
        ("ask", None),
        ("write", None),
        ("done", Some(ErrorCode::InvalidTransition)),
        ("nowhere", Some(ErrorCode::InvalidTransition)),
    ] {
        let shown = world.rewind_preview(&target(node));
        assert_eq!(shown.as_ref().err().map(|failure| failure.code), code, "{node}");
        let input = back(target(node), "0".repeat(64));
        if code.is_some() {
            let failure = refused(&world.engine, &input);
            assert_eq!(Some(failure.code), code, "{node}");
            assert_eq!(failure.action.as_deref(), Some("It can go back to: ask, write."));
        }
    }
}

#[test]
fn nothing_else_may_wait_and_the_run_rests() {
    let asks = |engine: &ExecutionEngine| refused(engine, &back(target("ask"), "0".repeat(64)));
    let world = two_steps(Vec::new());
    let mut working = world.engine.clone();
    working.apply(&working.decide(&Input::Say("Go on.".into()), now()).unwrap().unwrap());
    assert_eq!(asks(&working).code, ErrorCode::RunBusy);
    // What it would do may be looked at all the same.
    assert!(working.going_back(&target("ask")).is_ok());
    let asked = played(vec![calls(&[write("a.md", "x\n")])], ApproveWrites::Ask, Way::Straight);
    assert!(asked.engine.core().approvals.asked().is_some());
    assert_eq!(asks(&asked.engine).code, ErrorCode::NotNow);
    let long = Input::Rewind {
        target: RewindTarget { keep_files: true, ..target("ask") },
        reason: Some("a".repeat(2 * 1024 * 1024)),
        seen: "0".repeat(64),
    };
    assert_eq!(refused(&world.engine, &long).code, ErrorCode::BadRequest);
    let overwrite = vec![path("a.md"); 1001];
    let too_many = RewindTarget { overwrite: vec![path("a.md"); 1001], ..target("ask") };
    assert_eq!(world.rewind_preview(&too_many).unwrap_err().code, ErrorCode::BadRequest);
    let many = back(RewindTarget { overwrite, ..target("ask") }, "0".repeat(64));
    assert_eq!(refused(&world.engine, &many).code, ErrorCode::BadRequest);
}

#[test]
fn questions_of_what_is_done_again_are_closed() {
    let question = json!({ "name": "ui_ask_user", "arguments":
        { "widgetId": "tone", "type": "selection", "message": "Which tone?", "options": [
            { "value": "warm", "label": "Warm" }, { "value": "dry", "label": "Dry" } ] } });
    let mut world = two_steps(vec![calls(&[question])]);
    let asked = snapshot(&world.engine).unwrap().widget.expect("a question waits").message_id;
    let ended = go_back(&mut world, target("write"));
    assert_eq!(ended.files.failure, None);
    let shown = snapshot(&world.engine).unwrap();
    assert_eq!((shown.widget, shown.widgets), (None, Vec::new()));
    let value = json!(["warm"]);
    let answer =
        Input::Answer { message_id: asked, value, shown_ms: Some(5_000), files: Vec::new() };
    assert_eq!(refused(&world.engine, &answer).code, ErrorCode::WidgetNotFound);
    let closed = |item: &ItemBody| matches!(item, ItemBody::Question { closed: true, .. });
    assert_eq!(items(&world).iter().filter(|item| closed(item)).count(), 1);
}

#[test]
fn a_click_that_came_to_nothing_before_the_program_ended_is_told() {
    let world = two_steps(Vec::new());
    let mut engine = world.engine.clone();
    let asked = back(target("write"), seen(&world, &target("write")));
    engine.apply(&engine.decide(&asked, now()).unwrap().unwrap());
    let line = engine.decide(&Input::Reopened, now()).unwrap().unwrap();
    let [Event::RewindEnded(ended)] = line.events.as_slice() else { panic!("{line:?}") };
    assert_eq!(ended.files.failure.as_ref().unwrap().code, ErrorCode::Interrupted);
    engine.apply(&line);
    assert!(engine.core().is_at_rest(), "it is not tried again each time the run is opened");
}

#[test]
fn a_limit_that_was_reached_is_counted_anew() {
    let mut world = two_steps(Vec::new());
    let limits = Limits { max_turns: 3, ..world.env().limits.clone() };
    world.engine.set_limits(limits);
    go_back(&mut world, target("write"));
    assert_eq!(world.engine.core().turn_requests, 0);
    let line = world.engine.decide(&Input::Resume, now()).unwrap().unwrap();
    world.engine.apply(&line);
    next_request(&world.engine);
}

#[test]
fn a_file_in_the_place_of_a_folder_goes_before_what_was_in_it_comes_back() {
    let moved = json!({ "name": "fs_move", "arguments": {
        "from": "@project/dir", "to": "@project/new/dir" } });
    for way in [Way::Straight, Way::Rebuilt, Way::Crashed, Way::CrashedEarly] {
        let script = json!([
            calls(&[write("dir/a", "x\n")]),
            calls(&[to("write")]),
            calls(std::slice::from_ref(&moved)),
            calls(&[write("dir", "y\n")]),
            { "text": "What now?" },
        ]);
        let script: Vec<Scripted> = serde_json::from_value(script).unwrap();
        let limits = Limits { approve_writes: ApproveWrites::Auto, ..Limits::default() };
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let package = root.join("tests/fixtures/packages/mini");
        let to = NodeId::new("write").unwrap();
        let back = Step::Rewind(Rewound::to(to));
        let mut world = World::new(&package, Script::Replies(script), vec![back], way, limits);
        world.play(None, None);
        assert_eq!(ended(&world).files.conflicts, [], "{way:?}");
        let now = files(&world.project, &world.project);
        assert_eq!(now, BTreeMap::from([("dir/a".to_owned(), "x\n".to_owned())]), "{way:?}");
    }
}

/// Everything that a rewind can change: the files, the state document, and where the run stands.
fn all_of(world: &World) -> (BTreeMap<String, String>, String, Vec<StepView>) {
    let document = world.engine.core().doc.as_ref().unwrap().text().to_string();
    let on_disk = std::fs::read_to_string(world.state_folder().join("workflow.md")).unwrap();
    assert_eq!(document, on_disk);
    let snapshot = snapshot(&world.engine).unwrap();
    (files(&world.project, &world.project), document, snapshot.progress.steps)
}

/// What undoes the last rewind.
fn undo(world: &World) -> RewindTarget {
    let stood = world.engine.core().before_rewind.as_ref().unwrap().node.clone();
    RewindTarget { undo: true, ..RewindTarget::of(stood) }
}

#[test]
fn a_rewind_with_a_file_that_somebody_changed_is_undone_to_the_byte_whatever_was_chosen() {
    for overwrite in [false, true] {
        let mut world = two_steps(Vec::new());
        world.others_change("b.md", Some("by hand\r\n"));
        let before = all_of(&world);
        let chosen = if overwrite { vec![path("b.md")] } else { Vec::new() };
        let went = go_back(&mut world, RewindTarget { overwrite: chosen, ..target("write") });
        assert_eq!(went.files.conflicts.len(), usize::from(!overwrite));
        assert_eq!(text(&world, "a.md").as_deref(), Some("one\n"));
        let b = if overwrite { "one\n" } else { "by hand\r\n" };
        assert_eq!(text(&world, "b.md").as_deref(), Some(b));

        let back = undo(&world);
        let shown = world.rewind_preview(&back).unwrap();
        assert_eq!(shown.steps, Vec::<NodeId>::new(), "nothing is done again");
        assert_eq!(shown.files.len(), 2 + usize::from(overwrite));
        let undone = go_back(&mut world, back);
        assert!(undone.undone && undone.files.failure.is_none(), "{undone:?}");
        assert_eq!(all_of(&world), before, "{overwrite}");

        // And that can be undone in its turn.
        let again = undo(&world);
        go_back(&mut world, again);
        assert_eq!(text(&world, "a.md").as_deref(), Some("one\n"));
        assert_eq!(text(&world, "b.md").as_deref(), Some(b));
    }
}

#[test]
fn what_was_somebody_elses_before_a_rewind_is_so_again_when_that_was_undone() {
    for (by_hand, removed) in [(Some("by hand\r\n"), false), (None, true)] {
        let mut world = two_steps(Vec::new());
        world.others_change("b.md", by_hand);
        let shown = world.rewind_preview(&target("write")).unwrap();
        assert_eq!(shown.conflicts.len(), 1, "{shown:?}");
        let overwrite = vec![path("b.md")];
        go_back(&mut world, RewindTarget { overwrite, ..target("write") });
        let undoes = undo(&world);
        go_back(&mut world, undoes);
        assert_eq!(text(&world, "b.md").is_none(), removed);
        let again = world.rewind_preview(&target("write")).unwrap();
        assert_eq!((again.files, again.conflicts), (shown.files, shown.conflicts));
        let went = go_back(&mut world, target("write"));
        assert_eq!(went.files.conflicts.len(), 1);
        assert_eq!(text(&world, "b.md").as_deref(), by_hand);
    }
}

#[test]
fn what_somebody_put_back_before_a_rewind_was_undone_is_theirs_again() {
    let mut world = two_steps(Vec::new());
    world.others_change("b.md", Some("by hand\n"));
    let overwrite = vec![path("b.md")];
    go_back(&mut world, RewindTarget { overwrite, ..target("write") });
    world.others_change("b.md", Some("by hand\n"));
    let undoes = undo(&world);
    let undone = go_back(&mut world, undoes);
    assert!(undone.files.restored.iter().all(|file| file.path != path("b.md")), "{undone:?}");
    let again = world.rewind_preview(&target("write")).unwrap();
    assert_eq!(again.conflicts.len(), 1, "{again:?}");
}

#[test]
fn a_rewind_that_was_undone_without_its_files_leaves_none_to_bring_back() {
    let mut world = two_steps(Vec::new());
    world.others_change("b.md", Some("by hand\n"));
    go_back(&mut world, target("write"));
    let undoes = RewindTarget { keep_files: true, ..undo(&world) };
    go_back(&mut world, undoes);
    let again = undo(&world);
    let shown = world.rewind_preview(&again).unwrap();
    assert_eq!((shown.files, shown.conflicts), (Vec::new(), Vec::new()));
}

#[test]
fn what_somebody_changed_since_the_rewind_stays_unless_the_person_says_otherwise() {
    let mut world = two_steps(Vec::new());
    let before = all_of(&world);
    go_back(&mut world, target("write"));
    world.others_change("a.md", Some("since then\n"));
    let back = undo(&world);
    let shown = world.rewind_preview(&back).unwrap();
    assert_eq!(shown.conflicts.len(), 1, "{shown:?}");
    let undone = go_back(&mut world, RewindTarget { overwrite: vec![path("a.md")], ..back });
    assert_eq!(undone.files.conflicts, []);
    assert_eq!(all_of(&world), before);
}

#[test]
fn a_completed_run_that_was_taken_back_is_complete_again_when_that_is_undone() {
    let mut world = at_its_end();
    let before = all_of(&world);
    assert_eq!(world.engine.core().phase, Phase::Completed);
    go_back(&mut world, target("write"));
    assert_eq!(world.engine.core().phase, Phase::WaitingUser);
    let back = undo(&world);
    go_back(&mut world, back);
    let core = world.engine.core();
    assert_eq!((core.phase, core.reason), (Phase::Completed, Some(Reason::Completed)));
    assert_eq!(all_of(&world), before);
}

#[test]
fn after_a_rewind_was_undone_the_next_one_brings_back_the_same_bytes() {
    let mut world = two_steps(Vec::new());
    let before = all_of(&world);
    let went = |world: &mut World| {
        go_back(world, target("ask"));
        let back = files(&world.project, &world.project);
        let undoes = undo(world);
        go_back(world, undoes);
        back
    };
    let first = went(&mut world);
    assert_eq!(first, BTreeMap::new());
    for _ in 0..3 {
        assert_eq!(all_of(&world), before);
        assert_eq!(went(&mut world), first);
    }
}

#[test]
fn another_run_in_the_conversation_undoes_nothing_of_the_one_before() {
    let mut world = at_its_end();
    go_back(&mut world, target("write"));
    let undoes = undo(&world);
    go_back(&mut world, undoes);
    assert!(world.engine.core().before_rewind.is_some());
    world.then(vec![Step::Start { input: None }]);
    assert!(world.engine.core().before_rewind.is_none());
    let undoes = RewindTarget { undo: true, ..target("write") };
    let failure = world.rewind_preview(&undoes).unwrap_err();
    assert_eq!(failure.code, ErrorCode::InvalidTransition);
}

#[test]
fn nothing_is_offered_to_be_undone_while_the_person_talks_with_somebody_else() {
    let mut world = two_steps(vec![json!({ "text": "Hello." })]);
    go_back(&mut world, target("write"));
    let status = |world: &World| kernel::snapshot::status(&world.engine).undo;
    assert!(status(&world).is_some());
    world.then(vec![Step::Talk("chat".to_owned())]);
    assert_eq!(status(&world), None);
    world.then(vec![Step::Talk("run".to_owned())]);
    assert!(status(&world).is_some());
}

#[test]
fn nothing_is_undone_once_the_run_has_done_something_more() {
    let mut world = two_steps(vec![json!({ "text": "And now?" })]);
    let refused_now = |world: &World, target: &RewindTarget| {
        let failure = world.rewind_preview(target).unwrap_err();
        assert_eq!(failure.code, ErrorCode::InvalidTransition);
        assert!(world.engine.core().before_rewind.is_none());
        let input = back(target.clone(), "0".repeat(64));
        assert_eq!(refused(&world.engine, &input).code, ErrorCode::InvalidTransition);
    };
    let never = RewindTarget { undo: true, ..target("write") };
    refused_now(&world, &never);
    go_back(&mut world, target("write"));
    let undoes = undo(&world);
    let elsewhere = RewindTarget { undo: true, ..target("ask") };
    assert!(world.rewind_preview(&elsewhere).is_err(), "that is not where it stood");
    // The person edits the document.
    world.then(vec![
        serde_json::from_value(
            json!({ "edit": { "old": "variables: {}", "new": "variables: {a: 1}" } }),
        )
        .unwrap(),
        Step::Resume,
    ]);
    refused_now(&world, &undoes);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    /// Whatever a run did, wherever the program died, and to whichever step it was taken back:
    /// undone, everything is what it was.
    #[test]
    fn a_rewind_is_undone_to_the_byte(
        first in prop::collection::vec(call(), 0..8),
        second in prop::collection::vec(call(), 1..8),
        node in prop::sample::select(vec!["ask", "write"]),
        way in prop::sample::select(vec![Way::Straight, Way::Crashed, Way::CrashedEarly]),
    ) {
        let mut script = first;
        script.push(calls(&[to("write")]));
        script.extend(second);
        script.extend([json!({ "text": "What now?" }), json!({ "text": "I see." })]);
        let mut world = played(script, ApproveWrites::Auto, way);
        let before = all_of(&world);
        // Calls that fail again and again end the turn before the second step.
        let is_at_write = world.engine.core().node.as_ref().is_some_and(|at| at.as_str() == "write");
        let node = if is_at_write { node } else { "ask" };
        world.then(vec![Step::Rewind(Rewound::to(NodeId::new(node).unwrap()))]);
        prop_assert_eq!(&ended(&world).files.failure, &None);
        let back = undo(&world);
        world.then(vec![Step::Rewind(Rewound { undo: true, ..Rewound::to(back.node_id) })]);
        prop_assert!(ended(&world).undone);
        prop_assert_eq!(&ended(&world).files.failure, &None);
        prop_assert_eq!(&ended(&world).files.conflicts, &[]);
        prop_assert_eq!(all_of(&world), before);
    }

    /// Whatever a run did at two steps, and wherever the program died: its files are what they were
    /// when the step was entered.
    #[test]
    fn files_are_what_they_were_when_the_step_began(
        first in prop::collection::vec(call(), 0..8),
        second in prop::collection::vec(call(), 1..8),
        node in prop::sample::select(vec!["ask", "write"]),
        way in prop::sample::select(vec![Way::Straight, Way::Crashed, Way::CrashedEarly]),
    ) {
        let mut script = first.clone();
        script.extend([json!({ "text": "What now?" })]);
        let then: BTreeMap<String, String> = if node == "ask" {
            BTreeMap::new()
        } else {
            let world = played(script, ApproveWrites::Auto, Way::Straight);
            files(&world.project, &world.project)
        };
        let mut script = first;
        script.push(calls(&[to("write")]));
        script.extend(second);
        script.extend([json!({ "text": "What now?" }), json!({ "text": "I see." })]);
        let script: Vec<Scripted> = serde_json::from_value(Value::Array(script)).unwrap();
        let limits = Limits { approve_writes: ApproveWrites::Auto, ..Limits::default() };
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let package = root.join("tests/fixtures/packages/mini");
        let to = NodeId::new(node).unwrap();
        let back = Step::Rewind(Rewound::to(to));
        let mut world = World::new(&package, Script::Replies(script), vec![back], way, limits);
        world.play(None, None);
        prop_assert_eq!(&ended(&world).files.failure, &None);
        let conflicts = ended(&world).files.conflicts.clone();
        let is_folder = |path: &AliasPath| world.project.join(path.rel()).is_dir();
        if !conflicts.is_empty() && conflicts.iter().all(|it| is_folder(&it.path)) {
            // Where a file became a folder, it is told that the file cannot come back.
            return Ok(());
        }
        prop_assert_eq!(&conflicts, &[]);
        prop_assert_eq!(files(&world.project, &world.project), then);
        prop_assert_eq!(world.engine.core().node.as_ref().unwrap().as_str(), node);
        // Calls that failed on what is not there are taken from the record; going back is not.
        world.others_at_work = true;
        let taken = replays::identical(&world).from_record;
        prop_assert!(taken.iter().all(|it| it.what != rewind::NAME), "{:?}", taken);
    }
}

#[test]
fn what_the_person_said_in_the_step_is_said_again_when_going_back_is_undone() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/packages/gated");
    let script = [json!({ "text": "[C] Continue?" }), json!({ "text": "I see." })];
    let script: Vec<Scripted> = serde_json::from_value(json!(script)).unwrap();
    let steps = vec![Step::Say("c".to_owned())];
    let mut world =
        World::new(&package, Script::Replies(script), steps, Way::Straight, Limits::default());
    world.play(None, None);
    let said = |world: &World| world.engine.core().said.clone();
    let before = said(&world);
    assert_ne!(before, SaidInStep::default());
    go_back(&mut world, target("draft"));
    assert_eq!(said(&world), SaidInStep::default());
    go_back(&mut world, RewindTarget { undo: true, ..target("draft") });
    assert_eq!(said(&world), before);
}
