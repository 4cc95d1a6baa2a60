//! Files that a person's words mention as `@path/to/file.md`, and what was read of them (spec 04
//! "Files that words mention").
//!
//! Finding mentions is pure and changes no word: an address or an `@name` is a mention of a file only
//! when there is such a file, which the host finds out.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::bounds::{self, MENTIONS, PATH_BYTES};
use crate::path::{AliasPath, Mount};
use crate::phrase::{Phrase, printed};
use crate::policy::ToolPolicy;
use crate::widget::WidgetKind;

/// Something in a person's words that may name a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// What it may mean, the longest first: where a script has no spaces, words follow a name
    /// directly. At least one, at most two.
    pub candidates: Vec<AliasPath>,
}

/// What an input mentions, and what may be read of it.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedFiles {
    /// The mentions in order, at most [`MENTIONS`].
    pub mentions: Vec<Mention>,
    /// Under which limits the host reads them: those of the agent that is spoken to.
    pub policy: ToolPolicy,
}

/// A file that a person gave along by mentioning it, as it was then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GivenFile {
    /// Its name.
    pub label: String,
    /// Where it lies.
    pub path: AliasPath,
    /// Its beginning, with marks in the place of private folders.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub preview: String,
    /// Whether the file goes on after the preview.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// Its size in bytes; 0 when nothing of it was read.
    #[serde(default)]
    pub bytes: u64,
    /// Why there is no preview.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withheld: Option<Withheld>,
}

impl GivenFile {
    /// A file of which nothing is shown, and why.
    pub fn withheld(path: AliasPath, why: Withheld) -> Self {
        let (label, preview) = (path.file_name().to_owned(), String::new());
        Self { label, path, preview, cut: false, bytes: 0, withheld: Some(why) }
    }
}

/// The same for a person to see: without the preview.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct FileGiven {
    /// Where it lies.
    pub path: AliasPath,
    /// Its size when it was read.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub bytes: u64,
    /// Whether the model was shown its beginning only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub cut: bool,
    /// Why the model was shown nothing of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub withheld: Option<Withheld>,
}

impl From<&GivenFile> for FileGiven {
    fn from(file: &GivenFile) -> Self {
        let GivenFile { path, bytes, cut, withheld, .. } = file;
        Self { path: path.clone(), bytes: *bytes, cut: *cut, withheld: *withheld }
    }
}

impl FileGiven {
    /// That it went along, that its beginning did, or why nothing of it did.
    pub fn says(&self) -> Phrase {
        let (path, size) = (&self.path, bounds::size(self.bytes));
        match self.withheld {
            None if self.cut => printed::given_beginning(path, size),
            None => printed::given_file(path, size),
            Some(Withheld::Folder) => printed::given_folder(path),
            Some(Withheld::NotText) => printed::given_no_text(path),
            Some(Withheld::Refused) => printed::given_refused(path),
            Some(Withheld::TooMany) => printed::given_too_many(path),
        }
    }
}

/// Why nothing is shown of something that words mention and that is there.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Withheld {
    /// It is a folder.
    Folder,
    /// It is not UTF-8 text.
    NotText,
    /// It may not be read: a secret or private file, a link that leads elsewhere, a pipe.
    Refused,
    /// As many files as an input may bring are mentioned before it.
    TooMany,
}

/// What `text` may mention, in order and each once, at most [`MENTIONS`]. Linear in its length.
pub fn mentions(text: &str) -> Vec<Mention> {
    let mut scan = Scan { text, at: 0, unclosed: [0; 2] };
    let mut found: Vec<Mention> = Vec::new();
    while found.len() < MENTIONS {
        let Some(named) = scan.next_name() else { break };
        let candidates: Vec<AliasPath> = match named {
            Name::Quoted(name) => {
                path_of(name.strip_prefix('@').unwrap_or(name)).into_iter().collect()
            }
            Name::Bare(token) => bare(token),
        };
        let mention = Mention { candidates };
        if !mention.candidates.is_empty() && !found.contains(&mention) {
            found.push(mention);
        }
    }
    found
}

/// The words that a person wrote themselves in an answer: what they chose is somebody else's.
pub fn words_of(kind: WidgetKind, value: &Value) -> String {
    match kind {
        WidgetKind::Form | WidgetKind::Feedback => {
            let values = value.as_object().into_iter().flat_map(serde_json::Map::values);
            values.filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
        }
        WidgetKind::PlanReview => {
            value.get("feedback").and_then(Value::as_str).unwrap_or_default().to_owned()
        }
        WidgetKind::Selection | WidgetKind::Confirmation | WidgetKind::ActionSelection => {
            String::new()
        }
    }
}

/// What follows an `@`.
enum Name<'a> {
    /// Between quotes.
    Quoted(&'a str),
    /// Up to a space or a sign that no name has.
    Bare(&'a str),
}

/// Pairs of quotes that a path with spaces may stand in.
const QUOTES: [(char, char); 2] = [('"', '"'), ('“', '”')];

struct Scan<'a> {
    text: &'a str,
    at: usize,
    /// Up to where there is known to be no closing quote of each kind.
    unclosed: [usize; 2],
}

impl<'a> Scan<'a> {
    fn next_name(&mut self) -> Option<Name<'a>> {
        loop {
            let sign = self.at + self.text[self.at..].find('@')?;
            self.at = sign + 1;
            // Within an address or a longer word it is none.
            if self.text[..sign].chars().next_back().is_some_and(joins) {
                continue;
            }
            if let Some(name) = self.quoted() {
                return Some(Name::Quoted(name));
            }
            let rest = &self.text[self.at..];
            let token = &rest[..rest.find(ends_a_name).unwrap_or(rest.len())];
            if !token.is_empty() {
                self.at += token.len();
                return Some(Name::Bare(token));
            }
        }
    }

    fn quoted(&mut self) -> Option<&'a str> {
        let rest = &self.text[self.at..];
        let (kind, close) = (0..)
            .zip(QUOTES)
            .find(|(_, (open, _))| rest.starts_with(*open))
            .map(|(n, it)| (n, it.1))?;
        let from = self.at + rest.chars().next().map_or(0, char::len_utf8);
        if from < self.unclosed[kind] {
            return None;
        }
        let rest = &self.text[from..];
        let len = rest.find([close, '\n']).unwrap_or(rest.len());
        if !rest[len..].starts_with(close) {
            self.unclosed[kind] = from + len;
            return None;
        }
        self.at = from + len + close.len_utf8();
        Some(&rest[..len])
    }
}

/// Whether an `@` after this sign belongs to what stands before it.
fn joins(before: char) -> bool {
    before.is_ascii_alphanumeric() || ".+-_%/@\\".contains(before)
}

/// Signs that end a path that stands in no quotes.
fn ends_a_name(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || "\"`<>|*?:;,，。；：！？、（）「」『』【】《》〈〉“”…".contains(c)
}

/// What a path in no quotes may mean.
fn bare(token: &str) -> Vec<AliasPath> {
    if token.len() > PATH_BYTES {
        return Vec::new();
    }
    let whole = trimmed(token);
    // The words of a sentence may follow without a space, and so does `'s`.
    let is_word = |c: char| !c.is_ascii() || c == '\'';
    let shorter = whole.find(is_word).map(|end| trimmed(&whole[..end]));
    let both = [Some(whole), shorter].into_iter().flatten();
    both.filter_map(path_of).collect()
}

/// Without what ends a sentence, and without a bracket that was opened before the path.
fn trimmed(token: &str) -> &str {
    let opened =
        [('(', ')'), ('[', ']'), ('{', '}')].map(|(open, close)| (close, token.contains(open)));
    token.trim_end_matches(|last: char| {
        let ends = matches!(last, '.' | '!' | '\'' | '’');
        ends || opened.contains(&(last, false))
    })
}

/// The file below the project, or the mount that is named.
fn path_of(name: &str) -> Option<AliasPath> {
    if name.len() > PATH_BYTES {
        return None;
    }
    let name = name.trim();
    let with_mount = AliasPath::parse(&format!("@{name}"));
    let path = with_mount.or_else(|_| AliasPath::new(Mount::Project, name)).ok()?;
    // The mounts themselves are words like any other.
    (!path.rel().is_empty()).then_some(path)
}

#[cfg(test)]
mod tests;
