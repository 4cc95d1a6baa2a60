//! Agent Skills in the real window: one is activated by a press, is at work in the next request, and is
//! ended; another one the model activates by itself.

use crate::models::a_model;
use crate::window::{App, keep_settings, start_app};
use host::host::{Host, HostOptions};
use kernel::command::Command;
use serde_json::{Value, json};
use std::path::Path;

fn text(text: &str) -> Value {
    json!({ "text": text })
}

fn skill(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

async fn presses(app: &App, id: &str) {
    app.by_css(&format!("[data-testid='{id}']:enabled")).await.click().await.unwrap();
}

async fn says(app: &App, words: &str) {
    app.by_css("[data-testid='composer-input']:enabled").await.send_keys(words).await.unwrap();
    presses(app, "send").await;
}

/// What the model was asked last, as text.
fn asked(model: &host::llm::DemoServer) -> String {
    model.requests().pop().expect("the model was asked").to_string()
}

async fn uses_skills(folder: &Path, theme: &str, language: &str) {
    let look = format!("{theme}-{language}");
    let activates = json!({ "calls": [{ "name": "skill_activate", "arguments": json!({ "name": "letters" }).to_string() }] });
    let replies = [text("I look at the form first."), activates, text("Dear Ann,"), text("Bye.")];
    let model = a_model(&replies, Vec::new()).await;
    let settings = json!({ "model": { "baseUrl": model.base_url(), "model": "demo" },
                           "appearance": { "theme": theme, "language": language } });
    keep_settings(folder, &settings.to_string());
    skill(
        folder,
        "home/.agents/skills/forms/SKILL.md",
        "---\nname: forms\ndescription: Fills in forms, field by field. Use it when there is a PDF form.\n---\nField by field.\n",
    );
    skill(folder, "home/.agents/skills/forms/scripts/fill.py", "print()\n");
    skill(
        folder,
        "home/garden/.claude/skills/letters/SKILL.md",
        "---\nname: letters\ndescription: Writes letters to people who garden.\nallowed-tools: Read, Grep\n---\nBegin with the name.\n",
    );
    skill(folder, "home/garden/.agents/skills/broken/SKILL.md", "No front matter.\n");
    let host = Host::open(HostOptions::new(folder.join("store"), "cli")).await.unwrap();
    let path = folder.join("home/garden").to_string_lossy().into_owned();
    host.submit(Command::OpenProject { path, create: true }).await.unwrap();
    host.close().await;
    let Some(app) = start_app(folder).await else { return };
    app.by_css("[data-testid='recent-project']").await.click().await.unwrap();
    presses(&app, "new-chat").await;
    presses(&app, "skills-button").await;
    app.by_css("[data-testid='skill-row'][data-name='forms']").await;
    app.screenshot(&format!("skills-menu-{look}")).await;
    let forms = "[data-testid='skill-row'][data-name='forms'] [data-testid='skill-activate']";
    app.by_css(forms).await.click().await.unwrap();
    app.by_css("[data-testid='skill-chip'][data-name='forms']").await;
    says(&app, "Fill it in.").await;
    app.by_words("message-assistant", "I look at the form first.").await;
    assert!(asked(&model).contains("Field by field."), "{}", asked(&model));
    app.screenshot(&format!("skills-chip-{look}")).await;
    app.by_css("[data-testid='skill-chip'][data-name='forms'] [data-testid='skill-chip-end']")
        .await
        .click()
        .await
        .unwrap();
    says(&app, "Now a letter.").await;
    app.by_words("message-assistant", "Dear Ann,").await;
    let told = asked(&model);
    assert!(!told.contains("Field by field.") && told.contains("Begin with the name."), "{told}");
    assert!(!told.contains("\"fs_write\""), "the skill names other tools");
    app.by_css("[data-testid='skill-chip'][data-name='letters']").await;
    app.sized((900, 600)).await;
    app.screenshot(&format!("skills-by-the-model-small-{look}")).await;
    app.sized((1280, 800)).await;
    presses(&app, "rail-settings").await;
    presses(&app, "settings-skills").await;
    app.by_test_id("unusable-skill").await;
    app.screenshot(&format!("skills-settings-{look}")).await;
    app.quit().await;
}

#[tokio::test]
async fn a_skill_is_activated_by_a_press_and_one_by_the_model() {
    let folder = tempfile::tempdir().unwrap();
    uses_skills(folder.path(), "light", "en").await;
}

#[tokio::test]
async fn skills_look_right_in_dark_and_chinese() {
    let folder = tempfile::tempdir().unwrap();
    uses_skills(folder.path(), "dark", "zh").await;
}
