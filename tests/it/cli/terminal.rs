//! What a person meets at a terminal: a real pseudo-terminal with echo, typed into.

mod asked;
mod hostile;
mod imported;
mod keys;
mod left;
mod watched;

use rexpect::process::{PtyProcess, WaitStatus};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::process::Stdio;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};
use support::program::{Sandbox, Server};

/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_mins(1);

/// What came out so far, and whether that is all.
type Screen = Arc<(Mutex<(Vec<u8>, bool)>, Condvar)>;

/// The program at a terminal of its own. Killed when dropped.
struct AtTerminal {
    process: PtyProcess,
    keyboard: std::fs::File,
    screen: Screen,
    /// How much of the screen was read, bytes.
    read: usize,
}

impl AtTerminal {
    fn start(sandbox: &Sandbox, args: &[&str]) -> Self {
        Self::start_with(sandbox, args, &[])
    }

    /// The same with environment variables.
    fn start_with(sandbox: &Sandbox, args: &[&str], env: &[(&str, &str)]) -> Self {
        // The terminal is made without echo; people have one.
        let mut shell = sandbox.in_shell("stty echo; exec \"$0\" \"$@\"", args);
        shell.stdin(Stdio::inherit()).stdout(Stdio::inherit()).stderr(Stdio::inherit());
        shell.env("TERM", "xterm").env_remove("NO_COLOR").envs(env.iter().copied());
        let process = PtyProcess::new(shell).unwrap();
        let (mut output, keyboard) =
            (process.get_file_handle().unwrap(), process.get_file_handle().unwrap());
        let screen = Screen::default();
        let shared = Arc::clone(&screen);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            loop {
                // The end of a terminal is an error.
                let count = output.read(&mut bytes).unwrap_or(0);
                let mut seen = shared.0.lock().unwrap();
                seen.0.extend(&bytes[..count]);
                seen.1 = count == 0;
                shared.1.notify_all();
                if count == 0 {
                    return;
                }
            }
        });
        Self { process, keyboard, screen, read: 0 }
    }

    /// A run of `mini` with this model.
    fn with_model(sandbox: &Sandbox, server: &Server, args: &[&str]) -> Self {
        let base_url = server.base_url();
        Self::start(sandbox, &[args, &["--base-url", &base_url, "--model", "demo"]].concat())
    }

    /// All that came so far.
    fn all(&self) -> String {
        String::from_utf8_lossy(&self.screen.0.lock().unwrap().0).into_owned()
    }

    /// Waits for a text behind what was read; returns what came with it.
    #[track_caller]
    fn sees(&mut self, text: &str) -> String {
        let until = Instant::now() + PATIENCE;
        let mut seen = self.screen.0.lock().unwrap();
        loop {
            let fresh = &seen.0[self.read..];
            if let Some(at) = fresh.windows(text.len()).position(|w| w == text.as_bytes()) {
                let found = String::from_utf8_lossy(&fresh[..at + text.len()]).into_owned();
                self.read += at + text.len();
                return found;
            }
            let left = until.saturating_duration_since(Instant::now());
            assert!(
                !seen.1 && !left.is_zero(),
                "“{text}” never came: {}",
                String::from_utf8_lossy(&seen.0)
            );
            seen = self.screen.1.wait_timeout(seen, left).unwrap().0;
        }
    }

    fn types(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    fn enters(&mut self, line: &str) {
        self.types(&format!("{line}\r"));
    }

    fn presses_ctrl(&mut self, letter: u8) {
        self.keyboard.write_all(&[letter & 0x1f]).unwrap();
    }

    /// Waits for the end; all that came, and the exit code.
    fn ends(mut self) -> (String, i32) {
        let until = Instant::now() + PATIENCE;
        let mut seen = self.screen.0.lock().unwrap();
        while !seen.1 {
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "it never ended: {}", String::from_utf8_lossy(&seen.0));
            seen = self.screen.1.wait_timeout(seen, left).unwrap().0;
        }
        drop(seen);
        self.read = 0;
        let WaitStatus::Exited(_, code) = self.process.wait().unwrap() else {
            panic!("ended by a signal: {}", self.all())
        };
        (self.all(), code)
    }
}

fn mini() -> String {
    support::program::root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned()
}

fn asks(widget: &Value) -> Value {
    json!({ "calls": [{ "name": "ui_ask_user", "arguments": widget }] })
}

fn says(text: &str) -> Value {
    json!({ "text": text })
}

/// The value of the n-th answered widget.
fn answered(sandbox: &Sandbox) -> Vec<Value> {
    let answered = |e: &Value| e["event"] == "widget_answered";
    let events = sandbox.journal_events().into_iter().filter(answered);
    events.map(|e| e["data"]["value"].clone()).collect()
}
