//! Front matter: a YAML map between two `---` lines at the head of a Markdown file
//! (reference §3.3).
//!
//! [`split`] cuts a text into its parts byte for byte. [`edit`] changes keys and leaves the rest
//! as it was: body, key order, comments, quoting and line endings. [`update`] is the one patch
//! models may send (reference §10.6). Every edit is read back and compared with what was meant;
//! when that fails the edit is refused, so a file is never corrupted.
//!
//! Messages speak of "the front matter" and name no file: the caller knows its alias path.

mod edit;
mod update;

#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

use crate::code::{ErrorCode, Failure, Told};

pub use edit::edit;
pub use update::update;

/// The most a front matter may hold, in bytes. Checked before the YAML parser sees it.
pub const MAX_BYTES: usize = 1024 * 1024;

/// How many brackets may be open at once. The parser refuses 128 itself, but needs quadratic time
/// to find out; this is wide enough for brackets in texts and comments.
const MAX_OPEN_BRACKETS: usize = 1000;

/// The parts of a text with front matter. Concatenated they are the text, byte for byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrontMatter<'a> {
    /// The byte order mark, if any, and the opening `---` line with its line ending.
    pub head: &'a str,
    /// The YAML between the two lines; empty, or ends with a line ending.
    pub yaml: &'a str,
    /// The closing `---` line with its line ending, if it has one.
    pub close: &'a str,
    /// Everything after.
    pub body: &'a str,
}

impl FrontMatter<'_> {
    /// The YAML as a map, in file order, merge keys applied. An empty block is an empty map.
    /// `E_INVALID_FRONTMATTER` when it is no YAML, no map, or holds what JSON cannot: tags,
    /// non-finite numbers, keys that are lists or maps.
    pub fn to_map(&self) -> Result<Map<String, Value>, Failure> {
        read_yaml(self.yaml)
    }
}

/// Cuts a text into opening line, YAML, closing line and body. A byte order mark is allowed,
/// `---` must come first otherwise, and must be closed: else `E_INVALID_FRONTMATTER`.
pub fn split(text: &str) -> Result<FrontMatter<'_>, Failure> {
    let bom = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let first = text[bom..].split_inclusive('\n').next().unwrap_or_default();
    if !is_fence(first) || !first.ends_with('\n') {
        return Err(missing(&text[bom..]));
    }
    let start = bom + first.len();
    let mut at = start;
    for line in text[start..].split_inclusive('\n') {
        if is_fence(line) {
            let (head, rest) = text.split_at(start);
            let (yaml, rest) = rest.split_at(at - start);
            let (close, body) = rest.split_at(line.len());
            check_size(yaml)?;
            return Ok(FrontMatter { head, yaml, close, body });
        }
        at += line.len();
    }
    Err(invalid("the front matter is not closed: there is no second `---` line")
        .with_action("Put a line `---` after the last front matter key."))
}

/// The map and nothing else: [`split`] and [`FrontMatter::to_map`].
pub fn parse(text: &str) -> Result<Map<String, Value>, Failure> {
    split(text)?.to_map()
}

fn is_fence(line: &str) -> bool {
    line.strip_prefix("---").is_some_and(|rest| rest.trim_end().is_empty())
}

fn missing(text: &str) -> Failure {
    let message = if text.trim_start().starts_with("---") && !text.starts_with("---") {
        "there is blank space before the front matter: `---` must be the very first characters"
    } else {
        "the front matter is missing: the file must start with a line `---`"
    };
    invalid(message).with_action("Start the file with `---`, YAML keys, and a second `---` line.")
}

fn check_size(yaml: &str) -> Result<(), Failure> {
    if yaml.len() > MAX_BYTES {
        return Err(invalid(format!(
            "the front matter has {} bytes, more than the {MAX_BYTES} allowed",
            yaml.len()
        )));
    }
    let mut open = 0_usize;
    for byte in yaml.bytes() {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        if open > MAX_OPEN_BRACKETS {
            return Err(invalid("the front matter nests brackets too deeply"));
        }
    }
    Ok(())
}

fn invalid(message: impl Into<Told>) -> Failure {
    Failure::new(ErrorCode::InvalidFrontmatter, message)
}

fn read_yaml(yaml: &str) -> Result<Map<String, Value>, Failure> {
    let mut value = read_raw(yaml)?;
    value.apply_merge().map_err(|e| invalid(format!("the front matter is not valid YAML: {e}")))?;
    match to_json(&value, "") {
        Ok(Value::Object(map)) => Ok(map),
        Ok(Value::Null) => Ok(Map::new()),
        Ok(_) => Err(invalid("the front matter must be a map of keys to values")),
        Err(message) => Err(invalid(message)),
    }
}

fn read_raw(yaml: &str) -> Result<serde_yaml::Value, Failure> {
    serde_yaml::from_str(yaml).map_err(|e| {
        let mut failure = invalid(format!("the front matter is not valid YAML: {e}"));
        if let Some(place) = e.location() {
            // The opening `---` is line 1 of the file.
            failure = failure.with_details(
                serde_json::json!({ "line": place.line() + 1, "column": place.column() }),
            );
        }
        failure
    })
}

/// YAML as JSON, refusing what JSON would silently change. `at` is a JSON pointer for messages.
fn to_json(value: &serde_yaml::Value, at: &str) -> Result<Value, String> {
    use serde_yaml::Value as Yaml;
    Ok(match value {
        Yaml::Null => Value::Null,
        Yaml::Bool(b) => Value::Bool(*b),
        Yaml::String(s) => Value::String(s.clone()),
        Yaml::Number(n) => serde_json::to_value(n)
            .ok()
            .filter(Value::is_number)
            .ok_or_else(|| format!("front matter {at}: {n} is not a finite number"))?,
        Yaml::Sequence(items) => items
            .iter()
            .enumerate()
            .map(|(i, item)| to_json(item, &format!("{at}/{i}")))
            .collect::<Result<Vec<_>, _>>()?
            .into(),
        Yaml::Mapping(map) => {
            let mut out = Map::new();
            for (key, item) in map {
                let key = key_text(key)
                    .ok_or_else(|| format!("front matter {at}: a key must be a plain text"))?;
                let item = to_json(item, &format!("{at}/{key}"))?;
                if out.insert(key.clone(), item).is_some() {
                    return Err(format!("front matter {at}: the key `{key}` stands twice"));
                }
            }
            out.into()
        }
        Yaml::Tagged(tagged) => {
            return Err(format!("front matter {at}: the tag {} is not supported", tagged.tag));
        }
    })
}

fn key_text(key: &serde_yaml::Value) -> Option<String> {
    match key {
        serde_yaml::Value::String(s) => Some(s.clone()),
        serde_yaml::Value::Number(n) => Some(n.to_string()),
        serde_yaml::Value::Bool(b) => Some(b.to_string()),
        _ => None,
    }
}
