//! What a call may not be about although its tool could: places that are not there, and what a
//! sub-agent's task is not about.

use super::{ParsedCall, wire_name};
use crate::code::{ErrorCode, Failure};
use crate::path::Mount;
use crate::policy::ToolPolicy;

/// Why a call is not for who makes it: no run is under way, it is a sub-agent whose paths are
/// narrowed, or a skill is not there or names other tools. The host looks where links lead.
pub fn out_of_scope(policy: &ToolPolicy, call: &ParsedCall) -> Option<Failure> {
    not_there(policy, call)
        .or_else(|| not_of_the_task(policy, call))
        .or_else(|| not_left(policy, call))
        .or_else(|| call.input.built_in().not_for(policy))
}

fn not_there(policy: &ToolPolicy, call: &ParsedCall) -> Option<Failure> {
    let path = call.paths().find(|path| !policy.places.hold(path.mount()))?;
    let (why, places) = match path.mount() {
        Mount::State => ("no run is under way, so there is no run state", "a path in @project"),
        _ => ("this conversation has no package", "a path in @project"),
    };
    let failure = Failure::for_model(ErrorCode::SandboxViolation, format!("{path}: {why}"));
    Some(failure.with_action_for_model(format!("Name {places}.")))
}

/// The skills at work leave a tool for what a run needs of it alone.
fn not_left(policy: &ToolPolicy, call: &ParsedCall) -> Option<Failure> {
    let tool = call.tool();
    if !tool.is_left_to_runs(policy) {
        return None;
    }
    let path = call.paths().find(|path| path.mount() == Mount::Project)?;
    let message = format!("{path}: the skill at work does not name {}", wire_name(tool.name));
    Some(Failure::for_model(ErrorCode::SkillToolsNarrowed, message).with_action_for_model(
        "Go on with the tools that it names, or ask the user to end the skill.",
    ))
}

fn not_of_the_task(policy: &ToolPolicy, call: &ParsedCall) -> Option<Failure> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{ApproveWrites, SystemTools};
    use crate::subagent::{TaskScope, TaskType};
    use crate::tool;
    use serde_json::json;

    fn policy(task_type: TaskType, tools: &[&str], paths: &[&str]) -> ToolPolicy {
        let tools = tools.iter().map(|tool| (*tool).to_owned()).collect();
        let paths = paths.iter().map(|path| path.parse().unwrap()).collect();
        let lead = ToolPolicy::merge(&SystemTools::default(), None).asking(ApproveWrites::Ask);
        lead.narrowed(None, TaskScope { task_type, tools, paths })
    }

    /// The dotted names of what a sub-agent has.
    fn offered(policy: &ToolPolicy) -> Vec<&'static str> {
        tool::BUILT_IN.iter().filter(|tool| tool.is_offered(policy)).map(|t| t.name).collect()
    }

    #[test]
    fn a_kind_of_task_has_the_tools_it_needs() {
        let reads = ["fs.list", "fs.read", "fs.search", "fs.glob", "agent.report"];
        assert_eq!(offered(&policy(TaskType::Review, &[], &[])), reads);
        assert_eq!(offered(&policy(TaskType::Verify, &[], &[])), reads);
        let edits = offered(&policy(TaskType::Edit, &[], &[]));
        let writes = ["fs.write", "fs.apply_patch", "fs.move", "fs.delete"];
        assert!(reads.iter().chain(&writes).all(|tool| edits.contains(tool)), "{edits:?}");
        assert_eq!(edits.len(), reads.len() + writes.len());
    }

    #[test]
    fn named_tools_are_all_there_are_besides_the_report() {
        let named = policy(TaskType::Review, &["fs.read", "fs.write"], &[]);
        assert_eq!(offered(&named), ["fs.read", "agent.report"]);
    }

    #[test]
    fn a_path_outside_the_task_is_refused() {
        let reads =
            |path: &str| tool::parse_call("fs_read", &json!({ "path": path }).to_string()).unwrap();
        let narrow = policy(TaskType::Review, &[], &["@project/docs"]);
        assert_eq!(out_of_scope(&narrow, &reads("@project/docs/a.md")), None);
        for outside in ["@project/docs.md", "@project/src/a.md", "@pkg/docs/a.md"] {
            let refused = out_of_scope(&narrow, &reads(outside)).expect(outside);
            assert_eq!(refused.code, ErrorCode::SandboxViolation);
            assert!(refused.message.contains("@project/docs"), "{refused}");
        }
        let wide = policy(TaskType::Review, &[], &[]);
        assert_eq!(out_of_scope(&wide, &reads("@pkg/steps/a.md")), None);
        assert!(out_of_scope(&wide, &reads("@state/workflow.md")).is_some());
        let lead = ToolPolicy::merge(&SystemTools::default(), None);
        assert_eq!(out_of_scope(&lead, &reads("@state/workflow.md")), None);
    }
}
