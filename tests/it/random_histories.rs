//! What a model is sent, over many histories that nobody has written: replies of every form, stops,
//! deaths, other settings, compressions, todos, and talk after the end. Every request has to be one
//! that a server accepts, that fits, and that gives nothing away; it begins as the request before
//! wherever no rule says otherwise; and whatever was acknowledged comes back.
//!
//! `CREWAGENT_HISTORIES=<n>` plays so many in each part, `CREWAGENT_HISTORIES_SEED=<n>` others.

#![expect(clippy::print_stderr, reason = "the figures are told to whoever runs it")]

mod deeds;
mod dice;
mod looked_at;
mod lossless;
mod outside;
mod prefix;
mod replies;
mod tally;

use dice::Dice;
use outside::Outside;
use prefix::Rule;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use rstest::rstest;
use std::cell::RefCell;
use tally::Tally;

/// Histories in each of the eight parts, which are tests of their own so that they are played at
/// once.
const HISTORIES: u32 = 1_300;

fn from_environment(name: &str) -> Option<u32> {
    std::env::var(name).ok()?.parse().ok()
}

/// Plays the histories of a part, and says what they came to.
fn play(part: u32) -> Tally {
    let cases = from_environment("CREWAGENT_HISTORIES").unwrap_or(HISTORIES);
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        max_shrink_iters: 1_500,
        max_shrink_time: 20_000,
        ..ProptestConfig::default()
    };
    let mut seed = [0_u8; 32];
    seed[..4].copy_from_slice(&part.to_le_bytes());
    let other = from_environment("CREWAGENT_HISTORIES_SEED").unwrap_or(0);
    seed[4..8].copy_from_slice(&other.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let whole = RefCell::new(Tally::default());
    // Most are short, so that there can be many; some are long enough for what takes a while.
    let deeds = prop_oneof![7 => vec(any::<u64>(), 4..18), 1 => vec(any::<u64>(), 20..70)];
    let strategy = (any::<u64>(), deeds);
    TestRunner::new_with_rng(config, rng)
        .run(&strategy, |(beginning, deeds)| {
            whole.borrow_mut().add(&history(beginning, &deeds));
            Ok(())
        })
        .unwrap();
    let whole = whole.into_inner();
    eprintln!("part {part}: {whole:?}");
    whole
}

fn history(beginning: u64, deeds: &[u64]) -> Tally {
    let mut dice = Dice::new(beginning);
    let limits = deeds::limits(&mut dice);
    let words = Outside::first_words(&mut dice);
    let mut outside = Outside::new(limits, dice.of(&[0, 0, 0, 0, 1, 2, 2, 3, 4, 4]), words);
    for deed in deeds {
        outside.deed(*deed);
    }
    lossless::comes_back(&mut outside);
    outside.tally
}

/// A part is worth something only when enough happened in it, and every rule spoke.
fn was_busy(whole: &Tally) {
    let histories = whole.histories;
    assert!(whole.requests > 4 * histories, "{whole:?}");
    assert!(whole.acknowledged > 8 * histories, "{whole:?}");
    let often = [
        ("too long", whole.too_long),
        ("after completion", whole.after_completion),
        ("deaths", whole.deaths),
        ("made shorter", whole.effective),
        ("could not be shorter", whole.noop),
        ("no summary of a model", whole.fallback),
        ("begins as the one before", whole.unbroken),
    ];
    for (what, times) in often {
        assert!(times > histories / 30, "{what}: {whole:?}");
    }
    for rule in Rule::ALL {
        assert!(whole.broken.contains_key(&rule), "{rule:?}: {whole:?}");
    }
    // A cache of a server is of use: half of the text at least was sent with the request before.
    assert!(whole.kept_bytes * 2 > whole.sent_bytes, "{whole:?}");
}

#[rstest]
fn every_request_is_as_it_should_be(#[values(1, 2, 3, 4, 5, 6, 7, 8)] part: u32) {
    was_busy(&play(part));
}
