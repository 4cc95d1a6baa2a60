use super::*;
use crate::frontmatter;
use crate::ids::{AgentId, RunId, WorkflowId};
use crate::state_doc::Initial;
use crate::time::Time;
use serde_json::json;

/// Two ways lead from a choice to the end; one of them can be gone again.
fn graph() -> Graph {
    serde_json::from_value(json!({
        "schemaVersion": "1.1",
        "entryNodeId": "choose",
        "nodes": [
            { "id": "choose", "type": "decision", "file": "s/choose.md" },
            { "id": "write", "type": "step", "file": "s/write.md" },
            { "id": "skip", "type": "step", "file": "s/skip.md" },
            { "id": "done", "type": "end", "file": "s/done.md" },
        ],
        "edges": [
            { "from": "choose", "to": "write", "label": "long" },
            { "from": "choose", "to": "skip", "label": "short" },
            { "from": "write", "to": "choose", "label": "again" },
            { "from": "write", "to": "done", "label": "finish" },
            { "from": "skip", "to": "done", "label": "finish" },
        ],
    }))
    .unwrap()
}

/// How the steps stand when a run is at a node, after others.
fn standing(current: &str, completed: &[&str]) -> Vec<(String, StepStatus)> {
    let initial = Initial {
        run_id: &RunId::new("run-1").unwrap(),
        workflow_id: &WorkflowId::new("1").unwrap(),
        agent_id: &AgentId::new("writer").unwrap(),
        now: Time::from_millis(1_767_225_600_000),
    };
    let doc = StateDoc::initial("---\nschemaVersion: \"1.1\"\nworkflowType: demo\n---\n", &initial)
        .unwrap();
    let text = frontmatter::edit(doc.text(), |front| {
        front.insert("currentNodeId".into(), json!(current));
        front.insert("stepsCompleted".into(), json!(completed));
    })
    .unwrap();
    let doc = StateDoc::parse(&text).unwrap();
    let steps = steps_of(&graph(), &doc);
    steps.into_iter().map(|step| (step.id.to_string(), step.status)).collect()
}

fn status(steps: &[(String, StepStatus)], id: &str) -> StepStatus {
    steps.iter().find(|(of, _)| of == id).map(|(_, status)| *status).unwrap()
}

#[test]
fn a_step_is_skipped_as_soon_as_no_way_leads_to_it() {
    use StepStatus::{Completed, Current, Pending, Skipped};

    let begun = standing("", &[]);
    assert_eq!(status(&begun, "choose"), Current);
    assert!(["write", "skip", "done"].iter().all(|id| status(&begun, id) == Pending), "{begun:?}");

    let short = standing("skip", &["choose"]);
    assert_eq!(status(&short, "write"), Skipped);
    assert_eq!(status(&short, "done"), Pending);
    assert_eq!(status(&short, "choose"), Completed, "what was done stays so");

    let long = standing("write", &["choose"]);
    assert_eq!(status(&long, "skip"), Pending, "the choice can be come back to");
    let over = standing("done", &["choose", "write", "done"]);
    assert_eq!(status(&over, "skip"), Skipped);
}

#[test]
fn where_the_current_node_is_not_known_nothing_is_skipped() {
    let lost = standing("nowhere", &["choose"]);
    assert_eq!(status(&lost, "write"), StepStatus::Pending);
    assert_eq!(status(&lost, "skip"), StepStatus::Pending);
}
