//! Servers of the Model Context Protocol that other people use to try clients, on ports of their own;
//! and the browser of somebody who signs in at one.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::program::root;

const PACKAGES: &str = "tests/mcp-servers/node_modules/@modelcontextprotocol";

/// A server of other people. It ends when dropped.
pub struct OtherServer {
    process: Child,
    url: String,
}

impl OtherServer {
    /// The server that everything is tried with.
    pub fn everything() -> Self {
        Self::everything_over("streamableHttp", "mcp")
    }

    /// The same as servers were reached over HTTP in the protocol's first version.
    pub fn first_version() -> Self {
        Self::everything_over("sse", "sse")
    }

    fn everything_over(transport: &str, path: &str) -> Self {
        let port = free();
        let url = format!("http://127.0.0.1:{port}/{path}");
        let args = ["server-everything/dist/index.js", transport];
        Self::start(&args, &[("PORT", port)], url)
    }

    /// One that lets in who is signed in, and where one signs in.
    pub fn signing_in() -> Self {
        let (port, page) = (free(), free());
        let url = format!("http://localhost:{port}/mcp");
        let program = "sdk/dist/esm/examples/server/simpleStreamableHttp.js";
        let ports = [("MCP_PORT", port), ("MCP_AUTH_PORT", page)];
        Self::start(&[program, "--oauth", "--oauth-strict"], &ports, url)
    }

    fn start(args: &[&str], ports: &[(&str, u16)], url: String) -> Self {
        let program = root().join(PACKAGES).join(args[0]);
        assert!(program.exists(), "{} is there once `./dev test` has run", program.display());
        let mut command = Command::new("node");
        command.arg(program).args(&args[1..]);
        command.envs(ports.iter().map(|(name, port)| (*name, port.to_string())));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let server = Self { process: command.spawn().unwrap(), url };
        let is_there = |port: &u16| TcpStream::connect(("localhost", *port)).is_ok();
        let mut waits = 0;
        while !ports.iter().all(|(_, port)| is_there(port)) {
            waits += 1;
            assert!(waits < 400, "the server {args:?} does not start");
            std::thread::sleep(Duration::from_millis(50));
        }
        server
    }

    /// Where it is reached.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Its host and port.
    pub fn host(&self) -> &str {
        let rest = self.url.strip_prefix("http://").unwrap();
        rest.split_once('/').unwrap().0
    }
}

impl Drop for OtherServer {
    fn drop(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

fn free() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// What a browser gets at an address of this machine: the whole answer.
pub fn get(url: &str) -> String {
    let rest = url.strip_prefix("http://").unwrap();
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    _ = stream.read_to_string(&mut answer);
    answer
}

/// Where an answer leads.
pub fn leads_to(answer: &str) -> String {
    let line = answer.lines().find(|line| line.to_ascii_lowercase().starts_with("location: "));
    line.unwrap_or_else(|| panic!("it leads nowhere: {answer}"))[10..].trim().to_owned()
}

/// Signs in on a page as a person does in a browser: what the browser gets in the end.
pub fn sign_in_at(page: &str) -> String {
    get(&leads_to(&get(page)))
}
