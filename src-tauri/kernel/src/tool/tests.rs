use super::*;
use crate::code::ErrorCode;
use rstest::rstest;
use serde_json::json;

fn parsed(name: &str, args: &Value) -> ParsedCall {
    parse_call(name, &args.to_string()).unwrap()
}

fn refused(name: &str, args: &str) -> Failure {
    parse_call(name, args).unwrap_err()
}

#[test]
fn a_tool_is_known_by_its_dotted_and_its_wire_name() {
    for name in ["fs.read", "fs_read", " fs_read "] {
        assert_eq!(find(name).map(|t| t.name), Some("fs.read"), "{name:?}");
    }
    let failure = refused("fs.delete_everything", "{}");
    assert_eq!(failure.code, ErrorCode::ToolNotAvailable);
    assert!(failure.details.unwrap()["available"].as_array().unwrap().contains(&json!("fs_read")));
}

#[test]
fn every_wire_name_fits_the_providers_pattern_and_is_unique() {
    let names: std::collections::BTreeSet<String> =
        BUILT_IN.iter().map(|t| wire_name(t.name)).collect();
    assert_eq!(names.len(), BUILT_IN.len());
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    assert!(names.iter().all(|name| name.len() <= 64 && name.chars().all(fits)), "{names:?}");
}

#[test]
fn every_schema_of_a_file_tool_is_a_closed_object_that_needs_what_it_works_on() {
    for tool in BUILT_IN.iter().filter(|t| t.works_on_files) {
        let schema = (tool.schema)();
        assert_eq!(schema["type"], "object", "{}", tool.name);
        assert_eq!(schema["additionalProperties"], false, "{}", tool.name);
        let needs: &[&str] = match tool.name {
            "fs.move" => &["from", "to"],
            "fs.glob" => &["pattern"],
            "agent.spawn" => &["task_type", "prompt"],
            _ => &["path"],
        };
        let required = schema["required"].as_array().unwrap();
        assert!(needs.iter().all(|n| required.contains(&json!(n))), "{}", tool.name);
    }
}

#[test]
fn arguments_that_are_no_json_say_where() {
    let failure = refused("fs_read", r#"{"path": "@project/a.md""#);
    assert_eq!(failure.code, ErrorCode::ToolArgsInvalidJson);
    assert!(failure.message.contains("line 1"), "{failure}");
    assert!(failure.action.is_some());
}

#[rstest]
#[case("fs_read", r"{}", "path")]
#[case("fs_read", "", "path")]
#[case("fs_read", r#"{"path":"@project/a","lines":3}"#, "lines")]
#[case("fs_read", r#"{"path":"@project/a","startLine":"3"}"#, "string")]
#[case("fs_read", r#"{"path":"@project/a","startLine":-1}"#, "-1")]
#[case("fs_write", r#"{"path":"@project/a"}"#, "content")]
#[case("fs_write", r#"{"path":"@project/a","content":"","mode":"truncate"}"#, "truncate")]
#[case("fs_search", r#"{"path":"@project"}"#, "pattern")]
#[case("workflow_rewind", r#"{"targetNodeId":"a"}"#, "confirmed")]
#[case("fs_move", r#"{"from":"@project/a"}"#, "to")]
#[case("fs_delete", r#"{"path":"@project/a","force":true}"#, "force")]
#[case("fs_glob", r#"{"path":"@project"}"#, "pattern")]
#[case("fs_glob", r#"{"pattern":"  "}"#, "pattern")]
#[case("fs_glob", r#"{"pattern":"*","expect_min_matches":0}"#, "expect_min_matches")]
#[case("fs_read", r#"{"path":"@project/a","expect_contains":["ok"," \n"]}"#, "expect_contains")]
#[case("fs_read", r#"{"path":"@project/a","expect_contains":[]}"#, "expect_contains")]
#[case(
    "fs_write",
    r#"{"path":"@project/a","content":"","verification_scope":"all"}"#,
    "verification_scope"
)]
#[case("fs_read", r#"{"path":"@project/a","verification_scope":"artifact:b"}"#, "another file")]
fn arguments_that_do_not_fit_name_the_field_and_the_schema(
    #[case] tool: &str,
    #[case] args: &str,
    #[case] named: &str,
) {
    let failure = refused(tool, args);
    assert_eq!(failure.code, ErrorCode::InvalidArgs);
    assert!(failure.message.contains(named), "{failure}");
    assert_eq!(failure.details.unwrap()["expected"]["type"], "object");
}

#[test]
fn a_search_may_say_query_for_pattern() {
    let call = parsed("fs_search", &json!({ "path": "@project", "query": "x", "globs": ["*.md"] }));
    assert_eq!(call.args(), json!({ "path": "@project", "pattern": "x", "globs": ["*.md"] }));
}

#[test]
fn a_flat_patch_is_nested_and_its_hash_is_lifted_out() {
    let nested = json!({ "path": "@project/a", "patch": { "operation": "replace", "old": "a", "new": "b" }, "ifMatchSha256": "h" });
    let flat = json!({ "path": "@project/a", "operation": "replace", "old": "a", "new": "b", "ifMatchSha256": "h" });
    let inside = json!({ "path": "@project/a", "patch": { "operation": "replace", "old": "a", "new": "b", "ifMatchSha256": "h" } });
    for args in [&nested, &flat, &inside] {
        assert_eq!(parsed("fs_apply_patch", args).args(), nested, "{args}");
    }
}

#[test]
fn a_list_of_operations_is_kept_in_order() {
    let op = |old: &str| json!({ "operation": "replace", "old": old, "new": "" });
    let args = json!({ "path": "@project/a", "patch": [op("1"), op("2")] });
    let call = parsed("fs_apply_patch", &args);
    let ToolInput::Patch(call) = call.input else { panic!("a patch") };
    let olds = call.args.patch.ops().iter().map(|op| match op {
        patch::PatchOp::Replace { old, .. } => old.as_str(),
        patch::PatchOp::UpdateFrontmatter { .. } | patch::PatchOp::Unified { .. } => "another",
    });
    assert_eq!(olds.collect::<Vec<_>>(), ["1", "2"]);
}

#[test]
fn an_unknown_operation_is_refused() {
    let args = json!({ "path": "@project/a", "operation": "delete" });
    assert_eq!(refused("fs_apply_patch", &args.to_string()).code, ErrorCode::InvalidArgs);
}

#[rstest]
#[case("fs_write", "@project/a.md", EffectClass::WriteProject)]
#[case("fs_write", "@state/workflow.md", EffectClass::WriteState)]
#[case("fs_write", r"@state\.\workflow.md", EffectClass::WriteState)]
#[case("fs_write", "@state/other.md", EffectClass::WriteProject)]
#[case("fs_read", "@state/workflow.md", EffectClass::Read)]
fn writing_the_state_document_is_a_class_of_its_own(
    #[case] tool: &str,
    #[case] path: &str,
    #[case] class: EffectClass,
) {
    let args = match tool {
        "fs_write" => json!({ "path": path, "content": "" }),
        _ => json!({ "path": path }),
    };
    assert_eq!(parsed(tool, &args).class, class);
}

#[test]
fn a_path_outside_the_mounts_is_refused_without_repeating_it() {
    let failure = refused("fs_read", r#"{"path":"/home/ada/secret.txt"}"#);
    assert_eq!(failure.code, ErrorCode::SandboxViolation);
    assert_eq!(failure.details.as_ref().unwrap()["reason"], "absolute");
    assert!(!failure.to_tool_result().to_string().contains("ada"));
}

#[test]
fn with_files_off_only_tools_without_files_are_offered() {
    let system = crate::policy::SystemTools { fs_enabled: false, ..Default::default() };
    let names: Vec<String> =
        specs(&ToolPolicy::merge(&system, None)).iter().map(|s| s.name.clone()).collect();
    assert_eq!(names, ["ui_ask_user", "workflow_rewind", "todo_write", "todo_list"]);
}

#[test]
fn a_diff_may_be_sent_flat_nested_or_as_bare_text() {
    let nested = json!({ "path": "@project/a", "patch": { "operation": "unified", "diff": "d" } });
    let flat = json!({ "path": "@project/a", "operation": "unified", "diff": "d" });
    let bare = json!({ "path": "@project/a", "patch": "d" });
    for args in [&nested, &flat, &bare] {
        assert_eq!(parsed("fs_apply_patch", args).args(), nested, "{args}");
    }
}

#[rstest]
#[case("**/*.md", "@project", "**/*.md")]
#[case("./docs//*.md", "@project", "docs/*.md")]
#[case("@project/docs/*.md", "@project", "docs/*.md")]
#[case("@pkg\\steps\\*.md", "@pkg", "steps/*.md")]
fn a_pattern_is_split_from_its_mount(#[case] given: &str, #[case] path: &str, #[case] rel: &str) {
    let call = parsed("fs_glob", &json!({ "pattern": given }));
    assert_eq!(call.path().unwrap().to_string(), path);
    assert_eq!(call.args()["pattern"], rel);
}

#[rstest]
#[case("../*.md")]
#[case("docs/../../*.md")]
#[case("/etc/*")]
#[case("C:/*")]
#[case("~/*")]
#[case("././~/*")]
#[case("@project/./~m")]
#[case(".// C:/*")]
#[case("file:///etc/*")]
#[case("@home/*")]
#[case("a\u{0}b")]
fn a_pattern_that_could_climb_is_refused_like_a_path(#[case] pattern: &str) {
    let failure = refused("fs_glob", &json!({ "pattern": pattern }).to_string());
    assert_eq!(failure.code, ErrorCode::SandboxViolation, "{pattern}");
    assert!(!failure.message.contains("etc"), "{failure}");
}

#[rstest]
#[case("docs/*.md  /   /  ")]
#[case("@project/ ./x/ y ")]
fn a_checked_pattern_is_checked_the_same_again(#[case] pattern: &str) {
    let once = parsed("fs_glob", &json!({ "pattern": pattern }));
    assert_eq!(parsed("fs_glob", &once.args()), once);
}

#[test]
fn a_pattern_with_two_mounts_is_refused() {
    let failure = refused("fs_glob", r#"{"pattern":"@project/@pkg/steps/*.md"}"#);
    assert_eq!(failure.code, ErrorCode::InvalidArgs);
}

#[test]
fn a_pattern_of_alternatives_within_alternatives_has_an_end() {
    let nested = |deep: usize| {
        let pattern = format!("{}a{}", "{".repeat(deep), "}".repeat(deep));
        parse_call("fs_glob", &json!({ "pattern": pattern }).to_string())
    };
    assert!(nested(20).is_ok());
    let failure = nested(21).unwrap_err();
    assert_eq!(failure.code, ErrorCode::InvalidArgs);
    assert!(failure.message.contains("pattern: "), "{failure}");
}

#[test]
fn globs_of_a_search_that_would_exhaust_the_matcher_are_refused() {
    let search = |globs: Vec<String>| {
        let args = json!({ "path": "@project", "pattern": "x", "globs": globs });
        parse_call("fs_search", &args.to_string())
    };
    let nested = |deep: usize| format!("{}a{}", "{".repeat(deep), "}".repeat(deep));
    assert!(search(vec![nested(20), "a".repeat(1000)]).is_ok());
    assert!(search(vec!["*.md".into(); 100]).is_ok());
    for globs in [
        vec![nested(20_000)],
        vec!["*.md".into(), nested(21)],
        vec!["*".repeat(1001)],
        vec!["*.md".into(); 101],
    ] {
        let failure = search(globs).unwrap_err();
        assert_eq!(failure.code, ErrorCode::InvalidArgs);
        assert!(failure.message.contains("globs: "), "{failure}");
    }
}

#[test]
fn a_patch_has_so_many_operations_and_no_more() {
    let patch = |count: usize| {
        let one = json!({ "operation": "replace", "old": "a", "new": "b" });
        let args = json!({ "path": "@project/a.md", "patch": vec![one; count] });
        parse_call("fs_apply_patch", &args.to_string())
    };
    assert!(patch(50).is_ok());
    assert!(patch(51).unwrap_err().message.contains("patch: 51 operations"));
}

#[test]
fn a_text_to_be_looked_for_has_a_longest_length() {
    let read = |text: String| {
        let args = json!({ "path": "@project/a", "expect_contains": ["a", text] });
        parse_call("fs_read", &args.to_string())
    };
    assert!(read("资".repeat(1365)).is_ok());
    let failure = read("资".repeat(1366)).unwrap_err();
    assert_eq!(failure.code, ErrorCode::InvalidArgs);
    assert!(failure.message.contains("expect_contains: "), "{failure}");
}

#[test]
fn a_path_written_with_a_mark_stands_in_the_arguments_by_its_alias() {
    let moved = json!({ "from": "⟦folder:project⟧/a", "to": "@project/b/c" });
    let call = parsed("fs_move", &moved);
    assert_eq!(call.args(), json!({ "from": "@project/a", "to": "@project/b/c" }));
    let paths: Vec<String> = call.paths().map(ToString::to_string).collect();
    assert_eq!(paths, ["@project/a", "@project/b/c"]);
}

#[test]
fn both_paths_of_a_move_are_checked_and_either_can_be_the_state_document() {
    let call = parsed("fs_move", &json!({ "from": "@project/a", "to": "@project/b/c" }));
    assert_eq!(call.path().unwrap().to_string(), "@project/a");
    assert_eq!(call.to().unwrap().to_string(), "@project/b/c");
    assert_eq!(call.class, EffectClass::WriteProject);
    for (from, to) in [("@state/workflow.md", "@project/a"), ("@project/a", "@state/./workflow.md")]
    {
        let call = parsed("fs_move", &json!({ "from": from, "to": to }));
        assert_eq!(call.class, EffectClass::WriteState, "{from} {to}");
    }
    let failure = refused("fs_move", r#"{"from":"@project/a","to":"/tmp/ada"}"#);
    assert_eq!(failure.code, ErrorCode::SandboxViolation);
    assert!(failure.message.starts_with("to: ") && !failure.message.contains("ada"));
}

#[test]
fn a_dry_run_only_reads_but_of_the_state_document_the_kernel_answers() {
    let patch = |path: &str| {
        let args =
            json!({ "path": path, "operation": "replace", "old": "a", "new": "b", "dryRun": true });
        parsed("fs_apply_patch", &args).class
    };
    assert_eq!(patch("@project/a.md"), EffectClass::Read);
    assert_eq!(patch("@state/workflow.md"), EffectClass::WriteState);
}

#[test]
fn a_list_is_not_taken_for_the_fields_in_their_order() {
    for arguments in [r#"["@project/notes.md"]"#, r#"["@project/notes.md", true]"#, "[]", "null"] {
        let failure = parse_call("fs_delete", arguments).unwrap_err();
        assert_eq!(failure.code, ErrorCode::InvalidArgs, "{arguments}");
    }
    let asked = r#"["id", "confirmation", "May I?"]"#;
    assert_eq!(parse_call("ui_ask_user", asked).unwrap_err().code, ErrorCode::InvalidArgs);
}

#[test]
fn what_a_result_of_an_old_journal_says_in_another_shape_is_as_good_as_absent() {
    let read = CallResult::of(&json!({
        "ok": "yes", "error": "words", "noop_write": 1, "created": null, "sha256": "h",
        "sha256After": 5, "verification": { "passed": true }, "restored": 3, "more": {},
    }));
    assert!(!read.ok && !read.noop_write && !read.created);
    assert_eq!((read.code(), read.sha256_after.as_deref()), (None, None));
    assert!(read.verification().is_none() && read.restored.is_none());
    assert_eq!(read.sha256.as_deref(), Some("h"), "the rest is read all the same");
    for result in [json!([true, { "code": "E_IO" }]), json!("E_IO"), json!(null)] {
        let read = CallResult::of(&result);
        assert!(!read.ok && read.code().is_none(), "{result}");
    }
}

#[test]
fn a_result_says_first_that_it_is_one_and_leaves_out_what_is_not_so() {
    let path: AliasPath = "@project/a".parse().unwrap();
    let output = list::Output {
        path: path.clone(),
        entries: vec!["b/".to_owned()],
        truncated: false,
        hint: None,
    };
    assert_eq!(done(&output).to_string(), r#"{"ok":true,"path":"@project/a","entries":["b/"]}"#);
    let moved = |lost| move_::Output {
        path: path.clone(),
        to: path.clone(),
        moved: move_::Moved::File,
        files: None,
        sha256: Some("h".to_owned()),
        recovered: true,
        lost,
    };
    let said =
        r#""path":"@project/a","to":"@project/a","moved":"file","sha256":"h","recovered":true"#;
    let nothing_lost = done(&moved(Lost::files([].into_iter()))).to_string();
    assert_eq!(nothing_lost, format!(r#"{{"ok":true,{said}}}"#));
    let lost = r#""restorable":false,"notRestorable":["@project/a"]"#;
    let one_lost = done(&moved(Lost::files([&path].into_iter()))).to_string();
    assert_eq!(one_lost, format!(r#"{{"ok":true,{said},{lost}}}"#));
    let many = Lost::files(std::iter::repeat_n(&path, 30));
    assert_eq!(done(&moved(many))["notRestorable"].as_array().unwrap().len(), 20);
}

#[test]
fn what_is_said_of_the_state_document_stands_in_its_order() {
    let text = |result: Value| result.to_string();
    let unchanged =
        r#"{"ok":true,"path":"@state/workflow.md","noop_write":true,"sha256After":"a"}"#;
    assert_eq!(text(done(&StateUnchanged::at("a"))), unchanged);
    let previewed = r#"{"ok":true,"path":"@state/workflow.md","dryRun":true,"sha256Before":"a","sha256After":"b","diff":"+x"}"#;
    assert_eq!(text(done(&StatePreview::between("a", "b", "+x".to_owned()))), previewed);
    let changed = |found: &[&str], repaired: &[&str]| StateOutput {
        missing_outputs: Vec::new(),
        path: AliasPath::state_document(),
        sha256_before: "a".to_owned(),
        sha256_after: "b".to_owned(),
        current_node_id: crate::ids::NodeId::new("ask").unwrap(),
        complete: false,
        workflow: None,
        found: found.iter().map(|path| path.parse().unwrap()).collect(),
        repaired: repaired.iter().map(ToString::to_string).collect(),
    };
    let said = r#""path":"@state/workflow.md","sha256Before":"a","sha256After":"b","currentNodeId":"ask","complete":false"#;
    assert_eq!(text(done(&changed(&[], &[]))), format!(r#"{{"ok":true,{said}}}"#));
    let more = r#""found":["@project/a"],"repaired":["r"]"#;
    let found = done(&changed(&["@project/a"], &["r"]));
    assert_eq!(text(found), format!(r#"{{"ok":true,{said},{more}}}"#));
    let files = Restored::default;
    let rewound = rewind::Output { state: changed(&[], &[]), files: files() };
    let none = r#""restored":[],"conflicts":[]"#;
    assert_eq!(text(done(&rewound)), format!(r#"{{"ok":true,{said},{none}}}"#));
    let failure = Failure::for_model(ErrorCode::WriteLimit, "no");
    let refused = failure.to_tool_result().to_string();
    let kept = refused.strip_suffix('}').unwrap();
    assert_eq!(text(rewind::Output::refused(&failure, &files())), format!("{kept},{none}}}"));
}

#[test]
fn a_refusal_is_read_back_whole_and_its_details_by_their_names() {
    let details = json!({ "unknown": ["@project/a"], "actualSha256": "h", "more": 1 });
    let failure = Failure::for_model(ErrorCode::ArtifactUnknown, "no").with_details(details);
    let result = failure.to_tool_result();
    assert_eq!(failure_of(&result), Some(failure.clone()));
    let read = CallResult::of(&result);
    assert_eq!(read.details().unknown, ["@project/a".parse().unwrap()]);
    assert_eq!(read.details().actual_sha256.as_deref(), Some("h"));
    assert_eq!(RefusalDetails::of(&failure).actual_sha256.as_deref(), Some("h"));
    // Steps of a workflow are unknown under the same name.
    let foreign = json!({ "ok": false, "error": { "code": "X", "details": { "unknown": ["a b"], "actualSha256": 3 } } });
    let read = CallResult::of(&foreign);
    assert!(read.details().unknown.is_empty() && read.details().actual_sha256.is_none());
    assert_eq!(read.code(), Some("X"));
    assert_eq!(failure_of(&foreign), None);
    assert_eq!(failure_of(&json!({ "ok": true })), None);
}

#[test]
fn a_read_is_read_back_and_what_is_none_is_not() {
    let read = json!({ "ok": true, "path": "@project/a", "bytes": 1, "sha256": "h",
        "totalLines": 1, "truncated": false, "content": "a", "marks": "a hint" });
    let output = read::Output::of(&read).unwrap();
    assert_eq!((output.content.as_deref(), &*output.sha256), (Some("a"), "h"));
    for other in [json!({ "ok": true, "content": "a" }), json!("a"), json!({ "ok": false })] {
        assert_eq!(read::Output::of(&other), None, "{other}");
    }
}

#[rstest]
#[case("fs_read", r#"{"path":"@project/a.md"}"#, Some("@project/a.md"))]
#[case("fs_move", r#"{"from":"@project/a.md","to":"@project/b.md"}"#, Some("@project/a.md"))]
#[case("fs_read", r#"{"path":"@project/a.md","lines":3}"#, Some("@project/a.md"))]
#[case("mcp_open", r#"{"path":"@project/a.md"}"#, Some("@project/a.md"))]
#[case("fs_read", r#"{"path":"/etc/passwd"}"#, None)]
#[case("fs_read", r#"{"path":["@project/a.md"]}"#, None)]
#[case("fs_read", "path", None)]
fn a_call_names_its_path_whether_it_fits_a_tool_or_not(
    #[case] name: &str,
    #[case] arguments: &str,
    #[case] path: Option<&str>,
) {
    let (id, name) = (crate::ids::CallId::new("c"), name.to_owned());
    let call = ReceivedCall::new(crate::chat::ToolCall { id, name, arguments: arguments.into() });
    assert_eq!(call.named_path().map(|path| path.to_string()).as_deref(), path);
    assert_eq!(call.json(), serde_json::from_str(arguments).ok().as_ref());
}
