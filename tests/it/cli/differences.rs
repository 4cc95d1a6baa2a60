//! `runs diff` and `runs put-back`: what is different in the project since before a run.

use serde_json::{Value, json};
use support::program::{Sandbox, Server, find, has_han, root};

fn calls(name: &str, arguments: &Value) -> Value {
    json!({ "calls": [{ "name": name, "arguments": arguments }] })
}

/// A run that changed one file, made another and deleted a third.
fn changed(sandbox: &Sandbox) -> String {
    let project = sandbox.project();
    std::fs::create_dir(project.join("docs")).unwrap();
    std::fs::write(project.join("docs/a.md"), "one\ntwo\n").unwrap();
    std::fs::write(project.join("old.md"), "old\n").unwrap();
    std::fs::write(project.join("other.md"), "not touched\n").unwrap();
    let replies = [
        calls("fs_write", &json!({ "path": "@project/docs/a.md", "content": "one\nthree\n" })),
        calls(
            "fs_write",
            &json!({ "path": "@project/docs/b.md", "content": "new\n", "verify_after_write": false }),
        ),
        calls("fs_delete", &json!({ "path": "@project/old.md" })),
        json!({ "text": "And now?" }),
    ];
    let server = Server::saying(&replies);
    let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
    let model = ["--base-url", &server.base_url(), "--model", "demo", "--approve", "auto"];
    sandbox.run(&[&["run", &mini][..], &model].concat());
    sandbox.run_id()
}

#[test]
fn each_file_that_a_run_changed_is_shown_with_what_differs() {
    let sandbox = Sandbox::new();
    let run = changed(&sandbox);
    let shown = sandbox.run(&["runs", "diff", &run]).exits(0).stdout;
    let expected = "\
changed  @project/docs/a.md  +1 −1  (checked: as the run left it)
@@ -1,2 +1,2 @@
 one
-two
+three
new  @project/docs/b.md  +1 −0
@@ -0,0 +1 @@
+new
deleted  @project/old.md  +0 −1
@@ -1 +0,0 @@
-old
";
    assert_eq!(shown, expected);
    // What somebody else did since is a part of it.
    std::fs::write(sandbox.project().join("docs/a.md"), "one\nfour\n").unwrap();
    let shown = sandbox.run(&["runs", "diff", &run, "docs/a.md"]).exits(0).stdout;
    assert!(shown.contains("(changed since by someone else)\n"), "{shown}");
    assert!(shown.ends_with(" one\n-two\n+four\n"), "{shown}");
    let json = sandbox.run(&["runs", "diff", &run, "@project/docs/b.md", "--json"]).exits(0).json();
    assert_eq!(
        json[0]["now"],
        json!({ "kind": "text", "text": "new\n", "bytes": 4, "cut": false })
    );
    assert_eq!(json[0]["change"]["before"]["kind"], "nothing");
    let zh = sandbox.run(&["runs", "diff", &run, "other.md", "--lang", "zh"]).exits(0).stdout;
    assert!(zh.starts_with("@project/other.md  ") && has_han(&zh), "{zh}");
}

#[test]
fn a_path_that_is_none_and_a_run_that_changed_nothing_are_told() {
    let sandbox = Sandbox::new();
    let server = Server::saying(&[json!({ "text": "What is it?" })]);
    let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
    let model = ["--base-url", &server.base_url(), "--model", "demo"];
    sandbox.run(&[&["run", &mini][..], &model].concat()).exits(3);
    let run = sandbox.run_id();
    let shown = sandbox.run(&["runs", "diff", &run]).exits(0).stdout;
    assert_eq!(shown, "The run changed nothing in the project.\n");
    for path in ["../a.md", "/etc/passwd", "@nowhere/a.md"] {
        let failed = sandbox.run(&["runs", "diff", &run, path, "--json"]).exits(2);
        let error = failed.error("BAD_REQUEST");
        assert!(
            error["message"].as_str().unwrap().contains("is no path of the project"),
            "{error}"
        );
    }
    let gone = sandbox.run(&["runs", "diff", &run, "no.md"]).exits(0).stdout;
    assert_eq!(gone, "@project/no.md  there is no such file\n");
    let gone = sandbox.run(&["runs", "diff", &run, "no.md", "--json"]).exits(0).json();
    assert_eq!(gone[0]["now"]["kind"], "nothing");
}

#[cfg(unix)]
#[test]
fn nothing_is_said_to_be_checked_that_is_not_known_to_be_the_same() {
    let sandbox = Sandbox::new();
    let run = changed(&sandbox);
    let file = sandbox.project().join("docs/a.md");
    let shown = || sandbox.run(&["runs", "diff", &run, "docs/a.md"]).exits(0).stdout;
    assert!(shown().contains("(checked: as the run left it)"));
    std::fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink("../other.md", &file).unwrap();
    assert!(shown().contains("(changed since by someone else)"), "{}", shown());
    std::fs::remove_file(&file).unwrap();
    // Too long to be read for a list.
    std::fs::File::create(&file).unwrap().set_len(1 << 31).unwrap();
    assert!(!shown().contains('('), "{}", shown());
}

#[test]
fn a_file_is_put_back_when_somebody_says_so_and_the_run_did_not_change_it_any_more() {
    let sandbox = Sandbox::new();
    let run = changed(&sandbox);
    let project = sandbox.project();
    let text = |path: &str| std::fs::read_to_string(project.join(path)).ok();
    // Nobody is there to agree.
    let asked = sandbox.run(&["runs", "put-back", &run, "docs/a.md"]).exits(2);
    assert!(asked.stdout.contains("-two\n+three\n"), "{asked:?}");
    assert!(asked.stderr.contains("--yes"), "{asked:?}");
    assert_eq!(text("docs/a.md").as_deref(), Some("one\nthree\n"));
    // What somebody else made of it goes, too: it was shown.
    std::fs::write(project.join("docs/a.md"), "four\n").unwrap();
    let done = sandbox.run(&["runs", "put-back", &run, "docs/a.md", "--yes"]).exits(0).stdout;
    assert_eq!(done, "@project/docs/a.md  not changed by this run\n");
    assert_eq!(text("docs/a.md").as_deref(), Some("one\ntwo\n"));
    let back = sandbox.run(&["runs", "put-back", &run, "@project/old.md", "--yes", "--json"]);
    let back = back.exits(0).json();
    assert_eq!(back["now"]["text"], "old\n", "{back}");
    assert_eq!(back["change"], Value::Null, "{back}");
    sandbox.run(&["runs", "put-back", &run, "docs/b.md", "--yes"]).exits(0);
    assert_eq!((text("docs/b.md"), text("old.md").as_deref()), (None, Some("old\n")));
    let none = sandbox.run(&["runs", "diff", &run]).exits(0).stdout;
    assert_eq!(none, "The run changed nothing in the project.\n");
    // Each is in the log, on behalf of the person.
    let log = find(&sandbox.path("store/projects"), "execution.jsonl").unwrap();
    let log = std::fs::read_to_string(log).unwrap();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of_person = lines.iter().filter(|line| line["toolName"] == "files.put_back");
    let of_person: Vec<&Value> = of_person.collect();
    assert_eq!(of_person.len(), 3, "{log}");
    assert_eq!(of_person[0]["agentId"], "user");
    assert_eq!(of_person[0]["input"]["path"], "@project/docs/a.md");
    assert_eq!(of_person[0]["output"]["ok"], true);
}

#[test]
fn a_file_that_the_run_did_not_change_is_not_put_back() {
    let sandbox = Sandbox::new();
    let run = changed(&sandbox);
    for path in ["other.md", "no.md"] {
        let failed = sandbox.run(&["runs", "put-back", &run, path, "--yes", "--json"]).exits(5);
        let error = failed.error("ENOENT");
        let said = error["message"].as_str().unwrap();
        assert!(said.contains("was not changed by this run"), "{error}");
    }
    let zh = sandbox.run(&["runs", "put-back", &run, "other.md", "--yes", "--lang", "zh"]).exits(5);
    assert!(has_han(&zh.stderr), "{zh:?}");
    let text = std::fs::read_to_string(sandbox.project().join("other.md")).unwrap();
    assert_eq!(text, "not touched\n");
}
