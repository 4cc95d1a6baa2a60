//! A journal that a newer program wrote to: its events are additive, so the run is still shown
//! and still goes on (spec 06 "What clients see").

use serde_json::json;
use support::program::{Sandbox, hello_branch};

#[test]
fn a_run_with_an_event_of_a_newer_program_is_shown_and_goes_on() {
    let sandbox = Sandbox::new();
    let package = hello_branch();
    sandbox.run(&["run", &package, "--model", "demo", "--input", "A page.", "--json"]).exits(3);
    let run = sandbox.run_id();
    let conversation = format!("run-{run}");
    let db = sandbox.database();
    let next = "SELECT max(next_seq) FROM lines WHERE conversation = ?1";
    let seq: i64 = db.query_row(next, [&conversation], |row| row.get(0)).unwrap();
    let event = json!({ "event": "mood_changed", "data": { "to": "cheerful" } });
    let body = json!({ "v": 1, "seq": seq, "at": "2026-11-22T10:00:00Z", "turn": 2,
        "events": [event], "colour": "of a newer line" });
    let insert = "INSERT INTO lines (conversation, seq, next_seq, at, format, body)
        SELECT conversation, ?2, ?3, at, format, ?4 FROM lines
        WHERE conversation = ?1 AND seq = 1";
    db.execute(insert, (&conversation, seq, seq + 1, body.to_string())).unwrap();
    drop(db);

    let shown = sandbox.run(&["runs", "show", &run, "--json"]).exits(0).json();
    assert_eq!(shown["run"]["phase"], "waiting-user");
    assert_eq!(shown["seq"], seq);
    sandbox.run(&["runs", "resume", &run, "--json"]).exits(0);
    let file = sandbox.path("run.crewrun");
    let file = file.to_string_lossy();
    sandbox.run(&["runs", "export", &run, "-o", &file, "--json"]).exits(0);
    let replayed = sandbox.run(&["runs", "replay", &file, "--json"]);
    assert!(replayed.stdout.contains("mood_changed") || replayed.code == Some(0), "{replayed:#?}");
}
