//! `kill -9` from outside, at random: after a random number of printed events, again and again.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::end::Verdict;
use super::points::{Straight, Tally, Told, in_parallel, printed};
use super::story::{Act, cut_short, words};
use support::program::Sandbox;

/// How many kills there are at least; `CREWAGENT_CRASH_KILLS` asks for another number.
const KILLS: usize = 250;

fn kills() -> usize {
    let given = std::env::var("CREWAGENT_CRASH_KILLS").ok().and_then(|n| n.parse().ok());
    given.unwrap_or(KILLS)
}

/// Numbers that follow from a seed (SplitMix64).
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) % end as u64).unwrap()
    }
}

/// Given again to repeat a failure; else of the clock.
pub(crate) fn seed() -> u64 {
    let given = std::env::var("CREWAGENT_CRASH_SEED").ok().and_then(|s| s.parse().ok());
    given.unwrap_or_else(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        now.as_secs()
    })
}

/// Kills random stories at random times, each up to three times, until there were enough kills.
pub(crate) fn at_random(told: &Told, tally: &Tally) {
    let seed = seed();
    println!("CREWAGENT_CRASH_SEED={seed}");
    let (chance, killed) = (Mutex::new(Chance(seed)), AtomicUsize::new(0));
    let enough = kills();
    in_parallel(|| {
        while killed.load(Ordering::Relaxed) < enough {
            let mut own = Chance(chance.lock().unwrap().below(usize::MAX) as u64);
            killed.fetch_add(once(told, &mut own, tally), Ordering::Relaxed);
        }
    });
    tally.kills.fetch_add(killed.into_inner(), Ordering::Relaxed);
}

/// One story with one of its processes killed; how often it was. A call on which the program died
/// comes to its end before the next kill: after a second death it would be given up, and the story
/// would be another one.
fn once(told: &Told, chance: &mut Chance, tally: &Tally) -> usize {
    let Straight { story, end, .. } = &told.stories[chance.below(told.stories.len())];
    let processes: Vec<usize> = story.processes().collect();
    let act = processes[chance.below(processes.len())];
    let sandbox = Sandbox::in_memory();
    story.play(&sandbox, act);
    let (mut kills, mut shown) = (0, Vec::new());
    for _ in 0..=chance.below(3) {
        let Some(command) = story.next(&sandbox, act) else { break };
        let mut cut_short = if kills > 0 { cut_short(&sandbox) } else { BTreeSet::new() };
        let mut running = sandbox.start(&words(&command));
        let events = if matches!(story.acts[act], Act::Again(..) | Act::Rewind(_)) {
            0
        } else {
            chance.below(40)
        };
        let mut left = events;
        while left > 0 || !cut_short.is_empty() {
            let Some(line) = running.line() else { break };
            match line["data"]["callId"].as_str() {
                Some(call) if line["event"] == "call_ended" => _ = cut_short.remove(call),
                _ => {}
            }
            left = left.saturating_sub(1);
            shown.push(line);
        }
        running.kill();
        let (more, code) = running.end();
        shown.extend(more);
        kills += usize::from(code.is_none());
    }
    story.recover(&sandbox, act, |done| shown.extend(printed(&done.stdout)));
    let mut verdict = Verdict::default();
    story.judge(&sandbox, &shown, &mut verdict);
    story.end(&sandbox).compare(end, &mut verdict);
    tally.add(&format!("{} act {act} killed {kills} times", story.name), verdict);
    kills
}
