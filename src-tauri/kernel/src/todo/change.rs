//! What a model may do with todos, and what comes of it: new versions, or one refusal, and never a
//! part of a change.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

use super::{BlockedReason, Todo, TodoStatus, Todos};
use crate::bounds::TODOS;

/// A todo that is to be added, or one of a plan.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewTodo {
    /// A short name, `t1`. Left out: the runtime makes one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What is to be done.
    pub content: String,
    /// Whether the run is not done without it. Default true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// Ids of todos that have to be completed first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<String>,
}

/// What to change of a todo; what is left out stays.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TodoPatch {
    /// What is to be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// Ids of todos that have to be completed first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dependencies: Option<Vec<String>>,
    /// Files that came of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifacts: Option<Vec<String>>,
}

/// One change of the todos.
#[derive(Debug, Clone, PartialEq)]
pub enum TodoCommand {
    /// These are the todos from now on: new ones are added, known ones changed, open ones that are
    /// not named are canceled for this reason. What has come to an end stays.
    Plan {
        /// The todos.
        items: Vec<NewTodo>,
        /// Why open ones are left out.
        reason: Option<String>,
    },
    /// One more.
    Add(NewTodo),
    /// Other words, dependencies or files.
    Update {
        /// The id of the todo.
        id: String,
        /// What to change of it.
        patch: TodoPatch,
    },
    /// How far it is.
    SetStatus {
        /// The id of the todo.
        id: String,
        /// How far it is then.
        status: TodoStatus,
        /// What it waits for.
        blocked: Option<BlockedReason>,
        /// Why it failed or is canceled.
        reason: Option<String>,
        /// Files that came of it.
        artifacts: Vec<String>,
    },
    /// It was a mistake. Only for one that is not required.
    Remove {
        /// The id of the todo.
        id: String,
    },
}

/// What a command makes of the todos.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TodoChange {
    /// New versions.
    pub changed: Vec<Todo>,
    /// The ids of those that are gone.
    pub removed: Vec<String>,
    /// The ids of those that were added.
    pub created: Vec<String>,
    /// The steps a status took, the former one first; empty when none changed.
    pub transition_path: Vec<TodoStatus>,
}

impl TodoChange {
    /// Whether everything was so already.
    pub fn is_noop(&self) -> bool {
        self.changed.is_empty() && self.removed.is_empty()
    }
}

/// Why a command changed nothing.
#[derive(Debug, Clone, PartialEq)]
pub enum TodoRefusal {
    /// There is no such todo.
    NotFound(String),
    /// It is at another revision than the caller believed.
    Conflict(Todo),
    /// No way leads to that status.
    Transition {
        /// The todo.
        todo: Todo,
        /// Where it was to go.
        to: TodoStatus,
    },
    /// Todos it depends on are not completed.
    Dependencies {
        /// The id of the todo.
        id: String,
        /// The ids of those.
        open: Vec<String>,
    },
    /// The command does not fit, in words for the model.
    Invalid(String),
}

impl Todos {
    /// What `command` makes of them. `expected` is the revision that the caller has seen.
    ///
    /// # Errors
    /// [`TodoRefusal`]; nothing is changed then.
    pub fn change(
        &self,
        command: &TodoCommand,
        expected: Option<u32>,
    ) -> Result<TodoChange, TodoRefusal> {
        let change = match command {
            TodoCommand::Plan { items, reason } => self.plan(items, reason.as_deref())?,
            TodoCommand::Add(item) => self.add(item)?,
            TodoCommand::Update { id, patch } => update(self.seen(id, expected)?, patch),
            TodoCommand::SetStatus { id, status, blocked, reason, artifacts } => {
                let mut todo = self.seen(id, expected)?.clone();
                if !artifacts.is_empty() {
                    todo.artifacts.clone_from(artifacts);
                }
                self.set_status(todo, *status, *blocked, reason.as_deref())?
            }
            TodoCommand::Remove { id } => self.remove(self.seen(id, expected)?)?,
        };
        self.check_dependencies(&change)?;
        Ok(change)
    }

    /// The todo as the caller knows it.
    fn seen(&self, id: &str, expected: Option<u32>) -> Result<&Todo, TodoRefusal> {
        let todo = self.get(id.trim()).ok_or_else(|| TodoRefusal::NotFound(id.to_owned()))?;
        match expected {
            Some(revision) if revision != todo.revision => Err(TodoRefusal::Conflict(todo.clone())),
            _ => Ok(todo),
        }
    }

    fn add(&self, item: &NewTodo) -> Result<TodoChange, TodoRefusal> {
        let mut ids = self.ids().into_iter().map(str::to_owned).collect();
        if let Some(id) = &item.id
            && self.get(id).is_some()
        {
            return invalid(format!(
                "id: there is a todo `{id}` already; leave id out, or update it"
            ));
        }
        self.make_room(1)?;
        let todo = new_todo(item, &mut ids);
        Ok(TodoChange {
            created: vec![todo.id.clone()],
            changed: vec![todo],
            ..TodoChange::default()
        })
    }

    fn make_room(&self, more: usize) -> Result<(), TodoRefusal> {
        if self.has_room_for(more) {
            Ok(())
        } else {
            invalid(format!("a run has at most {TODOS} todos"))
        }
    }

    fn plan(&self, items: &[NewTodo], reason: Option<&str>) -> Result<TodoChange, TodoRefusal> {
        if items.is_empty() {
            return invalid("items: a plan has at least one".to_owned());
        }
        let mut ids: BTreeSet<String> = self.ids().into_iter().map(str::to_owned).collect();
        let mut named = BTreeSet::new();
        let mut change = TodoChange::default();
        for item in items {
            let known = item.id.as_deref().and_then(|id| self.get(id));
            if item.id.as_ref().is_some_and(|id| !named.insert(id.clone())) {
                return invalid(format!(
                    "items: `{}` is named twice",
                    item.id.as_deref().unwrap_or_default()
                ));
            }
            match known {
                // What has come to an end stays as it is.
                Some(todo) if todo.status.is_terminal() => {}
                Some(todo) => {
                    let mut new = todo.clone();
                    new.content.clone_from(&item.content);
                    new.dependencies.clone_from(&item.dependencies);
                    // A plan does not quietly make a duty a wish.
                    new.required |= item.required == Some(true);
                    change.changed.extend(revised(todo, new));
                }
                None => {
                    let todo = new_todo(item, &mut ids);
                    named.insert(todo.id.clone());
                    change.created.push(todo.id.clone());
                    change.changed.push(todo);
                }
            }
        }
        self.make_room(change.created.len())?;
        let left =
            self.items().iter().filter(|t| !t.status.is_terminal() && !named.contains(&t.id));
        let left: Vec<&Todo> = left.collect();
        let required: Vec<&str> =
            left.iter().filter(|t| t.required).map(|t| t.id.as_str()).collect();
        let reason = reason.map(str::trim).filter(|reason| !reason.is_empty());
        if !required.is_empty() && reason.is_none() {
            return invalid(format!(
                "reason: say why the required todos {} are left out, or name them in items",
                required.join(", ")
            ));
        }
        for todo in left {
            let canceled = Todo {
                status: TodoStatus::Canceled,
                failure_reason: reason.map(str::to_owned),
                blocked_reason: None,
                ..todo.clone()
            };
            change.changed.extend(revised(todo, canceled));
        }
        Ok(change)
    }

    /// `new` is the todo with what the command says beside the status.
    fn set_status(
        &self,
        mut new: Todo,
        to: TodoStatus,
        blocked: Option<BlockedReason>,
        reason: Option<&str>,
    ) -> Result<TodoChange, TodoRefusal> {
        let Some(old) = self.get(&new.id) else { return Err(TodoRefusal::NotFound(new.id)) };
        let reason = reason.map(str::trim).filter(|reason| !reason.is_empty());
        let Some(path) = old.status.way_to(to) else {
            return Err(TodoRefusal::Transition { todo: old.clone(), to });
        };
        if old.status.is_terminal() {
            // Once more the same: nothing to do.
            return Ok(TodoChange::default());
        }
        if to == TodoStatus::Canceled && old.required && reason.is_none() {
            return invalid(format!("reason: `{}` is required; say why it is canceled", old.id));
        }
        new.status = to;
        new.blocked_reason =
            (to == TodoStatus::Blocked).then_some(blocked.unwrap_or(BlockedReason::Unknown));
        let ends = matches!(to, TodoStatus::Failed | TodoStatus::Canceled);
        new.failure_reason = reason.filter(|_| ends).map(str::to_owned);
        let moved = path.len() > 1;
        let changed = revised(old, new).into_iter().collect();
        let transition_path = if moved { path } else { Vec::new() };
        Ok(TodoChange { changed, transition_path, ..TodoChange::default() })
    }

    fn remove(&self, todo: &Todo) -> Result<TodoChange, TodoRefusal> {
        if todo.required {
            return invalid(format!(
                "`{}` is required: it can be canceled with a reason (action set_status), not removed",
                todo.id
            ));
        }
        let needs = self.items().iter().find(|other| other.dependencies.contains(&todo.id));
        if let Some(other) = needs {
            return invalid(format!("`{}` depends on `{}`", other.id, todo.id));
        }
        Ok(TodoChange { removed: vec![todo.id.clone()], ..TodoChange::default() })
    }

    /// Dependencies exist, lead in no circle, and are completed when something is worked on.
    fn check_dependencies(&self, change: &TodoChange) -> Result<(), TodoRefusal> {
        let mut after = self.clone();
        after.apply(&change.changed, &change.removed);
        for todo in &change.changed {
            if let Some(unknown) = todo.dependencies.iter().find(|id| after.get(id).is_none()) {
                return invalid(format!("dependencies: there is no todo `{unknown}`"));
            }
            if after.needs_itself(todo) {
                return invalid(format!("dependencies: `{}` would wait for itself", todo.id));
            }
            let began = matches!(todo.status, TodoStatus::InProgress | TodoStatus::Completed);
            let moved = self.get(&todo.id).is_none_or(|old| old.status != todo.status);
            let open = |id: &&String| {
                after.get(id).is_some_and(|other| other.status != TodoStatus::Completed)
            };
            let open: Vec<String> = todo.dependencies.iter().filter(open).cloned().collect();
            if began && moved && !open.is_empty() {
                return Err(TodoRefusal::Dependencies { id: todo.id.clone(), open });
            }
        }
        Ok(())
    }

    fn needs_itself(&self, todo: &Todo) -> bool {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut next: Vec<&str> = todo.dependencies.iter().map(String::as_str).collect();
        while let Some(id) = next.pop() {
            if id == todo.id {
                return true;
            }
            if seen.insert(id) {
                let further = self.get(id).map(|other| &other.dependencies);
                next.extend(further.into_iter().flatten().map(String::as_str));
            }
        }
        false
    }
}

/// The next revision, when it differs from the former one.
fn revised(old: &Todo, new: Todo) -> Option<Todo> {
    (*old != new).then(|| Todo { revision: old.revision.saturating_add(1), ..new })
}

fn update(todo: &Todo, patch: &TodoPatch) -> TodoChange {
    let mut new = todo.clone();
    if let Some(content) = &patch.content {
        new.content.clone_from(content);
    }
    if let Some(dependencies) = &patch.dependencies {
        new.dependencies.clone_from(dependencies);
    }
    if let Some(artifacts) = &patch.artifacts {
        new.artifacts.clone_from(artifacts);
    }
    TodoChange { changed: revised(todo, new).into_iter().collect(), ..TodoChange::default() }
}

fn new_todo(item: &NewTodo, ids: &mut BTreeSet<String>) -> Todo {
    let free = |n: &usize| !ids.contains(&format!("t{n}"));
    // One of so many names is free.
    let made = || (1..=ids.len() + 1).find(free).map(|n| format!("t{n}")).unwrap_or_default();
    let id = item.id.clone().unwrap_or_else(made);
    ids.insert(id.clone());
    Todo {
        id,
        content: item.content.clone(),
        status: TodoStatus::Pending,
        required: item.required.unwrap_or(true),
        dependencies: item.dependencies.clone(),
        artifacts: Vec::new(),
        blocked_reason: None,
        failure_reason: None,
        revision: 1,
    }
}

fn invalid<T>(words: String) -> Result<T, TodoRefusal> {
    Err(TodoRefusal::Invalid(words))
}
