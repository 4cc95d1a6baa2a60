//! `skill.activate` and `skill.read`.

use cap_std::fs::Dir;
use kernel::bounds::size;
use kernel::code::{ErrorCode, Failure};
use kernel::effect::Permit;
use kernel::text::ellipsis;
use kernel::tool::skill_read::Output;
use kernel::tool::{ToolOutput, skill_activate, skill_read};
use std::io;

use super::access::{Access, secret};
use super::refused::not_offered;
use super::results;
use super::secrets::is_secret;
use crate::failure::io_words;
use crate::plain_file::{open_in, text_of};
use crate::redact::Private;
use crate::skills::{Shown, SkillPlaces, is_no_text};

/// Bytes of what one answer holds: with the rest of it, less than a message takes.
const ANSWER_BYTES: usize = 40 * 1024;

pub(super) fn activate(
    (places, private): (&SkillPlaces, &Private),
    permit: &Permit,
    call: &skill_activate::Input,
) -> Result<ToolOutput, Failure> {
    let skill = permit.policy().skills().named(&call.name);
    let place = skill.map(|skill| &skill.place).ok_or_else(|| not_offered(permit))?;
    let skill = places.load(place, &call.name, &|text| results::shown(private, text))?;
    Ok(ToolOutput::Skill(Box::new(skill)))
}

pub(super) fn read(
    (places, private): (&SkillPlaces, &Private),
    access: &mut Access<'_>,
    permit: &Permit,
    call: &skill_read::Input,
) -> Result<ToolOutput, Failure> {
    let policy = permit.policy();
    let skill = policy.skills().working(&call.skill).ok_or_else(|| not_offered(permit))?;
    let alias = format!("{}/{}", skill.place.alias_of(&call.skill), call.file);
    if call.file.split('/').any(|part| part.starts_with('.')) {
        let message = format!("{alias}: hidden files are not read");
        return Err(Failure::for_model(ErrorCode::SandboxViolation, message));
    }
    let most = policy.max_read_bytes;
    let text = if let Some(path) = skill.place.path_of(&call.skill, &call.file) {
        // Wherever links lead, the rules of every file of the project hold.
        let file = access.open_file(&path)?.file;
        text_of(file, most).map_err(|e| refused(&alias, most, &e))?
    } else {
        if !policy.allow_secret_files && is_secret(&call.file) {
            return Err(secret(alias));
        }
        let folder = places.folder(&skill.place, &call.skill)?;
        text_below(&folder, &call.file, most).map_err(|e| refused(&alias, most, &e))?
    };
    let shown = |text: &str| results::shown(private, text);
    lines_of(&text, &alias, call, &shown).map(ToolOutput::SkillFile)
}

/// The text of a file below a folder. No link is followed.
fn text_below(folder: &Dir, file: &str, most: u64) -> io::Result<String> {
    let mut at = String::new();
    for part in file.split('/') {
        at.push_str(part);
        if folder.symlink_metadata(&at)?.is_symlink() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        at.push('/');
    }
    text_of(open_in(folder, file)?, most)
}

/// The lines that are asked for, as many of them as fit.
fn lines_of(
    text: &str,
    alias: &str,
    call: &skill_read::Input,
    shown: Shown<'_>,
) -> Result<Output, Failure> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let total = lines.len() as u64;
    let start = u64::from(call.args.start_line.unwrap_or(1));
    let end = call.args.end_line.map_or(total, u64::from).min(total);
    if start == 0 || start > total.max(1) || (end < start && total > 0) {
        let message = format!("{alias} has {total} lines");
        return Err(Failure::for_model(ErrorCode::InvalidArgs, message)
            .with_action_for_model("Ask for lines within them."));
    }
    let first = usize::try_from(start - 1).unwrap_or(usize::MAX);
    let asked = lines.get(first..usize::try_from(end).unwrap_or(usize::MAX)).unwrap_or_default();
    let count = fitting(asked);
    let whole = shown(&asked[..count].concat());
    let content = ellipsis(&whole, ANSWER_BYTES);
    let is_cut = content.len() < whole.len();
    let next = start + count as u64;
    let hint = if is_cut {
        Some("The line is longer than may be read at once.".to_owned())
    } else {
        (count < asked.len()).then(|| format!("Go on with startLine {next}."))
    };
    Ok(Output {
        skill: call.skill.clone(),
        path: call.file.clone(),
        total_lines: total,
        start_line: start,
        end_line: next.saturating_sub(1).max(start),
        truncated: hint.is_some(),
        content,
        hint,
    })
}

/// How many of these lines one answer holds; the first in any case.
fn fitting(lines: &[&str]) -> usize {
    let mut bytes = 0;
    let fit = lines.iter().take_while(|line| {
        bytes += line.len();
        bytes <= ANSWER_BYTES
    });
    fit.count().max(usize::from(!lines.is_empty()))
}

fn refused(alias: &str, most: u64, error: &io::Error) -> Failure {
    let failure = |code, why: &str| Failure::for_model(code, format!("{alias}: {why}"));
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            failure(ErrorCode::NotFound, "the skill has no such file")
                .with_action_for_model("Name a file of the list that skill_activate gave.")
        }
        io::ErrorKind::FileTooLarge => {
            failure(ErrorCode::ReadLimit, &format!("it is longer than {}", size(most)))
        }
        io::ErrorKind::InvalidData if is_no_text(error) => {
            failure(ErrorCode::NotText, "it is not UTF-8 text")
        }
        io::ErrorKind::PermissionDenied if error.raw_os_error().is_none() => {
            failure(ErrorCode::SandboxViolation, "links are not followed")
        }
        io::ErrorKind::Unsupported => failure(ErrorCode::NotText, "it is no plain file"),
        _ => failure(ErrorCode::Io, &io_words(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cap_std::ambient_authority;
    use kernel::tool::{ToolInput, parse_call};
    use serde_json::json;
    use std::fs;
    use std::path::Path;

    fn call(file: &str, lines: Option<(u32, u32)>) -> skill_read::Input {
        let mut args = json!({ "skill": "pdf", "path": file });
        if let Some((start, end)) = lines {
            (args["startLine"], args["endLine"]) = (json!(start), json!(end));
        }
        match parse_call("skill_read", &args.to_string()).unwrap().input {
            ToolInput::SkillRead(call) => call,
            other => panic!("{other:?}"),
        }
    }

    fn output(text: &str, lines: Option<(u32, u32)>) -> Result<Output, Failure> {
        lines_of(text, "@pkg/skills/pdf/a.md", &call("a.md", lines), &str::to_owned)
    }

    #[test]
    fn a_file_is_told_by_its_lines() {
        let text = "one\ntwo\nthree";
        let content = |lines| output(text, lines).unwrap().content;
        assert_eq!((content(None).as_str(), content(Some((2, 2))).as_str()), (text, "two\n"));
        assert_eq!(output("", None).unwrap().content, "");
        let refused = |lines| output(text, lines).unwrap_err().code;
        assert_eq!(
            (refused(Some((4, 9))), refused(Some((3, 2)))),
            (ErrorCode::InvalidArgs, ErrorCode::InvalidArgs)
        );
    }

    #[test]
    fn what_does_not_fit_is_said_to_be_left_out() {
        let long = format!("{}\n", "x".repeat(999)).repeat(200);
        let first = output(&long, None).unwrap();
        assert_eq!((first.end_line, first.truncated), (40, true));
        assert_eq!(first.hint.unwrap(), "Go on with startLine 41.");
        let one = output(&"y".repeat(300_000), None).unwrap();
        assert!(one.truncated && one.content.len() <= ANSWER_BYTES + "…".len());
        assert!(one.hint.unwrap().contains("longer than"));
    }

    fn below(folder: &Path, file: &str) -> Result<String, ErrorCode> {
        let folder = Dir::open_ambient_dir(folder, ambient_authority()).unwrap();
        text_below(&folder, file, 1024).map_err(|e| refused("~/x", 1024, &e).code)
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.md"), "text").unwrap();
        fs::write(folder.path().join("bytes"), [0xff]).unwrap();
        fs::write(folder.path().join("long"), "x".repeat(2000)).unwrap();
        assert_eq!(below(folder.path(), "a.md").unwrap(), "text");
        assert_eq!(below(folder.path(), "none.md"), Err(ErrorCode::NotFound));
        assert_eq!(below(folder.path(), "a.md/b"), Err(ErrorCode::NotFound));
        assert_eq!(below(folder.path(), "bytes"), Err(ErrorCode::NotText));
        assert_eq!(below(folder.path(), "long"), Err(ErrorCode::ReadLimit));
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_followed_in_a_skill_of_the_home_folder() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let skill = folder.path().join("pdf");
        fs::create_dir_all(skill.join("below")).unwrap();
        fs::write(folder.path().join("key.md"), "the key").unwrap();
        fs::write(skill.join("a.md"), "text").unwrap();
        symlink("../key.md", skill.join("key.md")).unwrap();
        symlink("..", skill.join("up")).unwrap();
        symlink("../a.md", skill.join("below/within.md")).unwrap();
        for file in ["key.md", "up/key.md", "below/within.md"] {
            assert_eq!(below(&skill, file), Err(ErrorCode::SandboxViolation), "{file}");
        }
    }
}
