//! What the model sees of long conversations: always valid, never more than it reads, and the same as
//! before as far as it can be.

use crate::talk::{Talk, call, set_variable, write};
use kernel::chat::ChatRequest;
use kernel::code::{ErrorCode, Failure};
use kernel::context::{CompactionStatus, protocol_errors};
use kernel::effect::{EffectId, Outcome};
use kernel::engine::{Env, ExecutionEngine, Input, Limits};
use kernel::event::{CompactionReason, Event, Line, Phase};
use kernel::settings::ToolOffer;
use kernel::tokens::Tokenizer;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Value, json};

/// A model that reads little: system layers, tools and anchor alone take most of it.
const SMALL: u32 = 10_000;
const TURNS: usize = 2_000;

fn limits(context_tokens: u32) -> Limits {
    Limits { context_tokens: Some(context_tokens), max_turns: 100_000, ..Limits::default() }
}

fn tokens(request: &ChatRequest) -> u64 {
    tokens_by(Tokenizer::Estimate, request)
}

fn tokens_by(tokenizer: Tokenizer, request: &ChatRequest) -> u64 {
    request.messages.iter().map(|message| message.tokens(tokenizer)).sum()
}

/// Whether a request begins as the one before, but for what is to be done next: that is the last
/// message of its request, and of no other.
fn begins_with(request: &ChatRequest, earlier: &ChatRequest) -> bool {
    let next = earlier.messages.last().is_some_and(|it| it.content.starts_with("NEXT_ACTION"));
    let said = earlier.messages.len() - usize::from(next);
    request.messages.same_beginning(&earlier.messages) >= said
}

/// How often something happened that changes the beginning of the next request.
fn reasons_for_another_beginning(talk: &Talk) -> usize {
    let counts = |event: &&Event| match event {
        Event::ContextCompacted(e) => e.result.compaction.is_some(),
        Event::UserSaid(_) | Event::RunResumed(_) | Event::RunInterrupted(_) => true,
        _ => false,
    };
    talk.events().filter(counts).count()
}

/// All tools and the system layers take three quarters of a model of 8k: it goes on all the same,
/// told in short with nearly every request. Led, it has more room.
#[rstest]
#[case(SMALL, ToolOffer::All, Tokenizer::Estimate, 700)]
#[case(SMALL, ToolOffer::All, Tokenizer::O200k, 700)]
#[case(8_192, ToolOffer::All, Tokenizer::Estimate, TURNS)]
#[case(8_192, ToolOffer::Step, Tokenizer::Estimate, 400)]
fn a_run_of_two_thousand_turns_goes_on_with_a_small_model(
    #[case] context_tokens: u32,
    #[case] offer: ToolOffer,
    #[case] tokenizer: Tokenizer,
    #[case] most_broken: usize,
) {
    let mut talk = Talk::new(Limits { offer, tokenizer, ..limits(context_tokens) });
    for n in 0..TURNS {
        if n % 25 == 24 {
            talk.reply("That is done. What next?", &[]);
            talk.say(&format!("Wish {n}: {}", "please ".repeat(n % 60)));
        } else {
            let text = format!("Line {n}.\n").repeat(1 + n % 40);
            let path = format!("@project/artifacts/{}.md", n % 7);
            talk.reply(&format!("I write part {n}."), &[write(&path, &text)]);
        }
    }
    let tokens = |request| tokens_by(tokenizer, request);
    let most = talk.requests.iter().map(tokens).max().unwrap();
    assert!(most < u64::from(context_tokens), "{most}");
    assert_eq!(talk.requests.len(), TURNS, "none was refused");
    let pairs = talk.requests.windows(2);
    let broken = pairs.filter(|pair| !begins_with(&pair[1], &pair[0])).count();
    let reasons = reasons_for_another_beginning(&talk);
    assert!(broken <= reasons, "{broken} other beginnings for {reasons} reasons");
    let all = talk.requests.len();
    assert!(broken < most_broken, "caches of servers are of use: {broken} of {all}");
    // What the person wished for first is still known.
    let last = talk.requests.last().unwrap();
    let summary = last.messages.iter().find(|it| it.content.starts_with("CONVERSATION_SUMMARY"));
    assert!(summary.unwrap().content.contains("Wish 24"), "{summary:?}");
}

/// Nearly every request is made shorter, for a few words each time.
#[test]
fn a_model_with_little_room_is_not_asked_for_a_summary_with_every_turn() {
    let mut talk = Talk::new(limits(8_192));
    for n in 0..200 {
        talk.reply("That is done. What next?", &[]);
        talk.say(&format!("Wish {n}: {}", "please ".repeat(20)));
    }
    let (all, asked) = (talk.summaries.len(), talk.summaries.iter().filter(|it| **it).count());
    assert!(all > 20 && asked < 4, "{asked} of {all}");
}

#[test]
fn a_model_that_gives_no_summary_is_asked_again_later_and_later() {
    let mut talk = Talk::new(limits(12_000));
    talk.gives_no_summary = true;
    let mut asked = Vec::new();
    for n in 0..1_000 {
        talk.reply("That is done. What next?", &[]);
        talk.say(&format!("Wish {n}: {}", "please ".repeat(300)));
        asked = (1..).zip(&talk.summaries).filter(|(_, asked)| **asked).map(|(n, _)| n).collect();
        if asked.len() == 5 {
            break;
        }
    }
    assert_eq!(asked, [1, 4, 9, 18, 35]);
}

/// What the next request takes by the engine's own count.
fn used(engine: &ExecutionEngine) -> (Tokenizer, u64) {
    let usage = engine.context_usage().unwrap();
    assert_eq!(usage.estimated, engine.tokenizer().is_estimate());
    assert_eq!(engine.request_tokens().unwrap(), usage.used);
    (engine.tokenizer(), usage.used)
}

#[test]
fn the_journal_says_what_counts_the_tokens_of_a_conversation() {
    let named = |tokenizer| Limits { tokenizer, ..limits(1_000_000) };
    let mut talk = Talk::new(named(Tokenizer::O200k));
    for n in 0..3 {
        talk.reply(&format!("Antidisestablishmentarianism, part {n}."), &[]);
        talk.say("再来一次，谢谢。");
    }
    let (tokenizer, counted) = used(&talk.engine);
    assert_eq!(tokenizer, Tokenizer::O200k);
    // Whoever reads the journal counts the same, whatever their own settings say.
    let read = |journal: &[Line]| {
        let env = Env { limits: limits(1_000_000), ..talk.engine.env().clone() };
        ExecutionEngine::replay(talk.engine.conversation().clone(), env, journal)
    };
    assert_eq!(used(&read(&talk.journal)), (tokenizer, counted));
    // A journal of a program that did not know the setting is read with the estimate.
    let older: Vec<Line> = talk.journal.iter().map(without_tokenizer).collect();
    let (of_older, estimated) = used(&read(&older));
    assert_eq!(of_older, Tokenizer::Estimate);
    assert_ne!(estimated, counted);
    // Another model: what was counted before counts for it from the next line on.
    talk.engine.set_limits(named(Tokenizer::Cl100k));
    assert_eq!(used(&talk.engine), (tokenizer, counted));
    talk.reply("Words.", &[]);
    let (switched, after) = used(&talk.engine);
    assert_eq!(switched, Tokenizer::Cl100k);
    assert_eq!(used(&read_again(&talk)), (switched, after));
}

fn read_again(talk: &Talk) -> ExecutionEngine {
    let conversation = talk.engine.conversation().clone();
    ExecutionEngine::replay(conversation, talk.engine.env().clone(), &talk.journal)
}

fn without_tokenizer(line: &Line) -> Line {
    let mut line = serde_json::to_value(line).unwrap();
    if let Some(settings) = line.get_mut("settings").and_then(Value::as_object_mut) {
        assert!(settings.remove("tokenizer").is_some());
    }
    serde_json::from_value(line).unwrap()
}

#[test]
fn what_a_server_was_seen_to_take_is_forgotten_with_the_tokens_it_was_counted_in() {
    let mut talk = Talk::new(limits(1_000_000));
    talk.reply("A reply.", &[write("@project/artifacts/a.md", "text")]);
    let id = EffectId::Think(talk.engine.core().requests + 1);
    let failure = Failure::for_model(ErrorCode::LlmContextTooLong, "too long");
    talk.input(Input::Outcome(id, Outcome::Failed { failure, partial: None })).unwrap();
    let taken = talk.engine.context_tokens().unwrap();
    assert!(taken < 1_000_000, "{taken}");
    talk.engine.set_limits(Limits { tokenizer: Tokenizer::O200k, ..limits(1_000_000) });
    talk.input(Input::Stop { partial: None }).unwrap();
    assert_eq!(talk.engine.context_tokens(), Some(1_000_000));
}

/// The model completes the first step of the small package.
fn moved_on() -> (String, String) {
    let update = json!({
        "stepsCompleted": { "append": ["ask"] }, "currentNodeId": { "set": "write" },
    });
    let patch = json!({ "operation": "updateFrontmatter", "update": update });
    call("fs_apply_patch", &json!({ "path": "@state/workflow.md", "patch": patch }))
}

#[test]
fn a_model_that_is_led_through_steps_is_told_of_the_present_one_only() {
    let of = |offer| {
        let mut talk = Talk::new(Limits { offer, ..limits(40_000) });
        for n in 0..20 {
            let path = format!("@project/artifacts/{n}.md");
            talk.reply("", &[write(&path, &"word ".repeat(300))]);
        }
        talk.reply("Done. What next?", &[]);
        talk.say("Go on to the next.");
        talk.reply("", &[moved_on()]);
        talk.reply("Is there anything else to know?", &[]);
        talk.requests.last().unwrap().clone()
    };
    let (all, step) = (of(ToolOffer::All), of(ToolOffer::Step));
    assert!(tokens(&step) * 5 < tokens(&all), "{} of {}", tokens(&step), tokens(&all));
    assert!(step.messages.iter().any(|it| it.content.contains("Go on to the next.")));
    assert!(step.messages.last().unwrap().content.starts_with("NEXT_ACTION"));
    assert_eq!(protocol_errors(&step.messages), Vec::<String>::new());
    assert_eq!((step.must_call, step.max_tokens), (true, Some(4096)));
    let names: Vec<&str> = step.tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["fs_read"]);
}

/// A model that is led, and has read the file of the first step.
fn led(autopilot: bool) -> Talk {
    let mut talk = Talk::new(Limits { offer: ToolOffer::Step, autopilot, ..limits(40_000) });
    talk.reply("", &[call("fs_read", &json!({ "path": "@pkg/steps/ask.md" }))]);
    talk
}

/// What the newest request offers, and the last thing that it says.
fn newest(talk: &Talk) -> (Vec<&str>, &str) {
    let request = talk.requests.last().unwrap();
    let names = request.tools.iter().map(|tool| tool.name.as_str()).collect();
    (names, request.messages.last().unwrap().content.as_str())
}

#[test]
fn without_autopilot_a_model_that_is_led_tells_of_a_step_before_it_begins_the_next() {
    let mut talk = led(false);
    talk.reply("", &[moved_on()]);
    talk.reply("The topic is settled. The note comes next.", &[]);
    let (tools, last) = newest(&talk);
    assert!(tools.is_empty() && last.contains("what is done, and what comes next"), "{last}");
    assert!(!talk.thinks(), "it waits for the person");
    talk.input(Input::Resume).unwrap();
    talk.reply("", &[call("fs_read", &json!({ "path": "@pkg/steps/write.md" }))]);
    assert_eq!(newest(&talk).0, ["fs_read"]);
}

#[test]
fn with_autopilot_a_model_that_is_led_goes_on_at_once() {
    let mut talk = led(true);
    talk.reply("", &[moved_on()]);
    talk.reply("", &[call("fs_read", &json!({ "path": "@pkg/steps/write.md" }))]);
    assert_eq!(newest(&talk).0, ["fs_read"]);
}

#[test]
fn a_model_that_is_led_is_told_of_no_call_that_is_switched_off() {
    let mut off = Limits { offer: ToolOffer::Step, ..limits(40_000) };
    off.tools.fs_enabled = false;
    let mut talk = Talk::new(off);
    talk.reply("I cannot do that: file tools are switched off.", &[]);
    let (tools, last) = newest(&talk);
    assert!(tools.is_empty() && last.contains("File tools are switched off"), "{last}");
    assert!(!last.contains("fs_read"), "{last}");
    assert!(!talk.thinks(), "the person is told, and no call is asked for again and again");
}

#[test]
fn after_a_no_a_model_that_is_led_asks_what_to_change() {
    let mut talk = led(true);
    let question = json!({ "widgetId": "w", "type": "confirmation", "message": "Write it?" });
    talk.reply("", &[call("ui_ask_user", &question)]);
    talk.answer(json!({ "confirmed": false }));
    talk.reply("What shall I change?", &[]);
    let (tools, last) = newest(&talk);
    assert!(tools.is_empty() && last.contains("The user said no."), "{last}");
    talk.say("Shorter, please.");
    talk.reply("", &[call("ui_ask_user", &question)]);
    assert!(!newest(&talk).1.contains("The user said no."));
}

#[test]
fn a_plan_that_is_sent_back_says_what_to_change() {
    let mut talk = led(true);
    let plan =
        json!({ "widgetId": "p", "type": "plan_review", "message": "Plan", "planContent": "1." });
    talk.reply("", &[call("ui_ask_user", &plan)]);
    talk.answer(json!({ "decision": "request_changes", "feedback": "Shorter." }));
    talk.reply("", &[call("ui_ask_user", &plan)]);
    assert!(!newest(&talk).1.contains("The user said no."));
}

#[test]
fn what_cannot_be_shorter_is_told_as_that_and_is_sent_as_before() {
    let mut talk = Talk::new(limits(SMALL));
    talk.reply("Hello.", &[]);
    talk.input(Input::Compact { hard: false }).unwrap();
    let told = talk.events().rev().find_map(|event| match event {
        Event::ContextCompacted(e) => Some(e.result.clone()),
        _ => None,
    });
    let told = told.unwrap();
    assert_eq!((told.status, told.compaction), (CompactionStatus::Noop, None));
    assert_eq!(told.before, told.after);
    talk.input(Input::Resume).unwrap();
    talk.reply("Hello again.", &[]);
    let texts = |request: &ChatRequest| -> Vec<String> {
        request.messages.iter().map(|message| message.content.clone()).collect()
    };
    assert!(texts(talk.requests.last().unwrap()).contains(&"Hello.".to_owned()));
}

/// The first turn of a run with a model of 8k: as many reads as there are, and as long.
fn long_first_turn(words: usize, writes: usize) -> Talk {
    let mut talk = Talk::new(Limits { offer: ToolOffer::Step, ..limits(8_192) });
    talk.reply("What is it about?", &[]);
    talk.say(&format!("About this: {}", "please ".repeat(words)));
    for n in 0..writes {
        if !talk.thinks() || talk.refuses() {
            break;
        }
        let path = format!("@project/artifacts/{n}.md");
        talk.reply("", &[write(&path, &"word ".repeat(600))]);
    }
    talk
}

#[test]
fn a_long_first_turn_is_made_to_fit() {
    let talk = long_first_turn(100, 60);
    assert!(talk.thinks(), "it goes on");
    assert!(talk.requests.iter().all(|request| tokens(request) < 8_192));
    assert!(
        talk.requests.last().unwrap().messages.iter().any(|it| it.content.contains("About this"))
    );
}

#[test]
fn a_first_turn_that_nothing_makes_fit_stops_with_its_ways_out() {
    let stopped = || {
        let talk = long_first_turn(6_000, 1);
        let failure = talk.events().rev().find_map(|event| match event {
            Event::TurnFinished(e) => Some(e.failure.clone()),
            _ => None,
        });
        assert_eq!(failure.flatten().unwrap().code, ErrorCode::ContextStillTooLarge);
        assert_eq!(talk.engine.core().phase, Phase::WaitingUser);
        talk
    };
    // Nothing of what was said is lost, and each way out leads on.
    let mut afresh = stopped();
    afresh.input(Input::StartAfresh).unwrap();
    afresh.input(Input::Resume).unwrap();
    afresh.reply("I begin anew.", &[]);
    let mut larger = stopped();
    larger.engine.set_limits(limits(64_000));
    larger.input(Input::Resume).unwrap();
    larger.reply("I have read it.", &[]);
    let newest = larger.requests.last().unwrap();
    assert!(newest.messages.iter().any(|it| it.content.contains("About this: please")));
    let mut shorter = stopped();
    shorter.input(Input::Compact { hard: true }).unwrap();
    shorter.say("In short: about rain.");
    shorter.reply("I see.", &[]);
}

#[test]
fn what_is_said_after_a_compaction_by_hand_is_made_to_fit_too() {
    let mut talk = Talk::new(limits(SMALL));
    talk.reply(&format!("Done. {}", "word ".repeat(1_200)), &[]);
    talk.input(Input::Compact { hard: false }).unwrap();
    talk.say(&format!("Look at this: {}", "please ".repeat(1_300)));
    talk.reply("I have seen it.", &[]);
    let reasons: Vec<CompactionReason> = talk
        .events()
        .filter_map(|event| match event {
            Event::ContextCompacted(e) => Some(e.why),
            _ => None,
        })
        .collect();
    assert_eq!(reasons, [CompactionReason::Asked, CompactionReason::Full]);
}

#[test]
fn a_variable_that_is_set_in_the_first_step_makes_no_model_forget_that_step() {
    for offer in [ToolOffer::All, ToolOffer::Step] {
        let mut talk = Talk::new(Limits { offer, ..limits(40_000) });
        talk.reply("", &[call("fs_read", &json!({ "path": "@pkg/steps/ask.md" }))]);
        talk.reply("", &[set_variable("topic", "rain")]);
        talk.reply("", &[write("@project/artifacts/a.md", "a")]);
        let [before, after] = talk.requests.last_chunk().unwrap();
        let place = |request: &ChatRequest| {
            let mut messages = request.messages.iter();
            messages.position(|it| it.content.starts_with("RUN_DIRECTIVE")).unwrap()
        };
        assert_eq!(place(before), place(after), "{offer:?}: the step is the same");
        let reads = |request: &ChatRequest| {
            let calls = request.messages.iter().flat_map(|it| &it.tool_calls);
            calls.filter(|call| call.name == "fs_read").count()
        };
        assert_eq!((reads(before), reads(after)), (1, 1), "{offer:?}");
    }
}

/// What may happen in a conversation.
#[derive(Debug, Clone)]
enum Deed {
    Say(usize),
    Answer(usize),
    Calls(Vec<usize>),
    Restart,
    Stop,
    Compact(bool),
    Afresh,
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        2 => (0_usize..900).prop_map(Deed::Say),
        3 => (0_usize..2_000).prop_map(Deed::Answer),
        9 => proptest::collection::vec(0_usize..4_000, 1..4).prop_map(Deed::Calls),
        1 => Just(Deed::Restart),
        1 => Just(Deed::Stop),
        1 => any::<bool>().prop_map(Deed::Compact),
        1 => Just(Deed::Afresh),
    ]
}

fn carry_out(talk: &mut Talk, n: usize, deed: &Deed) {
    match deed {
        Deed::Say(long) if !talk.thinks() => talk.say(&format!("Say {n} {}", "s ".repeat(*long))),
        Deed::Answer(long) if talk.thinks() => {
            talk.reply(&format!("Answer {n} {}", "a ".repeat(*long)), &[]);
        }
        Deed::Calls(longs) if talk.thinks() => {
            let calls: Vec<_> = longs
                .iter()
                .enumerate()
                .map(|(k, long)| {
                    write(
                        &format!("@project/artifacts/{n}-{k}.md"),
                        &format!("{n} {}", "w ".repeat(*long)),
                    )
                })
                .collect();
            talk.reply("", &calls);
        }
        Deed::Restart => talk.restart(),
        Deed::Stop if talk.thinks() => talk.input(Input::Stop { partial: None }).unwrap(),
        Deed::Compact(hard) if !talk.thinks() => {
            talk.input(Input::Compact { hard: *hard }).unwrap();
        }
        Deed::Afresh if !talk.thinks() => talk.input(Input::StartAfresh).unwrap(),
        // It is not the time for that: what rests goes on, what waits is answered.
        _ if talk.thinks() => talk.reply(&format!("I wait {n}."), &[]),
        _ => talk.input(Input::Resume).unwrap(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn whatever_happens_every_request_is_valid_and_fits(
        deeds in proptest::collection::vec(deed(), 1..120),
        context_tokens in 9_000_u32..40_000,
        led in any::<bool>(),
    ) {
        let offer = if led { ToolOffer::Step } else { ToolOffer::All };
        let mut talk = Talk::new(Limits { offer, ..limits(context_tokens) });
        for (n, deed) in deeds.iter().enumerate() {
            // A request that cannot be made short enough is refused, and the person is asked.
            if talk.thinks() && talk.refuses() {
                talk.input(Input::StartAfresh).unwrap();
                talk.input(Input::Resume).unwrap();
            }
            carry_out(&mut talk, n, deed);
        }
        for request in &talk.requests {
            prop_assert_eq!(protocol_errors(&request.messages), Vec::<String>::new());
            prop_assert!(tokens(request) <= u64::from(context_tokens), "{}", tokens(request));
        }
    }
}
