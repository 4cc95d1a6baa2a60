//! What holds of every run, whatever its model does.

use super::*;
use kernel::event::{Author, Phase, Reason};
use kernel::ids::NodeId;
use kernel::state_doc::StateDoc;
use kernel::tool::parse_call;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Things a model may do: work, look, lie, repeat itself, fail, plan.
fn deed() -> impl Strategy<Value = Said> {
    let path = prop_oneof![
        Just(NOTE),
        Just("@project/docs/a.md"),
        Just("@project/.env"),
        Just("@project/docs/../a.md"),
        Just("@pkg/x.md"),
    ];
    let content = prop_oneof![Just("one\n"), Just("two\n"), Just("")];
    let id = prop_oneof![Just("t1"), Just("t2"), Just("x")];
    let status = prop_oneof![
        Just("pending"),
        Just("in_progress"),
        Just("completed"),
        Just("failed"),
        Just("canceled"),
        Just("blocked")
    ];
    prop_oneof![
        4 => prop_oneof![Just("Done."), Just("Everything is written."), Just("Shall I?")].prop_map(says),
        2 => (path.clone(), content.clone()).prop_map(|(p, c)| calls([write(p, c)])),
        1 => (path.clone(), content.clone()).prop_map(|(p, c)| calls([read(p, &[c])])),
        1 => path.clone().prop_map(|p| calls([("fs_delete", json!({ "path": p }))])),
        1 => path.prop_map(|p| calls([patch(p, "one", "two")])),
        2 => prop_oneof![Just("ask"), Just("write"), Just("done"), Just("nowhere")]
            .prop_map(|node| calls([state(&json!({ "currentNodeId": { "set": node } }))])),
        1 => Just(calls([to_the_end()])),
        1 => prop_oneof![Just("ask"), Just("write"), Just("done")]
            .prop_map(|node| calls([state(&json!({ "stepsCompleted": { "append": [node] } }))])),
        1 => Just(calls([state(&json!({ "variables": { "set": { "workflowStatus": "complete" } } }))])),
        1 => Just(calls([add("a")])),
        1 => (id, status).prop_map(|(id, status)| {
            let set = json!({ "action": "set_status", "id": id, "status": status, "reason": "r" });
            calls([todo(set)])
        }),
        1 => Just(says("Done.").meanwhile("docs/a.md", Some("theirs\n"))),
    ]
}

fn outputs_of(world: &World, node: &NodeId) -> Vec<std::path::PathBuf> {
    let graph = world.engine.graph().unwrap();
    let outputs = graph.node(node).map(kernel::graph::Node::checkable_outputs).unwrap_or_default();
    outputs.iter().map(|path| world.project.join(path.rel())).collect()
}

/// No change of the model moves along no edge, takes a step back, or reaches an end that is none.
fn follows_the_graph(world: &World) {
    let graph = world.engine.graph().unwrap();
    let mut before: Option<StateDoc> = None;
    for event in world.events() {
        let (text, by) = match event {
            Event::RunStarted(e) => (&e.state, Author::Runtime),
            Event::StateChanged(e) => (&e.text, e.by),
            _ => continue,
        };
        let doc = StateDoc::parse(text).unwrap();
        if let Some(old) = before.filter(|_| by == Author::Model) {
            let (from, to) =
                (old.effective_node(graph).unwrap(), doc.effective_node(graph).unwrap());
            assert!(
                from == to || graph.outgoing(&from).any(|edge| edge.to == to),
                "{from} -> {to}"
            );
            assert!(old.steps_completed().iter().all(|id| doc.steps_completed().contains(id)));
            assert!(old.is_complete(graph) || !doc.is_complete(graph) || doc.at_end(graph));
        }
        before = Some(doc);
    }
}

fn decides_soundly(world: &World) {
    let most = usize::try_from(world.engine.env().limits.max_turns).unwrap();
    let mut continues = 0;
    for event in world.events() {
        match event {
            Event::UserSaid(_) | Event::RunResumed(_) => continues = 0,
            Event::DecisionMade(e) => {
                let decision = &e.decision;
                continues += usize::from(decision.status == DecisionStatus::Continue);
                assert!(continues <= 4 && continues <= most);
                if decision.status == DecisionStatus::Continue {
                    assert!(!decision.required_next_actions.is_empty());
                }
                for action in &decision.required_next_actions {
                    parse_call(&action.tool, &action.args.to_string()).unwrap();
                }
                let accepted = decision.status == DecisionStatus::Accepted;
                assert_eq!(accepted, decision.obligations.is_empty());
                assert_eq!(accepted, decision.missing_facts.is_empty());
            }
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    /// A run of a lying, lazy, looping or failing model ends within the bounds, with a decision that
    /// names what is missing; no step is completed without its files.
    #[test]
    fn every_run_ends_within_its_bounds_and_keeps_to_its_graph(
        deeds in proptest::collection::vec(deed(), 1..14),
    ) {
        let limits = Limits { max_turns: 20, ..explicit() };
        let world = play(limits, &deeds, &[]);
        let core = world.engine.core();
        prop_assert_ne!(core.phase, Phase::Running);
        follows_the_graph(&world);
        decides_soundly(&world);
        if core.reason == Some(Reason::NotAccepted) {
            let last = decisions(&world).pop().unwrap();
            prop_assert!(!last.missing_facts.is_empty());
        }
        // What deleted or changed a file came later than the step, and is told by the facts.
        let changed = world.others_at_work
            || world.engine.record().facts.iter().any(|f| f.fact.kind == kernel::event::FactKind::FileDeleted);
        let completed: BTreeSet<NodeId> =
            core.doc.as_ref().unwrap().steps_completed().iter().cloned().collect();
        for file in completed.iter().flat_map(|node| outputs_of(&world, node)) {
            prop_assert!(changed || file.exists(), "{:?}", file);
        }
    }

    /// The calls that are told end what they are told for, when the files are as they should be.
    #[test]
    fn an_action_that_is_made_ends_its_obligation(
        name in "[a-zA-Z0-9 _.,@!~{}\\[\\]()'+=&%#;-]{1,20}",
        content in "[ -~\n\u{4e00}-\u{4e10}]{1,300}",
        appended in any::<bool>(),
    ) {
        let path = format!("@project/docs/{name}");
        prop_assume!(path.parse::<kernel::path::AliasPath>().is_ok());
        let mode = if appended { "append" } else { "overwrite" };
        let said = [
            calls([("fs_write", json!({ "path": path, "content": content, "mode": mode }))]),
            says("Done."),
        ];
        let asked = play(explicit(), &said, &[]);
        prop_assume!(ended(&asked)[0].ok);
        let (_, last) = obeyed(&explicit(), &said, |_| {});
        prop_assert_eq!(last.status, DecisionStatus::Accepted, "{:?}", last);
    }
}
