//! A run from its first line to its last, by its demo trace.

use serde_json::{Value, json};
use support::program::{Sandbox, Server, expected_artifacts, hello_branch};

const ANSWERS: &str = r"
- Our garden throws ripe vegetables away. I want a page where members see what is ready.
- { widgetId: project-type, type: selection, value: [greenfield] }
- { type: confirmation, value: { confirmed: true } }
";

#[test]
fn a_run_completes_and_its_files_are_there() {
    let sandbox = Sandbox::new();
    let (package, answers) = (hello_branch(), sandbox.write("answers.yaml", ANSWERS));
    let args = ["run", &package, "--model", "demo", "--answers", &answers, "--json"];
    let done = sandbox.run(&args).exits(0);
    assert_eq!(done.finish()["phase"], "completed");
    assert_eq!(sandbox.artifacts(), expected_artifacts());

    let run = sandbox.run_id();
    let events = done.events();
    assert!(
        events.windows(2).all(|pair| pair[1]["seq"] == json!(pair[0]["seq"].as_u64().unwrap() + 1))
    );
    for event in &events {
        assert_eq!(event["runId"], run);
        assert_eq!(event["conversationId"], format!("run-{run}"));
        assert!(event["at"].is_string() && event["turn"].is_u64() && event["data"].is_object());
    }
    assert!(events.iter().any(|e| e["event"] == "user_said"
        && e["data"]["text"].as_str().unwrap().starts_with("Our garden throws ripe")));

    let snapshot = sandbox.run(&["runs", "show", &run, "--json"]).exits(0).json();
    assert_eq!(snapshot["seq"], events.last().unwrap()["seq"]);
    assert_eq!(snapshot["run"]["phase"], "completed");
    assert_eq!(snapshot["profile"], "post-completion");
    assert_eq!(snapshot["state"]["currentNodeId"], "end-99");
    assert_eq!(snapshot["state"]["decisionLog"].as_array().unwrap().len(), 1);
    let artifacts: Vec<String> = expected_artifacts().into_keys().collect();
    let mut recorded: Vec<String> =
        serde_json::from_value(snapshot["state"]["artifacts"].clone()).unwrap();
    recorded.sort();
    assert_eq!(recorded, artifacts);
    assert!(!snapshot["facts"].as_array().unwrap().is_empty());
    let conversation = format!("run-{run}");
    let same = sandbox.run(&["snapshot", &conversation, "--json"]).exits(0).json();
    assert_eq!(same, snapshot);

    let list = sandbox.run(&["runs", "list", "--json"]).exits(0).json();
    assert_eq!(list[0]["runId"], run);
    assert_eq!(list[0]["phase"], "completed");
    let again = sandbox.run(&["runs", "resume", &run, "--json"]).exits(0).json();
    assert_eq!(again["run"]["phase"], "completed");
    let stopped = sandbox.run(&["stop", &run, "--json"]).exits(0).json();
    assert_eq!(stopped["run"]["phase"], "completed");
}

#[test]
fn the_first_input_is_the_runs_first_words_and_the_next_ones_are_said_when_it_waits() {
    let mini = support::program::root().join("tests/fixtures/packages/mini");
    let replies = ["Which colour?", "And how tall?", "Fine."].map(|text| json!({ "text": text }));
    let (sandbox, server) = (Sandbox::new(), Server::saying(&replies));
    let (package, base_url) = (mini.to_string_lossy().into_owned(), server.base_url());
    let answers = sandbox.write("answers.yaml", "- Red.\n");
    let inputs = ["--input", "A tower.", "--input", "Tall.", "--answers", &answers];
    let model = ["run", &package, "--base-url", &base_url, "--model", "demo", "--json"];
    let done = sandbox.run(&[&model[..], &inputs[..]].concat()).exits(3);
    let events = done.events();
    let said = |e: &&Value| e["event"] == "user_said" || e["event"] == "model_replied";
    let texts: Vec<&str> = events
        .iter()
        .filter(said)
        .map(|e| e["data"]["text"].as_str().or(e["data"]["reply"]["text"].as_str()).unwrap())
        .collect();
    let expected = ["A tower.", "Which colour?", "Red.", "And how tall?", "Tall.", "Fine."];
    assert_eq!(texts, expected);
    let first = events.iter().find(|e| e["event"] == "user_said").unwrap();
    assert_eq!(first["data"]["forNodeId"], "ask", "the first words belong to the first step");
    assert_eq!(server.asked(), 3);
    let run = sandbox.run_id();
    let resumed = ["runs", "resume", &run, "--input", "More.", "--json"];
    let model = ["--base-url", &base_url, "--model", "demo"];
    let events = sandbox.run(&[&resumed[..], &model[..]].concat()).events();
    assert_eq!(events[0]["data"]["text"], "More.");
}

#[test]
fn without_an_answer_left_the_run_waits_and_is_answered_piece_by_piece() {
    let sandbox = Sandbox::new();
    let package = hello_branch();
    let said = sandbox.write("said.json", r#"["A page."]"#);
    let done = sandbox.run(&["run", &package, "--model", "demo", "--answers", &said, "--json"]);
    let done = done.exits(3);
    assert_eq!(done.finish()["reason"], "widget");
    let events = done.events();
    let asked = events.iter().find(|e| e["event"] == "widget_asked").unwrap();
    assert_eq!(asked["data"]["widget"]["options"][0]["value"], "greenfield", "{asked:#}");

    let run = sandbox.run_id();
    let conversation = format!("run-{run}");
    let words =
        sandbox.run(&["runs", "resume", &run, "--answers", &sandbox.write("none.json", "[]")]);
    let words = words.exits(3);
    assert!(words.stdout.contains("[greenfield] New project"), "{words:#?}");
    assert!(words.stderr.contains("waits"), "{words:#?}");

    let answer = |widget: &str, value: &str| {
        sandbox.run(&["answer", &conversation, "--widget", widget, "--value", value, "--json"])
    };
    let wrong = answer("another", "[\"greenfield\"]").exits(5).error("WIDGET_NOT_FOUND");
    assert!(wrong["action"].as_str().unwrap().contains("project-type"), "{wrong:#}");
    answer("project-type", "[\"purple\"]").exits(5).error("WIDGET_VALUE_INVALID");
    answer("project-type", "greenfield").exits(5).error("WIDGET_VALUE_INVALID");
    // The run's id means its conversation.
    let next = sandbox.run(&["answer", &run, "--value", "[\"greenfield\"]", "--json"]).exits(3);
    assert_eq!(next.events()[0]["event"], "widget_answered");
    assert_eq!(next.finish()["reason"], "widget");
    answer("project-type", "[\"greenfield\"]").exits(5).error("WIDGET_NOT_FOUND");
    assert_eq!(
        answer("write-roadmap", "{\"confirmed\":true}").exits(0).finish()["phase"],
        "completed"
    );
    assert_eq!(sandbox.artifacts(), expected_artifacts());

    // A script that is at its end has no answer; the words are kept for a model that has one.
    let said = sandbox.run(&["say", &conversation, "Thank you!", "--json"]).exits(6);
    assert_eq!(said.events()[0]["data"]["text"], "Thank you!");
    assert_eq!(said.finish()["failure"]["code"], "DEMO_OVER");
}

#[test]
fn an_answer_for_another_widget_stops_the_run_and_keeps_it() {
    let sandbox = Sandbox::new();
    let package = hello_branch();
    let file = sandbox.write("wrong.yaml", "- A page.\n- { widgetId: other, value: [x] }\n");
    let done = sandbox.run(&["run", &package, "--model", "demo", "--answers", &file, "--json"]);
    let done = done.exits(5);
    let last = done.events().pop().unwrap();
    assert_eq!(last["error"]["code"], "WIDGET_NOT_FOUND");
    let run = sandbox.run_id();
    let resumed =
        sandbox.run(&["runs", "resume", &run, "--answers", &sandbox.answers_left(), "--json"]);
    assert_eq!(resumed.exits(0).finish()["phase"], "completed");
}

#[test]
fn without_answers_a_demo_gives_its_own() {
    let sandbox = Sandbox::new();
    let done = sandbox.run(&["run", "hello-branch", "--model", "demo"]).exits(0);
    assert!(done.stdout.contains("All done."), "{done:#?}");
    assert!(done.stdout.contains("[brownfield] Existing project"), "{done:#?}");
    assert!(!done.stdout.contains('\u{1b}'), "colours in a pipe");
    assert_eq!(sandbox.artifacts(), expected_artifacts());
}

#[test]
fn the_limit_of_turns_ends_with_4_and_the_run_goes_on_later() {
    let sandbox = Sandbox::new();
    let package = hello_branch();
    let answers = sandbox.write("answers.yaml", ANSWERS);
    let args =
        ["run", &package, "--model", "demo", "--answers", &answers, "--max-turns", "3", "--json"];
    let done = sandbox.run(&args).exits(4);
    assert_eq!(done.finish()["reason"], "limit");
    assert_eq!(done.finish()["failure"]["code"], "ENGINE_MAX_TURNS_EXCEEDED");
    assert!(done.stderr.contains("ENGINE_MAX_TURNS_EXCEEDED"), "{done:#?}");
    let resumed = sandbox.run(&["runs", "resume", &sandbox.run_id(), "--json"]).exits(0);
    assert_eq!(resumed.finish()["phase"], "completed");
}

#[test]
fn the_list_of_runs_tells_the_step_and_as_many_that_are_done_as_the_run_itself() {
    let sandbox = Sandbox::new();
    let package = hello_branch();
    let answers = sandbox.write("answers.yaml", ANSWERS);
    let shown = || {
        let listed = sandbox.run(&["runs", "list", "--json"]).exits(0).json()[0].clone();
        let steps = sandbox.run(&["runs", "show", &sandbox.run_id(), "--json"]).exits(0).json();
        let steps = steps["progress"]["steps"].as_array().unwrap().clone();
        let of = |status: &str| steps.iter().filter(|step| step["status"] == status).count();
        let count = json!({ "done": of("completed"), "total": steps.len() - of("skipped") });
        let current = steps.iter().find(|step| step["status"] == "current").cloned();
        (listed, count, current)
    };
    let limit = ["--max-turns", "4", "--json"];
    sandbox
        .run(&[&["run", &package, "--model", "demo", "--answers", &answers], &limit[..]].concat());
    let (mut listed, mut count, mut current) = shown();
    for _ in 0..8 {
        if listed["nodeId"].is_string() && current.is_some() {
            break;
        }
        sandbox.run(&["runs", "resume", &sandbox.run_id(), "--max-turns", "1", "--json"]);
        (listed, count, current) = shown();
    }
    assert_eq!(listed["steps"], count);
    let current = current.unwrap();
    assert_eq!(listed["nodeId"], current["id"]);
    let title = current["title"].as_str().unwrap();
    let said = format!(" · {title} · {} of {} steps", count["done"], count["total"]);
    let words = sandbox.run(&["runs", "list"]).exits(0).stdout;
    assert!(words.contains(&said), "{words}\nis to hold{said}");

    sandbox.run(&["runs", "resume", &sandbox.run_id(), "--json"]).exits(0);
    let (listed, count, _) = shown();
    assert_eq!((&listed["phase"], &listed["steps"]), (&json!("completed"), &count));
    let words = sandbox.run(&["runs", "list"]).exits(0).stdout;
    assert!(!words.contains(" steps"), "one that has ended is at no step: {words}");
}

#[test]
fn every_line_is_on_disk_before_it_is_shown() {
    let sandbox = Sandbox::new();
    let package = hello_branch();
    let mut running = sandbox.start(&["run", &package, "--model", "demo", "--json"]);
    let mut seen: Vec<Value> = Vec::new();
    let mut db = None;
    while let Some(line) = running.line() {
        let db = db.get_or_insert_with(|| sandbox.database());
        let sql = "SELECT body FROM lines WHERE conversation = ?1 AND seq <= ?2 AND next_seq > ?2";
        let (conversation, seq) = (line["conversationId"].as_str(), line["seq"].as_i64());
        let body: String = db.query_row(sql, (conversation, seq), |row| row.get(0)).unwrap();
        let stored = kernel::event::upcast(&body).unwrap();
        let stored = stored.numbered().find(|(n, _)| Some(*n) == line["seq"].as_u64()).unwrap();
        assert_eq!(serde_json::to_value(stored.1).unwrap()["data"], line["data"]);
        seen.push(line);
    }
    assert!(seen.len() > 50);
    assert_eq!(running.end().1, Some(0));
}

#[test]
fn a_project_folder_deleted_in_between_is_said_and_the_run_is_kept() {
    let sandbox = Sandbox::new();
    let package = hello_branch();
    let said = sandbox.write("said.json", r#"["A page."]"#);
    sandbox.run(&["run", &package, "--model", "demo", "--answers", &said, "--json"]).exits(3);
    let run = sandbox.run_id();
    std::fs::rename(sandbox.project(), sandbox.path("away")).unwrap();
    sandbox.run(&["runs", "resume", &run, "--json"]).exits(5).error("PROJECT_ROOT_INVALID");
    let shown = sandbox.run(&["runs", "show", &run, "--json"]).exits(0).json();
    assert_eq!(shown["run"]["phase"], "waiting-user");
    std::fs::rename(sandbox.path("away"), sandbox.project()).unwrap();
    sandbox.run(&["runs", "resume", &run, "--json"]).exits(0);
    assert_eq!(sandbox.artifacts(), expected_artifacts());
}
