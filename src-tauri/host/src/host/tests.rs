//! What the host keeps for whoever looks, and lets go of when they are gone.

use kernel::bounds::MESSAGES_PER_PAGE;
use kernel::command::{Command, Query, RecordQuery};
use kernel::wire::{Answer, Noticed, WatchTarget};
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::Receiver;

use super::{Host, HostOptions, ModelChoice, OpenedOutside};
use crate::store::tests::{begin, line, open, raw, root, said};

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

async fn next(noticed: &mut Receiver<Noticed>) -> Noticed {
    let next = tokio::time::timeout(PATIENCE, noticed.recv()).await;
    next.expect("nothing was told in time").expect("the feed ended")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lists_are_told_of_when_what_they_show_is_changed_by_another_program() {
    let root = root();
    let other = open(&root);
    let host = Host::on(open(&root), HostOptions::new(root.path(), "window")).await.unwrap();
    let mut noticed = host.notice(WatchTarget::App).await.unwrap();
    let mut second = host.notice(WatchTarget::App).await.unwrap();
    let id = begin(&other, "r1").await;
    assert_eq!((next(&mut noticed).await, next(&mut second).await), (Noticed::Runs, Noticed::Runs));
    // The first words give the conversation its title.
    other.append(&id, &said(2, "A garden")).await.unwrap();
    assert_eq!((next(&mut noticed).await, next(&mut second).await), (Noticed::Runs, Noticed::Runs));
    drop(second);
    other.rename_conversation(&id, "Ripe").await.unwrap();
    assert_eq!(next(&mut noticed).await, Noticed::Runs);
    other.delete_conversations(vec![id]).await.unwrap();
    assert_eq!(next(&mut noticed).await, Noticed::Runs);
    // And when the host did it itself.
    let id = begin(&host.store, "r2").await;
    assert_eq!(next(&mut noticed).await, Noticed::Runs);
    let rename = Command::RenameConversation { conversation_id: id, title: "Red".into() };
    host.submit(rename).await.unwrap();
    assert_eq!(next(&mut noticed).await, Noticed::Runs);
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_of_a_run_that_goes_on_as_before_are_no_news() {
    let root = root();
    let other = open(&root);
    let id = begin(&other, "r1").await;
    other.append(&id, &said(2, "A garden")).await.unwrap();
    let host = Host::on(open(&root), HostOptions::new(root.path(), "window")).await.unwrap();
    let mut noticed = host.notice(WatchTarget::App).await.unwrap();
    // Longer than lines are gathered, so that the lists are looked at between them.
    let (began, mut seq) = (Instant::now(), 3);
    while began.elapsed() < Duration::from_secs(2) {
        other.append(&id, &said(seq, "More")).await.unwrap();
        seq += 1;
    }
    other.rename_conversation(&id, "Ripe").await.unwrap();
    assert_eq!(next(&mut noticed).await, Noticed::Runs);
    let Answer::Conversations(page) = host.query(Query::ActiveConversations).await.unwrap() else {
        panic!("another answer")
    };
    assert_eq!(page.conversations[0].title, "Ripe", "the first word was of the new title");
    assert!(page.conversations[0].message_count > 2);
    // The next word is of the next change: there was one word of the burst and the title.
    host.show(vec![OpenedOutside::Folder("/x".into())]).await;
    assert_eq!(next(&mut noticed).await, Noticed::Folder { path: "/x".into() });
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_follows_the_program_does_not_keep_it() {
    let root = root();
    let host = Host::on(open(&root), HostOptions::new(root.path(), "window")).await.unwrap();
    let noticed = host.notice(WatchTarget::App).await.unwrap();
    let sessions = Arc::downgrade(&host.sessions);
    host.close().await;
    drop(host);
    comes_true("the host is gone", || sessions.strong_count() == 0).await;
    // Somebody writes while the feed still listens.
    begin(&open(&root), "r1").await;
    drop(noticed);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_opens_a_sub_agent_from_outside_is_shown_the_run_that_it_works_for() {
    let root = root();
    let host = Host::on(open(&root), HostOptions::new(root.path(), "window")).await.unwrap();
    let (run, task) = (begin(&host.store, "r1").await, begin(&host.store, "r2").await);
    let sql = "UPDATE conversations SET parent = ?2 WHERE id = ?1";
    raw(root.path()).execute(sql, [task.as_str(), run.as_str()]).unwrap();
    // Its project was forgotten: whoever wants to see the run is told where that was.
    let project = "INSERT INTO projects (id, name, location, last_opened_at, forgotten)
                   VALUES ('p1', 'Garden', '/home/ann/garden', 0, 1)";
    raw(root.path()).execute(project, []).unwrap();
    host.show(vec![OpenedOutside::Conversation(task)]).await;
    let mut noticed = host.notice(WatchTarget::App).await.unwrap();
    let project_id = "p1".parse().unwrap();
    let location = "/home/ann/garden".into();
    let wanted = Noticed::Shown { project_id, location, conversation_id: run };
    assert_eq!(next(&mut noticed).await, wanted);
    host.close().await;
}
