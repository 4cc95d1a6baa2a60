//! Where the person's side of a run comes from: `--answers`, further `--input`s, the demo trace's
//! recorded answers, or the terminal.

mod given;

use kernel::code::{ErrorCode, Failure};
use kernel::event::Phase;
use kernel::phrase::{Phrase, terminal};
use kernel::trace::{Trace, TraceAnswer};
use kernel::widget::{FOR_FOLDER, TOOL_APPROVAL, UNSEEN, WHOLE, Widget, WidgetKind};
use kernel::wire::{RuntimeSnapshot, WaitingWidget, WholeChange};
use kernel::words::Lang;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::path::Path;

use crate::ask::{self, Ask, AtTerminal, CutChange, OfCut};
use crate::output::Output;
use crate::question::can_be_opened;
use given::{Given, GivenWidget};

/// What the person does next.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NextMove {
    /// Say this.
    Say(String),
    /// Submit this to the widget that waits.
    Submit(Value),
    /// Show all of the change that the widget is about, then ask again.
    Open,
    /// Nobody is there: the run stays waiting.
    Nobody,
}

/// The answers in order.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    given: VecDeque<Given>,
    /// The language of the person at the terminal, when there is one.
    terminal: Option<Lang>,
    /// True when answers were given, be it none: a demo's own are not used then.
    scripted: bool,
    /// True when they are a demo's own.
    recorded: bool,
    /// The change that was shown whole last.
    opened: Option<WholeChange>,
}

impl Answers {
    /// `--answers FILE`, then `--input`s; with neither, the terminal.
    pub(crate) fn new(
        file: Option<&Path>,
        inputs: &[String],
        out: &Output,
    ) -> Result<Self, Failure> {
        let mut given = file.map(given::read).transpose()?.unwrap_or_default();
        given.extend(inputs.iter().cloned().map(Given::Text));
        let scripted = file.is_some() || !inputs.is_empty();
        let terminal = out.is_answered_here().then_some(out.lang);
        Ok(Self { given, terminal, scripted, ..Self::default() })
    }

    /// Those of the command line that begins a run: the first words are the run's own.
    pub(crate) fn after_first_words(
        file: Option<&Path>,
        inputs: &[String],
        out: &Output,
    ) -> Result<Self, Failure> {
        let answers = Self::new(file, inputs.get(1..).unwrap_or_default(), out)?;
        Ok(Self { scripted: answers.scripted || !inputs.is_empty(), ..answers })
    }

    /// Whether the next answer is typed at the terminal.
    pub(crate) fn are_typed(&self) -> bool {
        self.terminal.is_some() && self.given.is_empty()
    }

    /// The recorded answers of a demo, when nobody else would answer.
    pub(crate) fn or_demo(mut self, demo: Option<Vec<TraceAnswer>>) -> Self {
        if let Some(answers) = demo.filter(|_| !self.scripted && self.terminal.is_none()) {
            self.given = answers.iter().map(recorded).collect();
            self.recorded = true;
        }
        self
    }

    /// Those that a trace says, approvals among them.
    pub(crate) fn of_trace(trace: &Trace) -> Self {
        let given = trace.answers().iter().map(recorded).collect();
        Self { given, scripted: true, ..Self::default() }
    }

    /// Whether scripted answers are left.
    pub(crate) fn is_empty(&self) -> bool {
        self.given.is_empty()
    }

    /// Whether somebody answers a run that stands like this.
    pub(crate) fn is_anybody_there(&self, run: &RuntimeSnapshot) -> bool {
        let approval = run.widget.as_ref().is_some_and(|w| w.widget.widget_id == TOOL_APPROVAL);
        let nothing_given = self.given.is_empty() || (self.recorded && approval);
        !nothing_given || (self.are_typed() && run.run.phase != Phase::Completed)
    }

    /// All of a change was shown: a plain yes means it from now on.
    pub(crate) fn opened(&mut self, change: WholeChange) {
        self.opened = Some(change);
    }

    /// The next answer to `widget`, or the next words when none waits.
    /// A demo's recorded answers never allow a call: the person is asked, if there is one.
    pub(crate) async fn next(
        &mut self,
        waiting: Option<&WaitingWidget>,
    ) -> Result<NextMove, Failure> {
        let widget = waiting.map(|w| &w.widget);
        if self.recorded && widget.is_some_and(|w| w.widget_id == TOOL_APPROVAL) {
            return Ok(NextMove::Nobody);
        }
        let opened = self.opened.as_ref().filter(|opened| is_about(waiting, opened));
        let opened = opened.map(|opened| opened.whole.clone());
        match (self.given.pop_front(), self.terminal) {
            (Some(given), _) => fit(given, waiting, opened.as_deref()),
            (None, Some(lang)) => {
                let waiting = waiting.cloned();
                // A thread of its own: while it waits for a line, Ctrl-C must be heard.
                let ask = move || at_terminal(waiting.as_ref(), opened.as_deref(), lang);
                Ok(tokio::task::spawn_blocking(ask).await.unwrap_or(NextMove::Nobody))
            }
            (None, None) => Ok(NextMove::Nobody),
        }
    }
}

/// Whether the question that waits is about this change.
fn is_about(waiting: Option<&WaitingWidget>, opened: &WholeChange) -> bool {
    let change = waiting.and_then(|waiting| waiting.change.as_ref());
    change.is_some_and(|change| change.id == opened.change_id)
}

/// Asks on the terminal.
fn at_terminal(waiting: Option<&WaitingWidget>, opened: Option<&str>, lang: Lang) -> NextMove {
    let mut person = AtTerminal;
    let mut ask = Ask::new(&mut person, lang);
    let Some(WaitingWidget { widget, change, .. }) = waiting else {
        return ask.words().map_or(NextMove::Nobody, NextMove::Say);
    };
    if widget.kind.authorises() {
        ask::let_be_read();
    } else {
        ask::drop_typed_ahead();
    }
    let next = if widget.cut {
        let cut = CutChange { can_be_opened: can_be_opened(change.as_ref()), opened };
        ask.cut(&cut).map(|answer| match answer {
            OfCut::Open => NextMove::Open,
            OfCut::Answer(value) => NextMove::Submit(value),
        })
    } else {
        ask.value(widget).map(NextMove::Submit)
    };
    next.unwrap_or(NextMove::Nobody)
}

fn recorded(answer: &TraceAnswer) -> Given {
    match answer {
        TraceAnswer::Text { text } => Given::Said(text.clone()),
        TraceAnswer::Widget { widget_id, value, .. } => Given::Widget(GivenWidget {
            widget_id: widget_id.clone(),
            kind: None,
            value: value.clone(),
        }),
    }
}

fn fit(
    given: Given,
    waiting: Option<&WaitingWidget>,
    opened: Option<&str>,
) -> Result<NextMove, Failure> {
    let wrong = |code: ErrorCode, what: Phrase| {
        let failure = Failure::new(code, terminal::answers_file(what));
        Err(failure.with_action(terminal::correct_answers()))
    };
    match (given, waiting.map(|waiting| &waiting.widget)) {
        (Given::Said(text), _) | (Given::Text(text), None) => Ok(NextMove::Say(text)),
        (Given::Text(text), Some(widget)) => {
            let is_known = waiting.is_some_and(|waiting| waiting.change.is_some());
            if is_known && ["all", "全部"].contains(&text.trim().to_lowercase().as_str()) {
                return Ok(NextMove::Open);
            }
            Ok(NextMove::Submit(meant(widget, from_words(widget, &text), opened)))
        }
        (Given::Widget(given), None) => {
            let expected = given.widget_id.unwrap_or_else(|| "?".into());
            wrong(ErrorCode::WidgetNotFound, terminal::answer_for_none(expected))
        }
        (Given::Widget(given), Some(widget)) => {
            if given.widget_id.as_ref().is_some_and(|id| *id != widget.widget_id) {
                let expected = given.widget_id.unwrap_or_default();
                let what = terminal::answer_for_another(&widget.widget_id, expected);
                return wrong(ErrorCode::WidgetNotFound, what);
            }
            if given.kind.is_some_and(|kind| kind != widget.kind) {
                let (id, is) = (&widget.widget_id, widget.kind.as_str());
                let what = terminal::answer_of_another_type(id, is);
                return wrong(ErrorCode::WidgetValueInvalid, what);
            }
            Ok(NextMove::Submit(meant(widget, given.value, opened)))
        }
    }
}

/// A plain yes to a change that is not shown whole means all of it, once that was shown.
fn meant(widget: &Widget, value: Value, opened: Option<&str>) -> Value {
    match opened {
        Some(opened) if widget.cut && value == json!({ "confirmed": true }) => {
            json!({ "confirmed": true, WHOLE: opened })
        }
        _ => value,
    }
}

/// What a text of `--answers` or `--input` means for a widget: JSON, or the obvious word.
fn from_words(widget: &Widget, text: &str) -> Value {
    let text = text.trim();
    match widget.kind {
        WidgetKind::Confirmation
            if widget.grant.is_some() && ["folder", "文件夹"].contains(&text) =>
        {
            json!({ "confirmed": true, FOR_FOLDER: true })
        }
        WidgetKind::Confirmation if widget.cut && text.eq_ignore_ascii_case(UNSEEN) => {
            json!({ "confirmed": true, UNSEEN: true })
        }
        WidgetKind::Confirmation => ask::no(text).unwrap_or_else(|| {
            let yes = ask::is_yes(text) || ["true", "ok"].contains(&text.to_lowercase().as_str());
            json!({ "confirmed": yes })
        }),
        WidgetKind::PlanReview if ["approve", "y", "yes", "批准"].contains(&text) => {
            json!({ "decision": "approve" })
        }
        WidgetKind::PlanReview => json!({ "decision": "request_changes", "feedback": text }),
        WidgetKind::ActionSelection => Value::from(text),
        WidgetKind::Selection | WidgetKind::Form | WidgetKind::Feedback => {
            serde_json::from_str(text).unwrap_or_else(|_| json!([text]))
        }
    }
}
