//! A change that is too long to be shown at once is opened whole: from another program, while
//! nothing runs, and only as long as it is the change that was asked about.

use host::host::{Host, HostOptions};
use kernel::code::ErrorCode;
use kernel::command::Query;
use kernel::ids::{ChangeId, ConversationId};
use kernel::wire::{Answer, RuntimeSnapshot, WholeChange};
use serde_json::{Value, json};
use std::sync::Arc;
use support::program::{Sandbox, Server, hello_branch};

fn numbered(what: &str) -> String {
    (0..2_600).map(|n| [what, " line ", &n.to_string(), "\n"].concat()).collect()
}

/// A run that waits for a yes to a long write, and the server that plays its model.
fn waits() -> (Sandbox, Server) {
    let sandbox = Sandbox::new();
    sandbox.run(&["settings", "set", "approval.writes", "ask"]).exits(0);
    sandbox.write("project/notes.md", numbered("old"));
    let write = json!({ "path": "@project/notes.md", "content": numbered("new") });
    let calls = json!({ "calls": [{ "name": "fs_write", "arguments": write }] });
    let server = Server::saying(&[calls, json!({ "text": "So." })]);
    let base_url = server.base_url();
    let model = ["--base-url", &base_url, "--model", "demo"];
    let run = ["run", &hello_branch(), "--input", "hello"];
    sandbox.run(&[&run[..], &model].concat()).exits(3);
    (sandbox, server)
}

/// Another program that looks at the run.
struct Looking {
    runtime: tokio::runtime::Runtime,
    host: Arc<Host>,
    conversation_id: ConversationId,
}

impl Looking {
    fn at(sandbox: &Sandbox) -> Self {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let options = HostOptions::new(sandbox.path("store"), "window");
        let host = runtime.block_on(Host::open(options)).unwrap();
        let conversation_id = ConversationId::new(format!("run-{}", sandbox.run_id())).unwrap();
        Self { runtime, host, conversation_id }
    }

    fn snapshot(&self) -> RuntimeSnapshot {
        let conversation_id = self.conversation_id.clone();
        match self.runtime.block_on(self.host.query(Query::Snapshot { conversation_id })).unwrap() {
            Answer::Snapshot(snapshot) => *snapshot,
            other => panic!("{other:?}"),
        }
    }

    fn open(&self, change_id: &ChangeId) -> Result<WholeChange, ErrorCode> {
        let (conversation_id, change_id) = (self.conversation_id.clone(), change_id.clone());
        let query = Query::WholeChange { conversation_id, change_id };
        match self.runtime.block_on(self.host.query(query)) {
            Ok(Answer::WholeChange(whole)) => Ok(whole),
            Ok(other) => panic!("{other:?}"),
            Err(failure) => {
                let words = failure.message_in(kernel::words::Lang::Zh);
                assert!(support::program::has_han(&words), "{words}");
                Err(failure.code)
            }
        }
    }
}

#[test]
fn looking_at_all_of_a_change_starts_nothing_and_means_the_change_that_was_asked_about() {
    let (sandbox, _server) = waits();
    let lines = sandbox.journal().len();
    let looking = Looking::at(&sandbox);
    let waiting = looking.snapshot().widget.unwrap();
    let change = waiting.change.unwrap();
    assert!(waiting.widget.cut && change.diff.len() < 70_000);
    let whole = looking.open(&change.id).unwrap();
    for (sign, what) in [("-", "old"), ("+", "new")] {
        let side: String = numbered(what).lines().map(|l| [sign, l, "\n"].concat()).collect();
        assert!(whole.diff.contains(&side), "{what}");
    }
    assert!(
        !serde_json::to_string(&change).unwrap().contains(&whole.whole),
        "only whoever opens it knows"
    );
    assert_eq!(looking.open(&change.id), Ok(whole.clone()));
    let other = ChangeId::new("another").unwrap();
    assert_eq!(looking.open(&other), Err(ErrorCode::WidgetNotFound));
    let file = sandbox.path("project/notes.md");
    for now in [numbered("old") + "x", String::new()] {
        std::fs::write(&file, now).unwrap();
        assert_eq!(looking.open(&change.id), Err(ErrorCode::PreconditionFailed));
    }
    std::fs::write(&file, [0xff]).unwrap();
    assert_eq!(looking.open(&change.id), Err(ErrorCode::PreconditionFailed));
    std::fs::remove_file(&file).unwrap();
    assert_eq!(looking.open(&change.id), Err(ErrorCode::PreconditionFailed));
    std::fs::create_dir(&file).unwrap();
    assert_eq!(looking.open(&change.id), Err(ErrorCode::Io));
    std::fs::remove_dir(&file).unwrap();
    std::fs::write(&file, numbered("old")).unwrap();
    assert_eq!(looking.open(&change.id), Ok(whole));
    assert_eq!(sandbox.journal().len(), lines, "looking writes nothing");
}

#[test]
fn a_change_that_was_opened_and_allowed_is_exported_and_comes_out_the_same() {
    let (sandbox, server) = waits();
    let looking = Looking::at(&sandbox);
    let change = looking.snapshot().widget.unwrap().change.unwrap();
    let WholeChange { whole, .. } = looking.open(&change.id).unwrap();
    let (conversation, base_url) = (looking.conversation_id.to_string(), server.base_url());
    let model = ["--base-url", &base_url, "--model", "demo", "--json"];
    let answer = |value: Value| {
        let value = value.to_string();
        sandbox.run(&[&["answer", &conversation, "--value", &value][..], &model].concat())
    };
    answer(json!({ "confirmed": true })).exits(5).error("WIDGET_VALUE_INVALID");
    let another = json!({ "confirmed": true, "whole": "0".repeat(64) });
    answer(another).exits(5).error("WIDGET_VALUE_INVALID");
    let yes = json!({ "confirmed": true, "whole": whole });
    answer(yes.clone());
    assert_eq!(std::fs::read_to_string(sandbox.path("project/notes.md")).unwrap(), numbered("new"));
    answer(yes).exits(5);
    let run = sandbox.run_id();
    let given = sandbox.run(&["runs", "show", &run, "--approvals", "--json"]).exits(0).json();
    assert_eq!((&given[0]["whole"], &given[0]["unseen"]), (&json!(true), &json!(false)));
    sandbox.run(&["runs", "export", &run, "-o", "run.crewrun"]).exits(0);
    let replay = sandbox.run(&["runs", "replay", "run.crewrun", "--json"]).exits(0).json();
    assert_eq!(replay["identical"], true, "{replay:#}");
}
