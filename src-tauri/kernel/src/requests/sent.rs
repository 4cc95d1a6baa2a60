//! The requests that a journal tells of.

use super::{RequestEnd, RequestPurpose, RequestRow};
use crate::chat::{Reply, Usage};
use crate::code::{ErrorCode, Failure};
use crate::context::CompactionStatus;
use crate::effect::EffectId;
use crate::event::{Cause, ContextCompacted, Event, Line};

/// A request that left, and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct SentRequest {
    /// What is told of it.
    pub row: RequestRow,
    /// The effect that it was.
    pub effect: EffectId,
    /// SHA-256 of it as it was sent; `None` where the journal has none.
    pub sha256: Option<String>,
}

/// Counts the requests of a journal that is read from its first line on.
#[derive(Debug, Default)]
pub struct SentRequests {
    count: u64,
    /// The request whose answer waited for the person's gates last.
    held: Option<u64>,
}

/// What the events of a line say of a request.
struct Told {
    effect: EffectId,
    end: RequestEnd,
    model: Option<String>,
    usage: Option<Usage>,
    duration_ms: Option<u64>,
    first_token_ms: Option<u64>,
    repaired: bool,
    sha256: Option<String>,
}

impl SentRequests {
    /// The request that came to its end with this line, when one did.
    pub fn line(&mut self, line: &Line) -> Option<SentRequest> {
        let told = line.events.iter().find_map(|event| self.told(line, event))?;
        self.count += 1;
        let purpose = match told.effect {
            EffectId::Compact(_) => RequestPurpose::Summary,
            _ => RequestPurpose::Reply,
        };
        let row = RequestRow {
            number: self.count,
            seq: line.seq,
            at: line.at,
            purpose,
            end: told.end,
            model: told.model,
            usage: told.usage,
            duration_ms: told.duration_ms,
            first_token_ms: told.first_token_ms,
            repaired: told.repaired,
        };
        Some(SentRequest { row, effect: told.effect, sha256: told.sha256 })
    }

    fn told(&mut self, line: &Line, event: &Event) -> Option<Told> {
        let thinks = match &line.cause {
            Some(Cause::Ended { effect: EffectId::Think(number), .. }) => Some(*number),
            _ => None,
        };
        match event {
            Event::CandidateHeld(e) => {
                self.held = thinks;
                let calls = RequestEnd::Replied { calls: 0 };
                Some(Told::replied(thinks?, calls, &e.reply, &e.request_sha256, e.duration_ms))
            }
            // What a gate let pass was told when the answer came.
            Event::ModelReplied(e) if self.held == Some(e.request) => None,
            Event::ModelReplied(e) => {
                let end = RequestEnd::Replied { calls: e.reply.calls.len() };
                Some(Told::replied(e.request, end, &e.reply, &e.request_sha256, e.duration_ms))
            }
            Event::CandidateRejected(e) if self.held == Some(e.request) => None,
            Event::CandidateRejected(e) => {
                let end = RequestEnd::NotAccepted;
                Some(Told::replied(e.request, end, &e.reply, &e.request_sha256, e.duration_ms))
            }
            Event::ModelFailed(e) if self.held == Some(e.request) => None,
            Event::ModelFailed(e) if has_left(&e.failure) => {
                let failure = e.failure.clone();
                Some(Told::failed(EffectId::Think(e.request), RequestEnd::Failed { failure }))
            }
            Event::CompactionDue(e) => {
                let failure = e.refused.as_ref()?.failure.clone();
                Some(Told::failed(EffectId::Think(thinks?), RequestEnd::TooLong { failure }))
            }
            Event::ContextCompacted(e) => match &line.cause {
                Some(Cause::Ended { effect, .. }) => Told::summary(effect, e),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Told {
    fn replied(
        number: u64,
        end: RequestEnd,
        reply: &Reply,
        sha256: &str,
        duration_ms: u64,
    ) -> Self {
        Self {
            model: reply.model.clone(),
            usage: Some(reply.usage),
            first_token_ms: reply.first_token_ms,
            repaired: reply.repaired,
            duration_ms: Some(duration_ms),
            sha256: Some(sha256.to_owned()),
            ..Self::failed(EffectId::Think(number), end)
        }
    }

    fn failed(effect: EffectId, end: RequestEnd) -> Self {
        Self {
            effect,
            end,
            model: None,
            usage: None,
            duration_ms: None,
            first_token_ms: None,
            repaired: false,
            sha256: None,
        }
    }

    /// A model was asked for a summary where it gave one, or where it did not and that was noted.
    fn summary(effect: &EffectId, e: &ContextCompacted) -> Option<Self> {
        let end = match (&e.result.usage, e.result.status, &e.result.failure) {
            (Some(_), _, _) => RequestEnd::Replied { calls: 0 },
            (None, CompactionStatus::FailedFallback, Some(failure)) => {
                RequestEnd::Failed { failure: failure.clone() }
            }
            _ => return None,
        };
        Some(Self { usage: e.result.usage, ..Self::failed(effect.clone(), end) })
    }
}

/// Whether a request left that failed like this.
fn has_left(failure: &Failure) -> bool {
    !matches!(
        failure.code,
        ErrorCode::LlmNotConfigured
            | ErrorCode::ContextStillTooLarge
            | ErrorCode::EnginePreconditionFailed
            | ErrorCode::AgentNotFound
            | ErrorCode::CurrentNodeInvalid
    )
}
