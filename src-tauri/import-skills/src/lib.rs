//! What a folder of BMAD skills means as a package of this runtime (spec 03 "Packages from skills").
//!
//! Pure, like the kernel (law A): the host reads the files and writes the package. An agent becomes an
//! agent with its menu, a skill with step files a workflow whose order the runtime keeps, and every
//! other skill a skill of the package. What cannot be carried over is a finding.

mod agents;
mod commands;
mod config;
mod links;
mod manifest;
mod merge;
mod project;
mod source;
mod steps;
mod text;
mod waits;
mod workflow;

#[cfg(test)]
mod tests;

pub use project::ProjectFiles;
pub use source::Source;

use kernel::code::{ErrorCode, Failure};
use kernel::package::{Finding, Severity};
use kernel::phrase::from_skills as said;
use kernel::skill::{SKILL_FILE, SkillName};
use std::collections::BTreeMap;
use toml::Table;

use agents::{AgentEntry, AgentMaker, AgentsFile, MenuLead, agent_of, plain_agent};
use config::Config;
use manifest::{MANIFEST_FILE, ManifestWorkflow, manifest};
use source::{SkillFolder, is_markdown};
use steps::Flow;
use text::Placeholders;
use waits::Wait;
use workflow::{WorkflowWriter, is_template, written};

/// The list of all skills that one of them reads; BMAD's installer puts it together.
const HELP: (&str, &str, &str) = (
    "{project-root}/_bmad/_config/bmad-help.csv",
    "@pkg/assets/bmad-help.csv",
    "assets/bmad-help.csv",
);

/// A package that was made of skills.
#[derive(Debug)]
pub struct Converted {
    /// Its files, by path.
    pub files: BTreeMap<String, Vec<u8>>,
    /// What was not carried over, or is otherwise here; the files are those of the source.
    pub findings: Vec<Finding>,
}

/// Makes a package of the skills in a folder or an archive, for one project.
///
/// # Errors
/// `PACKAGE_INVALID` where there is no skill that can be used.
pub fn convert(source: Source, project: &ProjectFiles) -> Result<Converted, Failure> {
    let source = source.without_wrapping();
    let mut findings = Vec::new();
    let folders = source.skills(&mut findings);
    if folders.is_empty() {
        let failure = Failure::new(ErrorCode::PackageInvalid, said::no_skills_in(&source.name));
        return Err(failure.with_action(said::choose_skills_folder()));
    }
    let config = Config::of(&source, project, &mut findings);
    let skills: Vec<Skill<'_>> =
        folders.values().map(|folder| Skill::of(folder, project, &mut findings)).collect();
    let conversion = Conversion { source: &source, config: &config, skills: &skills };
    let files = conversion.files(project, &mut findings);
    Ok(Converted { files, findings })
}

/// A skill, and what it becomes.
struct Skill<'s> {
    folder: &'s SkillFolder<'s>,
    customized: Table,
    is_template: bool,
    becomes: Becomes,
}

enum Becomes {
    Agent,
    Workflow(Flow),
    Skill,
}

impl<'s> Skill<'s> {
    fn of(
        folder: &'s SkillFolder<'s>,
        project: &ProjectFiles,
        findings: &mut Vec<Finding>,
    ) -> Self {
        let customized = project.customized(folder, findings);
        let is_template = is_template(folder);
        let becomes = if agent_of(&customized).is_some() {
            Becomes::Agent
        } else {
            Flow::of(folder, is_template, findings).map_or(Becomes::Skill, Becomes::Workflow)
        };
        Self { folder, customized, is_template, becomes }
    }

    fn name(&self) -> &'s SkillName {
        &self.folder.name
    }
}

struct Conversion<'a> {
    source: &'a Source,
    config: &'a Config,
    skills: &'a [Skill<'a>],
}

impl Conversion<'_> {
    fn files(
        &self,
        project: &ProjectFiles,
        findings: &mut Vec<Finding>,
    ) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        let agents = self.agents(findings);
        for skill in self.skills {
            let texts = self.texts(skill);
            if let Becomes::Workflow(flow) = &skill.becomes {
                let agent = only_one(&agents, skill.name());
                let writer = WorkflowWriter { skill: skill.folder, flow, texts: &texts, agent };
                files.extend(writer.files());
                note_ways(skill, flow, findings);
            }
            add_skill(skill, &texts, &mut files);
            commands::find(skill.folder, findings);
            for place in project.overriding(skill.name()) {
                let is_own = place.ends_with(".user.toml");
                let (severity, says) = if is_own {
                    (Severity::Warning, said::person_customizes(skill.name()))
                } else {
                    (Severity::Info, said::project_customizes(skill.name()))
                };
                findings.push(Finding::new(severity, &place, "customized", says));
            }
        }
        let help = self.help();
        if !help.is_empty() {
            files.insert(HELP.2.to_owned(), help.into_bytes());
        }
        let workflows = self.workflows(&mut files);
        files.insert(MANIFEST_FILE.to_owned(), manifest(self.source, workflows).into_bytes());
        files.insert("agents.json".to_owned(), written(&AgentsFile::new(agents)).into_bytes());
        files
    }

    fn texts<'t>(&'t self, skill: &'t Skill<'_>) -> Placeholders<'t> {
        Placeholders {
            skill: skill.name(),
            config: self.config,
            customized: &skill.customized,
            is_template: skill.is_template,
        }
    }

    fn agents(&self, findings: &mut Vec<Finding>) -> Vec<AgentEntry> {
        let named = |name: &SkillName| {
            let skill = self.skills.iter().find(|skill| skill.name() == name);
            skill.map_or(MenuLead::Unknown, |skill| match skill.becomes {
                Becomes::Agent => MenuLead::Agent,
                Becomes::Workflow(_) => MenuLead::Workflow,
                Becomes::Skill => MenuLead::Skill,
            })
        };
        let mut agents = Vec::new();
        for skill in self.skills {
            let Some(agent) = agent_of(&skill.customized) else { continue };
            let maker = AgentMaker { skill: skill.folder, agent, texts: &self.texts(skill) };
            agents.extend(maker.made(named, findings));
        }
        if agents.is_empty() {
            agents.extend(plain_agent());
        }
        agents
    }

    /// The lists of all modules as one.
    fn help(&self) -> String {
        let mut out = String::new();
        for module in self.source.modules() {
            let Some(text) = self.source.text(&format!("{module}module-help.csv")) else {
                continue;
            };
            let rows = if out.is_empty() {
                text
            } else {
                text.split_once('\n').map_or("", |(_, rows)| rows)
            };
            out.push_str(rows);
            if !out.ends_with('\n') {
                out.push('\n');
            }
        }
        out
    }

    /// The workflows of the package. Without any, one that works by a skill.
    fn workflows(&self, files: &mut BTreeMap<String, Vec<u8>>) -> Vec<ManifestWorkflow> {
        let is_workflow = |skill: &&Skill<'_>| matches!(skill.becomes, Becomes::Workflow(_));
        let entries = self.skills.iter().filter(is_workflow).map(|skill| {
            ManifestWorkflow::of(skill.name().as_str(), &skill.folder.document.description)
        });
        let entries: Vec<ManifestWorkflow> = entries.collect();
        if !entries.is_empty() {
            return entries;
        }
        files.extend(workflow::by_skill());
        vec![ManifestWorkflow::of(workflow::BY_SKILL, workflow::BY_SKILL_DESCRIPTION)]
    }
}

/// The skill itself. One that is an agent or a workflow of the package is listed as well, and
/// says how it is begun: followed as a text, it would go past what the runtime keeps.
fn add_skill(skill: &Skill<'_>, texts: &Placeholders<'_>, files: &mut BTreeMap<String, Vec<u8>>) {
    let name = skill.name();
    let document = |body: &str| format!("{}\n{}", skill.folder.head.trim_end(), body).into_bytes();
    for (path, bytes) in &skill.folder.files {
        let is_step = matches!(&skill.becomes, Becomes::Workflow(flow) if flow.step_of(path).is_some() || flow.entry == *path);
        let bytes = match (&skill.becomes, std::str::from_utf8(bytes)) {
            (becomes, _) if *path == SKILL_FILE => match becomes {
                Becomes::Agent => document(&format!(
                    "\nThis persona is the agent `{name}` of this package. Do not play it: tell the user to talk \
                     with it, by choosing it where agents are chosen.\n"
                )),
                Becomes::Workflow(_) => document(&format!(
                    "\nThis is the workflow `{name}` of this package, whose steps the runtime keeps in their \
                     order. Do not do its steps here: tell the user to begin it as a run.\n"
                )),
                Becomes::Skill => {
                    document(&format!("\n{}", with_help(texts, &skill.folder.document.text)))
                }
            },
            _ if is_step => continue,
            (_, Ok(text)) if is_markdown(path) => with_help(texts, text).into_bytes(),
            _ => bytes.to_vec(),
        };
        files.insert(format!("skills/{name}/{path}"), bytes);
    }
}

/// A text as the model is to read it, with the list of all skills where this package has it.
fn with_help(texts: &Placeholders<'_>, text: &str) -> String {
    texts.filled(&links::without_snapshots(&text.replace(HELP.0, HELP.1)))
}

/// The agent that leads to a workflow, where it is the only one.
fn only_one<'a>(
    agents: &'a [AgentEntry],
    workflow: &SkillName,
) -> Option<&'a kernel::ids::AgentId> {
    let mut leading = agents.iter().filter(|agent| agent.workflows.contains(workflow));
    let first = leading.next()?;
    leading.next().is_none().then_some(&first.id)
}

/// What the runtime keeps of a workflow: an author can look whether the text means it.
fn note_ways(skill: &Skill<'_>, flow: &Flow, findings: &mut Vec<Finding>) {
    let place = skill.folder.place(SKILL_FILE);
    let steps = flow.steps.len();
    let says = said::workflow_of_steps(skill.name(), steps);
    findings.push(Finding::new(Severity::Info, &place, "workflow", says));
    for (at, step) in flow.steps.iter().enumerate() {
        for way in &step.ways {
            // What lies between two steps of which one leads to the other.
            let passes = flow.steps.iter().skip(at + 2).any(|later| later.id == way.to);
            let (kind, says) = match &way.wait {
                Wait::Nothing if passes => ("passes", said::way_passes_steps(&step.id, &way.to)),
                Wait::Nothing => continue,
                Wait::Answer => ("waits", said::way_waits_for_answer(&step.id, &way.to)),
                Wait::Choice(choice) => {
                    ("waits", said::way_waits_for_choice(&step.id, &way.to, choice.shown()))
                }
            };
            let place = skill.folder.place(&step.file);
            findings.push(Finding::new(Severity::Info, &place, kind, says));
        }
    }
}
