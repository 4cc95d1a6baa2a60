//! How far a server is with a call, as it says, while the call goes on.

use kernel::wire::{Frame, ServerProgress};
use serde_json::json;

use super::{Place, call, installed, text};

#[tokio::test(flavor = "multi_thread")]
async fn how_far_a_real_server_is_stands_beside_its_call_until_that_ends() {
    let long =
        call("mcp__s__trigger-long-running-operation", &json!({ "duration": 2, "steps": 4 }));
    let place = Place::with(&[long, text("Done.")]).await;
    let program = installed("node_modules/@modelcontextprotocol/server-everything/dist/index.js");
    place.add("s", "node", &[&program]).await;
    place.trust("s").await;
    let chat = place.begin("Take your time.").await;
    let mut frames = place.host.watch(&chat.id).await.unwrap();
    let mut seen: Vec<ServerProgress> = Vec::new();
    let mut last = None;
    let watched = async {
        while let Some(frame) = frames.recv().await {
            let (Frame::Status { status } | Frame::Snapshot { status, .. }) = frame else {
                continue;
            };
            last.clone_from(&status.server);
            seen.extend(status.server);
            if last.is_none() && !seen.is_empty() {
                return;
            }
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(30), watched).await.expect("it ends");
    let mut percents: Vec<u8> = seen.iter().filter_map(|it| it.percent).collect();
    percents.dedup();
    // A slow machine sees two steps as one.
    assert!(percents.len() >= 2 && percents.is_sorted(), "{percents:?}");
    assert!(percents.iter().all(|percent| percent % 25 == 0), "{percents:?}");
    chat.rests().await;
    assert_eq!(seen[0].call_id, chat.ended().await[0].call_id);
}
