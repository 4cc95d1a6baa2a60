//! Setting servers up: what is taken, what stays hidden, and the files of other programs.

use kernel::code::ErrorCode;
use kernel::command::{Command, Query, ServerCommand};
use kernel::mcp::{LaunchDraft, ServerDraft, ServerName, ServerValue, ShownLaunch};
use kernel::wire::Answer;
use rstest::rstest;
use serde_json::json;
use std::collections::BTreeMap;

use super::{Place, hostile, named};

fn program(env: &[(&str, Option<&str>)]) -> LaunchDraft {
    let value = |text: &str| ServerValue::new(text);
    let env: BTreeMap<_, _> =
        env.iter().map(|(key, text)| ((*key).to_owned(), text.map(value))).collect();
    LaunchDraft::Command { command: hostile(), args: vec!["echo-environment".to_owned()], env }
}

fn save(name: &str, launch: LaunchDraft, replaces: Option<&str>) -> ServerCommand {
    let server = ServerDraft { name: named(name), launch };
    ServerCommand::Save { server, replaces: replaces.map(named) }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_that_is_not_shown_stays_when_the_server_is_changed() {
    let place = Place::with(&[]).await;
    place.servers(save("s", program(&[("KEY", Some("tok-4711"))]), None)).await.unwrap();
    place
        .servers(save("t", program(&[("KEY", None), ("MORE", Some("1"))]), Some("s")))
        .await
        .unwrap();
    let view = place.view("t").await;
    let ShownLaunch::Command { env, .. } = &view.launch else { panic!() };
    assert_eq!(env, &["KEY", "MORE"]);
    assert!(!serde_json::to_string(&view).unwrap().contains("tok-4711"));
    assert_eq!(place.list().await.len(), 1, "it has another name, and is no second one");
}

#[rstest]
#[case::no_command(json!({ "kind": "command", "command": "  " }))]
#[case::two_lines(json!({ "kind": "command", "command": "a\nb" }))]
#[case::no_address(json!({ "kind": "url", "url": "ftp://example.org" }))]
#[case::a_space(json!({ "kind": "url", "url": "https://example.org/a b" }))]
#[case::an_unfit_name(json!({ "kind": "command", "command": "a", "env": { "A=B": "c" } }))]
#[case::too_many_arguments(json!({ "kind": "command", "command": "a", "args": vec!["x"; 201] }))]
#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_fit_is_refused_in_words(#[case] launch: serde_json::Value) {
    let place = Place::with(&[]).await;
    let launch: LaunchDraft = serde_json::from_value(launch).unwrap();
    let refused = place.servers(save("s", launch, None)).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::McpServerInvalid);
    assert!(place.list().await.is_empty());
}

#[test]
fn a_name_has_no_signs_that_hide() {
    for unfit in ["", "  ", "a/b", "a\u{202e}b", "a\nb", &"n".repeat(65)] {
        assert!(ServerName::new(unfit).is_err(), "{unfit:?}");
    }
    for fits in ["files", "my files", "文件", "a.b-c_d"] {
        assert!(ServerName::new(fits).is_ok(), "{fits}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_have_no_name_in_common() {
    let place = Place::with(&[]).await;
    place.add_hostile(&["good"]).await;
    let taken = place.servers(save("s", program(&[]), None)).await.unwrap_err();
    assert_eq!(taken.code, ErrorCode::McpServerInvalid);
    let unknown = place.servers(save("t", program(&[]), Some("nobody"))).await.unwrap_err();
    assert_eq!(unknown.code, ErrorCode::McpServerUnknown);
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_of_other_programs_are_taken_over() {
    let place = Place::with(&[]).await;
    place.add_hostile(&["good"]).await;
    let file = place.folder.path().join("mcp.json");
    let text = json!({ "mcpServers": {
        "s": { "command": "other" },
        "files": { "command": "node", "args": ["files.js", "${workspaceFolder}"], "env": { "KEY": "tok-4711" } },
        "odd": { "command": "x", "cwd": "/somewhere" },
    } });
    std::fs::write(&file, text.to_string()).unwrap();
    let path = file.to_string_lossy().into_owned();
    let query = Query::ServerFile { path: path.clone() };
    let Answer::ServerFile(found) = place.host.query(query).await.unwrap() else { panic!() };
    let taken: Vec<_> = found.servers.iter().map(|it| (it.name.as_str(), it.taken)).collect();
    assert_eq!(taken, [("s", true), ("files", false)]);
    assert_eq!(found.left_out[0].name, "odd");
    assert!(!serde_json::to_string(&found).unwrap().contains("tok-4711"));
    let command = ServerCommand::Import { path, names: vec![named("s"), named("files")] };
    place.servers(command).await.unwrap();
    let ShownLaunch::Command { args, .. } = place.view("files").await.launch else { panic!() };
    assert_eq!(args, ["files.js", "@project"]);
    let ShownLaunch::Command { command, .. } = place.view("s").await.launch else { panic!() };
    assert_eq!(command, hostile(), "what has the name already stays");
}

#[rstest]
#[case::nothing_there(None)]
#[case::no_json(Some("servers: none"))]
#[case::nothing_of_servers(Some(r#"{"a":1}"#))]
#[tokio::test(flavor = "multi_thread")]
async fn a_file_without_servers_is_refused_in_words(#[case] text: Option<&str>) {
    let place = Place::with(&[]).await;
    let file = place.folder.path().join("mcp.json");
    if let Some(text) = text {
        std::fs::write(&file, text).unwrap();
    }
    let path = file.to_string_lossy().into_owned();
    let refused = place.host.query(Query::ServerFile { path }).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::McpFileInvalid);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_set_up_is_there_after_a_restart_and_in_other_programs() {
    let place = Place::with(&[]).await;
    place.add_hostile(&["good"]).await;
    place.trust("s").await;
    let again = super::open(place.folder.path(), &place.model).await;
    let query = Query::Servers { project_id: Some(place.project.clone()) };
    let Answer::Servers(servers) = again.query(query).await.unwrap() else { panic!() };
    assert_eq!(servers[0].tools.as_ref().unwrap().len(), 3);
    assert_eq!(servers[0].trust, kernel::wire::ServerTrust::Trusted);
    let forget = Command::Servers { command: ServerCommand::Remove { name: named("s") } };
    again.submit(forget).await.unwrap();
    assert!(place.list().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_can_be_stopped() {
    let place = Place::with(&[]).await;
    place.add_hostile(&["never-answers-initialize"]).await;
    let stop = async {
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        place.servers(ServerCommand::StopTest { name: named("s") }).await.unwrap();
    };
    let (tested, ()) = tokio::join!(place.test("s"), stop);
    assert_eq!(tested.unwrap_err().code, ErrorCode::EngineAborted);
    assert_eq!(place.view("s").await.state, kernel::wire::ServerState::Idle);
}
