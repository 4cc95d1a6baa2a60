//! A server that lets in who brings the token of the moment, and where one gets it: each token for
//! renewing is good for once, and whoever brings one twice is taken for a thief and shut out. Behind it
//! is the server that everything is tried with.

use serde_json::json;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use support::mcp_servers::OtherServer;

/// How such a server behaves.
#[derive(Clone, Copy, Default)]
pub(super) struct Manners {
    /// Seconds that it says a token is good for; absent: it does not say.
    pub(super) expires: Option<u64>,
    /// Whether it tells nobody, beside the status, how one signs in.
    pub(super) says_no_way: bool,
    /// Whether who signs in has a secret of their own.
    pub(super) gives_secret: bool,
    /// Whether calls of tools are for those alone who have signed in for them.
    pub(super) wants_more: bool,
}

/// What becomes of whoever wants a token renewed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Renewing {
    Granted,
    Refused,
    /// It knows whoever asks no more.
    Forgotten,
    /// Granted after this long.
    Slow(Duration),
    Broken,
}

/// A form that it was sent.
pub(super) type Form = BTreeMap<String, String>;

struct State {
    tokens: usize,
    access: Vec<String>,
    refresh: Option<String>,
    renewing: Renewing,
    forms: Vec<Form>,
    /// What whoever signed in last asked for.
    scope: String,
    thefts: usize,
    by_nobody: usize,
}

pub(super) struct TokenServer {
    pub(super) url: String,
    state: Arc<Mutex<State>>,
    _behind: OtherServer,
}

struct Request {
    head: String,
    path: String,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

struct Server {
    base: String,
    behind: String,
    manners: Manners,
    state: Arc<Mutex<State>>,
}

impl TokenServer {
    pub(super) fn start(manners: Manners) -> Self {
        let everything = OtherServer::everything();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State {
            tokens: 0,
            access: Vec::new(),
            refresh: None,
            renewing: Renewing::Granted,
            forms: Vec::new(),
            scope: String::new(),
            thefts: 0,
            by_nobody: 0,
        }));
        let behind = everything.host().to_owned();
        let url = format!("{base}/mcp");
        let server = Arc::new(Server { base, behind, manners, state: Arc::clone(&state) });
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(stream) = stream else { return };
                let server = Arc::clone(&server);
                std::thread::spawn(move || server.serve(stream));
            }
        });
        Self { url, state, _behind: everything }
    }

    /// Lets nobody in who was let in before.
    pub(super) fn revoke(&self) {
        self.state.lock().unwrap().access.clear();
    }

    pub(super) fn set_renewing(&self, renewing: Renewing) {
        self.state.lock().unwrap().renewing = renewing;
    }

    /// The forms by which tokens were asked for, in their order.
    pub(super) fn forms(&self) -> Vec<Form> {
        self.state.lock().unwrap().forms.clone()
    }

    /// How often a token for renewing was brought again.
    pub(super) fn thefts(&self) -> usize {
        self.state.lock().unwrap().thefts
    }

    /// How often something was asked without a token.
    pub(super) fn asked_by_nobody(&self) -> usize {
        self.state.lock().unwrap().by_nobody
    }
}

impl Server {
    fn serve(&self, mut stream: TcpStream) -> Option<()> {
        let request = read(&stream)?;
        let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
        match path {
            "/.well-known/oauth-authorization-server" => {
                let metadata = json!({
                    "issuer": self.base,
                    "authorization_endpoint": format!("{}/authorize", self.base),
                    "token_endpoint": format!("{}/token", self.base),
                    "registration_endpoint": format!("{}/register", self.base),
                    "response_types_supported": ["code"],
                    "code_challenge_methods_supported": ["S256"],
                    "token_endpoint_auth_methods_supported": ["none", "client_secret_post"],
                });
                answer(&mut stream, "200 OK", &[], &metadata.to_string())
            }
            "/.well-known/oauth-protected-resource/mcp" if !self.manners.says_no_way => {
                let metadata =
                    json!({ "resource": self.url(), "authorization_servers": [self.base] });
                answer(&mut stream, "200 OK", &[], &metadata.to_string())
            }
            "/register" => {
                let mut known = json!({ "client_id": "c-1", "redirect_uris": [] });
                let asked: serde_json::Value = serde_json::from_slice(&request.body).ok()?;
                known["redirect_uris"] = asked["redirect_uris"].clone();
                if self.manners.gives_secret {
                    known["client_secret"] = json!("client-secret-0123456789");
                }
                answer(&mut stream, "201 Created", &[], &known.to_string())
            }
            "/authorize" => {
                let asked = form(query);
                self.state.lock().unwrap().scope = asked.get("scope").cloned().unwrap_or_default();
                let back = format!("{}?code=c&state={}", asked["redirect_uri"], asked["state"]);
                answer(&mut stream, "302 Found", &[("Location", &back)], "")
            }
            "/token" => {
                let (status, told) = self.token(form(std::str::from_utf8(&request.body).ok()?));
                if let Renewing::Slow(time) = self.state.lock().unwrap().renewing {
                    std::thread::sleep(time);
                }
                answer(&mut stream, status, &[], &told.to_string())
            }
            "/mcp" if self.lets_in(&request) && self.allows(&request) => {
                self.pass_on(&request, stream)
            }
            "/mcp" if self.lets_in(&request) => {
                let way = "Bearer error=\"insufficient_scope\", scope=\"calls\"";
                answer(&mut stream, "403 Forbidden", &[("WWW-Authenticate", way)], "")
            }
            "/mcp" => {
                let way = format!(
                    "Bearer resource_metadata=\"{}/.well-known/oauth-protected-resource/mcp\"",
                    self.base
                );
                let head = [("WWW-Authenticate", way.as_str())];
                let head = if self.manners.says_no_way { &[][..] } else { &head[..] };
                answer(&mut stream, "401 Unauthorized", head, "")
            }
            _ => answer(&mut stream, "404 Not Found", &[], ""),
        }
    }

    fn url(&self) -> String {
        format!("{}/mcp", self.base)
    }

    fn lets_in(&self, request: &Request) -> bool {
        let brought = request.headers.get("authorization");
        let brought = brought.and_then(|value| value.strip_prefix("Bearer "));
        let mut state = self.state.lock().unwrap();
        state.by_nobody += usize::from(brought.is_none() && request.head.starts_with("POST"));
        brought.is_some_and(|brought| state.access.iter().any(|access| access == brought))
    }

    /// Whether whoever asks signed in for it.
    fn allows(&self, request: &Request) -> bool {
        let is_call = String::from_utf8_lossy(&request.body).contains("\"tools/call\"");
        !(self.manners.wants_more && is_call) || self.state.lock().unwrap().scope.contains("calls")
    }

    fn token(&self, form: Form) -> (&'static str, serde_json::Value) {
        let mut state = self.state.lock().unwrap();
        let brought = form.get("refresh_token").cloned();
        state.forms.push(form);
        let refused = ("400 Bad Request", json!({ "error": "invalid_grant" }));
        if let Some(brought) = brought {
            match state.renewing {
                Renewing::Refused => return refused,
                Renewing::Forgotten => {
                    return ("401 Unauthorized", json!({ "error": "invalid_client" }));
                }
                Renewing::Broken => return ("500 Internal Server Error", json!(brought)),
                Renewing::Granted | Renewing::Slow(_)
                    if state.refresh.as_ref() == Some(&brought) => {}
                Renewing::Granted | Renewing::Slow(_) => {
                    state.thefts += 1;
                    (state.access, state.refresh) = (Vec::new(), None);
                    return refused;
                }
            }
        }
        state.tokens += 1;
        let access = format!("access-token-{}-0123456789", state.tokens);
        let refresh = format!("refresh-token-{}-0123456789", state.tokens);
        let mut told = json!({
            "access_token": access, "refresh_token": refresh, "token_type": "Bearer",
        });
        if let Some(seconds) = self.manners.expires {
            told["expires_in"] = json!(seconds);
        }
        state.access.push(access);
        state.refresh = Some(refresh);
        ("200 OK", told)
    }

    /// Asks the server behind it the same, and answers as that does.
    fn pass_on(&self, request: &Request, mut stream: TcpStream) -> Option<()> {
        let mut behind = TcpStream::connect(&self.behind).ok()?;
        // It ends such an answer by hanging up, so that each request comes on a connection of its own.
        write!(behind, "{}\r\n", request.head.replace("HTTP/1.1", "HTTP/1.0")).ok()?;
        for (name, value) in &request.headers {
            if !["connection", "authorization"].contains(&name.as_str()) {
                write!(behind, "{name}: {value}\r\n").ok()?;
            }
        }
        write!(behind, "connection: close\r\n\r\n").ok()?;
        behind.write_all(&request.body).ok()?;
        std::io::copy(&mut behind, &mut stream).ok().map(drop)
    }
}

fn read(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = || {
        let mut line = String::new();
        reader.read_line(&mut line).ok().map(|_| line.trim_end().to_owned())
    };
    let head = line()?;
    let path = head.split(' ').nth(1)?.to_owned();
    let mut headers = BTreeMap::new();
    while let Some((name, value)) = line()?.split_once(": ") {
        headers.insert(name.to_ascii_lowercase(), value.to_owned());
    }
    let length = headers.get("content-length").and_then(|it| it.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Request { head, path, headers, body })
}

fn answer(
    stream: &mut TcpStream,
    status: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Option<()> {
    let mut answer = Vec::new();
    write!(answer, "HTTP/1.1 {status}\r\nContent-Type: application/json\r\n").ok()?;
    for (name, value) in headers {
        write!(answer, "{name}: {value}\r\n").ok()?;
    }
    let length = body.len();
    write!(answer, "Connection: close\r\nContent-Length: {length}\r\n\r\n{body}").ok()?;
    stream.write_all(&answer).ok()
}

fn form(text: &str) -> Form {
    let url = reqwest::Url::parse(&format!("http://form/?{text}")).unwrap();
    url.query_pairs().into_owned().collect()
}
