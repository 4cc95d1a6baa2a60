//! Which calls have to be shown to the person before they may begin.

use std::sync::Arc;

use super::core::Core;
use super::grants::Permission;
use crate::hook::HookRule;
use crate::ids::CallId;
use crate::path::AliasPath;
use crate::policy::{ApproveWrites, ToolPolicy};
use crate::tool::{EffectClass, ParsedCall};
use crate::write_scope::{WriteScope, is_self_starting};

/// What the next call is held to.
pub(super) struct CallRules {
    /// What the effective agent may use, and which writes wait for the person.
    pub(super) policy: ToolPolicy,
    /// The files that the current node declares.
    pub(super) outputs: Vec<AliasPath>,
    /// The hooks of the person.
    pub(super) hooks: Arc<[HookRule]>,
}

/// Whether a call changes what a hook of the person runs: it would be the model's hook from then on.
pub(super) fn changes_a_hook(hooks: &[HookRule], parsed: &ParsedCall) -> bool {
    let mut paths = parsed.paths();
    paths.any(|path| hooks.iter().any(|hook| hook.runs(path)))
}

/// Whether the person is to be asked about a call.
pub(super) fn asks(rules: &CallRules, parsed: &ParsedCall, artifacts_dir: Option<&str>) -> bool {
    if parsed.class != EffectClass::WriteProject {
        return parsed.asks_first(&rules.policy);
    }
    if parsed.paths().any(is_self_starting) || changes_a_hook(&rules.hooks, parsed) {
        return true;
    }
    match rules.policy.approve_writes {
        ApproveWrites::Auto => false,
        ApproveWrites::Ask => true,
        ApproveWrites::AskOutside => {
            !WriteScope { artifacts_dir, outputs: &rules.outputs }.holds(parsed)
        }
    }
}

/// Whether a call has to be shown to the person before it may begin.
pub(super) fn must_ask(core: &Core, rules: &CallRules, call: &CallId, parsed: &ParsedCall) -> bool {
    let Some(place) = &core.workplace else { return false };
    // A folder that a project's file names is free once the person has allowed it.
    asks(rules, parsed, place.free_folder.as_deref())
        && match core.approvals.permission(call, parsed) {
            None => true,
            // Such a file is asked about by itself, whatever folder is allowed.
            Some(Permission::Folder(_)) => changes_a_hook(&rules.hooks, parsed),
            Some(Permission::Once(_)) => false,
        }
}
