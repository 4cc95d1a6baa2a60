//! `runs export` and `runs replay` (spec 11).

use host::crewrun::{FromRecord, ReplayDifference, Report, replay_file};
use host::host::Host;
use kernel::code::{ErrorCode, Failure};
use kernel::command::{Command, ExportedRun};
use kernel::ids::RunId;
use kernel::phrase::{Phrase, printed, terminal};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::choose::absolute;
use crate::exit::Exit;
use crate::output::Output;

/// A value is shown no longer than this, bytes.
const SHOWN: usize = 160;
/// Files that are named at once.
const NAMED: usize = 10;

/// `crewagent runs export RUN -o FILE`
pub(crate) async fn export(
    host: &Arc<Host>,
    run: &str,
    file: &Path,
    force: bool,
    out: &Output,
) -> Result<Exit, Failure> {
    let run_id = RunId::new(run).map_err(|e| Failure::new(ErrorCode::BadRequest, e.says()))?;
    let command = Command::ExportRun { run_id, path: absolute(file)?, replace: force };
    let exported = written(host, command).await?;
    out.result(&exported, || format!("{}  {}", exported.file, exported.sha256));
    Ok(Exit::Done)
}

/// Carries out a command that writes a run into a file; what was written.
async fn written(host: &Host, command: Command) -> Result<Box<ExportedRun>, Failure> {
    let exported = host.submit(command).await?.exported;
    exported.ok_or_else(|| Failure::new(ErrorCode::Internal, terminal::no_id_came_back()))
}

/// `crewagent runs record RUN -o TRACE`
pub(crate) async fn record(
    host: &Arc<Host>,
    run: &str,
    file: &Path,
    force: bool,
    out: &Output,
) -> Result<Exit, Failure> {
    let run_id = RunId::new(run).map_err(|e| Failure::new(ErrorCode::BadRequest, e.says()))?;
    let command = Command::RecordRun { run_id, path: absolute(file)?, replace: force };
    let exported = written(host, command).await?;
    out.result(&exported, || out.say(printed::recorded(&exported.file, exported.lines)));
    if !exported.found.is_empty() {
        let names: Vec<String> =
            exported.found.iter().take(NAMED).map(ToString::to_string).collect();
        let rest = exported.found.len().saturating_sub(NAMED);
        out.note(match rest {
            0 => printed::read_and_not_made(names.join(", ")),
            rest => printed::read_and_not_made_more(names.join(", "), rest),
        });
    }
    Ok(Exit::Done)
}

/// `crewagent runs replay FILE`: no store, no network.
pub(crate) async fn replay(file: &Path, out: &Output) -> Result<Exit, Failure> {
    let path = file.to_owned();
    let ended = |_| Failure::new(ErrorCode::CrewrunInvalid, terminal::not_replayable());
    let report = tokio::task::spawn_blocking(move || replay_file(&path)).await.map_err(ended)??;
    out.result(&report, || words(&report, out));
    Ok(if report.identical { Exit::Done } else { Exit::Failed })
}

fn words(report: &Report, out: &Output) -> String {
    let (lines, requests, files) = (report.lines, report.requests, report.files);
    let mut said = vec![out.say(if report.identical {
        printed::replayed_identically(lines, requests, files)
    } else {
        printed::replayed_differently(report.differences, lines)
    })];
    said.extend(report.first_difference.iter().map(|found| first(found, out)));
    if !report.identical && report.exported_by != report.replayed_by {
        let by_another = printed::exported_by_another(&report.exported_by, &report.replayed_by);
        said.push(out.say(by_another));
    }
    if !report.from_record.is_empty() {
        said.push(out.say(printed::taken_from_record(report.from_record.len())));
        said.extend(taken(&report.from_record, out));
    }
    said.join("\n")
}

fn first(found: &ReplayDifference, out: &Output) -> String {
    let difference = &found.difference;
    // What the file says is shown escaped: it may come from anywhere.
    let seq = Some(difference.seq).filter(|seq| *seq > 0).map(|seq| seq.to_string());
    let step = found.node_id.as_ref().map(|node| out.say(printed::at_step(node)));
    let tool = found.tool.as_ref().map(|tool| format!("[{}]", tool.escape_debug()));
    let what = format!("{} {}", difference.event, difference.field.escape_debug());
    let place = [seq, Some(what), step, tool].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let altered = found.altered.then(printed::altered_after_export);
    let below: Vec<Phrase> = altered
        .into_iter()
        .chain([
            printed::as_recorded(short(&difference.recorded)),
            printed::as_replayed(short(&difference.replayed)),
        ])
        .collect();
    let lines = below.into_iter().map(|phrase| format!("  {}", out.say(phrase)));
    let head = out.say(printed::first_difference(place));
    std::iter::once(head).chain(lines).collect::<Vec<_>>().join("\n")
}

fn short(value: &Value) -> String {
    kernel::text::ellipsis(&value.to_string(), SHOWN)
}

/// One line for what was taken for the same reason from the same place.
fn taken(all: &[FromRecord], out: &Output) -> Vec<String> {
    let mut grouped: BTreeMap<(String, String, String), Vec<u64>> = BTreeMap::new();
    for taken in all {
        let path = taken.path.as_ref().map(ToString::to_string).unwrap_or_default();
        let why = out.say(taken.said.clone());
        grouped.entry((taken.what.clone(), path, why)).or_default().push(taken.seq);
    }
    let line = |((what, path, why), seqs): ((String, String, String), Vec<u64>)| {
        let seqs: Vec<String> = seqs.iter().map(u64::to_string).collect();
        format!("  {what} {path} ({}): {why}", seqs.join(", "))
    };
    grouped.into_iter().map(line).collect()
}
