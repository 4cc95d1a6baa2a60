use super::json::strict;
use super::*;
use crate::mcp::Launch;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Value, json};

/// As Claude Desktop keeps it.
const CLAUDE_DESKTOP: &str = r#"{
  "globalShortcut": "",
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/ada/notes"]
    },
    "github": {
      "command": "docker",
      "args": ["run", "-i", "--rm", "-e", "GITHUB_TOKEN", "ghcr.io/github/github-mcp-server"],
      "env": { "GITHUB_TOKEN": "ghp_secret", "PORT": 8080, "DEBUG": true, "UNSET": null }
    }
  }
}"#;

/// As a project of Claude Code shares it.
const CLAUDE_CODE: &str = r#"{
  "mcpServers": {
    "api": {
      "type": "http",
      "url": "https://mcp.example.com/mcp",
      "headers": { "X-Team": "docs" },
      "timeout": 600000
    },
    "local": {
      "type": "stdio",
      "command": "node",
      "args": ["${CLAUDE_PROJECT_DIR:-.}/server.js", "--verbose"],
      "env": { "HOME": "${HOME}" }
    },
    "private": {
      "type": "http",
      "url": "${API_BASE:-https://secret.example.com}/mcp"
    }
  }
}"#;

/// As Cursor keeps it.
const CURSOR: &str = r#"{
  "mcpServers": {
    "remote": { "url": "https://mcp.example.com/sse", "headers": { "Authorization": "Bearer 1" } },
    "tool": {
      "command": "python3",
      "args": ["${workspaceFolder}/tools/mcp.py"],
      "env": { "API_KEY": "${env:API_KEY}" }
    },
    "from a file": { "command": "python3", "envFile": "${workspaceFolder}/.env" }
  }
}"#;

/// As VS Code keeps it, with comments and trailing commas.
const VS_CODE: &str = r#"{
  // 💡 Inputs are asked for once, and kept.
  "inputs": [
    { "type": "promptString", "id": "key", "description": "Key // of the API", "password": true, },
  ],
  "servers": {
    "perplexity": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "server-perplexity-ask", /* "--debug", */],
      "env": { "PERPLEXITY_API_KEY": "${input:key}", "MODE": "a,]b//c", },
      "gallery": "https://api.mcp.github.com",
      "version": "1.0.0",
      "dev": { "watch": "src/**/*.ts" },
    },
    "fetch": {
      "command": "uvx",
      "args": ["--directory", "${workspaceFolder}", "mcp-server-fetch"],
      "sandboxEnabled": false,
    },
    "asks": { "command": "psql-mcp", "args": ["${input:url}"] },
    "remote": {
      "type": "http",
      "url": "https://api.example.com/mcp/",
      "headers": { "Authorization": "Bearer ${input:key}" },
    }, // the last one
  },
}
"#;

/// As VS Code kept them among its settings.
const VS_CODE_SETTINGS: &str = r#"{
  "editor.fontSize": 14,
  "servers": ["of something else"],
  "mcp": {
    "inputs": [],
    "servers": { "time": { "command": "uvx", "args": ["mcp-server-time"], "env": {} } },
  },
}"#;

/// As Zed keeps them among its settings, in the older way and the newer one.
const ZED: &str = r#"// Zed settings
{
  "theme": "One Dark",
  "context_servers": {
    "older": {
      "source": "custom",
      "command": { "path": "postgres-mcp", "args": ["--read-only"], "env": { "PORT": 5432 } },
      "settings": {},
    },
    "newer": { "source": "custom", "enabled": false, "command": "uvx", "args": ["x"], "env": null },
    "remote": { "url": "https://mcp.example.com/mcp", "headers": {} },
    "extension": { "source": "extension", "enabled": true, "settings": { "key": "secret" } },
  },
}"#;

/// What is read of a file: each server with everything it is, and the reasons of the others.
fn read(text: &str) -> (Vec<Value>, Vec<(String, String)>) {
    let file = read_client_file(text).unwrap_or_else(|why| panic!("{}: {text}", why.english()));
    let servers = file.servers.iter().map(|server| serde_json::to_value(server).unwrap());
    let left_out = file.left_out.into_iter().map(|(name, why)| (name, why.english()));
    (servers.collect(), left_out.collect())
}

#[expect(clippy::needless_pass_by_value, reason = "tables are read more easily without `&`")]
fn program(name: &str, command: &str, args: &[&str], env: Value) -> Value {
    let launch = json!({ "kind": "command", "command": command, "args": args, "env": env });
    json!({ "name": name, "launch": launch, "enabled": true })
}

#[expect(clippy::needless_pass_by_value, reason = "tables are read more easily without `&`")]
fn address(name: &str, url: &str, headers: Value) -> Value {
    let launch = json!({ "kind": "url", "url": url, "headers": headers });
    json!({ "name": name, "launch": launch, "enabled": true })
}

/// What is read of one entry: its launch as JSON and whether it is enabled, or why it is left out.
fn one(entry: &str) -> Result<(Value, bool), String> {
    let file = read_client_file(&format!(r#"{{"mcpServers": {{"a": {entry}}}}}"#));
    let ClientFile { servers, left_out } = file.unwrap_or_else(|why| panic!("{}", why.english()));
    assert_eq!(servers.len() + left_out.len(), 1, "{entry}");
    match servers.first() {
        Some(server) => Ok((serde_json::to_value(&server.launch).unwrap(), server.enabled)),
        None => Err(left_out[0].1.english()),
    }
}

fn refused(text: &str) -> String {
    match read_client_file(text) {
        Ok(file) => panic!("{file:?} was read of {text}"),
        Err(why) => why.english(),
    }
}

#[test]
fn the_file_of_claude_desktop_is_read() {
    let (servers, left_out) = read(CLAUDE_DESKTOP);
    let files = ["-y", "@modelcontextprotocol/server-filesystem", "/home/ada/notes"];
    let github = ["run", "-i", "--rm", "-e", "GITHUB_TOKEN", "ghcr.io/github/github-mcp-server"];
    let env = json!({ "DEBUG": "true", "GITHUB_TOKEN": "ghp_secret", "PORT": "8080" });
    assert_eq!(
        servers,
        [
            program("filesystem", "npx", &files, json!({})),
            program("github", "docker", &github, env),
        ]
    );
    assert_eq!(left_out, []);
}

#[test]
fn the_file_of_a_project_of_claude_code_is_read() {
    let (servers, left_out) = read(CLAUDE_CODE);
    assert_eq!(
        servers,
        [
            address("api", "https://mcp.example.com/mcp", json!({ "X-Team": "docs" })),
            program("local", "node", &["@project/server.js", "--verbose"], json!({})),
        ]
    );
    let [(name, why)] = &left_out[..] else { panic!("{left_out:?}") };
    assert_eq!(name, "private");
    assert!(why.contains("`${API_BASE}`"), "{why}");
    assert!(!why.contains("secret"), "what a placeholder falls back to may be a key: {why}");
}

#[test]
fn the_file_of_cursor_is_read() {
    let (servers, left_out) = read(CURSOR);
    let headers = json!({ "Authorization": "Bearer 1" });
    assert_eq!(
        servers,
        [
            address("remote", "https://mcp.example.com/sse", headers),
            program("tool", "python3", &["@project/tools/mcp.py"], json!({})),
        ]
    );
    let [(name, why)] = &left_out[..] else { panic!("{left_out:?}") };
    assert_eq!(name, "from a file");
    assert!(why.contains("`envFile`"), "{why}");
}

#[test]
fn the_file_of_vs_code_is_read_with_its_comments_and_commas() {
    let (servers, left_out) = read(VS_CODE);
    let fetch = ["--directory", "@project", "mcp-server-fetch"];
    assert_eq!(
        servers,
        [
            program(
                "perplexity",
                "npx",
                &["-y", "server-perplexity-ask"],
                json!({ "MODE": "a,]b//c" })
            ),
            program("fetch", "uvx", &fetch, json!({})),
            address("remote", "https://api.example.com/mcp/", json!({})),
        ]
    );
    let [(name, why)] = &left_out[..] else { panic!("{left_out:?}") };
    assert_eq!(name, "asks");
    assert!(why.contains("`${input:url}`"), "{why}");
}

#[test]
fn the_settings_of_vs_code_are_read() {
    let (servers, left_out) = read(VS_CODE_SETTINGS);
    assert_eq!(servers, [program("time", "uvx", &["mcp-server-time"], json!({}))]);
    assert_eq!(left_out, []);
}

#[test]
fn the_settings_of_zed_are_read() {
    let (servers, left_out) = read(ZED);
    let mut newer = program("newer", "uvx", &["x"], json!({}));
    newer["enabled"] = json!(false);
    assert_eq!(
        servers,
        [
            program("older", "postgres-mcp", &["--read-only"], json!({ "PORT": "5432" })),
            newer,
            address("remote", "https://mcp.example.com/mcp", json!({})),
        ]
    );
    let neither = said::no_command_or_address().english();
    assert_eq!(left_out, [("extension".to_owned(), neither)]);
}

#[rstest]
#[case::a_list("[]")]
#[case::a_list_in_the_order_of_the_members(r#"[{"a": {"command": "x"}}]"#)]
#[case::a_text(r#""mcpServers""#)]
#[case::nothing("")]
#[case::only_a_mark_of_bytes("\u{feff}")]
#[case::words("mcpServers:\n  a: b\n")]
#[case::none_of_the_members(r#"{"theme": "dark"}"#)]
#[case::our_own_list(r#"{"servers": [{"name": "a"}]}"#)]
#[case::no_value(r#"{"mcpServers": null}"#)]
#[case::a_list_of_names(r#"{"mcpServers": ["a"], "mcp": [{"a": {}}], "context_servers": 1}"#)]
#[case::other_settings_of_vs_code(r#"{"mcp": {"inputs": []}}"#)]
fn a_file_without_a_list_of_servers_is_refused(#[case] text: &str) {
    assert_eq!(refused(text), said::no_servers_in_file().english());
}

#[rstest]
#[case::cut(r#"{"mcpServers": {"a": {"command": "x""#)]
#[case::more_behind_it(r#"{"mcpServers": {}} {}"#)]
#[case::a_list_twice(r#"{"mcpServers": {}, "mcpServers": {"a": {"command": "x"}}}"#)]
#[case::a_comment_without_an_end("{\"mcpServers\": {}} /* and so on")]
#[case::a_comment_without_an_end_in_it("{\"mcpServers\": /* {} }")]
#[case::a_raw_control_character("{\"mcpServers\": {\"a\0\": {}}}")]
#[case::two_commas(r#"{"mcpServers": {"a": {"command": "x"},,}}"#)]
#[case::only_a_comma(r#"{"mcpServers": {,}}"#)]
#[case::half_a_character_in_a_name(r#"{"mcpServers": {"\ud800": {}}}"#)]
fn a_file_that_is_no_json_is_refused_with_what_is_expected(#[case] text: &str) {
    let why = refused(text);
    assert!(why.contains("no JSON") && why.contains("`mcpServers`"), "{why}");
}

#[test]
fn an_empty_list_is_a_list() {
    for text in [r#"{"mcpServers": {}}"#, "\u{feff} {\"servers\": { }, \"inputs\": []}"] {
        assert_eq!(read(text), (vec![], vec![]));
    }
}

#[test]
fn all_lists_of_a_file_are_read() {
    let text = r#"{"servers": {"b": {"command": "b"}}, "mcpServers": {"a": {"command": "a"}}}"#;
    let servers = [program("a", "a", &[], json!({})), program("b", "b", &[], json!({}))];
    assert_eq!(read(text), (servers.to_vec(), vec![]));
}

#[rstest]
#[case(r#"{"command": "x", "disabled": true}"#, false)]
#[case(r#"{"command": "x", "enabled": false}"#, false)]
#[case(r#"{"command": "x", "disabled": false, "enabled": true}"#, true)]
#[case(r#"{"command": "x", "disabled": true, "enabled": true}"#, false)]
#[case(r#"{"command": "x", "disabled": null}"#, true)]
#[case(r#"{"url": "https://a.example", "disabled": true}"#, false)]
fn a_server_that_is_off_there_is_off_here(#[case] entry: &str, #[case] enabled: bool) {
    assert_eq!(one(entry).unwrap().1, enabled);
}

#[rstest]
#[case(r#"{"type": "stdio", "command": "x"}"#, true)]
#[case(r#"{"type": "local", "command": "x"}"#, true)]
#[case(r#"{"transport": "stdio", "command": "x", "url": "https://a.example"}"#, true)]
#[case(r#"{"type": "http", "command": "x", "url": "https://a.example"}"#, false)]
#[case(r#"{"type": "streamable-http", "url": "https://a.example"}"#, false)]
#[case(r#"{"type": "streamableHttp", "url": "https://a.example"}"#, false)]
#[case(r#"{"transport": "sse", "url": "https://a.example"}"#, false)]
#[case(r#"{"transportType": "SSE", "serverUrl": "https://a.example"}"#, false)]
#[case(r#"{"type": "http", "transport": "x", "httpUrl": "https://a.example"}"#, false)]
#[case(r#"{"httpUrl": "https://a.example", "url": "https://b.example"}"#, false)]
fn the_type_says_how_a_server_is_reached(#[case] entry: &str, #[case] is_program: bool) {
    let (launch, _) = one(entry).unwrap();
    let expected = if is_program {
        json!({ "kind": "command", "command": "x", "args": [], "env": {} })
    } else {
        json!({ "kind": "url", "url": "https://a.example", "headers": {} })
    };
    assert_eq!(launch, expected);
}

#[rstest]
#[case("${workspaceFolder}", "@project")]
#[case("${workspaceRoot}/a", "@project/a")]
#[case("${CLAUDE_PROJECT_DIR}/a b/c", "@project/a b/c")]
#[case("${CLAUDE_PROJECT_DIR:-.}", "@project")]
#[case(r"${workspaceFolder}\\a\\b", r"@project/a\b")]
#[case("${workspaceFolder", "${workspaceFolder")]
#[case("$HOME {a} $ {", "$HOME {a} $ {")]
#[case("@projects/a", "@projects/a")]
fn a_command_and_an_argument_begin_with_the_project_folder(
    #[case] written: &str,
    #[case] here: &str,
) {
    let entry = format!(r#"{{"command": "{written}", "args": ["{written}"]}}"#);
    let (launch, _) = one(&entry).unwrap();
    assert_eq!((&launch["command"], &launch["args"]), (&json!(here), &json!([here])));
}

#[test]
fn arguments_and_values_are_taken_as_their_text() {
    let entry = r#"{"command": " x ", "args": ["", -1, 1.50, 1e3, true, 12345678901234567890123],
        "env": {"A": 0, "B": false, "C": "", "C": "the last", "D": null}}"#;
    let (launch, _) = one(entry).unwrap();
    assert_eq!(launch["command"], "x");
    let args = json!(["", "-1", "1.50", "1e3", "true", "12345678901234567890123"]);
    assert_eq!(launch["args"], args);
    assert_eq!(launch["env"], json!({ "A": "0", "B": "false", "C": "the last" }));
}

#[rstest]
#[case::of_its_own_name(r#"{"A": "${A}"}"#, json!({}))]
#[case::of_its_own_name_as_vs_code_writes_it(r#"{"A": "${env:A}", "B": "b"}"#, json!({ "B": "b" }))]
#[case::asked_for(r#"{"A": "x-${input:a}-${OTHER}", "B": 1}"#, json!({ "B": "1" }))]
#[case::no_placeholder(r#"{"A": "$A %A% ${A"}"#, json!({ "A": "$A %A% ${A" }))]
fn values_that_need_not_be_known_are_left_out(#[case] env: &str, #[case] kept: Value) {
    let (launch, _) = one(&format!(r#"{{"command": "x", "env": {env}}}"#)).unwrap();
    assert_eq!(launch["env"], kept);
}

#[rstest]
#[case(r#"{"command": "x", "env": {"A": "${B}"}}"#, "${B}")]
#[case(r#"{"command": "x", "env": {"A": "${env:B}"}}"#, "${env:B}")]
#[case(r#"{"command": "x", "env": {"A": "${A:-sk-secret}"}}"#, "${A}")]
#[case(r#"{"command": "x", "env": {"A": " ${A}"}}"#, "${A}")]
#[case(r#"{"command": "x", "env": {"A": "${workspaceFolder}/a"}}"#, "${workspaceFolder}")]
#[case(r#"{"url": "https://a.example", "headers": {"A": "Bearer ${A}"}}"#, "${A}")]
#[case(r#"{"url": "https://a.example", "headers": {"A": "${A}"}}"#, "${A}")]
#[case(r#"{"url": "https://a.example/${env:PATH}"}"#, "${env:PATH}")]
#[case(r#"{"command": "${userHome}/bin/x"}"#, "${userHome}")]
#[case(r#"{"command": "x", "args": ["--in=${workspaceFolder}"]}"#, "${workspaceFolder}")]
#[case(r#"{"command": "x", "args": ["${workspaceFolder}s"]}"#, "${workspaceFolder}")]
#[case(r#"{"command": "x", "args": ["${workspaceFolder}/${env:A}"]}"#, "${env:A}")]
#[case(r#"{"command": "x", "args": ["${userHome}/a"]}"#, "${userHome}")]
#[case(r#"{"command": "x", "args": ["${A:-${B}}"]}"#, "${A}")]
#[case(r#"{"command": {"path": "x", "args": ["${A}"]}}"#, "${A}")]
fn a_server_that_needs_what_only_the_other_program_knows_is_left_out(
    #[case] entry: &str,
    #[case] placeholder: &str,
) {
    let expected = said::unresolved_placeholder(placeholder).english();
    assert_eq!(one(entry).unwrap_err(), expected);
}

#[rstest]
#[case(r#"{"command": "${input:a}"}"#)]
#[case(r#"{"command": "x", "args": ["-k", "${input:a}"]}"#)]
#[case(r#"{"type": "http", "url": "https://${input:a}/mcp"}"#)]
fn a_server_that_cannot_be_started_without_asking_is_left_out(#[case] entry: &str) {
    assert_eq!(one(entry).unwrap_err(), said::placeholder_asks("${input:a}").english());
}

#[rstest]
#[case(r#"{"command": "x", "cwd": "/srv"}"#, "cwd")]
#[case(r#"{"command": "x", "envFile": ".env"}"#, "envFile")]
#[case(r#"{"command": "x", "sandbox": {}}"#, "sandbox")]
#[case(r#"{"command": "x", "sandboxEnabled": true}"#, "sandboxEnabled")]
#[case(r#"{"command": "x", "inheritEnv": false}"#, "inheritEnv")]
#[case(r#"{"command": {"path": "x", "cwd": "/srv"}}"#, "cwd")]
#[case(r#"{"url": "https://a.example", "oauth": {"clientId": "a"}}"#, "oauth")]
#[case(r#"{"url": "https://a.example", "headersHelper": "get-token"}"#, "headersHelper")]
fn a_server_with_a_member_that_is_not_known_here_is_left_out(
    #[case] entry: &str,
    #[case] member: &str,
) {
    assert_eq!(one(entry).unwrap_err(), said::unknown_entry_member(member).english());
}

#[test]
fn members_that_change_nothing_are_passed_over() {
    let entry = r#"{"command": "x", "description": "d", "gallery": true, "version": "1",
        "autoApprove": ["a"], "alwaysAllow": [], "disabledTools": ["b"], "timeout": 60,
        "tools": ["*"], "_comment": "c", "$schema": "s", "//": "n", "cwd": null, "envFile": "",
        "sandbox": false, "remote": false, "headers": {"A": "${B}"}}"#;
    assert!(one(entry).is_ok());
}

#[rstest]
#[case(r#"{"command": ["npx", "x"]}"#, "command")]
#[case(r#"{"command": {"path": ["sk-secret"]}}"#, "command")]
#[case(r#"{"command": {"path": "a", "path": "b"}}"#, "command")]
#[case(r#"{"command": "x", "args": "sk-secret"}"#, "args")]
#[case(r#"{"command": "x", "args": ["a", null]}"#, "args")]
#[case(r#"{"command": "x", "args": [["sk-secret"]]}"#, "args")]
#[case(r#"{"command": "x", "env": ["sk-secret"]}"#, "env")]
#[case(r#"{"command": "x", "env": {"A": {"b": "sk-secret"}}}"#, "env.A")]
#[case(r#"{"command": "x", "env": {"A": "\ud800 sk-secret"}}"#, "env.A")]
#[case(r#"{"url": "https://a.example", "headers": "sk-secret"}"#, "headers")]
#[case(r#"{"url": "https://a.example", "headers": {"A": []}}"#, "headers.A")]
#[case(r#"{"serverUrl": 1}"#, "serverUrl")]
#[case(r#"{"command": "x", "type": {"sk-secret": 1}}"#, "type")]
#[case(r#"{"command": "x", "transport": ["stdio"]}"#, "transport")]
#[case(r#"{"command": "x", "disabled": "sk-secret"}"#, "disabled")]
#[case(r#"{"command": "x", "enabled": 1}"#, "enabled")]
fn a_value_that_does_not_fit_is_named_and_never_quoted(#[case] entry: &str, #[case] member: &str) {
    assert_eq!(one(entry).unwrap_err(), said::unfit_entry_member(member).english());
}

#[rstest]
#[case::no_object(r#""npx x""#, said::client_entry_unreadable())]
#[case::a_list(r#"["npx", "x"]"#, said::client_entry_unreadable())]
#[case::null("null", said::client_entry_unreadable())]
#[case::twice(r#"{"command": "a", "command": "b"}"#, said::client_entry_unreadable())]
#[case::empty("{}", said::no_command_or_address())]
#[case::no_values(r#"{"command": null, "url": null}"#, said::no_command_or_address())]
#[case::both(r#"{"command": "x", "url": "https://a.example"}"#, said::command_and_address())]
#[case::no_command(
    r#"{"type": "stdio", "url": "https://a.example"}"#,
    general::argument_missing("command")
)]
#[case::no_path(r#"{"command": {"args": []}}"#, general::argument_missing("command"))]
#[case::no_address(r#"{"type": "http", "command": "x"}"#, general::argument_missing("url"))]
#[case::unknown_type(r#"{"type": "ws", "url": "wss://a.example"}"#, said::unknown_transport("ws"))]
#[case::project(r#"{"command": "npx", "args": ["@project/server"]}"#, said::begins_with_project())]
#[case::only_project(r#"{"command": "npx", "args": ["@project"]}"#, said::begins_with_project())]
#[case::project_as_a_command(r#"{"command": " @project/x"}"#, said::begins_with_project())]
#[case::blank_command(r#"{"command": " "}"#, said::unfit_command())]
#[case::nul(r#"{"command": "a\u0000b"}"#, said::unfit_command())]
#[case::nul_in_an_argument(r#"{"command": "a", "args": ["\u0000"]}"#, said::unfit_arguments(200))]
#[case::other_scheme(r#"{"url": "file:///etc/passwd"}"#, said::unfit_address())]
#[case::nul_in_a_value(r#"{"command": "a", "env": {"A": "\u0000"}}"#, said::unfit_value("A"))]
#[case::no_name_of_a_variable(
    r#"{"command": "a", "env": {"A=\u001b": ""}}"#,
    said::unfit_value("A=␛")
)]
fn every_entry_that_is_left_out_has_its_reason(#[case] entry: &str, #[case] why: Phrase) {
    assert_eq!(one(entry).unwrap_err(), why.english());
}

#[test]
fn two_names_that_are_the_same_are_one_server() {
    let text = r#"{"mcpServers": {"a": {"command": "1"}, " a ": {"command": "2"},
        "a": {"command": "3"}, "A": {"command": "4"}}}"#;
    let (servers, left_out) = read(text);
    let first = [program("a", "1", &[], json!({})), program("A", "4", &[], json!({}))];
    assert_eq!(servers, first);
    let twice = general::name_twice("a").english();
    assert_eq!(left_out, [(" a ".to_owned(), twice.clone()), ("a".to_owned(), twice)]);
}

#[test]
fn foreign_words_are_shown_cut_and_with_nothing_hidden() {
    let long = "n".repeat(100_000);
    let text = json!({ "mcpServers": {
        "": { "command": "x" },
        "a\n\u{1b}[31m\u{202e}\0": { "command": "x" },
        long.clone(): { "command": "x" },
        "type": { "type": format!("\u{202e}{long}") },
        "member": { "command": "x", format!("\n{long}"): 1 },
        "placeholder": { "command": format!("${{\u{7}{long}}}") },
        "variable": { "command": "x", "env": { format!("=\u{202e}{long}"): "" } },
    } });
    let file = read_client_file(&text.to_string()).unwrap();
    assert_eq!(file.servers, []);
    assert_eq!(file.left_out.len(), 7);
    for (name, why) in &file.left_out {
        let why = why.english();
        assert!(name.len() < 100 && why.len() < 400, "{name}: {why}");
        for text in [name, &why] {
            assert!(!crate::visible::hides(text) && !text.contains('\n'), "{text:?}");
        }
    }
    assert_eq!(file.left_out[1].0, "a␊␛[31m⟨U+202E⟩␀");
}

#[test]
fn a_file_is_read_up_to_its_length() {
    let most = usize::try_from(SETTINGS_BYTES).unwrap();
    let servers = r#"{"mcpServers": {}}"#;
    let padded = |bytes: usize| " ".repeat(bytes - servers.len()) + servers;
    assert_eq!(read(&padded(most)), (vec![], vec![]));
    assert_eq!(refused(&padded(most + 1)), said::client_file_too_long("1 MiB").english());
}

#[test]
fn of_many_entries_the_first_are_read_and_the_rest_is_one_row() {
    let file = |count: usize| {
        let entries: Vec<String> =
            (0..count).map(|at| format!(r#""s{at}":{{"command":"x"}}"#)).collect();
        read(&format!(r#"{{"mcpServers":{{{}}}}}"#, entries.join(",")))
    };
    let (servers, left_out) = file(MCP_SERVERS);
    assert_eq!((servers.len(), left_out), (MCP_SERVERS, vec![]));
    let (servers, left_out) = file(10_000);
    assert_eq!(servers.len(), MCP_SERVERS);
    assert_eq!(servers.last().unwrap()["name"], "s99");
    let rest = said::more_in_client_file(10_000 - MCP_SERVERS, MCP_SERVERS).english();
    assert_eq!(left_out, [("…".to_owned(), rest)]);
}

#[test]
fn deep_nesting_is_passed_over_or_refused() {
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let beside = format!(r#"{{"other": {deep}, "mcpServers": {{"a": {{"command": "x"}}}}}}"#);
    assert_eq!(read(&beside), (vec![program("a", "x", &[], json!({}))], vec![]));
    let reasons = [
        (deep.clone(), said::client_entry_unreadable()),
        (format!(r#"{{"command": {deep}}}"#), said::unfit_entry_member("command")),
        (format!(r#"{{"command": "x", "args": [{deep}]}}"#), said::unfit_entry_member("args")),
        (format!(r#"{{"command": "x", "z": {deep}}}"#), said::client_entry_unreadable()),
    ];
    for (entry, why) in reasons {
        assert_eq!(one(&entry).unwrap_err(), why.english());
    }
    assert!(refused(&"{\"mcp\":".repeat(100_000)).contains("no JSON"));
}

/// Each would take minutes where the time grows with the square of the length.
#[rstest]
#[case::placeholders_without_an_end("${")]
#[case::placeholders("${a}")]
#[case::backslashes("\\\\")]
#[case::comments("/*")]
fn a_long_text_takes_little_time(#[case] piece: &str) {
    let long = piece.repeat(1_000_000 / piece.len());
    for entry in [
        format!(r#"{{"command": "{long}"}}"#),
        format!(r#"{{"command": "x", "args": ["{long}"]}}"#),
        format!(r#"{{"command": "x", "env": {{"{long}": "{long}"}}}}"#),
    ] {
        let text = format!(r#"{{"mcpServers": {{"a": {entry}}}}}"#);
        if text.len() as u64 <= SETTINGS_BYTES {
            assert_eq!(read(&text).0, [] as [Value; 0]);
        }
    }
}

#[rstest]
#[case::open_comments("/*")]
#[case::empty_comments("/**/")]
#[case::slashes("/")]
#[case::lines("//\n")]
#[case::commas(",")]
#[case::commas_that_trail("1,]")]
#[case::comments_behind_a_comma(",/**/")]
#[case::quotes("\"")]
#[case::pairs("\"a\":0,")]
fn a_long_file_takes_little_time(#[case] piece: &str) {
    let long = piece.repeat(1_000_000 / piece.len());
    for text in [long.clone(), format!("{{{long}"), format!(r#"{{"mcpServers": {{{long}}}}}"#)] {
        _ = read_client_file(&text);
    }
}

#[rstest]
#[case(r#"{"a": 1}"#, r#"{"a": 1}"#)]
#[case("[1, 2,]", "[1, 2 ]")]
#[case("{\"a\": [1 , \n ] , }", "{\"a\": [1   \n ]   }")]
#[case("[1,/* c */]", "[1        ]")]
#[case("[1, // c\n]", "[1      \n]")]
#[case("[1] // c", "[1]     ")]
#[case("[1] // c\r\n ", "[1]     \r\n ")]
#[case("/* é\n */[]", "     \n   []")]
#[case("/***/[]", "     []")]
#[case("/*/ */[]", "      []")]
#[case("[1/**/,/**/2,/**//**/]", "[1    ,    2         ]")]
#[case("[[1,],]", "[[1 ] ]")]
#[case::in_a_text(
    r#"["// a", "/* b */", "c,]", "\",]//", "\\",]"#,
    r#"["// a", "/* b */", "c,]", "\",]//", "\\" ]"#
)]
#[case::no_comma_that_trails("[,] {,} [1,,]", "[,] {,} [1,,]")]
#[case::no_value_before_it("{\"a\":,}", "{\"a\":,}")]
#[case::no_end("[1] /* c", "[1] /* c")]
#[case::half_an_end("[1] /* c *", "[1] /* c *")]
#[case::no_end_of_a_text(r#"["// \"#, r#"["// \"#)]
#[case::one_slash("[1 / 2]", "[1 / 2]")]
fn only_comments_and_trailing_commas_are_taken_out(#[case] text: &str, #[case] json: &str) {
    assert_eq!(strict(text), json);
}

/// Pieces of such files, in any order.
const PIECES: &str = "(\\{|\\}|\\[|\\]|,|:|\"|\\\\|//|/\\*|\\*/|\n|\0|\u{feff}|é| |null|true|-1e9|\
    \"mcpServers\":|\"servers\":|\"mcp\":|\"context_servers\":|\"a\":|\"command\":|\"args\":|\"env\":|\
    \"url\":|\"x\"|\"https://a.example\"|\"\\$\\{input:a\\}\"|\"\\$\\{A\\}\"|\\$\\{){0,40}";

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in prop_oneof![".{0,200}", PIECES]) {
        _ = read_client_file(&text);
        prop_assert_eq!(strict(&text).len(), text.len());
    }

    #[test]
    fn any_entry_is_a_server_or_has_a_reason(
        entry in PIECES.prop_map(|text| format!(r#"{{"mcpServers": {{"a": {{{text}}}}}}}"#)),
        name in "\\PC{0,80}|[a\0\n\u{202e} ]{0,9}",
        values in prop::collection::btree_map("\\PC{0,9}", ".{0,40}", 0..4),
    ) {
        _ = read_client_file(&entry);
        let launch = json!({ "command": "x", "args": values.values().collect::<Vec<_>>(), "env": values });
        let text = json!({ "mcpServers": { name: launch } }).to_string();
        let file = read_client_file(&text).unwrap();
        prop_assert_eq!(file.servers.len() + file.left_out.len(), 1);
        for server in file.servers {
            let again: Launch = server.launch.clone().checked().unwrap();
            prop_assert_eq!(again, server.launch);
        }
        for (name, why) in file.left_out {
            prop_assert!(!crate::visible::hides(&name) && !name.contains('\n'));
            prop_assert!(!crate::visible::hides(&why.english()));
        }
    }

    #[test]
    fn strict_json_stays_as_it_is(texts in prop::collection::vec(".{0,20}|[\"\\\\/*,\\]]{0,9}", 0..5)) {
        for json in [json!(texts).to_string(), serde_json::to_string_pretty(&json!({ "a": texts })).unwrap()] {
            prop_assert_eq!(strict(&json), json);
        }
    }
}
