//! Conversations at work, or waiting for the person.

use kernel::bounds::ACTIVE_CONVERSATIONS;
use kernel::event::{Phase, Reason};
use rusqlite::{StatementStatus, params};

use super::super::ProjectRow;
use super::super::active::sql_of_active;
use super::super::sql::to_sql;
use super::*;

async fn active(store: &RuntimeStore) -> Vec<String> {
    let page = store.active_conversations().await.unwrap();
    assert_eq!(page.next, None);
    page.conversations.into_iter().map(|c| c.conversation_id.to_string()).collect()
}

/// Leaves a run where a turn would.
fn stands(db: &Connection, run: &str, phase: Phase, reason: Option<Reason>) {
    let sql = "UPDATE runs SET phase = ?2, reason = ?3 WHERE id = ?1";
    let (phase, reason) = (to_sql(&phase), reason.as_ref().map(to_sql));
    assert_eq!(db.execute(sql, params![run, phase, reason]).unwrap(), 1, "{run}");
}

/// Many conversations of one run each, the later the more active.
fn fill(db: &Connection, name: &str, count: u32, phase: Phase) {
    db.execute(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
         INSERT INTO conversations (id, project_id, title, run, created_at, last_active_at)
         SELECT printf('run-%s-%05d', ?1, i), 'p1', 'Main', printf('%s-%05d', ?1, i), i, i FROM n",
        params![name, count],
    )
    .unwrap();
    db.execute(
        "INSERT INTO runs (id, conversation_id, project_id, package_id, workflow_id, agent_id,
             title, phase, reason, created_at, updated_at)
         SELECT substr(id, 5), id, project_id, 'demo-1.0.0-0123456789ab', 'main', 'guide', title,
             ?2, NULL, created_at, created_at
         FROM conversations WHERE id LIKE 'run-' || ?1 || '-%'",
        params![name, to_sql(&phase)],
    )
    .unwrap();
}

#[tokio::test]
async fn a_conversation_is_active_while_its_run_works_or_waits_for_the_person() {
    let root = root();
    let store = open(&root);
    let id = begin(&store, "r1").await;
    let db = raw(root.path());
    for (phase, reason, wanted) in [
        (Phase::Idle, None, false),
        (Phase::Running, None, true),
        (Phase::WaitingUser, None, true),
        (Phase::WaitingUser, Some(Reason::Answered), true),
        (Phase::WaitingUser, Some(Reason::Widget), true),
        (Phase::WaitingUser, Some(Reason::Interrupted), true),
        (Phase::WaitingUser, Some(Reason::Failed), true),
        (Phase::WaitingUser, Some(Reason::Limit), true),
        (Phase::WaitingUser, Some(Reason::NotAccepted), true),
        (Phase::WaitingUser, Some(Reason::Stopped), false),
        (Phase::WaitingUser, Some(Reason::EndedEarly), false),
        (Phase::Completed, Some(Reason::Completed), false),
        (Phase::Completed, Some(Reason::EndedEarly), false),
        (Phase::Failed, Some(Reason::Failed), true),
        (Phase::Failed, None, true),
    ] {
        stands(&db, "r1", phase, reason);
        let found = active(&store).await;
        assert_eq!(found.contains(&id.to_string()), wanted, "{phase:?} {reason:?}");
    }
}

#[tokio::test]
async fn the_newest_run_of_a_conversation_says_whether_it_is_active() {
    let root = root();
    let store = open(&root);
    let id = begin(&store, "r1").await;
    let db = raw(root.path());
    // Which one is the newest says the conversation: a clock may have gone back.
    for (later, newer) in [(1, "a2"), (-1, "r2")] {
        db.execute(
            "INSERT INTO runs (id, conversation_id, project_id, package_id, workflow_id, agent_id,
                 title, phase, reason, created_at, updated_at)
             SELECT ?1, conversation_id, project_id, package_id, workflow_id, agent_id, title,
                 'completed', 'completed', created_at + ?2, updated_at FROM runs WHERE id = 'r1'",
            params![newer, later],
        )
        .unwrap();
        db.execute("UPDATE conversations SET run = ?1", [newer]).unwrap();
        stands(&db, "r1", Phase::Running, None);
        assert_eq!(active(&store).await, [""; 0], "{newer}");
        stands(&db, newer, Phase::WaitingUser, Some(Reason::Widget));
        stands(&db, "r1", Phase::Completed, None);
        assert_eq!(active(&store).await, [id.as_str()], "{newer}");
        let page = store.active_conversations().await.unwrap();
        assert_eq!(page.conversations[0].runs[0].run_id.as_str(), newer);
        db.execute("DELETE FROM runs WHERE id = ?1", [newer]).unwrap();
    }
}

#[tokio::test]
async fn sub_agents_and_forgotten_projects_are_left_out() {
    let root = root();
    let store = open(&root);
    let (one, two) = (begin(&store, "r1").await, begin(&store, "r2").await);
    let db = raw(root.path());
    let sql = "UPDATE conversations SET parent = ?2 WHERE id = ?1";
    db.execute(sql, [two.as_str(), one.as_str()]).unwrap();
    assert_eq!(active(&store).await, [one.as_str()]);

    let project = ProjectRow {
        project_id: "p1".parse().unwrap(),
        name: "P1".into(),
        location: "/a".into(),
        former_places: Vec::new(),
        last_opened_at: Time::from_millis(1),
    };
    store.upsert_project(project.clone()).await.unwrap();
    assert_eq!(active(&store).await, [one.as_str()]);
    store.forget_project(&project.project_id).await.unwrap();
    assert_eq!(active(&store).await, [""; 0]);
    store.upsert_project(project).await.unwrap();
    assert_eq!(active(&store).await, [one.as_str()], "opened again");
}

#[tokio::test]
async fn active_conversations_come_last_active_first_and_no_more_than_can_be_shown() {
    let root = root();
    let store = open(&root);
    let db = raw(root.path());
    fill(&db, "busy", ACTIVE_CONVERSATIONS + 5, Phase::Running);
    let found = active(&store).await;
    assert_eq!(found.len(), ACTIVE_CONVERSATIONS as usize);
    assert_eq!((found[0].as_str(), found[199].as_str()), ("run-busy-00205", "run-busy-00006"));
    let sql = "UPDATE conversations SET last_active_at = 1000 WHERE id LIKE 'run-busy-0000_'";
    db.execute(sql, []).unwrap();
    assert_eq!(active(&store).await[..2], ["run-busy-00009", "run-busy-00008"]);
}

#[tokio::test]
async fn finished_conversations_cost_nothing_when_the_active_ones_are_asked_for() {
    let root = root();
    let store = open(&root);
    let db = raw(root.path());
    fill(&db, "busy", 20, Phase::Running);
    let steps = || {
        let mut statement = db.prepare(&sql_of_active()).unwrap();
        let rows = statement.query_map([ACTIVE_CONVERSATIONS], |_| Ok(())).unwrap().count();
        assert_eq!(rows, 20);
        assert_eq!(statement.get_status(StatementStatus::FullscanStep), 0);
        statement.get_status(StatementStatus::VmStep)
    };
    let before = steps();
    fill(&db, "done", 10_000, Phase::Completed);
    // A deeper tree takes a step more.
    assert!(steps() < before + 20);
    assert_eq!(active(&store).await.len(), 20);
}
