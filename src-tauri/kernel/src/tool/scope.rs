//! What a sub-agent may not do although its tools could.

use super::ParsedCall;
use crate::code::{ErrorCode, Failure};
use crate::path::Mount;
use crate::policy::ToolPolicy;

/// Why a call is not for the sub-agent that makes it, whose paths are narrowed. The host looks where
/// links lead.
pub fn out_of_scope(policy: &ToolPolicy, call: &ParsedCall) -> Option<Failure> {
    let task = policy.task.as_ref()?;
    let mut paths = call.paths();
    let outside = paths.find(|path| path.mount() == Mount::State || !task.holds(path))?;
    let roots: Vec<String> = task.paths.iter().map(ToString::to_string).collect();
    let places = if roots.is_empty() { "@project and @pkg".to_owned() } else { roots.join(", ") };
    let message = format!("{outside}: it is not part of your task, which is about {places}");
    Some(Failure::for_model(ErrorCode::SandboxViolation, message).with_action_for_model(
        "Name a path of your task. What else is needed belongs into your report.",
    ))
}

/// Why a call of a sub-agent is refused about which the person would have to be asked.
pub fn would_ask(artifacts_dir: Option<&str>) -> Failure {
    let outputs = "the files that the step promises";
    let free = match artifacts_dir {
        Some(folder) => format!("@project/{folder} and {outputs}"),
        None => outputs.to_owned(),
    };
    let message = format!(
        "the user would have to be asked about this change, and a sub-agent asks nobody; as far as the settings allow it, it writes {free}"
    );
    Failure::for_model(ErrorCode::SandboxViolation, message).with_action_for_model(
        "Describe the change in `patches` of your report: the agent that asked for you makes it.",
    )
}
