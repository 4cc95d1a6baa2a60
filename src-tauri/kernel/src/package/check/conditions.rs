//! Which variables the conditions of a graph ask for, and whether anything says that it sets them.

use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

use super::files::{PackageReader, shown};
use crate::bounds::{CONDITION_LOOKUPS, Fuel};
use crate::graph::{ASKED_OF_PERSON, Graph};
use crate::package::Workflow;
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
}

/// Warns about each name that nothing sets: its condition never holds. While no step of a workflow
/// lists what it sets, nothing is known of it and nothing is said.
pub(super) fn warn_unset(reading: &mut PackageReader<'_>, all: &[(Workflow, Variables)]) {
    let callers = Callers::of(all);
    let mut fuel = Fuel::new(CONDITION_LOOKUPS);
    for (at, (workflow, own)) in all.iter().enumerate() {
        if own.set.is_empty() {
            continue;
        }
        let mut unset = asked(&workflow.graph);
        for caller in callers.above(at) {
            if unset.is_empty() {
                break;
            }
            // What would take too long to say is not said.
            if fuel.spend(unset.len() + 1).is_err() {
                return;
            }
            let known = &all[caller].1;
            unset.retain(|name, _| !known.set.contains(name) && !known.begun.contains(name));
        }
        for (name, edges) in unset {
            for at in edges {
                let edge = &workflow.graph.edges[at];
                let says = findings::variable_never_set(&edge.from, &edge.to, shown(&name));
                let (path, pointer) = (&workflow.graph_path, format!("/edges/{at}/conditionExpr"));
                let advice = advice::list_variable();
                reading.warning_at(path, "condition-variable", &pointer, says, advice);
            }
        }
    }
}

/// The names that conditions of a graph ask for, each with the numbers of the edges.
fn asked(graph: &Graph) -> BTreeMap<String, Vec<usize>> {
    let mut asked: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, edge) in graph.edges.iter().enumerate() {
        let mut names = BTreeSet::new();
        if let Some(expr) = &edge.condition_expr {
            variables(expr, &mut names);
        }
        for name in names {
            asked.entry(name).or_default().push(at);
        }
    }
    asked
}

/// Which workflows call which with their variables, by their numbers.
struct Callers(Vec<BTreeSet<usize>>);

impl Callers {
    fn of(all: &[(Workflow, Variables)]) -> Self {
        let numbered = all.iter().enumerate().map(|(at, (workflow, _))| (&workflow.id, at));
        let by_id: BTreeMap<_, _> = numbered.collect();
        let mut callers = vec![BTreeSet::new(); all.len()];
        for (caller, (workflow, _)) in all.iter().enumerate() {
            let with_theirs = workflow.graph.nodes.iter().filter(|node| node.pass_context);
            for called in with_theirs.filter_map(|node| by_id.get(node.called_workflow()?)) {
                callers[*called].insert(caller);
            }
        }
        Self(callers)
    }

    /// A workflow, and all that come to call it, each once.
    fn above(&self, at: usize) -> Vec<usize> {
        let (mut found, mut seen) = (vec![at], BTreeSet::from([at]));
        let mut next = 0;
        while let Some(workflow) = found.get(next) {
            let callers = self.0[*workflow].iter().filter(|caller| seen.insert(**caller));
            let callers: Vec<usize> = callers.copied().collect();
            found.extend(callers);
            next += 1;
        }
        found
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
                } else if operator == "missing" {
                    let listed = arguments.as_array().map(Vec::as_slice);
                    let listed = listed.unwrap_or(std::slice::from_ref(arguments));
                    found.extend(listed.iter().filter_map(|name| name_of(name.as_str()?)));
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
            { "var": "" }, { "var": 3 }, { "missing": ["goal", "variables.plan.b"] }, { "missing": "scope" },
            { "in": ["c", { "var": "$person.said" }] }, { "var": "$person.answered" }, { "var": "$person.age" },
        ] });
        let mut found = BTreeSet::new();
        variables(&expr, &mut found);
        assert_eq!(
            found.into_iter().collect::<Vec<_>>(),
            ["$person", "goal", "parts", "plan", "projectType", "scope", "size"]
        );
    }
}
