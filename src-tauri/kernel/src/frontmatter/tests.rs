use super::*;
use crate::code::ErrorCode;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::json;
use std::fmt::Write as _;

const DOC: &str = "\
---
# who made it
schemaVersion: \"1.1\"   # quoted on purpose
currentNodeId: ''       # empty: the entry

stepsCompleted: []      # grows
variables:
  name: 'Ada'  # kept
  # a note
  text: |
    two
    lines
tags: [ a,  b ]   # odd spacing
decisionLog:
- from: a
  to: b # why
  label: next
# the end
---
# Body
---
not: front matter
";

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

/// `new` with the one line that differs replaced, to show that nothing else did.
fn changed_lines<'a>(old: &'a str, new: &'a str) -> (Vec<&'a str>, Vec<&'a str>) {
    let old_lines: Vec<&str> = old.lines().collect();
    let new_lines: Vec<&str> = new.lines().collect();
    (
        old_lines.iter().filter(|l| !new_lines.contains(l)).copied().collect(),
        new_lines.iter().filter(|l| !old_lines.contains(l)).copied().collect(),
    )
}

#[rstest]
#[case("---\na: 1\n---\nbody", "a: 1\n", "body")]
#[case("\u{feff}---\na: 1\n---\n", "a: 1\n", "")]
#[case("---\r\na: 1\r\n---\r\nbody\r\n", "a: 1\r\n", "body\r\n")]
#[case("--- \t\na: 1\n---  \nbody", "a: 1\n", "body")]
#[case("---\n---\n", "", "")]
#[case("---\na: 1\n---", "a: 1\n", "")]
fn a_front_matter_is_cut_byte_for_byte(#[case] text: &str, #[case] yaml: &str, #[case] body: &str) {
    let parts = split(text).unwrap();
    assert_eq!((parts.yaml, parts.body), (yaml, body));
    assert_eq!([parts.head, parts.yaml, parts.close, parts.body].concat(), text);
}

#[rstest]
#[case("", "missing")]
#[case("# Title\n", "missing")]
#[case("\n---\na: 1\n---\n", "blank space before")]
#[case(" ---\na: 1\n---\n", "blank space before")]
#[case("---", "missing")]
#[case("----\na: 1\n---\n", "missing")]
#[case("---\na: 1\n", "not closed")]
#[case("---\na: 1\n ---\n", "not closed")]
fn a_text_without_proper_front_matter_is_refused(#[case] text: &str, #[case] says: &str) {
    let failure = split(text).unwrap_err();
    assert_eq!(failure.code, ErrorCode::InvalidFrontmatter);
    assert!(failure.message.contains(says), "{}", failure.message);
    assert!(failure.action.is_some());
}

#[rstest]
#[case("", json!({}))]
#[case("# only a comment\n", json!({}))]
#[case("a: no\nb: 1\n", json!({"a": "no", "b": 1}))]
#[case("base: &b {x: 1}\nuse: *b\n", json!({"base": {"x": 1}, "use": {"x": 1}}))]
#[case("1: one\ntrue: yes\n", json!({"1": "one", "true": "yes"}))]
#[case("base: &b {x: 1}\nm:\n  <<: *b\n  y: 2\n", json!({"base": {"x": 1}, "m": {"x": 1, "y": 2}}))]
fn front_matter_reads_as_a_map(#[case] yaml: &str, #[case] expected: Value) {
    assert_eq!(parse(&format!("---\n{yaml}---\n")), Ok(object(&expected)));
}

#[rstest]
#[case("- a\n- b\n", "must be a map")]
#[case("just text\n", "must be a map")]
#[case("a: [1\n", "not valid YAML")]
#[case("a: 1\na: 2\n", "`a` stands there twice (line 2, column 1)")]
#[case("a:\n  1: x\n  1: y\n", "`1` stands there twice (line 3, column 3)")]
#[case("a: ! b\n", "a tag has no name (line 2, column 4)")]
#[case("a: .nan\n", "finite")]
#[case("a: {b: .inf}\n", "/a/b")]
#[case("? [1, 2]\n: x\n", "plain text")]
#[case("a: *nowhere\n", "not valid YAML")]
fn what_is_no_map_of_plain_values_is_refused(#[case] yaml: &str, #[case] says: &str) {
    let failure = parse(&format!("---\n{yaml}---\n")).unwrap_err();
    assert_eq!(failure.code, ErrorCode::InvalidFrontmatter);
    assert!(failure.message.contains(says), "{}", failure.message);
}

#[test]
fn a_yaml_error_names_the_line_of_the_file() {
    let failure = parse("---\na: 1\nb: [\n---\n").unwrap_err();
    let line = failure.details.as_ref().unwrap()["line"].as_u64().unwrap();
    assert!((3..=4).contains(&line), "{line}");
    assert!(failure.message.contains(&format!("line {line}")), "{}", failure.message);
}

#[rstest]
#[case("a: [1\n")]
#[case("a: 1\na: 2\n")]
#[case("- a\n")]
#[case("a: .nan\n")]
#[case("a: !x 1\n")]
fn no_advice_asks_for_dashes_that_are_there(#[case] yaml: &str) {
    let action = parse(&format!("---\n{yaml}---\n")).unwrap_err().action.unwrap();
    assert!(!action.contains("---"), "{action}");
}

/// Characters a YAML 1.2 text may hold and a parser of YAML 1.1 stumbles over.
fn odd_text() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(vec![
        '\u{7f}', '\u{80}', '\u{85}', '\u{92}', '\u{9f}', '\u{2028}', '\u{2029}', '\u{feff}',
        '\u{fffe}', '\u{ffff}', '\u{e000}', '\u{e001}', 'a', ' ', '\\', '"', 'u', 'ü', '\n',
        '\u{1}',
    ]);
    prop::collection::vec(odd, 0..12).prop_map(String::from_iter)
}

#[test]
fn a_key_may_follow_where_the_last_one_was_taken_out() {
    let edited = edit("---\nkey0: plain text\n---\n", |map| {
        map.clear();
        map.insert("key1".to_owned(), json!({ "?a": null }));
    });
    assert_eq!(edited.unwrap(), "---\nkey1:\n  ?a: null\n---\n");
}

proptest! {
    #[test]
    fn what_json_writes_is_read_as_it_was_meant_and_can_be_edited(
        text in odd_text(), other in odd_text()
    ) {
        // `JSON.stringify` and serde escape below U+0020 only.
        let quoted = Value::from(text.as_str());
        let mut escaped = String::new();
        for c in text.chars() {
            write!(escaped, "\\U{:08x}", u32::from(c)).unwrap();
        }
        let doc = format!("---\na: {quoted}\nb: \"{escaped}\"\nc: 1\n---\nbody");
        let map = parse(&doc).unwrap();
        prop_assert_eq!(&map["a"], &quoted);
        prop_assert_eq!(&map["b"], &quoted);
        let edited = edit(&doc, |map| {
            map.insert("c".into(), other.as_str().into());
        }).unwrap();
        let lines = format!("---\na: {quoted}\nb: \"{escaped}\"\n");
        prop_assert!(edited.starts_with(&lines), "the other keys keep their bytes: {:?}", edited);
        prop_assert_eq!(&parse(&edited).unwrap()["c"], &Value::from(other));
    }
}

#[test]
fn line_ends_of_yaml_1_1_are_text() {
    let map = parse("---\na: one\u{2028}two\nc: x\u{85}y # z\n---\n").unwrap();
    assert_eq!(Value::Object(map), json!({"a": "one\u{2028}two", "c": "x\u{85}y"}));
}

#[test]
fn a_text_that_ends_as_a_line_of_yaml_1_1_does_not_swallow_the_closing_line() {
    for text in ["a\n\u{2028}", "\u{e000}\n\u{e000}\u{2029}", "a\n\u{85}", "\n---\n\u{2028}"] {
        let edited = edit("---\nc: 1\n---\nbody", |map| {
            map.insert("c".into(), text.into());
        });
        let edited = edited.unwrap();
        assert_eq!(parse(&edited).unwrap()["c"], text, "{edited:?}");
        assert_eq!(split(&edited).unwrap().body, "body");
    }
}

#[test]
fn a_map_among_bare_carriage_returns_is_changed_as_meant_or_not_at_all() {
    let text = "\u{feff}---\r\n 11 :\r\r  \r\r\n---\r\n\r\n";
    let mut map = parse(text).unwrap();
    let edited = edit(text, |map| _ = map.insert("a".into(), json!([1, "b: c"])));
    map.insert("a".into(), json!([1, "b: c"]));
    assert!(
        edited.as_ref().map_or(true, |edited| parse(edited).as_ref() == Ok(&map)),
        "{edited:?}"
    );
}

#[test]
fn an_edit_makes_no_front_matter_that_is_too_large_to_be_read() {
    let refused = edit("---\nc: 1\n---\n", |map| {
        map.insert("c".into(), "x".repeat(MATTER_BYTES).into());
    });
    assert!(refused.unwrap_err().message.contains("bytes"));
}

#[test]
fn an_integer_of_any_size_is_a_number_and_keeps_its_digits_in_the_file() {
    let doc = "---\nbig: 123456789012345678901234567890\nneg: -9223372036854775809\nvariables:\n  \
               n: 18446744073709551616\n  m: 1\n---\n";
    let map = parse(doc).unwrap();
    assert!(map["big"].as_f64().is_some_and(|n| n > 1e29) && map["neg"].is_number());
    let edited = edit(doc, |map| map["variables"]["m"] = json!(2)).unwrap();
    assert_eq!(edited, doc.replace("m: 1", "m: 2"));
}

#[test]
fn a_front_matter_over_the_limit_is_refused_before_it_is_parsed() {
    let text = format!("---\na: {}\n---\n", "x".repeat(MATTER_BYTES));
    assert!(split(&text).unwrap_err().message.contains("bytes"));
    let bomb = format!("---\na: {}\n---\n", "[\n".repeat(100_000));
    assert!(split(&bomb).unwrap_err().message.contains("deeply"));
    let body = format!("---\na: 1\n---\n{}", "[".repeat(2 * MATTER_BYTES));
    assert!(split(&body).is_ok(), "the limits are the front matter's, not the body's");
}

#[test]
fn an_alias_bomb_is_refused() {
    let mut yaml = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for i in 1..10 {
        let refs = vec![format!("*a{}", i - 1); 9].join(", ");
        yaml = format!("{yaml}a{i}: &a{i} [{refs}]\n");
    }
    let failure = parse(&format!("---\n{yaml}---\n")).unwrap_err();
    assert_eq!(failure.code, ErrorCode::InvalidFrontmatter);
}

/// A list of ones, named `n` times more: within what the parser itself allows.
fn lists(items: usize, named: usize) -> String {
    let (ones, names) = (vec!["1"; items].join(","), vec!["*b"; named].join(","));
    format!("---\nb: &b [{ones}]\nm: [{names}]\n---\n")
}

#[test]
fn aliases_that_stand_for_too_many_values_or_bytes_are_refused_before_they_are_written_out() {
    let texts = |named: usize| {
        let names = vec!["*t"; named].join(",");
        format!("---\nt: &t {}\nm: [{names}]\n---\n", "x".repeat(100_000))
    };
    for flood in [lists(2000, 95), lists(100_001, 0), texts(60)] {
        let failure = parse(&flood).unwrap_err();
        assert_eq!(failure.code, ErrorCode::InvalidFrontmatter);
        assert!(failure.message.contains("aliases"), "{failure}");
        assert!(edit(&flood, |map| _ = map.insert("a".into(), json!(1))).is_err());
    }
    assert!(split(&lists(100_002, 0)).is_err(), "a long list is refused before the parser sees it");
    let merged = "---\nb: &b {x: 1, y: 2}\nm: {<<: *b, y: 3}\nn: *b\n---\n";
    let map = Value::Object(parse(merged).unwrap());
    assert_eq!(map["m"], json!({"x": 1, "y": 3}), "anchors and merge keys stay legal");
    assert_eq!(map["n"], json!({"x": 1, "y": 2}));
    assert_eq!(parse(&lists(1000, 95)).unwrap()["m"].as_array().unwrap().len(), 95);
}

#[test]
fn a_long_key_is_not_written_out_for_each_value_below_it() {
    let text =
        format!("---\n? {}\n: [{}]\n---\n", "k".repeat(600_000), vec!["1"; 90_000].join(","));
    assert_eq!(parse(&text).unwrap().len(), 1);
}

#[test]
fn more_keys_than_can_be_changed_in_bounded_time_are_refused() {
    let long = format!("---\na: {}\n---\n", "x".repeat(900_000));
    let add =
        |keys: usize| edit(&long, |map| map.extend((0..keys).map(|n| (format!("k{n}"), json!(n)))));
    let failure = add(20).unwrap_err();
    assert_eq!(failure.code, ErrorCode::InvalidFrontmatter);
    assert!(add(1).is_ok());
}

#[rstest]
#[case("currentNodeId", json!("step-2"), &["currentNodeId: ''       # empty: the entry"], &["currentNodeId: step-2       # empty: the entry"])]
#[case("currentNodeId", json!("yes: # no"), &["currentNodeId: ''       # empty: the entry"], &["currentNodeId: 'yes: # no'       # empty: the entry"])]
#[case("tags", json!(["a", "b", "c, d"]), &["tags: [ a,  b ]   # odd spacing"], &["tags: [ a,  b,  \"c, d\" ]   # odd spacing"])]
#[case("extra", json!({"x": [1]}), &[], &["extra:", "  x:", "  - 1"])]
fn setting_a_key_changes_its_lines_only(
    #[case] key: &str,
    #[case] value: Value,
    #[case] gone: &[&str],
    #[case] come: &[&str],
) {
    let new = edit(DOC, |map| {
        map.insert(key.to_owned(), value.clone());
    })
    .unwrap();
    assert_eq!(changed_lines(DOC, &new), (gone.to_vec(), come.to_vec()));
    assert_eq!(parse(&new).unwrap()[key], value);
}

#[test]
fn an_edit_that_changes_nothing_returns_the_same_bytes() {
    assert_eq!(edit(DOC, |_| ()).unwrap(), DOC);
}

#[test]
fn comments_inside_a_list_and_a_map_survive_additions() {
    let new = edit(DOC, |map| {
        map["variables"]["age"] = json!(36);
        map["variables"]["name"] = json!("Grace");
        map["decisionLog"].as_array_mut().unwrap().push(json!({"from": "b", "to": "c"}));
        map["stepsCompleted"].as_array_mut().unwrap().push(json!("a"));
    })
    .unwrap();
    for kept in [
        "# who made it\n",
        "  # a note\n",
        "to: b # why\n",
        "# the end\n---\n# Body\n",
        "# kept\n",
        "# grows\n",
    ] {
        assert!(new.contains(kept), "{kept:?} is lost:\n{new}");
    }
    let (gone, come) = changed_lines(DOC, &new);
    assert_eq!(gone, ["stepsCompleted: []      # grows", "  name: 'Ada'  # kept"]);
    assert_eq!(come.len(), 6, "{come:?}");
}

#[test]
fn changing_very_many_entries_at_once_does_not_take_the_slow_way() {
    let map = |from: usize, to: usize| -> Value {
        (from..to).map(|n| (format!("key{n}"), json!(n))).collect::<Map<_, _>>().into()
    };
    let list = |from: usize, to: usize| Value::from((from..to).collect::<Vec<_>>());
    for (before, after) in [
        (map(0, 2000), map(0, 4000)),
        (map(0, 4000), map(2000, 4000)),
        (list(0, 2000), list(0, 4000)),
        (list(0, 4000), list(2000, 4000)),
    ] {
        let many = serde_yaml::to_string(&json!({ "many": before })).unwrap();
        let block = format!("---\ntitle: x\n{many}# kept\nlast: y\n---\nbody\n");
        let changed = edit(&block, |map| _ = map.insert("many".to_owned(), after.clone())).unwrap();
        assert_eq!(split(&changed).unwrap().to_map().unwrap()["many"], after);
        assert!(changed.contains("# kept\nlast: y\n---\nbody\n"));
    }
}

#[test]
fn removing_a_key_removes_its_lines_and_no_comment_of_another() {
    let new = edit(DOC, |map| {
        map.shift_remove("decisionLog");
        map.shift_remove("schemaVersion");
    })
    .unwrap();
    let (gone, come) = changed_lines(DOC, &new);
    assert_eq!(gone.len(), 5, "{gone:?}");
    assert!(come.is_empty());
    assert!(new.contains("# who made it") && new.contains("# the end"));
}

#[test]
fn crlf_files_stay_crlf() {
    let old = DOC.replace('\n', "\r\n");
    let new = edit(&old, |map| {
        map["variables"]["note"] = json!("a\nb");
        map["stepsCompleted"] = json!(["a", "b"]);
        map.insert("extra".into(), json!([1]));
    })
    .unwrap();
    assert_eq!(new.matches('\n').count(), new.matches("\r\n").count());
    assert_eq!(parse(&new).unwrap()["variables"]["note"], "a\nb");
}

#[rstest]
#[case("---\n{schemaVersion: '1.1', currentNodeId: ''}\n---\nbody")]
#[case("---\n\"currentNodeId\": a\n---\nbody")]
#[case("---\nother: &x {a: 1}\ncurrentNodeId: a\nlast: *x\n---\nbody")]
#[case("---\ntags: [\na,\nb\n]\ncurrentNodeId: a # c\n---\nbody")]
#[case("---\nt: \"one\n\n  currentNodeId: two\"\ncurrentNodeId: a\n---\nbody")]
#[case("---\nkeep: |+\n  text\n\n\ncurrentNodeId: a\n---\nbody")]
#[case("---\n---\nbody")]
#[case("---\n# nothing yet\n---\nbody")]
fn unusual_layouts_are_edited_too(#[case] text: &str) {
    let new = edit(text, |map| {
        map.insert("currentNodeId".into(), json!("step: 1"));
    })
    .unwrap();
    let mut wanted = parse(text).unwrap();
    wanted.insert("currentNodeId".into(), json!("step: 1"));
    assert_eq!(parse(&new), Ok(wanted));
    assert!(new.ends_with("---\nbody"));
}

#[test]
fn a_key_that_cannot_be_changed_alone_is_refused() {
    let text = "---\n? currentNodeId\n: a\nb: 1\n...\n---\n";
    if let Ok(map) = parse(text) {
        let result = edit(text, |map| {
            map.insert("new".into(), json!(1));
        });
        match result {
            Ok(new) => assert_eq!(parse(&new).unwrap().len(), map.len() + 1),
            Err(failure) => assert_eq!(failure.code, ErrorCode::InvalidFrontmatter),
        }
    }
}

#[rstest]
#[case("?\u{1f600}")]
#[case("?\u{16ac0}")]
#[case("\u{1f600}: x")]
#[case("- \u{1f600}")]
#[case("- ?\u{16ac0}")]
fn texts_the_serializer_forgets_to_quote_are_kept_too(#[case] text: &str) {
    let value = json!([text, {"k": text}]);
    let new = edit(DOC, |map| {
        map.insert("decisionLog".into(), value.clone());
        map.insert("new".into(), value.clone());
        map["tags"].as_array_mut().unwrap().push(json!(text));
    })
    .unwrap();
    assert_eq!(
        (&parse(&new).unwrap()["new"], &parse(&new).unwrap()["decisionLog"]),
        (&value, &value)
    );
}

#[test]
fn a_key_that_yaml_would_read_as_a_merge_is_refused() {
    let change = |map: &mut Map<String, Value>| map["variables"]["<<"] = json!({"a": 1});
    assert_eq!(edit(DOC, change).unwrap_err().code, ErrorCode::InvalidFrontmatter);
}

#[test]
fn an_update_sets_appends_and_merges() {
    let change = FrontmatterUpdate {
        current_node_id: Some(SetText { set: "step-2".into() }),
        steps_completed: Some(AppendTexts { append: vec!["a".into(), "b".into(), "a".into()] }),
        variables: Some(SetMap { set: object(&json!({"name": null, "n": 1, "o": {"x": [true]}})) }),
        decision_log: Some(AppendValues { append: vec![object(&json!({"from": "b", "to": "c"}))] }),
        artifacts: Some(AppendTexts { append: vec!["artifacts/x.md".into()] }),
        updated_at: Some(SetText { set: "2026-01-01T00:00:00Z".into() }),
    };
    let mut expected = parse(DOC).unwrap();
    let new = update(DOC, &change).unwrap();
    expected.insert("currentNodeId".into(), json!("step-2"));
    expected.insert("stepsCompleted".into(), json!(["a", "b"]));
    expected
        .insert("variables".into(), json!({"text": "two\nlines\n", "n": 1, "o": {"x": [true]}}));
    expected["decisionLog"].as_array_mut().unwrap().push(json!({"from": "b", "to": "c"}));
    expected.insert("artifacts".into(), json!(["artifacts/x.md"]));
    expected.insert("updatedAt".into(), json!("2026-01-01T00:00:00Z"));
    assert_eq!(parse(&new).unwrap(), expected);
    assert_eq!(split(&new).unwrap().body, split(DOC).unwrap().body);
    assert_eq!(update(&new, &FrontmatterUpdate { decision_log: None, ..change }).unwrap(), new);
}

#[test]
fn an_update_of_nothing_changes_no_byte() {
    let nothing = FrontmatterUpdate {
        steps_completed: Some(AppendTexts { append: vec![] }),
        variables: Some(SetMap { set: Map::new() }),
        ..FrontmatterUpdate::default()
    };
    assert_eq!(update(DOC, &nothing).unwrap(), DOC);
    assert_eq!(update("---\na: 1\n---\n", &nothing).unwrap(), "---\na: 1\n---\n");
}

#[test]
fn an_update_makes_what_is_absent_or_null() {
    let change = FrontmatterUpdate {
        artifacts: Some(AppendTexts { append: vec!["x.md".into()] }),
        variables: Some(SetMap { set: object(&json!({"a": 1})) }),
        ..FrontmatterUpdate::default()
    };
    let new = update("---\nartifacts:\ntitle: t\n---\nbody\n", &change).unwrap();
    assert_eq!(
        parse(&new).unwrap(),
        object(&json!({"artifacts": ["x.md"], "title": "t", "variables": {"a": 1}}))
    );
}

#[rstest]
#[case("artifacts: text\n", "artifacts")]
#[case("variables: [a]\n", "variables")]
fn an_update_of_a_member_of_the_wrong_type_names_it(#[case] yaml: &str, #[case] key: &str) {
    let change = FrontmatterUpdate {
        artifacts: Some(AppendTexts { append: vec!["x.md".into()] }),
        variables: Some(SetMap { set: object(&json!({"a": 1})) }),
        ..FrontmatterUpdate::default()
    };
    let failure = update(&format!("---\n{yaml}---\n"), &change).unwrap_err();
    assert_eq!(failure.code, ErrorCode::SchemaValidation);
    assert_eq!(failure.details.unwrap()["errors"][0]["path"], format!("/{key}"));
}

// ---- properties -------------------------------------------------------------------------------

fn nasty_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{0,6}",
        prop::sample::select(vec![
            "yes",
            "no",
            "null",
            "~",
            "1",
            "1.0",
            "1e3",
            "0x1f",
            "0o17",
            "true",
            "- a",
            "a: b",
            "a #b",
            "#x",
            "'",
            "\"",
            "\\",
            "[",
            "{",
            "*a",
            "&a",
            "!t",
            "|",
            ">",
            "%",
            "@x",
            "`",
            "---",
            "...",
            " lead",
            "trail ",
            "a\nb",
            "a\n\n b\n",
            "\n",
            "\t",
            "ключ",
            "资料: x",
            "a,b",
            "2026-01-01",
            "a\r\nb",
            "=",
            "<<",
            "?",
            "? x",
            ":",
            "a:",
            "",
            "\u{feff}x",
            "\u{85}",
            "\u{2028}",
            "é'\"",
            ".5",
            "+1",
            "-",
            "00",
            "1_000",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,12}",
    ]
}

/// `<<` as a key means "merge" and is refused: see the test of its own.
fn nasty_key() -> impl Strategy<Value = String> {
    nasty_text().prop_filter("a merge key", |k| k != "<<")
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9_f64).prop_map(Value::from),
        nasty_text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((nasty_key(), inner), 0..4)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

/// The lines of one key in one of the layouts people write. `{}` is the key.
const LAYOUTS: &[&str] = &[
    "{}: plain text\n",
    "{}: plain   # a comment\n",
    "{}: 'it''s'\n",
    "{}: \"a\\tb: # no\"   # yes\n",
    "{}:\n",
    "{}: 3.50\n",
    "{}: []\n",
    "{}: {}  # empty\n",
    "{}: [a,  \"b\", 'c' ] # odd\n",
    "{}: {k: v,  \"z\": 1}\n",
    "{}:\n  - a # one\n  # between\n  - 'b'\n",
    "{}:\n- a\n- b\n\n",
    "{}:\n  - from: a\n    to: b   # why\n  - from: c\n    to: 'd'\n",
    "{}:\n  k: v # c\n  # mid\n  z: |\n    lit\n\n    x\n",
    "{}:\n    k:\n        deep: [1, 2]\n    z: 'q'\n\n",
    "{}: |\n  literal: text\n  # not a comment\n",
    "{}: >-\n  folded\n  text\n",
    "{}: |+\n  keep\n\n",
    "{}: &anchor value\n",
    "{}: [\n  a,\n  b\n]\n",
    "\"{}\": quoted key\n",
    "{}: two\n  lines\n",
];

#[derive(Debug, Clone)]
struct Layout {
    text: String,
    chunks: Vec<(String, String)>,
}

fn layout() -> impl Strategy<Value = Layout> {
    let entry = (0..LAYOUTS.len(), prop::option::of("[a-z #:'-]{0,10}"));
    (prop::collection::vec(entry, 0..7), any::<bool>(), any::<bool>(), "(\\PC|\n){0,20}").prop_map(
        |(entries, crlf, bom, body)| {
            let ending = |t: &str| if crlf { t.replace('\n', "\r\n") } else { t.to_owned() };
            let mut chunks = Vec::new();
            let mut yaml = String::new();
            for (i, (layout, comment)) in entries.into_iter().enumerate() {
                if let Some(comment) = comment {
                    yaml.push_str(&ending(&format!("# {}{i}\n", comment.trim_end())));
                }
                let key = format!("key{i}");
                let lines = LAYOUTS[layout].replacen("{}", &key, 1);
                let lines = ending(&lines.replace("&anchor", &format!("&anchor{i}")));
                yaml.push_str(&lines);
                chunks.push((key, lines));
            }
            let bom = if bom { "\u{feff}" } else { "" };
            let text = format!("{bom}{}{yaml}{}{body}", ending("---\n"), ending("---\n"));
            Layout { text, chunks }
        },
    )
}

#[derive(Debug, Clone)]
enum MatterEdit {
    Set(usize, Value),
    Remove(usize),
    Push(usize, Value),
    Merge(usize, String, Value),
    Unset(usize),
    DropFirst(usize),
}

fn change() -> impl Strategy<Value = MatterEdit> {
    let at = 0..8_usize;
    prop_oneof![
        (at.clone(), json_value()).prop_map(|(i, v)| MatterEdit::Set(i, v)),
        at.clone().prop_map(MatterEdit::Remove),
        (at.clone(), json_value()).prop_map(|(i, v)| MatterEdit::Push(i, v)),
        (at.clone(), nasty_key(), json_value()).prop_map(|(i, k, v)| MatterEdit::Merge(i, k, v)),
        at.clone().prop_map(MatterEdit::Unset),
        at.prop_map(MatterEdit::DropFirst),
    ]
}

fn make(map: &mut Map<String, Value>, change: &MatterEdit) {
    match change {
        MatterEdit::Set(i, value) => {
            map.insert(format!("key{i}"), value.clone());
        }
        MatterEdit::Remove(i) => {
            map.shift_remove(&format!("key{i}"));
        }
        MatterEdit::Push(i, value) => {
            if let Some(Value::Array(list)) = map.get_mut(&format!("key{i}")) {
                list.push(value.clone());
            }
        }
        MatterEdit::Merge(i, key, value) => {
            if let Some(Value::Object(inner)) = map.get_mut(&format!("key{i}")) {
                inner.insert(key.clone(), value.clone());
            }
        }
        MatterEdit::Unset(i) => {
            if let Some(Value::Object(inner)) = map.get_mut(&format!("key{i}")) {
                inner.shift_remove("k");
            }
        }
        MatterEdit::DropFirst(i) => {
            if let Some(Value::Array(list)) = map.get_mut(&format!("key{i}"))
                && !list.is_empty()
            {
                list.remove(0);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_edit_reads_back_as_meant_and_leaves_other_keys_their_bytes(
        layout in layout(),
        changes in prop::collection::vec(change(), 1..4),
    ) {
        let old = parse(&layout.text).unwrap();
        let mut wanted = old.clone();
        for c in &changes {
            make(&mut wanted, c);
        }
        let new = edit(&layout.text, |map| *map = wanted.clone());
        let new = new.map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(&parse(&new).unwrap(), &wanted);
        prop_assert_eq!(split(&new).unwrap().body, split(&layout.text).unwrap().body);
        let mut rest = new.as_str();
        for (key, lines) in &layout.chunks {
            if old.get(key) == wanted.get(key) {
                let at = rest.find(lines.as_str());
                prop_assert!(at.is_some(), "{key} moved or changed:\n{}\n=>\n{new}", layout.text);
                rest = &rest[at.unwrap_or(0)..];
            }
        }
        for line in layout.text.lines().filter(|l| l.starts_with("# ")) {
            prop_assert!(new.lines().any(|l| l == line), "{line:?} is lost:\n{}\n=>\n{new}", layout.text);
        }
        if wanted == old {
            prop_assert_eq!(&new, &layout.text);
        }
    }

    #[test]
    fn no_text_makes_the_splitter_or_the_editor_panic(text in "(---|\n|\r|a: |[\\[\\]{}'\"#|>&*!?-]|\\PC){0,40}") {
        if let Ok(parts) = split(&text) {
            prop_assert_eq!([parts.head, parts.yaml, parts.close, parts.body].concat(), text.clone());
        }
        if let Ok(new) = edit(&text, |map| { map.insert("k".into(), json!("v")); }) {
            prop_assert_eq!(&parse(&new).unwrap()["k"], "v");
        }
    }

    #[test]
    fn no_yaml_makes_the_editor_panic(yaml in "(a|b|: |\n|  |- |\\[|\\]|\\{|\\}|,|'|\"|#|\\||>|&x |\\*x|!t |\\? ){0,30}") {
        let text = format!("---\n{yaml}\n---\nbody");
        if let Ok(new) = edit(&text, |map| { map.insert("a".into(), json!(["v"])); }) {
            let mut wanted = parse(&text).unwrap();
            wanted.insert("a".into(), json!(["v"]));
            prop_assert_eq!(parse(&new).unwrap(), wanted);
            prop_assert!(new.ends_with("---\nbody"));
        }
    }
}
