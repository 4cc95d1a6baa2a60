//! `kill -9` at any instant: what was shown is there, nothing is done twice, the run goes on
//! (spec 01 "Promises").

use rstest::rstest;
use serde_json::{Value, json};
use support::program::{Sandbox, Server, expected_artifacts, hello_branch};

fn without_ids(printed: &[Value]) -> Vec<Value> {
    let strip = |event: &Value| {
        let mut event = event.clone();
        let object = event.as_object_mut().unwrap();
        object.remove("runId");
        object.remove("conversationId");
        event
    };
    printed.iter().map(strip).collect()
}

#[rstest]
#[case::as_it_begins(1)]
#[case::while_the_model_writes(3)]
#[case::between_two_calls(4)]
#[case::as_a_question_is_answered(9)]
#[case::as_the_state_moves(16)]
#[case::as_a_file_is_written(28)]
#[case::after_a_file_was_written(29)]
#[case::in_another_persons_turn(36)]
#[case::as_the_second_file_is_written(43)]
#[case::near_the_end(52)]
fn a_run_that_was_killed_goes_on_and_loses_nothing(#[case] after: usize) {
    let (sandbox, server) = (Sandbox::in_memory(), Server::slow(2));
    let (package, base_url) = (hello_branch(), server.base_url());
    let model = ["--base-url", &base_url, "--model", "demo", "--json"];
    let answers = sandbox.answers_left();
    let run = [&["run", &package, "--answers", &answers], &model[..]].concat();
    let mut running = sandbox.start(&run);
    let mut shown = running.lines(after);
    running.kill();
    let (more, code) = running.end();
    assert_eq!(code, None, "it ended by itself");
    shown.extend(more);
    shown_is_kept(&sandbox, &shown);

    let (run, answers) = (sandbox.run_id(), sandbox.answers_left());
    let resume = [&["runs", "resume", &run, "--answers", &answers], &model[..]].concat();
    let resumed = sandbox.run(&resume).exits(0);
    assert_eq!(resumed.finish()["phase"], "completed");
    shown_is_kept(&sandbox, &shown);
    done_once(&sandbox);
    let snapshot = sandbox.run(&["runs", "show", &run, "--json"]).exits(0).json();
    assert_eq!(snapshot["run"]["phase"], "completed");
    let mut artifacts: Vec<String> =
        serde_json::from_value(snapshot["state"]["artifacts"].clone()).unwrap();
    artifacts.sort();
    assert_eq!(artifacts, expected_artifacts().into_keys().collect::<Vec<_>>());
}

/// Every printed event stands in the journal as it was printed.
pub(super) fn shown_is_kept(sandbox: &Sandbox, shown: &[Value]) {
    let journal = sandbox.journal_events();
    assert!(journal.len() >= shown.len());
    assert_eq!(without_ids(shown), journal[..shown.len()]);
}

/// Files are those of a run nobody killed, and each was written by one call.
fn done_once(sandbox: &Sandbox) {
    assert_eq!(sandbox.artifacts(), expected_artifacts());
    let journal = sandbox.journal_events();
    let written = journal.iter().filter(|event| {
        event["event"] == "call_ended"
            && event["data"]["tool"] == "fs.write"
            && event["data"]["ok"] == json!(true)
    });
    let mut paths: Vec<&str> =
        written.map(|event| event["data"]["result"]["path"].as_str().unwrap()).collect();
    paths.sort_unstable();
    let once: Vec<String> =
        expected_artifacts().into_keys().map(|path| format!("@project/{path}")).collect();
    assert_eq!(paths, once);
}

#[test]
fn a_run_killed_again_and_again_still_ends() {
    let (sandbox, server) = (Sandbox::in_memory(), Server::slow(2));
    let (package, base_url) = (hello_branch(), server.base_url());
    let model = ["--base-url", &base_url, "--model", "demo", "--json"];
    let answers = sandbox.answers_left();
    let run = [&["run", &package, "--answers", &answers], &model[..]].concat();
    let mut running = sandbox.start(&run);
    let mut shown = running.lines(5);
    for _ in 0..4 {
        running.kill();
        shown.extend(running.end().0);
        let (run, answers) = (sandbox.run_id(), sandbox.answers_left());
        let resume = [&["runs", "resume", &run, "--answers", &answers], &model[..]].concat();
        running = sandbox.start(&resume);
        shown.extend(running.lines(7));
    }
    let (more, code) = running.end();
    shown.extend(more);
    assert_eq!(code, Some(0));
    let journal = sandbox.journal_events();
    for event in without_ids(&shown) {
        let place = usize::try_from(event["seq"].as_u64().unwrap()).unwrap() - 1;
        assert_eq!(journal[place], event);
    }
    done_once(&sandbox);
}
