//! JSON of others. A server's is read with a bound: a value in memory is many times as large as the
//! two bytes that make one. In a file that people write, a name stands once.

use kernel::bounds::ANSWER_VALUES;
use kernel::phrase::{Phrase, Why, general};
use kernel::text::ellipsis;
use std::cell::{Cell, RefCell};
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// What is repeated of a name, bytes.
const SHOWN_OF_A_NAME: usize = 80;

/// Why a document is not read.
#[derive(Debug)]
pub(crate) enum JsonError {
    /// It is no JSON, as the library says.
    Library(serde_json::Error),
    /// It is JSON, and refused all the same.
    Refused(JsonRefusal),
}

/// Why JSON is refused.
#[derive(Debug, PartialEq)]
pub(crate) enum JsonRefusal {
    /// It holds more than [`ANSWER_VALUES`].
    TooManyValues,
    /// An object has this name twice.
    NameTwice { name: String, line: usize, column: usize },
}

impl JsonError {
    /// Whether the document is JSON: another answer would be no better.
    pub(crate) fn is_json(&self) -> bool {
        match self {
            Self::Library(error) => error.is_data(),
            Self::Refused(..) => true,
        }
    }
}

impl From<serde_json::Error> for JsonError {
    fn from(error: serde_json::Error) -> Self {
        Self::Library(error)
    }
}

impl From<JsonError> for Why {
    fn from(error: JsonError) -> Self {
        match error {
            JsonError::Library(error) => Self::quoted(error),
            JsonError::Refused(refusal) => refusal.says().into(),
        }
    }
}

impl JsonRefusal {
    fn says(&self) -> Phrase {
        match self {
            Self::TooManyValues => general::too_many_values(ANSWER_VALUES),
            Self::NameTwice { name, line, column } => {
                let twice = general::name_twice(ellipsis(name, SHOWN_OF_A_NAME));
                general::at_place(twice, line, column)
            }
        }
    }
}

/// Reads one document. One of too many values is an error as soon as it has them.
pub(crate) fn parse(bytes: &[u8]) -> Result<Value, JsonError> {
    JsonReading::new(Repeated::TakesTheLast).read(bytes)
}

/// Reads a document that a person wrote: a name that stands in an object twice is an error. Of the
/// two values the library would take the last, whichever was meant.
pub(crate) fn parse_written(text: &str) -> Result<Value, JsonError> {
    JsonReading::new(Repeated::IsAnError).read(text.as_bytes())
}

/// Reads documents one after the other, all of them within one bound.
pub(crate) fn parse_all(text: &str) -> Result<Vec<Value>, JsonError> {
    let reading = JsonReading::new(Repeated::TakesTheLast);
    // First where each ends: the library reads several only where nothing is counted.
    let mut skipped = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    let (mut all, mut start) = (Vec::new(), 0);
    while let Some(document) = skipped.next() {
        _ = document?;
        let end = skipped.byte_offset();
        all.push(reading.read(&text.as_bytes()[start..end])?);
        start = end;
    }
    Ok(all)
}

/// What a name does that an object has already.
#[derive(Clone, Copy, PartialEq)]
enum Repeated {
    TakesTheLast,
    IsAnError,
}

/// One reading of one document or several.
struct JsonReading {
    /// How many values there may still be; `None` after one too many.
    left: Cell<Option<usize>>,
    repeated: Repeated,
    /// The name that stands twice, which the library's error has no place for.
    twice: RefCell<Option<String>>,
}

impl JsonReading {
    fn new(repeated: Repeated) -> Self {
        Self { left: Cell::new(Some(ANSWER_VALUES)), repeated, twice: RefCell::default() }
    }

    fn read(&self, bytes: &[u8]) -> Result<Value, JsonError> {
        let mut reader = serde_json::Deserializer::from_slice(bytes);
        let value = Bounded(self).deserialize(&mut reader);
        match value.and_then(|value| reader.end().map(|()| value)) {
            Ok(value) => Ok(value),
            Err(error) => Err(self.why(error)),
        }
    }

    fn why(&self, error: serde_json::Error) -> JsonError {
        let (line, column) = (error.line(), error.column());
        match (self.twice.take(), self.left.get()) {
            (Some(name), _) => JsonError::Refused(JsonRefusal::NameTwice { name, line, column }),
            (None, None) => JsonError::Refused(JsonRefusal::TooManyValues),
            (None, Some(_)) => JsonError::Library(error),
        }
    }
}

/// A value, counted off from what is left.
#[derive(Clone, Copy)]
struct Bounded<'r>(&'r JsonReading);

impl<'de> DeserializeSeed<'de> for Bounded<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        self.0.left.set(self.0.left.get().and_then(|left| left.checked_sub(1)));
        if self.0.left.get().is_none() {
            return Err(D::Error::custom("too many values"));
        }
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Bounded<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut out = Vec::new();
        while let Some(value) = seq.next_element_seed(self)? {
            out.push(value);
        }
        Ok(Value::Array(out))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut out = Map::new();
        while let Some(name) = map.next_key::<String>()? {
            if self.0.repeated == Repeated::IsAnError && out.contains_key(&name) {
                self.0.twice.replace(Some(name));
                return Err(A::Error::custom("a name stands twice"));
            }
            out.insert(name, map.next_value_seed(self)?);
        }
        Ok(Value::Object(out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[test]
    fn a_document_is_read_as_it_always_was() {
        let text = r#"{"b":[1,-2,3.5,true,null,"\u00e9"],"a":{"x":{}},"b2":[]}"#;
        let plain: Value = serde_json::from_str(text).unwrap();
        assert_eq!(parse(text.as_bytes()).unwrap(), plain);
        assert_eq!(parse(text.as_bytes()).unwrap().to_string(), plain.to_string());
        for wrong in ["", "{", "{} x", "[1,]", "nul"] {
            assert!(parse(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_name_that_stands_twice_is_an_error_only_where_people_write() {
        for twice in [r#"{"a":1,"b":2,"a":3}"#, r#"[{"x":{"a":1,"\u0061":1}}]"#] {
            let error = parse_written(twice).unwrap_err();
            assert!(
                matches!(&error, JsonError::Refused(JsonRefusal::NameTwice { name, line: 1, .. }) if name == "a"),
                "{error:?}"
            );
            assert!(parse(twice.as_bytes()).is_ok());
        }
        let once = r#"{"a":{"a":[{"a":1},{"a":2}]},"A":1}"#;
        assert_eq!(parse_written(once).unwrap().to_string(), once);
    }

    #[rstest]
    #[case("[]")]
    #[case(r#"{"a":0}"#)]
    #[case("0")]
    fn a_document_of_eight_mebibytes_of_tiny_values_is_given_up(#[case] value: &str) {
        let many = format!("[{}{value}]", format!("{value},").repeat(8 * 1024 * 1024 / 8));
        let error = parse(many.as_bytes()).unwrap_err();
        assert!(matches!(error, JsonError::Refused(JsonRefusal::TooManyValues)), "{error:?}");
        // Given up where there were too many, not at the end.
        assert!(parse(format!("{}x", &many[..900_000]).as_bytes()).is_err());
    }

    #[test]
    fn documents_one_after_the_other_have_one_bound() {
        let all = parse_all(" {\"a\":1}\n[2]").unwrap();
        assert_eq!(all, [serde_json::json!({ "a": 1 }), serde_json::json!([2])]);
        assert_eq!(parse_all(" \n").unwrap(), Vec::<Value>::new());
        assert!(parse_all("{} x").is_err());
        assert_eq!(parse_all(&"[]".repeat(ANSWER_VALUES)).unwrap().len(), ANSWER_VALUES);
        let error = parse_all(&"[]".repeat(ANSWER_VALUES + 1)).unwrap_err();
        assert!(matches!(error, JsonError::Refused(JsonRefusal::TooManyValues)), "{error:?}");
    }

    #[test]
    fn nesting_is_given_up_before_the_stack_ends() {
        assert!(parse("[".repeat(1_000_000).as_bytes()).is_err());
    }
}
