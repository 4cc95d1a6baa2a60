//! `runs export` and `runs replay` (spec 11).

use host::crewrun::{Found, FromRecord, Report, replay_file};
use host::host::Host;
use kernel::code::{ErrorCode, Failure};
use kernel::ids::RunId;
use kernel::phrase::{say, terminal};
use kernel::words::Lang;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::choose::absolute;
use crate::exit::Exit;
use crate::output::Output;

/// A value is shown no longer than this, bytes.
const SHOWN: usize = 160;

/// `crewagent runs export RUN -o FILE`
pub(crate) async fn export(
    host: &Arc<Host>,
    run: &str,
    file: &Path,
    force: bool,
    out: &Output,
) -> Result<Exit, Failure> {
    let run_id = RunId::new(run).map_err(|e| Failure::new(ErrorCode::BadRequest, e.says()))?;
    let exported = host.export_run(&run_id, absolute(file)?.into(), force).await?;
    out.result(&exported, || format!("{}  {}", exported.file, exported.sha256));
    Ok(Exit::Done)
}

/// `crewagent runs replay FILE`: no store, no network.
pub(crate) async fn replay(file: &Path, out: &Output) -> Result<Exit, Failure> {
    let path = file.to_owned();
    let ended = |_| Failure::new(ErrorCode::CrewrunInvalid, terminal::not_replayable());
    let report = tokio::task::spawn_blocking(move || replay_file(&path)).await.map_err(ended)??;
    out.result(&report, || words(&report, out.lang));
    Ok(if report.identical { Exit::Done } else { Exit::Failed })
}

fn words(report: &Report, lang: Lang) -> String {
    let zh = lang == Lang::Zh;
    let (lines, requests, files) = (report.lines, report.requests, report.files);
    let mut said = vec![match (report.identical, zh) {
        (true, false) => {
            format!("identical: {lines} lines, {requests} requests, {files} files compared")
        }
        (true, true) => format!("完全一致：比较了 {lines} 行、{requests} 个请求、{files} 个文件"),
        (false, false) => format!("different: {} in {lines} lines", report.differences),
        (false, true) => format!("不一致：{lines} 行中有 {} 处不同", report.differences),
    }];
    said.extend(report.first_difference.iter().map(|found| first(found, zh)));
    if !report.identical && report.exported_by != report.replayed_by {
        let (then, now) = (&report.exported_by, &report.replayed_by);
        said.push(if zh {
            format!("导出它的程序版本是 {then}，现在是 {now}；提示词可能已经改变。")
        } else {
            format!("It was exported by version {then}; this is {now}, whose prompts may differ.")
        });
    }
    if report.first_difference.as_ref().is_some_and(is_of_a_request) {
        said.push(if zh {
            "请求取决于设置；导出的是导出时的设置，运行途中可能改过。".to_owned()
        } else {
            "Requests depend on the settings; the export has those of its own moment.".to_owned()
        });
    }
    if !report.from_record.is_empty() {
        said.push(if zh {
            format!("以下 {} 处无法重做，采用了记录：", report.from_record.len())
        } else {
            format!("{} taken from the record:", report.from_record.len())
        });
        said.extend(taken(&report.from_record, lang));
    }
    said.join("\n")
}

fn is_of_a_request(found: &Found) -> bool {
    found.difference.field == "/requestSha256"
}

fn first(found: &Found, zh: bool) -> String {
    let difference = &found.difference;
    // What the file says is shown escaped: it may come from anywhere.
    let seq = Some(difference.seq).filter(|seq| *seq > 0).map(|seq| seq.to_string());
    let step = found
        .node_id
        .as_ref()
        .map(|node| if zh { format!("（步骤 {node}）") } else { format!("(step {node})") });
    let tool = found.tool.as_ref().map(|tool| format!("[{}]", tool.escape_debug()));
    let what = format!("{} {}", difference.event, difference.field.escape_debug());
    let place = [seq, Some(what), step, tool].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let altered = match (found.altered, zh) {
        (false, _) => "",
        (true, false) => "\n  this was changed after the export",
        (true, true) => "\n  这里在导出之后被改动过",
    };
    let (head, then, now) = if zh {
        ("第一处不同：", "记录", "重放")
    } else {
        ("first difference: ", "recorded", "replayed")
    };
    let (recorded, replayed) = (short(&difference.recorded), short(&difference.replayed));
    format!("{head}{place}{altered}\n  {then}: {recorded}\n  {now}: {replayed}")
}

fn short(value: &Value) -> String {
    kernel::text::ellipsis(&value.to_string(), SHOWN)
}

/// One line for what was taken for the same reason from the same place.
fn taken(all: &[FromRecord], lang: Lang) -> Vec<String> {
    let mut grouped: BTreeMap<(String, String, String), Vec<u64>> = BTreeMap::new();
    for taken in all {
        let path = taken.path.as_ref().map(ToString::to_string).unwrap_or_default();
        let why = say(std::slice::from_ref(&taken.said), lang);
        grouped.entry((taken.what.clone(), path, why)).or_default().push(taken.seq);
    }
    let line = |((what, path, why), seqs): ((String, String, String), Vec<u64>)| {
        let seqs: Vec<String> = seqs.iter().map(u64::to_string).collect();
        format!("  {what} {path} ({}): {why}", seqs.join(", "))
    };
    grouped.into_iter().map(line).collect()
}
