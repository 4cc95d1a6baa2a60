//! A request of the past, as the model saw it.

use kernel::chat::{ChatMessage, ChatRequest};
use kernel::code::{ErrorCode, Failure};
use kernel::context::{CompactionJob, MessageSource, SourcedMessage};
use kernel::phrase::projects;
use kernel::prompt::PromptComposer;
use kernel::requests::{
    Built, Rebuilding, RebuiltRequest, RequestEnd, RequestView, SentRequest, compared,
    compared_tools,
};
use std::sync::Arc;

use super::{LastRequest, summary_request};
use crate::redact::Marks;

/// The request that is looked at, and the one it is compared with.
pub(crate) struct RequestPair {
    /// The request.
    pub(crate) request: SentRequest,
    /// The one before, which it is compared with.
    pub(crate) before: Option<SentRequest>,
}

impl RequestPair {
    /// Both of them, the older first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &SentRequest> {
        self.before.iter().chain([&self.request])
    }
}

/// Makes requests look as they did when they left.
pub(crate) struct PastRequests {
    /// What hides real paths in them now.
    pub(crate) marks: Marks,
    /// What hid them before the project was moved, the newest first.
    pub(crate) former_marks: Vec<Marks>,
    /// What wrote their layers.
    pub(crate) composer: Arc<PromptComposer>,
}

/// A request as it left, what its messages are, and its hash.
struct Left {
    request: ChatRequest,
    messages: Vec<SourcedMessage>,
    sha256: String,
}

impl PastRequests {
    /// The request that is wanted, out of a journal that was read.
    ///
    /// # Errors
    /// Why it cannot be built any more; `E_INTERNAL` when the journal does not lead to it.
    pub(crate) fn show(
        &self,
        wanted: RequestPair,
        journal: &mut Rebuilding,
    ) -> Result<RequestView, Failure> {
        let RequestPair { request: SentRequest { row, sha256: sent, .. }, before } = wanted;
        // Whoever stops a run may do so before the request is built.
        let lost = || match row.end {
            RequestEnd::Failed { .. } => {
                let message = projects::request_never_sent(row.number);
                Failure::new(ErrorCode::RequestNotFound, message)
            }
            _ => Failure::new(ErrorCode::Internal, projects::request_lost(row.number)),
        };
        let RebuiltRequest { built, tokenizer, left_out, shortened } =
            journal.take(row.seq).ok_or_else(lost)??;
        let Left { request, messages, sha256 } = self.as_left(&built, sent.as_deref())?;
        let earlier = before.as_ref().and_then(|it| {
            let built = journal.take(it.row.seq)?.ok()?.built;
            self.as_left(&built, it.sha256.as_deref()).ok()
        });
        let before = before.filter(|_| earlier.is_some()).map(|it| it.row.number);
        let (old, old_tools) =
            earlier.map(|it| (it.messages, it.request.tools)).unwrap_or_default();
        let (messages, gone) = compared(&messages, &old, tokenizer);
        let (tools, gone_tools) = compared_tools(&request.tools, &old_tools, tokenizer);
        Ok(RequestView {
            is_as_sent: sent.map(|sent| sent == sha256),
            row,
            sha256,
            before,
            messages,
            gone,
            tools,
            gone_tools,
            left_out,
            shortened,
            must_call: request.must_call,
            max_tokens: request.max_tokens,
            estimated: tokenizer.is_estimate(),
        })
    }

    /// Without the real paths that were replaced when it left: those that were private by then, if
    /// the hash that it had tells, else those that are now.
    fn as_left(&self, built: &Built, sent: Option<&str>) -> Result<Left, Failure> {
        let now = self.hidden_by(&self.marks, built)?;
        let is_sent = |left: &Left| sent.is_none_or(|sent| sent == left.sha256);
        if is_sent(&now) {
            return Ok(now);
        }
        let before = self.former_marks.iter().filter_map(|it| self.hidden_by(it, built).ok());
        Ok(before.into_iter().find(is_sent).unwrap_or(now))
    }

    fn hidden_by(&self, marks: &Marks, built: &Built) -> Result<Left, Failure> {
        match built {
            Built::Turn { request, messages } => {
                let (mut request, mut messages) = (request.clone(), messages.clone());
                LastRequest::default().redact(marks, &mut request);
                for (sourced, left) in messages.iter_mut().zip(&request.messages) {
                    sourced.message = Arc::clone(left);
                }
                let sha256 = super::request_hash(&request);
                Ok(Left { request, messages, sha256 })
            }
            Built::Summary(job) => self.summary(marks, job),
        }
    }

    fn summary(&self, marks: &Marks, job: &CompactionJob) -> Result<Left, Failure> {
        let request = summary_request(&self.composer, marks, &job.plan())?;
        let nothing = || Failure::new(ErrorCode::Internal, projects::nothing_to_sum_up());
        let request = request.ok_or_else(nothing)?;
        let sourced = |message: &Arc<ChatMessage>| SourcedMessage {
            source: MessageSource::SummaryRequest,
            at: None,
            message: Arc::clone(message),
        };
        let messages = request.messages.iter().map(sourced).collect();
        let sha256 = super::request_hash(&request);
        Ok(Left { request, messages, sha256 })
    }
}
