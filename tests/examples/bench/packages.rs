//! A large package: looked at and installed, against `unzip` onto the same disk, and what memory that
//! takes. Each in a process that does nothing else.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::Context as _;
use host::packages::{self, PackagesLock};
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;

use crate::open::peak_mib;
use crate::stats::{median, round};

/// Files of the package.
const FILES: usize = 5_000;
/// What they unpack to.
const BYTES: usize = 200 << 20;
/// The largest of them.
const LARGEST_MIB: u32 = 32;
const LARGEST: usize = (LARGEST_MIB as usize) << 20;
/// How often each of the two unpacks it.
const TIMES: usize = 5;
/// The argument that makes the benchmark a process that takes the package in.
pub(crate) const PROBE: &str = "--probe-package";

/// Takes the package in and unpacks it, by turns.
pub(crate) fn measure(folder: &Path) -> anyhow::Result<Value> {
    let file = folder.join("large.bmad");
    make(&file)?;
    let (mut takes, mut unzips, mut grown) = (Vec::new(), Vec::new(), Vec::new());
    let (mut inspects, mut installs) = (Vec::new(), Vec::new());
    for turn in 0..TIMES {
        let report = in_a_process(&folder.join(format!("store-{turn}")), &file)?;
        let figure = |name: &str| report[name].as_f64().with_context(|| format!("no {name}"));
        inspects.push(figure("inspectMs")?);
        installs.push(figure("installMs")?);
        takes.push(figure("inspectMs")? + figure("installMs")?);
        grown.push(figure("grownMiB")?);
        unzips.push(unzip(&file, &folder.join(format!("unzipped-{turn}")))?);
    }
    let largest = f64::from(LARGEST_MIB);
    let (ms, unzip_ms, grown) = (median(takes), median(unzips), median(grown));
    Ok(json!({
        "files": FILES, "mebibytes": BYTES >> 20, "ms": round(ms), "unzipMs": round(unzip_ms),
        "inspectMs": round(median(inspects)), "installMs": round(median(installs)),
        "ratio": round(ms / unzip_ms), "grownMiB": round(grown), "largestMiB": largest,
        "aboveLargestMiB": round(grown - largest),
    }))
}

/// Text that packs to about a fifth, as texts do; the largest file is an asset.
fn make(file: &Path) -> anyhow::Result<()> {
    let source = crate::mini_package();
    let mut zip = zip::ZipWriter::new(File::create(file)?);
    let options = SimpleFileOptions::default();
    let mut own = 0;
    for entry in walked(&source)? {
        let name = entry.strip_prefix(&source)?.to_string_lossy().into_owned();
        zip.start_file(name, options)?;
        zip.write_all(&fs::read(&entry)?)?;
        own += 1;
    }
    zip.start_file("assets/largest.bin", options)?;
    zip.write_all(&text(LARGEST, 0))?;
    let others = FILES - own - 1;
    let each = (BYTES - LARGEST) / others;
    for n in 0..others {
        zip.start_file(format!("assets/notes/{}/note-{n:05}.md", n / 100), options)?;
        zip.write_all(&text(each, n))?;
    }
    zip.finish()?.sync_all()?;
    Ok(())
}

fn walked(folder: &Path) -> anyhow::Result<Vec<std::path::PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { found.extend(walked(&path)?) } else { found.push(path) }
    }
    Ok(found)
}

/// So many bytes of words.
fn text(bytes: usize, seed: usize) -> Vec<u8> {
    let words = ["the", "plan", "of", "a", "house", "stands", "before", "its", "walls", "and"];
    let mut state = seed as u64 ^ 0x9e37_79b9_7f4a_7c15;
    let mut text = Vec::with_capacity(bytes + 16);
    while text.len() < bytes {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = usize::try_from(state >> 33).unwrap_or_default();
        text.extend_from_slice(words[at % words.len()].as_bytes());
        text.extend_from_slice(format!(" {} ", at % 997).as_bytes());
    }
    text.truncate(bytes);
    text
}

fn unzip(file: &Path, to: &Path) -> anyhow::Result<f64> {
    let began = Instant::now();
    let done = Command::new("unzip").arg("-qq").arg(file).arg("-d").arg(to).status();
    let done = done.context("unzip has to be installed")?;
    anyhow::ensure!(done.success(), "unzip ended with {done}");
    let ms = began.elapsed().as_secs_f64() * 1000.0;
    fs::remove_dir_all(to)?;
    Ok(ms)
}

fn in_a_process(store: &Path, file: &Path) -> anyhow::Result<Value> {
    let out = Command::new(std::env::current_exe()?)
        .args([PROBE, &store.to_string_lossy(), &file.to_string_lossy(), ""])
        .output()?;
    anyhow::ensure!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    packages::remove_folder(store)?;
    Ok(serde_json::from_slice(&out.stdout)?)
}

/// Looks at the package and installs it.
pub(crate) fn probe(store: &Path, file: &str, _: &str) -> anyhow::Result<Value> {
    fs::create_dir(store)?;
    let before = peak_mib().context("no memory")?;
    let began = Instant::now();
    let inspected = packages::inspect(Path::new(file))?;
    let inspect_ms = began.elapsed().as_secs_f64() * 1000.0;
    anyhow::ensure!(inspected.report.file_count as usize == FILES, "not all files were found");
    let began = Instant::now();
    PackagesLock::wait(&store.join("packages"))?.install(&inspected)?;
    let install_ms = began.elapsed().as_secs_f64() * 1000.0;
    Ok(json!({
        "inspectMs": inspect_ms, "installMs": install_ms, "grownMiB": peak_mib().context("no memory")? - before,
    }))
}
