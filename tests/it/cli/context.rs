//! Conversations that are longer than their model reads, in the real program against a real server.

use host::llm::Fault;
use serde_json::{Value, json};
use support::program::{Done, Sandbox, Server, root};

/// A model that reads so many files, one a request, and then asks; some requests go wrong.
pub(super) fn reads(files: usize, wrong: &[(usize, Fault)]) -> Server {
    let mut answers: Vec<Fault> = (0..files)
        .map(|n| {
            let arguments = json!({ "path": format!("@project/docs/{n}.md") }).to_string();
            let call = json!({ "name": "fs_read", "arguments": arguments });
            let call = json!({ "id": format!("call-{n}"), "type": "function", "function": call });
            Fault::Says(json!({ "role": "assistant", "content": "", "tool_calls": [call] }))
        })
        .collect();
    let asks = "I have read all of them. What next?";
    answers.push(Fault::Says(json!({ "role": "assistant", "content": asks })));
    for (at, fault) in wrong {
        answers.insert(*at, fault.clone());
    }
    Server::faulty(answers)
}

pub(super) fn too_long() -> Fault {
    Fault::status(400, "This model's maximum context length is 8192 tokens")
}

pub(super) struct Project {
    pub(super) sandbox: Sandbox,
    pub(super) server: Server,
}

impl Project {
    /// With so many files to read, and a model that reads so many tokens.
    pub(super) fn of(server: Server, files: usize, tokens: u32) -> Self {
        let sandbox = Sandbox::new();
        std::fs::create_dir_all(sandbox.project().join("docs")).unwrap();
        for n in 0..files {
            let text = format!("Line {n} of the long text.\n").repeat(200);
            std::fs::write(sandbox.project().join(format!("docs/{n}.md")), text).unwrap();
        }
        let project = Self { sandbox, server };
        let base_url = project.server.base_url();
        let tokens = tokens.to_string();
        for (name, value) in [
            ("model.baseUrl", base_url.as_str()),
            ("model.model", "demo"),
            ("model.contextTokens", &tokens),
        ] {
            project.sandbox.run(&["settings", "set", name, value]).exits(0);
        }
        project
    }

    pub(super) fn run(&self, more: &[&str]) -> Done {
        let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
        self.sandbox.run(&[&["run", &mini][..], more].concat())
    }
}

/// What such events of a run say.
fn events(done: &Done, name: &str) -> Vec<Value> {
    let mut events = done.events();
    events.retain(|event| event["event"] == name);
    events.iter().map(|event| event["data"].clone()).collect()
}

#[test]
fn a_step_that_the_model_cannot_read_whole_is_told_with_the_first_reply() {
    let asks = Fault::Says(json!({ "role": "assistant", "content": "What is it about?" }));
    let project = Project::of(Server::faulty(vec![asks.clone(), asks]), 0, 16_000);
    let package = project.sandbox.project().join("package");
    support::program::copy(&root().join("tests/fixtures/packages/mini"), &package);
    let step = package.join("steps/write.md");
    let text = std::fs::read_to_string(&step).unwrap() + &"Write one more line.\n".repeat(4_000);
    std::fs::write(&step, text).unwrap();
    for (lang, words) in
        [("en", "cannot read the step write whole"), ("zh", "模型无法完整读取步骤 write")]
    {
        let package = package.to_string_lossy();
        let done = project.sandbox.run(&["run", &package, "--lang", lang]).exits(3);
        assert_eq!(done.stderr.matches(words).count(), 1, "{done:#?}");
        assert!(!done.stderr.contains("step ask"), "{done:#?}");
    }
}

#[test]
fn tokens_are_counted_for_a_model_of_a_known_family_and_marked_as_estimates_for_others() {
    for (model, estimated) in [("demo", true), ("openai/gpt-4o-mini", false), ("gpt-4", false)] {
        let project = Project::of(reads(3, &[]), 3, 128_000);
        project.sandbox.run(&["settings", "set", "model.model", model]).exits(0);
        project.run(&[]).exits(3);
        let (sandbox, id) = (&project.sandbox, project.sandbox.run_id());
        let context = sandbox.run(&["snapshot", &id, "--json"]).exits(0).json()["context"].clone();
        assert_eq!(context["estimated"], estimated, "{model}: {context}");
        let about = if estimated { "≈ " } else { "" };
        let used = format!("{about}{} of 128000 tokens", context["used"]);
        let shown = sandbox.run(&["runs", "show", &id]).exits(0);
        assert!(shown.stdout.contains(&format!("Context: {used}")), "{used}: {shown:#?}");
        let request = sandbox.run(&["runs", "show", &id, "--requests", "2"]).exits(0);
        let titles: Vec<&str> =
            request.stdout.lines().filter(|line| line.ends_with(" tokens")).collect();
        assert!(titles.len() > 3, "{request:#?}");
        for title in titles {
            assert_eq!(title.contains('≈'), estimated, "{title}");
        }
        // Whoever decides the run again counts as it was counted.
        let file = sandbox.project().join("run.crewrun").to_string_lossy().into_owned();
        sandbox.run(&["runs", "export", &id, "--output", &file]).exits(0);
        sandbox.run(&["settings", "set", "model.model", "another"]).exits(0);
        sandbox.run(&["runs", "replay", &file]).exits(0);
    }
}

#[test]
fn a_turn_that_outgrows_its_model_is_made_shorter_and_goes_on() {
    let files = 24;
    let project = Project::of(reads(files, &[]), files, 16_000);
    let done = project.run(&[]).exits(3);
    assert!(done.stdout.contains("I have read all of them."), "{done:#?}");
    assert!(
        done.stdout.contains("Older messages are shortened for the model from here on"),
        "{done:#?}"
    );
    assert_eq!(project.server.asked(), files + 1, "nothing was asked twice");
    let last = project.server.last_request();
    assert!(
        last.contains("TOOL_LOOP_SUMMARY") && last.contains("Line 23 of the long text."),
        "{last}"
    );
    assert!(!last.contains("Line 0 of the long text."), "{last}");
    // The journal tells it as an event, and decides the same again.
    let id = project.sandbox.run_id();
    let file = project.sandbox.project().join("run.crewrun").to_string_lossy().into_owned();
    project.sandbox.run(&["runs", "export", &id, "--output", &file]).exits(0);
    project.sandbox.run(&["runs", "replay", &file]).exits(0);
}

#[test]
fn a_request_that_the_server_refuses_as_too_long_is_shortened_and_sent_once_more() {
    let files = 8;
    let project = Project::of(reads(files, &[(6, too_long())]), files, 1_000_000);
    let done = project.run(&[]).exits(3);
    assert!(done.stdout.contains("I have read all of them."), "{done:#?}");
    assert_eq!(project.server.asked(), files + 2, "one request was sent twice");
    assert!(project.server.last_request().contains("TOOL_LOOP_SUMMARY"));
}

#[test]
fn a_server_that_refuses_the_shorter_request_too_is_not_asked_for_ever() {
    let wrong: Vec<(usize, Fault)> = (0..9).map(|_| (6, too_long())).collect();
    let project = Project::of(reads(8, &wrong), 8, 1_000_000);
    let done = project.run(&["--json"]).exits(4);
    let failed = events(&done, "model_failed");
    assert_eq!(failed.len(), 1, "{done:#?}");
    assert_eq!(failed[0]["failure"]["code"], "LLM_CONTEXT_TOO_LONG");
    assert_eq!(project.server.asked(), 8, "six, the refused one, and the shorter one");
}

#[test]
fn a_request_that_cannot_be_made_short_enough_is_not_sent() {
    let project = Project::of(Server::saying(&[json!({ "text": "Hi." })]), 0, 1_000);
    let done = project.run(&["--json"]).exits(4);
    let failed = events(&done, "model_failed");
    assert_eq!(failed[0]["failure"]["code"], "CONTEXT_STILL_TOO_LARGE", "{done:#?}");
    assert_eq!(project.server.asked(), 0);
    assert_eq!(events(&done, "context_compacted").len(), 0, "there is nothing to be shortened");
}

#[test]
fn a_conversation_is_made_shorter_and_a_run_goes_on_afresh_when_it_is_asked_for() {
    let files = 6;
    let project = Project::of(reads(files, &[]), files, 1_000_000);
    project.run(&[]).exits(3);
    let id = project.sandbox.run_id();
    let compact = project.sandbox.run(&["conversations", "compact", &id, "--hard", "--json"]);
    let compacted = compact.exits(0).json();
    assert_eq!(
        (&compacted["why"], &compacted["result"]["status"]),
        (&json!("asked"), &json!("effective"))
    );
    let told = project.sandbox.run(&["conversations", "compact", &id]).exits(0);
    assert!(told.stdout.starts_with("Nothing could be shortened"), "{told:#?}");
    let zh = project.sandbox.run(&["runs", "fresh", &id, "--lang", "zh"]).exits(0);
    assert!(zh.stdout.starts_with("从这里起，模型看不到之前说过的话"), "{zh:#?}");
    let snapshot = project.sandbox.run(&["snapshot", &id, "--json"]).exits(0).json();
    assert_eq!(snapshot["context"]["budget"], 1_000_000);
    // The model hears the next words, and nothing of the files that it read.
    let said = project.sandbox.run(&["say", &format!("run-{id}"), "What now?"]);
    assert!(said.code.is_some(), "{said:#?}");
    let last = project.server.last_request();
    assert!(last.contains("What now?") && !last.contains("of the long text"), "{last}");
    // Everything can still be read.
    let shown = project.sandbox.run(&["conversations", "show", &id]).exits(0);
    assert!(shown.stdout.contains("I have read all of them."), "{shown:#?}");
}

#[test]
fn a_run_that_was_refused_again_and_again_goes_on_with_a_server_that_takes_it() {
    let project = Project::of(Server::faulty(vec![too_long(); 40]), 0, 1_000_000);
    project.run(&["--input", "Hello."]).exits(4);
    let id = project.sandbox.run_id();
    let run = format!("run-{id}");
    for word in ["one", "two", "three"] {
        project.sandbox.run(&["say", &run, word]).exits(4);
    }
    let other = Server::saying(&[json!({ "text": "What is it about?" })]);
    project.sandbox.run(&["settings", "set", "model.baseUrl", &other.base_url()]).exits(0);
    let done = project.sandbox.run(&["say", &run, "four"]).exits(3);
    assert!(done.stdout.contains("What is it about?"), "{done:#?}");
}

#[test]
fn how_much_a_model_reads_that_is_named_on_the_command_line_is_said_there() {
    let server = Server::saying(&[json!({ "text": "Hi." })]);
    let project = Project::of(server, 0, 1_000);
    let base_url = project.server.base_url();
    let named = ["--base-url", &base_url, "--model", "demo"];
    // The settings' word holds for the model of the settings.
    project.run(&named).exits(3);
    let small = project.run(&[&named[..], &["--context-tokens", "1000", "--json"]].concat());
    let failed = events(&small.exits(4), "model_failed");
    let failure = &failed[0]["failure"];
    assert_eq!(failure["code"], "CONTEXT_STILL_TOO_LARGE");
    assert!(failure["message"].as_str().unwrap().contains("its answer 512 more"), "{failure}");
    project.run(&["--context-tokens", "1000000"]).exits(3);
    for wrong in ["511", "100000001", "many"] {
        project.run(&["--context-tokens", wrong]).exits(2);
    }
}
