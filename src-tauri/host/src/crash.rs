//! Named crash points (spec 05 "Effects journal", spec 10 "Crashes and faults"): places where a
//! test lets the program die as `kill -9` would, between two steps that must not both be needed.
//!
//! `CREWAGENT_CRASH_AT=<name>` or `<name>:<n>` arms one point: the process ends when it is passed
//! the n-th time (the first without a number). With `CREWAGENT_CRASH_BY=panic` the task that
//! passes it panics instead, as a bug would make it. `CREWAGENT_CRASH_LOG=<file>` lists the points that
//! are passed, one a line. A build without debug assertions, as every release is, holds neither
//! the names nor the variables: [`point`] is empty there.

/// Makes the closed list: the points, [`Point::ALL`] and their names.
macro_rules! points {
    ($($(#[doc = $doc:literal])+ $point:ident = $name:literal,)+) => {
        /// A place where a test may end the process.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Point { $($(#[doc = $doc])+ $point,)+ }

        #[cfg(debug_assertions)]
        impl Point {
            /// Every point there is.
            pub const ALL: &'static [Self] = &[$(Self::$point,)+];

            /// What `CREWAGENT_CRASH_AT` calls it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$point => $name,)+ }
            }
        }
    };
}

points! {
    /// A new database has no tables yet, an old one no new ones.
    BeforeMigration = "store.before_migration",
    /// The database has its newest shape; nobody has used it.
    AfterMigration = "store.after_migration",
    /// The store's own lock is held under a name nobody looks for.
    BeforeLockName = "store.before_lock_name",
    /// A change is queued; its transaction has not begun.
    BeforeBegin = "store.before_begin",
    /// In the transaction: the line is not in yet.
    BeforeLine = "store.before_line",
    /// In the transaction: the line is in, the rows derived from it are not.
    BeforeRows = "store.before_rows",
    /// Everything is in the transaction.
    BeforeCommit = "store.before_commit",
    /// Durable, and nobody knows.
    AfterCommit = "store.after_commit",
    /// A line is durable and folded; nobody was shown it.
    BeforeShow = "runner.before_show",
    /// Shown; what it asks for is not started.
    BeforeReconcile = "runner.before_reconcile",
    /// What it asks for is started; its calls are not in the audit log.
    BeforeAudit = "runner.before_audit",
    /// One call is in the audit log, a next one may not be.
    AfterAudit = "runner.after_audit",
    /// An effect is about to happen: for a write, its hashes are journaled.
    BeforeEffect = "effect.before",
    /// An effect happened; no line says so.
    AfterEffect = "effect.after",
    /// The state document is on disk; a file beside it that names the workflows under way is not.
    BeforeStateCopy = "state.before_copy",
    /// A file's new content is to be written beside it.
    BeforeTemp = "file.before_temp",
    /// The new content lies beside the file, flushed.
    BeforeRename = "file.before_rename",
    /// The file has its new content; the folder is not flushed.
    AfterRename = "file.after_rename",
    /// The folders that something moves into are there; it is not.
    BeforeMove = "move.before_rename",
    /// It has moved; its folders are not flushed.
    AfterMove = "move.after_rename",
    /// What is to be deleted lies aside; the folder is not flushed.
    AfterDeleteAside = "delete.after_aside",
    /// It was looked at once more; nothing of it is removed.
    BeforeRemoval = "delete.before_removal",
    /// It is gone; no line says so.
    AfterRemoval = "delete.after_removal",
    /// A rewind has brought one file back, a next one may not be.
    AfterRestoredFile = "rewind.after_file",
    /// A person's version of the state document is to be kept aside.
    BeforeAside = "state.before_aside",
    /// It is kept aside; the accepted version is not in its place yet.
    AfterAside = "state.after_aside",
    /// A folder becomes a project: the file that says so is not there.
    BeforeProjectFile = "project.before_file",
    /// The file is there; the list of projects does not name it.
    BeforeProjectRow = "project.before_row",
    /// A run is to be made; nothing of it is there.
    BeforeRunFolder = "run.before_folder",
    /// Its folder is whole, under another name.
    BeforeRunRename = "run.before_rename",
    /// Its folder is in place; no row names it.
    BeforeRunRows = "run.before_rows",
    /// A sub-agent is asked for; no row of its conversation is there.
    BeforeTaskRows = "task.before_rows",
    /// A package is checked; its folder is to be made.
    BeforePackageFolder = "package.before_folder",
    /// One file of it is written, a next one may not be.
    AfterPackageFile = "package.after_file",
    /// A damaged copy of it is out of the way; the new one is not in place.
    AfterPackageAside = "package.after_aside",
    /// All of it is on disk, under another name.
    BeforePackageRename = "package.before_rename",
    /// It is in place; the list of packages does not name it.
    BeforePackageRow = "package.before_row",
    /// A package is to go and marked; nothing has gone yet.
    BeforePackageRemoval = "package.before_removal",
    /// The list of packages names it no more; its folder is in place.
    AfterPackageUnlisted = "package.after_unlisted",
    /// Its folder is out of the way; the mark is there.
    AfterPackageRemoval = "package.after_removal",
    /// A conversation's rows are gone; the folder of its run is there.
    BeforeDeletedFolder = "delete.before_folder",
    /// The folder is gone; it is still written down as one to remove.
    AfterDeletedFolder = "delete.after_folder",
    /// The bytes a call will replace lie in the checkpoints, flushed, under another name.
    BeforeCheckpointRename = "checkpoint.before_rename",
    /// They have their name; the call has not begun.
    AfterCheckpointRename = "checkpoint.after_rename",
    /// A project of another store is in the list; nothing in it is taken over.
    AfterImportProject = "import.after_project",
    /// One file of a conversation of another store is copied, a next one may not be.
    AfterImportFile = "import.after_file",
    /// Its files are all there, under another name.
    BeforeImportFolder = "import.before_folder",
    /// They are in place; no row names the conversation.
    BeforeImportRows = "import.before_rows",
    /// The conversation is taken over; a next one may not be.
    AfterImportRows = "import.after_rows",
    /// One setting of another store is in force, a next one may not be.
    AfterImportSetting = "import.after_setting",
    /// Settings that could not be read are kept aside.
    AfterSettingsAside = "settings.after_aside",
    /// The new settings lie beside the old ones.
    BeforeSettingsRename = "settings.before_rename",
    /// The new settings are in force.
    AfterSettingsRename = "settings.after_rename",
    /// A damaged database was copied; nothing is saved from it.
    AfterSalvageCopy = "salvage.after_copy",
    /// What could be read is in a fresh database.
    AfterSalvageFill = "salvage.after_fill",
    /// The fresh database has the name that says it is whole.
    BeforeSalvageMove = "salvage.before_move",
    /// The damaged database's log is out of the way.
    AfterSalvageLog = "salvage.after_log",
    /// The damaged database is out of the way; the fresh one is not in its place.
    AfterSalvageAside = "salvage.after_aside",
}

/// Ends the process here when a test has armed this point.
#[inline]
pub fn point(point: Point) {
    #[cfg(debug_assertions)]
    armed::pass(point);
    #[cfg(not(debug_assertions))]
    let _ = point;
}

#[cfg(debug_assertions)]
mod armed {
    use super::Point;
    use std::fs::File;
    use std::io::Write as _;
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// The point, and how often it has to be passed.
    static ARMED: LazyLock<Option<(Point, u32)>> =
        LazyLock::new(|| parse(&std::env::var("CREWAGENT_CRASH_AT").ok()?));
    /// Whether the task alone comes to its end, by a panic.
    static BY_PANIC: LazyLock<bool> =
        LazyLock::new(|| std::env::var("CREWAGENT_CRASH_BY").is_ok_and(|by| by == "panic"));
    static PASSED: AtomicU32 = AtomicU32::new(0);
    static LOG: LazyLock<Option<File>> = LazyLock::new(|| {
        let file = std::env::var_os("CREWAGENT_CRASH_LOG")?;
        File::options().append(true).create(true).open(file).ok()
    });

    pub(super) fn parse(text: &str) -> Option<(Point, u32)> {
        let (name, times) = text.split_once(':').unwrap_or((text, "1"));
        let point = Point::ALL.iter().find(|point| point.name() == name)?;
        Some((*point, times.parse().ok()?))
    }

    pub(super) fn pass(point: Point) {
        if let Some(mut log) = LOG.as_ref() {
            _ = log.write_all(format!("{}\n", point.name()).as_bytes());
        }
        let Some((armed, times)) = *ARMED else { return };
        if point == armed && PASSED.fetch_add(1, Ordering::Relaxed) + 1 == times {
            assert!(!*BY_PANIC, "a test lets this task panic");
            die();
        }
    }

    /// No destructor runs and nothing is flushed, as when somebody else kills the process.
    fn die() -> ! {
        #[cfg(unix)]
        {
            use rustix::process::{Signal, getpid, kill_process};
            _ = kill_process(getpid(), Signal::KILL);
        }
        std::process::abort()
    }
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_point_has_a_name_of_its_own() {
        let names: BTreeSet<&str> = Point::ALL.iter().map(|point| point.name()).collect();
        assert_eq!(names.len(), Point::ALL.len());
    }

    #[test]
    fn a_point_is_armed_by_its_name_and_the_time_it_is_passed() {
        let parse = armed::parse;
        assert_eq!(parse("store.after_commit"), Some((Point::AfterCommit, 1)));
        assert_eq!(parse("store.after_commit:7"), Some((Point::AfterCommit, 7)));
        assert_eq!(parse("store.after_commit:x"), None);
        assert_eq!(parse("store.nowhere"), None);
    }
}
