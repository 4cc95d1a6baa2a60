use kernel::code::ErrorCode;
use kernel::text::sha256_hex;
use rstest::rstest;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::fixture::{Fixture, code, open};

#[test]
fn a_file_is_read_whole_with_its_size_and_hash() {
    let f = Fixture::new();
    f.put("project/docs/a.md", "one\ntwo\n");
    let r = f.call("fs.read", &json!({ "path": "@project/docs/a.md" }));
    assert_eq!(
        r,
        json!({ "ok": true, "path": "@project/docs/a.md", "bytes": 8,
            "sha256": sha256_hex(b"one\ntwo\n"), "totalLines": 2, "truncated": false,
            "content": "one\ntwo\n" })
    );
}

#[test]
fn a_window_is_read_by_lines_and_hashed_whole() {
    let f = Fixture::new();
    f.put("pkg/a.md", "1\n2\n3\n4");
    let r = f.call("fs.read", &json!({ "path": "@pkg/a.md", "startLine": 2, "endLine": 3 }));
    assert_eq!(r["content"], "2\n3\n");
    assert_eq!(
        (&r["startLine"], &r["endLine"], &r["totalLines"]),
        (&json!(2), &json!(3), &json!(4))
    );
    assert_eq!(r["sha256"], sha256_hex(b"1\n2\n3\n4"));
    let r = f.call("fs.read", &json!({ "path": "@pkg/a.md", "startLine": 4 }));
    assert_eq!(r["content"], "4");
    let r = f.call("fs.read", &json!({ "path": "@pkg/a.md", "startLine": 5 }));
    assert_eq!(code(&r), "E_INVALID_ARGS");
    let r = f.call("fs.read", &json!({ "path": "@pkg/a.md", "startLine": 3, "endLine": 2 }));
    assert_eq!(code(&r), "E_INVALID_ARGS");
}

#[test]
fn over_the_limit_a_preview_of_whole_lines_says_how_to_go_on() {
    let mut f = Fixture::new();
    f.policy.max_read_bytes = 10;
    f.put("project/a.md", "12345\n6789\nabc\n");
    let r = f.call("fs.read", &json!({ "path": "@project/a.md" }));
    assert_eq!(r["contentPreview"], "12345\n");
    assert_eq!(r["truncated"], true);
    assert!(r.get("content").is_none());
    assert!(r["hint"].as_str().unwrap().contains("startLine 2"), "{r}");
    assert_eq!(r["sha256"], sha256_hex(b"12345\n6789\nabc\n"));
    f.put("project/b.md", "中中中中中中");
    let r = f.call("fs.read", &json!({ "path": "@project/b.md" }));
    assert_eq!(r["contentPreview"], "中中中");
}

#[rstest]
#[case(b"\xff\xfe\x41\x00".as_slice())]
#[case(b"a\0b".as_slice())]
#[case(b"caf\xe9".as_slice())]
fn what_is_not_text_is_refused(#[case] bytes: &[u8]) {
    let f = Fixture::new();
    f.put("project/a.bin", bytes);
    assert_eq!(code(&f.call("fs.read", &json!({ "path": "@project/a.bin" }))), "E_NOT_TEXT");
}

#[test]
fn an_empty_file_is_text() {
    let f = Fixture::new();
    f.put("project/a.md", "");
    let r = f.call("fs.read", &json!({ "path": "@project/a.md" }));
    assert_eq!((&r["content"], &r["totalLines"]), (&json!(""), &json!(0)));
}

#[test]
fn a_missing_file_is_named_by_its_alias() {
    let f = Fixture::new();
    for tool in ["fs.read", "fs.list"] {
        let r = f.call(tool, &json!({ "path": "@project/no/such.md" }));
        assert_eq!(code(&r), "ENOENT");
        assert!(r["error"]["message"].as_str().unwrap().starts_with("@project/no/such.md"));
        assert!(r["error"]["action"].is_string());
    }
}

#[test]
fn a_folder_is_listed_sorted_without_dot_files() {
    let f = Fixture::new();
    f.put("project/b.md", "").put("project/a/x.md", "").put("project/.hidden", "");
    f.put("project/a/deep/y.md", "");
    let r = f.call("fs.list", &json!({ "path": "@project" }));
    assert_eq!(r, json!({ "ok": true, "path": "@project", "entries": ["a/", "b.md"] }));
    let r = f.call("fs.list", &json!({ "path": "@project", "depth": 3 }));
    assert_eq!(r["entries"], json!(["a/", "a/deep/", "a/deep/y.md", "a/x.md", "b.md"]));
    let r = f.call("fs.list", &json!({ "path": "@project/a" }));
    assert_eq!(r["entries"], json!(["deep/", "x.md"]));
    assert_eq!(code(&f.call("fs.list", &json!({ "path": "@project/b.md" }))), "E_IO");
}

#[test]
fn a_long_list_is_cut_at_200_and_keeps_the_upper_entries() {
    let f = Fixture::new();
    for n in 0..205 {
        f.put(&format!("project/a/{n:03}.md"), "");
    }
    f.put("project/z.md", "");
    let r = f.call("fs.list", &json!({ "path": "@project", "depth": 2 }));
    assert_eq!(r["entries"].as_array().unwrap().len(), 200);
    assert_eq!(r["truncated"], true);
    assert!(r["hint"].as_str().unwrap().contains("200 of 207"), "{r}");
    assert!(r["entries"].as_array().unwrap().contains(&json!("z.md")));
}

#[test]
fn of_the_state_only_the_document_and_the_logs_are_readable() {
    let f = Fixture::new();
    f.put("state/workflow.md", "x").put("state/logs/execution.jsonl", "{}\n");
    f.put("state/checkpoints/1", "secret").put("state/lease", "secret");
    assert_eq!(
        f.call("fs.list", &json!({ "path": "@state" }))["entries"],
        json!(["logs/", "workflow.md"])
    );
    for open in ["@state/workflow.md", "@state/logs/execution.jsonl"] {
        assert_eq!(f.call("fs.read", &json!({ "path": open }))["ok"], true);
    }
    for private in ["@state/lease", "@state/checkpoints/1"] {
        assert_eq!(code(&f.call("fs.read", &json!({ "path": private }))), "E_SANDBOX_VIOLATION");
    }
    let r = f.call("fs.search", &json!({ "path": "@state", "pattern": "secret" }));
    assert_eq!(r["matches"], json!([]));
}

#[test]
fn a_result_over_50_kib_is_kept_in_the_logs_and_previewed() {
    let f = Fixture::new();
    f.put("project/big.md", "0123456789abcde\n".repeat(4096));
    let called = f.perform("fs.read", &json!({ "path": "@project/big.md" }), None);
    let r = called.result;
    assert_eq!(r["ok"], true);
    assert_eq!(r["preview"].as_str().unwrap().chars().count(), 500);
    assert_eq!(r["fullOutputPath"], "@state/logs/tool-results/call_1.json");
    assert_eq!(called.full_output.unwrap().to_string(), r["fullOutputPath"]);
    assert_eq!(r["bytes"], 65536);
    assert!(r["sha256"].is_string() && r["hint"].as_str().unwrap().contains("startLine"), "{r}");
    let whole: serde_json::Value =
        serde_json::from_str(&f.get("state/logs/tool-results/call_1.json")).unwrap();
    assert_eq!(whole["content"].as_str().unwrap().len(), 65536);
    let again =
        json!({ "path": "@state/logs/tool-results/call_1.json", "startLine": 1, "endLine": 5 });
    assert_eq!(f.call("fs.read", &again)["ok"], true);
}

#[test]
fn a_result_that_cannot_be_kept_is_cut_and_still_ok() {
    let f = Fixture::new();
    f.put("project/big.md", "0123456789abcde\n".repeat(4096)).put("state/logs", "no folder");
    let called = f.perform("fs.read", &json!({ "path": "@project/big.md" }), None);
    assert_eq!(called.result["ok"], true);
    assert_eq!(called.full_output, None);
    assert!(called.result.get("fullOutputPath").is_none());
}

#[test]
fn a_stopped_call_says_so() {
    let f = Fixture::new();
    f.put("project/a.md", "x");
    let cancel = CancellationToken::new();
    cancel.cancel();
    for (tool, args) in [
        ("fs.read", json!({ "path": "@project/a.md" })),
        ("fs.list", json!({ "path": "@project" })),
        ("fs.search", json!({ "path": "@project", "pattern": "x" })),
    ] {
        let called = f.host.perform(&f.permit(tool, &args, None), &cancel);
        assert_eq!(code(&called.result), "ENGINE_ABORTED", "{tool}");
    }
}

#[test]
fn with_files_switched_off_a_hidden_tool_is_still_refused() {
    let mut f = Fixture::new();
    f.policy.fs_enabled = false;
    f.put("project/a.md", "x");
    let read = f.call("fs.read", &json!({ "path": "@project/a.md" }));
    assert_eq!(code(&read), "TOOL_NOT_AVAILABLE");
    let write = f.call("fs.write", &json!({ "path": "@project/b.md", "content": "x" }));
    assert_eq!(code(&write), "TOOL_NOT_AVAILABLE");
}

#[rstest]
#[case("project", ErrorCode::ProjectRootInvalid)]
#[case("pkg", ErrorCode::PackageNotFound)]
#[case("state", ErrorCode::StateInitFailed)]
fn a_folder_that_is_gone_is_said_at_once(#[case] folder: &str, #[case] expected: ErrorCode) {
    let f = Fixture::new();
    std::fs::remove_dir(f.real(folder)).unwrap();
    let failure = open(&f.temp).unwrap_err();
    assert_eq!(failure.code, expected);
    assert!(failure.message.contains(&format!("@{folder}")) && failure.action.is_some());
    assert!(!format!("{failure:?}").contains(f.temp.path().to_str().unwrap()));
}
