//! Programs that are started with a process group of their own, and ended with everything that they
//! have started.

use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop};
use std::collections::BTreeSet;
use std::io;
use std::process::{ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};

/// The keys of the environment that no program is given.
const WITHHELD: [&str; 1] = ["CREWAGENT_API_KEY"];

/// A program at work. It ends with the value, and everything that it has started.
pub(crate) struct Running {
    child: Box<dyn ChildWrapper>,
    group: Option<u32>,
}

/// Starts a program without the keys of this one. Its three streams are pipes.
pub(crate) fn start(mut command: Command) -> io::Result<Running> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for key in WITHHELD {
        command.env_remove(key);
    }
    let mut wrapped = CommandWrap::from(command);
    wrapped.wrap(KillOnDrop);
    #[cfg(unix)]
    wrapped.wrap(process_wrap::tokio::ProcessGroup::leader());
    #[cfg(windows)]
    wrapped.wrap(process_wrap::tokio::JobObject);
    let child = wrapped.spawn()?;
    let group = child.id();
    groups().extend(group);
    Ok(Running { child, group })
}

impl Running {
    /// The stream that the program reads. Taken once.
    pub(crate) fn stdin(&mut self) -> Option<ChildStdin> {
        self.child.stdin().take()
    }

    /// What the program writes. Taken once.
    pub(crate) fn stdout(&mut self) -> Option<ChildStdout> {
        self.child.stdout().take()
    }

    /// What the program complains of. Taken once.
    pub(crate) fn stderr(&mut self) -> Option<ChildStderr> {
        self.child.stderr().take()
    }

    /// Waits until the program itself has ended.
    pub(crate) async fn wait(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Ends it, and everything that it has started. It may have ended by itself.
    pub(crate) fn end(&mut self) {
        _ = self.child.start_kill();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(group) = self.group {
            groups().remove(&group);
        }
        self.end();
    }
}

/// The programs at work, by the ids of their first processes.
fn groups() -> MutexGuard<'static, BTreeSet<u32>> {
    static GROUPS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends every program that is at work: this one is about to end itself.
pub fn end_all() {
    #[cfg(unix)]
    for id in std::mem::take(&mut *groups()) {
        let id = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw);
        if let Some(id) = id {
            // It may have ended by itself.
            _ = rustix::process::kill_process_group(id, rustix::process::Signal::KILL);
        }
    }
}
