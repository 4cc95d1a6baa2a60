//! Logs (spec 08): JSON lines below `logs/` in the store, one file a day, seven days kept; and,
//! when asked for, human lines on stderr. The level comes from `CREWAGENT_LOG`, written like
//! `info` or `warn,host=debug`.
//!
//! Every line goes through the scrubber before it is written or shown: no real folder, no key.

mod live;
mod rows;
mod scrubber;
mod tail;

use std::io::{self, Write};
use std::path::Path;

use kernel::code::{ErrorCode, Failure};
use kernel::ids::ConversationId;
use kernel::phrase::projects;
use kernel::visible::visible;
use tracing_appender::non_blocking::{NonBlocking, NonBlockingBuilder, WorkerGuard};
use tracing_appender::rolling::{InitError, RollingFileAppender, Rotation};
use tracing_subscriber::filter::{EnvFilter, LevelFilter};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, Registry, fmt};

pub(crate) use live::{LogEntry, subscribe};
pub(crate) use scrubber::{clean_text as cleaned, hide_passing, hide_roots, hide_secret, secrets};
pub(crate) use tail::recent;

/// The environment variable with the filter.
pub const FILTER_VARIABLE: &str = "CREWAGENT_LOG";

/// Files kept, today's included.
const DAYS: usize = 7;

/// Lines that may wait to be written; what comes on top of them is dropped. Room for all of them is
/// taken at once: of the 128,000 that the library has, four megabytes.
const LINES_AHEAD: usize = 16_384;

/// What the names of the log files begin with.
const PREFIX: &str = "crewagent";

/// Writes out what is buffered when dropped: keep it until the program ends.
#[must_use = "lines written after it is dropped are lost"]
pub struct LogGuard {
    _worker: WorkerGuard,
}

impl std::fmt::Debug for LogGuard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("LogGuard")
    }
}

/// Starts logging for the whole process: into `logs/` below `store_root`, and to stderr when
/// `verbose`. A second call in one process changes nothing but its own file.
///
/// # Errors
/// `STORE_OPEN_FAILED` when the folder cannot be made or written; the program can go on without a
/// log.
pub fn init(store_root: &Path, verbose: bool) -> Result<LogGuard, Failure> {
    hide_places(store_root);
    let (layers, guard) = layers(store_root, verbose, &filter_text())?;
    if tracing_subscriber::registry().with(layers).try_init().is_err() {
        tracing::debug!("logging had been started before");
    }
    Ok(guard)
}

type BoxedLayer = Box<dyn Layer<Registry> + Send + Sync>;

fn filter_text() -> String {
    std::env::var(FILTER_VARIABLE).unwrap_or_default()
}

/// `info` unless told otherwise; words that mean nothing are passed over.
fn filter(text: &str) -> EnvFilter {
    let filter =
        EnvFilter::builder().with_default_directive(LevelFilter::INFO.into()).parse_lossy(text);
    // The library for MCP writes down whatever servers say, and their addresses.
    match "rmcp=off".parse() {
        Ok(off) if !text.contains("rmcp") => filter.add_directive(off),
        _ => filter,
    }
}

/// The folders of this machine that are known before anything is opened.
pub(crate) fn hide_places(store_root: &Path) {
    let mut roots = vec![(store_root.to_owned(), "[store]"), (std::env::temp_dir(), "[temp]")];
    if let Some(dirs) = directories::UserDirs::new() {
        roots.push((dirs.home_dir().to_owned(), "[home]"));
    }
    hide_roots(roots);
}

/// Takes out of a line of JSON what no log may hold.
pub(crate) fn clean(line: &mut serde_json::Value) {
    scrubber::clean_value(None, line);
}

/// A line of a run's audit log, as it was written and as the [`clean`] JSON that it was made of, for
/// whoever looks at the log.
pub(crate) fn tool_called(conversation: &ConversationId, line: &str, value: &serde_json::Value) {
    if let Some(row) = rows::of_audit(value) {
        live::publish(line, row, Some(conversation.clone()));
    }
}

/// Where the layers write: cleaned, into the file and to those who look.
struct Recorder(NonBlocking);

impl<'a> MakeWriter<'a> for Recorder {
    type Writer = LogWriter;

    fn make_writer(&'a self) -> LogWriter {
        LogWriter(self.0.clone())
    }
}

/// One event; the formatter hands over the whole line at once.
struct LogWriter(NonBlocking);

impl Write for LogWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let (line, value) = scrubber::clean_line(text.trim_end());
        self.0.write_all(format!("{line}\n").as_bytes())?;
        if let Some(row) = value.as_ref().and_then(rows::of_log) {
            live::publish(&line, row, None);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Human lines for stderr, cleaned like the others, with signs for what a terminal would obey.
struct Spoken;

impl Write for Spoken {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        // Nobody may be reading: an error here would be reported on the same stderr, with a panic.
        _ = io::stderr().write_all(visible(&scrubber::clean_text(&text)).as_bytes());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        _ = io::stderr().flush();
        Ok(())
    }
}

fn layers(root: &Path, verbose: bool, level: &str) -> Result<(Vec<BoxedLayer>, LogGuard), Failure> {
    let folder = root.join("logs");
    // The log is often what makes the store's folder.
    crate::private::folder(root).and_then(|()| crate::private::folder(&folder)).map_err(|e| {
        crate::failure::io(ErrorCode::StoreOpenFailed, projects::the_log_folder(), &e)
    })?;
    let appender = RollingFileAppender::builder()
        .rotation(Rotation::DAILY)
        .filename_prefix(PREFIX)
        .filename_suffix("jsonl")
        .max_log_files(DAYS)
        .build(folder)
        .map_err(|e| unwritable(&e))?;
    let (writer, worker) =
        NonBlockingBuilder::default().buffered_lines_limit(LINES_AHEAD).finish(appender);
    let file = fmt::layer().json().flatten_event(true).with_writer(Recorder(writer));
    let mut layers: Vec<BoxedLayer> = vec![file.with_filter(filter(level)).boxed()];
    if verbose {
        let human = fmt::layer().compact().with_ansi(false).with_writer(|| Spoken);
        layers.push(human.with_filter(filter(level)).boxed());
    }
    Ok((layers, LogGuard { _worker: worker }))
}

/// The appender's own message holds the real path, so only its kind is shown.
fn unwritable(error: &InitError) -> Failure {
    let cause = std::error::Error::source(error).and_then(|e| e.downcast_ref::<std::io::Error>());
    let why = cause.map_or_else(projects::cannot_be_written, crate::failure::io_said);
    Failure::new(ErrorCode::StoreOpenFailed, projects::the_stores_log_folder(why))
        .with_action(projects::writable_or_store())
}

#[cfg(test)]
mod tests {
    use super::live::ROWS;
    use super::*;

    fn only_file(root: &Path) -> String {
        let mut files = std::fs::read_dir(root.join("logs")).unwrap();
        let file = files.next().unwrap().unwrap();
        assert!(files.next().is_none());
        std::fs::read_to_string(file.path()).unwrap()
    }

    #[test]
    fn a_log_line_is_one_json_object_and_the_filter_holds() {
        let root = tempfile::tempdir().unwrap();
        let (layers, guard) = layers(root.path(), false, "warn").unwrap();
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layers), || {
            tracing::info!("too quiet");
            tracing::warn!(runs = 3, "loud enough");
        });
        drop(guard);
        let text = only_file(root.path());
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 1, "{text}");
        let line: serde_json::Value = serde_json::from_str(lines[0]).unwrap();
        assert_eq!(line["message"], "loud enough");
        assert_eq!(line["runs"], 3);
        assert_eq!(line["level"], "WARN");
    }

    #[test]
    fn a_planted_key_and_a_home_path_are_in_no_line_whatever_field_holds_them() {
        let root = tempfile::tempdir().unwrap();
        let home = tempfile::tempdir().unwrap();
        hide_roots([(home.path().to_owned(), "[home]")]);
        let secret = crate::secrets::Secret::new("plantedkey-0815").unwrap();
        let (layers, guard) = layers(root.path(), false, "info").unwrap();
        let file = home.path().join("notes.md");
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layers), || {
            let span = tracing::info_span!("work", folder = %home.path().display());
            let _entered = span.enter();
            tracing::error!(path = ?file, header = secret.reveal(), "cannot read {file:?}");
            tracing::warn!("the server says: bad key {}", secret.reveal());
        });
        drop(guard);
        let text = only_file(root.path());
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(!text.contains("0815"), "{text}");
        assert!(!text.contains(home.path().to_str().unwrap()), "{text}");
        assert!(text.contains("[home]/notes.md") && text.contains("[key]"), "{text}");

        // What a window is shown is the same.
        let (newest, _) = subscribe();
        let shown = serde_json::to_string(&newest.iter().map(|e| &e.row).collect::<Vec<_>>());
        let shown = shown.unwrap();
        assert!(shown.contains("[home]/notes.md") && !shown.contains("0815"), "{shown}");
    }

    #[test]
    fn a_row_is_shown_once_though_it_is_live_and_in_the_file() {
        let root = tempfile::tempdir().unwrap();
        let (layers, guard) = layers(root.path(), false, "info").unwrap();
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layers), || {
            tracing::info!("only once, please");
        });
        drop(guard);
        let (newest, _) = subscribe();
        let rows = recent(root.path(), None, &newest, None);
        assert_eq!(rows.iter().filter(|row| row.message == "only once, please").count(), 1);
    }

    #[test]
    fn a_reader_that_is_too_slow_loses_the_oldest_and_nobody_waits() {
        use tokio::sync::broadcast::error::TryRecvError;
        let root = tempfile::tempdir().unwrap();
        let (layers, _guard) = layers(root.path(), false, "info").unwrap();
        let (_, mut live) = subscribe();
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layers), || {
            for n in 0..2 * ROWS {
                tracing::info!(n, "flood");
            }
        });
        let Err(TryRecvError::Lagged(lost)) = live.try_recv() else { panic!("nothing was lost") };
        let kept: Vec<_> = std::iter::from_fn(|| live.try_recv().ok())
            .map(|e| e.row.fields["n"].clone())
            .collect();
        assert_eq!(kept.first(), Some(&serde_json::json!(lost)), "the oldest went");
        assert_eq!(kept.last(), Some(&serde_json::json!(2 * ROWS - 1)));
        assert_eq!(subscribe().0.len(), ROWS);
    }

    #[test]
    fn only_seven_days_are_kept() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("logs")).unwrap();
        for day in 10..22 {
            let name = format!("logs/crewagent.2020-01-{day}.jsonl");
            std::fs::write(root.path().join(name), "{}\n").unwrap();
        }
        let (_layers, _guard) = layers(root.path(), false, "").unwrap();
        let kept = std::fs::read_dir(root.path().join("logs")).unwrap().count();
        assert!(kept <= DAYS, "{kept} files");
    }

    #[test]
    fn a_store_that_is_a_file_is_told_without_its_path() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("occupied");
        std::fs::write(&file, "").unwrap();
        let failure = layers(&file, false, "").map(drop).unwrap_err();
        assert_eq!(failure.code, ErrorCode::StoreOpenFailed);
        assert!(!format!("{failure:?}").contains("occupied"), "{failure:?}");
    }
}
