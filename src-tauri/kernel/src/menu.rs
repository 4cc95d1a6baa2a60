//! What words mean to an agent's menu (reference "Entry points", §6.4 to §6.6): which row is called,
//! and what it does. A function of the menu and the words alone.
//!
//! Deliberately not here: carrying it out (the host), and what a row looks like (`package`).

use serde_json::{Map, Value};

use crate::bounds::MENU_CHOICES;
use crate::package::{MenuItem, MenuLine, MenuTarget, USE_SKILL, visible};
use crate::skill::SkillName;

/// What words mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolved {
    /// The menu is asked for.
    ShowMenu,
    /// Several rows may be meant, or none has that number: the rows to choose from, with the numbers
    /// that they have in the whole menu.
    Clarify(Vec<MenuLine>),
    /// A row is called: what it does, and what was said to it besides.
    Item {
        /// The row as it is shown.
        line: MenuLine,
        /// What it does.
        action: MenuAction,
        /// A file that goes along, as it is written.
        data: Option<String>,
        /// What follows the first line of the words.
        details: String,
    },
    /// One of the program's own commands.
    Command(GlobalCommand),
    /// Words to the agent.
    Chat,
}

/// What a row of a menu does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MenuAction {
    /// Starts a workflow: its id, or its file.
    StartWorkflow(String),
    /// Follows a Markdown file.
    ExecScript(String),
    /// Lets a skill be at work, and says so to the agent.
    ActivateSkill(SkillName),
    /// Says one of the agent's prompts in the person's place: its id, without `#`.
    RunPrompt(String),
    /// Says these words.
    Say(String),
    /// One of the program's own commands.
    Command(GlobalCommand),
}

/// A command that the program knows whatever the menu says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GlobalCommand {
    /// Shows the menu.
    Menu,
    /// Stops what is going on; the run is kept.
    Stop,
    /// Goes on with the newest run.
    Resume,
    /// Lets the agent go.
    Dismiss,
}

impl GlobalCommand {
    /// The command that words are: `/menu`, `/pause`, `/stop`, `/resume`, `/dismiss`, `*menu` and
    /// `*dismiss`, and nothing else.
    pub fn of(words: &str) -> Option<Self> {
        Some(match words.trim().to_lowercase().as_str() {
            "/menu" | "*menu" => Self::Menu,
            "/pause" | "/stop" => Self::Stop,
            "/resume" => Self::Resume,
            "/dismiss" | "*dismiss" => Self::Dismiss,
            _ => return None,
        })
    }

    fn of_action(action: &str) -> Option<Self> {
        Some(match action.trim() {
            "menu.show" => Self::Menu,
            "run.resume" => Self::Resume,
            "agent.dismiss" => Self::Dismiss,
            _ => return None,
        })
    }
}

/// What words mean to a menu. Only their first line is matched; what follows goes along.
pub fn resolve(menu: &[MenuItem], words: &str) -> Resolved {
    let words = words.trim();
    let (first, details) = words.split_once('\n').unwrap_or((words, ""));
    let (called, details) = (folded(first), details.trim().to_owned());
    if let Some(command) = GlobalCommand::of(words) {
        return Resolved::Command(command);
    }
    if called.is_empty() {
        return Resolved::ShowMenu;
    }
    if called.bytes().all(|byte| byte.is_ascii_digit()) {
        let number = called.parse::<u32>().ok();
        let row = visible(menu).find(|(at, _)| Some(*at) == number);
        return match row {
            Some(row) => meant(row, None, details),
            None => Resolved::Clarify(visible(menu).map(MenuLine::of).collect()),
        };
    }
    let (found, by_name) = called_rows(menu, &called);
    match found.as_slice() {
        [] => Resolved::Chat,
        [row] if by_name => meant(*row, Some(&called), details),
        // Words of a description may be meant otherwise: nothing begins by them alone.
        rows => {
            let lines = rows.iter().copied().map(MenuLine::of);
            Resolved::Clarify(lines.take(MENU_CHOICES).collect())
        }
    }
}

/// So many signs of a name, or of a description, at least are a part of it.
const PART_CHARS: usize = 3;

/// The rows that may be called so, and whether it is by a name of theirs.
fn called_rows<'m>(menu: &'m [MenuItem], called: &str) -> (Vec<Row<'m>>, bool) {
    let exact = rows(menu, |item| names(item).iter().any(|name| name == called));
    if !exact.is_empty() {
        return (exact, true);
    }
    if called.chars().count() < PART_CHARS {
        return (Vec::new(), false);
    }
    let by_name = rows(menu, |item| names(item).iter().any(|name| begins(name, called)));
    if !by_name.is_empty() {
        return (by_name, true);
    }
    (rows(menu, |item| begins(&folded(&item.description), called)), false)
}

type Row<'m> = (u32, &'m MenuItem);

fn rows(menu: &[MenuItem], is_meant: impl Fn(&MenuItem) -> bool) -> Vec<Row<'_>> {
    visible(menu).filter(|(_, item)| is_meant(item)).collect()
}

/// What a row does that is called by one of its names.
fn meant(row: Row<'_>, called: Option<&str>, details: String) -> Resolved {
    let (_, item) = row;
    let handlers = item.triggers.iter().flat_map(handlers);
    let mut called_so: Vec<MenuTarget> = handlers
        .filter(|handler| called.is_some_and(|called| handler.names.iter().any(|n| n == called)))
        .map(|handler| handler.does)
        .collect();
    let does = match called_so.len() {
        0 => item.does.clone(),
        1 => called_so.remove(0),
        // Two handlers of one row by one name: the person is asked about the row.
        _ => return Resolved::Clarify(vec![MenuLine::of(row)]),
    };
    let data = does.data.clone().or_else(|| item.does.data.clone());
    let action = action(&does).or_else(|| action(&item.does));
    // A row that does nothing is words to the agent.
    let action = action.unwrap_or_else(|| MenuAction::Say(item.description.clone()));
    Resolved::Item { line: MenuLine::of(row), action, data, details }
}

fn action(does: &MenuTarget) -> Option<MenuAction> {
    let written = |text: &Option<String>| {
        let text = text.as_deref().map(str::trim).filter(|text| !text.is_empty());
        text.map(str::to_owned)
    };
    if let Some(workflow) = written(&does.workflow).or_else(|| written(&does.validate_workflow)) {
        return Some(MenuAction::StartWorkflow(workflow));
    }
    if let Some(file) = written(&does.exec) {
        return Some(if is_workflow_file(&file) {
            MenuAction::StartWorkflow(file)
        } else {
            MenuAction::ExecScript(file)
        });
    }
    let action = written(&does.action)?;
    let skill = action.strip_prefix(USE_SKILL).and_then(|name| SkillName::new(name.trim()).ok());
    if let Some(skill) = skill {
        return Some(MenuAction::ActivateSkill(skill));
    }
    Some(match (action.strip_prefix('#'), GlobalCommand::of_action(&action)) {
        (Some(prompt), _) => MenuAction::RunPrompt(prompt.to_owned()),
        (None, Some(command)) => MenuAction::Command(command),
        (None, None) => MenuAction::Say(action),
    })
}

fn is_workflow_file(file: &str) -> bool {
    file == "workflow.md" || file.ends_with("/workflow.md")
}

/// Whether a file is one of an older kind, which this program does not run.
pub fn is_classic(file: &str) -> bool {
    let ending = file.rsplit_once('.').map(|(_, ending)| ending.to_lowercase());
    matches!(ending.as_deref(), Some("yaml" | "yml" | "xml"))
}

/// One way to call a row that does something of its own.
struct Handler {
    names: Vec<String>,
    does: MenuTarget,
}

/// The handlers of an entry of `triggers`: either it is one itself, or each of its members is one by
/// the member's name.
fn handlers(entry: &Map<String, Value>) -> Vec<Handler> {
    let nested = entry.iter().filter_map(|(name, value)| Some((name, value.as_object()?)));
    let mut all: Vec<Handler> = nested
        .map(|(name, does)| {
            let mut handler = handler(does);
            handler.names.push(folded(name));
            handler
        })
        .collect();
    let own = handler(entry);
    if !own.names.is_empty() {
        all.push(own);
    }
    all
}

fn handler(written: &Map<String, Value>) -> Handler {
    let text = |key: &str| written.get(key)?.as_str().map(str::to_owned);
    let names = ["trigger", "cmd", "alias", "name"].into_iter().filter_map(text);
    Handler {
        names: names.map(|name| folded(&name)).filter(|name| !name.is_empty()).collect(),
        does: MenuTarget {
            workflow: text("workflow"),
            exec: text("exec").or_else(|| text("route")),
            action: text("action"),
            data: text("data"),
            validate_workflow: text("validate-workflow"),
        },
    }
}

/// Every name of a row.
fn names(item: &MenuItem) -> Vec<String> {
    let own = item.trigger.iter().chain(&item.cmd).map(|name| folded(name));
    let of_handlers = item.triggers.iter().flat_map(handlers).flat_map(|handler| handler.names);
    own.chain(of_handlers).filter(|name| !name.is_empty()).collect()
}

/// Whether a text holds words, from the beginning of one of its own words on: `hi` is none of
/// `achieve`.
fn begins(text: &str, called: &str) -> bool {
    text.match_indices(called).any(|(at, _)| {
        text[..at].chars().next_back().is_none_or(|before| !before.is_alphanumeric())
    })
}

/// As names are compared: without a star before them, whatever their case.
fn folded(text: &str) -> String {
    text.trim().trim_start_matches('*').trim().to_lowercase()
}

#[cfg(test)]
mod tests;
