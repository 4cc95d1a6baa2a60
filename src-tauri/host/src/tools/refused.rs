//! Calls that are not carried out: they were not offered, not journaled, or are not for files.

use kernel::code::{ErrorCode, Failure};
use kernel::effect::Permit;
use kernel::tool::wire_name;

/// The policy again, behind the kernel's own check: a call to a hidden tool is refused here too.
pub(super) fn check_offered(permit: &Permit) -> Result<(), Failure> {
    if permit.is_offered() { Ok(()) } else { Err(not_offered(permit)) }
}

/// A call of a tool that is not on offer.
pub(crate) fn not_offered(permit: &Permit) -> Failure {
    let message = format!("{} is switched off", wire_name(permit.tool_name()));
    Failure::for_model(ErrorCode::ToolNotAvailable, message)
        .with_action_for_model("Switch file tools on in the settings, or go on without files.")
}

pub(super) fn not_journaled() -> Failure {
    Failure::for_model(ErrorCode::Internal, "a write must be journaled before it runs")
}

pub(super) fn not_here(tool: &str) -> Failure {
    let tool = wire_name(tool);
    Failure::for_model(
        ErrorCode::Internal,
        format!("{tool} on this path is not the file tools' work"),
    )
}
