mod active;
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
use kernel::wire::PackageView;
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
pub(crate) fn raw(root: &Path) -> Connection {
    Connection::open(root.join("store.db")).unwrap()
}

pub(crate) fn line(seq: u64, events: &Value) -> Line {
    let at = Time::from_millis(1_763_769_600_000 + i64::try_from(seq).unwrap());
    serde_json::from_value(json!({ "v": 1, "seq": seq, "at": at, "turn": 0, "events": events }))
        .unwrap()
}

pub(crate) fn said(seq: u64, text: &str) -> Line {
    line(
        seq,
        &json!([{ "event": "user_said",
                  "data": { "messageId": format!("m{seq}"), "text": text, "forNodeId": null } }]),
    )
}

pub(crate) fn new_run(run: &str) -> NewRun {
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

pub(crate) fn started(run: &NewRun) -> Line {
    line(
        1,
        &json!([{ "event": "run_started", "data": {
            "runId": run.run_id, "conversationId": run.conversation_id,
            "projectId": run.project_id, "packageId": run.package_id,
            "workflowId": run.workflow_id, "agentId": run.agent_id,
            "artifactsDir": "artifacts", "state": "---\n---\n" } }]),
    )
}

/// What the list says of an installed package.
pub(crate) fn package(id: &str) -> PackageView {
    serde_json::from_value(json!({
        "packageId": id, "name": "demo", "version": "1.0.0", "description": null,
        "workflows": [], "agents": [], "installedAt": "2026-01-01T00:00:00Z", "hasDemo": true,
    }))
    .unwrap()
}

/// Makes a run of an installed package and returns its conversation; its journal goes on with 2.
pub(crate) async fn begin(store: &RuntimeStore, run: &str) -> ConversationId {
    create(store, new_run(run)).await
}

/// The same of a run that is not as all the others.
pub(super) async fn create(store: &RuntimeStore, run: NewRun) -> ConversationId {
    store.register_package(package(run.package_id.as_str())).await.unwrap();
    store.create_run(run.clone(), &started(&run)).await.unwrap();
    run.conversation_id
}

/// Nothing that is shown holds a real path (spec 04 "Paths").
pub(super) fn assert_no_path(failure: &Failure, root: &Path) {
    let text = serde_json::to_string(failure).unwrap();
    assert!(!text.contains(root.to_str().unwrap()), "{text}");
    assert!(failure.action.is_some(), "says what to do: {text}");
}
