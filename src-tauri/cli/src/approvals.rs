//! `runs show --approvals`: who approved what.

use kernel::ids::CallId;
use kernel::wire::{Approval, Grant, RuntimeSnapshot};
use kernel::words::Lang;
use std::fmt::Write as _;

use crate::output::{Output, does};

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
