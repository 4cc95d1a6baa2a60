//! A model's server that measures its clients: an OpenAI-compatible endpoint on the loopback for
//! two clients, which it lets work in turns. While one works, the other's request is held, so
//! that both meet the same noise.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::script::Script;

/// A pause before each answer: what one client still does beside its request, another thread's
/// hash for one, must not slow the other down.
const SETTLE: Duration = Duration::from_millis(5);

/// Whose request it is: the first folder of the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// `/engine/v1`
    Engine,
    /// `/bare/v1`
    Bare,
}

impl Lane {
    fn other(self) -> Self {
        match self {
            Self::Engine => Self::Bare,
            Self::Bare => Self::Engine,
        }
    }
}

/// What was measured of one client.
#[derive(Debug, Clone, Default)]
pub(crate) struct Measured {
    /// From answer n to request n + 1.
    pub(crate) overheads: Vec<Duration>,
    /// Sizes of the requests' bodies.
    pub(crate) bytes: Vec<usize>,
    /// Connections it opened.
    pub(crate) connections: u64,
    /// The first request's body.
    pub(crate) first: Option<Vec<u8>>,
    /// When it came.
    pub(crate) began: Option<Instant>,
    answered: Option<Instant>,
    answers: usize,
    gone: bool,
}

struct State {
    lanes: [Measured; 2],
    turn: Lane,
}

/// The server. Its threads end with the program.
pub(crate) struct Server {
    port: u16,
    shared: Arc<Shared>,
}

struct Shared {
    script: Script,
    state: Mutex<State>,
    changed: Condvar,
}

impl Server {
    /// Listens, and will answer the requests of each client as `script` says.
    pub(crate) fn start(script: Script) -> anyhow::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let port = listener.local_addr()?.port();
        let state = State { lanes: Default::default(), turn: Lane::Engine };
        let shared = Arc::new(Shared { script, state: Mutex::new(state), changed: Condvar::new() });
        let accepting = Arc::clone(&shared);
        std::thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                let shared = Arc::clone(&accepting);
                // A connection that breaks shows as a client that fails.
                std::thread::spawn(move || shared.serve(socket));
            }
        });
        Ok(Self { port, shared })
    }

    /// The base URL of a client.
    pub(crate) fn base_url(&self, lane: Lane) -> String {
        let name = match lane {
            Lane::Engine => "engine",
            Lane::Bare => "bare",
        };
        format!("http://127.0.0.1:{}/{name}/v1", self.port)
    }

    /// A client will not come, or has ended: it is not waited for any more.
    pub(crate) fn without(&self, lane: Lane) {
        self.shared.lock().lanes[lane as usize].gone = true;
        self.shared.changed.notify_all();
    }

    /// The body of the engine's first request; waits for it.
    pub(crate) fn first_request(&self) -> anyhow::Result<Value> {
        let mut state = self.shared.lock();
        loop {
            let engine = &state.lanes[Lane::Engine as usize];
            if let Some(body) = &engine.first {
                return Ok(serde_json::from_slice(body)?);
            }
            anyhow::ensure!(!engine.gone, "the engine ended without a request");
            state = self.shared.wait(state);
        }
    }

    /// What was measured.
    pub(crate) fn measured(&self, lane: Lane) -> Measured {
        self.shared.lock().lanes[lane as usize].clone()
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, mut socket: TcpStream) -> Option<()> {
        socket.set_nodelay(true).ok()?;
        let mut known = None;
        loop {
            let request = Request::read(&mut socket)?;
            let lane =
                if request.head.starts_with("POST /engine/") { Lane::Engine } else { Lane::Bare };
            if known.replace(lane).is_none() {
                self.lock().lanes[lane as usize].connections += 1;
            }
            let answer = self.answer_when_it_may(lane, request);
            std::thread::sleep(SETTLE);
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\
                        transfer-encoding: chunked\r\n\r\n";
            let whole = format!("{head}{:x}\r\n{answer}\r\n0\r\n\r\n", answer.len());
            socket.write_all(whole.as_bytes()).ok()?;
            self.lock().lanes[lane as usize].answered = Some(Instant::now());
        }
    }

    /// Notes a request and waits until it is this client's turn. The first requests wait for each
    /// other; a client that has its last answer is not waited for.
    fn answer_when_it_may(&self, lane: Lane, request: Request) -> String {
        let mut state = self.lock();
        let measured = &mut state.lanes[lane as usize];
        measured.bytes.push(request.body.len());
        measured.first.get_or_insert(request.body);
        measured.began.get_or_insert(request.came);
        if let Some(answered) = measured.answered.take() {
            measured.overheads.push(request.came.saturating_duration_since(answered));
            state.turn = lane.other();
        }
        self.changed.notify_all();
        loop {
            let other = &state.lanes[lane.other() as usize];
            if other.gone || (state.turn == lane && other.first.is_some()) {
                break;
            }
            state = self.wait(state);
        }
        let measured = &mut state.lanes[lane as usize];
        let answer = self.script.answer(measured.answers);
        measured.answers += 1;
        if measured.answers > self.script.turns {
            measured.gone = true;
            self.changed.notify_all();
        }
        answer
    }
}

/// One request, read whole.
pub(crate) struct Request {
    head: String,
    body: Vec<u8>,
    /// When its first bytes came.
    came: Instant,
}

impl Request {
    /// `None` when the connection ended or it is no request we know how to read.
    pub(crate) fn read(socket: &mut TcpStream) -> Option<Self> {
        let (mut bytes, mut piece) = (Vec::new(), vec![0; 64 * 1024]);
        let mut came = None;
        let mut head_end = None;
        loop {
            let read = socket.read(&mut piece).ok().filter(|read| *read > 0)?;
            let came = *came.get_or_insert_with(Instant::now);
            bytes.extend_from_slice(&piece[..read]);
            if head_end.is_none() {
                head_end = bytes.windows(4).position(|w| w == b"\r\n\r\n").map(|at| at + 4);
            }
            let Some(end) = head_end else { continue };
            let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
            let length = head.lines().find_map(|l| l.strip_prefix("content-length:"))?;
            let length: usize = length.trim().parse().ok()?;
            if bytes.len() >= end + length {
                let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
                return Some(Self { head, body: bytes.split_off(end), came });
            }
        }
    }
}
