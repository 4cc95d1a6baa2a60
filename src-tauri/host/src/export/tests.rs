use super::*;
use kernel::ids::ConversationId;
use serde_json::json;
use std::path::PathBuf;

fn message(fields: &Value) -> MessageRow {
    let row = json!({
        "id": "m1", "seq": 1, "role": "user", "content": "", "partType": "content", "mode": "run",
        "includeInContext": true, "createdAt": "2026-01-01T00:00:00.000Z", "turn": 1,
    });
    let mut row = row;
    row.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    row_of(&row)
}

/// Rows come from the database; here only their JSON is at hand.
fn row_of(v: &Value) -> MessageRow {
    MessageRow {
        id: v["id"].as_str().unwrap().parse().unwrap(),
        seq: v["seq"].as_u64().unwrap(),
        role: v["role"].as_str().unwrap().into(),
        content: v["content"].as_str().unwrap().into(),
        thinking: v["thinking"].as_str().map(Into::into),
        tool_calls: v.get("tool_calls").cloned(),
        tool_call_id: None,
        part_type: v["partType"].as_str().unwrap().into(),
        tool_name: v["toolName"].as_str().map(Into::into),
        duration_ms: v["duration"].as_u64(),
        widget: v.get("widget").cloned(),
        files: serde_json::from_value(v["files"].clone()).unwrap_or_default(),
        origin: kernel::wire::Origin {
            mode: "run".into(),
            run_id: Some("r1".parse().unwrap()),
            workflow_id: None,
            agent_id: None,
        },
        include_in_context: true,
        full_output_path: None,
        created_at: v["createdAt"].as_str().unwrap().parse().unwrap(),
        turn: v["turn"].as_u64().unwrap(),
        tokens: Some(3),
        usage: None,
    }
}

fn conversation() -> ConversationSummary {
    serde_json::from_value(json!({
        "conversationId": "run-r1", "projectId": "p1", "title": "Main", "generatedTitle": "Main",
        "customTitle": null, "mode": "run", "messageCount": 6,
        "runs": [{ "runId": "r1", "packageId": "demo-1.0.0-0123456789ab", "workflowId": "main",
                   "phase": "completed", "reason": "completed",
                   "since": "2026-01-01T00:01:00Z" }],
        "createdAt": "2026-01-01T00:00:00Z", "lastActiveAt": "2026-01-01T00:01:00Z",
    }))
    .unwrap()
}

#[test]
fn a_key_that_nobody_knows_any_more_is_in_no_export() {
    let old = "sk-proj-9876543210fedcba";
    let message = json!({ "content": format!("use {old}"), "thinking": old, "tool_calls": [{ "function": { "arguments": format!("{{\"k\":\"{old}\"}}") } }] });
    let clean = cleaner().clean(message).to_string();
    assert!(!clean.contains("9876543210") && clean.matches("[key]").count() == 3, "{clean}");
}

fn cleaner() -> Cleaner {
    let redactor = Redactor::new(vec![(PathBuf::from("/srv/secret-project"), "@project")]);
    Cleaner::new(redactor, Secret::new("sk-0123456789"))
}

fn written(format: ExportFormat, language: Language, messages: &[Value]) -> String {
    let (pages, received) = mpsc::channel(messages.len().max(1));
    for page in messages.chunks(2) {
        pages.try_send(page.iter().map(message).collect()).unwrap();
    }
    drop(pages);
    let writer =
        ExportWriter::new(conversation(), ExportForm { format, language }, cleaner(), Vec::new());
    String::from_utf8(writer.run(received).unwrap()).unwrap()
}

fn talk() -> Vec<Value> {
    let question = json!({ "widgetId": "kind", "type": "selection", "message": "Which?",
        "options": [{ "value": "a", "label": "First" }], "submitted": true, "submittedValue": ["a"] });
    let told = submission(&question);
    vec![
        json!({ "content": "See /srv/secret-project/a.md and /home/ann/b.md, key sk-0123456789" }),
        json!({ "role": "assistant", "partType": "tool_start", "thinking": "Hm.",
                "tool_calls": [{ "id": "c1", "type": "function",
                    "function": { "name": "fs_read", "arguments": "{}" } }] }),
        json!({ "role": "tool", "partType": "tool_result", "toolName": "fs.read", "duration": 12,
                "content": r#"{"ok":true,"path":"@project/a.md","content":"long text"}"# }),
        json!({ "role": "assistant", "content": "Which?", "widget": question, "turn": 2 }),
        json!({ "content": told, "turn": 2 }),
        json!({ "role": "assistant", "content": "Done.", "turn": 3 }),
        json!({ "role": "assistant", "content": "LLM_TIMEOUT: no answer", "partType": "error",
                "turn": 4 }),
    ]
}

fn submission(widget: &Value) -> String {
    let parsed: kernel::widget::Widget = serde_json::from_value(widget.clone()).unwrap();
    kernel::widget::submission_text("kind", parsed.kind, &widget["submittedValue"])
}

#[test]
fn markdown_reads_as_a_talk_with_tools_in_one_line_and_questions_with_answers() {
    let text = written(ExportFormat::Markdown, Language::System, &talk());
    let expected = "\
# Main

- Package: `demo-1.0.0-0123456789ab` · `main` · completed
- Started: 2026-01-01T00:00:00.000Z
- Last active: 2026-01-01T00:01:00.000Z
- Messages: 6

## You · 2026-01-01T00:00:00.000Z

See @project/a.md and [path], key [key]

## Turn 1 · Assistant · 2026-01-01T00:00:00.000Z

- `fs.read` @project/a.md · ok · 12 ms

## Turn 2 · Assistant · 2026-01-01T00:00:00.000Z

> **Question:** Which?
>
> - `a` First
>
> **Answer:** a

## Turn 3 · Assistant · 2026-01-01T00:00:00.000Z

Done.

## Turn 4 · Assistant · 2026-01-01T00:00:00.000Z

> **Error:** LLM_TIMEOUT: no answer
";
    assert_eq!(text, expected);
    let chinese = written(ExportFormat::Markdown, Language::Zh, &talk());
    assert!(chinese.contains("## 回合 2 · 助手") && chinese.contains("**回答:** a"), "{chinese}");
}

#[test]
fn messages_json_is_one_array_with_the_older_fields_only() {
    let text = written(ExportFormat::Messages, Language::System, &talk());
    let array: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert_eq!(array.len(), 7);
    let fields: Vec<&str> = array[1].as_object().unwrap().keys().map(String::as_str).collect();
    let expected = [
        "id",
        "role",
        "content",
        "tool_calls",
        "partType",
        "mode",
        "runId",
        "includeInContext",
        "createdAt",
    ];
    assert_eq!(fields, expected);
    assert_eq!(array[1]["content"], Value::Null);
    assert_eq!(array[0]["content"], "See @project/a.md and [path], key [key]");
    assert_eq!(array[2]["toolName"], "fs.read");
    assert_eq!(array[2]["duration"], 12);
    assert_eq!(written(ExportFormat::Messages, Language::System, &[]), "[\n]\n");
}

#[test]
fn json_lines_have_every_field_of_every_message() {
    let text = written(ExportFormat::Lines, Language::System, &talk());
    let lines: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(lines.len(), 7);
    assert_eq!(lines[1]["thinking"], "Hm.");
    assert_eq!((&lines[1]["seq"], &lines[1]["tokens"]), (&json!(1), &json!(3)));
    assert!(!text.contains("secret-project") && !text.contains("sk-0123") && !text.contains("ann"));
}

#[tokio::test]
async fn a_long_conversation_is_written_page_by_page_and_a_full_disk_is_told() {
    let root = tempfile::tempdir().unwrap();
    let store = RuntimeStore::open(root.path()).unwrap();
    let id = long_talk(&store, 2 * u64::from(PAGE) + 5).await;
    let summary = store.conversation(&id).await.unwrap();
    let form = ExportForm { format: ExportFormat::Lines, language: Language::System };
    let out = export(&store, &summary, form, cleaner(), Vec::new()).await.unwrap();
    let seqs: Vec<u64> = String::from_utf8(out)
        .unwrap()
        .lines()
        .map(|l| serde_json::from_str::<Value>(l).unwrap()["seq"].as_u64().unwrap())
        .collect();
    assert_eq!(seqs, (2..=2 * u64::from(PAGE) + 5).collect::<Vec<_>>());

    let failure = export(&store, &summary, form, cleaner(), Full).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::StoreWriteFailed);
    assert!(failure.message.contains("the disk is full"), "{failure}");
    let missing: ConversationId = "none".parse().unwrap();
    assert_eq!(
        store.conversation(&missing).await.unwrap_err().code,
        ErrorCode::ConversationNotFound
    );
}

/// A conversation whose journal ends with `last`.
async fn long_talk(store: &RuntimeStore, last: u64) -> ConversationId {
    let run: crate::store::NewRun = crate::store::NewRun {
        conversation_id: "run-r1".parse().unwrap(),
        run_id: "r1".parse().unwrap(),
        project_id: "p1".parse().unwrap(),
        package_id: "demo-1.0.0-0123456789ab".parse().unwrap(),
        workflow_id: "main".parse().unwrap(),
        agent_id: "guide".parse().unwrap(),
        title: "Main".into(),
        created_at: kernel::time::Time::from_millis(1_763_769_600_000),
    };
    let line = |seq: u64, event: Value| -> kernel::event::Line {
        let line = json!({ "v": 1, "seq": seq, "at": "2026-01-01T00:00:00Z", "turn": 0, "events": [event] });
        serde_json::from_value(line).unwrap()
    };
    let first = json!({ "event": "run_started", "data": {
        "runId": "r1", "conversationId": "run-r1", "projectId": "p1",
        "packageId": run.package_id, "workflowId": "main", "agentId": "guide",
        "artifactsDir": "artifacts", "state": "---\n---\n" } });
    let id = run.conversation_id.clone();
    let package = crate::store::tests::package(run.package_id.as_str());
    store.register_package(package).await.unwrap();
    store.create_run(run, &line(1, first)).await.unwrap();
    for seq in 2..=last {
        let data = json!({ "messageId": format!("m{seq}"), "text": "Hello.", "forNodeId": null });
        let said = line(seq, json!({ "event": "user_said", "data": data }));
        store.append(&id, &said).await.unwrap();
    }
    id
}

#[derive(Debug)]
struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
