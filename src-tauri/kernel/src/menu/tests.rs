//! The acceptance list of the reference, §6: blank, in range, out of range, exact, fuzzy, ambiguous,
//! unmatched, gating that changes the numbering, classic references.

use super::*;
use rstest::rstest;
use serde_json::json;

fn menu() -> Vec<MenuItem> {
    serde_json::from_value(json!([
        { "trigger": "*help", "description": "Show what I can do", "action": "menu.show" },
        { "trigger": "web", "description": "Only on a page", "web-only": true, "exec": "@pkg/web.md" },
        { "trigger": "brief", "description": "Write a project brief", "workflow": "workflow.md" },
        { "cmd": "*BR", "description": "Brainstorm with me", "exec": "@pkg/tasks/brainstorm.md",
          "data": "@project/notes.md", "ide-only": true },
        { "description": "Research a market", "action": "#research" },
        { "trigger": "budget", "description": "Reckon what it costs", "action": "Reckon it." },
        { "trigger": "party", "description": "Bring others in", "triggers": [
            { "party-mode": { "route": "@pkg/party/workflow.md" } },
            { "alias": "roundtable", "exec": "@pkg/tasks/round.md" } ] },
        { "trigger": "exit", "description": "Say goodbye", "action": "agent.dismiss" },
        { "trigger": "resume", "description": "Go on", "action": "run.resume" },
    ]))
    .unwrap()
}

fn action(words: &str) -> MenuAction {
    match resolve(&menu(), words) {
        Resolved::Item { action, .. } => action,
        other => panic!("{words:?}: {other:?}"),
    }
}

fn clarified(words: &str) -> Vec<u32> {
    match resolve(&menu(), words) {
        Resolved::Clarify(lines) => lines.into_iter().map(|line| line.number).collect(),
        other => panic!("{words:?}: {other:?}"),
    }
}

#[rstest]
#[case("")]
#[case("   \n ")]
#[case("*")]
fn blank_words_show_the_menu(#[case] words: &str) {
    assert_eq!(resolve(&menu(), words), Resolved::ShowMenu);
}

#[test]
fn a_number_in_range_is_a_row_that_is_shown() {
    assert_eq!(action("2"), MenuAction::StartWorkflow("workflow.md".into()));
    assert_eq!(action(" 02 "), MenuAction::StartWorkflow("workflow.md".into()));
}

#[rstest]
#[case("0")]
#[case("9")]
#[case("99999999999999999999")]
fn a_number_out_of_range_asks_with_all_rows(#[case] words: &str) {
    assert_eq!(clarified(words), [1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn what_is_for_a_page_alone_is_hidden_before_the_rows_are_numbered() {
    let lines: Vec<MenuLine> = visible(&menu()).map(MenuLine::of).collect();
    assert_eq!(lines.len(), 8, "one of nine is hidden, what is for an editor is not");
    assert_eq!((lines[1].number, lines[1].trigger.as_deref()), (2, Some("brief")));
    assert_eq!(resolve(&menu(), "web"), Resolved::Chat, "and cannot be called");
}

#[rstest]
#[case("brief")]
#[case("*brief")]
#[case("  BRIEF ")]
fn an_exact_name_calls_its_row_whatever_its_case_and_without_a_star(#[case] words: &str) {
    assert_eq!(action(words), MenuAction::StartWorkflow("workflow.md".into()));
}

#[test]
fn a_command_of_an_older_package_is_a_name() {
    let Resolved::Item { action, data, line, .. } = resolve(&menu(), "br") else { panic!() };
    assert_eq!(action, MenuAction::ExecScript("@pkg/tasks/brainstorm.md".into()));
    assert_eq!(data.as_deref(), Some("@project/notes.md"));
    assert_eq!((line.number, line.trigger.as_deref()), (3, Some("BR")));
}

#[test]
fn a_handler_of_a_row_does_what_it_says_itself() {
    assert_eq!(action("party-mode"), MenuAction::StartWorkflow("@pkg/party/workflow.md".into()));
    assert_eq!(action("RoundTable"), MenuAction::ExecScript("@pkg/tasks/round.md".into()));
    assert_eq!(action("party"), MenuAction::Say("Bring others in".into()));
}

#[test]
fn two_handlers_of_one_name_are_asked_about_at_their_row() {
    let menu: Vec<MenuItem> = serde_json::from_value(json!([
        { "description": "Two ways", "triggers": [
            { "alias": "go", "exec": "@pkg/a.md" }, { "alias": "go", "exec": "@pkg/b.md" } ] },
    ]))
    .unwrap();
    let Resolved::Clarify(lines) = resolve(&menu, "go") else { panic!() };
    assert_eq!(lines.iter().map(|line| line.number).collect::<Vec<_>>(), [1]);
}

#[test]
fn a_part_of_a_name_outranks_a_part_of_a_description() {
    assert_eq!(action("bud"), MenuAction::Say("Reckon it.".into()));
    // `brief` by its name; of the description of another row nothing is said.
    assert_eq!(action("brie"), MenuAction::StartWorkflow("workflow.md".into()));
}

#[test]
fn by_words_of_a_description_alone_nothing_begins() {
    assert_eq!(clarified("market"), [4]);
    assert_eq!(clarified("say"), [7], "that is no goodbye yet");
}

#[rstest]
#[case("b")]
#[case("no")]
#[case("on")]
#[case("me")]
fn a_short_word_is_no_part_of_a_name(#[case] words: &str) {
    assert_eq!(resolve(&menu(), words), Resolved::Chat);
}

#[test]
fn several_rows_are_asked_about_with_the_numbers_of_the_whole_menu() {
    let menu: Vec<MenuItem> = serde_json::from_value(json!([
        { "trigger": "web", "description": "On a page", "web-only": true },
        { "trigger": "plan-short", "description": "Short" },
        { "trigger": "other", "description": "Other" },
        { "trigger": "plan-long", "description": "Long" },
    ]))
    .unwrap();
    let Resolved::Clarify(lines) = resolve(&menu, "plan") else { panic!() };
    let numbers: Vec<u32> = lines.iter().map(|line| line.number).collect();
    assert_eq!(numbers, [1, 3]);
    let Resolved::Item { line, .. } = resolve(&menu, "3") else { panic!() };
    assert_eq!(line.trigger.as_deref(), Some("plan-long"), "the next words need no memory");
}

#[rstest]
#[case("How are you today?")]
#[case("hi")]
#[case("earch")]
#[case("/resume\nand use the new figures")]
fn what_matches_nothing_is_said_to_the_agent(#[case] words: &str) {
    assert_eq!(resolve(&menu(), words), Resolved::Chat);
}

#[test]
fn only_the_first_line_is_matched_and_the_rest_goes_along() {
    let Resolved::Item { action, details, .. } = resolve(&menu(), "brief\nAbout bees.\nShort.\n")
    else {
        panic!()
    };
    assert_eq!(action, MenuAction::StartWorkflow("workflow.md".into()));
    assert_eq!(details, "About bees.\nShort.");
}

#[test]
fn the_programs_own_actions_are_commands() {
    assert_eq!(action("help"), MenuAction::Command(GlobalCommand::Menu));
    assert_eq!(action("exit"), MenuAction::Command(GlobalCommand::Dismiss));
    assert_eq!(action("resume"), MenuAction::Command(GlobalCommand::Resume));
}

#[rstest]
#[case("/menu", Some(GlobalCommand::Menu))]
#[case("*menu", Some(GlobalCommand::Menu))]
#[case(" /Stop ", Some(GlobalCommand::Stop))]
#[case("/pause", Some(GlobalCommand::Stop))]
#[case("/resume", Some(GlobalCommand::Resume))]
#[case("/dismiss", Some(GlobalCommand::Dismiss))]
#[case("*dismiss", Some(GlobalCommand::Dismiss))]
#[case("*stop", None)]
#[case("/menu please", None)]
#[case("menu", None)]
#[case("/etc/hosts", None)]
fn only_these_words_are_commands_everywhere(
    #[case] words: &str,
    #[case] command: Option<GlobalCommand>,
) {
    assert_eq!(GlobalCommand::of(words), command);
}

#[rstest]
#[case("{project-root}/bmad/plan/workflow.yaml", true)]
#[case("a/workflow.YML", true)]
#[case("tasks/plan.xml", true)]
#[case("tasks/plan.md", false)]
#[case("yaml", false)]
fn a_classic_reference_is_known_by_its_ending(#[case] file: &str, #[case] classic: bool) {
    assert_eq!(is_classic(file), classic);
}

#[test]
fn a_script_that_is_a_workflow_starts_it() {
    let menu: Vec<MenuItem> = serde_json::from_value(json!([
        { "trigger": "go", "description": "Go", "exec": "@pkg/plan/workflow.md" },
    ]))
    .unwrap();
    let Resolved::Item { action, .. } = resolve(&menu, "go") else { panic!() };
    assert_eq!(action, MenuAction::StartWorkflow("@pkg/plan/workflow.md".into()));
}
