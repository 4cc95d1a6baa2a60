//! One click authorises one change (spec 06 "Confirmation"), case by case; widgets that wait.

use crate::talk::{Talk, call, code_of, set_variable, write};
use kernel::code::ErrorCode;
use kernel::engine::{Input, Limits};
use kernel::event::{Event, Phase, Reason};
use kernel::journal_snapshot::Page;
use kernel::policy::{ApproveWrites, SystemTools};
use kernel::settings::Unbound;
use kernel::view::View;
use kernel::wire::{ChangeEffect, Item, ItemBody};
use kernel::words::Lang;
use serde_json::{Value, json};

const CONFIRM: &str = "workflow_state_change_confirm";

fn ask(more: &Value) -> (String, String) {
    let mut args = json!({ "widgetId": CONFIRM, "type": "confirmation", "message": "May I?" });
    args.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    call("ui_ask_user", &args)
}

fn reopen() -> (String, String) {
    set_variable("workflowStatus", "open")
}

fn rewind() -> (String, String) {
    call("workflow_rewind", &json!({ "targetNodeId": "ask", "confirmed": true }))
}

fn yes() -> Value {
    json!({ "confirmed": true })
}

/// A completed run whose model was refused, has asked and was clicked for.
fn confirmed(change: (String, String)) -> Talk {
    let mut talk = asked(change);
    talk.answer(yes());
    talk
}

/// The same before the click.
fn asked(change: (String, String)) -> Talk {
    let mut talk = Talk::completed(Limits::default());
    talk.say("Do it.");
    talk.reply("", &[change]);
    talk.reply("", &[ask(&json!({}))]);
    talk
}

fn last_request(talk: &Talk) -> String {
    let messages = &talk.requests.last().unwrap().messages;
    messages.iter().map(|m| m.content.as_str()).collect::<Vec<_>>().join("\n")
}

// What a completed run is shown, and what needs a click.

#[test]
fn completed_the_directive_names_no_node_and_carries_the_post_run_protocol() {
    let mut talk = Talk::completed(Limits::default());
    talk.say("Tell me about it.");
    talk.reply("Gladly.", &[]);
    let request = last_request(&talk);
    assert!(request.contains("RUN_DIRECTIVE") && request.contains("Protocol after the run"));
    for word in ["currentNodeId:", "NODE_BRIEF", "forNodeId", "allowedNext", "Unknown Step"] {
        assert!(!request.contains(word), "{word} in {request}");
    }
}

#[test]
fn not_completed_the_directive_names_the_node() {
    let mut talk = Talk::new(Limits::default());
    talk.reply("What about?", &[]);
    talk.say("Rain.");
    talk.reply("Fine.", &[]);
    let request = last_request(&talk);
    for word in ["currentNodeId: ask", "NODE_BRIEF", "forNodeId: ask", "allowedNext"] {
        assert!(request.contains(word), "{word} in {request}");
    }
}

// Without the click, and with it.

#[test]
fn completed_without_confirmation_fs_apply_patch_of_the_state_is_intercepted() {
    let mut talk = Talk::completed(Limits::default());
    let before = talk.document().to_owned();
    talk.say("Reopen it.");
    talk.reply("", &[reopen()]);
    assert_eq!(talk.results().last().unwrap(), "STATE_CHANGE_REQUIRES_CONFIRMATION");
    assert_eq!(talk.document(), before);
    let error = &talk.last_result()["error"];
    let pending = &error["details"]["pendingChange"];
    assert_eq!(pending["summary"], "workflowStatus complete → open");
    assert!(pending["diff"].as_str().unwrap().contains("-  workflowStatus: complete\n"));
    assert_eq!(error["details"]["ask"]["changeId"], pending["id"]);
    assert_eq!(error["details"]["ask"]["widgetId"], CONFIRM);
    assert!(error["action"].as_str().unwrap().contains("`ask`"));
}

#[test]
fn completed_with_confirmation_one_patch_is_allowed_and_the_second_asks_again() {
    let mut talk = confirmed(set_variable("x", "1"));
    talk.reply("", &[set_variable("x", "1"), set_variable("x", "2")]);
    let results = talk.results();
    assert_eq!(results[results.len() - 2..], ["ok", "STATE_CHANGE_REQUIRES_CONFIRMATION"]);
    assert!(talk.document().contains("x: '1'") || talk.document().contains("x: \"1\""));
}

#[test]
fn a_change_that_reopens_the_run_brings_the_normal_profile_back() {
    let mut talk = confirmed(reopen());
    talk.reply("", &[reopen()]);
    talk.reply("Open again.", &[]);
    assert!(last_request(&talk).contains("NODE_BRIEF"));
    assert_eq!(talk.engine.core().phase, Phase::WaitingUser);
}

#[test]
fn completed_the_other_tools_need_no_confirmation() {
    let limits = Limits { approve_writes: ApproveWrites::Auto, ..Limits::default() };
    let mut talk = Talk::completed(limits);
    talk.say("Write it down.");
    talk.reply("", &[write("@project/notes.md", "a\n")]);
    assert_eq!(talk.results().last().unwrap(), "ok");
    assert!(!talk.document().contains("notes.md"), "no bookkeeping after completion");
}

// Spec 06 "Confirmation".

#[test]
fn the_dialog_shows_the_runtimes_diff_and_that_completion_is_undone() {
    let talk = asked(reopen());
    let change = talk.waiting().change.expect("the change is known");
    assert!(change.undoes_completion && change.diff.contains("+  workflowStatus: open\n"));
    let kept = asked(set_variable("x", "1")).waiting().change.unwrap();
    assert!(!kept.undoes_completion);
}

#[test]
fn the_confirmed_change_is_made_as_it_was_shown_however_late_the_click() {
    let mut talk = asked(reopen());
    let shown = talk.waiting().change.unwrap().diff;
    let before = talk.document().to_owned();
    talk.answer(yes());
    talk.reply("", &[reopen()]);
    assert_eq!(kernel::state_doc::diff(&before, talk.document()).text, shown);
}

#[test]
fn another_change_than_the_confirmed_one_is_refused_and_the_confirmed_one_is_still_good() {
    let mut talk = confirmed(set_variable("x", "1"));
    talk.reply("", &[set_variable("x", "2")]);
    assert_eq!(talk.results().last().unwrap(), "STATE_CHANGE_REQUIRES_CONFIRMATION");
    talk.reply("", &[set_variable("x", "1")]);
    assert_eq!(talk.results().last().unwrap(), "ok");
}

#[test]
fn the_same_change_by_another_spelling_of_the_path_is_the_same_change() {
    let mut talk = confirmed(reopen());
    let (name, arguments) = reopen();
    talk.reply("", &[(name, arguments.replace("@state/", "@state/.//"))]);
    assert_eq!(talk.results().last().unwrap(), "STATE_CHANGE_REQUIRES_CONFIRMATION");
    let before = talk.document().to_owned();
    for path in ["@state/./workflow.md", "@state\\workflow.md", " @state//workflow.md"] {
        talk.reply("", &[write(path, "---\nvariables: {}\n---\n")]);
    }
    assert_eq!(talk.document(), before, "no spelling gets past the gate");
}

#[test]
fn a_spent_click_is_spent_also_when_the_guard_then_refuses() {
    let mut talk = Talk::completed(Limits::default());
    talk.say("Go ahead.");
    talk.reply("", &[ask(&json!({}))]);
    assert!(talk.waiting().change.is_none(), "the exact change is not known");
    talk.answer(yes());
    talk.reply("", &[write("@state/workflow.md", "no front matter"), reopen()]);
    let results = talk.results();
    assert_eq!(
        results[results.len() - 2..],
        ["E_INVALID_FRONTMATTER", "STATE_CHANGE_REQUIRES_CONFIRMATION"]
    );
}

#[test]
fn a_click_on_an_unknown_change_is_worth_no_rewind_which_is_asked_about_with_its_own_diff() {
    let mut talk = Talk::completed(Limits::default());
    talk.say("Check the spelling.");
    talk.reply("", &[ask(&json!({ "message": "May I correct the spelling of one word?" }))]);
    assert!(talk.waiting().change.is_none());
    talk.answer(yes());
    let before = talk.document().to_owned();
    talk.reply("", &[rewind()]);
    assert_eq!(talk.results().last().unwrap(), "STATE_CHANGE_REQUIRES_CONFIRMATION");
    assert_eq!(talk.document(), before);
    talk.reply("", &[ask(&json!({}))]);
    let shown = talk.waiting().change.expect("the rewind itself is asked about");
    assert_eq!((shown.tool.as_str(), shown.undoes_completion), ("workflow.rewind", true));
    assert!(shown.diff.contains("-  workflowStatus: complete\n"), "{}", shown.diff);
    talk.answer(yes());
    talk.reply("", &[rewind()]);
    assert_eq!(talk.results().last().unwrap(), "ok");
}

/// The steps that a conversation is divided by, and whether the one before was completed.
fn sections(talk: &Talk) -> Vec<(String, bool)> {
    let (mut view, mut page) = (View::default(), Page::new(0));
    for line in &talk.journal {
        page.take(view.project(line));
    }
    let step = |item: Item| match item.body {
        ItemBody::Step { node, after_completed, .. } => Some((node.to_string(), after_completed)),
        _ => None,
    };
    page.into_items().into_iter().filter_map(step).collect()
}

fn goes_to(node: &str) -> (String, String) {
    let update = json!({ "currentNodeId": { "set": node } });
    let patch = json!({ "operation": "updateFrontmatter", "update": update });
    call("fs_apply_patch", &json!({ "path": "@state/workflow.md", "patch": patch }))
}

#[test]
fn a_conversation_is_divided_by_the_steps_that_the_run_comes_to_and_goes_back_to() {
    let section = |node: &str, completed| (node.to_owned(), completed);
    let mut talk = Talk::new(Limits::default());
    talk.reply("", &[set_variable("x", "1")]);
    assert_eq!(sections(&talk), [section("ask", false)], "a change within a step begins none");
    talk.reply("", &[goes_to("write")]);
    let both = [section("ask", false), section("write", true)];
    assert_eq!(sections(&talk), both);
    talk.reply("Shall I ask again?", &[]);
    talk.say("Do.");
    talk.reply("", &[rewind()]);
    assert_eq!(sections(&talk), both, "what is only asked for begins none");
    talk.reply("", &[ask(&json!({}))]);
    let change = talk.waiting().change.unwrap();
    let meant = (change.effect, change.back_to.as_deref());
    assert_eq!(meant, (ChangeEffect::Back, Some("Ask for the topic")));
    talk.answer(yes());
    talk.reply("", &[rewind()]);
    let last = sections(&talk).pop().unwrap();
    assert_eq!(last, section("ask", false), "the step that was left is not completed");
}

#[test]
fn a_click_on_an_unknown_change_brings_back_no_file() {
    let limits = Limits { approve_writes: ApproveWrites::Auto, ..Limits::default() };
    let mut talk = Talk::new(limits);
    talk.reply("", &[write("@project/notes.md", "a\n"), ask(&json!({}))]);
    assert!(talk.waiting().change.is_none());
    talk.answer(yes());
    let back = json!({ "targetNodeId": "ask", "confirmed": true, "files": "restore" });
    talk.reply("", &[call("workflow_rewind", &back)]);
    assert_eq!(talk.results().last().unwrap(), "STATE_CHANGE_REQUIRES_CONFIRMATION");
    let brings_back = |e: &Event| matches!(e, Event::CallBegan(e) if e.restore.is_some());
    assert!(!talk.events().any(brings_back), "files were brought back unseen");
    talk.reply("", &[ask(&json!({}))]);
    assert_eq!(talk.waiting().change.expect("it is known now").files.len(), 1);
}

#[test]
fn an_unbound_click_counts_as_the_setting_says() {
    for (unbound, expected) in
        [(Unbound::Allow, "ok"), (Unbound::Refuse, "STATE_CHANGE_REQUIRES_CONFIRMATION")]
    {
        let mut talk = Talk::completed(Limits { unbound, ..Limits::default() });
        talk.say("Go ahead.");
        talk.reply("", &[ask(&json!({}))]);
        talk.answer(yes());
        talk.reply("", &[reopen()]);
        assert_eq!(talk.results().last().unwrap(), expected);
    }
}

#[test]
fn cancelled_nothing_runs_and_the_model_is_told() {
    let mut talk = asked(reopen());
    talk.answer(json!({ "confirmed": false }));
    talk.reply("Then not.", &[]);
    assert!(last_request(&talk).contains("\"confirmed\":false"));
    talk.say("Hm.");
    talk.reply("", &[reopen()]);
    assert_eq!(talk.results().last().unwrap(), "STATE_CHANGE_REQUIRES_CONFIRMATION");
}

#[test]
fn new_words_a_restart_stop_and_an_edit_each_end_a_click() {
    let words: fn(&mut Talk) = |talk| {
        talk.reply("Shall I?", &[]);
        talk.say("Yes.");
    };
    let restart: fn(&mut Talk) = |talk| {
        talk.restart();
        talk.input(Input::Resume).unwrap();
    };
    let stop: fn(&mut Talk) = |talk| {
        talk.input(Input::Stop { partial: None }).unwrap();
        talk.input(Input::Resume).unwrap();
    };
    let edit: fn(&mut Talk) = |talk| talk.edit(|text| format!("{text}\nA person's line.\n"));
    let broken: fn(&mut Talk) = |talk| talk.edit(|_| "no front matter".to_owned());
    for end in [words, restart, stop, edit, broken] {
        let mut talk = confirmed(reopen());
        end(&mut talk);
        talk.reply("", &[reopen()]);
        assert_eq!(talk.results().last().unwrap(), "STATE_CHANGE_REQUIRES_CONFIRMATION");
    }
}

#[test]
fn a_restart_at_rest_with_an_unused_click_keeps_the_phase() {
    let mut talk = confirmed(reopen());
    talk.reply("I will do it later.", &[]);
    assert_eq!(talk.engine.core().phase, Phase::Completed);
    talk.restart();
    assert_eq!(talk.engine.core().phase, Phase::Completed);
    let Some(Event::RunInterrupted(e)) = talk.events().last() else { panic!("the click died") };
    assert!(e.resting && e.in_doubt.is_empty());
}

#[test]
fn a_retry_after_a_failed_request_keeps_the_click() {
    let mut talk = confirmed(reopen());
    let failure = kernel::code::Failure::for_model(ErrorCode::LlmTimeout, "slow");
    let id = kernel::effect::EffectId::Think(talk.engine.core().requests + 1);
    let failed = kernel::effect::Outcome::Failed { failure, partial: None };
    talk.input(Input::Outcome(id, failed)).unwrap();
    talk.input(Input::Resume).unwrap();
    talk.reply("", &[reopen()]);
    assert_eq!(talk.results().last().unwrap(), "ok");
}

#[test]
fn a_change_the_guard_refuses_is_refused_for_that_and_proposes_nothing() {
    let mut talk = Talk::completed(Limits::default());
    talk.say("Go on.");
    talk.reply("", &[write("@state/workflow.md", "no front matter")]);
    assert_eq!(talk.results().last().unwrap(), "E_INVALID_FRONTMATTER");
    assert!(talk.engine.core().confirm.pending().is_none());
}

#[test]
fn a_call_that_changes_nothing_needs_nobody() {
    let mut talk = Talk::completed(Limits::default());
    talk.say("Go on.");
    let text = talk.document().to_owned();
    talk.reply("", &[write("@state/workflow.md", &text)]);
    assert_eq!(talk.last_result()["noop_write"], true);
}

#[test]
fn a_rewind_needs_the_person_also_before_completion_and_the_argument_is_no_consent() {
    let mut talk = Talk::new(Limits::default());
    talk.reply("", &[rewind()]);
    assert_eq!(talk.results(), ["STATE_CHANGE_REQUIRES_CONFIRMATION"]);
    let alone = json!({ "targetNodeId": "ask", "confirmed": false });
    talk.reply("", &[call("workflow_rewind", &alone)]);
    assert_eq!(talk.results().last().unwrap(), "REWIND_NOT_CONFIRMED");
    talk.reply("", &[ask(&json!({}))]);
    talk.answer(yes());
    talk.reply("", &[rewind()]);
    assert_eq!(talk.results().last().unwrap(), "ok");
    talk.reply("", &[rewind()]);
    assert_eq!(talk.results().last().unwrap(), "STATE_CHANGE_REQUIRES_CONFIRMATION");
}

#[test]
fn a_dialog_that_only_looks_like_the_confirmation_is_refused() {
    let mut talk = Talk::completed(Limits::default());
    talk.say("Reopen it.");
    talk.reply("", &[reopen()]);
    let pending = talk.engine.core().confirm.pending().unwrap().change_id.to_string();
    let options = json!([{ "value": "y", "label": "Yes" }]);
    for more in [
        json!({ "changeId": "another" }),
        json!({ "widgetId": "else", "changeId": pending }),
        json!({ "type": "selection", "options": options }),
        json!({ "widgetId": "tool_approval" }),
    ] {
        talk.reply("", &[ask(&more)]);
        assert_eq!(talk.results().last().unwrap(), "E_INVALID_ARGS", "{more}");
    }
    talk.reply("", &[ask(&json!({ "changeId": pending }))]);
    assert!(talk.waiting().change.is_some());
}

#[test]
fn every_answer_to_a_confirmation_can_be_read_back() {
    let mut talk = confirmed(reopen());
    let shown = talk.events().find_map(|e| match e {
        Event::ChangeProposed(e) => Some(e.clone()),
        _ => None,
    });
    let shown = shown.unwrap();
    talk.reply("", &[reopen()]);
    talk.ended_by_hand();
    talk.reply("Closed.", &[]);
    talk.say("And?");
    talk.reply("", &[ask(&json!({}))]);
    talk.answer(json!({ "confirmed": false }));
    let [first, second] = &talk.snapshot().approvals[..] else { panic!("two answers") };
    assert!(first.confirmed && first.bound && first.spent_by.is_some());
    assert_eq!(first.calls, first.spent_by.clone().into_iter().collect::<Vec<_>>());
    assert_eq!(first.change_id.as_ref(), Some(&shown.change_id));
    assert_eq!(first.summary.as_ref(), Some(&shown.summary));
    assert_eq!(first.parts, shown.parts);
    assert_eq!(kernel::words::say(&first.parts, Lang::Zh), "workflowStatus：complete → open");
    assert_eq!(first.diff_sha256, Some(kernel::text::sha256_hex(shown.diff.as_bytes())));
    assert_eq!(first.path.as_ref().unwrap().to_string(), "@state/workflow.md");
    assert!(!second.confirmed && !second.bound && second.spent_by.is_none());
}

// What a change of the state is answered with (spec 03).

#[test]
fn a_dry_run_shows_the_change_makes_nothing_and_needs_nobody() {
    let mut talk = Talk::completed(Limits::default());
    let before = talk.document().to_owned();
    talk.say("What would it be?");
    let (name, arguments) = reopen();
    let mut args: Value = serde_json::from_str(&arguments).unwrap();
    args["dryRun"] = json!(true);
    talk.reply("", &[call(&name, &args)]);
    let shown = talk.last_result();
    assert_eq!(shown["dryRun"], true, "{shown}");
    let diff = shown["diff"].as_str().unwrap();
    assert!(diff.contains("-  workflowStatus: complete\n+  workflowStatus: open\n"), "{diff}");
    assert_eq!(shown["sha256Before"], kernel::text::sha256_hex(before.as_bytes()));
    assert_ne!(shown["sha256After"], shown["sha256Before"]);
    assert_eq!(talk.document(), before);
    assert!(talk.engine.core().confirm.pending().is_none());
}

#[test]
fn the_limit_of_a_write_holds_for_the_state_too() {
    let tools = SystemTools { max_write_bytes: 1_000, ..SystemTools::default() };
    let mut talk = Talk::new(Limits { tools, ..Limits::default() });
    let before = talk.document().to_owned();
    talk.reply("", &[set_variable("x", &"y".repeat(1_000))]);
    assert_eq!(talk.document(), before);
    talk.reply("", &[set_variable("x", "y")]);
    assert_eq!(talk.results(), ["E_WRITE_LIMIT", "ok"]);
}

#[test]
fn the_model_is_told_what_was_repaired_and_of_nothing_when_nothing_was() {
    let mut talk = Talk::new(Limits::default());
    talk.reply("", &[set_variable("x", "1")]);
    assert_eq!(talk.last_result()["repaired"], json!(["updatedAt was set"]));
    let whole: Vec<String> = talk
        .document()
        .lines()
        .map(|line| match line.split_once("updatedAt:") {
            Some((indent, _)) => format!("{indent}updatedAt: \"2026-01-01T00:00:02.500Z\"\n"),
            None => format!("{line}\n"),
        })
        .collect();
    talk.reply("", &[write("@state/workflow.md", &whole.concat())]);
    let result = talk.last_result();
    assert_eq!((&result["ok"], result.get("repaired")), (&json!(true), None), "{result}");
}

// Widgets that wait (spec 05 "Widgets").

fn topic(id: &str) -> (String, String) {
    let options = json!([{ "value": "tea", "label": "Tea" }]);
    let args =
        json!({ "widgetId": id, "type": "selection", "message": "Which?", "options": options });
    call("ui_ask_user", &args)
}

#[test]
fn a_widget_is_answered_once_also_after_a_restart() {
    let mut talk = Talk::new(Limits::default());
    talk.reply("", &[topic("a")]);
    talk.restart();
    let id = talk.waiting().message_id;
    assert_eq!(code_of(talk.answer_to(id.clone(), json!(["milk"]))), ErrorCode::WidgetValueInvalid);
    talk.answer_to(id.clone(), json!("tea")).unwrap();
    talk.reply("Tea it is.", &[]);
    talk.restart();
    assert_eq!(code_of(talk.answer_to(id, json!(["tea"]))), ErrorCode::WidgetAlreadySubmitted);
    let answers = talk.events().filter(|e| matches!(e, Event::WidgetAnswered(_))).count();
    assert_eq!(answers, 1);
}

#[test]
fn questions_of_one_reply_wait_together_and_the_run_goes_on_after_the_last() {
    let mut talk = Talk::new(Limits::default());
    talk.reply(
        "",
        &[topic("a"), topic("b"), call("fs_list", &json!({ "path": "@project" })), topic("c")],
    );
    assert_eq!(talk.results(), ["ok", "ok", "NOT_NOW", "NOT_NOW"]);
    let snapshot = talk.snapshot();
    let ids: Vec<&str> = snapshot.widgets.iter().map(|w| w.widget.widget_id.as_str()).collect();
    assert_eq!(ids, ["a", "b"]);
    assert_eq!(snapshot.widget.as_ref(), snapshot.widgets.first());
    talk.answer(json!(["tea"]));
    assert_eq!(talk.engine.core().reason, Some(Reason::Widget));
    assert_eq!(talk.waiting().widget.widget_id, "b");
    talk.answer(json!(["tea"]));
    assert!(talk.thinks());
}

#[test]
fn an_older_question_is_answered_later_and_does_not_hold_the_run() {
    let mut talk = Talk::new(Limits::default());
    talk.reply("", &[topic("a"), topic("b")]);
    talk.say("Neither.");
    assert_eq!(code_of(talk.input(Input::Say("busy".into()))), ErrorCode::RunBusy);
    talk.reply("As you like.", &[]);
    let status = kernel::snapshot::status(&talk.engine);
    assert!(talk.snapshot().widget.is_none() && status.waiting_widgets.is_empty());
    let older = talk.snapshot().widgets[1].message_id.clone();
    talk.answer_to(older, json!(["tea"])).unwrap();
    assert!(talk.thinks(), "one of an older pair is enough");
}

#[test]
fn a_fenced_widget_is_a_call_its_text_is_not_shown_and_a_broken_one_is_answered() {
    let mut talk = Talk::new(Limits::default());
    talk.reply("Before.\n```widget\n{\"widgetId\": \"a\",\n```\nAfter.", &[]);
    assert_eq!(talk.results(), ["TOOL_ARGS_INVALID_JSON"]);
    let good = r#"{"widgetId":"a","type":"confirmation","message":"Well?"}"#;
    talk.reply(&format!("Once more.\n\n```widget\n{good}\n```\n"), &[]);
    assert_eq!(talk.waiting().widget.widget_id, "a");
    let replied = talk.events().rev().find_map(|e| match e {
        Event::ModelReplied(e) => Some(&e.reply),
        _ => None,
    });
    let reply = replied.unwrap();
    assert_eq!((reply.text.as_str(), reply.calls[0].arguments.as_str()), ("Once more.", good));
    talk.answer(yes());
    talk.reply("Good.", &[]);
}

#[test]
fn a_fenced_widget_beside_a_call_that_asks_is_an_echo() {
    let mut talk = Talk::new(Limits::default());
    let echo =
        "```widget\n{\"widgetId\":\"a\",\"type\":\"confirmation\",\"message\":\"Well?\"}\n```";
    talk.reply(echo, &[topic("a")]);
    assert_eq!(talk.snapshot().widgets.len(), 1);
    talk.say(echo);
    talk.reply("A person's block is text.", &[]);
    assert_eq!(talk.snapshot().widgets.len(), 1);
}

#[test]
fn a_fenced_confirmation_is_bound_like_a_called_one() {
    let mut talk = Talk::completed(Limits::default());
    talk.say("Reopen it.");
    talk.reply("", &[reopen()]);
    let (_, arguments) = ask(&json!({}));
    talk.reply(&format!("```widget\n{arguments}\n```"), &[]);
    assert!(talk.waiting().change.is_some());
    talk.answer(yes());
    talk.reply("", &[reopen()]);
    assert_eq!(talk.results().last().unwrap(), "ok");
}
