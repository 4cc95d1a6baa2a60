//! `runs show --approvals`: who approved what. `runs approvals`: the folders that are allowed now,
//! and taking them back.

use host::host::Host;
use kernel::code::{ErrorCode, Failure};
use kernel::command::Command;
use kernel::ids::{CallId, ConversationId};
use kernel::path::AliasPath;
use kernel::phrase::terminal;
use kernel::wire::{Approval, Grant, RuntimeSnapshot};
use kernel::words::Lang;
use serde::Serialize;
use std::fmt::Write as _;
use std::sync::Arc;

use crate::exit::Exit;
use crate::follow;
use crate::output::{Output, does};

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
        return out.say("Nobody was asked.", "没有询问过任何人。").to_owned();
    }
    lines.join("\n")
}

fn answer_in_words(given: &Approval, out: &Output) -> String {
    let what = match (given.confirmed, &given.folder, given.bound) {
        (false, _, _) => out.say("refused", "未允许").to_owned(),
        (true, Some(folder), _) => {
            let words = out.say("allowed for the run, files in", "运行期间允许，文件夹");
            format!("{words} {folder}")
        }
        (true, None, true) if given.unseen => {
            let en = "allowed once, not all of the change was shown";
            out.say(en, "允许一次，修改未完整显示").to_owned()
        }
        (true, None, true) if given.whole => {
            let en = "allowed once, after all of the change was opened";
            out.say(en, "允许一次，已打开查看全部修改").to_owned()
        }
        (true, None, true) => {
            out.say("allowed once, exactly as shown", "允许一次，与所示完全一致").to_owned()
        }
        (true, None, false) => {
            let en = "allowed once, the change was not known (unbound)";
            out.say(en, "允许一次，当时还不知道具体修改（未绑定）").to_owned()
        }
    };
    let mut text = format!("{}  {what}", given.at);
    if let (Some(tool), Some(path)) = (&given.tool, &given.path) {
        let summary = given.summary.as_deref().unwrap_or_default();
        _ = write!(text, "\n  {tool} {path}: {}", does(&given.parts, summary, out.lang));
    }
    if let Some(hash) = &given.diff_sha256 {
        _ = write!(text, "\n  {} {hash}", out.say("diff sha256", "差异 sha256"));
    }
    if given.confirmed {
        let calls: Vec<&str> = given.calls.iter().map(CallId::as_str).collect();
        let calls = calls.join(", ");
        let used = if calls.is_empty() { out.say("not used", "未使用") } else { &calls };
        _ = write!(text, "\n  {} {used}", out.say("used by:", "用于："));
    }
    if let Some(at) = given.revoked_at {
        _ = write!(text, "\n  {} {at}", out.say("taken back", "已撤销"));
    }
    text
}

/// An approval dies with the program it was given to; whether that still lives is not known here.
fn grant(grant: &Grant, out: &Output) -> String {
    let Grant { tool, folder, .. } = grant;
    match out.lang {
        Lang::En => format!("in force while the program that asked runs: {tool} in {folder}"),
        Lang::Zh => format!("在询问它的程序运行期间有效：{folder} 中的 {tool}"),
    }
}

/// `crewagent runs approvals RUN [--revoke FOLDER]…`
pub(crate) async fn approvals(
    host: &Arc<Host>,
    conversation: &ConversationId,
    revoke: &[String],
    out: &Output,
) -> Result<Exit, Failure> {
    let before = follow::snapshot(host, conversation).await?.grants;
    let chosen = chosen(&before, revoke)?;
    for Grant { change_id, .. } in &chosen {
        let (conversation_id, change_id) = (conversation.clone(), change_id.clone());
        host.submit(Command::RevokeApproval { conversation_id, change_id }).await?;
    }
    let in_force = follow::snapshot(host, conversation).await?.grants;
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
    let named = |words: &str, grants: &[Grant]| -> Vec<String> {
        grants.iter().map(|g| format!("{words} {} {}", g.tool, g.folder)).collect()
    };
    let mut lines = named(out.say("taken back:", "已撤销："), &granted.taken_back);
    let words = out.say("ended, because the run was opened here:", "因在此打开运行而失效：");
    lines.extend(named(words, &granted.ended));
    lines.extend(granted.in_force.iter().map(|g| grant(g, out)));
    if granted.in_force.is_empty() {
        lines.push(out.say("No folder is allowed.", "没有已允许的文件夹。").to_owned());
    }
    lines.join("\n")
}
