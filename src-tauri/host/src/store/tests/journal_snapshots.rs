use kernel::journal_snapshot::{self, JournalSnapshot};
use kernel::wire::{Item, ItemBody};
use rusqlite::params;

use super::*;

/// A conversation of `lines` lines, and its items when they are folded in one go.
async fn long(store: &RuntimeStore, lines: u64) -> (ConversationId, Vec<Item>) {
    let id = begin(store, "long").await;
    let more = (2..=lines).map(|seq| said(seq, &format!("text {seq}"))).collect::<Vec<_>>();
    store.append_all(&id, more).await.unwrap();
    let items = folded(&store.lines(&id, 0).await.unwrap());
    (id, items)
}

fn folded(lines: &[Line]) -> Vec<Item> {
    let (mut snapshot, mut page) = (JournalSnapshot::default(), journal_snapshot::Page::new(0));
    for line in lines {
        page.take(snapshot.apply(line));
    }
    page.into_items()
}

/// Every page from the last one back to the first.
async fn pages(store: &RuntimeStore, id: &ConversationId) -> Vec<Vec<Item>> {
    let last = store.last_page(id, None).await.unwrap().page;
    let (mut pages, mut earlier) = (vec![last.items], last.earlier);
    while let Some(before) = earlier {
        let page = store.page_before(id, before).await.unwrap();
        assert!(page.earlier.is_none_or(|earlier| earlier < before));
        earlier = page.earlier;
        pages.push(page.items);
    }
    pages.reverse();
    pages
}

/// Where snapshots stand. What was submitted before is written by then.
async fn kept(store: &RuntimeStore, root: &Path) -> Vec<u64> {
    store.settle().await.unwrap();
    let db = raw(root);
    let mut select = db.prepare("SELECT seq FROM folds ORDER BY seq").unwrap();
    let seqs = select.query_map([], |row| row.get(0).map(super::super::sql::uint)).unwrap();
    seqs.collect::<Result<_, _>>().unwrap()
}

#[tokio::test]
async fn a_long_journal_without_snapshots_gets_them_when_it_is_first_read() {
    let root = root();
    let store = open(&root);
    let (id, items) = long(&store, 2_000).await;
    assert!(kept(&store, root.path()).await.is_empty());

    let first = store.last_page(&id, None).await.unwrap();
    let made = kept(&store, root.path()).await;
    assert_eq!(made, (1..=7).map(|n| n * journal_snapshot::LINES + 1).collect::<Vec<_>>());
    assert_eq!(first.page.earlier, Some(made[5]), "back to the last snapshot but one");
    assert_eq!(first.snapshot.seq(), 2_001);

    let commits = store.commits();
    let again = store.last_page(&id, None).await.unwrap();
    assert_eq!((&again.page, &again.snapshot), (&first.page, &first.snapshot));
    assert_eq!(pages(&store, &id).await.concat(), items);
    assert_eq!(store.commits(), commits, "nothing was made twice");
}

#[tokio::test]
async fn a_page_is_never_tiny_and_never_long() {
    let root = root();
    let store = open(&root);
    let id = begin(&store, "r1").await;
    let lines = usize::try_from(journal_snapshot::LINES).unwrap();
    for seq in 2..1_200 {
        store.append(&id, &said(seq, "text")).await.unwrap();
        if seq % 100 == 0 {
            let page = store.last_page(&id, None).await.unwrap().page;
            let all = usize::try_from(seq).unwrap();
            assert!(page.items.len() >= all.min(lines), "{} of {seq}", page.items.len());
            assert!(page.items.len() <= 2 * lines, "{} of {seq}", page.items.len());
        }
    }
}

#[tokio::test]
async fn a_snapshot_that_cannot_be_read_is_made_anew() {
    let root = root();
    let store = open(&root);
    let (id, items) = long(&store, 1_500).await;
    store.last_page(&id, None).await.unwrap();
    let made = kept(&store, root.path()).await;
    for (column, value) in [("format", "0"), ("body", "{}"), ("body", "no JSON"), ("body", "")] {
        let db = raw(root.path());
        db.execute(&format!("UPDATE folds SET {column} = ?1"), params![value]).unwrap();
        assert_eq!(pages(&store, &id).await.concat(), items, "{column} {value}");
        assert_eq!(kept(&store, root.path()).await, made, "{column} {value}");
        let broken = "SELECT count(*) FROM folds WHERE format <> ?1 OR length(body) < 10";
        let broken: i64 =
            db.query_row(broken, [journal_snapshot::FORMAT], |row| row.get(0)).unwrap();
        assert_eq!(broken, 0, "{column} {value}");
    }
}

#[tokio::test]
async fn a_question_shows_the_answer_it_got_pages_later() {
    let root = root();
    let store = open(&root);
    let id = begin(&store, "r1").await;
    let asked = line(
        2,
        &json!([{ "event": "widget_asked", "data": {
            "messageId": "q", "callId": "c1", "changeId": null,
            "widget": { "widgetId": "w", "type": "confirmation", "message": "Sure?" } } }]),
    );
    store.append(&id, &asked).await.unwrap();
    let rest = (3..1_000).map(|seq| said(seq, "text")).collect::<Vec<_>>();
    store.append_all(&id, rest).await.unwrap();
    let question = |pages: Vec<Vec<Item>>| {
        let item = pages[0].iter().find(|item| item.id.as_str() == "q").cloned().unwrap();
        let ItemBody::Question { answer, .. } = item.body else { panic!("no question") };
        answer
    };
    assert_eq!(question(pages(&store, &id).await), None);

    let answered = line(
        1_000,
        &json!([{ "event": "widget_answered", "data": {
            "messageId": "a", "widgetMessageId": "q", "widgetId": "w", "kind": "confirmation",
            "value": { "confirmed": true }, "confirms": null, "forNodeId": null } }]),
    );
    store.append(&id, &answered).await.unwrap();
    assert_eq!(question(pages(&store, &id).await), Some(json!({ "confirmed": true })));
    let all = pages(&store, &id).await.concat();
    assert_eq!(all, folded(&store.lines(&id, 0).await.unwrap()), "once, and in its place");
}

#[tokio::test]
async fn a_question_that_was_passed_over_by_going_back_is_closed_pages_later() {
    let root = root();
    let store = open(&root);
    let id = begin(&store, "r1").await;
    let asked = |seq: u64, id: &str| {
        let widget = json!({ "widgetId": "w", "type": "confirmation", "message": "Sure?" });
        let data = json!({ "messageId": id, "callId": "c1", "changeId": null, "widget": widget });
        line(seq, &json!([{ "event": "widget_asked", "data": data }]))
    };
    store.append(&id, &asked(2, "q")).await.unwrap();
    let ended = json!({ "callId": "c", "from": "n", "nodeId": "n", "title": "N", "again": ["n"] });
    let ended = line(3, &json!([{ "event": "rewind_ended", "data": ended }]));
    store.append(&id, &ended).await.unwrap();
    // This one is asked after it, and can still be answered.
    store.append(&id, &asked(4, "later")).await.unwrap();
    let rest = (5..1_000).map(|seq| said(seq, "text")).collect::<Vec<_>>();
    store.append_all(&id, rest).await.unwrap();
    let pages = pages(&store, &id).await;
    let closed = |question: &str| {
        let item = pages[0].iter().find(|item| item.id.as_str() == question).unwrap();
        let ItemBody::Question { closed, .. } = item.body else { panic!("no question") };
        closed
    };
    assert_eq!((closed("q"), closed("later")), (true, false));
    assert_eq!(pages.concat(), folded(&store.lines(&id, 0).await.unwrap()));
}

#[tokio::test]
async fn a_page_up_to_a_line_knows_nothing_of_later_ones() {
    let root = root();
    let store = open(&root);
    let (id, items) = long(&store, 900).await;
    let last = store.last_page(&id, Some(700)).await.unwrap();
    assert_eq!(last.snapshot.seq(), 700);
    assert_eq!(last.page.items.last(), items.iter().find(|item| item.seq == 699));
    // A conversation with one line, and none at all.
    let short = begin(&store, "short").await;
    assert_eq!(store.last_page(&short, None).await.unwrap().page.items.len(), 1);
    let gone = "nobody".parse().unwrap();
    let code = store.last_page(&gone, None).await.unwrap_err().code;
    assert_eq!(code, kernel::code::ErrorCode::ConversationNotFound);
}
