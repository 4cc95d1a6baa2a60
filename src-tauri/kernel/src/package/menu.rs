//! The menu of an agent: its rows in `agents.json`, and what of them a person is shown.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What an action begins with that puts a skill to work, before the skill's name.
pub const USE_SKILL: &str = "skill.use:";

/// One row of an agent's menu. The schema leaves it open: unknown keys are kept out of the way.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MenuItem {
    /// For people.
    pub description: String,
    /// What to type.
    #[serde(default)]
    pub trigger: Option<String>,
    /// What to type, in older packages.
    #[serde(default)]
    pub cmd: Option<String>,
    /// Other ways to call it, each with what it does instead.
    #[serde(default)]
    pub triggers: Vec<Map<String, Value>>,
    /// What it does.
    #[serde(flatten)]
    pub does: MenuTarget,
    /// For a web page alone: hidden here.
    #[serde(default, rename = "web-only")]
    pub web_only: bool,
}

/// What a row of a menu does, as it is written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MenuTarget {
    /// A workflow to start: its id or its file.
    #[serde(default)]
    pub workflow: Option<String>,
    /// A Markdown file to follow.
    #[serde(default)]
    pub exec: Option<String>,
    /// An action: `#prompt-id`, one of the program's own, or words.
    #[serde(default)]
    pub action: Option<String>,
    /// A file that goes along.
    #[serde(default)]
    pub data: Option<String>,
    /// A workflow that checks a document.
    #[serde(default, rename = "validate-workflow")]
    pub validate_workflow: Option<String>,
}

/// A row of a menu as a person sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct MenuLine {
    /// Its number, from 1.
    pub number: u32,
    /// What to type; absent where only the description says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub trigger: Option<String>,
    /// What it does, in words.
    pub description: String,
}

/// The rows that are shown, numbered from 1: what is for a web page alone is hidden.
pub fn visible(menu: &[MenuItem]) -> impl Iterator<Item = (u32, &MenuItem)> {
    (1..).zip(menu.iter().filter(|item| !item.web_only))
}

impl MenuLine {
    /// A row and its number.
    pub fn of((number, item): (u32, &MenuItem)) -> Self {
        let typed = item.trigger.as_ref().or(item.cmd.as_ref());
        let trigger = typed.map(|text| text.trim().trim_start_matches('*').to_owned());
        Self {
            number,
            trigger: trigger.filter(|text| !text.is_empty()),
            description: item.description.clone(),
        }
    }
}
