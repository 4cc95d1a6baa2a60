//! Sub-agents at work: each has a conversation with a task of its own, which is begun or gone on with
//! here, followed to its end, and asked what came of it (spec 06 "Sub-agents").

use kernel::code::{ErrorCode, Failure};
use kernel::effect::TaskResult;
use kernel::engine::Input;
use kernel::event::{Event, Line, TaskStarted};
use kernel::ids::ConversationId;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::Sessions;
use super::conversation_ref::ConversationRef;
use super::delegating::{Delegated, Delegation, Errand, ProgressTeller};
use super::mailbox::{self, RunnerMessage, task_ended};
use crate::crash::{Point, point};

impl Sessions {
    /// Serves what the tasks of conversations ask for, as long as the program lives.
    pub(crate) fn serve_subagents(self: &Arc<Self>, mut asked: UnboundedReceiver<Delegation>) {
        let sessions: Weak<Self> = Arc::downgrade(self);
        tokio::spawn(async move {
            while let Some(delegation) = asked.recv().await {
                let Some(sessions) = sessions.upgrade() else { break };
                tokio::spawn(async move { sessions.serve(delegation).await });
            }
        });
    }

    async fn serve(&self, delegation: Delegation) {
        let Delegation { errand, progress, cancel, answer } = delegation;
        let (id, served) = match errand {
            Errand::Work(task) => {
                let served = self.let_work(&task, &progress, &cancel).await;
                (task.conversation_id, served)
            }
            Errand::Stop(id) => {
                let served = self.recall_subagent(&id).await;
                (id, served.map_or_else(Delegated::OutOfReach, ended))
            }
        };
        let has_ended = matches!(served, Delegated::Ended(_));
        // Whoever is gone needs no answer; the sub-agent is stopped by another errand.
        _ = answer.send(served);
        if has_ended {
            self.put_away(&id).await;
        }
    }

    /// Begins a sub-agent's work, or goes on with what an earlier program left, and waits for its end.
    /// Once nobody waits any more it is only left alone.
    async fn let_work(
        &self,
        task: &TaskStarted,
        progress: &ProgressTeller,
        cancel: &CancellationToken,
    ) -> Delegated {
        let began = Instant::now();
        let id = &task.conversation_id;
        let ready = match self.store.is_there(id).await {
            Ok(true) => self.go_on(id).await,
            Ok(false) => {
                point(Point::BeforeTaskRows);
                match self.begin_task(task, cancel).await {
                    Err(failure) if !matches!(self.store.is_there(id).await, Ok(true)) => {
                        return Delegated::NotBegun(failure);
                    }
                    begun => begun,
                }
            }
            Err(failure) => Err(failure),
        };
        let limit = Duration::from_secs(u64::from(task.assignment.timeout_s));
        let followed = async {
            ready?;
            self.follow_to_end(id, progress, limit).await
        };
        tokio::select! {
            () = cancel.cancelled() => Delegated::OutOfReach(task_ended()),
            followed = followed => match followed {
                Ok(mut result) => {
                    result.duration_ms =
                        u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
                    ended(result)
                }
                Err(failure) => Delegated::OutOfReach(failure),
            },
        }
    }

    /// Lets a sub-agent go on whose program ended.
    async fn go_on(&self, id: &ConversationId) -> Result<(), Failure> {
        match self.ask(id, Input::Resume).await {
            // It is at work, or has come to its end.
            Err(failure) if matches!(failure.code, ErrorCode::RunBusy | ErrorCode::NotNow) => {
                Ok(())
            }
            asked => asked,
        }
    }

    /// Stops a sub-agent; one that never began has done nothing.
    async fn recall_subagent(&self, id: &ConversationId) -> Result<TaskResult, Failure> {
        // One that is just being begun holds its slot: it is there afterwards, or never comes.
        let slot = self.runners.lock(id).await;
        let is_there = self.store.is_there(id).await?;
        drop(slot);
        if !is_there {
            return Ok(TaskResult::stopped());
        }
        match self.ask(id, Input::Stop { partial: None }).await {
            // It has come to its end.
            Err(failure) if failure.code == ErrorCode::NotNow => {}
            asked => asked?,
        }
        let mailbox = self.mailbox(id).await?;
        let mut lines = self.follow(id, 0).await?;
        loop {
            if let Some(result) = result(&mailbox).await? {
                return Ok(result);
            }
            lines.recv().await.ok_or_else(task_ended)??;
        }
    }

    /// Closes the conversation of a sub-agent that has ended, as soon as nothing is going on in it: an
    /// open one holds files and memory. Whoever looks at it opens it again.
    async fn put_away(&self, id: &ConversationId) {
        let Some(mailbox) = self.runners.lock(id).await.mailbox().cloned() else { return };
        let (told, rests) = oneshot::channel();
        if mailbox.send(RunnerMessage::AtRest(told)).is_err() || rests.await.is_err() {
            return;
        }
        let mut slot = self.runners.lock(id).await;
        if slot.mailbox().is_some_and(|now| now.same_channel(&mailbox)) {
            slot.take();
            mailbox::close(&mailbox).await;
        }
    }

    /// Follows a sub-agent's journal until it has ended and nothing of it is at work any more.
    async fn follow_to_end(
        &self,
        id: &ConversationId,
        progress: &ProgressTeller,
        limit: Duration,
    ) -> Result<TaskResult, Failure> {
        let mailbox = self.mailbox(id).await?;
        let mut lines = self.follow(id, 0).await?;
        let time_up = tokio::time::sleep(limit);
        tokio::pin!(time_up);
        let (mut ended, mut timed_out) = (false, false);
        loop {
            let line = tokio::select! {
                line = lines.recv() => line.ok_or_else(task_ended)??,
                () = &mut time_up, if !timed_out => {
                    timed_out = true;
                    self.ask(id, Input::TimeUp).await?;
                    continue;
                }
            };
            progress.tell(u32::try_from(line.turn).unwrap_or(u32::MAX), doing(&line));
            ended |= line.events.iter().any(|event| matches!(event, Event::TaskEnded(_)));
            if ended && let Some(result) = result(&mailbox).await? {
                return Ok(result);
            }
        }
    }

    /// Makes the first line of a sub-agent's conversation durable, then lets it run.
    async fn begin_task(
        &self,
        task: &TaskStarted,
        cancel: &CancellationToken,
    ) -> Result<(), Failure> {
        let kept_in = self.conversation_ref(&task.parent.conversation_id).await?.kept_in;
        let run = ConversationRef::of_task(task, kept_in);
        let input = Input::StartTask(Box::new(task.clone()));
        self.begin_with(run, input, task.demo, async |line| {
            // Whoever stops it looks whether it is there once it is not being begun any more.
            if cancel.is_cancelled() {
                return Err(task_ended());
            }
            self.store.create_task(task.clone(), line).await
        })
        .await
    }
}

fn ended(result: TaskResult) -> Delegated {
    Delegated::Ended(Box::new(result))
}

/// What a sub-agent came to, when it has ended.
async fn result(mailbox: &UnboundedSender<RunnerMessage>) -> Result<Option<TaskResult>, Failure> {
    let (answer, answered) = oneshot::channel();
    mailbox.send(RunnerMessage::TaskResult(answer)).map_err(|_| task_ended())?;
    answered.await.map_err(|_| task_ended())
}

/// The tool that was called last in a line.
fn doing(line: &Line) -> Option<String> {
    line.events.iter().rev().find_map(|event| match event {
        Event::ModelReplied(e) => e.calls().last().map(|call| call.tool_name().to_owned()),
        _ => None,
    })
}
