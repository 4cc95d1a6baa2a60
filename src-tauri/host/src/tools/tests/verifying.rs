//! Verification (spec 05 "Verification"), by the names of its criteria, and `fs.glob`.

use kernel::code::ErrorCode;
use kernel::effect::KnownFile;
use kernel::facts::Verification;
use kernel::path::AliasPath;
use kernel::text::sha256_hex;
use serde_json::{Value, json};
use std::fs;
use tokio_util::sync::CancellationToken;

use super::fixture::{Fixture, code};
use crate::tools::{glob, verify};

fn glob(f: &Fixture, pattern: &str) -> Value {
    f.call("fs.glob", &json!({ "pattern": pattern }))
}

fn paths(r: &Value) -> Vec<&str> {
    let paths = r["paths"].as_array().unwrap_or_else(|| panic!("{r}"));
    paths.iter().map(|path| path.as_str().unwrap().trim_start_matches("@project/")).collect()
}

#[test]
fn write_with_verify_after_write_is_performed_and_passed_when_read_back_is_equal() {
    let f = Fixture::new();
    let r = f.call(
        "fs.write",
        &json!({ "path": "@project/a.md", "content": "x", "verify_after_write": true }),
    );
    assert_eq!(
        r["verification"],
        json!({ "performed": true, "passed": true, "scope": "artifact:a.md", "reason": "readback_match" })
    );
}

#[test]
fn what_is_not_what_was_written_when_read_back_is_a_failed_verification_and_no_error() {
    let f = Fixture::new();
    f.put("project/a.md", "somebody else's");
    let mut access = f.access();
    let mut read_back = |path: &str| {
        let path = path.parse().unwrap();
        verify::after_write(&mut access, &path, Some("workspace"), &sha256_hex(b"mine"))
    };
    let told = |v: Verification| (v.performed, v.passed, v.reason);
    let failed = |reason: &str| (true, false, reason.to_owned());
    assert_eq!(told(read_back("@project/a.md")), failed("readback_mismatch"));
    assert_eq!(told(read_back("@project/gone.md")), failed("readback_failed"));
}

#[test]
fn a_write_is_not_read_back_unasked() {
    let f = Fixture::new();
    let write = json!({ "path": "@project/a.md", "content": "x" });
    let refused = json!({ "path": "@project/b.md", "content": "x", "verify_after_write": false });
    for args in [write, refused] {
        let result = f.call("fs.write", &args);
        assert_eq!((&result["ok"], result.get("verification")), (&json!(true), None), "{result}");
    }
}

#[test]
fn writing_the_same_content_again_is_a_noop_write_and_can_still_be_verified() {
    let f = Fixture::new();
    f.put("project/a.md", "x");
    let r = f.call(
        "fs.write",
        &json!({ "path": "@project/a.md", "content": "x", "verify_after_write": true,
            "verification_scope": "workspace" }),
    );
    assert_eq!((&r["noop_write"], &r["bytesWritten"]), (&json!(true), &json!(0)));
    assert_eq!(r["verification"]["passed"], true);
    assert_eq!(r["verification"]["scope"], "workspace");
}

#[test]
fn a_patch_is_verified_like_a_write() {
    let f = Fixture::new();
    f.put("project/a.md", "x");
    let patch = json!({ "operation": "replace", "old": "x", "new": "y" });
    let r = f.call(
        "fs.apply_patch",
        &json!({ "path": "@project/a.md", "patch": patch, "verify_after_write": true }),
    );
    assert_eq!(r["verification"]["passed"], true);
}

#[test]
fn read_with_expect_contains_passes_only_when_the_whole_file_holds_every_text() {
    let mut f = Fixture::new();
    f.policy.max_read_bytes = 100;
    let text = format!("begin\n{}middle across{}\r\nend\n", "-".repeat(65_530), "+".repeat(70_000));
    f.put("project/a.md", &text);
    let read = |tokens: &[&str]| {
        f.call("fs.read", &json!({ "path": "@project/a.md", "expect_contains": tokens }))
    };
    let r = read(&["begin", "middle across", "+\nend"]);
    assert_eq!(r["truncated"], true, "the file is far longer than may be read");
    assert_eq!(r["verification"]["passed"], true, "{}", r["verification"]);
    let r = read(&["begin", "absent"]);
    assert_eq!(r["ok"], true, "a failed check is no error of the tool");
    assert_eq!(
        r["verification"],
        json!({ "performed": true, "passed": false, "scope": "artifact:a.md",
            "reason": "content_mismatch", "expected": ["begin", "absent"], "missing": ["absent"] })
    );
}

#[test]
fn blank_expected_texts_are_an_invalid_argument() {
    for tokens in [json!(["  "]), json!(["a", ""]), json!([])] {
        let args = json!({ "path": "@project/a.md", "expect_contains": tokens });
        let failure = kernel::tool::parse_call("fs.read", &args.to_string()).unwrap_err();
        assert_eq!(failure.code.as_str(), "E_INVALID_ARGS", "{tokens}");
    }
}

#[test]
fn glob_with_expect_min_matches_counts_the_files_it_returns() {
    let f = Fixture::new();
    f.put("project/docs/a.md", "1").put("project/docs/b.md", "2");
    let check = |pattern: &str, min: u32| {
        f.call("fs.glob", &json!({ "pattern": pattern, "expect_min_matches": min }))["verification"]
            .clone()
    };
    let v = check("docs/*.md", 2);
    assert_eq!((&v["passed"], &v["reason"]), (&json!(true), &json!("match_count_satisfied")));
    assert_eq!(v["files"][1], json!({ "path": "@project/docs/b.md", "sha256": sha256_hex(b"2") }));
    assert_eq!(check("docs/*.md", 3)["passed"], false);
    let v = check("docs/a.md", 1);
    assert_eq!((&v["passed"], &v["scope"]), (&json!(true), &json!("artifact:docs/a.md")));
}

#[test]
fn stop_reaches_the_hashing_of_found_files() {
    let f = Fixture::new();
    f.put("project/a.md", "1");
    let path = AliasPath::parse("@project/a.md").unwrap();
    let cancel = CancellationToken::new();
    let hashed = || glob::hashed(&mut f.access(), std::slice::from_ref(&path), &cancel);
    assert_eq!(hashed().unwrap().len(), 1);
    cancel.cancel();
    assert_eq!(hashed().unwrap_err().code, ErrorCode::EngineAborted);
}

#[test]
fn a_glob_without_hits_is_zero_and_names_no_file() {
    let f = Fixture::new();
    let r = f.call("fs.glob", &json!({ "pattern": "docs/**/*.md", "expect_min_matches": 1 }));
    assert_eq!((&r["paths"], &r["count"]), (&json!([]), &json!(0)));
    assert_eq!(r["verification"]["passed"], false);
    assert!(r["verification"].get("files").is_none());
}

#[test]
fn without_the_new_arguments_results_are_as_they_were() {
    let f = Fixture::new();
    f.put("project/a.md", "x");
    for (tool, args) in [
        ("fs.read", json!({ "path": "@project/a.md" })),
        ("fs.write", json!({ "path": "@project/b.md", "content": "x" })),
        ("fs.glob", json!({ "pattern": "*.md" })),
    ] {
        assert!(f.call(tool, &args).get("verification").is_none(), "{tool}");
    }
}

#[test]
fn a_verification_outlives_a_result_too_long_for_a_message() {
    let f = Fixture::new();
    f.put("project/a.md", "word ".repeat(40_000));
    let r = f.call("fs.read", &json!({ "path": "@project/a.md", "expect_contains": ["word"] }));
    assert!(r["fullOutputPath"].is_string());
    assert_eq!(r["verification"]["passed"], true);
    assert!(r["sha256"].is_string());
}

#[test]
fn a_recovered_write_is_verified_too() {
    let f = Fixture::new();
    let args = json!({ "path": "@project/a.md", "content": "x", "verify_after_write": true });
    let began = f.prepare("fs.write", &args).unwrap();
    f.put("project/a.md", "x");
    let permit = f.permit("fs.write", &args, Some(began.clone()));
    let kernel::effect::Settled::Happened(r) = f.host.settle(&permit, &began) else { panic!() };
    assert_eq!(r["verification"]["passed"], true);
}

#[test]
fn a_pattern_stays_in_its_folder_unless_it_says_otherwise() {
    let f = Fixture::new();
    for file in
        ["a.md", "b.txt", "docs/c.md", "docs/deep/d.md", "资料/设计.md", "node_modules/x.md"]
    {
        f.put(&format!("project/{file}"), "x");
    }
    assert_eq!(paths(&glob(&f, "*.md")), ["a.md"]);
    assert_eq!(
        paths(&glob(&f, "**/*.md")),
        ["a.md", "docs/c.md", "docs/deep/d.md", "资料/设计.md"]
    );
    assert_eq!(paths(&glob(&f, "docs/*.{md,txt}")), ["docs/c.md"]);
    assert_eq!(paths(&glob(&f, "docs/deep/d.md")), ["docs/deep/d.md"]);
    assert_eq!(paths(&glob(&f, "@project/docs/**")), ["docs/c.md", "docs/deep/d.md"]);
    assert_eq!(paths(&glob(&f, "node_modules/*.md")), ["node_modules/x.md"]);
    let r = f.call("fs.glob", &json!({ "pattern": "*.md", "path": "@project/docs" }));
    assert_eq!(paths(&r), ["docs/c.md"]);
    assert_eq!(paths(&glob(&f, "nowhere/*.md")), Vec::<&str>::new());
    assert_eq!(paths(&glob(&f, "a.md/*.md")), Vec::<&str>::new());
    let r = glob(&f, "docs/[");
    assert_eq!(code(&r), "E_INVALID_ARGS");
    let r = f.call("fs.glob", &json!({ "pattern": "*.md", "path": "@project/none" }));
    assert_eq!(code(&r), "ENOENT");
}

#[test]
fn hidden_files_are_found_when_the_pattern_names_them_and_private_ones_never() {
    let f = Fixture::new();
    f.put("project/.crewagentignore", "private/\n").put("project/private/x.md", "x");
    f.put("project/.env", "K").put("project/.git/x.md", "g").put("project/.github/w.yml", "w");
    assert_eq!(paths(&glob(&f, "**/*")), Vec::<&str>::new());
    assert_eq!(paths(&glob(&f, ".github/*.yml")), [".github/w.yml"]);
    assert_eq!(paths(&glob(&f, "**/.*")), [".crewagentignore"]);
    assert_eq!(paths(&glob(&f, "**/.*/*")), [".github/w.yml"]);
    assert_eq!(code(&glob(&f, "private/*")), "E_SANDBOX_VIOLATION");
}

#[cfg(unix)]
#[test]
fn a_link_is_found_when_it_leads_to_a_file_inside() {
    use std::os::unix::fs::symlink;
    let f = Fixture::new();
    f.put("project/a.md", "x").put("outside/b.md", "x");
    symlink("a.md", f.real("project/in.md")).unwrap();
    symlink("../outside/b.md", f.real("project/out.md")).unwrap();
    symlink("../outside", f.real("project/dir")).unwrap();
    assert_eq!(paths(&glob(&f, "**/*.md")), ["a.md", "in.md"]);
}

#[test]
fn more_files_than_fit_are_said_to_be_more() {
    let f = Fixture::new();
    for n in 0..1002 {
        f.put(&format!("project/many/{n:04}.md"), "");
    }
    let r = glob(&f, "many/*.md");
    assert_eq!((&r["truncated"], r["hint"].is_string()), (&json!(true), true), "{}", r["count"]);
}

#[test]
fn a_dry_run_shows_what_would_change_and_changes_nothing() {
    let f = Fixture::new();
    f.put("project/a.md", "one\ntwo\n");
    let args = json!({ "path": "@project/a.md", "patch": "@@\n-two\n+2\n", "dryRun": true });
    let r = f.call("fs.apply_patch", &args);
    assert_eq!((&r["dryRun"], &r["hunks"]), (&json!(true), &json!(1)), "{r}");
    assert_eq!(r["sha256After"], sha256_hex(b"one\n2\n"));
    assert!(r["diff"].as_str().unwrap().contains("-two\n+2\n"), "{r}");
    assert_eq!(r["diffstat"], json!({ "added": 1, "removed": 1 }));
    assert_eq!(f.get("project/a.md"), "one\ntwo\n");
    assert!(fs::read_dir(f.real("checkpoints")).is_err(), "nothing is kept either");
    let refused = json!({ "path": "@project/a.md", "patch": "@@\n-three\n+3\n", "dryRun": true });
    assert_eq!(code(&f.call("fs.apply_patch", &refused)), "E_PATCH_FAILED");
}

#[test]
fn a_dry_run_on_a_huge_file_is_short_and_says_that_it_is_cut() {
    let f = Fixture::new();
    let lines = |sign: &str| {
        (0..150_000).map(|n| [sign, &n.to_string(), "\n"].concat()).collect::<String>()
    };
    f.put("project/a.md", lines("a"));
    let op = json!({ "operation": "replace", "old": "a", "new": "b", "all": true });
    let args = json!({ "path": "@project/a.md", "patch": op, "dryRun": true });
    let r = f.call("fs.apply_patch", &args);
    assert_eq!(r["diffstat"], json!({ "added": 150_000, "removed": 150_000 }), "{r}");
    let diff = r["diff"].as_str().unwrap();
    assert!(diff.starts_with("--- @project/a.md\n+++ @project/a.md\n@@ -1,"), "{diff}");
    for shown in ["\n-a0\n-a1\n", "\n…\n@@ -", "\n-a149999\n+b0\n", "\n+b149998\n+b149999\n"] {
        assert!(diff.contains(shown), "{shown:?} in {diff}");
    }
    assert!(diff.len() < 21_000, "{}", diff.len());
}

#[test]
fn a_unified_diff_is_applied_and_says_what_was_mended() {
    let f = Fixture::new();
    f.put("project/a.md", "one\r\ntwo\r\nthree");
    let patch = json!({ "operation": "unified", "diff": "@@ -9,2 +9,2 @@\n one\n-two\n+2\n" });
    let r = f.call("fs.apply_patch", &json!({ "path": "@project/a.md", "patch": patch }));
    assert_eq!((&r["ok"], &r["hunks"]), (&json!(true), &json!(1)), "{r}");
    assert_eq!(r["repaired"], json!(["hunk 1: it belongs at line 1, not 9"]));
    assert_eq!(f.get("project/a.md"), "one\r\n2\r\nthree");
    let r = f.call("fs.apply_patch", &json!({ "path": "@project/a.md", "patch": "no diff" }));
    assert_eq!(code(&r), "E_PATCH_FAILED");
    assert!(r["error"]["message"].as_str().unwrap().starts_with("@project/a.md: "), "{r}");
}

#[cfg(unix)]
#[test]
fn whatever_stands_in_place_of_a_written_file_is_noticed() {
    let f = Fixture::new();
    f.put("project/same.md", "x").put("project/other.md", "y");
    fs::create_dir(f.real("project/folder.md")).unwrap();
    fs::File::create(f.real("project/huge.md")).unwrap().set_len(1 << 40).unwrap();
    std::os::unix::fs::symlink("/dev/zero", f.real("project/endless.md")).unwrap();
    let fifo = std::process::Command::new("mkfifo").arg(f.real("project/fifo.md")).status();
    assert!(fifo.unwrap().success());
    let known = |name: &str| KnownFile {
        path: format!("@project/{name}").parse().unwrap(),
        sha256: sha256_hex(b"x"),
    };
    let names = ["same.md", "huge.md", "other.md", "folder.md", "endless.md", "fifo.md", "gone.md"];
    let files = names.map(known);
    let changed = verify::changed_by_others(&mut f.access(), &files);
    let told = changed.iter().map(|change| (change.path.rel(), change.sha256.as_deref()));
    let y = sha256_hex(b"y");
    let expected = ["huge.md", "folder.md", "endless.md", "fifo.md", "gone.md"].map(|n| (n, None));
    let (huge, rest) = expected.split_first().unwrap();
    let expected = [*huge, ("other.md", Some(y.as_str()))].into_iter().chain(rest.iter().copied());
    assert_eq!(told.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}
