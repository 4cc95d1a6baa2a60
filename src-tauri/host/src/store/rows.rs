//! Lines and the rows derived from them, in SQL. Everything here runs inside a transaction of
//! the writer, or on a fresh database that is being salvaged.

use kernel::code::{ErrorCode, Failure};
use kernel::event::{Event, Line, Phase, Reason, RunStarted, TaskStarted};
use kernel::ids::{ConversationId, PackageId, ProjectId};
use kernel::mode::Mode;
use kernel::phrase::{Phrase, store};
use kernel::state_doc::StepCount;
use kernel::text::{ellipsis, json_text};
use kernel::time::Time;
use kernel::widget::SUBMISSION;
use kernel::wire::{MessageRow, Origin};
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::BTreeSet;

use super::derive::{self, Derived};
use super::sql::{int, to_sql, uint};
use super::{index, sqlite_error};

/// A run to be made (spec 03 "Run creation").
#[derive(Debug, Clone, PartialEq)]
pub struct NewRun {
    /// The run.
    pub run_id: kernel::ids::RunId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// Its project.
    pub project_id: ProjectId,
    /// The package, pinned.
    pub package_id: PackageId,
    /// Which workflow of it.
    pub workflow_id: kernel::ids::WorkflowId,
    /// Its own agent.
    pub agent_id: kernel::ids::AgentId,
    /// For people: the workflow's name.
    pub title: String,
    /// When it began.
    pub created_at: Time,
}

impl NewRun {
    /// The run that began with an event.
    pub(crate) fn of(e: &RunStarted, at: Time) -> Self {
        Self {
            run_id: e.run_id.clone(),
            conversation_id: e.conversation_id.clone(),
            project_id: e.project_id.clone(),
            package_id: e.package_id.clone(),
            workflow_id: e.workflow_id.clone(),
            agent_id: e.agent_id.clone(),
            title: e.title.clone().unwrap_or_else(|| e.workflow_id.to_string()),
            created_at: at,
        }
    }
}

/// Bytes of a task by which its conversation is called.
const TASK_TITLE_BYTES: usize = 80;

type Sql<T> = Result<T, rusqlite::Error>;

/// Whatever has a folder among those of runs: every run, and the conversations that began without one.
pub(super) fn run_ids(db: &Connection) -> Sql<BTreeSet<String>> {
    let sql = "SELECT id FROM runs UNION SELECT 'chat-' || id FROM conversations";
    db.prepare(sql)?.query_map([], |row| row.get(0))?.collect()
}

/// Every package that is listed or that a run is pinned to.
pub(super) fn package_ids(db: &Connection) -> Sql<BTreeSet<String>> {
    let sql = "SELECT id FROM packages UNION SELECT package_id FROM runs";
    db.prepare(sql)?.query_map([], |row| row.get(0))?.collect()
}

/// Refuses a run whose package was removed since it was read, with the words `went`: in the
/// transaction that makes the run, so that a removal comes before it, or finds it.
pub(super) fn require_package(
    db: &Connection,
    id: &PackageId,
    went: Phrase,
) -> Result<(), Failure> {
    let found = db
        .prepare_cached("SELECT 1 FROM packages WHERE id = ?1")
        .and_then(|mut found| found.exists([id.as_str()]))
        .map_err(|e| sqlite_error::write_failed(store::the_package(id), &e))?;
    if found {
        return Ok(());
    }
    Err(Failure::new(ErrorCode::PackageNotFound, went).with_action(store::import_the_package()))
}

/// Inserts the conversation of a run.
pub(super) fn insert_conversation(db: &Connection, run: &NewRun) -> Sql<usize> {
    insert(db, &run.conversation_id, &run.project_id, &run.title, run.created_at, None)
}

/// Inserts a conversation without a run.
pub(super) fn insert_talk(
    db: &Connection,
    id: &ConversationId,
    project: &ProjectId,
    at: Time,
) -> Sql<usize> {
    insert(db, id, project, "", at, None)
}

/// Inserts the conversation of a sub-agent. For people it is called by its task.
pub(super) fn insert_task(db: &Connection, task: &TaskStarted, at: Time) -> Sql<usize> {
    let title = ellipsis(&task.assignment.prompt, TASK_TITLE_BYTES);
    let parent = Some(&task.parent.conversation_id);
    insert(db, &task.conversation_id, &task.project_id, &title, at, parent)
}

/// Inserts it, or gives a row that was saved without it its parent again.
pub(super) fn restore_task(db: &Connection, task: &TaskStarted, at: Time) -> Sql<usize> {
    let (id, parent) = (task.conversation_id.as_str(), task.parent.conversation_id.as_str());
    let known = "UPDATE conversations SET parent = ?2 WHERE id = ?1";
    match db.execute(known, params![id, parent])? {
        0 => insert_task(db, task, at),
        known => Ok(known),
    }
}

fn insert(
    db: &Connection,
    id: &ConversationId,
    project: &ProjectId,
    title: &str,
    at: Time,
    parent: Option<&ConversationId>,
) -> Sql<usize> {
    db.execute(
        "INSERT INTO conversations (id, project_id, title, created_at, last_active_at, parent)
         VALUES (?1, ?2, ?3, ?4, ?4, ?5)",
        params![
            id.as_str(),
            project.as_str(),
            title,
            at.millis(),
            parent.map(ConversationId::as_str)
        ],
    )
}

/// Inserts a run, idle.
pub(super) fn insert_run(db: &Connection, run: &NewRun) -> Sql<usize> {
    db.execute(
        "INSERT INTO runs (id, conversation_id, project_id, package_id, workflow_id, agent_id,
                           title, phase, created_at, updated_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)",
        params![
            run.run_id.as_str(),
            run.conversation_id.as_str(),
            run.project_id.as_str(),
            run.package_id.as_str(),
            run.workflow_id.as_str(),
            run.agent_id.as_str(),
            run.title,
            to_sql(&Phase::Idle),
            run.created_at.millis()
        ],
    )
}

/// Whether the conversation is there.
pub(super) fn conversation_exists(db: &Connection, id: &ConversationId) -> Sql<bool> {
    db.prepare_cached("SELECT 1 FROM conversations WHERE id = ?1")?.exists([id.as_str()])
}

/// Where the journal goes on; `None` when it has no line yet.
pub(super) fn next_seq(db: &Connection, id: &ConversationId) -> Sql<Option<u64>> {
    db.prepare_cached(
        "SELECT next_seq FROM lines WHERE conversation = ?1 ORDER BY seq DESC LIMIT 1",
    )?
    .query_row([id.as_str()], |row| row.get(0).map(uint))
    .optional()
}

/// Inserts the line itself.
pub(super) fn insert_line(
    db: &Connection,
    id: &ConversationId,
    line: &Line,
    body: &str,
) -> Sql<usize> {
    db.prepare_cached(
        "INSERT INTO lines (conversation, seq, next_seq, at, format, body)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        id.as_str(),
        int(line.seq),
        int(line.next_seq()),
        line.at.millis(),
        line.v,
        body
    ])
}

/// Writes every row derived from `line`. How far the run is in its graph afterwards, `steps`, is told
/// by who knows the graph.
pub(super) fn apply_derived(
    db: &Connection,
    id: &ConversationId,
    line: &Line,
    steps: Option<StepCount>,
) -> Sql<()> {
    turn_to(db, id, line)?;
    let (run, origin) = origin(db, id)?;
    let derived = derive::derive(line, &origin);
    for message in &derived.messages {
        insert_message(db, id, message)?;
    }
    for answer in &derived.submitted {
        // Looked for from the end: what is answered was asked a moment ago.
        db.prepare_cached(
            "UPDATE messages SET widget = json_set(coalesce(widget, '{}'),
                 '$.submitted', json('true'), '$.submittedValue', json(?3))
             WHERE conversation = ?1 AND seq = (SELECT seq FROM messages
                 WHERE conversation = ?1 AND id = ?2 ORDER BY seq DESC LIMIT 1)",
        )?
        .execute(params![
            id.as_str(),
            answer.message_id.as_str(),
            answer.value.to_string()
        ])?;
    }
    if let Some((phase, reason)) = derived.phase {
        match &run {
            Some(run) => update_run(db, run, phase, reason, line.at)?,
            None => update_talk(db, id, phase, reason)?,
        }
    }
    if let (Some(run), Some(node)) = (&run, &derived.node) {
        // A count of an earlier place is none of this one.
        db.prepare_cached(
            "UPDATE runs SET node_id = ?2, steps_done = ?3, steps_total = ?4 WHERE id = ?1
               AND (node_id, steps_done, steps_total) IS NOT (?2, ?3, ?4)",
        )?
        .execute(params![
            run,
            node.as_str(),
            steps.map(|steps| steps.done),
            steps.map(|steps| steps.total)
        ])?;
    }
    update_conversation(db, id, &derived, line)
}

/// Writes down with whom the person talks after a line, and which run is the newest.
fn turn_to(db: &Connection, id: &ConversationId, line: &Line) -> Sql<()> {
    for event in &line.events {
        match event {
            Event::RunStarted(e) => {
                ensure_run(db, e, line.at)?;
                turn_to_run(db, id, Some(e.run_id.as_str()))?;
            }
            Event::ConversationStarted(e) => turn_to_talk(db, id, &e.mode)?,
            Event::ModeChosen(e) if e.with == Mode::Run => turn_to_run(db, id, None)?,
            Event::ModeChosen(e) => turn_to_talk(db, id, &e.with)?,
            _ => {}
        }
    }
    Ok(())
}

/// The run that began is there, also when its row was lost.
fn ensure_run(db: &Connection, e: &RunStarted, at: Time) -> Sql<()> {
    let known = "SELECT 1 FROM runs WHERE id = ?1";
    if db.prepare_cached(known)?.exists([e.run_id.as_str()])? {
        return Ok(());
    }
    let run = match e.origin.as_ref() {
        Some(there) => NewRun { title: there.title.clone(), ..NewRun::of(e, at) },
        None => NewRun::of(e, at),
    };
    insert_run(db, &run).map(drop)
}

/// The run is gone on with; `None` for the one that is the newest already.
fn turn_to_run(db: &Connection, id: &ConversationId, run: Option<&str>) -> Sql<()> {
    db.prepare_cached(
        "UPDATE conversations SET mode = 'run', agent_package = NULL, agent = NULL, phase = NULL,
             reason = NULL, run = coalesce(?2, run) WHERE id = ?1",
    )?
    .execute(params![id.as_str(), run])
    .map(drop)
}

/// Somebody else is talked with, and nothing is awaited.
fn turn_to_talk(db: &Connection, id: &ConversationId, with: &Mode) -> Sql<()> {
    let (package, agent) = with.agent().unzip();
    db.prepare_cached(
        "UPDATE conversations SET mode = ?2, agent_package = ?3, agent = ?4, phase = ?5,
             reason = NULL WHERE id = ?1",
    )?
    .execute(params![
        id.as_str(),
        with.name(),
        package.map(PackageId::as_str),
        agent.map(kernel::ids::AgentId::as_str),
        to_sql(&Phase::Idle)
    ])
    .map(drop)
}

/// The run that is gone on with, by its text, and what the messages of the conversation are marked
/// with.
fn origin(db: &Connection, id: &ConversationId) -> Sql<(Option<String>, Origin)> {
    let talk = db
        .prepare_cached("SELECT mode, agent FROM conversations WHERE id = ?1 AND mode <> 'run'")?
        .query_row([id.as_str()], |row| Ok((row.get(0)?, row.get::<_, Option<String>>(1)?)))
        .optional()?;
    let of_talk = |mode: String, agent: Option<String>| {
        let agent_id = agent.and_then(|agent| agent.parse().ok());
        (None, Origin { mode, run_id: None, workflow_id: None, agent_id })
    };
    if let Some((mode, agent)) = talk {
        return Ok(of_talk(mode, agent));
    }
    let run: Option<(String, String, String)> = db
        .prepare_cached(
            "SELECT id, workflow_id, agent_id FROM runs
             WHERE id = (SELECT run FROM conversations WHERE id = ?1)",
        )?
        .query_row([id.as_str()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    // A sub-agent has none.
    let Some((run, workflow, agent)) = run else { return Ok(of_talk("chat".into(), None)) };
    let origin = Origin {
        mode: "run".into(),
        run_id: run.parse().ok(),
        workflow_id: workflow.parse().ok(),
        agent_id: agent.parse().ok(),
    };
    Ok((Some(run), origin))
}

fn insert_message(db: &Connection, id: &ConversationId, m: &MessageRow) -> Sql<()> {
    // By their places: to look each of them up by its name takes longer than to write the row.
    db.prepare_cached(
        "INSERT INTO messages (conversation, seq, id, role, content, thinking, tool_calls,
             tool_call_id, part_type, tool_name, duration_ms, widget, mode, run_id, workflow_id,
             agent_id, include_in_context, full_output_path, created_at, turn, tokens, usage,
             files)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
             ?19, ?20, ?21, ?22, ?23)",
    )?
    .execute(params![
        id.as_str(),
        int(m.seq),
        m.id.as_str(),
        m.role,
        m.content,
        m.thinking,
        m.tool_calls.as_ref().map(json_text),
        m.tool_call_id.as_ref().map(kernel::ids::CallId::as_str),
        m.part_type,
        m.tool_name,
        m.duration_ms.map(int),
        m.widget.as_ref().map(json_text),
        m.origin.mode,
        m.origin.run_id.as_ref().map(kernel::ids::RunId::as_str),
        m.origin.workflow_id.as_ref().map(kernel::ids::WorkflowId::as_str),
        m.origin.agent_id.as_ref().map(kernel::ids::AgentId::as_str),
        m.include_in_context,
        m.full_output_path.as_ref().map(ToString::to_string),
        m.created_at.millis(),
        int(m.turn),
        m.tokens.map(int),
        m.usage.as_ref().and_then(|u| serde_json::to_string(u).ok()),
        Some(&m.files).filter(|f| !f.is_empty()).and_then(|f| serde_json::to_string(f).ok()),
    ])?;
    Ok(())
}

/// The same of a conversation in which no run is gone on with.
fn update_talk(
    db: &Connection,
    id: &ConversationId,
    phase: Phase,
    reason: Option<Reason>,
) -> Sql<()> {
    db.prepare_cached(
        "UPDATE conversations SET phase = ?2, reason = ?3 WHERE id = ?1 AND mode <> 'run'
           AND (phase IS NOT ?2 OR reason IS NOT ?3)
           AND (?3 IS NOT 'interrupted' OR phase = 'running')",
    )?
    .execute(params![id.as_str(), to_sql(&phase), reason.as_ref().map(to_sql::<Reason>)])
    .map(drop)
}

/// Only when the phase is another one: a row that stays as it is costs the append nothing. When
/// the run was last worked on is what its conversation says.
fn update_run(
    db: &Connection,
    run: &str,
    phase: Phase,
    reason: Option<Reason>,
    at: Time,
) -> Sql<()> {
    // Only a run at work can be interrupted; one at rest loses an unused confirmation.
    db.prepare_cached(
        "UPDATE runs SET phase = ?2, reason = ?3, updated_at = ?4 WHERE id = ?1
           AND (phase IS NOT ?2 OR reason IS NOT ?3)
           AND (?3 IS NOT 'interrupted' OR phase = 'running')",
    )?
    .execute(params![run, to_sql(&phase), reason.as_ref().map(to_sql::<Reason>), at.millis()])
    .map(drop)
}

/// Characters of a title that is made of words.
const TITLE: usize = 80;

/// A conversation is called after the first thing that was said in it; one of a run has the
/// workflow's name until then.
fn update_conversation(
    db: &Connection,
    id: &ConversationId,
    derived: &Derived,
    line: &Line,
) -> Sql<()> {
    let words = derived.words.as_deref().and_then(|w| w.trim().lines().next()).unwrap_or("");
    let mut title: String = words.chars().take(TITLE).collect();
    if title.len() < words.len() {
        title.pop();
        title.push('…');
    }
    db.prepare_cached(
        "UPDATE conversations SET last_active_at = ?2, message_count = message_count + ?3,
             title = CASE WHEN ?4 <> '' AND (title = '' OR (
                     title IN (SELECT title FROM runs WHERE conversation_id = ?1)
                     AND NOT EXISTS (SELECT 1 FROM messages
                                     WHERE conversation = ?1 AND seq < ?5 AND role = 'user'
                                       AND substr(content, 1, length(?6)) <> ?6)))
                 THEN ?4 ELSE title END
         WHERE id = ?1",
    )?
    .execute(params![
        id.as_str(),
        line.at.millis(),
        int(derived.messages.len() as u64),
        title,
        int(line.seq),
        SUBMISSION
    ])?;
    Ok(())
}

/// Makes the derived rows of a conversation anew from its lines.
pub(super) fn rebuild(db: &Connection, id: &ConversationId, lines: &[Line]) -> Sql<()> {
    index::forget(db, id)?;
    db.execute("DELETE FROM messages WHERE conversation = ?1", [id.as_str()])?;
    db.execute(
        "UPDATE conversations SET message_count = 0, mode = 'run', run = NULL WHERE id = ?1",
        [id.as_str()],
    )?;
    lines.iter().try_for_each(|line| apply_derived(db, id, line, None))?;
    index::rebuild(db)
}
