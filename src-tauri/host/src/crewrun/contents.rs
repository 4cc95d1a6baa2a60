//! What goes into an export, and the entries made of it.

use kernel::bounds::{EXPORT_LIMITS, JOURNAL_WEIGHT, json_weight};
use kernel::code::{ErrorCode, Failure};
use kernel::engine::{Env, ExecutionEngine};
use kernel::event::{Event, FactKind, Line, upcast};
use kernel::ids::{AgentId, ConversationId, PackageId, ProjectId, RunId, WorkflowId};
use kernel::path::{AliasPath, Mount};
use kernel::phrase::{Why, exports, general};
use kernel::prompt::PromptComposer;
use kernel::text::sha256_hex;
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::format::{
    Artifact, EntryFacts, Environment, FORMAT, HEADER, Header, JOURNAL, PACKAGE, PREIMAGES,
    PUT_ASIDE, RunFacts, VERSION,
};
use crate::packages::Inspected;

/// Everything an export is made of.
#[derive(Debug, Clone)]
pub struct Contents {
    /// Which run of the conversation.
    pub run_id: RunId,
    /// Where the run took place.
    pub environment: Environment,
    /// The lines as they are stored, in order.
    pub journal: Vec<String>,
    /// The pinned package, path to bytes.
    pub package: BTreeMap<String, Vec<u8>>,
    /// The files the run wrote; see [`written_files`].
    pub artifacts: Vec<Artifact>,
    /// `@state/logs/execution.jsonl`.
    pub audit: Vec<u8>,
    /// Refused edits of the state document.
    pub put_aside: Vec<Vec<u8>>,
    /// Files as they were before the run changed them.
    pub preimages: Vec<Vec<u8>>,
}

/// The project files a journal says were written, with their hash after the last write.
pub fn written_files(lines: &[Line]) -> BTreeMap<AliasPath, String> {
    let ended = lines.iter().flat_map(|line| &line.events).filter_map(|event| match event {
        Event::CallEnded(e) => Some(&e.facts),
        other => other.brought_back().map(|ended| &ended.facts),
    });
    let written = ended.flatten().filter(|fact| {
        matches!(fact.kind, FactKind::FileWritten | FactKind::FileNoop)
            && fact.path.as_ref().is_some_and(|path| path.mount() == Mount::Project)
    });
    written.filter_map(|fact| fact.path.clone().zip(fact.sha256.clone())).collect()
}

impl Contents {
    /// The journal as lines.
    ///
    /// # Errors
    /// `STORE_READ_FAILED` when a line cannot be read.
    pub fn lines(&self) -> Result<Vec<Line>, Failure> {
        let read = |body: &String| {
            upcast(body).map_err(|e| {
                Failure::new(ErrorCode::StoreReadFailed, general::in_its_words(Why::json(&e)))
            })
        };
        self.journal.iter().map(read).collect()
    }

    /// The entries of the archive, `crewrun.json` among them.
    ///
    /// # Errors
    /// As [`Inspected::usable`]; `RUN_NOT_FOUND` for a journal without a run; `EXPORT_TOO_LARGE`.
    pub(super) fn entries(&self) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
        let lines = self.lines()?;
        let none = || Failure::new(ErrorCode::RunNotFound, exports::no_run_in_journal());
        let started = Begin::of(&lines, &self.run_id);
        let (first, started) = lines.first().zip(started).ok_or_else(none)?;
        let engine = self.fold(&lines, &started)?;
        let mut entries = BTreeMap::new();
        entries.insert(JOURNAL.to_owned(), self.journal_text());
        entries.insert("audit.jsonl".to_owned(), self.audit.clone());
        entries.insert("artifacts.json".to_owned(), document(&self.artifacts)?);
        entries.insert("facts.json".to_owned(), document(&engine.record().facts)?);
        entries.insert("decisions.json".to_owned(), decisions(&engine, &lines)?);
        entries.extend(revisions(&lines));
        let by_hash = |folder: &'static str, files: &[Vec<u8>], ending: &'static str| {
            let name = |bytes: &Vec<u8>| format!("{folder}{}{ending}", sha256_hex(bytes));
            files.iter().map(|bytes| (name(bytes), bytes.clone())).collect::<Vec<_>>()
        };
        entries.extend(by_hash(PUT_ASIDE, &self.put_aside, ".md"));
        entries.extend(by_hash(PREIMAGES, &self.preimages, ""));
        let package = self.package.iter();
        entries.extend(package.map(|(path, bytes)| (format!("{PACKAGE}{path}"), bytes.clone())));
        let header = Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            run: RunFacts {
                run_id: started.run_id.clone(),
                conversation_id: started.conversation_id.clone(),
                project_id: started.project_id.clone(),
                package_id: started.package_id.clone(),
                workflow_id: started.workflow_id.clone(),
                agent_id: started.agent_id.clone(),
                demo: started.demo,
                phase: engine.core().phase,
                reason: engine.core().reason,
                started_at: first.at,
                updated_at: lines.last().map_or(first.at, |line| line.at),
            },
            environment: self.environment.clone(),
            lines: self.journal.iter().map(|line| sha256_hex(line.as_bytes())).collect(),
            entries: entries.iter().map(|(path, bytes)| (path.clone(), facts_of(bytes))).collect(),
        };
        entries.insert(HEADER.to_owned(), document(&header)?);
        within_limits(&entries)?;
        Ok(entries)
    }

    fn fold(&self, lines: &[Line], started: &Begin<'_>) -> Result<ExecutionEngine, Failure> {
        let inspected = Inspected::new(self.package.clone())?;
        let env = Env {
            others: Vec::new(),
            package: Arc::new(inspected.usable()?.clone()),
            composer: Arc::new(PromptComposer::new()?),
            limits: self.environment.limits.clone(),
        };
        Ok(ExecutionEngine::replay(started.conversation_id.clone(), env, lines))
    }

    fn journal_text(&self) -> Vec<u8> {
        self.journal.iter().flat_map(|line| [line.as_bytes(), b"\n"].concat()).collect()
    }
}

/// How a run began: here, or in the store of another program from which it was taken over.
pub(super) struct Begin<'l> {
    run_id: &'l RunId,
    pub(super) conversation_id: &'l ConversationId,
    project_id: &'l ProjectId,
    pub(super) package_id: &'l PackageId,
    workflow_id: &'l WorkflowId,
    agent_id: &'l AgentId,
    pub(super) artifacts_dir: &'l str,
    demo: bool,
    /// The state document it came with, when it was taken over.
    pub(super) imported_state: Option<&'l str>,
}

impl<'l> Begin<'l> {
    /// `None` for a journal without this run.
    pub(super) fn of(lines: &'l [Line], run: &RunId) -> Option<Self> {
        let e = lines.iter().flat_map(|line| &line.events).find_map(|event| match event {
            Event::RunStarted(e) if e.run_id == *run => Some(e),
            _ => None,
        })?;
        Some(Self {
            run_id: &e.run_id,
            conversation_id: &e.conversation_id,
            project_id: &e.project_id,
            package_id: &e.package_id,
            workflow_id: &e.workflow_id,
            agent_id: &e.agent_id,
            artifacts_dir: &e.artifacts_dir,
            demo: e.demo,
            imported_state: e.origin.as_ref().map(|_| e.state.as_str()).filter(|s| !s.is_empty()),
        })
    }
}

fn facts_of(bytes: &[u8]) -> EntryFacts {
    EntryFacts { bytes: bytes.len() as u64, sha256: sha256_hex(bytes) }
}

/// A document for people and programs: indented, with a line break at its end.
fn document(value: &impl Serialize) -> Result<Vec<u8>, Failure> {
    let mut bytes = serde_json::to_vec_pretty(value)
        .map_err(|e| Failure::new(ErrorCode::Internal, exports::export_part(Why::quoted(e))))?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// What the runtime judged, what the model logged, what the person confirmed.
fn decisions(engine: &ExecutionEngine, lines: &[Line]) -> Result<Vec<u8>, Failure> {
    let events = lines.iter().flat_map(Line::numbered);
    let judged = events.filter_map(|(seq, event)| match event {
        Event::DecisionMade(e) => Some(json!({ "seq": seq, "decision": e.decision })),
        _ => None,
    });
    document(&json!({
        "decisions": judged.collect::<Vec<_>>(),
        "decisionLog": engine.core().doc.as_ref().map(|doc| doc.decision_log()),
        "approvals": engine.record().approvals,
    }))
}

/// Accepted versions of the state document, named by the event that made them.
fn revisions(lines: &[Line]) -> Vec<(String, Vec<u8>)> {
    let name = |seq: u64| format!("state/revisions/{seq:08}.md");
    let events = lines.iter().flat_map(Line::numbered);
    let texts = events.filter_map(|(seq, event)| match event {
        // A run that was taken over may have had no document.
        Event::RunStarted(e) if e.state.is_empty() => None,
        Event::RunStarted(e) => Some((name(seq), e.state.clone().into_bytes())),
        Event::StateChanged(e) => Some((name(seq), e.text.clone().into_bytes())),
        _ => None,
    });
    texts.collect()
}

/// The memory that reading the journal will take.
fn journal_weight(entries: &BTreeMap<String, Vec<u8>>) -> u64 {
    let text = entries.get(JOURNAL).map(|bytes| String::from_utf8_lossy(bytes));
    let lines = text.iter().flat_map(|text| text.lines());
    lines.filter_map(|line| json_weight(line, JOURNAL_WEIGHT)).sum()
}

/// What is written must be readable again.
fn within_limits(entries: &BTreeMap<String, Vec<u8>>) -> Result<(), Failure> {
    let sizes = || entries.values().map(|bytes| bytes.len() as u64);
    let checks = [
        ("entries", EXPORT_LIMITS.entries as u64, entries.len() as u64),
        ("entryBytes", EXPORT_LIMITS.entry_bytes, sizes().max().unwrap_or_default()),
        ("totalBytes", EXPORT_LIMITS.total_bytes, sizes().sum()),
        ("journalMemory", JOURNAL_WEIGHT, journal_weight(entries)),
    ];
    for (limit, max, found) in checks {
        if found > max {
            let message = exports::over_export_limit(limit, max, found);
            return Err(Failure::new(ErrorCode::ExportTooLarge, message)
                .with_details(json!({ "limit": limit, "max": max, "found": found })));
        }
    }
    Ok(())
}
