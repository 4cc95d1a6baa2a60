//! `migrate-electron`: the report first, a question, then the import.

use host::host::{ElectronImport, Host};
use kernel::code::Failure;
use kernel::import::{ImportEntry, ImportKind, ImportOutcome, ImportReport};
use kernel::phrase::{Phrase, asking, printed};
use kernel::words::{Lang, say, words};
use std::io::IsTerminal;
use std::sync::Arc;
use tokio::sync::mpsc;

use crate::args::MigrateArgs;
use crate::ask;
use crate::exit::Exit;
use crate::output::Output;
use crate::print::{StyledText, rows};

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
        out.told(out.say(summary(&report)));
        out.note(asking::import_these());
        if !ask::agrees(out.lang) {
            return Ok(Exit::Waiting);
        }
    }
    let report = told(host, ask(args.dry_run), out).await?;
    out.result(&report, || out.say(summary(&report)));
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
fn row(entry: &ImportEntry, lang: Lang) -> StyledText {
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
    let what =
        format!("{mark} {} {id}{new_id}{count}  [{}]", say(&[kind(entry.kind)], lang), entry.file);
    rows(std::iter::once(what).chain(why))
}

fn kind(kind: ImportKind) -> Phrase {
    match kind {
        ImportKind::Package => printed::kind_package(),
        ImportKind::Project => printed::kind_project(),
        ImportKind::Run => printed::kind_run(),
        ImportKind::Conversation => printed::kind_conversation(),
        ImportKind::Message => printed::kind_message(),
        ImportKind::File => printed::kind_file(),
        ImportKind::Setting => printed::kind_setting(),
        ImportKind::Key => printed::kind_key(),
    }
}

fn summary(report: &ImportReport) -> Phrase {
    let t = report.totals;
    if report.dry_run {
        printed::import_planned(t.imported, t.already, t.skipped, t.failed)
    } else {
        printed::import_done(t.imported, t.already, t.skipped, t.failed)
    }
}
