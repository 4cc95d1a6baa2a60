use serde_json::{Value, json};

use super::fixture::{Fixture, code};

fn places(r: &Value) -> Vec<String> {
    assert_eq!(r["ok"], true, "{r}");
    let hits = r["matches"].as_array().unwrap().iter();
    hits.map(|m| format!("{}:{}:{}", m["path"].as_str().unwrap(), m["line"], m["column"])).collect()
}

#[test]
fn a_text_is_found_with_line_column_and_context() {
    let f = Fixture::new();
    f.put("project/b.md", "x\nzwei 中 needle\ny\nneedle\nz\n").put("project/a/a.md", "needle");
    let r = f.call("fs.search", &json!({ "path": "@project", "pattern": "needle" }));
    assert_eq!(places(&r), ["@project/a/a.md:1:1", "@project/b.md:2:8", "@project/b.md:4:1"]);
    assert_eq!(
        r["matches"][1],
        json!({ "path": "@project/b.md", "line": 2, "column": 8, "text": "zwei 中 needle",
            "before": ["x"], "after": ["y"] })
    );
    assert_eq!(r["matches"][2]["before"], json!(["y"]));
    assert_eq!(r["stats"], json!({ "filesScanned": 2, "filesSkipped": 0, "matchesFound": 3 }));
    assert!(r.get("truncated").is_none());
}

#[test]
fn neighbouring_hits_are_each_others_context() {
    let f = Fixture::new();
    f.put("project/a.md", "n1\nn2\nn3\n");
    let r = f.call(
        "fs.search",
        &json!({ "path": "@project/a.md", "query": "n", "before": 2, "after": 2 }),
    );
    assert_eq!(r["matches"][0]["after"], json!(["n2", "n3"]));
    assert_eq!(r["matches"][2]["before"], json!(["n1", "n2"]));
}

#[test]
fn plain_text_is_no_regular_expression_unless_asked() {
    let f = Fixture::new();
    f.put("project/a.md", "a.c\nabc\r\n");
    let plain = json!({ "path": "@project", "pattern": "a.c" });
    assert_eq!(places(&f.call("fs.search", &plain)), ["@project/a.md:1:1"]);
    let regex = json!({ "path": "@project", "pattern": "^a.c$", "regex": true });
    assert_eq!(places(&f.call("fs.search", &regex)).len(), 2);
    for bad in ["(", "a{1000}{1000}{1000}", "\n", ""] {
        let r = f.call("fs.search", &json!({ "path": "@project", "pattern": bad, "regex": true }));
        assert_eq!(code(&r), "E_INVALID_ARGS", "{bad:?}");
    }
}

#[test]
fn ignored_hidden_binary_secret_and_private_files_are_passed_over() {
    let f = Fixture::new();
    f.put("project/.gitignore", "/build/\n*.log\n!keep.log\n");
    f.put("project/sub/.gitignore", "local.md\n");
    f.put("project/.crewagentignore", "private/\n");
    for name in [
        "build/a.md",
        "x.log",
        "keep.log",
        "sub/local.md",
        "sub/ok.md",
        ".hidden/a.md",
        ".env",
        "tls.pem",
        "private/a.md",
        "node_modules/m/a.js",
        "local.md",
    ] {
        f.put(&format!("project/{name}"), "needle\n");
    }
    f.put("project/pic.bin", b"needle\n\0\n");
    let r = f.call("fs.search", &json!({ "path": "@project", "pattern": "needle" }));
    assert_eq!(
        places(&r),
        ["@project/keep.log:1:1", "@project/local.md:1:1", "@project/sub/ok.md:1:1"]
    );
    let r = f.call("fs.search", &json!({ "path": "@project/sub", "pattern": "needle" }));
    assert_eq!(places(&r), ["@project/sub/ok.md:1:1"]);
    let named = f.call("fs.search", &json!({ "path": "@project/build/a.md", "pattern": "needle" }));
    assert_eq!(places(&named).len(), 1);
    let private = json!({ "path": "@project/private/a.md", "pattern": "needle" });
    assert_eq!(code(&f.call("fs.search", &private)), "E_SANDBOX_VIOLATION");
}

#[test]
fn globs_narrow_the_files_from_the_mount_or_from_the_folder() {
    let f = Fixture::new();
    for name in ["docs/a.md", "docs/deep/b.md", "docs/c.txt", "d.md"] {
        f.put(&format!("project/{name}"), "needle\n");
    }
    let search = |path: &str, globs: Value| {
        places(&f.call("fs.search", &json!({ "path": path, "pattern": "needle", "globs": globs })))
    };
    assert_eq!(search("@project", json!(["*.md"])).len(), 3);
    assert_eq!(search("@project", json!(["docs/*.md"])), ["@project/docs/a.md:1:1"]);
    assert_eq!(search("@project/docs", json!(["docs/*.md"])), ["@project/docs/a.md:1:1"]);
    assert_eq!(search("@project/docs", json!(["deep/*.md"])), ["@project/docs/deep/b.md:1:1"]);
    assert_eq!(search("@project", json!(["!*.md"])), ["@project/docs/c.txt:1:1"]);
}

#[test]
fn ignore_files_that_would_exhaust_the_matcher_end_no_call() {
    let f = Fixture::new();
    let nested = format!("{}a{}", "{".repeat(20_000), "}".repeat(20_000));
    f.put("project/.gitignore", format!("{nested}\n*.log\n"));
    f.put("project/sub/.ignore", format!("{nested}\nhidden.md\n"));
    f.put("project/a.log", "x").put("project/sub/hidden.md", "x").put("project/sub/b.md", "x");
    let r = f.call("fs.search", &json!({ "path": "@project", "pattern": "x" }));
    assert_eq!(places(&r), ["@project/sub/b.md:1:1"], "the other rules of such a file hold");
    assert_eq!(f.call("fs.list", &json!({ "path": "@project" }))["ok"], true);
}

#[test]
fn one_match_too_many_is_told() {
    let f = Fixture::new();
    f.put("project/a.md", "n\nn\n").put("project/b.md", "n\n");
    let search = |max: u32| {
        f.call("fs.search", &json!({ "path": "@project", "pattern": "n", "maxMatches": max }))
    };
    let cut = search(2);
    assert_eq!((cut["matches"].as_array().unwrap().len(), &cut["truncated"]), (2, &json!(true)));
    assert!(search(3).get("truncated").is_none());
}

#[test]
fn a_search_of_nothing_says_why() {
    let f = Fixture::new();
    f.put("project/.x", "needle");
    let r = f.call("fs.search", &json!({ "path": "@project", "pattern": "needle" }));
    assert_eq!(r["matches"], json!([]));
    assert!(r["hint"].as_str().unwrap().contains("No file was searched"));
}
