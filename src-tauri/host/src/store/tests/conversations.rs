use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use kernel::code::ErrorCode;
use kernel::command::SearchQuery;
use kernel::state_doc::StepCount;
use kernel::wire::{ConversationPage, MoreHits, SearchPage};

use super::super::Holder;
use super::*;

/// A run in a project, of which the words were said.
async fn talk(store: &RuntimeStore, run: &str, project: &str, words: &[&str]) -> ConversationId {
    let mut new = new_run(run);
    new.project_id = project.parse().unwrap();
    let id = create(store, new).await;
    for (n, text) in words.iter().enumerate() {
        store.append(&id, &said(n as u64 + 2, text)).await.unwrap();
    }
    id
}

fn ids(page: &ConversationPage) -> Vec<&str> {
    page.conversations.iter().map(|c| c.conversation_id.as_str()).collect()
}

#[tokio::test]
async fn conversations_are_listed_by_pages_last_active_first_of_one_project_or_all() {
    let root = root();
    let store = open(&root);
    for (n, run) in ["r1", "r2", "r3", "r4", "r5"].iter().enumerate() {
        talk(&store, run, if n % 2 == 0 { "p1" } else { "p2" }, &vec!["x"; n + 1]).await;
    }
    let all = store.conversations(None, None, None).await.unwrap();
    assert_eq!(ids(&all), ["run-r5", "run-r4", "run-r3", "run-r2", "run-r1"]);
    assert_eq!(all.next, None);
    let first = &all.conversations[0];
    assert_eq!((first.title.as_str(), first.mode.as_str(), first.message_count), ("x", "run", 5));
    assert_eq!(first.runs.len(), 1);
    assert_eq!(first.runs[0].phase, kernel::event::Phase::Running);

    let project = Some("p1".parse().unwrap());
    let mut seen = Vec::new();
    let mut after: Option<String> = None;
    loop {
        let page = store.conversations(project.clone(), Some(2), after.as_deref()).await.unwrap();
        seen.extend(ids(&page).into_iter().map(str::to_owned));
        match page.next {
            Some(next) => after = Some(next),
            None => break,
        }
    }
    assert_eq!(seen, ["run-r5", "run-r3", "run-r1"]);
    for bad in ["", "x", "1", "1~../x", "~run-r1"] {
        let failure = store.conversations(None, None, Some(bad)).await.unwrap_err();
        assert_eq!(failure.code, ErrorCode::BadRequest, "{bad}");
    }
    let nothing = store.conversations(Some("p9".parse().unwrap()), None, None).await.unwrap();
    assert_eq!(nothing, ConversationPage::default());
}

#[tokio::test]
async fn conversations_of_the_same_time_come_each_on_one_page_only() {
    let root = root();
    let store = open(&root);
    for n in 0..7 {
        talk(&store, &format!("r{n}"), "p1", &["x"]).await;
    }
    let mut seen = BTreeSet::new();
    let mut after: Option<String> = None;
    for _ in 0..4 {
        let page = store.conversations(None, Some(2), after.as_deref()).await.unwrap();
        seen.extend(ids(&page).into_iter().map(str::to_owned));
        after = page.next;
    }
    assert_eq!((seen.len(), after), (7, None));
}

#[tokio::test]
async fn a_title_of_the_persons_stands_before_the_generated_one_until_it_is_empty() {
    let root = root();
    let store = open(&root);
    let id = begin(&store, "r1").await;
    let title = async || store.conversation(&id).await.unwrap();
    store.rename_conversation(&id, "  My\n garden \u{7} page ").await.unwrap();
    let named = title().await;
    assert_eq!(named.title, "My garden page");
    assert_eq!(named.custom_title.as_deref(), Some("My garden page"));
    assert_eq!(named.generated_title, "Main");
    store.rename_conversation(&id, &"长".repeat(500)).await.unwrap();
    assert_eq!(title().await.title.chars().count(), 200);
    store.rename_conversation(&id, " \n ").await.unwrap();
    assert_eq!((title().await.title.as_str(), title().await.custom_title), ("Main", None));
    let missing = store.rename_conversation(&"none".parse().unwrap(), "x").await.unwrap_err();
    assert_eq!(missing.code, ErrorCode::ConversationNotFound);
}

#[tokio::test]
async fn a_run_is_called_after_the_first_thing_that_is_said_in_it() {
    let root = root();
    let store = open(&root);
    let id = talk(&store, "r1", "p1", &["  A page of what is ripe\nand more", "Thanks."]).await;
    let titles = store.conversation(&id).await.unwrap();
    assert_eq!((titles.title.as_str(), titles.custom_title), ("A page of what is ripe", None));
    store.rename_conversation(&id, "Garden").await.unwrap();
    let other = talk(&store, "r2", "p1", &["Main", "Thanks."]).await;
    assert_eq!(store.conversation(&other).await.unwrap().title, "Main");
    let silent = begin(&store, "r3").await;
    assert_eq!(store.conversation(&silent).await.unwrap().title, "Main");
}

#[tokio::test]
async fn pages_of_messages_are_counted_from_the_end() {
    let root = root();
    let store = open(&root);
    let id = talk(&store, "r1", "p1", &["a", "b", "c", "d", "e"]).await;
    let page = async |n: u32| {
        let page = store.message_page(&id, n, 2).await.unwrap();
        let texts: Vec<String> = page.messages.into_iter().map(|m| m.content).collect();
        (texts.join(""), page.earlier)
    };
    assert_eq!(page(1).await, ("de".into(), true));
    assert_eq!(page(2).await, ("bc".into(), true));
    assert_eq!(page(3).await, ("a".into(), false));
    assert_eq!(page(4).await, (String::new(), false));
    let forwards = store.messages_from(&id, Some(3), 5, 10).await.unwrap();
    assert_eq!(forwards.iter().map(|m| m.seq).collect::<Vec<_>>(), [4, 5]);
}

async fn find(store: &RuntimeStore, text: &str) -> SearchPage {
    store.search(SearchQuery { text: text.into(), ..SearchQuery::default() }).await.unwrap()
}

fn contents(page: &SearchPage) -> Vec<String> {
    let part = |p: &kernel::wire::SnippetPart| {
        if p.hit { format!("[{}]", p.text) } else { p.text.clone() }
    };
    page.hits.iter().map(|hit| hit.snippet.iter().map(part).collect()).collect()
}

#[tokio::test]
async fn words_of_any_language_and_length_are_found() {
    let root = root();
    let store = open(&root);
    talk(&store, "r1", "p1", &["The workflow writes a file.", "生成的文件在工作目录里。"]).await;
    talk(&store, "r2", "p1", &["Écrire le fichier, naïvement", "ファイルを書く"]).await;
    let cases = [
        ("work", vec!["The [workflow] writes a file."]),
        ("FILE writes", vec!["The workflow [writes] a [file]."]),
        ("文件", vec!["生成的[文件]在工作目录里。"]),
        ("录", vec!["生成的文件在工作目[录]里。"]),
        ("工作目录", vec!["生成的文件在[工作目录]里。"]),
        ("目录 文件", vec!["生成的[文件]在工作[目录]里。"]),
        ("件文", vec![]),
        ("naive", vec!["Écrire le fichier, [naïvement]"]),
        ("ecrire", vec!["[Écrire] le fichier, naïvement"]),
        ("イル", vec!["ファ[イル]を書く"]),
        ("nothing", vec![]),
        ("flow", vec![]),
    ];
    for (text, expected) in cases {
        assert_eq!(contents(&find(&store, text).await), expected, "{text}");
    }
}

#[tokio::test]
async fn whatever_a_person_types_is_text() {
    let root = root();
    let store = open(&root);
    talk(&store, "r1", "p1", &["this AND that OR (other) \"quoted\" NEAR text:x p1"]).await;
    let found =
        ["AND", "\"quoted\"", "(other", "OR (", "text:x", "NEAR(", "that*", "-this", "^this"];
    for text in found {
        assert_eq!(find(&store, text).await.hits.len(), 1, "{text}");
    }
    let nothing = ["", " ", "\"", "*", "()", "' OR 1=1", "this NOT that", "project:p1", "\0", "…"];
    for text in nothing {
        assert_eq!(find(&store, text).await.hits.len(), 0, "{text:?}");
    }
    assert_eq!(find(&store, &"this ".repeat(10_000)).await.hits.len(), 1);
}

#[tokio::test]
async fn hits_come_newest_conversation_first_by_pages_within_what_was_asked() {
    let root = root();
    let store = open(&root);
    talk(&store, "r1", "p1", &["apple one", "apple two", "apple three"]).await;
    let second = talk(&store, "r2", "p2", &["apple four", "pear", "apple five"]).await;
    let words = |page: &SearchPage| contents(page).join("|").replace("[apple] ", "");
    assert_eq!(words(&find(&store, "apple").await), "five|four|three|two|one");

    let mut search = SearchQuery { text: "apple".into(), limit: Some(2), ..SearchQuery::default() };
    let page = store.search(search.clone()).await.unwrap();
    assert_eq!(words(&page), "five|four");
    search.before = page.next;
    let page = store.search(search.clone()).await.unwrap();
    assert_eq!(words(&page), "three|two");
    search.before = page.next;
    let page = store.search(search).await.unwrap();
    assert_eq!((words(&page).as_str(), page.next), ("one", None));

    let ask = async |search: SearchQuery| words(&store.search(search).await.unwrap());
    let apple = SearchQuery { text: "apple".into(), ..SearchQuery::default() };
    let own = SearchQuery { project_id: Some("p1".parse().unwrap()), ..apple.clone() };
    assert_eq!(ask(own).await, "three|two|one");
    let own = SearchQuery { conversation_id: Some(second), ..apple.clone() };
    assert_eq!(ask(own).await, "five|four");
    let few = SearchQuery { per_conversation: Some(1), ..apple.clone() };
    assert_eq!(ask(few).await, "five|three");
    let nobodys = SearchQuery { conversation_id: Some("none".parse().unwrap()), ..apple };
    let failure = store.search(nobodys).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::ConversationNotFound);
}

/// A tool has read a file with this text.
fn read(seq: u64, text: &str) -> kernel::event::Line {
    let result = json!({ "ok": true, "path": "@project/a.md", "content": text });
    line(
        seq,
        &json!([{ "event": "call_ended", "data": {
            "callId": format!("c{seq}"), "messageId": format!("t{seq}"), "tool": "fs.read",
            "ok": true, "result": result, "fullOutput": null, "durationMs": 2, "facts": [] } }]),
    )
}

#[tokio::test]
async fn what_was_said_is_found_before_results_of_tools_and_what_reads_alike_once() {
    let root = root();
    let store = open(&root);
    let older = talk(&store, "r1", "p1", &["apple one"]).await;
    let id = talk(&store, "r2", "p1", &["apple two", "pear"]).await;
    for n in 4..10 {
        store.append(&id, &read(n, "apple file")).await.unwrap();
    }
    store.append(&id, &read(10, "apple other")).await.unwrap();
    let apple = SearchQuery { text: "apple".into(), ..SearchQuery::default() };
    let seqs = |page: &SearchPage| page.hits.iter().map(|hit| hit.seq).collect::<Vec<_>>();
    let all = store.search(apple.clone()).await.unwrap();
    assert_eq!(seqs(&all), [2, 10, 9, 8, 7, 6, 5, 4, 2], "its place tells what is read round it");
    assert!(all.more.is_empty(), "nothing is left out");

    let few = SearchQuery { per_conversation: Some(3), ..apple.clone() };
    let page = store.search(few.clone()).await.unwrap();
    assert_eq!(seqs(&page), [2, 10, 9, 2]);
    let left_out = |page: &SearchPage| {
        let told = |more: &MoreHits| (more.conversation_id.clone(), more.count, more.at_least);
        page.more.iter().map(told).collect::<Vec<_>>()
    };
    assert_eq!(left_out(&page), [(id.clone(), 5, false)]);
    let eight = SearchQuery { per_conversation: Some(8), ..apple.clone() };
    let page = store.search(eight).await.unwrap();
    assert_eq!((seqs(&page), left_out(&page)), (vec![2, 10, 9, 2], vec![(id.clone(), 5, false)]));

    // What a page leaves out is on no other.
    let mut rest = SearchQuery { limit: Some(3), ..few };
    rest.before = store.search(rest.clone()).await.unwrap().next;
    let page = store.search(rest).await.unwrap();
    assert_eq!(page.hits.iter().map(|hit| &hit.conversation_id).collect::<Vec<_>>(), [&older]);
    // Nor does a page that is full before a conversation has its share give it another one.
    let short = SearchQuery { per_conversation: Some(3), limit: Some(2), ..apple.clone() };
    let first = store.search(short.clone()).await.unwrap();
    assert_eq!((seqs(&first), left_out(&first)), (vec![2, 10], vec![(id.clone(), 6, false)]));
    let page = store.search(SearchQuery { before: first.next, ..short }).await.unwrap();
    assert_eq!(page.hits.iter().map(|hit| &hit.conversation_id).collect::<Vec<_>>(), [&older]);
    let own = SearchQuery { conversation_id: Some(id.clone()), ..apple };
    assert_eq!(store.search(own).await.unwrap().hits.len(), 8, "all of them, asked for alone");
    store.delete_conversations(vec![id]).await.unwrap();
    assert_eq!(seqs(&find(&store, "apple").await), [2]);
    let rows = raw(root.path())
        .query_row("SELECT count(*) FROM search_docsize", [], |row| row.get::<_, i64>(0));
    assert_eq!(rows, Ok(1), "nothing of a deleted conversation stays in the index");
}

#[tokio::test]
async fn so_many_places_of_a_conversation_are_counted_and_the_next_is_found_all_the_same() {
    let root = root();
    let store = open(&root);
    talk(&store, "r1", "p1", &["apple"]).await;
    let id = create(&store, new_run("r2")).await;
    let lines = (2..2_102).map(|seq| said(seq, &format!("apple {seq}"))).collect();
    store.append_all(&id, lines).await.unwrap();
    let apple = SearchQuery { text: "apple".into(), ..SearchQuery::default() };
    let few = SearchQuery { per_conversation: Some(1), ..apple };
    let page = store.search(few).await.unwrap();
    assert_eq!(contents(&page), ["[apple] 2101", "[apple]"]);
    assert_eq!((page.more[0].count, page.more[0].at_least, page.more.len()), (2_000, true, 1));
}

#[tokio::test]
async fn a_conversation_is_also_found_by_its_title_and_a_hit_says_where_it_stands() {
    let root = root();
    let store = open(&root);
    let id = talk(&store, "r1", "p1", &["Something else."]).await;
    store.rename_conversation(&id, "花园页面 Garden").await.unwrap();
    for text in ["花园", "gard", "Garden 页"] {
        let page = find(&store, text).await;
        assert_eq!((page.titles.len(), page.hits.len()), (1, 0), "{text}");
    }
    let page = find(&store, "else").await;
    let hit = &page.hits[0];
    assert_eq!((hit.seq, hit.message_id.as_str(), hit.role.as_str()), (2, "m2", "user"));
    assert_eq!((hit.title.as_str(), &hit.conversation_id), ("花园页面 Garden", &id));
}

/// Every place in the database where a text stands, as `table.column`.
fn places_of(root: &Path, needle: &str) -> Vec<String> {
    let db = raw(root);
    let mut tables = db
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'search'")
        .unwrap();
    let tables: Vec<String> =
        tables.query_map([], |r| r.get(0)).unwrap().map(Result::unwrap).collect();
    let mut found = Vec::new();
    for table in tables {
        let info = format!("SELECT name FROM pragma_table_info('{table}')");
        let mut columns = db.prepare(&info).unwrap();
        for column in columns.query_map([], |r| r.get::<_, String>(0)).unwrap().map(Result::unwrap)
        {
            let sql =
                format!("SELECT count(*) FROM {table} WHERE instr(CAST({column} AS BLOB), ?1)");
            let n: i64 = db.query_row(&sql, [needle.as_bytes()], |r| r.get(0)).unwrap();
            if n > 0 {
                found.push(format!("{table}.{column}"));
            }
        }
    }
    found
}

fn run_folder(root: &tempfile::TempDir, run: &str) -> std::path::PathBuf {
    root.path().join("projects/p1/runs").join(run)
}

fn make_run_folder(root: &tempfile::TempDir, run: &str) {
    let state = run_folder(root, run).join("state/logs/tool-results");
    fs::create_dir_all(&state).unwrap();
    fs::write(state.join("c1.json"), "kept").unwrap();
}

#[tokio::test]
async fn a_deleted_conversation_leaves_nothing_and_the_others_stay() {
    let root = root();
    let store = open(&root);
    let gone = talk(&store, "gone", "p1", &["needle in the hay"]).await;
    let stays = talk(&store, "stays", "p1", &["needle too"]).await;
    for run in ["gone", "stays"] {
        make_run_folder(&root, run);
    }
    let lease = store.acquire(&gone, Holder::this_process("window")).await.unwrap();
    store.delete_conversations(vec![gone.clone()]).await.unwrap();
    lease.release().await.unwrap();

    assert_eq!(places_of(root.path(), "run-gone"), Vec::<String>::new());
    assert_eq!(places_of(root.path(), "needle in the hay"), Vec::<String>::new());
    assert!(!run_folder(&root, "gone").exists());
    assert!(run_folder(&root, "stays").join("state/logs/tool-results/c1.json").exists());
    let page = find(&store, "needle").await;
    assert_eq!(page.hits.len(), 1);
    assert_eq!(page.hits[0].conversation_id, stays);
    assert_eq!(store.lines(&gone, 0).await.unwrap_err().code, ErrorCode::ConversationNotFound);
    let again = store.delete_conversations(vec![gone]).await.unwrap_err();
    assert_eq!(again.code, ErrorCode::ConversationNotFound);
    let verdict: String =
        raw(root.path()).query_row("PRAGMA integrity_check", [], |r| r.get(0)).unwrap();
    assert_eq!(verdict, "ok");
}

#[tokio::test]
async fn of_several_conversations_all_or_none_are_deleted() {
    let root = root();
    let store = open(&root);
    let one = talk(&store, "r1", "p1", &["x"]).await;
    let both = vec![one.clone(), "none".parse().unwrap()];
    let failure = store.delete_conversations(both).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::ConversationNotFound);
    assert_eq!(store.lines(&one, 0).await.unwrap().len(), 2);
    assert_eq!(store.conversations_of(&"p1".parse().unwrap()).await.unwrap(), [one]);
}

#[tokio::test]
async fn the_rows_that_a_table_of_tomorrow_keeps_of_a_conversation_go_too() {
    let root = root();
    let store = open(&root);
    let id = begin(&store, "r1").await;
    let db = raw(root.path());
    db.execute_batch(
        "CREATE TABLE tomorrow (conversation TEXT REFERENCES conversations (id), body TEXT);
         INSERT INTO tomorrow VALUES ('run-r1', 'a row');",
    )
    .unwrap();
    store.delete_conversations(vec![id]).await.unwrap();
    assert_eq!(db.query_row("SELECT count(*) FROM tomorrow", [], |r| r.get::<_, i64>(0)), Ok(0));
}

#[tokio::test]
async fn the_folder_of_a_deleted_run_that_was_left_goes_with_the_next_start() {
    let root = root();
    let store = open(&root);
    make_run_folder(&root, "r1");
    make_run_folder(&root, "r2");
    raw(root.path()).execute("INSERT INTO removed_runs VALUES ('p1', 'r1')", []).unwrap();
    store.recover().await.unwrap();
    assert!(!run_folder(&root, "r1").exists() && run_folder(&root, "r2").exists());
    let left: i64 =
        raw(root.path()).query_row("SELECT count(*) FROM removed_runs", [], |r| r.get(0)).unwrap();
    assert_eq!(left, 0);
}

#[tokio::test]
async fn an_older_database_is_brought_up_to_date_and_its_messages_are_found() {
    let root = root();
    let store = open(&root);
    talk(&store, "r1", "p1", &["一个旧的工作流", "an old apple"]).await;
    drop(store);
    // As the first version left it.
    raw(root.path())
        .execute_batch(
            "DROP TABLE server_accounts; DROP TABLE trusted_servers; DROP TABLE mcp_servers; DROP INDEX conversations_at_work;
             ALTER TABLE conversations DROP COLUMN mode; ALTER TABLE conversations DROP COLUMN run;
             ALTER TABLE conversations DROP COLUMN agent_package; ALTER TABLE conversations DROP COLUMN agent;
             ALTER TABLE conversations DROP COLUMN phase; ALTER TABLE conversations DROP COLUMN reason;
             ALTER TABLE runs DROP COLUMN steps_done; ALTER TABLE runs DROP COLUMN steps_total; ALTER TABLE runs DROP COLUMN node_id; ALTER TABLE messages DROP COLUMN files; DROP TABLE former_places; DROP INDEX conversations_by_parent; ALTER TABLE conversations DROP COLUMN parent;
             DROP TABLE trusted_hooks; DROP TABLE drafts; ALTER TABLE leases DROP COLUMN stop_asked;
             DROP TABLE folds; DROP TABLE search; DROP TABLE search_filled; DROP TABLE removed_runs;
             DROP INDEX conversations_by_number; DROP INDEX conversations_of_project;
             CREATE INDEX messages_by_id ON messages (conversation, id);
             ALTER TABLE conversations DROP COLUMN number;
             ALTER TABLE conversations DROP COLUMN custom_title; PRAGMA user_version = 1;",
        )
        .unwrap();
    let store = open(&root);
    assert_eq!(find(&store, "作流").await.hits.len(), 1);
    assert_eq!(find(&store, "apple").await.hits.len(), 1);
}

#[tokio::test]
async fn a_run_tells_how_many_steps_are_done_where_that_is_known_and_of_no_earlier_place() {
    let root = root();
    let store = open(&root);
    let id = begin(&store, "r1").await;
    let moved = |seq: u64, node: &str| {
        let data = json!({ "text": "---\n---\n", "sha256": "", "by": "model", "callId": null,
                           "nodeId": node, "complete": false });
        Arc::new(line(seq, &json!([{ "event": "state_changed", "data": data }])))
    };
    let shown = async || {
        let run = store.conversation(&id).await.unwrap().runs.remove(0);
        let listed = store.runs(&"p1".parse().unwrap()).await.unwrap().remove(0);
        assert_eq!((&listed.node_id, listed.steps), (&run.node_id, run.steps));
        (run.node_id.map(|node| node.to_string()), run.steps)
    };
    assert_eq!(shown().await, (None, None), "it has not moved");

    let before = store.listed().await.unwrap();
    let steps = Some(StepCount { done: 1, total: 3 });
    store.append_counted(&id, moved(2, "ask"), steps).await.unwrap();
    assert_eq!(shown().await, (Some("ask".into()), steps));
    let at_ask = store.listed().await.unwrap();
    assert_ne!(at_ask, before);

    // It is still there, and more is done: whoever shows the list reads it again.
    let steps = Some(StepCount { done: 2, total: 3 });
    store.append_counted(&id, moved(3, "ask"), steps).await.unwrap();
    assert_eq!(shown().await, (Some("ask".into()), steps));
    assert_ne!(store.listed().await.unwrap(), at_ask);
    store.append(&id, said(4, "words move nothing")).await.unwrap();
    assert_eq!(shown().await, (Some("ask".into()), steps));

    // Whoever does not know the graph cannot count.
    store.append(&id, moved(5, "write")).await.unwrap();
    assert_eq!(shown().await, (Some("write".into()), None));
}

#[tokio::test]
async fn a_salvaged_store_finds_its_messages_and_keeps_titles() {
    let root = root();
    let store = open(&root);
    let id = talk(&store, "r1", "p1", &["一个旧的工作流", "an old apple"]).await;
    store.rename_conversation(&id, "花园").await.unwrap();
    drop(store);
    let db = raw(root.path());
    db.execute("INSERT INTO removed_runs VALUES ('p1', 'gone')", []).unwrap();
    let page: i64 = db
        .query_row("SELECT rootpage FROM sqlite_schema WHERE name = 'search_idx'", [], |r| r.get(0))
        .unwrap();
    let size: i64 = db.query_row("PRAGMA page_size", [], |r| r.get(0)).unwrap();
    db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    drop(db);
    let mut bytes = fs::read(root.path().join("store.db")).unwrap();
    let at = usize::try_from((page - 1) * size).unwrap();
    bytes[at..at + 64].fill(0xa5);
    fs::write(root.path().join("store.db"), bytes).unwrap();

    let store = open(&root);
    assert_eq!(store.notices().len(), 1, "the damage is told");
    assert_eq!(find(&store, "作流").await.hits.len(), 1);
    assert_eq!(find(&store, "apple").await.hits.len(), 1);
    assert_eq!(store.conversation(&id).await.unwrap().title, "花园");
    let left: i64 =
        raw(root.path()).query_row("SELECT count(*) FROM removed_runs", [], |r| r.get(0)).unwrap();
    assert_eq!(left, 1, "folders that are to go still go");
    store.delete_conversations(vec![id]).await.unwrap();
    assert_eq!(find(&store, "apple").await.hits.len(), 0);
}

#[tokio::test]
async fn an_index_of_other_terms_is_filled_anew_once() {
    let root = root();
    let store = open(&root);
    talk(&store, "r1", "p1", &["apple"]).await;
    drop(store);
    let db = raw(root.path());
    db.execute_batch(
        "INSERT INTO search (search) VALUES ('delete-all'); UPDATE search_filled SET version = 0;",
    )
    .unwrap();
    assert_eq!(find(&open(&root), "apple").await.hits.len(), 1);
    assert_eq!(find(&open(&root), "apple").await.hits.len(), 1);
    let rows = || db.query_row("SELECT count(*) FROM search_docsize", [], |r| r.get::<_, i64>(0));
    assert_eq!(rows(), Ok(1));
}

/// The index's last line, and the journals'.
fn progress(root: &Path) -> (i64, i64) {
    let sql = "SELECT until, (SELECT max(id) FROM lines) FROM search_filled";
    raw(root).query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap()
}

#[tokio::test]
async fn the_index_is_brought_up_to_date_when_nobody_waits() {
    let root = root();
    let store = open(&root);
    talk(&store, "r1", "p1", &["apple", "pear"]).await;
    for _ in 0..100 {
        if progress(root.path()) == (3, 3) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(progress(root.path()), (3, 3));
    assert_eq!(find(&store, "pear").await.hits.len(), 1);
}

#[tokio::test]
async fn words_that_a_killed_process_had_not_indexed_are_found() {
    let root = root();
    let store = open(&root);
    talk(&store, "r1", "p1", &["apple"]).await;
    drop(store);
    raw(root.path())
        .execute_batch(
            "INSERT INTO search (search) VALUES ('delete-all'); UPDATE search_filled SET until = 0;",
        )
        .unwrap();
    let found = find(&open(&root), "apple").await;
    assert_eq!((found.hits.len(), found.unindexed), (1, 0));
}

#[tokio::test]
async fn a_line_that_has_the_row_of_a_deleted_one_is_found() {
    let root = root();
    let store = open(&root);
    talk(&store, "r1", "p1", &["apple"]).await;
    let newest = talk(&store, "r2", "p1", &["pear", "plum"]).await;
    assert_eq!(find(&store, "plum").await.hits.len(), 1);
    store.delete_conversations(vec![newest]).await.unwrap();
    talk(&store, "r3", "p1", &["quince"]).await;
    assert_eq!(find(&store, "quince").await.hits.len(), 1);
    assert_eq!(find(&store, "pear").await.hits.len(), 0);
}

#[tokio::test]
async fn sizes_are_told_by_project() {
    let root = root();
    let store = open(&root);
    store
        .upsert_project(super::super::ProjectRow {
            project_id: "p1".parse().unwrap(),
            name: "Notes".into(),
            location: "/a".into(),
            former_places: Vec::new(),
            last_opened_at: Time::from_millis(1),
        })
        .await
        .unwrap();
    talk(&store, "r1", "p1", &["apple"]).await;
    talk(&store, "r2", "p2", &["pear", "plum"]).await;
    make_run_folder(&root, "r1");
    let blobs = run_folder(&root, "r1").join("checkpoints");
    fs::create_dir_all(&blobs).unwrap();
    fs::write(blobs.join("a.zst"), [0; 100]).unwrap();
    let sizes = store.sizes().await.unwrap();
    assert!(sizes.database_bytes > 4096);
    let p1 = sizes.projects.iter().find(|p| p.name == "Notes").unwrap();
    assert_eq!((p1.conversations, p1.messages), (1, 1));
    assert_eq!((p1.file_bytes, p1.checkpoint_bytes), (104, 100));
    assert!(p1.row_bytes > 100);
    let p2 = sizes.projects.iter().find(|p| p.project_id.as_str() == "p2").unwrap();
    assert_eq!((p2.name.as_str(), p2.messages, p2.file_bytes), ("", 2, 0));
}

#[tokio::test]
async fn checkpoints_are_pruned_by_age_then_by_size_of_finished_runs_only() {
    use super::super::{CheckpointLimits, Pruned};
    use std::time::{Duration, SystemTime};
    let root = root();
    let store = open(&root);
    let now = SystemTime::now();
    let day = Duration::from_hours(24);
    for run in ["done", "open", "held"] {
        let id = begin(&store, run).await;
        if run != "open" {
            let end = json!([{ "event": "turn_finished",
                               "data": { "phase": "completed", "reason": "completed" } }]);
            store.append(&id, &line(2, &end)).await.unwrap();
        }
        let blobs = run_folder(&root, run).join("checkpoints");
        fs::create_dir_all(&blobs).unwrap();
        for age in [1, 2, 40] {
            let file = fs::File::create(blobs.join(format!("{age}.zst"))).unwrap();
            file.set_len(100).unwrap();
            file.set_modified(now - day * age).unwrap();
        }
    }
    let _held =
        store.acquire(&"run-held".parse().unwrap(), Holder::this_process("cli")).await.unwrap();
    let kept = |run: &str| {
        let mut names: Vec<String> = fs::read_dir(run_folder(&root, run).join("checkpoints"))
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names.join(" ")
    };
    let limits = CheckpointLimits { max_age: day * 30, max_bytes: u64::MAX };
    let pruned = store.prune_checkpoints(now, limits).await.unwrap();
    assert_eq!(pruned, Pruned { files: 1, bytes: 100 });
    assert_eq!(kept("done"), "1.zst 2.zst");
    let limits = CheckpointLimits { max_age: day * 30, max_bytes: 700 };
    store.prune_checkpoints(now, limits).await.unwrap();
    assert_eq!(kept("done"), "1.zst", "the oldest goes first");
    assert_eq!(
        (kept("open").as_str(), kept("held").as_str()),
        ("1.zst 2.zst 40.zst", "1.zst 2.zst 40.zst")
    );
}
