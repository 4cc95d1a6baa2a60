//! `runs diff`: what is different in the project since before a run, file by file.

use host::host::Host;
use kernel::code::{ErrorCode, Failure};
use kernel::command::Query;
use kernel::ids::ConversationId;
use kernel::path::AliasPath;
use kernel::phrase::{printed, terminal};
use kernel::wire::{Answer, FileContent, FileView};
use std::path::Path;
use std::sync::Arc;

use crate::changes::changes;
use crate::exit::Exit;
use crate::names;
use crate::output::Output;
use crate::print::{StyledText, blocks, paint, rows};
use crate::reads;

/// `crewagent runs diff RUN [FILE]`
pub(crate) async fn differences(
    host: &Arc<Host>,
    run: &str,
    file: Option<&str>,
    out: &Output,
) -> Result<Exit, Failure> {
    let conversation = names::conversation_of(host, run).await?;
    let paths = if let Some(file) = file {
        vec![path_of(file)?]
    } else {
        let changes = reads::snapshot(host, &conversation).await?.changes;
        changes.into_iter().map(|effect| effect.path).collect()
    };
    let mut views = Vec::with_capacity(paths.len());
    for path in paths {
        views.push(view(host, &conversation, path).await?);
    }
    out.result(&views, || {
        if views.is_empty() {
            return rows([out.say(printed::nothing_changed())]);
        }
        blocks(views.iter().map(|view| in_words(view, out)))
    });
    Ok(Exit::Done)
}

/// A path as it is shown, or as it lies in the project.
pub(crate) fn path_of(text: &str) -> Result<AliasPath, Failure> {
    let whole = if text.starts_with('@') { text.to_owned() } else { format!("@project/{text}") };
    let parsed = AliasPath::parse(&whole).ok().filter(|_| Path::new(text).is_relative());
    parsed.ok_or_else(|| {
        Failure::new(ErrorCode::BadRequest, terminal::no_path(text))
            .with_action(terminal::paths_lie_in_the_project())
    })
}

pub(crate) async fn view(
    host: &Arc<Host>,
    conversation: &ConversationId,
    path: AliasPath,
) -> Result<FileView, Failure> {
    let query = Query::File { conversation_id: conversation.clone(), path };
    match host.query(query).await? {
        Answer::File(view) => Ok(*view),
        _ => Err(Failure::new(ErrorCode::Internal, terminal::another_answer())),
    }
}

pub(crate) fn in_words(view: &FileView, out: &Output) -> StyledText {
    let Some(change) = &view.change else {
        let said = match view.now {
            FileContent::Nothing => printed::file_not_there(),
            _ => printed::file_not_changed(),
        };
        return rows([format!("{}  {}", view.path, out.say(said))]);
    };
    // The list has a title, which one file needs not.
    let head = changes(std::slice::from_ref(&change.effect), out).pop().unwrap_or_default();
    let head = rows([paint("1", head.trim_start())]);
    match (&change.diff, &change.before) {
        (Some(diff), _) => head.and("\n").and(changed_lines(diff)),
        (None, FileContent::NotKept) => {
            head.and("\n").and(rows([out.say(printed::file_was_not_kept())]))
        }
        (None, _) => head.and("\n").and(rows([out.say(printed::file_without_diff())])),
    }
}

/// The lines of a unified diff, without the names of the file at its head.
pub(crate) fn changed_lines(diff: &str) -> StyledText {
    rows(diff.lines().skip_while(|line| !line.starts_with("@@")).map(line))
}

fn line(line: &str) -> StyledText {
    changed_line(line, line)
}

/// A text in the colour of a line of a unified diff.
pub(crate) fn changed_line(text: &str, line: &str) -> StyledText {
    match line.as_bytes().first() {
        Some(b'+') => paint("32", text),
        Some(b'-') => paint("31", text),
        Some(b'@') => paint("2", text),
        _ => text.into(),
    }
}
