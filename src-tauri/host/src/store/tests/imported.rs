use import_electron::{Messages, OldConversation, OldRun, journal, placed};
use kernel::code::{ErrorCode, Failure};
use serde_json::json;

use super::super::{rows, salvage};
use super::*;

fn at(millis: i64) -> Time {
    Time::from_millis(millis)
}

/// An imported journal of 120 messages with a run that can be read only.
fn imported() -> Vec<Line> {
    let id: ConversationId = "run-r1".parse().unwrap();
    let mut messages = Messages::new(id.clone(), at(1_000));
    for n in 0..120 {
        let role = if n % 2 == 0 { "user" } else { "assistant" };
        messages
            .read(&json!({ "id": format!("m{n}"), "role": role, "content": format!("words {n}"),
            "createdAt": at(2_000 + n).to_string(), "mode": "run", "runId": "r1" }));
    }
    let (messages, problems) = messages.finish();
    assert_eq!(problems, []);
    let old = OldRun::unlisted("r1".parse().unwrap(), at(1_000));
    let gone = Failure::for_model(ErrorCode::PackageNotFound, "its package is gone");
    let missing = Failure::for_model(ErrorCode::StateFileNotFound, "it is missing");
    let run = placed(&old, Err(gone), Err(missing), &messages, "artifacts");
    let old = OldConversation::unlisted(id, at(1_000));
    journal(&old, &"p1".parse().unwrap(), Some(run), messages, at(9_000))
}

#[tokio::test]
async fn an_imported_journal_is_there_whole_and_once() {
    let root = root();
    let store = open(&root);
    let id: ConversationId = "run-r1".parse().unwrap();
    assert!(!store.has_conversation(&id).await.unwrap());
    let before = store.commits();
    assert!(store.import_journal(imported()).await.unwrap());
    assert_eq!(store.commits(), before + 1, "one transaction");
    assert!(!store.import_journal(imported()).await.unwrap());
    assert_eq!(store.lines(&id, 0).await.unwrap(), imported());
    let page = store.messages(&id, None, 500).await.unwrap();
    assert_eq!(page.messages.len(), 120);
    let run = store.run(&"r1".parse().unwrap()).await.unwrap();
    assert_eq!((run.created_at, run.updated_at), (at(1_000), at(2_119)));
}

#[tokio::test]
async fn every_row_of_an_imported_journal_can_be_made_anew_from_its_lines() {
    let root = root();
    let store = open(&root);
    let id: ConversationId = "run-r1".parse().unwrap();
    store.import_journal(imported()).await.unwrap();
    let (run_id, runs) = ("r1".parse().unwrap(), store.all_runs().await.unwrap());
    let page = store.messages(&id, None, 500).await.unwrap();
    let wanted = id.clone();
    store
        .write(move |db| {
            let lines = imported();
            let sql = |e: rusqlite::Error| Failure::for_model(ErrorCode::Internal, e.to_string());
            db.execute("DELETE FROM runs", []).map_err(sql)?;
            db.execute("DELETE FROM messages", []).map_err(sql)?;
            salvage::restore_run(db, &lines).map_err(sql)?;
            rows::rebuild(db, &wanted, &lines).map_err(sql)
        })
        .await
        .unwrap();
    assert_eq!(store.all_runs().await.unwrap(), runs);
    assert_eq!(store.run(&run_id).await.unwrap().phase, runs[0].phase);
    assert_eq!(store.messages(&id, None, 500).await.unwrap(), page);
}

#[tokio::test]
async fn what_does_not_begin_as_an_imported_journal_is_refused() {
    let root = root();
    let store = open(&root);
    let lines = imported().split_off(1);
    assert_eq!(store.import_journal(lines).await.unwrap_err().code, ErrorCode::Internal);
    assert!(!store.has_conversation(&"run-r1".parse().unwrap()).await.unwrap());
}
