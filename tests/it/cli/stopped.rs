//! Ctrl-C, a second process, a disk that does not take a line: the run is kept.

use host::llm::Fault;
use serde_json::{Value, json};
use support::program::{Running, Sandbox, Server, expected_artifacts, hello_branch};

/// A run whose second request never ends, and its first five events.
fn stalled(sandbox: &Sandbox, server: &Server) -> Running {
    let (package, base_url) = (hello_branch(), server.base_url());
    let answers = sandbox.answers_left();
    let mut running = sandbox.start(&[
        "run",
        &package,
        "--answers",
        &answers,
        "--base-url",
        &base_url,
        "--model",
        "demo",
        "--json",
    ]);
    running.lines(5);
    running
}

fn stalling_server() -> Server {
    Server::faulty(vec![Fault::None, Fault::StallAfter(2)])
}

/// The run goes on to its end, with a server that answers.
fn resumes(sandbox: &Sandbox) {
    let server = Server::faulty(Vec::new());
    let (run, answers, base_url) = (sandbox.run_id(), sandbox.answers_left(), server.base_url());
    let resume = [
        "runs",
        "resume",
        &run,
        "--answers",
        &answers,
        "--base-url",
        &base_url,
        "--model",
        "demo",
        "--json",
    ];
    assert_eq!(sandbox.run(&resume).exits(0).finish()["phase"], "completed");
    assert_eq!(sandbox.artifacts(), expected_artifacts());
}

#[test]
fn ctrl_c_stops_the_turn_and_keeps_the_run() {
    let (sandbox, server) = (Sandbox::new(), stalling_server());
    let running = stalled(&sandbox, &server);
    running.signal("INT");
    let (lines, code) = running.end();
    assert_eq!(code, Some(130));
    let last = lines.last().unwrap();
    assert_eq!(last["event"], "turn_finished");
    assert_eq!(last["data"]["reason"], "stopped");
    assert_eq!(last["data"]["failure"]["code"], "ENGINE_ABORTED");
    let run = sandbox.run_id();
    let shown = sandbox.run(&["runs", "show", &run, "--json"]).exits(0).json();
    assert_eq!(shown["run"]["phase"], "waiting-user");
    assert_eq!(shown["run"]["reason"], "stopped");
    resumes(&sandbox);
}

/// A server that takes connections and says nothing, and one that tells when the first one came.
fn silent_server() -> (String, std::sync::mpsc::Receiver<()>) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    let (sender, connected) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut held = Vec::new();
        for stream in listener.incoming() {
            held.push(stream);
            _ = sender.send(());
        }
    });
    (base_url, connected)
}

#[test]
fn ctrl_c_while_the_server_is_asked_how_much_its_model_reads_keeps_the_words() {
    let sandbox = Sandbox::new();
    let (base_url, connected) = silent_server();
    let model = ["--base-url", &base_url, "--model", "m", "--json"];
    let begin = ["run", "hello-branch", "--input", "Begin with the list."];
    let running = sandbox.start(&[&begin[..], &model].concat());
    connected.recv().unwrap();
    running.signal("INT");
    assert_eq!(running.end().1, Some(130));
    let run = sandbox.run_id();
    let say = ["say", &run, "And now the rest."];
    let (base_url, connected) = silent_server();
    let model = ["--base-url", &base_url, "--model", "m", "--json"];
    let running = sandbox.start(&[&say[..], &model].concat());
    connected.recv().unwrap();
    running.signal("INT");
    assert_eq!(running.end().1, Some(130));
    let shown = sandbox.run(&["runs", "show", &run, "--json"]).exits(0).json();
    assert_eq!(shown["run"]["reason"], "stopped", "{shown:#}");
    let said = sandbox.run(&["conversations", "show", &run, "--json"]).exits(0).json().to_string();
    assert!(said.contains("Begin with the list.") && said.contains("And now the rest."), "{said}");
}

#[test]
fn a_second_ctrl_c_ends_the_process_while_the_first_still_waits() {
    let (sandbox, server) = (Sandbox::new(), stalling_server());
    let mut running = stalled(&sandbox, &server);
    // The line that says "stopped" cannot be written now, so stopping takes long.
    let db = sandbox.database();
    db.execute_batch("BEGIN IMMEDIATE").unwrap();
    running.signal("INT");
    assert!(running.note().contains("press Ctrl-C again"));
    running.signal("INT");
    assert_eq!(running.end(), (vec![], Some(130)));
    db.execute_batch("ROLLBACK").unwrap();
    resumes(&sandbox);
}

#[test]
fn a_second_process_on_the_same_run_is_told_who_has_it() {
    let (sandbox, server) = (Sandbox::new(), stalling_server());
    let running = stalled(&sandbox, &server);
    let run = sandbox.run_id();
    let conversation = format!("run-{run}");
    let commands: [&[&str]; 3] = [
        &["runs", "resume", &run, "--json"],
        &["runs", "resume", &run, "--input", "hello", "--json"],
        &["say", &conversation, "hello", "--json"],
    ];
    for command in commands {
        let error = sandbox.run(command).exits(7).error("RUN_BUSY");
        assert_eq!(error["details"]["holder"], "cli", "{error:#}");
        assert!(error["details"]["pid"].is_u64(), "{error:#}");
    }
    let list = sandbox.run(&["package", "list", "--json"]).exits(0).json();
    let package = list[0]["packageId"].as_str().unwrap().to_owned();
    sandbox.run(&["package", "remove", &package, "--json"]).exits(7).error("PACKAGE_IN_USE");
    // Looking is always allowed.
    let shown = sandbox.run(&["runs", "show", &run, "--json"]).exits(0).json();
    assert_eq!(shown["run"]["phase"], "running");
    let listed = sandbox.run(&["runs", "list", "--json"]).exits(0).json();
    assert_eq!(listed[0]["phase"], "running");
    running.signal("KILL");
    assert_eq!(running.end().1, None);
    let listed = sandbox.run(&["runs", "list", "--json"]).exits(0).json();
    assert_eq!(listed[0]["reason"], "interrupted", "{listed:#}");
    resumes(&sandbox);
}

#[test]
fn stop_from_another_process_ends_the_turn_there() {
    let (sandbox, server) = (Sandbox::new(), stalling_server());
    let running = stalled(&sandbox, &server);
    let run = sandbox.run_id();
    let stopped = sandbox.run(&["stop", &run, "--json"]).exits(0).json();
    assert_eq!(stopped["run"]["phase"], "waiting-user", "{stopped:#}");
    assert_eq!(stopped["run"]["reason"], "stopped");
    assert_eq!(sandbox.rows("leases"), 0, "it returns when the work has ended");
    let (lines, code) = running.end();
    assert_eq!(code, Some(130));
    let last = lines.last().unwrap();
    assert_eq!(
        (&last["event"], &last["data"]["reason"]),
        (&json!("turn_finished"), &json!("stopped"))
    );
    let replies = |e: &&Value| e["event"] == "model_failed";
    assert_eq!(lines.iter().filter(replies).count(), 1, "what was written by then is kept");
    resumes(&sandbox);
}

#[test]
fn stop_is_seen_while_a_request_waits_to_be_tried_again() {
    let sandbox = Sandbox::new();
    let busy = Fault::Status { status: 429, retry_after: Some(60), body: String::new() };
    let server = Server::faulty(vec![Fault::None, busy]);
    let running = stalled(&sandbox, &server);
    sandbox.run(&["stop", &sandbox.run_id(), "--json"]).exits(0);
    assert_eq!(running.end().1, Some(130));
    resumes(&sandbox);
}

#[test]
fn stopping_what_nobody_works_on_says_so_and_is_no_error() {
    let (sandbox, server) = (Sandbox::new(), stalling_server());
    let mut running = stalled(&sandbox, &server);
    running.kill();
    running.end();
    let run = sandbox.run_id();
    let dead = sandbox.run(&["stop", &run]).exits(0);
    assert!(dead.stderr.contains("Nobody works on this run"), "{dead:#?}");
    let shown = sandbox.run(&["runs", "show", &run, "--json"]).exits(0).json();
    assert_eq!(shown["run"]["reason"], "interrupted", "{shown:#}");
    assert_eq!(sandbox.rows("leases"), 0);
    let again = sandbox.run(&["stop", &run, "--lang", "zh"]).exits(0);
    assert!(again.stderr.contains("没有程序在处理这个运行"), "{again:#?}");
    resumes(&sandbox);
    let done = sandbox.run(&["stop", &run, "--json"]).exits(0);
    assert_eq!(done.json()["run"]["phase"], "completed");
}

#[test]
fn a_line_that_cannot_be_written_ends_the_turn_and_is_said() {
    let (sandbox, server) = (Sandbox::new(), Server::slow(1));
    let (package, base_url) = (hello_branch(), server.base_url());
    let answers = sandbox.answers_left();
    let mut running = sandbox.start(&[
        "run",
        &package,
        "--answers",
        &answers,
        "--base-url",
        &base_url,
        "--model",
        "demo",
        "--json",
    ]);
    let mut shown = running.lines(5);
    // Another program keeps the database for itself for longer than anybody waits.
    let db = sandbox.database();
    db.busy_timeout(std::time::Duration::from_secs(5)).unwrap();
    db.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = loop {
        let line = running.line().expect("it ended without a word");
        if line.get("error").is_some() {
            break line["error"].clone();
        }
        shown.push(line);
    };
    db.execute_batch("ROLLBACK").unwrap();
    assert_eq!(error["code"], "STORE_WRITE_FAILED", "{error:#}");
    sandbox.shows_no_real_path(&error.to_string());
    assert_eq!(running.end(), (vec![], Some(4)));
    let last = shown.last().unwrap();
    assert!(sandbox.journal_events().len() as u64 >= last["seq"].as_u64().unwrap());
    resumes(&sandbox);
}
