//! The audit lines of one conversation on their way to the disk: in order, off the async threads
//! (spec 08). A line that is on its way is waited for when the conversation rests or closes.

use kernel::ids::ConversationId;
use std::sync::Arc;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::sync::oneshot;

use crate::logs;
use crate::tools::{AuditEntry, ToolHost};

/// How many jobs are taken off the queue at once.
const TAKE: usize = 256;

enum AuditJob {
    Write(Vec<AuditEntry>),
    Tell(oneshot::Sender<()>),
}

/// Takes audit entries and writes them behind the caller's back.
pub(crate) struct AuditTrail(UnboundedSender<AuditJob>);

impl AuditTrail {
    /// Begins to write through `tools`; ends when it is dropped and everything is written.
    pub(crate) fn begin(tools: Arc<ToolHost>, conversation: ConversationId) -> Self {
        let (sender, queue) = mpsc::unbounded_channel();
        tokio::spawn(work(queue, tools, conversation));
        Self(sender)
    }

    /// Takes entries over.
    pub(crate) fn write(&self, entries: Vec<AuditEntry>) {
        if !entries.is_empty() && self.0.send(AuditJob::Write(entries)).is_err() {
            tracing::error!("audit lines were lost: their task has ended");
        }
    }

    /// Waits until what was taken over is written.
    pub(crate) async fn flush(&self) {
        let (done, written) = oneshot::channel();
        if self.0.send(AuditJob::Tell(done)).is_ok() {
            _ = written.await;
        }
    }
}

async fn work(
    mut queue: UnboundedReceiver<AuditJob>,
    tools: Arc<ToolHost>,
    conversation: ConversationId,
) {
    let mut jobs = Vec::new();
    while queue.recv_many(&mut jobs, TAKE).await > 0 {
        let (mut entries, mut waiting) = (Vec::new(), Vec::new());
        for job in jobs.drain(..) {
            match job {
                AuditJob::Write(more) => entries.extend(more),
                AuditJob::Tell(done) => waiting.push(done),
            }
        }
        if !entries.is_empty() {
            let (tools, conversation) = (Arc::clone(&tools), conversation.clone());
            let write = move || {
                for line in entries.iter().filter_map(|entry| tools.audit(entry)) {
                    logs::tool_called(&conversation, &line.text, &line.value);
                }
            };
            if tokio::task::spawn_blocking(write).await.is_err() {
                tracing::error!("audit lines were lost: their writer ended early");
            }
        }
        for done in waiting {
            // Who does not wait any more needs no answer.
            _ = done.send(());
        }
    }
}
