//! Exported runs, decided again (spec 08 `.crewrun`): every story's journal comes out as it was
//! recorded, what was changed is found, and no file can do harm.

use crate::world::{Script, Scripted, Step, Way, World};
use host::crewrun::{Contents, FromRecord, Leaks, Recording, Report, pack, read, replay};
use host::secrets::Secret;
use kernel::chat::ChatRequest;
use kernel::code::{ErrorCode, Failure};
use kernel::engine::Limits;
use kernel::event::{Event, Line};
use kernel::policy::{ApproveWrites, SystemTools};
use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Cursor, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Exports what a world has lived through and replays it: nothing may differ. Only where the
/// world's disk was made to fail does the replay have to believe the record.
pub(crate) fn identical(world: &World) -> Report {
    let report = replayed(&world.contents());
    assert!(report.identical, "{:?}: {report:#?}\n{:#?}", world.way, world.outline());
    assert_eq!(report.lines, world.journal.len());
    if !matches!(world.way, Way::Failing | Way::ToolsFailing) {
        let theirs = [
            "someone else changed the file",
            "someone else had changed the file by then",
            "the file or folder held what this run did not make",
        ];
        // No command of the person and no sub-agent works a second time.
        let others = |taken: &&FromRecord| {
            !matches!(taken.what.as_str(), "hook" | "subagent")
                && (!world.others_at_work || !theirs.contains(&taken.why.as_str()))
        };
        let taken: Vec<_> = report.from_record.iter().filter(others).collect();
        assert!(taken.is_empty(), "{:?}: {taken:?}", world.way);
        let replies = world.events().filter(|event| is_reply(event)).count();
        assert_eq!(report.requests, replies);
    }
    report
}

/// One that waits for a gate was a reply, whatever became of it.
fn is_reply(event: &Event) -> bool {
    matches!(event, Event::ModelReplied(_) | Event::CandidateRejected(_))
}

fn replayed(contents: &Contents) -> Report {
    replay(&opened(&packed(contents)).unwrap()).unwrap()
}

fn packed(contents: &Contents) -> Vec<u8> {
    pack(contents, &Leaks::default()).unwrap()
}

fn opened(bytes: &[u8]) -> Result<Recording, Failure> {
    read(Cursor::new(bytes.to_vec()), "run.crewrun")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// A run of the small package in which a model does what it is told.
fn told(script: Value, steps: Vec<Step>, prepare: impl FnOnce(&World)) -> World {
    told_in(Way::Straight, script, steps, prepare)
}

fn told_in(way: Way, script: Value, steps: Vec<Step>, prepare: impl FnOnce(&World)) -> World {
    let package = root().join("tests/fixtures/packages/mini");
    let script: Vec<Scripted> = serde_json::from_value(script).unwrap();
    let script = Script::Replies(script);
    let limits = Limits { approve_writes: ApproveWrites::Auto, ..Limits::default() };
    let mut world = World::new(&package, script, steps, way, limits);
    prepare(&world);
    world.play(None, None);
    world
}

fn call(name: &str, arguments: &Value) -> Value {
    json!({ "text": "", "calls": [{ "name": name, "arguments": arguments }] })
}

/// Reads, patches, appends, lists; what is there before is for the test to say.
fn at_work(prepare: impl FnOnce(&World)) -> World {
    let notes = json!({ "path": "@project/notes.md" });
    let patch = json!({
        "path": "@project/notes.md",
        "patch": { "operation": "replace", "old": "two", "new": "2" },
    });
    let script = json!([
        call("fs_read", &notes),
        call("fs_apply_patch", &patch),
        call("fs_write", &json!({ "path": "@project/artifacts/a.md", "content": "one\n" })),
        call("fs_write", &json!({
            "path": "@project/artifacts/a.md", "content": "two\n", "mode": "append",
        })),
        call("fs_list", &json!({ "path": "@project" })),
        call("fs_search", &json!({ "path": "@project", "query": "two" })),
        call("fs_read", &json!({ "path": "@pkg/steps/ask.md" })),
        call("fs_read", &json!({ "path": "@project/artifacts/missing.md" })),
        { "text": "Done." },
    ]);
    told(script, Vec::new(), prepare)
}

/// The same run with one line of the journal changed, and the header left as it was.
fn with_line(contents: &Contents, at: usize, change: impl FnOnce(&mut String)) -> Vec<u8> {
    let mut files = unzipped(&packed(contents));
    let journal = String::from_utf8(files["journal.jsonl"].clone()).unwrap();
    let mut lines: Vec<String> = journal.lines().map(str::to_owned).collect();
    change(&mut lines[at]);
    files.insert("journal.jsonl".into(), (lines.join("\n") + "\n").into_bytes());
    zipped(&files)
}

fn unzipped(bytes: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut files = BTreeMap::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        files.insert(entry.name().unwrap().into_owned(), bytes);
    }
    files
}

fn zipped(files: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive.start_file(name.as_str(), zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// The place of the first line with such an event.
fn line_with(lines: &[Line], wanted: impl Fn(&Event) -> bool) -> usize {
    lines.iter().position(|line| line.events.iter().any(&wanted)).expect("no such line")
}

/// What a model is told, and what a person says.
fn talk(said: &str) -> World {
    let script = json!([{ "text": "Which topic?" }, { "text": "A good one." }]);
    told(script, vec![Step::Say(said.to_owned())], |_| ())
}

fn whats(report: &Report) -> Vec<&str> {
    report.from_record.iter().map(|taken| taken.what.as_str()).collect()
}

#[test]
fn a_run_on_files_of_its_own_comes_out_the_same() {
    let report = identical(&at_work(|_| ()));
    assert_eq!((report.requests, report.files), (9, 2));
}

/// A folder without files leaves no file to compare: its own listing is what is compared.
#[test]
fn a_folder_the_run_has_emptied_is_moved_and_deleted_again() {
    let file = json!({ "path": "@project/artifacts/box/a.md" });
    let script = json!([
        call("fs_write", &json!({ "path": file["path"], "content": "one\n" })),
        call("fs_delete", &file),
        call("fs_move", &json!({
            "from": "@project/artifacts/box", "to": "@project/artifacts/chest",
        })),
        call("fs_delete", &json!({ "path": "@project/artifacts/chest", "recursive": true })),
        { "text": "Tidy." },
    ]);
    let world = told(script, Vec::new(), |_| ());
    assert!(!world.project.join("artifacts/chest").exists());
    identical(&world);
}

#[test]
fn files_the_run_did_not_make_are_taken_from_the_record_and_listed() {
    let world = at_work(|world| {
        std::fs::write(world.project.join("notes.md"), "one\ntwo\n").unwrap();
        std::fs::write(world.project.join("other.md"), "two\n").unwrap();
    });
    let report = replayed(&world.contents());
    assert!(report.identical, "{report:#?}");
    // What was read whole is known from then on: the patch is made again for real.
    assert_eq!(whats(&report), ["fs.read", "fs.list", "fs.search"]);
    assert_eq!(report.from_record[0].path.as_ref().unwrap().to_string(), "@project/notes.md");
    assert_eq!(report.files, 3);
}

#[test]
fn with_its_pre_image_a_change_of_a_foreign_file_is_made_again() {
    let patch = json!({
        "path": "@project/notes.md", "patch": { "operation": "replace", "old": "two", "new": "2" },
    });
    let script = json!([call("fs_apply_patch", &patch), { "text": "Done." }]);
    let world = told(script, Vec::new(), |world| {
        std::fs::write(world.project.join("notes.md"), "one\ntwo\n").unwrap();
    });
    let mut contents = world.contents();
    let without = replayed(&contents);
    assert!(without.identical, "{without:#?}");
    assert_eq!(whats(&without), ["fs.apply_patch", "fs.apply_patch"]);
    assert_eq!(without.files, 1, "only the state document");
    contents.preimages.push(b"one\ntwo\n".to_vec());
    let with = replayed(&contents);
    assert!(with.identical && with.from_record.is_empty(), "{with:#?}");
    assert_eq!(with.files, 2);
}

#[test]
fn an_overwritten_foreign_file_is_the_runs_own_afterwards() {
    let write = |text: &str| json!({ "path": "@project/notes.md", "content": text });
    let script = json!([
        call("fs_write", &write("mine\n")),
        call("fs_write", &write("mine again\n")),
        { "text": "Done." },
    ]);
    let world = told(script, Vec::new(), |world| {
        std::fs::write(world.project.join("notes.md"), "theirs\n").unwrap();
    });
    let report = replayed(&world.contents());
    assert!(report.identical, "{report:#?}");
    assert_eq!(whats(&report), ["fs.write", "fs.write"], "the first write: prepared, performed");
    assert_eq!(report.files, 2);
}

#[test]
fn what_happened_before_a_crash_and_was_settled_after_it_comes_out_the_same() {
    let write = |text: &str, mode: &str| json!({ "path": "@project/artifacts/a.md", "content": text, "mode": mode });
    let script = json!([
        call("fs_write", &write("one\n", "overwrite")),
        call("fs_write", &write("two\n", "append")),
        { "text": "Done." },
    ]);
    let world = told_in(Way::Lost, script, Vec::new(), |_| ());
    let recovered =
        |e: &&Event| matches!(e, Event::CallEnded(e) if e.result["recovered"] == json!(true));
    assert_eq!(world.events().filter(recovered).count(), 2);
    assert_eq!(identical(&world).files, 2);
}

#[test]
fn a_refused_edit_that_nobody_kept_is_taken_from_the_record() {
    let script = json!([{ "text": "Which topic?" }, { "text": "The file is as it was." }]);
    let edit =
        Step::Edit { old: "currentNodeId: \"\"".into(), new: "currentNodeId: nowhere".into() };
    let world = told(script, vec![edit, Step::Say("And now?".into())], |_| ());
    identical(&world);
    let mut contents = world.contents();
    assert_eq!(contents.put_aside.len(), 1);
    contents.put_aside.clear();
    let report = replayed(&contents);
    assert!(report.identical, "{report:#?}");
    assert_eq!(whats(&report), ["state"]);
}

#[test]
fn one_changed_byte_of_a_reply_is_found_where_it_is_and_where_it_tells() {
    let world = talk("Tea.");
    let at = line_with(&world.journal, |e| matches!(e, Event::ModelReplied(_)));
    let change = |line: &mut String| *line = line.replace("Which topic?", "Which tipic?");
    let report = replay(&opened(&with_line(&world.contents(), at, change)).unwrap()).unwrap();
    assert!(!report.identical);
    assert_eq!(report.differences, 2, "the line, and the next request");
    let first = report.first_difference.unwrap();
    assert!(first.altered);
    assert_eq!(first.difference.seq, world.journal[at].seq);
    assert_eq!(
        (first.difference.event.as_str(), first.difference.field.as_str()),
        ("model_replied", "/reply")
    );
    assert_eq!(first.node_id.unwrap().as_str(), "ask");

    // Exported as if it had always been so, it is still found: the next request does not fit.
    let mut contents = world.contents();
    change(&mut contents.journal[at]);
    let first = replayed(&contents).first_difference.unwrap();
    assert!(!first.altered);
    assert_eq!(
        (first.difference.event.as_str(), first.difference.field.as_str()),
        ("model_replied", "/requestSha256")
    );
    assert!(first.difference.seq > world.journal[at].seq);
}

#[test]
fn a_changed_result_of_a_call_is_found_with_both_values_and_the_tool() {
    let world = at_work(|_| ());
    let at =
        line_with(&world.journal, |e| matches!(e, Event::CallEnded(e) if e.tool == "fs.write"));
    let change = |line: &mut String| {
        assert!(line.contains("\"bytesWritten\":4"), "{line}");
        *line = line.replace("\"bytesWritten\":4", "\"bytesWritten\":5");
    };
    let report = replay(&opened(&with_line(&world.contents(), at, change)).unwrap()).unwrap();
    let first = report.first_difference.unwrap();
    assert_eq!(first.tool.as_deref(), Some("fs.write"));
    assert_eq!(first.difference.field, "/result/bytesWritten");
    assert_eq!((first.difference.recorded, first.difference.replayed), (json!(5), json!(4)));
}

#[test]
fn a_first_state_document_that_the_package_does_not_make_is_a_difference() {
    let mut contents = talk("Tea.").contents();
    assert!(contents.journal[0].contains("stepsCompleted: []"));
    contents.journal[0] =
        contents.journal[0].replace("stepsCompleted: []", "stepsCompleted: [ask]");
    let first = replayed(&contents).first_difference.unwrap();
    assert_eq!((first.difference.seq, first.difference.field.as_str()), (1, "/state"));
}

#[test]
fn a_changed_entry_beside_the_journal_is_a_difference_and_a_changed_package_none_to_be_used() {
    let mut files = unzipped(&packed(&talk("Tea.").contents()));
    files.get_mut("facts.json").unwrap().push(b' ');
    let report = replay(&opened(&zipped(&files)).unwrap()).unwrap();
    let first = report.first_difference.unwrap();
    assert_eq!(
        (first.difference.event.as_str(), first.difference.field.as_str()),
        ("entry", "facts.json")
    );

    files.get_mut("package/steps/ask.md").unwrap().extend(b"More.\n");
    let failure = replay(&opened(&zipped(&files)).unwrap()).unwrap_err();
    assert_eq!(failure.code, ErrorCode::CrewrunInvalid);
}

/// The settings under which each line that names any was decided.
fn settings(world: &World) -> Vec<(u64, Limits)> {
    let named = world.journal.iter().filter_map(|line| Some((line.seq, line.settings.clone()?)));
    named.map(|(seq, limits)| (seq, *limits)).collect()
}

#[test]
fn each_line_is_decided_under_the_settings_of_then() {
    let write = json!({ "path": "@project/notes.md", "content": "one\n" });
    let script = json!([
        call("fs_list", &json!({ "path": "@pkg" })),
        { "text": "Which topic?" },
        call("fs_list", &json!({ "path": "@pkg" })),
        call("fs_write", &write),
        { "text": "Done." },
        { "text": "I have no tools." },
        { "text": "Now I have." },
    ]);
    let begin = Limits { max_turns: 1, ..Limits::default() };
    let more = Limits { max_turns: 50, ..begin.clone() };
    let no_tools = Limits {
        tools: SystemTools { fs_enabled: false, ..SystemTools::default() },
        context_tokens: Some(100_000),
        ..more.clone()
    };
    let small = Limits { context_tokens: Some(10), ..more.clone() };
    let change = |during, limits: &Limits| Step::Settings { during, limits: limits.clone() };
    let auto = Limits { approve_writes: ApproveWrites::Auto, ..more.clone() };
    let steps = vec![
        // The limit was reached; another process has another one.
        change(None, &more),
        Step::Resume,
        Step::Say("Tea.".into()),
        // The call that this request makes is begun without asking.
        change(Some(4), &auto),
        change(None, &no_tools),
        Step::Say("Go on.".into()),
        // They come back while the request without them is on its way.
        change(Some(6), &more),
        Step::Say("And now?".into()),
        // The server says that its context is smaller than what it was just sent.
        change(Some(7), &small),
    ];
    let package = root().join("tests/fixtures/packages/mini");
    let script = Script::Replies(serde_json::from_value(script).unwrap());
    let mut world = World::new(&package, script, steps, Way::Straight, begin.clone());
    world.play(None, None);

    let named = settings(&world);
    let limits: Vec<&Limits> = named.iter().map(|(_, limits)| limits).collect();
    assert_eq!(limits, [&begin, &more, &auto, &no_tools, &more, &small]);
    assert_eq!(named[0].0, 1, "the first line names them");
    assert!(world.outline().iter().all(|event| *event != "change_proposed"), "nobody was asked");
    let offered = |request: &ChatRequest| request.tools.len();
    assert!(offered(&world.requests[5]) < offered(&world.requests[6]));

    // What the settings were when the run was exported does not matter.
    for exported in [Limits::default(), begin, no_tools, small] {
        let mut contents = world.contents();
        contents.environment.limits = exported;
        let report = replayed(&contents);
        assert!(report.identical && report.from_record.is_empty(), "{report:#?}");
        assert_eq!((report.requests, report.lines), (7, world.journal.len()));
    }
}

#[test]
fn other_settings_than_those_of_a_line_are_found_where_they_tell() {
    let mut contents = talk("Tea.").contents();
    let mut line: Value = serde_json::from_str(&contents.journal[0]).unwrap();
    line["settings"]["tools"]["fsEnabled"] = json!(false);
    contents.journal[0] = line.to_string();
    let report = replayed(&contents);
    assert_eq!(report.differences, 2);
    assert_eq!(report.first_difference.unwrap().difference.field, "/requestSha256");
}

/// The same export as an older program would have begun it: its first lines name no cause and no
/// settings.
fn without_causes(contents: &Contents, lines: usize) -> Contents {
    let mut older = contents.clone();
    let mut settings = Value::Null;
    for (at, body) in older.journal.iter_mut().enumerate().take(lines + 1) {
        let mut line: Value = serde_json::from_str(body).unwrap();
        let fields = line.as_object_mut().unwrap();
        if at == lines {
            fields.insert("settings".to_owned(), settings.clone());
        } else {
            assert!(fields.shift_remove("cause").is_some(), "{body}");
            settings = fields.shift_remove("settings").unwrap_or(settings);
        }
        *body = line.to_string();
    }
    older
}

#[test]
fn lines_of_an_older_program_are_taken_from_the_record_and_the_others_are_decided_again() {
    let world = at_work(|_| ());
    let (contents, all) = (world.contents(), world.journal.len());
    for older in 1..=all {
        let report = replayed(&without_causes(&contents, older));
        assert!(report.identical, "{older}: {report:#?}");
        assert_eq!(report.lines, all - older);
        let taken: Vec<_> =
            report.from_record.iter().filter(|taken| taken.what == "line").collect();
        let seqs: Vec<u64> = world.journal[..older].iter().map(|line| line.seq).collect();
        assert_eq!(taken.iter().map(|taken| taken.seq).collect::<Vec<_>>(), seqs);
        assert_eq!(taken[0].why, "the line does not say what caused it");
    }
    // A change of such a line is seen by its hash, as it is in an import.
    let older = without_causes(&contents, 1);
    let change = |line: &mut String| *line = line.replacen("\"turn\":0", "\"turn\": 0", 1);
    let report = replay(&opened(&with_line(&older, 0, change)).unwrap()).unwrap();
    assert!(report.first_difference.unwrap().altered);
}

#[test]
fn a_cause_that_does_not_fit_its_line_is_a_difference() {
    let contents = talk("Tea.").contents();
    for cause in [
        json!("started"),
        json!("answered"),
        json!({ "ended": { "effect": { "perform": "c1" }, "outcome": "called" } }),
        json!({ "ended": { "effect": { "think": 7 }, "outcome": "replied" } }),
    ] {
        let mut other = contents.clone();
        let at = line_with(&contents.lines().unwrap(), |e| matches!(e, Event::ModelReplied(_)));
        let mut line: Value = serde_json::from_str(&other.journal[at]).unwrap();
        line["cause"] = cause.clone();
        other.journal[at] = line.to_string();
        let first = replayed(&other).first_difference.expect("a difference");
        assert_eq!(first.difference.event, "model_replied", "{cause}");
        assert_eq!(first.difference.replayed, Value::Null, "{cause}");
    }
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let contents = at_work(|_| ()).contents();
    assert_eq!(packed(&contents), packed(&contents));
}

#[test]
fn nothing_is_exported_with_a_key_or_a_folder_of_this_machine_in_it() {
    let home = PathBuf::from("/somewhere/people/ann");
    let key = r#"sk-"planted"-0123456789"#;
    let leaks = || {
        let roots = vec![(home.clone(), "[home]".to_owned())];
        Leaks::new(roots, Secret::new(key).into_iter().collect())
    };
    for (said, what) in [("See /somewhere/people/ann/notes.", "[home]"), (key, "an API key")] {
        let contents = talk(said).contents();
        let failure = pack(&contents, &leaks()).unwrap_err();
        assert_eq!(failure.code, ErrorCode::ExportUnsafe);
        let details = failure.details.clone().unwrap();
        assert_eq!((&details["entry"], &details["what"]), (&json!("journal.jsonl"), &json!(what)));
        assert!(!format!("{failure:?}").contains("planted"), "{failure:?}");
        assert!(!format!("{failure:?}").contains("people"), "{failure:?}");
    }
    assert!(pack(&talk("See /somewhere/people/anna.").contents(), &leaks()).is_ok());
    let mut in_the_package = talk("Tea.").contents();
    in_the_package.audit = format!("{}\n", home.display()).into_bytes();
    assert_eq!(pack(&in_the_package, &leaks()).unwrap_err().code, ErrorCode::ExportUnsafe);
}

/// Changes one entry of an export.
fn edited(entry: &str, change: impl FnOnce(String) -> Option<String>) -> Vec<u8> {
    let mut files = unzipped(&packed(&talk("Tea.").contents()));
    let text = String::from_utf8(files.remove(entry).unwrap()).unwrap();
    if let Some(text) = change(text) {
        files.insert(entry.to_owned(), text.into_bytes());
    }
    zipped(&files)
}

#[rstest]
#[case::no_zip(b"not a zip".to_vec(), ErrorCode::ArchiveInvalid, "")]
#[case::no_header(edited("crewrun.json", |_| None), ErrorCode::CrewrunInvalid, "crewrun.json")]
#[case::no_journal(edited("journal.jsonl", |_| None), ErrorCode::CrewrunInvalid, "journal.jsonl")]
#[case::no_package_file(
    edited("package/bmad.json", |_| None), ErrorCode::CrewrunInvalid, "package/bmad.json"
)]
#[case::no_revision(
    edited("state/revisions/00000001.md", |_| None), ErrorCode::CrewrunInvalid, "state/revisions"
)]
#[case::another_format(
    edited("crewrun.json", |t| Some(t.replacen("\"crewrun\"", "\"zip\"", 1))),
    ErrorCode::CrewrunInvalid, "crewrun.json"
)]
#[case::no_version(
    edited("crewrun.json", |t| Some(t.replacen("\"version\": 1", "\"version\": 0", 1))),
    ErrorCode::CrewrunInvalid, "version"
)]
#[case::a_newer_version(
    edited("crewrun.json", |t| Some(t.replacen("\"version\": 1", "\"version\": 2", 1))),
    ErrorCode::CrewrunTooNew, "format 2"
)]
#[case::a_newer_line(
    edited("journal.jsonl", |t| Some(t.replacen("\"v\":1", "\"v\":9", 1))),
    ErrorCode::CrewrunTooNew, "format 9"
)]
#[case::a_damaged_event(
    edited("journal.jsonl", |t| Some(t.replacen("\"runId\":", "\"runIt\":", 1))),
    ErrorCode::CrewrunInvalid, "runId"
)]
#[case::a_line_too_few(
    edited("journal.jsonl", |t| t.split_once('\n').map(|(_, rest)| rest.to_owned())),
    ErrorCode::CrewrunInvalid, "lines"
)]
#[case::a_gap(
    edited("journal.jsonl", |t| Some(t.replacen("\"seq\":2", "\"seq\":3", 1))),
    ErrorCode::CrewrunInvalid, "follow"
)]
#[case::half_a_line(
    edited("journal.jsonl", |t| Some(t.replacen("\"seq\":2", "\"seq\":", 1))),
    ErrorCode::CrewrunInvalid, "line 2"
)]
fn what_is_no_whole_export_is_refused(
    #[case] bytes: Vec<u8>,
    #[case] code: ErrorCode,
    #[case] says: &str,
) {
    let failure = opened(&bytes).unwrap_err();
    assert_eq!(failure.code, code, "{failure:?}");
    assert!(failure.message.contains(says), "{failure:?}");
}

#[test]
fn a_truncated_file_is_refused_wherever_it_ends() {
    let bytes = packed(&talk("Tea.").contents());
    for end in (0..bytes.len()).step_by(bytes.len() / 40) {
        assert_eq!(opened(&bytes[..end]).unwrap_err().code, ErrorCode::ArchiveInvalid, "{end}");
    }
}

#[rstest]
#[case::above("package/../../evil")]
#[case::absolute("/evil")]
#[case::a_drive("C:/evil")]
#[case::backslashes("package\\..\\evil")]
fn an_entry_that_would_land_elsewhere_is_refused(#[case] name: &str) {
    let mut files = unzipped(&packed(&talk("Tea.").contents()));
    files.insert(name.to_owned(), b"evil".to_vec());
    assert_eq!(opened(&zipped(&files)).unwrap_err().code, ErrorCode::ArchiveUnsafe);
}

#[test]
fn an_artifacts_folder_outside_the_project_is_refused() {
    for folder in ["../../evil", "/evil", "C:\\evil"] {
        let mut contents = talk("Tea.").contents();
        let (from, to) = ("\"artifactsDir\":\"artifacts\"", json!(folder));
        assert!(contents.journal[0].contains(from));
        contents.journal[0] = contents.journal[0].replace(from, &format!("\"artifactsDir\":{to}"));
        let failure = replay(&opened(&packed(&contents)).unwrap()).unwrap_err();
        assert_eq!(failure.code, ErrorCode::CrewrunInvalid, "{folder}");
    }
}

static SAMPLE: LazyLock<Contents> = LazyLock::new(|| at_work(|_| ()).contents());

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever happens to the file on its way, it is told; nothing panics.
    #[test]
    fn flipped_bytes_of_the_file_are_refused_or_found(
        flips in proptest::collection::vec((any::<prop::sample::Index>(), 1_u8..), 1..6),
    ) {
        let mut bytes = packed(&SAMPLE);
        for (at, flip) in &flips {
            let at = at.index(bytes.len());
            bytes[at] ^= flip;
        }
        if let Ok(recording) = opened(&bytes) {
            _ = replay(&recording);
        }
    }

    /// The same past the archive's own checks: bytes of the journal are changed.
    #[test]
    fn flipped_bytes_of_the_journal_are_refused_or_found(
        place in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(), to in b' '..b'~',
    ) {
        let place = place.index(SAMPLE.journal.len());
        let mut changed = false;
        let bytes = with_line(&SAMPLE, place, |line| {
            let mut bytes = line.clone().into_bytes();
            let at = at.index(bytes.len());
            changed = bytes[at] != to && bytes[at].is_ascii();
            if changed {
                bytes[at] = to;
            }
            *line = String::from_utf8(bytes).unwrap();
        });
        let report = opened(&bytes).and_then(|recording| replay(&recording));
        if changed && let Ok(report) = report {
            prop_assert!(!report.identical);
        }
    }
}
