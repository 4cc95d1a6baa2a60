//! Agents: skills whose `customize.toml` says who somebody is, and what is on their menu.

use kernel::ids::AgentId;
use kernel::package::{Finding, Severity, USE_SKILL};
use kernel::phrase::from_skills as said;
use kernel::skill::SkillName;
use serde::Serialize;
use toml::{Table, Value};

use crate::config::USER;
use crate::project::CUSTOMIZE;
use crate::source::SkillFolder;
use crate::text::Placeholders;
use crate::workflow::FORMAT;

/// Keys of an agent that are carried over.
const KNOWN: [&str; 11] = [
    "name",
    "title",
    "icon",
    "role",
    "identity",
    "communication_style",
    "principles",
    "persistent_facts",
    "activation_steps_prepend",
    "activation_steps_append",
    "menu",
];

/// `agents.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AgentsFile {
    schema_version: &'static str,
    agents: Vec<AgentEntry>,
}

/// An agent as it is written.
#[derive(Serialize)]
pub(crate) struct AgentEntry {
    pub(crate) id: AgentId,
    metadata: Metadata,
    persona: Persona,
    critical_actions: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    prompts: Vec<Prompt>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    menu: Vec<MenuRow>,
    /// The workflows that its menu leads to.
    #[serde(skip)]
    pub(crate) workflows: Vec<SkillName>,
}

#[derive(Serialize)]
struct Metadata {
    name: String,
    title: String,
    icon: String,
}

#[derive(Serialize)]
struct Persona {
    role: String,
    identity: String,
    communication_style: String,
    principles: Vec<String>,
}

#[derive(Serialize)]
struct Prompt {
    id: String,
    content: String,
}

#[derive(Serialize)]
struct MenuRow {
    trigger: String,
    description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    workflow: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<String>,
}

/// What a skill that a menu names is in the package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MenuLead {
    Workflow,
    Skill,
    Agent,
    Unknown,
}

/// An agent that is made of a skill.
pub(crate) struct AgentMaker<'a> {
    pub(crate) skill: &'a SkillFolder<'a>,
    pub(crate) agent: &'a Table,
    pub(crate) texts: &'a Placeholders<'a>,
}

impl AgentsFile {
    pub(crate) fn new(agents: Vec<AgentEntry>) -> Self {
        Self { schema_version: FORMAT, agents }
    }
}

/// The `[agent]` of a customisation.
pub(crate) fn agent_of(customized: &Table) -> Option<&Table> {
    customized.get("agent")?.as_table()
}

/// Whether a row can be called so: numbers and commands mean something else.
fn can_be_typed(code: &str) -> bool {
    let is_number = code.bytes().all(|byte| byte.is_ascii_digit());
    !is_number && !code.starts_with(['/', '*']) && !kernel::visible::hides(code)
}

/// Who speaks where a package has nobody else.
pub(crate) fn plain_agent() -> Option<AgentEntry> {
    Some(AgentEntry {
        id: AgentId::new("assistant").ok()?,
        metadata: Metadata {
            name: "Assistant".to_owned(),
            title: "Assistant".to_owned(),
            icon: "🧰".to_owned(),
        },
        persona: Persona {
            role: "Works by the skills of this package.".to_owned(),
            identity: "An assistant who uses the skill that fits.".to_owned(),
            communication_style: "Plain and brief.".to_owned(),
            principles: vec!["Follow the skill that fits, as it is written.".to_owned()],
        },
        critical_actions: Vec::new(),
        prompts: Vec::new(),
        menu: Vec::new(),
        workflows: Vec::new(),
    })
}

impl AgentMaker<'_> {
    /// The agent, and what of it is not carried over.
    pub(crate) fn made(
        &self,
        named: impl Fn(&SkillName) -> MenuLead,
        findings: &mut Vec<Finding>,
    ) -> Option<AgentEntry> {
        let id = AgentId::new(self.skill.name.as_str()).ok()?;
        let name = self.text("name").unwrap_or_else(|| self.skill.name.to_string());
        let identity: Vec<String> =
            [self.overview(), self.text("identity")].into_iter().flatten().collect();
        let or_description =
            |text: Option<String>| text.unwrap_or_else(|| self.skill.document.description.clone());
        let principles = self.texts("principles");
        let persona = Persona {
            role: or_description(self.text("role")),
            identity: or_description((!identity.is_empty()).then(|| identity.join(" "))),
            communication_style: self
                .text("communication_style")
                .unwrap_or_else(|| "Plain.".to_owned()),
            principles: if principles.is_empty() {
                vec!["Be of use.".to_owned()]
            } else {
                principles
            },
        };
        let icon = self.text("icon").unwrap_or_else(|| "🧩".to_owned());
        let critical_actions = self.actions(&name, &icon);
        let metadata =
            Metadata { title: self.text("title").unwrap_or_else(|| name.clone()), name, icon };
        let mut entry = AgentEntry {
            id,
            metadata,
            persona,
            critical_actions,
            prompts: Vec::new(),
            menu: Vec::new(),
            workflows: Vec::new(),
        };
        self.add_menu(&mut entry, named, findings);
        self.warn_of_unknown_keys(findings);
        Some(entry)
    }

    fn text(&self, key: &str) -> Option<String> {
        let text = self.agent.get(key)?.as_str()?.trim();
        (!text.is_empty()).then(|| self.texts.filled(text))
    }

    fn texts(&self, key: &str) -> Vec<String> {
        let items = self.agent.get(key).and_then(Value::as_array).into_iter().flatten();
        let texts = items.filter_map(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
        texts.map(|text| self.texts.filled(text)).collect()
    }

    /// The paragraph that says who it is.
    fn overview(&self) -> Option<String> {
        let (_, after) = self.skill.document.text.split_once("## Overview")?;
        let paragraph = after.trim_start().split("\n\n").next()?.trim();
        (!paragraph.is_empty() && !paragraph.starts_with('#')).then(|| self.texts.filled(paragraph))
    }

    /// What its activation says to do, as rules of the persona.
    fn actions(&self, name: &str, icon: &str) -> Vec<String> {
        let value = |key: &str| self.texts.config.get(key);
        let mut actions = self.texts("activation_steps_prepend");
        let user = value("user_name")
            .filter(|user| *user != USER)
            .map(|user| format!(", whose name is {user},"))
            .unwrap_or_default();
        actions.push(format!(
            "Greet the user{user} once, as {name}, and begin your messages with {icon}."
        ));
        if let Some(language) = value("communication_language") {
            actions.push(format!("Speak {language}."));
        }
        if let Some(language) = value("document_output_language") {
            actions.push(format!("Write documents in {language}."));
        }
        for (key, what) in
            [("planning_artifacts", "planning"), ("implementation_artifacts", "implementation")]
        {
            if let Some(folder) = value(key) {
                actions.push(format!("Documents of {what} are kept in {folder}."));
            }
        }
        actions.extend(self.texts("persistent_facts").into_iter().map(|fact| {
            match fact.strip_prefix("file:") {
                Some(files) => {
                    format!("Read {} and keep in mind what is said there.", files.trim())
                }
                None => format!("Keep in mind: {fact}"),
            }
        }));
        actions.extend(self.texts("activation_steps_append"));
        actions
    }

    fn add_menu(
        &self,
        entry: &mut AgentEntry,
        named: impl Fn(&SkillName) -> MenuLead,
        findings: &mut Vec<Finding>,
    ) {
        let rows = self.agent.get("menu").and_then(Value::as_array).into_iter().flatten();
        for (at, row) in rows.filter_map(Value::as_table).enumerate() {
            let text = |key: &str| {
                row.get(key).and_then(Value::as_str).map(str::trim).filter(|t| !t.is_empty())
            };
            let code = text("code").filter(|code| can_be_typed(code));
            let Some(code) = code else {
                self.note(findings, "menu", said::menu_no_code(at + 1));
                continue;
            };
            let description = text("description").unwrap_or(code).to_owned();
            let mut made =
                MenuRow { trigger: code.to_owned(), description, workflow: None, action: None };
            match (text("skill"), text("prompt")) {
                (Some(skill), None) => match SkillName::new(skill).map(|name| (named(&name), name))
                {
                    Ok((MenuLead::Workflow, name)) => {
                        made.workflow = Some(name.to_string());
                        entry.workflows.push(name);
                    }
                    Ok((MenuLead::Skill, name)) => {
                        made.action = Some(format!("{USE_SKILL}{name}"));
                    }
                    Ok((MenuLead::Agent, _)) => {
                        self.note(findings, "menu", said::menu_agent(code, skill));
                        continue;
                    }
                    Ok((MenuLead::Unknown, _)) | Err(_) => {
                        self.note(findings, "menu", said::menu_unknown(code, skill));
                        continue;
                    }
                },
                (None, Some(prompt)) => {
                    let id = format!("menu-{}", at + 1);
                    made.action = Some(format!("#{id}"));
                    entry.prompts.push(Prompt { id, content: self.texts.filled(prompt) });
                }
                (None, None) | (Some(_), Some(_)) => {
                    self.note(findings, "menu", said::menu_unclear(code));
                    continue;
                }
            }
            entry.menu.push(made);
        }
    }

    fn warn_of_unknown_keys(&self, findings: &mut Vec<Finding>) {
        let unknown: Vec<String> = self
            .agent
            .keys()
            .filter(|key| !KNOWN.contains(&key.as_str()))
            .map(|key| format!("`{key}`"))
            .collect();
        if !unknown.is_empty() {
            self.note(findings, "agent", said::agent_keys(unknown.join(", ")));
        }
    }

    fn note(&self, findings: &mut Vec<Finding>, kind: &str, says: kernel::phrase::Phrase) {
        let place = self.skill.place(CUSTOMIZE);
        findings.push(Finding::new(Severity::Warning, &place, kind, says));
    }
}
