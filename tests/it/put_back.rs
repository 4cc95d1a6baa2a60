//! The person puts files back: to what they were before the run, bound to what they saw.

use crate::changes::call;
use crate::world::{Script, Scripted, Way, World, files};
use kernel::chat::Role;
use kernel::code::ErrorCode;
use kernel::engine::{Input, Limits};
use kernel::event::Event;
use kernel::path::{AliasPath, Mount};
use kernel::policy::ApproveWrites;
use kernel::snapshot::snapshot;
use kernel::time::Time;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::path::Path;

fn played(calls: Vec<Value>, there: &[(&str, &str)], way: Way) -> World {
    played_asking(ApproveWrites::Auto, calls, there, way)
}

fn played_asking(
    approve_writes: ApproveWrites,
    calls: Vec<Value>,
    there: &[(&str, &str)],
    way: Way,
) -> World {
    let mut script = calls;
    script.extend([json!({ "text": "That was it." }), json!({ "text": "I see." })]);
    let script: Vec<Scripted> = serde_json::from_value(Value::Array(script)).unwrap();
    let limits = Limits { approve_writes, ..Limits::default() };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let package = root.join("tests/fixtures/packages/mini");
    let mut world = World::new(&package, Script::Replies(script), Vec::new(), way, limits);
    for (path, text) in there {
        let file = world.project.join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    world.play(None, None);
    world
}

fn write(path: &str, content: &str) -> Value {
    let arguments = json!({ "path": format!("@project/{path}"), "content": content });
    json!({ "text": "", "calls": [{ "name": "fs_write", "arguments": arguments }] })
}

fn put_back(world: &mut World, path: &str) -> Option<ErrorCode> {
    world.put_back(path);
    world.go_on();
    world.why_not_put_back().map(|failure| failure.code)
}

fn changes(world: &World) -> Vec<String> {
    let changes = snapshot(&world.engine).unwrap().changes;
    changes.into_iter().map(|effect| effect.path.rel().to_owned()).collect()
}

fn remove_empty_folders(folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            remove_empty_folders(&entry.path());
            _ = std::fs::remove_dir(entry.path());
        }
    }
}

fn text(world: &World, path: &str) -> Option<String> {
    std::fs::read_to_string(world.project.join(path)).ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever a run did, and in whatever order its files are put back. One may have to wait for
    /// another that lies where its folder was.
    #[test]
    fn a_run_all_of_whose_files_are_put_back_has_changed_nothing(
        calls in prop::collection::vec(call(), 1..14),
        there in prop::collection::btree_set(prop::sample::select(vec!["a", "dir/a", "dir/deep/c"]), 0..4),
        order in any::<u64>(),
        way in prop::sample::select(vec![Way::Straight, Way::Crashed, Way::CrashedEarly]),
    ) {
        let there: Vec<(&str, &str)> = there.into_iter().map(|path| (path, "old\n")).collect();
        let mut world = played(calls, &there, way);
        let before = there.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
        let before: std::collections::BTreeMap<String, String> = before.collect();
        for round in 0..40_u64 {
            let left = changes(&world);
            if left.is_empty() {
                break;
            }
            // An empty folder that the run left where a file was is not the file's to take away.
            remove_empty_folders(&world.project);
            let next = (order ^ (round * 7)) % left.len() as u64;
            put_back(&mut world, &left[usize::try_from(next).unwrap()]);
        }
        prop_assert_eq!(changes(&world), Vec::<String>::new());
        prop_assert_eq!(files(&world.project, &world.project), before);
    }
}

fn into_a_folder_of_its_name() -> Vec<Value> {
    let moved = |from: &str, to: &str| {
        let arguments = json!({ "from": from, "to": to });
        json!({ "text": "", "calls": [{ "name": "fs_move", "arguments": arguments }] })
    };
    vec![moved("@project/dir", "@project/new/dir"), moved("@project/new/dir", "@project/dir/a")]
}

#[test]
fn a_file_comes_back_to_where_it_is_in_a_folder_of_its_own_name() {
    for way in [Way::Straight, Way::Crashed, Way::CrashedEarly] {
        let mut world = played(into_a_folder_of_its_name(), &[("dir/a", "old\n")], way);
        assert_eq!(changes(&world), ["dir/a/a"]);
        assert_eq!(put_back(&mut world, "dir/a/a"), None, "{way:?}");
        assert_eq!(text(&world, "dir/a").as_deref(), Some("old\n"), "{way:?}");
        assert_eq!(changes(&world), Vec::<String>::new(), "{way:?}");
    }
}

#[test]
fn a_folder_with_something_of_the_persons_is_not_taken_away_for_a_file() {
    let there = [("dir/a", "old\n")];
    let mut world = played(into_a_folder_of_its_name(), &there, Way::Straight);
    std::fs::write(world.project.join("dir/a/mine"), "mine\n").unwrap();
    assert!(put_back(&mut world, "dir/a/a").is_some());
    assert_eq!(text(&world, "dir/a/mine").as_deref(), Some("mine\n"));
    assert_eq!(text(&world, "dir/a/a").as_deref(), Some("old\n"));
}

#[test]
fn a_file_goes_back_and_the_model_is_told_with_the_next_words() {
    let there = [("a.md", "one\n"), ("old.md", "old\n")];
    let from_old = json!({ "from": "@project/old.md", "to": "@project/docs/new.md" });
    let moved = json!({ "text": "", "calls": [{ "name": "fs_move", "arguments": from_old }] });
    let calls = vec![write("a.md", "two\n"), write("b.md", "new\n"), moved];
    let mut world = played(calls, &there, Way::Straight);
    assert_eq!(put_back(&mut world, "a.md"), None);
    assert_eq!(text(&world, "a.md").as_deref(), Some("one\n"));
    assert_eq!(put_back(&mut world, "b.md"), None);
    assert_eq!(put_back(&mut world, "docs/new.md"), None);
    assert_eq!(text(&world, "old.md").as_deref(), Some("old\n"));
    assert_eq!((text(&world, "b.md"), text(&world, "docs/new.md")), (None, None));
    assert_eq!(changes(&world), Vec::<String>::new());
    let said = Input::Say("And now?".into());
    let line = world.engine.decide(&said, Time::from_millis(1_767_300_000_000)).unwrap().unwrap();
    world.engine.apply(&line);
    let kernel::effect::Effect::Think(think) =
        world.engine.effect(world.engine.wanted().iter().next().unwrap()).unwrap()
    else {
        panic!("the model is asked")
    };
    let notes = think.request.messages.iter().filter(|it| it.content.starts_with("FILES_PUT_BACK"));
    let notes: Vec<_> = notes.map(|it| (it.role, it.content.as_str())).collect();
    insta::assert_snapshot!("files-put-back", notes.iter().map(|(_, it)| *it).collect::<String>());
    assert!(notes.iter().all(|(role, _)| *role == Role::User));
}

#[test]
fn what_the_person_did_not_see_is_not_replaced() {
    let mut world = played(vec![write("a.md", "two\n")], &[("a.md", "one\n")], Way::Straight);
    let path = AliasPath::new(Mount::Project, "a.md").unwrap();
    let now = || Time::from_millis(1_767_300_000_000);
    // Seen as the run left it, and changed by somebody else since.
    let sha256 = Some(kernel::text::sha256_hex(b"two\n"));
    let asked = Input::PutBack { path, sha256 };
    std::fs::write(world.project.join("a.md"), "three\n").unwrap();
    let line = world.engine.decide(&asked, now()).unwrap().unwrap();
    world.engine.apply(&line);
    world.journal.push(line);
    world.go_on();
    let failure = world.why_not_put_back().unwrap();
    assert_eq!(failure.code, ErrorCode::PreconditionFailed);
    assert_eq!(text(&world, "a.md").as_deref(), Some("three\n"));
    assert_eq!(changes(&world), ["a.md"]);
    // Seen as it is, whoever made it: that is what they want gone.
    assert_eq!(put_back(&mut world, "a.md"), None);
    assert_eq!(text(&world, "a.md").as_deref(), Some("one\n"));
    // Its place is another one's by now.
    let moved = json!({ "from": "@project/a.md", "to": "@project/b.md" });
    let moved = json!({ "text": "", "calls": [{ "name": "fs_move", "arguments": moved }] });
    let mut world = played(vec![moved], &[("a.md", "one\n")], Way::Straight);
    std::fs::write(world.project.join("a.md"), "mine\n").unwrap();
    assert_eq!(put_back(&mut world, "b.md"), Some(ErrorCode::PreconditionFailed));
    assert_eq!(text(&world, "a.md").as_deref(), Some("mine\n"));
    assert_eq!(text(&world, "b.md").as_deref(), Some("one\n"));
}

#[test]
fn a_file_is_put_back_while_the_run_rests_and_only_one_that_it_changed() {
    let world = played(vec![write("a.md", "two\n")], &[("b.md", "mine\n")], Way::Straight);
    let now = Time::from_millis(1_767_300_000_000);
    let asked = |path: &str| Input::PutBack {
        path: AliasPath::new(Mount::Project, path).unwrap(),
        sha256: None,
    };
    let refused = |engine: &kernel::engine::ExecutionEngine, path: &str| {
        engine.decide(&asked(path), now).unwrap_err().0.code
    };
    assert_eq!(refused(&world.engine, "b.md"), ErrorCode::NotFound);
    assert_eq!(refused(&world.engine, "nowhere.md"), ErrorCode::NotFound);
    let path = AliasPath::new(Mount::Project, "a.md").unwrap();
    let long = Input::PutBack { path, sha256: Some("a".repeat(1_000_000)) };
    let no_hash = world.engine.decide(&long, now).unwrap_err().0.code;
    assert_eq!(no_hash, ErrorCode::PreconditionFailed);
    let mut engine = world.engine.clone();
    engine.apply(&engine.decide(&asked("a.md"), now).unwrap().unwrap());
    assert_eq!(refused(&engine, "a.md"), ErrorCode::RunBusy, "a second click");
    let mut engine = world.engine.clone();
    engine.apply(&engine.decide(&Input::Say("Go on.".into()), now).unwrap().unwrap());
    assert_eq!(refused(&engine, "a.md"), ErrorCode::RunBusy);
}

#[test]
fn a_click_that_came_to_nothing_before_the_program_ended_is_told() {
    let world = played(vec![write("a.md", "two\n")], &[], Way::Straight);
    let now = Time::from_millis(1_767_300_000_000);
    let path = AliasPath::new(Mount::Project, "a.md").unwrap();
    let mut engine = world.engine.clone();
    let asked = Input::PutBack { path, sha256: None };
    engine.apply(&engine.decide(&asked, now).unwrap().unwrap());
    let line = engine.decide(&Input::Reopened, now).unwrap().unwrap();
    let [Event::PutBackEnded(ended)] = line.events.as_slice() else { panic!("{line:?}") };
    assert_eq!(ended.why_not().unwrap().code, ErrorCode::Interrupted);
    engine.apply(&line);
    assert!(engine.core().is_at_rest(), "it is not tried again each time the run is opened");
}

#[test]
fn what_somebody_undid_by_hand_is_known_to_be_as_it_was() {
    let moved = json!({ "from": "@project/a.md", "to": "@project/b.md" });
    let moved = json!({ "text": "", "calls": [{ "name": "fs_move", "arguments": moved }] });
    let there = [("a.md", "one\n"), ("c.md", "three\n")];
    let calls = vec![moved, write("c.md", "four\n")];
    // The moved file is nowhere any more: its place before the run gets it back.
    let mut world = played(calls.clone(), &there, Way::Straight);
    std::fs::remove_file(world.project.join("b.md")).unwrap();
    assert_eq!(put_back(&mut world, "b.md"), None);
    assert_eq!(text(&world, "a.md").as_deref(), Some("one\n"));
    // It was moved back, and the other one written as it was.
    let mut world = played(calls, &there, Way::Straight);
    std::fs::rename(world.project.join("b.md"), world.project.join("a.md")).unwrap();
    std::fs::write(world.project.join("c.md"), "three\n").unwrap();
    assert_eq!(put_back(&mut world, "b.md"), None);
    assert_eq!(put_back(&mut world, "c.md"), None);
    assert_eq!(text(&world, "a.md").as_deref(), Some("one\n"));
    assert_eq!(changes(&world), Vec::<String>::new());
}

#[test]
fn a_question_about_a_change_is_answered_before_a_file_is_put_back() {
    let world = played_asking(ApproveWrites::Ask, vec![write("a.md", "x\n")], &[], Way::Straight);
    assert!(world.engine.core().approvals.asked().is_some());
    let path = AliasPath::new(Mount::Project, "a.md").unwrap();
    let asked = Input::PutBack { path, sha256: None };
    let now = Time::from_millis(1_767_300_000_000);
    assert_eq!(world.engine.decide(&asked, now).unwrap_err().0.code, ErrorCode::NotNow);
}
