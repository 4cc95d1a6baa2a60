//! Answers that are given beforehand, and the file of `--answers`: a YAML list of them.

use host::plain_file;
use kernel::bounds::ANSWERS_FILE_BYTES;
use kernel::code::{ErrorCode, Failure};
use kernel::phrase::{Phrase, Why, terminal};
use kernel::text::{bytes, ellipsis};
use kernel::widget::WidgetKind;
use serde_yaml::{Mapping, Value};
use std::collections::VecDeque;
use std::io;
use std::path::Path;

/// One answer: plain words, or the value of a widget.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Given {
    /// Words; for a widget, its value as text.
    Text(String),
    /// Words that are said whatever waits.
    Said(String),
    /// A widget's value.
    Widget(GivenWidget),
}

/// `{widgetId?, type?, value}`
#[derive(Debug, Clone, PartialEq)]
pub(super) struct GivenWidget {
    pub(super) widget_id: Option<String>,
    pub(super) kind: Option<WidgetKind>,
    pub(super) value: serde_json::Value,
}

/// What an answer to a widget may have.
const KEYS: [&str; 3] = ["widgetId", "type", "value"];
/// What is repeated of the file in a message, bytes.
const SHOWN: usize = 80;

pub(super) fn read(file: &Path) -> Result<VecDeque<Given>, Failure> {
    let unread = |e| host::failure::io(ErrorCode::BadRequest, "--answers", &e);
    let opened = std::fs::File::open(file).map_err(unread)?;
    let text = plain_file::text_of(opened, ANSWERS_FILE_BYTES).map_err(|e| match e.kind() {
        io::ErrorKind::FileTooLarge => {
            unfit(terminal::longer_than(bytes(ANSWERS_FILE_BYTES)).into())
        }
        _ => unread(e),
    })?;
    parse(&text).map_err(unfit)
}

fn unfit(why: Why) -> Failure {
    Failure::new(ErrorCode::BadRequest, terminal::answers_file(why))
        .with_action(terminal::write_a_list("{widgetId, type, value}"))
}

fn parse(text: &str) -> Result<VecDeque<Given>, Why> {
    let Value::Sequence(items) = serde_yaml::from_str(text).map_err(Why::quoted)? else {
        return Err(terminal::answers_no_list().into());
    };
    // People count from one.
    (1..).zip(items).map(|(number, item)| given(number, item).map_err(Why::from)).collect()
}

fn given(number: usize, item: Value) -> Result<Given, Phrase> {
    match item {
        Value::String(text) => Ok(Given::Text(text)),
        Value::Mapping(map) => widget(number, map).map(Given::Widget),
        other => Err(terminal::answer_no_answer(number, shown(&other))),
    }
}

fn widget(number: usize, mut map: Mapping) -> Result<GivenWidget, Phrase> {
    if let Some(key) = map.keys().find(|key| !key.as_str().is_some_and(|key| KEYS.contains(&key))) {
        return Err(terminal::answer_key_unknown(number, shown(key), KEYS.join(", ")));
    }
    let mut text = |name| match map.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(terminal::answer_name_no_text(number, name)),
    };
    let (widget_id, kind) = (text(KEYS[0])?, text(KEYS[1])?);
    let unknown = |kind: String| {
        let known = WidgetKind::NAMES.join(", ");
        terminal::answer_type_unknown(number, ellipsis(&kind, SHOWN), known)
    };
    let kind = kind.map(|kind| kind.parse().map_err(|_| unknown(kind))).transpose()?;
    let value = map.remove(KEYS[2]).ok_or_else(|| terminal::answer_value_missing(number))?;
    let value = serde_yaml::from_value(value)
        .map_err(|why| terminal::answer_value_unfit(number, Why::quoted(why)))?;
    Ok(GivenWidget { widget_id, kind, value })
}

/// What stands in the file, in one line.
fn shown(value: &Value) -> String {
    let yaml = serde_yaml::to_string(value).unwrap_or_default();
    ellipsis(&yaml.trim_end().replace('\n', " "), SHOWN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::phrase::Part;
    use rstest::rstest;
    use serde_json::json;

    #[test]
    fn an_answers_file_holds_texts_and_values_in_order() {
        let list =
            parse("- hello\n- { widgetId: w, type: selection, value: [a] }\n- {value: null}");
        let Ok(list) = list else { panic!("it is a list of answers") };
        assert_eq!(list[0], Given::Text("hello".into()));
        assert!(matches!(&list[1], Given::Widget(w) if w.value == json!(["a"])
            && w.kind == Some(WidgetKind::Selection) && w.widget_id.as_deref() == Some("w")));
        assert!(matches!(&list[2], Given::Widget(w) if w.value.is_null() && w.kind.is_none()));
    }

    #[rstest]
    #[case("", "it is not a list")]
    #[case("just words", "it is not a list")]
    #[case("- a\n- 5", "answer 2 is neither a text nor an answer to a widget: 5")]
    #[case("- [a, b]", "answer 1 is neither a text nor an answer to a widget: - a - b")]
    #[case(
        "- {widget: w}",
        "answer 1 has the unknown name `widget`; it may have widgetId, type, value"
    )]
    #[case("- {1: w}", "answer 1 has the unknown name `1`; it may have widgetId, type, value")]
    #[case("- {widgetId: w}", "answer 1 has no `value`")]
    #[case("- {widgetId: 5, value: 1}", "`widgetId` of answer 1 is not a text")]
    #[case(
        "- {type: choice, value: 1}",
        "answer 1 has the unknown type `choice`; there is form, selection, confirmation, \
         plan_review, feedback, action_selection"
    )]
    fn what_is_no_answer_is_named_with_what_is_one(#[case] text: &str, #[case] says: &str) {
        let Err(why) = parse(text) else { panic!("{text:?} is no list of answers") };
        assert_eq!(Part::from(why).english(), says);
    }
}
