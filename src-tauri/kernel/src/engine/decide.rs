//! Judgement: one input, at most one line.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::core::OpenWidget;
use super::draft::LineDraft;
use super::finals::Candidate;
use super::input::{Input, Refusal, StartRun, WordsWithFiles, may_be_said, refusal};
use super::machine::{ExecutionEngine, Judged};
use super::queue::asks_the_person;
use super::requests::{wanted, wanted_of};
use super::saying::given;
use super::shown;
use super::subworkflows::accepted;
use crate::bounds::CUT_REPLIES;
use crate::chat::{Finish, Reply, ToolCall};
use crate::code::{ErrorCode, Failure};
use crate::effect::{EffectId, Outcome};
use crate::event::{
    Author, Event, Line, ModelFailed, ModelReplied, ModelSwitched, Phase, Reason, RunResumed,
    RunStarted, StateMirrored, StateRejected, WidgetAnswered,
};
use crate::ids::{CallId, MessageId, NodeId};
use crate::mention::GivenFile;
use crate::phrase::engine as said;
use crate::state_doc;
use crate::text::is_blank;
use crate::time::Time;
use crate::tool::{self, ReceivedCalls};
use crate::widget;

/// See [`ExecutionEngine::judge`].
pub(super) fn judge(
    engine: &ExecutionEngine,
    input: &Input,
    now: Time,
) -> Result<Option<Judged>, Refusal> {
    let (core, missing) = (engine.core.clone(), Vec::new());
    let mut draft = LineDraft { engine, core, now, missing, events: Vec::new() };
    draft.may_be_asked(input)?;
    match input {
        Input::Start(start) => draft.start(start)?,
        Input::StartTask(task) => draft.start_task(task)?,
        Input::Begin(begin) => draft.begin_conversation(begin)?,
        Input::ChooseMode(mode) => draft.choose_mode(mode)?,
        Input::TimeUp => draft.time_up(),
        Input::Say(words) => draft.say(words)?,
        Input::Answer { message_id, value, shown_ms, files } => {
            draft.answer(message_id, value, *shown_ms, files)?;
        }
        Input::ServerAsks { call_id, message, schema } => {
            draft.server_asks(call_id, message, schema)?;
        }
        Input::ActivateSkill(skill) => draft.choose_skill(skill)?,
        Input::EndSkill(name) => draft.end_skill(name)?,
        Input::Revoke(change_id) => draft.revoke(change_id)?,
        Input::PutBack { path, sha256 } => draft.put_back(path, sha256.as_ref())?,
        Input::Rewind { target, reason, seen } => {
            draft.go_back(target, reason.as_deref(), seen)?;
        }
        Input::Stop { partial } => draft.stop(partial.clone())?,
        Input::Resume => draft.resume()?,
        Input::UseModel { model } => draft.use_model(model.clone())?,
        Input::AcceptAnyway(message_id) => draft.accept_anyway(message_id)?,
        Input::EndRun { reason } => draft.end_run(reason.as_deref())?,
        Input::Compact { hard } => draft.compact(*hard)?,
        Input::StartAfresh => draft.start_afresh()?,
        Input::Reopened => draft.reopened(),
        Input::Outcome(id, outcome) => {
            // Late outcomes are ignored because their effect is not wanted any more. An answer that
            // was on its way when the conversation became too long for its model is one all the same.
            let known = wanted(&engine.core, engine.rules().as_ref());
            if known.contains(id) || wanted_of(engine).contains(id) {
                draft.outcome(id, outcome.clone());
            }
        }
        Input::LimitsChanged => {
            draft.end_skills_that_are_over(draft.speaks_with_skills());
            draft.advance();
        }
    }
    if draft.events.is_empty() {
        return Ok(None);
    }
    let LineDraft { mut core, events, .. } = draft;
    let line = Line::new(engine.core.seq.max(1), now, core.requests, events);
    let limits = Some(&engine.env.limits);
    let settings = limits.filter(|limits| engine.core.settings.as_ref() != Some(limits));
    let line = line.decided(input.cause(), settings);
    core.end_line(&line);
    Ok(Some(Judged { line: Arc::new(line), core: Box::new(core) }))
}

impl LineDraft<'_> {
    /// A sub-agent talks with nobody but the agent that asked for it.
    fn may_be_asked(&self, input: &Input) -> Result<(), Refusal> {
        let of_the_person = matches!(
            input,
            Input::Say(_)
                | Input::Answer { .. }
                | Input::ChooseMode(_)
                | Input::ActivateSkill(_)
                | Input::EndSkill(_)
                | Input::Revoke(_)
                | Input::PutBack { .. }
                | Input::Rewind { .. }
                | Input::UseModel { .. }
                | Input::AcceptAnyway(_)
                | Input::EndRun { .. }
                | Input::Compact { .. }
                | Input::StartAfresh
        );
        if self.core.task.is_none() || !of_the_person {
            return Ok(());
        }
        let failure = Failure::new(ErrorCode::NotNow, said::only_the_run_talks());
        Err(Refusal(failure.with_action(said::talk_to_the_run())))
    }

    fn start(&mut self, start: &StartRun) -> Result<(), Refusal> {
        self.may_join()?;
        self.close_queue(
            ErrorCode::Interrupted,
            "the call was not run: the user began another run",
        );
        let entry = self.entry(start);
        self.push(Event::RunStarted(RunStarted {
            run_id: start.run_id.clone(),
            conversation_id: self.conversation().clone(),
            project_id: start.project_id.clone(),
            package_id: start.package_id.clone(),
            content_hash: start.content_hash.clone(),
            workflow_id: start.workflow_id.clone(),
            title: start.title.clone(),
            agent_id: start.agent_id.clone(),
            artifacts_dir: start.artifacts_dir.clone(),
            artifacts_ask: start.artifacts_ask,
            state: start.state.clone(),
            node_id: entry,
            demo: start.demo,
            origin: None,
        }));
        self.must_begin().map_err(Refusal)?;
        self.follow_subworkflows(true);
        match start.input.as_deref().map(str::trim).filter(|t| !t.is_empty()) {
            // The graph is that of a run which begins with this very line.
            Some(text) => {
                let node = self.core.node.clone();
                self.say_from(&WordsWithFiles::of(text, &start.files), node)
            }
            None => Ok(()),
        }
    }

    /// The node a new run begins at.
    fn entry(&self, start: &StartRun) -> Option<NodeId> {
        let package = self.env().package_of(Some(&start.package_id));
        let graph = &package.workflow(&start.workflow_id)?.graph;
        state_doc::StateDoc::parse(&start.state).ok()?.effective_node(graph).ok()
    }

    fn answer(
        &mut self,
        message_id: &MessageId,
        value: &serde_json::Value,
        shown_ms: Option<u64>,
        files: &[GivenFile],
    ) -> Result<(), Refusal> {
        if self.record().answered.contains(message_id) {
            return Err(refusal(ErrorCode::WidgetAlreadySubmitted, said::answered_before()));
        }
        let Some(open) = self.core.widgets.get(message_id).cloned() else {
            if self.core.aside.as_ref().is_some_and(|run| run.asks(message_id)) {
                let failure = Failure::new(ErrorCode::NotNow, said::question_of_the_run());
                return Err(Refusal(failure.with_action(said::turn_to_the_run())));
            }
            return Err(refusal(ErrorCode::WidgetNotFound, said::no_such_widget()));
        };
        self.must_rest()?;
        let value = widget::check_value(&open.asked.widget, value.clone()).map_err(Refusal)?;
        may_be_said(value.to_string().len())?;
        shown::refuse_unread(&self.core, &open, &value, shown_ms, self.now)?;
        let asked = self.core.approvals.asked();
        if asked.is_some_and(|c| c.call_id.as_ref() == Some(&open.asked.call_id)) {
            self.answer_approval(open, message_id, value, shown_ms);
            return Ok(());
        }
        if open.asked.widget.is_of_server() {
            self.answer_server(open, message_id, value, shown_ms);
            return Ok(());
        }
        let others = self.others_wait(message_id, &open);
        let asked = open.asked;
        self.close_queue(
            ErrorCode::Interrupted,
            "the call was not run: the user answered a widget",
        );
        let mut answered = WidgetAnswered {
            message_id: self.message_id(),
            widget_message_id: message_id.clone(),
            widget_id: asked.widget.widget_id.clone(),
            kind: asked.widget.kind,
            value,
            confirms: None,
            call_id: None,
            for_node_id: self.named_node(),
            shown_ms,
            files: given(files),
        };
        if answered.confirms_state_change() {
            answered.confirms = asked.change_id;
        }
        self.push(Event::WidgetAnswered(answered));
        if others {
            self.finish(Phase::WaitingUser, Reason::Widget, None);
        }
        Ok(())
    }

    /// Whether the run goes on waiting for other questions of the same reply.
    fn others_wait(&self, answered: &MessageId, open: &OpenWidget) -> bool {
        let mut widgets = self.core.widgets.iter();
        self.core.reason == Some(Reason::Widget)
            && open.request == self.core.requests
            && widgets.any(|(id, other)| id != answered && other.request == open.request)
    }

    fn stop(&mut self, partial: Option<String>) -> Result<(), Refusal> {
        // A sub-agent that was interrupted can be stopped, too: nobody goes on with it then.
        let is_open_task = self.core.task.is_some() && self.core.task_ended.is_none();
        if self.core.phase != Phase::Running && !self.call_waits_for_person() && !is_open_task {
            if self.stop_hooks() {
                return Ok(());
            }
            return Err(refusal(ErrorCode::NotNow, said::nothing_running()));
        }
        let failure = Failure::new(ErrorCode::EngineAborted, said::stopped_by_user());
        self.abort_request(&failure, partial);
        self.close_queue(ErrorCode::EngineAborted, "the call was not run: the user pressed Stop");
        self.finish(Phase::WaitingUser, Reason::Stopped, Some(failure));
        Ok(())
    }

    fn resume(&mut self) -> Result<(), Refusal> {
        self.must_rest()?;
        if self.call_waits_for_person() {
            let failure = Failure::new(ErrorCode::NotNow, said::call_waits())
                .with_action(said::allow_or_refuse());
            return Err(Refusal(failure));
        }
        self.push(Event::RunResumed(RunResumed {}));
        self.advance();
        Ok(())
    }

    /// Only a demo has something to switch from: every other run asks what is configured.
    fn use_model(&mut self, model: Option<String>) -> Result<(), Refusal> {
        self.must_rest()?;
        if !self.core.plays_demo() {
            return Err(refusal(ErrorCode::NotNow, said::own_model_already()));
        }
        self.push(Event::ModelSwitched(ModelSwitched { model }));
        Ok(())
    }

    fn outcome(&mut self, id: &EffectId, outcome: Outcome) {
        match (id, outcome) {
            (
                EffectId::Think(_),
                Outcome::Replied { reply, request_sha256, duration_ms, foreign },
            ) => {
                self.changed_by_others(&foreign);
                self.replied(reply, request_sha256, duration_ms);
            }
            (EffectId::Think(_), Outcome::StateDrifted(text)) => self.drifted(text.as_deref()),
            (EffectId::Think(_), Outcome::Failed { failure, partial }) => {
                if !self.shortens_for(&failure) {
                    self.model_failed(failure, partial);
                }
            }
            (EffectId::Compact(_), Outcome::Compacted(result)) => self.compacted(*result),
            (EffectId::Compact(_), Outcome::Failed { failure, .. }) => self.not_compacted(failure),
            (EffectId::Mirror(sha256), Outcome::Mirrored) => {
                self.push(Event::StateMirrored(StateMirrored { sha256: sha256.clone() }));
                // A call may have waited for it.
                self.advance();
            }
            (EffectId::Mirror(_), Outcome::StateEdited(found)) => self.edited(found),
            (EffectId::Mirror(_), Outcome::Failed { failure, .. }) => self.mirror_failed(failure),
            (
                EffectId::Prepare(call)
                | EffectId::Look(call)
                | EffectId::Perform(call)
                | EffectId::Settle(call)
                | EffectId::Preview(call),
                outcome,
            ) => match self.core.by_person.clone().filter(|it| it.asked.call_id() == call) {
                Some(it) => self.outcome_for_person(&it, outcome),
                None => self.call_outcome(call, outcome),
            },
            (EffectId::Hook(number), outcome) => self.hook_outcome(*number, outcome),
            (EffectId::Delegate(call) | EffectId::Recall(call), Outcome::Delegated(result)) => {
                self.delegated(call, *result);
            }
            (
                EffectId::Delegate(call) | EffectId::Recall(call),
                Outcome::Failed { failure, .. },
            ) => self.not_delegated(call, failure),
            // An outcome of another kind is a bug of the host; the effect stays wanted.
            (
                EffectId::Think(_)
                | EffectId::Compact(_)
                | EffectId::Mirror(_)
                | EffectId::Delegate(_)
                | EffectId::Recall(_),
                _,
            ) => {}
        }
    }

    fn replied(&mut self, mut reply: Reply, request_sha256: String, duration_ms: u64) {
        let Some(message_id) = self.core.reply_id(self.conversation()) else { return };
        take_fenced_widgets(&mut reply);
        if reply.is_empty() {
            return self.model_failed(reply.empty_failure(), None);
        }
        if let Some(failure) = reply.excess() {
            return self.model_failed(failure, None);
        }
        self.make_call_ids_unique(&mut reply);
        let (is_cut, calls) = (reply.is_cut_off(), reply.calls.len());
        let goes_on = is_cut && self.goes_on_when_cut(&reply);
        if calls == 0 && !is_cut {
            let candidate = Candidate { message_id, reply, request_sha256, duration_ms };
            return self.candidate_final(candidate);
        }
        self.push(Event::ModelReplied(ModelReplied {
            message_id,
            request: self.core.requests + 1,
            request_sha256,
            reply,
            duration_ms,
            agent_id: self.engine.effective_agent().cloned(),
            received: ReceivedCalls::default(),
        }));
        if calls > 0 {
            self.hooks_before_calls();
            self.advance();
        } else if goes_on {
            self.advance();
        } else {
            let failure = Failure::new(ErrorCode::LlmOutputCut, said::output_cut());
            self.finish(Phase::WaitingUser, Reason::Limit, Some(failure));
        }
    }

    /// Whether the model is let go on with words that were cut: so often that it can say what is
    /// longer, and not without end. A small model that is led step by step repeats itself.
    fn goes_on_when_cut(&self, reply: &Reply) -> bool {
        let said_something = !is_blank(&reply.text);
        said_something && !self.engine.is_led() && self.core.cut_replies < CUT_REPLIES
    }

    fn model_failed(&mut self, failure: Failure, partial: Option<String>) {
        let Some(message_id) = self.core.reply_id(self.conversation()) else { return };
        let request = self.core.requests + 1;
        let agent_id = self.engine.effective_agent().cloned();
        let failed =
            ModelFailed { message_id, request, failure: failure.clone(), partial, agent_id };
        self.push(Event::ModelFailed(failed));
        self.finish(Phase::WaitingUser, Reason::Failed, Some(failure));
    }

    /// The file on disk is not the accepted one (spec 03): a valid edit becomes a revision of the
    /// user, another is put aside, a missing file is written again.
    fn drifted(&mut self, text: Option<&str>) {
        let graph = match self.graph() {
            Ok(graph) => graph,
            Err(failure) => return self.model_failed(failure, None),
        };
        let sha256 = text.as_ref().map(|t| crate::text::sha256_hex(t.as_bytes()));
        match self.engine.judged_edit(text, graph) {
            Ok((doc, node_id)) => {
                let complete = doc.is_complete(graph);
                self.state_becomes(accepted(&doc, Author::User, node_id, complete));
            }
            Err(failure) => self.push(Event::StateRejected(StateRejected { sha256, failure })),
        }
    }

    /// A person edited the document while the model was at work: the accepted change stands. The
    /// refusal is a line before the edit is put aside, so that a crash in between leaves nothing
    /// untold; the mirror stays wanted.
    fn edited(&mut self, found: String) {
        let message = said::state_edited_meanwhile();
        let failure = Failure::new(ErrorCode::PreconditionFailed, message)
            .with_action(said::look_at_rejected());
        self.push(Event::StateRejected(StateRejected { sha256: Some(found), failure }));
    }

    fn mirror_failed(&mut self, failure: Failure) {
        let failure = Failure { code: ErrorCode::StoreWriteFailed, ..failure };
        self.close_queue(
            ErrorCode::StoreWriteFailed,
            "the call was not run: the disk refused a write",
        );
        self.finish(Phase::WaitingUser, Reason::Failed, Some(failure));
    }

    /// Servers leave ids out or repeat them; a journal has each once.
    fn make_call_ids_unique(&self, reply: &mut Reply) {
        let request = self.core.requests + 1;
        // The calls of sub-agents stand in the same log as those of the run.
        let of_task = self.core.task.as_ref().map(|task| of_sub_agent(&task.parent.call_id));
        let mut seen: BTreeSet<CallId> = BTreeSet::new();
        for (n, call) in reply.calls.iter_mut().enumerate() {
            let own = if call.id.is_empty() { "call" } else { call.id.as_str() };
            let stem = of_task.as_deref().unwrap_or(own);
            let made = |n| CallId::new(&format!("{}-{request}-{n}", crate::text::prefix(stem, 40)));
            let free = |id: &CallId| {
                !id.is_empty() && !seen.contains(id) && !self.record().call_ids.contains(id)
            };
            let given = of_task.is_none().then(|| call.id.clone()).into_iter();
            let most = n + seen.len() + self.record().call_ids.len();
            // One that was made up may be the name of another call.
            let id = given.chain((n..=most).map(made)).find(free);
            call.id = id.unwrap_or_else(|| call.id.clone());
            seen.insert(call.id.clone());
        }
    }
}

/// How the calls of a sub-agent are called that this call asked for.
fn of_sub_agent(parent: &CallId) -> String {
    match parent.as_str() {
        short if short.len() < 39 => format!("t_{short}"),
        long => format!("t_{}", &crate::text::sha256_hex(long.as_bytes())[..16]),
    }
}

/// A reply that asks in its text, with fenced `widget` blocks, has asked with `ui.ask_user`: the
/// blocks become calls, so that a wrong one is answered like any wrong call. A cut reply may hold
/// half a block.
fn take_fenced_widgets(reply: &mut Reply) {
    if reply.finish == Finish::Length || reply.calls.iter().any(asks_the_person) {
        return;
    }
    let (text, blocks) = widget::fenced(&reply.text);
    if blocks.is_empty() {
        return;
    }
    reply.text = text;
    let name = tool::wire_name(tool::ask_user::NAME);
    let call = |arguments| ToolCall { id: CallId::new(""), name: name.clone(), arguments };
    reply.calls.extend(blocks.into_iter().map(call));
}
