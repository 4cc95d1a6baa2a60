use kernel::bounds::{DRAFT_BYTES, DRAFTS};
use kernel::code::ErrorCode;
use kernel::draft::{Draft, DraftPlace};

use super::*;

fn draft(place: DraftPlace, value: Value, second: i64) -> Draft {
    Draft { place, value, at: Time::from_millis(1_763_769_600_000 + second * 1_000) }
}

fn composer(id: &ConversationId) -> DraftPlace {
    DraftPlace::Composer { conversation_id: id.clone() }
}

fn widget(id: &ConversationId, message: &str) -> DraftPlace {
    DraftPlace::Widget { conversation_id: id.clone(), message_id: message.parse().unwrap() }
}

fn new_run(project: &str) -> DraftPlace {
    DraftPlace::NewRun { project_id: project.parse().unwrap() }
}

async fn values(store: &RuntimeStore) -> Vec<Value> {
    store.drafts().await.unwrap().into_iter().map(|draft| draft.value).collect()
}

fn answered(seq: u64, message: &str) -> Line {
    line(
        seq,
        &json!([{ "event": "widget_answered", "data": {
            "messageId": format!("m{seq}"), "widgetMessageId": message, "widgetId": "w",
            "kind": "form", "value": {}, "confirms": null, "forNodeId": null } }]),
    )
}

#[tokio::test]
async fn drafts_are_kept_by_place_and_are_there_after_a_restart() {
    let root = root();
    let store = open(&root);
    let id = begin(&store, "r1").await;
    for (second, place, value) in [
        (1, composer(&id), json!("Half a sen")),
        (2, widget(&id, "m7"), json!({ "name": "半" })),
        (3, new_run("p1"), json!({ "input": "A page" })),
        (4, composer(&id), json!("Half a sentence")),
    ] {
        store.keep_draft(draft(place, value, second)).await.unwrap();
    }
    drop(store);
    let store = open(&root);
    let kept = store.drafts().await.unwrap();
    assert_eq!(kept[0], draft(composer(&id), json!("Half a sentence"), 4));
    let rest: Vec<&DraftPlace> = kept[1..].iter().map(|d| &d.place).collect();
    assert_eq!(rest, [&new_run("p1"), &widget(&id, "m7")]);
    store.forget_draft(&new_run("p1")).await.unwrap();
    store.forget_draft(&new_run("p1")).await.unwrap();
    assert_eq!(store.drafts().await.unwrap().len(), 2);
}

#[tokio::test]
async fn what_is_sent_is_forgotten_with_its_line_and_nothing_else_is() {
    let root = root();
    let store = open(&root);
    let id = begin(&store, "r1").await;
    store.keep_draft(draft(composer(&id), json!(" Hello \n"), 1)).await.unwrap();
    store.keep_draft(draft(widget(&id, "m7"), json!({}), 2)).await.unwrap();
    store.append(&id, &said(2, "Said at a terminal")).await.unwrap();
    assert_eq!(store.drafts().await.unwrap().len(), 2, "other words were said");
    store.append(&id, &said(3, "Hello")).await.unwrap();
    assert_eq!(values(&store).await, [json!({})]);
    store.append(&id, &answered(4, "m8")).await.unwrap();
    assert_eq!(values(&store).await.len(), 1, "another question was answered");
    store.append(&id, &answered(5, "m7")).await.unwrap();
    assert_eq!(values(&store).await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_draft_goes_with_its_conversation_and_needs_one() {
    let root = root();
    let store = open(&root);
    let (id, other) = (begin(&store, "r1").await, begin(&store, "r2").await);
    store.keep_draft(draft(composer(&id), json!("a secret plan"), 1)).await.unwrap();
    store.keep_draft(draft(composer(&other), json!("kept"), 2)).await.unwrap();
    store.delete_conversations(vec![id.clone()]).await.unwrap();
    assert_eq!(values(&store).await, [json!("kept")]);
    let failure = store.keep_draft(draft(composer(&id), json!("late"), 3)).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::ConversationNotFound);
}

#[tokio::test]
async fn drafts_are_bounded_in_size_and_number() {
    let root = root();
    let store = open(&root);
    let most = json!("x".repeat(DRAFT_BYTES - 2));
    store.keep_draft(draft(new_run("p1"), most.clone(), 1)).await.unwrap();
    let more = json!("x".repeat(DRAFT_BYTES - 1));
    let failure = store.keep_draft(draft(new_run("p1"), more, 2)).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::BadRequest);
    assert_no_path(&failure, root.path());
    assert_eq!(values(&store).await, [most], "the one before stays");
    for n in 1..=i64::from(DRAFTS) {
        store.keep_draft(draft(new_run(&format!("q{n}")), json!(n), n + 9)).await.unwrap();
    }
    let kept = values(&store).await;
    assert_eq!((kept.len(), &kept[0]), (DRAFTS as usize, &json!(DRAFTS)));
    assert_eq!(kept.last(), Some(&json!(1)), "the oldest went");
}

#[tokio::test]
async fn where_the_person_was_is_kept_whatever_they_write_until_they_forget_it() {
    let root = root();
    let store = open(&root);
    let layout = json!({ "project": "p1", "conversation": "run-r1", "inspector": 320 });
    store.keep_draft(draft(DraftPlace::Window, json!({ "project": "p0" }), 0)).await.unwrap();
    store.keep_draft(draft(DraftPlace::Window, layout.clone(), 1)).await.unwrap();
    for n in 1..=i64::from(DRAFTS) + 5 {
        store.keep_draft(draft(new_run(&format!("q{n}")), json!(n), n + 9)).await.unwrap();
    }
    drop(store);
    let store = open(&root);
    let kept = store.drafts().await.unwrap();
    assert_eq!(kept.len(), DRAFTS as usize + 1, "it takes the place of none");
    assert_eq!(kept.last(), Some(&draft(DraftPlace::Window, layout.clone(), 1)));
    assert_eq!(kept[DRAFTS as usize - 1].value, json!(6), "the oldest of the others went");

    let id = begin(&store, "r1").await;
    store.delete_conversations(vec![id]).await.unwrap();
    assert!(values(&store).await.contains(&layout), "it belongs to no conversation");
    let most = json!("x".repeat(DRAFT_BYTES));
    let failure = store.keep_draft(draft(DraftPlace::Window, most, 200)).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::BadRequest);
    store.forget_draft(&DraftPlace::Window).await.unwrap();
    assert!(!values(&store).await.contains(&layout));
}
