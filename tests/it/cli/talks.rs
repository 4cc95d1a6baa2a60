//! `chat`, `agent`, `run --conversation`: a talk outside of a run, an agent's menu, and a run that
//! joins, with real processes, real files and a real server on loopback.

use rstest::rstest;
use serde_json::{Value, json};
use support::program::{Done, Sandbox, Server, root};

/// An agent with a menu, and a model that answers with these.
struct Talk {
    sandbox: Sandbox,
    server: Server,
    package: String,
}

impl Talk {
    fn with(replies: &[Value]) -> Self {
        let package = root().join("tests/fixtures/packages/menu").to_string_lossy().into_owned();
        Self { sandbox: Sandbox::new(), server: Server::saying(replies), package }
    }

    fn run(&self, args: &[&str]) -> Done {
        let url = self.server.base_url();
        self.sandbox.run(&[args, &["--base-url", &url, "--model", "test"]].concat())
    }

    fn ann(&self) -> String {
        format!("{}:ann", self.package)
    }

    /// The id of the newest conversation.
    fn id(&self) -> String {
        let listed = self.sandbox.run(&["conversations", "list", "--json"]).exits(0).json();
        listed["conversations"][0]["conversationId"].as_str().unwrap().to_owned()
    }

    /// What the person said last, as the model was told it.
    fn told(&self) -> String {
        let request = self.server.requests().pop().expect("the model was asked");
        let messages = request["messages"].as_array().unwrap().clone();
        let user = messages.iter().rev().find(|message| message["role"] == "user").unwrap();
        user["content"].as_str().unwrap().to_owned()
    }

    fn system(&self) -> String {
        let request = self.server.requests().pop().expect("the model was asked");
        let messages = request["messages"].as_array().unwrap().clone();
        let system = messages.iter().filter(|message| message["role"] == "system");
        system.map(|message| message["content"].as_str().unwrap()).collect::<Vec<_>>().join("\n")
    }
}

fn text(text: &str) -> Value {
    json!({ "text": text })
}

fn call(name: &str, arguments: &Value) -> Value {
    json!({ "calls": [{ "name": name, "arguments": arguments }] })
}

#[test]
fn a_chat_has_tools_and_no_persona_and_ends_with_0() {
    let write = json!({ "path": "@project/artifacts/idea.md", "content": "Tides.\n" });
    let talk = Talk::with(&[
        call("fs_write", &write),
        text("It is written."),
        call("fs_read", &json!({ "path": "@state/workflow.md" })),
        text("There is no run."),
    ]);
    let done = talk.run(&["chat", "--input", "Write an idea.", "--input", "And the state?"]);
    let said = done.exits(0).stdout;
    assert!(said.contains("It is written.") && said.contains("There is no run."), "{said}");
    assert_eq!(talk.sandbox.artifacts()["artifacts/idea.md"], "Tides.\n");
    assert!(!talk.system().contains("# Persona"), "a chat has none");
    let refused = talk
        .sandbox
        .journal_events()
        .into_iter()
        .find(|event| event["event"] == "call_ended" && event["data"]["tool"] == "fs.read");
    assert_eq!(refused.unwrap()["data"]["result"]["error"]["code"], "E_SANDBOX_VIOLATION");
    assert_eq!(talk.sandbox.rows("runs"), 0);
}

#[test]
fn a_chat_goes_on_later_with_its_files_and_is_exported_and_deleted() {
    let write = json!({ "path": "@project/artifacts/idea.md", "content": "Tides.\n" });
    let talk = Talk::with(&[call("fs_write", &write), text("Done."), text("Tides, I said.")]);
    talk.run(&["chat", "--input", "Write an idea."]).exits(0);
    let id = talk.id();
    let said = talk.run(&["say", &id, "Which one?"]).exits(0).stdout;
    assert!(said.contains("Tides, I said."), "{said}");
    let listed = talk.sandbox.run(&["conversations", "list", "--json"]).exits(0).json();
    let row = &listed["conversations"][0];
    assert_eq!((&row["mode"], &row["title"]), (&json!("chat"), &json!("Write an idea.")));
    assert_eq!(row["talk"]["reason"], "answered");
    let folder = talk.sandbox.path("store/projects");
    let kept =
        || walkdir(&folder).iter().any(|file| file.contains(".zst") || file.contains("chat-"));
    assert!(kept(), "{:?}", walkdir(&folder));
    talk.sandbox.run(&["conversations", "delete", &id, "--yes"]).exits(0);
    assert!(!kept(), "{:?}", walkdir(&folder));
}

fn walkdir(folder: &std::path::Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        found.push(entry.path().to_string_lossy().into_owned());
        if entry.path().is_dir() {
            found.extend(walkdir(&entry.path()));
        }
    }
    found
}

#[test]
fn an_agent_shows_its_menu_first_and_asks_no_model() {
    let talk = Talk::with(&[]);
    let said = talk.run(&["agent", &talk.ann()]).exits(0).stdout;
    assert!(said.contains("1. note  Write a note"), "{said}");
    assert!(!said.contains("Only on a page"), "{said}");
    assert_eq!(talk.server.asked(), 0);
    let shown = talk.run(&["agent", &talk.ann(), "--json"]).exits(0);
    let routed = shown.events().into_iter().find(|event| !event["routed"].is_null()).unwrap();
    assert_eq!(routed["routed"]["kind"], "menu");
    assert_eq!(routed["routed"]["items"].as_array().unwrap().len(), 10);
}

#[test]
fn several_rows_that_may_be_meant_are_asked_about_and_a_number_says_which() {
    let talk = Talk::with(&[text("Here are three.")]);
    let said = talk.run(&["chat", "--agent", &talk.ann(), "--input", "lost", "--input", "3"]);
    let said = said.exits(0).stdout;
    assert!(said.contains("4. lost-prompt") && said.contains("5. lost-workflow"), "{said}");
    assert!(talk.told().contains("Research what I name"), "{}", talk.told());
    assert_eq!(talk.server.asked(), 1);
}

#[test]
fn what_no_row_means_is_said_to_the_agent() {
    let talk = Talk::with(&[text("I am Ann.")]);
    let said = talk.run(&["agent", &talk.ann(), "--input", "Who are you?"]).exits(0).stdout;
    assert!(said.contains("I am Ann."), "{said}");
    assert!(talk.system().contains("A careful writer"));
    assert_eq!(talk.told(), "USER_INPUT\nWho are you?");
}

#[test]
fn a_prompt_is_told_in_the_persons_place_and_their_words_follow() {
    let talk = Talk::with(&[text("Three sources.")]);
    talk.run(&["agent", &talk.ann(), "--input", "research\nAbout bees."]).exits(0);
    let told = talk.told();
    assert!(told.contains("list three sources.\n\nAbout bees."), "{told}");
    let said = talk.sandbox.journal_events();
    let said = said.iter().find(|event| event["event"] == "user_said").unwrap();
    assert_eq!(said["data"]["text"], "research\n\nAbout bees.");
}

#[test]
fn a_script_is_followed_with_its_data() {
    let talk = Talk::with(&[text("Your first idea?")]);
    talk.run(&["agent", &talk.ann(), "--input", "storm"]).exits(0);
    let told = talk.told();
    assert!(told.contains("EXEC_SCRIPT\n- script: @pkg/tasks/brainstorm.md"), "{told}");
    assert!(told.contains("Ask for three ideas"), "{told}");
    assert!(told.contains("DATA_CONTEXT\n- label: bees.md\n- path: @pkg/data/bees.md"), "{told}");
    assert!(told.contains("Bees dance"), "{told}");
}

#[rstest]
#[case("lost-prompt", "UNKNOWN_PROMPT_ID")]
#[case("lost-workflow", "UNKNOWN_WORKFLOW")]
#[case("classic", "NOT_SUPPORTED_CLASSIC_WORKFLOW")]
#[case("lost-data", "DATA_LOAD_FAILED")]
fn what_a_menu_names_and_is_not_there_is_an_error_and_the_talk_goes_on(
    #[case] words: &str,
    #[case] code: &str,
) {
    let talk = Talk::with(&[text("I am still here.")]);
    let failed = talk.run(&["agent", &talk.ann(), "--json", "--input", words]).exits(5);
    failed.error(code);
    talk.sandbox.shows_no_real_path(&failed.stdout);
    assert_eq!(talk.server.asked(), 0);
    let said = talk.run(&["say", &talk.id(), "Are you there?"]).exits(0).stdout;
    assert!(said.contains("I am still here."), "{said}");
}

#[rstest]
#[case("note\nAbout bees.")]
#[case("1\nAbout bees.")]
#[case("entry\nAbout bees.")]
fn a_workflow_begins_in_the_same_conversation(#[case] words: &str) {
    let talk = Talk::with(&[text("Which topic?"), text("A good one.")]);
    talk.run(&["agent", &talk.ann(), "--input", words]).exits(3);
    assert_eq!((talk.sandbox.rows("conversations"), talk.sandbox.rows("runs")), (1, 1));
    assert!(talk.told().contains("forNodeId: ask") && talk.told().contains("About bees."));
    let id = talk.id();
    let runs = talk.sandbox.run(&["runs", "list", "--json"]).exits(0).stdout;
    assert!(runs.contains(&id), "{runs}");
    let goes_on = talk.run(&["say", &id, "Bees."]).exits(3).stdout;
    assert!(goes_on.contains("A good one."), "{goes_on}");
}

#[test]
fn resume_goes_on_with_the_newest_run_of_the_project_and_bye_lets_the_agent_go() {
    let talk = Talk::with(&[text("Which topic?"), text("You are welcome.")]);
    talk.run(&["run", &talk.package]).exits(3);
    let run = talk.sandbox.run_id();
    let resumed = talk.run(&["agent", &talk.ann(), "--json", "--input", "resume"]);
    assert!(resumed.stdout.contains(&format!("run-{run}")), "{}", resumed.stdout);
    talk.run(&["agent", &talk.ann(), "--input", "bye", "--input", "Thank you."]).exits(0);
    assert!(!talk.system().contains("# Persona"), "nobody but the model answers");
}

#[test]
fn words_with_resume_are_said_to_the_run_and_words_with_bye_to_the_model() {
    let talk = Talk::with(&[text("Which topic?"), text("Bees it is."), text("You are welcome.")]);
    talk.run(&["run", &talk.package]).exits(3);
    let resumed = talk.run(&["agent", &talk.ann(), "--input", "resume\nBees, please."]);
    assert!(resumed.stdout.contains("Bees it is."), "{}", resumed.stdout);
    assert!(talk.told().contains("forNodeId: ask") && talk.told().contains("Bees, please."));
    talk.run(&["agent", &talk.ann(), "--input", "bye\nThank you."]).exits(0);
    assert_eq!(talk.told(), "USER_INPUT\nThank you.");
    assert!(!talk.system().contains("# Persona"), "nobody but the model answers");
}

#[test]
fn what_is_said_after_resume_is_said_to_the_run() {
    let talk = Talk::with(&[text("I listen."), text("Bees it is.")]);
    talk.run(&["run", &talk.package]).exits(3);
    let said = ["--input", "Who are you?", "--input", "resume", "--input", "Bees."];
    let ann = talk.ann();
    let done = talk.run(&[&["agent", &ann][..], &said].concat());
    assert!(done.stdout.contains("Bees it is."), "{}", done.stdout);
    assert!(talk.told().contains("forNodeId: ask") && talk.told().contains("Bees."));
}

#[test]
fn without_a_run_there_is_nothing_to_resume() {
    let talk = Talk::with(&[]);
    talk.run(&["agent", &talk.ann(), "--json", "--input", "/resume"])
        .exits(5)
        .error("RUN_NOT_FOUND");
}

#[test]
fn in_a_run_only_the_programs_own_commands_are_no_words() {
    let talk = Talk::with(&[text("Which topic?"), text("A note it is.")]);
    talk.run(&["run", &talk.package]).exits(3);
    let id = format!("run-{}", talk.sandbox.run_id());
    let menu = talk.run(&["say", &id, "/menu"]).exits(0).stdout;
    assert!(menu.contains("1. note"), "{menu}");
    assert_eq!(talk.server.asked(), 1, "nothing was said");
    talk.run(&["say", &id, "note"]).exits(3);
    assert!(talk.told().ends_with("note"), "{}", talk.told());
}

#[test]
fn a_run_joins_a_conversation_and_another_one_once_it_is_over() {
    let talk = Talk::with(&[
        text("Hello."),
        text("Which topic?"),
        text("That is all."),
        text("Which topic now?"),
    ]);
    talk.run(&["chat", "--input", "Hello?"]).exits(0);
    let id = talk.id();
    talk.run(&["run", &talk.package, "--conversation", &id]).exits(3);
    let refused = talk.run(&["run", &talk.package, "--conversation", &id, "--json"]).exits(5);
    let error = refused.error("NOT_NOW");
    assert!(error["action"].as_str().unwrap().contains("Finish or end that run first"), "{error}");
    assert_eq!(talk.sandbox.rows("runs"), 1);
    let first = talk.sandbox.run_id();
    talk.sandbox.run(&["runs", "end", &first]).exits(0);
    talk.run(&["chat", "--conversation", &id, "--input", "Was that all?"]).exits(0);
    talk.run(&["run", &talk.package, "--conversation", &id]).exits(3);
    assert_eq!((talk.sandbox.rows("runs"), talk.sandbox.rows("conversations")), (2, 1));
    let messages = talk.sandbox.run(&["conversations", "show", &id, "--json"]).exits(0).json();
    let messages = messages["messages"].as_array().unwrap();
    let origin = |text: &str| {
        let found = messages.iter().find(|m| m["content"].as_str().unwrap().contains(text));
        let found = found.unwrap_or_else(|| panic!("{text}: {messages:#?}"));
        (found["mode"].as_str().unwrap().to_owned(), found["runId"].as_str().map(str::to_owned))
    };
    assert_eq!(origin("Hello."), ("chat".into(), None));
    assert_eq!(origin("Which topic?"), ("run".into(), Some(first.clone())));
    assert_eq!(origin("That is all."), ("chat".into(), None));
    let (mode, second) = origin("Which topic now?");
    assert_eq!(mode, "run");
    assert!(second.is_some_and(|second| second != first), "each run is named");
}

#[rstest]
#[case("bob", 5)]
#[case("", 2)]
fn an_agent_that_is_not_there_is_named_with_those_that_are(#[case] agent: &str, #[case] exit: i32) {
    let talk = Talk::with(&[]);
    let named = format!("{}:{agent}", talk.package);
    let refused = talk.run(&["agent", &named, "--json"]).exits(exit);
    if exit == 5 {
        let error = refused.error("AGENT_NOT_FOUND");
        assert!(error["action"].as_str().unwrap().contains("ann"), "{error}");
    }
    assert_eq!(talk.sandbox.rows("conversations"), 0);
}

#[test]
fn errors_of_the_model_pass_through() {
    let talk = Talk::with(&[]);
    let url = "http://127.0.0.1:9";
    let failed =
        talk.sandbox.run(&["chat", "--input", "Hello?", "--base-url", url, "--model", "test"]);
    assert_eq!(failed.exits(6).stdout.matches("conversation").count(), 0);
}

#[test]
fn a_run_of_another_package_joins_with_its_own_files_and_log() {
    let read = json!({ "path": "@project/artifacts/note.md" });
    let write = json!({ "path": "@project/artifacts/note.md", "content": "Rain.\n" });
    let talk = Talk::with(&[
        call("fs_write", &write),
        text("Which topic?"),
        call("fs_read", &read),
        text("Which topic now?"),
        text("As you say."),
    ]);
    let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
    talk.run(&["run", &mini, "--approve", "auto"]).exits(3);
    let first = talk.sandbox.run_id();
    let id = format!("run-{first}");
    talk.sandbox.run(&["runs", "end", &first]).exits(0);
    let joined = talk.run(&["run", &talk.package, "--conversation", &id, "--json"]).exits(3);
    let second = joined.events()[0]["runId"].as_str().unwrap().to_owned();
    assert_ne!(second, first, "each line names the run that it is about");
    let runs = talk.sandbox.path("store/projects");
    let logs: Vec<String> =
        walkdir(&runs).into_iter().filter(|file| file.ends_with("execution.jsonl")).collect();
    let log = |run: &str| {
        let file = logs.iter().find(|file| file.contains(run)).unwrap();
        std::fs::read_to_string(file).unwrap()
    };
    assert!(
        log(&first).contains("fs.write") && !log(&first).contains("fs.read"),
        "{}",
        log(&first)
    );
    assert!(log(&second).contains("fs.read") && !log(&second).contains("fs.write"));
    let changes = talk.sandbox.run(&["runs", "diff", &second, "--json"]).exits(0).stdout;
    assert!(!changes.contains("note.md"), "what the run before made is not of this one: {changes}");
    let said = talk.run(&["say", &id, "Bees."]).exits(3).stdout;
    assert!(said.contains("As you say."), "{said}");
    let refused = talk.sandbox.run(&["runs", "export", &second, "-o", "out.crewrun", "--json"]);
    let error = refused.exits(5).error("NOT_NOW");
    assert!(error["action"].as_str().unwrap().contains("messages"), "{error}");
}

#[test]
fn which_run_is_the_newest_says_the_journal_and_not_the_clock() {
    let talk = Talk::with(&[text("Which topic?"), text("Which topic now?"), text("Bees it is.")]);
    talk.run(&["run", &talk.package]).exits(3);
    let first = talk.sandbox.run_id();
    let id = format!("run-{first}");
    talk.sandbox.run(&["runs", "end", &first]).exits(0);
    talk.run(&["run", &talk.package, "--conversation", &id]).exits(3);
    let later = "UPDATE runs SET created_at = created_at + 3600000 WHERE id = ?1";
    talk.sandbox.database().execute(later, [&first]).unwrap();
    let said = talk.run(&["say", &id, "Bees.", "--json"]).exits(3);
    let names =
        |event: &Value| event["event"] == "state_changed" || event["event"] == "state_rejected";
    assert!(!said.events().iter().any(names), "{}", said.stdout);
    assert!(said.stdout.contains("Bees it is."));
}

#[test]
fn a_demo_joins_nothing_and_nobody_turns_from_one_that_is_not_over() {
    let talk = Talk::with(&[text("Hello.")]);
    talk.run(&["chat", "--input", "Hello?"]).exits(0);
    let id = talk.id();
    let demo = ["run", "hello-linear", "--model", "demo", "--json"];
    let refused = talk.sandbox.run(&[&demo[..], &["--conversation", &id]].concat());
    refused.exits(5).error("NOT_NOW");
    talk.sandbox.run(&[&demo[..], &["--input", "A list"]].concat()).exits(3);
    let own = talk.id();
    assert_ne!(own, id);
    talk.sandbox.run(&["chat", "--conversation", &own, "--json"]).exits(5).error("NOT_NOW");
}

#[test]
fn who_names_a_run_means_it_and_not_the_chat_beside_it() {
    let talk = Talk::with(&[text("Which topic?"), text("Hello."), text("A note on rain.")]);
    talk.run(&["run", &talk.package]).exits(3);
    let run = talk.sandbox.run_id();
    let id = format!("run-{run}");
    talk.run(&["chat", "--conversation", &id, "--input", "Hello?"]).exits(0);
    talk.run(&["runs", "resume", &run, "--input", "Rain."]).exits(3);
    assert!(talk.told().contains("forNodeId: ask"), "{}", talk.told());
    talk.run(&["chat", "--conversation", &id]).exits(0);
    talk.sandbox.run(&["runs", "end", &run]).exits(0);
}

#[test]
fn resume_at_a_run_that_waits_is_the_persons_move() {
    let talk = Talk::with(&[text("Which topic?"), text("Hello."), text("Rain, then.")]);
    talk.run(&["run", &talk.package]).exits(3);
    let id = format!("run-{}", talk.sandbox.run_id());
    talk.run(&["chat", "--conversation", &id, "--input", "Hello?"]).exits(0);
    let said = talk.run(&["say", &id, "/resume"]).exits(0).stdout;
    assert!(said.contains("it is your move"), "{said}");
    talk.run(&["chat", "--conversation", &id]).exits(0);
    let said = talk.run(&["chat", "--conversation", &id, "--input", "/resume", "--input", "Rain."]);
    assert!(said.stdout.contains("Rain, then."), "{}", said.stdout);
}
