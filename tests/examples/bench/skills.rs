//! How long it takes to find 200 skills, as a window asks for their list.

use std::path::Path;
use std::time::Instant;

use anyhow::Context as _;
use host::host::{Host, HostOptions};
use kernel::command::{Command, Query};
use kernel::wire::Answer;
use serde_json::{Value, json};

use crate::stats::{median_us, round};

/// Skills that there are.
const SKILLS: usize = 200;
/// How often they are looked for.
const TIMES: usize = 30;

/// The list of all of them, again and again.
pub(crate) fn measure(folder: &Path) -> anyhow::Result<Value> {
    let skills = folder.join("project/.agents/skills");
    for n in 0..SKILLS {
        let skill = skills.join(format!("skill-{n}"));
        std::fs::create_dir_all(skill.join("references"))?;
        let text = "---\ndescription: Does one kind of work, and says when it is of use.\n---\n";
        std::fs::write(skill.join("SKILL.md"), format!("{text}{}", "Do it well.\n".repeat(200)))?;
        std::fs::write(skill.join("references/more.md"), "More.\n")?;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let times = runtime.block_on(found(folder))?;
    Ok(json!({ "foundMs": round(median_us(&times) / 1000.0) }))
}

async fn found(folder: &Path) -> anyhow::Result<Vec<std::time::Duration>> {
    let host = Host::open(HostOptions::new(folder.join("store"), "cli")).await?;
    let path = folder.join("project").to_string_lossy().into_owned();
    let opened = host.submit(Command::OpenProject { path, create: true }).await?;
    let project_id = opened.project_id.context("no project")?;
    let mut times = Vec::new();
    for _ in 0..TIMES {
        let query = Query::Skills { project_id: Some(project_id.clone()), package_id: None };
        let began = Instant::now();
        let Answer::Skills(list) = host.query(query).await? else {
            anyhow::bail!("another answer");
        };
        times.push(began.elapsed());
        anyhow::ensure!(list.skills.len() == SKILLS, "not all were found");
    }
    host.close().await;
    Ok(times)
}
