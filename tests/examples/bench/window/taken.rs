//! What a program and all that it has started take of the machine, as Linux tells it.

use std::fs;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Context as _;

/// Ticks a second in which Linux tells times of processes.
const TICKS: u64 = 100;

/// A process and all that it has started, itself first.
pub(crate) fn tree(root: u32) -> Vec<u32> {
    let mut all = vec![root];
    let mut next = 0;
    while let Some(process) = all.get(next).copied() {
        next += 1;
        let Ok(tasks) = fs::read_dir(format!("/proc/{process}/task")) else { continue };
        for task in tasks.flatten() {
            let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            all.extend(children.split_whitespace().filter_map(|id| id.parse::<u32>().ok()));
        }
    }
    all
}

/// Their memory, what they share counted once, in MiB.
///
/// # Errors
/// When that of one cannot be read.
pub(crate) fn pss_mib(processes: &[u32]) -> anyhow::Result<f64> {
    let mut kib = 0.0;
    for process in processes {
        let text = fs::read_to_string(format!("/proc/{process}/smaps_rollup"))?;
        let line = text.lines().find_map(|line| line.strip_prefix("Pss:"));
        let number = line.context("no PSS")?.trim().trim_end_matches(" kB");
        kib += number.parse::<f64>()?;
    }
    Ok(kib / 1024.0)
}

/// The fields of `/proc/…/stat` behind the program's name, the first of which is its state.
fn stat(process: u32) -> Option<Vec<String>> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, fields) = text.rsplit_once(") ")?;
    Some(fields.split_whitespace().map(str::to_owned).collect())
}

fn ticks(fields: &[String], at: usize) -> u64 {
    fields.get(at).and_then(|text| text.parse().ok()).unwrap_or_default()
}

/// What the processor has done for them.
pub(crate) fn worked(processes: &[u32]) -> Duration {
    let of = |process: &u32| stat(*process).map_or(0, |it| ticks(&it, 11) + ticks(&it, 12));
    let all: u64 = processes.iter().map(of).sum();
    Duration::from_millis(all * 1000 / TICKS)
}

/// When a process began, in milliseconds since 1970; exact to 10 ms.
pub(crate) fn started_at(process: u32) -> anyhow::Result<f64> {
    let fields = stat(process).context("no such process")?;
    let begun = Duration::from_millis(ticks(&fields, 19) * 1000 / TICKS);
    let uptime = fs::read_to_string("/proc/uptime")?;
    let up: f64 = uptime.split_whitespace().next().context("no uptime")?.parse()?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
    Ok((now.as_secs_f64() - up + begun.as_secs_f64()) * 1000.0)
}
