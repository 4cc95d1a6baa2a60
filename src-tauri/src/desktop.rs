//! The desktop that the program runs on: it opens files in other programs, and tells the person what
//! happens while they look elsewhere.

use host::host::{Announcement, Desktop};
use host::real_path::RealPath;
use kernel::ids::ConversationId;
use kernel::outside::OpenIn;
use std::io;
use std::path::Path;
use tauri_plugin_opener::reveal_item_in_dir;

#[cfg(target_os = "linux")]
use crate::announcer::Announcer;

/// Opens files as the system's file manager would, and announces as its other programs do.
pub(crate) struct SystemDesktop {
    #[cfg(target_os = "linux")]
    announcer: Announcer,
}

impl SystemDesktop {
    /// `on_click` is called with the conversation when somebody clicks on an announcement of it.
    #[cfg(target_os = "linux")]
    pub(crate) fn new(on_click: impl Fn(ConversationId) + Send + Sync + 'static) -> Self {
        Self { announcer: Announcer::new(on_click) }
    }

    /// Nothing is announced here yet.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn new(_: impl Fn(ConversationId) + Send + Sync + 'static) -> Self {
        Self {}
    }
}

impl Desktop for SystemDesktop {
    fn open(&self, file: &RealPath, open_in: OpenIn) -> io::Result<()> {
        let path = file.as_path();
        match open_in {
            OpenIn::Program => in_program(path),
            OpenIn::Folder => reveal_item_in_dir(path).or_else(|_| in_folder(path)),
        }
    }

    #[cfg(target_os = "linux")]
    fn announce(&self, announcement: Announcement) -> io::Result<()> {
        self.announcer.announce(announcement)
    }

    #[cfg(not(target_os = "linux"))]
    fn announce(&self, _: Announcement) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Opens it in the program that the system has for it. The system's opener says soon when it has none:
/// one that is still at work then is the program itself.
#[cfg(target_os = "linux")]
fn in_program(path: &Path) -> io::Result<()> {
    use std::os::unix::process::CommandExt as _;
    use std::process::Stdio;

    let mut error = io::Error::from(io::ErrorKind::NotFound);
    for mut command in open::commands(path) {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // Stopping this program stops no other one.
        command.process_group(0);
        match command.spawn().and_then(has_opened) {
            Ok(()) => return Ok(()),
            Err(failed) => error = failed,
        }
    }
    Err(error)
}

/// How long an opener may take to say that it opens nothing.
#[cfg(target_os = "linux")]
const SAYS_WITHIN: std::time::Duration = std::time::Duration::from_secs(2);

#[cfg(target_os = "linux")]
fn has_opened(mut opener: std::process::Child) -> io::Result<()> {
    let (ended, result) = std::sync::mpsc::channel();
    // It is waited for until its end, so that nothing is left of it.
    std::thread::spawn(move || ended.send(opener.wait()));
    // None: it is at work.
    let status = result.recv_timeout(SAYS_WITHIN).ok().transpose()?;
    if status.is_some_and(|status| !status.success()) {
        return Err(io::ErrorKind::NotFound.into());
    }
    Ok(())
}

/// A file manager that cannot show a file among others may still open the folder.
#[cfg(target_os = "linux")]
fn in_folder(path: &Path) -> io::Result<()> {
    in_program(if path.is_dir() { path } else { path.parent().unwrap_or(path) })
}

/// To open a folder may be to run it.
#[cfg(not(target_os = "linux"))]
fn in_folder(_: &Path) -> io::Result<()> {
    Err(io::ErrorKind::NotFound.into())
}

#[cfg(not(target_os = "linux"))]
fn in_program(path: &Path) -> io::Result<()> {
    // What the plugin says of an error holds the path.
    tauri_plugin_opener::open_path(path, None::<&str>).map_err(|_| io::ErrorKind::NotFound.into())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn an_opener_that_fails_has_opened_nothing_and_one_that_goes_on_has() {
        let run = |script: &str| {
            let mut opener = Command::new("sh");
            let opener = opener.args(["-c", script]).stdout(Stdio::null()).stderr(Stdio::null());
            has_opened(opener.spawn().unwrap())
        };
        assert!(run("exit 0").is_ok());
        assert!(run("exit 3").is_err());
        assert!(run("sleep 4").is_ok());
    }
}
