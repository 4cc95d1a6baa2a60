use super::*;
use crate::packages::{Inspected, bundled};
use rstest::rstest;
use serde_json::Value;
use tempfile::TempDir;

fn single() -> Package {
    bundled::inspect("hello-linear").unwrap().package.unwrap()
}

/// The same package with its workflow listed under these ids.
fn listed(ids: &[&str]) -> Package {
    let mut files = bundled::files("hello-linear").unwrap();
    let mut manifest: Value = serde_json::from_slice(&files["bmad.json"]).unwrap();
    manifest["workflows"] = ids
        .iter()
        .map(|id| json!({"id": id, "workflow": "workflow.md", "graph": "workflow.graph.json"}))
        .collect();
    files.insert("bmad.json".into(), manifest.to_string().into_bytes());
    Inspected::new(files).unwrap().package.unwrap()
}

fn workflow_id(text: &str) -> WorkflowId {
    WorkflowId::new(text).unwrap()
}

#[rstest]
#[case(single(), None, Ok("hello-linear"))]
#[case(single(), Some("hello-linear"), Ok("hello-linear"))]
#[case(single(), Some("other"), Err(ErrorCode::WorkflowRefMismatch))]
#[case(listed(&["1"]), None, Ok("1"))]
#[case(listed(&["1"]), Some("2"), Err(ErrorCode::WorkflowRefUnknown))]
#[case(listed(&["1", "2"]), Some("2"), Ok("2"))]
#[case(listed(&["1", "2"]), None, Err(ErrorCode::WorkflowRefRequired))]
#[case(listed(&["1", "2"]), Some("3"), Err(ErrorCode::WorkflowRefUnknown))]
fn a_workflow_reference_is_resolved_or_refused_with_the_choices(
    #[case] package: Package,
    #[case] wanted: Option<&str>,
    #[case] expected: Result<&str, ErrorCode>,
) {
    let wanted = wanted.map(workflow_id);
    match (resolve(&package, wanted.as_ref(), None), expected) {
        (Ok((workflow, agent)), Ok(id)) => {
            assert_eq!((workflow.id.as_str(), agent.id.as_str()), (id, "analyst"));
        }
        (Err(failure), Err(code)) => {
            assert_eq!(failure.code, code);
            let details = failure.details.unwrap();
            let ids = details["workflows"].as_array().unwrap();
            assert_eq!(ids.len(), package.workflows.len());
        }
        (found, expected) => panic!("{found:?} instead of {expected:?}"),
    }
}

#[test]
fn an_agent_is_the_named_one_or_the_first() {
    let package = single();
    let named = AgentId::new("architect").unwrap();
    let (_, agent) = resolve(&package, None, Some(&named)).unwrap();
    assert_eq!(agent.metadata.name, "Winston");
    let stranger = AgentId::new("nobody").unwrap();
    let failure = resolve(&package, None, Some(&stranger)).unwrap_err();
    assert_eq!(failure.code, ErrorCode::AgentNotFound);
    assert_eq!(failure.details.unwrap()["agents"], json!(["analyst", "architect"]));
}

fn ids() -> (ProjectId, RunId) {
    (ProjectId::new("p-1").unwrap(), RunId::new("r-1").unwrap())
}

#[test]
fn the_state_folder_of_a_run_appears_with_an_empty_log() {
    let store = TempDir::new().unwrap();
    let (project, run) = ids();
    let state = create_state_dir(store.path(), &project, &run).unwrap();
    assert_eq!(state, state_dir(store.path(), &project, &run));
    assert_eq!(state.as_path(), store.path().join("projects/p-1/runs/r-1/state"));
    assert_eq!(format!("{state:?}"), "@state");
    assert_eq!(fs::read(state.as_path().join("logs/execution.jsonl")).unwrap(), b"");
    let again = create_state_dir(store.path(), &project, &run).unwrap_err();
    assert_eq!(again.code, ErrorCode::StateInitFailed);
    assert!(state.as_path().is_dir(), "the run that was there is not touched");
    discard_state_dir(store.path(), &project, &run).unwrap();
    discard_state_dir(store.path(), &project, &run).unwrap();
    assert_eq!(fs::read_dir(store.path().join("projects/p-1/runs")).unwrap().count(), 0);
}

#[test]
fn a_state_folder_that_cannot_be_made_leaves_nothing() {
    let store = TempDir::new().unwrap();
    let (project, run) = ids();
    fs::write(store.path().join("projects"), "a file").unwrap();
    let failure = create_state_dir(store.path(), &project, &run).unwrap_err();
    assert_eq!(failure.code, ErrorCode::StateInitFailed);
    assert!(!failure.message.contains(store.path().to_str().unwrap()), "{failure}");
    assert_eq!(fs::read(store.path().join("projects")).unwrap(), b"a file");
    assert_eq!(fs::read_dir(store.path()).unwrap().count(), 1);
}
