//! The agents of a package, as its graphs ask for them.

use super::super::Agent;
use crate::graph::Node;
use crate::phrase::{Phrase, findings};

/// All agents of the package.
#[derive(Clone, Copy)]
pub(super) struct Team<'a>(pub(super) &'a [Agent]);

impl<'a> Team<'a> {
    pub(super) fn find(self, id: &str) -> Option<&'a Agent> {
        self.0.iter().find(|agent| agent.id.as_str() == id)
    }

    /// Some ids, for advice.
    pub(super) fn some_ids(self) -> String {
        let mut ids: Vec<&str> = self.0.iter().take(20).map(|a| a.id.as_str()).collect();
        ids.sort_unstable();
        ids.join(", ")
    }

    /// What is wrong when whoever does the node has no file tools: the state document is a file,
    /// so the run could never leave the node.
    pub(super) fn stuck_at(self, node: &Node) -> Option<Phrase> {
        let Some(id) = &node.agent_id else {
            let nobody = !self.0.is_empty() && self.0.iter().all(|agent| !has_files(agent));
            return nobody.then(|| findings::no_agent_with_files(&node.id));
        };
        let agent = self.find(id.as_str()).filter(|agent| !has_files(agent))?;
        Some(findings::agent_without_files(&node.id, &agent.id))
    }
}

fn has_files(agent: &Agent) -> bool {
    let fs = agent.tools.as_ref().and_then(|tools| tools.fs.as_ref());
    fs.and_then(|fs| fs.enabled).unwrap_or(true)
}
