//! Folders that hold the program's own data, whichever store is in use.

use super::fixture::Fixture;
use serde_json::{Value, json};
use std::fs;

fn reason(r: &Value) -> &str {
    r["error"]["details"]["reason"].as_str().unwrap_or("none")
}

#[test]
fn another_store_in_the_project_is_neither_read_nor_changed() {
    let f = Fixture::new();
    for file in ["store.db", "open.lock", "projects/p/runs/r/state.md"] {
        f.put(&format!("project/old/data/{file}"), "words");
    }
    f.put("project/old/a.md", "words").put("project/half/store.db", "words");
    let run = "@project/old/data/projects/p/runs/r/state.md";
    for (tool, args) in [
        ("fs.read", json!({ "path": run })),
        ("fs.read", json!({ "path": "@project/old/data/store.db" })),
        ("fs.list", json!({ "path": "@project/old/data" })),
        ("fs.glob", json!({ "path": "@project/old/data", "pattern": "**" })),
        ("fs.search", json!({ "path": "@project/old/data", "pattern": "words" })),
        ("fs.write", json!({ "path": "@project/old/data/projects/new.md", "content": "x" })),
        ("fs.delete", json!({ "path": run })),
        ("fs.delete", json!({ "path": "@project/old/data", "recursive": true })),
        ("fs.delete", json!({ "path": "@project/old", "recursive": true })),
        ("fs.move", json!({ "from": "@project/old/data", "to": "@project/mine" })),
        ("fs.move", json!({ "from": "@project/old/a.md", "to": "@project/old/data/a.md" })),
    ] {
        assert_eq!(reason(&f.call(tool, &args)), "program_data", "{tool} {args}");
    }
    let list = f.call("fs.list", &json!({ "path": "@project", "depth": 5 }));
    let shown = ["half/", "half/store.db", "old/", "old/a.md", "old/data/"];
    assert_eq!(list["entries"], json!(shown));
    let glob = f.call("fs.glob", &json!({ "path": "@project", "pattern": "**/*.md" }));
    assert_eq!(glob["paths"], json!(["@project/old/a.md"]));
    let found = f.call("fs.search", &json!({ "path": "@project", "pattern": "words" }));
    assert_eq!(found["matches"].as_array().unwrap().len(), 2, "{found}");
    assert_eq!(f.get("project/old/data/projects/p/runs/r/state.md"), "words");
}

#[test]
fn a_project_in_another_store_has_no_file_for_tools() {
    let mut f = Fixture::new();
    f.put("project/in/a.md", "x").put("project/store.db", "x").put("project/open.lock", "x");
    for folder in ["project/in", "project"] {
        let folder = f.real(folder);
        f.open_project_at(folder.to_str().unwrap());
        let r = f.call("fs.list", &json!({ "path": "@project" }));
        assert_eq!(reason(&r), "program_data", "{r}");
    }
    fs::remove_file(f.real("project/open.lock")).unwrap();
    let folder = f.real("project");
    f.open_project_at(folder.to_str().unwrap());
    assert_eq!(f.call("fs.list", &json!({ "path": "@project" }))["ok"], true);
}
