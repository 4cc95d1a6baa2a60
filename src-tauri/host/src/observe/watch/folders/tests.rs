use super::*;
use notify::event::{CreateKind, DataChange, Flag, ModifyKind};
use notify::{Config, ErrorKind, Event, EventHandler, WatcherKind};
use notify_debouncer_full::DebouncedEvent;
use std::fs;
use std::time::Instant;
use tempfile::TempDir;
use tokio::sync::mpsc;

/// A system that allows no watch at all.
struct Full;

impl Watcher for Full {
    fn new<F: EventHandler>(_: F, _: Config) -> notify::Result<Self> {
        Ok(Self)
    }
    fn watch(&mut self, _: &Path, _: RecursiveMode) -> notify::Result<()> {
        Err(notify::Error::new(ErrorKind::MaxFilesWatch))
    }
    fn unwatch(&mut self, _: &Path) -> notify::Result<()> {
        Ok(())
    }
    fn kind() -> WatcherKind {
        WatcherKind::NullWatcher
    }
}

/// A folder, the same resolved, and what is put into it.
struct WatchedFolder {
    _temp: TempDir,
    root: PathBuf,
}

impl WatchedFolder {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        Self { _temp: temp, root }
    }

    fn put(&self, rel: &str, text: &str) -> &Self {
        let path = self.root.join(rel);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    fn watch<N: Watcher>(&self, scope: WatchScope) -> Folders<N> {
        let (raw, _) = mpsc::unbounded_channel();
        Folders::begin(RealPath::new(&self.root, "@project"), scope, raw).unwrap()
    }

    fn project<N: Watcher>(&self) -> Folders<N> {
        self.watch(WatchScope::Project(self.root.join("store")))
    }

    #[expect(clippy::unnecessary_wraps, reason = "as the debouncer gives it")]
    fn event(&self, kind: EventKind, rel: &str) -> DebounceEventResult {
        let event = Event::new(kind).add_path(self.root.join(rel));
        Ok(vec![DebouncedEvent::new(event, Instant::now())])
    }
}

const WRITTEN: EventKind = EventKind::Modify(ModifyKind::Data(DataChange::Any));

fn watched<N: Watcher>(place: &WatchedFolder, folders: &Folders<N>) -> Vec<String> {
    folders.watched.iter().map(|path| below(&place.root, path).unwrap()).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn rules_that_would_exhaust_the_matcher_do_not_end_the_program() {
    let nested = format!("{}a{}", "{".repeat(20_000), "}".repeat(20_000));
    let place = WatchedFolder::new();
    place.put(".gitignore", &format!("{nested}\n/target\n"));
    place.put("target/x", "").put("docs/a.md", "");
    let folders: Folders<RecommendedWatcher> = place.project();
    assert_eq!(watched(&place, &folders), ["", "docs"]);
    place.put(".crewagentignore", &nested);
    let folders: Folders<RecommendedWatcher> = place.project();
    assert_eq!(watched(&place, &folders), [""], "private rules that say nothing hide everything");
}

#[cfg(target_os = "linux")]
#[test]
fn ignored_folders_get_no_watch() {
    let place = WatchedFolder::new();
    place
        .put(".gitignore", "/target\n*.log\n")
        .put(".crewagentignore", "private/\n")
        .put("target/debug/x", "")
        .put("node_modules/a/b.js", "")
        .put("sub/node_modules/a.js", "")
        .put(".git/HEAD", "")
        .put(".idea/x", "")
        .put("private/diary/x", "")
        .put("store/store.db", "")
        .put("src/deep/er/a.rs", "");
    let folders = place.project::<RecommendedWatcher>();
    assert_eq!(watched(&place, &folders), ["", "src", "src/deep", "src/deep/er", "sub"]);
    let folders = place.watch::<RecommendedWatcher>(WatchScope::Tree);
    assert!(watched(&place, &folders).contains(&"private/diary".to_owned()));
    assert!(!watched(&place, &folders).iter().any(|p| p.contains(".git") || p.contains("modules")));
}

#[test]
fn changes_of_ignored_files_are_not_told_and_a_change_of_the_rules_is() {
    let place = WatchedFolder::new();
    place.put(".gitignore", "*.log\n").put(".crewagentignore", "private/\n").put("private/a", "");
    let mut folders = place.project::<RecommendedWatcher>();
    let quiet = ["x.log", "private/a", ".git/index", "node_modules/a.js", ".a.md.swp", "store/db"];
    let quiet = quiet.map(|rel| place.event(WRITTEN, rel));
    assert_eq!(folders.digest(quiet.into()), Changes::default());

    let told = folders.digest(vec![place.event(WRITTEN, "notes/a.md"), place.event(WRITTEN, "b")]);
    assert_eq!(told.paths.iter().collect::<Vec<_>>(), ["b", "notes/a.md"]);
    assert!(!told.rescan);
    let rules = folders.digest(vec![place.event(WRITTEN, ".gitignore")]);
    assert!(rules.rescan, "other files may be shown now");
    assert!(!folders.digest(vec![place.event(WRITTEN, ".crewagent.json")]).is_empty());
}

#[test]
fn reading_is_no_change() {
    let place = WatchedFolder::new();
    place.put("a.md", "");
    let mut folders = place.project::<RecommendedWatcher>();
    let read = EventKind::Access(notify::event::AccessKind::Any);
    assert_eq!(folders.digest(vec![place.event(read, "a.md")]), Changes::default());
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_came_is_watched_and_one_that_went_is_not() {
    let place = WatchedFolder::new();
    let mut folders = place.project::<RecommendedWatcher>();
    place.put("new/below/a.md", "");
    let made = EventKind::Create(CreateKind::Folder);
    let told = folders.digest(vec![place.event(made, "new")]);
    assert_eq!(told.paths.into_iter().collect::<Vec<_>>(), ["new"]);
    assert_eq!(watched(&place, &folders), ["", "new", "new/below"]);
    fs::remove_dir_all(place.root.join("new")).unwrap();
    folders.digest(vec![place.event(WRITTEN, "new")]);
    assert_eq!(watched(&place, &folders), [""]);
}

#[cfg(target_os = "linux")]
#[test]
fn events_that_were_lost_and_errors_mean_that_everything_is_looked_at_again() {
    let place = WatchedFolder::new();
    let mut folders = place.project::<RecommendedWatcher>();
    place.put("unseen/a.md", "");
    let lost = Event::new(EventKind::Other).set_flag(Flag::Rescan);
    let told = folders.digest(vec![Ok(vec![DebouncedEvent::new(lost, Instant::now())])]);
    assert!(told.rescan);
    assert_eq!(watched(&place, &folders), ["", "unseen"]);
    place.put("later/a.md", "");
    assert!(folders.digest(vec![Err(vec![notify::Error::generic("broken")])]).rescan);
    assert_eq!(watched(&place, &folders), ["", "later", "unseen"]);
}

#[test]
fn at_the_systems_limit_folders_are_looked_at_now_and_then_and_it_is_said_once() {
    let place = WatchedFolder::new();
    place.put("src/a.rs", "1");
    let (raw, mut changes) = mpsc::unbounded_channel();
    let root = RealPath::new(&place.root, "@project");
    let scope = WatchScope::Project(place.root.join("store"));
    let mut folders = Folders::<Full>::begin(root, scope, raw).unwrap();
    assert!(folders.is_limited());
    assert_eq!(watched(&place, &folders), ["", "src"]);

    place.put("src/new.rs", "2");
    let told = loop {
        let told = folders.digest(vec![changes.blocking_recv().unwrap()]);
        if !told.is_empty() {
            break told;
        }
    };
    assert_eq!(told.paths.into_iter().collect::<Vec<_>>(), ["src/new.rs"]);
    assert!(!told.limited, "said at the beginning already");
    folders.stop();
}

#[test]
fn a_limit_that_is_met_later_is_told_with_the_change_that_met_it() {
    let place = WatchedFolder::new();
    let mut folders = place.project::<RecommendedWatcher>();
    assert!(!folders.is_limited());
    let full = Err(vec![notify::Error::new(ErrorKind::MaxFilesWatch)]);
    let told = folders.digest(vec![full]);
    assert!(told.limited && told.rescan);
    assert!(!folders.digest(vec![place.event(WRITTEN, "a.md")]).limited);
}

#[test]
fn only_the_files_that_are_named_are_told() {
    let place = WatchedFolder::new();
    let mut folders =
        place.watch::<RecommendedWatcher>(WatchScope::Files(vec!["settings.json".to_owned()]));
    let other = ["store.db-wal", "settings.json.lock", "logs/settings.json"];
    assert_eq!(
        folders.digest(other.map(|rel| place.event(WRITTEN, rel)).into()),
        Changes::default()
    );
    assert!(!folders.digest(vec![place.event(WRITTEN, "settings.json")]).is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn a_watch_takes_no_more_rules_at_once_than_a_tool() {
    let full = |last: &str| format!("{}{last}\n", "none\n".repeat(9_999));
    let place = WatchedFolder::new();
    for folder in ["", "a/", "b/"] {
        place.put(&format!("{folder}.gitignore"), &full("out")).put(&format!("{folder}out/x"), "");
    }
    place.put("a/deep/.gitignore", "own\n").put("a/deep/own/x", "");
    let folders: Folders<RecommendedWatcher> = place.project();
    assert_eq!(watched(&place, &folders), ["", "a", "a/deep", "a/deep/own", "b"]);
    place.put("a/.crewagentignore", &full("out")).put("a/deep/.crewagentignore", &full("out"));
    place.put(".crewagentignore", &full("out"));
    let folders: Folders<RecommendedWatcher> = place.project();
    assert_eq!(watched(&place, &folders), ["", "a", "a/deep", "b"], "what is too much hides");
}
