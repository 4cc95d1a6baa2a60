//! What a package may do is agreed to by a person who has seen it, and only that is installed.

use super::AtTerminal;
use std::path::PathBuf;
use support::program::{Sandbox, copy, has_han, root};

fn package(sandbox: &Sandbox) -> (PathBuf, String) {
    let folder = sandbox.path("package");
    copy(&root().join("tests/fixtures/packages/mini"), &folder);
    let path = folder.to_string_lossy().into_owned();
    (folder, path)
}

#[test]
fn a_package_exchanged_while_the_question_stands_is_not_installed() {
    for (lang, told) in
        [("en", "no longer the one you were shown"), ("zh", "不再是显示给你的那一个")]
    {
        let sandbox = Sandbox::new();
        let (folder, path) = package(&sandbox);
        let args = ["package", "import", &path, "--lang", lang];
        let mut person = AtTerminal::start(&sandbox, &args);
        person.sees("(y/n) > ");
        let file = folder.join("agents.json");
        let agents = std::fs::read_to_string(&file).unwrap().replace("4096", "40960");
        std::fs::write(&file, agents).unwrap();
        person.enters("y");
        let (all, code) = person.ends();
        assert_eq!(code, 5, "{all}");
        assert!(all.contains("PACKAGE_CHANGED") && all.contains(told), "{all}");
        assert_eq!(sandbox.rows("packages"), 0);
        // Looked at again, it can be agreed to.
        let mut person = AtTerminal::start(&sandbox, &args);
        person.sees("(y/n) > ");
        person.enters("y");
        assert_eq!(person.ends().1, 0);
        assert_eq!(sandbox.rows("packages"), 1);
    }
}

#[test]
fn a_yes_typed_before_the_sheet_is_no_answer_to_it() {
    let sandbox = Sandbox::new();
    let (_, path) = package(&sandbox);
    let mut person = AtTerminal::start(&sandbox, &["package", "import", &path]);
    person.types("y\r");
    person.sees("Install?");
    person.sees("(y/n) > ");
    person.presses_ctrl(b'd');
    let (all, code) = person.ends();
    assert_eq!(code, 3, "{all}");
    assert!(all.contains("Nothing was installed."), "{all}");
    assert_eq!(sandbox.rows("packages"), 0);
}

#[test]
fn what_is_wrong_with_a_package_is_said_once() {
    let sandbox = Sandbox::new();
    let (folder, path) = package(&sandbox);
    std::fs::remove_file(folder.join("steps/ask.md")).unwrap();
    let found = sandbox.run(&["package", "validate", &path, "--json"]).exits(5).json();
    let found = found["findings"].as_array().unwrap().len();
    for (lang, error) in [("en", "error "), ("zh", "错误 ")] {
        let done = sandbox.run(&["package", "import", &path, "--lang", lang]).exits(5);
        let all = format!("{}{}", done.stdout, done.stderr);
        let told =
            all.lines().filter(|line| line.trim_start_matches([' ', '-']).starts_with(error));
        assert_eq!(told.count(), found, "{all}");
        assert_eq!(has_han(&all), lang == "zh", "{all}");
    }
}
