//! `runs rewind`: a run is taken back to a step, with its files.

use serde_json::{Value, json};
use support::program::{Sandbox, Server, find, has_han, root};

fn calls(calls: &[(&str, Value)]) -> Value {
    let call = |(name, arguments): &(&str, Value)| json!({ "name": name, "arguments": arguments });
    json!({ "calls": calls.iter().map(call).collect::<Vec<_>>() })
}

fn write(path: &str, content: &str) -> (&'static str, Value) {
    ("fs_write", json!({ "path": format!("@project/{path}"), "content": content }))
}

fn to(node: &str) -> (&'static str, Value) {
    let update = json!({ "currentNodeId": { "set": node } });
    let patch = json!({ "operation": "updateFrontmatter", "update": update });
    ("fs_apply_patch", json!({ "path": "@state/workflow.md", "patch": patch }))
}

/// A run that wrote in two steps and waits in the second one; what it answers afterwards.
fn waiting(sandbox: &Sandbox) -> (String, Server) {
    waiting_with(sandbox, 0)
}

/// The same with so many files more that it made in the second step.
fn waiting_with(sandbox: &Sandbox, more: usize) -> (String, Server) {
    let names: Vec<String> = (0..more).map(|n| format!("more/{n}.md")).collect();
    let more: Vec<(&str, Value)> = names.iter().map(|name| write(name, "more\n")).collect();
    let first = [write("a.md", "one\n"), write("b.md", "one\n"), to("write")];
    let mut second = vec![write("a.md", "two\n"), write("b.md", "two\n"), write("c.md", "new\n")];
    second.extend(more);
    let replies = [
        calls(&first),
        calls(&second),
        json!({ "text": "And now?" }),
        json!({ "text": "Where am I?" }),
    ];
    let server = Server::saying(&replies);
    let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
    let model = ["--base-url", &server.base_url(), "--model", "demo", "--approve", "auto"];
    sandbox.run(&[&["run", &mini][..], &model].concat()).exits(3);
    (sandbox.run_id(), server)
}

#[test]
fn going_back_is_undone_to_the_byte_when_somebody_says_so() {
    let sandbox = Sandbox::new();
    let (run, _server) = waiting(&sandbox);
    let text = |path: &str| std::fs::read_to_string(sandbox.project().join(path)).ok();
    std::fs::write(sandbox.project().join("b.md"), "by hand\n").unwrap();
    let document = || {
        let file = find(&sandbox.path("store"), "workflow.md.rejected-1");
        assert_eq!(file, None);
        let folder = sandbox.path("store").join("projects");
        std::fs::read_to_string(find(&folder, "workflow.md").unwrap()).unwrap()
    };
    let all = || (text("a.md"), text("b.md"), text("c.md"), document());
    let undo = ["runs", "rewind", &run, "--undo"];
    let nothing = sandbox.run(&[&undo[..], &["--yes"]].concat());
    assert!(nothing.stderr.contains("no going back that can be undone"), "{}", nothing.stderr);
    let both = sandbox.run(&["runs", "rewind", &run, "--undo", "--to", "write"]).exits(2);
    assert!(both.stderr.contains("--undo"), "{}", both.stderr);

    let before = all();
    let slip = ["runs", "rewind", &run, "--to", "write", "--overwrite", "bb.md", "--yes"];
    let refused = sandbox.run(&slip).exits(2);
    assert!(refused.stderr.contains("@project/bb.md"), "{}", refused.stderr);
    assert_eq!(all(), before);
    let back = ["runs", "rewind", &run, "--to", "write", "--overwrite", "b.md", "--yes"];
    sandbox.run(&back).exits(0);
    assert_eq!(text("b.md").as_deref(), Some("one\n"));
    let asked = sandbox.run(&undo).exits(2);
    let expected = "\
Undo going back: “Write the note” again
  ± @project/a.md goes back
  ± @project/b.md goes back
  + @project/c.md goes back
";
    assert_eq!(asked.stdout, expected);
    let undone = sandbox.run(&[&undo[..], &["--yes"]].concat()).exits(0);
    assert!(undone.stdout.contains("You undid going back"), "{}", undone.stdout);
    assert_eq!(all(), before);
    let zh = sandbox.run(&[&undo[..], &["--yes", "--lang", "zh"]].concat()).exits(0);
    assert!(has_han(&zh.stdout), "{}", zh.stdout);
    assert_eq!(text("c.md"), None, "undoing is undone in its turn");
}

#[test]
fn what_a_kill_cut_off_is_ended_when_it_is_asked_for_again() {
    let sandbox = Sandbox::new();
    let (run, _server) = waiting_with(&sandbox, 50);
    let texts = || {
        let read = |path: &str| std::fs::read_to_string(sandbox.project().join(path)).ok();
        ["a.md", "b.md", "c.md", "more/0.md", "more/49.md"].map(read)
    };
    let first = texts();
    let back = ["runs", "rewind", &run, "--to", "write", "--yes"];
    let undo = ["runs", "rewind", &run, "--undo", "--yes"];
    let killed = |args: &[&str]| {
        let at = [("CREWAGENT_CRASH_AT", "rewind.after_file:3")];
        let killed = sandbox.command(args).envs(at).output().unwrap();
        assert_eq!(killed.status.code(), None, "{killed:?}");
    };
    killed(&back);
    let shown = sandbox.run(&["runs", "show", &run]).exits(0);
    assert!(shown.stdout.contains("Going back to write has not ended"), "{}", shown.stdout);
    let done = sandbox.run(&back).exits(0);
    assert!(done.stdout.contains("You took the run back"), "{}", done.stdout);
    let second = texts();
    assert_eq!(second[3..], [None, None]);
    killed(&undo);
    let done = sandbox.run(&undo).exits(0);
    assert!(done.stdout.contains("You undid going back"), "{}", done.stdout);
    assert_eq!(texts(), first, "it was undone once");
    // Another wish is done when that has ended which was cut off.
    killed(&back);
    let kept = sandbox.run(&[&undo[..], &["--json"]].concat()).exits(0);
    assert_eq!(kept.json()["undone"], true);
    assert_eq!(texts(), first);
}

#[test]
fn a_run_is_taken_back_when_somebody_says_so() {
    let sandbox = Sandbox::new();
    let (run, server) = waiting(&sandbox);
    let text = |path: &str| std::fs::read_to_string(sandbox.project().join(path)).ok();
    std::fs::write(sandbox.project().join("b.md"), "by hand\n").unwrap();
    // Nobody is there to agree.
    let asked = sandbox.run(&["runs", "rewind", &run, "--to", "write"]).exits(2);
    let expected = "\
Go back to “Write the note”
  will be done again: Write the note
  ± @project/a.md goes back
  − @project/c.md is removed
  · @project/b.md stays: someone else changed it
  Say --overwrite FILE for one that is to go back although someone else changed it.
";
    assert_eq!(asked.stdout, expected);
    assert!(asked.stderr.contains("--yes"), "{asked:?}");
    assert_eq!(text("a.md").as_deref(), Some("two\n"));
    let done =
        sandbox.run(&["runs", "rewind", &run, "--to", "write", "--reason", "Shorter.", "--yes"]);
    let expected = format!(
        "  ↶ You took the run back to “Write the note”.
    @project/a.md is as it was then
    @project/c.md was removed, because it did not exist then
    @project/b.md stays: someone else changed it
It goes on from there with `crewagent runs resume {run}`, or when you say something.
"
    );
    assert_eq!(done.exits(0).stdout, expected);
    let now = (text("a.md"), text("b.md"), text("c.md"));
    assert_eq!(now, (Some("one\n".into()), Some("by hand\n".into()), None));
    // It is wanted back all the same; for programs as one document.
    let json = ["runs", "rewind", &run, "--to", "write", "--overwrite", "b.md", "--yes", "--json"];
    let json = sandbox.run(&json).exits(0).json();
    assert_eq!(
        json["restored"],
        json!([{ "path": "@project/b.md", "sha256": json["restored"][0]["sha256"] }])
    );
    assert_eq!((&json["nodeId"], &json["again"]), (&json!("write"), &json!(["write"])));
    assert_eq!(text("b.md").as_deref(), Some("one\n"));
    // The model is told, and goes on from there.
    let model = ["--base-url", &server.base_url(), "--model", "demo"];
    let resumed = sandbox.run(&[&["runs", "resume", &run][..], &model].concat()).exits(3);
    assert!(resumed.stdout.contains("Where am I?"), "{resumed:?}");
    // Each is in the log, on behalf of the person.
    let log = find(&sandbox.path("store/projects"), "execution.jsonl").unwrap();
    let log = std::fs::read_to_string(log).unwrap();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of_person = lines.iter().filter(|line| line["toolName"] == "workflow.rewind");
    let of_person: Vec<&Value> = of_person.collect();
    assert_eq!(of_person.len(), 2, "{log}");
    assert_eq!(of_person[0]["agentId"], "user");
    assert_eq!(of_person[0]["input"]["targetNodeId"], "write");
    assert_eq!(of_person[0]["input"]["reason"], "Shorter.");
    assert_eq!(of_person[0]["output"]["ok"], true);
    // And the run as a file can be played again.
    let file = sandbox.path("run.crewrun").to_string_lossy().into_owned();
    sandbox.run(&["runs", "export", &run, "-o", &file]).exits(0);
    sandbox.run(&["runs", "replay", &file]).exits(0);
}

#[test]
fn files_stay_when_somebody_says_so_and_a_step_that_is_none_is_told() {
    let sandbox = Sandbox::new();
    let (run, _server) = waiting(&sandbox);
    for node in ["done", "nowhere"] {
        let failed =
            sandbox.run(&["runs", "rewind", &run, "--to", node, "--yes", "--json"]).exits(5);
        let error = failed.error("E_INVALID_TRANSITION");
        assert_eq!(error["action"], "It can go back to: ask, write.", "{error}");
    }
    let zh =
        sandbox.run(&["runs", "rewind", &run, "--to", "done", "--yes", "--lang", "zh"]).exits(5);
    assert!(has_han(&zh.stderr), "{zh:?}");
    let both = ["runs", "rewind", &run, "--to", "ask", "--keep-files", "--overwrite", "a.md"];
    sandbox.run(&both).exits(2);
    let kept =
        sandbox.run(&["runs", "rewind", &run, "--to", "ask", "--keep-files", "--yes"]).exits(0);
    assert!(
        kept.stdout.starts_with("  ↶ You took the run back to “Ask for the topic”.\n"),
        "{kept:?}"
    );
    let text = std::fs::read_to_string(sandbox.project().join("a.md")).unwrap();
    assert_eq!(text, "two\n");
    let zh = sandbox.run(&["runs", "rewind", &run, "--to", "ask", "--lang", "zh"]).exits(2);
    assert!(has_han(&zh.stdout), "{zh:?}");
}
