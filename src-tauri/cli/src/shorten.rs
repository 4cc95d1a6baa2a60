//! Making a conversation shorter for its model, by hand.

use host::host::Host;
use kernel::code::{ErrorCode, Failure};
use kernel::command::SessionCommand;
use kernel::event::{ContextCompacted, Event, Line};
use kernel::ids::ConversationId;
use kernel::phrase::general;
use std::sync::Arc;

use crate::exit::Exit;
use crate::follow;
use crate::output::Output;
use crate::print::rows;

/// Carries the command out and says what came of it.
pub(crate) async fn shorten(
    host: &Arc<Host>,
    conversation: &ConversationId,
    command: SessionCommand,
    out: &Output,
) -> Result<Exit, Failure> {
    let before = follow::open(host, conversation).await?;
    host.submit(command.to(conversation.clone())).await?;
    let mut lines = host.follow(conversation, before.seq + 1).await?;
    while let Some(line) = lines.recv().await {
        if let Some(compacted) = compacted(&*line?) {
            let said = compacted.said().into_iter().map(|phrase| out.say(phrase));
            out.result(&compacted, || rows(said));
            return Ok(Exit::Done);
        }
    }
    Err(Failure::new(ErrorCode::Internal, general::ended_early()))
}

fn compacted(line: &Line) -> Option<ContextCompacted> {
    line.events.iter().find_map(|event| match event {
        Event::ContextCompacted(e) => Some((**e).clone()),
        _ => None,
    })
}
