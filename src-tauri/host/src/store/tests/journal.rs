use std::sync::mpsc::channel;

use futures_util::future::join_all;
use kernel::code::ErrorCode;
use kernel::event::{Phase, Reason};

use super::*;

#[tokio::test]
async fn what_was_appended_is_read_back_unchanged_after_a_restart() {
    let root = root();
    let store = open(&root);
    let id = begin(&store, "r1").await;
    let run = new_run("r1");
    let lines = [started(&run), said(2, "hello"), said(3, "资料 \u{0}🙂")];
    for line in &lines[1..] {
        store.append(&id, line).await.unwrap();
    }
    drop(store);

    let store = open(&root);
    assert_eq!(store.lines(&id, 0).await.unwrap(), lines);
    assert_eq!(store.lines(&id, 3).await.unwrap(), lines[2..]);
    assert_eq!(store.lines(&id, 4).await.unwrap(), []);
}

#[tokio::test]
async fn reading_from_the_middle_of_a_line_begins_with_that_line() {
    let root = root();
    let store = open(&root);
    let id = begin(&store, "r1").await;
    let resumed = json!({ "event": "run_resumed", "data": {} });
    let wide = line(2, &json!([resumed, resumed, resumed]));
    store.append(&id, &wide).await.unwrap();
    store.append(&id, &said(5, "after")).await.unwrap();
    assert_eq!(store.lines(&id, 3).await.unwrap(), [wide, said(5, "after")]);
}

#[tokio::test]
async fn a_line_that_does_not_continue_the_journal_is_refused_and_leaves_nothing() {
    let root = root();
    let store = open(&root);
    let id = begin(&store, "r1").await;
    for seq in [0, 1, 3, 99] {
        let failure = store.append(&id, &said(seq, "x")).await.unwrap_err();
        assert_eq!(failure.code, ErrorCode::StoreWriteFailed);
        let details = failure.details.clone().unwrap();
        assert_eq!((&details["expected"], &details["got"]), (&json!(2), &json!(seq)));
        assert_no_path(&failure, root.path());
    }
    assert_eq!(store.lines(&id, 0).await.unwrap().len(), 1);
    assert_eq!(store.messages(&id, None, 10).await.unwrap().messages, []);
    store.append(&id, &said(2, "fits")).await.unwrap();
}

#[tokio::test]
async fn a_conversation_that_was_never_made_is_an_error_not_an_empty_answer() {
    let root = root();
    let store = open(&root);
    let id: ConversationId = "nobody".parse().unwrap();
    let codes = [
        store.append(&id, &said(1, "x")).await.unwrap_err().code,
        store.lines(&id, 0).await.unwrap_err().code,
        store.messages(&id, None, 10).await.unwrap_err().code,
        store.run_of_conversation(&id).await.unwrap_err().code,
    ];
    assert_eq!(codes, [ErrorCode::ConversationNotFound; 4]);
}

#[tokio::test]
async fn lines_can_be_neither_changed_nor_deleted() {
    let root = root();
    let store = open(&root);
    let id = begin(&store, "r1").await;
    let db = raw(root.path());
    for sql in ["UPDATE lines SET body = 'x'", "UPDATE lines SET seq = 7", "DELETE FROM lines"] {
        let error = db.execute(sql, []).unwrap_err().to_string();
        assert!(error.contains("append-only"), "{sql}: {error}");
    }
    assert_eq!(store.lines(&id, 0).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_run_its_conversation_and_its_first_line_appear_together_or_not_at_all() {
    let root = root();
    let store = open(&root);
    begin(&store, "r1").await;
    // The same run id under another conversation: the run's row fails after the conversation's.
    let mut second = new_run("r1");
    second.conversation_id = "other".parse().unwrap();
    let failure = store.create_run(second.clone(), &started(&second)).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::StoreWriteFailed);
    assert_no_path(&failure, root.path());
    // A first line that cannot be one: it fails after both rows.
    let third = new_run("r3");
    store.create_run(third.clone(), &said(5, "late")).await.unwrap_err();

    assert_eq!(store.all_runs().await.unwrap().len(), 1);
    for gone in [second.conversation_id, third.conversation_id] {
        let code = store.lines(&gone, 0).await.unwrap_err().code;
        assert_eq!(code, ErrorCode::ConversationNotFound);
    }
}

#[tokio::test]
async fn a_line_that_cannot_be_read_is_named() {
    let root = root();
    let store = open(&root);
    let id = begin(&store, "r1").await;
    raw(root.path())
        .execute(
            "INSERT INTO lines (conversation, seq, next_seq, at, format, body)
             VALUES (?1, 2, 3, 0, 1, '{\"half\":')",
            [id.as_str()],
        )
        .unwrap();
    let failure = store.lines(&id, 0).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::StoreReadFailed);
    assert_eq!(failure.details.clone().unwrap(), json!({ "conversation": id, "seq": 2 }));
    assert_no_path(&failure, root.path());
}

#[tokio::test]
async fn a_journal_with_a_missing_line_is_not_read_as_if_it_were_whole() {
    let root = root();
    let store = open(&root);
    let id = begin(&store, "r1").await;
    store.append(&id, &said(2, "a")).await.unwrap();
    store.append(&id, &said(3, "b")).await.unwrap();
    let db = raw(root.path());
    db.execute_batch("DROP TRIGGER lines_are_never_deleted; DELETE FROM lines WHERE seq = 2")
        .unwrap();
    let failure = store.lines(&id, 0).await.unwrap_err();
    assert_eq!(failure.details.unwrap()["seq"], 2);
}

#[tokio::test]
async fn a_run_row_follows_its_journal() {
    let root = root();
    let store = open(&root);
    let id = begin(&store, "r1").await;
    let run = store.run(&"r1".parse().unwrap()).await.unwrap();
    assert_eq!((run.phase, run.reason), (Phase::Running, None));

    let end = json!([{ "event": "turn_finished",
                       "data": { "phase": "completed", "reason": "completed" } }]);
    store.append(&id, &line(2, &end)).await.unwrap();
    let run = store.run(&"r1".parse().unwrap()).await.unwrap();
    assert_eq!((run.phase, run.reason), (Phase::Completed, Some(Reason::Completed)));
    assert_eq!(run.updated_at, line(2, &end).at);
    assert_eq!(run.title, "Main");
}

#[tokio::test]
async fn messages_are_paged_from_the_newest_backwards() {
    let root = root();
    let store = open(&root);
    let id = begin(&store, "r1").await;
    for seq in 2..9 {
        store.append(&id, &said(seq, &format!("text {seq}"))).await.unwrap();
    }
    let newest = store.messages(&id, None, 3).await.unwrap();
    let seqs = |p: &kernel::wire::MessagePage| p.messages.iter().map(|m| m.seq).collect::<Vec<_>>();
    assert_eq!((seqs(&newest), newest.earlier), (vec![6, 7, 8], true));
    let older = store.messages(&id, Some(6), 4).await.unwrap();
    assert_eq!((seqs(&older), older.earlier), (vec![2, 3, 4, 5], false));
    assert_eq!(older.messages[0].content, "text 2");
    assert_eq!(older.messages[0].origin.run_id, Some("r1".parse().unwrap()));
}

#[tokio::test]
async fn an_answer_is_seen_on_the_widget_and_as_a_message_of_the_person() {
    let root = root();
    let store = open(&root);
    let id = begin(&store, "r1").await;
    let widget = json!({ "widgetId": "w", "type": "confirmation", "message": "Sure?" });
    let asked = json!([{ "event": "widget_asked", "data": {
        "messageId": "q1", "callId": "c1", "widget": widget, "changeId": null } }]);
    store.append(&id, &line(2, &asked)).await.unwrap();
    let before = store.messages(&id, None, 10).await.unwrap().messages;
    assert_eq!(before[0].widget.as_ref().unwrap()["submitted"], false);

    let answered = json!([{ "event": "widget_answered", "data": {
        "messageId": "a1", "widgetMessageId": "q1", "widgetId": "w", "kind": "confirmation",
        "value": { "confirmed": true }, "confirms": null, "forNodeId": null } }]);
    store.append(&id, &line(3, &answered)).await.unwrap();
    let after = store.messages(&id, None, 10).await.unwrap().messages;
    let shown = after[0].widget.as_ref().unwrap();
    assert_eq!(shown["submitted"], true);
    assert_eq!(shown["submittedValue"], json!({ "confirmed": true }));
    assert_eq!((after[1].role.as_str(), after[1].id.as_str()), ("user", "a1"));
    assert!(after[1].content.starts_with("WIDGET_SUBMIT\n{"), "{}", after[1].content);
}

/// Keeps the writer busy until the returned sender is dropped.
fn hold(store: &RuntimeStore) -> std::sync::mpsc::Sender<()> {
    let (go, wait) = channel::<()>();
    let wait = std::sync::Mutex::new(wait);
    drop(store.inner.writer.submit(move |_| {
        let _ = wait.lock().unwrap().recv();
        Ok(())
    }));
    go
}

#[tokio::test]
async fn a_hundred_waiting_appends_share_few_commits_and_one_failure_stays_alone() {
    let root = root();
    let store = open(&root);
    let mut ids = Vec::new();
    for n in 0..100 {
        ids.push(begin(&store, &format!("r{n}")).await);
    }
    let before = store.commits();
    let go = hold(&store);
    let appends = ids.iter().enumerate().map(|(n, id)| {
        // One in the middle does not continue its journal.
        let line = said(if n == 50 { 9 } else { 2 }, "at once");
        let store = &store;
        async move { store.append(id, &line).await }
    });
    let release = async {
        // Polled after the appends: all of them wait by now.
        drop(go);
    };
    let (results, ()) = tokio::join!(join_all(appends), release);
    let failed: Vec<usize> = (0..100).filter(|n| results[*n].is_err()).collect();
    assert_eq!(failed, [50]);
    let commits = store.commits() - before;
    assert!(commits <= 3, "{commits} commits for 100 appends");
    for (n, id) in ids.iter().enumerate() {
        let lines = store.lines(id, 0).await.unwrap().len();
        assert_eq!(lines, if n == 50 { 1 } else { 2 });
    }
}

/// The speed of an append is the number of pages that it makes durable: what it may cost is said
/// here in pages, so that no clock is asked.
#[tokio::test]
async fn an_append_writes_the_pages_of_its_line_its_message_and_its_conversation() {
    let root = root();
    let store = open(&root);
    let id = begin(&store, "r1").await;
    let log = root.path().join("store.db-wal");
    // A frame of the log is a page and its head.
    let frames = || (std::fs::metadata(&log).unwrap().len() - 32) / (4096 + 24);
    let mut written = Vec::new();
    for seq in 2..42 {
        let before = frames();
        store.append(&id, &said(seq, "a few plain words")).await.unwrap();
        written.push(frames() - before);
    }
    written.sort_unstable();
    // Two for the line (its row, its place in order), one each for the others. A page that is
    // full now and then takes more, and so does the index when the machine pauses.
    assert_eq!(written[written.len() / 2], 4, "{written:?}");
}

/// Opening a conversation may fail while its journal is being read.
#[test]
fn a_journal_is_not_read_on_when_nobody_waits_for_it() {
    let root = root();
    let id = tokio::runtime::Runtime::new().unwrap().block_on(begin(&open(&root), "r1"));
    let db = raw(root.path());
    db.execute(
        "INSERT INTO lines (conversation, seq, next_seq, at, format, body)
         VALUES (?1, 2, 3, 0, 1, '{\"half\":')",
        [id.as_str()],
    )
    .unwrap();
    let (sender, pieces) = tokio::sync::mpsc::channel(8);
    let (_folded, dropped) = channel();
    let failure = recalling::read(&db, &id, &sender, &dropped).unwrap_err();
    assert_eq!(failure.code, ErrorCode::StoreReadFailed, "up to the line that cannot be read");
    drop(pieces);
    assert_eq!(recalling::read(&db, &id, &sender, &dropped), Ok(()), "it stops before that line");
}
