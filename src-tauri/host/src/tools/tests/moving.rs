//! `fs.move` and `fs.delete`, and what a crash in the middle leaves.

use kernel::bounds::TREE_ENTRIES;
use kernel::code::ErrorCode;
use kernel::effect::{Began, Permit, Settled};
use kernel::text::sha256_hex;
use kernel::tool::{EffectClass, parse_call};
use serde_json::{Value, json};
use std::fs;

use super::fixture::{Fixture, code};

fn mv(f: &Fixture, from: &str, to: &str) -> Value {
    f.call("fs.move", &json!({ "from": from, "to": to }))
}

fn del(f: &Fixture, path: &str) -> Value {
    f.call("fs.delete", &json!({ "path": path }))
}

fn del_all(f: &Fixture, path: &str) -> Value {
    f.call("fs.delete", &json!({ "path": path, "recursive": true }))
}

#[test]
fn a_file_is_moved_with_its_folders_and_nothing_else_happens() {
    let f = Fixture::new();
    f.put("project/a.md", "text");
    let r = mv(&f, "@project/a.md", "@project/deep/er/b.md");
    assert_eq!(
        r,
        json!({ "ok": true, "path": "@project/a.md", "to": "@project/deep/er/b.md",
            "moved": "file", "sha256": sha256_hex(b"text") })
    );
    assert_eq!(f.get("project/deep/er/b.md"), "text");
    assert_eq!(f.names("project"), ["deep"]);
}

#[test]
fn a_name_that_is_taken_above_is_free_in_a_folder_yet_to_be_made() {
    let f = Fixture::new();
    f.put("project/a.md", "text").put("project/b.md", "other");
    assert_eq!(mv(&f, "@project/a.md", "@project/new/b.md")["ok"], true);
    assert_eq!((f.get("project/new/b.md"), f.get("project/b.md")), ("text".into(), "other".into()));
}

#[test]
fn a_folder_is_moved_whole() {
    let f = Fixture::new();
    f.put("project/old/a.md", "1").put("project/old/sub/b.md", "2");
    let r = mv(&f, "@project/old", "@project/new");
    assert_eq!((&r["moved"], &r["files"]), (&json!("folder"), &json!(2)));
    assert_eq!(f.get("project/new/sub/b.md"), "2");
    assert_eq!(f.names("project"), ["new"]);
}

#[test]
fn a_move_overwrites_nothing() {
    let f = Fixture::new();
    f.put("project/a.md", "a").put("project/b.md", "b").put("project/d/x", "x");
    for to in ["@project/b.md", "@project/d"] {
        assert_eq!(code(&mv(&f, "@project/a.md", to)), "EEXIST", "{to}");
    }
    fs::create_dir(f.real("project/empty")).unwrap();
    assert_eq!(code(&mv(&f, "@project/d", "@project/empty")), "EEXIST");
    // Before the person is asked, too, and before anything is journaled.
    let args = json!({ "from": "@project/a.md", "to": "@project/b.md" });
    assert_eq!(f.prepare("fs.move", &args).unwrap_err().code, ErrorCode::AlreadyExists);
    // Somebody makes the file between the two lines of the journal.
    let args = json!({ "from": "@project/a.md", "to": "@project/c.md" });
    let began = f.prepare("fs.move", &args).unwrap();
    f.put("project/c.md", "theirs");
    assert_eq!(code(&f.perform("fs.move", &args, Some(began)).result), "EEXIST");
    assert_eq!((f.get("project/c.md"), f.get("project/a.md")), ("theirs".into(), "a".into()));
}

#[test]
fn a_move_onto_itself_into_itself_or_from_nowhere_is_refused() {
    let f = Fixture::new();
    f.put("project/d/x", "x");
    assert_eq!(code(&mv(&f, "@project/d", "@project/./d")), "E_INVALID_ARGS");
    assert_eq!(code(&mv(&f, "@project/d", "@project/d/e/f")), "E_INVALID_ARGS");
    assert_eq!(code(&mv(&f, "@project/n", "@project/m")), "ENOENT");
    assert_eq!(code(&mv(&f, "@project", "@project/m")), "E_IO");
    assert_eq!(code(&mv(&f, "@project/d", "@project")), "E_IO");
    assert_eq!(f.names("project"), ["d"]);
}

#[test]
fn a_name_may_change_its_case_only() {
    let f = Fixture::new();
    f.put("project/readme.md", "x");
    assert_eq!(mv(&f, "@project/readme.md", "@project/README.md")["ok"], true);
    assert_eq!(f.names("project"), ["README.md"]);
}

#[cfg(unix)]
#[test]
fn no_folder_is_moved_so_that_other_programs_start_what_is_in_it() {
    let f = Fixture::new();
    f.put("project/gh/workflows/ci.yml", "on: push\n").put("project/x/tasks.json", "{}");
    f.put("project/vendor/a/.github/workflows/ci.yml", "evil\n");
    for (from, to, lands) in [
        ("gh", ".github", ".github/workflows/ci.yml"),
        ("gh/workflows", ".GitHub/Workflows", ".GitHub/Workflows/ci.yml"),
        ("x", "sub/.vscode", "sub/.vscode/tasks.json"),
        ("gh", "sub/.husky/more", "sub/.husky/more/workflows/ci.yml"),
        // It has that name already, but where it lies nobody starts it.
        ("vendor/a/.github", ".github", ".github/workflows/ci.yml"),
    ] {
        let path = |rel: &str| format!("@project/{rel}");
        let r = mv(&f, &path(from), &path(to));
        assert_eq!(code(&r), "E_SELF_STARTING", "{from} {r}");
        assert_eq!(r["error"]["details"]["path"], path(lands), "{from}");
    }
    assert_eq!(f.names("project"), ["gh", "vendor", "x"]);
}

#[test]
fn a_folder_moves_with_files_that_start_by_their_own_names() {
    let f = Fixture::new();
    f.put("project/crates/a/build.rs", "fn main() {}").put("project/x/b.md", "b");
    assert_eq!(mv(&f, "@project/crates/a", "@project/crates/b")["ok"], true);
    // The name of a folder on the way starts nothing.
    assert_eq!(mv(&f, "@project/x", "@project/.github")["ok"], true);
    assert_eq!(f.names("project/.github"), ["b.md"]);
}

#[test]
fn what_tools_may_not_change_is_neither_moved_nor_deleted_nor_a_target() {
    use std::os::unix::fs::symlink;
    let f = Fixture::new();
    f.put("project/.crewagentignore", "private/\n*.mine\n").put("project/private/x.md", "x");
    f.put("project/.env", "K=1").put("project/.git/config", "g").put("project/a.md", "a");
    f.put("project/outer/private/x.md", "x").put("project/sub/.env", "K").put("project/ln/a", "1");
    f.put("outside/shared", "s").put("pkg/step.md", "p").put("state/logs/x", "l");
    symlink("a.md", f.real("project/link")).unwrap();
    fs::hard_link(f.real("outside/shared"), f.real("project/hard")).unwrap();
    fs::hard_link(f.real("outside/shared"), f.real("project/ln/hard")).unwrap();
    for (path, wanted) in [
        ("@project/.env", "E_SECRET_FILE"),
        ("@project/.git", "E_SANDBOX_VIOLATION"),
        ("@project/.git/config", "E_SANDBOX_VIOLATION"),
        ("@project/.crewagentignore", "E_SANDBOX_VIOLATION"),
        ("@project/.CrewAgentIgnore", "E_SANDBOX_VIOLATION"),
        ("@project/private", "E_SANDBOX_VIOLATION"),
        ("@project/private/x.md", "E_SANDBOX_VIOLATION"),
        ("@project/outer", "E_SANDBOX_VIOLATION"),
        ("@project/sub", "E_SANDBOX_VIOLATION"),
        ("@project/link", "E_SANDBOX_VIOLATION"),
        ("@project/hard", "E_SANDBOX_VIOLATION"),
        ("@project/ln", "E_SANDBOX_VIOLATION"),
        ("@pkg/step.md", "E_SANDBOX_VIOLATION"),
        ("@state/logs/x", "E_SANDBOX_VIOLATION"),
    ] {
        assert_eq!(code(&del_all(&f, path)), wanted, "delete {path}");
        assert_eq!(code(&mv(&f, path, "@project/free.md")), wanted, "move {path}");
    }
    let inside = del_all(&f, "@project/sub");
    assert!(!inside.to_string().contains(".env"), "private names are not told: {inside}");
    for (to, wanted) in [
        ("@project/.env", "E_SECRET_FILE"),
        ("@project/x.mine", "E_SANDBOX_VIOLATION"),
        ("@project/private/y.md", "E_SANDBOX_VIOLATION"),
        ("@project/.git/hooks/pre-commit", "E_SANDBOX_VIOLATION"),
        ("@project/link/y", "E_SANDBOX_VIOLATION"),
        ("@pkg/y.md", "E_SANDBOX_VIOLATION"),
        ("@state/y.md", "E_SANDBOX_VIOLATION"),
    ] {
        assert_eq!(code(&mv(&f, "@project/a.md", to)), wanted, "to {to}");
    }
    assert_eq!(f.get("project/a.md"), "a");
}

#[test]
fn a_folder_whose_files_would_become_private_by_the_move_stays() {
    let f = Fixture::new();
    f.put("project/keys/config", "x");
    let r = mv(&f, "@project/keys", "@project/.ssh");
    assert_eq!(r["error"]["details"]["reason"], "protected_inside", "{r}");
    assert_eq!(f.names("project"), ["keys"]);
}

#[test]
fn what_lies_deep_in_a_folder_is_judged_by_the_whole_name_it_will_have() {
    let f = Fixture::new();
    f.put("project/.crewagentignore", "/vault/deep/*.md\n/shelf/b.md\n");
    f.put("project/box/deep/a.md", "a").put("project/case/deep/b.md", "b");
    f.put("project/app/gh/hosts.yml", "h");
    for (from, to) in [("box", "vault"), ("app", ".config")] {
        let r = mv(&f, &format!("@project/{from}"), &format!("@project/{to}"));
        assert_eq!(r["error"]["details"]["reason"], "protected_inside", "{r}");
    }
    // It is another file than the private one.
    let r = mv(&f, "@project/case", "@project/shelf");
    assert_eq!(r["ok"], true, "{r}");
    assert_eq!(f.names("project"), [".crewagentignore", "app", "box", "shelf"]);
}

#[test]
fn a_file_and_an_empty_folder_are_deleted_and_a_full_one_only_when_asked() {
    let f = Fixture::new();
    f.put("project/a.md", "text").put("project/d/x.md", "1").put("project/d/e/y.md", "22");
    fs::create_dir(f.real("project/empty")).unwrap();
    assert_eq!(
        del(&f, "@project/a.md"),
        json!({ "ok": true, "path": "@project/a.md", "deleted": "file",
            "sha256Before": sha256_hex(b"text"), "bytes": 4 })
    );
    assert_eq!(del(&f, "@project/empty")["deleted"], "folder");
    let r = del(&f, "@project/d");
    assert_eq!((code(&r), &r["error"]["details"]["entries"]), ("ENOTEMPTY", &json!(3)));
    let r = del_all(&f, "@project/d");
    assert_eq!((&r["files"], &r["folders"], &r["bytes"]), (&json!(2), &json!(1), &json!(3)));
    assert!(f.names("project").is_empty(), "{:?}", f.names("project"));
    assert_eq!(code(&del(&f, "@project/a.md")), "ENOENT");
    assert_eq!(code(&del_all(&f, "@project")), "E_IO", "never the project itself");
}

#[cfg(unix)]
#[test]
fn links_inside_a_deleted_folder_go_and_what_they_point_to_stays() {
    let f = Fixture::new();
    f.put("outside/kept/x", "x").put("project/d/a", "a");
    std::os::unix::fs::symlink(f.real("outside/kept"), f.real("project/d/link")).unwrap();
    let r = del_all(&f, "@project/d");
    assert_eq!(r["notRestorable"], json!(["@project/d/link"]), "{r}");
    assert_eq!(f.get("outside/kept/x"), "x");
    assert!(f.names("project").is_empty());
}

#[test]
fn a_folder_over_the_cap_is_refused_and_untouched() {
    let f = Fixture::new();
    for n in 0..=TREE_ENTRIES {
        f.put(&format!("project/many/{n}"), "");
    }
    assert_eq!(code(&del_all(&f, "@project/many")), "E_WRITE_LIMIT");
    assert_eq!(f.names("project/many").len(), TREE_ENTRIES + 1);
}

#[cfg(unix)]
#[test]
fn read_only_files_pipes_and_names_no_path_can_say_stop_a_deletion() {
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::PermissionsExt as _;
    let f = Fixture::new();
    f.put("project/ro.md", "x").put("project/odd/a", "a").put("project/pipes/a", "a");
    fs::set_permissions(f.real("project/ro.md"), fs::Permissions::from_mode(0o444)).unwrap();
    assert_eq!(code(&del(&f, "@project/ro.md")), "E_IO");
    fs::write(f.real("project/odd").join(std::ffi::OsStr::from_bytes(b"\xff")), "x").unwrap();
    assert_eq!(del_all(&f, "@project/odd")["error"]["details"]["reason"], "unnameable_inside");
    let pipe = f.real("project/pipes/p");
    assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    assert_eq!(del_all(&f, "@project/pipes")["error"]["details"]["reason"], "special_file");
    assert_eq!(f.names("project/pipes"), ["a", "p"]);
}

#[test]
fn a_deletion_takes_only_what_was_journaled() {
    let f = Fixture::new();
    f.put("project/d/a", "a");
    let args = json!({ "path": "@project/d", "recursive": true });
    let began = f.prepare("fs.delete", &args).unwrap();
    f.put("project/d/new", "theirs");
    assert_eq!(code(&f.perform("fs.delete", &args, Some(began)).result), "E_PRECONDITION_FAILED");
    assert_eq!(f.names("project/d"), ["a", "new"]);
    assert_eq!(f.names("project"), ["d"]);
    let r = f.perform("fs.delete", &args, None).result;
    assert_eq!(code(&r), "E_INTERNAL", "not without a line in the journal");
}

#[test]
fn if_match_holds_a_deletion_to_the_version_that_was_read() {
    let f = Fixture::new();
    f.put("project/a", "a");
    let args = json!({ "path": "@project/a", "ifMatchSha256": sha256_hex(b"b") });
    assert_eq!(f.prepare("fs.delete", &args).unwrap_err().code, ErrorCode::PreconditionFailed);
    let args = json!({ "path": "@project/a", "ifMatchSha256": sha256_hex(b"a") });
    assert_eq!(f.call("fs.delete", &args)["ok"], true);
}

fn settle(f: &Fixture, tool: &str, args: &Value, began: &Began) -> Settled {
    f.host.settle(&f.permit(tool, args, Some(began.clone())), began)
}

#[test]
fn a_move_in_doubt_is_settled_at_every_instant() {
    let f = Fixture::new();
    f.put("project/a", "a").put("project/d/x", "x");
    for (from, to, kind) in
        [("@project/a", "@project/n/b", "file"), ("@project/d", "@project/n/e", "folder")]
    {
        let args = json!({ "from": from, "to": to });
        let began = f.prepare("fs.move", &args).unwrap();
        assert_eq!(began.pre_hash, began.post_hash);
        assert_eq!(settle(&f, "fs.move", &args, &began), Settled::NotHappened, "before");
        fs::create_dir_all(f.real("project/n")).unwrap();
        assert_eq!(settle(&f, "fs.move", &args, &began), Settled::NotHappened, "folders made");
        let (a, b) = (from.replace("@project", "project"), to.replace("@project", "project"));
        fs::rename(f.real(&a), f.real(&b)).unwrap();
        let Settled::Happened(r) = settle(&f, "fs.move", &args, &began) else { panic!("moved") };
        assert_eq!((&r["moved"], &r["recovered"]), (&json!(kind), &json!(true)), "{r}");
        fs::rename(f.real(&b), f.real("project/elsewhere")).unwrap();
        assert_eq!(settle(&f, "fs.move", &args, &began), Settled::Foreign(None), "gone");
        if kind == "file" {
            f.put(&b, "other");
            let foreign = Settled::Foreign(Some(sha256_hex(b"other")));
            assert_eq!(settle(&f, "fs.move", &args, &began), foreign, "another file");
            fs::remove_file(f.real("project/elsewhere")).unwrap();
        }
    }
}

/// Whatever its arguments name, and whatever lies there.
#[test]
fn a_call_in_doubt_that_reaches_outside_cannot_be_settled() {
    let f = Fixture::new();
    f.put("project/a", "a");
    let nothing = Began::default();
    let hash = Some(sha256_hex(b"a"));
    let looks_done = Began { post_hash: hash.clone(), ..Began::default() };
    let looks_undone = Began { pre_hash: hash, ..Began::default() };
    for began in [nothing, looks_done, looks_undone] {
        let calls = [
            ("fs.read", json!({ "path": "@project/a" })),
            ("fs.read", json!({ "path": "@project/none" })),
            ("fs.write", json!({ "path": "@project/a", "content": "a" })),
            ("ui.ask_user", json!({})),
        ];
        for (tool, args) in calls {
            let mut call = parse_call(tool, &args.to_string()).unwrap();
            call.class = EffectClass::External;
            let permit =
                Permit::for_test("call_1", call, f.policy.clone(), "analyst", Some(began.clone()));
            assert_eq!(f.host.settle(&permit, &began), Settled::Unknown, "{tool} {args} {began:?}");
        }
    }
}

#[test]
fn a_deletion_in_doubt_is_settled_at_every_instant() {
    let f = Fixture::new();
    f.put("project/d/a", "a").put("project/d/e/b", "b").put("project/f", "f");
    for (name, path) in [("f", "@project/f"), ("d", "@project/d")] {
        let args = json!({ "path": path, "recursive": true });
        let began = f.prepare("fs.delete", &args).unwrap();
        let aside = crate::tools::delete::aside_name("call_1", &path.parse().unwrap(), &began);
        let (place, aside) =
            (f.real(&format!("project/{name}")), f.real(&format!("project/{aside}")));
        assert_eq!(settle(&f, "fs.delete", &args, &began), Settled::NotHappened, "before");
        // Renamed aside, not removed yet.
        fs::rename(&place, &aside).unwrap();
        let Settled::Happened(r) = settle(&f, "fs.delete", &args, &began) else { panic!("gone") };
        assert_eq!((&r["recovered"], &r["path"]), (&json!(true), &json!(path)));
        assert!(!aside.exists(), "and what was left is removed");
        // Removed wholly.
        assert!(matches!(settle(&f, "fs.delete", &args, &began), Settled::Happened(_)));
        // Somebody made another one since.
        f.put(&format!("project/{name}"), "theirs");
        let foreign = Settled::Foreign(Some(sha256_hex(b"theirs")));
        assert_eq!(settle(&f, "fs.delete", &args, &began), foreign);
        fs::remove_file(&place).unwrap();
        // Somebody's newer version was caught by the rename: it comes back.
        fs::write(&aside, "newer").unwrap();
        let foreign = Settled::Foreign(Some(sha256_hex(b"newer")));
        assert_eq!(settle(&f, "fs.delete", &args, &began), foreign);
        assert_eq!(fs::read_to_string(&place).unwrap(), "newer");
        fs::remove_file(&place).unwrap();
    }
}

#[test]
fn a_folder_that_was_being_removed_is_removed_to_its_end() {
    let f = Fixture::new();
    f.put("project/d/a", "a").put("project/d/b", "b").put("project/d/e/c", "c");
    let args = json!({ "path": "@project/d", "recursive": true });
    let began = f.prepare("fs.delete", &args).unwrap();
    let path = "@project/d".parse().unwrap();
    let aside = f.real("project").join(crate::tools::delete::aside_name("call_1", &path, &began));
    fs::rename(f.real("project/d"), &aside).unwrap();
    fs::remove_file(aside.join("a")).unwrap();
    assert!(matches!(settle(&f, "fs.delete", &args, &began), Settled::Happened(_)));
    assert!(f.names("project").is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn another_disk_mounted_inside_the_project_is_a_wall_for_moves_and_deletions() {
    use std::os::unix::fs::MetadataExt as _;
    let dev = |path: &str| fs::metadata(path).map(|meta| meta.dev()).ok();
    if dev("/dev/shm").is_none() || dev("/dev/shm") == dev("/dev") {
        return;
    }
    let shm = tempfile::tempdir_in("/dev/shm").unwrap();
    fs::write(shm.path().join("a.md"), "x").unwrap();
    let mut f = Fixture::new();
    f.open_project_at("/dev");
    let rel = format!("@project/shm/{}", shm.path().file_name().unwrap().to_str().unwrap());
    let r = mv(&f, &format!("{rel}/a.md"), "@project/crewagent-test-moved.md");
    assert_eq!(r["error"]["details"]["reason"], "other_mount", "{r}");
    let r = del_all(&f, "@project/shm");
    assert_eq!(r["error"]["details"]["reason"], "other_mount", "{r}");
    assert_eq!(f.call("fs.read", &json!({ "path": format!("{rel}/a.md") }))["content"], "x");
    assert!(shm.path().join("a.md").exists());
}
