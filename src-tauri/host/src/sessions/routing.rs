//! What becomes of words: an agent's menu may know them, or the program itself; everything else is
//! said (reference "Entry points", §6.4 to §6.6).

use kernel::code::{ErrorCode, Failure};
use kernel::command::{Receipt, Routed};
use kernel::engine::{ExecutionEngine, Input, WordsWithFiles};
use kernel::event::{Phase, Reason};
use kernel::ids::{AgentId, ConversationId, PackageId, ProjectId, WorkflowId};
use kernel::mcp::prompt_call;
use kernel::menu::{self, GlobalCommand, MenuAction, Resolved};
use kernel::mode::Mode;
use kernel::package::{Agent, MenuLine, Package, visible};
use kernel::path::{AliasPath, Mount};
use kernel::phrase::{engine as engine_said, routing as said};
use kernel::policy::ToolPolicy;
use serde_json::json;
use std::sync::Arc;
use tokio::sync::oneshot;

use super::Sessions;
use super::mailbox::{RunnerMessage, task_ended};
use super::server_prompts::CalledPrompt;
use super::starting::RunRequest;
use crate::blocking::on_disk;
use crate::tools::ToolHost;

/// Who is spoken to.
struct Listener {
    conversation: ConversationId,
    mode: Mode,
    package: Arc<Package>,
    /// The agent that speaks now, in a run too.
    agent: Option<Agent>,
    policy: Option<ToolPolicy>,
    tools: Arc<ToolHost>,
    /// Sequence number of the event that comes next.
    next_seq: u64,
}

/// A row of a menu that was called.
struct CalledRow {
    /// What the person is seen to have said.
    words: String,
    action: MenuAction,
    data: Option<String>,
    details: String,
}

impl Sessions {
    /// Begins a conversation with an agent, or with the model alone.
    pub(crate) async fn begin_talk(
        &self,
        project_id: ProjectId,
        with: Mode,
        input: Option<String>,
    ) -> Result<Receipt, Failure> {
        // An agent's menu may know the first words, or they call a prompt of a server.
        let call = input.as_deref().and_then(prompt_call).filter(|_| with == Mode::Chat);
        if let Some((called, words)) = call {
            // A call that is written wrong leaves no conversation behind.
            let servers = self.prompting_servers(&project_id).await?;
            self.prompt_called(&servers, called, words).await?;
        }
        let is_said = with == Mode::Chat && call.is_none();
        let (input, first) = if is_said { (input, None) } else { (None, input) };
        let id = self.make_talk(&project_id, with, input).await?;
        let said = match first {
            Some(words) => self.say(&id, words).await?,
            None => Receipt { conversation_id: Some(id), ..Receipt::default() },
        };
        Ok(Receipt { project_id: Some(project_id), ..said })
    }

    /// Says something to a conversation, or does what it means to the agent's menu.
    pub(super) async fn say(
        &self,
        conversation: &ConversationId,
        text: String,
    ) -> Result<Receipt, Failure> {
        let listener = self.listener(conversation).await?;
        if let Some((called, words)) = prompt_call(&text) {
            let (called, words) = (called.to_owned(), words.to_owned());
            let servers = listener.policy.iter().flat_map(ToolPolicy::servers).cloned().collect();
            let (to, seq) = (listener.mode, listener.next_seq);
            let call = CalledPrompt { text, called, words, to, seq, servers };
            Box::pin(self.say_prompt(conversation, &listener.tools, call)).await?;
            return Ok(receipt(conversation, Routed::Said));
        }
        let resolved = match (&listener.mode, &listener.agent) {
            (Mode::Agent { .. }, Some(agent)) => menu::resolve(&agent.menu, &text),
            _ => GlobalCommand::of(&text).map_or(Resolved::Chat, Resolved::Command),
        };
        match resolved {
            Resolved::Chat => {
                let to = Some(listener.mode);
                let words = WordsWithFiles { text, to, ..WordsWithFiles::default() };
                self.ask(conversation, Input::Say(words)).await?;
                Ok(receipt(conversation, Routed::Said))
            }
            Resolved::ShowMenu => Ok(listener.menu()),
            Resolved::Clarify(items) => Ok(receipt(conversation, Routed::Choice { items })),
            Resolved::Command(command) => {
                Box::pin(self.command(&listener, command, String::new())).await
            }
            Resolved::Item { line, action, data, details } => {
                let words = said_by(&line, &details);
                let row = CalledRow { words, action, data, details };
                Box::pin(self.row(&listener, row)).await
            }
        }
    }

    async fn listener(&self, conversation: &ConversationId) -> Result<Listener, Failure> {
        let mailbox = self.mailbox(conversation).await?;
        let (answer, answered) = oneshot::channel();
        let told = move |engine: &ExecutionEngine, tools: &Arc<ToolHost>| {
            let package = Arc::clone(engine.package());
            let agent = engine.effective_agent().and_then(|id| package.agent(id)).cloned();
            _ = answer.send(Listener {
                conversation: engine.conversation().clone(),
                mode: engine.core().mode.clone(),
                policy: engine.policy(),
                tools: Arc::clone(tools),
                next_seq: engine.core().seq,
                agent,
                package,
            });
        };
        mailbox.send(RunnerMessage::Read(Box::new(told))).map_err(|_| task_ended())?;
        answered.await.map_err(|_| task_ended())
    }

    /// Does what a command says; the words that come with it are said to whom it leads.
    async fn command(
        &self,
        listener: &Listener,
        command: GlobalCommand,
        words: String,
    ) -> Result<Receipt, Failure> {
        let conversation = &listener.conversation;
        match command {
            GlobalCommand::Menu => Ok(listener.menu()),
            GlobalCommand::Stop => {
                self.stop(conversation).await?;
                Ok(receipt(conversation, Routed::Stopped))
            }
            GlobalCommand::Resume => self.resume_newest(listener, words).await,
            GlobalCommand::Dismiss => {
                self.talk_with(conversation, Mode::Chat).await?;
                if words.is_empty() {
                    return Ok(receipt(conversation, Routed::Dismissed));
                }
                self.ask(conversation, Input::Say(words.into())).await?;
                Ok(receipt(conversation, Routed::Said))
            }
        }
    }

    /// Goes on with the newest run: that of this conversation, else that of its project.
    async fn resume_newest(&self, listener: &Listener, words: String) -> Result<Receipt, Failure> {
        let of = self.conversation_ref(&listener.conversation).await?;
        let newest = if let Some(run) = &of.run {
            self.store.run(&run.run_id).await?
        } else {
            let mut runs = self.store.runs(&of.project_id).await?.into_iter();
            runs.next().ok_or_else(|| {
                Failure::new(ErrorCode::RunNotFound, said::no_run_to_resume())
                    .with_action(said::start_one())
            })?
        };
        let conversation = newest.conversation_id.clone();
        let before = self.listener(&conversation).await?;
        if before.mode != Mode::Run {
            self.talk_with(&conversation, Mode::Run).await?;
        }
        let was_cut_short = newest.reason.is_some_and(Reason::leaves_the_model_to_go_on);
        let input = if words.is_empty() {
            (was_cut_short && newest.phase == Phase::WaitingUser).then_some(Input::Resume)
        } else {
            Some(Input::Say(words.into()))
        };
        let goes_on = input.is_some();
        if let Some(input) = input {
            self.ask(&conversation, input).await?;
        }
        let run_id = Some(newest.run_id);
        let routed = Routed::Resumed { from_seq: before.next_seq, goes_on };
        Ok(Receipt { run_id, ..receipt(&conversation, routed) })
    }

    async fn row(&self, listener: &Listener, row: CalledRow) -> Result<Receipt, Failure> {
        let data = match &row.data {
            Some(written) => Some(listener.data(written).await?),
            None => None,
        };
        let told = match &row.action {
            MenuAction::Command(command) => {
                return self.command(listener, *command, row.details).await;
            }
            MenuAction::StartWorkflow(reference) => {
                let mentioned = data.as_ref().map(|(path, _)| format!("@{}", path.rel()));
                let input = joined([Some(row.details.clone()), mentioned]);
                return self.start_workflow(listener, reference, input).await;
            }
            MenuAction::ActivateSkill(name) => {
                self.put_to_work(&listener.conversation, name).await?;
                format!("Do what the skill `{name}` says, which is at work now.")
            }
            MenuAction::RunPrompt(id) => listener.prompt(id)?,
            MenuAction::ExecScript(file) => listener.exec(file).await?,
            MenuAction::Say(words) => words.clone(),
        };
        let data = data.map(|(path, text)| {
            format!("DATA_CONTEXT\n- label: {}\n- path: {path}\n\n{text}", path.file_name())
        });
        let told = joined([Some(told), data, Some(row.details)]);
        let to = Some(listener.mode.clone());
        let words = WordsWithFiles { text: row.words, told, to, files: Vec::new() };
        self.ask(&listener.conversation, Input::Say(words)).await?;
        Ok(receipt(&listener.conversation, Routed::Said))
    }

    async fn start_workflow(
        &self,
        listener: &Listener,
        reference: &str,
        input: Option<String>,
    ) -> Result<Receipt, Failure> {
        let Mode::Agent { package_id, agent_id } = &listener.mode else {
            return Err(Failure::new(ErrorCode::NotNow, engine_said::has_no_run()));
        };
        let (package_id, agent_id): (PackageId, AgentId) = (package_id.clone(), agent_id.clone());
        let workflow_id = Some(listener.workflow(reference)?);
        let of = self.conversation_ref(&listener.conversation).await?;
        let agent_id = Some(agent_id);
        let run = RunRequest { package_id, workflow_id, agent_id, input, demo: false };
        let begun = self.join_run(&listener.conversation, &of.project_id, run).await?;
        Ok(Receipt { routed: Some(Routed::Started), ..begun })
    }
}

impl Listener {
    fn menu(&self) -> Receipt {
        let menu = self.agent.iter().flat_map(|agent| visible(&agent.menu));
        let items = menu.map(MenuLine::of).collect();
        receipt(&self.conversation, Routed::Menu { items })
    }

    /// The workflow that a reference means: its id, or its file.
    fn workflow(&self, reference: &str) -> Result<WorkflowId, Failure> {
        if menu::is_classic(reference) {
            return Err(classic(reference));
        }
        let file = alias(reference).filter(|path| path.mount() == Mount::Pkg);
        let workflows = &self.package.workflows;
        let named = workflows.iter().find(|workflow| workflow.id.as_str() == reference);
        let by_file = || {
            let file = file.as_ref()?;
            workflows.iter().find(|workflow| workflow.workflow_path == file.rel())
        };
        named.or_else(by_file).map(|workflow| workflow.id.clone()).ok_or_else(|| {
            let ids: Vec<&str> = workflows.iter().map(|workflow| workflow.id.as_str()).collect();
            Failure::new(ErrorCode::UnknownWorkflow, said::unknown_workflow(reference))
                .with_details(json!({ "workflows": ids }))
                .with_action(said::tell_the_author())
        })
    }

    fn prompt(&self, id: &str) -> Result<String, Failure> {
        let mut prompts = self.agent.iter().flat_map(|agent| &agent.prompts);
        let found = prompts.find(|prompt| prompt.id == id);
        found.map(|prompt| prompt.content.clone()).ok_or_else(|| {
            Failure::new(ErrorCode::UnknownPromptId, said::unknown_prompt(id))
                .with_action(said::tell_the_author())
        })
    }

    /// What the model is told of a script.
    async fn exec(&self, file: &str) -> Result<String, Failure> {
        if menu::is_classic(file) {
            return Err(classic(file));
        }
        let (path, text) = self.read(file).await?;
        Ok(format!("EXEC_SCRIPT\n- script: {path}\n\n{text}"))
    }

    async fn data(&self, written: &str) -> Result<(AliasPath, String), Failure> {
        self.read(written).await.map_err(|why| {
            let failure = Failure::new(ErrorCode::DataLoadFailed, said::data_not_loaded(written));
            failure.with_details(json!({ "why": why.code })).with_action(said::look_at_the_file())
        })
    }

    async fn read(&self, file: &str) -> Result<(AliasPath, String), Failure> {
        let path = alias(file).ok_or_else(|| {
            Failure::new(ErrorCode::InvalidArgs, said::no_file_of_it(file))
                .with_action(said::tell_the_author())
        })?;
        let policy = self.policy.clone().ok_or_else(task_ended)?;
        let (tools, wanted) = (Arc::clone(&self.tools), path.clone());
        let text = on_disk(move || tools.script(&wanted, &policy)).await?;
        Ok((path, text))
    }
}

/// A file as a package names it: by its alias, below the project, or below the package.
fn alias(written: &str) -> Option<AliasPath> {
    let written = written.trim();
    if let Some(rel) = written.strip_prefix("{project-root}/") {
        return AliasPath::new(Mount::Project, rel).ok();
    }
    let path = match AliasPath::parse(written) {
        Ok(path) => path,
        Err(_) => AliasPath::new(Mount::Pkg, written.trim_start_matches("./")).ok()?,
    };
    (path.mount() != Mount::State).then_some(path)
}

fn classic(reference: &str) -> Failure {
    Failure::new(ErrorCode::NotSupportedClassicWorkflow, said::classic(reference))
        .with_action(said::tell_the_author())
}

/// What the person is seen to have said with a row of a menu.
fn said_by(line: &MenuLine, details: &str) -> String {
    let named = line.trigger.as_ref().unwrap_or(&line.description).clone();
    joined([Some(named), Some(details.to_owned())]).unwrap_or_default()
}

fn joined<const N: usize>(parts: [Option<String>; N]) -> Option<String> {
    let parts: Vec<String> =
        parts.into_iter().flatten().filter(|part| !part.trim().is_empty()).collect();
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}

fn receipt(conversation: &ConversationId, routed: Routed) -> Receipt {
    Receipt {
        conversation_id: Some(conversation.clone()),
        routed: Some(routed),
        ..Receipt::default()
    }
}
