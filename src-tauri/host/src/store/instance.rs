//! Which opened stores are alive. Every opened store holds an OS lock on a file of its own below
//! `locks/`; the system releases it when the process ends, however it ends, and keeps it while the
//! process is stopped or the machine sleeps. This is more reliable than asking whether a process
//! id is alive, because ids are reused.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use same_file::Handle;

use crate::crash::{Point, point};
use crate::private;

/// One opened store, alive as long as this value. Its file stays behind, unlocked, and says that
/// it is gone: a lease of it may be left that could not be given back. The next start releases
/// such leases, then sweeps the file.
pub(super) struct Instance {
    id: String,
    locks: PathBuf,
    /// Closing it is what tells others that we are gone.
    lock: Mutex<Handle>,
}

impl Instance {
    /// Makes and locks the file. One process at a time, so that a file without its name is one that
    /// a crash left.
    pub(super) fn register(root: &Path) -> io::Result<Self> {
        let locks = root.join("locks");
        remove_nameless(&locks);
        let id = uuid::Uuid::now_v7().to_string();
        let lock = Mutex::new(locked_file(&locks, &id)?);
        Ok(Self { id, locks, lock })
    }

    /// Its id.
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// Puts the file back when somebody has deleted it, or replaced it, as a backup or another machine
    /// does: nobody holds that one, so others take us for dead.
    pub(super) fn keep_file(&self) -> io::Result<()> {
        let mut lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        let there = Handle::from_path(named(&self.locks, &self.id));
        if there.is_ok_and(|there| there == *lock) {
            return Ok(());
        }
        *lock = locked_file(&self.locks, &self.id)?;
        Ok(())
    }

    /// Whether another opened store is alive.
    pub(super) fn is_alive(&self, other: &str) -> bool {
        // The id comes from a database that another program may have written.
        uuid::Uuid::parse_str(other).is_ok() && is_locked(&named(&self.locks, other))
    }

    /// Removes the files of dead stores; true when no other one is alive.
    pub(super) fn sweep(&self) -> bool {
        let own = format!("{}.lock", self.id);
        alive_except(&self.locks, Some(&own), true) == 0
    }
}

fn named(locks: &Path, id: &str) -> PathBuf {
    locks.join(format!("{id}.lock"))
}

/// Locked before it has its name: whoever sees it by its name sees it locked.
fn locked_file(locks: &Path, id: &str) -> io::Result<Handle> {
    private::folder(locks)?;
    let fresh = locks.join(format!("{id}.new"));
    // Of a time before, that came no further.
    let _ = fs::remove_file(&fresh);
    let lock = private::new_file(&fresh)?;
    lock.lock()?;
    point(Point::BeforeLockName);
    fs::rename(&fresh, named(locks, id))?;
    Handle::from_file(lock)
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
        if is_locked(&entry.path()) {
            alive += 1;
        } else if remove_dead {
            let _ = fs::remove_file(entry.path());
        }
    }
    alive
}

/// A shared lock is enough to ask, and two askers do not take each other for the owner. A file that
/// is not there is nobody's; one that cannot be asked counts as locked, which is the careful answer.
fn is_locked(file: &Path) -> bool {
    match File::open(file) {
        Ok(file) => file.try_lock_shared().is_err(),
        Err(e) => e.kind() != io::ErrorKind::NotFound,
    }
}
