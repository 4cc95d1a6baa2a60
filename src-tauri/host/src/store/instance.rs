//! Which opened stores are alive. Every opened store holds an OS lock on a file of its own below
//! `locks/`; the system releases it when the process ends, however it ends. This is more
//! reliable than asking whether a process id is alive, because ids are reused.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::crash::{Point, point};
use crate::private;

/// One opened store, alive as long as this value. Its file stays behind, unlocked, and says that
/// it is gone: a lease of it may be left that could not be given back. The next start releases
/// such leases, then sweeps the file.
pub(super) struct Instance {
    id: String,
    locks: PathBuf,
    /// Held, never used: closing it is what tells others that we are gone.
    _lock: File,
}

impl Instance {
    /// Makes and locks the file. One process at a time, so that a file without its name is one that
    /// a crash left.
    pub(super) fn register(root: &Path) -> io::Result<Self> {
        let locks = root.join("locks");
        private::folder(&locks)?;
        remove_nameless(&locks);
        let id = uuid::Uuid::now_v7().to_string();
        // Locked before it has its name: whoever sees it by its name sees it locked.
        let fresh = locks.join(format!("{id}.new"));
        let lock = private::new_file(&fresh)?;
        lock.lock()?;
        point(Point::BeforeLockName);
        fs::rename(&fresh, locks.join(format!("{id}.lock")))?;
        Ok(Self { id, locks, _lock: lock })
    }

    /// Its id.
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// Whether another opened store is alive; `None` when its file is gone or cannot be asked.
    pub(super) fn is_alive(&self, other: &str) -> Option<bool> {
        if other == self.id {
            return Some(true);
        }
        // The id comes from a database that another program may have written.
        uuid::Uuid::parse_str(other).ok()?;
        is_locked(&self.locks.join(format!("{other}.lock")))
    }

    /// Removes the files of dead stores; true when no other one is alive.
    pub(super) fn sweep(&self) -> bool {
        let own = format!("{}.lock", self.id);
        alive_except(&self.locks, Some(&own), true) == 0
    }
}

fn remove_nameless(locks: &Path) {
    let entries = fs::read_dir(locks).into_iter().flatten().flatten();
    for path in
        entries.map(|entry| entry.path()).filter(|p| p.extension().is_some_and(|e| e == "new"))
    {
        // One that stays costs nothing but its name.
        let _ = fs::remove_file(path);
    }
}

/// Whether any opened store is alive on `root`.
pub(super) fn any_alive(root: &Path) -> bool {
    alive_except(&root.join("locks"), None, false) > 0
}

fn alive_except(locks: &Path, own: Option<&str>, remove_dead: bool) -> usize {
    let Ok(entries) = fs::read_dir(locks) else { return 0 };
    let mut alive = 0;
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_lock = Path::new(&name).extension().is_some_and(|e| e == "lock");
        if !is_lock || own.is_some_and(|own| name == own) {
            continue;
        }
        match is_locked(&entry.path()) {
            Some(false) if remove_dead => {
                let _ = fs::remove_file(entry.path());
            }
            Some(false) => {}
            // One that cannot be asked counts as alive: the careful answer.
            Some(true) | None => alive += 1,
        }
    }
    alive
}

/// A shared lock is enough to ask, and two askers do not take each other for the owner.
fn is_locked(file: &Path) -> Option<bool> {
    match File::open(file).ok()?.try_lock_shared() {
        Ok(()) => Some(false),
        Err(TryLockError::WouldBlock) => Some(true),
        Err(TryLockError::Error(_)) => None,
    }
}
