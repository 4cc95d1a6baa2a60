//! Following a conversation until it rests, printing what happens, answering when it waits.

use host::host::Host;
use kernel::code::{ErrorCode, Failure};
use kernel::command::{Query, Receipt, Routed, SessionCommand};
use kernel::event::{Event, Line, Phase, Reason, TurnFinished};
use kernel::ids::ConversationId;
use kernel::phrase::{printed, terminal};
use kernel::view::Unchanged;
use kernel::wire::{Answer, Noticed, RuntimeSnapshot, Standing, WaitingWidget, WatchTarget};
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::sync::mpsc::{Receiver, UnboundedReceiver};

use crate::answers::{Answers, NextMove};
use crate::changes::changes;
use crate::exit::Exit;
use crate::interrupts::Interrupts;
use crate::live::{LiveView, Woken};
use crate::output::Output;
use crate::print::{StyledText, about, rows};
use crate::reads::{conversation as conversation_row, snapshot, standing};
use crate::routed::{sets_going, told};
use crate::transcript::Transcript;

/// A sequence number no journal reaches: a follower from here on is told nothing old.
const NOTHING_OLD: u64 = i64::MAX as u64;

/// Follows until the run is complete or nobody answers; returns what the process ends with.
/// `ctrl_c` listens since before the command was submitted that is followed: whoever presses it
/// while the server is asked about its model loses no words.
pub(crate) async fn follow(
    host: &Arc<Host>,
    conversation: &ConversationId,
    from_seq: u64,
    answers: Answers,
    mut ctrl_c: Interrupts,
    out: &Output,
) -> Result<Exit, Failure> {
    let mut following = Following::begin(host, conversation, from_seq, out).await?;
    let rest = following.until_rest(&mut ctrl_c).await?;
    Box::pin(following.answer(rest, answers, &mut ctrl_c)).await
}

/// The same for a run that waits for the person now.
pub(crate) async fn answer_and_follow(
    host: &Arc<Host>,
    before: &RuntimeSnapshot,
    conversation: &ConversationId,
    answers: Answers,
    out: &Output,
) -> Result<Exit, Failure> {
    let mut ctrl_c = Interrupts::listen();
    let mut following = Following::begin(host, conversation, before.seq + 1, out).await?;
    let reason = Some(Reason::Answered);
    let rest = Rest { phase: before.run.phase, reason, failure: None, interrupted: false };
    Box::pin(following.answer(rest, answers, &mut ctrl_c)).await
}

/// Goes on with a talk in which it is the person's move.
pub(crate) async fn talk_on(
    host: &Arc<Host>,
    conversation: &ConversationId,
    answers: Answers,
    mut ctrl_c: Interrupts,
    out: &Output,
) -> Result<Exit, Failure> {
    let before = open(host, conversation).await?;
    let mut following = Following::begin(host, conversation, before.seq + 1, out).await?;
    let reason = Some(Reason::Answered);
    let rest = Rest { phase: before.phase, reason, failure: None, interrupted: false };
    Box::pin(following.answer(rest, answers, &mut ctrl_c)).await
}

struct Following<'a> {
    host: &'a Arc<Host>,
    conversation: ConversationId,
    lines: UnboundedReceiver<Result<Arc<Line>, Failure>>,
    settings: Option<Receiver<Noticed>>,
    live: Option<LiveView>,
    /// What was refused in this turn.
    unchanged: Unchanged,
    transcript: Transcript<'a>,
    /// The hooks that look on and have not ended, by their numbers.
    hooks_at_work: BTreeSet<u64>,
    /// Whether the model has said something since.
    has_replied: bool,
    /// Whether no run is gone on with: then nothing is left open by an answer.
    talks: bool,
    out: &'a Output,
}

/// What came of giving an answer.
enum Went {
    /// The run goes on.
    On,
    /// The run waits as before: the same is asked again.
    Again,
    /// What was typed cannot be said now.
    Refused(Failure),
    /// There is none.
    Nobody,
}

/// What is shown next; nothing ever is where nobody looks.
async fn awake(live: &mut Option<LiveView>) -> Woken {
    match live {
        Some(live) => live.woken().await,
        None => std::future::pending().await,
    }
}

/// The next word about the settings; none ever comes when they cannot be watched.
async fn heard(settings: &mut Option<Receiver<Noticed>>) -> Noticed {
    if let Some(settings) = settings
        && let Some(noticed) = settings.recv().await
    {
        return noticed;
    }
    std::future::pending().await
}

/// What a person types to make the conversation shorter for its model.
const COMPACT: &str = "/compact";

/// A turn that ended.
struct Rest {
    phase: Phase,
    reason: Option<Reason>,
    failure: Option<ErrorCode>,
    /// The person pressed Ctrl-C on the way.
    interrupted: bool,
}

impl Rest {
    fn of(finished: &TurnFinished, interrupted: bool) -> Self {
        let failure = finished.failure.as_ref().map(|f| f.code);
        Self { phase: finished.phase, reason: Some(finished.reason), failure, interrupted }
    }

    fn exit(&self) -> Exit {
        let exit = Exit::of_rest(self.phase, self.reason, self.failure);
        if self.interrupted && exit != Exit::Done { Exit::Interrupted } else { exit }
    }

    /// After a failure, a limit or a stop, the person decides; answers are for questions.
    fn may_go_on(&self, answers: &Answers) -> bool {
        !self.interrupted
            && match self.phase {
                Phase::Completed => !answers.is_empty(),
                _ => matches!(self.reason, Some(Reason::Answered | Reason::Widget)),
            }
    }
}

impl<'a> Following<'a> {
    async fn begin(
        host: &'a Arc<Host>,
        conversation: &ConversationId,
        from_seq: u64,
        out: &'a Output,
    ) -> Result<Self, Failure> {
        let lines = host.follow(conversation, from_seq).await?;
        // Where the settings cannot be watched, they hold as they were read.
        let settings = host.notice(WatchTarget::App).await.ok();
        let live = LiveView::begin(host, conversation, out).await;
        // What it is about where the journal is followed from.
        let row = conversation_row(host, conversation).await?;
        let newest = row.runs.first().map(|run| run.run_id.clone());
        let talks = row.talk.is_some();
        let run = newest.clone().filter(|_| !talks);
        let transcript = Transcript::new(out, run, newest);
        let unchanged = Unchanged::default();
        let hooks_at_work = BTreeSet::new();
        Ok(Self {
            host,
            conversation: conversation.clone(),
            lines,
            settings,
            live,
            unchanged,
            transcript,
            hooks_at_work,
            has_replied: false,
            talks,
            out,
        })
    }

    /// Answers and follows in turns, until nobody answers or there is nothing to say.
    async fn answer(
        &mut self,
        mut rest: Rest,
        mut answers: Answers,
        ctrl_c: &mut Interrupts,
    ) -> Result<Exit, Failure> {
        loop {
            let exit = self.exit(&rest);
            if !rest.may_go_on(&answers) {
                self.what_changed().await;
                return Ok(exit);
            }
            let typed = answers.are_typed();
            let (next, waiting) = tokio::select! {
                next = self.next_move(&mut answers) => next?,
                () = ctrl_c.pressed() => {
                    if typed {
                        // The prompt's line ends here.
                        self.out.told(StyledText::default());
                    }
                    self.how_to_go_on();
                    return Ok(Exit::Interrupted);
                }
            };
            match self.make(next, waiting, &mut answers, typed, ctrl_c).await? {
                Went::On => rest = self.until_rest(ctrl_c).await?,
                Went::Again => {}
                Went::Refused(failure) => {
                    self.out.failure_in_words(&failure);
                    rest = self.newer_rest(rest)?;
                }
                Went::Nobody => {
                    self.what_changed().await;
                    if exit == Exit::Waiting {
                        self.how_to_go_on();
                    }
                    return Ok(exit);
                }
            }
        }
    }

    /// What the process ends with where the conversation rests.
    fn exit(&self, rest: &Rest) -> Exit {
        match rest.exit() {
            Exit::Waiting if self.talks && rest.reason != Some(Reason::Widget) => Exit::Done,
            exit => exit,
        }
    }

    /// Prints lines until a turn ends, and what the commands of the person came to that it made due.
    async fn until_rest(&mut self, ctrl_c: &mut Interrupts) -> Result<Rest, Failure> {
        let (mut interrupted, mut rest) = (false, None);
        loop {
            tokio::select! {
                line = self.lines.recv() => {
                    let line = line.unwrap_or_else(|| Err(ended()))?;
                    self.what_is_too_long(&line).await;
                    if let Some(finished) = self.show(&line) {
                        self.out.pass("");
                        rest = Some(Rest::of(&finished, interrupted));
                    }
                    if let Some(rest) = rest.take_if(|_| self.hooks_at_work.is_empty()) {
                        return Ok(rest);
                    }
                }
                woken = awake(&mut self.live) => {
                    if let Some(live) = &mut self.live {
                        live.show(woken, self.out);
                    }
                }
                noticed = heard(&mut self.settings) => self.settings_edited(&noticed),
                () = ctrl_c.pressed() => {
                    interrupted = true;
                    self.stop().await?;
                }
            }
        }
    }

    /// What another program did meanwhile, where the run rests now.
    fn newer_rest(&mut self, mut rest: Rest) -> Result<Rest, Failure> {
        while let Ok(line) = self.lines.try_recv() {
            let line = line?;
            if let Some(finished) = self.show(&line) {
                rest = Rest::of(&finished, rest.interrupted);
            }
        }
        Ok(rest)
    }

    /// Prints a line; how the turn ended, when it did.
    fn show(&mut self, line: &Line) -> Option<TurnFinished> {
        if let Some(live) = &mut self.live {
            live.catch_up(self.out);
        }
        self.transcript.line(&self.conversation, line);
        for phrase in line.events.iter().flat_map(|event| self.unchanged.apply(event)) {
            self.out.told(rows([format!("⚖ {}", self.out.say(phrase))]));
        }
        line.events.iter().for_each(|event| self.hooks(event));
        line.events.iter().rev().find_map(finished)
    }

    fn hooks(&mut self, event: &Event) {
        match event {
            // What the run itself waits for has ended when the turn does.
            Event::HooksDue(due) if !due.point.is_waited_for() => {
                self.hooks_at_work.extend((due.first..).take(due.hooks.len()));
            }
            Event::HookEnded(ended) => _ = self.hooks_at_work.remove(&ended.number),
            Event::TurnFinished(e) if e.reason == Reason::Stopped => self.hooks_at_work.clear(),
            _ => {}
        }
    }

    /// Edited settings hold from the next turn on; what is wrong with them is said.
    fn settings_edited(&self, noticed: &Noticed) {
        let Noticed::Settings { problems } = noticed else { return };
        for problem in problems {
            self.out.problem(problem);
        }
    }

    async fn stop(&self) -> Result<(), Failure> {
        self.out.note(printed::stopping());
        let stop = SessionCommand::Stop.to(self.conversation.clone());
        match self.host.submit(stop).await {
            // The turn has just ended by itself.
            Err(failure) if failure.code != ErrorCode::NotNow => Err(failure),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// The next answer, and what it is given to.
    async fn next_move(
        &mut self,
        answers: &mut Answers,
    ) -> Result<(NextMove, Option<WaitingWidget>), Failure> {
        let waiting = standing(self.host, &self.conversation).await?.widget;
        if let Some(waiting) = waiting.as_ref().filter(|_| answers.are_typed()) {
            self.transcript.ask_about(waiting);
        }
        Ok((answers.next(waiting.as_ref()).await?, waiting))
    }

    /// Gives the answer. What was typed and is refused is asked for again.
    async fn make(
        &mut self,
        next: NextMove,
        waiting: Option<WaitingWidget>,
        answers: &mut Answers,
        typed: bool,
        ctrl_c: &mut Interrupts,
    ) -> Result<Went, Failure> {
        let command = match next {
            NextMove::Nobody => return Ok(Went::Nobody),
            NextMove::Open => return self.open(waiting.as_ref(), answers, typed).await,
            NextMove::Say(text) if typed && text.trim() == COMPACT => return self.compact().await,
            NextMove::Say(text) => SessionCommand::Say { text },
            NextMove::Submit(value) => {
                let Some(waiting) = waiting else { return Ok(Went::Nobody) };
                let message_id = waiting.message_id;
                SessionCommand::Answer { message_id, value, shown_ms: None }
            }
        };
        match ctrl_c.submit(self.host, command.to(self.conversation.clone())).await {
            Ok(receipt) => {
                if typed {
                    self.transcript.was_typed();
                }
                if let Some(routed) = &receipt.routed {
                    return self.routed(routed, &receipt).await;
                }
            }
            Err(failure) if typed && Exit::of(failure.code) != Exit::Failed => {
                return Ok(Went::Refused(failure));
            }
            Err(failure) => return Err(failure),
        }
        Ok(Went::On)
    }

    /// What becomes of words that the menu, or the program, may know.
    async fn routed(&mut self, routed: &Routed, receipt: &Receipt) -> Result<Went, Failure> {
        if let (Routed::Resumed { from_seq, .. }, Some(led)) = (routed, &receipt.conversation_id)
            && *led != self.conversation
        {
            *self = Self::begin(self.host, led, *from_seq, self.out).await?;
        }
        if matches!(routed, Routed::Started | Routed::Resumed { .. }) {
            self.talks = false;
        }
        if sets_going(routed) {
            return Ok(Went::On);
        }
        while let Ok(Ok(line)) = self.lines.try_recv() {
            self.show(&line);
        }
        self.talks |= *routed == Routed::Dismissed;
        told(receipt, self.out);
        Ok(Went::Again)
    }

    /// Makes the conversation shorter for its model, and says what came of it.
    async fn compact(&mut self) -> Result<Went, Failure> {
        let compact = SessionCommand::Compact { hard: false };
        if let Err(failure) = self.host.submit(compact.to(self.conversation.clone())).await {
            return Ok(Went::Refused(failure));
        }
        self.transcript.was_typed();
        while let Ok(line) = self.lines.try_recv() {
            self.show(&*line?);
        }
        Ok(Went::Again)
    }

    /// Shows all of the change that is asked about; then it is asked again.
    async fn open(
        &self,
        waiting: Option<&WaitingWidget>,
        answers: &mut Answers,
        typed: bool,
    ) -> Result<Went, Failure> {
        let change = waiting.filter(|w| w.widget.cut).and_then(|w| w.change.as_ref());
        // One that is not cut was shown whole with the question.
        let Some(change) = change else { return Ok(Went::Again) };
        let (conversation_id, change_id) = (self.conversation.clone(), change.id.clone());
        let query = Query::WholeChange { conversation_id, change_id };
        match self.host.query(query).await {
            Ok(Answer::WholeChange(whole)) => {
                self.transcript.whole(&whole).await;
                answers.opened(whole);
                Ok(Went::Again)
            }
            Ok(_) => Err(Failure::new(ErrorCode::Internal, terminal::another_answer())),
            Err(failure) if typed => Ok(Went::Refused(failure)),
            Err(failure) => Err(failure),
        }
    }

    /// With the first reply: the steps that the model cannot read whole. How much it reads is known
    /// by then, where its server says so.
    async fn what_is_too_long(&mut self, line: &Line) {
        let replied = line.events.iter().any(|event| matches!(event, Event::ModelReplied(_)));
        if !replied || std::mem::replace(&mut self.has_replied, true) {
            return;
        }
        let Ok(now) = standing(self.host, &self.conversation).await else { return };
        let Some(usage) = now.context else { return };
        for long in usage.too_long {
            let tokens = about(long.tokens, usage.estimated);
            self.out.note(printed::step_not_read_whole(long.node_id, tokens, long.room));
        }
    }

    /// At the end: what is different in the project.
    async fn what_changed(&self) {
        let Ok(now) = standing(self.host, &self.conversation).await else { return };
        for line in changes(&now.changes, self.out).into_iter().filter(|_| !self.out.json) {
            self.out.told(rows([line]));
        }
    }

    fn how_to_go_on(&self) {
        let run = self.transcript.goes_on_as(&self.conversation);
        self.out.note(printed::run_waits_for_you(run));
    }
}

fn ended() -> Failure {
    Failure::new(ErrorCode::Internal, kernel::phrase::projects::task_has_ended())
}

fn finished(event: &Event) -> Option<TurnFinished> {
    match event {
        Event::TurnFinished(finished) => Some(finished.clone()),
        _ => None,
    }
}

/// Opens a conversation for work and says where it stands: what a crash left is told by then.
/// `RUN_BUSY` when another process works on it, `PROJECT_ROOT_INVALID` when its folder is gone.
pub(crate) async fn open(
    host: &Arc<Host>,
    conversation: &ConversationId,
) -> Result<Box<Standing>, Failure> {
    drop(host.follow(conversation, NOTHING_OLD).await?);
    standing(host, conversation).await.map(Box::new)
}

/// The same of a run, whole.
pub(crate) async fn open_run(
    host: &Arc<Host>,
    conversation: &ConversationId,
) -> Result<Box<RuntimeSnapshot>, Failure> {
    drop(host.follow(conversation, NOTHING_OLD).await?);
    snapshot(host, conversation).await.map(Box::new)
}
