//! A form, field by field. What a field takes is said before it is asked, and again when what was
//! typed does not fit.

use kernel::widget::{Widget, WidgetKind, check_value};
use kernel::words::Lang;
use serde_json::{Map, Number, Value, json};

use super::{Ask, choice};

/// What became of a field.
enum Filled {
    /// This stands in it.
    With(Value),
    /// It was left out.
    Empty,
}

/// One field of a form.
struct Field<'w> {
    name: &'w str,
    schema: &'w Value,
    required: bool,
}

fn fields(widget: &Widget) -> Vec<Field<'_>> {
    let schema = widget.schema.as_ref().filter(|_| widget.kind == WidgetKind::Form);
    let required = schema.and_then(|s| s.get("required")?.as_array());
    let properties = schema.and_then(|s| s.get("properties")?.as_object());
    let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|n| n == name));
    let field = |(name, schema)| {
        let name: &String = name;
        Field { name, schema, required: is_required(name) }
    };
    properties.into_iter().flatten().map(field).collect()
}

/// What the fields take, one a line.
pub(crate) fn described(widget: &Widget, lang: Lang) -> Vec<String> {
    let line = |field: &Field<'_>| {
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

impl Field<'_> {
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
            let (en, zh) =
                (format!("That does not fit: {takes}."), format!("不符合要求：{takes}。"));
            ask.told(&en, &zh);
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
        let zh = lang == Lang::Zh;
        let pick = |en: &str, zh_text: &str| if zh { zh_text.to_owned() } else { en.to_owned() };
        let mut words = vec![match self.kind() {
            _ if self.schema.get("enum").is_some() => pick("one of the list", "从列表中选一个"),
            "boolean" => pick("y/n", "y/n"),
            "integer" => pick("whole number", "整数"),
            "number" => pick("number", "数字"),
            _ => pick("text", "文字"),
        }];
        words.extend(self.range(("minimum", "maximum"), zh, ""));
        let unit = if zh { " 个字符" } else { " characters" };
        words.extend(self.range(("minLength", "maxLength"), zh, unit));
        if let Some(format) = self.text("format") {
            words.push(if zh { format!("格式 {format}") } else { format!("as {format}") });
        }
        if let Some(pattern) = self.text("pattern") {
            words.push(if zh {
                format!("匹配 {pattern}")
            } else {
                format!("matching {pattern}")
            });
        }
        words.push(match (self.schema.get("default"), self.required) {
            (Some(default), _) => {
                let default = default.as_str().map_or_else(|| default.to_string(), str::to_owned);
                if zh { format!("回车：{default}") } else { format!("Enter: {default}") }
            }
            (None, true) => pick("required", "必填"),
            (None, false) => pick("optional", "可不填"),
        });
        words.join(if zh { "，" } else { ", " })
    }

    fn range(&self, (low, high): (&str, &str), zh: bool, unit: &str) -> Option<String> {
        let limit = |key: &str| self.schema.get(key).filter(|v| v.is_number());
        Some(match (limit(low), limit(high), zh) {
            (Some(low), Some(high), false) => format!("{low} to {high}{unit}"),
            (Some(low), Some(high), true) => format!("{low} 到 {high}{unit}"),
            (Some(low), None, false) => format!("at least {low}{unit}"),
            (Some(low), None, true) => format!("至少 {low}{unit}"),
            (None, Some(high), false) => format!("at most {high}{unit}"),
            (None, Some(high), true) => format!("至多 {high}{unit}"),
            (None, None, _) => return None,
        })
    }
}
