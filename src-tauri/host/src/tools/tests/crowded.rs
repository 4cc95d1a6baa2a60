use kernel::bounds::ENTRIES_HELD;
use serde_json::json;
use std::fs::{File, create_dir};

use super::fixture::Fixture;

#[test]
fn a_folder_of_more_entries_than_anybody_looks_at_is_refused_in_words() {
    let f = Fixture::in_memory();
    create_dir(f.real("project/crowd")).unwrap();
    for n in 0..=ENTRIES_HELD {
        File::create(f.real(&format!("project/crowd/{n}"))).unwrap();
    }
    f.put("project/crowd/below/a.md", "needle");
    for (tool, args) in [
        ("fs.search", json!({ "path": "@project", "pattern": "needle" })),
        ("fs.glob", json!({ "pattern": "crowd/*/a.md" })),
    ] {
        let result = f.call(tool, &args);
        assert_eq!(result["error"]["code"], "E_READ_LIMIT", "{tool}: {result}");
        assert_eq!(result["error"]["details"]["limit"], ENTRIES_HELD, "{tool}");
        let message = result["error"]["message"].as_str().unwrap();
        assert!(message.contains("@project/crowd"), "{message}");
    }
    // A list holds no more than it shows.
    let listed = f.call("fs.list", &json!({ "path": "@project/crowd" }));
    assert_eq!(listed["entries"].as_array().unwrap().len(), 200);
    assert_eq!(listed["truncated"], true);
    let found =
        f.call("fs.search", &json!({ "path": "@project/crowd/below", "pattern": "needle" }));
    assert_eq!(found["stats"]["matchesFound"], 1);
}

#[test]
fn folders_beside_each_other_are_not_counted_together_as_held() {
    let f = Fixture::in_memory();
    for folder in 0..3 {
        create_dir(f.real(&format!("project/{folder}"))).unwrap();
        for n in 0..ENTRIES_HELD / 2 {
            File::create(f.real(&format!("project/{folder}/{n}"))).unwrap();
        }
    }
    let found = f.call("fs.glob", &json!({ "pattern": "**/*.md" }));
    assert_eq!(found["count"], 0, "{found}");
}
