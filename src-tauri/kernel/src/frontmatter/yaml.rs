//! Reads YAML 1.2 with a parser of YAML 1.1.
//!
//! The parser refuses some characters that may stand in quoted texts (`JSON.stringify` leaves
//! them there), and takes others for line ends, which they are no more. They are read as other
//! characters, which do not occur in the text, and put back afterwards.

use serde::Deserializer;
use serde::de::{
    DeserializeSeed, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess as _, Visitor,
};
use serde_yaml::value::{Tag, TaggedValue};
use serde_yaml::{Mapping, Value};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::bounds::{Fuel, YAML_BYTES, YAML_VALUES};

/// Why a YAML document has no value here.
#[derive(Debug)]
pub(super) enum UnreadableYaml {
    /// It is no YAML, as the library says.
    Library(serde_yaml::Error),
    /// It is refused here, at this line and column where they are known.
    Refused(YamlRefusal, Option<(usize, usize)>),
    /// With its aliases written out it holds more than may be read.
    TooMuch,
}

/// What the library reads and we do not.
#[derive(Debug)]
pub(super) enum YamlRefusal {
    /// A map has this key twice.
    KeyTwice(String),
    /// A tag is an exclamation mark and nothing else.
    NamelessTag,
}

/// The value of a YAML document, aliases written out as far as the bounds go. Integers over 64
/// bits become the nearest number, as in JSON.
pub(super) fn read(yaml: &str) -> Result<Value, UnreadableYaml> {
    read_once(yaml).or_else(|why| match joined_escapes(yaml) {
        // Only what cannot be read as it is may mean something else.
        Some(joined) => read_once(&joined).map_err(|_| why),
        None => Err(why),
    })
}

/// The same text with an escape for one character in place of two that stand for its halves, as JSON
/// writes them; `None` without any. Half a character is the one that stands for what is unreadable.
fn joined_escapes(yaml: &str) -> Option<String> {
    let half = |text: &str| {
        let digits = text.strip_prefix("\\u")?.get(..4)?;
        u16::from_str_radix(digits, 16).ok().filter(|unit| (0xd800..0xe000).contains(unit))
    };
    let (mut out, mut rest, mut found) = (String::new(), yaml, false);
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let Some(first) = half(escape) else {
            // Whatever is escaped goes with its backslash.
            let end = escape.char_indices().nth(2).map_or(escape.len(), |(end, _)| end);
            out.push_str(&escape[..end]);
            rest = &escape[end..];
            continue;
        };
        found = true;
        let second = half(&escape[6..]);
        let pair = second.and_then(|second| String::from_utf16(&[first, second]).ok());
        let (character, length) =
            pair.map_or(('\u{fffd}', 6), |pair| (pair.chars().next().unwrap_or('\u{fffd}'), 12));
        let escape_of_it = format!("\\U{:08X}", u32::from(character));
        out.push_str(&escape_of_it);
        rest = &escape[length..];
    }
    out.push_str(rest);
    found.then_some(out)
}

fn read_once(yaml: &str) -> Result<Value, UnreadableYaml> {
    let swap = CharacterSwap::over(yaml);
    let reading = YamlReading {
        values: RefCell::new(Fuel::new(YAML_VALUES)),
        bytes: RefCell::new(Fuel::new(YAML_BYTES)),
        refused: RefCell::default(),
    };
    let swapped = swap.on(yaml);
    let read = Any(&reading).deserialize(serde_yaml::Deserializer::from_str(&swapped));
    let mut value = read.map_err(|error| reading.why(error))?;
    swap.off(&mut value);
    Ok(value)
}

/// What may still be read, and why no more was. A few bytes of aliases can stand for gigabytes.
struct YamlReading {
    values: RefCell<Fuel>,
    bytes: RefCell<Fuel>,
    /// Why it was ended here. The library's error has no place for it.
    refused: RefCell<Option<YamlRefusal>>,
}

impl YamlReading {
    /// Takes one value, with so many bytes of text.
    fn spend<E: Error>(&self, bytes: usize) -> Result<(), E> {
        let values = self.values.borrow_mut().spend(1);
        values.and(self.bytes.borrow_mut().spend(bytes)).map_err(E::custom)
    }

    fn is_spent(&self) -> bool {
        [&self.values, &self.bytes].iter().any(|fuel| fuel.borrow().is_exhausted())
    }

    fn refuse<E: Error>(&self, refusal: YamlRefusal) -> E {
        self.refused.replace(Some(refusal));
        E::custom("refused")
    }

    fn why(&self, error: serde_yaml::Error) -> UnreadableYaml {
        match self.refused.take() {
            _ if self.is_spent() => UnreadableYaml::TooMuch,
            Some(refusal) => UnreadableYaml::Refused(refusal, place(&error)),
            None => UnreadableYaml::Library(error),
        }
    }
}

/// Where the parser stopped: line and column.
pub(super) fn place(error: &serde_yaml::Error) -> Option<(usize, usize)> {
    error.location().map(|place| (place.line(), place.column()))
}

/// Any YAML value. The parser's own type has no place for integers over 64 bits.
#[derive(Clone, Copy)]
struct Any<'r>(&'r YamlReading);

impl<'de> DeserializeSeed<'de> for Any<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

/// One member of the visitor: what is visited becomes a value.
macro_rules! visits {
    ($($name:ident($value:ident: $type:ty) => $made:expr;)+) => {
        $(fn $name<E: Error>(self, $value: $type) -> Result<Value, E> {
            self.0.spend(0)?;
            Ok($made)
        })+
    };
}

impl<'de> Visitor<'de> for Any<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any YAML value")
    }

    visits! {
        visit_bool(value: bool) => value.into();
        visit_i64(value: i64) => value.into();
        visit_u64(value: u64) => value.into();
        visit_i128(value: i128) => nearest(value).into();
        visit_u128(value: u128) => nearest(value).into();
        visit_f64(value: f64) => value.into();
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        self.0.spend(value.len())?;
        Ok(value.into())
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        self.0.spend(0)?;
        Ok(Value::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        self.deserialize(from)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        self.0.spend(0)?;
        let mut out = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            out.push(item);
        }
        Ok(Value::Sequence(out))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        self.0.spend(0)?;
        let mut out = Mapping::new();
        while let Some((key, item)) = entries.next_entry_seed(self, self)? {
            if out.contains_key(&key) {
                return Err(self.0.refuse(YamlRefusal::KeyTwice(shown(key))));
            }
            out.insert(key, item);
        }
        Ok(Value::Mapping(out))
    }

    /// A tag of somebody's own, which the caller refuses by its name.
    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<Value, A::Error> {
        let (tag, contents): (String, _) = tagged.variant()?;
        self.0.spend(tag.len())?;
        let value = contents.newtype_variant_seed(self)?;
        if tag.trim_start_matches('!').is_empty() {
            return Err(self.0.refuse(YamlRefusal::NamelessTag));
        }
        Ok(Value::Tagged(Box::new(TaggedValue { tag: Tag::new(tag), value })))
    }
}

/// A key in a message: a list or a map, which no caller takes for a key, by its kind alone.
fn shown(key: Value) -> String {
    match key {
        Value::String(text) => text,
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => value.to_string(),
        Value::Null => "null".to_owned(),
        Value::Sequence(_) => "[…]".to_owned(),
        Value::Mapping(_) => "{…}".to_owned(),
        Value::Tagged(tagged) => tagged.tag.to_string(),
    }
}

/// The number of JSON nearest to an integer it cannot hold.
fn nearest(integer: impl fmt::Display) -> f64 {
    integer.to_string().parse().unwrap_or(f64::MAX)
}

/// What the parser would not read as text.
const fn is_misread(c: char) -> bool {
    matches!(
        c,
        '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
    )
}

/// Which character stands for which.
struct CharacterSwap {
    on: BTreeMap<char, char>,
    off: BTreeMap<char, char>,
}

impl CharacterSwap {
    fn over(yaml: &str) -> Self {
        let misread: BTreeSet<char> = yaml.chars().filter(|c| is_misread(*c)).collect();
        if misread.is_empty() {
            return Self { on: BTreeMap::new(), off: BTreeMap::new() };
        }
        let taken: BTreeSet<char> = yaml.chars().chain(escaped(yaml)).collect();
        let free = ('\u{e000}'..='\u{f8ff}').filter(|c| !taken.contains(c));
        let on: BTreeMap<char, char> = misread.into_iter().zip(free).collect();
        let off = on.iter().map(|(from, to)| (*to, *from)).collect();
        Self { on, off }
    }

    fn on(&self, yaml: &str) -> String {
        exchanged(yaml, &self.on)
    }

    fn off(&self, value: &mut Value) {
        if self.off.is_empty() {
            return;
        }
        match value {
            Value::String(text) => *text = exchanged(text, &self.off),
            Value::Sequence(items) => items.iter_mut().for_each(|item| self.off(item)),
            Value::Mapping(map) => {
                let restored = std::mem::take(map).into_iter().map(|(mut key, mut item)| {
                    self.off(&mut key);
                    self.off(&mut item);
                    (key, item)
                });
                *map = restored.collect::<Mapping>();
            }
            Value::Tagged(tagged) => self.off(&mut tagged.value),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

fn exchanged(text: &str, table: &BTreeMap<char, char>) -> String {
    if table.is_empty() {
        return text.to_owned();
    }
    text.chars().map(|c| *table.get(&c).unwrap_or(&c)).collect()
}

/// The characters that `\u…` and `\U…` may stand for in the text.
fn escaped(yaml: &str) -> impl Iterator<Item = char> {
    yaml.match_indices('\\').filter_map(|(at, _)| {
        let rest = &yaml[at + 1..];
        let digits = match rest.chars().next()? {
            'u' => rest.get(1..5)?,
            'U' => rest.get(1..9)?,
            _ => return None,
        };
        char::from_u32(u32::from_str_radix(digits, 16).ok()?)
    })
}
