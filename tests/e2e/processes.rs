//! The processes round a window: a virtual display, the driver, and the program the driver starts.
//! Each test has its own; nothing of them outlives the test.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval, timeout};

/// How long the driver may take to answer, and the program to end.
const ANSWERS_WITHIN: Duration = Duration::from_secs(20);

/// A virtual display with a free number.
pub(crate) struct Display {
    server: Child,
    number: String,
}

impl Display {
    /// Starts Xvfb, which picks the number and says so when it is ready. It stays as it is when its
    /// last window closes: while it starts over, which is its habit, nobody can reach it.
    pub(crate) fn start() -> Self {
        let mut server = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
                "-screen",
                "0",
                "1280x900x24",
                "-nolisten",
                "tcp",
                "-noreset",
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        assert!(!number.trim().is_empty(), "Xvfb ended before it had a display");
        Self { server, number: format!(":{}", number.trim()) }
    }

    /// Its name, as programs are told it.
    pub(crate) fn number(&self) -> &str {
        &self.number
    }

    /// A program on this display that keeps everything below `folder`.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>, folder: &Path) -> Command {
        let (home, runtime) = (folder.join("home"), folder.join("runtime"));
        for made in [&home, &runtime] {
            std::fs::create_dir_all(made).unwrap();
        }
        // What a test puts there stands in for a program of the system.
        let usual = std::env::var_os("PATH").unwrap_or_default();
        let programs = [folder.join("bin")].into_iter().chain(std::env::split_paths(&usual));
        let mut command = Command::new(program);
        command
            .env("DISPLAY", &self.number)
            .env("CREWAGENT_STORE", folder.join("store"))
            .env("PATH", std::env::join_paths(programs).unwrap())
            .env("HOME", &home)
            .env("XDG_DATA_HOME", home.join("data"))
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("XDG_CACHE_HOME", home.join("cache"))
            // No session bus: a second program on the same bus would hand over to the first and end.
            .env("XDG_RUNTIME_DIR", &runtime)
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .env_remove("WAYLAND_DISPLAY")
            .env("NO_AT_BRIDGE", "1")
            .env("WEBKIT_SKIA_ENABLE_CPU_RENDERING", "1")
            // The driver has no pictures of what is drawn plainly.
            .env("WEBKIT_DISABLE_DMABUF_RENDERER", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        command
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        end(&mut self.server);
    }
}

/// WebKitWebDriver on a free port, its display, and the program it will start.
pub(crate) struct Driver {
    process: Child,
    port: u16,
    log: PathBuf,
    _display: Display,
}

impl Driver {
    /// Starts the driver and waits until it takes sessions. The program inherits its environment:
    /// everything it keeps goes below `folder`.
    pub(crate) async fn start(display: Display, folder: &Path, variables: &[(&str, &str)]) -> Self {
        let mut command = display.command("WebKitWebDriver", folder);
        command.env("TAURI_WEBVIEW_AUTOMATION", "true").envs(variables.iter().copied());
        Self::run(display, command, folder).await
    }

    /// The same by a command of the caller's; what it writes of errors goes below `folder`.
    pub(crate) async fn run(display: Display, mut command: Command, folder: &Path) -> Self {
        // The port is free when the driver is given it; should another process take it in between,
        // the driver ends and the wait below says so.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let log = folder.join("errors.log");
        let process = command
            .arg(format!("--port={port}"))
            .stderr(File::create(&log).unwrap())
            .spawn()
            .unwrap();
        let mut driver = Self { process, port, log, _display: display };
        driver.ready().await;
        driver
    }

    /// Where the driver listens.
    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// What the driver and the program have written to their standard error.
    pub(crate) fn errors(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// The program that it has started; `None` before and after it runs.
    pub(crate) fn program(&self) -> Option<u32> {
        children(self.process.id()).first().copied()
    }

    async fn ready(&mut self) {
        // The HTTP client has no cryptography of its own; a second test finds it installed.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = reqwest::Client::new();
        let status = format!("{}/status", self.address());
        let mut tries = a_while();
        let answered = timeout(ANSWERS_WITHIN, async {
            loop {
                tries.tick().await;
                let ended = self.process.try_wait().unwrap();
                assert!(ended.is_none(), "WebKitWebDriver ended at once: {ended:?}");
                if let Ok(answer) = client.get(&status).send().await
                    && answer.text().await.is_ok_and(|body| body.contains("\"ready\":true"))
                {
                    return;
                }
            }
        });
        assert!(answered.await.is_ok(), "WebKitWebDriver did not answer in {ANSWERS_WITHIN:?}");
    }

    /// Waits until the program the driver started has ended.
    pub(crate) async fn app_ended(&self) {
        let mut looks = a_while();
        let ended = timeout(ANSWERS_WITHIN, async {
            while self.program().is_some() {
                looks.tick().await;
            }
        });
        assert!(
            ended.await.is_ok(),
            "the program was still there {ANSWERS_WITHIN:?} after its end"
        );
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // The program first: without its driver it would have no parent to be found by.
        for child in children(self.process.id()) {
            kill(child);
        }
        end(&mut self.process);
    }
}

/// The pace of looking again at something that cannot tell when it changes.
pub(crate) fn a_while() -> tokio::time::Interval {
    let mut ticks = interval(Duration::from_millis(25));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

pub(crate) fn end(process: &mut Child) {
    // One of another user's cannot be killed, and ends with what holds it.
    if process.kill().is_ok() {
        drop(process.wait());
    }
}

/// The living children of a process, as Linux lists them.
fn children(parent: u32) -> Vec<u32> {
    let Ok(tasks) = std::fs::read_dir(format!("/proc/{parent}/task")) else { return Vec::new() };
    tasks
        .filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("children")).ok())
        .flat_map(|list| {
            list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>()
        })
        .filter(|child| !is_zombie(*child))
        .collect()
}

fn is_zombie(process: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{process}/stat"))
        .is_ok_and(|stat| stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('Z')))
}

pub(crate) fn kill(process: u32) {
    // The shell's own `kill`: the program of that name is not on every machine.
    let command = format!("kill -9 {process} 2>/dev/null");
    drop(Command::new("sh").args(["-c", &command]).status());
}
