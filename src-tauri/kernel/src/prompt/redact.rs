//! Absolute paths out of texts (spec 04 "Paths").
//!
//! This is the half that needs no knowledge of the machine: whatever looks like an absolute path
//! becomes `[path]`. The host's half knows the real roots and turns them into aliases first.
//!
//! Scanned by hand, not by a regular expression: whether a `/` begins a path depends on what
//! stands before it, and where the path ends depends on the quote that opened it.

use serde_json::{Map, Value};

/// What stands in place of a path.
const MARK: &str = "[path]";

/// Folders at the root of the systems we know. They tell a path where its place in the text does
/// not: alone (`/tmp`), or right behind a Chinese character (`目录/Users/me`).
const ROOTS: &[&str] = &[
    "Applications",
    "Library",
    "Users",
    "Volumes",
    "boot",
    "etc",
    "home",
    "media",
    "mnt",
    "nix",
    "opt",
    "private",
    "proc",
    "root",
    "srv",
    "sys",
    "tmp",
    "usr",
    "var",
    "workspace",
];

/// Replaces absolute paths (POSIX, drive, UNC, `file:`) in every string of an injected value, keys
/// included, by `[path]`. Alias paths, relative paths, URLs with a host, fractions and dates stay.
///
/// A single word behind a slash (`/help`) stays: it names no place of a person, and packages use
/// such words as commands. It goes when it is a known root or has an extension.
pub fn redact_paths(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(redact_text(text)),
        Value::Array(items) => items.iter().map(redact_paths).collect(),
        Value::Object(map) => {
            let mut out = Map::with_capacity(map.len());
            for (key, value) in map {
                let key = free_key(redact_text(key), &out);
                out.insert(key, redact_paths(value));
            }
            Value::Object(out)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// Two keys may become the same text; neither value may get lost.
fn free_key(key: String, taken: &Map<String, Value>) -> String {
    if !taken.contains_key(&key) {
        return key;
    }
    let mut n = 2_u32;
    while taken.contains_key(&format!("{key} {n}")) {
        n += 1;
    }
    format!("{key} {n}")
}

/// [`redact_paths`] for one text.
pub fn redact_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut before = None;
    while let Some(first) = rest.chars().next() {
        let len = match find(before, rest) {
            Some(PathMatch::Hide(len)) => {
                out.push_str(MARK);
                len
            }
            Some(PathMatch::Keep(len)) => {
                out.push_str(&rest[..len]);
                len
            }
            None => {
                out.push(first);
                first.len_utf8()
            }
        };
        // What the next look sees before it is what a second pass would see.
        before = out.chars().next_back();
        rest = &rest[len..];
    }
    out
}

/// What begins here, and how many bytes of it there are.
enum PathMatch {
    /// A path.
    Hide(usize),
    /// A URL, whose slashes are no paths.
    Keep(usize),
}

fn find(before: Option<char>, rest: &str) -> Option<PathMatch> {
    url(before, rest)
        .or_else(|| drive(before, rest).map(PathMatch::Hide))
        .or_else(|| unc(before, rest).map(PathMatch::Hide))
        .or_else(|| posix(before, rest).map(PathMatch::Hide))
}

/// `scheme://…`. One without a host, `file:`, and an editor's `vscode://file/…` name a place on
/// this machine; the host of `http://file/…` is only called so.
fn url(before: Option<char>, rest: &str) -> Option<PathMatch> {
    const LONGEST_SCHEME: usize = 20;
    if before.is_some_and(|c| c.is_ascii_alphanumeric()) {
        return None;
    }
    let colon = rest.bytes().take(LONGEST_SCHEME).position(|b| b == b':')?;
    let scheme = &rest[..colon];
    let mut letters = scheme.bytes();
    let starts_well = letters.next().is_some_and(|b| b.is_ascii_alphabetic());
    if colon < 2
        || !starts_well
        || !letters.all(|b| b.is_ascii_alphanumeric() || b"+.-".contains(&b))
    {
        return None;
    }
    let tail = &rest[colon + 1..];
    let is_file = scheme.eq_ignore_ascii_case("file") && tail.starts_with(['/', '\\']);
    let is_web = ["http", "https"].iter().any(|web| scheme.eq_ignore_ascii_case(web));
    let after = tail.strip_prefix("//");
    let is_local = |after: &str| after.starts_with('/') || (!is_web && after.starts_with("file/"));
    if is_file || after.is_some_and(is_local) {
        let slashes = tail.len() - tail.trim_start_matches(['/', '\\']).len();
        let start = colon + 1 + slashes;
        // `file:///C:/…`: the drive's colon does not end the path.
        let drive = if is_drive(&rest[start..]) { 2 } else { 0 };
        return Some(PathMatch::Hide(path_end(before, rest, start + drive)));
    }
    after.map(|_| PathMatch::Keep(url_end(rest)))
}

fn url_end(rest: &str) -> usize {
    rest.find(|c: char| c.is_whitespace() || is_stop(c) && c != ':' && c != '|')
        .unwrap_or(rest.len())
}

fn is_drive(rest: &str) -> bool {
    let b = rest.as_bytes();
    b.len() >= 3 && b[0].is_ascii_alphabetic() && b[1] == b':' && matches!(b[2], b'/' | b'\\')
}

/// `C:\…`, `c:/…`.
fn drive(before: Option<char>, rest: &str) -> Option<usize> {
    let inside_a_word = before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    (is_drive(rest) && !inside_a_word).then(|| path_end(before, rest, 3))
}

/// `\\server\share`, `\\?\C:\…`, also with doubled backslashes as in JSON.
fn unc(before: Option<char>, rest: &str) -> Option<usize> {
    if before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '\\') {
        return None;
    }
    let tail = rest.trim_start_matches('\\');
    if rest.len() - tail.len() < 2 {
        return None;
    }
    let host = tail.find('\\')?;
    let is_host =
        host > 0 && tail[..host].chars().all(|c| c.is_alphanumeric() || ".-_$?".contains(c));
    let share = tail[host..].trim_start_matches('\\');
    let start = rest.len() - share.len();
    let drive = if is_drive(share) { 2 } else { 0 };
    (is_host && share.starts_with(|c: char| c.is_alphanumeric() || "._$".contains(c)))
        .then(|| path_end(before, rest, start + drive))
}

/// `/usr/…`, `//server/share`.
fn posix(before: Option<char>, rest: &str) -> Option<usize> {
    let tail = rest.trim_start_matches('/');
    let lead = rest.len() - tail.len();
    if lead == 0 || before.is_some_and(continues_a_word) {
        return None;
    }
    let end = path_end(before, rest, lead);
    let name = &rest[lead..end];
    let first = name.split('/').next()?;
    if !begins_name(first) || !first.contains(char::is_alphanumeric) {
        return None;
    }
    let after = &name[first.len()..];
    let deep = after.starts_with('/') && begins_name(after.trim_start_matches('/'));
    let known = ROOTS.contains(&first);
    let hide = match before {
        // A closing tag is no path: `</div>`.
        Some('<') => deep,
        // A relative path may have Chinese folders: `资料/docs/a.md`.
        Some(c) if c.is_alphanumeric() => deep && known,
        _ => deep || (lead == 1 && (known || has_extension(name))),
    };
    hide.then_some(end)
}

fn begins_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphanumeric() || "._~-@$%+".contains(c))
}

/// Behind these a slash goes on with something: a relative path, an alias, a mark, a glob, a
/// fraction.
fn continues_a_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || "/\\._~@$*%-+})]#?&⟧".contains(c)
}

fn has_extension(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, ext)| {
        !ext.is_empty()
            && ext.len() <= 8
            && ext.chars().all(|c| c.is_ascii_alphanumeric())
            && (stem.is_empty() || stem.contains(|c: char| !c.is_ascii_digit()))
    })
}

/// Ends a path wherever it stands.
fn is_stop(c: char) -> bool {
    c.is_control() || "\"`<>|:，。、；：！？（）「」『』《》【】“”‘’…—".contains(c)
}

/// Where the path that begins at byte 0 of `rest` ends. `from`: the part that surely belongs.
fn path_end(before: Option<char>, rest: &str, from: usize) -> usize {
    // A quoted path may hold spaces, so it ends at its quote.
    if let Some(quote @ ('"' | '\'' | '`')) = before
        && let Some(end) = rest.find(['\n', quote])
        && end >= from
        && rest[end..].starts_with(quote)
    {
        return end;
    }
    let mut end = from;
    while end < rest.len() {
        let next = word_end(rest, end);
        if next > end {
            end = next;
        }
        match spaced_name(rest, end) {
            Some(further) => end = further,
            None => break,
        }
    }
    let path = rest[..end].trim_end_matches(['.', ',', ';', '!', '?', ')', ']', '}', '\'']);
    path.len().max(from)
}

fn word_end(rest: &str, from: usize) -> usize {
    let mut chars = rest[from..].char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let mut joins = || chars.peek().is_some_and(|(_, next)| next.is_alphanumeric());
        let ends = c.is_whitespace() || is_stop(c) || (",;'".contains(c) && !joins());
        if ends {
            return from + at;
        }
    }
    rest.len()
}

/// A folder's name may hold spaces: `/Users/me/My Documents/a.md`. The path goes on when the next
/// word does, one word on POSIX, four on Windows, where nothing else has a backslash.
fn spaced_name(rest: &str, end: usize) -> Option<usize> {
    let windows = rest[..end].contains('\\');
    let (separator, words) = if windows { ('\\', 4) } else { ('/', 1) };
    let last = rest[..end].rsplit(separator).next()?;
    if last.is_empty() || has_extension(last) || last.ends_with(['.', ',', ';', '!', '?', ')']) {
        return None;
    }
    let mut at = end;
    for _ in 0..words {
        let word = rest[at..].strip_prefix(' ')?;
        let is_name = |c: char| c.is_alphanumeric() || (windows && "(-_&".contains(c));
        if !word.starts_with(is_name) || is_drive(word) {
            return None;
        }
        let start = at + 1;
        at = word_end(rest, start);
        if rest[at..].starts_with("://") {
            return None;
        }
        if rest[start..at].contains(separator) {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests;
