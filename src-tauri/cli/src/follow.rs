//! Following a conversation until it rests, printing what happens, answering when it waits.

use host::host::Host;
use kernel::code::{ErrorCode, Failure};
use kernel::command::{Command, Query};
use kernel::event::{Event, Line, Phase, Reason, TurnFinished};
use kernel::ids::ConversationId;
use kernel::wire::{Answer, Noticed, RuntimeSnapshot, Target};
use std::sync::Arc;
use tokio::sync::mpsc::{Receiver, UnboundedReceiver};

use crate::answers::{Answers, Next};
use crate::exit::Exit;
use crate::interrupts::Interrupts;
use crate::output::Output;

/// A sequence number no journal reaches: a follower from here on is told nothing old.
const NOTHING_OLD: u64 = i64::MAX as u64;

/// Follows until the run is complete or nobody answers; returns what the process ends with.
pub(crate) async fn follow(
    host: &Arc<Host>,
    conversation: &ConversationId,
    from_seq: u64,
    mut answers: Answers,
    out: &Output,
) -> Result<Exit, Failure> {
    let mut ctrl_c = Interrupts::listen().await;
    let lines = host.follow(conversation, from_seq).await?;
    // Where the settings cannot be watched, they hold as they were read.
    let settings = host.notice(Target::App).await.ok();
    let mut following = Following { host, conversation, lines, settings, out };
    loop {
        let rest = following.until_rest(&mut ctrl_c).await?;
        let exit = rest.exit();
        if !rest.may_go_on(&answers) {
            return Ok(exit);
        }
        let went_on = tokio::select! {
            went_on = following.go_on(&mut answers) => went_on?,
            () = ctrl_c.pressed() => {
                following.how_to_go_on();
                return Ok(Exit::Interrupted);
            }
        };
        if !went_on {
            if exit == Exit::Waiting {
                following.how_to_go_on();
            }
            return Ok(exit);
        }
    }
}

struct Following<'a> {
    host: &'a Arc<Host>,
    conversation: &'a ConversationId,
    lines: UnboundedReceiver<Result<Line, Failure>>,
    settings: Option<Receiver<Noticed>>,
    out: &'a Output,
}

/// The next word about the settings; none ever comes when they cannot be watched.
async fn heard(settings: &mut Option<Receiver<Noticed>>) -> Noticed {
    if let Some(settings) = settings
        && let Some(noticed) = settings.recv().await
    {
        return noticed;
    }
    std::future::pending().await
}

/// A turn that ended.
struct Rest {
    finished: TurnFinished,
    /// The person pressed Ctrl-C on the way.
    interrupted: bool,
}

impl Rest {
    fn exit(&self) -> Exit {
        let failure = self.finished.failure.as_ref().map(|f| f.code);
        let exit = Exit::of_rest(self.finished.phase, Some(self.finished.reason), failure);
        if self.interrupted && exit != Exit::Done { Exit::Interrupted } else { exit }
    }

    /// After a failure, a limit or a stop, the person decides; answers are for questions.
    fn may_go_on(&self, answers: &Answers) -> bool {
        !self.interrupted
            && match self.finished.phase {
                Phase::Completed => !answers.is_empty(),
                _ => matches!(self.finished.reason, Reason::Answered | Reason::Widget),
            }
    }
}

impl Following<'_> {
    /// Prints lines until a turn ends.
    async fn until_rest(&mut self, ctrl_c: &mut Interrupts) -> Result<Rest, Failure> {
        let mut interrupted = false;
        loop {
            tokio::select! {
                line = self.lines.recv() => {
                    let line = line.unwrap_or_else(|| Err(ended()))?;
                    self.out.line(self.conversation, &line);
                    if let Some(finished) = line.events.iter().rev().find_map(finished) {
                        return Ok(Rest { finished, interrupted });
                    }
                }
                noticed = heard(&mut self.settings) => self.settings_edited(&noticed),
                () = ctrl_c.pressed() => {
                    interrupted = true;
                    self.stop().await?;
                }
            }
        }
    }

    /// Edited settings hold from the next turn on; what is wrong with them is said.
    fn settings_edited(&self, noticed: &Noticed) {
        let Noticed::Settings { problems } = noticed else { return };
        for problem in problems {
            let why = &problem.message;
            self.out.note(
                &format!("{why}; the old value holds."),
                &format!("{why}；原来的值仍然有效。"),
            );
        }
    }

    async fn stop(&self) -> Result<(), Failure> {
        self.out.note(
            "Stopping; press Ctrl-C again to leave at once.",
            "正在停止；再按一次 Ctrl-C 立即退出。",
        );
        let stop = Command::Stop { conversation_id: self.conversation.clone() };
        match self.host.submit(stop).await {
            // The turn has just ended by itself.
            Err(failure) if failure.code != ErrorCode::NotNow => Err(failure),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Gives the next answer; false when there is none.
    async fn go_on(&self, answers: &mut Answers) -> Result<bool, Failure> {
        let waiting = snapshot(self.host, self.conversation).await?.widget;
        let conversation_id = self.conversation.clone();
        let command = match answers.next(waiting.as_ref()).await? {
            Next::Nobody => return Ok(false),
            Next::Say(text) => Command::Say { conversation_id, text },
            Next::Submit(value) => {
                let Some(waiting) = waiting else { return Ok(false) };
                Command::Answer { conversation_id, message_id: waiting.message_id, value }
            }
        };
        self.host.submit(command).await?;
        Ok(true)
    }

    fn how_to_go_on(&self) {
        let run = run_of(self.conversation);
        self.out.note(
            &format!("The run waits for you. Go on with: crewagent runs resume {run}"),
            &format!("运行正在等待你的回答。继续：crewagent runs resume {run}"),
        );
    }
}

/// A run's conversation carries the run's id.
pub(crate) fn run_of(conversation: &ConversationId) -> &str {
    conversation.as_str().strip_prefix("run-").unwrap_or(conversation.as_str())
}

fn ended() -> Failure {
    Failure::new(ErrorCode::Internal, "the conversation's task has ended")
}

fn finished(event: &Event) -> Option<TurnFinished> {
    match event {
        Event::TurnFinished(finished) => Some(finished.clone()),
        _ => None,
    }
}

/// Opens a conversation for work and says where it stands: what a crash left is told by then.
/// `RUN_BUSY` when another process works on it, `PROJECT_ROOT_INVALID` when its folder is gone.
pub(crate) async fn open(
    host: &Arc<Host>,
    conversation: &ConversationId,
) -> Result<RuntimeSnapshot, Failure> {
    drop(host.follow(conversation, NOTHING_OLD).await?);
    snapshot(host, conversation).await
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
