//! A file that a person opens: as it is now, as it was before the run, and what differs.

use kernel::bounds::{KEPT_FILE_BYTES, LISTED_ENTRIES, VIEWED_BYTES};
use kernel::changed_files::{EffectKind, FileEffect};
use kernel::code::ErrorCode;
use kernel::outside::OpenIn;
use kernel::text::sha256_hex;
use kernel::wire::{FileContent, FileView};
use serde_json::json;
use std::fs::File;

use super::fixture::Fixture;

fn effect(path: &str, before: Option<&str>) -> FileEffect {
    FileEffect {
        path: path.parse().unwrap(),
        kind: EffectKind::Changed,
        from: None,
        sha256_before: before.map(|text| sha256_hex(text.as_bytes())),
        sha256: None,
        lines: None,
        foreign: false,
        verified: false,
    }
}

fn view(f: &Fixture, path: &str, effect: Option<FileEffect>) -> FileView {
    f.host.view(path.parse().unwrap(), effect).unwrap()
}

fn text(text: &str) -> FileContent {
    FileContent::Text { text: text.to_owned(), bytes: text.len() as u64, cut: false }
}

#[test]
fn a_file_is_shown_with_what_differs_since_before_the_run() {
    let f = Fixture::new();
    f.put("project/a.md", "one\ntwo\n");
    let args = json!({ "path": "@project/a.md", "content": "one\nthree\n" });
    assert_eq!(f.call("fs.write", &args)["ok"], true);
    let shown = view(&f, "@project/a.md", Some(effect("@project/a.md", Some("one\ntwo\n"))));
    assert_eq!(shown.now, text("one\nthree\n"));
    let change = shown.change.unwrap();
    assert_eq!(change.before, text("one\ntwo\n"));
    assert!(change.diff.unwrap().ends_with(" one\n-two\n+three\n"));
    // What others did since is a part of it.
    f.put("project/a.md", "one\nfour\n");
    let shown = view(&f, "@project/a.md", Some(effect("@project/a.md", Some("one\ntwo\n"))));
    assert!(shown.change.unwrap().diff.unwrap().ends_with("-two\n+four\n"));
    // A file that the run left alone is only shown.
    f.put("project/b.md", "b");
    assert_eq!(view(&f, "@project/b.md", None).change, None);
}

#[test]
fn what_a_run_deleted_or_made_differs_from_nothing() {
    let f = Fixture::new();
    f.put("project/a.md", "one\n");
    assert_eq!(f.call("fs.delete", &json!({ "path": "@project/a.md" }))["ok"], true);
    let gone = view(&f, "@project/a.md", Some(effect("@project/a.md", Some("one\n"))));
    assert_eq!(gone.now, FileContent::Nothing);
    let change = gone.change.unwrap();
    assert_eq!(change.before, text("one\n"));
    assert!(change.diff.unwrap().ends_with("-one\n"));
    f.put("project/new.md", "new\n");
    let made = view(&f, "@project/new.md", Some(effect("@project/new.md", None)));
    let change = made.change.unwrap();
    assert_eq!(change.before, FileContent::Nothing);
    assert!(change.diff.unwrap().ends_with("+new\n"));
    // What was too large to be kept is known to nobody.
    let lost = view(&f, "@project/a.md", Some(effect("@project/a.md", Some("never kept"))));
    let change = lost.change.unwrap();
    assert_eq!((change.before, change.diff), (FileContent::NotKept, None));
}

#[test]
fn what_is_no_text_or_may_not_be_read_is_told_as_that() {
    let f = Fixture::new();
    f.put("project/image.bin", b"a\0b").put("project/.env", "KEY=1").put("outside.md", "secret");
    f.put("project/docs/a.md", "a");
    let content = |path: &str| view(&f, path, None).now;
    assert_eq!(content("@project/image.bin"), FileContent::NotText { bytes: 3 });
    assert_eq!(content("@project/.env"), FileContent::Refused);
    assert_eq!(content("@project/docs"), FileContent::Folder);
    assert_eq!(content("@project/no.md"), FileContent::Nothing);
    assert_eq!(content("@state/lease"), FileContent::Refused);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(f.real("outside.md"), f.real("project/out.md")).unwrap();
        assert_eq!(content("@project/out.md"), FileContent::Refused);
    }
}

#[test]
fn of_a_long_file_the_beginning_is_shown() {
    let f = Fixture::new();
    f.put("project/long.md", "字".repeat(VIEWED_BYTES));
    let FileContent::Text { text, bytes, cut } = view(&f, "@project/long.md", None).now else {
        panic!("no text");
    };
    assert!(cut && text.len() <= VIEWED_BYTES && text.ends_with('字'));
    assert_eq!(bytes, 3 * VIEWED_BYTES as u64);
    // Nothing is read of a file as long as this but its beginning.
    let huge = File::create(f.real("project/huge.bin")).unwrap();
    huge.set_len(64 * KEPT_FILE_BYTES).unwrap();
    let bytes = 64 * KEPT_FILE_BYTES;
    assert_eq!(view(&f, "@project/huge.bin", None).now, FileContent::NotText { bytes });
}

#[test]
fn another_program_opens_documents_and_shows_every_file_that_may_be_seen() {
    let f = Fixture::new();
    f.put("project/docs/plan.md", "a").put("project/run.bat", "a").put("project/.env", "KEY=1");
    let outside = |path: &str, open_in| f.host.outside(&path.parse().unwrap(), open_in);
    let opened = |path: &str, open_in| outside(path, open_in).unwrap().as_path().to_owned();
    for open_in in [OpenIn::Program, OpenIn::Folder] {
        assert_eq!(opened("@project/docs/plan.md", open_in), f.real("project/docs/plan.md"));
        for (path, code) in [
            ("@project/.env", ErrorCode::SecretFile),
            ("@state/lease", ErrorCode::SandboxViolation),
            ("@project/gone.md", ErrorCode::NotFound),
        ] {
            assert_eq!(outside(path, open_in).unwrap_err().code, code, "{path}");
        }
    }
    // A folder is a program on some systems, and others go by what is in a file.
    f.put("project/data.jsonl", "#!/bin/sh\n");
    for path in ["project/run.bat", "project/docs", "project/data.jsonl"] {
        let alias = format!("@{path}");
        assert_eq!(opened(&alias, OpenIn::Folder), f.real(path));
        let refused = outside(&alias, OpenIn::Program).unwrap_err();
        assert_eq!(refused.code, ErrorCode::NotOpened, "{path}");
    }
    assert!(!view(&f, "@project/run.bat", None).is_document);
    assert!(!view(&f, "@project/gone.md", None).is_document);
    assert!(view(&f, "@project/docs/plan.md", None).is_document);
}

#[test]
#[cfg(unix)]
fn a_link_is_opened_by_the_name_that_it_leads_to() {
    let f = Fixture::new();
    f.put("project/run.bat", "a").put("outside.md", "secret");
    for (target, link) in [("run.bat", "project/a.md"), ("../outside.md", "project/out.md")] {
        std::os::unix::fs::symlink(target, f.real(link)).unwrap();
    }
    let outside = |path: &str, open_in| f.host.outside(&path.parse().unwrap(), open_in);
    let shown = outside("@project/a.md", OpenIn::Folder).unwrap();
    assert_eq!(shown.as_path(), f.real("project/run.bat"));
    let code = |path, open_in| outside(path, open_in).unwrap_err().code;
    assert_eq!(code("@project/a.md", OpenIn::Program), ErrorCode::NotOpened);
    for open_in in [OpenIn::Program, OpenIn::Folder] {
        assert_eq!(code("@project/out.md", open_in), ErrorCode::SandboxViolation);
    }
}

#[test]
fn a_folder_is_shown_with_its_folders_first_and_nothing_that_is_hidden_or_private() {
    let f = Fixture::new();
    f.put("project/b.md", "b").put("project/a.md", "a").put("project/docs/c.md", "c");
    f.put("project/.env", "KEY=1").put("project/.git/config", "x").put("outside/d.md", "d");
    #[cfg(unix)]
    std::os::unix::fs::symlink("../outside", f.real("project/out")).unwrap();
    let listed = |path: &str| f.host.folder(&path.parse().unwrap());
    let entries = |path: &str| -> Vec<String> {
        let entries = listed(path).unwrap().entries.into_iter();
        entries.map(|it| format!("{}{}", it.path, if it.is_folder { "/" } else { "" })).collect()
    };
    assert_eq!(entries("@project"), ["@project/docs/", "@project/a.md", "@project/b.md"]);
    assert_eq!(entries("@project/docs"), ["@project/docs/c.md"]);
    assert_eq!(entries("@project/.git"), Vec::<String>::new());
    for (path, code) in [
        ("@project/gone", ErrorCode::NotFound),
        ("@project/a.md", ErrorCode::Io),
        ("@project/out", ErrorCode::SandboxViolation),
    ] {
        assert_eq!(listed(path).unwrap_err().code, code, "{path}");
    }
}

#[test]
fn of_a_large_folder_so_many_entries_are_shown_and_the_others_counted() {
    let f = Fixture::new();
    for n in 0..LISTED_ENTRIES + 7 {
        f.put(&format!("project/many/{n:05}.md"), "");
    }
    let shown = f.host.folder(&"@project/many".parse().unwrap()).unwrap();
    assert_eq!((shown.entries.len(), shown.more), (LISTED_ENTRIES, 7));
    assert_eq!(shown.entries[0].path.to_string(), "@project/many/00000.md");
}
