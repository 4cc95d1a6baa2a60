//! The ends of the log files, for a window that begins to look.

use kernel::ids::ConversationId;
use kernel::wire::LogRow;
use serde_json::Value;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::live::{LogEntry, ROWS, mark};
use super::{PREFIX, rows, scrubber};

/// Bytes read of one file: a thousand lines are rarely more.
const MAX_BYTES: u64 = 2 * 1024 * 1024;

/// The newest [`ROWS`] rows, oldest first: `known` ones of this process, those in the files of
/// the store in `root`, and the tool calls of the run whose state lies in `state`. What cannot be
/// read is left out. Blocks.
pub(crate) fn recent(
    root: &Path,
    state: Option<&Path>,
    known: &[Arc<LogEntry>],
    conversation: Option<&ConversationId>,
) -> Vec<LogRow> {
    let marks: HashSet<u64> = known.iter().map(|entry| entry.mark).collect();
    let mut all: Vec<LogRow> = known
        .iter()
        .filter(|entry| entry.concerns(conversation))
        .map(|entry| entry.row.clone())
        .collect();
    let mut add = |file: &Path, row: fn(&Value) -> Option<LogRow>| {
        let lines = last_lines(file).unwrap_or_default();
        let before = all.len();
        let new = lines.iter().filter(|line| !marks.contains(&mark(line)));
        all.extend(new.filter_map(|line| scrubber::clean_line(line).1.as_ref().and_then(row)));
        all.len() - before
    };
    let mut missing = ROWS;
    for file in days(&root.join("logs")) {
        if missing == 0 {
            break;
        }
        missing = missing.saturating_sub(add(&file, rows::of_log));
    }
    if let Some(state) = state {
        add(&state.join("logs").join("execution.jsonl"), rows::of_audit);
    }
    all.sort_by_key(|row| row.at);
    all.split_off(all.len().saturating_sub(ROWS))
}

/// The log files, today's first.
fn days(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let is_log = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PREFIX))
    };
    let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).filter(is_log).collect();
    files.sort_unstable();
    files.reverse();
    files
}

/// The last lines of a file, at most [`ROWS`].
fn last_lines(path: &Path) -> io::Result<Vec<String>> {
    let mut file = File::open(path)?;
    let skipped = file.metadata()?.len().saturating_sub(MAX_BYTES);
    file.seek(SeekFrom::Start(skipped))?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    // The first line is a whole one only at the beginning of the file.
    let lines: Vec<&str> = text.lines().skip(usize::from(skipped > 0)).collect();
    let from = lines.len().saturating_sub(ROWS);
    Ok(lines[from..].iter().map(|line| (*line).to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    fn line(minute: usize, n: usize) -> String {
        format!(
            r#"{{"timestamp":"2026-01-01T{:02}:{:02}:00.0Z","level":"INFO","message":"{n}","target":"t"}}"#,
            minute / 60,
            minute % 60
        )
    }

    #[test]
    fn the_newest_thousand_lines_of_several_days_come_oldest_first() {
        let root = tempfile::tempdir().unwrap();
        let logs = root.path().join("logs");
        std::fs::create_dir(&logs).unwrap();
        for (day, from, to) in [("01", 0, 700), ("02", 700, 1_300)] {
            let text = (from..to).fold(String::new(), |mut text, n| {
                writeln!(text, "{}", line(n, n)).unwrap();
                text
            });
            std::fs::write(logs.join(format!("{PREFIX}.2026-01-{day}.jsonl")), text).unwrap();
        }
        std::fs::write(logs.join("other.txt"), line(0, 9_999)).unwrap();
        let rows = recent(root.path(), None, &[], None);
        let found: Vec<String> = rows.into_iter().map(|row| row.message).collect();
        let wanted: Vec<String> = (300..1_300).map(|n: usize| n.to_string()).collect();
        assert_eq!(found, wanted);
    }

    #[test]
    fn a_torn_line_and_a_missing_folder_are_passed_over() {
        let root = tempfile::tempdir().unwrap();
        assert!(recent(root.path(), None, &[], None).is_empty());
        std::fs::create_dir(root.path().join("logs")).unwrap();
        let text = format!("{}\n{{\"timestamp\":\"2026", line(1, 1));
        std::fs::write(root.path().join("logs/crewagent.2026-01-01.jsonl"), text).unwrap();
        assert_eq!(recent(root.path(), None, &[], None).len(), 1);
    }
}
