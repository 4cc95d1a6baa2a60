use std::fs;
use std::path::PathBuf;
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
    drop(other.acquire(&id, window()).await.unwrap());
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

/// A lease of an instance that this store has not opened, with a heartbeat as older programs keep
/// one. Returns the instance's lock file.
fn insert_foreign(root: &Path, id: &ConversationId) -> PathBuf {
    let (instance, now) = (uuid::Uuid::now_v7().to_string(), SystemClock.now().millis());
    raw(root)
        .execute(
            "INSERT INTO leases VALUES (?1, 't-' || ?1, ?2, 'cli', 1, ?3, ?3, 0)",
            rusqlite::params![id.as_str(), instance, now],
        )
        .unwrap();
    root.join("locks").join(format!("{instance}.lock"))
}

/// The lock files of all the stores that were opened on `root`; without one that is about to get its
/// name.
fn lock_files(root: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(root.join("locks")).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|file| file.extension().is_some_and(|kind| kind == "lock")).collect()
}

#[tokio::test]
async fn a_holder_without_a_locked_file_is_dead_at_once_whatever_its_heartbeat() {
    let root = root();
    let store = open(&root);
    let (gone, left) = ("gone".parse().unwrap(), "left".parse().unwrap());
    insert_foreign(root.path(), &gone);
    fs::write(insert_foreign(root.path(), &left), "").unwrap();
    for id in [&gone, &left] {
        drop(store.acquire(id, window()).await.unwrap());
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_holder_that_cannot_be_asked_counts_as_alive() {
    let root = root();
    let store = open(&root);
    let id = "a".parse().unwrap();
    let file = insert_foreign(root.path(), &id);
    // A link to itself cannot be opened.
    std::os::unix::fs::symlink(&file, &file).unwrap();
    let failure = store.acquire(&id, window()).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::RunBusy);
    fs::remove_file(file).unwrap();
    drop(store.acquire(&id, window()).await.unwrap());
}

#[tokio::test]
async fn however_long_it_was_still_a_living_holder_keeps_its_lease() {
    let root = root();
    let (worker, other) = (open(&root), open(&root));
    let id = "a".parse().unwrap();
    let lease = worker.acquire(&id, window()).await.unwrap();
    // As after a night's sleep of the machine, or years with a clock that was wrong.
    raw(root.path()).execute("UPDATE leases SET since = 0, heartbeat_at = 0", []).unwrap();
    assert_eq!(other.acquire(&id, window()).await.unwrap_err().code, ErrorCode::RunBusy);
    lease.release().await.unwrap();
    drop(other.acquire(&id, window()).await.unwrap());
}

/// As a backup or another machine brings it back: a file of the same name and content.
fn replace_lock_files(root: &Path) -> Vec<same_file::Handle> {
    let replace = |file: PathBuf| {
        let restored = root.join("restored");
        fs::copy(&file, &restored).unwrap();
        fs::rename(&restored, &file).unwrap();
        same_file::Handle::from_path(file).unwrap()
    };
    lock_files(root).into_iter().map(replace).collect()
}

#[tokio::test]
async fn a_lock_file_that_somebody_replaces_is_put_back() {
    let root = root();
    let (worker, other) = (open(&root), open(&root));
    let id: ConversationId = "a".parse().unwrap();
    replace_lock_files(root.path());
    let lease = worker.acquire(&id, window()).await.unwrap();
    assert_eq!(other.acquire(&id, window()).await.unwrap_err().code, ErrorCode::RunBusy);
    // While it works, too. The other one has no lease and looks at its own file only before it
    // takes one.
    let foreign = replace_lock_files(root.path());
    let of_the_worker = || {
        let now = lock_files(root.path());
        let now = now.into_iter().map(|file| same_file::Handle::from_path(file).unwrap());
        now.filter(|now| !foreign.contains(now)).count() == 1
    };
    until(&worker, of_the_worker).await;
    assert_eq!(other.acquire(&id, window()).await.unwrap_err().code, ErrorCode::RunBusy);
    lease.release().await.unwrap();
    drop(other.acquire(&id, window()).await.unwrap());
}

#[tokio::test]
async fn a_lock_file_that_somebody_deletes_is_put_back() {
    let root = root();
    let (worker, other) = (open(&root), open(&root));
    let delete_all =
        || lock_files(root.path()).into_iter().for_each(|f| fs::remove_file(f).unwrap());
    let busy = async || {
        let failure = other.acquire(&"a".parse().unwrap(), window()).await.unwrap_err();
        assert_eq!(failure.code, ErrorCode::RunBusy);
    };
    delete_all();
    let lease = worker.acquire(&"a".parse().unwrap(), window()).await.unwrap();
    assert_eq!(lock_files(root.path()).len(), 1);
    busy().await;
    // While it works, too; with its folder.
    fs::remove_dir_all(root.path().join("locks")).unwrap();
    until(&worker, || root.path().join("locks").exists() && lock_files(root.path()).len() == 1)
        .await;
    busy().await;
    lease.release().await.unwrap();
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
    insert_foreign(root.path(), &id);
    assert!(store.ask_to_stop(&id).await.unwrap().is_none());
}
