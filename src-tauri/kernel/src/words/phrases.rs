//! Phrases about changes, in both languages.

use serde_json::{Value, json};
use std::fmt::Write as _;

use super::Lang;
use crate::phrase::{Phrase, PhraseKey};

/// The text of a phrase, its places written as `{name}`.
pub const fn phrase(key: PhraseKey, lang: Lang) -> &'static str {
    let (zh, en) = both(key);
    match lang {
        Lang::Zh => zh,
        Lang::En => en,
    }
}

/// Phrases one after the other, as one line.
pub fn say(phrases: &[Phrase], lang: Lang) -> String {
    let said: Vec<String> = phrases.iter().map(|p| filled(phrase(p.key, lang), p)).collect();
    said.join(match lang {
        Lang::Zh => "；",
        Lang::En => "; ",
    })
}

/// The values in their places, once: a value that looks like a place is a value.
fn filled(text: &str, phrase: &Phrase) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else { break };
        out.push_str(before);
        out.push_str(phrase.values.get(name).map_or("", String::as_str));
        rest = after;
    }
    out + rest
}

/// The table for the UI, a TypeScript file beside the generated `wire.ts`: `phrases[key][lang]`.
/// Written and compared by a test, never edited.
pub fn ui_phrases_table() -> String {
    let mut out = String::from(
        "// Generated from the kernel's words (src-tauri/kernel/src/words). Do not edit.\n\
         import type { PhraseKey } from \"./wire\";\n\n\
         export const phrases = {\n",
    );
    for &key in PhraseKey::ALL {
        let name = serde_json::to_value(key).unwrap_or_default();
        let name = name.as_str().unwrap_or_default();
        let (zh, en): (Value, Value) = (json!(phrase(key, Lang::Zh)), json!(phrase(key, Lang::En)));
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "  {name}: {{\n    zh: {zh},\n    en: {en},\n  }},");
    }
    out.push_str("} as const satisfies Record<PhraseKey, Record<\"zh\" | \"en\", string>>;\n");
    out
}

/// A `match` without a wildcard: a phrase without words does not build.
const fn both(key: PhraseKey) -> (&'static str, &'static str) {
    match key {
        PhraseKey::AllowChange => {
            ("允许 {tool} 修改 {path} 吗？", "Allow {tool} to change {path}?")
        }
        PhraseKey::NewFile => ("新文件，{lines} 行", "new file, {lines} lines"),
        PhraseKey::Lines => ("+{added} −{removed} 行", "+{added} −{removed} lines"),
        PhraseKey::NewUnshown => (
            "新文件，内容无法显示；修改后 {bytes} 字节",
            "new file that cannot be shown; {bytes} bytes afterwards",
        ),
        PhraseKey::ReplacedUnshown => (
            "替换一个文件，内容无法显示；修改后 {bytes} 字节",
            "replaces a file that cannot be shown; {bytes} bytes afterwards",
        ),
        PhraseKey::DiffCut => ("差异太长，未完整显示", "the diff is too long to be shown whole"),
        PhraseKey::Moves => ("移动到 {to}", "moves it to {to}"),
        PhraseKey::DeletesEmptyFolder => ("删除一个空文件夹", "deletes an empty folder"),
        PhraseKey::DeletesFiles => (
            "删除 {files} 个文件，共 {bytes} 字节：{names}",
            "deletes {files} file(s), {bytes} bytes: {names}",
        ),
        PhraseKey::DeletesMoreFiles => (
            "删除 {files} 个文件，共 {bytes} 字节：{names}，以及另外 {more} 个",
            "deletes {files} file(s), {bytes} bytes: {names} and {more} more",
        ),
        PhraseKey::NodeMoved => ("当前步骤 {from} → {to}", "currentNodeId {from} → {to}"),
        PhraseKey::NodeEntered => ("当前步骤（起点）→ {to}", "currentNodeId (start) → {to}"),
        PhraseKey::NodeReset => ("当前步骤 {from} →（起点）", "currentNodeId {from} → (start)"),
        PhraseKey::Steps => ("已完成步骤 {steps}", "stepsCompleted {steps}"),
        PhraseKey::Artifact => ("产物 {change}", "{change} artifact"),
        PhraseKey::Artifacts => ("产物 {change}", "{change} artifacts"),
        PhraseKey::ArtifactsChanged => ("产物有变化", "artifacts changed"),
        PhraseKey::Decision => ("决策记录 {change}", "{change} decision"),
        PhraseKey::Decisions => ("决策记录 {change}", "{change} decisions"),
        PhraseKey::DecisionsChanged => ("决策记录有变化", "decisions changed"),
        PhraseKey::MemberChanged => ("{name}：{from} → {to}", "{name} {from} → {to}"),
        PhraseKey::MemberSet => ("{name} 设为 {to}", "{name} = {to}"),
        PhraseKey::MemberRemoved => ("{name} 已移除", "{name} removed"),
        PhraseKey::TextChanged => ("正文有修改", "text changed"),
        PhraseKey::LayoutOnly => ("仅 updatedAt 或排版有变化", "only updatedAt or layout changed"),
        PhraseKey::NoChange => ("没有变化", "no change"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn places(text: &str) -> BTreeSet<&str> {
        text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(n, _)| n).collect()
    }

    #[test]
    fn every_phrase_has_the_same_places_in_both_languages() {
        for &key in PhraseKey::ALL {
            let (zh, en) = both(key);
            assert_eq!(places(zh), places(en), "{key:?}");
            let chinese = |text: &str| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
            let bare =
                places(zh).iter().fold(zh.to_owned(), |t, p| t.replace(&format!("{{{p}}}"), ""));
            let symbols = !bare.chars().any(char::is_alphanumeric);
            assert!(chinese(zh) || symbols, "{key:?}: {zh}");
            assert!(!chinese(en), "{key:?}: {en}");
        }
    }

    #[test]
    fn values_stand_in_their_places_and_are_not_filled_again() {
        let member = Phrase::plain(PhraseKey::MemberChanged)
            .with("name", "title")
            .with("from", "{to}")
            .with("to", "new");
        let both = [member, Phrase::plain(PhraseKey::TextChanged)];
        assert_eq!(say(&both, Lang::En), "title {to} → new; text changed");
        assert_eq!(say(&both, Lang::Zh), "title：{to} → new；正文有修改");
        assert_eq!(say(&[], Lang::En), "");
    }

    #[test]
    fn the_ui_table_has_every_phrase_once() {
        let table = ui_phrases_table();
        assert_eq!(table.matches("    zh: ").count(), PhraseKey::ALL.len());
        assert!(table.contains(
            "  moves: {\n    zh: \"移动到 {to}\",\n    en: \"moves it to {to}\",\n  },\n"
        ));
    }
}
