//! What was found in a package, as data that both languages can say.

use serde::{Deserialize, Serialize};

use crate::phrase::{Lang, Part, Phrase};

/// How bad a finding is. Only errors block an install.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Works, but probably not as meant.
    Warning,
    /// Cannot be installed.
    Error,
}

/// One thing found in a package (spec 03 "PackageReport").
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Finding {
    /// Whether it blocks an install, warns or only tells.
    pub severity: Severity,
    /// Which file, relative to the package root; empty for the package as a whole.
    pub file: String,
    /// A stable code: `schema`, `frontmatter`, `missing-file`, `duplicate-node`, …
    pub kind: String,
    /// What is wrong, in English.
    pub message: String,
    /// What `message` says, as data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub said: Option<Phrase>,
    /// JSON pointer into the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub instance_path: Option<String>,
    /// JSON pointer into the schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub schema_path: Option<String>,
    /// What to do, in English.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub hint: Option<String>,
    /// What `hint` says, as data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub advice: Option<Phrase>,
}

impl Finding {
    /// A finding without place and hint.
    pub fn new(severity: Severity, file: &str, kind: &str, says: Phrase) -> Self {
        Self {
            severity,
            file: file.to_owned(),
            kind: kind.to_owned(),
            message: says.english(),
            said: Some(says),
            instance_path: None,
            schema_path: None,
            hint: None,
            advice: None,
        }
    }

    /// The same with a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: Phrase) -> Self {
        self.hint = Some(hint.english());
        self.advice = Some(hint);
        self
    }

    /// What is wrong, in `lang`: English where an older or newer program wrote it.
    pub fn message_in(&self, lang: Lang) -> String {
        let said = self.said.as_ref().and_then(|phrase| phrase.say(lang));
        said.unwrap_or_else(|| self.message.clone())
    }

    /// What is wrong, to stand within a phrase.
    pub fn to_part(&self) -> Part {
        self.said.clone().map_or_else(|| self.message.as_str().into(), Part::from)
    }

    /// What to do, in `lang`.
    pub fn hint_in(&self, lang: Lang) -> Option<String> {
        let said = self.advice.as_ref().and_then(|phrase| phrase.say(lang));
        said.or_else(|| self.hint.clone())
    }
}
