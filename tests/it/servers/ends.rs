//! Nothing of a server is left behind, however often and whenever it is started and ended; and what a
//! conversation says of a call that was cut short.

use kernel::command::{ServerCommand, SessionCommand};
use serde_json::json;
use std::time::Duration;

use super::{Place, call, hostile, installed, text};

/// The processes below this one whose command names a text.
fn named_so(text: &str) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        let command = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if String::from_utf8_lossy(&command).replace('\0', " ").contains(text) {
            found.push(id);
        }
    }
    found
}

async fn none_left(text: &str) {
    for _ in 0..100 {
        if named_so(text).is_empty() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("left behind: {:?}", named_so(text));
}

/// A hundred times: begun, and ended at another moment each time.
#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_servers_that_are_ended_at_any_moment_leave_nothing_behind() {
    let place = Place::with(&[]).await;
    let sign = format!("sign-{}", std::process::id());
    place.add("s", &hostile(), &["good", &sign]).await;
    for round in 0..100_u64 {
        let stop = async {
            tokio::time::sleep(Duration::from_micros(round * 150)).await;
            let stop = ServerCommand::StopTest { name: super::named("s") };
            place.servers(stop).await.unwrap();
        };
        // It may have been faster than the stop.
        let (_tested, ()) = tokio::join!(place.test("s"), stop);
    }
    none_left(&sign).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_in_a_call_is_told_and_started_again() {
    let slow =
        call("mcp__s__trigger-long-running-operation", &json!({ "duration": 30, "steps": 30 }));
    let sum = call("mcp__s__get-sum", &json!({ "a": 2, "b": 3 }));
    let place = Place::with(&[slow, text("It died."), sum, text("Five.")]).await;
    let program = installed("node_modules/@modelcontextprotocol/server-everything/dist/index.js");
    let sign = format!("sign-{}-k", std::process::id());
    place.add("s", "node", &[&program, "stdio", &sign]).await;
    place.trust("s").await;
    let chat = place.begin("Take your time.").await;
    chat.is_at_work("the operation").await;
    let ids = loop {
        let ids = named_so(&sign);
        if !ids.is_empty() {
            break ids;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    tokio::time::sleep(Duration::from_millis(700)).await;
    for id in ids {
        let killed = std::process::Command::new("kill").args(["-9", &id.to_string()]).status();
        assert!(killed.unwrap().success());
    }
    chat.rests().await;
    assert_eq!(chat.code().await, "E_MCP_ENDED");
    chat.say("Then add.").await;
    let ended = chat.ended().await;
    assert!(ended[1].ok, "{:?}", ended[1].result);
    place.host.close().await;
    none_left(&sign).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_ends_in_a_call_finds_it_may_have_run() {
    let replies = [call("mcp__s__echo", &json!({ "text": "x" })), text("I see.")];
    let mut place = Place::with(&replies).await;
    place.add_hostile(&["hangs-but-makes-progress"]).await;
    place.trust("s").await;
    let chat = place.begin("Say it.").await;
    chat.is_at_work("the call").await;
    let id = chat.id.clone();
    place.host.close().await;
    place.host = super::open(place.folder.path(), &place.model).await;
    let chat = super::Chat { place: &place, id };
    chat.tell(SessionCommand::Resume).await.unwrap();
    chat.rests().await;
    let ended = chat.ended().await;
    assert_eq!(ended[0].result["error"]["code"], "E_INTERRUPTED", "{:?}", ended[0].result);
    assert_eq!(ended[0].result["error"]["details"]["mayHaveRun"], true);
}
