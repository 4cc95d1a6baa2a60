//! The import of an Electron runtime's store, killed at every crash point it passes: a conversation
//! is there whole or not at all, and the next import comes to the same end.

use host::crash::Point;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::points::in_parallel;
use support::old_store::Old;
use support::program::{Done, Sandbox};

/// An old store beside an empty new one.
fn world() -> (Sandbox, String) {
    let sandbox = Sandbox::in_memory();
    let folder = sandbox.path("elsewhere");
    std::fs::create_dir(&folder).unwrap();
    let dir = Old::make(&folder).data.to_string_lossy().into_owned();
    (sandbox, dir)
}

fn import(sandbox: &Sandbox, dir: &str, env: &[(&str, &str)]) -> Done {
    sandbox.run_with(&["migrate-electron", dir, "--json", "--yes"], env)
}

/// What is in the tables, but times: table, conversation (or none) and row.
type Rows = Vec<(&'static str, String, Value)>;

const TABLES: [(&str, &str, &str); 6] = [
    ("conversations", "id", "id, project_id, title, message_count"),
    ("runs", "conversation_id", "id, conversation_id, package_id, phase, reason"),
    ("messages", "conversation", "seq, id, role, content, part_type, coalesce(widget, '')"),
    ("lines", "conversation", "seq, next_seq"),
    ("packages", "''", "id"),
    ("projects", "''", "id, name"),
];

fn rows(sandbox: &Sandbox) -> Rows {
    let db = sandbox.database();
    let made = "SELECT count(*) FROM sqlite_master WHERE name = 'lines'";
    if db.query_row(made, [], |row| row.get(0)) != Ok(1) {
        return Rows::new();
    }
    let mut out = Rows::new();
    for (table, of, columns) in TABLES {
        let sql =
            format!("SELECT {of}, json_array({columns}) FROM {table} ORDER BY {of}, {columns}");
        let mut found = db.prepare(&sql).unwrap();
        let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get::<_, String>(1)?));
        let found = found.query_map([], read).unwrap();
        out.extend(found.map(|row| {
            let (of, row) = row.unwrap();
            (table, of, serde_json::from_str(&row).unwrap())
        }));
    }
    out
}

fn of<'a>(rows: &'a Rows, conversation: &str) -> Vec<&'a (&'static str, String, Value)> {
    rows.iter().filter(|(_, of, _)| of == conversation).collect()
}

/// Every file below the store's projects, and the settings.
fn files(sandbox: &Sandbox) -> BTreeMap<String, Vec<u8>> {
    let store = sandbox.path("store");
    let mut found = BTreeMap::new();
    walk(&store, &store.join("projects"), &mut found);
    if let Ok(settings) = std::fs::read(store.join("settings.json")) {
        found.insert("settings.json".to_owned(), settings);
    }
    found
}

fn walk(root: &Path, folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(root, &path, found);
        } else {
            let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            found.insert(name, std::fs::read(&path).unwrap());
        }
    }
}

/// The files of a conversation: below its run's folder, or its own.
fn files_of(
    files: &BTreeMap<String, Vec<u8>>,
    rows: &Rows,
    conversation: &str,
) -> BTreeMap<String, Vec<u8>> {
    let run = rows.iter().find(|(table, of, _)| *table == "runs" && of == conversation);
    let folder = run.map_or_else(
        || format!("chat-{conversation}"),
        |(_, _, row)| row[0].as_str().unwrap().to_owned(),
    );
    let inside = format!("/runs/{folder}/");
    let own = files.iter().filter(|(name, _)| name.contains(&inside));
    own.map(|(name, bytes)| (name.clone(), bytes.clone())).collect()
}

struct Whole {
    rows: Rows,
    files: BTreeMap<String, Vec<u8>>,
    passed: BTreeMap<String, usize>,
}

impl Whole {
    fn new() -> Self {
        let (sandbox, dir) = world();
        let log = sandbox.write("passed.txt", "");
        import(&sandbox, &dir, &[("CREWAGENT_CRASH_LOG", &log)]).exits(0);
        let mut passed = BTreeMap::new();
        for name in std::fs::read_to_string(&log).unwrap().lines() {
            *passed.entry(name.to_owned()).or_default() += 1;
        }
        Self { rows: rows(&sandbox), files: files(&sandbox), passed }
    }

    /// Each point of the import itself the first time, in the middle and the last time it is
    /// passed; the others once, each another time.
    fn cases(&self) -> Vec<String> {
        let mut cases = Vec::new();
        for point in Point::ALL {
            let Some(&times) = self.passed.get(point.name()) else { continue };
            let mut at = if point.name().starts_with("import.") {
                vec![1, times.div_ceil(2), times]
            } else {
                vec![1 + (cases.len() * 7) % times]
            };
            at.dedup();
            cases.extend(at.into_iter().map(|time| format!("{}:{time}", point.name())));
        }
        cases
    }

    /// What the kill left: of each conversation all or nothing.
    fn is_whole_so_far(&self, sandbox: &Sandbox) -> Result<(), String> {
        let (rows, files) = (rows(sandbox), files(sandbox));
        let told = rows.iter().filter(|(table, ..)| *table == "conversations");
        for (_, id, _) in told {
            if of(&rows, id) != of(&self.rows, id) {
                return Err(format!("{id} is there in part"));
            }
            if files_of(&files, &rows, id) != files_of(&self.files, &self.rows, id) {
                return Err(format!("files of {id} are missing"));
            }
        }
        Ok(())
    }

    fn comes_to_the_same_end(&self, sandbox: &Sandbox, dir: &str) -> Result<(), String> {
        import(sandbox, dir, &[]).exits(0);
        if rows(sandbox) != self.rows {
            return Err("other rows".to_owned());
        }
        let files = files(sandbox);
        if files != self.files {
            let names =
                |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
            return Err(format!("other files: {:#?}", names(&files)));
        }
        let again = import(sandbox, dir, &[]).exits(0).json();
        if again["totals"]["imported"] != 0 {
            return Err(format!("imported again: {}", again["totals"]));
        }
        Ok(())
    }
}

#[test]
fn an_import_killed_at_any_crash_point_is_whole_so_far_and_completed_by_the_next() {
    let whole = Whole::new();
    let never: Vec<&str> = Point::ALL.iter().map(|point| point.name()).collect();
    let never = never.into_iter().filter(|name| name.starts_with("import."));
    let never: Vec<&str> = never.filter(|name| !whole.passed.contains_key(*name)).collect();
    assert!(never.is_empty(), "no import passes these crash points: {never:?}");
    let cases = whole.cases();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    in_parallel(|| {
        while let Some(at) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (sandbox, dir) = world();
            let done = import(&sandbox, &dir, &[("CREWAGENT_CRASH_AT", at)]);
            assert_eq!(done.code, None, "{at} is not passed");
            let so_far = whole.is_whole_so_far(&sandbox);
            let end = so_far.and_then(|()| whole.comes_to_the_same_end(&sandbox, &dir));
            if let Err(why) = end {
                found.lock().unwrap().push(format!("{at}: {why}"));
            }
        }
    });
    let found = found.into_inner().unwrap();
    println!("{} kills of an import, {} wrong", cases.len(), found.len());
    assert!(found.is_empty(), "{found:#?}");
}
