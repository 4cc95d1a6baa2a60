//! Changing keys of a front matter without touching the rest.
//!
//! In block style every top-level key owns a run of lines. Only those lines are handed to
//! `yaml-edit`, so everything else stays byte for byte by construction; the result is accepted
//! only when reading it back yields exactly the map that was meant. When `yaml-edit` cannot do
//! it, the key's lines are written anew.

use serde_json::{Map, Value};
use std::ops::Range;
use std::str::FromStr;
use yaml_edit::{Document, Mapping, Sequence, YamlNode};

use super::{FrontmatterProblem, check_size, is_fence, key_text, read_raw, read_yaml, split, yaml};
use crate::bounds::{MATTER_EDIT_BYTES, MATTER_EDIT_STEPS};
use crate::code::Failure;
use crate::phrase::{advice, misfits};

/// The text after `change` had its way with the map of its front matter. Keys that do not change
/// keep their bytes; new keys go to the end.
///
/// ```
/// let text = "---\na: 1 # kept\n---\nBody\n";
/// let edited = kernel::frontmatter::edit(text, |front| {
///     front.insert("b".to_owned(), 2.into());
/// })?;
/// assert_eq!(edited, "---\na: 1 # kept\nb: 2\n---\nBody\n");
/// # Ok::<(), kernel::code::Failure>(())
/// ```
///
/// # Errors
/// `E_INVALID_FRONTMATTER` when the text has no proper front matter, when a key cannot be changed
/// without touching others, or when the front matter became too large to be read.
pub fn edit(text: &str, change: impl FnOnce(&mut Map<String, Value>)) -> Result<String, Failure> {
    let parts = split(text)?;
    let mut now = parts.to_map()?;
    let mut wanted = now.clone();
    change(&mut wanted);
    let mut yaml = parts.yaml.to_owned();
    let gone = now.keys().filter(|k| !wanted.contains_key(*k)).cloned();
    let keys = gone.chain(wanted.keys().cloned());
    let keys: Vec<String> = keys.filter(|key| now.get(key) != wanted.get(key)).collect();
    if keys.len().saturating_mul(yaml.len()) > MATTER_EDIT_BYTES {
        let says = misfits::matter_change_too_large(keys.len(), yaml.len());
        return Err(FrontmatterProblem::new(says, advice::change_fewer_keys()).into());
    }
    for key in keys {
        let before = now.get(&key).cloned();
        match wanted.get(&key) {
            Some(value) => now.insert(key.clone(), value.clone()),
            None => now.shift_remove(&key),
        };
        yaml = with_key(&yaml, &key, before.as_ref(), &now)?;
    }
    check_size(&yaml)?;
    Ok(format!("{}{yaml}{}{}", parts.head, parts.close, parts.body))
}

/// `yaml` with `key` as it is in `wanted`, by the gentlest way that reads back right.
fn with_key(
    yaml: &str,
    key: &str,
    before: Option<&Value>,
    wanted: &Map<String, Value>,
) -> Result<String, Failure> {
    let after = wanted.get(key);
    let reads_back =
        |text: &String| stands_alone(text) && read_yaml(text).is_ok_and(|map| map == *wanted);
    let everything = 0..yaml.len();
    let own = own_lines(yaml, key);
    let lines = own.clone().unwrap_or(yaml.len()..yaml.len());
    let within = |range: &Range<usize>, text: Option<String>| {
        let text = with_endings_of(yaml, &yaml[range.clone()], &text?);
        Some(format!("{}{text}{}", &yaml[..range.start], &yaml[range.end..]))
    };
    let attempts: [&dyn Fn() -> Option<String>; 4] = [
        // A key that goes takes its lines along: a map that is emptied in place stays as `{}`, after
        // which no line of block style can follow.
        &|| within(&lines, in_place(&lf(&yaml[own.clone()?]), key, before, Some(after?))),
        &|| within(&lines, written_anew(key, after)),
        &|| within(&lines, written_as_json(key, after)),
        &|| within(&everything, in_place(&lf(yaml), key, before, after)),
    ];
    attempts.iter().find_map(|attempt| attempt().filter(reads_back)).ok_or_else(|| {
        FrontmatterProblem::new(misfits::matter_key_stuck(key), advice::write_block_style()).into()
    })
}

/// Whether the closing line of a front matter is found right after this YAML. It has a last line
/// without an end when its writer took another character for a line's end.
fn stands_alone(yaml: &str) -> bool {
    let is_ended = yaml.is_empty() || yaml.ends_with('\n');
    is_ended && !yaml.split_inclusive('\n').any(is_fence)
}

fn lf(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// `text` (line feeds only) with the line endings of the lines it replaces, or of the whole
/// front matter when it replaces none.
fn with_endings_of(yaml: &str, replaced: &str, text: &str) -> String {
    let model = if replaced.contains('\n') { replaced } else { yaml };
    if model.contains("\r\n") { text.replace('\n', "\r\n") } else { text.to_owned() }
}

/// The key's lines as YAML, written from nothing; empty when the key is to go.
fn written_anew(key: &str, value: Option<&Value>) -> Option<String> {
    let Some(value) = value else { return Some(String::new()) };
    let map = Map::from_iter([(key.to_owned(), value.clone())]);
    serde_yaml::to_string(&map).ok()
}

/// The same in one line of JSON, which YAML reads too: every text is quoted, so no text can be
/// taken for something else.
fn written_as_json(key: &str, value: Option<&Value>) -> Option<String> {
    value.map(|value| format!("{}: {value}\n", Value::from(key)))
}

/// Where the key's own lines are: from its line to its last line that is neither blank nor a
/// comment at the margin (those belong to what follows). `None` when the map is not written one
/// key a line.
fn own_lines(yaml: &str, key: &str) -> Option<Range<usize>> {
    let map = read_raw(yaml).ok()?;
    let keys: Vec<String> = map.as_mapping()?.keys().map(key_text).collect::<Option<_>>()?;
    let mut starts: Vec<usize> = Vec::new();
    let mut at = 0;
    for line in yaml.split_inclusive('\n') {
        if starts.len() < keys.len() && line_key(line).as_ref() == Some(&keys[starts.len()]) {
            starts.push(at);
        }
        at += line.len();
    }
    if starts.len() != keys.len() {
        return None;
    }
    let index = keys.iter().position(|k| k == key)?;
    let start = starts[index];
    let end = starts.get(index + 1).copied().unwrap_or(yaml.len());
    let mut last = start;
    let mut at = start;
    for line in yaml[start..end].split_inclusive('\n') {
        at += line.len();
        if !line.trim().is_empty() && !line.starts_with('#') {
            last = at;
        }
    }
    Some(start..last)
}

/// The key a line at the margin starts with.
fn line_key(line: &str) -> Option<String> {
    let first = line.chars().next()?;
    let end = if first == '"' || first == '\'' {
        1 + quoted_end(&line[1..], first)?
    } else if first.is_whitespace() || first == '#' {
        return None;
    } else {
        let ends =
            |(at, _): &(usize, &str)| line[at + 1..].chars().next().is_none_or(char::is_whitespace);
        line.match_indices(':').find(ends)?.0
    };
    if !line[end..].trim_start().starts_with(':') {
        return None;
    }
    key_text(&yaml::read(&line[..end]).ok()?)
}

/// The byte after the closing quote of a text whose opening quote is already behind.
fn quoted_end(text: &str, quote: char) -> Option<usize> {
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if c == '\\' && quote == '"' {
            chars.next();
        } else if c == quote {
            if quote == '\'' && chars.peek().is_some_and(|(_, next)| *next == '\'') {
                chars.next();
            } else {
                return Some(at + 1);
            }
        }
    }
    None
}

/// The change made in the syntax tree, which keeps comments, spacing and quoting around it; `None`
/// for one of more than [`MATTER_EDIT_STEPS`].
fn in_place(
    yaml: &str,
    key: &str,
    before: Option<&Value>,
    after: Option<&Value>,
) -> Option<String> {
    if steps(before, after) > MATTER_EDIT_STEPS {
        return None;
    }
    let document = Document::from_str(yaml).ok()?;
    let map = document.as_mapping()?;
    match (before, after) {
        (Some(Value::Array(old)), Some(Value::Array(new))) if !old.is_empty() => {
            change_list(&map.get_sequence(key)?, old, new)
                .or_else(|| set(&map, key, &Value::Array(new.clone())))?;
        }
        (Some(Value::Object(old)), Some(Value::Object(new)))
            if !old.is_empty() && !new.is_empty() =>
        {
            change_map(&map.get_mapping(key)?, old, new)?;
        }
        (_, Some(value)) => set(&map, key, value)?,
        (_, None) => {
            map.remove(key)?;
        }
    }
    Some(document.to_string())
}

/// How many entries change, times how many there are.
fn steps(before: Option<&Value>, after: Option<&Value>) -> usize {
    match (before, after) {
        (Some(Value::Array(old)), Some(Value::Array(new))) if new.len() < old.len() => {
            old.len().saturating_mul(old.len() - new.len())
        }
        (Some(Value::Array(old)), Some(Value::Array(new))) => {
            let same = old.iter().zip(new).filter(|(old, new)| old == new).count();
            new.len().saturating_mul(new.len() - same)
        }
        (Some(Value::Object(old)), Some(Value::Object(new))) => {
            let gone = old.keys().filter(|key| !new.contains_key(*key)).count();
            let set = new.iter().filter(|(key, value)| old.get(*key) != Some(value)).count();
            old.len().max(new.len()).saturating_mul(gone + set)
        }
        _ => 1,
    }
}

fn set(map: &Mapping, key: &str, value: &Value) -> Option<()> {
    map.set(key, node(value)?);
    Some(())
}

/// Appends, drops or replaces items; `None`, with nothing done, when the lists differ otherwise.
fn change_list(list: &Sequence, old: &[Value], new: &[Value]) -> Option<()> {
    if new.starts_with(old) {
        for value in &new[old.len()..] {
            list.push(node(value)?);
        }
    } else if old.len() <= new.len() {
        for (i, value) in new.iter().enumerate() {
            match old.get(i) {
                None => list.push(node(value)?),
                Some(same) if same == value => {}
                Some(_) => {
                    list.set(i, node(value)?);
                }
            }
        }
    } else {
        let mut rest = new.iter().peekable();
        let kept: Vec<bool> = old.iter().map(|o| rest.next_if(|n| *n == o).is_some()).collect();
        if rest.peek().is_some() || new.is_empty() {
            return None;
        }
        for (i, _) in kept.iter().enumerate().rev().filter(|(_, kept)| !**kept) {
            list.remove(i)?;
        }
    }
    Some(())
}

fn change_map(map: &Mapping, old: &Map<String, Value>, new: &Map<String, Value>) -> Option<()> {
    for key in old.keys().filter(|k| !new.contains_key(*k)) {
        map.remove(key.as_str())?;
    }
    for (key, value) in new.iter().filter(|(k, v)| old.get(*k) != Some(v)) {
        set(map, key, value)?;
    }
    Some(())
}

/// A JSON value as a node of `yaml-edit`: quoting and block style are the serializer's.
fn node(value: &Value) -> Option<YamlNode> {
    let text = written_anew("v", Some(value))?;
    Document::from_str(&text).ok()?.as_mapping()?.get("v")
}
