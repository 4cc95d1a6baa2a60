//! Reading sources: which files there are, and a Rust file without its comments, texts and tests.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The repository's top folder.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// A file of the repository: its path from the top, with `/`, and its text.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Every text file that is committed or about to be.
pub(crate) fn all() -> Vec<Source> {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .expect("git lists the files");
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    let names = String::from_utf8(listed.stdout).unwrap();
    let sources: Vec<Source> = names
        .split_terminator('\0')
        .filter_map(|path| {
            // A picture is no text; a file that was just deleted is no file.
            let text = std::fs::read_to_string(root().join(path)).ok()?;
            Some(Source { path: path.to_owned(), text })
        })
        .collect();
    assert!(sources.len() > 20, "the list of files is too short to be true");
    sources
}

impl Source {
    pub(crate) fn is(&self, extensions: &[&str]) -> bool {
        let extension = Path::new(&self.path).extension().and_then(|e| e.to_str());
        extension.is_some_and(|e| extensions.contains(&e))
    }

    pub(crate) fn below(&self, folder: &str) -> bool {
        self.path.starts_with(folder)
    }

    /// Tests, what only tests use, and what a program wrote.
    pub(crate) fn is_aside(&self) -> bool {
        let stem = Path::new(&self.path).file_stem().unwrap_or_default().to_string_lossy();
        let mut folders = Path::new(&self.path).parent().into_iter().flat_map(Path::iter);
        GENERATED.contains(&self.path.as_str())
            || ["tests", "fixtures"].contains(&&*stem)
            || stem.ends_with(".test")
            || folders.any(|f| ["tests", "test", "fixtures"].iter().any(|aside| f == *aside))
    }

    /// The files this one brings in for tests only, by `#[cfg(test)] mod name;`.
    pub(crate) fn test_modules(&self) -> Vec<String> {
        let folder = match self.path.strip_suffix(".rs").unwrap_or_default() {
            top if ["lib", "main", "mod"].iter().any(|n| top.ends_with(&format!("/{n}"))) => {
                top.rsplit_once('/').map_or("", |(folder, _)| folder)
            }
            folder => folder,
        };
        blanked(&self.text)
            .split("#[cfg(test)]")
            .skip(1)
            .filter_map(|after| {
                let name = after.trim_start().strip_prefix("mod ")?;
                let end = name.find(|c: char| !c.is_alphanumeric() && c != '_')?;
                name[end..].starts_with(';').then(|| format!("{folder}/{}.rs", &name[..end]))
            })
            .collect()
    }

    /// The texts in the Rust code outside its tests, each with the line it begins on.
    pub(crate) fn texts(&self) -> Vec<(usize, String)> {
        let source: Vec<char> = self.without_tests().chars().collect();
        let (mut found, mut at, mut line) = (Vec::new(), 0, 1);
        while at < source.len() {
            let end = skip(&source, at).max(at + 1);
            let text: String = source[at..end].iter().collect();
            let lines = text.matches('\n').count();
            if text.starts_with(['"', 'r']) && end > at + 1 {
                found.push((line, text));
            }
            (at, line) = (end, line + lines);
        }
        found
    }

    /// Rust without its tests: they are blank, lines are where they were.
    pub(crate) fn without_tests(&self) -> String {
        let tests = tests_in(&blanked(&self.text));
        let is_test = |at: usize| tests.iter().any(|range| range.contains(&at));
        let keep = |(at, c)| if c != '\n' && is_test(at) { ' ' } else { c };
        self.text.chars().enumerate().map(keep).collect()
    }

    /// The Rust code alone: comments, texts and tests are blank, lines are where they were.
    pub(crate) fn code(&self) -> String {
        blanked(&self.without_tests())
    }
}

/// What a program wrote, and which one.
const GENERATED: [&str; 1] = [
    "ui/src/bridge/wire.ts", // `tests/it/wire.rs`, from the types of the kernel
];

/// Rust with the inside of comments, strings and characters made blank.
pub(crate) fn blanked(text: &str) -> String {
    let source: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < source.len() {
        let end = skip(&source, at);
        if end == at {
            out.push(source[at]);
            at += 1;
        } else {
            out.extend(source[at..end].iter().map(|c| if *c == '\n' { '\n' } else { ' ' }));
            at = end;
        }
    }
    out
}

/// Where a comment, string or character that begins here ends; here when none does.
fn skip(source: &[char], at: usize) -> usize {
    let ahead = |n: usize| source.get(at + n).copied().unwrap_or('\0');
    let word_before = at > 0 && (source[at - 1].is_alphanumeric() || source[at - 1] == '_');
    match ahead(0) {
        '/' if ahead(1) == '/' => find(source, at, |i| source[i] == '\n'),
        '/' if ahead(1) == '*' => block_comment_end(source, at),
        '"' => string_end(source, at + 1),
        'r' if !word_before && (ahead(1) == '"' || ahead(1) == '#') => raw_string_end(source, at),
        '\'' if ahead(1) == '\\' => find(source, at + 3, |i| source[i] == '\'') + 1,
        '\'' if ahead(2) == '\'' => at + 3,
        _ => at,
    }
}

fn find(source: &[char], from: usize, wanted: impl Fn(usize) -> bool) -> usize {
    (from..source.len()).find(|i| wanted(*i)).unwrap_or(source.len())
}

fn block_comment_end(source: &[char], at: usize) -> usize {
    let (mut depth, mut i) = (0_usize, at);
    while i + 1 < source.len() {
        match (source[i], source[i + 1]) {
            ('/', '*') => (depth, i) = (depth + 1, i + 2),
            ('*', '/') => (depth, i) = (depth - 1, i + 2),
            _ => i += 1,
        }
        if depth == 0 {
            return i;
        }
    }
    source.len()
}

fn string_end(source: &[char], from: usize) -> usize {
    let mut i = from;
    while i < source.len() && source[i] != '"' {
        i += if source[i] == '\\' { 2 } else { 1 };
    }
    (i + 1).min(source.len())
}

fn raw_string_end(source: &[char], at: usize) -> usize {
    let open = find(source, at + 1, |i| source[i] != '#');
    if source.get(open) != Some(&'"') {
        return at; // r#name
    }
    let hashes = open - at - 1;
    let close = find(source, open + 1, |i| {
        source[i] == '"'
            && source[i + 1..].iter().take(hashes).filter(|c| **c == '#').count() == hashes
    });
    (close + 1 + hashes).min(source.len())
}

/// Where each item begins and ends that stands under `#[cfg(test)]`, in blanked code, counted in
/// characters.
fn tests_in(code: &str) -> Vec<Range<usize>> {
    const MARK: &str = "#[cfg(test)]";
    // Then bytes are characters. Only what is blank may hold others.
    assert!(code.is_ascii(), "code outside of comments and texts is ASCII");
    let mut found: Vec<Range<usize>> = Vec::new();
    for (start, _) in code.match_indices(MARK) {
        let body = start + MARK.len();
        let first = code[body..].find(['{', ';']).map_or(code.len(), |i| body + i);
        let end = if code[first..].starts_with('{') { closing(code, first) } else { first };
        found.push(start..(end + 1).min(code.len()));
    }
    found
}

/// The place of the brace that closes the one at `open`, in blanked code.
pub(crate) fn closing(code: &str, open: usize) -> usize {
    let mut depth = 0_usize;
    for (i, c) in code[open..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return open + i;
        }
    }
    code.len()
}

/// The line a place in a text is on, from 1.
pub(crate) fn line_of(text: &str, place: usize) -> usize {
    text[..place].matches('\n').count() + 1
}

/// The functions of blanked code that have a body: name, first line, number of lines.
pub(crate) fn functions(code: &str) -> Vec<(String, usize, usize)> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        let inside_word = code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let name: String =
            code[at + 3..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if inside_word || name.is_empty() {
            continue;
        }
        let Some(open) = code[at..].find(['{', ';']).map(|i| at + i) else { continue };
        if code[open..].starts_with(';') {
            continue;
        }
        let (first, last) = (line_of(code, at), line_of(code, closing(code, open)));
        found.push((name, first, last - first + 1));
    }
    found
}

#[test]
fn a_module_for_tests_alone_is_found_where_it_is_declared() {
    let of = |path: &str| {
        let text = "#[cfg(test)]\nmod demos;\n#[cfg(test)]\nmod tests {}\nmod real;".to_owned();
        Source { path: path.to_owned(), text }.test_modules()
    };
    assert_eq!(of("k/src/check.rs"), ["k/src/check/demos.rs"]);
    assert_eq!(of("k/src/lib.rs"), ["k/src/demos.rs"]);
}

#[test]
fn comments_texts_and_tests_are_not_code() {
    let source = Source {
        path: "x.rs".into(),
        text: "/* a /* b */ c */ fn f<'a>() { let x = \"}\\\"{\"; let c = '{'; }\n// fn no() {\n\
               fn g() {\nr#\"}\"#;\n}\n#[cfg(test)]\nmod tests { fn h() { x.unwrap() } }\nfn i();\n"
            .into(),
    };
    let code = source.code();
    assert!(!code.contains("unwrap") && !code.contains("no()"), "{code}");
    assert_eq!(code.matches('\n').count(), source.text.matches('\n').count());
    assert_eq!(functions(&code), [("f".to_owned(), 1, 1), ("g".to_owned(), 3, 3)]);
}

#[test]
fn what_follows_a_test_is_looked_at() {
    let text = "#[cfg(test)]\nmod tests;\nfn f() { \"é one\" }\n#[cfg(test)]\nfn no() { \"no\" }\n\
                fn g() { r#\"two\"# }\n// C:\n"
        .to_owned();
    let source = Source { path: "x.rs".into(), text };
    assert_eq!(source.texts(), [(3, "\"é one\"".into()), (6, "r#\"two\"#".into())]);
    assert!(source.without_tests().ends_with("// C:\n"));
    assert_eq!(functions(&source.code()), [("f".to_owned(), 3, 1), ("g".to_owned(), 6, 1)]);
    let is_aside = |path: &str| Source { path: path.into(), text: String::new() }.is_aside();
    assert!(!is_aside("src-tauri/kernel/src/wire.rs"));
    assert!(is_aside("ui/src/bridge/wire.ts") && is_aside("tests/it/wire.rs"));
}
