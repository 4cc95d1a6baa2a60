//! An engine, a model that says what the test says, and a disk that is a map: for laws that need
//! many conversations, not files. What the tools do to a real disk is the stories' matter.

use kernel::chat::{ChatRequest, Reply, ToolCall};
use kernel::code::{ErrorCode, Failure};
use kernel::context::protocol_errors;
use kernel::effect::{
    Began, Called, Effect, EffectId, Executor, ForeignChange, KnownFile, Mirror, Outcome, Permit,
    Preview, Settled,
};
use kernel::engine::{Env, ExecutionEngine, Input, Limits, Refusal, StartRun};
use kernel::event::{Event, Line, Phase};
use kernel::ids::{CallId, ConversationId, MessageId, ProjectId, RunId};
use kernel::package::Package;
use kernel::path::AliasPath;
use kernel::policy::ToolPolicy;
use kernel::prompt::PromptComposer;
use kernel::restore::{Conflict, ConflictReason, FileChange, Restore};
use kernel::snapshot::snapshot;
use kernel::state_doc::{Initial, StateDoc};
use kernel::text::sha256_hex;
use kernel::time::Time;
use kernel::wire::{RuntimeSnapshot, WaitingWidget};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// The small package, read from disk once.
static ENV: LazyLock<Env> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/packages/mini");
    let inspected = host::packages::inspect(&root).unwrap();
    let temp = tempfile::tempdir().unwrap();
    let installed = temp.path().join("packages");
    let id = host::packages::PackagesLock::wait(&installed).unwrap().install(&inspected).unwrap();
    let package = Arc::new(host::packages::load_installed(&installed, &id).unwrap());
    let composer = Arc::new(PromptComposer::new().unwrap());
    Env { package, others: Vec::new(), composer, limits: Limits::default() }
});

pub(crate) struct Talk {
    pub(crate) engine: ExecutionEngine,
    pub(crate) journal: Vec<Line>,
    /// The project's files.
    pub(crate) disk: BTreeMap<String, String>,
    /// Everything that was ever in one of them, by hash.
    written: BTreeMap<String, String>,
    /// What is wanted and not answered by itself: the next request, or nothing.
    pub(crate) requests: Vec<ChatRequest>,
    env: Env,
    now: i64,
    /// Whether a model was to be asked for a summary, each time the conversation was made shorter.
    pub(crate) summaries: Vec<bool>,
    /// Whether the model gives none when it is asked.
    pub(crate) gives_no_summary: bool,
    /// Settings that come into force while a rewind brings files back.
    pub(crate) during_rewind: Option<Limits>,
}

/// A call as a model makes it.
pub(crate) fn call(name: &str, arguments: &Value) -> (String, String) {
    (name.to_owned(), arguments.to_string())
}

pub(crate) fn set_variable(name: &str, value: &str) -> (String, String) {
    let update = json!({ "variables": { "set": { name: value } } });
    let patch = json!({ "operation": "updateFrontmatter", "update": update });
    call("fs_apply_patch", &json!({ "path": "@state/workflow.md", "patch": patch }))
}

pub(crate) fn write(path: &str, content: &str) -> (String, String) {
    call("fs_write", &json!({ "path": path, "content": content }))
}

impl Talk {
    /// A run that waits for the model's first reply.
    pub(crate) fn new(limits: Limits) -> Self {
        Self::begun(Env { limits, ..ENV.clone() })
    }

    /// The same with an agent who may write as much as the settings allow.
    pub(crate) fn of_large_files(limits: Limits) -> Self {
        let mut package = Package::clone(&ENV.package);
        for agent in &mut package.agents {
            agent.tools = None;
        }
        Self::begun(Env { limits, package: Arc::new(package), ..ENV.clone() })
    }

    fn begun(env: Env) -> Self {
        let conversation = ConversationId::new("run-talk").unwrap();
        let mut talk = Self {
            engine: ExecutionEngine::new(conversation, env.clone()),
            journal: Vec::new(),
            disk: BTreeMap::new(),
            written: BTreeMap::new(),
            requests: Vec::new(),
            env,
            now: 1_767_225_600_000,
            summaries: Vec::new(),
            gives_no_summary: false,
            during_rewind: None,
        };
        let package = Arc::clone(&talk.env.package);
        let (workflow, agent) = (&package.workflows[0], &package.agents[0].id);
        let run_id = RunId::new("talk").unwrap();
        let now = Time::from_millis(talk.now);
        let (run_id, workflow_id) = (&run_id, &workflow.id);
        let initial =
            Initial { run_id, workflow_id, agent_id: agent, variables: None, artifacts: &[], now };
        let state = StateDoc::initial(&workflow.state_template, &initial).unwrap();
        talk.input(Input::Start(StartRun {
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
            input: None,
            files: Vec::new(),
            demo: false,
        }))
        .unwrap();
        talk
    }

    /// The same after the person has ended the run early, and the model said goodbye. Unlike a
    /// run that came to its end, one change of a variable opens it again.
    pub(crate) fn completed(limits: Limits) -> Self {
        let mut talk = Self::new(limits);
        talk.ended_by_hand();
        talk.reply("Goodbye.", &[]);
        assert_eq!(talk.engine.core().phase, Phase::Completed);
        talk
    }

    /// One input and everything the outside does by itself about it.
    #[expect(clippy::needless_pass_by_value, reason = "tests write inputs where they give them")]
    pub(crate) fn input(&mut self, input: Input) -> Result<(), Refusal> {
        self.step(&input)?;
        self.work();
        Ok(())
    }

    pub(crate) fn say(&mut self, text: &str) {
        self.input(Input::Say(text.into())).unwrap();
    }

    /// The model answers the request that is wanted.
    pub(crate) fn reply(&mut self, text: &str, calls: &[(String, String)]) {
        assert!(self.thinks(), "no request is wanted: {:#?}", self.outline());
        let calls = calls.iter().map(|(name, arguments)| ToolCall {
            id: CallId::new(""),
            name: name.clone(),
            arguments: arguments.clone(),
        });
        let reply = Reply { text: text.to_owned(), calls: calls.collect(), ..Reply::default() };
        let id = EffectId::Think(self.engine.core().requests + 1);
        let Effect::Think(think) = self.engine.effect(&id).unwrap() else { panic!("a request") };
        assert_eq!(protocol_errors(&think.request.messages), Vec::<String>::new());
        self.requests.push(think.request);
        let outcome = Outcome::Replied {
            reply,
            request_sha256: String::new(),
            duration_ms: 0,
            foreign: Vec::new(),
        };
        self.input(Input::Outcome(id, outcome)).unwrap();
    }

    /// Whether a request to the model is wanted.
    pub(crate) fn thinks(&self) -> bool {
        self.engine.wanted().iter().any(|id| matches!(id, EffectId::Think(_)))
    }

    /// Whether the request that is wanted cannot be built: then that is its outcome.
    pub(crate) fn refuses(&mut self) -> bool {
        let id = EffectId::Think(self.engine.core().requests + 1);
        let Err(failure) = self.engine.effect(&id) else { return false };
        self.input(Input::Outcome(id, Outcome::Failed { failure, partial: None })).unwrap();
        true
    }

    /// The program died and was started again.
    pub(crate) fn restart(&mut self) {
        let conversation = self.engine.conversation().clone();
        self.engine = ExecutionEngine::replay(conversation, self.env.clone(), &self.journal);
        self.input(Input::Reopened).unwrap();
    }

    /// A person's edit of the state document is found when the next request is due.
    pub(crate) fn edit(&mut self, change: impl Fn(&str) -> String) {
        let id = EffectId::Think(self.engine.core().requests + 1);
        let text = change(self.document());
        self.input(Input::Outcome(id, Outcome::StateDrifted(Some(text)))).unwrap();
    }

    /// The person writes into the document that the run is over.
    pub(crate) fn ended_by_hand(&mut self) {
        self.edit(|text| {
            let open = text.replacen("  workflowStatus: open\n", "  workflowStatus: complete\n", 1);
            open.replacen("variables: {}", "variables:\n  workflowStatus: complete", 1)
        });
    }

    pub(crate) fn document(&self) -> &str {
        self.engine.core().doc.as_ref().unwrap().text()
    }

    pub(crate) fn snapshot(&self) -> RuntimeSnapshot {
        snapshot(&self.engine).unwrap()
    }

    /// The widget the run waits for.
    pub(crate) fn waiting(&self) -> WaitingWidget {
        self.snapshot().widget.expect("a widget waits")
    }

    pub(crate) fn answer(&mut self, value: Value) {
        let message_id = self.waiting().message_id;
        self.answer_to(message_id, value).unwrap();
    }

    pub(crate) fn answer_to(&mut self, message_id: MessageId, value: Value) -> Result<(), Refusal> {
        self.input(Input::Answer { message_id, value, shown_ms: None, files: Vec::new() })
    }

    pub(crate) fn events(&self) -> impl DoubleEndedIterator<Item = &Event> {
        self.journal.iter().flat_map(|line| &line.events)
    }

    /// The results of calls, newest last: `ok` or the code.
    pub(crate) fn results(&self) -> Vec<String> {
        let ended = self.events().filter_map(|e| match e {
            Event::CallEnded(e) => Some(e),
            _ => None,
        });
        let code = |result: &Value| result.pointer("/error/code").cloned();
        ended
            .map(|e| code(&e.result).map_or("ok".to_owned(), |c| c.as_str().unwrap().to_owned()))
            .collect()
    }

    pub(crate) fn last_result(&self) -> &Value {
        let ended = self.events().rev().find_map(|e| match e {
            Event::CallEnded(e) => Some(&e.result),
            _ => None,
        });
        ended.expect("a call ended")
    }

    pub(crate) fn outline(&self) -> Vec<&str> {
        self.events().map(Event::name).collect()
    }

    fn step(&mut self, input: &Input) -> Result<(), Refusal> {
        self.now += 1_000;
        let Some(line) = self.engine.decide(input, Time::from_millis(self.now))? else {
            return Ok(());
        };
        let body = serde_json::to_string(&line).unwrap();
        assert_eq!(kernel::event::upcast(&body).unwrap(), line, "a line must survive the disk");
        self.engine.apply(&line);
        self.journal.push(line);
        Ok(())
    }

    /// Mirrors and tools do their work at once.
    fn work(&mut self) {
        for _ in 0..200 {
            let wanted = self.engine.wanted();
            let Some(id) = wanted.into_iter().find(|id| !matches!(id, EffectId::Think(_))) else {
                return;
            };
            let outcome = self.perform(&id);
            self.step(&Input::Outcome(id, outcome)).unwrap();
        }
        panic!("the tools do not come to rest: {:#?}", self.outline());
    }

    fn perform(&mut self, id: &EffectId) -> Outcome {
        let effect = match self.engine.effect(id) {
            Ok(effect) => effect,
            // As in the host: an error is an outcome too.
            Err(failure) => return Outcome::Failed { failure, partial: None },
        };
        match effect {
            Effect::Act(action) => self.carry_out(&action),
            Effect::Think(_) => panic!("the test answers requests"),
            Effect::Compact(job) => {
                let draft = job.plan();
                let asks = draft.to_sum_up().is_some();
                self.summaries.push(asks);
                let compacted = if asks && self.gives_no_summary {
                    let failure = Failure::for_model(ErrorCode::LlmTimeout, "it gave none");
                    draft.with_summary(Err(failure))
                } else {
                    draft.alone()
                };
                Outcome::Compacted(Box::new(compacted))
            }
            Effect::Hook(_) => panic!("nobody has set up hooks"),
            Effect::Delegate(_) | Effect::Recall(_) => panic!("nobody asks for a sub-agent"),
        }
    }

    fn hash(&self, permit: &Permit) -> Option<String> {
        let path = permit.path().unwrap().to_string();
        self.disk.get(&path).map(|text| sha256_hex(text.as_bytes()))
    }

    /// The files of a rewind that are as the runtime left them.
    fn to_restore(&self, permit: &Permit) -> Began {
        let mut restore = Restore::default();
        for file in permit.restore() {
            let now = self.disk.get(&file.path.to_string()).map(|t| sha256_hex(t.as_bytes()));
            let (path, post_hash) = (file.path.clone(), file.goal.clone());
            if file.ours.contains(&now) {
                let change = FileChange { path, pre_hash: now, post_hash, replaces_others: false };
                restore.files.push(change);
            } else {
                let reason = ConflictReason::Changed;
                restore.conflicts.push(Conflict { path, reason, message: None });
            }
        }
        Began { restore: Some(Box::new(restore)), ..Began::default() }
    }

    fn restored(&mut self, permit: &Permit) -> Value {
        let restore = permit.began().unwrap().restore.clone().unwrap();
        for file in &restore.files {
            let path = file.path.to_string();
            match &file.post_hash {
                Some(hash) => _ = self.disk.insert(path, self.written[hash].clone()),
                None => _ = self.disk.remove(&path),
            }
        }
        let back = restore.files.iter().map(|file| match &file.post_hash {
            Some(sha256) => json!({ "path": file.path, "sha256": sha256 }),
            None => json!({ "path": file.path, "removed": true }),
        });
        let back: Vec<Value> = back.collect();
        json!({ "ok": true, "restored": back, "conflicts": restore.conflicts })
    }

    fn began(&self, permit: &Permit) -> Began {
        if permit.tool().name == "workflow.rewind" {
            return self.to_restore(permit);
        }
        if permit.tool().name == "fs.move" {
            return Began::default();
        }
        let args = permit.args();
        let content = args["content"].as_str().unwrap();
        let post_hash = Some(sha256_hex(content.as_bytes()));
        Began { pre_hash: self.hash(permit), post_hash, ..Began::default() }
    }

    fn called(&mut self, permit: &Permit) -> Called {
        let mut result = json!({ "ok": true });
        if permit.tool().name == "workflow.rewind" {
            result = self.restored(permit);
            if let Some(limits) = self.during_rewind.take() {
                self.engine.set_limits(limits);
            }
        }
        if permit.tool().name == "fs.write" {
            assert_eq!(permit.began(), Some(&self.began(permit)), "not what was journaled");
            let content = permit.args()["content"].as_str().unwrap().to_owned();
            let path = permit.path().unwrap().to_string();
            let both = self.disk.get(&path).into_iter().chain([&content]);
            let kept = both.map(|text| (sha256_hex(text.as_bytes()), text.clone()));
            self.written.extend(kept.collect::<Vec<_>>());
            result["sha256After"] = json!(sha256_hex(content.as_bytes()));
            if permit.verify_after_write() {
                let scope = format!("artifact:{}", permit.path().unwrap().rel());
                result["verification"] = json!({
                    "performed": true, "passed": true, "scope": scope, "reason": "readback_match",
                });
            }
            let before = self.disk.insert(path, content);
            if before.is_none() {
                result["created"] = json!(true);
            }
        }
        Called::at_once(result)
    }
}

impl Executor for Talk {
    fn prepare(&mut self, permit: &Permit) -> Result<Began, Failure> {
        Ok(self.began(permit))
    }

    fn preview(&mut self, permit: &Permit) -> Result<Preview, Failure> {
        let (began, diff) = (self.began(permit), format!("{:?}", permit.args()));
        let (summary, parts) = ("a change".to_owned(), Vec::new());
        // As of a file that is not shown whole.
        let cut = diff.len() > 1_000;
        Ok(Preview { began, summary, parts, diff, cut })
    }

    fn missing(&mut self, permit: &Permit) -> Vec<AliasPath> {
        let gone = |path: &&AliasPath| !self.disk.contains_key(&path.to_string());
        permit.claims().iter().filter(gone).cloned().collect()
    }

    fn changed_by_others(&mut self, files: &[KnownFile], _: &ToolPolicy) -> Vec<ForeignChange> {
        let now = |path: &AliasPath| {
            self.disk.get(&path.to_string()).map(|text| sha256_hex(text.as_bytes()))
        };
        let changed = files.iter().filter(|known| now(&known.path).as_ref() != Some(&known.sha256));
        changed.map(|f| ForeignChange { path: f.path.clone(), sha256: now(&f.path) }).collect()
    }

    fn perform(&mut self, permit: &Permit) -> Called {
        self.called(permit)
    }

    fn settle(&mut self, permit: &Permit, began: &Began) -> Settled {
        if permit.tool().name == "workflow.rewind" {
            return Settled::NotHappened;
        }
        match self.hash(permit) {
            now if now == began.post_hash => Settled::Happened(json!({ "ok": true })),
            now if now == began.pre_hash => Settled::NotHappened,
            now => Settled::Foreign(now),
        }
    }

    fn mirror(&mut self, _: &Mirror) -> Result<Option<String>, Failure> {
        Ok(None)
    }
}

/// The code of a refusal.
pub(crate) fn code_of(refused: Result<(), Refusal>) -> ErrorCode {
    refused.unwrap_err().0.code
}
