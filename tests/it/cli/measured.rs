//! The program at work, and the most memory it held.

use serde_json::Value;
use std::fs::File;
use std::path::Path;
use std::process::ExitStatus;

use support::program::Sandbox;

/// What anything may take.
pub(super) const MOST_KIB: u64 = 200 * 1024;

/// What a command printed and took.
pub(super) struct Measured {
    pub(super) status: ExitStatus,
    pub(super) stdout: String,
    pub(super) stderr: String,
    /// The most memory it held, where the system tells. Looked at all the time, so never more than
    /// it was; what it took in its very last moment may be missing.
    pub(super) peak_kib: Option<u64>,
}

pub(super) fn measured(sandbox: &Sandbox, args: &[&str]) -> Measured {
    let (out, err) = (sandbox.path("stdout"), sandbox.path("stderr"));
    let mut command = sandbox.command(args);
    command.stdout(File::create(&out).unwrap()).stderr(File::create(&err).unwrap());
    let mut child = command.spawn().unwrap();
    let status_file = format!("/proc/{}/status", child.id());
    let mut peak_kib = None;
    let status = loop {
        peak_kib = peak(Path::new(&status_file)).max(peak_kib);
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        std::thread::yield_now();
    };
    let read = |path| std::fs::read_to_string(path).unwrap();
    Measured { status, stdout: read(out), stderr: read(err), peak_kib }
}

fn peak(status: &Path) -> Option<u64> {
    let status = std::fs::read_to_string(status).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

impl Measured {
    /// It ended by itself, with a report or with an error that says what to do.
    pub(super) fn has_ended_well(&self, name: &str) {
        let said = format!("{name}: {:?} {} {}", self.status, self.stdout, self.stderr);
        assert!(self.status.code().is_some_and(|code| code < 100), "{said}");
        let document: Value =
            serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {said}"));
        let error = &document["error"];
        if self.status.success() {
            assert!(error.is_null(), "{said}");
            return;
        }
        for part in ["code", "message", "action"] {
            assert!(error[part].as_str().is_some_and(|text| text.len() > 5), "{said}");
        }
        assert_ne!(error["code"], "E_INTERNAL", "{said}");
    }
}
