//! JSON of others. A server's is read with a bound: a value in memory is many times as large as the
//! two bytes that make one. In a file that people write, a name stands once.

use kernel::bounds::ANSWER_VALUES;
use kernel::text::ellipsis;
use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// What is repeated of a name, bytes.
const SHOWN_OF_A_NAME: usize = 80;

/// Reads one document. One of too many values is an error as soon as it has them.
pub(crate) fn parse(bytes: &[u8]) -> serde_json::Result<Value> {
    read(bytes, Repeated::TakesTheLast)
}

/// Reads a document that a person wrote: a name that stands in an object twice is an error. Of the
/// two values the library would take the last, whichever was meant.
pub(crate) fn parse_written(text: &str) -> serde_json::Result<Value> {
    read(text.as_bytes(), Repeated::IsAnError)
}

fn read(bytes: &[u8], repeated: Repeated) -> serde_json::Result<Value> {
    let left = Cell::new(ANSWER_VALUES);
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = Bounded { left: &left, repeated }.deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// Reads documents one after the other, all of them within one bound.
pub(crate) fn parse_all(text: &str) -> serde_json::Result<Vec<Value>> {
    let left = Cell::new(ANSWER_VALUES);
    // First where each ends: the library reads several only where nothing is counted.
    let mut skipped = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    let (mut all, mut start) = (Vec::new(), 0);
    while let Some(document) = skipped.next() {
        _ = document?;
        let end = skipped.byte_offset();
        let mut reader = serde_json::Deserializer::from_str(&text[start..end]);
        let bounded = Bounded { left: &left, repeated: Repeated::TakesTheLast };
        all.push(bounded.deserialize(&mut reader)?);
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

/// A value, counted off from what is left.
#[derive(Clone, Copy)]
struct Bounded<'a> {
    left: &'a Cell<usize>,
    repeated: Repeated,
}

impl<'de> DeserializeSeed<'de> for Bounded<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        let Some(left) = self.left.get().checked_sub(1) else {
            return Err(D::Error::custom(format_args!(
                "it holds more than {ANSWER_VALUES} values"
            )));
        };
        self.left.set(left);
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
            if self.repeated == Repeated::IsAnError && out.contains_key(&name) {
                let name = ellipsis(&name, SHOWN_OF_A_NAME);
                return Err(A::Error::custom(format_args!("`{name}` stands there twice")));
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
            let error = parse_written(twice).unwrap_err().to_string();
            assert!(error.starts_with("`a` stands there twice at line 1"), "{error}");
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
        let error = parse(many.as_bytes()).unwrap_err().to_string();
        assert!(error.contains("more than 100000 values"), "{error}");
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
        let error = parse_all(&"[]".repeat(ANSWER_VALUES + 1)).unwrap_err().to_string();
        assert!(error.contains("more than 100000 values"), "{error}");
    }

    #[test]
    fn nesting_is_given_up_before_the_stack_ends() {
        assert!(parse("[".repeat(1_000_000).as_bytes()).is_err());
    }
}
