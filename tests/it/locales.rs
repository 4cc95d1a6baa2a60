//! The catalogues of words (`templates/locales`). That each text is there in every language, with the
//! same places, the build script of the kernel holds.

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
const OLD: [&str; 3] = ["deletes_more_files", "demo_does_not_fit", "more_after"];

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

/// A name alone is what programs call a tool; in a sentence somebody is told to call it.
#[test]
fn texts_name_tools_as_a_model_calls_them() {
    for (file, key, text) in texts() {
        let told = kernel::tool::BUILT_IN.iter().find(|tool| text.contains(tool.name));
        assert!(told.is_none(), "{file}: {key}: {text}");
    }
}
