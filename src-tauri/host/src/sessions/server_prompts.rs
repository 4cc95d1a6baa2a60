//! Prompts of servers, which a person calls as commands (spec 05 "MCP").

use kernel::code::{ErrorCode, Failure};
use kernel::ids::ConversationId;
use kernel::mcp::{ServerName, ServerPrompt};
use kernel::phrase::servers as said;
use kernel::policy::ToolPolicy;
use tokio::sync::oneshot;

use super::Sessions;
use super::mailbox::{RunnerMessage, task_ended};

impl Sessions {
    /// Fetches what a model is told when a person calls a prompt.
    ///
    /// # Errors
    /// `MCP_PROMPT_UNKNOWN` when no server that `policy` lets be used has it, `MCP_PROMPT_ARGUMENTS`
    /// when words are missing or too many, and those of starting a server and asking it.
    pub(super) async fn server_prompt(
        &self,
        conversation: &ConversationId,
        policy: Option<&ToolPolicy>,
        called: &str,
        words: &str,
    ) -> Result<String, Failure> {
        let (server, prompt) = self.prompt_called(policy, called).await?;
        let unfit = |why| Failure::new(ErrorCode::McpPromptArguments, why);
        let words = prompt.told(words).map_err(unfit)?;
        let mailbox = self.mailbox(conversation).await?;
        let (answer, answered) = oneshot::channel();
        mailbox.send(RunnerMessage::ServerClients(answer)).map_err(|_| task_ended())?;
        let clients = answered.await.map_err(|_| task_ended())?;
        let text = clients.prompt(&server, &prompt.name, words.arguments).await?;
        Ok(if words.more.is_empty() { text } else { format!("{text}\n\n{}", words.more) })
    }

    async fn prompt_called(
        &self,
        policy: Option<&ToolPolicy>,
        called: &str,
    ) -> Result<(ServerName, ServerPrompt), Failure> {
        for server in policy.iter().flat_map(|policy| policy.servers()) {
            let row = self.store.server(server).await?;
            if let Some(prompt) = row.offers.called(called) {
                return Ok((server.clone(), prompt.clone()));
            }
        }
        Err(Failure::new(ErrorCode::McpPromptUnknown, said::no_prompt_called(called)))
    }
}
