//! A server that knows no HTTP: it finds where a request ends, and answers with bytes that stand in
//! the test.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// What a connection does next.
#[derive(Debug, Clone)]
pub(super) enum Step {
    /// These bytes are written.
    Send(Vec<u8>),
    /// These are written again and again until the client hangs up.
    Repeat(&'static str),
    /// Nothing more is written, and the connection stays until the client hangs up.
    Stall,
    /// The server has said everything (FIN).
    End,
    /// The connection is torn down (RST).
    Reset,
    /// The next request comes on this connection.
    Next,
}

/// What is done about one request.
pub(super) type Script = Vec<Step>;

/// Everything at once, and the end of the connection.
pub(super) fn bytes(answer: impl Into<Vec<u8>>) -> Script {
    vec![Step::Send(answer.into()), Step::End]
}

/// A whole answer of this kind: a stream or a document.
pub(super) fn ok(kind: &str, body: impl AsRef<[u8]>) -> Script {
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n");
    bytes([head.as_bytes(), body.as_ref()].concat())
}

/// A stream of events.
pub(super) fn stream(body: impl AsRef<[u8]>) -> Script {
    ok("text/event-stream", body)
}

/// An answer with a status, more header lines and a body.
pub(super) fn status(line: &str, headers: &[&str], body: &str) -> Script {
    let length = format!("content-length: {}", body.len());
    let head = [&[line], headers, &[&length, "connection: close"]].concat().join("\r\n");
    bytes(format!("HTTP/1.1 {head}\r\n\r\n{body}"))
}

/// A body in chunks of this many bytes, the last one empty.
pub(super) fn chunked(body: &[u8], size: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for chunk in body.chunks(size) {
        out.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
        out.extend_from_slice(chunk);
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(b"0\r\n\r\n");
    out
}

/// Plays the n-th script for the n-th request, and the last one for all further ones.
pub(super) struct RawServer {
    pub(super) base_url: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl RawServer {
    pub(super) async fn playing(scripts: impl IntoIterator<Item = Script>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        let scripts: Arc<[Script]> = scripts.into_iter().collect();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let (scripts, seen) = (Arc::clone(&scripts), Arc::clone(&seen));
                // A client that has enough hangs up.
                tokio::spawn(async move { _ = serve(socket, &scripts, &seen).await });
            }
        });
        Self { base_url, requests }
    }

    /// One that answers as soon as a request begins, and reads the rest of it behind that.
    pub(super) async fn hasty(answer: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                let mut start = [0; 512];
                let read = socket.read(&mut start).await.unwrap_or(0);
                seen.lock().unwrap().push(String::from_utf8_lossy(&start[..read]).into_owned());
                _ = socket.write_all(answer.as_bytes()).await;
                _ = socket.shutdown().await;
                _ = hung_up(&mut socket).await;
            }
        });
        Self { base_url, requests }
    }

    /// Head and body of every request, as they came.
    pub(super) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

async fn serve(
    mut socket: TcpStream,
    scripts: &[Script],
    seen: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    socket.set_nodelay(true)?;
    while let Some(request) = next_request(&mut socket).await? {
        let number = {
            let mut seen = seen.lock().unwrap();
            seen.push(request);
            seen.len() - 1
        };
        for step in &scripts[number.min(scripts.len() - 1)] {
            match step {
                Step::Send(bytes) => {
                    socket.write_all(bytes).await?;
                    // The client may read them before there are more.
                    tokio::task::yield_now().await;
                }
                Step::Repeat(text) => loop {
                    socket.write_all(text.as_bytes()).await?;
                    tokio::time::sleep(Duration::from_millis(100)).await;
                },
                Step::Stall => return hung_up(&mut socket).await,
                Step::End => {
                    socket.shutdown().await?;
                    return hung_up(&mut socket).await;
                }
                Step::Reset => return socket.set_zero_linger(),
                Step::Next => {}
            }
        }
    }
    Ok(())
}

async fn next_request(socket: &mut TcpStream) -> std::io::Result<Option<String>> {
    let mut read = Vec::new();
    loop {
        let head = read.windows(4).position(|end| end == b"\r\n\r\n");
        if let Some(head) = head.map(|at| at + 4) {
            let text = String::from_utf8_lossy(&read[..head]).to_ascii_lowercase();
            let length = text.lines().find_map(|line| line.strip_prefix("content-length:"));
            let length = length.map_or(0, |length| length.trim().parse().unwrap());
            if read.len() >= head + length {
                return Ok(Some(String::from_utf8(read).unwrap()));
            }
        }
        if socket.read_buf(&mut read).await? == 0 {
            return Ok(None);
        }
    }
}

/// Waits until the client hangs up: a socket that is closed with unread bytes in it is torn down.
async fn hung_up(socket: &mut TcpStream) -> std::io::Result<()> {
    let mut rest = [0; 1024];
    while socket.read(&mut rest).await? > 0 {}
    Ok(())
}
