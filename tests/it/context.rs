//! What the model sees of long conversations: always valid, never more than it reads, and the same as
//! before as far as it can be.

use crate::talk::{Talk, call, set_variable, write};
use kernel::chat::ChatRequest;
use kernel::context::protocol_errors;
use kernel::engine::{Input, Limits};
use kernel::event::{CompactionReason, Event};
use kernel::settings::ToolOffer;
use proptest::prelude::*;
use serde_json::json;

/// A model that reads little: system layers, tools and anchor alone take most of it.
const SMALL: u32 = 10_000;
const TURNS: usize = 2_000;

fn limits(context_tokens: u32) -> Limits {
    Limits { context_tokens: Some(context_tokens), max_turns: 100_000, ..Limits::default() }
}

fn tokens(request: &ChatRequest) -> u64 {
    request.messages.iter().map(|message| message.tokens()).sum()
}

fn begins_with(request: &ChatRequest, earlier: &ChatRequest) -> bool {
    request.messages.len() >= earlier.messages.len()
        && request.messages.iter().zip(&earlier.messages).all(|(new, old)| new == old)
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

#[test]
fn a_run_of_two_thousand_turns_goes_on_with_a_small_model() {
    let mut talk = Talk::new(limits(SMALL));
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
    let most = talk.requests.iter().map(tokens).max().unwrap();
    assert!(most < u64::from(SMALL), "{most}");
    let pairs = talk.requests.windows(2);
    let broken = pairs.filter(|pair| !begins_with(&pair[1], &pair[0])).count();
    let reasons = reasons_for_another_beginning(&talk);
    assert!(broken <= reasons, "{broken} other beginnings for {reasons} reasons");
    assert!(broken < 700, "caches of servers are of use: {broken} of {}", talk.requests.len());
    // What the person wished for first is still known.
    let last = talk.requests.last().unwrap();
    let summary = last.messages.iter().find(|it| it.content.starts_with("CONVERSATION_SUMMARY"));
    assert!(summary.unwrap().content.contains("Wish 24"), "{summary:?}");
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
