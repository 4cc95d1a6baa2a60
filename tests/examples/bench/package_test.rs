//! `crewagent package test` of each package that comes with the program: a process each, from its start
//! to its end.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::Context as _;
use host::packages::bundled;
use serde_json::{Value, json};

use crate::stats::{median, round};

/// How often each is tested.
const TIMES: usize = 5;

/// The slowest of them counts.
pub(crate) fn measure(folder: &Path) -> anyhow::Result<Value> {
    let program = std::env::current_exe()?;
    let program = program.parent().and_then(Path::parent).context("no folder")?.join("crewagent");
    let mut report = json!({});
    let mut slowest = 0.0_f64;
    for name in bundled::list() {
        let mut times = Vec::new();
        for _ in 0..TIMES {
            let began = Instant::now();
            let done = Command::new(&program)
                .args(["package", "test", name, "--json", "--project"])
                .arg(folder)
                .env("CREWAGENT_STORE", folder.join("store"))
                .env("CREWAGENT_KEYCHAIN", "off")
                .output()
                .context("the command line has to be built")?;
            times.push(began.elapsed().as_secs_f64() * 1000.0);
            let said = String::from_utf8_lossy(&done.stderr);
            anyhow::ensure!(done.status.success(), "{name} failed: {said}");
        }
        let ms = round(median(times));
        slowest = slowest.max(ms);
        report[name] = json!(ms);
    }
    report["slowestMs"] = json!(slowest);
    Ok(report)
}
