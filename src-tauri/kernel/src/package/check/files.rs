//! Reading the files of a package for [`super::check`], and writing down what is wrong with them.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::super::{FileTexts, Finding, PackageFiles, SchemaKind, Severity, validate_schema};
use crate::bounds::{FINDINGS, PARSED_BYTES, PARSED_IN_ALL, PARSED_WEIGHT, json_weight};
use crate::path::{AliasPath, Mount, PathError};
use crate::phrase::{Phrase, Why, advice, findings, misfits};
use crate::text::ellipsis;

/// By which rules a package is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CheckRules {
    /// Today's.
    Current,
    /// Those of any time at which it may have been installed: empty texts, unknown step types and
    /// characters that cannot be seen once were let through, so they only warn.
    Installed,
}

/// The files, and what was found so far.
pub(super) struct PackageReader<'a> {
    files: &'a PackageFiles,
    texts: &'a mut FileTexts<'a>,
    rules: CheckRules,
    found: CollectedFindings,
    /// Bytes that were parsed, each file as often as it was named.
    parsed: u64,
    /// Memory that the values of JSON files took.
    weight: u64,
}

/// What was found. A hostile package could make millions: of errors and of the rest, as many are
/// kept as a report shows; the others are counted.
#[derive(Default)]
struct CollectedFindings {
    kept: Vec<Finding>,
    errors: usize,
    others: usize,
    more: usize,
}

impl CollectedFindings {
    /// The finding as kept; `None` when there are enough.
    fn add(&mut self, finding: Finding) -> Option<&mut Finding> {
        let kept = match finding.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning | Severity::Info => &mut self.others,
        };
        if *kept == FINDINGS {
            self.more += 1;
            return None;
        }
        *kept += 1;
        self.kept.push(finding);
        self.kept.last_mut()
    }
}

impl<'a> PackageReader<'a> {
    pub(super) fn new(
        files: &'a PackageFiles,
        texts: &'a mut FileTexts<'a>,
        rules: CheckRules,
    ) -> Self {
        Self { files, texts, rules, found: CollectedFindings::default(), parsed: 0, weight: 0 }
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.files.files.contains_key(path)
    }

    /// The paths of all files, in order.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.files.keys().map(String::as_str)
    }

    /// The text of a file that the package can do without; `None` when it cannot be read.
    pub(super) fn quiet_text(&mut self, path: &str) -> Option<String> {
        let file = self.files.files.get(path)?;
        let parsed = self.parsed.saturating_add(file.size);
        if file.size > PARSED_BYTES || parsed > PARSED_IN_ALL {
            return None;
        }
        self.parsed = parsed;
        (self.texts)(path)
    }

    /// All that was found, and how many more there were.
    pub(super) fn findings(self) -> (Vec<Finding>, usize) {
        (self.found.kept, self.found.more)
    }

    /// Whether there are as many errors as anybody reads: the rest need not be looked for.
    pub(super) fn is_full(&self) -> bool {
        self.found.errors == FINDINGS
    }

    pub(super) fn error(&mut self, file: &str, kind: &str, says: Phrase, hint: Phrase) {
        self.found.add(Finding::new(Severity::Error, file, kind, says).with_hint(hint));
    }

    /// An error at a JSON pointer into the file.
    pub(super) fn error_at(
        &mut self,
        file: &str,
        kind: &str,
        pointer: &str,
        says: Phrase,
        hint: Phrase,
    ) {
        self.found.add(at(Severity::Error, file, kind, pointer, says, hint));
    }

    /// An error by a rule that earlier versions of this program did not have: of an installed
    /// package a warning.
    pub(super) fn stricter_at(
        &mut self,
        file: &str,
        kind: &str,
        pointer: &str,
        says: Phrase,
        hint: Phrase,
    ) {
        let severity = match self.rules {
            CheckRules::Current => Severity::Error,
            CheckRules::Installed => Severity::Warning,
        };
        self.found.add(at(severity, file, kind, pointer, says, hint));
    }

    pub(super) fn warning(&mut self, file: &str, kind: &str, says: Phrase, hint: Phrase) {
        self.found.add(Finding::new(Severity::Warning, file, kind, says).with_hint(hint));
    }

    /// A warning at a JSON pointer into the file.
    pub(super) fn warning_at(
        &mut self,
        file: &str,
        kind: &str,
        pointer: &str,
        says: Phrase,
        hint: Phrase,
    ) {
        self.found.add(at(Severity::Warning, file, kind, pointer, says, hint));
    }

    /// Whether a list of a file may be gone through. `None` when it is too long.
    pub(super) fn few(&mut self, file: &str, value: &Value, list: &str, max: usize) -> Option<()> {
        let count = value.get(list).and_then(Value::as_array).map_or(0, Vec::len);
        self.so_many(file, &format!("/{list}"), list, count, max)
    }

    /// The same for whatever there is `count` of.
    pub(super) fn so_many(
        &mut self,
        file: &str,
        pointer: &str,
        what: &str,
        count: usize,
        max: usize,
    ) -> Option<()> {
        if count > max {
            let says = findings::too_many(what, count, max);
            self.stricter_at(file, "too-many", pointer, says, advice::split_list());
        }
        (count <= max || self.rules == CheckRules::Installed).then_some(())
    }

    /// A workflow of the older format, which has no graph to guard.
    pub(super) fn classic(&mut self, file: &str) {
        self.error(file, "classic-workflow", findings::classic_package(), advice::export_anew());
    }

    /// A file that only classic packages have.
    pub(super) fn classic_file(&self) -> Option<String> {
        let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
        self.files.files.keys().find(|p| is_classic(&name(p))).cloned()
    }

    /// The path as it stands in the package, when it cannot leave it. `file` and `pointer` say
    /// who names it.
    pub(super) fn safe(&mut self, file: &str, pointer: &str, path: &str) -> Option<String> {
        let once = || AliasPath::try_from(format!("{}/{path}", Mount::Pkg.alias()));
        let read = match AliasPath::new(Mount::Pkg, path) {
            Err(PathError::HiddenCharacter) if self.rules == CheckRules::Installed => once(),
            read => read,
        };
        match read {
            Ok(alias) => Some(alias.rel().to_owned()),
            Err(why) => {
                let says = findings::outside_package(shown(path), why.says());
                self.error_at(file, "unsafe-path", pointer, says, advice::write_package_path());
                None
            }
        }
    }

    /// The same for a file that must be there.
    pub(super) fn existing(&mut self, file: &str, pointer: &str, path: &str) -> Option<String> {
        let safe = self.safe(file, pointer, path)?;
        if self.has(&safe) {
            return Some(safe);
        }
        let says = findings::not_in_package(shown(&safe));
        self.error_at(file, "missing-file", pointer, says, advice::add_file());
        None
    }

    /// The text of a file that is there.
    pub(super) fn text(&mut self, path: &str) -> Option<String> {
        let file = self.files.files.get(path)?;
        if file.size > PARSED_BYTES {
            let says = findings::file_too_large(file.size, PARSED_BYTES);
            self.error(path, "too-large", says, advice::move_to_assets());
            return None;
        }
        self.parsed = self.parsed.saturating_add(file.size);
        if self.parsed > PARSED_IN_ALL {
            let says = findings::too_much_to_read(PARSED_IN_ALL);
            self.error(path, "too-large", says, advice::split_list());
            return None;
        }
        let text = (self.texts)(path);
        if text.is_none() {
            self.error(path, "not-text", findings::file_not_text(), advice::save_as_utf_8());
        }
        text
    }

    pub(super) fn json(&mut self, path: &str) -> Option<Value> {
        let text = self.text(path)?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        self.light(path, text)?;
        match serde_json::from_str(text) {
            Ok(value) => Some(value),
            Err(e) => {
                let says =
                    findings::json_broken(e.line(), e.column(), Why::quoted(without_place(&e)));
                self.error(path, "json", says, advice::correct_json());
                None
            }
        }
    }

    /// Whether there is memory for the values of a file. `None` when there is not.
    fn light(&mut self, path: &str, text: &str) -> Option<()> {
        self.weight += json_weight(text, PARSED_WEIGHT).unwrap_or_default();
        if self.weight <= PARSED_WEIGHT || self.rules == CheckRules::Installed {
            return Some(());
        }
        let says = findings::too_heavy_to_read(PARSED_WEIGHT);
        self.error(path, "too-large", says, advice::split_list());
        None
    }

    /// Adds every way in which the value breaks the schema.
    pub(super) fn fits(&mut self, kind: SchemaKind, file: &str, value: &Value) {
        for mut finding in validate_schema(kind, file, value) {
            let rule = finding.schema_path.as_deref().unwrap_or_default();
            let once_let_through = rule.ends_with("/minLength") || rule.ends_with("/enum");
            if self.rules == CheckRules::Installed && once_let_through {
                finding.severity = Severity::Warning;
            }
            self.found.add(finding);
        }
    }

    /// The value as a type. What the schema lets through fits; a value the schema already
    /// complained about says nothing twice.
    pub(super) fn typed<T: DeserializeOwned>(&mut self, file: &str, value: Value) -> Option<T> {
        match serde_json::from_value(value) {
            Ok(typed) => Some(typed),
            Err(e) => {
                let known = |f: &Finding| f.file == file && f.severity == Severity::Error;
                if !self.found.kept.iter().any(known) {
                    let why = Why::json_shown(&e, |words| shown(&words));
                    let says = misfits::value_unfit(why);
                    self.error(file, "schema", says, advice::correct_value());
                }
                None
            }
        }
    }
}

/// A finding at a JSON pointer into the file.
fn at(
    severity: Severity,
    file: &str,
    kind: &str,
    pointer: &str,
    says: Phrase,
    hint: Phrase,
) -> Finding {
    let mut finding = Finding::new(severity, file, kind, says).with_hint(hint);
    finding.instance_path = Some(pointer.to_owned());
    finding
}

/// A text of the package as it may stand in a message: without control characters, not too long.
pub(super) fn shown(text: &str) -> String {
    ellipsis(&text.escape_debug().to_string(), 200)
}

/// What the JSON parser says, without the place at its end.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split_once(" at line ").map_or(text.clone(), |(what, _)| what.to_owned())
}

/// File names of the classic format.
pub(super) fn is_classic(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    ["workflow.yaml", "workflow.yml", "workflow.xml"].iter().any(|n| lower.ends_with(n))
}

/// Whether a path names a Markdown file.
pub(super) fn is_markdown(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ext)| ext.eq_ignore_ascii_case("md"))
}
