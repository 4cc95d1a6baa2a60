//! Every story, killed at every crash point it passes, again and again where it passes it often.
//!
//! To repeat a failure: `CREWAGENT_CRASH_ONLY=<story>` tells that story alone,
//! `CREWAGENT_CRASH_SEED=<seed>` kills at the same random times, `CREWAGENT_CRASH_KILLS=<n>` so
//! often.

use host::crash::Point;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::end::{End, Verdict};
use super::stories;
use super::story::{Story, words};
use support::program::Sandbox;

/// What the kills so far came to.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) kills: AtomicUsize,
    pub(crate) verdict: Mutex<Verdict>,
}

impl Tally {
    /// Adds the verdict of one story that was killed.
    pub(crate) fn add(&self, what: &str, found: Verdict) {
        let mut all = self.verdict.lock().unwrap();
        let named = |finding: String| {
            // At once: the suite takes minutes.
            eprintln!("{what}: {finding}");
            format!("{what}: {finding}")
        };
        all.lost.extend(found.lost.into_iter().map(named));
        all.doubled.extend(found.doubled.into_iter().map(named));
    }

    /// Prints the one line, and fails with every finding when there is one.
    pub(crate) fn sum_up(&self) {
        let verdict = self.verdict.lock().unwrap();
        let (lost, doubled) = (verdict.lost.len(), verdict.doubled.len());
        println!("{} kills, {lost} lost, {doubled} doubled", self.kills.load(Ordering::Relaxed));
        let findings: Vec<&String> = verdict.doubled.iter().chain(&verdict.lost).collect();
        let shown: Vec<&&String> = findings.iter().take(20).collect();
        assert!(findings.is_empty(), "{shown:#?}");
    }
}

/// A story nobody kills.
pub(crate) struct Straight {
    pub(crate) story: Story,
    pub(crate) end: End,
    /// By act: how often each crash point is passed.
    passed: Vec<BTreeMap<String, usize>>,
}

/// The stories with the ends they have when nobody kills them.
pub(crate) struct Told {
    pub(crate) stories: Vec<Straight>,
    _packages: tempfile::TempDir,
}

impl Told {
    pub(crate) fn new() -> Self {
        let packages = tempfile::tempdir().unwrap();
        let mut stories = stories::all(packages.path());
        if let Ok(only) = std::env::var("CREWAGENT_CRASH_ONLY") {
            stories.retain(|story| story.name == only);
        }
        let stories = stories.into_iter().map(straight).collect();
        Self { stories, _packages: packages }
    }
}

fn straight(story: Story) -> Straight {
    let sandbox = Sandbox::in_memory();
    let acts = 0..story.acts.len();
    let passed = acts.map(|act| {
        let log = sandbox.write("passed.txt", "");
        story.act(&sandbox, act, &[("CREWAGENT_CRASH_LOG", &log)]);
        let mut passed = BTreeMap::new();
        for name in std::fs::read_to_string(&log).unwrap().lines() {
            *passed.entry(name.to_owned()).or_default() += 1;
        }
        passed
    });
    let passed = passed.collect();
    let end = story.end(&sandbox);
    let mut verdict = Verdict::default();
    story.judge(&sandbox, &[], &mut verdict);
    assert!(verdict.lost.is_empty() && verdict.doubled.is_empty(), "{verdict:?}");
    Straight { story, end, passed }
}

/// A kill: story, act, point, and the time it is passed.
type Case = (usize, usize, Point, usize);

/// In an act that passes a point more often than this, only every so many-th time is taken, so
/// that the suite stays within minutes; `CREWAGENT_CRASH_ALL` takes them all.
const OFTEN: usize = 3;
/// The same in a story with dialogs: each of its acts is a process, and goes on from a few others.
/// There a point that another act or story comes by is taken in every third act only.
const OFTEN_WITH_DIALOGS: usize = 1;

fn cases(told: &Told) -> Vec<Case> {
    let all = std::env::var_os("CREWAGENT_CRASH_ALL").is_some();
    let (mut cases, whole): (Vec<Case>, bool) = (Vec::new(), told.stories.len() > 1);
    for (n, told) in told.stories.iter().enumerate() {
        let dialogs = told.story.has_dialogs();
        let often = if dialogs { OFTEN_WITH_DIALOGS } else { OFTEN };
        for act in told.story.processes() {
            for (place, point) in Point::ALL.iter().enumerate() {
                let known = cases.iter().any(|(_, _, known, _)| known == point);
                if dialogs && whole && !all && known && !(place + act + n).is_multiple_of(3) {
                    continue;
                }
                let times = told.passed[act].get(point.name()).copied().unwrap_or(0);
                let step = if all { 1 } else { times.div_ceil(often).max(1) };
                // Another offset for each point: together they come by every line.
                let first = 1 + cases.len() % step;
                cases.extend((first..=times).step_by(step).map(|time| (n, act, *point, time)));
            }
        }
    }
    cases
}

/// Runs `work` on as many threads as keep the machine busy: a process waits for its disk.
pub(crate) fn in_parallel(work: impl Fn() + Sync) {
    let threads = 2 * std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(&work);
        }
    });
}

/// Kills every story at every point; fails when a point is in no story's way.
pub(crate) fn at_every_point(told: &Told, tally: &Tally) {
    let cases = cases(told);
    let met: BTreeSet<&str> = cases.iter().map(|(_, _, point, _)| point.name()).collect();
    // An import has many conversations and no run of its own: `takeover.rs` kills it.
    let here = Point::ALL.iter().map(|p| p.name()).filter(|name| !name.starts_with("import."));
    let never = here.filter(|name| !met.contains(name));
    let never: Vec<&str> = never.collect();
    let whole = std::env::var_os("CREWAGENT_CRASH_ONLY").is_none();
    assert!(never.is_empty() || !whole, "no story passes these crash points: {never:?}");
    println!("{} crash points, {} places", met.len(), cases.len());
    let next = AtomicUsize::new(0);
    in_parallel(|| {
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            kill_at(told, *case, tally);
        }
    });
}

/// Plays a story in which one act dies at a point.
fn kill_at(told: &Told, (n, act, point, time): Case, tally: &Tally) {
    let Straight { story, end, .. } = &told.stories[n];
    let sandbox = Sandbox::in_memory();
    story.play(&sandbox, act);
    let at = format!("{}:{time}", point.name());
    let command = story.command(&sandbox, act);
    let done = sandbox.run_with(&words(&command), &[("CREWAGENT_CRASH_AT", &at)]);
    tally.kills.fetch_add(usize::from(done.code.is_none()), Ordering::Relaxed);
    let mut printed = printed(&done.stdout);
    story.recover(&sandbox, act, |done| printed.extend(self::printed(&done.stdout)));
    let mut verdict = Verdict::default();
    story.judge(&sandbox, &printed, &mut verdict);
    story.end(&sandbox).compare(end, &mut verdict);
    tally.add(&format!("{} act {act} at {at}", story.name), verdict);
}

/// The whole lines of what a process printed; half a line is none.
pub(crate) fn printed(stdout: &str) -> Vec<Value> {
    let whole = stdout.rsplit_once('\n').map_or("", |(whole, _)| whole);
    whole.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_run_killed_at_any_crash_point_or_time_loses_nothing_and_does_nothing_twice() {
    let (told, tally) = (Told::new(), Tally::default());
    at_every_point(&told, &tally);
    #[cfg(unix)]
    super::kills::at_random(&told, &tally);
    tally.sum_up();
}
