//! Which variables the conditions of a graph ask for, and whether anything says that it sets them.

use serde_json::{Map, Value};
use std::collections::BTreeSet;

use super::files::{PackageReader, shown};
use crate::graph::{ASKED_OF_PERSON, Graph};
use crate::phrase::{advice, findings};

/// What a workflow says about its variables.
#[derive(Default)]
pub(super) struct Variables {
    /// Those that `workflow.md` begins with.
    begun: BTreeSet<String>,
    /// Those that a step lists in `setsVariables`.
    set: BTreeSet<String>,
}

impl Variables {
    /// Reads the front matter of `workflow.md`.
    pub(super) fn of_template(front: &Map<String, Value>) -> Self {
        let begun = front.get("variables").and_then(Value::as_object).into_iter().flatten();
        Self { begun: begun.map(|(name, _)| name.clone()).collect(), set: BTreeSet::new() }
    }

    /// Reads the front matter of a step.
    pub(super) fn add_step(&mut self, front: &Value) {
        let names = front.get("setsVariables").and_then(Value::as_array).into_iter().flatten();
        self.set.extend(names.filter_map(|name| name_of(name.as_str()?)));
    }

    /// Warns about a name that nothing sets: its condition never holds. While no step lists what
    /// it sets, nothing is known and nothing is said.
    pub(super) fn warn_unset(&self, reading: &mut PackageReader<'_>, path: &str, graph: &Graph) {
        if self.set.is_empty() {
            return;
        }
        for (at, edge) in graph.edges.iter().enumerate() {
            let mut asked = BTreeSet::new();
            if let Some(expr) = &edge.condition_expr {
                variables(expr, &mut asked);
            }
            let is_known = |name: &&String| self.set.contains(*name) || self.begun.contains(*name);
            for name in asked.iter().filter(|name| !is_known(name)) {
                let says = findings::variable_never_set(&edge.from, &edge.to, shown(name));
                let pointer = format!("/edges/{at}/conditionExpr");
                let advice = advice::list_variable();
                reading.warning_at(path, "condition-variable", &pointer, says, advice);
            }
        }
    }
}

/// The variable that a `var` or an entry of `setsVariables` names: `variables.a.b` and `a.b` are
/// both `a`. What the person said is no variable of the run.
fn name_of(text: &str) -> Option<String> {
    if ASKED_OF_PERSON.contains(&text) {
        return None;
    }
    let text = text.strip_prefix("variables.").unwrap_or(text);
    let name = text.split('.').next().unwrap_or_default().trim();
    (!name.is_empty() && name != "variables").then(|| name.to_owned())
}

fn variables(expr: &Value, found: &mut BTreeSet<String>) {
    match expr {
        Value::Array(items) => {
            for item in items {
                variables(item, found);
            }
        }
        Value::Object(map) => {
            for (operator, arguments) in map {
                if operator == "var" {
                    let first = arguments.as_array().and_then(|a| a.first());
                    let named = first.unwrap_or(arguments).as_str();
                    found.extend(named.and_then(name_of));
                } else {
                    variables(arguments, found);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_are_found_with_and_without_the_prefix() {
        let expr = json!({ "and": [
            { "==": [{ "var": "projectType" }, "greenfield"] },
            { ">": [{ "var": ["variables.size.lines", 0] }, 1] },
            { "in": [{ "var": "parts" }, [1, 2]] },
            { "var": "" }, { "var": 3 },
            { "in": ["c", { "var": "$person.said" }] }, { "var": "$person.answered" }, { "var": "$person.age" },
        ] });
        let mut found = BTreeSet::new();
        variables(&expr, &mut found);
        assert_eq!(
            found.into_iter().collect::<Vec<_>>(),
            ["$person", "parts", "projectType", "size"]
        );
    }
}
