//! The result of looking whether a file is what it should be (spec 05 "Verification").

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

use crate::path::{AliasPath, Mount};

/// What a verification stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VerificationScope {
    /// Every write before it.
    Workspace,
    /// One file.
    Artifact(AliasPath),
}

impl VerificationScope {
    /// `workspace`, or `artifact:` and a project-relative path or an alias path. `None` for
    /// anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text == "workspace" {
            return Some(Self::Workspace);
        }
        let named = text.strip_prefix("artifact:")?.trim();
        let path = if named.starts_with('@') {
            AliasPath::parse(named)
        } else {
            AliasPath::new(Mount::Project, named)
        };
        path.ok().filter(|path| !path.rel().is_empty()).map(Self::Artifact)
    }

    /// The scope a call asks for; without one, the file itself.
    pub fn asked(text: Option<&str>, path: &AliasPath) -> Self {
        text.and_then(Self::parse).unwrap_or_else(|| Self::Artifact(path.clone()))
    }
}

impl fmt::Display for VerificationScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Workspace => f.write_str("workspace"),
            Self::Artifact(path) if path.mount() == Mount::Project => {
                write!(f, "artifact:{}", path.rel())
            }
            Self::Artifact(path) => write!(f, "artifact:{path}"),
        }
    }
}

/// The member `verification` of a tool result. One that failed is a fact, no error of the tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verification {
    /// Whether somebody looked.
    pub performed: bool,
    /// Whether it is as expected.
    pub passed: bool,
    /// See [`VerificationScope`].
    pub scope: String,
    /// A stable word: `content_match`, `content_mismatch`, `readback_match`,
    /// `readback_mismatch`, `readback_failed`, `match_count_satisfied`, `match_count_too_low`,
    /// `named_file_not_matched`.
    pub reason: String,
    /// What was expected: texts, or a number of files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Value>,
    /// The texts that are not there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// The files a pattern found, each with the hash it has now. Without it the one file is that
    /// of the call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<VerifiedFile>,
}

impl Verification {
    /// What was looked at, by the stable word that gives the reason.
    pub fn looked_at(&self) -> FileCheck {
        match self.reason.as_str() {
            "content_match" | "content_mismatch" => FileCheck::Content,
            "readback_match" | "readback_mismatch" | "readback_failed" => FileCheck::Readback,
            "match_count_satisfied" | "match_count_too_low" | "named_file_not_matched" => {
                FileCheck::Existence
            }
            _ => FileCheck::Unrecognised,
        }
    }
}

/// What a check of a file looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum FileCheck {
    /// Whether the file is there.
    Existence,
    /// Whether it holds certain texts.
    Content,
    /// Whether it has the bytes that were written.
    Readback,
    /// Something that only a newer program looks at.
    #[serde(other)]
    Unrecognised,
}

/// A file that was there when somebody looked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerifiedFile {
    /// The file that was found.
    pub path: AliasPath,
    /// The file itself, where links lead from `path` to it.
    #[serde(rename = "resolvedPath", default, skip_serializing_if = "Option::is_none")]
    pub resolved: Option<AliasPath>,
    /// SHA-256 of its bytes.
    pub sha256: String,
}
