//! The texts of a skill with their placeholders filled, and without the commands whose result is
//! known already.

use kernel::skill::SkillName;
use toml::{Table, Value};

use crate::config::Config;

/// What the placeholders of a skill's texts stand for.
pub(crate) struct Placeholders<'a> {
    pub(crate) skill: &'a SkillName,
    pub(crate) config: &'a Config,
    /// What is customised of the skill.
    pub(crate) customized: &'a Table,
    /// Whether the skill's texts are templates, which a script fills in elsewhere.
    pub(crate) is_template: bool,
}

/// Bytes of the name of a placeholder.
const PLACEHOLDER_BYTES: usize = 100;

/// The place of a skill's folder in the package.
pub(crate) fn folder_of(skill: &SkillName) -> String {
    format!("@pkg/skills/{skill}")
}

impl Placeholders<'_> {
    /// A text as the model is to read it.
    pub(crate) fn filled(&self, text: &str) -> String {
        let KnownResults { mut text, has_block, names_block, names_config } =
            self.with_known_results(text);
        if !has_block && !self.is_template {
            text.push_str(&self.with_values(&self.customized_values(&text, names_block)));
        }
        if names_config {
            text.push_str("\n\n## Configuration\n\n");
            text.push_str(&self.known_config());
        }
        text
    }

    /// The values that a text names by `{workflow.name}`, below it; all of them, when it says that
    /// they are to be resolved.
    fn customized_values(&self, text: &str, all: bool) -> String {
        let Some(block) = self.customized.get("workflow").and_then(Value::as_table) else {
            return String::new();
        };
        let named = |name: &str| all || text.contains(&format!("{{workflow.{name}}}"));
        let values: Table = block
            .iter()
            .filter(|(name, _)| named(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        if values.is_empty() {
            return String::new();
        }
        let values = Table::from_iter([("workflow".to_owned(), Value::Table(values))]);
        format!("\n\n## What is customised\n\n{}", fenced("toml", &toml_text(&values)))
    }

    /// `{name}` becomes its value. Names in more than one pair of braces are of other templates.
    fn with_values(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('{') {
            let (before, braced) = rest.split_at(at);
            out.push_str(before);
            let braces = braced.bytes().take_while(|byte| *byte == b'{').count();
            let inner = &braced[braces..];
            let name = near(inner).find('}').map(|end| &inner[..end]);
            let known =
                name.filter(|_| braces == 1).and_then(|name| Some((name, self.value(name)?)));
            if let Some((name, value)) = known {
                out.push_str(&value);
                rest = &inner[name.len() + 1..];
            } else {
                out.push_str(&braced[..braces]);
                rest = inner;
            }
        }
        out.push_str(rest);
        out
    }

    fn value(&self, name: &str) -> Option<String> {
        match name {
            "project-root" => Some("@project".to_owned()),
            "skill-root" => Some(folder_of(self.skill)),
            "skill-name" => Some(self.skill.to_string()),
            name => self.config.get(name).map(str::to_owned),
        }
    }

    /// `{{.name}}`, `{{config.core.name}}` and `{workflow.name}` of a text that is a template. What
    /// has no value stays, and shows that it has none.
    fn rendered(&self, text: &str) -> String {
        let text = between(text, "{{", "}}", |name| {
            let name = name.strip_prefix('.').or_else(|| name.strip_prefix("config."))?;
            let name = name.rsplit('.').next()?;
            self.config.get(name).map(str::to_owned)
        });
        between(&text, "{workflow.", "}", |name| {
            let value = at(self.customized, &format!("workflow.{name}"))?;
            Some(prose(value))
        })
    }

    /// The text with its placeholders filled, line by line, and the two commands with which most skills
    /// begin replaced by what they would print: how the skill is customised, and the configuration.
    fn with_known_results(&self, text: &str) -> KnownResults {
        let mut known = KnownResults::default();
        let mut resolved = false;
        let mut skips = false;
        for line in text.split_inclusive('\n') {
            if skips && !line.starts_with('#') {
                continue;
            }
            skips = false;
            if let Some(key) = resolve_command(line) {
                known.text.push_str(&self.with_values(&self.known_block(key)));
                known.has_block |= key == "workflow";
                resolved = true;
            } else if resolved && line.starts_with("**If the script fails**") {
                skips = true;
            } else if line.trim_start().starts_with("Load config from `{project-root}/_bmad/") {
                known.text.push_str(&self.known_config());
            } else {
                resolved &= !line.starts_with('#');
                self.add_line(&mut known, line);
            }
        }
        known
    }

    /// A line in whose midst something may be resolved or read. Where it names what to read, the
    /// names stay as they are.
    fn add_line(&self, known: &mut KnownResults, line: &str) {
        let mut line = line.to_owned();
        if let Some(command) = code_span(&line, |span| span.contains(RESOLVER)) {
            known.names_block = true;
            line = line.replace(&command, "it stands below under \"What is customised\"");
        }
        if let Some(file) = code_span(&line, |span| span.ends_with("/config.yaml")) {
            known.names_config = true;
            known.text.push_str(&line.replace(&file, "what stands below under \"Configuration\""));
            return;
        }
        let line = if self.is_template { self.rendered(&line) } else { line };
        known.text.push_str(&self.with_values(&line));
    }

    fn known_block(&self, key: &str) -> String {
        let head = format!("Nothing is run here: `{key}` is known already.");
        match at(self.customized, key) {
            None => format!("{head} It is empty.\n"),
            Some(Value::String(text)) if text.trim().is_empty() => format!("{head} It is empty.\n"),
            Some(Value::Table(table)) => {
                format!("{head}\n\n{}\n", fenced("toml", &toml_text(table)))
            }
            Some(value) => format!("{head}\n\n{}\n", fenced("text", &prose(value))),
        }
    }

    /// The names without their braces, so that they are not filled once more.
    fn known_config(&self) -> String {
        let lines = self.config.all().map(|(name, value)| format!("- `{name}` is `{value}`\n"));
        let lines: String = lines.collect();
        format!("No configuration is read here; these are its values:\n\n{lines}\n")
    }
}

/// A text in which what is known already stands in place of the commands that would tell it.
#[derive(Default)]
struct KnownResults {
    text: String,
    /// Whether the customised values stand in it.
    has_block: bool,
    /// Whether it says that they are below it.
    names_block: bool,
    /// Whether it wants a file of the configuration read.
    names_config: bool,
}

/// The first piece of code in a line that is such, with its signs.
fn code_span(line: &str, is_such: impl Fn(&str) -> bool) -> Option<String> {
    let span = line.split('`').skip(1).step_by(2).find(|span| is_such(span))?;
    Some(format!("`{span}`"))
}

/// BMAD's script that merges what is customised.
const RESOLVER: &str = "resolve_customization.py";

fn toml_text(values: &Table) -> String {
    toml::to_string_pretty(values).unwrap_or_default()
}

/// A text as a block that nothing in it closes.
pub(crate) fn fenced(kind: &str, text: &str) -> String {
    let runs = text.split(|c: char| c != '~').map(str::len).max().unwrap_or_default();
    let fence = "~".repeat(runs.max(2) + 1);
    format!("{fence}{kind}\n{}\n{fence}\n", text.trim())
}

/// The key that a line resolves with BMAD's script.
fn resolve_command(line: &str) -> Option<&str> {
    let command = line.trim_start().strip_prefix("Run: `")?;
    if !command.contains(RESOLVER) {
        return None;
    }
    let (_, key) = command.split_once("--key ")?;
    key.split(|c: char| c == '`' || c.is_whitespace()).next().filter(|key| !key.is_empty())
}

/// The value of `a.b.c`.
fn at<'t>(table: &'t Table, key: &str) -> Option<&'t Value> {
    let (first, rest) =
        key.split_once('.').map_or((key, None), |(first, rest)| (first, Some(rest)));
    let value = table.get(first)?;
    match rest {
        None => Some(value),
        Some(rest) => at(value.as_table()?, rest),
    }
}

/// A value in words, as the script that fills templates writes it.
fn prose(value: &Value) -> String {
    let Value::Array(items) = value else {
        return value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    };
    let texts: Vec<String> = items.iter().filter_map(item_in_words).collect();
    if texts.is_empty() { "_None._".to_owned() } else { texts.join("\n") }
}

/// An entry of a list; a review layer, or whatever else has an `instruction`, as a section. `None`
/// for one that was switched off by an empty instruction.
fn item_in_words(item: &Value) -> Option<String> {
    let Some(table) = item.as_table() else {
        let text = item.as_str().map_or_else(|| item.to_string(), str::to_owned);
        return Some(format!("- {}", text.replace('\n', "\n  ")));
    };
    let text = |key: &str| table.get(key).and_then(Value::as_str).map(str::trim);
    let Some(instruction) = text("instruction") else { return Some(format!("- {item}")) };
    let named = text("name").or_else(|| text("id")).unwrap_or_default();
    let when = text("when").map(|when| format!("\nRun only when: {when}\n")).unwrap_or_default();
    (!instruction.is_empty()).then(|| format!("#### {named}\n{when}\n{instruction}\n"))
}

/// Where the end of a placeholder is looked for.
fn near(text: &str) -> &str {
    kernel::text::prefix(text, PLACEHOLDER_BYTES)
}

/// Replaces what stands between two marks, where there is something for it.
fn between(text: &str, open: &str, close: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(open) {
        let (before, marked) = rest.split_at(start);
        out.push_str(before);
        let inner = &marked[open.len()..];
        if let Some((end, value)) =
            near(inner).find(close).and_then(|end| Some((end, value(&inner[..end])?)))
        {
            out.push_str(&value);
            rest = &inner[end + close.len()..];
        } else {
            out.push_str(open);
            rest = inner;
        }
    }
    out.push_str(rest);
    out
}
