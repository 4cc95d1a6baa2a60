//! What was judged in a run, and what its person answered: gathered from a journal, line by line.

use std::collections::{BTreeMap, VecDeque};

use serde::Serialize;
use serde_json::Value;

use crate::bounds::{LISTED_ANSWERS, LISTED_BYTES, LISTED_JUDGEMENTS, LISTED_VALUES};
use crate::decision::{Decision, DecisionStatus};
use crate::event::{ChangeProposed, Event, Line, WidgetAnswered, WidgetAsked};
use crate::ids::MessageId;
use crate::snapshot::change_view;
use crate::text::ellipsis;
use crate::time::Time;
use crate::widget::Widget;
use crate::wire::{ChangeView, EvidenceView, GivenAnswer, JudgementRecord};

/// The newest of what was gathered, and how much there is before them.
#[derive(Debug)]
struct Newest<T> {
    most: usize,
    kept: VecDeque<T>,
    earlier: usize,
}

impl<T> Newest<T> {
    fn new(most: usize) -> Self {
        Self { most, kept: VecDeque::new(), earlier: 0 }
    }

    fn push(&mut self, one: T) {
        self.kept.push_back(one);
        if self.kept.len() > self.most {
            self.kept.pop_front();
            self.earlier += 1;
        }
    }
}

/// Gathers judgements and answers from the lines of a journal.
#[derive(Debug)]
pub struct GatheredEvidence {
    judgements: Newest<JudgementRecord>,
    answers: Newest<GivenAnswer>,
    /// The newest words that the model would have ended a turn with, and whether they stand.
    words: Option<(MessageId, bool)>,
    /// The newest change that was computed.
    proposed: Option<Box<ChangeView>>,
    /// Questions that nobody has answered.
    asked: BTreeMap<MessageId, OpenQuestion>,
}

#[derive(Debug)]
struct OpenQuestion {
    seq: u64,
    widget: Widget,
    change: Option<Box<ChangeView>>,
}

impl Default for GatheredEvidence {
    /// As much as a window is told.
    fn default() -> Self {
        Self::with_judgements(LISTED_JUDGEMENTS)
    }
}

impl GatheredEvidence {
    /// So many judgements at most.
    pub fn with_judgements(most: usize) -> Self {
        Self {
            judgements: Newest::new(most),
            answers: Newest::new(LISTED_ANSWERS),
            words: None,
            proposed: None,
            asked: BTreeMap::new(),
        }
    }

    /// Takes the next line.
    pub fn line(&mut self, line: &Line) {
        for (seq, event) in line.numbered() {
            self.event(seq, line.at, event);
        }
    }

    /// What was gathered, the newest first.
    pub fn into_view(self) -> EvidenceView {
        EvidenceView {
            judgements: self.judgements.kept.into_iter().rev().collect(),
            earlier_judgements: self.judgements.earlier,
            answers: self.answers.kept.into_iter().rev().collect(),
            earlier_answers: self.answers.earlier,
        }
    }

    fn event(&mut self, seq: u64, at: Time, event: &Event) {
        match event {
            Event::ModelReplied(e) => self.words = Some((e.message_id.clone(), true)),
            Event::CandidateRejected(e) => self.words = Some((e.message_id.clone(), false)),
            Event::DecisionMade(e) => self.judged(seq, at, &e.decision),
            Event::CandidateAccepted(e) => self.overruled(&e.message_id),
            Event::ChangeProposed(e) => self.proposed = Some(Box::new(without_diff(e))),
            Event::WidgetAsked(e) => self.was_asked(seq, e),
            Event::WidgetAnswered(e) => self.answered(at, e),
            _ => {}
        }
    }

    fn judged(&mut self, seq: u64, at: Time, decision: &Decision) {
        let accepts = decision.status == DecisionStatus::Accepted;
        let item = match self.words.take() {
            Some((words, stand)) if stand == accepts => Some(words),
            // As the view calls what stands below words.
            _ if !accepts => MessageId::new(format!("decision-{seq}")).ok(),
            _ => None,
        };
        let decision = decision.clone();
        self.judgements.push(JudgementRecord { seq, at, item, decision, overruled: false });
    }

    fn overruled(&mut self, words: &MessageId) {
        let mut judgements = self.judgements.kept.iter_mut().rev();
        if let Some(judgement) = judgements.find(|it| it.item.as_ref() == Some(words)) {
            judgement.overruled = true;
        }
    }

    fn was_asked(&mut self, seq: u64, e: &WidgetAsked) {
        let shown =
            self.proposed.as_ref().filter(|change| e.change_id.as_ref() == Some(&change.id));
        let change = shown.cloned();
        let question = OpenQuestion { seq, widget: listed(&e.widget), change };
        self.asked.insert(e.message_id.clone(), question);
    }

    fn answered(&mut self, at: Time, e: &WidgetAnswered) {
        let Some(question) = self.asked.remove(&e.widget_message_id) else { return };
        let OpenQuestion { seq, widget, change } = question;
        let is_short = json_bytes(&e.value) <= LISTED_BYTES;
        let answer = if is_short { e.value.clone() } else { shortened(&e.value) };
        let item = e.widget_message_id.clone();
        self.answers.push(GivenAnswer { seq, at, item, widget, change, answer });
    }
}

/// The question as a list tells it: of a large one its beginning. All of it stands in the
/// conversation.
fn listed(widget: &Widget) -> Widget {
    if json_bytes(widget) <= LISTED_BYTES {
        return widget.clone();
    }
    Widget {
        message: ellipsis(&widget.message, LISTED_BYTES),
        schema: None,
        options: None,
        plan_content: None,
        items: None,
        actions: None,
        ..widget.clone()
    }
}

/// The answer as a list tells it: whether it is a yes or a no stays as it is, of long texts and
/// long lists there is the beginning.
fn shortened(answer: &Value) -> Value {
    match answer {
        Value::String(text) => ellipsis(text, LISTED_BYTES / 8).into(),
        Value::Array(values) => values.iter().take(LISTED_VALUES).map(shortened).collect(),
        Value::Object(fields) => {
            let fields = fields.iter().take(LISTED_VALUES);
            Value::Object(fields.map(|(name, it)| (name.clone(), shortened(it))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => answer.clone(),
    }
}

fn json_bytes(value: &impl Serialize) -> usize {
    serde_json::to_vec(value).map_or(usize::MAX, |bytes| bytes.len())
}

/// The change as it is shown; what differs may be long, and stands in the conversation.
fn without_diff(change: &ChangeProposed) -> ChangeView {
    ChangeView { diff: String::new(), ..change_view(change) }
}
