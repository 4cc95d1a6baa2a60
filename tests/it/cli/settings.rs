//! Settings and the key: what is refused writes nothing, and no key is ever printed.

use rstest::rstest;
use serde_json::{Value, json};
use support::program::{Sandbox, has_han};

const KEY: &str = "sk-very-secret-1";

fn written(sandbox: &Sandbox) -> Option<Value> {
    let text = std::fs::read_to_string(sandbox.path("store/settings.json")).ok()?;
    Some(serde_json::from_str(&text).unwrap())
}

#[rstest]
#[case::named_in_the_issue("model.apiKey")]
#[case::top("apiKey")]
#[case::variable("OPENAI_API_KEY")]
#[case::secret("model.clientSecret")]
#[case::token("model.access_token")]
#[case::header("model.headers.Authorization")]
#[case::other_header("model.headers.X-Api-Key")]
fn a_key_given_as_a_setting_is_refused_and_nothing_is_written(#[case] name: &str) {
    let sandbox = Sandbox::new();
    let set = ["settings", "set", name, KEY, "--json"];
    let refused = sandbox.run(&set).exits(5);
    let error = refused.error("SETTING_IS_KEY");
    assert_eq!(error["details"]["field"], name);
    assert!(error["action"].as_str().unwrap().contains("settings set-key"), "{error:#}");
    let zh = sandbox.run(&["settings", "set", name, KEY, "--lang", "zh"]).exits(5);
    assert!(has_han(&zh.stderr) && zh.stderr.contains("set-key"), "{zh:#?}");
    for said in [refused.stdout, refused.stderr, zh.stdout, zh.stderr] {
        assert!(!said.contains(KEY), "{said}");
    }
    assert_eq!(written(&sandbox), None);
    assert!(!sandbox.path("store/model-api-key").exists());
}

#[test]
fn an_unknown_setting_is_refused_and_one_that_is_in_the_file_is_kept() {
    let sandbox = Sandbox::new();
    sandbox.run(&["settings", "set", "engine.maxTurns", "9"]).exits(0);
    let mut file = written(&sandbox).unwrap();
    file["future"] = json!({ "a": 1 });
    std::fs::write(sandbox.path("store/settings.json"), file.to_string()).unwrap();
    for name in ["future.a", "engine.maxTurn", "no.such"] {
        let error = sandbox.run(&["settings", "set", name, "5", "--json"]).exits(5);
        let error = error.error("SETTING_INVALID");
        assert!(error["message"].as_str().unwrap().contains("unknown setting"), "{error:#}");
        assert_eq!(written(&sandbox), Some(file.clone()), "{name}");
    }
    sandbox.run(&["settings", "set", "engine.maxTurns", "8"]).exits(0);
    file["engine"]["maxTurns"] = json!(8);
    assert_eq!(written(&sandbox), Some(file), "what another program set is kept");
}

#[test]
fn values_of_headers_are_never_printed() {
    let sandbox = Sandbox::new();
    let headers = json!({ "Authorization": format!("Bearer {KEY}"), "X-Team": "rain" });
    let file = json!({ "model": { "headers": headers } });
    std::fs::create_dir(sandbox.path("store")).unwrap();
    std::fs::write(sandbox.path("store/settings.json"), file.to_string()).unwrap();
    for args in [
        &["settings", "get"][..],
        &["settings", "get", "--json"],
        &["settings", "get", "model"],
        &["settings", "get", "model.headers.Authorization"],
        &["settings", "set", "model.headers.X-Team", "rain", "--json"],
        &["settings", "set", "engine.maxTurns", "5"],
    ] {
        let done = sandbox.run(args).exits(0);
        assert!(!done.stdout.contains(KEY) && !done.stdout.contains("rain"), "{done:#?}");
    }
    let shown = sandbox.run(&["settings", "get", "model.headers", "--json"]).exits(0).json();
    assert_eq!(shown, json!({ "Authorization": "(hidden)", "X-Team": "(hidden)" }));
    sandbox.run(&["settings", "set", "model.headers.Authorization", "null"]).exits(0);
    assert_eq!(
        written(&sandbox).unwrap(),
        json!({
            "model": { "headers": { "X-Team": "rain" } }, "engine": { "maxTurns": 5 },
        })
    );
}

#[test]
fn a_key_is_stored_from_stdin_and_forgotten_again() {
    let sandbox = Sandbox::new();
    let stored = sandbox.run_fed(&["settings", "set-key", "--json"], &format!("{KEY}\n")).exits(0);
    assert_eq!(stored.json(), json!({ "hasApiKey": true, "apiKeyIn": "file" }));
    assert!(!stored.stderr.contains(KEY));
    let file = sandbox.path("store/model-api-key");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), KEY);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    for args in [&["settings", "get"][..], &["settings", "get", "--json"], &["doctor"]] {
        let done = sandbox.run(args).exits(0);
        assert!(!done.stdout.contains(KEY) && !done.stderr.contains(KEY), "{done:#?}");
    }
    let zh = ["settings", "set-key", "--forget", "--lang", "zh"];
    assert!(sandbox.run(&zh).exits(0).stdout.contains("没有存储密钥"));
    assert!(!file.exists());
}

#[rstest]
#[case::nothing("")]
#[case::spaces(" \n\t\n")]
#[case::two_lines("sk-1\nsk-2\n")]
#[case::words("not a key")]
#[case::too_long(&"k".repeat(100_000))]
fn what_is_no_key_changes_nothing(#[case] fed: &str) {
    let sandbox = Sandbox::new();
    sandbox.run_fed(&["settings", "set-key"], KEY).exits(0);
    sandbox.run_fed(&["settings", "set-key", "--json"], fed).exits(2).error("BAD_REQUEST");
    let kept = std::fs::read_to_string(sandbox.path("store/model-api-key")).unwrap();
    assert_eq!(kept, KEY);
}

#[test]
fn a_key_for_another_endpoint_than_the_settings_is_refused() {
    let sandbox = Sandbox::new();
    let url = "https://api.example.com/v1";
    let set_key =
        |endpoint: &str| sandbox.run_fed(&["settings", "set-key", endpoint, "--json"], KEY);
    assert!(set_key(url).exits(5).error("SETTING_INVALID").to_string().contains("model.baseUrl"));
    assert!(!sandbox.path("store/model-api-key").exists());
    sandbox.run(&["settings", "set", "model.baseUrl", url]).exits(0);
    set_key("https://other.example.com/v1").exits(5).error("SETTING_INVALID");
    set_key(&format!("{url}/")).exits(0);
    set_key("custom").exits(0);
}

#[test]
fn a_name_of_thousands_of_parts_is_no_setting() {
    let sandbox = Sandbox::new();
    let name = format!("model{}", ".model".repeat(5_000));
    for what in [&["set", &name, "1"][..], &["get", &name]] {
        let args = [&["settings"], what, &["--json"]].concat();
        let error = sandbox.run(&args).exits(5).error("SETTING_INVALID");
        assert!(error["message"].as_str().unwrap().len() < 200, "{error:#}");
    }
    assert_eq!(written(&sandbox), None);
}

#[rstest]
#[case::key_in_the_address("model.baseUrl", "https://h/v1?api_key=sk-very-secret-1")]
#[case::no_name("model.model", "   ")]
#[case::escapes("model.model", "m\u{1b}]0;pwned\u{7}")]
fn what_is_no_address_or_name_is_refused(#[case] name: &str, #[case] value: &str) {
    let sandbox = Sandbox::new();
    let error = sandbox.run(&["settings", "set", name, value, "--json"]).exits(5);
    let told = error.error("SETTING_INVALID");
    assert_eq!(told["details"]["field"], name);
    let zh = sandbox.run(&["settings", "set", name, value, "--lang", "zh"]).exits(5);
    assert!(has_han(&zh.stderr), "{zh:#?}");
    assert!(!error.stdout.contains(KEY) && !zh.stderr.contains(KEY), "{zh:#?}");
    assert_eq!(written(&sandbox), None);
}
