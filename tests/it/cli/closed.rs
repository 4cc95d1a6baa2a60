//! Nobody reads what is printed: the program does the same and ends with the same code.

use rstest::rstest;
use serde_json::json;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use support::program::{Sandbox, Server, hello_branch};

/// A pipe whose reader is gone.
fn unread() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

fn code(mut command: Command) -> Option<i32> {
    command.status().unwrap().code()
}

/// Both streams, one by one and together; `args` end with `expected` each time.
fn ends_the_same(args: &[&str], expected: i32) {
    for (out, err) in [(true, false), (false, true), (true, true)] {
        let sandbox = Sandbox::new();
        let mut command = sandbox.command(args);
        command.stdout(if out { unread() } else { Stdio::null() });
        command.stderr(if err { unread() } else { Stdio::null() });
        assert_eq!(code(command), Some(expected), "{args:?} stdout {out}, stderr {err}");
    }
}

#[rstest]
#[case::done(&["run", "hello-branch", "--model", "demo"], 0)]
#[case::done_json(&["run", "hello-branch", "--model", "demo", "--json"], 0)]
#[case::logging(&["run", "hello-branch", "--model", "demo", "-v"], 0)]
#[case::waits(&["run", "hello-branch", "--model", "demo", "--answers", "none.json"], 3)]
#[case::invalid(&["run", "no-such-package"], 5)]
#[case::invalid_json(&["run", "no-such-package", "--json"], 5)]
#[case::no_model(&["run", "hello-branch"], 6)]
#[case::usage(&["dance"], 2)]
#[case::usage_json(&["dance", "--json"], 2)]
#[case::help(&["--help"], 0)]
#[case::doctor(&["doctor"], 0)]
#[case::migrated(&["migrate-electron", "nowhere"], 5)]
fn nobody_who_reads_changes_no_exit_code(#[case] args: &[&str], #[case] expected: i32) {
    let answers = Sandbox::new();
    let file = answers.write("none.json", "[]");
    let args: Vec<&str> =
        args.iter().map(|arg| if *arg == "none.json" { file.as_str() } else { *arg }).collect();
    ends_the_same(&args, expected);
}

#[test]
fn a_reader_who_leaves_in_the_middle_changes_nothing_either() {
    let (sandbox, server) = (Sandbox::new(), Server::slow(1));
    let answers = sandbox.answers_left();
    let base_url = server.base_url();
    let model = ["--base-url", &base_url, "--model", "demo", "--json"];
    let package = hello_branch();
    let args = [&["run", &package, "--answers", &answers], &model[..]].concat();
    let mut child = sandbox.command(&args).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..3 {
        lines.next().unwrap().unwrap();
    }
    drop((lines, child.stderr.take()));
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let shown = sandbox.run(&["runs", "list", "--json"]).exits(0).json();
    assert_eq!(shown[0]["phase"], json!("completed"));
}

#[cfg(unix)]
#[rstest]
#[case::stdout(">&-")]
#[case::stderr("2>&-")]
#[case::both(">&- 2>&-")]
#[case::full(">/dev/full 2>/dev/full")]
fn a_run_ends_well_when_the_shell_closed_its_streams(#[case] closing: &str) {
    let ways = [&["--model", "demo"][..], &["--model", "demo", "--answers", "none.json"]];
    for (more, expected) in ways.into_iter().zip([0, 3]) {
        let sandbox = Sandbox::new();
        std::fs::write(sandbox.path("work/none.json"), "[]").unwrap();
        let args = [&["run", "hello-branch"], more].concat();
        let mut shell = sandbox.in_shell(&format!("exec \"$0\" \"$@\" {closing}"), &args);
        shell.stdin(Stdio::null());
        assert_eq!(code(shell), Some(expected), "{args:?} {closing}");
    }
}
