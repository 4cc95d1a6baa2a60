//! Stop is answered whatever the program is at work on: long work ends when it is told to, and what
//! cannot be told to ends by itself.

use rstest::rstest;
use serde_json::{Value, json};
use std::fs::File;
use std::io::Write as _;
use std::time::{Duration, Instant};

use super::hostile_servers::{Flood, Then, call, delta, finish};
use support::corpus::Parts;
use support::program::{Running, Sandbox};

/// Five seconds are what a person may wait; this program was not optimised, and others are at work
/// beside it.
const AT_MOST: Duration = Duration::from_secs(30);

fn started(sandbox: &Sandbox, package: &str, server: &Flood) -> Running {
    let base_url = server.base_url();
    sandbox.start(&["run", package, "--base-url", &base_url, "--model", "m", "--json"])
}

/// Stops it, and sees the run at rest.
fn rests(sandbox: &Sandbox, running: Running, what: &str) {
    let began = Instant::now();
    running.signal("INT");
    let (lines, code) = running.end();
    assert!(began.elapsed() < AT_MOST, "{what}: {:?}", began.elapsed());
    let last = lines.last().unwrap_or_else(|| panic!("{what}: nothing was said"));
    assert_eq!((code, &last["data"]["reason"]), (Some(130), &json!("stopped")), "{what}: {last}");
    let shown = sandbox.run(&["runs", "show", &sandbox.run_id(), "--json"]).exits(0).json();
    assert_eq!(shown["run"]["phase"], "waiting-user", "{what}");
}

/// A file that takes no room and has no end to speak of.
fn endless(sandbox: &Sandbox, name: &str) {
    let mut file = File::create(sandbox.path(name)).unwrap();
    // It begins as a text does.
    file.write_all("A line.\n".repeat(10_000).as_bytes()).unwrap();
    file.set_len(1 << 40).unwrap();
}

/// Many names of one file of `line`s.
fn wall(sandbox: &Sandbox, line: &str) {
    sandbox.write("project/0.txt", line.repeat((8 << 20) / line.len()));
    for n in 1..400 {
        let name = |n: usize| sandbox.path(&format!("project/{n}.txt"));
        std::fs::hard_link(name(0), name(n)).unwrap();
    }
}

/// Work of the tools that would last for hours.
fn hours(sandbox: &Sandbox, what: &str) -> (&'static str, Value) {
    match what {
        "a read" | "a deletion" | "a move" | "a write" => endless(sandbox, "project/a.bin"),
        "a verification" => endless(sandbox, "project/b.bin"),
        "a search" => wall(sandbox, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\n"),
        other => unreachable!("{other}"),
    }
    let path = "@project/a.bin";
    match what {
        "a read" => ("fs_read", json!({ "path": path })),
        "a deletion" => ("fs_delete", json!({ "path": path })),
        "a move" => ("fs_move", json!({ "from": path, "to": "@project/c.bin" })),
        "a write" => ("fs_write", json!({ "path": path, "content": "short" })),
        "a verification" => ("fs_glob", json!({ "pattern": "*.bin", "expect_min_matches": 1 })),
        _ => {
            let search = json!({ "path": "@project", "pattern": "(a|aa|a+)*b$", "regex": true });
            ("fs_search", search)
        }
    }
}

#[rstest]
#[case("a read")]
#[case("a deletion")]
#[case("a move")]
#[case("a write")]
#[case("a verification")]
#[case("a search")]
fn a_call_that_would_take_hours_ends_when_the_user_presses_stop(#[case] what: &'static str) {
    let sandbox = Sandbox::new();
    let (tool, args) = hours(&sandbox, what);
    let args = args.to_string();
    let server = Flood::of(move |n| match n {
        0 => (vec![call(0, "c0", tool, &args), finish()], Then::Done),
        _ => (Vec::new(), Then::Nothing),
    });
    let mut running = started(&sandbox, "hello-linear", &server);
    while running.line().expect("it ended early")["event"] != "model_replied" {}
    rests(&sandbox, running, what);
    assert!(server.asked.try_iter().eq([0]), "{what}: it was at work until then");
}

#[rstest]
#[case("silence", Then::Nothing)]
#[case("comments", Then::Again(": at work\n\n"))]
#[case("text", Then::Again("data: {\"choices\":[{\"delta\":{\"content\":\"\"}}]}\n\n"))]
#[case("a line without end", Then::Again("data: "))]
fn an_answer_without_end_is_left_when_the_user_presses_stop(
    #[case] what: &str,
    #[case] then: Then,
) {
    let sandbox = Sandbox::new();
    let then = std::sync::Mutex::new(Some(then));
    let server = Flood::of(move |_| {
        let then = then.lock().unwrap().take().unwrap_or(Then::Nothing);
        (vec![delta(&json!({ "content": "Well" }))], then)
    });
    let running = started(&sandbox, "hello-linear", &server);
    assert_eq!(server.asked.recv_timeout(Duration::from_mins(1)), Ok(0));
    rests(&sandbox, running, what);
}

/// Work that nobody can stop in the middle, as much of it as the bounds allow.
fn bounded(sandbox: &Sandbox, what: &str) -> Vec<(&'static str, Value)> {
    let lines: String =
        (0..20_000).map(|n| ["line ", &(n % 7).to_string(), "\n"].concat()).collect();
    let patch =
        |path: &str, patch: Value| ("fs_apply_patch", json!({ "path": path, "patch": patch }));
    let context: String = lines.lines().map(|line| [" ", line, "\n"].concat()).collect();
    let diff = format!("@@ -1,20001 +1,20001 @@\n{context}-not there\n+there\n");
    let unified = json!({ "operation": "unified", "diff": diff });
    match what {
        "a patch that fits nowhere" => {
            sandbox.write("project/notes.md", &lines);
            vec![patch("@project/notes.md", unified)]
        }
        "a patch of the state document" => vec![patch("@state/workflow.md", unified)],
        "a patch that grows" => {
            sandbox.write("project/notes.md", "ab".repeat(30_000));
            let new = "b".repeat(100_000);
            let grow = json!({ "operation": "replace", "old": "a", "new": new, "all": true });
            vec![patch("@project/notes.md", grow.clone()), patch("@state/workflow.md", grow)]
        }
        "a difference of all lines" => {
            sandbox.write("project/notes.md", "a\n".repeat(250_000));
            let content = "b\n".repeat(250_000);
            let write = json!({ "path": "@project/notes.md", "content": content, "dryRun": true });
            vec![("fs_write", write)]
        }
        "aliases of aliases" => {
            let list = format!("b: &b [{}1]\n", "1,".repeat(4000));
            let more = format!("m: [{}*b]\n", "*b,".repeat(4000));
            sandbox.write("project/notes.md", format!("---\n{list}{more}---\n"));
            let set = json!({ "operation": "updateFrontmatter", "set": { "x": 1 } });
            vec![patch("@project/notes.md", set)]
        }
        "ignore files of many rules" => {
            let rules: String =
                (0..5000).map(|n| ["*{a,b}*", &n.to_string(), "*\n"].concat()).collect();
            for n in 0..20 {
                std::fs::create_dir(sandbox.path(&format!("project/{n}"))).unwrap();
                sandbox.write(&format!("project/{n}/.ignore"), &rules);
                sandbox.write(&format!("project/{n}/a.md"), "x\n");
            }
            vec![("fs_search", json!({ "path": "@project", "pattern": "x" }))]
        }
        "globs" => {
            let glob = "{a,b,c}*".repeat(20) + &"[a-z]*".repeat(100);
            sandbox.write("project/notes.md", &lines);
            let globs = vec![glob.clone(); 100];
            let search = json!({ "path": "@project", "pattern": "x", "globs": globs });
            vec![("fs_search", search), ("fs_glob", json!({ "pattern": glob }))]
        }
        "patterns of a form" => {
            let field = |n: usize| {
                json!({ "name": format!("f{n}"), "label": "x", "type": "string",
                    "pattern": "(a{1,90}){1,90}".repeat(3) })
            };
            let fields: Vec<Value> = (0..20).map(field).collect();
            let form = json!({ "widgetId": "f", "type": "form", "message": "?", "fields": fields });
            vec![("ui_ask_user", form), ("fs_list", json!({ "path": "@project" }))]
        }
        "arguments that fit no schema" => {
            let many: Vec<Value> = (0..30_000).map(|n| json!({ "n": n })).collect();
            vec![("fs_search", json!({ "path": many, "globs": many, "pattern": {} }))]
        }
        other => unreachable!("{other}"),
    }
}

#[rstest]
#[case("a patch that fits nowhere")]
#[case("a patch of the state document")]
#[case("a patch that grows")]
#[case("a difference of all lines")]
#[case("aliases of aliases")]
#[case("ignore files of many rules")]
#[case("globs")]
#[case("patterns of a form")]
#[case("arguments that fit no schema")]
fn work_that_cannot_be_stopped_ends_by_itself(#[case] what: &'static str) {
    let sandbox = Sandbox::new();
    let calls = bounded(&sandbox, what);
    let server = Flood::of(move |n| {
        if n > 0 {
            return (Vec::new(), Then::Nothing);
        }
        let named = calls.iter().enumerate();
        let call = |(k, (tool, args)): (usize, &(&str, Value))| {
            call(k, &format!("c{k}"), tool, &args.to_string())
        };
        (named.map(call).chain([finish()]).collect(), Then::Done)
    });
    let running = started(&sandbox, "hello-linear", &server);
    assert_eq!(server.asked.recv_timeout(Duration::from_mins(1)), Ok(0), "{what}");
    let began = Instant::now();
    assert_eq!(server.asked.recv_timeout(AT_MOST), Ok(1), "{what}: {:?}", began.elapsed());
    eprintln!("{what}: {:?}", began.elapsed());
    rests(&sandbox, running, what);
}

#[test]
fn conditions_of_a_package_hold_nobody_up() {
    let sandbox = Sandbox::new();
    let condition = |depth: usize| {
        (0..depth).fold(json!({ "==": [{ "var": "a" }, 1] }), |inner, _| json!({ "!": [inner] }))
    };
    let package = Parts::mini().json("workflow.graph.json", |graph| {
        let edge = graph["edges"][0].clone();
        let edges = graph["edges"].as_array_mut().unwrap();
        for n in 0..500 {
            let mut more = edge.clone();
            more["label"] = json!(format!("More {n}"));
            more["conditionExpr"] = condition(12);
            edges.push(more);
        }
    });
    let package = package.packed(&sandbox.path("work"));
    let server = Flood::of(|_| (Vec::new(), Then::Nothing));
    let began = Instant::now();
    let running = started(&sandbox, &package.to_string_lossy(), &server);
    assert_eq!(server.asked.recv_timeout(AT_MOST), Ok(0), "{:?}", began.elapsed());
    rests(&sandbox, running, "conditions");
}
