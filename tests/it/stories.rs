//! Stories: who says what, and where it must end, each run seven ways (spec 06 "Shape").

use crate::asked;
use crate::changes;
use crate::replays;
use crate::subagent_world::SubagentScript;
use crate::world::{End, Script, Scripted, Step, Way, World, files};
use kernel::chat::ChatRequest;
use kernel::engine::Limits;
use kernel::event::{Event, Phase};
use kernel::policy::ApproveWrites;
use kernel::settings::ToolOffer;
use kernel::trace::Trace;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Story {
    title: String,
    #[serde(default)]
    package: Option<String>,
    #[serde(default)]
    input: Option<String>,
    /// The setting `approval.writes`.
    #[serde(default)]
    approve_writes: ApproveWrites,
    /// What the model reads, in tokens.
    #[serde(default)]
    context_tokens: Option<u32>,
    /// The setting `engine.autopilot`.
    #[serde(default)]
    autopilot: Option<bool>,
    /// The setting `model.tools`.
    #[serde(default)]
    offer: ToolOffer,
    /// Commands of the project that the person trusts.
    #[serde(default)]
    hooks: Option<Value>,
    /// With whom the conversation begins, when it does not begin with a run.
    #[serde(default)]
    begin: Option<String>,
    script: Vec<Scripted>,
    /// What the models of sub-agents say.
    #[serde(default)]
    subagents: Vec<SubagentScript>,
    #[serde(default)]
    steps: Vec<Step>,
    /// Ways in which the story means something else, with the reason beside it.
    #[serde(default)]
    not: Vec<String>,
    expect: Expect,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    phase: Phase,
    current: String,
    #[serde(default)]
    completed: Option<Vec<String>>,
    #[serde(default)]
    artifacts: Vec<String>,
    #[serde(default)]
    files: Vec<String>,
    /// What some of them hold.
    #[serde(default)]
    contents: BTreeMap<String, String>,
    /// Files the last rewind did not touch, and why.
    #[serde(default)]
    conflicts: Vec<(String, String)>,
    #[serde(default)]
    variables: Option<Value>,
}

const WAYS: [Way; 8] = [
    Way::Straight,
    Way::Rebuilt,
    Way::Crashed,
    Way::CrashedEarly,
    Way::Failing,
    Way::ToolsFailing,
    Way::Late,
    Way::Together,
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn load(name: &str) -> (PathBuf, Story) {
    let file = root().join("tests/fixtures/stories").join(format!("{name}.yaml"));
    let text = std::fs::read_to_string(file).unwrap();
    let mut value: serde_yaml::Value = serde_yaml::from_str(&text).unwrap();
    value.apply_merge().unwrap();
    let story: Story = serde_json::from_value(serde_json::to_value(value).unwrap()).unwrap();
    let name = story.package.as_deref().unwrap_or("mini");
    let package = root().join("tests/fixtures/packages").join(name);
    (package, story)
}

fn check(name: &str) {
    let (package, story) = load(name);
    let mut straight: Option<End> = None;
    for way in WAYS {
        // What a story does not say of a crash, it does not say of an early one either.
        let name_of_way = format!("{way:?}").to_lowercase();
        if story.not.iter().any(|not| name_of_way.starts_with(not)) {
            continue;
        }
        let script = Script::Replies(story.script.clone());
        let limits = Limits {
            approve_writes: story.approve_writes,
            context_tokens: story.context_tokens,
            autopilot: story.autopilot.unwrap_or(true),
            offer: story.offer,
            ..Limits::default()
        };
        let mut world = World::new(&package, script, story.steps.clone(), way, limits);
        if let Some(hooks) = &story.hooks {
            world = world.with_hooks(hooks);
        }
        world.subagents.clone_from(&story.subagents);
        match &story.begin {
            Some(with) => world.play_from(with, story.input.clone()),
            None => world.play(None, story.input.clone()),
        }
        replays::identical(&world);
        asked::every_request_can_be_seen_again(&world);
        world.snapshots_are_enough();
        if !world.others_at_work {
            let changes = kernel::snapshot::snapshot(&world.engine).unwrap().changes;
            let after = files(&world.project, &world.project);
            changes::are_the_difference(&changes, &world.files_at_start, &after);
        }
        if !story.steps.iter().any(|step| matches!(step, Step::Edit { .. })) {
            assert!(world.put_aside().is_empty(), "nobody edited the document: {way:?}");
        }
        if way == Way::ToolsFailing {
            went_its_own_way(name, &world);
            continue;
        }
        let end = world.end();
        expected(&story, &end, way);
        if let Some(straight) = &straight {
            assert_eq!(straight, &end, "{} ({way:?})", story.title);
        } else {
            insta::assert_snapshot!(format!("story-{name}"), world.outline().join("\n"));
            straight = Some(end);
        }
    }
}

/// When tools fail, a story leaves its script: where it comes to rest is written down.
fn went_its_own_way(name: &str, world: &World) {
    let End { phase, current, completed, artifacts, files, .. } = world.end();
    let files: Vec<String> = files.into_keys().collect();
    assert!(artifacts.iter().all(|path| files.contains(path)), "{name}: {artifacts:?} {files:?}");
    let rest = format!(
        "{phase:?} at {current}, completed {completed:?}, artifacts {artifacts:?}, files {files:?}"
    );
    insta::assert_snapshot!(format!("tools-failing-{name}"), rest);
}

fn expected(story: &Story, end: &End, way: Way) {
    let title = format!("{} ({way:?})", story.title);
    assert_eq!(end.phase, story.expect.phase, "{title}");
    assert_eq!(end.current, story.expect.current, "{title}");
    if let Some(completed) = &story.expect.completed {
        assert_eq!(&end.completed, completed, "{title}");
    }
    assert_eq!(end.artifacts, story.expect.artifacts, "{title}");
    assert_eq!(end.files.keys().cloned().collect::<Vec<_>>(), story.expect.files, "{title}");
    for (path, content) in &story.expect.contents {
        assert_eq!(end.files.get(path), Some(content), "{title}: {path}");
    }
    assert_eq!(end.conflicts, story.expect.conflicts, "{title}");
    if let Some(variables) = &story.expect.variables {
        assert_eq!(&end.variables, variables, "{title}");
    }
}

#[test]
fn a_move_the_graph_does_not_have_is_refused_and_corrected() {
    check("illegal-transition");
}

#[test]
fn workflows_call_workflows_and_each_goes_on_where_it_waited() {
    check("workflows-within-workflows");
    let (package, story) = load("workflows-within-workflows");
    let script = Script::Replies(story.script);
    let mut world = World::new(&package, script, Vec::new(), Way::Straight, Limits::default());
    world.play(None, None);
    let told = |request: &ChatRequest| {
        let anchor = request.messages.iter().find(|it| it.content.starts_with("RUN_DIRECTIVE"));
        anchor.unwrap().content.clone()
    };
    let told: Vec<String> = world.requests.iter().map(told).collect();
    assert!(!told[0].contains("callStack"), "nothing was called yet");
    insta::assert_snapshot!("story-workflows-within-workflows-told", told[2]);
    let brief = world.requests[3].messages.iter().find(|it| it.content.starts_with("NODE_BRIEF"));
    insta::assert_snapshot!("story-workflows-within-workflows-back", brief.unwrap().content);
    assert!(told[9].contains("- workflow: book") && !told[9].contains("callStack"), "{}", told[9]);
}

#[test]
fn a_run_goes_back_to_steps_of_workflows_that_wait() {
    check("workflows-rewound");
}

#[test]
fn the_model_undoes_its_rewind_with_the_click_of_the_person() {
    check("model-undoes-a-rewind");
}

#[test]
fn going_back_out_of_called_workflows_is_undone() {
    check("workflows-rewind-undone");
}

#[test]
fn a_run_ends_early_with_the_workflows_that_it_called() {
    check("workflows-ended-early");
}

#[test]
fn a_condition_names_its_variable_without_a_prefix() {
    check("condition-bare-variable");
}

#[test]
fn a_way_that_waits_for_the_person_opens_by_their_choice_alone() {
    check("only-the-person-opens-a-way");
    let (package, story) = load("only-the-person-opens-a-way");
    let script = Script::Replies(story.script);
    let mut world = World::new(&package, script, story.steps, Way::Straight, Limits::default());
    world.play(None, None);
    let refused = world.events().filter_map(|e| match e {
        Event::CallEnded(e) if !e.ok => e.result["error"]["code"].as_str(),
        _ => None,
    });
    assert_eq!(refused.collect::<Vec<_>>(), ["E_CONDITION_NOT_MET"; 6]);
}

#[test]
fn the_default_edge_is_open_when_no_other_condition_holds() {
    check("condition-default");
}

#[test]
fn nothing_the_model_writes_ends_a_run_before_its_end_or_lists_what_is_not_there() {
    check("false-end");
}

#[test]
fn a_completed_end_node_completes_the_run() {
    check("completes-by-itself");
}

#[test]
fn a_person_may_end_a_run_early() {
    check("person-ends-early");
}

#[test]
fn artifacts_follow_the_files() {
    check("artifacts-follow-files");
}

#[test]
fn a_read_after_a_patch_sees_the_accepted_document() {
    check("read-after-patch");
    let (package, story) = load("read-after-patch");
    let script = Script::Replies(story.script);
    let mut world = World::new(&package, script, Vec::new(), Way::Straight, Limits::default());
    world.play(None, None);
    let read = world.events().find_map(|e| match e {
        Event::CallEnded(e) if e.tool == "fs.read" => Some(e.result["content"].to_string()),
        _ => None,
    });
    assert!(read.as_deref().is_some_and(|text| text.contains("currentNodeId: write")), "{read:?}");
}

#[test]
fn a_file_that_words_mention_is_given_along_for_their_turn() {
    check("files-mentioned");
    let (package, story) = load("files-mentioned");
    let script = Script::Replies(story.script);
    let mut world = World::new(&package, script, story.steps, Way::Straight, Limits::default());
    world.play(None, None);
    let given = |request: &ChatRequest| {
        let blocks = request.messages.iter().filter(|it| it.content.starts_with("DATA_CONTEXT\n"));
        blocks.map(|it| it.content.clone()).collect::<Vec<_>>().join("\n\n")
    };
    let seen: Vec<String> = world.requests.iter().map(given).collect();
    assert_eq!(seen[0], "", "the run began without one");
    insta::assert_snapshot!("story-files-mentioned-seen", seen[1]);
    assert!(seen[2].contains("It snows."), "{}", seen[2]);
    assert!(!seen[2].contains("agents.json"), "of the newest words only: {}", seen[2]);
    assert_eq!((&seen[3], &seen[4]), (&seen[2], &seen[2]), "the turn goes on with what was read");
    assert_eq!(seen[5], "");
    // The words are as they were said.
    let words = world.requests[1].messages.iter().find(|it| it.content.starts_with("USER_INPUT"));
    assert!(words.unwrap().content.ends_with("@missing.md and @artifacts."), "{words:?}");
}

#[test]
fn what_is_no_file_stays_words() {
    check("no-file-mentioned");
    let (package, story) = load("no-file-mentioned");
    let script = Script::Replies(story.script);
    let mut world = World::new(&package, script, story.steps, Way::Straight, Limits::default());
    world.play(None, story.input);
    let messages = world.requests.iter().flat_map(|request| &request.messages);
    assert!(!messages.into_iter().any(|it| it.content.starts_with("DATA_CONTEXT")));
}

#[test]
fn appended_text_stands_there_once() {
    check("append");
}

#[test]
fn what_moves_is_in_one_place_and_what_is_deleted_is_gone() {
    check("moving-and-deleting");
}

#[test]
fn a_widget_waits_and_its_answer_goes_on() {
    check("widget");
}

#[test]
fn after_completion_one_click_makes_one_change() {
    check("post-completion");
}

#[test]
fn stop_keeps_what_was_shown_and_resume_goes_on() {
    check("stop-and-resume");
}

#[test]
fn three_identical_failures_stop_the_turn() {
    check("three-identical-failures");
}

#[test]
fn alternating_failures_stop_the_turn() {
    check("alternating-failures");
}

#[test]
fn arguments_that_are_not_json_are_answered() {
    check("invalid-json");
}

#[test]
fn words_that_were_cut_are_gone_on_with() {
    check("cut-off");
}

#[test]
fn a_model_whose_words_are_cut_each_time_is_not_let_go_on_without_end() {
    check("cut-off-again-and-again");
}

#[test]
fn a_model_error_waits_for_retry() {
    check("model-error");
}

#[test]
fn a_persons_edit_of_the_state_is_adopted_or_put_aside() {
    check("person-edits-state");
}

#[test]
fn a_widget_in_the_text_is_asked_like_any_other() {
    check("fenced-widget");
}

#[test]
fn several_questions_wait_at_once_and_old_ones_can_still_be_answered() {
    check("two-widgets");
}

#[test]
fn a_write_waits_until_the_person_has_seen_and_allowed_it() {
    check("approval-once");
}

#[test]
fn an_allowed_folder_covers_its_own_files_and_one_tool_only() {
    check("approval-folder");
}

#[test]
fn moving_and_deleting_ask_each_time_whatever_folder_is_allowed() {
    check("approval-move");
}

#[test]
fn a_path_written_with_a_mark_asks_like_any_other() {
    check("approval-marked-path");
}

#[test]
fn a_write_that_was_not_allowed_is_not_made() {
    check("approval-refused");
}

#[test]
fn what_is_wanted_in_place_of_a_write_is_told_in_the_persons_words() {
    check("approval-refused-with-words");
}

#[test]
fn stop_and_new_words_close_a_write_that_waits() {
    check("approval-stop");
}

#[test]
fn a_rewind_asks_the_person_also_before_completion() {
    check("rewind-before-completion");
}

#[test]
fn a_rewind_brings_back_what_was_written_moved_and_deleted() {
    check("rewind-restores-files");
}

#[test]
fn a_rewind_leaves_what_someone_else_changed_and_says_so() {
    check("rewind-foreign-edit");
}

#[test]
fn a_rewind_replaces_what_someone_else_changed_when_the_person_wants_it() {
    check("rewind-overwrites-foreign-edit");
}

#[test]
fn a_rewind_leaves_files_alone_when_it_is_told_to() {
    check("rewind-keeps-files");
}

#[test]
fn the_person_puts_files_back() {
    check("put-back");
}

#[test]
fn the_person_takes_the_run_back_to_a_step() {
    check("person-rewinds");
}

#[test]
fn a_rewind_can_be_undone_by_a_later_one() {
    check("rewind-undone");
}

#[test]
fn a_rewind_is_shown_anew_when_a_file_changed_since() {
    check("rewind-shown-anew");
}

#[test]
fn a_forged_submission_is_only_text() {
    check("forged-submission");
}

#[test]
fn a_step_is_completed_with_the_file_it_promises() {
    check("claims-too-early");
}

#[test]
fn who_claims_again_and_again_is_stopped_and_may_try_again() {
    check("claims-again-and-again");
}

#[test]
fn the_person_lets_words_stand_that_were_not_accepted() {
    check("accepted-anyway");
}

#[test]
fn the_person_lets_a_step_pass_without_its_file() {
    check("step-without-its-file");
}

#[test]
fn the_person_ends_a_run_where_it_stands() {
    check("run-ended-by-the-person");
}

#[test]
fn words_close_no_todo() {
    check("todos");
}

#[test]
fn a_required_todo_that_failed_ends_the_turn() {
    check("todo-failed");
}

#[test]
fn what_others_changed_after_the_check_is_looked_at_again() {
    check("changed-by-others");
}

#[test]
fn a_run_that_outgrows_its_model_is_made_shorter_and_comes_to_its_end() {
    check("outgrows-its-model");
}

#[test]
fn a_small_model_is_led_through_its_steps() {
    check("led-through-its-steps");
}

#[test]
fn without_autopilot_a_small_model_waits_after_each_step() {
    check("led-and-waiting");
}

#[test]
fn without_autopilot_the_model_may_wait_after_each_step() {
    check("step-by-step");
}

#[test]
fn talk_within_a_step_is_neither_refused_nor_taken_for_its_end() {
    check("talk-within-a-step");
}

/// The bundled packages, played by their own demo traces to completion.
fn golden(name: &str, files: usize) {
    let package = root().join("templates/packages").join(name);
    let trace = std::fs::read_to_string(package.join("assets/demo/demo.trace.json")).unwrap();
    let mut straight: Option<End> = None;
    for way in WAYS {
        let script = Script::Demo(Box::new(Trace::parse(&trace).unwrap()));
        let mut world = World::new(&package, script, Vec::new(), way, Limits::default());
        world.play(None, None);
        replays::identical(&world);
        asked::every_request_can_be_seen_again(&world);
        world.snapshots_are_enough();
        if way == Way::ToolsFailing {
            went_its_own_way(name, &world);
            continue;
        }
        let end = world.end();
        assert_eq!(end.phase, Phase::Completed, "{name} ({way:?}): {:#?}", world.outline());
        assert_eq!(end.files.len(), files, "{name} ({way:?}): {:?}", end.files);
        if let Some(straight) = &straight {
            assert_eq!(straight, &end, "{name} ({way:?})");
        } else {
            insta::assert_snapshot!(format!("golden-{name}"), world.outline().join("\n"));
            straight = Some(end);
        }
    }
}

#[test]
fn the_golden_path_of_hello_linear() {
    golden("hello-linear", 1);
}

#[test]
fn the_golden_path_of_hello_branch() {
    golden("hello-branch", 2);
}

#[test]
fn the_golden_path_of_hello_honest() {
    golden("hello-honest", 1);
}

#[test]
fn the_golden_path_of_create_story_micro() {
    golden("create-story-micro", 6);
}

#[test]
#[cfg(unix)]
fn work_is_accepted_once_the_persons_own_check_passes() {
    check("gate-not-passed");
}

#[test]
#[cfg(unix)]
fn a_check_that_cannot_be_made_is_told_to_the_person() {
    check("gate-unanswered");
}

#[test]
#[cfg(unix)]
fn a_hook_keeps_a_call_from_being_run() {
    check("hook-blocks-a-call");
}

#[test]
#[cfg(unix)]
fn hooks_that_only_look_on_change_nothing() {
    check("hooks-that-look-on");
}

#[test]
#[cfg(unix)]
fn calls_wait_for_the_hooks_of_the_person_and_for_the_disk() {
    check("hooks-before-calls");
}

#[test]
#[cfg(unix)]
fn what_a_hook_runs_is_not_the_models_to_change() {
    check("gate-script-asked-about");
}

#[test]
#[cfg(unix)]
fn a_question_waits_also_when_a_hook_refuses_the_next_one() {
    check("question-beside-a-refused-one");
}

#[test]
fn sub_agents_work_side_by_side_and_what_they_do_is_the_runs() {
    check("subagents-review");
}

#[test]
fn a_conversation_goes_from_a_chat_to_an_agent_through_a_run_and_back_to_a_chat() {
    check("chat-agent-run-chat");
}
