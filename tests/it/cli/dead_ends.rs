//! The ways on from a dead end: a demo with a model of one's own, a copied project, a package that
//! runs still need, a model server on this machine.

use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpListener;
use support::program::{Sandbox, Server, copy, has_han, root};

/// A run of the demo `hello-linear`, complete: its conversation.
fn a_demo(sandbox: &Sandbox) -> String {
    let done = sandbox.run(&["run", "hello-linear", "--model", "demo"]).exits(0);
    assert!(done.stderr.contains("--own-model"), "the end of a demo offers to go on: {done:#?}");
    format!("run-{}", sandbox.run_id())
}

fn real_model() -> Server {
    let reply = json!({ "text": "This is a real answer." });
    Server::saying(&vec![reply; 40])
}

fn names(sandbox: &Sandbox) -> Vec<String> {
    let events = sandbox.journal_events();
    events.iter().map(|e| e["event"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_demo_goes_on_with_the_model_of_the_command_line() {
    let sandbox = Sandbox::new();
    let conversation = a_demo(&sandbox);
    let over = sandbox.run(&["say", &conversation, "Smaller, please.", "--json"]).exits(6);
    assert_eq!(over.finish()["failure"]["code"], "DEMO_OVER");
    assert!(over.stderr.contains("--own-model"), "{over:#?}");
    let said: Vec<Value> =
        over.events().into_iter().filter(|e| e["event"] == "model_replied").collect();
    assert_eq!(said, Vec::<Value>::new(), "no agent says what the runtime has to say");

    let server = real_model();
    let url = server.base_url();
    let run = sandbox.run_id();
    let model = ["--base-url", &url, "--model", "real", "--json"];
    let resumed = sandbox.run(&[&["runs", "resume", &run], &model[..]].concat());
    let resumed = resumed.exits(0);
    assert!(resumed.stdout.contains("This is a real answer."), "{resumed:#?}");
    assert!(server.last_request().contains("Smaller, please."));
    assert_eq!(names(&sandbox).iter().filter(|name| *name == "model_switched").count(), 1);
    sandbox.run(&[&["say", &conversation, "Thanks."], &model[..]].concat()).exits(0);
    assert_eq!(names(&sandbox).iter().filter(|name| *name == "model_switched").count(), 1);

    let file = sandbox.path("run.crewrun").to_string_lossy().into_owned();
    sandbox.run_told(&["runs", "export", &run, "-o", &file], &[]).exits(0);
    let report = sandbox.run_told(&["runs", "replay", &file, "--json"], &[]).exits(0).json();
    assert_eq!(report["differences"], 0, "{report:#}");
}

#[test]
fn a_demo_goes_on_with_the_model_of_the_settings_when_the_person_says_so() {
    let sandbox = Sandbox::new();
    let conversation = a_demo(&sandbox);
    let none = sandbox.run(&["say", &conversation, "Hello.", "--own-model", "--json"]).exits(6);
    none.error("LLM_NOT_CONFIGURED");
    let server = real_model();
    sandbox.run(&["settings", "set", "model.baseUrl", &server.base_url()]).exits(0);
    sandbox.run(&["settings", "set", "model.model", "real"]).exits(0);
    // Set up, and not chosen for this run: the demo stays one.
    sandbox.run(&["say", &conversation, "Hello.", "--json"]).exits(6);
    assert_eq!(server.asked(), 0);
    let said = sandbox.run(&["say", &conversation, "Hello.", "--own-model"]).exits(0);
    assert!(said.stdout.contains("This is a real answer."), "{said:#?}");
    assert!(server.asked() == 1);
}

#[test]
fn the_demo_plays_in_chinese_for_who_reads_chinese() {
    let sandbox = Sandbox::new();
    let done = sandbox.run(&["run", "plan-a-project", "--model", "demo", "--lang", "zh"]).exits(0);
    assert!(done.stdout.contains("我是小安"), "{done:#?}");
    assert!(has_han(&done.stderr) && done.stderr.contains("--own-model"), "{done:#?}");
    let files = sandbox.artifacts();
    assert_eq!(files.len(), 2, "{files:?}");
    assert!(files.values().all(|text| has_han(text)), "{files:?}");
    let shown = sandbox.run(&["runs", "show", &sandbox.run_id(), "--lang", "zh"]).exits(0);
    assert!(shown.stdout.contains("商定路线图"), "{shown:#?}");
}

#[test]
fn a_copied_project_asks_and_each_answer_has_a_command() {
    let sandbox = Sandbox::new();
    a_demo(&sandbox);
    copy(&sandbox.project(), &sandbox.path("copy"));
    let folder = sandbox.path("copy").to_string_lossy().into_owned();
    for command in [&["runs", "list"][..], &["run", "hello-linear", "--model", "demo"]] {
        let args = [command, &["--project", &folder, "--json"]].concat();
        let error = sandbox.run(&args).exits(5).error("PROJECT_COPIED");
        let action = error["action"].as_str().unwrap();
        assert!(action.contains("--as copy") && action.contains("--as moved"), "{action}");
    }
    let run = sandbox.run_id();
    let talk = format!("run-{run}");
    for command in [
        &["runs", "resume", &run][..],
        &["runs", "rewind", &run, "--to", "write", "--yes"],
        &["say", &run, "more"],
        &["answer", &talk, "--value", "\"more\""],
        &["chat", "--conversation", &talk, "--input", "more"],
    ] {
        let args = [command, &["--project", &folder, "--json"]].concat();
        sandbox.run(&args).exits(5).error("PROJECT_COPIED");
    }
    assert_eq!(sandbox.rows("runs"), 1);
    let opened =
        sandbox.run_told(&["projects", "open", &folder, "--as", "copy", "--json"], &[]).exits(0);
    let id = opened.json()["projectId"].as_str().unwrap().to_owned();
    let runs = sandbox.run_told(&["runs", "list", "--project", &folder, "--json"], &[]).exits(0);
    assert_eq!(runs.json(), json!([]));
    let list = sandbox.run_told(&["projects", "list", "--json"], &[]).exits(0).json();
    assert_eq!(list.as_array().unwrap().len(), 2, "{list:#}");
    assert!(list.as_array().unwrap().iter().any(|p| p["projectId"] == id.as_str()));
}

#[test]
fn runs_that_begin_at_once_in_a_fresh_folder_are_of_one_project() {
    let sandbox = Sandbox::new();
    sandbox.run(&["doctor"]).exits(0);
    for name in ["one", "two", "three"] {
        let folder = sandbox.path(name).to_string_lossy().into_owned();
        std::fs::create_dir(&folder).unwrap();
        // Two packages: of two runs that write the same file, one is refused.
        let both = ["hello-linear", "hello-branch"].map(|package| {
            sandbox.start(&["run", package, "--model", "demo", "--project", &folder, "--json"])
        });
        for (events, code) in both.map(support::program::Running::end) {
            assert_eq!(code, Some(0), "{events:#?}");
        }
        let runs = sandbox.run_told(&["runs", "list", "--project", &folder, "--json"], &[]);
        assert_eq!(runs.exits(0).json().as_array().unwrap().len(), 2);
    }
    assert_eq!(sandbox.rows("projects"), 3);
}

#[test]
fn a_project_whose_folder_is_not_found_is_asked_about_in_both_languages() {
    let sandbox = Sandbox::new();
    a_demo(&sandbox);
    let moved = sandbox.path("moved").to_string_lossy().into_owned();
    std::fs::rename(sandbox.project(), &moved).unwrap();
    let open = ["projects", "open", &moved];
    let en = sandbox.run(&[&open[..], &["--lang", "en"]].concat()).exits(5).stderr;
    assert!(en.contains("not found there now") && en.contains("--as moved"), "{en}");
    let zh = sandbox.run(&[&open[..], &["--lang", "zh"]].concat()).exits(5).stderr;
    assert!(zh.contains("找不到它") && zh.contains("--as moved"), "{zh}");
    sandbox.run_told(&[&open[..], &["--as", "moved"]].concat(), &[]).exits(0);
    let runs = sandbox.run_told(&["runs", "list", "--project", &moved, "--json"], &[]).exits(0);
    assert_eq!(runs.json().as_array().unwrap().len(), 1);
}

#[test]
fn a_moved_project_is_found_again() {
    let sandbox = Sandbox::new();
    a_demo(&sandbox);
    let list = sandbox.run_told(&["projects", "list", "--json"], &[]).exits(0).json();
    let id = list[0]["projectId"].as_str().unwrap().to_owned();
    std::fs::rename(sandbox.project(), sandbox.path("moved")).unwrap();
    std::fs::create_dir(sandbox.project()).unwrap();
    let empty = sandbox.project().to_string_lossy().into_owned();
    let none = sandbox.run(&["projects", "rebind", &id, &empty, "--json"]).exits(5);
    let error = none.error("PROJECT_MISMATCH");
    assert!(error["action"].as_str().unwrap().contains("--adopt"), "{error:#}");
    let moved = sandbox.path("moved").to_string_lossy().into_owned();
    sandbox.run_told(&["projects", "rebind", &id, &moved], &[]).exits(0);
    let runs = sandbox.run_told(&["runs", "list", "--project", &moved, "--json"], &[]).exits(0);
    assert_eq!(runs.json().as_array().unwrap().len(), 1);
}

#[test]
fn a_package_that_runs_need_names_them_and_goes_when_they_are_deleted() {
    let sandbox = Sandbox::new();
    a_demo(&sandbox);
    let run = sandbox.run_id();
    let list = sandbox.run(&["package", "list", "--json"]).exits(0).json();
    let id = list[0]["packageId"].as_str().unwrap().to_owned();
    let error = sandbox.run(&["package", "remove", &id, "--json"]).exits(7).error("PACKAGE_IN_USE");
    assert!(error["message"].as_str().unwrap().contains(&run), "{error:#}");
    assert_eq!(error["details"]["runs"][0]["runId"], run.as_str());
    for member in ["title", "projectName", "conversationId"] {
        let text = error["details"]["runs"][0][member].as_str().unwrap_or_default();
        assert!(!text.is_empty(), "{member}: {error:#}");
    }
    let words = sandbox.run(&["package", "remove", &id]).exits(7);
    assert!(words.stderr.contains(&run) && words.stderr.contains("runs delete"), "{words:#?}");
    // Without a terminal nobody can say yes.
    sandbox.run(&["runs", "delete", &run]).exits(2);
    sandbox.run(&["runs", "delete", &run, "--yes"]).exits(0);
    assert_eq!(sandbox.rows("runs"), 0);
    sandbox.run(&["package", "remove", &id]).exits(0);
    let files = sandbox.artifacts();
    assert_eq!(files.len(), 1, "files of the project stay: {files:?}");
}

#[test]
fn model_servers_on_this_machine_are_found_and_only_there() {
    let sandbox = Sandbox::new();
    let server = real_model();
    let port = server.base_url().trim_end_matches("/v1").rsplit(':').next().unwrap().to_owned();
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let other = silent.local_addr().unwrap().port();
    let ports = format!("ollama={port},lmstudio={free},llamacpp={other}");
    let env = [("CREWAGENT_LOCAL_PORTS", ports.as_str())];
    let found = sandbox.run_with(&["model", "detect", "--json"], &env).exits(0).json();
    let state = |n: usize| found[n]["state"].as_str().unwrap().to_owned();
    assert_eq!((state(0), state(1), state(2)), ("found".into(), "nothing".into(), "other".into()));
    assert_eq!(found[0]["models"], json!(["demo"]));
    assert_eq!(found[0]["baseUrl"], server.base_url());
    for (lang, words) in [("en", "nothing is listening"), ("zh", "没有启动")] {
        let said = sandbox.run_with(&["model", "detect", "--lang", lang], &env).exits(0);
        assert!(said.stdout.contains(words), "{said:#?}");
        assert!(said.stderr.contains("settings set model.baseUrl"), "{said:#?}");
    }
    assert_eq!(server.asked(), 0, "looking asks for no answer");
}

#[test]
fn a_command_to_copy_holds_no_words_of_a_stranger() {
    for (name, told) in [("qwen3:14b", "qwen3:14b"), ("m; rm -rf ~", "NAME"), ("-x", "NAME")] {
        let sandbox = Sandbox::new();
        let list = json!({ "data": [{ "id": name }] }).to_string();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        std::thread::spawn(move || {
            for mut stream in listener.incoming().map(Result::unwrap) {
                _ = stream.read(&mut [0; 4096]);
                let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n", list.len());
                _ = write!(stream, "{head}connection: close\r\n\r\n{list}");
            }
        });
        let ports = format!("ollama={port},lmstudio=1,llamacpp=2");
        let env = [("CREWAGENT_LOCAL_PORTS", ports.as_str())];
        let said = sandbox.run_with(&["model", "detect"], &env).exits(0);
        assert!(said.stderr.trim_end().ends_with(&format!("model.model {told}")), "{said:#?}");
        assert!(said.stdout.contains(name), "what was found is shown: {said:#?}");
    }
}

#[test]
fn a_test_of_a_closed_port_says_what_is_not_there() {
    let sandbox = Sandbox::new();
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("http://{closed}/v1");
    let args = ["model", "test", "--base-url", &url, "--model", "m", "--provider", "ollama"];
    let test = sandbox.run(&[&args[..], &["--json"]].concat()).exits(6).json();
    let failure = &test["failure"];
    assert_eq!(failure["message"], format!("Nothing is listening on {closed}."));
    assert_eq!(failure["details"]["absence"], "refused");
    assert_eq!(failure["details"]["provider"], "ollama");
    assert!(failure["action"].as_str().unwrap().starts_with("Is Ollama started?"), "{failure:#}");
}

#[test]
fn no_bundled_package_lacks_the_files_of_its_other_language() {
    let files = |name: &str| {
        let folder = root().join("templates/packages").join(name);
        let mut found: Vec<String> = Vec::new();
        let mut open = vec![folder.clone()];
        while let Some(next) = open.pop() {
            for entry in std::fs::read_dir(next).unwrap().map(Result::unwrap) {
                if entry.path().is_dir() {
                    open.push(entry.path());
                } else {
                    let path = entry.path();
                    found.push(path.strip_prefix(&folder).unwrap().to_string_lossy().into_owned());
                }
            }
        }
        found.sort();
        found
    };
    assert_eq!(files("plan-a-project"), files("plan-a-project-zh"));
}
