//! `conversations/`: each with its messages and, where it has one, its run, as one journal.

use import_electron::{Messages, OldConversation, OldRun, conversation, journal, listed, placed};
use kernel::code::{ErrorCode, Failure};
use kernel::event::{ImportedRun, MessageImported};
use kernel::ids::{ConversationId, RunId};
use kernel::import::{ImportEntry, ImportKind, ImportOutcome};
use kernel::phrase::imports;
use serde_json::Value;

use super::files::StateFiles;
use super::importer::Importer;
use super::packages::member;
use super::place::LocalProject;
use super::runs::pinned;
use crate::crash::{Point, point};

/// A conversation to be taken over.
struct ImportItem {
    old: OldConversation,
    /// Whether an index knows it.
    listed: bool,
    /// Whether there is a folder for it; a run need not have spoken.
    folder: bool,
    run: Option<(OldRun, bool)>,
}

/// What was read of its messages.
struct ReadMessages {
    messages: Vec<MessageImported>,
    /// What kept the rest from being read.
    failure: Option<Failure>,
}

impl Importer {
    /// Everything below `projects/<id>/`.
    pub(super) fn inside(&mut self, place: &LocalProject) -> Result<(), Failure> {
        let runs = self.old_runs(place);
        let mut found = self.old_conversations(place);
        for (run, is_listed) in runs {
            let of_run = ConversationId::of_run(&run.id);
            let own = found.iter().position(|f| f.old.id == of_run);
            match own.or_else(|| only_home(&found, &run.id)) {
                Some(at) => found[at].run = Some((run, is_listed)),
                None => found.push(ImportItem {
                    old: OldConversation::unlisted(of_run, run.created_at),
                    listed: true,
                    folder: false,
                    run: Some((run, is_listed)),
                }),
            }
        }
        found.into_iter().try_for_each(|found| self.conversation(place, found))
    }

    /// In the order of the index, then those only the disk knows.
    fn old_conversations(&mut self, place: &LocalProject) -> Vec<ImportItem> {
        let base = format!("projects/{}/conversations", place.old);
        let file = format!("{base}/index.json");
        let folders = self.folders(ImportKind::Conversation, &base);
        let mut found: Vec<ImportItem> = Vec::new();
        let index = self.json(&file);
        let entries = index.as_ref().map(|index| listed(index, "conversations"));
        if entries == Some(None) {
            let failure = Failure::new(ErrorCode::ImportMalformed, imports::no_list());
            self.failed(ImportKind::File, "", &file, failure);
        }
        for (n, (listed_as, entry)) in entries.flatten().into_iter().flatten().enumerate() {
            match conversation(entry, listed_as, &format!("#{}", n + 1), self.target.now) {
                Err(problem) => self.add(problem.entry(ImportKind::Conversation, &file)),
                Ok(old) if !self.conversations.insert(old.id.clone()) => {
                    let why = imports::conversation_twice();
                    let failure = Failure::new(ErrorCode::ImportDuplicate, why);
                    self.failed(ImportKind::Conversation, old.id.as_str(), &file, failure);
                }
                Ok(old) => {
                    let folder = folders.iter().any(|name| name == old.id.as_str());
                    found.push(ImportItem { old, listed: true, folder, run: None });
                }
            }
        }
        for id in folders.iter().filter_map(|name| name.parse::<ConversationId>().ok()) {
            if self.conversations.insert(id.clone()) {
                // Conversations of runs never stood in the index.
                let listed = id.as_str().starts_with("run-");
                let old = OldConversation::unlisted(id, self.target.now);
                found.push(ImportItem { old, listed, folder: true, run: None });
            }
        }
        found
    }

    fn conversation(&mut self, place: &LocalProject, mut found: ImportItem) -> Result<(), Failure> {
        let id = found.old.id.clone();
        let file = format!("projects/{}/conversations/{id}/messages.json", place.old);
        if self.runtime.block_on(self.target.store.has_conversation(&id))? {
            self.already(place, &found, &file);
            return Ok(());
        }
        if let Some((run, _)) = &found.run {
            found.old.created_at = found.old.created_at.min(run.created_at);
        }
        place.redactor.redact_value(&mut found.old.meta);
        let read = self.messages(place, &found, &file);
        let run = self.run(place, found.run.as_ref(), &read.messages);
        if let Some(run) = &run {
            let updated = found.run.as_ref().and_then(|(old, _)| old.updated_at);
            found.old.last_active_at = found.old.last_active_at.max(updated);
            if found.old.title.is_empty() {
                found.old.title.clone_from(&run.title);
            }
        }
        if !found.folder && run.is_none() {
            let why = imports::conversation_without_folder();
            let failure = Failure::new(ErrorCode::NotFound, why);
            self.failed(ImportKind::Conversation, id.as_str(), &file, failure);
            return Ok(());
        }
        // One without a file was made and never spoken in.
        let broken = read.failure.as_ref().is_some_and(|why| why.code != ErrorCode::NotFound);
        let lost = broken && read.messages.is_empty();
        if lost && run.is_none() {
            let failure = read
                .failure
                .unwrap_or_else(|| Failure::new(ErrorCode::Io, imports::nothing_read()));
            self.failed(ImportKind::Conversation, id.as_str(), &file, failure);
            return Ok(());
        }
        let count = read.messages.len() as u64;
        if let Some(start) = read.messages.iter().map(|m| m.created_at).min() {
            found.old.created_at = found.old.created_at.min(start);
        }
        let files = self.state_files(place, &id, run.as_ref().map(|run| &run.run_id));
        let state = run.as_ref().and_then(|run| run.state.clone());
        self.keep(place, &files, state.as_deref())?;
        let told = run.as_ref().map(|run| told_of(place, run, found.run.as_ref()));
        let lines = journal(&found.old, &place.id, run, read.messages, self.target.now);
        if !self.dry_run {
            point(Point::BeforeImportRows);
            self.runtime.block_on(self.target.store.import_journal(lines))?;
            point(Point::AfterImportRows);
        }
        if found.folder {
            self.add(told_of_messages(&found, &file, count, read.failure));
        }
        if let Some(entry) = told {
            self.add(entry);
        }
        Ok(())
    }

    fn already(&mut self, place: &LocalProject, found: &ImportItem, file: &str) {
        let already = ImportOutcome::Already;
        if found.folder {
            let id = found.old.id.as_str();
            self.add(ImportEntry::new(ImportKind::Conversation, id, file, already));
        }
        if let Some((run, _)) = &found.run {
            let here = self.runtime.block_on(self.target.store.run(&run.id)).is_ok();
            let file = index_of_runs(place);
            let id = run.id.as_str();
            if here {
                self.add(ImportEntry::new(ImportKind::Run, id, file, already));
            } else {
                let why = imports::run_already();
                let failure = Failure::new(ErrorCode::ImportDuplicate, why);
                self.failed(ImportKind::Run, id, &file, failure);
            }
        }
    }

    /// Reads the messages, and reports each that could not be taken over as it stood.
    fn messages(&mut self, place: &LocalProject, found: &ImportItem, file: &str) -> ReadMessages {
        if !found.folder {
            return ReadMessages { messages: Vec::new(), failure: None };
        }
        let mut messages = Messages::new(found.old.id.clone(), found.old.created_at);
        let read = self.source.elements(file, |mut value| {
            // A person's own words stay as they are; requests take paths out of them.
            if member(&value, "role") != Some("user") {
                clean(place, &mut value);
            }
            messages.read(&value);
        });
        let (messages, problems) = messages.finish();
        for problem in problems {
            self.add(problem.entry(ImportKind::Message, file));
        }
        let failure = match read {
            Ok(true) => None,
            Ok(false) => {
                let why = imports::conversation_empty();
                Some(Failure::new(ErrorCode::NotFound, why)).filter(|_| found.listed)
            }
            Err(failure) => {
                let count = messages.len();
                Some(failure.retold(|why| imports::messages_read(why, count)))
            }
        };
        ReadMessages { messages, failure }
    }

    fn run(
        &mut self,
        place: &LocalProject,
        run: Option<&(OldRun, bool)>,
        messages: &[MessageImported],
    ) -> Option<ImportedRun> {
        let (old, _) = run?;
        if self.runtime.block_on(self.target.store.run(&old.id)).is_ok() {
            return None;
        }
        let state = self.state_text(place, &old.id);
        let pinned = pinned(&self.packages, old);
        Some(placed(old, pinned, state, messages, &place.artifacts_dir))
    }

    /// Copies what belongs to the conversation into its folder of state.
    fn keep(
        &mut self,
        place: &LocalProject,
        files: &StateFiles,
        state: Option<&str>,
    ) -> Result<(), Failure> {
        for (file, failure) in self.copy(place, files, state)? {
            self.failed(ImportKind::File, "", &file, failure);
        }
        Ok(())
    }
}

/// The conversation a run lives in when it has none of its own: the only one that names it, and
/// that names no other.
fn only_home(found: &[ImportItem], run: &RunId) -> Option<usize> {
    let mut naming = (0..found.len()).filter(|at| found[*at].old.runs.contains(run));
    let at = naming.next().filter(|_| naming.next().is_none())?;
    (found[at].old.runs.len() == 1 && found[at].run.is_none()).then_some(at)
}

fn clean(place: &LocalProject, value: &mut Value) {
    if let Value::Object(map) = value {
        for (name, value) in map.iter_mut() {
            // An alias path is none of ours to change; ids are no paths.
            if matches!(name.as_str(), "content" | "tool_calls" | "widget") {
                place.redactor.redact_value(value);
            }
        }
    }
}

fn index_of_runs(place: &LocalProject) -> String {
    format!("projects/{}/runsIndex.json", place.old)
}

fn told_of(place: &LocalProject, run: &ImportedRun, old: Option<&(OldRun, bool)>) -> ImportEntry {
    let is_listed = old.is_some_and(|(_, listed)| *listed);
    let file = if is_listed {
        index_of_runs(place)
    } else {
        format!("projects/{}/runs/{}", place.old, run.run_id)
    };
    let id = run.run_id.as_str();
    let mut entry = ImportEntry::new(ImportKind::Run, id, file, ImportOutcome::Imported);
    if let Some(why) = &run.locked {
        entry = entry.failed(why.clone());
    }
    entry
}

fn told_of_messages(
    found: &ImportItem,
    file: &str,
    count: u64,
    failure: Option<Failure>,
) -> ImportEntry {
    let id = found.old.id.as_str();
    let outcome = match (&failure, count) {
        (Some(why), 0) if why.code != ErrorCode::NotFound => ImportOutcome::Failed,
        _ => ImportOutcome::Imported,
    };
    let mut entry = ImportEntry::new(ImportKind::Conversation, id, file, outcome);
    entry.messages = Some(count);
    match failure {
        Some(why) => entry.failed(why),
        None if !found.listed => {
            let why = imports::conversation_unlisted();
            entry.because(ErrorCode::ImportUnlisted, why)
        }
        None => entry,
    }
}
