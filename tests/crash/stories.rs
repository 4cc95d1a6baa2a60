//! The stories: the bundled demos, those of `tests/fixtures/stories` that a demo trace can play,
//! and what else is written to a store.
//!
//! Left out, with the reason: `model-error` and `stop-and-resume` (a trace has no failing request
//! and no Stop button; both are told in `tests/it/stories.rs`).

use kernel::event::ChangeProposed;
use kernel::policy::ApproveWrites;
use kernel::widget::Widget;
use serde_json::{Value, json};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::story::{Act, AsksAgain, Story, scripted, scripted_with};
use support::program::{Sandbox, root};

/// Every story; packages are made below `folder`.
pub(crate) fn all(folder: &Path) -> Vec<Story> {
    let mut stories = vec![
        demo("hello-linear"),
        demo("hello-branch"),
        demo("hello-honest"),
        demo("create-story-micro"),
        told(folder, "append"),
        told(folder, "illegal-transition"),
        told(folder, "invalid-json"),
        told(folder, "moving-and-deleting"),
        told(folder, "read-after-patch"),
        told(folder, "widget"),
        told(folder, "todos"),
        told(folder, "claims-too-early"),
        nested(folder),
        gated(folder),
        subagents(folder),
        persons_edits(folder),
        long_result(folder),
    ];
    let limit = told(folder, "three-identical-failures");
    stories.push(Story { ends_at_a_limit: true, ..limit });
    stories.extend([import(), import_over_a_damaged_copy(), removal()]);
    stories.extend([deletion(), two_widgets(folder), told(folder, "fenced-widget")]);
    stories.extend(approvals(folder));
    stories.extend([rewind(folder), put_back(folder), went_back(folder)]);
    stories.extend([settings(), broken_settings(), salvage(), talks()]);
    stories
}

/// A bundled package, played by its own demo to completion.
fn demo(name: &'static str) -> Story {
    Story::new(name, vec![Act::Run(bundled(name))])
}

fn bundled(name: &str) -> PathBuf {
    root().join("templates/packages").join(name)
}

/// A story of `tests/fixtures/stories` as a package with a trace.
fn told(folder: &Path, name: &'static str) -> Story {
    Story::new(name, vec![Act::Run(fixture(folder, name))])
}

/// Workflows that call workflows, four of them at once.
fn nested(folder: &Path) -> Story {
    let name = "workflows-within-workflows";
    let (from, package) = (root().join("tests/fixtures/packages/nested"), folder.join(name));
    scripted(&from, &package, &written(name)["script"], &[]);
    Story::new(name, vec![Act::Run(package)])
}

/// A story of `tests/fixtures/stories` as it is written there.
fn written(name: &str) -> Value {
    let file = root().join(format!("tests/fixtures/stories/{name}.yaml"));
    serde_yaml::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// The package of a run with this script, in which nobody answers by themselves.
fn unanswered(folder: &Path, name: &str, script: &Value) -> PathBuf {
    let package = folder.join(name);
    scripted(&root().join("tests/fixtures/packages/mini"), &package, script, &[]);
    package
}

fn fixture(folder: &Path, name: &str) -> PathBuf {
    let fixtures = root().join("tests/fixtures");
    let story = written(name);
    let steps = story["steps"].as_array().cloned().unwrap_or_default();
    let answers = steps.iter().filter_map(|step| {
        let answer = step.get("answer").map(|value| serde_json::json!({ "value": value }));
        assert!(answer.is_some() || step.get("edit").is_some() || step.get("say").is_some());
        answer
    });
    let (answers, package) = (answers.collect::<Vec<_>>(), folder.join(name));
    scripted(&fixtures.join("packages/mini"), &package, &story["script"], &answers);
    package
}

/// A package whose run waits for words, and has something to say to them.
pub(crate) fn waiting(folder: &Path) -> PathBuf {
    fixture(folder, "person-edits-state")
}

/// Three questions of one reply and two later ones, each answered by a process of its own. Nothing
/// is asked again: an answer is kept with its line.
fn two_widgets(folder: &Path) -> Story {
    let package = unanswered(folder, "two-widgets", &written("two-widgets")["script"]);
    let answer = |widget: &Widget, _: Option<&ChangeProposed>| match &*widget.widget_id {
        "topic" => json!(["rain"]),
        "tone" => json!("warm"),
        "plan" => json!({ "decision": "approve" }),
        _ => json!({ "confirmed": true }),
    };
    let words = Act::Say("I do not know yet.");
    let acts = vec![Act::Run(package), Act::Answer, Act::Answer, words, Act::Answer, Act::Answer];
    Story { answer, ..Story::new("two-widgets", acts) }
}

/// Calls that wait for the person: allowed once, for a folder, or not.
fn approvals(folder: &Path) -> [Story; 4] {
    use Act::{Answer, Say};
    let asked = |name: &'static str, script: &Value, rest: Vec<Act>| {
        let acts = std::iter::once(Act::Run(unanswered(folder, name, script))).chain(rest);
        let (approve, asks_again) = (ApproveWrites::Ask, AsksAgain::TheRuntime);
        Story { approve, asks_again, answer: allowed, ..Story::new(name, acts.collect()) }
    };
    let told = |name: &'static str, rest| asked(name, &written(name)["script"], rest);
    let append = |text: &str| {
        let arguments = json!({ "path": "@project/diary.md", "content": text, "mode": "append" });
        json!({ "name": "fs_write", "arguments": arguments })
    };
    // What is appended twice stands there twice, whatever the journal says.
    let appends = json!([
        { "text": "I begin.", "calls": [append("one\n")] },
        { "text": "And on.", "calls": [append("two\n"), append("two\n")] },
        { "text": "Written." },
    ]);
    let for_a_folder = vec![Answer, Answer, Answer, Answer, Say("One more file."), Answer];
    [
        asked("approved-appends", &appends, vec![Answer, Answer, Answer]),
        told("approval-once", vec![Answer, Answer]),
        told("approval-folder", for_a_folder),
        told("approval-move", vec![Answer, Answer, Answer]),
    ]
}

/// What the person says to a call: the same whenever it is asked about.
fn allowed(_: &Widget, change: Option<&ChangeProposed>) -> Value {
    let change = change.unwrap();
    let path = change.path.as_ref().unwrap().to_string();
    match (&*change.tool, path.strip_prefix("@project/docs/")) {
        ("fs.write", Some("a.md")) => json!({ "confirmed": true, "forFolder": true }),
        ("fs.write", Some("b.md")) | ("fs.move", _) | (_, None) => json!({ "confirmed": true }),
        (_, Some(_)) => json!({ "confirmed": false }),
    }
}

/// The person's click lets a rewind bring six files back, one by one. When the click has died
/// with its program, the model asks once more.
fn rewind(folder: &Path) -> Story {
    let told = written("rewind-restores-files");
    let back = json!({ "name": "workflow_rewind", "arguments": {
        "targetNodeId": "write", "confirmed": true, "reason": "the user wants so",
    } });
    let ask = json!({ "name": "ui_ask_user", "arguments": {
        "widgetId": "workflow_state_change_confirm", "type": "confirmation", "message": "Go back?",
    } });
    let mut script = told["script"].as_array().unwrap()[..4].to_vec();
    script.extend([
        json!({ "text": "I go back.", "calls": [back, ask] }),
        json!({ "text": "", "calls": [back] }),
        json!({
            // Only the result of a rewind that was made says this.
            "when": { "anyContains": ["\"complete\":false,\"restored\":"] },
            "reply": { "text": "Back at writing. What shall I change?" },
            "otherwise": { "text": "Once more.", "calls": [back, ask] },
        }),
    ]);
    let package = unanswered(folder, "rewind", &script.into());
    let acts = vec![Act::Run(package), Act::Say("Go back to writing, please."), Act::Answer];
    // What is asked after the rewind is about nothing.
    let answer =
        |_: &Widget, change: Option<&ChangeProposed>| json!({ "confirmed": change.is_some() });
    let asks_again = AsksAgain::TheModel;
    Story { answer, asks_again, ..Story::new("rewind", acts) }
}

/// A file that the run changed, and one that it moved, are put back by the person.
fn put_back(folder: &Path) -> Story {
    let before = |sandbox: &Sandbox| {
        std::fs::write(sandbox.project().join("plan.md"), "old plan\n").unwrap();
        std::fs::write(sandbox.project().join("here.md"), "a file\n").unwrap();
    };
    let script = json!([
        { "text": "I change them.", "calls": [
            { "name": "fs_write", "arguments": { "path": "@project/plan.md", "content": "new plan\n" } },
            { "name": "fs_move", "arguments": { "from": "@project/here.md", "to": "@project/there.md" } },
        ] },
        { "text": "Is it well?" },
    ]);
    // Not found: it was put back before the program died.
    let put_back = |path: &str| command(&["runs", "put-back", "{run}", path, "--yes"], &[5]);
    let run = Act::Run(unanswered(folder, "put-back", &script));
    let acts = vec![Act::Person(before), run, put_back("plan.md"), put_back("there.md")];
    Story::new("put-back", acts)
}

/// The person takes the run back to a step: six files go back one by one, and the model goes on.
fn went_back(folder: &Path) -> Story {
    let told = written("rewind-restores-files");
    let mut script = told["script"].as_array().unwrap()[..4].to_vec();
    script.push(json!({
        "when": { "anyContains": ["WENT_BACK"] },
        "reply": { "text": "Back at writing. What shall I change?" },
    }));
    let run = Act::Run(unanswered(folder, "went-back", &script.into()));
    let back = Act::Rewind(&["--to", "write", "--reason", "It is too long."]);
    Story::new("went-back", vec![run, back, Act::Say("Go on.")])
}

/// The person turns from a run to the model alone, then to an agent, and back to the run's end.
fn talks() -> Story {
    let chat = command(&["chat", "--conversation", "run-{run}"], &[]);
    let agent = command(&["agent", "hello-linear:architect", "--conversation", "run-{run}"], &[]);
    Story::new("talks", vec![Act::Run(bundled("hello-linear")), chat, agent])
}

/// The state document is edited between turns: once well, once badly.
fn persons_edits(folder: &Path) -> Story {
    let well = |sandbox: &Sandbox| edit(sandbox, "currentNodeId: \"\"", "currentNodeId: write");
    let badly = |sandbox: &Sandbox| edit(sandbox, "currentNodeId: write", "currentNodeId: nowhere");
    let acts = vec![
        Act::Run(fixture(folder, "person-edits-state")),
        Act::Person(well),
        Act::Say("Go on."),
        Act::Person(badly),
        Act::Say("And now?"),
    ];
    Story::new("person-edits-state", acts)
}

fn edit(sandbox: &Sandbox, old: &str, new: &str) {
    let file = super::end::state_folder(sandbox).join("workflow.md");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains(old), "{text}");
    std::fs::write(&file, text.replacen(old, new, 1)).unwrap();
}

/// A check of the person that does not take the work at first, and hooks that look on.
fn gated(folder: &Path) -> Story {
    let hooks = |sandbox: &Sandbox| {
        let heading = &written("gate-not-passed")["hooks"][0];
        let look = |name: &str, at: &str| json!({ "name": name, "at": at, "command": "echo seen" });
        let all = json!([
            heading,
            look("begin", "run_start"),
            look("call", "before_tool_call"),
            look("step", "node_entered"),
            look("end", "run_end"),
        ]);
        let file = json!({ "projectId": "gated", "hooks": all });
        std::fs::write(sandbox.project().join(".crewagent.json"), file.to_string()).unwrap();
    };
    let run = Act::Run(fixture(folder, "gate-not-passed"));
    let acts = vec![Act::Person(hooks), command(&["hooks", "trust", "--yes"], &[]), run];
    Story::new("gate-not-passed", acts)
}

/// A sub-agent that writes, and then one that looks whether it did.
fn subagents(folder: &Path) -> Story {
    let spawn = |kind: &str, prompt: &str| json!({ "name": "agent_spawn", "arguments": { "task_type": kind, "prompt": prompt } });
    let call = |name: &str, arguments: Value| json!({ "text": "", "calls": [{ "name": name, "arguments": arguments }] });
    let note = "@project/artifacts/note.md";
    let script = json!([
        { "text": "One writes it.", "calls": [spawn("edit", "Write the note.")] },
        { "text": "One looks at it.", "calls": [spawn("verify", "Look at the note.")] },
        { "text": "Both are done. What next?" },
    ]);
    let writes = json!([
        call("fs_write", json!({ "path": note, "content": "Rain.\n" })),
        call("fs_write", json!({ "path": note, "content": "Snow.\n", "mode": "append" })),
        call("agent_report", json!({ "summary": "Written." })),
    ]);
    let looks = json!([
        call("fs_read", json!({ "path": note, "expect_contains": ["Rain."] })),
        call("agent_report", json!({ "summary": "As it should be.", "status": "passed" })),
    ]);
    let package = folder.join("subagents");
    let mini = root().join("tests/fixtures/packages/mini");
    let models = [("Write the note.", writes), ("Look at the note.", looks)];
    scripted_with(&mini, &package, &script, &[], &models);
    Story::new("subagents", vec![Act::Run(package)])
}

/// A result too long for a message is kept beside the log.
fn long_result(folder: &Path) -> Story {
    let script = serde_json::json!([
        { "text": "I read it.", "calls": [
            { "name": "fs_read", "arguments": { "path": "@project/long.txt" } },
        ] },
        { "text": "That was long." },
    ]);
    let package = folder.join("long-result");
    scripted(&root().join("tests/fixtures/packages/mini"), &package, &script, &[]);
    let long = |sandbox: &Sandbox| {
        std::fs::write(sandbox.project().join("long.txt"), "a long line of text\n".repeat(4000))
            .unwrap();
    };
    Story::new("long-result", vec![Act::Person(long), Act::Run(package)])
}

fn command(words: &[&str], codes: &'static [i32]) -> Act {
    Act::Again(words.iter().map(|w| (*w).to_owned()).collect(), codes)
}

fn import_command() -> Act {
    command(&["package", "import", &bundled("hello-linear").to_string_lossy(), "--yes"], &[])
}

fn import() -> Story {
    Story::new("import", vec![import_command()])
}

fn import_over_a_damaged_copy() -> Story {
    let damage = |sandbox: &Sandbox| {
        let folder = installed(sandbox);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        let file = folder.join("workflow.md");
        std::fs::remove_file(&file).unwrap();
        std::fs::write(&file, "not what was installed").unwrap();
    };
    let acts = vec![import_command(), Act::Person(damage), import_command()];
    Story::new("import-over-a-damaged-copy", acts)
}

fn removal() -> Story {
    let id = host::packages::inspect(&bundled("hello-linear")).unwrap().package.unwrap().id;
    // Not found: it was removed before the program died.
    let remove = command(&["package", "remove", id.as_str()], &[5]);
    Story::new("removal", vec![import_command(), remove])
}

fn deletion() -> Story {
    // Not found: it was deleted before the program died.
    let delete = command(&["conversations", "delete", "{run}", "--yes"], &[5]);
    Story::new("deletion", vec![Act::Run(bundled("hello-linear")), delete])
}

fn installed(sandbox: &Sandbox) -> PathBuf {
    let mut entries = std::fs::read_dir(sandbox.path("store/packages")).unwrap();
    entries.next().unwrap().unwrap().path()
}

fn set(value: &str) -> Act {
    command(&["settings", "set", "engine.maxTurns", value], &[])
}

fn settings() -> Story {
    Story::new("settings", vec![set("7"), set("9")])
}

fn broken_settings() -> Story {
    let broken = |sandbox: &Sandbox| {
        std::fs::write(sandbox.path("store/settings.json"), "{ this is no JSON").unwrap();
    };
    Story::new("broken-settings", vec![set("7"), Act::Person(broken), set("9")])
}

/// A database with a damaged page; the next start saves what can be read.
fn salvage() -> Story {
    let damage = |sandbox: &Sandbox| {
        let file = sandbox.path("store/store.db");
        let log = "PRAGMA wal_checkpoint(TRUNCATE)";
        sandbox.database().query_row(log, [], |_| Ok(())).unwrap();
        let text = std::fs::read(&file).unwrap();
        // The last page that holds a message: of the rows that are made anew from the lines.
        let page = text.chunks(4096).rposition(|page| find(page, b"tool_result")).unwrap();
        let mut file = std::fs::OpenOptions::new().write(true).open(file).unwrap();
        file.seek(SeekFrom::Start(page as u64 * 4096)).unwrap();
        file.write_all(&[0xAB; 4096]).unwrap();
        std::fs::write(sandbox.path("store/store.db.suspect"), "").unwrap();
    };
    let acts = vec![
        Act::Run(bundled("hello-linear")),
        Act::Person(damage),
        command(&["runs", "list"], &[]),
    ];
    Story::new("salvage", acts)
}

fn find(page: &[u8], text: &[u8]) -> bool {
    page.windows(text.len()).any(|window| window == text)
}
