//! A call that the program dies on: tried once more, and then given up, so that the run goes on.

use serde_json::{Value, json};

use super::story::{Act, Story, scripted, words};
use support::program::{Sandbox, root};

#[test]
fn a_call_on_which_the_program_dies_twice_is_not_tried_a_third_time() {
    let sandbox = Sandbox::in_memory();
    let write = |content: &str| {
        json!({ "name": "fs_write", "arguments": {
            "path": "@project/artifacts/note.md", "content": content,
        } })
    };
    let script = json!([
        { "text": "I begin.", "calls": [write("old\n")] },
        { "text": "I write again.", "calls": [write("new\n")] },
        { "text": "Then I do it in another way.", "calls": [write("other\n")] },
        { "text": "There it is." },
    ]);
    let package = sandbox.path("work/package");
    scripted(&root().join("tests/fixtures/packages/mini"), &package, &script, &[]);
    let story = Story::new("given-up", vec![Act::Run(package)]);
    // The second write replaces a file, whose bytes are kept first: there the program dies.
    let dies = [("CREWAGENT_CRASH_AT", "checkpoint.before_rename")];
    let play = |command: &[String], env: &[(&str, &str)]| sandbox.run_with(&words(command), env);
    let ended = || -> Vec<Value> {
        let events = sandbox.journal_events().into_iter();
        let ended = events.filter(|event| event["event"] == "call_ended");
        ended.map(|event| event["data"]["result"]["error"]["code"].clone()).collect()
    };

    assert_eq!(play(&story.command(&sandbox, 0), &dies).code, None, "it was killed");
    assert_eq!(ended(), [Value::Null]);
    let resume = story.next(&sandbox, 0).unwrap();
    assert_eq!(play(&resume, &dies).code, None, "resumed, it was killed again");
    assert_eq!(ended(), [Value::Null], "the first time it may have been anything");

    play(&story.next(&sandbox, 0).unwrap(), &[]).exits(3);
    assert_eq!(ended(), [Value::Null, json!("E_INTERRUPTED"), Value::Null]);
    let note = sandbox.project().join("artifacts/note.md");
    assert_eq!(std::fs::read_to_string(note).unwrap(), "other\n");
}
