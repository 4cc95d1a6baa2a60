//! Stores of every released format: each opens, is brought to the newest one, and goes on.
//!
//! `UPDATE_STORES=1 cargo test -p crewagent-tests --test crash schema` makes the fixture of the
//! newest format; a released one is never made again.

use rusqlite::Connection;
use serde_json::Value;
use std::path::{Path, PathBuf};

use super::story::{Act, Story, copy};
use support::program::{Sandbox, root};

fn stores() -> PathBuf {
    root().join("tests/fixtures/stores")
}

/// The format this program makes.
fn newest() -> i64 {
    let sandbox = Sandbox::in_memory();
    sandbox.run(&["runs", "list", "--json"]).exits(0);
    version(&sandbox.database())
}

fn version(db: &Connection) -> i64 {
    db.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap()
}

/// One run that is complete, one that waits, one that was killed at work.
fn make(to: &Path) {
    let sandbox = Sandbox::in_memory();
    let demo = root().join("templates/packages/hello-linear").to_string_lossy().into_owned();
    let waiting = super::stories::waiting(&sandbox.path("work"));
    Story::new("waits", vec![Act::Run(waiting)]).play(&sandbox, 1);
    let run = ["run", &demo, "--model", "demo", "--json"];
    // The third file after two state documents: the artifact is written, and no line says so.
    let killed = sandbox.run_with(&run, &[("CREWAGENT_CRASH_AT", "file.after_rename:3")]);
    assert_eq!(killed.code, None, "{killed:#?}");
    sandbox.run(&run).exits(0);
    let db = sandbox.database();
    // Real folders are of the machine it was made on; what was overwritten is vacuumed away.
    db.execute_batch(
        "UPDATE projects SET location = ''; DELETE FROM leases;
         PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE; VACUUM;",
    )
    .unwrap();
    drop(db);
    let store = sandbox.path("store");
    for name in ["packages", "projects"] {
        copy(&store.join(name), &to.join("store").join(name));
    }
    std::fs::copy(store.join("store.db"), to.join("store/store.db")).unwrap();
    copy(&sandbox.project(), &to.join("project"));
    for (name, bytes) in files(to) {
        let text = String::from_utf8_lossy(&bytes);
        sandbox.shows_no_real_path(&text);
        assert!(!text.contains("/home/") && !text.contains("/root/"), "{name} holds a real path");
    }
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            // What a store holds is text, or text in pages.
            found.push((path.to_string_lossy().into_owned(), std::fs::read(&path).unwrap()));
        }
    }
    found
}

#[test]
fn the_newest_format_of_the_store_has_a_fixture() {
    let fixture = stores().join(format!("v{}", newest()));
    if std::env::var_os("UPDATE_STORES").is_some() {
        _ = std::fs::remove_dir_all(&fixture);
        make(&fixture);
    }
    let made = Connection::open(fixture.join("store/store.db")).map(|db| version(&db));
    assert_eq!(made, Ok(newest()), "no {}; see tests/crash/schema.rs", fixture.display());
}

#[test]
fn a_store_of_any_released_format_opens_lists_shows_and_goes_on() {
    let mut seen = 0;
    for entry in std::fs::read_dir(stores()).unwrap().flatten() {
        goes_on(&entry.path());
        seen += 1;
    }
    assert!(seen > 0, "there are no fixtures");
}

fn goes_on(fixture: &Path) {
    let sandbox = Sandbox::in_memory();
    for name in ["store", "project"] {
        copy(&fixture.join(name), &sandbox.path(name));
    }
    let location = sandbox.project().canonicalize().unwrap().to_string_lossy().into_owned();
    sandbox.database().execute("UPDATE projects SET location = ?1", [location]).unwrap();

    let listed = sandbox.run(&["runs", "list", "--json"]).exits(0).json();
    assert_eq!(version(&sandbox.database()), newest(), "{}", fixture.display());
    let reasons = |reason: &str| {
        let found = listed.as_array().unwrap().iter().find(|run| run["reason"] == reason);
        found.unwrap_or_else(|| panic!("no {reason} run: {listed:#}"))["runId"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let (completed, waiting) = (reasons("completed"), reasons("answered"));
    let interrupted = reasons("interrupted");
    for run in [&completed, &waiting, &interrupted] {
        sandbox.run(&["runs", "show", run, "--json"]).exits(0).json();
    }
    let resume = ["runs", "resume", &interrupted, "--model", "demo", "--json"];
    assert_eq!(sandbox.run(&resume).exits(0).finish()["phase"], "completed");
    let say = ["runs", "resume", &waiting, "--input", "Go on.", "--model", "demo", "--json"];
    let events = sandbox.run(&say).exits(3).events();
    assert!(events.iter().any(|event: &Value| event["event"] == "model_replied"), "{events:#?}");
    let intact: String =
        sandbox.database().query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(intact, "ok");
}
