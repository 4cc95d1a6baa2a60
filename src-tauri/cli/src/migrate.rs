//! `migrate-electron`: the report first, a question, then the import.

use host::host::{ElectronImport, Host};
use kernel::code::Failure;
use kernel::import::{ImportEntry, ImportKind, ImportOutcome, ImportReport};
use kernel::words::{Lang, words};
use std::io::IsTerminal;
use std::sync::Arc;
use tokio::sync::mpsc;

use crate::args::MigrateArgs;
use crate::ask;
use crate::exit::Exit;
use crate::output::Output;
use crate::print::{Text, rows};

/// `crewagent migrate-electron DIR`
pub(crate) async fn migrate(
    host: &Arc<Host>,
    args: &MigrateArgs,
    out: &Output,
) -> Result<Exit, Failure> {
    let ask =
        |dry_run| ElectronImport { path: args.dir.clone(), dry_run, with_keys: args.with_keys };
    let may_ask = !args.yes && !args.dry_run && !out.json && std::io::stdin().is_terminal();
    if may_ask {
        let report = told(host, ask(true), out).await?;
        out.told(summary(&report, out.lang));
        out.note("Import this?", "导入这些吗？");
        if !ask::agrees(out.lang) {
            return Ok(Exit::Waiting);
        }
    }
    let report = told(host, ask(args.dry_run), out).await?;
    out.result(&report, || summary(&report, out.lang));
    Ok(Exit::Done)
}

/// Imports and prints each entry on stderr as it comes.
async fn told(
    host: &Arc<Host>,
    ask: ElectronImport,
    out: &Output,
) -> Result<ImportReport, Failure> {
    let (sender, mut entries) = mpsc::unbounded_channel();
    let printing = async {
        while let Some(entry) = entries.recv().await {
            out.told(row(&entry, out.lang));
        }
    };
    let (report, ()) = tokio::join!(host.import_electron(ask, Some(sender)), printing);
    report
}

/// One entry on one line, what to do below it.
fn row(entry: &ImportEntry, lang: Lang) -> Text {
    let mark = match entry.outcome {
        ImportOutcome::Imported => "+",
        ImportOutcome::Already => "=",
        ImportOutcome::Skipped => "-",
        ImportOutcome::Failed => "!",
    };
    let id = entry.id.as_deref().unwrap_or_default();
    let new_id = entry.new_id.as_ref().map(|id| format!(" → {id}")).unwrap_or_default();
    let count = entry.messages.map(|count| format!(" ({count})")).unwrap_or_default();
    let title = entry.code.map(|code| words(code, lang).title);
    let reason = entry.reason_in(lang);
    let why: Vec<&str> = title.into_iter().chain(reason.as_deref()).collect();
    let why = Some(format!("    {}", why.join(" "))).filter(|_| !why.is_empty());
    let what = format!("{mark} {} {id}{new_id}{count}  [{}]", kind(entry.kind, lang), entry.file);
    rows(std::iter::once(what).chain(why))
}

fn kind(kind: ImportKind, lang: Lang) -> &'static str {
    let (en, zh) = match kind {
        ImportKind::Package => ("package", "流程包"),
        ImportKind::Project => ("project", "项目"),
        ImportKind::Run => ("run", "运行"),
        ImportKind::Conversation => ("conversation", "会话"),
        ImportKind::Message => ("message", "消息"),
        ImportKind::File => ("file", "文件"),
        ImportKind::Setting => ("setting", "设置"),
        ImportKind::Key => ("key", "密钥"),
    };
    if lang == Lang::Zh { zh } else { en }
}

fn summary(report: &ImportReport, lang: Lang) -> String {
    let t = report.totals;
    match (lang, report.dry_run) {
        (Lang::En, false) => format!(
            "{} imported, {} were here already, {} skipped, {} failed",
            t.imported, t.already, t.skipped, t.failed
        ),
        (Lang::En, true) => format!(
            "{} would be imported, {} are here already, {} would be skipped, {} cannot be read; nothing was written",
            t.imported, t.already, t.skipped, t.failed
        ),
        (Lang::Zh, false) => format!(
            "已导入 {}，已存在 {}，跳过 {}，失败 {}",
            t.imported, t.already, t.skipped, t.failed
        ),
        (Lang::Zh, true) => format!(
            "将导入 {}，已存在 {}，将跳过 {}，无法读取 {}；没有写入任何内容",
            t.imported, t.already, t.skipped, t.failed
        ),
    }
}
