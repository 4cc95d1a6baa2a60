//! Todos of a run (spec 06 "Todos"): what the model has set itself to do, kept by the runtime. Every
//! change is one transition of a table, or several that follow each other, all or none; and only of
//! the version that the caller has seen.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::bounds::TODOS;

mod change;

pub use change::{NewTodo, TodoChange, TodoCommand, TodoPatch, TodoRefusal};

/// Something to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Todo {
    /// Its name within the run.
    pub id: String,
    /// What is to be done.
    pub content: String,
    /// How far it is.
    pub status: TodoStatus,
    /// Whether the run is not done without it.
    pub required: bool,
    /// Todos that have to be completed first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<String>>"))]
    pub dependencies: Vec<String>,
    /// Files that came of it, as the model says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<String>>"))]
    pub artifacts: Vec<String>,
    /// What a blocked one waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub blocked_reason: Option<BlockedReason>,
    /// Why one failed or was canceled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub failure_reason: Option<String>,
    /// Counts its versions from 1.
    pub revision: u32,
}

/// How far a todo is.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum TodoStatus {
    /// Not begun.
    Pending,
    /// Being worked on.
    InProgress,
    /// It waits for something.
    Blocked,
    /// It has been done.
    Completed,
    /// It cannot be done.
    Failed,
    /// It is not to be done any more.
    Canceled,
}

/// What a blocked todo waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum BlockedReason {
    /// Another todo.
    InternalDependency,
    /// A permission.
    PermissionWait,
    /// An answer of the user.
    UserInputWait,
    /// Something outside.
    ExternalResourceWait,
    /// Something that nobody named, or that only a newer program knows.
    #[serde(other)]
    Unknown,
}

impl TodoStatus {
    /// Whether nothing follows.
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Canceled)
    }

    /// As it is written.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// What may follow directly.
    pub const fn next(self) -> &'static [Self] {
        match self {
            Self::Pending => &[Self::InProgress, Self::Blocked, Self::Failed, Self::Canceled],
            Self::InProgress => &[Self::Completed, Self::Failed, Self::Blocked, Self::Canceled],
            Self::Blocked => &[Self::Pending, Self::InProgress, Self::Failed, Self::Canceled],
            Self::Completed | Self::Failed | Self::Canceled => &[],
        }
    }

    /// The way to `to`, this status first. What is done was worked on before: that step is taken,
    /// too. `None` when no way leads there.
    pub fn way_to(self, to: Self) -> Option<Vec<Self>> {
        if self == to {
            return Some(vec![self]);
        }
        if self.next().contains(&to) {
            return Some(vec![self, to]);
        }
        let through = to == Self::Completed && self.next().contains(&Self::InProgress);
        through.then(|| vec![self, Self::InProgress, to])
    }
}

impl BlockedReason {
    /// Whether only a person, or something outside, can end it.
    pub const fn needs_somebody(self) -> bool {
        !matches!(self, Self::InternalDependency)
    }
}

/// The todos of a run, in the order in which they came. A decision's copy is cheap.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Todos {
    items: Arc<Vec<Todo>>,
    /// How many changes there were so far.
    changes: u32,
    /// Those whose failure the person has let stand: nothing waits for them any more.
    #[serde(default)]
    settled: Arc<BTreeSet<String>>,
}

/// How many todos there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct TodoSummary {
    /// In all.
    pub total: u32,
    /// Those that are required and not canceled.
    pub required: u32,
    /// Those of them that are completed.
    pub completed: u32,
    /// Those of them that failed.
    pub failed: u32,
    /// Those of them that have not come to an end.
    pub open: u32,
    /// How many changes there were so far: another number says that a todo is other than before.
    pub changes: u32,
}

impl Todos {
    /// The todos, the oldest first.
    pub fn items(&self) -> &[Todo] {
        &self.items
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The todo with this id.
    pub fn get(&self, id: &str) -> Option<&Todo> {
        self.items.iter().find(|todo| todo.id == id)
    }

    /// The required todos that have not come to an end.
    pub fn open(&self) -> impl Iterator<Item = &Todo> {
        self.items.iter().filter(|todo| todo.required && !todo.status.is_terminal())
    }

    /// How many there are.
    pub fn summary(&self) -> TodoSummary {
        let (total, changes) = (count(self.items.len()), self.changes);
        let mut summary = TodoSummary { total, changes, ..TodoSummary::default() };
        for todo in self.items.iter().filter(|t| t.required && t.status != TodoStatus::Canceled) {
            summary.required += 1;
            match todo.status {
                TodoStatus::Completed => summary.completed += 1,
                TodoStatus::Failed => summary.failed += 1,
                _ => summary.open += 1,
            }
        }
        summary
    }

    /// Folds new versions of todos, and the ids of those that are gone.
    pub fn apply(&mut self, changed: &[Todo], removed: &[String]) {
        self.changes = self.changes.saturating_add(count(changed.len() + removed.len()));
        let todos = Arc::make_mut(&mut self.items);
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        if changed.len() > 1 {
            places = todos.iter().enumerate().map(|(at, todo)| (todo.id.clone(), at)).collect();
        }
        for todo in changed {
            let known = match changed.len() {
                1 => todos.iter().position(|known| known.id == todo.id),
                _ => places.get(&todo.id).copied(),
            };
            match known {
                Some(at) => todos[at] = todo.clone(),
                None => todos.push(todo.clone()),
            }
        }
        if !removed.is_empty() {
            todos.retain(|todo| !removed.contains(&todo.id));
        }
    }

    /// The person lets words stand although these todos failed.
    pub fn settle_failed(&mut self) {
        let failed = self.items.iter().filter(|todo| todo.status == TodoStatus::Failed);
        self.settled = Arc::new(failed.map(|todo| todo.id.clone()).collect());
    }

    /// Whether the person has let this failure stand.
    pub fn is_settled(&self, todo: &Todo) -> bool {
        todo.status == TodoStatus::Failed && self.settled.contains(&todo.id)
    }

    /// Whether another one fits.
    fn has_room_for(&self, more: usize) -> bool {
        self.items.len() + more <= TODOS
    }

    fn ids(&self) -> BTreeSet<&str> {
        self.items.iter().map(|todo| todo.id.as_str()).collect()
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
