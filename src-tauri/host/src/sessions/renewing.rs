//! What holds from now on in a conversation that is open: settings, and what the person trusts.

use kernel::engine::Limits;
use kernel::ids::ProjectId;
use kernel::mcp::ServerTools;
use kernel::tokens::Tokenizer;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The servers that conversations of each project may use.
pub(crate) type OfferedServers = BTreeMap<ProjectId, Arc<[ServerTools]>>;

/// Other settings. What the person trusts stays as it is, and of a demo's model nothing is known.
pub(super) fn with_settings(known: &Limits, new: Limits, demo: bool) -> Limits {
    let (context_tokens, tokenizer) =
        if demo { (None, Tokenizer::Estimate) } else { (new.context_tokens, new.tokenizer) };
    let (hooks, servers) = (Arc::clone(&known.hooks), Arc::clone(&known.servers));
    let skills = Arc::clone(&known.skills);
    Limits { hooks, servers, skills, context_tokens, tokenizer, ..new }
}

/// Other servers, where there are others.
pub(super) fn with_servers(
    known: &Limits,
    project: Option<&ProjectId>,
    offered: &OfferedServers,
) -> Option<Limits> {
    let servers = project.and_then(|id| offered.get(id)).cloned().unwrap_or_default();
    (servers != known.servers).then(|| Limits { servers, ..known.clone() })
}
