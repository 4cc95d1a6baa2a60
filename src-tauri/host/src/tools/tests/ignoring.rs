//! Many ignore files, each within its bounds.

use super::fixture::Fixture;
use serde_json::{Value, json};

/// As many rules as one file may have, and one more text at the end.
fn full(last: &str) -> String {
    format!("{}{last}\n", "n\n".repeat(9_999))
}

fn listed(f: &Fixture, path: &str) -> Value {
    f.call("fs.list", &json!({ "path": path, "depth": 9 }))
}

fn found(f: &Fixture) -> Vec<String> {
    let r = f.call("fs.search", &json!({ "path": "@project", "pattern": "x" }));
    let path = |hit: &Value| hit["path"].as_str().unwrap().to_owned();
    r["matches"].as_array().unwrap().iter().map(path).collect()
}

#[test]
fn rules_of_a_search_hold_as_far_as_the_budget_for_all_its_folders_goes() {
    let f = Fixture::new();
    for folder in ["", "a/", "c/"] {
        f.put(&format!("project/{folder}.gitignore"), full("own.md"));
        f.put(&format!("project/{folder}own.md"), "x").put(&format!("project/{folder}b.md"), "x");
    }
    f.put("project/a/deep/.gitignore", "c.md\n").put("project/a/deep/c.md", "x");
    f.put("project/a/deep/own.md", "x");
    let shown = ["@project/a/b.md", "@project/a/deep/c.md", "@project/b.md", "@project/c/b.md"];
    assert_eq!(found(&f), shown, "what was left is forgotten, what is too much is passed over");
}

#[test]
fn private_rules_that_are_too_many_in_all_keep_their_folder_shut() {
    let f = Fixture::new();
    for folder in ["", "a/", "c/"] {
        f.put(&format!("project/{folder}.crewagentignore"), full("own.md"));
        f.put(&format!("project/{folder}b.md"), "x");
    }
    assert_eq!(listed(&f, "@project")["ok"], true, "two of them hold at once");
    f.put("project/a/deep/.crewagentignore", "c.md\n").put("project/a/deep/c.md", "x");
    let read = |path: &str| f.call("fs.read", &json!({ "path": path }));
    let refused =
        [read("@project/a/deep/c.md"), read("@project/a/deep/d.md"), listed(&f, "@project")];
    for r in refused {
        assert_eq!(r["error"]["details"]["reason"], "ignore_file", "{r}");
        assert!(r["error"]["message"].as_str().unwrap().contains("too many rules"), "{r}");
    }
    assert_eq!(read("@project/a/b.md")["ok"], true);
}

#[test]
fn long_rules_count_by_their_bytes() {
    let f = Fixture::new();
    let long = format!("#{}\n", "a".repeat(1000)).repeat(250);
    let mut folder = "project".to_owned();
    for _ in 0..5 {
        f.put(&format!("{folder}/.gitignore"), format!("{long}own.md\n"));
        f.put(&format!("{folder}/.crewagentignore"), &long);
        folder.push_str("/a");
    }
    f.put("project/a/a/a/b.md", "x").put("project/a/a/a/a/b.md", "x");
    let read = |path: &str| f.call("fs.read", &json!({ "path": path }));
    assert_eq!(read("@project/a/a/a/b.md")["ok"], true);
    assert_eq!(read("@project/a/a/a/a/b.md")["error"]["details"]["reason"], "ignore_file");
}

#[test]
fn one_call_reads_no_more_rules_than_there_is_time_for() {
    let f = Fixture::in_memory();
    for at in 10..17 {
        f.put(&format!("project/{at}/.gitignore"), full("own.md"));
        f.put(&format!("project/{at}/own.md"), "x");
    }
    assert_eq!(found(&f), ["@project/15/own.md", "@project/16/own.md"]);
    for at in 10..17 {
        f.put(&format!("project/{at}/.crewagentignore"), full("own.md"));
    }
    assert_eq!(listed(&f, "@project")["error"]["details"]["reason"], "ignore_file");
    assert_eq!(listed(&f, "@project/16")["ok"], true, "the next call begins anew");
}

#[test]
fn a_letter_that_is_written_out_as_two_is_the_same_letter() {
    let f = Fixture::new();
    f.put("project/.crewagentignore", "cla\u{df}/\nSTRASSE.md\n");
    f.put("project/class/s.txt", "x").put("project/stra\u{df}e.md", "x");
    for path in ["@project/class/s.txt", "@project/stra\u{df}e.md"] {
        let r = f.call("fs.read", &json!({ "path": path }));
        assert_eq!(r["error"]["details"]["reason"], "crewagentignore", "{path}");
    }
}

#[test]
fn many_small_ignore_files_stay_within_the_budget() {
    let f = Fixture::in_memory();
    for at in 0..300 {
        f.put(&format!("project/{at}/.gitignore"), "own.md\n*.log\n");
        f.put(&format!("project/{at}/.crewagentignore"), "private.md\n");
        f.put(&format!("project/{at}/own.md"), "x").put(&format!("project/{at}/private.md"), "x");
    }
    f.put("project/b.md", "x");
    assert_eq!(found(&f), ["@project/b.md"]);
}
