mod conversations;
mod damage;
mod drafts;
mod imported;
mod journal;
mod journal_snapshots;
mod leases;
mod lists;
mod processes;

use std::path::Path;

use kernel::code::Failure;
use kernel::event::Line;
use kernel::ids::{ConversationId, RunId};
use kernel::time::Time;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::{NewRun, RuntimeStore, recalling};

pub(crate) fn root() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

pub(crate) fn open(root: &tempfile::TempDir) -> RuntimeStore {
    RuntimeStore::open(root.path()).unwrap()
}

/// A second look at the same database, past the store.
pub(super) fn raw(root: &Path) -> Connection {
    Connection::open(root.join("store.db")).unwrap()
}

pub(crate) fn line(seq: u64, events: &Value) -> Line {
    let at = Time::from_millis(1_763_769_600_000 + i64::try_from(seq).unwrap());
    serde_json::from_value(json!({ "v": 1, "seq": seq, "at": at, "turn": 0, "events": events }))
        .unwrap()
}

pub(super) fn said(seq: u64, text: &str) -> Line {
    line(
        seq,
        &json!([{ "event": "user_said",
                  "data": { "messageId": format!("m{seq}"), "text": text, "forNodeId": null } }]),
    )
}

pub(super) fn new_run(run: &str) -> NewRun {
    let run_id = RunId::new(run).unwrap();
    NewRun {
        conversation_id: ConversationId::of_run(&run_id),
        run_id,
        project_id: "p1".parse().unwrap(),
        package_id: "demo-1.0.0-0123456789ab".parse().unwrap(),
        workflow_id: "main".parse().unwrap(),
        agent_id: "guide".parse().unwrap(),
        title: "Main".into(),
        created_at: Time::from_millis(1_763_769_600_000),
    }
}

pub(super) fn started(run: &NewRun) -> Line {
    line(
        1,
        &json!([{ "event": "run_started", "data": {
            "runId": run.run_id, "conversationId": run.conversation_id,
            "projectId": run.project_id, "packageId": run.package_id,
            "workflowId": run.workflow_id, "agentId": run.agent_id,
            "artifactsDir": "artifacts", "state": "---\n---\n" } }]),
    )
}

/// Makes a run and returns its conversation; its journal goes on with 2.
pub(crate) async fn begin(store: &RuntimeStore, run: &str) -> ConversationId {
    let run = new_run(run);
    store.create_run(run.clone(), &started(&run)).await.unwrap();
    run.conversation_id
}

/// Nothing that is shown holds a real path (spec 04 "Paths").
pub(super) fn assert_no_path(failure: &Failure, root: &Path) {
    let text = serde_json::to_string(failure).unwrap();
    assert!(!text.contains(root.to_str().unwrap()), "{text}");
    assert!(failure.action.is_some(), "says what to do: {text}");
}
