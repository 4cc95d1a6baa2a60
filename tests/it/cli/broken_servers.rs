//! Servers whose answers are none, down to the bytes, at the real program: the run rests, says why,
//! and goes on when the server behaves. And what stands between the program and a server: a proxy.

use rstest::rstest;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use support::program::{Sandbox, Server, expected_artifacts, hello_branch};

/// What comes behind the bytes of an answer.
#[derive(Clone, Copy, PartialEq)]
enum Behind {
    /// The end of the connection.
    End,
    /// A connection that is torn down.
    Reset,
    /// Nothing more comes, and the connection stays.
    Silence,
}

/// Answers every chat with the same bytes, and everything else with 404.
struct Raw {
    address: SocketAddr,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Raw {
    fn saying(answer: impl Into<Vec<u8>>, behind: Behind) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let answer: Arc<[u8]> = answer.into().into();
        let heads = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&heads);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (answer, seen) = (Arc::clone(&answer), Arc::clone(&seen));
                // Who has enough hangs up.
                std::thread::spawn(move || _ = serve(stream, &answer, behind, &seen));
            }
        });
        Self { address, heads }
    }

    fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The heads of the chats that were asked, in lower case.
    fn asked(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

fn serve(
    stream: TcpStream,
    answer: &[u8],
    behind: Behind,
    seen: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let mut request = BufReader::with_capacity(1, stream.try_clone()?);
    let (mut out, mut head) = (stream, String::new());
    while !head.ends_with("\r\n\r\n") {
        if request.read_line(&mut head)? == 0 {
            return Ok(());
        }
    }
    let head = head.to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
    let length: u64 = length.map_or(0, |length| length.trim().parse().unwrap());
    let chat = head.contains("/chat/completions") || head.starts_with("connect");
    let answer: &[u8] =
        if chat { answer } else { b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n" };
    if chat {
        seen.lock().unwrap().push(head);
    }
    if chat && behind == Behind::Reset {
        // The system tears down what is closed while there are unread bytes.
        out.write_all(answer)?;
        return Ok(());
    }
    std::io::copy(&mut request.by_ref().take(length), &mut std::io::sink())?;
    out.write_all(answer)?;
    if behind == Behind::End || !chat {
        out.shutdown(Shutdown::Write)?;
    }
    // Until the other side hangs up.
    std::io::copy(&mut request, &mut std::io::sink()).map(|_| ())
}

/// An answer of this kind.
fn ok(kind: &str, body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n{body}")
}

const HELLO: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"Hello\"}}]}\n\n";

fn stream(body: &str) -> String {
    ok("text/event-stream", body)
}

/// A status with a body.
fn status(line: &str, body: &str) -> String {
    format!("HTTP/1.1 {line}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

/// The wait before another try is the server's.
fn at_once(line: &str, body: &str) -> String {
    status(&format!("{line}\r\nretry-after: 0"), body)
}

#[rstest]
#[case::torn_down_at_once(String::new(), Behind::Reset, "LLM_UNREACHABLE", 3)]
#[case::broken_off_in_a_text(stream(HELLO), Behind::End, "LLM_BAD_RESPONSE", 3)]
#[case::silent(String::new(), Behind::Silence, "LLM_TIMEOUT", 1)]
#[case::silent_in_a_text(stream(HELLO), Behind::Silence, "LLM_TIMEOUT", 3)]
#[case::no_http("SSH-2.0-OpenSSH\r\n".into(), Behind::End, "LLM_UNREACHABLE", 3)]
#[case::a_web_page(ok("text/html", "<html>Log in</html>"), Behind::End, "LLM_BAD_RESPONSE", 3)]
#[case::compressed(
    "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n\x1f".into(), Behind::End, "LLM_BAD_RESPONSE", 1
)]
#[case::too_long(
    stream(&HELLO.replace("Hello", &"x".repeat(2 << 20))), Behind::End, "LLM_BAD_RESPONSE", 1
)]
#[case::an_error_in_a_text(
    stream(&format!("{HELLO}event: error\ndata: {{\"message\":\"overloaded\"}}\n\ndata: [DONE]\n\n")),
    Behind::End, "LLM_HTTP_ERROR", 3
)]
#[case::elsewhere(
    status("308 Permanent Redirect\r\nlocation: http://127.0.0.1:1/v1", ""),
    Behind::End,
    "LLM_HTTP_ERROR",
    1
)]
#[case::forbidden(status("403 Forbidden", "no"), Behind::End, "LLM_AUTH_FAILED", 1)]
#[case::no_such_page(
    status("404 Not Found", "404 page not found"),
    Behind::End,
    "LLM_HTTP_ERROR",
    1
)]
#[case::busy_for_long(
    status("429 Too Many Requests\r\nretry-after: 3600", "later"),
    Behind::End,
    "LLM_RATE_LIMITED",
    1
)]
#[case::busy_for_a_moment(at_once("429 Too Many Requests", ""), Behind::End, "LLM_RATE_LIMITED", 3)]
#[case::a_slow_gateway(
    at_once("504 Gateway Timeout", "<html>504</html>"),
    Behind::End,
    "LLM_TIMEOUT",
    3
)]
fn a_run_whose_server_does_not_answer_rests_and_goes_on_when_it_does(
    #[case] answer: String,
    #[case] behind: Behind,
    #[case] code: &str,
    #[case] asked: usize,
) {
    let sandbox = Sandbox::new();
    for name in ["firstByteTimeoutS", "idleTimeoutS"] {
        // The silence in a text is one between bytes.
        let patience = if name.starts_with("first") && !answer.is_empty() { "60" } else { "1" };
        sandbox.run(&["settings", "set", &format!("model.{name}"), patience]).exits(0);
    }
    let (package, broken) = (hello_branch(), Raw::saying(answer, behind));
    let base_url = broken.base_url();
    // The time limits of the settings are not those of a server that the command line names.
    let env = [("CREWAGENT_BASE_URL", base_url.as_str()), ("CREWAGENT_MODEL", "m")];
    let failed = sandbox.run_with(&["run", &package, "--json"], &env).exits(6);
    let failure = &failed.finish()["failure"];
    assert_eq!(
        (failure["code"].as_str(), broken.asked().len()),
        (Some(code), asked),
        "{failed:#?}"
    );
    assert!(failed.stderr.contains(code) && failed.stderr.contains('→'), "{failed:#?}");
    let replies = |events: Vec<serde_json::Value>| {
        events.iter().filter(|event| event["event"] == "model_replied").count()
    };
    assert_eq!(replies(sandbox.journal_events()), 0, "half an answer is none");

    let (run, answers) = (sandbox.run_id(), sandbox.answers_left());
    let behaving = Server::faulty(vec![]);
    let base_url = behaving.base_url();
    let model = ["--base-url", &base_url, "--model", "demo", "--json"];
    let resumed = [&["runs", "resume", &run, "--answers", &answers], &model[..]].concat();
    assert_eq!(sandbox.run(&resumed).exits(0).finish()["phase"], "completed");
    assert_eq!(sandbox.artifacts(), expected_artifacts());
    assert_eq!(replies(sandbox.journal_events()), behaving.asked());
}

/// A server that has no address anywhere.
const ELSEWHERE: &str = "http://llm.invalid/v1";
const KEY: &str = "sk-very-secret-0123456789";

fn says_hello() -> String {
    stream(&format!("{HELLO}data: [DONE]\n\n"))
}

fn run(sandbox: &Sandbox, base_url: &str, env: &[(&str, &str)]) -> support::program::Done {
    let args = ["run", "hello-linear", "--base-url", base_url, "--model", "m", "--json"];
    let key = [("CREWAGENT_API_KEY", KEY)];
    sandbox.run_with(&args, &[&key, env].concat())
}

#[rstest]
#[case("HTTP_PROXY")]
#[case("http_proxy")]
#[case("ALL_PROXY")]
fn a_server_is_asked_through_the_proxy_of_the_environment(#[case] name: &str) {
    let (sandbox, proxy) = (Sandbox::new(), Raw::saying(says_hello(), Behind::End));
    let address = format!("http://ann:pass-word@{}", proxy.address);
    let done = run(&sandbox, ELSEWHERE, &[(name, &address)]).exits(3);
    assert!(done.stdout.contains("Hello"), "{done:#?}");
    let asked = proxy.asked();
    assert!(
        asked[0].starts_with("post http://llm.invalid/v1/chat/completions http/1.1"),
        "{asked:?}"
    );
    assert!(asked[0].contains("\r\nhost: llm.invalid\r\n"), "{asked:?}");
    assert!(asked[0].contains("\r\nproxy-authorization: basic "), "{asked:?}");
    assert!(asked[0].contains(KEY), "it is for the server behind the proxy");
}

#[test]
fn a_server_on_this_machine_is_asked_without_the_proxy() {
    let (sandbox, proxy) = (Sandbox::new(), Raw::saying(says_hello(), Behind::End));
    let server = Raw::saying(says_hello(), Behind::End);
    let address = format!("http://{}", proxy.address);
    let all = [("HTTP_PROXY", address.as_str()), ("ALL_PROXY", &address)];
    run(&sandbox, &server.base_url(), &all).exits(3);
    assert_eq!((proxy.asked().len(), server.asked().len()), (0, 1));
}

#[rstest]
#[case::that_wants_a_name(
    ELSEWHERE,
    at_once("407 Proxy Authentication Required", "who?"),
    "LLM_HTTP_ERROR",
    1
)]
#[case::that_finds_nobody(
    ELSEWHERE,
    at_once("502 Bad Gateway", "<html>502</html>"),
    "LLM_HTTP_ERROR",
    3
)]
#[case::that_refuses_a_tunnel(
    "https://llm.invalid/v1",
    status("403 Forbidden", "no"),
    "LLM_UNREACHABLE",
    0
)]
fn a_run_whose_proxy_does_not_let_through_rests_and_goes_on_without_it(
    #[case] base_url: &str,
    #[case] answer: String,
    #[case] code: &str,
    #[case] chats: usize,
) {
    let (sandbox, proxy) = (Sandbox::new(), Raw::saying(answer, Behind::End));
    let address = format!("http://ann:pass-word@{}", proxy.address);
    let env = [("HTTP_PROXY", address.as_str()), ("HTTPS_PROXY", &address)];
    let done = run(&sandbox, base_url, &env).exits(6);
    assert_eq!(done.finish()["failure"]["code"], code, "{done:#?}");
    let heads = proxy.asked();
    let (asked, tunnels): (Vec<_>, Vec<_>) =
        heads.iter().partition(|head| head.starts_with("post http://llm.invalid/v1/"));
    assert_eq!((asked.len(), tunnels.is_empty()), (chats, chats > 0), "{heads:?}");
    assert!(tunnels.iter().all(|head| !head.contains(KEY)), "a tunnel is no server: {heads:?}");
    for text in [&done.stdout, &done.stderr] {
        assert!(!text.contains(KEY) && !text.contains("pass-word"), "{text}");
    }
    let server = Raw::saying(says_hello(), Behind::End);
    let base_url = server.base_url();
    let model = ["--base-url", &base_url, "--model", "m", "--json"];
    let resumed = sandbox.run(&[&["runs", "resume", &sandbox.run_id()], &model[..]].concat());
    assert_eq!(resumed.exits(3).finish()["phase"], "waiting-user");
}
