//! One or several of a list: by number, by value, or by what is shown.

use kernel::phrase::{Phrase, asking};
use kernel::text::ellipsis;
use kernel::widget::Widget;
use serde_json::{Value, json};

use super::person::Ask;

/// What was typed is repeated no longer than this, bytes.
const SHOWN: usize = 60;

/// One choice: what is submitted, and what is shown.
type Choice = (String, String);

fn choices(widget: &Widget) -> Vec<Choice> {
    let options = widget.options.iter().flatten().map(|o| (o.value.clone(), o.label.clone()));
    let actions = widget.actions.iter().flatten().map(|a| (a.id.clone(), a.label.clone()));
    options.chain(actions).collect()
}

/// Whether the choices have numbers: not where a number may be one of them.
pub(crate) fn are_numbered(widget: &Widget) -> bool {
    have_numbers(&choices(widget))
}

/// Whether numbers can mean them.
pub(super) fn have_numbers(choices: &[Choice]) -> bool {
    let is_number = |text: &str| text.trim().parse::<f64>().is_ok();
    !choices.iter().any(|(value, label)| is_number(value) || is_number(label))
}

/// An action's id.
pub(super) fn action(ask: &mut Ask<'_>, widget: &Widget) -> Option<Value> {
    Some(Value::from(one(ask, &choices(widget), &prompt(ask, widget))?))
}

/// A list of values.
pub(super) fn selection(ask: &mut Ask<'_>, widget: &Widget) -> Option<Value> {
    let choices = choices(widget);
    if widget.multi != Some(true) {
        return Some(json!([one(ask, &choices, &prompt(ask, widget))?]));
    }
    let several = if have_numbers(&choices) {
        asking::several_by_number()
    } else {
        asking::several_by_value()
    };
    let prompt = prompt_by(ask, several);
    loop {
        let line = ask.person.answer(&prompt)?;
        match several_of(&line, &choices) {
            Ok(values) => return Some(json!(values)),
            Err(wrong) => complain(ask, &wrong, &choices),
        }
    }
}

/// Asks for one of them.
pub(super) fn one(ask: &mut Ask<'_>, choices: &[Choice], prompt: &str) -> Option<String> {
    loop {
        let line = ask.person.answer(prompt)?;
        match one_of(&line, choices) {
            Some(value) => return Some(value),
            None => complain(ask, &line, choices),
        }
    }
}

fn prompt(ask: &Ask<'_>, widget: &Widget) -> String {
    let numbered = are_numbered(widget);
    prompt_by(ask, if numbered { asking::number_or_value() } else { asking::a_value() })
}

fn prompt_by(ask: &Ask<'_>, by: Phrase) -> String {
    format!("({}) > ", ask.say(by))
}

fn complain(ask: &mut Ask<'_>, line: &str, choices: &[Choice]) {
    let line = ellipsis(line, SHOWN);
    ask.told(if have_numbers(choices) {
        asking::none_of_the_numbered(line, choices.len())
    } else {
        asking::none_of_the_values(line)
    });
}

/// The value that a text means, when it means one.
pub(super) fn one_of(text: &str, choices: &[Choice]) -> Option<String> {
    let text = text.trim();
    let found = |is: &dyn Fn(&Choice) -> bool| {
        let mut hits = choices.iter().filter(|choice| is(choice));
        hits.next().filter(|_| hits.next().is_none()).map(|(value, _)| value.clone())
    };
    let small = text.to_lowercase();
    let number = text.parse::<usize>().ok().filter(|_| have_numbers(choices));
    let numbered = number.and_then(|n| choices.get(n.checked_sub(1)?)).map(|(v, _)| v.clone());
    found(&|(value, _)| value == text)
        .or(numbered)
        .or_else(|| found(&|(_, label)| label == text))
        .or_else(|| found(&|(value, _)| value.to_lowercase() == small))
        .or_else(|| found(&|(_, label)| label.to_lowercase() == small))
}

/// The values that a text means; what of it means none.
fn several_of(line: &str, choices: &[Choice]) -> Result<Vec<String>, String> {
    if line == "-" {
        return Ok(Vec::new());
    }
    if let Some(value) = one_of(line, choices) {
        return Ok(vec![value]);
    }
    let by_comma: Vec<&str> = line.split([',', '，', '、', ';', '；']).map(str::trim).collect();
    let parts = match &by_comma[..] {
        [single] => single.split_whitespace().collect(),
        _ => by_comma,
    };
    let mut values: Vec<String> = Vec::new();
    for part in parts.into_iter().filter(|part| !part.is_empty()) {
        let value = one_of(part, choices).ok_or_else(|| part.to_owned())?;
        if !values.contains(&value) {
            values.push(value);
        }
    }
    if values.is_empty() { Err(line.to_owned()) } else { Ok(values) }
}
