//! The ways from what is told to where something can be done about it, gone by a person's hand: from
//! a failure of the model to the setting it is about and back, and to a run that waits elsewhere.

use crate::hand::{Hand, Point, SIZE};
use crate::models::{RETRY, a_model, a_run, a_run_at, back, to_the_end};
use crate::window::{found, start_app_with};
use host::llm::DemoServer;
use serde_json::{Value, json};
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use thirtyfour::prelude::*;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};

/// The key that the model's server wants.
const KEY: &str = "sk-of-the-garden-0123456789";

/// A server in front of the model's that lets nobody pass without the key. Its address.
async fn a_gate(server: &DemoServer) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let behind = server.addr();
    tokio::spawn(async move {
        while let Ok((from, _)) = listener.accept().await {
            tokio::spawn(passes(from, behind));
        }
    });
    address
}

/// Hands a request on, or refuses it.
async fn passes(mut from: TcpStream, behind: SocketAddr) -> io::Result<()> {
    let request = whole_request(&mut from).await?;
    if !String::from_utf8_lossy(&request).contains(&format!("authorization: Bearer {KEY}\r\n")) {
        let body = json!({ "error": { "message": "No such key." } }).to_string();
        let head = "HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\n\
                    Connection: close\r\nContent-Length: ";
        return from.write_all(format!("{head}{}\r\n\r\n{body}", body.len()).as_bytes()).await;
    }
    let mut to = TcpStream::connect(behind).await?;
    to.write_all(&request).await?;
    copy_bidirectional(&mut from, &mut to).await.map(drop)
}

/// A request's head and its body: who is refused before all was read may not hear of it.
async fn whole_request(from: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut request = Vec::new();
    loop {
        if let Some(at) = request.windows(4).position(|it| it == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&request[..at]);
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.map_or(0, |length| length.parse().unwrap());
            if request.len() >= at + 4 + length {
                return Ok(request);
            }
        }
        if from.read_buf(&mut request).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

/// Where the way from a failure to its setting, and back, goes through.
struct Way {
    settings: Point,
    back: Point,
    retry: Point,
}

/// Goes the way in a window that is only looked at, and changes the setting to what does not help.
async fn looked_up(folder: &Path, code: &str, field: &str, other: &str) -> Way {
    let app = back(folder).await;
    let failure = "[data-testid='notice-model_error']";
    app.by_css(&format!("{failure} [data-code='{code}']")).await;
    let settings = app.place_of(&format!("{failure} [data-testid='model-settings']")).await;
    app.screenshot(&format!("failed-{field}")).await;
    app.by_test_id("model-settings").await.click().await.unwrap();
    let input = app.by_css(&format!("[data-testid='{field}']:focus")).await;
    app.screenshot(&format!("led-to-{field}")).await;
    let back = app.place_of("[data-testid='settings-back']").await;
    input.clear().await.unwrap();
    input.send_keys(other + Key::Tab).await.unwrap();
    if field == "api-key" {
        app.by_css("[data-testid='save-api-key']:enabled").await.click().await.unwrap();
        app.by_test_id("forget-api-key").await;
    } else {
        app.by_css(".saved").await;
    }
    app.by_test_id("settings-back").await.click().await.unwrap();
    let retry = app.place_of(RETRY).await;
    app.quit().await;
    Way { settings, back, retry }
}

/// The window as a person finds it, at a conversation whose model failed.
async fn at_the_failure(folder: &Path) -> Hand {
    let hand = Hand::opens(folder, &[]).await.unwrap();
    let enter = |it: &Hand| it.press_from_composer(&["x"]);
    hand.doing("the conversation is there", enter, |it| !it.drafts().is_empty()).await;
    hand
}

/// Back from the settings and on.
async fn goes_on(hand: Hand, way: &Way, server: &DemoServer) {
    assert_eq!(server.requests().len(), 0, "nothing is asked before a click says so");
    hand.click(way.back);
    let retry = |it: &Hand| it.click(way.retry);
    hand.doing("the model is asked again", retry, |_| !server.requests().is_empty()).await;
    hand.until("it has answered", |it| it.asked("model_replied") == 1).await;
    assert_eq!(server.requests().len(), 1, "one click, one request");
    hand.kill();
}

/// The run went on where it had stopped.
async fn answered(folder: &Path) {
    let app = back(folder).await;
    app.phase("waiting-user").await;
    app.shows("message-assistant", "Which topic?").await;
    app.quit().await;
}

fn kept(folder: &Path) -> Value {
    let text = std::fs::read_to_string(folder.join("store/settings.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_key_leads_by_a_click_to_its_field_and_the_right_one_lets_the_run_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let server = a_model(&[json!({ "text": "Which topic?" })], Vec::new()).await;
    let gate = a_gate(&server).await;
    let Some(app) = a_run_at(folder.path(), &gate).await else { return };
    app.by_test_id("notice-model_error").await;
    app.quit().await;
    let way = looked_up(folder.path(), "LLM_AUTH_FAILED", "api-key", "sk-of-another-garden").await;

    let hand = at_the_failure(folder.path()).await;
    hand.click(way.settings);
    // Where the way leads to, the words go.
    hand.types(KEY);
    hand.press(&["Tab", "Return"]);
    let store = folder.path().join("store");
    let is_kept = |file: &Path| std::fs::read_to_string(file).is_ok_and(|it| it.contains(KEY));
    hand.until("the key is kept", |_| found(&store, "api-key").iter().any(|it| is_kept(it))).await;
    goes_on(hand, &way, &server).await;
    answered(folder.path()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_address_leads_by_a_click_to_its_field_and_the_right_one_lets_the_run_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let server = a_model(&[json!({ "text": "Which topic?" })], Vec::new()).await;
    let nobody = "http://127.0.0.1:1/v1";
    let Some(app) = a_run_at(folder.path(), nobody).await else { return };
    app.by_test_id("notice-model_error").await;
    app.quit().await;
    let other = "http://127.0.0.1:2/v1";
    let way = looked_up(folder.path(), "LLM_UNREACHABLE", "model-base-url", other).await;

    let hand = at_the_failure(folder.path()).await;
    hand.click(way.settings);
    hand.press(&["ctrl+a"]);
    hand.types(&server.base_url());
    hand.press(&["Tab"]);
    let address = json!(server.base_url());
    hand.until("the address is kept", |_| kept(folder.path())["model"]["baseUrl"] == address).await;
    // Another server may know no model of that name: it is asked for again.
    hand.types("demo");
    hand.press(&["Return"]);
    hand.until("the name is kept", |_| kept(folder.path())["model"]["model"] == "demo").await;
    goes_on(hand, &way, &server).await;
    answered(folder.path()).await;
}

/// The id of the project in a folder.
fn project_in(folder: &Path) -> String {
    let text = std::fs::read_to_string(folder.join(".crewagent.json")).unwrap();
    let project: Value = serde_json::from_str(&text).unwrap();
    project["projectId"].as_str().unwrap().to_owned()
}

/// Two runs of one project that ask something, in a window that was closed.
async fn two_that_wait(folder: &Path, server: &DemoServer) -> Option<()> {
    let app = a_run(folder, server).await?;
    app.by_test_id("widget-confirmation").await;
    app.by_test_id("new-run").await.click().await.unwrap();
    app.by_test_id("run-start").await.click().await.unwrap();
    app.shows("runs-need-you", "2").await;
    app.quit().await;
    Some(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_waits_in_another_project_is_counted_in_the_title_and_found_by_a_click() {
    let folder = tempfile::tempdir().unwrap();
    let ask = json!({ "widgetId": "begin", "type": "confirmation", "message": "Shall I begin?" });
    let ask = json!({ "calls": [{ "name": "ui_ask_user", "arguments": ask }] });
    let server = a_model(&[ask, to_the_end(), json!({ "text": "Goodbye." })], Vec::new()).await;
    let Some(()) = two_that_wait(folder.path(), &server).await else { return };
    let orchard = folder.path().join("home/orchard");
    std::fs::create_dir(&orchard).unwrap();
    let orchard = orchard.to_string_lossy().into_owned();

    let app = start_app_with(folder.path(), &[&orchard]).await.unwrap();
    app.by_css(".project-face[title$='/orchard']").await;
    app.sized(SIZE).await;
    app.shows("runs-need-you", "2").await;
    let rows = "[data-testid='runs-need-you'] + .conversation-row";
    let row = app.by_css(&format!("{rows} [data-testid='run-row']")).await;
    let words = row.prop("textContent").await.unwrap().unwrap();
    assert!(words.contains("garden"), "it does not say whose run it is: {words}");
    let run = row.attr("data-run-id").await.unwrap().unwrap();
    let place = app.place_of(rows).await;
    app.screenshot("waits-elsewhere").await;
    app.quit().await;

    let hand = Hand::opens(folder.path(), &[&orchard]).await.unwrap();
    hand.until("it is told of", |it| it.is_titled("(2) CrewAgent Runtime")).await;
    let garden = project_in(&folder.path().join("home/garden"));
    hand.doing("its row leads to it", |it| it.click(place), |it| it.is_at(&garden)).await;
    // Its question is there, and its keys.
    let yes = |it: &Hand| it.press(&["ctrl+Return"]);
    hand.trying("it is answered", yes, |it| it.asked("widget_answered") == 1).await;
    hand.until("its work is done", |it| it.asked("turn_finished") == 3).await;
    hand.until("one less waits", |it| it.is_titled("(1) CrewAgent Runtime")).await;
    hand.kill();
    let app = back(folder.path()).await;
    let open = format!("[data-testid='run-row'][data-run-id='{run}'][aria-current='true']");
    app.by_css(&open).await;
    app.phase("completed").await;
    app.quit().await;
}
