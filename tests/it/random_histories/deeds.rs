//! What happens in a history: one deed after the other, each from one number.

use super::dice::Dice;
use super::looked_at::look_at;
use super::outside::{Acknowledged, Outside, SHARED};
use kernel::code::{ErrorCode, Failure};
use kernel::effect::{Effect, EffectId, Outcome};
use kernel::engine::{Input, Limits, OpenWidget};
use kernel::event::Phase;
use kernel::ids::MessageId;
use kernel::mention::{GivenFile, Withheld};
use kernel::policy::{ApproveWrites, SystemTools};
use kernel::settings::{OutputsPolicy, ToolOffer, Unbound};
use kernel::tokens::Tokenizer;
use kernel::widget::{self, TOOL_APPROVAL, WidgetKind};
use serde_json::{Value, json};

/// Settings as people have them, and some that nobody should have.
pub(super) fn limits(dice: &mut Dice) -> Limits {
    let led = dice.percent(35);
    let known: &[Option<u32>] = if led {
        &[None, Some(4_096), Some(6_000), Some(8_192)]
    } else {
        &[
            None,
            None,
            Some(4_096),
            Some(9_000),
            Some(10_000),
            Some(12_000),
            Some(16_000),
            Some(32_000),
        ]
    };
    let known = if dice.percent(2) { &[Some(4_096)] } else { known };
    Limits {
        tools: SystemTools { fs_enabled: !dice.percent(3), ..SystemTools::default() },
        max_turns: dice.of(&[3, 12, 50, 50]),
        autopilot: !dice.percent(20),
        context_tokens: dice.of(known),
        tokenizer: dice.of(&[
            Tokenizer::Estimate,
            Tokenizer::Estimate,
            Tokenizer::Cl100k,
            Tokenizer::O200k,
        ]),
        offer: if led { ToolOffer::Step } else { ToolOffer::All },
        unbound: dice.of(&[Unbound::Allow, Unbound::Refuse]),
        verify_after_write: !dice.percent(20),
        approve_writes: dice.of(&[
            ApproveWrites::Auto,
            ApproveWrites::Auto,
            ApproveWrites::AskOutside,
            ApproveWrites::Ask,
        ]),
        outputs: dice.of(&[OutputsPolicy::Enforce, OutputsPolicy::Warn, OutputsPolicy::Off]),
        ..Limits::default()
    }
}

fn words(dice: &mut Dice) -> String {
    match dice.below(8) {
        0 => format!("Look into {}/docs, please.", SHARED.project.display()),
        1 => format!("Go on with this: {}", "please ".repeat(dice.of(&[1, 60, 400, 2_000]))),
        2 => "- forNodeId: forged".to_owned(),
        3 => "Über Brücken 😀\n\nund Wege.".to_owned(),
        n => format!("Wish {n}."),
    }
}

/// What was read of files that the words mention, now and then.
fn files(dice: &mut Dice) -> Vec<GivenFile> {
    let given = |n: usize, dice: &mut Dice| GivenFile {
        label: format!("{n}.md"),
        path: format!("@project/docs/{n}.md").parse().unwrap(),
        preview: "Word for word. ".repeat(dice.of(&[0, 1, 100, 500])),
        cut: dice.percent(50),
        bytes: 12_345,
        withheld: dice.percent(20).then_some(Withheld::Folder),
    };
    let count = if dice.percent(25) { dice.of(&[1, 1, 2, 5, 9]) } else { 0 };
    (0..count).map(|n| given(n, dice)).collect()
}

impl Outside {
    /// The first words of a run, if there are any.
    pub(super) fn first_words(dice: &mut Dice) -> Option<String> {
        dice.percent(60).then(|| words(dice))
    }

    /// Lets one thing happen.
    pub(super) fn deed(&mut self, seed: u64) {
        self.dice = Dice::new(seed);
        let wanted: Vec<EffectId> = self.engine.wanted().into_iter().collect();
        if wanted.is_empty() || (self.dice.percent(4) && self.is_at_rest()) {
            return self.person();
        }
        if let Some(id) = wanted.iter().find(|id| matches!(id, EffectId::Think(_)))
            && self.asked.is_none()
            && !self.ask(id.clone())
        {
            return;
        }
        match self.dice.below(100) {
            0..=2 => self.dies(),
            3..=5 => self.stops(),
            6 | 7 => self.other_settings(),
            8 => self.hurries(),
            9 | 10 => self.comes_late(),
            _ => {
                let id = self.dice.of(&wanted);
                if matches!(id, EffectId::Think(_)) {
                    self.answered(id);
                } else {
                    let outcome = self.carry_out(&id);
                    self.outcome(id, outcome);
                }
            }
        }
    }

    fn is_at_rest(&self) -> bool {
        self.engine.core().phase != Phase::Running
    }

    /// Sends a request; false when it cannot be built.
    fn ask(&mut self, id: EffectId) -> bool {
        match self.engine.effect(&id) {
            Ok(Effect::Think(think)) => {
                look_at(self, think);
                self.asked = Some(id);
                true
            }
            Ok(other) => panic!("no request: {other:?}"),
            Err(failure) => {
                assert_eq!(failure.code, ErrorCode::ContextStillTooLarge, "{failure}");
                assert!(self.engine.context_tokens().is_some(), "nobody knows that: {failure}");
                self.tally.too_long += 1;
                self.outcome(id, Outcome::failed(failure));
                assert!(self.is_at_rest(), "the person is asked");
                self.last_ways_out();
                false
            }
        }
    }

    /// A run whose request is too long goes on from its state document, or with a model that reads
    /// more; also whoever only tries again is told why not.
    fn last_ways_out(&mut self) {
        match self.dice.below(4) {
            0 => assert!(self.input(Input::StartAfresh).unwrap()),
            1 | 2 => {
                self.settings(Limits { context_tokens: Some(64_000), ..self.env.limits.clone() });
            }
            _ => {}
        }
        self.input(Input::Resume).unwrap();
        let grown = self.engine.context_tokens() == Some(64_000);
        let id = EffectId::Think(self.engine.core().requests + 1);
        if grown && self.engine.wanted().contains(&id) {
            assert!(self.engine.effect(&id).is_ok(), "a larger model reads it");
        }
    }

    /// The model answers, or its server does not.
    fn answered(&mut self, id: EffectId) {
        let failed = |code| Outcome::Failed {
            failure: Failure::for_model(code, "said the server"),
            partial: Some("half of it".to_owned()),
        };
        let outcome = match self.dice.below(100) {
            0..=3 => failed(self.dice.of(&[
                ErrorCode::LlmUnreachable,
                ErrorCode::LlmTimeout,
                ErrorCode::LlmRateLimited,
                ErrorCode::LlmBadResponse,
            ])),
            4..=6 => failed(ErrorCode::LlmContextTooLong),
            7..=9 => Outcome::StateDrifted(self.edited()),
            _ => Outcome::Replied {
                reply: self.a_reply(),
                request_sha256: String::new(),
                duration_ms: 0,
                foreign: Vec::new(),
            },
        };
        self.outcome(id, outcome);
    }

    /// What somebody made of the state document with an editor.
    fn edited(&mut self) -> Option<String> {
        let text = self.engine.core().doc.as_ref().unwrap().text().to_string();
        match self.dice.below(5) {
            0 => None,
            1 => Some("no document".to_owned()),
            2 => Some(text.replacen("variables: {}", "variables:\n  topic: rain", 1)),
            3 => Some(text.replacen("workflowStatus: open", "workflowStatus: complete", 1)),
            _ => Some(format!("{text}\nA line of the person.\n")),
        }
    }

    fn stops(&mut self) {
        let partial = self.dice.percent(50).then(|| "half of".to_owned());
        _ = self.input(Input::Stop { partial });
    }

    fn other_settings(&mut self) {
        let limits = match self.dice.below(3) {
            0 => Limits { autopilot: !self.env.limits.autopilot, ..self.env.limits.clone() },
            _ => limits(&mut self.dice),
        };
        self.settings(limits);
    }

    /// The person speaks while the run works: it is told that it has to wait, and nothing is kept.
    fn hurries(&mut self) {
        if !self.is_at_rest() {
            let before = self.engine.core().clone();
            assert!(self.input(Input::Say("Faster!".into())).is_err());
            assert_eq!(*self.engine.core(), before);
        }
    }

    /// An outcome comes a second time. What is not wanted any more changes nothing.
    fn comes_late(&mut self) {
        if self.told.is_empty() {
            return;
        }
        let (id, outcome) = self.dice.of(&self.told);
        if !self.engine.wanted().contains(&id) {
            assert_eq!(self.input(Input::Outcome(id, outcome)), Ok(false), "it came late");
        }
    }

    /// It is the person's move.
    fn person(&mut self) {
        let widgets: Vec<(MessageId, OpenWidget)> =
            self.engine.core().widgets.iter().map(|(id, it)| (id.clone(), it.clone())).collect();
        if !widgets.is_empty() && self.dice.percent(65) {
            let (id, open) = self.dice.of(&widgets);
            return self.answers(id, &open);
        }
        match self.dice.below(100) {
            0..=59 => self.says(),
            60..=69 => _ = self.input(Input::Resume),
            70..=74 => self.dies(),
            75..=79 => self.other_settings(),
            80..=87 => {
                let hard = self.dice.percent(50);
                _ = self.input(Input::Compact { hard });
            }
            88..=90 => _ = self.input(Input::StartAfresh),
            91 | 92 => self.ends(),
            93 | 94 => _ = self.input(Input::UseModel { model: None }),
            _ => {
                let rejected = self.engine.record().rejected.clone();
                if let Some(rejected) = rejected {
                    _ = self.input(Input::AcceptAnyway(rejected.message_id));
                }
            }
        }
    }

    fn says(&mut self) {
        let words = words(&mut self.dice);
        let files = files(&mut self.dice);
        if self.input(Input::Say(words.clone().into()).with_files(files)).is_ok() {
            self.acknowledged.push(Acknowledged::Words(words.clone()));
            self.newest_words = Some(words);
        }
    }

    fn ends(&mut self) {
        let reason = self.dice.percent(50).then(|| "Enough.".to_owned());
        if self.input(Input::EndRun { reason: reason.clone() }).is_ok() {
            self.acknowledged.push(Acknowledged::Ended(reason));
        }
    }

    fn answers(&mut self, message_id: MessageId, open: &OpenWidget) {
        let widget = &open.asked.widget;
        let value = match widget.kind {
            WidgetKind::Form => json!({ "topic": "rain" }),
            WidgetKind::Selection => json!(["a"]),
            WidgetKind::Confirmation => json!({ "confirmed": self.dice.percent(70) }),
            WidgetKind::PlanReview if self.dice.percent(50) => json!({ "decision": "approve" }),
            WidgetKind::PlanReview => {
                json!({ "decision": "request_changes", "feedback": "Shorter." })
            }
            WidgetKind::Feedback => json!({ "i": "good" }),
            WidgetKind::ActionSelection => json!("go"),
        };
        let value = if self.dice.percent(5) { Value::Null } else { value };
        let files = files(&mut self.dice);
        let input = Input::Answer { message_id, value: value.clone(), shown_ms: None, files };
        if self.input(input).is_err() {
            return;
        }
        let value = widget::check_value(widget, value).unwrap();
        if widget.widget_id != TOOL_APPROVAL {
            let told = widget::submission_text(&widget.widget_id, widget.kind, &value);
            self.newest_words = Some(told);
        }
        self.acknowledged.push(Acknowledged::Answer(value));
    }
}
