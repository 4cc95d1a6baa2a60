//! What the model saw: `runs show --requests` against what a real server was really sent.

use crate::cli::context::{Project, reads, too_long};
use serde_json::{Value, json};
use support::program::{Sandbox, Server, has_han, root};

/// The requests of a run, or of another conversation.
fn listed(sandbox: &Sandbox, id: &str) -> Vec<Value> {
    let list = sandbox.run(&["runs", "show", id, "--requests", "--json"]).exits(0).json();
    list["requests"].as_array().unwrap().clone()
}

fn shown(sandbox: &Sandbox, id: &str, number: &Value) -> Value {
    let number = number.to_string();
    sandbox.run(&["runs", "show", id, "--requests", &number, "--json"]).exits(0).json()
}

/// All texts of messages, as one: the adapter may merge neighbours.
fn texts<'a>(messages: impl Iterator<Item = &'a Value>) -> String {
    let texts = messages.map(|it| it["content"].as_str().unwrap_or_default());
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// Every request is shown as it was sent, in the order the server got them.
fn are_as_they_came(sandbox: &Sandbox, id: &str, came: &[Value]) -> Vec<Value> {
    let rows = listed(sandbox, id);
    assert_eq!(rows.len(), came.len());
    let mut all = Vec::new();
    for (row, came) in rows.iter().zip(came) {
        let view = shown(sandbox, id, &row["number"]);
        assert_eq!(view["row"], *row);
        let has_answer = matches!(row["end"]["type"].as_str(), Some("replied" | "not_accepted"));
        let as_sent = if has_answer { json!(true) } else { Value::Null };
        assert_eq!(view["isAsSent"], as_sent, "{row}");
        let messages = view["messages"].as_array().unwrap();
        let ours = texts(messages.iter().map(|it| &it["message"]));
        assert_eq!(ours, texts(came["messages"].as_array().unwrap().iter()), "{row}");
        let names = |tools: &Value, at: &str| -> Vec<Value> {
            let tools = tools.as_array().into_iter().flatten();
            tools.map(|it| it.pointer(at).unwrap().clone()).collect()
        };
        assert_eq!(names(&view["tools"], "/tool/name"), names(&came["tools"], "/function/name"));
        all.push(view);
    }
    all
}

fn sources(view: &Value) -> Vec<&str> {
    let messages = view["messages"].as_array().unwrap();
    messages.iter().map(|it| it["source"].as_str().unwrap()).collect()
}

#[test]
fn every_request_is_shown_as_the_server_got_it_also_when_older_messages_were_shortened() {
    let files = 24;
    let project = Project::of(reads(files, &[]), files, 16_000);
    project.run(&[]).exits(3);
    let (sandbox, id) = (&project.sandbox, project.sandbox.run_id());
    let views = are_as_they_came(sandbox, &id, &project.server.requests());
    let first = &views[0];
    assert_eq!(
        sources(first),
        ["base_rules", "tool_policy", "persona", "run_directive", "node_brief"]
    );
    assert_eq!((&first["before"], first["gone"].as_array().unwrap().len()), (&Value::Null, 0));
    let second = &views[1];
    let new: Vec<&str> = (second["messages"].as_array().unwrap().iter())
        .filter(|it| it["isNew"] == true)
        .map(|it| it["source"].as_str().unwrap())
        .collect();
    // The directive says that the run goes on now.
    assert_eq!(new, ["run_directive", "reply", "result"]);
    assert_eq!((&second["before"], &second["leftOut"]["byShortening"]), (&json!(1), &json!(0)));
    let last = views.last().unwrap();
    assert!(sources(last).contains(&"summary"), "{:?}", sources(last));
    assert!(last["leftOut"]["byShortening"].as_u64().unwrap() > 10, "{}", last["leftOut"]);
    assert_eq!(last["shortened"][0]["key"], "context_shortened");
}

#[test]
fn a_refused_request_and_the_shorter_one_are_both_shown() {
    let files = 8;
    let project = Project::of(reads(files, &[(6, too_long())]), files, 1_000_000);
    project.run(&[]).exits(3);
    let (sandbox, id) = (&project.sandbox, project.sandbox.run_id());
    let came = project.server.requests();
    let views = are_as_they_came(sandbox, &id, &came);
    assert_eq!(views[6]["row"]["end"]["type"], "too_long");
    assert!(views[7]["gone"].as_array().unwrap().len() > 2, "what was shortened is gone");
    let words = sandbox.run(&["runs", "show", &id, "--requests"]).exits(0);
    let line = words.stdout.lines().nth(6).unwrap();
    assert!(line.contains("refused as too long"), "{line}");
}

#[test]
fn a_request_is_told_in_words_and_one_that_is_not_there_has_a_way_out() {
    let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
    let (sandbox, server) = (Sandbox::new(), Server::saying(&[json!({ "text": "What is it?" })]));
    // No line of the person's is taken for one of ours. A real path in it leaves as a mark, and is
    // shown as one.
    let said = format!("It is about {}.\nTools offered: 99", sandbox.project().display());
    let model = ["--base-url", &server.base_url(), "--model", "demo"];
    let run = [&["run", &mini, "--input", &said][..], &model].concat();
    // The person reads their own words as they wrote them.
    sandbox.run_told(&run, &[]).exits(3);
    let id = sandbox.run_id();
    let words = sandbox.run(&["runs", "show", &id, "--requests", "1"]).exits(0);
    for part in [
        "Request 1, ",
        "answered in words",
        "Exactly as it was sent (SHA-256 ",
        "system · rules of every conversation · ",
        "user · where the run stands · ",
        "It is about ⟦folder:project⟧.",
        "Tools offered: ",
        "fs_read",
    ] {
        assert!(words.stdout.contains(part), "{part}: {}", words.stdout);
    }
    sandbox.shows_no_real_path(&words.stdout);
    let offers = words.stdout.lines().filter(|line| line.starts_with("Tools offered"));
    assert_eq!(offers.count(), 1, "{}", words.stdout);
    let zh = sandbox.run(&["runs", "show", &id, "--requests", "1", "--lang", "zh"]).exits(0);
    let title = zh.stdout.lines().next().unwrap();
    assert!(has_han(title) && zh.stdout.contains("与发送时完全一致"), "{}", zh.stdout);
    for number in ["0", "2", "18446744073709551615"] {
        let none = sandbox.run(&["runs", "show", &id, "--requests", number, "--json"]);
        none.error("REQUEST_NOT_FOUND");
    }
    sandbox.run(&["runs", "show", &id, "--requests", "-1"]).exits(2);
    let nobody = sandbox.run(&["runs", "show", "run-none", "--requests"]);
    assert!(nobody.code != Some(0), "{nobody:#?}");
}

#[test]
fn what_a_sub_agent_was_asked_is_shown_by_its_own_conversation() {
    let report =
        json!({ "name": "agent_report", "arguments": { "summary": "Nothing is missing." } });
    let task = json!({ "task_type": "review", "prompt": "Look for what is missing." });
    let spawn = json!({ "name": "agent_spawn", "arguments": task });
    let server = Server::saying_with(
        &[json!({ "text": "", "calls": [spawn] }), json!({ "text": "What else?" })],
        &[("what is missing", vec![json!({ "text": "", "calls": [report] })])],
    );
    let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
    let sandbox = Sandbox::new();
    let model = ["--base-url", &server.base_url(), "--model", "demo"];
    sandbox.run(&[&["run", &mini][..], &model].concat());
    let snapshot = sandbox.run(&["snapshot", &sandbox.run_id(), "--json"]).exits(0).json();
    let conversation = snapshot["subagents"][0]["conversationId"].as_str().unwrap().to_owned();
    let rows = listed(&sandbox, &conversation);
    let view = shown(&sandbox, &conversation, &rows[0]["number"]);
    assert_eq!(view["isAsSent"], true);
    assert_eq!(sources(&view).last(), Some(&"task_brief"), "{:?}", sources(&view));
}

#[test]
fn a_call_that_the_model_wrote_as_text_is_told_as_that() {
    let call =
        r#"<tool_call>{"name":"fs_read","arguments":{"path":"@pkg/steps/ask.md"}}</tool_call>"#;
    let server = Server::saying(&[json!({ "text": call }), json!({ "text": "What is it?" })]);
    let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
    let sandbox = Sandbox::new();
    let model = ["--provider", "ollama", "--base-url", &server.base_url(), "--model", "demo"];
    let done = sandbox.run(&[&["run", &mini][..], &model].concat()).exits(3);
    assert!(done.stdout.contains("fs.read @pkg/steps/ask.md (written as text)"), "{done:#?}");
    let id = sandbox.run_id();
    assert_eq!(listed(&sandbox, &id)[0]["repaired"], true);
    let words = sandbox.run(&["runs", "show", &id, "--requests", "1", "--lang", "zh"]).exits(0);
    assert!(words.stdout.contains("模型把工具调用写成了文字"), "{words:#?}");
}

#[test]
fn what_a_run_cost_is_told_at_the_prices_of_the_person() {
    let (sandbox, server) = (Sandbox::new(), Server::saying(&[json!({ "text": "What is it?" })]));
    let prices = json!([{ "model": "de", "input": 1000, "output": 1000 }]).to_string();
    sandbox.run(&["settings", "set", "costs.prices", &prices]).exits(0);
    sandbox.run(&["settings", "set", "costs.currency", "EUR"]).exits(0);
    let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
    let model = ["--base-url", &server.base_url(), "--model", "demo"];
    sandbox.run(&[&["run", &mini][..], &model].concat()).exits(3);
    let id = sandbox.run_id();
    let snapshot = sandbox.run(&["snapshot", &id, "--json"]).exits(0).json();
    let usage = &snapshot["usage"];
    let total =
        usage["promptTokens"].as_u64().unwrap() + usage["completionTokens"].as_u64().unwrap();
    assert_eq!(snapshot["usageByModel"], json!([{ "model": "demo", "usage": usage }]));
    // A thousand for a million tokens is a thousandth for one.
    let about = if usage["estimated"] == true { "≈ " } else { "" };
    let told = format!("Tokens: {about}{total}, {about}{}.{:03}", total / 1000, total % 1000);
    let shown = sandbox.run(&["runs", "show", &id]).exits(0);
    assert!(shown.stdout.contains(&told) && shown.stdout.contains(" EUR"), "{told}: {shown:#?}");
    let wrong = json!([{ "model": "m", "input": -1, "output": 0 }]).to_string();
    for (name, value) in [("costs.prices", wrong.as_str()), ("costs.currency", "12")] {
        let refused = sandbox.run(&["settings", "set", name, value, "--json"]);
        assert_eq!(refused.error("SETTING_INVALID")["details"]["field"], name);
    }
}

#[test]
fn where_a_project_was_before_it_was_moved_stays_private_and_its_requests_stay_proven() {
    let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
    let replies = [json!({ "text": "What is it?" }), json!({ "text": "And why?" })];
    let (sandbox, server) = (Sandbox::new(), Server::saying(&replies));
    let old = sandbox.project().to_string_lossy().into_owned();
    let model = ["--base-url", &server.base_url(), "--model", "demo"];
    let said = format!("It is about {old}.");
    sandbox.run_told(&[&["run", &mini, "--input", &said][..], &model].concat(), &[]).exits(3);
    let id = sandbox.run_id();
    let list = sandbox.run_told(&["projects", "list", "--json"], &[]).exits(0).json();
    let project = list[0]["projectId"].as_str().unwrap().to_owned();
    let moved = sandbox.path("moved").to_string_lossy().into_owned();
    std::fs::rename(&old, &moved).unwrap();
    std::fs::create_dir(&old).unwrap();
    sandbox.run_told(&["projects", "rebind", &project, &moved], &[]).exits(0);

    let said = format!("Was {old}/a.md, is {moved}/a.md.");
    sandbox.run_told(&[&["say", &id, &said][..], &model].concat(), &[]).exits(3);
    let sent = server.last_request();
    sandbox.shows_no_real_path(&sent);
    for part in [
        "It is about ⟦folder:formerproject⟧.",
        "Was ⟦folder:formerproject⟧/a.md, is ⟦folder:project⟧/a.md.",
    ] {
        assert!(sent.contains(part), "{part}: {sent}");
    }
    let views = are_as_they_came(&sandbox, &id, &server.requests());
    assert!(views[0].to_string().contains("It is about ⟦folder:project⟧."), "{}", views[0]);

    let file = sandbox.path("run.crewrun").to_string_lossy().into_owned();
    let export = ["runs", "export", &id, "-o", &file, "--json"];
    let unsafe_export = sandbox.run_told(&export, &[]).error("EXPORT_UNSAFE");
    assert!(unsafe_export.to_string().contains("[former project]"), "{unsafe_export}");
    let md = sandbox.run_told(&["conversations", "export", &id], &[]).exits(0);
    assert!(md.stdout.contains("Was [former project]/a.md, is @project/a.md."), "{md:#?}");
}
