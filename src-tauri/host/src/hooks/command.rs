//! Running a command of the person: by the system's shell, in the project folder, in a process group
//! of its own that is ended as a whole.

use kernel::bounds::HOOK_OUTPUT_BYTES;
use kernel::code::{ErrorCode, Failure};
use kernel::hook::HookResult;
use kernel::phrase::{engine, projects as said};
use kernel::project_hooks::Hook;
use serde_json::Value;
use std::io;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Command;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::process_group::{self, Running};
use crate::real_path::RealPath;

/// How long what a command wrote is still read after its end: something that it started may hold the
/// other end for ever.
const READ_ON: Duration = Duration::from_millis(200);

/// Bytes that are read and kept before anything is hidden in them; more than is shown, so that what is
/// hidden is whole.
const RAW_BYTES: usize = 64 * 1024;
/// What the first bytes of a cut text may be the end of: a key or a path, which is hidden only as a
/// whole.
const MAY_BE_A_PART: usize = 4096;

/// See [`HookRunner::run`](super::HookRunner::run).
pub(super) async fn run(
    root: &RealPath,
    hook: &Hook,
    told: &Value,
    shown: impl Fn(&str) -> String,
    cancel: &CancellationToken,
) -> Result<HookResult, Failure> {
    let name = &hook.rule.name;
    let started = Instant::now();
    let not_started =
        |e| crate::failure::io(ErrorCode::HookFailed, said::hook_not_started(name), &e);
    let mut running = start(root, &hook.command).map_err(not_started)?;
    let written = running.stdin();
    let told = told.to_string();
    let telling = tokio::spawn(async move {
        if let Some(mut stdin) = written {
            // A command need not listen.
            _ = stdin.write_all(told.as_bytes()).await;
        }
    });
    let out = running.stdout().map(Reading::of);
    let errors = running.stderr().map(Reading::of);
    let time = Duration::from_secs(u64::from(hook.timeout_s));
    let ended = tokio::select! {
        ended = running.wait() => ended.map_err(not_started),
        () = tokio::time::sleep(time) => Err(took_too_long(hook)),
        () = cancel.cancelled() => Err(stopped()),
    };
    telling.abort();
    // What it started and left behind goes with it.
    running.end();
    if ended.is_err() {
        _ = tokio::time::timeout(READ_ON, running.wait()).await;
    }
    let (out, errors) = (text(out, &shown).await, text(errors, &shown).await);
    let exit_code = exit_code(ended?)
        .ok_or_else(|| Failure::new(ErrorCode::HookFailed, said::hook_ended_by_signal(name)))?;
    let output = if errors.is_empty() { out } else { errors };
    let duration_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok(HookResult { exit_code, output, duration_ms })
}

fn start(root: &RealPath, line: &str) -> io::Result<Running> {
    let mut command = shell(line);
    command.current_dir(root.as_path());
    process_group::start(command)
}

#[cfg(unix)]
fn shell(line: &str) -> Command {
    let mut shell = Command::new("/bin/sh");
    shell.arg("-c").arg(line);
    shell
}

#[cfg(windows)]
fn shell(line: &str) -> Command {
    let mut shell = Command::new("cmd");
    shell.arg("/C").raw_arg(line);
    shell
}

/// A program that a signal ended has none; of one of the shell's own programs the shell says so with
/// a number above 128.
fn exit_code(ended: ExitStatus) -> Option<i32> {
    ended.code()
}

/// A stream that is read to its end, of which the last bytes are kept: its writer goes on whatever it
/// writes.
struct Reading {
    kept: Arc<Mutex<Vec<u8>>>,
    task: JoinHandle<()>,
}

impl Reading {
    fn of(stream: impl AsyncRead + Unpin + Send + 'static) -> Self {
        let kept = Arc::<Mutex<Vec<u8>>>::default();
        Self { task: tokio::spawn(read(stream, Arc::clone(&kept))), kept }
    }

    /// What was read, as it may be shown; no longer than a moment after the end of the command.
    async fn text(mut self, shown: impl Fn(&str) -> String) -> String {
        _ = tokio::time::timeout(READ_ON, &mut self.task).await;
        self.task.abort();
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let text = shown(&String::from_utf8_lossy(&kept));
        let cut = if kept.len() < RAW_BYTES { 0 } else { MAY_BE_A_PART };
        let from = cut.max(text.len().saturating_sub(HOOK_OUTPUT_BYTES));
        let from = (from..=text.len()).find(|at| text.is_char_boundary(*at));
        text[from.unwrap_or(text.len())..].trim().to_owned()
    }
}

async fn read(mut stream: impl AsyncRead + Unpin, kept: Arc<Mutex<Vec<u8>>>) {
    let mut piece = vec![0; 16 * 1024];
    while let Ok(read @ 1..) = stream.read(&mut piece).await {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&piece[..read]);
        let over = kept.len().saturating_sub(RAW_BYTES);
        kept.drain(..over);
    }
}

async fn text(reading: Option<Reading>, shown: impl Fn(&str) -> String) -> String {
    match reading {
        Some(reading) => reading.text(shown).await,
        None => String::new(),
    }
}

fn took_too_long(hook: &Hook) -> Failure {
    let message = said::hook_took_too_long(&hook.rule.name, hook.timeout_s);
    Failure::new(ErrorCode::HookFailed, message)
}

pub(super) fn stopped() -> Failure {
    Failure::new(ErrorCode::EngineAborted, engine::stopped_by_user())
}
