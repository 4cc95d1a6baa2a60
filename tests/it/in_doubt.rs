//! Calls that had begun when the program ended and that leave no hashes (spec 05 "Effects
//! journal"): they are never run again, and their result says that they may have run.

use kernel::code::{ErrorCode, Failure};
use kernel::effect::{EffectId, Outcome, Settled};
use kernel::engine::{ExecutionEngine, Input, Limits};
use kernel::event::{Event, Line, Phase};
use kernel::ids::CallId;
use kernel::replay::{Recorded, difference, recorded};
use kernel::time::Time;
use serde_json::{Value, json};

use super::talk::Talk;

const NOW: Time = Time::from_millis(1_767_225_700_000);

/// A conversation whose journal ends with a call that has begun. No tool that reaches outside is
/// built in yet; the lines are what they will be.
fn begun(name: &str, arguments: &Value) -> Talk {
    let mut talk = Talk::new(Limits::default());
    let call = json!({ "id": "c1", "name": name, "arguments": arguments.to_string() });
    let usage = json!({ "promptTokens": 1, "completionTokens": 1, "estimated": false });
    let reply = json!({ "text": "", "calls": [call], "finish": "stop", "usage": usage });
    append(
        &mut talk,
        "model_replied",
        &json!({ "messageId": "r1", "request": 1, "requestSha256": "", "reply": reply,
                 "durationMs": 1 }),
    );
    append(&mut talk, "call_began", &json!({ "callId": "c1", "preHash": null, "postHash": null }));
    talk
}

fn append(talk: &mut Talk, event: &str, data: &Value) {
    let line = json!({ "v": 1, "seq": talk.engine.core().seq, "at": NOW, "turn": 1,
                       "events": [{ "event": event, "data": data }] });
    let line: Line = serde_json::from_value(line).unwrap();
    talk.engine.apply(&line);
    talk.journal.push(line);
}

fn results(talk: &Talk) -> Vec<&Value> {
    let ended = talk.journal.iter().flat_map(|line| &line.events);
    ended
        .filter_map(|event| match event {
            Event::CallEnded(e) => Some(&e.result),
            _ => None,
        })
        .collect()
}

fn says_that_it_may_have_run(result: &Value) {
    assert_eq!(result["error"]["code"], "E_INTERRUPTED", "{result:#}");
    assert_eq!(result["error"]["details"], json!({ "mayHaveRun": true }));
    let message = result["error"]["message"].as_str().unwrap();
    assert!(message.contains("may have run") && message.contains("not run again"), "{message}");
    assert!(!message.contains("file"), "{message}");
}

#[test]
fn an_external_call_in_doubt_may_have_run_and_is_not_run_again() {
    let mut talk = begun("mcp__notes__add", &json!({ "text": "buy milk" }));
    talk.restart();
    let results = results(&talk);
    assert_eq!(results.len(), 1, "{:#?}", talk.outline());
    says_that_it_may_have_run(results[0]);
    assert_eq!(talk.engine.core().phase, Phase::WaitingUser);
    assert!(talk.engine.wanted().is_empty(), "nothing but the person's move");

    talk.input(Input::Resume).unwrap();
    assert!(talk.thinks(), "it goes on from there");
    talk.reply("I do not know whether the note was made. Please look.", &[]);
    let told = &talk.requests.last().unwrap().messages;
    assert!(told.iter().any(|m| m.content.contains("may have run")), "{told:#?}");
    let again = ["call_reset", "call_began"].map(|name| {
        talk.outline().iter().skip_while(|e| **e != "run_interrupted").any(|e| *e == name)
    });
    assert_eq!(again, [false, false]);
}

#[test]
fn the_program_may_die_again_before_it_is_settled() {
    let mut talk = begun("mcp__notes__add", &json!({ "text": "buy milk" }));
    // The line of the interruption is written and nothing after it.
    let line = talk.engine.decide(&Input::Reopened, NOW).unwrap().unwrap();
    talk.engine.apply(&line);
    talk.journal.push(line);
    talk.restart();
    assert_eq!(results(&talk).len(), 1);
    says_that_it_may_have_run(results(&talk)[0]);
}

#[test]
fn whatever_is_reported_of_it_an_external_call_is_not_believed_to_have_happened_or_not() {
    let reports = [
        Settled::Unknown,
        Settled::NotHappened,
        Settled::Happened(json!({ "ok": true })),
        Settled::Foreign(None),
    ];
    for report in reports {
        let mut talk = begun("agent_spawn", &json!({}));
        let line = talk.engine.decide(&Input::Reopened, NOW).unwrap().unwrap();
        talk.engine.apply(&line);
        let settle = EffectId::Settle(CallId::new("c1"));
        assert!(talk.engine.wanted().contains(&settle), "{:?}", talk.engine.wanted());
        let told = Input::Outcome(settle, Outcome::Settled(report.clone()));
        let line = talk.engine.decide(&told, NOW).unwrap().unwrap();
        let [Event::CallEnded(ended)] = line.events.as_slice() else { panic!("{report:?}") };
        says_that_it_may_have_run(&ended.result);
    }
}

#[test]
fn a_write_nobody_can_look_at_may_have_happened_too() {
    let mut talk = begun("fs_write", &json!({ "path": "@project/a.md", "content": "a" }));
    let line = talk.engine.decide(&Input::Reopened, NOW).unwrap().unwrap();
    talk.engine.apply(&line);
    let settle = EffectId::Settle(CallId::new("c1"));
    let died = Failure::for_model(ErrorCode::Internal, "a task died");
    for outcome in
        [Outcome::Settled(Settled::Unknown), Outcome::Failed { failure: died, partial: None }]
    {
        let told = Input::Outcome(settle.clone(), outcome);
        let line = talk.engine.decide(&told, NOW).unwrap().unwrap();
        let [Event::CallEnded(ended)] = line.events.as_slice() else { panic!("{line:?}") };
        says_that_it_may_have_run(&ended.result);
    }
}

#[test]
fn a_replay_finds_the_same_line_again() {
    let mut talk = begun("mcp__notes__add", &json!({ "text": "buy milk" }));
    talk.restart();
    let mut engine =
        ExecutionEngine::new(talk.engine.conversation().clone(), talk.engine.env().clone());
    let mut settled = 0;
    for line in &talk.journal {
        if line.events.iter().any(|e| matches!(e, Event::CallEnded(_))) {
            let told = recorded(line);
            let Some(Recorded::Input(told)) = told else { panic!("{line:?}") };
            let Input::Outcome(id, outcome) = *told else { panic!("{line:?}") };
            // Nobody can look what a server did.
            assert!(matches!(outcome, Outcome::Settled(Settled::Unknown)), "{outcome:?}");
            let again = engine.decide(&Input::Outcome(id, outcome), line.at).unwrap();
            assert_eq!(difference(line, Ok(again.as_ref())), None);
            settled += 1;
        }
        engine.apply(line);
    }
    assert_eq!(settled, 1);
}

/// A reply with these calls is recorded, and nothing that follows from it.
fn called(talk: &mut Talk, calls: &[(&str, Value)]) {
    let calls = calls.iter().enumerate().map(|(n, (name, arguments))| {
        json!({ "id": format!("c{n}"), "name": name, "arguments": arguments.to_string() })
    });
    let usage = json!({ "promptTokens": 1, "completionTokens": 1, "estimated": false });
    let reply = json!({ "text": "", "calls": calls.collect::<Vec<_>>(), "finish": "stop",
                        "usage": usage });
    append(
        talk,
        "model_replied",
        &json!({ "messageId": "r1", "request": 1, "requestSha256": "", "reply": reply,
                 "durationMs": 1 }),
    );
}

/// The person resumes the run, and the program dies before anything has come of it.
fn resumed_and_died(talk: &mut Talk) {
    let line = talk.engine.decide(&Input::Resume, NOW).unwrap().unwrap();
    talk.journal.push(line);
    talk.restart();
}

fn codes(talk: &Talk) -> Vec<(&str, &Value)> {
    let ended = talk.journal.iter().flat_map(|line| &line.events);
    ended
        .filter_map(|event| match event {
            Event::CallEnded(e) => Some((e.call_id.as_str(), e.result.pointer("/error/code"))),
            _ => None,
        })
        .map(|(id, code)| (id, code.unwrap_or(&Value::Null)))
        .collect()
}

fn read(path: &str) -> (&'static str, Value) {
    ("fs_read", json!({ "path": path }))
}

fn write(path: &str) -> (&'static str, Value) {
    ("fs_write", json!({ "path": path, "content": "a" }))
}

#[test]
fn calls_on_which_the_program_died_twice_are_given_up_and_the_others_are_not() {
    let (given_up, ran) = (json!("E_INTERRUPTED"), Value::Null);
    // All reads are worked on together, so nobody knows which it was; a write is worked on alone.
    for (calls, expected) in [
        (
            vec![read("@project/a"), read("@project/b"), write("@project/c")],
            [("c0", &given_up), ("c1", &given_up), ("c2", &ran)],
        ),
        (
            vec![write("@project/a"), write("@project/b"), read("@project/a")],
            [("c0", &given_up), ("c1", &ran), ("c2", &ran)],
        ),
    ] {
        let mut talk = Talk::new(Limits::default());
        called(&mut talk, &calls);
        talk.restart();
        assert_eq!(codes(&talk), [], "the first time it may have been anything");
        resumed_and_died(&mut talk);
        let so_far = codes(&talk).len();
        assert_eq!(codes(&talk), expected[..so_far]);
        assert!(so_far > 0);
        assert!(talk.engine.wanted().is_empty(), "nothing but the person's move");
        talk.input(Input::Resume).unwrap();
        if talk.engine.core().approvals.asked().is_some() {
            talk.answer(json!({ "confirmed": true }));
        }
        assert_eq!(codes(&talk)[..2], expected[..2], "{:#?}", talk.outline());
    }
}

#[test]
fn a_write_that_twice_began_and_did_not_happen_is_given_up() {
    let mut talk = Talk::new(Limits::default());
    called(&mut talk, &[write("@project/artifacts/a.md")]);
    let mut began = || {
        append(
            &mut talk,
            "call_began",
            &json!({ "callId": "c0", "preHash": null, "postHash": "x" }),
        );
        talk.restart();
        talk.outline().iter().filter(|e| **e == "call_reset").count()
    };
    assert_eq!(began(), 1, "it did not happen, and may run");
    assert_eq!(began(), 1, "it is not begun a third time");
    assert_eq!(codes(&talk), [("c0", &json!("E_INTERRUPTED"))]);
    let told = results(&talk)[0]["error"]["message"].as_str().unwrap();
    assert!(told.contains("was not run"), "{told}");
}
