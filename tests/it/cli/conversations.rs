//! `conversations …`: found, named, written into files, and gone for good.

use host::store::{NewRun, RuntimeStore};
use kernel::event::Line;
use kernel::ids::{ConversationId, RunId};
use rstest::rstest;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use support::program::{Sandbox, expected_artifacts, has_han, hello_branch};

/// A run that asked and was answered.
fn played() -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    let package = hello_branch();
    let answers = sandbox.answers_left();
    let args = ["run", &package, "--model", "demo", "--answers", &answers, "--json"];
    sandbox.run(&args).exits(0);
    let conversation = format!("run-{}", sandbox.run_id());
    (sandbox, conversation)
}

#[test]
fn conversations_are_listed_shown_and_found() {
    let (sandbox, id) = played();
    let list = sandbox.run(&["conversations", "list", "--json"]).exits(0).json();
    let first = &list["conversations"][0];
    assert_eq!(first["conversationId"], id);
    assert_eq!(first["runs"][0]["phase"], "completed");
    assert_eq!(list["next"], Value::Null);
    let count = first["messageCount"].as_u64().unwrap();

    let newest = sandbox.run(&["conversations", "show", &id, "--limit", "3", "--json"]);
    let newest = newest.exits(0).json();
    let message = &newest["messages"][0];
    for field in ["id", "role", "partType", "mode", "runId", "createdAt", "turn", "tokens", "usage"]
    {
        assert!(message.get(field).is_some(), "{field}: {message:#}");
    }
    assert!(message.get("seq").is_none() && message.get("thinking").is_none());
    let mut seen = 3;
    let mut before = newest["before"].as_u64();
    while let Some(seq) = before {
        let seq = seq.to_string();
        let args = ["conversations", "show", &id, "--limit", "7", "--before", &seq, "--json"];
        let page = sandbox.run(&args).exits(0).json();
        seen += page["messages"].as_array().unwrap().len();
        before = page["before"].as_u64();
    }
    assert_eq!(seen as u64, count, "every message is on one page");
    let second =
        sandbox.run(&["conversations", "show", &id, "--page", "2", "--limit", "3", "--json"]);
    assert_ne!(second.exits(0).json()["messages"], newest["messages"]);

    let found = sandbox.run(&["conversations", "search", "throws RIPE", "--json"]).exits(0).json();
    let hit = &found["hits"][0];
    assert_eq!(hit["conversationId"], id);
    assert_eq!(hit["role"], "user");
    let marked: Vec<&str> = hit["snippet"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|p| p["hit"] == true)
        .map(|p| p["text"].as_str().unwrap())
        .collect();
    assert_eq!(marked, ["throws", "ripe"]);
    for nothing in ["\"", "NOT zzzzz", "zzzzz*"] {
        let found = sandbox.run(&["conversations", "search", nothing, "--json"]).exits(0).json();
        assert_eq!(found["hits"], json!([]), "{nothing}");
    }
    let words = sandbox.run(&["conversations", "search", "ripe", "--all"]).exits(0);
    assert!(words.stdout.contains(&id) && words.stdout.contains("ripe"), "{words:#?}");
    let own = ["conversations", "search", "ripe", "--conversation", "none", "--json"];
    sandbox.run(&own).exits(5).error("CONVERSATION_NOT_FOUND");
}

#[test]
fn a_search_prints_what_was_said_before_results_of_tools_and_how_many_more_there_are() {
    let (sandbox, id) = played();
    let search = |more: &[&str]| {
        sandbox.run(&[&["conversations", "search", "ripe"], more].concat()).exits(0)
    };
    let all = search(&["--conversation", &id, "--limit", "200", "--json"]).json();
    let is_result: Vec<bool> =
        all["hits"].as_array().unwrap().iter().map(|hit| hit["role"] == "tool").collect();
    assert!(is_result.is_sorted() && is_result.contains(&false), "{all:#}");
    assert!(is_result.contains(&true), "{all:#}");
    let told = search(&["--per-conversation", "1"]).stdout;
    let left = is_result.len() - 1;
    assert!(told.contains(&format!("{left} more: --conversation {id}")), "{told}");
}

#[test]
fn a_title_of_ones_own_is_kept_and_given_back() {
    let (sandbox, id) = played();
    let run = sandbox.run_id();
    let rename = |title: &str| {
        sandbox.run(&["conversations", "rename", &run, title, "--json"]).exits(0).json()
    };
    let generated = rename("")["title"].clone();
    let named = rename("花园页面");
    assert_eq!((&named["title"], &named["conversationId"]), (&json!("花园页面"), &json!(id)));
    let found = sandbox.run(&["conversations", "search", "花园", "--json"]).exits(0).json();
    assert_eq!(found["titles"][0]["conversationId"], id);
    assert_eq!(rename(" ")["title"], generated);
}

#[test]
fn an_export_holds_everything_but_real_paths_and_keys() {
    let (sandbox, id) = played();
    let key = "sk-very-secret-0123456789";
    let said = format!("My key is {key}, my file {}/a.md", sandbox.project().display());
    // What a person says is shown to that person as it was said.
    drop(sandbox.start(&["say", &id, &said, "--model", "demo", "--json"]).end());
    let env = [("CREWAGENT_API_KEY", key)];
    let export = |more: &[&str]| {
        let args = [&["conversations", "export", &id], more].concat();
        let done = sandbox.run_with(&args, &env).exits(0);
        assert!(!done.stdout.contains(key), "{done:#?}");
        done
    };
    let array: Vec<Value> =
        serde_json::from_str(&export(&["--format", "messages.json"]).stdout).unwrap();
    assert!(array.iter().all(|m| m["mode"] == "run" && m["runId"] == sandbox.run_id()));
    assert!(array.iter().all(|m| m.get("seq").is_none() && m["createdAt"].is_string()));
    let lines = export(&["--format", "jsonl"]).events();
    assert_eq!(lines.len(), array.len());
    let told = lines.iter().find(|l| l["content"].as_str().unwrap().starts_with("My key")).unwrap();
    assert_eq!(told["content"], "My key is [key], my file @project/a.md");
    let markdown = export(&["--format", "md", "--lang", "zh"]).stdout;
    assert!(has_han(&markdown) && markdown.starts_with("# "), "{markdown}");
    assert!(!markdown.contains("WIDGET_SUBMIT"), "{markdown}");

    let file = sandbox.path("talk.md");
    let args = ["--format", "md", "-o", &file.to_string_lossy(), "--json"];
    assert_eq!(export(&args).json()["file"], "talk.md");
    assert!(std::fs::read_to_string(&file).unwrap().contains("**Answer:**"));
    let nowhere = sandbox.path("missing/talk.md");
    let args = ["conversations", "export", &id, "-o", &nowhere.to_string_lossy(), "--json"];
    sandbox.run(&args).exits(4).error("STORE_WRITE_FAILED");
}

#[test]
fn a_deletion_is_confirmed_and_leaves_the_projects_files() {
    let (sandbox, id) = played();
    let args = ["conversations", "delete", &id, "--json"];
    sandbox.run(&args).exits(2).error("BAD_REQUEST");
    assert_eq!(sandbox.rows("conversations"), 1);
    let folder = sandbox.path("store/projects");
    assert_eq!(run_folders(&folder).len(), 1);

    let gone = sandbox.run(&["conversations", "delete", &id, "--yes", "--json"]).exits(0).json();
    assert_eq!(gone["deleted"], json!([id]));
    for table in ["conversations", "runs", "lines", "messages", "leases", "removed_runs"] {
        assert_eq!(sandbox.rows(table), 0, "{table}");
    }
    assert_eq!(run_folders(&folder), Vec::<PathBuf>::new());
    assert_eq!(sandbox.artifacts(), expected_artifacts());
    let again = ["conversations", "delete", &id, "--yes", "--json"];
    sandbox.run(&again).exits(5).error("CONVERSATION_NOT_FOUND");
    let package = sandbox.run(&["package", "list", "--json"]).exits(0).json();
    let package = package[0]["packageId"].as_str().unwrap().to_owned();
    sandbox.run(&["package", "remove", &package, "--json"]).exits(0);
}

#[test]
fn a_conversation_somebody_works_on_is_not_deleted() {
    let (sandbox, id) = played();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let store = RuntimeStore::open(&sandbox.path("store")).unwrap();
    let holder = host::store::Holder::this_process("window");
    let conversation: ConversationId = id.parse().unwrap();
    let lease = runtime.block_on(store.acquire(&conversation, holder)).unwrap();
    for args in [["conversations", "delete", &id], ["conversations", "delete", "--everything"]] {
        let args = [&args[..], &["--yes", "--json"]].concat();
        let error = sandbox.run(&args).exits(7).error("RUN_BUSY");
        assert_eq!(error["details"]["holder"], "window");
    }
    runtime.block_on(lease.release()).unwrap();
    let everything = ["conversations", "delete", "--everything", "--yes", "--json"];
    assert_eq!(sandbox.run(&everything).exits(0).json()["deleted"], json!([id]));
}

#[test]
fn sizes_are_told_by_project() {
    let (sandbox, _) = played();
    let sizes = sandbox.run(&["doctor", "--sizes", "--json"]).exits(0).json();
    let project = &sizes["projects"][0];
    assert_eq!(project["conversations"], 1);
    for field in ["rowBytes", "fileBytes"] {
        assert!(project[field].as_u64().unwrap() > 1000, "{sizes:#}");
    }
    let words = sandbox.run(&["doctor", "--sizes"]).exits(0);
    assert!(words.stdout.contains("KiB") || words.stdout.contains("MiB"), "{words:#?}");
}

fn run_folders(projects: &Path) -> Vec<PathBuf> {
    let entries =
        |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    entries(projects).flat_map(|p| entries(&p.join("runs")).collect::<Vec<_>>()).collect()
}

const RUNS: usize = 30;

/// A project's conversations, large enough that their deletion takes a while.
fn large_store(sandbox: &Sandbox) {
    // Makes the project.
    let said = sandbox.write("said.json", r#"["x"]"#);
    sandbox
        .run(&["run", &hello_branch(), "--model", "demo", "--answers", &said, "--json"])
        .exits(3);
    let sql = "SELECT project_id FROM runs";
    let project: String = sandbox.database().query_row(sql, [], |row| row.get(0)).unwrap();
    let store = RuntimeStore::open(&sandbox.path("store")).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for n in 1..RUNS {
        runtime.block_on(fill(&store, &format!("r{n}"), &project));
        let state = sandbox.path(&format!("store/projects/{project}/runs/r{n}/state/logs"));
        std::fs::create_dir_all(&state).unwrap();
        std::fs::write(state.join("execution.jsonl"), "{}\n").unwrap();
    }
}

async fn fill(store: &RuntimeStore, run: &str, project: &str) {
    let run_id = RunId::new(run).unwrap();
    let new = NewRun {
        conversation_id: ConversationId::of_run(&run_id),
        run_id,
        project_id: project.parse().unwrap(),
        package_id: "demo-1.0.0-0123456789ab".parse().unwrap(),
        workflow_id: "main".parse().unwrap(),
        agent_id: "guide".parse().unwrap(),
        title: "Main".into(),
        created_at: kernel::time::Time::from_millis(1_763_769_600_000),
    };
    let line = |seq: u64, event: Value| -> Line {
        let at = "2026-01-01T00:00:00Z";
        let line = json!({ "v": 1, "seq": seq, "at": at, "turn": 0, "events": [event] });
        serde_json::from_value(line).unwrap()
    };
    let first = json!({ "event": "run_started", "data": {
        "runId": new.run_id, "conversationId": new.conversation_id, "projectId": project,
        "packageId": new.package_id, "workflowId": "main", "agentId": "guide",
        "artifactsDir": "artifacts", "state": "---\n---\n" } });
    store.register_package(support::package_row(&new.package_id)).await.unwrap();
    store.create_run(new.clone(), &line(1, first)).await.unwrap();
    let said = (2..20).map(|seq| {
        let text = format!("apple {}", "x".repeat(20_000));
        let data = json!({ "messageId": format!("m{seq}"), "text": text, "forNodeId": null });
        line(seq, json!({ "event": "user_said", "data": data }))
    });
    let said: Vec<Line> = said.collect();
    let appends = said.iter().map(|line| store.append(&new.conversation_id, line));
    for done in futures_util::future::join_all(appends).await {
        done.unwrap();
    }
}

/// When the deleting program is killed.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Moment {
    RowsBegin,
    RowsAreMany,
    FoldersGo,
    HalfOfTheFolders,
}

#[rstest]
#[case(Moment::RowsBegin)]
#[case(Moment::RowsAreMany)]
#[case(Moment::FoldersGo)]
#[case(Moment::HalfOfTheFolders)]
fn a_deletion_that_was_killed_did_all_or_nothing(#[case] moment: Moment) {
    let sandbox = Sandbox::new();
    large_store(&sandbox);
    let folders = sandbox.path("store/projects");
    assert_eq!(run_folders(&folders).len(), RUNS);
    let log = sandbox.path("store/store.db-wal");
    let written = || std::fs::metadata(&log).map_or(0, |m| m.len());
    let mut running =
        sandbox.start(&["conversations", "delete", "--everything", "--yes", "--json"]);
    let reached = || match moment {
        Moment::RowsBegin => written() > 200_000,
        Moment::RowsAreMany => written() > 2_000_000,
        Moment::FoldersGo => run_folders(&folders).len() < RUNS,
        Moment::HalfOfTheFolders => run_folders(&folders).len() <= RUNS / 2,
    };
    while !reached() && !running.has_ended() {
        std::thread::yield_now();
    }
    // Killed, if it still lives.
    drop(running);

    // The next start brings what was left into order.
    let list = sandbox.run(&["conversations", "list", "--all", "--json"]).exits(0).json();
    let count = list["conversations"].as_array().unwrap().len();
    assert!(count == RUNS || count == 0, "{count} of {RUNS} are left");
    let found = ["conversations", "search", "apple", "--all", "--limit", "200", "--json"];
    let found = sandbox.run(&found).exits(0).json();
    assert_eq!(found["hits"].as_array().unwrap().is_empty(), count == 0);
    assert_eq!(run_folders(&folders).len(), count, "folders are there for what is there");
    assert_eq!(sandbox.rows("removed_runs"), 0);
    assert_eq!(sandbox.rows("lines") == 0, count == 0);
    if matches!(moment, Moment::FoldersGo | Moment::HalfOfTheFolders) {
        assert_eq!(count, 0, "folders go after the rows are gone");
    }
}
