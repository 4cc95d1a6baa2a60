//! What is told beside conversations (spec 08 "Watching"): a real host, a real store, real files.

use host::host::{Host, HostOptions, ModelChoice};
use host::store::RuntimeStore;
use kernel::command::{Command, Query, SessionCommand};
use kernel::event::{Author, Event, Phase};
use kernel::ids::{ConversationId, ProjectId, RunId};
use kernel::settings::Settings;
use kernel::wire::{Answer, Frame, LogKind, Noticed, StateEdit, WatchTarget};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// Longer than anything here takes; a test that waits for it has failed.
const PATIENCE: Duration = Duration::from_secs(30);

struct Place {
    temp: tempfile::TempDir,
    host: Arc<Host>,
}

impl Place {
    async fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let mut options = HostOptions::new(temp.path().join("store"), "cli");
        options.model = ModelChoice::Demo;
        let host = Host::open(options).await.unwrap();
        Self { temp, host }
    }

    /// The store, as another program reads it.
    fn stored(&self) -> RuntimeStore {
        RuntimeStore::open(&self.temp.path().join("store")).unwrap()
    }

    /// The settings in force.
    async fn settings(&self) -> Settings {
        let Answer::Settings(view) = self.host.query(Query::Settings).await.unwrap() else {
            panic!("another answer")
        };
        view.settings
    }

    fn folder(&self) -> PathBuf {
        self.temp.path().join("project")
    }

    async fn project(&self) -> ProjectId {
        let path = self.folder().to_str().unwrap().to_owned();
        let receipt = self.host.submit(Command::OpenProject { path, create: true }).await;
        receipt.unwrap().project_id.unwrap()
    }

    /// A demo run that waits for an answer.
    async fn waiting_run(&self) -> (ProjectId, ConversationId, RunId) {
        let path = Some(self.folder().to_str().unwrap().to_owned());
        let package = Some("hello-linear".to_owned());
        let receipt = self.host.submit(Command::PlayDemo { path, package }).await.unwrap();
        let conversation = receipt.conversation_id.unwrap();
        let mut lines = self.host.follow(&conversation, 0).await.unwrap();
        until(&mut lines, |line| {
            let line = line.as_ref().unwrap();
            line.events.iter().any(|e| matches!(e, Event::TurnFinished(_))).then_some(())
        })
        .await;
        (receipt.project_id.unwrap(), conversation, receipt.run_id.unwrap())
    }

    fn document(&self, project: &ProjectId, run: &RunId) -> PathBuf {
        let runs = self.temp.path().join("store/projects").join(project.as_str()).join("runs");
        runs.join(run.as_str()).join("state/workflow.md")
    }
}

/// The first of what comes that `wanted` makes something of.
async fn until<T, R>(
    stream: &mut mpsc::UnboundedReceiver<T>,
    mut wanted: impl FnMut(&T) -> Option<R>,
) -> R {
    let look = async {
        loop {
            let got = stream.recv().await.expect("the stream ended");
            if let Some(found) = wanted(&got) {
                return found;
            }
        }
    };
    tokio::time::timeout(PATIENCE, look).await.expect("it did not come in time")
}

async fn next(noticed: &mut mpsc::Receiver<Noticed>) -> Noticed {
    let next = tokio::time::timeout(PATIENCE, noticed.recv()).await;
    next.expect("nothing was told in time").expect("the feed ended")
}

fn paths(noticed: Noticed) -> Vec<String> {
    let Noticed::Files { paths, .. } = noticed else { panic!("{noticed:?}") };
    serde_json::from_value(json!(paths)).unwrap()
}

/// Replaces a file as editors do: a new one, renamed over the old one.
fn save(path: &Path, text: &str) {
    let fresh = path.with_extension("saving");
    std::fs::write(&fresh, text).unwrap();
    std::fs::rename(fresh, path).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_saved_by_an_editor_is_told_by_its_alias_path_and_only_once() {
    let place = Place::new().await;
    let project_id = place.project().await;
    std::fs::write(place.folder().join("notes.md"), "one").unwrap();
    let mut noticed =
        place.host.notice(WatchTarget::Project { project_id: project_id.clone() }).await.unwrap();
    save(&place.folder().join("notes.md"), "two");
    assert!(paths(next(&mut noticed).await).contains(&"@project/notes.md".to_owned()));

    // The same file again, in place: the folder is still watched after the rename.
    std::fs::write(place.folder().join("notes.md"), "three").unwrap();
    assert_eq!(paths(next(&mut noticed).await), ["@project/notes.md"]);
    std::fs::create_dir_all(place.folder().join("new/deep")).unwrap();
    assert!(paths(next(&mut noticed).await).contains(&"@project/new".to_owned()));
    std::fs::write(place.folder().join("new/deep/er.md"), "x").unwrap();
    assert_eq!(paths(next(&mut noticed).await), ["@project/new/deep/er.md"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_changes_fifty_are_named_and_the_rest_is_said_to_be_there() {
    let place = Place::new().await;
    let project_id = place.project().await;
    let mut noticed = place.host.notice(WatchTarget::Project { project_id }).await.unwrap();
    let many = place.folder().join("many");
    let elsewhere = place.temp.path().join("many");
    std::fs::create_dir(&elsewhere).unwrap();
    std::fs::create_dir(&many).unwrap();
    assert_eq!(paths(next(&mut noticed).await), ["@project/many"]);
    for n in 0..200 {
        std::fs::write(many.join(format!("{n}.md")), "x").unwrap();
    }
    let mut named = 0;
    loop {
        let Noticed::Files { paths, more, .. } = next(&mut noticed).await else { panic!() };
        assert!(paths.len() <= Noticed::MAX_PATHS);
        named += paths.len();
        if more || named == 200 {
            break;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_run_writes_itself_is_no_news() {
    let place = Place::new().await;
    let (project_id, conversation_id, _) = place.waiting_run().await;
    let mut noticed = place.host.notice(WatchTarget::Project { project_id }).await.unwrap();
    let mut lines = place.host.follow(&conversation_id, 0).await.unwrap();
    let text = "Ada".to_owned();
    place.host.submit(SessionCommand::Say { text }.to(conversation_id)).await.unwrap();
    let written = until(&mut lines, |line| {
        line.as_ref().unwrap().events.iter().find_map(|event| match event {
            Event::CallEnded(ended) if ended.ok && ended.tool == "fs.write" => {
                Some(ended.facts[0].path.clone().unwrap().to_string())
            }
            _ => None,
        })
    })
    .await;
    until(&mut lines, |line| {
        let events = &line.as_ref().unwrap().events;
        events.iter().any(|e| matches!(e, Event::TurnFinished(_))).then_some(())
    })
    .await;
    std::fs::write(place.folder().join("mine.md"), "by hand").unwrap();
    loop {
        let told = paths(next(&mut noticed).await);
        assert!(!told.contains(&written), "{told:?}");
        if told.contains(&"@project/mine.md".to_owned()) {
            break;
        }
    }
    // Edited by a person afterwards, the same file is news.
    let real = place.folder().join(written.strip_prefix("@project/").unwrap());
    std::fs::write(real, "edited").unwrap();
    assert!(paths(next(&mut noticed).await).contains(&written));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_of_the_settings_holds_at_once_and_an_invalid_one_keeps_the_old_value() {
    let place = Place::new().await;
    let mut noticed = place.host.notice(WatchTarget::App).await.unwrap();
    let file = place.temp.path().join("store/settings.json");
    save(&file, r#"{"engine":{"maxTurns":9}}"#);
    assert_eq!(next(&mut noticed).await, Noticed::Settings { problems: Vec::new() });
    assert_eq!(place.settings().await.engine.max_turns, 9);

    save(&file, r#"{"engine":{"maxTurns":0},"model":{"model":"m"}}"#);
    let Noticed::Settings { problems } = next(&mut noticed).await else { panic!() };
    assert_eq!(problems[0].details.as_ref().unwrap()["field"], "engine.maxTurns");
    let now = place.settings().await;
    assert_eq!((now.engine.max_turns, now.model.model.as_str()), (9, "m"));

    // The window's own change is no news; the next edit is.
    let patch = json!({"engine": {"maxTurns": 11}});
    place.host.submit(Command::Configure { patch }).await.unwrap();
    save(&file, r#"{"engine":{"maxTurns":12}}"#);
    assert_eq!(next(&mut noticed).await, Noticed::Settings { problems: Vec::new() });
    assert_eq!(place.settings().await.engine.max_turns, 12);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_set_by_hand_stops_the_next_turn_of_a_conversation_that_was_open() {
    let place = Place::new().await;
    let (_, conversation_id, _) = place.waiting_run().await;
    let mut noticed = place.host.notice(WatchTarget::App).await.unwrap();
    save(&place.temp.path().join("store/settings.json"), r#"{"engine":{"maxTurns":1}}"#);
    next(&mut noticed).await;
    let mut lines = place.host.follow(&conversation_id, 0).await.unwrap();
    let text = "Ada".to_owned();
    place.host.submit(SessionCommand::Say { text }.to(conversation_id)).await.unwrap();
    let mut said = false;
    let code = until(&mut lines, |line| {
        line.as_ref().unwrap().events.iter().find_map(|event| {
            said |= matches!(event, Event::UserSaid(_));
            match event {
                Event::TurnFinished(e) if said => Some(e.failure.as_ref().map(|f| f.code.as_str())),
                _ => None,
            }
        })
    })
    .await;
    assert_eq!(code, Some("ENGINE_MAX_TURNS_EXCEEDED"));
}

/// The next edit a watcher is shown, `None` when there is none any more.
async fn shown_edit(
    frames: &mut mpsc::UnboundedReceiver<Frame>,
    wanted: bool,
) -> Option<StateEdit> {
    until(frames, |frame| {
        let (Frame::Status { status } | Frame::Snapshot { status, .. }) = frame else {
            return None;
        };
        (status.state_edit.is_some() == wanted).then(|| status.state_edit.clone())
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_of_the_state_document_is_shown_at_once_and_adopted_at_the_next_turn() {
    let place = Place::new().await;
    let (project, conversation_id, run) = place.waiting_run().await;
    let document = place.document(&project, &run);
    let mut frames = place.host.watch(&conversation_id).await.unwrap();
    let accepted = std::fs::read_to_string(&document).unwrap();

    save(&document, "no front matter");
    let refused = shown_edit(&mut frames, true).await.unwrap().refused.unwrap();
    assert_eq!(refused.code.as_str(), "E_INVALID_FRONTMATTER");
    assert_eq!(
        std::fs::read_to_string(&document).unwrap(),
        "no front matter",
        "nothing is put aside yet"
    );

    save(&document, &accepted);
    assert_eq!(shown_edit(&mut frames, false).await, None);

    let edited = format!("{accepted}\nA note of the person.\n");
    save(&document, &edited);
    assert_eq!(shown_edit(&mut frames, true).await, Some(StateEdit { refused: None }));
    let before = place.stored().lines(&conversation_id, 0).await.unwrap();
    let by_user = |event: &Event| matches!(event, Event::StateChanged(e) if e.by == Author::User);
    assert!(!before.iter().flat_map(|line| &line.events).any(by_user), "nothing is recorded yet");

    let mut lines = place.host.follow(&conversation_id, 0).await.unwrap();
    let text = "Ada".to_owned();
    place.host.submit(SessionCommand::Say { text }.to(conversation_id)).await.unwrap();
    let adopted = until(&mut lines, |line| {
        line.as_ref().unwrap().events.iter().find_map(|event| match event {
            Event::StateChanged(e) if e.by == Author::User => Some(e.text.clone()),
            _ => None,
        })
    })
    .await;
    assert_eq!(adopted, edited);
    assert_eq!(shown_edit(&mut frames, false).await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_made_while_nobody_looked_is_shown_when_the_conversation_is_opened() {
    let place = Place::new().await;
    let (project, conversation, run) = place.waiting_run().await;
    let document = place.document(&project, &run);
    std::fs::remove_file(&document).unwrap();
    let mut frames = place.host.watch(&conversation).await.unwrap();
    let refused = shown_edit(&mut frames, true).await.unwrap().refused.unwrap();
    assert_eq!(refused.code.as_str(), "STATE_FILE_NOT_FOUND");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_works_shows_no_edit_of_its_own() {
    let place = Place::new().await;
    let (_, conversation_id, _) = place.waiting_run().await;
    let mut frames = place.host.watch(&conversation_id).await.unwrap();
    let text = "Ada".to_owned();
    place.host.submit(SessionCommand::Say { text }.to(conversation_id)).await.unwrap();
    let mut worked = false;
    until(&mut frames, |frame| {
        let Frame::Status { status } = frame else { return None };
        assert_eq!(status.state_edit, None);
        let phase = status.run.as_ref().map(|run| run.phase);
        worked |= phase == Some(Phase::Running);
        (worked && phase != Some(Phase::Running)).then_some(())
    })
    .await;
}

#[cfg(target_os = "linux")]
fn watching_threads() -> usize {
    std::fs::read_dir("/proc/self/task")
        .unwrap()
        .flatten()
        .filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok())
        .filter(|name| name.starts_with("notify-rs"))
        .count()
}

#[cfg(target_os = "linux")]
fn system_watches() -> usize {
    std::fs::read_dir("/proc/self/fdinfo")
        .unwrap()
        .flatten()
        .filter_map(|fd| std::fs::read_to_string(fd.path()).ok())
        .map(|info| info.lines().filter(|line| line.starts_with("inotify ")).count())
        .sum()
}

/// Waits until it holds. What ends here are threads of others, which tell nobody.
async fn comes_true(what: &str, mut holds: impl FnMut() -> bool) {
    let wait = async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, wait).await.unwrap_or_else(|_| panic!("{what}"));
}

/// Set in a process of its own: threads and watches are counted for the whole process.
#[cfg(target_os = "linux")]
const ALONE: &str = "CREWAGENT_TEST_ALONE";

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_watched_before_somebody_asks_and_nothing_is_left_when_they_go() {
    if std::env::var_os(ALONE).is_none() {
        let name =
            "watching::nothing_is_watched_before_somebody_asks_and_nothing_is_left_when_they_go";
        let alone = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", name])
            .env(ALONE, "1")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&alone.stdout);
        assert!(alone.status.success() && said.contains("1 passed"), "{said}");
        return;
    }
    let place = Place::new().await;
    let (project_id, conversation, _) = place.waiting_run().await;
    assert_eq!((watching_threads(), system_watches()), (0, 0));

    let host = &place.host;
    let frames = host.watch(&conversation).await.unwrap();
    let files = host.notice(WatchTarget::Project { project_id }).await.unwrap();
    let app = host.notice(WatchTarget::App).await.unwrap();
    let log = host.notice(WatchTarget::Log { conversation_id: None }).await.unwrap();
    comes_true("three roots are watched", || system_watches() >= 3).await;

    drop((frames, files, app, log));
    comes_true("the watching ends", || system_watches() == 0).await;
    comes_true("no thread is left", || watching_threads() == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_folder_that_goes_is_told_and_one_that_is_gone_is_refused() {
    let place = Place::new().await;
    let project_id = place.project().await;
    let target = WatchTarget::Project { project_id };
    let mut noticed = place.host.notice(target.clone()).await.unwrap();
    std::fs::remove_dir_all(place.folder()).unwrap();
    loop {
        let Noticed::Files { more, .. } = next(&mut noticed).await else { panic!() };
        if more {
            break;
        }
    }
    let failure = place.host.notice(target).await.unwrap_err();
    assert_eq!(failure.code.as_str(), "PROJECT_ROOT_INVALID");
    assert!(!format!("{failure:?}").contains(place.temp.path().to_str().unwrap()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_package_being_written_is_told_as_a_folder_and_as_a_file() {
    let place = Place::new().await;
    let folder = place.temp.path().join("my-package");
    std::fs::create_dir_all(folder.join("steps")).unwrap();
    let path = folder.to_str().unwrap().to_owned();
    let mut noticed = place.host.notice(WatchTarget::Package { path: path.clone() }).await.unwrap();
    save(&folder.join("steps/one.md"), "# One");
    assert_eq!(next(&mut noticed).await, Noticed::Package { path });

    let file = place.temp.path().join("my.bmad");
    std::fs::write(&file, "1").unwrap();
    let path = file.to_str().unwrap().to_owned();
    let mut noticed = place.host.notice(WatchTarget::Package { path: path.clone() }).await.unwrap();
    std::fs::write(place.temp.path().join("other.bmad"), "x").unwrap();
    save(&file, "2");
    assert_eq!(next(&mut noticed).await, Noticed::Package { path });
}

#[tokio::test(flavor = "multi_thread")]
async fn every_call_of_a_run_is_in_the_audit_log_when_it_rests_and_the_log_shows_it() {
    let place = Place::new().await;
    let (project, conversation, run) = place.waiting_run().await;
    place.host.close().await;
    let audit = place.document(&project, &run).with_file_name("logs").join("execution.jsonl");
    let text = std::fs::read_to_string(audit).unwrap();
    let written: Vec<String> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["toolCallId"].to_string())
        .collect();
    let lines = place.stored().lines(&conversation, 0).await.unwrap();
    let ended: Vec<String> = (lines.iter().flat_map(|line| &line.events))
        .filter_map(|event| match event {
            Event::CallEnded(ended) => Some(format!("\"{}\"", ended.call_id)),
            _ => None,
        })
        .collect();
    assert!(!ended.is_empty());
    assert_eq!(written, ended, "one line a call, in their order");

    for (about, seen) in [(Some(conversation), ended.len()), (None, 0)] {
        let target = WatchTarget::Log { conversation_id: about };
        let mut noticed = place.host.notice(target).await.unwrap();
        let Noticed::Log { rows, dropped } = next(&mut noticed).await else { panic!() };
        let calls = rows.iter().filter(|row| row.kind == LogKind::Tool).count();
        assert_eq!((calls, dropped), (seen, 0));
    }
}
