//! What a request has in common with the one before. Servers keep what they have read of a prompt
//! for as long as the next one begins alike: so each place where it does not has a rule here that
//! says why, and from which message on the rule allows another text.

use super::looked_at::Request;
use kernel::context::MessageSource;
use kernel::event::CompactionReason;

/// Why a request may begin otherwise than the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rule {
    /// The settings say what is on offer: the rules of a model that is led are others.
    OtherOffer,
    /// The settings say what tools may do, which the tool policy tells.
    OtherPolicy,
    /// A step has an agent of its own, whose persona and limits stand in the system layers.
    OtherAgent,
    /// The conversation was too long for its model, and is told in short.
    ShortenedAsFull,
    /// Its server refused it as too long.
    ShortenedAsRefused,
    /// The person wanted it shorter.
    ShortenedByHand,
    /// The person let the run go on from its state document alone.
    StartedAfresh,
    /// A model that is led is told of the present step only.
    StepOfItsOwn,
    /// The anchor stands before the newest input; only that input names its node, and only the files
    /// that it mentions are shown.
    NewInput,
    /// The anchor stands where the run became complete or was opened again; after completion no
    /// input names a node.
    Completed,
    /// The anchor stands where the current node changed.
    OtherNode,
    /// The anchor stands where the run was resumed.
    Resumed,
    /// The intent is `start` or `resume` for one answer, and `continue` after that.
    IntentWasTold,
    /// The run directive says whether the model goes on by itself.
    OtherAutopilot,
    /// The node brief tells which conditions hold, and the state summary the variables.
    OtherVariables,
    /// The todo list tells how far each is.
    OtherTodos,
    /// What is to be done next is the last message of its request, and of no other.
    NextWasTold,
    /// Why words were not accepted stands in the one request after them.
    RejectionWasTold,
    /// That words were cut at the output limit stands in the one request after them.
    CutWasTold,
}

impl Rule {
    /// All of them.
    pub(super) const ALL: [Self; 19] = [
        Self::OtherOffer,
        Self::OtherPolicy,
        Self::OtherAgent,
        Self::ShortenedAsFull,
        Self::ShortenedAsRefused,
        Self::ShortenedByHand,
        Self::StartedAfresh,
        Self::StepOfItsOwn,
        Self::NewInput,
        Self::Completed,
        Self::OtherNode,
        Self::Resumed,
        Self::IntentWasTold,
        Self::OtherAutopilot,
        Self::OtherVariables,
        Self::OtherTodos,
        Self::NextWasTold,
        Self::RejectionWasTold,
        Self::CutWasTold,
    ];

    /// The first message of the earlier request that may be another in the later one; `None` when
    /// the rule says nothing about these two.
    fn from(self, old: &Request, new: &Request) -> Option<usize> {
        let (was, is) = (&old.situation, &new.situation);
        let talk = old.first_of_conversation();
        let anchor = old.first(MessageSource::RunDirective).unwrap_or(old.len());
        let shortened = |why: CompactionReason| {
            let both = (was.shortened.get(&(why as u8)), is.shortened.get(&(why as u8)));
            (both.0 != both.1).then_some(talk)
        };
        let newest = old.of_entry(was.turn_start).unwrap_or(old.len());
        match self {
            Self::OtherOffer => (was.led != is.led).then_some(0),
            Self::OtherPolicy => {
                let same_agent = was.agent == is.agent;
                (same_agent && was.policy != is.policy).then(|| old.first_of(1))
            }
            Self::OtherAgent => (was.agent != is.agent).then(|| old.first_of(1)),
            Self::ShortenedAsFull => shortened(CompactionReason::Full),
            Self::ShortenedAsRefused => shortened(CompactionReason::Refused),
            Self::ShortenedByHand => shortened(CompactionReason::Asked),
            Self::StartedAfresh => shortened(CompactionReason::Fresh),
            Self::StepOfItsOwn => {
                let window = is.led && was.node_start != is.node_start;
                window.then_some(talk)
            }
            Self::NewInput => (was.turn_start != is.turn_start).then_some(anchor.min(newest)),
            Self::Completed => (was.complete != is.complete).then_some(anchor.min(newest)),
            Self::OtherNode => (was.node != is.node).then_some(anchor),
            Self::Resumed => (was.resumed != is.resumed).then_some(anchor),
            Self::IntentWasTold => (was.intent != is.intent).then_some(anchor),
            Self::OtherAutopilot => (was.autopilot != is.autopilot).then_some(anchor),
            Self::OtherVariables => {
                let brief = old.first(MessageSource::NodeBrief)?;
                let others = (was.next != is.next).then_some(brief);
                others.or_else(|| (was.variables != is.variables).then_some(brief + 1))
            }
            Self::OtherTodos => (was.todos != is.todos).then(|| {
                let list = old.first(MessageSource::TodoList);
                list.unwrap_or_else(|| old.end_of_anchor())
            }),
            Self::NextWasTold => old.first(MessageSource::NextAction),
            Self::RejectionWasTold => old.first(MessageSource::ContinueDirective),
            Self::CutWasTold => old.first(MessageSource::OutputCut),
        }
    }
}

/// How many messages two requests begin with alike.
pub(super) fn in_common(old: &Request, new: &Request) -> usize {
    let mut both = old.messages.iter().zip(&new.messages);
    both.position(|(old, new)| old != new).unwrap_or(old.len().min(new.len()))
}

/// How two requests begin.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Beginning {
    /// The later one begins with all of the earlier one.
    Same,
    /// It begins alike up to a message, and this is why.
    Other(Rule),
}

/// Compares a request with the one before, with which it has the `same` first messages.
///
/// # Panics
/// When they differ earlier than every rule allows.
pub(super) fn compare(old: &Request, new: &Request, same: usize) -> Beginning {
    if same == old.len() {
        return Beginning::Same;
    }
    let told = Rule::ALL.iter().filter_map(|rule| Some((rule.from(old, new)?, *rule)));
    let first = told.min_by_key(|(from, _)| *from);
    match first {
        Some((from, rule)) if from <= same => Beginning::Other(rule),
        first => panic!(
            "no rule says why message {same} is another one (the first that speaks: {first:?})\n\
             it was {:?} {:?}\nit is {:?} {:?}\nbefore: {:#?}\nnow: {:#?}",
            old.sources.get(same),
            old.messages.get(same),
            new.sources.get(same),
            new.messages.get(same),
            old.situation,
            new.situation,
        ),
    }
}
