//! A task of the program that panics, as a bug would make it: the turn stops in words, nobody waits
//! for ever, and the run goes on.

use rstest::rstest;
use support::program::Sandbox;

#[rstest]
#[case("effect.before:1", 4)]
#[case("effect.before:2", 1)]
#[case("effect.after:1", 4)]
#[case("runner.before_show:1", 1)]
#[case("runner.before_show:4", 1)]
#[case("runner.before_reconcile:3", 1)]
#[case("runner.before_audit:3", 1)]
fn a_run_in_which_a_task_panics_stops_in_words_and_goes_on(#[case] at: &str, #[case] exit: i32) {
    let sandbox = Sandbox::in_memory();
    let panics = [("CREWAGENT_CRASH_AT", at), ("CREWAGENT_CRASH_BY", "panic")];
    let run = ["run", "hello-linear", "--model", "demo"];
    let done = sandbox.run_with(&run, &panics).exits(exit);
    assert!(done.stderr.contains("a test lets this task panic"), "{done:#?}");
    let told = ["a task of the runtime ended early", "the conversation's task has ended"];
    assert!(told.iter().any(|words| done.stderr.contains(words)), "{done:#?}");
    let resumed = sandbox.run(&["runs", "resume", &sandbox.run_id(), "--model", "demo"]).exits(0);
    assert!(sandbox.project().join("artifacts/brief.md").is_file(), "{resumed:#?}");
}

/// The model is told of a tool that panicked, and goes on by itself.
#[test]
fn a_tool_that_panics_has_failed() {
    let sandbox = Sandbox::in_memory();
    let panics = [("CREWAGENT_CRASH_AT", "effect.after:3"), ("CREWAGENT_CRASH_BY", "panic")];
    let done = sandbox.run_with(&["run", "hello-linear", "--model", "demo"], &panics);
    // Of two that work at once either may be the one; the script goes on behind one of them.
    assert!(matches!(done.code, Some(0 | 6)), "{done:#?}");
    let failed = done.stdout.lines().filter(|line| line.contains(" E_INTERNAL ")).count();
    let read = done.stdout.lines().filter(|line| line.contains("fs.read") && line.ends_with(" ok"));
    assert!(failed == 1 && read.count() >= 1, "{done:#?}");
}
