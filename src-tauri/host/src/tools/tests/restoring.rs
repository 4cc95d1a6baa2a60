//! What is kept of a file before it is changed.

use serde_json::{Value, json};
use std::fs;

use super::fixture::Fixture;
use crate::tools::Checkpoints;
use crate::tools::checkpoints::KeepsMany;
use kernel::code::ErrorCode;
use kernel::text::sha256_hex;

fn kept(f: &Fixture, bytes: &[u8]) -> Option<Vec<u8>> {
    f.host.checkpoints().read(&sha256_hex(bytes)).unwrap()
}

fn write(f: &Fixture, path: &str, content: &str) -> Value {
    f.call("fs.write", &json!({ "path": path, "content": content }))
}

#[test]
fn what_a_write_a_patch_or_a_deletion_replaces_can_be_read_back() {
    let f = Fixture::new();
    f.put("project/a", "first").put("project/d/b", "in a folder").put("project/m", "moved");
    write(&f, "@project/a", "second");
    let patch = json!({ "operation": "replace", "old": "second", "new": "third" });
    f.call("fs.apply_patch", &json!({ "path": "@project/a", "patch": patch }));
    f.call("fs.delete", &json!({ "path": "@project/a" }));
    f.call("fs.delete", &json!({ "path": "@project/d", "recursive": true }));
    f.call("fs.move", &json!({ "from": "@project/m", "to": "@project/n" }));
    for bytes in ["first", "second", "third", "in a folder", "moved"] {
        assert_eq!(kept(&f, bytes.as_bytes()).as_deref(), Some(bytes.as_bytes()), "{bytes}");
    }
    assert_eq!(f.names("checkpoints").len(), 5);
    let again = Checkpoints::open(f.temp.path()).unwrap();
    assert_eq!(again.read(&sha256_hex(b"first")).unwrap().as_deref(), Some(&b"first"[..]));
}

#[test]
fn it_is_kept_before_the_call_is_journaled_and_named_in_that_line() {
    let f = Fixture::new();
    f.put("project/a", "old");
    let args = json!({ "path": "@project/a", "content": "new" });
    let began = f.prepare("fs.write", &args).unwrap();
    assert_eq!(f.get("project/a"), "old");
    assert_eq!(kept(&f, b"old").as_deref(), Some(&b"old"[..]));
    let [image] = began.pre_images.as_slice() else { panic!("{began:?}") };
    assert_eq!((image.path.to_string(), image.bytes, image.kept), ("@project/a".into(), 3, true));
    assert_eq!(image.sha256, sha256_hex(b"old"));
}

#[test]
fn the_same_bytes_are_kept_once_and_new_files_and_equal_content_need_nothing() {
    let f = Fixture::new();
    f.put("project/a", "same").put("project/b", "same");
    write(&f, "@project/a", "1");
    write(&f, "@project/b", "2");
    assert_eq!(f.names("checkpoints").len(), 1);
    write(&f, "@project/b", "2");
    write(&f, "@project/new", "3");
    assert_eq!(f.names("checkpoints").len(), 1);
}

#[test]
fn a_file_over_the_cap_is_changed_but_said_to_be_lost() {
    let f = Fixture::new();
    let big = "x".repeat(usize::try_from(kernel::bounds::KEPT_FILE_BYTES).unwrap() + 1);
    f.put("project/big", &big);
    let r = write(&f, "@project/big", "small");
    assert_eq!(r["ok"], true);
    assert_eq!((&r["restorable"], &r["notRestorable"]), (&json!(false), &json!(["@project/big"])));
    assert_eq!(kept(&f, big.as_bytes()), None);
    let limit = "y".repeat(3 << 20);
    f.put("project/over_the_write_limit", &limit);
    let r = write(&f, "@project/over_the_write_limit", "small");
    assert!(r.get("restorable").is_none(), "{r}");
    assert_eq!(kept(&f, limit.as_bytes()).map(|bytes| bytes.len()), Some(limit.len()));
}

#[test]
fn a_run_keeps_no_more_than_its_share_of_the_disk() {
    let f = Fixture::new();
    let few = Checkpoints::open(f.temp.path()).unwrap().with_cap(1000);
    let noise = |seed: u8| (0..200_u8).map(|n| sha256_hex(&[n, seed])).collect::<String>();
    let first = &noise(1)[..600];
    assert!(few.keep(first.as_bytes(), &sha256_hex(first.as_bytes()), 600).unwrap());
    let second = &noise(2)[..900];
    assert!(!few.keep(second.as_bytes(), &sha256_hex(second.as_bytes()), 900).unwrap());
    assert!(
        few.keep(first.as_bytes(), &sha256_hex(first.as_bytes()), 600).unwrap(),
        "kept already"
    );
}

#[test]
fn of_many_contents_each_is_kept_once_and_while_there_is_room() {
    let f = Fixture::new();
    let few = Checkpoints::open(f.temp.path()).unwrap().with_cap(30_000);
    let noise = |seed: usize| {
        (0..20_u8).map(|n| sha256_hex(&[n, seed.to_le_bytes()[0]])).collect::<String>()
    };
    let mut keeping = KeepsMany::of(&few);
    let mut keep = |text: &str| {
        keeping.keep(text.as_bytes(), &sha256_hex(text.as_bytes()), text.len() as u64).unwrap()
    };
    let kept: Vec<bool> = (0..100).map(|seed| keep(&noise(seed / 2))).collect();
    assert!(kept.chunks(2).all(|same| same[0] == same[1]), "the same bytes need no room again");
    let first = kept.iter().filter(|kept| **kept).count();
    assert!((60..100).contains(&first), "{first} are kept, and then there is no room");
    assert!(kept[..first].iter().all(|kept| *kept));
    assert!(keep("short"), "what is refused takes no room");
    keeping.write().unwrap();
    for (seed, kept) in kept.iter().enumerate() {
        let bytes = few.read(&sha256_hex(noise(seed / 2).as_bytes())).unwrap();
        assert_eq!(bytes.is_some(), *kept, "{seed}");
    }
}

#[test]
fn what_was_never_written_takes_no_room() {
    let f = Fixture::new();
    let few = Checkpoints::open(f.temp.path()).unwrap().with_cap(1000);
    let noise = |seed: u8| (0..14_u8).map(|n| sha256_hex(&[n, seed])).collect::<String>();
    for seed in 0..9 {
        let text = noise(seed);
        let hash = sha256_hex(text.as_bytes());
        assert!(KeepsMany::of(&few).keep(text.as_bytes(), &hash, 896).unwrap(), "{seed}");
        assert_eq!(few.read(&hash).unwrap(), None);
    }
}

#[test]
fn secrets_are_never_copied() {
    let mut f = Fixture::new();
    f.policy.allow_secret_files = true;
    f.put("project/.env", "KEY=1");
    let r = write(&f, "@project/.env", "KEY=2");
    assert_eq!((&r["ok"], &r["restorable"]), (&json!(true), &json!(false)));
    assert_eq!(kept(&f, b"KEY=1"), None);
}

#[test]
fn a_damaged_checkpoint_is_an_error_and_never_wrong_bytes() {
    let f = Fixture::new();
    f.put("project/a", "first");
    write(&f, "@project/a", "second");
    let hash = sha256_hex(b"first");
    let file = f.real(&format!("checkpoints/{hash}.zst"));
    fs::copy(&file, f.real(&format!("checkpoints/{}.zst", sha256_hex(b"other")))).unwrap();
    assert_eq!(
        f.host.checkpoints().read(&sha256_hex(b"other")).unwrap_err().code,
        ErrorCode::StoreReadFailed
    );
    fs::write(&file, "no zstd").unwrap();
    assert_eq!(f.host.checkpoints().read(&hash).unwrap_err().code, ErrorCode::StoreReadFailed);
    assert_eq!(f.host.checkpoints().read("../../secret").unwrap(), None);
}

#[test]
fn when_it_cannot_be_kept_the_file_is_not_changed() {
    let f = Fixture::new();
    f.put("project/a", "first").put("checkpoints", "a file where the folder should be");
    let r = write(&f, "@project/a", "second");
    assert_eq!(super::fixture::code(&r), "STORE_WRITE_FAILED");
    assert_eq!(f.get("project/a"), "first");
}
