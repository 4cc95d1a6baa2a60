//! Two real processes on one store: the test binary starts itself again.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use kernel::code::ErrorCode;

use super::super::Holder;
use super::*;

const ROOT: &str = "STORE_TEST_ROOT";
const TASK: &str = "STORE_TEST_TASK";
const LINES: u64 = 60;

fn child(task: &str, root: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["store::tests::processes::child_of_the_tests_beside", "--exact", "--ignored"])
        .env(ROOT, root)
        .env(TASK, task)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

async fn write_journal(store: &RuntimeStore, run: &str) {
    let id = begin(store, run).await;
    for seq in 2..=LINES {
        store.append(&id, &said(seq, &format!("{run} {seq}"))).await.unwrap();
    }
}

/// Does nothing unless one of the tests below started it.
#[tokio::test]
#[ignore = "the child process of the tests below"]
async fn child_of_the_tests_beside() {
    let (Ok(root), Ok(task)) = (std::env::var(ROOT), std::env::var(TASK)) else { return };
    let store = RuntimeStore::open(Path::new(&root)).unwrap();
    match task.as_str() {
        "die holding a lease" => {
            let id = begin(&store, "r1").await;
            let lease = store.acquire(&id, Holder::this_process("cli")).await.unwrap();
            std::mem::forget(lease);
            // As a crash does: nothing is released, nothing is closed.
            std::process::exit(0);
        }
        "hold a lease until killed" => {
            let id = begin(&store, "r1").await;
            let _lease = store.acquire(&id, Holder::this_process("cli")).await.unwrap();
            writeln!(std::io::stdout(), "holding").unwrap();
            std::future::pending::<()>().await;
        }
        "write until killed" => {
            let id = begin(&store, "r1").await;
            for seq in 2.. {
                store.append(&id, &said(seq, "acknowledged")).await.unwrap();
                // Past the test runner, which would keep it back.
                writeln!(std::io::stdout(), "written {seq}").unwrap();
            }
        }
        run => write_journal(&store, run).await,
    }
}

#[tokio::test]
async fn two_processes_write_side_by_side_without_harm() {
    let root = root();
    let store = open(&root);
    let mut other = child("theirs", root.path());
    write_journal(&store, "ours").await;
    assert!(other.wait().unwrap().success());
    for run in ["ours", "theirs"] {
        let id = ConversationId::of_run(&run.parse().unwrap());
        let lines = store.lines(&id, 0).await.unwrap();
        assert_eq!(lines.len() as u64, LINES);
        assert_eq!(lines.last().unwrap(), &said(LINES, &format!("{run} {LINES}")));
    }
    let verdict: String =
        raw(root.path()).query_row("PRAGMA integrity_check", [], |r| r.get(0)).unwrap();
    assert_eq!(verdict, "ok");
}

#[tokio::test]
async fn two_stores_on_one_conversation_never_both_write_the_same_line() {
    let root = root();
    let (one, two) = (open(&root), open(&root));
    let id = begin(&one, "r1").await;
    for seq in 2..30 {
        let (a, b) = (said(seq, "one"), said(seq, "two"));
        let (a, b) = tokio::join!(one.append(&id, &a), two.append(&id, &b));
        let loser = match (a, b) {
            (Ok(()), Err(f)) | (Err(f), Ok(())) => f,
            other => panic!("exactly one may win: {other:?}"),
        };
        assert_eq!(loser.code, ErrorCode::StoreWriteFailed);
    }
    assert_eq!(one.lines(&id, 0).await.unwrap().len(), 29);
}

#[tokio::test]
async fn the_lease_of_a_process_that_died_is_taken_over_and_its_run_was_interrupted() {
    let root = root();
    assert!(child("die holding a lease", root.path()).wait().unwrap().success());
    let store = open(&root);
    let id: ConversationId = "run-r1".parse().unwrap();
    let leases = || -> i64 {
        raw(root.path()).query_row("SELECT count(*) FROM leases", [], |r| r.get(0)).unwrap()
    };
    assert_eq!(leases(), 1, "it died without releasing");
    drop(store.acquire(&id, Holder::this_process("window")).await.unwrap());
    assert_eq!(store.recover().await.unwrap(), 1);
    assert_eq!(leases(), 0);
}

#[cfg(unix)]
#[tokio::test]
async fn a_process_that_is_stopped_keeps_its_lease_until_it_is_killed() {
    use rustix::process::{Pid, Signal, kill_process};
    let root = root();
    let mut holder = child("hold a lease until killed", root.path());
    let mut out = BufReader::new(holder.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(out.any(|text| text.ends_with("holding")));
    kill_process(Pid::from_child(&holder), Signal::STOP).unwrap();
    let store = open(&root);
    let id: ConversationId = "run-r1".parse().unwrap();
    // As after far more than any time a heartbeat could be late.
    raw(root.path()).execute("UPDATE leases SET heartbeat_at = 0", []).unwrap();
    let failure = store.acquire(&id, Holder::this_process("window")).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::RunBusy);
    assert_eq!(store.recover().await.unwrap(), 0, "nobody takes its run for interrupted");
    holder.kill().unwrap();
    holder.wait().unwrap();
    drop(store.acquire(&id, Holder::this_process("window")).await.unwrap());
}

#[tokio::test]
async fn every_line_that_was_acknowledged_survives_a_kill_in_the_middle() {
    let root = root();
    let mut writing = child("write until killed", root.path());
    let mut out = BufReader::new(writing.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut acknowledged = 0;
    while acknowledged < 40 {
        let text = out.next().expect("the child writes until it is killed");
        // The test runner's own words come first, on the same line.
        if let Some((_, seq)) = text.split_once("written ") {
            acknowledged = seq.parse().unwrap();
        }
    }
    writing.kill().unwrap();
    writing.wait().unwrap();
    let last = out.filter_map(|t| t.strip_prefix("written ")?.parse().ok()).last();
    let acknowledged: usize = last.unwrap_or(acknowledged);

    let store = open(&root);
    assert_eq!(store.notices(), []);
    let id: ConversationId = "run-r1".parse().unwrap();
    let lines = store.lines(&id, 0).await.unwrap();
    assert!(lines.len() >= acknowledged, "{} of {acknowledged} lines", lines.len());
    let messages = store.messages(&id, None, u32::MAX).await.unwrap().messages;
    assert_eq!(messages.len(), lines.len() - 1, "derived rows came with their lines");
    assert_eq!(store.recover().await.unwrap(), 1);
}
