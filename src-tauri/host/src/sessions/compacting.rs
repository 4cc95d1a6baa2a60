//! Making a conversation shorter for its model (spec 04 "Compression").

use kernel::code::{ErrorCode, Failure};
use kernel::context::{Compacted, CompactionDraft, CompactionJob};
use kernel::effect::Outcome;
use kernel::phrase::{general, models};
use kernel::prompt::PromptComposer;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

use crate::models::Chosen;
use crate::redact::Marks;
use crate::requests::summary_request;

/// How long a model may take to sum up older messages.
const PATIENCE: Duration = Duration::from_secs(15);

/// Makes conversations shorter.
#[derive(Clone)]
pub(super) struct Compactor {
    /// What hides real paths in the messages that go.
    pub(super) marks: Arc<Marks>,
    /// What writes the request for a summary.
    pub(super) composer: Arc<PromptComposer>,
}

impl Compactor {
    /// What the model sees from now on. A model that cannot be asked, or gives no summary, keeps
    /// nobody from going on.
    pub(super) async fn compact(
        &self,
        job: CompactionJob,
        model: Result<Chosen, Failure>,
        cancel: &CancellationToken,
    ) -> Outcome {
        let Ok(draft) = tokio::task::spawn_blocking(move || job.plan()).await else {
            return Outcome::failed(Failure::new(ErrorCode::Internal, general::ended_early()));
        };
        let compacted = self.with_summary(draft, model, cancel).await;
        let (before, after) = (compacted.before, compacted.after);
        tracing::info!(
            status = ?compacted.status, stages = ?compacted.stages,
            before = before.tokens, after = after.tokens, "Context compression applied"
        );
        Outcome::Compacted(Box::new(compacted))
    }

    async fn with_summary(
        &self,
        draft: CompactionDraft,
        model: Result<Chosen, Failure>,
        cancel: &CancellationToken,
    ) -> Compacted {
        // The script of a demo has no answer to what it does not know of.
        let real = model.ok().filter(|chosen| !chosen.is_demo);
        let request = summary_request(&self.composer, &self.marks, &draft);
        let (Some(chosen), Ok(Some(request))) = (real, request) else {
            return draft.alone();
        };
        let mut unseen = |_| {};
        let asking = chosen.model.chat(&request, &mut unseen, cancel);
        let summary = match tokio::time::timeout(PATIENCE, asking).await {
            // One that was cut lacks its end, whatever headings it has.
            Ok(Ok(reply)) if reply.is_cut_off() => Err(cut_off()),
            Ok(Ok(reply)) => Ok((reply.text, reply.usage)),
            Ok(Err(error)) => Err(error.failure),
            Err(_) => Err(too_slow()),
        };
        if let Err(failure) = &summary {
            tracing::warn!(%failure, "the model gave no summary");
        }
        draft.with_summary(summary)
    }
}

fn cut_off() -> Failure {
    Failure::new(ErrorCode::LlmBadResponse, models::summary_cut_off())
}

fn too_slow() -> Failure {
    Failure::new(ErrorCode::LlmTimeout, models::no_summary_in(PATIENCE.as_secs()))
}
