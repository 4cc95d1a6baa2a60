//! What a model is sent of a long conversation: one request composed, and the conversation made
//! shorter.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use kernel::effect::{Effect, EffectId};
use kernel::engine::{ExecutionEngine, Input, Limits};
use kernel::time::Time;
use serde_json::{Value, json};

use crate::open::turn_with;
use crate::snapshot;
use crate::stats::{median_us, percentile_us, round};

/// Turns of the conversation, each of four messages: 100,000 in all.
const TURNS: u64 = 25_000;
/// How often a request is composed.
const ROUNDS: usize = 51;
/// How often the conversation is made shorter.
const COMPRESSIONS: usize = 9;
/// Tokens that the model reads for which it is.
const CONTEXT_TOKENS: u32 = 32_768;

/// What the next request takes where nothing is to be counted that was not before.
pub(crate) fn compose(_: &Path) -> anyhow::Result<Value> {
    let (engine, wanted) = asked(Limits::default())?;
    let (mut times, mut messages) = (Vec::<Duration>::new(), 0);
    for _ in 0..ROUNDS {
        let began = Instant::now();
        let effect = engine.effect(&wanted).map_err(|failure| anyhow::anyhow!("{failure}"))?;
        times.push(began.elapsed());
        let Effect::Think(think) = effect else { anyhow::bail!("no request is due") };
        messages = think.request.messages.len();
    }
    anyhow::ensure!(messages as u64 > TURNS * 4, "the request has {messages} messages");
    Ok(json!({
        "messages": messages,
        "ms": round(median_us(&times) / 1000.0),
        "p99Ms": round(percentile_us(&times, 0.99) / 1000.0),
    }))
}

/// What it takes to make the conversation short enough for a small model, without asking one.
pub(crate) fn compress(_: &Path) -> anyhow::Result<Value> {
    let limits = Limits { context_tokens: Some(CONTEXT_TOKENS), ..Limits::default() };
    let (engine, wanted) = asked(limits)?;
    let (mut times, mut size) = (Vec::<Duration>::new(), json!(null));
    for _ in 0..COMPRESSIONS {
        let began = Instant::now();
        let effect = engine.effect(&wanted).map_err(|failure| anyhow::anyhow!("{failure}"))?;
        let Effect::Compact(job) = effect else { anyhow::bail!("nothing is to be made shorter") };
        let compacted = job.plan().alone();
        times.push(began.elapsed());
        let (before, after) = (compacted.before, compacted.after);
        anyhow::ensure!(after.tokens * 2 <= u64::from(CONTEXT_TOKENS) + 2, "{}", after.tokens);
        size = json!({
            "messages": before.messages, "tokens": before.tokens,
            "messagesAfter": after.messages, "tokensAfter": after.tokens,
        });
    }
    size["ms"] = json!(round(median_us(&times) / 1000.0));
    Ok(size)
}

/// A run of many turns in which the person has spoken, and what is wanted next.
fn asked(limits: Limits) -> anyhow::Result<(ExecutionEngine, EffectId)> {
    let mut engine =
        snapshot::long_run(limits, TURNS, |turn| turn_with(turn, "Some plain words."))?;
    let now = Time::from_millis(1_767_312_000_000);
    let said = engine.decide(&Input::Say("Go on.".into()), now)?.context("nothing was said")?;
    engine.apply(&said);
    let wanted = engine.wanted().into_iter().next().context("nothing is wanted")?;
    Ok((engine, wanted))
}
