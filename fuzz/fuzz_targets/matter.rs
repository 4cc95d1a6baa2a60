//! A Markdown file with a front matter, as a package, a project or a model may write it: no panic,
//! no hang, and an edit changes what was meant and leaves the body.

#![no_main]

use kernel::frontmatter::{edit, parse, split};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(parts) = split(text) else { return };
    assert_eq!(format!("{}{}{}{}", parts.head, parts.yaml, parts.close, parts.body), text);
    let Ok(mut map) = parse(text) else { return };
    assert!(values(&map.clone().into()) <= 100_000, "aliases were written out without end");
    let Ok(edited) = edit(text, |map| _ = map.insert("fuzzed".into(), json!([1, "a: b"]))) else {
        return;
    };
    assert!(edited.ends_with(parts.body));
    map.insert("fuzzed".into(), json!([1, "a: b"]));
    assert_eq!(parse(&edited).ok(), Some(map), "the edit reads back as meant: {edited:?}");
});

fn values(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(values).sum::<usize>(),
        Value::Object(map) => map.values().map(values).sum(),
        _ => 0,
    }
}
