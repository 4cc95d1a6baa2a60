//! The benchmarks (spec 10): figures as JSON on standard output, progress on standard error.
//!
//! Ratios between two things measured in turns on the same machine, because absolute times say
//! more about the machine than about the program. `--gate` ends with 1 when a figure is over its
//! limit or missing.

mod acceptance;
mod append;
mod bare;
mod guard;
mod hostile;
mod long;
mod open;
mod others;
mod package_test;
mod packages;
mod requests;
mod script;
mod search;
mod server;
mod servers;
mod skills;
mod snapshot;
mod stats;
mod stream;
mod taken_back;
mod tools;
mod turns;
mod unused_servers;
mod window;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use serde_json::{Value, json};

/// Figures that must not be larger: where they stand in the report, and the limit.
const LIMITS: [(&str, f64); 37] = [
    // Time from an answer to the next request, against the bare loop.
    ("/turnOverhead/ratio", 1.7),
    // What the last 100 of 1,000 turns take, against the first 100; against the same of the bare loop.
    ("/longRun/growthRatio", 1.3),
    // Going on with a conversation of 2,000 messages, against the start of one.
    ("/longRun/resumeRatio", 1.6),
    // Processor time of a turn at requests of 60 KB, against the bare loop's.
    ("/turnProcessor/ratio", 2.4),
    // A final answer judged with 10⁴ facts and 500 todos, all of them open.
    ("/acceptance/ms", 1.0),
    // What a client reads of a run of 10⁵ events.
    ("/snapshot/ms", 5.0),
    // The next request of a conversation of 10⁵ messages, of which all are counted.
    ("/compose/ms", 5.0),
    // The same conversation made shorter.
    ("/compress/ms", 300.0),
    // Processor time of an answer in 20,000 pieces; and against a bare reader that parses them.
    ("/stream/ms", 250.0),
    ("/stream/ratio", 1.5),
    // Append to a journal of 10⁶ lines, against one of 10².
    ("/append/ratio", 1.3),
    // A decision made durable, against a bare row of the same text.
    ("/commit/ratio", 1.2),
    // A conversation of 100,000 messages to its last page.
    ("/open/ms", 50.0),
    // What the peak of the memory grew by at that.
    ("/open/grownMiB", 60.0),
    // The slowest of the questions to a million messages.
    ("/search/slowestWarmMs", 100.0),
    // A start with 1,000 runs that were under way.
    ("/recovery/ms", 200.0),
    // The slowest of the hostile packages that are looked at.
    ("/hostilePackages/slowestMs", 2000.0),
    // A package of 5,000 files and 200 MiB looked at and installed, against `unzip` to the same disk;
    // and what the peak of the memory grew by, beyond the largest of its files.
    ("/largePackage/ratio", 3.0),
    ("/largePackage/aboveLargestMiB", 64.0),
    // The checks of the guard at 500 steps and 5,000 completed entries; and all of it, against reading
    // the document's YAML twice and writing it once.
    ("/guard/ms", 1.0),
    ("/guard/ratio", 1.6),
    // 1,000 files that go back with a run, against copying them as durably.
    ("/rewind/ratio", 2.0),
    // The slowest of the bundled packages that is tested by its demo.
    ("/packageTest/slowestMs", 1000.0),
    // `fs.search` against `rg`; `fs.write` against a bare write, flush and rename.
    ("/fsSearch/ratio", 1.2),
    ("/fsWrite/ratio", 1.2),
    // A call of a server's tool, beyond what the server itself takes.
    ("/serverCall/addedMs", 5.0),
    // 20 servers that are set up and not used, at the start: no more than the measurement's own noise.
    ("/unusedServers/addedMs", 3.0),
    ("/unusedServers/addedMiB", 1.0),
    // The list of 200 skills, as a window asks for it.
    ("/skills/foundMs", 50.0),
    // From the start of the program to what a person sees first.
    ("/window/firstPaintMs", 600.0),
    // From a click on a conversation of 10,000 messages, on which the pointer rested, to its end on
    // the screen.
    ("/window/openMs", 50.0),
    // A frame while it is scrolled, half a screen a frame; and while an answer of 300 words a second streams.
    ("/window/scrollFrameP95Ms", 33.0),
    ("/window/streamFrameP95Ms", 33.0),
    // From a key to its sign on the screen meanwhile.
    ("/window/typingP95Ms", 50.0),
    // The slowest frame while texts that are hard to show are opened and read to their beginning.
    ("/window/hardFrameSlowestMs", 200.0),
    // All processes of a window that was opened and left alone: memory, and work of one processor.
    ("/window/idlePssMiB", 250.0),
    ("/window/idleProcessorPercent", 1.0),
];

/// One benchmark: works in a folder of its own and says its figures.
type Measure = fn(&Path) -> anyhow::Result<Value>;

fn main() -> anyhow::Result<ExitCode> {
    let args: Vec<String> = std::env::args().collect();
    if let [_, probe, folder, id] = &args[..]
        && probe == open::PROBE
    {
        writeln!(std::io::stdout(), "{}", open::probe(Path::new(folder), id)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let [_, probe, folder, url, what] = &args[..]
        && let Some(probe) = long_probe(probe)
    {
        writeln!(std::io::stdout(), "{}", probe(Path::new(folder), url, what)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let gate = std::env::args().any(|arg| arg == "--gate");
    let only = only(&args);
    // The window is measured only when it is asked for, as its program has to be built for that.
    let wanted = |name: &str| only.map_or(name != WINDOW, |only| only == name);
    let folder = tempfile::Builder::new().prefix("crewagent-bench-").tempdir()?;
    let mut report = json!({});
    let parts: [(&str, Measure); 27] = [
        ("turnOverhead", turns::measure),
        ("longRun", long::measure),
        ("turnProcessor", long::processor),
        ("acceptance", acceptance::measure),
        ("snapshot", snapshot::measure),
        ("compose", requests::compose),
        ("compress", requests::compress),
        ("stream", stream::measure),
        ("append", append::measure),
        ("commit", append::commits),
        ("open", open::measure),
        ("replay", others::replay),
        ("import", others::import),
        ("hostilePackages", hostile::measure),
        ("largePackage", packages::measure),
        ("guard", guard::measure),
        ("rewind", taken_back::measure),
        ("packageTest", package_test::measure),
        ("recovery", others::recovery),
        ("search", search::measure),
        ("fsSearch", tools::search),
        ("fsWrite", tools::write),
        ("fsList", tools::list),
        ("serverCall", servers::measure),
        ("unusedServers", unused_servers::measure),
        ("skills", skills::measure),
        (WINDOW, window::measure),
    ];
    if let Some(unknown) = only.filter(|only| parts.iter().all(|(name, _)| name != only)) {
        anyhow::bail!("there is no benchmark {unknown}");
    }
    for (name, measure) in parts.into_iter().filter(|(name, _)| wanted(name)) {
        say(name);
        let place = folder.path().join(name);
        std::fs::create_dir(&place)?;
        report[name] = measure(&place).with_context(|| format!("the benchmark {name}"))?;
        // A million lines take much room.
        host::packages::remove_folder(&place)?;
    }
    let failed = failed_gates(&report, wanted);
    report["gates"] = LIMITS.iter().map(|(at, limit)| ((*at).to_owned(), json!(limit))).collect();
    report["failed"] = json!(failed);
    report["notes"] = notes();
    writeln!(std::io::stdout(), "{report:#}")?;
    for gate in &failed {
        say(gate);
    }
    Ok(if gate && !failed.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The benchmark of the window.
const WINDOW: &str = "window";

/// The benchmark that is asked for by its name; `--window` names that of the window.
fn only(args: &[String]) -> Option<&str> {
    if args.iter().any(|arg| arg == "--window") {
        return Some(WINDOW);
    }
    args.iter().skip(1).map(String::as_str).find(|arg| !arg.starts_with("--"))
}

/// What a process of the benchmark does that is told so by its first argument: with a folder, the
/// model's address, and one thing more.
type Probe = fn(&Path, &str, &str) -> anyhow::Result<Value>;

fn long_probe(name: &str) -> Option<Probe> {
    match name {
        long::PROBE_TURNS => Some(long::probe_turns),
        long::PROBE_BARE => Some(long::probe_bare),
        long::PROBE_FIRST => Some(long::probe_first),
        stream::PROBE_ENGINE => Some(stream::probe_engine),
        stream::PROBE_BARE => Some(stream::probe_bare),
        unused_servers::PROBE => Some(unused_servers::probe),
        packages::PROBE => Some(packages::probe),
        _ => None,
    }
}

/// The gates of the benchmarks that were `wanted` and did not pass. One without a figure, because
/// what it compares with is not there, did not pass.
fn failed_gates(report: &Value, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let judge = |(at, limit): &(&str, f64)| match report.pointer(at).and_then(Value::as_f64) {
        Some(figure) if figure <= *limit => None,
        Some(figure) => Some(format!("{at} is {figure}, over its limit of {limit}")),
        None => Some(format!("{at} was not measured")),
    };
    let measured = |at: &str| at.split('/').nth(1).is_some_and(&wanted);
    LIMITS.iter().filter(|(at, _)| measured(at)).filter_map(judge).collect()
}

fn notes() -> Value {
    json!([
        "serverCall: from an answer of the model that calls a server's tool to the result in the \
         journal, the mean of 199 calls; less the median of the same calls written to the same \
         program by hand",
        "unusedServers: processes that open a store and ask for its projects, conversations and \
         servers, with 20 servers that are set up and trusted, with one and without any, by \
         turns; the medians of 25 each: addedMs against none, addedMiB against one, firstMiB what \
         the first takes",
        "skills: the median of 30 answers to the question for all 200 of a project",
        "turnOverhead: time from an answer's last byte to the first byte of the next \
         request; engine and bare loop answer in turns, with the same bytes on the wire and the \
         same commits and file flushes; the medians of reads, writes and changes of the state, \
         each as often as it comes",
        "turnProcessor: processor time of a turn, threads and kernel included, of a process that \
         does nothing else; engine and bare loop in turns, medians of the processes; ms and bareMs \
         say more about the machine than about the program",
        "acceptance: obligations and decision for a turn of 10,000 facts, half of them writes that \
         nobody checked, and 500 open todos; foldMs: what the facts take once, as they come",
        "compose: the next request of a conversation of 100,000 messages, as the engine makes it; \
         compress: the same conversation made short enough for 32,768 tokens, without a model",
        "stream: processor time of the whole process, kernel included, from the person's words to \
         the end of the turn, with a watcher; the bare reader parses the same bytes into a text; \
         medians of processes in turns",
        "append: RuntimeStore::append, one line at a time, journals taken in turns",
        "search: RuntimeStore::search over a million messages, a page of 30 hits; firstMs reads \
         the index from the disk, warmMs is the median after that",
        "commit: RuntimeStore::append against an INSERT of the same text into a bare table with \
         the same durability and the same handing over to a thread, in turns",
        "open: Host::watch of a resting conversation until its last page is there, in a process \
         that did nothing before; pageMs: a page further back; grownMiB: what the peak of its \
         memory grew by at the first opening, workedOnGrownMiB when the conversation is gone on \
         with, too; withoutSnapshots: the same for a database without snapshots",
        "hostilePackages: packages::inspect of each package of tests/support; the large ones unpack \
         to 500 MiB",
        "largePackage: packages::inspect and an install that flushes each file, in processes of their \
         own, and unzip in turns; medians of five; the texts pack to a fifth",
        "guard: check_change of a document of 5,000 completed entries and 5,000 decisions; wholeMs: \
         check_transition, which reads and writes the YAML, too",
        "rewind: from the command until the journal says that 1,000 changed files are back; copies \
         are written beside their names, flushed and renamed",
        "fsSearch: 50,000 files, rg with the same rules, in turns; fsWrite: the call as the engine \
         performs it; withKeptPreImage adds its preparation, which flushes the old bytes too",
        "window: the window as it ships, without the long link, on a virtual display; \
         manyRunsListedMs: from the start to the list of 1,000 runs; hardFrame: nested lists, a table \
         of 3,000 rows, a block of code of 1 MB, signs that turn words, HTML, a word of 400 KB, one \
         message of 10 MB; hourPssMiB: after 180,000 more words in 30 answers; demo: while its first \
         question waits",
        "times depend on the machine and its disk; ratios are what is judged",
    ])
}

/// A word on what is going on.
fn say(words: &str) {
    // Nobody may be reading; the figures go on all the same.
    _ = writeln!(std::io::stderr(), "{words} …");
}

/// The package that runs are made of.
fn mini_package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/packages/mini")
}
