//! `skills …` and `--skill`: Agent Skills at the command line.

use serde_json::{Value, json};
use support::program::{Sandbox, Server};

fn skill(sandbox: &Sandbox, path: &str, text: &str) {
    let path = sandbox.path(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn pdf(sandbox: &Sandbox) {
    let text = "---\nname: pdf\ndescription: Fills in forms.\n---\nField by field.\n";
    skill(sandbox, "home/.agents/skills/pdf/SKILL.md", text);
    skill(sandbox, "home/.agents/skills/pdf/scripts/fill.py", "print()");
}

#[test]
fn skills_are_listed_with_what_is_wrong_in_both_languages() {
    let sandbox = Sandbox::new();
    let none = sandbox.run(&["skills", "list"]).exits(0).stdout;
    assert!(none.contains(".agents/skills"), "{none}");
    pdf(&sandbox);
    skill(&sandbox, "home/.claude/skills/bad/SKILL.md", "No front matter.");
    let listed = sandbox.run(&["skills", "list"]).exits(0).stdout;
    assert!(listed.contains("✓ pdf  ~/.agents/skills/pdf"), "{listed}");
    assert!(listed.contains("It has scripts, which are not run here."), "{listed}");
    assert!(listed.contains("✗ ~/.claude/skills/bad"), "{listed}");
    assert!(listed.contains("no front matter"), "{listed}");
    let zh = sandbox.run(&["--lang", "zh", "skills", "list"]).exits(0).stdout;
    assert!(zh.contains("它带有脚本") && zh.contains("没有可读的元数据"), "{zh}");
    let json: Value =
        serde_json::from_str(&sandbox.run(&["--json", "skills", "list"]).exits(0).stdout).unwrap();
    assert_eq!(json["skills"][0]["name"], "pdf");
    assert_eq!(json["unusable"][0]["place"], "~/.claude/skills/bad");
}

#[test]
fn a_skill_is_at_work_from_the_first_words_on_until_it_is_ended() {
    let sandbox = Sandbox::new();
    pdf(&sandbox);
    let model = Server::saying(&[json!({ "text": "Done." }), json!({ "text": "Again." })]);
    let url = model.base_url();
    let args = ["chat", "--skill", "pdf", "--input", "Go.", "--base-url", &url, "--model", "test"];
    let done = sandbox.run(&args).exits(0).stdout;
    assert!(done.contains("✦ You activated the skill pdf from ~/.agents/skills."), "{done}");
    assert!(done.contains("scripts/fill.py"), "{done}");
    let asked = model.requests().pop().unwrap().to_string();
    assert!(asked.contains("Field by field."), "{asked}");
    let listed: Value =
        serde_json::from_str(&sandbox.run(&["--json", "conversations", "list"]).exits(0).stdout)
            .unwrap();
    let id = listed["conversations"][0]["conversationId"].as_str().unwrap().to_owned();
    sandbox.run(&["skills", "end", &id, "pdf"]).exits(0);
    let twice = sandbox.run(&["skills", "end", &id, "pdf"]).exits(5);
    assert!(twice.stderr.contains("SKILL_NOT_FOUND"), "{}", twice.stderr);
    sandbox.run(&["say", &id, "Again.", "--base-url", &url, "--model", "test"]).exits(0);
    let asked = model.requests().pop().unwrap().to_string();
    assert!(!asked.contains("Field by field."), "{asked}");
    let unknown = sandbox.run(&["skills", "use", &id, "docx"]).exits(5);
    assert!(unknown.stderr.contains("Choose one of pdf."), "{}", unknown.stderr);
    let no_name = sandbox.run(&["skills", "use", &id, "../pdf"]).exits(5);
    assert!(no_name.stderr.contains("SKILL_NOT_FOUND"), "{}", no_name.stderr);
}
