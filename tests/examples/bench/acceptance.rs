//! Judging a final answer: what is open, and what the model is told, at many facts and todos.

use std::path::Path;
use std::time::{Duration, Instant};

use kernel::acceptance::{Situation, Told, judge, obligations, task_kind};
use kernel::facts::{Evidence, Fact, FactKind};
use kernel::todo::{NewTodo, TodoCommand, Todos};
use serde_json::{Value, json};

use crate::stats::{median_us, percentile_us, round};

/// Facts of the turn. Every second one is a write of a file of its own that nobody checked, the
/// worst there is: all of them are open.
const FACTS: usize = 10_000;
/// Todos that the model has set itself, none of which is done.
const TODOS: usize = 500;
/// How often the same answer is judged.
const ROUNDS: usize = 101;

/// What one judgement takes, and what it took to fold the facts.
pub(crate) fn measure(_: &Path) -> anyhow::Result<Value> {
    let (facts, todos) = (facts()?, todos()?);
    let began = Instant::now();
    let mut evidence = Evidence::default();
    for (seq, fact) in (1..).zip(&facts) {
        evidence.apply(seq, fact);
    }
    let folded = began.elapsed();
    let turn: Vec<&Fact> = facts.iter().collect();
    let subagents = kernel::subagent::Subagents::default();
    let situation = Situation {
        subagents: &subagents,
        evidence: &evidence,
        accepted: 0,
        turn: &turn,
        step: None,
        looks_at_files: true,
        hands_over: false,
        asks: false,
        deleted: &[],
        gates: &[],
        todos: &todos,
        unasked: None,
    };
    let (mut times, mut open) = (Vec::<Duration>::new(), 0);
    for _ in 0..ROUNDS {
        let began = Instant::now();
        let found = obligations(&situation);
        let decision = judge(&found, &Told::default()).decision(&found, task_kind(&turn), false);
        times.push(began.elapsed());
        open = decision.obligations.len() + usize::try_from(decision.not_listed)?;
    }
    anyhow::ensure!(open == FACTS / 2 + TODOS, "{open} are open");
    Ok(json!({
        "facts": FACTS, "todos": TODOS, "open": open,
        "ms": round(median_us(&times) / 1000.0),
        "p99Ms": round(percentile_us(&times, 0.99) / 1000.0),
        "foldMs": round(folded.as_secs_f64() * 1000.0),
    }))
}

fn facts() -> anyhow::Result<Vec<Fact>> {
    let fact = |n: usize| {
        let kind = if n.is_multiple_of(2) { FactKind::FileRead } else { FactKind::FileWritten };
        let path = format!("@project/docs/{}.md", n / 2);
        let fact = json!({ "kind": kind, "path": path, "sha256": format!("{n:064x}") });
        Ok(serde_json::from_value(fact)?)
    };
    (0..FACTS).map(fact).collect()
}

fn todos() -> anyhow::Result<Todos> {
    let item = |n: usize| NewTodo { content: format!("Step {n}"), ..NewTodo::default() };
    let plan = TodoCommand::Plan { items: (0..TODOS).map(item).collect(), reason: None };
    let mut todos = Todos::default();
    let change = todos.change(&plan, None).map_err(|refusal| anyhow::anyhow!("{refusal:?}"))?;
    todos.apply(&change.changed, &change.removed);
    Ok(todos)
}
