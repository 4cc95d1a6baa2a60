//! Which changes of files wait for the person when nothing is set: those outside the step's
//! declared outputs and the artifacts folder, and those of files that start by themselves.

use serde_json::{Value, json};
use std::fs;
use support::program::{Done, Sandbox, copy, root};

const DEMO: [&str; 4] = ["--model", "demo", "--json", "--max-turns"];

fn write(path: &str) -> Value {
    let arguments = json!({ "path": format!("@project/{path}"), "content": "a\nb\n" });
    json!({ "name": "fs_write", "arguments": arguments })
}

/// `hello-linear`, whose first step declares these outputs and makes these calls.
fn package(sandbox: &Sandbox, outputs: &[&str], calls: &[Value]) -> String {
    let (from, to) = (root().join("templates/packages/hello-linear"), sandbox.path("package"));
    copy(&from, &to);
    let file = to.join("workflow.graph.json");
    let mut graph: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    graph["nodes"][0]["outputs"] = json!(outputs);
    fs::write(file, graph.to_string()).unwrap();
    let trace = json!({ "schemaVersion": "1", "title": "Writes", "turns": [
        { "reply": { "calls": calls } }, { "reply": { "text": "Done." } },
    ] });
    fs::write(to.join("assets/demo/demo.trace.json"), trace.to_string()).unwrap();
    to.to_string_lossy().into_owned()
}

fn run(sandbox: &Sandbox, package: &str, more: &[&str]) -> Done {
    sandbox.run(&[&["run", package], &DEMO[..], &["9"], more].concat())
}

/// What the run waits for: the file it asks about, if it asks.
fn asked(done: &Done) -> Option<Value> {
    let events = done.events();
    let finished = events.iter().rfind(|e| e["event"] == "turn_finished").unwrap();
    let proposed = events.iter().rfind(|e| e["event"] == "change_proposed");
    let waits = finished["data"]["reason"] == "widget";
    proposed.filter(|_| waits).map(|e| e["data"]["path"].clone())
}

#[test]
fn unset_only_what_was_declared_and_the_artifacts_are_written_without_asking() {
    let sandbox = Sandbox::new();
    let calls = ["artifacts/a.md", "docs/plan.md", "docs/other.md"].map(write);
    let package = package(&sandbox, &["docs/plan.md"], &calls);
    let done = run(&sandbox, &package, &[]).exits(3);
    assert_eq!(asked(&done), Some(json!("@project/docs/other.md")));
    let there = |name: &str| sandbox.project().join(name).exists();
    assert!(there("artifacts/a.md") && there("docs/plan.md") && !there("docs/other.md"));
    // The question is in the output, and is answered by a later process.
    assert!(done.stdout.contains("+a"), "{done:#?}");
    let conversation = format!("run-{}", sandbox.run_id());
    let yes = ["--widget", "tool_approval", "--value", r#"{"confirmed":true}"#];
    sandbox.run(&[&["answer", &conversation][..], &yes, &["--model", "demo"]].concat()).exits(3);
    assert!(there("docs/other.md"));
}

#[test]
fn a_script_says_for_itself_what_asks() {
    for (mode, path) in [
        ("auto", None),
        ("ask-outside", Some("@project/docs/other.md")),
        ("ask", Some("@project/artifacts/a.md")),
    ] {
        let sandbox = Sandbox::new();
        let package = package(&sandbox, &[], &["artifacts/a.md", "docs/other.md"].map(write));
        let done = run(&sandbox, &package, &["--approve", mode]).exits(3);
        assert_eq!(asked(&done), path.map(|path| json!(path)), "{mode}");
    }
    let sandbox = Sandbox::new();
    sandbox.run(&["run", "x", "--approve", "always"]).exits(2);
}

#[test]
fn a_resumed_run_asks_as_its_command_says() {
    let sandbox = Sandbox::new();
    let package = package(&sandbox, &[], &["docs/a.md", "docs/b.md"].map(write));
    run(&sandbox, &package, &["--approve", "ask"]).exits(3);
    let run_id = sandbox.run_id();
    let answers = sandbox.write("yes.json", r#"["y"]"#);
    let resume = ["runs", "resume", &run_id, "--answers", &answers, "--approve", "auto"];
    sandbox.run(&[&resume[..], &["--model", "demo", "--json"]].concat()).exits(3);
    assert!(sandbox.project().join("docs/b.md").exists(), "the second one did not ask");
}

#[test]
fn a_file_that_other_programs_run_asks_also_when_nothing_else_does() {
    for path in [".bashrc", ".vscode/tasks.json", "artifacts/.github/workflows/ci.yml"] {
        let sandbox = Sandbox::new();
        let package = package(&sandbox, &[".bashrc"], &[write(path)]);
        let done = run(&sandbox, &package, &["--approve", "auto"]).exits(3);
        assert_eq!(asked(&done), Some(json!(format!("@project/{path}"))));
        assert!(!done.stdout.contains(r#""grant""#), "no folder is offered: {done:#?}");
        assert!(!sandbox.project().join(path).exists());
    }
}

#[test]
fn a_folder_that_a_strangers_project_file_names_is_free_once_the_person_allowed_it() {
    let sandbox = Sandbox::new();
    sandbox.write("project/.crewagent.json", r#"{ "artifactsDir": "src" }"#);
    let package = package(&sandbox, &[], &["src/a.rs", "src/b.rs"].map(write));
    let done = run(&sandbox, &package, &[]).exits(3);
    assert_eq!(asked(&done), Some(json!("@project/src/a.rs")));
    let there = |name: &str| sandbox.project().join("src").join(name).exists();
    assert!(!there("a.rs") && !there("b.rs"), "nothing was written unasked");
    let conversation = format!("run-{}", sandbox.run_id());
    let yes = r#"{"confirmed":true,"forFolder":true}"#;
    let answer = ["answer", &conversation, "--widget", "tool_approval", "--value", yes];
    sandbox.run(&[&answer[..], &["--model", "demo"]].concat()).exits(3);
    assert!(there("a.rs") && there("b.rs"), "the folder was allowed");
}

#[test]
fn a_project_file_that_names_a_folder_of_other_programs_is_refused_in_both_languages() {
    let sandbox = Sandbox::new();
    sandbox.write("project/.crewagent.json", r#"{ "artifactsDir": ".github/workflows" }"#);
    for (lang, words) in [("en", "begins with a dot"), ("zh", "以点开头")] {
        let args = ["run", "hello-linear", "--model", "demo", "--lang", lang];
        let refused = sandbox.run(&args);
        assert!(refused.stderr.contains(words), "{refused:#?}");
        assert!(refused.stderr.contains("PROJECT_FILE_INVALID"), "{refused:#?}");
    }
    assert!(!sandbox.project().join(".github").exists());
}

#[test]
fn the_bundled_packages_keep_to_what_they_declare() {
    for package in ["hello-linear", "hello-branch", "create-story-micro"] {
        let sandbox = Sandbox::new();
        let package = root().join("templates/packages").join(package);
        let done = run(&sandbox, &package.to_string_lossy(), &[]);
        let asked = done.events().into_iter().find(|e| e["event"] == "change_proposed");
        assert_eq!(asked.filter(|e| e["data"]["callId"].is_string()), None, "{package:?}");
    }
}

#[test]
fn the_terminal_says_what_was_changed_and_what_was_not() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.project().join("old.md"), "a\nb\nc\n").unwrap();
    fs::write(sandbox.project().join("gone.md"), "x\n").unwrap();
    let call = |name: &str, arguments: Value| json!({ "name": name, "arguments": arguments });
    let calls = [
        write("artifacts/new.md"),
        call("fs_move", json!({ "from": "@project/old.md", "to": "@project/docs/old.md" })),
        call("fs_delete", json!({ "path": "@project/gone.md" })),
        write("gone-again.md"),
        call("fs_delete", json!({ "path": "@project/gone-again.md" })),
        call("fs_read", json!({ "path": "@project/missing.md" })),
        write("not-allowed.md"),
    ];
    let package = package(&sandbox, &[], &calls);
    let answers = sandbox.write("answers.json", r#"["y", "y", "y", "y", "n"]"#);
    let run = ["run", &package, "--model", "demo", "--answers", &answers];
    for (lang, texts) in [
        (
            "en",
            [
                "new  @project/artifacts/new.md  +2 −0",
                "moved  @project/old.md → @project/docs/old.md",
                "deleted  @project/gone.md  +0 −1",
                "Nothing was changed in @project/not-allowed.md: you did not allow it",
            ],
        ),
        (
            "zh",
            [
                "新建  @project/artifacts/new.md  +2 −0",
                "已移动  @project/old.md → @project/docs/old.md",
                "已删除  @project/gone.md  +0 −1",
                "",
            ],
        ),
    ] {
        let done = match lang {
            "en" => sandbox.run(&[&run[..], &["--lang", lang]].concat()),
            _ => sandbox.run(&["runs", "show", &sandbox.run_id(), "--lang", lang]),
        };
        let said = format!("{}{}", done.stdout, done.stderr);
        for text in texts {
            assert!(said.contains(text), "{text}: {said}");
        }
        assert!(!said.contains("gone-again.md  +"), "written and deleted again: {said}");
    }
    fs::write(sandbox.project().join("artifacts/new.md"), "mine\n").unwrap();
    let shown = sandbox.run(&["runs", "show", &sandbox.run_id(), "--json"]).exits(0).json();
    let changes = shown["changes"].as_array().unwrap();
    let foreign: Vec<&Value> = changes.iter().filter(|c| c["foreign"] == true).collect();
    assert_eq!(foreign.len(), 1, "{changes:#?}");
    assert_eq!(foreign[0]["path"], "@project/artifacts/new.md");
    assert_eq!(foreign[0]["lines"], json!({ "added": 2, "removed": 0 }), "what the run did");
}

#[test]
fn without_a_terminal_a_package_is_installed_only_by_who_said_yes() {
    let sandbox = Sandbox::new();
    let package = root().join("templates/packages/hello-linear");
    let import = ["package", "import", &package.to_string_lossy()];
    for more in [&[][..], &["--json"]] {
        let done = sandbox.run(&[&import[..], more].concat()).exits(2);
        assert!(format!("{}{}", done.stdout, done.stderr).contains("--yes"), "{done:#?}");
        assert_eq!(sandbox.rows("packages"), 0);
    }
    let done = sandbox.run(&[&import[..], &["--yes", "--lang", "zh"]].concat()).exits(0);
    assert!(done.stdout.contains("声明会写入：artifacts/（仅为声明）"), "{done:#?}");
    let shown = sandbox.run(&["package", "show", "hello-linear"]).exits(0).stdout;
    for text in [
        "May change any file in the project folder; asks you first outside the artifacts folder",
        "Says it writes to: artifacts/ (only declared)",
    ] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    assert!(!shown.lines().any(|line| line.trim_end().ends_with("writes to")), "{shown}");
    sandbox.run(&["settings", "set", "approval.writes", "auto"]).exits(0);
    let shown = sandbox.run(&["package", "show", "hello-linear"]).exits(0).stdout;
    assert!(shown.contains("without asking (your setting)"), "{shown}");
}
