use super::*;
use crate::code::ErrorCode;
use proptest::prelude::*;
use rstest::rstest;

fn form() -> Value {
    json!({
        "widgetId": "w", "type": "form", "message": "Tell me",
        "schema": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "title": "Name", "minLength": 2, "maxLength": 5},
                "age": {"type": "integer", "minimum": 0, "maximum": 150},
                "price": {"type": "number"},
                "ok": {"type": "boolean", "default": true},
                "size": {"type": "string", "enum": ["s", "m"]},
                "level": {"enum": [1, 2]},
                "mail": {"type": "string", "format": "email"},
                "code": {"type": "string", "pattern": "^[A-Z]{2}$"},
            },
            "required": ["name"],
        },
    })
}

fn selection(multi: bool) -> Value {
    json!({
        "widgetId": "w", "type": "selection", "message": "Which?", "multi": multi,
        "options": [
            {"value": "a", "label": "A"},
            {"value": "b", "label": "B", "description": "the second"},
        ],
    })
}

fn of_type(kind: &str) -> Value {
    match kind {
        "form" => form(),
        "selection" => selection(false),
        "selection*" => selection(true),
        "confirmation" => json!({"widgetId": "w", "type": kind, "message": "Sure?"}),
        "plan_review" => {
            json!({"widgetId": "w", "type": kind, "message": "Good?", "planContent": "# Plan"})
        }
        "feedback" => json!({
            "widgetId": "w", "type": kind, "message": "Comments?",
            "items": [{"id": "i1", "content": "One"}, {"id": "i2", "content": "Two"}],
        }),
        _ => json!({
            "widgetId": "w", "type": "action_selection", "message": "Next?",
            "actions": [{"id": "go", "label": "Go on"}, {"id": "stop", "label": "Stop", "description": "for now"}],
        }),
    }
}

fn widget(kind: &str) -> Widget {
    parse(&of_type(kind)).unwrap()
}

/// `of_type(kind)` with `change` merged in; `null` removes.
fn with(kind: &str, change: &Value) -> Value {
    let mut args = of_type(kind);
    for (key, value) in change.as_object().unwrap() {
        if value.is_null() {
            args.as_object_mut().unwrap().shift_remove(key);
        } else {
            args[key] = value.clone();
        }
    }
    args
}

// ---- payloads ---------------------------------------------------------------------------------

#[rstest]
#[case("form", WidgetKind::Form)]
#[case("selection", WidgetKind::Selection)]
#[case("confirmation", WidgetKind::Confirmation)]
#[case("plan_review", WidgetKind::PlanReview)]
#[case("feedback", WidgetKind::Feedback)]
#[case("action_selection", WidgetKind::ActionSelection)]
fn each_type_is_read_and_written_the_same(#[case] kind: &str, #[case] expected: WidgetKind) {
    let args = of_type(kind);
    let widget = parse(&args).unwrap();
    assert_eq!(widget.kind, expected);
    assert_eq!(widget.kind.as_str(), kind);
    assert_eq!(serde_json::to_value(&widget).unwrap(), args);
    assert_eq!(parse(&serde_json::to_value(&widget).unwrap()), Ok(widget));
}

#[test]
fn a_selection_takes_one_unless_it_says_otherwise() {
    let args = with("selection", &json!({"multi": null}));
    assert_eq!(parse(&args).unwrap().multi, Some(false));
}

#[test]
fn id_is_understood_as_widget_id_and_a_change_id_is_kept() {
    let args = with("confirmation", &json!({"widgetId": null, "id": "w2", "changeId": "c-1"}));
    let widget = parse(&args).unwrap();
    assert_eq!((widget.widget_id.as_str(), widget.change_id.as_deref()), ("w2", Some("c-1")));
    let both = with("confirmation", &json!({"id": "w"}));
    assert_eq!(parse(&both).unwrap().widget_id, "w");
}

#[test]
fn a_blank_text_that_need_not_be_there_is_as_if_it_were_not() {
    let blank = with("confirmation", &json!({"id": " ", "changeId": ""}));
    assert_eq!(parse(&blank), Ok(widget("confirmation")));
    let options = json!([{"value": "a", "label": "A", "description": "\n"}]);
    let selection = parse(&with("selection", &json!({ "options": options }))).unwrap();
    assert_eq!(selection.options.unwrap()[0].description, None);
}

#[test]
fn fields_of_other_types_that_say_nothing_are_dropped() {
    let args = with(
        "confirmation",
        &json!({"options": [], "multi": false, "planContent": "", "schema": {}}),
    );
    assert_eq!(parse(&args), Ok(widget("confirmation")));
    let mut args = of_type("confirmation");
    args["items"] = Value::Null;
    assert_eq!(parse(&args), Ok(widget("confirmation")));
}

fn many(count: usize, entry: impl Fn(usize) -> Value) -> Vec<Value> {
    (0..count).map(entry).collect()
}

#[test]
fn a_question_is_taken_up_to_its_bounds() {
    let option = |n| json!({ "value": format!("v{n}"), "label": "x" });
    let item = |n| json!({ "id": format!("i{n}"), "content": "x" });
    let action = |n| json!({ "id": format!("a{n}"), "label": "x" });
    for (kind, change, more) in [
        (
            "selection",
            json!({ "options": many(200, option) }),
            json!({ "options": many(201, option) }),
        ),
        ("feedback", json!({ "items": many(200, item) }), json!({ "items": many(201, item) })),
        (
            "action_selection",
            json!({ "actions": many(200, action) }),
            json!({ "actions": many(201, action) }),
        ),
    ] {
        assert!(parse(&with(kind, &change)).is_ok(), "{kind}");
        assert!(parse(&with(kind, &more)).unwrap_err().message.contains("more than 200"), "{kind}");
    }
    let form = |fields: usize, field: Value| {
        let fields = (0..fields).map(|n| (format!("f{n}"), field.clone()));
        json!({ "schema": { "properties": fields.collect::<serde_json::Map<_, _>>() } })
    };
    let chosen = |count| json!({ "enum": many(count, |n| json!(n)) });
    let matching = |pattern: &str| json!({ "type": "string", "pattern": pattern });
    for (fields, field) in [
        (100, json!({ "type": "string" })),
        (1, chosen(200)),
        (1, matching(&"a".repeat(1000))),
        (1, matching(r"^\p{Lu}[\p{L} '-]{0,20}$")),
    ] {
        let form = with("form", &form(fields, field));
        assert!(parse(&form).is_ok(), "{:?}", parse(&form));
    }
    for (fields, field, told) in [
        (101, json!({ "type": "string" }), "more than 100 fields"),
        (21, matching("^a$"), "more than 20 patterns"),
        (1, chosen(201), "more than 200 values"),
        (1, matching(&"a".repeat(1001)), "longer than 1000 bytes"),
        // 15 characters that stand for megabytes.
        (1, matching(r"(\pL{20}){10}N"), "or it takes too much memory"),
    ] {
        let refused = parse(&with("form", &form(fields, field))).unwrap_err().message.clone();
        assert!(refused.contains(told), "{told}: {refused}");
    }
}

#[rstest]
#[case("confirmation", json!({"type": "slider"}), &["slider", "action_selection"])]
#[case("confirmation", json!({"type": null}), &["`type` is missing", "`form`"])]
#[case("confirmation", json!({"type": 3}), &["`type` must be a text"])]
#[case("confirmation", json!({"widgetId": null}), &["`widgetId` is missing"])]
#[case("confirmation", json!({"widgetId": " "}), &["`widgetId` is empty"])]
#[case("confirmation", json!({"widgetId": 4}), &["`widgetId` must be a text"])]
#[case("confirmation", json!({"id": "other"}), &["`widgetId` and `id` differ"])]
#[case("confirmation", json!({"message": null}), &["`message` is missing"])]
#[case("confirmation", json!({"message": ""}), &["`message` is empty"])]
#[case("confirmation", json!({"title": "x"}), &["`title` is unknown"])]
#[case("confirmation", json!({"submitted": true}), &["`submitted` is unknown"])]
#[case("confirmation", json!({"changeId": 1}), &["`changeId` must be a text"])]
#[case("confirmation", json!({"options": [{"value": "a", "label": "A"}]}), &["`options` belongs to the type `selection`"])]
#[case("selection", json!({"options": null}), &["`options` is missing"])]
#[case("selection", json!({"options": []}), &["`options` is empty"])]
#[case("selection", json!({"options": "a"}), &["`options` must be a list"])]
#[case("selection", json!({"options": ["a"]}), &["`options[0]` must be an object"])]
#[case("selection", json!({"options": [{"value": "a"}]}), &["`options[0].label` is missing"])]
#[case("selection", json!({"options": [{"value": 1, "label": "A"}]}), &["`options[0].value` must be a text"])]
#[case("selection", json!({"options": [{"value": "a", "label": "A"}, {"value": "a", "label": "B"}]}), &["`options[1].value` repeats `a`"])]
#[case("selection", json!({"options": [{"value": "a", "label": "A", "icon": "x"}]}), &["`options[0].icon` is unknown"])]
#[case("selection", json!({"multi": "yes"}), &["`multi` must be true or false"])]
#[case("plan_review", json!({"planContent": null}), &["`planContent` is missing"])]
#[case("plan_review", json!({"planContent": "  "}), &["`planContent` is empty"])]
#[case("feedback", json!({"items": null}), &["`items` is missing"])]
#[case("feedback", json!({"items": [{"id": "a"}]}), &["`items[0].content` is missing"])]
#[case("feedback", json!({"items": [{"id": "a", "content": "x"}, {"id": "a", "content": "y"}]}), &["`items[1].id` repeats `a`"])]
#[case("action_selection", json!({"actions": []}), &["`actions` is empty"])]
#[case("action_selection", json!({"actions": [{"label": "x"}]}), &["`actions[0].id` is missing"])]
#[case("form", json!({"schema": null}), &["`schema` is missing"])]
#[case("form", json!({"schema": []}), &["`schema` must be an object"])]
#[case("form", json!({"schema": {"type": "array"}}), &["`schema.type` must be `object`"])]
#[case("form", json!({"schema": {"type": "object", "properties": {}}}), &["`schema.properties`"])]
#[case("form", json!({"schema": {"properties": {"a": "string"}}}), &["`schema.properties.a` must be an object"])]
#[case("form", json!({"schema": {"properties": {"a": {"type": "array"}}}}), &["`schema.properties.a.type`", "boolean"])]
#[case("form", json!({"schema": {"properties": {"a": {"type": ["string", "null"]}}}}), &["`schema.properties.a.type`"])]
#[case("form", json!({"schema": {"properties": {"a": {}}}}), &["`schema.properties.a.type`"])]
#[case("form", json!({"schema": {"properties": {"a": {"$ref": "https://example.org/x"}}}}), &["`schema.properties.a.$ref` is not supported"])]
#[case("form", json!({"schema": {"properties": {"a": {"enum": []}}}}), &["`schema.properties.a.enum`"])]
#[case("form", json!({"schema": {"properties": {"a": {"enum": [{}]}}}}), &["`schema.properties.a.enum`"])]
#[case("form", json!({"schema": {"properties": {"a": {"type": "string"}}, "required": ["b"]}}), &["`schema.required` names `b`"])]
#[case("form", json!({"schema": {"properties": {"a": {"type": "string"}}, "required": "a"}}), &["`schema.required` must be a list"])]
#[case("form", json!({"schema": {"properties": {"a": {"type": "string", "minLength": -1}}}}), &["`schema.properties.a.minLength` is not valid"])]
#[case("form", json!({"schema": {"properties": {"a": {"type": "string", "pattern": "("}}}}), &["`schema.properties.a.pattern` is not valid"])]
#[case("form", json!({"schema": {"properties": {"a": {"type": "string"}}, "oneOf": []}}), &["`schema.oneOf` is not supported"])]
fn a_bad_payload_is_refused_by_the_name_of_its_field(
    #[case] kind: &str,
    #[case] change: Value,
    #[case] says: &[&str],
) {
    let failure = parse(&with(kind, &change)).unwrap_err();
    assert_eq!(failure.code, ErrorCode::InvalidArgs);
    for words in says {
        assert!(failure.message.contains(words), "{words:?} not in {:?}", failure.message);
    }
    assert_eq!(failure.details.unwrap()["expected"], ask_user_schema());
}

#[rstest]
#[case(json!([]))]
#[case(json!("confirmation"))]
#[case(json!(null))]
fn arguments_that_are_no_object_are_refused(#[case] args: Value) {
    assert_eq!(parse(&args).unwrap_err().code, ErrorCode::InvalidArgs);
}

// ---- submitted values -------------------------------------------------------------------------

#[rstest]
#[case("form", json!({"name": "Ada"}), json!({"name": "Ada"}))]
#[case("form", json!({"name": "Ada", "age": 36, "price": 1.5, "ok": false, "size": "m", "level": 2, "mail": "a@b.org", "code": "XY"}), json!({"name": "Ada", "age": 36, "price": 1.5, "ok": false, "size": "m", "level": 2, "mail": "a@b.org", "code": "XY"}))]
#[case("selection", json!("a"), json!(["a"]))]
#[case("selection", json!(["b"]), json!(["b"]))]
#[case("selection*", json!(["b", "a"]), json!(["b", "a"]))]
#[case("selection*", json!("b"), json!(["b"]))]
#[case("selection*", json!([]), json!([]))]
#[case("confirmation", json!({"confirmed": true}), json!({"confirmed": true}))]
#[case("confirmation", json!({"confirmed": false}), json!({"confirmed": false}))]
#[case("plan_review", json!({"decision": "approve"}), json!({"decision": "approve"}))]
#[case("plan_review", json!({"decision": "approve", "feedback": ""}), json!({"decision": "approve"}))]
#[case("plan_review", json!({"decision": "request_changes", "feedback": "more"}), json!({"decision": "request_changes", "feedback": "more"}))]
#[case("feedback", json!({"i1": "good", "i2": ""}), json!({"i1": "good", "i2": ""}))]
#[case("feedback", json!({}), json!({}))]
#[case("action_selection", json!("stop"), json!("stop"))]
fn a_fitting_value_is_kept_in_its_canonical_shape(
    #[case] kind: &str,
    #[case] value: Value,
    #[case] expected: Value,
) {
    assert_eq!(check_value(&widget(kind), value), Ok(expected));
}

#[rstest]
#[case("form", json!({}), "")]
#[case("form", json!("Ada"), "")]
#[case("form", json!({"name": "A"}), "/name")]
#[case("form", json!({"name": "Ada Lovelace"}), "/name")]
#[case("form", json!({"name": "Ada", "age": "36"}), "/age")]
#[case("form", json!({"name": "Ada", "age": 1.5}), "/age")]
#[case("form", json!({"name": "Ada", "age": -1}), "/age")]
#[case("form", json!({"name": "Ada", "ok": "yes"}), "/ok")]
#[case("form", json!({"name": "Ada", "size": "xl"}), "/size")]
#[case("form", json!({"name": "Ada", "level": "1"}), "/level")]
#[case("form", json!({"name": "Ada", "mail": "nobody"}), "/mail")]
#[case("form", json!({"name": "Ada", "code": "xyz"}), "/code")]
#[case("form", json!({"name": "Ada", "extra": 1}), "")]
#[case("selection", json!("z"), "/0")]
#[case("selection", json!([1]), "/0")]
#[case("selection", json!([]), "")]
#[case("selection", json!(["a", "b"]), "")]
#[case("selection", json!({"value": "a"}), "")]
#[case("selection*", json!(["a", "a"]), "/1")]
#[case("confirmation", json!(true), "")]
#[case("confirmation", json!({}), "")]
#[case("confirmation", json!({"confirmed": "true"}), "")]
#[case("confirmation", json!({"confirmed": true, "also": 1}), "")]
#[case("plan_review", json!("approve"), "")]
#[case("plan_review", json!({"decision": "maybe"}), "/decision")]
#[case("plan_review", json!({"decision": "request_changes"}), "/feedback")]
#[case("plan_review", json!({"decision": "request_changes", "feedback": "  "}), "/feedback")]
#[case("plan_review", json!({"decision": "approve", "feedback": "but"}), "/feedback")]
#[case("plan_review", json!({"decision": "approve", "by": "me"}), "/by")]
#[case("feedback", json!({"i9": "x"}), "/i9")]
#[case("feedback", json!({"i1": 3}), "/i1")]
#[case("feedback", json!(["x"]), "")]
#[case("action_selection", json!("fly"), "")]
#[case("action_selection", json!(["go"]), "")]
fn a_value_that_does_not_fit_is_refused_with_the_place(
    #[case] kind: &str,
    #[case] value: Value,
    #[case] path: &str,
) {
    let failure = check_value(&widget(kind), value).unwrap_err();
    assert_eq!(failure.code, ErrorCode::WidgetValueInvalid);
    let details = failure.details.unwrap();
    assert_eq!(details["errors"][0]["path"], path, "{details}");
    assert_eq!(details["widgetId"], "w");
}

#[test]
fn all_errors_of_a_form_are_reported() {
    let failure = check_value(&widget("form"), json!({"name": "A", "age": -1, "ok": 1}));
    assert_eq!(failure.unwrap_err().details.unwrap()["errors"].as_array().unwrap().len(), 3);
}

#[test]
fn a_hostile_pattern_does_not_hang_the_check() {
    let args = with(
        "form",
        &json!({"schema": {"properties": {"a": {"type": "string", "pattern": "^(a+)+$"}}}}),
    );
    let value = json!({"a": format!("{}!", "a".repeat(50_000))});
    assert!(check_value(&parse(&args).unwrap(), value).is_err());
    let look_ahead = with(
        "form",
        &json!({"schema": {"properties": {"a": {"type": "string", "pattern": "^(?=a)a"}}}}),
    );
    assert!(parse(&look_ahead).is_err(), "patterns need an engine that runs in linear time");
}

// ---- submissions and confirmations ------------------------------------------------------------

#[test]
fn a_submission_is_written_with_its_marker_and_the_value() {
    let text = submission_text("w", WidgetKind::Selection, &json!(["a"]));
    let (marker, body) = text.split_once('\n').unwrap();
    assert_eq!(marker, "WIDGET_SUBMIT");
    assert_eq!(
        serde_json::from_str::<Value>(body).unwrap(),
        json!({"widgetId": "w", "type": "selection", "value": ["a"]})
    );
}

#[rstest]
#[case("confirmation", json!({"confirmed": true}), true)]
#[case("confirmation", json!({"confirmed": false}), false)]
#[case("confirmation", json!({"confirmed": "true"}), false)]
#[case("confirmation", json!(true), false)]
#[case("feedback", json!({"confirmed": true}), false)]
fn only_the_confirm_of_a_confirmation_is_consent(
    #[case] kind: &str,
    #[case] value: Value,
    #[case] expected: bool,
) {
    assert_eq!(confirmed(&widget(kind), &value), expected);
}

// ---- the tool's schema ------------------------------------------------------------------------

#[rstest]
#[case("form")]
#[case("selection")]
#[case("selection*")]
#[case("confirmation")]
#[case("plan_review")]
#[case("feedback")]
#[case("action_selection")]
fn what_the_parser_takes_fits_the_schema_the_model_sees(#[case] kind: &str) {
    let validator = jsonschema::draft202012::new(&ask_user_schema()).unwrap();
    assert!(validator.is_valid(&of_type(kind)));
    assert!(!validator.is_valid(&with(kind, &json!({"title": "x"}))));
    assert!(!validator.is_valid(&with(kind, &json!({"message": null}))));
}

#[test]
fn every_field_of_the_schema_is_described() {
    let schema = ask_user_schema();
    for (name, field) in schema["properties"].as_object().unwrap() {
        assert!(field["description"].as_str().is_some_and(|d| d.len() > 15), "{name}");
    }
    assert!(jsonschema::meta::is_valid(&schema));
}

fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3..3_i64).prop_map(Value::from),
        prop::sample::select(vec!["", "a", "b", "approve", "request_changes", "i1", "go"])
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 10, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec(
                (
                    prop::sample::select(vec!["confirmed", "decision", "feedback", "i1", "name"]),
                    inner
                ),
                0..3
            )
            .prop_map(|p| p
                .into_iter()
                .map(|(k, v)| (k.to_owned(), v))
                .collect::<serde_json::Map<_, _>>()
                .into()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_canonical_value_is_accepted_again_unchanged(
        kind in prop::sample::select(vec!["form", "selection", "selection*", "confirmation", "plan_review", "feedback", "action_selection"]),
        value in anything(),
    ) {
        let widget = widget(kind);
        if let Ok(canonical) = check_value(&widget, value) {
            prop_assert_eq!(check_value(&widget, canonical.clone()), Ok(canonical));
        }
    }
}

// ---- approvals --------------------------------------------------------------------------------

fn approval(folder: Option<&str>) -> Widget {
    let grant = folder.map(|folder| WidgetGrant {
        tool: "fs.write".into(),
        folder: AliasPath::parse(folder).unwrap(),
    });
    Widget::approval("Allow it?".into(), grant, &ChangeId::new("c1").unwrap(), false)
}

#[rstest]
#[case(json!({"confirmed": true}), true, true)]
#[case(json!({"confirmed": false}), true, true)]
#[case(json!({"confirmed": true, "forFolder": true}), true, false)]
#[case(json!({"confirmed": false, "forFolder": true}), false, false)]
#[case(json!({"confirmed": true, "forFolder": false}), false, false)]
#[case(json!({"forFolder": true}), false, false)]
#[case(json!({"confirmed": true, "forFolder": true, "x": 1}), false, false)]
fn a_folder_is_allowed_only_where_one_was_offered_and_with_consent(
    #[case] value: Value,
    #[case] with_folder: bool,
    #[case] without: bool,
) {
    let fits = |widget: &Widget| check_value(widget, value.clone()).is_ok();
    assert_eq!(fits(&approval(Some("@project/docs"))), with_folder);
    assert_eq!(fits(&approval(None)), without);
    assert_eq!(fits(&widget("confirmation")), without);
}

#[rstest]
#[case(json!({"confirmed": false, "instead": "Put it elsewhere."}), true)]
#[case(json!({"confirmed": false, "instead": " "}), false)]
#[case(json!({"confirmed": false, "instead": 7}), false)]
#[case(json!({"confirmed": true, "instead": "Put it elsewhere."}), false)]
#[case(json!({"confirmed": false, "instead": "a", "forFolder": true}), false)]
#[case(json!({"instead": "Put it elsewhere."}), false)]
fn only_a_no_says_what_is_wanted_instead(#[case] value: Value, #[case] fits: bool) {
    for widget in [widget("confirmation"), approval(Some("@project/docs"))] {
        assert_eq!(check_value(&widget, value.clone()).is_ok(), fits, "{value}");
    }
}

#[test]
fn no_payload_of_a_model_offers_a_folder() {
    let grant = json!({"tool": "fs.write", "folder": "@project"});
    let failure = parse(&with("confirmation", &json!({ "grant": grant }))).unwrap_err();
    assert!(failure.message.contains("`grant` is unknown"), "{failure}");
}

#[rstest]
#[case(json!({"submitted": false}), true)]
#[case(json!({"submitted": false, "submittedValue": {}}), true)]
#[case(json!({"submitted": true}), false)]
#[case(json!({"submittedValue": {"confirmed": true}}), false)]
fn an_echo_may_say_that_nobody_has_answered_and_nothing_else(
    #[case] more: Value,
    #[case] ok: bool,
) {
    assert_eq!(parse(&with("confirmation", &more)).is_ok(), ok);
}

// ---- fences -----------------------------------------------------------------------------------

#[rstest]
#[case::none("No block.", "No block.", &[])]
#[case::one("a\n```widget\n{1}\n```\nb", "a\nb", &["{1}"])]
#[case::two("```widget\n{1}\n```\n\n~~~ Widget x\n{2}\n~~~~\n", "", &["{1}", "{2}"])]
#[case::several_lines("   ````widget\r\n{\n\"a\": 1\n}\r\n````", "", &["{\n\"a\": 1\n}"])]
#[case::unclosed("a\n```widget\n{1}", "a", &["{1}"])]
#[case::shorter_inside("````widget\n```\n{1}\n````", "", &["```\n{1}"])]
#[case::other_mark_inside("```widget\n~~~\n```", "", &["~~~"])]
#[case::words_after_the_end("```widget\n{1}\n``` no end\n```", "", &["{1}\n``` no end"])]
#[case::in_a_sample("````md\n```widget\n{1}\n```\n````", "````md\n```widget\n{1}\n```\n````", &[])]
#[case::in_a_tilde_sample("~~~\n```widget\n{1}\n```\n~~~", "~~~\n```widget\n{1}\n```\n~~~", &[])]
#[case::after_a_sample("```js\nx\n```\n```widget\n{1}\n```", "```js\nx\n```", &["{1}"])]
#[case::indented_code("    ```widget\n    {1}", "    ```widget\n    {1}", &[])]
#[case::too_short("``widget\n{1}\n``", "``widget\n{1}\n``", &[])]
#[case::inline("```widget {1}```", "```widget {1}```", &[])]
#[case::another_word("```widgets\n{1}\n```", "```widgets\n{1}\n```", &[])]
#[case::quoted("> ```widget\n> {1}", "> ```widget\n> {1}", &[])]
fn blocks_are_found_as_commonmark_has_them(
    #[case] text: &str,
    #[case] rest: &str,
    #[case] blocks: &[&str],
) {
    let found = fenced(text);
    assert_eq!(found.0, rest);
    assert_eq!(found.1, blocks);
}

proptest! {
    #[test]
    fn any_text_is_taken_apart_without_losing_what_is_no_block(text in "[`~a{}\n ]{0,60}") {
        let (rest, blocks) = fenced(&text);
        if blocks.is_empty() {
            prop_assert_eq!(rest, text);
        }
    }
}
