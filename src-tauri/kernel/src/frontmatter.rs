//! Front matter: a YAML map between two `---` lines at the head of a Markdown file
//! (spec 03 "Package format").
//!
//! [`split`] cuts a text into its parts byte for byte. [`edit`] changes keys and leaves the rest
//! as it was: body, key order, comments, quoting and line endings. [`update`] is the one patch
//! models may send (spec 05 "Front matter updates"). Every edit is read back and compared with what
//! was meant; when that fails the edit is refused, so a file is never corrupted.
//!
//! Messages speak of "the front matter" and name no file: the caller knows its alias path.

mod edit;
mod problem;
mod update;
mod yaml;

#[cfg(test)]
mod tests;

use serde_json::{Map, Value};
use std::fmt;

use crate::bounds::{MATTER_BRACKETS, MATTER_BYTES, YAML_BYTES, YAML_VALUES};
use crate::code::Failure;
use crate::phrase::{Phrase, Why, advice, general, misfits};
use crate::text::ellipsis;
use yaml::{UnreadableYaml, YamlRefusal};

pub use edit::edit;
pub use problem::FrontmatterProblem;
pub use update::{AppendTexts, AppendValues, FrontmatterUpdate, SetMap, SetText, update};

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
    ///
    /// # Errors
    /// `E_INVALID_FRONTMATTER` when it is no YAML, no map, or holds what JSON cannot: tags,
    /// non-finite numbers, keys that are lists or maps.
    pub fn to_map(&self) -> Result<Map<String, Value>, Failure> {
        Ok(self.read()?)
    }

    /// The same, with what is wrong as data.
    ///
    /// # Errors
    /// The [`FrontmatterProblem`], of which [`to_map`](Self::to_map) makes a failure.
    pub fn read(&self) -> Result<Map<String, Value>, FrontmatterProblem> {
        read_yaml(self.yaml)
    }
}

/// Cuts a text into opening line, YAML, closing line and body. A byte order mark is allowed
/// before the first `---`.
///
/// # Errors
/// `E_INVALID_FRONTMATTER` when it does not begin with `---`, or the block is not closed.
pub fn split(text: &str) -> Result<FrontMatter<'_>, Failure> {
    Ok(parts(text)?)
}

/// The same, with what is wrong as data.
///
/// # Errors
/// The [`FrontmatterProblem`], of which [`split`] makes a failure.
pub fn parts(text: &str) -> Result<FrontMatter<'_>, FrontmatterProblem> {
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
    Err(FrontmatterProblem::new(misfits::matter_not_closed(), advice::close_matter()))
}

/// The map and nothing else: [`split`] and [`FrontMatter::to_map`].
///
/// # Errors
/// As [`split`] and [`FrontMatter::to_map`].
pub fn parse(text: &str) -> Result<Map<String, Value>, Failure> {
    Ok(read(text)?)
}

/// The same, with what is wrong as data.
///
/// # Errors
/// The [`FrontmatterProblem`], of which [`parse`] makes a failure.
pub fn read(text: &str) -> Result<Map<String, Value>, FrontmatterProblem> {
    parts(text)?.read()
}

fn is_fence(line: &str) -> bool {
    line.strip_prefix("---").is_some_and(|rest| rest.trim_end().is_empty())
}

fn missing(text: &str) -> FrontmatterProblem {
    let after_blank = text.trim_start().starts_with("---") && !text.starts_with("---");
    let says = if after_blank { misfits::matter_not_first() } else { misfits::matter_missing() };
    FrontmatterProblem::new(says, advice::start_with_matter())
}

fn check_size(yaml: &str) -> Result<(), FrontmatterProblem> {
    if yaml.len() > MATTER_BYTES {
        let says = misfits::matter_too_large(yaml.len(), MATTER_BYTES);
        return Err(FrontmatterProblem::new(says, advice::move_to_assets()));
    }
    let mut open = 0_usize;
    let mut listed = 0_u64;
    for byte in yaml.bytes() {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            // The parser keeps a hundred bytes of each before anybody can count them.
            b',' if open > 0 => listed += 1,
            _ => {}
        }
        if listed > YAML_VALUES {
            return Err(too_much());
        }
        if open > MATTER_BRACKETS {
            return Err(FrontmatterProblem::new(
                misfits::matter_too_deep(),
                advice::correct_matter(),
            ));
        }
    }
    Ok(())
}

fn read_yaml(yaml: &str) -> Result<Map<String, Value>, FrontmatterProblem> {
    let mut value = read_raw(yaml)?;
    value.apply_merge().map_err(|e| not_yaml(Why::quoted(e)))?;
    match to_json(&value, &ValuePath::Top)? {
        Value::Object(map) => Ok(map),
        Value::Null => Ok(Map::new()),
        _ => Err(FrontmatterProblem::new(misfits::matter_no_map(), advice::correct_matter())),
    }
}

fn read_raw(yaml: &str) -> Result<serde_yaml::Value, FrontmatterProblem> {
    // The opening `---` is line 1 of the file; an empty line stands for it, so that the parser's
    // own words name the right lines.
    yaml::read(&format!("\n{yaml}")).map_err(|unread| match unread {
        UnreadableYaml::Library(e) => {
            FrontmatterProblem { place: yaml::place(&e), ..not_yaml(Why::quoted(e)) }
        }
        UnreadableYaml::Refused(refusal, place) => {
            FrontmatterProblem { place, ..not_yaml(refused(&refusal, place).into()) }
        }
        UnreadableYaml::TooMuch => too_much(),
    })
}

fn too_much() -> FrontmatterProblem {
    let says = misfits::matter_too_much(YAML_VALUES, YAML_BYTES);
    FrontmatterProblem::new(says, advice::move_to_assets())
}

fn not_yaml(why: Why) -> FrontmatterProblem {
    FrontmatterProblem::new(misfits::matter_not_yaml(why), advice::correct_matter())
}

fn refused(refusal: &YamlRefusal, place: Option<(usize, usize)>) -> Phrase {
    let says = match refusal {
        YamlRefusal::KeyTwice(key) => general::name_twice(ellipsis(key, SHOWN_KEY)),
        YamlRefusal::NamelessTag => misfits::matter_tag_nameless(),
    };
    match place {
        Some((line, column)) => general::at_place(says, line, column),
        None => says,
    }
}

/// Where a value stands, for messages: written out only for the one that is wrong.
enum ValuePath<'a> {
    Top,
    Item(&'a ValuePath<'a>, usize),
    Key(&'a ValuePath<'a>, &'a str),
}

impl ValuePath<'_> {
    /// The whole has a name too.
    fn shown(&self) -> String {
        if matches!(self, Self::Top) { "/".to_owned() } else { self.to_string() }
    }
}

impl fmt::Display for ValuePath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Top => Ok(()),
            Self::Item(above, at) => write!(f, "{above}/{at}"),
            Self::Key(above, key) => write!(f, "{above}/{}", ellipsis(key, SHOWN_KEY)),
        }
    }
}

/// Bytes of a key in a message.
const SHOWN_KEY: usize = 200;

/// YAML as JSON, refusing what JSON would silently change.
fn to_json(value: &serde_yaml::Value, at: &ValuePath<'_>) -> Result<Value, FrontmatterProblem> {
    use serde_yaml::Value as Yaml;
    let wrong = |says: Phrase| FrontmatterProblem::new(says, advice::correct_matter());
    Ok(match value {
        Yaml::Null => Value::Null,
        Yaml::Bool(b) => Value::Bool(*b),
        Yaml::String(s) => Value::String(s.clone()),
        Yaml::Number(n) => serde_json::to_value(n)
            .ok()
            .filter(Value::is_number)
            .ok_or_else(|| wrong(misfits::matter_number(at.shown(), n)))?,
        Yaml::Sequence(items) => items
            .iter()
            .enumerate()
            .map(|(i, item)| to_json(item, &ValuePath::Item(at, i)))
            .collect::<Result<Vec<_>, _>>()?
            .into(),
        Yaml::Mapping(map) => {
            let mut out = Map::new();
            for (key, item) in map {
                let key = key_text(key).ok_or_else(|| wrong(misfits::matter_key(at.shown())))?;
                let item = to_json(item, &ValuePath::Key(at, &key))?;
                if out.contains_key(&key) {
                    let key = ellipsis(&key, SHOWN_KEY);
                    return Err(wrong(misfits::matter_key_twice(at.shown(), key)));
                }
                out.insert(key, item);
            }
            out.into()
        }
        Yaml::Tagged(tagged) => return Err(wrong(misfits::matter_tag(at.shown(), &tagged.tag))),
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
