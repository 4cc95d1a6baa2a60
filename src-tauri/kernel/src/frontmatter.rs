//! YAML front matter: where it is in a text, and what it says (reference §3.3).
//!
//! A byte order mark and CRLF are tolerated. The fence `---` must be the very first characters.
//! Deliberately not here: editing, which is [`crate::state_doc`]'s.

use serde_json::Value;
use std::ops::Range;

/// The most bytes of YAML that are parsed. A deeply nested text costs seconds a megabyte.
pub const MAX_YAML_BYTES: usize = 1024 * 1024;

/// A text with front matter, as byte ranges into it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// Whether the text starts with a byte order mark.
    pub bom: bool,
    /// The YAML, without the fences, with its last line break.
    pub yaml: Range<usize>,
    /// Everything after the closing fence's line.
    pub body: Range<usize>,
}

/// Why a text has no usable front matter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrontmatterError {
    /// No fence at all.
    #[error("the file has no front matter: its first line must be `---`")]
    Missing,
    /// Blank lines or spaces before the fence.
    #[error("there is white space before the front matter: `---` must be the very first line")]
    NotFirst,
    /// No closing fence.
    #[error("the front matter is not closed: a second line `---` is missing")]
    Unclosed,
    /// Over [`MAX_YAML_BYTES`].
    #[error("the front matter is {0} bytes long; at most {MAX_YAML_BYTES} are read")]
    TooLong(usize),
    /// Not YAML, or with a key twice.
    #[error("the front matter is not valid YAML: {0}")]
    Yaml(String),
    /// YAML, but no map.
    #[error("the front matter must be a map of `key: value` lines, not {0}")]
    NotAMap(&'static str),
}

/// Finds the front matter of a text.
pub fn split(text: &str) -> Result<Split, FrontmatterError> {
    let bom = text.starts_with('\u{feff}');
    let start = if bom { '\u{feff}'.len_utf8() } else { 0 };
    let Some(yaml_start) = fence(text, start) else {
        let first = text[start..].trim_start();
        let indented = first.len() < text.len() - start && fence(first, 0).is_some();
        return Err(if indented { FrontmatterError::NotFirst } else { FrontmatterError::Missing });
    };
    let mut line = yaml_start;
    while line < text.len() {
        if let Some(body) = fence(text, line) {
            if line - yaml_start > MAX_YAML_BYTES {
                return Err(FrontmatterError::TooLong(line - yaml_start));
            }
            return Ok(Split { bom, yaml: yaml_start..line, body: body..text.len() });
        }
        line = text[line..].find('\n').map_or(text.len(), |n| line + n + 1);
    }
    Err(FrontmatterError::Unclosed)
}

/// Where the next line starts, when the line at `at` is a fence.
fn fence(text: &str, at: usize) -> Option<usize> {
    let rest = text[at..].strip_prefix("---")?;
    let line = rest.split('\n').next().unwrap_or(rest);
    if !line.trim_end().is_empty() {
        return None;
    }
    Some((at + 3 + line.len() + 1).min(text.len()))
}

/// The front matter of a text as JSON, always an object. Duplicate keys are refused, `<<` is
/// merged, an empty block is an empty object.
pub fn parse(text: &str) -> Result<Value, FrontmatterError> {
    let at = split(text)?;
    yaml_to_json(&text[at.yaml])
}

/// A YAML map as JSON, under the rules of [`parse`].
pub fn yaml_to_json(yaml: &str) -> Result<Value, FrontmatterError> {
    let words = |e: serde_yaml::Error| FrontmatterError::Yaml(e.to_string());
    // Through serde_yaml's own value: straight into JSON, the last of two equal keys would win.
    let mut value: serde_yaml::Value = serde_yaml::from_str(yaml).map_err(words)?;
    value.apply_merge().map_err(words)?;
    let json = serde_json::to_value(&value).map_err(|e| FrontmatterError::Yaml(e.to_string()))?;
    match json {
        Value::Object(_) => Ok(json),
        Value::Null => Ok(Value::Object(serde_json::Map::new())),
        Value::Array(_) => Err(FrontmatterError::NotAMap("a list")),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            Err(FrontmatterError::NotAMap("a single value"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use serde_json::json;

    #[rstest]
    #[case("---\na: 1\n---\nbody", "a: 1\n", "body")]
    #[case("---\r\na: 1\r\n---\r\nbody\r\n", "a: 1\r\n", "body\r\n")]
    #[case("---\n---\n", "", "")]
    #[case("---\na: |\n  --- no\n  x\n---", "a: |\n  --- no\n  x\n", "")]
    #[case("---\na: 1\n---   \nb\n---\nc", "a: 1\n", "b\n---\nc")]
    fn a_text_is_split_at_its_fences(#[case] text: &str, #[case] yaml: &str, #[case] body: &str) {
        let at = split(text).unwrap();
        assert_eq!((&text[at.yaml], &text[at.body]), (yaml, body));
    }

    #[test]
    fn a_byte_order_mark_is_tolerated() {
        let text = "\u{feff}---\na: ü\n---\nbody";
        let at = split(text).unwrap();
        assert!(at.bom);
        assert_eq!((&text[at.yaml], &text[at.body]), ("a: ü\n", "body"));
    }

    #[rstest]
    #[case("# Title\n", FrontmatterError::Missing)]
    #[case("", FrontmatterError::Missing)]
    #[case("----\na: 1\n---\n", FrontmatterError::Missing)]
    #[case("\n---\na: 1\n---\n", FrontmatterError::NotFirst)]
    #[case(" ---\na: 1\n---\n", FrontmatterError::NotFirst)]
    #[case("---\na: 1\n", FrontmatterError::Unclosed)]
    #[case("---", FrontmatterError::Unclosed)]
    #[case("---\n- 1\n---\n", FrontmatterError::NotAMap("a list"))]
    #[case("---\nhello\n---\n", FrontmatterError::NotAMap("a single value"))]
    fn what_is_no_front_matter_is_refused_with_the_reason(
        #[case] text: &str,
        #[case] expected: FrontmatterError,
    ) {
        assert_eq!(parse(text), Err(expected));
    }

    #[test]
    fn duplicate_keys_are_refused_and_merge_keys_are_merged() {
        assert!(matches!(parse("---\na: 1\na: 2\n---\n"), Err(FrontmatterError::Yaml(_))));
        let merged = parse("---\nbase: &b {x: 1}\nuse:\n  <<: *b\n  y: no\n---\n").unwrap();
        assert_eq!(merged["use"], json!({"x": 1, "y": "no"}));
        assert_eq!(parse("---\n---\n"), Ok(json!({})));
    }

    #[test]
    fn an_endless_front_matter_is_refused_before_it_is_parsed() {
        let text = format!("---\na: {}\n---\n", "[".repeat(MAX_YAML_BYTES));
        assert!(matches!(parse(&text), Err(FrontmatterError::TooLong(_))));
    }
}
