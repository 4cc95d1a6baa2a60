use serde_json::{Value, json};

use super::fixture::{Fixture, code};

fn patch(f: &Fixture, ops: &Value) -> Value {
    f.call("fs.apply_patch", &json!({ "path": "@project/a.md", "patch": ops }))
}

fn replace(old: &str, new: &str) -> Value {
    json!({ "operation": "replace", "old": old, "new": new })
}

#[test]
fn one_text_is_replaced_and_the_rest_stays() {
    let f = Fixture::new();
    f.put("project/a.md", "# T\n\nold line\nend");
    let r = patch(&f, &replace("old line", "new line"));
    assert_eq!(f.get("project/a.md"), "# T\n\nnew line\nend");
    assert_eq!((&r["replaced"], &r["diffstat"]), (&json!(1), &json!({ "added": 1, "removed": 1 })));
}

#[test]
fn the_flat_form_is_taken_too() {
    let f = Fixture::new();
    f.put("project/a.md", "old");
    let flat =
        json!({ "path": "@project/a.md", "operation": "replace", "old": "old", "new": "new" });
    assert_eq!(f.call("fs.apply_patch", &flat)["ok"], true);
    assert_eq!(f.get("project/a.md"), "new");
}

#[test]
fn a_text_that_is_not_there_is_answered_with_the_closest_lines() {
    let f = Fixture::new();
    f.put("project/a.md", "alpha\nThe quick brown fox\nomega\n");
    let r = patch(&f, &replace("The quick brown cat", "x"));
    assert_eq!(code(&r), "E_PATCH_FAILED");
    assert_eq!(
        r["error"]["details"]["closest"],
        json!([{ "line": 2, "text": "The quick brown fox" }])
    );
    assert!(r["error"]["message"].as_str().unwrap().contains("line 2"));
    assert!(r["error"]["action"].is_string());
    let r = patch(&f, &replace("The  quick brown fox", "x"));
    assert!(r["error"]["message"].as_str().unwrap().contains("white space only"), "{r}");
}

#[test]
fn a_text_that_is_there_twice_needs_all() {
    let f = Fixture::new();
    f.put("project/a.md", "x\ny\nx\n");
    let r = patch(&f, &replace("x", "z"));
    assert_eq!(code(&r), "E_PATCH_FAILED");
    assert_eq!(r["error"]["details"], json!({ "matches": 2, "lines": [1, 3] }));
    let all = json!({ "operation": "replace", "old": "x", "new": "z", "all": true });
    assert_eq!(patch(&f, &all)["replaced"], 2);
    assert_eq!(f.get("project/a.md"), "z\ny\nz\n");
}

#[test]
fn several_operations_are_all_done_or_none() {
    let f = Fixture::new();
    f.put("project/a.md", "a b c");
    let r = patch(&f, &json!([replace("a", "1"), replace("nope", "2")]));
    assert_eq!(code(&r), "E_PATCH_FAILED");
    assert!(r["error"]["message"].as_str().unwrap().contains("operation 2"));
    assert_eq!(f.get("project/a.md"), "a b c");
    patch(&f, &json!([replace("a", "1"), replace("1 b", "2")]));
    assert_eq!(f.get("project/a.md"), "2 c");
    assert_eq!(code(&patch(&f, &json!([]))), "E_PATCH_FAILED");
    assert_eq!(code(&patch(&f, &replace("", "x"))), "E_PATCH_FAILED");
}

#[test]
fn a_crlf_file_is_matched_and_kept() {
    let f = Fixture::new();
    f.put("project/a.md", "a\r\nb\r\nc\r\n");
    patch(&f, &replace("a\nb\n", "1\n2\n3\n"));
    assert_eq!(f.get("project/a.md"), "1\r\n2\r\n3\r\nc\r\n");
    f.put("project/a.md", "a\nb\n");
    patch(&f, &replace("a\r\nb", "1\r\n2"));
    assert_eq!(f.get("project/a.md"), "1\n2\n");
    f.put("project/a.md", "a\r\nb\nc\r\n");
    patch(&f, &replace("b\nc", "x"));
    assert_eq!(f.get("project/a.md"), "a\r\nx\r\n");
}

#[test]
fn a_patch_that_changes_nothing_writes_nothing() {
    let f = Fixture::new();
    f.put("project/a.md", "a");
    assert_eq!(patch(&f, &replace("a", "a"))["noop_write"], true);
}

#[test]
fn only_text_files_that_exist_are_patched() {
    let f = Fixture::new();
    assert_eq!(code(&patch(&f, &replace("a", "b"))), "ENOENT");
    f.put("project/a.md", b"a\0");
    assert_eq!(code(&patch(&f, &replace("a", "b"))), "E_NOT_TEXT");
}

#[test]
fn front_matter_of_a_project_file_is_updated_and_the_body_stays() {
    let f = Fixture::new();
    f.put("project/a.md", "---\n# kept\nvariables:\n  x: 1\n---\nbody\n");
    let op = json!({ "operation": "updateFrontmatter", "update": { "variables": { "set": { "x": 2 } } } });
    let r = patch(&f, &json!([op, replace("body", "text")]));
    assert_eq!(r["ok"], true, "{r}");
    assert_eq!(f.get("project/a.md"), "---\n# kept\nvariables:\n  x: 2\n---\ntext\n");
    f.put("project/a.md", "no front matter");
    let r = patch(&f, &op);
    assert_eq!(code(&r), "E_INVALID_FRONTMATTER");
    assert!(r["error"]["message"].as_str().unwrap().starts_with("@project/a.md: "), "{r}");
    assert_eq!(f.get("project/a.md"), "no front matter");
}

#[test]
fn a_patch_that_would_make_a_file_huge_is_refused_before_it_is_made() {
    let f = Fixture::new();
    // A million times a million bytes.
    let text = "a".repeat(1_000_000);
    f.put("project/a.md", &text);
    let op = json!({ "operation": "replace", "old": "a", "new": &text, "all": true });
    let r = f.call("fs.apply_patch", &json!({ "path": "@project/a.md", "patch": op }));
    assert_eq!(code(&r), "E_WRITE_LIMIT");
    assert_eq!(r["error"]["details"]["limit"], f.policy.max_write_bytes);
    assert!(f.get("project/a.md") == text);
}
