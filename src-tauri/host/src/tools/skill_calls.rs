//! `skill.activate` and `skill.read`.

use cap_std::fs::Dir;
use kernel::bounds::size;
use kernel::code::{ErrorCode, Failure};
use kernel::effect::Permit;
use kernel::skill::{SkillName, SkillRoot};
use kernel::tool::skill_read::{Args, Output};
use kernel::tool::{ToolOutput, skill_activate, skill_read};
use std::io;

use super::access::secret;
use super::refused::not_offered;
use super::results;
use super::secrets::is_secret;
use crate::failure::io_words;
use crate::plain_file::{open_in, text_of};
use crate::redact::Private;
use crate::skills::{Shown, SkillPlaces, is_no_text};

/// Bytes of the lines that one answer holds: with the rest of it, less than a message takes.
const ANSWER_BYTES: usize = 40 * 1024;

pub(super) fn activate(
    (places, private): (&SkillPlaces, &Private),
    permit: &Permit,
    call: &skill_activate::Input,
) -> Result<ToolOutput, Failure> {
    let skill = permit.policy().skills().named(&call.name);
    let root = skill.map(|skill| skill.root).ok_or_else(|| not_offered(permit))?;
    let skill = places.load(root, &call.name, &|text| results::shown(private, text))?;
    Ok(ToolOutput::Skill(Box::new(skill)))
}

pub(super) fn read(
    (places, private): (&SkillPlaces, &Private),
    permit: &Permit,
    call: &skill_read::Input,
) -> Result<ToolOutput, Failure> {
    let policy = permit.policy();
    let skill = policy.skills().working(&call.skill).ok_or_else(|| not_offered(permit))?;
    if !policy.allow_secret_files && is_secret(&call.file) {
        return Err(secret(skill.root.alias_of(call.skill.as_str(), &call.file)));
    }
    let folder = places.folder(skill.root, &call.skill)?;
    let place = (skill.root, &call.skill, &folder);
    let shown = |text: &str| results::shown(private, text);
    skill_file(place, &call.file, &call.args, (policy.max_read_bytes, &shown))
        .map(ToolOutput::SkillFile)
}

/// Reads a file of a skill: the lines that are asked for, as many of them as fit.
///
/// # Errors
/// `E_FILE_NOT_FOUND`, `E_READ_LIMIT`, `E_NOT_TEXT`, `E_INVALID_ARGS` for lines that there are none
/// of, `E_SANDBOX_VIOLATION` for a hidden file and for a link that leads out of the folder.
fn skill_file(
    (root, skill, folder): (SkillRoot, &SkillName, &Dir),
    file: &str,
    args: &Args,
    (most, shown): (u64, Shown<'_>),
) -> Result<Output, Failure> {
    let alias = root.alias_of(skill.as_str(), file);
    if file.split('/').any(|part| part.starts_with('.')) {
        let message = format!("{alias}: hidden files are not read");
        return Err(Failure::for_model(ErrorCode::SandboxViolation, message));
    }
    let text = open_in(folder, file).and_then(|opened| text_of(opened, most));
    let text = text.map_err(|e| refused(&alias, most, &e))?;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let total = lines.len() as u64;
    let start = u64::from(args.start_line.unwrap_or(1));
    let end = args.end_line.map_or(total, u64::from).min(total);
    if start == 0 || start > total.max(1) || (end < start && total > 0) {
        let message = format!("{alias} has {total} lines");
        return Err(Failure::for_model(ErrorCode::InvalidArgs, message)
            .with_action_for_model("Ask for lines within them."));
    }
    let first = usize::try_from(start - 1).unwrap_or(usize::MAX);
    let asked = lines.get(first..usize::try_from(end).unwrap_or(usize::MAX)).unwrap_or_default();
    let (content, count) = fitting(asked, shown);
    let last = start + (count as u64).saturating_sub(1);
    let truncated = count < asked.len();
    let next = last + 1;
    Ok(Output {
        skill: skill.clone(),
        path: file.to_owned(),
        total_lines: total,
        start_line: start,
        end_line: last,
        truncated,
        content,
        hint: truncated.then(|| format!("Go on with startLine {next}.")),
    })
}

/// As many of these lines as one answer holds, and how many those are. Of a line that is longer
/// alone its beginning.
fn fitting(lines: &[&str], shown: Shown<'_>) -> (String, usize) {
    let mut bytes = 0;
    let fit = lines.iter().take_while(|line| {
        bytes += line.len();
        bytes <= ANSWER_BYTES
    });
    let count = fit.count().max(usize::from(!lines.is_empty()));
    let text = shown(&lines[..count].concat());
    (kernel::text::ellipsis(&text, 2 * ANSWER_BYTES), count)
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
            failure(ErrorCode::SandboxViolation, "a link leads out of the skill's folder")
        }
        io::ErrorKind::Unsupported => failure(ErrorCode::NotText, "it is no plain file"),
        _ => failure(ErrorCode::Io, &io_words(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cap_std::ambient_authority;
    use std::fs;

    fn read(
        folder: &std::path::Path,
        file: &str,
        lines: Option<(u32, u32)>,
    ) -> Result<String, Failure> {
        let skill = SkillName::new("pdf").unwrap();
        let opened = Dir::open_ambient_dir(folder, ambient_authority()).unwrap();
        let (start_line, end_line) = (lines.map(|it| it.0), lines.map(|it| it.1));
        let args = Args { skill: "pdf".into(), path: file.into(), start_line, end_line };
        let place = (SkillRoot::ProjectAgents, &skill, &opened);
        skill_file(place, file, &args, (1024 * 1024, &str::to_owned)).map(|output| output.content)
    }

    #[test]
    fn a_file_is_read_by_its_lines_and_what_cannot_be_says_why() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
        write("a.md", b"one\ntwo\nthree");
        write("long.md", format!("{}\n", "x".repeat(999)).repeat(200).as_bytes());
        write("line.md", "y".repeat(300_000).as_bytes());
        write("bytes", &[0xff]);
        write("empty", b"");
        write(".env", b"KEY=1");
        let read = |file, lines| read(folder.path(), file, lines);
        assert_eq!(read("a.md", None).unwrap(), "one\ntwo\nthree");
        assert_eq!(read("a.md", Some((2, 2))).unwrap(), "two\n");
        assert_eq!(read("empty", None).unwrap(), "");
        assert_eq!(read("long.md", None).unwrap().lines().count(), 40);
        assert!(read("line.md", None).unwrap().len() < 100_000);
        let code = |file, lines| read(file, lines).unwrap_err().code;
        assert_eq!(code("a.md", Some((4, 9))), ErrorCode::InvalidArgs);
        assert_eq!(code("a.md", Some((3, 2))), ErrorCode::InvalidArgs);
        assert_eq!(code("none.md", None), ErrorCode::NotFound);
        assert_eq!(code("a.md/b", None), ErrorCode::NotFound);
        assert_eq!(code("bytes", None), ErrorCode::NotText);
        assert_eq!(code(".env", None), ErrorCode::SandboxViolation);
    }

    #[cfg(unix)]
    #[test]
    fn no_link_leads_out_of_the_folder_of_a_skill() {
        let folder = tempfile::tempdir().unwrap();
        let skill = folder.path().join("pdf");
        fs::create_dir(&skill).unwrap();
        fs::write(folder.path().join("key.md"), "the key").unwrap();
        std::os::unix::fs::symlink("../key.md", skill.join("key.md")).unwrap();
        std::os::unix::fs::symlink("..", skill.join("up")).unwrap();
        assert_eq!(read(&skill, "key.md", None).unwrap_err().code, ErrorCode::SandboxViolation);
        assert_eq!(read(&skill, "up/key.md", None).unwrap_err().code, ErrorCode::SandboxViolation);
    }
}
