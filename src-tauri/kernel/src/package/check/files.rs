//! Reading the files of a package for [`super::check`], and writing down what is wrong with them.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::super::{Finding, PackageFiles, Severity};
use crate::path::{AliasPath, Mount};

/// The most bytes of a file that is parsed: manifest, agents, graph, `workflow.md`, step file.
pub(super) const MAX_PARSED_BYTES: u64 = 1024 * 1024;

/// The files, and what was found so far.
pub(super) struct Reading<'a> {
    files: &'a PackageFiles,
    pub(super) found: Vec<Finding>,
}

impl<'a> Reading<'a> {
    pub(super) fn new(files: &'a PackageFiles) -> Self {
        Self { files, found: Vec::new() }
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.files.files.contains_key(path)
    }

    fn push(&mut self, severity: Severity, file: &str, kind: &str, message: String, hint: &str) {
        self.found.push(Finding {
            severity,
            file: file.to_owned(),
            kind: kind.to_owned(),
            message,
            instance_path: None,
            schema_path: None,
            hint: Some(hint.to_owned()),
        });
    }

    pub(super) fn error(&mut self, file: &str, kind: &str, message: impl Into<String>, hint: &str) {
        self.push(Severity::Error, file, kind, message.into(), hint);
    }

    /// An error at a JSON pointer into the file.
    pub(super) fn error_at(
        &mut self,
        file: &str,
        kind: &str,
        pointer: &str,
        message: impl Into<String>,
        hint: &str,
    ) {
        self.error(file, kind, message, hint);
        if let Some(last) = self.found.last_mut() {
            last.instance_path = Some(pointer.to_owned());
        }
    }

    pub(super) fn warning(
        &mut self,
        file: &str,
        kind: &str,
        message: impl Into<String>,
        hint: &str,
    ) {
        self.push(Severity::Warning, file, kind, message.into(), hint);
    }

    /// A workflow of the older format, which has no graph to guard.
    pub(super) fn classic(&mut self, file: &str) {
        self.error(
            file,
            "classic-workflow",
            "this is a classic workflow (YAML or XML); only packages of format 1.1 can be run",
            "Export the workflow again from the Builder in package format 1.1.",
        );
    }

    /// A file that only classic packages have.
    pub(super) fn classic_file(&self) -> Option<String> {
        let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
        self.files.files.keys().find(|p| is_classic(&name(p))).cloned()
    }

    /// The path as it stands in the package, when it cannot leave it. `file` and `pointer` say
    /// who names it.
    pub(super) fn safe(&mut self, file: &str, pointer: &str, path: &str) -> Option<String> {
        match AliasPath::new(Mount::Pkg, path) {
            Ok(alias) => Some(alias.rel().to_owned()),
            Err(why) => {
                self.error_at(
                    file,
                    "unsafe-path",
                    pointer,
                    format!("`{}` is not a path inside the package: {why}", path.escape_debug()),
                    "Write a path relative to the package root, for example `steps/step-01.md`.",
                );
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
        self.error_at(
            file,
            "missing-file",
            pointer,
            format!("`{safe}` is not in the package"),
            "Add the file, or correct the path; paths count from the package root.",
        );
        None
    }

    /// The text of a file that is there.
    pub(super) fn text(&mut self, path: &str) -> Option<&'a str> {
        let file = self.files.files.get(path)?;
        if file.size > MAX_PARSED_BYTES {
            self.error(
                path,
                "too-large",
                format!("the file has {} bytes; at most {MAX_PARSED_BYTES} are read", file.size),
                "Move long material into assets/ and let the steps read it from there.",
            );
            return None;
        }
        if file.text.is_none() {
            self.error(path, "not-text", "the file is not UTF-8 text", "Save it as UTF-8.");
        }
        file.text.as_deref()
    }

    pub(super) fn json(&mut self, path: &str) -> Option<Value> {
        let text = self.text(path)?;
        match serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(text)) {
            Ok(value) => Some(value),
            Err(e) => {
                let hint = "Correct the file; a JSON editor shows the place.";
                self.error(path, "json", format!("not valid JSON: {e}"), hint);
                None
            }
        }
    }

    /// The value as a type. What the schema lets through fits; a value the schema already
    /// complained about says nothing twice.
    pub(super) fn typed<T: DeserializeOwned>(&mut self, file: &str, value: Value) -> Option<T> {
        match serde_json::from_value(value) {
            Ok(typed) => Some(typed),
            Err(e) => {
                let known = |f: &Finding| f.file == file && f.severity == Severity::Error;
                if !self.found.iter().any(known) {
                    self.error(file, "schema", e.to_string(), "Correct the named value.");
                }
                None
            }
        }
    }
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
