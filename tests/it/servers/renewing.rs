//! Tokens that are good for a while, and are renewed without asking the person.

use kernel::code::Failure;
use kernel::command::{Command, ServerCommand, SessionCommand};
use kernel::mcp::{LaunchDraft, ServerDraft};
use rstest::rstest;
use serde_json::{Value, json};
use std::time::Duration;

use super::token_server::{Manners, Renewing, TokenServer};
use super::{Place, call, named, open, text, words};

/// Every request is made with a token of its own.
const AT_ONCE: Manners =
    Manners { expires: Some(0), says_no_way: false, gives_secret: false, wants_more: false };

async fn signed_in(manners: Manners, replies: &[Value]) -> (TokenServer, Place) {
    let server = TokenServer::start(manners);
    let place = Place::with(replies).await;
    super::http::add(&place, &server.url, &[]).await;
    place.sign_in().await;
    (server, place)
}

async fn code(place: &Place) -> String {
    place.test("s").await.unwrap_err().code.as_str().to_owned()
}

fn sum() -> Value {
    call("mcp__s__get-sum", &json!({ "a": 2, "b": 3 }))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_renewed_for_what_it_was_given_for_also_after_a_restart() {
    let manners = Manners { gives_secret: true, ..AT_ONCE };
    let (server, place) = signed_in(manners, &[sum(), text("Five.")]).await;
    place.trust("s").await;
    let place = place.opened_again().await;
    let chat = place.chat("Add.").await;
    assert!(words(&chat.result().await).contains("The sum of 2 and 3 is 5."));
    let forms = server.forms();
    assert_eq!(forms[0]["grant_type"], "authorization_code");
    let renewed = &forms[1..];
    assert!(renewed.len() > 4, "each request renews: {}", renewed.len());
    for form in renewed {
        assert_eq!(form["grant_type"], "refresh_token");
        assert_eq!(form["resource"], server.url, "of nothing else");
        assert_eq!(form["resource"], forms[0]["resource"]);
    }
    assert_eq!(server.thefts(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_programs_spend_no_token_twice() {
    let (server, place) = signed_in(AT_ONCE, &[]).await;
    let other = open(place.folder.path(), &place.model).await;
    let test = async || -> Result<(), Failure> {
        let command = ServerCommand::Test { name: named("s"), project_id: None };
        other.submit(Command::Servers { command }).await.map(drop)
    };
    for _ in 0..3 {
        let (one, two) = tokio::join!(place.test("s"), test());
        one.unwrap();
        two.unwrap();
    }
    assert_eq!(server.thefts(), 0);
    assert!(place.view("s").await.signed_in);
    other.close().await;
}

/// Also where the server does not say how one signs in.
#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_taken_back_is_renewed_during_a_conversation(
    #[values(false, true)] says_no_way: bool,
) {
    let replies = [sum(), text("Five."), sum(), text("Five still.")];
    let manners = Manners { says_no_way, ..Manners::default() };
    let (server, place) = signed_in(manners, &replies).await;
    place.trust("s").await;
    let chat = place.chat("Add.").await;
    assert!(words(&chat.result().await).contains("is 5."));
    server.revoke();
    let chat = place.chat("Add again.").await;
    assert!(words(&chat.result().await).contains("is 5."));
    assert_eq!(server.forms().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn whose_token_is_not_renewed_signs_in_again() {
    let (server, place) = signed_in(AT_ONCE, &[]).await;
    for renewing in [Renewing::Refused, Renewing::Forgotten] {
        server.set_renewing(renewing);
        assert_eq!(code(&place).await, "E_MCP_SIGN_IN");
        assert!(!place.view("s").await.signed_in);
        server.set_renewing(Renewing::Granted);
        place.sign_in().await;
        place.test("s").await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_was_renewed_is_kept_also_when_nobody_waits_for_it() {
    let (server, place) = signed_in(AT_ONCE, &[]).await;
    server.set_renewing(Renewing::Slow(Duration::from_secs(1)));
    let before = server.forms().len();
    let stop = async {
        while server.forms().len() == before {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        place.servers(ServerCommand::StopTest { name: named("s") }).await.unwrap();
    };
    let (tested, ()) = tokio::join!(place.test("s"), stop);
    assert_eq!(tested.unwrap_err().code.as_str(), "ENGINE_ABORTED");
    let place = place.opened_again().await;
    server.set_renewing(Renewing::Granted);
    place.test("s").await.unwrap();
    assert_eq!(server.thefts(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_signs_out_while_a_token_is_renewed_stays_signed_out() {
    let (server, place) = signed_in(AT_ONCE, &[]).await;
    server.set_renewing(Renewing::Slow(Duration::from_secs(1)));
    let before = server.forms().len();
    let sign_out = async {
        while server.forms().len() == before {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        place.servers(ServerCommand::SignOut { name: named("s") }).await.unwrap();
    };
    let (tested, ()) = tokio::join!(place.test("s"), sign_out);
    // Signing out ends what was being connected, or that comes to its end first.
    let code = tested.unwrap_err().code;
    assert!(["E_MCP_SIGN_IN", "E_MCP_NOT_STARTED"].contains(&code.as_str()), "{code}");
    assert!(!place.view("s").await.signed_in);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_may_have_another_name_while_a_token_is_renewed() {
    let (server, place) = signed_in(AT_ONCE, &[]).await;
    server.set_renewing(Renewing::Slow(Duration::from_secs(1)));
    let before = server.forms().len();
    let rename = async {
        while server.forms().len() == before {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let launch = LaunchDraft::Url { url: server.url.clone(), headers: [].into() };
        let draft = ServerDraft { name: named("t"), launch };
        let save = ServerCommand::Save { server: draft, replaces: Some(named("s")) };
        place.servers(save).await.unwrap();
    };
    _ = tokio::join!(place.test("s"), rename);
    server.set_renewing(Renewing::Granted);
    place.test("t").await.unwrap();
    assert!(place.view("t").await.signed_in);
    assert_eq!(server.thefts(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_asked_in_nobody_s_name_by_whoever_was_signed_in() {
    let (server, place) = signed_in(AT_ONCE, &[]).await;
    server.set_renewing(Renewing::Refused);
    let before = server.asked_by_nobody();
    assert_eq!(code(&place).await, "E_MCP_SIGN_IN");
    assert_eq!(server.asked_by_nobody(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_allowed_too_little_signs_in_for_more() {
    let manners = Manners { wants_more: true, ..Manners::default() };
    let (_server, place) = signed_in(manners, &[sum(), text("No."), sum(), text("Five.")]).await;
    place.trust("s").await;
    let chat = place.chat("Add.").await;
    let refused = chat.result().await;
    assert_eq!(refused["error"]["code"], "E_MCP_SIGN_IN", "{refused}");
    // That is known also after the server was asked for what it allows, and by another program.
    place.test("s").await.unwrap();
    let place = place.opened_again().await;
    place.sign_in().await;
    let chat = place.chat("Add again.").await;
    let answer = words(&chat.result().await);
    assert!(answer.contains("is 5."), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_goes_on_as_whoever_signed_in_last() {
    let replies = [sum(), text("Five."), sum(), text("No."), sum(), text("Five again.")];
    let (server, place) = signed_in(Manners::default(), &replies).await;
    place.trust("s").await;
    let chat = place.chat("Add.").await;
    assert!(words(&chat.result().await).contains("is 5."));
    place.servers(ServerCommand::SignOut { name: named("s") }).await.unwrap();
    let say = async |text: &str| {
        chat.tell(SessionCommand::Say { text: text.to_owned() }).await.unwrap();
        chat.rests().await;
        chat.ended().await.pop().expect("a call ended").result
    };
    let refused = say("Add once more.").await;
    assert_eq!(refused["error"]["code"], "E_MCP_SIGN_IN", "{refused}");
    place.sign_in().await;
    assert!(words(&say("And now?").await).contains("is 5."));
    assert_eq!(server.thefts(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_cannot_renew_for_a_while_stays_signed_in() {
    let (server, place) = signed_in(AT_ONCE, &[]).await;
    server.set_renewing(Renewing::Broken);
    let failure = place.test("s").await.unwrap_err();
    assert_eq!(failure.code.as_str(), "E_MCP_NOT_STARTED", "{failure}");
    let token = "refresh-token-1-0123456789";
    assert!(!failure.message.contains(token), "{failure}");
    assert!(place.view("s").await.signed_in);
    server.set_renewing(Renewing::Granted);
    place.test("s").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn who_only_refuses_can_be_signed_in_at_too() {
    let manners = Manners { says_no_way: true, ..Manners::default() };
    let server = TokenServer::start(manners);
    let place = Place::with(&[]).await;
    // As a person may write it.
    let url = server.url.replace("/mcp", "/x/../mcp");
    super::http::add(&place, &url, &[]).await;
    assert_eq!(code(&place).await, "E_MCP_SIGN_IN");
    place.sign_in().await;
    assert!(place.view("s").await.signed_in);
    place.test("s").await.unwrap();
}
