//! The catalogues of words (`templates/locales`). That each text is there in every language, with the
//! same places, the build script of the kernel holds.

use crate::cli::languages::english;
use crate::tidy::source::{Source, all};
use serde_json::Value;
use std::collections::BTreeSet;

/// Every text of the catalogues: its file, its key and itself.
fn texts() -> Vec<(String, String, String)> {
    fn below(file: &str, key: &str, value: &Value, out: &mut Vec<(String, String, String)>) {
        match value {
            Value::Object(map) => map.iter().for_each(|(key, value)| below(file, key, value, out)),
            text => out.push((file.to_owned(), key.to_owned(), text.as_str().unwrap().to_owned())),
        }
    }
    let mut out = Vec::new();
    for source in all().into_iter().filter(|s| s.below("templates/locales/") && s.is(&["json"])) {
        below(&source.path, "", &serde_json::from_str(&source.text).unwrap(), &mut out);
    }
    assert!(out.len() > 2000, "only {} texts were found", out.len());
    out
}

/// Every word in the sources that could be the name of a phrase.
fn names(sources: &[Source]) -> BTreeSet<&str> {
    let no_name = |c: char| !c.is_alphanumeric() && c != '_';
    sources.iter().flat_map(|source| source.text.split(no_name)).collect()
}

/// Said by earlier versions only: their journals keep the key.
const OLD: [&str; 9] = [
    "deletes_files",
    "deletes_listed_files",
    "deletes_more_files",
    "deletes_one_file",
    "deletes_the_file",
    "demo_does_not_fit",
    "holds_unshown",
    "new_unshown",
    "replaced_unshown",
];

#[test]
fn every_phrase_is_said_somewhere() {
    let mut sources = all();
    sources.retain(|s| {
        (s.below("src-tauri/") && s.is(&["rs"])) || (s.below("ui/src/i18n/") && s.is(&["ts"]))
    });
    let names = names(&sources);
    let unused: Vec<String> = texts()
        .into_iter()
        .filter(|(file, ..)| file.ends_with("/phrases.json") || file.ends_with("/terminal.json"))
        .map(|(_, key, _)| key.split('(').next().unwrap_or_default().to_owned())
        .filter(|name| !names.contains(name.as_str()) && !OLD.contains(&name.as_str()))
        .collect();
    assert_eq!(unused, Vec::<String>::new());
}

#[test]
fn no_text_of_another_language_holds_an_english_sentence() {
    for (file, key, text) in texts() {
        if !file.starts_with("templates/locales/en/") {
            assert_eq!(english(&text), None, "{file}: {key}");
        }
    }
}

/// Elsewhere the compiler asks for phrases, and lines of the log and results for a model are English.
#[test]
fn the_terminal_has_no_sentence_of_its_own() {
    let han = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    let mut found = Vec::new();
    let mut sources = all();
    sources.retain(|s| s.below("src-tauri/cli/src/") && s.is(&["rs"]) && !s.is_aside());
    for source in sources {
        let lines: Vec<&str> = source.text.lines().collect();
        for (line, text) in source.texts() {
            // The log is in English.
            if lines[line - 1].contains("tracing::") {
                continue;
            }
            // What a person may type as a yes or a no is a word of its language.
            if english(&text).is_some() || text.chars().filter(|c| han(*c)).count() > 3 {
                found.push(format!("{}:{line}: {text}", source.path));
            }
        }
    }
    assert!(found.is_empty(), "write it in templates/locales:\n{}", found.join("\n"));
}

/// A name alone is what programs call a tool; in a sentence somebody is told to call it.
#[test]
fn texts_name_tools_as_a_model_calls_them() {
    for (file, key, text) in texts() {
        let told = kernel::tool::BUILT_IN.iter().find(|tool| text.contains(tool.name));
        assert!(told.is_none(), "{file}: {key}: {text}");
    }
}

#[test]
fn the_window_has_a_name_for_every_provider() {
    let texts = texts();
    for provider in kernel::settings::PROVIDERS {
        let key = format!("provider.{provider}");
        let named = texts.iter().filter(|(_, known, _)| *known == key).count();
        assert_eq!(named, 2, "{key} has a name in each language");
    }
}
