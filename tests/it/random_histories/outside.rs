//! What surrounds a conversation: a disk that is a map, tools whose results are made up, a journal
//! that is kept as the texts that a store keeps, and a person.

use super::dice::Dice;
use super::looked_at::{Counted, Request};
use super::tally::Tally;
use host::crewrun::hide_folders;
use host::real_path::RealPath;
use host::redact::{Private, Redactor};
use host::secrets::Secret;
use host::tools::{MountRoots, ToolHost};
use kernel::chat::{ChatMessage, Usage};
use kernel::code::{ErrorCode, Failure};
use kernel::context::{CompactionJob, SUMMARY_HEADINGS};
use kernel::effect::{
    Action, Began, Called, Effect, EffectId, Outcome, Permit, PreImage, Preview, Settled,
    TaskResult, Think,
};
use kernel::engine::{Env, ExecutionEngine, Input, Limits, Refusal, StartRun};
use kernel::event::Line;
use kernel::ids::{ConversationId, ProjectId, RunId};
use kernel::mark::Folder;
use kernel::path::AliasPath;
use kernel::prompt::PromptComposer;
use kernel::restore::{FileChange, Restore};
use kernel::state_doc::{Initial, StateDoc};
use kernel::subagent::TaskEnded;
use kernel::text::sha256_hex;
use kernel::time::Time;
use kernel::tool::EffectClass;
use kernel::tool::patch::PatchOp;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use tokio_util::sync::CancellationToken;

/// A key that the program knows. Tools show a sign in its place.
pub(super) const KEY: &str = "sk-planted-0815-4711-known";
/// A file of the project that really is on a disk: it holds the key, and names real folders.
pub(super) const PLACES: &str = "@project/docs/places.md";

/// What all histories of a process share: the package, the templates, and a small real project.
pub(super) struct Shared {
    env: Env,
    tools: ToolHost,
    private: Private,
    pub(super) redactor: Redactor,
    /// State documents of runs that have come so far, the first one at the beginning.
    begun: Vec<String>,
    /// The real folder of the project.
    pub(super) project: PathBuf,
    _temp: tempfile::TempDir,
}

pub(super) static SHARED: LazyLock<Shared> = LazyLock::new(|| {
    let temp = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/packages/crew");
    let inspected = host::packages::inspect(&source).unwrap();
    let installed = temp.path().join("packages");
    let id = host::packages::PackagesLock::wait(&installed).unwrap().install(&inspected).unwrap();
    let package = Arc::new(host::packages::load_installed(&installed, &id).unwrap());
    let (project, state) = (temp.path().join("ada/projects"), temp.path().join("ada/state"));
    std::fs::create_dir_all(project.join("docs")).unwrap();
    std::fs::create_dir_all(&state).unwrap();
    assert!(Secret::new(KEY).is_some());
    let places = format!("The key is {KEY}.\nEverything lies in {}/docs.\n", project.display());
    std::fs::write(project.join("docs/places.md"), places).unwrap();
    let pkg = installed.join(id.as_str());
    let folders = vec![
        (project.clone(), Folder::Project),
        (pkg.clone(), Folder::Package),
        (state.clone(), Folder::State),
    ];
    let private = Private::new(folders.clone());
    let redactor =
        Redactor::new(folders.into_iter().map(|(path, folder)| (path, folder.alias())).collect());
    let roots = MountRoots {
        project: RealPath::new(&project, "@project"),
        pkg: Some(RealPath::new(&pkg, "@pkg")),
        state: RealPath::new(&state, "@state"),
        store: RealPath::new(temp.path().join("store"), "[store]"),
    };
    let tools = ToolHost::open(roots, private.clone()).unwrap();
    let composer = Arc::new(PromptComposer::new().unwrap());
    let env = Env { package, others: Vec::new(), composer, limits: Limits::default() };
    let begun = begun(&env);
    Shared { env, tools, private, redactor, begun, project, _temp: temp }
});

/// When all histories begin.
const BEGINNING: i64 = 1_767_225_600_000;

fn begun(env: &Env) -> Vec<String> {
    let (workflow, agent) = (&env.package.workflows[0], &env.package.agents[0].id);
    let run_id = RunId::new("random").unwrap();
    let now = Time::from_millis(BEGINNING);
    let (run_id, workflow_id) = (&run_id, &workflow.id);
    let initial =
        Initial { run_id, workflow_id, agent_id: agent, variables: None, artifacts: &[], now };
    let first = StateDoc::initial(&workflow.state_template, &initial).unwrap();
    let way = ["gather-topic", "choose-way", "write-note", "look-over", "farewell-all"];
    let at = |steps: usize| {
        let update = json!({
            "stepsCompleted": { "append": way[..steps] }, "currentNodeId": { "set": way[steps] },
        });
        let patch = json!({ "operation": "updateFrontmatter", "update": update });
        let patch: PatchOp = serde_json::from_value(patch).unwrap();
        kernel::state_doc::patched(&first, &[patch]).unwrap()
    };
    std::iter::once(first.text().to_string()).chain((1..way.len()).map(at)).collect()
}

/// Something that came from outside and was written down: it must be there for good.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Acknowledged {
    Words(String),
    Answer(Value),
    Reply(String, usize),
    Result(Value),
    Ended(Option<String>),
}

pub(super) struct Outside {
    pub(super) engine: ExecutionEngine,
    /// The journal as a store keeps it.
    pub(super) bodies: Vec<String>,
    pub(super) acknowledged: Vec<Acknowledged>,
    pub(super) disk: BTreeMap<String, String>,
    pub(super) env: Env,
    pub(super) dice: Dice,
    /// What was asked of the model last.
    pub(super) last: Option<Request>,
    /// The messages of the last request, as they were built and as they left.
    left: Vec<(Arc<ChatMessage>, Arc<ChatMessage>)>,
    /// A request that is on its way.
    pub(super) asked: Option<EffectId>,
    /// Outcomes that were told before, to be told again.
    pub(super) told: Vec<(EffectId, Outcome)>,
    pub(super) tally: Tally,
    pub(super) counted: Counted,
    /// What the person said last.
    pub(super) newest_words: Option<String>,
    now: i64,
}

impl Outside {
    /// A run that begins, with or without words of the person.
    pub(super) fn new(limits: Limits, steps: usize, words: Option<String>) -> Self {
        let env = Env { limits, ..SHARED.env.clone() };
        let conversation = ConversationId::new("run-random").unwrap();
        let mut outside = Self {
            engine: ExecutionEngine::new(conversation, env.clone()),
            bodies: Vec::new(),
            acknowledged: Vec::new(),
            disk: BTreeMap::new(),
            env,
            dice: Dice::new(0),
            last: None,
            left: Vec::new(),
            asked: None,
            told: Vec::new(),
            tally: Tally::default(),
            counted: Counted::default(),
            newest_words: None,
            now: BEGINNING,
        };
        outside.begin(SHARED.begun[steps].clone(), words);
        outside
    }

    fn begin(&mut self, state: String, words: Option<String>) {
        let package = Arc::clone(&self.env.package);
        let start = Input::Start(StartRun {
            run_id: RunId::new("random").unwrap(),
            project_id: ProjectId::new("p1").unwrap(),
            package_id: package.id.clone(),
            content_hash: Some(package.content_hash.clone()),
            workflow_id: package.workflows[0].id.clone(),
            title: None,
            agent_id: package.agents[0].id.clone(),
            artifacts_dir: "artifacts".into(),
            artifacts_ask: false,
            state,
            input: words.clone(),
            files: Vec::new(),
            demo: false,
        });
        self.input(start).unwrap();
        let words = words.map(|words| words.trim().to_owned()).filter(|words| !words.is_empty());
        self.newest_words.clone_from(&words);
        self.acknowledged.extend(words.map(Acknowledged::Words));
    }

    /// One input; true when it was written down.
    #[expect(clippy::needless_pass_by_value, reason = "deeds make inputs where they give them")]
    pub(super) fn input(&mut self, input: Input) -> Result<bool, Refusal> {
        self.now += 1_000;
        let judged = self.engine.judge(&input, Time::from_millis(self.now))?;
        let Some(judged) = judged else { return Ok(false) };
        self.bodies.push(serde_json::to_string(&judged.line).unwrap());
        let line = self.engine.adopt(judged);
        self.counted.line(&line);
        self.tally.inputs += 1;
        if let Some(asked) = &self.asked
            && !self.engine.wanted().contains(asked)
        {
            self.asked = None;
        }
        Ok(true)
    }

    /// The outcome of an effect.
    pub(super) fn outcome(&mut self, id: EffectId, outcome: Outcome) {
        let known = match &outcome {
            Outcome::Replied { reply, .. } => {
                Some(Acknowledged::Reply(reply.text.clone(), reply.calls.len()))
            }
            // A rewind goes on with the state document, and its result with what came of that.
            Outcome::Called(called) if called.result.get("restored").is_none() => {
                Some(Acknowledged::Result(called.result.clone()))
            }
            _ => None,
        };
        self.asked.take_if(|asked| *asked == id);
        self.told.push((id.clone(), outcome.clone()));
        if self.told.len() > 4 {
            self.told.remove(0);
        }
        if self.input(Input::Outcome(id, outcome)).unwrap() {
            self.acknowledged.extend(known);
        }
    }

    /// The journal as it is read back.
    pub(super) fn journal(&self) -> Vec<Line> {
        self.bodies.iter().map(|body| kernel::event::upcast(body).unwrap()).collect()
    }

    /// An engine that knows nothing but the journal.
    pub(super) fn replayed(&self) -> ExecutionEngine {
        let conversation = self.engine.conversation().clone();
        ExecutionEngine::replay(conversation, self.env.clone(), &self.journal())
    }

    /// The program died and was started again; what it did not write down is lost.
    pub(super) fn dies(&mut self) {
        let engine = self.replayed();
        assert_eq!(engine.core(), self.engine.core(), "a reopened run stands at the same place");
        assert_eq!(engine.record(), self.engine.record(), "a reopened run knows the same");
        self.engine = engine;
        self.asked = None;
        self.tally.deaths += 1;
        self.input(Input::Reopened).unwrap();
    }

    pub(super) fn settings(&mut self, limits: Limits) {
        self.env.limits = limits.clone();
        self.engine.set_limits(limits);
        self.input(Input::LimitsChanged).unwrap();
    }

    /// The request as it leaves this machine. What left with the one before is not looked at again.
    pub(super) fn leaves(&mut self, mut think: Think) -> Think {
        let messages: Vec<Arc<ChatMessage>> = think.request.messages.iter().cloned().collect();
        let known =
            |at: usize| self.left.get(at).filter(|(was, _)| Arc::ptr_eq(was, &messages[at]));
        let new = (0..messages.len()).filter(|at| known(*at).is_none());
        let new: Vec<usize> = new.collect();
        think.request.messages = new.iter().map(|at| Arc::clone(&messages[*at])).collect();
        hide_folders(&SHARED.private, &mut think.request);
        let mut hidden: BTreeMap<usize, Arc<ChatMessage>> =
            new.into_iter().zip(think.request.messages.iter().cloned()).collect();
        let old = std::mem::take(&mut self.left);
        let left = messages.into_iter().enumerate().map(|(at, message)| {
            let hidden = hidden.remove(&at).unwrap_or_else(|| Arc::clone(&old[at].1));
            (message, hidden)
        });
        self.left = left.collect();
        think.request.messages = self.left.iter().map(|(_, hidden)| Arc::clone(hidden)).collect();
        think
    }

    /// What comes of an effect that asks no model.
    pub(super) fn carry_out(&mut self, id: &EffectId) -> Outcome {
        let effect = match self.engine.effect(id) {
            Ok(effect) => effect,
            Err(failure) => return Outcome::failed(failure),
        };
        if self.dice.percent(3) {
            return Outcome::failed(Failure::for_model(ErrorCode::Io, "the disk is full"));
        }
        match effect {
            Effect::Act(action) => self.act(&action),
            Effect::Compact(job) => self.compacted(&job),
            Effect::Delegate(_) => Outcome::Delegated(Box::new(self.task_result())),
            Effect::Recall(_) => Outcome::Delegated(Box::new(TaskResult::stopped())),
            Effect::Think(_) | Effect::Hook(_) => panic!("{id:?} is carried out elsewhere"),
        }
    }

    fn act(&mut self, action: &Action) -> Outcome {
        match action {
            Action::Prepare(permit) => Outcome::Prepared(self.began(permit)),
            Action::Preview(permit) => {
                let began = self.began(permit);
                let (summary, parts, diff) = ("a change".to_owned(), Vec::new(), "+ x".to_owned());
                Outcome::Previewed(Preview { began, summary, parts, diff, cut: false })
            }
            Action::Look(permit) => {
                let gone = |path: &&AliasPath| !self.disk.contains_key(&path.to_string());
                Outcome::Looked(permit.claims().iter().filter(gone).cloned().collect())
            }
            Action::Perform(permit) => Outcome::Called(self.called(permit)),
            Action::Settle(permit, began) => Outcome::Settled(self.settled(permit, began)),
            Action::Mirror(_) if self.dice.percent(4) => Outcome::StateEdited("00".repeat(32)),
            Action::Mirror(_) => Outcome::Mirrored,
        }
    }

    fn compacted(&mut self, job: &CompactionJob) -> Outcome {
        let draft = job.plan();
        let usage = Usage { prompt_tokens: 10, completion_tokens: 5, estimated: false };
        let compacted = match self.dice.below(4) {
            0 => {
                let text = SUMMARY_HEADINGS
                    .iter()
                    .fold("CONVERSATION_SUMMARY\n".to_owned(), |text, heading| {
                        format!("{text}\n## {heading}\nnone\n")
                    });
                draft.with_summary(Ok((text, usage)))
            }
            1 => draft.with_summary(Ok(("Sure, here it is.".to_owned(), usage))),
            2 => {
                let failure = Failure::for_model(ErrorCode::LlmTimeout, "too slow");
                draft.with_summary(Err(failure))
            }
            _ => draft.alone(),
        };
        self.tally.compacted(&compacted);
        Outcome::Compacted(Box::new(compacted))
    }

    fn task_result(&mut self) -> TaskResult {
        let ended = if self.dice.percent(30) {
            let failure = Failure::for_model(ErrorCode::SubagentFailed, "no report");
            json!({ "end": "no_report", "failure": failure })
        } else {
            let report = json!({ "summary": "All is as it should be.", "findings": ["none"] });
            json!({ "end": "completed", "report": report })
        };
        let ended: TaskEnded = serde_json::from_value(ended).unwrap();
        TaskResult { steps: 2, ..TaskResult::without_work(ended) }
    }

    fn hash(&self, path: &AliasPath) -> Option<String> {
        self.disk.get(&path.to_string()).map(|text| sha256_hex(text.as_bytes()))
    }

    /// What a file is to hold after a call.
    fn new_text(&self, permit: &Permit) -> String {
        let args = permit.args();
        let old = permit.path().and_then(|path| self.disk.get(&path.to_string()));
        match permit.tool().name {
            "fs.write" => args["content"].as_str().unwrap_or_default().to_owned(),
            _ => format!("{}patched\n", old.cloned().unwrap_or_default()),
        }
    }

    fn began(&self, permit: &Permit) -> Began {
        let tool = permit.tool().name;
        if tool == "workflow.rewind" {
            let mut restore = Restore::default();
            for file in permit.restore() {
                let (path, post_hash) = (file.path.clone(), file.goal.clone());
                let pre_hash = self.hash(&path);
                let change = FileChange { path, pre_hash, post_hash, replaces_others: false };
                restore.files.push(change);
            }
            return Began { restore: Some(Box::new(restore)), ..Began::default() };
        }
        let Some(path) = permit.path() else { return Began::default() };
        let pre_hash = self.hash(path);
        let pre_images = pre_hash.iter().map(|sha256| PreImage {
            path: path.clone(),
            sha256: sha256.clone(),
            bytes: 1,
            kept: true,
        });
        let pre_images: Vec<PreImage> = pre_images.collect();
        let post_hash = match tool {
            "fs.delete" => None,
            "fs.move" => pre_hash.clone(),
            _ => Some(sha256_hex(self.new_text(permit).as_bytes())),
        };
        Began { pre_hash, post_hash, pre_images, restore: None }
    }

    fn settled(&mut self, permit: &Permit, began: &Began) -> Settled {
        match self.dice.below(4) {
            0 => Settled::Happened(json!({ "ok": true, "recovered": true })),
            1 => Settled::Foreign(permit.path().and_then(|path| self.hash(path))),
            2 if permit.class() != EffectClass::External => Settled::Unknown,
            _ if began.restore.is_some() => Settled::Unknown,
            _ => Settled::NotHappened,
        }
    }

    fn called(&mut self, permit: &Permit) -> Called {
        let result = match permit.class() {
            EffectClass::Read => self.looked(permit),
            _ => self.changed(permit),
        };
        Called::at_once(result)
    }

    /// What a call finds that changes nothing.
    fn looked(&mut self, permit: &Permit) -> Value {
        let path = permit.path().map(ToString::to_string).unwrap_or_default();
        if path == PLACES {
            let done = SHARED.tools.perform(permit, &CancellationToken::new());
            return done.result;
        }
        match permit.tool().name {
            "fs.read" => {
                let text = self.disk.get(&path).cloned();
                let long = self.dice.of(&[0, 0, 3, 40, 400]);
                let text = text.unwrap_or_else(|| format!("{path}\n{}", "word ".repeat(long)));
                let sha256 = sha256_hex(text.as_bytes());
                json!({
                    "ok": true, "path": path, "bytes": text.len(), "sha256": sha256,
                    "totalLines": 1, "truncated": false, "content": text,
                })
            }
            "fs.glob" => json!({
                "ok": true, "path": path, "pattern": "*", "paths": self.disk.keys().collect::<Vec<_>>(),
                "count": self.disk.len(),
            }),
            _ => json!({ "ok": true, "path": path, "entries": ["a.md"], "matches": [] }),
        }
    }

    fn changed(&mut self, permit: &Permit) -> Value {
        let Some(path) = permit.path() else { return restored(permit) };
        let key = path.to_string();
        match permit.tool().name {
            "fs.delete" => {
                let gone = self.disk.remove(&key).is_some();
                json!({ "ok": gone, "path": path, "deleted": "file", "bytes": 1 })
            }
            "fs.move" => {
                let to = permit.args()["to"].as_str().unwrap_or_default().to_owned();
                let Some(text) = self.disk.remove(&key) else {
                    return Failure::for_model(ErrorCode::NotFound, "nothing is there")
                        .to_tool_result();
                };
                let sha256 = sha256_hex(text.as_bytes());
                self.disk.insert(to.clone(), text);
                json!({ "ok": true, "path": path, "to": to, "moved": "file", "sha256": sha256 })
            }
            _ => {
                let text = self.new_text(permit);
                let sha256 = sha256_hex(text.as_bytes());
                let created = self.disk.insert(key, text).is_none();
                let verified = json!({
                    "performed": true, "passed": !self.dice.percent(10),
                    "scope": format!("artifact:{}", path.rel()), "reason": "readback_match",
                });
                let mut result = json!({ "ok": true, "path": path, "sha256After": sha256 });
                result["created"] = json!(created);
                if permit.verify_after_write() {
                    result["verification"] = verified;
                }
                result
            }
        }
    }
}

/// What a rewind has brought back.
fn restored(permit: &Permit) -> Value {
    let restore = permit.began().and_then(|began| began.restore.clone()).unwrap_or_default();
    let back = restore.files.iter().map(|file| match &file.post_hash {
        Some(sha256) => json!({ "path": file.path, "sha256": sha256 }),
        None => json!({ "path": file.path, "removed": true }),
    });
    let back: Vec<Value> = back.collect();
    json!({ "ok": true, "restored": back, "conflicts": [] })
}
