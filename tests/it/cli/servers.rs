//! `mcp …` and `--trust-mcp`: servers of the Model Context Protocol at the command line.

use serde_json::{Value, json};
use support::mcp_servers::{OtherServer, sign_in_at};
use support::program::{Done, Sandbox, Server, program};

fn hostile() -> String {
    program().with_file_name("hostile-mcp-server").to_string_lossy().into_owned()
}

fn add(sandbox: &Sandbox, scenario: &str) -> Done {
    sandbox.run_before(&["mcp", "add", "s"], &[&hostile(), scenario], &[]).exits(0)
}

#[test]
fn a_server_is_added_tested_trusted_and_used_by_commands_alone() {
    let sandbox = Sandbox::new();
    add(&sandbox, "good");
    let tested = sandbox.run(&["mcp", "test", "s"]).exits(0).stdout;
    assert!(
        tested.contains("echo  (only reads)") && tested.contains("wipe  (may take"),
        "{tested}"
    );
    let unseen = sandbox.run(&["mcp", "trust", "s"]).exits(2);
    assert!(unseen.stderr.contains("--yes"), "nobody trusts what they have not seen");
    let trusted = sandbox.run(&["mcp", "trust", "s", "--yes"]).exits(0).stdout;
    assert!(trusted.contains("trusted here"), "{trusted}");
    let echo = json!({ "calls": [{ "name": "mcp__s__echo", "arguments": { "text": "hello" } }] });
    let model = Server::saying(&[echo, json!({ "text": "It says hello." })]);
    let url = model.base_url();
    let said =
        sandbox.run(&["chat", "--input", "Say hello.", "--base-url", &url, "--model", "test"]);
    assert!(said.exits(0).stdout.contains("It says hello."));
    let ended = ended(&sandbox);
    assert_eq!((&ended["ok"], &ended["tool"]), (&json!(true), &json!("mcp__s__echo")), "{ended}");
}

#[test]
fn a_prompt_of_a_server_is_listed_and_said_by_its_command() {
    let sandbox = Sandbox::new();
    add(&sandbox, "resources-and-prompts");
    let tested = sandbox.run(&["mcp", "test", "s"]).exits(0).stdout;
    for words in
        ["prompts: 2", "resources: 2", "/mcp__s__review file=… [tone=…]", "test://notes/one"]
    {
        assert!(tested.contains(words), "{words}: {tested}");
    }
    sandbox.run(&["mcp", "trust", "s", "--yes"]).exits(0);
    let model = Server::saying(&[json!({ "text": "It is fine." })]);
    let url = model.base_url();
    let say = |words: &str| {
        sandbox.run(&["chat", "--input", words, "--base-url", &url, "--model", "test"])
    };
    let said = say("/mcp__s__review notes.md kind");
    assert!(said.exits(0).stdout.contains("It is fine."));
    let asked = model.requests().pop().unwrap()["messages"].to_string();
    assert!(asked.contains("Review notes.md, in a kind tone."), "{asked}");
    let missing = say("/mcp__s__review");
    assert!(missing.stderr.contains("MCP_PROMPT_ARGUMENTS"), "{}", missing.stderr);
    assert!(missing.stderr.contains("file=… [tone=…]"), "{}", missing.stderr);
}

fn ended(sandbox: &Sandbox) -> Value {
    let events = sandbox.journal_events();
    let ended = events.into_iter().find(|event| event["event"] == "call_ended");
    ended.expect("a call came to its end")["data"].clone()
}

#[test]
fn a_run_without_a_person_trusts_by_name() {
    let sandbox = Sandbox::new();
    add(&sandbox, "good");
    let echo = json!({ "calls": [{ "name": "mcp__s__echo", "arguments": { "text": "hello" } }] });
    let model = Server::saying(&[echo, json!({ "text": "Done." })]);
    let url = model.base_url();
    let args =
        ["chat", "--input", "Say it.", "--trust-mcp", "s", "--base-url", &url, "--model", "test"];
    sandbox.run(&args).exits(0);
    assert_eq!(ended(&sandbox)["ok"], true);
    let unknown = sandbox.run(&["chat", "--input", "x", "--trust-mcp", "nobody"]);
    assert!(unknown.stderr.contains("MCP_SERVER_UNKNOWN"), "{}", unknown.stderr);
}

#[test]
fn who_has_not_looked_at_a_server_is_told_so() {
    let sandbox = Sandbox::new();
    add(&sandbox, "good");
    let model = Server::saying(&[json!({ "text": "Hello." })]);
    let url = model.base_url();
    let done =
        sandbox.run(&["chat", "--input", "Hi.", "--base-url", &url, "--model", "test"]).exits(0);
    assert!(done.stderr.contains("before you have looked at them: s"), "{}", done.stderr);
}

#[test]
fn a_server_that_does_not_start_is_told_with_its_log() {
    let sandbox = Sandbox::new();
    add(&sandbox, "exits-nonzero-with-words-on-stderr");
    let failed = sandbox.run(&["mcp", "test", "s"]);
    assert!(failed.stderr.contains("E_MCP_NOT_STARTED"), "{}", failed.stderr);
    assert!(failed.stderr.contains("The last of what the server wrote:"), "{}", failed.stderr);
}

#[test]
fn a_value_comes_from_the_environment_and_is_not_shown() {
    let sandbox = Sandbox::new();
    let args = ["mcp", "add", "s", "--env", "TOKEN", "--env", "MODE=fast"];
    let token = [("TOKEN", "tok-4711-private")];
    let added = sandbox.run_before(&args, &[&hostile(), "good"], &token).exits(0);
    assert!(added.stdout.contains("with MODE, TOKEN"), "{}", added.stdout);
    let listed = sandbox.run(&["mcp", "list", "--json"]).exits(0).stdout;
    assert!(!listed.contains("tok-4711"), "{listed}");
    let missing = sandbox.run_before(&["mcp", "add", "t", "--env", "NOBODY_SET_THIS"], &["x"], &[]);
    assert!(missing.stderr.contains("MCP_SERVER_INVALID"), "{}", missing.stderr);
}

#[test]
fn servers_are_switched_changed_imported_and_removed() {
    let sandbox = Sandbox::new();
    assert!(sandbox.run(&["mcp", "list"]).exits(0).stdout.contains("No servers are set up"));
    add(&sandbox, "good");
    let taken = sandbox.run_before(&["mcp", "add", "s"], &["other"], &[]);
    assert!(taken.stderr.contains("MCP_SERVER_INVALID"), "{}", taken.stderr);
    sandbox.run(&["mcp", "add", "s", "--replace", "--url", "https://example.org/mcp"]).exits(0);
    let off = sandbox.run(&["mcp", "disable", "s"]).exits(0).stdout;
    assert!(off.contains("switched off") && off.contains("https://example.org/mcp"), "{off}");
    sandbox.run(&["mcp", "enable", "s"]).exits(0);
    let file = json!({ "mcpServers": { "files": { "command": "node", "args": ["a b.js"] } } });
    let file = sandbox.write("mcp.json", file.to_string());
    let found = sandbox.run(&["mcp", "import", &file]).exits(0).stdout;
    assert!(found.contains("files") && found.contains("node 'a b.js'"), "{found}");
    sandbox.run(&["mcp", "remove", "s"]).exits(0);
    let left = sandbox.run(&["mcp", "list", "--json"]).exits(0).json();
    assert_eq!(left.as_array().unwrap().len(), 1, "{left}");
}

#[test]
fn words_of_a_server_reach_a_terminal_without_signs_that_hide() {
    let sandbox = Sandbox::new();
    add(&sandbox, "forged-words");
    sandbox.run(&["mcp", "trust", "s", "--yes"]).exits(0);
    let echo = json!({ "calls": [{ "name": "mcp__s__echo", "arguments": { "text": "x" } }] });
    let model = Server::saying(&[echo, json!({ "text": "Done." })]);
    let url = model.base_url();
    let done =
        sandbox.run(&["chat", "--input", "Go.", "--base-url", &url, "--model", "test"]).exits(0);
    for hidden in ['\u{1b}', '\u{202e}'] {
        assert!(!done.stdout.contains(hidden) && !done.stderr.contains(hidden), "{}", done.stdout);
    }
}

#[test]
fn a_person_signs_in_at_a_server_with_the_address_that_is_shown_and_signs_out() {
    let sandbox = Sandbox::new();
    let server = OtherServer::signing_in();
    sandbox.run(&["mcp", "add", "s", "--url", server.url()]).exits(0);
    let refused = sandbox.run(&["mcp", "test", "s"]);
    assert!(refused.stderr.contains("E_MCP_SIGN_IN"), "{}", refused.stderr);
    assert!(refused.stderr.contains("crewagent mcp sign-in"), "{}", refused.stderr);
    let mut signing_in = sandbox.start(&["mcp", "sign-in", "s", "--json"]);
    assert_eq!(signing_in.note().trim_end(), "Sign in at localhost in your browser:");
    let page = std::iter::repeat_with(|| signing_in.note()).find(|line| line.contains("http"));
    let done = sign_in_at(page.unwrap().trim_end());
    assert!(done.contains("You can close this page"), "{done}");
    let (shown, code) = signing_in.end();
    assert_eq!((code, &shown[0][0]["signedIn"]), (Some(0), &json!(true)), "{shown:?}");
    let listed = sandbox.run(&["mcp", "list"]).exits(0).stdout;
    assert!(listed.contains("signed in"), "{listed}");
    sandbox.run(&["mcp", "sign-out", "s"]).exits(0);
    let listed = sandbox.run(&["mcp", "list", "--json"]).exits(0).json();
    assert_eq!(listed[0]["signedIn"], false, "{listed}");
    let program = sandbox.run_before(&["mcp", "add", "t"], &[&hostile(), "good"], &[]);
    program.exits(0);
    let nowhere = sandbox.run(&["mcp", "sign-in", "t"]);
    assert!(nowhere.stderr.contains("MCP_SIGN_IN_FAILED"), "{}", nowhere.stderr);
    let listed = sandbox.run(&["mcp", "list", "--json"]).exits(0).json();
    assert_eq!((&listed[1]["name"], listed[1].get("tools")), (&json!("t"), None), "not started");
}
