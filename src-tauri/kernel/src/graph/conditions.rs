//! Conditions of edges: a small, closed set of JSONLogic's operators, none of which goes round or
//! makes a text longer. Conditions come from packages and variables from models, so both what a
//! condition may be and what judging it may cost has a bound.

use datalogic_rs::{Engine, ParsedData};
use serde_json::{Map, Value};

use super::said::{ASKED_OF_PERSON, PERSON, Premises, SaidInStep};
use crate::bounds::{
    CONDITION_DEPTH, CONDITION_PARTS, CONDITION_STEPS, CONDITION_TEXT, Exhausted, Fuel,
};

/// The operators a condition may use.
const OPERATORS: [&str; 15] =
    ["==", "===", "!=", "!==", "<", "<=", ">", ">=", "and", "or", "!", "!!", "in", "if", "missing"];

/// Names a variable.
const VAR: &str = "var";

/// Why a condition is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnfitCondition {
    /// An operator outside the set.
    Operator(String),
    /// An object that is more than one operator and its operands.
    NotAlone,
    /// `var` and `missing` name variables by plain texts.
    Name,
    /// Of the person there is what they said, and whether they answered.
    Person,
    /// More than [`CONDITION_PARTS`], or a text over [`CONDITION_TEXT`].
    TooLong,
    /// More than [`CONDITION_DEPTH`].
    TooDeep,
    /// What the evaluator says.
    Broken(String),
}

/// Whether a condition can be judged at all.
///
/// # Errors
/// What is wrong with it: an operator outside the set, a name that is no text, too much of it.
pub fn check_condition(expr: &Value) -> Result<(), UnfitCondition> {
    check(expr, 1, &mut 0)?;
    let compiled = Engine::new().compile(expr.to_string().as_str());
    compiled.map(|_| ()).map_err(|e| UnfitCondition::Broken(e.to_string()))
}

fn check(expr: &Value, depth: usize, parts: &mut usize) -> Result<(), UnfitCondition> {
    *parts += 1;
    if *parts > CONDITION_PARTS {
        return Err(UnfitCondition::TooLong);
    }
    if depth > CONDITION_DEPTH {
        return Err(UnfitCondition::TooDeep);
    }
    match expr {
        Value::String(text) if text.len() > CONDITION_TEXT => Err(UnfitCondition::TooLong),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
        Value::Array(items) => items.iter().try_for_each(|item| check(item, depth + 1, parts)),
        Value::Object(map) => {
            let Some((operator, operands)) = alone(map)? else { return Ok(()) };
            let named = match operator {
                VAR if operands.first().is_some_and(is_unknown_of_person) => {
                    return Err(UnfitCondition::Person);
                }
                VAR => operands.first().into_iter().all(is_name),
                "missing" => operands.iter().all(are_names),
                known if OPERATORS.contains(&known) => true,
                unknown => return Err(UnfitCondition::Operator(unknown.to_owned())),
            };
            if !named {
                return Err(UnfitCondition::Name);
            }
            operands.iter().try_for_each(|operand| check(operand, depth + 1, parts))
        }
    }
}

/// The only operator of an object, and what it is for; an empty object is a value.
fn alone(map: &Map<String, Value>) -> Result<Option<(&str, &[Value])>, UnfitCondition> {
    let mut entries = map.iter();
    let first = entries.next();
    if entries.next().is_some() {
        return Err(UnfitCondition::NotAlone);
    }
    Ok(first.map(|(operator, operands)| (operator.as_str(), listed(operands))))
}

/// One operand may stand without its list.
fn listed(operands: &Value) -> &[Value] {
    match operands {
        Value::Array(items) => items,
        one => std::slice::from_ref(one),
    }
}

/// Whether a name is of the person, and none that there is.
fn is_unknown_of_person(name: &Value) -> bool {
    let Some(name) = name.as_str() else { return false };
    let bare = name.strip_prefix("variables.").unwrap_or(name);
    names_person(bare) && !ASKED_OF_PERSON.contains(&name)
}

fn names_person(name: &str) -> bool {
    name.strip_prefix(PERSON).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

const fn is_name(value: &Value) -> bool {
    matches!(value, Value::String(_) | Value::Number(_))
}

fn are_names(value: &Value) -> bool {
    listed(value).iter().all(is_name)
}

/// Whether a condition asks for what the person said.
pub(super) fn asks_the_person(expr: &Value) -> bool {
    match expr {
        Value::Array(items) => items.iter().any(asks_the_person),
        Value::Object(map) => map.iter().any(|(operator, operands)| {
            let of_person = |name: &Value| name.as_str().is_some_and(names_person);
            let names = operator == VAR && listed(operands).first().is_some_and(of_person);
            names || asks_the_person(operands)
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// Variables, ready to be asked by many conditions, and the steps left for all of them.
pub(super) struct Conditions {
    engine: Engine,
    data: Value,
    parsed: Option<ParsedData>,
    fuel: Fuel,
}

impl Conditions {
    /// `var` names a variable with or without `variables.` before it: packages write both. What the
    /// person said stands below [`PERSON`], whatever the run's variables are called.
    pub(super) fn over(given: Premises<'_>) -> Self {
        let variables = given.variables;
        let mut data = variables.as_object().cloned().unwrap_or_default();
        data.shift_remove(PERSON);
        data.insert("variables".to_owned(), Value::Object(data.clone()));
        let said =
            given.said.map_or_else(|| SaidInStep::default().to_value(), SaidInStep::to_value);
        data.insert(PERSON.to_owned(), said);
        let data = Value::Object(data);
        let parsed = ParsedData::from_json(&data.to_string()).ok();
        Self { engine: Engine::new(), data, parsed, fuel: Fuel::new(CONDITION_STEPS) }
    }

    /// Whether a condition holds. One that cannot be judged does not: a broken condition must
    /// never open an edge.
    pub(super) fn hold(&mut self, expr: &Value) -> Result<bool, Exhausted> {
        if check(expr, 1, &mut 0).is_err() {
            return Ok(false);
        }
        let Self { data, fuel, .. } = self;
        pay(expr, data, fuel)?;
        Ok(self.judged(expr).is_some_and(|value| truthy(&value)))
    }

    fn judged(&self, expr: &Value) -> Option<Value> {
        let logic = self.engine.compile(expr.to_string().as_str()).ok()?;
        let text = self.engine.session().eval_str(&logic, self.parsed.as_ref()?).ok()?;
        serde_json::from_str(&text).ok()
    }
}

/// Takes what judging a checked condition costs at most: no operator touches more than all of its
/// operands, once.
fn pay(expr: &Value, data: &Value, fuel: &mut Fuel) -> Result<(), Exhausted> {
    match expr {
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => pay_for(expr, fuel),
        Value::Array(items) => items.iter().try_for_each(|item| pay(item, data, fuel)),
        Value::Object(map) => {
            fuel.spend(1)?;
            for (operator, operands) in map {
                let operands = listed(operands);
                let names = match operator.as_str() {
                    VAR => operands.get(..1).unwrap_or_default(),
                    "missing" => operands,
                    _ => &[],
                };
                for name in names.iter().flat_map(listed) {
                    pay_for_variable(name, data, fuel)?;
                }
                operands.iter().try_for_each(|operand| pay(operand, data, fuel))?;
            }
            Ok(())
        }
    }
}

fn pay_for_variable(name: &Value, data: &Value, fuel: &mut Fuel) -> Result<(), Exhausted> {
    let name = name.as_str().map_or_else(|| name.to_string(), str::to_owned);
    let mut here = data;
    for key in name.split('.').filter(|key| !key.is_empty()) {
        let next = match here {
            Value::Object(map) => {
                fuel.spend(1 + map.len())?;
                map.get(key)
            }
            Value::Array(items) => {
                fuel.spend(1)?;
                key.parse().ok().and_then(|at: usize| items.get(at))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        };
        let Some(next) = next else { return Ok(()) };
        here = next;
    }
    pay_for(here, fuel)
}

/// The size of a value: its parts, and its texts in pieces of 64 bytes.
fn pay_for(value: &Value, fuel: &mut Fuel) -> Result<(), Exhausted> {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => fuel.spend(1)?,
            Value::String(text) => fuel.spend(1 + text.len() / 64)?,
            Value::Array(items) => {
                fuel.spend(1)?;
                open.extend(items);
            }
            Value::Object(map) => {
                fuel.spend(1 + map.len())?;
                open.extend(map.values());
            }
        }
    }
    Ok(())
}

/// JSONLogic's own truth table: false, null, 0, "" and [] are false.
fn truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(b) => *b,
        Value::Number(n) => n.as_f64().is_some_and(|n| n != 0.0),
        Value::String(s) => !s.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(_) => true,
    }
}

#[cfg(test)]
mod tests;
