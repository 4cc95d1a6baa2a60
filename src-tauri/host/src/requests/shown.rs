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
    /// What hid real paths in them.
    pub(crate) marks: Arc<Marks>,
    /// What wrote their layers.
    pub(crate) composer: Arc<PromptComposer>,
}

/// A request as it left, and what its messages are.
struct Left {
    request: ChatRequest,
    messages: Vec<SourcedMessage>,
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
        let RebuiltRequest { built, left_out, shortened } =
            journal.take(row.seq).ok_or_else(lost)??;
        let Left { request, messages } = self.as_left(built)?;
        let earlier = before.as_ref().and_then(|it| journal.take(it.row.seq)?.ok());
        let earlier = earlier.and_then(|it| self.as_left(it.built).ok());
        let before = before.filter(|_| earlier.is_some()).map(|it| it.row.number);
        let (old, old_tools) =
            earlier.map(|it| (it.messages, it.request.tools)).unwrap_or_default();
        let (messages, gone) = compared(&messages, &old);
        let (tools, gone_tools) = compared_tools(&request.tools, &old_tools);
        let sha256 = super::request_hash(&request);
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
        })
    }

    /// Without the real paths that were replaced when it left.
    fn as_left(&self, built: Built) -> Result<Left, Failure> {
        match built {
            Built::Turn { mut request, mut messages } => {
                LastRequest::default().redact(&self.marks, &mut request);
                for (sourced, left) in messages.iter_mut().zip(&request.messages) {
                    sourced.message = Arc::clone(left);
                }
                Ok(Left { request, messages })
            }
            Built::Summary(job) => self.summary(&job),
        }
    }

    fn summary(&self, job: &CompactionJob) -> Result<Left, Failure> {
        let request = summary_request(&self.composer, &self.marks, &job.plan())?;
        let nothing = || Failure::new(ErrorCode::Internal, projects::nothing_to_sum_up());
        let request = request.ok_or_else(nothing)?;
        let sourced = |message: &Arc<ChatMessage>| SourcedMessage {
            source: MessageSource::SummaryRequest,
            at: None,
            message: Arc::clone(message),
        };
        let messages = request.messages.iter().map(sourced).collect();
        Ok(Left { request, messages })
    }
}
