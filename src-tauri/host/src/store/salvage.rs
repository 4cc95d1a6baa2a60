//! A damaged database: everything readable is copied into a fresh one, the damaged file is kept
//! as `store.db.corrupt-<n>`, files in folders are never touched (spec 08).
//!
//! The order of the steps makes every crash in between harmless: the fresh database gets the name
//! `store.db.salvaged` when it is whole, and a start that finds that name finishes the move.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use kernel::code::{ErrorCode, Failure};
use kernel::event::Line;
use kernel::ids::ConversationId;
use kernel::phrase::store;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::rows::{self, NewRun};
use super::sql::{int, uint};
use super::{import, journal, schema, sqlite_error};
use crate::crash::{Point, point};

/// Tables copied row by row, with the columns copied. Messages and the search index are
/// made anew from the lines.
const TABLES: &[(&str, &str)] = &[
    ("projects", "id, name, location, last_opened_at, forgotten"),
    ("former_places", "project_id, location"),
    ("packages", "id, name, version, description, summary, has_demo, installed_at"),
    (
        "conversations",
        "id, project_id, title, created_at, last_active_at, message_count, custom_title",
    ),
    (
        "runs",
        "id, conversation_id, project_id, package_id, workflow_id, agent_id, title, phase, \
         reason, created_at, updated_at",
    ),
    ("lines", "id, conversation, seq, next_seq, at, format, body"),
    ("removed_runs", "project_id, run_id"),
    ("drafts", "place, conversation, body, at"),
];

/// Row numbers tried one by one inside a damaged stretch.
const PROBES: i64 = 100_000;

fn with_suffix(db: &Path, suffix: &str) -> PathBuf {
    let mut name = db.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// What was saved.
#[derive(Debug, Default, PartialEq)]
struct Saved {
    runs: i64,
    lines: usize,
    /// Readable, but behind a gap in their journal.
    cut_lines: usize,
}

/// Replaces the damaged `db` by a fresh one with everything readable. Nobody else may have the
/// store open. Returns what to tell the user.
pub(super) fn salvage(db: &Path) -> Result<Failure, Failure> {
    let io = |e: io::Error| {
        crate::failure::io(ErrorCode::StoreOpenFailed, store::damaged_not_saved(), &e)
            .with_action(store::free_and_start())
    };
    let (copy, fresh) = (with_suffix(db, ".salvaging-from"), with_suffix(db, ".salvaging"));
    remove(&copy).and_then(|()| remove(&fresh)).map_err(io)?;
    // A copy, because reading a database with a log changes its files.
    fs::copy(db, &copy).map_err(io)?;
    if with_suffix(db, "-wal").exists() {
        fs::copy(with_suffix(db, "-wal"), with_suffix(&copy, "-wal")).map_err(io)?;
    }
    point(Point::AfterSalvageCopy);
    let saved = fill(&copy, &fresh)?;
    point(Point::AfterSalvageFill);
    remove(&copy).map_err(io)?;
    fs::rename(&fresh, with_suffix(db, ".salvaged")).map_err(io)?;
    point(Point::BeforeSalvageMove);
    let kept = finish(db).map_err(io)?.unwrap_or_default();
    Ok(notice(&saved, &kept))
}

fn notice(saved: &Saved, kept: &str) -> Failure {
    Failure::new(ErrorCode::StoreReadFailed, store::was_damaged(saved.runs, saved.lines))
        .with_details(serde_json::json!({
            "savedRuns": saved.runs,
            "savedLines": saved.lines,
            "cutLines": saved.cut_lines,
            "kept": kept,
        }))
        .with_action(store::damaged_kept_as(kept))
}

/// Puts a finished `store.db.salvaged` in place; the damaged file's new name, when there was one
/// to do.
pub(super) fn finish(db: &Path) -> io::Result<Option<String>> {
    let salvaged = with_suffix(db, ".salvaged");
    if !salvaged.exists() {
        return Ok(None);
    }
    let mut n = 1;
    let aside = loop {
        let name = with_suffix(db, &format!(".corrupt-{n}"));
        if !name.exists() && !with_suffix(&name, "-wal").exists() {
            break name;
        }
        n += 1;
    };
    // The log first: once the database has gone, what is left is complete.
    move_if_there(&with_suffix(db, "-wal"), &with_suffix(&aside, "-wal"))?;
    point(Point::AfterSalvageLog);
    move_if_there(db, &aside)?;
    point(Point::AfterSalvageAside);
    remove(&with_suffix(db, "-shm"))?;
    fs::rename(&salvaged, db)?;
    Ok(aside.file_name().map(|n| n.to_string_lossy().into_owned()))
}

fn move_if_there(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Removes a database with its side files.
fn remove(db: &Path) -> io::Result<()> {
    for suffix in ["", "-wal", "-shm"] {
        match fs::remove_file(with_suffix(db, suffix)) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
            _ => {}
        }
    }
    Ok(())
}

fn fill(copy: &Path, fresh: &Path) -> Result<Saved, Failure> {
    let to = schema::open_writer(fresh, false).map_err(|unusable| match unusable {
        schema::UnusableDatabase::Failed(failure) => failure,
        schema::UnusableDatabase::Damaged => {
            Failure::new(ErrorCode::StoreOpenFailed, store::no_fresh_store())
                .with_action(store::check_disk_or_store())
        }
    })?;
    let failed = |e: rusqlite::Error| sqlite_error::open_failed(&e);
    // Rows arrive in any order and with gaps; `mend` makes them consistent.
    to.execute_batch("PRAGMA foreign_keys = OFF; BEGIN").map_err(failed)?;
    if let Ok(from) = Connection::open(copy) {
        for (table, columns) in TABLES {
            copy_table(&from, &to, table, columns).map_err(failed)?;
        }
    }
    let saved = mend(&to).map_err(failed)?;
    to.execute_batch("COMMIT").map_err(failed)?;
    to.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).map_err(failed)?;
    to.close().map_err(|(_, e)| failed(e))?;
    Ok(saved)
}

/// From the front until damage, from the back until damage, then row by row in between.
fn copy_table(
    from: &Connection,
    to: &Connection,
    table: &str,
    columns: &str,
) -> Result<(), rusqlite::Error> {
    let marks = vec!["?"; columns.split(',').count()].join(", ");
    let insert = format!("INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})");
    let mut put =
        |values: Vec<Value>| to.prepare_cached(&insert)?.execute(params_from_iter(values));
    let select = |rest: &str| format!("SELECT rowid, {columns} FROM {table} {rest}");
    if from.prepare(&select("")).is_err() {
        tracing::warn!(table, "a table of the store is lost");
        return Ok(());
    }
    let Err(front) = scan(from, &select("ORDER BY rowid"), [], &mut put)? else { return Ok(()) };
    tracing::warn!(table, row = front, "a table of the store is damaged");
    let behind = select("WHERE rowid > ?1 ORDER BY rowid DESC");
    let Err(back) = scan(from, &behind, [front], &mut put)? else { return Ok(()) };
    // When nothing could be read from the back there is no upper end: probe a fixed stretch.
    let last = if back > front { back.min(front.saturating_add(PROBES)) } else { front + PROBES };
    for row in front + 1..last {
        // An unreadable row is what is being left out here.
        let _ = scan(from, &select("WHERE rowid = ?1"), [row], &mut put)?;
    }
    Ok(())
}

/// Copies what a query yields. The inner error is the last row that could be read (0 when none):
/// reading stopped there. The outer one is a failed write.
fn scan<P: rusqlite::Params>(
    from: &Connection,
    sql: &str,
    params: P,
    put: &mut impl FnMut(Vec<Value>) -> Result<usize, rusqlite::Error>,
) -> Result<Result<(), i64>, rusqlite::Error> {
    let mut last = 0;
    let Ok(mut statement) = from.prepare(sql) else { return Ok(Err(last)) };
    let columns = statement.column_count();
    let Ok(mut rows) = statement.query(params) else { return Ok(Err(last)) };
    loop {
        let row = match rows.next() {
            Ok(Some(row)) => row,
            Ok(None) => return Ok(Ok(())),
            Err(_) => return Ok(Err(last)),
        };
        let values: Result<Vec<Value>, _> = (1..columns).map(|i| row.get(i)).collect();
        let (Ok(number), Ok(values)) = (row.get(0), values) else { continue };
        last = number;
        match put(values) {
            Ok(_) => {}
            // A row that breaks a constraint is damaged too.
            Err(e) if e.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation) => {}
            Err(e) => return Err(e),
        }
    }
}

/// Makes the saved rows consistent: journals without gaps, runs and conversations that belong
/// together, derived rows made anew.
fn mend(db: &Connection) -> Result<Saved, rusqlite::Error> {
    let mut saved = Saved::default();
    for (conversation, stored) in journals(db)? {
        let Ok(id) = conversation.parse::<ConversationId>() else { continue };
        let total = stored.len();
        let lines = contiguous(&id, stored);
        saved.lines += lines.len();
        saved.cut_lines += total - lines.len();
        let end = lines.last().map_or(0, Line::next_seq);
        cut(db, &conversation, end)?;
        restore_run(db, &lines)?;
        db.execute(
            "INSERT OR IGNORE INTO conversations (id, project_id, title, created_at, last_active_at)
             SELECT conversation, '', '', min(at), max(at) FROM lines WHERE conversation = ?1
             GROUP BY conversation",
            [&conversation],
        )?;
        rows::rebuild(db, &id, &lines)?;
    }
    // What has no journal cannot be opened any more.
    db.execute_batch(
        "DELETE FROM runs WHERE conversation_id NOT IN (SELECT conversation FROM lines);
         DELETE FROM conversations WHERE id NOT IN (SELECT conversation FROM lines);
         DELETE FROM drafts WHERE conversation NOT IN (SELECT id FROM conversations);",
    )?;
    saved.runs = db.query_row("SELECT count(*) FROM runs", [], |row| row.get(0))?;
    Ok(saved)
}

type Journals = BTreeMap<String, Vec<(u64, u64, String)>>;

fn journals(db: &Connection) -> Result<Journals, rusqlite::Error> {
    let mut out = Journals::new();
    let mut statement =
        db.prepare("SELECT conversation, seq, format, body FROM lines ORDER BY conversation, seq")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let line = (uint(row.get(1)?), uint(row.get(2)?), row.get(3)?);
        out.entry(row.get(0)?).or_default().push(line);
    }
    Ok(out)
}

/// The lines up to the first one missing or unreadable: what follows a gap cannot be folded.
fn contiguous(id: &ConversationId, stored: Vec<(u64, u64, String)>) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for (seq, format, body) in stored {
        let fits = lines.last().map_or(seq <= 1, |last| last.next_seq() == seq);
        let Some(line) = journal::parse(id, seq, format, &body).ok().filter(|_| fits) else {
            break;
        };
        lines.push(line);
    }
    lines
}

/// Drops the lines from `end` on. They are still in the damaged file, which is kept.
fn cut(db: &Connection, conversation: &str, end: u64) -> Result<(), rusqlite::Error> {
    db.execute("INSERT INTO deletable VALUES (?1)", [conversation])?;
    db.execute(
        "DELETE FROM lines WHERE conversation = ?1 AND seq >= ?2",
        rusqlite::params![conversation, int(end)],
    )?;
    db.execute("DELETE FROM deletable", []).map(drop)
}

/// The first line tells enough to make lost rows of a run and its conversation anew.
pub(super) fn restore_run(db: &Connection, lines: &[Line]) -> Result<(), rusqlite::Error> {
    let Some(first) = lines.first() else { return Ok(()) };
    let Some(begin) = first.beginning() else { return Ok(()) };
    if let Some(origin) = begin.origin {
        return import::insert_rows(db, &begin, origin);
    }
    if let Some(task) = begin.task {
        return rows::restore_task(db, task, first.at).map(drop);
    }
    let inserted = match begin.run {
        // Its row is made with those that follow from the journal.
        Some(run) => rows::insert_conversation(db, &NewRun::of(run, first.at)),
        None => rows::insert_talk(db, begin.conversation_id, begin.project_id, first.at),
    };
    match inserted {
        // Already there: it was readable.
        Err(e) if e.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation) => Ok(()),
        inserted => inserted.map(drop),
    }
}
