//! Prompts of servers, which a person calls as commands (spec 05 "MCP").

use kernel::code::{ErrorCode, Failure};
use kernel::engine::{ExecutionEngine, Input, WordsWithFiles};
use kernel::ids::{ConversationId, ProjectId};
use kernel::mcp::{PromptWords, ServerName, ServerPrompt};
use kernel::mode::Mode;
use kernel::phrase::{engine as engine_said, servers as said};
use std::sync::Arc;
use tokio::sync::oneshot;

use super::Sessions;
use super::mailbox::{RunnerMessage, task_ended};
use crate::tools::ToolHost;

/// A prompt that a person calls, to whom they speak.
pub(super) struct CalledPrompt {
    /// What they wrote.
    pub(super) text: String,
    /// What of it calls the prompt.
    pub(super) called: String,
    /// The words that come with it.
    pub(super) words: String,
    /// With whom they talk.
    pub(super) to: Mode,
    /// Sequence number of the event that came next when they wrote it.
    pub(super) seq: u64,
    /// The servers that may be used there.
    pub(super) servers: Vec<ServerName>,
}

impl Sessions {
    /// Says a prompt in place of the words that call it.
    ///
    /// # Errors
    /// `MCP_PROMPT_UNKNOWN` when no server that may be used has it, `MCP_PROMPT_ARGUMENTS` when words
    /// are missing or too many, those of starting a server and asking it, and those of saying.
    pub(super) async fn say_prompt(
        &self,
        conversation: &ConversationId,
        tools: &Arc<ToolHost>,
        call: CalledPrompt,
    ) -> Result<(), Failure> {
        let CalledPrompt { text, called, words, to, seq, servers } = call;
        let (server, prompt, words) = self.prompt_called(&servers, &called, &words).await?;
        // Whoever may not speak now asks no server.
        let say = WordsWithFiles { text, to: Some(to), ..WordsWithFiles::default() };
        self.may_say(conversation, seq, say.clone()).await?;
        let mailbox = self.mailbox(conversation).await?;
        let (answer, answered) = oneshot::channel();
        mailbox.send(RunnerMessage::Clients(answer)).map_err(|_| task_ended())?;
        let clients = answered.await.map_err(|_| task_ended())?;
        let arguments = words.arguments.into_iter().map(|(name, value)| (name, value.into()));
        let told = clients.prompt(&server, &prompt.name, arguments.collect(), tools).await;
        if told.as_ref().is_err_and(|failure| failure.code == ErrorCode::McpNotTrusted) {
            self.renew_servers().await?;
        }
        let told = tools.shown(&told.map_err(|failure| tools.redacted(failure))?);
        // Another window may have gone on meanwhile.
        self.may_say(conversation, seq, say.clone()).await?;
        let told = Some(from_server(&server, &prompt, &told, &words.more));
        self.ask(conversation, Input::Say(WordsWithFiles { told, ..say })).await
    }

    /// The prompt that is called so at one of these servers, and what it is told.
    pub(super) async fn prompt_called(
        &self,
        servers: &[ServerName],
        called: &str,
        words: &str,
    ) -> Result<(ServerName, ServerPrompt, PromptWords), Failure> {
        let offers = self.store.server_offers().await?;
        let found = servers.iter().find_map(|server| {
            offers.get(server)?.called(called).map(|prompt| (server.clone(), prompt.clone()))
        });
        let (server, prompt) = found.ok_or_else(|| {
            Failure::new(ErrorCode::McpPromptUnknown, said::no_prompt_called(called))
        })?;
        let unfit = |why| Failure::new(ErrorCode::McpPromptArguments, why);
        let words = prompt.told(words).map_err(unfit)?;
        Ok((server, prompt, words))
    }

    /// The servers whose prompts can be called in a conversation of a project without an agent.
    pub(super) async fn prompting_servers(
        &self,
        project: &ProjectId,
    ) -> Result<Vec<ServerName>, Failure> {
        let offered = self.library.servers.offered(project).await?;
        Ok(offered.iter().map(|it| it.server.clone()).collect())
    }

    /// Whether a person may say something, and nothing has happened since `seq`.
    async fn may_say(
        &self,
        conversation: &ConversationId,
        seq: u64,
        say: WordsWithFiles,
    ) -> Result<(), Failure> {
        let mailbox = self.mailbox(conversation).await?;
        let (answer, answered) = oneshot::channel();
        let now = self.clock.now();
        let told = move |engine: &ExecutionEngine, _: &Arc<ToolHost>| {
            let may = engine.judge(&Input::Say(say), now).map(drop).map_err(|refusal| refusal.0);
            let moved = || Failure::new(ErrorCode::NotNow, engine_said::said_to_another());
            let still = engine.core().seq == seq;
            _ = answer.send(may.and_then(|()| if still { Ok(()) } else { Err(moved()) }));
        };
        mailbox.send(RunnerMessage::Read(Box::new(told))).map_err(|_| task_ended())?;
        answered.await.map_err(|_| task_ended())?
    }
}

/// What a model is told: whose text it is, the text, and the person's own words.
fn from_server(server: &ServerName, prompt: &ServerPrompt, text: &str, more: &str) -> String {
    let name = &prompt.name;
    let head = format!("The user calls the prompt `{name}` of the server `{server}`, which says:");
    let parts = [head.as_str(), text, more];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}
