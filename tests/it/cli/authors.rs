//! What authors of packages and readers of runs have at the command line: a package is begun, its graph
//! is shown, and the versions of a run's state are read.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use support::program::{Sandbox, Server, copy, has_han, root};

#[test]
fn a_package_that_is_begun_has_no_findings_passes_its_test_and_is_called_as_its_folder_is() {
    let sandbox = Sandbox::new();
    for template in ["linear", "decision", "agent"] {
        let folder = sandbox.path(&format!("My {template} Package")).to_string_lossy().into_owned();
        let begun = sandbox.run(&["package", "new", &folder, "--template", template]).exits(0);
        assert!(begun.stdout.contains("  + workflow.graph.json"), "{}", begun.stdout);
        assert!(begun.stdout.contains("crewagent package test"), "{}", begun.stdout);
        let report = sandbox.run(&["package", "inspect", &folder, "--json"]).exits(0).json();
        assert_eq!(report["findings"], json!([]), "{template}: {report}");
        assert_eq!(report["manifest"]["name"], format!("my-{template}-package"), "{report}");
        let tested = sandbox.run(&["package", "test", &folder]);
        tested.exits(0);
        for (path, text) in texts(Path::new(&folder)) {
            assert!(!text.contains("starter-name"), "{path}: {text}");
            let is_text = Path::new(&path).extension().is_some_and(|it| it == "md");
            let explains = text.contains("<!--") || path == "README.md";
            assert!(explains || !is_text, "{path} says what it is");
        }
    }
}

fn texts(folder: &Path) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(next).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
                texts.insert(name, std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    texts
}

#[test]
fn a_package_is_begun_in_an_empty_folder_alone() {
    let sandbox = Sandbox::new();
    let folder = sandbox.path("mine");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("diary.md"), "mine\n").unwrap();
    let path = folder.to_string_lossy().into_owned();
    let refused = sandbox.run(&["package", "new", &path]);
    assert!(refused.stderr.contains("EXPORT_EXISTS"), "{}", refused.stderr);
    assert_eq!(texts(&folder).len(), 1, "nothing is written");
    std::fs::remove_file(folder.join("diary.md")).unwrap();
    sandbox.run(&["package", "new", &path, "--json"]).exits(0);
    assert!(folder.join("bmad.json").is_file());
    let unknown = sandbox.run(&["package", "new", &path, "--template", "house"]).exits(2);
    assert!(unknown.stderr.contains("decision"), "{}", unknown.stderr);
    let zh = sandbox.path("流程").to_string_lossy().into_owned();
    let begun = sandbox.run(&["package", "new", &zh, "--lang", "zh"]).exits(0);
    assert!(has_han(&begun.stdout), "{}", begun.stdout);
    sandbox.run(&["package", "test", &zh]).exits(0);
}

#[test]
fn the_graph_of_a_package_is_shown_step_by_step() {
    let sandbox = Sandbox::new();
    let folder = sandbox.path("ways").to_string_lossy().into_owned();
    sandbox.run(&["package", "new", &folder, "--template", "decision"]).exits(0);
    sandbox.run(&["package", "import", &folder, "--yes"]).exits(0);
    let shown = sandbox.run(&["package", "show", "ways", "--graph"]).exits(0).stdout;
    let (_, steps) = shown.split_once('\n').unwrap();
    let expected = "\x20 ● ask  Ask for the length  (begins here, writer)
      → decide
  ◆ decide  Short or long?  (decision, writer)
      → long  long; variables.length is \"long\"
      → short  short; in every other case; when nothing else holds
  ● long  Write an article  (writer)
      + artifacts/article.md
      → end
  ● short  Write a short note  (writer)
      + artifacts/note.md
      → end
  ■ end  Done  (end, writer)
";
    assert_eq!(steps, expected);
    let graphs = sandbox.run(&["package", "show", "ways", "--graph", "--json"]).exits(0).json();
    assert_eq!(graphs[0]["graph"]["entry"], "ask", "{graphs}");
}

#[test]
fn the_versions_of_a_runs_state_are_listed_shown_and_compared() {
    let sandbox = Sandbox::new();
    let answers = sandbox.write("answers.json", r#"["A shared reading list."]"#);
    let run = ["run", "hello-linear", "--model", "demo", "--answers", &answers];
    sandbox.run(&run);
    let run = sandbox.run_id();
    let list = sandbox.run(&["runs", "revisions", &run, "--json"]).exits(0).json();
    let list = list.as_array().unwrap();
    assert!(list.len() > 1, "{list:?}");
    assert_eq!((&list[0]["number"], &list[0]["by"]), (&json!(1), &json!("runtime")));
    let words = sandbox.run(&["runs", "revisions", &run]).exits(0).stdout;
    assert!(words.contains("the program") && words.contains("the model"), "{words}");
    let shown = |number: &str| -> Value {
        sandbox.run(&["runs", "revisions", &run, "--show", number, "--json"]).exits(0).json()
    };
    let (first, second) = (shown("1"), shown("2"));
    assert!(first["text"].as_str().unwrap().starts_with("---\n"), "{first}");
    assert_ne!(first["text"], second["text"]);
    let text = sandbox.run(&["runs", "revisions", &run, "--show", "1"]).exits(0).stdout;
    assert_eq!(text.trim_end(), first["text"].as_str().unwrap().trim_end());
    let diff = sandbox.run(&["runs", "revisions", &run, "--diff", "1", "2"]).exits(0).stdout;
    assert!(diff.starts_with("@@") && diff.contains("\n+"), "{diff}");
    let same = sandbox.run(&["runs", "revisions", &run, "--diff", "1", "1"]).exits(0).stdout;
    assert_eq!(same.trim_end(), "nothing is different");
    for number in ["0", "99"] {
        let none = sandbox.run(&["runs", "revisions", &run, "--show", number]);
        assert!(none.stderr.contains(&format!("no version {number}")), "{}", none.stderr);
    }
}

/// The folders of a store may not be written to, which stops everybody but root from removing what
/// is in them.
#[cfg(unix)]
#[test]
fn a_test_leaves_nothing_behind_also_for_a_person_who_is_not_root() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    use std::os::unix::process::CommandExt;
    const NOBODY: u32 = 65_534;

    let sandbox = Sandbox::new();
    let folder = sandbox.path("mine").to_string_lossy().into_owned();
    sandbox.run(&["package", "new", &folder]).exits(0);
    let temp = sandbox.path("temporary");
    std::fs::create_dir(&temp).unwrap();
    let is_root = std::fs::metadata(&temp).unwrap().uid() == 0;
    // Nobody may not be let into the folder where the program was built.
    let script = if is_root { r#"exec ./crewagent "$@""# } else { r#"exec "$0" "$@""# };
    let mut tests = sandbox.in_shell(script, &["package", "test", &folder]);
    tests.env("TMPDIR", &temp);
    if is_root {
        let public = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(sandbox.path(""), public).unwrap();
        // Made by root, it is not let into it.
        _ = std::fs::remove_dir_all(sandbox.path("store"));
        for own in ["temporary", "home", "store", "project", "work"] {
            std::fs::create_dir_all(sandbox.path(own)).unwrap();
            chown(sandbox.path(own), Some(NOBODY), Some(NOBODY)).unwrap();
        }
        std::fs::copy(support::program::program(), sandbox.path("work/crewagent")).unwrap();
        tests.uid(NOBODY).gid(NOBODY);
    }
    let done = tests.output().unwrap();
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    assert_eq!(std::fs::read_dir(&temp).unwrap().count(), 0);
}

#[test]
fn a_package_may_be_called_as_a_number_or_a_word_of_yaml_is() {
    let sandbox = Sandbox::new();
    for name in ["42", "1e5", "true", "null"] {
        let folder = sandbox.path(name).to_string_lossy().into_owned();
        sandbox.run(&["package", "new", &folder]).exits(0);
        sandbox.run(&["package", "test", &folder]).exits(0);
    }
}

#[test]
fn a_trace_that_cannot_be_read_is_told_and_keeps_no_other_from_being_played() {
    let sandbox = Sandbox::new();
    let folder = sandbox.path("mine");
    let path = folder.to_string_lossy().into_owned();
    sandbox.run(&["package", "new", &path]).exits(0);
    let demo = folder.join("assets/demo");
    std::fs::write(demo.join("a.trace.json"), "{").unwrap();
    std::fs::write(demo.join("b.trace.json"), " ".repeat(1024 * 1024 + 1)).unwrap();
    let text = std::fs::read_to_string(demo.join("demo.trace.json")).unwrap();
    let misspelt = text.replacen("\"turns\"", "\"turnz\"", 1);
    std::fs::write(demo.join("c.trace.json"), misspelt).unwrap();
    let done = sandbox.run(&["package", "test", &path, "--json"]).exits(4).json();
    let outcomes: Vec<(Value, Value)> = (done.as_array().unwrap().iter())
        .map(|it| (it["passed"].clone(), it["failure"]["code"].clone()))
        .collect();
    let broken = (json!(false), json!("DEMO_TRACE_INVALID"));
    let all = [broken.clone(), broken.clone(), broken, (json!(true), Value::Null)];
    assert_eq!(outcomes, all, "{done}");
    assert!(done[1]["failure"]["message"].as_str().unwrap().contains("1 MiB"), "{done}");
    assert!(done[2]["failure"]["message"].as_str().unwrap().contains("turnz"), "{done}");
    sandbox.run(&["package", "test", &path, "--trace", "demo"]).exits(0);
    let findings = sandbox.run(&["package", "validate", &path, "--json"]).exits(0).json();
    let files: Vec<(&Value, &Value)> = (findings["findings"].as_array().unwrap().iter())
        .map(|finding| (&finding["kind"], &finding["file"]))
        .collect();
    let of = |file: &str| (json!("demo-trace"), json!(format!("assets/demo/{file}.trace.json")));
    let expected = [of("a"), of("c")];
    assert_eq!(files, expected.each_ref().map(|(kind, file)| (kind, file)), "{findings}");
    for trace in ["a", "b", "c", "demo"] {
        std::fs::remove_file(demo.join(format!("{trace}.trace.json"))).unwrap();
    }
    let none = sandbox.run(&["package", "test", &path]).exits(5);
    assert!(none.stderr.contains("DEMO_TRACE_INVALID"), "{}", none.stderr);
}

#[test]
fn a_run_that_would_be_a_longer_trace_than_any_that_is_played_is_not_recorded() {
    let sandbox = Sandbox::new();
    let page = "rain ".repeat(40_000);
    let write = |name: &str| {
        let arguments = json!({ "path": format!("@project/artifacts/{name}.md"), "content": page });
        json!({ "calls": [{ "name": "fs_write", "arguments": arguments }] })
    };
    let mut replies: Vec<Value> = ["a", "b", "c", "d", "e", "f"].map(write).into();
    replies.push(json!({ "text": "And now?" }));
    let server = Server::saying(&replies);
    let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
    let model = ["--base-url", &server.base_url(), "--model", "demo", "--approve", "auto"];
    sandbox.run(&[&["run", &mini][..], &model].concat()).exits(3);
    let file = sandbox.path("run.trace.json");
    let path = file.to_string_lossy().into_owned();
    let refused =
        sandbox.run(&["runs", "record", &sandbox.run_id(), "-o", &path, "--json"]).exits(5);
    let failure = refused.error("EXPORT_TOO_LARGE");
    assert!(failure["message"].as_str().unwrap().contains("at most 1 MiB"), "{failure}");
    assert!(!file.exists());
}

#[test]
fn a_run_whose_model_made_a_call_that_failed_beside_others_is_recorded_and_plays_again() {
    let sandbox = Sandbox::new();
    let missing = json!({ "name": "fs_read", "arguments": { "path": "@project/none.md" } });
    let written = json!({ "path": "@project/artifacts/a.md", "content": "rain" });
    let write = json!({ "name": "fs_write", "arguments": written });
    let server =
        Server::saying(&[json!({ "calls": [missing, write] }), json!({ "text": "And now?" })]);
    let mini = root().join("tests/fixtures/packages/mini");
    let model = ["--base-url", &server.base_url(), "--model", "demo", "--approve", "auto"];
    sandbox.run(&[&["run", &mini.to_string_lossy()][..], &model].concat()).exits(3);
    let package = sandbox.path("mine");
    copy(&mini, &package);
    let demo = package.join("assets/demo");
    std::fs::create_dir_all(&demo).unwrap();
    let file = demo.join("demo.trace.json").to_string_lossy().into_owned();
    sandbox.run(&["runs", "record", &sandbox.run_id(), "-o", &file]).exits(0);
    sandbox.run(&["package", "test", &package.to_string_lossy()]).exits(0);
}
