//! What a turn is decided under that is found out at its beginning.

use kernel::engine::{Input, Limits};
use kernel::skill::OfferedSkill;
use std::sync::Arc;
use std::time::Duration;

use super::tasks::EffectRunner;
use crate::blocking::on_disk;
use crate::tools::ToolHost;

/// What holds for a turn that this input begins: what was found out of the model, and the skills
/// there are now.
pub(super) async fn for_input(
    known: &Limits,
    effects: &EffectRunner,
    input: &Input,
    demo: bool,
) -> Limits {
    let mut limits = known.clone();
    if limits.context_tokens.is_none() {
        limits.context_tokens = effects.model.context_for(input, demo).await;
    }
    limits.tokenizer = effects.model.tokenizer_for(input).unwrap_or(limits.tokenizer);
    let begins_a_turn =
        matches!(input, Input::Say(_) | Input::Answer { .. } | Input::Resume | Input::StartAfresh);
    if begins_a_turn && limits.tools.skills_enabled {
        let found = skills_now(&effects.tools).await;
        // The same list is kept: requests are put together from it.
        if let Some(found) = found.filter(|found| *found != limits.skills) {
            limits.skills = found;
        }
    }
    limits
}

/// How long a turn waits for the disks that skills lie on.
const PATIENCE: Duration = Duration::from_secs(3);

/// The skills of the project and of the person that a model is told of, as they are now; `None` where
/// the disk does not say so in time.
pub(super) async fn skills_now(tools: &Arc<ToolHost>) -> Option<Arc<[OfferedSkill]>> {
    let tools = Arc::clone(tools);
    let found = on_disk(move || Ok(tools.skills_of_models()));
    tokio::time::timeout(PATIENCE, found).await.ok()?.ok()
}
