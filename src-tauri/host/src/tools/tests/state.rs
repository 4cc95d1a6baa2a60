use kernel::code::ErrorCode;
use kernel::effect::{Mirror, StateCopy};
use kernel::text::sha256_hex;

use super::fixture::Fixture;

fn mirror(text: &str, replaces: Option<&str>) -> Mirror {
    Mirror {
        text: text.to_owned(),
        sha256: sha256_hex(text.as_bytes()),
        replaces: replaces.map(|t| sha256_hex(t.as_bytes())),
        refused: None,
        copies: Vec::new(),
    }
}

/// The same after the edit was refused, by its hash.
fn refusing(edit: &str, mirror: Mirror) -> Mirror {
    Mirror { refused: Some(edit.to_owned()), ..mirror }
}

#[test]
fn the_document_is_read_as_it_is() {
    let f = Fixture::new();
    assert_eq!(f.host.read_state(), Ok(None));
    f.put("state/workflow.md", "---\n---\n");
    assert_eq!(f.host.read_state().unwrap().unwrap().text, "---\n---\n");
    f.put("state/workflow.md", b"\xff");
    assert_eq!(f.host.read_state().unwrap_err().code, ErrorCode::NotText);
    f.put("state/workflow.md", "x".repeat(1024 * 1024 + 1));
    assert_eq!(f.host.read_state().unwrap_err().code, ErrorCode::ReadLimit);
}

#[test]
fn the_accepted_version_is_put_on_disk_once() {
    let f = Fixture::new();
    f.host.mirror(&mirror("one", None)).unwrap();
    f.host.mirror(&mirror("two", Some("one"))).unwrap();
    f.host.mirror(&mirror("two", Some("one"))).unwrap();
    assert_eq!(f.get("state/workflow.md"), "two");
    assert_eq!(f.names("state"), ["workflow.md"]);
}

#[test]
fn a_foreign_edit_is_kept_aside_under_the_next_number() {
    let f = Fixture::new();
    for (n, edit) in [(1, "theirs"), (2, "theirs again")] {
        f.put("state/workflow.md", edit);
        let found = f.host.mirror(&mirror("mine", Some("old"))).unwrap().unwrap();
        assert_eq!(found, sha256_hex(edit.as_bytes()));
        assert_eq!(f.get("state/workflow.md"), edit, "it stays until somebody is told");
        let refused = refusing(&found, mirror("mine", Some("old")));
        assert_eq!(f.host.mirror(&refused).unwrap(), None);
        assert_eq!(f.get("state/workflow.md"), "mine");
        assert_eq!(f.get(&format!("state/workflow.md.rejected-{n}")), edit);
    }
}

#[test]
fn another_edit_than_the_one_that_was_refused_stays_too() {
    let f = Fixture::new();
    f.put("state/workflow.md", "newer");
    let refused = refusing(&sha256_hex(b"older"), mirror("mine", None));
    assert_eq!(f.host.mirror(&refused).unwrap(), Some(sha256_hex(b"newer")));
    assert_eq!(f.names("state"), ["workflow.md"]);
}

/// The same with a file beside the document.
fn with_copy(mirror: Mirror, path: &str, text: &str) -> Mirror {
    let copy = StateCopy { path: path.parse().unwrap(), text: text.to_owned() };
    Mirror { copies: vec![copy], ..mirror }
}

#[test]
fn copies_are_written_beside_the_document_and_only_when_they_are_others() {
    let f = Fixture::new();
    let path = "@state/workflows/kid/workflow.md";
    let first = with_copy(mirror("one", None), path, "⟦folder:project⟧/a");
    f.host.mirror(&first).unwrap();
    assert_eq!(
        f.get("state/workflows/kid/workflow.md"),
        format!("{}/a", f.real("project").display())
    );
    let written = || {
        std::fs::metadata(f.real("state/workflows/kid/workflow.md")).unwrap().modified().unwrap()
    };
    let before = written();
    f.host.mirror(&first).unwrap();
    assert_eq!(written(), before, "it was there already");
    f.put("state/workflows/kid/workflow.md", "a person's");
    f.host.mirror(&first).unwrap();
    assert!(
        f.get("state/workflows/kid/workflow.md").ends_with("/a"),
        "nobody reads what they wrote"
    );
    f.put("state/workflow.md", "an edit");
    let next = with_copy(mirror("two", Some("one")), "@state/run.md", "run");
    assert!(f.host.mirror(&next).unwrap().is_some(), "the edit is told first");
    assert_eq!(f.names("state"), ["workflow.md", "workflows"]);
}

/// Puts something at a path that has no place there.
type Maker<'m> = &'m dyn Fn(&str, &Fixture);

#[cfg(unix)]
#[test]
fn what_has_no_place_beside_the_document_is_kept_aside_and_nothing_is_written_through_links() {
    let (run, kid) = ("@state/run.md", "@state/workflows/kid/workflow.md");
    let folder = |at: &str, f: &Fixture| std::fs::create_dir_all(f.real(at)).unwrap();
    let link = |at: &str, f: &Fixture| {
        f.put("outside/kid/workflow.md", "outside");
        let above = f.real(at);
        std::fs::create_dir_all(above.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(f.real("outside"), above).unwrap();
    };
    let file = |at: &str, f: &Fixture| _ = f.put(at, "a file");
    let cases: [(&str, &str, Maker<'_>); 6] = [
        (run, "state/run.md", &folder),
        (run, "state/run.md", &link),
        (kid, "state/workflows", &file),
        (kid, "state/workflows", &link),
        (kid, "state/workflows/kid", &link),
        (kid, "state/workflows/kid/workflow.md", &folder),
    ];
    for (path, at, make) in cases {
        let f = Fixture::new();
        make(at, &f);
        let mirror = with_copy(mirror("one", None), path, "copy");
        assert_eq!(f.host.mirror(&mirror).unwrap(), None, "{at}");
        assert_eq!(f.get(&path.replace('@', "")), "copy", "{at}");
        let aside = f.real(&format!("{at}.rejected-1"));
        assert!(aside.symlink_metadata().is_ok(), "{at}");
        if f.real("outside/kid").exists() {
            assert_eq!(f.get("outside/kid/workflow.md"), "outside", "{at}");
            assert_eq!(f.names("outside"), ["kid"], "{at}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_link_in_the_documents_place_is_neither_read_nor_written_through() {
    let f = Fixture::new();
    f.put("outside/x.md", "outside");
    std::os::unix::fs::symlink(f.real("outside/x.md"), f.real("state/workflow.md")).unwrap();
    assert_eq!(f.host.read_state().unwrap_err().code, ErrorCode::SandboxViolation);
    assert_eq!(f.host.mirror(&mirror("mine", None)).unwrap(), Some(String::new()));
    f.host.mirror(&refusing("", mirror("mine", None))).unwrap();
    assert_eq!(f.get("outside/x.md"), "outside");
    assert_eq!(f.get("state/workflow.md"), "mine");
    assert_eq!(f.names("state"), ["workflow.md", "workflow.md.rejected-1"]);
}

#[test]
fn a_state_folder_that_went_away_is_a_store_error() {
    let f = Fixture::new();
    std::fs::remove_dir(f.real("state")).unwrap();
    let failure = f.host.mirror(&mirror("mine", None)).unwrap_err();
    assert_eq!(failure.code, ErrorCode::StoreWriteFailed);
    assert!(failure.message.starts_with("@state/workflow.md") && failure.action.is_some());
}

/// A document of lines that name the project, within the limit with marks and beyond it with real
/// names; both ways.
fn too_long(f: &Fixture) -> (String, String) {
    let (mark, name) = ("⟦folder:project⟧", f.real("project"));
    let lines = 1024 * 1024 / (name.as_os_str().len() + 3) + 1;
    let marked = format!("{mark}/a\n").repeat(lines);
    assert!(marked.len() < 1024 * 1024, "the temporary folder's name is too short for this test");
    (marked.clone(), marked.replace(mark, name.to_str().unwrap()))
}

#[test]
fn a_document_that_real_names_make_too_long_keeps_its_marks_on_disk() {
    let f = Fixture::new();
    let (long, _) = too_long(&f);
    f.host.mirror(&mirror("short", None)).unwrap();
    assert_eq!(f.host.mirror(&mirror(&long, Some("short"))).unwrap(), None);
    assert!(f.get("state/workflow.md") == long);
    let found = f.host.read_state().unwrap().unwrap();
    assert!(found.is(&sha256_hex(long.as_bytes())), "it is the accepted document");
    // It is there already, and the next one follows it.
    assert_eq!(f.host.mirror(&mirror(&long, Some("short"))).unwrap(), None);
    assert_eq!(f.host.mirror(&mirror("⟦folder:project⟧/a", Some(&long))).unwrap(), None);
    assert_eq!(f.get("state/workflow.md"), format!("{}/a", f.real("project").display()));
    assert_eq!(f.names("state"), ["workflow.md"]);
}

#[test]
fn a_document_that_an_older_program_made_too_long_gets_its_place_back_when_it_is_deleted() {
    let f = Fixture::new();
    let (long, raw) = too_long(&f);
    f.put("state/workflow.md", &raw);
    assert_eq!(f.host.read_state().unwrap_err().code, ErrorCode::ReadLimit);
    std::fs::remove_file(f.real("state/workflow.md")).unwrap();
    assert_eq!(f.host.mirror(&mirror(&long, None)).unwrap(), None);
    assert!(f.host.read_state().unwrap().unwrap().is(&sha256_hex(long.as_bytes())));
}
