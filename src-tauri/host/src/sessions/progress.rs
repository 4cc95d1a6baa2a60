//! How far the sub-agents of a conversation are. It is shown and not kept.

use kernel::ids::CallId;
use kernel::wire::SubagentView;
use std::collections::BTreeMap;

/// How far a sub-agent is.
#[derive(Debug, Clone)]
pub(crate) struct SubagentProgress {
    /// How often its model answered.
    pub(crate) steps: u32,
    /// The tool it called last.
    pub(crate) doing: Option<String>,
}

/// What was last heard of each.
#[derive(Default)]
pub(super) struct KnownProgress(BTreeMap<CallId, SubagentProgress>);

impl KnownProgress {
    /// The sub-agent of a call has gone on.
    pub(super) fn hear(&mut self, call: &CallId, heard: SubagentProgress) {
        // A line that calls nothing does not end what was called last.
        let known = self.0.remove(call).and_then(|known| known.doing);
        let doing = heard.doing.or(known);
        self.0.insert(call.clone(), SubagentProgress { doing, ..heard });
    }

    /// Says of those at work how far they are.
    pub(super) fn tell(&self, subagents: &mut [SubagentView]) {
        for subagent in subagents.iter_mut().filter(|one| one.end.is_none()) {
            if let Some(progress) = self.0.get(&subagent.call_id) {
                subagent.steps = progress.steps;
                subagent.doing.clone_from(&progress.doing);
            }
        }
    }
}
