//! The guard of the state document, at a workflow of 500 steps and a document that lists 5,000
//! completed ones and as many decisions.

use std::path::Path;
use std::time::Instant;

use kernel::facts::Evidence;
use kernel::frontmatter;
use kernel::graph::{Graph, SaidInStep};
use kernel::settings::OutputsPolicy;
use kernel::state_doc::{Circumstances, StateDoc, check_change, check_transition};
use kernel::time::Time;
use serde_json::{Value, json};

use crate::stats::{median, round};

/// Steps of the workflow.
const NODES: usize = 500;
/// Entries of `stepsCompleted`, each step many times over, and of `decisionLog`.
const ENTRIES: usize = 5_000;
/// How often each is measured.
const TIMES: usize = 41;

/// The checks alone, the whole with reading and writing YAML, and the YAML by itself.
pub(crate) fn measure(_: &Path) -> anyhow::Result<Value> {
    let graph: Graph = serde_json::from_value(graph())?;
    let (old, new) = (document("step-0498"), document("step-0499"));
    let given = Circumstances {
        if_match_sha256: None,
        missing: &[],
        evidence: &Evidence::default(),
        said: &SaidInStep::default(),
        outputs: OutputsPolicy::Enforce,
        now: Time::from_millis(1_767_300_000_000),
    };
    let before = StateDoc::parse(&old)?;
    anyhow::ensure!(before.steps_completed().len() == ENTRIES, "the document lost entries");
    let (mut checks, mut wholes, mut yaml) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..TIMES {
        // A change is judged when its text was read a moment ago.
        let after = StateDoc::parse(&new)?;
        let began = Instant::now();
        let allowed = check_change(&before, &after, &graph, &given)?;
        checks.push(began.elapsed().as_secs_f64() * 1000.0);
        anyhow::ensure!(allowed.moved.is_some(), "nothing moved");
        let began = Instant::now();
        check_transition(&before, &new, &graph, &given)?;
        wholes.push(began.elapsed().as_secs_f64() * 1000.0);
        let began = Instant::now();
        StateDoc::parse(&new)?;
        let edited = frontmatter::edit(&new, |map| {
            map.insert("updatedAt".to_owned(), json!(given.now));
        });
        StateDoc::parse(&edited?)?;
        yaml.push(began.elapsed().as_secs_f64() * 1000.0);
    }
    let (whole, yaml) = (median(wholes), median(yaml));
    Ok(json!({
        "nodes": NODES, "entries": ENTRIES, "kibibytes": new.len() >> 10,
        "ms": round(median(checks)), "wholeMs": round(whole), "yamlMs": round(yaml),
        "ratio": round(whole / yaml),
    }))
}

fn step(n: usize) -> String {
    format!("step-{n:04}")
}

fn graph() -> Value {
    let node = |n| json!({ "id": step(n), "type": "step", "file": format!("steps/{n}.md"), "title": step(n) });
    let edge = |n| json!({ "from": step(n), "to": step(n + 1), "label": "next" });
    json!({
        "schemaVersion": "1.1", "entryNodeId": step(0),
        "nodes": (0..NODES).map(node).collect::<Vec<_>>(),
        "edges": (0..NODES - 1).map(edge).collect::<Vec<_>>(),
    })
}

fn document(current: &str) -> String {
    let completed = (0..ENTRIES).map(|n| format!("  - {}\n", step(n % (NODES - 1))));
    let decided = (0..ENTRIES).map(|n| {
        let (from, to) = (step(n % (NODES - 1)), step(n % (NODES - 1) + 1));
        format!(
            "  - {{ from: {from}, to: {to}, label: next, decidedAt: \"2026-01-01T00:00:00Z\" }}\n"
        )
    });
    let head = format!(
        "---\nschemaVersion: \"1.1\"\nworkflowType: large\ncurrentNodeId: {current}\nstepsCompleted:\n"
    );
    let tail = "artifacts: []\nupdatedAt: \"2026-01-01T00:00:00Z\"\n---\n\nNotes.\n";
    let completed = completed.collect::<Vec<_>>().concat();
    let decided = decided.collect::<Vec<_>>().concat();
    [&*head, &completed, "variables: {}\ndecisionLog:\n", &decided, tail].concat()
}
