//! The demo traces of the bundled packages, played against the real guard: every patch a demo
//! makes must land, and the last one must complete the run.

use super::tests::check;
use super::*;
use crate::facts::Evidence;
use crate::graph::{NodeType, SaidInStep};
use crate::ids::RunId;
use crate::settings::OutputsPolicy;
use crate::state_doc::{Circumstances, Initial, StateDoc, check_transition, patched};
use crate::time::Time;
use crate::tool::patch;
use crate::trace::Trace;
use rstest::rstest;

macro_rules! bundled {
    ($name:literal: $($path:literal)+) => {
        vec![$(($path, include_str!(concat!("../../../../../templates/packages/", $name, "/", $path)))),+]
    };
}

type DemoTexts = Vec<(&'static str, &'static str)>;

fn linear() -> DemoTexts {
    bundled!("hello-linear": "bmad.json" "agents.json" "workflow.graph.json" "workflow.md"
        "steps/step-01-ask.md" "steps/step-02-generate.md" "steps/end-99.md"
        "assets/demo/demo.trace.json")
}

fn branch() -> DemoTexts {
    bundled!("hello-branch": "bmad.json" "agents.json" "workflow.graph.json" "workflow.md"
        "steps/step-01-ask.md" "steps/decide-02-project-type.md" "steps/step-03-vision.md"
        "steps/step-03-current-state.md" "steps/step-04-roadmap.md" "steps/end-99.md"
        "assets/demo/demo.trace.json")
}

fn story() -> DemoTexts {
    bundled!("create-story-micro": "bmad.json" "agents.json" "workflow.graph.json" "workflow.md"
        "steps/step-01-select-story.md" "steps/step-02-discover-inputs.md"
        "steps/step-03-extract-context.md" "steps/step-04-generate-story.md"
        "steps/step-05-update-sprint-status.md" "steps/end-99.md" "assets/story-template.md"
        "assets/demo/demo.trace.json")
}

fn package(texts: &DemoTexts) -> Package {
    let files = texts.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    let (report, package) = check(&files.collect());
    assert_eq!(report.findings, []);
    package.unwrap()
}

#[rstest]
#[case::linear(linear(), 1)]
#[case::branch(branch(), 2)]
#[case::story(story(), 6)]
fn every_patch_of_a_demo_lands_and_the_last_one_completes_the_run(
    #[case] texts: DemoTexts,
    #[case] artifacts: usize,
) {
    let package = package(&texts);
    let workflow = &package.workflows[0];
    let trace =
        Trace::parse(texts.iter().find(|(p, _)| p.ends_with(".trace.json")).unwrap().1).unwrap();
    let now = Time::from_millis(1_763_769_600_000);
    let initial = Initial {
        run_id: &RunId::new("r-1").unwrap(),
        workflow_id: &workflow.id,
        agent_id: &package.agents[0].id,
        variables: None,
        artifacts: &[],
        now,
    };
    let mut doc = StateDoc::initial(&workflow.state_template, &initial).unwrap();
    let calls = trace.turns.iter().flat_map(|turn| &turn.reply.calls);
    for call in calls.filter(|c| c.name == "fs_apply_patch") {
        assert!(!doc.is_complete(&workflow.graph), "nothing is changed after completion");
        let args: patch::Args = serde_json::from_value(call.arguments.clone()).unwrap();
        let text = patched(&doc, args.patch.ops()).unwrap();
        // Whether the files are there shows when it is played.
        let given = Circumstances {
            if_match_sha256: None,
            missing: &[],
            evidence: &Evidence::default(),
            said: &SaidInStep::default(),
            outputs: OutputsPolicy::Off,
            now,
        };
        let accepted = check_transition(&doc, &text, &workflow.graph, &given)
            .unwrap_or_else(|e| panic!("{}: {e:?}", call.arguments));
        doc = accepted.doc;
    }
    assert!(doc.is_complete(&workflow.graph));
    let end = doc.effective_node(&workflow.graph).unwrap();
    assert_eq!(workflow.graph.node(&end).unwrap().kind, NodeType::End);
    assert_eq!(doc.artifacts().len(), artifacts, "{:?}", doc.artifacts());
    let decisions = workflow.graph.nodes.iter().filter(|n| n.kind == NodeType::Decision).count();
    assert_eq!(doc.decision_log().as_array().unwrap().len(), decisions);
}
