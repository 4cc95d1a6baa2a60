//! The file tools against what does the same without a sandbox: `rg` on one tree, a bare
//! temporary file with flush and rename, and a folder of 10⁵ entries.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, ensure};
use host::real_path::RealPath;
use host::redact::Private;
use host::tools::{MountRoots, ToolHost};
use kernel::effect::{Began, Permit};
use kernel::mark::Folder;
use kernel::policy::{SystemTools, ToolPolicy};
use kernel::tool::parse_call;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::stats::{median_us, round};

const FOLDERS: usize = 2500;
const FILES_EACH: usize = 20;
const ROUNDS: usize = 9;
const WRITES: usize = 200;
const ENTRIES: usize = 100_000;

/// A tool host on folders of its own.
struct Place {
    host: ToolHost,
    project: PathBuf,
    policy: ToolPolicy,
}

impl Place {
    fn new(folder: &Path) -> anyhow::Result<Self> {
        let root = |name: &'static str, alias| -> anyhow::Result<RealPath> {
            fs::create_dir(folder.join(name))?;
            Ok(RealPath::new(folder.join(name), alias))
        };
        let roots = MountRoots {
            project: root("project", "@project")?,
            pkg: Some(root("pkg", "@pkg")?),
            state: root("state", "@state")?,
            store: root("store", "[store]")?,
        };
        let private = Private::new(vec![(folder.to_owned(), Folder::Home)]);
        Ok(Self {
            host: ToolHost::open(roots, private)?,
            project: folder.join("project"),
            policy: ToolPolicy::merge(&SystemTools::default(), None),
        })
    }

    fn permit(&self, tool: &str, args: &Value, began: Option<Began>) -> anyhow::Result<Permit> {
        let call = parse_call(tool, &args.to_string())?;
        Ok(Permit::for_test("bench", call, self.policy.clone(), "bench", began))
    }

    fn perform(&self, tool: &str, args: &Value, began: Option<Began>) -> anyhow::Result<Value> {
        let permit = self.permit(tool, args, began)?;
        let result = self.host.perform(&permit, &CancellationToken::new()).result;
        ensure!(result["ok"] == true, "{tool}: {result}");
        Ok(result)
    }
}

/// `fs.search` against `rg` with the same rules, taken in turns.
pub(crate) fn search(folder: &Path) -> anyhow::Result<Value> {
    let place = Place::new(folder)?;
    make_tree(&place.project)?;
    let args = json!({ "path": "@project", "pattern": "needle in it" });
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let mut stats = Value::Null;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        stats = place.perform("fs.search", &args, None)?["stats"].clone();
        ours.push(start.elapsed());
        let start = Instant::now();
        let rg = Command::new("rg")
            .args(["--no-config", "--no-require-git", "--no-ignore-parent", "-n", "-C1", "-F"])
            .arg("needle in it")
            .current_dir(&place.project)
            .stdout(Stdio::piped())
            .output();
        let Ok(rg) = rg else { return Ok(json!({ "skipped": "rg is not installed" })) };
        theirs.push(start.elapsed());
        let hits = String::from_utf8_lossy(&rg.stdout).matches("needle in it").count();
        ensure!(stats["matchesFound"] == hits, "rg found {hits}, fs.search {stats}");
    }
    let (ours, theirs) = (median_us(&ours), median_us(&theirs));
    Ok(json!({ "files": FOLDERS * FILES_EACH, "stats": stats, "fsSearchMs": ms(ours),
        "rgMs": ms(theirs), "ratio": round(ours / theirs) }))
}

fn make_tree(project: &Path) -> anyhow::Result<()> {
    fs::write(project.join(".gitignore"), "*.log\nbuild/\n")?;
    for folder in 0..FOLDERS {
        let dir = project.join(format!("part-{}/module-{folder}", folder % 50));
        fs::create_dir_all(&dir)?;
        for file in 0..FILES_EACH {
            let number = folder * FILES_EACH + file;
            let extension = ["md", "rs", "txt", "log"][file % 4];
            let mut text = Vec::new();
            for line in 0..30 {
                writeln!(text, "line {line} of file {number} says nothing of interest")?;
            }
            if number.is_multiple_of(2500) {
                writeln!(text, "here is a needle in it")?;
            }
            fs::write(dir.join(format!("file-{number}.{extension}")), text)?;
        }
    }
    Ok(())
}

/// `fs.write` against a temporary file, its flush, its rename and the folder's flush.
pub(crate) fn write(folder: &Path) -> anyhow::Result<Value> {
    let place = Place::new(folder)?;
    // The same folder for both: how long a new file takes depends on what its folder saw before.
    let bare_dir = &place.project;
    let (mut bare, mut performed, mut whole) = (Vec::new(), Vec::new(), Vec::new());
    for n in 0..WRITES {
        let content = format!("{n} ").repeat(4000);
        let start = Instant::now();
        bare_write(bare_dir, content.as_bytes())?;
        bare.push(start.elapsed());
        let args = json!({ "path": "@project/report.md", "content": content });
        let start = Instant::now();
        let began = place.host.prepare(&place.permit("fs.write", &args, None)?)?;
        let permit = place.permit("fs.write", &args, Some(began))?;
        let prepared = Instant::now();
        let result = place.host.perform(&permit, &CancellationToken::new()).result;
        performed.push(prepared.elapsed());
        whole.push(start.elapsed());
        ensure!(result["ok"] == true, "fs.write: {result}");
    }
    let (bare, performed) = (median_us(&bare), median_us(&performed));
    let whole = median_us(&whole);
    Ok(json!({ "bareMs": ms(bare), "fsWriteMs": ms(performed), "ratio": round(performed / bare),
        "withKeptPreImageMs": ms(whole), "withKeptPreImageRatio": round(whole / bare) }))
}

fn bare_write(dir: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let temp = dir.join("bare.md.tmp");
    let mut file = File::create(&temp)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&temp, dir.join("bare.md"))?;
    File::open(dir)?.sync_all()?;
    Ok(())
}

/// `fs.list` of 10⁵ entries: how long, and how much more memory the process ever held.
pub(crate) fn list(folder: &Path) -> anyhow::Result<Value> {
    let place = Place::new(folder)?;
    for n in 0..ENTRIES {
        File::create(place.project.join(format!("{n:06}")))?;
    }
    let before = peak_kib()?;
    let start = Instant::now();
    let result = place.perform("fs.list", &json!({ "path": "@project" }), None)?;
    let took = start.elapsed();
    ensure!(result["entries"].as_array().map(Vec::len) == Some(200), "{result}");
    let grown = before.zip(peak_kib()?).map(|(before, after)| after - before);
    Ok(json!({ "entries": ENTRIES, "ms": ms(took.as_secs_f64() * 1e6), "peakGrewKiB": grown }))
}

/// The most memory this process ever held, where the system tells.
fn peak_kib() -> anyhow::Result<Option<u64>> {
    let Ok(status) = fs::read_to_string("/proc/self/status") else { return Ok(None) };
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next());
    kib.map(|kib| kib.parse().context("VmHWM")).transpose()
}

fn ms(us: f64) -> f64 {
    round(us / 1000.0)
}
