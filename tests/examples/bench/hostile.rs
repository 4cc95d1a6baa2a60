//! Looking at packages that mean harm: none of them may hold anybody up.

use std::path::Path;
use std::time::Instant;

use host::packages;
use serde_json::{Value, json};

use crate::stats::round;
use support::corpus;

/// What the large packages unpack to, as much as any may.
const MEBIBYTES: usize = 500;
/// How many of the slowest are named.
const NAMED: usize = 8;

/// Looks at each package of the corpus once.
pub(crate) fn measure(folder: &Path) -> anyhow::Result<Value> {
    let mut times = Vec::new();
    for hostile in corpus::packages(MEBIBYTES) {
        let place = folder.join("one");
        std::fs::create_dir(&place)?;
        let package = (hostile.make)(&place);
        let began = Instant::now();
        // Most are refused; the memory they take is for the tests to judge.
        _ = packages::inspect(&package);
        times.push((round(began.elapsed().as_secs_f64() * 1000.0), hostile.name));
        std::fs::remove_dir_all(&place)?;
    }
    times.sort_by(|a, b| b.0.total_cmp(&a.0));
    let slowest = times.first().map(|(ms, _)| *ms);
    let named = times.iter().take(NAMED).map(|(ms, name)| json!({ "name": name, "ms": ms }));
    Ok(json!({
        "packages": times.len(), "slowestMs": slowest, "slowest": named.collect::<Vec<_>>(),
    }))
}
