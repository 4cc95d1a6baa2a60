//! Signing in at servers that want to know who asks: one that other people use to try it, and some
//! that lead elsewhere.

use kernel::code::Failure;
use kernel::command::{Command, ServerCommand, SignInPage};
use serde_json::json;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::time::Duration;
use support::mcp_servers::{OtherServer, get, leads_to, sign_in_at};

use super::{Place, call, named, text, words};

impl Place {
    async fn begin_to_sign_in(&self) -> Result<SignInPage, Failure> {
        let command = ServerCommand::SignIn { name: named("s") };
        let receipt = self.host.submit(Command::Servers { command }).await?;
        Ok(*receipt.sign_in.expect("a page is named"))
    }

    async fn wait_for_sign_in(&self) -> Result<(), Failure> {
        self.servers(ServerCommand::WaitForSignIn { name: named("s") }).await
    }

    /// Signs in as a person does, in a browser.
    pub(super) async fn sign_in(&self) {
        let page = self.begin_to_sign_in().await.unwrap();
        let browser = tokio::task::spawn_blocking(move || sign_in_at(&page.url));
        self.wait_for_sign_in().await.unwrap();
        assert!(browser.await.unwrap().starts_with("HTTP/1.1 200"), "the browser is told so");
    }
}

async fn guarded(replies: &[serde_json::Value]) -> (OtherServer, Place) {
    let server = OtherServer::signing_in();
    let place = Place::with(replies).await;
    super::http::add(&place, server.url(), &[]).await;
    (server, place)
}

async fn code(place: &Place) -> String {
    place.test("s").await.unwrap_err().code.as_str().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_signs_in_once_and_is_known_from_then_on() {
    let greet = || call("mcp__s__greet", &json!({ "name": "Ann" }));
    let replies = [greet(), text("Hello."), greet(), text("Again.")];
    let (_server, place) = guarded(&replies).await;
    assert_eq!(code(&place).await, "E_MCP_SIGN_IN");
    assert!(!place.view("s").await.signed_in);
    place.sign_in().await;
    assert!(place.view("s").await.signed_in);
    place.trust("s").await;
    let chat = place.chat("Greet.").await;
    assert!(words(&chat.result().await).contains("Ann"));
    let place = place.opened_again().await;
    assert!(place.view("s").await.signed_in, "also when the program was ended meanwhile");
    let chat = place.chat("Greet again.").await;
    assert!(words(&chat.result().await).contains("Ann"));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_signs_out_is_asked_again() {
    let (_server, place) = guarded(&[]).await;
    place.sign_in().await;
    place.test("s").await.unwrap();
    place.servers(ServerCommand::SignOut { name: named("s") }).await.unwrap();
    assert!(!place.view("s").await.signed_in);
    assert_eq!(code(&place).await, "E_MCP_SIGN_IN");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_signed_in_at_one_address_is_unknown_at_another() {
    let (_server, place) = guarded(&[]).await;
    place.sign_in().await;
    let other = OtherServer::signing_in();
    let launch = kernel::mcp::LaunchDraft::Url { url: other.url().to_owned(), headers: [].into() };
    let server = kernel::mcp::ServerDraft { name: named("s"), launch };
    place.servers(ServerCommand::Save { server, replaces: Some(named("s")) }).await.unwrap();
    assert!(!place.view("s").await.signed_in);
    assert_eq!(code(&place).await, "E_MCP_SIGN_IN");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_comes_from_elsewhere_is_turned_away() {
    let (_server, place) = guarded(&[]).await;
    let page = place.begin_to_sign_in().await.unwrap();
    assert_eq!(page.host, "localhost");
    let back = tokio::task::spawn_blocking(move || leads_to(&get(&page.url))).await.unwrap();
    let waits = place.wait_for_sign_in();
    let browser = tokio::task::spawn_blocking(move || {
        let (address, query) = back.split_once('?').unwrap();
        for forged in [
            format!("{address}?code=x&state=forged"),
            format!("{address}?code=x"),
            format!("{address}?{query}&state=twice"),
            address.replace("/callback", "/favicon.ico"),
        ] {
            assert!(get(&forged).starts_with("HTTP/1.1 400"), "{forged}");
        }
        get(&back)
    });
    let (waited, page) = tokio::join!(waits, browser);
    waited.unwrap();
    assert!(page.unwrap().starts_with("HTTP/1.1 200"));
    assert!(place.view("s").await.signed_in);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_may_refuse_on_the_page_or_stop() {
    let (_server, place) = guarded(&[]).await;
    let page = place.begin_to_sign_in().await.unwrap();
    let back = tokio::task::spawn_blocking(move || leads_to(&get(&page.url))).await.unwrap();
    let (address, query) = back.split_once('?').unwrap();
    let state = query.split('&').find(|pair| pair.starts_with("state=")).unwrap();
    let refused = format!("{address}?error=access_denied&error_description=No%20thanks&{state}");
    let browser = tokio::task::spawn_blocking(move || get(&refused));
    let failure = place.wait_for_sign_in().await.unwrap_err();
    assert_eq!(failure.code.as_str(), "MCP_SIGN_IN_FAILED");
    assert!(failure.message.contains("No thanks"), "{failure}");
    browser.await.unwrap();

    place.begin_to_sign_in().await.unwrap();
    let stop = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        place.servers(ServerCommand::StopSignIn { name: named("s") }).await.unwrap();
    };
    let (stopped, ()) = tokio::join!(place.wait_for_sign_in(), stop);
    assert_eq!(stopped.unwrap_err().code.as_str(), "ENGINE_ABORTED");
    assert!(!place.view("s").await.signed_in);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_signs_in_at_a_program_or_where_nothing_says_how() {
    let place = Place::with(&[]).await;
    place.add_hostile(&["good"]).await;
    let failure = place.begin_to_sign_in().await.unwrap_err();
    assert_eq!(failure.code.as_str(), "MCP_SIGN_IN_FAILED");
    let (url, _asked) =
        super::http::answering("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n");
    let place = Place::with(&[]).await;
    super::http::add(&place, &url, &[]).await;
    assert_eq!(code(&place).await, "E_MCP_SIGN_IN");
    let failure = place.begin_to_sign_in().await.unwrap_err();
    assert_eq!(failure.code.as_str(), "MCP_SIGN_IN_FAILED");
}

/// Where one signs in, by a server that names these addresses, and these ways to prove who asks.
fn naming(page: &str, token: &str, proofs: &[&str]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let metadata = json!({
        "issuer": base, "authorization_endpoint": page, "token_endpoint": token,
        "registration_endpoint": format!("{base}/register"),
        "response_types_supported": ["code"], "code_challenge_methods_supported": proofs,
    });
    let metadata = metadata.to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let mut request = vec![0; 64 * 1024];
            let read = stream.read(&mut request).unwrap_or_default();
            let request = String::from_utf8_lossy(&request[..read]).into_owned();
            let is_metadata =
                request.starts_with("GET /.well-known/oauth-authorization-server HTTP");
            let (status, body) =
                if is_metadata { ("200 OK", metadata.as_str()) } else { ("404 Not Found", "") };
            let head = "Content-Type: application/json\r\nConnection: close";
            let length = body.len();
            _ = write!(
                stream,
                "HTTP/1.1 {status}\r\n{head}\r\nContent-Length: {length}\r\n\r\n{body}"
            );
        }
    });
    format!("{base}/mcp")
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_led_to_a_page_or_a_token_in_the_clear() {
    let safe = "https://id.example.org/x";
    for (page, token) in [
        ("http://id.example.org/authorize", safe),
        ("file:///etc/passwd", safe),
        ("https://user@id.example.org/authorize", safe),
        ("https://id.example.org/authorize?redirect_uri=https://evil.example", safe),
        ("https://id.example.org/authorize?request_uri=https://evil.example", safe),
        (safe, "http://id.example.org/token"),
    ] {
        let place = Place::with(&[]).await;
        super::http::add(&place, &naming(page, token, &["S256"]), &[]).await;
        let failure = place.begin_to_sign_in().await.unwrap_err();
        assert_eq!(failure.code.as_str(), "MCP_SIGN_IN_FAILED", "{page} {token}");
        assert!(failure.message.contains("not safe"), "{failure}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_of_the_person_is_used_in_place_of_signing_in() {
    let server = OtherServer::signing_in();
    let place = Place::with(&[]).await;
    super::http::add(&place, server.url(), &[("Authorization", "Bearer tok-4711-private")]).await;
    let failure = place.test("s").await.unwrap_err();
    assert_eq!(failure.code.as_str(), "E_MCP_NOT_STARTED", "{failure}");
    assert!(!failure.message.contains("tok-4711"), "{failure}");
    let failure = place.begin_to_sign_in().await.unwrap_err();
    assert!(failure.message.contains("by a header"), "{failure}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_led_to_a_page_of_somebody_else_or_without_proof() {
    let local = "http://127.0.0.1:1/x";
    for (page, proofs, words) in [
        ("https://accounts.example.org/authorize", &["S256"][..], "belongs to somebody else"),
        (local, &["plain"], "PKCE"),
        (local, &[], "PKCE"),
    ] {
        let place = Place::with(&[]).await;
        super::http::add(&place, &naming(page, local, proofs), &[]).await;
        let failure = place.begin_to_sign_in().await.unwrap_err();
        assert_eq!(failure.code.as_str(), "MCP_SIGN_IN_FAILED", "{page}");
        assert!(failure.message.contains(words), "{failure}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_may_stop_while_nobody_says_where_one_signs_in() {
    // Somebody who listens and never answers.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let place = Place::with(&[]).await;
    super::http::add(&place, &url, &[]).await;
    let stop = async {
        let asked = tokio::task::spawn_blocking(move || listener.accept().unwrap());
        let asked = asked.await.unwrap();
        place.servers(ServerCommand::StopSignIn { name: named("s") }).await.unwrap();
        drop(asked);
    };
    let (stopped, ()) = tokio::join!(place.begin_to_sign_in(), stop);
    assert_eq!(stopped.unwrap_err().code.as_str(), "ENGINE_ABORTED");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_signed_in_at_a_server_that_became_another_meanwhile() {
    let (server, place) = guarded(&[]).await;
    let page = place.begin_to_sign_in().await.unwrap();
    let other = super::open(place.folder.path(), &place.model).await;
    let url = server.url().replace("/mcp", "/other");
    let launch = kernel::mcp::LaunchDraft::Url { url, headers: [].into() };
    let draft = kernel::mcp::ServerDraft { name: named("s"), launch };
    let command = ServerCommand::Save { server: draft, replaces: Some(named("s")) };
    other.submit(Command::Servers { command }).await.unwrap();
    other.close().await;
    let browser = tokio::task::spawn_blocking(move || sign_in_at(&page.url));
    let failure = place.wait_for_sign_in().await.unwrap_err();
    assert!(failure.message.contains("changed meanwhile"), "{failure}");
    browser.await.unwrap();
    assert!(!place.view("s").await.signed_in);
}
