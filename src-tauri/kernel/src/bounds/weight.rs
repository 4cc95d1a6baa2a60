//! How much memory a JSON text takes once it is read: tiny objects take sixty times their text.

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::cell::Cell;
use std::fmt;

/// Bytes of one value where it stands.
const VALUE: u64 = size_of::<serde_json::Value>() as u64;
/// Bytes of an object's entry: its name, its hash and its place in the table of hashes.
const ENTRY: u64 = VALUE + 24 + 8 + 9;
/// What the allocator adds to a piece of memory, and the least it gives.
const PIECE: u64 = 32;

/// About as many bytes as the values of a JSON text take in memory, read without keeping any.
/// Counting stops above `most`. `None` when the text is no JSON.
pub fn json_weight(text: &str, most: u64) -> Option<u64> {
    let so_far = Cell::new(VALUE);
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = Weigh { so_far: &so_far, most }.deserialize(&mut reader).and_then(|()| reader.end());
    (read.is_ok() || so_far.get() > most).then(|| so_far.get())
}

#[derive(Clone, Copy)]
struct Weigh<'w> {
    so_far: &'w Cell<u64>,
    most: u64,
}

impl Weigh<'_> {
    fn add<E: Error>(self, bytes: u64) -> Result<(), E> {
        self.so_far.set(self.so_far.get() + bytes);
        if self.so_far.get() > self.most { Err(E::custom("too heavy")) } else { Ok(()) }
    }

    fn text<E: Error>(self, text: &str) -> Result<(), E> {
        self.add(if text.is_empty() { 0 } else { PIECE.max(text.len() as u64 + PIECE / 2) })
    }

    /// One more member of a list that has `count` already, each of `bytes`: lists grow by doubling.
    fn member<E: Error>(self, count: usize, bytes: u64) -> Result<(), E> {
        match count {
            0 => self.add(PIECE + 4 * bytes),
            n if n >= 4 && n.is_power_of_two() => self.add(n as u64 * bytes),
            _ => Ok(()),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Weigh<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Weigh<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.text(text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let mut count = 0;
        while items.next_element_seed(self)?.is_some() {
            self.member(count, VALUE)?;
            count += 1;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let mut count = 0;
        while entries.next_key_seed(self)?.is_some() {
            entries.next_value_seed(self)?;
            self.member(count, ENTRY)?;
            count += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiny_objects_weigh_far_more_than_their_text() {
        let tiny = format!("[{}0]", r#"{"a":0},"#.repeat(1000));
        let weight = json_weight(&tiny, u64::MAX).unwrap();
        assert!((400_000..900_000).contains(&weight), "{weight}");
        let text = format!(r#""{}""#, "a".repeat(100_000));
        let weight = json_weight(&text, u64::MAX).unwrap();
        assert!((100_000..101_000).contains(&weight), "{weight}");
    }

    #[test]
    fn each_piece_of_memory_counts_once_and_lists_grow_by_doubling() {
        let entry = VALUE + 41;
        let long = |bytes: usize| format!(r#""{}""#, "a".repeat(bytes));
        for (json, weight) in [
            ("null".to_owned(), 0),
            (r#""""#.to_owned(), 0),
            (long(1), 32),
            (long(16), 32),
            (long(17), 33),
            ("[]".to_owned(), 0),
            ("[1]".to_owned(), 32 + 4 * VALUE),
            ("[1,-1,true]".to_owned(), 32 + 4 * VALUE),
            ("[1,1,1.5,null]".to_owned(), 32 + 4 * VALUE),
            ("[1,1,1,1,1]".to_owned(), 32 + 8 * VALUE),
            ("[1,1,1,1,1,1]".to_owned(), 32 + 8 * VALUE),
            ("[1,1,1,1,1,1,1,1,1]".to_owned(), 32 + 16 * VALUE),
            (r#"{"":1}"#.to_owned(), 32 + 4 * entry),
            (r#"{"a":1,"b":1,"c":1,"d":1,"e":1}"#.to_owned(), 6 * 32 + 8 * entry),
            (r#"{"a":["b"]}"#.to_owned(), 4 * 32 + 4 * VALUE + 4 * entry),
        ] {
            let all = VALUE + weight;
            assert_eq!(json_weight(&json, u64::MAX), Some(all), "{json}");
            assert_eq!(json_weight(&json, all), Some(all), "as much as it may be: {json}");
            let cut = json_weight(&json[..json.len() - 1], all);
            assert_eq!(cut, None, "as much as it may be, and no JSON: {json}");
        }
    }

    #[test]
    fn counting_stops_above_the_bound_and_at_what_is_no_json() {
        let endless = "[".to_owned() + &r#"{"a":0},"#.repeat(1000);
        assert!(json_weight(&endless, 10_000).is_some_and(|weight| weight < 11_000));
        assert_eq!(json_weight(&endless, u64::MAX), None, "its end is missing");
        assert_eq!(json_weight("{} {}", u64::MAX), None);
        assert_eq!(json_weight(&"[".repeat(200), u64::MAX), None, "nested too deeply");
        assert_eq!(json_weight("{}", u64::MAX), json_weight("null", u64::MAX));
    }
}
