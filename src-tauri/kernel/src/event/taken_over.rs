//! How a conversation of another store becomes a journal here, and how the journals of the first
//! importer are read: they began with an event of their own, `conversation_imported`.

use serde::Deserialize;
use serde_json::Value;

use super::{
    ConversationOrigin, ConversationStarted, Event, Line, MessageImported, Phase, Reason,
    RunInterrupted, RunOrigin, RunStarted,
};
use crate::code::Failure;
use crate::ids::{AgentId, ConversationId, NodeId, PackageId, ProjectId, RunId, WorkflowId};
use crate::mode::Mode;
use crate::time::Time;

/// So many messages in a line at most: one decision is one row, and a row is read whole.
pub const MESSAGES_PER_LINE: usize = 100;

/// A conversation of another store as its importer understood it. Importers describe one; only
/// [`TakenOver::lines`] makes a journal of it (law B).
#[derive(Debug, Clone, PartialEq)]
pub struct TakenOver {
    /// The conversation, under its old id.
    pub conversation_id: ConversationId,
    /// Its project.
    pub project_id: ProjectId,
    /// Where it comes from.
    pub origin: ConversationOrigin,
    /// When something last happened in it.
    pub last_active_at: Option<Time>,
    /// Its run, when it had one.
    pub run: Option<ImportedRun>,
    /// Its messages in order.
    pub messages: Vec<MessageImported>,
}

/// A run as it stood in the other store.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportedRun {
    /// The run, under its old id.
    pub run_id: RunId,
    /// The package as it is installed here; the old id when it is not.
    pub package_id: PackageId,
    /// Which workflow of it.
    pub workflow_id: WorkflowId,
    /// The run's own agent.
    pub agent_id: AgentId,
    /// For people: the workflow's name.
    pub title: String,
    /// Project-relative folder for artifacts, without slashes at the ends.
    pub artifacts_dir: String,
    /// The state document, when there was one that can be read.
    pub state: Option<String>,
    /// The effective current node of the state document.
    pub node_id: Option<NodeId>,
    /// Where the run stands.
    pub phase: Phase,
    /// Why it stands there.
    pub reason: Option<Reason>,
    /// When it began.
    pub created_at: Time,
    /// Why it can be read but not continued; absent for one that can.
    #[serde(default)]
    pub locked: Option<Failure>,
}

impl TakenOver {
    /// The journal of the conversation. A line is as old as what it tells, so that lists ordered by
    /// activity stay as they were; the time of the import is in the first one.
    pub fn lines(self) -> Vec<Line> {
        let (began, last_active_at) = (self.origin.created_at, self.last_active_at);
        let decisions = self.decisions();
        let last = decisions.len() - 1;
        let (mut at, mut seq) = (began, 1);
        let mut lines = Vec::with_capacity(decisions.len());
        for (index, (time, events)) in decisions.into_iter().enumerate() {
            at = at.max(time);
            if index == last {
                at = at.max(last_active_at.unwrap_or(at));
            }
            let line = Line::new(seq, at, 0, events);
            seq = line.next_seq();
            lines.push(line);
        }
        lines
    }

    /// What stands in each line, and how old that is.
    fn decisions(self) -> Vec<(Time, Vec<Event>)> {
        let began = self.origin.created_at;
        let at_work = self.run.as_ref().is_some_and(|run| run.phase == Phase::Running);
        let first = begins(self.conversation_id, self.project_id, self.origin, self.run);
        let mut decisions = vec![(began, vec![first])];
        let mut messages = self.messages.into_iter().peekable();
        while messages.peek().is_some() {
            let batch: Vec<MessageImported> = messages.by_ref().take(MESSAGES_PER_LINE).collect();
            let newest = batch.iter().map(|m| m.created_at).max().unwrap_or(began);
            let events = batch.into_iter().map(|m| Event::MessageImported(Box::new(m)));
            decisions.push((newest, events.collect()));
        }
        if at_work {
            // No engine runs it any more.
            let (in_doubt, resting) = (Vec::new(), false);
            let interrupted = RunInterrupted { in_doubt, resting };
            decisions.push((began, vec![Event::RunInterrupted(interrupted)]));
        }
        decisions
    }
}

/// The first event of a journal that was taken over.
fn begins(
    conversation_id: ConversationId,
    project_id: ProjectId,
    origin: ConversationOrigin,
    run: Option<ImportedRun>,
) -> Event {
    let Some(run) = run else {
        let started = ConversationStarted {
            conversation_id,
            project_id,
            mode: Mode::Chat,
            artifacts: None,
            origin: Some(origin),
        };
        return Event::ConversationStarted(Box::new(started));
    };
    let origin = RunOrigin {
        conversation: origin,
        title: run.title,
        created_at: run.created_at,
        phase: run.phase,
        reason: run.reason,
        locked: run.locked,
    };
    Event::RunStarted(RunStarted {
        run_id: run.run_id,
        conversation_id,
        project_id,
        package_id: run.package_id,
        content_hash: None,
        workflow_id: run.workflow_id,
        title: None,
        agent_id: run.agent_id,
        artifacts_dir: run.artifacts_dir,
        artifacts_ask: false,
        state: run.state.unwrap_or_default(),
        node_id: run.node_id,
        demo: false,
        origin: Some(Box::new(origin)),
    })
}

/// What the first importer wrote in place of `run_started` and `conversation_started`.
pub(super) const OLDER_BEGINNING: &str = "conversation_imported";

/// Reads the data of an [`OLDER_BEGINNING`].
///
/// # Errors
/// The data lack what such an event must have.
pub(super) fn read_older_beginning(data: Value) -> Result<Event, serde_json::Error> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Older {
        conversation_id: ConversationId,
        project_id: ProjectId,
        title: String,
        created_at: Time,
        imported_at: Time,
        #[serde(default)]
        meta: Value,
        #[serde(default)]
        run: Option<ImportedRun>,
    }
    let older: Older = serde_json::from_value(data)?;
    let origin = ConversationOrigin {
        store: "electron".to_owned(),
        imported_at: older.imported_at,
        created_at: older.created_at,
        title: older.title,
        meta: older.meta,
    };
    Ok(begins(older.conversation_id, older.project_id, origin, older.run))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::upcast;
    use serde_json::json;

    fn line(data: &Value) -> String {
        let events = json!([{ "event": OLDER_BEGINNING, "data": data }]);
        json!({ "v": 1, "seq": 1, "at": "2025-03-01T11:00:00Z", "turn": 0, "events": events })
            .to_string()
    }

    fn conversation() -> Value {
        json!({ "conversationId": "c-1", "projectId": "p-1", "title": "About beans",
                "createdAt": "2025-03-01T11:00:00Z", "importedAt": "2026-11-23T12:00:00Z",
                "meta": { "entryType": "chat" } })
    }

    #[test]
    fn a_conversation_of_the_first_importer_begins_as_one_of_this_program() {
        let read = upcast(&line(&conversation())).unwrap();
        assert_eq!((read.events[0].name(), read.next_seq()), ("conversation_started", 2));
        let begin = read.beginning().unwrap();
        let origin = begin.origin.unwrap();
        assert_eq!((origin.store.as_str(), origin.title.as_str()), ("electron", "About beans"));
        assert_eq!(origin.meta, json!({ "entryType": "chat" }));
        assert!(begin.run.is_none() && begin.locked().is_none());
        assert!(read.is_taken_over());
        assert_eq!(upcast(&serde_json::to_string(&read).unwrap()).unwrap(), read);
    }

    #[test]
    fn a_run_of_the_first_importer_begins_as_one_of_this_program() {
        let locked = json!({ "code": "IMPORT_READ_ONLY", "message": "it can be read only" });
        let mut data = conversation();
        data["run"] = json!({
            "runId": "r-1", "packageId": "gone", "workflowId": "w", "agentId": "a", "title": "Plan",
            "artifactsDir": "artifacts", "state": null, "nodeId": null, "phase": "failed",
            "reason": "failed", "createdAt": "2025-03-01T10:00:00Z", "locked": locked,
        });
        let read = upcast(&line(&data)).unwrap();
        assert_eq!((read.events[0].name(), read.next_seq()), ("run_started", 2));
        let begin = read.beginning().unwrap();
        let run = begin.run.unwrap();
        assert_eq!((run.run_id.as_str(), run.state.as_str(), run.demo), ("r-1", "", false));
        let origin = run.origin.as_ref().unwrap();
        assert_eq!((origin.title.as_str(), origin.phase), ("Plan", Phase::Failed));
        assert_eq!(begin.locked().unwrap().message, "it can be read only");
        assert_eq!(upcast(&serde_json::to_string(&read).unwrap()).unwrap(), read);
    }

    #[test]
    fn a_damaged_beginning_is_not_taken_for_something_new() {
        let mut data = conversation();
        data["projectId"] = json!("../p");
        assert!(upcast(&line(&data)).is_err());
        assert!(upcast(&line(&Value::Null)).is_err());
    }
}
