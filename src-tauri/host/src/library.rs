//! What runs are made of: the installed packages, the known projects, and what the settings say of
//! the model and of a turn. It knows no conversation that runs.

mod doctor;
pub(crate) mod installed;
pub(crate) mod preferences;
pub(crate) mod projects;
mod readings;
mod skills;

use kernel::code::Failure;
use kernel::command::PackagePlace;
use kernel::ids::{AgentId, PackageId, WorkflowId};
use kernel::package::PackageReport;
use kernel::settings::{ApprovalSettings, ConfirmationSettings};
use kernel::tool::specs;
use kernel::trace::Trace;
use kernel::wire::{GraphView, PolicyRow, PolicyTable, RunChoice};
use std::path::PathBuf;
use std::sync::Arc;

use crate::clock::{Clock, Ids};
use crate::mcp::Servers;
use crate::runs;
use crate::settings::SettingsStore;
use crate::store::RuntimeStore;
use installed::InstalledPackages;
use preferences::{Choices, Preferences};
use projects::KnownProjects;

/// The packages, the projects and the preferences of one store.
pub(crate) struct Library {
    store: RuntimeStore,
    pub(crate) packages: InstalledPackages,
    pub(crate) projects: KnownProjects,
    pub(crate) preferences: Preferences,
    pub(crate) servers: Arc<Servers>,
    /// The person's home folder.
    home: Option<PathBuf>,
}

impl Library {
    pub(crate) fn new(
        store: &RuntimeStore,
        settings: SettingsStore,
        choices: Choices,
        servers: Servers,
        clock: &Arc<dyn Clock>,
        ids: &Arc<dyn Ids>,
    ) -> Self {
        Self {
            store: store.clone(),
            packages: InstalledPackages::new(store.clone(), Arc::clone(clock)),
            projects: KnownProjects::new(store.clone(), Arc::clone(clock), Arc::clone(ids)),
            preferences: Preferences::new(settings, choices),
            servers: Arc::new(servers),
            home: None,
        }
    }

    /// The same with the home folder of a person.
    pub(crate) fn of_person(self, home: Option<PathBuf>) -> Self {
        Self { home, ..self }
    }

    /// What a package file or folder holds, told under the approvals that hold now. Writes nothing.
    pub(crate) async fn inspect_package(&self, path: String) -> Result<PackageReport, Failure> {
        Ok(self.packages.inspect(path).await?.told(self.preferences.limits(false).approve_writes))
    }

    /// The same of an installed package.
    pub(crate) async fn package_report(&self, id: PackageId) -> Result<PackageReport, Failure> {
        Ok(self.packages.report(id).await?.told(self.preferences.limits(false).approve_writes))
    }

    /// The graph of a workflow of an installed package.
    pub(crate) async fn graph(
        &self,
        package: &PackageId,
        workflow: &WorkflowId,
    ) -> Result<GraphView, Failure> {
        let package = self.packages.load(package).await?;
        let workflow = runs::workflow(&package, Some(workflow))?;
        Ok(GraphView::from(&workflow.graph))
    }

    /// The trace that plays a workflow.
    pub(crate) async fn trace(
        &self,
        package: &PackageId,
        workflow: &WorkflowId,
    ) -> Result<Trace, Failure> {
        match self.preferences.trace() {
            Some(trace) => Ok(Trace::clone(trace)),
            None => self.packages.demo_trace(package, workflow).await,
        }
    }

    /// Which workflow and agent a run would have. Nothing is installed.
    pub(crate) async fn run_choice(
        &self,
        place: PackagePlace,
        workflow: Option<WorkflowId>,
        agent: Option<AgentId>,
    ) -> Result<RunChoice, Failure> {
        let package = self.packages.look_at(place).await?;
        let (chosen, agent) = runs::resolve(&package, workflow.as_ref(), agent.as_ref())?;
        let (workflow_id, agent_id) = (chosen.id.clone(), agent.id.clone());
        Ok(RunChoice { workflow_id, agent_id, content_hash: package.content_hash.clone() })
    }

    /// What the system allows, and what of it is left for each agent: the very merge that prompts,
    /// tool lists and enforcement use.
    pub(crate) async fn policy(&self) -> Result<PolicyTable, Failure> {
        let limits = self.preferences.limits(false);
        let mut agents = Vec::new();
        for row in self.packages.list().await? {
            let package = self.packages.load(&row.package_id).await?;
            for agent in &package.agents {
                let policy = limits.policy(Some(agent.limits()));
                agents.push(PolicyRow {
                    package_id: row.package_id.clone(),
                    agent_id: agent.id.clone(),
                    tools: specs(&policy).iter().map(|spec| spec.name.clone()).collect(),
                    policy,
                });
            }
        }
        Ok(PolicyTable {
            system: limits.tools,
            approval: ApprovalSettings { writes: limits.approve_writes },
            confirmation: ConfirmationSettings { unbound: limits.unbound },
            agents,
        })
    }
}
