//! How the process begins and ends.

use std::fs;
use std::io::{self, Write as _};
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use crate::server::Server;

pub(crate) fn exit(_: &Server) {
    std::process::exit(0)
}

pub(crate) fn exit_with_words(_: &Server) {
    // The client may not read them.
    _ = writeln!(io::stderr(), "Error: the database cannot be opened\n  hint: set DATABASE_URL");
    std::process::exit(3)
}

/// Starts a child and writes both process ids into the file that the first option names, the
/// server's own one first. From then on SIGTERM ends neither of them.
#[expect(clippy::zombie_processes, reason = "this server cleans nothing up")]
pub(crate) fn deaf_with_child(server: &Server) {
    #[cfg(unix)]
    become_deaf();
    // It inherits the pipes, so that they stay open when only the server is killed.
    let child = Command::new("sleep").arg("1000").spawn();
    let child = child.unwrap_or_else(|error| give_up(&format!("no child was started: {error}")));
    if let Some(path) = server.options.first() {
        let ids = format!("{}\n{}\n", std::process::id(), child.id());
        // Whoever looks sees both or none.
        let beside = format!("{path}.new");
        let written = fs::write(&beside, ids).and_then(|()| fs::rename(&beside, path));
        written.unwrap_or_else(|error| give_up(&format!("{path} was not written: {error}")));
    }
}

/// Without unsafe code a program cannot ignore a signal, but it inherits what its parent ignores: a
/// shell that ignores SIGTERM becomes this server once more.
#[cfg(unix)]
fn become_deaf() {
    use std::os::unix::process::CommandExt as _;
    const DEAF: &str = "HOSTILE_MCP_SERVER_IS_DEAF";
    if std::env::var_os(DEAF).is_some() {
        return;
    }
    let program = std::env::current_exe()
        .unwrap_or_else(|error| give_up(&format!("the program cannot be found: {error}")));
    let error = Command::new("/bin/sh")
        .args(["-c", r#"trap "" TERM; exec "$0" "$@""#])
        .arg(program)
        .args(std::env::args_os().skip(1))
        .env(DEAF, "1")
        .exec();
    give_up(&format!("there is no shell: {error}"))
}

fn give_up(why: &str) -> ! {
    _ = writeln!(io::stderr(), "{why}");
    std::process::exit(2)
}

/// Stays after everything is over.
pub(crate) fn stay() {
    loop {
        sleep(Duration::from_secs(1000));
    }
}
