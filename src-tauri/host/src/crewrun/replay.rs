//! `runs replay`: a recorded run decided again, line by line, and compared (spec 08, spec 11).
//!
//! The engine, the prompts, the guard and the file tools are the real ones; the clock says what
//! each line says, the model's answers are the recorded ones. No network, no store. Whatever
//! differs, the record's line is the one that is remembered: later lines are compared on the
//! ground they were decided on.

use kernel::code::{ErrorCode, Failure};
use kernel::engine::Input;
use kernel::event::{Author, Cause, Event, Fact, FactKind, Line};
use kernel::path::{AliasPath, Mount};
use kernel::phrase::exports;
use kernel::replay::{Difference, Recorded, difference, recorded, taken_from_the_record};
use kernel::state_doc::{Initial, StateDoc};
use kernel::tool::{put_back, rewind};
use serde_json::json;
use std::io::BufReader;
use std::path::Path;

use super::archive::Recording;
use super::format::HashMismatch;
use super::replayer::Replayer;
use super::report::{ReplayDifference, Report};
use crate::plain_file;
use crate::sessions::audited::audit_entries;

/// Replays a `.crewrun` file. Blocks.
///
/// # Errors
/// As [`read`](super::read) and [`replay`]; `CREWRUN_INVALID` when there is no such file.
pub fn replay_file(path: &Path) -> Result<Report, Failure> {
    let name = path.file_name().map_or_else(|| "run".into(), |n| n.to_string_lossy());
    let file = plain_file::open(path).map_err(|e| {
        crate::failure::io(ErrorCode::CrewrunInvalid, exports::the_exported_run(&name), &e)
            .with_action(exports::choose_exported())
    })?;
    replay(&super::read(BufReader::new(file), &name)?)
}

/// Replays what was read. Blocks; works in folders of its own, which are gone afterwards.
///
/// # Errors
/// `PACKAGE_INVALID` for a package that cannot be used; `CREWRUN_INVALID` when it is not the run's,
/// or when the journal does not begin with a run.
pub fn replay(recording: &Recording) -> Result<Report, Failure> {
    let mut replayer = Replayer::new(recording)?;
    for (path, altered) in &recording.altered_entries {
        replayer.entry_altered(path, altered);
    }
    for (at, line) in recording.lines.iter().enumerate() {
        replayer.line(line, recording.altered.get(&at));
    }
    Ok(replayer.report())
}

impl Replayer<'_> {
    fn line(&mut self, line: &Line, altered: Option<&HashMismatch>) {
        // What another program decided is not decided again.
        if line.is_taken_over() {
            if line.beginning().is_some() {
                self.note("import", None, exports::taken_over());
            }
            if let Some(altered) = altered {
                self.line_altered(line, altered);
            }
            return self.apply(line);
        }
        if line.cause.is_none() {
            return self.uncaused(line, altered);
        }
        self.decided += 1;
        self.settings_of(line);
        match (self.decide_again(line), altered) {
            (Some(differs), altered) => self.found(differs, line, altered.is_some()),
            (None, Some(altered)) => self.line_altered(line, altered),
            (None, None) => {}
        }
        self.scratch.tools.audit_all(&audit_entries(&self.engine, line));
        self.apply(line);
        self.compare_files(line);
    }

    fn apply(&mut self, line: &Line) {
        let another_begins = line.events.iter().any(|e| matches!(e, Event::RunStarted(_)));
        if another_begins && self.engine.core().newest_run().is_some() {
            // Each run has a state document of its own.
            self.scratch.put(&AliasPath::state_document(), None);
        }
        self.engine.apply(line);
        if line.cause == Some(Cause::Reopened) {
            // The program ended in between, and everything it was working on with it.
            self.started.clear();
        }
        self.reconcile();
    }

    /// What the line was decided under. Settings may start other effects than those before.
    fn settings_of(&mut self, line: &Line) {
        if let Some(limits) = line.settings.as_deref() {
            self.engine.set_limits(limits.clone());
            self.reconcile();
        }
    }

    /// As the host does after each line: what is newly wanted is started, what is not wanted any
    /// more is forgotten. An effect is built under the settings that hold when it starts.
    fn reconcile(&mut self) {
        let wanted = self.engine.wanted();
        self.started.retain(|id, _| wanted.contains(id));
        for id in wanted {
            if !self.started.contains_key(&id) {
                let effect = self.engine.effect(&id);
                self.started.insert(id, effect);
            }
        }
    }

    /// A line of an older program: nobody knows what it was decided on.
    fn uncaused(&mut self, line: &Line, altered: Option<&HashMismatch>) {
        self.note("line", None, exports::no_cause());
        if let Some(altered) = altered {
            self.line_altered(line, altered);
        }
        self.scratch.tools.audit_all(&audit_entries(&self.engine, line));
        self.apply(line);
        self.follow_state(line);
    }

    /// The state document on disk is what the line says it was.
    fn follow_state(&self, line: &Line) {
        let on_disk = |event: &Event| match event {
            Event::StateMirrored(_) => true,
            Event::StateChanged(e) => e.by == Author::User,
            _ => false,
        };
        let doc = self.engine.core().doc.as_ref();
        if let Some(doc) = doc.filter(|_| line.events.iter().any(on_disk)) {
            let text = self.scratch.tools.on_disk(doc.text());
            self.scratch.put(&AliasPath::state_document(), Some(text.as_bytes()));
        }
    }

    /// Where the line differs from the one that its input decides now.
    fn decide_again(&mut self, line: &Line) -> Option<Difference> {
        let input = match recorded(line) {
            None => return difference(line, Ok(None)),
            Some(Recorded::Input(input)) => match *input {
                Input::Outcome(id, recorded) => {
                    let outcome = self.outcome(&id, recorded);
                    Input::Outcome(id, outcome)
                }
                input => self.said(input),
            },
            Some(Recorded::EditRefused { request, sha256 }) => {
                let outcome = self.edit_refused(&request, &sha256)?;
                Input::Outcome(request, outcome)
            }
        };
        let decided = self.engine.decide(&input, line.at).map_err(|refusal| refusal.0);
        difference(line, decided.as_ref().map(Option::as_ref))
    }

    /// A run begins with a state document that its package and its ids make.
    fn said(&self, input: Input) -> Input {
        let Input::Start(mut start) = input else { return input };
        let workflow =
            self.engine.env().package_of(Some(&start.package_id)).workflow(&start.workflow_id);
        let recorded = StateDoc::parse(&start.state).ok().and_then(|doc| doc.updated_at());
        if let (Some(workflow), Some(now)) = (workflow, recorded) {
            let initial = Initial {
                run_id: &start.run_id,
                workflow_id: &start.workflow_id,
                agent_id: &start.agent_id,
                variables: None,
                artifacts: &[],
                now,
            };
            if let Ok(doc) = StateDoc::initial(&workflow.state_template, &initial) {
                start.state = doc.text().to_string();
            }
        }
        Input::Start(start)
    }

    /// The files a line says were written are there now, with the hash it says.
    fn compare_files(&mut self, line: &Line) {
        let taken = self.from_record.last().is_some_and(|taken| taken.seq == line.seq);
        for (seq, event) in line.numbered() {
            for (field, path, recorded) in written(event) {
                let now = self.scratch.hash(&path);
                if now.as_ref() == Some(&recorded) {
                    self.files.insert(path);
                } else if !taken {
                    let event = event.name().to_owned();
                    let (recorded, replayed) = (json!(recorded), json!(now));
                    let differs = Difference { seq, event, field, recorded, replayed };
                    self.found(differs, line, false);
                }
            }
        }
    }

    fn found(&mut self, difference: Difference, line: &Line, altered: bool) {
        self.differences += 1;
        if self.first.is_some() {
            return;
        }
        let at = usize::try_from(difference.seq.saturating_sub(line.seq)).unwrap_or(usize::MAX);
        let tool = line.events.get(at).and_then(|event| self.tool(event));
        let node_id = self.engine.core().node.clone();
        self.first = Some(ReplayDifference { difference, node_id, tool, altered });
    }

    /// The tool an event is about.
    fn tool(&self, event: &Event) -> Option<String> {
        let call = match event {
            Event::CallEnded(e) => return Some(e.tool.clone()),
            Event::CallBegan(e) => &e.call_id,
            Event::CallReset(e) => &e.call_id,
            Event::PutBackBegan(_) | Event::PutBackEnded(_) => {
                return Some(put_back::NAME.to_owned());
            }
            Event::RewindBegan(_) | Event::RewindEnded(_) => {
                return Some(rewind::NAME.to_owned());
            }
            _ => return None,
        };
        let queued = self.engine.core().queue.iter().find(|q| q.call.id == *call)?;
        let found = kernel::tool::find(&queued.call.name);
        Some(found.map_or_else(|| queued.call.name.clone(), |tool| tool.name.to_owned()))
    }

    /// Everything else in the line is decided again as it stands, so what was changed is what
    /// only the record knows.
    fn line_altered(&mut self, line: &Line, altered: &HashMismatch) {
        let event = line.events.first();
        let differs = Difference {
            seq: line.seq,
            event: event.map_or("line", Event::name).to_owned(),
            field: event.map_or("", taken_from_the_record).to_owned(),
            recorded: json!({ "sha256": altered.expected }),
            replayed: json!({ "sha256": altered.found }),
        };
        self.found(differs, line, true);
    }

    /// An entry beside the journal is not what was exported.
    fn entry_altered(&mut self, path: &str, altered: &HashMismatch) {
        self.differences += 1;
        let difference = Difference {
            seq: 0,
            event: "entry".to_owned(),
            field: path.to_owned(),
            recorded: json!({ "sha256": altered.expected }),
            replayed: json!({ "sha256": altered.found }),
        };
        let found = ReplayDifference { difference, node_id: None, tool: None, altered: true };
        self.first = self.first.take().or(Some(found));
    }

    fn report(self) -> Report {
        Report {
            identical: self.differences == 0,
            run_id: self.recording.header.run.run_id.clone(),
            lines: self.decided,
            requests: self.requests,
            files: self.files.len(),
            from_record: self.from_record,
            differences: self.differences,
            first_difference: self.first,
            exported_by: self.recording.header.environment.program.clone(),
            replayed_by: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// The files an event says are on disk: where the hash stands in it, the file, the hash.
fn written(event: &Event) -> Vec<(String, AliasPath, String)> {
    match event {
        Event::StateMirrored(e) => {
            vec![("/sha256".to_owned(), AliasPath::state_document(), e.sha256.clone())]
        }
        Event::CallEnded(e) => written_by(&e.facts),
        other => other.brought_back().map(|e| written_by(&e.facts)).unwrap_or_default(),
    }
}

fn written_by(facts: &[Fact]) -> Vec<(String, AliasPath, String)> {
    let written = |(n, fact): (usize, &Fact)| {
        let is_it = matches!(fact.kind, FactKind::FileWritten | FactKind::FileNoop);
        let path = fact.path.clone().filter(|path| is_it && path.mount() == Mount::Project)?;
        Some((format!("/facts/{n}/sha256"), path, fact.sha256.clone()?))
    };
    facts.iter().enumerate().filter_map(written).collect()
}
