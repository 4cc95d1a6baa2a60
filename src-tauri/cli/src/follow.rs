//! Following a conversation until it rests, printing what happens, answering when it waits.

use host::host::Host;
use kernel::code::{ErrorCode, Failure};
use kernel::command::{Command, Query};
use kernel::event::{Event, Line, Phase, Reason, TurnFinished};
use kernel::ids::ConversationId;
use kernel::wire::{Answer, RuntimeSnapshot};
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedReceiver;

use crate::answers::{Answers, Next};
use crate::exit::Exit;
use crate::output::Output;

/// Follows until the run is complete or nobody answers; returns what the process ends with.
pub(crate) async fn follow(
    host: &Arc<Host>,
    conversation: &ConversationId,
    from_seq: u64,
    mut answers: Answers,
    out: &Output,
) -> Result<Exit, Failure> {
    let mut lines = host.follow(conversation, from_seq).await?;
    loop {
        let Some(rest) = until_rest(host, conversation, &mut lines, out).await? else {
            return Ok(Exit::Interrupted);
        };
        let exit =
            Exit::of_rest(rest.phase, Some(rest.reason), rest.failure.as_ref().map(|f| f.code));
        let may_go_on = match rest.phase {
            Phase::Completed => !answers.is_empty(),
            _ => matches!(rest.reason, Reason::Answered | Reason::Widget),
        };
        if !may_go_on {
            return Ok(exit);
        }
        if !go_on(host, conversation, &mut answers).await? {
            if !out.json && exit == Exit::Waiting {
                out.note("The run waits for you.", "运行正在等待你的回答。");
            }
            return Ok(exit);
        }
    }
}

/// Gives the next answer; false when there is none.
async fn go_on(
    host: &Arc<Host>,
    conversation: &ConversationId,
    answers: &mut Answers,
) -> Result<bool, Failure> {
    let snapshot = snapshot(host, conversation).await?;
    let waiting = snapshot.widget;
    let conversation_id = conversation.clone();
    let command = match answers.next(waiting.as_ref().map(|w| &w.widget))? {
        Next::Nobody => return Ok(false),
        Next::Say(text) => Command::Say { conversation_id, text },
        Next::Submit(value) => {
            let Some(waiting) = waiting else { return Ok(false) };
            Command::Answer { conversation_id, message_id: waiting.message_id, value }
        }
    };
    host.submit(command).await?;
    Ok(true)
}

/// Prints lines until a turn ends. `None` when the person pressed Ctrl-C twice.
async fn until_rest(
    host: &Arc<Host>,
    conversation: &ConversationId,
    lines: &mut UnboundedReceiver<Line>,
    out: &Output,
) -> Result<Option<TurnFinished>, Failure> {
    let mut interrupts = 0_u32;
    loop {
        tokio::select! {
            line = lines.recv() => {
                let Some(line) = line else {
                    return Err(Failure::new(ErrorCode::Internal, "the conversation's task has ended"));
                };
                out.line(conversation, &line);
                if let Some(finished) = line.events.iter().rev().find_map(finished) {
                    return Ok(Some(finished));
                }
            }
            _ = tokio::signal::ctrl_c() => {
                interrupts += 1;
                if interrupts > 1 {
                    return Ok(None);
                }
                out.note("Stopping; press Ctrl-C again to leave at once.", "正在停止;再按一次 Ctrl-C 立即退出。");
                let stop = Command::Stop { conversation_id: conversation.clone() };
                if let Err(failure) = host.submit(stop).await
                    && failure.code != ErrorCode::NotNow
                {
                    return Err(failure);
                }
            }
        }
    }
}

fn finished(event: &Event) -> Option<TurnFinished> {
    match event {
        Event::TurnFinished(finished) => Some(finished.clone()),
        _ => None,
    }
}

/// The fold of a conversation.
pub(crate) async fn snapshot(
    host: &Arc<Host>,
    conversation: &ConversationId,
) -> Result<RuntimeSnapshot, Failure> {
    let query = Query::Snapshot { conversation_id: conversation.clone() };
    match host.query(query).await? {
        Answer::Snapshot(snapshot) => Ok(*snapshot),
        _ => Err(Failure::new(ErrorCode::Internal, "another answer than the one asked for")),
    }
}
