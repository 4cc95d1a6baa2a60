//! A story: what is done with the program, one process after the other, and how it is gone on
//! with when one of them was killed.

use kernel::event::{ChangeProposed, Event, Phase, Reason, WidgetAsked};
use kernel::journal_snapshot::JournalSnapshot;
use kernel::policy::ApproveWrites;
use kernel::widget::Widget;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::clicks::judge_clicks;
use super::end::{End, Verdict, judge};
use support::program::{Done, Sandbox};

/// Something done to a store.
pub(crate) enum Act {
    /// `crewagent run` of a package with its demo trace, to the end or to where it waits.
    Run(PathBuf),
    /// `crewagent say` in the run's conversation.
    Say(&'static str),
    /// `crewagent answer` to the oldest question that is open.
    Answer,
    /// Any other command, `{run}` being the run; it may be given again after a crash. The codes are what it may end
    /// with then, beside 0: what it was to do is done.
    Again(Vec<String>, &'static [i32]),
    /// `crewagent runs rewind`, with these words behind the run. It is given again only while the run
    /// is not back: to go back once more is another change.
    Rewind(&'static [&'static str]),
    /// What a person does to files.
    Person(fn(&Sandbox)),
}

/// What a program that was killed may ask once more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AsksAgain {
    /// It asks nothing once more.
    Never,
    /// Whether a call may run: an approval dies with the program. The model is not told.
    TheRuntime,
    /// Whether the state may change: a confirmation dies with the program, the model's call is
    /// refused, and the model asks again.
    TheModel,
}

/// A named list of acts.
pub(crate) struct Story {
    pub(crate) name: &'static str,
    pub(crate) acts: Vec<Act>,
    /// `--approve` of every process. In most stories nobody is asked.
    pub(crate) approve: ApproveWrites,
    /// The value the person gives to a question, which may be about a change.
    pub(crate) answer: fn(&Widget, Option<&ChangeProposed>) -> Value,
    pub(crate) asks_again: AsksAgain,
    /// The run ends at a limit, from which Resume would go on.
    pub(crate) ends_at_a_limit: bool,
}

impl Story {
    pub(crate) fn new(name: &'static str, acts: Vec<Act>) -> Self {
        Self {
            name,
            acts,
            approve: ApproveWrites::Auto,
            answer: |_, _| json!({ "confirmed": true }),
            asks_again: AsksAgain::Never,
            ends_at_a_limit: false,
        }
    }

    /// Plays the acts before number `act`, or all of them.
    pub(crate) fn play(&self, sandbox: &Sandbox, before: usize) {
        for act in 0..before {
            self.act(sandbox, act, &[]);
        }
    }

    /// Plays one act with environment variables; what its process printed.
    pub(crate) fn act(&self, sandbox: &Sandbox, act: usize, env: &[(&str, &str)]) -> Option<Done> {
        if let Act::Person(does) = &self.acts[act] {
            does(sandbox);
            return None;
        }
        let done = sandbox.run_with(&words(&self.command(sandbox, act)), env);
        assert!(matches!(done.code, Some(0 | 3 | 4)), "{}: {done:#?}", self.name);
        Some(done)
    }

    /// The command of act number `act`.
    pub(crate) fn command(&self, sandbox: &Sandbox, act: usize) -> Vec<String> {
        match &self.acts[act] {
            Act::Run(package) => self.demo(&["run", &*package.to_string_lossy()]),
            Act::Say(text) => self.demo(&["say", &*conversation(sandbox), text]),
            Act::Answer => {
                let open = open_question(sandbox);
                let open = open.unwrap_or_else(|| panic!("{}: nothing is asked", self.name));
                self.answer_to(sandbox, &open)
            }
            Act::Again(command, _) => {
                let run = if runs(sandbox) == 0 { "none".to_owned() } else { sandbox.run_id() };
                let named = command.iter().map(|word| word.replace("{run}", &run));
                named.chain(["--json".to_owned()]).collect()
            }
            Act::Rewind(words) => {
                let run = sandbox.run_id();
                let command = ["runs", "rewind", &run, "--yes", "--json"];
                command.iter().chain(*words).map(|word| (*word).to_owned()).collect()
            }
            Act::Person(_) => panic!("a person is no program"),
        }
    }

    /// A command with the demo as its model.
    fn demo(&self, command: &[&str]) -> Vec<String> {
        let approve = match self.approve {
            ApproveWrites::Auto => "auto",
            ApproveWrites::AskOutside => "ask-outside",
            ApproveWrites::Ask => "ask",
        };
        let demo = ["--model", "demo", "--approve", approve, "--json"];
        command.iter().chain(&demo).map(|word| (*word).to_owned()).collect()
    }

    fn answer_to(&self, sandbox: &Sandbox, open: &Open) -> Vec<String> {
        let value = (self.answer)(&open.asked.widget, open.change.as_ref()).to_string();
        let (conversation, id) = (conversation(sandbox), open.asked.message_id.as_str());
        self.demo(&["answer", &conversation, "--widget", id, "--value", &value])
    }

    /// What goes on with act number `act` after its process, or one that went on with it, was
    /// killed; of a run that is over, what opens it once more. `None` when there is nothing left
    /// to do.
    pub(crate) fn next(&self, sandbox: &Sandbox, act: usize) -> Option<Vec<String>> {
        match &self.acts[act] {
            Act::Again(..) => Some(self.command(sandbox, act)),
            Act::Person(_) => None,
            Act::Rewind(_) => {
                let at_work = happened(sandbox, |event| matches!(event, Event::RewindAsked(_)))
                    > happened(sandbox, |event| matches!(event, Event::RewindEnded(_)));
                let settles = at_work || went_back(sandbox);
                Some(if settles { open_once_more(sandbox) } else { self.command(sandbox, act) })
            }
            Act::Run(_) if runs(sandbox) == 0 => Some(self.command(sandbox, act)),
            Act::Say(_) if said(sandbox) < self.until(act, |a| matches!(a, Act::Say(_))) => {
                Some(self.command(sandbox, act))
            }
            _ if self.asks_again != AsksAgain::Never => self.next_answer(sandbox),
            Act::Answer if answered(sandbox) < self.until(act, |a| matches!(a, Act::Answer)) => {
                Some(self.command(sandbox, act))
            }
            Act::Run(_) | Act::Say(_) | Act::Answer => {
                let (phase, reason) = phase(sandbox);
                let over = phase == "completed" || (self.ends_at_a_limit && reason == "limit");
                let resume = || self.demo(&["runs", "resume", &sandbox.run_id()]);
                Some(if over { open_once_more(sandbox) } else { resume() })
            }
        }
    }

    /// The person goes on: with a run that was cut off, or with a question that is open, asked
    /// before or again. `None` when the run waits for their words, or for nothing.
    fn next_answer(&self, sandbox: &Sandbox) -> Option<Vec<String>> {
        let snapshot = folded(sandbox);
        let core = snapshot.core();
        if core.phase == Phase::Running || core.reason == Some(Reason::Interrupted) {
            return Some(self.demo(&["runs", "resume", &sandbox.run_id()]));
        }
        open_question(sandbox).map(|open| self.answer_to(sandbox, &open))
    }

    /// Goes on with act number `act` until it is done, then plays the rest. What each process
    /// printed is handed to `saw`.
    pub(crate) fn recover(&self, sandbox: &Sandbox, act: usize, mut saw: impl FnMut(&Done)) {
        self.go_on(sandbox, act, &mut saw);
        for n in act + 1..self.acts.len() {
            let again = self.asks_again != AsksAgain::Never;
            if again && matches!(self.acts[n], Act::Answer) {
                // Whatever is asked is answered, so it has had its answer by now.
                continue;
            }
            if let Some(done) = self.act(sandbox, n, &[]) {
                saw(&done);
            }
            if again {
                self.go_on(sandbox, n, &mut saw);
            }
        }
        if self.asks_again != AsksAgain::Never {
            // It may have been over when it was killed.
            sandbox.run(&words(&open_once_more(sandbox))).exits(0);
        }
    }

    fn go_on(&self, sandbox: &Sandbox, act: usize, saw: &mut impl FnMut(&Done)) {
        for _ in 0..MOST_MOVES {
            let Some(command) = self.next(sandbox, act) else { return };
            let done = sandbox.run(&words(&command));
            let fine = match &self.acts[act] {
                Act::Again(_, codes) => done.code == Some(0) || codes.contains(&done.code.unwrap()),
                _ => matches!(done.code, Some(0 | 3 | 4)),
            };
            assert!(fine, "{}: {command:?}: {done:#?}", self.name);
            saw(&done);
            let is_done = match &self.acts[act] {
                Act::Rewind(_) => went_back(sandbox),
                Act::Again(..) => true,
                _ => self.asks_again == AsksAgain::Never,
            };
            if is_done {
                return;
            }
        }
        panic!("{}: it is asked for ever", self.name);
    }

    /// How it ended; dialogs that may be repeated are left out.
    pub(crate) fn end(&self, sandbox: &Sandbox) -> End {
        End::of(sandbox).without_dialogs(self.asks_again)
    }

    /// What no crash may do to it, whatever it was asked; see [`judge`] and [`judge_clicks`].
    pub(crate) fn judge(&self, sandbox: &Sandbox, printed: &[Value], verdict: &mut Verdict) {
        judge(sandbox, printed, verdict);
        judge_clicks(&sandbox.journal(), self.approve, verdict);
        if self.has_dialogs() {
            let open = open_question(sandbox);
            verdict.lost.extend(open.map(|open| format!("nobody answers {:?}", open.asked)));
        }
    }

    /// Whether the person is asked something that a process of its own answers.
    pub(crate) fn has_dialogs(&self) -> bool {
        self.acts.iter().any(|act| matches!(act, Act::Answer))
    }

    /// Which acts are processes.
    pub(crate) fn processes(&self) -> impl Iterator<Item = usize> {
        (0..self.acts.len()).filter(|n| !matches!(self.acts[*n], Act::Person(_)))
    }

    /// How many acts of a kind there are up to number `act`.
    fn until(&self, act: usize, kind: impl Fn(&Act) -> bool) -> usize {
        self.acts[..=act].iter().filter(|act| kind(act)).count()
    }
}

/// More moves than any story needs to come to its end after a crash.
const MOST_MOVES: usize = 40;

/// Stopping what rests only opens it: what a crash left is put in order then.
fn open_once_more(sandbox: &Sandbox) -> Vec<String> {
    ["stop", &sandbox.run_id(), "--json"].map(str::to_owned).to_vec()
}

/// A command as it is started.
pub(crate) fn words(command: &[String]) -> Vec<&str> {
    command.iter().map(String::as_str).collect()
}

/// How many runs the store has; none when it was not made yet.
fn runs(sandbox: &Sandbox) -> i64 {
    if has_tables(sandbox) { sandbox.rows("runs") } else { 0 }
}

fn has_tables(sandbox: &Sandbox) -> bool {
    let made = "SELECT count(*) FROM sqlite_master WHERE name = 'runs'";
    sandbox.path("store/store.db").exists()
        && sandbox.database().query_row(made, [], |row| row.get(0)) == Ok(1)
}

fn conversation(sandbox: &Sandbox) -> String {
    format!("run-{}", sandbox.run_id())
}

fn said(sandbox: &Sandbox) -> usize {
    happened(sandbox, |event| matches!(event, Event::UserSaid(_)))
}

fn answered(sandbox: &Sandbox) -> usize {
    happened(sandbox, |event| matches!(event, Event::WidgetAnswered(_)))
}

fn went_back(sandbox: &Sandbox) -> bool {
    let did = |event: &Event| matches!(event, Event::RewindEnded(e) if e.files.failure.is_none());
    happened(sandbox, did) > 0
}

fn happened(sandbox: &Sandbox, what: impl Fn(&Event) -> bool) -> usize {
    sandbox.journal().iter().flat_map(|line| &line.events).filter(|event| what(event)).count()
}

/// A question that can be answered.
struct Open {
    asked: WidgetAsked,
    change: Option<ChangeProposed>,
}

/// The oldest of them.
fn open_question(sandbox: &Sandbox) -> Option<Open> {
    let snapshot = folded(sandbox);
    let open = snapshot.core().widgets.values().min_by_key(|open| open.seq)?.asked.clone();
    let mut proposed = sandbox.journal().into_iter().flat_map(|line| line.events);
    let change = proposed.find_map(|event| match event {
        Event::ChangeProposed(e) if Some(&e.change_id) == open.change_id.as_ref() => Some(e),
        _ => None,
    });
    Some(Open { asked: open, change })
}

/// Where the conversation stands, as its journal says.
/// The calls on which the program died, or was at work when it died just now.
pub(crate) fn cut_short(sandbox: &Sandbox) -> BTreeSet<String> {
    if runs(sandbox) == 0 {
        return BTreeSet::new();
    }
    let snapshot = folded(sandbox);
    let core = snapshot.core();
    let at_work = core.phase == Phase::Running;
    let calls = core.queue.iter().filter(|queued| at_work || queued.interruptions > 0);
    calls.map(|queued| queued.call.id.to_string()).collect()
}

fn folded(sandbox: &Sandbox) -> JournalSnapshot {
    let mut snapshot = JournalSnapshot::default();
    for line in sandbox.journal() {
        snapshot.apply(&line);
    }
    snapshot
}

fn phase(sandbox: &Sandbox) -> (String, String) {
    let sql = "SELECT phase, coalesce(reason, '') FROM runs";
    sandbox.database().query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap()
}

/// Copies the package `mini` to `to` with a demo trace made of a story's script and answers. A
/// reply of the script may be a whole turn of a trace.
pub(crate) fn scripted(from: &Path, to: &Path, script: &Value, answers: &[Value]) {
    scripted_with(from, to, script, answers, &[]);
}

/// The same with what the models of sub-agents say, each by a text of its task.
pub(crate) fn scripted_with(
    from: &Path,
    to: &Path,
    script: &Value,
    answers: &[Value],
    subagents: &[(&str, Value)],
) {
    copy(from, to);
    let script_of =
        |(prompt, script): &(&str, Value)| json!({ "prompt": prompt, "turns": turns(script) });
    let subagents: Vec<Value> = subagents.iter().map(script_of).collect();
    let trace = json!({
        "schemaVersion": "1", "turns": turns(script), "answers": answers, "subagents": subagents,
    });
    let folder = to.join("assets/demo");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("demo.trace.json"), trace.to_string()).unwrap();
}

fn turns(script: &Value) -> Vec<Value> {
    let turns = script.as_array().unwrap().iter().map(|reply| {
        if reply["reply"].is_object() {
            return reply.clone();
        }
        let calls = reply["calls"].as_array().cloned().unwrap_or_default();
        let calls = calls.iter().map(|call| {
            let arguments = if call["raw"].is_string() { &call["raw"] } else { &call["arguments"] };
            json!({ "name": call["name"], "arguments": arguments })
        });
        let calls: Vec<Value> = calls.collect();
        json!({ "reply": { "text": reply["text"], "calls": calls } })
    });
    turns.collect()
}

/// Copies a folder.
pub(crate) fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::write(target, std::fs::read(entry.path()).unwrap()).unwrap();
        }
    }
}
