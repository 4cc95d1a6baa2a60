use super::*;
use crate::frontmatter;
use crate::ids::{AgentId, RunId, WorkflowId};
use crate::state_doc::{Initial, StepCount, StepStatus};
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

/// The document of a run that is at a node, after others.
fn document(current: &str, completed: &[&str]) -> StateDoc {
    let initial = Initial {
        run_id: &RunId::new("run-1").unwrap(),
        workflow_id: &WorkflowId::new("1").unwrap(),
        agent_id: &AgentId::new("writer").unwrap(),
        variables: None,
        artifacts: &[],
        now: Time::from_millis(1_767_225_600_000),
    };
    let doc = StateDoc::initial("---\nschemaVersion: \"1.1\"\nworkflowType: demo\n---\n", &initial)
        .unwrap();
    let text = frontmatter::edit(doc.text(), |front| {
        front.insert("currentNodeId".into(), json!(current));
        front.insert("stepsCompleted".into(), json!(completed));
    })
    .unwrap();
    StateDoc::parse(&text).unwrap()
}

/// How its steps stand.
fn standing(current: &str, completed: &[&str]) -> Vec<(String, StepStatus)> {
    let steps = steps_of(&graph(), &document(current, completed));
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
fn steps_are_counted_as_they_stand_and_those_not_needed_are_not() {
    for (current, completed, done, total) in [
        ("", vec![], 0, 4),
        ("skip", vec!["choose"], 1, 3),
        ("write", vec!["choose"], 1, 4),
        ("done", vec!["choose", "write", "done", "done"], 3, 3),
        ("nowhere", vec!["choose", "gone"], 1, 4),
    ] {
        let steps = standing(current, &completed);
        let of = |wanted| steps.iter().filter(|(_, status)| *status == wanted).count();
        let count = document(current, &completed).step_count(&graph());
        assert_eq!(count, StepCount { done, total }, "{current}");
        assert_eq!(of(StepStatus::Completed), done as usize, "{current}");
        assert_eq!(steps.len() - of(StepStatus::Skipped), total as usize, "{current}");
    }
}

#[test]
fn where_the_current_node_is_not_known_nothing_is_skipped() {
    let lost = standing("nowhere", &["choose"]);
    assert_eq!(status(&lost, "write"), StepStatus::Pending);
    assert_eq!(status(&lost, "skip"), StepStatus::Pending);
}
