//! A real small model on this machine plays the bundled workflows, offered only what each step needs.
//!
//! Skipped unless `CREWAGENT_LOCAL_MODEL` says where it answers: `scripts/local-model install`, then
//! `scripts/local-model serve`, then
//! `CREWAGENT_LOCAL_MODEL=http://127.0.0.1:8080/v1 cargo nextest run -p crewagent-tests --test it -E 'test(local_model)' --no-capture`.

#![expect(clippy::print_stderr, reason = "a skipped test and a figure are told to whoever runs it")]

use serde_json::{Value, json};
use support::program::{Sandbox, root};

/// Runs that reach their end, of [`GOALS`].
const ENOUGH: usize = 8;
/// Times that the person is asked in a run before they give up.
const PATIENCE: usize = 8;

const GOALS: [&str; 10] = [
    "An app that shows when the next bus comes. It is for commuters in Bern.",
    "A web page for a community garden that shows what is ripe, for its forty members.",
    "A reading list for a family with one bookshelf.",
    "A small tool that renames photos by date, for people who travel a lot.",
    "A chore calendar for a shared flat of five students.",
    "A shop page for a bakery, so that customers order bread for the next day.",
    "A sign-up form for a running club in a small town.",
    "A stock list for a village library, for its three volunteers.",
    "A timer that reminds office workers to stand up.",
    "A map of drinking fountains for tourists in Rome.",
];

fn address() -> Option<String> {
    let address = std::env::var("CREWAGENT_LOCAL_MODEL").ok();
    if address.is_none() {
        eprintln!("skipped: CREWAGENT_LOCAL_MODEL does not say where a local model answers");
    }
    address
}

/// What a person would answer.
fn answer(widget: &Value) -> Value {
    match widget["type"].as_str().unwrap() {
        "selection" => json!([widget["options"][0]["value"]]),
        _ => json!({ "confirmed": true }),
    }
}

/// Whether a run of `package` about `goal` comes to its end, with its files.
fn reaches_its_end(address: &str, package: &str, goal: &str) -> bool {
    let sandbox = Sandbox::new();
    for (name, value) in [
        ("model.provider", "llamacpp"),
        ("model.baseUrl", address),
        ("model.model", "local"),
        ("model.tools", "step"),
    ] {
        sandbox.run(&["settings", "set", name, value]).exits(0);
    }
    let folder = root().join("templates/packages").join(package);
    sandbox.run(&["run", &folder.to_string_lossy(), "--input", goal]);
    let run = sandbox.run_id();
    for _ in 0..PATIENCE {
        let snapshot = sandbox.run(&["snapshot", &run, "--json"]).json();
        let status = &snapshot["run"];
        if status["phase"] == "completed" {
            return !sandbox.artifacts().is_empty();
        }
        let widget = &snapshot["widget"];
        if widget.is_null() {
            sandbox.run(&["say", &run, goal]);
        } else {
            let value = answer(&widget["widget"]).to_string();
            sandbox.run(&["answer", &run, "--value", &value]);
        }
    }
    false
}

fn play(package: &str) {
    let Some(address) = address() else { return };
    let ends = GOALS.iter().filter(|goal| {
        let ends = reaches_its_end(&address, package, goal);
        eprintln!("{package} {}: {goal}", if ends { "reached its end" } else { "stopped" });
        ends
    });
    let ends = ends.count();
    eprintln!("{package}: {ends} of {} runs reached their end", GOALS.len());
    assert!(ends >= ENOUGH);
}

#[test]
fn a_small_model_plays_the_linear_workflow_to_its_end() {
    play("hello-linear");
}

#[test]
fn a_small_model_plays_the_branching_workflow_to_its_end() {
    play("hello-branch");
}
