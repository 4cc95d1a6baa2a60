//! What is printed of a conversation: the lines of its journal as they come, and the question that
//! waits.

use kernel::code::ErrorCode;
use kernel::decision::{Decision, DecisionStatus};
use kernel::event::{
    CallEnded, ChangeProposed, Event, Fact, Line, ModelReplied, PutBackEnded, Reason, RewindEnded,
    TurnFinished, WidgetAsked,
};
use kernel::ids::{CallId, ConversationId, MessageId, RunId};
use kernel::mention::{FileGiven, GivenFile};
use kernel::mode::Mode;
use kernel::path::AliasPath;
use kernel::phrase::{asking, decisions, printed};
use kernel::restore;
use kernel::snapshot::change_view;
use kernel::tool::CallResult;
use kernel::wire::{WaitingWidget, WholeChange};
use kernel::words::say;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

use crate::changes::{does, outcome};
use crate::hook_words;
use crate::judged;
use crate::names::run_of;
use crate::output::Output;
use crate::print::{StyledText, paint, rows};
use crate::question;
use crate::rewind_result;
use crate::subagent_words;

/// See the module.
pub(crate) struct Transcript<'a> {
    out: &'a Output,
    /// What was said last came from the keyboard, where it can be read.
    typed: bool,
    /// The question printed last.
    last_asked: Option<MessageId>,
    /// A change that was proposed and not shown.
    unasked: Option<ChangeProposed>,
    /// What each call is about: a failed result does not say.
    paths: BTreeMap<CallId, AliasPath>,
    /// Calls that the model wrote as text.
    repaired: BTreeSet<CallId>,
    /// The run that is gone on with, and the newest; none in a talk.
    run: Option<RunId>,
    newest_run: Option<RunId>,
}

impl<'a> Transcript<'a> {
    /// Nothing is printed yet.
    /// `run` is the one that is gone on with then, and `newest_run` the newest.
    pub(crate) fn new(out: &'a Output, run: Option<RunId>, newest_run: Option<RunId>) -> Self {
        Self {
            run,
            newest_run,
            out,
            typed: false,
            last_asked: None,
            unasked: None,
            paths: BTreeMap::new(),
            repaired: BTreeSet::new(),
        }
    }

    /// The next words are the person's own, typed here: nobody needs to read them again.
    pub(crate) fn was_typed(&mut self) {
        self.typed = true;
    }

    /// Makes sure that the question that will be answered is what was printed last.
    pub(crate) fn ask_about(&mut self, waiting: &WaitingWidget) {
        let asked = Some(waiting.message_id.clone());
        self.out.make_room();
        if self.last_asked != asked {
            for line in question::waiting(waiting, self.out) {
                self.row(line);
            }
            self.last_asked = asked;
        }
    }

    /// All of a change: a document of its own with `--json`. Others are heard between its pieces.
    pub(crate) async fn whole(&self, change: &WholeChange) {
        if self.out.json {
            return self.out.document(&json!({ "wholeChange": change }));
        }
        let mut lines = question::opened(change, self.out).peekable();
        while lines.peek().is_some() {
            let piece: Vec<String> = lines.by_ref().take(1000).collect();
            self.out.print(rows(piece));
            tokio::task::yield_now().await;
        }
    }

    /// The events of a line, one JSON a line, or what a person wants to see of them.
    pub(crate) fn line(&mut self, conversation: &ConversationId, line: &Line) {
        for (seq, event) in line.numbered() {
            self.turns(event);
            if self.out.json {
                let run = &self.run;
                let tagged = serde_json::to_value(event).unwrap_or_default();
                self.out.document(&json!({
                    "seq": seq, "at": line.at, "turn": line.turn, "runId": run,
                    "conversationId": conversation, "event": event.name(), "data": tagged["data"],
                }));
            } else {
                self.event(event, line);
            }
            if let Event::TurnFinished(e) = event {
                self.end_of_turn(e, &self.goes_on_as(conversation));
                if e.failure.as_ref().is_some_and(|f| f.code == ErrorCode::DemoOver) {
                    offer_own_model(conversation, self.out);
                }
            }
        }
    }

    /// Which run it is about from an event on.
    fn turns(&mut self, event: &Event) {
        match event {
            Event::RunStarted(e) => {
                self.newest_run = Some(e.run_id.clone());
                self.run.clone_from(&self.newest_run);
            }
            Event::TaskStarted(e) => self.run = Some(e.parent.run_id.clone()),
            Event::ModeChosen(e) if e.with == Mode::Run => self.run.clone_from(&self.newest_run),
            Event::ModeChosen(_) | Event::ConversationStarted(_) => self.run = None,
            _ => {}
        }
    }

    /// The run that is gone on with, or the conversation.
    pub(crate) fn goes_on_as(&self, conversation: &ConversationId) -> String {
        self.run.as_ref().map_or_else(|| conversation.to_string(), ToString::to_string)
    }

    /// On a line of its own on stdout.
    fn row(&self, text: impl Into<StyledText>) {
        self.out.print(rows([text]));
    }

    /// Why the turn ended, when it is not what the person wanted. Also beside `--json`: stderr is
    /// for people.
    fn end_of_turn(&self, finished: &TurnFinished, run: &str) {
        match (&finished.failure, finished.reason) {
            (Some(failure), Reason::Failed | Reason::Limit) => self.out.failure_in_words(failure),
            (_, Reason::Stopped) => self.out.note(printed::run_stopped()),
            (_, Reason::NotAccepted) => self.out.note(printed::how_to_go_on(run)),
            _ => {}
        }
    }

    fn event(&mut self, event: &Event, line: &Line) {
        match event {
            Event::ModelReplied(e) => self.replied(e),
            Event::ModelFailed(_) | Event::CandidateRejected(_) => self.out.drop_reply(),
            Event::DecisionMade(e) => self.decided(&e.decision),
            Event::CandidateAccepted(e) => self.out.replied(&e.text),
            Event::TodosUpdated(e) => {
                e.changed.iter().for_each(|todo| self.row(judged::todo(todo, self.out)));
            }
            Event::FactsUpdated(e) => self.found_out(&e.facts),
            Event::ContextCompacted(e) if e.is_told() => {
                e.said()
                    .into_iter()
                    .for_each(|said| self.row(format!("  ⤓ {}", self.out.say(said))));
            }
            Event::HookEnded(e) => {
                if let Some(text) = hook_words::ended(e, self.out) {
                    self.out.print(text);
                }
            }
            Event::SubagentUpdated(e) => self.out.print(subagent_words::updated(e, self.out)),
            Event::CallEnded(e) => self.call(e),
            Event::PutBackEnded(e) => self.put_back(e),
            Event::RewindEnded(e) => self.went_back(e),
            Event::WidgetAsked(e) => self.asked(e, line),
            // What the model may do by itself first is shown when the person is asked about it.
            Event::ChangeProposed(e) if lacks_outputs(line) => self.unasked = Some(e.clone()),
            Event::ChangeProposed(e) => self.proposed(e),
            // What a person edited in the state document does not hold.
            Event::StateRejected(e) => self.out.failure_in_words(&e.failure),
            Event::ModeChosen(e) => self.row(format!("  ☰ {}", self.out.say(e.said()))),
            Event::SkillActivated(e) => {
                e.said()
                    .into_iter()
                    .for_each(|said| self.row(format!("  ✦ {}", self.out.say(said))));
            }
            Event::SkillEnded(e) => self.row(format!("  ✦ {}", self.out.say(e.said()))),
            Event::UserSaid(e) => {
                self.said(&e.text);
                self.given(&e.files);
            }
            Event::WidgetAnswered(e) => {
                self.said(&e.value.to_string());
                self.given(&e.files);
            }
            _ => {}
        }
    }

    fn replied(&mut self, replied: &ModelReplied) {
        for call in replied.calls() {
            if replied.reply.repaired {
                self.repaired.insert(call.id.clone());
            }
            if let Some(path) = call.named_path() {
                self.paths.insert(call.id.clone(), path);
            }
        }
        self.out.replied(&replied.reply.text);
    }

    /// That nothing is missing need not be said.
    fn decided(&self, made: &Decision) {
        if made.status != DecisionStatus::Accepted {
            self.out.print(judged::decision(made, self.out));
        }
    }

    /// Files that somebody else changed.
    fn found_out(&self, facts: &[Fact]) {
        for fact in facts {
            let Some(path) = &fact.path else { continue };
            let said = match fact.sha256 {
                Some(_) => decisions::others_changed(path),
                None => decisions::others_took(path),
            };
            self.row(format!("  ! {}", self.out.say(said)));
        }
    }

    /// A file that the person put back, or could not.
    fn put_back(&self, ended: &PutBackEnded) {
        for file in &ended.restored {
            self.row(format!("  ↶ {}", self.out.say(file.said())));
        }
        if let Some(failure) = ended.why_not() {
            self.out.failure_in_words(&failure);
        }
    }

    /// A run that the person took back to a step, or could not.
    fn went_back(&self, ended: &RewindEnded) {
        match &ended.files.failure {
            None => self.out.print(rewind_result::in_words(ended, self.out)),
            Some(failure) => {
                self.out.print(rewind_result::files_in_words(ended, self.out));
                self.out.failure_in_words(failure);
            }
        }
    }

    fn call(&mut self, ended: &CallEnded) {
        let known = self.paths.remove(&ended.call_id).map(|path| path.to_string());
        let path = CallResult::of(&ended.result).path.or(known).unwrap_or_default();
        let as_text = self.repaired.remove(&ended.call_id);
        let as_text = as_text.then(|| self.out.say(printed::written_as_text()) + " ");
        let as_text = as_text.unwrap_or_default();
        let call = paint("2", format!("  · {} {path} {as_text}", ended.tool));
        self.row(call.and(outcome(ended, self.out)));
    }

    fn proposed(&self, change: &ChangeProposed) {
        let lang = self.out.lang;
        let does = does(&change.parts, &change.summary, lang);
        let step = change.back_to.as_ref().map(|step| self.out.say(asking::back_to(step)) + ": ");
        self.row(format!("  ± {}{does}", step.unwrap_or_default()));
        if change.undoes_completion {
            self.row(format!("  ! {}", self.out.say(question::undone())));
        }
        let restore = change.restore.as_deref().cloned().unwrap_or_default();
        let files = restore::lines(&restore.files, &restore.conflicts);
        let files = files.into_iter().map(|line| say(&[line], lang));
        let diff = change.diff.lines().map(str::to_owned);
        files.chain(diff).for_each(|line| self.row(format!("    {line}")));
    }

    fn asked(&mut self, asked: &WidgetAsked, line: &Line) {
        let about = |change: &ChangeProposed| asked.change_id.as_ref() == Some(&change.change_id);
        if let Some(change) = self.unasked.take_if(|change| about(change)) {
            self.proposed(&change);
        }
        let change = line.events.iter().find_map(|event| match event {
            Event::ChangeProposed(change) => Some(change_view(change)),
            _ => None,
        });
        let text = question::question(&asked.widget, change.as_ref(), self.out.lang);
        let mut lines = text.lines();
        let first = format!("? {}", lines.next().unwrap_or_default());
        self.row(paint("36;1", first));
        lines.for_each(|line| self.row(format!("  {line}")));
        // What a known change does was told with it.
        let cautions = match asked.change_id {
            None => question::cautions(&asked.widget, None, self.out),
            Some(_) => question::not_whole(&asked.widget, self.out).into_iter().collect(),
        };
        for caution in cautions {
            self.row(caution);
        }
        for choice in question::choices(&asked.widget, change.as_ref(), self.out) {
            self.row(choice);
        }
        self.last_asked = Some(asked.message_id.clone());
    }

    /// The person's words, unless they stand there as they were typed.
    fn said(&mut self, text: &str) {
        let typed = std::mem::take(&mut self.typed);
        if !typed {
            self.out.print(paint("36", format!("> {text}")));
        }
    }
}

impl Transcript<'_> {
    /// The files that went along with the person's words.
    fn given(&self, files: &[GivenFile]) {
        for file in files {
            let said = FileGiven::from(file).says();
            self.row(paint("2", format!("  @ {}", self.out.say(said))));
        }
    }
}

/// Whether a change was refused in a line because a step lacks what it promises.
fn lacks_outputs(line: &Line) -> bool {
    line.events.iter().any(|event| match event {
        Event::CallEnded(e) => {
            CallResult::of(&e.result).code() == Some(ErrorCode::OutputsMissing.as_str())
        }
        _ => false,
    })
}

/// How a demo goes on.
pub(crate) fn offer_own_model(conversation: &ConversationId, out: &Output) {
    out.note(printed::how_a_demo_goes_on(conversation, run_of(conversation)));
}
