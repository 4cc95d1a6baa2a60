//! What a server offers beside its tools: its prompts, which are fetched when a person calls one, and
//! its resources.

use kernel::bounds::{MCP_PAGES, MCP_PROMPT_BYTES, MCP_PROMPTS, MCP_RESOURCES, size};
use kernel::code::{ErrorCode, Failure};
use kernel::mcp::{ListedPrompt, PromptArgument, ServerName, ServerOffers, ServerResource};
use kernel::phrase::servers as said;
use rmcp::model::{GetPromptResult, PaginatedRequestParams, Prompt, PromptMessage, Resource, Role};
use rmcp::service::{Peer, RoleClient, ServiceError};

use super::result;

/// What a server lists of what it says that it has. One that cannot list it has none.
///
/// # Errors
/// When the server can be asked no more.
pub(super) async fn listed(
    server: &ServerName,
    peer: &Peer<RoleClient>,
) -> Result<ServerOffers, ServiceError> {
    let Some(info) = peer.peer_info() else { return Ok(ServerOffers::default()) };
    let (mut prompts, mut resources) = (Vec::new(), Vec::new());
    if info.capabilities.prompts.is_some() {
        let page = |at| async move {
            let page = peer.list_prompts(Some(at)).await?;
            Ok((page.prompts, page.next_cursor))
        };
        prompts = pages(MCP_PROMPTS, page).await?;
    }
    if info.capabilities.resources.is_some() {
        let page = |at| async move {
            let page = peer.list_resources(Some(at)).await?;
            Ok((page.resources, page.next_cursor))
        };
        resources = pages(MCP_RESOURCES, page).await?;
    }
    let prompts = prompts.into_iter().map(prompt).collect();
    let resources = resources.into_iter().map(resource).collect();
    Ok(ServerOffers::listed(server, prompts, resources))
}

/// All pages up to what is enough.
async fn pages<T, Page>(
    enough: usize,
    ask: impl Fn(PaginatedRequestParams) -> Page,
) -> Result<Vec<T>, ServiceError>
where
    Page: Future<Output = Result<(Vec<T>, Option<String>), ServiceError>>,
{
    let (mut all, mut cursor) = (Vec::new(), None::<String>);
    for _ in 0..MCP_PAGES {
        let at = PaginatedRequestParams::default().with_cursor(cursor.clone());
        let (page, next) = match ask(at).await {
            Ok(page) => page,
            Err(ServiceError::McpError(_) | ServiceError::UnexpectedResponse) => break,
            Err(error) => return Err(error),
        };
        all.extend(page);
        if next.is_none() || next == cursor || all.len() >= enough {
            break;
        }
        cursor = next;
    }
    Ok(all)
}

fn prompt(listed: Prompt) -> ListedPrompt {
    let told = |one: rmcp::model::PromptArgument| PromptArgument {
        name: one.name,
        description: one.description.unwrap_or_default(),
        required: one.required == Some(true),
    };
    ListedPrompt {
        name: listed.name,
        title: listed.title,
        description: listed.description,
        arguments: listed.arguments.unwrap_or_default().into_iter().map(told).collect(),
    }
}

fn resource(listed: Resource) -> ServerResource {
    ServerResource {
        uri: listed.uri,
        name: listed.title.unwrap_or(listed.name),
        description: listed.description.unwrap_or_default(),
        mime_type: listed.mime_type,
    }
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
