use super::*;
use kernel::policy::ApproveWrites;
use rstest::rstest;
use serde_json::json;

fn open(dir: &tempfile::TempDir) -> SettingsStore {
    SettingsStore::open_with(dir.path(), Overrides { no_keychain: true, ..Overrides::default() })
}

fn file(dir: &tempfile::TempDir) -> Value {
    serde_json::from_slice(&std::fs::read(dir.path().join(FILE)).unwrap()).unwrap()
}

#[test]
fn what_is_configured_is_there_after_a_restart_and_only_that_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let patch =
        json!({"model": {"model": "m1", "headers": {"X-A": "1"}}, "engine": {"maxTurns": 4}});
    let set = open(&dir).configure(&patch).unwrap();
    assert_eq!(open(&dir).settings(), set);
    assert_eq!(file(&dir), patch);
}

#[test]
fn a_field_set_to_null_leaves_the_file_and_the_default_holds() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir);
    store.configure(&json!({"engine": {"maxTurns": 4}, "model": {"headers": {"A": "1"}}})).unwrap();
    let patch = json!({"engine": {"maxTurns": null}, "model": {"headers": {"A": null}}});
    let now = store.configure(&patch).unwrap();
    assert_eq!(now, Settings::default());
    assert_eq!(open(&dir).settings(), now);
}

#[test]
fn an_invalid_patch_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir);
    store.configure(&json!({"engine": {"maxTurns": 4}})).unwrap();
    let before = file(&dir);
    let patch = json!({"engine": {"maxTurns": 0}, "model": {"model": "x"}});
    let failure = store.configure(&patch).unwrap_err();
    assert_eq!(failure.details.unwrap()["field"], "engine.maxTurns");
    assert_eq!(file(&dir), before);
    assert_eq!(store.settings().engine.max_turns, 4);
}

#[test]
fn fields_of_another_program_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join(FILE), r#"{"future":{"a":1},"model":{"later":2}}"#).unwrap();
    open(&dir).configure(&json!({"model": {"model": "m"}})).unwrap();
    assert_eq!(file(&dir), json!({"future": {"a": 1}, "model": {"later": 2, "model": "m"}}));
}

#[test]
fn a_key_or_an_unknown_field_writes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir);
    for (patch, code) in [
        (json!({"model": {"apiKey": "sk-1", "model": "m"}}), ErrorCode::SettingIsKey),
        (json!({"model": {"headers": {"Authorization": "sk-1"}}}), ErrorCode::SettingIsKey),
        (json!({"future": {"a": 1}}), ErrorCode::SettingInvalid),
    ] {
        assert_eq!(store.configure(&patch).unwrap_err().code, code);
        assert!(!dir.path().join(FILE).exists(), "{patch}");
    }
}

#[test]
fn one_bad_field_of_the_file_is_reported_and_the_file_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let text = r#"{"engine":{"maxTurns":0},"model":{"model":"m"}}"#;
    std::fs::write(dir.path().join(FILE), text).unwrap();
    let store = open(&dir);
    assert_eq!(store.settings().engine.max_turns, 50);
    assert_eq!(store.settings().model.model, "m");
    assert_eq!(store.problems()[0].details.as_ref().unwrap()["field"], "engine.maxTurns");
    assert_eq!(std::fs::read_to_string(dir.path().join(FILE)).unwrap(), text);
    store.configure(&json!({"engine": {"maxTurns": 3}})).unwrap();
    assert_eq!(store.problems(), []);
}

#[test]
fn a_file_that_is_not_json_is_put_aside_before_it_is_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join(FILE), "{ oh").unwrap();
    let store = open(&dir);
    assert_eq!(store.settings(), unreadable(&Settings::default()));
    assert_eq!(store.problems()[0].code, ErrorCode::SettingInvalid);
    store.configure(&json!({"model": {"model": "m"}})).unwrap();
    assert_eq!(std::fs::read_to_string(dir.path().join(BROKEN)).unwrap(), "{ oh");
    assert_eq!(open(&dir).settings().model.model, "m");
}

#[test]
fn two_processes_do_not_lose_each_others_fields() {
    let dir = tempfile::tempdir().unwrap();
    let (window, cli) = (open(&dir), open(&dir));
    cli.configure(&json!({"model": {"model": "m"}})).unwrap();
    window.configure(&json!({"engine": {"maxTurns": 3}})).unwrap();
    let now = open(&dir).settings();
    assert_eq!((now.model.model.as_str(), now.engine.max_turns), ("m", 3));
}

#[test]
fn the_environment_wins_and_is_never_written() {
    let dir = tempfile::tempdir().unwrap();
    open(&dir).store_api_key("sk-stored").unwrap();
    let overrides = Overrides {
        base_url: Some("http://127.0.0.1:9/v1".into()),
        model: Some("env-model".into()),
        api_key: Secret::new("sk-env"),
        no_keychain: true,
    };
    let store = SettingsStore::open_with(dir.path(), overrides);
    store.configure(&json!({"engine": {"maxTurns": 3}})).unwrap();
    let (model, key) = store.effective_model();
    assert_eq!(
        (model.base_url.as_str(), model.model.as_str()),
        ("http://127.0.0.1:9/v1", "env-model")
    );
    assert_eq!(key, Secret::new("sk-env"));
    let view = store.view();
    assert_eq!(view.api_key_in, "environment");
    assert_eq!(view.overridden, ["model.baseUrl", "model.model", "apiKey"]);
    assert_eq!(file(&dir), json!({"engine": {"maxTurns": 3}}));
}

#[test]
fn the_stored_key_is_not_sent_to_a_server_the_environment_names() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir);
    let gateway = json!({"baseUrl": "https://api.example.com/v1", "headers": {"X-Gateway": "g"}});
    store.configure(&json!({ "model": gateway })).unwrap();
    assert_eq!(store.store_api_key("sk-stored").unwrap(), KeyPlace::File);
    assert_eq!(store.effective_model().0.headers.len(), 1);
    assert_eq!(store.effective_model().1, Secret::new("sk-stored"));
    let overrides = Overrides {
        base_url: Some("http://127.0.0.1:9/v1".into()),
        no_keychain: true,
        ..Overrides::default()
    };
    let headless = SettingsStore::open_with(dir.path(), overrides);
    assert_eq!(headless.effective_model().1, None);
    assert!(headless.effective_model().0.headers.is_empty());
}

#[test]
fn the_stored_key_goes_to_the_server_it_was_given_for_and_to_no_other() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir);
    let go_to = |url: &str| store.configure(&json!({"model": {"baseUrl": url}})).unwrap();
    go_to("https://api.example.com/v1");
    store.store_api_key("sk-stored").unwrap();
    go_to("https://api.example.org/v1");
    for store in [&store, &open(&dir)] {
        assert_eq!(store.effective_model().1, None);
        let view = store.view();
        assert_eq!((view.has_api_key, view.api_key_in.as_str()), (false, "elsewhere"));
    }
    go_to("https://api.example.com/v2");
    assert_eq!(store.effective_model().1, Secret::new("sk-stored"));
    go_to("http://api.example.com/v2");
    assert_eq!(store.effective_model().1, None, "a key never goes out in the clear instead");
}

#[test]
fn a_key_given_before_its_server_goes_to_the_server_of_the_settings() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir);
    store.store_api_key("sk-early").unwrap();
    let go_to = |url: &str| store.configure(&json!({"model": {"baseUrl": url}})).unwrap();
    go_to("https://api.example.com/v1");
    assert_eq!(store.effective_model().1, Secret::new("sk-early"));
    go_to("https://api.example.org/v1");
    for store in [&store, &open(&dir)] {
        assert_eq!(store.effective_model().1, None);
        assert_eq!(store.view().api_key_in, "elsewhere");
    }
}

#[test]
fn a_key_of_an_earlier_version_is_of_the_server_that_was_set_then() {
    let dir = tempfile::tempdir().unwrap();
    open(&dir).configure(&json!({"model": {"baseUrl": "https://api.example.com/v1"}})).unwrap();
    std::fs::write(dir.path().join("model-api-key"), "sk-old\n").unwrap();
    let store = open(&dir);
    store.configure(&json!({"model": {"baseUrl": "https://api.example.org/v1"}})).unwrap();
    assert_eq!(store.effective_model().1, None);
    store.configure(&json!({"model": {"baseUrl": "https://api.example.com/v1"}})).unwrap();
    assert_eq!(open(&dir).effective_model().1, Secret::new("sk-old"));
}

#[test]
fn the_key_is_in_no_debug_text_and_not_in_the_settings_file() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir);
    store.configure(&json!({"model": {"model": "m"}})).unwrap();
    store.store_api_key("sk-very-secret").unwrap();
    assert_eq!(store.effective_model().1, Secret::new("sk-very-secret"));
    assert!(!format!("{store:?}").contains("very-secret"));
    assert!(!std::fs::read_to_string(dir.path().join(FILE)).unwrap().contains("very-secret"));
    let view = store.view();
    assert_eq!((view.has_api_key, view.api_key_in.as_str()), (true, "file"));
}

#[test]
fn a_hand_edit_is_taken_over_and_a_field_that_became_invalid_keeps_its_old_value() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir);
    store.configure(&json!({"engine": {"maxTurns": 7}, "model": {"model": "m"}})).unwrap();
    assert!(!store.reload().changed, "our own write is no news");

    let text = r#"{"engine":{"maxTurns":0},"model":{"model":"edited"}}"#;
    std::fs::write(dir.path().join(FILE), text).unwrap();
    let reloaded = store.reload();
    assert!(reloaded.changed);
    assert_eq!(reloaded.problems[0].details.as_ref().unwrap()["field"], "engine.maxTurns");
    let now = store.settings();
    assert_eq!((now.engine.max_turns, now.model.model.as_str()), (7, "edited"));
    assert_eq!(store.view().problems, reloaded.problems);
    assert!(!store.reload().changed, "the same file is told once");
}

#[test]
fn a_file_that_became_unreadable_loses_no_field_that_was_set_before() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir);
    store.configure(&json!({"engine": {"maxTurns": 7}})).unwrap();
    std::fs::write(dir.path().join(FILE), "{ oh").unwrap();
    assert_eq!(store.reload().problems.len(), 1);
    assert_eq!(store.settings().engine.max_turns, 7);
    store.configure(&json!({"model": {"model": "m"}})).unwrap();
    let whole = json!({"engine": {"maxTurns": 7}, "model": {"model": "m"}});
    assert_eq!(file(&dir), whole);
    assert_eq!(std::fs::read_to_string(dir.path().join(BROKEN)).unwrap(), "{ oh");
}

#[rstest]
#[case::another_case(r#"{"approval":{"writes":"Ask"}}"#)]
#[case::a_comma_too_many(r#"{"approval":{"writes":"ask"},}"#)]
fn a_guard_that_cannot_be_read_is_strict_from_the_start_and_stays_so(#[case] text: &str) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join(FILE), text).unwrap();
    let store = open(&dir);
    assert_eq!(store.settings().approval.writes, ApproveWrites::Ask);
    assert!(store.problems()[0].action.as_ref().unwrap().contains("strictest"));
    // Another field that is set meanwhile does not loosen it.
    store.configure(&json!({"engine": {"maxTurns": 7}})).unwrap();
    for store in [&store, &open(&dir)] {
        assert_eq!(store.settings().approval.writes, ApproveWrites::Ask);
    }
    store.configure(&json!({"approval": {"writes": "auto"}})).unwrap();
    assert_eq!(open(&dir).settings().approval.writes, ApproveWrites::Auto);
    assert_eq!(open(&dir).problems(), []);
}

#[test]
fn an_edit_that_breaks_the_file_leaves_no_guard_open() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir);
    store.configure(&json!({"approval": {"writes": "auto"}})).unwrap();
    std::fs::write(dir.path().join(FILE), r#"{"approval": "#).unwrap();
    store.reload();
    assert_eq!(store.settings().approval.writes, ApproveWrites::Ask);
}

#[test]
fn headers_go_to_the_server_they_were_entered_for_and_to_no_other() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir);
    let set = |model: Value| store.configure(&json!({ "model": model })).unwrap();
    let sent = |store: &SettingsStore| {
        let headers = store.effective_model().0.headers;
        headers.into_keys().collect::<Vec<_>>().join(" ")
    };
    set(json!({"baseUrl": "https://api.example.com/v1", "headers": {"X-Gateway": "g"}}));
    assert_eq!(sent(&store), "X-Gateway");
    set(json!({"baseUrl": "https://api.example.org/v1"}));
    for store in [&store, &open(&dir)] {
        assert_eq!(sent(store), "");
        let [problem] = &store.problems()[..] else { panic!("{:?}", store.problems()) };
        assert!(problem.message.contains("https://api.example.com"), "{problem}");
    }
    // Another field changes nothing of that, the way back does.
    set(json!({"model": "m"}));
    assert_eq!(sent(&open(&dir)), "");
    set(json!({"baseUrl": "https://api.example.com/v2"}));
    assert_eq!((sent(&store).as_str(), store.problems().len()), ("X-Gateway", 0));
    // New ones for another server do not bring the old ones along.
    set(json!({"baseUrl": "https://api.example.org/v1", "headers": {"X-Other": "o"}}));
    for store in [&store, &open(&dir)] {
        assert_eq!(sent(store), "X-Other");
    }
    set(json!({"headers": null}));
    assert_eq!(file(&dir)["model"].as_object().unwrap().get("headersFor"), None);
}

#[test]
fn headers_stay_home_when_a_hand_names_another_server() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir);
    let gateway = json!({"baseUrl": "https://api.example.com/v1", "headers": {"X-Gateway": "g"}});
    store.configure(&json!({ "model": gateway })).unwrap();
    let mut edited = file(&dir);
    edited["model"]["baseUrl"] = "https://evil.example/v1".into();
    std::fs::write(dir.path().join(FILE), edited.to_string()).unwrap();
    assert_eq!(store.reload().problems.len(), 1);
    assert!(store.effective_model().0.headers.is_empty());
}

#[test]
fn headers_that_a_hand_wrote_with_their_server_are_sent() {
    let dir = tempfile::tempdir().unwrap();
    let text = r#"{"model":{"baseUrl":"https://h/v1","headers":{"X-A":"1"}}}"#;
    std::fs::write(dir.path().join(FILE), text).unwrap();
    let store = open(&dir);
    assert_eq!(store.effective_model().0.headers.len(), 1);
    store.configure(&json!({"model": {"baseUrl": "https://other/v1"}})).unwrap();
    assert!(store.effective_model().0.headers.is_empty());
}

#[test]
fn a_key_for_a_provider_without_an_address_does_not_follow_to_another_provider() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir);
    store.configure(&json!({"model": {"provider": "openai"}})).unwrap();
    store.store_api_key("sk-openai-1").unwrap();
    assert_eq!(store.effective_model().1, Secret::new("sk-openai-1"));
    store.configure(&json!({"model": {"provider": "deepseek"}})).unwrap();
    assert_eq!(open(&dir).effective_model().1, None);
}

#[test]
fn many_writers_at_once_lose_no_field() {
    let dir = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let store = open(&dir);
            scope.spawn(move || {
                for n in 0..8 {
                    let name = format!("X-{writer}-{n}");
                    store.configure(&json!({"model": {"headers": {name: "1"}}})).unwrap();
                }
            });
        }
    });
    assert_eq!(open(&dir).settings().model.headers.len(), 32);
}

#[test]
fn a_lock_file_left_by_a_dead_writer_blocks_nobody() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join(LOCK), "").unwrap();
    open(&dir).configure(&json!({"model": {"model": "m"}})).unwrap();
    assert_eq!(open(&dir).settings().model.model, "m");
}

#[test]
fn a_write_that_fails_leaves_the_old_file_and_the_old_values() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir);
    store.configure(&json!({"engine": {"maxTurns": 7}})).unwrap();
    // The places of the file and of the one put aside are taken by folders.
    std::fs::remove_file(dir.path().join(FILE)).unwrap();
    std::fs::create_dir_all(dir.path().join(FILE).join("x")).unwrap();
    std::fs::create_dir_all(dir.path().join(BROKEN).join("x")).unwrap();
    let failure = store.configure(&json!({"engine": {"maxTurns": 9}})).unwrap_err();
    assert_eq!(failure.code, ErrorCode::StoreWriteFailed);
    assert_eq!(store.settings().engine.max_turns, 7);
    let left = std::fs::read_dir(dir.path()).unwrap().flatten().map(|e| e.file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().starts_with(".tmp")).collect();
    assert!(left.is_empty(), "{left:?}");
}
