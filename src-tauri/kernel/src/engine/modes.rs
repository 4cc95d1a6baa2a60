//! With whom the person talks: a conversation that begins without a run, another mode, and a run that
//! joins (spec 01 "Modes").

use super::core::{CallStatus, QueuedCall};
use super::draft::LineDraft;
use super::input::{BeginConversation, Refusal, WordsWithFiles, refusal};
use super::machine::ExecutionEngine;
use crate::code::{ErrorCode, Failure};
use crate::event::{ConversationStarted, Event, ModeChosen, Phase};
use crate::mode::Mode;
use crate::phrase::engine as said;

impl ExecutionEngine {
    /// Whether the person may turn to somebody else now, or begin another run.
    ///
    /// # Errors
    /// Why not.
    pub fn may_turn(&self, begins_a_run: bool) -> Result<(), Refusal> {
        let (core, missing, events) = (self.core.clone(), Vec::new(), Vec::new());
        let now = core.thinking_since;
        let draft = LineDraft { engine: self, core, now, missing, events };
        if begins_a_run { draft.may_join() } else { draft.may_turn() }
    }
}

impl LineDraft<'_> {
    /// Begins a conversation without a run.
    pub(super) fn begin_conversation(&mut self, begin: &BeginConversation) -> Result<(), Refusal> {
        if self.core.workplace.is_some() || self.core.task.is_some() {
            return Err(refusal(ErrorCode::NotNow, said::begun_already()));
        }
        let name = self.may_talk_with(&begin.mode)?;
        self.push(Event::ConversationStarted(Box::new(ConversationStarted {
            conversation_id: self.conversation().clone(),
            project_id: begin.project_id.clone(),
            mode: begin.mode.clone(),
            artifacts: Some(begin.artifacts.clone()),
            origin: None,
        })));
        if begin.mode != Mode::Chat {
            self.push(Event::ModeChosen(ModeChosen { with: begin.mode.clone(), name }));
        }
        match begin.input.as_deref().map(str::trim).filter(|text| !text.is_empty()) {
            Some(text) => self.say_from(&WordsWithFiles::of(text, &[]), None),
            None => Ok(()),
        }
    }

    /// The person talks with somebody else from now on.
    pub(super) fn choose_mode(&mut self, mode: &Mode) -> Result<(), Refusal> {
        self.may_turn()?;
        if self.core.mode == *mode {
            return Ok(());
        }
        if *mode != Mode::Run {
            self.no_demo_is_open()?;
        }
        let name = self.may_talk_with(mode)?;
        self.close_queue(
            ErrorCode::Interrupted,
            "the call was not run: the user turned to somebody else",
        );
        self.push(Event::ModeChosen(ModeChosen { with: mode.clone(), name }));
        Ok(())
    }

    /// What an agent is called with whom the person may talk.
    fn may_talk_with(&self, mode: &Mode) -> Result<Option<String>, Refusal> {
        match mode {
            Mode::Chat => Ok(None),
            Mode::Run if self.core.newest_run().is_some() => Ok(None),
            Mode::Run => {
                let failure = Failure::new(ErrorCode::NotNow, said::has_no_run());
                Err(Refusal(failure.with_action(said::start_a_run_in_it())))
            }
            Mode::Agent { package_id, agent_id } => {
                let package = self.env().package_of(Some(package_id));
                let agent = package.agent(agent_id).filter(|_| package.id == *package_id);
                let agent = agent.ok_or_else(|| {
                    refusal(ErrorCode::AgentNotFound, said::package_no_agent(agent_id))
                })?;
                Ok(Some(agent.metadata.name.clone()))
            }
        }
    }

    /// A run begins in a conversation whose run before is over, if it had one.
    pub(super) fn may_join(&self) -> Result<(), Refusal> {
        if self.core.task.is_some() {
            return Err(refusal(ErrorCode::NotNow, said::has_a_run()));
        }
        if self.core.workplace.is_none() {
            return Ok(());
        }
        self.may_turn()?;
        let core = self.core.of_the_run();
        let is_over = matches!(core.phase, Phase::Completed | Phase::Failed);
        if core.run.is_some() && !is_over {
            let failure = Failure::new(ErrorCode::NotNow, said::has_an_open_run());
            return Err(Refusal(failure.with_action(said::end_it_or_begin_elsewhere())));
        }
        Ok(())
    }

    /// A demo knows its own script alone: other words in between would put it out of step.
    fn no_demo_is_open(&self) -> Result<(), Refusal> {
        if !self.core.plays_demo() || self.core.phase == Phase::Completed {
            return Ok(());
        }
        let failure = Failure::new(ErrorCode::NotNow, said::demo_has_a_script());
        Err(Refusal(failure.with_action(said::go_on_with_your_model())))
    }

    /// Refuses what is about a run while none is gone on with.
    pub(super) fn must_be_in_a_run(&self) -> Result<(), Refusal> {
        if self.core.run.is_some() {
            return Ok(());
        }
        let failure = match self.core.aside {
            Some(_) => Failure::new(ErrorCode::NotNow, said::run_waits_aside())
                .with_action(said::turn_to_the_run_first()),
            None => Failure::new(ErrorCode::NotNow, said::has_no_run()),
        };
        Err(Refusal(failure))
    }

    /// Refuses while something is on its way that belongs to whom the person talks with now.
    fn may_turn(&self) -> Result<(), Refusal> {
        self.must_rest()?;
        let is_on_its_way = |queued: &QueuedCall| queued.status != CallStatus::Waiting;
        if self.core.by_person.is_some() || self.core.queue.iter().any(is_on_its_way) {
            return Err(refusal(ErrorCode::RunBusy, said::run_is_working()));
        }
        if self.call_waits_for_person() {
            let failure = Failure::new(ErrorCode::NotNow, said::call_waits());
            return Err(Refusal(failure.with_action(said::allow_or_refuse())));
        }
        Ok(())
    }
}
