//! What the host keeps for whoever looks, and lets go of when they are gone.

use kernel::bounds::MESSAGES_PER_PAGE;
use kernel::command::{Command, RecordQuery};
use kernel::wire::{Answer, WatchTarget};
use serde_json::json;
use std::time::Duration;

use super::{Host, HostOptions, ModelChoice};
use crate::store::tests::{begin, line, open, root};

/// Longer than anything here takes; a test that waits for it has failed.
const PATIENCE: Duration = Duration::from_secs(30);

/// Waits until it holds: tasks and threads of others end without telling.
async fn comes_true(what: &str, mut holds: impl FnMut() -> bool) {
    let wait = async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, wait).await.unwrap_or_else(|_| panic!("{what}"));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_goes_is_forgotten_and_nothing_is_watched_for_them_any_more() {
    let temp = tempfile::tempdir().unwrap();
    let mut options = HostOptions::new(temp.path().join("store"), "cli");
    options.model = ModelChoice::Demo;
    let host = Host::open(options).await.unwrap();
    let path = Some(temp.path().join("project").to_str().unwrap().to_owned());
    let play = Command::PlayDemo { path, package: Some("hello-linear".into()) };
    let begun = host.submit(play).await.unwrap();
    let (project_id, conversation) = (begun.project_id.unwrap(), begun.conversation_id.unwrap());
    let watchers = || host.sessions.watchers().count(&conversation);
    assert_eq!((host.observe.watched_roots(), watchers()), (0, 0));

    let frames = host.watch(&conversation).await.unwrap();
    let files = host.notice(WatchTarget::Project { project_id }).await.unwrap();
    let app = host.notice(WatchTarget::App).await.unwrap();
    let log = host.notice(WatchTarget::Log { conversation_id: None }).await.unwrap();
    comes_true("three roots are watched", || host.observe.watched_roots() == 3).await;
    assert_eq!(watchers(), 1);

    drop((frames, files, app, log));
    comes_true("the watching ends", || host.observe.watched_roots() == 0).await;
    comes_true("the watcher is forgotten", || watchers() == 0).await;
    host.close().await;
}

#[tokio::test]
async fn a_page_of_messages_holds_one_at_least_and_a_thousand_at_most_whoever_asks() {
    let root = root();
    let store = open(&root);
    let id = begin(&store, "r1").await;
    let said = |n| {
        json!({ "event": "user_said",
                "data": { "messageId": format!("m{n}"), "text": "x", "forNodeId": null } })
    };
    let all = MESSAGES_PER_PAGE + 7;
    let events: Vec<_> = (0..all).map(said).collect();
    store.append(&id, &line(2, &json!(events))).await.unwrap();
    let host = Host::on(store, HostOptions::new(root.path(), "cli")).await.unwrap();
    let count = async |page, limit| {
        let conversation_id = id.clone();
        let query = RecordQuery::Messages { conversation_id, page, before: None, limit };
        match host.query(query.into()).await.unwrap() {
            Answer::Messages(page) => (page.messages.len(), page.earlier),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(count(None, u32::MAX).await, (1_000, true));
    assert_eq!(count(Some(2), u32::MAX).await, (7, false));
    assert_eq!(count(None, 0).await, (1, true));
    assert_eq!(count(None, 20).await, (20, true));
    host.close().await;
}
