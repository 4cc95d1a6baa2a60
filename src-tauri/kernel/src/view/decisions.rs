//! What a window shows of judgements, and of what the runtime found out by itself.

use super::items::{ItemPosition, message, notice_id, put};
use super::state::View;
use crate::decision::{Decision, DecisionStatus};
use crate::event::{
    CandidateAccepted, ContextCompacted, Fact, ModeChosen, PutBackEnded, RewindEnded, RunEnded,
    SkillActivated, SkillEnded,
};
use crate::ids::MessageId;
use crate::mode::Mode;
use crate::phrase::{Phrase, decisions as said};
use crate::restore::{self, RestoredFile};
use crate::wire::{Frame, ItemBody, NoticeKind, Speaker};

impl View {
    /// A judgement stands in place of the words that were not accepted, or below those that stand
    /// although something is missing. That nothing is missing need not be said.
    pub(super) fn decided(&mut self, place: ItemPosition, made: &Decision, out: &mut Vec<Frame>) {
        let candidate = self.candidate.take();
        if made.status == DecisionStatus::Accepted {
            return;
        }
        let id = match &candidate {
            Some((id, _)) => Some(id.clone()),
            None => MessageId::new(format!("decision-{}", place.seq)).ok(),
        };
        let rejected = candidate.map(|(_, text)| text);
        let body = ItemBody::Decision { decision: made.clone(), rejected, overruled: false };
        let item = put(place, id, body, out);
        self.judged = item.filter(|_| may_be_let_stand(made.status));
    }

    /// The person lets the words stand: the judgement says so, and they follow as a message.
    pub(super) fn overruled(
        &mut self,
        place: ItemPosition,
        e: &CandidateAccepted,
        out: &mut Vec<Frame>,
    ) {
        let judged = self.judged.take().filter(|item| item.id == e.message_id);
        if let Some(mut item) = judged {
            if let ItemBody::Decision { overruled, .. } = &mut item.body {
                *overruled = true;
            }
            out.push(Frame::Upsert { item: Box::new(item) });
        }
        let mut body = message(Speaker::Assistant, e.text.clone());
        if let ItemBody::Message { agent, .. } = &mut body {
            *agent = e.agent_id.as_ref().map(ToString::to_string);
        }
        put(place, MessageId::new(format!("accepted-{}", place.seq)).ok(), body, out);
    }
}

impl View {
    /// The person took the run back to a step, which begins again, or could not.
    pub(super) fn went_back(&mut self, place: ItemPosition, e: &RewindEnded, out: &mut Vec<Frame>) {
        let files = restore::brought_back(&e.files.restored, &e.files.conflicts);
        if e.files.failure.is_some() {
            let (kind, failure) = (NoticeKind::NotWentBack, e.files.failure.clone());
            let body = ItemBody::Notice { kind, failure, parts: files, can_resume: false };
            put(place, notice_id(place), body, out);
            return;
        }
        self.judged = None;
        self.close_questions(out);
        if e.from == e.node_id {
            self.begins(place, Some(&e.node_id), out);
        }
        let told = if e.undone { said::undone_to(&e.title) } else { said::went_back_to(&e.title) };
        let mut parts = vec![told];
        parts.extend(e.reason.iter().map(said::ended_because));
        parts.extend(files);
        let (kind, failure) = (NoticeKind::WentBack, None);
        let body = ItemBody::Notice { kind, failure, parts, can_resume: true };
        put(place, notice_id(place), body, out);
    }
}

/// Whether the person is asked what becomes of the words: of those that the model goes on from it
/// is decided already.
fn may_be_let_stand(status: DecisionStatus) -> bool {
    matches!(status, DecisionStatus::Incomplete | DecisionStatus::Failed)
}

/// What somebody else did to files of the run.
pub(super) fn changed_by_others(place: ItemPosition, facts: &[Fact], out: &mut Vec<Frame>) {
    let parts: Vec<Phrase> = facts.iter().filter_map(told).collect();
    if !parts.is_empty() {
        tell(place, NoticeKind::ForeignChange, parts, out);
    }
}

fn told(fact: &Fact) -> Option<Phrase> {
    let path = fact.path.as_ref()?;
    Some(match &fact.sha256 {
        Some(_) => said::others_changed(path),
        None => said::others_took(path),
    })
}

/// The person put a file back, or could not.
pub(super) fn put_back(place: ItemPosition, e: &PutBackEnded, out: &mut Vec<Frame>) {
    let parts: Vec<Phrase> = e.restored.iter().map(RestoredFile::said).collect();
    if !parts.is_empty() {
        tell(place, NoticeKind::PutBack, parts, out);
    }
    if let Some(failure) = e.why_not() {
        let (kind, failure, parts) = (NoticeKind::NotPutBack, Some(failure), Vec::new());
        let body = ItemBody::Notice { kind, failure, parts, can_resume: false };
        put(place, MessageId::new(format!("not-put-back-{}", place.seq)).ok(), body, out);
    }
}

/// The person ended the run.
pub(super) fn ended(place: ItemPosition, e: &RunEnded, out: &mut Vec<Frame>) {
    let parts = e.reason.iter().map(said::ended_because).collect();
    tell(place, NoticeKind::Ended, parts, out);
}

/// The model sees less of the older messages from here on.
pub(super) fn shortened(place: ItemPosition, e: &ContextCompacted, out: &mut Vec<Frame>) {
    if e.is_told() {
        tell(place, NoticeKind::Compacted, e.said(), out);
    }
}

/// With whom the person talks from here on.
pub(super) fn mode_chosen(place: ItemPosition, e: &ModeChosen, out: &mut Vec<Frame>) {
    let kind = match &e.with {
        Mode::Run => NoticeKind::RunChosen,
        Mode::Chat => NoticeKind::ChatChosen,
        Mode::Agent { .. } => NoticeKind::AgentChosen,
    };
    tell(place, kind, vec![e.said()], out);
}

/// A skill is at work from here on.
pub(super) fn skill_began(place: ItemPosition, e: &SkillActivated, out: &mut Vec<Frame>) {
    tell(place, NoticeKind::SkillBegan, e.said(), out);
}

/// A skill is at work no longer.
pub(super) fn skill_ended(place: ItemPosition, e: &SkillEnded, out: &mut Vec<Frame>) {
    tell(place, NoticeKind::SkillEnded, vec![e.said()], out);
}

fn tell(place: ItemPosition, kind: NoticeKind, parts: Vec<Phrase>, out: &mut Vec<Frame>) {
    let body = ItemBody::Notice { kind, failure: None, parts, can_resume: false };
    put(place, notice_id(place), body, out);
}
