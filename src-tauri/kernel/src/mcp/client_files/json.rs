//! JSON as editors keep it: with comments, and with commas behind the last of something.

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// The same text as strict JSON: comments and the comma before a closing bracket are blank, so that
/// every place stays where it is. What is wrong otherwise stays wrong.
pub(super) fn strict(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // The last character that is no blank, and where a comma stands that nothing has followed yet.
    let (mut last, mut comma) = ('[', None);
    while let Some(c) = rest.chars().next() {
        let Some(end) = piece_end(rest, c) else {
            return out + rest;
        };
        let (piece, after) = rest.split_at(end);
        rest = after;
        if c == '/' && end > 1 {
            out.extend(piece.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
            continue;
        }
        match c {
            ' ' | '\t' | '\n' | '\r' => {}
            ',' if !matches!(last, '[' | '{' | ',' | ':') => comma = Some(out.len()),
            ']' | '}' => {
                if let Some(at) = comma.take() {
                    out.replace_range(at..=at, " ");
                }
            }
            _ => comma = None,
        }
        if !c.is_ascii_whitespace() {
            last = c;
        }
        out.push_str(piece);
    }
    out
}

/// How far the text, comment or character reaches that begins here with `c`; `None` for a comment
/// without an end.
fn piece_end(rest: &str, c: char) -> Option<usize> {
    if c == '"' {
        return Some(text_end(rest));
    }
    if rest.starts_with("//") {
        return Some(rest.find(['\n', '\r']).unwrap_or(rest.len()));
    }
    match rest.strip_prefix("/*") {
        Some(comment) => comment.find("*/").map(|end| end + 4),
        None => Some(c.len_utf8()),
    }
}

/// Where the text ends that begins here with a quote.
fn text_end(rest: &str) -> usize {
    let mut is_escaped = false;
    let closes = |(_, b): &(usize, u8)| {
        let closes = !is_escaped && *b == b'"';
        is_escaped = !is_escaped && *b == b'\\';
        closes
    };
    rest.bytes().enumerate().skip(1).find(closes).map_or(rest.len(), |(at, _)| at + 1)
}

/// An object as a value of its type. `None` for what is no object: of a list serde would take the
/// items for the members, in their order.
pub(super) fn object<'a, T: Deserialize<'a>>(json: &'a str) -> Option<serde_json::Result<T>> {
    json.trim_start().starts_with('{').then(|| serde_json::from_str(json))
}

/// The members of an object as they are written, in their order, also two of one name.
pub(super) struct Members<'a>(pub(super) Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Each;

        impl<'de> Visitor<'de> for Each {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        from.deserialize_map(Each)
    }
}
