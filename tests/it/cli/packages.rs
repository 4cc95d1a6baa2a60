//! Packages as the Builder exports them, at the real program: what it once refused is taken, what
//! it once passed over is said, and all of it in the reader's language.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};

use super::commands::copy;
use support::program::{Sandbox, hello_branch, root};

/// A copy of the small package of the fixtures, to be changed.
struct Folder(PathBuf);

impl Folder {
    fn new(sandbox: &Sandbox, name: &str) -> Self {
        let folder = sandbox.path(name);
        std::fs::create_dir(&folder).unwrap();
        copy(&root().join("tests/fixtures/packages/mini"), &folder);
        Self(folder)
    }

    fn json(&self, file: &str, change: impl FnOnce(&mut Value)) {
        let path = self.0.join(file);
        let mut value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        change(&mut value);
        std::fs::write(path, value.to_string()).unwrap();
    }

    fn text(&self, file: &str, old: &str, new: &str) {
        let path = self.0.join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(old), "{text}");
        std::fs::write(path, text.replace(old, new)).unwrap();
    }

    fn path(&self) -> String {
        self.0.to_string_lossy().into_owned()
    }
}

fn kinds(findings: &Value) -> Vec<&str> {
    findings.as_array().unwrap().iter().map(|f| f["kind"].as_str().unwrap()).collect()
}

#[test]
fn what_the_builder_writes_is_taken() {
    let sandbox = Sandbox::new();
    let folder = Folder::new(&sandbox, "built");
    let id = format!("phase:1:{}", "x".repeat(240));
    folder.json("workflow.graph.json", |graph| {
        graph["entryNodeId"] = json!(id);
        graph["edges"][0]["from"] = json!(id);
        graph["nodes"][0]["id"] = json!(id);
        graph["nodes"][0]["agentId"] = json!("");
        graph["nodes"][0]["inputs"] =
            json!(["https://example.com/brief", "What the user said: all"]);
    });
    folder.text("steps/ask.md", "nodeId: ask", &format!("nodeId: \"{id}\"\nagentId: \"\""));
    folder.json("agents.json", |agents| {
        agents["agents"][0]["tools"]["fs"]["maxReadBytes"] = json!(2000.0);
    });
    let odd =
        "big: 123456789012345678901234567890\nnote: \"a\u{7f}\u{92}\u{fffe}b\"\nls: x\u{2028}y\n";
    folder.text("workflow.md", "workflowType", &format!("{odd}workflowType"));
    let done = sandbox.run(&["package", "validate", &folder.path(), "--json"]).exits(0).json();
    assert_eq!(done["findings"], json!([]), "{done:#}");
    sandbox.run(&["package", "import", &folder.path(), "--yes", "--json"]).exits(0);
}

#[test]
fn what_cannot_be_checked_or_left_is_said_in_the_readers_language() {
    let sandbox = Sandbox::new();
    let folder = Folder::new(&sandbox, "odd");
    folder.json("workflow.graph.json", |graph| {
        graph["nodes"][0]["type"] = json!("decision");
        graph["nodes"][0]["inputs"] = json!(["~/notes.md"]);
        graph["nodes"][1]["outputs"] = json!(["A short summary", "artifacts/{{name}}.md", "out/"]);
    });
    folder.text("steps/ask.md", "type: step", "type: decision");
    folder
        .json("agents.json", |agents| agents["agents"][0]["tools"]["fs"]["enabled"] = json!(false));
    folder.text("workflow.md", "workflowType", "updatedAt: \"\"\nworkflowType");
    let found = sandbox.run(&["package", "validate", &folder.path(), "--json"]).exits(0).json();
    let found = &found["findings"];
    let mut said = kinds(found);
    said.sort_unstable();
    let expected = ["agent-without-files"; 3].into_iter().chain([
        "decision-without-choice",
        "input-path",
        "unchecked-output",
        "unchecked-output",
        "unchecked-output",
        "updated-at",
    ]);
    assert_eq!(said, expected.collect::<Vec<_>>(), "{found:#}");
    for finding in found.as_array().unwrap() {
        assert!(finding["file"].as_str().is_some_and(|f| !f.is_empty()), "{finding:#}");
        assert!(finding["message"].is_string() && finding["hint"].is_string(), "{finding:#}");
        assert!(finding["said"]["key"].is_string(), "{finding:#}");
        assert!(finding["advice"]["key"].is_string(), "{finding:#}");
    }
    let en = sandbox.run(&["package", "inspect", &folder.path()]).exits(0).stdout;
    let output = "warning workflow.graph.json /nodes/1/outputs/2: the output `out/` of node `write` \
                  cannot be checked: it names a folder, not a file  → No step waits for it.";
    assert!(en.contains(output), "{en}");
    let zh = sandbox.run(&["--lang", "zh", "package", "inspect", &folder.path()]).exits(0).stdout;
    let output = "警告 workflow.graph.json /nodes/1/outputs/2：节点 `write` 的产出 `out/` 无法检查：\
                  它是文件夹，不是文件  → 步骤不会为它等待。";
    assert!(zh.contains(output), "{zh}");
    assert_eq!(zh.matches("警告 ").count(), 9, "{zh}");
}

#[test]
fn what_the_format_does_not_allow_is_refused_in_the_readers_language() {
    let sandbox = Sandbox::new();
    let folder = Folder::new(&sandbox, "lax");
    folder.json("agents.json", |agents| {
        agents["agents"][0]["metadata"]["title"] = json!("");
        agents["agents"][0]["critical_actions"] = json!([""]);
    });
    folder.text("steps/ask.md", "type: step", "type: task");
    folder.text("steps/done.md", "nodeId: done", "nodeId: [done");
    let en = sandbox.run(&["package", "import", &folder.path(), "--yes"]).exits(5).stderr;
    for line in [
        "error agents.json /agents/0/metadata/title: the text is empty  → Write a text",
        "error agents.json /agents/0/critical_actions/0: the text is empty",
        "error steps/ask.md /type: \"task\" is not an allowed value  → Use one of \"step\"",
        "error steps/done.md: the front matter is not valid YAML:",
    ] {
        assert!(en.contains(line), "{line}: {en}");
    }
    assert!(!en.contains("`---`"), "nothing is missing: {en}");
    let zh = sandbox.run(&["--lang", "zh", "package", "import", &folder.path(), "--yes"]).exits(5);
    for line in [
        "错误 agents.json /agents/0/metadata/title：文本为空  → 请写非空的文本。",
        "错误 steps/ask.md /type：\"task\" 不是允许的值  → 请使用 \"step\"",
        "错误 steps/done.md：文件头不是有效的 YAML：",
    ] {
        assert!(zh.stderr.contains(line), "{line}: {}", zh.stderr);
    }
    assert_eq!(sandbox.rows("packages"), 0);
}

#[test]
fn an_upgrade_is_compared_with_what_was_installed_last_and_hides_no_wider_permission() {
    let sandbox = Sandbox::new();
    let bytes = |folder: &Folder, max: u64| {
        folder.json("agents.json", |agents| {
            agents["agents"][0]["tools"]["fs"]["maxWriteBytes"] = json!(max);
        });
    };
    let folder = Folder::new(&sandbox, "editions");
    let import = || {
        let done = sandbox.run(&["package", "import", &folder.path(), "--yes", "--json"]).exits(0);
        done.stdout.lines().last().map(|l| serde_json::from_str::<Value>(l).unwrap()).unwrap()
    };
    // Every edition has the same version, so the order of the ids is chance: try both ends.
    let mut last = Value::Null;
    for max in [9000, 100, 8000, 200, 7000, 300] {
        bytes(&folder, max);
        last = import()["packageId"].clone();
    }
    bytes(&folder, 400);
    let report = sandbox.run(&["package", "inspect", &folder.path(), "--json"]).exits(0).json();
    let upgrade = &report["upgrade"];
    assert_eq!(upgrade["from"], last, "{upgrade:#}");
    assert_eq!(upgrade["widened"], json!(["Ann may now write 400 B at once (was 300 B)"]));
    assert_eq!(
        upgrade["widenedSaid"],
        json!([{"key": "now_writes_more", "values": {"agent": "Ann", "size": "400 B", "was": "300 B"}}])
    );
    bytes(&folder, 300);
    let same = sandbox.run(&["package", "inspect", &folder.path(), "--json"]).exits(0).json();
    assert_eq!(same.get("upgrade"), None, "installed last already");
    bytes(&folder, 9000);
    let back = sandbox.run(&["package", "inspect", &folder.path(), "--json"]).exits(0).json();
    assert_eq!(back["upgrade"]["from"], last, "the first one again, over the last");
    assert_eq!(
        back["upgrade"]["widened"],
        json!(["Ann may now write 8.7 KiB at once (was 300 B)"])
    );
}

#[test]
fn of_an_update_the_versions_and_the_files_are_told_in_words() {
    let sandbox = Sandbox::new();
    let folder = Folder::new(&sandbox, "updated");
    sandbox.run(&["package", "import", &folder.path(), "--yes"]).exits(0);
    let inspected = |lang: &str| {
        sandbox.run(&["--lang", lang, "package", "inspect", &folder.path()]).exits(0).stdout
    };
    folder.text("steps/ask.md", "type: step", "type: step\ntitle: Other");
    let words = inspected("en");
    let again = "Version 1.0.0 again, with other content. The installed one is kept.\n  \
                 Files changed: steps/ask.md\n";
    assert!(words.contains(again), "{words}");
    folder.json("bmad.json", |manifest| manifest["version"] = json!("1.1.0"));
    std::fs::create_dir_all(folder.0.join("assets")).unwrap();
    for n in 0..21 {
        std::fs::write(folder.0.join(format!("assets/{n:02}.md")), "new").unwrap();
    }
    for (lang, update, names, rest) in [
        (
            "en",
            "Update 1.0.0 → 1.1.0. 1.0.0 is kept.\n  Files changed: ",
            "Files added: ",
            " and 1 more",
        ),
        (
            "zh",
            "更新 1.0.0 → 1.1.0，1.0.0 会保留。\n  更改的文件：",
            "新增的文件：",
            "，以及另外 1 个",
        ),
    ] {
        let words = inspected(lang);
        let lines = format!("{update}bmad.json, steps/ask.md\n  {names}assets/00.md, ");
        assert!(words.contains(&lines), "{words}");
        assert!(words.contains(&format!("assets/19.md{rest}\n")), "{words}");
    }
}

#[test]
fn packing_replaces_a_package_and_nothing_else_unasked() {
    let sandbox = Sandbox::new();
    let (folder, out) = (Folder::new(&sandbox, "mine"), sandbox.write("keep.txt", "kept"));
    let pack = |more: &[&str]| {
        let args = ["package", "pack", &folder.path(), "-o", &out];
        sandbox.run_told(&[&args[..], more].concat(), &[])
    };
    pack(&["--json"]).exits(5).error("EXPORT_EXISTS");
    let zh = pack(&["--lang", "zh"]).exits(5);
    assert!(zh.stderr.contains("已经存在") && zh.stderr.contains("--force"), "{zh:#?}");
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "kept");
    pack(&["--force"]).exits(0);
    assert!(std::fs::read(&out).unwrap().starts_with(b"PK"));
    pack(&[]).exits(0);
}

#[test]
fn an_unpacked_package_packs_to_the_same_id() {
    let sandbox = Sandbox::new();
    let folder = Folder::new(&sandbox, "mine");
    let pack = |dir: &Path, out: &str| {
        let out = sandbox.path(out).to_string_lossy().into_owned();
        let dir = dir.to_string_lossy();
        sandbox.run_told(&["package", "pack", &dir, "-o", &out, "--json"], &[]).exits(0).json()
    };
    let one = pack(&folder.0, "one.bmad");
    let mut zip =
        zip::ZipArchive::new(std::fs::File::open(sandbox.path("one.bmad")).unwrap()).unwrap();
    let unpacked = sandbox.path("unpacked");
    zip.extract(&unpacked).unwrap();
    let two = pack(&unpacked, "two.bmad");
    assert_eq!((&one["packageId"], &one["sha256"]), (&two["packageId"], &two["sha256"]));
}

#[test]
fn a_run_goes_on_with_the_very_package_it_began_with_and_no_other() {
    let sandbox = Sandbox::new();
    let args = ["run", &hello_branch(), "--model", "demo", "--input", "A page.", "--json"];
    sandbox.run(&args).exits(3);
    let run = sandbox.run_id();
    let started = sandbox.journal_events().into_iter().find(|e| e["event"] == "run_started");
    let hash = started.unwrap()["data"]["contentHash"].as_str().unwrap().to_owned();
    assert_eq!(hash.len(), 64);
    // As if another content were installed under the id the run knows.
    let db = sandbox.database();
    db.execute_batch("DROP TRIGGER lines_are_never_changed").unwrap();
    let change = "UPDATE lines SET body = replace(body, ?1, ?2) WHERE seq = 1";
    db.execute(change, (&hash, "0".repeat(64))).unwrap();
    drop(db);
    let refused = sandbox.run(&["runs", "resume", &run, "--json"]);
    assert!(refused.stdout.contains("PACKAGE_INVALID"), "{refused:#?}");
    sandbox.run(&["runs", "show", &run]).exits(0);
}
