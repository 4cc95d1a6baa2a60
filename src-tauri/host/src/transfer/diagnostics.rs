//! What is sent to somebody who helps: what the program found of its own parts, the settings
//! without keys and addresses, and the last lines of the log without what failures say. No words of a
//! conversation, and no real folder.

use kernel::code::{ErrorCode, Failure};
use kernel::phrase::exports;
use kernel::settings::{CostSettings, Settings};
use kernel::wire::{DoctorRow, LogRow};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

use super::Transfer;
use crate::blocking::on_disk;
use crate::llm::is_local;
use crate::{crewrun, logs, packages};

impl Transfer {
    /// Writes a ZIP archive with what helps somebody to help.
    pub(crate) async fn save_diagnostics(
        &self,
        out: PathBuf,
        replace: bool,
    ) -> Result<(), Failure> {
        self.check_target(&out).await?;
        let looked = self.library.doctor().await?;
        let (view, ..) = self.library.preferences.read().await?;
        let root = self.store.root().to_owned();
        on_disk(move || {
            let rows = logs::recent(&root, None, &[], None);
            let files = files(&looked, view.settings, &rows);
            let bytes = packages::zip_bytes(&files)
                .map_err(|e| crate::failure::io(ErrorCode::Io, exports::not_packed(), &e))?;
            crewrun::save(&bytes, &out, replace)
        })
        .await
    }
}

fn files(
    looked: &[DoctorRow],
    mut settings: Settings,
    rows: &[LogRow],
) -> BTreeMap<String, Vec<u8>> {
    let model = &mut settings.model;
    let name = std::mem::take(&mut model.model);
    model.model = without_folders(&name);
    if !model.base_url.is_empty() {
        let is_here = is_local(&model.base_url);
        model.base_url = String::from(if is_here { "local" } else { "remote" });
    }
    // What a header holds may be a key; which ones there are may be the trouble.
    model.headers.values_mut().for_each(|value| *value = String::from("hidden"));
    // They are named after models.
    settings.costs = CostSettings::default();
    let parts: Vec<Part> = looked.iter().map(|row| Part::of(row, &name)).collect();
    let lines: Vec<String> = rows.iter().map(|row| json(&without_words(row))).collect();
    [
        ("parts.json", json(&parts)),
        ("settings.json", json(&settings)),
        ("log.jsonl", lines.join("\n")),
    ]
    .map(|(name, text)| (name.to_owned(), logs::cleaned(&text).into_bytes()))
    .into()
}

/// One thing that was looked at.
#[derive(Serialize)]
struct Part<'a> {
    check: &'a str,
    ok: bool,
    found: String,
}

impl<'a> Part<'a> {
    fn of(row: &'a DoctorRow, model: &str) -> Self {
        let found = if row.found == model { without_folders(model) } else { row.found.clone() };
        Self { check: &row.check, ok: row.ok, found }
    }
}

/// A model's name; of one that is a path, as some servers give it, the last part.
fn without_folders(name: &str) -> String {
    let is_path = name.starts_with(['/', '~', '\\']) || name.contains(":\\") || name.contains(":/");
    let last = name.rsplit(['/', '\\']).next().filter(|_| is_path);
    last.unwrap_or(name).to_owned()
}

/// A row of the log with the numbers that belong to it, and without the words: those of a failure may
/// be a server's, which has read what was said, and name it.
fn without_words(row: &LogRow) -> LogRow {
    let kept = |(_, value): &(&String, &Value)| value.is_number() || value.is_boolean();
    let fields = row.fields.as_object().into_iter().flatten().filter(kept);
    let fields = fields.map(|(name, value)| (name.clone(), value.clone())).collect();
    LogRow { fields: Value::Object(fields), ..row.clone() }
}

/// As JSON; what cannot be written so is left out.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::time::Time;
    use kernel::wire::{LogKind, LogLevel};
    use rstest::rstest;
    use serde_json::json;

    #[rstest]
    #[case("qwen/qwen3-14b", "qwen/qwen3-14b")]
    #[case("/mnt/client/models/x.gguf", "x.gguf")]
    #[case("C:\\client\\x.gguf", "x.gguf")]
    #[case("~/client/x.gguf", "x.gguf")]
    fn the_name_of_a_model_tells_no_folder(#[case] name: &str, #[case] told: &str) {
        assert_eq!(without_folders(name), told);
    }

    #[test]
    fn a_row_of_the_log_keeps_its_numbers_and_none_of_the_words_beside_it() {
        let failure = "model.corp.internal:443 said: the garden page";
        let row = LogRow {
            at: Time::from_millis(0),
            level: LogLevel::Warn,
            kind: LogKind::Log,
            source: "host::llm".to_owned(),
            message: "asking the model again".to_owned(),
            fields: json!({ "attempt": 2, "failure": failure, "final": false }),
        };
        let kept = without_words(&row);
        assert_eq!(kept.fields, json!({ "attempt": 2, "final": false }));
        assert_eq!(kept.message, row.message);
    }
}
