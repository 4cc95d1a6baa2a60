//! Models over HTTP: the demo server, and what real servers do wrong.

use super::killed::shown_is_kept;
use host::llm::Fault;
use rstest::rstest;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use support::program::{Sandbox, Server, expected_artifacts, has_han, hello_branch, root};

#[test]
fn the_same_run_completes_against_the_demo_server() {
    let sandbox = Sandbox::new();
    let package = hello_branch();
    let mut server = sandbox.start(&["demo-model", "--trace", &package, "--port", "0", "--json"]);
    let base_url = server.line().unwrap()["baseUrl"].as_str().unwrap().to_owned();
    let answers = sandbox.answers_left();
    let model = ["--base-url", &base_url, "--model", "demo", "--json"];
    let test = sandbox.run(&[&["model", "list"], &model[..]].concat()).exits(0).json();
    assert_eq!(test, json!(["demo"]));
    let args = [&["run", &package, "--answers", &answers], &model[..]].concat();
    let done = sandbox.run(&args).exits(0);
    assert_eq!(done.finish()["phase"], "completed");
    assert_eq!(sandbox.artifacts(), expected_artifacts());
    server.signal("INT");
    assert_eq!(server.end(), (vec![], Some(0)));
}

#[test]
fn the_environment_names_a_model_too() {
    let (sandbox, server) = (Sandbox::new(), Server::faulty(vec![]));
    let (base_url, answers) = (server.base_url(), sandbox.answers_left());
    let env = [("CREWAGENT_BASE_URL", base_url.as_str()), ("CREWAGENT_MODEL", "demo-by-name")];
    let package = hello_branch();
    let args = ["run", &package, "--answers", &answers, "--json"];
    let done = sandbox.run_with(&args, &env).exits(0);
    assert_eq!(done.finish()["phase"], "completed");
    assert_eq!(server.asked(), 14);
}

/// A status whose repetition comes at once.
fn busy(status: u16) -> Fault {
    Fault::Status { status, retry_after: Some(0), body: "{}".into() }
}

#[rstest]
#[case::wrong_key(vec![Fault::status(401, "bad key"); 2], "LLM_AUTH_FAILED", 2)]
#[case::too_many(vec![busy(429), busy(429), busy(429)], "LLM_RATE_LIMITED", 3)]
#[case::broken(vec![busy(500), busy(500), busy(500)], "LLM_HTTP_ERROR", 3)]
#[case::no_model(vec![Fault::status(404, "The model `demo` does not exist")], "LLM_MODEL_NOT_FOUND", 1)]
fn a_model_that_fails_ends_with_6_and_the_run_goes_on_later(
    #[case] mut faults: Vec<Fault>,
    #[case] code: &str,
    #[case] tries: usize,
) {
    // The first request is answered: what is there by then must stay.
    faults.insert(0, Fault::None);
    let (sandbox, server) = (Sandbox::new(), Server::faulty(faults));
    let (package, base_url) = (hello_branch(), server.base_url());
    let answers = sandbox.answers_left();
    let model = ["--base-url", &base_url, "--model", "demo", "--json"];
    let run = [&["run", &package, "--answers", &answers], &model[..]].concat();
    let failed = sandbox.run(&run).exits(6);
    let failure = &failed.finish()["failure"];
    assert_eq!(failure["code"], code, "{failure:#}");
    assert!(failure["message"].as_str().is_some_and(|m| !m.is_empty()));
    assert!(failed.stderr.contains(code) && failed.stderr.contains('→'), "{failed:#?}");
    assert_eq!(server.asked(), 1 + tries);

    let run = sandbox.run_id();
    let resume = [&["runs", "resume", &run, "--answers", &answers], &model[..]].concat();
    let resumed = sandbox.run(&resume).exits(0);
    assert_eq!(resumed.finish()["phase"], "completed");
    assert_eq!(sandbox.artifacts(), expected_artifacts());
    let before = failed.events();
    shown_is_kept(&sandbox, &before);
    assert_eq!(resumed.events()[0]["seq"], json!(before.len() + 1));
}

#[test]
fn a_server_that_is_not_there_ends_with_6_in_the_persons_language() {
    let sandbox = Sandbox::new();
    let package = hello_branch();
    // Held, so that no other test's server takes the port, and not listened to.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).unwrap();
    let address = socket.local_addr().unwrap();
    let base_url = format!("http://{address}/v1");
    let args = ["run", &package, "--base-url", &base_url, "--model", "m", "--json", "--lang", "zh"];
    let done = sandbox.run(&args).exits(6);
    assert_eq!(done.finish()["failure"]["code"], "LLM_UNREACHABLE");
    assert!(done.stderr.contains("LLM_UNREACHABLE") && has_han(&done.stderr), "{done:#?}");
    let resumed = sandbox.run(&["runs", "resume", &sandbox.run_id(), "--model", "demo", "--json"]);
    assert_eq!(resumed.exits(0).finish()["phase"], "completed");
}

#[test]
fn without_a_model_the_run_says_so_and_is_kept() {
    let sandbox = Sandbox::new();
    let package = hello_branch();
    let done = sandbox.run(&["run", &package, "--json"]).exits(6);
    assert_eq!(done.finish()["failure"]["code"], "LLM_NOT_CONFIGURED");
    let named = sandbox.run(&["run", &package, "--model", "gpt", "--json"]).exits(6);
    named.error("LLM_NOT_CONFIGURED");
    assert_eq!(sandbox.rows("runs"), 1);
}

#[test]
fn a_key_is_never_shown() {
    let sandbox = Sandbox::new();
    let server = Server::faulty(vec![Fault::status(401, "wrong key sk-very-secret"); 2]);
    let (package, base_url) = (hello_branch(), server.base_url());
    let args = ["run", &package, "--base-url", &base_url, "--model", "demo", "--json", "-v"];
    let done = sandbox.run_with(&args, &[("CREWAGENT_API_KEY", "sk-very-secret")]).exits(6);
    assert!(!done.stdout.contains("sk-very-secret"), "{done:#?}");
    assert!(!done.stderr.contains("sk-very-secret"), "{done:#?}");
    let journal = format!("{:?}", sandbox.journal());
    assert!(!journal.contains("sk-very-secret"));
}

#[test]
fn a_key_that_is_spelt_otherwise_or_put_together_is_in_no_line_and_no_export() {
    let sandbox = Sandbox::new();
    let key = "sk-very-secret-0123456789";
    let escaped: Vec<String> = key.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect();
    let escaped = escaped.concat();
    let raw = format!(r#"{{"path":"@project/artifacts/a.md","content":"{escaped}"}}"#);
    let write = |arguments: Value| json!({ "name": "fs_write", "arguments": arguments });
    let piece = |content: &str| {
        let path = "@project/artifacts/b.md";
        write(json!({ "path": path, "content": content, "mode": "append" }))
    };
    let read = json!({ "name": "fs_read", "arguments": { "path": "@project/artifacts/b.md" } });
    let widget = r#"{"widgetId":"w","type":"confirmation","message":"KEY"}"#;
    let (first, second) = key.split_at(10);
    let server = Server::saying(&[
        json!({ "calls": [write(json!(raw))] }),
        json!({ "calls": [piece(first), piece(second)] }),
        json!({ "calls": [read] }),
        json!({ "text": format!("```widget\n{}\n```", widget.replace("KEY", &escaped)) }),
    ]);
    let (package, base_url) = (hello_branch(), server.base_url());
    let args = ["run", &package, "--base-url", &base_url, "--model", "demo", "--json", "-v"];
    let env = [("CREWAGENT_API_KEY", key)];
    let done = sandbox.run_with(&[&args[..], &["--input", "go"]].concat(), &env).exits(3);
    let file = |name: &str| std::fs::read_to_string(sandbox.path(name)).unwrap();
    assert_eq!(file("project/artifacts/a.md"), "[key]");
    assert_eq!(file("project/artifacts/b.md"), key, "what it puts together stays in the file");
    let journal = format!("{:?}", sandbox.journal());
    for text in [&done.stdout, &done.stderr, &journal] {
        assert!(!text.contains(key), "{text}");
    }
    assert!(journal.matches("[key]").count() >= 3, "{journal}");
    let conversation = format!("run-{}", sandbox.run_id());
    let export = sandbox.run(&["conversations", "export", &conversation, "--format", "jsonl"]);
    assert!(!export.exits(0).stdout.contains(key));
}

#[test]
fn a_packed_package_carries_its_trace() {
    let sandbox = Sandbox::new();
    let package = root().join("templates/packages/hello-linear");
    sandbox.run(&["package", "pack", &package.to_string_lossy(), "-o", "linear.bmad"]).exits(0);
    let args = ["demo-model", "--trace", "linear.bmad", "--json"];
    let mut server = sandbox.start(&args);
    assert_eq!(server.line().unwrap()["model"], "demo");
    server.signal("INT");
    assert_eq!(server.end().1, Some(0));
    let none = sandbox.run(&["demo-model", "--trace", "nowhere.json", "--json"]).exits(2);
    none.error("BAD_REQUEST");
}

/// A server whose answers never end, except a chat's and, with `listed`, that of its models; how
/// many bytes it got rid of.
fn endless(status: &'static str, listed: bool) -> (String, Arc<AtomicU64>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let sent = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&sent);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, count) = (stream.unwrap(), Arc::clone(&count));
            std::thread::spawn(move || {
                let mut head = [0; 4096];
                let read = stream.read(&mut head).unwrap_or(0);
                let head = String::from_utf8_lossy(&head[..read]).into_owned();
                let chat = r#"{"choices":[{"message":{"content":"OK"},"finish_reason":"stop"}]}"#;
                let short = match head.split(' ').nth(1) {
                    Some("/v1/models") if listed => Some(r#"{"data":[{"id":"m"}]}"#),
                    Some("/v1/chat/completions") => Some(chat),
                    _ => None,
                };
                let status = if short.is_some() { "200 OK" } else { status };
                let head = format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\n");
                let head = format!("{head}connection: close\r\n\r\n");
                let body = short.unwrap_or("{\"data\":[");
                _ = stream.write_all(format!("{head}{body}").as_bytes());
                let more = "{\"id\":\"m\"},".repeat(5000);
                while short.is_none() && stream.write_all(more.as_bytes()).is_ok() {
                    count.fetch_add(more.len() as u64, Ordering::Relaxed);
                }
            });
        }
    });
    (url, sent)
}

/// More than is read, less than comes in a second.
const ENOUGH: u64 = 48 * 1024 * 1024;

#[rstest]
#[case::list("200 OK")]
#[case::refusal("401 Unauthorized")]
fn a_list_of_models_that_never_ends_is_no_list(#[case] status: &'static str) {
    let sandbox = Sandbox::new();
    let (url, sent) = endless(status, false);
    sandbox.run(&["settings", "set", "model.baseUrl", &url]).exits(0);
    let done = sandbox.run(&["model", "list", "--json"]).exits(6);
    let error = done.error("LLM_BAD_RESPONSE");
    assert!(error["message"].as_str().unwrap().contains("longer than 4.0 MiB"), "{error:#}");
    let zh = sandbox.run(&["model", "list", "--lang", "zh"]).exits(6);
    assert!(zh.stderr.contains("超过 4.0 MiB"), "{zh:#?}");
    assert!(sent.load(Ordering::Relaxed) < ENOUGH, "{sent:?}");
}

#[test]
fn an_endless_answer_about_a_model_counts_as_none() {
    let sandbox = Sandbox::new();
    let (url, sent) = endless("200 OK", true);
    let args = ["model", "test", "--base-url", &url, "--model", "m", "--json"];
    let test = sandbox.run(&args).exits(0).json();
    assert_eq!(test["contextTokens"], json!(null), "{test:#}");
    assert!(sent.load(Ordering::Relaxed) < ENOUGH, "{sent:?}");
}

#[test]
fn what_a_server_refuses_is_left_out_at_the_next_start_too() {
    let refused = Fault::status(400, "Unknown field: `stream_options`.");
    let server = Server::faulty(vec![refused]);
    let sandbox = Sandbox::new();
    let address = ["--base-url", &server.base_url(), "--model", "demo"];
    for start in 0..2 {
        sandbox.run(&[&["run", &hello_branch()][..], &address].concat()).exits(3);
        let requests = server.requests();
        let with_options = requests.iter().filter(|it| it.get("stream_options").is_some()).count();
        assert_eq!(with_options, 1, "only the first was sent with it, start {start}");
    }
}
