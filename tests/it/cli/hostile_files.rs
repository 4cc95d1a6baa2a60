//! Packages and exported runs that mean harm, at the real program: each is read to its end or
//! refused in words, in little memory, and nothing ends the program but itself.

use rstest::rstest;
use std::fs::File;
use std::path::Path;
use std::process::ExitStatus;

use super::program::Sandbox;
use crate::corpus::{self, Parts};

/// What looking at a package may take beside its largest file, and beside what the program takes
/// for the smallest one.
const INSPECT_KIB: u64 = 64 * 1024;
/// What anything may take.
const MOST_KIB: u64 = 200 * 1024;

/// What a command printed and took.
struct Measured {
    status: ExitStatus,
    stdout: String,
    stderr: String,
    /// The most memory it held, where the system tells. Looked at all the time, so never more than
    /// it was; what it took in its very last moment may be missing.
    peak_kib: Option<u64>,
}

fn measured(sandbox: &Sandbox, args: &[&str]) -> Measured {
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
    fn has_ended_well(&self, name: &str) {
        let said = format!("{name}: {:?} {} {}", self.status, self.stdout, self.stderr);
        assert!(self.status.code().is_some_and(|code| code < 100), "{said}");
        let document: serde_json::Value =
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

fn inspected(sandbox: &Sandbox, file: &Path) -> Measured {
    measured(sandbox, &["package", "inspect", &file.to_string_lossy(), "--json"])
}

/// All in one would take longer than a test may.
#[rstest]
fn looking_at_a_hostile_package_takes_little_memory(#[values(0, 1, 2, 3, 4, 5)] part: usize) {
    let sandbox = Sandbox::new();
    let smallest = Parts::mini().packed(&sandbox.path("work"));
    // The first one makes the store.
    inspected(&sandbox, &smallest).has_ended_well("the smallest package");
    let bare = inspected(&sandbox, &smallest).peak_kib;
    for hostile in corpus::packages(128).into_iter().skip(part).step_by(6) {
        let folder = tempfile::tempdir().unwrap();
        let seen = inspected(&sandbox, &(hostile.make)(folder.path()));
        seen.has_ended_well(hostile.name);
        let Some((peak, bare)) = seen.peak_kib.zip(bare) else { continue };
        let grown = peak.saturating_sub(bare);
        let most = INSPECT_KIB + hostile.largest / 1024;
        assert!(grown <= most, "{}: {grown} KiB, of {most} KiB", hostile.name);
        assert!(peak <= MOST_KIB, "{}: {peak} KiB", hostile.name);
    }
}
