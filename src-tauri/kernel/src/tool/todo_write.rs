//! `todo.write`: what the model has set itself to do, and how far that is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::built_in::{BuiltIn, EffectClass, Offer, Tool, schema_of};
use super::check::{canonical, invalid, typed};
use super::output::CallResult;
use crate::bounds::{self, TODO_ITEMS, TODO_TEXT_BYTES};
use crate::code::{ErrorCode, Failure};
use crate::facts::{Fact, FactKind};
use crate::todo::{
    BlockedReason, NewTodo, Todo, TodoChange, TodoCommand, TodoPatch, TodoRefusal, TodoStatus,
    TodoSummary,
};

/// What a model calls it, dotted.
pub const NAME: &str = "todo.write";

pub(super) const TOOL: Tool = Tool {
    name: NAME,
    description: "Keep a list of what is to be done in this run: plan, add, update, set_status, complete, fail, remove. A final answer is accepted only when every required todo is completed or canceled with a reason.",
    class: EffectClass::Session,
    works_on_files: false,
    writes_one_file: false,
    offered: Offer::InConversations,
    other_names: &[],
    runs_need: None,
    schema: schema_of::<Args>,
};

/// The arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// What to do. `plan` and `add` make todos, the others change the one with `id`.
    pub action: TodoAction,
    /// The id of the todo to change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// For `plan`: all todos. Known ids are changed, open ones left out are canceled for `reason`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = bounds::TODO_ITEMS))]
    pub items: Vec<NewTodo>,
    /// For `add`: the todo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<NewTodo>,
    /// For `update`: what to change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch: Option<TodoPatch>,
    /// For `set_status`: how far it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<TodoStatus>,
    /// For status `blocked`: what it waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked_reason: Option<BlockedReason>,
    /// Why it failed or is canceled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// For `complete`: files that came of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub artifacts: Vec<String>,
    /// Refuse unless the todo still has this revision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_revision: Option<u32>,
}

/// What to do with todos.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum TodoAction {
    /// These are the todos.
    Plan,
    /// One more.
    Add,
    /// Other words, dependencies or files.
    Update,
    /// Another status.
    SetStatus,
    /// It is done.
    Complete,
    /// It cannot be done.
    Fail,
    /// It was a mistake; only for one that is not required.
    Remove,
}

/// What it says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Output {
    /// What was done.
    pub action: TodoAction,
    /// The todos that are other than before.
    pub todos: Vec<Todo>,
    /// The ids of those that are new.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<String>,
    /// The ids of those that are gone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
    /// The steps a status took, the former one first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub transition_path: Vec<TodoStatus>,
    /// Whether everything was so already.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_op: bool,
    /// How many there are now.
    pub summary: TodoSummary,
}

impl Output {
    /// What came of a change.
    pub fn of(action: TodoAction, change: &TodoChange, summary: TodoSummary) -> Self {
        Self {
            action,
            todos: change.changed.clone(),
            added: change.created.clone(),
            removed: change.removed.clone(),
            transition_path: change.transition_path.clone(),
            no_op: change.is_noop(),
            summary,
        }
    }
}

/// A checked call.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// As the model wrote them.
    pub args: Args,
    /// What they ask for.
    pub command: TodoCommand,
}

impl BuiltIn for Input {
    fn tool(&self) -> &'static Tool {
        &TOOL
    }

    fn args(&self) -> Value {
        canonical(&self.args)
    }

    fn facts(&self, result: &CallResult) -> Vec<Fact> {
        let fact = |todo: &Todo| {
            let kind = match todo.status {
                _ if result.added.contains(&todo.id) => FactKind::TodoCreated,
                TodoStatus::Completed => FactKind::TodoCompleted,
                TodoStatus::Failed => FactKind::TodoFailed,
                TodoStatus::Pending
                | TodoStatus::InProgress
                | TodoStatus::Blocked
                | TodoStatus::Canceled => FactKind::TodoUpdated,
            };
            about(kind, &todo.id)
        };
        let removed = result.removed_todos.iter().map(|id| about(FactKind::TodoUpdated, id));
        result.todos.iter().map(fact).chain(removed).collect()
    }
}

fn about(kind: FactKind, id: &str) -> Fact {
    Fact { todo: Some(id.to_owned()), ..Fact::new(kind) }
}

pub(super) fn parse(args: Value) -> Result<Input, Failure> {
    let args: Args = typed(&TOOL, args)?;
    check_texts(&args)?;
    let command = command(&args)?;
    Ok(Input { args, command })
}

fn command(args: &Args) -> Result<TodoCommand, Failure> {
    let needs = |field: &str| {
        let action: &str = args.action.into();
        invalid(&TOOL, &format!("{field}: action `{action}` needs it"))
    };
    let id = || args.id.clone().ok_or_else(|| needs("id"));
    let ends = |status| {
        Ok(TodoCommand::SetStatus {
            id: id()?,
            status,
            blocked: args.blocked_reason,
            reason: args.reason.clone(),
            artifacts: args.artifacts.clone(),
        })
    };
    match args.action {
        TodoAction::Plan => {
            Ok(TodoCommand::Plan { items: args.items.clone(), reason: args.reason.clone() })
        }
        TodoAction::Add => Ok(TodoCommand::Add(args.item.clone().ok_or_else(|| needs("item"))?)),
        TodoAction::Update => {
            let patch = args.patch.clone().ok_or_else(|| needs("patch"))?;
            Ok(TodoCommand::Update { id: id()?, patch })
        }
        TodoAction::SetStatus => ends(args.status.ok_or_else(|| needs("status"))?),
        TodoAction::Complete => ends(TodoStatus::Completed),
        TodoAction::Fail => ends(TodoStatus::Failed),
        TodoAction::Remove => Ok(TodoCommand::Remove { id: id()? }),
    }
}

/// Every text and every list is short, and no id or task is blank.
fn check_texts(args: &Args) -> Result<(), Failure> {
    let items = || args.items.iter().chain(&args.item);
    let ids = items().flat_map(|item| item.id.iter().chain(&item.dependencies)).chain(&args.id);
    let ids = ids.chain(args.patch.iter().flat_map(|p| p.dependencies.iter().flatten()));
    for id in ids {
        let fits = |c: char| c.is_ascii_alphanumeric() || "._:-".contains(c);
        if id.is_empty() || id.len() > bounds::AUTHOR_ID_BYTES || !id.chars().all(fits) {
            return Err(invalid(&TOOL, "id: letters, digits and `._:-` only, for example `t1`"));
        }
    }
    let contents = items().map(|item| &item.content);
    let contents = contents.chain(args.patch.iter().filter_map(|p| p.content.as_ref()));
    for content in contents {
        if content.trim().is_empty() {
            return Err(invalid(&TOOL, "content: say what is to be done"));
        }
        if content.len() > TODO_TEXT_BYTES {
            return Err(invalid(&TOOL, &format!("content: at most {TODO_TEXT_BYTES} bytes")));
        }
    }
    let artifacts = args.patch.iter().flat_map(|p| p.artifacts.iter().flatten());
    let mut texts = artifacts.chain(&args.artifacts).chain(&args.reason);
    if texts.any(|text| text.len() > TODO_TEXT_BYTES) {
        return Err(invalid(
            &TOOL,
            &format!("reason, artifacts: at most {TODO_TEXT_BYTES} bytes each"),
        ));
    }
    let lists = [args.items.len(), args.artifacts.len()];
    let lists = lists.into_iter().chain(items().map(|item| item.dependencies.len()));
    let of_patch = |p: &TodoPatch| {
        let length = |list: &Option<Vec<String>>| list.as_ref().map_or(0, Vec::len);
        length(&p.dependencies).max(length(&p.artifacts))
    };
    let mut lists = lists.chain(args.patch.iter().map(of_patch));
    if lists.any(|length| length > TODO_ITEMS) {
        return Err(invalid(&TOOL, &format!("at most {TODO_ITEMS} entries in a list")));
    }
    Ok(())
}

/// Why a command changed nothing, as the model is told it.
pub fn refused(refusal: &TodoRefusal, known: &[Todo]) -> Failure {
    match refusal {
        TodoRefusal::NotFound(id) => {
            let ids: Vec<&str> =
                known.iter().map(|todo| todo.id.as_str()).take(TODO_ITEMS).collect();
            let action = if ids.is_empty() {
                "There are no todos: add one first, or go on without.".to_owned()
            } else {
                format!("Use one of these ids: {}.", ids.join(", "))
            };
            Failure::for_model(ErrorCode::TodoNotFound, format!("there is no todo `{id}`"))
                .with_details(json!({ "todo": id, "known": ids }))
                .with_action_for_model(action)
        }
        TodoRefusal::Conflict(todo) => {
            let Todo { id, revision, status, .. } = todo;
            let status = status.as_str();
            let message = format!("`{id}` is at revision {revision} by now, status {status}");
            Failure::for_model(ErrorCode::TodoConflict, message)
                .with_details(json!({
                    "todo": id, "currentRevision": revision, "currentStatus": status,
                }))
                .with_action_for_model(format!(
                    "Look at the todo again; repeat the call with expected_revision {revision} if it is still wanted."
                ))
        }
        TodoRefusal::Transition { todo, to } => {
            let allowed: Vec<&str> = todo.status.next().iter().map(|s| s.as_str()).collect();
            let (from, to) = (todo.status.as_str(), to.as_str());
            let action = if allowed.is_empty() {
                format!("A todo that is {from} stays so. Add another one if there is more to do.")
            } else {
                format!("From {from} it can become: {}.", allowed.join(", "))
            };
            let message = format!("`{}` cannot become {to}: it is {from}", todo.id);
            Failure::for_model(ErrorCode::TodoTransition, message)
                .with_details(
                    json!({ "todo": todo.id, "from": from, "to": to, "allowed": allowed }),
                )
                .with_action_for_model(action)
        }
        TodoRefusal::Dependencies { id, open } => {
            let names = open.join(", ");
            Failure::for_model(ErrorCode::TodoTransition, format!("`{id}` waits for {names}"))
                .with_details(json!({ "todo": id, "openDependencies": open }))
                .with_action_for_model(format!("Complete {names} first."))
        }
        TodoRefusal::Invalid(why) => invalid(&TOOL, why),
    }
}
