use std::time::{Duration, Instant};

use kernel::code::ErrorCode;

use super::super::Holder;
use super::*;
use crate::clock::{Clock, SystemClock};

fn window() -> Holder {
    Holder::this_process("window")
}

#[tokio::test]
async fn the_loser_is_told_who_holds_the_run() {
    let root = root();
    let store = open(&root);
    let other = open(&root);
    let id = begin(&store, "r1").await;
    let before = SystemClock.now();
    let lease = store.acquire(&id, window()).await.unwrap();
    for loser in [&store, &other] {
        let failure = loser.acquire(&id, Holder::this_process("cli")).await.unwrap_err();
        assert_eq!(failure.code, ErrorCode::RunBusy);
        let details = failure.details.clone().unwrap();
        assert_eq!(details["holder"], "window");
        assert_eq!(details["pid"], std::process::id());
        let since: Time = details["since"].as_str().unwrap().parse().unwrap();
        assert!(since >= before);
        assert!(failure.message.contains("window"), "{failure}");
        assert_no_path(&failure, root.path());
    }
    lease.release().await.unwrap();
    let lease = other.acquire(&id, window()).await.unwrap();
    assert!(!lease.is_lost());
}

#[tokio::test]
async fn different_conversations_do_not_stand_in_each_others_way() {
    let root = root();
    let store = open(&root);
    let _a = store.acquire(&"a".parse().unwrap(), window()).await.unwrap();
    let _b = store.acquire(&"b".parse().unwrap(), window()).await.unwrap();
}

#[tokio::test]
async fn a_lease_whose_acquirer_stopped_waiting_is_free_again() {
    let root = root();
    let store = open(&root);
    let id: ConversationId = "a".parse().unwrap();
    {
        let taking = store.acquire(&id, window());
        let mut taking = Box::pin(taking);
        // Polled once: the request is queued; then nobody waits for it any more.
        let _ = futures_util::poll!(&mut taking);
    }
    drop(store.acquire(&id, window()).await.unwrap());
}

/// A lease of a store that cannot be asked whether it is alive.
fn insert_foreign(root: &Path, id: &ConversationId, heartbeat: Time) {
    raw(root)
        .execute(
            "INSERT INTO leases VALUES (?1, 't', ?2, 'cli', 1, ?3, ?3, 0)",
            rusqlite::params![id.as_str(), uuid::Uuid::now_v7().to_string(), heartbeat.millis()],
        )
        .unwrap();
}

#[tokio::test]
async fn a_holder_that_cannot_be_asked_lives_by_its_heartbeat() {
    let root = root();
    let store = open(&root);
    let now = SystemClock.now();
    let (fresh, stale) = ("fresh".parse().unwrap(), "stale".parse().unwrap());
    insert_foreign(root.path(), &fresh, now);
    insert_foreign(root.path(), &stale, Time::from_millis(now.millis() - 31_000));
    let failure = store.acquire(&fresh, window()).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::RunBusy);
    drop(store.acquire(&stale, window()).await.unwrap());
}

#[tokio::test]
async fn a_lease_renews_itself_and_notices_when_it_was_taken_over() {
    let root = root();
    let store = open(&root);
    let id: ConversationId = "a".parse().unwrap();
    let every = Duration::from_millis(1);
    let lease = store.acquire_renewing(&id, window(), every).await.unwrap();
    let db = raw(root.path());
    let set = |sql| db.execute(sql, []).unwrap();
    let heartbeat =
        || db.query_row("SELECT heartbeat_at FROM leases", [], |r| r.get::<_, i64>(0)).unwrap();
    set("UPDATE leases SET heartbeat_at = 0");
    until(&store, || heartbeat() > 0).await;
    assert!(!lease.is_lost());

    set("UPDATE leases SET token = 'another'");
    until(&store, || lease.is_lost()).await;
}

/// Goes on doing something real until it holds; fails after a time no test should need.
async fn until(store: &RuntimeStore, holds: impl Fn() -> bool) {
    let waiting = async {
        while !holds() {
            store.projects().await.unwrap();
        }
    };
    tokio::time::timeout(Duration::from_secs(20), waiting).await.expect("it never came true");
}

#[tokio::test]
async fn whoever_works_is_asked_to_stop_from_another_program_and_no_later_work_is() {
    let root = root();
    let (worker, asker) = (open(&root), open(&root));
    let id: ConversationId = "a".parse().unwrap();
    assert!(asker.ask_to_stop(&id).await.unwrap().is_none(), "nobody works on it");

    let lease = worker.acquire(&id, window()).await.unwrap();
    let asked = asker.ask_to_stop(&id).await.unwrap().expect("somebody works on it");
    let begun = Instant::now();
    lease.stop_asked().await;
    assert!(begun.elapsed() < Duration::from_secs(10), "it came at once");
    let busy = asker.has_stopped(&asked, Duration::ZERO).await.unwrap_err();
    assert_eq!(busy.code, ErrorCode::RunBusy);
    lease.release().await.unwrap();
    asker.has_stopped(&asked, Duration::ZERO).await.unwrap();

    let later = worker.acquire(&id, window()).await.unwrap();
    asker.has_stopped(&asked, Duration::ZERO).await.unwrap();
    let told = raw(root.path()).query_row("SELECT stop_asked FROM leases", [], |r| r.get(0));
    assert_eq!(told, Ok(false), "the request died with the work it was for");
    later.release().await.unwrap();
}

#[tokio::test]
async fn a_process_that_died_is_asked_nothing() {
    let root = root();
    let store = open(&root);
    let id: ConversationId = "a".parse().unwrap();
    insert_foreign(root.path(), &id, Time::from_millis(SystemClock.now().millis() - 31_000));
    assert!(store.ask_to_stop(&id).await.unwrap().is_none());
}
