//! Servers that are reached over HTTP: one that other people use, and some that are none.

use kernel::command::{ServerCommand, SessionCommand};
use kernel::mcp::{LaunchDraft, ServerDraft, ServerValue};
use serde_json::json;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use support::mcp_servers::OtherServer;

use super::{Place, call, named, text, words};

pub(super) async fn add(place: &Place, url: &str, headers: &[(&str, &str)]) {
    let value = |text: &str| Some(ServerValue::new(text));
    let headers = headers.iter().map(|(name, text)| ((*name).to_owned(), value(text))).collect();
    let launch = LaunchDraft::Url { url: url.to_owned(), headers };
    let server = ServerDraft { name: named("s"), launch };
    place.servers(ServerCommand::Save { server, replaces: None }).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_over_http_lists_its_tools_answers_and_asks() {
    lists_answers_and_asks(OtherServer::everything()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_the_first_version_over_http_does_the_same() {
    lists_answers_and_asks(OtherServer::first_version()).await;
}

async fn lists_answers_and_asks(everything: OtherServer) {
    let sum = call("mcp__s__get-sum", &json!({ "a": 2, "b": 3 }));
    let ask = call("mcp__s__trigger-elicitation-request", &json!({}));
    let place = Place::with(&[sum, text("Five."), ask, text("Thank you.")]).await;
    add(&place, everything.url(), &[]).await;
    place.trust("s").await;
    let chat = place.chat("Add.").await;
    let said = words(&chat.result().await);
    assert!(said.contains("The sum of 2 and 3 is 5."), "{said}");
    chat.tell(SessionCommand::Say { text: "Ask me.".to_owned() }).await.unwrap();
    let question = chat.question().await.expect("the server asks");
    let (message_id, value) = (question.id.clone(), json!({ "name": "Ann", "integer": 7 }));
    let answer = SessionCommand::Answer { message_id, value, shown_ms: None };
    chat.tell(answer).await.unwrap();
    chat.rests().await;
    let ended = chat.ended().await;
    let said = words(&ended[1].result);
    assert!(said.contains("Name: Ann") && said.contains("Favorite Integer: 7"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_over_http_gets_no_real_path() {
    let everything = OtherServer::everything();
    let echo = call("mcp__s__echo", &json!({ "message": "@project/notes.md" }));
    let place = Place::with(&[echo, text("I see.")]).await;
    add(&place, everything.url(), &[]).await;
    place.trust("s").await;
    let chat = place.chat("Say it.").await;
    let said = words(&chat.result().await);
    assert!(said.contains("@project/notes.md"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_over_http_that_is_gone_says_so_and_the_talk_goes_on() {
    is_missed(OtherServer::everything()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_the_first_version_that_is_gone_says_so_and_the_talk_goes_on() {
    is_missed(OtherServer::first_version()).await;
}

/// A server that goes away after its first call.
async fn is_missed(everything: OtherServer) {
    let echo = |at: u8| call("mcp__s__echo", &json!({ "message": format!("say {at}") }));
    let replies = [echo(1), text("Yes."), echo(2), text("No."), text("Still here.")];
    let place = Place::with(&replies).await;
    add(&place, everything.url(), &[]).await;
    place.trust("s").await;
    let chat = place.chat("Say it.").await;
    drop(everything);
    chat.say("Again.").await;
    let ended = chat.ended().await;
    assert!(ended[0].ok && !ended[1].ok, "{ended:?}");
    let code = ended[1].result["error"]["code"].as_str().unwrap();
    assert!(code.starts_with("E_MCP_"), "{code}");
    chat.say("Are you there?").await;
    assert_eq!(place.model.requests().len(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_at_an_address_is_a_failure_in_words() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let place = Place::with(&[]).await;
    add(&place, &format!("http://127.0.0.1:{free}/mcp?key=tok-4711-private"), &[]).await;
    let failure = place.test("s").await.unwrap_err();
    assert_eq!(failure.code.as_str(), "E_MCP_NOT_STARTED");
    assert!(!failure.message.contains("tok-4711"), "an address may hold a key: {failure}");
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_travel_to_another_machine_in_secret_alone() {
    let place = Place::with(&[]).await;
    add(&place, "http://198.51.100.7/mcp", &[("Authorization", "Bearer tok-4711")]).await;
    let failure = place.test("s").await.unwrap_err();
    assert_eq!(failure.code.as_str(), "E_MCP_NOT_STARTED");
    assert!(failure.message.contains("https://"), "{failure}");
}

/// Answers every request with these bytes, and tells what it was sent.
pub(super) fn answering(bytes: &'static str) -> (String, std::sync::mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let (sender, asked) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let mut request = vec![0; 64 * 1024];
            let read = stream.read(&mut request).unwrap_or_default();
            _ = sender.send(String::from_utf8_lossy(&request[..read]).into_owned());
            _ = stream.write_all(bytes.as_bytes());
        }
    });
    (url, asked)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_is_not_followed_so_headers_stay_where_they_belong() {
    let (other, asked_of_other) = answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    let away: &'static str = Box::leak(
        format!(
            "HTTP/1.1 307 Temporary Redirect\r\nLocation: {other}\r\nContent-Length: 0\r\n\r\n"
        )
        .into_boxed_str(),
    );
    let (url, asked) = answering(away);
    let place = Place::with(&[]).await;
    add(&place, &url, &[("X-Key", "tok-4711")]).await;
    assert!(place.test("s").await.is_err());
    assert!(
        asked.try_iter().any(|request| request.contains("tok-4711")),
        "the server itself gets it"
    );
    assert_eq!(asked_of_other.try_iter().count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_speaks_another_language_is_no_server() {
    for (bytes, words) in [
        ("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", Some("404")),
        ("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n", Some("who asks it")),
        ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\n<a/>\n", None),
        ("not http at all\n", None),
    ] {
        let (url, _asked) = answering(bytes);
        let place = Place::with(&[]).await;
        add(&place, &url, &[]).await;
        let failure = place.test("s").await.unwrap_err();
        assert!(failure.code.as_str().starts_with("E_MCP_"), "{bytes}: {failure}");
        if let Some(words) = words {
            assert!(failure.message.contains(words), "{bytes}: {failure}");
        }
    }
}

/// Answers as the first servers did: these bytes to a `GET`, this status to a `POST` of a message, and
/// 404 to any other. When its tools are asked for, `listed` follows in the stream.
fn older(
    events: String,
    takes: &'static str,
    listed: String,
) -> (String, std::sync::mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/sse", listener.local_addr().unwrap());
    let (sender, asked) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut open: Vec<std::net::TcpStream> = Vec::new();
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let mut request = vec![0; 64 * 1024];
            let read = stream.read(&mut request).unwrap_or_default();
            let request = String::from_utf8_lossy(&request[..read]).into_owned();
            if request.contains("tools/list") {
                for mut stream in &open {
                    _ = stream.write_all(listed.as_bytes());
                }
            }
            let line = request.lines().next().unwrap_or_default().to_owned();
            _ = sender.send(request);
            if line.starts_with("GET") {
                let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
                open.push(stream.try_clone().unwrap());
                let said = format!("{head}{events}");
                // Whoever says much is read when messages are taken.
                std::thread::spawn(move || _ = stream.write_all(said.as_bytes()));
                continue;
            }
            let status = if line.contains("/messages") { takes } else { "404 Not Found" };
            let answer =
                format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            _ = stream.write_all(answer.as_bytes());
        }
    });
    (url, asked)
}

const TAKEN: &str = "202 Accepted";
const ENDPOINT: &str = "event: endpoint\ndata: /messages\n\n";

#[tokio::test(flavor = "multi_thread")]
async fn messages_of_an_older_server_go_to_itself_alone() {
    let (other, asked_of_other) = answering("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n");
    let (url, asked) = older(format!("event: endpoint\ndata: {other}\n\n"), TAKEN, String::new());
    let place = Place::with(&[]).await;
    add(&place, &url, &[("X-Key", "tok-4711")]).await;
    let failure = place.test("s").await.unwrap_err();
    assert!(failure.message.contains("404"), "{failure}");
    assert!(asked.try_iter().any(|request| request.starts_with("GET")));
    assert_eq!(asked_of_other.try_iter().count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_server_that_says_too_much_is_not_read_on() {
    let flood = "x".repeat(kernel::bounds::MCP_MESSAGE_BYTES + 1);
    let garbage = "data: no message\n\n".repeat(2000);
    for (said, code) in [
        (format!("data: {flood}"), "E_MCP_FLOOD"),
        (format!("data: {flood}\n\n"), "E_MCP_FLOOD"),
        (garbage, "E_MCP_GARBAGE"),
    ] {
        let (url, _asked) = older(format!("{ENDPOINT}{said}"), TAKEN, String::new());
        let place = Place::with(&[]).await;
        add(&place, &url, &[]).await;
        let failure = place.test("s").await.unwrap_err();
        assert_eq!(failure.code.as_str(), code, "{failure}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_server_that_sends_messages_elsewhere_takes_none() {
    let (url, _asked) = older(ENDPOINT.to_owned(), "307 Temporary Redirect", String::new());
    let place = Place::with(&[]).await;
    add(&place, &url, &[]).await;
    let failure = place.test("s").await.unwrap_err();
    assert!(failure.message.contains("307"), "{failure}");
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_that_an_older_server_may_write_lose_no_message() {
    let answer = |id: usize, result: &serde_json::Value| {
        let message = json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string();
        let (before, after) = message.split_at(message.find(',').unwrap());
        format!(
            "unknown: field\r\ndata\r\nevent:\r\n: a comment\r\nretry: soon\r\ndata: {before}\r\ndata: {after}\r\n\r\n"
        )
    };
    let greeting = json!({ "protocolVersion": "2024-11-05", "capabilities": { "tools": {} },
                           "serverInfo": { "name": "old", "version": "1" } });
    let tool = json!({ "name": "echo", "inputSchema": { "type": "object" } });
    let greeted = answer(0, &greeting);
    let listed = answer(1, &json!({ "tools": [tool] }));
    let events = format!("id: 1\n\nevent: endpoint\ndata: /messages?session=7\n\n{greeted}");
    let (url, asked) = older(events, TAKEN, listed);
    let place = Place::with(&[]).await;
    add(&place, &url, &[]).await;
    place.test("s").await.unwrap();
    assert_eq!(place.view("s").await.tools.unwrap()[0].name, "echo");
    assert!(asked.try_iter().any(|request| request.starts_with("POST /messages?session=7 ")));
}
