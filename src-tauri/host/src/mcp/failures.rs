//! What goes wrong with servers, as failures.

use kernel::code::{ErrorCode, Failure};
use kernel::mcp::ServerName;
use kernel::phrase::{Why, engine, servers as said};
use kernel::text::ellipsis;
use kernel::visible::visible;
use rmcp::model::ErrorData;
use std::time::Duration;

/// Characters of a server's own words in a failure.
const WORDS: usize = 2000;

/// A server's own words: one line of a stranger.
pub(super) fn own_words(text: &str) -> String {
    visible(&ellipsis(text.trim(), WORDS))
}

pub(super) fn says_no(name: &ServerName, error: &ErrorData) -> Failure {
    let words = said::server_refuses(name, own_words(&error.message));
    Failure::new(ErrorCode::McpToolFailed, words)
}

pub(super) fn no_prompt(name: &ServerName, error: &ErrorData) -> Failure {
    let words = said::prompt_refused(name, own_words(&error.message));
    // Any other error is none of the words that came with it.
    let is_told_wrong = error.code == rmcp::model::ErrorCode::INVALID_PARAMS;
    let code = if is_told_wrong { ErrorCode::McpPromptArguments } else { ErrorCode::McpToolFailed };
    Failure::new(code, words)
}

pub(super) fn sign_in_needed(name: &ServerName) -> Failure {
    Failure::new(ErrorCode::McpSignIn, said::sign_in_needed(name))
}

pub(super) fn more_sign_in_needed(name: &ServerName) -> Failure {
    Failure::new(ErrorCode::McpSignIn, said::more_sign_in_needed(name))
}

/// A server to which there is no way from here.
pub(super) fn no_way(name: &ServerName) -> Failure {
    not_started(name, said::server_unreachable(said::no_http()))
}

pub(super) fn not_started(name: &ServerName, why: impl Into<Why>) -> Failure {
    Failure::new(ErrorCode::McpNotStarted, said::server_not_started(name, why))
}

pub(super) fn ended(name: &ServerName) -> Failure {
    Failure::new(ErrorCode::McpEnded, said::server_ended(name))
}

pub(super) fn garbage(name: &ServerName) -> Failure {
    Failure::new(ErrorCode::McpGarbage, said::server_garbage(name))
}

pub(super) fn too_late(name: &ServerName, time: Duration) -> Failure {
    Failure::new(ErrorCode::McpTimeout, said::server_too_late(name, time.as_secs_f64()))
}

pub(super) fn stopped() -> Failure {
    Failure::new(ErrorCode::EngineAborted, engine::stopped_by_user())
}

pub(super) fn never_done(name: &ServerName, time: Duration) -> Failure {
    Failure::new(ErrorCode::McpTimeout, said::server_never_done(name, time.as_secs_f64()))
}
