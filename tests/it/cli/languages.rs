//! `--lang zh`: nobody who reads Chinese meets a sentence of the program in English. Other programs'
//! words are in theirs where they are quoted.

use host::llm::Fault;
use kernel::code::Failure;
use kernel::phrase::Lang;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use support::old_store::Old;
use support::program::{Done, Sandbox, Server, copy, find, has_han, hello_branch, root};

/// Names, and what libraries say, quoted as it is.
const QUOTED: [&str; 11] = [
    "CrewAgent Runtime",
    "JSON Lines",
    "LM Studio",
    "EOF while parsing an object",
    "EOF while parsing a value",
    "did not find expected node content",
    "while parsing a flow node",
    "invalid type: sequence, expected a string key",
    "key must be a string",
    "unknown anchor",
    "at line",
];

/// The first line with two English words in a row, outside of names, lists of names, commands and
/// quoted text: a sentence of ours, or the beginning of one.
pub(crate) fn english(text: &str) -> Option<String> {
    text.lines().find(|line| holds_english(line)).map(str::to_owned)
}

fn holds_english(line: &str) -> bool {
    // What stands between backticks is code.
    let bare = line.split('`').step_by(2).collect::<Vec<_>>().join(" | ");
    let bare = QUOTED.iter().fold(bare, |bare, words| bare.replace(words, " | "));
    // What is written in another script ends a sentence; a command is none.
    let mut pieces = bare.split(|c: char| !c.is_ascii() || c == '|');
    pieces.any(|piece| {
        let mut in_a_row = 0;
        piece.split("crewagent ").next().unwrap_or_default().split(' ').any(|word| {
            // Lists of names, members of JSON and labels are no sentences.
            if word.starts_with(['"', '(']) {
                in_a_row = 0;
            }
            in_a_row = if is_word(word) { in_a_row + 1 } else { 0 };
            let is_sentence = in_a_row == 2;
            if word.ends_with([',', ':', ';', '"']) {
                in_a_row = 0;
            }
            is_sentence
        })
    })
}

fn is_word(text: &str) -> bool {
    let plain = text.trim_matches(|c: char| ",.;:?!()\"".contains(c));
    !plain.is_empty() && plain.chars().all(|c| c.is_ascii_alphabetic() || c == '\'')
}

#[test]
fn two_english_words_are_a_sentence_and_names_are_none() {
    for ours in [
        "✗ 模型: set an endpoint in",
        "the store's folder is gone",
        "无法读取：`a` stands there twice",
        "（原文：duplicate entry with key）",
        "文件头：too much.",
    ] {
        assert!(english(ours).is_some(), "{ours}");
    }
    for none in [
        "用 `crewagent runs resume it` 继续",
        "继续：crewagent runs resume it",
        "@project/docs a/b c/d e.md",
        "有：list, show, approvals, resume",
        "加上 \"isDefault\": true，或 en: English",
        "conditions  conditions（5 个节点）",
        "--answers：EOF while parsing a value（第 1 行）",
    ] {
        assert!(english(none).is_none(), "{none}");
    }
}

/// Whether what was printed is in Chinese.
fn checked(done: &Done, found: &mut Vec<String>) {
    for text in [&done.stdout, &done.stderr] {
        if let Some(line) = english(text) {
            found.push(format!("{}: {line}", done.args));
        }
    }
    if !has_han(&format!("{}{}", done.stdout, done.stderr)) {
        found.push(format!("{}: no Chinese at all: {done:?}", done.args));
    }
}

/// Runs each command line in Chinese, as people and as programs read it, and fails with every
/// line that is in English.
#[track_caller]
fn all_in_chinese(sandbox: &Sandbox, lines: &[Vec<&str>]) {
    let mut found = Vec::new();
    for args in lines {
        checked(&sandbox.run_told(&[&args[..], &["--lang", "zh"]].concat(), &[]), &mut found);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_page_of_help_is_in_english() {
    let sandbox = Sandbox::new();
    let mut found = Vec::new();
    for page in ["", "run", "stop", "runs", "runs approvals", "conversations export", "help runs"] {
        let command: Vec<&str> = page.split_whitespace().collect();
        let help: &[&str] = if command.first() == Some(&"help") { &[] } else { &["--help"] };
        // It says where the store is set to be: the person set it.
        checked(
            &sandbox.run_told(&[&["--lang", "zh"], &command[..], help].concat(), &[]),
            &mut found,
        );
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

const NOBODY: &str = "00000000-0000-4000-8000-000000000000";

#[test]
fn no_command_line_that_is_wrong_is_answered_in_english() {
    let sandbox = Sandbox::new();
    let wrong: [&[&str]; 15] = [
        &["dance"],
        &["run"],
        &["runs"],
        &["run", "hello-branch", "--fast"],
        &["run", "hello-branch", "more"],
        &["doctor", "--provider", "nobody"],
        &["doctor", "--policy", "--sizes"],
        &["settings", "set", "engine.maxTurns"],
        &["run", "hello-branch", "--answers", "nowhere.yaml"],
        &["run", "hello-branch", "--max-turns", "many"],
        &["run", "hello-branch", "--max-turns", "-1"],
        &["run", "hello-branch", "--approve", "never"],
        &["run", "hello-branch", "--model"],
        &["conversations", "show", "x", "--page", "1", "--before", "2"],
        &["projects", "open", ".", "--as", "mine"],
    ];
    let mut found = Vec::new();
    for args in wrong {
        for shape in [&["--lang", "zh"][..], &["--lang", "zh", "--json"]] {
            checked(&sandbox.run(&[args, shape].concat()).exits(2), &mut found);
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_failure_of_a_command_is_told_in_english() {
    let sandbox = Sandbox::new();
    let gone = sandbox.path("gone").to_string_lossy().into_owned();
    let package = hello_branch();
    let empty = sandbox.write("empty.bmad", "");
    let text = sandbox.write("work/run.crewrun", "no archive");
    all_in_chinese(
        &sandbox,
        &[
            vec!["package", "inspect", &gone],
            vec!["package", "import", &gone],
            vec!["package", "show", "nobody"],
            vec!["package", "remove", "nobody"],
            vec!["package", "remove", "no body"],
            vec!["package", "validate", &empty],
            vec!["package", "pack", &gone],
            vec!["run", "nobody"],
            vec!["run", &package],
            vec!["run", &package, "--model", "gpt"],
            vec!["run", &package, "--workflow", "nope"],
            vec!["run", &package, "--workflow", "no pe"],
            vec!["run", &package, "--agent", "nope"],
            vec!["run", &package, "--model", "demo", "--project", &gone],
            vec!["say", NOBODY, "hi"],
            vec!["say", "no body", "hi"],
            vec!["answer", NOBODY, "--value", "1"],
            vec!["answer", NOBODY, "--value", "{"],
            vec!["stop", NOBODY],
            vec!["runs", "show", NOBODY],
            vec!["runs", "show", ""],
            vec!["runs", "resume", NOBODY],
            vec!["runs", "delete", NOBODY],
            vec!["runs", "delete", "no body", "--yes"],
            vec!["runs", "export", NOBODY, "-o", &gone],
            vec!["runs", "export", "../x", "-o", &gone],
            vec!["runs", "replay", &gone],
            vec!["runs", "replay", &text],
            vec!["runs", "approvals", NOBODY],
            vec!["conversations", "list"],
            vec!["conversations", "list", "--after", "x"],
            vec!["conversations", "show", NOBODY],
            vec!["conversations", "export", NOBODY],
            vec!["conversations", "delete", NOBODY],
            vec!["conversations", "delete", NOBODY, "--yes"],
            vec!["conversations", "rename", NOBODY, "x"],
            vec!["snapshot", NOBODY],
            vec!["migrate-electron", &gone],
            vec!["migrate-electron", "."],
            vec!["model", "test"],
            vec!["model", "list"],
            vec!["projects", "open", &gone],
            vec!["projects", "rebind", NOBODY, &gone],
            vec!["projects", "rebind", "no body", "."],
            vec!["projects", "forget", NOBODY],
            vec!["demo-model", "--trace", &gone],
            vec!["demo-model", "--trace", &empty],
            vec!["doctor"],
            vec!["package", "list", "--store", &empty],
        ],
    );
}

#[test]
fn no_setting_that_is_wrong_is_refused_in_english() {
    let sandbox = Sandbox::new();
    all_in_chinese(
        &sandbox,
        &[
            vec!["settings", "get", "no.such"],
            vec!["settings", "set", "no.such", "1"],
            vec!["settings", "set", "engine.maxTurns", "0"],
            vec!["settings", "set", "engine.maxTurns", "many"],
            vec!["settings", "set", "engine.maxTurns", "1.5"],
            vec!["settings", "set", "engine", "1"],
            vec!["settings", "set", "tools", "1"],
            vec!["settings", "set", "tools.fsEnabled", "maybe"],
            vec!["settings", "set", "model.baseUrl", "ftp://x"],
            vec!["settings", "set", "model.baseUrl", "http://"],
            vec!["settings", "set", "model.baseUrl", "http://me@x"],
            vec!["settings", "set", "model.baseUrl", "http://a b"],
            vec!["settings", "set", "model.baseUrl", "1"],
            vec!["settings", "set", "model.provider", "nobody"],
            vec!["settings", "set", "model.headers.a b", "x"],
            vec!["settings", "set", "model.apiKey", "sk-1"],
            vec!["settings", "set", "approval.writes", "never"],
            vec!["settings", "set", "appearance.theme", "pink"],
            vec!["settings", "set-key"],
            vec!["settings", "set-key", "http://127.0.0.1:1/v1"],
        ],
    );
    let mut found = Vec::new();
    for fed in ["", "two words", "sk-good"] {
        checked(&sandbox.run_fed(&["settings", "set-key", "--lang", "zh"], fed), &mut found);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    for text in [
        "{\"engine\": {\"maxTurns\": \"x\"}}",
        "{\"approval\": {\"writes\": \"Ask\"}}",
        "{\"engine\": {}, \"engine\": {}}",
        "{\"model\": {\"headers\": {\"A\": 5}}}",
        "[]",
        "{",
        &" ".repeat(9 << 20),
    ] {
        fs::write(sandbox.path("store/settings.json"), text).unwrap();
        all_in_chinese(
            &sandbox,
            &[vec!["doctor"], vec!["settings", "set", "engine.maxTurns", "0"]],
        );
    }
}

#[test]
fn what_is_there_and_how_a_run_stands_is_said_in_chinese() {
    let sandbox = Sandbox::new();
    let package = hello_branch();
    let in_chinese = root().join("templates/packages/plan-a-project-zh");
    let in_chinese = in_chinese.to_string_lossy().into_owned();
    let zh = ["--lang", "zh"];
    let done = sandbox.run(&["run", &package, "--model", "demo", "--json"]).exits(0);
    let (run, _) = (sandbox.run_id(), done);
    let conversation = format!("run-{run}");
    // It is called after the demo's first words, which are English.
    sandbox.run(&["conversations", "rename", &conversation, "花园"]).exits(0);
    let id = sandbox.run(&["package", "list", "--json"]).exits(0).json()[0]["packageId"].clone();
    let id = id.as_str().unwrap();
    let mut found = Vec::new();
    for args in [
        &["doctor"][..],
        &["doctor", "--policy"],
        &["doctor", "--sizes"],
        &["runs", "list"],
        &["model", "detect"],
        &["package", "inspect", &in_chinese],
    ] {
        checked(&sandbox.run(&[args, &zh].concat()), &mut found);
    }
    for args in [
        &["package", "remove", id][..],
        &["say", &conversation, ""],
        &["say", &conversation, "more"],
        &["answer", &conversation, "--value", "1"],
        &["answer", &conversation, "--value", "1", "--widget", "w"],
        &["runs", "resume", &run],
        &["runs", "resume", &run, "--own-model"],
        &["runs", "approvals", &run, "--revoke", "docs"],
        &["runs", "approvals", &run, "--revoke", "@project/docs"],
        &["runs", "delete", &run],
        &["stop", &run],
    ] {
        let done = sandbox.run(&[args, &zh].concat());
        // The demo itself spoke English.
        let own = Done { stdout: String::new(), ..done };
        checked(&own, &mut found);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    all_in_chinese(&sandbox, &[vec!["runs", "delete", &run, "--yes"]]);
}

#[test]
fn projects_that_were_moved_copied_or_lost_are_told_in_chinese() {
    let sandbox = Sandbox::new();
    sandbox.run(&["run", &hello_branch(), "--model", "demo"]).exits(0);
    let listed = sandbox.run_told(&["projects", "list", "--json"], &[]).exits(0).json();
    let id = listed[0]["projectId"].as_str().unwrap().to_owned();
    copy(&sandbox.project(), &sandbox.path("copy"));
    fs::create_dir(sandbox.path("other")).unwrap();
    let copied = sandbox.path("copy").to_string_lossy().into_owned();
    let other = sandbox.path("other").to_string_lossy().into_owned();
    all_in_chinese(
        &sandbox,
        &[
            vec!["projects", "open", &copied],
            vec!["run", "plan-a-project", "--model", "demo", "--project", &copied],
            vec!["projects", "rebind", &id, &other],
        ],
    );
    let many = format!("[{}0]", "0,".repeat(100_000));
    for (name, text) in [
        ("no-json", "{"),
        ("no-id", "{\"projectId\": \"a b\"}"),
        ("list", "[]"),
        ("twice", "{\"artifactsDir\": \"a\", \"artifactsDir\": \"b\"}"),
        ("climbs", "{\"artifactsDir\": \"../x\"}"),
        ("many", &many),
    ] {
        let folder = sandbox.path(name);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join(".crewagent.json"), text).unwrap();
        all_in_chinese(&sandbox, &[vec!["projects", "open", &folder.to_string_lossy()]]);
    }
    all_in_chinese(&sandbox, &[vec!["projects", "forget", &id]]);
}

/// A copy of a package with another manifest.
fn changed(sandbox: &Sandbox, package: &str, to: &str, change: impl Fn(&mut Value)) -> String {
    let folder = sandbox.path(to);
    copy(&root().join("tests/fixtures/packages").join(package), &folder);
    let path = folder.join("bmad.json");
    let mut manifest: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    change(&mut manifest);
    fs::write(&path, manifest.to_string()).unwrap();
    folder.to_string_lossy().into_owned()
}

/// A package of which a step has another front matter.
fn with_matter(sandbox: &Sandbox, number: usize, yaml: &str) -> String {
    let folder = changed(sandbox, "mini", &format!("matter-{number}"), |manifest| {
        manifest["description"] = json!("小");
    });
    let step = find(Path::new(&folder), "ask.md").expect("the package has a step");
    fs::write(step, format!("---\n{yaml}\n---\nbody\n")).unwrap();
    folder
}

/// A package with errors.
fn broken(sandbox: &Sandbox) -> String {
    changed(sandbox, "mini", "broken", |manifest| {
        manifest["surprise"] = json!(1);
        manifest["name"] = json!(5);
        manifest["createdAt"] = json!("yesterday");
    })
}

/// A package that can be installed, with warnings, whose author wrote Chinese.
fn warned(sandbox: &Sandbox) -> String {
    let folder = changed(sandbox, "conditions", "warned", |manifest| {
        manifest["description"] = json!("条件");
    });
    let graph = sandbox.path("warned/workflow.graph.json");
    let mut value: Value = serde_json::from_str(&fs::read_to_string(&graph).unwrap()).unwrap();
    value["nodes"][0]["outputs"] = json!(["a report", "docs/*.md", "out/"]);
    value["nodes"][0]["inputs"] = json!(["../brief.md"]);
    fs::write(graph, value.to_string()).unwrap();
    folder
}

#[test]
fn what_is_found_in_packages_is_told_in_chinese() {
    let sandbox = Sandbox::new();
    let broken = broken(&sandbox);
    let warned = warned(&sandbox);
    let classic = sandbox.path("classic");
    fs::create_dir(&classic).unwrap();
    fs::write(classic.join("workflow.yaml"), "name: x\n").unwrap();
    let classic = classic.to_string_lossy().into_owned();
    let nothing = sandbox.path("nothing");
    fs::create_dir(&nothing).unwrap();
    fs::write(nothing.join("bmad.json"), "{ not json").unwrap();
    let nothing = nothing.to_string_lossy().into_owned();
    let matters =
        ["a: 1\na: 2", "1: a\n1: b", "a: ! b", "a: !mine b", "a: [", "a: *b", "- a", "a: .inf"];
    let matters: Vec<String> =
        (0..).zip(matters).map(|(n, yaml)| with_matter(&sandbox, n, yaml)).collect();
    let mut lines = Vec::new();
    for package in [&broken, &classic, &nothing].into_iter().chain(&matters) {
        lines.push(vec!["package", "validate", package]);
        lines.push(vec!["package", "inspect", package]);
        lines.push(vec!["package", "import", package, "--yes"]);
        lines.push(vec!["run", package, "--model", "demo"]);
    }
    lines.push(vec!["package", "import", &warned]);
    lines.push(vec!["package", "validate", &warned]);
    lines.push(vec!["package", "import", &warned, "--yes"]);
    lines.push(vec!["package", "show", "conditions"]);
    all_in_chinese(&sandbox, &lines);
}

#[test]
fn every_reason_of_an_import_from_the_older_program_is_told_in_chinese() {
    let sandbox = Sandbox::new();
    let folder = sandbox.path("elsewhere");
    fs::create_dir(&folder).unwrap();
    let old = Old::make(&folder);
    let dir = old.data.to_string_lossy().into_owned();
    let dry = ["migrate-electron", &dir, "--dry-run"];
    let reasons = sandbox.run(&[&dry[..], &["--json"]].concat()).exits(0).json();
    let reasons = reasons["entries"].as_array().unwrap().iter().filter(|e| e["reason"].is_string());
    assert!(reasons.count() > 10, "there is something to tell");
    all_in_chinese(&sandbox, &[dry.to_vec(), vec!["migrate-electron", &dir, "--yes"]]);
}

fn call(name: &str, arguments: &Value) -> Value {
    json!({ "name": name, "arguments": arguments })
}

/// Tools that fail in every way, as a person sees them: a line with the path and the code's words.
#[test]
fn calls_that_fail_are_told_in_chinese_with_their_paths() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.project().join("full")).unwrap();
    for name in ["a.md", "full/x.md", ".env"] {
        sandbox.write(&format!("project/{name}"), "one\ntwo\n");
    }
    let calls = [
        call("fs_read", &json!({ "path": "@project/nothing.md" })),
        call("fs_read", &json!({ "path": "@project/.env" })),
        call("fs_read", &json!({ "path": "/etc/passwd" })),
        call("fs_read", &json!({ "file": "@project/a.md" })),
        call("fs_write", &json!({ "path": "@pkg/x.md", "content": "x" })),
        call("fs_delete", &json!({ "path": "@project/full" })),
        call("fs_delete", &json!({ "path": "@state/workflow.md" })),
        call("fs_apply_patch", &json!({ "path": "@project/a.md", "patch": "@@\n-three\n+3\n" })),
        call(
            "fs_apply_patch",
            &json!({ "path": "@state/workflow.md",
                    "patch": { "op": "update_frontmatter", "update": {
                        "variables": { "set": { "workflowStatus": "complete" } } } } }),
        ),
        call("fs_nothing", &json!({ "path": "@project/a.md" })),
    ];
    let server = Server::saying(&[json!({ "calls": calls }), json!({ "text": "好了。" })]);
    let (package, base_url) = (hello_branch(), server.base_url());
    let model = ["--base-url", &base_url, "--model", "m", "--approve", "auto", "--lang", "zh"];
    let done = sandbox.run(&[&["run", &package, "--input", "开始"], &model[..]].concat());
    let mut found = Vec::new();
    checked(&done, &mut found);
    assert!(found.is_empty(), "{}", found.join("\n"));
    for line in
        ["@project/nothing.md 未找到 (ENOENT) 没有", "@project/.env 未执行 (E_SECRET_FILE) 这个"]
    {
        assert!(done.stdout.contains(line), "{line}: {done:#?}");
    }
    let failed: Vec<&str> = done.stdout.lines().filter(|line| line.contains("  · ")).collect();
    assert_eq!(failed.len(), calls.len(), "{done:#?}");
    assert!(failed.iter().all(|line| has_han(line)), "{failed:#?}");
}

#[test]
fn a_model_that_fails_is_told_in_chinese() {
    let mut found = Vec::new();
    let faults = [
        Fault::status(401, "{\"error\":{\"message\":\"钥匙不对\"}}"),
        Fault::status(400, "{\"error\":{\"message\":\"太长\"}}"),
        Fault::status(404, "<html></html>"),
        Fault::status(500, ""),
    ];
    for fault in faults {
        let (sandbox, server) = (Sandbox::new(), Server::faulty(vec![fault; 8]));
        let (package, base_url) = (hello_branch(), server.base_url());
        let model = ["--base-url", &base_url, "--model", "m", "--lang", "zh"];
        for args in [&["run", &package, "--input", "开始"][..], &["model", "test"]] {
            checked(&sandbox.run(&[args, &model[..]].concat()), &mut found);
        }
    }
    let sandbox = Sandbox::new();
    let closed = ["--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--lang", "zh"];
    checked(&sandbox.run(&[&["model", "test"], &closed[..]].concat()), &mut found);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn answers_that_do_not_fit_are_told_in_chinese() {
    let package = hello_branch();
    let files = [
        "",
        "{",
        "just words",
        "- 5: [",
        "- 5",
        "- {widget: w}",
        "- {widgetId: 5, value: 1}",
        "- {widgetId: next}",
        "- {type: choice, value: 1}",
        "- {value: {[a]: 1}}",
        "- {widgetId: nobody, value: 1}",
        "- {type: form, value: {}}",
        "- {value: 7}",
        "- 好\n- {widgetId: next, type: confirmation, value: 1}",
    ];
    let mut found = Vec::new();
    for answers in files {
        let sandbox = Sandbox::new();
        let file = sandbox.write("answers.yaml", answers);
        let args = ["run", &package, "--model", "demo", "--answers", &file, "--lang", "zh"];
        let done = sandbox.run(&args);
        // The demo itself speaks English.
        checked(&Done { stdout: String::new(), ..done }, &mut found);
    }
    let sandbox = Sandbox::new();
    fs::write(sandbox.path("bytes"), [0xff]).unwrap();
    for file in ["bytes", "project"] {
        let file = sandbox.path(file).to_string_lossy().into_owned();
        let args = ["run", &package, "--model", "demo", "--answers", &file, "--lang", "zh"];
        checked(&sandbox.run(&args).exits(2), &mut found);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_run_exported_and_replayed_elsewhere_is_told_in_chinese() {
    let sandbox = Sandbox::new();
    sandbox.write("project/mine.md", "mine\n");
    let read = call("fs_read", &json!({ "path": "@project/mine.md" }));
    let server = Server::saying(&[json!({ "calls": [read] }), json!({ "text": "好了。" })]);
    let base_url = server.base_url();
    let model = ["--base-url", &base_url, "--model", "m"];
    sandbox.run(&[&["run", &hello_branch(), "--input", "开始"], &model[..]].concat());
    let run = sandbox.run_id();
    let export = ["runs", "export", &run, "-o", "run.crewrun"];
    sandbox.run(&export).exits(0);
    let replay = sandbox.run(&["runs", "replay", "run.crewrun", "--lang", "zh"]).exits(0);
    assert!(replay.stdout.contains("采用了记录"), "{replay:#?}");
    assert!(replay.stdout.contains("fs.read @project/mine.md"), "{replay:#?}");
    all_in_chinese(&sandbox, &[export.to_vec(), vec!["runs", "replay", "run.crewrun"]]);
}

/// A person's own edit of the state document is refused in their language.
#[test]
fn an_edit_of_the_state_document_that_is_refused_is_told_in_chinese() {
    let sandbox = Sandbox::new();
    let server = Server::saying(&vec![json!({ "text": "好了。" }); 10]);
    let base_url = server.base_url();
    let model = ["--base-url", &base_url, "--model", "m", "--lang", "zh"];
    let package = hello_branch();
    let run = [&["run", &package, "--input", "开始"], &model[..]].concat();
    sandbox.run(&run).exits(3);
    let conversation = format!("run-{}", sandbox.run_id());
    let file = find(&sandbox.path("store/projects"), "workflow.md").expect("there is a document");
    let text = fs::read_to_string(&file).unwrap();
    let edits = [
        text.replacen("currentNodeId:", "currentNodeId: nowhere #", 1),
        text.replacen("stepsCompleted:", "stepsCompleted: [nowhere] #", 1),
        text.replacen("artifacts:", "artifacts: [../../etc/passwd] #", 1),
        text.replacen("---", "", 1),
    ];
    for edit in edits {
        assert_ne!(edit, text);
        fs::write(&file, edit).unwrap();
        let done = sandbox.run(&[&["say", &conversation, "再来"], &model[..]].concat()).exits(3);
        assert!(done.stderr.contains("@state/workflow.md"), "the person is told: {done:#?}");
    }
    let rejected = sandbox.journal_events();
    let rejected = rejected.iter().filter(|e| e["event"] == "state_rejected");
    let failures: Vec<Failure> =
        rejected.map(|e| serde_json::from_value(e["data"]["failure"].clone()).unwrap()).collect();
    assert_eq!(failures.len(), 4);
    for failure in failures {
        let said = [failure.message_in(Lang::Zh), failure.action_in(Lang::Zh).unwrap_or_default()];
        for words in said {
            assert!(has_han(&words) && english(&words).is_none(), "{words}: {failure:?}");
            assert!(!words.contains("原文"), "{failure:?} is no phrase");
        }
    }
}
