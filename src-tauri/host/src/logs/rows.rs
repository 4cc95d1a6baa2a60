//! Lines of the two log files as rows for people: the program's own (JSON of `tracing`) and the
//! audit log of a run (spec 08 "Logs").

use kernel::tool::{CallResult, LooseArgs};
use kernel::wire::{LogKind, LogLevel, LogRow};
use serde_json::{Map, Value};

/// A line of the program's log; `None` when it is none.
pub(super) fn of_log(line: &Value) -> Option<LogRow> {
    let mut fields = line.as_object()?.clone();
    let text = |fields: &mut Map<String, Value>, name: &str| {
        fields.shift_remove(name).and_then(|v| v.as_str().map(str::to_owned))
    };
    let at = text(&mut fields, "timestamp")?.parse().ok()?;
    let level = level(&text(&mut fields, "level")?)?;
    let source = text(&mut fields, "target").unwrap_or_default();
    let message = text(&mut fields, "message").unwrap_or_default();
    Some(LogRow { at, level, kind: LogKind::Log, source, message, fields: Value::Object(fields) })
}

/// A line of an audit log; `None` when it is none.
pub(super) fn of_audit(line: &Value) -> Option<LogRow> {
    let at = line["ts"].as_str()?.parse().ok()?;
    let source = line["toolName"].as_str()?.to_owned();
    let output = CallResult::of(&line["output"]);
    let path = LooseArgs::of(&line["input"]).path.unwrap_or_default();
    let came_to = match output.code() {
        Some(code) => code,
        None if output.ok => "ok",
        None => "failed",
    };
    let message = format!("{path} → {came_to}").trim_start().to_owned();
    let mut fields = line.as_object()?.clone();
    fields.retain(|name, _| !matches!(name.as_str(), "ts" | "kind" | "toolName"));
    let level = if output.ok { LogLevel::Info } else { LogLevel::Warn };
    Some(LogRow { at, level, kind: LogKind::Tool, source, message, fields: Value::Object(fields) })
}

fn level(text: &str) -> Option<LogLevel> {
    Some(match text {
        "ERROR" => LogLevel::Error,
        "WARN" => LogLevel::Warn,
        "INFO" => LogLevel::Info,
        "DEBUG" => LogLevel::Debug,
        "TRACE" => LogLevel::Trace,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_refused_call_is_a_warning_that_names_the_path_and_the_code() {
        let row = of_audit(&json!({
            "ts": "2026-01-01T00:00:00.000Z", "kind": "tool.exec", "toolCallId": "c1",
            "toolName": "fs.write", "agentId": "a", "input": {"path": "@project/x"},
            "output": {"ok": false, "error": {"code": "E_SANDBOX_VIOLATION"}}, "durationMs": 0,
        }))
        .unwrap();
        assert_eq!((row.level, row.kind), (LogLevel::Warn, LogKind::Tool));
        assert_eq!(row.message, "@project/x → E_SANDBOX_VIOLATION");
        assert_eq!(row.fields["toolCallId"], "c1");
    }

    #[test]
    fn what_is_no_line_of_a_log_is_no_row() {
        for line in [json!(1), json!({}), json!({"timestamp": "yesterday", "level": "INFO"})] {
            assert_eq!(of_log(&line), None, "{line}");
            assert_eq!(of_audit(&line), None, "{line}");
        }
    }
}
