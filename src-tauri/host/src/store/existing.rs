//! Whether a conversation is there.

use kernel::code::{ErrorCode, Failure};
use kernel::ids::ConversationId;
use kernel::phrase::store;
use rusqlite::Connection;

use super::{rows, sqlite_error};

/// No conversation of that id.
pub(super) fn not_found(conversation: &ConversationId) -> Failure {
    Failure::new(ErrorCode::ConversationNotFound, store::no_conversation(conversation))
}

/// `CONVERSATION_NOT_FOUND` unless it is there.
pub(super) fn require(db: &Connection, conversation: &ConversationId) -> Result<(), Failure> {
    match rows::conversation_exists(db, conversation) {
        Ok(true) => Ok(()),
        Ok(false) => Err(not_found(conversation)),
        Err(e) => Err(sqlite_error::read_failed(store::the_conversation(conversation), &e)),
    }
}
