//! A person's edit of the state document while the model is changing it, and the program killed
//! round the moment in which the edit is put aside: whoever made it is told of the file.

use kernel::event::{Author, Event};
use kernel::text::sha256_hex;
use rstest::rstest;
use serde_json::Value;

use super::end::{Verdict, judge, state_folder};
use super::points::printed;
use support::program::{Sandbox, root};

const MODEL: [&str; 3] = ["--model", "demo", "--json"];

fn last_is_unmirrored(sandbox: &Sandbox) -> bool {
    let last = sandbox.journal().pop();
    let events = last.iter().flat_map(|line| &line.events);
    events.into_iter().any(|e| matches!(e, Event::StateChanged(e) if e.by == Author::Model))
}

/// A run killed when a change of the model was durable and not on disk, and edited then.
fn edited() -> (Sandbox, Vec<Value>, String) {
    let package = root().join("templates/packages/hello-linear");
    let run = [&["run", package.to_str().unwrap()], &MODEL[..]].concat();
    for line in 2..40 {
        let sandbox = Sandbox::in_memory();
        let at = format!("runner.before_show:{line}");
        let done = sandbox.run_with(&run, &[("CREWAGENT_CRASH_AT", &at)]);
        assert_eq!(done.code, None, "the model changes nothing: {done:#?}");
        if last_is_unmirrored(&sandbox) {
            let file = state_folder(&sandbox).join("workflow.md");
            let text = std::fs::read_to_string(&file).unwrap() + "\nA person's own words.\n";
            std::fs::write(&file, &text).unwrap();
            return (sandbox, printed(&done.stdout), text);
        }
    }
    panic!("no line of the model's own");
}

#[rstest]
#[case::nobody_kills_it(None)]
#[case::before_it_is_told(Some("store.before_commit:2"))]
#[case::told_and_not_put_aside(Some("state.before_aside"))]
#[case::put_aside_and_nothing_in_its_place(Some("state.after_aside"))]
#[case::before_the_document_is_in_its_place(Some("file.before_rename"))]
#[case::the_document_is_in_its_place(Some("file.after_rename"))]
fn an_edit_put_aside_is_told_whenever_the_program_dies(#[case] at: Option<&str>) {
    let (sandbox, mut shown, text) = edited();
    let run = sandbox.run_id();
    let resume = [&["runs", "resume", &run], &MODEL[..]].concat();
    if let Some(at) = at {
        let done = sandbox.run_with(&resume, &[("CREWAGENT_CRASH_AT", at)]);
        assert_eq!(done.code, None, "{at} is not passed: {done:#?}");
        shown.extend(printed(&done.stdout));
    }
    let done = sandbox.run(&resume).exits(0);
    shown.extend(printed(&done.stdout));

    let aside = state_folder(&sandbox).join("workflow.md.rejected-1");
    assert_eq!(std::fs::read_to_string(aside).unwrap(), text);
    assert!(!state_folder(&sandbox).join("workflow.md.rejected-2").exists());
    let told: Vec<Value> = sandbox
        .journal_events()
        .into_iter()
        .filter(|event| event["event"] == "state_rejected")
        .collect();
    assert_eq!(told.len(), 1, "{told:#?}");
    assert_eq!(told[0]["data"]["sha256"], sha256_hex(text.as_bytes()));
    assert_eq!(told[0]["data"]["failure"]["code"], "E_PRECONDITION_FAILED");
    let mut verdict = Verdict::default();
    judge(&sandbox, &shown, &mut verdict);
    assert!(verdict.lost.is_empty() && verdict.doubled.is_empty(), "{verdict:#?}");

    let file = sandbox.path("work/run.crewrun");
    sandbox.run(&["runs", "export", &run, "-o", file.to_str().unwrap()]).exits(0);
    let report = sandbox.run(&["runs", "replay", "run.crewrun", "--json"]).exits(0).json();
    assert_eq!(
        (&report["identical"], &report["fromRecord"]),
        (&true.into(), &Value::Array(vec![]))
    );
}
