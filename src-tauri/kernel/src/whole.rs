//! Opening a change whole (spec 06 "Confirmation"): one whose diff is cut is allowed as it is shown
//! only by who was given all of it.
//!
//! Whoever was given it can name it by its hash, and says so with the yes. Of a change that is too
//! long, or no text, there is no whole: it is allowed unseen or not at all.

use serde_json::json;

use crate::bounds::{WHOLE_BYTES, WHOLE_LINES};
use crate::code::{ErrorCode, Failure};
use crate::diff;
use crate::event::ChangeProposed;
use crate::path::AliasPath;
use crate::phrase::changes as said;
use crate::text::{bytes, sha256_hex};

/// What a yes names to say that all of this change was opened: what is to be done, to which bytes
/// and with what outcome.
pub fn sha256(change: &ChangeProposed) -> String {
    let ChangeProposed { change_id, tool, args, pre_hash, post_hash, .. } = change;
    sha256_hex(json!([change_id, tool, args, pre_hash, post_hash]).to_string().as_bytes())
}

/// Whether all of a change can be shown: of what is no text there is no diff at all.
pub fn can_be_opened(change: &ChangeProposed) -> bool {
    change.cut && !change.diff.is_empty()
}

/// All that differs between two versions of a file.
///
/// # Errors
/// `E_READ_LIMIT` when it is more than anybody would read, or a window could hold.
pub fn diff(path: &AliasPath, old: &str, new: &str) -> Result<String, Failure> {
    let diff = diff::unified(&path.to_string(), old, new, WHOLE_BYTES);
    let lines = diff.text.bytes().filter(|byte| *byte == b'\n').count();
    if !diff.cut && lines <= WHOLE_LINES {
        return Ok(diff.text);
    }
    let most = bytes(WHOLE_BYTES as u64);
    let words = said::too_long_to_open(path, diff.added, diff.removed, most, WHOLE_LINES);
    let details = json!({ "bytes": WHOLE_BYTES, "lines": WHOLE_LINES });
    Err(Failure::new(ErrorCode::ReadLimit, words)
        .with_details(details)
        .with_action(said::allow_unseen_or_not()))
}

/// There is nothing to open.
pub fn no_text(path: &AliasPath) -> Failure {
    Failure::new(ErrorCode::NotText, said::nothing_to_open(path))
        .with_action(said::allow_unseen_or_not())
}

/// The file is not the one that was shown: what would be opened is another change.
pub fn changed(path: &AliasPath) -> Failure {
    Failure::new(ErrorCode::PreconditionFailed, said::changed_since_asked(path))
        .with_action(said::is_asked_anew())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{CallId, ChangeId};

    fn path() -> AliasPath {
        AliasPath::parse("@project/a.md").unwrap()
    }

    fn change() -> ChangeProposed {
        ChangeProposed {
            change_id: ChangeId::new("c1").unwrap(),
            tool: "fs.write".into(),
            args: "{}".into(),
            pre_hash: "before".into(),
            post_hash: Some("after".into()),
            path: Some(path()),
            call_id: Some(CallId::new("call")),
            summary: String::new(),
            parts: Vec::new(),
            diff: "…".into(),
            cut: true,
            undoes_completion: false,
            restore: None,
            back_to: None,
        }
    }

    #[test]
    fn whatever_makes_it_another_change_gives_it_another_name() {
        let name = sha256(&change());
        assert_eq!(name.len(), 64);
        let id = ChangeId::new("c2").unwrap();
        for other in [
            ChangeProposed { change_id: id, ..change() },
            ChangeProposed { tool: "fs.apply_patch".into(), ..change() },
            ChangeProposed { args: r#"{"path":"@project/b.md"}"#.into(), ..change() },
            ChangeProposed { pre_hash: "other".into(), ..change() },
            ChangeProposed { post_hash: Some("other".into()), ..change() },
            ChangeProposed { post_hash: None, ..change() },
        ] {
            assert_ne!(sha256(&other), name, "{other:?}");
        }
        // How it was shown makes it no other.
        let words = ChangeProposed { diff: "-a\n".into(), summary: "words".into(), ..change() };
        assert_eq!(sha256(&words), name);
    }

    #[test]
    fn only_what_is_cut_and_is_text_can_be_opened() {
        assert!(can_be_opened(&change()));
        assert!(!can_be_opened(&ChangeProposed { cut: false, ..change() }));
        assert!(!can_be_opened(&ChangeProposed { diff: String::new(), ..change() }));
    }

    #[test]
    fn what_is_not_opened_says_which_file_and_what_to_do() {
        for (failure, code) in [
            (no_text(&path()), ErrorCode::NotText),
            (changed(&path()), ErrorCode::PreconditionFailed),
        ] {
            assert_eq!(failure.code, code);
            assert!(failure.message.contains("@project/a.md") && failure.action.is_some());
        }
    }

    #[test]
    fn a_diff_is_opened_up_to_its_bounds_and_is_never_cut() {
        let lines = "x\n".repeat(WHOLE_LINES - 3);
        let whole = diff(&path(), "", &lines).unwrap();
        assert_eq!(whole.lines().count(), WHOLE_LINES);
        let failure = diff(&path(), "", &format!("{lines}x\n")).unwrap_err();
        assert_eq!(failure.code, ErrorCode::ReadLimit);
        assert!(failure.message.contains("+399998 −0"), "{}", failure.message);
        let one_line = "x".repeat(WHOLE_BYTES);
        assert_eq!(diff(&path(), "", &one_line).unwrap_err().code, ErrorCode::ReadLimit);
        let whole = diff(&path(), "", &one_line[..WHOLE_BYTES - 200]).unwrap();
        assert!(whole.contains(&one_line[..WHOLE_BYTES - 200]));
    }
}
