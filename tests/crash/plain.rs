//! Texts of two runs made comparable: ids, times and the hashes that follow from them.

use serde_json::Value;

/// `text` with every UUID, time and SHA-256 replaced by a word.
pub(crate) fn plain(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let found = [(uuid(rest), "ID"), (sha256(rest), "HASH"), (time(rest), "TIME")];
        if let Some((length, word)) = found.into_iter().find(|(length, _)| *length > 0) {
            out.extend_from_slice(word.as_bytes());
            at += length;
        } else {
            out.push(rest[0]);
            at += 1;
        }
    }
    String::from_utf8(out).unwrap()
}

/// A tool's result without what a write found to have happened after a crash cannot know.
pub(crate) fn plain_result(result: &str) -> String {
    let Ok(mut value) = serde_json::from_str::<Value>(result) else { return plain(result) };
    if let Some(members) = value.as_object_mut() {
        for unknown in ["diffstat", "folders", "recovered", "replaced", "lineEndings"] {
            members.shift_remove(unknown);
        }
    }
    plain(&value.to_string())
}

fn sha256(text: &[u8]) -> usize {
    let hex = text.iter().take_while(|b| b.is_ascii_hexdigit()).count();
    if hex == 64 { 64 } else { 0 }
}

fn uuid(text: &[u8]) -> usize {
    shaped(text, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")
}

/// `2026-01-31T12:00:00Z`, with or without parts of a second.
fn time(text: &[u8]) -> usize {
    let whole = shaped(text, "dddd-dd-ddTdd:dd:dd");
    if whole == 0 {
        return 0;
    }
    let rest = &text[whole..];
    let parts = rest.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
    whole + parts + usize::from(rest.get(parts) == Some(&b'Z'))
}

fn shaped(text: &[u8], shape: &str) -> usize {
    let fits = |(byte, shape): (&u8, u8)| match shape {
        b'x' => byte.is_ascii_hexdigit(),
        b'd' => byte.is_ascii_digit(),
        other => *byte == other,
    };
    let fits = text.len() >= shape.len() && text.iter().zip(shape.bytes()).all(fits);
    if fits { shape.len() } else { 0 }
}

#[test]
fn ids_times_and_hashes_become_words_and_the_rest_stays() {
    let hash = "0123456789abcdef".repeat(4);
    let text = format!("a 0190ed2e-7000-7000-8000-00000000000f\n2026-01-31T12:00:00.123Z {hash} é");
    assert_eq!(plain(&text), "a ID\nTIME HASH é");
}
