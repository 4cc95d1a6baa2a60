//! `agent.report`: a sub-agent hands in its report, and its work ends.

use serde::Serialize;
use serde_json::Value;

use super::built_in::{BuiltIn, EffectClass, Offer, Tool, schema_of};
use super::check::{canonical, invalid, typed};
use super::output::CallResult;
use crate::bounds::{REPORT_BYTES, REPORT_ENTRIES};
use crate::code::Failure;
use crate::facts::Fact;
use crate::subagent::{TaskReport, TaskType};

/// What a model calls it, dotted.
pub const NAME: &str = "agent.report";

pub(super) const TOOL: Tool = Tool {
    name: NAME,
    description: "Hand in your report. It ends your work, so call it last and once. `findings` may be empty. A task of type `verify` needs `status`.",
    class: EffectClass::Session,
    works_on_files: false,
    writes_one_file: false,
    offered: Offer::InTasks,
    other_names: &[],
    runs_need: None,
    schema: schema_of::<TaskReport>,
};

/// What it says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Output {
    /// That the report was taken.
    pub taken: bool,
}

/// A checked call.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// The report.
    pub report: TaskReport,
}

impl Input {
    /// The report, as a task of this type has to hand it in.
    ///
    /// # Errors
    /// `E_INVALID_ARGS`, which says what the type asks for.
    pub fn of(&self, task: TaskType) -> Result<&TaskReport, Failure> {
        match (task, self.report.status) {
            (TaskType::Verify, None) => {
                Err(invalid(&TOOL, "status: a task of type `verify` says `passed` or `failed`"))
            }
            (TaskType::Review | TaskType::Edit, Some(_)) => {
                Err(invalid(&TOOL, "status: only a task of type `verify` has one"))
            }
            _ => Ok(&self.report),
        }
    }
}

impl BuiltIn for Input {
    fn tool(&self) -> &'static Tool {
        &TOOL
    }

    fn args(&self) -> Value {
        canonical(&self.report)
    }

    fn facts(&self, _: &CallResult) -> Vec<Fact> {
        Vec::new()
    }
}

pub(super) fn parse(args: Value) -> Result<Input, Failure> {
    let report: TaskReport = typed(&TOOL, args)?;
    if report.summary.trim().is_empty() {
        return Err(invalid(&TOOL, "summary: say what was done or found"));
    }
    let lists = [&report.findings, &report.patches];
    let bytes = lists.iter().flat_map(|list| list.iter()).map(String::len).sum::<usize>();
    if lists.iter().any(|list| list.len() > REPORT_ENTRIES)
        || bytes + report.summary.len() > REPORT_BYTES
    {
        let message = format!(
            "the report is too long: {REPORT_ENTRIES} entries a list and {REPORT_BYTES} bytes in all at most"
        );
        return Err(invalid(&TOOL, &message));
    }
    Ok(Input { report })
}
