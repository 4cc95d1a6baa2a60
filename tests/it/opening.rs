//! Looking at conversations through the host: what it costs, and that nobody misses anything.

use std::path::Path;
use std::sync::Arc;

use host::host::{Host, HostOptions, ModelChoice};
use host::store::RuntimeStore;
use kernel::code::ErrorCode;
use kernel::command::{Command, Query, SessionCommand};
use kernel::event::Phase;
use kernel::ids::ConversationId;
use kernel::journal_snapshot::Page;
use kernel::wire::{Answer, Frame, Item, ItemBody, Speaker, Status};
use tokio::sync::mpsc::UnboundedReceiver;

fn options(folder: &Path) -> HostOptions {
    HostOptions { model: ModelChoice::Demo, ..HostOptions::new(folder.join("store"), "cli") }
}

async fn a_host(folder: &Path) -> Arc<Host> {
    Host::open(options(folder)).await.unwrap()
}

/// Starts the demo and waits for its first question.
async fn a_demo(host: &Arc<Host>, folder: &Path) -> ConversationId {
    let path = folder.join("project").to_string_lossy().into_owned();
    let package = Some("hello-linear".to_owned());
    let play = Command::PlayDemo { path: Some(path), package };
    let id = host.submit(play).await.unwrap().conversation_id.unwrap();
    Window::of(host, &id).await.until_rest().await;
    id
}

/// What a window holds: the frames it was sent, and what they come to.
struct Window {
    frames: UnboundedReceiver<Frame>,
    page: Page,
    status: Status,
    /// How often it was sent everything anew.
    wholes: usize,
}

impl Window {
    async fn of(host: &Arc<Host>, id: &ConversationId) -> Self {
        let mut frames = host.watch(id).await.unwrap();
        let Some(Frame::Snapshot { items, status, .. }) = frames.recv().await else {
            panic!("a watcher is sent everything first");
        };
        let mut window = Self { frames, page: Page::new(0), status: *status, wholes: 1 };
        window.begin(items);
        window
    }

    fn begin(&mut self, items: Vec<Item>) {
        self.page = Page::new(0);
        let put = |item| Frame::Upsert { item: Box::new(item) };
        self.page.take(items.into_iter().map(put).collect());
    }

    fn take(&mut self, frame: Frame) {
        match frame {
            Frame::Snapshot { items, status, .. } => {
                self.wholes += 1;
                self.begin(items);
                self.status = *status;
            }
            Frame::Status { status } => self.status = *status,
            other => self.page.take(vec![other]),
        }
    }

    /// Until it is the person's move.
    async fn until_rest(&mut self) {
        while self.phase() == Phase::Running {
            let frame = self.frames.recv().await.expect("the run ends by itself");
            self.take(frame);
        }
    }

    /// Says something and waits for what comes of it.
    async fn say(&mut self, host: &Host, id: &ConversationId, text: &str) {
        let say = SessionCommand::Say { text: text.into() }.to(id.clone());
        host.submit(say).await.unwrap();
        // What is durable has been shown before this returns.
        while let Ok(frame) = self.frames.try_recv() {
            self.take(frame);
        }
        self.until_rest().await;
    }

    fn phase(&self) -> Phase {
        self.status.run.as_ref().unwrap().phase
    }

    fn items(&self) -> Vec<Item> {
        self.page.clone().into_items()
    }

    fn said(&self, words: &str) -> usize {
        let is_it = |item: &&Item| matches!(&item.body, ItemBody::Message { by: Speaker::User, text, .. } if text == words);
        self.items().iter().filter(is_it).count()
    }
}

#[tokio::test]
async fn looking_at_a_conversation_at_rest_writes_nothing_and_starts_nothing() {
    let temp = tempfile::tempdir().unwrap();
    let first = a_host(temp.path()).await;
    let id = a_demo(&first, temp.path()).await;
    let live = Window::of(&first, &id).await;
    first.close().await;

    let store = RuntimeStore::open(&temp.path().join("store")).unwrap();
    let host = Host::on(store.clone(), options(temp.path())).await.unwrap();
    let commits = store.commits();
    let window = Window::of(&host, &id).await;
    assert_eq!(store.commits(), commits, "no lease was taken, no line was written");
    assert_eq!(window.items(), live.items());
    assert_eq!(window.status, live.status);
}

/// What watching a conversation would begin with.
async fn read_ahead(host: &Host, id: &ConversationId) -> (Vec<Item>, Status) {
    let query = Query::Opening { conversation_id: id.clone() };
    let Answer::Opening(Frame::Snapshot { items, status, .. }) = host.query(query).await.unwrap()
    else {
        panic!("everything from the last page on")
    };
    (items, *status)
}

#[tokio::test]
async fn what_is_read_ahead_is_what_watching_begins_with() {
    let temp = tempfile::tempdir().unwrap();
    let first = a_host(temp.path()).await;
    let id = a_demo(&first, temp.path()).await;
    let live = Window::of(&first, &id).await;
    assert_eq!(read_ahead(&first, &id).await, (live.items(), live.status.clone()));
    first.close().await;

    let store = RuntimeStore::open(&temp.path().join("store")).unwrap();
    let host = Host::on(store.clone(), options(temp.path())).await.unwrap();
    let commits = store.commits();
    assert_eq!(read_ahead(&host, &id).await, (live.items(), live.status));
    assert_eq!(store.commits(), commits, "no lease was taken, no line was written");

    let gone = Query::Opening { conversation_id: "run-gone".parse().unwrap() };
    let code = host.query(gone).await.unwrap_err().code;
    assert_eq!(code, ErrorCode::ConversationNotFound);
}

#[tokio::test]
async fn reading_ahead_leaves_a_run_as_it_is_that_was_at_work_when_the_program_ended() {
    let temp = tempfile::tempdir().unwrap();
    let first = a_host(temp.path()).await;
    let id = a_demo(&first, temp.path()).await;
    first.close().await;
    make_longer(temp.path(), &id, 1, false);

    let store = RuntimeStore::open(&temp.path().join("store")).unwrap();
    let host = Host::on(store.clone(), options(temp.path())).await.unwrap();
    let commits = store.commits();
    let (_, status) = read_ahead(&host, &id).await;
    assert_eq!(status.run.unwrap().phase, Phase::Running);
    assert_eq!(store.commits(), commits, "it was not opened");
    Window::of(&host, &id).await.until_rest().await;
    assert!(store.commits() > commits, "watching it tells that it was interrupted");
}

#[tokio::test]
async fn a_window_opened_before_a_run_goes_on_is_sent_what_follows() {
    let temp = tempfile::tempdir().unwrap();
    let first = a_host(temp.path()).await;
    let id = a_demo(&first, temp.path()).await;
    first.close().await;

    let host = a_host(temp.path()).await;
    let (mut window, mut other) = (Window::of(&host, &id).await, Window::of(&host, &id).await);
    window.say(&host, &id, "The harbour").await;
    assert_eq!((window.said("The harbour"), window.wholes), (1, 1));
    // A reload looks exactly like live.
    let reloaded = Window::of(&host, &id).await;
    assert_eq!(reloaded.items(), window.items());
    assert_eq!(reloaded.status, window.status);
    while other.status.seq < window.status.seq {
        let frame = other.frames.recv().await.unwrap();
        other.take(frame);
    }
    assert_eq!(other.items(), window.items());
}

#[tokio::test]
async fn a_window_opened_before_another_program_went_on_is_shown_what_it_did() {
    let temp = tempfile::tempdir().unwrap();
    let first = a_host(temp.path()).await;
    let id = a_demo(&first, temp.path()).await;
    first.close().await;

    let (here, there) = (a_host(temp.path()).await, a_host(temp.path()).await);
    let mut window = Window::of(&here, &id).await;
    let mut elsewhere = Window::of(&there, &id).await;
    elsewhere.say(&there, &id, "From the other program").await;
    there.close().await;
    assert_eq!(window.said("From the other program"), 0);
    window.say(&here, &id, "From here").await;
    assert_eq!((window.said("From the other program"), window.said("From here")), (1, 1));
    assert_eq!(window.wholes, 2, "everything anew, once");
    assert_eq!(window.items(), Window::of(&here, &id).await.items());
}

/// A conversation without a run, as an import makes it.
async fn a_chat(folder: &Path, lines: u64) -> ConversationId {
    let db = rusqlite::Connection::open(folder.join("store/store.db")).unwrap();
    db.execute(
        "INSERT INTO conversations (id, project_id, title, created_at, last_active_at)
         VALUES ('chat-1', '', 'Old chat', 0, 0)",
        [],
    )
    .unwrap();
    let id: ConversationId = "chat-1".parse().unwrap();
    let said = |seq: u64| {
        let data = serde_json::json!({ "messageId": format!("m{seq}"), "text": format!("{seq}"),
                                       "forNodeId": null });
        let line = serde_json::json!({ "v": 1, "seq": seq, "at": "2026-01-01T00:00:00Z",
            "turn": 0, "events": [{ "event": "user_said", "data": data }] });
        serde_json::from_value(line).unwrap()
    };
    let store = RuntimeStore::open(&folder.join("store")).unwrap();
    store.append_all(&id, (1..=lines).map(said).collect()).await.unwrap();
    id
}

#[tokio::test]
async fn a_conversation_without_a_run_can_be_read_back_to_its_beginning() {
    let temp = tempfile::tempdir().unwrap();
    let host = a_host(temp.path()).await;
    let id = a_chat(temp.path(), 1_000).await;
    let mut frames = host.watch(&id).await.unwrap();
    let Some(Frame::Snapshot { items, mut earlier, status }) = frames.recv().await else {
        panic!("a watcher is sent everything first");
    };
    assert_eq!((status.run.is_none(), status.seq), (true, 1_000));
    let mut seen: Vec<u64> = items.iter().map(|item| item.seq).rev().collect();
    while let Some(before) = earlier {
        let query = Query::Items { conversation_id: id.clone(), before };
        let Answer::Items(page) = host.query(query).await.unwrap() else { panic!("a page") };
        seen.extend(page.items.iter().map(|item| item.seq).rev());
        earlier = page.earlier;
    }
    assert_eq!(seen, (1..=1_000).rev().collect::<Vec<_>>());
}

/// Lines that take long to fold, at the end of a run's journal: the person says something and it
/// is the person's move again.
fn make_long(folder: &Path, id: &ConversationId, lines: u64) {
    make_longer(folder, id, lines, true);
}

/// Such lines; when they do not rest, the model is still to answer each.
fn make_longer(folder: &Path, id: &ConversationId, lines: u64, rests: bool) {
    let db = rusqlite::Connection::open(folder.join("store/store.db")).unwrap();
    let next = "SELECT max(next_seq) FROM lines WHERE conversation = ?1";
    let next: u64 = db
        .query_row(next, [id.as_str()], |row| row.get::<_, i64>(0))
        .map(|next| u64::try_from(next).unwrap())
        .unwrap();
    let insert = "INSERT INTO lines (conversation, seq, next_seq, at, format, body)
                  VALUES (?1, ?2, ?3, 0, 1, ?4)";
    db.execute_batch("BEGIN").unwrap();
    let mut insert = db.prepare(insert).unwrap();
    let step = if rests { 2 } else { 1 };
    for seq in (next..).step_by(step).take(usize::try_from(lines).unwrap()) {
        let said = serde_json::json!({ "messageId": format!("long{seq}"), "text": "words ".repeat(40),
                                       "forNodeId": null });
        let mut events = vec![serde_json::json!({ "event": "user_said", "data": said })];
        if rests {
            let data = serde_json::json!({ "phase": "waiting-user", "reason": "answered" });
            events.push(serde_json::json!({ "event": "turn_finished", "data": data }));
        }
        let next = seq + u64::try_from(events.len()).unwrap();
        let line = serde_json::json!({ "v": 1, "seq": seq, "at": "2026-01-01T00:00:00Z",
            "turn": 1, "events": events });
        let (from, to) = (i64::try_from(seq).unwrap(), i64::try_from(next).unwrap());
        insert.execute(rusqlite::params![id.as_str(), from, to, line.to_string()]).unwrap();
    }
    drop(insert);
    db.execute_batch("COMMIT").unwrap();
}

/// Whoever has to wait for the opening is never done before it, so that one time is proof. The others
/// wait for the disk, which on a busy machine may take as long as the whole opening.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_conversation_that_is_being_opened_holds_up_no_other() {
    let temp = tempfile::tempdir().unwrap();
    let first = a_host(temp.path()).await;
    let long = a_demo(&first, &temp.path().join("a")).await;
    let other = a_demo(&first, &temp.path().join("b")).await;
    first.close().await;
    // Opening it takes many times as long as what the others want.
    make_long(temp.path(), &long, 60_000);

    for turns in 7..12 {
        if others_work_while_it_is_opened(temp.path(), &long, &other, turns).await {
            return;
        }
    }
    panic!("the others were let in only after the opening");
}

async fn others_work_while_it_is_opened(
    folder: &Path,
    long: &ConversationId,
    other: &ConversationId,
    turns: u32,
) -> bool {
    let host = a_host(folder).await;
    let opening = tokio::spawn({
        let (host, conversation_id) = (Arc::clone(&host), long.clone());
        async move { host.submit(SessionCommand::Resume.to(conversation_id)).await }
    });
    // The lease is what it takes first.
    let db = rusqlite::Connection::open(folder.join("store/store.db")).unwrap();
    let taken = "SELECT count(*) FROM leases WHERE conversation = ?1";
    let taken = || db.query_row(taken, [long.as_str()], |row| row.get::<_, i64>(0)).unwrap() > 0;
    while !taken() {
        assert!(!opening.is_finished(), "it was not opened");
        tokio::task::yield_now().await;
    }
    let patch = serde_json::json!({ "engine": { "maxTurns": turns } });
    host.submit(Command::Configure { patch }).await.unwrap();
    let text = format!("The harbour at {turns}");
    host.submit(SessionCommand::Say { text: text.clone() }.to(other.clone())).await.unwrap();
    let window = Window::of(&host, other).await;
    assert_eq!(window.said(&text), 1);
    let in_time = !opening.is_finished();
    opening.await.unwrap().unwrap();
    host.close().await;
    in_time
}

/// The feed of the state document wants a task of a conversation that is watched, also after the
/// program began to close: that task would hold the conversation for as long as the program lives.
#[tokio::test]
async fn a_closed_program_opens_nothing_any_more_also_for_those_that_still_look() {
    let temp = tempfile::tempdir().unwrap();
    let first = a_host(temp.path()).await;
    let id = a_demo(&first, temp.path()).await;
    let _looking = Window::of(&first, &id).await;
    first.close().await;
    let resume = || SessionCommand::Resume.to(id.clone());
    assert_eq!(first.submit(resume()).await.unwrap_err().code, ErrorCode::Internal);
    let path = Some(temp.path().join("another").to_string_lossy().into_owned());
    let play = Command::PlayDemo { path, package: Some("hello-linear".into()) };
    assert_eq!(first.submit(play).await.unwrap_err().code, ErrorCode::Internal);

    let next = a_host(temp.path()).await;
    Window::of(&next, &id).await.say(&next, &id, "The harbour").await;
    next.close().await;
}
