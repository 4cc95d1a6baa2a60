//! Files that words mention, in the engine: when they are asked for, and what becomes of them.

use crate::talk::{Talk, call};
use kernel::bounds::GIVEN_FILES;
use kernel::engine::{ExecutionEngine, Input, Limits};
use kernel::event::Event;
use kernel::mention::GivenFile;
use kernel::policy::SystemTools;
use serde_json::json;

fn file(name: &str, preview: &str) -> GivenFile {
    GivenFile {
        label: name.to_owned(),
        path: format!("@project/{name}").parse().unwrap(),
        preview: preview.to_owned(),
        cut: false,
        bytes: preview.len() as u64,
        withheld: None,
    }
}

fn about_a_file() -> Input {
    Input::Say("Look at @a.md.".into())
}

/// The paths that an input is asked about.
fn named(engine: &ExecutionEngine, input: &Input) -> Vec<String> {
    let named = engine.named_files(input).map(|it| it.mentions).unwrap_or_default();
    named.iter().map(|it| it.candidates[0].to_string()).collect()
}

/// The blocks of the newest request.
fn shown(talk: &Talk) -> Vec<String> {
    let messages = talk.engine.sourced_messages().unwrap().into_iter();
    let texts = messages.map(|it| it.message.content.clone());
    texts.filter(|text| text.starts_with("DATA_CONTEXT\n")).collect()
}

#[test]
fn files_are_read_while_a_workflow_is_under_way_and_it_is_the_persons_move() {
    let mut talk = Talk::new(Limits::default());
    assert_eq!(named(&talk.engine, &about_a_file()), [""; 0], "the model is at work");
    talk.reply("What is it about?", &[]);
    assert_eq!(named(&talk.engine, &about_a_file()), ["@project/a.md"]);
    assert_eq!(named(&talk.engine, &Input::Say("Look.".into())), [""; 0]);
    assert_eq!(named(&talk.engine, &Input::Resume), [""; 0]);
    let over = Talk::completed(Limits::default());
    assert_eq!(named(&over.engine, &about_a_file()), [""; 0], "no request would show them");
}

#[test]
fn nothing_is_read_for_an_agent_who_may_not_read() {
    let tools = SystemTools { fs_enabled: false, ..SystemTools::default() };
    let mut talk = Talk::new(Limits { tools, ..Limits::default() });
    talk.reply("What is it about?", &[]);
    assert_eq!(talk.engine.named_files(&about_a_file()), None);
}

#[test]
fn what_a_person_writes_in_an_answer_may_mention_files_and_what_they_choose_may_not() {
    let mut talk = Talk::new(Limits::default());
    let plan =
        json!({ "widgetId": "p", "type": "plan_review", "message": "So?", "planContent": "@b.md" });
    let options = json!([{ "value": "@a.md", "label": "@a.md" }]);
    let choice =
        json!({ "widgetId": "s", "type": "selection", "message": "?", "options": options });
    talk.reply("", &[call("ui_ask_user", &plan), call("ui_ask_user", &choice)]);
    let asked: Vec<_> = talk.snapshot().widgets;
    let answer = |at: usize, value| {
        let message_id = asked[at].message_id.clone();
        Input::Answer { message_id, value, shown_ms: None, files: Vec::new() }
    };
    let feedback = json!({ "decision": "request_changes", "feedback": "As in @a.md" });
    assert_eq!(named(&talk.engine, &answer(0, feedback.clone())), ["@project/a.md"]);
    assert_eq!(named(&talk.engine, &answer(0, json!({ "decision": "approve" }))), [""; 0]);
    assert_eq!(named(&talk.engine, &answer(1, json!(["@a.md"]))), [""; 0]);
    let with = answer(0, feedback).with_files(vec![file("a.md", "It rains.")]);
    talk.input(with).unwrap();
    talk.input(answer(1, json!(["@a.md"]))).unwrap();
    let kept = talk.events().find_map(|event| match event {
        Event::WidgetAnswered(e) if !e.files.is_empty() => Some(e.files.clone()),
        _ => None,
    });
    assert_eq!(kept, Some(vec![file("a.md", "It rains.")]));
}

#[test]
fn what_was_read_counts_and_stays_until_other_words_or_a_fresh_beginning() {
    let mut talk = Talk::new(Limits::default());
    talk.reply("What is it about?", &[]);
    let before = talk.engine.request_tokens().unwrap();
    let files: Vec<_> = (0..9).map(|n| file(&format!("{n}.md"), &"rain ".repeat(300))).collect();
    talk.input(about_a_file().with_files(files)).unwrap();
    let (with, without): (Vec<_>, Vec<_>) =
        shown(&talk).into_iter().partition(|block| block.contains("rain"));
    assert_eq!(with.len(), GIVEN_FILES, "no more than one input may bring");
    assert_eq!(without.len(), 9 - GIVEN_FILES, "{without:?}");
    let room = talk.engine.request_tokens().unwrap() - before;
    assert!((1_800..2_500).contains(&room), "{room}");
    talk.reply("Which of them?", &[]);
    talk.input(Input::Resume).unwrap();
    assert_eq!(shown(&talk).len(), 9);
    talk.reply("Which of them?", &[]);
    talk.say("None.");
    assert_eq!(shown(&talk), [""; 0]);
    talk.reply("What then?", &[]);
    talk.input(about_a_file().with_files(vec![file("a.md", "It rains.")])).unwrap();
    talk.reply("What then?", &[]);
    assert_eq!(
        shown(&talk),
        [
            "DATA_CONTEXT\n- label: a.md\n- path: @project/a.md\n- preview, each line behind `| `:\n| It rains."
        ]
    );
    talk.input(Input::StartAfresh).unwrap();
    assert_eq!(shown(&talk), [""; 0], "the state document alone");
}
