//! The run that waits while the person talks with somebody else.

use std::borrow::Cow;
use std::sync::Arc;

use super::core::{Activity, Core, RunAside, Workplace};
use super::nesting::Nesting;
use crate::acceptance::Told;
use crate::changed_files::ChangedFiles;
use crate::event::{ConversationStarted, Phase};
use crate::graph::SaidInStep;
use crate::mode::Mode;
use crate::subagent::Subagents;
use crate::todo::Todos;

impl Core {
    /// The state as it would be if the person had never turned from the run.
    pub fn of_the_run(&self) -> Cow<'_, Self> {
        if self.aside.is_none() {
            return Cow::Borrowed(self);
        }
        let mut core = self.clone();
        core.mode = Mode::Run;
        core.come_back();
        Cow::Owned(core)
    }

    pub(super) fn conversation_started(&mut self, e: &ConversationStarted) {
        let artifacts = e.artifacts.as_ref().filter(|artifacts| !artifacts.asks);
        self.workplace = Some(Workplace {
            project_id: e.project_id.clone(),
            free_folder: artifacts.map(|artifacts| artifacts.folder.clone()),
        });
        self.mode = e.mode.clone();
    }

    pub(super) fn mode_chosen(&mut self, with: &Mode) {
        match (&self.mode, with) {
            (Mode::Run, Mode::Run) => {}
            (Mode::Run, _) => self.turn_aside(),
            (_, Mode::Run) => self.come_back(),
            _ => self.nothing_waits(),
        }
        self.mode = with.clone();
        self.count_anew();
        self.rejections = 0;
        self.activity = Activity::Resting;
    }

    /// The person turns from the run, if there is one.
    fn turn_aside(&mut self) {
        let Some(run) = self.run.take() else { return self.nothing_waits() };
        self.aside = Some(Box::new(RunAside {
            run,
            doc: self.doc.take(),
            mirrored: self.mirrored.take(),
            rejected: self.rejected.take(),
            nesting: std::mem::take(&mut self.nesting),
            before_rewind: self.before_rewind.take(),
            entered: std::mem::take(&mut self.entered),
            walked: std::mem::take(&mut self.walked),
            found: std::mem::take(&mut self.found),
            node: self.node.take(),
            phase: self.phase,
            reason: self.reason,
            widgets: std::mem::take(&mut self.widgets),
            todos: std::mem::take(&mut self.todos),
            over: std::mem::take(&mut self.over),
            ended: self.ended.take(),
            gates: std::mem::take(&mut self.gates),
            gated_at: std::mem::take(&mut self.gated_at),
        }));
        self.nothing_waits();
    }

    /// It is the person's move, and nothing of theirs is awaited.
    fn nothing_waits(&mut self) {
        self.phase = Phase::WaitingUser;
        self.reason = None;
        self.widgets.clear();
    }

    /// The person turns to the run again, which stands where it stood.
    fn come_back(&mut self) {
        let Some(aside) = self.aside.take() else { return };
        let RunAside {
            run,
            doc,
            mirrored,
            rejected,
            nesting,
            before_rewind,
            entered,
            walked,
            found,
            node,
            phase,
            reason,
            widgets,
            todos,
            over,
            ended,
            gates,
            gated_at,
        } = *aside;
        self.run = Some(run);
        (self.doc, self.mirrored, self.rejected) = (doc, mirrored, rejected);
        (self.nesting, self.before_rewind) = (nesting, before_rewind);
        (self.entered, self.walked, self.found, self.node) = (entered, walked, found, node);
        (self.phase, self.reason, self.widgets) = (phase, reason, widgets);
        (self.todos, self.over, self.ended) = (todos, over, ended);
        (self.gates, self.gated_at) = (gates, gated_at);
    }

    /// Another run begins in the conversation.
    pub(super) fn forget_the_run_before(&mut self) {
        self.aside = None;
        self.mode = Mode::Run;
        (self.mirrored, self.rejected) = (None, None);
        self.nesting = Nesting::default();
        self.before_rewind = None;
        self.entered.clear();
        self.said = SaidInStep::default();
        self.walked.clear();
        self.found.clear();
        self.widgets.clear();
        self.todos = Todos::default();
        (self.over, self.ended) = (false, None);
        self.gates = Arc::default();
        self.gated_at = 0;
        // What was done before it began is not of this run.
        self.files = ChangedFiles::default();
        self.subagents = Subagents::default();
        self.rejections = 0;
        self.told = Told::default();
        self.requests_before = self.requests;
        self.intent = None;
    }
}
