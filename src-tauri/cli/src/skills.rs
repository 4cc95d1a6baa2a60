//! `skills …`: Agent Skills.

use host::host::Host;
use kernel::code::{ErrorCode, Failure};
use kernel::command::{Command, PackagePlace, Query, SessionCommand};
use kernel::ids::{ConversationId, PackageId, ProjectId};
use kernel::phrase::{skill_words as said, terminal};
use kernel::skill::SkillName;
use kernel::visible::visible_line;
use kernel::wire::{Answer, SkillList, SkillView};
use std::sync::Arc;

use crate::args::{Global, SkillsCommand};
use crate::choose::choose;
use crate::exit::Exit;
use crate::names;
use crate::output::Output;
use crate::print::{StyledText, rows};

/// `crewagent skills …`
pub(crate) async fn skills(
    host: &Arc<Host>,
    global: &Global,
    command: &SkillsCommand,
    out: &Output,
) -> Result<Exit, Failure> {
    let (conversation, command) = match command {
        SkillsCommand::List { package } => {
            let list = list(host, global, package.as_deref()).await?;
            out.result(&list, || listed(&list, out));
            return Ok(Exit::Done);
        }
        SkillsCommand::Use { conversation, name } => {
            (conversation, SessionCommand::ActivateSkill { name: named(name)? })
        }
        SkillsCommand::End { conversation, name } => {
            (conversation, SessionCommand::EndSkill { name: named(name)? })
        }
    };
    let id = names::run_or_conversation(host, conversation).await?;
    host.submit(command.to(id)).await?;
    Ok(Exit::Done)
}

/// Lets skills be at work in a conversation.
pub(crate) async fn activate(
    host: &Host,
    conversation: &ConversationId,
    names: &[String],
) -> Result<(), Failure> {
    for name in names {
        let command = SessionCommand::ActivateSkill { name: named(name)? };
        host.submit(command.to(conversation.clone())).await?;
    }
    Ok(())
}

/// A name that no skill can have is that of none.
fn named(name: &str) -> Result<SkillName, Failure> {
    SkillName::new(name.trim()).map_err(|why| {
        Failure::new(ErrorCode::SkillNotFound, kernel::phrase::skills::no_skill_named(name))
            .with_action(why)
    })
}

async fn list(
    host: &Arc<Host>,
    global: &Global,
    package: Option<&str>,
) -> Result<SkillList, Failure> {
    // To look at skills makes no project.
    let is_project = global.project.join(".crewagent.json").exists();
    let project_id =
        if is_project { Some(names::project(host, &global.project).await?) } else { None };
    let package_id = match package {
        Some(package) => match choose(host, package).await? {
            PackagePlace::Store { package_id } => Some(package_id),
            PackagePlace::Path { path } => {
                let list = asked(host, project_id, None).await?;
                return with_package(host, list, path).await;
            }
            PackagePlace::Program { name } => {
                let receipt = host.submit(Command::InstallBundled { name }).await?;
                receipt.package_id
            }
        },
        None => None,
    };
    asked(host, project_id, package_id).await
}

async fn asked(
    host: &Host,
    project_id: Option<ProjectId>,
    package_id: Option<PackageId>,
) -> Result<SkillList, Failure> {
    match host.query(Query::Skills { project_id, package_id }).await? {
        Answer::Skills(list) => Ok(list),
        _ => Err(Failure::new(ErrorCode::Internal, terminal::another_answer())),
    }
}

/// The same with the skills of a package that is not installed: they hide others of their names.
async fn with_package(
    host: &Arc<Host>,
    mut list: SkillList,
    path: String,
) -> Result<SkillList, Failure> {
    let report = crate::reads::inspected(host, &path).await?;
    let view = |skill: kernel::skill::OfferedSkill| SkillView {
        place: skill.place.alias_of(&skill.name),
        skill,
        warning: None,
    };
    let own: Vec<SkillView> = report.skills.into_iter().map(view).collect();
    let hides =
        |it: &SkillView, name: &SkillName| it.skill.only_for.is_empty() && it.skill.name == *name;
    list.skills.retain(|other| !own.iter().any(|it| hides(it, &other.skill.name)));
    list.skills.extend(own);
    list.skills.sort_by(|one, other| one.skill.name.cmp(&other.skill.name));
    Ok(list)
}

fn listed(list: &SkillList, out: &Output) -> StyledText {
    let off = (!list.enabled).then(|| out.say(said::skills_off()));
    let none = list.skills.is_empty() && list.unusable.is_empty();
    let empty = none.then(|| out.say(said::no_skills()));
    let skills = list.skills.iter().flat_map(|skill| of_skill(skill, out));
    let unusable = list.unusable.iter().flat_map(|it| {
        let (why, what) = (out.say(it.problem.said.clone()), out.say(it.problem.advice.clone()));
        [format!("✗ {}", visible_line(&it.place)), format!("    {why}"), format!("    {what}")]
    });
    rows(off.into_iter().chain(empty).chain(skills).chain(unusable))
}

fn of_skill(view: &SkillView, out: &Output) -> Vec<String> {
    let skill = &view.skill;
    let mut lines = vec![
        format!("✓ {}  {}", skill.name, visible_line(&view.place)),
        format!("    {}", visible_line(&skill.description)),
    ];
    let mut marks = Vec::new();
    marks.extend(skill.by_person_only.then(said::by_you_only));
    let agents = skill.agents();
    marks.extend(agents.map(said::for_agents_only));
    marks.extend(skill.has_scripts.then(said::scripts_not_run));
    marks.extend(view.warning.iter().map(|warning| warning.said.clone()));
    lines.extend(marks.into_iter().map(|mark| format!("    {}", out.say(mark))));
    lines
}
