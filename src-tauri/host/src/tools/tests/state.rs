use kernel::code::ErrorCode;
use kernel::effect::Mirror;
use kernel::text::sha256_hex;

use super::fixture::Fixture;

fn mirror(text: &str, replaces: Option<&str>) -> Mirror {
    Mirror {
        text: text.to_owned(),
        sha256: sha256_hex(text.as_bytes()),
        replaces: replaces.map(|t| sha256_hex(t.as_bytes())),
        refused: None,
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
