//! What a run may change unasked, and what never.

use super::*;
use crate::graph::output_file;
use crate::tool::parse_call;
use rstest::rstest;
use serde_json::{Value, json};

fn holds(outputs: &[&str], tool: &str, args: &Value) -> bool {
    let outputs: Vec<_> = outputs.iter().filter_map(|o| output_file(o).ok()).collect();
    let parsed = parse_call(tool, &args.to_string()).unwrap();
    WriteScope { artifacts_dir: Some("artifacts"), outputs: &outputs }.holds(&parsed)
}

fn writes(outputs: &[&str], path: &str) -> bool {
    holds(outputs, "fs.write", &json!({ "path": path, "content": "x" }))
}

#[rstest]
#[case::artifacts(&[], "@project/artifacts/a/b.md", true)]
#[case::same_beginning(&[], "@project/artifacts.md", false)]
#[case::other_case(&[], "@project/Artifacts/a.md", false)]
#[case::declared(&["docs/a.md"], "@project/docs/a.md", true)]
#[case::declared_with_alias(&["@project/docs/a.md"], "@project/./docs//a.md", true)]
#[case::other_file(&["docs/a.md"], "@project/docs/b.md", false)]
#[case::declared_in_other_case(&["docs/A.md"], "@project/docs/a.md", false)]
#[case::below_a_declared_name(&["docs/a.md"], "@project/docs/a.md/b", false)]
#[case::artifacts_by_mark(&[], "⟦folder:project⟧/artifacts/a.md", true)]
#[case::declared_by_mark(&["docs/a.md"], "⟦folder:project⟧/docs/a.md", true)]
#[case::other_file_by_mark(&["docs/a.md"], "⟦folder:project⟧/docs/b.md", false)]
fn a_file_is_in_the_scope_by_its_name(
    #[case] outputs: &[&str],
    #[case] path: &str,
    #[case] inside: bool,
) {
    assert_eq!(writes(outputs, path), inside);
}

#[rstest]
#[case::any_depth("**")]
#[case::pattern("*.md")]
#[case::folder("a/")]
#[case::the_project("./")]
#[case::nothing("")]
#[case::leaves_the_project("../README.md")]
#[case::climbs_within("docs/../README.md")]
#[case::absolute("/README.md")]
#[case::unfilled("{{README}}.md")]
#[case::a_sentence("A README.md for the team")]
#[case::another_mount("@state/README.md")]
fn an_output_that_is_no_place_frees_nothing(#[case] output: &str) {
    for path in ["@project/README.md", "@project/a/README.md"] {
        assert!(!writes(&[output], path), "{path}");
    }
}

const INSIDE: &str = "@project/artifacts/a.md";
const OUTSIDE: &str = "@project/docs/b.md";

#[rstest]
#[case::within("fs.move", json!({ "from": INSIDE, "to": "@project/artifacts/b.md" }), true)]
#[case::out("fs.move", json!({ "from": INSIDE, "to": OUTSIDE }), false)]
#[case::inwards("fs.move", json!({ "from": OUTSIDE, "to": INSIDE }), false)]
// A folder with everything in it may come to lie at `docs/a.md`, or already lie there.
#[case::to_an_output("fs.move", json!({ "from": INSIDE, "to": "@project/docs/a.md" }), false)]
#[case::from_a_name("fs.move", json!({ "from": "@project/docs/a.md", "to": INSIDE }), false)]
#[case::delete_a_name("fs.delete", json!({ "path": "@project/docs/a.md" }), true)]
#[case::with_all_in_it(
    "fs.delete",
    json!({ "path": "@project/docs/a.md", "recursive": true }),
    false
)]
#[case::below("fs.delete", json!({ "path": "@project/artifacts/old", "recursive": true }), true)]
#[case::the_artifacts("fs.delete", json!({ "path": "@project/artifacts", "recursive": true }), false)]
#[case::the_project("fs.delete", json!({ "path": "@project", "recursive": true }), false)]
fn every_end_of_a_call_lies_inside(#[case] tool: &str, #[case] args: Value, #[case] inside: bool) {
    assert_eq!(holds(&["docs/a.md"], tool, &args), inside);
}

#[test]
fn an_artifacts_folder_that_is_the_project_frees_nothing() {
    let parsed = parse_call("fs.write", r#"{"path":"@project/a.md","content":""}"#).unwrap();
    for artifacts_dir in ["", ".", "..", "/"] {
        assert!(
            !WriteScope { artifacts_dir: Some(artifacts_dir), outputs: &[] }.holds(&parsed),
            "{artifacts_dir:?}"
        );
    }
}

#[rstest]
#[case(".git/hooks/pre-commit", true)]
#[case("sub/.GIT/config", true)]
#[case(".envrc", true)]
#[case("artifacts/.Envrc", true)]
#[case(".bashrc", true)]
#[case(".zshrc", true)]
#[case(".bash_profile", true)]
#[case(".vscode/tasks.json", true)]
#[case(".vscode", true)]
#[case("garden.code-workspace", true)]
#[case(".github/workflows/ci.yml", true)]
// A folder with `workflows/ci.yml` in it can be moved here.
#[case(".github", true)]
#[case(".github/CODEOWNERS", false)]
#[case(".pre-commit-config.yaml", true)]
#[case(".gitlab-ci.yml", true)]
#[case("autorun.inf", true)]
#[case("Start.desktop", true)]
#[case(".crewagent.json", true)]
#[case(".v\u{17f}code/tasks.json", true)]
#[case("\u{ff0e}envrc", true)]
#[case("sub/.hu\u{200c}sky/pre-push", true)]
#[case("Jen\u{212a}insfile", true)]
#[case(".cargo/config.toml", true)]
#[case("crates/a/build.rs", true)]
#[case("tests/conftest.py", true)]
#[case("web/vite.config.ts", true)]
#[case(".eslintrc.cjs", true)]
#[case(".yarnrc.yml", true)]
#[case("app/build.gradle.kts", true)]
#[case(".config/nvim/init.lua", true)]
#[case(".git-hooks/pre-push", true)]
#[case("CLAUDE.md", true)]
#[case("docs/agents.md", true)]
#[case("GEMINI.md", true)]
#[case(".cursorrules", true)]
#[case(".gemini/settings.json", true)]
#[case(".codex/config.toml", true)]
#[case(".kiro/hooks/a.json", true)]
#[case(".roo/mcp.json", true)]
#[case(".github/copilot-instructions.md", true)]
#[case(".aider.conf.yml", true)]
#[case(".Rprofile", true)]
#[case(".bash_aliases", true)]
#[case("hie.yaml", true)]
#[case(".gitpod.yml", true)]
#[case(".pylintrc", true)]
#[case(".vim/ftplugin/a.vim", true)]
#[case(".helix/languages.toml", true)]
#[case(".huskyrc.json", true)]
#[case("gradle/wrapper/gradle-wrapper.properties", true)]
#[case("gradlew.bat", true)]
#[case("tools/bazel", true)]
#[case("mise.local.toml", true)]
#[case(".mise/tasks/a", true)]
#[case(".config/mise/config.toml", true)]
#[case(".ghci", true)]
#[case(".ocamlinit", true)]
#[case(".pdbrc", true)]
#[case(".xprofile", true)]
#[case(".xinitrc", true)]
#[case(".config/git/config", true)]
#[case(".config/environment.d/a.conf", true)]
#[case("Library/LaunchAgents/a.plist", true)]
#[case(".vs/tasks.vs.json", true)]
#[case(".lazy.lua", true)]
#[case(".lvimrc", true)]
#[case("App.csproj", true)]
#[case("src/App.targets", true)]
#[case(".yarn/releases/yarn-4.cjs", true)]
#[case(".gitlab/ci/build.yml", true)]
#[case(".buildkite/pipeline.yml", true)]
#[case(".cirrus.yml", true)]
#[case("appveyor.yml", true)]
#[case(".builds/a.yml", true)]
#[case("lefthook-local.yml", true)]
#[case(".simple-git-hooks.json", true)]
#[case(".hu\u{17f}kyrc", true)]
#[case("docs/claude-notes.md", false)]
#[case("my-agents.md", false)]
#[case("gradle/libs.versions.toml", false)]
#[case("tools/a.py", false)]
#[case("targets.md", false)]
#[case(".gitlab/issue_templates/a.md", false)]
#[case(".yarn/cache/a.zip", false)]
#[case("library/books.md", false)]
#[case("src/config.ts", false)]
#[case("src/builder.rs", false)]
#[case(".config/app.toml", false)]
#[case("git/hooks", false)]
#[case("Makefile", false)]
#[case("package.json", false)]
#[case("docs/envrc", false)]
#[case("artifacts/plan.md", false)]
#[case(".gitignore", false)]
fn files_that_start_by_themselves_are_known_by_name(#[case] path: &str, #[case] known: bool) {
    let path = AliasPath::try_from(format!("@project/{path}")).unwrap();
    assert_eq!(is_self_starting(&path), known);
}

#[rstest]
#[case(".husky/pre-commit", true)]
#[case(".github/workflows/ci.yml", true)]
#[case(".github/workflows", true)]
#[case("a/CLAUDE.md", true)]
// Folders on the way: they do nothing, and what comes to lie in them is looked at by its own name.
#[case(".github", false)]
#[case("tools", false)]
#[case("library", false)]
#[case(".github/CODEOWNERS", false)]
#[case("docs/a.md", false)]
fn a_folder_on_the_way_starts_nothing(#[case] path: &str, #[case] starts: bool) {
    let path = AliasPath::try_from(format!("@project/{path}")).unwrap();
    assert_eq!(starts_by_itself(&path), starts);
}

#[rstest]
#[case("Makefile", true)]
#[case("package.json", true)]
#[case("web/Package.JSON", true)]
#[case("Cargo.toml", true)]
#[case("ci/Dockerfile.release", true)]
#[case("GNUmakefile", true)]
#[case("BUILD", true)]
#[case(".envrc", true)]
#[case("tools", true)]
#[case("build/notes.md", false)]
#[case("Makefile.d/a.md", false)]
#[case("docs/package.md", false)]
#[case("src/main.rs", false)]
fn what_decides_what_is_run_stands_for_itself(#[case] path: &str, #[case] alone: bool) {
    let path = AliasPath::try_from(format!("@project/{path}")).unwrap();
    assert_eq!(stands_for_itself(&path), alone);
}

#[test]
fn a_star_stands_for_any_part_of_a_name() {
    for (pattern, name, fits) in [
        ("a*c", "abc", true),
        ("a*c", "ac", true),
        ("a*c", "acb", false),
        ("*", "anything", true),
        ("a*b*c", "a-b-c", true),
        ("a*b*c", "a-c-b", false),
        ("ab*ba", "aba", false),
        ("*资*", "我的资料", true),
    ] {
        assert_eq!(name_fits(pattern, name), fits, "{pattern} {name}");
    }
}
