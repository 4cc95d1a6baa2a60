//! A story: what is done with the program, one process after the other, and how it is gone on
//! with when one of them was killed.

use host::crash::Point;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

use super::program::{Done, Sandbox};

/// Something done to a store.
pub(crate) enum Act {
    /// `crewagent run` of a package with its demo trace, to the end or to where it waits.
    Run(PathBuf),
    /// `crewagent say` in the run's conversation.
    Say(&'static str),
    /// Any other command, `{run}` being the run; it may be given again after a crash. The codes are what it may end
    /// with then, beside 0: what it was to do is done.
    Again(Vec<String>, &'static [i32]),
    /// What a person does to files.
    Person(fn(&Sandbox)),
}

/// How a demo is played: what it writes outside its declared outputs asks nobody.
const DEMO: [&str; 4] = ["--model", "demo", "--approve", "auto"];

/// A named list of acts.
pub(crate) struct Story {
    pub(crate) name: &'static str,
    pub(crate) acts: Vec<Act>,
    /// The run ends at a limit, from which Resume would go on.
    pub(crate) ends_at_a_limit: bool,
    /// Killed only here: elsewhere a confirmation may die with the program, by law.
    pub(crate) only_at: Option<Point>,
}

impl Story {
    pub(crate) fn new(name: &'static str, acts: Vec<Act>) -> Self {
        Self { name, acts, ends_at_a_limit: false, only_at: None }
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
        let own = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
        let mut command = match &self.acts[act] {
            Act::Run(package) => own(&[&["run", &*package.to_string_lossy()], &DEMO[..]].concat()),
            Act::Say(text) => {
                let conversation = format!("run-{}", sandbox.run_id());
                own(&[&["say", &*conversation, text], &DEMO[..]].concat())
            }
            Act::Again(command, _) => {
                let run = if runs(sandbox) == 0 { "none".to_owned() } else { sandbox.run_id() };
                command.iter().map(|word| word.replace("{run}", &run)).collect()
            }
            Act::Person(_) => panic!("a person is no program"),
        };
        command.push("--json".to_owned());
        command
    }

    /// What goes on with act number `act` after its process, or one that went on with it, was
    /// killed; of a run that is over, what opens it once more.
    pub(crate) fn next(&self, sandbox: &Sandbox, act: usize) -> Option<Vec<String>> {
        match &self.acts[act] {
            Act::Again(..) => Some(self.command(sandbox, act)),
            Act::Person(_) => None,
            Act::Run(_) if runs(sandbox) == 0 => Some(self.command(sandbox, act)),
            Act::Say(_) if said(sandbox) < self.words_before(act) + 1 => {
                Some(self.command(sandbox, act))
            }
            Act::Run(_) | Act::Say(_) => {
                let (phase, reason) = phase(sandbox);
                let over = phase == "completed" || (self.ends_at_a_limit && reason == "limit");
                let run = sandbox.run_id();
                let resume = [&["runs", "resume", &*run], &DEMO[..], &["--json"]].concat();
                // Stopping what rests only opens it: what a crash left is put in order then.
                let open = ["stop", &run, "--json"];
                let command = if over { &open[..] } else { &resume[..] };
                Some(command.iter().map(|w| (*w).to_owned()).collect())
            }
        }
    }

    /// Goes on with act number `act` until it is done, then plays the rest. What each process
    /// printed is handed to `saw`.
    pub(crate) fn recover(&self, sandbox: &Sandbox, act: usize, mut saw: impl FnMut(&Done)) {
        if let Some(command) = self.next(sandbox, act) {
            let done = sandbox.run(&words(&command));
            let fine = match &self.acts[act] {
                Act::Again(_, codes) => done.code == Some(0) || codes.contains(&done.code.unwrap()),
                _ => matches!(done.code, Some(0 | 3 | 4)),
            };
            assert!(fine, "{}: {command:?}: {done:#?}", self.name);
            saw(&done);
        }
        for n in act + 1..self.acts.len() {
            if let Some(done) = self.act(sandbox, n, &[]) {
                saw(&done);
            }
        }
    }

    /// Which acts are processes.
    pub(crate) fn processes(&self) -> impl Iterator<Item = usize> {
        (0..self.acts.len()).filter(|n| !matches!(self.acts[*n], Act::Person(_)))
    }

    fn words_before(&self, act: usize) -> i64 {
        let said = self.acts[..act].iter().filter(|a| matches!(a, Act::Say(_))).count();
        i64::try_from(said).unwrap()
    }
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

fn said(sandbox: &Sandbox) -> i64 {
    let sql = "SELECT count(*) FROM messages WHERE role = 'user' AND part_type = 'content'";
    sandbox.database().query_row(sql, [], |row| row.get(0)).unwrap()
}

fn phase(sandbox: &Sandbox) -> (String, String) {
    let sql = "SELECT phase, coalesce(reason, '') FROM runs";
    sandbox.database().query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap()
}

/// Copies the package `mini` to `to` with a demo trace made of a story's script and answers.
pub(crate) fn scripted(from: &Path, to: &Path, script: &Value, answers: &[Value]) {
    copy(from, to);
    let turns = script.as_array().unwrap().iter().map(|reply| {
        let calls = reply["calls"].as_array().cloned().unwrap_or_default();
        let calls = calls.iter().map(|call| {
            let arguments = if call["raw"].is_string() { &call["raw"] } else { &call["arguments"] };
            json!({ "name": call["name"], "arguments": arguments })
        });
        let calls: Vec<Value> = calls.collect();
        json!({ "reply": { "text": reply["text"], "calls": calls } })
    });
    let turns: Vec<Value> = turns.collect();
    let trace = json!({ "schemaVersion": "1", "turns": turns, "answers": answers });
    let folder = to.join("assets/demo");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("demo.trace.json"), trace.to_string()).unwrap();
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
