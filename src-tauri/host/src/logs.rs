//! Logs (spec 08): JSON lines below `logs/` in the store, one file a day, seven days kept; and,
//! when asked for, human lines on stderr. The level comes from `CREWAGENT_LOG`, written like
//! `info` or `warn,host=debug`.

use std::path::Path;

use kernel::code::{ErrorCode, Failure};
use tracing_appender::non_blocking::WorkerGuard;
use tracing_appender::rolling::{InitError, RollingFileAppender, Rotation};
use tracing_subscriber::filter::{EnvFilter, LevelFilter};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, Registry, fmt};

/// The environment variable with the filter.
pub const FILTER_VARIABLE: &str = "CREWAGENT_LOG";

/// Files kept, today's included.
const DAYS: usize = 7;

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
/// `verbose`. `STORE_OPEN_FAILED` when the folder cannot be made or written; the program can go
/// on without a log. A second call in one process changes nothing but its own file.
pub fn init(store_root: &Path, verbose: bool) -> Result<LogGuard, Failure> {
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
    EnvFilter::builder().with_default_directive(LevelFilter::INFO.into()).parse_lossy(text)
}

fn layers(root: &Path, verbose: bool, level: &str) -> Result<(Vec<BoxedLayer>, LogGuard), Failure> {
    let folder = root.join("logs");
    std::fs::create_dir_all(&folder)
        .map_err(|e| crate::failure::io(ErrorCode::StoreOpenFailed, "the log folder", &e))?;
    let appender = RollingFileAppender::builder()
        .rotation(Rotation::DAILY)
        .filename_prefix("crewagent")
        .filename_suffix("jsonl")
        .max_log_files(DAYS)
        .build(folder)
        .map_err(|e| unwritable(&e))?;
    let (writer, worker) = tracing_appender::non_blocking(appender);
    let file = fmt::layer().json().flatten_event(true).with_writer(writer);
    let mut layers: Vec<BoxedLayer> = vec![file.with_filter(filter(level)).boxed()];
    if verbose {
        let human = fmt::layer().compact().with_writer(std::io::stderr);
        layers.push(human.with_filter(filter(level)).boxed());
    }
    Ok((layers, LogGuard { _worker: worker }))
}

/// The appender's own message holds the real path, so only its kind is shown.
fn unwritable(error: &InitError) -> Failure {
    let cause = std::error::Error::source(error).and_then(|e| e.downcast_ref::<std::io::Error>());
    let why = cause.map_or_else(|| "it cannot be written".to_owned(), crate::failure::io_words);
    Failure::new(ErrorCode::StoreOpenFailed, format!("the log folder of the store: {why}"))
        .with_action("Make the store's folder writable, or choose another one with --store.")
}

#[cfg(test)]
mod tests {
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
