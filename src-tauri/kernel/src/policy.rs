//! One merge of what the system and an agent allow (spec 05 "Limits"). The prompt's text, the
//! tool list and the enforcement all read its result, so they cannot disagree.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use std::sync::Arc;

use crate::mcp::{ServerName, ServerTool, ServerTools};
use crate::path::Mount;
use crate::skill::Skills;
use crate::subagent::TaskScope;

/// The system's own switches and limits (settings `tools`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SystemTools {
    /// File tools on.
    pub fs_enabled: bool,
    /// Largest read, bytes.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub max_read_bytes: u64,
    /// Largest write, bytes.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub max_write_bytes: u64,
    /// Whether `.env` files and keys may be read.
    pub allow_secret_files: bool,
    /// Tools of servers on. Programs that did not know this setting had none.
    pub mcp_enabled: bool,
    /// Skills on.
    pub skills_enabled: bool,
}

impl Default for SystemTools {
    fn default() -> Self {
        Self {
            fs_enabled: true,
            max_read_bytes: 512 * 1024,
            max_write_bytes: 2 * 1024 * 1024,
            allow_secret_files: false,
            mcp_enabled: true,
            skills_enabled: true,
        }
    }
}

/// Which calls that change files of the project wait for the person (setting `approval.writes`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum ApproveWrites {
    /// Only those of files that other programs run by themselves, which always do
    /// ([`SELF_STARTING`](crate::write_scope::SELF_STARTING)).
    Auto,
    /// Those that touch anything outside the current node's declared outputs and the run's
    /// artifacts folder.
    #[default]
    #[serde(alias = "ask-outside-artifacts")]
    AskOutside,
    /// All of them.
    Ask,
}

/// Agent `tools`: what it may use at most; absent values never widen (spec 05).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct AgentTools {
    /// File tools.
    #[serde(default)]
    pub fs: Option<FsTools>,
    /// MCP tools.
    #[serde(default)]
    pub mcp: Option<McpTools>,
}

/// What an agent may do with files at most: its `tools.fs` in `agents.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase")]
pub struct FsTools {
    /// Default true.
    #[serde(default)]
    pub enabled: Option<bool>,
    /// The largest file a tool may read, in bytes.
    #[serde(default, deserialize_with = "integer")]
    pub max_read_bytes: Option<u64>,
    /// The largest file a tool may write, in bytes.
    #[serde(default, deserialize_with = "integer")]
    pub max_write_bytes: Option<u64>,
}

/// Which outside tools an agent may use: its `tools.mcp` in `agents.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase")]
pub struct McpTools {
    /// Default false.
    #[serde(default)]
    pub enabled: Option<bool>,
    /// Absent means all configured, empty means none.
    #[serde(default)]
    pub allowed_servers: Option<Vec<String>>,
}

/// An integer as JSON Schema means it: `2000.0` and `2e4` are some. The schema has bounded it.
fn integer<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    let Some(number) = Option::<serde_json::Number>::deserialize(from)? else { return Ok(None) };
    let whole = number.as_f64().filter(|n| n.fract() == 0.0 && (0.0..=MAX_EXACT).contains(n));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
    let whole = number.as_u64().or(whole.map(|n| n as u64));
    whole.map(Some).ok_or_else(|| D::Error::custom(format!("{number} is no whole number")))
}

/// The largest number up to which every integer is one of JSON.
const MAX_EXACT: f64 = 9_007_199_254_740_991.0;

/// What holds for one agent now.
///
/// ```
/// use kernel::policy::{AgentTools, FsTools, SystemTools, ToolPolicy};
///
/// let fs = FsTools { enabled: None, max_read_bytes: Some(1024), max_write_bytes: None };
/// let agent = AgentTools { fs: Some(fs), mcp: None };
/// let policy = ToolPolicy::merge(&SystemTools::default(), Some(&agent));
/// assert_eq!(policy.max_read_bytes, 1024); // the smaller of the two
/// assert_eq!(policy.max_write_bytes, SystemTools::default().max_write_bytes);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolPolicy {
    /// File tools on.
    pub fs_enabled: bool,
    /// Largest read, bytes.
    pub max_read_bytes: u64,
    /// Largest write, bytes.
    pub max_write_bytes: u64,
    /// Whether `.env` files and keys may be read.
    pub allow_secret_files: bool,
    /// Which writes wait for the person. The system's alone: a package can't loosen it.
    pub approve_writes: ApproveWrites,
    /// Tools of servers on.
    pub mcp_enabled: bool,
    /// Of which servers; of all when absent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mcp_servers: Option<Vec<String>>,
    /// The servers that are left, with their tools.
    #[serde(skip)]
    servers: Arc<[ServerTools]>,
    /// Skills on.
    #[serde(default)]
    pub skills_enabled: bool,
    /// The skills there are.
    #[serde(skip)]
    skills: Arc<Skills>,
    /// What narrows it to a sub-agent's task.
    #[serde(skip)]
    pub task: Option<Arc<TaskScope>>,
    /// What there is of the places of a run.
    #[serde(skip)]
    pub places: Places,
}

/// Which places there are beside the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Places {
    /// The package and the state of a run.
    #[default]
    OfARun,
    /// A package alone: no run is under way.
    Package,
    /// Neither a run nor a package.
    None,
}

impl Places {
    /// Whether a place is there.
    pub fn hold(self, mount: Mount) -> bool {
        match mount {
            Mount::Project => true,
            Mount::Pkg => self != Self::None,
            Mount::State => self == Self::OfARun,
        }
    }
}

impl AgentTools {
    /// Whether an agent may use tools of servers at all: one that does not say so may not.
    pub fn may_use_servers(&self) -> bool {
        self.mcp.as_ref().and_then(|mcp| mcp.enabled).unwrap_or(false)
    }
}

impl ToolPolicy {
    /// System AND agent; the smaller limit; an absent value never widens and never overwrites.
    /// Without an agent the person talks with the model alone, and the system's switches hold.
    /// Approval is added by [`asking`](Self::asking): see `Limits::policy`, the one place that
    /// does both.
    pub fn merge(system: &SystemTools, agent: Option<&AgentTools>) -> Self {
        let (fs, mcp) = (agent.and_then(|a| a.fs.as_ref()), agent.and_then(|a| a.mcp.as_ref()));
        let min = |system: u64, agent: Option<u64>| agent.map_or(system, |a| a.min(system));
        Self {
            fs_enabled: system.fs_enabled && fs.and_then(|f| f.enabled).unwrap_or(true),
            max_read_bytes: min(system.max_read_bytes, fs.and_then(|f| f.max_read_bytes)),
            max_write_bytes: min(system.max_write_bytes, fs.and_then(|f| f.max_write_bytes)),
            allow_secret_files: system.allow_secret_files,
            approve_writes: ApproveWrites::Auto,
            mcp_enabled: system.mcp_enabled && agent.is_none_or(AgentTools::may_use_servers),
            mcp_servers: mcp.and_then(|mcp| mcp.allowed_servers.clone()),
            servers: Arc::default(),
            skills_enabled: system.skills_enabled,
            skills: Arc::default(),
            task: None,
            places: Places::OfARun,
        }
    }

    /// The same with the servers there are, as far as it allows them.
    #[must_use]
    pub fn with_servers(self, all: &Arc<[ServerTools]>) -> Self {
        let allows = |server: &ServerTools| {
            let named =
                |allowed: &Vec<String>| allowed.iter().any(|it| it == server.server.as_str());
            self.mcp_enabled && self.mcp_servers.as_ref().is_none_or(named)
        };
        let servers = if all.iter().all(allows) {
            Arc::clone(all)
        } else {
            all.iter().filter(|server| allows(server)).cloned().collect()
        };
        Self { servers, ..self }
    }

    /// The servers that may be used.
    pub fn servers(&self) -> impl Iterator<Item = &ServerName> {
        self.servers.iter().map(|it| &it.server)
    }

    /// The tools of servers that may be called, each with its server.
    pub fn server_tools(&self) -> impl Iterator<Item = (&ServerName, &ServerTool)> {
        let servers = self.servers.iter();
        let all = servers.flat_map(|it| it.tools.iter().map(move |tool| (&it.server, tool)));
        all.filter(|(server, tool)| self.leaves(server, tool))
    }

    /// The one of them that a model calls by this name.
    pub fn server_tool(&self, wire_name: &str) -> Option<(&ServerName, &ServerTool)> {
        let found = |it: &'_ ServerTools| it.called(wire_name).is_some();
        let server = self.servers.iter().find(|it| found(it))?;
        let called = server.called(wire_name).map(|tool| (&server.server, tool));
        called.filter(|(server, tool)| self.leaves(server, tool))
    }

    /// The same as if no skill were at work: for what the person does, and to tell why a call is not
    /// on offer.
    #[must_use]
    pub fn without_skills_at_work(&self) -> Self {
        let skills = Arc::new(Skills { at_work: Vec::new(), ..Skills::clone(&self.skills) });
        Self { skills, ..self.clone() }
    }

    /// Whether the skills at work leave a tool of a server: they name it as models do, or all of its
    /// server as `mcp__server` or `mcp__server__*`.
    fn leaves(&self, server: &ServerName, tool: &ServerTool) -> bool {
        self.skills.leave(|name| {
            let name = name.strip_suffix("__*").unwrap_or(name);
            name == tool.spec.name || name.strip_prefix("mcp__") == Some(server.as_str())
        })
    }

    /// The same with the skills there are, where the system has them on.
    #[must_use]
    pub fn with_skills(self, skills: Skills) -> Self {
        if self.skills_enabled { Self { skills: Arc::new(skills), ..self } } else { self }
    }

    /// The skills that may be used and those at work.
    pub fn skills(&self) -> &Skills {
        &self.skills
    }

    /// The same with the system's approval of writes.
    #[must_use]
    pub fn asking(self, approve_writes: ApproveWrites) -> Self {
        Self { approve_writes, ..self }
    }

    /// The same where no run is under way, with a package or without one.
    #[must_use]
    pub fn outside_of_runs(self, with_package: bool) -> Self {
        let places = if with_package { Places::Package } else { Places::None };
        Self { places, ..self }
    }

    /// The same, as far as another agent's `tools` allow it, for one task of a sub-agent. It has no
    /// tools of servers: the person cannot be asked about them. Nor has it skills.
    #[must_use]
    pub fn narrowed(self, agent: Option<&AgentTools>, task: TaskScope) -> Self {
        let fs = agent.and_then(|agent| agent.fs.as_ref());
        let min = |mine: u64, theirs: Option<u64>| theirs.map_or(mine, |theirs| theirs.min(mine));
        Self {
            fs_enabled: self.fs_enabled && fs.and_then(|fs| fs.enabled).unwrap_or(true),
            max_read_bytes: min(self.max_read_bytes, fs.and_then(|fs| fs.max_read_bytes)),
            max_write_bytes: min(self.max_write_bytes, fs.and_then(|fs| fs.max_write_bytes)),
            task: Some(Arc::new(task)),
            mcp_enabled: false,
            servers: Arc::default(),
            skills_enabled: false,
            skills: Arc::default(),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subagent::TaskType;

    fn agent(enabled: Option<bool>, read: Option<u64>) -> AgentTools {
        let fs = FsTools { enabled, max_read_bytes: read, max_write_bytes: None };
        AgentTools { fs: Some(fs), mcp: None }
    }

    #[test]
    fn an_agent_can_only_tighten() {
        let off = SystemTools { fs_enabled: false, ..SystemTools::default() };
        assert!(!ToolPolicy::merge(&off, Some(&agent(Some(true), None))).fs_enabled);
        let on = SystemTools::default();
        assert!(!ToolPolicy::merge(&on, Some(&agent(Some(false), None))).fs_enabled);
        assert_eq!(ToolPolicy::merge(&on, Some(&agent(None, Some(10)))).max_read_bytes, 10);
        let wide = ToolPolicy::merge(&on, Some(&agent(None, Some(u64::MAX))));
        assert_eq!(wide.max_read_bytes, on.max_read_bytes);
    }

    #[test]
    fn a_sub_agent_has_what_both_agents_may_and_no_more() {
        let lead = || {
            let tight =
                FsTools { enabled: None, max_read_bytes: Some(10), max_write_bytes: Some(20) };
            let tools = AgentTools { fs: Some(tight), mcp: None };
            ToolPolicy::merge(&SystemTools::default(), Some(&tools))
        };
        let (tools, paths) = (vec!["fs.read".into()], Vec::new());
        let task = TaskScope { task_type: TaskType::Edit, tools, paths };
        let alike = lead().narrowed(None, task.clone());
        assert_eq!((alike.max_read_bytes, alike.max_write_bytes), (10, 20));
        assert_eq!(alike.task.as_deref(), Some(&task));
        let wide = FsTools {
            enabled: Some(true),
            max_read_bytes: Some(u64::MAX),
            max_write_bytes: Some(u64::MAX),
        };
        let wide = AgentTools { fs: Some(wide), mcp: None };
        let wide = lead().narrowed(Some(&wide), task.clone());
        assert_eq!((wide.max_read_bytes, wide.max_write_bytes), (10, 20));
        let tighter = lead().narrowed(Some(&agent(None, Some(5))), task.clone());
        assert_eq!((tighter.max_read_bytes, tighter.max_write_bytes), (5, 20));
        assert!(!lead().narrowed(Some(&agent(Some(false), None)), task.clone()).fs_enabled);
        let off = SystemTools { fs_enabled: false, ..SystemTools::default() };
        let off = ToolPolicy::merge(&off, None).asking(ApproveWrites::Ask);
        let off = off.narrowed(Some(&agent(Some(true), None)), task);
        assert_eq!((off.fs_enabled, off.approve_writes), (false, ApproveWrites::Ask));
    }

    #[test]
    fn an_absent_limit_keeps_the_systems() {
        let policy = ToolPolicy::merge(&SystemTools::default(), Some(&AgentTools::default()));
        assert_eq!(policy.max_read_bytes, 512 * 1024);
        assert_eq!(policy.max_write_bytes, 2 * 1024 * 1024);
    }

    #[test]
    fn with_files_off_the_user_can_still_be_asked() {
        let off = SystemTools { fs_enabled: false, ..SystemTools::default() };
        let policy = ToolPolicy::merge(&off, None);
        let offered = |name| crate::tool::find(name).unwrap().is_offered(&policy);
        assert!(!offered("fs.read"));
        assert!(offered("ui.ask_user"));
    }

    #[test]
    fn only_the_settings_say_which_writes_ask() {
        let merged = ToolPolicy::merge(&SystemTools::default(), Some(&agent(Some(true), None)));
        assert_eq!(merged.approve_writes, ApproveWrites::Auto);
        let asking = merged.clone().asking(ApproveWrites::Ask);
        assert_eq!(asking, ToolPolicy { approve_writes: ApproveWrites::Ask, ..merged });
    }

    #[test]
    fn secrets_are_the_systems_alone_and_writes_are_limited_by_both() {
        let system = SystemTools { allow_secret_files: true, ..SystemTools::default() };
        let fs = FsTools { enabled: None, max_read_bytes: None, max_write_bytes: Some(5) };
        let agent = AgentTools { fs: Some(fs), mcp: None };
        let merged = ToolPolicy::merge(&system, Some(&agent));
        assert!(merged.allow_secret_files && merged.fs_enabled);
        assert_eq!(merged.max_write_bytes, 5);
        assert!(!ToolPolicy::merge(&SystemTools::default(), None).allow_secret_files);
    }

    fn servers() -> Arc<[ServerTools]> {
        let tools = |name: &str| {
            let server = ServerName::new(name).unwrap();
            let schema = serde_json::json!({ "type": "object" });
            let hint = crate::mcp::ToolHint::Unsaid;
            let (title, description) = (None, None);
            let tool = crate::mcp::ListedTool {
                name: "look".to_owned(),
                title,
                description,
                schema,
                hint,
            };
            crate::mcp::offered(&server, vec![tool]).unwrap()
        };
        ["web", "mail"].into_iter().map(tools).collect()
    }

    /// The servers whose tools are left, of those that an agent may use at most.
    fn left(system: bool, agent: Option<(Option<bool>, Option<&[&str]>)>) -> Vec<String> {
        let system = SystemTools { mcp_enabled: system, ..SystemTools::default() };
        let tools = agent.map(|(enabled, allowed)| {
            let allowed_servers =
                allowed.map(|names| names.iter().map(|name| (*name).to_owned()).collect());
            AgentTools { fs: None, mcp: Some(McpTools { enabled, allowed_servers }) }
        });
        let policy = ToolPolicy::merge(&system, tools.as_ref()).with_servers(&servers());
        policy.server_tools().map(|(server, _)| server.to_string()).collect()
    }

    #[test]
    fn tools_of_servers_need_every_switch_and_a_place_on_the_list() {
        let nobody: Vec<String> = Vec::new();
        assert_eq!(left(true, None), ["web", "mail"], "the person talks with the model alone");
        assert_eq!(left(false, None), nobody);
        assert_eq!(left(true, Some((None, None))), nobody, "an agent that does not say so may not");
        assert_eq!(left(true, Some((Some(false), None))), nobody);
        assert_eq!(left(true, Some((Some(true), None))), ["web", "mail"], "absent means all");
        assert_eq!(left(true, Some((Some(true), Some(&[])))), nobody, "empty means none");
        assert_eq!(left(true, Some((Some(true), Some(&["mail", "gone"])))), ["mail"]);
        assert_eq!(left(false, Some((Some(true), Some(&["mail"])))), nobody);
    }

    #[test]
    fn an_agent_that_says_nothing_of_tools_has_none_of_servers_and_a_sub_agent_neither() {
        let usual = AgentTools::default();
        let policy =
            ToolPolicy::merge(&SystemTools::default(), Some(&usual)).with_servers(&servers());
        assert_eq!(policy.server_tools().count(), 0);
        let lead = ToolPolicy::merge(&SystemTools::default(), None).with_servers(&servers());
        let task = TaskScope { task_type: TaskType::Edit, tools: vec![], paths: vec![] };
        assert_eq!(lead.narrowed(None, task).server_tools().count(), 0);
    }
}
