//! One click, one change: what a journal says about what the person allowed, and what was done on
//! it. A program that was killed may ask again; it may not take an answer twice, nor one that was
//! given to the program before it.

use kernel::event::{Event, Line};
use kernel::ids::{CallId, ChangeId};
use kernel::policy::ApproveWrites;
use kernel::tool;
use kernel::widget::FOR_FOLDER;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

use super::end::Verdict;
use super::plain::plain_result;
use super::stories::all;
use support::program::Sandbox;

/// The calls of a journal, and what was allowed at the place that is looked at.
#[derive(Default)]
struct Clicks<'j> {
    calls: BTreeMap<&'j CallId, (&'static str, &'j str)>,
    /// Allowed and not used; true when it may be used again, for a folder.
    allowed: BTreeMap<&'j ChangeId, bool>,
    used: BTreeSet<&'j ChangeId>,
    /// How often each call began, less how often it was found not to have happened.
    begun: BTreeMap<&'j CallId, i32>,
    /// The call for which a click was used, until it has begun.
    spent_for: Option<&'j CallId>,
}

/// Adds to `verdict` each change that began twice, on a click that was used before, or, where
/// `approve` has every change wait for the person, on none.
pub(crate) fn judge_clicks(journal: &[Line], approve: ApproveWrites, verdict: &mut Verdict) {
    let mut clicks = Clicks::default();
    for line in journal {
        clicks.spent_for = None;
        for event in &line.events {
            clicks.event(event, approve, verdict);
        }
    }
}

impl<'j> Clicks<'j> {
    fn event(&mut self, event: &'j Event, approve: ApproveWrites, verdict: &mut Verdict) {
        match event {
            Event::ModelReplied(e) => {
                let named = e.reply.calls.iter().filter_map(|call| {
                    let name = tool::find(&call.name)?.name;
                    Some((&call.id, (name, call.arguments.as_str())))
                });
                self.calls.extend(named);
            }
            Event::WidgetAnswered(e) => {
                let for_folder = e.value.get(FOR_FOLDER) == Some(&Value::Bool(true));
                self.allowed.extend(e.confirms.as_ref().map(|change| (change, for_folder)));
            }
            // Whatever was allowed was allowed to the program that has ended.
            Event::RunInterrupted(_) => self.allowed.clear(),
            Event::ConfirmationSpent(e) => {
                self.spent_for = Some(&e.call_id);
                if let Some(change) = &e.change_id {
                    self.spend(change, verdict);
                }
            }
            Event::CallBegan(e) => {
                self.begin(&e.call_id, e.pre_hash != e.post_hash, approve, verdict);
            }
            Event::CallReset(e) => *self.begun.entry(&e.call_id).or_default() -= 1,
            _ => {}
        }
    }

    fn spend(&mut self, change: &'j ChangeId, verdict: &mut Verdict) {
        match self.allowed.get(change) {
            Some(true) => {}
            Some(false) => _ = self.allowed.remove(change),
            None if self.used.contains(change) => {
                verdict.doubled.push(format!("the click on {change} was used twice"));
            }
            None => verdict.doubled.push(format!("nobody has allowed {change} to this program")),
        }
        self.used.insert(change);
    }

    fn begin(
        &mut self,
        call: &'j CallId,
        changes: bool,
        approve: ApproveWrites,
        verdict: &mut Verdict,
    ) {
        let begun = self.begun.entry(call).or_default();
        *begun += 1;
        if *begun > 1 {
            verdict.doubled.push(format!("call {call} began twice"));
        }
        let (tool, _) = self.calls.get(call).copied().unwrap_or_default();
        let asks = tool == REWIND || (approve == ApproveWrites::Ask && (changes || tool == MOVE));
        if asks && self.spent_for != Some(call) {
            verdict.doubled.push(format!("call {call} of {tool} began and nobody had allowed it"));
        }
        self.spent_for = None;
    }
}

const REWIND: &str = "workflow.rewind";
/// What moves stays what it is, so its hashes are equal.
const MOVE: &str = "fs.move";

/// Every change that was made: tool and arguments, of a rewind also what it brought back. In
/// order by name: a model that asks again makes them in the same order, with other calls between.
pub(crate) fn effects(journal: &[Line]) -> Vec<String> {
    let mut clicks = Clicks::default();
    let mut effects = Vec::new();
    for event in journal.iter().flat_map(|line| &line.events) {
        clicks.event(event, ApproveWrites::Auto, &mut Verdict::default());
        let Event::CallEnded(e) = event else { continue };
        let changes = e.tool.starts_with("workflow.") || CHANGES.contains(&&*e.tool);
        if e.ok && changes {
            let (_, arguments) = clicks.calls.get(&e.call_id).copied().unwrap_or_default();
            let result =
                if e.tool == REWIND { plain_result(&e.result.to_string()) } else { String::new() };
            effects.push(format!("{} {arguments} {result}", e.tool));
        }
    }
    effects.sort();
    effects
}

const CHANGES: [&str; 4] = ["fs.write", "fs.apply_patch", MOVE, "fs.delete"];

#[test]
fn a_click_used_twice_or_by_another_program_and_a_change_without_one_are_found() {
    let (sandbox, packages) = (Sandbox::in_memory(), tempfile::tempdir().unwrap());
    let stories = all(packages.path());
    let story = stories.iter().find(|story| story.name == "approval-once").unwrap();
    story.play(&sandbox, 2);
    let journal = sandbox.journal();
    let found = |journal: &[Line]| {
        let mut verdict = Verdict::default();
        judge_clicks(journal, story.approve, &mut verdict);
        verdict.doubled.len()
    };
    assert_eq!(found(&journal), 0);
    let began = |line: &Line| line.events.iter().any(|event| matches!(event, Event::CallBegan(_)));
    let place = journal.iter().position(began).unwrap();

    let mut without = journal.clone();
    without[place].events.retain(|event| !matches!(event, Event::ConfirmationSpent(_)));
    assert_eq!(found(&without), 1, "nobody was asked");
    let mut twice = journal.clone();
    twice.insert(place, journal[place].clone());
    assert_eq!(found(&twice), 2, "the click, and the call");
    let mut later = journal.clone();
    let died = json!({ "event": "run_interrupted", "data": { "inDoubt": [], "resting": false } });
    later[place].events.insert(0, serde_json::from_value(died).unwrap());
    assert_eq!(found(&later), 1, "the program that was allowed has ended");
}
