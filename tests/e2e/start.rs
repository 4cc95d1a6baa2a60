//! The first thing a person sees.

use crate::window::{App, start_app, tools};
use serde_json::Value;

#[tokio::test]
async fn the_window_opens_on_the_start_screen() {
    let folder = tempfile::tempdir().unwrap();
    let Some(app) = start_app(folder.path()).await else { return };

    let screen = app.by_test_id("start-screen").await;
    assert!(screen.is_displayed().await.unwrap());
    app.screenshot("start").await;
    assert_eq!(app.driver.title().await.unwrap(), "CrewAgent Runtime");
    app.quit().await;
}

/// As at a text console.
#[cfg(target_os = "linux")]
#[test]
fn without_a_display_the_program_says_so_and_tells_how_it_is_called() {
    let Some(program) = tools(&[]) else { return };
    let told = |argument: &str, lang: &str| {
        let mut start = std::process::Command::new(&program);
        for variable in ["DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"] {
            start.env_remove(variable);
        }
        let said = start.arg(argument).env("CREWAGENT_LANG", lang).output().unwrap();
        let words = [said.stdout, said.stderr].map(|text| String::from_utf8(text).unwrap());
        (said.status.code(), words)
    };
    for (lang, usage, problem) in [
        ("en", "Usage: crewagent-desktop", "there is no display"),
        ("zh", "用法：crewagent-desktop", "没有可以打开窗口的显示器"),
    ] {
        let (code, [out, errors]) = told("--help", lang);
        assert!(code == Some(0) && out.starts_with(usage) && errors.is_empty(), "{out}{errors}");
        let (code, [out, errors]) = told("--demo", lang);
        assert_eq!(code, Some(1), "{errors}");
        assert!(out.is_empty() && errors.contains(problem), "{out}{errors}");
    }
}

/// What `CREWAGENT_APP` names is what people get: `./dev test` names the release's code.
#[test]
fn what_is_driven_by_name_is_a_release_and_can_be_crashed_by_no_variable() {
    let Some(program) = std::env::var_os("CREWAGENT_APP") else { return };
    let code = std::fs::read(program).unwrap();
    let variable = b"CREWAGENT_CRASH_AT";
    assert!(
        !code.windows(variable.len()).any(|part| part == variable),
        "a build with debug checks"
    );
}

/// Runs a script of the page's own making and gives what it calls back with.
async fn in_page(app: &App, script: &str) -> Value {
    app.driver.execute_async(script, Vec::new()).await.unwrap().json().clone()
}

#[tokio::test]
async fn the_page_reaches_the_host_and_gets_failures_as_values() {
    let folder = tempfile::tempdir().unwrap();
    let Some(app) = start_app(folder.path()).await else { return };
    app.by_test_id("start-screen").await;

    let failure = in_page(
        &app,
        "const done = arguments[arguments.length - 1];
         window.__TAURI_INTERNALS__.invoke('submit', { command: { type: 'fly' } }).then(done, done)",
    )
    .await;
    assert_eq!(failure["code"], "BAD_REQUEST", "{failure}");
    app.quit().await;
}

#[tokio::test]
async fn the_window_cannot_be_led_to_another_page() {
    let folder = tempfile::tempdir().unwrap();
    let Some(app) = start_app(folder.path()).await else { return };
    app.by_test_id("start-screen").await;
    app.driver.execute("document.body.dataset.here = 'yes'", Vec::new()).await.unwrap();

    for way in [
        "location.assign('https://example.org/')",
        "location.href = 'http://127.0.0.1:9/'",
        "const a = document.createElement('a'); a.href = 'https://example.org/'; \
         document.body.append(a); a.click()",
        "if (window.open('https://example.org/')) { throw new Error('a second window opened') }",
    ] {
        app.driver.execute(way, Vec::new()).await.unwrap();
        let here = app.driver.execute("return document.body.dataset.here", Vec::new()).await;
        assert_eq!(here.unwrap().json(), "yes", "{way}");
        assert_eq!(app.driver.current_url().await.unwrap().scheme(), "tauri", "{way}");
    }
    assert_eq!(app.driver.windows().await.unwrap().len(), 1);
    app.quit().await;
}

#[tokio::test]
async fn the_page_runs_no_foreign_script_and_speaks_to_no_server() {
    let folder = tempfile::tempdir().unwrap();
    let Some(app) = start_app(folder.path()).await else { return };
    app.by_test_id("start-screen").await;

    for (attempt, directive) in [
        (
            "const s = document.createElement('script'); s.text = '1'; document.body.append(s)",
            "script-src",
        ),
        ("new Image().src = 'https://example.org/x.png'", "img-src"),
        ("fetch('https://example.org/').catch(() => {})", "connect-src"),
        ("try { eval('1') } catch {}", "script-src"),
    ] {
        let script = format!(
            "const done = arguments[arguments.length - 1];
             document.addEventListener('securitypolicyviolation',
               (e) => done(e.effectiveDirective), {{ once: true }});
             {attempt}"
        );
        let stopped = in_page(&app, &script).await;
        let by = stopped.as_str().unwrap_or_default();
        assert!(by.starts_with(directive), "{attempt} was stopped by {stopped}");
    }
    app.quit().await;
}
