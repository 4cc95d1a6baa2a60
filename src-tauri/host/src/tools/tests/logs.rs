use kernel::chat::ToolCall;
use kernel::ids::CallId;
use kernel::text::sha256_hex;
use kernel::time::Time;
use kernel::tool::ReceivedCall;
use rstest::rstest;
use serde_json::{Value, json};

use super::fixture::Fixture;
use crate::tools::AuditEntry;

fn audit(f: &Fixture, input: &str, output: &Value) {
    audit_of(f, "fs.write", input, output);
}

fn audit_of(f: &Fixture, tool: &str, input: &str, output: &Value) {
    let (id, name) = (CallId::new("call_1"), tool.to_owned());
    f.host.audit(&AuditEntry {
        ts: Time::from_millis(1_763_769_600_123),
        call_id: id.clone(),
        tool: name.clone(),
        agent: "analyst".to_owned(),
        call: Some(ReceivedCall::new(ToolCall { id, name, arguments: input.to_owned() })),
        output: output.clone(),
        duration_ms: 7,
    });
}

fn lines(f: &Fixture) -> Vec<Value> {
    let text = f.get("state/logs/execution.jsonl");
    assert!(text.ends_with('\n'));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_line_has_sizes_hashes_and_previews_but_no_contents() {
    let f = Fixture::new();
    let content = "s3cret ".repeat(100);
    let input = json!({ "path": "@project/a.md", "content": content });
    audit(
        &f,
        &input.to_string(),
        &json!({ "ok": true, "path": "@project/a.md", "matches": [1, 2] }),
    );
    assert_eq!(
        lines(&f),
        [json!({
            "ts": "2025-11-22T00:00:00.123Z", "kind": "tool.exec", "toolCallId": "call_1",
            "toolName": "fs.write", "agentId": "analyst",
            "input": { "path": "@project/a.md", "content": {
                "bytes": 700, "sha256": sha256_hex(content.as_bytes()), "preview": &content[..200] } },
            "output": { "ok": true, "path": "@project/a.md", "matches": { "count": 2 } },
            "durationMs": 7
        })]
    );
}

#[test]
fn lines_are_added_and_one_without_an_end_is_ended() {
    let f = Fixture::new();
    f.put("state/logs/execution.jsonl", "{\"whole\":1}");
    audit(&f, "not json {", &json!({ "ok": false }));
    audit(&f, "{}", &json!({ "ok": false }));
    let lines = lines(&f);
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[1]["input"], "not json {");
}

#[rstest]
#[case::after_another("{\"whole\":1}\n", 2)]
#[case::the_first("", 1)]
fn a_part_of_a_line_that_a_killed_program_left_is_cut_off(
    #[case] before: &str,
    #[case] expected: usize,
) {
    let f = Fixture::new();
    f.put("state/logs/execution.jsonl", format!("{before}{{\"toolCallId\":\"call_1\",\"out"));
    audit(&f, "not json {", &json!({ "ok": false }));
    let lines = lines(&f);
    assert_eq!(lines.len(), expected);
    assert_eq!(lines[expected - 1]["input"], "not json {");
}

#[test]
fn real_places_and_secrets_stay_out() {
    let f = Fixture::new();
    let input = json!({ "path": f.real("project/x").to_str().unwrap(), "content": "a" });
    audit(&f, &input.to_string(), &json!({ "ok": false }));
    audit(&f, r#"{"path":"@project/.env"}"#, &json!({ "ok": true, "content": "KEY=1" }));
    let lines = lines(&f);
    assert_eq!(lines[0]["input"]["path"], "@project/x");
    assert_eq!(lines[1]["output"]["content"]["preview"], "");
}

/// Which argument names a file is known to the tool alone.
#[rstest]
#[case::a_path("fs.write", json!({ "path": "@project/.env", "content": "KEY=1" }))]
#[case::where_to("fs.move", json!({ "from": "@project/a", "to": "@project/.env" }))]
#[case::a_pattern("fs.glob", json!({ "pattern": ".env" }))]
#[case::by_its_mark("fs.read", json!({ "path": "⟦folder:project⟧/.env" }))]
#[case::spelt_otherwise("fs.read", json!({ "path": "@project\\.env" }))]
#[case::fits_no_tool("fs.read", json!({ "file": "@project/.env" }))]
#[case::no_known_tool("mcp.send", json!({ "message": { "parts": ["see @project/.env", "KEY=1"] } }))]
#[case::no_fit("fs.apply_patch", json!({ "path": "@project/.env", "edits": [{ "with": "KEY=1" }] }))]
fn of_a_call_about_a_file_of_secrets_no_text_is_shown(#[case] tool: &str, #[case] input: Value) {
    let f = Fixture::new();
    audit_of(&f, tool, &input.to_string(), &json!({ "ok": true, "content": "KEY=1" }));
    let line = &lines(&f)[0];
    assert_eq!(line["output"]["content"]["preview"], "", "{line}");
    assert!(!line.to_string().contains("KEY=1"), "{line}");
}

#[test]
fn of_a_call_about_a_file_of_secrets_is_shown_which_file() {
    let f = Fixture::new();
    let scope = "artifact:.env";
    let input = json!({ "path": "@project/.env", "content": "KEY=1", "verification_scope": scope });
    audit_of(&f, "fs.write", &input.to_string(), &json!({ "ok": true }));
    audit_of(&f, "fs.glob", &json!({ "pattern": ".env" }).to_string(), &json!({ "ok": true }));
    let lines = lines(&f);
    assert_eq!(lines[0]["input"]["path"], "@project/.env");
    assert_eq!(lines[0]["input"]["verification_scope"]["preview"], "");
    assert_eq!(lines[1]["input"]["pattern"], ".env");
}

/// What is looked for in a file is a content, whatever the argument is called.
#[test]
fn what_is_searched_for_in_a_file_of_secrets_is_not_shown() {
    let f = Fixture::new();
    let input = json!({ "path": "@project/.env", "pattern": "KEY=1" });
    audit_of(&f, "fs.search", &input.to_string(), &json!({ "ok": true }));
    assert_eq!(lines(&f)[0]["input"]["pattern"]["preview"], "");
}

#[test]
fn a_log_that_cannot_be_written_fails_nobody() {
    let f = Fixture::new();
    f.put("state/logs", "a file");
    audit(&f, "{}", &json!({ "ok": true }));
    assert_eq!(f.get("state/logs"), "a file");
}
