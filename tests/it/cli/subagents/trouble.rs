//! What could go wrong around sub-agents: a damaged or busy store, many of them, hooks that are slow,
//! and orders that would tear one from its run.

use super::*;
use std::io::{Seek as _, SeekFrom, Write as _};

/// Overwrites the first page of a table in the closed store.
fn damage(project: &Project, table: &str) {
    let (page, size): (u32, u32) = {
        let database = project.sandbox.database();
        database.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
        let root = "SELECT rootpage FROM sqlite_master WHERE name = ?1";
        let page = database.query_row(root, [table], |row| row.get(0)).unwrap();
        (page, database.query_row("PRAGMA page_size", [], |row| row.get(0)).unwrap())
    };
    let file = project.sandbox.path("store/store.db");
    let mut file = std::fs::OpenOptions::new().write(true).open(file).unwrap();
    file.seek(SeekFrom::Start(u64::from(page - 1) * u64::from(size))).unwrap();
    file.write_all(&vec![0xff; size as usize]).unwrap();
}

#[test]
fn a_damaged_store_keeps_sub_agents_with_their_run() {
    let project = Project::of_a_note("Which topic?");
    project.dies_after_the_note();
    let run = project.sandbox.run_id();
    damage(&project, "messages");
    let listed = project.sandbox.run(&["conversations", "list", "--json"]).exits(0).json();
    assert_eq!(listed["conversations"].as_array().unwrap().len(), 1, "{listed}");
    assert_eq!(project.tasks().len(), 1);
    project.go_on(&["runs", "resume", &run]).exits(3);
    let ended = project.ended();
    assert_eq!(ended[0]["data"]["subagent"]["end"], "completed", "{ended:?}");
    project.sandbox.run(&["conversations", "delete", &run, "--yes"]).exits(0);
    assert_eq!(project.sandbox.rows("lines"), 0);
}

#[test]
fn what_a_sub_agent_did_is_kept_when_the_store_takes_no_line() {
    let slow = json!({ "text": "I think. ".repeat(30), "chunkMs": 50 });
    let project = Project::of(
        &[says("", &[spawn("edit", "Write the note.")]), says("Which topic?", &[])],
        &[(
            "Write the note.",
            vec![
                says("", &[writes("@project/artifacts/note.md", "Rain.\n")]),
                slow,
                report(&json!({ "summary": "Written." })),
            ],
        )],
    );
    let running = project.starts();
    project.thinks_after_the_note();
    let other = project.sandbox.database();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    // A line waits for five seconds.
    std::thread::sleep(std::time::Duration::from_secs(7));
    other.execute_batch("ROLLBACK").unwrap();
    let (_, code) = running.end();
    assert_eq!(code, Some(4));
    assert_eq!(project.ended(), Vec::<Value>::new(), "nobody said that it had failed");
    project.go_on(&["runs", "resume", &project.sandbox.run_id()]).exits(3);
    let ended = project.ended();
    assert_eq!(ended.len(), 1, "{ended:?}");
    assert_eq!(ended[0]["data"]["subagent"]["end"], "completed");
    assert!(ended[0]["data"]["facts"].to_string().contains("file_written"), "{ended:?}");
}

/// Sixteen sub-agents and the run itself are more than so many open files allow at once.
#[cfg(target_os = "linux")]
#[test]
fn a_sub_agent_that_has_ended_holds_no_files() {
    let four = |n: usize| -> Vec<Value> {
        (0..4).map(|m| spawn("review", &format!("Read it, {n} {m}."))).collect()
    };
    let replies: Vec<Value> =
        (0..4).map(|n| says("", &four(n))).chain([says("Which topic?", &[])]).collect();
    let done = vec![report(&json!({ "summary": "Fine." }))];
    let project = Project::of(&replies, &[("Read it", done)]);
    let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
    let words = project.command(&["run", &mini]);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let few = project.sandbox.in_shell("ulimit -n 72; exec \"$0\" \"$@\"", &words);
    let output = { few }.output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let ended = project.ended();
    let completed = |event: &&Value| event["data"]["subagent"]["end"] == "completed";
    assert_eq!(ended.iter().filter(completed).count(), 16, "{ended:#?}");
}

#[cfg(unix)]
#[test]
fn a_run_does_not_wait_for_commands_that_look_at_its_sub_agents_calls() {
    let project = Project::of_a_note("Which topic?");
    let look = "until test -e go; do sleep 0.05; done";
    let hooks = json!([{ "name": "look", "at": "after_tool_result", "tools": ["fs_write"], "command": look }]);
    let file = json!({ "projectId": "p1", "hooks": hooks });
    std::fs::write(project.sandbox.project().join(".crewagent.json"), file.to_string()).unwrap();
    project.sandbox.run(&["hooks", "trust", "--yes"]).exits(0);
    let mut running = project.starts();
    let ended = loop {
        let line = running.line().expect("the sub-agent ends although the command works");
        if line["event"] == "subagent_updated" && !line["data"]["subagent"]["end"].is_null() {
            break line;
        }
    };
    assert_eq!(ended["data"]["subagent"]["end"], "completed");
    std::fs::write(project.sandbox.project().join("go"), "").unwrap();
    assert_eq!(running.end().1, Some(3));
}

#[test]
fn a_sub_agents_conversation_is_not_deleted_without_its_run() {
    let project = Project::of_a_note("Which topic?");
    project.dies_after_the_note();
    let task = project.tasks().remove(0);
    let refused = project.sandbox.run(&["conversations", "delete", &task, "--yes"]).exits(5);
    assert!(refused.stderr.contains("part of a run"), "{}", refused.stderr);
    let refused =
        project.sandbox.run(&["--lang", "zh", "conversations", "delete", &task, "--yes"]).exits(5);
    assert!(refused.stderr.contains("子智能体"), "{}", refused.stderr);
    project.go_on(&["runs", "resume", &project.sandbox.run_id()]).exits(3);
    assert_eq!(project.ended()[0]["data"]["subagent"]["end"], "completed");
}

#[test]
fn a_person_who_reads_chinese_is_told_in_chinese_what_failed() {
    let failed = report(&json!({ "summary": "不是。", "status": "failed" }));
    let project = Project::of(
        &[
            says("", &[spawn("verify", "核对。")]),
            says("", &[spawn("verify", "核对。")]),
            says("", &[spawn("verify", "核对。")]),
            says("都对。", &[]),
        ],
        &[("核对。", vec![failed])],
    );
    let done = project.run(&["--lang", "zh"]).exits(4);
    assert!(done.stdout.contains("的核验任务没有完成"), "{}", done.stdout);
}

#[test]
fn the_tokens_of_sub_agents_are_counted_with_the_runs() {
    let project = Project::of_a_note("Which topic?");
    project.run(&[]).exits(3);
    let used = |id: &str| -> u64 {
        let database = project.sandbox.database();
        let sql = "SELECT body FROM lines WHERE conversation = ?1";
        let mut statement = database.prepare(sql).unwrap();
        let bodies = statement.query_map([id], |row| row.get::<_, String>(0)).unwrap();
        let lines = bodies.map(|body| serde_json::from_str::<Value>(&body.unwrap()).unwrap());
        let events: Vec<Value> =
            lines.flat_map(|line| line["events"].as_array().unwrap().clone()).collect();
        let usage = events.iter().map(|event| &event["data"]["reply"]["usage"]["promptTokens"]);
        usage.filter_map(Value::as_u64).sum()
    };
    let run = project.sandbox.run_id();
    let snapshot = project.sandbox.run(&["snapshot", &run, "--json"]).exits(0).json();
    let own = used(&format!("run-{run}"));
    let task = used(&project.tasks()[0]);
    // The run's last words are accepted without a call: their tokens stand in the decision's event.
    let total = snapshot["usage"]["promptTokens"].as_u64().unwrap();
    assert!(task > 0 && total >= own + task, "{total} of {own} and {task}");
}
