//! Turns the catalogues of words (`templates/locales`, see its README) into Rust: a function for
//! each phrase, and tables of what phrases and error codes say in each language.
//!
//! A text that one of the languages lacks, that is empty, or whose places are others than its key
//! names does not build.
#![expect(clippy::disallowed_methods, reason = "law A is about the kernel, not about its building")]

use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const LOCALES: &str = "../../templates/locales";
const CHAPTERS: [&str; 6] = ["causes", "codes", "help", "phrases", "terminal", "window"];

/// The texts of a chapter by their path in it (`advice/use_node(ids)`), one for each language.
type ChapterTexts = BTreeMap<String, Vec<String>>;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={LOCALES}");
    let languages = languages()?;
    let mut rust = format!(
        "/// How many languages there are.\npub(crate) const LANGUAGES: usize = {};\n",
        languages.len()
    );
    let mut phrases = ChapterTexts::new();
    let mut codes = ChapterTexts::new();
    let mut wrong = Vec::new();
    for chapter in CHAPTERS {
        let texts = chapter_in(&languages, chapter, &mut wrong)?;
        match chapter {
            "codes" => codes = texts,
            "phrases" | "terminal" => phrases.extend(texts),
            _ => {}
        }
    }
    if !wrong.is_empty() {
        return Err(wrong.join("\n").into());
    }
    write_phrases(&mut rust, &phrases)?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("phrases.rs"), rust)?;
    let mut rust = String::new();
    write_codes(&mut rust, &codes)?;
    Ok(std::fs::write(out.join("codes.rs"), rust)?)
}

/// The folders of the languages, in the order of their names: that of `Lang`.
fn languages() -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(LOCALES)? {
        let path = entry?.path();
        if path.is_dir() {
            folders.push(path);
        }
    }
    folders.sort();
    Ok(folders)
}

/// A chapter in all languages, each text of which says the same.
fn chapter_in(
    languages: &[PathBuf],
    chapter: &str,
    wrong: &mut Vec<String>,
) -> Result<ChapterTexts, Box<dyn Error>> {
    let mut texts = ChapterTexts::new();
    for (at, folder) in languages.iter().enumerate() {
        let file = folder.join(chapter).with_extension("json");
        let whole: Map<String, Value> = serde_json::from_str(&std::fs::read_to_string(&file)?)
            .map_err(|why| format!("{}: {why}", file.display()))?;
        let mut own = Vec::new();
        flatten("", &whole, &mut own);
        for (key, text) in own {
            let said = texts.entry(key).or_insert_with(|| vec![String::new(); languages.len()]);
            said[at] = text;
        }
    }
    for (key, said) in &texts {
        let wanted = match key.split_once('(') {
            Some((_, places)) => places.trim_end_matches(')').split(", ").collect(),
            None if matches!(chapter, "help" | "window") => places(&said[0]),
            None => BTreeSet::new(),
        };
        for (text, folder) in said.iter().zip(languages) {
            let file = Path::new(folder).join(chapter).with_extension("json");
            if text.trim().is_empty() {
                wrong.push(format!("{}: `{key}` has no text", file.display()));
            } else if places(text) != wanted {
                wrong.push(format!("{}: `{key}` has other places: {text}", file.display()));
            }
        }
    }
    Ok(texts)
}

fn flatten(path: &str, map: &Map<String, Value>, out: &mut Vec<(String, String)>) {
    for (key, value) in map {
        let key = if path.is_empty() { key.clone() } else { format!("{path}/{key}") };
        match value {
            Value::Object(map) => flatten(&key, map, out),
            Value::String(text) => out.push((key, text.clone())),
            // What is no text says nothing, and is found as an empty one.
            _ => out.push((key, String::new())),
        }
    }
}

/// The places of a text, written as `{name}`.
fn places(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect()
}

/// A module for each group, with a function for each phrase; and `TEXTS`, in the order of keys.
fn write_phrases(rust: &mut String, phrases: &ChapterTexts) -> Result<(), Box<dyn Error>> {
    let mut groups = BTreeMap::<&str, Vec<(&str, &[String])>>::new();
    for (path, said) in phrases {
        let (group, signature) = path.split_once('/').unwrap_or(("", path));
        groups.entry(group).or_default().push((signature, said));
    }
    let mut texts = BTreeMap::new();
    for (group, phrases) in groups {
        writeln!(rust, "/// What the catalogues have under `{group}`.\npub mod {group} {{")?;
        for (signature, said) in phrases {
            let (key, places) = signature.split_once('(').unwrap_or((signature, ""));
            let places: Vec<&str> = places
                .trim_end_matches(')')
                .split(", ")
                .filter(|place| !place.is_empty())
                .collect();
            write_function(rust, key, &places, &said[0])?;
            if texts.insert(key, said).is_some() {
                return Err(format!("two phrases are called `{key}`").into());
            }
        }
        rust.push_str("}\n");
    }
    writeln!(rust, "const TEXTS: &[PhraseText] = &[")?;
    for (key, said) in texts {
        writeln!(rust, "    PhraseText {{ key: {key:?}, said: {said:?} }},")?;
    }
    Ok(writeln!(rust, "];")?)
}

fn write_function(rust: &mut String, key: &str, places: &[&str], text: &str) -> std::fmt::Result {
    writeln!(rust, "    #[doc = {:?}]\n    pub fn {key}(", format!("`{text}`"))?;
    for place in places {
        let of = if *place == "why" { "Why" } else { "Part" };
        writeln!(rust, "        {place}: impl Into<super::{of}>,")?;
    }
    writeln!(rust, "    ) -> super::Phrase {{\n        super::Phrase::of({key:?})")?;
    for place in places {
        let part = if *place == "why" { "Into::<super::Why>::into(why)" } else { place };
        writeln!(rust, "            .with({place:?}, {part}.into())")?;
    }
    rust.push_str("    }\n");
    Ok(())
}

/// `CODES`, the words of each code in all languages.
fn write_codes(rust: &mut String, codes: &ChapterTexts) -> std::fmt::Result {
    let none = Vec::new();
    let names: BTreeSet<&str> = codes.keys().filter_map(|key| key.split('/').next()).collect();
    writeln!(rust, "const CODES: [(&str, [Words; LANGUAGES]); {}] = [", names.len())?;
    for code in names {
        let of = |member: &str| codes.get(&format!("{code}/{member}")).unwrap_or(&none);
        writeln!(rust, "    ({code:?}, [")?;
        for (title, action) in of("title").iter().zip(of("action")) {
            writeln!(rust, "        Words {{ title: {title:?}, action: {action:?} }},")?;
        }
        writeln!(rust, "    ]),")?;
    }
    writeln!(rust, "];")
}
