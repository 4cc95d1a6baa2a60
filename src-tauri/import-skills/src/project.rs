//! What a project says of BMAD's skills: its configuration, and how its team and its person want
//! the skills to be.

use kernel::package::{Finding, Severity};
use kernel::phrase::{Why, from_skills as said};
use kernel::skill::SkillName;
use std::collections::BTreeMap;
use toml::Table;

use crate::merge::merged;
use crate::source::SkillFolder;

/// The file in which a skill says what can be customised.
pub(crate) const CUSTOMIZE: &str = "customize.toml";

/// The text files of a project that say it, by their path below its folder `_bmad`.
#[derive(Debug, Clone, Default)]
pub struct ProjectFiles {
    /// `config.toml`, `custom/bmad-build.toml`, `bmm/config.yaml` …
    pub files: BTreeMap<String, String>,
}

impl ProjectFiles {
    /// What of a skill is customised: as it comes, as the team wants it, as the person wants it. A
    /// file that cannot be read is a finding, and as if it were not there.
    pub(crate) fn customized(&self, skill: &SkillFolder<'_>, findings: &mut Vec<Finding>) -> Table {
        let own = skill.text(CUSTOMIZE).map(|text| (skill.place(CUSTOMIZE), text));
        let of_project = overrides(&skill.name).into_iter().filter_map(|file| {
            let text = self.files.get(&file)?;
            Some((format!("_bmad/{file}"), text.as_str()))
        });
        let read = own
            .into_iter()
            .chain(of_project)
            .filter_map(|(place, text)| table(text, &place, findings));
        let layers: Vec<Table> = read.collect();
        merged(layers)
    }

    /// The files of the project that customise this skill.
    pub(crate) fn overriding(&self, skill: &SkillName) -> impl Iterator<Item = String> {
        let there = overrides(skill).into_iter().filter(|file| self.files.contains_key(file));
        there.map(|file| format!("_bmad/{file}"))
    }
}

fn overrides(skill: &SkillName) -> [String; 2] {
    [format!("custom/{skill}.toml"), format!("custom/{skill}.user.toml")]
}

/// A file of TOML, or a finding.
pub(crate) fn table(text: &str, place: &str, findings: &mut Vec<Finding>) -> Option<Table> {
    let read = text.parse::<Table>();
    let why = match read {
        Ok(table) => return Some(table),
        Err(why) => why,
    };
    let says = said::toml_broken(Why::quoted(why.message()));
    let found = Finding::new(Severity::Warning, place, "toml", says);
    findings.push(found.with_hint(said::correct_and_repeat()));
    None
}
