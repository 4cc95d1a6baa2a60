use std::fs;
use std::io::{Read, Seek, SeekFrom, Write};

use kernel::code::ErrorCode;

use super::*;

const PAGE: usize = 4096;

/// A closed store with `runs` runs of 40 lines each.
async fn filled(root: &tempfile::TempDir, runs: usize) -> Vec<ConversationId> {
    let store = open(root);
    let mut ids = Vec::new();
    for n in 0..runs {
        let id = begin(&store, &format!("r{n}")).await;
        for seq in 2..41 {
            store
                .append(&id, &said(seq, &format!("{id} {seq} {}", "x".repeat(300))))
                .await
                .unwrap();
        }
        ids.push(id);
    }
    ids
}

fn overwrite(file: &Path, at: usize, length: usize) {
    let mut file = fs::OpenOptions::new().write(true).open(file).unwrap();
    file.seek(SeekFrom::Start(at as u64)).unwrap();
    file.write_all(&vec![0xAB; length]).unwrap();
}

/// The page of the table `lines` that holds the start of a message's text.
fn page_with(file: &Path, text: &str) -> usize {
    // As it stands in a line's JSON, and nowhere else.
    let text = format!("\"text\":\"{text}");
    let mut bytes = Vec::new();
    fs::File::open(file).unwrap().read_to_end(&mut bytes).unwrap();
    let found = bytes.windows(text.len()).position(|w| w == text.as_bytes()).unwrap();
    found / PAGE
}

#[test]
fn a_newer_store_is_refused_and_left_untouched() {
    let root = root();
    drop(open(&root));
    raw(root.path()).pragma_update(None, "user_version", 99).unwrap();
    let before = fs::read(root.path().join("store.db")).unwrap();
    let failure = RuntimeStore::open(root.path()).unwrap_err();
    assert_eq!(failure.code, ErrorCode::StoreTooNew);
    assert_eq!(failure.action, None, "the way out is the shell's to say: a window has no --store");
    assert_eq!(failure.details.clone().unwrap()["found"], 99);
    let told = serde_json::to_string(&failure).unwrap();
    assert!(!told.contains(root.path().to_str().unwrap()), "{told}");
    assert_eq!(fs::read(root.path().join("store.db")).unwrap(), before);
}

#[tokio::test]
async fn a_file_that_is_no_database_is_kept_aside_and_a_fresh_store_opens() {
    let root = root();
    fs::write(root.path().join("store.db"), "this was never a database, only a note".repeat(99))
        .unwrap();
    let store = open(&root);
    let notice = &store.notices()[0];
    assert_eq!(notice.code, ErrorCode::StoreReadFailed);
    assert_no_path(notice, root.path());
    begin(&store, "r1").await;
    let kept = fs::read_to_string(root.path().join("store.db.corrupt-1")).unwrap();
    assert!(kept.starts_with("this was never a database"));
    drop(store);
    assert_eq!(open(&root).notices(), []);
}

#[tokio::test]
async fn what_is_readable_of_a_damaged_store_is_saved_and_derived_rows_are_made_anew() {
    let root = root();
    let ids = filled(&root, 6).await;
    let file = root.path().join("store.db");
    let page = page_with(&file, "run-r3 20 ");
    overwrite(&file, page * PAGE, PAGE);
    fs::create_dir_all(root.path().join("packages/x")).unwrap();
    let damaged = fs::read(&file).unwrap();

    let store = open(&root);
    let notice = &store.notices()[0];
    assert_no_path(notice, root.path());
    assert_eq!(notice.details.as_ref().unwrap()["kept"], "store.db.corrupt-1");
    assert_eq!(fs::read(root.path().join("store.db.corrupt-1")).unwrap(), damaged);
    assert!(root.path().join("packages/x").is_dir());
    assert_eq!(store.all_runs().await.unwrap().len(), 6);
    let mut whole = 0;
    for id in &ids {
        let lines = store.lines(id, 0).await.unwrap();
        let messages = store.messages(id, None, 1000).await.unwrap().messages;
        assert_eq!(messages.len(), lines.len() - 1, "a message for every line but the first");
        whole += usize::from(lines.len() == 40);
        // And it goes on.
        let next = lines.last().unwrap().next_seq();
        store.append(id, &said(next, "after the repair")).await.unwrap();
    }
    assert!(whole >= 4, "one page holds lines of two runs at most, {whole} are whole");
    assert!(whole < 6, "the damage was real");
}

#[tokio::test]
async fn lost_rows_of_runs_are_made_anew_from_their_first_line() {
    let root = root();
    let ids = filled(&root, 1).await;
    raw(root.path())
        .execute_batch("PRAGMA foreign_keys = OFF; DELETE FROM runs; DELETE FROM conversations;")
        .unwrap();
    let file = root.path().join("store.db");
    super::super::salvage::salvage(&file).unwrap();
    let store = open(&root);
    let run = store.run_of_conversation(&ids[0]).await.unwrap().unwrap();
    assert_eq!((run.run_id.as_str(), run.project_id.as_str()), ("r0", "p1"));
    assert_eq!(store.lines(&ids[0], 0).await.unwrap().len(), 40);
    assert_eq!(store.messages(&ids[0], None, 100).await.unwrap().messages.len(), 39);
}

#[tokio::test]
async fn a_repair_cut_short_after_any_step_is_finished_at_the_next_start() {
    let root = root();
    let ids = filled(&root, 1).await;
    let file = root.path().join("store.db");
    let beside = |suffix: &str| root.path().join(format!("store.db{suffix}"));
    // As after the last step but one: the fresh database is whole, the damaged one still there.
    fs::copy(&file, beside(".salvaged")).unwrap();
    fs::write(&file, "damaged").unwrap();
    let store = open(&root);
    assert_eq!(store.lines(&ids[0], 0).await.unwrap().len(), 40);
    drop(store);
    // As after the move of the damaged one.
    fs::rename(&file, beside(".salvaged")).unwrap();
    let store = open(&root);
    assert_eq!(store.lines(&ids[0], 0).await.unwrap().len(), 40);
    assert_eq!(fs::read_to_string(beside(".corrupt-1")).unwrap(), "damaged");
}

#[tokio::test]
async fn a_damaged_store_is_not_moved_away_under_another_program() {
    let root = root();
    let ids = filled(&root, 1).await;
    let other = open(&root);
    let file = root.path().join("store.db");
    overwrite(&file, page_with(&file, "run-r0 20 ") * PAGE, PAGE);
    let failure = RuntimeStore::open(root.path()).unwrap_err();
    assert_eq!(failure.code, ErrorCode::StoreOpenFailed);
    assert_no_path(&failure, root.path());
    assert!(!root.path().join("store.db.corrupt-1").exists());

    // The one that is open tells of the damage, and marks the store for a check.
    let failure = other.lines(&ids[0], 0).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::StoreReadFailed);
    assert_no_path(&failure, root.path());
    assert!(root.path().join("store.db.suspect").exists());
    drop(other);
    let store = open(&root);
    assert_eq!(store.notices().len(), 1);
    assert!(!root.path().join("store.db.suspect").exists());
}

#[tokio::test]
async fn a_full_disk_fails_the_write_whole_and_it_works_again_with_space() {
    let root = root();
    let store = open(&root);
    let id = begin(&store, "r1").await;
    let limit = |pages: Option<i64>| {
        store.write(move |db| {
            let pages = match pages {
                Some(free) => {
                    db.query_row("PRAGMA page_count", [], |r| r.get::<_, i64>(0)).unwrap() + free
                }
                None => 1_000_000,
            };
            db.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |r| r.get::<_, i64>(0))
                .map(drop)
                .map_err(|e| {
                    super::super::sqlite_error::write_failed(
                        kernel::phrase::store::the_change(),
                        &e,
                    )
                })
        })
    };
    limit(Some(2)).await.unwrap();
    let big = said(2, &"y".repeat(200_000));
    let failure = store.append(&id, &big).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::StoreWriteFailed);
    assert!(failure.message.contains("the disk is full"), "{failure}");
    assert_no_path(&failure, root.path());
    assert_eq!(store.lines(&id, 0).await.unwrap().len(), 1, "nothing half-written");
    assert_eq!(store.messages(&id, None, 10).await.unwrap().messages, []);

    // A small one beside it still fits, also in the same transaction.
    let other = begin(&store, "r2").await;
    let (large, small) =
        tokio::join!(store.append(&id, &big), async { store.append(&other, &said(2, "s")).await });
    assert!(large.is_err());
    small.unwrap();

    limit(None).await.unwrap();
    store.append(&id, &big).await.unwrap();
    assert_eq!(store.lines(&id, 0).await.unwrap(), [started(&new_run("r1")), big]);
}

#[tokio::test]
async fn a_read_only_store_says_so_and_can_still_be_read() {
    let root = root();
    let store = open(&root);
    let id = begin(&store, "r1").await;
    let switched = store.write(|db| {
        db.pragma_update(None, "query_only", true).map_err(|e| {
            super::super::sqlite_error::write_failed(kernel::phrase::store::the_change(), &e)
        })
    });
    switched.await.unwrap();
    let failure = store.append(&id, &said(2, "x")).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::StoreWriteFailed);
    assert!(failure.message.contains("read only"), "{failure}");
    assert_no_path(&failure, root.path());
    assert_eq!(store.lines(&id, 0).await.unwrap().len(), 1);
    drop(store);
    open(&root).append(&id, &said(2, "x")).await.unwrap();
}

#[test]
fn a_root_that_cannot_be_a_folder_is_told_without_its_path() {
    let root = root();
    let file = root.path().join("occupied");
    fs::write(&file, "").unwrap();
    for bad in [file.clone(), file.join("below")] {
        let failure = RuntimeStore::open(&bad).unwrap_err();
        assert_eq!(failure.code, ErrorCode::StoreOpenFailed);
        assert_no_path(&failure, root.path());
    }
    assert_eq!(fs::read(&file).unwrap(), b"");
}

#[cfg(unix)]
#[test]
fn the_folder_made_for_a_store_is_private() {
    use std::os::unix::fs::PermissionsExt;
    let root = root();
    let folder = root.path().join("new/store");
    drop(RuntimeStore::open(&folder).unwrap());
    assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
    assert!(!folder.join("store.db-wal").exists(), "closed in good order");
}
