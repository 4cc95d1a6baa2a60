//! What every scenario is built on: messages read, handed to what the scenario does with them, and
//! written.

use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::scenarios::{Scenario, Writes};

/// A request of the client, or a notification, which has no id.
pub(crate) struct Request {
    pub(crate) id: Value,
    pub(crate) params: Value,
}

impl Request {
    /// The name of the tool, prompt or whatever else is asked for by name.
    pub(crate) fn name(&self) -> &str {
        self.params["name"].as_str().unwrap_or_default()
    }

    pub(crate) fn arguments(&self) -> &Value {
        &self.params["arguments"]
    }

    /// The token by which the client knows progress again. A client that wants none sends no token:
    /// then it is told of progress by the id of its request.
    pub(crate) fn progress_token(&self) -> &Value {
        self.params["_meta"].get("progressToken").unwrap_or(&self.id)
    }
}

/// One server with one client.
pub(crate) struct Server {
    pub(crate) scenario: &'static Scenario,
    pub(crate) options: Vec<String>,
    /// Whether the tools are others than at first.
    pub(crate) changed: AtomicBool,
    /// What the client answered to a question that belongs to no call.
    pub(crate) heard: Mutex<Option<Value>>,
    questions: AtomicU64,
    /// Who waits for an answer of the client, by the id of the question as JSON.
    waiting: Mutex<HashMap<String, Sender<Value>>>,
    /// The ids of cancelled requests, as JSON.
    cancelled: Mutex<HashSet<String>>,
}

/// What a mutex holds. A thread that panicked left it as whole as any other.
pub(crate) fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Server {
    pub(crate) fn new(scenario: &'static Scenario, options: Vec<String>) -> Self {
        Self {
            scenario,
            options,
            changed: AtomicBool::new(false),
            heard: Mutex::default(),
            questions: AtomicU64::new(0),
            waiting: Mutex::default(),
            cancelled: Mutex::default(),
        }
    }

    /// The first option as a number.
    pub(crate) fn number(&self) -> Option<u64> {
        self.options.first()?.parse().ok()
    }

    /// Serves until the client closes standard input.
    pub(crate) fn serve(&'static self) -> ! {
        (self.scenario.start)(self);
        for line in io::stdin().lines() {
            let Ok(line) = line else { break };
            match serde_json::from_str::<Value>(&line) {
                Ok(message) => self.receive(&message),
                Err(error) => self.refuse(&Value::Null, -32700, &error.to_string()),
            }
        }
        self.leave()
    }

    /// Ends the process as the scenario has it.
    pub(crate) fn leave(&self) -> ! {
        (self.scenario.end)();
        std::process::exit(0)
    }

    fn receive(&'static self, message: &Value) {
        let scenario = self.scenario;
        let id = message.get("id");
        let request = Request {
            id: id.cloned().unwrap_or_default(),
            params: message.get("params").cloned().unwrap_or_default(),
        };
        match (id, message["method"].as_str()) {
            (Some(_), Some("initialize")) => (scenario.initialize)(self, &request),
            (Some(_), Some("ping")) => self.answer(&request.id, &json!({})),
            (Some(_), Some("tools/list")) => (scenario.list)(self, &request),
            (Some(_), Some("tools/call")) => {
                thread::spawn(move || (scenario.call)(self, &request));
            }
            (Some(_), Some(method)) => (scenario.other)(self, method, &request),
            (None, Some("notifications/initialized")) => {
                thread::spawn(move || (scenario.initialized)(self));
            }
            (None, Some("notifications/cancelled")) => self.cancel(&request.params["requestId"]),
            (Some(id), None) => self.hear(id, message),
            _ => {}
        }
    }

    fn cancel(&self, id: &Value) {
        held(&self.cancelled).insert(id.to_string());
        (self.scenario.cancelled)(self, id);
    }

    /// Whether the client has cancelled a request of its own.
    pub(crate) fn is_cancelled(&self, id: &Value) -> bool {
        held(&self.cancelled).contains(&id.to_string())
    }

    fn hear(&self, id: &Value, answer: &Value) {
        if let Some(asker) = held(&self.waiting).remove(&id.to_string()) {
            // Whoever asked may have gone on without it.
            _ = asker.send(answer.clone());
        }
    }

    // ---- writing ----------------------------------------------------------------------------

    /// Writes bytes as they are. Where nobody reads them any more the server ends.
    pub(crate) fn write(&self, bytes: &[u8]) {
        let written = self.try_to_write(bytes);
        if written.is_err() {
            self.leave();
        }
    }

    fn try_to_write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if self.scenario.writes != Writes::Dripping {
            out.write_all(bytes)?;
            return out.flush();
        }
        let pause = Duration::from_millis(self.number().unwrap_or(50));
        for byte in bytes {
            out.write_all(std::slice::from_ref(byte))?;
            out.flush()?;
            thread::sleep(pause);
        }
        Ok(())
    }

    /// Writes one line, which need not be JSON.
    pub(crate) fn line(&self, text: &[u8]) {
        let end: &[u8] = if self.scenario.writes == Writes::CrlfLines { b"\r\n" } else { b"\n" };
        self.write(&[text, end].concat());
    }

    fn send(&self, message: &Value) {
        self.line(message.to_string().as_bytes());
    }

    /// Answers a request with a result.
    pub(crate) fn answer(&self, id: &Value, result: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": result }));
    }

    /// Answers a request with a result that is JSON already, or is none.
    pub(crate) fn answer_with_bytes(&self, id: &Value, result: &[u8]) {
        let before = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":"#);
        self.line(&[before.as_bytes(), result, b"}"].concat());
    }

    /// Answers a request with an error.
    pub(crate) fn refuse(&self, id: &Value, code: i64, words: &str) {
        let error = json!({ "code": code, "message": words });
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "error": error }));
    }

    /// Tells the client something.
    pub(crate) fn notify(&self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    // ---- asking the client ------------------------------------------------------------------

    /// Asks the client something and waits for what comes back: its `result` or its `error`.
    pub(crate) fn ask(&self, method: &str, params: &Value) -> Value {
        came_back(&self.begin_to_ask(method, params))
    }

    /// Asks the client something, and leaves it to the caller when to wait for the answer.
    pub(crate) fn begin_to_ask(&self, method: &str, params: &Value) -> Receiver<Value> {
        let number = self.questions.fetch_add(1, Ordering::Relaxed) + 1;
        self.ask_as(&json!(format!("question-{number}")), method, params)
    }

    /// Asks the client something under an id of the caller's choice.
    pub(crate) fn ask_as(&self, id: &Value, method: &str, params: &Value) -> Receiver<Value> {
        let (asker, answer) = channel();
        held(&self.waiting).insert(id.to_string(), asker);
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        answer
    }
}

/// Waits for an answer of the client, without what every message has.
pub(crate) fn came_back(answer: &Receiver<Value>) -> Value {
    let mut message = answer.recv().unwrap_or_default();
    if let Some(members) = message.as_object_mut() {
        members.retain(|name, _| name == "result" || name == "error");
    }
    message
}
