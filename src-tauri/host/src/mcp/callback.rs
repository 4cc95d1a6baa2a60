//! Where a browser comes back to after the person has signed in: an address of this machine alone, for
//! as long as somebody waits.

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, REFERRER_POLICY};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use reqwest::Url;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

const PATH: &str = "/callback";
/// How long a browser may take to say what it wants.
const HEAD: Duration = Duration::from_secs(10);
/// Browsers that are listened to at a time.
const BROWSERS: usize = 16;

/// An address that a browser comes back to.
pub(super) struct Callback {
    listener: TcpListener,
    address: Url,
}

/// Both languages, as nobody knows here which one the person reads.
const DONE: &str = "<!doctype html><meta charset=utf-8><title>CrewAgent Runtime</title>\
    <p>CrewAgent Runtime has the answer. You can close this page and go back to it.</p>\
    <p lang=zh>CrewAgent Runtime 已收到答复。你可以关闭此页面并返回。</p>";
const OTHER: &str = "<!doctype html><meta charset=utf-8><title>CrewAgent Runtime</title>\
    <p>Nobody waits for this answer.</p><p lang=zh>没有人在等待此答复。</p>";

impl Callback {
    /// Takes a free port of this machine.
    pub(super) async fn open() -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let port = listener.local_addr()?.port();
        let address = format!("http://127.0.0.1:{port}{PATH}");
        let address = Url::parse(&address).map_err(io::Error::other)?;
        Ok(Self { listener, address })
    }

    /// What the browser is sent back to.
    pub(super) fn address(&self) -> &str {
        self.address.as_str()
    }

    /// Waits for the browser with this state: what it brings. Anybody else is turned away.
    pub(super) async fn came_back(self, state: &str) -> Url {
        let (sender, mut came) = mpsc::channel(1);
        let (state, address) = (Arc::<str>::from(state), Arc::new(self.address));
        let serving = async {
            let slots = Arc::new(tokio::sync::Semaphore::new(BROWSERS));
            loop {
                let Ok((socket, _)) = self.listener.accept().await else {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                };
                let Ok(slot) = Arc::clone(&slots).try_acquire_owned() else { continue };
                let (state, address) = (Arc::clone(&state), Arc::clone(&address));
                let sender = sender.clone();
                tokio::spawn(async move {
                    serve(socket, &address, &state, &sender).await;
                    drop(slot);
                });
            }
        };
        tokio::select! {
            Some(back) = came.recv() => back,
            () = serving => unreachable!("it serves until somebody comes"),
        }
    }
}

async fn serve(socket: TcpStream, address: &Url, state: &str, sender: &mpsc::Sender<Url>) {
    let service = service_fn(|request: Request<Incoming>| async move {
        let back = brought(&request, address, state);
        let is_it = back.is_some();
        if let Some(back) = back {
            // Whoever has come already is enough.
            _ = sender.try_send(back);
        }
        page(is_it)
    });
    let mut server = hyper::server::conn::http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEAD).keep_alive(false);
    // A browser that goes away is no loss.
    _ = server.serve_connection(TokioIo::new(socket), service).await;
}

/// What a browser brings, when it comes back from where the person was sent.
fn brought(request: &Request<Incoming>, address: &Url, state: &str) -> Option<Url> {
    if request.method() != Method::GET || request.uri().path() != PATH {
        return None;
    }
    let mut back = address.clone();
    back.set_query(request.uri().query());
    let given = |wanted: &str| {
        let mut found = back.query_pairs().filter(|(name, _)| name == wanted);
        // Of two nobody knows which was meant.
        found.next().filter(|_| found.next().is_none()).map(|(_, value)| value.into_owned())
    };
    (given("state").as_deref() == Some(state)).then_some(back)
}

fn page(is_it: bool) -> hyper::http::Result<Response<Full<Bytes>>> {
    let (status, text) =
        if is_it { (StatusCode::OK, DONE) } else { (StatusCode::BAD_REQUEST, OTHER) };
    Response::builder()
        .status(status)
        .header(CONTENT_TYPE, "text/html; charset=utf-8")
        .header(CACHE_CONTROL, "no-store")
        .header(REFERRER_POLICY, "no-referrer")
        .body(Full::new(Bytes::from_static(text.as_bytes())))
}
