//! The program as a child process, and the folders it works in.

use kernel::event::{Event, Line, upcast};
use rusqlite::Connection;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdout, Command, Output, Stdio};

use host::llm::{DemoServer, Fault};
use kernel::trace::Trace;

/// The repository's top.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// `hello-branch` among the templates.
pub fn hello_branch() -> String {
    root().join("templates/packages/hello-branch").to_string_lossy().into_owned()
}

/// The built program, beside the test binaries' folder.
pub fn program() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let folder = tests.parent().and_then(Path::parent).unwrap();
    let program = folder.join(format!("crewagent{}", std::env::consts::EXE_SUFFIX));
    assert!(
        program.is_file(),
        "the program is not built: run `cargo build -p crewagent-cli` before these tests"
    );
    program
}

/// A store, a project and a home of their own; gone with the value.
pub struct Sandbox {
    temp: tempfile::TempDir,
}

/// Installed packages are read-only; a temporary folder goes with what is in it.
impl Drop for Sandbox {
    fn drop(&mut self) {
        _ = host::packages::remove_folder(&self.path("store"));
    }
}

impl Default for Sandbox {
    fn default() -> Self {
        Self::new()
    }
}

impl Sandbox {
    /// An empty one among the system's temporary folders.
    pub fn new() -> Self {
        Self::below(&std::env::temp_dir())
    }

    /// The same in memory where the system offers that: for thousands of runs whose disk does not
    /// matter, because the process is killed and the machine goes on.
    pub fn in_memory() -> Self {
        let memory = Path::new("/dev/shm");
        if memory.is_dir() { Self::below(memory) } else { Self::new() }
    }

    fn below(folder: &Path) -> Self {
        let temp = tempfile::tempdir_in(folder).unwrap();
        for name in ["project", "home", "work"] {
            std::fs::create_dir(temp.path().join(name)).unwrap();
        }
        Self { temp }
    }

    /// Something in it by its name.
    pub fn path(&self, name: &str) -> PathBuf {
        self.temp.path().join(name)
    }

    /// The project that every command works on.
    pub fn project(&self) -> PathBuf {
        self.path("project")
    }

    /// Writes a file, and says where.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_string_lossy().into_owned()
    }

    /// `crewagent ARGS` with this store and project, in an empty folder, with nobody at the
    /// terminal and nothing of the machine's own settings.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(program());
        for (name, _) in std::env::vars() {
            let proxy = name.to_lowercase().ends_with("_proxy");
            if proxy || name.starts_with("CREWAGENT_") {
                command.env_remove(name);
            }
        }
        command
            .args(args)
            .env("HOME", self.path("home"))
            .env("CREWAGENT_KEYCHAIN", "off")
            .env("CREWAGENT_STORE", self.path("store"))
            .current_dir(self.path("work"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if !args.contains(&"--project") {
            command.arg("--project").arg(self.project());
        }
        command
    }

    /// The same command line begun by a shell, which runs `script` with the program as `$0`.
    #[cfg(unix)]
    pub fn in_shell(&self, script: &str, args: &[&str]) -> Command {
        let whole = self.command(args);
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(script).arg(whole.get_program()).args(whole.get_args());
        for (name, value) in whole.get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        shell.current_dir(self.path("work"));
        shell
    }

    /// Runs to the end.
    pub fn run(&self, args: &[&str]) -> Done {
        self.run_with(args, &[])
    }

    /// The same with environment variables.
    pub fn run_with(&self, args: &[&str], env: &[(&str, &str)]) -> Done {
        let done = self.run_told(args, env);
        self.shows_no_real_path(&done.stdout);
        self.shows_no_real_path(&done.stderr);
        done
    }

    /// The same where somebody has told the model of a real path, and its own words are printed.
    pub fn run_told(&self, args: &[&str], env: &[(&str, &str)]) -> Done {
        let mut command = self.command(args);
        let output = command.envs(env.iter().copied()).output().unwrap();
        Done::of(output, args)
    }

    /// The same with words behind `--`.
    pub fn run_before(&self, args: &[&str], rest: &[&str], env: &[(&str, &str)]) -> Done {
        let mut command = self.command(args);
        let output = command.arg("--").args(rest).envs(env.iter().copied()).output().unwrap();
        let done = Done::of(output, args);
        self.shows_no_real_path(&done.stdout);
        self.shows_no_real_path(&done.stderr);
        done
    }

    /// The same with a text piped into it.
    pub fn run_fed(&self, args: &[&str], fed: &str) -> Done {
        let file = self.write("fed", fed);
        let mut command = self.command(args);
        let output = command.stdin(std::fs::File::open(file).unwrap()).output().unwrap();
        Done::of(output, args)
    }

    /// Starts it, to be read line by line.
    pub fn start(&self, args: &[&str]) -> Running {
        self.start_with(args, &[])
    }

    /// The same with environment variables.
    pub fn start_with(&self, args: &[&str], env: &[(&str, &str)]) -> Running {
        let mut child = self.command(args).envs(env.iter().copied()).spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let stderr = BufReader::new(child.stderr.take().unwrap());
        Running { child, stdout, stderr }
    }

    /// Aliases only (spec 04 "Paths").
    pub fn shows_no_real_path(&self, text: &str) {
        let real = self.temp.path().to_string_lossy().into_owned();
        assert!(!text.contains(&real), "a real path is shown: {text}");
    }

    /// The store's database as any other process sees it.
    pub fn database(&self) -> Connection {
        Connection::open(self.path("store/store.db")).unwrap()
    }

    /// How many rows a table has; 0 when there is no store.
    pub fn rows(&self, table: &str) -> i64 {
        if !self.path("store/store.db").exists() {
            return 0;
        }
        let count = format!("SELECT count(*) FROM {table}");
        self.database().query_row(&count, [], |row| row.get(0)).unwrap()
    }

    /// The whole journal of the only conversation of a person.
    pub fn journal(&self) -> Vec<Line> {
        let db = self.database();
        let sql = "SELECT body FROM lines WHERE conversation NOT LIKE 'task-%' ORDER BY seq";
        let mut lines = db.prepare(sql).unwrap();
        let bodies = lines.query_map([], |row| row.get::<_, String>(0)).unwrap();
        bodies.map(|body| upcast(&body.unwrap()).unwrap()).collect()
    }

    /// Its events as they are printed.
    pub fn journal_events(&self) -> Vec<Value> {
        let lines = self.journal();
        let printed = lines.iter().flat_map(|line| {
            line.numbered().map(|(seq, event)| {
                let tagged = serde_json::to_value(event).unwrap();
                json!({
                    "seq": seq, "at": line.at, "turn": line.turn,
                    "event": tagged["event"], "data": tagged["data"],
                })
            })
        });
        printed.collect()
    }

    /// The only run's id.
    pub fn run_id(&self) -> String {
        let sql = "SELECT id FROM runs";
        self.database().query_row(sql, [], |row| row.get(0)).unwrap()
    }

    /// Project files below `artifacts/`, by name.
    pub fn artifacts(&self) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.project().join("artifacts")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                if entry.path().is_dir() {
                    folders.push(entry.path());
                } else {
                    let path = entry.path();
                    let name = path.strip_prefix(self.project()).unwrap();
                    let name = name.to_string_lossy().replace('\\', "/");
                    files.insert(name, std::fs::read_to_string(&path).unwrap());
                }
            }
        }
        files
    }

    /// An answers file with what the demo's person has not said yet.
    pub fn answers_left(&self) -> String {
        let given = if self.path("store/store.db").exists() { self.journal() } else { Vec::new() };
        let given = given.iter().flat_map(|line| &line.events);
        let given =
            given.filter(|e| matches!(e, Event::UserSaid(_) | Event::WidgetAnswered(_))).count();
        let trace: Value = serde_json::from_str(&trace_text()).unwrap();
        let left = trace["answers"].as_array().unwrap().iter().skip(given).map(|answer| {
            if answer["text"].is_string() { answer["text"].clone() } else { answer.clone() }
        });
        let left: Vec<Value> = left.collect();
        self.write("answers-left.json", serde_json::to_vec(&left).unwrap())
    }
}

/// A process that has ended.
#[derive(Debug)]
pub struct Done {
    /// The exit code; none after a signal.
    pub code: Option<i32>,
    /// All of its standard output.
    pub stdout: String,
    /// All of its standard error.
    pub stderr: String,
    /// The arguments it was started with.
    pub args: String,
}

impl Done {
    fn of(output: Output, args: &[&str]) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            args: args.join(" "),
        }
    }

    /// Checks the exit code and shows everything when it is another.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    /// The only document on stdout.
    #[track_caller]
    pub fn json(&self) -> Value {
        assert_eq!(self.stdout.lines().count(), 1, "{self:#?}");
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {self:#?}"))
    }

    /// The events on stdout.
    #[track_caller]
    pub fn events(&self) -> Vec<Value> {
        let parse = |line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        self.stdout.lines().map(parse).collect()
    }

    /// The error document: alone on stdout, whole, with something to do.
    #[track_caller]
    pub fn error(&self, code: &str) -> Value {
        let document = self.json();
        let error = &document["error"];
        assert_eq!(error["code"], code, "`crewagent {}`: {self:#?}", self.args);
        for part in ["message", "action"] {
            assert!(error[part].as_str().is_some_and(|text| text.len() > 5), "{self:#?}");
        }
        error.clone()
    }

    /// The last event, which must be `turn_finished`.
    #[track_caller]
    pub fn finish(&self) -> Value {
        let last = self.events().pop().unwrap_or_else(|| panic!("no events: {self:#?}"));
        assert_eq!(last["event"], "turn_finished", "{self:#?}");
        last["data"].clone()
    }
}

/// A process at work. Killed when dropped.
pub struct Running {
    child: Child,
    stdout: BufReader<ChildStdout>,
    stderr: BufReader<ChildStderr>,
}

impl Running {
    /// The next whole line; `None` at the end. Half a line is none.
    pub fn line(&mut self) -> Option<Value> {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        let whole = line.strip_suffix('\n')?;
        Some(serde_json::from_str(whole).unwrap_or_else(|e| panic!("{e}: {whole}")))
    }

    /// So many lines.
    pub fn lines(&mut self, count: usize) -> Vec<Value> {
        let mut next = || self.line().expect("the output ended early");
        (0..count).map(|_| next()).collect()
    }

    /// Sends a signal, `KILL` or `INT`.
    pub fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        let status = Command::new("kill").args(["-s", name, &pid]).status().unwrap();
        assert!(status.success());
    }

    /// Whether it has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Ends it as `kill -9` does.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
    }

    /// The next line on stderr: what people are told.
    pub fn note(&mut self) -> String {
        let mut line = String::new();
        self.stderr.read_line(&mut line).unwrap();
        line
    }

    /// What it still prints, and its exit code (`None`: a signal ended it).
    pub fn end(mut self) -> (Vec<Value>, Option<i32>) {
        let lines = std::iter::from_fn(|| self.line()).collect();
        let code = self.child.wait().unwrap().code();
        if code == Some(1) {
            let mut said = String::new();
            self.stderr.read_to_string(&mut said).unwrap();
            panic!("the program had a bug: {said}");
        }
        (lines, code)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// The demo trace of `hello-branch`.
pub fn trace_text() -> String {
    let file = root().join("templates/packages/hello-branch/assets/demo/demo.trace.json");
    std::fs::read_to_string(file).unwrap()
}

/// What the trace writes below `artifacts/`.
pub fn expected_artifacts() -> BTreeMap<String, String> {
    let trace = Trace::parse(&trace_text()).unwrap();
    let calls = trace.turns.iter().flat_map(|turn| &turn.reply.calls);
    let writes = calls.filter(|call| call.name == "fs_write");
    let text = |v: &Value| v.as_str().unwrap().to_owned();
    let file = |path: &str| path.strip_prefix("@project/").unwrap().to_owned();
    writes
        .map(|call| (file(&text(&call.arguments["path"])), text(&call.arguments["content"])))
        .collect()
}

/// The trace of `hello-branch` as a server on loopback. It ends when dropped.
pub struct Server {
    server: DemoServer,
    _runtime: tokio::runtime::Runtime,
}

impl Server {
    /// The n-th request is answered with the n-th fault, the rest well and at once.
    pub fn faulty(faults: Vec<Fault>) -> Self {
        Self::start(|trace| DemoServer::start_with(trace, faults), None)
    }

    /// Text comes a piece at a time, so many milliseconds apart.
    pub fn slow(chunk_ms: u64) -> Self {
        let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        Self::start(|trace| DemoServer::start(trace, any), Some(chunk_ms))
    }

    /// Another model: these are its replies, in order.
    pub fn saying(replies: &[Value]) -> Self {
        Self::saying_with(replies, &[])
    }

    /// The same, and what the models of sub-agents say: a text of their task, and their replies.
    pub fn saying_with(replies: &[Value], subagents: &[(&str, Vec<Value>)]) -> Self {
        let turns = |replies: &[Value]| -> Vec<Value> {
            replies.iter().map(|reply| json!({ "reply": reply })).collect()
        };
        let script = |(prompt, replies): &(&str, Vec<Value>)| json!({ "prompt": prompt, "turns": turns(replies) });
        let subagents: Vec<Value> = subagents.iter().map(script).collect();
        let trace =
            json!({ "schemaVersion": "1", "turns": turns(replies), "subagents": subagents });
        let trace = trace.to_string();
        let (paced, trace) = (trace.contains("chunkMs"), Trace::parse(&trace).unwrap());
        if paced {
            let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
            return Self::serving(trace, |trace| DemoServer::start(trace, any));
        }
        Self::serving(trace, |trace| DemoServer::start_with(trace, Vec::new()))
    }

    fn start<F>(start: impl FnOnce(Trace) -> F, chunk_ms: Option<u64>) -> Self
    where
        F: Future<Output = Result<DemoServer, kernel::code::Failure>>,
    {
        let mut trace = Trace::parse(&trace_text()).unwrap();
        for turn in &mut trace.turns {
            turn.reply.chunk_ms = chunk_ms;
        }
        Self::serving(trace, start)
    }

    fn serving<F>(trace: Trace, start: impl FnOnce(Trace) -> F) -> Self
    where
        F: Future<Output = Result<DemoServer, kernel::code::Failure>>,
    {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let runtime = builder.worker_threads(1).enable_all().build().unwrap();
        let server = runtime.block_on(start(trace)).unwrap();
        Self { server, _runtime: runtime }
    }

    /// The address that `--base-url` takes.
    pub fn base_url(&self) -> String {
        self.server.base_url()
    }

    /// What the last chat was asked, all messages in one text.
    pub fn last_request(&self) -> String {
        let requests = self.server.requests();
        let messages = requests.last().unwrap()["messages"].as_array().unwrap();
        let texts = messages.iter().map(|m| m["content"].as_str().unwrap_or_default());
        texts.collect::<Vec<_>>().join("\n")
    }

    /// The bodies of all chats, in the order they came.
    pub fn requests(&self) -> Vec<Value> {
        self.server.requests()
    }

    /// How many chats were asked.
    pub fn asked(&self) -> usize {
        self.server.requests().len()
    }
}

/// Whether there is Chinese in it.
pub fn has_han(text: &str) -> bool {
    text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c))
}

/// Copies a folder.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).unwrap();
        }
    }
}

/// The first file of this name below a folder.
pub fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    for entry in std::fs::read_dir(folder).ok()?.flatten() {
        let path = entry.path();
        if path.is_dir() {
            if let Some(found) = find(&path, name) {
                return Some(found);
            }
        } else if path.file_name().is_some_and(|n| n == name) {
            return Some(path);
        }
    }
    None
}
