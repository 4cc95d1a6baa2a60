//! Servers of the Model Context Protocol, through the host, with real processes: servers that other
//! people use, and one that does what it is told to.

mod asks;
mod ends;
mod hostile;
mod http;
mod lists;
mod progress;
mod prompts;
mod real;
mod renewing;
mod sign_in;
mod token_server;
mod trust;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use host::host::{Host, HostOptions, ModelChoice, Patience};
use host::llm::DemoServer;
use kernel::code::Failure;
use kernel::command::{Command, Query, SeenServer, ServerCommand, SessionCommand};
use kernel::event::{CallEnded, Event, Line, Phase};
use kernel::ids::{ConversationId, ProjectId};
use kernel::mcp::{LaunchDraft, ServerDraft, ServerName, ServerValue};
use kernel::mode::Mode;
use kernel::settings::ModelSettings;
use kernel::trace::Trace;
use kernel::wire::{Answer, Frame, Item, ItemBody, ServerTrust, ServerView};
use serde_json::{Value, json};
use support::program::{program, root};

/// How long servers are waited for here: long enough for a slow machine, short enough for a test.
const PATIENCE: Patience = Patience {
    start: Duration::from_secs(6),
    call: Duration::from_secs(6),
    call_in_all: Duration::from_secs(14),
};

/// A host with a project, and a model that answers with what a test says.
struct Place {
    folder: tempfile::TempDir,
    host: Arc<Host>,
    model: DemoServer,
    project: ProjectId,
}

/// What a model says.
fn text(words: &str) -> Value {
    json!({ "text": words })
}

/// A call of a tool.
fn call(tool: &str, arguments: &Value) -> Value {
    json!({ "calls": [{ "name": tool, "arguments": arguments }] })
}

/// The program that does what its first argument says.
fn hostile() -> String {
    let beside = program().with_file_name("hostile-mcp-server");
    assert!(beside.exists(), "cargo build -p crewagent-test-support makes it");
    beside.to_string_lossy().into_owned()
}

/// A folder of the servers that `./dev` installs for tests.
fn installed(path: &str) -> String {
    let path = root().join("tests/mcp-servers").join(path);
    assert!(path.exists(), "{} is there once `./dev test` has installed it", path.display());
    path.to_string_lossy().into_owned()
}

impl Place {
    async fn with(replies: &[Value]) -> Self {
        Self::in_folder(tempfile::tempdir().unwrap(), replies).await
    }

    async fn in_folder(folder: tempfile::TempDir, replies: &[Value]) -> Self {
        let turns: Vec<Value> = replies.iter().map(|reply| json!({ "reply": reply })).collect();
        let trace = json!({ "schemaVersion": "1", "turns": turns }).to_string();
        let model = DemoServer::start_with(Trace::parse(&trace).unwrap(), Vec::new());
        let model = model.await.unwrap();
        let host = open(folder.path(), &model).await;
        let path = folder.path().join("project");
        std::fs::create_dir_all(&path).unwrap();
        let path = path.to_string_lossy().into_owned();
        let opened = host.submit(Command::OpenProject { path, create: true }).await.unwrap();
        let project = opened.project_id.unwrap();
        Self { folder, host, model, project }
    }

    /// The same store, opened by a program that is started anew.
    async fn opened_again(self) -> Self {
        let Self { folder, host, model, project } = self;
        host.close().await;
        drop(host);
        let host = open(folder.path(), &model).await;
        Self { folder, host, model, project }
    }

    fn project_folder(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    async fn servers(&self, command: ServerCommand) -> Result<(), Failure> {
        self.host.submit(Command::Servers { command }).await.map(drop)
    }

    async fn add(&self, name: &str, command: &str, args: &[&str]) {
        self.add_with(name, command, args, &[]).await;
    }

    async fn add_with(&self, name: &str, command: &str, args: &[&str], env: &[(&str, &str)]) {
        let value = |text: &str| Some(ServerValue::new(text));
        let env: BTreeMap<_, _> =
            env.iter().map(|(key, text)| ((*key).to_owned(), value(text))).collect();
        let args = args.iter().map(|arg| (*arg).to_owned()).collect();
        let launch = LaunchDraft::Command { command: command.to_owned(), args, env };
        let server = ServerDraft { name: named(name), launch };
        self.servers(ServerCommand::Save { server, replaces: None }).await.unwrap();
    }

    /// A server that does what a scenario says.
    async fn add_hostile(&self, scenario: &[&str]) {
        self.add("s", &hostile(), scenario).await;
    }

    async fn list(&self) -> Vec<ServerView> {
        let query = Query::Servers { project_id: Some(self.project.clone()) };
        match self.host.query(query).await.unwrap() {
            Answer::Servers(servers) => servers,
            other => panic!("{other:?}"),
        }
    }

    async fn view(&self, name: &str) -> ServerView {
        self.list().await.into_iter().find(|server| server.name.as_str() == name).unwrap()
    }

    async fn test(&self, name: &str) -> Result<(), Failure> {
        let project_id = Some(self.project.clone());
        self.servers(ServerCommand::Test { name: named(name), project_id }).await
    }

    /// Looks at a server, and trusts it as it is.
    async fn trust(&self, name: &str) {
        self.test(name).await.unwrap();
        let sha256 = self.view(name).await.sha256.expect("its tools are known");
        let servers = vec![SeenServer { name: named(name), sha256 }];
        let project_id = self.project.clone();
        self.servers(ServerCommand::Trust { project_id, servers, trusted: true }).await.unwrap();
        assert_eq!(self.view(name).await.trust, ServerTrust::Trusted);
    }

    /// Begins a chat with these words, and waits until it is the person's move.
    async fn chat(&self, input: &str) -> Chat<'_> {
        let chat = self.begin(input).await;
        chat.rests().await;
        chat
    }

    /// Begins a chat with these words, and waits for nothing.
    async fn begin(&self, input: &str) -> Chat<'_> {
        let (project_id, input) = (self.project.clone(), Some(input.to_owned()));
        let begin = Command::BeginConversation { project_id, with: Mode::Chat, input };
        let id = self.host.submit(begin).await.unwrap().conversation_id.unwrap();
        Chat { place: self, id }
    }

    /// What the model was asked last.
    fn asked_last(&self) -> Value {
        self.model.requests().pop().expect("the model was asked")
    }

    /// The names of the tools that it was offered last.
    fn offered(&self) -> Vec<String> {
        let request = self.asked_last();
        let tools = request["tools"].as_array().cloned().unwrap_or_default();
        tools.iter().map(|tool| tool["function"]["name"].as_str().unwrap().to_owned()).collect()
    }
}

async fn open(folder: &Path, model: &DemoServer) -> Arc<Host> {
    let settings = ModelSettings {
        base_url: model.base_url(),
        model: "test".to_owned(),
        ..ModelSettings::default()
    };
    let options = HostOptions {
        model: ModelChoice::Endpoint(settings, None),
        patience: PATIENCE,
        ..HostOptions::new(folder.join("store"), "cli")
    };
    Host::open(options).await.unwrap()
}

fn named(name: &str) -> ServerName {
    ServerName::new(name).unwrap()
}

/// A conversation.
struct Chat<'p> {
    place: &'p Place,
    id: ConversationId,
}

impl Chat<'_> {
    /// Waits until it is the person's move; what is shown then.
    async fn rests(&self) -> Vec<Item> {
        let waits = async {
            loop {
                let mut frames = self.place.host.watch(&self.id).await.unwrap();
                let Some(Frame::Snapshot { items, status, .. }) = frames.recv().await else {
                    panic!("a watcher is sent everything first");
                };
                let phase = status.talk.as_ref().map(|talk| talk.phase);
                let phase = phase.or(status.run.as_ref().map(|run| run.phase));
                if phase != Some(Phase::Running) {
                    return items;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_mins(1), waits).await.expect("it comes to rest")
    }

    async fn tell(&self, command: SessionCommand) -> Result<(), Failure> {
        self.place.host.submit(command.to(self.id.clone())).await.map(drop)
    }

    async fn say(&self, words: &str) -> Vec<Item> {
        self.tell(SessionCommand::Say { text: words.to_owned() }).await.unwrap();
        self.rests().await
    }

    async fn lines(&self) -> Vec<Arc<Line>> {
        let mut follower = self.place.host.follow(&self.id, 0).await.unwrap();
        let mut lines = Vec::new();
        while let Ok(Some(line)) =
            tokio::time::timeout(Duration::from_millis(200), follower.recv()).await
        {
            lines.push(line.unwrap());
        }
        lines
    }

    /// The calls that came to an end.
    async fn ended(&self) -> Vec<CallEnded> {
        let lines = self.lines().await;
        let events = lines.iter().flat_map(|line| line.events.iter());
        let ended = events.filter_map(|event| match event {
            Event::CallEnded(e) => Some(e.clone()),
            _ => None,
        });
        ended.collect()
    }

    /// Waits until a call has begun.
    async fn is_at_work(&self, tool: &str) {
        let begins = async {
            while !self
                .lines()
                .await
                .iter()
                .flat_map(|line| &line.events)
                .any(|event| matches!(event, Event::CallBegan(_)))
            {}
        };
        let begun = tokio::time::timeout(Duration::from_secs(30), begins).await;
        begun.unwrap_or_else(|_| panic!("{tool} begins"));
    }

    /// The result of the only call.
    async fn result(&self) -> Value {
        let ended = self.ended().await;
        assert_eq!(ended.len(), 1, "{ended:?}");
        ended[0].result.clone()
    }

    /// The code of the only call, which failed.
    async fn code(&self) -> String {
        let result = self.result().await;
        result["error"]["code"].as_str().unwrap_or_else(|| panic!("{result}")).to_owned()
    }

    /// The question that waits, when one does.
    async fn question(&self) -> Option<Item> {
        let asks = |item: &Item| matches!(&item.body, ItemBody::Question { .. }) && item.asks();
        self.rests().await.into_iter().find(asks)
    }
}

/// The words of a result.
fn words(result: &Value) -> String {
    let content = result["content"].as_array().unwrap_or_else(|| panic!("{result}"));
    let texts = content.iter().filter_map(|piece| piece["text"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}
