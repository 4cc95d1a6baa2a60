//! `runs rewind`: the person takes a run back to a step.

use host::host::Host;
use kernel::code::{ErrorCode, Failure};
use kernel::command::{Query, SessionCommand};
use kernel::event::{Event, RewindEnded};
use kernel::ids::{ConversationId, NodeId};
use kernel::path::AliasPath;
use kernel::phrase::{asking, changes, engine, printed, terminal};
use kernel::restore::{Conflict, ConflictReason, FileChange, lines};
use kernel::tool::rewind::RewindTarget;
use kernel::wire::{Answer, RewindPreview, RewindUnderWay, RuntimeSnapshot, StepView};
use kernel::words::say;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::args::RewindArgs;
use crate::conversations::confirmed;
use crate::differences::path_of;
use crate::exit::Exit;
use crate::follow;
use crate::names;
use crate::output::Output;
use crate::print::{StyledText, blocks, paint, rows};
use crate::question;
use crate::reads::snapshot;
use crate::rewind_result;

/// `crewagent runs rewind RUN --to NODE`
pub(crate) async fn rewind(
    host: &Arc<Host>,
    args: &RewindArgs,
    out: &Output,
) -> Result<Exit, Failure> {
    let conversation = names::conversation_of(host, &args.run).await?;
    let left = snapshot(host, &conversation).await?;
    let mut before = follow::open_run(host, &conversation).await?;
    if let Some(asked) = &left.going_back
        && let Some(ended) = cut_off(host, &conversation, left.seq).await?
    {
        // Asking for it again is no second wish.
        if is_of(asked, args)? && ended.files.failure.is_none() {
            show(&ended, args, out);
            return Ok(Exit::Done);
        }
        if !out.json {
            out.told(rewind_result::in_words(&ended, out));
        }
        *before = snapshot(host, &conversation).await?;
    }
    let target = target(args, &before)?;
    let (conversation_id, undo) = (conversation.clone(), target.undo);
    let query = Query::RewindPreview { conversation_id, target: target.clone() };
    let Answer::RewindPreview(preview) = host.query(query).await? else {
        return Err(Failure::new(ErrorCode::Internal, terminal::another_answer()));
    };
    must_be_shown(&target, &preview)?;
    if !args.yes && !out.json {
        out.print(in_words(&preview, undo, &before.progress.steps, out));
    }
    let question =
        if undo { asking::undo_rewind(&preview.title) } else { asking::rewind(&preview.title) };
    if !confirmed(args.yes, question, terminal::say_yes_to_rewind(), out)? {
        return Ok(Exit::Waiting);
    }
    let (reason, seen) = (args.reason.clone(), preview.seen.clone());
    let command = SessionCommand::Rewind { target, reason, seen };
    host.submit(command.to(conversation.clone())).await?;
    let ended = ended(host, &conversation, before.seq + 1, &preview.seen).await?;
    show(&ended, args, out);
    Ok(Exit::Done)
}

fn show(ended: &RewindEnded, args: &RewindArgs, out: &Output) {
    out.result(ended, || {
        // What is undone rests as it did.
        let goes_on = (!ended.undone).then(|| out.say(printed::goes_on_from_there(&args.run)));
        let told = rewind_result::in_words(ended, out);
        goes_on.map_or_else(|| told.clone(), |goes_on| blocks([told.clone(), rows([goes_on])]))
    });
}

/// How a rewind ended that a dying program cut off: opening the run does it to its end.
async fn cut_off(
    host: &Arc<Host>,
    conversation: &ConversationId,
    left_at: u64,
) -> Result<Option<Box<RewindEnded>>, Failure> {
    let mut journal = host.follow(conversation, left_at + 1).await?;
    let mut read = left_at;
    loop {
        let now = snapshot(host, conversation).await?;
        if now.going_back.is_none() && read >= now.seq {
            return Ok(None);
        }
        let Some(line) = journal.recv().await.transpose()? else { return Ok(None) };
        read = line.next_seq() - 1;
        for event in &line.events {
            if let Event::RewindEnded(ended) = event {
                return Ok(Some(ended.clone()));
            }
        }
    }
}

/// Whether the arguments ask for just this.
fn is_of(asked: &RewindUnderWay, args: &RewindArgs) -> Result<bool, Failure> {
    let node = match &args.to {
        Some(to) => to.trim() == asked.target.node_id.as_str(),
        None => asked.target.undo,
    };
    Ok(node
        && args.undo == asked.target.undo
        && args.keep_files == asked.target.keep_files
        && overwritten(args)? == asked.target.overwrite
        && args.reason == asked.reason)
}

fn overwritten(args: &RewindArgs) -> Result<Vec<AliasPath>, Failure> {
    args.overwrite.iter().map(|file| path_of(file)).collect()
}

/// Where the run goes back to.
fn target(args: &RewindArgs, before: &RuntimeSnapshot) -> Result<RewindTarget, Failure> {
    let (overwrite, keep_files, undo) = (overwritten(args)?, args.keep_files, args.undo);
    let node_id = match &args.to {
        Some(to) => {
            NodeId::new(to.trim()).map_err(|e| Failure::new(ErrorCode::BadRequest, e.says()))?
        }
        None => before.undo.as_ref().map(|undo| undo.node_id.clone()).ok_or_else(|| {
            Failure::new(ErrorCode::NotNow, engine::nothing_to_undo())
                .with_action(engine::go_back_instead())
        })?,
    };
    Ok(RewindTarget { node_id, keep_files, overwrite, undo })
}

/// Each file that is to go back whatever somebody made of it has to be one that goes back: another
/// name is a slip.
fn must_be_shown(target: &RewindTarget, preview: &RewindPreview) -> Result<(), Failure> {
    let files = preview.files.iter().map(|file| &file.path);
    let shown: BTreeSet<_> = files.chain(preview.conflicts.iter().map(|it| &it.path)).collect();
    let slip = target.overwrite.iter().find(|path| !shown.contains(path));
    // Of many files not all are named.
    let Some(slip) = slip.filter(|_| preview.more == 0) else { return Ok(()) };
    Err(Failure::new(ErrorCode::BadRequest, terminal::not_in_rewind(slip))
        .with_action(terminal::name_shown_files()))
}

/// What became of it, as the journal has it.
async fn ended(
    host: &Arc<Host>,
    conversation: &ConversationId,
    from_seq: u64,
    seen: &str,
) -> Result<Box<RewindEnded>, Failure> {
    let mut journal = host.follow(conversation, from_seq).await?;
    let mut own = None;
    while let Some(line) = journal.recv().await {
        // Another program may have gone back, too.
        for event in &line?.events {
            match event {
                Event::RewindAsked(e) if e.seen == seen => own = Some(e.call_id.clone()),
                Event::RewindEnded(e) if own.as_ref() == Some(&e.files.call_id) => {
                    return Ok(e.clone());
                }
                _ => {}
            }
        }
    }
    Err(Failure::new(ErrorCode::Internal, terminal::another_answer()))
}

/// What going back would do.
fn in_words(preview: &RewindPreview, undo: bool, steps: &[StepView], out: &Output) -> StyledText {
    let title = |id: &NodeId| {
        let step = steps.iter().find(|step| step.id == *id);
        step.map_or_else(|| id.to_string(), |step| step.title.clone())
    };
    let head = if undo { asking::undo_to(&preview.title) } else { asking::back_to(&preview.title) };
    let mut told = vec![paint("1", out.say(head))];
    let again: Vec<String> = preview.steps.iter().map(title).collect();
    let again = match again.as_slice() {
        [] if undo => None,
        [] => Some(changes::nothing_done_again()),
        again => Some(changes::done_again(again.join(", "))),
    };
    told.extend(again.map(|again| format!("  {}", out.say(again)).into()));
    if preview.undoes_completion {
        told.push(format!("  ! {}", out.say(question::undone())).into());
    }
    told.extend(preview.files.iter().map(|file| of_file(file, out)));
    told.extend(preview.conflicts.iter().map(|conflict| of_conflict(conflict, out)));
    if preview.more > 0 {
        told.push(format!("  {}", out.say(printed::more_files(preview.more))).into());
    }
    let theirs = |conflict: &Conflict| conflict.reason == ConflictReason::Changed;
    if preview.conflicts.iter().any(theirs) {
        told.push(format!("  {}", out.say(printed::overwrite_to_bring_back())).into());
    }
    rows(told)
}

fn of_file(file: &FileChange, out: &Output) -> StyledText {
    let line = say(&lines(std::slice::from_ref(file), &[]), out.lang);
    match (&file.pre_hash, &file.post_hash) {
        (_, None) => paint("31", format!("  − {line}")),
        (None, Some(_)) => paint("32", format!("  + {line}")),
        (Some(_), Some(_)) => paint("33", format!("  ± {line}")),
    }
}

fn of_conflict(conflict: &Conflict, out: &Output) -> StyledText {
    let line = say(&lines(&[], std::slice::from_ref(conflict)), out.lang);
    format!("  · {line}").into()
}
