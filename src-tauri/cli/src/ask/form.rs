//! A form, field by field. What a field takes is said before it is asked, and again when what was
//! typed does not fit.

use kernel::phrase::{Phrase, asking};
use kernel::widget::{Widget, WidgetKind, check_value};
use kernel::words::{Lang, say};
use serde_json::{Map, Number, Value, json};

use super::choice;
use super::person::Ask;

/// What became of a field.
enum Filled {
    /// This stands in it.
    With(Value),
    /// It was left out.
    Empty,
}

/// One field of a form.
struct FormField<'w> {
    name: &'w str,
    schema: &'w Value,
    required: bool,
}

fn fields(widget: &Widget) -> Vec<FormField<'_>> {
    let schema = widget.schema.as_ref().filter(|_| widget.kind == WidgetKind::Form);
    let required = schema.and_then(|s| s.get("required")?.as_array());
    let properties = schema.and_then(|s| s.get("properties")?.as_object());
    let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|n| n == name));
    let field = |(name, schema)| {
        let name: &String = name;
        FormField { name, schema, required: is_required(name) }
    };
    properties.into_iter().flatten().map(field).collect()
}

/// What the fields take, one a line.
pub(crate) fn described(widget: &Widget, lang: Lang) -> Vec<String> {
    let line = |field: &FormField<'_>| {
        let more = field.text("description").map(|d| format!(": {d}")).unwrap_or_default();
        format!("  [{}] {} ({}){more}", field.name, field.title(), field.takes(lang))
    };
    fields(widget).iter().map(line).collect()
}

/// The whole form; `None` when the person leaves.
pub(super) fn ask(ask: &mut Ask<'_>, widget: &Widget) -> Option<Value> {
    let mut values = Map::new();
    for field in fields(widget) {
        if let Filled::With(value) = field.ask(ask, widget)? {
            values.insert(field.name.to_owned(), value);
        }
    }
    Some(Value::Object(values))
}

impl FormField<'_> {
    /// Until it fits; `None` when the person leaves.
    fn ask(&self, ask: &mut Ask<'_>, widget: &Widget) -> Option<Filled> {
        let takes = self.takes(ask.lang);
        if let Some(description) = self.text("description") {
            ask.person.told(&format!("  {description}"));
        }
        for (i, (value, _)) in self.choices().iter().enumerate() {
            let number = if self.has_numbers() { format!("{}. ", i + 1) } else { String::new() };
            ask.person.told(&format!("  {number}[{value}]"));
        }
        let prompt = format!("  {} ({takes}) > ", self.title());
        loop {
            let line = ask.person.answer(&prompt)?;
            let given = match (line.is_empty(), self.schema.get("default"), self.required) {
                (false, _, _) => self.read(&line),
                (true, Some(default), _) => Some(default.clone()),
                (true, None, false) => return Some(Filled::Empty),
                (true, None, true) => None,
            };
            if let Some(value) = given.filter(|value| self.fits(widget, value)) {
                return Some(Filled::With(value));
            }
            ask.told(asking::does_not_fit(&takes));
        }
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.schema.get(key)?.as_str().filter(|text| !text.is_empty())
    }

    fn title(&self) -> &str {
        self.text("title").unwrap_or(self.name)
    }

    fn kind(&self) -> &str {
        self.text("type").unwrap_or_default()
    }

    /// The values of an enum, as they are typed.
    fn choices(&self) -> Vec<(String, String)> {
        let values = self.schema.get("enum").and_then(Value::as_array);
        let typed = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        values.into_iter().flatten().map(|v| (typed(v), typed(v))).collect()
    }

    fn has_numbers(&self) -> bool {
        choice::have_numbers(&self.choices())
    }

    /// The value that a line means, when it means one of the right type.
    fn read(&self, line: &str) -> Option<Value> {
        if let Some(values) = self.schema.get("enum").and_then(Value::as_array) {
            let choices = self.choices();
            let chosen = choice::one_of(line, &choices)?;
            let at = choices.iter().position(|(value, _)| *value == chosen)?;
            return values.get(at).cloned();
        }
        match self.kind() {
            "string" => Some(Value::from(line)),
            "boolean" => match line.to_lowercase().as_str() {
                "y" | "yes" | "true" | "是" => Some(true.into()),
                "n" | "no" | "false" | "否" => Some(false.into()),
                _ => None,
            },
            // What JSON calls a number, and what people write: +5, .5, 05.
            _ => serde_json::from_str::<Number>(line).ok().map(Value::Number).or_else(|| {
                let whole = line.parse::<i64>().ok().map(Number::from);
                let number = whole.or_else(|| Number::from_f64(line.parse().ok()?));
                number.map(Value::Number)
            }),
        }
    }

    /// By the very check that the whole answer will meet.
    fn fits(&self, widget: &Widget, value: &Value) -> bool {
        let mut alone = widget.clone();
        let schema = json!({ "type": "object", "properties": { self.name: self.schema } });
        alone.schema = Some(schema);
        check_value(&alone, json!({ self.name: value })).is_ok()
    }

    /// Type, limits, whether it may be left out, and what stands when it is.
    fn takes(&self, lang: Lang) -> String {
        let mut takes = vec![match self.kind() {
            _ if self.schema.get("enum").is_some() => asking::takes_one_of_the_list(),
            "boolean" => asking::takes_yes_or_no(),
            "integer" => asking::takes_whole_number(),
            "number" => asking::takes_number(),
            _ => asking::takes_text(),
        }];
        takes.extend(self.range("minimum", "maximum"));
        takes.extend(self.range("minLength", "maxLength").map(asking::takes_characters));
        takes.extend(self.text("format").map(asking::takes_format));
        takes.extend(self.text("pattern").map(asking::takes_pattern));
        takes.push(match (self.schema.get("default"), self.required) {
            (Some(Value::String(default)), _) => asking::takes_default(default),
            (Some(default), _) => asking::takes_default(default),
            (None, true) => asking::takes_required(),
            (None, false) => asking::takes_optional(),
        });
        let takes: Vec<String> = takes.into_iter().map(|phrase| say(&[phrase], lang)).collect();
        takes.join(&say(&[asking::comma()], lang))
    }

    fn range(&self, low: &str, high: &str) -> Option<Phrase> {
        let limit = |key: &str| self.schema.get(key).filter(|v| v.is_number());
        match (limit(low), limit(high)) {
            (Some(low), Some(high)) => Some(asking::takes_between(low, high)),
            (Some(low), None) => Some(asking::takes_at_least(low)),
            (None, Some(high)) => Some(asking::takes_at_most(high)),
            (None, None) => None,
        }
    }
}
