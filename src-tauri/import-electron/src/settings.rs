//! `settings.json` of the old runtime, field by field. No value is ever repeated
//! in words: among them are keys.

use kernel::phrase::{Phrase, imports as said};
use kernel::settings::PROVIDERS;
use serde_json::{Map, Value, json};

/// What becomes of one field.
#[derive(Debug, Clone, PartialEq)]
pub enum Fate {
    /// It has a counterpart.
    Set {
        /// Our dotted name.
        ours: &'static str,
        /// What to merge into the settings.
        patch: Value,
        /// What was adapted, when it is not the plain value.
        adapted: Option<Phrase>,
    },
    /// It is the key of the model.
    Key(String),
    /// It has none.
    Unsupported(Phrase),
}

/// One field that was set.
#[derive(Debug, Clone, PartialEq)]
pub struct OldSetting {
    /// Its dotted name there.
    pub name: String,
    /// What becomes of it.
    pub fate: Fate,
}

/// Groups that are told as one: their fields mean nothing here, and some are secrets.
const GROUPS: [&str; 7] = [
    "mcp",
    "python",
    "multimodalLlm",
    "tools.mcp",
    "tools.terminal",
    "llm.requestOptions",
    "skills",
];

/// Every field of the document that says something, in its order.
pub fn settings(document: &Value) -> Vec<OldSetting> {
    let mut out = Vec::new();
    if let Value::Object(map) = document {
        walk("", map, document, &mut out);
    }
    out
}

fn walk(at: &str, map: &Map<String, Value>, document: &Value, out: &mut Vec<OldSetting>) {
    for (key, value) in map {
        let name = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
        let says_nothing = value.is_null() || value.as_str().is_some_and(|t| t.trim().is_empty());
        match value {
            _ if says_nothing => {}
            Value::Object(inner) if !GROUPS.contains(&name.as_str()) => {
                walk(&name, inner, document, out);
            }
            _ => {
                let fate = fate(&name, value, document);
                out.push(OldSetting { name, fate });
            }
        }
    }
}

fn fate(name: &str, value: &Value, document: &Value) -> Fate {
    match name {
        "llm.apiKey" => match value.as_str() {
            Some(key) => Fate::Key(key.to_owned()),
            None => Fate::Unsupported(said::setting_no_text()),
        },
        "llm.provider" => provider(value),
        "llm.baseUrl" => base_url(value, document),
        "llm.model" => set("model.model", value.clone()),
        "llm.timeout" => set("model.firstByteTimeoutS", whole(value)),
        "llm.tokenBudget" if value.as_u64() == Some(128_000) => {
            Fate::Unsupported(said::setting_default_budget())
        }
        "llm.tokenBudget" => set("model.contextTokens", whole(value)),
        "theme" => match value.as_str() {
            Some("system" | "light" | "dark") => set("appearance.theme", value.clone()),
            _ => Fate::Unsupported(said::setting_no_theme()),
        },
        "language" | "locale" => match value.as_str().map(str::to_ascii_lowercase) {
            Some(tag) if tag.starts_with("zh") => set("appearance.language", json!("zh")),
            Some(tag) if tag.starts_with("en") => set("appearance.language", json!("en")),
            _ => Fate::Unsupported(said::setting_no_language()),
        },
        "tools.fs.enabled" => set("tools.fsEnabled", value.clone()),
        "tools.fs.maxReadBytes" => set("tools.maxReadBytes", whole(value)),
        "tools.fs.maxWriteBytes" => set("tools.maxWriteBytes", whole(value)),
        "engine.maxTurns" => set("engine.maxTurns", whole(value)),
        _ if GROUPS.contains(&name) => Fate::Unsupported(said::setting_group()),
        _ => Fate::Unsupported(said::setting_unknown()),
    }
}

fn set(ours: &'static str, value: Value) -> Fate {
    Fate::Set { ours, patch: nested(ours, value), adapted: None }
}

fn nested(dotted: &str, value: Value) -> Value {
    dotted.rsplit('.').fold(value, |inner, name| json!({ name: inner }))
}

/// A number that a form may have kept as text or with a fraction of nothing.
fn whole(value: &Value) -> Value {
    let number = match value {
        Value::String(text) => text.trim().parse::<f64>().ok(),
        other => other.as_f64(),
    };
    match number {
        Some(n) if n.fract() == 0.0 && (0.0..9e15).contains(&n) => {
            format!("{n:.0}").parse::<u64>().map_or_else(|_| value.clone(), Value::from)
        }
        _ => value.clone(),
    }
}

fn provider(value: &Value) -> Fate {
    let ours = "model.provider";
    match value.as_str() {
        Some("openai-compatible") => Fate::Set {
            ours,
            patch: nested(ours, json!("custom")),
            adapted: Some(said::setting_custom()),
        },
        Some(name) if PROVIDERS.contains(&name) => set(ours, value.clone()),
        _ => Fate::Unsupported(said::setting_no_provider()),
    }
}

/// Ours goes up to and without `/chat/completions`.
fn base_url(value: &Value, document: &Value) -> Fate {
    let ours = "model.baseUrl";
    let Some(url) = value.as_str() else { return set(ours, value.clone()) };
    let url = url.trim().trim_end_matches('/');
    let mut plain = url.trim_end_matches("/chat/completions").to_owned();
    let mut adapted = (plain != url).then(said::setting_end_cut);
    let is_ollama = document.pointer("/llm/provider").and_then(Value::as_str) == Some("ollama");
    let has_path = plain.split_once("://").is_none_or(|(_, rest)| rest.contains('/'));
    if is_ollama && !has_path {
        plain.push_str("/v1");
        adapted = Some(said::setting_v1());
    }
    Fate::Set { ours, patch: nested(ours, json!(plain)), adapted }
}
