//! Sub-agents in a [`World`]: each has a journal of its own, a script, and the world's tools.

use crate::world::{Scripted, ScriptedCall, Way, World};
use host::executor::OnDisk;
use kernel::chat::{Reply, ToolCall};
use kernel::context::protocol_errors;
use kernel::effect::{Called, Effect, EffectId, Executor as _, Outcome, TaskResult, Think};
use kernel::engine::{ExecutionEngine, Input};
use kernel::event::{Event, Line, Phase, TaskStarted};
use kernel::ids::{CallId, ConversationId};
use kernel::time::Time;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

/// What the model of a sub-agent says.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SubagentScript {
    /// A text in its prompt, by which it is found.
    pub(crate) prompt: String,
    pub(crate) script: Vec<Scripted>,
}

/// A sub-agent while the program lives.
struct Child {
    id: ConversationId,
    engine: ExecutionEngine,
}

impl World {
    /// Lets a sub-agent work to its end; `None` when the program dies in between.
    pub(crate) fn delegate(&mut self, task: &TaskStarted) -> Option<Outcome> {
        let id = task.conversation_id.clone();
        let mut child = self.child(&id);
        if self.children.get(&id).is_none_or(Vec::is_empty) {
            self.tell(&mut child, &Input::StartTask(Box::new(task.clone())))?;
        } else {
            self.tell(&mut child, &Input::Reopened)?;
            if child.engine.core().task_ended.is_none()
                && child.engine.core().phase != Phase::Running
            {
                self.tell(&mut child, &Input::Resume)?;
            }
        }
        self.works_to_the_end(&mut child)
    }

    /// Stops a sub-agent.
    pub(crate) fn recall(&mut self, id: &ConversationId) -> Option<Outcome> {
        if self.children.get(id).is_none_or(Vec::is_empty) {
            return Some(Outcome::Delegated(Box::new(TaskResult::stopped())));
        }
        let mut child = self.child(id);
        if child.engine.core().task_ended.is_none() {
            self.tell(&mut child, &Input::Stop { partial: None })?;
        }
        self.works_to_the_end(&mut child)
    }

    fn works_to_the_end(&mut self, child: &mut Child) -> Option<Outcome> {
        for _ in 0..200 {
            if let Some(result) = child.engine.task_result() {
                return Some(Outcome::Delegated(Box::new(result)));
            }
            let id = child
                .engine
                .wanted()
                .into_iter()
                .next()
                .expect("a sub-agent at work wants something");
            let outcome = self.perform_of_child(child, &id);
            self.tell(child, &Input::Outcome(id, outcome))?;
        }
        panic!("the sub-agent does not come to its end: {:?}", child.engine.core());
    }

    fn child(&self, id: &ConversationId) -> Child {
        let lines = self.children.get(id).map_or(&[][..], Vec::as_slice);
        let engine = ExecutionEngine::replay(id.clone(), self.env().clone(), lines);
        Child { id: id.clone(), engine }
    }

    /// One input; `None` when the program dies after its line, once at each of them.
    fn tell(&mut self, child: &mut Child, input: &Input) -> Option<()> {
        let now = Time::from_millis(self.tick_clock());
        let judged = child.engine.decide(input, now).unwrap_or_else(|e| panic!("{e} on {input:?}"));
        let Some(line) = judged else { return Some(()) };
        let body = serde_json::to_string(&line).unwrap();
        let read: Line = kernel::event::upcast(&body).unwrap();
        assert_eq!(read, line, "a line must survive the disk");
        child.engine.apply(&read);
        self.children.entry(child.id.clone()).or_default().push(read);
        let began = line.events.iter().find_map(|event| match event {
            Event::CallBegan(e) => Some(e.call_id.to_string()),
            _ => None,
        });
        let place = began.unwrap_or_else(|| format!("{} {}", child.id, line.seq));
        let resumes = matches!(input, Input::Resume | Input::Reopened);
        // A call on which the program dies twice is given up.
        let begins = line
            .events
            .iter()
            .any(|event| matches!(event, Event::CallBegan(_) | Event::CallReset(_)));
        let asks = line.events.iter().any(|event| match event {
            Event::ModelReplied(e) => !e.calls().is_empty(),
            Event::CallReset(_) => true,
            _ => false,
        });
        let spared = if self.way == Way::CrashedEarly { begins } else { asks };
        let crashes = matches!(self.way, Way::Crashed | Way::CrashedEarly | Way::Lost);
        let dies = crashes && !resumes && !spared && self.dies_once_at(place);
        (!dies).then_some(())
    }

    fn perform_of_child(&mut self, child: &Child, id: &EffectId) -> Outcome {
        let effect = match child.engine.effect(id) {
            Ok(effect) => effect,
            Err(failure) => return Outcome::failed(failure),
        };
        match effect {
            Effect::Think(think) => self.reply_of_child(child, &think),
            Effect::Act(action) => {
                let (tools, state) = (self.tools(), self.state_file());
                let cancel = &CancellationToken::new();
                match (OnDisk { tools, state, cancel }).carry_out(&action) {
                    Outcome::Called(called) => Outcome::Called(Called { duration_ms: 0, ..called }),
                    outcome => outcome,
                }
            }
            Effect::Compact(job) => Outcome::Compacted(Box::new(job.plan().alone())),
            Effect::Hook(_) | Effect::Delegate(_) | Effect::Recall(_) => {
                panic!("a sub-agent of a story wants neither hooks nor sub-agents")
            }
        }
    }

    /// How many sub-agents were told the same before this one.
    fn earlier_with(&self, id: &ConversationId, prompt: &str) -> usize {
        let began = |lines: &[Line]| lines.first().map(|line| line.at);
        let this = began(&self.children[id]);
        let told = |lines: &[Line]| {
            let task = lines.first().and_then(Line::beginning).and_then(|begin| begin.task);
            task.is_some_and(|task| task.assignment.prompt == prompt)
        };
        self.children.values().filter(|lines| told(lines) && began(lines) < this).count()
    }

    fn reply_of_child(&mut self, child: &Child, think: &Think) -> Outcome {
        assert_eq!(protocol_errors(&think.request.messages), Vec::<String>::new());
        self.requests_of_subagents.push(think.request.clone());
        let prompt = &child.engine.core().task.as_ref().unwrap().assignment.prompt;
        let scripts = self.subagents.clone();
        let mut fitting = scripts.iter().filter(|script| prompt.contains(&script.prompt));
        // One that is asked once more may say something else.
        let earlier = self.earlier_with(&child.id, prompt);
        let script = fitting.clone().nth(earlier).or_else(|| fitting.next_back());
        let said = |e: &&Event| matches!(e, Event::ModelReplied(_) | Event::CandidateRejected(_));
        let at = self.children[&child.id].iter().flat_map(|line| &line.events).filter(said).count();
        let scripted = script.and_then(|script| script.script.get(at)).cloned();
        let scripted = scripted.unwrap_or_else(|| {
            assert!(
                matches!(self.way, Way::ToolsFailing | Way::Straying),
                "no reply {at} for {prompt}"
            );
            Scripted { text: "That is all I know.".into(), ..Scripted::default() }
        });
        for change in &scripted.meanwhile {
            self.others_change(&change.path, change.text.as_deref());
        }
        let call = |(n, call): (usize, &ScriptedCall)| ToolCall {
            id: CallId::new(&format!("c{at}-{n}")),
            name: call.name.clone(),
            arguments: call.raw.clone().unwrap_or_else(|| call.arguments.to_string()),
        };
        Outcome::Replied {
            reply: Reply {
                text: scripted.text.clone(),
                calls: scripted.calls.iter().enumerate().map(call).collect(),
                ..Reply::default()
            },
            request_sha256: host::crewrun::request_hash(&think.request),
            duration_ms: 0,
            foreign: Vec::new(),
        }
    }
}
