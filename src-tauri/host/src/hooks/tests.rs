use super::*;
use kernel::hook::HookPoint;
use serde_json::json;
use std::path::Path;
use std::time::{Duration, Instant};

fn hook(command: &str, timeout_s: u32) -> Hook {
    let rule = HookRule {
        name: "look".to_owned(),
        at: HookPoint::AcceptGate,
        tools: Vec::new(),
        files: Vec::new(),
    };
    Hook { rule, command: command.to_owned(), timeout_s }
}

fn call(told: serde_json::Value) -> HookCall {
    let (written, policy) = (Vec::new(), kernel::engine::Limits::default().policy(None));
    HookCall { name: "look".to_owned(), told, written, policy }
}

fn runner(root: &Path, command: &str, timeout_s: u32) -> HookRunner {
    let root = RealPath::new(root, "@project");
    HookRunner::new(root, vec![hook(command, timeout_s)], slots())
}

async fn run(root: &Path, command: &str) -> Result<HookResult, Failure> {
    let call = call(json!({ "point": "accept_gate" }));
    runner(root, command, 2).run(&call, str::to_owned, &CancellationToken::new()).await
}

#[tokio::test]
async fn a_command_is_told_as_json_and_says_its_code_and_what_it_wrote() {
    let temp = tempfile::tempdir().unwrap();
    std::fs::write(temp.path().join("here"), "").unwrap();
    let done = run(temp.path(), "test -e here && cat; exit 7").await.unwrap();
    assert_eq!((done.exit_code, done.output.as_str()), (7, r#"{"point":"accept_gate"}"#));
    let both = run(temp.path(), "echo out; echo wrong >&2").await.unwrap();
    assert_eq!((both.exit_code, both.output.as_str()), (0, "wrong"));
    let gone = run(temp.path(), "no-such-program-here").await.unwrap();
    assert_eq!(gone.exit_code, 127);
}

#[tokio::test]
async fn a_command_that_does_not_listen_or_writes_very_much_ends_all_the_same() {
    let temp = tempfile::tempdir().unwrap();
    let much = "i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789; \
                i=$((i+1)); done; echo the end";
    let done = run(temp.path(), much).await.unwrap();
    assert!(done.output.ends_with("the end") && done.output.len() <= 4096);
    assert_eq!(run(temp.path(), "exec <&-; exit 0").await.unwrap().exit_code, 0);
}

/// Whether anything still writes to the file.
#[cfg(unix)]
async fn grows(file: &Path) -> bool {
    let size = || std::fs::metadata(file).map_or(0, |meta| meta.len());
    let before = size();
    tokio::time::sleep(Duration::from_millis(400)).await;
    size() != before
}

#[cfg(unix)]
const LEAVES_ONE_BEHIND: &str = "(while :; do echo x >> ticks; sleep 0.05; done) & sleep 0.2";

#[tokio::test]
#[cfg(unix)]
async fn a_command_that_takes_too_long_is_ended_with_what_it_started() {
    let temp = tempfile::tempdir().unwrap();
    let started = Instant::now();
    let late = run(temp.path(), &format!("{LEAVES_ONE_BEHIND}; sleep 60")).await.unwrap_err();
    assert_eq!(late.code, ErrorCode::HookFailed);
    assert!(started.elapsed() < Duration::from_secs(30));
    assert!(temp.path().join("ticks").exists());
    assert!(!grows(&temp.path().join("ticks")).await);
}

#[tokio::test]
#[cfg(unix)]
async fn what_a_command_leaves_behind_ends_with_it_and_nobody_waits_for_its_output() {
    let temp = tempfile::tempdir().unwrap();
    let done = run(temp.path(), LEAVES_ONE_BEHIND).await.unwrap();
    assert_eq!(done.exit_code, 0);
    assert!(!grows(&temp.path().join("ticks")).await);
}

#[tokio::test]
#[cfg(unix)]
async fn stop_ends_a_command_and_a_dropped_one_ends_too() {
    let temp = tempfile::tempdir().unwrap();
    let call = call(json!({}));
    let long = format!("{LEAVES_ONE_BEHIND}; sleep 60");
    let (cancel, hooks) = (CancellationToken::new(), runner(temp.path(), &long, 60));
    let stop = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        cancel.cancel();
    };
    let (stopped, ()) = tokio::join!(hooks.run(&call, str::to_owned, &cancel), stop);
    assert_eq!(stopped.unwrap_err().code, ErrorCode::EngineAborted);
    assert!(!grows(&temp.path().join("ticks")).await);
    let token = CancellationToken::new();
    let dropped =
        tokio::time::timeout(Duration::from_millis(300), hooks.run(&call, str::to_owned, &token));
    assert!(dropped.await.is_err());
    assert!(!grows(&temp.path().join("ticks")).await);
}

#[tokio::test]
async fn a_hook_that_is_not_trusted_any_more_is_not_run() {
    let temp = tempfile::tempdir().unwrap();
    let hooks = runner(temp.path(), "touch here", 2);
    hooks.trust(Vec::new());
    let call = call(json!({}));
    let refused = hooks.run(&call, str::to_owned, &CancellationToken::new()).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::HookFailed);
    assert!(!temp.path().join("here").exists());
}

#[tokio::test]
#[cfg(unix)]
async fn a_place_is_free_only_when_the_command_that_had_it_has_ended() {
    let temp = tempfile::tempdir().unwrap();
    let one = Arc::new(Semaphore::new(1));
    let root = RealPath::new(temp.path(), "@project");
    let command = "mkdir alone && sleep 0.2 && rmdir alone";
    let hooks = HookRunner::new(root, vec![hook(command, 20)], one);
    let call = call(json!({}));
    let token = CancellationToken::new();
    let run = || hooks.run(&call, str::to_owned, &token);
    let (a, b, c) = tokio::join!(run(), run(), run());
    for done in [a, b, c] {
        assert_eq!(done.unwrap().exit_code, 0);
    }
}
