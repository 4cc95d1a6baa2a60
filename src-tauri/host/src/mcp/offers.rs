//! What a server offers beside its tools: its prompts, which are fetched when a person calls one, and
//! its resources.

use kernel::bounds::{MCP_PAGES, MCP_PROMPT_BYTES, MCP_PROMPTS, MCP_RESOURCES, size};
use kernel::code::{ErrorCode, Failure};
use kernel::mcp::{ListedPrompt, PromptArgument, ServerName, ServerOffers, ServerResource};
use kernel::phrase::servers as said;
use rmcp::model::{GetPromptResult, PaginatedRequestParams, Prompt, PromptMessage, Resource, Role};
use rmcp::service::{Peer, RoleClient, ServiceError};
use std::time::Duration;
use tokio::time::Instant;

use super::result;
use crate::logs;

/// What a server lists of what it says that it has, each in its time. What it cannot list it does not
/// have.
pub(super) async fn listed(
    server: &ServerName,
    peer: &Peer<RoleClient>,
    patience: Duration,
) -> ServerOffers {
    let Some(info) = peer.peer_info() else { return ServerOffers::default() };
    let (mut prompts, mut resources) = (Vec::new(), Vec::new());
    if info.capabilities.prompts.is_some() {
        let page = |at| async move {
            let page = peer.list_prompts(Some(at)).await?;
            Ok((page.prompts, page.next_cursor))
        };
        pages(&mut prompts, MCP_PROMPTS, patience, page).await;
    }
    if info.capabilities.resources.is_some() {
        let page = |at| async move {
            let page = peer.list_resources(Some(at)).await?;
            Ok((page.resources, page.next_cursor))
        };
        pages(&mut resources, MCP_RESOURCES, patience, page).await;
    }
    let prompts = prompts.into_iter().map(prompt).collect();
    let resources = resources.into_iter().map(resource).collect();
    ServerOffers::listed(server, prompts, resources)
}

/// All pages up to what is enough, as far as they come in time.
async fn pages<T, Page>(
    all: &mut Vec<T>,
    enough: usize,
    patience: Duration,
    ask: impl Fn(PaginatedRequestParams) -> Page,
) where
    Page: Future<Output = Result<(Vec<T>, Option<String>), ServiceError>>,
{
    let end = Instant::now() + patience;
    let mut cursor = None::<String>;
    for _ in 0..MCP_PAGES {
        let at = PaginatedRequestParams::default().with_cursor(cursor.clone());
        let Ok(Ok((page, next))) = tokio::time::timeout_at(end, ask(at)).await else { return };
        // What hides in many more is not read.
        let left = enough.saturating_mul(2).saturating_sub(all.len());
        all.extend(page.into_iter().take(left));
        if next.is_none() || next == cursor || all.len() >= enough {
            return;
        }
        cursor = next;
    }
}

fn prompt(listed: Prompt) -> ListedPrompt {
    let told = |one: rmcp::model::PromptArgument| PromptArgument {
        name: one.name,
        description: cleaned(one.description).unwrap_or_default(),
        required: one.required == Some(true),
    };
    ListedPrompt {
        name: listed.name,
        title: cleaned(listed.title),
        description: cleaned(listed.description),
        arguments: listed.arguments.unwrap_or_default().into_iter().map(told).collect(),
    }
}

fn resource(listed: Resource) -> ServerResource {
    ServerResource {
        uri: logs::cleaned(&listed.uri),
        name: logs::cleaned(&listed.title.unwrap_or(listed.name)),
        description: cleaned(listed.description).unwrap_or_default(),
        mime_type: cleaned(listed.mime_type),
    }
}

/// What a server says goes to people and into the store without the places of this machine and without
/// its keys. They are found before it is cut.
fn cleaned(text: Option<String>) -> Option<String> {
    text.map(|text| logs::cleaned(&text))
}

/// A prompt as a model is told it in place of the person's words.
///
/// # Errors
/// `E_MCP_FLOOD` when it is too long, `E_MCP_GARBAGE` when there is nothing in it.
pub(super) fn told(server: &ServerName, prompt: GetPromptResult) -> Result<String, Failure> {
    let messages = prompt.messages;
    let one_speaks = messages.iter().all(|message| message.role == Role::User);
    let said = |PromptMessage { role, content, .. }: PromptMessage| {
        let text = result::text_of(content);
        match role {
            _ if one_speaks => text,
            Role::User => format!("User: {text}"),
            Role::Assistant => format!("Assistant: {text}"),
        }
    };
    let text = messages.into_iter().map(said).collect::<Vec<_>>().join("\n\n");
    if text.len() > MCP_PROMPT_BYTES {
        let most = size(MCP_PROMPT_BYTES as u64);
        return Err(Failure::new(ErrorCode::McpFlood, said::prompt_too_long(server, most)));
    }
    if text.trim().is_empty() {
        return Err(Failure::new(ErrorCode::McpGarbage, said::prompt_is_empty(server)));
    }
    Ok(text)
}
