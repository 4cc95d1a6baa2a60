//! The values that BMAD asks for when it is installed, such as the language to speak: what a module
//! proposes, and what the project says.

use kernel::frontmatter;
use kernel::package::{Finding, Severity};
use kernel::phrase::from_skills as said;
use kernel::text::is_blank;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

use crate::merge::merged;
use crate::project::{ProjectFiles, table};
use crate::source::Source;

/// The layers of the configuration of all modules, the weakest first.
const LAYERS: [&str; 4] =
    ["config.toml", "config.user.toml", "custom/config.toml", "custom/config.user.toml"];

/// What BMAD asks for, also where the modules that ask are not at hand.
const ASKED: [&str; 9] = [
    "user_name",
    "project_name",
    "communication_language",
    "document_output_language",
    "output_folder",
    "user_skill_level",
    "planning_artifacts",
    "implementation_artifacts",
    "project_knowledge",
];

/// What stands in place of what a module proposes, until a project says it: BMAD's installer asks the
/// person, and nobody has asked them here.
const UNTIL_SAID: [(&str, &str); 3] = [
    ("user_name", USER),
    ("communication_language", "the user's language"),
    ("document_output_language", "the user's language"),
];

/// What the person is called until they say it.
pub(crate) const USER: &str = "the user";

/// Characters of a value; a longer one is none.
const VALUE_CHARS: usize = 500;

/// The value of each name, without the braces that stand around it in texts.
#[derive(Debug, Default)]
pub(crate) struct Config(BTreeMap<String, String>);

impl Config {
    /// The values that hold for the skills of `source` in this project.
    pub(crate) fn of(source: &Source, project: &ProjectFiles, findings: &mut Vec<Finding>) -> Self {
        let mut values = proposed(source, findings);
        // Other names of the project's files mean other things in texts: agents have a `name`.
        let asked: BTreeSet<String> =
            values.keys().cloned().chain(ASKED.map(str::to_owned)).collect();
        values.extend(UNTIL_SAID.map(|(name, value)| (name.to_owned(), value.to_owned())));
        for (file, text) in &project.files {
            if file.split_once('/').is_some_and(|(_, name)| name == "config.yaml") {
                let read = yaml(text, &format!("_bmad/{file}"), findings);
                let texts =
                    read.into_iter().filter_map(|(key, value)| Some((key, text_of(&value)?)));
                let texts: BTreeMap<String, String> = texts.collect();
                note_values(&format!("_bmad/{file}"), &texts, &asked, findings);
                values.extend(texts);
            }
        }
        let mut layers = Vec::new();
        for file in LAYERS {
            let Some(text) = project.files.get(file) else { continue };
            let place = format!("_bmad/{file}");
            let Some(layer) = table(text, &place, findings) else { continue };
            let mut texts = BTreeMap::new();
            add_all(&mut texts, &layer);
            note_values(&place, &texts, &asked, findings);
            layers.push(layer);
        }
        add_all(&mut values, &merged(layers));
        let fits = |value: &String| value.chars().count() <= VALUE_CHARS && !value.contains('\n');
        values.retain(|name, value| asked.contains(name) && fits(value) && !is_blank(value));
        for value in values.values_mut() {
            *value = value.replace("{project-root}", "@project");
        }
        values.retain(|name, value| {
            let is_real = is_real_path(value);
            if is_real {
                let says = said::real_path_left_out(name.as_str());
                findings.push(Finding::new(Severity::Warning, "_bmad", "configuration", says));
            }
            !is_real
        });
        Self(values)
    }

    /// A value.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// All of them.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// Tells which values of a file stand in the package: it may be given to others.
fn note_values(
    place: &str,
    values: &BTreeMap<String, String>,
    asked: &BTreeSet<String>,
    findings: &mut Vec<Finding>,
) {
    let names: Vec<String> = values
        .keys()
        .filter(|name| asked.contains(*name))
        .map(|name| format!("`{name}`"))
        .collect();
    if !names.is_empty() {
        let says = said::values_in_package(names.join(", "));
        findings.push(Finding::new(Severity::Info, place, "configuration", says));
    }
}

/// Whether a value is a place on somebody's computer.
fn is_real_path(value: &str) -> bool {
    let drive = value.as_bytes().get(1..3).is_some_and(|rest| rest == b":\\" || rest == b":/");
    value.starts_with(['/', '~', '\\']) || drive
}

/// What the modules propose: of each name its `default`, put into its `result`. What follows from the
/// folder of a project is none: a package is used in several.
fn proposed(source: &Source, findings: &mut Vec<Finding>) -> BTreeMap<String, String> {
    let mut asked = BTreeMap::new();
    for module in source.modules() {
        let place = format!("{module}module.yaml");
        let Some(text) = source.text(&place) else { continue };
        for (name, value) in yaml(text, &place, findings) {
            let Value::Object(question) = value else { continue };
            let default = question.get("default").and_then(text_of);
            if let Some(default) = default.filter(|text| !text.contains("{directory_name}")) {
                let result = question.get("result").and_then(text_of);
                asked.insert(name, (default, result.unwrap_or_else(|| "{value}".to_owned())));
            }
        }
    }
    let raw: BTreeMap<&str, &str> =
        asked.iter().map(|(name, (default, _))| (name.as_str(), default.as_str())).collect();
    let filled = |(default, result): &(String, String)| {
        let mut value = default.clone();
        for (name, default) in &raw {
            value = value.replace(&format!("{{{name}}}"), default);
        }
        result.replace("{value}", &value)
    };
    asked.iter().map(|(name, it)| (name.clone(), filled(it))).collect()
}

/// Adds every text of a table and of the tables in it, by its own name.
fn add_all(values: &mut BTreeMap<String, String>, from: &toml::Table) {
    for (name, value) in from {
        match value {
            toml::Value::Table(inner) => add_all(values, inner),
            toml::Value::String(text) => {
                values.insert(name.clone(), text.clone());
            }
            toml::Value::Integer(_) | toml::Value::Boolean(_) | toml::Value::Float(_) => {
                values.insert(name.clone(), value.to_string());
            }
            toml::Value::Datetime(_) | toml::Value::Array(_) => {}
        }
    }
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The map of a YAML file, or a finding. It is read as front matter is, within the same bounds.
fn yaml(text: &str, place: &str, findings: &mut Vec<Finding>) -> Map<String, Value> {
    let wrapped = format!("---\n{text}\n---\n");
    frontmatter::read(&wrapped).unwrap_or_else(|why| {
        let says = said::yaml_broken(why.says);
        let found = Finding::new(Severity::Warning, place, "yaml", says);
        findings.push(found.with_hint(said::correct_and_repeat()));
        Map::new()
    })
}
