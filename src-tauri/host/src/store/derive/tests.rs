use rstest::rstest;

use super::*;

fn origin() -> Origin {
    Origin {
        mode: "run".into(),
        run_id: "r1".parse().ok(),
        workflow_id: "main".parse().ok(),
        agent_id: "guide".parse().ok(),
    }
}

fn derived(events: &Value) -> Derived {
    let line: Line = serde_json::from_value(json!({
        "v": 1, "seq": 10, "at": "2026-01-01T00:00:00Z", "turn": 4, "events": events,
    }))
    .unwrap();
    derive(&line, &origin())
}

fn replied(calls: &Value) -> Value {
    json!({ "event": "model_replied", "data": {
        "messageId": "m1", "request": 4, "requestSha256": "", "durationMs": 1200,
        "reply": { "text": "Let me look.", "thinking": "hm", "calls": calls,
                   "usage": { "promptTokens": 100, "completionTokens": 20, "estimated": false } },
    }})
}

#[test]
fn a_reply_with_calls_is_one_message_with_the_calls_in_the_openai_shape() {
    let call = json!({ "id": "c1", "name": "fs.read", "arguments": "{\"path\":\"@pkg/a.md\"}" });
    let d = derived(&json!([replied(&json!([call]))]));
    assert_eq!(d.messages.len(), 1);
    let m = &d.messages[0];
    assert_eq!(
        (m.role.as_str(), m.part_type.as_str(), m.seq, m.turn),
        ("assistant", "tool_start", 10, 4)
    );
    assert_eq!(
        m.tool_calls,
        Some(json!([{ "id": "c1", "type": "function",
                      "function": { "name": "fs.read", "arguments": "{\"path\":\"@pkg/a.md\"}" } }]))
    );
    assert_eq!(
        (m.thinking.as_deref(), m.tokens, m.duration_ms),
        (Some("hm"), Some(20), Some(1200))
    );
    let plain = derived(&json!([replied(&json!([]))]));
    assert_eq!(plain.messages[0].part_type, "content");
    assert_eq!(plain.messages[0].tool_calls, None);
}

#[test]
fn a_tool_result_names_its_call_its_tool_and_the_whole_output() {
    let d = derived(&json!([replied(&json!([])), { "event": "call_ended", "data": {
        "callId": "c1", "messageId": "m2", "tool": "fs.read", "ok": true,
        "result": { "ok": true, "content": "…" }, "durationMs": 7, "facts": [],
        "fullOutput": "@state/logs/tool-results/m2.json" } }]));
    let m = &d.messages[1];
    assert_eq!((m.seq, m.role.as_str(), m.part_type.as_str()), (11, "tool", "tool_result"));
    assert_eq!(m.content, r#"{"ok":true,"content":"…"}"#);
    assert_eq!(m.tool_call_id.as_ref().unwrap().as_str(), "c1");
    assert_eq!(
        m.full_output_path.as_ref().unwrap().to_string(),
        "@state/logs/tool-results/m2.json"
    );
    let exported = serde_json::to_value(m).unwrap();
    for field in [
        "toolName",
        "tool_call_id",
        "partType",
        "duration",
        "runId",
        "includeInContext",
        "createdAt",
    ] {
        assert!(!exported[field].is_null(), "{field} in {exported}");
    }
}

#[test]
fn a_failed_request_is_shown_with_its_partial_text_and_kept_out_of_context() {
    let d = derived(&json!([{ "event": "model_failed", "data": {
        "messageId": "m1", "request": 1, "partial": "It was a dark",
        "failure": { "code": "LLM_TIMEOUT", "message": "no byte for 60 s" } } }]));
    let m = &d.messages[0];
    assert_eq!(
        (m.role.as_str(), m.part_type.as_str(), m.include_in_context),
        ("assistant", "error", false)
    );
    assert_eq!(m.content, "It was a dark\n\nLLM_TIMEOUT: no byte for 60 s");
}

#[test]
fn the_last_word_on_the_phase_in_a_line_counts() {
    let resumed = json!({ "event": "run_resumed", "data": {} });
    let finished = json!({ "event": "turn_finished",
                           "data": { "phase": "waiting-user", "reason": "answered" } });
    let running = Some((Phase::Running, None));
    let waiting = Some((Phase::WaitingUser, Some(Reason::Answered)));
    assert_eq!(derived(&json!([resumed])).phase, running);
    assert_eq!(derived(&json!([resumed, finished])).phase, waiting);
    assert_eq!(derived(&json!([finished, resumed])).phase, running);
    assert_eq!(derived(&json!([replied(&json!([]))])).phase, None);
    let interrupted = json!({ "event": "run_interrupted", "data": { "inDoubt": [] } });
    let by_crash = Some((Phase::WaitingUser, Some(Reason::Interrupted)));
    assert_eq!(derived(&json!([interrupted])).phase, by_crash);
}

#[test]
fn a_submission_has_the_text_the_reference_gives_it() {
    let d = derived(&json!([{ "event": "widget_answered", "data": {
        "messageId": "m2", "widgetMessageId": "m1", "widgetId": "w", "kind": "selection",
        "value": ["a"], "confirms": null, "forNodeId": null } }]));
    assert_eq!(
        d.messages[0].content,
        "WIDGET_SUBMIT\n{\"widgetId\":\"w\",\"type\":\"selection\",\"value\":[\"a\"]}"
    );
    assert_eq!(d.submitted[0].message_id.as_str(), "m1");
}

#[test]
fn an_answer_about_a_call_is_kept_for_people_and_not_for_the_model() {
    let answered = |more: Value| {
        let mut data = json!({
            "messageId": "m2", "widgetMessageId": "m1", "widgetId": "tool_approval",
            "kind": "confirmation", "value": { "confirmed": true }, "confirms": null, "forNodeId": null,
        });
        data.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        derived(&json!([{ "event": "widget_answered", "data": data }])).messages[0].clone()
    };
    assert!(!answered(json!({ "callId": "c1" })).include_in_context);
    assert!(answered(json!({})).include_in_context);
}

#[test]
fn a_click_that_was_lost_at_rest_changes_no_phase() {
    let lost = |resting: bool| {
        let data = json!({ "inDoubt": [], "resting": resting });
        derived(&json!([{ "event": "run_interrupted", "data": data }])).phase
    };
    assert_eq!(lost(true), None);
    assert_eq!(lost(false), Some((Phase::WaitingUser, Some(Reason::Interrupted))));
}

#[rstest]
#[case("form", json!({ "audience": "support", "idea": "A page of what is ripe" }), Some("A page of what is ripe"))]
#[case("form", json!({ "idea": "熟了什么" }), Some("熟了什么"))]
#[case("feedback", json!({ "a": "", "b": "Clear at once." }), Some("Clear at once."))]
#[case("form", json!({ "idea": "  one ", "points": 5, "urgent": true }), None)]
#[case("selection", json!(["several words", "are a choice"]), None)]
#[case("confirmation", json!({ "confirmed": false, "instead": "Write it elsewhere." }), None)]
#[case("action_selection", json!("go on"), None)]
fn words_are_what_somebody_wrote_into_a_field(
    #[case] kind: &str,
    #[case] value: Value,
    #[case] words: Option<&str>,
) {
    let answered = json!({ "messageId": "m2", "widgetMessageId": "m1", "widgetId": "w",
                           "kind": kind, "value": value });
    let derived = derived(&json!([{ "event": "widget_answered", "data": answered }]));
    assert_eq!(derived.words.as_deref(), words);
}
