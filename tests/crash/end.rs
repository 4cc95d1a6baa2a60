//! How a store ended, in a form in which two runs of one story are equal: what the run came to,
//! every message, file, fact and audit line, what is installed and set, and what was left lying
//! about.

use kernel::event::{Event, Line};
use kernel::widget::TOOL_APPROVAL;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::clicks::effects;
use super::plain::{plain, plain_result};
use super::story::AsksAgain;
use support::program::Sandbox;

/// See the module.
#[derive(Debug, PartialEq, Default)]
pub(crate) struct End {
    phase: Vec<(String, String)>,
    state: String,
    messages: Vec<String>,
    facts: Vec<String>,
    effects: Vec<String>,
    audit: Vec<String>,
    project: BTreeMap<String, String>,
    state_files: BTreeMap<String, String>,
    packages: Vec<String>,
    settings: BTreeMap<String, String>,
    left_over: Vec<String>,
}

/// What a kill must not do (spec 01 "Promises"), counted.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    pub(crate) lost: Vec<String>,
    pub(crate) doubled: Vec<String>,
}

impl End {
    pub(crate) fn of(sandbox: &Sandbox) -> Self {
        let state = state_folder(sandbox);
        let mut state_files = files(&state);
        state_files.remove("logs/execution.jsonl");
        let mut project = files(&sandbox.project());
        // Its id is another in every project.
        project.entry(".crewagent.json".to_owned()).and_modify(|text| *text = plain(text));
        let mut packages = column(sandbox, "SELECT id FROM packages ORDER BY id");
        packages.extend(folders(&sandbox.path("store/packages")));
        let journal = sandbox.journal();
        let of_store = |name: &str| {
            let text = std::fs::read_to_string(sandbox.path("store").join(name)).ok();
            text.map(|text| (name.to_owned(), text))
        };
        Self {
            phase: phases(sandbox),
            state: state_files.remove("workflow.md").map(|text| plain(&text)).unwrap_or_default(),
            messages: reads_in_order(messages(sandbox), READS),
            facts: facts(&journal),
            effects: effects(&journal),
            audit: reads_in_order(audited(sandbox), READS),
            project,
            state_files: state_files.into_iter().map(|(name, text)| (name, plain(&text))).collect(),
            packages,
            settings: ["settings.json", "settings.json.broken"]
                .into_iter()
                .filter_map(of_store)
                .collect(),
            left_over: left_over(sandbox),
        }
    }

    /// Without the dialogs that a crash may have doubled. What they allowed is still there: every
    /// file, the state document, and each change that was made.
    pub(crate) fn without_dialogs(mut self, again: AsksAgain) -> Self {
        match again {
            AsksAgain::Never => {}
            AsksAgain::TheRuntime => self.messages.retain(|text| !text.contains(TOOL_APPROVAL)),
            AsksAgain::TheModel => {
                let words = |text: &String| {
                    let (_, message) = text.split_once(' ')?;
                    let said = message.starts_with("user ") && !message.contains("WIDGET_SUBMIT");
                    said.then(|| message.to_owned())
                };
                self.messages = self.messages.iter().filter_map(words).collect();
                self.facts.clear();
                self.audit.clear();
            }
        }
        self
    }

    /// After a fault, lines of the audit log may come later than their calls.
    pub(crate) fn with_audit_in_any_order(mut self) -> Self {
        self.audit.sort();
        self
    }

    /// Adds to `verdict` in what this end differs from that of a run nobody killed.
    pub(crate) fn compare(&self, straight: &Self, verdict: &mut Verdict) {
        if self != straight {
            verdict.lost.push(difference(straight, self));
        }
    }
}

/// The first places in which two ends differ.
fn difference(straight: &End, killed: &End) -> String {
    let (straight, killed) = (format!("{straight:#?}"), format!("{killed:#?}"));
    let mut found: Vec<String> = straight
        .lines()
        .zip(killed.lines())
        .filter(|(a, b)| a != b)
        .take(4)
        .map(|(a, b)| format!("expected {}\n       found {}", cut(a), cut(b)))
        .collect();
    if found.is_empty() {
        let (short, long) = (straight.lines().count(), killed.lines().count());
        found.push(format!("{short} lines became {long}"));
    }
    found.join("\n    ")
}

fn cut(line: &str) -> String {
    line.trim().chars().take(400).collect()
}

/// Reading calls of one reply run side by side: their results come in any order.
fn reads_in_order(mut texts: Vec<String>, reads: &[&str]) -> Vec<String> {
    let is_read = |text: &String| reads.iter().any(|read| text.contains(read));
    for stretch in texts.chunk_by_mut(|a, b| is_read(a) && is_read(b)) {
        stretch.sort();
    }
    texts
}

const READS: &[&str] = &["fs.read", "fs.list", "fs.search"];

/// The promise in the journal alone: what was printed stands there, no call ends twice, each has
/// one audit line.
pub(crate) fn judge(sandbox: &Sandbox, printed: &[Value], verdict: &mut Verdict) {
    let journal = sandbox.journal_events();
    // Of a deleted conversation nothing is kept; whether it was to be deleted its end tells.
    let printed = if journal.is_empty() { &[] } else { printed };
    for event in printed.iter().filter(|event| event.get("event").is_some()) {
        let mut event = event.clone();
        let members = event.as_object_mut().unwrap();
        members.shift_remove("runId");
        members.shift_remove("conversationId");
        let place = usize::try_from(event["seq"].as_u64().unwrap()).unwrap() - 1;
        if journal.get(place) != Some(&event) {
            verdict.lost.push(format!("event {} was printed and is not kept", event["seq"]));
        }
    }
    for (n, event) in journal.iter().enumerate() {
        if event["seq"] != json!(n + 1) {
            verdict.lost.push(format!("event {} stands at place {}", event["seq"], n + 1));
        }
    }
    let ended = journal.iter().filter(|event| event["event"] == "call_ended");
    let ended = ended.map(|event| event["data"]["callId"].as_str().unwrap().to_owned());
    once("call", ended.chain(calls_of_subagents(sandbox)), verdict);
    let logged = audit(sandbox);
    let logged = logged.iter().map(|line| line["toolCallId"].as_str().unwrap().to_owned());
    once("audit line of call", logged, verdict);
}

/// The calls of sub-agents that have ended, in the journals of their own.
fn calls_of_subagents(sandbox: &Sandbox) -> Vec<String> {
    let ended = "SELECT json_extract(event.value, '$.data.callId') FROM lines,
                     json_each(body, '$.events') AS event
                 WHERE conversation LIKE 'task-%'
                   AND json_extract(event.value, '$.event') = 'call_ended'";
    column(sandbox, ended)
}

fn once(what: &str, ids: impl Iterator<Item = String>, verdict: &mut Verdict) {
    let mut seen = BTreeSet::new();
    for id in ids {
        if !seen.insert(id.clone()) {
            verdict.doubled.push(format!("{what} {id} is there twice"));
        }
    }
}

fn phases(sandbox: &Sandbox) -> Vec<(String, String)> {
    let db = sandbox.database();
    let mut rows = db.prepare("SELECT phase, coalesce(reason, '') FROM runs").unwrap();
    rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect()
}

fn column(sandbox: &Sandbox, sql: &str) -> Vec<String> {
    let db = sandbox.database();
    let mut rows = db.prepare(sql).unwrap();
    rows.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

fn messages(sandbox: &Sandbox) -> Vec<String> {
    let db = sandbox.database();
    let mut rows = db
        .prepare(
            "SELECT role, part_type, content, coalesce(tool_calls, ''), coalesce(widget, ''), turn,
                 include_in_context, coalesce(tool_name, '')
             FROM messages JOIN conversations ON conversations.id = conversation
             ORDER BY parent IS NOT NULL, conversations.created_at, seq",
        )
        .unwrap();
    let row = |row: &rusqlite::Row<'_>| {
        let text = |n: usize| row.get::<_, String>(n).unwrap();
        let (turn, included): (i64, bool) = (row.get(5)?, row.get(6)?);
        let (role, content) = (text(0), text(2));
        let content = if role == "tool" { plain_result(&content) } else { plain(&content) };
        let (part, calls, widget, tool) = (text(1), plain(&text(3)), plain(&text(4)), text(7));
        Ok(format!("{turn} {role} {part} {tool} {included}: {content} {calls} {widget}"))
    };
    rows.query_map([], row).unwrap().map(Result::unwrap).collect()
}

fn facts(journal: &[Line]) -> Vec<String> {
    let events = journal.iter().flat_map(|line| &line.events);
    let facts = events.flat_map(|event| match event {
        Event::CallEnded(ended) => ended.facts.clone(),
        Event::SubagentUpdated(updated) => updated.facts.clone(),
        _ => Vec::new(),
    });
    // Of reads that ran side by side in any order.
    let mut facts: Vec<String> =
        facts.map(|fact| plain(&serde_json::to_string(&fact).unwrap())).collect();
    facts.sort();
    facts
}

/// The run's state folder; of no run, a folder that is not there.
pub(crate) fn state_folder(sandbox: &Sandbox) -> PathBuf {
    let ids = column(sandbox, "SELECT project_id || '/runs/' || id || '/state' FROM runs");
    sandbox.path("store/projects").join(ids.first().map_or("none", String::as_str))
}

fn audit(sandbox: &Sandbox) -> Vec<Value> {
    let log = state_folder(sandbox).join("logs/execution.jsonl");
    let text = std::fs::read_to_string(log).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What the person did to files: its id has the time in it, and they try once more when it came to
/// nothing.
fn is_of_person(line: &Value) -> bool {
    line["agentId"] == "user"
}

/// What the log says, but for what the person tried once more.
fn audited(sandbox: &Sandbox) -> Vec<String> {
    let log = audit(sandbox);
    let stands = |line: &&Value| !is_of_person(line) || line["output"]["ok"] == json!(true);
    log.iter().filter(stands).map(audit_line).collect()
}

fn audit_line(line: &Value) -> String {
    let of = |name: &str| plain_result(&line[name].to_string());
    let id = line["toolCallId"].as_str().filter(|_| !is_of_person(line)).unwrap_or("-");
    format!("{id} {} {} {} {}", line["toolName"], line["agentId"], of("input"), of("output"))
}

/// Every file below a folder, by its path there.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut left = vec![folder.to_owned()];
    while let Some(inner) = left.pop() {
        for entry in std::fs::read_dir(inner).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                left.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/");
                let bytes = std::fs::read(&path).unwrap();
                found.insert(name, String::from_utf8_lossy(&bytes).into_owned());
            }
        }
    }
    found
}

fn folders(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// What no finished store holds: temporary files and the folders of runs that never were.
fn left_over(sandbox: &Sandbox) -> Vec<String> {
    let store = sandbox.path("store");
    let all = files(&store).into_keys().chain(files(&sandbox.project()).into_keys());
    let nameless = |name: &String| Path::new(name).extension().is_some_and(|e| e == "new");
    let temporary = all.filter(|name| name.contains(".tmp") || nameless(name));
    let mut found: Vec<String> = temporary.collect();
    let runs: BTreeSet<String> = column(sandbox, "SELECT id FROM runs").into_iter().collect();
    for project in folders(&store.join("projects")) {
        let unborn = folders(&store.join("projects").join(project).join("runs"));
        found.extend(unborn.into_iter().filter(|run| !runs.contains(run)));
    }
    found
}
