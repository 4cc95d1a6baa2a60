use kernel::code::ErrorCode;
use kernel::effect::{Began, Settled};
use kernel::path::AliasPath;
use kernel::text::sha256_hex;
use serde_json::json;
use std::fs;

use super::fixture::{Fixture, code};

#[test]
fn a_new_file_is_written_with_its_folders() {
    let f = Fixture::new();
    let args = json!({ "path": "@project/artifacts/deep/r.md", "content": "a\nb\n" });
    let began = f.prepare("fs.write", &args).unwrap();
    assert_eq!(began, Began { post_hash: Some(sha256_hex(b"a\nb\n")), ..Began::default() });
    assert!(f.names("project").is_empty(), "preparing changes nothing");
    let r = f.perform("fs.write", &args, Some(began)).result;
    assert_eq!(
        r,
        json!({ "ok": true, "path": "@project/artifacts/deep/r.md", "bytesWritten": 4,
            "created": true, "sha256After": sha256_hex(b"a\nb\n"),
            "diffstat": { "added": 2, "removed": 0 } })
    );
    assert_eq!(f.get("project/artifacts/deep/r.md"), "a\nb\n");
    assert_eq!(f.names("project/artifacts/deep"), ["r.md"], "no temporary file stays");
}

#[test]
fn overwriting_reports_both_hashes_and_the_lines() {
    let f = Fixture::new();
    f.put("project/a.md", "a\nb\nc\n");
    let r = f.call("fs.write", &json!({ "path": "@project/a.md", "content": "a\nB\nc\nd\n" }));
    assert_eq!(r["sha256Before"], sha256_hex(b"a\nb\nc\n"));
    assert_eq!(r["sha256After"], sha256_hex(b"a\nB\nc\nd\n"));
    assert_eq!(r["diffstat"], json!({ "added": 2, "removed": 1 }));
    assert!(r.get("created").is_none() && r.get("noop_write").is_none());
}

#[test]
fn equal_content_is_not_written_again() {
    let f = Fixture::new();
    f.put("project/a.md", "same");
    let long_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
    let file = fs::File::options().write(true).open(f.real("project/a.md")).unwrap();
    file.set_modified(long_ago).unwrap();
    let r = f.call("fs.write", &json!({ "path": "@project/a.md", "content": "same" }));
    assert_eq!((&r["noop_write"], &r["bytesWritten"]), (&json!(true), &json!(0)));
    assert_eq!(fs::metadata(f.real("project/a.md")).unwrap().modified().unwrap(), long_ago);
}

#[test]
fn appending_keeps_what_is_there() {
    let f = Fixture::new();
    f.put("project/a.md", "a\n");
    f.call("fs.write", &json!({ "path": "@project/a.md", "content": "b\n", "mode": "append" }));
    assert_eq!(f.get("project/a.md"), "a\nb\n");
    let r =
        f.call("fs.write", &json!({ "path": "@project/n.md", "content": "b", "mode": "append" }));
    assert_eq!(r["created"], true);
}

#[test]
fn a_file_keeps_its_crlf_line_ends() {
    let f = Fixture::new();
    f.put("project/a.md", "a\r\nb\r\n");
    let r = f.call("fs.write", &json!({ "path": "@project/a.md", "content": "x\ny\n" }));
    assert_eq!(f.get("project/a.md"), "x\r\ny\r\n");
    assert_eq!((&r["lineEndings"], &r["bytesWritten"]), (&json!("crlf"), &json!(6)));
}

#[cfg(unix)]
#[test]
fn permissions_are_kept_and_a_read_only_file_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;
    let f = Fixture::new();
    f.put("project/run.sh", "a");
    fs::set_permissions(f.real("project/run.sh"), fs::Permissions::from_mode(0o750)).unwrap();
    f.call("fs.write", &json!({ "path": "@project/run.sh", "content": "b" }));
    let mode = fs::metadata(f.real("project/run.sh")).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o750);
    fs::set_permissions(f.real("project/run.sh"), fs::Permissions::from_mode(0o444)).unwrap();
    let r = f.call("fs.write", &json!({ "path": "@project/run.sh", "content": "c" }));
    assert_eq!(code(&r), "E_IO");
    assert_eq!(f.get("project/run.sh"), "b");
}

#[test]
fn the_limit_holds_for_what_the_file_would_become() {
    let mut f = Fixture::new();
    f.policy.max_write_bytes = 10;
    f.put("project/a.md", "12345678");
    let over = json!({ "path": "@project/b.md", "content": "12345678901" });
    assert_eq!(f.prepare("fs.write", &over).unwrap_err().code, ErrorCode::WriteLimit);
    let append = json!({ "path": "@project/a.md", "content": "901", "mode": "append" });
    assert_eq!(f.prepare("fs.write", &append).unwrap_err().code, ErrorCode::WriteLimit);
    let grow = json!({ "path": "@project/a.md", "patch": { "operation": "replace", "old": "1", "new": "1111" } });
    assert_eq!(f.prepare("fs.apply_patch", &grow).unwrap_err().code, ErrorCode::WriteLimit);
    f.put("project/huge.md", "x".repeat(1000));
    let shrink = json!({ "path": "@project/huge.md", "content": "small" });
    assert_eq!(
        f.call("fs.write", &shrink)["sha256Before"],
        sha256_hex("x".repeat(1000).as_bytes())
    );
    assert_eq!(f.names("project"), ["a.md", "huge.md"]);
}

#[test]
fn if_match_holds_the_write_to_the_version_that_was_read() {
    let f = Fixture::new();
    f.put("project/a.md", "a");
    let write = |hash: &str| {
        f.call(
            "fs.write",
            &json!({ "path": "@project/a.md", "content": "b", "ifMatchSha256": hash }),
        )
    };
    let r = write(&sha256_hex(b"other"));
    assert_eq!(code(&r), "E_PRECONDITION_FAILED");
    assert_eq!(r["error"]["details"]["actualSha256"], sha256_hex(b"a"));
    assert_eq!(write(&sha256_hex(b"a").to_uppercase())["ok"], true);
    let gone =
        json!({ "path": "@project/n.md", "content": "b", "ifMatchSha256": sha256_hex(b"a") });
    assert_eq!(f.prepare("fs.write", &gone).unwrap_err().code, ErrorCode::PreconditionFailed);
}

#[test]
fn a_file_changed_since_it_was_journaled_is_left_alone() {
    let f = Fixture::new();
    let args = json!({ "path": "@project/a.md", "content": "mine" });
    let began = f.prepare("fs.write", &args).unwrap();
    f.put("project/a.md", "theirs");
    let r = f.perform("fs.write", &args, Some(began)).result;
    assert_eq!(code(&r), "E_PRECONDITION_FAILED");
    assert_eq!(f.get("project/a.md"), "theirs");
    let r = f.perform("fs.write", &args, None).result;
    assert_eq!(code(&r), "E_INTERNAL", "a write that was not journaled does not run");
}

#[test]
fn a_write_in_doubt_is_settled_by_hash() {
    let f = Fixture::new();
    f.put("project/a.md", "old");
    let args = json!({ "path": "@project/a.md", "content": "new!" });
    let began = f.prepare("fs.write", &args).unwrap();
    let permit = f.permit("fs.write", &args, Some(began.clone()));
    assert_eq!(f.host.settle(&permit, &began), Settled::NotHappened);
    f.put("project/a.md", "foreign");
    assert_eq!(f.host.settle(&permit, &began), Settled::Foreign(Some(sha256_hex(b"foreign"))));
    fs::remove_file(f.real("project/a.md")).unwrap();
    assert_eq!(f.host.settle(&permit, &began), Settled::Foreign(None));
    f.put("project/a.md", "new!");
    let Settled::Happened(r) = f.host.settle(&permit, &began) else { panic!("it happened") };
    assert_eq!(
        r,
        json!({ "ok": true, "path": "@project/a.md", "bytesWritten": 4,
            "sha256Before": sha256_hex(b"old"), "sha256After": sha256_hex(b"new!"), "recovered": true })
    );
}

#[test]
fn a_write_in_doubt_of_a_new_file_or_of_nothing_is_settled_too() {
    let f = Fixture::new();
    let args = json!({ "path": "@project/deep/a.md", "content": "new" });
    let began = f.prepare("fs.write", &args).unwrap();
    let permit = f.permit("fs.write", &args, Some(began.clone()));
    assert_eq!(f.host.settle(&permit, &began), Settled::NotHappened);
    f.put("project/deep/a.md", "new");
    let Settled::Happened(r) = f.host.settle(&permit, &began) else { panic!("it happened") };
    assert_eq!((&r["created"], &r["recovered"]), (&json!(true), &json!(true)));
    let noop = f.prepare("fs.write", &args).unwrap();
    assert_eq!(noop.pre_hash, noop.post_hash);
    let Settled::Happened(r) = f.host.settle(&permit, &noop) else { panic!("nothing to do") };
    assert_eq!(r["noop_write"], true);
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_takes_no_files_is_a_clear_disk_error() {
    use crate::real_path::RealPath;
    use crate::redact::Private;
    use crate::tools::{MountRoots, ToolHost};
    // The kernel's own tree refuses new files to everyone, root included.
    let f = Fixture::new();
    let roots = MountRoots {
        project: RealPath::new("/sys/kernel", "@project"),
        pkg: Some(RealPath::new(f.real("pkg"), "@pkg")),
        state: RealPath::new(f.real("state"), "@state"),
        store: RealPath::new(f.real("store"), "[store]"),
    };
    let private = Private::new(vec![("/sys/kernel".into(), kernel::mark::Folder::Project)]);
    let host = ToolHost::open(roots, private).unwrap();
    let args = json!({ "path": "@project/r.md", "content": "x" });
    let began = host.prepare(&f.permit("fs.write", &args, None)).unwrap();
    let permit = f.permit("fs.write", &args, Some(began));
    let r = host.perform(&permit, &tokio_util::sync::CancellationToken::new()).result;
    assert_eq!(code(&r), "E_IO");
    let message = r["error"]["message"].as_str().unwrap();
    assert!(message.starts_with("@project/r.md: ") && !message.contains("/sys"), "{message}");
    assert!(r["error"]["action"].is_string());
}

#[test]
fn a_full_disk_is_said_in_words() {
    use crate::tools::{mounts::io_failure, state_file::write_failed};
    let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
    let path = "@project/a.md".parse().unwrap();
    let failure = io_failure(&path, &full);
    assert_eq!(
        (failure.code, failure.message.as_str()),
        (ErrorCode::Io, "@project/a.md: the disk is full")
    );
    assert!(failure.action.unwrap().contains("disk space"));
    let failure = write_failed(&AliasPath::state_document(), &full);
    assert_eq!(failure.code, ErrorCode::StoreWriteFailed);
    assert!(failure.message.contains("the disk is full"));
}

#[test]
fn a_project_that_went_away_is_said() {
    let f = Fixture::new();
    let args = json!({ "path": "@project/a.md", "content": "x" });
    let began = f.prepare("fs.write", &args).unwrap();
    fs::remove_dir(f.real("project")).unwrap();
    let r = f.perform("fs.write", &args, Some(began)).result;
    assert_eq!(code(&r), "PROJECT_ROOT_INVALID", "{r}");
}
