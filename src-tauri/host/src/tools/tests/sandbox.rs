//! Links, second names, pipes, swaps, private and secret files.

use kernel::code::ErrorCode;
use kernel::path::AliasPath;
use rstest::rstest;
use serde_json::{Value, json};
use std::os::unix::fs::symlink;
use std::{fs, io};

use super::super::mounts::io_failure;
use super::fixture::{Fixture, code};

fn reason(r: &Value) -> &str {
    assert_eq!(code(r), "E_SANDBOX_VIOLATION");
    r["error"]["details"]["reason"].as_str().unwrap()
}

fn read(f: &Fixture, path: &str) -> Value {
    f.call("fs.read", &json!({ "path": path }))
}

fn write(f: &Fixture, path: &str) -> Value {
    f.call("fs.write", &json!({ "path": path, "content": "written" }))
}

#[test]
fn a_link_that_stays_inside_is_read_but_not_written() {
    let f = Fixture::new();
    f.put("project/docs/a.md", "inside");
    symlink("docs/a.md", f.real("project/link.md")).unwrap();
    symlink("docs", f.real("project/dir")).unwrap();
    symlink("../dir/a.md", f.real("project/docs/round.md")).unwrap();
    for path in ["@project/link.md", "@project/dir/a.md", "@project/docs/round.md"] {
        assert_eq!(read(&f, path)["content"], "inside", "{path}");
        let r = write(&f, path);
        assert_eq!(reason(&r), "symlink", "{path}");
        assert!(r["error"]["action"].as_str().unwrap().contains("by its own path"), "{r}");
        assert_eq!(r["error"]["details"]["mount"], "@project");
        assert_eq!(r["error"]["details"]["path"], path);
    }
    assert_eq!(f.get("project/docs/a.md"), "inside");
    let r = f.call("fs.list", &json!({ "path": "@project" }));
    assert_eq!(r["entries"], json!(["dir/", "docs/", "link.md"]));
    let r = f.call("fs.list", &json!({ "path": "@project/dir" }));
    assert_eq!(r["entries"], json!(["a.md", "round.md"]));
}

#[test]
fn a_link_that_leaves_is_not_read_not_listed_not_searched() {
    let f = Fixture::new();
    f.put("outside/x.md", "outside");
    symlink("../outside/x.md", f.real("project/rel.md")).unwrap();
    symlink(f.real("outside/x.md"), f.real("project/abs.md")).unwrap();
    symlink("../outside", f.real("project/dir")).unwrap();
    for path in ["@project/rel.md", "@project/abs.md", "@project/dir/x.md", "@project/dir"] {
        assert_eq!(reason(&read(&f, path)), "escapes", "{path}");
    }
    assert_eq!(f.call("fs.list", &json!({ "path": "@project" }))["entries"], json!([]));
    let r = f.call("fs.search", &json!({ "path": "@project", "pattern": "outside" }));
    assert_eq!(r["matches"], json!([]));
    assert_eq!(reason(&write(&f, "@project/dir/x.md")), "symlink");
    assert_eq!(f.get("outside/x.md"), "outside");
}

#[test]
fn links_in_a_circle_end() {
    let f = Fixture::new();
    symlink("b", f.real("project/a")).unwrap();
    symlink("a", f.real("project/b")).unwrap();
    assert_eq!(reason(&read(&f, "@project/a")), "link_loop");
}

#[test]
fn as_many_links_are_followed_as_linux_follows_and_not_one_more() {
    let f = Fixture::new();
    f.put("project/0", "inside");
    for n in 1..=41 {
        symlink((n - 1).to_string(), f.real(&format!("project/{n}"))).unwrap();
    }
    assert_eq!(read(&f, "@project/40")["content"], "inside");
    assert_eq!(reason(&read(&f, "@project/41")), "link_loop");
}

#[test]
fn a_folder_swapped_for_a_link_after_preparing_is_not_written_through() {
    let f = Fixture::new();
    f.put("project/docs/a.md", "inside").put("outside/a.md", "inside");
    let args = json!({ "path": "@project/docs/a.md", "content": "written" });
    let began = f.prepare("fs.write", &args).unwrap();
    fs::rename(f.real("project/docs"), f.real("project/docs-old")).unwrap();
    symlink("../outside", f.real("project/docs")).unwrap();
    let r = f.perform("fs.write", &args, Some(began)).result;
    assert_eq!(reason(&r), "symlink");
    assert_eq!(f.get("outside/a.md"), "inside");
    assert_eq!(f.names("outside"), ["a.md"]);
}

#[test]
fn a_file_swapped_for_a_link_after_preparing_is_not_written_through() {
    let f = Fixture::new();
    f.put("outside/a.md", "");
    let args = json!({ "path": "@project/new.md", "content": "written" });
    let began = f.prepare("fs.write", &args).unwrap();
    symlink("../outside/a.md", f.real("project/new.md")).unwrap();
    assert_eq!(reason(&f.perform("fs.write", &args, Some(began)).result), "symlink");
    assert_eq!(f.get("outside/a.md"), "");
}

#[test]
fn a_file_with_a_second_name_is_not_written() {
    let f = Fixture::new();
    f.put("outside/a.md", "both");
    fs::hard_link(f.real("outside/a.md"), f.real("project/a.md")).unwrap();
    assert_eq!(reason(&write(&f, "@project/a.md")), "hard_link");
    assert_eq!(f.get("outside/a.md"), "both");
}

#[test]
fn a_pipe_or_a_socket_is_refused_without_waiting() {
    let f = Fixture::new();
    let made = std::process::Command::new("mkfifo").arg(f.real("project/pipe")).status().unwrap();
    assert!(made.success());
    let _socket = std::os::unix::net::UnixListener::bind(f.real("project/socket")).unwrap();
    for path in ["@project/pipe", "@project/socket"] {
        assert_eq!(reason(&read(&f, path)), "special_file");
        assert_eq!(reason(&write(&f, path)), "special_file");
        let r = f.call("fs.search", &json!({ "path": path, "pattern": "x" }));
        assert_eq!(reason(&r), "special_file");
    }
    assert_eq!(f.call("fs.list", &json!({ "path": "@project" }))["entries"], json!([]));
    assert_eq!(f.call("fs.search", &json!({ "path": "@project", "pattern": "x" }))["ok"], true);
}

#[test]
fn ignore_files_that_are_pipes_do_not_hang_and_hide_rather_than_show() {
    let f = Fixture::new();
    f.put("project/a.md", "x");
    for name in [".gitignore", ".crewagentignore"] {
        let path = f.real("project").join(name);
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    }
    let r = read(&f, "@project/a.md");
    assert_eq!(reason(&r), "ignore_file");
    assert!(r["error"]["message"].as_str().unwrap().starts_with("@project/.crewagentignore"));
    fs::remove_file(f.real("project/.crewagentignore")).unwrap();
    let r = f.call("fs.search", &json!({ "path": "@project", "pattern": "x" }));
    assert_eq!(r["matches"].as_array().unwrap().len(), 1);
}

#[test]
fn what_the_user_keeps_private_is_neither_read_nor_written_under_any_name() {
    let f = Fixture::new();
    f.put("project/.crewagentignore", "private/\n/docs/draft.md\n*.Hidden\n");
    f.put("project/private/x.md", "p").put("project/docs/draft.md", "p");
    f.put("project/docs/ok.md", "fine").put("project/a.hidden", "p");
    f.put("project/docs/.crewagentignore", "inner.md\n").put("project/docs/inner.md", "p");
    symlink("private/x.md", f.real("project/x-link.md")).unwrap();
    symlink("docs", f.real("project/docs-link")).unwrap();
    for path in [
        "@project/private",
        "@project/private/x.md",
        "@project/docs/draft.md",
        "@project/a.hidden",
        "@project/x-link.md",
        "@project/docs-link/draft.md",
        "@project/docs/inner.md",
    ] {
        assert_eq!(reason(&read(&f, path)), "crewagentignore", "{path}");
    }
    for path in ["@project/private/new.md", "@project/docs/draft.md", "@project/b.HIDDEN"] {
        assert_eq!(reason(&write(&f, path)), "crewagentignore", "{path}");
    }
    assert_eq!(reason(&write(&f, "@project/.crewagentignore")), "ignore_file");
    assert_eq!(reason(&write(&f, "@project/new/.CrewAgentIgnore")), "ignore_file");
    for folder in ["@project/docs", "@project/docs-link"] {
        let r = f.call("fs.list", &json!({ "path": folder }));
        assert_eq!(r["entries"], json!(["ok.md"]), "{folder}");
        let r = f.call("fs.search", &json!({ "path": folder, "pattern": "p" }));
        assert_eq!(r["matches"], json!([]), "{folder}");
    }
    let r = f.call("fs.list", &json!({ "path": "@project" }));
    assert_eq!(r["entries"], json!(["docs-link/", "docs/"]));
}

#[test]
fn rules_hold_to_the_last_byte_of_256_kib_and_a_longer_file_refuses_everything() {
    let f = Fixture::new();
    f.put("project/a.md", "x").put("project/last.md", "x");
    let rule = "\nlast.md";
    let rules = |bytes: usize| format!("{}{rule}", "#".repeat(bytes - rule.len()));
    f.put("project/.crewagentignore", rules(256 * 1024));
    assert_eq!(reason(&read(&f, "@project/last.md")), "crewagentignore");
    assert_eq!(read(&f, "@project/a.md")["ok"], true);
    f.put("project/.crewagentignore", rules(256 * 1024 + 1));
    for path in ["@project/last.md", "@project/a.md"] {
        assert_eq!(reason(&read(&f, path)), "ignore_file", "{path}");
    }
}

#[test]
fn private_rules_that_cannot_be_understood_keep_everything_shut() {
    let f = Fixture::new();
    f.put("project/a.md", "x").put("project/docs/a.md", "x");
    let nested = |deep: usize| format!("{}a{}", "{".repeat(deep), "}".repeat(deep));
    for rules in [
        "*.key\n{a,b\n".to_owned(),
        "[z-a]\n".to_owned(),
        format!("secret/\n{}\n", nested(20_000)),
        "a".repeat(1001),
        "a\n".repeat(10_001),
    ] {
        for place in ["project/.crewagentignore", "project/docs/.crewagentignore"] {
            f.put(place, &rules);
            assert_eq!(reason(&read(&f, "@project/docs/a.md")), "ignore_file", "{rules:.40}");
            assert_eq!(reason(&write(&f, "@project/docs/b.md")), "ignore_file", "{rules:.40}");
            f.put(place, format!("# {{a,b\n\n{}\n", nested(20)));
            assert_eq!(read(&f, "@project/docs/a.md")["ok"], true);
        }
    }
    f.put("project/.crewagentignore", "*.key\n{a,b\n");
    let said = read(&f, "@project/a.md").to_string();
    assert!(said.contains(".crewagentignore") && said.contains("line 2"), "{said}");
}

#[test]
fn a_rule_about_folders_does_not_keep_a_new_file_of_that_name_from_being_written() {
    let f = Fixture::new();
    f.put("project/.crewagentignore", "build/\n");
    assert_eq!(write(&f, "@project/build")["ok"], true);
    let r = f.call("fs.list", &json!({ "path": "@project" }));
    assert_eq!(r["entries"], json!(["build"]));
    assert_eq!(reason(&write(&f, "@project/docs/build/a.md")), "crewagentignore");
}

#[test]
fn secrets_need_the_users_leave() {
    let mut f = Fixture::new();
    f.put("project/.env", "KEY=1").put("project/tls/server.key", "k").put("pkg/.env", "KEY=2");
    symlink(".env", f.real("project/innocent.md")).unwrap();
    let paths = ["@project/.env", "@project/tls/server.key", "@project/innocent.md", "@pkg/.env"];
    for path in paths {
        let r = read(&f, path);
        assert_eq!(code(&r), "E_SECRET_FILE", "{path}");
        assert!(!r.to_string().contains("KEY"));
    }
    let patch = json!({ "path": "@project/.env", "patch": { "operation": "replace", "old": "KEX", "new": "" } });
    assert_eq!(f.prepare("fs.apply_patch", &patch).unwrap_err().code, ErrorCode::SecretFile);
    assert_eq!(code(&write(&f, "@project/.env")), "E_SECRET_FILE");
    f.policy.allow_secret_files = true;
    for path in paths {
        assert_eq!(read(&f, path)["ok"], true, "{path}");
    }
}

#[test]
fn the_package_the_state_and_git_are_never_written() {
    let f = Fixture::new();
    f.put("pkg/a.md", "p").put("project/.git/config", "g").put("state/logs/x", "l");
    for (path, why) in [
        ("@pkg/a.md", "read_only"),
        ("@pkg/new.md", "read_only"),
        ("@state/logs/x", "state_private"),
        ("@state/new.md", "state_private"),
        ("@project/.git/config", "git_internals"),
        ("@project/.GIT/hooks/pre-commit", "git_internals"),
        ("@project/sub/.git", "git_internals"),
    ] {
        assert_eq!(reason(&write(&f, path)), why, "{path}");
    }
    assert_eq!(f.get("pkg/a.md"), "p");
    assert_eq!(f.names("state/logs"), ["x"]);
    assert_eq!(f.names("project"), [".git"]);
}

#[test]
fn the_project_file_is_the_persons_in_every_spelling_and_place() {
    let f = Fixture::new();
    f.put("project/.crewagent.json", r#"{"projectId":"mine"}"#).put("project/a.json", "{}");
    f.put("project/inner/.crewagent.json", "{}").put("project/inner/b.md", "b");
    for path in
        ["@project/.crewagent.json", "@project/.CrewAgent.JSON", "@project/new/.crewagent.json"]
    {
        assert_eq!(reason(&write(&f, path)), "project_file", "{path}");
        let moved = json!({ "from": "@project/a.json", "to": path });
        assert_eq!(reason(&f.call("fs.move", &moved)), "project_file", "{path}");
    }
    let deleted = f.call("fs.delete", &json!({ "path": "@project/.crewagent.json" }));
    assert_eq!(reason(&deleted), "project_file");
    let whole = json!({ "path": "@project/inner", "recursive": true });
    assert_eq!(reason(&f.call("fs.delete", &whole)), "protected_inside");
    assert_eq!(f.get("project/.crewagent.json"), r#"{"projectId":"mine"}"#);
    assert_eq!(read(&f, "@project/.crewagent.json")["ok"], true, "it may be read");
}

#[test]
fn no_folder_becomes_a_repository_that_git_takes_orders_from() {
    for last in ["docs/HEAD", "docs/objects/x", "docs/refs/x", "docs/objects"] {
        let f = Fixture::new();
        for part in ["docs/HEAD", "docs/config", "docs/objects/x", "docs/refs/x"] {
            if !part.starts_with(last) && !last.starts_with(part) {
                assert_eq!(write(&f, &format!("@project/{part}"))["ok"], true, "{part}");
            }
        }
        let path = format!("@project/{last}");
        assert_eq!(reason(&write(&f, &path)), "bare_repository", "{last}");
        f.put("project/a.md", "x");
        let moved = json!({ "from": "@project/a.md", "to": path });
        assert_eq!(reason(&f.call("fs.move", &moved)), "bare_repository", "{last}");
    }
    // One that says where its objects are.
    let f = Fixture::new();
    assert_eq!(write(&f, "@project/docs/commondir")["ok"], true);
    assert_eq!(reason(&write(&f, "@project/docs/head")), "bare_repository");
    // One that is there is Git's own.
    f.put("project/b/HEAD", "ref").put("project/b/objects/x", "").put("project/b/refs/x", "");
    assert_eq!(reason(&write(&f, "@project/b/config")), "bare_repository");
    assert_eq!(reason(&write(&f, "@project/b/hooks/post-index-change")), "bare_repository");
    // Files of these names alone are files.
    assert_eq!(write(&f, "@project/refs/notes.md")["ok"], true);
    assert_eq!(write(&f, "@project/c/HEAD")["ok"], true);
}

#[test]
fn rules_that_cannot_be_read_end_a_listing_that_a_link_leads_below_them() {
    let f = Fixture::new();
    f.put("project/docs/a.md", "x").put("project/docs/.crewagentignore", [0xff]);
    f.put("project/links/own.md", "x");
    symlink("../docs/a.md", f.real("project/links/a.md")).unwrap();
    for (tool, args) in [
        ("fs.list", json!({ "path": "@project/links" })),
        ("fs.glob", json!({ "pattern": "links/*" })),
    ] {
        let r = f.call(tool, &args);
        assert_eq!(reason(&r), "ignore_file", "{tool}");
        assert_eq!(r["error"]["details"]["path"], "@project/docs/.crewagentignore");
    }
}

#[test]
fn ignore_files_of_the_package_are_plain_files() {
    let f = Fixture::new();
    f.put("pkg/a.md", "needle").put("pkg/.crewagentignore", [0xff]);
    let r = f.call("fs.search", &json!({ "path": "@pkg", "pattern": "needle" }));
    assert_eq!(r["matches"].as_array().unwrap().len(), 1, "{r}");
    let r = f.call("fs.glob", &json!({ "path": "@pkg", "pattern": "*.md" }));
    assert_eq!(r["ok"], true, "{r}");
}

#[test]
fn a_name_of_the_old_short_form_is_an_ordinary_one_where_no_disk_makes_them() {
    let f = Fixture::new();
    assert_eq!(write(&f, "@project/LONGNA~1.TXT")["ok"], true);
    assert_eq!(read(&f, "@project/LONGNA~1.TXT")["content"], "written");
}

#[test]
fn a_file_where_a_folder_should_be_is_called_one() {
    let f = Fixture::new();
    f.put("project/a.md", "inside");
    let r = write(&f, "@project/a.md/b.md");
    let message = r["error"]["message"].as_str().unwrap();
    assert!(message.contains("`a.md` is a file, not a folder"), "{r}");
    assert_eq!(f.get("project/a.md"), "inside");
}

#[rstest]
#[case::no_right(13, ErrorCode::Io, "accessible")]
#[case::read_only_disk(30, ErrorCode::Io, "accessible")]
#[case::full_disk(28, ErrorCode::Io, "Free some disk space")]
#[case::nothing_there(2, ErrorCode::NotFound, "fs_list")]
#[case::a_file_on_the_way(20, ErrorCode::NotFound, "fs_list")]
#[case::anything_else(5, ErrorCode::Io, "check the disk")]
fn an_error_of_the_disk_says_what_to_do(
    #[case] number: i32,
    #[case] expected: ErrorCode,
    #[case] advice: &str,
) {
    let path = AliasPath::parse("@project/a.md").unwrap();
    let failure = io_failure(&path, &io::Error::from_raw_os_error(number));
    assert_eq!(failure.code, expected);
    assert!(failure.message.starts_with("@project/a.md: "), "{failure}");
    assert!(failure.action.as_ref().unwrap().contains(advice), "{failure:?}");
}

#[test]
fn a_refusal_below_the_handle_is_a_path_that_leaves_not_a_missing_right() {
    let path = AliasPath::parse("@project/a.md").unwrap();
    let refusal = io::Error::new(io::ErrorKind::PermissionDenied, "a path led outside");
    assert_eq!(io_failure(&path, &refusal).details.unwrap()["reason"], "escapes");
}

#[test]
fn the_programs_own_data_in_a_project_is_neither_shown_nor_read_nor_changed() {
    let mut f = Fixture::new();
    let state = "project/Data/store/projects/p/runs/r/workflow.md";
    f.put(state, "secret words").put("project/Data/a.md", "other words");
    f.put("project/Data/store-notes.md", "more words");
    f.keep_data_in("project/Data/store");
    symlink("Data/store", f.real("project/link")).unwrap();
    let below = |rel: &str| format!("@project/{rel}");
    let names = ["Data/store", "data/STORE", "Data/store/projects/p/runs/r/workflow.md", "link"];
    for path in names.map(below) {
        for (tool, args) in [
            ("fs.read", json!({ "path": path })),
            ("fs.list", json!({ "path": path })),
            ("fs.glob", json!({ "path": path, "pattern": "**" })),
            ("fs.search", json!({ "path": path, "pattern": "words" })),
        ] {
            // What this disk does not know by that name is not there.
            let r = f.call(tool, &args);
            let refused = r["ok"] == false && r["error"]["details"]["reason"] == "program_data";
            assert!(refused, "{tool} {path}: {r}");
        }
    }
    let list = f.call("fs.list", &json!({ "path": "@project", "depth": 5 }));
    assert_eq!(list["entries"], json!(["Data/", "Data/a.md", "Data/store-notes.md"]));
    let glob = f.call("fs.glob", &json!({ "path": "@project", "pattern": "**/*.md" }));
    assert_eq!(glob["paths"], json!(["@project/Data/a.md", "@project/Data/store-notes.md"]));
    let found = f.call("fs.search", &json!({ "path": "@project", "pattern": "words" }));
    assert_eq!(found["matches"].as_array().unwrap().len(), 2, "{found}");

    let (state, new) = (below(&state["project/".len()..]), below("Data/store/new.md"));
    let patch = json!({ "operation": "replace", "old": "secret", "new": "open" });
    for (tool, args) in [
        ("fs.apply_patch", json!({ "path": state, "patch": patch })),
        ("fs.write", json!({ "path": new, "content": "x" })),
        ("fs.delete", json!({ "path": state })),
        ("fs.delete", json!({ "path": "@project/Data/store", "recursive": true })),
        ("fs.move", json!({ "from": "@project/Data/store", "to": "@project/mine" })),
        ("fs.move", json!({ "from": "@project/Data/a.md", "to": new })),
    ] {
        assert_eq!(reason(&f.call(tool, &args)), "program_data", "{tool} {args}");
    }
    // A folder above it goes nowhere, with it or without.
    let away = json!({ "path": "@project/Data", "recursive": true });
    assert_eq!(reason(&f.call("fs.delete", &away)), "protected_inside");
    let moved = json!({ "from": "@project/Data", "to": "@project/mine" });
    assert_eq!(reason(&f.call("fs.move", &moved)), "protected_inside");
    assert_eq!(f.get("project/Data/store/projects/p/runs/r/workflow.md"), "secret words");
    assert_eq!(f.get("project/Data/a.md"), "other words");
}

#[test]
fn a_project_inside_the_programs_own_data_has_no_file_for_tools() {
    let mut f = Fixture::new();
    f.put("project/a.md", "text");
    f.keep_data_in("");
    assert_eq!(reason(&read(&f, "@project/a.md")), "program_data");
    assert_eq!(reason(&write(&f, "@project/b.md")), "program_data");
    // The state document is reached as ever, by its own name.
    f.put("state/workflow.md", "state");
    assert_eq!(read(&f, "@state/workflow.md")["content"], "state");
}
