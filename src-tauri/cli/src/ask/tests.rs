use super::person::Person;
use super::*;
use kernel::widget::parse;
use rstest::rstest;
use std::collections::VecDeque;

/// Types these lines, then leaves.
struct Script {
    lines: VecDeque<String>,
    heard: Vec<String>,
}

impl Person for Script {
    fn answer(&mut self, prompt: &str) -> Option<String> {
        self.heard.push(prompt.to_owned());
        self.lines.pop_front()
    }

    fn told(&mut self, text: &str) {
        self.heard.push(text.to_owned());
    }
}

fn widget(payload: &Value) -> Widget {
    parse(payload).unwrap()
}

/// The value, and all that was said.
fn typed(payload: &Value, lines: &[&str], lang: Lang) -> (Option<Value>, String) {
    let lines = lines.iter().map(|line| (*line).to_owned()).collect();
    let mut person = Script { lines, heard: Vec::new() };
    let value = Ask::new(&mut person, lang).value(&widget(payload));
    (value, person.heard.join("\n"))
}

fn selection(multi: bool) -> Value {
    json!({
        "widgetId": "w", "type": "selection", "message": "Which?", "multi": multi,
        "options": [
            { "value": "green", "label": "New project" },
            { "value": "brown", "label": "An old one", "description": "With a history" },
            { "value": "a b", "label": "Two words" },
        ],
    })
}

#[rstest]
#[case(&["1"], "green")]
#[case(&["brown"], "brown")]
#[case(&["BROWN"], "brown")]
#[case(&["an old one"], "brown")]
#[case(&["a b"], "a b")]
#[case(&["", "0", "4", "-1", "blue", "99999999999999999999", "\u{1b}[2J", "2"], "brown")]
fn one_is_chosen_by_number_value_or_words(#[case] lines: &[&str], #[case] value: &str) {
    for lang in [Lang::En, Lang::Zh] {
        let (chosen, heard) = typed(&selection(false), lines, lang);
        assert_eq!(chosen, Some(json!([value])), "{heard}");
        let wrong = heard.matches("“").count();
        assert_eq!(wrong, lines.len() - 1, "each wrong answer is told: {heard}");
    }
}

#[rstest]
#[case(&["1,3"], json!(["green", "a b"]))]
#[case(&["1 2"], json!(["green", "brown"]))]
#[case(&["2，1、1"], json!(["brown", "green"]))]
#[case(&["a b"], json!(["a b"]))]
#[case(&["-"], json!([]))]
#[case(&["", "1,9", ",", "green, a b"], json!(["green", "a b"]))]
fn several_are_chosen_in_one_line(#[case] lines: &[&str], #[case] value: Value) {
    assert_eq!(typed(&selection(true), lines, Lang::En).0, Some(value));
}

#[test]
fn a_number_that_is_a_value_means_the_value() {
    let payload = json!({
        "widgetId": "w", "type": "selection", "message": "How many?",
        "options": [{ "value": "3", "label": "three" }, { "value": "1", "label": "one" }],
    });
    assert_eq!(typed(&payload, &["1"], Lang::En).0, Some(json!(["1"])));
    let (left, heard) = typed(&payload, &["2"], Lang::En);
    assert!(left.is_none() && heard.contains("none of them"), "{heard}");
}

#[rstest]
#[case(&["y"], Some(true))]
#[case(&["是"], Some(true))]
#[case(&["yess", "", "ja", "No"], Some(false))]
#[case(&["yess"], None)]
fn a_confirmation_takes_yes_or_no_and_nothing_else(
    #[case] lines: &[&str],
    #[case] yes: Option<bool>,
) {
    let payload = json!({ "widgetId": "c", "type": "confirmation", "message": "Go on?" });
    let value = yes.map(|yes| json!({ "confirmed": yes }));
    assert_eq!(typed(&payload, lines, Lang::Zh).0, value);
}

fn form() -> Value {
    json!({
        "widgetId": "f", "type": "form", "message": "About it",
        "schema": {
            "type": "object", "required": ["name", "age", "tone"],
            "properties": {
                "name": { "type": "string", "title": "Name", "minLength": 2, "maxLength": 20 },
                "age": { "type": "integer", "minimum": 1, "maximum": 120, "description": "In years" },
                "ratio": { "type": "number", "default": 0.5 },
                "public": { "type": "boolean" },
                "tone": { "enum": ["calm", "loud"] },
                "mail": { "type": "string", "format": "email" },
                "slug": { "type": "string", "pattern": "^[a-z]+$" },
            },
        },
    })
}

#[test]
fn a_form_is_asked_field_by_field_and_each_field_until_it_fits() {
    let lines = [
        "",
        "x",
        "Ada Lovelace",
        "old",
        "0",
        "1.5",
        "36",
        "",
        "maybe",
        "y",
        "3",
        "2",
        "no mail",
        "ada@example.com",
        "A1",
        "ada",
    ];
    let (value, heard) = typed(&form(), &lines, Lang::En);
    let expected = json!({
        "name": "Ada Lovelace", "age": 36, "ratio": 0.5, "public": true, "tone": "loud",
        "mail": "ada@example.com", "slug": "ada",
    });
    assert_eq!(value, Some(expected), "{heard}");
    for told in [
        "Name (text, 2 to 20 characters, required)",
        "In years",
        "age (whole number, 1 to 120, required)",
        "ratio (number, Enter: 0.5)",
        "public (y/n, optional)",
        "1. [calm]",
        "mail (text, as email, optional)",
        "slug (text, matching ^[a-z]+$, optional)",
    ] {
        assert!(heard.contains(told), "{told}: {heard}");
    }
    assert_eq!(heard.matches("does not fit").count(), 9, "{heard}");
}

#[test]
fn what_is_optional_is_left_out_and_leaving_the_form_leaves_the_question() {
    let (value, heard) = typed(&form(), &["Ada", "36", "", "", "calm", "", ""], Lang::Zh);
    assert_eq!(value, Some(json!({ "name": "Ada", "age": 36, "ratio": 0.5, "tone": "calm" })));
    assert!(heard.contains("必填") && heard.contains("1 到 120"), "{heard}");
    assert!(!heard.contains("required"), "{heard}");
    assert_eq!(typed(&form(), &["Ada", "36"], Lang::En).0, None);
}

#[test]
fn a_plan_is_approved_or_gets_words() {
    let plan =
        json!({ "widgetId": "p", "type": "plan_review", "message": "So?", "planContent": "1. Go" });
    let asked = |lines: &[&str]| typed(&plan, lines, Lang::En).0;
    assert_eq!(asked(&["", "y"]), Some(json!({ "decision": "approve" })));
    assert_eq!(asked(&["批准"]), Some(json!({ "decision": "approve" })));
    let changes = |text: &str| Some(json!({ "decision": "request_changes", "feedback": text }));
    assert_eq!(asked(&["Shorter, please."]), changes("Shorter, please."));
    assert_eq!(asked(&["n", "Shorter."]), changes("Shorter."));
    assert_eq!(asked(&["n"]), None);
}

#[test]
fn comments_are_plain_texts_and_may_be_left_out() {
    let payload = json!({
        "widgetId": "f", "type": "feedback", "message": "What of it?",
        "items": [{ "id": "a", "content": "First" }, { "id": "b", "content": "Second" }],
    });
    let (value, heard) = typed(&payload, &["", "{\"a\": 1}"], Lang::En);
    assert_eq!(value, Some(json!({ "b": "{\"a\": 1}" })));
    assert!(heard.contains("First") && heard.contains("Second"), "{heard}");
}

#[test]
fn words_are_asked_for_until_there_are_some() {
    let lines = VecDeque::from([String::new(), "Hello".to_owned()]);
    let mut person = Script { lines, heard: Vec::new() };
    assert_eq!(Ask::new(&mut person, Lang::En).words().as_deref(), Some("Hello"));
    assert_eq!(person.heard.len(), 3);
}

#[rstest]
#[case("n", json!({ "confirmed": false }))]
#[case("No,", json!({ "confirmed": false }))]
#[case("n, not into docs, please", json!({ "confirmed": false, "instead": "not into docs, please" }))]
#[case("不，写到 notes 里", json!({ "confirmed": false, "instead": "写到 notes 里" }))]
#[case("yes", json!({ "confirmed": true }))]
fn behind_a_no_stands_what_is_wanted_instead(#[case] line: &str, #[case] value: Value) {
    let confirmation = json!({ "widgetId": "w", "type": "confirmation", "message": "Go on?" });
    for lang in [Lang::En, Lang::Zh] {
        let (answer, heard) = typed(&confirmation, &["never, ever", "nothing", line], lang);
        assert_eq!(answer, Some(value.clone()), "{heard}");
        assert_eq!(heard.lines().filter(|it| it.contains('n')).count(), 5, "{heard}");
    }
}
