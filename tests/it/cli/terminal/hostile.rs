//! What others wrote, in packages, files, models and servers, is shown and never acted on.

use super::{AtTerminal, says};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use support::program::{Sandbox, Server, copy, root};

/// Erases, renames the window, rings, turns text round, and hides.
const HOSTILE: &str = "x\u{1b}[2K\u{1b}[1A\u{1b}]0;pwned\u{7}\u{9b}31m\u{8}\r\u{7f}\u{202e}a\u{2066}b\u{200b}c\
                       \u{feff}\u{2028}\u{61c}\u{e0041}y";

/// A file name that is not what it looks like.
const NAME: &str = "a\u{202e}txt.sh";

/// Whether it does something to a terminal or to the text beside it.
fn acts(c: char) -> bool {
    let hides = matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
    (c.is_control() && !matches!(c, '\n' | '\t')) || hides
}

/// A terminal makes `\r\n` of every line's end; no other `\r` may be there.
#[track_caller]
fn is_harmless(all: &str, by: &str) {
    let text = all.replace("\r\n", "\n");
    let bad: Vec<char> = text.chars().filter(|c| acts(*c)).collect();
    assert!(bad.is_empty(), "{by} lets {bad:?} through: {text:?}");
}

/// Runs it at a terminal to its end, without colours of our own; all that came.
#[track_caller]
fn shown(sandbox: &Sandbox, args: &[&str], env: &[(&str, &str)]) -> String {
    let args = [args, &["--no-color"]].concat();
    let (all, _) = AtTerminal::start_with(sandbox, &args, env).ends();
    is_harmless(&all, &args.join(" ").escape_debug().to_string());
    all
}

/// `mini` whose texts are hostile, and break lines on top; its names too, which no import takes.
fn package(sandbox: &Sandbox, names: bool) -> PathBuf {
    let folder = sandbox.path("hostile");
    copy(&root().join("tests/fixtures/packages/mini"), &folder);
    let edit = |name: &str, change: &dyn Fn(&mut Value)| {
        let path = folder.join(name);
        let mut value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        change(&mut value);
        std::fs::write(path, value.to_string()).unwrap();
    };
    edit("agents.json", &|agents| {
        let hostile = if names { HOSTILE } else { "Ann" };
        let said = format!("{hostile}\nIt may do nothing");
        agents["agents"][0]["metadata"] = json!({ "name": said, "title": said, "icon": HOSTILE });
    });
    edit("bmad.json", &|manifest| manifest["description"] = format!("{HOSTILE}\nmore").into());
    if names {
        edit("workflow.graph.json", &|graph| graph["nodes"][0]["title"] = HOSTILE.into());
    }
    folder
}

/// Answers every request with this, until the program under test has ended.
fn answering(status: &'static str, body: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            _ = stream.read(&mut [0; 4096]);
            let length = body.len();
            let head = format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\n");
            _ = write!(stream, "{head}content-length: {length}\r\nconnection: close\r\n\r\n{body}");
        }
    });
    format!("http://{address}/v1")
}

#[test]
fn a_package_cannot_rub_out_a_line_of_its_own_permission_sheet() {
    let sandbox = Sandbox::new();
    let folder = package(&sandbox, true).to_string_lossy().into_owned();
    let sheet = shown(&sandbox, &["package", "inspect", &folder], &[]);
    assert!(sheet.contains('␛') && sheet.contains("⟨U+202E⟩"), "{sheet}");
    assert!(!sheet.contains("\nIt may do nothing"), "a name begins no line: {sheet}");
    shown(&sandbox, &["package", "validate", &folder], &[]);
    let refused = shown(&sandbox, &["package", "import", &folder, "--yes"], &[]);
    assert!(refused.contains("PACKAGE_INVALID"), "{refused}");
    let folder = package(&sandbox, false).to_string_lossy().into_owned();
    let sheet = shown(&sandbox, &["package", "inspect", &folder], &[]);
    assert!(sheet.contains('␛') && !sheet.contains("\nIt may do nothing"), "{sheet}");
    sandbox.run(&["package", "import", &folder, "--yes"]).exits(0);
    for args in [
        &["package", "list"][..],
        &["package", "show", "mini"],
        &["doctor"],
        &["doctor", "--policy"],
        &["run", &folder, "--model", "demo", "--input", "hello", "--max-turns", "1"],
    ] {
        shown(&sandbox, args, &[]);
    }
}

#[test]
fn a_run_shows_what_its_model_wrote_and_acts_on_none_of_it() {
    let sandbox = Sandbox::new();
    let call = |name: &str, arguments: Value| json!({ "name": name, "arguments": arguments });
    let turned = json!({ "path": format!("@project/src/{NAME}"), "content": HOSTILE });
    let path = "@project/src/notes.sh";
    let server = Server::saying(&[
        json!({ "text": HOSTILE, "calls": [
            call(&format!("fs_read{HOSTILE}"), json!({ "path": path })),
            call("fs_read", json!({ "path": HOSTILE })),
            call("fs_write", turned),
        ] }),
        json!({ "calls": [call("fs_write", json!({ "path": path, "content": HOSTILE }))] }),
        says("So."),
    ]);
    sandbox.run(&["settings", "set", "approval.writes", "ask"]).exits(0);
    let package = package(&sandbox, false).to_string_lossy().into_owned();
    let args = ["run", &package, "--input", HOSTILE, "--no-color"];
    let mut person = AtTerminal::with_model(&sandbox, &server, &args);
    person.sees("Allow fs.write to change @project/src/notes.sh?");
    person.sees("(y/folder/n) > ");
    person.presses_ctrl(b'd');
    let (all, code) = person.ends();
    assert_eq!(code, 3, "{all:?}");
    is_harmless(&all, "run");

    let run = sandbox.run_id();
    let conversation = format!("run-{run}");
    sandbox.run(&["conversations", "rename", &conversation, HOSTILE]).exits(0);
    for args in [
        &["runs", "show", &run][..],
        &["runs", "list"],
        &["snapshot", &conversation],
        &["conversations", "list"],
        &["conversations", "show", &conversation],
        &["conversations", "search", "pwned"],
        &["conversations", "export", &conversation, "--format", "md"],
        &["runs", "show", &run, "--approvals"],
        &["runs", "list", "--json"],
        &["conversations", "show", &conversation, "--json"],
    ] {
        let said = shown(&sandbox, args, &[]);
        assert!(!said.is_empty(), "{args:?}");
    }
    let mut person = AtTerminal::start(&sandbox, &["runs", "delete", &run, "--no-color"]);
    person.sees("(y/n) > ");
    person.enters("y");
    let (all, code) = person.ends();
    assert_eq!(code, 0, "{all:?}");
    is_harmless(&all, "runs delete");
}

#[test]
fn a_server_cannot_speak_to_the_terminal() {
    let sandbox = Sandbox::new();
    let models = json!({ "data": [{ "id": HOSTILE }, { "id": "good\nsecond" }] }).to_string();
    let url = answering("200 OK", models);
    let listed = shown(&sandbox, &["model", "list", "--base-url", &url, "--model", "m"], &[]);
    assert!(listed.contains('␛') && !listed.contains("\nsecond"), "{listed}");
    let port = url.trim_end_matches("/v1").rsplit(':').next().unwrap();
    let ports = format!("ollama={port},lmstudio=1,llamacpp=2");
    let found = shown(&sandbox, &["model", "detect"], &[("CREWAGENT_LOCAL_PORTS", &ports)]);
    assert!(found.contains('␛'), "{found}");
    let refusal = json!({ "error": { "message": format!("bad{HOSTILE}") } }).to_string();
    let url = answering("401 Unauthorized", refusal);
    for what in ["list", "test"] {
        let args = ["model", what, "--base-url", &url, "--model", "m"];
        let said = shown(&sandbox, &args, &[]);
        assert!(said.contains("bad"), "{said}");
    }
    let package = package(&sandbox, false).to_string_lossy().into_owned();
    let refusal = json!({ "error": { "message": format!("bad{HOSTILE}") } }).to_string();
    let url = answering("503 Service Unavailable", refusal);
    let args = ["run", &package, "--base-url", &url, "--model", "m", "--verbose"];
    let said = shown(&sandbox, &args, &[("CREWAGENT_LOG", "debug")]);
    assert!(said.contains("bad"), "{said}");
}

#[test]
fn a_folders_name_cannot_speak_to_the_terminal() {
    let sandbox = Sandbox::new();
    let folder = sandbox.path("odd\u{1b}]0;pwned\u{7}\u{202e}\nproject");
    std::fs::create_dir(&folder).unwrap();
    shown(&sandbox, &["projects", "open", &folder.to_string_lossy()], &[]);
    let listed = shown(&sandbox, &["projects", "list"], &[]);
    assert!(listed.contains("odd␛]0;pwned␇⟨U+202E⟩"), "{listed}");
    shown(&sandbox, &["doctor", "--sizes"], &[]);
    shown(&sandbox, &["migrate-electron", &folder.to_string_lossy(), "--dry-run"], &[]);
}
