//! `runs show --approvals`: who approved what. `runs approvals`: the folders that are allowed now,
//! and taking them back.

use host::host::Host;
use kernel::code::{ErrorCode, Failure};
use kernel::command::SessionCommand;
use kernel::ids::{CallId, ConversationId};
use kernel::path::AliasPath;
use kernel::phrase::{printed, terminal};
use kernel::wire::{Approval, Grant, RuntimeSnapshot};
use serde::Serialize;
use std::fmt::Write as _;
use std::sync::Arc;

use crate::changes::does;
use crate::exit::Exit;
use crate::output::Output;
use crate::reads;

/// What `runs approvals` prints with `--json`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Granted {
    /// Allowed now.
    in_force: Vec<Grant>,
    /// Taken back just now.
    taken_back: Vec<Grant>,
    /// They ended because the run was opened here: an approval is the program's it was given to.
    ended: Vec<Grant>,
}

/// Who approved what: one answer of the person a line, with the calls that ran on it below.
pub(crate) fn in_words(snapshot: &RuntimeSnapshot, out: &Output) -> String {
    let given = snapshot.approvals.iter().map(|given| answer_in_words(given, out));
    let lines: Vec<String> = given.chain(snapshot.grants.iter().map(|g| grant(g, out))).collect();
    if lines.is_empty() {
        return out.say(printed::nobody_was_asked());
    }
    lines.join("\n")
}

fn answer_in_words(given: &Approval, out: &Output) -> String {
    let what = match (given.confirmed, &given.folder, given.bound) {
        (false, _, _) => printed::approval_refused(),
        (true, Some(folder), _) => printed::approved_folder(folder),
        (true, None, true) if given.unseen => printed::approved_unseen(),
        (true, None, true) if given.whole => printed::approved_opened(),
        (true, None, true) => printed::approved_as_shown(),
        (true, None, false) => printed::approved_unbound(),
    };
    let mut text = format!("{}  {}", given.at, out.say(what));
    if let (Some(tool), Some(path)) = (&given.tool, &given.path) {
        let summary = given.summary.as_deref().unwrap_or_default();
        _ = write!(text, "\n  {tool} {path}: {}", does(&given.parts, summary, out.lang));
    }
    if let Some(hash) = &given.diff_sha256 {
        _ = write!(text, "\n  {}", out.say(printed::approved_diff(hash)));
    }
    if given.confirmed {
        let calls: Vec<&str> = given.calls.iter().map(CallId::as_str).collect();
        let calls = calls.join(", ");
        let used = if calls.is_empty() { out.say(printed::approval_not_used()) } else { calls };
        _ = write!(text, "\n  {}", out.say(printed::approval_used_by(used)));
    }
    if let Some(at) = given.revoked_at {
        _ = write!(text, "\n  {}", out.say(printed::approval_taken_back(at)));
    }
    text
}

/// An approval dies with the program it was given to; whether that still lives is not known here.
fn grant(grant: &Grant, out: &Output) -> String {
    let Grant { tool, folder, .. } = grant;
    out.say(printed::grant_in_force(tool, folder))
}

/// `crewagent runs approvals RUN [--revoke FOLDER]…`
pub(crate) async fn approvals(
    host: &Arc<Host>,
    conversation: &ConversationId,
    revoke: &[String],
    out: &Output,
) -> Result<Exit, Failure> {
    let before = reads::snapshot(host, conversation).await?.grants;
    let chosen = chosen(&before, revoke)?;
    for Grant { change_id, .. } in &chosen {
        let revoke = SessionCommand::RevokeApproval { change_id: change_id.clone() };
        host.submit(revoke.to(conversation.clone())).await?;
    }
    let in_force = reads::snapshot(host, conversation).await?.grants;
    let gone = |grant: &Grant| !in_force.contains(grant) && !chosen.contains(grant);
    let ended = before.into_iter().filter(gone).collect();
    let granted = Granted { in_force, taken_back: chosen, ended };
    out.result(&granted, || granted_in_words(&granted, out));
    Ok(Exit::Done)
}

/// The approvals of the folders named. `BAD_REQUEST` for what is no folder of a project,
/// `APPROVAL_NOT_FOUND` when one of them is not allowed: then none is taken back.
fn chosen(grants: &[Grant], folders: &[String]) -> Result<Vec<Grant>, Failure> {
    let mut chosen: Vec<Grant> = Vec::new();
    for text in folders {
        let folder = AliasPath::parse(text).map_err(|why| {
            Failure::new(ErrorCode::BadRequest, terminal::revoke_wrong(text, why.says()))
                .with_action(terminal::name_the_folder())
        })?;
        if !grants.iter().any(|grant| grant.folder == folder) {
            let message = terminal::no_approval_for(folder);
            return Err(Failure::new(ErrorCode::ApprovalNotFound, message));
        }
        for grant in grants.iter().filter(|grant| grant.folder == folder) {
            if !chosen.contains(grant) {
                chosen.push(grant.clone());
            }
        }
    }
    Ok(chosen)
}

fn granted_in_words(granted: &Granted, out: &Output) -> String {
    let taken_back = |g: &Grant| out.say(printed::grant_taken_back(&g.tool, &g.folder));
    let ended = |g: &Grant| out.say(printed::grant_ended(&g.tool, &g.folder));
    let mut lines: Vec<String> = granted.taken_back.iter().map(taken_back).collect();
    lines.extend(granted.ended.iter().map(ended));
    lines.extend(granted.in_force.iter().map(|g| grant(g, out)));
    if granted.in_force.is_empty() {
        lines.push(out.say(printed::no_folder_allowed()));
    }
    lines.join("\n")
}
