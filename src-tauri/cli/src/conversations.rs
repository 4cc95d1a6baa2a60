//! `conversations list|show|search|rename|compact|export|delete`.

use host::export::{ExportForm, older};
use host::host::Host;
use kernel::code::{ErrorCode, Failure};
use kernel::command::{Command, ExportFormat, SearchQuery, SessionCommand};
use kernel::ids::{ConversationId, ProjectId, RunId};
use kernel::phrase::{Phrase, asking, printed, terminal};
use kernel::wire::{ConversationSummary, MessageRow, MoreHits, SearchHit, SearchPage};
use kernel::words::say;
use serde_json::{Value, json};
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;

use crate::args::{ConversationsCommand, Format, Global};
use crate::ask;
use crate::choose::absolute;
use crate::exit::Exit;
use crate::output::Output;
use crate::print::{self, StyledText, blocks, paint, rows};
use crate::{names, reads, shorten, status};

/// Conversations that are read at a time.
const LIST_PAGE: u32 = 500;

/// `crewagent conversations …`
pub(crate) async fn conversations(
    host: &Arc<Host>,
    global: &Global,
    command: &ConversationsCommand,
    out: &Output,
) -> Result<Exit, Failure> {
    use ConversationsCommand as C;
    match command {
        C::List { all, limit, after } => {
            let Some(project) = scope(host, global, *all, out).await? else {
                return Ok(nothing(out, &json!({ "conversations": [], "next": null })));
            };
            let page = reads::conversations(host, project.0, *limit, after.clone()).await?;
            out.result(&page, || rows(page.conversations.iter().map(|c| row(c, out))));
            Ok(Exit::Done)
        }
        C::Show { id, page, before, limit } => show(host, id, *page, *before, *limit, out).await,
        C::Search { text, all, conversation, limit, per_conversation, before } => {
            let (project_id, conversation_id) = match conversation {
                Some(id) => (None, Some(find(host, id).await?.conversation_id)),
                None => match scope(host, global, *all, out).await? {
                    Some(project) => (project.0, None),
                    None => return Ok(nothing(out, &SearchPage::default())),
                },
            };
            let search = SearchQuery {
                text: text.clone(),
                project_id,
                conversation_id,
                limit: Some(*limit),
                per_conversation: *per_conversation,
                before: *before,
            };
            let found = reads::search(host, search).await?;
            out.result(&found, || found_in_words(&found, out));
            Ok(Exit::Done)
        }
        C::Rename { id, title } => {
            let conversation_id = find(host, id).await?.conversation_id;
            let title = title.clone();
            host.submit(Command::RenameConversation { conversation_id, title }).await?;
            let named = find(host, id).await?;
            out.result(&named, || named.title.clone());
            Ok(Exit::Done)
        }
        C::Compact { id, hard } => {
            let conversation = find(host, id).await?.conversation_id;
            shorten::shorten(host, &conversation, SessionCommand::Compact { hard: *hard }, out)
                .await
        }
        C::Export { id, format, output } => export(host, id, *format, output.as_deref(), out).await,
        C::Delete { id: Some(id), yes, .. } => delete_one(host, id, *yes, out).await,
        C::Delete { yes, .. } => delete_everything(host, global, *yes, out).await,
    }
}

/// A project, or all of them.
struct ProjectScope(Option<ProjectId>);

/// `None` for a folder that is no project: looking must not make one of it.
async fn scope(
    host: &Arc<Host>,
    global: &Global,
    all: bool,
    out: &Output,
) -> Result<Option<ProjectScope>, Failure> {
    if all {
        return Ok(Some(ProjectScope(None)));
    }
    if global.project.is_dir() && !global.project.join(host::projects::PROJECT_FILE).exists() {
        out.note(printed::no_project_here());
        return Ok(None);
    }
    Ok(Some(ProjectScope(Some(names::project(host, &global.project).await?))))
}

fn nothing(out: &Output, document: &impl serde::Serialize) -> Exit {
    if out.json {
        out.result(document, String::new);
    }
    Exit::Done
}

/// By its own id, or by a run's.
async fn find(host: &Arc<Host>, text: &str) -> Result<ConversationSummary, Failure> {
    let id = names::conversation_id(text)?;
    match reads::conversation(host, &id).await {
        Err(failure) if failure.code == ErrorCode::ConversationNotFound => {
            let Ok(run_id) = RunId::new(text) else { return Err(failure) };
            let Ok(run) = reads::run(host, &run_id).await else {
                return Err(failure.with_action(terminal::see_conversations_list()));
            };
            reads::conversation(host, &run.conversation_id).await
        }
        other => other,
    }
}

fn row(c: &ConversationSummary, out: &Output) -> String {
    let phase = c.runs.first().map_or_else(String::new, |r| status::phase(r.phase, out));
    let at = c.last_active_at.to_string();
    format!("{}  {phase:<13} {at}  {:>5}  {}", c.conversation_id, c.message_count, c.title)
}

async fn show(
    host: &Arc<Host>,
    id: &str,
    page: Option<u32>,
    before: Option<u64>,
    limit: u32,
    out: &Output,
) -> Result<Exit, Failure> {
    let conversation = find(host, id).await?;
    let id = &conversation.conversation_id;
    let found = reads::messages(host, id, page, before, limit).await?;
    let document = json!({
        "conversationId": id,
        "title": conversation.title,
        "messages": found.messages.iter().map(shown).collect::<Vec<_>>(),
        // Where the page before this one ends, for --before.
        "before": found.messages.first().filter(|_| found.earlier).map(|m| m.seq),
    });
    out.result(&document, || blocks(found.messages.iter().map(|m| message_in_words(m, out))));
    Ok(Exit::Done)
}

/// All fields of a message (spec 08 "Messages"), `turn`, `tokens` and `usage` among them.
fn shown(message: &MessageRow) -> Value {
    let mut value = older(serde_json::to_value(message).unwrap_or_default());
    value["turn"] = message.turn.into();
    value["tokens"] = json!(message.tokens);
    value["usage"] = json!(message.usage);
    value["files"] = json!(message.files);
    value
}

/// The name of the tool, or who spoke.
fn who(tool: Option<&str>, role: &str, out: &Output) -> String {
    match (tool, role) {
        (Some(tool), _) => tool.to_owned(),
        (None, "user") => out.say(printed::role_user()),
        (None, "assistant") => out.say(printed::role_assistant()),
        (None, role) => role.to_owned(),
    }
}

fn message_in_words(message: &MessageRow, out: &Output) -> StyledText {
    let who = who(message.tool_name.as_deref(), &message.role, out);
    let head = paint("2", format!("#{} {} {who}", message.seq, message.created_at));
    let text = kernel::text::ellipsis(message.content.trim(), 2_000);
    let files = message.files.iter().map(|it| paint("2", format!("@ {}\n", out.say(it.says()))));
    files.fold(rows([head]).and(format!("\n{text}\n")), StyledText::and)
}

fn found_in_words(page: &SearchPage, out: &Output) -> StyledText {
    let mut found: Vec<StyledText> = page.titles.iter().map(|c| row(c, out).into()).collect();
    for hits in page.hits.chunk_by(|a, b| a.conversation_id == b.conversation_id) {
        let id = &hits[0].conversation_id;
        found.push(StyledText::from(format!("{id}  ")).and(paint("1", &hits[0].title)));
        found.extend(hits.iter().map(|hit| hit_in_words(hit, out)));
        let more = page.more.iter().filter(|more| more.conversation_id == *id);
        found.extend(more.map(|more| more_in_words(more, out)));
    }
    if let Some(next) = page.next {
        found.push(paint("2", say(&[terminal::more_before(next)], out.lang)));
    }
    if page.unindexed > 0 {
        found.push(paint("2", say(&[terminal::still_indexing()], out.lang)));
    }
    rows(found)
}

fn more_in_words(more: &MoreHits, out: &Output) -> StyledText {
    let at_least = if more.at_least { "+" } else { "" };
    let count = format!("{}{at_least}", more.count);
    paint("2", out.say(terminal::more_places(count, &more.conversation_id)))
}

fn hit_in_words(hit: &SearchHit, out: &Output) -> StyledText {
    let part = |p: &kernel::wire::SnippetPart| {
        if p.hit { paint("33;1", &p.text) } else { p.text.as_str().into() }
    };
    let who = who(hit.tool_name.as_deref(), &hit.role, out);
    let head = StyledText::from(format!("  #{} {} {who}: ", hit.seq, hit.created_at));
    hit.snippet.iter().map(part).fold(head, StyledText::and)
}

async fn export(
    host: &Arc<Host>,
    id: &str,
    format: Format,
    output: Option<&Path>,
    out: &Output,
) -> Result<Exit, Failure> {
    let conversation_id = find(host, id).await?.conversation_id;
    let format = match format {
        Format::Messages => ExportFormat::Messages,
        Format::Markdown => ExportFormat::Markdown,
        Format::Lines => ExportFormat::Lines,
    };
    let language = out.lang.into();
    let Some(file) = output else {
        host.export(&conversation_id, ExportForm { format, language }, print::File::new()).await?;
        return Ok(Exit::Done);
    };
    let path = absolute(file)?;
    let command = Command::ExportConversation {
        conversation_id: conversation_id.clone(),
        format,
        path,
        language,
    };
    host.submit(command).await?;
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    out.result(&json!({ "conversationId": conversation_id, "file": name }), || name.clone());
    Ok(Exit::Done)
}

pub(crate) async fn delete_one(
    host: &Arc<Host>,
    id: &str,
    yes: bool,
    out: &Output,
) -> Result<Exit, Failure> {
    let conversation = find(host, id).await?;
    let (title, count) = (&conversation.title, conversation.message_count);
    let question = asking::delete_conversation(title, count);
    if !confirmed(yes, question, terminal::say_yes_to_delete(), out)? {
        return Ok(Exit::Waiting);
    }
    let conversation_id = conversation.conversation_id;
    let command = Command::DeleteConversation { conversation_id: conversation_id.clone() };
    host.submit(command).await?;
    out.result(&json!({ "deleted": [conversation_id] }), || {
        say(&[terminal::deleted(&conversation_id)], out.lang)
    });
    Ok(Exit::Done)
}

async fn delete_everything(
    host: &Arc<Host>,
    global: &Global,
    yes: bool,
    out: &Output,
) -> Result<Exit, Failure> {
    let Some(ProjectScope(Some(project_id))) = scope(host, global, false, out).await? else {
        return Ok(nothing(out, &json!({ "deleted": [] })));
    };
    let ids = all_of(host, &project_id).await?;
    let count = ids.len();
    let question = asking::delete_all_conversations(count);
    if !confirmed(yes, question, terminal::say_yes_to_delete(), out)? {
        return Ok(Exit::Waiting);
    }
    host.submit(Command::DeleteProjectData { project_id }).await?;
    out.result(&json!({ "deleted": ids }), || say(&[terminal::deleted(count)], out.lang));
    Ok(Exit::Done)
}

/// Every conversation of a project.
async fn all_of(host: &Host, project_id: &ProjectId) -> Result<Vec<ConversationId>, Failure> {
    let (mut ids, mut after) = (Vec::new(), None);
    loop {
        let project = Some(project_id.clone());
        let page = reads::conversations(host, project, LIST_PAGE, after).await?;
        ids.extend(page.conversations.into_iter().map(|found| found.conversation_id));
        after = page.next;
        if after.is_none() {
            ids.sort();
            return Ok(ids);
        }
    }
}

/// Asks at a terminal; without one, or where a program reads, `--yes` must say it.
pub(crate) fn confirmed(
    yes: bool,
    question: Phrase,
    action: Phrase,
    out: &Output,
) -> Result<bool, Failure> {
    if yes {
        return Ok(true);
    }
    if out.json || !std::io::stdin().is_terminal() {
        return Err(
            Failure::new(ErrorCode::BadRequest, terminal::nobody_confirms()).with_action(action)
        );
    }
    out.note(question);
    Ok(ask::agrees(out.lang))
}
