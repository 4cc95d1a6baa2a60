//! The small part of the state: what the next decision depends on. Cloned for every decision, so
//! nothing here grows with the conversation; what grows lives in [`Record`](super::Record).

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use super::before_rewind::BeforeRewind;
use super::document;
use super::grants::Approvals;
use super::loops::LoopDetector;
use super::nesting::{Entered, Nesting};
use crate::acceptance::Told;
use crate::changed_files::{CallFileChange, ChangedFiles};
use crate::chat::{ModelUsage, Usage};
use crate::code::{ErrorCode, Failure};
use crate::confirm::Confirm;
use crate::decision::Decision;
use crate::effect::Began;
use crate::event::{
    CandidateHeld, CompactionDue, Phase, PutBackAsked, Reason, RewindAsked, RunEnded, WidgetAsked,
};
use crate::graph::{Graph, SaidInStep};
use crate::hook::{DueHook, GateAnswer};
use crate::ids::{AgentId, MessageId, NodeId, PackageId, ProjectId, RunId, WorkflowId};
use crate::limits::Limits;
use crate::mode::Mode;
use crate::package::{Agent, Package, Workflow};
use crate::path::AliasPath;
use crate::phrase::engine as said;
use crate::policy::ToolPolicy;
use crate::prompt::Intent;
use crate::skill::{LoadedSkill, Skills};
use crate::state_doc::StateDoc;
use crate::subagent::{Subagents, TaskEnded, TaskStarted};
use crate::time::Time;
use crate::todo::Todos;
use crate::tool::ReceivedCall;

/// What the run is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunInfo {
    /// Its id.
    pub run_id: RunId,
    /// The project the run works in.
    pub project_id: ProjectId,
    /// The package it runs.
    pub package_id: PackageId,
    /// The hash of its content. `None` in older journals.
    pub content_hash: Option<String>,
    /// The workflow that is run.
    pub workflow_id: WorkflowId,
    /// Its own agent.
    pub agent_id: AgentId,
    /// Project-relative, without slashes at the ends.
    pub artifacts_dir: String,
    /// Whether writes there ask like any other.
    #[serde(default)]
    pub artifacts_ask: bool,
    /// Whether the package's demo trace plays the model, until the person chooses their own.
    pub demo: bool,
}

/// Where a conversation belongs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Workplace {
    /// The project that is worked in.
    pub project_id: ProjectId,
    /// Where files may be made although writes ask.
    pub free_folder: Option<String>,
}

/// What is kept of a run while the person talks with somebody else: what is theirs alone, its
/// questions and its todos too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunAside {
    pub(super) run: RunInfo,
    #[serde(with = "document")]
    pub(super) doc: Option<Arc<StateDoc>>,
    pub(super) mirrored: Option<String>,
    pub(super) rejected: Option<String>,
    pub(super) nesting: Nesting,
    pub(super) before_rewind: Option<Arc<BeforeRewind>>,
    pub(super) entered: BTreeMap<NodeId, Entered>,
    pub(super) walked: Vec<(NodeId, NodeId)>,
    pub(super) found: BTreeSet<AliasPath>,
    pub(super) node: Option<NodeId>,
    pub(super) phase: Phase,
    pub(super) reason: Option<Reason>,
    pub(super) widgets: BTreeMap<MessageId, OpenWidget>,
    pub(super) todos: Todos,
    pub(super) over: bool,
    pub(super) ended: Option<RunEnded>,
    pub(super) gates: Arc<Vec<GateAnswer>>,
    pub(super) gated_at: u64,
}

impl RunAside {
    /// What it is.
    pub fn run(&self) -> &RunInfo {
        &self.run
    }

    /// Whether it waits for an answer to this question.
    pub(super) fn asks(&self, question: &MessageId) -> bool {
        self.widgets.contains_key(question)
    }
}

/// What a running conversation is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Activity {
    /// Nothing: it is the person's move.
    #[default]
    Resting,
    /// A request to the model is due or under way.
    Thinking,
    /// The queue of calls is being worked off.
    Acting,
}

/// A call that has no result yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QueuedCall {
    /// As the model wrote it, its id made unique, and what it says.
    pub call: ReceivedCall,
    /// How far it is.
    pub status: CallStatus,
    /// The person said something else since: a write that did not happen is not begun any more.
    pub overtaken: bool,
    /// How often the program ended while it worked on the call.
    #[serde(default)]
    pub interruptions: u8,
}

/// How far a call is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum CallStatus {
    /// Not begun; a reading call may already be running, it leaves no trace.
    Waiting,
    /// A mutating call that may be running.
    Began(Began),
    /// Begun when the program ended; the host compares hashes.
    InDoubt(Began),
    /// A sub-agent works on it.
    Delegated,
    /// Its sub-agent is to come to an end: nobody waits for it any more.
    Recalled,
}

impl CallStatus {
    /// The hashes journaled for it.
    pub fn began(&self) -> Option<&Began> {
        match self {
            Self::Waiting | Self::Delegated | Self::Recalled => None,
            Self::Began(began) | Self::InDoubt(began) => Some(began),
        }
    }
}

/// What the person does to files of the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct ByPerson {
    /// What was asked for.
    pub(super) asked: AskedByPerson,
    /// How far it is.
    pub(super) status: CallStatus,
}

/// What the person asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum AskedByPerson {
    /// A file as it was before the run.
    File(PutBackAsked),
    /// The run at a step, and its files as they were then.
    Step(Box<RewindAsked>),
}

/// A widget that waits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenWidget {
    /// What was asked.
    pub asked: WidgetAsked,
    /// Sequence number of the event that asked.
    pub seq: u64,
    /// Which reply of the model it came with: questions of one reply belong together.
    pub request: u64,
    /// When it was asked; `None` when that was in another store.
    pub at: Option<Time>,
}

/// See the module. Written whole into a
/// [`JournalSnapshot`](crate::journal_snapshot::JournalSnapshot): whoever changes what is here, or
/// what it means, counts up [`journal_snapshot::FORMAT`](crate::journal_snapshot::FORMAT).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Core {
    /// Sequence number of the next event.
    pub seq: u64,
    /// Model requests answered or failed so far.
    pub requests: u64,
    /// Where the conversation belongs; `None` before it began, and of a sub-agent's.
    pub workplace: Option<Workplace>,
    /// With whom the person talks.
    pub mode: Mode,
    /// The run that is under way, or was: none while the person talks with somebody else.
    pub run: Option<RunInfo>,
    /// The run that waits meanwhile.
    pub aside: Option<Box<RunAside>>,
    /// The task, in the conversation of a sub-agent.
    #[serde(default)]
    pub task: Option<Arc<TaskStarted>>,
    /// How its work ended.
    #[serde(default)]
    pub task_ended: Option<TaskEnded>,
    /// The sub-agents that work, or worked, for it.
    #[serde(default)]
    pub subagents: Subagents,
    /// The accepted state document.
    #[serde(with = "document")]
    pub doc: Option<Arc<StateDoc>>,
    /// The hash known to be on disk.
    pub mirrored: Option<String>,
    /// The hash of the last version of a person that was refused.
    pub rejected: Option<String>,
    /// The disk refused the mirror: not tried again before the person's next move.
    pub mirror_blocked: bool,
    /// The workflows that wait for the one that is worked on.
    #[serde(default)]
    pub nesting: Nesting,
    /// What the run was before it was taken back to a step, while that can be undone.
    #[serde(default)]
    pub before_rewind: Option<Arc<BeforeRewind>>,
    /// When each node was last entered, and what `variables` were then, for rewinds.
    pub entered: BTreeMap<NodeId, Entered>,
    /// What the person said in the step under way.
    #[serde(default)]
    pub said: SaidInStep,
    /// From which step to which the run went, the last time of each, without what a rewind took back.
    #[serde(default)]
    pub walked: Vec<(NodeId, NodeId)>,
    /// What the runtime did to files, for rewinds.
    pub files: ChangedFiles,
    /// Artifacts that were found, not made.
    pub found: BTreeSet<AliasPath>,
    /// The effective current node.
    pub node: Option<NodeId>,
    /// Where the run stands.
    pub phase: Phase,
    /// Why the run stands in that phase.
    pub reason: Option<Reason>,
    /// What is going on while it runs.
    pub activity: Activity,
    /// Requests in this user turn.
    pub turn_requests: u32,
    /// Bytes of the versions of the state document that calls made in it.
    pub turn_state_bytes: u64,
    /// Sub-agents that were asked for in it.
    #[serde(default)]
    pub turn_subagents: u32,
    /// What the person does to files.
    #[serde(default)]
    pub(super) by_person: Option<Box<ByPerson>>,
    /// Calls without a result, in order.
    pub queue: VecDeque<QueuedCall>,
    /// The click and what it is for.
    pub confirm: Confirm,
    /// What the person allowed of the calls that wait for them.
    pub approvals: Approvals,
    /// Widgets without an answer, by message.
    pub widgets: BTreeMap<MessageId, OpenWidget>,
    /// Why the next anchor is sent.
    pub intent: Option<Intent>,
    /// Model requests before the run began.
    pub(super) requests_before: u64,
    /// Since when the present request is due.
    pub thinking_since: Time,
    /// The todos of the run.
    #[serde(default)]
    pub todos: Todos,
    /// Why the model's last words were not accepted: it is told with the next request.
    #[serde(default)]
    pub directive: Option<Arc<Decision>>,
    /// How many of the model's last messages were not accepted, in a row.
    #[serde(default)]
    pub rejections: u32,
    /// How many of the model's last messages were cut at the output limit, in a row.
    #[serde(default)]
    pub(super) cut_replies: u32,
    /// How often it was told in this user turn.
    #[serde(default)]
    pub(super) told: Told,
    /// Hooks of the person that are to be run, or at work.
    #[serde(default)]
    pub hooks: Vec<DueHook>,
    /// How many hooks were due so far.
    #[serde(default)]
    pub hooks_counted: u64,
    /// Candidate last words that wait for the gates of the person.
    #[serde(default)]
    pub held: Option<Arc<CandidateHeld>>,
    /// What the gates said last of work that was not accepted since.
    #[serde(default)]
    pub gates: Arc<Vec<GateAnswer>>,
    /// The event with which they were last asked.
    #[serde(default)]
    pub(super) gated_at: u64,
    /// Whether the model has asked the person something in its last reply, whose calls are not all
    /// worked off.
    #[serde(default)]
    pub(super) asking: bool,
    /// The conversation is to be made shorter.
    #[serde(default)]
    pub compaction_due: Option<CompactionDue>,
    /// Before which request it was made shorter last; 0 for none.
    #[serde(default)]
    pub(super) compacted_for: u64,
    /// How many summaries the model was asked for in vain, one after the other.
    #[serde(default)]
    pub(super) summaries_failed: u32,
    /// How often the conversation is made shorter before the model is asked for a summary again.
    #[serde(default)]
    pub(super) summary_pause: u32,
    /// Which request its server refused last as too long; 0 for none.
    #[serde(default)]
    pub(super) refused: u64,
    /// How many tokens of a request the server takes, as it showed by refusing one.
    #[serde(default)]
    pub(super) taken_at_most: Option<u64>,
    /// Whether the last turn ended with the workflow at its end.
    #[serde(default)]
    pub over: bool,
    /// That the person ended the run before its end, and why.
    #[serde(default)]
    pub ended: Option<RunEnded>,
    /// The skills at work, in the order in which they began.
    #[serde(default)]
    pub skills: Vec<Arc<LoadedSkill>>,
    /// Tokens so far.
    pub usage: Usage,
    /// The same by model.
    #[serde(default)]
    pub usage_by_model: Vec<ModelUsage>,
    /// Why the run can be read but not continued.
    pub locked: Option<Failure>,
    pub(super) loops: LoopDetector,
    /// The settings that the journal last named.
    pub(super) settings: Option<Limits>,
}

impl Core {
    /// Whether the package's demo trace answers, and not a model.
    pub fn plays_demo(&self) -> bool {
        let of_task = || self.task.as_ref().is_some_and(|task| task.demo);
        self.run.as_ref().map_or_else(of_task, |run| run.demo)
    }

    /// The project it works in.
    pub fn project(&self) -> Option<&ProjectId> {
        let of_task = || self.task.as_ref().map(|task| &task.project_id);
        self.workplace.as_ref().map(|place| &place.project_id).or_else(of_task)
    }

    /// The newest run, also while the person talks with somebody else.
    pub fn newest_run(&self) -> Option<&RunInfo> {
        self.run.as_ref().or_else(|| self.aside.as_deref().map(RunAside::run))
    }

    /// Whether what is talked about may be a file of a package.
    pub(super) fn has_package(&self) -> bool {
        self.mode.agent().is_some() || self.newest_run().is_some()
    }

    /// The package of whom the person talks with; that of the run, where they talk with the model
    /// alone.
    pub fn package_id(&self) -> Option<&PackageId> {
        let of_run = || self.newest_run().map(|run| &run.package_id);
        let of_task = || self.task.as_ref().map(|task| &task.package_id);
        self.mode.agent().map(|(package, _)| package).or_else(of_run).or_else(of_task)
    }

    /// The workflow that is worked on: the run's own, or the innermost one that was called.
    pub fn active_workflow(&self) -> Option<&WorkflowId> {
        self.nesting.active.as_ref().or(self.run.as_ref().map(|run| &run.workflow_id))
    }

    /// The same with all that the package says of it.
    pub fn workflow<'a>(&self, package: &'a Package) -> Option<&'a Workflow> {
        self.active_workflow().and_then(|id| package.workflow(id))
    }

    /// The graph of that workflow.
    ///
    /// # Errors
    /// `ENGINE_PRECONDITION_FAILED` when there is no run, or its package has lost the workflow.
    pub fn graph<'a>(&self, package: &'a Package) -> Result<&'a Graph, Failure> {
        self.workflow(package).map(|workflow| &workflow.graph).ok_or_else(|| {
            let name = self.active_workflow().map_or("?", WorkflowId::as_str);
            Failure::new(ErrorCode::EnginePreconditionFailed, said::package_no_workflow(name))
        })
    }

    /// `node.agentId ?? run.activeAgentId`, re-evaluated whenever the node changes.
    pub fn effective_agent<'a>(&'a self, package: &'a Package) -> Option<&'a AgentId> {
        if let Some(task) = &self.task {
            return Some(&task.assignment.agent_id);
        }
        if let Some((_, agent)) = self.mode.agent() {
            return Some(agent);
        }
        let run = self.run.as_ref()?;
        let graph = self.graph(package).ok()?;
        let node = self.doc.as_ref().and_then(|doc| doc.effective_node(graph).ok());
        let of_node = node.and_then(|id| graph.node(&id)).and_then(|n| n.agent_id.as_ref());
        Some(of_node.unwrap_or(&run.agent_id))
    }

    /// What the effective agent may use; `None` before anything began.
    pub(super) fn policy(&self, package: &Package, limits: &Limits) -> Option<ToolPolicy> {
        let tools = |id: &AgentId| package.agent(id).map(Agent::limits);
        if let Some(task) = &self.task {
            let lead = limits.policy(tools(&task.parent.agent_id));
            let assignment = &task.assignment;
            return Some(lead.narrowed(tools(&assignment.agent_id), assignment.scope()));
        }
        self.workplace.as_ref()?;
        let agent = self.effective_agent(package);
        let skills = Skills {
            of_package: Arc::clone(&package.skills),
            speaker: agent.cloned(),
            found: Arc::clone(&limits.skills),
            at_work: self.skills.clone(),
        };
        let policy = limits.policy(agent.and_then(tools));
        let policy = policy.with_skills(skills);
        Some(if self.run.is_some() { policy } else { policy.outside_of_runs(self.has_package()) })
    }

    /// The counters of the limits start again, and what the model was told of its last words holds
    /// no more.
    pub(super) fn count_anew(&mut self) {
        self.turn_requests = 0;
        self.turn_state_bytes = 0;
        self.turn_subagents = 0;
        self.loops = LoopDetector::default();
        self.told = Told::default();
        self.directive = None;
        self.cut_replies = 0;
    }

    /// Files may change like this from now on.
    pub(super) fn files_begin(&mut self, changes: Vec<CallFileChange>, seq: u64) {
        if !changes.is_empty() {
            let entries = self.entries();
            self.files.began(seq, changes, &entries);
        }
    }

    /// Where the steps were entered that a rewind may lead to: those of workflows that wait, of a run
    /// that waits meanwhile, and those that are back once the last rewind is undone, too.
    pub(super) fn entries(&self) -> Vec<u64> {
        let aside = self.aside.iter().flat_map(|aside| {
            let before = aside.before_rewind.iter().flat_map(|before| before.entries());
            aside.entered.values().chain(aside.nesting.entries()).chain(before)
        });
        let before = self.before_rewind.iter().flat_map(|before| before.entries());
        let own = self.entered.values().chain(self.nesting.entries());
        let entered = own.chain(before).chain(aside);
        entered.map(|entered| entered.seq).collect()
    }

    /// The accepted state document, while the one on disk is older.
    pub(super) fn unmirrored(&self) -> Option<&Arc<StateDoc>> {
        self.doc.as_ref().filter(|doc| self.mirrored.as_deref() != Some(doc.sha256()))
    }
}
