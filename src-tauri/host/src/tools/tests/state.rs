use kernel::code::ErrorCode;
use kernel::effect::Mirror;
use kernel::text::sha256_hex;

use super::fixture::Fixture;

fn mirror(text: &str, replaces: Option<&str>) -> Mirror {
    Mirror {
        text: text.to_owned(),
        sha256: sha256_hex(text.as_bytes()),
        replaces: replaces.map(|t| sha256_hex(t.as_bytes())),
    }
}

#[test]
fn the_document_is_read_as_it_is() {
    let f = Fixture::new();
    assert_eq!(f.host.read_state(), Ok(None));
    f.put("state/workflow.md", "---\n---\n");
    assert_eq!(f.host.read_state(), Ok(Some("---\n---\n".to_owned())));
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
        f.host.mirror(&mirror("mine", Some("old"))).unwrap();
        assert_eq!(f.get("state/workflow.md"), "mine");
        assert_eq!(f.get(&format!("state/workflow.md.rejected-{n}")), edit);
    }
}

#[cfg(unix)]
#[test]
fn a_link_in_the_documents_place_is_neither_read_nor_written_through() {
    let f = Fixture::new();
    f.put("outside/x.md", "outside");
    std::os::unix::fs::symlink(f.real("outside/x.md"), f.real("state/workflow.md")).unwrap();
    assert_eq!(f.host.read_state().unwrap_err().code, ErrorCode::SandboxViolation);
    f.host.mirror(&mirror("mine", None)).unwrap();
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
