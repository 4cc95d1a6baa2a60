//! stub
use super::Finding;
use serde_json::Value;
/// Which of the five schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaKind {
    /// bmad.json
    Manifest,
    /// agents.json
    Agents,
    /// graph
    Graph,
    /// workflow.md front matter
    Workflow,
    /// step front matter
    Step,
}
/// stub
pub fn validate(_kind: SchemaKind, _file: &str, _value: &Value) -> Vec<Finding> {
    unimplemented!()
}
