//! With whom the person talks in a conversation.

use serde::{Deserialize, Serialize};

use crate::ids::{AgentId, PackageId};

/// With whom the person talks (spec 01 "Modes"). Another one keeps the conversation as it is, and
/// changes what the model is told before it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "mode", rename_all = "lowercase", rename_all_fields = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Mode {
    /// With the agents of a run's workflow.
    #[default]
    Run,
    /// With an agent of a package, while no workflow is under way.
    Agent {
        /// The package.
        package_id: PackageId,
        /// The agent.
        agent_id: AgentId,
    },
    /// With the model, which is no agent.
    Chat,
}

impl Mode {
    /// Its name: `run`, `agent` or `chat`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Agent { .. } => "agent",
            Self::Chat => "chat",
        }
    }

    /// The agent that is talked with, outside of a run.
    pub fn agent(&self) -> Option<(&PackageId, &AgentId)> {
        match self {
            Self::Agent { package_id, agent_id } => Some((package_id, agent_id)),
            Self::Run | Self::Chat => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_mode_is_written_by_its_name_with_whom_it_names() {
        let agent = Mode::Agent {
            package_id: PackageId::new("team-1.0.0-abc").unwrap(),
            agent_id: AgentId::new("analyst").unwrap(),
        };
        let written =
            json!({ "mode": "agent", "packageId": "team-1.0.0-abc", "agentId": "analyst" });
        for (mode, written) in [
            (agent, written),
            (Mode::Run, json!({ "mode": "run" })),
            (Mode::Chat, json!({ "mode": "chat" })),
        ] {
            assert_eq!(serde_json::to_value(&mode).unwrap(), written);
            assert_eq!(written["mode"], mode.name());
            assert_eq!(serde_json::from_value::<Mode>(written).unwrap(), mode);
        }
    }
}
