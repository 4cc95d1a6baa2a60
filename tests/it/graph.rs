//! The graph of a workflow, the ways that a run went in it, and where it stood before.

use crate::world::{Script, Scripted, Way, World};
use host::host::{Host, HostOptions, ModelChoice};
use kernel::code::ErrorCode;
use kernel::command::{Command, Query};
use kernel::engine::Limits;
use kernel::event::{Author, Phase};
use kernel::ids::{ConversationId, NodeId, PackageId, WorkflowId};
use kernel::policy::ApproveWrites;
use kernel::snapshot::{progress, snapshot};
use kernel::tool::rewind::RewindTarget;
use kernel::wire::{Answer, Frame, GraphView, RevisionState, StepStatus};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Moves to `node`, with an entry of the decision log where one is needed.
fn on(node: &str, decided: Option<(&str, &str)>, variables: &Value) -> Value {
    let mut update = json!({ "currentNodeId": { "set": node }, "variables": { "set": variables } });
    if let Some((from, reason)) = decided {
        let entry = json!({ "from": from, "to": node, "reason": reason });
        update["decisionLog"] = json!({ "append": [entry] });
    }
    let patch = json!({ "operation": "updateFrontmatter", "update": update });
    let arguments = json!({ "path": "@state/workflow.md", "patch": patch });
    json!({ "text": "", "calls": [{ "name": "fs_apply_patch", "arguments": arguments }] })
}

fn played(calls: Vec<Value>) -> World {
    let mut script = calls;
    script.extend([json!({ "text": "Which one?" }), json!({ "text": "I see." })]);
    let script: Vec<Scripted> = serde_json::from_value(Value::Array(script)).unwrap();
    let limits = Limits { approve_writes: ApproveWrites::Auto, ..Limits::default() };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let package = root.join("tests/fixtures/packages/conditions");
    let mut world =
        World::new(&package, Script::Replies(script), Vec::new(), Way::Straight, limits);
    world.play(None, None);
    world
}

/// The ways as `from>to`, each with its reason.
fn ways(world: &World) -> Vec<(String, Option<String>)> {
    let ways = snapshot(&world.engine).unwrap().progress.ways;
    ways.into_iter().map(|way| (format!("{}>{}", way.from, way.to), way.reason)).collect()
}

fn statuses(world: &World) -> Vec<(String, StepStatus)> {
    let steps = progress(world.engine.run_package(), world.engine.core()).steps;
    steps.into_iter().map(|step| (step.id.to_string(), step.status)).collect()
}

#[test]
fn the_ways_that_a_run_went_are_known_with_their_reasons_until_they_are_taken_back() {
    let nothing = json!({});
    let mut world = played(vec![
        on("choose", None, &json!({ "projectType": "greenfield" })),
        on("green", Some(("choose", "There is nothing yet.")), &nothing),
    ]);
    let reason = Some("There is nothing yet.".to_owned());
    let went = vec![("ask>choose".to_owned(), None), ("choose>green".to_owned(), reason)];
    assert_eq!(ways(&world), went);
    let brown = ("brown".to_owned(), StepStatus::Skipped);
    assert!(statuses(&world).contains(&brown));

    let target = RewindTarget::of(NodeId::new("choose").unwrap());
    world.rewind(target, None);
    world.go_on();
    assert_eq!(ways(&world), vec![("ask>choose".to_owned(), None)]);
    let brown = ("brown".to_owned(), StepStatus::Pending);
    assert!(statuses(&world).contains(&brown));
}

/// No test waits longer for something that must come.
const PATIENCE: Duration = Duration::from_mins(1);

/// A demo's run that has asked its first question.
async fn asking(folder: &Path) -> (Arc<Host>, PackageId, ConversationId) {
    let model = ModelChoice::Demo;
    let options = HostOptions { model, ..HostOptions::new(folder.join("store"), "cli") };
    let host = Host::open(options).await.unwrap();
    let install = Command::InstallBundled { name: "hello-branch".into() };
    let package_id = host.submit(install).await.unwrap().package_id.unwrap();
    let path = folder.join("project").to_string_lossy().into_owned();
    let opened = host.submit(Command::OpenProject { path, create: true }).await.unwrap();
    let start = Command::StartRun {
        project_id: opened.project_id.unwrap(),
        package_id: package_id.clone(),
        workflow_id: None,
        agent_id: None,
        input: None,
        demo: true,
        conversation_id: None,
    };
    let conversation = host.submit(start).await.unwrap().conversation_id.unwrap();
    let mut frames = host.watch(&conversation).await.unwrap();
    let waits = async {
        while let Some(frame) = frames.recv().await {
            let (Frame::Snapshot { status, .. } | Frame::Status { status }) = frame else {
                continue;
            };
            if status.run.is_some_and(|run| run.phase == Phase::WaitingUser) {
                return;
            }
        }
        panic!("the frames ended");
    };
    tokio::time::timeout(PATIENCE, waits).await.expect("it never asked");
    (host, package_id, conversation)
}

async fn graph(host: &Host, package: &PackageId, workflow: &str) -> Result<GraphView, ErrorCode> {
    let workflow_id = WorkflowId::new(workflow).unwrap();
    let query = Query::Graph { package_id: package.clone(), workflow_id };
    match host.query(query).await {
        Ok(Answer::Graph(graph)) => Ok(*graph),
        Ok(other) => panic!("{other:?}"),
        Err(failure) => Err(failure.code),
    }
}

async fn revision(
    host: &Host,
    conversation: &ConversationId,
    seq: u64,
) -> Result<RevisionState, ErrorCode> {
    let query = Query::Revision { conversation_id: conversation.clone(), seq };
    match host.query(query).await {
        Ok(Answer::Revision(state)) => Ok(*state),
        Ok(other) => panic!("{other:?}"),
        Err(failure) => Err(failure.code),
    }
}

#[tokio::test]
async fn a_graph_is_read_by_its_package_and_a_run_as_it_stood_at_each_version() {
    let folder = tempfile::tempdir().unwrap();
    let (host, package, conversation_id) = asking(folder.path()).await;
    let query = Query::Snapshot { conversation_id: conversation_id.clone() };
    let Answer::Snapshot(now) = host.query(query).await.unwrap() else { panic!("a snapshot") };

    let read = graph(&host, &package, now.run.workflow_id.as_str()).await.unwrap();
    let listed: Vec<_> = now.progress.steps.iter().map(|step| &step.id).collect();
    assert_eq!(read.nodes.iter().map(|node| &node.id).collect::<Vec<_>>(), listed);
    assert_eq!(&read.entry, listed[0]);
    assert!(read.nodes.iter().all(|node| node.file.is_some() && !node.title.is_empty()));
    assert!(
        read.edges.iter().all(|edge| listed.contains(&&edge.from) && listed.contains(&&edge.to))
    );
    assert_eq!(graph(&host, &package, "no-such").await, Err(ErrorCode::WorkflowRefMismatch));

    let first = now.revisions.first().unwrap();
    let state = revision(&host, &conversation_id, first.seq).await.unwrap();
    assert_eq!((state.seq, state.at, state.by), (first.seq, first.at, Author::Runtime));
    assert_eq!(state.progress.steps[0].status, StepStatus::Current);
    assert_eq!(first.node_id.as_ref(), Some(&read.entry));
    assert!(state.progress.ways.is_empty());
    for known in &now.revisions {
        let state = revision(&host, &conversation_id, known.seq).await.unwrap();
        assert_eq!(kernel::text::sha256_hex(state.text.as_bytes()), known.sha256);
    }
    let last = revision(&host, &conversation_id, now.revisions.last().unwrap().seq).await.unwrap();
    assert_eq!(last.progress, now.progress);
    for seq in [0, first.seq + 1, 1_000_000, u64::MAX] {
        let is_one = now.revisions.iter().any(|known| known.seq == seq);
        assert_eq!(revision(&host, &conversation_id, seq).await.is_ok(), is_one, "{seq}");
    }
    host.close().await;
}
