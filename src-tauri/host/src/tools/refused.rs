//! Calls that are not carried out: they were not offered, not journaled, or are not for files.

use kernel::code::{ErrorCode, Failure};
use kernel::effect::Permit;
use kernel::tool::{Tool, wire_name};

/// The policy again, behind the kernel's own check: a call to a hidden tool is refused here too.
pub(super) fn check_offered(permit: &Permit) -> Result<(), Failure> {
    if permit.tool().is_offered(permit.policy()) {
        return Ok(());
    }
    let message = format!("{} is switched off", wire_name(permit.tool().name));
    Err(Failure::for_model(ErrorCode::ToolNotAvailable, message)
        .with_action_for_model("Switch file tools on in the settings, or go on without files."))
}

pub(super) fn not_journaled() -> Failure {
    Failure::for_model(ErrorCode::Internal, "a write must be journaled before it runs")
}

pub(super) fn not_here(tool: &Tool) -> Failure {
    let tool = wire_name(tool.name);
    Failure::for_model(
        ErrorCode::Internal,
        format!("{tool} on this path is not the file tools' work"),
    )
}
