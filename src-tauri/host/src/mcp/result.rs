//! What a server answers to a call, as a model reads it.

use kernel::bounds::MCP_CONTENTS;
use kernel::code::{ErrorCode, Failure};
use kernel::mcp::ServerName;
use kernel::phrase::servers as said;
use kernel::tool::done;
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde::Serialize;
use serde_json::Value;

use super::failures::own_words;

/// The result of a call as a model reads it. What a server answers is data: nothing of it is a member
/// of the runtime's own.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Who says so.
    server: String,
    /// What it says.
    content: Vec<Content>,
    /// The same as JSON, where it says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    structured: Option<Value>,
    /// How many pieces are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<usize>,
}

/// A piece of what a server says.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Content {
    Text {
        text: String,
    },
    /// Bytes that no model is shown here.
    Binary {
        mime_type: String,
        bytes: usize,
        note: &'static str,
    },
    ResourceLink {
        uri: String,
        name: String,
    },
    Other,
}

const NOT_SHOWN: &str = "this kind of content cannot be shown here";

/// The result of a call.
///
/// # Errors
/// `E_MCP_TOOL_FAILED` with the server's own words, when it says that the tool failed.
pub(super) fn read(server: &ServerName, result: CallToolResult) -> Result<Value, Failure> {
    let CallToolResult { content, structured_content, is_error, .. } = result;
    let all = content.len();
    let content: Vec<Content> = content.into_iter().take(MCP_CONTENTS).map(piece).collect();
    if is_error == Some(true) {
        let texts = content.iter().filter_map(|piece| match piece {
            Content::Text { text } => Some(text.as_str()),
            _ => None,
        });
        let words = own_words(&texts.collect::<Vec<_>>().join("\n"));
        return Err(Failure::new(ErrorCode::McpToolFailed, said::tool_failed(server, words)));
    }
    let left_out = all.checked_sub(MCP_CONTENTS).filter(|more| *more > 0);
    let server = server.to_string();
    Ok(done(&Output { server, content, structured: structured_content, left_out }))
}

fn piece(content: ContentBlock) -> Content {
    match content {
        ContentBlock::Text(text) => Content::Text { text: text.text },
        ContentBlock::Image(image) => binary(image.mime_type, image.data.len()),
        ContentBlock::Audio(audio) => binary(audio.mime_type, audio.data.len()),
        ContentBlock::ResourceLink(link) => {
            Content::ResourceLink { uri: link.uri, name: link.name }
        }
        ContentBlock::Resource(resource) => match resource.resource {
            ResourceContents::TextResourceContents { text, .. } => Content::Text { text },
            ResourceContents::BlobResourceContents { blob, mime_type, .. } => {
                binary(mime_type.unwrap_or_default(), blob.len())
            }
            _ => Content::Other,
        },
        _ => Content::Other,
    }
}

/// The same as text alone.
pub(super) fn text_of(content: ContentBlock) -> String {
    match piece(content) {
        Content::Text { text } => text,
        Content::Binary { mime_type, bytes, note } => {
            format!("[{mime_type}, {bytes} bytes: {note}]")
        }
        Content::ResourceLink { uri, name } => format!("{name}: {uri}"),
        Content::Other => format!("[{NOT_SHOWN}]"),
    }
}

/// Base64 takes four characters for three bytes.
fn binary(mime_type: String, characters: usize) -> Content {
    Content::Binary { mime_type, bytes: characters / 4 * 3, note: NOT_SHOWN }
}
