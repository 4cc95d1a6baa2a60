//! What was judged in a run, and what its person answered, from its journal alone.

use kernel::code::Failure;
use kernel::ids::ConversationId;
use kernel::view::GatheredEvidence;
use kernel::wire::{EvidenceView, JudgementRecord};
use std::ops::ControlFlow;

use super::Sessions;

impl Sessions {
    /// The newest judgements and answers of a conversation, the newest first.
    pub(crate) async fn evidence(
        &self,
        conversation: &ConversationId,
    ) -> Result<EvidenceView, Failure> {
        self.gathered(conversation, GatheredEvidence::default()).await
    }

    /// Every judgement of a conversation, the oldest first.
    pub(crate) async fn judgements(
        &self,
        conversation: &ConversationId,
    ) -> Result<Vec<JudgementRecord>, Failure> {
        let all = GatheredEvidence::with_judgements(usize::MAX);
        let mut judgements = self.gathered(conversation, all).await?.judgements;
        judgements.reverse();
        Ok(judgements)
    }

    async fn gathered(
        &self,
        conversation: &ConversationId,
        gathered: GatheredEvidence,
    ) -> Result<EvidenceView, Failure> {
        let gathered = self.store.fold_lines(conversation, gathered, |gathered, line| {
            gathered.line(line);
            ControlFlow::Continue(())
        });
        Ok(gathered.await?.into_view())
    }
}
