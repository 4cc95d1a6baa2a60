//! Conversations at work, or waiting for the person, and what lists show of them.

use std::collections::BTreeSet;

use kernel::bounds::ACTIVE_CONVERSATIONS;
use kernel::code::Failure;
use kernel::event::{Phase, Reason};
use kernel::wire::ConversationPage;
use rusqlite::Connection;

use super::RuntimeStore;
use super::conversations::summaries;
use super::lists::all;
use super::sql::to_sql;

/// Conversations that were active last and are looked at beside those at work.
const NEWEST: u32 = 50;

/// Asks for the conversations whose newest run works or waits for the person, or that are talks at
/// work or with something that did not go well: not those of
/// sub-agents, and none of a project that the person has forgotten. Finished runs are not looked at.
fn sql_of_ids() -> String {
    let [running, waiting, failed] =
        [Phase::Running, Phase::WaitingUser, Phase::Failed].map(|phase| to_sql(&phase));
    let [interrupted, widget] = [Reason::Interrupted, Reason::Widget].map(|reason| to_sql(&reason));
    let [limit, not_accepted] = [Reason::Limit, Reason::NotAccepted].map(|reason| to_sql(&reason));
    let unanswered = to_sql(&Reason::Failed);
    let [stopped, ended] = [Reason::Stopped, Reason::EndedEarly].map(|reason| to_sql(&reason));
    format!(
        "SELECT conversation_id FROM runs INDEXED BY runs_by_phase
         WHERE phase IN ('{running}', '{waiting}', '{failed}')
           AND (phase <> '{waiting}' OR coalesce(reason, '') NOT IN ('{stopped}', '{ended}'))
           AND EXISTS (SELECT 1 FROM conversations c
                 WHERE c.id = conversation_id AND c.parent IS NULL AND c.run = runs.id)
           AND NOT EXISTS (SELECT 1 FROM projects
                 WHERE projects.id = runs.project_id AND projects.forgotten = 1)
         UNION SELECT id FROM conversations INDEXED BY conversations_at_work
         WHERE phase IS NOT NULL AND parent IS NULL
           AND (phase = '{running}' OR reason IN ('{widget}', '{interrupted}', '{limit}',
                '{not_accepted}', '{unanswered}'))
           AND NOT EXISTS (SELECT 1 FROM projects
                 WHERE projects.id = conversations.project_id AND projects.forgotten = 1)"
    )
}

/// What lists show of a conversation, as far as it does not change with every line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ListedConversation {
    id: String,
    project: String,
    title: String,
    /// Phase, reason, node and count of steps of its newest run; whom the person talks with, and
    /// where that stands.
    stands: String,
    active: bool,
}

/// Asks for the rows of so many of them, last active first.
pub(super) fn sql_of_active() -> String {
    let ids = sql_of_ids();
    format!(
        "SELECT * FROM conversations WHERE id IN ({ids})
         ORDER BY last_active_at DESC, id DESC LIMIT ?1"
    )
}

fn active(db: &Connection) -> Result<ConversationPage, Failure> {
    let conversations = summaries(db, &sql_of_active(), [ACTIVE_CONVERSATIONS])?;
    Ok(ConversationPage { conversations, next: None })
}

fn listed(db: &Connection) -> Result<BTreeSet<ListedConversation>, Failure> {
    let ids = sql_of_ids();
    let sql = format!(
        "WITH active (id) AS MATERIALIZED ({ids}),
              newest (id) AS MATERIALIZED (SELECT id FROM conversations WHERE parent IS NULL
                  ORDER BY last_active_at DESC, id DESC LIMIT ?1)
         SELECT id, project_id, coalesce(custom_title, title),
                coalesce((SELECT concat_ws(' ', phase, coalesce(reason, ''), coalesce(node_id, ''),
                                  coalesce(steps_done, ''), coalesce(steps_total, '')) FROM runs
                 WHERE id = c.run), '')
                || concat_ws(' ', '', mode, agent, phase, reason),
                id IN (SELECT id FROM active)
         FROM conversations c
         WHERE id IN (SELECT id FROM active UNION SELECT id FROM newest)"
    );
    let found = all(db, "conversations", &sql, [NEWEST], |row| {
        Ok(Some(ListedConversation {
            id: row.get(0)?,
            project: row.get(1)?,
            title: row.get(2)?,
            stands: row.get(3)?,
            active: row.get(4)?,
        }))
    })?;
    Ok(found.into_iter().collect())
}

impl RuntimeStore {
    /// The conversations of every project whose newest run works or waits for the person, last
    /// active first, [`ACTIVE_CONVERSATIONS`] at most.
    ///
    /// # Errors
    /// `STORE_READ_FAILED` when the store cannot be read.
    pub async fn active_conversations(&self) -> Result<ConversationPage, Failure> {
        self.read(active).await
    }

    /// What lists show now of the conversations at work and of the newest ones: two of these differ
    /// when a list is worth reading again.
    pub(crate) async fn listed(&self) -> Result<BTreeSet<ListedConversation>, Failure> {
        self.read(listed).await
    }
}
