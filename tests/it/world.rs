//! A conversation's outside made of plain data: a scripted model, a person with a list of things
//! to do, a clock that ticks; real files and the real tools. The engine is driven here without
//! tasks or a database, so that a story can be crashed, failed and delayed at every line.

use crate::subagent_world::SubagentScript;
use host::crewrun::{Contents, Environment};
use host::executor::{OnDisk, not_sent};
use host::hooks::HookRunner;
use host::packages::PackagesLock;
use host::real_path::RealPath;
use host::redact::Private;
use host::state_file::StateFile;
use host::tools::{MountRoots, ToolHost};
use kernel::chat::{ChatRequest, Finish, Reply, ToolCall};
use kernel::code::{ErrorCode, Failure};
use kernel::context::protocol_errors;
use kernel::effect::{Action, Called, Effect, EffectId, Executor as _, Outcome};
use kernel::engine::{BeginConversation, Core, Env, ExecutionEngine, Input, Limits, StartRun};
use kernel::event::{ArtifactsFolder, DecisionStatus, Event, Line, Phase, Reason};
use kernel::hook::{HookPoint, HookResult};
use kernel::ids::{AgentId, CallId, ConversationId, MessageId, NodeId, ProjectId, RunId};
use kernel::journal_snapshot::{JournalSnapshot, Page};
use kernel::mark::Folder;
use kernel::mode::Mode;
use kernel::package::Package;
use kernel::path::{AliasPath, Mount};
use kernel::prompt::PromptComposer;
use kernel::state_doc::{Initial, StateDoc};
use kernel::text::sha256_hex;
use kernel::time::Time;
use kernel::tool::rewind::RewindTarget;
use kernel::trace::Trace;
use kernel::view::View;
use kernel::wire::{Frame, ItemBody, RewindPreview};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// How a story is run (spec 06 "Shape").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// As it is.
    Straight,
    /// The engine is thrown away and rebuilt from the journal after every line.
    Rebuilt,
    /// The same, and whatever was in flight is lost: the program died there and was started
    /// again, and the person pressed Resume. It dies on no call twice, and on a write only after
    /// that began.
    Crashed,
    /// The same, but it dies on a write before that begins.
    CrashedEarly,
    /// Every request to the model and every mirror fails once.
    Failing,
    /// Every effect of a tool fails once. The model is told, so the story goes its own way; it
    /// must come to rest all the same, with valid requests and a journal that replays.
    ToolsFailing,
    /// As it is, for a script that may run out and a person whose answers may fit no question.
    Straying,
    /// Every outcome comes a second time, later.
    Late,
    /// A command of the person is at work while the state document is written, and is told first;
    /// then the program dies.
    Together,
    /// Every effect is carried out, and the program dies before its outcome is a line; the person
    /// presses Resume.
    Lost,
}

/// One thing the model does.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scripted {
    #[serde(default)]
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) calls: Vec<ScriptedCall>,
    /// The request fails with this code instead; counts as no reply.
    #[serde(default)]
    pub(crate) fail: Option<ErrorCode>,
    #[serde(default)]
    pub(crate) cut: bool,
    /// Files of the project that somebody else changes while the model says this.
    #[serde(default)]
    pub(crate) meanwhile: Vec<Meanwhile>,
}

/// What somebody else does to a file; without a text it is deleted.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Meanwhile {
    pub(crate) path: String,
    #[serde(default)]
    pub(crate) text: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScriptedCall {
    pub(crate) name: String,
    /// Arguments as JSON, or `raw` text when they are not.
    #[serde(default)]
    pub(crate) arguments: Value,
    #[serde(default)]
    pub(crate) raw: Option<String>,
    /// Copies `changeId` of the pending change into the arguments.
    #[serde(default)]
    pub(crate) with_change_id: bool,
}

/// Where the person takes the run back to.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rewound {
    pub(crate) to: NodeId,
    #[serde(default)]
    pub(crate) keep_files: bool,
    #[serde(default)]
    pub(crate) overwrite: Vec<AliasPath>,
    /// They undo the last time; the step is where the run stood before it.
    #[serde(default)]
    pub(crate) undo: bool,
    #[serde(default)]
    pub(crate) reason: Option<String>,
}

impl Rewound {
    pub(crate) fn to(to: NodeId) -> Self {
        Self { to, keep_files: false, overwrite: Vec::new(), undo: false, reason: None }
    }
}

/// One thing the person does when it is their move.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub(crate) enum Step {
    Say(String),
    /// Answers the widget that waits; the newest when the run waits for none.
    Answer(Value),
    /// Answers the n-th widget that can be answered, the oldest first.
    AnswerNth {
        nth: usize,
        value: Value,
    },
    /// Talks with somebody else: `run`, `chat`, or an agent of the package.
    Talk(String),
    /// Begins a run in the conversation.
    Start {
        #[serde(default)]
        input: Option<String>,
    },
    /// Presses Stop while a call waits for the person's approval.
    Stop,
    /// Lets the words stand that were not accepted last.
    AcceptAnyway,
    /// Ends the run before its end.
    EndRun(Option<String>),
    /// Makes a file of the project again what it was before the run; once more when the program died
    /// over it.
    PutBack(String),
    /// Takes the run back to a step, as it is shown what that would do; once more when the program died
    /// over it.
    Rewind(Rewound),
    Resume,
    /// Presses Stop while request number n is being answered, after this much text.
    StopDuring {
        request: u64,
        partial: String,
    },
    /// Changes the settings, while request number n is being answered or between turns.
    Settings {
        during: Option<u64>,
        limits: Limits,
    },
    /// Changes a file of the project behind the runtime's back; without a text it is deleted.
    File {
        path: String,
        #[serde(default)]
        text: Option<String>,
    },
    /// Edits the state document with a plain replacement, as with an editor.
    Edit {
        old: String,
        new: String,
    },
}

impl Way {
    /// Whether a story may leave its script.
    fn strays(self) -> bool {
        matches!(self, Self::ToolsFailing | Self::Straying)
    }
}

pub(crate) struct World {
    pub(crate) journal: Vec<Line>,
    pub(crate) requests: Vec<ChatRequest>,
    pub(crate) project: PathBuf,
    pub(crate) engine: ExecutionEngine,
    pub(crate) view: View,
    pub(crate) way: Way,
    /// Someone changed a file of the project behind the runtime's back.
    pub(crate) others_at_work: bool,
    /// The project's files when the newest run joined.
    pub(crate) files_at_start: BTreeMap<String, String>,
    conversation: ConversationId,
    env: Env,
    package: BTreeMap<String, Vec<u8>>,
    tools: ToolHost,
    /// Whose turn it is to write the state document, as long as the program lives.
    file: StateFile,
    state: PathBuf,
    script: Script,
    steps: std::collections::VecDeque<Step>,
    /// What must hold whenever a line was written.
    pub(crate) after_each_line: Option<fn(&World)>,
    failed_once: BTreeSet<EffectId>,
    crashed: BTreeSet<String>,
    /// Calls on which the program died: after a second time they would be given up.
    cut_short: BTreeSet<CallId>,
    failures_told: BTreeMap<u64, ErrorCode>,
    /// What the person does to files: a file that they put back, or a step that they go back to.
    by_person: Option<Step>,
    past: Vec<Input>,
    now: i64,
    hooks: Option<HookRunner>,
    /// The journals of sub-agents.
    pub(crate) children: BTreeMap<ConversationId, Vec<Line>>,
    pub(crate) subagents: Vec<SubagentScript>,
    pub(crate) requests_of_subagents: Vec<ChatRequest>,
    runtime: std::cell::OnceCell<tokio::runtime::Runtime>,
    temp: Scratch,
}

fn open_tools(temp: &Path, pkg: &Path, state: &Path) -> ToolHost {
    let project = temp.join("project");
    let private = Private::new(vec![
        (project.clone(), Folder::Project),
        (pkg.to_owned(), Folder::Package),
        (state.to_owned(), Folder::State),
    ]);
    let roots = MountRoots {
        project: RealPath::new(&project, "@project"),
        pkg: Some(RealPath::new(pkg, "@pkg")),
        state: RealPath::new(state, "@state"),
        store: RealPath::new(temp.join("store"), "[store]"),
    };
    ToolHost::open(roots, private).unwrap()
}

/// A folder that is gone with the value, read-only packages in it too.
struct Scratch(tempfile::TempDir);

impl Drop for Scratch {
    fn drop(&mut self) {
        _ = host::packages::remove_folder(&self.0.path().join("packages"));
    }
}

pub(crate) enum Script {
    Replies(Vec<Scripted>),
    Demo(Box<Trace>),
}

impl World {
    /// The person trusts these commands of the project.
    pub(crate) fn with_hooks(mut self, written: &Value) -> Self {
        let hooks = kernel::project_hooks::hooks(written).ok().expect("hooks that can be read");
        let root = RealPath::new(&self.project, "@project");
        let hooks = HookRunner::new(root, hooks, host::hooks::slots());
        self.env.limits.hooks = hooks.rules();
        self.engine.set_limits(self.env.limits.clone());
        self.hooks = Some(hooks);
        self
    }

    pub(crate) fn new(
        package: &Path,
        script: Script,
        steps: Vec<Step>,
        way: Way,
        limits: Limits,
    ) -> Self {
        let temp = tempfile::tempdir().unwrap();
        let (project, state) = (temp.path().join("project"), temp.path().join("state"));
        // As the host has it when a run begins.
        std::fs::create_dir_all(project.join("artifacts")).unwrap();
        std::fs::create_dir_all(state.join("logs")).unwrap();
        let inspected = host::packages::inspect(package).unwrap();
        let package_dir = temp.path().join("packages");
        std::fs::create_dir_all(&package_dir).unwrap();
        let id = PackagesLock::wait(&package_dir).unwrap().install(&inspected).unwrap();
        let loaded: Package = host::packages::load_installed(&package_dir, &id).unwrap();
        let pkg = package_dir.join(id.as_str());
        let tools = open_tools(temp.path(), &pkg, &state);
        let composer = Arc::new(PromptComposer::new().unwrap());
        let env = Env { package: Arc::new(loaded), others: Vec::new(), composer, limits };
        let conversation = ConversationId::new("run-story").unwrap();
        Self {
            journal: Vec::new(),
            requests: Vec::new(),
            engine: ExecutionEngine::new(conversation.clone(), env.clone()),
            view: View::default(),
            way,
            others_at_work: false,
            files_at_start: BTreeMap::new(),
            conversation,
            env,
            package: inspected.files().unwrap(),
            tools,
            file: StateFile::default(),
            project,
            state,
            script,
            steps: steps.into(),
            after_each_line: None,
            failed_once: BTreeSet::new(),
            crashed: BTreeSet::new(),
            cut_short: BTreeSet::new(),
            failures_told: BTreeMap::new(),
            by_person: None,
            past: Vec::new(),
            now: 1_767_225_600_000,
            hooks: None,
            children: BTreeMap::new(),
            subagents: Vec::new(),
            requests_of_subagents: Vec::new(),
            runtime: std::cell::OnceCell::new(),
            temp: Scratch(temp),
        }
    }

    /// Begins a conversation without a run and plays everything to its end.
    pub(crate) fn play_from(&mut self, mode: &str, input: Option<String>) {
        let artifacts = ArtifactsFolder { folder: "artifacts".into(), asks: false };
        let project_id = ProjectId::new("p1").unwrap();
        let mode = self.mode(mode);
        self.input(Input::Begin(BeginConversation { project_id, mode, artifacts, input }));
        self.play_on();
    }

    fn mode(&self, name: &str) -> Mode {
        match name {
            "run" => Mode::Run,
            "chat" => Mode::Chat,
            agent => Mode::Agent {
                package_id: self.env.package.id.clone(),
                agent_id: AgentId::new(agent).unwrap(),
            },
        }
    }

    /// Starts the run and plays everything to its end.
    pub(crate) fn play(&mut self, workflow: Option<&str>, input: Option<String>) {
        self.start(workflow, input);
        self.play_on();
    }

    fn start(&mut self, workflow: Option<&str>, input: Option<String>) {
        let before = self.events().filter(|event| matches!(event, Event::RunStarted(_))).count();
        let run_id = match before {
            0 => "story".to_owned(),
            more => format!("story-{}", more + 1),
        };
        if before > 0 {
            // Each run has a folder of its own.
            self.state = self.temp.0.path().join(format!("state-{}", before + 1));
            std::fs::create_dir_all(self.state.join("logs")).unwrap();
            let pkg = self.temp.0.path().join("packages").join(self.env.package.id.as_str());
            self.tools = open_tools(self.temp.0.path(), &pkg, &self.state);
            self.file = StateFile::default();
        }
        if !self.journal.is_empty() {
            self.files_at_start = files(&self.project, &self.project);
        }
        let start = self.start_of(workflow, &run_id, input);
        self.input(Input::Start(start));
    }

    /// What would begin another run of the first workflow.
    pub(crate) fn start_input(&self, run_id: &str) -> Input {
        Input::Start(self.start_of(None, run_id, None))
    }

    fn start_of(&self, workflow: Option<&str>, run_id: &str, input: Option<String>) -> StartRun {
        let package = Arc::clone(&self.env.package);
        let workflow = match workflow {
            Some(id) => package.workflows.iter().find(|w| w.id.as_str() == id).unwrap(),
            None => &package.workflows[0],
        };
        let agent: &AgentId = &package.agents[0].id;
        let run_id = RunId::new(run_id).unwrap();
        let now = Time::from_millis(self.now);
        let (run_id, workflow_id) = (&run_id, &workflow.id);
        let initial =
            Initial { run_id, workflow_id, agent_id: agent, variables: None, artifacts: &[], now };
        let state = StateDoc::initial(&workflow.state_template, &initial).unwrap();
        StartRun {
            run_id: run_id.clone(),
            project_id: ProjectId::new("p1").unwrap(),
            package_id: package.id.clone(),
            content_hash: Some(package.content_hash.clone()),
            workflow_id: workflow.id.clone(),
            title: Some(workflow.display_name.clone()),
            agent_id: agent.clone(),
            artifacts_dir: "artifacts".into(),
            artifacts_ask: false,
            state: state.text().to_string(),
            input,
            files: Vec::new(),
            demo: matches!(self.script, Script::Demo(_)),
        }
    }

    /// The person does more.
    pub(crate) fn then(&mut self, steps: Vec<Step>) {
        self.steps.extend(steps);
        self.play_on();
    }

    fn play_on(&mut self) {
        for _ in 0..600 {
            if !self.tick() {
                return;
            }
        }
        let outline = self.outline();
        panic!(
            "the story does not come to rest: {:#?}",
            &outline[outline.len().saturating_sub(12)..]
        );
    }

    /// Does one thing; false when nobody has anything left to do.
    fn tick(&mut self) -> bool {
        let wanted = self.engine.wanted();
        if self.way == Way::Together && self.two_at_once(&wanted) {
            return true;
        }
        if let Some(id) = wanted.iter().next() {
            if self.stops_now(id) {
                return true;
            }
            let Some(outcome) = self.perform(id) else {
                self.reopen();
                return true;
            };
            self.settings_change(id);
            if self.way == Way::Lost && self.failed_once.insert(id.clone()) {
                self.reopen();
                return true;
            }
            self.input(Input::Outcome(id.clone(), outcome));
            return true;
        }
        let core = self.engine.core();
        assert_ne!(core.phase, Phase::Running, "nothing is wanted and the run is not finished");
        let ours = matches!(core.reason, Some(Reason::Interrupted))
            || (self.way == Way::Failing
                && core.reason == Some(Reason::Failed)
                && self.failure_was_ours());
        if ours {
            self.input(Input::Resume);
            return true;
        }
        self.person()
    }

    /// A command of the person and the state document's way to the disk are at work at once, and the
    /// command is told first.
    fn two_at_once(&mut self, wanted: &BTreeSet<EffectId>) -> bool {
        let is_hook = |id: &&EffectId| matches!(id, EffectId::Hook(_));
        let other = wanted.iter().find(|id| matches!(id, EffectId::Mirror(_)));
        let Some((hook, other)) = wanted.iter().find(is_hook).zip(other) else { return false };
        let (Some(done), Some(said)) = (self.perform(other), self.perform(hook)) else {
            panic!("nothing dies here")
        };
        self.input(Input::Outcome(hook.clone(), said));
        // The program dies in between, once for each version of the document.
        let EffectId::Mirror(version) = other else { return true };
        if self.crashed.insert(version.clone()) {
            self.reopen();
        }
        self.input(Input::Outcome(other.clone(), done));
        true
    }

    fn person(&mut self) -> bool {
        let again = self.by_person.take().filter(|_| self.died_over_files());
        let next = again.or_else(|| self.steps.pop_front());
        let next = next.or_else(|| self.demo_answer());
        let strayed = self.way.strays();
        let next = match next {
            Some(Step::Answer(_)) if strayed && self.engine.core().widgets.is_empty() => {
                Some(Step::Say("Go on.".into()))
            }
            Some(Step::AnswerNth { .. } | Step::StopDuring { .. }) if strayed => {
                return true;
            }
            Some(Step::Stop) if strayed && self.engine.core().approvals.asked().is_none() => {
                return true;
            }
            next => next,
        };
        match next {
            None => return false,
            Some(Step::Say(text)) => self.input(Input::Say(text.into())),
            Some(Step::Resume) => self.input(Input::Resume),
            Some(Step::Answer(value)) => {
                let waiting = kernel::snapshot::status(&self.engine).waiting_widget;
                let widgets = &self.engine.core().widgets;
                let newest = || widgets.iter().max_by_key(|(_, open)| open.seq);
                let message_id = waiting.or_else(|| newest().map(|(id, _)| id.clone()));
                self.input(answer(message_id.expect("a widget waits"), value));
            }
            Some(Step::AnswerNth { nth, value }) => {
                let snapshot = kernel::snapshot::snapshot(&self.engine).unwrap();
                let message_id = snapshot.widgets[nth].message_id.clone();
                self.input(answer(message_id, value));
            }
            Some(Step::Talk(with)) => self.input(Input::ChooseMode(self.mode(&with))),
            Some(Step::Start { input }) => {
                // When the script was left, the run before may not be over.
                let before = self.engine.core().of_the_run();
                let is_open = before.run.is_some() && before.phase != Phase::Completed;
                if !strayed || !is_open {
                    self.start(None, input);
                }
            }
            Some(Step::Stop) => self.input(Input::Stop { partial: None }),
            Some(Step::AcceptAnyway) => match self.engine.record().rejected.clone() {
                Some(rejected) => self.input(Input::AcceptAnyway(rejected.message_id)),
                None => assert!(strayed, "nothing was rejected"),
            },
            Some(Step::EndRun(reason)) => self.input(Input::EndRun { reason }),
            Some(Step::PutBack(path)) => self.put_back(&path),
            Some(Step::Rewind(Rewound { to: node_id, keep_files, overwrite, undo, reason })) => {
                self.rewind(RewindTarget { node_id, keep_files, overwrite, undo }, reason);
            }
            Some(Step::File { path, text }) => self.others_change(&path, text.as_deref()),
            Some(Step::Edit { old, new }) => {
                let file = self.state.join("workflow.md");
                let text = std::fs::read_to_string(&file).unwrap();
                assert!(strayed || text.contains(&old), "{text}");
                std::fs::write(&file, text.replacen(&old, &new, 1)).unwrap();
            }
            Some(Step::Settings { limits, .. }) => self.set_limits(limits),
            Some(Step::StopDuring { .. }) => panic!("a stop comes before the request it stops"),
        }
        true
    }

    /// The recorded answers of a demo trace, one for each time it is the person's move.
    fn demo_answer(&mut self) -> Option<Step> {
        let Script::Demo(trace) = &self.script else { return None };
        let said = self
            .events()
            .filter(|e| matches!(e, Event::UserSaid(_) | Event::WidgetAnswered(_)))
            .count();
        if self.engine.core().phase == Phase::Completed {
            return None;
        }
        trace.answers().get(said).map(|answer| match answer {
            kernel::trace::TraceAnswer::Text { text } => Step::Say(text.clone()),
            kernel::trace::TraceAnswer::Widget { value, .. } => Step::Answer(value.clone()),
        })
    }

    /// The person looks at a file of the project and puts it back. When the script was left, the run
    /// may not have changed it.
    pub(crate) fn put_back(&mut self, path: &str) {
        let there = std::fs::read(self.project.join(path)).ok();
        let sha256 = there.map(|bytes| sha256_hex(&bytes));
        self.by_person = Some(Step::PutBack(path.to_owned()));
        let path = AliasPath::new(Mount::Project, path).unwrap();
        let changes = kernel::snapshot::snapshot(&self.engine).unwrap().changes;
        if !self.way.strays() || changes.iter().any(|effect| effect.path == path) {
            self.input(Input::PutBack { path, sha256 });
        }
    }

    /// What taking the run back would do now, as the person is shown it.
    pub(crate) fn rewind_preview(&self, target: &RewindTarget) -> Result<RewindPreview, Failure> {
        let mut going_back = self.engine.going_back(target)?;
        let permit = going_back.permit.take();
        let restore = permit.map(|permit| self.tools.look_back(&permit)).transpose()?;
        Ok(RewindPreview::of(going_back, restore.unwrap_or_default()))
    }

    /// The person looks at what taking the run back would do, and does it. When the script was left,
    /// they may not be able to.
    pub(crate) fn rewind(&mut self, target: RewindTarget, reason: Option<String>) {
        let seen = self.rewind_preview(&target).map(|shown| shown.seen).unwrap_or_default();
        let RewindTarget { node_id: to, keep_files, overwrite, undo } = target.clone();
        let again = Rewound { to, keep_files, overwrite, undo, reason: reason.clone() };
        self.by_person = Some(Step::Rewind(again));
        let input = Input::Rewind { target, reason, seen };
        let may = self.engine.decide(&input, Time::from_millis(self.now)).is_ok();
        if may || !self.way.strays() {
            self.input(input);
        }
    }

    /// Why the last file that the person wanted back is not.
    pub(crate) fn why_not_put_back(&self) -> Option<Failure> {
        self.events().rev().find_map(|event| match event {
            Event::PutBackEnded(e) => Some(e.why_not()),
            _ => None,
        })?
    }

    fn died_over_files(&self) -> bool {
        let ended = self.events().rev().find_map(Event::brought_back);
        let failure = ended.and_then(|ended| ended.failure.as_ref());
        failure.is_some_and(|failure| failure.code == ErrorCode::Interrupted)
    }

    /// Goes on until nobody has anything left to do.
    pub(crate) fn go_on(&mut self) {
        while self.tick() {}
    }

    fn stops_now(&mut self, id: &EffectId) -> bool {
        let Some(Step::StopDuring { request, partial }) = self.steps.front().cloned() else {
            return false;
        };
        if *id != EffectId::Think(request) {
            return false;
        }
        self.steps.pop_front();
        self.input(Input::Stop { partial: Some(partial).filter(|p| !p.is_empty()) });
        true
    }

    /// The settings of a step that belongs to this request come into force before its outcome.
    fn settings_change(&mut self, id: &EffectId) {
        let Some(Step::Settings { during: Some(request), limits }) = self.steps.front().cloned()
        else {
            return;
        };
        if *id == EffectId::Think(request) {
            self.steps.pop_front();
            self.set_limits(limits);
        }
    }

    fn set_limits(&mut self, limits: Limits) {
        self.env.limits = limits.clone();
        self.engine.set_limits(limits);
        self.input(Input::LimitsChanged);
    }

    fn failure_was_ours(&self) -> bool {
        self.events().rev().find_map(|e| match e {
            Event::TurnFinished(e) => {
                e.failure.as_ref().map(|f| f.message.contains("made to fail"))
            }
            _ => None,
        }) == Some(true)
    }

    /// `None`: the program died meanwhile.
    fn perform(&mut self, id: &EffectId) -> Option<Outcome> {
        if let Some(outcome) = self.made_to_fail(id) {
            return Some(outcome);
        }
        match self.engine.effect(id) {
            Ok(Effect::Delegate(task)) => self.delegate(&task),
            Ok(Effect::Recall(conversation)) => self.recall(&conversation),
            Ok(effect) => Some(self.carry_out(effect)),
            Err(failure) => Some(Outcome::failed(failure)),
        }
    }

    fn made_to_fail(&mut self, id: &EffectId) -> Option<Outcome> {
        let failing = matches!(id, EffectId::Think(_) | EffectId::Mirror(_));
        let key = match id {
            // A failed request counts, so its repetition has another number: fail by reply count.
            EffectId::Think(_) => EffectId::Think(self.replies()),
            other => other.clone(),
        };
        if self.way == Way::Failing && failing && self.failed_once.insert(key) {
            let failure = Failure::for_model(ErrorCode::LlmUnreachable, "made to fail");
            return Some(Outcome::Failed { failure, partial: None });
        }
        let tool = !matches!(id, EffectId::Think(_) | EffectId::Mirror(_));
        if self.way == Way::ToolsFailing && tool && self.failed_once.insert(id.clone()) {
            let failure = Failure::for_model(ErrorCode::Io, "made to fail");
            return Some(Outcome::Failed { failure, partial: None });
        }
        None
    }

    fn carry_out(&mut self, effect: Effect) -> Outcome {
        match effect {
            Effect::Delegate(_) | Effect::Recall(_) => {
                panic!("sub-agents are carried out elsewhere")
            }
            Effect::Compact(job) => Outcome::Compacted(Box::new(job.plan().alone())),
            Effect::Think(think) => {
                if let Some(outcome) = not_sent(self.tools.read_state(), &think) {
                    return outcome;
                }
                assert_eq!(protocol_errors(&think.request.messages), Vec::<String>::new());
                names_tools_as_they_are_called(&think.request);
                self.requests.push(think.request.clone());
                let mut outcome = self.reply(&think.request);
                if let Outcome::Replied { reply, foreign, .. } = &mut outcome
                    && kernel::effect::ends_or_moves_on(reply)
                {
                    let (file, cancel) = (&self.file, &CancellationToken::new());
                    let mut disk = OnDisk { tools: &self.tools, state: file, cancel };
                    *foreign = disk.changed_by_others(&think.written, &think.policy);
                }
                outcome
            }
            Effect::Hook(call) => {
                let hooks = self.hooks.clone().expect("no hook is due without hooks");
                let (shown, cancel) =
                    (|text: &str| self.tools.shown(text), CancellationToken::new());
                match self.runtime().block_on(hooks.run(&call, shown, &cancel)) {
                    Ok(result) => {
                        let mut disk =
                            OnDisk { tools: &self.tools, state: &self.file, cancel: &cancel };
                        let foreign = disk.changed_by_others(&call.written, &call.policy);
                        Outcome::Hooked { result: HookResult { duration_ms: 0, ..result }, foreign }
                    }
                    Err(failure) => Outcome::failed(failure),
                }
            }
            Effect::Act(action) => {
                let (file, cancel) = (&self.file, &CancellationToken::new());
                let mut disk = OnDisk { tools: &self.tools, state: file, cancel };
                match disk.carry_out(&action) {
                    Outcome::Called(called) => Outcome::Called(Called { duration_ms: 0, ..called }),
                    Outcome::Failed { failure, .. } if matches!(*action, Action::Mirror(_)) => {
                        panic!("{failure}")
                    }
                    outcome => outcome,
                }
            }
        }
    }

    /// Commands are run on one; a story without any needs none.
    fn runtime(&self) -> &tokio::runtime::Runtime {
        let build = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        self.runtime.get_or_init(build)
    }

    fn reply(&mut self, request: &ChatRequest) -> Outcome {
        let at = self.replies();
        let reply = match &self.script {
            Script::Demo(trace) => match trace.reply_to(request) {
                Ok(played) => played.reply,
                Err(_) if self.way.strays() => the_end(),
                Err(failure) => panic!("{failure}: {:?}", failure.details),
            },
            Script::Replies(replies) => {
                let failed_before = self.failures_told.contains_key(&at);
                let index = usize::try_from(at).unwrap();
                let mut list = replies.iter().filter(|r| r.fail.is_none());
                let Some(scripted) = list.nth(index).cloned() else {
                    assert!(self.way.strays(), "{:?}: no reply {at} in the script", self.way);
                    return Outcome::Replied {
                        reply: the_end(),
                        request_sha256: host::crewrun::request_hash(request),
                        duration_ms: 0,
                        foreign: Vec::new(),
                    };
                };
                // A scripted failure stands before the reply that comes at last.
                let fails = failure_before(replies, index);
                if let (Some(code), false) = (fails, failed_before) {
                    self.failures_told.insert(at, code);
                    return Outcome::Failed {
                        failure: Failure::for_model(code, "scripted"),
                        partial: None,
                    };
                }
                self.scripted(at, &scripted)
            }
        };
        let request_sha256 = host::crewrun::request_hash(request);
        Outcome::Replied { reply, request_sha256, duration_ms: 0, foreign: Vec::new() }
    }

    /// The clock goes on.
    pub(crate) fn tick_clock(&mut self) -> i64 {
        self.now += 1_000;
        self.now
    }

    pub(crate) fn conversation(&self) -> &ConversationId {
        &self.conversation
    }

    pub(crate) fn env(&self) -> &Env {
        &self.env
    }

    pub(crate) fn tools(&self) -> &ToolHost {
        &self.tools
    }

    /// Where the state document lies.
    pub(crate) fn state_folder(&self) -> &Path {
        &self.state
    }

    pub(crate) fn state_file(&self) -> &StateFile {
        &self.file
    }

    /// True the first time.
    pub(crate) fn dies_once_at(&mut self, place: String) -> bool {
        self.crashed.insert(place)
    }

    pub(crate) fn others_change(&mut self, path: &str, text: Option<&str>) {
        let file = self.project.join(path);
        let done = match text {
            Some(text) => std::fs::write(file, text),
            None => std::fs::remove_file(file),
        };
        assert!(self.way.strays() || done.is_ok(), "{done:?}");
        self.others_at_work = true;
    }

    fn scripted(&mut self, at: u64, scripted: &Scripted) -> Reply {
        for change in &scripted.meanwhile {
            self.others_change(&change.path, change.text.as_deref());
        }
        let calls = scripted.calls.iter().enumerate().map(|(n, call)| {
            let mut arguments = call.arguments.clone();
            if call.with_change_id {
                let pending = self.engine.core().confirm.pending();
                assert!(self.way.strays() || pending.is_some(), "a change waits");
                if let Some(pending) = pending {
                    arguments["changeId"] = Value::from(pending.change_id.as_str());
                }
            }
            ToolCall {
                id: CallId::new(&format!("c{at}-{n}")),
                name: call.name.clone(),
                arguments: call.raw.clone().unwrap_or_else(|| arguments.to_string()),
            }
        });
        Reply {
            text: scripted.text.clone(),
            thinking: None,
            calls: calls.collect(),
            finish: if scripted.cut { Finish::Length } else { Finish::Stop },
            ..Reply::default()
        }
    }

    pub(crate) fn replies(&self) -> u64 {
        let replies =
            |e: &&Event| matches!(e, Event::ModelReplied(_) | Event::CandidateRejected(_));
        self.events().filter(replies).count() as u64
    }

    pub(crate) fn events(&self) -> impl DoubleEndedIterator<Item = &Event> {
        self.journal.iter().flat_map(|line| &line.events)
    }

    /// One input through the engine, the way's cruelty included.
    fn input(&mut self, input: Input) {
        let input = match self.engine.named_files(&input) {
            Some(named) => input.with_files(self.tools.given(&named)),
            None => input,
        };
        self.now += 1_000;
        let now = Time::from_millis(self.now);
        let judged = match self.engine.judge(&input, now) {
            Ok(judged) => judged,
            Err(refusal) => panic!("{refusal} on {input:?}"),
        };
        let Some(judged) = judged else { return };
        // What is on disk is what is read back.
        let body = serde_json::to_string(&judged.line).unwrap();
        let read = kernel::event::upcast(&body).unwrap();
        assert_eq!(read, *judged.line, "a line must survive the disk");
        let line = self.engine.adopt(judged);
        self.view.project(&line);
        self.journal.push(read);
        if let Some(check) = self.after_each_line {
            check(self);
        }
        match self.way {
            Way::Straight | Way::Straying | Way::Failing | Way::Lost | Way::Together => {}
            Way::Rebuilt | Way::ToolsFailing => self.rebuild(),
            Way::Crashed | Way::CrashedEarly => {
                self.rebuild();
                if self.crashes_here() {
                    self.reopen();
                }
            }
            Way::Late => self.redeliver(input, now),
        }
    }

    fn rebuild(&mut self) {
        let (conversation, env) = (self.conversation.clone(), self.env.clone());
        let rebuilt = ExecutionEngine::replay(conversation, env, &self.journal);
        assert_eq!(rebuilt.core(), self.engine.core(), "a rebuilt engine stands at the same place");
        assert_eq!(rebuilt.wanted(), self.engine.wanted(), "a rebuilt engine wants the same");
        assert_eq!(kernel::snapshot::snapshot(&rebuilt), kernel::snapshot::snapshot(&self.engine));
        self.engine = rebuilt;
        self.view = View::replay(&self.journal);
    }

    /// Once at every place: the person's Resume, a write's second beginning, and a file that is put
    /// back a second time, get through.
    fn crashes_here(&mut self) -> bool {
        let Some(line) = self.journal.last() else { return false };
        let resumed = line.events.iter().any(|e| matches!(e, Event::RunResumed(_)));
        let began = |e: &Event| match e {
            Event::CallBegan(e) => Some(e.call_id.to_string()),
            // A file that is put back once more is another call.
            Event::PutBackAsked(_)
            | Event::PutBackBegan(_)
            | Event::RewindAsked(_)
            | Event::RewindBegan(_) => Some(format!("{} {:?}", e.name(), self.by_person)),
            _ => None,
        };
        let place =
            line.events.iter().find_map(began).unwrap_or_else(|| format!("line {}", line.seq));
        !resumed && self.may_cut_short() && self.crashed.insert(place)
    }

    /// Whether the calls being worked on get over it when the program dies now.
    fn may_cut_short(&mut self) -> bool {
        let wanted = self.engine.wanted();
        let begins_later = wanted.iter().any(|id| {
            matches!(id, EffectId::Look(_) | EffectId::Prepare(_) | EffectId::Preview(_))
        });
        let calls: BTreeSet<CallId> = (wanted.into_iter())
            .filter_map(|id| match id {
                EffectId::Look(call)
                | EffectId::Prepare(call)
                | EffectId::Preview(call)
                | EffectId::Perform(call) => Some(call),
                EffectId::Hook(number) => {
                    let hooks = &self.engine.core().hooks;
                    let due = hooks.iter().find(|due| due.number == number)?;
                    let waits = due.point == HookPoint::BeforeToolCall;
                    due.subject.call_id.clone().filter(|_| waits)
                }
                EffectId::Think(_)
                | EffectId::Compact(_)
                | EffectId::Settle(_)
                | EffectId::Mirror(_)
                | EffectId::Delegate(_)
                | EffectId::Recall(_) => None,
            })
            .collect();
        if (begins_later && self.way == Way::Crashed) || !self.cut_short.is_disjoint(&calls) {
            return false;
        }
        self.cut_short.extend(calls);
        true
    }

    fn reopen(&mut self) {
        self.file = StateFile::default();
        let now = Time::from_millis(self.now);
        if let Ok(Some(line)) = self.engine.decide(&Input::Reopened, now) {
            self.engine.apply(&line);
            self.view.project(&line);
            self.journal.push(line);
        }
    }

    /// Everything that was ever delivered comes again and must change nothing.
    fn redeliver(&mut self, input: Input, now: Time) {
        if let Input::Outcome(id, _) = &input
            && !self.engine.wanted().contains(id)
        {
            self.past.push(input);
        }
        for late in &self.past {
            let Input::Outcome(id, _) = late else { continue };
            if !self.engine.wanted().contains(id) {
                assert_eq!(
                    self.engine.decide(late, now),
                    Ok(None),
                    "a late outcome changed something"
                );
            }
        }
    }

    /// Versions of the state document that were refused and put aside.
    pub(crate) fn put_aside(&self) -> Vec<Vec<u8>> {
        let kept = std::fs::read_dir(&self.state).unwrap().flatten();
        let kept = kept.filter(|e| e.file_name().to_string_lossy().contains(".rejected-"));
        kept.map(|e| std::fs::read(e.path()).unwrap()).collect()
    }

    /// The run as an export has it.
    pub(crate) fn contents(&self) -> Contents {
        Contents {
            environment: Environment::here(self.env.limits.clone(), None),
            journal: self.journal.iter().map(|l| serde_json::to_string(l).unwrap()).collect(),
            package: self.package.clone(),
            run_id: self.engine.core().newest_run().unwrap().run_id.clone(),
            artifacts: Vec::new(),
            audit: Vec::new(),
            put_aside: self.put_aside(),
            preimages: Vec::new(),
        }
    }

    /// From any snapshot and the lines after it comes what comes from all lines: the engine, the
    /// frames, the items of the pages on both sides.
    pub(crate) fn snapshots_are_enough(&self) {
        let mut snapshot = JournalSnapshot::default();
        let mut states = Vec::new();
        let mut frames = Vec::new();
        for line in &self.journal {
            frames.push(snapshot.apply(line));
            states.push(snapshot.clone());
        }
        let straight =
            ExecutionEngine::replay(self.conversation.clone(), self.env.clone(), &self.journal);
        assert_eq!(snapshot.core(), straight.core());
        let mut taken = 0;
        // Every snapshot of a story, a few of each crueller way to run it.
        let step = if self.way == Way::Straight { 1 } else { states.len() / 8 + 1 };
        for (at, state) in states.iter().enumerate().step_by(step) {
            let Some(text) = state.text() else { continue };
            taken += 1;
            let mut snapshot = JournalSnapshot::read(&text).expect("a snapshot can be read");
            assert_eq!(&snapshot, state, "a snapshot must survive the disk");
            for (line, frames) in self.journal.iter().zip(&frames).skip(at + 1) {
                assert_eq!(&snapshot.apply(line), frames, "line {}", line.seq);
            }
            assert_eq!(Some(&snapshot), states.last());
            self.engine_comes_from(&state.clone().into_parts().0, &straight);
            pages_meet(&frames, at + 1, state.seq());
        }
        assert!(taken > 0, "no snapshot was taken");
    }

    fn engine_comes_from(&self, core: &Core, straight: &ExecutionEngine) {
        let (conversation, env) = (self.conversation.clone(), self.env.clone());
        let mut engine = ExecutionEngine::resumed(conversation, env, core.clone());
        self.journal.iter().for_each(|line| engine.recall(line));
        assert_eq!(engine.core(), straight.core());
        assert_eq!(engine.record(), straight.record());
        assert_eq!(engine.wanted(), straight.wanted());
    }

    /// The journal as names, for snapshots.
    pub(crate) fn outline(&self) -> Vec<String> {
        self.journal
            .iter()
            .map(|line| {
                let names: Vec<String> = line.events.iter().map(brief).collect();
                format!("{:>3} {}", line.seq, names.join(" · "))
            })
            .collect()
    }

    /// What must be equal however the story was run: state, files, messages.
    pub(crate) fn end(&self) -> End {
        let snapshot = kernel::snapshot::snapshot(&self.engine).unwrap();
        let mut variables = snapshot.state.variables.clone();
        if let Some(map) = variables.as_object_mut() {
            map.remove("updatedAt");
        }
        End {
            phase: snapshot.run.phase,
            current: snapshot.state.current_node_id.to_string(),
            completed: snapshot.state.steps_completed.iter().map(ToString::to_string).collect(),
            artifacts: snapshot.state.artifacts.clone(),
            variables,
            files: files(&self.project, &self.project),
            conflicts: self.conflicts(),
            said: self
                .events()
                .filter_map(|e| match e {
                    Event::UserSaid(e) => Some(format!("user: {}", e.text)),
                    Event::WidgetAnswered(e) => Some(format!("answer: {}", e.value)),
                    Event::ModelReplied(e) => Some(format!("model: {}", e.reply.text)),
                    _ => None,
                })
                .collect(),
        }
    }
}

impl World {
    fn conflicts(&self) -> Vec<(String, String)> {
        let last = self.events().rev().find_map(|e| match e {
            Event::CallEnded(e) if e.tool == "workflow.rewind" && e.ok => Some(&e.result),
            _ => None,
        });
        let conflicts = last.and_then(|result| result["conflicts"].as_array());
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let pair = |c: &Value| (word(&c["path"]), word(&c["reason"]));
        conflicts.into_iter().flatten().map(pair).collect()
    }
}

/// The items of two pages, cut between two lines, are those of one page over everything, but for
/// a question of the first that is answered in the second.
fn pages_meet(frames: &[Vec<Frame>], at: usize, seq: u64) {
    let page = |from: u64, frames: &[Vec<Frame>]| {
        let mut page = Page::new(from);
        for frames in frames {
            page.take(frames.clone());
        }
        page.into_items()
    };
    let whole = page(0, frames);
    let mut first = page(0, &frames[..at]);
    for (item, later) in first.iter_mut().zip(&whole) {
        if let (
            ItemBody::Question { answer, closed, .. },
            ItemBody::Question { answer: told, closed: passed, .. },
        ) = (&mut item.body, &later.body)
        {
            answer.clone_from(told);
            *closed = *passed;
        }
    }
    let met = [first, page(seq, &frames[at..])].concat();
    assert_eq!(met, whole, "cut at {seq}");
    let mut cut = Page::new(0);
    for frames in frames {
        cut.take(frames.clone());
    }
    cut.cut(seq);
    assert_eq!(cut.into_items(), page(seq, &frames[at..]), "cut off at {seq}");
}

#[derive(Debug, PartialEq)]
pub(crate) struct End {
    pub(crate) phase: Phase,
    pub(crate) current: String,
    pub(crate) completed: Vec<String>,
    pub(crate) artifacts: Vec<String>,
    pub(crate) variables: Value,
    pub(crate) files: BTreeMap<String, String>,
    /// The files the last rewind did not touch, and why.
    pub(crate) conflicts: Vec<(String, String)>,
    pub(crate) said: Vec<String>,
}

fn answer(message_id: MessageId, value: Value) -> Input {
    Input::Answer { message_id, value, shown_ms: None, files: Vec::new() }
}

/// What a scripted model says when the story left its script.
fn the_end() -> Reply {
    Reply { text: "That is all I know.".into(), ..Reply::default() }
}

fn failure_before(replies: &[Scripted], index: usize) -> Option<ErrorCode> {
    let mut seen = 0;
    let mut failure = None;
    for reply in replies {
        match reply.fail {
            Some(code) => failure = Some(code),
            None if seen == index => return failure,
            None => {
                seen += 1;
                failure = None;
            }
        }
    }
    None
}

fn brief(event: &Event) -> String {
    match event {
        Event::UserSaid(e) if !e.files.is_empty() => {
            let paths: Vec<String> = e.files.iter().map(|it| it.path.to_string()).collect();
            format!("user_said(with {})", paths.join(" "))
        }
        Event::CallEnded(e) => {
            let code = e.result.pointer("/error/code").and_then(Value::as_str).unwrap_or("ok");
            format!("call_ended({} {code})", e.tool)
        }
        Event::StateChanged(e) => {
            format!("state_changed({:?} @{})", e.by, e.node_id).to_lowercase()
        }
        Event::TurnFinished(e) => {
            let code = e.failure.as_ref().map_or(String::new(), |f| format!(" {}", f.code));
            format!("turn_finished({:?} {:?}{code})", e.phase, e.reason)
        }
        Event::WidgetAsked(e) => format!(
            "widget_asked({}{})",
            e.widget.widget_id,
            if e.change_id.is_some() { " bound" } else { "" }
        ),
        Event::ModelReplied(e) => format!("model_replied({} calls)", e.reply.calls.len()),
        Event::DecisionMade(e) if e.decision.status != DecisionStatus::Accepted => {
            let reason: &str = e.decision.stop_reason.into();
            format!("decision_made({:?} {reason})", e.decision.status)
        }
        Event::SubagentUpdated(e) => match e.subagent.end {
            None => format!("subagent_updated({:?} began)", e.subagent.task_type),
            Some(end) => format!("subagent_updated({end:?} {} facts)", e.facts.len()),
        }
        .to_lowercase(),
        Event::HooksDue(e) => format!("hooks_due({} {})", e.point.as_str(), e.hooks.join(" ")),
        Event::HookEnded(e) => format!("hook_ended({} {:?})", e.hook, e.status),
        other => other.name().to_owned(),
    }
}

pub(crate) fn files(root: &Path, folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(root, &path));
        } else {
            let rel = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            let bytes = std::fs::read(&path).unwrap();
            let text = String::from_utf8(bytes);
            found.insert(rel, text.unwrap_or_else(|e| sha256_hex(e.as_bytes())));
        }
    }
    found
}

/// No text of a request names a tool by another name than a call would.
fn names_tools_as_they_are_called(request: &ChatRequest) {
    let tools = serde_json::to_string(&request.tools).unwrap();
    let texts = request.messages.iter().map(|message| &message.content).chain([&tools]);
    for text in texts {
        for tool in kernel::tool::BUILT_IN {
            assert!(!text.contains(tool.name), "{} is named in {text}", tool.name);
        }
    }
}
